/* The whole forest at once, for a device: states have the numbers of their places, and every state has grown. */
#include "base/threads.h"
#include "query/path_private.h"

/* What a thread worked out for some slots. */
typedef struct {
  uint32_t from, to;                  /* slots of the scope */
  FaninList   fanins;
  PathChoices choices;
  ARRAY(ForestLink) links;
  ARRAY(ForestHow) how;
  ARRAY(Fanin) starts;
  uint32_t first_link, first_start;   /* where they go */
} Share;

static void share_link(const PathForest *f, Share *s, const PathChoice *c)
{
  if (c->in.slot == NO_SLOT || c->in.launch) {
    array_push(&s->links, (ForestLink){ FOREST_START, (float)c->loss });
    array_push(&s->how, (ForestHow){ s->starts.len, c->in.kind });
    array_push(&s->starts, c->in);
    return;
  }
  PathState from = { c->in.slot, c->in.node, c->in.edge, c->layer, 0 };
  array_push(&s->links, (ForestLink){ path_scope_place(f->scope, from), (float)c->loss });
  array_push(&s->how, (ForestHow){ c->in.link, c->in.kind });
}

/* Links of a state, the best first; their number stays in count until first is known. */
static void share_state(PathForest *f, Share *s, uint32_t state)
{
  path_choices(f->scope, f->at.at[state], &s->fanins, &s->choices);
  f->states.at[state] = (ForestState){ s->links.len, s->choices.len };
  if (s->choices.len == 0) return;
  uint32_t best = path_best_choice(&s->choices);
  s->choices.at[best].loss = 0;
  share_link(f, s, &s->choices.at[best]);
  for (uint32_t i = 0; i < s->choices.len; i++)
    if (i != best) share_link(f, s, &s->choices.at[i]);
}

static uint32_t share_slot(PathForest *f, Share *s, Slot slot, uint32_t state)
{
  PathState at = { slot, 0, 0, 0, 0 };
  uint32_t layers = path_scope_layers(f->scope);
  const Graph *g = path_scope_graph(f->scope);
  for (at.node = g->node_first[slot]; at.node < g->node_first[slot + 1]; at.node++)
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
  for (uint32_t i = s->from; i < s->to; i++) state = share_slot(f, s, path_scope_slot(f->scope, i), state);
}

/* A share's links go behind those of the shares before it. */
static void settle_share(PathForest *f, const Share *s)
{
  uint32_t from = path_scope_first_place(f->scope, s->from), to = path_scope_first_place(f->scope, s->to);
  for (uint32_t i = from; i < to; i++) f->states.at[i].first += s->first_link;
  for (uint32_t i = 0; i < s->links.len; i++) {
    f->links.at[s->first_link + i] = s->links.at[i];
    ForestHow how = s->how.at[i];
    if (s->links.at[i].from == FOREST_START) how.link += s->first_start;
    f->how.at[s->first_link + i] = how;
  }
  if (s->starts.len) memcpy(f->starts.at + s->first_start, s->starts.at, s->starts.len * sizeof *s->starts.at);
}

static void free_share(Share *s)
{
  array_free(&s->fanins);
  array_free(&s->choices);
  array_free(&s->links);
  array_free(&s->how);
  array_free(&s->starts);
}

/* Of an empty array; its elements are whatever they are: threads write them all, each its own pages first. */
#define make_room(array, count) (array_reserve(array, (uint64_t)(count) + 1), (void)((array)->len = (count)))

enum { SHARES_PER_THREAD = 8 };

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
  #pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
  for (int i = 0; i < count; i++) {
    shares[i].from = (uint32_t)((uint64_t)slots * (uint64_t)i / (uint64_t)count);
    shares[i].to = (uint32_t)((uint64_t)slots * (uint64_t)(i + 1) / (uint64_t)count);
    work_share(f, &shares[i]);
  }
  for (int i = 0; i < count; i++) {
    shares[i].first_link = links;
    shares[i].first_start = starts;
    links += shares[i].links.len;
    starts += shares[i].starts.len;
  }
  make_room(&f->links, links);
  make_room(&f->how, links);
  make_room(&f->starts, starts);
  #pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
  for (int i = 0; i < count; i++) {
    settle_share(f, &shares[i]);
    free_share(&shares[i]);
  }
  mem_free(shares);
  return f;
}
