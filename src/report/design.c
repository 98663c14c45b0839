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
static uint32_t *kind_of(Counts *counts, const Netlist *n, CellId cell)
{
  uint32_t flags = n->libs->cells.at[cell].flags;
  if (flags & CELL_BLACK_BOX) return &counts->black_boxes;
  if (flags & CELL_MEMORY) return &counts->memories;
  if (flags & CELL_MACRO) return &counts->macros;
  if (flags & CELL_PAD) return &counts->pads;
  if (flags & CELL_CLOCK_GATE) return &counts->clock_gates;
  if (flags & CELL_SEQUENTIAL) return &counts->sequential;
  if (library_cell_is_buffer(n->libs, cell)) return &counts->buffers;
  if (library_cell_is_inverter(n->libs, cell)) return &counts->inverters;
  return &counts->combinational;
}

static void count_inst(Counts *counts, const Netlist *n, InstId i)
{
  const Inst *inst = &n->insts.at[i];
  if (inst->flags & INST_DELETED) return;
  if (!inst_is_leaf(n, i)) {
    uint32_t depth = depth_of(n, i);
    counts->hierarchical++;
    if (depth > counts->depth) counts->depth = depth;
    return;
  }
  counts->leaves++;
  counts->pins += inst->pin_count;
  counts->area += n->libs->cells.at[inst->master].area;
  ++*kind_of(counts, n, inst->master);
}

