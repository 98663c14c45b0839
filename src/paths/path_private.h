/* Shared by the parts of the path search. Private to src/paths. */
#ifndef SL_PATHS_PATH_PRIVATE_H
#define SL_PATHS_PATH_PRIVATE_H

#include "base/hash.h"
#include "math/deviation.h"
#include "paths/path.h"
#include "paths/path_fanin.h"

/* --- fan-in: what brings an edge to a node (path_fanin.h, path_fanin.c) ----------------------- */
/* Prefetches what path_fanins will read at a point. Call it with steps 0 to FANIN_EXPECTATIONS - 1;
   each step needs what the previous one brought. */
enum { FANIN_EXPECTATIONS = 4 };
void path_fanins_expect(const Timing *t, Slot slot, int step);
/* Returns the path end of a latch's data pin for a path that starts there and takes the given arc;
   NO_PATH_END if none. */
PathEndId path_latch_end(const Timing *t, const PathPoint *data, ArcId arc, ClockEdge clock);

/* Returns the link that brings the worst arrival to a generated clock's node at its source. NO_LINK
   if the clock starts by itself. */
#define NO_LINK UINT32_MAX
uint32_t path_clock_link(const Timing *t, const PathPoint *at, int early_late);

/* --- region: slots that paths through given slots can pass (path_region.c) -------------------- */
typedef ARRAY(Slot) SlotList;
/* Appends the fan-in of the slots `passed` and the fan-out of the slots `last`, in ascending
   order. */
void path_region(const Graph *g, const SlotList *passed, const SlotList *last, SlotList *out);

/* --- scope: which states count, and their arrivals (path_scope.c) ----------------------------- */
typedef struct {
  Slot    slot;
  NodeId  node;
  uint8_t edge, layer;      /* layer: number of points passed */
  uint32_t capture;         /* capturing leaf of the path end, whose credit is subtracted from
                               arrivals; 0 if none */
} PathState;

typedef struct PathScope PathScope;
enum { MOST_LAYERS = 32 };

PathScope *path_scope_new(const Timing *t, const PathQuery *query);
void       path_scope_free(PathScope *scope);
int        path_scope_early_late(const PathScope *scope);
uint32_t path_scope_final(const PathScope *scope); /* layer of paths that have passed all
                                                               points */
/* Returns the worst arrival for the state's capture, with the credit subtracted; absent if there is
   no such path. */
float      path_scope_arrival(const PathScope *scope, PathState at);
/* Returns the credit of a launching leaf with a state's capture. */
float      path_scope_credit(const PathScope *scope, uint32_t leaf, PathState at);
/* Returns the state of a path end's data at the endpoint. */
PathState  path_scope_end(const PathScope *scope, PathEndId end, int edge);
/* Does a path end count for an edge of its data? path_scope_free_end: does an unconstrained end
   count? */
bool       path_scope_path_end(const PathScope *scope, PathEndId end, int edge);
bool       path_scope_free_end(const PathScope *scope, Slot slot, NodeId node, int edge);

/* A link into a state, with the layer before it, the arrival that it brings, and its loss against
   the state's arrival. */
typedef struct {
  Fanin  in;
  uint8_t layer;
  float  arrival;
  double loss;
} PathChoice;
typedef ARRAY(PathChoice) PathChoices;
/* Returns the required time of data at a latch. The credit of a capturing leaf, that of the opening
   or of the closing edge, is already subtracted from the arrival. Data that borrows is just in
   time. */
float path_latch_required(const Timing *t, const PathEnd *end, int edge, uint32_t capture,
                          float arrival);
/* Lists the links into a state. Of parallel links between the same states only the worst counts.
   fanins is scratch memory. */
void path_choices(const PathScope *scope, PathState at, FaninList *fanins, PathChoices *list);
/* Moves the first choice with the least loss to the front and sets its loss to 0. Returns NULL if
   there is none. */
const PathChoice *path_best_choice(PathChoices *list);
/* path_fanins_expect for a state. */
void path_scope_expect(const PathScope *scope, PathState at, int step);
/* Returns the index of a state, ignoring its capture; it is below path_scope_state_count. */
uint32_t path_scope_state_index(const PathScope *scope, PathState at);
uint32_t path_scope_state_count(const PathScope *scope);
/* Slots with states are listed in ascending order, and indices ascend by slot, node, edge and
   layer. path_scope_first_state returns the index of the first state at slot number i; for i =
   count it returns the number of all states. */
