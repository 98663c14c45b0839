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

static void end_line(Dump *dump)
{
  array_push(&dump->lines, mem_text(text_get(&dump->line), dump->line.len));
  text_clear(&dump->line);
}

static void put_object(Dump *dump, Object o)
{
  text_printf(&dump->line, " %s:", object_type_name(o.type));
  object_name(dump->s, o, &dump->line);
}

static void put_pin(Dump *dump, const char *label, PinId pin)
{
  if (pin == NO_PIN) return;
  text_printf(&dump->line, " %s=", label);
  object_name(dump->s, (Object){ pin_is_top_port(dump->c->netlist, pin) ? OBJ_PORT : OBJ_PIN, pin },
              &dump->line);
}

static void put_name(Dump *dump, const char *label, NameId name)
{
  if (name != NO_NAME) text_printf(&dump->line, " %s=%s", label, names_text(dump->s->names, name));
}

static void put_clock(Dump *dump, const char *label, ClockId clock)
{
  if (clock != NO_CLOCK) put_name(dump, label, dump->c->clocks.at[clock].name);
}

static void put_flag(Dump *dump, const char *label, bool on)
{
  if (on) text_printf(&dump->line, " %s", label);
}

static void put_number(Dump *dump, float value)
{
  if (isnan(value)) text_char(&dump->line, '-');
  else text_printf(&dump->line, "%.6g", (double)value);
}

/* Nothing when no value was given. */
static void put_values(Dump *dump, const char *label, const float *at, int count)
{
  bool none = true, equal = true;
  for (int i = 0; i < count; i++) {
    none = none && isnan(at[i]);
    equal = equal && at[i] == at[0];
  }
  if (none) return;
  text_printf(&dump->line, " %s=", label);
  if (equal) count = 1;
  for (int i = 0; i < count; i++) {
    if (i) text_char(&dump->line, ',');
    put_number(dump, at[i]);
  }
}

#define PUT_VALUES(d, label, field) put_values(d, label, (const float *)(field), \
    sizeof(field) / sizeof(float))

static void put_edges(Dump *dump, uint32_t edges)
{
  if (edges != EDGE_BOTH) text_put(&dump->line, edges == EDGE_RISE ? " rise" : " fall");
}

static void put_doubles(Dump *dump, const char *label, const double *at, uint32_t count)
{
  if (count) text_printf(&dump->line, " %s=", label);
  for (uint32_t i = 0; i < count; i++) text_printf(&dump->line, "%s%.8g", i ? "," : "", at[i]);
}

static void put_generated(Dump *dump, const Clock *clock)
{
  put_pin(dump, "source", clock->master_pin);
  put_clock(dump, "master", clock->master);
  if (clock->divide_by) text_printf(&dump->line, " divide_by=%d", clock->divide_by);
  if (clock->multiply_by) text_printf(&dump->line, " multiply_by=%d", clock->multiply_by);
  put_values(dump, "duty_cycle", &clock->duty_cycle, 1);
  if (clock->edges.len) text_put(&dump->line, " edges=");
  for (uint32_t i = 0; i < clock->edges.len; i++)
    text_printf(&dump->line, "%s%d", i ? "," : "", clock->edges.at[i]);
  put_doubles(dump, "edge_shift", clock->edge_shift.at, clock->edge_shift.len);
  put_flag(dump, "invert", clock->invert);
  put_flag(dump, "combinational", clock->combinational);
}

static void dump_clock(Dump *dump, const Clock *clock)
{
  text_printf(&dump->line, "%s %s", clock->generated ? "generated_clock" : "clock",
              names_text(dump->s->names, clock->name));
  if (clock->generated) put_generated(dump, clock);
  else text_printf(&dump->line, " period=%.8g", clock->period);
  if (!clock->generated) put_doubles(dump, "waveform", clock->waveform.at, clock->waveform.len);
  put_flag(dump, "add", clock->add);
  put_flag(dump, "propagated", clock->propagated);
  PUT_VALUES(dump, "source_latency_early", clock->source_latency[EARLY]);
  PUT_VALUES(dump, "source_latency_late", clock->source_latency[LATE]);
  PUT_VALUES(dump, "latency", clock->network_latency);
  PUT_VALUES(dump, "transition", clock->slew);
  put_values(dump, "uncertainty_hold", &clock->uncertainty[HOLD], 1);
  put_values(dump, "uncertainty_setup", &clock->uncertainty[SETUP], 1);
  PUT_VALUES(dump, "max_slew_clock", clock->max_slew_clock);
  PUT_VALUES(dump, "max_slew_data", clock->max_slew_data);
  for (uint32_t i = 0; i < clock->sources.len; i++) put_pin(dump, "on", clock->sources.at[i]);
  put_name(dump, "comment", clock->comment);
  end_line(dump);
}

