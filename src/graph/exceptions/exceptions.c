/* Compiles exceptions: which objects they mention, how specific they are, and which one applies to
   a path at its end. */
#include "graph/exceptions/exceptions.h"

#include <stdlib.h>

#include "base/interrupt.h"
#include "graph/clocks/clocks.h"
#include "graph/exceptions/exceptions_private.h"
#include "graph/hierarchy.h"

static void mention(Mentions *m, Object o, uint32_t exception, uint8_t edges)
{
  o = object_as_pin(o);
  uint64_t key = hash_pair(o.type, o.id);
  array_push(&m->mentions, (Mention){ exception, map_get(m->first, key), edges });
  map_put(m->first, key, m->mentions.len - 1);
}

/* Returns true if exception e names the object for an edge. */
static bool mentioned(const Mentions *m, uint32_t type, uint32_t id, uint32_t exception, int edge)
{
  uint32_t i = map_get(m->first, hash_pair(type, id));
  for (; i != MAP_NO_VALUE; i = m->mentions.at[i].next)
    if (m->mentions.at[i].exception == exception && m->mentions.at[i].edges >> edge & 1)
      return true;
  return false;
}

static bool any_mention(const Mentions *m, uint32_t type, uint32_t id)
{
  return map_get(m->first, hash_pair(type, id)) != MAP_NO_VALUE;
}

static InstId inst_of(const ExceptionIndex *x, PinId pin)
{
  return x->g->netlist->pins.at[pin].inst;
}
/* Returns the hierarchical cell that a cell is in. NO_INST: the cell is at the top, or no exception
   names a hierarchical cell. */
static InstId block_of(const ExceptionIndex *x, InstId inst)
{
  return x->blocks ? x->g->netlist->insts.at[inst].parent : NO_INST;
}
#define EACH_CELL(x_, inst_, pin_) InstId inst_ = inst_of(x_, pin_); inst_ != NO_INST; \
    inst_ = block_of(x_, inst_)

/* Returns true if exception e names the cell of a pin, or a cell that contains it. */
static bool cell_mentioned(const ExceptionIndex *x, const Mentions *m, PinId pin,
                           uint32_t exception, int edge)
{
  for (EACH_CELL(x, inst, pin))
    if (mentioned(m, OBJ_CELL, inst, exception, edge)) return true;
  return false;
}

/* --- which of two applies --------------------------------------------------------------------- */
bool exception_only_clocks(const ExceptionPoint *p)
{
  for (uint32_t i = 0; i < p->objects.len; i++)
    if (p->objects.at[i].type != OBJ_CLOCK) return false;
  return true;
}

/* Returns how specific an exception is, in the order of SDC: -from pins, -to pins, -through, -from
   clocks, -to clocks. */
static uint32_t rank(const Exception *e)
{
  bool from_clock = e->has_from && exception_only_clocks(&e->from),
       to_clock = e->has_to && exception_only_clocks(&e->to);
  uint32_t r = 0;
  if (e->has_from && !from_clock) r += 64;
  if (e->has_to && !to_clock) r += 32;
  if (e->through.len) r += 16;
  if (from_clock) r += 8;
  if (to_clock) r += 4;
  return r;
}

/* Returns a value above 0 if exception a is tighter than b.  Both have one type. */
static int tighter(const Exception *a, const Exception *b)
{
  switch (a->type) {
  case EXC_MAX_DELAY: return (a->delay < b->delay) - (a->delay > b->delay);
  case EXC_MIN_DELAY: case EXC_PATH_MARGIN: return (a->delay > b->delay) - (a->delay < b->delay);
  case EXC_MULTICYCLE: return (a->cycles < b->cycles) - (a->cycles > b->cycles);
  default: return 0;
  }
}

/* Chooses between two exceptions of one type that match a path: the more specific, then the
   tighter, then the later. */
static bool is_preferred(const ExceptionIndex *x, uint32_t a, uint32_t b)
{
  const Exception *ea = &x->c->exceptions.at[a], *eb = &x->c->exceptions.at[b];
  if (x->rank.at[a] != x->rank.at[b]) return x->rank.at[a] > x->rank.at[b];
  int t = tighter(ea, eb);
  return t ? t > 0 : a > b;
}

