/* The path search against brute force: every path of small random designs, listed by walking
   forward. */
#include "paths/path.h"

#include <math.h>
#include <stdio.h>

#include "base/interrupt.h"
#include "timing/credit.h"
#include "cpu/cpu.h"
#include "device/device.h"
#include "update/timer.h"
#include "tests/small.h"
#include "tests/unit.h"

/* --- designs ---------------------------------------------------------------------------------- */
typedef struct {
  Small *small;
  const Timing *t;
  uint32_t random;
} Fixture;

static uint32_t random_below(Fixture *fixture, uint32_t limit)
{
  return small_random(&fixture->random, limit);
}

static void add_arc(Text *text, const char *from, const char *sense, const char *when,
                    const double *delay)
{
  text_printf(text, "timing () { related_pin : \"%s\"; timing_sense : %s; %s", from, sense, when);
  text_printf(text,
              "cell_rise (scalar) { values (\"%g\"); } cell_fall (scalar) { values (\"%g\"); }",
              delay[0], delay[1]);
  text_put(text,
           "rise_transition (scalar) { values (\"0.01\"); } fall_transition (scalar) { values "
           "(\"0.01\"); } }\n");
}

/* Two-input cells of random delays: negative unate, non-unate, and one with an arc under two
   conditions. */
static void add_gate(Fixture *fixture, Text *text, int number)
{
  static const char *const functions[] = { "!(A B)", "A^B", "A B" };
  static const char *const senses[] = { "negative_unate", "non_unate", "positive_unate" };
  int kind = number % 3;
  text_printf(text,
              "cell (G%d) { pin (A) { direction : input; capacitance : 1; } pin (B) { direction : "
              "input; capacitance : 1; }\n",
              number);
  text_printf(text, "pin (Y) { direction : output; function : \"%s\";\n", functions[kind]);
  for (int pin = 0; pin < 2; pin++) {
    double delay[2] = { 10 + random_below(fixture, 900) / 10.0,
                        10 + random_below(fixture, 900) / 10.0 };
    add_arc(text, pin ? "B" : "A", senses[kind], "", delay);
    if (kind != 2 || pin) continue;
    double other[2] = { delay[0] + 5, delay[1] - 5 };
    add_arc(text, "A", senses[kind], "when : \"B\"; sdf_cond : \"B\"; ", other);
  }
  text_put(text, "} }\n");
}

enum { GATE_KINDS = 9 };

static void add_library(Fixture *fixture, Text *text)
{
  text_put(text,
           "library (tiny) { time_unit : \"1ps\"; capacitive_load_unit (1, ff); voltage_unit : "
           "\"1V\"; current_unit : \"1mA\";\n"
           "leakage_power_unit : \"1nW\"; pulling_resistance_unit : \"1kohm\";\n");
  for (int i = 0; i < GATE_KINDS; i++) add_gate(fixture, text, i);
  text_put(text,
           "cell (FF) { ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; }\n"
           "pin (CK) { direction : input; clock : true; capacitance : 1; }\n"
           "pin (D) { direction : input; capacitance : 1; timing () { related_pin : \"CK\"; "
           "timing_type : setup_rising;\n"
           "rise_constraint (scalar) { values (\"7\"); } fall_constraint (scalar) { values "
           "(\"9\"); } }\n"
           "timing () { related_pin : \"CK\"; timing_type : hold_rising;\n"
           "rise_constraint (scalar) { values (\"2\"); } fall_constraint (scalar) { values "
           "(\"3\"); } } }\n"
           "pin (Q) { direction : output; function : \"IQ\"; timing () { related_pin : \"CK\"; "
           "timing_type : rising_edge;\n"
           "cell_rise (scalar) { values (\"41\"); } cell_fall (scalar) { values (\"43.5\"); }\n"
           "rise_transition (scalar) { values (\"0.01\"); } fall_transition (scalar) { values "
           "(\"0.01\"); } } } }\n}\n");
}

