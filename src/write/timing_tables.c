/* Writes the tables of pins, endpoints and arcs. Blocks of about a megabyte are formatted by
   several threads. */
#include "write/timing_tables.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>

#include "base/decimal.h"
#include "base/output.h"
#include "timing/derived.h"
#include "timing/sigma.h"
#include "timing/slack.h"

/* A table at work; rows are written by a thread's own copy of it. */
typedef struct {
  const Timing *const *all;
  uint32_t count;
  const Timing *t;        /* the first: its order of pins and arcs is the file's */
  const struct TableKind *kind;
  char   separator;
  double unit;            /* of end points' slacks, ps */
  uint32_t pin_blocks;
  Text  *out;
  Text   arc, delays, sigmas;     /* a row of arcs: what all rows of the arc begin with, the row's
                                     delays, what stands behind them */
} TableFile;

/* Blocks are cut by pins, so that they do not depend on the number of threads: about a megabyte of
   text each. */
typedef struct TableKind {
  const char *name;
  void      (*head)(TableFile *file);
  void      (*row)(TableFile *file, Slot slot);
  void      (*inst)(TableFile *file, InstId inst);       /* behind all pins; NULL: nothing */
  uint32_t    pins;                                   /* of a block */
} TableKind;

enum { INSTS_A_BLOCK = 1 << 16 };                     /* few have rows of their own */

static void add_pin(TableFile *file, Slot slot, Text *to)
{
  netlist_pin_name(file->t->g->netlist, file->t->g->slots.pin[slot], file->separator, to);
}
static void end_line(TableFile *file) { text_char(file->out, '\n'); }

typedef size_t (*NumberText)(char *out, double number, int digits);

static void add_number(Text *to, NumberText text, double number, int digits)
{
  char *at = text_room(to, DECIMAL_ROOM + 1);
  *at = '\t';
  to->len += 1 + text(at + 1, number, digits);
  to->at[to->len] = '\0';
}

/* ps to seconds, as short as seven digits are. */
static void add_seconds(Text *to, double ps) { add_number(to, decimal_general, ps * 1e-12, 7); }

/* --- pins ------------------------------------------------------------------------------------- */
/* late before early, rise before fall: the golden's order of columns */
static const int column_conditions[] = { 2, 3, 0, 1 };

/* Returns the slot with the same pin and side in another scenario, whose graph may belong to
   another mode; NO_SLOT: none. */
static Slot slot_in(const TableFile *file, uint32_t i, Slot slot)
{
  if (file->all[i]->g == file->t->g) return slot;
  return graph_slot(file->all[i]->g, file->t->g->slots.pin[slot], slot_is_driver(file->t->g, slot));
}

/* Over all scenarios: the worst arrival; the worst slack with its required time; the worst slew. */
static PinTime worst_time(const TableFile *file, Slot slot, int condition, float *slew)
{
  bool late = condition >= 2;
  PinTime worst = query_graph_time(file->t, slot, condition);
  *slew = file->t->slew[slot].v[condition];
  for (uint32_t i = 1; i < file->count; i++) {
    Slot other = slot_in(file, i, slot);
    if (other == NO_SLOT) continue;
    PinTime p = query_graph_time(file->all[i], other, condition);
    float s = file->all[i]->slew[other].v[condition];
    if (late ? s > *slew : s < *slew) *slew = s;
    if (p.arrives
        && (!worst.arrives || (late ? p.arrival > worst.arrival : p.arrival < worst.arrival)))
      worst.arrival = p.arrival;
    worst.arrives |= p.arrives;
    if (!p.constrained || (worst.constrained && p.slack >= worst.slack)) continue;
    worst.constrained = true;
    worst.slack = p.slack;
    worst.required = p.required;
  }
  return worst;
}

static void pin_condition(TableFile *file, Slot slot, int condition)
{
  float slew;
  PinTime p = worst_time(file, slot, condition, &slew);
  bool late = condition >= 2;
  if (p.arrives) add_seconds(file->out, p.arrival);
  else text_put(file->out, "\t-");
  add_seconds(file->out, slew);
  if (!p.arrives) {
    text_put(file->out, "\t-\t-");
  } else if (!p.constrained) {
    text_put(file->out, late ? "\tINF\tINF" : "\t-INF\tINF");
  } else {
    add_seconds(file->out, p.required);
    add_seconds(file->out, p.slack);
  }
}