static void count_port(Counts *counts, const Netlist *n, PinId p)
{
  Direction d = netlist_pin_direction(n, p);
  counts->inputs += d == DIR_INPUT;
  counts->outputs += d == DIR_OUTPUT;
  counts->inouts += d == DIR_INOUT;
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
static void count_row(Grid *grid, const char *what, double count)
{
  grid_text(grid, what);
  grid_printf(grid, "%.0f", count);
}

static void count_row_if(Grid *grid, const char *what, uint32_t count)
{
  if (count) count_row(grid, what, count);
}

static void graph_rows(Grid *grid, const Graph *g)
{
  uint32_t off = 0;
  for (ArcId a = 0; a < g->arcs.count; a++) off += !arc_on(g, a);
  count_row(grid, "timing graph: pins", g->slots.count);
  count_row(grid, "  drivers", g->nets.driver_count);
  count_row(grid, "  loads", g->nets.load_total);
  count_row(grid, "  levels", g->levels.count);
  count_row(grid, "  cell arcs", g->arcs.count);
  count_row_if(grid, "    switched off", off);
  count_row(grid, "  checks", g->ends.checks.len);
  count_row(grid, "  nodes (pin and tag)", g->nodes.count);
  count_row(grid, "  end point rows", g->ends.path_ends.len);
  count_row_if(grid, "  loops cut", g->arcs.loops_cut);
}

static void cell_rows(Grid *grid, const Counts *counts)
{
  count_row(grid, "leaf cells", counts->leaves);
  count_row_if(grid, "  buffers", counts->buffers);
  count_row_if(grid, "  inverters", counts->inverters);
  count_row_if(grid, "  other combinational", counts->combinational);
  count_row_if(grid, "  sequential", counts->sequential);
  count_row_if(grid, "  clock gates", counts->clock_gates);
  count_row_if(grid, "  memories", counts->memories);
  count_row_if(grid, "  macros", counts->macros);
  count_row_if(grid, "  pads", counts->pads);
  count_row_if(grid, "  black boxes", counts->black_boxes);
  grid_text(grid, "area");
  grid_printf(grid, "%.3f", counts->area);
  count_row(grid, "hierarchical cells", counts->hierarchical);
  count_row_if(grid, "  levels of hierarchy", counts->depth);
}

static double megabytes(size_t bytes) { return (double)bytes / (1024.0 * 1024.0); }

static void memory_row(Grid *grid, const char *what, size_t bytes)
{
  grid_text(grid, what);
  grid_printf(grid, "%.1f", megabytes(bytes));
}

/* The sum over all scenarios.  Shared data counts once. */
static size_t parasitics_total(const Timer *timer)
{
  const TimerShare *share = timer->share;
  size_t total = 0;
  Map *seen = map_new();
  for (uint32_t i = 0; i < 2 * share->timers.len; i++) {
    const Parasitics *parasitics = share->timers.at[i / 2]->in.parasitics[i & 1];
    if (parasitics == NULL || map_get(seen, (uint64_t)(uintptr_t)parasitics) != MAP_NO_VALUE)
      continue;
    map_put(seen, (uint64_t)(uintptr_t)parasitics, 1);
    total += parasitics_bytes(parasitics);
  }
  map_free(seen);
  return total;
}

static size_t graphs_total(const Timer *timer)
{
  size_t total = 0;
  for (uint32_t i = 0; i < timer->share->graphs.len; i++)
    total += graph_bytes(timer->share->graphs.at[i]->graph);
  return total;
}

static size_t numbers_total(const Timer *timer)
{
  size_t total = 0;
  for (uint32_t i = 0; i < timer->share->timers.len; i++)
    if (timer->share->timers.at[i]->timing)
      total += timing_bytes(timer->share->timers.at[i]->timing);
  return total;
}

static void memory_rows(Grid *grid, const Timer *timer)
{
  memory_row(grid, "memory, MB: libraries", library_bytes(timer->in.libs));
  memory_row(grid, "  netlist", netlist_bytes(timer->in.netlist));
  if (parasitics_total(timer)) memory_row(grid, "  parasitics", parasitics_total(timer));
  uint32_t modes = timer->share->graphs.len, scenarios = timer->share->timers.len;
  if (modes)
    memory_row(grid, modes > 1 ? "  timing graphs of all modes" : "  timing graph",
               graphs_total(timer));
  if (timer->timing)
    memory_row(grid, scenarios > 1 ? "  timing numbers of all scenarios" : "  timing numbers",
               numbers_total(timer));
  memory_row(grid, "  peak of the process", mem_peak());
}

void report_design(const Sheet *sheet, const Timer *timer)
{
  Counts k = count_all(sheet->netlist);
  text_printf(sheet->out, "design %s\n",
              names_text(sheet->netlist->names, sheet->netlist->top_name));
  Grid *grid = grid_new("lr", 0);
  grid_row(grid, "what|count");
  cell_rows(grid, &k);
  count_row(grid, "ports", (double)k.inputs + k.outputs + k.inouts);
  count_row_if(grid, "  inputs", k.inputs);
  count_row_if(grid, "  outputs", k.outputs);
  count_row_if(grid, "  inouts", k.inouts);
  count_row(grid, "cell pins", k.pins);
  count_row(grid, "nets", k.nets);
  count_row_if(grid, "  constant", k.constant_nets);
  if (timer->graph) graph_rows(grid, timer->graph);
  memory_rows(grid, timer);
  grid_finish(grid, sheet->out);
}

/* --- engine ----------------------------------------------------------------------------------- */
static void weight_row(Grid *grid, const char *what, double count, double bytes)
{
  grid_text(grid, what);
  grid_printf(grid, "%.0f", count);
  grid_printf(grid, "%.1f", bytes / (1024.0 * 1024.0));
  if (count > 0) grid_printf(grid, "%.1f", bytes / count);
  else grid_text(grid, "-");
}

/* Bytes by purpose: the graph's share of structure and numbers together. */
static void weights(const Sheet *sheet, const Timer *timer)
{
  const Graph *g = timer->graph;
  const Timing *timing = timer->timing;
  double slots = g->slots.count, loads = g->nets.load_total, drivers = g->nets.driver_count;
  double all = (double)graph_bytes(g) + (double)timing_bytes(timing);
  Grid *grid = grid_new("lrrr", 0);
  grid_row(grid, "of the engine's memory|count|MB|bytes each");
  weight_row(grid, "pins: place, tags, slew", slots,
             slots * (45 + 16) + (double)g->netlist->pins.len * 4);
  weight_row(grid, timing->nets.pi_far ? "drivers: load and pi model" : "drivers: load", drivers,
             drivers * ((timing->nets.pi_far ? 4 : 1) * 16 + 1));
  weight_row(grid, "loads: Elmore constant, delay", loads,
             loads * (timing->wires.impulse_sq ? 48 : 32));
  weight_row(grid, "cell arcs", g->arcs.count, (double)g->arcs.count * 25);
  weight_row(grid, "timing edges: delays", g->arcs.edge_count, (double)g->arcs.edge_count * 8);
  weight_row(grid, "nodes: arrival, required", g->nodes.count, (double)g->nodes.count * 33);
  weight_row(grid, "checks", g->ends.checks.len,
             (double)g->ends.checks.cap * sizeof(Check) + (double)g->ends.checks.len * 8);
  weight_row(grid, "end point rows", g->ends.path_ends.len,
             (double)g->ends.path_ends.cap * sizeof(PathEnd) + (double)g->ends.path_ends.len * 8);
  if (common_active(timing))
    weight_row(grid, "common clock paths, by node", g->nodes.count, (double)common_bytes(timing));
  grid_rule(grid);
  weight_row(grid, "all, by pin", slots, all);
  grid_finish(grid, sheet->out);
}

static void seconds_row(Grid *grid, const char *what, double seconds)
{
  grid_text(grid, what);
  grid_printf(grid, "%.4f", seconds);
}

static void device_memory_row(Grid *grid, const char *what, size_t bytes)
{
  grid_text(grid, what);
  grid_printf(grid, "%.3f", megabytes(bytes));
}

static void device_memory(const Sheet *sheet, const DeviceReport *report)
{
  const struct { const char *what; size_t bytes;
  } rows[] = { { "graph", report->graph_bytes },
               { "seeds, ports, latches", report->start_bytes },
               { "nets", report->net_bytes },
               { "delays, slews", report->delay_bytes },
               { "arrivals", report->arrival_bytes },
               { "margins, slacks", report->end_bytes },
               { "required times", report->required_bytes },
               { "to work in", report->scratch_bytes },
               { "nets' trees", report->tree_bytes },
               { "edits", report->edit_bytes },
               { "common path credit", report->credit_bytes } };
  Grid *grid = grid_new("lr", 0);
  grid_row(grid, "memory of the device|MB");
  for (size_t i = 0; i < sizeof rows / sizeof *rows - (report->credit_bytes == 0); i++)
    device_memory_row(grid, rows[i].what, rows[i].bytes);
  grid_rule(grid);
  device_memory_row(grid, "all", report->bytes);
  device_memory_row(grid, "least that an update moves", report->least_bytes);
  text_char(sheet->out, '\n');
  grid_finish(grid, sheet->out);
}

/* Rows that are there even when nothing of the kind was done. */
enum { ALWAYS = 8 };

/* In microseconds.  Phases on the device are measured by its own clock, the others by the
   host's. */
static void device_seconds(const Sheet *sheet, const DeviceReport *report)
{
  const struct { const char *what; double seconds;
  } rows[] = { { "set-up", report->open },
               { "last copy there", report->upload },
               { "last copy back", report->download },
               { "copy of trees there", report->trees_copy },
               { "nets", report->trees },
               { "delays and arrivals", report->forward },
               { "end points", report->end_points },
               { "required times", report->backward },
               { "credits, launches", report->launches },
               { "last edit followed", report->follow } };
  Grid *grid = grid_new("lr", 0);
  grid_row(grid, "device|microseconds");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (i >= ALWAYS && rows[i].seconds == 0) continue;
    grid_text(grid, rows[i].what);
    grid_printf(grid, "%.1f", 1e6 * rows[i].seconds);
  }
  static const char *const schedules[] = { "net", "pin", "cte" };
  text_printf(sheet->out, "\n%s: schedule %s, graph %s", report->name, schedules[report->schedule],
              report->cuda_graph ? "on" : "off");
  if (report->repeats) text_printf(sheet->out, "; phases: medians of %u", report->repeats);
  if (report->followed_drivers)
    text_printf(sheet->out, "; the last edit reached %u drivers, and %u nets backward",
                report->followed_drivers, report->followed_nets);
  text_char(sheet->out, '\n');
  grid_finish(grid, sheet->out);
}

