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
  Timer *t = mem_alloc_zero(1, sizeof *t);
  t->owns_share = share == NULL;
  t->share = share ? share : timer_share_new();
  array_push(&t->share->timers, t);
  t->in = *in;
  t->log = log;
  t->backend = &cpu_backend;
  t->delay_model = DELAY_DEFAULT;
  t->common.on = true;
  t->engine_options = engine_options_preset();
  t->whole = true;
  return t;
}

Timer *timer_new(const TimerInput *in, Log *log) { return timer_new_in(NULL, in, log); }

void timer_reset(Timer *t)
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
  timer_reset(t);
  timer_share_leave(t->share, t);
  if (t->owns_share) timer_share_free(t->share);
  array_free(&t->dirty_pins);
  mem_free(t);
}

void timer_invalidate(Timer *t) { t->whole = true; }

void timer_set_backend(Timer *t, const Backend *backend)
{
  if (t->backend != backend) t->whole = true;
  t->backend = backend;
}

/* Returns the groups of numbers that only a device has. */
static unsigned away(const Timer *t, unsigned groups)
{
  return residency_away(&t->timing->device.residency) & groups;
}

static bool numbers_lost(const Timer *t)
{
  return residency_in(&t->timing->device.residency, LOST) != 0;
}

/* Fetches groups of numbers. Returns false if a device failed, so that some are lost. */
static bool fetch(Timer *t, unsigned groups)
{
  if (away(t, groups) == 0) return true;
  if (away(t, groups & NUMBERS_ENDS)) end_slacks_touch_all(t->timing->ends);
  return t->backend->residency->fetch(t->timing, groups);
}

void timer_set_engine_options(Timer *t, EngineOptions options)
{
  bool same = memcmp(&t->engine_options, &options, sizeof options) == 0;
  t->engine_options = options;
  if (same || t->timing == NULL) return;
  fetch(t, NUMBERS_ALL);
  if (t->backend->residency) t->backend->residency->changed(t->timing);
  t->timing->device.options = options;
}

void timer_set_delay_model(Timer *t, DelayModel model)
{
  if (t->delay_model != model) t->whole = true;
  t->delay_model = model;
}

void timer_set_common(Timer *t, CommonOptions options)
{
  if (memcmp(&t->common, &options, sizeof options) != 0) t->whole = true;
  t->common = options;
}

void timer_set_late_only(Timer *t, bool on)
{
  if (t->late_only && !on) t->whole = true;
  t->late_only = on;
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

int timer_threads(const Timer *t)
{
  return t->threads > 0 ? t->threads : processors_usable();
}

void timer_cell_swapped(Timer *t, InstId inst, CellId old_cell)
{
  const Inst *in = &t->in.netlist->insts.at[inst];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) timer_touch_pin(t, p);
  /* the graph may be behind by this swap only; another timer of the mode may have told it of the
     swap */
  SharedGraph *g = t->structure;
  bool current = g && g->netlist_version + 1 == t->in.netlist->edit_count;
  if (current && !variation_by_lib_cell(t->in.variation)
      && graph_swap_cell(g->graph, inst, old_cell))
    g->netlist_version = t->in.netlist->edit_count;
}

void timer_touch_pins(Timer *t, PinId first, uint32_t count)
{
  for (PinId p = first; p < first + count; p++) timer_touch_pin(t, p);
}

Graph *timer_swap_graph(const Timer *t)
{
  const SharedGraph *g = t->structure;
  bool current = g && g->netlist_version == t->in.netlist->edit_count
                 && !variation_by_lib_cell(t->in.variation);
  return current && graph_takes_swaps(g->graph) ? g->graph : NULL;
}

void timer_graph_swapped(Timer *t, const Graph *g)
{
  if (t->structure && t->structure->graph == g)
    t->structure->netlist_version = t->in.netlist->edit_count;
}

/* --- structure -------------------------------------------------------------------------------- */
/* Computes levels on the backend.  A device that fails here is tried again for the numbers; if it
   fails there, the failure is reported. */
