/* Path re-timing against brute force: every path of small random designs, walked forward with
   tables of the test's own. */
#include "paths/retime.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/interrupt.h"
#include "db/ocv_tables.h"
#include "timing/credit.h"
#include "cpu/cpu.h"
#include "update/timer.h"
#include "paths/retime_bound.h"
#include "tests/small.h"
#include "tests/unit.h"

/* --- tables ----------------------------------------------------------------------------------- */
enum { N1 = 4, N2 = 2, GATE_KINDS = 9 };
static const SmallLayers layers = { .starts = 5,
                                    .gates = 11,
                                    .ends = 4,
                                    .kinds = GATE_KINDS,
                                    .clock_gate = "G2 cb (.A(clk), .B(1'b1)",
                                    .gated_ends = true };
static const double slew_axis[N1] = { 5, 20, 60, 150 }, load_axis[N2] = { 1, 4 };

typedef struct { double value[N1][N2]; } Grid;
typedef struct { Grid delay[2], slew[2]; } ArcTables;           /* by output edge */

/* Bilinear, straight on outside. */
static double look_up(const double (*value)[N2], double slew, double load)
{
  int i = 0;
  while (i < N1 - 2 && slew >= slew_axis[i + 1]) i++;
  double x = (slew - slew_axis[i]) / (slew_axis[i + 1] - slew_axis[i]),
         y = (load - load_axis[0]) / (load_axis[1] - load_axis[0]);
  double low = value[i][0] + x * (value[i + 1][0] - value[i][0]),
         high = value[i][1] + x * (value[i + 1][1] - value[i][1]);
  return low + y * (high - low);
}

/* --- designs ---------------------------------------------------------------------------------- */
typedef struct {
  Small *small;
  const Timing *t;
  uint32_t random;
  bool falls;                         /* tables that fall somewhere */
  ArcTables gate[GATE_KINDS][3];      /* from A, B, and a second arc from A */
  ArcTables launch;
  Grid setup[2], hold[2];             /* by data edge; the axes stand for clock slew (four points)
                                         and data slew (1, 4) */
} Fixture;

static uint32_t random_below(Fixture *fixture, uint32_t limit)
{
  return small_random(&fixture->random, limit);
}

static Grid random_grid(Fixture *fixture, double base, double rise)
{
  Grid g;
  double x = base + random_below(fixture, 100) / 10.0,
         steeper = 4 + random_below(fixture, 40) / 10.0;
  for (int i = 0; i < N1; i++) {
    g.value[i][0] = x;
    g.value[i][1] = x + steeper;
    x += rise * (random_below(fixture, 100) + 5) / 100.0;
    steeper += random_below(fixture, 10) / 10.0 * rise / 100;
    if (fixture->falls && random_below(fixture, 3) == 0) x -= 1.6 * rise;
    if (fixture->falls && random_below(fixture, 3) == 0) steeper -= 3;
  }
  return g;
}

static ArcTables random_arc(Fixture *fixture)
{
  return (ArcTables){ { random_grid(fixture, 20, 15), random_grid(fixture, 24, 15) },
                      { random_grid(fixture, 12, 25), random_grid(fixture, 10, 25) } };
}

static void put_grid(Text *text, const char *name, const Grid *grid)
{
  text_printf(text, "%s (p) { values (", name);
  for (int i = 0; i < N1; i++)
    text_printf(text, "%s\"%.9g, %.9g\"", i ? ", " : "", grid->value[i][0], grid->value[i][1]);
  text_put(text, "); } ");
}

static void put_arc(Text *text, const char *from, const char *how, const ArcTables *tables)
{
  text_printf(text, "timing () { related_pin : \"%s\"; %s ", from, how);
  put_grid(text, "cell_rise", &tables->delay[RISE]);
  put_grid(text, "cell_fall", &tables->delay[FALL]);
  put_grid(text, "rise_transition", &tables->slew[RISE]);
  put_grid(text, "fall_transition", &tables->slew[FALL]);
  text_put(text, "}\n");
}