static const SmallLayers layers = {
  .starts = 5, .gates = 14, .ends = 4, .kinds = GATE_KINDS, .clock_gate = "G5 cb (.A(clk), .B(i0)"
};

static void set_up(Fixture *fixture, uint32_t seed)
{
  Text library = { 0 }, design = { 0 };
  *fixture = (Fixture){ .random = seed };
  add_library(fixture, &library);
  small_put_layers(&design, &layers, &fixture->random);
  fixture->small = small_with(text_get(&library), text_get(&design));
  small_constrain_layers(fixture->small);
  timer_set_delay_model(small_timer(fixture->small), DELAY_LUMPED);
  fixture->t = small_timing(fixture->small);
  text_free(&library);
  text_free(&design);
}

static void tear_down(Fixture *fixture) { small_free(fixture->small); }

/* --- every path, by walking forward ----------------------------------------------------------- */
enum { LONGEST = 64 };

typedef struct {
  Slot    slots[LONGEST];
  uint8_t edges[LONGEST];
  int     count;
  double  slack;
} Walk;

typedef struct {
  const Fixture *fixture;
  int early_late;
  ARRAY(Walk) all;
  Walk walk;
  uint32_t leaf;             /* of the launch, for common path credit */
} Walker;

/* Same pins (and edges) as an earlier one: the worse stays. */
static bool merge_walk(Walker *walker, bool edges_too)
{
  for (uint32_t i = 0; i < walker->all.len; i++) {
    Walk *have = &walker->all.at[i];
    if (have->count != walker->walk.count
        || memcmp(have->slots, walker->walk.slots, sizeof *have->slots * (size_t)have->count))
      continue;
    if (edges_too && memcmp(have->edges, walker->walk.edges, (size_t)have->count)) continue;
    if (walker->walk.slack < have->slack) *have = walker->walk;
    return true;
  }
  return false;
}

static void end_walk(Walker *walker, double arrival, bool edges_too)
{
  const Graph *g = walker->fixture->t->g;
  Slot slot = walker->walk.slots[walker->walk.count - 1];
  int edge = walker->walk.edges[walker->walk.count - 1];
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1]; r++) {
    const PathEnd *end = &g->ends.path_ends.at[r];
    bool has;
    float required = timing_end_required(walker->fixture->t, r, edge, &has);
    /* another clock edge's */
    if (time_absent(
            walker->fixture->t->arrival[end->data].v[condition_of(walker->early_late, edge)]))
      continue;
    if (!has || path_end_is_late((PathEndType)end->type) != (walker->early_late == LATE)) continue;
    walker->walk.slack = walker->early_late == LATE ? required - arrival : arrival - required;
    walker->walk.slack += common_leaf_credit(walker->fixture->t, walker->leaf,
                                             timing_end_leaf(walker->fixture->t, end, edge));
    if (!merge_walk(walker, edges_too)) array_push(&walker->all, walker->walk);
  }
}

static void walk_on(Walker *walker, double arrival, bool edges_too);

static void step_to(Walker *walker, Slot slot, int edge, double arrival, bool edges_too)
{
  if (walker->walk.count == LONGEST) return;
  walker->walk.slots[walker->walk.count] = slot;
  walker->walk.edges[walker->walk.count++] = (uint8_t)edge;
  walk_on(walker, arrival, edges_too);
  walker->walk.count--;
}

static bool is_launch(const Graph *g, ArcId a)
{
  return g->libs->arcs.at[g->arcs.lib[a]].type == ARC_CLOCK_RISE;
}

