/* Gets the numbers of a sizing problem from the timing: of drivers, nets, edges and pins. */
#include "optimize/size_scene.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/pool.h"
#include "timing/derived.h"

#define LN9 2.1972246f
enum {
  ROOM_PARTS = 2,                    /* a gate takes one of so many of its room */
  DRIVER_NS = 1500, GATE_NS = 500
};

/* --- slopes of tables ------------------------------------------------------------------------- */
const SizeArc *size_scene_arc(const SizeScene *scene, const SizeView *view, int el, ArcId a,
                              int edge)
{
  const Graph *g = scene->t->g;
  CellId cell = g->netlist->insts.at[g->netlist->pins.at[g->slots.pin[g->arcs.to[a]]].inst].master;
  uint32_t own = g->arcs.lib[a] - g->libs->cells.at[cell].first_arc;
  return &view->arcs[2 * (scene->first_arc[el] + view->cells[cell].first_arc + own)
                     + (uint32_t)edge];
}

static float table_at(const SizeView *view, uint32_t at, uint8_t n1, uint8_t n2, float slew,
                      float load)
{
  return at == SIZE_NONE ? 0 : table_value(size_table(view, at, n1, n2), slew, load);
}

static float delay_at(const SizeView *view, const SizeArc *arc, float slew, float load)
{
  return table_at(view, arc->delay, arc->delay_n1, arc->delay_n2, slew, load);
}

static float slew_at(const SizeView *view, const SizeArc *arc, float slew, float load)
{
  return table_at(view, arc->slew, arc->slew_n1, arc->slew_n2, slew, load);
}

static float load_step(float load) { return fmaxf(0.05f * load, 0.05f); }

static float delay_by_load(const SizeView *view, const SizeArc *arc, float slew, float load)
{
  float step = load_step(load);
  return (delay_at(view, arc, slew, load + step) - delay_at(view, arc, slew, load)) / step;
}

static float delay_by_slew(const SizeView *view, const SizeArc *arc, float slew, float load)
{
  float step = fmaxf(0.05f * slew, 0.5f);
  return (delay_at(view, arc, slew + step, load) - delay_at(view, arc, slew, load)) / step;
}

/* --- nets ------------------------------------------------------------------------------------- */
/* Pins of a net with a limit of slew, while their slews are summed up. */
typedef struct {
  float over, over_pins;             /* the excess of those above their limits, and their number */
  float pins, least;                 /* all of them; the least limit of the driver's slew */
  float wire;                        /* of those above: what a ps of the wire's own slew adds */
} SlewSum;

/* A ps at the driver is only a part of a ps at a load: the squares of the slews of the driver and
   of the wire add up. The part is that which the driver's slew has. */
static float slew_part(float driver_slew, float slew)
{
  return driver_slew < slew ? fmaxf(driver_slew / slew, 0.01f) : 1;
}

/* Adds an edge of a pin. A pin above its limit counts with its worse edge, others with half of
   each. */
static void add_pin(const SizeScene *scene, SlewSum *sum, float driver_slew, Slot pin, int edge)
{
  float limit = scene->slew_limits[pin], slew = size_value(&scene->t->slew[pin], LATE, edge),
        other = size_value(&scene->t->slew[pin], LATE, !edge);
  if (!(limit < SIZE_NO_LIMIT) || time_absent(slew) || !(slew > 0)) return;
  float part = slew_part(driver_slew, slew);
  sum->pins += 0.5f * part;
  sum->least = fminf(sum->least, driver_slew - (slew - limit) / part);
  if (slew <= limit || slew < other || (slew == other && edge == FALL)) return;
  sum->over += slew - limit;
  sum->over_pins += part;
  sum->wire += sqrtf(1 - part * part);
}

/* The limit of the driver's slew, and the number of pins that its excess counts for: of the pins
   above their limits, where there are some, so that the excess is that of the net. Otherwise all
   pins count, from the least limit on. */
static void put_limit(SizeNet *net, const SlewSum *sum)
{
  bool over = sum->over_pins > 0;
  net->pins = over ? sum->over_pins : sum->pins;
  net->slew_limit = over ? net->slew - sum->over / sum->over_pins : fmaxf(sum->least, net->slew);
}

