/* The k best paths by rounds: those that the last round found, and nothing but bounds yet excludes,
   are left at every link along their best ways back; of all that is known then the k best stay
   (math/deviation.h).

   With a limit for each end point, first the best of each end point stay, then the k best of these:
   a bound over all alone would let one bad end point hide others.  Paths under the least slack that
   is asked for are found first: they take places of their end points, so that a path dropped for
   the sake of k others might be missed once one of those gave way to them. */
#include <math.h>

#include "base/interrupt.h"
#include "base/radix.h"
#include "base/pool.h"
#include "paths/path_private.h"

/* The key of selection.  The slack decides; the record decides between equal slacks. */
typedef struct {
  double   slack;
  uint32_t id;
} Key;

typedef ARRAY(Deviation) Deviations;

typedef struct {
  PathForest *forest;
  const PathPlan *plan;
  Deviations all;                   /* expanded, waiting, new */
  uint32_t expanded, waiting;       /* where those end */
  uint32_t kept;                    /* after the last pruning */
  uint32_t fit;                     /* the number of paths that may be kept */
  double   bound;                   /* of all */
  double   known;                   /* paths with less slack than this are all there */
  double  *end_bound;               /* [ends]; NULL: no limit of each end */
  Key     *keys;                    /* room for pruning */
  uint8_t *keep;
  uint32_t room;
  Deviations *fresh;                /* [threads] */
  PathEffort *effort;
} Rounds;

/* --- selection -------------------------------------------------------------------------------- */
static bool key_before(const Rounds *rounds, Key a, Key b)
{
  return a.slack != b.slack ? a.slack < b.slack
                            : deviation_before(&rounds->all.at[a.id], &rounds->all.at[b.id]);
}

static void swap_keys(Key *a, Key *b)
{
  Key k = *a;
  *a = *b;
  *b = k;
}

/* The middle one of three comes to the front. */
static void choose_pivot(const Rounds *rounds, Key *key, uint32_t n)
{
  Key *a = &key[0], *b = &key[n / 2], *c = &key[n - 1];
  if (key_before(rounds, *b, *a)) swap_keys(a, b);
  if (key_before(rounds, *c, *b)) swap_keys(b, c);
  if (key_before(rounds, *b, *a)) swap_keys(a, b);
  swap_keys(a, b);
}

/* Puts the `count` best keys first, the last of them at count - 1 (quickselect; keys are all
   different).  An interrupt leaves them in any order. */
static void select_keys(const Rounds *rounds, Key *keys, uint32_t n, uint32_t count)
{
  uint32_t low = 0, high = n;
  while (high - low > 1 && !interrupt_seen()) {
    choose_pivot(rounds, keys + low, high - low);
    uint32_t i = low, k = high;
    for (;;) {
      while (++i < high && key_before(rounds, keys[i], keys[low])) continue;
      while (key_before(rounds, keys[low], keys[--k])) continue;
      if (i >= k) break;
      swap_keys(&keys[i], &keys[k]);
    }
    swap_keys(&keys[low], &keys[k]);
    if (k == count - 1) return;
    if (k < count - 1) low = k + 1;
    else high = k;
  }
}

static void make_room(Rounds *rounds)
{
  if (rounds->all.len <= rounds->room) return;
  rounds->room = rounds->all.len + rounds->all.len / 2;
  mem_free(rounds->keys);
  mem_free(rounds->keep);
  rounds->keys = mem_alloc(rounds->room * sizeof *rounds->keys);
  rounds->keep = mem_alloc(rounds->room);
}

/* --- pruning ---------------------------------------------------------------------------------- */
static bool is_hidden(const Rounds *rounds, const Deviation *deviation)
{
  return deviation->slack < rounds->plan->least;
}

/* Keeps the best of the keys of one end. */
static void prune_end(Rounds *rounds, uint32_t end, Key *keys, uint32_t n)
{
  if (n < rounds->plan->worst) return;
  if (n > rounds->plan->worst) select_keys(rounds, keys, n, rounds->plan->worst);
  double bound = keys[0].slack;
  for (uint32_t i = 1; i < rounds->plan->worst; i++)
    bound = keys[i].slack > bound ? keys[i].slack : bound;
  rounds->end_bound[end] = bound;
  for (uint32_t i = rounds->plan->worst; i < n; i++) rounds->keep[keys[i].id] = false;
}

