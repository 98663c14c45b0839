/* Keeps the graphs and corner libraries that the timers of one design share, and carries numbers
   over from an old graph to a new one. */
#include "update/share.h"

#include "update/timer.h"

TimerShare *timer_share_new(void) { return mem_alloc_zero(1, sizeof(TimerShare)); }

static void free_libs(TimerShare *share)
{
  for (uint32_t i = 0; i < share->libs.len; i++) corner_libs_free(share->libs.at[i].libs);
  array_clear(&share->libs);
}

void timer_share_free(TimerShare *share)
{
  if (share == NULL) return;
  for (uint32_t i = 0; i < share->graphs.len; i++) share_release(share->graphs.at[i]);
  free_libs(share);
  array_free(&share->graphs);
  array_free(&share->libs);
  array_free(&share->timers);
  mem_free(share);
}

void timer_share_leave(TimerShare *share, struct Timer *t)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < share->timers.len; i++)
    if (share->timers.at[i] != t) share->timers.at[kept++] = share->timers.at[i];
  share->timers.len = kept;
}

/* --- graphs ----------------------------------------------------------------------------------- */

void share_release(SharedGraph *g)
{
  if (g == NULL || --g->users > 0) return;
  graph_free(g->graph);
  mem_free(g);
}

bool share_netlist_is_old(const SharedGraph *g)
{
  return g->netlist_version != g->graph->netlist->edit_count;
}

bool share_others_are_old(const SharedGraph *g)
{
  const Constraints *c = g->graph->constraints;
  return g->constraints_version != c->version || g->library_count != g->graph->libs->libraries.len;
}

static uint32_t place_of(const TimerShare *share, const Constraints *c)
{
  uint32_t i = 0;
  while (i < share->graphs.len && share->graphs.at[i]->graph->constraints != c) i++;
  return i;
}

SharedGraph *share_newest(const TimerShare *share, const Constraints *constraints)
{
  uint32_t i = place_of(share, constraints);
  return i < share->graphs.len ? share->graphs.at[i] : NULL;
}

void share_drop_constraints(TimerShare *share, const Constraints *constraints)
{
  uint32_t i = place_of(share, constraints);
  if (i == share->graphs.len) return;
  share_release(share->graphs.at[i]);
  share->graphs.at[i] = share->graphs.at[--share->graphs.len];
}

/* Frees numbers that cannot be carried over before the new graph is made, to make room for it. */
static void drop_numbers(TimerShare *share, const SharedGraph *old)
{
  for (uint32_t i = 0; i < share->timers.len; i++)
    if (share->timers.at[i]->in.constraints == old->graph->constraints)
      timer_reset(share->timers.at[i]);
}

SharedGraph *share_take(TimerShare *share, const GraphInput *in, Log *log)
{
  SharedGraph *g = share_newest(share, in->constraints);
  if (g && !share_netlist_is_old(g) && !share_others_are_old(g)) {
    g->users++;
    return g;
  }
  if (g && share_others_are_old(g)) drop_numbers(share, g);
  share_drop_constraints(share, in->constraints);
  Graph *graph = graph_new(in, log);
  if (graph == NULL) return NULL;
  g = mem_alloc_zero(1, sizeof *g);
  g->graph = graph;
  g->users = 2;                                     /* the caller and the share */
  g->netlist_version = in->netlist->edit_count;
  g->constraints_version = in->constraints->version;
  g->library_count = in->libs->libraries.len;
  array_push(&share->graphs, g);
  return g;
}

/* --- libraries -------------------------------------------------------------------------------- */

const CornerLibs *share_libs(TimerShare *share, const LibrarySet *libs, const Corner *corner)
{
  if (share->library_count != libs->libraries.len) free_libs(share);
  share->library_count = libs->libraries.len;
  for (uint32_t i = 0; i < share->libs.len; i++)
    if (corner_same_libraries(share->libs.at[i].corner, corner)) return share->libs.at[i].libs;
  array_push(&share->libs, (SharedLibs){ corner_libs_new(libs, corner), corner });
  return share->libs.at[share->libs.len - 1].libs;
}
