/* Writes report_design and report_engine: counts, memory and times. */
#include "report/design.h"

#include "update/backend.h"
#include "timing/credit.h"

/* --- counting --------------------------------------------------------------------------------- */
typedef struct {
  uint32_t leaves, hierarchical, depth;
  uint32_t buffers, inverters, combinational, sequential, clock_gates, macros, memories, pads,
      black_boxes;
  uint32_t inputs, outputs, inouts, pins, nets, constant_nets, segments;
  double   area;
} Counts;

static uint32_t depth_of(const Netlist *n, InstId i)
{
  uint32_t depth = 0;
  for (; i != TOP_INST && i != NO_INST; i = n->insts.at[i].parent) depth++;
  return depth;
}

/* Each leaf counts once, as the first of these that it is. */
static uint32_t *kind_of(Counts *k, const Netlist *n, CellId cell)
{
  uint32_t flags = n->libs->cells.at[cell].flags;
  if (flags & CELL_BLACK_BOX) return &k->black_boxes;
  if (flags & CELL_MEMORY) return &k->memories;
  if (flags & CELL_MACRO) return &k->macros;
  if (flags & CELL_PAD) return &k->pads;
  if (flags & CELL_CLOCK_GATE) return &k->clock_gates;
  if (flags & CELL_SEQUENTIAL) return &k->sequential;
  if (library_cell_is_buffer(n->libs, cell)) return &k->buffers;
  if (library_cell_is_inverter(n->libs, cell)) return &k->inverters;
  return &k->combinational;
}

static void count_inst(Counts *k, const Netlist *n, InstId i)
{
  const Inst *inst = &n->insts.at[i];
  if (inst->flags & INST_DELETED) return;
  if (!inst_is_leaf(n, i)) {
    uint32_t depth = depth_of(n, i);
    k->hierarchical++;
    if (depth > k->depth) k->depth = depth;
    return;
  }
  k->leaves++;
  k->pins += inst->pin_count;
  k->area += n->libs->cells.at[inst->master].area;
  ++*kind_of(k, n, inst->master);
}

static void count_port(Counts *k, const Netlist *n, PinId p)
{
  Direction d = netlist_pin_direction(n, p);
  k->inputs += d == DIR_INPUT;
  k->outputs += d == DIR_OUTPUT;
  k->inouts += d == DIR_INOUT;
}

static Counts count_all(const Netlist *n)
{
  Counts k = { 0 };
  const Inst *top = &n->insts.at[TOP_INST];
  for (InstId i = 1; i < n->insts.len; i++) count_inst(&k, n, i);
  for (PinId p = top->first_pin; p < top->first_pin + top->pin_count; p++) count_port(&k, n, p);
  for (NetId i = 0; i < n->nets.len; i++) {
    if (n->nets.at[i].flags & NET_DELETED) continue;
    k.nets++;
    k.constant_nets +=
        (n->nets.at[i].flags & (NET_CONSTANT_ZERO | NET_CONSTANT_ONE | NET_POWER | NET_GROUND))
        != 0;
  }
  k.segments = n->segs.len;
  return k;
}

/* --- writing ---------------------------------------------------------------------------------- */
static void count_row(Grid *c, const char *what, double count)
{
  grid_text(c, what);
  grid_printf(c, "%.0f", count);
}

static void count_row_if(Grid *c, const char *what, uint32_t count)
{
  if (count) count_row(c, what, count);
}

static void graph_rows(Grid *c, const Graph *g)
{
  uint32_t off = 0;
  for (ArcId a = 0; a < g->arcs.count; a++) off += !arc_on(g, a);
  count_row(c, "timing graph: pins", g->slots.count);
  count_row(c, "  drivers", g->nets.driver_count);
  count_row(c, "  loads", g->nets.load_total);
  count_row(c, "  levels", g->levels.count);
  count_row(c, "  cell arcs", g->arcs.count);
  count_row_if(c, "    switched off", off);
  count_row(c, "  checks", g->ends.checks.len);
  count_row(c, "  nodes (pin and tag)", g->nodes.count);
  count_row(c, "  end point rows", g->ends.path_ends.len);
  count_row_if(c, "  loops cut", g->arcs.loops_cut);
}