static uint32_t end_of(const Rounds *rounds, const Deviation *deviation)
{
  return rounds->plan->root_end[deviation->root];
}

typedef struct {
  Rounds   *rounds;
  uint32_t *first;       /* by end: where its keys begin */
} Pruning;

static void prune_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Pruning *pruning = context;
  (void)step;
  (void)thread;
  for (uint32_t e = from; e < to && !interrupt_seen(); e++)
    prune_end(pruning->rounds, e, pruning->rounds->keys + pruning->first[e],
              pruning->first[e + 1] - pruning->first[e]);
}

static void prune_ends(Rounds *rounds)
{
  uint32_t *first = mem_alloc_zero((size_t)rounds->plan->ends + 2, sizeof *first);
  for (uint32_t i = 0; i < rounds->all.len; i++) first[end_of(rounds, &rounds->all.at[i]) + 2]++;
  for (uint32_t e = 0; e < rounds->plan->ends; e++) first[e + 2] += first[e + 1];
  for (uint32_t i = 0; i < rounds->all.len; i++)
    rounds->keys[first[end_of(rounds, &rounds->all.at[i]) + 1]++] =
        (Key){ rounds->all.at[i].slack, i };
  Pruning x = { rounds, first };
  pool_items(rounds->plan->ends, 500, rounds->forest->threads, prune_share, &x);
  mem_free(first);
}

static void prune_all(Rounds *rounds)
{
  uint32_t n = 0, most = rounds->plan->most;
  for (uint32_t i = 0; i < rounds->all.len; i++)
    if (rounds->keep[i] && !is_hidden(rounds, &rounds->all.at[i]))
      rounds->keys[n++] = (Key){ rounds->all.at[i].slack, i };
  if (n < most) return;
  if (n > most) select_keys(rounds, rounds->keys, n, most);
  double bound = rounds->keys[0].slack;
  for (uint32_t i = 1; i < most; i++)
    bound = rounds->keys[i].slack > bound ? rounds->keys[i].slack : bound;
  rounds->bound = bound;
  for (uint32_t i = most; i < n; i++) rounds->keep[rounds->keys[i].id] = false;
}

/* Moves the kept paths together in their order.  Parents stay with their children. */
static void compact(Rounds *rounds)
{
  uint32_t n = 0, expanded = rounds->expanded, waiting = rounds->waiting,
           *moved = mem_alloc(((size_t)rounds->all.len + 1) * sizeof *moved);
  for (uint32_t i = 0; i < rounds->all.len; i++) {
    if (i == expanded) rounds->expanded = n;
    if (i == waiting) rounds->waiting = n;
    if (!rounds->keep[i]) continue;
    Deviation d = rounds->all.at[i];
    if (d.parent != NO_DEVIATION) d.parent = moved[d.parent];
    moved[i] = n;
    rounds->all.at[n++] = d;
  }
  if (expanded == rounds->all.len) rounds->expanded = n;
  if (waiting == rounds->all.len) rounds->waiting = n;
  rounds->all.len = n;
  mem_free(moved);
}

static void prune(Rounds *rounds)
{
  make_room(rounds);
  if (rounds->all.len) memset(rounds->keep, true, rounds->all.len);
  if (rounds->end_bound) prune_ends(rounds);
  if (rounds->known == rounds->plan->least) prune_all(rounds);
  if (interrupt_seen()) return;       /* what may go is not known */
  compact(rounds);
  rounds->kept = rounds->all.len;
}

/* --- expansion -------------------------------------------------------------------------------- */
static void expand(const Rounds *rounds, const ForestView *view, uint32_t id, Deviations *out)
{
  Deviation d = rounds->all.at[id];
  double bound = rounds->bound;
  if (rounds->end_bound && rounds->end_bound[end_of(rounds, &d)] < bound)
    bound = rounds->end_bound[end_of(rounds, &d)];
  if (deviation_level(&d) >= rounds->plan->deviations) return;
  DeviationWalk w = deviation_walk(view, rounds->all.at, &d);
  while (deviation_next(&w, view, bound))
    if (!(w.slack < rounds->known))
      array_push(out, deviation_child(view, &d, id, w.state, w.link, w.slack));
}

