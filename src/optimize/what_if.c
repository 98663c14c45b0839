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

static void save(SavedAll *all, void *at, size_t bytes)
{
  if (bytes == 0) return;
  uint32_t first = all->kept.len;
  array_resize(&all->kept, first + bytes);
  memcpy(all->kept.at + first, at, bytes);
  array_push(&all->parts, (SavedNumbers){ at, (uint32_t)bytes, first });
}

static void save_front(SavedAll *all, Fronts *fronts, size_t index)
{
  uint32_t count;
  const CommonItem *items = fronts_get(fronts, index, &count);
  array_push(&all->fronts, (SavedFront){ fronts, index, all->items.len, count });
  for (uint32_t i = 0; i < count; i++) array_push(&all->items, items[i]);
}

static void restore_fronts(SavedAll *all)
{
  for (uint32_t i = all->fronts.len; i-- > 0;) {
    const SavedFront *front = &all->fronts.at[i];
    fronts_put(front->fronts, 0, front->index, array_from(&all->items, front->first), front->count);
  }
  array_free(&all->fronts);
  array_free(&all->items);
}

/* The last ones first: what was saved twice gets its first bits. */
static void restore(SavedAll *all)
{
  restore_fronts(all);
  for (uint32_t i = all->parts.len; i-- > 0;)
    memcpy(all->parts.at[i].at, all->kept.at + all->parts.at[i].first, all->parts.at[i].bytes);
  array_free(&all->parts);
  array_free(&all->kept);
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
static bool add_driver(Region *region, Slot driver, uint32_t depth)
{
  if (driver == NO_SLOT || map_get(region->depth, driver) != MAP_NO_VALUE) return false;
  map_put(region->depth, driver, depth);
  uint32_t at = region->drivers.len;
  array_push(&region->drivers, driver);
  while (at > 0
         && region->g->slots.level[region->drivers.at[at - 1]] > region->g->slots.level[driver]) {
    region->drivers.at[at] = region->drivers.at[at - 1];
    at--;
  }
  region->drivers.at[at] = driver;
  return true;
}

static void find_drivers(Region *region, InstId inst)
{
  const Inst *in = &region->g->netlist->insts.at[inst];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    Slot load = graph_slot(region->g, p, false), driver = graph_slot(region->g, p, true);
    if (driver != NO_SLOT && slot_is_driver(region->g, driver)) array_push(&region->own, driver);
    Slot before = load == NO_SLOT || slot_is_driver(region->g, load)
                      ? NO_SLOT
                      : region->g->nets.wire_driver[load];
    if (before != NO_SLOT && region->g->nets.load_count[before] <= WHAT_IF_LOADS)
      array_push(&region->before, before);
  }
  for (uint32_t i = 0; i < region->before.len; i++) add_driver(region, region->before.at[i], 0);
  for (uint32_t i = 0; i < region->own.len; i++) add_driver(region, region->own.at[i], 0);
  if (region->drivers.len == 0) return;
  region->first_level = region->g->slots.level[region->drivers.at[0]];
  region->last_level = region->g->slots.level[region->drivers.at[region->drivers.len - 1]];
}

/* --- saving ----------------------------------------------------------------------------------- */
static void save_net(Region *region, Slot driver)
{
  Timing *t = region->t;
  uint32_t d = graph_driver_index(region->g, driver);
  Slot first = region->g->nets.load_first[driver];
  uint32_t count = region->g->nets.load_count[driver];
  SAVE(&region->saved, t->nets.load_cap, d);
  SAVE(&region->saved, t->nets.pi_far, d);
  SAVE(&region->saved, t->nets.pi_near, d);
  SAVE(&region->saved, t->nets.pi_r, d);
  SAVE(&region->saved, t->nets.has_rc, d);
  if (count == 0) return;
  uint32_t load = graph_load_index(region->g, first);
  SAVE_MANY(&region->saved, t->wires.elmore, load, count);
  SAVE_MANY(&region->saved, t->wires.impulse_sq, load, count);
}