static void dump_inter(Dump *dump, const InterUncertainty *uncertainty)
{
  text_put(&dump->line, "uncertainty");
  put_clock(dump, "from", uncertainty->from);
  put_edges(dump, uncertainty->from_edges);
  put_clock(dump, "to", uncertainty->to);
  put_edges(dump, uncertainty->to_edges);
  put_values(dump, "hold", &uncertainty->value[HOLD], 1);
  put_values(dump, "setup", &uncertainty->value[SETUP], 1);
  end_line(dump);
}

static void dump_sense(Dump *dump, const ClockSense *sense)
{
  static const char *const kinds[] = { "positive", "negative", "stop", "pulse_of_rise",
                                       "pulse_of_fall" };
  text_printf(&dump->line, "%s_sense %s", sense->data ? "data" : "clock", kinds[sense->kind]);
  put_pin(dump, "pin", sense->pin);
  put_clock(dump, "clock", sense->clock);
  end_line(dump);
}

/* Constraints that were removed are not listed. */
static void dump_clock_pin(Dump *dump, const ClockPin *pin)
{
  if (!pin->propagated && !constraints_any_given(pin->source_latency[EARLY], 2 * CONDITION_COUNT)
      && !constraints_any_given(pin->network_latency, CONDITION_COUNT)
      && !constraints_any_given(pin->uncertainty, 2))
    return;
  text_put(&dump->line, "clock_pin");
  put_pin(dump, "pin", pin->pin);
  put_clock(dump, "clock", pin->clock);
  PUT_VALUES(dump, "source_latency_early", pin->source_latency[EARLY]);
  PUT_VALUES(dump, "source_latency_late", pin->source_latency[LATE]);
  PUT_VALUES(dump, "latency", pin->network_latency);
  put_values(dump, "uncertainty_hold", &pin->uncertainty[HOLD], 1);
  put_values(dump, "uncertainty_setup", &pin->uncertainty[SETUP], 1);
  put_flag(dump, "propagated", pin->propagated);
  end_line(dump);
}

static void dump_clocks(Dump *dump)
{
  const Constraints *c = dump->c;
  for (uint32_t i = 0; i < c->clocks.len; i++)
    if (!c->clocks.at[i].deleted) dump_clock(dump, &c->clocks.at[i]);
  for (uint32_t i = 0; i < c->inter_uncertainties.len; i++)
    dump_inter(dump, &c->inter_uncertainties.at[i]);
  for (uint32_t i = 0; i < c->clock_pins.len; i++) dump_clock_pin(dump, &c->clock_pins.at[i]);
  for (uint32_t i = 0; i < c->senses.len; i++) dump_sense(dump, &c->senses.at[i]);
}

static void dump_groups(Dump *dump, const ClockGroups *groups)
{
  static const char *const types[] = { "asynchronous", "logically_exclusive",
                                       "physically_exclusive" };
  text_printf(&dump->line, "clock_groups %s", types[groups->type]);
  put_name(dump, "name", groups->name);
  put_flag(dump, "allow_paths", groups->allow_paths);
  for (uint32_t i = 0; i < groups->group_count; i++) {
    text_put(&dump->line, i ? " |" : " :");
    for (uint32_t j = 0; j < groups->group_of.len; j += 2)
      if (groups->group_of.at[j + 1] == i)
        text_printf(&dump->line, " %s",
                    names_text(dump->s->names, dump->c->clocks.at[groups->group_of.at[j]].name));
  }
  end_line(dump);
}

/* A bit for each value that is given: a flag where it is set for all of these. */
static void put_bits(Dump *dump, const char *label, uint8_t bits, const float *at)
{
  float each[CONDITION_COUNT];
  uint32_t given = 0;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    given |= (uint32_t)!isnan(at[k]) << k;
    each[k] = isnan(at[k]) ? NAN : (float)(bits >> k & 1);
  }
  put_flag(dump, label, (bits & given) && (bits & given) == given);
  if ((bits & given) && (bits & given) != given) put_values(dump, label, each, CONDITION_COUNT);
}

