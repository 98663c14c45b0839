/* Timing paths: the worst ones, in exact order of slack.

   A path is an end point's row, an edge of its data, and the chain of nodes from a start point (a
   register's clock pin, an input port, a clock source) to it.  Its arrivals are the engine's less
   what its detours lose: the link that brings the worst arrival loses nothing, any other as much as
   its arrival is better.  So the worst path of a row has the row's slack to the bit, slack never
   improves with a detour, and every path but the worst is a worse one's with one more detour: going
   on from the k worst known ones finds the k worst of all (math/deviation.h).

   -from and -through points are passed in order: states are (node, edge, points passed), with
   arrivals of their own from a forward pass over the cone that can complete.  They take the place
   of the engine's.

   Order: slack, then the end points by their own slack and the netlist's order of pins, then fewer
   detours, then a digest of these: no matter how many paths are asked for, with how many threads.

   Clock networks are not searched: the launching and capturing clock paths are those of the worst
   arrivals. Results refer to slots, nodes and rows of the graph and hold until the next update. */
#ifndef SL_PATHS_PATH_H
#define SL_PATHS_PATH_H

#include "timing/timing.h"

#define NO_ROW UINT32_MAX

/* How a point is reached from the one before it. */
typedef enum { LINK_START, LINK_ARC, LINK_WIRE, LINK_EXTRA_WIRE } LinkKind;

typedef struct {
  Slot     slot;
  NodeId   node;
  uint32_t link;            /* ArcId, index of extra_wires */
  uint8_t  edge, kind;      /* RISE, FALL; LinkKind */
  double   arrival;         /* ps after the launching edge */
} PathPoint;

/* A path group: its kind in the high bits, a clock or a name below; keys ascend in the order of
   reports. */
typedef uint32_t PathGroup;
enum {
  GROUP_PATH_DELAY,
  GROUP_ASYNCHRONOUS,
  GROUP_GATED_CLOCK,
  GROUP_NAMED,
  GROUP_CLOCK,
  GROUP_DEFAULT,
  GROUP_UNCONSTRAINED
};
static inline PathGroup path_group(uint32_t kind, uint32_t id) { return kind << 28 | id; }

typedef struct {
  PathEndId     row;            /* NO_ROW: nothing constrains it */
  PathGroup group;
  uint8_t   early_late;
  double    slack;          /* ps; INFINITY: unconstrained */
  double    arrival;        /* at the end, ps after the launching edge */
  uint32_t  first, count;   /* points, from the start to the end */
  uint32_t  source;         /* for who holds paths of several timings: which one's; 0 from a
                               query */
  uint32_t  retimed;        /* 1 + index in retimed; 0: the graph's numbers */
} Path;

/* Of paths with numbers of their own (paths/retime.h): what the graph says of them, and what their
   points cannot hold. */
typedef struct {
  double graph_slack, graph_arrival;
  float  required;          /* ps after the launching edge, without credit */
  float  variation;         /* timing_end_variation of the path */
} RetimedPath;
typedef struct {
  float  slew, variance;
} RetimedPoint;

typedef struct {
  ARRAY(Path) paths;
  ARRAY(PathPoint) points;
  ARRAY(RetimedPath) retimed;
  ARRAY(RetimedPoint) retimed_points;   /* beside points, as far as paths are re-timed */
} PathList;

typedef struct {
  Object  object;
  uint8_t edges;            /* mask: EDGE_RISE, EDGE_FALL */
} PathObject;
typedef ARRAY(PathObject) PathObjects;

/* How the search went; added to. */
typedef struct {
  uint32_t rounds;
  uint64_t expanded;                     /* paths that were left at their links */
  uint64_t fit;                          /* 0; so many paths would fit into memory, and more were to
                                            be kept */
  double   ends, forest, search, trace;  /* seconds: end points found; states worked out; rounds,
                                            with states that grew in them; points */
  /* seconds, where a device searched */
  double   device_upload, device_search, device_download;
} PathEffort;

typedef struct {
  int         early_late;
  uint8_t     end_edges;                 /* mask of edges at the end; 0: both */
  PathObjects from, to;                  /* empty: any */
  ARRAY(PathObjects) through;            /* in the order in which they are passed */
  uint32_t    max_paths;                 /* in all */
  uint32_t    group_paths;               /* of each path group; 0: as many as there are */
  uint32_t    worst;                     /* of each end point and group */
  uint32_t    deviations;                /* at most so many of a path's links are not the best into
                                            their pins; 0: any number */
  double      slack_max, slack_min;      /* ps; NAN: no limit.  The worst of each end point are
                                            found first, of them those within the limits count */
  bool        unique;                    /* paths of an end point differ in their pins, not in edges
                                            alone */
  bool        brief;                     /* of each path only the start, what it launches, and the
                                            end are wanted; for the worst ones */
  bool        unconstrained;             /* ends that nothing constrains as well, after all
                                            others */
  bool        by_group;                  /* order: group by group, then by slack */
  bool      (*wants_group)(void *data, PathGroup group);   /* NULL: all */
  void       *data;
  size_t      memory;                    /* bytes that may be used; 0: half of what is free */
  PathEffort *effort;                      /* NULL */
} PathQuery;