/* Negative unate, non-unate, and one with an arc under two conditions. */
static void put_gate(Fixture *fixture, Text *text, int number)
{
  static const char *const functions[] = { "!(A B)", "A^B", "A B" }, *const senses[] = {
    "negative_unate", "non_unate", "positive_unate"
  };
  char how[100];
  text_printf(text,
              "cell (G%d) { pin (A) { direction : input; capacitance : 1; } pin (B) { direction : "
              "input; capacitance : 1; }\n",
              number);
  text_printf(text, "pin (Y) { direction : output; function : \"%s\";\n", functions[number % 3]);
  for (int k = 0; k < 3; k++) {
    if (k == 2 && number % 3 != 2) continue;
    fixture->gate[number][k] = random_arc(fixture);
    snprintf(how, sizeof how, "timing_sense : %s;%s", senses[number % 3],
             k == 2 ? " when : \"B\"; sdf_cond : \"B\";" : "");
    put_arc(text, k == 1 ? "B" : "A", how, &fixture->gate[number][k]);
  }
  text_put(text, "} }\n");
}

static void put_check(Text *text, const char *type, const Grid *grid)
{
  text_printf(text, "timing () { related_pin : \"CK\"; timing_type : %s; ", type);
  put_grid(text, "rise_constraint", &grid[RISE]);
  put_grid(text, "fall_constraint", &grid[FALL]);
  text_put(text, "}\n");
}

/* A setup time rises with the data's slew and a hold time falls; where tables fall, either does
   either. */
static void random_check(Fixture *fixture, Grid *grid, double slope)
{
  for (int edge = RISE; edge <= FALL; edge++)
    for (int i = 0; i < N1; i++) {
      grid[edge].value[i][0] = 3 + i + random_below(fixture, 30) / 10.0;
      grid[edge].value[i][1] =
          grid[edge].value[i][0] + (fixture->falls && random_below(fixture, 2) ? -slope : slope);
    }
}

static void put_register(Fixture *fixture, Text *text)
{
  fixture->launch = random_arc(fixture);
  random_check(fixture, fixture->setup, 0.1);
  random_check(fixture, fixture->hold, -0.1);
  text_put(text, "cell (FF) { ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; } pin (CK) { "
                 "direction : input; clock : true; capacitance : 1; }\n"
                 "pin (D) { direction : input; capacitance : 1;\n");
  put_check(text, "setup_rising", fixture->setup);
  put_check(text, "hold_rising", fixture->hold);
  text_put(text, "} pin (Q) { direction : output; function : \"IQ\";\n");
  put_arc(text, "CK", "timing_type : rising_edge;", &fixture->launch);
  text_put(text, "} }\n}\n");
}

static void put_library(Fixture *fixture, Text *text)
{
  text_put(text,
           "library (tiny) { time_unit : \"1ps\"; capacitive_load_unit (1, ff); voltage_unit : "
           "\"1V\"; current_unit : \"1mA\";\n"
           "leakage_power_unit : \"1nW\"; pulling_resistance_unit : \"1kohm\"; "
           "lu_table_template (p) { variable_1 : input_net_transition; "
           "variable_2 : total_output_net_capacitance; index_1 (\"5, 20, 60, 150\"); index_2 "
           "(\"1, 4\"); }\n");
  for (int i = 0; i < GATE_KINDS; i++) put_gate(fixture, text, i);
  put_register(fixture, text);
}

enum { LATE_PERCENT = 106, EARLY_PERCENT = 95 };

static void derate(Small *small)
{
  Derate *derate = constraints_derate(small->constraints, (Object){ OBJ_DESIGN, 0 });
  for (int path = 0; path < 2; path++)
    for (int k = 0; k < CONDITION_COUNT; k++)
      derate->factor[DERATE_CELL_DELAY][path][k] =
          (k >> 1 == LATE ? LATE_PERCENT : EARLY_PERCENT) / 100.0f;
  constraints_changed(small->constraints);
}

