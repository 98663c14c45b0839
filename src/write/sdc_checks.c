/* Writes SDC: constants, disabled arcs, exceptions, checks, limits, derates, ideal networks. */
#include <math.h>

#include "base/interrupt.h"
#include "write/sdc_private.h"

/* A pin may have both: each is written, and neither hides the other when read again. */
static void write_case(SdcWriter *w, const PinCase *p)
{
  static const char *const logic[CASE_COUNT] = {
    [CASE_ZERO] = "set_logic_zero", [CASE_ONE] = "set_logic_one", [CASE_RISE] = "",
      [CASE_FALL] = "", [CASE_UNKNOWN] = "set_logic_dc" };
  static const char *const values[CASE_COUNT] = {
    [CASE_ZERO] = "0", [CASE_ONE] = "1", [CASE_RISE] = "rise", [CASE_FALL] = "fall",
      [CASE_UNKNOWN] = "" };
  if (p->logic != CASE_COUNT) {
    sdcw_begin(w, logic[p->logic]);
    sdcw_to_pin(w, p->pin);
  }
  if (!p->is_case) return;
  sdcw_begin(w, "set_case_analysis");
  sdcw_flag(w, values[p->value], true);
  sdcw_to_pin(w, p->pin);
}

static void write_cases(SdcWriter *w)
{
  uint32_t *order = RECORD_ORDER(w->c->cases, 1);
  for (uint32_t i = 0; i < w->c->cases.len && !interrupt_seen(); i++)
    write_case(w, &w->c->cases.at[order[i]]);
  mem_free(order);
}

static void write_disabled(SdcWriter *w)
{
  uint32_t *order = RECORD_ORDER(w->c->disabled, 2);
  for (uint32_t i = 0; i < w->c->disabled.len && !interrupt_seen(); i++) {
    const DisabledTiming *d = &w->c->disabled.at[order[i]];
    sdcw_begin(w, "set_disable_timing");
    sdcw_name(w, "-from", d->from);
    sdcw_name(w, "-to", d->to);
    sdcw_to(w, d->object);
  }
  mem_free(order);
}

const SdcKind sdc_section_constants[] = { write_cases, write_disabled, NULL };

/* --- exceptions: in their order --------------------------------------------------------------- */

static void put_point(SdcWriter *w, const char *const names[3], const ExceptionPoint *p)
{
  const char *name = names[p->edges == EDGE_RISE ? 1 : p->edges == EDGE_FALL ? 2 : 0];
  sdcw_objects(w, name, p->objects.at, p->objects.len);
}

static void put_paths(SdcWriter *w, const Exception *e)
{
  static const char *const from[] = { "-from", "-rise_from", "-fall_from" },
                           *const to[] = { "-to", "-rise_to", "-fall_to" },
                           *const through[] = { "-through", "-rise_through", "-fall_through" };
  if (e->has_from) put_point(w, from, &e->from);
  for (uint32_t i = 0; i < e->through.len; i++) put_point(w, through, &e->through.at[i]);
  if (e->has_to) put_point(w, to, &e->to);
}

static void put_values(SdcWriter *w, const Exception *e)
{
  switch (e->type) {
    case EXC_MULTICYCLE:
      sdcw_flag(w, e->cycles_of_start ? "-start" : "-end", e->cycles_side_given);
      sdcw_int(w, NULL, e->cycles);
      break;
    case EXC_MAX_DELAY: case EXC_MIN_DELAY: case EXC_PATH_MARGIN:
      sdcw_flag(w, "-ignore_clock_latency", e->ignore_clock_latency);
      sdcw_flag(w, "-probe", e->probe);
      sdcw_double(w, NULL, UNIT_TIME, e->delay);
      break;
    case EXC_GROUP:
      sdcw_name(w, "-name", e->group);
      sdcw_flag(w, "-default", e->group == NO_NAME);
      if (!isnan(e->weight)) sdcw_number(w, "-weight", SDC_NO_UNIT, e->weight);
      if (!isnan(e->critical_range))
        sdcw_number(w, "-critical_range", UNIT_TIME, e->critical_range);
      break;
    default: break;
  }
}

