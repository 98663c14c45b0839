/* The timing graph: netlist, libraries and one mode's constraints compiled into flat arrays.

   Slots are the vertices in level order: a level is a contiguous range, its drivers first (output
   pins, input ports, internal pins), then the loads of these drivers, driver by driver.  So a
   driver's loads are the contiguous range [load_first, +load_count), always in the driver's own
   level.

        level L      | drivers ............ | loads of driver 0 | loads of driver 1 | ...
                      cell arcs end here       wire arcs end here (from their driver)

   Cell arcs go from loads of earlier levels to drivers.  They are sorted by their end: those of a
   slot are [arcs.first[slot], arcs.first[slot + 1]).  An arc has up to four timing edges (input
   edge, output edge).  Those of arc a are [arcs.edge_first[a], arcs.edge_first[a + 1]), in the
   order rise-rise, rise-fall, fall-rise, fall-fall of the pairs that it has.

   Arrivals that may merge share a tag (see tag.h).  The nodes of slot s are [nodes.first[s],
   nodes.first[s + 1]), one for each tag of the slot's tag set, in that set's order. An arc's map
   says which node of its start feeds which node of its end.

   Nothing here is a number that timing changes; those are in timing/timing.h. */
#ifndef SL_GRAPH_GRAPH_H
#define SL_GRAPH_GRAPH_H

#include "base/arena.h"
#include "db/constraints.h"
#include "db/netlist.h"
#include "graph/common_tree.h"
#include "graph/tag.h"

typedef uint32_t Slot, ArcId, NodeId, CheckId, PathEndId;
#define NO_SLOT UINT32_MAX
#define NO_ARC  UINT32_MAX
#define NO_NODE_ID UINT32_MAX

enum {                       /* GraphSlots.flags */
  SLOT_DRIVER = 1,           /* drives a net (or nothing) and receives cell arcs */
  SLOT_BIDIRECTIONAL = 2,    /* an inout pin: it has a load slot and a driver slot */
  SLOT_PORT = 4,
  SLOT_CONSTANT = 8,         /* its logic value is constant: nothing arrives */
  SLOT_CLOCK_PIN = 16,       /* a register's clock or a latch's enable: launching or checking arcs
                                leave it */
  SLOT_IDEAL_CLOCK = 32,     /* a clock without set_propagated_clock arrives here */
  SLOT_IDEAL = 64,           /* in an ideal network: no delay, no slew of its own */
  SLOT_CLOCK_SOURCE = 128,
  SLOT_SEED = 256,           /* an arrival begins here: seeds has it */
  SLOT_DISABLED = 512,       /* a port with set_disable_timing: nothing passes */
  SLOT_UNLIMITED = 1024,     /* set_disable_timing takes out the library's limits of pulses and
                                periods there */
  SLOT_IDEAL_BEGIN = 2048    /* with SLOT_IDEAL: the network begins here, so what leads to the pin
                                takes its time */
};

enum {                       /* GraphArcs.flags: why an arc is off; 0 is on */
  ARC_OFF_CONSTANT = 1,      /* by constants, a false `when` or a sibling's true one */
  ARC_OFF_DISABLED = 2,      /* set_disable_timing */
  ARC_OFF_LOOP = 4,          /* cut to break a combinational loop */
  ARC_OFF_TYPE = 8,          /* not timed in this mode (preset and clear to output by default;
                                DEFAULT_ARCS_NEVER) */
  ARC_OFF = ARC_OFF_CONSTANT | ARC_OFF_DISABLED | ARC_OFF_LOOP | ARC_OFF_TYPE,
  ARC_BLOCKED = 32,          /* off because constants at its cell block it: nothing arrives over it,
                                but slews count (doc/graph.md) */
  ARC_LATCH = 16             /* latch data to output: stands outside the levels, see latch passes */
};

/* What a check compares with. */
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
  END_DATA_HOLD, /* the capture is another data pin's arrival */
  END_NOCHANGE_SETUP,
  END_NOCHANGE_HOLD, /* against the edge that begins, that ends the
                                                  related pin's pulse */
  END_TYPE_COUNT
} PathEndType;
static inline bool path_end_is_late(PathEndType t)
{
  return t == END_SETUP || t == END_RECOVERY || t == END_GATING_SETUP || t == END_OUTPUT_SETUP
         || t == END_LATCH_SETUP || t == END_PATH_MAX || t == END_DATA_SETUP
         || t == END_NOCHANGE_SETUP;
}