static void set_up(Fixture *fixture, uint32_t seed, bool falls)
{
  Text library = { 0 }, design = { 0 };
  *fixture = (Fixture){ .random = seed, .falls = falls };
  put_library(fixture, &library);
  small_put_layers(&design, &layers, &fixture->random);
  fixture->small = small_with(text_get(&library), text_get(&design));
  small_constrain_layers(fixture->small);
  derate(fixture->small);
  timer_set_common(small_timer(fixture->small), (CommonOptions){ .on = true });
  timer_set_delay_model(fixture->small->timer, DELAY_LUMPED);
  fixture->t = small_timing(fixture->small);
  text_free(&library);
  text_free(&design);
}

static void tear_down(Fixture *fixture) { small_free(fixture->small); }

/* --- every path ------------------------------------------------------------------------------- */
enum { LONGEST = 64 };
typedef struct {
  Slot    slots[LONGEST];
  uint8_t edges[LONGEST];
  int     count;
  double  slack;
} Walk;

typedef struct {
  const Fixture *fixture;
  int  early_late;
  ARRAY(Walk) all;
  Walk walk;
  uint32_t leaf;
  RetimeBounds *bounds;
} Walker;

typedef struct { double arrival, slew; } At;

static double load_of(const Graph *g, Slot driver)
{
  double load = 0;
  for (Slot s = g->nets.load_first[driver];
       s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++)
    load += !(g->slots.flags[s] & SLOT_PORT);
  return load;
}

static const char *master_of(const Fixture *fixture, Slot slot)
{
  const Netlist *n = fixture->small->netlist;
  InstId inst = n->pins.at[fixture->t->g->slots.pin[slot]].inst;
  return names_text(fixture->small->names, netlist_inst_master_name(n, inst));
}

static const Grid *margin_tables(const Fixture *fixture, int early_late)
{
  return early_late == LATE ? fixture->setup : fixture->hold;
}

/* What the end asks, with the margin that the path's own slew makes. */
static void end_walk(Walker *walker, At at)
{
  const Timing *t = walker->fixture->t;
  const Graph *g = t->g;
  Slot slot = walker->walk.slots[walker->walk.count - 1];
  int edge = walker->walk.edges[walker->walk.count - 1];
  for (PathEndId r = g->ends.first_end[slot]; r < g->ends.first_end[slot + 1]; r++) {
    const PathEnd *end = &g->ends.path_ends.at[r];
    bool has;
    double required = timing_end_required(t, r, edge, &has), more = 0;
    if (!has || path_end_is_late((PathEndType)end->type) != (walker->early_late == LATE)) continue;
    /* another clock edge's */
    if (time_absent(t->arrival[end->data].v[condition_of(walker->early_late, edge)])) continue;
    if (end->check != UINT32_MAX) {
      const Check *check = &g->ends.checks.at[end->check];
      double clock_slew = t->slew[check->clock].v[condition_of(!walker->early_late, RISE)];
      more = look_up(margin_tables(walker->fixture, walker->early_late)[edge].value, clock_slew,
                     at.slew)
             - t->check_margin[end->check].v[edge];
    }
    double credit = common_leaf_credit(t, walker->leaf, timing_end_leaf(t, end, edge));
    walker->walk.slack =
        (walker->early_late == LATE ? required - more - at.arrival : at.arrival - (required + more))
        + credit;
    array_push(&walker->all, walker->walk);
  }
}

static void walk_on(Walker *walker, At at);

static void step_to(Walker *walker, Slot slot, int edge, At at)
{
  if (walker->walk.count == LONGEST) return;
  walker->walk.slots[walker->walk.count] = slot;
  walker->walk.edges[walker->walk.count++] = (uint8_t)edge;
  walk_on(walker, at);
  walker->walk.count--;
}

/* Late data takes the larger, early data the smaller. */
static void keep_worst(const Walker *walker, double x, double *have)
{
  if (isnan(*have) || (walker->early_late == LATE ? x > *have : x < *have)) *have = x;
}