static void cell_rows(Grid *c, const Counts *k)
{
  count_row(c, "leaf cells", k->leaves);
  count_row_if(c, "  buffers", k->buffers);
  count_row_if(c, "  inverters", k->inverters);
  count_row_if(c, "  other combinational", k->combinational);
  count_row_if(c, "  sequential", k->sequential);
  count_row_if(c, "  clock gates", k->clock_gates);
  count_row_if(c, "  memories", k->memories);
  count_row_if(c, "  macros", k->macros);
  count_row_if(c, "  pads", k->pads);
  count_row_if(c, "  black boxes", k->black_boxes);
  grid_text(c, "area");
  grid_printf(c, "%.3f", k->area);
  count_row(c, "hierarchical cells", k->hierarchical);
  count_row_if(c, "  levels of hierarchy", k->depth);
}

static double megabytes(size_t bytes) { return (double)bytes / (1024.0 * 1024.0); }

static void memory_row(Grid *c, const char *what, size_t bytes)
{
  grid_text(c, what);
  grid_printf(c, "%.1f", megabytes(bytes));
}

/* The sum over all scenarios.  Shared data counts once. */
static size_t parasitics_total(const Timer *t)
{
  const TimerShare *share = t->share;
  size_t total = 0;
  Map *seen = map_new();
  for (uint32_t i = 0; i < 2 * share->timers.len; i++) {
    const Parasitics *p = share->timers.at[i / 2]->in.parasitics[i & 1];
    if (p == NULL || map_get(seen, (uint64_t)(uintptr_t)p) != MAP_NO_VALUE) continue;
    map_put(seen, (uint64_t)(uintptr_t)p, 1);
    total += parasitics_bytes(p);
  }
  map_free(seen);
  return total;
}

static size_t graphs_total(const Timer *t)
{
  size_t total = 0;
  for (uint32_t i = 0; i < t->share->graphs.len; i++)
    total += graph_bytes(t->share->graphs.at[i]->graph);
  return total;
}

static size_t numbers_total(const Timer *t)
{
  size_t total = 0;
  for (uint32_t i = 0; i < t->share->timers.len; i++)
    if (t->share->timers.at[i]->timing) total += timing_bytes(t->share->timers.at[i]->timing);
  return total;
}

static void memory_rows(Grid *c, const Timer *t)
{
  memory_row(c, "memory, MB: libraries", library_bytes(t->in.libs));
  memory_row(c, "  netlist", netlist_bytes(t->in.netlist));
  if (parasitics_total(t)) memory_row(c, "  parasitics", parasitics_total(t));
  uint32_t modes = t->share->graphs.len, scenarios = t->share->timers.len;
  if (modes)
    memory_row(c, modes > 1 ? "  timing graphs of all modes" : "  timing graph", graphs_total(t));
  if (t->timing)
    memory_row(c, scenarios > 1 ? "  timing numbers of all scenarios" : "  timing numbers",
               numbers_total(t));
  memory_row(c, "  peak of the process", mem_peak());
}

void report_design(const Sheet *s, const Timer *t)
{
  Counts k = count_all(s->netlist);
  text_printf(s->out, "design %s\n", names_text(s->netlist->names, s->netlist->top_name));
  Grid *c = grid_new("lr", 0);
  grid_row(c, "what|count");
  cell_rows(c, &k);
  count_row(c, "ports", (double)k.inputs + k.outputs + k.inouts);
  count_row_if(c, "  inputs", k.inputs);
  count_row_if(c, "  outputs", k.outputs);
  count_row_if(c, "  inouts", k.inouts);
  count_row(c, "cell pins", k.pins);
  count_row(c, "nets", k.nets);
  count_row_if(c, "  constant", k.constant_nets);
  if (t->graph) graph_rows(c, t->graph);
  memory_rows(c, t);
  grid_finish(c, s->out);
}

