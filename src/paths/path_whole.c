/* The whole forest at once, for a device.  States are numbered by place, and every state has its
   links. */
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
static void share_state(PathForest *f, Share *s, uint32_t state)
{
  PathState at = f->at.at[state];
  path_choices(f->scope, at, &s->fanins, &s->choices);
  path_best_choice(&s->choices);
  f->states.at[state] = (ForestState){ s->ways.links.len, s->choices.len };
  for (uint32_t i = 0; i < s->choices.len; i++) {
    const PathChoice *c = &s->choices.at[i];
    path_ways_add(&s->ways, c,
                  path_choice_starts(c) ? FOREST_START
                                        : path_scope_place(f->scope, path_choice_from(c, at)));
  }
}

static uint32_t share_slot(PathForest *f, Share *s, Slot slot, uint32_t state)
{
  PathState at = { slot, 0, 0, 0, 0 };
  uint32_t layers = path_scope_layers(f->scope);
  const Graph *g = path_scope_graph(f->scope);
  for (at.node = g->nodes.first[slot]; at.node < g->nodes.first[slot + 1]; at.node++)
    for (at.edge = RISE; at.edge <= FALL; at.edge++)
      for (at.layer = 0; at.layer < layers; at.layer++) {
        f->at.at[state] = at;
        share_state(f, s, state++);
      }
  return state;
}

static void work_share(PathForest *f, Share *s)
{
  uint32_t state = path_scope_first_place(f->scope, s->from);
  for (uint32_t i = s->from; i < s->to; i++)
    state = share_slot(f, s, path_scope_slot(f->scope, i), state);
}

/* A share's links go behind those of the shares before it. */
static void settle_share(PathForest *f, const Share *s)
{
  uint32_t from = path_scope_first_place(f->scope, s->from),
           to = path_scope_first_place(f->scope, s->to);
  for (uint32_t i = from; i < to; i++) f->states.at[i].first += s->first_link;
  for (uint32_t i = 0; i < s->ways.links.len; i++) {
    f->ways.links.at[s->first_link + i] = s->ways.links.at[i];
    ForestHow how = s->ways.how.at[i];
    if (s->ways.links.at[i].from == FOREST_START) how.link += s->first_start;
    f->ways.how.at[s->first_link + i] = how;
  }
  if (s->ways.starts.len)
    memcpy(f->ways.starts.at + s->first_start, s->ways.starts.at,
           s->ways.starts.len * sizeof *s->ways.starts.at);
}

static void free_share(Share *s)
{
  array_free(&s->fanins);
  array_free(&s->choices);
  path_ways_free(&s->ways);
}

/* Sets the length of an empty array without initializing elements.  The threads write all elements,
   and each thread touches its own pages first. */
#define make_room(array, count) (array_reserve(array, (uint64_t)(count) + 1), \
    (void)((array)->len = (count)))

enum { SHARES_PER_THREAD = 8 };

typedef struct {
  PathForest *f;
  Share      *shares;
  uint64_t    slots, count;       /* of all shares; shares */
} Whole;

static void work_shares(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Whole *x = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    Share own = x->shares[i];      /* off the cache lines of other threads */
    own.from = (uint32_t)(x->slots * i / x->count);
    own.to = (uint32_t)(x->slots * (i + 1) / x->count);
    work_share(x->f, &own);
    x->shares[i] = own;
  }
}

static void settle_shares(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Whole *x = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    settle_share(x->f, &x->shares[i]);
    free_share(&x->shares[i]);
  }
}

PathForest *path_forest_whole(const PathScope *scope, int threads)
{
  PathForest *f = mem_alloc_zero(1, sizeof *f);
  uint32_t places = path_scope_places(scope), links = 0, starts = 0;
  threads = threads > 0 ? threads : 1;
  int count = threads * SHARES_PER_THREAD;
  uint32_t slots = path_scope_slots(scope);
  Share *shares = mem_alloc_zero((size_t)count, sizeof *shares);
  f->scope = scope;
  f->threads = threads;
  f->whole = true;
  make_room(&f->states, places);
  make_room(&f->at, places);
  f->reach.at = mem_alloc_zero((size_t)places + 1, sizeof *f->reach.at);
  f->reach.len = f->reach.cap = places;
  Whole x = { f, shares, (uint64_t)slots, (uint64_t)count };
  pool_items((uint32_t)count, 50000, threads, work_shares, &x);
  for (int i = 0; i < count; i++) {
    shares[i].first_link = links;
    shares[i].first_start = starts;
    links += shares[i].ways.links.len;
    starts += shares[i].ways.starts.len;
  }
  make_room(&f->ways.links, links);
  make_room(&f->ways.how, links);
  make_room(&f->ways.starts, starts);
  pool_items((uint32_t)count, 50000, threads, settle_shares, &x);
  mem_free(shares);
  return f;
}
