/* Writes report_parasitic_annotation. */
#include "report/report_parasitics.h"

#include <math.h>

#include "base/interrupt.h"

static const char *const annotation_names[ANNOTATION_COUNT] = { "annotated", "partly annotated",
                                                                "not annotated" };

/* --- files ------------------------------------------------------------------------------------ */
static void read_rows(Grid *c, const Sheet *s, const Parasitics *p, const char *analysis)
{
  for (uint32_t i = 0; i < p->reads.len; i++) {
    const SpefRead *r = &p->reads.at[i];
    grid_text(c, names_text(s->netlist->names, r->file));
    grid_text(c, analysis);
    const uint32_t counts[] = { r->nets,           r->matched, r->unmatched_nets,
                                r->unmatched_pins, r->lumped,  r->coupling,
                                r->loops,          r->islands, r->no_driver };
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) grid_printf(c, "%u", counts[k]);
  }
}

static void report_reads(const Sheet *s, const Timing *t)
{
  const Parasitics *early = t->parasitics[EARLY], *late = t->parasitics[LATE];
  if (early == NULL && late == NULL) {
    text_put(s->out, "no parasitics were read\n\n");
    return;
  }
  Grid *c = grid_new("llrrrrrrrrr", 0);
  grid_row(c, "file|for|nets|matched|unknown nets|unknown "
              "pins|lumped|couplings|loops|islands|without driver");
  if (early) read_rows(c, s, early, early == late ? "both" : "early");
  if (late && late != early) read_rows(c, s, late, "late");
  grid_finish(c, s->out);
  text_char(s->out, '\n');
}

/* --- drivers ---------------------------------------------------------------------------------- */
typedef struct {
  uint32_t drivers[ANNOTATION_COUNT], loads, reached, without_load, constant;
} Totals;

static void list_driver(Grid *c, const Sheet *s, const Graph *g, Slot driver, Annotation a,
                        uint32_t loads, uint32_t reached)
{
  PinId p = g->slots.pin[driver];
  cell_pin(c, s, p);
  cell_net(c, s, netlist_pin_net(s->netlist, p));
  grid_text(c, annotation_names[a]);
  grid_printf(c, "%u", loads);
  grid_printf(c, "%u", reached);
}

/* Drivers that drive nothing, or a constant, need no parasitics: those without are counted
   apart. */
static void count_driver(Totals *n, Grid *c, const Sheet *s, const Graph *g, AnnotationQuery *q,
                         Slot driver, unsigned list)
{
  uint32_t loads, reached;
  Annotation a = annotation_of_driver(q, driver, &loads, &reached);
  bool constant = g->slots.flags[driver] & SLOT_CONSTANT;
  if (a == NOT_ANNOTATED && (loads == 0 || constant)) {
    if (loads == 0) n->without_load++;
    else n->constant++;
    return;
  }
  n->drivers[a]++;
  n->loads += loads;
  n->reached += reached;
  if (list >> a & 1) list_driver(c, s, g, driver, a, loads, reached);
}

static void total_rows(const Sheet *s, const Totals *n)
{
  Grid *c = grid_new("lr", 0);
  grid_row(c, "drivers|count");
  for (int k = 0; k < ANNOTATION_COUNT; k++) {
    grid_text(c, annotation_names[k]);
    grid_printf(c, "%u", n->drivers[k]);
  }
  grid_text(c, "no load, not annotated");
  grid_printf(c, "%u", n->without_load);
  grid_text(c, "constant, not annotated");
  grid_printf(c, "%u", n->constant);
  grid_text(c, "loads reached");
  grid_printf(c, "%u of %u", n->reached, n->loads);
  grid_finish(c, s->out);
}

void report_annotation(const Sheet *s, const Timing *t, unsigned list)
{
  const Graph *g = t->g;
  Totals n = { 0 };
  AnnotationQuery *q = annotation_query_new(g, t->parasitics[LATE]);
  Grid *c = grid_new("lllrr", 0);
  grid_row(c, "driver|net|parasitics|loads|reached");
  for (PinId p = 0; p < s->netlist->pins.len && !interrupt_seen(); p++) {
    Slot driver = g->slots.of_pin[p] == NO_SLOT ? NO_SLOT : graph_slot(g, p, true);
    if (driver != NO_SLOT && slot_is_driver(g, driver)) count_driver(&n, c, s, g, q, driver, list);
  }
  annotation_query_free(q);
  report_reads(s, t);
  total_rows(s, &n);
  if (grid_rows(c)) {
    text_char(s->out, '\n');
    grid_write(c, s->out);
  }
  grid_free(c);
}

/* --- nets ------------------------------------------------------------------------------------- */
static void net_total(const Sheet *s, const Parasitics *p, NetId net)
{
  uint32_t pieces = 0, nodes = 0;
  double cap = 0;
  for (PieceId i = p && net < p->net_piece.len ? p->net_piece.at[net] : NO_PIECE; i != NO_PIECE;
       i = p->pieces.at[i].next) {
    const RcPiece *piece = &p->pieces.at[i];
    pieces++;
    nodes += piece->node_count;
    for (uint32_t k = 0; k < piece->node_count; k++) cap += p->nodes.at[piece->first_node + k].cap;
  }
  text_printf(s->out, ": %u piece%s, %u nodes, wire capacitance ", pieces, pieces == 1 ? "" : "s",
              nodes);
  sheet_unit(s, s->out, UNIT_CAPACITANCE, cap);
  text_char(s->out, '\n');
}

void report_net_annotation(const Sheet *s, const Timing *t, const Object *nets, uint32_t count)
{
  const Parasitics *p = t->parasitics[LATE];
  AnnotationQuery *q = annotation_query_new(t->g, p);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    NetId net = s->netlist->segs.at[nets[i].id].net;
    text_put(s->out, "net ");
    netlist_seg_name(s->netlist, nets[i].id, s->separator, s->out);
    net_total(s, p, net);
    Grid *c = grid_new("lllrr", 2);
    grid_row(c, "driver|net|parasitics|loads|reached");
    NetPins it = net_pins(s->netlist, net, false);
    for (PinId pin; (pin = net_pins_next(&it)) != NO_PIN;) {
      Slot driver = graph_slot(t->g, pin, true);
      if (driver == NO_SLOT || !slot_is_driver(t->g, driver)) continue;
      uint32_t loads, reached;
      Annotation a = annotation_of_driver(q, driver, &loads, &reached);
      list_driver(c, s, t->g, driver, a, loads, reached);
    }
    grid_finish(c, s->out);
  }
  annotation_query_free(q);
}
