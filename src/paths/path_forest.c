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
  PathForest *forest = mem_alloc_zero(1, sizeof *forest);
  forest->scope = scope;
  forest->threads = threads > 0 ? threads : 1;
  forest->state_of =
      mem_alloc_zero((size_t)path_scope_state_count(scope) + 1, sizeof *forest->state_of);
  forest->capture_of = map_new();
  return forest;
}

void path_forest_free(PathForest *forest)
{
  if (forest == NULL) return;
  array_free(&forest->states);
  array_free(&forest->at);
  array_free(&forest->scope_index);
  array_free(&forest->reach);
  path_ways_free(&forest->ways);
  mem_free(forest->state_of);
  map_free(forest->capture_of);
  for (uint32_t i = 0; i < forest->captures.len; i++) mem_free(forest->captures.at[i].cells);
  array_free(&forest->captures);
  mem_free(forest);
}

/* --- states of a capture ---------------------------------------------------------------------- */
struct CaptureCell {
  uint32_t index, state;            /* state + 1, 0: empty */
};

enum { LEAST_CELLS = 64 };

static CaptureStates *states_of(PathForest *forest, uint32_t capture)
{
  if (forest->last_capture != capture) {
    uint32_t i = map_get(forest->capture_of, capture);
    if (i == MAP_NO_VALUE) {
      i = forest->captures.len;
      array_push(&forest->captures,
                 (CaptureStates){ mem_alloc_zero(LEAST_CELLS, sizeof(struct CaptureCell)),
                                  LEAST_CELLS, 0 });
      map_put(forest->capture_of, capture, i);
    }
    forest->last_capture = capture;
    forest->last_index = i;
  }
  return &forest->captures.at[forest->last_index];
}

/* The cell of an index, or the empty one where it belongs. */
static struct CaptureCell *find_cell(const CaptureStates *states, uint32_t index)
{
  uint32_t i = (uint32_t)hash_u64(index) & (states->room - 1);
  while (states->cells[i].state && states->cells[i].index != index)
    i = (i + 1) & (states->room - 1);
  return &states->cells[i];
}

/* Returns the array with room for one more element. */
static struct CaptureCell *capture_cell(CaptureStates *states, uint32_t index)
{
  if (states->count >= states->room / 2) {
    CaptureStates more = { mem_alloc_zero((size_t)states->room * 4, sizeof *states->cells),
                           states->room * 4, states->count };
    for (uint32_t i = 0; i < states->room; i++)
      if (states->cells[i].state) *find_cell(&more, states->cells[i].index) = states->cells[i];
    mem_free(states->cells);
    *states = more;
  }
  return find_cell(states, index);
}

static uint32_t add_state(PathForest *forest, PathState at, uint32_t index)
{
  array_push(&forest->states, (ForestState){ FOREST_UNGROWN, 0 });
  array_push(&forest->at, at);
  array_push(&forest->scope_index, index);
  array_push(&forest->reach, (ForestReach){ 0, 0 });
  return forest->states.len - 1;
}

uint32_t path_forest_state(PathForest *forest, PathState at)
{
  uint32_t index = path_scope_state_index(forest->scope, at);
  if (forest->whole) return index;
  if (at.capture == 0) {
    if (forest->state_of[index] == 0) forest->state_of[index] = add_state(forest, at, index) + 1;
    return forest->state_of[index] - 1;
  }
  struct CaptureCell *cell = capture_cell(states_of(forest, at.capture), index);
  if (cell->state == 0) {
    *cell = (struct CaptureCell){ index, add_state(forest, at, index) + 1 };
    states_of(forest, at.capture)->count++;
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

void path_ways_add(ForestWays *ways, const PathChoice *choice, uint32_t from)
{
  array_push(&ways->links, (ForestLink){ from, (float)choice->loss });
  array_push(&ways->how, (ForestHow){ from == FOREST_START ? ways->starts.len : choice->in.link,
                                      choice->in.kind });
  if (from == FOREST_START) array_push(&ways->starts, choice->in);
}

void path_ways_free(ForestWays *ways)
{
  array_free(&ways->links);
  array_free(&ways->how);
  array_free(&ways->starts);
}

static void harvest_state(const PathForest *forest, uint32_t state, Harvest *harvest)
{
  path_choices(forest->scope, forest->at.at[state], &harvest->fanins, &harvest->one);
  path_best_choice(&harvest->one);
  array_push(&harvest->counts, harvest->one.len);
  for (uint32_t i = 0; i < harvest->one.len; i++) array_push(&harvest->all, harvest->one.at[i]);
}

static void settle(PathForest *forest, const uint32_t *wave, const Harvest *harvest)
{
  const PathChoice *choice = harvest->all.at;
  for (uint32_t i = 0; i < harvest->counts.len && !interrupt_seen(); i++) {
    forest->states.at[wave[i]] = (ForestState){ forest->ways.links.len, harvest->counts.at[i] };
    PathState to = forest->at.at[wave[i]];
    for (uint32_t k = 0; k < harvest->counts.at[i]; k++, choice++)
      path_ways_add(&forest->ways, choice,
                    path_choice_starts(choice)
                        ? FOREST_START
                        : path_forest_state(forest, path_choice_from(choice, to)));
  }
}

/* --- waves ------------------------------------------------------------------------------------ */
typedef ARRAY(uint32_t) StateList;

static void harvest_share(const PathForest *forest, const uint32_t *wave, uint32_t count,
                          Harvest *harvest)
{
  array_clear(&harvest->all);
  array_clear(&harvest->counts);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) harvest_state(forest, wave[i], harvest);
}

typedef struct {
  const PathForest *forest;
  const StateList  *list;
  Harvest          *harvests;
  uint64_t          shares;
} GrownWave;

static void harvest_shares(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const GrownWave *wave = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    uint32_t first = (uint32_t)(wave->list->len * (uint64_t)i / wave->shares),
             end = (uint32_t)(wave->list->len * ((uint64_t)i + 1) / wave->shares);
    Harvest own = wave->harvests[i];      /* off the cache lines of other threads */
    harvest_share(wave->forest, wave->list->at + first, end - first, &own);
    wave->harvests[i] = own;
  }
}