static void pin_row(TableFile *file, Slot slot)
{
  const Graph *g = file->t->g;
  add_pin(file, slot, file->out);
  bool inout_driver = g->slots.flags[slot] & SLOT_BIDIRECTIONAL && slot_is_driver(g, slot);
  text_put(file->out, inout_driver ? "\tbidir_drvr" : "\tpin");
  add_number(file->out, decimal_fixed, g->slots.level[slot], 0);
  for (int i = 0; i < 4; i++) pin_condition(file, slot, column_conditions[i]);
  end_line(file);
}

/* State variables of ff and latch groups are no pins of the design, but other timers list them. */
static void state_row(TableFile *file, InstId inst, PortId port)
{
  const Netlist *n = file->t->g->netlist;
  netlist_inst_name(n, inst, file->separator, file->out);
  text_printf(file->out, "%c%s\tpin\t0", file->separator,
              names_text(n->names, n->libs->ports.at[port].name));
  for (int i = 0; i < 4; i++) text_put(file->out, "\t-\t0\t-\t-");
  end_line(file);
}

static void state_rows(TableFile *file, InstId inst)
{
  const Netlist *n = file->t->g->netlist;
  if (!inst_is_leaf(n, inst) || n->insts.at[inst].flags & INST_DELETED) return;
  const LibCell *cell = &n->libs->cells.at[n->insts.at[inst].master];
  for (PortId p = cell->first_port;
       cell->sequential_count && p < cell->first_port + cell->port_count; p++)
    if (n->libs->ports.at[p].is_state) state_row(file, inst, p);
}

static void pins_head(TableFile *file)
{
  text_put(file->out, "# pin\tkind\tlevel");
  static const char *const names[] = { "maxR", "maxF", "minR", "minF" };
  for (int i = 0; i < 4; i++)
    text_printf(file->out, "\t%s_arr\t%s_slew\t%s_req\t%s_slk", names[i], names[i], names[i],
                names[i]);
  end_line(file);
}

/* --- end points ------------------------------------------------------------------------------- */
static void add_slack(TableFile *file, double slack)
{
  if (isinf(slack)) text_put(file->out, "\tINF");
  else add_number(file->out, decimal_fixed, slack / file->unit, 6);
}

static bool is_end(const TableFile *file, Slot slot)
{
  for (uint32_t i = 0; i < file->count; i++) {
    Slot other = slot_in(file, i, slot);
    if (other != NO_SLOT && query_is_end(file->all[i]->g, other)) return true;
  }
  return false;
}

static double worst_end_slack(const TableFile *file, Slot slot, int early_late)
{
  double worst = INFINITY;
  for (uint32_t i = 0; i < file->count; i++) {
    Slot other = slot_in(file, i, slot);
    double slack = other == NO_SLOT ? INFINITY : query_end_slack(file->all[i], other, early_late);
    if (slack < worst) worst = slack;
  }
  return worst;
}

static void end_row(TableFile *file, Slot slot)
{
  if (!is_end(file, slot)) return;
  add_pin(file, slot, file->out);
  add_slack(file, worst_end_slack(file, slot, LATE));
  add_slack(file, worst_end_slack(file, slot, EARLY));
  end_line(file);
}

static void ends_head(TableFile *file)
{
  text_put(file->out, "# endpoint\tmax_slack\tmin_slack");
  end_line(file);
}

/* --- arcs ------------------------------------------------------------------------------------- */
static const char *const edge_names[] = { "rise", "fall" };

static void begin_arc(TableFile *file, Slot from, Slot to, const LibArc *lib)
{
  text_clear(&file->arc);
  add_pin(file, from, &file->arc);
  text_char(&file->arc, '\t');
  add_pin(file, to, &file->arc);
  text_char(&file->arc, '\t');
  text_put(&file->arc, lib ? arc_type_name((ArcType)lib->type) : "wire");
  text_char(&file->arc, '\t');
  if (lib && lib->when != NO_FUNCTION)
    library_function_text(file->t->g->libs, lib->when, &file->arc);
  text_char(&file->arc, '\t');
}

