/* Exceptions against the enumeration of all paths of small random designs: every slack of every end
   point. */
#include <math.h>
#include <stdio.h>

#include "tests/small.h"
#include "tests/unit.h"

/* --- a random design -------------------------------------------------------------------------- */
enum { INPUTS = 3, STARTS = 3, GATES = 9, ENDS = 3, MOST_STEPS = 64 };

typedef struct { uint32_t state; } Random;

static uint32_t pick(Random *random, uint32_t below)
{
  random->state = random->state * 1664525u + 1013904223u;
  return (random->state >> 8) % below;
}

/* Nets n0...: the inputs, the starting registers' outputs, then the gates'. */
static void put_net(Text *text, uint32_t net)
{
  static const char *const inputs[] = { "a", "b", "c" };
  if (net < INPUTS) text_put(text, inputs[net]);
  else text_printf(text, "n%u", net);
}

static void put_design(Text *text, Random *random)
{
  static const char *const gates[] = { "INV", "BUF", "AND2", "OR2", "XOR2" };
  text_put(text, "module top(clk, a, b, c, y); input clk, a, b, c; output y; wire ck, k2;");
  for (uint32_t i = INPUTS; i < INPUTS + STARTS + GATES; i++) text_printf(text, " wire n%u;", i);
  text_put(text, " BUF kb (.A(clk), .Y(ck)); BUF kc (.A(ck), .Y(k2));");
  for (uint32_t i = 0; i < STARTS; i++)
    text_printf(text, " DFF r%u (.CK(%s), .D(a), .Q(n%u));", i, i == 1 ? "k2" : "ck", INPUTS + i);
  for (uint32_t i = 0; i < GATES; i++) {
    uint32_t kind = pick(random, 5), before = INPUTS + STARTS + i;
    text_printf(text, " %s g%u (.A(", gates[kind], i);
    put_net(text, i ? before - 1 - pick(random, i < 6 ? i + 3 : 6) : pick(random, before));
    if (kind >= 2) {
      text_put(text, "), .B(");
      put_net(text, pick(random, before));
    }
    text_printf(text, "), .Y(n%u));", before);
  }
  for (uint32_t i = 0; i < ENDS; i++)
    text_printf(text, " DFF e%u (.CK(%s), .D(n%u), .Q());", i, i ? "ck" : "k2",
                INPUTS + STARTS + GATES - 1 - pick(random, 5));
  text_printf(text, " BUF gy (.A(n%u), .Y(y)); endmodule", INPUTS + STARTS + GATES - 1);
}

/* --- random constraints ----------------------------------------------------------------------- */
static Object random_pin(const Small *small, Random *random)
{
  char name[16];
  uint32_t g = pick(random, GATES);
  bool has_b = false;
  snprintf(name, sizeof name, "g%u/B", g);
  has_b = netlist_find_pin(small->netlist, TOP_INST, name, '/') != NO_PIN;
  uint32_t which = pick(random, has_b ? 3 : 2);
  snprintf(name, sizeof name, "g%u/%c", g, which == 0 ? 'Y' : which == 1 ? 'A' : 'B');
  return (Object){ OBJ_PIN, small_pin(small, name) };
}

static Object random_cell(const Small *small, Random *random, const char *kind, uint32_t count)
{
  char name[16];
  snprintf(name, sizeof name, "%s%u", kind, pick(random, count));
  return (Object){ OBJ_CELL, small_inst(small, name) };
}

static Object random_net(const Small *small, Random *random)
{
  char name[16];
  snprintf(name, sizeof name, "n%u", INPUTS + pick(random, STARTS + GATES));
  return (Object){ OBJ_NET, netlist_find_seg(small->netlist, TOP_INST, name, '/') };
}

static Object random_through(const Small *small, Random *random)
{
  uint32_t kind = pick(random, 4);
  return kind == 0   ? random_net(small, random)
         : kind == 1 ? random_cell(small, random, "g", GATES)
                     : random_pin(small, random);
}

