/* Commands that return the fan-in and fan-out cones of pins. */
#include "tclbind/command.h"
#include "tclbind/match.h"
#include "tclbind/session_timing.h"
#include "query/fan.h"

#define CONE_OPTIONS(ends, ends_help)                                                        \
  { "-flat", ARG_FLAG, .help = "cross the borders of hierarchical cells" },                  \
  { "-only_cells", ARG_FLAG, .help = "return cells instead of pins" },                       \
  { ends, ARG_FLAG, .help = ends_help },                                                     \
  { "-levels", ARG_INT, .value = "N", .preset = "0",                                         \
      .help = "largest number of cells on the way; 0 means no limit", AT_LEAST(0) },         \
  { "-pin_levels", ARG_INT, .value = "N", .preset = "0",                                     \
      .help = "largest number of pins on the way; 0 means no limit", AT_LEAST(0) },          \
  { "-trace_arcs", ARG_ENUM, .value = "timing|enabled|all", .preset = "timing",              \
    .help = "timing: arcs that are on; enabled: also those that constants switch off; all: " \
        "every arc" }, { 0 }
#define CONE_KINDS (OBJS_PORT_PIN | OBJ_BIT(OBJ_NET))

static const Option fanin_options[] = {
  { "-to", ARG_OBJECTS, .value = "sinks", .kinds = CONE_KINDS, .flags = OPT_REQUIRED,
    .help = "pins, ports or nets" },
  CONE_OPTIONS(
      "-startpoints_only",
      "only where paths start: input ports, clocks of registers, drivers without inputs")
};
static const Option fanout_options[] = {
  { "-from", ARG_OBJECTS, .value = "sources", .kinds = CONE_KINDS, .flags = OPT_REQUIRED,
    .help = "pins, ports or nets" },
  CONE_OPTIONS("-endpoints_only", "only where paths end: output ports, checked pins, clocks of "
                                  "registers, pins that feed nothing")
};

static void add_start(const Session *s, Object o, bool backward, PinArray *out)
{
  const Netlist *n = s->netlist;
  if (o.type != OBJ_NET) {
    array_push(out, o.id);
    return;
  }
  NetPins it = net_pins(n, n->segs.at[o.id].net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;)
    if (backward ? netlist_pin_drives(n, p) : netlist_pin_loads(n, p)) array_push(out, p);
}

static void return_pins(Session *s, Args *a, const PinArray *pins)
{
  ObjectArray found = { 0 };
  for (uint32_t i = 0; i < pins->len; i++) {
    PinId p = pins->at[i];
    bool port = pin_is_top_port(s->netlist, p);
    if (args_flag(a, "-only_cells") && !port)
      array_push(&found, (Object){ OBJ_CELL, s->netlist->pins.at[p].inst });
    else if (!args_flag(a, "-only_cells"))
      array_push(&found, (Object){ port ? OBJ_PORT : OBJ_PIN, p });
  }
  objects_unique(&found);
  args_return_objects(a, found.at, found.len);
  array_free(&found);
}

static Status run_cone(Session *s, Args *a, bool backward)
{
  FanQuery q = { backward,
                 args_flag(a, "-flat"),
                 args_flag(a, backward ? "-startpoints_only" : "-endpoints_only"),
                 (uint32_t)args_int(a, "-levels"),
                 (uint32_t)args_int(a, "-pin_levels"),
                 (FanTrace)args_enum(a, "-trace_arcs") };
  PinArray starts = { 0 }, found = { 0 };
  uint32_t count;
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  const Object *given = args_objects(a, backward ? "-to" : "-from", 0, &count);
  for (uint32_t i = 0; i < count; i++) add_start(s, given[i], backward, &starts);
  query_fan(t->g, &q, starts.at, starts.len, &found);
  return_pins(s, a, &found);
  array_free(&starts);
  array_free(&found);
  return OK;
}

static Status run_all_fanin(Session *s, Args *a) { return run_cone(s, a, true); }
static Status run_all_fanout(Session *s, Args *a) { return run_cone(s, a, false); }

const Command commands_report_fan[] = {
  { "all_fanin", "queries", "pins or cells that reach pins", fanin_options, run_all_fanin,
    CMD_NEEDS_DESIGN,
    "The cone ends at registers: from an output of a register it continues to the clock pin and "
    "no further.  Without -flat it stays within the hierarchical cell of each pin.",
    "all_fanin -to [all_outputs] -startpoints_only -flat\n" },
  { "all_fanout", "queries", "pins or cells that pins reach", fanout_options, run_all_fanout,
    CMD_NEEDS_DESIGN,
    "The cone ends at registers. From a register's clock pin in -from it continues to the outputs.",
    "all_fanout -from [all_inputs] -flat -only_cells\n" },
  { 0 }
};