/* Appends the paths.  FAILED with a message when it was interrupted or asks for too much. */
Status query_paths(const Timing *t, const PathQuery *q, Log *log, PathList *out);
void   path_query_free(PathQuery *q);
void   path_list_free(PathList *list);

/* The path of the worst absolute arrival of an edge at a slot; false when nothing arrives. */
bool query_path_to(const Timing *t, Slot slot, int edge, int early_late, PathList *out);

/* The worst path of an end for an edge of its data; it has a slack. */
void query_end_path(const Timing *t, PathEndId end, int edge, PathList *out);

/* The path of the worst arrival in a clock node, from the clock's source to it.  Appends to
   points. */
typedef ARRAY(PathPoint) PathPoints;
void query_clock_path(const Timing *t, Slot slot, NodeId node, int edge, int early_late,
                      PathPoints *out);
/* The same, of a generated clock from its master's source on. */
void query_expanded_clock_path(const Timing *t, Slot slot, NodeId node, int edge, int early_late,
                               PathPoints *out);

/* --- what belongs to a path ------------------------------------------------------------------- */
static inline const PathPoint *path_start(const PathList *l, const Path *p)
{
  return &l->points.at[p->first];
}
static inline const PathPoint *path_end(const PathList *l, const Path *p)
{
  return &l->points.at[p->first + p->count - 1];
}

const char *path_group_name(const Timing *t, PathGroup group);
/* Could a path be in a group of this name? */
bool        path_group_exists(const Timing *t, const char *name);
PathGroup   path_end_group(const Graph *g, const PathEnd *end);

/* The launching clock edge (NO_CLOCK_EDGE) and its absolute time, ps. */
ClockEdge path_launch(const Timing *t, const PathList *l, const Path *p);
double    path_launch_time(const Timing *t, const PathList *l, const Path *p);
/* Does the path start at a register's clock pin?  At the data pin of a latch that lends it time? */
bool      path_from_register(const Timing *t, const PathList *l, const Path *p);
bool      path_from_latch(const Timing *t, const PathList *l, const Path *p);
/* The leaf of the clock that launches a path, or from which its input delay counts; 0: none, or
   what a latch passes on, which may have several. */
uint32_t  path_launch_leaf(const Timing *t, const PathList *l, const Path *p);
/* What launching and capturing clock path have in common, ps; its slack has that on top. */
double    path_credit(const Timing *t, const PathList *l, const Path *p);
/* What it would be with a capturing leaf. */
double    path_credit_with(const Timing *t, const PathList *l, const Path *p, uint32_t capture);
/* Absolute required time, ps; NAN without an end. */
double    path_required(const Timing *t, const PathList *l, const Path *p);

/* What makes up the required time, in order: absolute times are sums of what comes before. */
typedef enum {
  TERM_CLOCK_EDGE,
  TERM_PATH_DELAY,
  TERM_MULTICYCLE,
  TERM_CLOCK_IDEAL,
  TERM_CLOCK_PROPAGATED,
  TERM_UNCERTAINTY,
  TERM_PATH_MARGIN,
  TERM_COMMON_PATH,
  TERM_OUTPUT_DELAY,
  TERM_CHECK,
  TERM_BORROWED,
  TERM_REFERENCE,
  TERM_VARIATION,
  TERM_COUNT
} TermKind;
typedef struct {
  TermKind kind;
  double   value;           /* ps */
} RequiredTerm;
enum { MOST_TERMS = 12 };
uint32_t path_required_terms(const Timing *t, const PathList *l, const Path *p,
                             RequiredTerm *terms);

/* What is before the first point: clock latency, and the external delay of an input.  Not the delay
   of a port's driving cell (timing_drive_delay), which the first point's own arrival has on top. */
typedef struct {
  double latency;           /* of an ideal clock, or at the clock pin of a propagated one */
  double external;          /* input delay; 0 */
  double given;             /* what a latch's data comes after the opening edge; 0 */
  bool   ideal, is_input;
} PathLaunch;
PathLaunch path_launch_detail(const Timing *t, const PathList *l, const Path *p);

#endif