static Object random_start(const Small *small, Random *random)
{
  static const char *const ports[] = { "a", "b", "c" }, *const clocks[] = { "r0/CK", "r1/CK",
                                                                            "r2/CK" };
  switch (pick(random, 6)) {
  case 0: return (Object){ OBJ_CLOCK, 0 };
  case 1: return random_cell(small, random, "r", STARTS);
  case 2: return (Object){ OBJ_PIN, small_pin(small, clocks[pick(random, 3)]) };
  case 3: return random_pin(small, random);
  default: return (Object){ OBJ_PORT, small_pin(small, ports[pick(random, 3)]) };
  }
}

static Object random_end(const Small *small, Random *random)
{
  static const char *const pins[] = { "e0/D", "e1/D", "e2/D" };
  switch (pick(random, 6)) {
  case 0: return (Object){ OBJ_CLOCK, 0 };
  case 1: return random_cell(small, random, "e", ENDS);
  case 2: return (Object){ OBJ_PORT, small_pin(small, "y") };
  case 3: return random_pin(small, random);
  default: return (Object){ OBJ_PIN, small_pin(small, pins[pick(random, 3)]) };
  }
}

static uint8_t random_edges(Random *random)
{
  return (uint8_t)(pick(random, 4) ? EDGE_BOTH : pick(random, 2) ? EDGE_RISE : EDGE_FALL);
}

static void random_exception(Small *small, Random *random)
{
  static const uint8_t types[] = { EXC_FALSE,     EXC_FALSE,     EXC_MULTICYCLE, EXC_MULTICYCLE,
                                   EXC_MAX_DELAY, EXC_MIN_DELAY, EXC_PATH_MARGIN };
  uint8_t type = types[pick(random, 7)];
  Exception *exception = constraints_add_exception(small->constraints, (ExceptionType)type);
  exception->has_from = pick(random, 2);
  exception->has_to = pick(random, 2);
  uint32_t through =
      exception->has_from || exception->has_to ? pick(random, 3) : 1 + pick(random, 2);
  exception->from.edges = random_edges(random);
  exception->to.edges = random_edges(random);
  for (uint32_t i = 1 + pick(random, 3); exception->has_from && i > 0; i--)
    array_push(&exception->from.objects, random_start(small, random));
  for (uint32_t i = 1 + pick(random, 3); exception->has_to && i > 0; i--)
    array_push(&exception->to.objects, random_end(small, random));
  for (uint32_t i = 0; i < through; i++) {
    ExceptionPoint p = { .edges = random_edges(random) };
    for (uint32_t k = 1 + pick(random, 4); k > 0; k--)
      array_push(&p.objects, random_through(small, random));
    array_push(&exception->through, p);
  }
  exception->end_edges = random_edges(random);
  exception->checks = (uint8_t)(pick(random, 3) ? 3 : 1 + pick(random, 2));
  if (type == EXC_MULTICYCLE) exception->checks = (uint8_t)(1 + pick(random, 2));
  if (type == EXC_MAX_DELAY) exception->checks = 1 << SETUP;
  if (type == EXC_MIN_DELAY) exception->checks = 1 << HOLD;
  exception->cycles = 1 + (int)pick(random, 3);
  exception->delay = 7.0 * (1 + pick(random, 30));
  exception->ignore_clock_latency = pick(random, 2);
  exception->probe = pick(random, 2);
  constraints_changed(small->constraints);
}

static Small *random_small(uint32_t seed)
{
  Random r = { seed * 2654435761u + 1 };
  Text t = { 0 };
  put_design(&t, &r);
  Small *small = small_new(text_get(&t));
  text_free(&t);
  small_clock(small, "c", 100, 0, 50, "clk");
  small->constraints->clocks.at[0].propagated = pick(&r, 2);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    constraints_input_delay(small->constraints, small_pin(small, "a"), 0, RISE, false)->delay[k] =
        3;
    constraints_input_delay(small->constraints, small_pin(small, "b"), 0, RISE, false)->delay[k] =
        k < 2 ? 1 : 9;
    constraints_output_delay(small->constraints, small_pin(small, "y"), 0, RISE, false)->delay[k] =
        11;
    small->constraints->clocks.at[0].network_latency[k] = k < 2 ? 6 : 8;
  }
  for (uint32_t i = 1 + pick(&r, 7); i > 0; i--) random_exception(small, &r);
  return small;
}