/* --- exceptions that are alike ---------------------------------------------------------------- */
static uint64_t mix(uint64_t key, uint64_t more)
{
  return hash_u64(key ^ more) + 0x9e3779b97f4a7c15ull;
}

/* Returns true if two exceptions apply to the same paths with the same words. */
static bool same_kind(const Exception *a, const Exception *b)
{
  return a->type == b->type && a->checks == b->checks && exception_same_paths(a, b);
}

/* The later of two exceptions for the same paths replaces the earlier. */
static void find_replaced(ExceptionIndex *x)
{
  Map *known = map_new();
  array_resize(&x->replaced, x->c->exceptions.len);
  for (uint32_t e = 0; e < x->c->exceptions.len; e++) {
    const Exception *exc = &x->c->exceptions.at[e];
    x->replaced.at[e] = NO_EXCEPTION;
    if (exc->deleted) continue;
    uint64_t key = mix(exception_paths_key(exc), (uint64_t)exc->type << 8 | exc->checks) >> 1;
    uint32_t have;
    for (; (have = map_get(known, key)) != MAP_NO_VALUE; key++)
      if (same_kind(&x->c->exceptions.at[have], exc)) break;
    if (have != MAP_NO_VALUE) x->replaced.at[have] = e;
    map_put(known, key, e);
  }
  map_free(known);
}

static bool same_effect(const Exception *a, const Exception *b)
{
  return a->type == b->type && a->checks == b->checks && a->end_edges == b->end_edges
         && a->delay == b->delay && a->cycles == b->cycles
         && a->cycles_of_start == b->cycles_of_start && a->cycles_side_given == b->cycles_side_given
         && a->ignore_clock_latency == b->ignore_clock_latency && a->group == b->group;
}

static uint64_t effect_key(const ExceptionIndex *x, uint32_t e)
{
  const Exception *exc = &x->c->exceptions.at[e];
  uint64_t delay;
  memcpy(&delay, &exc->delay, sizeof delay);
  uint64_t key = mix(delay, (uint64_t)exc->type << 32 | (uint64_t)exc->checks << 24
                                | (uint64_t)exc->end_edges << 16 | x->rank.at[e]);
  return mix(key, (uint64_t)(uint32_t)exc->cycles << 32 | exc->group) >> 1;
}

/* Exceptions without -to that have the same effect count as one for a path that has completed any
   of them. */
static void find_alike(ExceptionIndex *x)
{
  Map *known = map_new();
  array_resize(&x->like, x->c->exceptions.len);
  for (uint32_t e = 0; e < x->c->exceptions.len; e++) {
    const Exception *exc = &x->c->exceptions.at[e];
    x->like.at[e] = e;
    if (!exception_counts(x, e) || exc->has_to) continue;
    uint64_t key = effect_key(x, e);
    uint32_t have;
    for (; (have = map_get(known, key)) != MAP_NO_VALUE; key++)
      if (x->rank.at[have] == x->rank.at[e] && same_effect(&x->c->exceptions.at[have], exc)) break;
    if (have != MAP_NO_VALUE) x->like.at[e] = have;
    else map_put(known, key, e);
  }
  map_free(known);
}

/* --- building --------------------------------------------------------------------------------- */
/* A hierarchical pin stands for the pins behind it. */
static void mention_object(ExceptionIndex *x, Mentions *m, Object o, uint32_t e, uint8_t edges)
{
  const Netlist *n = x->g->netlist;
  if (o.type == OBJ_CELL && !inst_is_leaf(n, o.id)) x->blocks = true;
  if (o.type != OBJ_PIN || !pin_is_hierarchical(n, o.id)) {
    mention(m, o, e, edges);
    return;
  }
  PinArray pins = { 0 };
  hierarchy_pins_behind(n, o.id, &pins);
  for (uint32_t i = 0; i < pins.len; i++) mention(m, (Object){ OBJ_PIN, pins.at[i] }, e, edges);
  array_free(&pins);
}

