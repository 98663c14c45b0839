#include "engine/timer.h"

#include <omp.h>
#include <time.h>

#include "base/interrupt.h"
#include "engine/backend.h"
#include "engine/common.h"
#include "engine/incremental.h"
#include "engine/wire_load.h"

Timer *timer_new(const TimerInput *in, Log *log)
{
  Timer *t = mem_alloc_zero(1, sizeof *t);
  t->in = *in;
  t->log = log;
  t->backend = &cpu_backend;
  t->delay_model = DELAY_CEFF;
  t->common.on = true;
  t->whole = true;
  return t;
}

static void drop(Timer *t)
{
  timing_free(t->timing);
  graph_free(t->graph);
  t->timing = NULL;
  t->graph = NULL;
}

void timer_free(Timer *t)
{
  if (t == NULL) return;
  drop(t);
  model_free(t->model);
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

void timer_set_common(Timer *t, CommonOptions options)
{
  if (memcmp(&t->common, &options, sizeof options) != 0) t->whole = true;
  t->common = options;
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
  /* the swap's own edit is the only one that the graph has not seen */
  bool current = t->graph && t->netlist_version + 1 == t->in.netlist->edit_count;
  if (current && !variation_by_lib_cell(t->in.variation) && graph_swap_cell(t->graph, inst, old_cell)) t->netlist_version = t->in.netlist->edit_count;
}

/* --- structure ------------------------------------------------------------------------------------------------ */
static bool netlist_is_old(const Timer *t) { return t->netlist_version != t->in.netlist->edit_count; }

/* Numbers of constraints are in the graph as well: seeds have delays and latencies, rows uncertainties and margins. */
static bool others_are_old(const Timer *t)
{
  const Constraints *c = t->in.constraints;
  return t->constraints_version != c->version || t->value_version != c->value_version ||
         t->library_count != t->in.libs->libraries.len;
}

static void make_structure(Timer *t)
{
  double start = now();
  if (t->model == NULL || t->library_count != t->in.libs->libraries.len || t->model->libs != t->in.libs) {
    model_free(t->model);
    t->model = model_new(t->in.libs);
  }
  t->graph = graph_new(t->in.netlist, t->in.libs, t->in.constraints, t->log);
  t->netlist_version = t->in.netlist->edit_count;
  t->constraints_version = t->in.constraints->version;
  t->library_count = t->in.libs->libraries.len;
  t->seconds_graph = now() - start;
}

static uint64_t annotation_version(const Timer *t) { return t->in.annotations ? t->in.annotations->version : 0; }

static void annotate(Timer *t)
{
  timing_annotate(t->timing, t->in.annotations);
  t->annotation_version = annotation_version(t);
}

static uint64_t variation_version(const Timer *t) { return t->in.variation ? t->in.variation->version : 0; }

static void make_timing(Timer *t)
{
  t->updates++;
  timing_free(t->timing);
  t->timing = timing_new(t->graph, t->model, t->in.parasitics, t->delay_model);
  t->timing->threads = thread_count(t);
  timing_set_common(t->timing, t->common);
  timing_vary(t->timing, t->in.variation);
  t->variation_version = variation_version(t);
  t->value_version = t->in.constraints->value_version;
  annotate(t);
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

/* After the arrivals of all levels. */
static Status common_paths(Timer *t)
{
  if (t->timing->common == NULL) return OK;
  t->backend->common_credits(t->timing);
  for (uint32_t level = 0; common_active(t->timing) && level < t->graph->level_count; level++) {
    if (interrupt_seen()) return stopped(t);
    t->backend->level_fronts(t->timing, level);
  }
  return OK;
}

enum { LATCH_PASSES = 100 };

/* Arrivals again, with what latches pass on, until they pass on the same as before; half-way a leap. */
static Status settle_latches(Timer *t)
{
  if (common_paths(t) != OK) return FAILED;
  if (t->graph->latches.len == 0) return OK;
  for (int pass = 0; pass < LATCH_PASSES; pass++) {
    t->timing->latch_leap = pass == LATCH_PASSES / 2;
    if (!t->backend->latch_pass(t->timing)) return OK;
    for (uint32_t level = 0; level < t->graph->level_count; level++) {
      if (interrupt_seen()) return stopped(t);
      t->backend->level_arrivals(t->timing, level);
    }
    if (common_paths(t) != OK) return FAILED;
  }
  log_warning(t->log, "TIME-002", NOWHERE, "arrivals through latches still change after %d passes; the last pass stands", LATCH_PASSES);
  return OK;
}

/* Arrivals again, with delays at ports counted from the clock's arrival at their reference pins.  Clocks do not depend on
   those ports, so one more sweep does; where one does, through a gate, the second stands. */
static Status settle_references(Timer *t)
{
  for (int pass = 0; pass < 2 && t->graph->references.len; pass++) {
    if (!t->backend->reference_pass(t->timing)) return OK;
    for (uint32_t level = 0; level < t->graph->level_count; level++) {
      if (interrupt_seen()) return stopped(t);
      t->backend->level_arrivals(t->timing, level);
    }
  }
  return OK;
}

/* Arrivals of all levels, delays being up to date. */
static Status sweep_arrivals(Timer *t)
{
  array_clear(&t->timing->latch_arrivals);
  if (t->timing->seed_reference) memset(t->timing->seed_reference, 0, t->graph->seeds.len * sizeof *t->timing->seed_reference);
  t->backend->latch_delays(t->timing);
  for (uint32_t level = 0; level < t->graph->level_count; level++) {
    if (interrupt_seen()) return stopped(t);
    t->backend->level_arrivals(t->timing, level);
  }
  t->required_valid = false;
  return settle_references(t) == OK ? settle_latches(t) : FAILED;
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
  if (settle_references(t) != OK || settle_latches(t) != OK) return FAILED;
  t->seconds_forward = now() - start;
  updated(t);
  return OK;
}

/* --- incremental updates -------------------------------------------------------------------------------------------- */
/* After a structural edit: a new graph, with the numbers of all that the edit does not reach. */
static Status forward_rebuilt(Timer *t)
{
  Graph *old_graph = t->graph;
  Timing *old = t->timing;
  t->timing = NULL;
  make_structure(t);
  double start = now();
  make_timing(t);
  SlotQueue dirty;
  slot_queue_init(&dirty, t->graph);
  incremental_carry(t->timing, old, t->dirty_pins.at, t->dirty_pins.len, &dirty);
  incremental_delays(t->timing, &dirty);
  slot_queue_free(&dirty);
  timing_free(old);
  graph_free(old_graph);
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
  if (t->annotation_version != annotation_version(t)) annotate(t);
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
  bool edited = netlist_is_old(t) || t->dirty_pins.len;
  bool numbers_old = t->whole || t->timing == NULL || t->variation_version != variation_version(t) || (edited && wire_load_by_area(t->in.constraints));
  if (t->graph == NULL || others_are_old(t) || (netlist_is_old(t) && numbers_old)) {
    drop(t);
    make_structure(t);
    return forward_all(t);
  }
  if (netlist_is_old(t)) return forward_rebuilt(t);
  if (numbers_old || (t->dirty_pins.len == 0 && t->annotation_version != annotation_version(t))) return forward_all(t);
  return t->dirty_pins.len ? forward_in_place(t) : OK;
}

Status timer_update(Timer *t, bool required)
{
  if (forward(t) != OK) return FAILED;
  return required && !t->required_valid ? backward_all(t) : OK;
}
