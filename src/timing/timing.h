/* The numbers of timing. They are flat arrays: a number of a slot, node, arc or path end has the
   index that the graph gives this slot, node, arc or path end.

   Times are in ps, capacitances in fF and resistances in kOhm. math/condition.h explains the types
   Cond4 (early rise, early fall, late rise, late fall) and Pair (early, late), and absent times. */
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

/* What a latch passes on to its output if its data borrows time (doc/clocks.md): an arrival. */
typedef struct {
  NodeId   node;
  uint8_t  edge;
  uint8_t  age;                  /* how many sweeps in a row have not changed the arrival, at most
                                    255 */
  float    arrival;
  float    most;                 /* the arrival if the data borrowed as much as it may */
  uint32_t leaf;                 /* where the data was launched, for common path credit */
} LatchArrival;

/* Which required time a pin inside the design has with common path credit (the option -required of
   set_common_path_credit). */
typedef enum {
  COMMON_BY_PATHS,             /* that of the worst path through the pin */
  COMMON_BY_ENDS,              /* that of the endpoints after the pin, each with the credit of its
                                  worst slack */
  COMMON_BY_LAUNCHES           /* that of the launches that were not dropped on the way, each with
                                  its own credit (cpu/pruned.h) */
} CommonRequired;

/* Common path credit as set_common_path_credit asks for it: what counts as common to a launching
   and a capturing clock path.  The formulas get it as a CommonView (math/common_path.h), kernels as
   a FlatCredit (device/flat_credit.h). */
typedef struct {
  bool on;                     /* slacks have the credit */
  bool same_transition;        /* only pins that both paths pass with the same edge */
  bool drivers_only;           /* not the clock pin of a register that launches and captures */
  uint8_t required;            /* CommonRequired */
} CommonOptions;

/* Factors for one object or depth: [data, clock][condition]. */
typedef struct { float factor[2][CONDITION_COUNT]; } DerateRow;

/* For report_engine: memory on the device in bytes, and the time of each phase in seconds. */
typedef struct {
  const char *name;                  /* NULL: no device is in use */
  char   idle[320];                  /* why no device is in use: what failed, or what has no kernel;
                                        empty: none was asked for */
  size_t bytes;
  /* parts of bytes */
  size_t graph_bytes, start_bytes, net_bytes, delay_bytes, arrival_bytes, end_bytes, required_bytes,
      scratch_bytes, tree_bytes, credit_bytes, edit_bytes;
  size_t least_bytes;                /* the least number of bytes that an update moves
                                        (flat_least_bytes) */
  int    schedule;                   /* SCHEDULE_... */
  bool   cuda_graph;                 /* kernels run as a captured CUDA graph */
  double open, upload, download, trees_copy, trees, forward, launches, end_points, backward;
  double follow;                     /* time of the last edit that the device followed, and the
                                        number of drivers and nets that it reached; 0: none */
  uint32_t followed_drivers, followed_nets;
  uint32_t repeats;                  /* the times are medians of this many runs; 0: of the last
                                        update */
} DeviceReport;

/* A set of different rows. */
typedef struct {
  ARRAY(DerateRow) rows;
  Map *index;                      /* hash of a row -> its index; NULL: no row yet */
} DerateRows;

/* Data that belongs to a user of the numbers and lives as long as they do. */
typedef struct {
  void  *data;                       /* NULL: nothing */
  void (*free)(void *data);
} TimingKept;

/* The users whose data lives as long as the numbers. */
typedef enum {
  OWNER_NETS,                        /* cpu/cpu_rc.c: memory to reduce a few nets */
  OWNER_EDITS,                       /* update/incremental.h: queues of slots */
  OWNER_DEVICE,                      /* update/device_timing.h: a backend's copies on a device */
  OWNER_COUNT
} TimingOwner;

/* By driver (graph_driver_index). */
typedef struct {
  Cond4   *load_cap;                 /* total capacitance that the driver sees */
  Cond4   *pi_far, *pi_near, *pi_r;     /* pi model; c_far = 0: lumped; DELAY_NEEDS_PI only, else
                                           NULL */
  uint8_t *has_rc;                   /* in some analysis the net has parasitics (a tree, or a
                                        reduced net), or a wire load or set_resistance gives it a
                                        resistance */
  struct WireEstimate *estimate;     /* wires without parasitics (timing/wire_load.h); NULL: none */
} TimingNets;

/* By load (graph_load_index). */
typedef struct {
  Cond4 *elmore;
  Cond4 *impulse_sq;                    /* squared impulse; DELAY_NEEDS_IMPULSE only, else
                                           NULL */
  Cond4 *delay;
} TimingWires;

/* Wires from further drivers of a net, parallel to extra_wires of the graph. */
typedef struct {
  Cond4 *elmore, *delay, *slew;
  Cond4 *impulse_sq;                    /* as in TimingWires */
  Cond4 *shared_slew;                /* slew that a load gets over the wire from the driver that it
                                        belongs to (GraphNets.wire_driver). It is stored at the
                                        index of the load's first extra wire, and used if the host
                                        computes the net */
} TimingExtraWires;

