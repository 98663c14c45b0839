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
  Dev *dev;
  const Touched *touched;
  bool serve, many;
  NetLook    *nets;                /* for each driver */
  TreeChange *changes;             /* for each pin; driver FLAT_NONE: no change of a tree */
  Found      *found;               /* for each thread */
} Touch;

/* Memory that is read a few turns later is asked for. */
enum { AHEAD = 8 };

static bool device_reduces(const Touch *touch, uint32_t driver_index)
{
  return touch->serve && tree_nets_has(touch->dev->tree_nets, driver_index, touch->many);
}

static void look_at_nets(Touch *touch, uint32_t from, uint32_t to)
{
  const Graph *g = touch->dev->t->g;
  const Slot *drivers = touch->touched->drivers.at;
  for (uint32_t i = from; i < to; i++) {
    if (i + 2 * AHEAD < to) {
      mem_expect(&g->slots.level[drivers[i + 2 * AHEAD]]);
      mem_expect(&g->slots.flags[drivers[i + 2 * AHEAD]]);
    }
    if (i + AHEAD < to)
      tree_nets_expect(touch->dev->tree_nets, graph_driver_index(g, drivers[i + AHEAD]));
    NetLook *look = &touch->nets[i];
    look->index = graph_driver_index(g, drivers[i]);
    look->here = device_reduces(touch, look->index);
    look->look = look->here ? tree_nets_look(touch->dev->tree_nets, look->index) : 0;
    look->port = (g->slots.flags[drivers[i]] & SLOT_PORT) != 0;
  }
}

/* The first arc of a slot that is touched later; FLAT_NONE: it has none. */
static ArcId arc_ahead(const Graph *g, const Slot *slots, uint32_t i, uint32_t end)
{
  if (i >= end || g->arcs.first[slots[i]] == g->arcs.first[slots[i] + 1]) return FLAT_NONE;
  return g->arcs.first[slots[i]];
}

static void expect_pin(const Touch *touch, uint32_t i, uint32_t end)
{
  const Graph *g = touch->dev->t->g;
  const Slot *slots = touch->touched->pins.at;
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
  mem_expect(&touch->dev->flat->arc_kind[soon]);
}

/* Pins of nets that the device does not reduce are of no use there. */
static TreeChange change_of(const Touch *touch, Slot slot)
{
  const Graph *g = touch->dev->t->g;
  Slot driver = slot_is_driver(g, slot) ? slot : g->nets.wire_driver[slot];
  if (driver == NO_SLOT || !device_reduces(touch, graph_driver_index(g, driver)))
    return (TreeChange){ FLAT_NONE, FLAT_NONE, FLAT_NONE };
  return tree_nets_change(touch->dev->t, slot);
}

static void look_at_pins(Touch *touch, uint32_t from, uint32_t to, int thread)
{
  const Slot *slots = touch->touched->pins.at;
  Found *own = &touch->found[thread];
  for (uint32_t i = from; i < to; i++) {
    expect_pin(touch, i, to);
    touch->changes[i] = change_of(touch, slots[i]);
    if (!flat_touch_known(touch->dev->flat, touch->dev->t, slots[i], &own->changes))
      array_push(&own->rest, slots[i]);
  }
}

enum { STEP_NETS, STEP_PINS, STEPS };

static uint32_t step_count(void *context, uint32_t step)
{
  const Touch *touch = context;
  return step == STEP_NETS ? touch->touched->drivers.len : touch->touched->pins.len;
}

static void step_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  if (step == STEP_NETS) look_at_nets(context, from, to);
  else look_at_pins(context, from, to, thread);
}

/* --- what one thread does with it ------------------------------------------------------------- */
static void note_net(Dev *dev, Slot driver)
{
  if (dev->is_net == NULL) dev->is_net = map_new();
  if (map_get(dev->is_net, driver) == MAP_NO_VALUE) {
    map_put(dev->is_net, driver, 1);
    array_push(&dev->nets, driver);
    return;
  }
  /* the device may have the numbers from before the edit */
  if (device_has(dev, NUMBERS_NETS)) flat_patch_net(dev->flat, dev->t, driver, &dev->patches);
}

/* Touches the nets that the device reduces, and reduces the others on the host, which has their
   numbers from here on. */
static void take_nets(const Touch *touch)
{
  Dev *dev = touch->dev;
  const Slot *drivers = touch->touched->drivers.at;
  Slot *rest = mem_alloc(sizeof *rest * ((size_t)touch->touched->drivers.len + 1));
  uint32_t n = 0;
  for (uint32_t i = 0; i < touch->touched->drivers.len; i++) {
    const NetLook *net = &touch->nets[i];
    if (net->here) {
      tree_nets_touch(dev->tree_nets, net->index, net->look);
      if (net->port) dev->port_nets = false;
      continue;
    }
    tree_nets_drop(dev->tree_nets, net->index);
    rest[n++] = drivers[i];
  }
  cpu_reduce_nets(dev->t, rest, n);
  device_note(dev, NUMBERS_EVERY & ~NUMBERS_NETS, OUTDATED_ON_DEVICE);
  for (uint32_t i = 0; i < n; i++) note_net(dev, rest[i]);
  mem_free(rest);
}

