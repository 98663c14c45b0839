/* Writes report_ocv. */
#include "report/report_ocv.h"

#include "timing/variation.h"

/* --- tables ----------------------------------------------------------------------------------- */
static const char *mask_text(unsigned bits, const char *first, const char *second)
{
  return bits == 3 ? "both" : bits == 1 ? first : second;
}

static void object_name(const Sheet *sheet, Text *text, Object o)
{
  if (o.type == OBJ_CELL) netlist_inst_name(sheet->netlist, o.id, sheet->separator, text);
  else if (o.type == OBJ_NET) netlist_seg_name(sheet->netlist, o.id, sheet->separator, text);
  else if (o.type == OBJ_DESIGN)
    text_put(text, names_text(sheet->netlist->names, sheet->netlist->top_name));
  else {
    const LibCell *cell = &sheet->libs->cells.at[o.id];
    text_printf(
        text, "%s/%s",
        cell->library == NO_LIBRARY
            ? ""
            : names_text(sheet->netlist->names, sheet->libs->libraries.at[cell->library].name),
        names_text(sheet->netlist->names, cell->name));
  }
}

static void range_cell(Grid *grid, const float *values, uint32_t count)
{
  float low = values[0], high = values[0];
  for (uint32_t i = 1; i < count; i++) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  if (low == high) grid_printf(grid, "%g", (double)low);
  else grid_printf(grid, "%g to %g", (double)low, (double)high);
}

static void axis_cell(Grid *grid, const float *axis, uint32_t count)
{
  if (count > 1 || axis[0] != 0) range_cell(grid, axis, count);
  else grid_text(grid, "-");
}

static unsigned edges_of(const OcvTable *table)
{
  return (table->conditions & 5 ? 1u : 0) | (table->conditions & 10 ? 2u : 0);
}
static unsigned analyses_of(const OcvTable *table)
{
  return (table->conditions & 3 ? 1u : 0) | (table->conditions & 12 ? 2u : 0);
}

static void use_row(const Sheet *sheet, Grid *grid, const Variation *variation, const OcvUse *use)
{
  static const char *const types[OBJ_TYPE_COUNT] = {
    [OBJ_DESIGN] = "design", [OBJ_CELL] = "cell", [OBJ_NET] = "net", [OBJ_LIB_CELL] = "library cell"
  };
  const OcvTable *table = &variation->tables.at[use->table];
  const float *distances = variation->values.at + table->first,
              *depths = distances + table->distance_count, *values = depths + table->depth_count;
  object_name(sheet, grid_open(grid), use->object);
  grid_close(grid);
  grid_text(grid, types[use->object.type]);
  grid_text(grid, table->kind == OCV_DERATE ? "derate" : "coefficient");
  grid_text(grid, mask_text(table->delays, "cell", "net"));
  grid_text(grid, mask_text(table->paths, "data", "clock"));
  grid_text(grid, mask_text(analyses_of(table), "early", "late"));
  grid_text(grid, mask_text(edges_of(table), "rise", "fall"));
  axis_cell(grid, depths, table->depth_count);
  axis_cell(grid, distances, table->distance_count);
  range_cell(grid, values, (uint32_t)table->distance_count * table->depth_count);
}

void report_ocv_tables(const Sheet *sheet, const Variation *variation)
{
  static const char *const uses[] = { "are not used", "replace set_timing_derate's factors",
                                      "multiply set_timing_derate's factors" };
  if (variation == NULL) {
    text_put(sheet->out, "no on-chip variation was given\n");
    return;
  }
  text_printf(sheet->out, "tables by depth %s; ", uses[variation->options.tables]);
  if (variation->options.mode == OCV_NORMAL)
    text_printf(sheet->out, "sigma counts, at %g sigma\n", (double)variation->options.quantile);
  else text_put(sheet->out, "sigma does not count\n");
  if (variation->uses.len == 0) return;
  if (variation_by_distance(variation))
    text_printf(sheet->out, "distances are in units of %g microns%s\n",
                (double)variation->options.distance_unit,
                variation->places.len ? "" : "; no placement was read, so all are 0");
  Grid *grid = grid_new("lllllllrrr", 0);
  grid_row(grid, "object|type|what|delays|paths|analysis|edges|depth|distance|values");
  for (uint32_t i = 0; i < variation->uses.len; i++)
    use_row(sheet, grid, variation, &variation->uses.at[i]);
  grid_finish(grid, sheet->out);
}

/* --- delays ----------------------------------------------------------------------------------- */
typedef struct {
  const Sheet  *sheet;
  const Timing *t;
  Grid         *grid;
  PathDepths   *depths;
} Listing;

static void metric_row(const Listing *listing, PinId from, PinId to, bool clock, PathMetric m,
                       const uint32_t *index, uint32_t at)
{
  if (m.depth == 0) return;
  cell_pin(listing->grid, listing->sheet, from);
  cell_pin(listing->grid, listing->sheet, to);
  grid_text(listing->grid, clock ? "clock" : "data");
  grid_printf(listing->grid, "%u", m.depth);
  grid_printf(listing->grid, "%g", (double)m.distance);
  for (int k = 0; k < CONDITION_COUNT; k++)
    grid_printf(listing->grid, "%.4f", (double)timing_derate(listing->t, index, at, clock, k));
}

static void list_driver(const Listing *listing, Slot driver)
{
  const Graph *g = listing->t->g;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    for (int clock = 0; clock <= 1; clock++)
      metric_row(listing, g->slots.pin[g->arcs.from[a]], g->slots.pin[driver], clock,
                 path_depth_arc(listing->depths, a, clock), listing->t->derates.arc, a);
}

static void list_cell(const Listing *listing, InstId inst)
{
  const Inst *in = &listing->sheet->netlist->insts.at[inst];
  if (!inst_is_leaf(listing->sheet->netlist, inst)) return;
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    Slot s =
        listing->t->g->slots.of_pin[p] == NO_SLOT ? NO_SLOT : graph_slot(listing->t->g, p, true);
    if (s != NO_SLOT && slot_is_driver(listing->t->g, s)) list_driver(listing, s);
  }
}

static void list_net(const Listing *listing, NetId net)
{
  const Graph *g = listing->t->g;
  NetPins it = net_pins(listing->sheet->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = g->slots.of_pin[p] == NO_SLOT ? NO_SLOT : graph_slot(g, p, false);
    if (s == NO_SLOT || slot_is_driver(g, s) || g->nets.wire_driver[s] == NO_SLOT) continue;
    for (int clock = 0; clock <= 1; clock++)
      metric_row(listing, g->slots.pin[g->nets.wire_driver[s]], p, clock,
                 path_depth_wire(listing->depths, s, clock), listing->t->derates.wire,
                 graph_load_index(g, s));
  }
}

void report_ocv_objects(const Sheet *sheet, const Timing *t, const Variation *variation,
                        const Object *objects, uint32_t count)
{
  PathPlaces places = variation ? variation_places(variation) : (PathPlaces){ NULL, 0 };
  Listing l = { sheet, t, grid_new("lllrrrrrr", 0), path_depths_new(t->g, places) };
  grid_row(l.grid, "from|to|paths|depth|distance|early rise|early fall|late rise|late fall");
  for (uint32_t i = 0; i < count; i++) {
    if (objects[i].type == OBJ_CELL) list_cell(&l, objects[i].id);
    else list_net(&l, sheet->netlist->segs.at[objects[i].id].net);
  }
  path_depths_free(l.depths);
  grid_finish(l.grid, sheet->out);
}
