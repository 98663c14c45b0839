/* Estimates nets by wire load models: finds the model of each block and port, estimates the net of
   each driver, and reduces the estimates. */
#include "timing/wire_load.h"

#include <math.h>

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

/* --- which model a block has ------------------------------------------------------------------ */
typedef struct {
  const Timing *t;
  const Netlist *n;
  const Constraints *c;
  double   *area;               /* by InstId: area with everything inside; NULL until a selection
                                   needs it */
  Map      *model[2];           /* InstId -> index in wire_loads; only blocks in `seen` that have a
                                   model */
  Map      *seen[2];
} Blocks;

/* Finds the areas of blocks. A cell counts in its block and in all blocks around it. */
static void find_areas(Blocks *b)
{
  b->area = mem_alloc_zero((size_t)b->n->insts.len + 1, sizeof *b->area);
  for (InstId i = 1; i < b->n->insts.len; i++) {
    if (!inst_is_leaf(b->n, i) || (b->n->insts.at[i].flags & INST_DELETED)) continue;
    float area = b->n->libs->cells.at[b->n->insts.at[i].master].area;
    for (InstId at = b->n->insts.at[i].parent; at != NO_INST; at = b->n->insts.at[at].parent)
      b->area[at] += isnan(area) ? 0 : area;
  }
}

static Object object_of(InstId block)
{
  return block == TOP_INST ? (Object){ OBJ_DESIGN, 0 } : (Object){ OBJ_CELL, block };
}

static uint32_t named_model(const LibrarySet *libs, LibraryId library, NameId name)
{
  for (uint32_t i = 0; i < libs->wire_loads.len; i++)
    if (libs->wire_loads.at[i].library == library && libs->wire_loads.at[i].name == name) return i;
  return NO_WIRE_LOAD;
}

/* Returns the model of a selection group for the area of a block.  A block smaller than the minimum
   counts as a part of the block around it. */
static uint32_t select_model(Blocks *b, const WireLoadChoice *k, int early_late, InstId block)
{
  const LibrarySet *libs = b->n->libs;
  if (b->area == NULL) find_areas(b);
  while (block != TOP_INST && b->area[block] < b->c->wire_load_min_block)
    block = b->n->insts.at[block].parent;
  uint32_t best = NO_WIRE_LOAD;
  for (uint32_t i = 0; i < libs->selections.len; i++) {
    const WireLoadSelection *line = &libs->selections.at[i];
    bool wanted =
        line->name == k->group[early_late]
        && (k->library[early_late] == NO_LIBRARY || line->library == k->library[early_late]);
    if (!wanted || b->area[block] < line->min_area) continue;
    uint32_t model = named_model(libs, line->library, line->wire_load);
    if (model != NO_WIRE_LOAD) best = model;      /* the last model whose least area is reached
                                                     counts, even beyond its largest area */
    if (b->area[block] < line->max_area) break;
  }
  return best;
}

/* Finds the model of a block: the nearest setting from the block upwards. A model has priority over
   a selection group. */
static uint32_t find_model(Blocks *b, InstId block, int early_late)
{
  for (InstId at = block; at != NO_INST; at = b->n->insts.at[at].parent) {
    const WireLoadChoice *k = constraints_find_wire_load(b->c, object_of(at));
    if (k && k->model[early_late] != NO_WIRE_LOAD) return k->model[early_late];
    if (k && k->group[early_late] != NO_NAME) return select_model(b, k, early_late, block);
  }
  return NO_WIRE_LOAD;
}

static uint32_t model_of(Blocks *b, InstId block, int early_late)
{
  if (map_get(b->seen[early_late], block) == MAP_NO_VALUE) {
    map_put(b->seen[early_late], block, 1);
    uint32_t model = find_model(b, block, early_late);
    if (model != NO_WIRE_LOAD) map_put(b->model[early_late], block, model);
  }
  return map_get(b->model[early_late], block);      /* MAP_NO_VALUE is NO_WIRE_LOAD */
}

