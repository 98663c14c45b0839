/* Small designs and small libraries for the unit tests. Tests make no designs of their own. A test
   of code that makes a design, such as the builder of netlists, calls this code itself. It takes
   the names, the cells and the questions about the result from here.

   small.c         designs from text, with a library of gates; the example design; their queries
   small_parts.c   cells of libraries, nets and instances one by one; questions about nets and wires
   small_random.c  random layers of gates between registers
   small_credit.c  random clock trees, for common path credit
   small_drivers.c random drivers and loads, for the mathematics

   The library of gates:

   The cells are INV, BUF, AND2, OR2, XOR2, MUX2, DFF and LAT (see small.c).  Their units are ps and
   fF.  All delay tables are planes:
       delay    = base + 0.1 input slew + 2 load       (base: 10 of rising outputs, 12 of falling)
       out slew = 5 + 0.2 input slew + 1 load
   An input has 1 fF.  AND2X3 and OR2X3 are three times as strong: their inputs have 3 fF, and load
   adds a third.  The setup time of DFF is 20 + 0.1 data slew and its hold time 4; the setup time of
   the latch is 15.  Arcs from B have sigma tables of 1 + 0.01 input slew + 0.1 load (1.5 + ... for
   falling outputs).  The hold time of DFF for rising data has a sigma of 2 + 0.01 data slew.  Sigma
   counts if a Variation says so. */
#ifndef SL_TESTS_SMALL_H
#define SL_TESTS_SMALL_H

#include "math/driver.h"
#include "read/link/link.h"
#include "timing/corner_libs.h"
#include "update/timer.h"

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

/* Reads and links the modules of a text, without constraints. Begins a new test_log. */
Small *small_new(const char *verilog);
/* The same with another library, given as Liberty text. */
Small *small_with(const char *library, const char *verilog);
/* The same in steps: begins with no library and no netlist, reads a library, reads and links
   modules. The files are called small.lib and small.v in messages. */
Small *small_start(void);
void   small_read_library(Small *small, const char *text);
void   small_link(Small *small, const char *verilog);
/* Reads the design of scripts/example with its parasitics. Returns NULL if a file cannot be
   read. */
Small *small_example(void);
void   small_free(Small *small);

PinId   small_pin(const Small *small, const char *name);        /* a pin or port; it must exist */
InstId  small_inst(const Small *small, const char *name);
CellId  small_cell(const Small *small, const char *name);
ClockId small_clock(Small *small, const char *name, double period, double rise, double fall,
                    const char *source);

/* Gives an instance another master and tells both timers. Returns false if the instance has that
   master already or cannot have it. */
bool    small_swap(Small *small, const char *inst, const char *master, Timer *a, Timer *b);

/* Returns the timer, which has one thread. The first call makes it. It need not be up to date. */
Timer        *small_timer(Small *small);
/* Return the graph, and the numbers, for the present constraints. */
const Graph  *small_graph(Small *small);
const Timing *small_timing(Small *small);

Slot   small_slot(const Small *small, const char *pin, bool as_driver);
/* Returns the node of a tag without progress through exceptions. Returns NO_NODE_ID if there is no
   such node or nothing can arrive at it. */
NodeId small_node(const Small *small, const char *pin, bool as_driver, ClockEdge edge,
                  bool is_clock);
float small_arrival(const Small *small, const char *pin, ClockEdge edge, bool is_clock,
                    int condition);
/* Returns a path end of a type at a pin, counting only path ends whose data can arrive. Returns
   NULL if there are fewer. */
const PathEnd *small_row(const Small *small, const char *pin, PathEndType type, uint32_t number);
/* Returns the slack of path end 0 of a type. */
float  small_slack(const Small *small, const char *pin, PathEndType type, int edge);
uint32_t small_row_count(const Small *small, const char *pin);

/* --- parts (small_parts.c) -------------------------------------------------------------------- */

NameId small_name(const Small *small, const char *text);

/* Add to the set of libraries what a test names: a library, a cell without ports, a port, and a
   cell with an output Y and inputs of one letter each.  The caller calls library_begin and
   library_commit if the cell must be found by name. */
