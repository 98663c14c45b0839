/* Estimates nets by wire load models: estimates the net of each driver, and reduces the
   estimates. */
#include "timing/wire_load.h"

#include <math.h>

#include "db/wire_model.h"
#include "timing/derived.h"
#include "timing/scaling.h"
#include "math/rc.h"

float wire_load_length(const LibrarySet *libs, const WireLoad *model, float fanout)
{
  /* pairs of fanout and length, ascending */
  const float *at = libs->wire_lengths.at + model->first_length;
  uint32_t count = model->length_count;
  if (count == 0 || fanout <= 0) return 0;
  float length;
  if (fanout <= at[0]) {
    length = at[1] - (at[0] - fanout) * model->slope;
  } else if (fanout >= at[2 * count - 2]) {
    length = at[2 * count - 1] + (fanout - at[2 * count - 2]) * model->slope;
  } else {
    uint32_t i = 1;
    while (at[2 * i] < fanout) i++;
    float part = (fanout - at[2 * i - 2]) / (at[2 * i] - at[2 * i - 2]);
    length = at[2 * i - 1] + part * (at[2 * i + 1] - at[2 * i - 1]);
  }
  return length > 0 ? length : 0;
}

typedef struct {
  const Timing      *t;
  const Netlist     *n;
  const Constraints *c;
  WireModels         models;
} Estimator;

/* --- fanout ----------------------------------------------------------------------------------- */
static float port_fanout(const Estimator *estimator, PinId pin, int early_late)
{
  const PortLoad *load = constraints_find_port_load(estimator->c, pin);
  return load && !isnan(load->fanout_number[early_late]) ? load->fanout_number[early_late] : 0;
}

/* Returns the fanout of a net: the cell pins that load the driver, and the numbers of pins outside
   of ports. */
static float net_fanout(const Estimator *estimator, NetId net, PinId driver, int early_late)
{
  NetPins it = net_pins(estimator->n, net, false);
  float fanout = 0;
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    if (pin_is_top_port(estimator->n, p)) fanout += port_fanout(estimator, p, early_late);
    else if (p != driver && netlist_pin_loads(estimator->n, p)) fanout++;
  }
  return fanout;
}

/* Returns the fanout of one segment: its connections to pins of cells, of blocks inside and of the
   block itself, except the one that the signal comes from. */
static float seg_fanout(const Estimator *estimator, SegId seg, int early_late)
{
  float fanout = 0, ports = 0;
  bool from_cell = false;
  for (PinId p = estimator->n->segs.at[seg].first_pin; p != NO_PIN;
       p = estimator->n->pins.at[p].next) {
    if (pin_is_top_port(estimator->n, p)) {
      ports += port_fanout(estimator, p, early_late);
      from_cell |= netlist_pin_drives(estimator->n, p);
      continue;
    }
    if (!pin_is_hierarchical(estimator->n, p) && netlist_pin_drives(estimator->n, p)
        && !netlist_pin_loads(estimator->n, p))
      from_cell = true;
    else fanout++;
  }
  /* the block's own pins that lead to the segment */
  InstId scope = estimator->n->segs.at[seg].scope;
  const Inst *block = &estimator->n->insts.at[scope];
  for (uint32_t i = 0; scope != TOP_INST && i < block->pin_count; i++)
    if (netlist_inner_seg(estimator->n, block->first_pin + i) == seg) fanout++;
  fanout -= !from_cell;
  return (fanout > 0 ? fanout : 0) + ports;
}

/* --- the estimate ----------------------------------------------------------------------------- */
static void add_wire(const Estimator *estimator, WireEstimate *estimate, int early_late,
                     uint32_t model, float fanout)
{
  if (model == NO_WIRE_LOAD) return;
  const WireLoad *load = &estimator->n->libs->wire_loads.at[model];
  float length = wire_load_length(estimator->n->libs, load, fanout);
  float cap = length * load->capacitance
              * scaling_factor(estimator->t->scaling, load->library, early_late, SCALE_WIRE_CAP);
  float resistance =
      length * load->resistance
      * scaling_factor(estimator->t->scaling, load->library, early_late, SCALE_WIRE_RES);
  for (int edge = RISE; edge <= FALL; edge++) {
    estimate->cap[condition_of(early_late, edge)] += cap;
    estimate->resistance[condition_of(early_late, edge)] += resistance;
  }
}

