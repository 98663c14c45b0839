/* Constraints: the SDC of one mode, with names resolved to ids.

   Times are in ps (double for edges of clocks, float for delays), capacitances in fF, resistances
   in kOhm. Arrays by condition hold {early rise, early fall, late rise, late fall}; SDC's -min is
   early and -max is late. A value that was not given is NAN.

   A setter replaces what an earlier call set, as in SDC. Nothing is compiled here: the graph reads
   these arrays. `version` rises with each change. Then the next update compiles the graph again,
   because the graph holds numbers of constraints: delays and latencies of seeds, uncertainties and
   margins of path ends (share_others_are_old in update/share.c). */
#ifndef SL_DB_CONSTRAINTS_H
#define SL_DB_CONSTRAINTS_H

#include <math.h>

#include "db/netlist.h"
#include "db/object.h"

typedef uint32_t ClockId, ExceptionId;
#define NO_CLOCK     UINT32_MAX
#define NO_EXCEPTION UINT32_MAX

typedef ARRAY(PinId) PinArray;

/* Returns the hierarchical cell around a cell, for constraints that apply to everything inside a
   cell. Returns OBJ_NONE for the outermost cell and for objects that are not cells. */
static inline Object object_around(const Netlist *n, Object o)
{
  InstId block = o.type == OBJ_CELL ? netlist_block_of(n, o.id) : NO_INST;
  return block == NO_INST ? (Object){ OBJ_NONE, 0 } : (Object){ OBJ_CELL, block };
}
typedef ARRAY(Object) ObjectArray;
typedef ARRAY(ClockId) ClockArray;

enum { SETUP = 1, HOLD = 0 };            /* used as index: hold checks early data (EARLY), setup
                                            late data (LATE) */
enum { EDGE_RISE = 1, EDGE_FALL = 2, EDGE_BOTH = 3 };   /* masks: bit RISE, bit FALL */

/* The command that set a value: 1 + its index in constraints->commands, or 0 if it is not known. */
typedef uint32_t CommandId;

/* --- clocks ----------------------------------------------------------------------------------- */
typedef struct {
  NameId   name;
  bool     deleted;
  bool     generated, propagated, add;
  double   period;                        /* ps; NAN for a generated clock until the graph has
                                             derived it */
  ARRAY(double) waveform;                 /* an even number of edges in ps; the first one rises */
  PinArray sources;                       /* empty for a virtual clock */
  float    source_latency[2][CONDITION_COUNT];   /* [-early, -late][condition by -min/-max x
                                                    rise/fall] */
  float    network_latency[CONDITION_COUNT];
  float    slew[CONDITION_COUNT];         /* set_clock_transition, by condition */
  float    uncertainty[2];                /* [HOLD], [SETUP] */
  float    max_slew_clock[2], max_slew_data[2];  /* set_max_transition -clock_path / -data_path, by
                                                    edge */
  CommandId said_of_slew;                 /* the last set_max_transition */
  CommandId said_of_transition;           /* the last set_clock_transition */
  CommandId said_of_network, said_of_source, said_of_uncertainty;      /* the last commands */
  /* generated clocks */
  PinId    master_pin;                    /* -source */
  ClockId  master;                        /* -master_clock; NO_CLOCK means the clock that reaches
                                             master_pin */
  int      divide_by, multiply_by;        /* 0 if not given */
  float    duty_cycle;                    /* NAN */
  bool     invert, combinational;
  ARRAY(int) edges;
  ARRAY(double) edge_shift;
  NameId   comment;
  NameId   file;                          /* the file that defines it; NO_NAME if it was typed */
  uint32_t line;
  /* derived by the graph, with period and waveform (constraints_derive_clock) */
  ClockId  derived_master;                /* NO_CLOCK: not known */
  bool     master_inverted;               /* the master reaches master_pin inverted */
} Clock;

/* The last command that set something, for messages. */
typedef struct {
  const char *command;                    /* a static string; NULL if not known */
  NameId      file;                       /* NO_NAME: typed */
  uint32_t    line;
} Said;

/* set_sense and set_clock_sense: which transitions of a clock, relative to its source, go on from a
   pin as a clock. All others go on as data. PASS_PULSE_OF_RISE: those of a pulse that the rising
   edge of the clock triggers. PASS_PULSE_OF_FALL: those of a pulse that the falling edge
   triggers. */