LibraryId small_library(Small *small, const char *name, bool early, bool late);
CellId    small_bare_cell(Small *small, LibraryId library, const char *name);
PortId    small_port(Small *small, CellId cell, const char *name, Direction direction);
CellId small_gate(Small *small, LibraryId library, const char *name, const char *inputs,
                  const char *function);
/* Adds a black box, which is found by name at once.  Its pins have names of one letter each. */
CellId    small_box(Small *small, const char *name, const char *inputs, char output);

/* Add to the netlist with the functions of db/netlist.h: a segment, an instance of a library cell;
   connect a pin, which is returned. */
SegId  small_seg(Small *small, InstId scope, const char *name);
InstId small_leaf(Small *small, InstId scope, const char *name, CellId cell);
PinId  small_attach(Small *small, const char *pin, SegId seg);

/* Returns the name of the net of a pin or port; "-" if it is open, "none" if there is no such pin.
   It is valid until the function is called eight times more. */
const char *small_net_name(const Netlist *n, const char *path);

/* Builds the tree of the driver's net. Returns how many loads no piece reaches. */
uint32_t small_tree(const Small *small, RcTree *tree, PinId driver);
/* Returns the Elmore delay of the wire alone at a pin, for trees of up to 16 nodes; -1 without a
   tap. */
double   small_elmore(const RcTree *tree, PinId at);

/* --- random layers (small_random.c) ----------------------------------------------------------- */

/* Returns a random number below limit. The state is the seed of the next number. */
uint32_t small_random(uint32_t *state, uint32_t limit);

/* Module top: inputs clk, i0 and i1, output o0, nets n[0].. of inputs and registers (FF), then one
   of each gate.  Gates are cells G0.. with pins A, B and Y.  The last nets and some others end at
   registers and the port. */
typedef struct {
  int starts, gates, ends;         /* numbers of starts (i0, i1, registers), of gates, and of
                                      registers at ends */
  uint32_t kinds;                  /* kinds of gates */
  const char *clock_gate;          /* cell and pin B of the gate on the clock of one register */
  bool gated_ends;                 /* all registers at ends but one have the gated clock, too */
} SmallLayers;
void small_put_layers(Text *verilog, const SmallLayers *layers, uint32_t *random);
/* Makes a propagated clock of 500 ps at clk, and delays at the inputs and the output. */
void small_constrain_layers(Small *small);

/* --- random clock trees (small_credit.c) ------------------------------------------------------ */

/* Designs whose clock paths have much in common, with late and early derates. Clock cells c0.. form
   a tree, with gates where branches meet again. There are registers f0.. and gates g0...
   CREDIT_DIVIDED: a divided clock starts at the register div and has buffers b0.. of its own.
   CREDIT_LATCHES: some of the gates are latches, and the clock is too fast for many of them. */
typedef enum { CREDIT_PLAIN, CREDIT_DIVIDED, CREDIT_LATCHES, CREDIT_DATA_CHECKS } CreditKind;

/* times: multiplies the number of all cells; 1 gives a few cells. */
Small *credit_design(unsigned *seed, CreditKind kind, uint32_t times);

/* --- random drivers and pi loads, with their solution by math/driver.h (small_drivers.c) ------ */

enum { DRIVER_SEGMENTS = 6 };

typedef struct {
  float data[2][7 + 7 + 49];       /* delay and slew tables, 7 by 7 */
  float input_slew;
  float c_far, c_near, r_pi;
  Thresholds v;
  int   ramp_base;
} DriverCase;

/* Makes libraries with several thresholds. The caller frees both. */
CornerLibs *driver_libs(LibrarySet **libs, Names **names);

DriverCase     driver_random(const CornerLibs *libs, unsigned *seed);
/* model: of DELAY_WAVE_MODELS. */
DriverSolution driver_scalar(DelayModel model, const CornerLibs *libs,
                             const DriverCase *driver_case);
float          driver_uniform(unsigned *seed, float low, float high);

#endif
