/* Constraint commands: clocks, their latency, uncertainty, transition, propagation and groups. */
#include <math.h>

#include "base/interrupt.h"
#include "sdc/clock_source.h"
#include "sdc/sdc_command.h"
#include "db/contradiction.h"

/* --- create_clock ----------------------------------------------------------------------------- */

typedef ARRAY(double) Numbers;
typedef ARRAY(int) Integers;

#define KINDS_SOURCE (OBJS_PORT_PIN | OBJ_BIT(OBJ_NET))

/* A list of numbers in the user's unit of time. */
static Status read_times(Sdc *sdc, const char *option, Numbers *out)
{
  int count;
  Tcl_Obj **elements, *list = args_object(sdc->a, option);
  if (list == NULL) return OK;
  if (Tcl_ListObjGetElements(NULL, list, &count, &elements) != TCL_OK)
    return log_error(sdc->s->log, "SDC-011", sdc->where, "%s: %s is not a list", sdc->command,
                     option);
  for (int i = 0; i < count; i++) {
    double value;
    if (Tcl_GetDoubleFromObj(NULL, elements[i], &value) != TCL_OK || !isfinite(value))
      return log_error(sdc->s->log, "SDC-011", sdc->where, "%s: %s: '%s' is not a finite number",
                       sdc->command, option, Tcl_GetString(elements[i]));
    value *= sdc->s->units.scale[UNIT_TIME];
    if (fabs(value) > SDC_MOST)
      return log_error(sdc->s->log, "SDC-011", sdc->where, "%s: %s: %.60s is over %g ps",
                       sdc->command, option, Tcl_GetString(elements[i]), SDC_MOST);
    array_push(out, value);
  }
  return OK;
}

static Status check_waveform(Sdc *sdc, const Numbers *edges, double period)
{
  if (edges->len < 2 || edges->len % 2)
    return log_error(sdc->s->log, "SDC-011", sdc->where,
                     "%s: -waveform has %u edges, expected an even number", sdc->command,
                     edges->len);
  for (uint32_t i = 1; i < edges->len; i++)
    if (edges->at[i] <= edges->at[i - 1])
      return log_error(sdc->s->log, "SDC-011", sdc->where,
                       "%s: edge %u of -waveform is not after the one before it", sdc->command,
                       i + 1);
  if (edges->at[edges->len - 1] - edges->at[0] > period)
    return log_error(sdc->s->log, "SDC-011", sdc->where,
                     "%s: the edges of -waveform span more than a period", sdc->command);
  return OK;
}

static Status read_waveform(Sdc *sdc, double period, Numbers *edges)
{
  if (!args_given(sdc->a, "-waveform")) {
    array_push(edges, 0);
    array_push(edges, period / 2);
    return OK;
  }
  return read_times(sdc, "-waveform", edges) == OK ? check_waveform(sdc, edges, period) : FAILED;
}

static Status read_period(Sdc *sdc, double *period)
{
  *period = args_number(sdc->a, "-period");
  if (isnan(*period))
    return log_error(sdc->s->log, "SDC-010", sdc->where, "%s: -period is missing", sdc->command);
  if ((float)*period > 0 && (float)*period <= (float)SDC_MOST) return OK;
  return log_error(sdc->s->log, "SDC-010", sdc->where,
                   "%s: a period of %.60s is out of range, expected above 0 and up to %g ps",
                   sdc->command, args_text(sdc->a, "-period"), SDC_MOST);
}

static void object_text(Sdc *sdc, Object o, Text *text)
{
  const Netlist *n = sdc->c->netlist;
  if (o.type == OBJ_NET) netlist_seg_name(n, o.id, sdc->s->separator, text);
  else if (pin_is_top_port(n, o.id))
    text_put(text, names_text(sdc->s->names, netlist_pin_port_name(n, o.id)));
  else netlist_pin_name(n, o.id, sdc->s->separator, text);
}

/* -name, else the first source's name. */
static NameId clock_name(Sdc *sdc, const char *sources)
{
  uint32_t count;
  NameId name = sdc_name(sdc, "-name");
  const Object *objects = sdc_objects(sdc, sources, &count);
  if (name != NO_NAME || count == 0) return name;
  Text t = { 0 };
  object_text(sdc, objects[0], &t);
  name = names_add(sdc->s->names, text_get(&t), t.len);
  text_free(&t);
  return name;
}

static void read_sources(Sdc *sdc, const char *option, PinArray *pins)
{
  uint32_t count;
  const Object *objects = sdc_objects(sdc, option, &count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) sdc_add_pins(sdc, objects[i], pins);
}

static Status check_name(Sdc *sdc, NameId name, const PinArray *sources)
{
  if (name == NO_NAME)
    return log_error(sdc->s->log, "SDC-012", sdc->where, "%s: neither -name nor a source",
                     sdc->command);
  if (args_flag(sdc->a, "-add") && !args_given(sdc->a, "-name"))
    return log_error(sdc->s->log, "SDC-013", sdc->where, "%s: -add without -name", sdc->command);
  if (args_flag(sdc->a, "-add") && sources->len == 0)
    return log_error(sdc->s->log, "SDC-013", sdc->where, "%s: -add without a source", sdc->command);
  return OK;
}

static Status make_clock(Sdc *sdc, const PinArray *sources, Numbers *edges)
{
  double period;
  NameId name = clock_name(sdc, "pins");
  if (check_name(sdc, name, sources) != OK || read_period(sdc, &period) != OK
      || read_waveform(sdc, period, edges) != OK)
    return FAILED;
  TakenSources taken = clock_sources_taken(sdc, name, sources);
  ClockId id = constraints_add_clock(sdc->c, name, period, edges->at, edges->len, sources->at,
                                     sources->len, args_flag(sdc->a, "-add"));
  clock_sources_tell(sdc, name, &taken);
  Clock *clock = &sdc->c->clocks.at[id];
  clock->line = sdc->where.line;
  clock->file = sdc_file(sdc);
  clock->comment = sdc_name(sdc, "-comment");
  return OK;
}

/* Sources that match nothing must not make a virtual clock of a real one. */
static Status run_create_clock(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "create_clock");
  PinArray sources = { 0 };
  Numbers edges = { 0 };
  read_sources(&x, "pins", &sources);
  Status status = OK;
  if (args_given(a, "pins") && sources.len == 0)
    status = log_error(s->log, "SDC-014", x.where,
        "create_clock: the sources have no driver; a virtual clock has no sources at all");
  else
    status = make_clock(&x, &sources, &edges);
  array_free(&sources);
  array_free(&edges);
  return status;
}