static bool find_levels(void *of, const LevelInput *in, uint32_t *level)
{
  const Timer *t = of;
  Text why = { 0 };
  bool done = t->backend->levels(&t->engine_options, in, level, &why);
  if (!done) log_info(t->log, "CUDA-007", "levels: %s; the host works them out", text_get(&why));
  text_free(&why);
  return done;
}

/* Takes the up-to-date graph of the mode, which the timer of another scenario may have made.
   Returns false if interrupted. */
static bool take_structure(Timer *t)
{
  double start = clock_seconds();
  Leveller backend = { find_levels, t };
  GraphInput in = { t->in.netlist, t->in.libs, t->in.constraints,
                    t->backend->levels ? &backend : NULL, t->in.rules };
  t->corner_libs = share_libs(t->share, t->in.libs, t->in.corner);
  t->structure = share_take(t->share, &in, t->log);
  t->graph = t->structure ? t->structure->graph : NULL;
  t->seconds_graph = clock_seconds() - start;
  return t->structure != NULL;
}

static uint64_t annotation_version(const Timer *t)
{
  return t->in.annotations ? t->in.annotations->version : 0;
}

/* Compiles the annotation. After an interrupt it is incomplete, and the next update compiles it
   again. */
static void annotate(Timer *t)
{
  timing_annotate(t->timing, t->in.annotations);
  t->annotation_version = interrupt_seen() ? UINT64_MAX : annotation_version(t);
}

static uint64_t variation_version(const Timer *t)
{
  return t->in.variation ? t->in.variation->version : 0;
}

/* Early numbers are left out where the timer says so and late ones do not need them. */
static void leave_early_out(const Timer *t)
{
  t->timing->late_only = t->late_only && timing_late_stands_alone(t->timing);
}

/* After an interrupt the arrays are incomplete, and no later update uses them again. */
static void make_timing(Timer *t)
{
  t->updates++;
  t->made_common = t->common;
  timing_free(t->timing);
  t->timing = timing_new(t->graph, t->corner_libs, t->in.parasitics, t->delay_model);
  t->timing->threads = t->work_threads;
  t->timing->device.options = t->engine_options;
  t->timing->device.off = t->host_only;
  timing_set_common(t->timing, t->common);
  timing_vary(t->timing, t->in.variation, t->in.corner);
  t->variation_version = variation_version(t);
  annotate(t);
  leave_early_out(t);
  if (t->backend->attach) t->backend->attach(t->timing, t->log, &t->share->reported);
  t->made_by = interrupt_seen() ? NULL : t->backend;
}

static void add_net_drivers(const Graph *g, PinId pin, Map *seen, SlotQueue *dirty);

/* Lists what edits in place have changed: the drivers of the touched pins' nets, and the slots of
   these pins. */
static void list_queued(const Timer *t, const SlotQueue *drivers, Touched *out)
{
  const Graph *g = t->graph;
  for (uint32_t level = 0; level < g->levels.count; level++)
    for (uint32_t i = 0; i < drivers->levels[level].len; i++)
      array_push(&out->drivers, drivers->levels[level].at[i]);
  for (uint32_t i = 0; i < t->dirty_pins.len; i++) {
    Slot own = graph_slot(g, t->dirty_pins.at[i], true),
         load = graph_slot(g, t->dirty_pins.at[i], false);
    if (own != NO_SLOT) array_push(&out->pins, own);
    if (load != NO_SLOT && load != own) array_push(&out->pins, load);
  }
}

/* The pins of a batch lie all over memory. What is read of a pin is asked for in steps, so many
   pins before. */
enum { AHEAD = 8 };

static Slot slot_ahead(const Timer *t, uint32_t at)
{
  return at < t->dirty_pins.len ? graph_slot(t->graph, t->dirty_pins.at[at], false) : NO_SLOT;
}

