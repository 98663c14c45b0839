/* dump_constraints: the constraints as sorted lines, for tests that check write_sdc by something
   else. It need not show a new record, whose tests compare what write_sdc writes. Times in ps,
   capacitances in fF, resistances in kOhm. Four values are {early rise, early fall, late rise, late
   fall}; one stands for all equal. */
#include <math.h>

#include "tclbind/object_value.h"
#include "sdc/sdc_command.h"

typedef struct {
  const Session     *s;
  const Constraints *c;
  ARRAY(char *) lines;
  Text line;
} Dump;

static void end_line(Dump *d)
{
  array_push(&d->lines, mem_text(text_get(&d->line), d->line.len));
  text_clear(&d->line);
}

static void put_object(Dump *d, Object o)
{
  text_printf(&d->line, " %s:", object_type_name(o.type));
  object_name(d->s, o, &d->line);
}

static void put_pin(Dump *d, const char *label, PinId pin)
{
  if (pin == NO_PIN) return;
  text_printf(&d->line, " %s=", label);
  object_name(d->s, (Object){ pin_is_top_port(d->c->netlist, pin) ? OBJ_PORT : OBJ_PIN, pin },
              &d->line);
}

static void put_name(Dump *d, const char *label, NameId name)
{
  if (name != NO_NAME) text_printf(&d->line, " %s=%s", label, names_text(d->s->names, name));
}

static void put_clock(Dump *d, const char *label, ClockId clock)
{
  if (clock != NO_CLOCK) put_name(d, label, d->c->clocks.at[clock].name);
}

static void put_flag(Dump *d, const char *label, bool on)
{
  if (on) text_printf(&d->line, " %s", label);
}

static void put_number(Dump *d, float value)
{
  if (isnan(value)) text_char(&d->line, '-');
  else text_printf(&d->line, "%.6g", (double)value);
}

/* Nothing when no value was given. */
static void put_values(Dump *d, const char *label, const float *at, int count)
{
  bool none = true, equal = true;
  for (int i = 0; i < count; i++) {
    none = none && isnan(at[i]);
    equal = equal && at[i] == at[0];
  }
  if (none) return;
  text_printf(&d->line, " %s=", label);
  if (equal) count = 1;
  for (int i = 0; i < count; i++) {
    if (i) text_char(&d->line, ',');
    put_number(d, at[i]);
  }
}

#define PUT_VALUES(d, label, field) put_values(d, label, (const float *)(field), \
    sizeof(field) / sizeof(float))

static void put_edges(Dump *d, uint32_t edges)
{
  if (edges != EDGE_BOTH) text_put(&d->line, edges == EDGE_RISE ? " rise" : " fall");
}

static void put_doubles(Dump *d, const char *label, const double *at, uint32_t count)
{
  if (count) text_printf(&d->line, " %s=", label);
  for (uint32_t i = 0; i < count; i++) text_printf(&d->line, "%s%.8g", i ? "," : "", at[i]);
}

static void put_generated(Dump *d, const Clock *k)
{
  put_pin(d, "source", k->master_pin);
  put_clock(d, "master", k->master);
  if (k->divide_by) text_printf(&d->line, " divide_by=%d", k->divide_by);
  if (k->multiply_by) text_printf(&d->line, " multiply_by=%d", k->multiply_by);
  put_values(d, "duty_cycle", &k->duty_cycle, 1);
  if (k->edges.len) text_put(&d->line, " edges=");
  for (uint32_t i = 0; i < k->edges.len; i++)
    text_printf(&d->line, "%s%d", i ? "," : "", k->edges.at[i]);
  put_doubles(d, "edge_shift", k->edge_shift.at, k->edge_shift.len);
  put_flag(d, "invert", k->invert);
  put_flag(d, "combinational", k->combinational);
}

static void dump_clock(Dump *d, const Clock *k)
{
  text_printf(&d->line, "%s %s", k->generated ? "generated_clock" : "clock",
              names_text(d->s->names, k->name));
  if (k->generated) put_generated(d, k);
  else text_printf(&d->line, " period=%.8g", k->period);
  if (!k->generated) put_doubles(d, "waveform", k->waveform.at, k->waveform.len);
  put_flag(d, "add", k->add);
  put_flag(d, "propagated", k->propagated);
  PUT_VALUES(d, "source_latency_early", k->source_latency[EARLY]);
  PUT_VALUES(d, "source_latency_late", k->source_latency[LATE]);
  PUT_VALUES(d, "latency", k->network_latency);
  PUT_VALUES(d, "transition", k->slew);
  put_values(d, "uncertainty_hold", &k->uncertainty[HOLD], 1);
  put_values(d, "uncertainty_setup", &k->uncertainty[SETUP], 1);
  PUT_VALUES(d, "max_slew_clock", k->max_slew_clock);
  PUT_VALUES(d, "max_slew_data", k->max_slew_data);
  for (uint32_t i = 0; i < k->sources.len; i++) put_pin(d, "on", k->sources.at[i]);
  put_name(d, "comment", k->comment);
  end_line(d);
}

