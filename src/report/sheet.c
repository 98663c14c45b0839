/* Formats numbers, units and names in reports. */
#include "report/sheet.h"

#include <math.h>

enum { MOST_DIGITS = 30 };

const int sheet_conditions[CONDITION_COUNT] = { 0, 2, 1, 3 };

/* No "-0.000": a zero has no sign. */
static double without_sign(double value, int digits)
{
  return fabs(value) < 0.5 * pow(10, -digits) ? 0 : value;
}

void sheet_number(const Sheet *s, Text *t, double value)
{
  if (isnan(value)) text_char(t, '-');
  else if (isinf(value)) text_put(t, value > 0 ? "INF" : "-INF");
  else text_printf(t, "%.*f", s->digits, without_sign(value, s->digits));
}

int sheet_small_digits(double value, int digits)
{
  value = fabs(value);
  if (!(value > 0) || value >= 0.1 || isinf(value)) return digits;
  int most = digits - 1 - (int)floor(log10(value));
  if (digits == 0 || most > MOST_DIGITS) return digits;
  while (most > digits && fmod(nearbyint(value * pow(10, most)), 10) == 0) most--;
  return most;
}

/* Quantities outside of columns.  Times are in columns of sums, which all have the same digits. */
void sheet_unit(const Sheet *s, Text *t, UnitKind kind, double value)
{
  Sheet small = *s;
  value /= s->units->scale[kind];
  if (kind != UNIT_TIME) small.digits = sheet_small_digits(value, s->digits);
  sheet_number(&small, t, value);
}
void sheet_pin(const Sheet *s, Text *t, PinId pin)
{
  netlist_pin_name(s->netlist, pin, s->separator, t);
}

static void cell_unit(Grid *c, const Sheet *s, UnitKind kind, double value)
{
  sheet_unit(s, grid_open(c), kind, value);
  grid_close(c);
}

void cell_time(Grid *c, const Sheet *s, double ps) { cell_unit(c, s, UNIT_TIME, ps); }
void cell_cap(Grid *c, const Sheet *s, double ff) { cell_unit(c, s, UNIT_CAPACITANCE, ff); }
void cell_res(Grid *c, const Sheet *s, double kohm) { cell_unit(c, s, UNIT_RESISTANCE, kohm); }

void cell_small_time(Grid *c, const Sheet *s, double ps)
{
  Sheet small = *s;
  small.digits = sheet_small_digits(ps / s->units->scale[UNIT_TIME], s->digits);
  cell_time(c, &small, ps);
}

void cell_pin(Grid *c, const Sheet *s, PinId pin)
{
  if (pin != NO_PIN) sheet_pin(s, grid_open(c), pin);
  grid_close(c);
}

void cell_inst(Grid *c, const Sheet *s, InstId inst)
{
  if (inst != TOP_INST) netlist_inst_name(s->netlist, inst, s->separator, grid_open(c));
  grid_close(c);
}

void cell_net(Grid *c, const Sheet *s, NetId net)
{
  if (net == NO_NET) text_put(grid_open(c), "(unconnected)");
  else netlist_net_name(s->netlist, net, s->separator, grid_open(c));
  grid_close(c);
}

void cell_name(Grid *c, const Sheet *s, NameId name)
{
  grid_text(c, name == NO_NAME ? "" : names_text(s->netlist->names, name));
}

void cells_time4(Grid *c, const Sheet *s, const Cond4 *v)
{
  for (int i = 0; i < CONDITION_COUNT; i++) cell_time(c, s, v->v[sheet_conditions[i]]);
}

void cells_cap4(Grid *c, const Sheet *s, const Cond4 *v)
{
  for (int i = 0; i < CONDITION_COUNT; i++) cell_cap(c, s, v->v[sheet_conditions[i]]);
}

void sheet_clock_edge(const Sheet *s, Text *t, ClockEdge e)
{
  if (e == NO_CLOCK_EDGE) {
    text_put(t, "no clock");
    return;
  }
  text_printf(t, "%s %s",
              names_text(s->netlist->names, s->constraints->clocks.at[clock_edge_clock(e)].name),
              edge_name(clock_edge_edge(e)));
}

const char *sheet_arc_type(ArcType type)
{
  static const char *const names[ARC_TYPE_COUNT] = { [ARC_COMBINATIONAL] = "combinational",
                                                     [ARC_TRISTATE_ENABLE] = "tristate enable",
                                                     [ARC_TRISTATE_DISABLE] = "tristate disable",
                                                     [ARC_CLOCK_RISE] = "clock rise to output",
                                                     [ARC_CLOCK_FALL] = "clock fall to output",
                                                     [ARC_LATCH_ENABLE] = "latch enable to output",
                                                     [ARC_LATCH_DATA] = "latch data to output",
                                                     [ARC_PRESET] = "preset",
                                                     [ARC_CLEAR] = "clear",
                                                     [ARC_SETUP] = "setup",
                                                     [ARC_HOLD] = "hold",
                                                     [ARC_RECOVERY] = "recovery",
                                                     [ARC_REMOVAL] = "removal",
                                                     [ARC_NON_SEQ_SETUP] = "data setup",
                                                     [ARC_NON_SEQ_HOLD] = "data hold",
                                                     [ARC_NOCHANGE] = "no change",
                                                     [ARC_NOCHANGE_LOW] = "no change",
                                                     [ARC_SKEW] = "skew",
                                                     [ARC_MIN_PULSE_WIDTH] = "pulse width",
                                                     [ARC_MIN_PERIOD] = "period" };
  return type < ARC_TYPE_COUNT && names[type] ? names[type] : "other";
}