static void through(Walker *walker, const ArcTables *const *arcs, Slot driver, int out, At at)
{
  double load = load_of(walker->fixture->t->g, driver),
         factor = (walker->early_late == LATE ? LATE_PERCENT : EARLY_PERCENT) / 100.0;
  At next = { NAN, NAN };
  for (; *arcs; arcs++) {
    double delay = look_up((*arcs)->delay[out].value, at.slew, load),
           slew = look_up((*arcs)->slew[out].value, at.slew, load);
    keep_worst(walker, at.arrival + delay * (delay < 0 ? 2 - factor : factor), &next.arrival);
    keep_worst(walker, slew > 0 ? slew : 0, &next.slew);
  }
  step_to(walker, driver, out, next);
}

static Slot output_of(const Fixture *fixture, Slot input, const char *name)
{
  InstId inst = fixture->small->netlist->pins.at[fixture->t->g->slots.pin[input]].inst;
  Text full = { 0 };
  netlist_inst_name(fixture->small->netlist, inst, '/', &full);
  text_printf(&full, "/%s", name);
  PinId output = netlist_find_pin(fixture->small->netlist, TOP_INST, text_get(&full), '/');
  Slot slot = graph_slot(fixture->t->g, output, true);
  text_free(&full);
  return slot;
}

/* A gate by its kind; the pins of a cell are A and B. */
static void through_gate(Walker *walker, Slot slot, int edge, At at)
{
  const Fixture *fixture = walker->fixture;
  int number = atoi(master_of(fixture, slot) + 1);
  Text pin = { 0 };
  netlist_pin_name(fixture->small->netlist, fixture->t->g->slots.pin[slot], '/', &pin);
  bool from_b = text_get(&pin)[pin.len - 1] == 'B';
  text_free(&pin);
  const ArcTables *arcs[3] = { &fixture->gate[number][from_b],
                               !from_b && number % 3 == 2 ? &fixture->gate[number][2] : NULL,
                               NULL };
  Slot out = output_of(fixture, slot, "Y");
  for (int to = RISE; to <= FALL; to++)
    if (number % 3 == 1 || (to == edge) == (number % 3 == 2)) through(walker, arcs, out, to, at);
}

static void walk_on(Walker *walker, At at)
{
  const Graph *g = walker->fixture->t->g;
  Slot slot = walker->walk.slots[walker->walk.count - 1];
  int edge = walker->walk.edges[walker->walk.count - 1];
  if (slot_is_driver(g, slot)) {
    for (Slot s = g->nets.load_first[slot]; s < g->nets.load_first[slot] + g->nets.load_count[slot];
         s++)
      step_to(walker, s, edge, at);
    return;
  }
  end_walk(walker, at);
  if (!(g->slots.flags[slot] & SLOT_PORT) && *master_of(walker->fixture, slot) == 'G')
    through_gate(walker, slot, edge, at);
}

static NodeId clock_node(const Fixture *fixture, Slot slot)
{
  const Graph *g = fixture->t->g;
  for (NodeId n = g->nodes.first[slot]; n < g->nodes.first[slot + 1]; n++)
    if (graph_node_is_clock(g, slot, n)
        && !time_absent(fixture->t->arrival[n].v[condition_of(LATE, RISE)])
        && clock_edge_edge(g->tags->tags.at[graph_node_tag(fixture->t->g, slot, n)].clock_edge)
               == RISE)
      return n;
  return NO_NODE_ID;
}