static const Option create_clock_options[] = {
  { "-name", ARG_TEXT, .value = "name",
    .help = "name of the clock; default: that of its first source" },
  { "-period", ARG_TIME, .value = "period", .flags = OPT_REQUIRED, .help = "period" },
  { "-waveform", ARG_LIST, .value = "edges",
    .help = "times of rise, fall, rise, ... within a period; default: 0 and half of the period" },
  { "-add", ARG_FLAG, .help = "keep the clocks that the sources already have" },
  ROW_COMMENT,
  ROW_OBJECTS("pins", KINDS_SOURCE, 0,
              "ports, pins or nets where the clock starts; a clock without them is virtual"),
  ROW_END
};

/* --- create_generated_clock ------------------------------------------------------------------- */

static Status read_edges(Sdc *sdc, Integers *edges)
{
  int count, value;
  Tcl_Obj **elements, *list = args_object(sdc->a, "-edges");
  if (list == NULL) return OK;
  if (Tcl_ListObjGetElements(NULL, list, &count, &elements) != TCL_OK || count < 3
      || count % 2 == 0)
    return log_error(sdc->s->log, "SDC-016", sdc->where,
                     "%s: -edges needs an odd number of edges, at least three", sdc->command);
  for (int i = 0; i < count; i++) {
    if (Tcl_GetIntFromObj(NULL, elements[i], &value) != TCL_OK || value < 1)
      return log_error(sdc->s->log, "SDC-016", sdc->where,
                       "%s: -edges: '%s' is not an edge number of the master (from 1)",
                       sdc->command, Tcl_GetString(elements[i]));
    if (i && value < edges->at[i - 1])
      return log_error(sdc->s->log, "SDC-016", sdc->where, "%s: -edges must not go back",
                       sdc->command);
    array_push(edges, value);
  }
  return OK;
}

static Status check_shift(Sdc *sdc, const Integers *edges, const Numbers *shift)
{
  if (!args_given(sdc->a, "-edge_shift") || (edges->len && shift->len == edges->len)) return OK;
  return log_error(sdc->s->log, "SDC-016", sdc->where,
                   "%s: -edge_shift needs as many times as -edges has edges", sdc->command);
}

static Status check_factor(Sdc *sdc, const char *option)
{
  if (!args_given(sdc->a, option) || args_int(sdc->a, option) >= 1) return OK;
  return log_error(sdc->s->log, "SDC-015", sdc->where, "%s: %s must be 1 or more", sdc->command,
                   option);
}

static Status check_relation(Sdc *sdc)
{
  static const char *const ways[] = { "-divide_by", "-multiply_by", "-edges", "-combinational" };
  int given = 0;
  for (int i = 0; i < 4; i++)
    given += args_given(sdc->a, ways[i]) && (i < 3 || args_flag(sdc->a, ways[i]));
  /* -combinational -divide_by 1 says the same twice. */
  bool same = given == 2 && args_flag(sdc->a, "-combinational") && args_given(sdc->a, "-divide_by")
              && args_int(sdc->a, "-divide_by") == 1;
  if (given > 1 && !same)
    return log_error(
        sdc->s->log, "SDC-015", sdc->where,
        "%s: only one of -divide_by, -multiply_by, -edges and -combinational may be given",
        sdc->command);
  if (check_factor(sdc, "-divide_by") != OK || check_factor(sdc, "-multiply_by") != OK)
    return FAILED;
  if (!args_given(sdc->a, "-duty_cycle")) return OK;
  double duty = args_number(sdc->a, "-duty_cycle");
  if (!args_given(sdc->a, "-multiply_by"))
    return log_error(sdc->s->log, "SDC-015", sdc->where,
                     "%s: -duty_cycle goes with -multiply_by only", sdc->command);
  if (duty > 0 && duty < 100) return OK;
  return log_error(sdc->s->log, "SDC-015", sdc->where, "%s: -duty_cycle must lie between 0 and 100",
                   sdc->command);
}

static Status read_master(Sdc *sdc, PinId *pin, ClockId *master)
{
  PinArray pins = { 0 };
  read_sources(sdc, "-source", &pins);
  uint32_t count = pins.len;
  *pin = count == 1 ? pins.at[0] : NO_PIN;
  array_free(&pins);
  if (count != 1)
    return log_error(sdc->s->log, "SDC-017", sdc->where, "%s: -source names %u pins, expected one",
                     sdc->command, count);
  return sdc_clock(sdc, "-master_clock", master);
}

typedef struct {
  PinArray sources;
  Integers edges;
  Numbers  shift;
  PinId    master_pin;
  ClockId  master;
} Generated;

static void store_generated(Sdc *sdc, NameId name, const Generated *generated)
{
  TakenSources taken = clock_sources_taken(sdc, name, &generated->sources);
  ClockId id = constraints_add_clock(sdc->c, name, NAN, NULL, 0, generated->sources.at,
                                     generated->sources.len, args_flag(sdc->a, "-add"));
  clock_sources_tell(sdc, name, &taken);
  Clock *clock = &sdc->c->clocks.at[id];
  clock->generated = true;
  clock->line = sdc->where.line;
  clock->file = sdc_file(sdc);
  clock->master_pin = generated->master_pin;
  /* a master whose last source this clock took is deleted */
  clock->master = generated->master != NO_CLOCK && sdc->c->clocks.at[generated->master].deleted
                      ? NO_CLOCK
                      : generated->master;
  clock->combinational = args_flag(sdc->a, "-combinational");
  clock->invert = args_flag(sdc->a, "-invert");
  clock->multiply_by = args_given(sdc->a, "-multiply_by") ? args_int(sdc->a, "-multiply_by") : 0;
  clock->divide_by = args_given(sdc->a, "-divide_by")             ? args_int(sdc->a, "-divide_by")
                     : clock->multiply_by || generated->edges.len ? 0
                                                                  : 1;
  clock->duty_cycle =
      args_given(sdc->a, "-duty_cycle") ? (float)args_number(sdc->a, "-duty_cycle") : NAN;
  for (uint32_t i = 0; i < generated->edges.len; i++)
    array_push(&clock->edges, generated->edges.at[i]);
  for (uint32_t i = 0; i < generated->shift.len; i++)
    array_push(&clock->edge_shift, generated->shift.at[i]);
  clock->comment = sdc_name(sdc, "-comment");
}

static Status make_generated(Sdc *sdc, Generated *generated)
{
  read_sources(sdc, "port_pin_list", &generated->sources);
  if (generated->sources.len == 0)
    return log_error(sdc->s->log, "SDC-014", sdc->where, "%s: the nets of the clock have no driver",
                     sdc->command);
  NameId name = clock_name(sdc, "port_pin_list");
  if (check_name(sdc, name, &generated->sources) != OK || check_relation(sdc) != OK) return FAILED;
  if (read_master(sdc, &generated->master_pin, &generated->master) != OK) return FAILED;
  if (generated->master != NO_CLOCK && constraints_find_clock(sdc->c, name) == generated->master)
    return log_error(sdc->s->log, "SDC-017", sdc->where, "%s: a clock cannot be its own master",
                     sdc->command);
  if (read_edges(sdc, &generated->edges) != OK
      || read_times(sdc, "-edge_shift", &generated->shift) != OK)
    return FAILED;
  if (check_shift(sdc, &generated->edges, &generated->shift) != OK) return FAILED;
  store_generated(sdc, name, generated);
  return OK;
}

