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
  PathForest *f;
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
static bool key_before(const Rounds *r, Key a, Key b)
{
  return a.slack != b.slack ? a.slack < b.slack
                            : deviation_before(&r->all.at[a.id], &r->all.at[b.id]);
}

static void swap_keys(Key *a, Key *b)
{
  Key k = *a;
  *a = *b;
  *b = k;
}

/* The middle one of three comes to the front. */
static void choose_pivot(const Rounds *r, Key *k, uint32_t n)
{
  Key *a = &k[0], *b = &k[n / 2], *c = &k[n - 1];
  if (key_before(r, *b, *a)) swap_keys(a, b);
  if (key_before(r, *c, *b)) swap_keys(b, c);
  if (key_before(r, *b, *a)) swap_keys(a, b);
  swap_keys(a, b);
}

/* Puts the `count` best keys first, the last of them at count - 1 (quickselect; keys are all
   different).  An interrupt leaves them in any order. */
static void select_keys(const Rounds *r, Key *keys, uint32_t n, uint32_t count)
{
  uint32_t low = 0, high = n;
  while (high - low > 1 && !interrupt_seen()) {
    choose_pivot(r, keys + low, high - low);
    uint32_t i = low, k = high;
    for (;;) {
      while (++i < high && key_before(r, keys[i], keys[low])) continue;
      while (key_before(r, keys[low], keys[--k])) continue;
      if (i >= k) break;
      swap_keys(&keys[i], &keys[k]);
    }
    swap_keys(&keys[low], &keys[k]);
    if (k == count - 1) return;
    if (k < count - 1) low = k + 1;
    else high = k;
  }
}

static void make_room(Rounds *r)
{
  if (r->all.len <= r->room) return;
  r->room = r->all.len + r->all.len / 2;
  mem_free(r->keys);
  mem_free(r->keep);
  r->keys = mem_alloc(r->room * sizeof *r->keys);
  r->keep = mem_alloc(r->room);
}

/* --- pruning ---------------------------------------------------------------------------------- */
static bool is_hidden(const Rounds *r, const Deviation *d) { return d->slack < r->plan->least; }

/* Keeps the best of the keys of one end. */
static void prune_end(Rounds *r, uint32_t end, Key *keys, uint32_t n)
{
  if (n < r->plan->worst) return;
  if (n > r->plan->worst) select_keys(r, keys, n, r->plan->worst);
  double bound = keys[0].slack;
  for (uint32_t i = 1; i < r->plan->worst; i++)
    bound = keys[i].slack > bound ? keys[i].slack : bound;
  r->end_bound[end] = bound;
  for (uint32_t i = r->plan->worst; i < n; i++) r->keep[keys[i].id] = false;
}

static uint32_t end_of(const Rounds *r, const Deviation *d) { return r->plan->root_end[d->root]; }

typedef struct {
  Rounds   *r;
  uint32_t *first;       /* by end: where its keys begin */
} Pruning;

static void prune_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Pruning *x = context;
  (void)step;
  (void)thread;
  for (uint32_t e = from; e < to && !interrupt_seen(); e++)
    prune_end(x->r, e, x->r->keys + x->first[e], x->first[e + 1] - x->first[e]);
}

static void prune_ends(Rounds *r)
{
  uint32_t *first = mem_alloc_zero((size_t)r->plan->ends + 2, sizeof *first);
  for (uint32_t i = 0; i < r->all.len; i++) first[end_of(r, &r->all.at[i]) + 2]++;
  for (uint32_t e = 0; e < r->plan->ends; e++) first[e + 2] += first[e + 1];
  for (uint32_t i = 0; i < r->all.len; i++)
    r->keys[first[end_of(r, &r->all.at[i]) + 1]++] = (Key){ r->all.at[i].slack, i };
  Pruning x = { r, first };
  pool_items(r->plan->ends, 500, r->f->threads, prune_share, &x);
  mem_free(first);
}

static void prune_all(Rounds *r)
{
  uint32_t n = 0, most = r->plan->most;
  for (uint32_t i = 0; i < r->all.len; i++)
    if (r->keep[i] && !is_hidden(r, &r->all.at[i])) r->keys[n++] = (Key){ r->all.at[i].slack, i };
  if (n < most) return;
  if (n > most) select_keys(r, r->keys, n, most);
  double bound = r->keys[0].slack;
  for (uint32_t i = 1; i < most; i++) bound = r->keys[i].slack > bound ? r->keys[i].slack : bound;
  r->bound = bound;
  for (uint32_t i = most; i < n; i++) r->keep[r->keys[i].id] = false;
}

