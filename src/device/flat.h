/* Graph and numbers as a device reads them: flat arrays of plain types, with everything that
   depends on libraries, tags or constraints resolved. flat.c makes them from a Timing. The header
   is C and C++.

   There are two kinds of arrays. Those of Flat are made once for a graph; edits in place change
   single entries (flat_touch.c). Those of Numbers are the arrays of Timing itself, and values of
   seeds and ports. They form groups. The arrays of a group are copied together, to a device and
   back. A macro lists each kind, and copies are loops over the list.

   Drivers are numbered by level as in graph.h, so a level's drivers are [first_driver, +count) of
   driver arrays and [first_slot, +count) of slots, and the load at slot s has the index s -
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

/* Bits of slot_use.  PORT: the host computes the driver.  SEED: an arrival begins here.  INSIDE: in
   an ideal network.  BEGINS: an ideal network begins at this driver or load.  LATCHED: the output
   of a latch.  LINKED: generated clocks begin here when their masters arrive.  SHARED: a load with
   several drivers.  DRIVER: a driver. */
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
/* Bits of annotated: the kinds of numbers that have annotation (timing/overrides.h).  A mark
   describes up to four numbers, with two bits each: NOTE_REPLACES << i if number i is replaced,
   NOTE_ADDS << i if the annotation is added to it. */
enum {
  ANNOTATED_EDGES = 1,
  ANNOTATED_WIRES = 2,
  ANNOTATED_SLEWS = 4,
  ANNOTATED_CHECKS = 8,
  ANNOTATED_EXTRAS = 16
};
enum { NOTE_REPLACES = 1, NOTE_ADDS = 16 };
/* Bits of arc_use.  SHAPES: the arc shapes the slew of its end.  ON: arrivals pass.  Data arcs of
   latches have neither. */
enum { FLAT_SHAPES = 1, FLAT_ON = 2, FLAT_LAUNCH = 4 };
/* Bits of tag_use.  FALLS: the tag's clock edge falls. */
enum { FLAT_CLOCK = 1, FLAT_IDEAL = 2, FLAT_BARE = 4, FLAT_FALLS = 8 };
/* If this bit of the index of a slew is set, the other bits are an index in clock_slew (an ideal
   clock at a clock pin). Otherwise the index is a slot. */
#define FLAT_CLOCK_SLEW 0x80000000u

typedef struct {
  uint32_t first;                  /* index in pool */
  uint16_t n1, n2;                 /* n1 = 0: there is no table */
} FlatTable;

/* A library arc: its tables and thresholds by condition of the output, {early rise, early fall,
   late rise, late fall}. */
typedef struct {
  FlatTable delay[CONDITION_COUNT], slew[CONDITION_COUNT];
  uint32_t  thresholds[CONDITION_COUNT];
} FlatKind;

/* Thresholds of a library and edge (index 2 * library + edge). */
typedef struct FLAT_ALIGNED {
  Thresholds v;
  float      input_vth;
  int32_t    ramp_base;            /* index in ramps */
  float      ramp_least;           /* smallest argument of the ramp table */
  uint32_t   ramp_segment;         /* index in ramp_segments of its first segment */
} FlatThresholds;

/* Both ends of a segment of a ramp table (see math/ceff.h). */
typedef struct FLAT_ALIGNED { float u, u_next, s, s_next; } FlatRampSegment;

typedef struct { uint16_t from, to; uint32_t mask; } FlatMapEntry;

/* Values set at a pin of an ideal network; 0 if not set. */
typedef struct {
  Cond4   slew, latency;
  int32_t given;                   /* mask of conditions whose slew was set */
} FlatIdeal;

typedef struct { float factor[2][CONDITION_COUNT]; } FlatDerate;

/* ClockLink of graph.h. */
typedef struct {
  uint32_t to, from;               /* nodes */
  uint8_t  edge, conditions;
} FlatLink;

/* A wire from a further driver of a net to a load that another driver owns, the one in the
   highest level: ExtraWire of graph.h. */
