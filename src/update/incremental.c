/* Incremental updates on the CPU: a worklist of slots by level, evaluated in batches, that
   continues only where numbers change. */
#include "update/incremental.h"

#include "base/expect.h"
#include "base/pool.h"
#include "timing/credit.h"
#include "cpu/cpu.h"
#include "timing/end_slacks.h"

enum { MARK_BITS = 64 };

void slot_queue_init(SlotQueue *queue, const Graph *g)
{
  queue->g = g;
  queue->marked = mem_alloc_zero((size_t)g->slots.count / MARK_BITS + 1, sizeof *queue->marked);
  queue->levels = mem_alloc_zero((size_t)g->levels.count + 1, sizeof *queue->levels);
}

void slot_queue_free(SlotQueue *queue)
{
  for (uint32_t l = 0; queue->levels && l < queue->g->levels.count; l++)
    array_free(&queue->levels[l]);
  mem_free(queue->levels);
  mem_free(queue->marked);
  *queue = (SlotQueue){ 0 };
}

static bool has(const SlotQueue *queue, Slot s)
{
  return queue->marked[s / MARK_BITS] >> s % MARK_BITS & 1;
}

void slot_queue_add(SlotQueue *queue, Slot s)
{
  if (s == NO_SLOT || has(queue, s)) return;
  queue->marked[s / MARK_BITS] |= 1ull << s % MARK_BITS;
  array_push(&queue->levels[queue->g->slots.level[s]], s);
}

bool slot_queue_mark(SlotQueue *queue, Slot s)
{
  if (has(queue, s)) return false;
  queue->marked[s / MARK_BITS] |= 1ull << s % MARK_BITS;
  return true;
}

void slot_queue_unmark(SlotQueue *queue, Slot s)
{
  queue->marked[s / MARK_BITS] &= ~(1ull << s % MARK_BITS);
}

void slot_queue_expect(const SlotQueue *queue, Slot s)
{
  mem_expect(&queue->marked[s / MARK_BITS]);
}

void slot_queue_clear(SlotQueue *queue)
{
  for (uint32_t l = 0; l < queue->g->levels.count; l++) {
    /* clears the marks of other slots in the same word too, which are also in the queue */
    for (uint32_t i = 0; i < queue->levels[l].len; i++)
      queue->marked[queue->levels[l].at[i] / MARK_BITS] = 0;
    array_clear(&queue->levels[l]);
  }
}

static void free_work(void *data)
{
  IncrementalWork *work = data;
  slot_queue_free(&work->dirty);
  slot_queue_free(&work->arrivals);
  slot_queue_free(&work->required);
  array_free(&work->batch);
  array_free(&work->changed);
  array_free(&work->before);
  array_free(&work->edges_before);
  mem_free(work);
}

static IncrementalWork *work_of(const Timing *t) { return t->owned[OWNER_EDITS].data; }

IncrementalWork *incremental_work(Timing *t)
{
  IncrementalWork *work = work_of(t);
  if (work == NULL) {
    work = mem_alloc_zero(1, sizeof *work);
    t->owned[OWNER_EDITS] = (TimingKept){ work, free_work };
    slot_queue_init(&work->dirty, t->g);
    slot_queue_init(&work->arrivals, t->g);
    slot_queue_init(&work->required, t->g);
    return work;
  }
  slot_queue_clear(&work->dirty);
  slot_queue_clear(&work->arrivals);
  slot_queue_clear(&work->required);
  return work;
}

bool incremental_reached(const Timing *t, Slot driver)
{
  return work_of(t) && has(&work_of(t)->dirty, driver);
}

/* --- delays ----------------------------------------------------------------------------------- */
typedef struct {
  Timing    *t;
  SlotQueue *delays;             /* drivers to evaluate */
  SlotQueue *arrivals;           /* slots whose arrivals may change; NULL: only delays are
                                    computed */
  SlotQueue *required;           /* slots whose required times or slacks may change */
  bool       wide;               /* the edit reaches clock pins or latches: all arrivals and
                                    required times are computed again */
  bool       delays_only;
  IncrementalWork *work;         /* work->before: slews and wire delays before an evaluation */
} Update;

