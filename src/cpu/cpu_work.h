/* Delay calculation on the CPU, shared by its parts. Private to cpu_delay.c (drivers and their
   arcs), cpu_collect.c (lanes) and cpu_port.c (ports, driving cells, ideal networks). */
#ifndef SL_CPU_CPU_WORK_H
#define SL_CPU_CPU_WORK_H

#include "cpu/cpu.h"
#include "cpu/cpu_lanes.h"

/* Describes what a driver lane computes.  If the early and late inputs of a timing edge are equal,
   one job serves both analyses. */
typedef struct {
  Slot     driver;
  uint32_t edge;           /* index in edge_delay */
  uint8_t  out;
  uint8_t  analyses;       /* bit EARLY, bit LATE */
  bool     delay_only;     /* an arc from latch data to output: the slew of the output comes from
                              the opening edge */
  bool     port;           /* a port's driving cell: its delay less the unloaded delay belongs to
                              the port */
  float    unloaded;
  const Table *sigma[2];   /* by analysis; NULL: no table in the library, or sigma does not count */
  float    input_slew;
} EdgeJob;

typedef struct {
  Cond4   *delay, *slew;   /* numbers of the load */
  uint8_t  out, analyses;
} LoadJob;

typedef struct {
  Timing      *t;
  DriverLanes *drivers;
  LoadLanes    loads;
  EdgeJob          job[LANES];
  LoadJob      load_job[LANES];
} Work;

/* A load of a driver: its own, or one that another driver of the net owns. */
typedef struct {
  Slot   slot;
  Cond4 *delay, *slew;
  const Cond4 *elmore, *impulse_sq;
} Load;

/* What the delay calculation of a timing edge needs, for one analysis. */
typedef struct {
  TableView  delay, slew;
  uint32_t   thresholds;
  const Table *sigma;      /* NULL: none */
  float      input_slew;
  PiModel    net;
} DriverCase;

/* Returns a table that is 0 everywhere, for libraries without a slew table. */
static inline TableView delay_no_table(void)
{
  static const float zero[] = { 0, 0, 0 };
  return (TableView){ zero, 1, 1 };
}

/* Returns the moments of a load's wire in one condition. */
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
/* Computes the delays of `count` drivers: those of the list `drivers` or, if it is NULL, the slots
   from `first` on.  The delays are final after delay_settle of each driver. */
void  delay_drivers(Work *work, const Slot *drivers, Slot first, uint32_t count);
/* Replaces absent values by 0, and gives a load of several drivers the worst slew of all wires.
   Call it when all of them have been computed. */
void  delay_settle(Timing *t, Slot driver);
/* Returns the expected time for a driver, ns. */
float delay_cost(const Timing *t);
/* Returns a Work pointer for each thread.  The thread that needs a Work makes it. */
Work **delay_works_new(const Timing *t);
void   delay_works_free(const Timing *t, Work **work);

/* --- cpu_collect.c ---------------------------------------------------------------------------- */
Work *delay_work_new(Timing *t);
void  delay_work_free(Work *work);
Load  delay_own_load(Timing *t, Slot s);
/* Calls visit for each load of the driver's net that another driver owns. */
void delay_visit_extras(Timing *t, Slot driver, void (*visit)(Work *, const Load *, const void *),
                        Work *work, const void *data);
static inline void delay_each_extra(Timing *t, Slot driver,
                                    void (*visit)(Work *, const Load *, const void *), Work *work,
                                    const void *data)
{
  if (t->g->nets.extra_wires.len) delay_visit_extras(t, driver, visit, work, data);
}
bool  delay_same_case(const DriverCase *a, const DriverCase *b);
/* Adds a job to the lanes, which are solved when they are full. */
void  delay_push(Work *work, const DriverCase *driver_case, EdgeJob job);
/* Solves all waiting jobs and merges their results. */
void  delay_flush(Work *work);
/* Returns the delay that a port's driving cell adds to arrivals at the port. */
Cond4 *delay_drive(Timing *t, Slot port);

/* Returns the sigma of a timing edge from its table (NULL: 0) at the slew and load of the delay. */
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
/* Collects the inputs of a timing edge at an input slew.  Returns false if the library has no delay
   for it. */
bool delay_case(const Timing *t, ArcId a, EdgePair pair, int early_late, float input_slew,
                DriverCase *driver_case);
/* Reads the tables at a capacitance. */
void delay_lumped(const Timing *t, const DriverCase *driver_case, float load, float *delay,
                  float *slew);
/* Converts delay and slew to the thresholds of a load whose library differs from its driver's. */
void delay_move_thresholds(const Timing *t, LibraryId from, Slot load, int condition, float *delay,
                           float *slew);
void delay_adjust_thresholds(const Timing *t, Slot driver, Slot load, int condition, float *delay,
                             float *slew);
/* Computes the loads that inherit the driver's merged slew; needs no lanes. */
void delay_merged_loads(Work *work, Slot driver);
/* Computes the delays and slews of an arc at the total capacitance. */
void delay_arc_lumped(Timing *t, ArcId a, Slot driver);

/* --- cpu_port.c ------------------------------------------------------------------------------- */
void  delay_port(Work *work, Slot port);
/* Converts the numbers of a port's loads from the thresholds of the port to their own. */
void  delay_move_port_loads(Timing *t, Slot port);
void  delay_ideal(Work *work, Slot driver);
/* Sets the delays of an arc to 0 before they are computed: an edge without tables is not computed,
   and an annotated increment must not be added twice. */
void  delay_clear_arc(Timing *t, ArcId a);
/* Adds the latency of the pin where an arc ends and an ideal network begins. */
void  delay_add_latency(Timing *t, ArcId a, const Cond4 *latency);
/* Returns the value of set_ideal_transition or set_ideal_latency at a slot's pin; 0 if none. */
Cond4 delay_ideal_value(const Timing *t, Slot slot, bool slew);
/* Returns the library whose thresholds apply to a slot: that of its cell; for a port, the first
   library. */
LibraryId delay_library(const Timing *t, Slot slot, int early_late);

#endif
