/* Writes the records of timing edges and loads that lanes read (see FlatEdge and FlatLoad in
   device/flat.h). */
#include "device/flat.h"

#include <string.h>

#include "base/memory.h"

typedef struct {
  Flat     *f;
  uint32_t *load_at;               /* [slots]: a load's index; FLAT_NONE */
  uint32_t *out_at;                /* [slots + 1]: where the records of edges that start at a slot
                                      begin */
} Lanes;

static uint32_t node_count(const Flat *f, uint32_t slot)
{
  return f->node_first[slot + 1] - f->node_first[slot];
}

/* Returns the number of nodes that a map joins one by one, or FLAT_MAPPED. */
static uint8_t joined_nodes(const Flat *f, uint32_t map, uint32_t to)
{
  uint32_t count = node_count(f, to);
  return map != 0 || count >= FLAT_MAPPED ? FLAT_MAPPED : (uint8_t)count;
}

/* --- loads ------------------------------------------------------------------------------------ */
static int other_thresholds(const Flat *f, uint32_t a, uint32_t b)
{
  return f->traits.thresholds_differ && (f->slot_thresholds[2 * a] != f->slot_thresholds[2 * b] ||
                                  f->slot_thresholds[2 * a + 1] != f->slot_thresholds[2 * b + 1]);
}

static uint8_t is_irregular(const Flat *f, uint32_t load, uint32_t driver)
{
  if (f->wire_map[load] != 0 || f->slot_use[driver] & (FLAT_PORT | FLAT_INSIDE))
    return FLAT_IRREGULAR;
  if ((f->slot_use[load] & (FLAT_SEED | FLAT_LINKED | FLAT_INSIDE | FLAT_SHARED)) != 0
      || other_thresholds(f, load, driver))
    return FLAT_IRREGULAR;
  /* all loads of drivers with an annotated slew are irregular */
  if (f->traits.annotated & ANNOTATED_SLEWS && f->slew_mark[load]) return FLAT_IRREGULAR;
  return flat_model_has(f, DELAY_BY_WAVE) ? FLAT_IRREGULAR_BY_WAVE : 0;
}

static FlatLoad load_record(const Flat *f, uint32_t slot, uint32_t driver)
{
  FlatLoad r;
  memset(&r, 0, sizeof r);
  r.slot = slot;
  r.driver = driver;
  r.node = f->node_first[slot];
  r.driver_node = driver == FLAT_NONE ? 0 : f->node_first[driver];
  r.nodes = joined_nodes(f, 0, slot);
  r.wire = driver == FLAT_NONE || node_count(f, driver) == 0
               ? 0
               : joined_nodes(f, f->wire_map[slot], slot);
  if (f->slot_use[slot] & FLAT_SHARED) r.wire = FLAT_MAPPED;      /* the edge leads back to all
                                                                     drivers of the load */
  r.irregular = driver == FLAT_NONE ? FLAT_IRREGULAR : is_irregular(f, slot, driver);
  return r;
}

static void put_loads(Lanes *lanes)
{
  Flat *f = lanes->f;
  FlatLoad *loads = mem_alloc_zero((size_t)f->count.loads + 1, sizeof *loads);
  for (uint32_t i = 0; i < f->count.levels; i++) {
    const FlatLevel *level = &f->levels[i];
    for (uint32_t n = level->first_load; n < level->first_load + level->load_count; n++) {
      lanes->load_at[n + level->load_shift] = n;
      loads[n] = load_record(f, n + level->load_shift, FLAT_NONE);
    }
    for (uint32_t d = level->first_slot; d < level->first_slot + level->count; d++)
      for (uint32_t s = f->load_first[d]; s < f->load_first[d] + f->load_count[d]; s++)
        loads[s - level->load_shift] = load_record(f, s, d);
  }
  f->loads = loads;
}

/* --- timing edges ----------------------------------------------------------------------------- */
/* Returns the n-th edge pair of an arc: bit 2 * in + out. */
static int pair_bit(uint8_t pairs, uint32_t n)
{
  int bit = 0;
  for (;; bit++)
    if (pairs >> bit & 1 && n-- == 0) return bit;
}

static FlatEdge edge_record(const Lanes *lanes, uint32_t a, uint32_t to, int bit)
{
  const Flat *f = lanes->f;
  uint32_t from = f->arc_from[a], load = lanes->load_at[from], source = from;
  FlatEdge r;
  memset(&r, 0, sizeof r);
  r.slew = f->arc_slew[a];
  r.wire = FLAT_NONE;
  if (load != FLAT_NONE && !f->loads[load].irregular) {
    r.wire = load;
    source = f->loads[load].driver;
    if (!(r.slew & FLAT_CLOCK_SLEW)) r.slew = source;
  }
  r.from_node = f->node_first[source];
  r.to_node = f->node_first[to];
  r.to = to;
  r.kind = f->arc_kind[a];
  r.arc = a;
  /* these drivers are computed by special_drivers */
  r.use = f->slot_use[to] & (FLAT_INSIDE | FLAT_PORT) ? 0 : f->arc_use[a];
  r.in = (uint8_t)(bit >> 1);
  r.out = (uint8_t)(bit & 1);
  r.nodes = joined_nodes(f, f->arc_map[a], to);
  return r;
}