typedef enum {
  PASS_POSITIVE,
  PASS_NEGATIVE,
  PASS_NOTHING,
  PASS_PULSE_OF_RISE,
  PASS_PULSE_OF_FALL
} SenseKind;
typedef struct {
  PinId   pin;
  ClockId clock;                          /* NO_CLOCK: all */
  bool    data;                           /* -type data, which allows PASS_NOTHING alone */
  uint8_t kind;                           /* SenseKind */
  Said    said;
} ClockSense;

/* set_clock_uncertainty -from -to. There is one record for each pair of clocks and each pair of
   edges (each mask has one bit), so at most one record applies to a path. */
typedef struct {
  ClockId from, to;
  uint8_t from_edges, to_edges;           /* masks */
  float   value[2];                       /* [HOLD], [SETUP] */
} InterUncertainty;

/* Latency, uncertainty and propagation that are given for a pin and not for a clock. */
typedef struct {
  PinId   pin;
  ClockId clock;                          /* -clock, or NO_CLOCK: all */
  float   source_latency[2][CONDITION_COUNT];
  float   network_latency[CONDITION_COUNT];
  float   uncertainty[2];
  bool    propagated;
  Said    said_of_latency, said_of_source, said_of_uncertainty, said_of_propagation;
} ClockPin;

/* --- ports ------------------------------------------------------------------------------------ */
typedef struct {
  PinId   pin;
  ClockId clock;                          /* NO_CLOCK: the delay names no clock */
  uint8_t clock_edge;                     /* RISE, FALL */
  /* a bit for each condition, because separate commands may set the conditions */
  uint8_t source_latency_included, network_latency_included;
  uint8_t level_sensitive;                /* kept for write_sdc; timing treats it like a delay from
                                             or to a register */
  PinId   reference_pin;                  /* NO_PIN */
  float   delay[CONDITION_COUNT];         /* NAN if not given */
  Said    said;
  CommandId command;                      /* the command of `said`, as an index */
  uint32_t next;                          /* another record of the same pin; private to
                                             constraints_port.c */
} PortDelay;

typedef ARRAY(PortDelay) PortDelayArray;

static inline uint32_t delay_given(const PortDelay *delay)        /* a bit each */
{
  uint32_t given = 0;
  for (int k = 0; k < CONDITION_COUNT; k++) given |= (uint32_t)!isnan(delay->delay[k]) << k;
  return given;
}
/* Returns the conditions whose delay does not include the source latency; it must be added
   there. */
static inline uint32_t delay_without_source(const PortDelay *delay)
{
  return delay_given(delay) & ~(uint32_t)delay->source_latency_included;
}
static inline bool delay_has_source(const PortDelay *delay, int condition)
{
  return delay->source_latency_included >> condition & 1;
}
static inline bool delay_has_network(const PortDelay *delay, int condition)
{
  return delay->network_latency_included >> condition & 1;
}

typedef struct {
  PinId   pin;
  CellId  cell[CONDITION_COUNT];          /* set_driving_cell; NO_CELL */
  PortId  from_port[CONDITION_COUNT], to_port[CONDITION_COUNT];
  float   from_slew[CONDITION_COUNT][2];  /* -input_transition_rise/_fall */
  float   multiply_by[CONDITION_COUNT];   /* -multiply_by: a factor on delay and transition of the
                                             driving cell */
  uint8_t dont_scale;                     /* -dont_scale, a bit for each condition: the cell's
                                             delays stay those of its library's nominal point */
  uint8_t no_design_rule;                 /* -no_design_rule, a bit for each condition: the cell's
                                             limits do not apply to the port */
  float   slew[CONDITION_COUNT];          /* set_input_transition */
  float   resistance[CONDITION_COUNT];    /* set_drive */
  CommandId said_of_cell, said_of_slew, said_of_drive;     /* the last command of each kind */
} PortDrive;

typedef struct {
  PinId   pin;                            /* top port */
  float   pin_load[CONDITION_COUNT];      /* set_load -pin_load (the default) */
  float   wire_load[CONDITION_COUNT];
  float   fanout_number[2];               /* min, max */
  CommandId said_of_fanout;               /* the last set_port_fanout_number */
} PortLoad;                               /* unset_load and unset_port_fanout_number make values
                                             NAN; the record stays */

