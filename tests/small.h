/* Small designs from text for the tests of graph and engine.

   Cells INV, BUF, AND2, OR2, XOR2, MUX2, DFF, LAT (see small.c) count in ps and fF.  All delay
   tables are planes:
       delay    = base + 0.1 input slew + 2 load       (base: 10 of rising outputs, 12 of falling ones)
       out slew = 5 + 0.2 input slew + 1 load
   inputs have 1 fF; AND2X3 and OR2X3 are three times as strong: 3 fF, a third of what load adds;
   DFF's setup is 20 + 0.1 data slew, its hold 4, the latch's setup 15. Arcs from B have sigma
   tables, 1 + 0.01 input slew + 0.1 load (1.5 + ... falling), and the DFF's hold of rising data, 2
   + 0.01 data slew; they count where a Variation says so. */
#ifndef SL_TESTS_SMALL_H
#define SL_TESTS_SMALL_H

#include "update/timer.h"
#include "read/link/link.h"

typedef struct {
  Log          *log;
  Names        *names;
  LibrarySet   *libs;
  VerilogFiles *files;
  Netlist      *netlist;
  Constraints  *constraints;
  Parasitics   *parasitics;
  Timer        *timer;
} Small;

/* The modules in text, linked, without constraints; a fresh test_log. */
Small *small_new(const char *verilog);
void   small_free(Small *s);

PinId   small_pin(const Small *s, const char *name);        /* of a pin or port, which must be
                                                               there */
InstId  small_inst(const Small *s, const char *name);
CellId  small_cell(const Small *s, const char *name);
ClockId small_clock(Small *s, const char *name, double period, double rise, double fall,
                    const char *source);

/* Another master for an instance, of which both timers are told; false: it has it, or cannot. */
bool    small_swap(Small *s, const char *inst, const char *master, Timer *a, Timer *b);

/* Graph and numbers of the present constraints. */
const Graph  *small_graph(Small *s);
const Timing *small_timing(Small *s);

Slot   small_slot(const Small *s, const char *pin, bool as_driver);
/* The node of a tag without exceptions' progress; NO_NODE_ID where it is not there or nothing can
   arrive in it. */
NodeId small_node(const Small *s, const char *pin, bool as_driver, ClockEdge edge, bool is_clock);
float  small_arrival(const Small *s, const char *pin, ClockEdge edge, bool is_clock, int condition);
/* PathEnd of a type at a pin whose data can arrive, by number among those; NULL. */
const PathEnd *small_row(const Small *s, const char *pin, PathEndType type, uint32_t number);
float  small_slack(const Small *s, const char *pin, PathEndType type, int edge);      /* of row 0 */
uint32_t small_row_count(const Small *s, const char *pin);

#endif
