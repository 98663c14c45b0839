/* Exceptions compiled for look-up by pin: which points a path passes, where it may start and end. */
#ifndef SL_GRAPH_EXCEPTIONS_H
#define SL_GRAPH_EXCEPTIONS_H

#include "graph/graph.h"

/* Exception e's through point number `index` is passed at a pin by the edges in the mask. */
typedef struct {
  uint32_t exception, index;
  uint8_t  edges;
} ThroughPoint;

typedef struct ExceptionIndex ExceptionIndex;

/* trace: collects what each exception does, for reports on them; NULL. */
typedef struct ExceptionTrace ExceptionTrace;
ExceptionIndex *exception_index_new(const Graph *g, ExceptionTrace *trace);
bool            exception_is_traced(const ExceptionIndex *x);
void            exception_index_free(ExceptionIndex *x);

/* What happens to progress at a slot: slots with one id do the same to it. */
typedef uint32_t ActId;
#define NO_ACT 0u
ActId exception_act(const ExceptionIndex *x, Slot slot);
/* Are data paths false from here on, for an edge? */
bool  exception_ends_here(const ExceptionIndex *x, Slot slot, int edge);

/* Progress of a path that starts at a pin (a clock pin, or an input port) launched by a clock edge: what its tag
   must carry.  edge: of the start. */
StateId exception_start(const ExceptionIndex *x, TagTable *tags, PinId pin, ClockEdge clock, int edge);
/* Progress of a clock where it begins, for those of its paths that go on as data. */
StateId exception_start_clock(const ExceptionIndex *x, TagTable *tags, PinId pin, ClockEdge clock);
/* True when starts at the pin cannot differ from those at any other pin for the same clock. */
bool exception_start_is_plain(const ExceptionIndex *x, PinId pin);

/* Progress after a slot is reached with an edge. */
StateId exception_pass(const ExceptionIndex *x, TagTable *tags, StateId state, Slot slot, int edge);

/* set_max_delay and set_min_delay with -ignore_clock_latency look at paths without the latency of their clock: bare ones. */
bool exception_has_bare(const ExceptionIndex *x);
/* May a state still meet one of them? */
bool exception_state_is_bare(const ExceptionIndex *x, const TagTable *tags, StateId state);

/* Pins inside paths where a set_max_delay or set_min_delay starts or ends: paths start or end there, and none passes from
   before to after, unless -probe was given. */
enum { CUT_START = 1, CUT_END = 2, CUT_BEFORE = 4, CUT_AFTER = 8 };
int exception_cut(const ExceptionIndex *x, Slot slot);

/* A path whose state already makes it false whatever its end: it need not go on. */
bool exception_state_is_dead(const ExceptionIndex *x, const TagTable *tags, StateId state);

/* What applies to a path at its end: the exception of highest precedence of each kind. */
typedef struct {
  bool        is_false;
  ExceptionId false_path;
  ExceptionId multicycle[2];      /* [HOLD], [SETUP]; NO_EXCEPTION */
  ExceptionId max_delay, min_delay, margin, group;
} PathExceptions;

typedef struct {
  ClockEdge launch, capture;      /* NO_CLOCK_EDGE: none */
  StateId   state;
  PinId     end_pin;
  int       end_edge;
  int       check;                /* SETUP or HOLD */
} PathEnd;

PathExceptions exception_at_end(const ExceptionIndex *x, const TagTable *tags, const PathEnd *end);
/* Could any exception tell ends at this pin, or these clocks, by the end's edge? */
bool exception_end_edges_matter(const ExceptionIndex *x);
/* Is there a max/min delay that may end at this pin (which then needs no clock)? */
bool exception_has_path_delay(const ExceptionIndex *x);

#endif
