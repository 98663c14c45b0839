/* The numbers of timing, as flat arrays that are parallel to those of the graph.

   Units are ps, fF and kOhm. A Cond4 is {early rise, early fall, late rise, late fall}, a Pair is
   {early, late}. For absent times see math/condition.h. */
#ifndef SL_TIMING_TIMING_H
#define SL_TIMING_TIMING_H

#include "db/parasitics.h"
#include "db/ocv_tables.h"
#include "timing/corner_libs.h"
#include "timing/options.h"
#include "timing/overrides.h"
#include "timing/residency.h"
#include "graph/graph.h"
#include "math/delay_model.h"
#include "math/rc.h"

/* An arrival that a latch passes on to its output: late arrivals of borrowing paths. */
typedef struct {
  NodeId   node;
  uint8_t  edge;
  uint8_t  age;                  /* passes since it last changed, up to 255 */
  float    arrival, most;        /* most: were all that may be borrowed taken */
  uint32_t leaf;                 /* where the data was launched, for common path credit */
} LatchArrival;

/* What a required time inside the design goes back from. */
typedef enum {
  COMMON_BY_PATHS,             /* the worst path through the pin */
  COMMON_BY_ENDS,              /* the end points, with what their worst slacks gain */
  COMMON_BY_LAUNCHES           /* the launches that are left where those of too little arrival are
                                  dropped (cpu/pruned.h) */
} CommonRequired;

/* What counts as common to a launching and a capturing clock path. */
typedef struct {
  bool on;
  bool same_transition;        /* only pins that both pass with the same edge */
  bool drivers_only;           /* not a register's own clock pin, where it launches and captures */
  uint8_t required;            /* CommonRequired */
} CommonOptions;

/* Factors for one object or depth: [data, clock][condition]. */
typedef struct { float factor[2][CONDITION_COUNT]; } DerateRow;

/* Device memory and seconds of the phases there, for report_engine. */
typedef struct {
  const char *name;                  /* NULL: no device is in use */
  char   idle[320];                  /* why not: what failed there, or what there are no kernels
                                        for; empty: none was asked for */
  size_t bytes;
  /* of these */
  size_t graph_bytes, start_bytes, net_bytes, delay_bytes, arrival_bytes, end_bytes, required_bytes,
      scratch_bytes, tree_bytes, credit_bytes, edit_bytes;
  size_t least_bytes;                /* that an update moves: see flat_least_bytes */
  int    schedule;                   /* SCHEDULE_... */
  bool   graph;                      /* launches captured */
  double open, upload, download, trees_copy, trees, forward, launches, end_points, backward;
  double follow;                     /* the last edit that was followed there, and how many drivers
                                        and nets it reached; 0: none */
  uint32_t followed_drivers, followed_nets;
  uint32_t repeats;                  /* phases' seconds are medians of so many; 0: of the last
                                        update */
} DeviceReport;

/* Rows, each once. */
typedef struct {
  ARRAY(DerateRow) rows;
  Map *index;                      /* hash of a row -> its place; NULL: none yet */
} DerateRows;

/* What a user of the numbers keeps beside them. */
typedef struct {
  void  *data;                       /* NULL: nothing */
  void (*free)(void *data);
} TimingKept;

/* Who keeps something for as long as the numbers live. */
typedef enum {
  OWNER_NETS,                        /* cpu/cpu_rc.c: room to reduce a few nets in */
  OWNER_EDITS,                       /* update/incremental.h: queues of slots */
  OWNER_DEVICE,                      /* update/device_timing.h: a backend's copies on a device */
  OWNER_COUNT
} TimingOwner;

/* By driver (graph_driver_index). */
typedef struct {
  Cond4   *load_cap;                 /* total capacitance that the driver sees */
  Cond4   *pi_far, *pi_near, *pi_r;     /* pi model; c_far = 0: lumped; DELAY_NEEDS_PI only, else
                                           NULL */
  uint8_t *has_rc;                   /* the net's parasitics have a tree */
  struct WireEstimate *estimate;     /* wires without parasitics (timing/wire_load.h); NULL: none */
} TimingNets;

/* By load (graph_load_index). */
typedef struct {
  Cond4 *elmore;
  Cond4 *impulse_sq;                    /* squared impulse; DELAY_NEEDS_IMPULSE only, else
                                           NULL */
  Cond4 *delay;
} TimingWires;

/* By further driver's wire, beside extra_wires of the graph. */
typedef struct {
  Cond4 *elmore, *delay, *slew;
  Cond4 *impulse_sq;                    /* as in TimingWires */
  Cond4 *shared_slew;                /* of a load's own wire, at the first of its extra wires: where
                                        the host works the net out */
} TimingExtraWires;

