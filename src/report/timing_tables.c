#include "report/timing_tables.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/interrupt.h"
#include "engine/cpu.h"
#include "engine/sigma.h"
#include "query/slack.h"

typedef struct {
  const Timing *t;
  gzFile file;
  char   separator;
  double unit;            /* of end points' slacks, ps */
  double sigma[2];        /* of the next arc: early, late; only where sigma counts */
  Text   line;
} TableFile;

static void add_pin(TableFile *w, Slot slot) { netlist_pin_name(w->t->g->netlist, w->t->g->slot_pin[slot], w->separator, &w->line); }

static void end_line(TableFile *w)
{
  text_char(&w->line, '\n');
  gzwrite(w->file, w->line.at, (unsigned)w->line.len);
  text_clear(&w->line);
}

/* ps to seconds, as short as seven digits are. */
static void add_seconds(TableFile *w, double ps) { text_printf(&w->line, "\t%.7g", ps * 1e-12); }

/* --- pins ---------------------------------------------------------------------------------------------------- */
/* late before early, rise before fall: the golden's order of columns */
static const int column_conditions[] = { 2, 3, 0, 1 };

static void pin_condition(TableFile *w, Slot slot, int condition)
{
  PinTime p = query_pin_time(w->t, slot, condition);
  bool late = condition >= 2;
  if (p.arrives) add_seconds(w, p.arrival);
  else text_put(&w->line, "\t-");
  add_seconds(w, w->t->slew[slot].v[condition]);
  if (!p.arrives) {
    text_put(&w->line, "\t-\t-");
  } else if (!p.constrained) {
    text_put(&w->line, late ? "\tINF\tINF" : "\t-INF\tINF");
  } else {
    add_seconds(w, p.required);
    add_seconds(w, p.slack);
  }
}

static void pin_row(TableFile *w, Slot slot)
{
  const Graph *g = w->t->g;
  add_pin(w, slot);
  bool inout_driver = g->slot_flags[slot] & SLOT_BIDIRECTIONAL && slot_is_driver(g, slot);
  text_printf(&w->line, "\t%s\t%u", inout_driver ? "bidir_drvr" : "pin", g->slot_level[slot]);
  for (int i = 0; i < 4; i++) pin_condition(w, slot, column_conditions[i]);
  end_line(w);
}

/* State variables of ff and latch groups are no pins of the design, but other timers list them. */
static void state_row(TableFile *w, InstId inst, PortId port)
{
  const Netlist *n = w->t->g->netlist;
  netlist_inst_name(n, inst, w->separator, &w->line);
  text_printf(&w->line, "%c%s\tpin\t0", w->separator, names_text(n->names, n->libs->ports.at[port].name));
  for (int i = 0; i < 4; i++) text_put(&w->line, "\t-\t0\t-\t-");
  end_line(w);
}

static void state_rows(TableFile *w)
{
  const Netlist *n = w->t->g->netlist;
  for (InstId i = 1; i < n->insts.len; i++) {
    if (!inst_is_leaf(n, i) || n->insts.at[i].flags & INST_DELETED) continue;
    const LibCell *cell = &n->libs->cells.at[n->insts.at[i].master];
    for (PortId p = cell->first_port; cell->sequential_count && p < cell->first_port + cell->port_count; p++)
      if (n->libs->ports.at[p].is_state) state_row(w, i, p);
  }
}

/* PinId order: the file's order of the netlist, load before driver of an inout pin. */
static void each_slot(TableFile *w, void (*row)(TableFile *, Slot))
{
  const Graph *g = w->t->g;
  for (PinId p = 0; p < g->netlist->pins.len; p++) {
    if (g->pin_slot[p] == NO_SLOT) continue;
    row(w, g->pin_slot[p]);
    Slot driver = graph_slot(g, p, true);
    if (driver != g->pin_slot[p]) row(w, driver);
  }
}

