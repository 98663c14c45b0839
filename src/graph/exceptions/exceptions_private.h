/* What the files of exceptions*.c share: the index of all exceptions by pin. */
#ifndef SL_GRAPH_EXCEPTIONS_EXCEPTIONS_PRIVATE_H
#define SL_GRAPH_EXCEPTIONS_EXCEPTIONS_PRIVATE_H

#include "graph/exceptions/exceptions.h"

/* Objects of all -from and -to lists by (type, id): chains of mentions. */
typedef struct {
  uint32_t exception, next;
  uint8_t  edges;
} Mention;

typedef struct {
  Map *first;                       /* hash_pair(type, id) -> index in mentions */
  ARRAY(Mention) mentions;
} Mentions;

/* A through point where it stands. */
typedef struct {
  Slot slot;
  ThroughPoint point;
} SlotPoint;
typedef ARRAY(SlotPoint) SlotPoints;

/* Progress that can arrive at a slot and cannot be completed from there on: it is forgotten. */
typedef struct {
  Slot     slot;
  Progress item;
} Drop;
typedef ARRAY(Drop) Drops;

/* What happens to progress at a slot; slots where the same happens share one. */
typedef struct {
  uint32_t first_point, points, first_drop, drops;
  uint8_t  ends;                    /* edges whose data paths are false from here on */
} Act;

/* Pairs of exception and slot or pin that were met, and how many of each exception. */
typedef struct {
  Map *seen;
  ARRAY(uint32_t) count;            /* by exception */
} Tally;

typedef struct { uint32_t exception; Slot slot; bool start; } Stop;

struct ExceptionTrace {
  Tally starts, completed;          /* pins where paths start; slots where they are complete, behind
                                       -from and the last -through */
  Tally stopped;                    /* of these slots where data is, which a false path lets go no
                                       further */
  ARRAY(Stop) stops;                /* the same one by one */
  Tally met, decided;               /* end slots where it speaks of a path; where it is the one that
                                       counts */
  ARRAY(ExceptionId) beaten_by;     /* by exception: the last one that counted instead */
};

/* How far paths come through an exception, whatever their clocks and edges (exception_live.c). */
typedef struct {
  uint32_t passed;                  /* most through points in a row; UINT32_MAX: no path starts */
  bool     ends;                    /* all of them, and then an end of -to */
} ExceptionReach;
void find_reach(const ExceptionIndex *x, const uint8_t *wanted, ExceptionReach *reach);

struct ExceptionIndex {
  const Graph *g;
  const Constraints *c;
  ExceptionTrace *trace;            /* what each exception does; NULL: not asked for */
  Mentions from, to;
  SlotPoints by_exception;          /* through points in the order of exceptions, their indices,
                                       their objects */
  uint32_t *first_point;            /* [exceptions + 1]: into by_exception */
  SlotPoints by_slot;               /* the same by slot */
  uint32_t *first_at_slot;          /* [slots + 1]: into by_slot; NULL: there are none */
  uint32_t *act;                    /* [slots]: index in acts; 0: nothing happens; NULL: nowhere */
  ARRAY(Act) acts;
  ARRAY(ThroughPoint) points;       /* of acts, by exception and index */
  ARRAY(Progress) drops;            /* of acts, by exception and passed */
  ARRAY(uint8_t) needs_state;       /* by exception: its -from must be remembered in the tag */
  ARRAY(uint32_t) rank;             /* by exception: how specific it is */
  ARRAY(ExceptionId) replaced;      /* by exception: a later one that says something of the same
                                       paths; NO_EXCEPTION */
  ARRAY(uint32_t) like;             /* by exception: the first one that does the same to paths that
                                       have completed it */
  ARRAY(uint32_t) any_end;          /* exceptions that need no state and have no -to: looked at at
                                       each end */
  ARRAY(uint32_t) clock_from;       /* exceptions with a clock in -from that need a state */
  ARRAY(uint32_t) anywhere;         /* exceptions that ignore clock latency and have no -from */
  uint8_t *cut;                     /* [slots]: CUT_*; NULL: none */
  bool end_edges, path_delay, bare;
  bool blocks;                      /* some -from or -to names a hierarchical cell */
};

static inline void trace_beaten(const ExceptionIndex *x, ExceptionId loser, ExceptionId winner)
{
  if (x->trace && loser != winner) x->trace->beaten_by.at[loser] = winner;
}

/* Does an exception count at all? */
static inline bool exception_counts(const ExceptionIndex *x, uint32_t e)
{
  return !x->c->exceptions.at[e].deleted && x->replaced.at[e] == NO_EXCEPTION;
}

/* False for all checks and edges wherever the path ends: once it is complete, the path need not go
   on. */
static inline bool exception_ends_path(const Exception *e)
{
  return e->type == EXC_FALSE && !e->has_to && e->end_edges == EDGE_BOTH
         && e->checks == (1 << SETUP | 1 << HOLD);
}

/* With -ignore_clock_latency paths are followed from their start, whether -from names it or not. */
static inline bool exception_is_bare(const Exception *e)
{
  return e->ignore_clock_latency && (e->type == EXC_MAX_DELAY || e->type == EXC_MIN_DELAY);
}
static inline bool exception_has_start(const Exception *e)
{
  return e->has_from || exception_is_bare(e);
}

bool exception_only_clocks(const ExceptionPoint *p);

/* Through points at a slot, by exception and index. */
const SlotPoint *exception_points_at(const ExceptionIndex *x, Slot slot, uint32_t *count);

void index_through_points(ExceptionIndex *x);          /* exception_points.c: by_exception,
                                                          by_slot */
void index_acts(ExceptionIndex *x, Drops *drops);      /* exception_points.c: act, acts; sorts the
                                                          drops */
void index_cuts(ExceptionIndex *x);                     /* exception_cut.c */
void find_drops(const ExceptionIndex *x, Drops *drops);/* exception_live.c */

#endif
