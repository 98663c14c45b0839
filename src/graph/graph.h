/* The timing graph: netlist, libraries and one mode's constraints compiled into flat arrays.

   Slots are the vertices, in level order.  A level is a contiguous range of slots: first its
   drivers (output pins, input ports, internal pins), then the loads of these drivers, driver by
   driver.  So the loads of a driver are the contiguous range [load_first, +load_count) in the
   driver's level.

        level L      | drivers ............ | loads of driver 0 | loads of driver 1 | ...
                      cell arcs end here       wire arcs end here (from their driver)

   Cell arcs go from loads of earlier levels to drivers.  They are sorted by their end: those of a
   slot are [arcs.first[slot], arcs.first[slot + 1]).  An arc has up to four timing edges (input
   edge, output edge).  Those of arc a are [arcs.edge_first[a], arcs.edge_first[a + 1]), in the
   order rise-rise, rise-fall, fall-rise, fall-fall of the pairs that it has.

   Arrivals that may merge share a tag (see tag.h).  The nodes of slot s are [nodes.first[s],
   nodes.first[s + 1]), one for each tag of the slot's tag set, in that set's order. An arc's map
   says which node of its start feeds which node of its end.

   The graph has no times; those are in timing/timing.h.  The caller of graph_new owns the graph. */
#ifndef SL_GRAPH_GRAPH_H
#define SL_GRAPH_GRAPH_H

#include "base/arena.h"
#include "db/constraints.h"
#include "db/netlist.h"
#include "graph/clocks/common_tree.h"
#include "graph/tag.h"

typedef uint32_t Slot, ArcId, NodeId, CheckId, PathEndId;
#define NO_SLOT UINT32_MAX
#define NO_ARC  UINT32_MAX
#define NO_NODE_ID UINT32_MAX

enum {                       /* GraphSlots.flags */
  SLOT_DRIVER = 1,           /* drives a net (or nothing) and receives cell arcs */
  SLOT_BIDIRECTIONAL = 2,    /* an inout pin: it has a load slot and a driver slot */
  SLOT_PORT = 4,
  SLOT_CONSTANT = 8,         /* its logic value is constant, so nothing arrives */
  SLOT_CLOCK_PIN = 16,       /* a register's clock or a latch's enable: launching or checking arcs
                                leave it */
  SLOT_IDEAL_CLOCK = 32,     /* a clock without set_propagated_clock arrives here */
  SLOT_IDEAL = 64,           /* in an ideal network: no delay, no slew of its own */
  SLOT_CLOCK_SOURCE = 128,
  SLOT_SEED = 256,           /* an arrival begins here (GraphStarts.seeds) */
  SLOT_DISABLED = 512,       /* a port with set_disable_timing, or a pin with set_logic_dc; nothing
                                passes (mark_disabled_ports in compile.c) */
  SLOT_UNLIMITED = 1024,     /* set_disable_timing disables the library's limits of pulse widths and
                                periods */
  SLOT_IDEAL_BEGIN = 2048    /* with SLOT_IDEAL: the network begins here, so the arcs to the pin
                                have delays */
};

enum {                       /* GraphArcs.flags: why an arc is off; 0 is on */
  ARC_OFF_CONSTANT = 1,      /* by constants: its `when` is false, or that of a sibling is true */
  ARC_OFF_DISABLED = 2,      /* set_disable_timing */
  ARC_OFF_LOOP = 4,          /* cut to break a combinational loop */
  ARC_OFF_TYPE = 8,          /* off because of its type: arcs from preset and clear to an output,
                                which no option switches on; with DEFAULT_ARCS_NEVER, arcs without
                                a condition beside siblings with conditions */
  ARC_OFF = ARC_OFF_CONSTANT | ARC_OFF_DISABLED | ARC_OFF_LOOP | ARC_OFF_TYPE,
  ARC_BLOCKED = 32,          /* off because constants at its cell block it: no arrival passes, but
                                slews count (doc/graph.md) */
  ARC_LATCH = 16             /* data to output of a latch; outside of the levels (see Latch) */
};

