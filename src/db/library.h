/* Cell libraries: the contents of Liberty files, as flat arrays over all libraries.

   Ids are indices into the arrays of one LibrarySet. An id keeps its meaning as long as the set
   lives. Units are the internal ones (ps, fF, kOhm, V, nW, um^2); the reader converts them. A
   library is added between library_begin and library_commit or library_rollback, so that a bad file
   changes nothing. The set owns all arrays.

     LibrarySet
       Library   name, units, thresholds, defaults
         LibCell   ports [first_port, +port_count), arcs [first_arc, +arc_count), sequentials
           LibPort   direction, capacitance by condition, limits, function
           LibArc    from port -> to port, type, sense, condition, tables
             Table     two axes and values in one pool of floats */
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

   A table has n1 x n2 values.  Axis 1 is the input slew (delay tables) or the slew of the related
   (clock) pin (constraint tables).  Axis 2 is the output load or the slew of the constrained pin.
   The reader transposes tables to that order.  An absent axis has n = 1 and the value 0.  The
   numbers begin at pool[first]: n1 axis values, n2 axis values, n1*n2 values with axis 2 innermost.
   Axes rise strictly. */
typedef struct {
  uint32_t first;
  uint16_t n1, n2;
} Table;

/* --- Boolean functions: reverse Polish programs in the pool function_ops, ended by OP_END. ---- */
typedef enum { OP_END, OP_ZERO, OP_ONE, OP_PORT, OP_NOT, OP_AND, OP_OR, OP_XOR } FunctionOp;
/* An operation has its FunctionOp in the low 3 bits, and for OP_PORT the PortId above. The state
   variables of ff, latch and statetable groups are ports with direction DIR_INTERNAL. The file
   declares them, or the reader makes them with is_state set; the latter are not pins of the
   design. */
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
  ARC_LATCH_ENABLE, /* enable of a latch to its output; `edge` is the opening edge */
  ARC_LATCH_DATA, /* data to output of a latch */
  ARC_PRESET,
  ARC_CLEAR,
  /* checks: `from` is the related (clock) pin, `edge` its transition, `to` the constrained pin */
  ARC_SETUP,
  ARC_HOLD,
  ARC_RECOVERY,
  ARC_REMOVAL,
  ARC_NON_SEQ_SETUP,
  ARC_NON_SEQ_HOLD,
  ARC_NOCHANGE,
  ARC_NOCHANGE_LOW, /* the constrained pin must stay high (low) while the related pin has the level
                       that `edge` begins; delay[] has the margin of the edge that begins the
                       constrained pulse, before the leading edge, and of the edge that ends it,
                       after the trailing edge */
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
  uint8_t    sense;            /* ArcSense; derived from the function if the file does not give
                                  it */
  uint8_t edge; /* RISE or FALL of `from` for ARC_CLOCK_*, ARC_LATCH_ENABLE and checks, and for
                   ARC_TRISTATE_* if the three_state function determines it; else EDGE_ANY */
  uint8_t    output_edges;     /* bit RISE, bit FALL: the output edges that exist
                                  (combinational_rise, ...) */
  bool       always;           /* the arc has no condition and counts beside siblings with
                                  conditions: it belongs to a mode that no condition expresses */
  FunctionId when;             /* NO_FUNCTION if unconditional */
  NameId     sdf_cond;         /* text of sdf_cond or `when`, for SDF and timing tables */
  TableId    delay[2];         /* by edge of `to`; for checks: the constraint by edge of `to` */
  TableId    slew[2];          /* by edge of `to`; NO_TABLE for checks */
  TableId    sigma_delay[4];   /* ocv_sigma cell/constraint tables {early rise, early fall, late
                                  rise, late fall}; NO_TABLE when absent */
  TableId    sigma_slew[4];
  uint32_t
      early; /* the index of the arc with the retaining tables is that of this arc plus `early`.
                Early times use that arc. It lies after all other arcs of the cell. 0: no retaining
                tables */
} LibArc;

/* Does the arc count only if no sibling's condition holds? */
static inline bool lib_arc_is_default(const LibArc *arc)
{
  return arc->when == NO_FUNCTION && !arc->always;
}

/* From a register's clock or a latch's enable to its output. */
static inline bool arc_type_is_launch(ArcType t)
{
  return t == ARC_CLOCK_RISE || t == ARC_CLOCK_FALL || t == ARC_LATCH_ENABLE;
}
/* From an input to an output without a state between them. Clocks pass such arcs. */
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