static void save_nodes(Region *region, Cond4 *values, Slot s)
{
  NodeId first = region->g->nodes.first[s];
  SAVE_MANY(&region->saved, values, first, region->g->nodes.first[s + 1] - first);
}

/* Margins and slacks at an end point. */
static void save_ends(Region *region, Slot s)
{
  Timing *t = region->t;
  const GraphEnds *ends = &region->g->ends;
  SAVE_MANY(&region->saved, t->end_slack, ends->first_end[s],
            ends->first_end[s + 1] - ends->first_end[s]);
  for (uint32_t i = ends->first_check[s]; i < ends->first_check[s + 1]; i++) {
    SAVE(&region->saved, t->check_margin, ends->check_order[i]);
    SAVE(&region->saved, t->sigma.check, ends->check_order[i]);
  }
}

static void save_fronts(Region *region, Slot s)
{
  struct CommonPaths *paths = region->t->common;
  for (NodeId n = region->g->nodes.first[s]; n < region->g->nodes.first[s + 1]; n++)
    for (int k = 0; k < CONDITION_COUNT; k++) {
      save_front(&region->saved, paths->launch, common_index(n, k));
      if (common_captures(region->t))
        save_front(&region->saved, paths->capture, common_index(n, k));
    }
}

static void save_slot(Region *region, Slot s)
{
  Timing *t = region->t;
  if (common_active(t)) save_fronts(region, s);
  SAVE(&region->saved, t->slew, s);
  save_nodes(region, t->arrival, s);
  save_nodes(region, t->sigma.arrival_variance, s);
  save_nodes(region, t->required, s);
  save_ends(region, s);
}

static void save_driver(Region *region, Slot driver)
{
  Timing *t = region->t;
  const Graph *g = region->g;
  Slot first = g->nets.load_first[driver];
  uint32_t count = g->nets.load_count[driver], e = g->arcs.edge_first[g->arcs.first[driver]];
  uint32_t edges = g->arcs.edge_first[g->arcs.first[driver + 1]] - e;
  save_slot(region, driver);
  for (Slot s = first; s < first + count; s++) save_slot(region, s);
  if (count) SAVE_MANY(&region->saved, t->wires.delay, graph_load_index(g, first), count);
  SAVE_MANY(&region->saved, t->edge_delay, e, edges);
  SAVE_MANY(&region->saved, t->sigma.edge, e, edges);
  uint32_t drive = map_get(t->ports.drive_delay_of, driver);
  if (drive != MAP_NO_VALUE) SAVE(&region->saved, t->ports.drive_delays.at, drive);
}

/* Nets with several drivers are few. */
static void save_extra(Region *region)
{
  Timing *t = region->t;
  uint32_t count = region->g->nets.extra_wires.len;
  SAVE_MANY(&region->saved, t->extra.elmore, 0, count);
  SAVE_MANY(&region->saved, t->extra.delay, 0, count);
  SAVE_MANY(&region->saved, t->extra.slew, 0, count);
  SAVE_MANY(&region->saved, t->extra.impulse_sq, 0, count);
  SAVE_MANY(&region->saved, t->extra.shared_slew, 0, count);
}

/* --- forward ---------------------------------------------------------------------------------- */
static bool same4(const Cond4 *a, const Cond4 *b) { return memcmp(a, b, sizeof *a) == 0; }

/* A pin with another transition reaches the drivers that its arcs end at. */
static void slew_changed(Region *region, Slot s, uint32_t depth)
{
  const Graph *g = region->g;
  if (depth > WHAT_IF_DEPTH) return;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++)
    if (arc_shapes(g, g->arcs.out[i]) && !(g->arcs.flags[g->arcs.out[i]] & ARC_LATCH))
      add_driver(region, g->arcs.to[g->arcs.out[i]], depth);
}

/* A later arrival reaches the same drivers. It counts if it may come back to a slot that is asked
   for: through another input of the cell, or from a register's output to its own input. */
static void arrival_changed(Region *region, Slot s, uint32_t depth)
{
  const Graph *g = region->g;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    if (arc_on(g, a) && !(g->arcs.flags[a] & ARC_LATCH)
        && g->slots.level[g->arcs.to[a]] <= region->last_level)
      add_driver(region, g->arcs.to[a], depth);
  }
}