/* A library check between two slots, a gating check that was inferred or set, or a data check that
   was set. */
typedef struct {
  Slot     clock, data;      /* of a data check: the reference and the constrained pin */
  LibArcId lib;              /* NO_LIB_ARC: margins are given */
  uint8_t  type;             /* ArcType; ARC_OTHER for gating; ARC_NON_SEQ_SETUP, ARC_NON_SEQ_HOLD
                                where set_data_check gave it */
  uint8_t  clock_edge;       /* RISE, FALL */
  uint8_t
      off; /* ARC_OFF_CONSTANT: a false `when`, or a sibling's true one; ARC_OFF_DISABLED: set_disable_timing;
                                ARC_OFF_TYPE: not timed beside siblings with conditions; 0: on */
  uint8_t  off_edges;        /* data edges that only siblings check: bit RISE, bit FALL */
  bool     trailing;         /* a no-change check of the edge that ends the related pin's pulse */
  float    margin[2];        /* by data edge, where lib is NO_LIB_ARC */
} Check;

/* One comparison at an end point: slack of data node `data` against capture. late:  slack[edge] =
   offset + capture arrival (early) - margin[edge] - data arrival (late) early: slack[edge] = data
   arrival (early) - (offset + capture arrival (late) + margin[edge]) offset holds edge times,
   cycles, uncertainty, ideal latencies and external delays, relative to the launching edge, so that
   floats stay small. */
typedef struct {
  NodeId   data;
  NodeId   capture;          /* a clock node, of a data check a data node, or NO_NODE_ID: its time
                                is in offset */
  CheckId  check;            /* UINT32_MAX: none */
  Slot     slot;             /* of data */
  float    offset[2];        /* by data edge, ps */
  uint8_t  type;             /* PathEndType */
  uint8_t  capture_edge;     /* RISE, FALL: edge at the capture pin */
  uint8_t  time_edge;        /* RISE, FALL: edge for which capture's arrival counts */
  bool     at_source;        /* capture is where a generated clock starts (ideal, or of an output
                                delay), not the check's pin */
  uint8_t  edges;            /* mask of data edges it applies to */
  uint8_t  passes;           /* of a latch: data edges that go on through it, those of a disabled
                                check among them */
  ClockEdge capture_clock;   /* the capturing clock edge; NO_CLOCK_EDGE: path delays without a
                                clock */
  uint32_t detail;           /* index in details */
} PathEnd;

/* The edge of its data that a no-change check speaks of. */
static inline int nochange_edge(const Check *c)
{
  bool low = c->type == ARC_NOCHANGE_LOW;
  return low == !c->trailing ? FALL : RISE;
}

/* Does the check compare early data? */
static inline bool check_is_early(const Check *c)
{
  return c->type == ARC_HOLD || c->type == ARC_REMOVAL || c->type == ARC_NON_SEQ_HOLD
         || c->trailing;
}

/* The reference of data checks, and a slot with rows that compare with it. */
typedef struct { Slot reference, data; } DataReference;

/* How offset came about, for reports; shared by rows that agree. */
typedef struct {
  double   capture_time;     /* ps, of the capturing edge relative to time zero */
  double   launch_time;
  float    uncertainty;
  float    latency;          /* ideal network latency or source latency in offset */
  float    external[2];      /* output delay by data edge */
  float    cycles_moved;     /* ps that multicycle paths added */
  float    margin;           /* set_path_margin */
  ExceptionId exception;     /* max/min delay or multicycle that applied; NO_EXCEPTION */
  ExceptionId group;         /* group_path that applies; NO_EXCEPTION: the group is by type and
                                clock */
  bool     path_delay;       /* required comes from set_max_delay / set_min_delay */
  float    window;           /* of a latch: how long it may borrow, ps, before the setup time unless
                                given */
  bool     window_given;     /* by set_max_time_borrow */
  float    pulse;            /* of window: the clock's pulse, which moves with its period; 0 */
  NodeId   close;            /* of a latch with a propagated clock, window not given: the node of
                                the closing edge; else NO_NODE_ID */
} PathEndDetail;