typedef struct {
  NetId   net;
  float   wire_cap[CONDITION_COUNT];      /* set_load on nets */
  uint8_t subtract_pin_load;              /* a bit for each value of wire_cap that includes pin
                                             capacitances */
  float   resistance[2];                  /* set_resistance, by early/late */
} NetLoad;

/* Has the net a value of set_load or set_resistance? */
static inline bool constraints_gives_wires(const NetLoad *load)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (!isnan(load->wire_cap[k]) || !isnan(load->resistance[k >> 1])) return true;
  return false;
}

/* --- logic ------------------------------------------------------------------------------------ */
/* CASE_UNKNOWN is a constant too. CASE_COUNT means that nothing was given. */
typedef enum { CASE_ZERO, CASE_ONE, CASE_RISE, CASE_FALL, CASE_UNKNOWN, CASE_COUNT } CaseValue;
typedef struct {                          /* a pin may have both kinds; set_case_analysis has
                                             priority over set_logic_* */
  PinId   pin;
  uint8_t value;                          /* CaseValue that counts */
  bool    is_case;                        /* value comes from set_case_analysis; else from
                                             set_logic_* */
  uint8_t logic;                          /* the value of set_logic_*; CASE_COUNT if none */
} PinCase;

/* A record of set_disable_timing. It disables the arcs of the object whose ports have the names
   `from` and `to`. */
typedef struct {
  Object object;                          /* pin, port, cell, lib cell, lib pin */
  NameId from, to;                        /* names of a cell's ports; NO_NAME matches any */
  CommandId said;
  uint32_t next;                          /* another record of the same object; private to
                                             constraints_logic.c */
} DisabledTiming;

/* --- exceptions ------------------------------------------------------------------------------- */
typedef enum {
  EXC_FALSE,
  EXC_MULTICYCLE,
  EXC_MAX_DELAY,
  EXC_MIN_DELAY,
  EXC_PATH_MARGIN,
  EXC_GROUP
} ExceptionType;

typedef struct {                          /* one -from, -through or -to */
  uint8_t     edges;                      /* mask: -rise_from gives EDGE_RISE */
  ObjectArray objects;
} ExceptionPoint;

typedef struct {
  uint8_t  type;                          /* ExceptionType */
  bool     deleted;
  uint8_t  checks;                        /* bit HOLD, bit SETUP: the analyses that it applies to */
  uint8_t  end_edges;                     /* -rise, -fall: transitions at the endpoint */
  bool     has_from, has_to;
  ExceptionPoint from, to;
  ARRAY(ExceptionPoint) through;
  double   delay;                         /* max/min delay, margin: ps */
  int      cycles;
  bool     cycles_of_start;               /* -start counts periods of the launching clock, -end
                                             those of the capturing clock */
  bool     cycles_clock_given;            /* -start or -end */
  bool     ignore_clock_latency, probe, reset_path;
  NameId   group, comment;                /* group NO_NAME: group_path -default */
  float    weight, critical_range;        /* NAN if not given */
  NameId   file;                          /* the file with the command; NO_NAME if it was typed */
  uint32_t line;
} Exception;

typedef enum { GROUPS_ASYNC, GROUPS_LOGICAL, GROUPS_PHYSICAL } ClockGroupsType;
typedef struct {
  NameId   name;
  uint8_t  type;
  bool     deleted, allow_paths;
  NameId   comment;
  uint32_t group_count;                   /* number of -group options; with 1, all other clocks are
                                             the other group */
  ARRAY(uint32_t) group_of;               /* pairs flattened: ClockId, group index */
} ClockGroups;

/* --- checks, derates, networks ---------------------------------------------------------------- */
typedef struct {
  Object  object;                         /* design, clock, cell, pin, port */
  float   margin[2][2];                   /* [HOLD, SETUP][edge]; NAN */
  int8_t  open_value;                     /* of the clock: -low 0, -high 1, not given -1 */
  CommandId said;                         /* the last command */
} GatingCheck;                            /* a command without objects has OBJ_DESIGN */

typedef struct {                          /* set_disable_inferred_clock_gating */
  Object object;
  Said   said;
} GatingDisabled;

typedef struct {                          /* a value of an object: time borrow, limits ... */
  Object    object;
  float     value;
  CommandId said;
} ObjectValue;

