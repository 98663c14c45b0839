/* Graph and numbers as a device reads them: flat arrays of plain types, with everything that
   depends on libraries, tags or constraints resolved. flat.c makes them from a Timing. The header
   is C and C++.

   There are two kinds of arrays. Those of Flat are made once for a graph; edits in place change
   single entries (flat_touch.c). Those of Numbers are the arrays of Timing itself, and values of
   seeds and ports, in groups that are copied to a device and back together. A macro lists each
   kind, and copies are loops over the list.

   Drivers are numbered by level as in graph.h, so a level's drivers are [first_driver, +count) of
   driver arrays and [first_slot, +count) of slots, and the index of its load at slot s is s -
   load_shift. */
#ifndef SL_DEVICE_FLAT_H
#define SL_DEVICE_FLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "timing/end_sums.h"
#include "timing/options.h"
#include "timing/residency.h"
#include "math/ceff.h"
#include "math/condition.h"
#include "math/driver.h"

#define FLAT_NONE UINT32_MAX

#define FLAT_ALIGNED __attribute__((aligned(16)))              /* copied in pieces of 16 bytes */

/* slot_use; FLAT_INSIDE: in an ideal network, which FLAT_BEGINS: begins at this driver or load;
   FLAT_LATCHED: a latch's output; FLAT_LINKED: generated clocks begin here, when their masters get
   there; FLAT_SHARED: a load of several drivers. FLAT_PORT: the host works the driver out */
enum {
  FLAT_PORT = 1,
  FLAT_SEED = 2,
  FLAT_INSIDE = 4,
  FLAT_BEGINS = 8,
  FLAT_LATCHED = 16,
  FLAT_LINKED = 32,
  FLAT_DRIVER = 64,
  FLAT_SHARED = 128
};
/* annotated: which numbers annotation speaks of (see timing/overrides.h).  Marks of up to four
   numbers: a bit for each that what is annotated replaces, one for each that it is added to. */
enum {
  ANNOTATED_EDGES = 1,
  ANNOTATED_WIRES = 2,
  ANNOTATED_SLEWS = 4,
  ANNOTATED_CHECKS = 8,
  ANNOTATED_EXTRAS = 16
};
enum { NOTE_REPLACES = 1, NOTE_ADDS = 16 };
/* arc_use; latch data arcs do neither */
enum { FLAT_SHAPES = 1, FLAT_ON = 2, FLAT_LAUNCH = 4 };
/* tag_use; FLAT_FALLS: of a falling clock edge */
enum { FLAT_CLOCK = 1, FLAT_IDEAL = 2, FLAT_BARE = 4, FLAT_FALLS = 8 };
/* Where a slew is: of a slot, or with this bit of clock_slew, that of an ideal clock at a clock
   pin. */
#define FLAT_CLOCK_SLEW 0x80000000u

typedef struct {
  uint32_t first;                  /* in pool */
  uint16_t n1, n2;                 /* n1 = 0: there is no table */
} FlatTable;

/* A library arc: tables by condition of the output, {early rise, early fall, late rise, late fall};
   thresholds of it. */
typedef struct {
  FlatTable delay[CONDITION_COUNT], slew[CONDITION_COUNT];
  uint32_t  thresholds[CONDITION_COUNT];
} FlatKind;

/* Of a library and edge (2 * library + edge). */
typedef struct FLAT_ALIGNED {
  Thresholds v;
  float      input_vth;
  int32_t    ramp_base;            /* in ramps */
  float      ramp_least;           /* how the ramp table begins, */
  uint32_t   ramp_segment;         /* and its first segment, in ramp_segments */
} FlatThresholds;

/* Both ends of a segment of a ramp table (see math/ceff.h). */
typedef struct FLAT_ALIGNED { float u, u_next, s, s_next; } FlatRampSegment;

typedef struct { uint16_t from, to; uint32_t mask; } FlatMapEntry;

/* Of a pin in an ideal network: what was set, 0 where nothing was. */
typedef struct {
  Cond4   slew, latency;
  int32_t given;                   /* mask of conditions whose slew was */
} FlatIdeal;

typedef struct { float factor[2][CONDITION_COUNT]; } FlatDerate;

