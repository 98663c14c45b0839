/* Paths as deviations from a forest of best paths.

   In the forest every state has a list of the links that lead into it, the best first, each with
   its loss against the best. A link comes from another state or begins a path (FOREST_START).
   Following first links back from the state where a path ends gives the best path to that end. Any
   other path uses another link at some state. Its deviation nearest the start is its last one.
   Without that deviation it is another path, its parent:

     slack(path) = slack(parent) + loss(link),      loss >= 0

   So one record describes a path of any length, and no path is better than its parent (here the
   best path is the one of the least slack). Ends with play (latches that borrow) are different: all
   paths that arrive after the opening of the latch and are not too late have slack 0.

   Paths are ordered by slack, then root, then tie. A tie holds the number of deviations in its high
   bits and a digest of them below. The order depends on the path alone and not on the way it was
   found, and a child comes after its parent. So the parents of the best k paths are among the best
   k, whatever was dropped during the search. */
#ifndef SL_MATH_DEVIATION_H
#define SL_MATH_DEVIATION_H

#include <stdbool.h>
#include <stdint.h>

#include "math/host_device.h"

#define FOREST_START   UINT32_MAX
#define FOREST_UNGROWN (UINT32_MAX - 1) /* as a state's first link: its links are not known yet */
#define NO_DEVIATION   UINT32_MAX

typedef struct {
  uint32_t from;           /* state; FOREST_START */
  float    loss;           /* ps; 0 for the first link */
} ForestLink;

typedef struct {
  uint32_t first, count;   /* links */
} ForestState;

typedef struct {
  const ForestState *states;
  const ForestLink  *links;
  const uint32_t    *tie_index;   /* [states]: the index that ties use for a state; NULL: its own */
  const double *plays;            /* [roots], ps: the length of each root's play; 0: no play;
                                     NULL: no root has play. The play of a latch is a span of
                                     arrivals whose slack is 0. It begins when the latch opens. It
                                     ends at the latest arrival that the latch accepts; or, if the
                                     root's best path is not late, when this path arrives, since no
                                     other path of the root arrives later. If the path arrives
                                     before the latch opens, there is no play (0) */
} ForestView;

typedef struct {
  double   slack;          /* ps */
  uint64_t tie;
  uint32_t root;
  uint32_t parent;         /* NO_DEVIATION: this is the root's best path, and state is its end */
  uint32_t state;          /* the state that the link leads into */
  uint32_t link;           /* index among its links; the best one is 0 */
} Deviation;

enum { DEVIATION_LEVEL_SHIFT = 48, MOST_DEVIATIONS = 65535 };

SL_HD uint32_t deviation_level(const Deviation *deviation)
{
  return (uint32_t)(deviation->tie >> DEVIATION_LEVEL_SHIFT);
}

SL_HD bool deviation_before(const Deviation *a, const Deviation *b)
{
  if (a->slack != b->slack) return a->slack < b->slack;
  return a->root != b->root ? a->root < b->root : a->tie < b->tie;
}

/* Returns the tie of a child: the finaliser of splitmix64 over the parent's tie and the new
   deviation. */
SL_HD uint64_t deviation_tie(uint64_t parent, uint32_t state_index, uint32_t link)
{
  uint64_t level = parent >> DEVIATION_LEVEL_SHIFT, digest = (1ull << DEVIATION_LEVEL_SHIFT) - 1;
  uint64_t x = (parent & digest) * 0x9fb21c651e98df25ull ^ ((uint64_t)state_index << 16 ^ link);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  x ^= x >> 31;
  return (level + (level < MOST_DEVIATIONS)) << DEVIATION_LEVEL_SHIFT | (x & digest);
}

/* Returns the state from which the path follows best links back to its start. FOREST_START means
   that the last deviation begins the path. */
SL_HD uint32_t deviation_begin(const ForestView *view, const Deviation *deviation)
{
  return deviation->parent == NO_DEVIATION
             ? deviation->state
             : view->links[view->states[deviation->state].first + deviation->link].from;
}