static void grow_wave(PathForest *forest, const StateList *list, Harvest *harvests, int threads)
{
  int shares = list->len < LEAST_SHARED ? 1 : threads;
  GrownWave x = { forest, list, harvests, (uint64_t)shares };
  pool_items((uint32_t)shares, 50000, shares, harvest_shares, &x);
  for (int i = 0; i < shares; i++)
    settle(forest, list->at + (uint32_t)((uint64_t)list->len * (uint64_t)i / (uint64_t)shares),
           &harvests[i]);
}

enum { QUEUED = 1 };                /* instead of the count of a state without links: the state is
                                       in the wave */

static void queue_state(PathForest *forest, uint32_t state, StateList *list)
{
  if (state == FOREST_START || forest->states.at[state].first != FOREST_UNGROWN
      || forest->states.at[state].count == QUEUED)
    return;
  forest->states.at[state].count = QUEUED;
  array_push(list, state);
}

static void next_wave(PathForest *forest, const StateList *grown, StateList *next)
{
  array_clear(next);
  for (uint32_t i = 0; i < grown->len; i++) {
    ForestState s = forest->states.at[grown->at[i]];
    if (s.count) queue_state(forest, forest->ways.links.at[s.first].from, next);
  }
}

/* --- where best ways come to an end ----------------------------------------------------------- */
/* A state with no better known state before it: it begins its paths, or a launch does. */
static ForestReach own_reach(const PathForest *forest, uint32_t state)
{
  ForestState s = forest->states.at[state];
  bool launch =
      s.count && forest->ways.starts.at[forest->ways.how.at[s.first].link].slot != NO_SLOT;
  return (ForestReach){ state, 1 + launch };
}

/* Goes back until it is known, then tells all on the way. */
static void reach_state(PathForest *forest, uint32_t state, StateList *way)
{
  array_clear(way);
  for (;;) {
    ForestState s = forest->states.at[state];
    if (forest->reach.at[state].points == 0
        && (s.count == 0 || forest->ways.links.at[s.first].from == FOREST_START))
      forest->reach.at[state] = own_reach(forest, state);
    if (forest->reach.at[state].points) break;
    array_push(way, state);
    state = forest->ways.links.at[s.first].from;
  }
  ForestReach r = forest->reach.at[state];
  while (way->len) {
    r.points++;
    forest->reach.at[way->at[--way->len]] = r;
  }
}

static void reach_all(PathForest *forest, const uint32_t *states, uint32_t count)
{
  StateList way = { 0 };
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    if (states[i] != FOREST_START) reach_state(forest, states[i], &way);
  array_free(&way);
}

static void free_harvest(Harvest *harvest)
{
  array_free(&harvest->fanins);
  array_free(&harvest->one);
  array_free(&harvest->all);
  array_free(&harvest->counts);
}

static void grow_way(PathForest *forest, uint32_t state, Harvest *harvest)
{
  while (state != FOREST_START && forest->states.at[state].first == FOREST_UNGROWN) {
    harvest_share(forest, &state, 1, harvest);
    settle(forest, &state, harvest);
    if (interrupt_seen()) return;
    ForestState s = forest->states.at[state];
    state = s.count ? forest->ways.links.at[s.first].from : FOREST_START;
  }
}

/* Done by one thread, one way after the other, so that the states of a way lie together. */
static void grow_ways(PathForest *forest, const uint32_t *states, uint32_t count)
{
  Harvest h = { { 0 }, { 0 }, { 0 }, { 0 } };
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) grow_way(forest, states[i], &h);
  free_harvest(&h);
}

static void grow_waves(PathForest *forest, const uint32_t *states, uint32_t count)
{
  int threads = forest->threads;
  Harvest *harvests = mem_alloc_zero((size_t)threads, sizeof *harvests);
  StateList waves[2] = { { 0 } };
  int now = 0;
  for (uint32_t i = 0; i < count; i++) queue_state(forest, states[i], &waves[now]);
  for (; waves[now].len; now = !now) {
    grow_wave(forest, &waves[now], harvests, threads);
    if (interrupt_seen()) break;      /* not all of the wave have links */
    next_wave(forest, &waves[now], &waves[!now]);
  }
  for (int i = 0; i < threads; i++) free_harvest(&harvests[i]);
  mem_free(harvests);
  array_free(&waves[0]);
  array_free(&waves[1]);
}

Status path_forest_grow(PathForest *forest, const uint32_t *states, uint32_t count)
{
  if (!forest->whole && (count < LEAST_SHARED || !pool_would_share(forest->threads)))
    grow_ways(forest, states, count);
  else if (!forest->whole) grow_waves(forest, states, count);
  if (!interrupt_seen()) reach_all(forest, states, count);
  return interrupt_seen() ? FAILED : OK;
}
