/* Reduces nets: total load, pi model, Elmore constants. */
#include <math.h>

#include "base/clones.h"
#include "base/expect.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "cpu/cpu.h"
#include "timing/scaling.h"
#include "timing/wire_load.h"
#include "math/rc.h"

/* Numbers of the four conditions.  Arrays of them need no more alignment than their elements. */
typedef double Four __attribute__((vector_size(32), aligned(8)));
typedef float  FourFloats __attribute__((vector_size(16), aligned(4)));

typedef struct {
  RcTree tree;
  /* by node */
  ARRAY(FourFloats) cap;        /* with pins */
  ARRAY(Four) load, delay, weighted, beta;
} RcWork;

static void add4(Cond4 *to, Cond4 x)
{
  for (int k = 0; k < CONDITION_COUNT; k++) to->v[k] += x.v[k];
}

/* Lists the loads of a driver: its own range or, on a net with several drivers, all loads of the
   net. */
static uint32_t driver_loads(const Graph *g, Slot driver, Slot *first)
{
  *first = g->nets.load_first[driver];
  return g->nets.load_count[driver];
}

/* Adds the capacitances of the other drivers of the net, except inout pins, which are loads too. A
   net has several drivers if a load has more than one wire. */
static void add_other_drivers(Cond4 *sum, const Timing *t, Slot driver)
{
  const Graph *g = t->g;
  if (g->nets.extra_wires.len == 0) return;
  NetPins it = net_pins(g->netlist, netlist_pin_net(g->netlist, g->slots.pin[driver]), false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = p < g->pin_count ? g->slots.of_pin[p] : NO_SLOT;
    if (s != NO_SLOT && s != driver && slot_is_driver(g, s)) add4(sum, timing_pin_cap(t, s));
  }
}

/* Returns the capacitance of the driver pins of a net without a tree: the driver's own pin and
   those of the other drivers. An inout pin is left out if it is among the loads. */
static Cond4 driver_pins(const Timing *t, Slot driver)
{
  Cond4 sum = { { 0, 0, 0, 0 } };
  bool inout = t->g->slots.flags[driver] & SLOT_BIDIRECTIONAL;
  if (!inout || graph_own_load_is_apart(t->g, driver)) sum = timing_own_cap(t, driver);
  add_other_drivers(&sum, t, driver);
  return sum;
}

/* Returns the capacitance of all pins of the driver's net: loads in its own range, loads that
   another driver owns, and drivers. */
static Cond4 net_pin_cap(const Timing *t, Slot driver, Cond4 drivers)
{
  const Graph *g = t->g;
  Cond4 sum = { { 0, 0, 0, 0 } };
  Slot first;
  uint32_t count = driver_loads(g, driver, &first);
  for (Slot s = first; s < first + count; s++) add4(&sum, timing_pin_cap(t, s));
  add4(&sum, drivers);
  DriverExtras it = driver_extras(g, driver);
  while (driver_extras_next(&it))
    add4(&sum, timing_pin_cap(t, g->nets.extra_wires.at[it.index].load));
  return sum;
}

/* --- with a tree ------------------------------------------------------------------------------ */
/* Prefetches the data of a pin, because the pins of a net with thousands of pins are spread over
   memory. */
static void expect_tap(const RcWork *work, const Graph *g, uint32_t tap)
{
  if (tap >= work->tree.taps.len) return;
  PinId pin = work->tree.taps.at[tap].pin;
  mem_expect(&g->slots.of_pin[pin]);
  mem_expect(&g->netlist->pins.at[pin]);
}

static FourFloats floats_of(Cond4 x) { return (FourFloats){ x.v[0], x.v[1], x.v[2], x.v[3] }; }

enum { TAPS_AHEAD = 16 };

static void node_caps(RcWork *work, const Timing *t, Slot driver)
{
  uint32_t nodes = work->tree.nodes.len;
  array_resize(&work->cap, nodes);
  for (uint32_t i = 0; i < nodes; i++) {
    float cap = work->tree.nodes.at[i].cap;
    work->cap.at[i] = (FourFloats){ cap, cap, cap, cap };
  }
  if (!work->tree.own_included) work->cap.at[0] += floats_of(timing_own_cap(t, driver));
  for (uint32_t i = 0; i < work->tree.taps.len; i++) {
    expect_tap(work, t->g, i + TAPS_AHEAD);
    Slot s = t->g->slots.of_pin[work->tree.taps.at[i].pin];
    if (s == NO_SLOT || rc_tree_pin_included(&work->tree, i)) continue;
    work->cap.at[work->tree.taps.at[i].node] += floats_of(timing_pin_cap(t, s));
  }
}