static void write_pins(TableFile *w)
{
  text_put(&w->line, "# pin\tkind\tlevel");
  static const char *const names[] = { "maxR", "maxF", "minR", "minF" };
  for (int i = 0; i < 4; i++) text_printf(&w->line, "\t%s_arr\t%s_slew\t%s_req\t%s_slk", names[i], names[i], names[i], names[i]);
  end_line(w);
  each_slot(w, pin_row);
  state_rows(w);
}

/* --- end points ------------------------------------------------------------------------------------------------- */
static void add_slack(TableFile *w, double slack, double unit)
{
  if (isinf(slack)) text_put(&w->line, "\tINF");
  else text_printf(&w->line, "\t%.6f", slack / unit);
}

static void end_row(TableFile *w, Slot slot)
{
  if (!query_is_end(w->t->g, slot)) return;
  add_pin(w, slot);
  add_slack(w, query_end_slack(w->t, slot, LATE), w->unit);
  add_slack(w, query_end_slack(w->t, slot, EARLY), w->unit);
  end_line(w);
}

static void write_ends(TableFile *w)
{
  text_put(&w->line, "# endpoint\tmax_slack\tmin_slack");
  end_line(w);
  each_slot(w, end_row);
}

/* --- arcs ---------------------------------------------------------------------------------------------------------- */
static const char *const edge_names[] = { "rise", "fall" };

static void arc_row(TableFile *w, Slot from, Slot to, const LibArc *lib, int in, int out, float early, float late)
{
  add_pin(w, from);
  text_char(&w->line, '\t');
  add_pin(w, to);
  text_printf(&w->line, "\t%s\t", lib ? arc_type_name((ArcType)lib->type) : "wire");
  if (lib && lib->when != NO_FUNCTION) library_function_text(w->t->g->libs, lib->when, &w->line);
  text_printf(&w->line, "\t%s\t%s", edge_names[in], edge_names[out]);
  add_seconds(w, early);
  add_seconds(w, late);
  for (int el = EARLY; w->t->arrival_variance && el <= LATE; el++) add_seconds(w, w->sigma[el]);
  end_line(w);
}

/* In a clock's network as on clock paths, elsewhere as on data paths. */
static bool is_clock(const Graph *g, Slot slot) { return g->node_first[slot + 1] > g->node_first[slot] && graph_node_is_clock(g, slot, g->node_first[slot]); }

static void set_sigma(TableFile *w, float early, float late)
{
  w->sigma[EARLY] = sqrt(early);
  w->sigma[LATE] = sqrt(late);
}

static void wire_row(TableFile *w, Slot from, Slot to, int edge, const Cond4 *d)
{
  const Timing *t = w->t;
  int early = condition_of(EARLY, edge), late = condition_of(LATE, edge);
  uint32_t wire = graph_load_index(t->g, to);
  bool clock = is_clock(t->g, to);
  if (t->arrival_variance) set_sigma(w, timing_wire_variance(t, wire, d->v[early], clock, early), timing_wire_variance(t, wire, d->v[late], clock, late));
  arc_row(w, from, to, NULL, edge, edge, d->v[early], d->v[late]);
}

static void cell_arcs(TableFile *w, Slot slot)
{
  const Timing *t = w->t;
  const Graph *g = t->g;
  for (ArcId a = g->arc_first[slot]; a < g->arc_first[slot + 1]; a++) {
    const LibArc *lib = &g->libs->arcs.at[g->arc_lib[a]];
    for (uint32_t e = g->edge_first[a]; e < g->edge_first[a + 1]; e++) {
      EdgePair p = arc_edge_pair(lib, e - g->edge_first[a]);
      bool clock = is_clock(g, slot);
      if (t->arrival_variance)
        set_sigma(w, timing_edge_variance(t, a, e, clock, condition_of(EARLY, p.out)), timing_edge_variance(t, a, e, clock, condition_of(LATE, p.out)));
      arc_row(w, g->arc_from[a], slot, lib, p.in, p.out, t->edge_delay[e].v[EARLY], t->edge_delay[e].v[LATE]);
    }
  }
}