static Status run_create_generated_clock(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "create_generated_clock");
  Generated g = { .master = NO_CLOCK };
  Status status = make_generated(&x, &g);
  array_free(&g.sources);
  array_free(&g.edges);
  array_free(&g.shift);
  return status;
}

static const Option create_generated_clock_options[] = {
  { "-name", ARG_TEXT, .value = "name",
    .help = "name of the clock; default: that of its first pin" },
  { "-source", ARG_OBJECTS, .value = "pin", .kinds = KINDS_SOURCE, .flags = OPT_REQUIRED,
    .help = "pin of the master clock" },
  ROW_ONE_CLOCK("-master_clock", "the master, if several clocks reach the source pin"),
  { "-divide_by", ARG_INT, .value = "factor", .help = "divides the frequency of the master" },
  { "-multiply_by", ARG_INT, .value = "factor", .help = "multiplies the frequency of the master" },
  { "-duty_cycle", ARG_FLOAT, .value = "percent",
    .help = "percentage of the period that the clock is high, with -multiply_by" },
  { "-invert", ARG_FLAG, .help = "inverted" },
  { "-edges", ARG_LIST, .value = "edges",
    .help = "numbers (from 1) of the master's edges where the clock rises, falls, rises" },
  { "-edge_shift", ARG_LIST, .value = "times", .help = "a shift for each of -edges" },
  { "-combinational", ARG_FLAG, .help = "the path from the master is combinational" },
  { "-add", ARG_FLAG, .help = "keep the clocks that the pins already have" },
  ROW_COMMENT,
  ROW_OBJECTS("port_pin_list", KINDS_SOURCE, OPT_REQUIRED,
              "ports, pins or nets where the clock starts"),
  ROW_END
};

/* --- delete_clock ----------------------------------------------------------------------------- */

/* Clocks that stay, because the command deletes only generated ones; or -all if there are none. */
static void warn_of_kept(Sdc *sdc, const Object *objects, uint32_t count, uint32_t doomed)
{
  sdc_warn_plain_clocks(sdc, objects, count);
  if (args_flag(sdc->a, "-all") && doomed == 0)
    log_warning(sdc->s->log, "SDC-173", sdc->where,
                "%s: -all: there are no such clocks; nothing is "
                "deleted",
                sdc->command);
}

static Status delete_clocks(Session *s, Args *a, const char *command, bool generated)
{
  Sdc x = sdc_begin(s, a, command);
  uint32_t count;
  const Object *objects = sdc_objects(&x, "clocks", &count);
  if (!args_flag(a, "-all") && !args_given(a, "clocks"))
    return log_error(s->log, "SDC-018", x.where, "%s: neither clocks nor -all", command);
  ARRAY(ClockId) doomed = { 0 };
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    if (!generated || x.c->clocks.at[objects[i].id].generated) array_push(&doomed, objects[i].id);
  for (ClockId id = 0; args_flag(a, "-all") && id < x.c->clocks.len; id++)
    if (!x.c->clocks.at[id].deleted && (!generated || x.c->clocks.at[id].generated))
      array_push(&doomed, id);
  warn_of_kept(&x, objects, generated ? count : 0, doomed.len);
  constraints_delete_clocks(x.c, doomed.at, doomed.len);
  array_free(&doomed);
  return OK;
}

static Status run_delete_clock(Session *s, Args *a)
{
  return delete_clocks(s, a, "delete_clock", false);
}
static Status run_delete_generated_clock(Session *s, Args *a)
{
  return delete_clocks(s, a, "delete_generated_clock", true);
}

static const Option delete_clock_options[] = {
  { "-all", ARG_FLAG, .help = "all of them" },
  ROW_OBJECTS("clocks", OBJ_BIT(OBJ_CLOCK), 0, "clocks to delete, with everything that names them"),
  ROW_END };

/* --- propagation ------------------------------------------------------------------------------ */

static void put_flag(Sdc *sdc, bool *at, bool value)
{
  if (*at == value) return;
  *at = value;
  constraints_changed(sdc->c);
}

static void propagate_clock(Sdc *sdc, ClockId id, bool on)
{
  Clock *clock = &sdc->c->clocks.at[id];
  if (!on || !clock_has_no_source(clock)) put_flag(sdc, &clock->propagated, on);
  else
    log_warning(sdc->s->log, "SDC-019", sdc->where,
                "%s: clock %s is virtual, there is nothing to propagate; it stays ideal",
                sdc->command, names_text(sdc->s->names, clock->name));
}

/* Latency and propagation exclude each other, and the later command counts.  At a pin, earlier
   latencies are removed. */
static void forget_pin_latencies(Sdc *sdc, PinId pin)
{
  for (ClockId id = 0; id <= sdc->c->clocks.len; id++) {
    ClockId clock = id < sdc->c->clocks.len ? id : NO_CLOCK;
    if (constraints_find_clock_pin(sdc->c, pin, clock))
      sdc_put(sdc, constraints_clock_pin(sdc->c, pin, clock)->network_latency, 15, NAN);
  }
}

static void propagate_pin(Sdc *sdc, PinId pin, bool on)
{
  if (!on && !constraints_find_clock_pin(sdc->c, pin, NO_CLOCK)) return;
  put_flag(sdc, &constraints_clock_pin(sdc->c, pin, NO_CLOCK)->propagated, on);
  if (!on) return;
  constraints_clock_pin(sdc->c, pin, NO_CLOCK)->said_of_propagation = sdc_said(sdc);
  forget_pin_latencies(sdc, pin);
}

static void propagate(Sdc *sdc, Object o, bool on)
{
  if (o.type == OBJ_CLOCK) propagate_clock(sdc, o.id, on);
  else propagate_pin(sdc, o.id, on);
}

static Status set_propagated(Session *s, Args *a, const char *command, bool on)
{
  Sdc x = sdc_begin(s, a, command);
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) propagate(&x, objects[i], on);
  return OK;
}

static Status run_set_propagated_clock(Session *s, Args *a)
{
  return set_propagated(s, a, "set_propagated_clock", true);
}
static Status run_unset_propagated_clock(Session *s, Args *a)
{
  return set_propagated(s, a, "unset_propagated_clock", false);
}

static const Option propagated_options[] = {
  ROW_OBJECTS("objects", KINDS_CLOCK_PIN, OPT_REQUIRED,
              "clocks, or ports and pins on clock networks"),
  ROW_END
};

/* --- latency ---------------------------------------------------------------------------------- */

typedef struct {
  float *network;
  float (*source)[CONDITION_COUNT];     /* [-early, -late] */
  bool  *propagated;
  Said  *said_of_latency, *said_of_source;            /* NULL: of a clock */
} Latency;