typedef enum {
  DERATE_CELL_DELAY,
  DERATE_NET_DELAY,
  DERATE_CELL_CHECK,
  DERATE_KIND_COUNT
} DerateKind;
enum { PATH_DATA = 0, PATH_CLOCK = 1 };
typedef struct {
  Object object;                          /* design, cell, lib cell, net (the first segment of the
                                             net) */
  float  factor[DERATE_KIND_COUNT][2][CONDITION_COUNT];   /* [kind][data, clock][condition]; NAN */
  CommandId said[DERATE_KIND_COUNT][2];
} Derate;

typedef struct {
  PinId   pin;
  bool    of_net;                         /* set by set_ideal_net, at drivers; independent of
                                             set_ideal_network */
  bool    no_propagation;
} IdealSource;

typedef struct {
  PinId pin;
  float latency[CONDITION_COUNT], slew[CONDITION_COUNT];   /* set_ideal_latency,
                                                              set_ideal_transition */
  Said  said_of_latency, said_of_slew;
} IdealPin;

typedef enum {
  LIMIT_MAX_SLEW,
  LIMIT_MAX_CAP,
  LIMIT_MIN_CAP,
  LIMIT_MAX_FANOUT,
  LIMIT_FANOUT_LOAD,
  LIMIT_MAX_AREA,
  LIMIT_PULSE_LOW,
  LIMIT_PULSE_HIGH,
  LIMIT_COUNT
} LimitKind;

/* set_data_check between two pins, for one clock of the reference pin. */
typedef struct {
  PinId    from, to;                      /* reference, constrained */
  ClockId  clock;                         /* the clock that launches the reference; NO_CLOCK means
                                             any */
  float    margin[2][2][2];               /* [HOLD, SETUP][edge of from][edge of to]; NAN */
  CommandId said;
  uint32_t next;                          /* another record with the same key; private to
                                             constraints_check.c */
} DataCheck;

/* --- operating conditions, wire loads --------------------------------------------------------- */
/* How early and late delays are used. With on-chip variation, setup compares late data with the
   early capturing clock. With best case and worst case, early and late are two chips: setup
   compares late data with the late clock, and hold compares early data with the early clock. With
   the single type there is one condition, and early delays equal late delays. */
typedef enum { ANALYSIS_ON_CHIP, ANALYSIS_BC_WC, ANALYSIS_SINGLE } AnalysisType;

#define NO_CONDITION UINT32_MAX
#define NO_WIRE_LOAD UINT32_MAX

typedef struct {                          /* set_pvt; values that were not given are NAN */
  InstId inst;                            /* a hierarchical instance stands for the cells in it */
  float  process[2], voltage[2], temperature[2];   /* by early/late */
  CommandId said;                         /* the last command */
} InstPvt;

typedef struct {                          /* set_voltage -object_list */
  NameId net;                             /* a name, because netlists seldom contain the supplies */
  float  voltage[2];
} NetVoltage;

typedef enum {
  WIRE_MODE_NONE,
  WIRE_MODE_TOP,
  WIRE_MODE_ENCLOSED,
  WIRE_MODE_SEGMENTED
} WireLoadMode;

typedef struct {
  Object    object;                       /* design, hierarchical cell */
  uint32_t  model[2];                     /* set_wire_load_model, early and late: indices in
                                             libs->wire_loads; NO_WIRE_LOAD if not given */
  NameId    group[2];                     /* set_wire_load_selection_group; NO_NAME */
  LibraryId library[2];                   /* the libraries of the groups */
  CommandId said_of_model, said_of_group; /* the last commands */
} WireLoadChoice;

typedef struct {                          /* a command without effect on timing, kept for
                                             write_sdc */
  NameId command, key, text;
} KeptCommand;

/* --- contradictions --------------------------------------------------------------------------- */
/* The kinds of values that come in pairs of a minimum and a maximum: -min and -max, -early and
   -late, lower and upper limits. */
typedef enum {
  PAIR_INPUT_DELAY,
  PAIR_OUTPUT_DELAY,
  PAIR_INPUT_SLEW,
  PAIR_DRIVE,
  PAIR_PIN_LOAD,
  PAIR_WIRE_LOAD,
  PAIR_FANOUT_NUMBER,
  PAIR_NET_CAP,
  PAIR_NET_RESISTANCE,
  PAIR_IDEAL_LATENCY,
  PAIR_IDEAL_SLEW,
  PAIR_CLOCK_SLEW,
  PAIR_NETWORK_LATENCY,
  PAIR_SOURCE_LATENCY,
  PAIR_DERATE,
  PAIR_CAPACITANCE
} PairKind;