/* What constraints say of ports. */
typedef struct {
  Map   *cap_of;                     /* slot -> index in caps */
  ARRAY(Cond4) caps;
  Map   *drive_delay_of;             /* slot -> index in drive_delays: the delay that a driving cell
                                        or resistance adds */
  ARRAY(Cond4) drive_delays;
} TimingPorts;

typedef struct {
  ARRAY(LatchArrival) arrivals;      /* of the last latch pass, by node */
  bool leap;                         /* the next latch pass passes on the most where arrivals still
                                        change */
} TimingLatches;

/* set_timing_derate and tables by depth. */
typedef struct {
  DerateRows rows;
  uint32_t *arc, *wire, *check;      /* indices into rows, by arc, load and check; NULL: no derate
                                        was set */
} TimingDerates;

/* Statistical variation (timing/sigma.h); NULL where it does not count. */
typedef struct {
  float  quantile;                   /* sigmas at which early and late arrivals stand */
  Cond4 *arrival_variance;           /* by node, ps^2: of the path that brings the arrival */
  Pair  *edge;                       /* by timing edge, ps: of the library's tables */
  Pair  *check;                      /* by check: by data edge */
  DerateRows rows;                   /* coefficients: sigma as a part of the delay; below 0: the
                                        library's tables */
  uint32_t *arc, *wire;              /* into rows, by arc and by load */
} TimingSigmas;

/* What runs on a device, and which numbers are there. */
typedef struct {
  EngineOptions options;
  const struct DeviceOps *families;  /* where families of kernels run (device/family.h), such as
                                        path search; NULL: nowhere */
  Residency residency;               /* which numbers are there; those that are away: fetch them
                                        before reading */
  bool   off;                        /* no phase runs on a device */
  DeviceReport report;
} TimingDevice;

typedef struct Timing {
  const Graph *g;
  const CornerLibs *corner_libs;
  const Constraints *constraints;
  const Parasitics *parasitics[2];   /* early, late; NULL: none */
  DelayModel delay_model;
  int  threads;
  bool single;                       /* one analysis: early delays and slews are the late ones */

  TimingNets       nets;
  TimingWires      wires;
  TimingExtraWires extra;

  Cond4 *slew;                       /* by slot */
  Pair  *edge_delay;                 /* by timing edge: {early, late} */
  Cond4 *arrival, *required;         /* by node; required: ask common_required */
  Pair  *check_margin;               /* by check: by data edge */
  Pair  *end_slack;                  /* by row: by data edge; 1e30 where nothing arrives */
  Pair  *seed_reference;             /* by seed: arrival of its reference clock, early and late;
                                        NULL: there are none */
  struct EndSlacks *ends;            /* timing/end_slacks.h: worst and total of end_slack */
  TimingLatches latches;
  TimingPorts   ports;

  CommonOptions common_options;
  struct CommonPaths *common;        /* timing/credit.h; NULL: off, or no propagated clocks */
  struct Scaling *scaling;           /* libraries' tables at other points than their nominal one;
                                        NULL: none */
  TimingDerates derates;
  struct OcvPaths *ocv_paths;        /* timing/variation.h: tables for paths' own depths; NULL:
                                        there are none */
  TimingSigmas sigma;
  Overrides *overrides;              /* annotated numbers; NULL: none */
  uint32_t annotated;                /* how often they were compiled */

  TimingDevice device;
  TimingKept *kept;                  /* for queries; goes when numbers change */
  TimingKept  owned[OWNER_COUNT];    /* goes with the numbers */
} Timing;

Timing *timing_new(const Graph *g, const CornerLibs *m, const Parasitics *const parasitics[2],
                   DelayModel model);
/* Before any number is worked out. */
void    timing_set_common(Timing *t, CommonOptions options);
void    timing_free(Timing *t);
/* Lays derates by depth over those of the constraints (timing/variation.h).  Before any number is
   worked out; v NULL: none; corner NULL: all libraries. */
void    timing_vary(Timing *t, const Variation *v, const Corner *corner);
uint32_t derate_rows_add(DerateRows *rows, const DerateRow *row);
void    derate_rows_free(DerateRows *rows);
/* Compiles annotation (NULL: none) in place of what was compiled before; no number changes yet. */
void    timing_annotate(Timing *t, const Annotations *a);
/* Numbers change: what queries kept goes. */
void    timing_forget(const Timing *t);
size_t  timing_bytes(const Timing *t);

