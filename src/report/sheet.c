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

void sheet_number(const Sheet *sheet, Text *text, double value)
{
  if (isnan(value)) text_char(text, '-');
  else if (isinf(value)) text_put(text, value > 0 ? "INF" : "-INF");
  else text_printf(text, "%.*f", sheet->digits, without_sign(value, sheet->digits));
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
void sheet_unit(const Sheet *sheet, Text *text, UnitKind kind, double value)
{
  Sheet small = *sheet;
  value /= sheet->units->scale[kind];
  if (kind != UNIT_TIME) small.digits = sheet_small_digits(value, sheet->digits);
  sheet_number(&small, text, value);
}
void sheet_pin(const Sheet *sheet, Text *text, PinId pin)
{
  netlist_pin_name(sheet->netlist, pin, sheet->separator, text);
}

static void cell_unit(Grid *grid, const Sheet *sheet, UnitKind kind, double value)
{
  sheet_unit(sheet, grid_open(grid), kind, value);
  grid_close(grid);
}

void cell_time(Grid *grid, const Sheet *sheet, double ps) { cell_unit(grid, sheet, UNIT_TIME, ps); }
void cell_cap(Grid *grid, const Sheet *sheet, double ff)
{
  cell_unit(grid, sheet, UNIT_CAPACITANCE, ff);
}
void cell_res(Grid *grid, const Sheet *sheet, double kohm)
{
  cell_unit(grid, sheet, UNIT_RESISTANCE, kohm);
}

void cell_small_time(Grid *grid, const Sheet *sheet, double ps)
{
  Sheet small = *sheet;
  small.digits = sheet_small_digits(ps / sheet->units->scale[UNIT_TIME], sheet->digits);
  cell_time(grid, &small, ps);
}

void cell_pin(Grid *grid, const Sheet *sheet, PinId pin)
{
  if (pin != NO_PIN) sheet_pin(sheet, grid_open(grid), pin);
  grid_close(grid);
}

void cell_inst(Grid *grid, const Sheet *sheet, InstId inst)
{
  if (inst != TOP_INST) netlist_inst_name(sheet->netlist, inst, sheet->separator, grid_open(grid));
  grid_close(grid);
}

void cell_net(Grid *grid, const Sheet *sheet, NetId net)
{
  if (net == NO_NET) text_put(grid_open(grid), "(unconnected)");
  else netlist_net_name(sheet->netlist, net, sheet->separator, grid_open(grid));
  grid_close(grid);
}

void cell_name(Grid *grid, const Sheet *sheet, NameId name)
{
  grid_text(grid, name == NO_NAME ? "" : names_text(sheet->netlist->names, name));
}

void cells_time4(Grid *grid, const Sheet *sheet, const Cond4 *conditions)
{
  for (int i = 0; i < CONDITION_COUNT; i++)
    cell_time(grid, sheet, conditions->v[sheet_conditions[i]]);
}

void cells_cap4(Grid *grid, const Sheet *sheet, const Cond4 *conditions)
{
  for (int i = 0; i < CONDITION_COUNT; i++)
    cell_cap(grid, sheet, conditions->v[sheet_conditions[i]]);
}

void sheet_clock_edge(const Sheet *sheet, Text *text, ClockEdge e)
{
  if (e == NO_CLOCK_EDGE) {
    text_put(text, "no clock");
    return;
  }
  text_printf(
      text, "%s %s",
      names_text(sheet->netlist->names, sheet->constraints->clocks.at[clock_edge_clock(e)].name),
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