/* Moves the kept paths together in their order.  Parents stay with their children. */
static void compact(Rounds *r)
{
  uint32_t n = 0, expanded = r->expanded, waiting = r->waiting,
           *moved = mem_alloc(((size_t)r->all.len + 1) * sizeof *moved);
  for (uint32_t i = 0; i < r->all.len; i++) {
    if (i == expanded) r->expanded = n;
    if (i == waiting) r->waiting = n;
    if (!r->keep[i]) continue;
    Deviation d = r->all.at[i];
    if (d.parent != NO_DEVIATION) d.parent = moved[d.parent];
    moved[i] = n;
    r->all.at[n++] = d;
  }
  if (expanded == r->all.len) r->expanded = n;
  if (waiting == r->all.len) r->waiting = n;
  r->all.len = n;
  mem_free(moved);
}

static void prune(Rounds *r)
{
  make_room(r);
  if (r->all.len) memset(r->keep, true, r->all.len);
  if (r->end_bound) prune_ends(r);
  if (r->known == r->plan->least) prune_all(r);
  if (interrupt_seen()) return;       /* what may go is not known */
  compact(r);
  r->kept = r->all.len;
}

/* --- expansion -------------------------------------------------------------------------------- */
static void expand(const Rounds *r, const ForestView *f, uint32_t id, Deviations *out)
{
  Deviation d = r->all.at[id];
  double bound = r->bound;
  if (r->end_bound && r->end_bound[end_of(r, &d)] < bound) bound = r->end_bound[end_of(r, &d)];
  if (deviation_level(&d) >= r->plan->deviations) return;
  DeviationWalk w = deviation_walk(f, r->all.at, &d);
  while (deviation_next(&w, f, bound))
    if (!(w.slack < r->known))
      array_push(out, deviation_child(f, &d, id, w.state, w.link, w.slack));
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
  Rounds           *r;
  const ForestView *f;
  uint32_t from, to;
  int      shares;
} Expansion;

static void expand_shares(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Expansion *x = context;
  uint64_t count = x->to - x->from;
  (void)step;
  (void)thread;
  for (uint32_t k = from; k < to; k++) {
    uint32_t low = x->from + (uint32_t)(count * k / (uint64_t)x->shares),
             high = x->from + (uint32_t)(count * (k + 1) / (uint64_t)x->shares);
    Deviations own = x->r->fresh[k];      /* off the cache lines of other threads */
    array_clear(&own);
    for (uint32_t i = low; i < high && !interrupt_seen(); i++) expand(x->r, x->f, i, &own);
    x->r->fresh[k] = own;
  }
}

/* FAILED: interrupted. */
static Status expand_some(Rounds *r, uint32_t from, uint32_t to)
{
  int threads = to - from < 512 ? 1 : r->f->threads;
  uint32_t *begins = mem_alloc((size_t)(to - from) * sizeof *begins);
  ForestView f = path_forest_view(r->f);
  for (uint32_t i = from; i < to; i++) begins[i - from] = deviation_begin(&f, &r->all.at[i]);
  Status status = path_forest_grow(r->f, begins, to - from);
  mem_free(begins);
  if (status != OK) return status;
  f = path_forest_view(r->f);
  f.plays = r->plan->plays;
  Expansion x = { r, &f, from, to, threads };
  pool_items((uint32_t)threads, 50000, threads, expand_shares, &x);
  for (int k = 0; k < threads; k++) append(&r->all, &r->fresh[k]);
  r->effort->expanded += to - from;
  return interrupt_seen() ? FAILED : OK;
}

/* The number expanded at a time.  It is small enough for bounds to be updated before far more paths
   are found than wanted. */
enum { LEAST_CHUNK = 256, MOST_CHUNK = 65536, LEAST_FRESH = 65536 };

static Status expand_round(Rounds *r)
{
  uint32_t chunk = LEAST_CHUNK;
  while (r->expanded < r->waiting) {
    uint32_t to = r->waiting - r->expanded > chunk ? r->expanded + chunk : r->waiting;
    if (expand_some(r, r->expanded, to) != OK) return FAILED;
    r->expanded = to;
    if (r->all.len - r->kept > r->kept + LEAST_FRESH) prune(r);
    if (r->kept > r->fit) return FAILED;
    if (chunk < MOST_CHUNK) chunk *= 2;
  }
  prune(r);
  r->waiting = r->all.len;
  return r->kept > r->fit || interrupt_seen() ? FAILED : OK;
}

