/* Cell libraries: what Liberty files say, resolved to flat arrays over all libraries read.

   Ids are indices into the arrays of one LibrarySet; they never move or change meaning while it
   lives. Units are the internal ones (ps, fF, kOhm, V, nW, um^2): scaled once, by the reader. A
   library is added between library_begin and library_commit or library_rollback, so that a file
   that turns out to be bad leaves nothing behind.

     LibrarySet
       Library   name, units, thresholds, defaults
         LibCell   ports [first_port, +port_count), arcs [first_arc, +arc_count), sequentials
           LibPort   direction, capacitance by condition, limits, function
           LibArc    from port -> to port, type, sense, condition, tables
             Table     two axes and values in one pool of floats
 */
#ifndef SL_DB_LIBRARY_H
#define SL_DB_LIBRARY_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/text.h"
#include "base/units.h"
#include "math/condition.h"

typedef uint32_t LibraryId, CellId, PortId, LibArcId, TableId, FunctionId, SequentialId, BusId;
#define NO_LIBRARY  UINT32_MAX
#define NO_CELL     UINT32_MAX
#define NO_PORT     UINT32_MAX
#define NO_LIB_ARC  UINT32_MAX
#define NO_TABLE    UINT32_MAX
#define NO_FUNCTION UINT32_MAX
#define NO_BUS      UINT32_MAX

typedef enum {
  DIR_UNKNOWN,
  DIR_INPUT,
  DIR_OUTPUT,
  DIR_INOUT,
  DIR_INTERNAL,
  DIR_POWER,
  DIR_GROUND
} Direction;

/* --- tables -------------------------------------------------------------------------------------

   A table of n1 x n2 values: axis 1 is the input slew (delay tables) or the related (clock) pin's slew
   (constraint tables); axis 2 the output load, or the constrained pin's slew.  The reader transposes to
   that order.  An absent axis has n = 1 and the value 0.  At pool[first]: n1 axis values, n2 axis
   values, n1*n2 values with axis 2 innermost.  Axes rise strictly. */
typedef struct {
  uint32_t first;
  uint16_t n1, n2;
} Table;

/* --- Boolean functions: reverse Polish programs in the pool function_ops, ended by OP_END. ---- */
typedef enum { OP_END, OP_ZERO, OP_ONE, OP_PORT, OP_NOT, OP_AND, OP_OR, OP_XOR } FunctionOp;
/* An op is FunctionOp in the low 3 bits; above it, for OP_PORT, the PortId.  Internal state
   variables of ff/latch/statetable are ports of direction DIR_INTERNAL (declared, or made by the
   reader with is_state set, which are no pins of the design). */
static inline uint32_t function_op(FunctionOp op, uint32_t port)
{
  return (uint32_t)op | port << 3;
}

/* --- arcs ------------------------------------------------------------------------------------- */
typedef enum {
  /* delay arcs */
  ARC_COMBINATIONAL,
  ARC_TRISTATE_ENABLE,
  ARC_TRISTATE_DISABLE,
  ARC_CLOCK_RISE, /* rising_edge: register clock (or latch enable opening) to output */
  ARC_CLOCK_FALL, /* falling_edge */
  ARC_LATCH_ENABLE, /* enable to output of a latch: clock edge type in `edge` */
  ARC_LATCH_DATA, /* data to output of a latch */
  ARC_PRESET,
  ARC_CLEAR,
  /* checks: from is the related (clock) pin, edge its transition; to is the constrained pin */
  ARC_SETUP,
  ARC_HOLD,
  ARC_RECOVERY,
  ARC_REMOVAL,
  ARC_NON_SEQ_SETUP,
  ARC_NON_SEQ_HOLD,
  ARC_NOCHANGE,
  ARC_NOCHANGE_LOW, /* the constrained pin must stay high (low) while the related pin has the level that
                                  `edge` begins: delay[] has the margin of the edge that begins the constrained pin's
                                  pulse before the leading edge, and of the one that ends it after the trailing edge */
  ARC_SKEW,
  ARC_MIN_PULSE_WIDTH,
  ARC_MIN_PERIOD,
  ARC_OTHER,
  ARC_TYPE_COUNT
} ArcType;

enum { EDGE_ANY = 2 };

typedef enum { SENSE_POSITIVE, SENSE_NEGATIVE, SENSE_NONE } ArcSense;    /* NONE: non-unate */