static void walk_arcs(Walker *walker, Slot slot, int edge, double arrival, bool launch,
                      bool edges_too)
{
  const Timing *t = walker->fixture->t;
  const Graph *g = t->g;
  for (uint32_t i = g->arcs.out_first[slot]; i < g->arcs.out_first[slot + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!arc_on(g, a) || is_launch(g, a) != launch) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair p = arc_edge_pair(&g->libs->arcs.at[g->arcs.lib[a]], e - g->arcs.edge_first[a]);
      if (p.in == edge)
        step_to(walker, g->arcs.to[a], p.out, arrival + t->edge_delay[e].v[walker->early_late],
                edges_too);
    }
  }
}

static void walk_on(Walker *walker, double arrival, bool edges_too)
{
  const Timing *t = walker->fixture->t;
  const Graph *g = t->g;
  Slot slot = walker->walk.slots[walker->walk.count - 1];
  int edge = walker->walk.edges[walker->walk.count - 1];
  if (!slot_is_driver(g, slot)) {
    end_walk(walker, arrival, edges_too);
    walk_arcs(walker, slot, edge, arrival, false, edges_too);
    return;
  }
  for (Slot s = g->nets.load_first[slot]; s < g->nets.load_first[slot] + g->nets.load_count[slot];
       s++)
    step_to(walker, s, edge,
            arrival
                + t->wires.delay[graph_load_index(g, s)].v[condition_of(walker->early_late, edge)],
            edges_too);
}

static bool is_clock_tag(const Graph *g, TagId tag) { return g->tags->tags.at[tag].is_clock; }

static void walk_all(Walker *walker, bool edges_too)
{
  const Timing *t = walker->fixture->t;
  const Graph *g = t->g;
  array_clear(&walker->all);
  for (Slot s = 0; s < g->slots.count; s++) {
    if (!(g->slots.flags[s] & SLOT_CLOCK_PIN)) continue;
    const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[s]);
    for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[s]); i++) {
      float a = t->arrival[g->nodes.first[s] + i].v[condition_of(walker->early_late, RISE)];
      if (time_absent(a) || !is_clock_tag(g, tags[i])
          || clock_edge_edge(g->tags->tags.at[tags[i]].clock_edge) != RISE)
        continue;
      walker->leaf = common_leaf(t, s, g->nodes.first[s] + i);
      walker->walk.slots[0] = s;
      walker->walk.edges[0] = RISE;
      walker->walk.count = 1;
      walk_arcs(walker, s, RISE, a, true, edges_too);
    }
  }
  walker->leaf = 0;
  for (uint32_t i = 0; i < g->starts.seeds.len; i++)
    for (int edge = RISE; edge <= FALL; edge++) {
      walker->walk.count = 0;
      if (!is_clock_tag(g, g->starts.seeds.at[i].tag))
        step_to(walker, g->starts.seeds.at[i].slot, edge,
                g->starts.seeds.at[i].arrival[condition_of(walker->early_late, edge)], edges_too);
    }
}

/* --- comparison ------------------------------------------------------------------------------- */
static int by_walk_slack(const void *pa, const void *pb)
{
  const Walk *a = pa, *b = pb;
  return a->slack < b->slack ? -1 : a->slack > b->slack;
}

static bool object_has(const Fixture *fixture, const PathObject *object, Slot slot, int edge)
{
  PinId pin = fixture->t->g->slots.pin[slot];
  return object->edges >> edge & 1
         && (object->object.type == OBJ_CELL
                 ? fixture->small->netlist->pins.at[pin].inst == object->object.id
                 : pin == object->object.id);
}

static bool any_has(const Fixture *fixture, const PathObjects *list, Slot slot, int edge)
{
  for (uint32_t i = 0; i < list->len; i++)
    if (object_has(fixture, &list->at[i], slot, edge)) return true;
  return false;
}