uint32_t path_scope_slots(const PathScope *scope);
Slot     path_scope_slot(const PathScope *scope, uint32_t i);
uint32_t path_scope_first_state(const PathScope *scope, uint32_t i);
/* The slots where paths of the query may end, ascending: those that -to names, if it names no
   clock, else all. Those without states have no arrivals. */
uint32_t path_scope_ends(const PathScope *scope);
Slot     path_scope_end_slot(const PathScope *scope, uint32_t i);
uint32_t path_scope_layers(const PathScope *scope);
bool     path_scope_limited(const PathScope *scope);
const Graph *path_scope_graph(const PathScope *scope);

/* Makes a point of a path from a state; the loss so far is subtracted from its arrival. */
typedef struct {
  double lost;
  bool   launch;            /* the path starts at the state, with an arrival of its own */
  float  start;
  double credit;            /* credit of the path's launch, which the arrivals of states do not
                               include */
} PathLeaving;
PathPoint path_point(const PathScope *scope, PathPoint p, PathState at, const PathLeaving *by);

typedef struct {
  PathState end;
  PathEndId end_id;
  double    slack;          /* the order; for unconstrained ends it is -arrival or arrival */
  double    play;           /* play of a latch's data (math/deviation.h) */
} PathRoot;

/* --- the forest of best paths (path_forest.c, math/deviation.h) ------------------------------- */
/* The link of the graph from which a link of the forest was made. */
typedef struct {
  uint32_t link;            /* for a link that begins a path: index in starts */
  uint8_t  kind;            /* LinkKind */
} ForestHow;

/* The links of all states. Those of one state follow each other, the best first. */
typedef struct {
  ARRAY(ForestLink) links;
  ARRAY(ForestHow) how;             /* by link */
  ARRAY(Fanin) starts;
} ForestWays;

/* Does a choice begin paths? If not, path_choice_from returns the state that it comes from, with
   the capture of the state that it leads into. */
static inline bool path_choice_starts(const PathChoice *choice)
{
  return choice->in.slot == NO_SLOT || choice->in.launch;
}
static inline PathState path_choice_from(const PathChoice *choice, PathState to)
{
  return (PathState){ choice->in.slot, choice->in.node, choice->in.edge, choice->layer,
                      to.capture };
}
/* from is the number of that state, or FOREST_START. */
void path_ways_add(ForestWays *ways, const PathChoice *choice, uint32_t from);
void path_ways_free(ForestWays *ways);

/* Where the best path to a state begins. */
typedef struct {
  uint32_t begin;           /* the first state of that path: the last one that is met when the best
                               links are followed back */
  uint32_t points;          /* number of points of that path, both ends included; 0 if not known
                               yet */
} ForestReach;

/* The states of one capture, by index. Paths to an endpoint meet only these states, so they are
   stored together. */
typedef struct {
  struct CaptureCell *cells;        /* [room], a power of two */
  uint32_t room, count;
} CaptureStates;

/* The forest grows on demand: the links of a state are computed when a path first reaches it. */
typedef struct {
  const PathScope *scope;
  int threads;
  bool whole;                       /* every state has its links, and its number is its index in
                                       the scope */
  ARRAY(ForestState) states;
  ARRAY(PathState) at;              /* by state */
  ARRAY(uint32_t) scope_index;      /* by state: its index in the scope */
  ARRAY(ForestReach) reach;         /* by state, if it has its links */
  ForestWays ways;
  uint32_t *state_of;               /* by scope_index: state + 1 for states without a capture; 0
                                       if none */
  Map      *capture_of;             /* capture -> index in captures */
  ARRAY(CaptureStates) captures;
  uint32_t  last_capture, last_index;    /* the last look-up; 0 if none */
} PathForest;

PathForest *path_forest_new(const PathScope *scope, int threads);
PathForest *path_forest_whole(const PathScope *scope, int threads);
void        path_forest_free(PathForest *forest);
uint32_t    path_forest_state(PathForest *forest, PathState at);
/* Computes the links along the best paths to some states. Returns FAILED if interrupted; the forest
   must then not be used. */
Status      path_forest_grow(PathForest *forest, const uint32_t *states, uint32_t count);
static inline ForestView path_forest_view(const PathForest *forest)
{
  return (ForestView){ forest->states.at, forest->ways.links.at, forest->scope_index.at, NULL };
}

/* --- the k best (path_rounds.c) --------------------------------------------------------------- */
typedef struct {
  const PathRoot *roots;
  const uint32_t *root_end;         /* [count]: the end of each root */
  uint32_t count, ends;
  uint32_t most, worst;             /* number of paths in all, and for each end */
  uint32_t deviations;              /* largest number of deviations in a path */
  double   least, greatest;         /* limits of slack: first the worst paths of each end are taken,
                                       then those within the limits, then the `most` worst */
  size_t   memory;                  /* bytes that may be used */
  const double *plays;              /* [count]: play of the roots; NULL if all are 0 */
} PathPlan;