/* --- engine ----------------------------------------------------------------------------------- */
static void weight_row(Grid *c, const char *what, double count, double bytes)
{
  grid_text(c, what);
  grid_printf(c, "%.0f", count);
  grid_printf(c, "%.1f", bytes / (1024.0 * 1024.0));
  if (count > 0) grid_printf(c, "%.1f", bytes / count);
  else grid_text(c, "-");
}

/* Bytes by purpose: the graph's share of structure and numbers together. */
static void weights(const Sheet *s, const Timer *t)
{
  const Graph *g = t->graph;
  const Timing *m = t->timing;
  double slots = g->slots.count, loads = g->nets.load_total, drivers = g->nets.driver_count;
  double all = (double)graph_bytes(g) + (double)timing_bytes(m);
  Grid *c = grid_new("lrrr", 0);
  grid_row(c, "of the engine's memory|count|MB|bytes each");
  weight_row(c, "pins: place, tags, slew", slots,
             slots * (45 + 16) + (double)g->netlist->pins.len * 4);
  weight_row(c, m->nets.pi_far ? "drivers: load and pi model" : "drivers: load", drivers,
             drivers * ((m->nets.pi_far ? 4 : 1) * 16 + 1));
  weight_row(c, "loads: Elmore constant, delay", loads, loads * (m->wires.impulse_sq ? 48 : 32));
  weight_row(c, "cell arcs", g->arcs.count, (double)g->arcs.count * 25);
  weight_row(c, "timing edges: delays", g->arcs.edge_count, (double)g->arcs.edge_count * 8);
  weight_row(c, "nodes: arrival, required", g->nodes.count, (double)g->nodes.count * 33);
  weight_row(c, "checks", g->ends.checks.len,
             (double)g->ends.checks.cap * sizeof(Check) + (double)g->ends.checks.len * 8);
  weight_row(c, "end point rows", g->ends.path_ends.len,
             (double)g->ends.path_ends.cap * sizeof(PathEnd) + (double)g->ends.path_ends.len * 8);
  if (common_active(m))
    weight_row(c, "common clock paths, by node", g->nodes.count, (double)common_bytes(m));
  grid_rule(c);
  weight_row(c, "all, by pin", slots, all);
  grid_finish(c, s->out);
}

static void seconds_row(Grid *c, const char *what, double seconds)
{
  grid_text(c, what);
  grid_printf(c, "%.4f", seconds);
}

static void device_memory_row(Grid *c, const char *what, size_t bytes)
{
  grid_text(c, what);
  grid_printf(c, "%.3f", megabytes(bytes));
}

static void device_memory(const Sheet *s, const DeviceReport *d)
{
  const struct { const char *what; size_t bytes;
  } rows[] = { { "graph", d->graph_bytes },
               { "seeds, ports, latches", d->start_bytes },
               { "nets", d->net_bytes },
               { "delays, slews", d->delay_bytes },
               { "arrivals", d->arrival_bytes },
               { "margins, slacks", d->end_bytes },
               { "required times", d->required_bytes },
               { "to work in", d->scratch_bytes },
               { "nets' trees", d->tree_bytes },
               { "edits", d->edit_bytes },
               { "common path credit", d->credit_bytes } };
  Grid *c = grid_new("lr", 0);
  grid_row(c, "memory of the device|MB");
  for (size_t i = 0; i < sizeof rows / sizeof *rows - (d->credit_bytes == 0); i++)
    device_memory_row(c, rows[i].what, rows[i].bytes);
  grid_rule(c);
  device_memory_row(c, "all", d->bytes);
  device_memory_row(c, "least that an update moves", d->least_bytes);
  text_char(s->out, '\n');
  grid_finish(c, s->out);
}

