/* Paths as deviations from a forest of best ways.

   The forest: every state knows the links that lead into it, the best first, and what each loses
   against the best; a link comes from another state or, FOREST_START, begins a path.  Going back by
   first links from the state where a path ends gives the best path that ends there.  Any other path
   leaves the best way somewhere, by another link: its last deviation seen from the start, its first
   from the end.  What it is before that one is a path already known, its parent:

     slack(path) = slack(parent) + loss(link),      loss >= 0

   but for ends with play (latches that borrow): between too late and early enough there all paths
   have slack 0. So a path is one record, whatever its length, and no path is worse than its parent.

   Order: slack, then root, then tie, which holds the number of deviations above a digest of them.
   It depends on the path alone and not on how it was found, and a child comes after its parent: the
   best k under it are closed under parents, whatever was dropped on the way to them. */
#ifndef SL_MATH_DEVIATION_H
#define SL_MATH_DEVIATION_H

#include <stdbool.h>
#include <stdint.h>

#include "math/host_device.h"

#define FOREST_START   UINT32_MAX
#define FOREST_UNGROWN (UINT32_MAX - 1) /* in the place of a state's first link: not known yet */
#define NO_DEVIATION   UINT32_MAX

typedef struct {
  uint32_t from;           /* state; FOREST_START */
  float    loss;           /* ps; of the first link 0 */
} ForestLink;

typedef struct {
  uint32_t first, count;   /* links */
} ForestState;

typedef struct {
  const ForestState *states;
  const ForestLink  *links;
  const uint32_t    *place;       /* of states: names them in digests; NULL: their own numbers do */
  const double *
      plays; /* of roots, ps: a path may come so much later than one that has slack to spare without being too late, its
                                     slack 0 meanwhile, or than one of a root whose slack is 0; NULL: none has any */
} ForestView;

typedef struct {
  double   slack;          /* ps */
  uint64_t tie;
  uint32_t root;
  uint32_t parent;         /* NO_DEVIATION: the root's own path, and state is where it ends */
  uint32_t state;          /* where the link leads into */
  uint32_t link;           /* which of its links, the best one is 0 */
} Deviation;

enum { DEVIATION_LEVEL_SHIFT = 48, MOST_DEVIATIONS = 65535 };

SL_HD uint32_t deviation_level(const Deviation *d)
{
  return (uint32_t)(d->tie >> DEVIATION_LEVEL_SHIFT);
}

SL_HD bool deviation_before(const Deviation *a, const Deviation *b)
{
  if (a->slack != b->slack) return a->slack < b->slack;
  return a->root != b->root ? a->root < b->root : a->tie < b->tie;
}

/* The finaliser of splitmix64 over what went before and the new deviation. */
SL_HD uint64_t deviation_tie(uint64_t parent, uint32_t place, uint32_t link)
{
  uint64_t level = parent >> DEVIATION_LEVEL_SHIFT, digest = (1ull << DEVIATION_LEVEL_SHIFT) - 1;
  uint64_t x = (parent & digest) * 0x9fb21c651e98df25ull ^ ((uint64_t)place << 16 ^ link);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  x ^= x >> 31;
  return (level + (level < MOST_DEVIATIONS)) << DEVIATION_LEVEL_SHIFT | (x & digest);
}

/* The state from which a path goes back by best links; FOREST_START: its deviation begins it. */
SL_HD uint32_t deviation_begin(const ForestView *f, const Deviation *d)
{
  return d->parent == NO_DEVIATION ? d->state : f->links[f->states[d->state].first + d->link].from;
}

/* What a path loses where it was left last. */
SL_HD double deviation_loss(const ForestView *f, const Deviation *d)
{
  return d->parent == NO_DEVIATION ? 0 : (double)f->links[f->states[d->state].first + d->link].loss;
}

/* The slack of what loses more than a path; spare: how far that one, where its slack is 0, is from
   being too late. */
SL_HD double deviation_slack(double slack, double loss, double play, double spare)
{
  double x;
  if (play == 0 || slack > 0) return slack + loss;
  x = (slack < 0 ? slack : spare) + loss;
  return x >= play ? x - play : x < 0 ? x : 0;
}

SL_HD Deviation deviation_child(const ForestView *f, const Deviation *parent, uint32_t id,
                                uint32_t state, uint32_t link, double slack)
{
  uint32_t place = f->place ? f->place[state] : state;
  Deviation d;
  d.slack = slack;
  d.tie = deviation_tie(parent->tie, place, link);
  d.root = parent->root;
  d.parent = id;
  d.state = state;
  d.link = link;
  return d;
}

/* All the ways to leave a path, from its end on: DeviationWalk w = deviation_walk(f, all, d); while
   (deviation_next(&w, ...)) w.state, w.link and w.slack. */
typedef struct {
  uint32_t state, link;
  double   slack;                 /* of who leaves there */
  double   base, play, spare;     /* the path's own */
  ForestState s;                  /* of the state */
} DeviationWalk;

/* all: where the path's parents are. */
SL_HD DeviationWalk deviation_walk(const ForestView *f, const Deviation *all, const Deviation *d)
{
  DeviationWalk w;
  w.slack = w.base = d->slack;
  w.play = f->plays ? f->plays[d->root] : 0;
  w.spare = 0;
  if (w.play != 0 && d->slack == 0) {
    const Deviation *up = d;
    for (; up->parent != NO_DEVIATION; up = &all[up->parent]) w.spare += deviation_loss(f, up);
    w.spare += up->slack < 0 ? up->slack : 0;
  }
  w.state = deviation_begin(f, d);
  w.link = 0;
  w.s.first = 0;
  w.s.count = 0;
  if (w.state != FOREST_START) w.s = f->states[w.state];
  return w;
}

/* The next one that leads to a slack of at most `bound`; false: there is none. */
SL_HD bool deviation_next(DeviationWalk *w, const ForestView *f, double bound)
{
  while (w->state != FOREST_START && w->s.count) {
    while (++w->link < w->s.count) {
      w->slack =
          deviation_slack(w->base, (double)f->links[w->s.first + w->link].loss, w->play, w->spare);
      if (w->slack <= bound) return true;
    }
    w->state = f->links[w->s.first].from;
    w->link = 0;
    if (w->state != FOREST_START) w->s = f->states[w->state];
  }
  return false;
}

/* Bits that order as the numbers do; not of a NAN. */
SL_HD uint64_t deviation_key(double slack)
{
  union { double number; uint64_t bits; } u;
  u.number = slack + 0.0;         /* one zero */
  return u.bits >> 63 ? ~u.bits : u.bits | 1ull << 63;
}

#endif