/* The kinds of path ends. */
typedef enum {
  END_SETUP,
  END_HOLD,
  END_RECOVERY,
  END_REMOVAL,
  END_GATING_SETUP,
  END_GATING_HOLD,
  END_OUTPUT_SETUP,
  END_OUTPUT_HOLD,
  END_LATCH_SETUP,
  END_PATH_MAX,
  END_PATH_MIN,
  END_DATA_SETUP,
  END_DATA_HOLD, /* the capture is the arrival at another data pin */
  END_NOCHANGE_SETUP, /* against the edge that begins the pulse of the related pin */
  END_NOCHANGE_HOLD,  /* against the edge that ends this pulse */
  END_TYPE_COUNT
} PathEndType;
static inline bool path_end_is_late(PathEndType t)
{
  return t == END_SETUP || t == END_RECOVERY || t == END_GATING_SETUP || t == END_OUTPUT_SETUP
         || t == END_LATCH_SETUP || t == END_PATH_MAX || t == END_DATA_SETUP
         || t == END_NOCHANGE_SETUP;
}

/* A check between two slots: a library check, a gating check (inferred or set), or a data check. */
typedef struct {
  Slot     clock, data;      /* for a data check the reference and the constrained pin */
  LibArcId lib;              /* NO_LIB_ARC if the margins are given */
  uint8_t  type;             /* ArcType; ARC_OTHER for gating; ARC_NON_SEQ_SETUP or ARC_NON_SEQ_HOLD
                                for set_data_check */
  uint8_t  clock_edge;       /* RISE, FALL */
  uint8_t
      off; /* 0 if on; ARC_OFF_CONSTANT: its `when` is false, or that of a sibling is true;
              ARC_OFF_DISABLED: set_disable_timing; ARC_OFF_TYPE: not timed beside siblings with
              conditions */
  uint8_t  off_edges;        /* data edges that only siblings check: bit RISE, bit FALL */
  bool     trailing;         /* a no-change check against the edge that ends the pulse of the
                                related pin */
  bool     gating_hold;      /* an inferred clock gating check of hold; false: of setup, or another
                                check */
  float    margin[2];        /* ps, by data edge, if lib is NO_LIB_ARC */
} Check;

/* One comparison at an end point: data node `data` against `capture`.

     late:  slack[edge] = offset[edge] + capture arrival - margin[edge] - data arrival
     early: slack[edge] = data arrival - (offset[edge] + capture arrival + margin[edge])

   Late data has its late arrival, early data its early one; graph_capture_side gives the side of
   the capture. offset holds edge times, cycles, uncertainty, path margins, ideal latencies and
   external delays, relative to the launching edge, so that floats stay small. */
typedef struct {
  NodeId   data;
  NodeId   capture;          /* a clock node, or a data node for a data check; NO_NODE_ID if offset
                                contains the time of the capture */
  CheckId  check;            /* UINT32_MAX if none */
  Slot     slot;             /* the slot of the data node */
  float    offset[2];        /* by data edge, ps */
  uint8_t  type;             /* PathEndType */
  uint8_t  capture_edge;     /* RISE, FALL: edge at the capture pin */
  uint8_t  time_edge;        /* RISE, FALL: the edge whose arrival at the capture node counts */
  bool     at_source;        /* capture is a node at the source of a generated clock, not at the pin
                                of the check: the generated clock is ideal, or an output delay names
                                it */
  uint8_t  edges;            /* mask of the data edges that it applies to; 0 for a latch whose check
                                is disabled */
  uint8_t  passes;           /* for a latch: data edges that go on through it, also if their check
                                is disabled */
  ClockEdge capture_clock;   /* the capturing clock edge; NO_CLOCK_EDGE for a path delay without a
                                clock */
  uint32_t detail;           /* index in details */
} PathEnd;

