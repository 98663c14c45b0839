/* Exceptions compiled for look-up by pin: which points a path passes, where it may start and
   end. */
#ifndef SL_GRAPH_EXCEPTIONS_EXCEPTIONS_H
#define SL_GRAPH_EXCEPTIONS_EXCEPTIONS_H

#include "graph/graph.h"

/* Exception e's through point number `index` is passed at a pin by the edges in the mask; wire: it
   is a net or a hierarchical pin before it, so that what begins at the pin itself does not pass. */
typedef struct {
  uint32_t exception, index;
  uint8_t  edges;
  bool     wire;
} ThroughPoint;

typedef struct ExceptionIndex ExceptionIndex;

/* trace: collects what each exception does, for reports on them; NULL. */
typedef struct ExceptionTrace ExceptionTrace;
ExceptionIndex *exception_index_new(const Graph *g, ExceptionTrace *trace);
bool            exception_is_traced(const ExceptionIndex *x);
void            exception_index_free(ExceptionIndex *x);

/* Calls visit for the slots of each pin that an object of -from or -to names (none for clocks): of
   a hierarchical cell those of all cells inside, of a hierarchical pin those of the pins behind
   it. */
void exception_end_slots(const Graph *g, Object o, void (*visit)(void *data, Slot slot),
                         void *data);

/* What happens to progress at a slot: slots with one id do the same to it. */
typedef uint32_t ActId;
#define NO_ACT 0u
ActId exception_act(const ExceptionIndex *x, Slot slot);
/* Are data paths false from here on, for an edge? */
bool  exception_ends_here(const ExceptionIndex *x, Slot slot, int edge);

/* Where a path starts, launched by a clock edge: a register's clock pin, or a slot with an arrival
   of its own (an input port, a clock's source). Data that a latch lends time to starts at two
   points: the gate, which opens, and the data pin. */
enum { MOST_STARTS = 2 };
typedef struct {
  Slot      slot[MOST_STARTS];
  uint8_t   edge[MOST_STARTS];
  uint32_t  count;
  bool      here;                 /* the arrival is the slot's own; else the path goes on at what
                                     the pins launch */
  bool      is_clock;             /* it is a clock that begins there: its paths as data start with
                                     it */
  ClockEdge clock;
} PathStart;

/* Progress of a path from its start on, whose points it passes: what its tag must carry. */
StateId exception_start(const ExceptionIndex *x, TagTable *tags, const PathStart *start);
/* True when no exception names the pin or its cell in -from; starts then differ by what happens to
   progress there alone. */
bool exception_start_is_plain(const ExceptionIndex *x, Slot slot);

/* Progress after a slot is reached with an edge, by data or by a clock. */
typedef struct {
  Slot    slot;
  uint8_t edge;
  bool    is_clock;
  bool    start;                     /* the path starts there */
} PassedSlot;
StateId exception_pass(const ExceptionIndex *x, TagTable *tags, StateId state, PassedSlot at);

/* set_max_delay and set_min_delay with -ignore_clock_latency look at paths without the latency of
   their clock: bare ones. */
bool exception_has_bare(const ExceptionIndex *x);
/* May a state still meet one of them? */
bool exception_state_is_bare(const ExceptionIndex *x, const TagTable *tags, StateId state);

/* Pins inside paths where a set_max_delay or set_min_delay starts or ends: paths start or end
   there, and none passes from before to after, unless -probe was given. */
enum { CUT_START = 1, CUT_END = 2, CUT_BEFORE = 4, CUT_AFTER = 8 };
int exception_cut(const ExceptionIndex *x, Slot slot);

/* Slots from which a launch without a clock may come to a set_max_delay or set_min_delay, as bytes;
   NULL: there are none. The caller's. */
uint8_t *exception_delay_starts(const ExceptionIndex *x);

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
} ExceptionEnd;

PathExceptions exception_at_end(const ExceptionIndex *x, const TagTable *tags, const ExceptionEnd *end);
/* Could any exception tell ends at this pin, or these clocks, by the end's edge? */
bool exception_end_edges_matter(const ExceptionIndex *x);
/* Is there a max/min delay that may end at this pin (which then needs no clock)? */
bool exception_has_path_delay(const ExceptionIndex *x);

#endif