typedef struct {
  uint8_t kind;                           /* PairKind */
  uint8_t clock_edge;                     /* for delays at ports */
  ClockId clock;                          /* for delays at ports and latencies of pins; else
                                             NO_CLOCK */
  Object  object;                         /* for loads and resistances of nets the segment that the
                                             command named */
} ValuePair;

/* A command that left the minimum above the maximum. A later command may correct it, so the warning
   waits until the constraints are complete. */
typedef struct {
  ValuePair   pair;
  const char *command;                    /* static */
  NameId      file;                       /* NO_NAME: typed */
  uint32_t    line;
} CrossedPair;

/* Every array of records of Constraints.  The struct, its release, its copy and
   constraints_are_empty follow from this list, so none of them can forget an array.

     ONE(array, name, owns, counts, forgets)               one array of that type
     SEVERAL(array, name, number, owns, counts, forgets)   `number` arrays, such as one for each
                                                           LimitKind

   owns:    MEMORY if a record has memory of its own, else NOTHING
   counts:  when a record means that the constraints are not empty: ALWAYS, IF_LIVE (unless its
            field `deleted` is set), or NEVER (it was not said by a command)
   forgets: what a record must forget: CLOCKS that are deleted, PINS_AND_CLOCKS if also pins that
            are removed, or NOTHING. Most records keep the pins that they name: undo may revive them

   db/constraints/constraints_private.h lists the functions that follow from a row. */
#define CONSTRAINT_ARRAYS(ONE, SEVERAL)                                                      \
  ONE(ARRAY(Clock), clocks, MEMORY, IF_LIVE, PINS_AND_CLOCKS)                                \
  ONE(ARRAY(InterUncertainty), inter_uncertainties, NOTHING, ALWAYS, CLOCKS)                 \
  ONE(ARRAY(ClockPin), clock_pins, NOTHING, ALWAYS, CLOCKS)                                  \
  ONE(ARRAY(ClockSense), senses, NOTHING, ALWAYS, CLOCKS)                                    \
  ONE(PinArray, clocks_elsewhere, NOTHING, NEVER, NOTHING)   /* ascending, see scenario.h */ \
  ONE(PortDelayArray, input_delays, NOTHING, ALWAYS, PINS_AND_CLOCKS)                        \
  ONE(PortDelayArray, output_delays, NOTHING, ALWAYS, PINS_AND_CLOCKS)                       \
  ONE(ARRAY(PortDrive), drives, NOTHING, ALWAYS, NOTHING)                                    \
  ONE(ARRAY(PortLoad), port_loads, NOTHING, ALWAYS, NOTHING)                                 \
  ONE(ARRAY(NetLoad), net_loads, NOTHING, ALWAYS, NOTHING)                                   \
  ONE(ARRAY(PinCase), cases, NOTHING, ALWAYS, NOTHING)                                       \
  ONE(ARRAY(DisabledTiming), disabled, NOTHING, ALWAYS, NOTHING)                             \
  ONE(ARRAY(Exception), exceptions, MEMORY, IF_LIVE, CLOCKS)                                 \
  ONE(ARRAY(ClockGroups), clock_groups, MEMORY, IF_LIVE, CLOCKS)                             \
  ONE(ARRAY(GatingCheck), gating_checks, NOTHING, ALWAYS, CLOCKS)                            \
  ONE(ARRAY(GatingDisabled), gating_disabled, NOTHING, ALWAYS, NOTHING)                      \
  ONE(ARRAY(ObjectValue), time_borrow, NOTHING, ALWAYS, CLOCKS)                              \
  SEVERAL(ARRAY(ObjectValue), limits, LIMIT_COUNT, NOTHING, ALWAYS, CLOCKS)                  \
  ONE(ARRAY(DataCheck), data_checks, NOTHING, ALWAYS, CLOCKS)   /* all NAN: nothing left */  \
  ONE(ARRAY(Derate), derates, NOTHING, ALWAYS, NOTHING)                                      \
  ONE(ARRAY(IdealSource), ideal_sources, NOTHING, ALWAYS, NOTHING)                           \
  ONE(ARRAY(IdealPin), ideal_pins, NOTHING, ALWAYS, NOTHING)                                 \
  ONE(ARRAY(NetVoltage), net_voltages, NOTHING, ALWAYS, NOTHING)                             \
  ONE(ARRAY(InstPvt), pvts, NOTHING, ALWAYS, NOTHING)                                        \
  ONE(ARRAY(WireLoadChoice), wire_load_choices, NOTHING, ALWAYS, NOTHING)                    \
  ONE(ARRAY(KeptCommand), kept, NOTHING, ALWAYS, NOTHING)                                    \
  ONE(ARRAY(CrossedPair), crossed_pairs, NOTHING, NEVER, NOTHING)   /* not reported yet */   \
  ONE(ARRAY(Said), commands, NOTHING, NEVER, NOTHING)   /* at CommandId - 1 */