static FlatOut out_record(const Lanes *lanes, uint32_t a, uint32_t from, uint32_t edge, int bit)
{
  const Flat *f = lanes->f;
  uint32_t load = lanes->load_at[from];
  FlatOut r;
  memset(&r, 0, sizeof r);
  r.edge = edge;
  r.arc = a;
  r.to_node = f->node_first[f->arc_to[a]];
  r.from_node = f->node_first[from];
  r.load = load;
  r.use = f->arc_use[a];
  r.in = (uint8_t)(bit >> 1);
  r.out = (uint8_t)(bit & 1);
  r.nodes = joined_nodes(f, f->arc_map[a], f->arc_to[a]);
  if (load == FLAT_NONE) return r;
  r.driver_node = f->loads[load].driver_node;
  r.wire = f->loads[load].wire;
  return r;
}

static uint32_t edges_of(const Flat *f, uint32_t a)
{
  return f->edge_first[a + 1] - f->edge_first[a];
}

static void put_edges(Lanes *lanes)
{
  Flat *f = lanes->f;
  FlatEdge *edges = mem_alloc_zero((size_t)f->count.edges + 1, sizeof *edges);
  for (uint32_t s = 0; s < f->count.slots; s++)
    for (uint32_t a = f->arc_first[s]; a < f->arc_first[s + 1]; a++)
      for (uint32_t n = 0; n < edges_of(f, a); n++)
        edges[f->edge_first[a] + n] = edge_record(lanes, a, s, pair_bit(f->arc_pairs[a], n));
  f->edges = edges;
}

/* Writes the records of edges in the order of the slots where they start. lanes->out_at says where
   those of a slot begin. */
static void put_outs(Lanes *lanes)
{
  Flat *f = lanes->f;
  FlatOut *outs = mem_alloc_zero((size_t)f->count.edges + 1, sizeof *outs);
  uint32_t count = 0;
  for (uint32_t s = 0; s < f->count.slots; s++) {
    lanes->out_at[s] = count;
    for (uint32_t i = f->out_first[s]; i < f->out_first[s + 1]; i++) {
      uint32_t a = f->out_arc[i];
      for (uint32_t n = 0; n < edges_of(f, a); n++)
        outs[count++] = out_record(lanes, a, s, f->edge_first[a] + n, pair_bit(f->arc_pairs[a], n));
    }
  }
  lanes->out_at[f->count.slots] = count;
  f->outs = outs;
}

/* --- ends ------------------------------------------------------------------------------------- */
static void put_ends(Lanes *lanes)
{
  Flat *f = lanes->f;
  uint32_t *loads = mem_alloc(sizeof *loads * ((size_t)f->count.end_slots + 1)),
      *checks = mem_alloc(sizeof *checks * ((size_t)f->count.checks + 1));
  for (uint32_t i = 0; i < f->count.end_slots; i++) {
    uint32_t s = f->end_slots[i];
    if (lanes->load_at[s] != FLAT_NONE && f->loads[lanes->load_at[s]].wire)
      loads[f->count.end_loads++] = lanes->load_at[s];
    for (uint32_t c = f->slot_first_check[s]; c < f->slot_first_check[s + 1]; c++)
      checks[f->count.end_checks++] = f->check_order[c];
  }
  f->end_loads = loads;
  f->end_checks = checks;
}

/* --- lists of levels -------------------------------------------------------------------------- */
/* Sets a bit for slots whose seeds add an arrival from elsewhere. */
static void mark_seeds_from_elsewhere(const Flat *f, uint8_t *marks)
{
  for (uint32_t i = 0; i < f->count.seeds; i++)
    marks[f->seed_slot[i]] |= f->seed_origin[i] != FLAT_NONE;
}

static int is_special(const Flat *f, uint32_t slot, const uint8_t *marks)
{
  if (f->slot_use[slot] & (FLAT_INSIDE | FLAT_LINKED)) return 1;
  return marks[slot]
         || (f->slot_use[slot] & FLAT_PORT && f->arc_first[slot + 1] > f->arc_first[slot]);
}

typedef struct { uint32_t *at, count; } List;

static List new_list(uint32_t most)
{
  return (List){ mem_alloc(sizeof(uint32_t) * ((size_t)most + 1)), 0 };
}
static void put(List *list, uint32_t x) { list->at[list->count++] = x; }

/* Does a device apply annotation at the slot? For ports the host has applied it. */
static int is_annotated(const Flat *f, uint32_t slot)
{
  return f->traits.annotated & ANNOTATED_SLEWS && f->slew_mark[slot]
         && !(f->slot_use[slot] & FLAT_PORT);
}

typedef struct { List special, irregular, annotated; } Lists;

