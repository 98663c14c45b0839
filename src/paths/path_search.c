/* Searches for unique paths, which differ in their pins and not in edges alone. The search goes
   backward from one endpoint and is best-first.

   A suffix is the last part of a path, from some pin to the end, with all edges and tags that are
   possible at its pins. It has a step for each state of its first pin. From each step a chain of
   states leads to the end. The slack of a step is the slack of the root plus what the links of the
   chain lose. The arrival at the state of the step is that of the best way to it. So the slack of
   the step is that of the best path that ends with the chain. The bound of a suffix is the least
   slack of its steps.

   The suffix with the least bound is expanded first; of equal ones, the youngest. So complete
   suffixes come out in the order of slack, and suffixes with equal bounds are not expanded side by
   side.

   Each suffix in the heap is the end of at least one path, and no path ends with two of them. So if
   n paths are still to be found, only the best n suffixes can matter, and prune drops the
   others. */
#include <math.h>
#include <stdlib.h>

#include "paths/path_private.h"

#define NO_STEP UINT32_MAX

/* One state of a suffix, linked toward the end. */
typedef struct {
  PathState at;
  uint32_t next;            /* step after it; NO_STEP at the end */
  uint32_t root;
  uint32_t link;            /* the link of the graph from this step to the step after it */
  uint8_t  kind;
  bool     launch;          /* a start with its own arrival */
  float    start;
  double   credit;          /* of a start */
  double   lost;            /* by links after it */
  double   slack;           /* bound: the root's with these losses */
} Step;

typedef struct {
  uint32_t first, count;    /* steps, best first */
  bool     complete;        /* starts at a start point */
  double   bound;
} Suffix;

typedef struct {
  double   bound;
  uint32_t suffix;
} HeapItem;

struct PathSearch {
  PathScope *scope;
  PathSearchPlan plan;
  ARRAY(Step) steps;
  ARRAY(Suffix) suffixes;
  ARRAY(HeapItem) heap;
  double   dropped;         /* bounds above this are not kept */
  uint32_t taken;
  FaninList fanins;         /* room to work in */
  PathChoices choices;
  ARRAY(Step) fresh;        /* steps of an expansion, before they are grouped */
  ARRAY(uint8_t) fresh_complete;
};

/* --- heap ------------------------------------------------------------------------------------- */
static bool before(HeapItem a, HeapItem b)
{
  return a.bound != b.bound ? a.bound < b.bound : a.suffix > b.suffix;
}

static int by_bound(const void *pa, const void *pb)
{
  const HeapItem *a = pa, *b = pb;
  return before(*a, *b) ? -1 : before(*b, *a);
}

static void sift_up(PathSearch *s, uint32_t i)
{
  HeapItem item = s->heap.at[i];
  for (; i > 0 && before(item, s->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
    s->heap.at[i] = s->heap.at[(i - 1) / 2];
  s->heap.at[i] = item;
}

static void sift_down(PathSearch *s)
{
  uint32_t i = 0, n = s->heap.len;
  HeapItem item = s->heap.at[0];
  for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && before(s->heap.at[child + 1], s->heap.at[child])) child++;
    if (!before(s->heap.at[child], item)) break;
    s->heap.at[i] = s->heap.at[child];
  }
  s->heap.at[i] = item;
}

static HeapItem pop(PathSearch *s)
{
  HeapItem top = s->heap.at[0];
  s->heap.at[0] = s->heap.at[--s->heap.len];
  if (s->heap.len) sift_down(s);
  return top;
}

/* Keeps only the best suffixes that can still matter: as many as the number of paths still to find.
   A sorted array is a heap. */
static void prune(PathSearch *s)
{
  uint32_t left = s->plan.most - s->taken;
  if (s->heap.len / 2 < left || s->heap.len < 256) return;
  qsort(s->heap.at, s->heap.len, sizeof *s->heap.at, by_bound);
  s->heap.len = left;
  s->dropped = left ? s->heap.at[left - 1].bound : -INFINITY;
}

/* --- suffixes --------------------------------------------------------------------------------- */
static void push_suffix(PathSearch *s, Suffix x)
{
  array_push(&s->suffixes, x);
  array_push(&s->heap, (HeapItem){ x.bound, s->suffixes.len - 1 });
  sift_up(s, s->heap.len - 1);
}

static int by_slack(const void *pa, const void *pb)
{
  const Step *a = pa, *b = pb;
  return a->slack < b->slack ? -1 : a->slack > b->slack;
}

/* Makes a suffix of the fresh steps [first, first + count). */
static void keep_fresh(PathSearch *s, const Step *fresh, uint32_t count, bool complete)
{
  double bound = fresh[0].slack;
  for (uint32_t i = 1; i < count; i++)
    if (fresh[i].slack < bound) bound = fresh[i].slack;
  if (bound > s->dropped || bound > s->plan.greatest) return;
  uint32_t first = s->steps.len;
  for (uint32_t i = 0; i < count; i++) array_push(&s->steps, fresh[i]);
  if (count > 1) qsort(s->steps.at + first, count, sizeof *s->steps.at, by_slack);
  push_suffix(s, (Suffix){ first, count, complete, bound });
}

