/* The forest of best ways, grown where paths come (math/deviation.h).

   States are numbered as they are met: no answer depends on their numbers.  Several threads grow
   waves. Together they work out the links into the states of a wave. Then one thread numbers the
   states where these links begin. The next wave is the states where the best links begin. One
   thread alone grows one way after the other. This takes it less time, because the states of a way
   then lie together. */
#include "base/interrupt.h"
#include "base/pool.h"
#include "paths/path_private.h"

enum { LEAST_SHARED = 2048 };      /* states that are worth a team of threads */

PathForest *path_forest_new(const PathScope *scope, int threads)
{
  PathForest *f = mem_alloc_zero(1, sizeof *f);
  f->scope = scope;
  f->threads = threads > 0 ? threads : 1;
  f->state_of = mem_alloc_zero((size_t)path_scope_places(scope) + 1, sizeof *f->state_of);
  f->capture_of = map_new();
  return f;
}

void path_forest_free(PathForest *f)
{
  if (f == NULL) return;
  array_free(&f->states);
  array_free(&f->at);
  array_free(&f->place);
  array_free(&f->reach);
  path_ways_free(&f->ways);
  mem_free(f->state_of);
  map_free(f->capture_of);
  for (uint32_t i = 0; i < f->captures.len; i++) mem_free(f->captures.at[i].cells);
  array_free(&f->captures);
  mem_free(f);
}

/* --- states of a capture ---------------------------------------------------------------------- */
struct CaptureCell {
  uint32_t place, state;            /* state + 1, 0: empty */
};

enum { LEAST_CELLS = 64 };

static CaptureStates *states_of(PathForest *f, uint32_t capture)
{
  if (f->last_capture != capture) {
    uint32_t i = map_get(f->capture_of, capture);
    if (i == MAP_NO_VALUE) {
      i = f->captures.len;
      array_push(&f->captures,
                 (CaptureStates){ mem_alloc_zero(LEAST_CELLS, sizeof(struct CaptureCell)),
                                  LEAST_CELLS, 0 });
      map_put(f->capture_of, capture, i);
    }
    f->last_capture = capture;
    f->last_index = i;
  }
  return &f->captures.at[f->last_index];
}

/* A place's cell, or the empty one where it belongs. */
static struct CaptureCell *find_cell(const CaptureStates *c, uint32_t place)
{
  uint32_t i = (uint32_t)hash_u64(place) & (c->room - 1);
  while (c->cells[i].state && c->cells[i].place != place) i = (i + 1) & (c->room - 1);
  return &c->cells[i];
}

/* Returns the array with room for one more element. */
static struct CaptureCell *capture_cell(CaptureStates *c, uint32_t place)
{
  if (c->count >= c->room / 2) {
    CaptureStates more = { mem_alloc_zero((size_t)c->room * 4, sizeof *c->cells), c->room * 4,
                           c->count };
    for (uint32_t i = 0; i < c->room; i++)
      if (c->cells[i].state) *find_cell(&more, c->cells[i].place) = c->cells[i];
    mem_free(c->cells);
    *c = more;
  }
  return find_cell(c, place);
}

static uint32_t add_state(PathForest *f, PathState at, uint32_t place)
{
  array_push(&f->states, (ForestState){ FOREST_UNGROWN, 0 });
  array_push(&f->at, at);
  array_push(&f->place, place);
  array_push(&f->reach, (ForestReach){ 0, 0 });
  return f->states.len - 1;
}

uint32_t path_forest_state(PathForest *f, PathState at)
{
  uint32_t place = path_scope_place(f->scope, at);
  if (f->whole) return place;
  if (at.capture == 0) {
    if (f->state_of[place] == 0) f->state_of[place] = add_state(f, at, place) + 1;
    return f->state_of[place] - 1;
  }
  struct CaptureCell *cell = capture_cell(states_of(f, at.capture), place);
  if (cell->state == 0) {
    *cell = (struct CaptureCell){ place, add_state(f, at, place) + 1 };
    states_of(f, at.capture)->count++;
  }
  return cell->state - 1;
}

/* --- a state's links -------------------------------------------------------------------------- */
/* What a thread found for some states of a wave: links, the best of each state first. */
typedef struct {
  FaninList   fanins;
  PathChoices one, all;
  ARRAY(uint32_t) counts;           /* by state of its share */
} Harvest;

void path_ways_add(ForestWays *w, const PathChoice *c, uint32_t from)
{
  array_push(&w->links, (ForestLink){ from, (float)c->loss });
  array_push(&w->how, (ForestHow){ from == FOREST_START ? w->starts.len : c->in.link, c->in.kind });
  if (from == FOREST_START) array_push(&w->starts, c->in);
}

void path_ways_free(ForestWays *w)
{
  array_free(&w->links);
  array_free(&w->how);
  array_free(&w->starts);
}

static void harvest_state(const PathForest *f, uint32_t state, Harvest *h)
{
  path_choices(f->scope, f->at.at[state], &h->fanins, &h->one);
  path_best_choice(&h->one);
  array_push(&h->counts, h->one.len);
  for (uint32_t i = 0; i < h->one.len; i++) array_push(&h->all, h->one.at[i]);
}

static void settle(PathForest *f, const uint32_t *wave, const Harvest *h)
{
  const PathChoice *c = h->all.at;
  for (uint32_t i = 0; i < h->counts.len && !interrupt_seen(); i++) {
    f->states.at[wave[i]] = (ForestState){ f->ways.links.len, h->counts.at[i] };
    PathState to = f->at.at[wave[i]];
    for (uint32_t k = 0; k < h->counts.at[i]; k++, c++)
      path_ways_add(&f->ways, c,
                    path_choice_starts(c) ? FOREST_START
                                          : path_forest_state(f, path_choice_from(c, to)));
  }
}