/* Numbers that constraints give for ports. */
typedef struct {
  Map   *cap_of;                     /* slot -> index in caps */
  ARRAY(Cond4) caps;
  Map   *drive_delay_of;             /* slot -> index in drive_delays (timing_drive_delay) */
  ARRAY(Cond4) drive_delays;
} TimingPorts;

typedef struct {
  ARRAY(LatchArrival) arrivals;      /* of the last sweep, by node */
  bool leap;                         /* for the next sweep alone: if the arrival at a latch
                                        still changes, the latest arrival that borrowing allows is
                                        passed on (LatchArrival.most) */
} TimingLatches;

/* set_timing_derate and tables by depth. */
typedef struct {
  DerateRows rows;
  uint32_t *arc, *wire, *check;      /* indices in rows, by arc, by load and by check; NULL: no
                                        derate was set. All wires to a load have the row of the
                                        load, also those from further drivers (extra_wires) */
} TimingDerates;

/* Statistical variation (timing/sigma.h); all pointers are NULL if it does not count. */
typedef struct {
  float  quantile;                   /* number of sigmas of early and late arrivals */
  Cond4 *arrival_variance;           /* by node, ps^2: variance of the path that brings the
                                        arrival */
  Pair  *edge;                       /* by timing edge, ps: sigma from the library's tables */
  Pair  *check;                      /* index of the array: check; of the Pair: data edge */
  DerateRows rows;                   /* coefficients: sigma divided by delay; below 0: use the
                                        library's tables */
  uint32_t *arc, *wire;              /* indices in rows, by arc and by load */
} TimingSigmas;

/* What runs on a device, and which numbers are there. */
typedef struct {
  EngineOptions options;
  const struct DeviceOps *families;  /* where families of kernels run (device/family.h), such as
                                        path search; NULL: nowhere */
  Residency residency;               /* where the numbers are; fetch numbers that are only on the
                                        device before you read them */
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
  bool single;                       /* a single analysis: early delays and slews equal the late
                                        ones */
  bool late_only;                    /* the CPU leaves the early numbers of data out
                                        (timing_first_analysis); no query reads them */

  TimingNets       nets;
  TimingWires      wires;
  TimingExtraWires extra;

  Cond4 *slew;                       /* by slot */
  Pair  *edge_delay;                 /* by timing edge: {early, late} */
  Cond4 *arrival, *required;         /* by node; read required with common_required */
  Pair  *check_margin;               /* index of the array: check; of the Pair: data edge */
  Pair  *end_slack;                  /* index of the array: path end; of the Pair: data edge; 1e30
                                        if nothing arrives */
  Pair  *seed_reference;             /* index of the array: seed; the Pair: early and late arrival
                                        of the seed's reference clock; NULL: no seed has one */
  struct EndSlacks *ends;            /* worst and total of end_slack (timing/end_slacks.h) */
  TimingLatches latches;
  TimingPorts   ports;

  CommonOptions common_options;
  struct CommonPaths *common;        /* timing/credit.h; NULL: off, no propagated clocks, or another
                                        analysis than on-chip variation (common_new) */
  struct Scaling *scaling;           /* libraries scaled to other than their nominal conditions;
                                        NULL: none */
  TimingDerates derates;
  struct OcvPaths *ocv_paths;        /* tables by path depth (timing/variation.h); NULL: none */
  TimingSigmas sigma;
  Overrides *overrides;              /* annotated numbers; NULL: none */
  uint32_t annotated;                /* number of times that the annotation was compiled */

  TimingDevice device;
  TimingKept *kept;                  /* data of path searches alone (paths/path_device.c);
                                        freed when numbers change */
  TimingKept  owned[OWNER_COUNT];    /* freed with the numbers */
} Timing;

Timing *timing_new(const Graph *g, const CornerLibs *libs, const Parasitics *const parasitics[2],
                   DelayModel model);
/* Makes and frees what the reduction of nets (cpu_reduce_nets) writes for t->delay_model.  For
   users that reduce nets in a copy of a Timing (query/model_view.h). */
void    timing_nets_new(Timing *t);
void    timing_nets_free(Timing *t);
/* Call it before any number is computed. */
void    timing_set_common(Timing *t, CommonOptions options);
void    timing_free(Timing *t);
/* Adds derates by depth to those of the constraints (timing/variation.h).  Call it before any
   number is computed.  variation NULL: none; corner NULL: all libraries. */
void    timing_vary(Timing *t, const Variation *variation, const Corner *corner);
uint32_t derate_rows_add(DerateRows *rows, const DerateRow *row);
void    derate_rows_free(DerateRows *rows);
/* Compiles the annotation (NULL: none) and replaces what was compiled before.  No number changes
   yet. */