/* A min_pulse_width arc has from == to. delay[RISE] is the least width of the high pulse,
   delay[FALL] of the low pulse. Files index such tables by either axis. Both axes are slews of this
   one pin, at the edge that opens the pulse: timing_check_margin (timing/derived.h) takes the late
   slew for limits. At an ideal clock the axis of the related pin takes set_clock_transition
   instead. A min_period arc is read in the same way. Limits that a pin has as attributes use no
   slew. */

/* Returns the input edges (bit RISE, bit FALL) that can cause output edge `out` through a delay
   arc, or that check edge `out`. */
uint32_t lib_arc_input_edges(const LibArc *arc, int out);

/* --- ports ------------------------------------------------------------------------------------ */
typedef struct {
  NameId     name;                       /* a bit of a bus has a name like "A[3]" */
  CellId     cell;
  uint8_t    direction;                  /* Direction */
  bool       is_clock;                   /* clock : true */
  bool       is_state;                   /* a state variable made by the reader; not a pin */
  float      cap[CONDITION_COUNT];       /* early: minimum of a capacitance range, late: maximum */
  float      cap_nominal;                /* the `capacitance` attribute */
  /* NAN where not given */
  float      max_cap, min_cap, max_slew, min_slew, max_fanout, min_fanout, fanout_load;
  float      min_pulse_high, min_pulse_low, min_period;              /* NAN where not given */
  FunctionId function, three_state;
  BusId      bus;                        /* NO_BUS for a scalar */
} LibPort;

static inline bool lib_port_has_limits(const LibPort *port)
{
  return !isnan(port->min_pulse_high) || !isnan(port->min_pulse_low) || !isnan(port->min_period);
}

typedef struct {
  NameId  name;                          /* "A" */
  CellId  cell;
  PortId  first;                         /* the port with index `from` */
  int32_t from, to;                      /* the ports are first, first+1, ... in the order
                                            from..to */
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
       CELL_SCALED = 1024 /* a scaled_cell: it holds numbers for another cell and is not found by
                             name */
};

typedef struct {
  NameId       name;
  LibraryId    library;
  PortId       first_port;
  uint32_t     port_count;               /* ports in the order of the file, without power and ground
                                            pins */
  LibArcId     first_arc;
  uint32_t     arc_count;
  SequentialId first_sequential;
  uint32_t     sequential_count;
  BusId        first_bus;
  uint32_t     bus_count;
  uint32_t     flags;
  float        area, leakage;
  NameId       footprint;
  NameId       threshold;                /* threshold_voltage_group; NO_NAME means the
                                            library's default */
  NameId       gate_kind;                /* clock_gating_integrated_cell's text */
  NameId       derates;                  /* ocv_derate_group; NO_NAME means the library's default */
  uint32_t     factors;                  /* scaling_factors: index in factor_sets + 1; 0 means the
                                            library's factors */
} LibCell;

/* --- libraries -------------------------------------------------------------------------------- */
/* How the resistance of a wire load is distributed: balanced gives each load its own branch, best
   puts no resistance before the loads, worst puts all of it before each load. */
typedef enum { TREE_BALANCED, TREE_BEST, TREE_WORST } TreeType;

typedef struct {
  NameId  name;
  float   process, voltage, temperature;
  uint8_t tree;                          /* TreeType; balanced if the file does not give it */
} OperatingConditions;

/* The quantities that k_process_..., k_volt_... and k_temp_... scale. Those with two places are by
   edge. */
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
/* The relative change for a change of 1 from the nominal point. */
typedef struct { float k[SCALE_COUNT][SCALE_BY_COUNT]; } ScaleFactors;

/* A scaling_factors group: the factors of the cells that name it; they replace the library's. */
typedef struct {
  LibraryId    library;
  NameId       name;
  ScaleFactors factors;
} FactorSet;

/* scaled_cell (cell, condition): under this operating condition the cell has the numbers of
   `scaled`. */
typedef struct {
  CellId cell, scaled;                   /* cell is NO_CELL if the library has no cell of the
                                            name */
  NameId condition;
} ScaledCell;

typedef struct {                         /* one Liberty library; the fields apply to all of its
                                            cells */
  NameId  name;
  NameId  file;
  UnitSet units;
  bool    for_early, for_late;           /* read_liberty -min, -max; both if neither was given */
  bool    of_corners;                    /* read with -corner: it serves no other corners */
  float   input_threshold[2], output_threshold[2];       /* fractions (0.5), by edge */
  float   slew_lower[2], slew_upper[2];                   /* fractions, by edge */
  float   slew_derate;
  float   nom_process, nom_voltage, nom_temperature;
  /* NAN where not given */
  float   default_max_slew, default_max_cap, default_max_fanout, default_fanout_load;
  float   default_input_cap, default_output_cap, default_inout_cap;
  NameId  default_operating_conditions, default_wire_load, default_wire_load_mode;
  NameId  default_derates;               /* default_ocv_derate_group */
  NameId  default_threshold;             /* default_threshold_voltage_group */
  ScaleFactors factors;
  CellId  first_cell;
  uint32_t cell_count;
} Library;