static void index_exception(ExceptionIndex *x, uint32_t e)
{
  const Exception *exc = &x->c->exceptions.at[e];
  bool state = exc->through.len > 0 || (exc->has_from && !exception_only_clocks(&exc->from))
               || exception_is_bare(exc);
  array_push(&x->needs_state, state);
  if (!exception_counts(x, e)) return;
  for (uint32_t i = 0; exc->has_from && i < exc->from.objects.len && !interrupt_seen(); i++)
    mention_object(x, &x->from, exc->from.objects.at[i], e, exc->from.edges);
  for (uint32_t i = 0; exc->has_to && i < exc->to.objects.len && !interrupt_seen(); i++) {
    Object o = exc->to.objects.at[i];         /* for a clock these are the edges of the clock; the
                                                 edges of the data are tested separately */
    mention_object(x, &x->to, o, e, o.type == OBJ_CLOCK ? exc->to.edges
                   : exc->to.edges & exc->end_edges);
  }
  if (!state && !exc->has_to) array_push(&x->any_end, e);
  if (exception_is_bare(exc)) x->bare = true;
  if (exception_is_bare(exc) && !exc->has_from) array_push(&x->anywhere, e);
  if (state && exc->has_from)
    for (uint32_t i = 0; i < exc->from.objects.len; i++)
      if (exc->from.objects.at[i].type == OBJ_CLOCK) {
        array_push(&x->clock_from, e);
        break;
      }
  if (exc->end_edges != EDGE_BOTH || (exc->has_to && exc->to.edges != EDGE_BOTH))
    x->end_edges = true;
  if (exc->type == EXC_MAX_DELAY || exc->type == EXC_MIN_DELAY) x->path_delay = true;
}

/* A table that grows to millions of objects takes longer than an interrupt should wait. */
static void reserve_mentions(ExceptionIndex *x)
{
  uint32_t from = 0, to = 0;
  for (uint32_t e = 0; e < x->c->exceptions.len; e++) {
    const Exception *exc = &x->c->exceptions.at[e];
    if (exc->has_from && exc->from.objects.len > from) from = exc->from.objects.len;
    if (exc->has_to && exc->to.objects.len > to) to = exc->to.objects.len;
  }
  map_reserve(x->from.first, from);
  map_reserve(x->to.first, to);
}

/* What else is known of all exceptions. */
static void index_all(ExceptionIndex *x)
{
  index_through_points(x);
  if (x->path_delay) index_cuts(x);
  if (interrupt_seen()) return;
  Drops drops = { 0 };
  if (x->c->exceptions.len) find_drops(x, &drops);
  index_acts(x, &drops);
  array_free(&drops);
}

ExceptionIndex *exception_index_new(const Graph *g, ExceptionTrace *trace)
{
  ExceptionIndex *x = mem_alloc_zero(1, sizeof *x);
  x->g = g;
  x->c = g->constraints;
  x->trace = trace;
  x->from.first = map_new();
  x->to.first = map_new();
  for (uint32_t e = 0; e < x->c->exceptions.len; e++)
    array_push(&x->rank, rank(&x->c->exceptions.at[e]));
  find_replaced(x);
  find_alike(x);
  reserve_mentions(x);
  for (uint32_t e = 0; e < x->c->exceptions.len; e++) index_exception(x, e);
  if (!interrupt_seen()) index_all(x);
  return x;
}

void exception_index_free(ExceptionIndex *x)
{
  if (x == NULL) return;
  map_free(x->from.first);
  map_free(x->to.first);
  array_free(&x->from.mentions);
  array_free(&x->to.mentions);
  array_free(&x->by_exception);
  array_free(&x->by_slot);
  mem_free(x->first_point);
  mem_free(x->first_at_slot);
  mem_free(x->act);
  array_free(&x->acts);
  array_free(&x->points);
  array_free(&x->drops);
  array_free(&x->rank);
  array_free(&x->needs_state);
  array_free(&x->replaced);
  array_free(&x->like);
  array_free(&x->any_end);
  array_free(&x->clock_from);
  array_free(&x->anywhere);
  mem_free(x->cut);
  mem_free(x);
}

bool exception_is_traced(const ExceptionIndex *x) { return x->trace != NULL; }