static void estimate_net(Estimator *estimator, WireLoadMode mode, NetId net, PinId driver,
                         WireEstimate *estimate)
{
  for (int el = EARLY; el <= LATE; el++) {
    if (mode == WIRE_MODE_SEGMENTED) {
      for (SegId s = estimator->n->nets.at[net].first_seg; s != NO_SEG;
           s = estimator->n->segs.at[s].next)
        add_wire(estimator, estimate, el,
                 wire_model_of(&estimator->models, estimator->n->segs.at[s].scope, el),
                 seg_fanout(estimator, s, el));
    } else {
      /* the first segment of a net is the one nearest to the top, so its scope contains the whole
         net */
      InstId block = mode == WIRE_MODE_TOP
                         ? TOP_INST
                         : estimator->n->segs.at[estimator->n->nets.at[net].first_seg].scope;
      add_wire(estimator, estimate, el, wire_model_of(&estimator->models, block, el),
               net_fanout(estimator, net, driver, el));
    }
  }
}

/* Uses given values, each in its own conditions: set_load replaces the estimated capacitance and
   removes the resistance; set_resistance replaces the resistance. */
static void use_given(const Constraints *c, NetId net, WireEstimate *estimate)
{
  const NetLoad *given = constraints_find_net_load(c, net);
  for (int k = 0; given && k < CONDITION_COUNT; k++) {
    if (!isnan(given->wire_cap[k])) estimate->cap[k] = estimate->resistance[k] = 0;
    if (isnan(given->resistance[k >> 1])) continue;
    estimate->lumped |= (estimate->cap[k] == 0) << k;
    estimate->resistance[k] = given->resistance[k >> 1];
  }
}

static bool any_resistance(const Constraints *c)
{
  for (uint32_t i = 0; i < c->net_loads.len; i++)
    if (!isnan(c->net_loads.at[i].resistance[EARLY]) || !isnan(c->net_loads.at[i].resistance[LATE]))
      return true;
  return false;
}

static uint8_t tree_of(const LibrarySet *libs, const Constraints *c, int early_late)
{
  uint32_t condition = c->operating_condition[c->analysis == ANALYSIS_SINGLE ? LATE : early_late];
  return condition == NO_CONDITION ? TREE_BALANCED : libs->conditions.at[condition].tree;
}

static void estimate_all(Estimator *estimator, WireEstimate *estimates)
{
  const Graph *g = estimator->t->g;
  WireLoadMode mode = wire_mode(&estimator->models);
  for (uint32_t level = 0; level < g->levels.count; level++)
    for (Slot s = g->levels.first[level]; s < g->levels.loads[level]; s++) {
      WireEstimate *estimate = &estimates[graph_driver_index(g, s)];
      NetId net = netlist_pin_net(g->netlist, g->slots.pin[s]);
      for (int el = EARLY; el <= LATE; el++)
        estimate->tree[el] = tree_of(g->libs, estimator->c, el);
      if (net == NO_NET) continue;
      estimate_net(estimator, mode, net, g->slots.pin[s], estimate);
      use_given(estimator->c, net, estimate);
    }
}

WireEstimate *wire_estimates(const Timing *t)
{
  const Constraints *c = t->constraints;
  if (c->wire_load_choices.len == 0 && !any_resistance(c)) return NULL;
  Estimator e = { t, t->g->netlist, c, wire_models_begin(t->g->netlist, c) };
  WireEstimate *estimates = mem_alloc_zero((size_t)t->g->nets.driver_count + 1, sizeof *estimates);
  estimate_all(&e, estimates);
  wire_models_end(&e.models);
  return estimates;
}

float wire_load_outside(const Timing *t, const PortLoad *port, int early_late)
{
  const LibrarySet *libs = t->g->libs;
  const WireLoadChoice *choice =
      constraints_find_wire_load(t->constraints, (Object){ OBJ_PORT, port->pin });
  if (choice == NULL || choice->model[early_late] == NO_WIRE_LOAD
      || isnan(port->fanout_number[early_late]))
    return 0;
  const WireLoad *load = &libs->wire_loads.at[choice->model[early_late]];
  return wire_load_length(libs, load, port->fanout_number[early_late]) * load->capacitance
         * scaling_factor(t->scaling, load->library, early_late, SCALE_WIRE_CAP);
}

/* --- reduction -------------------------------------------------------------------------------- */
/* The state while the loads of a driver's net are visited.  `conditions`: bits; the numbers of
   other conditions do not change. */
typedef struct {
  uint32_t conditions, count;
  double   r[CONDITION_COUNT], c[CONDITION_COUNT];     /* of the branch to a load */
  /* moments (math/rc.h) */
  double   y1[CONDITION_COUNT], y2[CONDITION_COUNT], y3[CONDITION_COUNT];
  float    elmore[CONDITION_COUNT];
} Wire;

static bool has_condition(uint32_t conditions, int k) { return conditions >> k & 1; }