/* A generated clock's edge begins at its source when its master's edge gets there: arrival[to]
   takes over arrival[from], for the transition `edge` and the conditions in the mask (those without
   a given source latency).  Both nodes are the slot's own; `from` is hidden (see tag.h). */
typedef struct {
  Slot    slot;
  NodeId  to, from;
  uint8_t edge;
  uint8_t conditions;
} ClockLink;

/* What was given at pins that a clock passed: for each value the last pin that gave it, as an index
   in clock_pins, or NO_CLOCK_PIN.  source: where an ideal generated clock began, whose arrival
   there is its source latency. */
#define NO_CLOCK_PIN UINT32_MAX
typedef struct {
  Slot     source;
  uint32_t latency[CONDITION_COUNT];
  uint32_t uncertainty[2];       /* [HOLD], [SETUP] */
  bool     shaped;               /* propagated up to a latency's pin: its slews stay those of the
                                    network */
} ClockPlace;

/* A seed that counts from the arrival of a propagated clock at a reference pin, or of a generated
   one at its source. */
typedef struct {
  uint32_t seed;
  NodeId   node;               /* the clock's at the reference pin */
  uint8_t  edge;               /* of that node */
} SeedReference;

typedef struct {
  Slot  load, driver;
  MapId map;
} ExtraWire;

/* A latch's data to output arc.  The map is from the enable pin's nodes, whose opening edge
   launches what borrows, to those of the output that take it over; its edge pairs are of data and
   output. */
typedef struct {
  ArcId   arc;
  Slot    data, enable, output;
  uint8_t open_edge;            /* RISE, FALL of the enable pin */
  MapId   map;
} Latch;

/* Where arcs and checks without a condition count beside siblings that have one (between the same
   pins, for the same edges): where no sibling's condition is true for good; everywhere; nowhere. */
typedef enum { DEFAULT_ARCS_OTHERWISE, DEFAULT_ARCS_ALWAYS, DEFAULT_ARCS_NEVER } DefaultArcs;

/* What of a design is timed, where users choose. */
typedef struct {
  bool    inout_paths;            /* from the driver of an inout pin back into its own cell; else
                                     such a wire passes nothing */
  uint8_t default_arcs;           /* DefaultArcs */
} GraphRules;

/* Vertices, in level order. */
typedef struct {
  uint32_t  count;
  PinId    *pin;                  /* [count] */
  uint16_t *flags;                /* [count] */
  uint32_t *level;                /* [count] */
  uint8_t  *logic;                /* [count]: constant value 0 or 1; 2: not known */
  Slot     *of_pin;               /* [pins]: load side of inout pins, else the only slot; NO_SLOT:
                                     none */
  Map      *inout_driver;         /* PinId -> driver slot of inout pins */
} GraphSlots;

typedef struct {
  uint32_t  count;
  Slot     *first;                /* [count + 1]: where the drivers of the level begin */
  Slot     *loads;                /* [count]: where the loads of the level begin */
  uint32_t *drivers_before;       /* [count + 1]: drivers in lower levels */
  double    seconds;              /* that working them out took */
  bool      given;                /* by another than the host */
} GraphLevels;

/* Drivers, their loads and the wires between them. */
typedef struct {
  uint32_t  driver_count, load_total;
  Slot     *driver_slots;         /* [driver_count] */
  Slot     *load_first;           /* [slots]: of drivers */
  uint32_t *load_count;           /* [slots]: of drivers */
  Slot     *wire_driver;          /* [slots]: of loads; NO_SLOT: floating */
  uint32_t *wire_map;             /* [slots]: of loads: MapId, the driver's nodes to the load's */
  ARRAY(ExtraWire) extra_wires;   /* from further drivers of nets with several, sorted by load */
} GraphNets;

/* Cell arcs, sorted by their end. */
typedef struct {
  uint32_t  count, edge_count;
  ArcId    *first;                /* [slots + 1]: arcs by end */
  Slot     *from, *to;            /* [count] */
  LibArcId *lib;                  /* [count] */
  uint8_t  *flags;                /* [count] */
  uint8_t  *pairs;                /* [count]: timing edges that the arc has: bit 2*in + out */
  uint8_t  *live;                 /* [count]: of these, what constants at the cell let pass */
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
  uint8_t  *edges;                /* [count]: bit RISE, bit FALL: transitions that can arrive at
                                     all */
  uint32_t *slot_tags;            /* [slots]: TagSetId */
} GraphNodes;