/* Returns the loss of a path's last deviation, ps. */
SL_HD double deviation_loss(const ForestView *view, const Deviation *deviation)
{
  return deviation->parent == NO_DEVIATION
             ? 0
             : (double)view->links[view->states[deviation->state].first + deviation->link].loss;
}

/* Returns the slack of a path that loses `loss` more than its parent.

   slack: the slack of the parent. play: the length of the play of the root (ForestView.plays); 0:
   the root has no play. spare: the time from the arrival of the parent to the end of the play; it
   is read only if the slack of the parent is 0.

   Without play, or if the slack of the parent is positive, the slack is slack + loss. Otherwise let
   x be the time from the arrival of the path to the end of the play. If the parent is late, x is
   slack + loss. If the slack of the parent is 0, x is spare + loss. If x is negative, the path is
   late, and x is its slack. If x is less than `play`, the path arrives within the play, and its
   slack is 0. In all other cases the path arrives before the latch opens, and its slack is x -
   play. */
SL_HD double deviation_slack(double slack, double loss, double play, double spare)
{
  double x;
  if (play == 0 || slack > 0) return slack + loss;
  x = (slack < 0 ? slack : spare) + loss;
  return x >= play ? x - play : x < 0 ? x : 0;
}

SL_HD Deviation deviation_child(const ForestView *view, const Deviation *parent, uint32_t id,
                                uint32_t state, uint32_t link, double slack)
{
  uint32_t index = view->tie_index ? view->tie_index[state] : state;
  Deviation d;
  d.slack = slack;
  d.tie = deviation_tie(parent->tie, index, link);
  d.root = parent->root;
  d.parent = id;
  d.state = state;
  d.link = link;
  return d;
}

/* Visits all deviations from a path, beginning at its end: DeviationWalk w = deviation_walk(f, all,
   d); while (deviation_next(&w, ...)) w.state, w.link and w.slack. */
typedef struct {
  uint32_t state, link;
  double   slack;                 /* of the path that deviates there */
  double   base, play, spare;     /* the path's own */
  ForestState s;                  /* the state's links */
} DeviationWalk;

/* `all` is the array that holds the path's parents. */
SL_HD DeviationWalk deviation_walk(const ForestView *view, const Deviation *all,
                                   const Deviation *deviation)
{
  DeviationWalk w;
  w.slack = w.base = deviation->slack;
  w.play = view->plays ? view->plays[deviation->root] : 0;
  w.spare = 0;
  if (w.play != 0 && deviation->slack == 0) {
    const Deviation *up = deviation;
    for (; up->parent != NO_DEVIATION; up = &all[up->parent]) w.spare += deviation_loss(view, up);
    w.spare += up->slack < 0 ? up->slack : 0;
  }
  w.state = deviation_begin(view, deviation);
  w.link = 0;
  w.s.first = 0;
  w.s.count = 0;
  if (w.state != FOREST_START) w.s = view->states[w.state];
  return w;
}

/* Moves to the next deviation whose slack is at most `bound`. Returns false if there is none. */
SL_HD bool deviation_next(DeviationWalk *walk, const ForestView *view, double bound)
{
  while (walk->state != FOREST_START && walk->s.count) {
    while (++walk->link < walk->s.count) {
      walk->slack =
          deviation_slack(walk->base, (double)view->links[walk->s.first + walk->link].loss,
                          walk->play, walk->spare);
      if (walk->slack <= bound) return true;
    }
    walk->state = view->links[walk->s.first].from;
    walk->link = 0;
    if (walk->state != FOREST_START) walk->s = view->states[walk->state];
  }
  return false;
}

/* Returns an integer that orders as the number does. The number must not be NAN. */
SL_HD uint64_t deviation_key(double slack)
{
  union { double number; uint64_t bits; } u;
  u.number = slack + 0.0;         /* makes both zeros the same */
  return u.bits >> 63 ? ~u.bits : u.bits | 1ull << 63;
}

#endif