/* The place where the latency of an object is stored. */
static Latency latency_of(Sdc *sdc, Object o, ClockId clock)
{
  if (o.type == OBJ_CLOCK) {
    Clock *the_clock = &sdc->c->clocks.at[o.id];
    return (Latency){ the_clock->network_latency, the_clock->source_latency, &the_clock->propagated,
                      NULL, NULL };
  }
  ClockPin *pin = constraints_clock_pin(sdc->c, o.id, clock);
  return (Latency){ pin->network_latency, pin->source_latency, &pin->propagated,
                    &pin->said_of_latency, &pin->said_of_source };
}

/* A network latency makes the clock ideal again. */
static void put_latency(Sdc *sdc, Object o, ClockId clock, float value)
{
  Latency l = latency_of(sdc, o, clock);
  uint32_t conditions = sdc_conditions(sdc->a);
  ValuePair pair = { PAIR_SOURCE_LATENCY, 0, o.type == OBJ_CLOCK ? NO_CLOCK : clock, o };
  if (o.type == OBJ_CLOCK) {
    Clock *the_clock = &sdc->c->clocks.at[o.id];
    *(args_flag(sdc->a, "-source") ? &the_clock->said_of_source : &the_clock->said_of_network) =
        sdc_command_id(sdc);
  }
  if (!args_flag(sdc->a, "-source")) {
    pair.kind = PAIR_NETWORK_LATENCY;
    sdc_put(sdc, l.network, conditions, value);
    sdc_note_order(sdc, pair);
    put_flag(sdc, l.propagated, false);
    if (l.said_of_latency) *l.said_of_latency = sdc_said(sdc);
    return;
  }
  bool early = args_flag(sdc->a, "-early"), late = args_flag(sdc->a, "-late");
  if (early || !late) sdc_put(sdc, l.source[EARLY], conditions, value);
  if (late || !early) sdc_put(sdc, l.source[LATE], conditions, value);
  if (l.said_of_source) *l.said_of_source = sdc_said(sdc);
  sdc_note_order(sdc, pair);
}

/* The clocks of -clock, to which the values at pins are limited; a single NO_CLOCK without the
   option. */
typedef struct {
  const Object *clocks;
  uint32_t      count;
} PinClocks;

static Status pin_clocks(Sdc *sdc, PinClocks *out)
{
  static const Object all = { OBJ_CLOCK, NO_CLOCK };
  *out = (PinClocks){ &all, 1 };
  if (!args_given(sdc->a, "-clock")) return OK;
  out->clocks = sdc_objects(sdc, "-clock", &out->count);
  if (out->count) return OK;
  return log_error(sdc->s->log, "SDC-001", sdc->where, "%s: -clock: there is no clock '%s'",
                   sdc->command, Tcl_GetString(args_object(sdc->a, "-clock")));
}

/* A clock is named already where the object is one. */
static void warn_of_clock(Sdc *sdc, const Object *objects, uint32_t count)
{
  for (uint32_t i = 0; i < count && args_given(sdc->a, "-clock"); i++) {
    if (objects[i].type != OBJ_CLOCK) continue;
    log_warning(sdc->s->log, "SDC-132", sdc->where,
                "%s: -clock goes with ports and pins; it is ignored for clock %s%s", sdc->command,
                names_text(sdc->s->names, sdc->c->clocks.at[objects[i].id].name),
                count > 1 ? " and other clocks" : "");
    return;
  }
}

static void warn_of_dynamic(Sdc *sdc)
{
  if (args_flag(sdc->a, "-dynamic") || args_given(sdc->a, "-dynamic"))
    log_warning(
        sdc->s->log, "SDC-133", sdc->where,
        "%s: -dynamic: the latency counts as a whole, and common path credit does not leave "
        "its dynamic part out",
        sdc->command);
}

/* Flags of set_clock_latency that exclude each other. */
static Status check_latency_flags(Sdc *sdc)
{
  static const char *const with_source[] = { "-early", "-late", "-dynamic" };
  if (args_flag(sdc->a, "-source")) return OK;
  for (int i = 0; i < 3; i++)
    if (args_given(sdc->a, with_source[i]))
      return log_error(sdc->s->log, "SDC-020", sdc->where, "%s: %s goes with -source only",
                       sdc->command, with_source[i]);
  return OK;
}

static Status run_set_clock_latency(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_clock_latency");
  float value;
  PinClocks of;
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  if (sdc_number(&x, "delay", &value) != OK || pin_clocks(&x, &of) != OK
      || check_latency_flags(&x) != OK)
    return FAILED;
  warn_of_clock(&x, objects, count);
  warn_of_dynamic(&x);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    for (uint32_t k = 0; k < of.count; k++) put_latency(&x, objects[i], of.clocks[k].id, value);
  return OK;
}

#define ROW_PIN_CLOCKS                                                                            \
  { "-clock", ARG_OBJECTS, .value = "clocks", .flags = OPT_PATTERNS, .kinds = OBJ_BIT(OBJ_CLOCK), \
    .help = "for pins: only for these clocks" }

static const Option set_clock_latency_options[] = {
  { "-source", ARG_FLAG,
    .help = "latency before the clock's source; else the latency from the source to registers" },
  ROW_PIN_CLOCKS,
  ROWS_RISE_FALL,
  ROWS_MIN_MAX,
  { "-early", ARG_FLAG, .help = "with -source: early bound" },
  { "-late", ARG_FLAG, .help = "with -source: late bound" },
  { "-dynamic", ARG_TIME, .value = "part", .flags = OPT_MAY_LACK_VALUE,
    .help = "with -source: the part of the latency that varies from cycle to cycle" },
  { "delay", ARG_TIME, .value = "delay", .flags = OPT_REQUIRED, .help = "latency" },
  ROW_OBJECTS("objects", KINDS_CLOCK_PIN, OPT_REQUIRED, "clocks, ports or pins"),
  ROW_END
};

static void forget_latency(Sdc *sdc, Object o, ClockId clock)
{
  if (sdc_is_pin(o) && !constraints_find_clock_pin(sdc->c, o.id, clock)) return;
  Latency l = latency_of(sdc, o, clock);
  if (!args_flag(sdc->a, "-source")) sdc_put(sdc, l.network, 15, NAN);
  else for (int el = EARLY; el <= LATE; el++) sdc_put(sdc, l.source[el], 15, NAN);
}

static Status run_unset_clock_latency(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_clock_latency");
  PinClocks of;
  uint32_t count;
  const Object *objects = sdc_objects(&x, "objects", &count);
  if (pin_clocks(&x, &of) != OK) return FAILED;
  warn_of_clock(&x, objects, count);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    for (uint32_t k = 0; k < of.count; k++) forget_latency(&x, objects[i], of.clocks[k].id);
  return OK;
}

