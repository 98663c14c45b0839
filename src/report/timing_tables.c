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
  const Timing *const *all;
  uint32_t count;
  const Timing *t;        /* the first: its order of pins and arcs is the file's */
  gzFile file;
  char   separator;
  double unit;            /* of end points' slacks, ps */
  Text   sigmas;          /* of the arc's row so far: they stand behind its delays */
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

/* The same pin and side of a slot in another scenario, whose graph may be that of another mode; NO_SLOT. */
static Slot slot_in(const TableFile *w, uint32_t i, Slot slot)
{
  if (w->all[i]->g == w->t->g) return slot;
  return graph_slot(w->all[i]->g, w->t->g->slot_pin[slot], slot_is_driver(w->t->g, slot));
}

/* Over all scenarios: the worst arrival; the worst slack with its required time; the worst slew. */
static PinTime worst_time(const TableFile *w, Slot slot, int condition, float *slew)
{
  bool late = condition >= 2;
  PinTime worst = query_pin_time(w->t, slot, condition);
  *slew = w->t->slew[slot].v[condition];
  for (uint32_t i = 1; i < w->count; i++) {
    Slot other = slot_in(w, i, slot);
    if (other == NO_SLOT) continue;
    PinTime p = query_pin_time(w->all[i], other, condition);
    float s = w->all[i]->slew[other].v[condition];
    if (late ? s > *slew : s < *slew) *slew = s;
    if (p.arrives && (!worst.arrives || (late ? p.arrival > worst.arrival : p.arrival < worst.arrival))) worst.arrival = p.arrival;
    worst.arrives |= p.arrives;
    if (!p.constrained || (worst.constrained && p.slack >= worst.slack)) continue;
    worst.constrained = true;
    worst.slack = p.slack;
    worst.required = p.required;
  }
  return worst;
}

