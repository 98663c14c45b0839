/* Computes one stage, a timing edge of a cell and a wire behind it, at a slew that the caller
   gives, with the engine's delay calculation.

   The engine computes every edge at the worst slew at its start. Path re-timing uses the slew along
   a path. With equal slews the numbers have the same bits. The functions only read, so threads may
   share a Timing. */
#ifndef SL_UPDATE_STAGE_H
#define SL_UPDATE_STAGE_H

#include "timing/timing.h"
#include "math/driver.h"

/* A timing edge at an input slew. */
typedef struct {
  float delay, slew;              /* of the library, before annotation */
  float sigma;                    /* of the library's tables; 0 without sigma */
  float load;                     /* where the tables were looked up; with waves: the effective
                                     capacitance, if there is one */
  bool  waves;                    /* loads follow its waveform; else its slew */
  DriverSolution solution;        /* of waves */
  uint32_t thresholds;            /* of waves */
} StageEdge;

/* Delay and slew of a wire. */
typedef struct { float delay, slew; } StageWire;

/* A load of a driver: its own, or one of extra_wires. */
typedef struct {
  Slot     driver, load;
  uint32_t extra;                 /* index in extra_wires; NO_EXTRA */
} StageLoad;
#define NO_EXTRA UINT32_MAX

/* Arrivals of one level from the delays as they are; then, where there is credit, what they bring
   by launching clock pin. */
void stage_level_arrivals(Timing *t, uint32_t level);
void stage_level_launches(Timing *t, uint32_t level);

/* The analysis whose tables and loads an analysis uses. */
static inline int stage_side(const Timing *t, int early_late)
{
  return t->single ? LATE : early_late;
}

/* Have a driver's slew and its wires their numbers from the worst of all its arcs or from
   constraints, and not from one arc: ports, starts of arrivals inside, ideal networks? */
bool stage_is_given(const Timing *t, Slot driver);
/* Is the delay of an arc given as well (latch data, ideal networks)? */
bool stage_delay_is_given(const Timing *t, ArcId a);

/* False where the library has no delay for the edge.  side: stage_side. */
bool stage_edge(const Timing *t, ArcId a, EdgePair pair, int side, float input_slew,
                StageEdge *out);
/* The edge as its driver's net has it, with what it is computed from, for reports; in an ideal
   network as if there were none. */
typedef struct {
  TableView delay_table, slew_table;   /* scaled to the operating conditions */
  float     load;                      /* total capacitance */
  PiModel   net;
  StageEdge edge;
} StageSteps;
bool stage_steps(const Timing *t, ArcId a, EdgePair pair, int side, float input_slew,
                 StageSteps *out);
/* The least and the largest capacitance at which an edge's tables are read. */
typedef struct { float low, high; } StageLoads;
StageLoads stage_loads(const Timing *t, uint32_t driver_index, int condition);
/* Slews strictly between two at which the edge's tables bend. */
enum { MOST_BENDS = 64 };
uint32_t stage_bends(const Timing *t, ArcId a, EdgePair pair, int side, float low, float high,
                     float bends[MOST_BENDS]);
/* Do delay and slew nowhere fall between two input slews as these rise, with any capacitance that
   the driver may see? */
bool      stage_rises(const Timing *t, ArcId a, EdgePair pair, int side, float low, float high);
/* Before stage_settle, which is for the worst delay and slew where several edges drive the load. */
StageWire stage_wire(const Timing *t, const StageEdge *driver, StageLoad load, int condition);
/* The load's own thresholds, ideal networks, annotation. */
StageWire stage_settle(const Timing *t, StageLoad load, int condition, StageWire worst);
/* The wire as the engine has it. */
StageWire stage_given_wire(const Timing *t, StageLoad load, int condition);

/* Annotation laid over a timing edge's delay, a slew at a driver. */
float stage_annotated_delay(const Timing *t, ArcId a, uint32_t edge, int side, float delay);
float stage_annotated_slew(const Timing *t, Slot driver, int condition, float slew);

#endif
