/* Compiles exceptions: which objects they mention, how specific they are, and which one applies to
   a path at its end. */
#include "graph/exceptions/exceptions.h"

#include <stdlib.h>

#include "base/interrupt.h"
#include "graph/clocks/clocks.h"
#include "graph/exceptions/exceptions_private.h"
#include "graph/hierarchy.h"

static void mention(Mentions *mentions, Object o, uint32_t exception, uint8_t edges)
{
  o = object_as_pin(o);
  uint64_t key = hash_pair(o.type, o.id);
  array_push(&mentions->mentions, (Mention){ exception, map_get(mentions->first, key), edges });
  map_put(mentions->first, key, mentions->mentions.len - 1);
}

/* Returns true if exception e names the object for an edge. */
static bool mentioned(const Mentions *mentions, uint32_t type, uint32_t id, uint32_t exception,
                      int edge)
{
  uint32_t i = map_get(mentions->first, hash_pair(type, id));
  for (; i != MAP_NO_VALUE; i = mentions->mentions.at[i].next)
    if (mentions->mentions.at[i].exception == exception
        && mentions->mentions.at[i].edges >> edge & 1)
      return true;
  return false;
}

static bool any_mention(const Mentions *mentions, uint32_t type, uint32_t id)
{
  return map_get(mentions->first, hash_pair(type, id)) != MAP_NO_VALUE;
}

static InstId inst_of(const ExceptionIndex *index, PinId pin)
{
  return index->g->netlist->pins.at[pin].inst;
}
/* Returns the hierarchical cell that a cell is in. NO_INST: the cell is at the top, or no exception
   names a hierarchical cell. */
static InstId block_of(const ExceptionIndex *index, InstId inst)
{
  return index->blocks ? index->g->netlist->insts.at[inst].parent : NO_INST;
}
#define EACH_CELL(x_, inst_, pin_) InstId inst_ = inst_of(x_, pin_); inst_ != NO_INST; \
    inst_ = block_of(x_, inst_)

/* Returns true if exception e names the cell of a pin, or a cell that contains it. */
static bool cell_mentioned(const ExceptionIndex *index, const Mentions *mentions, PinId pin,
                           uint32_t exception, int edge)
{
  for (EACH_CELL(index, inst, pin))
    if (mentioned(mentions, OBJ_CELL, inst, exception, edge)) return true;
  return false;
}

/* --- which of two applies --------------------------------------------------------------------- */
bool exception_only_clocks(const ExceptionPoint *point)
{
  for (uint32_t i = 0; i < point->objects.len; i++)
    if (point->objects.at[i].type != OBJ_CLOCK) return false;
  return true;
}

/* Returns how specific an exception is, in the order of SDC: -from pins, -to pins, -through, -from
   clocks, -to clocks. */
