/* The timer: finds what is out of date, renews graph and numbers, and runs the phases of an update
   on the backend. */
#include "update/timer.h"

#include "base/clock.h"
#include "base/expect.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "base/processors.h"
#include "update/backend.h"
#include "timing/credit.h"
#include "cpu/cpu.h"
#include "timing/end_slacks.h"
#include "device/flat.h"
#include "update/incremental.h"
#include "graph/swap.h"
#include "update/touched.h"
#include "db/wire_model.h"

Timer *timer_new_in(TimerShare *share, const TimerInput *in, Log *log)
{
  Timer *timer = mem_alloc_zero(1, sizeof *timer);
  timer->owns_share = share == NULL;
  timer->share = share ? share : timer_share_new();
  array_push(&timer->share->timers, timer);
  timer->in = *in;
  timer->log = log;
  timer->backend = &cpu_backend;
  timer->delay_model = DELAY_DEFAULT;
  timer->common.on = true;
  timer->engine_options = engine_options_preset();
  timer->whole = true;
  return timer;
}

Timer *timer_new(const TimerInput *in, Log *log) { return timer_new_in(NULL, in, log); }

void timer_reset(Timer *timer)
{
  timing_free(timer->timing);
  share_release(timer->structure);
  timer->timing = NULL;
  timer->structure = NULL;
  timer->graph = NULL;
}

void timer_free(Timer *timer)
{
  if (timer == NULL) return;
  timer_reset(timer);
  timer_share_leave(timer->share, timer);
  if (timer->owns_share) timer_share_free(timer->share);
  array_free(&timer->dirty_pins);
  mem_free(timer);
}

void timer_invalidate(Timer *timer) { timer->whole = true; }

void timer_set_backend(Timer *timer, const Backend *backend)
{
  if (timer->backend != backend) timer->whole = true;
  timer->backend = backend;
}

/* Returns the groups of numbers that only a device has. */
static unsigned away(const Timer *timer, unsigned groups)
{
  return residency_away(&timer->timing->device.residency) & groups;
}

static bool numbers_lost(const Timer *timer)
{
  return residency_in(&timer->timing->device.residency, LOST) != 0;
}

/* Fetches groups of numbers. Returns false if a device failed, so that some are lost. */
static bool fetch(Timer *timer, unsigned groups)
{
  if (away(timer, groups) == 0) return true;
  if (away(timer, groups & NUMBERS_ENDS)) end_slacks_touch_all(timer->timing->ends);
  return timer->backend->residency->fetch(timer->timing, groups);
}

void timer_set_engine_options(Timer *timer, EngineOptions options)
{
  bool same = memcmp(&timer->engine_options, &options, sizeof options) == 0;
  timer->engine_options = options;
  if (same || timer->timing == NULL) return;
  fetch(timer, NUMBERS_ALL);
  if (timer->backend->residency) timer->backend->residency->changed(timer->timing);
  timer->timing->device.options = options;
}

void timer_set_delay_model(Timer *timer, DelayModel model)
{
  if (timer->delay_model != model) timer->whole = true;
  timer->delay_model = model;
}

void timer_set_common(Timer *timer, CommonOptions options)
{
  if (memcmp(&timer->common, &options, sizeof options) != 0) timer->whole = true;
  timer->common = options;
}

void timer_set_late_only(Timer *timer, bool on)
{
  if (timer->late_only && !on) timer->whole = true;
  timer->late_only = on;
}

void timer_touch_pin(Timer *timer, PinId pin) { array_push(&timer->dirty_pins, pin); }

void timer_touch_net(Timer *timer, NetId net)
{
  NetPins it = net_pins(timer->in.netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) timer_touch_pin(timer, p);
}

int timer_threads(const Timer *timer)
{
  return timer->threads > 0 ? timer->threads : processors_usable();
}

void timer_cell_swapped(Timer *timer, InstId inst, CellId old_cell)
{
  const Inst *in = &timer->in.netlist->insts.at[inst];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) timer_touch_pin(timer, p);
  /* the graph may be behind by this swap only; another timer of the mode may have told it of the
     swap */
  SharedGraph *graph = timer->structure;
  bool current = graph && graph->netlist_version + 1 == timer->in.netlist->edit_count;
  if (current && !variation_by_lib_cell(timer->in.variation)
      && graph_swap_cell(graph->graph, inst, old_cell))
    graph->netlist_version = timer->in.netlist->edit_count;
}