/* --- all paths -------------------------------------------------------------------------------- */
typedef struct {
  const Small  *small;
  const Graph  *g;
  const Timing *t;
  Slot    slot[MOST_STEPS];       /* from what the start launches on */
  uint8_t edge[MOST_STEPS];
  uint32_t steps;
  PinId   start;
  int     start_edge;
  bool    clocked;                /* launched by the clock */
  double  latency[2];             /* of the launch, by early/late */
  double  delay[2];               /* of the path behind it */
  double (*worst)[2][2];          /* by slot, early/late, edge: least slack */
} Walk;

static PinId pin_of(const Walk *walk, uint32_t step)
{
  return walk->g->slots.pin[walk->slot[step]];
}

static bool names_pin(const Walk *walk, Object o, PinId pin)
{
  const Netlist *n = walk->g->netlist;
  InstId inst = n->pins.at[pin].inst;
  if (o.type == OBJ_PIN || o.type == OBJ_PORT) return o.id == pin;
  return o.type == OBJ_CELL && inst != TOP_INST && o.id == inst;
}

static bool names_step(const Walk *walk, Object o, uint32_t step)
{
  PinId pin = pin_of(walk, step);
  /* a path goes through a cell where it leaves it */
  if (o.type == OBJ_CELL && !slot_is_driver(walk->g, walk->slot[step])) return false;
  if (o.type != OBJ_NET) return names_pin(walk, o, pin);
  return !slot_is_driver(walk->g, walk->slot[step])
         && netlist_pin_net(walk->g->netlist, pin) == walk->g->netlist->segs.at[o.id].net;
}

static bool starts(const Walk *walk, const Exception *exception)
{
  for (uint32_t i = 0; i < exception->from.objects.len; i++) {
    Object o = exception->from.objects.at[i];
    if (o.type == OBJ_CLOCK
            ? walk->clocked && exception->from.edges & EDGE_RISE
            : names_pin(walk, o, walk->start) && exception->from.edges >> walk->start_edge & 1)
      return true;
  }
  return !exception->has_from;
}

static bool passes(const Walk *walk, const Exception *exception)
{
  uint32_t passed = 0;
  for (uint32_t step = 0; step < walk->steps; step++)
    for (uint32_t more = 1; more && passed < exception->through.len; passed += more) {
      const ExceptionPoint *point = &exception->through.at[passed];
      more = 0;
      for (uint32_t i = 0; i < point->objects.len && !more; i++)
        more = point->edges >> walk->edge[step] & 1 && names_step(walk, point->objects.at[i], step);
    }
  return passed == exception->through.len;
}

static bool ends(const Walk *walk, const Exception *exception, bool captured)
{
  uint32_t last = walk->steps - 1;
  if (!(exception->end_edges >> walk->edge[last] & 1)) return false;
  for (uint32_t i = 0; i < exception->to.objects.len; i++) {
    Object o = exception->to.objects.at[i];
    if (o.type == OBJ_CLOCK
            ? captured && exception->to.edges & EDGE_RISE
            : names_pin(walk, o, pin_of(walk, last)) && exception->to.edges >> walk->edge[last] & 1)
      return true;
  }
  return !exception->has_to;
}

static int weight(const Exception *exception)
{
  bool pins[2] = { false, false }, any[2] = { exception->has_from, exception->has_to };
  for (uint32_t i = 0; i < exception->from.objects.len; i++)
    pins[0] |= exception->from.objects.at[i].type != OBJ_CLOCK;
  for (uint32_t i = 0; i < exception->to.objects.len; i++)
    pins[1] |= exception->to.objects.at[i].type != OBJ_CLOCK;
  return pins[0] * 64 + pins[1] * 32 + (exception->through.len > 0) * 16 + (any[0] && !pins[0]) * 8
         + (any[1] && !pins[1]) * 4;
}