#define CONSTRAINT_ONE(array, name, owns, counts, forgets)             array name;
#define CONSTRAINT_SEVERAL(array, name, number, owns, counts, forgets) array name[number];

typedef struct Constraints {
  const Netlist *netlist;
  uint64_t version;
  CONSTRAINT_ARRAYS(CONSTRAINT_ONE, CONSTRAINT_SEVERAL)
  uint32_t operating_condition[2];        /* by early/late: index in libs->conditions;
                                             NO_CONDITION */
  CommandId said_of_condition[2], said_of_voltage;   /* the last commands */
  uint8_t  analysis;                      /* AnalysisType */
  bool     analysis_given;
  float    voltage[2];                    /* set_voltage for all, by early/late; NAN */
  uint8_t  wire_load_mode;                /* WireLoadMode */
  float    wire_load_min_block;           /* the least area of a block that gets a wire load of its
                                             own; NAN */
  CommandId said_of_wire_mode, said_of_min_block;
  uint32_t judged_exceptions;             /* contradictory bounds of the exceptions before this
                                             index have been reported */
  /* look-up of the arrays above by pin, net or object: private to constraints*.c */
  Map *index;
  Map *clock_by_name;
  struct PathIndex *paths;                /* finds exceptions by the objects of their points; made
                                             by the first -reset_path */
} Constraints;

Constraints *constraints_new(const Netlist *netlist);
void         constraints_free(Constraints *c);
bool         constraints_are_empty(const Constraints *c);      /* true if nothing was set, or
                                                                  everything was unset */
/* Returns a copy that shares only the netlist with the original. The caller frees it. */
Constraints *constraints_copy(const Constraints *c);
/* Moves the content of `saved`, an earlier copy of `c`, back to `c` and frees `saved`. Pointers to
   `c` itself stay valid. If anything changed since the copy, the version rises, so that the graph
   is compiled again. Clocks that were made since the copy stay in the array as deleted clocks. */
void         constraints_restore(Constraints *c, Constraints *saved);
/* Makes the next update compile the graph again. */
static inline void constraints_changed(Constraints *c) { c->version++; }
/* Stores a value of a record; NAN: none. Storing an equal value changes nothing. */
void constraints_put(Constraints *c, float *at, float value);

ClockId constraints_find_clock(const Constraints *c, NameId name);      /* NO_CLOCK */
/* Does, or did, a clock begin at the pin? */
bool    constraints_had_clock(const Constraints *c, PinId pin);
/* Is it a virtual clock? Such a clock has no network and is never propagated. */
bool    clock_has_no_source(const Clock *clock);
/* Adds a clock. A clock of the same name is redefined: its id, latency, uncertainty, transition and
   propagation stay, and so does everything that refers to it. Without `add`, earlier clocks lose
   the sources that they share with it, and clocks that lose all sources are deleted as by
   constraints_delete_clock. Make a
   generated clock with period NAN and no waveform; the caller fills in the rest of its record. */
ClockId constraints_add_clock(Constraints *c, NameId name, double period, const double *waveform,
                              uint32_t edge_count, const PinId *sources, uint32_t source_count,
                              bool add);
/* The master, period and waveform of a generated clock, as the graph derives them. They follow from
   constraints and design, so storing them changes no version. waveform NULL means that the clock is
   not timed; master NO_CLOCK means that its master is not known. */
typedef struct {
  ClockId  master;
  bool     inverted;
  double   period;
  const double *waveform;
  uint32_t edge_count;
} DerivedClock;
void    constraints_derive_clock(Constraints *c, ClockId clock, const DerivedClock *derived_clock);
/* Replaces the sense of the same pin, clock and type. */
void    constraints_set_sense(Constraints *c, ClockSense sense);
/* Removes the sense of that pin, clock and type. sense.kind does not matter. */
void    constraints_unset_sense(Constraints *c, ClockSense sense);
/* Sets clocks_elsewhere. `pins` must be ascending. */
void    constraints_set_clocks_elsewhere(Constraints *c, const PinArray *pins);
/* Deletes clocks and everything that names them. An exception is deleted if one of its points named
   no other object. A generated clock stays if its master is deleted. Its master becomes NO_CLOCK,
   so the graph takes the clock that reaches its master_pin. */
