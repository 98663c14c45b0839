/* A sheet is what a report is written on: the text, and the formats of names and numbers. */
#ifndef SL_REPORT_SHEET_H
#define SL_REPORT_SHEET_H

#include "timing/timing.h"
#include "report/grid.h"

typedef struct {
  const Netlist     *netlist;
  const LibrarySet  *libs;
  const Constraints *constraints;
  const UnitSet     *units;
  char  separator;
  int   digits;
  Text *out;
} Sheet;

/* Write internal numbers in the user's units. NAN becomes "-", infinity and absent times "INF". */
void sheet_number(const Sheet *sheet, Text *text, double value);          /* without unit */
/* Returns the digits after the point that show `digits` significant digits of a value near 0,
   without zeros at the end. */
int  sheet_small_digits(double value, int digits);
/* Writes a quantity of any kind with significant digits, as for all quantities except times. */
void sheet_unit(const Sheet *sheet, Text *text, UnitKind kind, double value);
void sheet_pin(const Sheet *sheet, Text *text, PinId pin);

/* Add a cell to a table. */
void cell_time(Grid *grid, const Sheet *sheet, double ps);
void cell_small_time(Grid *grid, const Sheet *sheet, double ps); /* with significant digits */
void cell_cap(Grid *grid, const Sheet *sheet, double ff);
void cell_res(Grid *grid, const Sheet *sheet, double kohm);
void cell_pin(Grid *grid, const Sheet *sheet, PinId pin);
void cell_inst(Grid *grid, const Sheet *sheet, InstId inst);
void cell_net(Grid *grid, const Sheet *sheet, NetId net);
void cell_name(Grid *grid, const Sheet *sheet, NameId name);
/* Add four cells: rise early, rise late, fall early, fall late. */
void cells_time4(Grid *grid, const Sheet *sheet, const Cond4 *conditions);
void cells_cap4(Grid *grid, const Sheet *sheet, const Cond4 *conditions);
#define HEAD4 "rise early|rise late|fall early|fall late"

/* Writes "clk rise" or "no clock". */
void sheet_clock_edge(const Sheet *sheet, Text *text, ClockEdge e);

/* Returns the name of an arc type in reports: "combinational", "clock to output", "setup". */
const char *sheet_arc_type(ArcType type);

static inline const char *edge_name(int edge) { return edge == RISE ? "rise" : "fall"; }
/* The conditions in the order of reports. */
extern const int sheet_conditions[CONDITION_COUNT];

#endif