/* --- fanout ----------------------------------------------------------------------------------- */
static float port_fanout(const Blocks *b, PinId pin, int early_late)
{
  const PortLoad *p = constraints_find_port_load(b->c, pin);
  return p && !isnan(p->fanout_number[early_late]) ? p->fanout_number[early_late] : 0;
}

/* Returns the fanout of a net: the cell pins that load the driver, and the numbers of pins outside
   of ports. */
static float net_fanout(const Blocks *b, NetId net, PinId driver, int early_late)
{
  NetPins it = net_pins(b->n, net, false);
  float fanout = 0;
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    if (pin_is_top_port(b->n, p)) fanout += port_fanout(b, p, early_late);
    else if (p != driver && netlist_pin_loads(b->n, p)) fanout++;
  }
  return fanout;
}

/* Returns the fanout of one segment: its connections to pins of cells, of blocks inside and of the
   block itself, except the one that the signal comes from. */
static float seg_fanout(const Blocks *b, SegId seg, int early_late)
{
  float fanout = 0, ports = 0;
  bool from_cell = false;
  for (PinId p = b->n->segs.at[seg].first_pin; p != NO_PIN; p = b->n->pins.at[p].next) {
    if (pin_is_top_port(b->n, p)) {
      ports += port_fanout(b, p, early_late);
      from_cell |= netlist_pin_drives(b->n, p);
      continue;
    }
    if (!pin_is_hierarchical(b->n, p) && netlist_pin_drives(b->n, p) && !netlist_pin_loads(b->n, p))
      from_cell = true;
    else fanout++;
  }
  /* the block's own pins that lead to the segment */
  InstId scope = b->n->segs.at[seg].scope;
  const Inst *block = &b->n->insts.at[scope];
  for (uint32_t i = 0; scope != TOP_INST && i < block->pin_count; i++)
    if (netlist_inner_seg(b->n, block->first_pin + i) == seg) fanout++;
  fanout -= !from_cell;
  return (fanout > 0 ? fanout : 0) + ports;
}

/* --- the estimate ----------------------------------------------------------------------------- */
static void add_wire(const Blocks *b, WireEstimate *w, int early_late, uint32_t model, float fanout)
{
  if (model == NO_WIRE_LOAD) return;
  const WireLoad *load = &b->n->libs->wire_loads.at[model];
  float length = wire_load_length(b->n->libs, load, fanout);
  w->cap[early_late] += length * load->capacitance
                        * scaling_factor(b->t->scaling, load->library, early_late, SCALE_WIRE_CAP);
  w->resistance[early_late] +=
      length * load->resistance
      * scaling_factor(b->t->scaling, load->library, early_late, SCALE_WIRE_RES);
}

static WireLoadMode mode_of(Blocks *b)
{
  static const char *const words[] = { "", "top", "enclosed", "segmented" };
  if (b->c->wire_load_mode != WIRE_MODE_NONE) return (WireLoadMode)b->c->wire_load_mode;
  uint32_t top = model_of(b, TOP_INST, LATE);
  LibraryId library = top == NO_WIRE_LOAD ? 0 : b->n->libs->wire_loads.at[top].library;
  NameId name = library < b->n->libs->libraries.len
                    ? b->n->libs->libraries.at[library].default_wire_load_mode
                    : NO_NAME;
  for (int mode = WIRE_MODE_TOP; mode <= WIRE_MODE_SEGMENTED; mode++)
    if (strcmp(names_text(b->n->names, name), words[mode]) == 0) return (WireLoadMode)mode;
  return WIRE_MODE_TOP;
}