static void expect_pins(const Timer *t, uint32_t at)
{
  const Graph *g = t->graph;
  Slot later = slot_ahead(t, at + 2 * AHEAD), soon = slot_ahead(t, at + AHEAD);
  if (at + 3 * AHEAD < t->dirty_pins.len && t->dirty_pins.at[at + 3 * AHEAD] < g->pin_count)
    mem_expect(&g->slots.of_pin[t->dirty_pins.at[at + 3 * AHEAD]]);
  if (later != NO_SLOT) {
    mem_expect(&g->slots.flags[later]);
    mem_expect(&g->slots.level[later]);
    mem_expect(&g->nets.wire_driver[later]);
  }
  if (soon != NO_SLOT && g->nets.wire_driver[soon] != NO_SLOT)
    mem_expect(&g->slots.level[g->nets.wire_driver[soon]]);
}

static SlotQueue *dirty_drivers(Timer *t)
{
  SlotQueue *dirty = &incremental_work(t->timing)->dirty;
  Map *seen = map_new();
  for (uint32_t i = 0; i < t->dirty_pins.len; i++) {
    expect_pins(t, i);
    add_net_drivers(t->graph, t->dirty_pins.at[i], seen, dirty);
  }
  map_free(seen);
  return dirty;
}

static void list_touched(Timer *t, Touched *out)
{
  if (t->graph->nets.extra_wires.len) list_queued(t, dirty_drivers(t), out);
  else
    touched_list(out, t->graph, t->dirty_pins.at, t->dirty_pins.len,
                 &incremental_work(t->timing)->dirty, t->work_threads);
}

/* Tells the backend that its copies of the graph and of numbers are out of date at touched pins. */
static void tell_touched(Timer *t, const Touched *x)
{
  if (t->backend->edits && t->timing->owned[OWNER_DEVICE].data)
    t->backend->edits->touched(t->timing, x);
}

/* Prepares to use the arrays again, also those on a device. Returns false if anything that they
   were made from has changed, except touched pins. */
static bool renew_timing(Timer *t)
{
  const Timing *old = t->timing;
  bool serves = old && old->g == t->graph && old->corner_libs == t->corner_libs
                && t->made_by == t->backend && !t->host_only && !old->device.off
                && !numbers_lost(t) && old->delay_model == t->delay_model
                && t->variation_version == variation_version(t)
                && old->parasitics[EARLY] == t->in.parasitics[EARLY]
                && old->parasitics[LATE] == t->in.parasitics[LATE] && old->scaling == NULL
                && memcmp(&t->made_common, &t->common, sizeof t->common) == 0
                && !wire_load_by_area(t->in.constraints);
  if (!serves || (t->backend->residency && !t->backend->residency->renew(t->timing))) return false;
  t->updates++;
  timing_forget(t->timing);
  Touched touched = { 0 };
  if (t->dirty_pins.len) list_touched(t, &touched);
  tell_touched(t, &touched);
  touched_free(&touched);
  array_clear(&t->timing->latches.arrivals);
  if (t->timing->seed_reference)
    memset(t->timing->seed_reference, 0,
           t->graph->starts.seeds.len * sizeof *t->timing->seed_reference);
  if (t->annotation_version != annotation_version(t)) annotate(t);
  return true;
}

/* --- a whole update --------------------------------------------------------------------------- */
static Status stopped(Timer *t)
{
  t->whole = true;
  pool_enter();
  log_error(t->log, "TIME-001", NOWHERE, "timing update interrupted");
  pool_leave();
  return FAILED;
}

/* Computes common path credit, after the arrivals of all levels. */
static Status common_paths(Timer *t)
{
  return t->timing->common == NULL || t->backend->phases.common_paths(t->timing) ? OK : stopped(t);
}

static Status arrivals(Timer *t)
{
  return t->backend->phases.arrivals(t->timing) ? OK : stopped(t);
}

/* Computes arrivals again with what latches pass on, until this does not change any more. Half-way,
   latches that still change leap to the most that they may borrow. */