static void dump_delay(Dump *dump, const char *what, const PortDelay *delay)
{
  text_put(&dump->line, what);
  put_pin(dump, "pin", delay->pin);
  put_clock(dump, "clock", delay->clock);
  put_flag(dump, "clock_fall", delay->clock_edge == FALL);
  PUT_VALUES(dump, "delay", delay->delay);
  put_pin(dump, "reference", delay->reference_pin);
  put_bits(dump, "level_sensitive", delay->level_sensitive, delay->delay);
  put_bits(dump, "source_latency_included", delay->source_latency_included, delay->delay);
  put_bits(dump, "network_latency_included", delay->network_latency_included, delay->delay);
  end_line(dump);
}

static void put_driver(Dump *dump, const PortDrive *drive, int k)
{
  const LibrarySet *libs = dump->s->libs;
  text_put(&dump->line, k ? "," : " cell=");
  if (drive->cell[k] == NO_CELL) {
    text_char(&dump->line, '-');
    return;
  }
  text_printf(&dump->line, "%s/%s->",
              names_text(dump->s->names, libs->cells.at[drive->cell[k]].name),
              names_text(dump->s->names, libs->ports.at[drive->from_port[k]].name));
  text_printf(&dump->line, "%s(",
              names_text(dump->s->names, libs->ports.at[drive->to_port[k]].name));
  put_number(dump, drive->from_slew[k][RISE]);
  text_char(&dump->line, ' ');
  put_number(dump, drive->from_slew[k][FALL]);
  text_char(&dump->line, ')');
}

/* Values of the conditions with a cell; a single number if all are equal. */
static void put_factors(Dump *dump, const float given[CONDITION_COUNT])
{
  float one = 1;
  bool same = true, any = false;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (isnan(given[k])) continue;
    same &= !any || given[k] == one;
    one = given[k];
    any = true;
  }
  if (!same) put_values(dump, "multiply_by", given, CONDITION_COUNT);
  else if (one != 1) put_values(dump, "multiply_by", &one, 1);
}

static void dump_drive(Dump *dump, const PortDrive *drive)
{
  float factor[CONDITION_COUNT];          /* NAN: no cell */
  text_put(&dump->line, "drive");
  put_pin(dump, "port", drive->pin);
  for (int k = 0; k < CONDITION_COUNT; k++)
    factor[k] = drive->cell[k] == NO_CELL ? NAN : drive->multiply_by[k];
  bool any = constraints_any_given(factor, CONDITION_COUNT);
  for (int k = 0; any && k < CONDITION_COUNT; k++) put_driver(dump, drive, k);
  put_factors(dump, factor);
  put_bits(dump, "dont_scale", drive->dont_scale, factor);
  put_bits(dump, "no_design_rule", drive->no_design_rule, factor);
  PUT_VALUES(dump, "transition", drive->slew);
  PUT_VALUES(dump, "resistance", drive->resistance);
  end_line(dump);
}

static void dump_port_load(Dump *dump, const PortLoad *load)
{
  text_put(&dump->line, "load");
  put_pin(dump, "port", load->pin);
  PUT_VALUES(dump, "pin_load", load->pin_load);
  PUT_VALUES(dump, "wire_load", load->wire_load);
  PUT_VALUES(dump, "fanout", load->fanout_number);
  end_line(dump);
}

static void dump_net_load(Dump *dump, const NetLoad *load)
{
  text_put(&dump->line, "net_load net=");
  netlist_net_name(dump->c->netlist, load->net, dump->s->separator, &dump->line);
  PUT_VALUES(dump, "capacitance", load->wire_cap);
  put_bits(dump, "subtract_pin_load", load->subtract_pin_load, load->wire_cap);
  PUT_VALUES(dump, "resistance", load->resistance);
  end_line(dump);
}

static void dump_ports(Dump *dump)
{
  const Constraints *c = dump->c;
  for (uint32_t i = 0; i < c->input_delays.len; i++)
    dump_delay(dump, "input_delay", &c->input_delays.at[i]);
  for (uint32_t i = 0; i < c->output_delays.len; i++)
    dump_delay(dump, "output_delay", &c->output_delays.at[i]);
  for (uint32_t i = 0; i < c->drives.len; i++) dump_drive(dump, &c->drives.at[i]);
  for (uint32_t i = 0; i < c->port_loads.len; i++) dump_port_load(dump, &c->port_loads.at[i]);
  for (uint32_t i = 0; i < c->net_loads.len; i++) dump_net_load(dump, &c->net_loads.at[i]);
}

