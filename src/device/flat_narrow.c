/* Finds narrow levels, and divides each among the parts of a cluster (cuda/narrow.h). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/flat.h"

/* A shorter run of narrow levels does not pay, because a kernel comes before it. */
enum { LEAST_LEVELS = 4 };

/* --- parts: drivers one behind another, with about as many lanes each ------------------------- */
typedef struct { uint32_t first, end; } Drivers;      /* slots */

static uint32_t edge_at(const Flat *f, uint32_t slot) { return f->edge_first[f->arc_first[slot]]; }

/* Returns where the loads of a driver begin. */
static uint32_t loads_at(const Flat *f, const FlatLevel *level, uint32_t driver)
{
  return driver < level->first_slot + level->count
             ? f->load_first[driver]
             : level->first_slot + level->count + level->load_count;
}

static NarrowPart forward_part(const Flat *f, Drivers d)
{
  uint32_t node = f->node_first[d.first];
  return (NarrowPart){ 0,
                       2 * (edge_at(f, d.end) - edge_at(f, d.first)),
                       { d.first, node },
                       { d.end - d.first, f->node_first[d.end] - node },
                       edge_at(f, d.first) };
}

static NarrowPart backward_part(const Flat *f, const FlatLevel *level, Drivers d)
{
  uint32_t load = loads_at(f, level, d.first), end = loads_at(f, level, d.end),
           node = f->node_first[d.first], load_node = f->node_first[load];
  return (NarrowPart){ 0,
                       2 * (f->slot_first_out[end] - f->slot_first_out[load]),
                       { node, load_node },
                       { f->node_first[d.end] - node, f->node_first[end] - load_node },
                       f->slot_first_out[load] };
}

static NarrowPart part_of(const Flat *f, const FlatLevel *level, int way, Drivers d)
{
  return way == FLAT_FORWARD ? forward_part(f, d) : backward_part(f, level, d);
}

/* Divides the drivers of a level among the parts. Lanes get their places later. */
static void share_out(const Flat *f, const FlatLevel *level, int way,
                      NarrowPart parts[NARROW_PARTS])
{
  uint32_t end = level->first_slot + level->count, from = level->first_slot;
  for (uint32_t p = 0; p < NARROW_PARTS; p++) {
    uint32_t left = part_of(f, level, way, (Drivers){ from, end }).lanes,
             share = left / (NARROW_PARTS - p), to = from;
    while (to < end
           && (p + 1 == NARROW_PARTS || part_of(f, level, way, (Drivers){ from, to }).lanes < share
               || to == from))
      to++;
    parts[p] = part_of(f, level, way, (Drivers){ from, to });
    from = to;
  }
}

/* --- levels ----------------------------------------------------------------------------------- */
/* Does the level have plain edges only? Their nodes are joined one by one, and they do not launch
   data, because a launch may begin with an ideal clock. */
static bool plain_edges(const Flat *f, const FlatLevel *level)
{
  for (uint32_t e = level->first_edge; e < level->first_edge + level->edge_count; e++)
    if (f->edges[e].use & FLAT_ON && (f->edges[e].use & FLAT_LAUNCH || f->edges[e].nodes > 1))
      return false;
  return true;
}

static bool plain_outs(const Flat *f, const FlatLevel *level)
{
  for (uint32_t o = level->first_out; o < level->first_out + level->out_count; o++)
    if (f->outs[o].use & FLAT_ON
        && (f->outs[o].use & FLAT_LAUNCH || f->outs[o].nodes > 1 || f->outs[o].wire == FLAT_MAPPED))
      return false;
  return true;
}

/* Are the loads in the order of their drivers, and do no arcs start at the drivers? */
static bool by_driver(const Flat *f, const FlatLevel *level)
{
  uint32_t end = level->first_slot + level->count, load = end;
  if (f->slot_first_out[end] != f->slot_first_out[level->first_slot]) return false;
  for (uint32_t d = level->first_slot; d < end; d++) {
    if (f->load_first[d] != load) return false;
    load += f->load_count[d];
  }
  return load == end + level->load_count;
}

/* May the level be narrow? Forward, only the lanes of its edges may need a kernel. Backward,
   nothing may reach nodes of other levels. */
static bool may_be_narrow(const Flat *f, const FlatLevel *level, int way)
{
  if ((way == FLAT_FORWARD ? level->edge_count : level->out_count) > f->count.narrow_level)
    return false;
  if (way == FLAT_BACKWARD)
    return level->taken_count == 0 && by_driver(f, level) && plain_outs(f, level);
  return level->special_count + level->irregular_count + level->given_count == 0
         && plain_edges(f, level);
}

static bool parts_fit(const NarrowPart parts[NARROW_PARTS])
{
  for (int p = 0; p < NARROW_PARTS; p++)
    if (parts[p].lanes > NARROW_LANES || parts[p].count[0] + parts[p].count[1] > NARROW_LANES)
      return false;
  return true;
}

/* Gives the lanes of a level their places, one after another. */
static void take_level(Flat *f, NarrowPart parts[NARROW_PARTS], int way)
{
  for (int p = 0; p < NARROW_PARTS; p++) {
    parts[p].first = f->count.narrow[way];
    f->count.narrow[way] += parts[p].lanes;
  }
}

static void put_runs(Flat *f, NarrowPart *parts, int way)
{
  for (uint32_t l = 0, end; l < f->count.levels; l = end + 1) {
    for (end = l; end < f->count.levels && may_be_narrow(f, &f->levels[end], way); end++) {
      share_out(f, &f->levels[end], way, &parts[end * NARROW_PARTS]);
      if (!parts_fit(&parts[end * NARROW_PARTS])) break;
    }
    for (uint32_t i = l; i < end && end - l >= LEAST_LEVELS; i++)
      take_level(f, &parts[i * NARROW_PARTS], way);
    for (uint32_t i = end - l >= LEAST_LEVELS ? end : l; i <= end && i < f->count.levels; i++)
      for (int p = 0; p < NARROW_PARTS; p++)
        parts[i * NARROW_PARTS + (uint32_t)p].first = FLAT_NONE;
  }
}

/* Finds the runs of narrow levels. Forward runs have neither waves, which take a block too long,
   nor annotation, which is applied to merged numbers. */
void flat_narrow(Flat *f)
{
  NarrowPart *parts = mem_alloc(sizeof *parts
                                * (NARROW_PARTS * FLAT_WAYS * (size_t)f->count.levels + 1)),
             *back = parts + (size_t)f->count.levels * NARROW_PARTS;
  memset(parts, 0xff, sizeof *parts * (NARROW_PARTS * FLAT_WAYS * (size_t)f->count.levels + 1));
  f->narrow_parts = parts;
  if (f->traits.schedule != SCHEDULE_PIN || f->count.narrow_level == 0) return;
  if (!flat_model_has(f, DELAY_BY_WAVE) && !f->traits.annotated) put_runs(f, parts, FLAT_FORWARD);
  put_runs(f, back, FLAT_BACKWARD);
}

void flat_narrow_free(Flat *f) { mem_free((void *)f->narrow_parts); }