static Status settle_latches(Timer *t)
{
  if (common_paths(t) != OK) return FAILED;
  if (t->graph->arcs.latches.len == 0) return OK;
  for (int pass = 0; pass < LATCH_PASSES; pass++) {
    t->timing->latches.leap = pass == LATCH_PASSES / 2;
    if (!t->backend->phases.latch_pass(t->timing)) return OK;
    if (arrivals(t) != OK || common_paths(t) != OK) return FAILED;
  }
  pool_enter();
  log_warning(t->log, "TIME-002", NOWHERE,
              "arrivals through latches still change after %d passes; the last pass stands",
              LATCH_PASSES);
  pool_leave();
  return OK;
}

/* Computes arrivals again, with delays at ports counted from the clock's arrival at their reference
   pins. Clocks do not depend on those ports, so one more sweep is enough. If a clock does depend on
   one, through a gate, the result of the second sweep is kept. */
static Status settle_references(Timer *t)
{
  for (int pass = 0; pass < 2 && t->graph->starts.references.len; pass++) {
    if (!t->backend->phases.reference_pass(t->timing)) return OK;
    if (arrivals(t) != OK) return FAILED;
  }
  return OK;
}

/* Computes the arrivals of all levels. The delays must be up to date. */
static Status sweep_arrivals(Timer *t)
{
  array_clear(&t->timing->latches.arrivals);
  if (t->timing->seed_reference)
    memset(t->timing->seed_reference, 0,
           t->graph->starts.seeds.len * sizeof *t->timing->seed_reference);
  t->required_valid = false;
  t->backend->phases.latch_delays(t->timing);
  if (arrivals(t) != OK) return FAILED;
  return settle_references(t) == OK ? settle_latches(t) : FAILED;
}

static void updated(Timer *t)
{
  t->whole = false;
  array_clear(&t->dirty_pins);
}

static Status forward_all(Timer *t)
{
  double start = clock_seconds();
  if (!renew_timing(t)) make_timing(t);
  t->backend->phases.reduce_nets(t->timing, t->graph->nets.driver_slots,
                                 t->graph->nets.driver_count);
  t->seconds_nets = clock_seconds() - start;
  start = clock_seconds();
  t->required_valid = false;
  if (!t->backend->phases.forward(t->timing)) return stopped(t);
  t->backend->phases.latch_delays(t->timing);
  if (settle_references(t) != OK || settle_latches(t) != OK) return FAILED;
  t->seconds_forward = clock_seconds() - start;
  updated(t);
  return OK;
}

/* Prepares for numbers that the CPU changes. Updates in place and carrying over run on the CPU,
   whatever the backend. */
static void numbers_changed(Timer *t)
{
  if (t->backend->residency) t->backend->residency->changed(t->timing);
}

/* --- incremental updates ---------------------------------------------------------------------- */
/* Updates after a structural edit: makes a new graph and carries over the numbers that the edit
   does not reach. */