/* ClockLink of graph.h. */
typedef struct {
  uint32_t to, from;               /* nodes */
  uint8_t  edge, conditions;
} FlatLink;

/* A wire from a further driver of a net to a load that follows another one, in the highest level of
   the net's drivers: ExtraWire of graph.h. */
typedef struct FLAT_ALIGNED {
  uint32_t load, slot;             /* its index and slot */
  uint32_t driver, map;            /* slot; joins the driver's nodes and the load's */
} FlatExtra;

typedef struct {
  FlatTable table[2];              /* by data edge; n1 = 0: margin is given */
  float     margin[2];
  uint32_t  clock_slew;            /* where; see FLAT_CLOCK_SLEW */
  uint32_t  data;                  /* slot; of a width or a period: the clock's */
  uint8_t   clock_condition[2];    /* by data edge */
  uint8_t   early_late;            /* of the data */
} FlatCheck;

typedef struct {
  uint32_t data, capture, check;   /* nodes; FLAT_NONE */
  float    offset[2];              /* by data edge */
  uint8_t  late, edges;            /* edges: mask of data edges */
  uint8_t  capture_condition;
  uint32_t latch;                  /* in latch_rows, of a latch's setup; FLAT_NONE */
} FlatEnd;

/* How long a latch's data may borrow: window, moved with the closing edge where that has a node. */
typedef struct {
  float    window;
  uint32_t close;                  /* node; FLAT_NONE */
  uint8_t  given;                  /* the window is without the setup time */
  uint8_t  close_condition, open_condition;
} FlatLatch;

/* --- records for lanes (flat_lanes.c) ------------------------------------------------------------

   A lane works on one timing edge, early or late, or on one condition of one load.

   The numbers of a plain load depend only on its driver and the wire.  A lane that needs them
   computes them from the driver's, and the load's own numbers are written at the same time as other
   levels.  The numbers of the other loads, the irregular ones, are written in the level of their
   driver.

   An identity map joins the nodes one by one: from_node + n to to_node + n. */
enum { FLAT_MAPPED = 255 };        /* for a count of nodes: not an identity of fewer; joined by a
                                      map */

/* A timing edge, for its end. */
typedef struct FLAT_ALIGNED {
  uint32_t slew;                   /* where the slew at its start is (see arc_slew); plain: of the
                                      driver behind the wire */
  uint32_t wire;                   /* plain: index of the load at its start; FLAT_NONE */
  uint32_t from_node, to_node;     /* the first of each; plain: of the driver behind the wire */
  uint32_t to, kind, arc;          /* slot, library arc, arc */
  uint8_t  use, in, out, nodes;    /* arc_use, or 0 where a list's lanes do it; edges */
} FlatEdge;

/* A timing edge, for its start, which may be a load: then it is passed on to the driver. */
typedef struct FLAT_ALIGNED {
  uint32_t edge, arc, to_node;
  uint32_t from_node, driver_node;
  uint32_t load;                   /* index; FLAT_NONE */
  uint8_t  use, in, out, nodes;
  uint8_t  wire;                   /* nodes that the wire joins; 0: none */
} FlatOut;

/* A load, its slot, and an edge of its driver, whose wave may be the load's worst; or of the driver
   of an extra wire to it. */
/* extra: FLAT_NONE */
typedef struct FLAT_ALIGNED { uint32_t load, slot, edge, extra; } FlatPair;

/* Of the wave that an edge makes, early or late, what its driver's loads need. */
enum { WAVE_THERE = 1, WAVE_FALLS = 2 };
typedef struct FLAT_ALIGNED {
  DriverShape shape;
  uint32_t thresholds, mark;       /* WAVE_...; 0: the net has no pi model, or the edge no tables */
} FlatWave;

/* A load: its nodes and its driver's. */
typedef struct FLAT_ALIGNED {
  uint32_t slot, driver;           /* FLAT_NONE: nothing drives it */
  uint32_t node, driver_node;
  uint8_t nodes, wire, irregular; /* its nodes, up to FLAT_MAPPED; those that the wire joins one by
                                      one, or FLAT_MAPPED; FLAT_IRREGULAR... */
} FlatLoad;
enum {
  FLAT_IRREGULAR = 1,
  FLAT_IRREGULAR_BY_WAVE = 2
}; /* why: for other reasons; because its driver may
                                                      have waves, and that alone */

