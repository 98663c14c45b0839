/* Delays, slews and arrivals with two lanes for each timing edge, early and late. A level is one
   kernel, or a few if some drivers or loads need further steps. */
#include "cuda/pin.h"
#include "cuda/private.h"

/* --- before the levels ------------------------------------------------------------------------ */
/* Where the numbers of a level and of all levels after it begin. */
typedef struct { uint32_t node, slot, load; } LevelStart;

SL_KERNEL clear(SL_VIEW(v), LevelStart from, uint32_t count, int delays)
{
  SL_EACH(i, count)
  {
    uint32_t node = from.node + i, slot = from.slot + i, load = from.load + i;
    if (node < v.f.count.nodes) v.n.arrival[node] = cond_nothing();
    if (!delays) continue;
    int waves = flat_model_has(&v.f, DELAY_BY_WAVE);      /* then loads merge the results of
                                                             waveforms */
    if (slot < v.f.count.slots && (waves || v.f.slot_use[slot] & FLAT_DRIVER))
      v.n.slew[slot] = cond_nothing();
    if (load < v.f.count.loads && waves) v.n.wire_delay[load] = cond_nothing();
  }
}

SL_KERNEL put_seeds(SL_VIEW(v))
{
  SL_EACH(i, v.f.count.seeds)
    for (int k = 0; k < CONDITION_COUNT && v.f.seed_origin[i] == FLAT_NONE; k++) {
      float value = v.n.seed_value[i].v[k];
      if (value == value) lane_merge(&v.n.arrival[v.f.seed_node[i]].v[k], k >> 1, value);
    }
}

SL_KERNEL put_latches(SL_VIEW(v))
{
  SL_EACH(n, v.f.count.nodes)
    for (int edge = RISE; edge <= FALL; edge++)
      if (!time_absent(v.n.latch_late[n].v[edge]))
        lane_merge(&v.n.arrival[n].v[condition_of(LATE, edge)], LATE, v.n.latch_late[n].v[edge]);
}

SL_KERNEL clear_wires(SL_VIEW(v))
{
  SL_EACH(i, v.f.count.extras) v.n.extra_delay[i] = v.n.extra_slew[i] = cond_nothing();
}

/* --- a level ---------------------------------------------------------------------------------- */
/* Number of blocks on a multiprocessor for which kernels of waves get registers. A level has few
   blocks, so it is better if all run at once, although some numbers then go through memory. */
enum { WAVE_BLOCKS = 8, LOAD_BLOCKS = 10 };

/* Records come from the graph, and nets from an earlier phase. So they are read before the kernel
   waits for the kernel before it. */
#define EDGE_LANES(kernel, name, delays, waves, model) \
  kernel name(SL_VIEW(v), FlatLevel level) \
  { \
    SL_NEXT(); \
    SL_EACH(i, 2 * level.edge_count) \
    { \
      uint32_t edge = level.first_edge + i / 2; \
      FlatEdge r = v.f.edges[edge]; \
      EdgeNet net = edge_net(&v, &level, &r, (int)(i % 2), delays, waves); \
      SL_WAIT(); \
      edge_lane(&v, &level, &net, &r, edge, (int)(i % 2), delays, waves, model); \
    } \
  }