ActId exception_act(const ExceptionIndex *x, Slot slot) { return x->act ? x->act[slot] : NO_ACT; }

bool exception_end_edges_matter(const ExceptionIndex *x) { return x->end_edges; }
bool exception_has_path_delay(const ExceptionIndex *x) { return x->path_delay; }

/* --- starts and progress ---------------------------------------------------------------------- */
bool exception_start_is_plain(const ExceptionIndex *x, Slot slot)
{
  PinId pin = x->g->slots.pin[slot];
  for (EACH_CELL(x, inst, pin))
    if (any_mention(&x->from, OBJ_CELL, inst)) return false;
  return !any_mention(&x->from, OBJ_PIN, pin);
}

typedef ARRAY(Progress) ProgressArray;

static void add_progress(ProgressArray *list, uint32_t exception, uint32_t passed)
{
  for (uint32_t i = 0; i < list->len; i++)
    if (list->at[i].exception == exception) {
      if (passed > list->at[i].passed) list->at[i].passed = passed;
      return;
    }
  array_push(list, (Progress){ exception, passed });
}

static int by_exception(const void *a, const void *b)
{
  uint32_t x = ((const Progress *)a)->exception, y = ((const Progress *)b)->exception;
  return x < y ? -1 : x > y;
}

static bool is_complete(const ExceptionIndex *x, Progress p)
{
  return p.passed == x->c->exceptions.at[p.exception].through.len;
}

/* Returns true if exception b, which is complete and applies wherever the path ends, leaves no
   effect to a. */
static bool leaves_nothing(const ExceptionIndex *x, uint32_t b, uint32_t a)
{
  const Exception *ea = &x->c->exceptions.at[a], *eb = &x->c->exceptions.at[b];
  if (eb->has_to || ea->checks & ~eb->checks || ea->end_edges & ~eb->end_edges) return false;
  return ea->type == eb->type && (x->like.at[a] == b || is_preferred(x, b, a));
}

/* Adds an exception to the tally. Returns true if it is new. */
static bool tally_add(Tally *t, uint32_t exception, uint32_t id)
{
  uint64_t key = hash_pair(exception, id);
  if (map_get(t->seen, key) != MAP_NO_VALUE) return false;
  map_put(t->seen, key, 1);
  t->count.at[exception]++;
  return true;
}

/* Removes progress that cannot make a difference. Of equivalent exceptions that are complete, one
   is kept. An exception to which another one leaves no effect is not kept. */
static void simplify(const ExceptionIndex *x, ProgressArray *list)
{
  if (list->len == 0) return;
  for (uint32_t i = 0; i < list->len; i++)
    if (is_complete(x, list->at[i])) {
      uint32_t like = x->like.at[list->at[i].exception];
      list->at[i] = (Progress){ like, x->c->exceptions.at[like].through.len };
    }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->len; i++) {
    bool useless = false;
    for (uint32_t k = 0; k < list->len && !useless; k++) {
      if (k == i || !is_complete(x, list->at[k])) continue;
      if (list->at[k].exception == list->at[i].exception)
        useless = !is_complete(x, list->at[i]) || k < i;
      else useless = leaves_nothing(x, list->at[k].exception, list->at[i].exception);
      if (useless && is_complete(x, list->at[i]))
        trace_beaten(x, list->at[i].exception, list->at[k].exception);
    }
    if (!useless) list->at[kept++] = list->at[i];
  }
  list->len = kept;
}

/* Simplifies a list of progress, interns it as a state, and frees it. */
static StateId intern(const ExceptionIndex *x, TagTable *tags, ProgressArray *list)
{
  simplify(x, list);
  if (list->len > 1) qsort(list->at, list->len, sizeof *list->at, by_exception);
  StateId s = tag_state_add(tags, list->at, list->len);
  array_free(list);
  return s;
}