static void append(Deviations *to, const Deviations *from)
{
  uint32_t at = to->len;
  array_reserve(to, (uint64_t)at + from->len);
  if (from->len) memcpy(to->at + at, from->at, from->len * sizeof *from->at);
  to->len = at + from->len;
}

/* Expands the deviations [from, to), one share for each thread.  The results are in the order of
   the shares. */
typedef struct {
  Rounds           *rounds;
  const ForestView *view;
  uint32_t from, to;
  int      shares;
} Expansion;

static void expand_shares(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Expansion *expansion = context;
  uint64_t count = expansion->to - expansion->from;
  (void)step;
  (void)thread;
  for (uint32_t k = from; k < to; k++) {
    uint32_t low = expansion->from + (uint32_t)(count * k / (uint64_t)expansion->shares),
             high = expansion->from + (uint32_t)(count * (k + 1) / (uint64_t)expansion->shares);
    Deviations own = expansion->rounds->fresh[k];      /* off the cache lines of other threads */
    array_clear(&own);
    for (uint32_t i = low; i < high && !interrupt_seen(); i++)
      expand(expansion->rounds, expansion->view, i, &own);
    expansion->rounds->fresh[k] = own;
  }
}

/* FAILED: interrupted. */
static Status expand_some(Rounds *rounds, uint32_t from, uint32_t to)
{
  int threads = to - from < 512 ? 1 : rounds->forest->threads;
  uint32_t *begins = mem_alloc((size_t)(to - from) * sizeof *begins);
  ForestView f = path_forest_view(rounds->forest);
  for (uint32_t i = from; i < to; i++) begins[i - from] = deviation_begin(&f, &rounds->all.at[i]);
  Status status = path_forest_grow(rounds->forest, begins, to - from);
  mem_free(begins);
  if (status != OK) return status;
  f = path_forest_view(rounds->forest);
  f.plays = rounds->plan->plays;
  Expansion x = { rounds, &f, from, to, threads };
  pool_items((uint32_t)threads, 50000, threads, expand_shares, &x);
  for (int k = 0; k < threads; k++) append(&rounds->all, &rounds->fresh[k]);
  rounds->effort->expanded += to - from;
  return interrupt_seen() ? FAILED : OK;
}

/* The number expanded at a time.  It is small enough for bounds to be updated before far more paths
   are found than wanted. */
enum { LEAST_CHUNK = 256, MOST_CHUNK = 65536, LEAST_FRESH = 65536 };

static Status expand_round(Rounds *rounds)
{
  uint32_t chunk = LEAST_CHUNK;
  while (rounds->expanded < rounds->waiting) {
    uint32_t to =
        rounds->waiting - rounds->expanded > chunk ? rounds->expanded + chunk : rounds->waiting;
    if (expand_some(rounds, rounds->expanded, to) != OK) return FAILED;
    rounds->expanded = to;
    if (rounds->all.len - rounds->kept > rounds->kept + LEAST_FRESH) prune(rounds);
    if (rounds->kept > rounds->fit) return FAILED;
    if (chunk < MOST_CHUNK) chunk *= 2;
  }
  prune(rounds);
  rounds->waiting = rounds->all.len;
  return rounds->kept > rounds->fit || interrupt_seen() ? FAILED : OK;
}

/* Records twice and keys while the kept ones are pruned, and what grew in between. */
static uint32_t paths_that_fit(const PathPlan *plan)
{
  size_t bytes = 3 * sizeof(Deviation) + sizeof(Key) + 2 * sizeof(uint32_t),
         fit = plan->memory / bytes;
  return fit < UINT32_MAX / 4 ? (uint32_t)fit : UINT32_MAX / 4;
}

/* --- the whole -------------------------------------------------------------------------------- */
static void start(Rounds *rounds)
{
  const PathPlan *plan = rounds->plan;
  for (uint32_t i = 0; i < plan->count; i++) {
    if (plan->roots[i].slack > plan->greatest) continue;
    uint32_t state = path_forest_state(rounds->forest, plan->roots[i].end);
    array_push(&rounds->all, (Deviation){ plan->roots[i].slack, 0, i, NO_DEVIATION, state, 0 });
  }
  if (plan->worst < plan->most || !isinf(plan->least)) {
    rounds->end_bound = mem_alloc((size_t)plan->ends * sizeof *rounds->end_bound);
    for (uint32_t e = 0; e < plan->ends; e++) rounds->end_bound[e] = INFINITY;
  }
}

