#include "engine/timer.h"

#include <omp.h>
#include <time.h>

#include "base/interrupt.h"
#include "engine/backend.h"
#include "engine/incremental.h"

Timer *timer_new_in(TimerShare *share, const TimerInput *in, Log *log)
{
  Timer *t = mem_alloc_zero(1, sizeof *t);
  t->owns_share = share == NULL;
  t->share = share ? share : timer_share_new();
  array_push(&t->share->timers, t);
  t->in = *in;
  t->log = log;
  t->backend = &cpu_backend;
  t->delay_model = DELAY_CEFF;
  t->whole = true;
  return t;
}

Timer *timer_new(const TimerInput *in, Log *log) { return timer_new_in(NULL, in, log); }

void timer_drop(Timer *t)
{
  timing_free(t->timing);
  share_release(t->structure);
  t->timing = NULL;
  t->structure = NULL;
  t->graph = NULL;
}

void timer_free(Timer *t)
{
  if (t == NULL) return;
  timer_drop(t);
  timer_share_leave(t->share, t);
  if (t->owns_share) timer_share_free(t->share);
  array_free(&t->dirty_pins);
  mem_free(t);
}

void timer_invalidate(Timer *t) { t->whole = true; }

void timer_set_delay_model(Timer *t, DelayModel model)
{
  if (t->delay_model != model) t->whole = true;
  t->delay_model = model;
  t->model_given = true;
}

void timer_touch_pin(Timer *t, PinId pin)
{
  array_push(&t->dirty_pins, pin);
}

void timer_touch_net(Timer *t, NetId net)
{
  NetPins it = net_pins(t->in.netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) timer_touch_pin(t, p);
}

static double now(void)
{
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static int thread_count(const Timer *t) { return t->threads > 0 ? t->threads : omp_get_num_procs(); }

void timer_cell_swapped(Timer *t, InstId inst, CellId old_cell)
{
  const Inst *in = &t->in.netlist->insts.at[inst];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) timer_touch_pin(t, p);
  /* the swap's own edit is the only one that the graph has not seen; another timer of the mode may have shown it */
  SharedGraph *g = t->structure;
  bool current = g && g->netlist_version + 1 == t->in.netlist->edit_count;
  if (current && graph_swap_cell(g->graph, inst, old_cell)) g->netlist_version = t->in.netlist->edit_count;
}

/* --- structure ------------------------------------------------------------------------------------------------ */
/* The mode's graph as it is, which the timer of another scenario may have made. */
static void take_structure(Timer *t)
{
  double start = now();
  t->model = share_model(t->share, t->in.libs, t->in.corner);
  t->structure = share_take(t->share, t->in.netlist, t->in.libs, t->in.constraints, t->log);
  t->graph = t->structure->graph;
  t->seconds_graph = now() - start;
}

static void make_timing(Timer *t)
{
  t->updates++;
  timing_free(t->timing);
  t->timing = timing_new(t->graph, t->model, t->in.parasitics, t->delay_model);
  t->timing->threads = thread_count(t);
  t->value_version = t->in.constraints->value_version;
}

/* --- a whole update --------------------------------------------------------------------------------------------- */
static void reduce_all(Timer *t)
{
  const Graph *g = t->graph;
  Slot *drivers = mem_alloc(sizeof *drivers * ((size_t)g->driver_count + 1));
  uint32_t count = 0;
  for (uint32_t level = 0; level < g->level_count; level++)
    for (Slot s = g->level_first[level]; s < g->level_loads[level]; s++) drivers[count++] = s;
  t->backend->reduce_nets(t->timing, drivers, count);
  mem_free(drivers);
}

static Status stopped(Timer *t)
{
  t->whole = true;
  return log_error(t->log, "TIME-001", NOWHERE, "timing update interrupted");
}

enum { LATCH_PASSES = 50 };

/* Arrivals again, with what latches pass on, until they pass on the same as before. */
static Status settle_latches(Timer *t)
{
  if (t->graph->latches.len == 0) return OK;
  for (int pass = 0; pass < LATCH_PASSES; pass++) {
    if (!t->backend->latch_pass(t->timing)) return OK;
    for (uint32_t level = 0; level < t->graph->level_count; level++) {
      if (interrupt_seen()) return stopped(t);
      t->backend->level_arrivals(t->timing, level);
    }
  }
  log_warning(t->log, "TIME-002", NOWHERE, "arrivals through latches still change after %d passes; the last pass stands", LATCH_PASSES);
  return OK;
}