/* --- waves ------------------------------------------------------------------------------------ */
typedef ARRAY(uint32_t) StateList;

static void harvest_share(const PathForest *f, const uint32_t *wave, uint32_t count, Harvest *h)
{
  array_clear(&h->all);
  array_clear(&h->counts);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) harvest_state(f, wave[i], h);
}

typedef struct {
  const PathForest *f;
  const StateList  *w;
  Harvest          *harvests;
  uint64_t          shares;
} GrownWave;

static void harvest_shares(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const GrownWave *x = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    uint32_t first = (uint32_t)(x->w->len * (uint64_t)i / x->shares),
             end = (uint32_t)(x->w->len * ((uint64_t)i + 1) / x->shares);
    Harvest own = x->harvests[i];      /* off the cache lines of other threads */
    harvest_share(x->f, x->w->at + first, end - first, &own);
    x->harvests[i] = own;
  }
}

static void grow_wave(PathForest *f, const StateList *w, Harvest *harvests, int threads)
{
  int shares = w->len < LEAST_SHARED ? 1 : threads;
  GrownWave x = { f, w, harvests, (uint64_t)shares };
  pool_items((uint32_t)shares, 50000, shares, harvest_shares, &x);
  for (int i = 0; i < shares; i++)
    settle(f, w->at + (uint32_t)((uint64_t)w->len * (uint64_t)i / (uint64_t)shares), &harvests[i]);
}

enum { QUEUED = 1 };                /* instead of the count of a state without links: the state is
                                       in the wave */

static void queue_state(PathForest *f, uint32_t state, StateList *w)
{
  if (state == FOREST_START || f->states.at[state].first != FOREST_UNGROWN
      || f->states.at[state].count == QUEUED)
    return;
  f->states.at[state].count = QUEUED;
  array_push(w, state);
}

static void next_wave(PathForest *f, const StateList *grown, StateList *next)
{
  array_clear(next);
  for (uint32_t i = 0; i < grown->len; i++) {
    ForestState s = f->states.at[grown->at[i]];
    if (s.count) queue_state(f, f->ways.links.at[s.first].from, next);
  }
}

/* --- where best ways come to an end ----------------------------------------------------------- */
/* A state with no better known state before it: it begins its paths, or a launch does. */
static ForestReach own_reach(const PathForest *f, uint32_t state)
{
  ForestState s = f->states.at[state];
  bool launch = s.count && f->ways.starts.at[f->ways.how.at[s.first].link].slot != NO_SLOT;
  return (ForestReach){ state, 1 + launch };
}

/* Goes back until it is known, then tells all on the way. */
static void reach_state(PathForest *f, uint32_t state, StateList *way)
{
  array_clear(way);
  for (;;) {
    ForestState s = f->states.at[state];
    if (f->reach.at[state].points == 0
        && (s.count == 0 || f->ways.links.at[s.first].from == FOREST_START))
      f->reach.at[state] = own_reach(f, state);
    if (f->reach.at[state].points) break;
    array_push(way, state);
    state = f->ways.links.at[s.first].from;
  }
  ForestReach r = f->reach.at[state];
  while (way->len) {
    r.points++;
    f->reach.at[way->at[--way->len]] = r;
  }
}

static void reach_all(PathForest *f, const uint32_t *states, uint32_t count)
{
  StateList way = { 0 };
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    if (states[i] != FOREST_START) reach_state(f, states[i], &way);
  array_free(&way);
}

static void free_harvest(Harvest *h)
{
  array_free(&h->fanins);
  array_free(&h->one);
  array_free(&h->all);
  array_free(&h->counts);
}

static void grow_way(PathForest *f, uint32_t state, Harvest *h)
{
  while (state != FOREST_START && f->states.at[state].first == FOREST_UNGROWN) {
    harvest_share(f, &state, 1, h);
    settle(f, &state, h);
    if (interrupt_seen()) return;
    ForestState s = f->states.at[state];
    state = s.count ? f->ways.links.at[s.first].from : FOREST_START;
  }
}

/* Done by one thread, one way after the other, so that the states of a way lie together. */
static void grow_ways(PathForest *f, const uint32_t *states, uint32_t count)
{
  Harvest h = { { 0 }, { 0 }, { 0 }, { 0 } };
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) grow_way(f, states[i], &h);
  free_harvest(&h);
}

static void grow_waves(PathForest *f, const uint32_t *states, uint32_t count)
{
  int threads = f->threads;
  Harvest *harvests = mem_alloc_zero((size_t)threads, sizeof *harvests);
  StateList waves[2] = { { 0 } };
  int now = 0;
  for (uint32_t i = 0; i < count; i++) queue_state(f, states[i], &waves[now]);
  for (; waves[now].len; now = !now) {
    grow_wave(f, &waves[now], harvests, threads);
    if (interrupt_seen()) break;      /* not all of the wave have links */
    next_wave(f, &waves[now], &waves[!now]);
  }
  for (int i = 0; i < threads; i++) free_harvest(&harvests[i]);
  mem_free(harvests);
  array_free(&waves[0]);
  array_free(&waves[1]);
}

Status path_forest_grow(PathForest *f, const uint32_t *states, uint32_t count)
{
  if (!f->whole && (count < LEAST_SHARED || !pool_would_share(f->threads)))
    grow_ways(f, states, count);
  else if (!f->whole) grow_waves(f, states, count);
  if (!interrupt_seen()) reach_all(f, states, count);
  return interrupt_seen() ? FAILED : OK;
}
