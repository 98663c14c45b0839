/* The index of all exceptions by pin, shared by the files exception*.c. */
#ifndef SL_GRAPH_EXCEPTIONS_EXCEPTIONS_PRIVATE_H
#define SL_GRAPH_EXCEPTIONS_EXCEPTIONS_PRIVATE_H

#include "graph/exceptions/exceptions.h"

/* Finds the exceptions that mention an object in -from or -to: a chain of mentions by (type,
   id). */
typedef struct {
  uint32_t exception, next;
  uint8_t  edges;
} Mention;

typedef struct {
  Map *first;                       /* hash_pair(type, id) -> index in mentions */
  ARRAY(Mention) mentions;
} Mentions;

/* A through point and its slot. */
typedef struct {
  Slot slot;
  ThroughPoint point;
} SlotPoint;
typedef ARRAY(SlotPoint) SlotPoints;

/* Progress that can arrive at a slot but cannot be completed from there on. It is dropped there. */
typedef struct {
  Slot     slot;
  Progress item;
} Drop;
typedef ARRAY(Drop) Drops;

/* What happens to progress at a slot. Slots share equal acts. */
typedef struct {
  uint32_t first_point, points, first_drop, drops;
  uint8_t  ends;                    /* edges whose data paths are false from here on */
} Act;

/* The pairs of an exception and a slot (or pin) that were met, and their number for each
   exception. */
typedef struct {
  Map *seen;
  ARRAY(uint32_t) count;            /* by exception */
} Tally;

typedef struct { uint32_t exception; Slot slot; bool start; } Stop;

struct ExceptionTrace {
  Tally starts, completed;          /* pins where paths start; slots where they have passed -from
                                       and the last -through */
  Tally stopped;                    /* those of these slots where a false path stops data */
  ARRAY(Stop) stops;                /* the entries of `stopped`, one by one */
  Tally met, decided;               /* end slots where it applies to a path; those where it has
                                       priority */
  ARRAY(ExceptionId) beaten_by;     /* by exception: the last one that had priority over it */
};

/* How far paths get through the points of an exception, ignoring clocks and edges
   (exception_live.c). */
typedef struct {
  uint32_t passed;                  /* the largest number of through points passed in order;
                                       UINT32_MAX if no path starts */
  bool     ends;                    /* paths pass all points and reach an end of -to */
} ExceptionReach;
void find_reach(const ExceptionIndex *index, const uint8_t *wanted, ExceptionReach *reach);

struct ExceptionIndex {
  const Graph *g;
  const Constraints *c;
  ExceptionTrace *trace;            /* collects what each exception does; NULL if not wanted */
  Mentions from, to;
  SlotPoints by_exception;          /* through points in the order of exceptions, their indices,
                                       their objects */
  uint32_t *first_point;            /* [exceptions + 1]: into by_exception */
  SlotPoints by_slot;               /* the same points, sorted by slot */
  uint32_t *first_at_slot;          /* [slots + 1]: into by_slot; NULL if there are none */
  uint32_t *act;                    /* [slots]: index in acts; 0 if nothing happens; NULL if all are
                                       0 */
  ARRAY(Act) acts;
  ARRAY(ThroughPoint) points;       /* of acts, by exception and index */
  ARRAY(Progress) drops;            /* of acts, by exception and passed */
  ARRAY(uint8_t) needs_state;       /* by exception: the tag must remember that -from was passed */
  ARRAY(uint32_t) rank;             /* by exception: how specific it is */
  ARRAY(ExceptionId) replaced;      /* by exception: a later exception for the same paths;
                                       NO_EXCEPTION */
  ARRAY(uint32_t) like;             /* by exception: the first one with the same effect on paths
                                       that have passed all points */
  ARRAY(uint32_t) any_end;          /* exceptions that need no state and have no -to; they are
                                       tested at each end */
  ARRAY(uint32_t) clock_from;       /* exceptions with a clock in -from that need a state */
  ARRAY(uint32_t) anywhere;         /* exceptions that ignore clock latency and have no -from */
  uint8_t *cut;                     /* [slots]: CUT_*; NULL if there are none */
  bool end_edges, path_delay, bare;
  bool blocks;                      /* a -from or -to names a hierarchical cell */
};

static inline void trace_beaten(const ExceptionIndex *index, ExceptionId loser, ExceptionId winner)
{
  if (index->trace && loser != winner) index->trace->beaten_by.at[loser] = winner;
}

/* Does an exception count at all? */
static inline bool exception_counts(const ExceptionIndex *index, uint32_t e)
{
  return !index->c->exceptions.at[e].deleted && index->replaced.at[e] == NO_EXCEPTION;
}

/* Does the exception make paths false for all checks, edges and ends? A path that has passed all
   its points need not be continued. */
static inline bool exception_ends_path(const Exception *exception)
{
  return exception->type == EXC_FALSE && !exception->has_to && exception->end_edges == EDGE_BOTH
         && exception->checks == (1 << SETUP | 1 << HOLD);
}

/* With -ignore_clock_latency the state begins at the start of a path, with or without a -from. */
static inline bool exception_is_bare(const Exception *exception)
{
  return exception->ignore_clock_latency
         && (exception->type == EXC_MAX_DELAY || exception->type == EXC_MIN_DELAY);
}
static inline bool exception_has_start(const Exception *exception)
{
  return exception->has_from || exception_is_bare(exception);
}

bool exception_only_clocks(const ExceptionPoint *point);

/* Returns the through points at a slot, sorted by exception and index. */
const SlotPoint *exception_points_at(const ExceptionIndex *index, Slot slot, uint32_t *count);

void index_through_points(ExceptionIndex *index);     /* exception_points.c: by_exception,
                                                          by_slot */
void index_acts(ExceptionIndex *index, Drops *drops); /* exception_points.c: act, acts; sorts the
                                                          drops */
void index_cuts(ExceptionIndex *index);                     /* exception_cut.c */
void find_drops(const ExceptionIndex *index, Drops *drops);/* exception_live.c */

#endif