/* The exception of a type that decides for a check; NULL. */
static const Exception *deciding(const Walk *walk, ExceptionType type, int check, bool captured)
{
  const Exception *best = NULL;
  for (uint32_t i = 0; i < walk->small->constraints->exceptions.len; i++) {
    const Exception *exception = &walk->small->constraints->exceptions.at[i];
    if (exception->deleted || exception->type != type || !(exception->checks >> check & 1)
        || !starts(walk, exception) || !passes(walk, exception) || !ends(walk, exception, captured))
      continue;
    double tight = 0;
    if (best)
      tight = type == EXC_MULTICYCLE  ? best->cycles - exception->cycles
              : type == EXC_MAX_DELAY ? best->delay - exception->delay
                                      : exception->delay - best->delay;
    if (best == NULL || weight(exception) > weight(best)
        || (weight(exception) == weight(best) && tight >= 0))
      best = exception;
  }
  return best;
}

/* The clock's node for the rising edge, whatever progress through exceptions its tag has. */
static NodeId clock_node(const Walk *walk, Slot slot)
{
  for (NodeId n = walk->g->nodes.first[slot]; n < walk->g->nodes.first[slot + 1]; n++) {
    const Tag *tag = &walk->g->tags->tags.at[graph_node_tag(walk->g, slot, n)];
    if (tag_is_clock(tag) && tag->clock_edge == 0 + RISE) return n;
  }
  return NO_NODE_ID;
}

static double capture_latency(const Walk *walk, Slot clock, int early_late)
{
  if (!walk->small->constraints->clocks.at[0].propagated)
    return walk->small->constraints->clocks.at[0].network_latency[condition_of(early_late, RISE)];
  return walk->t->arrival[clock_node(walk, clock)].v[condition_of(early_late, RISE)];
}

/* Least slack of the path at its end, for early or late data. */
static void end_path(Walk *walk, bool inner)
{
  uint32_t last = walk->steps - 1;
  Slot slot = walk->slot[last];
  int edge = walk->edge[last];
  bool port = walk->g->slots.flags[slot] & SLOT_PORT, captured = !inner;
  for (int late = 0; late < 2; late++) {
    int check = late ? SETUP : HOLD;
    if (deciding(walk, EXC_FALSE, check, captured)) continue;
    const Exception *delay = deciding(walk, late ? EXC_MAX_DELAY : EXC_MIN_DELAY, check, captured);
    if (delay == NULL && (inner || !walk->clocked)) continue;
    double margin = 0, capture = 0, need;
    for (CheckId c = 0; c < walk->g->ends.checks.len && !inner; c++)
      if (walk->g->ends.checks.at[c].data == slot
          && (walk->g->ends.checks.at[c].type == ARC_SETUP) == late) {
        margin = walk->t->check_margin[c].v[edge];
        capture = capture_latency(walk, walk->g->ends.checks.at[c].clock, late ? EARLY : LATE);
      }
    if (port)
      capture = walk->small->constraints->clocks.at[0].propagated
                    ? 0
                    : walk->small->constraints->clocks.at[0]
                          .network_latency[condition_of(late ? EARLY : LATE, RISE)];
    const Exception *exception = deciding(walk, EXC_PATH_MARGIN, check, captured);
    double more = (exception ? exception->delay : 0) + margin,
           arrival = walk->delay[late] + walk->latency[late];
    if (delay) {
      need = delay->delay + (delay->ignore_clock_latency || port ? 0 : capture);
      if (delay->ignore_clock_latency) arrival = walk->delay[late];
    } else {
      const Exception *setup = deciding(walk, EXC_MULTICYCLE, SETUP, captured),
                      *hold = deciding(walk, EXC_MULTICYCLE, HOLD, captured);
      need = capture + (late ? 100 : 0) + (setup ? 100 * (setup->cycles - 1) : 0)
             - (!late && hold ? 100 * hold->cycles : 0);
    }
    need += (port ? -11 : 0) + (late ? -more : more);
    double slack = late ? need - arrival : arrival - need;
    if (slack < walk->worst[slot][late][edge]) walk->worst[slot][late][edge] = slack;
  }
}