static void add_delays(TableFile *file, float early, float late)
{
  add_seconds(&file->delays, early);
  add_seconds(&file->delays, late);
}

static void no_delays(TableFile *file)
{
  text_put(&file->delays, "\t-\t-");
  if (file->t->sigma.arrival_variance) text_put(&file->sigmas, "\t-\t-");
}

/* Delays in a clock's network as on clock paths, others as on data paths. */
static bool is_clock(const Graph *g, Slot slot)
{
  return g->nodes.first[slot + 1] > g->nodes.first[slot]
         && graph_node_is_clock(g, slot, g->nodes.first[slot]);
}

static void add_sigmas(TableFile *file, double early, double late)
{
  add_seconds(&file->sigmas, early);
  add_seconds(&file->sigmas, late);
}

static void drop_row(TableFile *file)
{
  text_clear(&file->delays);
  text_clear(&file->sigmas);
}

static void end_row_of_arc(TableFile *file, EdgePair edges)
{
  text_add(file->out, file->arc.at, file->arc.len);
  text_put(file->out, edge_names[edges.in]);
  text_char(file->out, '\t');
  text_put(file->out, edge_names[edges.out]);
  text_add(file->out, file->delays.at, file->delays.len);
  text_add(file->out, file->sigmas.at, file->sigmas.len);
  end_line(file);
  drop_row(file);
}

/* The arc in another scenario's graph: its end's arcs stand in the same order in every mode. */
static ArcId arc_in(const TableFile *file, uint32_t i, Slot end, ArcId arc)
{
  const Graph *g = file->t->g, *other = file->all[i]->g;
  if (other == g) return arc;
  Slot slot = slot_in(file, i, end);
  ArcId found = slot == NO_SLOT ? NO_ARC : other->arcs.first[slot] + (arc - g->arcs.first[end]);
  return found != NO_ARC && found < other->arcs.first[slot + 1]
                 && other->arcs.lib[found] == g->arcs.lib[arc]
             ? found
             : NO_ARC;
}

static void edge_sigmas(TableFile *file, const Timing *t, ArcId arc, uint32_t edge, int out)
{
  bool clock = is_clock(t->g, t->g->arcs.to[arc]);
  add_sigmas(file, sqrt(timing_edge_variance(t, arc, edge, clock, condition_of(EARLY, out))),
             sqrt(timing_edge_variance(t, arc, edge, clock, condition_of(LATE, out))));
}

static void edge_delays(TableFile *file, Slot end, ArcId arc, uint32_t edge, int out)
{
  for (uint32_t i = 0; i < file->count; i++) {
    ArcId other = arc_in(file, i, end, arc);
    if (other == NO_ARC) {
      no_delays(file);
      continue;
    }
    const Timing *t = file->all[i];
    uint32_t e = t->g->arcs.edge_first[other] + edge;
    add_delays(file, t->edge_delay[e].v[EARLY], t->edge_delay[e].v[LATE]);
    if (t->sigma.arrival_variance) edge_sigmas(file, t, other, e, out);
  }
}

static void cell_arcs(TableFile *file, Slot slot)
{
  const Graph *g = file->t->g;
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    const LibArc *lib = &g->libs->arcs.at[g->arcs.lib[a]];
    begin_arc(file, g->arcs.from[a], slot, lib);
    for (uint32_t e = 0; e < g->arcs.edge_first[a + 1] - g->arcs.edge_first[a]; e++) {
      EdgePair edges = arc_edge_pair(lib, e);
      edge_delays(file, slot, a, e, edges.out);
      end_row_of_arc(file, edges);
    }
  }
}