typedef struct {
  PortId     from, to;
  uint8_t    type;             /* ArcType */
  uint8_t    sense;            /* ArcSense; resolved from the function where the file is silent */
  uint8_t edge; /* RISE or FALL of `from`, for ARC_CLOCK_*, ARC_LATCH_ENABLE, checks, and where the
                                  three_state function tells ARC_TRISTATE_*; EDGE_ANY otherwise */
  uint8_t    output_edges;     /* bit RISE, bit FALL: which output edges exist (combinational_rise,
                                  ...) */
  bool       always;           /* no condition, and none of siblings takes over: of a mode that no
                                  condition tells */
  FunctionId when;             /* NO_FUNCTION: unconditional */
  NameId     sdf_cond;         /* text of sdf_cond or when, for SDF and tables */
  TableId    delay[2];         /* by edge of `to`; for checks: the constraint by edge of `to` */
  TableId    slew[2];          /* by edge of `to`; NO_TABLE for checks */
  TableId    sigma_delay[4];   /* ocv_sigma cell/constraint tables {early rise, early fall, late
                                  rise, late fall}; NO_TABLE when absent */
  TableId    sigma_slew[4];
  uint32_t
      early; /* how far behind this arc, and its cell's arcs, that with its retaining tables is, which early
                                  times come from; 0: it has none */
} LibArc;

/* Holds where no sibling's condition does. */
static inline bool lib_arc_is_default(const LibArc *a)
{
  return a->when == NO_FUNCTION && !a->always;
}

/* From a register's clock or a latch's enable to its output. */
static inline bool arc_type_is_launch(ArcType t)
{
  return t == ARC_CLOCK_RISE || t == ARC_CLOCK_FALL || t == ARC_LATCH_ENABLE;
}
/* From an input to an output without a state between: clocks pass such arcs. */
static inline bool arc_type_passes(ArcType t)
{
  return t == ARC_COMBINATIONAL || t == ARC_TRISTATE_ENABLE || t == ARC_TRISTATE_DISABLE;
}
static inline bool arc_type_is_nochange(ArcType t)
{
  return t == ARC_NOCHANGE || t == ARC_NOCHANGE_LOW;
}
static inline bool arc_type_is_check(ArcType t) { return t >= ARC_SETUP && t <= ARC_MIN_PERIOD; }
/* Checks of early data against a late clock. */
static inline bool arc_type_checks_early(ArcType t)
{
  return t == ARC_HOLD || t == ARC_REMOVAL || t == ARC_NON_SEQ_HOLD;
}

/* min_pulse_width arcs have from == to; delay[RISE] is the least width of the high pulse,
   delay[FALL] of the low one. Files index such tables by either axis: look them up with the pin's
   own slew for both. */

/* Input edges that can cause output edge `out` through a delay arc, or that check edge `out`: bit
   RISE, bit FALL. */
uint32_t lib_arc_input_edges(const LibArc *arc, int out);

/* --- ports ------------------------------------------------------------------------------------ */
typedef struct {
  NameId     name;                       /* bits of buses: "A[3]" */
  CellId     cell;
  uint8_t    direction;                  /* Direction */
  bool       is_clock;                   /* clock : true */
  bool       is_state;                   /* a state variable the reader made: no pin */
  float      cap[CONDITION_COUNT];       /* early: minimum of a capacitance range, late: maximum */
  float      cap_nominal;                /* the `capacitance` attribute */
  /* NAN where not given */
  float      max_cap, min_cap, max_slew, min_slew, max_fanout, min_fanout, fanout_load;
  float      min_pulse_high, min_pulse_low, min_period;              /* NAN where not given */
  FunctionId function, three_state;
  BusId      bus;                        /* NO_BUS for scalars */
} LibPort;

static inline bool lib_port_has_limits(const LibPort *p)
{
  return !isnan(p->min_pulse_high) || !isnan(p->min_pulse_low) || !isnan(p->min_period);
}

typedef struct {
  NameId  name;                          /* "A" */
  CellId  cell;
  PortId  first;                         /* port of index `from` */
  int32_t from, to;                      /* ports are first, first+1, ... in the order from..to */
} LibBus;

/* --- sequential elements ---------------------------------------------------------------------- */
typedef struct {
  bool       is_latch;
  FunctionId clock;                      /* clocked_on or enable */
  FunctionId data;                       /* next_state or data_in */
  FunctionId clear, preset;
  PortId     state, state_inverted;      /* ports of direction DIR_INTERNAL */
} LibSequential;

