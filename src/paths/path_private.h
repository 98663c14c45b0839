/* Between the parts of the path search; private to src/paths. */
#ifndef SL_PATHS_PATH_PRIVATE_H
#define SL_PATHS_PATH_PRIVATE_H

#include "base/hash.h"
#include "math/deviation.h"
#include "paths/path.h"

/* --- fan-in: what brings an edge to a node (path_fanin.c) ------------------------------------- */
typedef struct {
  Slot     slot;            /* where it comes from; NO_SLOT: the path starts here (a seed) */
  NodeId   node;
  uint32_t link;
  uint8_t  edge, kind;
  bool     launch;          /* from a register's clock pin or a latch's data: the data path starts
                               there */
  float    start;           /* with which a launch starts, relative to the launching edge of the
                               node it reaches */
  float    delay;           /* derated; of a seed its arrival */
  uint32_t leaf;            /* of a launch or a seed: the clock pin, for common path credit */
} Fanin;
typedef ARRAY(Fanin) FaninList;

/* Appends the links into an edge of a node, in a fixed order. */
void path_fanins(const Timing *t, PathPoint at, int early_late, FaninList *list);
/* Asks memory for what path_fanins reads of a point: in steps below FANIN_EXPECTATIONS, each of
   which leans on what the one before brought. */
enum { FANIN_EXPECTATIONS = 4 };
void path_fanins_expect(const Timing *t, Slot slot, int step);
/* The row of a latch's data through which a path starts there, by the arc that it takes; NO_ROW. */
PathEndId path_latch_row(const Timing *t, const PathPoint *data, ArcId arc, ClockEdge clock);

/* The link that brings the worst arrival to a generated clock's node where it starts; NO_LINK: it
   starts by itself. */
#define NO_LINK UINT32_MAX
uint32_t path_clock_link(const Timing *t, const PathPoint *at, int early_late);

/* Do data paths start where the arc does: at a register's clock pin? */
static inline bool path_arc_launches(const Graph *g, ArcId a)
{
  ArcType type = (ArcType)g->libs->arcs.at[g->arcs.lib[a]].type;
  return type == ARC_CLOCK_RISE || type == ARC_CLOCK_FALL || type == ARC_LATCH_ENABLE;
}

/* --- region: where paths through some slots can be (path_region.c) ---------------------------- */
typedef ARRAY(Slot) SlotList;
/* Appends the fan-in of the slots that are passed and the fan-out of the last of them,
   ascending. */
void path_region(const Graph *g, const SlotList *passed, const SlotList *last, SlotList *out);

/* --- scope: which states count, and their arrivals (path_scope.c) ----------------------------- */
typedef struct {
  Slot    slot;
  NodeId  node;
  uint8_t edge, layer;      /* layer: points passed */
  uint32_t capture;         /* leaf of the end's capture: arrivals are less their credit with it; 0:
                               none */
} PathState;

typedef struct PathScope PathScope;
enum { MOST_LAYERS = 32 };

PathScope *path_scope_new(const Timing *t, const PathQuery *q);
void       path_scope_free(PathScope *s);
int        path_scope_early_late(const PathScope *s);
uint32_t   path_scope_final(const PathScope *s);            /* the layer of complete paths */
/* The worst arrival for the state's capture, credit taken off; absent: no such path. */
float      path_scope_arrival(const PathScope *s, PathState at);
/* Credit of a launch with a state's capture. */
float      path_scope_credit(const PathScope *s, uint32_t leaf, PathState at);
/* The state of an end's data at its end. */
PathState  path_scope_end(const PathScope *s, PathEndId end, int edge);
/* Does an end, or an end without one, count for an edge of its data? */
bool       path_scope_row(const PathScope *s, PathEndId end, int edge);
bool       path_scope_free_end(const PathScope *s, Slot slot, NodeId node, int edge);

/* A way into a state: the link, the layer before it, the arrival that it brings and what it loses
   against the state's own. */
typedef struct {
  Fanin  in;
  uint8_t layer;
  float  arrival;
  double loss;
} PathChoice;
typedef ARRAY(PathChoice) PathChoices;
/* Required time of data that arrives at a latch at a time that has the credit of a capturing leaf,
   the opening edge's or the closing one's: what borrows is just in time. */
float path_latch_required(const Timing *t, const PathEnd *end, int edge, uint32_t capture,
                          float arrival);
