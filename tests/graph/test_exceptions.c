/* Exceptions against the enumeration of all paths of small random designs: every slack of every end
   point. */
#include <math.h>
#include <stdio.h>

#include "tests/small.h"
#include "tests/unit.h"

/* --- a random design -------------------------------------------------------------------------- */
enum { INPUTS = 3, STARTS = 3, GATES = 9, ENDS = 3, MOST_STEPS = 64 };

typedef struct { uint32_t state; } Random;

static uint32_t pick(Random *r, uint32_t below)
{
  r->state = r->state * 1664525u + 1013904223u;
  return (r->state >> 8) % below;
}

/* Nets n0...: the inputs, the starting registers' outputs, then the gates'. */
static void put_net(Text *t, uint32_t net)
{
  static const char *const inputs[] = { "a", "b", "c" };
  if (net < INPUTS) text_put(t, inputs[net]);
  else text_printf(t, "n%u", net);
}

static void put_design(Text *t, Random *r)
{
  static const char *const gates[] = { "INV", "BUF", "AND2", "OR2", "XOR2" };
  text_put(t, "module top(clk, a, b, c, y); input clk, a, b, c; output y; wire ck, k2;");
  for (uint32_t i = INPUTS; i < INPUTS + STARTS + GATES; i++) text_printf(t, " wire n%u;", i);
  text_put(t, " BUF kb (.A(clk), .Y(ck)); BUF kc (.A(ck), .Y(k2));");
  for (uint32_t i = 0; i < STARTS; i++)
    text_printf(t, " DFF r%u (.CK(%s), .D(a), .Q(n%u));", i, i == 1 ? "k2" : "ck", INPUTS + i);
  for (uint32_t i = 0; i < GATES; i++) {
    uint32_t kind = pick(r, 5), before = INPUTS + STARTS + i;
    text_printf(t, " %s g%u (.A(", gates[kind], i);
    put_net(t, i ? before - 1 - pick(r, i < 6 ? i + 3 : 6) : pick(r, before));
    if (kind >= 2) {
      text_put(t, "), .B(");
      put_net(t, pick(r, before));
    }
    text_printf(t, "), .Y(n%u));", before);
  }
  for (uint32_t i = 0; i < ENDS; i++)
    text_printf(t, " DFF e%u (.CK(%s), .D(n%u), .Q());", i, i ? "ck" : "k2",
                INPUTS + STARTS + GATES - 1 - pick(r, 5));
  text_printf(t, " BUF gy (.A(n%u), .Y(y)); endmodule", INPUTS + STARTS + GATES - 1);
}

/* --- random constraints ----------------------------------------------------------------------- */
static Object random_pin(const Small *s, Random *r)
{
  char name[16];
  uint32_t g = pick(r, GATES);
  bool has_b = false;
  snprintf(name, sizeof name, "g%u/B", g);
  has_b = netlist_find_pin(s->netlist, TOP_INST, name, '/') != NO_PIN;
  uint32_t which = pick(r, has_b ? 3 : 2);
  snprintf(name, sizeof name, "g%u/%c", g, which == 0 ? 'Y' : which == 1 ? 'A' : 'B');
  return (Object){ OBJ_PIN, small_pin(s, name) };
}

static Object random_cell(const Small *s, Random *r, const char *kind, uint32_t count)
{
  char name[16];
  snprintf(name, sizeof name, "%s%u", kind, pick(r, count));
  return (Object){ OBJ_CELL, small_inst(s, name) };
}

static Object random_net(const Small *s, Random *r)
{
  char name[16];
  snprintf(name, sizeof name, "n%u", INPUTS + pick(r, STARTS + GATES));
  return (Object){ OBJ_NET, netlist_find_seg(s->netlist, TOP_INST, name, '/') };
}

static Object random_through(const Small *s, Random *r)
{
  uint32_t kind = pick(r, 4);
  return kind == 0   ? random_net(s, r)
         : kind == 1 ? random_cell(s, r, "g", GATES)
                     : random_pin(s, r);
}

static Object random_start(const Small *s, Random *r)
{
  static const char *const ports[] = { "a", "b", "c" }, *const clocks[] = { "r0/CK", "r1/CK",
                                                                            "r2/CK" };
  switch (pick(r, 6)) {
  case 0: return (Object){ OBJ_CLOCK, 0 };
  case 1: return random_cell(s, r, "r", STARTS);
  case 2: return (Object){ OBJ_PIN, small_pin(s, clocks[pick(r, 3)]) };
  case 3: return random_pin(s, r);
  default: return (Object){ OBJ_PORT, small_pin(s, ports[pick(r, 3)]) };
  }
}