static bool walk_matches(const Fixture *fixture, const PathQuery *query, const Walk *walk)
{
  if (query->from.len && !any_has(fixture, &query->from, walk->slots[0], walk->edges[0]))
    return false;
  if (query->to.len
      && !any_has(fixture, &query->to, walk->slots[walk->count - 1], walk->edges[walk->count - 1]))
    return false;
  if (query->end_edges && !(query->end_edges >> walk->edges[walk->count - 1] & 1)) return false;
  uint32_t passed = 0;
  for (int i = 0; i < walk->count; i++)
    while (passed < query->through.len
           && any_has(fixture, &query->through.at[passed], walk->slots[i], walk->edges[i]))
      passed++;
  return passed == query->through.len;
}

static bool same_path(const PathList *list, const Path *path, const Walk *walk, bool edges_too)
{
  if (path->count != (uint32_t)walk->count) return false;
  for (uint32_t i = 0; i < path->count; i++) {
    const PathPoint *point = &list->points.at[path->first + i];
    if (point->slot != walk->slots[i] || (edges_too && point->edge != walk->edges[i])) return false;
  }
  return true;
}

static bool same_points(const PathList *list, const Path *a, const Path *b, bool edges_too)
{
  if (a->count != b->count || a->end_id != b->end_id) return false;
  for (uint32_t i = 0; i < a->count; i++) {
    const PathPoint *x = &list->points.at[a->first + i], *y = &list->points.at[b->first + i];
    if (x->slot != y->slot || (edges_too && x->edge != y->edge)) return false;
  }
  return true;
}

static bool is_listed(const PathList *list, const Path *path, const Walker *walker, bool edges_too)
{
  for (uint32_t i = 0; i < walker->all.len; i++)
    if (fabs(walker->all.at[i].slack - path->slack) < 0.01
        && same_path(list, path, &walker->all.at[i], edges_too))
      return true;
  return false;
}

/* Keeps the walks that match, the `worst` of each end, `most` in all. */
static void select_walks(Walker *walker, const PathQuery *query)
{
  uint32_t kept = 0;
  if (walker->all.len)
    qsort(walker->all.at, walker->all.len, sizeof *walker->all.at, by_walk_slack);
  for (uint32_t i = 0; i < walker->all.len && kept < query->max_paths; i++) {
    Walk walk = walker->all.at[i];
    uint32_t same_end = 0;
    for (uint32_t k = 0; k < kept; k++)
      same_end +=
          walker->all.at[k].slots[walker->all.at[k].count - 1] == walk.slots[walk.count - 1];
    if (walk_matches(walker->fixture, query, &walk) && same_end < query->worst)
      walker->all.at[kept++] = walk;
  }
  walker->all.len = kept;
}

static bool same_list(const PathList *a, const PathList *b)
{
  if (a->paths.len != b->paths.len || a->points.len != b->points.len) return false;
  for (uint32_t i = 0; i < a->paths.len; i++) {
    const Path *p = &a->paths.at[i], *q = &b->paths.at[i];
    if (p->slack != q->slack || p->end_id != q->end_id || p->count != q->count
        || p->arrival != q->arrival)
      return false;
  }
  for (uint32_t i = 0; i < a->points.len; i++) {
    const PathPoint *p = &a->points.at[i], *q = &b->points.at[i];
    if (p->slot != q->slot || p->node != q->node || p->link != q->link || p->edge != q->edge
        || p->kind != q->kind || p->arrival != q->arrival)
      return false;
  }
  return true;
}

/* The same paths, point by point, from the kernels of the device search. */
static void compare_device(const Fixture *fixture, const PathQuery *query, const PathList *list)
{
  Timing *t = fixture->small->timer->timing;
  PathList found = { 0 };
  int least = t->device.options.least_paths;
  t->device.families = &emulated_device;
  t->device.options.least_paths = 1;
  CHECK(query_paths(t, query, test_log(), &found) == OK);
  CHECK(same_list(list, &found));
  t->device.families = NULL;
  t->device.options.least_paths = least;
  path_list_free(&found);
}

/* Pins that may be passed with several edges: unique paths are the worst over these, of those that
   match. */