/* Delay and slew tables of a library arc and condition that have the same axes: cells of the four
   corners' values {low low, high low, low high, high high}, row by row.  Most tables of a library
   have the axes of others, so lanes whose grids differ mostly read the same ones. */
enum { FLAT_AXIS = 8, FLAT_NO_GRID = 255 };      /* points; in n1: there are tables, but not of one
                                                    grid */
typedef struct FLAT_ALIGNED {
  uint32_t first, axes;            /* in cells, in axes */
  uint32_t n1, n2;                 /* n1 = 0: there is no table */
} FlatGrid;
typedef struct FLAT_ALIGNED { float of1[FLAT_AXIS], of2[FLAT_AXIS]; } FlatAxes;
typedef struct FLAT_ALIGNED { float delay[4], slew[4]; } FlatCell;

/* Of a narrow level (cuda/narrow.h): a timing edge, early or late, forward, and for its start,
   backward, with all that is known before its level. Places are of floats: in arrays of numbers,
   or, for what the level makes, among its part's own (NarrowPart). */
typedef struct FLAT_ALIGNED {
  uint32_t slew, arrival;          /* at its start; plain: of the driver behind the wire */
  uint32_t to_slew, to_arrival;    /* of the part */
  uint32_t delay, axes;            /* of its grid */
  float    wire, impulse_sq, factor;  /* the wire's delay with its derate; the edge's derate */
  float    load;                   /* where the capacitance is in its segment; TABLES: the
                                      capacitance */
  uint32_t cell, use;              /* where the capacitance is in the grid's first row, TABLES: kind
                                      and condition; NARROW_..., 0: nothing is to be done */
} NarrowEdge;
typedef struct FLAT_ALIGNED {
  uint32_t to;                     /* a required time */
  uint32_t from, driver;           /* of the part */
  float    delay, wire;            /* with derates */
  uint32_t use;
} NarrowOut;
/* GRID, TABLES, GIVEN: where its delay is from, and only the first two bring a slew; CLOCK: the
   slew is a clock's; BEHIND: it is that of the driver before a wire, as WIRED says of the arrival
   and the required time; ARRIVES: its start has a node; BRINGS: a slew, in this analysis. */
enum {
  NARROW_GRID = 1,
  NARROW_TABLES = 2,
  NARROW_GIVEN = 4,
  NARROW_CLOCK = 8,
  NARROW_BEHIND = 16,
  NARROW_WIRED = 32,
  NARROW_ARRIVES = 64,
  NARROW_BRINGS = 128,
  NARROW_LATE = 256
};
/* behind those bits, 4 of each: the grid's n1, and its cells a row */
enum { NARROW_POINTS = 16, NARROW_STEP = 20, NARROW_FIELD = 15 };
/* A part of a level: its lanes, and what it makes: forward its drivers' slews and arrivals,
   backward its drivers' and their loads' required times. */
enum { NARROW_PARTS = 8, NARROW_LANES = 1024 };      /* of a level; of a part, at most, as well as
                                                        numbers that it makes */
typedef struct FLAT_ALIGNED {
  uint32_t first, lanes;           /* first: FLAT_NONE: the level is not narrow */
  uint32_t place[2], count[2];     /* of numbers */
  uint32_t record;                 /* the first lane's edge, or place in outs */
} NarrowPart;
enum { FLAT_FORWARD, FLAT_BACKWARD, FLAT_WAYS };

/* A level: its drivers, and where its loads' indices are.  By list: drivers that take more than
   their edges' lanes, irregular loads, drivers whose slews are annotated; and extra wires from its
   drivers (by place in driver_extras) and to its loads. */
typedef struct {
  uint32_t first_slot, first_driver, count, load_shift;
  uint32_t first_edge, edge_count;
  uint32_t first_out, out_count;
  uint32_t first_load, load_count;
  uint32_t first_special, special_count;
  uint32_t first_irregular, irregular_count;
  uint32_t first_pair, pair_count;
  uint32_t first_annotated, annotated_count;
  uint32_t first_given, given_count;
  uint32_t first_taken, taken_count;
} FlatLevel;

