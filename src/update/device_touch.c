/* Collects what edits in place have changed for a device: nets to reduce again, changed pins of
   their trees, and records of arcs and checks. A batch of edits has slots all over the design, so
   threads share what is read of them. What they find is put together by one thread. */
#include "base/expect.h"
#include "base/pool.h"
#include "cpu/cpu.h"
#include "update/device_timing.h"

/* If more than one slot in TOUCHED_PART is touched, a new copy costs about as much as patches. A
   new copy takes as long as several whole updates, so a batch of edits should rarely cause it. */
enum { TOUCHED_PART = 3 };

/* The device reduces the nets of an edit that reaches more than this many, if it has their trees
   and these agree with the parasitics. The host reduces few nets before a kernel has begun, apart
   from large ones. */
enum { FEW_NETS = 64 };

/* --- what threads find ------------------------------------------------------------------------ */
typedef struct {
  uint32_t index;                  /* of the driver */
  uint8_t  look;                   /* tree_nets_look */
  bool     here, port;             /* here: the device reduces the net */
} NetLook;

/* A thread's own lists; the padding keeps them off the lines of other threads. */
typedef struct {
  FlatChanges changes;
  ARRAY(Slot) rest;                /* slots of flat_touch */
  char padding[64];
} Found;

typedef struct {
  Dev *d;
  const Touched *x;
  bool serve, many;
  NetLook    *nets;                /* for each driver */
  TreeChange *changes;             /* for each pin; driver FLAT_NONE: no change of a tree */
  Found      *found;               /* for each thread */
} Touch;

/* Memory that is read a few turns later is asked for. */
enum { AHEAD = 8 };

static bool device_reduces(const Touch *x, uint32_t driver_index)
{
  return x->serve && tree_nets_has(x->d->tree_nets, driver_index, x->many);
}

static void look_at_nets(Touch *x, uint32_t from, uint32_t to)
{
  const Graph *g = x->d->t->g;
  const Slot *drivers = x->x->drivers.at;
  for (uint32_t i = from; i < to; i++) {
    if (i + 2 * AHEAD < to) {
      mem_expect(&g->slots.level[drivers[i + 2 * AHEAD]]);
      mem_expect(&g->slots.flags[drivers[i + 2 * AHEAD]]);
    }
    if (i + AHEAD < to)
      tree_nets_expect(x->d->tree_nets, graph_driver_index(g, drivers[i + AHEAD]));
    NetLook *n = &x->nets[i];
    n->index = graph_driver_index(g, drivers[i]);
    n->here = device_reduces(x, n->index);
    n->look = n->here ? tree_nets_look(x->d->tree_nets, n->index) : 0;
    n->port = (g->slots.flags[drivers[i]] & SLOT_PORT) != 0;
  }
}

/* The first arc of a slot that is touched later; FLAT_NONE: it has none. */
static ArcId arc_ahead(const Graph *g, const Slot *slots, uint32_t i, uint32_t end)
{
  if (i >= end || g->arcs.first[slots[i]] == g->arcs.first[slots[i] + 1]) return FLAT_NONE;
  return g->arcs.first[slots[i]];
}

static void expect_pin(const Touch *x, uint32_t i, uint32_t end)
{
  const Graph *g = x->d->t->g;
  const Slot *slots = x->x->pins.at;
  ArcId soon = arc_ahead(g, slots, i + AHEAD, end);
  if (i + 3 * AHEAD < end) {
    mem_expect(&g->arcs.first[slots[i + 3 * AHEAD]]);
    mem_expect(&g->ends.first_check[slots[i + 3 * AHEAD]]);
    mem_expect(&g->slots.flags[slots[i + 3 * AHEAD]]);
    mem_expect(&g->slots.level[slots[i + 3 * AHEAD]]);
    mem_expect(&g->slots.pin[slots[i + 3 * AHEAD]]);
    mem_expect(&g->nets.wire_driver[slots[i + 3 * AHEAD]]);
  }
  if (i + 2 * AHEAD < end) {
    Slot driver = g->nets.wire_driver[slots[i + 2 * AHEAD]];
    if (driver != NO_SLOT) mem_expect(&g->slots.level[driver]);
    mem_expect(&g->netlist->pins.at[g->slots.pin[slots[i + 2 * AHEAD]]]);
  }
  if (soon == FLAT_NONE) return;
  mem_expect(&g->arcs.lib[soon]);
  mem_expect(&x->d->flat->arc_kind[soon]);
}

/* Pins of nets that the device does not reduce are of no use there. */
static TreeChange change_of(const Touch *x, Slot slot)
{
  const Graph *g = x->d->t->g;
  Slot driver = slot_is_driver(g, slot) ? slot : g->nets.wire_driver[slot];
  if (driver == NO_SLOT || !device_reduces(x, graph_driver_index(g, driver)))
    return (TreeChange){ FLAT_NONE, FLAT_NONE, FLAT_NONE };
  return tree_nets_change(x->d->t, slot);
}

static void look_at_pins(Touch *x, uint32_t from, uint32_t to, int thread)
{
  const Slot *slots = x->x->pins.at;
  Found *own = &x->found[thread];
  for (uint32_t i = from; i < to; i++) {
    expect_pin(x, i, to);
    x->changes[i] = change_of(x, slots[i]);
    if (!flat_touch_known(x->d->flat, x->d->t, slots[i], &own->changes))
      array_push(&own->rest, slots[i]);
  }
}

enum { STEP_NETS, STEP_PINS, STEPS };

static uint32_t step_count(void *context, uint32_t step)
{
  const Touch *x = context;
  return step == STEP_NETS ? x->x->drivers.len : x->x->pins.len;
}

static void step_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  if (step == STEP_NETS) look_at_nets(context, from, to);
  else look_at_pins(context, from, to, thread);
}

