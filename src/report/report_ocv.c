/* Writes report_ocv. */
#include "report/report_ocv.h"

#include "timing/variation.h"

/* --- tables ----------------------------------------------------------------------------------- */
static const char *mask_text(unsigned bits, const char *first, const char *second)
{
  return bits == 3 ? "both" : bits == 1 ? first : second;
}

static void object_name(const Sheet *s, Text *t, Object o)
{
  if (o.type == OBJ_CELL) netlist_inst_name(s->netlist, o.id, s->separator, t);
  else if (o.type == OBJ_NET) netlist_seg_name(s->netlist, o.id, s->separator, t);
  else if (o.type == OBJ_DESIGN) text_put(t, names_text(s->netlist->names, s->netlist->top_name));
  else {
    const LibCell *c = &s->libs->cells.at[o.id];
    text_printf(t, "%s/%s",
                c->library == NO_LIBRARY
                    ? ""
                    : names_text(s->netlist->names, s->libs->libraries.at[c->library].name),
                names_text(s->netlist->names, c->name));
  }
}

static void range_cell(Grid *c, const float *values, uint32_t count)
{
  float low = values[0], high = values[0];
  for (uint32_t i = 1; i < count; i++) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  if (low == high) grid_printf(c, "%g", (double)low);
  else grid_printf(c, "%g to %g", (double)low, (double)high);
}

static void axis_cell(Grid *c, const float *axis, uint32_t count)
{
  if (count > 1 || axis[0] != 0) range_cell(c, axis, count);
  else grid_text(c, "-");
}

static unsigned edges_of(const OcvTable *t)
{
  return (t->conditions & 5 ? 1u : 0) | (t->conditions & 10 ? 2u : 0);
}
static unsigned analyses_of(const OcvTable *t)
{
  return (t->conditions & 3 ? 1u : 0) | (t->conditions & 12 ? 2u : 0);
}

static void use_row(const Sheet *s, Grid *c, const Variation *v, const OcvUse *use)
{
  static const char *const types[OBJ_TYPE_COUNT] = {
    [OBJ_DESIGN] = "design", [OBJ_CELL] = "cell", [OBJ_NET] = "net", [OBJ_LIB_CELL] = "library cell"
  };
  const OcvTable *t = &v->tables.at[use->table];
  const float *distances = v->values.at + t->first, *depths = distances + t->distance_count,
              *values = depths + t->depth_count;
  object_name(s, grid_open(c), use->object);
  grid_close(c);
  grid_text(c, types[use->object.type]);
  grid_text(c, t->kind == OCV_DERATE ? "derate" : "coefficient");
  grid_text(c, mask_text(t->delays, "cell", "net"));
  grid_text(c, mask_text(t->paths, "data", "clock"));
  grid_text(c, mask_text(analyses_of(t), "early", "late"));
  grid_text(c, mask_text(edges_of(t), "rise", "fall"));
  axis_cell(c, depths, t->depth_count);
  axis_cell(c, distances, t->distance_count);
  range_cell(c, values, (uint32_t)t->distance_count * t->depth_count);
}

void report_ocv_tables(const Sheet *s, const Variation *v)
{
  static const char *const uses[] = { "are not used", "replace set_timing_derate's factors",
                                      "multiply set_timing_derate's factors" };
  if (v == NULL) {
    text_put(s->out, "no on-chip variation was given\n");
    return;
  }
  text_printf(s->out, "tables by depth %s; ", uses[v->options.tables]);
  if (v->options.mode == OCV_NORMAL)
    text_printf(s->out, "sigma counts, at %g sigma\n", (double)v->options.quantile);
  else text_put(s->out, "sigma does not count\n");
  if (v->uses.len == 0) return;
  if (variation_by_distance(v))
    text_printf(s->out, "distances are in units of %g microns%s\n",
                (double)v->options.distance_unit,
                v->places.len ? "" : "; no placement was read, so all are 0");
  Grid *c = grid_new("lllllllrrr", 0);
  grid_row(c, "object|type|what|delays|paths|analysis|edges|depth|distance|values");
  for (uint32_t i = 0; i < v->uses.len; i++) use_row(s, c, v, &v->uses.at[i]);
  grid_finish(c, s->out);
}

/* --- delays ----------------------------------------------------------------------------------- */
typedef struct {
  const Sheet  *s;
  const Timing *t;
  Grid         *c;
  PathDepths   *depths;
} Listing;

static void metric_row(const Listing *l, PinId from, PinId to, bool clock, PathMetric m,
                       const uint32_t *index, uint32_t at)
{
  if (m.depth == 0) return;
  cell_pin(l->c, l->s, from);
  cell_pin(l->c, l->s, to);
  grid_text(l->c, clock ? "clock" : "data");
  grid_printf(l->c, "%u", m.depth);
  grid_printf(l->c, "%g", (double)m.distance);
  for (int k = 0; k < CONDITION_COUNT; k++)
    grid_printf(l->c, "%.4f", (double)timing_derate(l->t, index, at, clock, k));
}

static void list_driver(const Listing *l, Slot driver)
{
  const Graph *g = l->t->g;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    for (int clock = 0; clock <= 1; clock++)
      metric_row(l, g->slots.pin[g->arcs.from[a]], g->slots.pin[driver], clock,
                 path_depth_arc(l->depths, a, clock), l->t->derates.arc, a);
}

static void list_cell(const Listing *l, InstId inst)
{
  const Inst *in = &l->s->netlist->insts.at[inst];
  if (!inst_is_leaf(l->s->netlist, inst)) return;
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    Slot s = l->t->g->slots.of_pin[p] == NO_SLOT ? NO_SLOT : graph_slot(l->t->g, p, true);
    if (s != NO_SLOT && slot_is_driver(l->t->g, s)) list_driver(l, s);
  }
}

static void list_net(const Listing *l, NetId net)
{
  const Graph *g = l->t->g;
  NetPins it = net_pins(l->s->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = g->slots.of_pin[p] == NO_SLOT ? NO_SLOT : graph_slot(g, p, false);
    if (s == NO_SLOT || slot_is_driver(g, s) || g->nets.wire_driver[s] == NO_SLOT) continue;
    for (int clock = 0; clock <= 1; clock++)
      metric_row(l, g->slots.pin[g->nets.wire_driver[s]], p, clock,
                 path_depth_wire(l->depths, s, clock), l->t->derates.wire, graph_load_index(g, s));
  }
}

void report_ocv_objects(const Sheet *s, const Timing *t, const Variation *v, const Object *objects,
                        uint32_t count)
{
  PathPlaces places = v ? variation_places(v) : (PathPlaces){ NULL, 0 };
  Listing l = { s, t, grid_new("lllrrrrrr", 0), path_depths_new(t->g, places) };
  grid_row(l.c, "from|to|paths|depth|distance|early rise|early fall|late rise|late fall");
  for (uint32_t i = 0; i < count; i++) {
    if (objects[i].type == OBJ_CELL) list_cell(&l, objects[i].id);
    else list_net(&l, s->netlist->segs.at[objects[i].id].net);
  }
  path_depths_free(l.depths);
  grid_finish(l.c, s->out);
}