/* X(type, name, count): count is an expression of f, a Flat */
#define FLAT_ARRAYS(X) \
  X(FlatLevel, levels, f->count.levels) \
  X(NarrowPart, narrow_parts, NARROW_PARTS * FLAT_WAYS * f->count.levels) \
  X(uint8_t, slot_use, f->count.slots) \
  X(uint32_t, load_first, f->count.slots) \
  X(uint32_t, load_count, f->count.slots) \
  X(uint32_t, wire_map, f->count.slots) \
  X(uint32_t, arc_first, f->count.slots + 1) \
  X(uint32_t, out_first, f->count.slots + 1) \
  X(uint32_t, node_first, f->count.slots + 1) \
  X(uint32_t, slot_first_out, f->traits.schedule == SCHEDULE_CTE ? f->count.slots + 1 : 0) \
  X(uint32_t, slot_thresholds, f->traits.thresholds_differ ? 2 * f->count.slots : 0) \
  X(uint32_t, out_arc, f->count.arcs) \
  X(uint32_t, arc_from, f->count.arcs) \
  X(uint32_t, arc_to, f->count.arcs) \
  X(uint32_t, arc_kind, f->count.arcs) \
  X(uint32_t, arc_slew, f->count.arcs) \
  X(uint32_t, arc_map, f->count.arcs) \
  X(uint32_t, edge_first, f->count.arcs + 1) \
  X(uint8_t, arc_use, f->count.arcs) \
  X(uint8_t, arc_pairs, f->count.arcs) \
  X(FlatEdge, edges, f->count.edges) \
  X(FlatOut, outs, f->count.edges) \
  X(FlatLoad, loads, f->count.loads) \
  X(FlatPair, pairs, f->count.pairs) \
  X(FlatGrid, grids, CONDITION_COUNT * f->count.kind_room) \
  X(FlatAxes, axes, f->count.axes_room) \
  X(FlatCell, cells, f->count.cell_room) \
  X(uint32_t, special_drivers, f->count.special_drivers) \
  X(uint32_t, irregular_loads, f->count.irregular_loads) \
  X(FlatKind, kinds, f->count.kind_room) \
  X(FlatThresholds, thresholds, f->count.thresholds) \
  X(float, pool, f->count.pool_room) \
  X(float, ramps, f->count.ramps) \
  X(FlatRampSegment, ramp_segments, f->count.ramps / RAMP_FLOATS * RAMP_STEPS) \
  X(Cond4, clock_slew, f->count.clock_slews) \
  X(uint32_t, node_tag, f->count.nodes) \
  X(uint8_t, tag_use, f->count.tags) \
  X(Cond4, tag_latency, f->count.tags) \
  X(uint32_t, tag_origin, f->count.tags) \
  X(uint32_t, map_first, f->count.maps + 1) \
  X(FlatMapEntry, map_entries, f->count.map_entries) \
  X(uint32_t, seed_slot, f->count.seeds) \
  X(uint32_t, seed_node, f->count.seeds) \
  X(uint32_t, seed_origin, f->count.seeds) \
  X(uint8_t, seed_edge, f->count.seeds) \
  X(uint32_t, link_slot, f->count.links) \
  X(FlatLink, links, f->count.links) \
  X(uint32_t, arc_derate, f->count.derates ? f->count.arcs : 0) \
  X(uint32_t, wire_derate, f->count.derates ? f->count.loads : 0) \
  X(uint32_t, check_derate, f->count.derates ? f->count.checks : 0) \
  X(FlatDerate, derates, f->count.derates) \
  X(uint32_t, slot_ideal, f->count.ideals ? f->count.slots : 0) \
  X(FlatIdeal, ideals, f->count.ideals) \
  X(Pair, edge_annotation, f->traits.annotated & ANNOTATED_EDGES ? f->count.edges : 0) \
  X(uint8_t, edge_mark, f->traits.annotated & ANNOTATED_EDGES ? f->count.edges : 0) \
  X(Cond4, wire_annotation, f->traits.annotated & ANNOTATED_WIRES ? f->count.loads : 0) \
  X(uint8_t, wire_mark, f->traits.annotated & ANNOTATED_WIRES ? f->count.loads : 0) \
  X(Cond4, slew_annotation, f->traits.annotated & ANNOTATED_SLEWS ? f->count.slots : 0) \
  X(uint8_t, slew_mark, f->traits.annotated & ANNOTATED_SLEWS ? f->count.slots : 0) \
  X(Pair, check_annotation, f->traits.annotated & ANNOTATED_CHECKS ? f->count.checks : 0) \
  X(uint8_t, check_mark, f->traits.annotated & ANNOTATED_CHECKS ? f->count.checks : 0) \
  X(uint32_t, annotated_drivers, f->count.annotated_drivers) \
  X(FlatExtra, extras, f->count.extras) \
  X(uint32_t, load_extra, f->count.extras ? f->count.loads + 1 : 0) \
  X(uint32_t, driver_extra, f->count.extras ? f->count.drivers + 1 : 0) \
  X(uint32_t, driver_extras, f->count.extras) \
  X(uint32_t, port_extra, f->count.port_extras) \
  X(Cond4, extra_annotation, f->traits.annotated & ANNOTATED_EXTRAS ? f->count.extras : 0) \
  X(uint8_t, extra_mark, f->traits.annotated & ANNOTATED_EXTRAS ? f->count.extras : 0) \
  X(uint32_t, floating, f->count.floating) \
  X(uint32_t, port_slot, f->count.port_slots) \
  X(uint32_t, port_load, f->count.port_loads) \
  X(FlatCheck, checks, f->count.checks) \
  X(uint32_t, slot_first_check, f->count.slots + 1) \
  X(uint32_t, check_order, f->count.checks) \
  X(FlatEnd, path_ends, f->count.path_ends) \
  X(FlatLatch, latch_rows, f->count.latch_rows) \
  X(uint32_t, slot_first_end, f->count.slots + 1) \
  X(uint32_t, end_slots, f->count.end_slots) \
  X(uint32_t, summed_slots, f->count.summed_slots) \
  X(uint32_t, end_loads, f->count.end_loads) \
  X(uint32_t, end_checks, f->count.end_checks)