typedef struct FLAT_ALIGNED {
  uint32_t load, slot;             /* index and slot of the load */
  uint32_t driver, map;            /* slot of the driver; map from the driver's nodes to the
                                      load's */
} FlatExtra;

typedef struct {
  FlatTable table[2];              /* by data edge; n1 = 0: margin has a fixed value */
  float     margin[2];
  uint32_t  clock_slew;            /* index of the slew; see FLAT_CLOCK_SLEW */
  uint32_t  data;                  /* slot of the data; for a width or a period, of the clock */
  uint8_t   clock_condition[2];    /* by data edge */
  uint8_t   early_late;            /* analysis of the data */
} FlatCheck;

typedef struct {
  uint32_t data, capture, check;   /* data and capture are nodes; FLAT_NONE: none */
  float    offset[2];              /* by data edge */
  uint8_t  late, edges;            /* edges: mask of data edges */
  uint8_t  capture_condition;
  uint32_t latch;                  /* for the setup of a latch: index in latch_ends; else
                                      FLAT_NONE */
} FlatEnd;

/* How long the data of a latch may borrow: `window`, moved by the arrival of the closing edge if
   that has a node. */
typedef struct {
  float    window;
  uint32_t close;                  /* node of the closing edge; FLAT_NONE: none */
  uint8_t  given;                  /* 1: the setup time is not subtracted from the window */
  uint8_t  close_condition, open_condition;
} FlatLatch;

/* --- records for lanes (flat_lanes.c) ------------------------------------------------------------

   A lane works on one timing edge, early or late, or on one condition of one load.

   The numbers of a regular load depend only on its driver and the wire.  A lane that needs them
   computes them from the driver's numbers.  The regular load's own numbers are written while other
   levels are computed.  The numbers of an irregular load are written in the level of its driver.

   An identity map joins the nodes one by one: from_node + n to to_node + n. */
enum { FLAT_MAPPED = 255 };        /* as a count of nodes: the nodes are joined by a map, or there
                                      are at least this many */

/* A timing edge as its end reads it.  If the edge starts at a regular load, "start" means here the
   driver of the load's net, and `wire` says which load it is. */
typedef struct FLAT_ALIGNED {
  uint32_t slew;                   /* index of the slew at its start (see FLAT_CLOCK_SLEW) */
  uint32_t wire;                   /* index of the regular load where the edge starts; FLAT_NONE:
                                      it starts elsewhere */
  uint32_t from_node, to_node;     /* first node of start and of end */
  uint32_t to, kind, arc;          /* slot, library arc, arc */
  uint8_t  use, in, out, nodes;    /* use: arc_use, or 0 if the lanes of special_drivers compute the
                                      edge; in, out: transitions */
} FlatEdge;

/* A timing edge as its start reads it.  If the start is a load, the required time is passed on to
   the load's driver. */
typedef struct FLAT_ALIGNED {
  uint32_t edge, arc, to_node;
  uint32_t from_node, driver_node;
  uint32_t load;                   /* index of the load at the start; FLAT_NONE: the start is no
                                      load */
  uint8_t  use, in, out, nodes;
  uint8_t  wire;                   /* number of nodes that the wire joins; 0: no wire */
} FlatOut;

/* A load, its slot, and a timing edge of its driver (or of the driver of an extra wire to it),
   whose waveform may be the worst for the load. */
/* extra: index of the extra wire, or FLAT_NONE. */
typedef struct FLAT_ALIGNED { uint32_t load, slot, edge, extra; } FlatPair;

/* The waveform that a timing edge makes at its driver in one analysis: what the loads need of
   it. */
enum { WAVE_THERE = 1, WAVE_FALLS = 2 };
typedef struct FLAT_ALIGNED {
  DriverShape shape;
  uint32_t thresholds, mark;       /* WAVE_...; 0: the net has no pi model, or the edge no tables */
} FlatWave;