/* Computes moments. One pass from the leaves sums up the load, one from the root the delay. Then
   both passes run once more, with cap * delay in place of cap. */
SL_CLONES static void moments(RcWork *work)
{
  uint32_t n = work->tree.nodes.len;
  const RcNode *node = work->tree.nodes.at;
  array_resize(&work->load, n);
  array_resize(&work->delay, n);
  array_resize(&work->weighted, n);
  array_resize(&work->beta, n);
  Four *load = work->load.at, *delay = work->delay.at, *weighted = work->weighted.at,
       *beta = work->beta.at;
  for (uint32_t i = 0; i < n; i++) load[i] = __builtin_convertvector(work->cap.at[i], Four);
  for (uint32_t i = n; i-- > 1;) load[node[i].parent] += load[i];
  delay[0] = beta[0] = (Four){ 0, 0, 0, 0 };
  weighted[0] = __builtin_convertvector(work->cap.at[0], Four) * delay[0];
  for (uint32_t i = 1; i < n; i++) {
    delay[i] = delay[node[i].parent] + (double)node[i].resistance * load[i];
    weighted[i] = __builtin_convertvector(work->cap.at[i], Four) * delay[i];
  }
  for (uint32_t i = n; i-- > 1;) weighted[node[i].parent] += weighted[i];
  for (uint32_t i = 1; i < n; i++)
    beta[i] = beta[node[i].parent] + (double)node[i].resistance * weighted[i];
}

/* Computes the third moment, which only the pi model needs. */
static void third_moment(const Timing *t, const RcWork *work, Four *y3)
{
  *y3 = (Four){ 0, 0, 0, 0 };
  for (uint32_t i = 0; t->nets.pi_far && i < work->tree.nodes.len; i++)
    *y3 += __builtin_convertvector(work->cap.at[i], Four) * work->beta.at[i];
}

static void store_pi(Timing *t, const RcWork *work, uint32_t d, const int *conditions, int count,
                     Cond4 base)
{
  Four y3;
  third_moment(t, work, &y3);
  for (int i = 0; i < count; i++) {
    int k = conditions[i];
    double y1 = work->load.at[0][k], y2 = -work->weighted.at[0][k];
    t->nets.load_cap[d].v[k] = (float)y1 + base.v[k];
    if (t->nets.pi_far == NULL) continue;
    PiModel m = pi_from_moments(y1, y2, y3[k]);
    m.c_near = m.c_near + base.v[k];
    timing_put_pi(t, d, k, m);
  }
}

/* Where the numbers of a load for this driver are: those of the load, or those of its extra wire.
   elmore NULL: there is no such wire. impulse_sq NULL: the delay model needs none. */
typedef struct { Cond4 *elmore, *impulse_sq; } WirePlace;

static WirePlace own_place(const Timing *t, Slot load)
{
  uint32_t i = graph_load_index(t->g, load);
  return (WirePlace){ &t->wires.elmore[i], t->wires.impulse_sq ? &t->wires.impulse_sq[i] : NULL };
}

static WirePlace extra_place(const Timing *t, uint32_t i)
{
  return (WirePlace){ &t->extra.elmore[i], t->extra.impulse_sq ? &t->extra.impulse_sq[i] : NULL };
}

static WirePlace wire_place(const Timing *t, Slot driver, Slot load)
{
  const Graph *g = t->g;
  if (g->nets.wire_driver[load] == driver) return own_place(t, load);
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    if (g->nets.extra_wires.at[i].driver == driver) return extra_place(t, i);
  return (WirePlace){ NULL, NULL };
}

static void put_four(Cond4 *to, const Four *from, const int *conditions, int count)
{
  for (int c = 0; c < count; c++) to->v[conditions[c]] = (float)(*from)[conditions[c]];
}

static void store_loads(Timing *t, const RcWork *work, Slot driver, const int *conditions,
                        int count)
{
  const Graph *g = t->g;
  for (uint32_t i = 0; i < work->tree.taps.len; i++) {
    Slot load = g->slots.of_pin[work->tree.taps.at[i].pin];
    if (load == NO_SLOT || slot_is_driver(g, load)) continue;
    uint32_t node = work->tree.taps.at[i].node;
    WirePlace place = wire_place(t, driver, load);
    if (place.elmore == NULL) continue;
    Four delay = work->delay.at[node], impulse_sq = 2 * work->beta.at[node] - delay * delay;
    put_four(place.elmore, &delay, conditions, count);
    if (place.impulse_sq) put_four(place.impulse_sq, &impulse_sq, conditions, count);
  }
}

