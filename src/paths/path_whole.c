/* The whole forest at once, for a device.  States are numbered as in the scope, and every state
   has its links. */
#include "base/pool.h"
#include "paths/path_private.h"

/* What a thread computed for some slots. */
typedef struct {
  uint32_t from, to;                  /* slots of the scope */
  FaninList   fanins;
  PathChoices choices;
  ForestWays  ways;
  uint32_t first_link, first_start;   /* where they go */
} Share;

/* Their number stays in count until first is known. */
static void share_state(PathForest *forest, Share *share, uint32_t state)
{
  PathState at = forest->at.at[state];
  path_choices(forest->scope, at, &share->fanins, &share->choices);
  path_best_choice(&share->choices);
  forest->states.at[state] = (ForestState){ share->ways.links.len, share->choices.len };
  for (uint32_t i = 0; i < share->choices.len; i++) {
    const PathChoice *choice = &share->choices.at[i];
    path_ways_add(&share->ways, choice,
                  path_choice_starts(choice)
                      ? FOREST_START
                      : path_scope_state_index(forest->scope, path_choice_from(choice, at)));
  }
}

static uint32_t share_slot(PathForest *forest, Share *share, Slot slot, uint32_t state)
{
  PathState at = { slot, 0, 0, 0, 0 };
  uint32_t layers = path_scope_layers(forest->scope);
  const Graph *g = path_scope_graph(forest->scope);
  for (at.node = g->nodes.first[slot]; at.node < g->nodes.first[slot + 1]; at.node++)
    for (at.edge = RISE; at.edge <= FALL; at.edge++)
      for (at.layer = 0; at.layer < layers; at.layer++) {
        forest->at.at[state] = at;
        share_state(forest, share, state++);
      }
  return state;
}

static void work_share(PathForest *forest, Share *share)
{
  uint32_t state = path_scope_first_state(forest->scope, share->from);
  for (uint32_t i = share->from; i < share->to; i++)
    state = share_slot(forest, share, path_scope_slot(forest->scope, i), state);
}

/* A share's links go behind those of the shares before it. */
static void settle_share(PathForest *forest, const Share *share)
{
  uint32_t from = path_scope_first_state(forest->scope, share->from),
           to = path_scope_first_state(forest->scope, share->to);
  for (uint32_t i = from; i < to; i++) forest->states.at[i].first += share->first_link;
  for (uint32_t i = 0; i < share->ways.links.len; i++) {
    forest->ways.links.at[share->first_link + i] = share->ways.links.at[i];
    ForestHow how = share->ways.how.at[i];
    if (share->ways.links.at[i].from == FOREST_START) how.link += share->first_start;
    forest->ways.how.at[share->first_link + i] = how;
  }
  if (share->ways.starts.len)
    memcpy(forest->ways.starts.at + share->first_start, share->ways.starts.at,
           share->ways.starts.len * sizeof *share->ways.starts.at);
}

static void free_share(Share *share)
{
  array_free(&share->fanins);
  array_free(&share->choices);
  path_ways_free(&share->ways);
}

/* Sets the length of an empty array without initializing elements.  The threads write all elements,
   and each thread touches its own pages first. */
#define make_room(array, count) (array_reserve(array, (uint64_t)(count) + 1), \
    (void)((array)->len = (count)))

enum { SHARES_PER_THREAD = 8 };

typedef struct {
  PathForest *forest;
  Share      *shares;
  uint64_t    slots, count;       /* of all shares; shares */
} Whole;

static void work_shares(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Whole *whole = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    Share own = whole->shares[i];      /* off the cache lines of other threads */
    own.from = (uint32_t)(whole->slots * i / whole->count);
    own.to = (uint32_t)(whole->slots * (i + 1) / whole->count);
    work_share(whole->forest, &own);
    whole->shares[i] = own;
  }
}

static void settle_shares(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Whole *whole = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    settle_share(whole->forest, &whole->shares[i]);
    free_share(&whole->shares[i]);
  }
}

PathForest *path_forest_whole(const PathScope *scope, int threads)
{
  PathForest *forest = mem_alloc_zero(1, sizeof *forest);
  uint32_t states = path_scope_state_count(scope), links = 0, starts = 0;
  threads = threads > 0 ? threads : 1;
  int count = threads * SHARES_PER_THREAD;
  uint32_t slots = path_scope_slots(scope);
  Share *shares = mem_alloc_zero((size_t)count, sizeof *shares);
  forest->scope = scope;
  forest->threads = threads;
  forest->whole = true;
  make_room(&forest->states, states);
  make_room(&forest->at, states);
  forest->reach.at = mem_alloc_zero((size_t)states + 1, sizeof *forest->reach.at);
  forest->reach.len = forest->reach.cap = states;
  Whole x = { forest, shares, (uint64_t)slots, (uint64_t)count };
  pool_items((uint32_t)count, 50000, threads, work_shares, &x);
  for (int i = 0; i < count; i++) {
    shares[i].first_link = links;
    shares[i].first_start = starts;
    links += shares[i].ways.links.len;
    starts += shares[i].ways.starts.len;
  }
  make_room(&forest->ways.links, links);
  make_room(&forest->ways.how, links);
  make_room(&forest->ways.starts, starts);
  pool_items((uint32_t)count, 50000, threads, settle_shares, &x);
  mem_free(shares);
  return forest;
}