static Object random_end(const Small *s, Random *r)
{
  static const char *const pins[] = { "e0/D", "e1/D", "e2/D" };
  switch (pick(r, 6)) {
  case 0: return (Object){ OBJ_CLOCK, 0 };
  case 1: return random_cell(s, r, "e", ENDS);
  case 2: return (Object){ OBJ_PORT, small_pin(s, "y") };
  case 3: return random_pin(s, r);
  default: return (Object){ OBJ_PIN, small_pin(s, pins[pick(r, 3)]) };
  }
}

static uint8_t random_edges(Random *r)
{
  return (uint8_t)(pick(r, 4) ? EDGE_BOTH : pick(r, 2) ? EDGE_RISE : EDGE_FALL);
}

static void random_exception(Small *s, Random *r)
{
  static const uint8_t types[] = { EXC_FALSE,     EXC_FALSE,     EXC_MULTICYCLE, EXC_MULTICYCLE,
                                   EXC_MAX_DELAY, EXC_MIN_DELAY, EXC_PATH_MARGIN };
  uint8_t type = types[pick(r, 7)];
  Exception *e = constraints_add_exception(s->constraints, (ExceptionType)type);
  e->has_from = pick(r, 2);
  e->has_to = pick(r, 2);
  uint32_t through = e->has_from || e->has_to ? pick(r, 3) : 1 + pick(r, 2);
  e->from.edges = random_edges(r);
  e->to.edges = random_edges(r);
  for (uint32_t i = 1 + pick(r, 3); e->has_from && i > 0; i--)
    array_push(&e->from.objects, random_start(s, r));
  for (uint32_t i = 1 + pick(r, 3); e->has_to && i > 0; i--)
    array_push(&e->to.objects, random_end(s, r));
  for (uint32_t i = 0; i < through; i++) {
    ExceptionPoint p = { .edges = random_edges(r) };
    for (uint32_t k = 1 + pick(r, 4); k > 0; k--) array_push(&p.objects, random_through(s, r));
    array_push(&e->through, p);
  }
  e->end_edges = random_edges(r);
  e->checks = (uint8_t)(pick(r, 3) ? 3 : 1 + pick(r, 2));
  if (type == EXC_MULTICYCLE) e->checks = (uint8_t)(1 + pick(r, 2));
  if (type == EXC_MAX_DELAY) e->checks = 1 << SETUP;
  if (type == EXC_MIN_DELAY) e->checks = 1 << HOLD;
  e->cycles = 1 + (int)pick(r, 3);
  e->delay = 7.0 * (1 + pick(r, 30));
  e->ignore_clock_latency = pick(r, 2);
  e->probe = pick(r, 2);
  constraints_changed(s->constraints);
}

static Small *random_small(uint32_t seed)
{
  Random r = { seed * 2654435761u + 1 };
  Text t = { 0 };
  put_design(&t, &r);
  Small *s = small_new(text_get(&t));
  text_free(&t);
  small_clock(s, "c", 100, 0, 50, "clk");
  s->constraints->clocks.at[0].propagated = pick(&r, 2);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    constraints_input_delay(s->constraints, small_pin(s, "a"), 0, RISE, false)->delay[k] = 3;
    constraints_input_delay(s->constraints, small_pin(s, "b"), 0, RISE, false)->delay[k] =
        k < 2 ? 1 : 9;
    constraints_output_delay(s->constraints, small_pin(s, "y"), 0, RISE, false)->delay[k] = 11;
    s->constraints->clocks.at[0].network_latency[k] = k < 2 ? 6 : 8;
  }
  for (uint32_t i = 1 + pick(&r, 7); i > 0; i--) random_exception(s, &r);
  return s;
}