/* Returns the data edge that a no-change check constrains. */
static inline int nochange_edge(const Check *check)
{
  bool low = check->type == ARC_NOCHANGE_LOW;
  return low == !check->trailing ? FALL : RISE;
}

/* Does the check compare early data? */
static inline bool check_is_early(const Check *check)
{
  return check->type == ARC_HOLD || check->type == ARC_REMOVAL || check->type == ARC_NON_SEQ_HOLD
         || check->trailing;
}

/* The reference of data checks, and a slot whose path ends compare with it. */
typedef struct { Slot reference, data; } DataReference;

/* The parts of a path end's offset, for reports. Path ends with equal parts share one record. */
typedef struct {
  double   capture_time;     /* time of the capturing edge, counted from time zero, ps */
  double   launch_time;      /* the same of the launching edge */
  float    uncertainty;
  float    latency;          /* the ideal network latency or source latency in offset */
  float    external[2];      /* output delay by data edge */
  float    cycles_moved;     /* ps that a multicycle path added */
  float    margin;           /* set_path_margin */
  ExceptionId exception;     /* the max/min delay or multicycle that applied; NO_EXCEPTION */
  ExceptionId group;         /* the group_path that applies; NO_EXCEPTION if type and clock
                                determine the group */
  bool     path_delay;       /* the required time comes from set_max_delay or set_min_delay */
  float    window;           /* for a latch: the time that its data may borrow, ps; if window_given
                                is false, the setup time must still be subtracted */
  bool     window_given;     /* no setup time is subtracted from window: set_max_time_borrow gives
                                it, the check of the latch is disabled, or a path delay allows no
                                borrowing */
  float    pulse;            /* the part of window that is the clock's pulse and scales with its
                                period, or 0 */
  NodeId   close;            /* for a latch with a propagated clock and no given window: the node of
                                the closing edge; else NO_NODE_ID */
} PathEndDetail;

/* An edge of a generated clock begins at its source when the master's edge arrives there:
   arrival[to] becomes arrival[from] for the transition `edge` and the conditions in the mask (those
   without a given source latency). Both nodes belong to the slot; `from` has a hidden tag (see
   tag.h). */
typedef struct {
  Slot    slot;
  NodeId  to, from;
  uint8_t edge;
  uint8_t conditions;
} ClockLink;

/* The values that are given at pins on a clock's way: for each value the last pin that gives it, as
   an index in Constraints.clock_pins, or NO_CLOCK_PIN. `source` is the slot where an ideal
   generated clock began; its arrival there is the source latency. */
#define NO_CLOCK_PIN UINT32_MAX
typedef struct {
  Slot     source;
  uint32_t latency[CONDITION_COUNT];
  uint32_t uncertainty[2];       /* [HOLD], [SETUP] */
  bool     shaped;               /* propagated up to a pin with a latency; its slews stay those of
                                    the network */
} ClockPinValues;

/* A seed that counts from the arrival of a propagated clock at a reference pin, or of a generated
   clock at its source. */
typedef struct {
  uint32_t seed;
  NodeId   node;               /* the clock's node at the reference pin */
  uint8_t  edge;               /* the edge at that node */
} SeedReference;

typedef struct {
  Slot  load, driver;
  MapId map;
} ExtraWire;

/* The arc from data to output of a latch. The map leads from the nodes of the enable pin, whose
   opening edge launches borrowing data, to the nodes of the output. Its edge pairs are those of
   data and output. */
typedef struct {
  ArcId   arc;
  Slot    data, enable, output;
  uint8_t open_edge;            /* RISE, FALL of the enable pin */
  MapId   map;
} Latch;

/* Says when arcs and checks without a condition count beside siblings with conditions (between the
   same pins, for the same edges): if constants make no sibling's condition true; always; never. */
typedef enum { DEFAULT_ARCS_OTHERWISE, DEFAULT_ARCS_ALWAYS, DEFAULT_ARCS_NEVER } DefaultArcs;

