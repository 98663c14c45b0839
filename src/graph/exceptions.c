#include "graph/exceptions.h"

#include "graph/hierarchy.h"

/* Objects of all -from and -to lists by (type, id): chains of mentions. */
typedef struct {
  uint32_t exception, next;
  uint8_t  edges;
} Mention;

typedef struct {
  Map *first;                       /* hash_pair(type, id) -> index in mentions */
  ARRAY(Mention) mentions;
} Mentions;

struct ExceptionIndex {
  const Graph *g;
  const Constraints *c;
  Mentions from, to;
  Map *through_first;               /* slot -> index in through_runs */
  ARRAY(uint32_t) run_first;        /* [runs + 1] */
  ARRAY(ThroughPoint) points;
  ARRAY(uint32_t) starters;         /* exceptions with through points and no -from */
  ARRAY(uint8_t) needs_state;       /* by exception: its -from must be remembered in the tag */
  ARRAY(uint32_t) any_end;          /* exceptions that need no state and have no -to: looked at at each end */
  ARRAY(uint32_t) clock_from;       /* exceptions with a clock in -from that need a state */
  bool end_edges, path_delay;
};

static Object as_pin(Object o)
{
  if (o.type == OBJ_PORT) o.type = OBJ_PIN;
  return o;
}

static void mention(Mentions *m, Object o, uint32_t exception, uint8_t edges)
{
  o = as_pin(o);
  uint64_t key = hash_pair(o.type, o.id);
  array_push(&m->mentions, (Mention){ exception, map_get(m->first, key), edges });
  map_put(m->first, key, m->mentions.len - 1);
}

/* Is exception e mentioned with the object for an edge? */
static bool mentioned(const Mentions *m, uint32_t type, uint32_t id, uint32_t exception, int edge)
{
  uint32_t i = map_get(m->first, hash_pair(type, id));
  for (; i != MAP_NO_VALUE; i = m->mentions.at[i].next)
    if (m->mentions.at[i].exception == exception && m->mentions.at[i].edges >> edge & 1) return true;
  return false;
}

static bool any_mention(const Mentions *m, uint32_t type, uint32_t id)
{
  return map_get(m->first, hash_pair(type, id)) != MAP_NO_VALUE;
}

static InstId inst_of(const ExceptionIndex *x, PinId pin) { return x->g->netlist->pins.at[pin].inst; }

/* --- through points ------------------------------------------------------------------------------- */
typedef struct {
  Slot slot;
  ThroughPoint point;
} SlotPoint;
typedef ARRAY(SlotPoint) SlotPoints;

static void add_slot(SlotPoints *list, Slot slot, ThroughPoint point)
{
  if (slot != NO_SLOT) array_push(list, (SlotPoint){ slot, point });
}

typedef struct {
  SlotPoints  *list;
  ThroughPoint point;
} CrossingPoint;

static void add_crossing_load(void *data, Slot load)
{
  CrossingPoint *x = data;
  add_slot(x->list, load, x->point);
}

static void add_crossing(const Graph *g, SlotPoints *list, PinId pin, ThroughPoint point)
{
  CrossingPoint x = { list, point };
  graph_crossing_loads(g, pin, add_crossing_load, &x);
}

static void add_net_loads(const Graph *g, SlotPoints *list, NetId net, ThroughPoint point)
{
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;)
    if (g->pin_slot[p] != NO_SLOT && !slot_is_driver(g, g->pin_slot[p])) add_slot(list, g->pin_slot[p], point);
}

/* A path goes through a leaf cell where it leaves it: its outputs stand for it, so that -rise_through a cell is of the edge that
   comes out, and a path that ends at the cell does not go through it. */
static Slot output_slot(const Graph *g, PinId pin)
{
  Slot slot = graph_slot(g, pin, true);
  return slot != NO_SLOT && slot_is_driver(g, slot) ? slot : NO_SLOT;
}