static const Option unset_clock_latency_options[] = {
  { "-source", ARG_FLAG, .help = "the source latency; else the network latency" },
  ROW_PIN_CLOCKS,
  ROW_OBJECTS("objects", KINDS_CLOCK_PIN, OPT_REQUIRED, "clocks, ports or pins"),
  ROW_END };

/* --- transition ------------------------------------------------------------------------------- */

static Status put_transitions(Sdc *sdc, float value)
{
  uint32_t count;
  const Object *objects = sdc_objects(sdc, "clocks", &count);
  uint32_t conditions = isnan(value) ? 15 : sdc_conditions(sdc->a);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    const Clock *clock = &sdc->c->clocks.at[objects[i].id];
    if (!isnan(value) && !clock->generated && clock->sources.len == 0)
      log_warning(sdc->s->log, "SDC-137", sdc->where,
                  "%s: clock %s is virtual, no register sees its transition", sdc->command,
                  names_text(sdc->s->names, clock->name));
    sdc_put(sdc, sdc->c->clocks.at[objects[i].id].slew, conditions, value);
    if (!isnan(value)) sdc->c->clocks.at[objects[i].id].said_of_transition = sdc_command_id(sdc);
    sdc_note_order(sdc, PAIR_OF(PAIR_CLOCK_SLEW, objects[i]));
  }
  return OK;
}

static Status run_set_clock_transition(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_clock_transition");
  float value;
  return sdc_number_not_negative(&x, "transition", &value) == OK ? put_transitions(&x, value)
                                                                 : FAILED;
}

static Status run_unset_clock_transition(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_clock_transition");
  return put_transitions(&x, NAN);
}

static const Option set_clock_transition_options[] = {
  ROWS_RISE_FALL, ROWS_MIN_MAX,
  { "transition", ARG_TIME, .value = "transition", .flags = OPT_REQUIRED,
    .help = "transition time at registers, if the clock is ideal" },
  ROW_OBJECTS("clocks", OBJ_BIT(OBJ_CLOCK), OPT_REQUIRED, "clocks"),
  ROW_END };

static const Option unset_clock_transition_options[] = {
  ROW_OBJECTS("clocks", OBJ_BIT(OBJ_CLOCK), OPT_REQUIRED, "clocks"), ROW_END };

/* --- uncertainty ------------------------------------------------------------------------------ */

static const char *const from_names[] = { "-from", "-rise_from", "-fall_from" };
static const char *const to_names[] = { "-to", "-rise_to", "-fall_to" };
static const uint8_t edges_of_way[] = { EDGE_BOTH, EDGE_RISE, EDGE_FALL };

/* Which of three options was given: -1 for none, -2 for several. */
static int way_given(const Args *a, const char *const names[3])
{
  int way = -1;
  for (int i = 0; i < 3; i++)
    if (args_given(a, names[i])) way = way == -1 ? i : -2;
  return way;
}

static void put_uncertainty(Sdc *sdc, Object o, uint32_t checks, float value)
{
  if (o.type != OBJ_CLOCK && isnan(value) && !constraints_find_clock_pin(sdc->c, o.id, NO_CLOCK))
    return;
  float *at = o.type == OBJ_CLOCK ? sdc->c->clocks.at[o.id].uncertainty
                                  : constraints_clock_pin(sdc->c, o.id, NO_CLOCK)->uncertainty;
  for (int k = HOLD; k <= SETUP; k++)
    if (checks >> k & 1) constraints_put(sdc->c, &at[k], value);
  if (isnan(value)) return;
  if (o.type == OBJ_CLOCK) sdc->c->clocks.at[o.id].said_of_uncertainty = sdc_command_id(sdc);
  else constraints_clock_pin(sdc->c, o.id, NO_CLOCK)->said_of_uncertainty = sdc_said(sdc);
}

static Status uncertainty_between(Sdc *sdc, float value)
{
  int from = way_given(sdc->a, from_names), to = way_given(sdc->a, to_names);
  if (from < 0 || to < 0)
    return log_error(
        sdc->s->log, "SDC-021", sdc->where,
        "%s: expected one of -from, -rise_from, -fall_from and one of -to, -rise_to, -fall_to",
        sdc->command);
  if (args_given(sdc->a, "objects"))
    return log_error(sdc->s->log, "SDC-021", sdc->where, "%s: objects do not go with -from and -to",
                     sdc->command);
  uint32_t from_count, to_count;
  const Object *object = sdc_objects(sdc, from_names[from], &from_count),
               *the_object = sdc_objects(sdc, to_names[to], &to_count);
  uint32_t to_edges = edges_of_way[to] & sdc_edges(sdc->a);
  if (to_edges == 0) sdc_warn_opposed_edges(sdc, edges_of_way[to]);
  for (uint32_t i = 0; i < from_count; i++)
    for (uint32_t j = 0; j < to_count && !interrupt_seen(); j++)
      constraints_set_inter_uncertainty(sdc->c, object[i].id, edges_of_way[from], the_object[j].id,
                                        to_edges, sdc_checks(sdc->a), value);
  return OK;
}

static Status set_uncertainty(Sdc *sdc, float value)
{
  if (way_given(sdc->a, from_names) != -1 || way_given(sdc->a, to_names) != -1)
    return uncertainty_between(sdc, value);
  uint32_t count;
  const Object *objects = sdc_objects(sdc, "objects", &count);
  if (!args_given(sdc->a, "objects"))
    return log_error(sdc->s->log, "SDC-021", sdc->where, "%s: neither objects nor -from and -to",
                     sdc->command);
  if (args_flag(sdc->a, "-rise") || args_flag(sdc->a, "-fall"))
    return log_error(sdc->s->log, "SDC-021", sdc->where,
                     "%s: -rise and -fall go with -from and -to only", sdc->command);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    put_uncertainty(sdc, objects[i], sdc_checks(sdc->a), value);
  return OK;
}

static Status run_set_clock_uncertainty(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_clock_uncertainty");
  float value;
  return sdc_number(&x, "uncertainty", &value) == OK ? set_uncertainty(&x, value) : FAILED;
}

static Status run_unset_clock_uncertainty(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_clock_uncertainty");
  return set_uncertainty(&x, NAN);
}

#define ROW_CLOCKS(name_, text) { name_, ARG_OBJECTS, .value = "clocks", \
    .kinds = OBJ_BIT(OBJ_CLOCK), .help = text }
#define ROWS_UNCERTAINTY                                                             \
  ROW_CLOCKS("-from", "launching clocks"),                                           \
      ROW_CLOCKS("-rise_from", "launching clocks, rising edges"),                    \
  ROW_CLOCKS("-fall_from", "launching clocks, falling edges"),                       \
  ROW_CLOCKS("-to", "capturing clocks"),                                             \
      ROW_CLOCKS("-rise_to", "capturing clocks, rising edges"),                      \
  ROW_CLOCKS("-fall_to", "capturing clocks, falling edges"),                         \
  { "-rise", ARG_FLAG, .help = "with -from and -to: rising capturing edges only" },  \
  { "-fall", ARG_FLAG, .help = "with -from and -to: falling capturing edges only" }, \
  ROWS_SETUP_HOLD