/* Returns the delay of a port's driving cell or resistance, which is part of the arrival at the
   port. */
static Cond4 drive_delay(const Timing *t, Slot driver)
{
  Cond4 d;
  for (int k = 0; k < CONDITION_COUNT; k++) d.v[k] = timing_drive_delay(t, driver, k);
  return d;
}

/* Records slews and delays around a driver, in a fixed order. */
static void remember(Update *update, Slot driver)
{
  const Timing *t = update->t;
  const Graph *g = t->g;
  if (g->slots.flags[driver] & SLOT_PORT) array_push(&update->work->before, drive_delay(t, driver));
  array_push(&update->work->before, t->slew[driver]);
  for (Slot s = g->nets.load_first[driver];
       s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++) {
    array_push(&update->work->before, t->slew[s]);
    array_push(&update->work->before, t->wires.delay[graph_load_index(g, s)]);
  }
  for (uint32_t e = g->arcs.edge_first[g->arcs.first[driver]];
       e < g->arcs.edge_first[g->arcs.first[driver + 1]]; e++)
    array_push(&update->work->edges_before, t->edge_delay[e]);
  for (uint32_t e = g->arcs.edge_first[g->arcs.first[driver]];
       t->sigma.edge && e < g->arcs.edge_first[g->arcs.first[driver + 1]]; e++)
    array_push(&update->work->edges_before, t->sigma.edge[e]);
}

static bool same4(const Cond4 *a, const Cond4 *b) { return memcmp(a, b, sizeof *a) == 0; }

/* Queues the path ends that depend on a reference. Data checks compare with its arrivals, and their
   margins depend on its slew. */
static void reference_changed(Update *update, Slot s)
{
  const Graph *g = update->t->g;
  if (g->ends.data_references.len == 0) return;
  uint32_t from, to;
  graph_data_references(g, s, &from, &to);
  for (uint32_t i = from; i < to; i++)
    slot_queue_add(update->required, g->ends.data_references.at[i].data);
}

/* Queues what depends on the slew of a pin: the drivers at the ends of its arcs, and its checks. */
static void slew_changed(Update *update, Slot s)
{
  const Graph *g = update->t->g;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++)
    if (arc_shapes(g, g->arcs.out[i]) && !(g->arcs.flags[g->arcs.out[i]] & ARC_LATCH))
      slot_queue_add(update->delays, g->arcs.to[g->arcs.out[i]]);
  if (update->delays_only) return;
  if (g->slots.flags[s] & SLOT_CLOCK_PIN) update->wide = true;
  slot_queue_add(update->required, s);
  reference_changed(update, s);
}

static void compare(Update *update, Slot driver, uint32_t *at, uint32_t *edge_at)
{
  const Timing *t = update->t;
  const Graph *g = t->g;
  bool delay = false;
  if (g->slots.flags[driver] & SLOT_PORT) {
    Cond4 drive = drive_delay(t, driver);
    delay = !same4(&update->work->before.at[(*at)++], &drive);
  }
  if (!same4(&update->work->before.at[(*at)++], &t->slew[driver])) slew_changed(update, driver);
  for (Slot s = g->nets.load_first[driver];
       s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++) {
    if (!same4(&update->work->before.at[(*at)++], &t->slew[s])) slew_changed(update, s);
    if (same4(&update->work->before.at[(*at)++], &t->wires.delay[graph_load_index(g, s)])
        || update->delays_only)
      continue;
    slot_queue_add(update->arrivals, s);
    slot_queue_add(update->required, driver);
  }
  for (uint32_t e = g->arcs.edge_first[g->arcs.first[driver]];
       e < g->arcs.edge_first[g->arcs.first[driver + 1]]; e++)
    delay |=
        memcmp(&update->work->edges_before.at[(*edge_at)++], &t->edge_delay[e], sizeof(Pair)) != 0;
  for (uint32_t e = g->arcs.edge_first[g->arcs.first[driver]];
       t->sigma.edge && e < g->arcs.edge_first[g->arcs.first[driver + 1]]; e++)
    delay |=
        memcmp(&update->work->edges_before.at[(*edge_at)++], &t->sigma.edge[e], sizeof(Pair)) != 0;
  if (!delay || update->delays_only) return;
  slot_queue_add(update->arrivals, driver);
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    slot_queue_add(update->required, g->arcs.from[a]);
}