/* What constraints say of tags.  By TagId. */
typedef struct {
  float   (*latency)[4];          /* launching latency of ideal clocks by condition, ps */
  uint8_t  *is_ideal;             /* the tag's clock is ideal */
  uint8_t  *is_bare;              /* its data leaves clock pins at 0 */
  NodeId   *origin;               /* whose arrival an ideal generated clock's latency adds to;
                                     NO_NODE_ID: none */
} GraphTagFacts;

/* Where arrivals begin. */
typedef struct {
  ARRAY(Seed) seeds;              /* sorted by slot */
  ARRAY(SeedReference) references;
  Map      *clocks;               /* where clocks start: hash_pair(slot, clock) */
  ARRAY(ClockLink) links;         /* what generated clocks take over at their sources, sorted by
                                     slot, then `to` */
  ARRAY(ClockPlace) places;       /* what was given at pins of clock networks; the first is
                                     nothing */
} GraphStarts;

/* Where arrivals are compared. */
typedef struct {
  ARRAY(Check) checks;
  uint32_t *first_check;          /* [slots + 1]: into check_order, by data slot */
  CheckId  *check_order;
  ARRAY(PathEnd) path_ends;                /* sorted by slot */
  PathEndId *first_end;               /* [slots + 1] */
  ARRAY(PathEndDetail) details;
  ARRAY(DataReference) data_references;   /* sorted by reference: whose rows follow its arrivals */
} GraphEnds;

typedef struct Graph {
  const Netlist     *netlist;
  const LibrarySet  *libs;
  const Constraints *constraints;
  GraphRules         rules;
  uint32_t           pin_count;   /* pins that the netlist had */

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
  struct DisabledIndex *disabled; /* while the graph is compiled; NULL: set_disable_timing says
                                     nothing */
} Graph;

/* What a graph is compiled from; all but the leveller must outlive it. */
typedef struct {
  const Netlist     *netlist;
  const LibrarySet  *libs;
  const Constraints *constraints;
  const struct Leveller *leveller;        /* who works out levels (graph/levels.h); NULL: the
                                             host */
  GraphRules rules;
} GraphInput;

/* The wire from an inout pin's driver to its own load.  For a cell this is a way back into the
   cell: only what starts at the pin passes it, unless set_inout_paths lets all pass.  For a port
   it is no way at all.  Where nothing can pass it at a cell, no such wire is made
   (graph_own_load_is_apart); elsewhere its slew counts, and it stands in the levels. */
static inline bool graph_wire_is_inner(const Graph *g, Slot driver, Slot load)
{
  bool shut = !g->rules.inout_paths || g->slots.flags[load] & SLOT_PORT;
  return shut && g->slots.pin[driver] == g->slots.pin[load];
}

/* Does the load of a driver's own inout pin stay apart from it (graph/inout.c)? */
bool graph_own_load_is_apart(const Graph *g, Slot driver);

/* Does data leave a clock pin or a latch's gate over the arc? */
static inline bool graph_arc_is_launch(const Graph *g, ArcId a)
{
  return arc_type_is_launch((ArcType)g->libs->arcs.at[g->arcs.lib[a]].type);
}

/* Compiles the graph.  The log gets one warning for each loop that was cut. */
/* NULL: interrupted. */
Graph *graph_new(const GraphInput *in, Log *log);
void   graph_free(Graph *g);

/* After netlist_swap_cell: puts the new cell's arcs and checks in the places of the old one's.
   False, with nothing done, when the two differ in more than numbers and the graph must be compiled
   again. */
bool   graph_swap_cell(Graph *g, InstId inst, CellId old_cell);

size_t graph_bytes(const Graph *g);

/* Slot of a pin as driver or as load; NO_SLOT. */
Slot graph_slot(const Graph *g, PinId pin, bool as_driver);

/* Where something arrives at a pin: the load side of inout pins, else their driving side;
   NO_SLOT. */
Slot graph_arriving_slot(const Graph *g, PinId pin);

