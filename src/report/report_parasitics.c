/* Writes report_parasitic_annotation. */
#include "report/report_parasitics.h"

#include <math.h>

#include "base/interrupt.h"

static const char *const annotation_names[ANNOTATION_COUNT] = { "annotated", "partly annotated",
                                                                "not annotated" };

/* --- files ------------------------------------------------------------------------------------ */
static void read_rows(Grid *grid, const Sheet *sheet, const Parasitics *parasitics,
                      const char *analysis)
{
  for (uint32_t i = 0; i < parasitics->reads.len; i++) {
    const SpefRead *read = &parasitics->reads.at[i];
    grid_text(grid, names_text(sheet->netlist->names, read->file));
    grid_text(grid, analysis);
    const uint32_t counts[] = { read->nets,           read->matched, read->unmatched_nets,
                                read->unmatched_pins, read->lumped,  read->coupling,
                                read->loops,          read->islands, read->no_driver };
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) grid_printf(grid, "%u", counts[k]);
  }
}

static void report_reads(const Sheet *sheet, const Timing *t)
{
  const Parasitics *early = t->parasitics[EARLY], *late = t->parasitics[LATE];
  if (early == NULL && late == NULL) {
    text_put(sheet->out, "no parasitics were read\n\n");
    return;
  }
  Grid *grid = grid_new("llrrrrrrrrr", 0);
  grid_row(grid, "file|for|nets|matched|unknown nets|unknown "
                 "pins|lumped|couplings|loops|islands|without driver");
  if (early) read_rows(grid, sheet, early, early == late ? "both" : "early");
  if (late && late != early) read_rows(grid, sheet, late, "late");
  grid_finish(grid, sheet->out);
  text_char(sheet->out, '\n');
}

/* --- drivers ---------------------------------------------------------------------------------- */
typedef struct {
  uint32_t drivers[ANNOTATION_COUNT], loads, reached, without_load, constant;
} Totals;

static void list_driver(Grid *grid, const Sheet *sheet, const Graph *g, Slot driver, Annotation a,
                        uint32_t loads, uint32_t reached)
{
  PinId p = g->slots.pin[driver];
  cell_pin(grid, sheet, p);
  cell_net(grid, sheet, netlist_pin_net(sheet->netlist, p));
  grid_text(grid, annotation_names[a]);
  grid_printf(grid, "%u", loads);
  grid_printf(grid, "%u", reached);
}

/* Drivers that drive nothing, or a constant, need no parasitics: those without are counted
   apart. */
static void count_driver(Totals *totals, Grid *grid, const Sheet *sheet, const Graph *g,
                         AnnotationQuery *query, Slot driver, unsigned list)
{
  uint32_t loads, reached;
  Annotation a = annotation_of_driver(query, driver, &loads, &reached);
  bool constant = g->slots.flags[driver] & SLOT_CONSTANT;
  if (a == NOT_ANNOTATED && (loads == 0 || constant)) {
    if (loads == 0) totals->without_load++;
    else totals->constant++;
    return;
  }
  totals->drivers[a]++;
  totals->loads += loads;
  totals->reached += reached;
  if (list >> a & 1) list_driver(grid, sheet, g, driver, a, loads, reached);
}

static void total_rows(const Sheet *sheet, const Totals *totals)
{
  Grid *grid = grid_new("lr", 0);
  grid_row(grid, "drivers|count");
  for (int k = 0; k < ANNOTATION_COUNT; k++) {
    grid_text(grid, annotation_names[k]);
    grid_printf(grid, "%u", totals->drivers[k]);
  }
  grid_text(grid, "no load, not annotated");
  grid_printf(grid, "%u", totals->without_load);
  grid_text(grid, "constant, not annotated");
  grid_printf(grid, "%u", totals->constant);
  grid_text(grid, "loads reached");
  grid_printf(grid, "%u of %u", totals->reached, totals->loads);
  grid_finish(grid, sheet->out);
}

void report_annotation(const Sheet *sheet, const Timing *t, unsigned list)
{
  const Graph *g = t->g;
  Totals n = { 0 };
  AnnotationQuery *query = annotation_query_new(g, t->parasitics[LATE]);
  Grid *grid = grid_new("lllrr", 0);
  grid_row(grid, "driver|net|parasitics|loads|reached");
  for (PinId p = 0; p < sheet->netlist->pins.len && !interrupt_seen(); p++) {
    Slot driver = g->slots.of_pin[p] == NO_SLOT ? NO_SLOT : graph_slot(g, p, true);
    if (driver != NO_SLOT && slot_is_driver(g, driver))
      count_driver(&n, grid, sheet, g, query, driver, list);
  }
  annotation_query_free(query);
  report_reads(sheet, t);
  total_rows(sheet, &n);
  if (grid_rows(grid)) {
    text_char(sheet->out, '\n');
    grid_write(grid, sheet->out);
  }
  grid_free(grid);
}

/* --- nets ------------------------------------------------------------------------------------- */
static void net_total(const Sheet *sheet, const Parasitics *parasitics, NetId net)
{
  uint32_t pieces = 0, nodes = 0;
  double cap = 0;
  for (PieceId i = parasitics && net < parasitics->net_piece.len ? parasitics->net_piece.at[net]
                                                                 : NO_PIECE;
       i != NO_PIECE; i = parasitics->pieces.at[i].next) {
    const RcPiece *piece = &parasitics->pieces.at[i];
    pieces++;
    nodes += piece->node_count;
    for (uint32_t k = 0; k < piece->node_count; k++)
      cap += parasitics->nodes.at[piece->first_node + k].cap;
  }
  text_printf(sheet->out, ": %u piece%s, %u nodes, wire capacitance ", pieces,
              pieces == 1 ? "" : "s", nodes);
  sheet_unit(sheet, sheet->out, UNIT_CAPACITANCE, cap);
  text_char(sheet->out, '\n');
}

void report_net_annotation(const Sheet *sheet, const Timing *t, const Object *nets, uint32_t count)
{
  const Parasitics *parasitics = t->parasitics[LATE];
  AnnotationQuery *query = annotation_query_new(t->g, parasitics);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    NetId net = sheet->netlist->segs.at[nets[i].id].net;
    text_put(sheet->out, "net ");
    netlist_seg_name(sheet->netlist, nets[i].id, sheet->separator, sheet->out);
    net_total(sheet, parasitics, net);
    Grid *grid = grid_new("lllrr", 2);
    grid_row(grid, "driver|net|parasitics|loads|reached");
    NetPins it = net_pins(sheet->netlist, net, false);
    for (PinId pin; (pin = net_pins_next(&it)) != NO_PIN;) {
      Slot driver = graph_slot(t->g, pin, true);
      if (driver == NO_SLOT || !slot_is_driver(t->g, driver)) continue;
      uint32_t loads, reached;
      Annotation a = annotation_of_driver(query, driver, &loads, &reached);
      list_driver(grid, sheet, t->g, driver, a, loads, reached);
    }
    grid_finish(grid, sheet->out);
  }
  annotation_query_free(query);
}