static const Option set_clock_uncertainty_options[] = {
  ROWS_UNCERTAINTY,
  { "uncertainty", ARG_TIME, .value = "uncertainty", .flags = OPT_REQUIRED, .help = "uncertainty" },
  ROW_OBJECTS("objects", KINDS_CLOCK_PIN, 0, "clocks, ports or pins"),
  ROW_END };

static const Option unset_clock_uncertainty_options[] = {
  ROWS_UNCERTAINTY, ROW_OBJECTS("objects", KINDS_CLOCK_PIN, 0, "clocks, ports or pins"), ROW_END };

/* --- groups ----------------------------------------------------------------------------------- */

static const char *const group_flags[] = { "-asynchronous", "-logically_exclusive",
                                           "-physically_exclusive" };

/* The type that was asked for: FAILED unless it is exactly one. */
static Status group_type(Sdc *sdc, ClockGroupsType *type)
{
  int count = 0;
  for (int i = GROUPS_ASYNC; i <= GROUPS_PHYSICAL; i++) {
    if (!args_flag(sdc->a, group_flags[i])) continue;
    *type = (ClockGroupsType)i;
    count++;
  }
  if (count == 1) return OK;
  return log_error(
      sdc->s->log, "SDC-022", sdc->where,
      "%s: expected one of -asynchronous, -logically_exclusive and -physically_exclusive",
      sdc->command);
}

static void warn_twice(Sdc *sdc, const ClockGroups *groups, ClockId clock, uint32_t group)
{
  for (uint32_t i = 0; i < groups->group_of.len; i += 2)
    if (groups->group_of.at[i] == clock && groups->group_of.at[i + 1] != group)
      log_warning(sdc->s->log, "SDC-023", sdc->where, "%s: clock %s is in two of the groups",
                  sdc->command, names_text(sdc->s->names, sdc->c->clocks.at[clock].name));
}

static void add_group(Sdc *sdc, ClockGroups *groups, uint32_t use)
{
  uint32_t count;
  const Object *clocks = args_objects(sdc->a, "-group", use, &count);
  if (count == 0)
    log_warning(sdc->s->log, "SDC-024", sdc->where,
                "%s: -group %u of %u names no clock; it is left empty", sdc->command, use + 1,
                args_count(sdc->a, "-group"));
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    warn_twice(sdc, groups, clocks[i].id, use);
    array_push(&groups->group_of, clocks[i].id);
    array_push(&groups->group_of, use);
  }
}

/* Asynchronous clocks run at the same time, exclusive ones never do. */
static void warn_of_overlap(Sdc *sdc, const ClockGroups *groups)
{
  static const char *const what[] = { "asynchronous", "logically exclusive",
                                      "physically exclusive" };
  for (uint32_t i = 0; i < sdc->c->clock_groups.len; i++) {
    const ClockGroups *old = &sdc->c->clock_groups.at[i];
    ClockId pair[2];
    if (old->deleted || (old->type == GROUPS_ASYNC) == (groups->type == GROUPS_ASYNC)) continue;
    if (!clock_groups_overlap(sdc->c, old, groups, pair)) continue;
    log_warning(
        sdc->s->log, "SDC-027", sdc->where,
        "%s: clocks %s and %s are %s here and %s by an earlier command, expected one of them",
        sdc->command, names_text(sdc->s->names, sdc->c->clocks.at[pair[0]].name),
        names_text(sdc->s->names, sdc->c->clocks.at[pair[1]].name), what[groups->type],
        what[old->type]);
    return;
  }
}

/* A group that matched nothing still counts: else two groups would become one, which is against all
   clocks. */
static Status run_set_clock_groups(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "set_clock_groups");
  ClockGroupsType type;
  if (group_type(&x, &type) != OK) return FAILED;
  if (args_flag(a, "-allow_paths") && type != GROUPS_ASYNC)
    return log_error(s->log, "SDC-022", x.where,
                     "set_clock_groups: -allow_paths goes with -asynchronous only");
  ClockGroups *groups = constraints_add_clock_groups(x.c, type, sdc_name(&x, "-name"));
  groups->allow_paths = args_flag(a, "-allow_paths");
  groups->comment = sdc_name(&x, "-comment");
  groups->group_count = args_count(a, "-group");
  for (uint32_t use = 0; use < groups->group_count; use++) add_group(&x, groups, use);
  if (groups->group_of.len == 0) groups->deleted = true;
  else warn_of_overlap(&x, groups);
  return OK;
}

#define ROWS_GROUP_TYPES                                                         \
  { "-logically_exclusive", ARG_FLAG, .help = "never active at the same time" }, \
  { "-physically_exclusive", ARG_FLAG, .help = "never both on the chip" },       \
  { "-asynchronous", ARG_FLAG, .help = "their phases have no relation" }

static const Option set_clock_groups_options[] = {
  { "-name", ARG_TEXT, .value = "name", .help = "name; replaces the groups of that name" },
  ROWS_GROUP_TYPES,
  { "-allow_paths", ARG_FLAG,
    .help = "with -asynchronous: paths between the groups are timed" },
  ROW_COMMENT,
  { "-group", ARG_OBJECTS, .value = "clocks", .kinds = OBJ_BIT(OBJ_CLOCK),
    .flags = OPT_REQUIRED | OPT_REPEAT,
    .help = "clocks of one group; with a single group, all other clocks form the other" },
  ROW_END
};

static const char *const group_type_words[] = {
  [GROUPS_ASYNC] = "asynchronous", [GROUPS_LOGICAL] = "logically exclusive",
  [GROUPS_PHYSICAL] = "physically exclusive" };

static Status remove_named(Sdc *sdc, ClockGroupsType type)
{
  int count;
  Tcl_Obj **names;
  if (Tcl_ListObjGetElements(NULL, args_object(sdc->a, "-name"), &count, &names) != TCL_OK)
    return log_error(sdc->s->log, "SDC-022", sdc->where, "%s: -name is not a list", sdc->command);
  for (int i = 0; i < count; i++) {
    const char *text = Tcl_GetString(names[i]);
    NameId name = names_find(sdc->s->names, text, strlen(text));
    if (name == NO_NAME || !constraints_remove_clock_groups(sdc->c, type, false, name))
      log_warning(sdc->s->log, "SDC-141", sdc->where, "%s: there are no %s groups '%s'",
                  sdc->command, group_type_words[type], text);
  }
  return OK;
}

static Status run_unset_clock_groups(Session *s, Args *a)
{
  Sdc x = sdc_begin(s, a, "unset_clock_groups");
  ClockGroupsType type;
  if (group_type(&x, &type) != OK) return FAILED;
  if (args_flag(a, "-all") == args_given(a, "-name"))
    return log_error(s->log, "SDC-022", x.where,
                     "unset_clock_groups: expected either -name or -all");
  if (args_given(a, "-name")) return remove_named(&x, type);
  constraints_remove_clock_groups(x.c, type, true, NO_NAME);
  return OK;
}