static void put_point(Dump *dump, const char *label, const ExceptionPoint *point)
{
  text_printf(&dump->line, " %s(", label);
  if (point->edges != EDGE_BOTH) text_put(&dump->line, point->edges == EDGE_RISE ? "rise" : "fall");
  for (uint32_t i = 0; i < point->objects.len; i++) put_object(dump, point->objects.at[i]);
  text_put(&dump->line, " )");
}

static void put_exception_values(Dump *dump, const Exception *exception)
{
  if (exception->type == EXC_MULTICYCLE)
    text_printf(&dump->line, " cycles=%d of_%s", exception->cycles,
                exception->cycles_of_start ? "start" : "end");
  if (exception->type == EXC_MAX_DELAY || exception->type == EXC_MIN_DELAY
      || exception->type == EXC_PATH_MARGIN)
    put_doubles(dump, "value", &exception->delay, 1);
  if (exception->type == EXC_GROUP)
    text_printf(&dump->line, " %s",
                exception->group == NO_NAME ? "(default)"
                                            : names_text(dump->s->names, exception->group));
  put_flag(dump, "ignore_clock_latency", exception->ignore_clock_latency);
  put_flag(dump, "probe", exception->probe);
  put_values(dump, "weight", &exception->weight, 1);
  put_values(dump, "critical_range", &exception->critical_range, 1);
}

static void dump_exception(Dump *dump, const Exception *exception)
{
  static const char *const types[] = { "false_path", "multicycle_path", "max_delay",
                                       "min_delay",  "path_margin",     "group_path" };
  text_put(&dump->line, types[exception->type]);
  put_flag(dump, "setup", exception->checks == 1 << SETUP);
  put_flag(dump, "hold", exception->checks == 1 << HOLD);
  put_edges(dump, exception->end_edges);
  put_exception_values(dump, exception);
  if (exception->has_from) put_point(dump, "from", &exception->from);
  for (uint32_t i = 0; i < exception->through.len; i++)
    put_point(dump, "through", &exception->through.at[i]);
  if (exception->has_to) put_point(dump, "to", &exception->to);
  put_name(dump, "comment", exception->comment);
  end_line(dump);
}

static void dump_exceptions(Dump *dump)
{
  const Constraints *c = dump->c;
  for (uint32_t i = 0; i < c->exceptions.len; i++)
    if (!c->exceptions.at[i].deleted) dump_exception(dump, &c->exceptions.at[i]);
  for (uint32_t i = 0; i < c->clock_groups.len; i++)
    if (!c->clock_groups.at[i].deleted) dump_groups(dump, &c->clock_groups.at[i]);
}

static void dump_derate(Dump *dump, const Derate *derate)
{
  static const char *const kinds[DERATE_KIND_COUNT][2] = {
    { "cell_delay_data", "cell_delay_clock" },
    { "net_delay_data", "net_delay_clock" },
    { "cell_check_data", "cell_check_clock" }
  };
  text_put(&dump->line, "derate");
  put_object(dump, derate->object);
  for (int k = 0; k < DERATE_KIND_COUNT; k++)
    for (int p = PATH_DATA; p <= PATH_CLOCK; p++)
      PUT_VALUES(dump, kinds[k][p], derate->factor[k][p]);
  end_line(dump);
}

static void dump_gating(Dump *dump, const GatingCheck *check)
{
  text_put(&dump->line, "gating_check");
  put_object(dump, check->object);
  PUT_VALUES(dump, "hold", check->margin[HOLD]);
  PUT_VALUES(dump, "setup", check->margin[SETUP]);
  if (check->open_value >= 0) text_put(&dump->line, check->open_value ? " high" : " low");
  end_line(dump);
}

static void dump_value(Dump *dump, const char *what, const ObjectValue *value)
{
  if (isnan(value->value)) return;      /* it was taken back */
  text_put(&dump->line, what);
  put_object(dump, value->object);
  put_values(dump, "value", &value->value, 1);
  end_line(dump);
}