static void walk_all(Walker *walker)
{
  const Fixture *fixture = walker->fixture;
  const ArcTables *launch[] = { &fixture->launch, NULL };
  array_clear(&walker->all);
  for (int i = 2; i < layers.starts; i++) {
    char name[20];
    snprintf(name, sizeof name, "s%d/CK", i);
    Slot slot = graph_slot(fixture->t->g,
                           netlist_find_pin(fixture->small->netlist, TOP_INST, name, '/'), false);
    NodeId node = clock_node(fixture, slot);
    int k = condition_of(walker->early_late, RISE);
    walker->leaf = common_leaf(fixture->t, slot, node);
    walker->walk.slots[0] = slot;
    walker->walk.edges[0] = RISE;
    walker->walk.count = 1;
    for (int edge = RISE; edge <= FALL; edge++)
      through(walker, launch, output_of(fixture, slot, "Q"), edge,
              (At){ fixture->t->arrival[node].v[k], fixture->t->slew[slot].v[k] });
  }
  walker->leaf = 0;
  for (int i = 0; i < 2; i++)
    for (int edge = RISE; edge <= FALL; edge++) {
      walker->walk.count = 0;
      step_to(walker,
              graph_slot(fixture->t->g, netlist_find_port(fixture->small->netlist, i ? "i1" : "i0"),
                         true),
              edge, (At){ 10.0 * (condition_of(walker->early_late, edge) + i + 1), 0 });
    }
}

/* --- comparison ------------------------------------------------------------------------------- */
enum { MANY = 1000000 };
static const double near = 0.02;

static int by_walk_slack(const void *pa, const void *pb)
{
  const Walk *a = pa, *b = pb;
  return a->slack < b->slack ? -1 : a->slack > b->slack;
}

static bool walk_passes(const Walk *walk, Slot slot)
{
  for (int i = 0; i < walk->count; i++)
    if (walk->slots[i] == slot) return true;
  return false;
}

static bool same_walk(const Walk *a, const Walk *b, bool edges_too)
{
  if (a->count != b->count || memcmp(a->slots, b->slots, sizeof *a->slots * (size_t)a->count))
    return false;
  return !edges_too || memcmp(a->edges, b->edges, (size_t)a->count) == 0;
}

/* Of sorted walks the `worst` of each end, of them those within the limits, of these the slacks of
   the `most`. */
static uint32_t select_slacks(const Walker *walker, const PathQuery *query, Slot through,
                              double *slacks)
{
  uint32_t kept = 0, chosen = 0, *taken = mem_alloc(sizeof *taken * ((size_t)walker->all.len + 1));
  for (uint32_t i = 0; i < walker->all.len && kept < query->max_paths; i++) {
    const Walk *walk = &walker->all.at[i];
    uint32_t same_end = 0;
    bool known = through != NO_SLOT && !walk_passes(walk, through);
    for (uint32_t k = 0; k < chosen && !known && same_end < query->worst; k++) {
      const Walk *other = &walker->all.at[taken[k]];
      same_end += other->slots[other->count - 1] == walk->slots[walk->count - 1];
      known = query->unique && same_walk(other, walk, false);
    }
    if (known || same_end >= query->worst) continue;
    taken[chosen++] = i;
    if (!(walk->slack > query->slack_max || walk->slack < query->slack_min))
      slacks[kept++] = walk->slack;
  }
  mem_free(taken);
  return kept;
}

static void compare(const Walker *walker, const PathQuery *query, Slot through)
{
  PathList list = { 0 };
  RetimeReport report;
  double *slacks = mem_alloc(sizeof *slacks * ((size_t)walker->all.len + 1));
  uint32_t count = select_slacks(walker, query, through, slacks), wrong = 0;
  CHECK(query_paths_exhaustive(walker->fixture->t, query,
                               &(ExhaustivePlan){ .limit = MANY, .bounds = walker->bounds },
                               test_log(), &list, &report)
        == OK);
  CHECK(list.paths.len == count && report.complete);
  for (uint32_t i = 0; i < list.paths.len && i < count; i++)
    wrong += fabs(list.paths.at[i].slack - slacks[i]) > near;
  CHECK(wrong == 0);
  mem_free(slacks);
  path_list_free(&list);
}

static PathQuery query(int early_late, uint32_t most, uint32_t worst)
{
  return (PathQuery){
    .early_late = early_late, .max_paths = most, .worst = worst, .slack_max = NAN, .slack_min = NAN
  };
}