/* Evaluates the marked drivers of one level. */
static void evaluate_level(Update *update, uint32_t level)
{
  const Slot *drivers = update->delays->levels[level].at;
  uint32_t count = update->delays->levels[level].len, at = 0, edge_at = 0;
  array_clear(&update->work->before);
  array_clear(&update->work->edges_before);
  for (uint32_t i = 0; i < count; i++) remember(update, drivers[i]);
  cpu_driver_delays(update->t, drivers, count);
  for (uint32_t i = 0; i < count; i++) compare(update, drivers[i], &at, &edge_at);
}

/* Adds the other drivers of nets with several drivers to a level. A load of several drivers is
   settled once all of them are evaluated: this adds increments and latencies to the delays of
   all its wires, and adjusts them to its thresholds. So a driver in a lower level that was not
   evaluated yet is evaluated here too; otherwise its wire, which is settled already, would be
   settled a second time. */
static void add_parallel_drivers(Update *update, uint32_t level)
{
  const Graph *g = update->t->g;
  if (g->nets.extra_wires.len == 0) return;
  for (uint32_t i = 0; i < update->delays->levels[level].len; i++) {
    NetId net = netlist_pin_net(g->netlist, g->slots.pin[update->delays->levels[level].at[i]]);
    if (net == NO_NET) continue;
    NetPins it = net_pins(g->netlist, net, false);
    for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
      Slot s = graph_slot(g, p, true);
      if (s == NO_SLOT || !slot_is_driver(g, s)) continue;
      if (g->slots.level[s] >= level) slot_queue_add(update->delays, s);
      else if (slot_queue_mark(update->delays, s)) array_push(&update->delays->levels[level], s);
    }
  }
}

/* --- arrivals and required times -------------------------------------------------------------- */
typedef struct {
  bool (*work)(Timing *, Slot);     /* returns true if everything that follows from the slot must be
                                       computed again */
  const Cond4 *values, *beside;     /* by node; beside may be NULL */
} Rework;

/* The bits of a few nodes before the work, in a fixed order. */
typedef struct { ARRAY(Cond4) bits; } Before;

/* Computes a slot. Returns true if the work says so, or if the bits of its nodes in `values` or
   `beside` have changed. */
static bool nodes_change(Timing *t, const Rework *rework, Slot s, Before *before)
{
  NodeId first = t->g->nodes.first[s], count = t->g->nodes.first[s + 1] - first;
  array_clear(&before->bits);
  for (NodeId n = 0; n < count; n++) array_push(&before->bits, rework->values[first + n]);
  for (NodeId n = 0; rework->beside && n < count; n++)
    array_push(&before->bits, rework->beside[first + n]);
  bool more = rework->work(t, s);
  if (more || count == 0) return more;
  if (memcmp(before->bits.at, rework->values + first, count * sizeof *rework->values) != 0)
    return true;
  return rework->beside
         && memcmp(before->bits.at + count, rework->beside + first, count * sizeof *rework->beside)
                != 0;
}

/* From this many slots on, threads share the work. Waking a team of threads can take 0.2 ms, and an
   edit has hundreds of levels and lists. */
enum { LEAST_SHARED = 4096 };

typedef struct {
  Update       *update;
  const Rework *rework;
} ReworkBatch;

