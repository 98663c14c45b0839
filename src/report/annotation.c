#include "report/annotation.h"

#include <math.h>

static const char *const annotation_names[ANNOTATION_COUNT] = { "annotated", "partly annotated", "not annotated" };

/* --- files ------------------------------------------------------------------------------------------------------- */
static void read_rows(Columns *c, const Sheet *s, const Parasitics *p, const char *analysis)
{
  for (uint32_t i = 0; i < p->reads.len; i++) {
    const SpefRead *r = &p->reads.at[i];
    columns_text(c, names_text(s->netlist->names, r->file));
    columns_text(c, analysis);
    const uint32_t counts[] = { r->nets, r->matched, r->unmatched_nets, r->unmatched_pins, r->lumped, r->coupling, r->loops, r->islands, r->no_driver };
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) columns_printf(c, "%u", counts[k]);
  }
}

static void report_reads(const Sheet *s, const Timing *t)
{
  const Parasitics *early = t->parasitics[EARLY], *late = t->parasitics[LATE];
  if (early == NULL && late == NULL) {
    text_put(s->out, "no parasitics were read\n\n");
    return;
  }
  Columns *c = columns_new("llrrrrrrrrr", 0);
  columns_row(c, "file|for|nets|matched|unknown nets|unknown pins|lumped|couplings|loops|islands|without driver");
  if (early) read_rows(c, s, early, early == late ? "both" : "early");
  if (late && late != early) read_rows(c, s, late, "late");
  columns_finish(c, s->out);
  text_char(s->out, '\n');
}

/* --- drivers ------------------------------------------------------------------------------------------------------- */
typedef struct {
  uint32_t drivers[ANNOTATION_COUNT], loads, reached, without_load;
} Totals;

static bool driver_counts(const Graph *g, Slot s)
{
  return s != NO_SLOT && slot_is_driver(g, s) && !(g->slot_flags[s] & SLOT_CONSTANT);
}

static void list_driver(Columns *c, const Sheet *s, const Graph *g, Slot driver, Annotation a, uint32_t loads, uint32_t reached)
{
  PinId p = g->slot_pin[driver];
  cell_pin(c, s, p);
  cell_net(c, s, netlist_pin_net(s->netlist, p));
  columns_text(c, annotation_names[a]);
  columns_printf(c, "%u", loads);
  columns_printf(c, "%u", reached);
}

/* Drivers that drive nothing need no parasitics: they are counted apart. */
static void count_driver(Totals *n, Columns *c, const Sheet *s, const Graph *g, AnnotationQuery *q, Slot driver, unsigned list)
{
  uint32_t loads, reached;
  Annotation a = annotation_of_driver(q, driver, &loads, &reached);
  if (loads == 0 && a == NOT_ANNOTATED) {
    n->without_load++;
    return;
  }
  n->drivers[a]++;
  n->loads += loads;
  n->reached += reached;
  if (list >> a & 1) list_driver(c, s, g, driver, a, loads, reached);
}

static void total_rows(const Sheet *s, const Totals *n)
{
  Columns *c = columns_new("lr", 0);
  columns_row(c, "drivers|count");
  for (int k = 0; k < ANNOTATION_COUNT; k++) {
    columns_text(c, annotation_names[k]);
    columns_printf(c, "%u", n->drivers[k]);
  }
  columns_text(c, "without load");
  columns_printf(c, "%u", n->without_load);
  columns_text(c, "loads reached");
  columns_printf(c, "%u of %u", n->reached, n->loads);
  columns_finish(c, s->out);
}

void report_annotation(const Sheet *s, const Timing *t, unsigned list)
{
  const Graph *g = t->g;
  Totals n = { 0 };
  AnnotationQuery *q = annotation_query_new(g, t->parasitics[LATE]);
  Columns *c = columns_new("lllrr", 0);
  columns_row(c, "driver|net|parasitics|loads|reached");
  for (PinId p = 0; p < s->netlist->pins.len; p++) {
    Slot driver = g->pin_slot[p] == NO_SLOT ? NO_SLOT : graph_slot(g, p, true);
    if (driver_counts(g, driver)) count_driver(&n, c, s, g, q, driver, list);
  }
  annotation_query_free(q);
  report_reads(s, t);
  total_rows(s, &n);
  if (columns_rows(c)) {
    text_char(s->out, '\n');
    columns_write(c, s->out);
  }
  columns_free(c);
}

/* --- nets -------------------------------------------------------------------------------------------------------------- */
static void net_total(const Sheet *s, const Parasitics *p, NetId net)
{
  uint32_t pieces = 0, nodes = 0;
  double cap = 0;
  for (PieceId i = p && net < p->net_piece.len ? p->net_piece.at[net] : NO_PIECE; i != NO_PIECE; i = p->pieces.at[i].next) {
    const RcPiece *piece = &p->pieces.at[i];
    pieces++;
    nodes += piece->node_count;
    for (uint32_t k = 0; k < piece->node_count; k++) cap += p->nodes.at[piece->first_node + k].cap;
  }
  text_printf(s->out, ": %u piece%s, %u nodes, wire capacitance ", pieces, pieces == 1 ? "" : "s", nodes);
  sheet_unit(s, s->out, UNIT_CAPACITANCE, cap);
  text_char(s->out, '\n');
}

void report_net_annotation(const Sheet *s, const Timing *t, const Object *nets, uint32_t count)
{
  const Parasitics *p = t->parasitics[LATE];
  AnnotationQuery *q = annotation_query_new(t->g, p);
  for (uint32_t i = 0; i < count; i++) {
    NetId net = s->netlist->segs.at[nets[i].id].net;
    text_put(s->out, "net ");
    netlist_seg_name(s->netlist, nets[i].id, s->separator, s->out);
    net_total(s, p, net);
    Columns *c = columns_new("lllrr", 2);
    columns_row(c, "driver|net|parasitics|loads|reached");
    NetPins it = net_pins(s->netlist, net, false);
    for (PinId pin; (pin = net_pins_next(&it)) != NO_PIN;) {
      Slot driver = graph_slot(t->g, pin, true);
      if (driver == NO_SLOT || !slot_is_driver(t->g, driver)) continue;
      uint32_t loads, reached;
      Annotation a = annotation_of_driver(q, driver, &loads, &reached);
      list_driver(c, s, t->g, driver, a, loads, reached);
    }
    columns_finish(c, s->out);
  }
  annotation_query_free(q);
}
