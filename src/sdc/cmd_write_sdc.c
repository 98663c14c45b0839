/* The command write_sdc. */
#include <time.h>

#include "tclbind/scenarios.h"
#include "graph/hierarchy.h"
#include "write/sdc_file.h"

/* --- -map_hpins: the leaf pins behind a hierarchical pin, seen from its net's drivers --------- */

typedef struct {
  const Netlist *n;
  PinArray inside, outside;
  bool driver_inside, driver_outside;
} Around;

static void sort_pin(void *data, PinId pin, bool inside)
{
  Around *around = data;
  if (netlist_pin_drives(around->n, pin)) {
    if (inside) around->driver_inside = true;
    else around->driver_outside = true;
  }
  if (!netlist_pin_loads(around->n, pin)) return;
  if (inside) array_push(&around->inside, pin);
  else array_push(&around->outside, pin);
}

static void leaf_pins(const Netlist *n, PinId hierarchical, PinArray *pins)
{
  Around s = { .n = n };
  hierarchy_each(n, hierarchical, sort_pin, &s);
  bool out = s.driver_inside && !s.driver_outside;
  for (uint32_t i = 0; i < (out ? s.outside.len : s.inside.len); i++)
    array_push(pins, out ? s.outside.at[i] : s.inside.at[i]);
  array_free(&s.inside);
  array_free(&s.outside);
}

/* --- the command ------------------------------------------------------------------------------ */

static const Option write_sdc_options[] = {
  { "-mode", ARG_TEXT, .value = "name",
    .help = "mode whose constraints are written; default: the current mode" },
  { "-map_hpins", ARG_FLAG, .help = "write the leaf pins downstream of hierarchical pins, "
                                    "not these" },
  { "-digits", ARG_INT, .value = "N",
    .help = "digits after the point of quantities (not of counts and factors); more if a value "
            "would become 0 or a clock would lose a pulse; default: as many as needed to read "
            "the same number",
    RANGE(0, 17) },
  { "-gzip", ARG_FLAG, .help = "compress the file; so does a name that ends in .gz" },
  { "-no_timestamp", ARG_FLAG, .help = "leave the date out" },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "file to write" },
  { 0 }
};

static Status run_write_sdc(Session *s, Args *a)
{
  char title[80] = "SDC";
  time_t now = time(NULL);
  int digits = args_given(a, "-digits") ? args_int(a, "-digits") : -1;
  ModeId mode =
      args_given(a, "-mode") ? mode_named(s, "write_sdc", args_text(a, "-mode")) : s->mode;
  if (mode == NO_MODE) return FAILED;
  if (!args_flag(a, "-no_timestamp"))
    strftime(title, sizeof title, "SDC, written %Y-%m-%d %H:%M:%S", localtime(&now));
  SdcOptions options = { s->libs, s->units, s->separator, digits, args_gzip(a), title,
                         args_flag(a, "-map_hpins") ? leaf_pins : NULL };
  return write_sdc(s->scenarios->modes.at[mode].constraints, &options, args_text(a, "file"),
                   s->log);
}

const Command commands_write_sdc[] = {
  { "write_sdc", "files", "write the constraints", write_sdc_options, run_write_sdc,
    CMD_NEEDS_DESIGN,
    "The file gives the same timing in a session with the same libraries and design. Names are "
    "exact, and numbers have as many digits as they need, in the units in use. If these are not "
    "the units of the first library, the file sets them (set_cmd_units). Objects with equal "
    "values share a command. With -map_hpins, times after a clock on a hierarchical pin may "
    "differ by the delays of wires.",
    "write_sdc -no_timestamp cpu_out.sdc\n" },
  { 0 }
};