/* What a ps more slew at a load costs in the gate behind it: its edges' delays. */
static float load_slew_cost(const SizeScene *scene, const SizeView *view, Slot load, int edge)
{
  const Graph *g = scene->t->g;
  float cost = 0;
  for (uint32_t i = g->arcs.out_first[load]; i < g->arcs.out_first[load + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (!arc_on(g, a)) continue;
    uint32_t d = graph_driver_index(g, g->arcs.to[a]);
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      if (scene->edge_weights[LATE][e] <= 0) continue;
      EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      if (pair.in != edge) continue;
      cost += scene->edge_weights[LATE][e]
              * delay_by_slew(view, size_scene_arc(scene, view, LATE, a, pair.out),
                              size_value(&scene->t->slew[load], LATE, edge),
                              size_value(&scene->t->nets.load_cap[d], LATE, pair.out));
    }
  }
  return cost;
}

static void put_wire(const Timing *t, SizeNet *net, Slot driver, int el, int edge)
{
  uint32_t d = graph_driver_index(t->g, driver);
  PiModel pi = timing_pi(t, d, condition_of(el, edge));
  bool waves = delay_has(t->delay_model, DELAY_BY_WAVE) && t->nets.has_rc[d];
  net->c_far = waves ? pi.c_far : 0;
  net->c_near = pi.c_near;
  net->r_pi = pi.r_pi;
  net->load = size_value(&t->nets.load_cap[d], el, edge);
  net->slew = size_value(&t->slew[driver], el, edge);
}

/* Returns what the slew of the net's wire costs for each fF, at pins above their limits. */
static float fill_net(const SizeScene *scene, const SizeView *view, SizeNet *net, Slot driver,
                      int edge)
{
  const Graph *g = scene->t->g;
  put_wire(scene->t, net, driver, LATE, edge);
  SlewSum sum = { .least = SIZE_NO_LIMIT };
  add_pin(scene, &sum, net->slew, driver, edge);
  for (Slot l = g->nets.load_first[driver];
       l < g->nets.load_first[driver] + g->nets.load_count[driver]; l++) {
    net->slew_cost += load_slew_cost(scene, view, l, edge)
                      * slew_part(net->slew, size_value(&scene->t->slew[l], LATE, edge));
    add_pin(scene, &sum, net->slew, l, edge);
  }
  put_limit(net, &sum);
  return view->excess.slew * sum.wire * LN9 * net->r_pi;
}

/* Does it matter which slew a driver has? */
static bool slew_counts(const SizeNet *net)
{
  return net->slew_cost > 0 || net->slew_limit < SIZE_NO_LIMIT;
}

/* --- drivers ---------------------------------------------------------------------------------- */
/* Of each output edge: the timing edge with the greatest slew. */
typedef struct {
  float slew[2], input[2];
  const SizeArc *arc[2];
} Latest;

/* What a fF more costs in one timing edge of a driver: more late delay, and less violation of
   hold. Sets edge_slews. */
static float edge_cap_cost(const SizeScene *scene, const SizeView *view, ArcId a, uint32_t e,
                           const SizeNet nets[2], Latest *latest)
{
  const Timing *t = scene->t;
  const Graph *g = t->g;
  uint32_t d = graph_driver_index(g, g->arcs.to[a]);
  EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
  bool launch = graph_arc_is_launch(g, a);
  float cost = 0, input = timing_input_slew(t, g->arcs.from[a], launch,
                                            condition_of(LATE, pair.in));
  float late = scene->edge_weights[LATE][e],
        early = scene->edge_weights[EARLY] ? scene->edge_weights[EARLY][e] : 0;
  scene->edge_slews[e] = 0;
  if (time_absent(input)) return 0;
  const SizeArc *arc = size_scene_arc(scene, view, LATE, a, pair.out);
  if (late > 0) cost += late * delay_by_load(view, arc, input, nets[pair.out].load);
  if (early > 0) {
    float slew = timing_input_slew(t, g->arcs.from[a], launch, condition_of(EARLY, pair.in));
    if (!time_absent(slew))
      cost -= early
              * delay_by_load(view, size_scene_arc(scene, view, EARLY, a, pair.out), slew,
                              size_value(&t->nets.load_cap[d], EARLY, pair.out));
  }
  if (!slew_counts(&nets[pair.out])) return cost;
  float slew = scene->edge_slews[e] = slew_at(view, arc, input, nets[pair.out].load);
  if (slew <= latest->slew[pair.out]) return cost;
  latest->slew[pair.out] = slew;
  latest->input[pair.out] = input;
  latest->arc[pair.out] = arc;
  return cost;
}

