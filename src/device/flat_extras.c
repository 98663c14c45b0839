/* Makes the records of nets with several drivers: the wires to loads that another driver owns
   (see FlatExtra in device/flat.h). */
#include "timing/derived.h"
#include "device/flat.h"

/* Marks slots of such nets. If a port owns loads, the host computes all drivers of the net. No
   other driver of the net is in a higher level, so the host needs no number of the device for
   this. */
static void mark_slots(Flat *f, const Graph *g)
{
  uint8_t *use = (uint8_t *)f->slot_use;
  for (uint32_t i = 0; i < g->nets.extra_wires.len; i++) {
    const ExtraWire *wire = &g->nets.extra_wires.at[i];
    use[wire->load] |= FLAT_SHARED;
    if (use[g->nets.wire_driver[wire->load]] & FLAT_PORT) use[wire->driver] |= FLAT_PORT;
  }
}

/* Makes the records, in the order of loads. extra_wires is in the order of slots, and so of
   loads. */
static void put_extras(Flat *f, const Graph *g)
{
  FlatExtra *extras = mem_alloc(sizeof *extras * f->count.extras);
  uint32_t *first = mem_alloc_zero((size_t)f->count.loads + 1, sizeof *first);
  for (uint32_t i = 0; i < f->count.extras; i++) {
    const ExtraWire *wire = &g->nets.extra_wires.at[i];
    extras[i] = (FlatExtra){ graph_load_index(g, wire->load), wire->load, wire->driver, wire->map };
    first[extras[i].load + 1]++;
  }
  for (uint32_t i = 0; i < f->count.loads; i++) first[i + 1] += first[i];
  f->extras = extras;
  f->load_extra = first;
}

static void put_by_driver(Flat *f, const Graph *g)
{
  uint32_t *first = mem_alloc_zero((size_t)f->count.drivers + 2, sizeof *first),
           *list = mem_alloc(sizeof *list * f->count.extras);
  for (uint32_t i = 0; i < f->count.extras; i++)
    first[graph_driver_index(g, f->extras[i].driver) + 2]++;
  for (uint32_t d = 0; d < f->count.drivers; d++) first[d + 1] += first[d];
  for (uint32_t i = 0; i < f->count.extras; i++)
    list[first[graph_driver_index(g, f->extras[i].driver) + 1]++] = i;
  f->driver_extra = first;
  f->driver_extras = list;
}

static void put_levels(const Flat *f, FlatLevel *levels)
{
  for (uint32_t i = 0; i < f->count.levels; i++) {
    FlatLevel *level = &levels[i];
    level->first_given = f->driver_extra[level->first_driver];
    level->given_count = f->driver_extra[level->first_driver + level->count] - level->first_given;
    level->first_taken = f->load_extra[level->first_load];
    level->taken_count = f->load_extra[level->first_load + level->load_count] - level->first_taken;
  }
}

static void put_ports(Flat *f)
{
  uint32_t *list = mem_alloc(sizeof *list * f->count.extras);
  for (uint32_t i = 0; i < f->count.extras; i++)
    if (f->slot_use[f->extras[i].driver] & FLAT_PORT) list[f->count.port_extras++] = i;
  f->port_extra = list;
}

void flat_extras(Flat *f, const Timing *t, FlatLevel *levels)
{
  const Graph *g = t->g;
  f->count.extras = g->nets.extra_wires.len;
  if (f->count.extras == 0) return;
  mark_slots(f, g);
  put_extras(f, g);
  put_by_driver(f, g);
  put_levels(f, levels);
  put_ports(f);
}

void flat_extras_free(Flat *f)
{
  const void *own[] = { f->extras, f->load_extra, f->driver_extra, f->driver_extras,
                        f->port_extra };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
}