static void pin_condition(TableFile *w, Slot slot, int condition)
{
  float slew;
  PinTime p = worst_time(w, slot, condition, &slew);
  bool late = condition >= 2;
  if (p.arrives) add_seconds(w, p.arrival);
  else text_put(&w->line, "\t-");
  add_seconds(w, slew);
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

static bool is_end(const TableFile *w, Slot slot)
{
  for (uint32_t i = 0; i < w->count; i++) {
    Slot other = slot_in(w, i, slot);
    if (other != NO_SLOT && query_is_end(w->all[i]->g, other)) return true;
  }
  return false;
}

static double worst_end_slack(const TableFile *w, Slot slot, int early_late)
{
  double worst = INFINITY;
  for (uint32_t i = 0; i < w->count; i++) {
    Slot other = slot_in(w, i, slot);
    double slack = other == NO_SLOT ? INFINITY : query_end_slack(w->all[i], other, early_late);
    if (slack < worst) worst = slack;
  }
  return worst;
}

static void end_row(TableFile *w, Slot slot)
{
  if (!is_end(w, slot)) return;
  add_pin(w, slot);
  add_slack(w, worst_end_slack(w, slot, LATE), w->unit);
  add_slack(w, worst_end_slack(w, slot, EARLY), w->unit);
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

static void begin_arc(TableFile *w, Slot from, Slot to, const LibArc *lib, EdgePair edges)
{
  add_pin(w, from);
  text_char(&w->line, '\t');
  add_pin(w, to);
  text_printf(&w->line, "\t%s\t", lib ? arc_type_name((ArcType)lib->type) : "wire");
  if (lib && lib->when != NO_FUNCTION) library_function_text(w->t->g->libs, lib->when, &w->line);
  text_printf(&w->line, "\t%s\t%s", edge_names[edges.in], edge_names[edges.out]);
}

static void add_delays(TableFile *w, float early, float late)
{
  add_seconds(w, early);
  add_seconds(w, late);
}

static void no_delays(TableFile *w)
{
  text_put(&w->line, "\t-\t-");
  if (w->t->arrival_variance) text_put(&w->sigmas, "\t-\t-");
}

/* In a clock's network as on clock paths, elsewhere as on data paths. */
static bool is_clock(const Graph *g, Slot slot) { return g->node_first[slot + 1] > g->node_first[slot] && graph_node_is_clock(g, slot, g->node_first[slot]); }

static void add_sigmas(TableFile *w, double early, double late) { text_printf(&w->sigmas, "\t%.7g\t%.7g", early * 1e-12, late * 1e-12); }

static void end_arc(TableFile *w)
{
  text_add(&w->line, w->sigmas.at, w->sigmas.len);
  text_clear(&w->sigmas);
  end_line(w);
}

/* The arc in another scenario's graph: its end's arcs stand in the same order in every mode. */
static ArcId arc_in(const TableFile *w, uint32_t i, Slot end, ArcId arc)
{
  const Graph *g = w->t->g, *other = w->all[i]->g;
  if (other == g) return arc;
  Slot slot = slot_in(w, i, end);
  ArcId found = slot == NO_SLOT ? NO_ARC : other->arc_first[slot] + (arc - g->arc_first[end]);
  return found != NO_ARC && found < other->arc_first[slot + 1] && other->arc_lib[found] == g->arc_lib[arc] ? found : NO_ARC;
}

static void edge_sigmas(TableFile *w, const Timing *t, ArcId arc, uint32_t edge, int out)
{
  bool clock = is_clock(t->g, t->g->arc_to[arc]);
  add_sigmas(w, sqrt(timing_edge_variance(t, arc, edge, clock, condition_of(EARLY, out))),
             sqrt(timing_edge_variance(t, arc, edge, clock, condition_of(LATE, out))));
}

static void edge_delays(TableFile *w, Slot end, ArcId arc, uint32_t edge, int out)
{
  for (uint32_t i = 0; i < w->count; i++) {
    ArcId other = arc_in(w, i, end, arc);
    if (other == NO_ARC) {
      no_delays(w);
      continue;
    }
    const Timing *t = w->all[i];
    uint32_t e = t->g->edge_first[other] + edge;
    add_delays(w, t->edge_delay[e].v[EARLY], t->edge_delay[e].v[LATE]);
    if (t->arrival_variance) edge_sigmas(w, t, other, e, out);
  }
}

static void cell_arcs(TableFile *w, Slot slot)
{
  const Graph *g = w->t->g;
  for (ArcId a = g->arc_first[slot]; a < g->arc_first[slot + 1]; a++) {
    const LibArc *lib = &g->libs->arcs.at[g->arc_lib[a]];
    for (uint32_t e = 0; e < g->edge_first[a + 1] - g->edge_first[a]; e++) {
      EdgePair edges = arc_edge_pair(lib, e);
      begin_arc(w, g->arc_from[a], slot, lib, edges);
      edge_delays(w, slot, a, e, edges.out);
      end_arc(w);
    }
  }
}

/* The wire's delays from a driver in one scenario; NULL where another wire stands there. */
static const Cond4 *wire_delay(const Timing *t, Slot driver, Slot load)
{
  if (driver == NO_SLOT || load == NO_SLOT) return NULL;
  if (t->g->wire_driver[load] == driver) return &t->wire_delay[graph_load_index(t->g, load)];
  uint32_t from, to;
  graph_extra_wires(t->g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    if (t->g->extra_wires.at[i].driver == driver) return &t->extra_delay[i];
  return NULL;
}

static void wire_delays(TableFile *w, const Timing *t, Slot load, const Cond4 *d, int edge)
{
  int early = condition_of(EARLY, edge), late = condition_of(LATE, edge);
  uint32_t wire = graph_load_index(t->g, load);
  bool clock = is_clock(t->g, load);
  add_delays(w, d->v[early], d->v[late]);
  if (t->arrival_variance)
    add_sigmas(w, sqrt(timing_wire_variance(t, wire, d->v[early], clock, early)), sqrt(timing_wire_variance(t, wire, d->v[late], clock, late)));
}

static void wire_arc(TableFile *w, Slot driver, Slot load)
{
  for (int edge = RISE; edge <= FALL; edge++) {
    begin_arc(w, driver, load, NULL, (EdgePair){ (uint8_t)edge, (uint8_t)edge });
    for (uint32_t i = 0; i < w->count; i++) {
      Slot there = slot_in(w, i, load);
      const Cond4 *d = wire_delay(w->all[i], slot_in(w, i, driver), there);
      if (d) wire_delays(w, w->all[i], there, d, edge);
      else no_delays(w);
    }
    end_arc(w);
  }
}

static void wire_arcs(TableFile *w, Slot load)
{
  const Graph *g = w->t->g;
  if (g->wire_driver[load] == NO_SLOT) return;
  wire_arc(w, g->wire_driver[load], load);
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++) wire_arc(w, g->extra_wires.at[i].driver, load);
}

/* The check in another scenario's graph; NULL: it has none there. */
static const Check *check_in(const TableFile *w, uint32_t i, Slot slot, uint32_t place)
{
  const Graph *g = w->t->g, *other = w->all[i]->g;
  const Check *own = &g->checks.at[g->check_order[place]];
  if (other == g) return own;
  Slot s = slot_in(w, i, slot);
  for (uint32_t k = s == NO_SLOT ? 0 : other->slot_first_check[s]; s != NO_SLOT && k < other->slot_first_check[s + 1]; k++) {
    const Check *c = &other->checks.at[other->check_order[k]];
    if (c->lib == own->lib && other->slot_pin[c->clock] == g->slot_pin[own->clock]) return c;
  }
  return NULL;
}

static bool check_delays(TableFile *w, uint32_t i, const Check *c, int edge)
{
  float early, late;
  if (c == NULL || !cpu_check_margin(w->all[i], c, edge, EARLY, &early) || !cpu_check_margin(w->all[i], c, edge, LATE, &late)) return false;
  add_delays(w, early, late);
  if (w->all[i]->check_sigma) add_sigmas(w, cpu_check_sigma(w->all[i], c, edge, EARLY), cpu_check_sigma(w->all[i], c, edge, LATE));
  return true;
}

static void check_arcs(TableFile *w, Slot slot)
{
  const Graph *g = w->t->g;
  for (uint32_t k = g->slot_first_check[slot]; k < g->slot_first_check[slot + 1]; k++) {
    const Check *c = &g->checks.at[g->check_order[k]];
    if (c->lib == NO_LIB_ARC) continue;
    const LibArc *lib = &g->libs->arcs.at[c->lib];
    bool width = c->type == ARC_MIN_PULSE_WIDTH;
    for (int edge = RISE; edge <= FALL; edge++) {
      EdgePair edges = { (uint8_t)(width ? edge : c->clock_edge), (uint8_t)(width ? !edge : edge) };
      bool any = false;
      begin_arc(w, c->clock, slot, lib, edges);
      for (uint32_t i = 0; i < w->count; i++) {
        bool has = check_delays(w, i, check_in(w, i, slot, k), edge);
        if (!has) no_delays(w);
        any |= has;
      }
      if (any) {
        end_arc(w);
        continue;
      }
      text_clear(&w->line);
      text_clear(&w->sigmas);
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
  if (w->t->arrival_variance) text_put(&w->line, "\tsigmas(min max for each scene)");
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
  text_free(&w.sigmas);
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

Status write_timing_tables(const Timing *const *timings, uint32_t count, const UnitSet *units, const char *folder, char separator, Log *log)
{
  if (make_folder(folder))
    return log_error(log, "FILE-005", (Where){ folder, 0, 0 }, "cannot make the folder: %s", strerror(errno));
  TableFile w = { .all = timings, .count = count, .t = timings[0], .separator = separator, .unit = units->scale[UNIT_TIME] };
  if (write_table(folder, "pins.tsv.gz", w, write_pins, log) != OK) return FAILED;
  if (write_table(folder, "endpoints.tsv.gz", w, write_ends, log) != OK) return FAILED;
  return write_table(folder, "arcs.tsv.gz", w, write_arcs, log);
}