/* All with a slack of at most `bound` that count; those under `known` are there. */
static Status search_to(Rounds *rounds, double bound, double known)
{
  Status status = OK;
  rounds->bound = bound;
  rounds->known = known;
  rounds->expanded = 0;
  prune(rounds);
  rounds->waiting = rounds->all.len;
  while (status == OK && rounds->expanded < rounds->waiting) {
    status = expand_round(rounds);
    rounds->effort->rounds++;
  }
  return status;
}

static int by_tie(const void *pa, const void *pb)
{
  const Deviation *const *a = pa, *const *b = pb;
  return deviation_before(*a, *b) ? -1 : deviation_before(*b, *a);
}

/* Paths of one slack: few are compared, many sorted by their digests and then by their roots. */
enum { MOST_COMPARED = 4096 };

static bool order_few(const Rounds *rounds, RadixItem *items, size_t count)
{
  const Deviation *sorted[MOST_COMPARED];
  for (size_t i = 0; i < count; i++) sorted[i] = &rounds->all.at[items[i].id];
  qsort(sorted, count, sizeof *sorted, by_tie);
  for (size_t i = 0; i < count; i++) items[i].id = (uint32_t)(sorted[i] - rounds->all.at);
  return true;
}

static bool order_ties(const Rounds *rounds, RadixItem *items, RadixItem *room, size_t count)
{
  if (count <= MOST_COMPARED) return order_few(rounds, items, count);
  for (size_t i = 0; i < count; i++) items[i].key = rounds->all.at[items[i].id].tie;
  if (!radix_sort(items, room, count)) return false;
  for (size_t i = 0; i < count; i++) items[i].key = rounds->all.at[items[i].id].root;
  return radix_sort(items, room, count);
}

/* Sorts by slack, then equal slacks by record.  Returns false if interrupted. */
static bool order_all(const Rounds *rounds, RadixItem *items, RadixItem *room, size_t count)
{
  if (!radix_sort(items, room, count)) return false;
  for (size_t from = 0, to; from < count; from = to) {
    uint64_t key = items[from].key;
    for (to = from + 1; to < count && items[to].key == key;) to++;
    if (to > from + 1 && !order_ties(rounds, items + from, room, to - from)) return false;
  }
  return true;
}

static Status give(Rounds *rounds, PathTree *out)
{
  RadixItem *items = mem_alloc(((size_t)rounds->all.len + 1) * sizeof *items),
            *room = mem_alloc(((size_t)rounds->all.len + 1) * sizeof *room);
  uint32_t n = 0;
  for (uint32_t i = 0; i < rounds->all.len; i++)
    if (!is_hidden(rounds, &rounds->all.at[i]))
      items[n++] = (RadixItem){ deviation_key(rounds->all.at[i].slack), i };
  bool done = order_all(rounds, items, room, n);
  array_resize(&out->order, n);
  for (uint32_t i = 0; i < n; i++) out->order.at[i] = items[i].id;
  mem_free(items);
  mem_free(room);
  out->all.at = rounds->all.at;
  out->all.len = rounds->all.len;
  out->all.cap = rounds->all.cap;
  return done ? OK : FAILED;
}

static void rounds_free(Rounds *rounds)
{
  for (int i = 0; i < rounds->forest->threads; i++) array_free(&rounds->fresh[i]);
  mem_free(rounds->fresh);
  mem_free(rounds->keys);
  mem_free(rounds->keep);
  mem_free(rounds->end_bound);
}

Status path_rounds(PathForest *forest, const PathPlan *plan, PathEffort *effort, PathTree *out)
{
  Rounds r = { .forest = forest, .plan = plan, .effort = effort, .fit = paths_that_fit(plan) };
  Status status = OK;
  r.fresh = mem_alloc_zero((size_t)forest->threads, sizeof *r.fresh);
  start(&r);
  if (!isinf(plan->least)) status = search_to(&r, nextafter(plan->least, -INFINITY), -INFINITY);
  if (status == OK) status = search_to(&r, plan->greatest, plan->least);
  if (status == OK) status = give(&r, out);
  else array_free(&r.all);
  if (r.kept > r.fit) effort->fit = r.fit;
  rounds_free(&r);
  return status;
}

void path_tree_free(PathTree *tree)
{
  array_free(&tree->all);
  array_free(&tree->order);
}
