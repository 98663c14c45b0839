/* Exceptions compiled for look-up by pin: the points that a path passes, and where it may start and
   end. */
#ifndef SL_GRAPH_EXCEPTIONS_EXCEPTIONS_H
#define SL_GRAPH_EXCEPTIONS_EXCEPTIONS_H

#include "graph/graph.h"

/* A path passes through point number `index` of an exception at a pin, with the edges in the mask.
   `wire` means that the point is a net or a hierarchical pin before the pin; a path that begins at
   the pin does not pass such a point. */
typedef struct {
  uint32_t exception, index;
  uint8_t  edges;
  bool     wire;
} ThroughPoint;

typedef struct ExceptionIndex ExceptionIndex;

/* The trace collects what each exception does, for reports. It may be NULL. */
typedef struct ExceptionTrace ExceptionTrace;
ExceptionIndex *exception_index_new(const Graph *g, ExceptionTrace *trace);
bool            exception_is_traced(const ExceptionIndex *index);
void            exception_index_free(ExceptionIndex *index);

/* Calls visit for the slots of each pin that an object of -from or -to names. A hierarchical cell
   stands for all cells inside, and a hierarchical pin for the pins downstream of it. A clock names
   no slots. */
void exception_end_slots(const Graph *g, Object o, void (*visit)(void *data, Slot slot),
                         void *data);

/* An act is what happens to progress at a slot. Slots with the same id have the same act. */
typedef uint32_t ActId;
#define NO_ACT 0u
ActId exception_act(const ExceptionIndex *index, Slot slot);
/* Are data paths with this edge false from here on? */
bool  exception_ends_here(const ExceptionIndex *index, Slot slot, int edge);

/* The start of a path and its launching clock edge. It is a register's clock pin, or a slot with an
   arrival of its own (an input port, a clock's source). Data that borrows time at a latch starts at
   two points: at the gate and at the data pin. */
enum { MOST_STARTS = 2 };
typedef struct {
  Slot      slot[MOST_STARTS];
  uint8_t   edge[MOST_STARTS];
  uint32_t  count;
  bool      here;                 /* the arrival belongs to the slot itself; else the path continues
                                     at the outputs that the pins launch */
  bool      is_clock;             /* a clock begins here: its paths as data start with it */
  ClockEdge clock;
} PathStart;

/* Returns the progress that the tag of a path carries from its start on. The start itself may be a
   through point. */
StateId exception_start(const ExceptionIndex *index, TagTable *tags, const PathStart *start);
/* Returns true if no exception names the pin or its cell in -from. Such starts differ by their act
   alone. */
bool exception_start_is_plain(const ExceptionIndex *index, Slot slot);

/* A slot that data or a clock reaches with an edge. exception_pass returns the progress after
   it. */
typedef struct {
  Slot    slot;
  uint8_t edge;
  bool    is_clock;
  bool    start;                     /* the path starts there */
} PassedSlot;
StateId exception_pass(const ExceptionIndex *index, TagTable *tags, StateId state, PassedSlot at);

/* set_max_delay and set_min_delay with -ignore_clock_latency apply to bare paths: paths that start
   without the latency of their clock. Is there such an exception? */
bool exception_has_bare(const ExceptionIndex *index);
/* Can a path with this state still complete such an exception? */
bool exception_state_is_bare(const ExceptionIndex *index, const TagTable *tags, StateId state);

/* set_max_delay and set_min_delay may name pins inside paths. Paths then start or end at such a
   pin, and none passes it, unless -probe was given. */
enum { CUT_START = 1, CUT_END = 2, CUT_BEFORE = 4, CUT_AFTER = 8 };
int exception_cut(const ExceptionIndex *index, Slot slot);

/* Returns a byte per slot, 1 if data that is launched without a clock there can reach a
   set_max_delay or set_min_delay. NULL if there is none. The caller frees it. */
uint8_t *exception_delay_starts(const ExceptionIndex *index);

/* Is a path with this state false whatever its end? The compilation of tags (graph/nodes.c) drops
   such states, so the path search never meets them. */
bool exception_state_is_dead(const ExceptionIndex *index, const TagTable *tags, StateId state);

/* The exceptions that apply to a path at its end: of each type the one with the highest precedence.
   The caller chooses between the types (add_edges in graph/ends.c). */
typedef struct {
  bool        is_false;
  ExceptionId false_path;
  ExceptionId multicycle[2];      /* [HOLD], [SETUP]; NO_EXCEPTION */
  ExceptionId max_delay, min_delay, margin, group;
} PathExceptions;

typedef struct {
  ClockEdge launch, capture;      /* NO_CLOCK_EDGE if none */
  StateId   state;
  PinId     end_pin;
  int       end_edge;
  int       check;                /* SETUP or HOLD */
} ExceptionEnd;

PathExceptions exception_at_end(const ExceptionIndex *index, const TagTable *tags,
                                const ExceptionEnd *end);
/* Does any exception distinguish ends by the edge at the end? */
bool exception_end_edges_matter(const ExceptionIndex *index);
/* Is there a set_max_delay or set_min_delay? Pins where it ends need no clock. */
bool exception_has_path_delay(const ExceptionIndex *index);

#endif
