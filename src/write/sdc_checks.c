/* Writes SDC: constants, disabled arcs, exceptions, checks, limits, derates, ideal networks. */
#include <math.h>

#include "base/interrupt.h"
#include "write/sdc_private.h"

/* A pin may have both: each is written, and neither hides the other when read again. */
static void write_case(SdcWriter *writer, const PinCase *pin_case)
{
  static const char *const logic[CASE_COUNT] = {
    [CASE_ZERO] = "set_logic_zero", [CASE_ONE] = "set_logic_one", [CASE_RISE] = "",
      [CASE_FALL] = "", [CASE_UNKNOWN] = "set_logic_dc" };
  static const char *const values[CASE_COUNT] = {
    [CASE_ZERO] = "0", [CASE_ONE] = "1", [CASE_RISE] = "rise", [CASE_FALL] = "fall",
      [CASE_UNKNOWN] = "" };
  if (pin_case->logic != CASE_COUNT) {
    sdcw_begin(writer, logic[pin_case->logic]);
    sdcw_to_pin(writer, pin_case->pin);
  }
  if (!pin_case->is_case) return;
  sdcw_begin(writer, "set_case_analysis");
  sdcw_flag(writer, values[pin_case->value], true);
  sdcw_to_pin(writer, pin_case->pin);
}

static void write_cases(SdcWriter *writer)
{
  uint32_t *order = RECORD_ORDER(writer->c->cases, 1);
  for (uint32_t i = 0; i < writer->c->cases.len && !interrupt_seen(); i++)
    write_case(writer, &writer->c->cases.at[order[i]]);
  mem_free(order);
}

static void write_disabled(SdcWriter *writer)
{
  uint32_t *order = RECORD_ORDER(writer->c->disabled, 2);
  for (uint32_t i = 0; i < writer->c->disabled.len && !interrupt_seen(); i++) {
    const DisabledTiming *timing = &writer->c->disabled.at[order[i]];
    sdcw_begin(writer, "set_disable_timing");
    sdcw_name(writer, "-from", timing->from);
    sdcw_name(writer, "-to", timing->to);
    sdcw_to(writer, timing->object);
  }
  mem_free(order);
}

const SdcKind sdc_section_constants[] = { write_cases, write_disabled, NULL };

/* --- exceptions: in their order --------------------------------------------------------------- */

static void put_point(SdcWriter *writer, const char *const names[3], const ExceptionPoint *point)
{
  const char *name = names[point->edges == EDGE_RISE ? 1 : point->edges == EDGE_FALL ? 2 : 0];
  sdcw_objects(writer, name, point->objects.at, point->objects.len);
}

static void put_paths(SdcWriter *writer, const Exception *exception)
{
  static const char *const from[] = { "-from", "-rise_from", "-fall_from" },
                           *const to[] = { "-to", "-rise_to", "-fall_to" },
                           *const through[] = { "-through", "-rise_through", "-fall_through" };
  if (exception->has_from) put_point(writer, from, &exception->from);
  for (uint32_t i = 0; i < exception->through.len; i++)
    put_point(writer, through, &exception->through.at[i]);
  if (exception->has_to) put_point(writer, to, &exception->to);
}

static void put_values(SdcWriter *writer, const Exception *exception)
{
  switch (exception->type) {
    case EXC_MULTICYCLE:
      sdcw_flag(writer, exception->cycles_of_start ? "-start" : "-end",
                exception->cycles_clock_given);
      sdcw_int(writer, NULL, exception->cycles);
      break;
    case EXC_MAX_DELAY: case EXC_MIN_DELAY: case EXC_PATH_MARGIN:
      sdcw_flag(writer, "-ignore_clock_latency", exception->ignore_clock_latency);
      sdcw_flag(writer, "-probe", exception->probe);
      sdcw_double(writer, NULL, UNIT_TIME, exception->delay);
      break;
    case EXC_GROUP:
      sdcw_name(writer, "-name", exception->group);
      sdcw_flag(writer, "-default", exception->group == NO_NAME);
      if (!isnan(exception->weight)) sdcw_number(writer, "-weight", SDC_NO_UNIT, exception->weight);
      if (!isnan(exception->critical_range))
        sdcw_number(writer, "-critical_range", UNIT_TIME, exception->critical_range);
      break;
    default: break;
  }
}

static bool is_empty(const SdcWriter *writer, const ExceptionPoint *point)
{
  for (uint32_t i = 0; i < point->objects.len; i++)
    if (sdcw_is_alive(writer, point->objects.at[i])) return false;
  return true;
}