static bool is_empty(const SdcWriter *w, const ExceptionPoint *p)
{
  for (uint32_t i = 0; i < p->objects.len; i++)
    if (sdcw_is_alive(w, p->objects.at[i])) return false;
  return true;
}

/* A point whose objects are all removed matches no path.  Without the point, the exception would
   apply to more paths. */
static bool matches_nothing(const SdcWriter *w, const Exception *e)
{
  bool nothing = (e->has_from && is_empty(w, &e->from)) || (e->has_to && is_empty(w, &e->to));
  for (uint32_t i = 0; i < e->through.len; i++) nothing = nothing || is_empty(w, &e->through.at[i]);
  return nothing;
}

static void write_exception(SdcWriter *w, const Exception *e)
{
  static const char *const commands[] = { "set_false_path", "set_multicycle_path", "set_max_delay",
                                          "set_min_delay",  "set_path_margin",     "group_path" };
  bool sided = e->type == EXC_FALSE || e->type == EXC_MULTICYCLE || e->type == EXC_PATH_MARGIN;
  if (matches_nothing(w, e)) return;
  sdcw_begin(w, commands[e->type]);
  sdcw_flag(w, "-setup", sided && e->checks == 1 << SETUP);
  sdcw_flag(w, "-hold", sided && e->checks == 1 << HOLD);
  sdcw_flag(w, e->end_edges == EDGE_RISE ? "-rise" : "-fall",
            e->type != EXC_GROUP && e->end_edges != EDGE_BOTH);
  put_values(w, e);
  put_paths(w, e);
  sdcw_name(w, "-comment", e->comment);
  sdcw_end(w);
  sdcw_flush(w);
}

static void write_exceptions(SdcWriter *w)
{
  for (uint32_t i = 0; i < w->c->exceptions.len && !interrupt_seen(); i++)
    if (!w->c->exceptions.at[i].deleted) write_exception(w, &w->c->exceptions.at[i]);
}

const SdcKind sdc_section_exceptions[] = { write_exceptions, NULL };

/* --- clock gating ----------------------------------------------------------------------------- */

/* Without objects the design is meant; its name would not do for others. */
static void to_gated(SdcWriter *w, Object o)
{
  if (o.type == OBJ_DESIGN) sdcw_end(w);
  else sdcw_to(w, o);
}

static void write_gating_check(SdcWriter *w, const GatingCheck *g)
{
  static const char *const options[] = { [HOLD] = "-hold", [SETUP] = "-setup" };
  bool said = false;
  for (int check = SETUP; check >= HOLD; check--) {
    SdcPart parts[CONDITION_COUNT];
    int count = sdcw_parts_edges(g->margin[check], parts);
    for (int i = 0; i < count; i++) {
      sdcw_begin(w, "set_clock_gating_check");
      sdcw_number(w, options[check], UNIT_TIME, parts[i].value);
      sdcw_conditions(w, parts[i].mask, "", "");
      sdcw_flag(w, g->level ? "-high" : "-low", g->level >= 0);
      to_gated(w, g->object);
      said = true;
    }
  }
  if (said || g->level < 0) return;
  sdcw_begin(w, "set_clock_gating_check");
  sdcw_flag(w, g->level ? "-high" : "-low", true);
  to_gated(w, g->object);
}

static void write_gating(SdcWriter *w)
{
  uint32_t *order = RECORD_ORDER(w->c->gating_checks, 2);
  for (uint32_t i = 0; i < w->c->gating_checks.len && !interrupt_seen(); i++)
    write_gating_check(w, &w->c->gating_checks.at[order[i]]);
  mem_free(order);
  order = RECORD_ORDER(w->c->gating_disabled, 2);
  for (uint32_t i = 0; i < w->c->gating_disabled.len && !interrupt_seen(); i++) {
    sdcw_begin(w, "set_disable_inferred_clock_gating");
    sdcw_to(w, w->c->gating_disabled.at[order[i]].object);
  }
  mem_free(order);
}