/* User choices on what is timed. */
typedef struct {
  bool    inout_paths;            /* time paths from the driver of an inout pin back into its own
                                     cell */
  uint8_t default_arcs;           /* DefaultArcs */
} GraphRules;

/* Vertices, in level order. */
typedef struct {
  uint32_t  count;
  PinId    *pin;                  /* [count] */
  uint16_t *flags;                /* [count] */
  uint32_t *level;                /* [count] */
  uint8_t  *logic;                /* [count]: the constant value 0 or 1, or 2 if not known */
  Slot     *of_pin;               /* [pins]: the load slot of an inout pin, else the only slot;
                                     NO_SLOT if none */
  Map      *inout_driver;         /* PinId -> driver slot of inout pins */
} GraphSlots;

typedef struct {
  uint32_t  count;
  Slot     *first;                /* [count + 1]: where the drivers of the level begin */
  Slot     *loads;                /* [count]: where the loads of the level begin */
  uint32_t *drivers_before;       /* [count + 1]: number of drivers in lower levels */
  double    seconds;              /* seconds that levelization took */
  bool      given;                /* computed by another implementation than the host's */
} GraphLevels;

/* Drivers, their loads and the wires between them. */
typedef struct {
  uint32_t  driver_count, load_total;
  Slot     *driver_slots;         /* [driver_count] */
  Slot     *load_first;           /* [slots]: for drivers */
  uint32_t *load_count;           /* [slots]: for drivers */
  Slot     *wire_driver;          /* [slots]: for loads; NO_SLOT if floating */
  uint32_t *wire_map;             /* [slots]: for loads: MapId from the driver's nodes to the
                                     load's */
  ARRAY(ExtraWire) extra_wires;   /* wires from the other drivers of a net with several drivers,
                                     sorted by load */
} GraphNets;

/* Cell arcs, sorted by their end. */
typedef struct {
  uint32_t  count, edge_count;
  ArcId    *first;                /* [slots + 1]: arcs by end */
  Slot     *from, *to;            /* [count] */
  LibArcId *lib;                  /* [count] */
  uint8_t  *flags;                /* [count] */
  uint8_t  *pairs;                /* [count]: timing edges that the arc has: bit 2*in + out */
  uint8_t  *live;                 /* [count]: those of `pairs` that constants at the cell leave
                                     active */
  uint32_t *edge_first;           /* [count + 1] */
  uint32_t *map;                  /* [count]: MapId, nodes of its start to nodes of its end */
  ArcId    *out_first;            /* [slots + 1]: arcs by start */
  ArcId    *out;                  /* [count] */
  ARRAY(Latch) latches;           /* data to output arcs, outside the levels; sorted by arc */
  uint32_t  loops_cut;
} GraphArcs;

typedef struct {
  uint32_t  count;
  NodeId   *first;                /* [slots + 1] */
  uint8_t  *edges;                /* [count]: bit RISE, bit FALL: transitions that can arrive */
  uint32_t *slot_tags;            /* [slots]: TagSetId */
} GraphNodes;

/* Properties of tags that follow from constraints, by TagId. */
typedef struct {
  float   (*latency)[4];          /* launch latency of ideal clocks by condition, ps */
  uint8_t  *is_ideal;             /* the tag's clock is ideal */
  uint8_t  *is_bare;              /* its data leaves clock pins at time 0 */
  NodeId   *origin;               /* the node whose arrival is added to the latency of an ideal
                                     generated clock; NO_NODE_ID if none */
} GraphTagFacts;

/* Where arrivals begin. */
typedef struct {
  ARRAY(Seed) seeds;              /* sorted by slot */
  ARRAY(SeedReference) references;
  Map      *clocks;               /* hash_pair(slot, clock) for each place where a clock starts */
  ARRAY(ClockLink) links;         /* arrivals that generated clocks take over at their sources,
                                     sorted by slot, then `to` */
  ARRAY(ClockPinValues) pin_values; /* of clocks, by PinValuesId; the first entry has none */
} GraphStarts;