/* A load: its nodes and those of its driver. */
typedef struct FLAT_ALIGNED {
  uint32_t slot, driver;           /* slots of the load and of the driver that it belongs to
                                      (wire_driver of graph.h); FLAT_NONE: no driver */
  uint32_t node, driver_node;
  uint8_t nodes, wire, irregular; /* nodes: its number of nodes, at most FLAT_MAPPED; wire: the
                                     number that the wire joins one by one, or FLAT_MAPPED;
                                     irregular: FLAT_IRREGULAR... */
} FlatLoad;
enum {
  FLAT_IRREGULAR = 1,
  FLAT_IRREGULAR_BY_WAVE = 2
}; /* BY_WAVE: only because its driver may have waveforms; the other: for any other reason */

/* The delay and slew table of a library arc and condition if both have the same axes.  They are
   stored as cells, row by row.  A cell has the values at its four corners, {low low, high low, low
   high, high high}.  Tables with equal axes share them, as most tables of a library do, so lanes
   with different grids mostly read the same axes. */
enum { FLAT_AXIS = 8, FLAT_NO_GRID = 255 };      /* AXIS: most points of an axis; NO_GRID in n1:
                                                    there are tables, but they form no grid */
typedef struct FLAT_ALIGNED {
  uint32_t first, axes;            /* indices in cells and in axes */
  uint16_t n1, n2;                 /* n1 = 0: there is no table */
  float    bend;                   /* the driver's shape (cs_bend_of); set only in grids of a
                                      FlatKind */
} FlatGrid;
typedef struct FLAT_ALIGNED { float of1[FLAT_AXIS], of2[FLAT_AXIS]; } FlatAxes;
typedef struct FLAT_ALIGNED { float delay[4], slew[4]; } FlatCell;

/* A timing edge of a narrow level (cuda/narrow.h) in one analysis: NarrowEdge for the forward way,
   NarrowOut for the backward way, with everything that is known before the level runs. A place is
   the index of a float. If the level itself computes the number, it is an index into the memory of
   the level's part (NarrowPart). Otherwise it is an index into an array of numbers. */
typedef struct FLAT_ALIGNED {
  uint32_t slew, arrival;          /* places, at its start; if it starts at a regular load, at the
                                      driver of the load's net */
  uint32_t to_slew, to_arrival;    /* places in the part */
  uint32_t delay, axes;            /* delay: place of the result; axes: of its grid */
  float    wire, impulse_sq, factor;  /* wire: delay of the wire with its derate; factor: derate of
                                         the edge */
  float    load;                   /* position of the capacitance in its segment; TABLES: the
                                      capacitance itself */
  uint32_t cell, use;              /* cell: position of the capacitance in the grid's first row;
                                      TABLES: kind and condition; use: NARROW_..., 0: nothing to
                                      do */
} NarrowEdge;
typedef struct FLAT_ALIGNED {
  uint32_t to;                     /* place of a required time */
  uint32_t from, driver;           /* places in the part */
  float    delay, wire;            /* delays with derates */
  uint32_t use;
} NarrowOut;
/* GRID, TABLES, GIVEN: where the delay comes from; only the first two give a slew.  CLOCK: the slew
   is that of a clock.  BEHIND: the slew is that of the driver before a wire.  WIRED: the edge
   starts after a wire, so the arrival is that of the driver before the wire, and the required time
   is passed on to this driver.  ARRIVES: arrivals pass the edge.  BRINGS: the edge gives a slew in
   this analysis. */
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
/* Fields of 4 bits after those bits: n1 of the grid, and the number of its cells in a row. */
enum { NARROW_POINTS = 16, NARROW_STEP = 20, NARROW_FIELD = 15 };
/* A part of a narrow level: its lanes, and the numbers that it computes. Forward these are the
   slews and arrivals of its drivers, backward the required times of its drivers and loads. */