static void compare(const Fixture *fixture, const PathQuery *query)
{
  Walker w = { .fixture = fixture, .early_late = query->early_late }, every = w;
  PathList list = { 0 };
  walk_all(&every, !query->unique);
  walk_all(&w, !query->unique);
  select_walks(&w, query);
  CHECK(query_paths(fixture->t, query, test_log(), &list) == OK);
  CHECK(list.paths.len == w.all.len);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < list.paths.len && i < w.all.len; i++) {
    const Path *path = &list.paths.at[i];
    wrong += fabs(path->slack - w.all.at[i].slack) > 0.01;
    wrong += i > 0 && path->slack < list.paths.at[i - 1].slack;
    wrong += fabs(path_end(&list, path)->arrival - path->arrival) > 0;
    wrong +=
        !is_listed(&list, path, &every, !query->unique); /* where slacks tie, another one may be
                                                               among the k */
    for (uint32_t k = 0; k < i; k++)
      wrong += same_points(&list, path, &list.paths.at[k], !query->unique);
  }
  CHECK(wrong == 0);
  compare_device(fixture, query, &list);
  path_list_free(&list);
  array_free(&every.all);
  array_free(&w.all);
}

static Object pin_object(const Fixture *fixture, const char *name)
{
  PinId p = netlist_find_pin(fixture->small->netlist, TOP_INST, name, '/');
  return p == NO_PIN ? (Object){ OBJ_PORT, netlist_find_port(fixture->small->netlist, name) }
                     : (Object){ OBJ_PIN, p };
}

static void add(PathObjects *list, Object o, int edges)
{
  array_push(list, (PathObject){ o, (uint8_t)edges });
}

static void add_through(PathQuery *query, Object o, int edges)
{
  array_resize(&query->through, query->through.len + 1);
  array_push(&query->through.at[query->through.len - 1], (PathObject){ o, (uint8_t)edges });
}

enum { DESIGNS = 3, MANY = 1000000 };

/* --- tests ------------------------------------------------------------------------------------ */
/* All paths: no limit of slack, MANY of them, so many of each end. */
static PathQuery query_of(int early_late, uint32_t worst)
{
  return (PathQuery){ .early_late = early_late, .max_paths = MANY, .worst = worst,
                      .slack_max = NAN, .slack_min = NAN };
}

static Status ask(Fixture *fixture, PathQuery q, PathList *list)
{
  return query_paths(fixture->t, &q, test_log(), list);
}

static void test_all_paths(void)
{
  for (uint32_t seed = 1; seed <= DESIGNS; seed++) {
    Fixture f;
    set_up(&f, seed);
    for (int el = EARLY; el <= LATE; el++)
      for (int unique = 0; unique < 2; unique++) {
        static const uint32_t counts[][2] = { { MANY, MANY }, { 7, 3 }, { 20, 1 } };
        for (int i = 0; i < 3; i++) {
          PathQuery q = query_of(el, counts[i][1]);
          q.max_paths = counts[i][0];
          q.unique = unique;
          compare(&f, &q);
        }
      }
    PathQuery falls = query_of(LATE, 5);
    falls.end_edges = EDGE_FALL;
    compare(&f, &falls);
    tear_down(&f);
  }
}

/* The worst path of each end has the engine's slack to the bit, and arrivals that are the
   engine's. */