static void put_level(const Lanes *lanes, FlatLevel *level, const uint8_t *marks, Lists *lists)
{
  const Flat *f = lanes->f;
  uint32_t end = level->first_slot + level->count;
  level->first_edge = f->edge_first[f->arc_first[level->first_slot]];
  level->edge_count = f->edge_first[f->arc_first[end]] - level->first_edge;
  level->first_out = lanes->out_at[level->first_slot];
  level->out_count = lanes->out_at[end + level->load_count] - level->first_out;
  level->first_special = lists->special.count;
  level->first_irregular = lists->irregular.count;
  level->first_annotated = lists->annotated.count;
  for (uint32_t s = level->first_slot; s < end; s++) {
    if (is_special(f, s, marks)) put(&lists->special, s);
    if (is_annotated(f, s)) put(&lists->annotated, s);
  }
  for (uint32_t n = level->first_load; n < level->first_load + level->load_count; n++)
    if (f->loads[n].irregular && f->loads[n].driver != FLAT_NONE) put(&lists->irregular, n);
  level->special_count = lists->special.count - level->first_special;
  level->irregular_count = lists->irregular.count - level->first_irregular;
  level->annotated_count = lists->annotated.count - level->first_annotated;
}

/* Pairs a load with every edge of a driver that may have waves. Returns the number of pairs. */
static uint32_t put_wire_pairs(const Flat *f, uint32_t driver, FlatPair pair, uint32_t at,
                               FlatPair *room)
{
  if (f->slot_use[driver] & (FLAT_INSIDE | FLAT_PORT)) return at;
  for (uint32_t e = f->edge_first[f->arc_first[driver]];
       e < f->edge_first[f->arc_first[driver + 1]]; e++) {
    if (!(f->edges[e].use & FLAT_SHAPES)) continue;
    if (room) room[at] = (FlatPair){ pair.load, pair.slot, e, pair.extra };
    at++;
  }
  return at;
}

/* Pairs the irregular loads and the extra wires of the level's drivers with edges. Without memory
   for pairs, it only counts them. */
static uint32_t put_pairs(const Flat *f, FlatLevel *level, uint32_t at, FlatPair *room)
{
  uint32_t first = at;
  level->first_pair = at;
  for (uint32_t i = level->first_irregular; i < level->first_irregular + level->irregular_count;
       i++) {
    const FlatLoad *load = &f->loads[f->irregular_loads[i]];
    at = put_wire_pairs(f, load->driver,
                        (FlatPair){ f->irregular_loads[i], load->slot, 0, FLAT_NONE }, at, room);
  }
  for (uint32_t i = level->first_given; i < level->first_given + level->given_count; i++) {
    const FlatExtra *extra = &f->extras[f->driver_extras[i]];
    at = put_wire_pairs(f, extra->driver,
                        (FlatPair){ extra->load, extra->slot, 0, f->driver_extras[i] }, at, room);
  }
  level->pair_count = at - first;
  return at;
}

static void put_all_pairs(Flat *f, FlatLevel *levels)
{
  FlatPair *pairs = NULL;
  for (int round = 0; round < 2; round++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->count.levels; i++) count = put_pairs(f, &levels[i], count, pairs);
    f->count.pairs = count;
    if (round == 0) pairs = mem_alloc(sizeof *pairs * ((size_t)count + 1));
  }
  f->pairs = pairs;
}

static uint32_t largest_level(const Flat *f)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < f->count.levels; i++)
    if (f->levels[i].edge_count > most) most = f->levels[i].edge_count;
  return most;
}

void flat_lanes(Flat *f, FlatLevel *levels)
{
  size_t slots = (size_t)f->count.slots + 1;
  Lanes l = { f, mem_alloc(sizeof *l.load_at * slots), mem_alloc(sizeof *l.out_at * slots) };
  Lists lists = { new_list(f->count.drivers), new_list(f->count.loads),
                  new_list(f->traits.annotated & ANNOTATED_SLEWS ? f->count.drivers : 0) };
  uint8_t *marks = mem_alloc_zero(slots, 1);
  for (uint32_t s = 0; s < f->count.slots; s++) l.load_at[s] = FLAT_NONE;
  mark_seeds_from_elsewhere(f, marks);
  put_loads(&l);
  put_edges(&l);
  put_outs(&l);
  put_ends(&l);
  for (uint32_t i = 0; i < f->count.levels; i++) put_level(&l, &levels[i], marks, &lists);
  f->special_drivers = lists.special.at;
  f->count.special_drivers = lists.special.count;
  f->irregular_loads = lists.irregular.at;
  f->count.irregular_loads = lists.irregular.count;
  f->annotated_drivers = lists.annotated.at;
  f->count.annotated_drivers = lists.annotated.count;
  if (flat_model_has(f, DELAY_BY_WAVE)) {
    f->count.waves = 2 * largest_level(f);
    f->count.source_waves = flat_model_has(f, DELAY_BY_THRESHOLD) ? f->count.waves : 0;
    put_all_pairs(f, levels);
  }
  mem_free(l.load_at);
  f->slot_first_out = l.out_at;
  mem_free(marks);
}

void flat_lanes_free(Flat *f)
{
  const void *own[] = { f->slot_first_out,  f->loads,     f->edges,         f->outs,
                        f->special_drivers, f->irregular_loads, f->annotated_drivers, f->pairs,
                        f->end_loads,       f->end_checks };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
}
