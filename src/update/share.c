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

void timer_share_leave(TimerShare *share, struct Timer *timer)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < share->timers.len; i++)
    if (share->timers.at[i] != timer) share->timers.at[kept++] = share->timers.at[i];
  share->timers.len = kept;
}

/* --- graphs ----------------------------------------------------------------------------------- */

void share_release(SharedGraph *graph)
{
  if (graph == NULL || --graph->users > 0) return;
  graph_free(graph->graph);
  mem_free(graph);
}

bool share_netlist_is_old(const SharedGraph *graph)
{
  return graph->netlist_version != graph->graph->netlist->edit_count;
}

bool share_others_are_old(const SharedGraph *graph)
{
  const Constraints *c = graph->graph->constraints;
  return graph->constraints_version != c->version
         || graph->library_count != graph->graph->libs->libraries.len;
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
  SharedGraph *shared_graph = share_newest(share, in->constraints);
  if (shared_graph && !share_netlist_is_old(shared_graph) && !share_others_are_old(shared_graph)) {
    shared_graph->users++;
    return shared_graph;
  }
  if (shared_graph && share_others_are_old(shared_graph)) drop_numbers(share, shared_graph);
  share_drop_constraints(share, in->constraints);
  Graph *graph = graph_new(in, log);
  if (graph == NULL) return NULL;
  shared_graph = mem_alloc_zero(1, sizeof *shared_graph);
  shared_graph->graph = graph;
  shared_graph->users = 2;                                     /* the caller and the share */
  shared_graph->netlist_version = in->netlist->edit_count;
  shared_graph->constraints_version = in->constraints->version;
  shared_graph->library_count = in->libs->libraries.len;
  array_push(&share->graphs, shared_graph);
  return shared_graph;
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