enum { NARROW_PARTS = 8, NARROW_LANES = 1024 };      /* PARTS: of a level; LANES: the most lanes of
                                                        a part, and the most numbers that it
                                                        computes */
typedef struct FLAT_ALIGNED {
  uint32_t first, lanes;           /* first FLAT_NONE: the level is not narrow */
  uint32_t place[2], count[2];     /* of numbers */
  uint32_t record;                 /* edge of the first lane, or its index in outs */
} NarrowPart;
enum { FLAT_FORWARD, FLAT_BACKWARD, FLAT_WAYS };

/* A level: its drivers, and the range of its loads.  Lists: drivers that need more than the lanes
   of their edges (special), irregular loads, drivers with annotated slews, and the extra wires from
   its drivers (given, indices in driver_extras) and to its loads (taken). */
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
  X(CsLevels, source_levels, f->count.thresholds) \
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
  X(FlatLatch, latch_ends, f->count.latch_ends) \
  X(uint32_t, slot_first_end, f->count.slots + 1) \
  X(uint32_t, end_slots, f->count.end_slots) \
  X(uint32_t, summed_slots, f->count.summed_slots) \
  X(uint32_t, end_loads, f->count.end_loads) \
  X(uint32_t, end_checks, f->count.end_checks)

/* Lengths of the arrays. */
typedef struct {
  uint32_t slots, levels, drivers, loads, arcs, edges, nodes;
  uint32_t kinds, thresholds, pool, ramps, clock_slews, axes, cells;
  uint32_t kind_room, pool_room, axes_room, cell_room;      /* larger than the counts, with room for
                                                               cells that swaps in place bring */
  uint32_t tags, maps, map_entries, seeds, links, derates;
  uint32_t checks, path_ends, latches, latch_ends;
  uint32_t ideals;                  /* pins in ideal networks or with ideal values; slot_ideal is
                                       FLAT_NONE for other pins */
  uint32_t special_drivers, irregular_loads, annotated_drivers, pairs, end_loads, end_checks;
  uint32_t waves;                   /* two for each timing edge of the largest level */
  uint32_t source_waves;            /* the same if the model is DELAY_BY_THRESHOLD, else 0 */
  uint32_t floating;                /* loads without a driver */
  uint32_t port_slots, port_loads;  /* drivers at ports and their loads, which the host computes */
  uint32_t extras, port_extras;     /* wires from further drivers of nets; port_extras: those from
                                       ports */
  uint32_t end_slots;               /* slots with path ends */
  uint32_t summed_slots;            /* the slots that count as endpoints, in the order of their pins
                                       (timing/end_slacks.h). An endpoint may have path ends of one
                                       analysis only */
  uint32_t narrow[FLAT_WAYS];       /* number of lanes of narrow levels */
  uint32_t narrow_level;            /* the most timing edges of a narrow level */
} FlatCounts;

/* Properties of the whole design. */
typedef struct {
  uint8_t schedule;                 /* SCHEDULE_... */
  uint8_t delay_model;
  uint8_t thresholds_differ;        /* libraries have different thresholds */
  uint8_t same_levels;              /* source_levels are the same for all libraries and edges */
  uint8_t plain_tables;             /* some library arcs have tables that form no grid */
  uint8_t annotated;                    /* ANNOTATED_...: the kinds of numbers with annotation */
  uint8_t single;                   /* a single analysis: early delays and slews equal the late
                                       ones */
} FlatTraits;

/* Only for the host, which uses it to update arrays. */
typedef struct {
  const uint32_t *port_drivers;     /* [port_driver_count] */
  uint32_t port_driver_count;
  const uint32_t *no_derate;        /* index of a row of factors 1, for kinds without derates */
  const struct Map *kind_of;        /* library arc and point of its cell (timing/scaling.h) -> index
                                       in kinds */
  const uint32_t *table_at;         /* by table, and after these by place of scaled tables: index in
                                       pool; FLAT_NONE: none */
} FlatHost;