/* Does a max or min delay start (or end) at an inner pin?  1: yes, 2: and it cuts. */
static int inner_point(const Walk *walk, PinId pin, bool start)
{
  int found = 0;
  for (uint32_t i = 0; i < walk->small->constraints->exceptions.len; i++) {
    const Exception *exception = &walk->small->constraints->exceptions.at[i];
    if (exception->deleted
        || (exception->type != EXC_MAX_DELAY && exception->type != EXC_MIN_DELAY))
      continue;
    const ExceptionPoint *point = start ? &exception->from : &exception->to;
    for (uint32_t k = 0; k < point->objects.len; k++) {
      NameId inst = walk->g->netlist->insts.at[walk->g->netlist->pins.at[pin].inst].name;
      bool gate = !pin_is_top_port(walk->g->netlist, pin)
                  && names_text(walk->g->netlist->names, inst)[0] == 'g';
      if (point->objects.at[k].type == OBJ_PIN && point->objects.at[k].id == pin && gate
          && found < 2)
        found = exception->probe ? 1 : 2;
    }
  }
  return found;
}

static void walk_on(Walk *walk);

static void step_to(Walk *walk, Slot slot, int edge, const double *delay)
{
  if (walk->steps && inner_point(walk, walk->g->slots.pin[slot], true) == 2) return;
  walk->slot[walk->steps] = slot;
  walk->edge[walk->steps++] = (uint8_t)edge;
  walk->delay[EARLY] += delay[EARLY];
  walk->delay[LATE] += delay[LATE];
  walk_on(walk);
  walk->steps--;
  walk->delay[EARLY] -= delay[EARLY];
  walk->delay[LATE] -= delay[LATE];
}

static bool has_check(const Graph *g, Slot slot)
{
  for (CheckId c = 0; c < g->ends.checks.len; c++)
    if (g->ends.checks.at[c].data == slot) return true;
  return false;
}

static void walk_on(Walk *walk)
{
  const Graph *g = walk->g;
  Slot at = walk->slot[walk->steps - 1];
  int edge = walk->edge[walk->steps - 1], end = inner_point(walk, g->slots.pin[at], false);
  bool output = g->slots.flags[at] & SLOT_PORT && !slot_is_driver(g, at);
  if (output || has_check(g, at) || end) end_path(walk, end && !output && !has_check(g, at));
  if (end == 2) return;
  for (uint32_t i = 0; slot_is_driver(g, at) && i < g->nets.load_count[at]; i++)
    step_to(walk, g->nets.load_first[at] + i, edge, (double[]){ 0, 0 });
  for (uint32_t i = g->arcs.out_first[at]; i < g->arcs.out_first[at + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (arc_type_is_launch((ArcType)g->libs->arcs.at[g->arcs.lib[a]].type)) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      if (p.in == edge)
        step_to(walk, g->arcs.to[a], p.out,
                (double[]){ walk->t->edge_delay[e].v[EARLY], walk->t->edge_delay[e].v[LATE] });
    }
  }
}

static void walk_register(Walk *walk, const char *clock_pin)
{
  const Graph *g = walk->g;
  Slot ck = small_slot(walk->small, clock_pin, false);
  walk->start = g->slots.pin[ck];
  walk->start_edge = RISE;
  walk->clocked = true;
  for (int el = 0; el < 2; el++) {
    bool propagated = walk->small->constraints->clocks.at[0].propagated;
    walk->latency[el] =
        propagated ? walk->t->arrival[clock_node(walk, ck)].v[condition_of(el, RISE)]
                   : walk->small->constraints->clocks.at[0].network_latency[condition_of(el, RISE)];
  }
  for (uint32_t i = g->arcs.out_first[ck]; i < g->arcs.out_first[ck + 1]; i++) {
    ArcId a = g->arcs.out[i];
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      if (p.in == RISE)
        step_to(walk, g->arcs.to[a], p.out,
                (double[]){ walk->t->edge_delay[e].v[EARLY], walk->t->edge_delay[e].v[LATE] });
    }
  }
}

