/* Estimates what a swap would change, around the cell and without an update. See what_if.h. */
#include "optimize/what_if.h"

#include <math.h>

#include "base/interrupt.h"
#include "timing/credit.h"
#include "timing/derived.h"
#include "timing/slack.h"
#include "update/region.h"

/* --- numbers that are put back ---------------------------------------------------------------- */
typedef struct {
  void    *at;
  uint32_t bytes, first;             /* in kept */
} SavedNumbers;

/* A list of common path credit. */
typedef struct {
  Fronts  *fronts;
  size_t   index;
  uint32_t first, count;             /* in items */
} SavedFront;

typedef struct {
  ARRAY(SavedNumbers) parts;
  ARRAY(uint8_t) kept;
  ARRAY(SavedFront) fronts;
  ARRAY(CommonItem) items;
} SavedAll;

static void save(SavedAll *s, void *at, size_t bytes)
{
  if (bytes == 0) return;
  uint32_t first = s->kept.len;
  array_resize(&s->kept, first + bytes);
  memcpy(s->kept.at + first, at, bytes);
  array_push(&s->parts, (SavedNumbers){ at, (uint32_t)bytes, first });
}

static void save_front(SavedAll *s, Fronts *f, size_t index)
{
  uint32_t count;
  const CommonItem *items = fronts_get(f, index, &count);
  array_push(&s->fronts, (SavedFront){ f, index, s->items.len, count });
  for (uint32_t i = 0; i < count; i++) array_push(&s->items, items[i]);
}

static void restore_fronts(SavedAll *s)
{
  for (uint32_t i = s->fronts.len; i-- > 0;) {
    const SavedFront *f = &s->fronts.at[i];
    fronts_put(f->fronts, 0, f->index, array_from(&s->items, f->first), f->count);
  }
  array_free(&s->fronts);
  array_free(&s->items);
}

/* The last ones first: what was saved twice gets its first bits. */
static void restore(SavedAll *s)
{
  restore_fronts(s);
  for (uint32_t i = s->parts.len; i-- > 0;)
    memcpy(s->parts.at[i].at, s->kept.at + s->parts.at[i].first, s->parts.at[i].bytes);
  array_free(&s->parts);
  array_free(&s->kept);
}

#define SAVE(s, array, i) \
  do {                    \
    if (array) save(s, &(array)[i], sizeof *(array)); \
  } while (0)
#define SAVE_MANY(s, array, first, count) \
  do {                                    \
    if (array) save(s, (array) + (first), (count) * sizeof *(array)); \
  } while (0)

/* --- the drivers around a cell ---------------------------------------------------------------- */
typedef struct {
  Timing  *t;
  Graph   *g;
  SavedAll saved;
  ARRAY(Slot) before, own;           /* drivers before the cell, and its own */
  ARRAY(Slot) drivers;               /* all that are worked out, by level when all are known */
  Map     *depth;                    /* driver -> how far, for those in drivers */
  uint32_t first_level, last_level;  /* of before and own: no required time before the first and no
                                        arrival behind the last is asked for */
} Region;

/* Returns true if the driver is new. */
static bool add_driver(Region *r, Slot driver, uint32_t depth)
{
  if (driver == NO_SLOT || map_get(r->depth, driver) != MAP_NO_VALUE) return false;
  map_put(r->depth, driver, depth);
  uint32_t at = r->drivers.len;
  array_push(&r->drivers, driver);
  while (at > 0 && r->g->slots.level[r->drivers.at[at - 1]] > r->g->slots.level[driver]) {
    r->drivers.at[at] = r->drivers.at[at - 1];
    at--;
  }
  r->drivers.at[at] = driver;
  return true;
}

static void find_drivers(Region *r, InstId inst)
{
  const Inst *in = &r->g->netlist->insts.at[inst];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    Slot load = graph_slot(r->g, p, false), driver = graph_slot(r->g, p, true);
    if (driver != NO_SLOT && slot_is_driver(r->g, driver)) array_push(&r->own, driver);
    Slot before = load == NO_SLOT || slot_is_driver(r->g, load) ? NO_SLOT
                                                                : r->g->nets.wire_driver[load];
    if (before != NO_SLOT && r->g->nets.load_count[before] <= WHAT_IF_LOADS)
      array_push(&r->before, before);
  }
  for (uint32_t i = 0; i < r->before.len; i++) add_driver(r, r->before.at[i], 0);
  for (uint32_t i = 0; i < r->own.len; i++) add_driver(r, r->own.at[i], 0);
  if (r->drivers.len == 0) return;
  r->first_level = r->g->slots.level[r->drivers.at[0]];
  r->last_level = r->g->slots.level[r->drivers.at[r->drivers.len - 1]];
}