/* --- cells ------------------------------------------------------------------------------------ */
enum { /* LibCell.flags */
       CELL_DONT_USE = 1,
       CELL_MACRO = 2,
       CELL_MEMORY = 4,
       CELL_PAD = 8,
       CELL_SEQUENTIAL = 16,
       CELL_CLOCK_GATE = 32,
       CELL_BLACK_BOX = 64,
       CELL_TEST_SCAN = 128,
       CELL_STATETABLE = 256,
       CELL_DONT_TOUCH = 512,
       CELL_SCALED = 1024 /* a scaled_cell: numbers of another cell, found by no
                                            name */
};

typedef struct {
  NameId       name;
  LibraryId    library;
  PortId       first_port;
  uint32_t     port_count;               /* in file order; power and ground pins are not ports */
  LibArcId     first_arc;
  uint32_t     arc_count;
  SequentialId first_sequential;
  uint32_t     sequential_count;
  BusId        first_bus;
  uint32_t     bus_count;
  uint32_t     flags;
  float        area, leakage;
  NameId       footprint;
  NameId       gate_kind;                /* clock_gating_integrated_cell's text */
  NameId       derates;                  /* ocv_derate_group; NO_NAME: the library's default */
  uint32_t     factors;                  /* scaling_factors: index in factor_sets + 1; 0: the
                                            library's */
} LibCell;

/* --- libraries -------------------------------------------------------------------------------- */
/* How a wire load's resistance lies before the loads: none of it, a branch for each, all of it
   before all. */
typedef enum { TREE_BALANCED, TREE_BEST, TREE_WORST } TreeType;

typedef struct {
  NameId  name;
  float   process, voltage, temperature;
  uint8_t tree;                          /* TreeType; balanced where the file is silent */
} OperatingConditions;

/* What k_process_..., k_volt_... and k_temp_... scale; by edge where there are two. */
typedef enum {
  SCALE_CELL,
  SCALE_TRANSITION = SCALE_CELL + 2,
  SCALE_SETUP = SCALE_TRANSITION + 2,
  SCALE_HOLD = SCALE_SETUP + 2,
  SCALE_RECOVERY = SCALE_HOLD + 2,
  SCALE_REMOVAL = SCALE_RECOVERY + 2,
  SCALE_PIN_CAP = SCALE_REMOVAL + 2,
  SCALE_WIRE_CAP,
  SCALE_WIRE_RES,
  SCALE_PULSE /* RISE: high */,
  SCALE_PERIOD = SCALE_PULSE + 2,
  SCALE_SKEW,
  SCALE_NOCHANGE = SCALE_SKEW + 2,
  SCALE_COUNT = SCALE_NOCHANGE + 2
} ScaleKind;
enum { SCALE_BY_PROCESS, SCALE_BY_VOLTAGE, SCALE_BY_TEMPERATURE, SCALE_BY_COUNT };
/* Relative changes for a change of 1 from the nominal point; 0: none. */
typedef struct { float k[SCALE_COUNT][SCALE_BY_COUNT]; } ScaleFactors;

/* scaling_factors (name): factors of the cells that name it, in place of the library's. */
typedef struct {
  LibraryId    library;
  NameId       name;
  ScaleFactors factors;
} FactorSet;

/* scaled_cell (cell, condition): under the operating condition the numbers of the cell are those of
   `scaled`. */
typedef struct {
  CellId cell, scaled;                   /* cell: NO_CELL where the library has none of the name */
  NameId condition;
} ScaledCell;

typedef struct {                         /* of the whole library unless it is one of a list */
  NameId  name;
  NameId  file;
  UnitSet units;
  bool    for_early, for_late;           /* read_liberty -min / -max; both when neither was given */
  bool    of_corners;                    /* read for corners that were named: serves no others */
  float   input_threshold[2], output_threshold[2];       /* fractions (0.5), by edge */
  float   slew_lower[2], slew_upper[2];                   /* fractions, by edge */
  float   slew_derate;
  float   nom_process, nom_voltage, nom_temperature;
  /* NAN where not given */
  float   default_max_slew, default_max_cap, default_max_fanout, default_fanout_load;
  float   default_input_cap, default_output_cap, default_inout_cap;
  NameId  default_operating_conditions, default_wire_load, default_wire_load_mode;
  NameId  default_derates;               /* default_ocv_derate_group */
  ScaleFactors factors;
  CellId  first_cell;
  uint32_t cell_count;
} Library;