void    timing_annotate(Timing *t, const Annotations *annotations);
/* Returns true if no late number comes from an early number of data. Then late_only may be set. */
bool    timing_late_stands_alone(const Timing *t);
/* Frees the data of queries, because numbers are about to change. */
void    timing_forget(const Timing *t);
size_t  timing_bytes(const Timing *t);

/* Returns the index of the first entry of latches.arrivals whose node is not below `node`. */
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

/* Returns the delay that the driving cell or the resistance (set_drive) of a port adds. If the slot
   is in an ideal network and arrivals begin at the slot (a port or another pin), it returns the
   set_ideal_latency of the pin instead. Returns 0 for all other slots. */
static inline float timing_drive_delay(const Timing *t, Slot port, int condition)
{
  uint32_t drive = map_get(t->ports.drive_delay_of, port);
  return drive == MAP_NO_VALUE ? 0 : t->ports.drive_delays.at[drive].v[condition];
}

/* Returns the arrival that constraints give a seed, plus the arrival at its reference pin, plus the
   delay of the port's driving cell or resistance (timing_drive_delay). The latency of a generated
   clock (Seed.origin) is not included; timing_seed_arrival adds it. NAN: the seed has no arrival in
   this condition. */
static inline float timing_seed_start(const Timing *t, const Seed *seed, int condition)
{
  float reference =
      t->seed_reference ? t->seed_reference[seed - t->g->starts.seeds.at].v[condition >> 1] : 0;
  return seed->arrival[condition] + reference + timing_drive_delay(t, seed->slot, condition);
}

/* Returns the arrival at a seed, including the latency of a generated clock. */
static inline float timing_seed_arrival(const Timing *t, const Seed *seed, int condition)
{
  float a = timing_seed_start(t, seed, condition);
  if (seed->origin == NO_NODE_ID) return a;
  float latency = t->arrival[seed->origin].v[condition_of(condition >> 1, seed->origin_edge)];
  return time_absent(latency) ? a : a + latency;
}

/* Returns the latency of an ideal clock for its tag.  For a generated clock it includes the arrival
   at its source. */
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

/* Returns the arrival that a generated clock takes over by a link; absent if the master does not
   arrive.  An ideal master arrives with its latency, whatever the delay of its network. */
static inline float timing_link_arrival(const Timing *t, const ClockLink *link, int early_late)
{
  const Graph *g = t->g;
  float a = t->arrival[link->from].v[condition_of(early_late, link->edge)];
  TagId tag = graph_node_tag(t->g, link->slot, link->from);
  if (time_absent(a) || !g->by_tag.is_ideal[tag]) return a;
  return timing_ideal_latency(t, tag,
                              condition_of(early_late,
                                           clock_edge_edge(g->tags->tags.at[tag].clock_edge)));
}

/* Returns the arrival with which data leaves a clock pin over a launch arc: the clock's arrival;
   for an ideal clock its latency, whatever the delay of the network; 0 for a tag without latency.
   Absent if no clock arrives. */
static inline float timing_launch_arrival(const Timing *t, ArcId a, NodeId from, NodeId to,
                                          int condition)
{
  float arrival = t->arrival[from].v[condition];
  if (time_absent(arrival)) return arrival;
  if (t->g->by_tag.is_bare[graph_node_tag(t->g, t->g->arcs.to[a], to)]) return 0;
  TagId tag = graph_node_tag(t->g, t->g->arcs.from[a], from);
  return t->g->by_tag.is_ideal[tag] ? timing_ideal_latency(t, tag, condition) : arrival;
}

/* Does the delay model solve the edges of a driver by their waveforms?  driver:
   graph_driver_index. */
static inline bool timing_has_waves(const Timing *t, uint32_t driver)
{
  return delay_has(t->delay_model, DELAY_BY_WAVE) && t->nets.has_rc[driver];
}

/* Returns the pi model of a driver's net; all 0 if the delay model needs none. */
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

/* Returns the first analysis that is computed at a slot. Late checks compare with early clocks, so
   clock networks have both. */
static inline int timing_first_analysis(const Timing *t, Slot slot)
{
  return t->late_only && !graph_slot_has_clock(t->g, slot) ? LATE : EARLY;
}

/* Returns the derate factor of a cell arc, a wire or a check; 1 if none was set.  index: the array
   for its kind (TimingDerates); at: its place there.  clock: true if a clock, and not data, arrives
   at the node where the arc or wire ends (graph_node_is_clock).  condition: the analysis that the
   arrival belongs to, also in a single analysis, and the edge where the arc or wire ends.

   So the launch arc of a register has the factor of data. If a clock arrives at a data pin or an
   output port, all arcs and wires on its way have the factor of clocks, including the last wire.
   The margin of a library check has the factor of data. A margin that a constraint gives is not
   derated: its factor is 1 (add_derates). */
static inline float timing_derate(const Timing *t, const uint32_t *index, uint32_t at, bool clock,
                                  int condition)
{
  return index ? t->derates.rows.rows.at[index[at]].factor[clock][condition] : 1.0f;
}

#endif