/* --- saving ----------------------------------------------------------------------------------- */
static void save_net(Region *r, Slot driver)
{
  Timing *t = r->t;
  uint32_t d = graph_driver_index(r->g, driver);
  Slot first = r->g->nets.load_first[driver];
  uint32_t count = r->g->nets.load_count[driver];
  SAVE(&r->saved, t->nets.load_cap, d);
  SAVE(&r->saved, t->nets.pi_far, d);
  SAVE(&r->saved, t->nets.pi_near, d);
  SAVE(&r->saved, t->nets.pi_r, d);
  SAVE(&r->saved, t->nets.has_rc, d);
  if (count == 0) return;
  uint32_t load = graph_load_index(r->g, first);
  SAVE_MANY(&r->saved, t->wires.elmore, load, count);
  SAVE_MANY(&r->saved, t->wires.impulse_sq, load, count);
}

static void save_nodes(Region *r, Cond4 *values, Slot s)
{
  NodeId first = r->g->nodes.first[s];
  SAVE_MANY(&r->saved, values, first, r->g->nodes.first[s + 1] - first);
}

/* Margins and slacks at an end point. */
static void save_ends(Region *r, Slot s)
{
  Timing *t = r->t;
  const GraphEnds *e = &r->g->ends;
  SAVE_MANY(&r->saved, t->end_slack, e->first_end[s], e->first_end[s + 1] - e->first_end[s]);
  for (uint32_t i = e->first_check[s]; i < e->first_check[s + 1]; i++) {
    SAVE(&r->saved, t->check_margin, e->check_order[i]);
    SAVE(&r->saved, t->sigma.check, e->check_order[i]);
  }
}

static void save_fronts(Region *r, Slot s)
{
  struct CommonPaths *c = r->t->common;
  for (NodeId n = r->g->nodes.first[s]; n < r->g->nodes.first[s + 1]; n++)
    for (int k = 0; k < CONDITION_COUNT; k++) {
      save_front(&r->saved, c->launch, common_index(n, k));
      if (common_captures(r->t)) save_front(&r->saved, c->capture, common_index(n, k));
    }
}

static void save_slot(Region *r, Slot s)
{
  Timing *t = r->t;
  if (common_active(t)) save_fronts(r, s);
  SAVE(&r->saved, t->slew, s);
  save_nodes(r, t->arrival, s);
  save_nodes(r, t->sigma.arrival_variance, s);
  save_nodes(r, t->required, s);
  save_ends(r, s);
}

static void save_driver(Region *r, Slot driver)
{
  Timing *t = r->t;
  const Graph *g = r->g;
  Slot first = g->nets.load_first[driver];
  uint32_t count = g->nets.load_count[driver], e = g->arcs.edge_first[g->arcs.first[driver]];
  uint32_t edges = g->arcs.edge_first[g->arcs.first[driver + 1]] - e;
  save_slot(r, driver);
  for (Slot s = first; s < first + count; s++) save_slot(r, s);
  if (count) SAVE_MANY(&r->saved, t->wires.delay, graph_load_index(g, first), count);
  SAVE_MANY(&r->saved, t->edge_delay, e, edges);
  SAVE_MANY(&r->saved, t->sigma.edge, e, edges);
  uint32_t drive = map_get(t->ports.drive_delay_of, driver);
  if (drive != MAP_NO_VALUE) SAVE(&r->saved, t->ports.drive_delays.at, drive);
}

/* Nets with several drivers are few. */
static void save_extra(Region *r)
{
  Timing *t = r->t;
  uint32_t count = r->g->nets.extra_wires.len;
  SAVE_MANY(&r->saved, t->extra.elmore, 0, count);
  SAVE_MANY(&r->saved, t->extra.delay, 0, count);
  SAVE_MANY(&r->saved, t->extra.slew, 0, count);
  SAVE_MANY(&r->saved, t->extra.impulse_sq, 0, count);
  SAVE_MANY(&r->saved, t->extra.shared_slew, 0, count);
}

/* --- forward ---------------------------------------------------------------------------------- */
static bool same4(const Cond4 *a, const Cond4 *b) { return memcmp(a, b, sizeof *a) == 0; }

/* A pin with another transition reaches the drivers that its arcs end at. */
static void slew_changed(Region *r, Slot s, uint32_t depth)
{
  const Graph *g = r->g;
  if (depth > WHAT_IF_DEPTH) return;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++)
    if (arc_shapes(g, g->arcs.out[i]) && !(g->arcs.flags[g->arcs.out[i]] & ARC_LATCH))
      add_driver(r, g->arcs.to[g->arcs.out[i]], depth);
}