/* Where arrivals are compared. */
typedef struct {
  ARRAY(Check) checks;
  uint32_t *first_check;          /* [slots + 1]: into check_order, by data slot */
  CheckId  *check_order;
  ARRAY(PathEnd) path_ends;                /* sorted by slot */
  PathEndId *first_end;               /* [slots + 1] */
  ARRAY(PathEndDetail) details;
  ARRAY(DataReference) data_references;   /* sorted by reference */
} GraphEnds;

typedef struct Graph {
  const Netlist     *netlist;
  const LibrarySet  *libs;
  const Constraints *constraints;
  GraphRules         rules;
  uint32_t           pin_count;   /* number of pins of the netlist at compile time */

  GraphSlots    slots;
  GraphLevels   levels;
  GraphNets     nets;
  GraphArcs     arcs;
  GraphNodes    nodes;
  TagTable     *tags;
  GraphTagFacts by_tag;
  GraphStarts   starts;
  GraphEnds     ends;
  CommonTree    common;           /* pins that clock paths have in common */
  struct DisabledIndex *disabled; /* used while the graph is compiled; NULL: there is no
                                     set_disable_timing */
  Map *swap_kinds;                /* hash_pair of two cells -> how they may be swapped: private to
                                     swap.c; NULL: no swap yet */
} Graph;

/* The input of the compilation. Everything but the leveller must outlive the graph. */
typedef struct {
  const Netlist     *netlist;
  const LibrarySet  *libs;
  const Constraints *constraints;
  const struct Leveller *leveller;        /* computes the levels (graph/levels.h); NULL: the host
                                             does */
  GraphRules rules;
} GraphInput;

/* Is it the wire from the driver of an inout pin to the load of the same pin? At a cell it leads
   back into the cell: only data that starts at the pin passes, unless set_inout_paths is on. At a
   port nothing passes. If nothing can pass it at a cell, the wire is not made
   (graph_own_load_is_apart). Otherwise its slew counts, and it takes part in the levels. */
static inline bool graph_wire_is_inner(const Graph *g, Slot driver, Slot load)
{
  bool shut = !g->rules.inout_paths || g->slots.flags[load] & SLOT_PORT;
  return shut && g->slots.pin[driver] == g->slots.pin[load];
}

/* Is the load of an inout pin separate from the driver of the same pin (graph/inout.c)? */
bool graph_own_load_is_apart(const Graph *g, Slot driver);

/* Returns the values that pins gave to a clock on the way of a tag. */
static inline const ClockPinValues *graph_pin_values(const Graph *g, const Tag *tag)
{
  return &g->starts.pin_values.at[tag->pin_values];
}

/* Is it a launch arc, from a register's clock pin or a latch's gate to an output? */
static inline bool graph_arc_is_launch(const Graph *g, ArcId a)
{
  return arc_type_is_launch((ArcType)g->libs->arcs.at[g->arcs.lib[a]].type);
}

/* Compiles the graph, with a warning for each loop that was cut. The caller frees it with
   graph_free. Returns NULL if interrupted. */
Graph *graph_new(const GraphInput *in, Log *log);
void   graph_free(Graph *g);

/* Call it after netlist_swap_cell. Replaces the arcs and checks of the old cell by those of the new
   cell. Returns false and does nothing if the two cells differ in more than numbers, or if they are
   not equivalent (library_cells_equivalent). The graph must then be compiled again. */
bool   graph_swap_cell(Graph *g, InstId inst, CellId old_cell);
/* Returns true if graph_swap_cell would succeed after a swap of an instance's present cell to
   `cell`. */
bool   graph_may_swap_cell(Graph *g, InstId inst, CellId cell);
/* Prefetches the memory that a swap and the code after the swap will read. Changes nothing. A batch
   of swaps is faster if this is called for each instance before the first swap, with steps 1, 2 and
   3 in this order and other instances in between: a step reads what the step before it has
   prefetched. The caller must have prefetched the record of the instance before. */