/* --- all paths -------------------------------------------------------------------------------- */
typedef struct {
  const Small  *s;
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

static PinId pin_of(const Walk *w, uint32_t step) { return w->g->slots.pin[w->slot[step]]; }

static bool names_pin(const Walk *w, Object o, PinId pin)
{
  const Netlist *n = w->g->netlist;
  InstId inst = n->pins.at[pin].inst;
  if (o.type == OBJ_PIN || o.type == OBJ_PORT) return o.id == pin;
  return o.type == OBJ_CELL && inst != TOP_INST && o.id == inst;
}

static bool names_step(const Walk *w, Object o, uint32_t step)
{
  PinId pin = pin_of(w, step);
  /* a path goes through a cell where it leaves it */
  if (o.type == OBJ_CELL && !slot_is_driver(w->g, w->slot[step])) return false;
  if (o.type != OBJ_NET) return names_pin(w, o, pin);
  return !slot_is_driver(w->g, w->slot[step])
         && netlist_pin_net(w->g->netlist, pin) == w->g->netlist->segs.at[o.id].net;
}

static bool starts(const Walk *w, const Exception *e)
{
  for (uint32_t i = 0; i < e->from.objects.len; i++) {
    Object o = e->from.objects.at[i];
    if (o.type == OBJ_CLOCK ? w->clocked && e->from.edges & EDGE_RISE
                            : names_pin(w, o, w->start) && e->from.edges >> w->start_edge & 1)
      return true;
  }
  return !e->has_from;
}

static bool passes(const Walk *w, const Exception *e)
{
  uint32_t passed = 0;
  for (uint32_t step = 0; step < w->steps; step++)
    for (uint32_t more = 1; more && passed < e->through.len; passed += more) {
      const ExceptionPoint *p = &e->through.at[passed];
      more = 0;
      for (uint32_t i = 0; i < p->objects.len && !more; i++)
        more = p->edges >> w->edge[step] & 1 && names_step(w, p->objects.at[i], step);
    }
  return passed == e->through.len;
}

static bool ends(const Walk *w, const Exception *e, bool captured)
{
  uint32_t last = w->steps - 1;
  if (!(e->end_edges >> w->edge[last] & 1)) return false;
  for (uint32_t i = 0; i < e->to.objects.len; i++) {
    Object o = e->to.objects.at[i];
    if (o.type == OBJ_CLOCK ? captured && e->to.edges & EDGE_RISE
                            : names_pin(w, o, pin_of(w, last)) && e->to.edges >> w->edge[last] & 1)
      return true;
  }
  return !e->has_to;
}

static int weight(const Exception *e)
{
  bool pins[2] = { false, false }, any[2] = { e->has_from, e->has_to };
  for (uint32_t i = 0; i < e->from.objects.len; i++)
    pins[0] |= e->from.objects.at[i].type != OBJ_CLOCK;
  for (uint32_t i = 0; i < e->to.objects.len; i++) pins[1] |= e->to.objects.at[i].type != OBJ_CLOCK;
  return pins[0] * 64 + pins[1] * 32 + (e->through.len > 0) * 16 + (any[0] && !pins[0]) * 8
         + (any[1] && !pins[1]) * 4;
}

/* The exception of a type that decides for a check; NULL. */
static const Exception *deciding(const Walk *w, ExceptionType type, int check, bool captured)
{
  const Exception *best = NULL;
  for (uint32_t i = 0; i < w->s->constraints->exceptions.len; i++) {
    const Exception *e = &w->s->constraints->exceptions.at[i];
    if (e->deleted || e->type != type || !(e->checks >> check & 1) || !starts(w, e) || !passes(w, e)
        || !ends(w, e, captured))
      continue;
    double tight = 0;
    if (best)
      tight = type == EXC_MULTICYCLE  ? best->cycles - e->cycles
              : type == EXC_MAX_DELAY ? best->delay - e->delay
                                      : e->delay - best->delay;
    if (best == NULL || weight(e) > weight(best) || (weight(e) == weight(best) && tight >= 0))
      best = e;
  }
  return best;
}

/* The clock's node for the rising edge, whatever progress through exceptions its tag has. */
static NodeId clock_node(const Walk *w, Slot slot)
{
  for (NodeId n = w->g->nodes.first[slot]; n < w->g->nodes.first[slot + 1]; n++) {
    const Tag *t = &w->g->tags->tags.at[tag_set_tags(
        w->g->tags, w->g->nodes.slot_tags[slot])[n - w->g->nodes.first[slot]]];
    if (tag_is_clock(t) && t->clock_edge == 0 + RISE) return n;
  }
  return NO_NODE_ID;
}

static double capture_latency(const Walk *w, Slot clock, int early_late)
{
  if (!w->s->constraints->clocks.at[0].propagated)
    return w->s->constraints->clocks.at[0].network_latency[condition_of(early_late, RISE)];
  return w->t->arrival[clock_node(w, clock)].v[condition_of(early_late, RISE)];
}

/* Least slack of the path at its end, for early or late data. */
static void end_path(Walk *w, bool inner)
{
  uint32_t last = w->steps - 1;
  Slot slot = w->slot[last];
  int edge = w->edge[last];
  bool port = w->g->slots.flags[slot] & SLOT_PORT, captured = !inner;
  for (int late = 0; late < 2; late++) {
    int check = late ? SETUP : HOLD;
    if (deciding(w, EXC_FALSE, check, captured)) continue;
    const Exception *delay = deciding(w, late ? EXC_MAX_DELAY : EXC_MIN_DELAY, check, captured);
    if (delay == NULL && (inner || !w->clocked)) continue;
    double margin = 0, capture = 0, need;
    for (CheckId c = 0; c < w->g->ends.checks.len && !inner; c++)
      if (w->g->ends.checks.at[c].data == slot
          && (w->g->ends.checks.at[c].type == ARC_SETUP) == late) {
        margin = w->t->check_margin[c].v[edge];
        capture = capture_latency(w, w->g->ends.checks.at[c].clock, late ? EARLY : LATE);
      }
    if (port)
      capture = w->s->constraints->clocks.at[0].propagated
                    ? 0
                    : w->s->constraints->clocks.at[0]
                          .network_latency[condition_of(late ? EARLY : LATE, RISE)];
    const Exception *m = deciding(w, EXC_PATH_MARGIN, check, captured);
    double more = (m ? m->delay : 0) + margin, arrival = w->delay[late] + w->latency[late];
    if (delay) {
      need = delay->delay + (delay->ignore_clock_latency || port ? 0 : capture);
      if (delay->ignore_clock_latency) arrival = w->delay[late];
    } else {
      const Exception *setup = deciding(w, EXC_MULTICYCLE, SETUP, captured),
                      *hold = deciding(w, EXC_MULTICYCLE, HOLD, captured);
      need = capture + (late ? 100 : 0) + (setup ? 100 * (setup->cycles - 1) : 0)
             - (!late && hold ? 100 * hold->cycles : 0);
    }
    need += (port ? -11 : 0) + (late ? -more : more);
    double slack = late ? need - arrival : arrival - need;
    if (slack < w->worst[slot][late][edge]) w->worst[slot][late][edge] = slack;
  }
}

/* Does a max or min delay start (or end) at an inner pin?  1: yes, 2: and it cuts. */
static int inner_point(const Walk *w, PinId pin, bool start)
{
  int found = 0;
  for (uint32_t i = 0; i < w->s->constraints->exceptions.len; i++) {
    const Exception *e = &w->s->constraints->exceptions.at[i];
    if (e->deleted || (e->type != EXC_MAX_DELAY && e->type != EXC_MIN_DELAY)) continue;
    const ExceptionPoint *p = start ? &e->from : &e->to;
    for (uint32_t k = 0; k < p->objects.len; k++) {
      NameId inst = w->g->netlist->insts.at[w->g->netlist->pins.at[pin].inst].name;
      bool gate =
          !pin_is_top_port(w->g->netlist, pin) && names_text(w->g->netlist->names, inst)[0] == 'g';
      if (p->objects.at[k].type == OBJ_PIN && p->objects.at[k].id == pin && gate && found < 2)
        found = e->probe ? 1 : 2;
    }
  }
  return found;
}

static void walk_on(Walk *w);

static void step_to(Walk *w, Slot slot, int edge, const double *delay)
{
  if (w->steps && inner_point(w, w->g->slots.pin[slot], true) == 2) return;
  w->slot[w->steps] = slot;
  w->edge[w->steps++] = (uint8_t)edge;
  w->delay[EARLY] += delay[EARLY];
  w->delay[LATE] += delay[LATE];
  walk_on(w);
  w->steps--;
  w->delay[EARLY] -= delay[EARLY];
  w->delay[LATE] -= delay[LATE];
}

static bool has_check(const Graph *g, Slot slot)
{
  for (CheckId c = 0; c < g->ends.checks.len; c++)
    if (g->ends.checks.at[c].data == slot) return true;
  return false;
}

static void walk_on(Walk *w)
{
  const Graph *g = w->g;
  Slot at = w->slot[w->steps - 1];
  int edge = w->edge[w->steps - 1], end = inner_point(w, g->slots.pin[at], false);
  bool output = g->slots.flags[at] & SLOT_PORT && !slot_is_driver(g, at);
  if (output || has_check(g, at) || end) end_path(w, end && !output && !has_check(g, at));
  if (end == 2) return;
  for (uint32_t i = 0; slot_is_driver(g, at) && i < g->nets.load_count[at]; i++)
    step_to(w, g->nets.load_first[at] + i, edge, (double[]){ 0, 0 });
  for (uint32_t i = g->arcs.out_first[at]; i < g->arcs.out_first[at + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (arc_type_is_launch((ArcType)g->libs->arcs.at[g->arcs.lib[a]].type)) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      if (p.in == edge)
        step_to(w, g->arcs.to[a], p.out,
                (double[]){ w->t->edge_delay[e].v[EARLY], w->t->edge_delay[e].v[LATE] });
    }
  }
}

static void walk_register(Walk *w, const char *clock_pin)
{
  const Graph *g = w->g;
  Slot ck = small_slot(w->s, clock_pin, false);
  w->start = g->slots.pin[ck];
  w->start_edge = RISE;
  w->clocked = true;
  for (int el = 0; el < 2; el++) {
    bool propagated = w->s->constraints->clocks.at[0].propagated;
    w->latency[el] = propagated
                         ? w->t->arrival[clock_node(w, ck)].v[condition_of(el, RISE)]
                         : w->s->constraints->clocks.at[0].network_latency[condition_of(el, RISE)];
  }
  for (uint32_t i = g->arcs.out_first[ck]; i < g->arcs.out_first[ck + 1]; i++) {
    ArcId a = g->arcs.out[i];
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      if (p.in == RISE)
        step_to(w, g->arcs.to[a], p.out,
                (double[]){ w->t->edge_delay[e].v[EARLY], w->t->edge_delay[e].v[LATE] });
    }
  }
}