/* A later arrival reaches the same drivers. It counts if it may come back to a slot that is asked
   for: through another input of the cell, or from a register's output to its own input. */
static void arrival_changed(Region *r, Slot s, uint32_t depth)
{
  const Graph *g = r->g;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (arc_on(g, a) && !(g->arcs.flags[a] & ARC_LATCH)
        && g->slots.level[g->arcs.to[a]] <= r->last_level)
      add_driver(r, g->arcs.to[a], depth);
  }
}

typedef ARRAY(Cond4) Numbers;

static void take_arrivals(const Region *r, Slot s, Numbers *to)
{
  for (NodeId n = r->g->nodes.first[s]; n < r->g->nodes.first[s + 1]; n++)
    array_push(to, r->t->arrival[n]);
}

/* *at: where the slot's arrivals from before stand. */
static bool has_other_arrivals(const Region *r, Slot s, const Numbers *before, uint32_t *at)
{
  bool other = false;
  for (NodeId n = r->g->nodes.first[s]; n < r->g->nodes.first[s + 1]; n++)
    other |= !same4(&before->at[(*at)++], &r->t->arrival[n]);
  return other;
}

static void driver_forward(Region *r, Slot driver)
{
  const Graph *g = r->g;
  Slot first = g->nets.load_first[driver];
  uint32_t count = g->nets.load_count[driver], depth = map_get(r->depth, driver) + 1;
  Numbers slews = { 0 }, arrivals = { 0 };
  save_driver(r, driver);
  array_push(&slews, r->t->slew[driver]);
  take_arrivals(r, driver, &arrivals);
  for (uint32_t i = 0; i < count; i++) {
    array_push(&slews, r->t->slew[first + i]);
    take_arrivals(r, first + i, &arrivals);
  }
  region_delays(r->t, driver);
  uint32_t at = 0;
  for (uint32_t i = 0; i <= count; i++) {
    Slot s = i == 0 ? driver : first + i - 1;
    if (!same4(&slews.at[i], &r->t->slew[s])) slew_changed(r, s, depth);
    region_arrival(r->t, s);
    if (has_other_arrivals(r, s, &arrivals, &at)) arrival_changed(r, s, depth);
  }
  array_free(&slews);
  array_free(&arrivals);
}

/* Drivers come in the order of their levels, those that are added on the way behind the one at
   work. */
static void forward(Region *r)
{
  for (uint32_t i = 0; i < r->drivers.len && !interrupt_seen(); i++)
    driver_forward(r, r->drivers.at[i]);
}

/* --- backward --------------------------------------------------------------------------------- */
/* Saves a driver that has its old delays and arrivals. */
static void save_slots(Region *r, Slot driver)
{
  Slot first = r->g->nets.load_first[driver];
  save_slot(r, driver);
  for (Slot s = first; s < first + r->g->nets.load_count[driver]; s++) save_slot(r, s);
}

/* Returns true if a required time of the driver is another one then. */
static bool driver_required(Region *r, Slot driver)
{
  const Graph *g = r->g;
  Slot first = g->nets.load_first[driver];
  NodeId node = g->nodes.first[driver], end = g->nodes.first[driver + 1];
  ARRAY(Cond4) before = { 0 };
  for (NodeId n = node; n < end; n++) array_push(&before, r->t->required[n]);
  for (Slot s = first; s < first + g->nets.load_count[driver]; s++) region_required(r->t, s);
  region_required(r->t, driver);
  bool other = false;
  for (NodeId n = node; n < end; n++)
    other |= !same4(&before.at[n - node], &r->t->required[n]);
  array_free(&before);
  return other;
}

/* Adds the drivers before a driver, unless nothing is asked for there. Returns their number. */
static uint32_t add_drivers_before(Region *r, Slot driver)
{
  const Graph *g = r->g;
  uint32_t added = 0;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    Slot from = g->arcs.from[a],
         before = slot_is_driver(g, from) ? from : g->nets.wire_driver[from];
    if (!arc_on(g, a) || before == NO_SLOT || g->slots.level[before] < r->first_level) continue;
    if (!add_driver(r, before, WHAT_IF_DEPTH)) continue;
    save_slots(r, before);
    added++;
  }
  return added;
}

/* From the last level to the first. A driver that has changed, in its delays or in its required
   times, may change the required times of the drivers before it. */