typedef ARRAY(Cond4) Numbers;

static void take_arrivals(const Region *region, Slot s, Numbers *to)
{
  for (NodeId n = region->g->nodes.first[s]; n < region->g->nodes.first[s + 1]; n++)
    array_push(to, region->t->arrival[n]);
}

/* *at: where the slot's arrivals from before stand. */
static bool has_other_arrivals(const Region *region, Slot s, const Numbers *before, uint32_t *at)
{
  bool other = false;
  for (NodeId n = region->g->nodes.first[s]; n < region->g->nodes.first[s + 1]; n++)
    other |= !same4(&before->at[(*at)++], &region->t->arrival[n]);
  return other;
}

static void driver_forward(Region *region, Slot driver)
{
  const Graph *g = region->g;
  Slot first = g->nets.load_first[driver];
  uint32_t count = g->nets.load_count[driver], depth = map_get(region->depth, driver) + 1;
  Numbers slews = { 0 }, arrivals = { 0 };
  save_driver(region, driver);
  array_push(&slews, region->t->slew[driver]);
  take_arrivals(region, driver, &arrivals);
  for (uint32_t i = 0; i < count; i++) {
    array_push(&slews, region->t->slew[first + i]);
    take_arrivals(region, first + i, &arrivals);
  }
  region_delays(region->t, driver);
  uint32_t at = 0;
  for (uint32_t i = 0; i <= count; i++) {
    Slot s = i == 0 ? driver : first + i - 1;
    if (!same4(&slews.at[i], &region->t->slew[s])) slew_changed(region, s, depth);
    region_arrival(region->t, s);
    if (has_other_arrivals(region, s, &arrivals, &at)) arrival_changed(region, s, depth);
  }
  array_free(&slews);
  array_free(&arrivals);
}

/* Drivers come in the order of their levels, those that are added on the way behind the one at
   work. */
static void forward(Region *region)
{
  for (uint32_t i = 0; i < region->drivers.len && !interrupt_seen(); i++)
    driver_forward(region, region->drivers.at[i]);
}

/* --- backward --------------------------------------------------------------------------------- */
/* Saves a driver that has its old delays and arrivals. */
static void save_slots(Region *region, Slot driver)
{
  Slot first = region->g->nets.load_first[driver];
  save_slot(region, driver);
  for (Slot s = first; s < first + region->g->nets.load_count[driver]; s++) save_slot(region, s);
}

/* Returns true if a required time of the driver is another one then. */
static bool driver_required(Region *region, Slot driver)
{
  const Graph *g = region->g;
  Slot first = g->nets.load_first[driver];
  NodeId node = g->nodes.first[driver], end = g->nodes.first[driver + 1];
  ARRAY(Cond4) before = { 0 };
  for (NodeId n = node; n < end; n++) array_push(&before, region->t->required[n]);
  for (Slot s = first; s < first + g->nets.load_count[driver]; s++) region_required(region->t, s);
  region_required(region->t, driver);
  bool other = false;
  for (NodeId n = node; n < end; n++)
    other |= !same4(&before.at[n - node], &region->t->required[n]);
  array_free(&before);
  return other;
}

/* Adds the drivers before a driver, unless nothing is asked for there. Returns their number. */
static uint32_t add_drivers_before(Region *region, Slot driver)
{
  const Graph *g = region->g;
  uint32_t added = 0;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    Slot from = g->arcs.from[a],
         before = slot_is_driver(g, from) ? from : g->nets.wire_driver[from];
    if (!arc_on(g, a) || before == NO_SLOT || g->slots.level[before] < region->first_level)
      continue;
    if (!add_driver(region, before, WHAT_IF_DEPTH)) continue;
    save_slots(region, before);
    added++;
  }
  return added;
}

/* From the last level to the first. A driver that has changed, in its delays or in its required
   times, may change the required times of the drivers before it. */