void    constraints_delete_clock(Constraints *c, ClockId clock);
void    constraints_delete_clocks(Constraints *c, const ClockId *clocks, uint32_t count);
/* Call it for pins that an edit removes. They stop being sources and reference pins. A clock
   without sources becomes virtual. A generated clock cannot be virtual and needs its master pin;
   generated clocks that lose either are deleted and added to `gone`. */
void    constraints_forget_pins(Constraints *c, PinId first, uint32_t count, ClockArray *gone);
/* Would that change anything? */
bool    constraints_would_forget(const Constraints *c, PinId first, uint32_t count);
/* Do the constraints name the cell or one of its pins, or the net by one of its segments or by its
   id? */
bool    constraints_name_inst(const Constraints *c, InstId inst);
bool    constraints_name_net(const Constraints *c, NetId net);

CommandId   constraints_add_command(Constraints *c, Said said);
/* Returns the command with an id. Its field `command` is NULL if the command is not known. */
Said        constraints_command(const Constraints *c, CommandId id);
/* Is any of `count` values given (not NAN)? */
bool        constraints_any_given(const float *at, int count);
/* The following functions return the record of an object. The first call makes it, with every value
   NAN or NO_.... */
ClockPin   *constraints_clock_pin(Constraints *c, PinId pin, ClockId clock);
/* A delay of a pin is identified by clock edge and reference pin. Without `add`, the delays of the
   pin for other clock edges are removed. If a delay has the same clock edge but another reference
   pin, only those of its values are removed whose conditions are in key.conditions. */
typedef struct {
  bool    output;
  PinId   pin;
  ClockId clock;
  int     clock_edge;
  PinId   reference_pin;
  uint32_t conditions;
} DelayKey;
PortDelay  *constraints_port_delay(Constraints *c, const DelayKey *key, bool add);
/* The same without a reference pin. */
PortDelay *constraints_input_delay(Constraints *c, PinId pin, ClockId clock, int clock_edge,
                                   bool add);
PortDelay *constraints_output_delay(Constraints *c, PinId pin, ClockId clock, int clock_edge,
                                    bool add);
PortDrive  *constraints_drive(Constraints *c, PinId pin);
PortLoad   *constraints_port_load(Constraints *c, PinId pin);
NetLoad    *constraints_net_load(Constraints *c, NetId net);
IdealPin   *constraints_ideal_pin(Constraints *c, PinId pin);
Derate     *constraints_derate(Constraints *c, Object object);
GatingCheck *constraints_gating_check(Constraints *c, Object object);
/* Edges and checks are masks (EDGE_..., 1 << SETUP | 1 << HOLD). A value NAN removes the record. */
void constraints_set_inter_uncertainty(Constraints *c, ClockId from, uint32_t from_edges,
                                       ClockId to, uint32_t to_edges, uint32_t checks, float value);
/* Removes the delay values of the given conditions (bits) for one edge of the clock (clock_edge -1:
   for both edges). With any_clock it removes them for all clocks and ignores `clock`. Records that
   lose all values are removed. */
void constraints_unset_delay(Constraints *c, bool output, PinId pin, ClockId clock, bool any_clock,
                             int clock_edge, uint32_t conditions);
void constraints_clear_derates(Constraints *c);
/* Adds clock groups. They replace groups of the same type and name, unless the name is NO_NAME. */
ClockGroups *constraints_add_clock_groups(Constraints *c, ClockGroupsType type, NameId name);
/* Removes all groups of a type, or those of one name. Returns true if there were any. */
bool constraints_remove_clock_groups(Constraints *c, ClockGroupsType type, bool all, NameId name);
/* With `on`, no gating check is inferred at the object; returns the record. Otherwise removes the
   record and returns NULL. */