/* Records twice and keys while the kept ones are pruned, and what grew in between. */
static uint32_t paths_that_fit(const PathPlan *p)
{
  size_t bytes = 3 * sizeof(Deviation) + sizeof(Key) + 2 * sizeof(uint32_t),
         fit = p->memory / bytes;
  return fit < UINT32_MAX / 4 ? (uint32_t)fit : UINT32_MAX / 4;
}

/* --- the whole -------------------------------------------------------------------------------- */
static void start(Rounds *r)
{
  const PathPlan *p = r->plan;
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->roots[i].slack > p->greatest) continue;
    uint32_t state = path_forest_state(r->f, p->roots[i].end);
    array_push(&r->all, (Deviation){ p->roots[i].slack, 0, i, NO_DEVIATION, state, 0 });
  }
  if (p->worst < p->most || !isinf(p->least)) {
    r->end_bound = mem_alloc((size_t)p->ends * sizeof *r->end_bound);
    for (uint32_t e = 0; e < p->ends; e++) r->end_bound[e] = INFINITY;
  }
}

/* All with a slack of at most `bound` that count; those under `known` are there. */
static Status search_to(Rounds *r, double bound, double known)
{
  Status status = OK;
  r->bound = bound;
  r->known = known;
  r->expanded = 0;
  prune(r);
  r->waiting = r->all.len;
  while (status == OK && r->expanded < r->waiting) {
    status = expand_round(r);
    r->effort->rounds++;
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

static bool order_few(const Rounds *r, RadixItem *items, size_t count)
{
  const Deviation *sorted[MOST_COMPARED];
  for (size_t i = 0; i < count; i++) sorted[i] = &r->all.at[items[i].id];
  qsort(sorted, count, sizeof *sorted, by_tie);
  for (size_t i = 0; i < count; i++) items[i].id = (uint32_t)(sorted[i] - r->all.at);
  return true;
}

static bool order_ties(const Rounds *r, RadixItem *items, RadixItem *room, size_t count)
{
  if (count <= MOST_COMPARED) return order_few(r, items, count);
  for (size_t i = 0; i < count; i++) items[i].key = r->all.at[items[i].id].tie;
  if (!radix_sort(items, room, count)) return false;
  for (size_t i = 0; i < count; i++) items[i].key = r->all.at[items[i].id].root;
  return radix_sort(items, room, count);
}

/* Sorts by slack, then equal slacks by record.  Returns false if interrupted. */
static bool order_all(const Rounds *r, RadixItem *items, RadixItem *room, size_t count)
{
  if (!radix_sort(items, room, count)) return false;
  for (size_t from = 0, to; from < count; from = to) {
    uint64_t key = items[from].key;
    for (to = from + 1; to < count && items[to].key == key;) to++;
    if (to > from + 1 && !order_ties(r, items + from, room, to - from)) return false;
  }
  return true;
}

static Status give(Rounds *r, PathTree *out)
{
  RadixItem *items = mem_alloc(((size_t)r->all.len + 1) * sizeof *items),
            *room = mem_alloc(((size_t)r->all.len + 1) * sizeof *room);
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->all.len; i++)
    if (!is_hidden(r, &r->all.at[i]))
      items[n++] = (RadixItem){ deviation_key(r->all.at[i].slack), i };
  bool done = order_all(r, items, room, n);
  array_resize(&out->order, n);
  for (uint32_t i = 0; i < n; i++) out->order.at[i] = items[i].id;
  mem_free(items);
  mem_free(room);
  out->all.at = r->all.at;
  out->all.len = r->all.len;
  out->all.cap = r->all.cap;
  return done ? OK : FAILED;
}

static void rounds_free(Rounds *r)
{
  for (int i = 0; i < r->f->threads; i++) array_free(&r->fresh[i]);
  mem_free(r->fresh);
  mem_free(r->keys);
  mem_free(r->keep);
  mem_free(r->end_bound);
}

Status path_rounds(PathForest *f, const PathPlan *plan, PathEffort *effort, PathTree *out)
{
  Rounds r = { .f = f, .plan = plan, .effort = effort, .fit = paths_that_fit(plan) };
  Status status = OK;
  r.fresh = mem_alloc_zero((size_t)f->threads, sizeof *r.fresh);
  start(&r);
  if (!isinf(plan->least)) status = search_to(&r, nextafter(plan->least, -INFINITY), -INFINITY);
  if (status == OK) status = search_to(&r, plan->greatest, plan->least);
  if (status == OK) status = give(&r, out);
  else array_free(&r.all);
  if (r.kept > r.fit) effort->fit = r.fit;
  rounds_free(&r);
  return status;
}

void path_tree_free(PathTree *t)
{
  array_free(&t->all);
  array_free(&t->order);
}