/* Lengths of the arrays. */
typedef struct {
  uint32_t slots, levels, drivers, loads, arcs, edges, nodes;
  uint32_t kinds, thresholds, pool, ramps, clock_slews, axes, cells;
  uint32_t kind_room, pool_room, axes_room, cell_room;      /* more than there are: for those of
                                                               cells that come by swaps in place */
  uint32_t tags, maps, map_entries, seeds, links, derates;
  uint32_t checks, path_ends, latches, latch_rows;
  uint32_t ideals;                  /* pins in ideal networks or with something ideal set;
                                       slot_ideal: FLAT_NONE elsewhere */
  uint32_t special_drivers, irregular_loads, annotated_drivers, pairs, end_loads, end_checks;
  uint32_t waves;                   /* two for each timing edge of the largest level */
  uint32_t floating;                /* loads that no driver has */
  uint32_t port_slots, port_loads;  /* ports' drivers and their loads: the host works them out */
  uint32_t extras, port_extras;     /* wires from further drivers of nets; those of ports */
  uint32_t end_slots;               /* slots with rows */
  uint32_t summed_slots;            /* of them those of end points, in the order of their pins
                                       (timing/end_slacks.h) */
  uint32_t narrow[FLAT_WAYS];       /* lanes of narrow levels */
  uint32_t narrow_level;            /* their most timing edges */
} FlatCounts;

/* What holds for the whole design. */
typedef struct {
  uint8_t schedule;                 /* SCHEDULE_... */
  uint8_t delay_model;
  uint8_t thresholds_differ;        /* libraries measure in different ways */
  uint8_t plain_tables;             /* there are library arcs whose tables are not of one grid */
  uint8_t annotated;                    /* ANNOTATED_...: what there is annotation of */
  uint8_t single;                   /* one analysis: early delays and slews are the late ones */
} FlatTraits;

/* For the host alone: to bring arrays up to date. */
typedef struct {
  const uint32_t *port_drivers;     /* [port_driver_count] */
  uint32_t port_driver_count;
  const uint32_t *no_derate;        /* index of a row that changes nothing, for kinds without
                                       derates */
  const struct Map *kind_of;        /* library arc, and point of its cell (timing/scaling.h) -> in
                                       kinds */
  const uint32_t *table_at;         /* by table, and behind them by the places of scaled ones: in
                                       pool; FLAT_NONE */
} FlatHost;