void   graph_swap_ahead(const Graph *g, InstId inst, int step);

size_t graph_bytes(const Graph *g);

/* Returns the slot of a pin as driver or as load, or NO_SLOT. */
Slot graph_slot(const Graph *g, PinId pin, bool as_driver);

/* Returns the slot where arrivals at a pin are stored: the load slot, or the driver slot if nothing
   arrives at the load slot. Returns NO_SLOT if the pin has no slot. */
Slot graph_arriving_slot(const Graph *g, PinId pin);

/* Input edge and output edge of timing edge e of arc a. */
typedef struct { uint8_t in, out; } EdgePair;
EdgePair arc_edge_pair(const LibArc *arc, uint32_t index);
uint32_t arc_edge_pairs(const LibArc *arc);          /* the number of pairs */
uint8_t  arc_pair_mask(const LibArc *arc);           /* bit 2*in + out of each */

/* Returns the data edges that a check compares: those with a margin that no sibling replaces. */
uint8_t  graph_checked_edges(const Graph *g, const Check *check);

/* Returns the range of links of a slot. */
void graph_links(const Graph *g, Slot slot, uint32_t *from, uint32_t *to);
/* Returns the node of a clock edge where the clock starts, or NO_NODE_ID. */
NodeId graph_source_node(const Graph *g, Slot source, ClockEdge edge);

/* Returns the range of extra_wires of a load. */
void graph_extra_wires(const Graph *g, Slot load, uint32_t *from, uint32_t *to);

/* Returns the range of data_references of a reference. */
void graph_data_references(const Graph *g, Slot reference, uint32_t *from, uint32_t *to);
/* Returns the slot that a node belongs to. */
Slot graph_node_slot(const Graph *g, NodeId node);

/* Returns the first index in seeds whose slot is not below `slot`. */
uint32_t graph_first_seed(const Graph *g, Slot slot);

/* Extra wires of a driver: DriverExtras it = driver_extras(g, driver); while
   (driver_extras_next(&it)) ... it.index. */
typedef struct {
  const Graph *g;
  Slot     driver;
  NetPins  pins;
  uint32_t index, next, end;      /* index: in extra_wires */
} DriverExtras;
DriverExtras driver_extras_begin(const Graph *g, Slot driver);
bool         driver_extras_find(DriverExtras *it);

/* Updates call this for every driver. Most graphs have no extra wires; then the inline function
   returns without a call. */
static inline DriverExtras driver_extras(const Graph *g, Slot driver)
{
  if (g->nets.extra_wires.len == 0) return (DriverExtras){ .g = g };
  return driver_extras_begin(g, driver);
}

static inline bool driver_extras_next(DriverExtras *it)
{
  return it->g->nets.extra_wires.len != 0 && driver_extras_find(it);
}

/* Returns the index of the first latch whose arc is not below `arc`. An arc has a latch for each
   enable pin. */
uint32_t graph_first_latch(const Graph *g, ArcId arc);
/* Returns the output's node for data with an edge pair (2*in + out) that borrows from a clock's
   opening edge, or NO_NODE_ID. */
NodeId   graph_latch_node(const Graph *g, const Latch *latch, ClockEdge clock, int pair);
/* Is `data` the data pin of a latch with this enable pin? */
bool graph_is_latch_data(const Graph *g, Slot data, Slot enable);

/* Drivers are also numbered among drivers, and loads among loads, in the order of slots. Arrays
   that hold only drivers or only loads use these numbers. */
static inline uint32_t graph_driver_index(const Graph *g, Slot driver)
{
  uint32_t level = g->slots.level[driver];
  return driver - g->levels.first[level] + g->levels.drivers_before[level];
}
static inline uint32_t graph_load_index(const Graph *g, Slot load)
{
  return load - g->levels.drivers_before[g->slots.level[load] + 1];
}