static Status forward_carried(Timer *t, const Timing *old)
{
  double start = clock_seconds();
  make_timing(t);
  SlotQueue *dirty = &incremental_work(t->timing)->dirty;
  incremental_carry(t->timing, old, t->dirty_pins.at, t->dirty_pins.len, dirty);
  incremental_delays(t->timing, dirty);
  numbers_changed(t);
  Status status = sweep_arrivals(t);
  t->seconds_forward = clock_seconds() - start;
  if (status == OK) updated(t);
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
static bool sweeps_marked(const Timer *t, const SlotQueue *dirty)
{
  return t->backend->residency == NULL && t->graph->arcs.latches.len == 0
         && t->graph->nets.extra_wires.len == 0 && incremental_is_too_large(t->timing, dirty);
}

/* After a large batch of edits: many delays have changed, but not all. */
static Status forward_marked(Timer *t, const SlotQueue *dirty, double start)
{
  t->required_valid = false;
  if (!incremental_sweep(t->timing, dirty)) return stopped(t);
  if (settle_references(t) != OK || common_paths(t) != OK) return FAILED;
  t->seconds_forward = clock_seconds() - start;
  updated(t);
  return OK;
}

static Status forward_in_place(Timer *t)
{
  double start = clock_seconds();
  t->updates++;
  timing_forget(t->timing);
  if (t->annotation_version != annotation_version(t)) annotate(t);
  SlotQueue *dirty = dirty_drivers(t);
  if (sweeps_marked(t, dirty)) return forward_marked(t, dirty, start);
  Touched touched = { 0 };
  if (common_pruned(t->timing)) t->required_valid = false;      /* required times by launches are
                                                                   not followed */
  list_queued(t, dirty, &touched);      /* the slots of the queue before it grows */
  IncrementalEnd end = incremental_update(t->timing, dirty, t->required_valid);
  tell_touched(t, &touched);
  touched_free(&touched);
  if (end == INCREMENTAL_TOO_LARGE) return forward_all(t);
  Status status = end == INCREMENTAL_DONE ? OK : sweep_arrivals(t);
  t->seconds_forward = clock_seconds() - start;
  if (status == OK) updated(t);
  return status;
}

/* Updates in place on the device that has the numbers. */
static Status forward_followed(Timer *t)
{
  double start = clock_seconds();
  Touched touched = { 0 };
  t->updates++;
  timing_forget(t->timing);
  list_touched(t, &touched);
  tell_touched(t, &touched);
  FollowEnd end =
      t->backend->edits->follow(t->timing, touched.drivers.at, touched.drivers.len, start);
  touched_free(&touched);
  if (end == FOLLOW_NOTHING) {
    array_clear(&t->dirty_pins);      /* the CPU and the backend know of them now */
    return forward_all(t);
  }
  if (end == FOLLOW_FORWARD) t->required_valid = false;
  t->seconds_forward = clock_seconds() - start;
  updated(t);
  return OK;
}

static Status backward_all(Timer *t)
{
  double start = clock_seconds();
  t->backend->phases.end_points(t->timing);
  end_slacks_touch_all(t->timing->ends);
  if (!t->backend->phases.backward(t->timing)) return stopped(t);
  t->seconds_backward = clock_seconds() - start;
  t->required_valid = true;
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
  Timer       *t;
  Kind         kind;
  SharedGraph *old_structure;        /* CARRY: the graph of the numbers that are carried over */
  Timing      *old;
  bool         required, backward;
  unsigned     groups;               /* the groups of numbers that Timing's arrays must have after
                                        it */
  Status       status;
} Task;

/* Can the present edits be followed on a device? */
static bool follows(const Timer *t)
{
  return t->backend->edits && t->backend->edits->follows(t->timing) && t->required_valid
         && !share_others_are_old(t->structure) && t->variation_version == variation_version(t)
         && t->annotation_version == annotation_version(t) && !wire_load_by_area(t->in.constraints);
}

static Kind plan_forward(Task *k)
{
  Timer *t = k->t;
  bool netlist_old = t->structure && share_netlist_is_old(t->structure),
       edited = netlist_old || t->dirty_pins.len;
  bool whole = t->whole || t->timing == NULL;
  /* a device computes all numbers sooner than the host carries them over */
  if (netlist_old && !whole && t->timing->device.report.name) whole = true;
  if (edited && !whole && !netlist_old && follows(t)) return FOLLOW;
  if (edited && !whole && !netlist_old && t->backend->edits && t->backend->edits->reruns(t->timing))
    whole = true;
  bool numbers_old = whole || numbers_lost(t) || (edited && !fetch(t, NUMBERS_ALL))
                     || t->variation_version != variation_version(t)
                     || (edited && wire_load_by_area(t->in.constraints));
  if (t->structure == NULL || share_others_are_old(t->structure) || (netlist_old && numbers_old)) {
    timer_reset(t);
    return take_structure(t) ? EVERYTHING : STOPPED;
  }
  if (netlist_old) {
    k->old_structure = t->structure;
    k->old = t->timing;
    t->timing = NULL;
    return take_structure(t) ? CARRY : STOPPED;
  }
  if (numbers_old || (t->dirty_pins.len == 0 && t->annotation_version != annotation_version(t)))
    return EVERYTHING;
  return t->dirty_pins.len ? IN_PLACE : NOTHING;
}

static Task plan(Timer *t, bool required, unsigned groups)
{
  Task k = { .t = t, .required = required, .backward = required, .groups = groups };
  k.kind = plan_forward(&k);
  if (k.kind == NOTHING && t->required_valid) k.backward = false;
  return k;
}

static Status run_forward(Task *k)
{
  switch (k->kind) {
  case EVERYTHING: return forward_all(k->t);
  case CARRY:      return forward_carried(k->t, k->old);
  case IN_PLACE:   return forward_in_place(k->t);
  case FOLLOW:     return forward_followed(k->t);
  case STOPPED:    return stopped(k->t);
  default:         return OK;
  }
}

/* Computes all numbers again on the CPU alone, after a device has failed that alone had some of
   them. */
static Status run_without_device(Timer *t, bool required)
{
  DeviceReport lost = t->timing->device.report;      /* it says what failed */
  t->host_only = true;
  Status status = forward_all(t);
  t->timing->device.report = lost;
  if (status == OK && required) status = backward_all(t);
  t->host_only = false;
  return status;
}

static void run(Task *k, int threads)
{
  Timer *t = k->t;
  t->work_threads = threads;
  if (t->timing) {
    leave_early_out(t);
    common_use_threads(t->timing, threads);
  }
  k->status = run_forward(k);
  if (k->status == OK && k->backward && !t->required_valid) k->status = backward_all(t);
  /* a phase that saw the interrupt may have left out the last part */
  if (k->status == OK && interrupt_seen()) k->status = stopped(t);
  if (t->timing) common_use_threads(t->timing, timer_threads(t));
}

static bool has_device(const Timer *t)
{
  return t->timing && t->backend->residency && t->timing->owned[OWNER_DEVICE].data;
}

/* Waits for a device. What it did after the host had asked for it counts for the update. */
static void wait_for_device(Timer *t)
{
  PhaseSeconds s;
  t->backend->residency->wait(t->timing, &s);
  if (t->seconds_nets < s.nets) t->seconds_nets = s.nets;
  if (t->seconds_forward < s.forward) t->seconds_forward = s.forward;
  if (t->seconds_backward < s.backward) t->seconds_backward = s.backward;
}

/* Fetches the groups that the caller needs from a device. All threads copy. A caller that needs
   none wants the update to be done. */
static void bring(Task *k)
{
  if (k->status == OK && k->groups == 0 && has_device(k->t)) wait_for_device(k->t);
  if (k->status == OK && (numbers_lost(k->t) || !fetch(k->t, k->groups)))
    k->status = run_without_device(k->t, k->required);
}

static void finish(Task *k)
{
  timing_free(k->old);
  share_release(k->old_structure);
}

/* --- updates ---------------------------------------------------------------------------------- */
Status timer_update(Timer *t, bool required)
{
  Task k = plan(t, required, NUMBERS_ALL);
  run(&k, timer_threads(t));
  bring(&k);
  finish(&k);
  return k.status;
}

/* Does a task run on a device that already has the graph? Then the host's threads have little to
   do. */
static bool runs_on_device(const Task *k)
{
  return k->t->timing && k->t->timing->device.report.name;
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
    if (k.kind != NOTHING || k.backward || away(k.t, groups) || (groups == 0 && has_device(k.t)))
      tasks[work++] = k;
  }
  if (work) run_all(tasks, work, timer_threads(tasks[0].t));
  for (uint32_t i = 0; i < work; i++) {
    finish(&tasks[i]);
    if (tasks[i].status != OK) status = FAILED;
  }
  mem_free(tasks);
  return status;
}