/* Internal power and leakage groups, kept for later use: the raw numbers of one group. */
typedef struct {
  CellId     cell;
  PortId     port, related;              /* NO_PORT: the group is the cell's */
  FunctionId when;
  TableId    power[2];                   /* rise_power, fall_power; a leakage_power has a scalar in
                                            [0] */
  bool       is_leakage;                 /* of a cell: leakage_power; often one for each
                                            supply */
} LibPower;

typedef struct {
  LibraryId library;
  NameId    name;
  float     resistance, capacitance, slope;       /* per length unit */
  uint32_t  first_length, length_count;           /* in wire_lengths: pairs of fan-out and length */
} WireLoad;

typedef struct {                         /* one line of a wire_load_selection: blocks with an area
                                            in [min_area, max_area) use wire_load */
  LibraryId library;
  NameId    name, wire_load;
  float     min_area, max_area;
} WireLoadSelection;

typedef struct {                         /* one ocv_derate_factors group of ocv_derate (name): a
                                            table by distance and depth */
  LibraryId library;
  CellId    cell;                        /* the cell with the group; NO_CELL if it is the
                                            library's */
  NameId    name;
  TableId   table;
  uint8_t   conditions;                  /* bits by condition_of() */
  uint8_t   paths;                       /* bit 0: data, bit 1: clock */
} LibDerate;

typedef struct {                         /* a pg_pin: not a port, but a name that netlists may
                                            connect */
  CellId  cell;
  NameId  name;
  uint8_t direction;                     /* DIR_POWER or DIR_GROUND */
} PowerPin;

/* The arcs that replace an arc of a cell if another library's cell of the same name has different
   arcs. */
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
  Map *cell_by_name;                     /* name -> the first CellId of that name that linking may
                                            use */
} LibrarySet;

LibrarySet *library_set_new(Names *names);
void        library_set_free(LibrarySet *set);

/* Begins a library. The caller then appends cells and their parts to the arrays. The mark holds the
   lengths of the arrays before. */
typedef struct { uint32_t len[19]; } LibraryMark;
LibraryMark library_begin(LibrarySet *set);
void        library_rollback(LibrarySet *set, const LibraryMark *mark);
/* Makes the cells since the mark known by name. If several libraries have a cell of one name, the
   first library keeps the name. */
void        library_commit(LibrarySet *set, const LibraryMark *mark);

LibraryId library_find(const LibrarySet *set, const char *name);           /* NO_LIBRARY */
/* the cell that linking uses; NO_CELL if none */
CellId    library_find_cell(const LibrarySet *set, NameId name);
CellId    library_find_cell_in(const LibrarySet *set, LibraryId library, NameId name);
PortId    library_find_port(const LibrarySet *set, CellId cell, NameId name);   /* NO_PORT */
BusId     library_find_bus(const LibrarySet *set, CellId cell, NameId name);    /* NO_BUS */

/* A cell's threshold voltage group, else the default of its library; NO_NAME. */
NameId library_threshold_group(const LibrarySet *set, CellId cell);

/* Have the ocv_derate groups of a cell, or for NO_CELL of the library, a table of that name? */
bool library_has_derate(const LibrarySet *set, LibraryId library, CellId cell, NameId name);

/* Returns DIR_POWER or DIR_GROUND if the cell has a power pin of that name, else DIR_UNKNOWN. */
Direction library_power_pin(const LibrarySet *set, CellId cell, NameId name);

/* Returns the cell of the same name whose numbers an analysis uses. Libraries read with -min serve
   EARLY only, those read with -max LATE only; they have priority over libraries that serve both.
   Returns the cell itself if there is no other. */
CellId library_cell_for(const LibrarySet *set, CellId cell, int early_late);
/* Returns the arc of `other` (a cell of the same name) that corresponds to `arc`: the same ports,
   type, sense, edge and condition; among equal arcs the nearest in order. NO_LIB_ARC if there is
   none. */
LibArcId library_same_arc(const LibrarySet *set, LibArcId arc, CellId other);
/* Returns the arc whose tables replace those of `arc` in an analysis with the numbers of `other`:
   the corresponding arc, or the worst one if the arcs of the two cells differ (db/library_match.h).
   NO_LIB_ARC if there is none. */
