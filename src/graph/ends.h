/* The state shared by the files that make path ends. Private to src/graph. */
#ifndef SL_GRAPH_ENDS_H
#define SL_GRAPH_ENDS_H

#include "graph/build.h"
#include "graph/clocks/clocks.h"
#include "graph/gating.h"

typedef struct {
  Graph *g;
  const ExceptionIndex *index;
  Map *details;                 /* hash of a PathEndDetail -> index */
  Map *distances;               /* pair of clock edges -> index in distance */
  ARRAY(EdgeDistance) distance;
  Log *log;
  Map *warned;                  /* pairs of clocks whose periods have no common multiple */
  GatingGiven *gating;
  uint8_t *captured;            /* by slot: data edges with a path end, early ones in bits 0 and 1,
                                   late ones in bits 2 and 3 */
} EndMaker;

/* A candidate for a path end: a data node and a capturing clock edge at an endpoint. */
typedef struct {
  Slot      slot;
  NodeId    data;
  TagId     data_tag;
  CheckId   check;
  NodeId    capture;            /* NO_NODE_ID */
  ClockEdge capture_clock;
  uint32_t  only_clock;         /* 1 + the only clock that captures; 0 if all do */
  int       capture_edge;
  PathEndType   type;
  float     external[2];        /* added on the late side, subtracted on the early side, by data
                                   edge */
  float     latency;            /* latency of an ideal capture */
  float     shift;              /* clock_capture_shift of the capturing clock */
  bool      at_source;          /* capture is where a generated clock starts, not the check's clock
                                   pin */
  uint32_t  uncertainty;        /* the pin that gives the uncertainty: index in clock_pins, or
                                   NO_CLOCK_PIN */
  bool      same_cycle;         /* the reference is data of the launching cycle: a setup multicycle
                                   of n moves by n periods */
  int       edges;              /* mask of the data edges that are checked */
  bool      unchecked;          /* a latch whose check is disabled; its data still goes on. Its
                                   PathEnd.edges is 0 */
} Candidate;

/* Fills in the capture: the tag number `index` of a slot, its arrival with an edge, and the latency
   of an ideal clock. */
void ends_capture(const EndMaker *maker, Candidate *candidate, Slot slot, uint32_t index, int edge);
/* Adds the path ends of a candidate for each data tag at its slot. */
void ends_each_data_tag(EndMaker *maker, Candidate k);

/* Adds the path ends of library checks between data pins, among the checks [0, count), and those of
   set_data_check (data_checks.c). */
void add_data_check_ends(EndMaker *maker, CheckId count);
void index_data_references(Graph *g);

#endif