/* A point whose objects are all removed matches no path.  Without the point, the exception would
   apply to more paths. */
static bool matches_nothing(const SdcWriter *writer, const Exception *exception)
{
  bool nothing = (exception->has_from && is_empty(writer, &exception->from))
                 || (exception->has_to && is_empty(writer, &exception->to));
  for (uint32_t i = 0; i < exception->through.len; i++)
    nothing = nothing || is_empty(writer, &exception->through.at[i]);
  return nothing;
}

static void write_exception(SdcWriter *writer, const Exception *exception)
{
  static const char *const commands[] = { "set_false_path", "set_multicycle_path", "set_max_delay",
                                          "set_min_delay",  "set_path_margin",     "group_path" };
  bool sided = exception->type == EXC_FALSE || exception->type == EXC_MULTICYCLE
               || exception->type == EXC_PATH_MARGIN;
  if (matches_nothing(writer, exception)) return;
  sdcw_begin(writer, commands[exception->type]);
  sdcw_flag(writer, "-setup", sided && exception->checks == 1 << SETUP);
  sdcw_flag(writer, "-hold", sided && exception->checks == 1 << HOLD);
  sdcw_flag(writer, exception->end_edges == EDGE_RISE ? "-rise" : "-fall",
            exception->type != EXC_GROUP && exception->end_edges != EDGE_BOTH);
  put_values(writer, exception);
  put_paths(writer, exception);
  sdcw_name(writer, "-comment", exception->comment);
  sdcw_end(writer);
  sdcw_flush(writer);
}

static void write_exceptions(SdcWriter *writer)
{
  for (uint32_t i = 0; i < writer->c->exceptions.len && !interrupt_seen(); i++)
    if (!writer->c->exceptions.at[i].deleted) write_exception(writer, &writer->c->exceptions.at[i]);
}

const SdcKind sdc_section_exceptions[] = { write_exceptions, NULL };

/* --- clock gating ----------------------------------------------------------------------------- */

/* Without objects the design is meant; its name would not do for others. */
static void to_gated(SdcWriter *writer, Object o)
{
  if (o.type == OBJ_DESIGN) sdcw_end(writer);
  else sdcw_to(writer, o);
}

static void write_gating_check(SdcWriter *writer, const GatingCheck *gating_check)
{
  static const char *const options[] = { [HOLD] = "-hold", [SETUP] = "-setup" };
  bool said = false;
  for (int check = SETUP; check >= HOLD; check--) {
    SdcPart parts[CONDITION_COUNT];
    int count = sdcw_parts_edges(gating_check->margin[check], parts);
    for (int i = 0; i < count; i++) {
      sdcw_begin(writer, "set_clock_gating_check");
      sdcw_number(writer, options[check], UNIT_TIME, parts[i].value);
      sdcw_conditions(writer, parts[i].mask, "", "");
      sdcw_flag(writer, gating_check->open_value ? "-high" : "-low", gating_check->open_value >= 0);
      to_gated(writer, gating_check->object);
      said = true;
    }
  }
  if (said || gating_check->open_value < 0) return;
  sdcw_begin(writer, "set_clock_gating_check");
  sdcw_flag(writer, gating_check->open_value ? "-high" : "-low", true);
  to_gated(writer, gating_check->object);
}

static void write_gating(SdcWriter *writer)
{
  uint32_t *order = RECORD_ORDER(writer->c->gating_checks, 2);
  for (uint32_t i = 0; i < writer->c->gating_checks.len && !interrupt_seen(); i++)
    write_gating_check(writer, &writer->c->gating_checks.at[order[i]]);
  mem_free(order);
  order = RECORD_ORDER(writer->c->gating_disabled, 2);
  for (uint32_t i = 0; i < writer->c->gating_disabled.len && !interrupt_seen(); i++) {
    sdcw_begin(writer, "set_disable_inferred_clock_gating");
    sdcw_to(writer, writer->c->gating_disabled.at[order[i]].object);
  }
  mem_free(order);
}

/* --- limits ----------------------------------------------------------------------------------- */

typedef ARRAY(ObjectValue) ObjectValues;

typedef struct {
  const char *command, *flag;
  UnitKind    unit;
} LimitWords;

static void write_limit(SdcWriter *writer, LimitWords x, const ObjectValue *at, uint32_t len)
{
  uint32_t *order = record_order(at, sizeof *at, len, 2);
  for (uint32_t i = 0; i < len && !interrupt_seen(); i++) {
    const ObjectValue *value = &at[order[i]];
    if (isnan(value->value)) continue;
    sdcw_begin(writer, x.command);
    sdcw_flag(writer, x.flag ? x.flag : "", x.flag != NULL);
    sdcw_number(writer, NULL, x.unit, value->value);
    bool whole =
        strcmp(x.command, "set_max_area") == 0 || (x.flag && value->object.type == OBJ_DESIGN);
    if (whole) sdcw_end(writer);
    else sdcw_to(writer, value->object);
  }
  mem_free(order);
}

