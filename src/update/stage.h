/* Computes one stage, a timing edge of a cell and a wire after it, at a slew that the caller gives,
   with the engine's delay calculation.

   The engine computes every edge at the worst slew at its start. Path re-timing uses the slew along
   a path. With equal slews the numbers have the same bits. The functions only read, so threads may
   share a Timing. */
#ifndef SL_UPDATE_STAGE_H
#define SL_UPDATE_STAGE_H

#include "timing/timing.h"
#include "math/driver.h"

/* The result for a timing edge at an input slew. */
typedef struct {
  float delay, slew;              /* from the library, before annotation */
  float sigma;                    /* from the library's tables; 0 without sigma */
  float load;                     /* the capacitance at which the tables were read; with waves: the
                                     effective capacitance, if there is one */
  bool  waves;                    /* true: loads follow its waveform; false: its slew */
  DriverSolution solution;        /* if waves */
  uint32_t thresholds;            /* if waves */
} StageEdge;

/* Delay and slew of a wire. */
typedef struct { float delay, slew; } StageWire;

/* A load of a driver: its own, or one of extra_wires. */
typedef struct {
  Slot     driver, load;
  uint32_t extra;                 /* index in extra_wires; NO_EXTRA */
} StageLoad;
#define NO_EXTRA UINT32_MAX

/* stage_level_arrivals computes the arrivals of one level from the present delays.
   stage_level_launches then computes, if there is credit, the arrivals by launching clock pin. */
void stage_level_arrivals(Timing *t, uint32_t level);
void stage_level_launches(Timing *t, uint32_t level);

/* Returns the analysis whose tables and loads are used for the given one. */
static inline int stage_side(const Timing *t, int early_late)
{
  return t->single ? LATE : early_late;
}

/* Returns true if the slew of a driver, and so the slews at its loads, cannot be computed from a
   single arc. The engine then takes the worst slew of all arcs, or constraints give it. This is so
   at ports and in ideal networks. */
bool stage_is_given(const Timing *t, Slot driver);
/* Returns true if the delay of an arc is given in the same way (latch data arcs, ideal
   networks). */
bool stage_delay_is_given(const Timing *t, ArcId a);

/* Computes a timing edge.  Returns false if the library has no delay for it.  side: stage_side. */
bool stage_edge(const Timing *t, ArcId a, EdgePair pair, int side, float input_slew,
                StageEdge *out);
/* A timing edge with intermediate results, for reports.  Inside an ideal network, it is computed as
   if the network were not ideal. */
typedef struct {
  TableView delay_table, slew_table;   /* scaled to the operating conditions */
  float     load;                      /* total capacitance */
  PiModel   net;
  StageEdge edge;
} StageSteps;
bool stage_steps(const Timing *t, ArcId a, EdgePair pair, int side, float input_slew,
                 StageSteps *out);
/* The smallest and the largest capacitance at which the tables of an edge are read. */
typedef struct { float low, high; } StageLoads;
StageLoads stage_loads(const Timing *t, uint32_t driver_index, int condition);
/* Writes to `bends` the input slews between `low` and `high` (both excluded) at which the tables of
   the edge bend. Returns their number. */
enum { MOST_BENDS = 64 };
uint32_t stage_bends(const Timing *t, ArcId a, EdgePair pair, int side, float low, float high,
                     float bends[MOST_BENDS]);
/* Returns true if delay and slew never fall while the input slew rises from low to high, for every
   capacitance that the driver may see. */
bool      stage_rises(const Timing *t, ArcId a, EdgePair pair, int side, float low, float high);
/* Computes a wire, without the effects of stage_settle.  If several edges drive the load, take the
   worst delay and slew of all before calling stage_settle. */
StageWire stage_wire(const Timing *t, const StageEdge *driver, StageLoad load, int condition);
/* Adds the effects of the load's own thresholds, ideal networks and annotation. */
StageWire stage_settle(const Timing *t, StageLoad load, int condition, StageWire worst);
/* Returns the wire's delay and slew that the engine has computed. */
StageWire stage_given_wire(const Timing *t, StageLoad load, int condition);

/* Applies annotation to the delay of a timing edge, and to the slew of a driver. */
float stage_annotated_delay(const Timing *t, ArcId a, uint32_t edge, int side, float delay);
float stage_annotated_slew(const Timing *t, Slot driver, int condition, float slew);

#endif