typedef struct Flat {
  FlatCounts count;
  FlatTraits traits;
  CsLevels   all_levels;            /* the first of source_levels: kernels get it with their
                                       arguments, where it takes no registers */
#define FLAT_FIELD(type, name, count) const type *name;
  FLAT_ARRAYS(FLAT_FIELD)
#undef FLAT_FIELD
  FlatHost host;
} Flat;

SL_HD int flat_model_has(const Flat *f, unsigned property)
{
  return delay_has(f->traits.delay_model, property);
}

/* X(group, type, name, count): arrays of a group (timing/residency.h).  Arrays of NUMBERS_SCRATCH
   are never copied.  Arrays that the delay model does not need are left out. */
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
  X(NUMBERS_SCRATCH, CsBow, wave_bows, (size_t)CS_PIECES * f->count.source_waves)            \
  X(NUMBERS_SCRATCH, NarrowEdge, narrow_edges, f->count.narrow[FLAT_FORWARD])                \
  X(NUMBERS_SCRATCH, NarrowOut, narrow_outs, f->count.narrow[FLAT_BACKWARD])                 \
  X(NUMBERS_ENDS, Pair, check_margin, f->count.checks)                                       \
  X(NUMBERS_ENDS, Pair, end_slack, f->count.path_ends)                                       \
  X(NUMBERS_SCRATCH, EndSum, end_sums, 2 * end_block_count(f->count.summed_slots))           \
  X(NUMBERS_REQUIRED, Cond4, required, f->count.nodes)

/* Returns the parts of a level for one way (forward or backward). */
SL_HD const NarrowPart *narrow_parts_of(const Flat *f, int way, uint32_t level)
{
  return f->narrow_parts + NARROW_PARTS * ((size_t)way * f->count.levels + level);
}

typedef struct Numbers {
#define NUMBERS_FIELD(group, type, name, count) type *name;
  NUMBER_ARRAYS(NUMBERS_FIELD)
#undef NUMBERS_FIELD
} Numbers;

/* The arguments of kernels. */
typedef struct {
  Flat    f;
  Numbers n;
  bool    reversed;                /* emulation only: instances of a kernel run in reverse order */
} FlatView;

/* --- flat_lanes.c: records for lanes; call it when the rest is complete
   ------------------------- */
void flat_lanes(Flat *f, FlatLevel *levels);
void flat_lanes_free(Flat *f);

struct Timing;

/* A part of an array of the host that has changed. */
typedef struct {
  const void *at;
  uint32_t    bytes;
} FlatPatch;
typedef struct { FlatPatch *at; uint32_t len, cap; } FlatPatches;      /* ARRAY(FlatPatch) */
void   flat_patch(FlatPatches *patches, const void *at, size_t bytes);

/* The most frequent changes by swaps, in the form in which a device stores them.  An arc gets
   another kind, also in the records of its timing edges.  A check gets other tables, for both edges
   of the data.  If an arc or a check is twice in the list, both records are equal when they are
   sent. */
typedef struct { uint32_t arc, kind; } FlatKindChange;
typedef struct {
  uint32_t  check;
  FlatTable table[2];
} FlatCheckChange;
typedef struct {
  struct { FlatKindChange *at; uint32_t len, cap; } kinds;
  struct { FlatCheckChange *at; uint32_t len, cap; } checks;
} FlatChanges;

/* --- flat_narrow.c: narrow levels; needs the records for lanes -------- */
void flat_narrow(Flat *f);
void flat_narrow_free(Flat *f);

/* --- flat_extras.c: nets with several drivers; needs slots ------------------- */
void flat_extras(Flat *f, const struct Timing *t, FlatLevel *levels);
void flat_extras_free(Flat *f);

/* --- flat_annotations.c: annotation; needs checks ---------------------------- */
void flat_annotations(Flat *f, const struct Timing *t);
void flat_annotations_free(Flat *f);
/* Updates the arrays after annotation was compiled again.  Returns false if other arrays would have
   to change too, or too much would: then make a new Flat. */