static void add_through_object(const Graph *g, SlotPoints *list, Object o, ThroughPoint point)
{
  const Netlist *n = g->netlist;
  o = as_pin(o);
  if (o.type == OBJ_PIN && pin_is_hierarchical(n, o.id)) {
    add_crossing(g, list, o.id, point);
  } else if (o.type == OBJ_PIN) {
    add_slot(list, g->pin_slot[o.id], point);
  } else if (o.type == OBJ_NET) {
    add_net_loads(g, list, n->segs.at[o.id].net, point);
  } else if (o.type == OBJ_CELL) {
    const Inst *in = &n->insts.at[o.id];
    for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
      if (pin_is_hierarchical(n, p)) add_crossing(g, list, p, point);
      else add_slot(list, output_slot(g, p), point);
    }
  }
}

static int by_slot(const void *pa, const void *pb)
{
  const SlotPoint *a = pa, *b = pb;
  if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
  if (a->point.exception != b->point.exception) return a->point.exception < b->point.exception ? -1 : 1;
  return a->point.index < b->point.index ? -1 : a->point.index > b->point.index;
}

static void index_through(ExceptionIndex *x)
{
  SlotPoints list = { 0 };
  for (uint32_t e = 0; e < x->c->exceptions.len; e++) {
    const Exception *exc = &x->c->exceptions.at[e];
    if (exc->deleted) continue;
    for (uint32_t i = 0; i < exc->through.len; i++)
      for (uint32_t k = 0; k < exc->through.at[i].objects.len; k++)
        add_through_object(x->g, &list, exc->through.at[i].objects.at[k], (ThroughPoint){ e, i, exc->through.at[i].edges });
  }
  if (list.len) qsort(list.at, list.len, sizeof *list.at, by_slot);
  for (uint32_t i = 0; i < list.len; i++) {
    if (i == 0 || list.at[i].slot != list.at[i - 1].slot) {
      map_put(x->through_first, list.at[i].slot, x->run_first.len);
      array_push(&x->run_first, i);
    }
    array_push(&x->points, list.at[i].point);
  }
  array_push(&x->run_first, list.len);
  array_free(&list);
}

const ThroughPoint *exception_through(const ExceptionIndex *x, Slot slot, uint32_t *count)
{
  *count = 0;
  if (x->points.len == 0) return NULL;
  uint32_t run = map_get(x->through_first, slot);
  if (run == MAP_NO_VALUE) return NULL;
  *count = x->run_first.at[run + 1] - x->run_first.at[run];
  return x->points.at + x->run_first.at[run];
}

/* --- building --------------------------------------------------------------------------------------- */
static bool only_clocks(const ExceptionPoint *p)
{
  for (uint32_t i = 0; i < p->objects.len; i++)
    if (p->objects.at[i].type != OBJ_CLOCK) return false;
  return true;
}

static void index_exception(ExceptionIndex *x, uint32_t e)
{
  const Exception *exc = &x->c->exceptions.at[e];
  bool state = exc->through.len > 0 || (exc->has_from && !only_clocks(&exc->from));
  array_push(&x->needs_state, state);
  if (exc->deleted) return;
  for (uint32_t i = 0; exc->has_from && i < exc->from.objects.len; i++)
    mention(&x->from, exc->from.objects.at[i], e, exc->from.edges);
  for (uint32_t i = 0; exc->has_to && i < exc->to.objects.len; i++)
    mention(&x->to, exc->to.objects.at[i], e, exc->to.edges & exc->end_edges);
  if (exc->through.len && !exc->has_from) array_push(&x->starters, e);
  if (!state && !exc->has_to) array_push(&x->any_end, e);
  if (state && exc->has_from && !exc->deleted)
    for (uint32_t i = 0; i < exc->from.objects.len; i++)
      if (exc->from.objects.at[i].type == OBJ_CLOCK) {
        array_push(&x->clock_from, e);
        break;
      }
  if (exc->end_edges != EDGE_BOTH || (exc->has_to && exc->to.edges != EDGE_BOTH)) x->end_edges = true;
  if (exc->type == EXC_MAX_DELAY || exc->type == EXC_MIN_DELAY) x->path_delay = true;
}

ExceptionIndex *exception_index_new(const Graph *g)
{
  ExceptionIndex *x = mem_alloc_zero(1, sizeof *x);
  x->g = g;
  x->c = g->constraints;
  x->from.first = map_new();
  x->to.first = map_new();
  x->through_first = map_new();
  for (uint32_t e = 0; e < x->c->exceptions.len; e++) index_exception(x, e);
  index_through(x);
  return x;
}