static void write_limits(SdcWriter *writer)
{
  static const LimitWords limits[LIMIT_COUNT] = {
    [LIMIT_MAX_SLEW] = { "set_max_transition", NULL, UNIT_TIME },
    [LIMIT_MAX_CAP] = { "set_max_capacitance", NULL, UNIT_CAPACITANCE },
    [LIMIT_MIN_CAP] = { "set_min_capacitance", NULL, UNIT_CAPACITANCE },
    [LIMIT_MAX_FANOUT] = { "set_max_fanout", NULL, SDC_NO_UNIT },
    [LIMIT_FANOUT_LOAD] = { "set_fanout_load", NULL, SDC_NO_UNIT },
    [LIMIT_MAX_AREA] = { "set_max_area", NULL, SDC_GIVEN_UNIT },
    [LIMIT_PULSE_LOW] = { "set_min_pulse_width", "-low", UNIT_TIME },
    [LIMIT_PULSE_HIGH] = { "set_min_pulse_width", "-high", UNIT_TIME }
  };
  write_limit(writer, (LimitWords){ "set_max_time_borrow", NULL, UNIT_TIME },
              writer->c->time_borrow.at, writer->c->time_borrow.len);
  for (int k = 0; k < LIMIT_COUNT; k++)
    write_limit(writer, limits[k], writer->c->limits[k].at, writer->c->limits[k].len);
}

/* --- data checks ------------------------------------------------------------------------------ */

typedef struct {
  const DataCheck *data_check;
  int check, from, to;              /* 2: both of them */
} DataPart;

static bool is_same(float a, float b) { return a == b || (isnan(a) && isnan(b)); }

static void write_data_part(SdcWriter *writer, const DataPart *part)
{
  static const char *const from[] = { "-rise_from", "-fall_from", "-from" }, *const to[] = {
    "-rise_to", "-fall_to", "-to"
  };
  float margin = part->data_check->margin[part->check & 1][part->from & 1][part->to & 1];
  if (isnan(margin)) return;
  sdcw_begin(writer, "set_data_check");
  sdcw_object(writer, from[part->from], sdcw_pin_object(writer, part->data_check->from));
  sdcw_object(writer, to[part->to], sdcw_pin_object(writer, part->data_check->to));
  sdcw_flag(writer, part->check == SETUP ? "-setup" : "-hold", part->check < 2);
  sdcw_clock(writer, "-clock", part->data_check->clock);
  sdcw_number(writer, NULL, UNIT_TIME, margin);
  sdcw_end(writer);
}

/* Returns true if all margins of the part are equal. */
static bool is_uniform(const DataPart *part)
{
  for (int check = HOLD; check <= SETUP; check++)
    for (int from = RISE; from <= FALL; from++)
      for (int to = RISE; to <= FALL; to++) {
        bool in = (part->check == 2 || part->check == check)
                  && (part->from == 2 || part->from == from) && (part->to == 2 || part->to == to);
        if (in
            && !is_same(part->data_check->margin[check][from][to],
                        part->data_check->margin[part->check & 1][part->from & 1][part->to & 1]))
          return false;
      }
  return true;
}

/* One command where all agree, else one for each of a half, and so on. */
static void write_data_check(SdcWriter *writer, DataPart p)
{
  if (is_uniform(&p)) {
    write_data_part(writer, &p);
    return;
  }
  int *half = p.check == 2 ? &p.check : p.from == 2 ? &p.from : &p.to;
  for (int i = 0; i < 2; i++) {
    *half = i;
    write_data_check(writer, p);
  }
}

static void write_data_checks(SdcWriter *writer)
{
  uint32_t *order = RECORD_ORDER(writer->c->data_checks, 3);
  for (uint32_t i = 0; i < writer->c->data_checks.len && !interrupt_seen(); i++) {
    const DataCheck *check = &writer->c->data_checks.at[order[i]];
    if (sdcw_is_alive(writer, sdcw_pin_object(writer, check->from))
        && sdcw_is_alive(writer, sdcw_pin_object(writer, check->to)))
      write_data_check(writer, (DataPart){ check, 2, 2, 2 });
  }
  mem_free(order);
}

const SdcKind sdc_section_checks[] = { write_gating, write_data_checks, write_limits, NULL };

