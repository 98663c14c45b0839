/* Between the files that make rows; private to src/graph. */
#ifndef SL_GRAPH_ENDS_H
#define SL_GRAPH_ENDS_H

#include "graph/build.h"
#include "graph/clocks.h"
#include "graph/gating.h"

typedef struct {
  Graph *g;
  const ExceptionIndex *x;
  Map *details;                 /* hash of a PathEndDetail -> index */
  Map *distances;               /* pair of clock edges -> index in distance */
  ARRAY(EdgeDistance) distance;
  Log *log;
  Map *warned;                  /* pairs of clocks whose periods have no common multiple */
  GatingGiven *gating;
  uint8_t *captured;            /* by slot: edges of data that have an end, early ones in bits 0 and
                                   1, late in 2 and 3 */
} Rows;

/* One candidate: a data node against a capturing clock edge at an end point. */
typedef struct {
  Slot      slot;
  NodeId    data;
  TagId     data_tag;
  CheckId   check;
  NodeId    capture;            /* NO_NODE_ID */
  ClockEdge capture_clock;
  uint32_t  only_clock;         /* 1 + the clock that alone captures; 0: all do */
  int       capture_edge;
  PathEndType   type;
  float     external[2];        /* added to the late, subtracted from the early side, by data
                                   edge */
  float     latency;            /* of an ideal capture */
  float     shift;              /* of the capturing clock: clock_capture_shift */
  bool      at_source;          /* capture is where a generated clock starts, not the check's clock
                                   pin */
  uint32_t  uncertainty;        /* of the clock's pins: index in clock_pins, or NO_CLOCK_PIN */
  bool      same_cycle;         /* the reference is data of the launch's own cycle: a setup
                                   multicycle of n moves n periods */
  int       edges;              /* mask of data edges that are checked at all */
  bool      unchecked;          /* a latch whose check is disabled: what arrives goes on all the
                                   same */
} Candidate;

/* Fills in the capture: the index-th tag of a slot, its arrival with an edge; of an ideal clock its
   latency. */
void rows_capture(const Rows *r, Candidate *k, Slot slot, uint32_t index, int edge);
/* Rows of a candidate for every data tag at its slot. */
void rows_each_data_tag(Rows *r, Candidate k);

/* Of the checks [0, count), those between data pins, and what set_data_check says
   (data_checks.c). */
void add_data_check_rows(Rows *r, CheckId count);
void index_data_references(Graph *g);

#endif