void exception_index_free(ExceptionIndex *x)
{
  if (x == NULL) return;
  map_free(x->from.first);
  map_free(x->to.first);
  array_free(&x->from.mentions);
  array_free(&x->to.mentions);
  map_free(x->through_first);
  array_free(&x->run_first);
  array_free(&x->points);
  array_free(&x->starters);
  array_free(&x->needs_state);
  array_free(&x->any_end);
  array_free(&x->clock_from);
  mem_free(x);
}

bool exception_end_edges_matter(const ExceptionIndex *x) { return x->end_edges; }
bool exception_has_path_delay(const ExceptionIndex *x) { return x->path_delay; }

/* --- starts and progress ---------------------------------------------------------------------------- */
bool exception_start_is_plain(const ExceptionIndex *x, PinId pin)
{
  return !any_mention(&x->from, OBJ_PIN, pin) && !any_mention(&x->from, OBJ_CELL, inst_of(x, pin));
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

static StateId intern(TagTable *tags, ProgressArray *list)
{
  if (list->len > 1) qsort(list->at, list->len, sizeof *list->at, by_exception);
  StateId s = tag_state_add(tags, list->at, list->len);
  array_free(list);
  return s;
}

static void start_mentions(const ExceptionIndex *x, ProgressArray *list, uint32_t type, uint32_t id, int edge)
{
  uint32_t i = map_get(x->from.first, hash_pair(type, id));
  for (; i != MAP_NO_VALUE; i = x->from.mentions.at[i].next) {
    const Mention *m = &x->from.mentions.at[i];
    if (x->needs_state.at[m->exception] && m->edges >> edge & 1) add_progress(list, m->exception, 0);
  }
}

StateId exception_start(const ExceptionIndex *x, TagTable *tags, PinId pin, ClockEdge clock, int edge)
{
  ProgressArray list = { 0 };
  start_mentions(x, &list, OBJ_PIN, pin, edge);
  start_mentions(x, &list, OBJ_CELL, inst_of(x, pin), edge);
  if (clock != NO_CLOCK_EDGE && x->clock_from.len)
    start_mentions(x, &list, OBJ_CLOCK, clock_edge_clock(clock), clock_edge_edge(clock));
  return intern(tags, &list);
}

StateId exception_pass(const ExceptionIndex *x, TagTable *tags, StateId state, Slot slot, int edge)
{
  uint32_t count;
  const ThroughPoint *points = exception_through(x, slot, &count);
  if (count == 0) return state;
  ProgressArray list = { 0 };
  uint32_t have = tag_state_count(tags, state);
  for (uint32_t i = 0; i < have; i++) array_push(&list, tag_state(tags, state)[i]);
  for (uint32_t i = 0; i < count; i++) {
    if (!(points[i].edges >> edge & 1)) continue;
    const Exception *exc = &x->c->exceptions.at[points[i].exception];
    if (points[i].index == 0 && !exc->has_from) add_progress(&list, points[i].exception, 1);
    for (uint32_t k = 0; k < list.len; k++)
      if (list.at[k].exception == points[i].exception && list.at[k].passed == points[i].index) list.at[k].passed++;
  }
  return intern(tags, &list);
}

bool exception_state_is_dead(const ExceptionIndex *x, const TagTable *tags, StateId state)
{
  const Progress *p = tag_state(tags, state);
  for (uint32_t i = 0; i < tag_state_count(tags, state); i++) {
    const Exception *e = &x->c->exceptions.at[p[i].exception];
    if (e->type == EXC_FALSE && !e->has_to && e->end_edges == EDGE_BOTH && e->checks == 3 && p[i].passed == e->through.len)
      return true;
  }
  return false;
}

/* --- ends --------------------------------------------------------------------------------------------- */
/* Precedence as SDC gives it: false paths over path delays over multicycles; within a kind the more specific: pins over
   clocks, -from over -to over -through; at last the tighter or later one. */
static uint32_t rank(const Exception *e)
{
  bool from_clock = e->has_from && only_clocks(&e->from), to_clock = e->has_to && only_clocks(&e->to);
  uint32_t r = 0;
  if (e->has_from && !from_clock) r += 64;
  if (e->has_to && !to_clock) r += 32;
  if (e->through.len) r += 16;
  if (from_clock) r += 8;
  if (to_clock) r += 4;
  return r;
}

static bool end_matches(const ExceptionIndex *x, uint32_t e, const PathEnd *end)
{
  const Exception *exc = &x->c->exceptions.at[e];
  if (!exc->has_to) return exc->end_edges >> end->end_edge & 1;
  if (mentioned(&x->to, OBJ_PIN, end->end_pin, e, end->end_edge)) return true;
  if (mentioned(&x->to, OBJ_CELL, inst_of(x, end->end_pin), e, end->end_edge)) return true;
  if (end->capture == NO_CLOCK_EDGE || !(exc->end_edges >> end->end_edge & 1)) return false;
  return mentioned(&x->to, OBJ_CLOCK, clock_edge_clock(end->capture), e, clock_edge_edge(end->capture));
}

static bool from_matches(const ExceptionIndex *x, uint32_t e, const PathEnd *end)
{
  if (!x->c->exceptions.at[e].has_from) return true;
  if (end->launch == NO_CLOCK_EDGE) return false;
  return mentioned(&x->from, OBJ_CLOCK, clock_edge_clock(end->launch), e, clock_edge_edge(end->launch));
}

static void prefer(const ExceptionIndex *x, ExceptionId *slot, uint32_t e)
{
  if (*slot == NO_EXCEPTION) {
    *slot = e;
    return;
  }
  const Exception *have = &x->c->exceptions.at[*slot], *more = &x->c->exceptions.at[e];
  if (rank(more) > rank(have) || (rank(more) == rank(have) && e > *slot)) *slot = e;
}

static void apply(const ExceptionIndex *x, PathExceptions *r, uint32_t e, const PathEnd *end)
{
  const Exception *exc = &x->c->exceptions.at[e];
  if (exc->deleted || !end_matches(x, e, end)) return;
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
  if (exc->type == EXC_FALSE) r->is_false = true;
  else if (exc->type == EXC_MAX_DELAY && end->check == SETUP) prefer(x, &r->max_delay, e);
  else if (exc->type == EXC_MIN_DELAY && end->check == HOLD) prefer(x, &r->min_delay, e);
  else if (exc->type == EXC_PATH_MARGIN) prefer(x, &r->margin, e);
}

/* Exceptions without a state whose -to names an object. */
static void apply_mentioned(const ExceptionIndex *x, PathExceptions *r, uint32_t type, uint32_t id, const PathEnd *end)
{
  uint32_t i = map_get(x->to.first, hash_pair(type, id));
  for (; i != MAP_NO_VALUE; i = x->to.mentions.at[i].next) {
    uint32_t e = x->to.mentions.at[i].exception;
    if (!x->needs_state.at[e] && from_matches(x, e, end)) apply(x, r, e, end);
  }
}

PathExceptions exception_at_end(const ExceptionIndex *x, const TagTable *tags, const PathEnd *end)
{
  PathExceptions r = { false, { NO_EXCEPTION, NO_EXCEPTION }, NO_EXCEPTION, NO_EXCEPTION, NO_EXCEPTION, NO_EXCEPTION };
  const Progress *p = tag_state(tags, end->state);
  for (uint32_t i = 0; i < tag_state_count(tags, end->state); i++)
    if (p[i].passed == x->c->exceptions.at[p[i].exception].through.len) apply(x, &r, p[i].exception, end);
  for (uint32_t i = 0; i < x->any_end.len; i++)
    if (from_matches(x, x->any_end.at[i], end)) apply(x, &r, x->any_end.at[i], end);
  apply_mentioned(x, &r, OBJ_PIN, end->end_pin, end);
  apply_mentioned(x, &r, OBJ_CELL, inst_of(x, end->end_pin), end);
  if (end->capture != NO_CLOCK_EDGE) apply_mentioned(x, &r, OBJ_CLOCK, clock_edge_clock(end->capture), end);
  return r;
}