/* Loads of a driver. */
static uint32_t largest_net(const Graph *g)
{
  uint32_t most = 0;
  for (Slot s = 0; s < g->slots.count; s++)
    if (slot_is_driver(g, s) && g->nets.load_count[s] > most) most = g->nets.load_count[s];
  return most;
}

void report_path_effort(const Sheet *sheet, const PathEffort *effort)
{
  if (effort->ends == 0) return;
  Grid *grid = grid_new("lr", 0);
  grid_row(grid, "last search for paths|seconds");
  seconds_row(grid, "end points", effort->ends);
  if (effort->forest > 0) seconds_row(grid, "forest of all pins", effort->forest);
  if (effort->search > 0) seconds_row(grid, "rounds", effort->search);
  if (effort->device_search > 0) {
    seconds_row(grid, "copy to the device", effort->device_upload);
    seconds_row(grid, "rounds on the device", effort->device_search);
    seconds_row(grid, "copy of the paths", effort->device_download);
  }
  seconds_row(grid, "points", effort->trace);
  text_printf(sheet->out, "\nrounds %u, paths left at their links %llu\n", effort->rounds,
              (unsigned long long)effort->expanded);
  grid_finish(grid, sheet->out);
}

void report_engine(const Sheet *sheet, const Timer *timer, const char *engine)
{
  text_printf(
      sheet->out,
      "engine       %s\ndelay model  %s\nlevels       %u\nlargest net  %u\ntags         %u\n\n",
      engine, delay_model_name(timer->delay_model), timer->graph->levels.count,
      largest_net(timer->graph), timer->graph->tags->tags.len);
  weights(sheet, timer);
  Grid *grid = grid_new("lr", 0);
  grid_row(grid, "last update|seconds");
  seconds_row(grid, "graph", timer->seconds_graph);
  if (timer->seconds_graph > 0)
    seconds_row(grid,
                timer->graph->levels.given ? "  levels of it, by the device" : "  levels of it",
                timer->graph->levels.seconds);
  seconds_row(grid, "nets", timer->seconds_nets);
  seconds_row(grid, "delays and arrivals", timer->seconds_forward);
  seconds_row(grid, "required times", timer->seconds_backward);
  grid_rule(grid);
  seconds_row(grid, "all",
              timer->seconds_graph + timer->seconds_nets + timer->seconds_forward
                  + timer->seconds_backward);
  text_char(sheet->out, '\n');
  grid_finish(grid, sheet->out);
  if (timer->timing->device.report.name == NULL) return;
  device_memory(sheet, &timer->timing->device.report);
  device_seconds(sheet, &timer->timing->device.report);
}
