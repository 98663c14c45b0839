/* Between the steps of compiling a graph: vertices in PinId order, arcs in instance order. Private
   to src/graph.

   A step that sees an interrupt may leave its work half done: no later step runs, and what there is
   of the graph is freed.  So a step looks where it has worked for some tens of milliseconds on a
   million cells. */
#ifndef SL_GRAPH_BUILD_H
#define SL_GRAPH_BUILD_H

#include "graph/exceptions/exceptions.h"
#include "graph/graph.h"
#include "graph/idle/idle.h"
#include "graph/levels.h"
#include "graph/senses.h"

typedef uint32_t VertexId;                /* 0 .. vertex_count-1, by PinId; an inout pin's load,
                                             then its driver */
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
  bool     level_blocked;                 /* levels heed blocked arcs too */
  uint8_t *arc_live;                      /* edge pairs that constants leave */
  ARRAY(Check) checks;                    /* clock, data: vertices until the slots are known */
  /* nets: drivers and loads by net, CSR */
  uint32_t *driver_first, *load_first;    /* [nets + 1] */
  VertexId *net_drivers, *net_loads;
  VertexId *apart; /* [vertex_count]: of an inout pin's load, the pin's driver
                                             from which it stays apart (inout.c); NO_VERTEX; NULL:
                                             there are none */
  uint32_t *level;                        /* [vertex_count] */
  const Leveller *leveller;               /* NULL: levels.c's own */
  Slot     *slot;                         /* [vertex_count] */
} Build;

void build_vertices(Build *b);            /* pins, nets, arcs, checks */
void build_logic(Build *b);               /* constants; arcs they switch off */
void build_disabled(Build *b);            /* set_disable_timing of arcs and checks; types that are
                                             not timed */
/* Does set_disable_timing take out the check from a cell's clock pin to its enable pin that is
   inferred there? */
typedef struct DisabledIndex DisabledIndex;
DisabledIndex *disabled_index_new(const Graph *g);
void           disabled_index_free(DisabledIndex *x);
bool           disabled_gating(const DisabledIndex *x, PinId clock, PinId enable);
/* Records that have taken nothing out, arcs, checks and inferred checks alike. */
void           disabled_find_idle(const DisabledIndex *x, IdleList *list);
void build_apart(Build *b);               /* loads of inout pins that their own drivers do not
                                             reach */
void build_levels(Build *b);              /* levels, loops cut */
void build_cut_loops(Build *b);           /* ARC_OFF_LOOP, where levels are not to be had */
void build_slots(Build *b);               /* final arrays */
void build_ideal(Graph *g);                              /* SLOT_IDEAL, SLOT_IDEAL_BEGIN */
/* sources; generated clocks' masters and waveforms */
void build_clocks(Graph *g, const SenseIndex *senses, Log *log);
/* Slots that lead to the source of a generated clock through registers or gates; NULL: there are
   none.  The caller's. */
uint8_t *generated_cone(const Graph *g);
/* tags, sets, maps, seeds */
void build_nodes(Graph *g, ExceptionIndex *x, const SenseIndex *senses, Log *log);
void build_links(Graph *g, Log *log);                    /* generated clocks' sources to their
                                                            masters; origins */
void build_references(Graph *g, Log *log);               /* delays that count from a reference
                                                            pin */
void build_rows(Graph *g, const ExceptionIndex *x, Log *log);       /* end points */

/* graph_new, with a trace of the exceptions (NULL: none); *index is the caller's.  NULL:
   interrupted. */
Graph *graph_new_traced(const GraphInput *in, Log *log, ExceptionTrace *trace,
                        ExceptionIndex **index);

/* Where a command stands; file NO_NAME: typed. */
Where graph_where(const Graph *g, NameId file, uint32_t line);

NetId build_vertex_net(const Build *b, VertexId v);

/* Do levels heed an arc? */
static inline bool build_in_levels(const Build *b, uint32_t a)
{
  if (b->level_blocked && b->arc_flags[a] & ARC_BLOCKED)
    return (b->arc_flags[a] & (ARC_OFF | ARC_LATCH)) == ARC_OFF_CONSTANT;
  return !(b->arc_flags[a] & (ARC_OFF | ARC_LATCH));
}

#endif
