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

static void sift_up(PathSearch *search, uint32_t i)
{
  HeapItem item = search->heap.at[i];
  for (; i > 0 && before(item, search->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
    search->heap.at[i] = search->heap.at[(i - 1) / 2];
  search->heap.at[i] = item;
}

static void sift_down(PathSearch *search)
{
  uint32_t i = 0, n = search->heap.len;
  HeapItem item = search->heap.at[0];
  for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && before(search->heap.at[child + 1], search->heap.at[child])) child++;
    if (!before(search->heap.at[child], item)) break;
    search->heap.at[i] = search->heap.at[child];
  }
  search->heap.at[i] = item;
}

static HeapItem pop(PathSearch *search)
{
  HeapItem top = search->heap.at[0];
  search->heap.at[0] = search->heap.at[--search->heap.len];
  if (search->heap.len) sift_down(search);
  return top;
}

/* Keeps only the best suffixes that can still matter: as many as the number of paths still to find.
   A sorted array is a heap. */
static void prune(PathSearch *search)
{
  uint32_t left = search->plan.most - search->taken;
  if (search->heap.len / 2 < left || search->heap.len < 256) return;
  qsort(search->heap.at, search->heap.len, sizeof *search->heap.at, by_bound);
  search->heap.len = left;
  search->dropped = left ? search->heap.at[left - 1].bound : -INFINITY;
}

/* --- suffixes --------------------------------------------------------------------------------- */
static void push_suffix(PathSearch *search, Suffix x)
{
  array_push(&search->suffixes, x);
  array_push(&search->heap, (HeapItem){ x.bound, search->suffixes.len - 1 });
  sift_up(search, search->heap.len - 1);
}

static int by_slack(const void *pa, const void *pb)
{
  const Step *a = pa, *b = pb;
  return a->slack < b->slack ? -1 : a->slack > b->slack;
}

/* Makes a suffix of the fresh steps [first, first + count). */
static void keep_fresh(PathSearch *search, const Step *fresh, uint32_t count, bool complete)
{
  double bound = fresh[0].slack;
  for (uint32_t i = 1; i < count; i++)
    if (fresh[i].slack < bound) bound = fresh[i].slack;
  if (bound > search->dropped || bound > search->plan.greatest) return;
  uint32_t first = search->steps.len;
  for (uint32_t i = 0; i < count; i++) array_push(&search->steps, fresh[i]);
  if (count > 1) qsort(search->steps.at + first, count, sizeof *search->steps.at, by_slack);
  push_suffix(search, (Suffix){ first, count, complete, bound });
}

static bool same_state(PathState a, PathState b)
{
  return a.slot == b.slot && a.node == b.node && a.edge == b.edge && a.layer == b.layer
         && a.capture == b.capture;
}

/* One suffix for a slot, of each state the best way on. */
static void keep_all(PathSearch *search)
{
  ARRAY(Step) group = { 0 };
  for (uint32_t i = 0; i < search->fresh.len; i++) {
    if (search->fresh_complete.at[i] == 2) continue;
    array_clear(&group);
    uint8_t complete = search->fresh_complete.at[i];
    for (uint32_t k = i; k < search->fresh.len; k++) {
      if (search->fresh_complete.at[k] != complete
          || search->fresh.at[k].at.slot != search->fresh.at[i].at.slot)
        continue;
      uint32_t j = 0;
      while (j < group.len && !same_state(group.at[j].at, search->fresh.at[k].at)) j++;
      if (j == group.len) array_push(&group, search->fresh.at[k]);
      else if (search->fresh.at[k].slack < group.at[j].slack) group.at[j] = search->fresh.at[k];
      if (k != i) search->fresh_complete.at[k] = 2;       /* done with */
    }
    keep_fresh(search, group.at, group.len, complete);
  }
  array_free(&group);
}

static void add_fresh(PathSearch *search, Step step, bool complete)
{
  array_push(&search->fresh, step);
  array_push(&search->fresh_complete, complete);
}

/* Steps that lead into one step of a suffix.  A seed makes the step itself a start. */
static void expand_step(PathSearch *search, uint32_t id)
{
  path_choices(search->scope, search->steps.at[id].at, &search->fanins, &search->choices);
  for (uint32_t i = 0; i < search->choices.len; i++) {
    const PathChoice *choice = &search->choices.at[i];
    Step step = search->steps.at[id];
    const PathRoot *root = &search->plan.roots[step.root];
    step.lost += choice->loss;
    step.slack = deviation_slack(root->slack, step.lost, root->play, 0);
    step.credit = path_scope_credit(search->scope, choice->in.leaf, step.at);
    if (choice->in.slot != NO_SLOT) {
      step.at = (PathState){ choice->in.slot, choice->in.node, choice->in.edge, choice->layer,
                             step.at.capture };
      step.next = id;
      step.link = choice->in.link;
      step.kind = choice->in.kind;
      step.launch = choice->in.launch;
      step.start = choice->in.start;
    }
    add_fresh(search, step, choice->in.slot == NO_SLOT || choice->in.launch);
  }
}

static void expand(PathSearch *search, uint32_t suffix)
{
  array_clear(&search->fresh);
  array_clear(&search->fresh_complete);
  Suffix x = search->suffixes.at[suffix];
  for (uint32_t i = 0; i < x.count; i++) expand_step(search, x.first + i);
  keep_all(search);
  prune(search);
}

/* --- answers ---------------------------------------------------------------------------------- */
PathSearch *path_search_new(PathScope *scope, const PathSearchPlan *plan)
{
  PathSearch *search = mem_alloc_zero(1, sizeof *search);
  search->scope = scope;
  search->plan = *plan;
  search->dropped = INFINITY;
  for (uint32_t i = 0; i < plan->count; i++)
    add_fresh(
        search,
        (Step){
            .at = plan->roots[i].end, .next = NO_STEP, .root = i, .slack = plan->roots[i].slack },
        false);
  keep_all(search);
  return search;
}

void path_search_free(PathSearch *search)
{
  if (search == NULL) return;
  array_free(&search->steps);
  array_free(&search->suffixes);
  array_free(&search->heap);
  array_free(&search->fanins);
  array_free(&search->choices);
  array_free(&search->fresh);
  array_free(&search->fresh_complete);
  mem_free(search);
}

double path_search_peek(PathSearch *search)
{
  while (search->heap.len && !search->suffixes.at[search->heap.at[0].suffix].complete)
    expand(search, pop(search).suffix);
  return search->heap.len ? search->heap.at[0].bound : INFINITY;
}

/* Points of the chain from a step to the end: each has the arrival of its state less what was lost
   on the way there. */
static void add_points(const PathScope *scope, const PathSearch *search, uint32_t id, PathList *out)
{
  double total = search->steps.at[id].lost, credit = search->steps.at[id].credit;
  PathPoint p = { .kind = LINK_START };
  for (; id != NO_STEP; id = search->steps.at[id].next) {
    const Step *step = &search->steps.at[id];
    array_push(&out->points,
               path_point(scope, p, step->at,
                          &(PathLeaving){ total - step->lost, step->launch, step->start, credit }));
    p.link = step->link;
    p.kind = step->kind;
  }
}

void path_search_take(PathSearch *search, PathList *out, uint32_t *root)
{
  HeapItem top = pop(search);
  uint32_t step = search->suffixes.at[top.suffix].first;
  *root = search->steps.at[step].root;
  search->taken++;
  add_points(search->scope, search, step, out);
}