/* Of parallel links between the same states only the worst counts.  fanins: room to work in. */
void path_choices(const PathScope *s, PathState at, FaninList *fanins, PathChoices *list);
/* The first that loses least comes before the others, and loses nothing; NULL: there is none. */
const PathChoice *path_best_choice(PathChoices *list);
/* path_fanins_expect of a state. */
void path_scope_expect(const PathScope *s, PathState at, int step);
/* States but for their capture, numbered: below path_scope_places. */
uint32_t path_scope_place(const PathScope *s, PathState at);
uint32_t path_scope_places(const PathScope *s);
/* Slots with states ascend, and places by slot, node, edge, layer; the place of the first state at
   the i-th of them, of i = count all places. */
uint32_t path_scope_slots(const PathScope *s);
Slot     path_scope_slot(const PathScope *s, uint32_t i);
uint32_t path_scope_first_place(const PathScope *s, uint32_t i);
uint32_t path_scope_layers(const PathScope *s);
bool     path_scope_limited(const PathScope *s);
const Graph *path_scope_graph(const PathScope *s);

/* A state as a point of a path: its arrival less what was lost on the way to it. */
typedef struct {
  double lost;
  bool   launch;            /* the path starts at the state with an arrival of its own */
  float  start;
  double credit;            /* of the path's launch, which states' arrivals are without */
} PathLeaving;
PathPoint path_point(const PathScope *s, PathPoint p, PathState at, const PathLeaving *by);

typedef struct {
  PathState end;
  PathEndId     row;
  double    slack;          /* the order: unconstrained ends have -arrival or arrival here */
  double    play;           /* of a latch's data: math/deviation.h */
} PathRoot;

/* --- the forest of best ways (path_forest.c): math/deviation.h -------------------------------- */
/* What a link is, beside the forest's view of it. */
typedef struct {
  uint32_t link;            /* of one that begins a path: index in starts */
  uint8_t  kind;            /* LinkKind */
} ForestHow;

/* The links of states, those of one state side by side and the best first. */
typedef struct {
  ARRAY(ForestLink) links;
  ARRAY(ForestHow) how;             /* by link */
  ARRAY(Fanin) starts;
} ForestWays;

/* Does a choice begin its paths?  If not, from which state it comes: with the capture of the one
   that it leads into. */
static inline bool path_choice_starts(const PathChoice *c)
{
  return c->in.slot == NO_SLOT || c->in.launch;
}
static inline PathState path_choice_from(const PathChoice *c, PathState to)
{
  return (PathState){ c->in.slot, c->in.node, c->in.edge, c->layer, to.capture };
}
/* from: that state's number; FOREST_START. */
void path_ways_add(ForestWays *w, const PathChoice *c, uint32_t from);
void path_ways_free(ForestWays *w);

/* Where the best way back from a state comes to an end. */
typedef struct {
  uint32_t begin;           /* the last state */
  uint32_t points;          /* of a path along it, with this state's and the start's; 0: not known
                               yet */
} ForestReach;

/* The states of one capture, by place: paths to an end point meet only these, so that they lie near
   each other. */
typedef struct {
  struct CaptureCell *cells;        /* [room], a power of two */
  uint32_t room, count;
} CaptureStates;

/* Grows where it is asked to: a state's links are worked out once, when a path first comes
   there. */
typedef struct {
  const PathScope *scope;
  int threads;
  bool whole;                       /* every state has grown, and its number is its place */
  ARRAY(ForestState) states;
  ARRAY(PathState) at;              /* by state */
  ARRAY(uint32_t) place;            /* by state */
  ARRAY(ForestReach) reach;         /* by state; of those that have grown */
  ForestWays ways;
  uint32_t *state_of;               /* [places]: state + 1, 0: none; of states without a capture */
  Map      *capture_of;             /* capture -> index in captures */
  ARRAY(CaptureStates) captures;
  uint32_t  last_capture, last_index;    /* looked up last; 0: none */
} PathForest;

PathForest *path_forest_new(const PathScope *scope, int threads);
PathForest *path_forest_whole(const PathScope *scope, int threads);
void        path_forest_free(PathForest *f);
uint32_t    path_forest_state(PathForest *f, PathState at);
/* The best ways back from some states can be walked from now on.  FAILED: interrupted, nothing more
   may be asked of the forest. */
Status      path_forest_grow(PathForest *f, const uint32_t *states, uint32_t count);
static inline ForestView path_forest_view(const PathForest *f)
{
  return (ForestView){ f->states.at, f->ways.links.at, f->place.at, NULL };
}