/* What a fF more costs by the slew of an output edge; takes its room down. */
static float slew_cap_cost(const SizeView *view, const SizeNet *net, const Latest *latest, int edge,
                           PinRoom *room)
{
  if (latest->arc[edge] == NULL) return 0;
  float step = load_step(net->load);
  float slope =
      (slew_at(view, latest->arc[edge], latest->input[edge], net->load + step) - latest->slew[edge])
      / step;
  float over = net->slew > net->slew_limit ? view->excess.slew * net->pins : 0;
  if (slope > 0 && (net->slew_limit - net->slew) / slope < room->slew) {
    room->slew = (net->slew_limit - net->slew) / slope;
    room->slew_price = over > 0 ? 0 : view->excess.slew * net->pins * slope;
  }
  return slope * (net->slew_cost + over);
}

static float driver_cap_cost(const SizeScene *scene, const SizeView *view, Slot driver,
                             DriverNumbers *numbers)
{
  const Graph *g = scene->t->g;
  Latest latest = { { 0, 0 }, { 0, 0 }, { NULL, NULL } };
  float cost = 0;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    if (!arc_shapes(g, a) || g->arcs.flags[a] & ARC_LATCH) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++)
      cost += edge_cap_cost(scene, view, a, e, numbers->nets, &latest);
  }
  for (int edge = RISE; edge <= FALL; edge++)
    cost += slew_cap_cost(view, &numbers->nets[edge], &latest, edge, &numbers->room);
  return cost;
}

static float load_limit(const SizeScene *scene, const SizeView *view, Slot driver)
{
  const Graph *g = scene->t->g;
  PinId pin = g->slots.pin[driver];
  CellId cell = g->netlist->insts.at[g->netlist->pins.at[pin].inst].master;
  uint32_t port = g->netlist->pins.at[pin].port - g->libs->cells.at[cell].first_port;
  return view->ports[scene->first_port + view->cells[cell].first_port + port].limit;
}

/* Nets of ports have the slew of their wires alone. */
static void fill_driver(const SizeScene *scene, const SizeView *view, uint32_t d)
{
  const Graph *g = scene->t->g;
  Slot driver = g->nets.driver_slots[d];
  DriverNumbers *numbers = &scene->drivers[d];
  *numbers = (DriverNumbers){ .limit = SIZE_NO_LIMIT, .room = { SIZE_NO_LIMIT, SIZE_NO_LIMIT, 0 } };
  float wire = 0;
  for (int edge = RISE; edge <= FALL; edge++)
    wire += fill_net(scene, view, &numbers->nets[edge], driver, edge);
  if (g->slots.flags[driver] & SLOT_IDEAL) return;
  numbers->cap_cost = wire;
  if (g->slots.flags[driver] & SLOT_PORT) return;
  numbers->load = fmaxf(numbers->nets[RISE].load, numbers->nets[FALL].load);
  numbers->nets[RISE].kept_load = numbers->nets[FALL].kept_load = scene->kept_loads[d];
  numbers->limit = load_limit(scene, view, driver) + scene->kept_loads[d];
  numbers->room.load = numbers->limit - numbers->load;
  numbers->cap_cost += driver_cap_cost(scene, view, driver, numbers);
}

typedef struct {
  SizeProblem *problem;                    /* whose gates are filled; NULL: drivers are */
  const SizeScene *scene;                /* whose drivers are filled */
  SizeView v;
} Filling;

static void fill_drivers(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Filling *filling = context;
  (void)step;
  (void)thread;
  for (uint32_t d = from; d < to && !interrupt_seen(); d++)
    fill_driver(filling->scene, &filling->v, d);
}

void size_keep_rules(const SizeProblem *problem, SizeScene *scene)
{
  const Graph *g = scene->t->g;
  SizeView v = size_problem_view(problem);
  for (Slot slot = 0; slot < g->slots.count; slot++)
    for (int edge = RISE; edge <= FALL; edge++) {
      float slew = size_value(&scene->t->slew[slot], LATE, edge);
      if (!time_absent(slew)) scene->slew_limits[slot] = fmaxf(scene->slew_limits[slot], slew);
    }
  for (uint32_t d = 0; d < g->nets.driver_count; d++) {
    Slot driver = g->nets.driver_slots[d];
    if (g->slots.flags[driver] & (SLOT_IDEAL | SLOT_PORT)) continue;
    const Cond4 *load = &scene->t->nets.load_cap[d];
    float worst = fmaxf(size_value(load, LATE, RISE), size_value(load, LATE, FALL));
    scene->kept_loads[d] = size_excess(worst, load_limit(scene, &v, driver));
  }
}