static inline bool slot_is_driver(const Graph *g, Slot s)
{
  return g->slots.flags[s] & SLOT_DRIVER;
}
/* Returns the input and output edge of timing edge number `index` of an arc. */
static inline EdgePair graph_edge_pair(const Graph *g, ArcId a, uint32_t index)
{
  uint32_t pairs = g->arcs.pairs[a];
  while (index-- > 0) pairs &= pairs - 1;
  uint32_t bit = pairs & 1 ? 0 : pairs & 2 ? 1 : pairs & 4 ? 2 : 3;
  return (EdgePair){ (uint8_t)(bit >> 1), (uint8_t)(bit & 1) };
}

/* Visits the pairs of nodes that a map connects between two slots: NodePairs it = node_pairs(g,
   map, from, to); while (node_pairs_next(&it)) ... */
typedef struct {
  NodeId   from, to;
  uint8_t  mask;                  /* edge pairs: bit 2*in + out */
  NodeId   first_from, first_to;
  const MapEntry *entry;          /* NULL for the identity */
  uint32_t at, count;
} NodePairs;

static inline NodePairs node_pairs(const Graph *g, MapId map, Slot from, Slot to)
{
  NodePairs it = { 0,
                   0,
                   15,
                   g->nodes.first[from],
                   g->nodes.first[to],
                   NULL,
                   0,
                   g->nodes.first[to + 1] - g->nodes.first[to] };
  if (map == IDENTITY_MAP) return it;
  it.entry = tag_map_entries(g->tags, map);
  it.count = tag_map_count(g->tags, map);
  return it;
}

static inline bool node_pairs_next(NodePairs *it)
{
  if (it->at == it->count) return false;
  it->from = it->first_from + (it->entry ? it->entry[it->at].from : it->at);
  it->to = it->first_to + (it->entry ? it->entry[it->at].to : it->at);
  if (it->entry) it->mask = it->entry[it->at].mask;
  it->at++;
  return true;
}

/* Returns true if a clock arrives at the slot. Hidden tags on the way to the source of a generated
   clock count too. */
static inline bool graph_slot_has_clock(const Graph *g, Slot slot)
{
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[slot]); i++)
    if (g->tags->tags.at[tags[i]].is_clock) return true;
  return false;
}

static inline TagId graph_node_tag(const Graph *g, Slot slot, NodeId node)
{
  return tag_set_tags(g->tags, g->nodes.slot_tags[slot])[node - g->nodes.first[slot]];
}

/* Is the node's tag one of a clock (Tag.is_clock)? A clock that reaches a data pin or an output
   keeps its clock tag there, unless a sense stops the clock. Hidden tags on the way to the source
   of a generated clock count too; tag_is_clock (tag.h) leaves them out. The data node of a path end
   is never hidden. */
static inline bool graph_node_is_clock(const Graph *g, Slot slot, NodeId node)
{
  return g->tags->tags.at[graph_node_tag(g, slot, node)].is_clock;
}

/* Returns the analysis (EARLY, LATE) of the capturing clock for data of the given analysis. */
static inline int graph_capture_side(const Graph *g, int data_side)
{
  return g->constraints->analysis == ANALYSIS_ON_CHIP ? !data_side : data_side;
}

static inline Slot graph_arc_end(const Graph *g, ArcId a) { return g->arcs.to[a]; }
static inline bool arc_on(const Graph *g, ArcId a) { return !(g->arcs.flags[a] & ARC_OFF); }
/* Does the arc contribute to the slew at its end? An arc that only constants switch off contributes
   too, if its own start can change. So slews are safe in every mode. */
static inline bool arc_shapes(const Graph *g, ArcId a)
{
  return arc_on(g, a)
         || (g->arcs.flags[a] & (ARC_OFF | ARC_BLOCKED)) == (ARC_OFF_CONSTANT | ARC_BLOCKED);
}

#endif