/* --- what one thread does with it ------------------------------------------------------------- */
static void note_net(Dev *d, Slot driver)
{
  if (d->is_net == NULL) d->is_net = map_new();
  if (map_get(d->is_net, driver) == MAP_NO_VALUE) {
    map_put(d->is_net, driver, 1);
    array_push(&d->nets, driver);
    return;
  }
  /* the device may have the numbers from before the edit */
  if (device_has(d, NUMBERS_NETS)) flat_patch_net(d->flat, d->t, driver, &d->patches);
}

/* Touches the nets that the device reduces, and reduces the others on the host, which has their
   numbers from here on. */
static void take_nets(const Touch *x)
{
  Dev *d = x->d;
  const Slot *drivers = x->x->drivers.at;
  Slot *rest = mem_alloc(sizeof *rest * ((size_t)x->x->drivers.len + 1));
  uint32_t n = 0;
  for (uint32_t i = 0; i < x->x->drivers.len; i++) {
    const NetLook *net = &x->nets[i];
    if (net->here) {
      tree_nets_touch(d->tree_nets, net->index, net->look);
      if (net->port) d->port_nets = false;
      continue;
    }
    tree_nets_drop(d->tree_nets, net->index);
    rest[n++] = drivers[i];
  }
  cpu_reduce_nets(d->t, rest, n);
  device_note(d, NUMBERS_EVERY & ~NUMBERS_NETS, OUTDATED_ON_DEVICE);
  for (uint32_t i = 0; i < n; i++) note_net(d, rest[i]);
  mem_free(rest);
}

static void take_changes(const Touch *x)
{
  for (uint32_t i = 0; i < x->x->pins.len; i++)
    if (x->changes[i].driver != FLAT_NONE)
      tree_nets_touch_pin(x->d->tree_nets, x->x->pins.at[i], x->changes[i]);
}

static void take_found(Dev *d, const FlatChanges *x)
{
  FlatChanges *own = &d->changes;
  uint32_t kinds = own->kinds.len, checks = own->checks.len;
  array_resize(&own->kinds, kinds + x->kinds.len);
  array_resize(&own->checks, checks + x->checks.len);
  if (x->kinds.len) memcpy(&own->kinds.at[kinds], x->kinds.at, x->kinds.len * sizeof *x->kinds.at);
  if (x->checks.len)
    memcpy(&own->checks.at[checks], x->checks.at, x->checks.len * sizeof *x->checks.at);
}

static bool touch_rest(Dev *d, const Slot *slots, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (!flat_touch(d->flat, d->t, slots[i], &d->changes, &d->patches)) return false;
  return true;
}

/* Returns false if the flat arrays do not serve any more. What has changed before, and was not
   sent, may have changed again. */
static bool take_records(const Touch *x, int threads)
{
  Dev *d = x->d;
  uint32_t kinds = d->changes.kinds.len, checks = d->changes.checks.len;
  bool serves = true;
  for (int i = 0; i < threads; i++) {
    take_found(d, &x->found[i].changes);
    serves = serves && touch_rest(d, x->found[i].rest.at, x->found[i].rest.len);
  }
  flat_renew_changes(d->flat, &d->changes, kinds, checks);
  return serves;
}

/* --- an edit ---------------------------------------------------------------------------------- */
static void free_touch(Touch *x, int threads)
{
  for (int i = 0; i < threads; i++) {
    array_free(&x->found[i].changes.kinds);
    array_free(&x->found[i].changes.checks);
    array_free(&x->found[i].rest);
  }
  mem_free(x->found);
  mem_free(x->nets);
  mem_free(x->changes);
}

static bool is_little(const Dev *d, const Touched *x)
{
  uint32_t slots = d->t->g->slots.count;
  return d->nets.len + x->drivers.len < slots / TOUCHED_PART + 100
         && d->patches.len < slots + 1000 && d->changes.kinds.len < slots + 1000;
}

/* The trees of a large edit need its changes alone. So the device reduces them while the host still
   collects the rest. Not if the host has the numbers of nets, because the CPU may follow the edit.
   An error is seen by the next operation. */
static void reduce_early(const Touch *x)
{
  bool alone = residency_away(&x->d->t->device.residency) & NUMBERS_NETS;
  if (x->serve && alone && device_edit_is_large(x->d, x->x->drivers.len))
    device_edit_trees_now(x->d, true);
}

/* Estimated time for a slot, ns. */
enum { SLOT_NS = 80 };

static bool touch(Dev *d, const Touched *x)
{
  int threads = d->t->threads < 1 ? 1 : d->t->threads;
  Touch w = { .d = d,
              .x = x,
              .serve = d->tree_nets && device_has_trees(d),
              .many = x->drivers.len > FEW_NETS,
              .nets = mem_alloc(sizeof *w.nets * ((size_t)x->drivers.len + 1)),
              .changes = mem_alloc(sizeof *w.changes * ((size_t)x->pins.len + 1)),
              .found = mem_alloc_zero((size_t)threads, sizeof *w.found) };
  pool_run(&(PoolRun){ .work = step_share,
                       .count = step_count,
                       .context = &w,
                       .steps = STEPS,
                       .cost = SLOT_NS },
           threads);
  if (d->tree_nets) tree_nets_begin(d->tree_nets);
  take_nets(&w);
  take_changes(&w);
  reduce_early(&w);
  bool serves = take_records(&w, threads);
  free_touch(&w, threads);
  return serves;
}

void device_touched(Timing *t, const Touched *x)
{
  Dev *d = device_of(t);
  if (d == NULL || d->device == NULL) return;
  bool serves = is_little(d, x) && (x->drivers.len + x->pins.len == 0 || touch(d, x));
  device_note_parasitics(d);
  if (!serves) device_close(d);
}