/* Calls visit for each load of a driver, with the places of its Elmore constant and impulse_sq. */
static void each_load(Timing *t, Slot driver,
                      void (*visit)(Timing *, Slot, Cond4 *, Cond4 *, Wire *), Wire *wire)
{
  const Graph *g = t->g;
  for (Slot s = g->nets.load_first[driver];
       s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++) {
    uint32_t i = graph_load_index(g, s);
    visit(t, s, &t->wires.elmore[i], t->wires.impulse_sq ? &t->wires.impulse_sq[i] : NULL, wire);
  }
  DriverExtras it = driver_extras(g, driver);
  while (driver_extras_next(&it)) {
    Cond4 *impulse_sq = t->extra.impulse_sq ? &t->extra.impulse_sq[it.index] : NULL;
    visit(t, g->nets.extra_wires.at[it.index].load, &t->extra.elmore[it.index], impulse_sq, wire);
  }
}

static void count_load(Timing *t, Slot load, Cond4 *elmore, Cond4 *impulse_sq, Wire *wire)
{
  (void)t, (void)load, (void)elmore, (void)impulse_sq;
  wire->count++;
}

/* Stores the numbers of a load. The response is one pole, so impulse_sq is the square of the
   delay. */
static void put_elmore(Cond4 *elmore, Cond4 *impulse_sq, int k, double delay)
{
  elmore->v[k] = (float)delay;
  if (impulse_sq) impulse_sq->v[k] = (float)(delay * delay);
}

static void add_branch(Timing *t, Slot load, Cond4 *elmore, Cond4 *impulse_sq, Wire *wire)
{
  Cond4 pin = timing_pin_cap(t, load);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (!has_condition(wire->conditions, k)) continue;
    double cap = pin.v[k] + wire->c[k], delay = wire->r[k] * cap;
    put_elmore(elmore, impulse_sq, k, delay);
    wire->y1[k] += cap;
    wire->y2[k] -= cap * delay;
    wire->y3[k] += cap * delay * delay;
  }
}

/* Returns true if there is a resistance before a place. */
static bool put_pi(Timing *t, uint32_t d, int k, PiModel m)
{
  bool has = m.c_far > 0 && m.r_pi > 0;
  timing_put_pi(t, d, k, has ? m : (PiModel){ .c_near = m.c_far + m.c_near });
  return has;
}

/* Reduces a balanced tree: a branch of equal resistance and capacitance for each load. */
static bool reduce_star(Timing *t, Slot driver, const WireEstimate *estimate, const Cond4 *own,
                        uint32_t conditions)
{
  Wire w = { .conditions = conditions };
  uint32_t d = graph_driver_index(t->g, driver);
  bool has = false;
  each_load(t, driver, count_load, &w);
  for (int k = 0; k < CONDITION_COUNT && w.count; k++) {
    w.r[k] = estimate->resistance[k] / w.count;
    w.c[k] = estimate->cap[k] / w.count;
  }
  each_load(t, driver, add_branch, &w);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    PiModel m = pi_from_moments(w.y1[k], w.y2[k], w.y3[k]);
    m.c_near = m.c_near + own->v[k];
    if (has_condition(conditions, k) && w.count) has |= put_pi(t, d, k, m);
  }
  return has;
}

static void set_elmore(Timing *t, Slot load, Cond4 *elmore, Cond4 *impulse_sq, Wire *wire)
{
  (void)t, (void)load;
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (has_condition(wire->conditions, k)) put_elmore(elmore, impulse_sq, k, wire->elmore[k]);
}

/* Reduces a net whose resistance is before all loads and the wire.  Where the estimate is lumped,
   half of the wire is before the resistance. */
static bool reduce_trunk(Timing *t, Slot driver, const WireEstimate *estimate, const Cond4 *pins,
                         const Cond4 *own, uint32_t conditions)
{
  uint32_t d = graph_driver_index(t->g, driver);
  Wire w = { .conditions = conditions };
  bool has = false;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (!has_condition(conditions, k)) continue;
    bool half = has_condition(estimate->lumped, k);
    float near = half ? 0.5f * (t->nets.load_cap[d].v[k] - pins->v[k]) : 0;
    float far = t->nets.load_cap[d].v[k] - own->v[k] - near, r = estimate->resistance[k];
    w.elmore[k] = r * far;
    has |= put_pi(t, d, k, (PiModel){ .c_far = far, .c_near = own->v[k] + near, .r_pi = r });
  }
  each_load(t, driver, set_elmore, &w);
  return has;
}

bool wire_load_reduce(Timing *t, Slot driver, const WireEstimate *estimate, const Cond4 *pins,
                      const Cond4 *own)
{
  uint32_t star = 0, trunk = 0;
  bool has = false;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (estimate->resistance[k] <= 0) continue;
    if (has_condition(estimate->lumped, k) || estimate->tree[k >> 1] == TREE_WORST)
      trunk |= 1u << k;
    else if (estimate->tree[k >> 1] == TREE_BALANCED) star |= 1u << k;
  }
  if (star) has |= reduce_star(t, driver, estimate, own, star);
  if (trunk) has |= reduce_trunk(t, driver, estimate, pins, own, trunk);
  return has;
}