static uint32_t rank(const Exception *exception)
{
  bool from_clock = exception->has_from && exception_only_clocks(&exception->from),
       to_clock = exception->has_to && exception_only_clocks(&exception->to);
  uint32_t r = 0;
  if (exception->has_from && !from_clock) r += 64;
  if (exception->has_to && !to_clock) r += 32;
  if (exception->through.len) r += 16;
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
static bool is_preferred(const ExceptionIndex *index, uint32_t a, uint32_t b)
{
  const Exception *ea = &index->c->exceptions.at[a], *eb = &index->c->exceptions.at[b];
  if (index->rank.at[a] != index->rank.at[b]) return index->rank.at[a] > index->rank.at[b];
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
static void find_replaced(ExceptionIndex *index)
{
  Map *known = map_new();
  array_resize(&index->replaced, index->c->exceptions.len);
  for (uint32_t e = 0; e < index->c->exceptions.len; e++) {
    const Exception *exc = &index->c->exceptions.at[e];
    index->replaced.at[e] = NO_EXCEPTION;
    if (exc->deleted) continue;
    uint64_t key = mix(exception_paths_key(exc), (uint64_t)exc->type << 8 | exc->checks) >> 1;
    uint32_t have;
    for (; (have = map_get(known, key)) != MAP_NO_VALUE; key++)
      if (same_kind(&index->c->exceptions.at[have], exc)) break;
    if (have != MAP_NO_VALUE) index->replaced.at[have] = e;
    map_put(known, key, e);
  }
  map_free(known);
}

static bool same_effect(const Exception *a, const Exception *b)
{
  return a->type == b->type && a->checks == b->checks && a->end_edges == b->end_edges
         && a->delay == b->delay && a->cycles == b->cycles
         && a->cycles_of_start == b->cycles_of_start
         && a->cycles_clock_given == b->cycles_clock_given
         && a->ignore_clock_latency == b->ignore_clock_latency && a->group == b->group;
}

static uint64_t effect_key(const ExceptionIndex *index, uint32_t e)
{
  const Exception *exc = &index->c->exceptions.at[e];
  uint64_t delay;
  memcpy(&delay, &exc->delay, sizeof delay);
  uint64_t key = mix(delay, (uint64_t)exc->type << 32 | (uint64_t)exc->checks << 24
                                | (uint64_t)exc->end_edges << 16 | index->rank.at[e]);
  return mix(key, (uint64_t)(uint32_t)exc->cycles << 32 | exc->group) >> 1;
}

/* Exceptions without -to that have the same effect count as one for a path that has completed any
   of them. */
static void find_alike(ExceptionIndex *index)
{
  Map *known = map_new();
  array_resize(&index->like, index->c->exceptions.len);
  for (uint32_t e = 0; e < index->c->exceptions.len; e++) {
    const Exception *exc = &index->c->exceptions.at[e];
    index->like.at[e] = e;
    if (!exception_counts(index, e) || exc->has_to) continue;
    uint64_t key = effect_key(index, e);
    uint32_t have;
    for (; (have = map_get(known, key)) != MAP_NO_VALUE; key++)
      if (index->rank.at[have] == index->rank.at[e]
          && same_effect(&index->c->exceptions.at[have], exc))
        break;
    if (have != MAP_NO_VALUE) index->like.at[e] = have;
    else map_put(known, key, e);
  }
  map_free(known);
}

/* --- building --------------------------------------------------------------------------------- */
/* A hierarchical pin stands for the pins behind it. */
static void mention_object(ExceptionIndex *index, Mentions *mentions, Object o, uint32_t e,
                           uint8_t edges)
{
  const Netlist *n = index->g->netlist;
  if (o.type == OBJ_CELL && !inst_is_leaf(n, o.id)) index->blocks = true;
  if (o.type != OBJ_PIN || !pin_is_hierarchical(n, o.id)) {
    mention(mentions, o, e, edges);
    return;
  }
  PinArray pins = { 0 };
  hierarchy_pins_behind(n, o.id, &pins);
  for (uint32_t i = 0; i < pins.len; i++)
    mention(mentions, (Object){ OBJ_PIN, pins.at[i] }, e, edges);
  array_free(&pins);
}

static void index_exception(ExceptionIndex *index, uint32_t e)
{
  const Exception *exc = &index->c->exceptions.at[e];
  bool state = exc->through.len > 0 || (exc->has_from && !exception_only_clocks(&exc->from))
               || exception_is_bare(exc);
  array_push(&index->needs_state, state);
  if (!exception_counts(index, e)) return;
  for (uint32_t i = 0; exc->has_from && i < exc->from.objects.len && !interrupt_seen(); i++)
    mention_object(index, &index->from, exc->from.objects.at[i], e, exc->from.edges);
  for (uint32_t i = 0; exc->has_to && i < exc->to.objects.len && !interrupt_seen(); i++) {
    Object o = exc->to.objects.at[i];         /* for a clock these are the edges of the clock; the
                                                 edges of the data are tested separately */
    mention_object(index, &index->to, o, e,
                   o.type == OBJ_CLOCK ? exc->to.edges : exc->to.edges & exc->end_edges);
  }
  if (!state && !exc->has_to) array_push(&index->any_end, e);
  if (exception_is_bare(exc)) index->bare = true;
  if (exception_is_bare(exc) && !exc->has_from) array_push(&index->anywhere, e);
  if (state && exc->has_from)
    for (uint32_t i = 0; i < exc->from.objects.len; i++)
      if (exc->from.objects.at[i].type == OBJ_CLOCK) {
        array_push(&index->clock_from, e);
        break;
      }
  if (exc->end_edges != EDGE_BOTH || (exc->has_to && exc->to.edges != EDGE_BOTH))
    index->end_edges = true;
  if (exc->type == EXC_MAX_DELAY || exc->type == EXC_MIN_DELAY) index->path_delay = true;
}

/* A table that grows to millions of objects takes longer than an interrupt should wait. */
static void reserve_mentions(ExceptionIndex *index)
{
  uint32_t from = 0, to = 0;
  for (uint32_t e = 0; e < index->c->exceptions.len; e++) {
    const Exception *exc = &index->c->exceptions.at[e];
    if (exc->has_from && exc->from.objects.len > from) from = exc->from.objects.len;
    if (exc->has_to && exc->to.objects.len > to) to = exc->to.objects.len;
  }
  map_reserve(index->from.first, from);
  map_reserve(index->to.first, to);
}

/* What else is known of all exceptions. */
static void index_all(ExceptionIndex *index)
{
  index_through_points(index);
  if (index->path_delay) index_cuts(index);
  if (interrupt_seen()) return;
  Drops drops = { 0 };
  if (index->c->exceptions.len) find_drops(index, &drops);
  index_acts(index, &drops);
  array_free(&drops);
}

ExceptionIndex *exception_index_new(const Graph *g, ExceptionTrace *trace)
{
  ExceptionIndex *index = mem_alloc_zero(1, sizeof *index);
  index->g = g;
  index->c = g->constraints;
  index->trace = trace;
  index->from.first = map_new();
  index->to.first = map_new();
  for (uint32_t e = 0; e < index->c->exceptions.len; e++)
    array_push(&index->rank, rank(&index->c->exceptions.at[e]));
  find_replaced(index);
  find_alike(index);
  reserve_mentions(index);
  for (uint32_t e = 0; e < index->c->exceptions.len; e++) index_exception(index, e);
  if (!interrupt_seen()) index_all(index);
  return index;
}

void exception_index_free(ExceptionIndex *index)
{
  if (index == NULL) return;
  map_free(index->from.first);
  map_free(index->to.first);
  array_free(&index->from.mentions);
  array_free(&index->to.mentions);
  array_free(&index->by_exception);
  array_free(&index->by_slot);
  mem_free(index->first_point);
  mem_free(index->first_at_slot);
  mem_free(index->act);
  array_free(&index->acts);
  array_free(&index->points);
  array_free(&index->drops);
  array_free(&index->rank);
  array_free(&index->needs_state);
  array_free(&index->replaced);
  array_free(&index->like);
  array_free(&index->any_end);
  array_free(&index->clock_from);
  array_free(&index->anywhere);
  mem_free(index->cut);
  mem_free(index);
}

bool exception_is_traced(const ExceptionIndex *index) { return index->trace != NULL; }

ActId exception_act(const ExceptionIndex *index, Slot slot)
{
  return index->act ? index->act[slot] : NO_ACT;
}

bool exception_end_edges_matter(const ExceptionIndex *index) { return index->end_edges; }
bool exception_has_path_delay(const ExceptionIndex *index) { return index->path_delay; }

/* --- starts and progress ---------------------------------------------------------------------- */
bool exception_start_is_plain(const ExceptionIndex *index, Slot slot)
{
  PinId pin = index->g->slots.pin[slot];
  for (EACH_CELL(index, inst, pin))
    if (any_mention(&index->from, OBJ_CELL, inst)) return false;
  return !any_mention(&index->from, OBJ_PIN, pin);
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

static bool is_complete(const ExceptionIndex *index, Progress p)
{
  return p.passed == index->c->exceptions.at[p.exception].through.len;
}

/* Returns true if exception b, which is complete and applies wherever the path ends, leaves no
   effect to a. */
static bool leaves_nothing(const ExceptionIndex *index, uint32_t b, uint32_t a)
{
  const Exception *ea = &index->c->exceptions.at[a], *eb = &index->c->exceptions.at[b];
  if (eb->has_to || ea->checks & ~eb->checks || ea->end_edges & ~eb->end_edges) return false;
  return ea->type == eb->type && (index->like.at[a] == b || is_preferred(index, b, a));
}

/* Adds an exception to the tally. Returns true if it is new. */
static bool tally_add(Tally *tally, uint32_t exception, uint32_t id)
{
  uint64_t key = hash_pair(exception, id);
  if (map_get(tally->seen, key) != MAP_NO_VALUE) return false;
  map_put(tally->seen, key, 1);
  tally->count.at[exception]++;
  return true;
}

/* Removes progress that cannot make a difference. Of equivalent exceptions that are complete, one
   is kept. An exception to which another one leaves no effect is not kept. */
static void simplify(const ExceptionIndex *index, ProgressArray *list)
{
  if (list->len == 0) return;
  for (uint32_t i = 0; i < list->len; i++)
    if (is_complete(index, list->at[i])) {
      uint32_t like = index->like.at[list->at[i].exception];
      list->at[i] = (Progress){ like, index->c->exceptions.at[like].through.len };
    }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->len; i++) {
    bool useless = false;
    for (uint32_t k = 0; k < list->len && !useless; k++) {
      if (k == i || !is_complete(index, list->at[k])) continue;
      if (list->at[k].exception == list->at[i].exception)
        useless = !is_complete(index, list->at[i]) || k < i;
      else useless = leaves_nothing(index, list->at[k].exception, list->at[i].exception);
      if (useless && is_complete(index, list->at[i]))
        trace_beaten(index, list->at[i].exception, list->at[k].exception);
    }
    if (!useless) list->at[kept++] = list->at[i];
  }
  list->len = kept;
}

/* Simplifies a list of progress, interns it as a state, and frees it. */
static StateId intern(const ExceptionIndex *index, TagTable *tags, ProgressArray *list)
{
  simplify(index, list);
  if (list->len > 1) qsort(list->at, list->len, sizeof *list->at, by_exception);
  StateId s = tag_state_add(tags, list->at, list->len);
  array_free(list);
  return s;
}

static void start_mentions(const ExceptionIndex *index, ProgressArray *list, PinId pin,
                           Object named, int edge)
{
  uint32_t i = map_get(index->from.first, hash_pair(named.type, named.id));
  for (; i != MAP_NO_VALUE; i = index->from.mentions.at[i].next) {
    const Mention *mention = &index->from.mentions.at[i];
    if (!index->needs_state.at[mention->exception] || !(mention->edges >> edge & 1)) continue;
    add_progress(list, mention->exception, 0);
    if (index->trace) tally_add(&index->trace->starts, mention->exception, pin);
  }
}

static bool is_dropped(const ExceptionIndex *index, const Act *act, Progress p)
{
  const Progress *drops = array_from(&index->drops, act->first_drop);
  uint32_t low = 0, high = act->drops;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (drops[middle].exception < p.exception
        || (drops[middle].exception == p.exception && drops[middle].passed < p.passed))
      low = middle + 1;
    else high = middle;
  }
  return low < act->drops && drops[low].exception == p.exception && drops[low].passed == p.passed;
}

static void drop(const ExceptionIndex *index, const Act *act, ProgressArray *list)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->len; i++)
    if (!is_dropped(index, act, list->at[i])) list->at[kept++] = list->at[i];
  list->len = kept;
}