void timer_touch_pins(Timer *timer, PinId first, uint32_t count)
{
  for (PinId p = first; p < first + count; p++) timer_touch_pin(timer, p);
}

Graph *timer_swap_graph(const Timer *timer)
{
  const SharedGraph *graph = timer->structure;
  bool current = graph && graph->netlist_version == timer->in.netlist->edit_count
                 && !variation_by_lib_cell(timer->in.variation);
  return current && graph_takes_swaps(graph->graph) ? graph->graph : NULL;
}

void timer_graph_swapped(Timer *timer, const Graph *g)
{
  if (timer->structure && timer->structure->graph == g)
    timer->structure->netlist_version = timer->in.netlist->edit_count;
}

/* --- structure -------------------------------------------------------------------------------- */
/* Computes levels on the backend.  A device that fails here is tried again for the numbers; if it
   fails there, the failure is reported. */
static bool find_levels(void *of, const LevelInput *in, uint32_t *level)
{
  const Timer *timer = of;
  Text why = { 0 };
  bool done = timer->backend->levels(&timer->engine_options, in, level, &why);
  if (!done)
    log_info(timer->log, "CUDA-007", "levels: %s; the host works them out", text_get(&why));
  text_free(&why);
  return done;
}

/* Takes the up-to-date graph of the mode, which the timer of another scenario may have made.
   Returns false if interrupted. */
static bool take_structure(Timer *timer)
{
  double start = clock_seconds();
  Leveller backend = { find_levels, timer };
  GraphInput in = { timer->in.netlist, timer->in.libs, timer->in.constraints,
                    timer->backend->levels ? &backend : NULL, timer->in.rules };
  timer->corner_libs = share_libs(timer->share, timer->in.libs, timer->in.corner);
  timer->structure = share_take(timer->share, &in, timer->log);
  timer->graph = timer->structure ? timer->structure->graph : NULL;
  timer->seconds_graph = clock_seconds() - start;
  return timer->structure != NULL;
}

static uint64_t annotation_version(const Timer *timer)
{
  return timer->in.annotations ? timer->in.annotations->version : 0;
}

/* Compiles the annotation. After an interrupt it is incomplete, and the next update compiles it
   again. */
static void annotate(Timer *timer)
{
  timing_annotate(timer->timing, timer->in.annotations);
  timer->annotation_version = interrupt_seen() ? UINT64_MAX : annotation_version(timer);
}

static uint64_t variation_version(const Timer *timer)
{
  return timer->in.variation ? timer->in.variation->version : 0;
}

/* Early numbers are left out where the timer says so and late ones do not need them. */
static void leave_early_out(const Timer *timer)
{
  timer->timing->late_only = timer->late_only && timing_late_stands_alone(timer->timing);
}

/* After an interrupt the arrays are incomplete, and no later update uses them again. */
static void make_timing(Timer *timer)
{
  timer->updates++;
  timer->made_common = timer->common;
  timing_free(timer->timing);
  timer->timing =
      timing_new(timer->graph, timer->corner_libs, timer->in.parasitics, timer->delay_model);
  timer->timing->threads = timer->work_threads;
  timer->timing->device.options = timer->engine_options;
  timer->timing->device.off = timer->host_only;
  timing_set_common(timer->timing, timer->common);
  timing_vary(timer->timing, timer->in.variation, timer->in.corner);
  timer->variation_version = variation_version(timer);
  annotate(timer);
  leave_early_out(timer);
  if (timer->backend->attach)
    timer->backend->attach(timer->timing, timer->log, &timer->share->reported);
  timer->made_by = interrupt_seen() ? NULL : timer->backend;
}

static void add_net_drivers(const Graph *g, PinId pin, Map *seen, SlotQueue *dirty);

/* Lists what edits in place have changed: the drivers of the touched pins' nets, and the slots of
   these pins. */