static void compare_all(const Walker *walker)
{
  static const struct {
    uint32_t most, worst;
  } sizes[] = { { 1, 1 }, { 3, 1 }, { 50, 1 }, { 5, 5 }, { 20, 3 }, { 40, 100 } };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    PathQuery q = query(walker->early_late, sizes[i].most, sizes[i].worst);
    compare(walker, &q, NO_SLOT);
    q.unique = true;
    if (i > 2) compare(walker, &q, NO_SLOT);
  }
  if (walker->all.len < 20) return;
  PathQuery q = query(walker->early_late, 10, 10);
  q.slack_min = walker->all.at[walker->all.len / 8].slack + near;
  q.slack_max = walker->all.at[walker->all.len / 3].slack - near;
  if (q.slack_min < q.slack_max && walker->fixture->random % 4 == 0) compare(walker, &q, NO_SLOT);
  Slot through = graph_slot(walker->fixture->t->g, small_pin(walker->fixture->small, "g7/Y"), true);
  q = query(walker->early_late, 10, 4);
  array_resize(&q.through, 1);
  q.through.at[0] = (PathObjects){ 0 };
  array_push(&q.through.at[0],
             ((PathObject){ { OBJ_PIN, walker->fixture->t->g->slots.pin[through] }, EDGE_BOTH }));
  compare(walker, &q, through);
  path_query_free(&q);
}

/* Does a path, the worst of its row, meet the graph's slews everywhere? */
static bool is_graphs(const Timing *t, const PathList *list, const Path *path)
{
  const PathPoint *point = path_start(list, path);
  if (retimed_of(list, path)->graph_slack
      != t->end_slack[path->end_id].v[path_end(list, path)->edge])
    return false;
  for (uint32_t i = 0; i < path->count; i++)
    if (retimed_point(list, path, &point[i])->slew
        != t->slew[point[i].slot].v[condition_of(path->early_late, point[i].edge)])
      return false;
  return true;
}

/* All paths of the graph re-timed one by one are the walks, and those that lose slack are
   counted. */
static uint32_t compare_each(const Walker *walker)
{
  PathList list = { 0 };
  RetimeReport report;
  PathQuery q = query(walker->early_late, MANY, MANY);
  CHECK(query_paths(walker->fixture->t, &q, test_log(), &list) == OK);
  CHECK(retime_paths(walker->fixture->t, &list, 0, test_log(), &report) == OK);
  retime_order(walker->fixture->t, &q, &list, 0);
  CHECK(list.paths.len == walker->all.len && report.paths == walker->all.len);
  uint32_t wrong = 0, worse = 0;
  for (uint32_t i = 0; i < list.paths.len && i < walker->all.len; i++) {
    const Path *path = &list.paths.at[i];
    wrong += fabs(path->slack - walker->all.at[i].slack) > near;
    worse += path->slack < retimed_of(&list, path)->graph_slack - 1e-3;
    wrong += path_end(&list, path)->arrival != path->arrival;
    wrong += is_graphs(walker->fixture->t, &list, path)
             && path->slack != retimed_of(&list, path)->graph_slack;
  }
  CHECK(wrong == 0 && worse == report.worse);
  path_list_free(&list);
  return worse;
}

/* --- tests ------------------------------------------------------------------------------------ */
static uint32_t compare_designs(bool falls)
{
  uint32_t worse = 0;
  for (uint32_t seed = 1; seed <= 100; seed++) {
    Fixture f;
    set_up(&f, seed * 77 + falls, falls);
    for (int el = EARLY; el <= LATE; el++) {
      Walker w = { .fixture = &f,
                   .early_late = el,
                   .bounds = seed % 2 ? retime_bounds_new() : NULL };
      walk_all(&w);
      CHECK(w.all.len > 0);
      if (w.all.len) qsort(w.all.at, w.all.len, sizeof *w.all.at, by_walk_slack);
      if (w.all.len < 3000) worse += compare_each(&w);
      compare_all(&w);
      array_free(&w.all);
      retime_bounds_free(w.bounds);
    }
    tear_down(&f);
  }
  return worse;
}