void size_fill_drivers(const SizeProblem *problem, SizeScene *scene)
{
  Filling f = { NULL, scene, size_problem_view(problem) };
  pool_items(scene->t->g->nets.driver_count, DRIVER_NS, problem->threads, fill_drivers, &f);
}

/* --- gates ------------------------------------------------------------------------------------ */
static Slot out_slot(const SizeScene *scene, PinId pin)
{
  return graph_slot(scene->t->g, pin, true);
}

static const DriverNumbers *numbers_of(const SizeScene *scene, PinId out)
{
  return &scene->drivers[graph_driver_index(scene->t->g, out_slot(scene, out))];
}

/* How much a view has to say about a gate: the weights of its edges, and what its violations
   cost. */
static float urgency(const SizeProblem *problem, const SizeView *view, uint32_t gate,
                     const SizeScene *scene, int el)
{
  float sum = 0;
  for (uint32_t i = problem->first_outs.at[gate]; i < problem->first_outs.at[gate + 1]; i++) {
    Slot driver = out_slot(scene, problem->outs.at[i]);
    for (ArcId a = scene->t->g->arcs.first[driver]; a < scene->t->g->arcs.first[driver + 1]; a++)
      for (uint32_t e = scene->t->g->arcs.edge_first[a]; e < scene->t->g->arcs.edge_first[a + 1];
           e++)
        sum += scene->edge_weights[el][e];
    for (int edge = RISE; edge <= FALL && el == LATE; edge++) {
      const SizeNet *net = &numbers_of(scene, problem->outs.at[i])->nets[edge];
      sum += view->excess.slew * net->pins * size_excess(net->slew, net->slew_limit);
      sum += slew_counts(net) ? 1e-20f : 0;
    }
  }
  return sum;
}

/* Nets of early paths have neither a price of slew nor a limit: the port is that of an input, which
   has no limit of load. */
static void put_net(const SizeScene *scene, SizeNet *net, PinId out, int el, int edge,
                    uint32_t port, uint32_t input)
{
  *net = numbers_of(scene, out)->nets[edge];
  net->port = scene->first_port + port;
  if (el == LATE) return;
  *net = (SizeNet){ .port = scene->first_port + input, .slew_limit = SIZE_NO_LIMIT };
  put_wire(scene->t, net, out_slot(scene, out), EARLY, edge);
}

/* An edge counts that has a weight, or a slew that may be the driver's. Far below a limit the
   greatest slew says enough. */
static bool edge_counts(const SizeScene *scene, int el, uint32_t e, float greatest,
                        const SizeNet *net, float price)
{
  bool near = net->slew_cost > 0 || net->slew > 0.5f * net->slew_limit;
  return scene->edge_weights[el][e] > 0 || price > 0
         || (el == LATE && scene->edge_slews[e] > 0
             && scene->edge_slews[e] >= (near ? 0.8f : 1.0f) * greatest);
}

static float greatest_slew(const SizeScene *scene, Slot driver, int edge)
{
  const Graph *g = scene->t->g;
  float greatest = 0;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++)
      if (scene->edge_slews[e] > greatest
          && graph_edge_pair(g, a, e - g->arcs.edge_first[a]).out == edge)
        greatest = scene->edge_slews[e];
  return greatest;
}

/* What an edge's delay may grow, and what a ps costs beyond it. Weights say nothing of paths that
   are not late yet, and many gates of a path are slowed down at once. */
typedef struct { float room, price; } EdgeRoom;

static EdgeRoom edge_room(const SizeProblem *problem, const SizeScene *scene, int el, uint32_t e)
{
  float price = (float)problem->costs.time - scene->edge_weights[LATE][e];
  if (el == EARLY || scene->targets.len || !(scene->edge_rooms[e] < problem->reach) || price < 0)
    return (EdgeRoom){ 0, 0 };
  return (EdgeRoom){ scene->edge_rooms[e] / ROOM_PARTS, price };
}