static const Option unset_clock_groups_options[] = {
  ROWS_GROUP_TYPES,
  { "-name", ARG_LIST, .value = "names", .help = "groups with these names" },
  { "-all", ARG_FLAG, .help = "all groups of the type" },
  ROW_END };

/* --- clock sense ------------------------------------------------------------------------------ */

static const char *const pulse_names[] = { "rise_triggered_high_pulse", "rise_triggered_low_pulse",
                                           "fall_triggered_high_pulse",
                                           "fall_triggered_low_pulse" };

/* Returns which of -positive, -negative, -pulse and -stop_propagation was given. */
static Status sense_kind(Sdc *sdc, uint8_t *kind)
{
  static const char *const ways[] = { "-positive", "-negative", "-stop_propagation" };
  int given = args_given(sdc->a, "-pulse");
  for (int i = 0; i < 3; i++) {
    if (!args_flag(sdc->a, ways[i])) continue;
    *kind = (uint8_t)(PASS_POSITIVE + i);
    given++;
  }
  if (given != 1)
    return log_error(sdc->s->log, "SDC-090", sdc->where,
                     "%s: expected one of -positive, -negative, -pulse and -stop_propagation",
                     sdc->command);
  if (!args_given(sdc->a, "-pulse")) return OK;
  const char *pulse = Tcl_GetString(args_object(sdc->a, "-pulse"));
  for (int i = 0; i < 4; i++)
    if (strcmp(pulse, pulse_names[i]) == 0) {
      *kind = i < 2 ? PASS_PULSE_OF_RISE : PASS_PULSE_OF_FALL;
      return OK;
    }
  return log_error(sdc->s->log, "SDC-090", sdc->where,
                   "%s: '%.60s' is no pulse, expected %s, %s, %s or %s", sdc->command, pulse,
                   pulse_names[0], pulse_names[1], pulse_names[2], pulse_names[3]);
}

static Status set_sense(Session *s, Args *a, const char *command, bool data)
{
  Sdc x = sdc_begin(s, a, command);
  ClockSense sense = { .data = data, .said = sdc_said(&x) };
  uint32_t clock_count, pin_count;
  if (sense_kind(&x, &sense.kind) != OK) return FAILED;
  if (data && sense.kind != PASS_NOTHING)
    return log_error(s->log, "SDC-090", x.where, "%s: of data only -stop_propagation can be said",
                     command);
  const Object *clocks = sdc_objects(&x, "-clocks", &clock_count),
               *pins = sdc_objects(&x, "pins", &pin_count);
  for (uint32_t i = 0; i < pin_count; i++)
    for (uint32_t k = 0; k == 0 || k < clock_count; k++) {
      sense.pin = pins[i].id;
      sense.clock = clock_count ? clocks[k].id : NO_CLOCK;
      constraints_set_sense(x.c, sense);
    }
  return OK;
}

/* Without -clocks all that was said of the pins. */
static Status unset_sense(Session *s, Args *a, const char *command, bool data)
{
  Sdc x = sdc_begin(s, a, command);
  ClockSense sense = { .clock = NO_CLOCK, .data = data };
  uint32_t clock_count, pin_count;
  const Object *clocks = sdc_objects(&x, "-clocks", &clock_count),
               *pins = sdc_objects(&x, "pins", &pin_count);
  bool all = !args_given(a, "-clocks");
  for (uint32_t i = 0; i < pin_count; i++) {
    sense.pin = pins[i].id;
    sense.clock = NO_CLOCK;
    if (all) constraints_unset_sense(x.c, sense);
    for (uint32_t k = 0; k < (all ? x.c->clocks.len : clock_count); k++) {
      sense.clock = all ? k : clocks[k].id;
      constraints_unset_sense(x.c, sense);
    }
  }
  return OK;
}

static bool of_data(const Args *a)
{
  return args_given(a, "-type") && strcmp(Tcl_GetString(args_object(a, "-type")), "data") == 0;
}

static Status run_set_clock_sense(Session *s, Args *a)
{
  return set_sense(s, a, "set_clock_sense", false);
}
static Status run_set_sense(Session *s, Args *a)
{
  return set_sense(s, a, "set_sense", of_data(a));
}
static Status run_unset_clock_sense(Session *s, Args *a)
{
  return unset_sense(s, a, "unset_clock_sense", false);
}
static Status run_unset_sense(Session *s, Args *a)
{
  return unset_sense(s, a, "unset_sense", of_data(a));
}

#define ROWS_SENSE                                                                   \
  { "-positive", ARG_FLAG, .help = "the clock passes without inversion" },           \
  { "-negative", ARG_FLAG, .help = "the clock passes inverted" },                    \
  { "-pulse", ARG_TEXT, .value = "pulse",                                            \
      .help = "pulses that one edge of the clock makes: rise_triggered_high_pulse, " \
      "..._low_pulse, "                                                              \
    "fall_triggered_..." },                                                          \
  { "-stop_propagation", ARG_FLAG, .help = "no clock passes" }

static const Option set_clock_sense_options[] = {
  ROWS_SENSE,
  { "-clocks", ARG_OBJECTS, .value = "clocks", .kinds = OBJ_BIT(OBJ_CLOCK),
    .help = "only for these clocks" },
  ROW_OBJECTS("pins", OBJS_PORT_PIN, OPT_REQUIRED, "pins"),
  ROW_END
};

static const Option set_sense_options[] = {
  { "-type", ARG_ENUM, .value = "clock|data", .help = "clocks or data; default: clock" },
  ROWS_SENSE,
  { "-clocks", ARG_OBJECTS, .value = "clocks", .kinds = OBJ_BIT(OBJ_CLOCK),
    .help = "only for these clocks; for data: only for data that they launch" },
  ROW_OBJECTS("pins", OBJS_PORT_PIN, OPT_REQUIRED, "pins"),
  ROW_END
};

static const Option unset_clock_sense_options[] = {
  { "-clocks", ARG_OBJECTS, .value = "clocks", .kinds = OBJ_BIT(OBJ_CLOCK),
    .help = "only the senses of these clocks" },
  ROW_OBJECTS("pins", OBJS_PORT_PIN, OPT_REQUIRED, "pins"),
  ROW_END
};

static const Option unset_sense_options[] = {
  { "-type", ARG_ENUM, .value = "clock|data", .help = "clocks or data; default: clock" },
  { "-clocks", ARG_OBJECTS, .value = "clocks", .kinds = OBJ_BIT(OBJ_CLOCK),
    .help = "only the senses of these clocks" },
  ROW_OBJECTS("pins", OBJS_PORT_PIN, OPT_REQUIRED, "pins"),
  ROW_END
};