static void rework_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const ReworkBatch *batch = context;
  IncrementalWork *work = batch->update->work;
  Before before = { { 0 } };
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++)
    work->changed.at[i] = nodes_change(batch->update->t, batch->rework, work->batch.at[i], &before);
  array_free(&before.bits);
}

/* Computes the slots of the batch, by all threads if there are many. None of them reads the values
   of another. */
static void rework_batch(Update *update, const Rework *rework)
{
  ReworkBatch x = { update, rework };
  array_resize(&update->work->changed, update->work->batch.len);
  pool_items(update->work->batch.len, 150,
             update->work->batch.len < LEAST_SHARED ? 1 : update->t->threads, rework_share, &x);
}

/* Collects the drivers, or the loads, of a level of a queue. */
static void gather_batch(Update *update, const SlotQueue *queue, uint32_t level, bool drivers)
{
  array_clear(&update->work->batch);
  for (uint32_t i = 0; i < queue->levels[level].len; i++)
    if (slot_is_driver(update->t->g, queue->levels[level].at[i]) == drivers)
      array_push(&update->work->batch, queue->levels[level].at[i]);
}

/* Computes the arrivals of a slot. Its fronts may change even if the worst arrival does not. */
static bool work_arrival(Timing *t, Slot s)
{
  cpu_slot_arrival(t, s);
  return common_active(t) && cpu_slot_front(t, s);
}

static void arrival_changed(Update *update, Slot s)
{
  const Graph *g = update->t->g;
  if (graph_slot_has_clock(g, s)) update->wide = true;
  slot_queue_add(update->required, s);
  reference_changed(update, s);
  for (Slot l = g->nets.load_first[s]; l < g->nets.load_first[s] + g->nets.load_count[s]; l++)
    slot_queue_add(update->arrivals, l);
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++)
    slot_queue_add(update->arrivals, g->arcs.to[g->arcs.out[i]]);
}

/* Computes the arrivals of a level, drivers before loads. It only queues loads of this level and
   slots of later levels. */
static void arrivals_of_level(Update *update, uint32_t level)
{
  Rework r = { work_arrival, update->t->arrival, update->t->sigma.arrival_variance };
  for (int drivers = 1; drivers >= 0; drivers--) {
    gather_batch(update, update->arrivals, level, drivers);
    rework_batch(update, &r);
    for (uint32_t i = 0; i < update->work->batch.len; i++)
      if (update->work->changed.at[i]) arrival_changed(update, update->work->batch.at[i]);
  }
}

static bool work_required(Timing *t, Slot s)
{
  cpu_slot_required(t, s);
  return common_captures(t) && cpu_slot_captures(t, s);
}

static void required_changed(Update *update, Slot s)
{
  const Graph *g = update->t->g;
  if (!slot_is_driver(g, s)) slot_queue_add(update->required, g->nets.wire_driver[s]);
  for (ArcId a = g->arcs.first[s]; a < g->arcs.first[s + 1]; a++)
    slot_queue_add(update->required, g->arcs.from[a]);
}

static void required_of_level(Update *update, uint32_t level)
{
  const Graph *g = update->t->g;
  Rework r = { work_required, update->t->required, NULL };
  for (int drivers = 0; drivers <= 1; drivers++) {
    gather_batch(update, update->required, level, drivers);
    rework_batch(update, &r);
    for (uint32_t i = 0; i < update->work->batch.len; i++) {
      Slot s = update->work->batch.at[i];
      if (g->ends.first_end[s + 1] > g->ends.first_end[s]) end_slacks_touch(update->t->ends, s);
      if (update->work->changed.at[i]) required_changed(update, s);
    }
  }
}

/* --- updates ---------------------------------------------------------------------------------- */
/* Queues the loads of dirty nets. They include the pins of swapped cells, whose checks have other
   margins even if no slew changes. */