static void dump_inter(Dump *d, const InterUncertainty *u)
{
  text_put(&d->line, "uncertainty");
  put_clock(d, "from", u->from);
  put_edges(d, u->from_edges);
  put_clock(d, "to", u->to);
  put_edges(d, u->to_edges);
  put_values(d, "hold", &u->value[HOLD], 1);
  put_values(d, "setup", &u->value[SETUP], 1);
  end_line(d);
}

static void dump_sense(Dump *d, const ClockSense *s)
{
  static const char *const kinds[] = { "positive", "negative", "stop", "pulse_of_rise",
                                       "pulse_of_fall" };
  text_printf(&d->line, "%s_sense %s", s->data ? "data" : "clock", kinds[s->kind]);
  put_pin(d, "pin", s->pin);
  put_clock(d, "clock", s->clock);
  end_line(d);
}

/* Constraints that were removed are not listed. */
static void dump_clock_pin(Dump *d, const ClockPin *p)
{
  if (!p->propagated && !constraints_any_given(p->source_latency[EARLY], 2 * CONDITION_COUNT) &&
      !constraints_any_given(p->network_latency, CONDITION_COUNT) &&
      !constraints_any_given(p->uncertainty, 2))
    return;
  text_put(&d->line, "clock_pin");
  put_pin(d, "pin", p->pin);
  put_clock(d, "clock", p->clock);
  PUT_VALUES(d, "source_latency_early", p->source_latency[EARLY]);
  PUT_VALUES(d, "source_latency_late", p->source_latency[LATE]);
  PUT_VALUES(d, "latency", p->network_latency);
  put_values(d, "uncertainty_hold", &p->uncertainty[HOLD], 1);
  put_values(d, "uncertainty_setup", &p->uncertainty[SETUP], 1);
  put_flag(d, "propagated", p->propagated);
  end_line(d);
}

static void dump_clocks(Dump *d)
{
  const Constraints *c = d->c;
  for (uint32_t i = 0; i < c->clocks.len; i++)
    if (!c->clocks.at[i].deleted) dump_clock(d, &c->clocks.at[i]);
  for (uint32_t i = 0; i < c->inter_uncertainties.len; i++)
    dump_inter(d, &c->inter_uncertainties.at[i]);
  for (uint32_t i = 0; i < c->clock_pins.len; i++) dump_clock_pin(d, &c->clock_pins.at[i]);
  for (uint32_t i = 0; i < c->senses.len; i++) dump_sense(d, &c->senses.at[i]);
}

static void dump_groups(Dump *d, const ClockGroups *g)
{
  static const char *const types[] = { "asynchronous", "logically_exclusive",
                                       "physically_exclusive" };
  text_printf(&d->line, "clock_groups %s", types[g->type]);
  put_name(d, "name", g->name);
  put_flag(d, "allow_paths", g->allow_paths);
  for (uint32_t i = 0; i < g->group_count; i++) {
    text_put(&d->line, i ? " |" : " :");
    for (uint32_t j = 0; j < g->group_of.len; j += 2)
      if (g->group_of.at[j + 1] == i)
        text_printf(&d->line, " %s",
                    names_text(d->s->names, d->c->clocks.at[g->group_of.at[j]].name));
  }
  end_line(d);
}

/* A bit for each value that is given: a flag where it is set for all of these. */
static void put_bits(Dump *d, const char *label, uint8_t bits, const float *at)
{
  float each[CONDITION_COUNT];
  uint32_t given = 0;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    given |= (uint32_t)!isnan(at[k]) << k;
    each[k] = isnan(at[k]) ? NAN : (float)(bits >> k & 1);
  }
  put_flag(d, label, (bits & given) && (bits & given) == given);
  if ((bits & given) && (bits & given) != given) put_values(d, label, each, CONDITION_COUNT);
}