/* --- table ------------------------------------------------------------------------------------ */

const Command commands_sdc_clock[] = {
  SDC_COMMAND("create_clock", "defines a clock", create_clock_options, run_create_clock,
              "A clock of the same name is redefined; its latency, uncertainty, transition, "
              "propagation and everything that refers to it stay. Without -add, earlier clocks "
              "on the same sources are removed.",
              "create_clock -name virtual -period 4 -waveform {0 1.5}\n"),
  SDC_COMMAND(
      "create_generated_clock", "defines a clock derived from another",
      create_generated_clock_options, run_create_generated_clock,
      "Without -divide_by, -multiply_by and -edges the clock has the frequency of the master. "
      "Its edges follow from the master's edges at -source: divisions by 1, 2, 4, 8 ... change "
      "at rising edges, other divisions scale the waveform. The source latency of a propagated "
      "clock is the delay from the master's source to its pins, through gates and registers, or "
      "with -combinational through gates only. If the master is ideal, its source and network "
      "latency count instead. set_clock_latency -source has priority over both. Without "
      "-master_clock the fastest of several clocks at -source is the master (GRAPH-015).",
      "create_generated_clock -name half -source [get_ports clk] -divide_by 2 \\\n"
      "  [get_pins reset_sync_reg_0/Q]\n"),
  SDC_COMMAND("delete_clock", "deletes clocks", delete_clock_options, run_delete_clock,
              "Everything that names a deleted clock is removed too: delays at ports, "
              "uncertainties, and exceptions that named no other object. A clock that is generated "
              "from a deleted clock stays. Its master is then the clock that reaches its -source. "
              "If no clock does, it is not timed (GRAPH-002).",
              "create_clock -name wrong -period 4\n"
              "delete_clock [get_clocks wrong]\n"),
  SDC_COMMAND("delete_generated_clock", "deletes generated clocks", delete_clock_options,
              run_delete_generated_clock,
              "Everything that names a deleted clock is removed too, as with delete_clock.",
              "delete_generated_clock [get_clocks half]\n"),
  SDC_COMMAND("set_propagated_clock", "makes clocks propagated: their networks have the delays "
                                      "of cells and wires",
              propagated_options, run_set_propagated_clock,
              "Other clocks are ideal: they arrive at registers with the latency of "
              "set_clock_latency and the slew of set_clock_transition. With a port or pin, "
              "clocks that pass it are propagated after it, and latencies given there before "
              "are removed.",
              "set_propagated_clock [get_clocks clk]\n"),
  SDC_FORGETTING("unset_propagated_clock", "makes clocks ideal again", propagated_options,
                 run_unset_propagated_clock, NULL, "unset_propagated_clock [get_clocks clk]\n"),
  SDC_COMMAND(
      "set_clock_latency", "sets the latency of clocks", set_clock_latency_options,
      run_set_clock_latency,
      "A latency without -source makes a propagated clock ideal again. The latency of a port or "
      "pin applies to the clocks that pass it, downstream of it. A value that the last pin does "
      "not give comes from the pin before it, and at last from the clock. A clock generated from "
      "an ideal master begins with the source and network latency of the master, and its own "
      "network latency is added. So with one latency for [all_clocks] its registers have twice "
      "that latency; set_clock_latency -source 0 for the generated clock starts it at 0. -early "
      "and -late are two bounds for launch and capture; each check uses the harder combination.",
      "set_clock_latency -source -early 0.10 [get_clocks clk]\n"
      "set_clock_latency -source -late 0.15 [get_clocks clk]\n"),
  SDC_FORGETTING("unset_clock_latency", "removes the latency of clocks",
                 unset_clock_latency_options, run_unset_clock_latency, NULL,
                 "unset_clock_latency -source [get_clocks clk]\n"),
  SDC_COMMAND("set_clock_transition", "sets the transition time of ideal clocks",
              set_clock_transition_options, run_set_clock_transition, NULL,
              "set_clock_transition 0.05 [get_clocks clk]\n"),
  SDC_FORGETTING("unset_clock_transition", "removes the transition time of clocks",
                 unset_clock_transition_options, run_unset_clock_transition, NULL,
                 "unset_clock_transition [get_clocks clk]\n"
                 "set_propagated_clock [get_clocks clk]\n"),
  SDC_OF_PAIRS("set_clock_uncertainty", "sets the uncertainty of clocks or between clocks",
               set_clock_uncertainty_options, run_set_clock_uncertainty,
               "An uncertainty between two clocks has priority over that of the capturing clock. "
               "The uncertainty of a port or pin applies to the clocks that pass it, downstream of "
               "it; setup and hold are separate.",
               "set_clock_uncertainty -setup 0.03 [get_clocks clk]\n"
               "set_clock_uncertainty 0.1 -from virtual -to clk\n"),
  SDC_FORGETTING_PAIRS("unset_clock_uncertainty",
                       "removes the uncertainty of clocks or between clocks",
                       unset_clock_uncertainty_options, run_unset_clock_uncertainty, NULL,
                       "unset_clock_uncertainty -from virtual -to clk\n"),
  SDC_COMMAND("set_clock_groups", "sets groups of clocks without paths between them",
              set_clock_groups_options, run_set_clock_groups,
              "Paths between clocks of different groups are not timed, except with -allow_paths. "
              "A clock in two groups of one command draws a warning, and so do clocks that are "
              "asynchronous by one command and exclusive by another.",
              "set_clock_groups -name apart -asynchronous -group clk -group virtual\n"),
  SDC_FORGETTING("unset_clock_groups", "removes clock groups", unset_clock_groups_options,
                 run_unset_clock_groups, NULL, "unset_clock_groups -asynchronous -name apart\n"),
  SDC_COMMAND("set_clock_sense", "sets how clocks pass pins", set_clock_sense_options,
              run_set_clock_sense,
              "Transitions of a clock that do not pass continue as data. The sense is relative "
              "to the clock's source. The sense of a named clock has priority over that for all "
              "clocks.",
              "set_clock_sense -positive -clocks clk [get_pins g2350/Y]\n"),
  SDC_COMMAND("set_sense", "sets how clocks or data pass pins", set_sense_options, run_set_sense,
              "Like set_clock_sense. -type data -stop_propagation ends data paths at the pins.",
              "set_sense -type clock -positive -clocks clk [get_pins g2350/Y]\n"),
  SDC_FORGETTING("unset_clock_sense", "removes the senses of clocks "
                                      "at pins", unset_clock_sense_options,
                 run_unset_clock_sense, "Without -clocks all senses of the pins are removed.",
                 "unset_clock_sense [get_pins g2350/Y]\n"),
  SDC_FORGETTING("unset_sense", "removes the senses of clocks or data at pins", unset_sense_options,
                 run_unset_sense, "Without -clocks all senses of the pins are removed.",
                 "unset_sense -type clock -clocks clk [get_pins g2350/Y]\n"),
  { 0 }
};