/* Returns the capacitance that counts at the driver beside the tree: that of the unconnected parts
   of the file.  Pins that the tree does not reach are left out.  They show that the parasitics
   belong to another netlist, and the total of the file counts (as in OpenSTA).  The annotation
   report counts such nets. */
static Cond4 beside_tree(const RcWork *work)
{
  float island = work->tree.island_cap;
  return (Cond4){ { island, island, island, island } };
}

/* --- as a reduced net gives it ---------------------------------------------------------------- */
static float given_elmore(const Parasitics *parasitics, const RcReduced *reduced, PinId load)
{
  uint32_t low = reduced->first_elmore, end = low + reduced->elmore_count, high = end;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (parasitics->elmores.at[middle].pin < load) low = middle + 1;
    else high = middle;
  }
  return low < end && parasitics->elmores.at[low].pin == load ? parasitics->elmores.at[low].elmore
                                                              : NAN;
}

/* Stores the Elmore constant of a load as the file gives it.  If the file gives none, the pi
   model's is used.  The impulse response is assumed to be one pole, so its variance is the square
   of its mean. */
static void put_given(Timing *t, const Parasitics *parasitics, const RcReduced *reduced,
                      Slot driver, Slot load, int k, float far)
{
  WirePlace place = wire_place(t, driver, load);
  float given = given_elmore(parasitics, reduced, t->g->slots.pin[load]);
  if (place.elmore == NULL) return;
  float elmore = isnan(given) ? reduced->r_pi * far : given;
  place.elmore->v[k] = elmore;
  if (place.impulse_sq) place.impulse_sq->v[k] = elmore * elmore;
}

static void put_given_loads(Timing *t, const Parasitics *parasitics, const RcReduced *reduced,
                            Slot driver, int k, float far)
{
  const Graph *g = t->g;
  Slot first;
  uint32_t count = driver_loads(g, driver, &first);
  for (Slot s = first; s < first + count; s++) put_given(t, parasitics, reduced, driver, s, k, far);
  DriverExtras it = driver_extras(g, driver);
  while (driver_extras_next(&it))
    put_given(t, parasitics, reduced, driver, g->nets.extra_wires.at[it.index].load, k, far);
}

/* Reduces a reduced net: the driver's own pi model of the file, with the driver's pin added to the
   near capacitance and all other pins to the far one, and the Elmore constants of the file. */
static void reduce_given(Timing *t, Slot driver, const Parasitics *parasitics,
                         const RcReduced *reduced, const int *conditions, int count)
{
  uint32_t d = graph_driver_index(t->g, driver);
  uint32_t flags = parasitics->pieces.at[reduced->piece].flags;
  Cond4 own = { { 0, 0, 0, 0 } }, others = timing_other_pins(t, driver, flags);
  if (!parasitics_pin_included(t->g->netlist, flags, t->g->slots.pin[driver]))
    own = timing_own_cap(t, driver);
  for (int i = 0; i < count; i++) {
    int k = conditions[i];
    PiModel m = { .c_near = reduced->c_near + own.v[k],
                  .r_pi = reduced->r_pi,
                  .c_far = reduced->c_far + others.v[k] };
    t->nets.load_cap[d].v[k] = m.c_far + m.c_near;
    timing_put_pi(t, d, k, m);
    put_given_loads(t, parasitics, reduced, driver, k, m.c_far);
  }
}

static bool reduce_tree(Timing *t, RcWork *work, Slot driver, NetId net,
                        const Parasitics *parasitics, const int *conditions, int count)
{
  const RcReduced *given = parasitics_reduced(parasitics, net, t->g->slots.pin[driver]);
  if (given) {
    reduce_given(t, driver, parasitics, given, conditions, count);
    return true;
  }
  rc_tree_build(&work->tree, parasitics, t->g->netlist, net, t->g->slots.pin[driver]);
  if (work->tree.nodes.len == 0) return false;
  node_caps(work, t, driver);
  moments(work);
  uint32_t d = graph_driver_index(t->g, driver);
  store_pi(t, work, d, conditions, count, beside_tree(work));
  store_loads(t, work, driver, conditions, count);
  return true;
}