/* --- the k best (path_rounds.c) --------------------------------------------------------------- */
typedef struct {
  const PathRoot *roots;
  const uint32_t *root_end;         /* [count]: to which end each root belongs */
  uint32_t count, ends;
  uint32_t most, worst;             /* paths in all, and of each end */
  uint32_t deviations;              /* at most so many in a path */
  double   least, greatest;         /* slacks between which paths count: the worst of each end, of
                                       them those, of these the most */
  size_t   memory;                  /* bytes that may be used */
  const double *plays;              /* [count], of the roots; NULL: none has any */
} PathPlan;

typedef struct {
  ARRAY(Deviation) all;             /* the paths found and their parents */
  ARRAY(uint32_t) order;            /* of them the paths asked for, best first */
} PathTree;

/* FAILED: interrupted; or it would not fit into memory, which the effort says. */
Status path_rounds(PathForest *f, const PathPlan *plan, PathEffort *effort, PathTree *out);
void   path_tree_free(PathTree *t);

/* --- latches whose edges have credits of their own (path_latch.c) ----------------------------- */
/* Where a root is that of late paths alone, in the order of the closing edge: it goes to *late, and
   the root of all paths, in the order of the opening edge and late ones as if they were just in
   time, comes into its place. */
bool path_latch_part(const Timing *t, const PathScope *s, PathRoot *root, PathRoot *late);
typedef struct {
  PathList  list;
  uint32_t *end;                    /* [paths]: to which end of the plan each belongs */
} PathFound;
/* Appends the paths that a plan asks for, of those that are late and of all: these may have the
   late ones once more. */
void path_latch_merge(const PathFound *late, const PathFound *all, const PathPlan *plan,
                      PathList *out);
/* The same path to a row; of pins alone: without edges, whatever the row. */
bool path_latch_same(const PathList *l, const Path *p, const PathList *m, const Path *q,
                     bool edges);

/* --- on a device, and what is kept for later queries (path_device.c) -------------------------- */
typedef struct PathCache PathCache;
/* Of paths that nothing restricts, without common path credit. */
PathForest *path_cached_forest(const Timing *t, int side);

typedef struct {
  PathTree   *tree;
  PathEffort *effort;
  PathForest *forest;               /* that the tree refers to */
  bool        owned;                /* by who asked */
} PathAnswer;
bool path_device_wanted(const Timing *t, const PathPlan *plan);
/* False: the device failed, the log was told, and the CPU must search. */
bool path_device_search(const Timing *t, const PathScope *scope, const PathPlan *plan,
                        PathAnswer *a, Log *log);

/* --- records to points (path_trace.c) --------------------------------------------------------- */
/* Appends the points of paths [from, to) of the order, each from its start to its end, to
   out->points; counts: [to - from]. brief: see PathQuery.  FAILED: points would not fit, and *fit
   paths would. */
typedef struct {
  const PathTree *tree;
  uint32_t from, to;
  bool     brief;
  size_t   memory;                  /* bytes that may be used */
} TraceWish;
Status path_trace(PathForest *f, const TraceWish *wish, uint32_t *counts, PathList *out,
                  uint64_t *fit);

/* --- search for unique paths at one end point (path_search.c) --------------------------------- */
typedef struct PathSearch PathSearch;
/* Roots of one end point; at most `most` paths will be asked for. */
typedef struct {
  const PathRoot *roots;
  uint32_t count, most;
  double   greatest;                /* slack */
} PathSearchPlan;
PathSearch *path_search_new(PathScope *scope, const PathSearchPlan *plan);
void        path_search_free(PathSearch *s);
/* Slack of the next path; INFINITY when there is none.  Works until it knows. */
double      path_search_peek(PathSearch *s);
/* Appends the next path's points; its root's index in *root and its slack. */
void        path_search_take(PathSearch *s, PathList *out, uint32_t *root);

/* --- the worst path of a root without a search (path_walk.c) ---------------------------------- */
void path_walk(const PathScope *scope, const PathRoot *root, PathList *out);

enum { PATH_WALKS = 16 };
typedef struct {
  PathState  at;
  PathPoints back;                  /* from the end on */
  bool       ended;
} PathWalk;
/* Room for walks side by side; all zero at first. */
typedef struct {
  PathWalk    walks[PATH_WALKS];
  FaninList   fanins;
  PathChoices choices;
} PathWalks;
/* count <= PATH_WALKS roots: walks[i] of the i-th. */
void path_walk_together(const PathScope *scope, const PathRoot *roots, uint32_t count,
                        PathWalks *room);
/* Appends a walk's points from the start to the end. */
void path_walk_points(const PathWalk *w, PathList *out);
void path_walks_free(PathWalks *room);

#endif