static void start_mentions(const ExceptionIndex *x, ProgressArray *list, PinId pin, Object named,
                           int edge)
{
  uint32_t i = map_get(x->from.first, hash_pair(named.type, named.id));
  for (; i != MAP_NO_VALUE; i = x->from.mentions.at[i].next) {
    const Mention *m = &x->from.mentions.at[i];
    if (!x->needs_state.at[m->exception] || !(m->edges >> edge & 1)) continue;
    add_progress(list, m->exception, 0);
    if (x->trace) tally_add(&x->trace->starts, m->exception, pin);
  }
}

static bool is_dropped(const ExceptionIndex *x, const Act *a, Progress p)
{
  const Progress *drops = array_from(&x->drops, a->first_drop);
  uint32_t low = 0, high = a->drops;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (drops[middle].exception < p.exception
        || (drops[middle].exception == p.exception && drops[middle].passed < p.passed))
      low = middle + 1;
    else high = middle;
  }
  return low < a->drops && drops[low].exception == p.exception && drops[low].passed == p.passed;
}

static void drop(const ExceptionIndex *x, const Act *a, ProgressArray *list)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->len; i++)
    if (!is_dropped(x, a, list->at[i])) list->at[kept++] = list->at[i];
  list->len = kept;
}

/* Advances the progress of a path by the points of a slot. begins: the path begins at the slot
   itself, behind its wire. */
static void pass_points(const ExceptionIndex *x, const Act *a, ProgressArray *list, int edge,
                        bool begins)
{
  const ThroughPoint *points = array_from(&x->points, a->first_point);
  for (uint32_t i = 0; i < a->points; i++) {
    if (!(points[i].edges >> edge & 1) || (begins && points[i].wire)) continue;
    if (points[i].index == 0 && !exception_has_start(&x->c->exceptions.at[points[i].exception]))
      add_progress(list, points[i].exception, 1);
    for (uint32_t k = 0; k < list->len; k++)
      if (list->at[k].exception == points[i].exception && list->at[k].passed == points[i].index)
        list->at[k].passed++;
  }
}

static bool holds(const Progress *list, uint32_t count, Progress p)
{
  for (uint32_t i = 0; i < count; i++)
    if (list[i].exception == p.exception && list[i].passed == p.passed) return true;
  return false;
}

/* Returns the state after a slot for a path that comes there with a state.  If it is data, a false
   path may stop it. */
static void trace_completed(const ExceptionIndex *x, const ProgressArray *list,
                            const Progress *before, uint32_t count, PassedSlot at)
{
  for (uint32_t i = 0; x->trace && i < list->len; i++) {
    Progress p = list->at[i];
    if (!is_complete(x, p) || holds(before, count, p)) continue;
    tally_add(&x->trace->completed, p.exception, at.slot);
    if (!at.is_clock && tally_add(&x->trace->stopped, p.exception, at.slot))
      array_push(&x->trace->stops, ((Stop){ p.exception, at.slot, at.start }));
  }
}

static void start_points(const ExceptionIndex *x, ProgressArray *list, const PathStart *start,
                         uint32_t index)
{
  PinId pin = x->g->slots.pin[start->slot[index]];
  start_mentions(x, list, pin, (Object){ OBJ_PIN, pin }, start->edge[index]);
  for (EACH_CELL(x, inst, pin))
    start_mentions(x, list, pin, (Object){ OBJ_CELL, inst }, start->edge[index]);
}

static void pass_start(const ExceptionIndex *x, ProgressArray *list, const PathStart *start,
                       uint32_t index)
{
  ActId act = exception_act(x, start->slot[index]);
  if (act == NO_ACT) return;
  pass_points(x, &x->acts.at[act], list, start->edge[index], true);
  if (start->here) drop(x, &x->acts.at[act], list);
}

StateId exception_start(const ExceptionIndex *x, TagTable *tags, const PathStart *start)
{
  ProgressArray list = { 0 };
  Slot last = start->slot[start->count - 1];
  for (uint32_t i = 0; i < start->count; i++) start_points(x, &list, start, i);
  if (start->clock != NO_CLOCK_EDGE && x->clock_from.len)
    start_mentions(x, &list, x->g->slots.pin[last],
                   (Object){ OBJ_CLOCK, clock_edge_clock(start->clock) },
                     clock_edge_edge(start->clock));
  for (uint32_t i = 0; i < x->anywhere.len; i++) add_progress(&list, x->anywhere.at[i], 0);
  for (uint32_t i = 0; i < start->count; i++) pass_start(x, &list, start, i);
  trace_completed(x, &list, NULL, 0, (PassedSlot){ last, 0, start->is_clock, true });
  return intern(x, tags, &list);
}