static void put_edge(SizeProblem *problem, SizeGate *gate, const SizeScene *scene, int el, ArcId a,
                     uint32_t e, uint32_t net, EdgeRoom room)
{
  const Timing *t = scene->t;
  const Graph *g = t->g;
  EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
  const Netlist *n = g->netlist;
  CellId cell = n->insts.at[n->pins.at[g->slots.pin[g->arcs.to[a]]].inst].master;
  float slew = timing_input_slew(t, g->arcs.from[a], graph_arc_is_launch(g, a),
                                 condition_of(el, pair.in));
  if (time_absent(slew)) return;
  float weight = scene->edge_weights[el][e];
  problem->edges.at[gate->first_edge + gate->edge_count++] =
      (SizeEdge){ .arc = scene->first_arc[el] + g->arcs.lib[a] - g->libs->cells.at[cell].first_arc,
                  .net = net + pair.out,
                  .input_slew = slew,
                  .delay = t->edge_delay[e].v[el],
                  .weight = el == LATE ? weight : -weight,
                  .room = room.room,
                  .late_weight = room.price };
}

static void put_edges(SizeProblem *problem, SizeGate *gate, const SizeScene *scene, int el,
                      PinId out, uint32_t net)
{
  const Graph *g = scene->t->g;
  Slot driver = out_slot(scene, out);
  float greatest[2] = { greatest_slew(scene, driver, RISE), greatest_slew(scene, driver, FALL) };
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    if (!arc_shapes(g, a)) continue;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair pair = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      const SizeNet *size_net = &problem->nets.at[gate->first_net + net + pair.out];
      EdgeRoom room = edge_room(problem, scene, el, e);
      if (edge_counts(scene, el, e, greatest[pair.out], size_net, room.price))
        put_edge(problem, gate, scene, el, a, e, net, room);
    }
  }
}

static uint32_t port_of(const SizeProblem *problem, PinId pin)
{
  const Netlist *n = size_graph(problem)->netlist;
  CellId cell = n->insts.at[n->pins.at[pin].inst].master;
  return n->pins.at[pin].port - size_graph(problem)->libs->cells.at[cell].first_port;
}

static void put_view(SizeProblem *problem, uint32_t i, const SizeScene *scene, int el)
{
  SizeGate *gate = &problem->gates.at[i];
  for (uint32_t o = problem->first_outs.at[i]; o < problem->first_outs.at[i + 1]; o++) {
    PinId out = problem->outs.at[o];
    uint32_t input =
        gate->pin_count ? problem->pins.at[gate->first_pin].port : port_of(problem, out);
    for (int edge = RISE; edge <= FALL; edge++)
      put_net(scene, &problem->nets.at[gate->first_net + gate->net_count + (uint32_t)edge], out, el,
              edge, port_of(problem, out), input);
    put_edges(problem, gate, scene, el, out, gate->net_count);
    gate->net_count += 2;
  }
}

/* The view that has most to say of those that are not taken; NULL: none. Of equal ones it is the
   first. */
static const SizeScene *next_view(const SizeProblem *problem, const float *urgencies,
                                  uint64_t taken, int *el)
{
  const SizeScene *best = NULL;
  float most = 0;
  for (uint32_t k = 0; k < 2 * problem->scene_count; k++) {
    if (taken >> k & 1 || urgencies[k] <= most) continue;
    most = urgencies[k];
    best = &problem->scenes[k / 2];
    *el = k % 2 == 0 ? LATE : EARLY;
  }
  return best;
}

/* As many views as a gate has room for, those that have most to say first. */
static void put_views(SizeProblem *problem, const SizeView *view, uint32_t i)
{
  SizeGate *gate = &problem->gates.at[i];
  uint32_t most = problem->first_outs.at[i + 1] - problem->first_outs.at[i];
  float urgencies[2 * SIZE_SCENES];
  uint64_t taken = 0;
  int el = LATE;
  gate->edge_count = gate->net_count = 0;
  if (problem->scene_count == 1 && problem->costs.hold <= 0) {
    put_view(problem, i, &problem->scenes[0], LATE);
    return;
  }
  for (uint32_t k = 0; k < 2 * problem->scene_count; k++)
    urgencies[k] = k % 2 == 0 ? urgency(problem, view, i, &problem->scenes[k / 2], LATE)
                   : problem->costs.hold > 0
                       ? urgency(problem, view, i, &problem->scenes[k / 2], EARLY)
                       : 0;
  while (gate->net_count + 2 * most <= 2 * SIZE_OUTPUTS) {
    const SizeScene *scene = next_view(problem, urgencies, taken, &el);
    if (scene == NULL) return;
    taken |= 1ull << (2 * (uint32_t)(scene - problem->scenes) + (el == EARLY));
    put_view(problem, i, scene, el);
  }
}