static void walk_from(Walk *w, Slot slot, bool clocked, const double *external)
{
  w->start = w->g->slots.pin[slot];
  w->clocked = clocked;
  for (int el = 0; el < 2; el++)
    w->latency[el] = clocked && !w->s->constraints->clocks.at[0].propagated
                         ? w->s->constraints->clocks.at[0].network_latency[condition_of(el, RISE)]
                         : 0;
  for (int edge = RISE; edge <= FALL; edge++) {
    w->start_edge = edge;
    step_to(w, slot, edge, external);
  }
}

static void walk_all(Walk *w)
{
  walk_from(w, small_slot(w->s, "a", true), true, (double[]){ 3, 3 });
  walk_from(w, small_slot(w->s, "b", true), true, (double[]){ 1, 9 });
  walk_from(w, small_slot(w->s, "c", true), false, (double[]){ 0, 0 });
  walk_register(w, "r0/CK");
  walk_register(w, "r1/CK");
  walk_register(w, "r2/CK");
  for (PinId p = 0; p < w->g->netlist->pins.len; p++)
    if (inner_point(w, p, true)) walk_from(w, w->g->slots.of_pin[p], false, (double[]){ 0, 0 });
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

static uint32_t compare(const Walk *w, uint32_t seed)
{
  uint32_t wrong = 0;
  for (Slot slot = 0; slot < w->g->slots.count; slot++)
    for (int late = 0; late < 2; late++)
      for (int edge = 0; edge < 2; edge++) {
        double want = w->worst[slot][late][edge], have = end_slack(w->t, slot, late, edge);
        PinId pin = w->g->slots.pin[slot];
        if (!pin_is_top_port(w->g->netlist, pin)
            && names_text(w->g->netlist->names,
                          w->g->netlist->insts.at[w->g->netlist->pins.at[pin].inst].name)[0]
                   == 'r')
          continue;
        if ((isinf(want) && isinf(have)) || fabs(want - have) < 2e-3) continue;
        Text t = { 0 };
        netlist_pin_name(w->g->netlist, pin, '/', &t);
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
    Small *s = random_small(seed);
    Walk w = { .s = s, .t = small_timing(s) };
    w.g = w.t->g;
    w.worst = mem_alloc(sizeof *w.worst * (w.g->slots.count + 1));
    for (Slot i = 0; i < w.g->slots.count; i++)
      for (int k = 0; k < 4; k++) w.worst[i][k / 2][k % 2] = INFINITY;
    walk_all(&w);
    wrong += compare(&w, seed) > 0;
    for (Slot i = 0; i < w.g->slots.count; i++) slacks += !isinf(w.worst[i][1][0]);
    mem_free(w.worst);
    small_free(s);
  }
  CHECK(wrong == 0 && slacks > 400);
}

void suite_exceptions(void)
{
  CU_pSuite s = CU_add_suite("graph/exceptions", NULL, NULL);
  CU_add_test(s, "slacks against all paths", test_enumeration);
}
