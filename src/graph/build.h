/* The state between the steps of compiling a graph, with vertices in the order of PinIds and arcs
   in the order of instances. Private to src/graph.

   A step that sees an interrupt may leave its work half done, because no later step runs and the
   graph is freed. A step tests for it wherever a million cells take some tens of milliseconds. */
#ifndef SL_GRAPH_BUILD_H
#define SL_GRAPH_BUILD_H

#include "graph/exceptions/exceptions.h"
#include "graph/graph.h"
#include "graph/idle/idle.h"
#include "graph/levels.h"
#include "graph/clocks/senses.h"

typedef uint32_t VertexId;                /* 0 .. vertex_count-1, in the order of PinIds; an inout
                                             pin has its load, then its driver */
#define NO_VERTEX UINT32_MAX

typedef struct {
  VertexId from, to;
  LibArcId lib;
} BuildArc;

typedef struct {
  Graph   *g;
  Log     *log;
  uint32_t vertex_count;
  PinId   *pin;                           /* [vertex_count] */
  uint16_t *flags;                        /* SLOT_* */
  uint8_t *logic;                         /* 0, 1, 2 */
  VertexId *pin_load, *pin_driver;        /* [pins] */
  ARRAY(BuildArc) arcs;
  uint8_t *arc_flags;
  bool     level_blocked;                 /* levels count blocked arcs too: those that have
                                             ARC_BLOCKED. build_levels removes the flag from an arc
                                             that would close a loop */
  uint8_t *arc_live;                      /* edge pairs that constants leave active */
  ARRAY(Check) checks;                    /* `clock` and `data` are vertices until the slots are
                                             known */
  /* drivers and loads by net, as compressed rows */
  uint32_t *driver_first, *load_first;    /* [nets + 1] */
  VertexId *net_drivers, *net_loads;
  VertexId *apart; /* [vertex_count]: for the load of an inout pin, the driver of the same pin that
                      does not reach it (inout.c), else NO_VERTEX; NULL if there is none */
  uint32_t *level;                        /* [vertex_count] */
  const Leveller *leveller;               /* NULL: levels.c computes them */
  Slot     *slot;                         /* [vertex_count] */
} Build;

void build_vertices(Build *build);            /* pins, nets, arcs, checks */
void build_logic(Build *build);               /* constants, and the arcs that they switch off */
void build_disabled(Build *build); /* arcs and checks with set_disable_timing; types that are
                                             not timed */
/* disabled_gating: does set_disable_timing disable the inferred gating check from a cell's clock
   pin to its enable pin? */
typedef struct DisabledIndex DisabledIndex;
DisabledIndex *disabled_index_new(const Graph *g);
void           disabled_index_free(DisabledIndex *index);
bool           disabled_gating(const DisabledIndex *index, PinId clock, PinId enable);
/* Finds records that disable no arc, no check and no inferred check. */
void           disabled_find_idle(const DisabledIndex *index, IdleList *list);
void build_apart(Build *build); /* loads of inout pins that are separate from their own
                                             drivers */
void build_levels(Build *build);              /* levels, loops cut */
void build_cut_loops(Build *build);           /* sets ARC_OFF_LOOP, if vertices remain without a
                                             level */
void build_slots(Build *build);               /* final arrays */
void build_ideal(Graph *g);                              /* SLOT_IDEAL, SLOT_IDEAL_BEGIN */
/* sources of clocks; masters and waveforms of generated clocks */
void build_clocks(Graph *g, const SenseIndex *senses, Log *log);
/* Returns a byte per slot, 1 if the slot leads to the source of a generated clock through registers
   or gates; NULL if there are none. The caller frees it. */
uint8_t *generated_cone(const Graph *g);
/* tags, sets, maps, seeds */
void build_nodes(Graph *g, ExceptionIndex *index, const SenseIndex *senses, Log *log);
void build_links(Graph *g, Log *log);                    /* connects sources of generated clocks
                                                            with their masters; origins */
void build_references(Graph *g, Log *log);               /* delays with a reference pin */
void build_path_ends(Graph *g, const ExceptionIndex *index, Log *log);       /* endpoints */

/* Like graph_new, with a trace of the exceptions (may be NULL). The caller frees *index. Returns
   NULL if interrupted. */
Graph *graph_new_traced(const GraphInput *in, Log *log, ExceptionTrace *trace,
                        ExceptionIndex **index);

/* Returns the place of a command. A file NO_NAME means that it was typed. */
Where graph_where(const Graph *g, NameId file, uint32_t line);

NetId build_vertex_net(const Build *build, VertexId v);

/* Does an arc count for levels? */
static inline bool build_in_levels(const Build *build, uint32_t a)
{
  if (build->level_blocked && build->arc_flags[a] & ARC_BLOCKED)
    return (build->arc_flags[a] & (ARC_OFF | ARC_LATCH)) == ARC_OFF_CONSTANT;
  return !(build->arc_flags[a] & (ARC_OFF | ARC_LATCH));
}

#endif