StateId exception_pass(const ExceptionIndex *x, TagTable *tags, StateId state, PassedSlot at)
{
  ActId act = exception_act(x, at.slot);
  if (act == NO_ACT) return state;
  const Act *a = &x->acts.at[act];
  ProgressArray list = { 0 };
  uint32_t have = tag_state_count(tags, state);
  for (uint32_t i = 0; i < have; i++) array_push(&list, tag_state(tags, state)[i]);
  pass_points(x, a, &list, at.edge, false);
  if (x->trace) trace_completed(x, &list, tag_state(tags, state), have, at);
  drop(x, a, &list);
  return intern(x, tags, &list);
}

bool exception_ends_here(const ExceptionIndex *x, Slot slot, int edge)
{
  ActId act = exception_act(x, slot);
  return act != NO_ACT && x->acts.at[act].ends >> edge & 1;
}

bool exception_has_bare(const ExceptionIndex *x) { return x->bare; }

bool exception_state_is_bare(const ExceptionIndex *x, const TagTable *tags, StateId state)
{
  const Progress *p = tag_state(tags, state);
  for (uint32_t i = 0; i < tag_state_count(tags, state); i++)
    if (exception_is_bare(&x->c->exceptions.at[p[i].exception])) return true;
  return false;
}

int exception_cut(const ExceptionIndex *x, Slot slot) { return x->cut ? x->cut[slot] : 0; }

bool exception_state_is_dead(const ExceptionIndex *x, const TagTable *tags, StateId state)
{
  const Progress *p = tag_state(tags, state);
  for (uint32_t i = 0; i < tag_state_count(tags, state); i++)
    if (is_complete(x, p[i]) && exception_ends_path(&x->c->exceptions.at[p[i].exception]))
      return true;
  return false;
}

/* --- ends ------------------------------------------------------------------------------------- */
static bool end_matches(const ExceptionIndex *x, uint32_t e, const ExceptionEnd *end)
{
  const Exception *exc = &x->c->exceptions.at[e];
  if (!exc->has_to) return exc->end_edges >> end->end_edge & 1;
  if (mentioned(&x->to, OBJ_PIN, end->end_pin, e, end->end_edge)) return true;
  if (cell_mentioned(x, &x->to, end->end_pin, e, end->end_edge)) return true;
  if (end->capture == NO_CLOCK_EDGE || !(exc->end_edges >> end->end_edge & 1)) return false;
  return mentioned(&x->to, OBJ_CLOCK, clock_edge_clock(end->capture), e,
                   clock_edge_edge(end->capture));
}

static bool from_matches(const ExceptionIndex *x, uint32_t e, const ExceptionEnd *end)
{
  if (!x->c->exceptions.at[e].has_from) return true;
  if (end->launch == NO_CLOCK_EDGE) return false;
  return mentioned(&x->from, OBJ_CLOCK, clock_edge_clock(end->launch), e,
                   clock_edge_edge(end->launch));
}

static void prefer(const ExceptionIndex *x, ExceptionId *slot, uint32_t e)
{
  ExceptionId have = *slot;
  if (have == NO_EXCEPTION || is_preferred(x, e, have)) *slot = e;
  if (have != NO_EXCEPTION) trace_beaten(x, *slot == e ? have : e, *slot);
}