/* Arrivals of all levels, delays being up to date. */
static Status sweep_arrivals(Timer *t)
{
  array_clear(&t->timing->latch_arrivals);
  t->backend->latch_delays(t->timing);
  for (uint32_t level = 0; level < t->graph->level_count; level++) {
    if (interrupt_seen()) return stopped(t);
    t->backend->level_arrivals(t->timing, level);
  }
  t->required_valid = false;
  return settle_latches(t);
}

static void updated(Timer *t)
{
  t->whole = false;
  array_clear(&t->dirty_pins);
}

static Status forward_all(Timer *t)
{
  double start = now();
  make_timing(t);
  reduce_all(t);
  t->seconds_nets = now() - start;
  start = now();
  for (uint32_t level = 0; level < t->graph->level_count; level++) {
    if (interrupt_seen()) return stopped(t);
    t->backend->level_delays(t->timing, level);
    t->backend->level_arrivals(t->timing, level);
  }
  t->required_valid = false;
  t->backend->latch_delays(t->timing);
  if (settle_latches(t) != OK) return FAILED;
  t->seconds_forward = now() - start;
  updated(t);
  return OK;
}

/* --- incremental updates -------------------------------------------------------------------------------------------- */
/* After a structural edit: a new graph, with the numbers of all that the edit does not reach. */
static Status forward_rebuilt(Timer *t)
{
  SharedGraph *old_structure = t->structure;
  Timing *old = t->timing;
  t->timing = NULL;
  take_structure(t);
  double start = now();
  make_timing(t);
  SlotQueue dirty;
  slot_queue_init(&dirty, t->graph);
  incremental_carry(t->timing, old, t->dirty_pins.at, t->dirty_pins.len, &dirty);
  incremental_delays(t->timing, &dirty);
  slot_queue_free(&dirty);
  timing_free(old);
  share_release(old_structure);
  Status status = sweep_arrivals(t);
  t->seconds_forward = now() - start;
  if (status == OK) updated(t);
  return status;
}

/* Drivers of the net at a pin; `seen`: nets that were. */
static void add_net_drivers(const Graph *g, PinId pin, Map *seen, SlotQueue *dirty)
{
  Slot own = graph_slot(g, pin, true);
  if (own != NO_SLOT && slot_is_driver(g, own)) slot_queue_add(dirty, own);
  NetId net = netlist_pin_net(g->netlist, pin);
  if (net == NO_NET || map_get(seen, net) != MAP_NO_VALUE) return;
  map_put(seen, net, 1);
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = graph_slot(g, p, true);
    if (s != NO_SLOT && slot_is_driver(g, s)) slot_queue_add(dirty, s);
  }
}

static Status forward_in_place(Timer *t)
{
  double start = now();
  t->updates++;
  SlotQueue dirty;
  Map *seen = map_new();
  slot_queue_init(&dirty, t->graph);
  for (uint32_t i = 0; i < t->dirty_pins.len; i++) add_net_drivers(t->graph, t->dirty_pins.at[i], seen, &dirty);
  map_free(seen);
  bool done = incremental_update(t->timing, &dirty, t->required_valid);
  slot_queue_free(&dirty);
  Status status = done ? OK : sweep_arrivals(t);
  t->seconds_forward = now() - start;
  if (status == OK) updated(t);
  return status;
}

static Status backward_all(Timer *t)
{
  double start = now();
  t->backend->end_points(t->timing);
  for (uint32_t level = t->graph->level_count; level-- > 0;) {
    if (interrupt_seen()) return stopped(t);
    t->backend->level_required(t->timing, level);
  }
  t->seconds_backward = now() - start;
  t->required_valid = true;
  return OK;
}

static Status forward(Timer *t)
{
  bool numbers_old = t->whole || t->timing == NULL || t->value_version != t->in.constraints->value_version;
  bool netlist_old = t->structure && share_netlist_is_old(t->structure);
  if (t->structure == NULL || share_others_are_old(t->structure) || (netlist_old && numbers_old)) {
    timer_drop(t);
    take_structure(t);
    return forward_all(t);
  }
  if (netlist_old) return forward_rebuilt(t);
  if (numbers_old) return forward_all(t);
  return t->dirty_pins.len ? forward_in_place(t) : OK;
}

Status timer_update(Timer *t, bool required)
{
  if (forward(t) != OK) return FAILED;
  return required && !t->required_valid ? backward_all(t) : OK;
}