static void take_changes(const Touch *touch)
{
  for (uint32_t i = 0; i < touch->touched->pins.len; i++)
    if (touch->changes[i].driver != FLAT_NONE)
      tree_nets_touch_pin(touch->dev->tree_nets, touch->touched->pins.at[i], touch->changes[i]);
}

static void take_found(Dev *dev, const FlatChanges *changes)
{
  FlatChanges *own = &dev->changes;
  uint32_t kinds = own->kinds.len, checks = own->checks.len;
  array_resize(&own->kinds, kinds + changes->kinds.len);
  array_resize(&own->checks, checks + changes->checks.len);
  if (changes->kinds.len)
    memcpy(&own->kinds.at[kinds], changes->kinds.at,
           changes->kinds.len * sizeof *changes->kinds.at);
  if (changes->checks.len)
    memcpy(&own->checks.at[checks], changes->checks.at,
           changes->checks.len * sizeof *changes->checks.at);
}

static bool touch_rest(Dev *dev, const Slot *slots, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (!flat_touch(dev->flat, dev->t, slots[i], &dev->changes, &dev->patches)) return false;
  return true;
}

/* Returns false if the flat arrays do not serve any more. What has changed before, and was not
   sent, may have changed again. */
static bool take_records(const Touch *touch, int threads)
{
  Dev *dev = touch->dev;
  uint32_t kinds = dev->changes.kinds.len, checks = dev->changes.checks.len;
  bool serves = true;
  for (int i = 0; i < threads; i++) {
    take_found(dev, &touch->found[i].changes);
    serves = serves && touch_rest(dev, touch->found[i].rest.at, touch->found[i].rest.len);
  }
  flat_renew_changes(dev->flat, &dev->changes, kinds, checks);
  return serves;
}

/* --- an edit ---------------------------------------------------------------------------------- */
static void free_touch(Touch *touch, int threads)
{
  for (int i = 0; i < threads; i++) {
    array_free(&touch->found[i].changes.kinds);
    array_free(&touch->found[i].changes.checks);
    array_free(&touch->found[i].rest);
  }
  mem_free(touch->found);
  mem_free(touch->nets);
  mem_free(touch->changes);
}

static bool is_little(const Dev *dev, const Touched *touched)
{
  uint32_t slots = dev->t->g->slots.count;
  return dev->nets.len + touched->drivers.len < slots / TOUCHED_PART + 100
         && dev->patches.len < slots + 1000 && dev->changes.kinds.len < slots + 1000;
}

/* The trees of a large edit need its changes alone. So the device reduces them while the host still
   collects the rest. Not if the host has the numbers of nets, because the CPU may follow the edit.
   An error is seen by the next operation. */
static void reduce_early(const Touch *touch)
{
  bool alone = residency_away(&touch->dev->t->device.residency) & NUMBERS_NETS;
  if (touch->serve && alone && device_edit_is_large(touch->dev, touch->touched->drivers.len))
    device_edit_trees_now(touch->dev, true);
}

/* Estimated time for a slot, ns. */
enum { SLOT_NS = 80 };

static bool touch(Dev *dev, const Touched *touched)
{
  int threads = dev->t->threads < 1 ? 1 : dev->t->threads;
  Touch w = { .dev = dev,
              .touched = touched,
              .serve = dev->tree_nets && device_has_trees(dev),
              .many = touched->drivers.len > FEW_NETS,
              .nets = mem_alloc(sizeof *w.nets * ((size_t)touched->drivers.len + 1)),
              .changes = mem_alloc(sizeof *w.changes * ((size_t)touched->pins.len + 1)),
              .found = mem_alloc_zero((size_t)threads, sizeof *w.found) };
  pool_run(&(PoolRun){ .work = step_share,
                       .count = step_count,
                       .context = &w,
                       .steps = STEPS,
                       .cost = SLOT_NS },
           threads);
  if (dev->tree_nets) tree_nets_begin(dev->tree_nets);
  take_nets(&w);
  take_changes(&w);
  reduce_early(&w);
  bool serves = take_records(&w, threads);
  free_touch(&w, threads);
  return serves;
}

void device_touched(Timing *t, const Touched *touched)
{
  Dev *dev = device_of(t);
  if (dev == NULL || dev->device == NULL) return;
  bool serves = is_little(dev, touched)
                && (touched->drivers.len + touched->pins.len == 0 || touch(dev, touched));
  device_note_parasitics(dev);
  if (!serves) device_close(dev);
}