static void list_queued(const Timer *timer, const SlotQueue *drivers, Touched *out)
{
  const Graph *g = timer->graph;
  for (uint32_t level = 0; level < g->levels.count; level++)
    for (uint32_t i = 0; i < drivers->levels[level].len; i++)
      array_push(&out->drivers, drivers->levels[level].at[i]);
  for (uint32_t i = 0; i < timer->dirty_pins.len; i++) {
    Slot own = graph_slot(g, timer->dirty_pins.at[i], true),
         load = graph_slot(g, timer->dirty_pins.at[i], false);
    if (own != NO_SLOT) array_push(&out->pins, own);
    if (load != NO_SLOT && load != own) array_push(&out->pins, load);
  }
}

/* The pins of a batch lie all over memory. What is read of a pin is asked for in steps, so many
   pins before. */
enum { AHEAD = 8 };

static Slot slot_ahead(const Timer *timer, uint32_t at)
{
  return at < timer->dirty_pins.len ? graph_slot(timer->graph, timer->dirty_pins.at[at], false)
                                    : NO_SLOT;
}

static void expect_pins(const Timer *timer, uint32_t at)
{
  const Graph *g = timer->graph;
  Slot later = slot_ahead(timer, at + 2 * AHEAD), soon = slot_ahead(timer, at + AHEAD);
  if (at + 3 * AHEAD < timer->dirty_pins.len && timer->dirty_pins.at[at + 3 * AHEAD] < g->pin_count)
    mem_expect(&g->slots.of_pin[timer->dirty_pins.at[at + 3 * AHEAD]]);
  if (later != NO_SLOT) {
    mem_expect(&g->slots.flags[later]);
    mem_expect(&g->slots.level[later]);
    mem_expect(&g->nets.wire_driver[later]);
  }
  if (soon != NO_SLOT && g->nets.wire_driver[soon] != NO_SLOT)
    mem_expect(&g->slots.level[g->nets.wire_driver[soon]]);
}

static SlotQueue *dirty_drivers(Timer *timer)
{
  SlotQueue *dirty = &incremental_work(timer->timing)->dirty;
  Map *seen = map_new();
  for (uint32_t i = 0; i < timer->dirty_pins.len; i++) {
    expect_pins(timer, i);
    add_net_drivers(timer->graph, timer->dirty_pins.at[i], seen, dirty);
  }
  map_free(seen);
  return dirty;
}

static void list_touched(Timer *timer, Touched *out)
{
  if (timer->graph->nets.extra_wires.len) list_queued(timer, dirty_drivers(timer), out);
  else
    touched_list(out, timer->graph, timer->dirty_pins.at, timer->dirty_pins.len,
                 &incremental_work(timer->timing)->dirty, timer->work_threads);
}

/* Tells the backend that its copies of the graph and of numbers are out of date at touched pins. */
static void tell_touched(Timer *timer, const Touched *touched)
{
  if (timer->backend->edits && timer->timing->owned[OWNER_DEVICE].data)
    timer->backend->edits->touched(timer->timing, touched);
}

/* Prepares to use the arrays again, also those on a device. Returns false if anything that they
   were made from has changed, except touched pins. */
static bool renew_timing(Timer *timer)
{
  const Timing *old = timer->timing;
  bool serves = old && old->g == timer->graph && old->corner_libs == timer->corner_libs
                && timer->made_by == timer->backend && !timer->host_only && !old->device.off
                && !numbers_lost(timer) && old->delay_model == timer->delay_model
                && timer->variation_version == variation_version(timer)
                && old->parasitics[EARLY] == timer->in.parasitics[EARLY]
                && old->parasitics[LATE] == timer->in.parasitics[LATE] && old->scaling == NULL
                && memcmp(&timer->made_common, &timer->common, sizeof timer->common) == 0
                && !wire_load_by_area(timer->in.constraints);
  if (!serves || (timer->backend->residency && !timer->backend->residency->renew(timer->timing)))
    return false;
  timer->updates++;
  timing_forget(timer->timing);
  Touched touched = { 0 };
  if (timer->dirty_pins.len) list_touched(timer, &touched);
  tell_touched(timer, &touched);
  touched_free(&touched);
  array_clear(&timer->timing->latches.arrivals);
  if (timer->timing->seed_reference)
    memset(timer->timing->seed_reference, 0,
           timer->graph->starts.seeds.len * sizeof *timer->timing->seed_reference);
  if (timer->annotation_version != annotation_version(timer)) annotate(timer);
  return true;
}