static void walk_from(Walk *walk, Slot slot, bool clocked, const double *external)
{
  walk->start = walk->g->slots.pin[slot];
  walk->clocked = clocked;
  for (int el = 0; el < 2; el++)
    walk->latency[el] =
        clocked && !walk->small->constraints->clocks.at[0].propagated
            ? walk->small->constraints->clocks.at[0].network_latency[condition_of(el, RISE)]
            : 0;
  for (int edge = RISE; edge <= FALL; edge++) {
    walk->start_edge = edge;
    step_to(walk, slot, edge, external);
  }
}

static void walk_all(Walk *walk)
{
  walk_from(walk, small_slot(walk->small, "a", true), true, (double[]){ 3, 3 });
  walk_from(walk, small_slot(walk->small, "b", true), true, (double[]){ 1, 9 });
  walk_from(walk, small_slot(walk->small, "c", true), false, (double[]){ 0, 0 });
  walk_register(walk, "r0/CK");
  walk_register(walk, "r1/CK");
  walk_register(walk, "r2/CK");
  for (PinId p = 0; p < walk->g->netlist->pins.len; p++)
    if (inner_point(walk, p, true))
      walk_from(walk, walk->g->slots.of_pin[p], false, (double[]){ 0, 0 });
}

/* --- comparison ------------------------------------------------------------------------------- */
static double end_slack(const Timing *t, Slot slot, int late, int edge)
{
  double worst = INFINITY;
  for (PathEndId r = t->g->ends.first_end[slot]; r < t->g->ends.first_end[slot + 1]; r++) {
    PathEndType type = (PathEndType)t->g->ends.path_ends.at[r].type;
    float slack = t->end_slack[r].v[edge];
    if (path_end_is_late(type) == late && slack < 1e29f && slack < worst) worst = slack;
  }
  return worst;
}

static uint32_t compare(const Walk *walk, uint32_t seed)
{
  uint32_t wrong = 0;
  for (Slot slot = 0; slot < walk->g->slots.count; slot++)
    for (int late = 0; late < 2; late++)
      for (int edge = 0; edge < 2; edge++) {
        double want = walk->worst[slot][late][edge], have = end_slack(walk->t, slot, late, edge);
        PinId pin = walk->g->slots.pin[slot];
        if (!pin_is_top_port(walk->g->netlist, pin)
            && names_text(walk->g->netlist->names,
                          walk->g->netlist->insts.at[walk->g->netlist->pins.at[pin].inst].name)[0]
                   == 'r')
          continue;
        if ((isinf(want) && isinf(have)) || fabs(want - have) < 2e-3) continue;
        Text t = { 0 };
        netlist_pin_name(walk->g->netlist, pin, '/', &t);
        if (wrong++ == 0)
          printf("seed %u: %s %s %s: enumeration %g, rows %g\n", seed, text_get(&t),
                 late ? "late" : "early", edge ? "fall" : "rise", want, have);
        text_free(&t);
      }
  return wrong;
}

static void test_enumeration(void)
{
  uint32_t wrong = 0, slacks = 0;
  for (uint32_t seed = 0; seed < 300; seed++) {
    Small *small = random_small(seed);
    Walk w = { .small = small, .t = small_timing(small) };
    w.g = w.t->g;
    w.worst = mem_alloc(sizeof *w.worst * (w.g->slots.count + 1));
    for (Slot i = 0; i < w.g->slots.count; i++)
      for (int k = 0; k < 4; k++) w.worst[i][k / 2][k % 2] = INFINITY;
    walk_all(&w);
    wrong += compare(&w, seed) > 0;
    for (Slot i = 0; i < w.g->slots.count; i++) slacks += !isinf(w.worst[i][1][0]);
    mem_free(w.worst);
    small_free(small);
  }
  CHECK(wrong == 0 && slacks > 400);
}

void suite_exceptions(void)
{
  CU_pSuite s = CU_add_suite("graph/exceptions", NULL, NULL);
  CU_add_test(s, "slacks against all paths", test_enumeration);
}