static void backward(Region *region)
{
  Map *changed = map_new();
  for (uint32_t i = 0; i < region->drivers.len; i++) map_put(changed, region->drivers.at[i], 1);
  for (uint32_t i = region->drivers.len; i-- > 0 && !interrupt_seen();) {
    Slot driver = region->drivers.at[i];
    bool other = driver_required(region, driver);
    if (other || map_get(changed, driver) != MAP_NO_VALUE) i += add_drivers_before(region, driver);
  }
  map_free(changed);
}

/* --- answers ---------------------------------------------------------------------------------- */
static void slot_slack(const Region *region, Slot s, WhatIf *what_if)
{
  const Timing *t = region->t;
  for (NodeId n = region->g->nodes.first[s]; n < region->g->nodes.first[s + 1]; n++)
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float arrival = t->arrival[n].v[k], required = common_required(t, n, k);
      if (time_absent(arrival) || time_absent(required) || query_node_is_hidden(t, s, n)) continue;
      float slack = time_slack(k >> 1, required, arrival);
      if (slack < what_if->slack[k >> 1]) what_if->slack[k >> 1] = slack;
    }
}

static double larger_late(double most, const Cond4 *conditions)
{
  return fmax(
      most, fmax(conditions->v[condition_of(LATE, RISE)], conditions->v[condition_of(LATE, FALL)]));
}

static void answer(const Region *region, WhatIf *what_if)
{
  const Graph *g = region->g;
  for (uint32_t i = 0; i < region->before.len; i++) {
    slot_slack(region, region->before.at[i], what_if);
    what_if->load = larger_late(
        what_if->load, &region->t->nets.load_cap[graph_driver_index(g, region->before.at[i])]);
  }
  for (uint32_t i = 0; i < region->own.len; i++) {
    Slot driver = region->own.at[i], first = g->nets.load_first[driver];
    slot_slack(region, driver, what_if);
    what_if->slew = larger_late(what_if->slew, &region->t->slew[driver]);
    what_if->most_load =
        larger_late(what_if->most_load, &region->t->nets.load_cap[graph_driver_index(g, driver)]);
    for (Slot s = first; s < first + g->nets.load_count[driver]; s++)
      what_if->slew = larger_late(what_if->slew, &region->t->slew[s]);
  }
}

static void take_worst(WhatIf *what_if, const WhatIf *the_if)
{
  for (int el = EARLY; el <= LATE; el++)
    what_if->slack[el] = fmin(what_if->slack[el], the_if->slack[el]);
  what_if->slew = fmax(what_if->slew, the_if->slew);
  what_if->load = fmax(what_if->load, the_if->load);
  what_if->most_load = fmax(what_if->most_load, the_if->most_load);
}

/* --- one scenario ----------------------------------------------------------------------------- */
static WhatIf nothing_known(void)
{
  return (WhatIf){ .known = true, .slack = { INFINITY, INFINITY } };
}

/* With the cell swapped in the netlist. */
static void work_out(Region *region, InstId inst, CellId old_cell, WhatIf *what_if)
{
  save_extra(region);
  what_if->known = graph_swap_cell(region->g, inst, old_cell);
  if (!what_if->known) return;
  for (uint32_t i = 0; i < region->drivers.len; i++) save_net(region, region->drivers.at[i]);
  region_nets(region->t, region->drivers.at, region->drivers.len);
  forward(region);
  backward(region);
}

/* Required times by launches (common_pruned) are not kept in a way that parts of them can
   follow. */
static void in_scenario(Timer *timer, InstId inst, CellId old_cell, WhatIf *what_if)
{
  Region r = { .t = timer->timing, .g = timer->graph, .depth = map_new() };
  WhatIf now = nothing_known();
  bool swapped = old_cell != r.g->netlist->insts.at[inst].master;
  find_drivers(&r, inst);
  if (swapped && common_pruned(r.t)) now.known = false;
  else if (swapped) work_out(&r, inst, old_cell, &now);
  what_if->known = now.known;
  answer(&r, &now);
  restore(&r.saved);
  take_worst(what_if, &now);
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