GatingDisabled *constraints_disable_gating(Constraints *c, Object object, bool on);
void constraints_set_case(Constraints *c, PinId pin, CaseValue value, bool is_case);
/* removes one kind of constant; the other kind stays */
void constraints_unset_case(Constraints *c, PinId pin, bool is_case);
/* With `on`, returns the record; otherwise removes it and returns NULL. */
DisabledTiming *constraints_disable(Constraints *c, Object object, NameId from, NameId to, bool on);
Exception *constraints_add_exception(Constraints *c, ExceptionType type);
void constraints_remove_exception(Constraints *c, ExceptionId id);
/* Removes the paths that `spec` covers (its checks, end_edges, from, through, to) from each earlier
   exception, except path groups. The rest of an exception may become several exceptions. A
   dimension that spec does not give covers everything. */
void constraints_reset_paths(Constraints *c, const Exception *spec);
const char *exception_command(const Exception *exception);
void exception_clear(Exception *exception);                /* frees its lists, not the record */
Exception exception_copy(const Exception *exception);      /* with lists of its own */
/* Do two exceptions of any types and checks name the same points with the same objects, in any
   order? If they do, their keys are equal. */
bool      exception_same_paths(const Exception *a, const Exception *b);
uint64_t  exception_paths_key(const Exception *exception);
ObjectValue *constraints_set_limit(Constraints *c, LimitKind kind, Object object, float value);
ObjectValue *constraints_set_time_borrow(Constraints *c, Object object, float value);
/* Selects data checks. Edges are masks (EDGE_...), and so is checks (1 << SETUP | 1 << HOLD). */
typedef struct {
  PinId    from, to;
  ClockId  clock;                         /* NO_CLOCK: any */
  uint32_t from_edges, to_edges, checks;
} DataCheckSpec;
/* Sets a margin and returns the record. A margin NAN removes values; the result is NULL if no
   record exists. */
DataCheck *constraints_set_data_check(Constraints *c, const DataCheckSpec *spec, float margin);
bool data_check_is_empty(const DataCheck *check);
void constraints_add_ideal(Constraints *c, IdealSource source);
void constraints_remove_ideal(Constraints *c, PinId pin, bool of_net);
InstPvt        *constraints_pvt(Constraints *c, InstId inst);
NetVoltage     *constraints_net_voltage(Constraints *c, NameId net);
WireLoadChoice *constraints_wire_load(Constraints *c, Object object);
/* Replaces the kept command with the same command name and key. */
void constraints_keep(Constraints *c, NameId command, NameId key, NameId text);
/* Removes a record, if there is one. */
void constraints_remove_gating_check(Constraints *c, Object object);

/* Look-up of records. The result is NULL, or NAN for a value, if nothing was set. */
const PortDelay *constraints_find_delay(const Constraints *c, bool output, PinId pin, ClockId clock,
                                        int clock_edge);
const PortDrive *constraints_find_drive(const Constraints *c, PinId pin);
const PortLoad  *constraints_find_port_load(const Constraints *c, PinId pin);
const NetLoad   *constraints_find_net_load(const Constraints *c, NetId net);
const IdealPin  *constraints_find_ideal_pin(const Constraints *c, PinId pin);
const Derate    *constraints_find_derate(const Constraints *c, Object object);
const GatingCheck *constraints_find_gating_check(const Constraints *c, Object object);
const PinCase   *constraints_find_case(const Constraints *c, PinId pin);
const ObjectValue *constraints_find_limit_record(const Constraints *c, LimitKind kind,
                                                 Object object);
float constraints_find_limit(const Constraints *c, LimitKind kind, Object object);      /* NAN */
float constraints_find_time_borrow(const Constraints *c, Object object);                /* NAN */
bool  constraints_gating_is_disabled(const Constraints *c, Object object);
const InstPvt   *constraints_find_pvt(const Constraints *c, InstId inst);
const WireLoadChoice *constraints_find_wire_load(const Constraints *c, Object object);
const ClockPin  *constraints_find_clock_pin(const Constraints *c, PinId pin, ClockId clock);

/* Return indices of records in an order that does not depend on the order of commands, so that
   neither timing nor written files depend on it. record_order sorts by the first `ids` (up to 3)
   32-bit fields of a record: a pin; an object; a pin and a clock. delay_order sorts by pin, clock,
   clock edge and reference pin. The caller frees the result. */
uint32_t *record_order(const void *records, size_t size, uint32_t count, int ids);
uint32_t *delay_order(const PortDelay *delays, uint32_t count);
#define RECORD_ORDER(array, ids) record_order((array).at, sizeof *(array).at, (array).len, ids)

#endif