/* Input edge and output edge of timing edge e of arc a. */
typedef struct { uint8_t in, out; } EdgePair;
EdgePair arc_edge_pair(const LibArc *arc, uint32_t index);
uint32_t arc_edge_pairs(const LibArc *arc);          /* how many */
uint8_t  arc_pair_mask(const LibArc *arc);           /* bit 2*in + out of each */

/* Data edges of a check that it compares: those that it has a margin for and no sibling takes
   over. */
uint8_t  graph_checked_edges(const Graph *g, const Check *c);

/* Range of links of a slot. */
void graph_links(const Graph *g, Slot slot, uint32_t *from, uint32_t *to);
/* The node of a clock's edge where the clock starts; NO_NODE_ID. */
NodeId graph_source_node(const Graph *g, Slot source, ClockEdge edge);

/* Range of extra_wires of a load. */
void graph_extra_wires(const Graph *g, Slot load, uint32_t *from, uint32_t *to);

/* Range of data_references of a reference. */
void graph_data_references(const Graph *g, Slot reference, uint32_t *from, uint32_t *to);
/* The slot that a node belongs to. */
Slot graph_node_slot(const Graph *g, NodeId node);

/* First index in seeds that is not below a slot. */
uint32_t graph_first_seed(const Graph *g, Slot slot);

/* Extra wires of a driver: DriverExtras it = driver_extras(g, driver); while
   (driver_extras_next(&it)) ... it.index. */
typedef struct {
  const Graph *g;
  Slot     driver;
  NetPins  pins;
  uint32_t index, next, end;      /* index: in extra_wires */
} DriverExtras;
DriverExtras driver_extras(const Graph *g, Slot driver);
bool         driver_extras_next(DriverExtras *it);

/* The first latch of an arc, or behind it (an arc has one for each enable pin). */
uint32_t graph_first_latch(const Graph *g, ArcId arc);
/* The output's node for data of an edge pair (2*in + out) that borrows from a clock's opening edge;
   NO_NODE_ID. */
NodeId   graph_latch_node(const Graph *g, const Latch *latch, ClockEdge clock, int pair);
/* Is the slot the data of a latch that this enable pin opens? */
bool graph_is_latch_data(const Graph *g, Slot data, Slot enable);

/* Drivers and loads are numbered apart as well, in slot order, for arrays that only one kind
   needs. */
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
/* Input and output edge of the index-th timing edge of an arc. */
static inline EdgePair graph_edge_pair(const Graph *g, ArcId a, uint32_t index)
{
  uint32_t pairs = g->arcs.pairs[a];
  while (index-- > 0) pairs &= pairs - 1;
  uint32_t bit = pairs & 1 ? 0 : pairs & 2 ? 1 : pairs & 4 ? 2 : 3;
  return (EdgePair){ (uint8_t)(bit >> 1), (uint8_t)(bit & 1) };
}

/* The nodes that a map joins, between two slots: NodePairs it = node_pairs(g, map, from, to); while
   (node_pairs_next(&it)) ... */
typedef struct {
  NodeId   from, to;
  uint8_t  mask;                  /* edge pairs: bit 2*in + out */
  NodeId   first_from, first_to;
  const MapEntry *entry;          /* NULL: the identity */
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

static inline bool graph_node_is_clock(const Graph *g, Slot slot, NodeId node)
{
  return g->tags->tags
      .at[tag_set_tags(g->tags, g->nodes.slot_tags[slot])[node - g->nodes.first[slot]]]
      .is_clock;
}

/* The analysis (EARLY, LATE) of the capturing clock that data of an analysis is compared with. */
static inline int graph_capture_side(const Graph *g, int data_side)
{
  return g->constraints->analysis == ANALYSIS_ON_CHIP ? !data_side : data_side;
}

static inline Slot graph_arc_end(const Graph *g, ArcId a) { return g->arcs.to[a]; }
static inline bool arc_on(const Graph *g, ArcId a) { return !(g->arcs.flags[a] & ARC_OFF); }
/* Does the arc shape its end's slew?  Those that only constants switch off do as long as their own
   start can change: slews hold for every mode. */
static inline bool arc_shapes(const Graph *g, ArcId a)
{
  return arc_on(g, a)
         || (g->arcs.flags[a] & (ARC_OFF | ARC_BLOCKED)) == (ARC_OFF_CONSTANT | ARC_BLOCKED);
}

#endif