bool flat_touch_annotations(Flat *f, const struct Timing *t, FlatPatches *patches);

/* --- flat_grid.c: grids of kinds ---------------------------------------------------------- */
void flat_grids(Flat *f);
/* Makes the grids of the last kind, which was added later. */
void flat_grids_of_last(Flat *f);
void flat_grids_free(Flat *f);

/* --- flat.c ----------------------------------------------------------------------------------- */
/* Returns true if the new cell at a slot has the same thresholds as the cell that was there. */
bool     flat_same_thresholds(const Flat *f, const struct Timing *t, uint32_t slot);
/* flat_put_kind returns the index of the kind of a library arc at a slot, flat_put_check_table the
   table of a check.  A kind or table that the Flat lacks is added in the spare room.  FLAT_NONE, or
   false: no room is left, or the new kind would need other kernels. */
uint32_t flat_put_kind(Flat *f, const struct Timing *t, uint32_t slot, uint32_t lib_arc,
                       FlatPatches *patches);
bool flat_put_check_table(Flat *f, const struct Timing *t, uint32_t check, int edge,
                          FlatPatches *patches, FlatTable *out);
/* flat_find_kind and flat_find_check_table return the same, but add nothing. FLAT_NONE, or false:
   the Flat lacks the kind or the table. */
uint32_t flat_find_kind(const Flat *f, const struct Timing *t, uint32_t slot, uint32_t lib_arc);
bool flat_find_check_table(const Flat *f, const struct Timing *t, uint32_t check, int edge,
                           FlatTable *out);

Flat  *flat_new(const struct Timing *t);
void   flat_free(Flat *f);
size_t flat_bytes(const Flat *f);
/* Returns the bytes of the numbers of some groups; NUMBERS_SCRATCH: those of the scratch arrays. */
size_t flat_number_bytes(const Flat *f, unsigned groups);
/* Returns the least number of bytes that an update moves with any schedule, without the trees of
   nets.  Each array of the graph is read once, and each number is written or read once; delays,
   slews and arrivals are read once more on the way back. */
size_t flat_least_bytes(const Flat *f);

/* Updates the records after the cell at a slot was swapped in place: those of arcs that end there,
   and of its checks.  For arcs, only arc_kind is updated on the host; `changes` gets what a device
   must change.  Returns false if other arrays would have to change too: then make a new Flat. */
bool flat_touch(Flat *f, const struct Timing *t, uint32_t slot, FlatChanges *changes,
                FlatPatches *patches);
/* The same for most slots: those whose library arcs are known. Several threads may call it for
   different slots. Returns false if flat_touch must do it. */
bool   flat_touch_known(Flat *f, const struct Timing *t, uint32_t slot, FlatChanges *changes);
/* Puts the present kinds and tables of the Flat into the first `kinds` and `checks` entries of a
   list. */
void   flat_renew_changes(const Flat *f, FlatChanges *changes, uint32_t kinds, uint32_t checks);
/* Adds patches for the numbers of a driver's net. */
void flat_patch_net(const Flat *f, const struct Timing *t, uint32_t driver_slot,
                    FlatPatches *patches);

/* Returns the arrays of Timing, with new arrays for seeds and ports, which flat_ports and
   flat_seeds fill. */
Numbers flat_numbers(const Flat *f, struct Timing *t);
void    flat_numbers_free(Numbers *numbers);
/* Computes the delays and slews of drivers at ports, and fills the arrays of port values that are
   copied to a device. */
void    flat_ports(const Flat *f, struct Timing *t, Numbers *numbers);
/* Computes the arrivals at seeds as timing_seed_start does: without the latency of generated
   clocks; NAN if there is no arrival. */
void    flat_seeds(const Flat *f, const struct Timing *t, Numbers *numbers);
/* Collects the late arrivals that latches pass on, by node and edge. */
void    flat_latches(const Flat *f, const struct Timing *t, Numbers *numbers);

#endif