static void wire_arcs(TableFile *w, Slot load)
{
  const Timing *t = w->t;
  const Graph *g = t->g;
  if (g->wire_driver[load] == NO_SLOT) return;
  const Cond4 *d = &t->wire_delay[graph_load_index(g, load)];
  for (int edge = RISE; edge <= FALL; edge++)
    wire_row(w, g->wire_driver[load], load, edge, d);
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    for (int edge = RISE; edge <= FALL; edge++)
      wire_row(w, g->extra_wires.at[i].driver, load, edge, &t->extra_delay[i]);
}

static void check_arcs(TableFile *w, Slot slot)
{
  const Graph *g = w->t->g;
  for (uint32_t i = g->slot_first_check[slot]; i < g->slot_first_check[slot + 1]; i++) {
    const Check *c = &g->checks.at[g->check_order[i]];
    if (c->lib == NO_LIB_ARC) continue;
    const LibArc *lib = &g->libs->arcs.at[c->lib];
    bool width = c->type == ARC_MIN_PULSE_WIDTH;
    for (int edge = RISE; edge <= FALL; edge++) {
      float early, late;
      if (!cpu_check_margin(w->t, c, edge, EARLY, &early) || !cpu_check_margin(w->t, c, edge, LATE, &late)) continue;
      if (w->t->check_sigma) {
        w->sigma[EARLY] = cpu_check_sigma(w->t, c, edge, EARLY);
        w->sigma[LATE] = cpu_check_sigma(w->t, c, edge, LATE);
      }
      arc_row(w, c->clock, slot, lib, width ? edge : c->clock_edge, width ? !edge : edge, early, late);
    }
  }
}

static void slot_arcs(TableFile *w, Slot slot)
{
  if (slot_is_driver(w->t->g, slot)) cell_arcs(w, slot);
  else wire_arcs(w, slot);
  check_arcs(w, slot);
}

static void write_arcs(TableFile *w)
{
  text_put(&w->line, "# from\tto\trole\tcond\tfrom_rf\tto_rf\tdelays(min max for each scene)");
  if (w->t->arrival_variance) text_put(&w->line, "\tsigmas(min max)");
  end_line(w);
  each_slot(w, slot_arcs);
}

/* --- files ----------------------------------------------------------------------------------------------------------- */
static Status write_table(const char *folder, const char *name, TableFile w, void (*write)(TableFile *), Log *log)
{
  Text path = { 0 };
  text_printf(&path, "%s/%s", folder, name);
  w.file = gzopen(text_get(&path), "wb1");
  Status status = OK;
  if (w.file == NULL) {
    status = log_error(log, "FILE-005", (Where){ text_get(&path), 0, 0 }, "cannot write the file: %s", strerror(errno));
  } else {
    gzbuffer(w.file, 1 << 17);
    write(&w);
    if (gzclose(w.file) != Z_OK)
      status = log_error(log, "FILE-005", (Where){ text_get(&path), 0, 0 }, "writing the file failed: %s", strerror(errno));
  }
  text_free(&w.line);
  text_free(&path);
  return status;
}

/* The folder and those above it. */
static int make_folder(const char *folder)
{
  Text path = { 0 };
  for (const char *p = folder; *p; p++) {
    if (*p == '/' && path.len) mkdir(text_get(&path), 0777);
    text_char(&path, *p);
  }
  int failed = mkdir(text_get(&path), 0777) != 0 && errno != EEXIST;
  text_free(&path);
  return failed;
}

Status write_timing_tables(const Timing *t, const UnitSet *units, const char *folder, char separator, Log *log)
{
  if (make_folder(folder))
    return log_error(log, "FILE-005", (Where){ folder, 0, 0 }, "cannot make the folder: %s", strerror(errno));
  TableFile w = { .t = t, .separator = separator, .unit = units->scale[UNIT_TIME] };
  if (write_table(folder, "pins.tsv.gz", w, write_pins, log) != OK) return FAILED;
  if (write_table(folder, "endpoints.tsv.gz", w, write_ends, log) != OK) return FAILED;
  return write_table(folder, "arcs.tsv.gz", w, write_arcs, log);
}