static void dump_delay(Dump *d, const char *what, const PortDelay *p)
{
  text_put(&d->line, what);
  put_pin(d, "pin", p->pin);
  put_clock(d, "clock", p->clock);
  put_flag(d, "clock_fall", p->clock_edge == FALL);
  PUT_VALUES(d, "delay", p->delay);
  put_pin(d, "reference", p->reference_pin);
  put_bits(d, "level_sensitive", p->level_sensitive, p->delay);
  put_bits(d, "source_latency_included", p->source_latency_included, p->delay);
  put_bits(d, "network_latency_included", p->network_latency_included, p->delay);
  end_line(d);
}

static void put_driver(Dump *d, const PortDrive *p, int k)
{
  const LibrarySet *libs = d->s->libs;
  text_put(&d->line, k ? "," : " cell=");
  if (p->cell[k] == NO_CELL) {
    text_char(&d->line, '-');
    return;
  }
  text_printf(&d->line, "%s/%s->", names_text(d->s->names, libs->cells.at[p->cell[k]].name),
              names_text(d->s->names, libs->ports.at[p->from_port[k]].name));
  text_printf(&d->line, "%s(", names_text(d->s->names, libs->ports.at[p->to_port[k]].name));
  put_number(d, p->from_slew[k][RISE]);
  text_char(&d->line, ' ');
  put_number(d, p->from_slew[k][FALL]);
  text_char(&d->line, ')');
}

/* Values of the conditions with a cell; a single number if all are equal. */
static void put_factors(Dump *d, const float given[CONDITION_COUNT])
{
  float one = 1;
  bool same = true, any = false;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (isnan(given[k])) continue;
    same &= !any || given[k] == one;
    one = given[k];
    any = true;
  }
  if (!same) put_values(d, "multiply_by", given, CONDITION_COUNT);
  else if (one != 1) put_values(d, "multiply_by", &one, 1);
}

static void dump_drive(Dump *d, const PortDrive *p)
{
  float factor[CONDITION_COUNT];          /* NAN: no cell */
  text_put(&d->line, "drive");
  put_pin(d, "port", p->pin);
  for (int k = 0; k < CONDITION_COUNT; k++)
    factor[k] = p->cell[k] == NO_CELL ? NAN : p->multiply_by[k];
  bool any = constraints_any_given(factor, CONDITION_COUNT);
  for (int k = 0; any && k < CONDITION_COUNT; k++) put_driver(d, p, k);
  put_factors(d, factor);
  put_bits(d, "dont_scale", p->dont_scale, factor);
  put_bits(d, "no_design_rule", p->no_design_rule, factor);
  PUT_VALUES(d, "transition", p->slew);
  PUT_VALUES(d, "resistance", p->resistance);
  end_line(d);
}

static void dump_port_load(Dump *d, const PortLoad *p)
{
  text_put(&d->line, "load");
  put_pin(d, "port", p->pin);
  PUT_VALUES(d, "pin_load", p->pin_load);
  PUT_VALUES(d, "wire_load", p->wire_load);
  PUT_VALUES(d, "fanout", p->fanout_number);
  end_line(d);
}

static void dump_net_load(Dump *d, const NetLoad *p)
{
  text_put(&d->line, "net_load net=");
  netlist_net_name(d->c->netlist, p->net, d->s->separator, &d->line);
  PUT_VALUES(d, "capacitance", p->wire_cap);
  put_bits(d, "subtract_pin_load", p->subtract_pin_load, p->wire_cap);
  PUT_VALUES(d, "resistance", p->resistance);
  end_line(d);
}

static void dump_ports(Dump *d)
{
  const Constraints *c = d->c;
  for (uint32_t i = 0; i < c->input_delays.len; i++)
    dump_delay(d, "input_delay", &c->input_delays.at[i]);
  for (uint32_t i = 0; i < c->output_delays.len; i++)
    dump_delay(d, "output_delay", &c->output_delays.at[i]);
  for (uint32_t i = 0; i < c->drives.len; i++) dump_drive(d, &c->drives.at[i]);
  for (uint32_t i = 0; i < c->port_loads.len; i++) dump_port_load(d, &c->port_loads.at[i]);
  for (uint32_t i = 0; i < c->net_loads.len; i++) dump_net_load(d, &c->net_loads.at[i]);
}

static void put_point(Dump *d, const char *label, const ExceptionPoint *p)
{
  text_printf(&d->line, " %s(", label);
  if (p->edges != EDGE_BOTH) text_put(&d->line, p->edges == EDGE_RISE ? "rise" : "fall");
  for (uint32_t i = 0; i < p->objects.len; i++) put_object(d, p->objects.at[i]);
  text_put(&d->line, " )");
}

