/* The search for timing paths. It finds the worst paths in exact order of slack.

   A path is a path end, an edge of its data, and the chain of nodes that leads to it from a
   startpoint (a register's clock pin, an input port, a clock source). The arrivals along a path are
   those of the engine, made better by the losses of the path's deviations: earlier for late paths,
   later for early paths. The link that brings the worst arrival to a node loses nothing; any other
   link loses the difference of its arrival from the worst. So the worst path to a path end has
   exactly the slack of that end, and a deviation never makes a path worse. Every other path is
   derived, by one more deviation, from a path with no more slack (its parent). So the search finds
   the k worst paths by extending the k worst paths known (math/deviation.h).

   With -from and -through a state is a node, an edge and the number of points passed. States have
   arrivals of their own, which a forward pass over the cone of possible paths computes. They
   replace the engine's arrivals.

   Paths are ordered by slack; then by their endpoints, which are ordered by slack and by the
   netlist's order of pins; then by the roots of the endpoint (doc/paths.md); then by the number of
   deviations; then by a digest of the deviations, of 48 bits. The order depends neither on the
   number of paths nor on the number of threads, unless two paths have all of this in common. For
   two paths of one slack and root the chance of an equal digest is 2^-48.

   Clock networks are not searched: launch and capture clock paths are those of the worst arrivals.
   Results refer to slots, nodes and path ends of the graph. They are valid until the next
   update. */
#ifndef SL_PATHS_PATH_H
#define SL_PATHS_PATH_H

#include "timing/timing.h"

#define NO_PATH_END UINT32_MAX

/* The kind of the link from the previous point. */
typedef enum { LINK_START, LINK_ARC, LINK_WIRE, LINK_EXTRA_WIRE } LinkKind;

typedef struct {
  Slot     slot;
  NodeId   node;
  uint32_t link;            /* LINK_ARC: ArcId; of parallel arcs the worst one in the search.
                               LINK_EXTRA_WIRE: index in GraphNets.extra_wires and Timing.extra */
  uint8_t  edge, kind;      /* RISE, FALL; LinkKind */
  double   arrival;         /* ps after the launching edge */
} PathPoint;

/* A path group, with its kind in the high bits and a clock or a name below. Groups ascend in the
   order of reports. */
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
  PathEndId end_id;         /* the path end; NO_PATH_END if the path is unconstrained */
  PathGroup group;
  uint8_t   early_late;
  double    slack;          /* ps; INFINITY if unconstrained */
  double    arrival;        /* at the end, ps after the launching edge */
  uint32_t  first, count;   /* points, from the start to the end */
  uint32_t  source;         /* the timing that it belongs to, in lists over several timings; a query
                               sets 0 */
  uint32_t  retimed;        /* 1 + index in retimed; 0 if it has the graph's numbers */
} Path;

/* Numbers of a re-timed path (paths/retime.h): those of the graph, and those that its points do not
   hold. */
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
  ARRAY(RetimedPoint) retimed_points;   /* [points], up to the last re-timed path */
} PathList;

typedef struct {
  Object  object;
  uint8_t edges;            /* mask: EDGE_RISE, EDGE_FALL */
} PathObject;
typedef ARRAY(PathObject) PathObjects;

/* Measurements of the search; each query adds to them. */
typedef struct {
  uint32_t rounds;
  uint64_t expanded;                     /* paths whose deviations were examined */
  uint64_t fit;                          /* if memory was too small: how many paths would fit; else
                                            0 */
  double   ends, forest, search, trace;  /* seconds for finding the endpoints, for the first states,
                                            for the rounds (with the states that they added), and
                                            for the points */
  /* seconds, if a device searched */
  double   device_upload, device_search, device_download;
} PathEffort;

typedef struct {
  int         early_late;
  uint8_t     end_edges;                 /* mask of edges at the end; 0 means both */
  PathObjects from, to;                  /* empty means any */
  ARRAY(PathObjects) through;            /* in the order in which they are passed */
  uint32_t    max_paths;                 /* number of paths */
  uint32_t    group_paths;               /* number for each path group; 0 means no limit */
  uint32_t    worst;                     /* number for each endpoint and group */
  uint32_t    deviations;                /* largest number of deviations of a path; 0 means no
                                            limit */
  double      slack_max, slack_min;      /* ps; NAN means no limit. The worst paths of each endpoint
                                            are found first; then the limits apply to them */
  bool        unique;                    /* paths to an endpoint must differ in their pins, not only
                                            in edges */
  bool        brief;                     /* only the start, the launched output and the end of each
                                            path are needed */
  bool        unconstrained;             /* adds unconstrained paths after all others */
  bool        by_group;                  /* order the result by group, then by slack */
  bool      (*wants_group)(void *data, PathGroup group);   /* selects groups; NULL means all */
  void       *data;
  size_t      memory;                    /* largest number of bytes to use; 0 means half of the free
                                            memory */
  PathEffort *effort;                    /* gets measurements of the search; NULL: not wanted */
} PathQuery;