static bool same_state(PathState a, PathState b)
{
  return a.slot == b.slot && a.node == b.node && a.edge == b.edge && a.layer == b.layer
         && a.capture == b.capture;
}

/* One suffix for a slot, of each state the best way on. */
static void keep_all(PathSearch *s)
{
  ARRAY(Step) group = { 0 };
  for (uint32_t i = 0; i < s->fresh.len; i++) {
    if (s->fresh_complete.at[i] == 2) continue;
    array_clear(&group);
    uint8_t complete = s->fresh_complete.at[i];
    for (uint32_t k = i; k < s->fresh.len; k++) {
      if (s->fresh_complete.at[k] != complete || s->fresh.at[k].at.slot != s->fresh.at[i].at.slot)
        continue;
      uint32_t j = 0;
      while (j < group.len && !same_state(group.at[j].at, s->fresh.at[k].at)) j++;
      if (j == group.len) array_push(&group, s->fresh.at[k]);
      else if (s->fresh.at[k].slack < group.at[j].slack) group.at[j] = s->fresh.at[k];
      if (k != i) s->fresh_complete.at[k] = 2;       /* done with */
    }
    keep_fresh(s, group.at, group.len, complete);
  }
  array_free(&group);
}

static void add_fresh(PathSearch *s, Step step, bool complete)
{
  array_push(&s->fresh, step);
  array_push(&s->fresh_complete, complete);
}

/* Steps that lead into one step of a suffix.  A seed makes the step itself a start. */
static void expand_step(PathSearch *s, uint32_t id)
{
  path_choices(s->scope, s->steps.at[id].at, &s->fanins, &s->choices);
  for (uint32_t i = 0; i < s->choices.len; i++) {
    const PathChoice *c = &s->choices.at[i];
    Step step = s->steps.at[id];
    const PathRoot *root = &s->plan.roots[step.root];
    step.lost += c->loss;
    step.slack = deviation_slack(root->slack, step.lost, root->play, 0);
    step.credit = path_scope_credit(s->scope, c->in.leaf, step.at);
    if (c->in.slot != NO_SLOT) {
      step.at = (PathState){ c->in.slot, c->in.node, c->in.edge, c->layer, step.at.capture };
      step.next = id;
      step.link = c->in.link;
      step.kind = c->in.kind;
      step.launch = c->in.launch;
      step.start = c->in.start;
    }
    add_fresh(s, step, c->in.slot == NO_SLOT || c->in.launch);
  }
}

static void expand(PathSearch *s, uint32_t suffix)
{
  array_clear(&s->fresh);
  array_clear(&s->fresh_complete);
  Suffix x = s->suffixes.at[suffix];
  for (uint32_t i = 0; i < x.count; i++) expand_step(s, x.first + i);
  keep_all(s);
  prune(s);
}

/* --- answers ---------------------------------------------------------------------------------- */
PathSearch *path_search_new(PathScope *scope, const PathSearchPlan *plan)
{
  PathSearch *s = mem_alloc_zero(1, sizeof *s);
  s->scope = scope;
  s->plan = *plan;
  s->dropped = INFINITY;
  for (uint32_t i = 0; i < plan->count; i++)
    add_fresh(s,
              (Step){ .at = plan->roots[i].end,
                      .next = NO_STEP,
                      .root = i,
                      .slack = plan->roots[i].slack },
              false);
  keep_all(s);
  return s;
}

void path_search_free(PathSearch *s)
{
  if (s == NULL) return;
  array_free(&s->steps);
  array_free(&s->suffixes);
  array_free(&s->heap);
  array_free(&s->fanins);
  array_free(&s->choices);
  array_free(&s->fresh);
  array_free(&s->fresh_complete);
  mem_free(s);
}

double path_search_peek(PathSearch *s)
{
  while (s->heap.len && !s->suffixes.at[s->heap.at[0].suffix].complete) expand(s, pop(s).suffix);
  return s->heap.len ? s->heap.at[0].bound : INFINITY;
}

/* Points of the chain from a step to the end: each has the arrival of its state less what was lost
   on the way there. */
static void add_points(const PathScope *scope, const PathSearch *s, uint32_t id, PathList *out)
{
  double total = s->steps.at[id].lost, credit = s->steps.at[id].credit;
  PathPoint p = { .kind = LINK_START };
  for (; id != NO_STEP; id = s->steps.at[id].next) {
    const Step *x = &s->steps.at[id];
    array_push(&out->points,
               path_point(scope, p, x->at,
                          &(PathLeaving){ total - x->lost, x->launch, x->start, credit }));
    p.link = x->link;
    p.kind = x->kind;
  }
}

void path_search_take(PathSearch *s, PathList *out, uint32_t *root)
{
  HeapItem top = pop(s);
  uint32_t step = s->suffixes.at[top.suffix].first;
  *root = s->steps.at[step].root;
  s->taken++;
  add_points(s->scope, s, step, out);
}