static void estimate_net(Blocks *b, WireLoadMode mode, NetId net, PinId driver, WireEstimate *w)
{
  for (int el = EARLY; el <= LATE; el++) {
    if (mode == WIRE_MODE_SEGMENTED) {
      for (SegId s = b->n->nets.at[net].first_seg; s != NO_SEG; s = b->n->segs.at[s].next)
        add_wire(b, w, el, model_of(b, b->n->segs.at[s].scope, el), seg_fanout(b, s, el));
    } else {
      /* the first segment of a net is the one nearest to the top, so its scope contains the whole
         net */
      InstId block =
          mode == WIRE_MODE_TOP ? TOP_INST : b->n->segs.at[b->n->nets.at[net].first_seg].scope;
      add_wire(b, w, el, model_of(b, block, el), net_fanout(b, net, driver, el));
    }
  }
}

/* Uses given values: set_load replaces the estimated capacitance and removes the resistance;
   set_resistance replaces the resistance. */
static void use_given(const Constraints *c, NetId net, WireEstimate *w)
{
  const NetLoad *given = constraints_find_net_load(c, net);
  for (int el = EARLY; given && el <= LATE; el++) {
    bool has_cap = !isnan(given->wire_cap[condition_of(el, RISE)])
                   || !isnan(given->wire_cap[condition_of(el, FALL)]);
    if (has_cap) {
      w->cap[el] = w->resistance[el] = 0;
      w->lumped = true;
    }
    if (isnan(given->resistance[el])) continue;
    w->lumped |= w->cap[el] == 0;
    w->resistance[el] = given->resistance[el];
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

static void estimate_all(Blocks *b, WireEstimate *estimates)
{
  const Graph *g = b->t->g;
  WireLoadMode mode = mode_of(b);
  for (uint32_t level = 0; level < g->levels.count; level++)
    for (Slot s = g->levels.first[level]; s < g->levels.loads[level]; s++) {
      WireEstimate *w = &estimates[graph_driver_index(g, s)];
      NetId net = netlist_pin_net(g->netlist, g->slots.pin[s]);
      for (int el = EARLY; el <= LATE; el++) w->tree[el] = tree_of(g->libs, b->c, el);
      if (net == NO_NET) continue;
      estimate_net(b, mode, net, g->slots.pin[s], w);
      use_given(b->c, net, w);
    }
}

WireEstimate *wire_estimates(const Timing *t)
{
  const Constraints *c = t->constraints;
  if (c->wire_load_choices.len == 0 && !any_resistance(c)) return NULL;
  Blocks b = { .t = t, .n = t->g->netlist, .c = c };
  WireEstimate *estimates = mem_alloc_zero((size_t)t->g->nets.driver_count + 1, sizeof *estimates);
  for (int el = EARLY; el <= LATE; el++) {
    b.model[el] = map_new();
    b.seen[el] = map_new();
  }
  estimate_all(&b, estimates);
  for (int el = EARLY; el <= LATE; el++) {
    map_free(b.model[el]);
    map_free(b.seen[el]);
  }
  mem_free(b.area);
  return estimates;
}

bool wire_load_by_area(const Constraints *c)
{
  for (uint32_t i = 0; i < c->wire_load_choices.len; i++)
    if (c->wire_load_choices.at[i].group[EARLY] != NO_NAME
        || c->wire_load_choices.at[i].group[LATE] != NO_NAME)
      return true;
  return false;
}

float wire_load_outside(const Timing *t, const PortLoad *port, int early_late)
{
  const LibrarySet *libs = t->g->libs;
  const WireLoadChoice *k =
      constraints_find_wire_load(t->constraints, (Object){ OBJ_PORT, port->pin });
  if (k == NULL || k->model[early_late] == NO_WIRE_LOAD || isnan(port->fanout_number[early_late]))
    return 0;
  const WireLoad *load = &libs->wire_loads.at[k->model[early_late]];
  return wire_load_length(libs, load, port->fanout_number[early_late]) * load->capacitance
         * scaling_factor(t->scaling, load->library, early_late, SCALE_WIRE_CAP);
}

/* --- reduction -------------------------------------------------------------------------------- */
/* The state while the loads of a driver's net are visited.  `sides`: bit EARLY, bit LATE; other
   analyses do not change. */
typedef struct {
  uint32_t sides, count;
  double   r[CONDITION_COUNT], c[CONDITION_COUNT];     /* of the branch to a load */
  /* moments (math/rc.h) */
  double   y1[CONDITION_COUNT], y2[CONDITION_COUNT], y3[CONDITION_COUNT];
  float    elmore[CONDITION_COUNT];
} Wire;

static bool has_side(uint32_t sides, int condition) { return sides >> (condition >> 1) & 1; }

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

static void add_branch(Timing *t, Slot load, Cond4 *elmore, Cond4 *impulse_sq, Wire *w)
{
  Cond4 pin = timing_pin_cap(t, load);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (!has_side(w->sides, k)) continue;
    double cap = pin.v[k] + w->c[k], delay = w->r[k] * cap;
    put_elmore(elmore, impulse_sq, k, delay);
    w->y1[k] += cap;
    w->y2[k] -= cap * delay;
    w->y3[k] += cap * delay * delay;
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
                        uint32_t sides)
{
  Wire w = { .sides = sides };
  uint32_t d = graph_driver_index(t->g, driver);
  bool has = false;
  each_load(t, driver, count_load, &w);
  for (int k = 0; k < CONDITION_COUNT && w.count; k++) {
    w.r[k] = estimate->resistance[k >> 1] / w.count;
    w.c[k] = estimate->cap[k >> 1] / w.count;
  }
  each_load(t, driver, add_branch, &w);
  for (int k = 0; k < CONDITION_COUNT; k++) {
    PiModel m = pi_from_moments(w.y1[k], w.y2[k], w.y3[k]);
    m.c_near = m.c_near + own->v[k];
    if (has_side(sides, k) && w.count) has |= put_pi(t, d, k, m);
  }
  return has;
}

static void set_elmore(Timing *t, Slot load, Cond4 *elmore, Cond4 *impulse_sq, Wire *w)
{
  (void)t, (void)load;
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (has_side(w->sides, k)) put_elmore(elmore, impulse_sq, k, w->elmore[k]);
}

/* Reduces a net whose resistance is before all loads and the wire. If a constraint gives the
   resistance, half of the wire is before it. */
static bool reduce_trunk(Timing *t, Slot driver, const WireEstimate *estimate, const Cond4 *pins,
                         const Cond4 *own, uint32_t sides)
{
  uint32_t d = graph_driver_index(t->g, driver);
  Wire w = { .sides = sides };
  bool has = false;
  for (int k = 0; k < CONDITION_COUNT; k++) {
    if (!has_side(sides, k)) continue;
    float near = estimate->lumped ? 0.5f * (t->nets.load_cap[d].v[k] - pins->v[k]) : 0;
    float far = t->nets.load_cap[d].v[k] - own->v[k] - near, r = estimate->resistance[k >> 1];
    w.elmore[k] = r * far;
    has |= put_pi(t, d, k, (PiModel){ .c_far = far, .c_near = own->v[k] + near, .r_pi = r });
  }
  each_load(t, driver, set_elmore, &w);
  return has;
}

bool wire_load_reduce(Timing *t, Slot driver, const WireEstimate *w, const Cond4 *pins,
                      const Cond4 *own)
{
  uint32_t star = 0, trunk = 0;
  bool has = false;
  for (int el = EARLY; el <= LATE; el++) {
    if (w->resistance[el] <= 0) continue;
    if (w->lumped || w->tree[el] == TREE_WORST) trunk |= 1u << el;
    else if (w->tree[el] == TREE_BALANCED) star |= 1u << el;
  }
  if (star) has |= reduce_star(t, driver, w, own, star);
  if (trunk) has |= reduce_trunk(t, driver, w, pins, own, trunk);
  return has;
}