static void put_exception_values(Dump *d, const Exception *e)
{
  if (e->type == EXC_MULTICYCLE)
    text_printf(&d->line, " cycles=%d of_%s", e->cycles, e->cycles_of_start ? "start" : "end");
  if (e->type == EXC_MAX_DELAY || e->type == EXC_MIN_DELAY || e->type == EXC_PATH_MARGIN)
    put_doubles(d, "value", &e->delay, 1);
  if (e->type == EXC_GROUP)
    text_printf(&d->line, " %s",
                e->group == NO_NAME ? "(default)" : names_text(d->s->names, e->group));
  put_flag(d, "ignore_clock_latency", e->ignore_clock_latency);
  put_flag(d, "probe", e->probe);
  put_values(d, "weight", &e->weight, 1);
  put_values(d, "critical_range", &e->critical_range, 1);
}

static void dump_exception(Dump *d, const Exception *e)
{
  static const char *const types[] = { "false_path", "multicycle_path", "max_delay",
                                       "min_delay",  "path_margin",     "group_path" };
  text_put(&d->line, types[e->type]);
  put_flag(d, "setup", e->checks == 1 << SETUP);
  put_flag(d, "hold", e->checks == 1 << HOLD);
  put_edges(d, e->end_edges);
  put_exception_values(d, e);
  if (e->has_from) put_point(d, "from", &e->from);
  for (uint32_t i = 0; i < e->through.len; i++) put_point(d, "through", &e->through.at[i]);
  if (e->has_to) put_point(d, "to", &e->to);
  put_name(d, "comment", e->comment);
  end_line(d);
}

static void dump_exceptions(Dump *d)
{
  const Constraints *c = d->c;
  for (uint32_t i = 0; i < c->exceptions.len; i++)
    if (!c->exceptions.at[i].deleted) dump_exception(d, &c->exceptions.at[i]);
  for (uint32_t i = 0; i < c->clock_groups.len; i++)
    if (!c->clock_groups.at[i].deleted) dump_groups(d, &c->clock_groups.at[i]);
}

static void dump_derate(Dump *d, const Derate *r)
{
  static const char *const kinds[DERATE_KIND_COUNT][2] = {
    { "cell_delay_data", "cell_delay_clock" },
    { "net_delay_data", "net_delay_clock" },
    { "cell_check_data", "cell_check_clock" }
  };
  text_put(&d->line, "derate");
  put_object(d, r->object);
  for (int k = 0; k < DERATE_KIND_COUNT; k++)
    for (int p = PATH_DATA; p <= PATH_CLOCK; p++) PUT_VALUES(d, kinds[k][p], r->factor[k][p]);
  end_line(d);
}

static void dump_gating(Dump *d, const GatingCheck *g)
{
  text_put(&d->line, "gating_check");
  put_object(d, g->object);
  PUT_VALUES(d, "hold", g->margin[HOLD]);
  PUT_VALUES(d, "setup", g->margin[SETUP]);
  if (g->level >= 0) text_put(&d->line, g->level ? " high" : " low");
  end_line(d);
}

static void dump_value(Dump *d, const char *what, const ObjectValue *v)
{
  if (isnan(v->value)) return;      /* it was taken back */
  text_put(&d->line, what);
  put_object(d, v->object);
  put_values(d, "value", &v->value, 1);
  end_line(d);
}

static void dump_data_check(Dump *d, const DataCheck *k)
{
  static const char *const words[2][2] = { { "rise_rise", "rise_fall" },
                                           { "fall_rise", "fall_fall" } };
  if (data_check_is_empty(k)) return;
  text_put(&d->line, "data_check");
  put_pin(d, "from", k->from);
  put_pin(d, "to", k->to);
  put_clock(d, "clock", k->clock);
  for (int check = HOLD; check <= SETUP; check++)
    for (int edges = 0; edges < 4; edges++) {
      float margin = k->margin[check][edges >> 1][edges & 1];
      if (!isnan(margin))
        text_printf(&d->line, " %s_%s=%.6g", check == SETUP ? "setup" : "hold",
                    words[edges >> 1][edges & 1], (double)margin);
    }
  end_line(d);
}