static void dump_data_check(Dump *dump, const DataCheck *data_check)
{
  static const char *const words[2][2] = { { "rise_rise", "rise_fall" },
                                           { "fall_rise", "fall_fall" } };
  if (data_check_is_empty(data_check)) return;
  text_put(&dump->line, "data_check");
  put_pin(dump, "from", data_check->from);
  put_pin(dump, "to", data_check->to);
  put_clock(dump, "clock", data_check->clock);
  for (int check = HOLD; check <= SETUP; check++)
    for (int edges = 0; edges < 4; edges++) {
      float margin = data_check->margin[check][edges >> 1][edges & 1];
      if (!isnan(margin))
        text_printf(&dump->line, " %s_%s=%.6g", check == SETUP ? "setup" : "hold",
                    words[edges >> 1][edges & 1], (double)margin);
    }
  end_line(dump);
}

static void dump_checks(Dump *dump)
{
  static const char *const limits[LIMIT_COUNT] = { "max_transition",      "max_capacitance",
                                                   "min_capacitance",     "max_fanout",
                                                   "fanout_load",         "max_area",
                                                   "min_pulse_width_low", "min_pulse_width_high" };
  const Constraints *c = dump->c;
  for (uint32_t i = 0; i < c->derates.len; i++) dump_derate(dump, &c->derates.at[i]);
  for (uint32_t i = 0; i < c->gating_checks.len; i++) dump_gating(dump, &c->gating_checks.at[i]);
  for (uint32_t i = 0; i < c->time_borrow.len; i++)
    dump_value(dump, "max_time_borrow", &c->time_borrow.at[i]);
  for (int k = 0; k < LIMIT_COUNT; k++)
    for (uint32_t i = 0; i < c->limits[k].len; i++)
      dump_value(dump, limits[k], &c->limits[k].at[i]);
  for (uint32_t i = 0; i < c->data_checks.len; i++) dump_data_check(dump, &c->data_checks.at[i]);
  for (uint32_t i = 0; i < c->gating_disabled.len; i++) {
    text_put(&dump->line, "no_inferred_gating");
    put_object(dump, c->gating_disabled.at[i].object);
    end_line(dump);
  }
}

static void dump_constant(Dump *dump, const char *word, PinId pin, uint8_t value)
{
  static const char *const values[CASE_COUNT] = {
    [CASE_ZERO] = "zero", [CASE_ONE] = "one", [CASE_RISE] = "rise", [CASE_FALL] = "fall",
      [CASE_UNKNOWN] = "unknown" };
  text_put(&dump->line, word);
  put_pin(dump, "pin", pin);
  text_printf(&dump->line, " %s", values[value]);
  end_line(dump);
}

static void dump_logic(Dump *dump)
{
  const Constraints *c = dump->c;
  for (uint32_t i = 0; i < c->cases.len; i++) {
    const PinCase *pin_case = &c->cases.at[i];
    if (pin_case->is_case) dump_constant(dump, "case", pin_case->pin, pin_case->value);
    if (pin_case->logic != CASE_COUNT) dump_constant(dump, "logic", pin_case->pin, pin_case->logic);
  }
  for (uint32_t i = 0; i < c->disabled.len; i++) {
    text_put(&dump->line, "disable_timing");
    put_object(dump, c->disabled.at[i].object);
    put_name(dump, "from", c->disabled.at[i].from);
    put_name(dump, "to", c->disabled.at[i].to);
    end_line(dump);
  }
}

static void dump_ideal(Dump *dump)
{
  const Constraints *c = dump->c;
  for (uint32_t i = 0; i < c->ideal_sources.len; i++) {
    text_put(&dump->line, "ideal");
    put_pin(dump, "pin", c->ideal_sources.at[i].pin);
    put_flag(dump, "of_net", c->ideal_sources.at[i].of_net);
    put_flag(dump, "no_propagation", c->ideal_sources.at[i].no_propagation);
    end_line(dump);
  }
  for (uint32_t i = 0; i < c->ideal_pins.len; i++) {
    text_put(&dump->line, "ideal_values");
    put_pin(dump, "pin", c->ideal_pins.at[i].pin);
    PUT_VALUES(dump, "latency", c->ideal_pins.at[i].latency);
    PUT_VALUES(dump, "transition", c->ideal_pins.at[i].slew);
    end_line(dump);
  }
  static const char *const words[] = {
    [EARLY] = "operating_conditions early", [LATE] = "operating_conditions late"
  };
  for (int el = EARLY; el <= LATE; el++) {
    if (c->operating_condition[el] == NO_CONDITION) continue;
    text_printf(
        &dump->line, "%s %s", words[el],
        names_text(dump->s->names, dump->s->libs->conditions.at[c->operating_condition[el]].name));
    end_line(dump);
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