/* --- a whole update --------------------------------------------------------------------------- */
static Status stopped(Timer *timer)
{
  timer->whole = true;
  pool_enter();
  log_error(timer->log, "TIME-001", NOWHERE, "timing update interrupted");
  pool_leave();
  return FAILED;
}

/* Computes common path credit, after the arrivals of all levels. */
static Status common_paths(Timer *timer)
{
  return timer->timing->common == NULL || timer->backend->phases.common_paths(timer->timing)
             ? OK
             : stopped(timer);
}

static Status arrivals(Timer *timer)
{
  return timer->backend->phases.arrivals(timer->timing) ? OK : stopped(timer);
}

/* Computes arrivals again with what latches pass on, until this does not change any more. Half-way,
   latches that still change leap to the most that they may borrow. */
static Status settle_latches(Timer *timer)
{
  if (common_paths(timer) != OK) return FAILED;
  if (timer->graph->arcs.latches.len == 0) return OK;
  for (int sweep = 0; sweep < LATCH_SWEEPS; sweep++) {
    timer->timing->latches.leap = sweep == LATCH_SWEEPS / 2;
    if (!timer->backend->phases.latch_arrivals(timer->timing)) return OK;
    if (arrivals(timer) != OK || common_paths(timer) != OK) return FAILED;
  }
  pool_enter();
  log_warning(timer->log, "TIME-002", NOWHERE,
              "arrivals through latches still change after %d passes; the last pass stands",
              LATCH_SWEEPS);
  pool_leave();
  return OK;
}

/* Computes arrivals again, with delays at ports counted from the clock's arrival at their reference
   pins. Clocks do not depend on those ports, so one more sweep is enough. If a clock does depend on
   one, through a gate, the result of the second sweep is kept. */
static Status settle_references(Timer *timer)
{
  for (int sweep = 0; sweep < 2 && timer->graph->starts.references.len; sweep++) {
    if (!timer->backend->phases.reference_arrivals(timer->timing)) return OK;
    if (arrivals(timer) != OK) return FAILED;
  }
  return OK;
}

/* Computes the arrivals of all levels. The delays must be up to date. */
static Status sweep_arrivals(Timer *timer)
{
  array_clear(&timer->timing->latches.arrivals);
  if (timer->timing->seed_reference)
    memset(timer->timing->seed_reference, 0,
           timer->graph->starts.seeds.len * sizeof *timer->timing->seed_reference);
  timer->required_valid = false;
  timer->backend->phases.latch_delays(timer->timing);
  if (arrivals(timer) != OK) return FAILED;
  return settle_references(timer) == OK ? settle_latches(timer) : FAILED;
}

static void updated(Timer *timer)
{
  timer->whole = false;
  array_clear(&timer->dirty_pins);
}

static Status forward_all(Timer *timer)
{
  double start = clock_seconds();
  if (!renew_timing(timer)) make_timing(timer);
  timer->backend->phases.reduce_nets(timer->timing, timer->graph->nets.driver_slots,
                                     timer->graph->nets.driver_count);
  timer->seconds_nets = clock_seconds() - start;
  start = clock_seconds();
  timer->required_valid = false;
  if (!timer->backend->phases.forward(timer->timing)) return stopped(timer);
  timer->backend->phases.latch_delays(timer->timing);
  if (settle_references(timer) != OK || settle_latches(timer) != OK) return FAILED;
  timer->seconds_forward = clock_seconds() - start;
  updated(timer);
  return OK;
}

/* Prepares for numbers that the CPU changes. Updates in place and carrying over run on the CPU,
   whatever the backend. */
static void numbers_changed(Timer *timer)
{
  if (timer->backend->residency) timer->backend->residency->changed(timer->timing);
}

/* --- incremental updates ---------------------------------------------------------------------- */
/* Updates after a structural edit: makes a new graph and carries over the numbers that the edit
   does not reach. */