/* Advances the progress of a path by the points of a slot. begins: the path begins at the slot
   itself, behind its wire. */
static void pass_points(const ExceptionIndex *index, const Act *act, ProgressArray *list, int edge,
                        bool begins)
{
  const ThroughPoint *points = array_from(&index->points, act->first_point);
  for (uint32_t i = 0; i < act->points; i++) {
    if (!(points[i].edges >> edge & 1) || (begins && points[i].wire)) continue;
    if (points[i].index == 0 && !exception_has_start(&index->c->exceptions.at[points[i].exception]))
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
static void trace_completed(const ExceptionIndex *index, const ProgressArray *list,
                            const Progress *before, uint32_t count, PassedSlot at)
{
  for (uint32_t i = 0; index->trace && i < list->len; i++) {
    Progress p = list->at[i];
    if (!is_complete(index, p) || holds(before, count, p)) continue;
    tally_add(&index->trace->completed, p.exception, at.slot);
    if (!at.is_clock && tally_add(&index->trace->stopped, p.exception, at.slot))
      array_push(&index->trace->stops, ((Stop){ p.exception, at.slot, at.start }));
  }
}

static void start_points(const ExceptionIndex *exception_index, ProgressArray *list,
                         const PathStart *start, uint32_t index)
{
  PinId pin = exception_index->g->slots.pin[start->slot[index]];
  start_mentions(exception_index, list, pin, (Object){ OBJ_PIN, pin }, start->edge[index]);
  for (EACH_CELL(exception_index, inst, pin))
    start_mentions(exception_index, list, pin, (Object){ OBJ_CELL, inst }, start->edge[index]);
}

static void pass_start(const ExceptionIndex *exception_index, ProgressArray *list,
                       const PathStart *start, uint32_t index)
{
  ActId act = exception_act(exception_index, start->slot[index]);
  if (act == NO_ACT) return;
  pass_points(exception_index, &exception_index->acts.at[act], list, start->edge[index], true);
  if (start->here) drop(exception_index, &exception_index->acts.at[act], list);
}

StateId exception_start(const ExceptionIndex *index, TagTable *tags, const PathStart *start)
{
  ProgressArray list = { 0 };
  Slot last = start->slot[start->count - 1];
  for (uint32_t i = 0; i < start->count; i++) start_points(index, &list, start, i);
  if (start->clock != NO_CLOCK_EDGE && index->clock_from.len)
    start_mentions(index, &list, index->g->slots.pin[last],
                   (Object){ OBJ_CLOCK, clock_edge_clock(start->clock) },
                   clock_edge_edge(start->clock));
  for (uint32_t i = 0; i < index->anywhere.len; i++) add_progress(&list, index->anywhere.at[i], 0);
  for (uint32_t i = 0; i < start->count; i++) pass_start(index, &list, start, i);
  trace_completed(index, &list, NULL, 0, (PassedSlot){ last, 0, start->is_clock, true });
  return intern(index, tags, &list);
}

StateId exception_pass(const ExceptionIndex *index, TagTable *tags, StateId state, PassedSlot at)
{
  ActId act = exception_act(index, at.slot);
  if (act == NO_ACT) return state;
  const Act *the_act = &index->acts.at[act];
  ProgressArray list = { 0 };
  uint32_t have = tag_state_count(tags, state);
  for (uint32_t i = 0; i < have; i++) array_push(&list, tag_state(tags, state)[i]);
  pass_points(index, the_act, &list, at.edge, false);
  if (index->trace) trace_completed(index, &list, tag_state(tags, state), have, at);
  drop(index, the_act, &list);
  return intern(index, tags, &list);
}

bool exception_ends_here(const ExceptionIndex *index, Slot slot, int edge)
{
  ActId act = exception_act(index, slot);
  return act != NO_ACT && index->acts.at[act].ends >> edge & 1;
}

bool exception_has_bare(const ExceptionIndex *index) { return index->bare; }

bool exception_state_is_bare(const ExceptionIndex *index, const TagTable *tags, StateId state)
{
  const Progress *progress = tag_state(tags, state);
  for (uint32_t i = 0; i < tag_state_count(tags, state); i++)
    if (exception_is_bare(&index->c->exceptions.at[progress[i].exception])) return true;
  return false;
}

int exception_cut(const ExceptionIndex *index, Slot slot)
{
  return index->cut ? index->cut[slot] : 0;
}

bool exception_state_is_dead(const ExceptionIndex *index, const TagTable *tags, StateId state)
{
  const Progress *progress = tag_state(tags, state);
  for (uint32_t i = 0; i < tag_state_count(tags, state); i++)
    if (is_complete(index, progress[i])
        && exception_ends_path(&index->c->exceptions.at[progress[i].exception]))
      return true;
  return false;
}

/* --- ends ------------------------------------------------------------------------------------- */
static bool end_matches(const ExceptionIndex *index, uint32_t e, const ExceptionEnd *end)
{
  const Exception *exc = &index->c->exceptions.at[e];
  if (!exc->has_to) return exc->end_edges >> end->end_edge & 1;
  if (mentioned(&index->to, OBJ_PIN, end->end_pin, e, end->end_edge)) return true;
  if (cell_mentioned(index, &index->to, end->end_pin, e, end->end_edge)) return true;
  if (end->capture == NO_CLOCK_EDGE || !(exc->end_edges >> end->end_edge & 1)) return false;
  return mentioned(&index->to, OBJ_CLOCK, clock_edge_clock(end->capture), e,
                   clock_edge_edge(end->capture));
}

static bool from_matches(const ExceptionIndex *index, uint32_t e, const ExceptionEnd *end)
{
  if (!index->c->exceptions.at[e].has_from) return true;
  if (end->launch == NO_CLOCK_EDGE) return false;
  return mentioned(&index->from, OBJ_CLOCK, clock_edge_clock(end->launch), e,
                   clock_edge_edge(end->launch));
}

static void prefer(const ExceptionIndex *index, ExceptionId *slot, uint32_t e)
{
  ExceptionId have = *slot;
  if (have == NO_EXCEPTION || is_preferred(index, e, have)) *slot = e;
  if (have != NO_EXCEPTION) trace_beaten(index, *slot == e ? have : e, *slot);
}

static void apply(const ExceptionIndex *index, PathExceptions *exceptions, uint32_t e,
                  const ExceptionEnd *end)
{
  const Exception *exc = &index->c->exceptions.at[e];
  if (!exception_counts(index, e) || !end_matches(index, e, end)) return;
  if (index->trace) tally_add(&index->trace->met, e, end->end_pin);
  if (exc->type == EXC_GROUP) {
    prefer(index, &exceptions->group, e);
    return;
  }
  if (exc->type == EXC_MULTICYCLE) {   /* a setup multicycle moves the hold edge as well */
    if (exc->checks >> SETUP & 1) prefer(index, &exceptions->multicycle[SETUP], e);
    if (exc->checks >> HOLD & 1) prefer(index, &exceptions->multicycle[HOLD], e);
    return;
  }
  if (!(exc->checks >> end->check & 1)) return;
  if (exc->type == EXC_FALSE) {
    exceptions->is_false = true;
    exceptions->false_path = e;
  }
  if (exc->type == EXC_MAX_DELAY && end->check == SETUP) prefer(index, &exceptions->max_delay, e);
  else if (exc->type == EXC_MIN_DELAY && end->check == HOLD)
    prefer(index, &exceptions->min_delay, e);
  else if (exc->type == EXC_PATH_MARGIN) prefer(index, &exceptions->margin, e);
}

/* Applies the exceptions without a state whose -to names an object. */
static void apply_mentioned(const ExceptionIndex *index, PathExceptions *exceptions, uint32_t type,
                            uint32_t id, const ExceptionEnd *end)
{
  uint32_t i = map_get(index->to.first, hash_pair(type, id));
  for (; i != MAP_NO_VALUE; i = index->to.mentions.at[i].next) {
    uint32_t e = index->to.mentions.at[i].exception;
    if (!index->needs_state.at[e] && from_matches(index, e, end)) apply(index, exceptions, e, end);
  }
}

/* Is there a path end if no exception makes the paths false? delay: the path delay that applies.
   No path between clocks of groups that exclude each other is checked. */
static bool has_path_end(const ExceptionIndex *index, const ExceptionEnd *end, ExceptionId delay)
{
  if (end->launch == NO_CLOCK_EDGE || end->capture == NO_CLOCK_EDGE) return delay != NO_EXCEPTION;
  return !clocks_exclusive(index->c, clock_edge_clock(end->launch), clock_edge_clock(end->capture));
}

/* Records in the trace which exceptions apply at an end. A false path leaves no effect to other
   exceptions, and a path delay none to multicycles. */
static void trace_end(const ExceptionIndex *index, const PathExceptions *exceptions,
                      const ExceptionEnd *end)
{
  ExceptionId delay = end->check == SETUP ? exceptions->max_delay : exceptions->min_delay;
  ExceptionId winner = exceptions->is_false ? exceptions->false_path : delay;
  ExceptionId others[] = { delay, exceptions->multicycle[SETUP],
                           end->check == HOLD ? exceptions->multicycle[HOLD] : NO_EXCEPTION,
                           exceptions->margin, exceptions->group };
  if (!has_path_end(index, end, delay)) return;
  if (exceptions->is_false) tally_add(&index->trace->decided, exceptions->false_path, end->end_pin);
  for (int i = 0; i < 5; i++) {
    bool beaten = exceptions->is_false || ((i == 1 || i == 2) && delay != NO_EXCEPTION);
    if (others[i] == NO_EXCEPTION) continue;
    if (beaten) trace_beaten(index, others[i], winner);
    else tally_add(&index->trace->decided, others[i], end->end_pin);
  }
}

PathExceptions exception_at_end(const ExceptionIndex *index, const TagTable *tags,
                                const ExceptionEnd *end)
{
  PathExceptions r = { false,        NO_EXCEPTION, { NO_EXCEPTION, NO_EXCEPTION },
                       NO_EXCEPTION, NO_EXCEPTION, NO_EXCEPTION,
                       NO_EXCEPTION };
  const Progress *progress = tag_state(tags, end->state);
  for (uint32_t i = 0; i < tag_state_count(tags, end->state); i++)
    if (progress[i].passed == index->c->exceptions.at[progress[i].exception].through.len)
      apply(index, &r, progress[i].exception, end);
  for (uint32_t i = 0; i < index->any_end.len; i++)
    if (from_matches(index, index->any_end.at[i], end)) apply(index, &r, index->any_end.at[i], end);
  apply_mentioned(index, &r, OBJ_PIN, end->end_pin, end);
  for (EACH_CELL(index, inst, end->end_pin)) apply_mentioned(index, &r, OBJ_CELL, inst, end);
  if (end->capture != NO_CLOCK_EDGE)
    apply_mentioned(index, &r, OBJ_CLOCK, clock_edge_clock(end->capture), end);
  if (index->trace) trace_end(index, &r, end);
  return r;
}