EDGE_LANES(SL_KERNEL, table_lanes, 1, WAVE_NONE, v.f.traits.delay_model)
EDGE_LANES(SL_KERNEL, arrival_lanes, 0, WAVE_NONE, v.f.traits.delay_model)
#define WAVE_EDGE_LANES(NAME, name, ...) \
  EDGE_LANES(SL_DENSE_KERNEL(WAVE_BLOCKS), name##_lanes, 1, WAVE_GRID, DELAY_##NAME) \
  EDGE_LANES(SL_KERNEL, name##_plain_lanes, 1, WAVE_PLAIN, DELAY_##NAME)
DELAY_WAVE_MODELS(WAVE_EDGE_LANES)
#define SAME_EDGE_LANES(NAME, name, ...) \
  EDGE_LANES(SL_DENSE_KERNEL(WAVE_BLOCKS), name##_same_lanes, 1, WAVE_SAME, DELAY_##NAME)
DELAY_LEVEL_MODELS(SAME_EDGE_LANES)

SL_KERNEL special_lanes(SL_VIEW(v), FlatLevel level, int delays)
{
  SL_EACH(i, 4 * level.special_count)
  special_lane(&v, &level, v.f.special_drivers[level.first_special + i / 4], (int)(i % 4), delays);
}

SL_KERNEL given_lanes(SL_VIEW(v), FlatLevel level)
{
  SL_EACH(i, 4 * level.given_count)
  given_wire(&v, &level, v.f.driver_extras[level.first_given + i / 4], (int)(i % 4));
}

#define LOADS_BEHIND_WAVES(name, waves, model) \
  SL_DENSE_KERNEL(LOAD_BLOCKS) name(SL_VIEW(v), FlatLevel level) \
  { \
    SL_NEXT(); \
    SL_EACH(i, 2 * level.pair_count) \
    { \
      FlatPair pair = v.f.pairs[level.first_pair + i / 2]; \
      SL_WAIT(); \
      wave_load_lane(&v, &level, &pair, (int)(i % 2), waves, model); \
    } \
  }
#define WAVE_LOAD_LANES(NAME, name, ...) \
  LOADS_BEHIND_WAVES(name##_load_lanes, WAVE_GRID, DELAY_##NAME)
DELAY_WAVE_MODELS(WAVE_LOAD_LANES)
#define SAME_LOAD_LANES(NAME, name, ...) \
  LOADS_BEHIND_WAVES(name##_same_load_lanes, WAVE_SAME, DELAY_##NAME)
DELAY_LEVEL_MODELS(SAME_LOAD_LANES)

#define LOAD_LANES(name, more) \
  SL_KERNEL name(SL_VIEW(v), FlatLevel level, int delays) \
  { \
    SL_NEXT(); \
    SL_EACH(i, 4 * level.irregular_count) \
    { \
      uint32_t load = v.f.irregular_loads[level.first_irregular + i / 4]; \
      FlatLoad r = v.f.loads[load]; \
      SL_WAIT(); \
      load_lane(&v, &level, &r, load, (int)(i % 4), delays, more); \
    } \
  }
LOAD_LANES(irregular_load_lanes, 0)
LOAD_LANES(shared_load_lanes, 1)

SL_KERNEL annotated_lanes(SL_VIEW(v), FlatLevel level)
{
  SL_EACH(i, 4 * level.annotated_count)
  annotated_driver(&v, v.f.annotated_drivers[level.first_annotated + i / 4], (int)(i % 4));
}

/* --- beside the levels: what follows from theirs and nothing waits for ------------------------ */
typedef struct { uint32_t first_slot, slot_count, first_load, load_count; } PinRange;

/* Finishes slews of drivers and loads. Loads finish their own, except those that wait for waveforms
   of a driver. */
SL_KERNEL settle_slews(SL_VIEW(v), PinRange range)
{
  SL_EACH(i, range.slot_count)
  {
    uint32_t slot = range.first_slot + i;
    if (flat_model_has(&v.f, DELAY_BY_WAVE) || v.f.slot_use[slot] & FLAT_DRIVER)
      settle_slew(&v, slot);
  }
}

SL_KERNEL plain_loads(SL_VIEW(v), PinRange range, int delays)
{
  SL_EACH(i, 4 * range.load_count)
  {
    uint32_t load = range.first_load + i / 4;
    FlatLoad r = v.f.loads[load];
    if (!r.irregular) plain_load_lane(&v, &r, load, (int)(i % 4), delays);
  }
}

static PinRange range_of(const Flat *f, uint32_t from, uint32_t to)
{
  const FlatLevel *a = &f->levels[from], *b = &f->levels[to - 1];
  PinRange r;
  r.first_slot = a->first_slot;
  r.slot_count = b->first_slot + b->count + b->load_count - a->first_slot;
  r.first_load = a->first_load;
  r.load_count = b->first_load + b->load_count - a->first_load;
  return r;
}

static void start_beside(Device *d, PinRange range, int delays)
{
  device_fork(d);
  if (delays) SL_START_ASIDE(d, range.slot_count, settle_slews, d->design->view, range);
  SL_START_ASIDE(d, 4 * range.load_count, plain_loads, d->design->view, range, delays);
}

/* --- a phase ---------------------------------------------------------------------------------- */
static LevelStart level_start(const Flat *f, uint32_t l)
{
  LevelStart all = { 0, 0, 0 }, from = { f->node_first[f->levels[l].first_slot],
                                         f->levels[l].first_slot, f->levels[l].first_load };
  return l ? from : all;
}

/* Starts what comes before level `first`. Seeds and ports of lower levels keep their numbers. */
static void start_before_levels(Device *d, uint32_t first, int delays)
{
  const Flat *f = d->design->f;
  LevelStart from = level_start(f, first);
  uint32_t nodes = f->count.nodes - from.node, slots = delays ? f->count.slots - from.slot : 0,
           count = slots > nodes ? slots : nodes;
  SL_START(d, count, clear, d->design->view, from, count, delays);
  if (delays) SL_START(d, d->design->f->count.extras, clear_wires, d->design->view);
  SL_START(d, d->design->f->count.seeds, put_seeds, d->design->view);
  if (d->design->f->count.latches)
    SL_START(d, d->design->f->count.nodes, put_latches, d->design->view);
}

/* Do kernels of waveforms get the levels of all libraries with their arguments? */
static bool has_same_levels(const Device *d)
{
  const Flat *f = d->design->f;
  return delay_by_levels(f->traits.delay_model) && f->traits.same_levels;
}

static void start_wave_edges(Device *d, FlatLevel level)
{
  uint32_t plain = d->design->f->traits.plain_tables ? 2 * level.edge_count : 0,
           same = has_same_levels(d) ? 2 * level.edge_count : 0, own = 2 * level.edge_count - same;
#define START_SAME_EDGES(NAME, name, ...) \
  case DELAY_##NAME: SL_OVERLAP(d, same, name##_same_lanes, d->design->view, level); break;
  switch (d->design->f->traits.delay_model) { DELAY_LEVEL_MODELS(START_SAME_EDGES) default: break; }
#define START_WAVE_EDGES(NAME, name, ...) \
  case DELAY_##NAME: \
    SL_OVERLAP(d, own, name##_lanes, d->design->view, level); \
    SL_OVERLAP(d, plain, name##_plain_lanes, d->design->view, level); \
    break;
  switch (d->design->f->traits.delay_model) { DELAY_WAVE_MODELS(START_WAVE_EDGES) default: break; }
}

static void start_wave_loads(Device *d, FlatLevel level)
{
  uint32_t same = has_same_levels(d) ? 2 * level.pair_count : 0,
           own = 2 * level.pair_count - same;
#define START_SAME_LOADS(NAME, name, ...) \
  case DELAY_##NAME: SL_OVERLAP(d, same, name##_same_load_lanes, d->design->view, level); break;
  switch (d->design->f->traits.delay_model) { DELAY_LEVEL_MODELS(START_SAME_LOADS) default: break; }
#define START_WAVE_LOADS(NAME, name, ...) \
  case DELAY_##NAME: \
    SL_OVERLAP(d, own, name##_load_lanes, d->design->view, level); \
    break;
  switch (d->design->f->traits.delay_model) { DELAY_WAVE_MODELS(START_WAVE_LOADS) default: break; }
}

static void start_edges(Device *d, FlatLevel level, int delays)
{
  if (!delays) SL_OVERLAP(d, 2 * level.edge_count, arrival_lanes, d->design->view, level);
  else if (flat_model_has(d->design->f, DELAY_BY_WAVE)) start_wave_edges(d, level);
  else SL_OVERLAP(d, 2 * level.edge_count, table_lanes, d->design->view, level);
}

/* Returns the level after the run of narrow levels that begins at a level, or the level itself if
   it is computed by plain lanes. */
static uint32_t behind_run(Device *d, uint32_t level, int delays, StartEdges edges)
{
  return delays && edges == start_edges ? start_narrow_forward(d, level) : level;
}

static void start_level(Device *d, FlatLevel level, int delays, StartEdges edges)
{
  edges(d, level, delays);
  SL_START(d, 4 * level.special_count, special_lanes, d->design->view, level, delays);
  if (delays) SL_START(d, 4 * level.given_count, given_lanes, d->design->view, level);
  if (delays) start_wave_loads(d, level);
  if (d->design->f->traits.annotated || d->design->f->count.extras)
    SL_OVERLAP(d, 4 * level.irregular_count, shared_load_lanes, d->design->view, level, delays);
  else
    SL_OVERLAP(d, 4 * level.irregular_count, irregular_load_lanes, d->design->view, level, delays);
  if (delays) SL_START(d, 4 * level.annotated_count, annotated_lanes, d->design->view, level);
}

/* From this many loads on, writing them takes longer than to start a kernel for them. */
enum { LOADS_BESIDE = 1 << 16 };

static void start_levels(Device *d, uint32_t first, int delays, StartEdges edges)
{
  const Flat *f = d->design->f;
  uint32_t done = first;
  start_before_levels(d, first, delays);
  start_ports(d, delays);
  if (delays && edges == start_edges) start_before_forward(d, first);
  for (uint32_t l = first; l < f->count.levels; l++) {
    uint32_t behind = behind_run(d, l, delays, edges);
    if (behind > l) l = behind - 1;
    else start_level(d, f->levels[l], delays, edges);
    PinRange range = range_of(f, done, l + 1);
    if (range.load_count < LOADS_BESIDE && l + 1 < f->count.levels) continue;
    start_beside(d, range, delays);
    done = l + 1;
  }
  if (done > first) device_join(d);
}

void start_pin_levels(Device *d, int delays, StartEdges edges)
{
  start_levels(d, 0, delays, edges);
}

void start_forward_from(Device *d, uint32_t level)
{
  if (level < d->design->f->count.levels) start_levels(d, level, 1, start_edges);
}

void start_pin_forward(Device *d) { start_pin_levels(d, 1, start_edges); }
void start_pin_arrivals(Device *d) { start_pin_levels(d, 0, start_edges); }