static Status forward_carried(Timer *timer, const Timing *old)
{
  double start = clock_seconds();
  make_timing(timer);
  SlotQueue *dirty = &incremental_work(timer->timing)->dirty;
  incremental_carry(timer->timing, old, timer->dirty_pins.at, timer->dirty_pins.len, dirty);
  incremental_delays(timer->timing, dirty);
  numbers_changed(timer);
  Status status = sweep_arrivals(timer);
  timer->seconds_forward = clock_seconds() - start;
  if (status == OK) updated(timer);
  return status;
}

static void add_all_drivers(const Graph *g, NetId net, SlotQueue *dirty)
{
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = graph_slot(g, p, true);
    if (s != NO_SLOT && slot_is_driver(g, s)) slot_queue_add(dirty, s);
  }
}

/* Adds the drivers of the net at a pin. seen: the nets whose drivers have been added.  If no net
   has several drivers, the driver is found from a load, because the pins of a net with thousands of
   pins are spread over memory. */
static void add_net_drivers(const Graph *g, PinId pin, Map *seen, SlotQueue *dirty)
{
  Slot own = graph_slot(g, pin, true), load = graph_slot(g, pin, false);
  if (own != NO_SLOT && slot_is_driver(g, own)) slot_queue_add(dirty, own);
  if (g->nets.extra_wires.len == 0) {
    if (load != NO_SLOT && !slot_is_driver(g, load))
      slot_queue_add(dirty, g->nets.wire_driver[load]);
    return;
  }
  NetId net = netlist_pin_net(g->netlist, pin);
  if (net == NO_NET || map_get(seen, net) != MAP_NO_VALUE) return;
  map_put(seen, net, 1);
  add_all_drivers(g, net, dirty);
}

/* Can a large batch of edits leave out what it cannot reach? */
static bool sweeps_marked(const Timer *timer, const SlotQueue *dirty)
{
  return timer->backend->residency == NULL && timer->graph->arcs.latches.len == 0
         && timer->graph->nets.extra_wires.len == 0
         && incremental_is_too_large(timer->timing, dirty);
}

/* After a large batch of edits: many delays have changed, but not all. */
static Status forward_marked(Timer *timer, const SlotQueue *dirty, double start)
{
  timer->required_valid = false;
  if (!incremental_sweep(timer->timing, dirty)) return stopped(timer);
  if (settle_references(timer) != OK || common_paths(timer) != OK) return FAILED;
  timer->seconds_forward = clock_seconds() - start;
  updated(timer);
  return OK;
}

static Status forward_in_place(Timer *timer)
{
  double start = clock_seconds();
  timer->updates++;
  timing_forget(timer->timing);
  if (timer->annotation_version != annotation_version(timer)) annotate(timer);
  SlotQueue *dirty = dirty_drivers(timer);
  if (sweeps_marked(timer, dirty)) return forward_marked(timer, dirty, start);
  Touched touched = { 0 };
  if (common_pruned(timer->timing))
    timer->required_valid = false;          /* required times by launches are
                                                                   not followed */
  list_queued(timer, dirty, &touched);      /* the slots of the queue before it grows */
  IncrementalEnd end = incremental_update(timer->timing, dirty, timer->required_valid);
  tell_touched(timer, &touched);
  touched_free(&touched);
  if (end == INCREMENTAL_TOO_LARGE) return forward_all(timer);
  Status status = end == INCREMENTAL_DONE ? OK : sweep_arrivals(timer);
  timer->seconds_forward = clock_seconds() - start;
  if (status == OK) updated(timer);
  return status;
}

/* Updates in place on the device that has the numbers. */
static Status forward_followed(Timer *timer)
{
  double start = clock_seconds();
  Touched touched = { 0 };
  timer->updates++;
  timing_forget(timer->timing);
  list_touched(timer, &touched);
  tell_touched(timer, &touched);
  FollowEnd end =
      timer->backend->edits->follow(timer->timing, touched.drivers.at, touched.drivers.len, start);
  touched_free(&touched);
  if (end == FOLLOW_NOTHING) {
    array_clear(&timer->dirty_pins);      /* the CPU and the backend know of them now */
    return forward_all(timer);
  }
  if (end == FOLLOW_FORWARD) timer->required_valid = false;
  timer->seconds_forward = clock_seconds() - start;
  updated(timer);
  return OK;
}