static void add_loads(Update *update)
{
  const Graph *g = update->t->g;
  for (uint32_t level = 0; level < g->levels.count; level++)
    for (uint32_t i = 0; i < update->delays->levels[level].len; i++) {
      Slot driver = update->delays->levels[level].at[i];
      for (Slot s = g->nets.load_first[driver];
           s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++)
        slot_queue_add(update->required, s);
    }
}

static void reduce_marked(Update *update)
{
  for (uint32_t level = 0; level < update->t->g->levels.count; level++)
    cpu_reduce_nets(update->t, update->delays->levels[level].at, update->delays->levels[level].len);
}

/* Returns the number of drivers from which on a whole update is faster. Following costs more for
   each driver than evaluating all drivers, and the sweeps come on top. Part of following is the
   work of one thread, half as much as an evaluation, while all threads share a whole update. */
static uint32_t most_followed(const Timing *t)
{
  return (uint32_t)(3ull * t->g->nets.driver_count / (8 + 4 * (uint64_t)t->threads)) + 16;
}

/* From so many drivers on that are reached for each that is edited: what large batches reach at
   least. */
enum { MANY_FOLLOWERS = 3 };

static uint64_t count_marked(const SlotQueue *queue)
{
  uint64_t count = 0;
  for (uint32_t level = 0; level < queue->g->levels.count; level++)
    count += queue->levels[level].len;
  return count;
}

/* Evaluates the dirty drivers and those that depend on them. Returns false if there are too many;
   then not all numbers are up to date. */
static bool run_delays(Update *update, uint32_t most)
{
  uint32_t followed = 0;
  reduce_marked(update);
  for (uint32_t level = 0; level < update->t->g->levels.count; level++) {
    add_parallel_drivers(update, level);
    followed += update->delays->levels[level].len;
    if (followed > most) return false;
    if (update->delays->levels[level].len) evaluate_level(update, level);
  }
  return true;
}

bool incremental_is_too_large(const Timing *t, const SlotQueue *dirty)
{
  return MANY_FOLLOWERS * count_marked(dirty) > most_followed(t);
}

bool incremental_sweep(Timing *t, const SlotQueue *dirty)
{
  ARRAY(Slot) drivers = { 0 };
  uint8_t *marks = mem_alloc_zero((size_t)t->g->slots.count + 1, 1);
  for (uint32_t level = 0; level < t->g->levels.count; level++)
    for (uint32_t i = 0; i < dirty->levels[level].len; i++) {
      array_push(&drivers, dirty->levels[level].at[i]);
      marks[dirty->levels[level].at[i]] = 1;
    }
  cpu_reduce_nets(t, drivers.at, drivers.len);
  bool whole = cpu_forward_marked(t, marks);
  array_free(&drivers);
  mem_free(marks);
  return whole;
}

IncrementalEnd incremental_update(Timing *t, SlotQueue *dirty, bool required)
{
  IncrementalWork *work = work_of(t);
  Update u = { .t = t,
               .delays = dirty,
               .arrivals = &work->arrivals,
               .required = &work->required,
               .work = work,
               .wide = t->g->arcs.latches.len > 0 || t->g->nets.extra_wires.len > 0 };
  uint32_t most = most_followed(t);
  if (incremental_is_too_large(t, dirty)) return INCREMENTAL_TOO_LARGE;
  add_loads(&u);
  if (!run_delays(&u, most)) return INCREMENTAL_TOO_LARGE;
  for (uint32_t level = 0; level < t->g->levels.count && !u.wide; level++)
    arrivals_of_level(&u, level);
  for (uint32_t level = t->g->levels.count; required && !u.wide && level-- > 0;)
    required_of_level(&u, level);
  return u.wide ? INCREMENTAL_SWEEP : INCREMENTAL_DONE;
}

void incremental_delays(Timing *t, SlotQueue *dirty)
{
  Update u = { .t = t, .delays = dirty, .work = work_of(t), .delays_only = true };
  run_delays(&u, UINT32_MAX);
}

