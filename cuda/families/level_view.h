/* Levelization on a device, in frontiers. A frontier has the vertices of one level whose
   predecessors in earlier frontiers are done; frontier 0 has those without predecessors. When a
   vertex gets its level, it drops the counts of its successors: loads get the same level, drivers
   the next one.

   Blocks wait for each other between frontiers. Within a frontier they share a count of open
   predecessors for each vertex. The predecessor that drops a vertex's count to zero sets its level,
   so levels do not depend on the order. */
#ifndef SL_CUDA_FAMILIES_LEVEL_VIEW_H
#define SL_CUDA_FAMILIES_LEVEL_VIEW_H

#include "cuda/block_kernel.h"
#include "graph/levels.h"

/* The loads of a net are divided into pieces of this many, one for each lane. */
enum { LOAD_PIECE = 16 };

typedef struct FLAT_ALIGNED {
  uint32_t waiting;                /* number of predecessors without a level */
  uint32_t first_arc;              /* 1 + the first arc that begins here (next_arc has the next
                                      one); 0: none */
  uint32_t net;                    /* 1 + the net that the vertex drives; 0: none */
  uint32_t level;                  /* 1 + the level; 0: it has none yet */
} LevelVertex;

typedef struct { uint32_t vertex, piece; } LevelItem;

/* Three frontiers have a count of items, at index frontier % 3: the present frontier, the next
   frontier, and one whose count is reset to 0. */
enum { COUNTED_FRONTIERS = 3 };
typedef struct {
  uint32_t count[COUNTED_FRONTIERS];
  uint32_t arrived;                /* counter of SL_GRID_SYNC */
} LevelControl;

typedef struct {
  LevelInput   in;
  int          reversed;
  LevelVertex *vertices;
  uint32_t    *next_arc;           /* 1 + the next arc with the same start; 0: none */
  LevelItem   *items;              /* [most_items], one frontier after another */
  size_t       most_items;
  uint32_t    *level;
  LevelControl *control;
} LevelView;

/* --- before the first frontier ------------------------------------------------------------- */
SL_HD void level_link(const LevelView *view, uint32_t arc)
{
  LevelArc a = view->in.arcs[arc];
  view->next_arc[arc] = lane_set(&view->vertices[a.from].first_arc, arc + 1);
  lane_add(&view->vertices[a.to].waiting, 1);
}

SL_HD void level_net(const LevelView *view, uint32_t net)
{
  uint32_t drivers = view->in.driver_first[net + 1] - view->in.driver_first[net];
  for (uint32_t i = view->in.driver_first[net]; i < view->in.driver_first[net + 1]; i++)
    view->vertices[view->in.net_drivers[i]].net = net + 1;
  for (uint32_t i = view->in.load_first[net]; i < view->in.load_first[net + 1]; i++)
    view->vertices[view->in.net_loads[i]].waiting = drivers;
}

/* --- frontiers ----------------------------------------------------------------------------- */
SL_HD uint32_t level_pieces(const LevelView *view, uint32_t net)
{
  uint32_t loads = net ? view->in.load_first[net] - view->in.load_first[net - 1] : 0;
  return loads ? (loads + LOAD_PIECE - 1) / LOAD_PIECE : 1;
}

/* Adds a vertex to a frontier whose items begin at `first`. */
SL_HD void level_push(const LevelView *view, uint32_t vertex, uint32_t frontier, uint32_t first)
{
  LevelVertex *at = &view->vertices[vertex];
  uint32_t pieces = level_pieces(view, at->net),
           place = first + lane_add(&view->control->count[frontier % COUNTED_FRONTIERS], pieces);
  at->level = frontier + 1;
  for (uint32_t k = 0; k < pieces; k++) {
    view->items[place + k].vertex = vertex;
    view->items[place + k].piece = k;
  }
}

/* Counts one predecessor less. Returns true if it was the last. */
SL_HD int level_release(LevelVertex *at) { return lane_add(&at->waiting, UINT32_MAX) == 1; }

SL_HD void level_arcs(const LevelView *view, uint32_t from, uint32_t frontier, uint32_t next)
{
  for (uint32_t a = view->vertices[from].first_arc; a; a = view->next_arc[a - 1]) {
    uint32_t to = view->in.arcs[a - 1].to;
    if (level_release(&view->vertices[to])) level_push(view, to, frontier + 1, next);
  }
}

SL_HD void level_load(const LevelView *view, uint32_t load, uint32_t frontier, uint32_t next)
{
  if (!level_release(&view->vertices[load])) return;
  view->vertices[load].level = frontier + 1;
  level_arcs(view, load, frontier, next);
}

/* Processes an item of a frontier. next: where the items of the next frontier begin. */
SL_HD void level_item(const LevelView *view, LevelItem item, uint32_t frontier, uint32_t next)
{
  uint32_t net = view->vertices[item.vertex].net;
  if (item.piece == 0) level_arcs(view, item.vertex, frontier, next);
  if (net == 0) return;
  uint32_t first = view->in.load_first[net - 1] + item.piece * LOAD_PIECE,
           left = view->in.load_first[net] - first;
  for (uint32_t i = 0; i < left && i < LOAD_PIECE; i++)
    level_load(view, view->in.net_loads[first + i], frontier, next);
}

SL_BLOCK_FN void level_frontier(const LevelView *view, uint32_t frontier, uint32_t first,
                                uint32_t count)
{
  if (SL_BLOCK_INDEX == 0 && SL_FIRST_LANE)
    view->control->count[(frontier + 2) % COUNTED_FRONTIERS] = 0;
  SL_GRID_BLOCKS(b, (count + THREADS - 1) / THREADS)
  {
    SL_LANES(i, THREADS)
    {
      if (b * THREADS + i < count)
        level_item(view, view->items[first + b * THREADS + i], frontier, first + count);
    }
  }
  SL_GRID_SYNC(&view->control->arrived, frontier + 1);
}

SL_BLOCK_FN void level_frontiers(const LevelView *view)
{
  uint32_t first = 0, count;
  for (uint32_t frontier = 0;
       (count = lane_fresh(&view->control->count[frontier % COUNTED_FRONTIERS])) != 0;
       frontier++) {
    level_frontier(view, frontier, first, count);
    first += count;
  }
}

#endif