/* Internal power and leakage groups, kept for later use: the raw numbers of one group. */
typedef struct {
  CellId     cell;
  PortId     port, related;              /* NO_PORT: of the cell */
  FunctionId when;
  TableId    power[2];                   /* rise_power, fall_power; a leakage_power has a scalar in
                                            [0] */
} LibPower;

typedef struct {
  LibraryId library;
  NameId    name;
  float     resistance, capacitance, slope;       /* per length unit */
  uint32_t  first_length, length_count;           /* in wire_lengths: pairs fanout, length */
} WireLoad;

typedef struct {                         /* one line of a wire_load_selection: areas [min_area,
                                            max_area) use wire_load */
  LibraryId library;
  NameId    name, wire_load;
  float     min_area, max_area;
} WireLoadSelection;

typedef struct {                         /* one ocv_derate_factors group of ocv_derate (name): a
                                            table of distance and depth */
  LibraryId library;
  CellId    cell;                        /* whose group it is; NO_CELL: the library's */
  NameId    name;
  TableId   table;
  uint8_t   conditions;                  /* bits by condition_of() */
  uint8_t   paths;                       /* bit 0: data, bit 1: clock */
} LibDerate;

typedef struct {                         /* a pg_pin: no port, but a name that netlists may
                                            connect */
  CellId  cell;
  NameId  name;
  uint8_t direction;                     /* DIR_POWER or DIR_GROUND */
} PowerPin;

/* What stands for an arc of a cell with the numbers of another library's cell, where the arcs of
   the two differ. */
typedef struct { LibArcId arc[2]; } StandIn;       /* by EARLY/LATE */

typedef struct LibrarySet {
  Names *names;                          /* shared with the netlist; not owned */
  ARRAY(Library) libraries;
  ARRAY(LibCell) cells;
  ARRAY(LibPort) ports;
  ARRAY(LibBus) buses;
  ARRAY(LibArc) arcs;
  ARRAY(LibSequential) sequentials;
  ARRAY(Table) tables;
  ARRAY(float) pool;
  ARRAY(uint32_t) function_ops;
  ARRAY(LibPower) powers;
  ARRAY(OperatingConditions) conditions;
  ARRAY(LibraryId) condition_library;    /* beside conditions */
  ARRAY(WireLoad) wire_loads;
  ARRAY(float) wire_lengths;
  ARRAY(WireLoadSelection) selections;
  ARRAY(PowerPin) power_pins;
  ARRAY(FactorSet) factor_sets;
  ARRAY(ScaledCell) scaled_cells;
  ARRAY(LibDerate) derates;
  ARRAY(StandIn) stand_ins;
  Map *stand_in_of;                      /* hash_pair(arc, cell of the other library) -> index in
                                            stand_ins */
  Map *power_pin_by_name;                /* hash_pair(cell, name) -> index in power_pins */
  Map *cell_in;                          /* hash_pair(library, name) -> CellId */
  Map *port_by_name;                     /* hash_pair(cell, name) -> PortId */
  Map *cell_by_name;                     /* name -> first CellId of that name that linking may
                                            use */
} LibrarySet;

LibrarySet *library_set_new(Names *names);
void        library_set_free(LibrarySet *set);

/* Begins a library; cells and so on are then appended to the arrays.  Mark remembers where they
   stood. */
typedef struct { uint32_t len[19]; } LibraryMark;
LibraryMark library_begin(LibrarySet *set);
void        library_rollback(LibrarySet *set, const LibraryMark *mark);
/* Enters the names of the cells added since the mark; the first library that has a cell of a name
   keeps it. */
void        library_commit(LibrarySet *set, const LibraryMark *mark);

LibraryId library_find(const LibrarySet *set, const char *name);           /* NO_LIBRARY */
/* the one that linking uses; NO_CELL */
CellId    library_find_cell(const LibrarySet *set, NameId name);
CellId    library_find_cell_in(const LibrarySet *set, LibraryId library, NameId name);
PortId    library_find_port(const LibrarySet *set, CellId cell, NameId name);   /* NO_PORT */
BusId     library_find_bus(const LibrarySet *set, CellId cell, NameId name);    /* NO_BUS */

/* Have the ocv_derate groups of a cell, or for NO_CELL of the library, a table of that name? */
bool library_has_derate(const LibrarySet *set, LibraryId library, CellId cell, NameId name);