static void apply(const ExceptionIndex *x, PathExceptions *r, uint32_t e, const ExceptionEnd *end)
{
  const Exception *exc = &x->c->exceptions.at[e];
  if (!exception_counts(x, e) || !end_matches(x, e, end)) return;
  if (x->trace) tally_add(&x->trace->met, e, end->end_pin);
  if (exc->type == EXC_GROUP) {
    prefer(x, &r->group, e);
    return;
  }
  if (exc->type == EXC_MULTICYCLE) {   /* a setup multicycle moves the hold edge as well */
    if (exc->checks >> SETUP & 1) prefer(x, &r->multicycle[SETUP], e);
    if (exc->checks >> HOLD & 1) prefer(x, &r->multicycle[HOLD], e);
    return;
  }
  if (!(exc->checks >> end->check & 1)) return;
  if (exc->type == EXC_FALSE) {
    r->is_false = true;
    r->false_path = e;
  }
  if (exc->type == EXC_MAX_DELAY && end->check == SETUP) prefer(x, &r->max_delay, e);
  else if (exc->type == EXC_MIN_DELAY && end->check == HOLD) prefer(x, &r->min_delay, e);
  else if (exc->type == EXC_PATH_MARGIN) prefer(x, &r->margin, e);
}

/* Applies the exceptions without a state whose -to names an object. */
static void apply_mentioned(const ExceptionIndex *x, PathExceptions *r, uint32_t type, uint32_t id,
                            const ExceptionEnd *end)
{
  uint32_t i = map_get(x->to.first, hash_pair(type, id));
  for (; i != MAP_NO_VALUE; i = x->to.mentions.at[i].next) {
    uint32_t e = x->to.mentions.at[i].exception;
    if (!x->needs_state.at[e] && from_matches(x, e, end)) apply(x, r, e, end);
  }
}

/* Is there a path end if no exception makes the paths false? delay: the path delay that applies.
   No path between clocks of groups that exclude each other is checked. */
static bool has_path_end(const ExceptionIndex *x, const ExceptionEnd *end, ExceptionId delay)
{
  if (end->launch == NO_CLOCK_EDGE || end->capture == NO_CLOCK_EDGE) return delay != NO_EXCEPTION;
  return !clocks_exclusive(x->c, clock_edge_clock(end->launch), clock_edge_clock(end->capture));
}

/* Records in the trace which exceptions apply at an end. A false path leaves no effect to other
   exceptions, and a path delay none to multicycles. */
static void trace_end(const ExceptionIndex *x, const PathExceptions *r, const ExceptionEnd *end)
{
  ExceptionId delay = end->check == SETUP ? r->max_delay : r->min_delay;
  ExceptionId winner = r->is_false ? r->false_path : delay;
  ExceptionId others[] = { delay, r->multicycle[SETUP],
                           end->check == HOLD ? r->multicycle[HOLD] : NO_EXCEPTION, r->margin,
                           r->group };
  if (!has_path_end(x, end, delay)) return;
  if (r->is_false) tally_add(&x->trace->decided, r->false_path, end->end_pin);
  for (int i = 0; i < 5; i++) {
    bool beaten = r->is_false || ((i == 1 || i == 2) && delay != NO_EXCEPTION);
    if (others[i] == NO_EXCEPTION) continue;
    if (beaten) trace_beaten(x, others[i], winner);
    else tally_add(&x->trace->decided, others[i], end->end_pin);
  }
}

PathExceptions exception_at_end(const ExceptionIndex *x, const TagTable *tags,
                                const ExceptionEnd *end)
{
  PathExceptions r = { false,        NO_EXCEPTION, { NO_EXCEPTION, NO_EXCEPTION },
                       NO_EXCEPTION, NO_EXCEPTION, NO_EXCEPTION,
                       NO_EXCEPTION };
  const Progress *p = tag_state(tags, end->state);
  for (uint32_t i = 0; i < tag_state_count(tags, end->state); i++)
    if (p[i].passed == x->c->exceptions.at[p[i].exception].through.len)
      apply(x, &r, p[i].exception, end);
  for (uint32_t i = 0; i < x->any_end.len; i++)
    if (from_matches(x, x->any_end.at[i], end)) apply(x, &r, x->any_end.at[i], end);
  apply_mentioned(x, &r, OBJ_PIN, end->end_pin, end);
  for (EACH_CELL(x, inst, end->end_pin)) apply_mentioned(x, &r, OBJ_CELL, inst, end);
  if (end->capture != NO_CLOCK_EDGE)
    apply_mentioned(x, &r, OBJ_CLOCK, clock_edge_clock(end->capture), end);
  if (x->trace) trace_end(x, &r, end);
  return r;
}