typedef struct {
  ARRAY(Deviation) all;             /* the paths found and their parents */
  ARRAY(uint32_t) order;            /* the paths of the result, best first */
} PathTree;

/* Returns FAILED if interrupted, or if memory is too small; then effort->fit is set. */
Status path_rounds(PathForest *forest, const PathPlan *plan, PathEffort *effort, PathTree *out);
void   path_tree_free(PathTree *tree);

/* --- latches whose edges have credits of their own (path_latch.c) ----------------------------- */
/* Splits a root of a latch whose edges have different credits. *late receives the root of the late
   paths, ordered by the closing edge. *root becomes the root of all paths, ordered by the opening
   edge, with late paths as if they were just in time. Returns false if no split is needed. */
bool path_latch_part(const Timing *t, const PathScope *scope, PathRoot *root, PathRoot *late);
typedef struct {
  PathList  list;
  uint32_t *end;                    /* [paths]: the end of each path in the plan */
} PathFound;
/* Appends the paths of a plan from the lists of late paths and of all paths. The second may repeat
   paths of the first. */
void path_latch_merge(const PathFound *late, const PathFound *all, const PathPlan *plan,
                      PathList *out);
/* Are two paths equal? With `edges` they must have the same points, edges and path end; without,
   the same pins. */
bool path_latch_same(const PathList *list, const Path *p, const PathList *paths, const Path *q,
                     bool edges);

/* --- search on a device, and the cache for later queries (path_device.c) ---------------------- */
typedef struct PathCache PathCache;
/* Returns the forest for queries without restrictions and without common path credit. */
PathForest *path_cached_forest(const Timing *t, int side);

typedef struct {
  PathTree   *tree;
  PathEffort *effort;
  PathForest *forest;               /* the forest that the tree refers to */
  bool        owned;                /* the caller frees the forest */
} PathAnswer;
bool path_device_wanted(const Timing *t, const PathPlan *plan);
/* Returns false if the device failed. The log has a message, and the CPU must search. */
bool path_device_search(const Timing *t, const PathScope *scope, const PathPlan *plan,
                        PathAnswer *answer, Log *log);

/* --- from records to points (path_trace.c) ---------------------------------------------------- */
/* Appends the points of the paths [from, to) of the order to out->points, each from its start to
   its end. counts[to - from] receives their numbers. For brief see PathQuery. Returns FAILED if
   interrupted, or if memory is too small. In the second case *fit receives an estimate of how many
   paths would fit. */
typedef struct {
  const PathTree *tree;
  uint32_t from, to;
  bool     brief;
  size_t   memory;                  /* bytes that may be used */
} TraceWish;
Status path_trace(PathForest *forest, const TraceWish *wish, uint32_t *counts, PathList *out,
                  uint64_t *fit);

/* --- search for unique paths at one end point (path_search.c) --------------------------------- */
typedef struct PathSearch PathSearch;
/* The roots of one endpoint, and the largest number of paths to take. */
typedef struct {
  const PathRoot *roots;
  uint32_t count, most;
  double   greatest;                /* largest slack */
} PathSearchPlan;
PathSearch *path_search_new(PathScope *scope, const PathSearchPlan *plan);
void        path_search_free(PathSearch *search);
/* Searches for the next path and returns its slack, or INFINITY if there is none. */
double      path_search_peek(PathSearch *search);
/* Appends the points of the next path. *root receives the index of its root. */
void        path_search_take(PathSearch *search, PathList *out, uint32_t *root);

/* --- the worst path of a root, without a search (path_walk.c) --------------------------------- */
void path_walk(const PathScope *scope, const PathRoot *root, PathList *out);

enum { PATH_WALKS = 16 };
typedef struct {
  PathState  at;
  PathPoints back;                  /* points, beginning at the end */
  bool       ended;
} PathWalk;
/* Memory for simultaneous walks. All bytes are zero at first. */
typedef struct {
  PathWalk    walks[PATH_WALKS];
  FaninList   fanins;
  PathChoices choices;
} PathWalks;
/* Walks from count <= PATH_WALKS roots; walks[i] is that of root number i. */
void path_walk_together(const PathScope *scope, const PathRoot *roots, uint32_t count,
                        PathWalks *room);
/* Appends the points of a walk, from the start to the end. */
void path_walk_points(const PathWalk *walk, PathList *out);
void path_walks_free(PathWalks *room);

#endif