static void test_exact(void)
{
  for (uint32_t seed = 1; seed <= DESIGNS; seed++) {
    Fixture f;
    PathList list = { 0 };
    set_up(&f, seed);
    const Graph *g = f.t->g;
    for (uint32_t worst = 1; worst <= 2; worst++) {
      ask(&f, query_of(LATE, worst), &list);
      Map *seen = map_new();
      for (uint32_t i = 0; i < list.paths.len; i++) {
        const Path *path = &list.paths.at[i];
        Slot end = path_end(&list, path)->slot;
        if (map_get(seen, end) != MAP_NO_VALUE) continue;
        map_put(seen, end, 1);
        double least = INFINITY;
        for (PathEndId r = g->ends.first_end[end]; r < g->ends.first_end[end + 1]; r++) {
          if (!path_end_is_late((PathEndType)g->ends.path_ends.at[r].type)) continue;
          for (int edge = RISE; edge <= FALL; edge++)
            if (f.t->end_slack[r].v[edge] < least) least = f.t->end_slack[r].v[edge];
        }
        CHECK(path->slack == least);
        for (uint32_t k = 0; k < path->count; k++) {
          const PathPoint *point = &list.points.at[path->first + k];
          CHECK(point->arrival == f.t->arrival[point->node].v[condition_of(LATE, point->edge)]);
        }
      }
      map_free(seen);
      path_list_free(&list);
    }
    tear_down(&f);
  }
}

static void test_points(void)
{
  static const char *const throughs[][2] = { { "g9/Y", "g13/A" },
                                             { "g5/A", "g12/Y" },
                                             { "s2/Q", "g10/B" },
                                             { "g3/Y", "g3/Y" },
                                             { "g8/B", "g2/A" } };
  for (uint32_t seed = 1; seed <= DESIGNS; seed++) {
    Fixture f;
    set_up(&f, seed);
    for (int variant = 0; variant < 20; variant++) {
      PathQuery q = query_of(variant & 1, variant % 3 ? MANY : 2);
      q.unique = variant % 4 == 3 && variant % 6 < 3;
      int edges = variant % 6 < 3 || q.unique ? EDGE_BOTH : EDGE_FALL;
      if (variant % 5 != 4) add_through(&q, pin_object(&f, throughs[variant % 5][0]), edges);
      if (variant % 7 > 3) add_through(&q, pin_object(&f, throughs[variant % 5][1]), EDGE_BOTH);
      if (variant % 2) {
        add(&q.from, pin_object(&f, "s2/CK"), EDGE_BOTH);
        add(&q.from, pin_object(&f, "i1"), edges);
      }
      if (variant % 3 == 1) add(&q.to, pin_object(&f, "e0/D"), edges);
      if (variant % 3 == 1) add(&q.to, pin_object(&f, "o0"), EDGE_BOTH);
      compare(&f, &q);
      path_query_free(&q);
    }
    tear_down(&f);
  }
}

static void test_limits(void)
{
  Fixture f;
  PathList all = { 0 }, some = { 0 };
  set_up(&f, 3);
  PathQuery every = query_of(LATE, MANY);
  ask(&f, every, &all);
  double low = all.paths.at[all.paths.len / 4].slack, high = all.paths.at[all.paths.len / 2].slack;
  PathQuery between = every;
  between.slack_max = high;
  between.slack_min = low;
  ask(&f, between, &some);
  uint32_t count = 0;
  for (uint32_t i = 0; i < all.paths.len; i++)
    count += all.paths.at[i].slack >= low && all.paths.at[i].slack <= high;
  CHECK(some.paths.len == count && count > 0);
  path_list_free(&some);
  PathQuery grouped = every;
  grouped.group_paths = 3;
  ask(&f, grouped, &some);
  CHECK(some.paths.len == 5);      /* of clk and of the gated clock */
  path_list_free(&some);
  Log *log = test_log();
  PathQuery large = every;
  for (int i = 0; i < 2; i++) {
    large.memory = i ? 40000 : 10000;      /* no room for the records; for the points */
    CHECK(query_paths(f.t, &large, log, &some) == FAILED);
    CHECK(strstr(log_take_error(log), "PATH-010") != NULL);
    CHECK(some.paths.len == 0 && some.points.len == 0);
  }
  log = test_log();
  interrupt_set();
  PathQuery two = query_of(LATE, 2);
  CHECK(query_paths(f.t, &two, log, &some) == FAILED);
  CHECK(log_failed(log) && strstr(log_take_error(log), "PATH-002"));
  CHECK(some.paths.len == 0 && some.points.len == 0);
  interrupt_clear();
  path_list_free(&all);
  path_list_free(&some);
  tear_down(&f);
}