/* --- carrying over to a rebuilt graph --------------------------------------------------------- */
/* Returns the slot of the same pin and side in the old graph. */
static Slot old_slot(const Graph *old, const Graph *g, Slot s)
{
  PinId pin = g->slots.pin[s];
  Slot o = pin < old->netlist->pins.len ? graph_slot(old, pin, slot_is_driver(g, s)) : NO_SLOT;
  if (o == NO_SLOT || slot_is_driver(old, o) != slot_is_driver(g, s)) return NO_SLOT;
  return o;
}

static bool same_pin_slot(const Graph *old, Slot o, const Graph *g, Slot s)
{
  return old->slots.pin[o] == g->slots.pin[s] && slot_is_driver(old, o) == slot_is_driver(g, s);
}

/* Does the slew at the clock arcs of a pin depend on which clocks arrive? Then its numbers are not
   carried over. */
static bool slew_by_clock(const Graph *g, Slot s)
{
  return g->constraints->clocks.len > 1
         && (g->slots.flags[s] & (SLOT_IDEAL_CLOCK | SLOT_CLOCK_PIN))
                == (SLOT_IDEAL_CLOCK | SLOT_CLOCK_PIN);
}

enum { NUMERIC_FLAGS = SLOT_PORT | SLOT_BIDIRECTIONAL | SLOT_CLOCK_PIN | SLOT_IDEAL_CLOCK |
  SLOT_IDEAL | SLOT_IDEAL_BEGIN };

static bool same_arcs(const Graph *old, Slot o, const Graph *g, Slot s)
{
  uint32_t count = g->arcs.first[s + 1] - g->arcs.first[s];
  if (old->arcs.first[o + 1] - old->arcs.first[o] != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    ArcId a = old->arcs.first[o] + i, b = g->arcs.first[s] + i;
    if (old->arcs.lib[a] != g->arcs.lib[b] || old->arcs.flags[a] != g->arcs.flags[b]) return false;
    if (!same_pin_slot(old, old->arcs.from[a], g, g->arcs.from[b])) return false;
    if (slew_by_clock(g, g->arcs.from[b])) return false;
    if (((old->slots.flags[old->arcs.from[a]] ^ g->slots.flags[g->arcs.from[b]]) & NUMERIC_FLAGS)
        != 0)
      return false;
  }
  return true;
}

/* Has a driver the same loads as before, with the same cells in the same order? Drivers of nets
   with several drivers are always computed again. */
static bool same_loads(const Graph *old, Slot o, const Graph *g, Slot s)
{
  if (old->nets.load_count[o] != g->nets.load_count[s]) return false;
  for (uint32_t i = 0; i < g->nets.load_count[s]; i++) {
    Slot a = old->nets.load_first[o] + i, b = g->nets.load_first[s] + i;
    if (!same_pin_slot(old, a, g, b)
        || ((old->slots.flags[a] ^ g->slots.flags[b]) & NUMERIC_FLAGS) != 0)
      return false;
  }
  return true;
}

static void carry_driver(Timing *t, const Timing *old, Slot o, Slot s)
{
  const Graph *g = t->g, *og = old->g;
  uint32_t d = graph_driver_index(g, s), od = graph_driver_index(og, o);
  t->nets.load_cap[d] = old->nets.load_cap[od];
  if (t->nets.pi_far) {
    t->nets.pi_far[d] = old->nets.pi_far[od];
    t->nets.pi_near[d] = old->nets.pi_near[od];
    t->nets.pi_r[d] = old->nets.pi_r[od];
  }
  t->nets.has_rc[d] = old->nets.has_rc[od];
  t->slew[s] = old->slew[o];
  for (uint32_t i = 0; i < g->nets.load_count[s]; i++) {
    Slot l = g->nets.load_first[s] + i, ol = og->nets.load_first[o] + i;
    uint32_t n = graph_load_index(g, l), on = graph_load_index(og, ol);
    t->slew[l] = old->slew[ol];
    t->wires.elmore[n] = old->wires.elmore[on];
    if (t->wires.impulse_sq) t->wires.impulse_sq[n] = old->wires.impulse_sq[on];
    t->wires.delay[n] = old->wires.delay[on];
  }
  uint32_t e = g->arcs.edge_first[g->arcs.first[s]], oe = og->arcs.edge_first[og->arcs.first[o]];
  uint32_t edges = g->arcs.edge_first[g->arcs.first[s + 1]] - e;
  memcpy(t->edge_delay + e, old->edge_delay + oe, edges * sizeof *t->edge_delay);
  if (t->sigma.edge) memcpy(t->sigma.edge + e, old->sigma.edge + oe, edges * sizeof *t->sigma.edge);
}

