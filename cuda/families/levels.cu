/* Levelization on a device: memory, kernels, and the order of kernels (see
   cuda/families/level_view.h). */
#include "cuda/families/level_view.h"
#include "device/device_levels.h"

#define SL_LEVELS(v) SL_GIVEN(LevelView, v)

/* --- kernels ---------------------------------------------------------------------------------- */
SL_KERNEL link_arcs(SL_LEVELS(v))
{
  SL_EACH(i, v.in.arc_count) level_link(&v, i);
}

SL_KERNEL join_nets(SL_LEVELS(v))
{
  SL_EACH(i, v.in.net_count) level_net(&v, i);
}

SL_KERNEL begin_levels(SL_LEVELS(v))
{
  SL_EACH(i, v.in.vertex_count)
  {
    if (v.vertices[i].waiting == 0) level_push(&v, i, 0, 0);
  }
}

SL_GRID_KERNEL place_levels(SL_LEVELS(v)) { level_frontiers(&v); }

/* Writes the levels. A vertex that was not placed has NO_LEVEL. */
SL_KERNEL write_levels(SL_LEVELS(v))
{
  SL_EACH(i, v.in.vertex_count) v.level[i] = v.vertices[i].level - 1;
}

/* --- memory ----------------------------------------------------------------------------------- */
/* Returns the largest number of items: one for each vertex, and for each driver one for each
   further piece of the loads of its net. */
static size_t most_items(const LevelInput *in)
{
  size_t items = in->vertex_count;
  for (uint32_t net = 0; net < in->net_count; net++)
    items += (size_t)(in->driver_first[net + 1] - in->driver_first[net])
             * ((in->load_first[net + 1] - in->load_first[net]) / LOAD_PIECE);
  return items;
}

/* The host's arrays, in the order in which they are stored. */
#define LEVEL_ARRAYS(X) \
  X(LevelArc, arcs, in->arc_count) \
  X(uint32_t, driver_first, in->net_count + 1) \
  X(uint32_t, load_first, in->net_count + 1) \
  X(uint32_t, net_drivers, in->driver_first[in->net_count]) \
  X(uint32_t, net_loads, in->load_first[in->net_count])

static void place_level_arrays(LevelView *view, Room *room, const LevelInput *in)
{
#define PLACE(type, name, count) view->in.name = \
    (const type *)take_room(room, (size_t)(count) * sizeof(type));
  LEVEL_ARRAYS(PLACE)
#undef PLACE
  view->vertices = (LevelVertex *)take_room(room, in->vertex_count * sizeof *view->vertices);
  view->next_arc = (uint32_t *)take_room(room, in->arc_count * sizeof *view->next_arc);
  view->items = (LevelItem *)take_room(room, view->most_items * sizeof *view->items);
  view->level = (uint32_t *)take_room(room, in->vertex_count * sizeof *view->level);
  view->control = (LevelControl *)take_room(room, sizeof *view->control);
}

static bool make_levels(Device *d, LevelView *view, const LevelInput *in)
{
  Room count = { NULL, 0 };
  view->in = *in;
  view->most_items = most_items(in);
  view->reversed = d->reversed;
  place_level_arrays(view, &count, in);
  Room room = { device_block(d, count.at), 0 };
  if (room.block) place_level_arrays(view, &room, in);
  return room.block != NULL;
}

/* Blocks on a multiprocessor. There are many, because lanes wait for memory longer than blocks for
   each other. */
enum { GRID_EACH = 8 };

/* --- the operation ---------------------------------------------------------------------------- */
static void find_levels(Device *d, const LevelView *view, const LevelInput *in)
{
#define PUT(type, name, count) device_put(d, (void *)view->in.name, in->name, \
    (size_t)(count) * sizeof(type));
  LEVEL_ARRAYS(PUT)
#undef PUT
  SL_START(d, in->net_count, join_nets, *view);
  SL_START(d, in->arc_count, link_arcs, *view);
  SL_START(d, in->vertex_count, begin_levels, *view);
  SL_START_GRID(d, SL_MOST_BLOCKS(d, GRID_EACH, place_levels), place_levels, *view);
  SL_START(d, in->vertex_count, write_levels, *view);
}

/* Computes the levels. It keeps no state, because the device is closed afterwards. */
static void find(Device *d, void *state, void *call)
{
  const LevelsCall *levels_call = (const LevelsCall *)call;
  LevelView v;
  (void)state;
  if (!make_levels(d, &v, levels_call->in)) return;
  find_levels(d, &v, levels_call->in);
  device_get(d, levels_call->level, v.level,
             levels_call->in->vertex_count * sizeof *levels_call->level);
}

static const FamilyOperation operations[] = {
  { .name = "levels", .run = find, .reads = 0 },      /* LEVELS_FIND */
};

SL_FAMILY(levels) = { .state_bytes = 0, .operations = operations };