typedef struct Flat {
  FlatCounts count;
  FlatTraits traits;
#define FLAT_FIELD(type, name, count) const type *name;
  FLAT_ARRAYS(FLAT_FIELD)
#undef FLAT_FIELD
  FlatHost host;
} Flat;

SL_HD int flat_model_has(const Flat *f, unsigned property)
{
  return delay_has(f->traits.delay_model, property);
}

/* X(group, type, name, count): arrays of a group (timing/residency.h); of NUMBERS_SCRATCH none is
   copied.  What the delay model does not need is left out. */
#define FLAT_IF(f, property, what) (flat_model_has(f, property) ? (f)->count.what : 0)
#define NUMBER_ARRAYS(X)                                                                     \
  X(NUMBERS_NETS, Cond4, load_cap, f->count.drivers)                                         \
  X(NUMBERS_NETS, Cond4, pi_far, FLAT_IF(f, DELAY_NEEDS_PI, drivers))                        \
  X(NUMBERS_NETS, Cond4, pi_near, FLAT_IF(f, DELAY_NEEDS_PI, drivers))                       \
  X(NUMBERS_NETS, Cond4, pi_r, FLAT_IF(f, DELAY_NEEDS_PI, drivers))                          \
  X(NUMBERS_NETS, uint8_t, has_rc, f->count.drivers)                                         \
  X(NUMBERS_NETS, Cond4, elmore, FLAT_IF(f, DELAY_NEEDS_ELMORE, loads))                      \
  X(NUMBERS_NETS, Cond4, impulse_sq, FLAT_IF(f, DELAY_NEEDS_IMPULSE, loads))                 \
  X(NUMBERS_NETS, Cond4, extra_elmore, f->count.extras)                                      \
  X(NUMBERS_NETS, Cond4, extra_impulse_sq, FLAT_IF(f, DELAY_NEEDS_IMPULSE, extras))          \
  X(NUMBERS_SEEDS, Cond4, seed_value, f->count.seeds)                                        \
  X(NUMBERS_LATCHES, Pair, latch_late, f->count.latches ? f->count.nodes : 0)                \
  X(NUMBERS_PORTS, Cond4, port_slew, f->count.port_slots)                                    \
  X(NUMBERS_PORTS, Cond4, port_wire, f->count.port_loads)                                    \
  X(NUMBERS_PORTS, Cond4, port_extra_delay, f->count.port_extras)                            \
  X(NUMBERS_PORTS, Cond4, port_extra_slew, f->count.port_extras)                             \
  X(NUMBERS_DELAYS, Cond4, wire_delay, f->count.loads)                                       \
  X(NUMBERS_DELAYS, Cond4, extra_delay, f->count.extras)                                     \
  X(NUMBERS_DELAYS, Cond4, extra_slew, f->count.extras)                                      \
  X(NUMBERS_DELAYS, Cond4, slew, f->count.slots)                                             \
  X(NUMBERS_DELAYS, Pair, edge_delay, f->count.edges)                                        \
  X(NUMBERS_ARRIVALS, Cond4, arrival, f->count.nodes)                                        \
  X(NUMBERS_SCRATCH, FlatWave, waves, f->count.waves)                                        \
  X(NUMBERS_SCRATCH, NarrowEdge, narrow_edges, f->count.narrow[FLAT_FORWARD])                \
  X(NUMBERS_SCRATCH, NarrowOut, narrow_outs, f->count.narrow[FLAT_BACKWARD])                 \
  X(NUMBERS_ENDS, Pair, check_margin, f->count.checks)                                       \
  X(NUMBERS_ENDS, Pair, end_slack, f->count.path_ends)                                       \
  X(NUMBERS_SCRATCH, EndSum, end_sums, 2 * end_block_count(f->count.summed_slots))           \
  X(NUMBERS_REQUIRED, Cond4, required, f->count.nodes)

/* Of a level, for each way. */
SL_HD const NarrowPart *narrow_parts_of(const Flat *f, int way, uint32_t level)
{
  return f->narrow_parts + NARROW_PARTS * ((size_t)way * f->count.levels + level);
}