/* --- limits ----------------------------------------------------------------------------------- */

typedef ARRAY(ObjectValue) ObjectValues;

typedef struct {
  const char *command, *flag;
  UnitKind    unit;
} LimitWords;

static void write_limit(SdcWriter *w, LimitWords x, const ObjectValue *at, uint32_t len)
{
  uint32_t *order = record_order(at, sizeof *at, len, 2);
  for (uint32_t i = 0; i < len && !interrupt_seen(); i++) {
    const ObjectValue *v = &at[order[i]];
    if (isnan(v->value)) continue;
    sdcw_begin(w, x.command);
    sdcw_flag(w, x.flag ? x.flag : "", x.flag != NULL);
    sdcw_number(w, NULL, x.unit, v->value);
    bool whole = strcmp(x.command, "set_max_area") == 0 || (x.flag && v->object.type == OBJ_DESIGN);
    if (whole) sdcw_end(w);
    else sdcw_to(w, v->object);
  }
  mem_free(order);
}

static void write_limits(SdcWriter *w)
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
  write_limit(w, (LimitWords){ "set_max_time_borrow", NULL, UNIT_TIME }, w->c->time_borrow.at,
              w->c->time_borrow.len);
  for (int k = 0; k < LIMIT_COUNT; k++)
    write_limit(w, limits[k], w->c->limits[k].at, w->c->limits[k].len);
}

/* --- data checks ------------------------------------------------------------------------------ */

typedef struct {
  const DataCheck *d;
  int check, from, to;              /* 2: both of them */
} DataPart;

static bool is_same(float a, float b) { return a == b || (isnan(a) && isnan(b)); }

static void write_data_part(SdcWriter *w, const DataPart *p)
{
  static const char *const from[] = { "-rise_from", "-fall_from", "-from" }, *const to[] = {
    "-rise_to", "-fall_to", "-to"
  };
  float margin = p->d->margin[p->check & 1][p->from & 1][p->to & 1];
  if (isnan(margin)) return;
  sdcw_begin(w, "set_data_check");
  sdcw_object(w, from[p->from], sdcw_pin_object(w, p->d->from));
  sdcw_object(w, to[p->to], sdcw_pin_object(w, p->d->to));
  sdcw_flag(w, p->check == SETUP ? "-setup" : "-hold", p->check < 2);
  sdcw_clock(w, "-clock", p->d->clock);
  sdcw_number(w, NULL, UNIT_TIME, margin);
  sdcw_end(w);
}

/* Returns true if all margins of the part are equal. */
static bool is_uniform(const DataPart *p)
{
  for (int check = HOLD; check <= SETUP; check++)
    for (int from = RISE; from <= FALL; from++)
      for (int to = RISE; to <= FALL; to++) {
        bool in = (p->check == 2 || p->check == check) && (p->from == 2 || p->from == from)
                  && (p->to == 2 || p->to == to);
        if (in
            && !is_same(p->d->margin[check][from][to],
                        p->d->margin[p->check & 1][p->from & 1][p->to & 1]))
          return false;
      }
  return true;
}

/* One command where all agree, else one for each of a half, and so on. */
static void write_data_check(SdcWriter *w, DataPart p)
{
  if (is_uniform(&p)) {
    write_data_part(w, &p);
    return;
  }
  int *half = p.check == 2 ? &p.check : p.from == 2 ? &p.from : &p.to;
  for (int i = 0; i < 2; i++) {
    *half = i;
    write_data_check(w, p);
  }
}