static Status backward_all(Timer *timer)
{
  double start = clock_seconds();
  timer->backend->phases.end_points(timer->timing);
  end_slacks_touch_all(timer->timing->ends);
  if (!timer->backend->phases.backward(timer->timing)) return stopped(timer);
  timer->seconds_backward = clock_seconds() - start;
  timer->required_valid = true;
  return OK;
}

/* --- what an update takes --------------------------------------------------------------------- */
typedef enum {
  NOTHING,
  EVERYTHING,
  CARRY,
  IN_PLACE,
  FOLLOW,
  STOPPED /* interrupted before there was a graph */
} Kind;

/* The update of one timer. Updates of several timers may run at the same time. What they share is
   made before them and released after them. */
typedef struct {
  Timer       *timer;
  Kind         kind;
  SharedGraph *old_structure;        /* CARRY: the graph of the numbers that are carried over */
  Timing      *old;
  bool         required, backward;
  unsigned     groups;               /* the groups of numbers that Timing's arrays must have after
                                        it */
  Status       status;
} Task;

/* Can the present edits be followed on a device? */
static bool follows(const Timer *timer)
{
  return timer->backend->edits && timer->backend->edits->follows(timer->timing)
         && timer->required_valid && !share_others_are_old(timer->structure)
         && timer->variation_version == variation_version(timer)
         && timer->annotation_version == annotation_version(timer)
         && !wire_load_by_area(timer->in.constraints);
}

static Kind plan_forward(Task *task)
{
  Timer *timer = task->timer;
  bool netlist_old = timer->structure && share_netlist_is_old(timer->structure),
       edited = netlist_old || timer->dirty_pins.len;
  bool whole = timer->whole || timer->timing == NULL;
  /* a device computes all numbers sooner than the host carries them over */
  if (netlist_old && !whole && timer->timing->device.report.name) whole = true;
  if (edited && !whole && !netlist_old && follows(timer)) return FOLLOW;
  if (edited && !whole && !netlist_old && timer->backend->edits
      && timer->backend->edits->reruns(timer->timing))
    whole = true;
  bool numbers_old = whole || numbers_lost(timer) || (edited && !fetch(timer, NUMBERS_ALL))
                     || timer->variation_version != variation_version(timer)
                     || (edited && wire_load_by_area(timer->in.constraints));
  if (timer->structure == NULL || share_others_are_old(timer->structure)
      || (netlist_old && numbers_old)) {
    timer_reset(timer);
    return take_structure(timer) ? EVERYTHING : STOPPED;
  }
  if (netlist_old) {
    task->old_structure = timer->structure;
    task->old = timer->timing;
    timer->timing = NULL;
    return take_structure(timer) ? CARRY : STOPPED;
  }
  if (numbers_old
      || (timer->dirty_pins.len == 0 && timer->annotation_version != annotation_version(timer)))
    return EVERYTHING;
  return timer->dirty_pins.len ? IN_PLACE : NOTHING;
}

static Task plan(Timer *timer, bool required, unsigned groups)
{
  Task k = { .timer = timer, .required = required, .backward = required, .groups = groups };
  k.kind = plan_forward(&k);
  if (k.kind == NOTHING && timer->required_valid) k.backward = false;
  return k;
}

static Status run_forward(Task *task)
{
  switch (task->kind) {
  case EVERYTHING: return forward_all(task->timer);
  case CARRY:      return forward_carried(task->timer, task->old);
  case IN_PLACE:   return forward_in_place(task->timer);
  case FOLLOW:     return forward_followed(task->timer);
  case STOPPED:    return stopped(task->timer);
  default:         return OK;
  }
}

/* Computes all numbers again on the CPU alone, after a device has failed that alone had some of
   them. */
static Status run_without_device(Timer *timer, bool required)
{
  DeviceReport lost = timer->timing->device.report;      /* it says what failed */
  timer->host_only = true;
  Status status = forward_all(timer);
  timer->timing->device.report = lost;
  if (status == OK && required) status = backward_all(timer);
  timer->host_only = false;
  return status;
}

