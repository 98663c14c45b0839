/* The worst paths of some roots without a search: each path goes back from its end over the best
   link of every state.  The data of a state's links is spread over the design, and one look-up
   leads to the next, so a single walk mostly waits for memory.  Therefore several walks go side by
   side: the data for the next step of each is prefetched before any of the steps is taken. */
#include "paths/path_private.h"

static PathPoint walk_point(const PathScope *scope, const PathChoice *by, PathState at)
{
  static const PathLeaving inner = { 0, false, 0, 0 };
  PathPoint p = by ? (PathPoint){ .link = by->in.link, .kind = by->in.kind }
                   : (PathPoint){ .kind = LINK_START };
  return path_point(scope, p, at, &inner);
}

/* The part before was computed without the credit of the walk's start. */
static void walk_credit(const PathScope *scope, PathWalk *walk, const Fanin *start)
{
  double credit = path_scope_credit(scope, start->leaf, walk->at);
  if (path_scope_early_late(scope) == EARLY) credit = -credit;
  for (uint32_t i = 0; i < walk->back.len; i++) walk->back.at[i].arrival += credit;
}

/* Its launch ends a walk. */
static void walk_launch(const PathScope *scope, PathWalk *walk, const Fanin *launch)
{
  walk_credit(scope, walk, launch);
  array_push(&walk->back, path_point(scope, (PathPoint){ .kind = LINK_START }, walk->at,
                                     &(PathLeaving){ 0, true, launch->start, 0 }));
  walk->ended = true;
}

static void walk_step(const PathScope *scope, PathWalk *walk, PathWalks *room)
{
  path_choices(scope, walk->at, &room->fanins, &room->choices);
  const PathChoice *choice = path_best_choice(&room->choices);
  walk->ended = choice == NULL || choice->in.slot == NO_SLOT;
  array_push(&walk->back, walk_point(scope, walk->ended ? NULL : choice, walk->at));
  if (walk->ended && choice) walk_credit(scope, walk, &choice->in);
  if (walk->ended) return;
  walk->at = (PathState){ choice->in.slot, choice->in.node, choice->in.edge, choice->layer,
                          walk->at.capture };
  if (choice->in.launch) walk_launch(scope, walk, &choice->in);
}

void path_walk_together(const PathScope *scope, const PathRoot *roots, uint32_t count,
                        PathWalks *room)
{
  for (uint32_t i = 0; i < count; i++) {
    room->walks[i].at = roots[i].end;
    room->walks[i].ended = false;
    array_clear(&room->walks[i].back);
  }
  for (uint32_t left = count; left > 0;) {
    for (int step = 0; step < FANIN_EXPECTATIONS && count > 1; step++)
      for (uint32_t i = 0; i < count; i++)
        if (!room->walks[i].ended) path_scope_expect(scope, room->walks[i].at, step);
    for (uint32_t i = 0; i < count; i++) {
      if (room->walks[i].ended) continue;
      walk_step(scope, &room->walks[i], room);
      left -= room->walks[i].ended;
    }
  }
}

void path_walk_points(const PathWalk *walk, PathList *out)
{
  uint32_t to = out->points.len + walk->back.len;
  array_reserve(&out->points, to);
  for (uint32_t i = walk->back.len; i-- > 0;) out->points.at[out->points.len++] = walk->back.at[i];
}

void path_walks_free(PathWalks *room)
{
  for (uint32_t i = 0; i < PATH_WALKS; i++) array_free(&room->walks[i].back);
  array_free(&room->fanins);
  array_free(&room->choices);
}

void path_walk(const PathScope *scope, const PathRoot *root, PathList *out)
{
  PathWalks room = { 0 };
  path_walk_together(scope, root, 1, &room);
  path_walk_points(&room.walks[0], out);
  path_walks_free(&room);
}