/* Appends the paths. Returns FAILED with a message if interrupted or if memory is too small. */
Status query_paths(const Timing *t, const PathQuery *query, Log *log, PathList *out);
void   path_query_free(PathQuery *query);
void   path_list_free(PathList *list);

/* Finds the path with the worst absolute arrival of an edge at a slot. Returns false if nothing
   arrives. */
bool query_path_to(const Timing *t, Slot slot, int edge, int early_late, PathList *out);

/* Finds the worst path of a path end for an edge of its data. The end must have a slack. */
void query_end_path(const Timing *t, PathEndId end, int edge, PathList *out);

/* query_clock_path appends the path with the worst arrival at a clock node, from the source of the
   clock. */
typedef ARRAY(PathPoint) PathPoints;
void query_clock_path(const Timing *t, Slot slot, NodeId node, int edge, int early_late,
                      PathPoints *out);
/* The same; the path of a generated clock begins at its master's source. */
void query_expanded_clock_path(const Timing *t, Slot slot, NodeId node, int edge, int early_late,
                               PathPoints *out);

/* --- what belongs to a path ------------------------------------------------------------------- */
static inline const PathPoint *path_start(const PathList *list, const Path *path)
{
  return &list->points.at[path->first];
}
static inline const PathPoint *path_end(const PathList *list, const Path *path)
{
  return &list->points.at[path->first + path->count - 1];
}

const char *path_group_name(const Timing *t, PathGroup group);
/* Can a path be in a group of this name? */
bool        path_group_exists(const Timing *t, const char *name);
PathGroup   path_end_group(const Graph *g, const PathEnd *end);

/* Return the launching clock edge (NO_CLOCK_EDGE if there is none) and its absolute time, ps. */
ClockEdge path_launch(const Timing *t, const PathList *list, const Path *path);
double    path_launch_time(const Timing *t, const PathList *list, const Path *path);
/* Does the path start at a register's clock pin? Does it start at the data pin of a latch from
   which it borrows? */
bool      path_from_register(const Timing *t, const PathList *list, const Path *path);
bool      path_from_latch(const Timing *t, const PathList *list, const Path *path);
/* Returns the leaf of the clock that launches the path, or that its input delay refers to. Returns
   0 if there is none, or if a latch passes the data on: such data may have several leaves. */
uint32_t  path_launch_leaf(const Timing *t, const PathList *list, const Path *path);
/* Returns the common path credit, ps. The slack includes it. */
double    path_credit(const Timing *t, const PathList *list, const Path *path);
/* Returns the credit that the path would have with a given capturing leaf. */
double path_credit_with(const Timing *t, const PathList *list, const Path *path, uint32_t capture);
/* Returns the absolute required time, ps; NAN without a path end. */
double    path_required(const Timing *t, const PathList *list, const Path *path);

/* The terms of the required time, in the order of reports. Their running sum gives the absolute
   times. */
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
/* The room in the arrays of callers. A path has at most eight terms today: clock edge (or path
   delay), multicycle, arrival of the capturing clock or of the reference, uncertainty, path margin,
   credit, variation, and output delay or check. When you add a TermKind, count these terms
   again. */
enum { MOST_TERMS = 12 };
uint32_t path_required_terms(const Timing *t, const PathList *list, const Path *path,
                             RequiredTerm *terms);

/* The times before the first point: clock latency, and the external delay of an input. The arrival
   of the first point also includes the delay of a port's driving cell or resistance
   (timing_drive_delay), which is not here. */
typedef struct {
  double latency;           /* latency of an ideal clock, or of a propagated clock at the clock
                               pin */
  double external;          /* input delay; 0 if there is none */
  double given;             /* for a latch: time of the data after the opening edge; else 0 */
  bool   ideal, is_input;
} PathLaunch;
PathLaunch path_launch_detail(const Timing *t, const PathList *list, const Path *path);

#endif