/* The first of latches.arrivals at or behind a node. */
static inline uint32_t timing_first_latch_arrival(const Timing *t, NodeId node)
{
  uint32_t low = 0, high = t->latches.arrivals.len;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (t->latches.arrivals.at[middle].node < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Delay that a port's driving cell adds, or in an ideal network the latency where arrivals begin; 0
   elsewhere. */
static inline float timing_drive_delay(const Timing *t, Slot port, int condition)
{
  uint32_t drive = map_get(t->ports.drive_delay_of, port);
  return drive == MAP_NO_VALUE ? 0 : t->ports.drive_delays.at[drive].v[condition];
}

/* Arrival at a seed but for its origin: what constraints say, the delay of a driving cell.  NAN
   where there is none. */
static inline float timing_seed_start(const Timing *t, const Seed *seed, int condition)
{
  float reference =
      t->seed_reference ? t->seed_reference[seed - t->g->starts.seeds.at].v[condition >> 1] : 0;
  return seed->arrival[condition] + reference + timing_drive_delay(t, seed->slot, condition);
}

/* Arrival at a seed, with the latency of a generated clock. */
static inline float timing_seed_arrival(const Timing *t, const Seed *seed, int condition)
{
  float a = timing_seed_start(t, seed, condition);
  if (seed->origin == NO_NODE_ID) return a;
  float latency = t->arrival[seed->origin].v[condition_of(condition >> 1, seed->origin_edge)];
  return time_absent(latency) ? a : a + latency;
}

static inline TagId timing_tag(const Timing *t, Slot slot, NodeId node)
{
  return tag_set_tags(t->g->tags, t->g->nodes.slot_tags[slot])[node - t->g->nodes.first[slot]];
}

/* Latency of an ideal clock for its tag, with what arrives at the source of a generated one. */
static inline float timing_ideal_latency(const Timing *t, TagId tag, int condition)
{
  const Graph *g = t->g;
  float latency = g->by_tag.latency[tag][condition];
  if (g->by_tag.origin[tag] == NO_NODE_ID) return latency;
  float source =
      t->arrival[g->by_tag.origin[tag]]
          .v[condition_of(condition >> 1, clock_edge_edge(g->tags->tags.at[tag].clock_edge))];
  return time_absent(source) ? latency : latency + source;
}

/* What a generated clock takes over by a link; absent where the master does not arrive.  An ideal
   master arrives at its latency, whatever its network's delay. */
static inline float timing_link_arrival(const Timing *t, const ClockLink *link, int early_late)
{
  const Graph *g = t->g;
  float a = t->arrival[link->from].v[condition_of(early_late, link->edge)];
  TagId tag = timing_tag(t, link->slot, link->from);
  if (time_absent(a) || !g->by_tag.is_ideal[tag]) return a;
  return timing_ideal_latency(t, tag,
                              condition_of(early_late,
                                           clock_edge_edge(g->tags->tags.at[tag].clock_edge)));
}

/* With what data leaves a clock pin over a launching arc: the clock's arrival, of an ideal clock
   its latency whatever the network's delay, 0 in a tag without latency.  Absent where no clock
   arrives. */
static inline float timing_launch_arrival(const Timing *t, ArcId a, NodeId from, NodeId to,
                                          int condition)
{
  float arrival = t->arrival[from].v[condition];
  if (time_absent(arrival)) return arrival;
  if (t->g->by_tag.is_bare[timing_tag(t, t->g->arcs.to[a], to)]) return 0;
  TagId tag = timing_tag(t, t->g->arcs.from[a], from);
  return t->g->by_tag.is_ideal[tag] ? timing_ideal_latency(t, tag, condition) : arrival;
}

/* Does the delay model solve the edges of a driver by their waveforms?  driver:
   graph_driver_index. */
static inline bool timing_has_waves(const Timing *t, uint32_t driver)
{
  return delay_has(t->delay_model, DELAY_BY_WAVE) && t->nets.has_rc[driver];
}

/* The pi model of a driver's net: where the delay model has none, none is kept, and nothing but 0
   is read. */
static inline PiModel timing_pi(const Timing *t, uint32_t driver, int condition)
{
  if (t->nets.pi_far == NULL) return (PiModel){ 0, 0, 0 };
  return (PiModel){ .c_far = t->nets.pi_far[driver].v[condition],
                    .c_near = t->nets.pi_near[driver].v[condition],
                    .r_pi = t->nets.pi_r[driver].v[condition] };
}

static inline void timing_put_pi(Timing *t, uint32_t driver, int condition, PiModel m)
{
  if (t->nets.pi_far == NULL) return;
  t->nets.pi_far[driver].v[condition] = m.c_far;
  t->nets.pi_near[driver].v[condition] = m.c_near;
  t->nets.pi_r[driver].v[condition] = m.r_pi;
}

/* Derate factor of a cell arc, a wire, a check: 1 where none was set. */
static inline float timing_derate(const Timing *t, const uint32_t *index, uint32_t at, bool clock,
                                  int condition)
{
  return index ? t->derates.rows.rows.at[index[at]].factor[clock][condition] : 1.0f;
}

#endif
