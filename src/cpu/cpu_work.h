/* Delay calculation on the CPU, shared by its parts. Private to cpu_delay.c (drivers and their
   arcs), cpu_collect.c (lanes) and cpu_port.c (ports, driving cells, ideal networks). */
#ifndef SL_CPU_CPU_WORK_H
#define SL_CPU_CPU_WORK_H

#include "cpu/cpu.h"
#include "cpu/cpu_lanes.h"

/* Which arc, edges and analyses a driver lane is for; a job whose early and late inputs are equal
   serves both. */
typedef struct {
  Slot     driver;
  uint32_t edge;           /* index in edge_delay */
  uint8_t  out;
  uint8_t  analyses;       /* bit EARLY, bit LATE */
  bool     delay_only;     /* latch data to output: the output's slew is that of the opening edge */
  bool     port;           /* a port's driving cell: its delay beyond the unloaded one is the
                              port's */
  float    unloaded;
  const Table *sigma[2];   /* by analysis; NULL: the library has none, or sigma does not count */
  float    input_slew;
} Job;

typedef struct {
  Cond4   *delay, *slew;   /* of the load */
  uint8_t  out, analyses;
} LoadJob;

typedef struct {
  Timing      *t;
  DriverLanes *drivers;
  LoadLanes    loads;
  Job          job[LANES];
  LoadJob      load_job[LANES];
} Work;

/* A load of a driver: its own, or one that follows another driver of the net. */
typedef struct {
  Slot   slot;
  Cond4 *delay, *slew;
  const Cond4 *elmore, *impulse_sq;
} Load;

/* One timing edge for one analysis, as a kernel sees it. */
typedef struct {
  TableView  delay, slew;
  uint32_t   thresholds;
  const Table *sigma;      /* NULL: none */
  float      input_slew;
  PiModel    net;
} DriverCase;

/* In place of a slew table that the library does not have: 0 everywhere. */
static inline TableView delay_no_table(void)
{
  static const float zero[] = { 0, 0, 0 };
  return (TableView){ zero, 1, 1 };
}

/* Of a load's wire in one condition. */
static inline WireMoments delay_moments(const Load *load, int condition)
{
  return (WireMoments){ load->elmore->v[condition],
                        load->impulse_sq ? load->impulse_sq->v[condition] : 0 };
}

static inline void delay_merge_analyses(Cond4 *to, uint8_t analyses, int edge, float x)
{
  if (analyses >> EARLY & 1) cond_merge(to, EARLY, edge, x);
  if (analyses >> LATE & 1) cond_merge(to, LATE, edge, x);
}

/* --- cpu_delay.c ------------------------------------------------------------------------------ */
/* Delays of drivers: a list's, or (drivers NULL) of the slots first, first + 1, ...  They count
   when each has been settled as well. */
void  delay_drivers(Work *w, const Slot *drivers, Slot first, uint32_t count);
/* Absent values become 0; a load of several drivers takes the worst slew of all wires: when all
   these have been evaluated. */
void  delay_settle(Timing *t, Slot driver);
/* What a driver is expected to take, ns. */
float delay_cost(const Timing *t);
/* A place a thread; each is made by the thread that needs it. */
Work **delay_works_new(const Timing *t);
void   delay_works_free(const Timing *t, Work **work);

/* --- cpu_collect.c ---------------------------------------------------------------------------- */
Work *delay_work_new(Timing *t);
void  delay_work_free(Work *w);
Load  delay_own_load(Timing *t, Slot s);
/* Calls visit for each load of the driver that follows another one. */
void delay_each_extra(Timing *t, Slot driver, void (*visit)(Work *, const Load *, const void *),
                      Work *w, const void *data);
bool  delay_same_case(const DriverCase *a, const DriverCase *b);
/* A job for the lanes; they are solved when full. */
void  delay_push(Work *w, const DriverCase *c, Job job);
/* Solves and merges all that waits. */
void  delay_flush(Work *w);
/* Delay that a port's driving cell adds to what arrives at the port. */
Cond4 *delay_drive(Timing *t, Slot port);

/* Sigma of a timing edge, from its table (NULL: 0) at the delay's slew and load. */
static inline float delay_sigma(const Timing *t, const Table *table, float input_slew, float load)
{
  float sigma = table ? table_value((TableView){ t->corner_libs->libs->pool.at + table->first,
                                                 table->n1, table->n2 },
                                    input_slew, load)
                      : 0;
  return sigma > 0 ? sigma : 0;
}

static inline void delay_put_sigma(Timing *t, uint32_t edge, int el, const Table *table,
                                   float input_slew, float load)
{
  if (t->sigma.edge) t->sigma.edge[edge].v[el] = delay_sigma(t, table, input_slew, load);
}

/* --- cpu_delay.c ------------------------------------------------------------------------------ */
/* A timing edge at an input slew; false where the library has no delay for it. */
bool delay_case(const Timing *t, ArcId a, EdgePair pair, int early_late, float input_slew,
                DriverCase *c);
/* The tables at a capacitance. */
void delay_lumped(const Timing *t, const DriverCase *c, float load, float *delay, float *slew);
/* A load's own thresholds, where it is of another library than its driver. */
void delay_move_thresholds(const Timing *t, LibraryId from, Slot load, int condition, float *delay,
                           float *slew);
void delay_adjust_thresholds(const Timing *t, Slot driver, Slot load, int condition, float *delay,
                             float *slew);
/* Loads that follow the driver's merged slew: without lanes. */
void delay_merged_loads(Work *w, Slot driver);
/* An arc's delays and slews at the total capacitance. */
void delay_arc_lumped(Timing *t, ArcId a, Slot driver);

/* --- cpu_port.c ------------------------------------------------------------------------------- */
void  delay_port(Work *w, Slot port);
/* Moves what a port's loads were given from the thresholds of the port to their own. */
void  delay_move_port_loads(Timing *t, Slot port);
void  delay_ideal(Work *w, Slot driver);
/* An edge without tables is not worked out, and an increment must not meet its own sum. */
void  delay_clear_arc(Timing *t, ArcId a);
/* The latency of the pin where an arc ends and an ideal network begins. */
void  delay_add_latency(Timing *t, ArcId a, const Cond4 *latency);
/* set_ideal_transition or set_ideal_latency of a slot's pin; 0 where none. */
Cond4 delay_ideal_value(const Timing *t, Slot slot, bool slew);
/* Library whose thresholds a slot is measured with: its cell's; ports: the first. */
LibraryId delay_library(const Timing *t, Slot slot, int early_late);

#endif