static void run(Task *task, int threads)
{
  Timer *timer = task->timer;
  timer->work_threads = threads;
  if (timer->timing) {
    leave_early_out(timer);
    common_use_threads(timer->timing, threads);
  }
  task->status = run_forward(task);
  if (task->status == OK && task->backward && !timer->required_valid)
    task->status = backward_all(timer);
  /* a phase that saw the interrupt may have left out the last part */
  if (task->status == OK && interrupt_seen()) task->status = stopped(timer);
  if (timer->timing) common_use_threads(timer->timing, timer_threads(timer));
}

static bool has_device(const Timer *timer)
{
  return timer->timing && timer->backend->residency && timer->timing->owned[OWNER_DEVICE].data;
}

/* Waits for a device. What it did after the host had asked for it counts for the update. */
static void wait_for_device(Timer *timer)
{
  PhaseSeconds s;
  timer->backend->residency->wait(timer->timing, &s);
  if (timer->seconds_nets < s.nets) timer->seconds_nets = s.nets;
  if (timer->seconds_forward < s.forward) timer->seconds_forward = s.forward;
  if (timer->seconds_backward < s.backward) timer->seconds_backward = s.backward;
}

/* Fetches the groups that the caller needs from a device. All threads copy. A caller that needs
   none wants the update to be done. */
static void bring(Task *task)
{
  if (task->status == OK && task->groups == 0 && has_device(task->timer))
    wait_for_device(task->timer);
  if (task->status == OK && (numbers_lost(task->timer) || !fetch(task->timer, task->groups)))
    task->status = run_without_device(task->timer, task->required);
}

static void finish(Task *task)
{
  timing_free(task->old);
  share_release(task->old_structure);
}

/* --- updates ---------------------------------------------------------------------------------- */
Status timer_update(Timer *timer, bool required)
{
  Task k = plan(timer, required, NUMBERS_ALL);
  run(&k, timer_threads(timer));
  bring(&k);
  finish(&k);
  return k.status;
}

/* Does a task run on a device that already has the graph? Then the host's threads have little to
   do. */
static bool runs_on_device(const Task *task)
{
  return task->timer->timing && task->timer->timing->device.report.name;
}

/* Should each timer have a thread of its own?  If there are enough timers to keep all threads busy,
   yes, because a level of one graph has little work to share.  If a device does the work, yes too,
   because levels of several timers run there side by side, and a single timer leaves most of the
   device idle. */
static bool run_apart(const Task *tasks, uint32_t count, int threads)
{
  if (count < 2) return false;
  for (uint32_t i = 0; i < count && count < (uint32_t)threads; i++)
    if (!runs_on_device(&tasks[i])) return false;
  return true;
}

static void run_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) run((Task *)context + i, 1);
}

/* Runs each task as one item of the pool. Each takes more than a millisecond. */
static void run_each(Task *tasks, uint32_t count, int threads)
{
  pool_items(count, 1e6f, threads, run_share, tasks);
}

static void run_all(Task *tasks, uint32_t count, int threads)
{
  if (threads > 1 && run_apart(tasks, count, threads)) run_each(tasks, count, threads);
  else
    for (uint32_t i = 0; i < count; i++) run(&tasks[i], threads);
  for (uint32_t i = 0; i < count; i++) bring(&tasks[i]);
}

Status timers_update(Timer *const *timers, uint32_t count, bool required, unsigned groups)
{
  Task *tasks = mem_alloc(sizeof *tasks * ((size_t)count + 1));
  uint32_t work = 0;
  Status status = OK;
  for (uint32_t i = 0; i < count; i++) {
    Task k = plan(timers[i], required, groups);
    if (k.kind != NOTHING || k.backward || away(k.timer, groups)
        || (groups == 0 && has_device(k.timer)))
      tasks[work++] = k;
  }
  if (work) run_all(tasks, work, timer_threads(tasks[0].timer));
  for (uint32_t i = 0; i < work; i++) {
    finish(&tasks[i]);
    if (tasks[i].status != OK) status = FAILED;
  }
  mem_free(tasks);
  return status;
}