/* Marks the followers of a load that has lost its driver. The load has no slew any more, and no
   driver evaluates it. */
static void mark_floating(const Timing *t, const Timing *old, SlotQueue *dirty)
{
  const Graph *g = t->g;
  static const Cond4 none = { { 0, 0, 0, 0 } };
  for (Slot s = 0; s < g->slots.count; s++) {
    if (slot_is_driver(g, s) || g->nets.wire_driver[s] != NO_SLOT) continue;
    Slot o = old_slot(old->g, g, s);
    if (o == NO_SLOT || same4(&old->slew[o], &none)) continue;
    for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++)
      slot_queue_add(dirty, g->arcs.to[g->arcs.out[i]]);
  }
}

/* Carries over the slews at a driver whose other numbers are not carried. They are those that its
   pins had before, on whatever net. The evaluation then finds which slews change, and which
   followers must be computed again. */
static void carry_slews(Timing *t, const Timing *old, Slot s)
{
  const Graph *g = t->g;
  Slot o = old_slot(old->g, g, s);
  if (o != NO_SLOT) t->slew[s] = old->slew[o];
  for (Slot l = g->nets.load_first[s]; l < g->nets.load_first[s] + g->nets.load_count[s]; l++) {
    Slot ol = old_slot(old->g, g, l);
    if (ol != NO_SLOT) t->slew[l] = old->slew[ol];
  }
}

void incremental_carry(Timing *t, const Timing *old, const PinId *touched, uint32_t touched_count,
                       SlotQueue *dirty)
{
  const Graph *g = t->g, *og = old->g;
  Map *nets = map_new(), *pins = map_new();
  for (uint32_t i = 0; i < touched_count; i++) {
    NetId net = netlist_pin_net(g->netlist, touched[i]);
    map_put(pins, touched[i], 1);
    if (net != NO_NET) map_put(nets, net, 1);
  }
  for (uint32_t level = 0; level < g->levels.count; level++)
    for (Slot s = g->levels.first[level]; s < g->levels.loads[level]; s++) {
      Slot o = old_slot(og, g, s);
      NetId net = netlist_pin_net(g->netlist, g->slots.pin[s]);
      bool clean = o != NO_SLOT && g->nets.extra_wires.len == 0 && og->nets.extra_wires.len == 0
                   && ((og->slots.flags[o] ^ g->slots.flags[s]) & NUMERIC_FLAGS) == 0
                   && same_arcs(og, o, g, s) && same_loads(og, o, g, s)
                   && overrides_same(old->overrides, og, o, t->overrides, g, s)
                   && map_get(t->ports.drive_delay_of, s) == MAP_NO_VALUE
                   && map_get(pins, g->slots.pin[s]) == MAP_NO_VALUE
                   && (net == NO_NET || map_get(nets, net) == MAP_NO_VALUE);
      if (clean) {
        carry_driver(t, old, o, s);
        continue;
      }
      carry_slews(t, old, s);
      slot_queue_add(dirty, s);
    }
  mark_floating(t, old, dirty);
  map_free(nets);
  map_free(pins);
}