/* Rows that are there even when nothing of the kind was done. */
enum { ALWAYS = 8 };

/* In microseconds.  Phases on the device are measured by its own clock, the others by the
   host's. */
static void device_seconds(const Sheet *s, const DeviceReport *d)
{
  const struct { const char *what; double seconds;
  } rows[] = { { "set-up", d->open },
               { "last copy there", d->upload },
               { "last copy back", d->download },
               { "copy of trees there", d->trees_copy },
               { "nets", d->trees },
               { "delays and arrivals", d->forward },
               { "end points", d->end_points },
               { "required times", d->backward },
               { "credits, launches", d->launches },
               { "last edit followed", d->follow } };
  Grid *c = grid_new("lr", 0);
  grid_row(c, "device|microseconds");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (i >= ALWAYS && rows[i].seconds == 0) continue;
    grid_text(c, rows[i].what);
    grid_printf(c, "%.1f", 1e6 * rows[i].seconds);
  }
  static const char *const schedules[] = { "net", "pin", "cte" };
  text_printf(s->out, "\n%s: schedule %s, graph %s", d->name, schedules[d->schedule],
              d->cuda_graph ? "on" : "off");
  if (d->repeats) text_printf(s->out, "; phases: medians of %u", d->repeats);
  if (d->followed_drivers)
    text_printf(s->out, "; the last edit reached %u drivers, and %u nets backward",
                d->followed_drivers, d->followed_nets);
  text_char(s->out, '\n');
  grid_finish(c, s->out);
}

/* Loads of a driver. */
static uint32_t largest_net(const Graph *g)
{
  uint32_t most = 0;
  for (Slot s = 0; s < g->slots.count; s++)
    if (slot_is_driver(g, s) && g->nets.load_count[s] > most) most = g->nets.load_count[s];
  return most;
}

void report_path_effort(const Sheet *s, const PathEffort *e)
{
  if (e->ends == 0) return;
  Grid *c = grid_new("lr", 0);
  grid_row(c, "last search for paths|seconds");
  seconds_row(c, "end points", e->ends);
  if (e->forest > 0) seconds_row(c, "forest of all pins", e->forest);
  if (e->search > 0) seconds_row(c, "rounds", e->search);
  if (e->device_search > 0) {
    seconds_row(c, "copy to the device", e->device_upload);
    seconds_row(c, "rounds on the device", e->device_search);
    seconds_row(c, "copy of the paths", e->device_download);
  }
  seconds_row(c, "points", e->trace);
  text_printf(s->out, "\nrounds %u, paths left at their links %llu\n", e->rounds,
              (unsigned long long)e->expanded);
  grid_finish(c, s->out);
}

void report_engine(const Sheet *s, const Timer *t, const char *engine)
{
  text_printf(
      s->out,
      "engine       %s\ndelay model  %s\nlevels       %u\nlargest net  %u\ntags         %u\n\n",
      engine, delay_model_name(t->delay_model), t->graph->levels.count, largest_net(t->graph),
      t->graph->tags->tags.len);
  weights(s, t);
  Grid *c = grid_new("lr", 0);
  grid_row(c, "last update|seconds");
  seconds_row(c, "graph", t->seconds_graph);
  if (t->seconds_graph > 0)
    seconds_row(c, t->graph->levels.given ? "  levels of it, by the device" : "  levels of it",
                t->graph->levels.seconds);
  seconds_row(c, "nets", t->seconds_nets);
  seconds_row(c, "delays and arrivals", t->seconds_forward);
  seconds_row(c, "required times", t->seconds_backward);
  grid_rule(c);
  seconds_row(c, "all",
              t->seconds_graph + t->seconds_nets + t->seconds_forward + t->seconds_backward);
  text_char(s->out, '\n');
  grid_finish(c, s->out);
  if (t->timing->device.report.name == NULL) return;
  device_memory(s, &t->timing->device.report);
  device_seconds(s, &t->timing->device.report);
}