static void backward(Region *r)
{
  Map *changed = map_new();
  for (uint32_t i = 0; i < r->drivers.len; i++) map_put(changed, r->drivers.at[i], 1);
  for (uint32_t i = r->drivers.len; i-- > 0 && !interrupt_seen();) {
    Slot driver = r->drivers.at[i];
    bool other = driver_required(r, driver);
    if (other || map_get(changed, driver) != MAP_NO_VALUE) i += add_drivers_before(r, driver);
  }
  map_free(changed);
}

/* --- answers ---------------------------------------------------------------------------------- */
static void slot_slack(const Region *r, Slot s, WhatIf *w)
{
  const Timing *t = r->t;
  for (NodeId n = r->g->nodes.first[s]; n < r->g->nodes.first[s + 1]; n++)
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float arrival = t->arrival[n].v[k], required = common_required(t, n, k);
      if (time_absent(arrival) || time_absent(required) || query_node_is_hidden(t, s, n)) continue;
      float slack = timing_slack(k >> 1, required, arrival);
      if (slack < w->slack[k >> 1]) w->slack[k >> 1] = slack;
    }
}

static double larger_late(double most, const Cond4 *v)
{
  return fmax(most, fmax(v->v[condition_of(LATE, RISE)], v->v[condition_of(LATE, FALL)]));
}

static void answer(const Region *r, WhatIf *w)
{
  const Graph *g = r->g;
  for (uint32_t i = 0; i < r->before.len; i++) {
    slot_slack(r, r->before.at[i], w);
    w->load =
        larger_late(w->load, &r->t->nets.load_cap[graph_driver_index(g, r->before.at[i])]);
  }
  for (uint32_t i = 0; i < r->own.len; i++) {
    Slot driver = r->own.at[i], first = g->nets.load_first[driver];
    slot_slack(r, driver, w);
    w->slew = larger_late(w->slew, &r->t->slew[driver]);
    w->most_load = larger_late(w->most_load, &r->t->nets.load_cap[graph_driver_index(g, driver)]);
    for (Slot s = first; s < first + g->nets.load_count[driver]; s++)
      w->slew = larger_late(w->slew, &r->t->slew[s]);
  }
}

static void take_worst(WhatIf *w, const WhatIf *x)
{
  for (int el = EARLY; el <= LATE; el++) w->slack[el] = fmin(w->slack[el], x->slack[el]);
  w->slew = fmax(w->slew, x->slew);
  w->load = fmax(w->load, x->load);
  w->most_load = fmax(w->most_load, x->most_load);
}

/* --- one scenario ----------------------------------------------------------------------------- */
static WhatIf nothing_known(void)
{
  return (WhatIf){ .known = true, .slack = { INFINITY, INFINITY } };
}

/* With the cell swapped in the netlist. */
static void work_out(Region *r, InstId inst, CellId old_cell, WhatIf *w)
{
  save_extra(r);
  w->known = graph_swap_cell(r->g, inst, old_cell);
  if (!w->known) return;
  for (uint32_t i = 0; i < r->drivers.len; i++) save_net(r, r->drivers.at[i]);
  region_nets(r->t, r->drivers.at, r->drivers.len);
  forward(r);
  backward(r);
}

/* Required times by launches (common_pruned) are not kept in a way that parts of them can
   follow. */
static void in_scenario(Timer *timer, InstId inst, CellId old_cell, WhatIf *w)
{
  Region r = { .t = timer->timing, .g = timer->graph, .depth = map_new() };
  WhatIf now = nothing_known();
  bool swapped = old_cell != r.g->netlist->insts.at[inst].master;
  find_drivers(&r, inst);
  if (swapped && common_pruned(r.t)) now.known = false;
  else if (swapped) work_out(&r, inst, old_cell, &now);
  w->known = now.known;
  answer(&r, &now);
  restore(&r.saved);
  take_worst(w, &now);
  array_free(&r.before);
  array_free(&r.own);
  array_free(&r.drivers);
  map_free(r.depth);
}

WhatIf what_if(Netlist *n, Timer *const *timers, uint32_t count, InstId inst, CellId cell)
{
  WhatIf w = nothing_known();
  Log *quiet = log_new(NULL, NULL);
  CellId own = n->insts.at[inst].master;
  uint64_t edits = n->edit_count;
  for (uint32_t i = 0; i < count && w.known; i++) {
    if (netlist_swap_cell(n, inst, cell, quiet) != OK) w.known = false;
    if (w.known) in_scenario(timers[i], inst, own, &w);
    if (netlist_swap_cell(n, inst, own, quiet) != OK) break;
    if (w.known && cell != own) graph_swap_cell(timers[i]->graph, inst, cell);
  }
  n->edit_count = edits;
  log_free(quiet);
  return w;
}