/* The wire's delays from a driver in one scenario; NULL where another wire stands there. */
static const Cond4 *wire_delay(const Timing *t, Slot driver, Slot load)
{
  if (driver == NO_SLOT || load == NO_SLOT) return NULL;
  if (t->g->nets.wire_driver[load] == driver) return &t->wires.delay[graph_load_index(t->g, load)];
  uint32_t from, to;
  graph_extra_wires(t->g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    if (t->g->nets.extra_wires.at[i].driver == driver) return &t->extra.delay[i];
  return NULL;
}

static void wire_delays(TableFile *file, const Timing *t, Slot load, const Cond4 *conditions,
                        int edge)
{
  int early = condition_of(EARLY, edge), late = condition_of(LATE, edge);
  uint32_t wire = graph_load_index(t->g, load);
  bool clock = is_clock(t->g, load);
  add_delays(file, conditions->v[early], conditions->v[late]);
  if (t->sigma.arrival_variance)
    add_sigmas(file, sqrt(timing_wire_variance(t, wire, conditions->v[early], clock, early)),
               sqrt(timing_wire_variance(t, wire, conditions->v[late], clock, late)));
}

static void wire_arc(TableFile *file, Slot driver, Slot load)
{
  begin_arc(file, driver, load, NULL);
  for (int edge = RISE; edge <= FALL; edge++) {
    for (uint32_t i = 0; i < file->count; i++) {
      Slot there = slot_in(file, i, load);
      const Cond4 *conditions = wire_delay(file->all[i], slot_in(file, i, driver), there);
      if (conditions) wire_delays(file, file->all[i], there, conditions, edge);
      else no_delays(file);
    }
    end_row_of_arc(file, (EdgePair){ (uint8_t)edge, (uint8_t)edge });
  }
}

static void wire_arcs(TableFile *file, Slot load)
{
  const Graph *g = file->t->g;
  if (g->nets.wire_driver[load] == NO_SLOT) return;
  wire_arc(file, g->nets.wire_driver[load], load);
  uint32_t from, to;
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++) wire_arc(file, g->nets.extra_wires.at[i].driver, load);
}

/* The check in another scenario's graph; NULL: it has none there. */
static const Check *check_in(const TableFile *file, uint32_t i, Slot slot, uint32_t place)
{
  const Graph *g = file->t->g, *other = file->all[i]->g;
  const Check *own = &g->ends.checks.at[g->ends.check_order[place]];
  if (other == g) return own;
  Slot s = slot_in(file, i, slot);
  for (uint32_t k = s == NO_SLOT ? 0 : other->ends.first_check[s];
       s != NO_SLOT && k < other->ends.first_check[s + 1]; k++) {
    const Check *check = &other->ends.checks.at[other->ends.check_order[k]];
    if (check->lib == own->lib && other->slots.pin[check->clock] == g->slots.pin[own->clock])
      return check;
  }
  return NULL;
}

static bool check_delays(TableFile *file, uint32_t i, const Check *check, int edge)
{
  float early, late;
  if (check == NULL || !timing_check_margin(file->all[i], check, edge, EARLY, &early)
      || !timing_check_margin(file->all[i], check, edge, LATE, &late))
    return false;
  add_delays(file, early, late);
  if (file->all[i]->sigma.check)
    add_sigmas(file, timing_check_sigma(file->all[i], check, edge, EARLY),
               timing_check_sigma(file->all[i], check, edge, LATE));
  return true;
}

/* The row's delays in all scenarios; false: it has none in any. */
static bool check_row(TableFile *file, Slot slot, uint32_t place, int edge)
{
  bool any = false;
  for (uint32_t i = 0; i < file->count; i++) {
    bool has = check_delays(file, i, check_in(file, i, slot, place), edge);
    if (!has) no_delays(file);
    any |= has;
  }
  return any;
}

/* Edges of the clock and of the data.  A pulse goes from an edge to the opposite one, a period from
   either edge to the next equal one. */
static EdgePair check_edges(const Check *check, int edge)
{
  if (check->type == ARC_MIN_PULSE_WIDTH) return (EdgePair){ (uint8_t)edge, (uint8_t)!edge };
  return (EdgePair){ check->clock_edge > FALL ? (uint8_t)edge : check->clock_edge, (uint8_t)edge };
}