/* The costs of a pin's net in all scenarios; load and limit are those with the least room. */
static void fill_pin(SizeProblem *problem, const SizeView *view, const SizeCell *cell, uint32_t j)
{
  SizePin *pin = &problem->pins.at[j];
  *pin = (SizePin){ pin->port, view->ports[cell->first_port + pin->port].cap, 0, 0, SIZE_NO_LIMIT };
  PinRoom *room = &problem->rooms.at[j];
  *room = (PinRoom){ SIZE_NO_LIMIT, SIZE_NO_LIMIT, 0 };
  for (uint32_t k = 0; k < problem->scene_count; k++) {
    const SizeScene *scene = &problem->scenes[k];
    Slot driver = scene->t->g->nets.wire_driver[scene->t->g->slots.of_pin[problem->ins.at[j]]];
    if (driver == NO_SLOT) continue;
    const DriverNumbers *numbers = &scene->drivers[graph_driver_index(scene->t->g, driver)];
    pin->cap_cost += numbers->cap_cost;
    room->load = fminf(room->load, numbers->room.load);
    if (numbers->room.slew < room->slew) {
      room->slew = numbers->room.slew;
      room->slew_price = numbers->room.slew_price;
    }
    if (k > 0 && numbers->limit - numbers->load >= pin->limit - pin->load) continue;
    pin->load = numbers->load;
    pin->limit = numbers->limit;
  }
}

/* More than what another cell can save: delays, slews and excess that the gate has now could vanish
   at most, and loads become the least. */
static float most_gain(const SizeProblem *problem, const SizeView *view, uint32_t i)
{
  const SizeGate *gate = &view->gates[i];
  const SizeCell *cell = &view->cells[view->candidates[gate->first_candidate + gate->now]];
  const float *own = view->own_costs + gate->first_candidate;
  float gain = 0, least = own[0];
  for (uint32_t c = 1; c < gate->candidate_count; c++) least = fminf(least, own[c]);
  gain = own[gate->now] - least;
  for (uint32_t e = gate->first_edge; e < gate->first_edge + gate->edge_count; e++) {
    if (view->edges[e].weight < 0) return SIZE_NO_LIMIT;
    gain += view->edges[e].weight * fmaxf(view->edges[e].delay, 0);
  }
  for (uint32_t n = gate->first_net; n < gate->first_net + gate->net_count; n++) {
    const SizeNet *net = &view->nets[n];
    gain += net->slew_cost * fmaxf(net->slew, 0)
            + view->excess.slew * net->pins * size_excess(net->slew, net->slew_limit)
            + view->excess.load * size_excess(net->load, size_load_limit(view, cell, net));
  }
  for (uint32_t j = gate->first_pin; j < gate->first_pin + gate->pin_count; j++) {
    const SizePin *pin = &view->pins[j];
    float less = pin->cap - problem->least_caps.at[j], more = problem->most_caps.at[j] - pin->cap;
    gain += pin->cap_cost > 0 ? pin->cap_cost * less : -pin->cap_cost * more;
    gain += view->excess.load * fminf(less, size_excess(pin->load, pin->limit));
  }
  return gain;
}

static void fill_gates(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Filling *filling = context;
  SizeProblem *problem = filling->problem;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++) {
    const SizeGate *gate = &problem->gates.at[i];
    const SizeCell *cell =
        &filling->v.cells[problem->candidates.at[gate->first_candidate + gate->now]];
    put_views(problem, &filling->v, i);
    for (uint32_t j = gate->first_pin; j < gate->first_pin + gate->pin_count; j++)
      fill_pin(problem, &filling->v, cell, j);
    problem->most_gains.at[i] = most_gain(problem, &filling->v, i);
  }
}

void size_fill_gates(SizeProblem *problem)
{
  Filling f = { problem, NULL, size_problem_view(problem) };
  pool_items(problem->gates.len, GATE_NS, problem->threads, fill_gates, &f);
}