LibArcId library_arc_for(const LibrarySet *set, LibArcId arc, CellId other, int early_late);

/* Adds a cell that the netlist uses and no library has. Ports are added as connections mention
   them. The ports of a cell always form one range. If other ports were added in between, the range
   is copied to the end of `ports` and the old entries remain. So add all ports of a black box
   before making pins for them. */
CellId library_add_black_box(LibrarySet *set, NameId name);
PortId library_add_black_box_port(LibrarySet *set, CellId cell, NameId name, Direction direction);

/* Adds a table and copies its values. An absent axis is NULL. */
TableId library_add_table(LibrarySet *set, const float *axis1, uint32_t n1, const float *axis2,
                          uint32_t n2, const float *values);
/* Returns the value of a table at (x1, x2): bilinear, with linear extrapolation beyond the axes. */
float   library_table_value(const LibrarySet *set, TableId table, float x1, float x2);

/* Returns the smaller (with `least`) or larger of two tables at every point. It is one of the two
   if that one qualifies everywhere. Otherwise it is a new table with the points of both axes, which
   is never on the wrong side of either table. If one table is NO_TABLE, returns the other. */
TableId library_worse_table(LibrarySet *set, TableId a, TableId b, bool least);

/* Parses a Liberty Boolean expression over the cell's ports ("!A & (B | C)", "A'", "A B", "A^B", 0,
   1). On an error it returns NO_FUNCTION and sets *bad to the offending character. */
FunctionId library_parse_function(LibrarySet *set, CellId cell, const char *text, const char **bad);
/* Appends the function in a fixed form: "!A", "(A*!B)+C", "A^B". Every inner pair has brackets. The
   column cond of timing tables has this form. */
void library_function_text(const LibrarySet *set, FunctionId f, Text *text);
/* Evaluates a function operator by operator in three values. `value` returns 0, 1, or 2 for
   unknown. */
int library_eval(const LibrarySet *set, FunctionId f, int (*value)(void *data, PortId port),
                 void *data);
/* Returns the value that the function has for all values of the unknown ports, or 2. The result is
   exact ("A + !A" is 1) unless more than 16 ports are unknown. With value NULL all ports are
   unknown. */
int  library_value(const LibrarySet *set, FunctionId f, int (*value)(void *data, PortId port),
                   void *data);
/* Returns how a function depends on a port. Bit 0: it may rise with the port. Bit 1: it may fall
   when the port rises. 0: it does not depend on the port. */
uint32_t library_function_sense(const LibrarySet *set, FunctionId f, PortId port);
/* The same if other ports have values. */
uint32_t library_sense_given(const LibrarySet *set, FunctionId f, PortId port,
                             int (*value)(void *data, PortId port), void *data);
bool library_function_uses(const LibrarySet *set, FunctionId f, PortId port);
/* Are the functions of two cells' ports the same (ports matched by name), and their buses?  Cells
   are of other kinds if only one of them is sequential, a clock gate, a test scan cell or a pad, or
   has a state table (KIND_FLAGS in db/equivalent.c), or if one of them is a memory, a macro or a
   black box (NEVER_FLAGS). same_kind in that file is the whole rule. */
typedef enum {
  CELLS_SAME,
  CELLS_OTHER_KIND,                      /* or no function is known */
  CELLS_OTHER_PINS,                      /* names, directions, buses */
  CELLS_OTHER_FUNCTION
} CellDifference;
CellDifference library_cell_difference(const LibrarySet *set, CellId a, CellId b);
bool library_cells_equivalent(const LibrarySet *set, CellId a, CellId b);
/* Compares conditions of arcs of two cells, with ports matched by name: are they equal, and can
   both be true at the same time? NO_FUNCTION is always true. Conditions with too many ports count
   as different, and as possibly true at the same time. */
enum { CONDITIONS_EQUAL = 1, CONDITIONS_MEET = 2 };
uint32_t library_compare_conditions(const LibrarySet *set, CellId a, CellId b, FunctionId fa,
                                    FunctionId fb);
/* Has a cell one input, one output and nothing else, and is the output equal to the input (buffer)
   or to its inverse (inverter)? A cell of a kind of its own (register, clock gate, scan cell, pad,
   macro, memory, black box) is neither. */
bool library_cell_is_buffer(const LibrarySet *set, CellId cell);
bool library_cell_is_inverter(const LibrarySet *set, CellId cell);

const char *arc_type_name(
    ArcType type); /* the names in timing tables: "combinational", "setup", ... */
const char *direction_name(Direction d);

size_t library_bytes(const LibrarySet *set);

#endif