/* DIR_POWER or DIR_GROUND when the cell has a power pin of that name, DIR_UNKNOWN otherwise. */
Direction library_power_pin(const LibrarySet *set, CellId cell, NameId name);

/* The cell of the same name that a condition's numbers come from: libraries read with -min serve
   EARLY only, with -max LATE only, and go before those that serve both.  Without a counterpart: the
   cell itself. */
CellId library_cell_for(const LibrarySet *set, CellId cell, int early_late);
/* The arc of `other` (a cell of the same name) that corresponds to `arc`: same ports, type, sense,
   edge and condition; the nearest in order among equals; NO_LIB_ARC when there is none. */
LibArcId library_same_arc(const LibrarySet *set, LibArcId arc, CellId other);
/* The arc whose tables stand for those of `arc` in an analysis with the numbers of `other`: the
   same arc, or where the two cells' arcs differ the worst (db/library_match.h); NO_LIB_ARC when
   there is none. */
LibArcId library_arc_for(const LibrarySet *set, LibArcId arc, CellId other, int early_late);

/* A cell that the netlist needs and no library has: ports are added as connections show them.  The
   ports of a cell stay one range: when other ports were added in between, the range moves to the
   end of `ports` and the old entries stay as they were, so add all ports of a black box before
   making pins of them. */
CellId library_add_black_box(LibrarySet *set, NameId name);
PortId library_add_black_box_port(LibrarySet *set, CellId cell, NameId name, Direction direction);

/* Adds a table; values are copied.  axis1/axis2 NULL where absent. */
TableId library_add_table(LibrarySet *set, const float *axis1, uint32_t n1, const float *axis2,
                          uint32_t n2, const float *values);
/* Value of a table at (x1, x2): bilinear, linear extrapolation beyond the axes. */
float   library_table_value(const LibrarySet *set, TableId table, float x1, float x2);

/* The lesser or larger of two tables at every place: one of them where it is so everywhere, else a
   new one, which has the values of both axes and so is never on the wrong side of either.  NO_TABLE
   gives way to the other. */
TableId library_worse_table(LibrarySet *set, TableId a, TableId b, bool least);

/* Parses a Liberty Boolean expression over the cell's ports ("!A & (B | C)", "A'", "A B", "A^B", 0,
   1). NO_FUNCTION and *bad at the offending character when it is none. */
FunctionId library_parse_function(LibrarySet *set, CellId cell, const char *text, const char **bad);
/* Appends the function in a fixed form: "!A", "(A*!B)+C", "A^B"; every inner pair has its brackets.
   This is the form of the cond column of timing tables. */
void library_function_text(const LibrarySet *set, FunctionId f, Text *t);
/* Three-valued evaluation: values of ports from `value` (0, 1 or 2 = unknown). */
int library_eval(const LibrarySet *set, FunctionId f, int (*value)(void *data, PortId port),
                 void *data);
/* The value that the function has whatever the unknown ports are: exact ("A + !A" is 1) unless more
   than 16 are unknown.  value NULL: all are. */
int  library_value(const LibrarySet *set, FunctionId f, int (*value)(void *data, PortId port),
                   void *data);
/* How the function depends on a port: bit 0: may rise with it, bit 1: may fall with it.  0: not at
   all. */
uint32_t library_function_sense(const LibrarySet *set, FunctionId f, PortId port);
/* The same where other ports have values. */
uint32_t library_sense_given(const LibrarySet *set, FunctionId f, PortId port,
                             int (*value)(void *data, PortId port), void *data);
bool library_function_uses(const LibrarySet *set, FunctionId f, PortId port);
/* True when the functions of two cells' ports are the same (ports matched by name): for equivalent
   cells. */
bool library_cells_equivalent(const LibrarySet *set, CellId a, CellId b);
/* Conditions of arcs of two cells, ports matched by name: are they the same, may both be true at a
   time? NO_FUNCTION is always true.  What has too many ports to be told differs and may. */
enum { CONDITIONS_EQUAL = 1, CONDITIONS_MEET = 2 };
uint32_t library_compare_conditions(const LibrarySet *set, CellId a, CellId b, FunctionId fa,
                                    FunctionId fb);
bool library_cell_is_buffer(const LibrarySet *set, CellId cell);
bool library_cell_is_inverter(const LibrarySet *set, CellId cell);

const char *arc_type_name(
    ArcType type); /* "combinational", "setup", ...: the names of the timing tables */
const char *direction_name(Direction d);

size_t library_bytes(const LibrarySet *set);

#endif