/* --- one net ---------------------------------------------------------------------------------- */
static WireEstimate estimate_of(const Timing *t, Slot driver)
{
  if (t->nets.estimate == NULL) return (WireEstimate){ .lumped = 0 };
  return t->nets.estimate[graph_driver_index(t->g, driver)];
}

/* Reduces a net without a tree: the capacitance of its pins, and that of set_load or of the
   wire. */
static void lump_net(Timing *t, Slot driver, NetId net, Cond4 cap, const WireEstimate *estimate)
{
  uint32_t d = graph_driver_index(t->g, driver);
  const NetLoad *extra = net == NO_NET ? NULL : constraints_find_net_load(t->constraints, net);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    float wire = extra && !isnan(extra->wire_cap[k]) ? extra->wire_cap[k] : estimate->cap[k];
    float pins = cap.v[k];
    if (extra && extra->subtract_pin_load >> k & 1) wire = wire > pins ? wire - pins : 0;
    t->nets.load_cap[d].v[k] = pins + wire;
    timing_put_pi(t, d, k, (PiModel){ .c_near = t->nets.load_cap[d].v[k] });
  }
}

static void clear_place(WirePlace place)
{
  *place.elmore = (Cond4){ { 0, 0, 0, 0 } };
  if (place.impulse_sq) *place.impulse_sq = (Cond4){ { 0, 0, 0, 0 } };
}

void cpu_clear_wires(Timing *t, Slot driver)
{
  Slot first;
  uint32_t count = driver_loads(t->g, driver, &first);
  for (Slot s = first; s < first + count; s++) clear_place(own_place(t, s));
  DriverExtras it = driver_extras(t->g, driver);
  while (driver_extras_next(&it)) clear_place(extra_place(t, it.index));
}

static bool has_net(const Parasitics *parasitics, NetId net)
{
  return parasitics && net != NO_NET && parasitics_has(parasitics, net);
}

/* --- wires that constraints give -------------------------------------------------------------- */
/* Returns the capacitance of the annotated wires, for nets whose resistance a constraint gives. */
static float annotated_cap(Timing *t, RcWork *work, Slot driver, NetId net, int side, float pins)
{
  const Parasitics *parasitics = t->parasitics[side];
  PinId pin = t->g->slots.pin[driver];
  if (!has_net(parasitics, net)) return NAN;
  const RcReduced *reduced = parasitics_reduced(parasitics, net, pin);
  rc_tree_build(&work->tree, parasitics, t->g->netlist, net, pin);
  float cap = reduced ? reduced->c_near + reduced->c_far : work->tree.total_cap;
  bool included = work->tree.own_included || work->tree.included.len;
  return !included ? cap : cap > pins ? cap - pins : 0;
}

/* Returns the wire of a net for which constraints give some numbers. In an analysis with parasitics
   it has their capacitance, half of it on each side of a given resistance. An analysis without
   parasitics has the estimate, which knows what is given. */
static WireEstimate given_wire(Timing *t, RcWork *work, Slot driver, NetId net, const Cond4 *pins)
{
  const NetLoad *given = constraints_find_net_load(t->constraints, net);
  WireEstimate e = estimate_of(t, driver);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    float cap = annotated_cap(t, work, driver, net, k >> 1, pins->v[k]);
    if (isnan(cap)) continue;
    e.cap[k] = cap;
    e.resistance[k] = isnan(given->resistance[k >> 1]) ? 0 : given->resistance[k >> 1];
    e.lumped |= 1u << k;
  }
  return e;
}

/* Reduces an annotated net for which constraints give some numbers, as if no tree remained. */
static bool reduce_given_wires(Timing *t, RcWork *work, Slot driver, NetId net)
{
  Cond4 drivers = driver_pins(t, driver), pins = net_pin_cap(t, driver, drivers);
  WireEstimate e = given_wire(t, work, driver, net, &pins);
  lump_net(t, driver, net, pins, &e);
  return wire_load_reduce(t, driver, &e, &pins, &drivers);
}

static int conditions_left(int first, int end, uint32_t given, int *out)
{
  int count = 0;
  for (int k = first; k < end; k++)
    if (!(given >> k & 1)) out[count++] = k;
  return count;
}

/* Reduces an annotated net for which constraints give some numbers. These replace the parasitics in
   their conditions. */