/* --- derates ---------------------------------------------------------------------------------- */

static bool same_factors(const float *a, const float *b)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (a[k] != b[k] && !(isnan(a[k]) && isnan(b[k]))) return false;
  return true;
}

/* For nets and cells the kind is clear, but not for checks. */
static void write_factors(SdcWriter *writer, Object o, const char *kind, const char *path,
                          const float *factor)
{
  SdcPart parts[CONDITION_COUNT];
  /* -early and -late must be said: each by itself */
  for (int el = EARLY; el <= LATE; el++) {
    int count = sdcw_parts_edges(factor + 2 * el, parts);
    for (int i = 0; i < count; i++) {
      sdcw_begin(writer, "set_timing_derate");
      sdcw_flag(writer, el == EARLY ? "-early" : "-late", true);
      sdcw_conditions(writer, parts[i].mask, "", "");
      sdcw_flag(writer, path ? path : "", path != NULL);
      sdcw_flag(writer, kind, true);
      sdcw_number(writer, NULL, SDC_NO_UNIT, parts[i].value);
      if (o.type == OBJ_DESIGN) sdcw_end(writer);
      else sdcw_to(writer, o);
    }
  }
}

static void write_derate(SdcWriter *writer, const Derate *derate)
{
  static const char *const kinds[] = { "-cell_delay", "-net_delay", "-cell_check" };
  for (int kind = 0; kind < DERATE_KIND_COUNT; kind++) {
    const float *data = derate->factor[kind][PATH_DATA], *clock = derate->factor[kind][PATH_CLOCK];
    if (same_factors(data, clock)) {
      write_factors(writer, derate->object, kinds[kind], NULL, data);
      continue;
    }
    write_factors(writer, derate->object, kinds[kind], "-data", data);
    write_factors(writer, derate->object, kinds[kind], "-clock", clock);
  }
}

static void write_derates(SdcWriter *writer)
{
  uint32_t *order = RECORD_ORDER(writer->c->derates, 2);
  for (uint32_t i = 0; i < writer->c->derates.len && !interrupt_seen(); i++)
    write_derate(writer, &writer->c->derates.at[order[i]]);
  mem_free(order);
}

const SdcKind sdc_section_derates[] = { write_derates, NULL };

/* --- ideal networks, commands without effect -------------------------------------------------- */

/* A driver that has lost its net has none to name. */
static void write_ideal_net(SdcWriter *writer, PinId driver)
{
  NetId net = driver == NO_PIN ? NO_NET : netlist_pin_net(writer->n, driver);
  if (net == NO_NET) return;
  sdcw_begin(writer, "set_ideal_net");
  sdcw_to(writer, (Object){ OBJ_NET, writer->n->nets.at[net].first_seg });
}

static void write_ideal_source(SdcWriter *writer, const IdealSource *source)
{
  if (source->of_net) {
    write_ideal_net(writer, source->pin);
    return;
  }
  sdcw_begin(writer, "set_ideal_network");
  sdcw_flag(writer, "-no_propagate", source->no_propagation);
  sdcw_to_pin(writer, source->pin);
}

static void write_ideal(SdcWriter *writer)
{
  uint32_t *order = RECORD_ORDER(writer->c->ideal_sources, 1);
  for (uint32_t i = 0; i < writer->c->ideal_sources.len && !interrupt_seen(); i++)
    write_ideal_source(writer, &writer->c->ideal_sources.at[order[i]]);
  mem_free(order);
  order = RECORD_ORDER(writer->c->ideal_pins, 1);
  for (uint32_t i = 0; i < writer->c->ideal_pins.len && !interrupt_seen(); i++) {
    const IdealPin *pin = &writer->c->ideal_pins.at[order[i]];
    if (pin->pin == NO_PIN) continue;
    sdcw_values(writer, "set_ideal_latency", NULL, UNIT_TIME, pin->latency,
                sdcw_pin_object(writer, pin->pin));
    sdcw_values(writer, "set_ideal_transition", NULL, UNIT_TIME, pin->slew,
                sdcw_pin_object(writer, pin->pin));
  }
  mem_free(order);
}

const SdcKind sdc_section_ideal[] = { write_ideal, NULL };

static void write_kept(SdcWriter *writer)
{
  for (uint32_t i = 0; i < writer->c->kept.len && !interrupt_seen(); i++) {
    sdcw_begin(writer, names_text(writer->n->names, writer->c->kept.at[i].text));
    sdcw_end(writer);
  }
}

const SdcKind sdc_section_kept[] = { write_kept, NULL };