typedef struct Numbers {
#define NUMBERS_FIELD(group, type, name, count) type *name;
  NUMBER_ARRAYS(NUMBERS_FIELD)
#undef NUMBERS_FIELD
} Numbers;

/* What kernels are given. */
typedef struct {
  Flat    f;
  Numbers n;
  bool    reversed;                /* of the emulation: in each launch, the last comes first */
} FlatView;

/* --- flat_lanes.c: records for lanes, of a Flat that is else complete ------------------------- */
void flat_lanes(Flat *f, FlatLevel *levels);
void flat_lanes_free(Flat *f);

struct Timing;

/* What a part of an array has come to hold. */
typedef struct {
  const void *at;
  uint32_t    bytes;
} FlatPatch;
typedef struct { FlatPatch *at; uint32_t len, cap; } FlatPatches;      /* ARRAY(FlatPatch) */
void   flat_patch(FlatPatches *p, const void *at, size_t bytes);

/* --- flat_narrow.c: levels that go with their neighbours, of a Flat that has its lanes -------- */
void flat_narrow(Flat *f);
void flat_narrow_free(Flat *f);

/* --- flat_extras.c: nets with several drivers, of a Flat that has its slots ------------------- */
void flat_extras(Flat *f, const struct Timing *t, FlatLevel *levels);
void flat_extras_free(Flat *f);

/* --- flat_annotations.c: annotation, of a Flat that has its checks ---------------------------- */
void flat_annotations(Flat *f, const struct Timing *t);
void flat_annotations_free(Flat *f);
/* The annotation has been compiled again.  False: other arrays would have to change as well, or too
   much, and it is to be made anew. */
bool flat_touch_annotations(Flat *f, const struct Timing *t, FlatPatches *p);

/* --- flat_grid.c: grids of its kinds ---------------------------------------------------------- */
void flat_grids(Flat *f);
/* Of the last kind, which has come after the others. */
void flat_grids_of_last(Flat *f);
void flat_grids_free(Flat *f);

/* --- flat.c ----------------------------------------------------------------------------------- */
/* Does the library of the cell at a slot measure as that of the cell that was there? */
bool     flat_same_thresholds(const Flat *f, const struct Timing *t, uint32_t slot);
/* Where the kind of a library arc at a slot, or the table of a check, is: those that are not there
   yet come into the room that there is. FLAT_NONE, false: none is left. */
uint32_t flat_put_kind(Flat *f, const struct Timing *t, uint32_t slot, uint32_t lib_arc,
                       FlatPatches *p);
bool flat_put_check_table(Flat *f, const struct Timing *t, uint32_t check, int edge, FlatPatches *p,
                          FlatTable *out);

Flat  *flat_new(const struct Timing *t);
void   flat_free(Flat *f);
size_t flat_bytes(const Flat *f);
/* Of the numbers of some groups; NUMBERS_SCRATCH: of what is worked in. */
size_t flat_number_bytes(const Flat *f, unsigned groups);
/* What an update of everything but the trees of nets has to move at least, whatever its schedule:
   each array of the graph is read once and each number written or read once; delays, slews and
   arrivals once more on the way back. */
size_t flat_least_bytes(const Flat *f);

/* The cell at a slot has been swapped in place: brings the records of arcs that end there and of
   its checks up to date.  False: other arrays would have to change as well, and it is to be made
   anew. */
bool   flat_touch(Flat *f, const struct Timing *t, uint32_t slot, FlatPatches *p);
/* The numbers of a driver's net. */
void   flat_patch_net(const Flat *f, const struct Timing *t, uint32_t driver_slot, FlatPatches *p);

/* The arrays of Timing; those of seeds and ports are made, for flat_ports and flat_seeds to
   fill. */
Numbers flat_numbers(const Flat *f, struct Timing *t);
void    flat_numbers_free(Numbers *n);
/* Works out the ports of the design, and what is copied of them. */
void    flat_ports(const Flat *f, struct Timing *t, Numbers *n);
/* Arrivals at seeds, with what driving cells and reference pins add, but not their origins; NAN
   where there is none. */
void    flat_seeds(const Flat *f, const struct Timing *t, Numbers *n);
/* Late arrivals that latches pass on, by node and edge. */
void    flat_latches(const Flat *f, const struct Timing *t, Numbers *n);

#endif