static void reduce_partly_given(Timing *t, RcWork *work, Slot driver, NetId net, uint32_t given)
{
  uint32_t d = graph_driver_index(t->g, driver);
  t->nets.has_rc[d] = reduce_given_wires(t, work, driver, net);
  for (int el = EARLY; el <= LATE; el++) {
    int left[2], count = conditions_left(2 * el, 2 * el + 2, given, left);
    if (count && has_net(t->parasitics[el], net))
      t->nets.has_rc[d] |= reduce_tree(t, work, driver, net, t->parasitics[el], left, count);
  }
}

/* Reduces a net by its estimate. An analysis with parasitics gets no resistance from the estimate:
   its numbers come from the tree afterwards, if the driver has one. */
static bool reduce_estimate(Timing *t, Slot driver, NetId net, bool in_early, bool in_late)
{
  Cond4 drivers = driver_pins(t, driver), pins = net_pin_cap(t, driver, drivers);
  WireEstimate e = estimate_of(t, driver);
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (k >> 1 == EARLY ? in_early : in_late) e.resistance[k] = 0;
  lump_net(t, driver, net, pins, &e);
  return wire_load_reduce(t, driver, &e, &pins, &drivers);
}

/* Reduces one net. Most nets have a tree with all that is needed. Only for other nets the
   capacitances of the pins are summed up first. */
static void reduce_net(Timing *t, RcWork *work, Slot driver)
{
  static const int early[] = { 0, 1 }, late[] = { 2, 3 }, all[] = { 0, 1, 2, 3 };
  const Parasitics *pe = t->parasitics[EARLY], *pl = t->parasitics[LATE];
  NetId net = netlist_pin_net(t->g->netlist, t->g->slots.pin[driver]);
  uint32_t d = graph_driver_index(t->g, driver);
  bool in_early = has_net(pe, net), in_late = has_net(pl, net);
  uint32_t given = in_early || in_late ? timing_given_wires(t, net) : 0;
  cpu_clear_wires(t, driver);
  if (given) {
    reduce_partly_given(t, work, driver, net, given);
    return;
  }
  t->nets.has_rc[d] = in_early && pe == pl && reduce_tree(t, work, driver, net, pe, all, 4);
  if (t->nets.has_rc[d]) return;
  t->nets.has_rc[d] = reduce_estimate(t, driver, net, in_early, in_late);
  if (pe == pl) return;
  if (in_early) t->nets.has_rc[d] |= reduce_tree(t, work, driver, net, pe, early, 2);
  if (in_late) t->nets.has_rc[d] |= reduce_tree(t, work, driver, net, pl, late, 2);
}

static void clear_work(RcWork *work)
{
  rc_tree_free(&work->tree);
  array_free(&work->cap);
  array_free(&work->load);
  array_free(&work->delay);
  array_free(&work->weighted);
  array_free(&work->beta);
}

static void free_work(void *data)
{
  clear_work(data);
  mem_free(data);
}

/* Reduces the few nets of an edit. It keeps its memory, because new memory for a net with thousands
   of loads costs more than the reduction. */
static void reduce_few(Timing *t, const Slot *drivers, uint32_t count)
{
  RcWork *work = t->owned[OWNER_NETS].data;
  if (work == NULL) {
    work = mem_alloc_zero(1, sizeof *work);
    rc_tree_init(&work->tree);
    t->owned[OWNER_NETS] = (TimingKept){ work, free_work };
  }
  for (uint32_t i = 0; i < count; i++) reduce_net(t, work, drivers[i]);
}

typedef struct {
  Timing     *t;
  const Slot *drivers;
  RcWork     *work;        /* by thread */
} Nets;

static void reduce_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const Nets *nets = context;
  RcWork own = nets->work[thread];      /* off the cache lines of other threads */
  (void)step;
  for (uint32_t i = from; i < to && !interrupt_seen(); i++)
    reduce_net(nets->t, &own, nets->drivers[i]);
  nets->work[thread] = own;
}

/* Up to this many nets are reduced by reduce_few. */
enum { FEW = 512 };

void cpu_reduce_nets(Timing *t, const Slot *drivers, uint32_t count)
{
  if (count <= FEW) {
    reduce_few(t, drivers, count);
    return;
  }
  Nets x = { t, drivers, mem_alloc_zero((size_t)t->threads + 1, sizeof *x.work) };
  for (int i = 0; i < t->threads; i++) rc_tree_init(&x.work[i].tree);
  pool_items(count, 800, t->threads, reduce_share, &x);
  for (int i = 0; i < t->threads; i++) clear_work(&x.work[i]);
  mem_free(x.work);
}