static void test_rising(void) { CHECK(compare_designs(false) == 0); }
static void test_falling(void) { CHECK(compare_designs(true) > 100); }

/* --- starts, ends and variation that the walks do not know ---------------------------------------

   They are compared with the re-timing of all paths of the graph. */
static void compare_with_all(const Timing *t, int early_late, uint32_t most, uint32_t worst)
{
  PathList all = { 0 }, found = { 0 };
  RetimeReport report;
  Map *taken = map_new();
  PathQuery everything = query(early_late, MANY, MANY), q = query(early_late, most, worst);
  CHECK(query_paths(t, &everything, test_log(), &all) == OK
        && retime_paths(t, &all, 0, test_log(), &report) == OK);
  retime_order(t, &everything, &all, 0);
  CHECK(
      query_paths_exhaustive(t, &q, &(ExhaustivePlan){ .limit = MANY }, test_log(), &found, &report)
          == OK
      && report.complete);
  uint32_t kept = 0, wrong = 0;
  for (uint32_t i = 0; i < all.paths.len && kept < most; i++) {
    const Path *path = &all.paths.at[i];
    uint64_t key = hash_pair(path_end(&all, path)->slot, path->group);
    uint32_t before = map_get(taken, key);
    if (before == MAP_NO_VALUE) before = 0;
    if (before == worst) continue;
    map_put(taken, key, before + 1);
    wrong += kept >= found.paths.len || fabs(found.paths.at[kept].slack - path->slack) > 1e-4;
    kept++;
  }
  CHECK(wrong == 0 && kept == found.paths.len && kept > 0);
  map_free(taken);
  path_list_free(&all);
  path_list_free(&found);
}

/* Latches that lend and borrow, one way each: the graph's slacks to the bit. */
static void test_latches(void)
{
  Small *small =
      small_new("module top(input clk, input a, output o); DFF r(.CK(clk), .D(a), .Q(q)); "
                "INV i1(.A(q), .Y(n1)); INV i2(.A(n1), .Y(n2));"
                "LAT l(.G(clk), .D(n2), .Q(m)); XOR2 x(.A(m), .B(1'b0), .Y(y)); DFF "
                "e(.CK(clk), .D(y), .Q(z)); BUF b(.A(z), .Y(o)); endmodule");
  ClockId clock = small_clock(small, "clk", 100, 40, 80, "clk");
  small->constraints->clocks.at[clock].propagated = true;
  const Timing *t = small_timing(small);
  uint32_t same = 0, latches = 0;
  for (int el = EARLY; el <= LATE; el++) {
    PathList list = { 0 };
    RetimeReport report;
    PathQuery q = query(el, MANY, 1);
    CHECK(query_paths(t, &q, test_log(), &list) == OK
          && retime_paths(t, &list, 0, test_log(), &report) == OK);
    for (uint32_t i = 0; i < list.paths.len; i++) {
      const Path *path = &list.paths.at[i];
      same +=
          path->slack == retimed_of(&list, path)->graph_slack
          && path_required(t, &list, path) - path_launch_time(t, &list, path) - path->arrival < 1e9;
      latches += path_from_latch(t, &list, path);
    }
    CHECK(list.paths.len > 1 && report.worse == 0);
    same -= list.paths.len;
    path_list_free(&list);
    compare_with_all(t, el, 10, 2);
  }
  CHECK(same == 0 && latches > 0);
  small_free(small);
}

static void vary(Variation *variation, bool normal)
{
  static const float depths[] = { 1, 4, 9 }, late[] = { 1.1f, 1.07f, 1.05f },
                     early[] = { 0.9f, 0.93f, 0.95f }, coefficient[] = { 0.06f };
  OcvTable table = { .kind = normal ? OCV_COEFFICIENT : OCV_DERATE,
                     .delays = 1 << OCV_CELL,
                     .paths = 3,
                     .distance_count = 1,
                     .depth_count = normal ? 1 : 3 };
  for (int el = EARLY; el <= LATE; el++) {
    table.conditions = (uint8_t)(3 << (2 * el));
    variation_use(variation, (Object){ OBJ_DESIGN, 0 },
                  variation_add_table(variation, table, NULL, normal ? NULL : depths,
                                      normal       ? coefficient
                                      : el == LATE ? late
                                                   : early));
  }
  variation_set_options(variation, (OcvOptions){ .tables = OCV_TABLES_REPLACE,
                                                 .mode = normal ? OCV_NORMAL : OCV_SCALAR,
                                                 .quantile = 3 });
}