static void check_arcs(TableFile *file, Slot slot)
{
  const Graph *g = file->t->g;
  for (uint32_t k = g->ends.first_check[slot]; k < g->ends.first_check[slot + 1]; k++) {
    const Check *check = &g->ends.checks.at[g->ends.check_order[k]];
    if (check->lib == NO_LIB_ARC) continue;
    begin_arc(file, check->clock, slot, &g->libs->arcs.at[check->lib]);
    for (int edge = RISE; edge <= FALL; edge++) {
      if (check_row(file, slot, k, edge)) end_row_of_arc(file, check_edges(check, edge));
      else drop_row(file);
    }
  }
}

static void slot_arcs(TableFile *file, Slot slot)
{
  if (slot_is_driver(file->t->g, slot)) cell_arcs(file, slot);
  else wire_arcs(file, slot);
  check_arcs(file, slot);
}

static void arcs_head(TableFile *file)
{
  text_put(file->out, "# from\tto\trole\tcond\tfrom_rf\tto_rf\tdelays(min max for each scene)");
  if (file->t->sigma.arrival_variance) text_put(file->out, "\tsigmas(min max for each scene)");
  end_line(file);
}

/* --- blocks ----------------------------------------------------------------------------------- */
static uint32_t blocks_of(uint32_t count, uint32_t block)
{
  return count / block + (count % block != 0);
}

/* PinId order: the file's order of the netlist, load before driver of an inout pin. */
static void pins_block(TableFile *file, uint32_t block)
{
  const Graph *g = file->t->g;
  uint32_t count = g->netlist->pins.len, size = file->kind->pins;
  PinId first = block * size, end = count - first < size ? count : first + size;
  for (PinId p = first; p < end; p++) {
    if (g->slots.of_pin[p] == NO_SLOT) continue;
    file->kind->row(file, g->slots.of_pin[p]);
    Slot driver = graph_slot(g, p, true);
    if (driver != g->slots.of_pin[p]) file->kind->row(file, driver);
  }
}

static void insts_block(TableFile *file, uint32_t block)
{
  uint32_t count = file->t->g->netlist->insts.len;
  InstId first = block * INSTS_A_BLOCK,
         end = count - first < INSTS_A_BLOCK ? count : first + INSTS_A_BLOCK;
  for (InstId i = first ? first : 1; i < end; i++) file->kind->inst(file, i);
}

/* The head, then blocks of pins, then blocks of instances. */
static void format_block(void *data, uint32_t block, Text *out)
{
  TableFile w = *(const TableFile *)data;
  w.out = out;
  if (block == 0) w.kind->head(&w);
  else if (block <= w.pin_blocks) pins_block(&w, block - 1);
  else insts_block(&w, block - 1 - w.pin_blocks);
  text_free(&w.arc);
  text_free(&w.delays);
  text_free(&w.sigmas);
}

static Status write_table(const TableKind *kind, const char *folder, TableFile w, int threads,
                          Log *log)
{
  const Netlist *n = w.t->g->netlist;
  Text path = { 0 };
  text_printf(&path, "%s/%s", folder, kind->name);
  w.kind = kind;
  w.pin_blocks = blocks_of(n->pins.len, kind->pins);
  uint32_t inst_blocks = kind->inst ? blocks_of(n->insts.len, INSTS_A_BLOCK) : 0;
  Output o = { text_get(&path), 1 + w.pin_blocks + inst_blocks, threads, 1, format_block, &w };
  Status status = output_write(&o, log);
  text_free(&path);
  return status;
}

static const TableKind tables[] = {
  { "pins.tsv.gz", pins_head, pin_row, state_rows, 1 << 12 },
  { "endpoints.tsv.gz", ends_head, end_row, NULL, 1 << 16 },
  { "arcs.tsv.gz", arcs_head, slot_arcs, NULL, 1 << 11 },
};

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

Status write_timing_tables(const Timing *const *timings, uint32_t count, const TimingTables *how,
                           const char *folder, Log *log)
{
  if (make_folder(folder))
    return log_error(log, "FILE-005", (Where){ folder, 0, 0 }, "cannot make the folder: %s",
                     strerror(errno));
  TableFile w = { .all = timings,
                  .count = count,
                  .t = timings[0],
                  .separator = how->separator,
                  .unit = how->units->scale[UNIT_TIME] };
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (write_table(&tables[i], folder, w, how->threads, log) != OK) return FAILED;
  return OK;
}