static void dump_checks(Dump *d)
{
  static const char *const limits[LIMIT_COUNT] = { "max_transition",      "max_capacitance",
                                                   "min_capacitance",     "max_fanout",
                                                   "fanout_load",         "max_area",
                                                   "min_pulse_width_low", "min_pulse_width_high" };
  const Constraints *c = d->c;
  for (uint32_t i = 0; i < c->derates.len; i++) dump_derate(d, &c->derates.at[i]);
  for (uint32_t i = 0; i < c->gating_checks.len; i++) dump_gating(d, &c->gating_checks.at[i]);
  for (uint32_t i = 0; i < c->time_borrow.len; i++)
    dump_value(d, "max_time_borrow", &c->time_borrow.at[i]);
  for (int k = 0; k < LIMIT_COUNT; k++)
    for (uint32_t i = 0; i < c->limits[k].len; i++) dump_value(d, limits[k], &c->limits[k].at[i]);
  for (uint32_t i = 0; i < c->data_checks.len; i++) dump_data_check(d, &c->data_checks.at[i]);
  for (uint32_t i = 0; i < c->gating_disabled.len; i++) {
    text_put(&d->line, "no_inferred_gating");
    put_object(d, c->gating_disabled.at[i].object);
    end_line(d);
  }
}

static void dump_constant(Dump *d, const char *word, PinId pin, uint8_t value)
{
  static const char *const values[CASE_COUNT] = {
    [CASE_ZERO] = "zero", [CASE_ONE] = "one", [CASE_RISE] = "rise", [CASE_FALL] = "fall",
      [CASE_UNKNOWN] = "unknown" };
  text_put(&d->line, word);
  put_pin(d, "pin", pin);
  text_printf(&d->line, " %s", values[value]);
  end_line(d);
}

static void dump_logic(Dump *d)
{
  const Constraints *c = d->c;
  for (uint32_t i = 0; i < c->cases.len; i++) {
    const PinCase *k = &c->cases.at[i];
    if (k->is_case) dump_constant(d, "case", k->pin, k->value);
    if (k->logic != CASE_COUNT) dump_constant(d, "logic", k->pin, k->logic);
  }
  for (uint32_t i = 0; i < c->disabled.len; i++) {
    text_put(&d->line, "disable_timing");
    put_object(d, c->disabled.at[i].object);
    put_name(d, "from", c->disabled.at[i].from);
    put_name(d, "to", c->disabled.at[i].to);
    end_line(d);
  }
}

static void dump_ideal(Dump *d)
{
  const Constraints *c = d->c;
  for (uint32_t i = 0; i < c->ideal_sources.len; i++) {
    text_put(&d->line, "ideal");
    put_pin(d, "pin", c->ideal_sources.at[i].pin);
    put_flag(d, "of_net", c->ideal_sources.at[i].of_net);
    put_flag(d, "no_propagation", c->ideal_sources.at[i].no_propagation);
    end_line(d);
  }
  for (uint32_t i = 0; i < c->ideal_pins.len; i++) {
    text_put(&d->line, "ideal_values");
    put_pin(d, "pin", c->ideal_pins.at[i].pin);
    PUT_VALUES(d, "latency", c->ideal_pins.at[i].latency);
    PUT_VALUES(d, "transition", c->ideal_pins.at[i].slew);
    end_line(d);
  }
  static const char *const words[] = {
    [EARLY] = "operating_conditions early", [LATE] = "operating_conditions late"
  };
  for (int el = EARLY; el <= LATE; el++) {
    if (c->operating_condition[el] == NO_CONDITION) continue;
    text_printf(&d->line, "%s %s", words[el],
                names_text(d->s->names,
                           d->s->libs->conditions.at[c->operating_condition[el]].name));
    end_line(d);
  }
}

static int compare_lines(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static Status run_dump_constraints(Session *s, Args *a)
{
  Dump d = { .s = s, .c = s->constraints };
  dump_clocks(&d);
  dump_ports(&d);
  dump_exceptions(&d);
  dump_checks(&d);
  dump_logic(&d);
  dump_ideal(&d);
  if (d.lines.len) qsort(d.lines.at, d.lines.len, sizeof *d.lines.at, compare_lines);
  Text all = { 0 };
  for (uint32_t i = 0; i < d.lines.len; i++) {
    if (i) text_char(&all, '\n');
    text_put(&all, d.lines.at[i]);
    mem_free(d.lines.at[i]);
  }
  args_return_text(a, text_get(&all));
  text_free(&all);
  text_free(&d.line);
  array_free(&d.lines);
  return OK;
}

static const Option no_options[] = { ROW_END };

const Command commands_sdc_dump[] = {
  { "dump_constraints", "constraints", "the constraints as sorted lines, in ps, fF and kOhm",
    no_options, run_dump_constraints, CMD_NEEDS_DESIGN | CMD_HIDDEN, NULL, NULL },
  { 0 }
};