/* Whatever an interrupt left half done, the next search finds the same paths. */
static void test_interrupts(void)
{
  Fixture f;
  PathList all = { 0 }, some = { 0 };
  PathQuery q = query_of(LATE, MANY);
  uint32_t looks = 1;
  set_up(&f, 3);
  query_paths(f.t, &q, test_log(), &all);
  for (bool came = true; came; looks += 1 + looks / 16) {
    timing_forget(f.t);
    interrupt_after(looks);
    Status status = query_paths(f.t, &q, test_log(), &some);
    came = interrupt_pending();
    interrupt_after(0);
    interrupt_clear();
    CHECK(came || status == OK);
    path_list_free(&some);
    CHECK(query_paths(f.t, &q, test_log(), &some) == OK && same_list(&all, &some));
    path_list_free(&some);
  }
  CHECK(looks > 1000);       /* it looks at every path */
  path_list_free(&all);
  tear_down(&f);
}

/* The terms of the required time add up to it, and required less arrival is the slack. */
static void test_terms(void)
{
  Fixture f;
  PathList list = { 0 };
  set_up(&f, 5);
  for (int el = EARLY; el <= LATE; el++) {
    PathQuery q = query_of(el, 2);
    q.max_paths = 100;
    ask(&f, q, &list);
  }
  CHECK(list.paths.len > 4);
  for (uint32_t i = 0; i < list.paths.len; i++) {
    const Path *path = &list.paths.at[i];
    RequiredTerm terms[MOST_TERMS];
    double sum = 0, required = path_required(f.t, &list, path);
    for (uint32_t k = path_required_terms(f.t, &list, path, terms); k-- > 0;) sum += terms[k].value;
    CHECK_NEAR(sum, required, 1e-3);
    double slack = required - path_launch_time(f.t, &list, path) - path->arrival;
    CHECK_NEAR(path->early_late == LATE ? slack : -slack, path->slack, 1e-3);
    bool gate = f.t->g->ends.path_ends.at[path->end_id].type == END_GATING_SETUP
                || f.t->g->ends.path_ends.at[path->end_id].type == END_GATING_HOLD;
    CHECK_TEXT(path_group_name(f.t, path->group), gate ? "gated clock" : "clk");
  }
  path_list_free(&list);
  tear_down(&f);
}

static void test_clock_path(void)
{
  Fixture f;
  PathList list = { 0 };
  PathPoints points = { 0 };
  set_up(&f, 2);
  CHECK(
      query_path_to(f.t, graph_slot(f.t->g, pin_object(&f, "s3/CK").id, false), RISE, LATE, &list));
  const Path *path = &list.paths.at[0];
  const PathPoint *end = path_end(&list, path);
  query_clock_path(f.t, end->slot, end->node, RISE, LATE, &points);
  CHECK(points.len == path->count && points.len > 1);
  CHECK(points.at[points.len - 1].arrival == end->arrival && path->end_id == NO_PATH_END
        && isinf(path->slack));
  CHECK(isnan(path_required(f.t, &list, path)));
  array_free(&points);
  path_list_free(&list);
  tear_down(&f);
}

void suite_path(void)
{
  CU_pSuite s = CU_add_suite("path", NULL, NULL);
  CU_add_test(s, "all paths, in order, as brute force lists them", test_all_paths);
  CU_add_test(s, "the worst path is the engine's to the bit", test_exact);
  CU_add_test(s, "from, through, to", test_points);
  CU_add_test(s, "limits of slack and number, interrupt", test_limits);
  CU_add_test(s, "interrupts at many moments", test_interrupts);
  CU_add_test(s, "terms of the required time", test_terms);
  CU_add_test(s, "path to a pin, clock path", test_clock_path);
}