static void test_variation(void)
{
  for (uint32_t seed = 1; seed <= 12; seed++) {
    Fixture f;
    set_up(&f, 1000 + seed, seed % 2);
    Variation *variation = variation_new();
    vary(variation, seed % 4 > 1);
    TimerInput in = { .netlist = f.small->netlist,
                      .libs = f.small->libs,
                      .constraints = f.small->constraints,
                      .variation = variation };
    timer_free(f.small->timer);
    f.small->timer = timer_new(&in, test_log());
    f.small->timer->threads = 1;
    timer_set_common(f.small->timer, (CommonOptions){ .on = true });
    CHECK(timer_update(f.small->timer, true) == OK);
    for (int el = EARLY; el <= LATE; el++)
      for (uint32_t most = 1; most < 30; most += 9)
        compare_with_all(f.small->timer->timing, el, most, 1 + most % 3);
    tear_down(&f);
    variation_free(variation);
  }
}

/* What was found is all there is below what is certain; threads make no difference. */
static void test_limit(void)
{
  Fixture f;
  PathList list = { 0 }, some = { 0 }, other = { 0 };
  RetimeReport report;
  PathQuery q = query(LATE, 40, 40), all = query(LATE, MANY, MANY);
  set_up(&f, 9, true);
  CHECK(query_paths(f.t, &all, test_log(), &list) == OK
        && query_paths(f.t, &all, test_log(), &other) == OK && list.paths.len > 600);
  CHECK(retime_paths(f.t, &list, 0, test_log(), &report) == OK);
  ((Timing *)f.t)->threads = 3;
  CHECK(retime_paths(f.t, &other, 0, test_log(), &report) == OK);
  CHECK(memcmp(list.points.at, other.points.at, list.points.len * sizeof *list.points.at) == 0);
  CHECK(memcmp(list.retimed_points.at, other.retimed_points.at,
               list.retimed_points.len * sizeof *list.retimed_points.at)
        == 0);
  CHECK(
      query_paths_exhaustive(f.t, &q, &(ExhaustivePlan){ .limit = 45 }, test_log(), &some, &report)
          == OK
      && !report.complete);
  uint32_t below = 0, found = 0;
  for (uint32_t i = 0; i < list.paths.len; i++) below += list.paths.at[i].slack < report.certain;
  for (uint32_t i = 0; i < some.paths.len; i++) found += some.paths.at[i].slack < report.certain;
  CHECK(below == found && some.paths.len == 40);
  path_list_free(&some);
  interrupt_set();
  Log *log = test_log();
  CHECK(query_paths_exhaustive(f.t, &q, &(ExhaustivePlan){ .limit = MANY }, log, &some, &report)
        == FAILED);
  CHECK(log_failed(log) && strstr(log_take_error(log), "PATH-002") && some.paths.len == 0
        && some.points.len == 0);
  interrupt_clear();
  path_list_free(&list);
  path_list_free(&other);
  path_list_free(&some);
  tear_down(&f);
}

void suite_retime(void)
{
  CU_pSuite s = CU_add_suite("retime", NULL, NULL);
  CU_add_test(s, "tables that rise: exhaustive search is brute force", test_rising);
  CU_add_test(s, "tables that fall somewhere: the same", test_falling);
  CU_add_test(s, "latches", test_latches);
  CU_add_test(s, "tables by depth, sigma", test_variation);
  CU_add_test(s, "a limit, an interrupt, threads", test_limit);
}