static void write_data_checks(SdcWriter *w)
{
  uint32_t *order = RECORD_ORDER(w->c->data_checks, 3);
  for (uint32_t i = 0; i < w->c->data_checks.len && !interrupt_seen(); i++) {
    const DataCheck *d = &w->c->data_checks.at[order[i]];
    if (sdcw_is_alive(w, sdcw_pin_object(w, d->from))
        && sdcw_is_alive(w, sdcw_pin_object(w, d->to)))
      write_data_check(w, (DataPart){ d, 2, 2, 2 });
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
static void write_factors(SdcWriter *w, Object o, const char *kind, const char *path,
                          const float *factor)
{
  SdcPart parts[CONDITION_COUNT];
  /* -early and -late must be said: each by itself */
  for (int el = EARLY; el <= LATE; el++) {
    int count = sdcw_parts_edges(factor + 2 * el, parts);
    for (int i = 0; i < count; i++) {
      sdcw_begin(w, "set_timing_derate");
      sdcw_flag(w, el == EARLY ? "-early" : "-late", true);
      sdcw_conditions(w, parts[i].mask, "", "");
      sdcw_flag(w, path ? path : "", path != NULL);
      sdcw_flag(w, kind, true);
      sdcw_number(w, NULL, SDC_NO_UNIT, parts[i].value);
      if (o.type == OBJ_DESIGN) sdcw_end(w);
      else sdcw_to(w, o);
    }
  }
}

static void write_derate(SdcWriter *w, const Derate *d)
{
  static const char *const kinds[] = { "-cell_delay", "-net_delay", "-cell_check" };
  for (int kind = 0; kind < DERATE_KIND_COUNT; kind++) {
    const float *data = d->factor[kind][PATH_DATA], *clock = d->factor[kind][PATH_CLOCK];
    if (same_factors(data, clock)) {
      write_factors(w, d->object, kinds[kind], NULL, data);
      continue;
    }
    write_factors(w, d->object, kinds[kind], "-data", data);
    write_factors(w, d->object, kinds[kind], "-clock", clock);
  }
}

static void write_derates(SdcWriter *w)
{
  uint32_t *order = RECORD_ORDER(w->c->derates, 2);
  for (uint32_t i = 0; i < w->c->derates.len && !interrupt_seen(); i++)
    write_derate(w, &w->c->derates.at[order[i]]);
  mem_free(order);
}

const SdcKind sdc_section_derates[] = { write_derates, NULL };

/* --- ideal networks, commands without effect -------------------------------------------------- */

/* A driver that has lost its net has none to name. */
static void write_ideal_net(SdcWriter *w, PinId driver)
{
  NetId net = driver == NO_PIN ? NO_NET : netlist_pin_net(w->n, driver);
  if (net == NO_NET) return;
  sdcw_begin(w, "set_ideal_net");
  sdcw_to(w, (Object){ OBJ_NET, w->n->nets.at[net].first_seg });
}

static void write_ideal_source(SdcWriter *w, const IdealSource *s)
{
  if (s->of_net) {
    write_ideal_net(w, s->pin);
    return;
  }
  sdcw_begin(w, "set_ideal_network");
  sdcw_flag(w, "-no_propagate", s->no_propagation);
  sdcw_to_pin(w, s->pin);
}

static void write_ideal(SdcWriter *w)
{
  uint32_t *order = RECORD_ORDER(w->c->ideal_sources, 1);
  for (uint32_t i = 0; i < w->c->ideal_sources.len && !interrupt_seen(); i++)
    write_ideal_source(w, &w->c->ideal_sources.at[order[i]]);
  mem_free(order);
  order = RECORD_ORDER(w->c->ideal_pins, 1);
  for (uint32_t i = 0; i < w->c->ideal_pins.len && !interrupt_seen(); i++) {
    const IdealPin *p = &w->c->ideal_pins.at[order[i]];
    if (p->pin == NO_PIN) continue;
    sdcw_values(w, "set_ideal_latency", NULL, UNIT_TIME, p->latency, sdcw_pin_object(w, p->pin));
    sdcw_values(w, "set_ideal_transition", NULL, UNIT_TIME, p->slew, sdcw_pin_object(w, p->pin));
  }
  mem_free(order);
}

const SdcKind sdc_section_ideal[] = { write_ideal, NULL };

static void write_kept(SdcWriter *w)
{
  for (uint32_t i = 0; i < w->c->kept.len && !interrupt_seen(); i++) {
    sdcw_begin(w, names_text(w->n->names, w->c->kept.at[i].text));
    sdcw_end(w);
  }
}

const SdcKind sdc_section_kept[] = { write_kept, NULL };
