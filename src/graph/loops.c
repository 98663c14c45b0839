/* Cuts combinational loops by a depth-first search. An arc back to a vertex on the path of the
   search closes a loop and is cut. */
#include "graph/build.h"

/* The arcs that are on and inside the levels, grouped by their start. */
typedef struct {
  uint32_t *first;
  uint32_t *arc;
} ArcLists;

static ArcLists arcs_by_start(const Build *build)
{
  ArcLists l;
  l.first = mem_alloc_zero((size_t)build->vertex_count + 2, sizeof *l.first);
  for (uint32_t a = 0; a < build->arcs.len; a++)
    if (build_in_levels(build, a)) l.first[build->arcs.at[a].from + 2]++;
  for (VertexId v = 1; v <= build->vertex_count; v++) l.first[v + 1] += l.first[v];
  l.arc = mem_alloc(sizeof *l.arc * ((size_t)l.first[build->vertex_count + 1] + 1));
  for (uint32_t a = 0; a < build->arcs.len; a++)
    if (build_in_levels(build, a)) l.arc[l.first[build->arcs.at[a].from + 1]++] = a;
  return l;
}

static void free_lists(ArcLists *lists)
{
  mem_free(lists->first);
  mem_free(lists->arc);
}

/* Finds the loads of a driver's net. */
static void load_range(const Build *build, VertexId v, uint32_t *from, uint32_t *to)
{
  NetId net = build_vertex_net(build, v);
  *from = net == NO_NET ? 0 : build->load_first[net];
  *to = net == NO_NET ? 0 : build->load_first[net + 1];
}

enum { WHITE, GREY, BLACK };

typedef struct {
  VertexId v;
  uint32_t next;          /* next successor to try */
  uint32_t via;           /* the cell arc that led here, for drivers */
} Frame;

typedef struct {
  Build *build;
  ArcLists lists;
  uint8_t *colour;
  ARRAY(Frame) path;
} LoopSearch;

/* Returns the inout pin at which a loop turns back into the cell of the pin (inout.c); NO_PIN:
   there is none. end: the vertex of the path where the loop ends. */
static PinId turning_pin(const LoopSearch *search, VertexId end)
{
  const Build *build = search->build;
  VertexId after = end;
  for (uint32_t i = search->path.len; i-- > 0 && !build->g->rules.inout_paths;) {
    VertexId v = search->path.at[i].v;
    bool turns = (build->flags[v] & ~build->flags[after]) & SLOT_DRIVER
                 && build->pin[v] == build->pin[after];
    if (turns && !(build->flags[v] & SLOT_PORT)) return build->pin[v];
    if (v == end) break;
    after = v;
  }
  return NO_PIN;
}

/* Warns once for each loop, however often the graph is compiled. */
static void report_loop(LoopSearch *search, uint32_t arc, VertexId end)
{
  Text name = { 0 };
  Build *build = search->build;
  PinId turn = turning_pin(search, end);
  text_put(&name, "combinational loop ");
  if (turn != NO_PIN) text_put(&name, "through the inout pin ");
  if (turn != NO_PIN) netlist_pin_name(build->g->netlist, turn, '/', &name);
  text_put(&name, turn != NO_PIN ? " cut at arc " : "cut at arc ");
  netlist_pin_name(build->g->netlist, build->pin[build->arcs.at[arc].from], '/', &name);
  text_put(&name, " -> ");
  netlist_pin_name(build->g->netlist, build->pin[build->arcs.at[arc].to], '/', &name);
  log_warning_once(build->log, "GRAPH-001", text_get(&name));
  text_free(&name);
}

/* Arcs between the same pins (conditions, senses) close the same loop. */
static bool parallel_is_cut(const LoopSearch *search, uint32_t arc)
{
  const Build *build = search->build;
  VertexId from = build->arcs.at[arc].from, to = build->arcs.at[arc].to;
  for (uint32_t i = search->lists.first[from]; i < search->lists.first[from + 1]; i++) {
    uint32_t other = search->lists.arc[i];
    if (other != arc && build->arcs.at[other].to == to && build->arc_flags[other] & ARC_OFF_LOOP)
      return true;
  }
  return false;
}

static void cut(LoopSearch *search, uint32_t arc, VertexId end)
{
  if (search->build->arc_flags[arc] & ARC_OFF_LOOP) return;
  bool matters = parallel_is_cut(search, arc);
  search->build->arc_flags[arc] |= ARC_OFF_LOOP;
  if (matters) return;
  search->build->g->arcs.loops_cut++;
  report_loop(search, arc, end);
}

static void enter(LoopSearch *search, VertexId v, uint32_t via)
{
  search->colour[v] = GREY;
  array_push(&search->path, (Frame){ v, 0, via });
}

/* Returns the next successor of the frame's vertex to be visited, or NO_VERTEX if there are no
   more. *via is the cell arc that leads to it.  Successors are the loads of a driver, then the ends
   of cell arcs (which may start at drivers as well: internal pins, outputs that other outputs
   follow).  Only cell arcs are cut: for a wire that closes a loop (a load of several drivers), the
   arc into its driver. */
static VertexId next_successor(LoopSearch *search, Frame *frame, uint32_t *via)
{
  Build *build = search->build;
  uint32_t loads = 0, first = 0, end = 0;
  if (build->flags[frame->v] & SLOT_DRIVER) load_range(build, frame->v, &first, &end);
  loads = end - first;
  while (frame->next < loads) {
    VertexId w = build->net_loads[first + frame->next++];
    if (build->apart && build->apart[w] == frame->v) continue;
    if (search->colour[w] == WHITE) return w;
    if (search->colour[w] == GREY && frame->via != NO_ARC) cut(search, frame->via, w);
  }
  uint32_t from = search->lists.first[frame->v], to = search->lists.first[frame->v + 1];
  while (from + frame->next - loads < to) {
    *via = search->lists.arc[from + frame->next++ - loads];
    VertexId w = build->arcs.at[*via].to;
    if (search->colour[w] == WHITE) return w;
    if (search->colour[w] == GREY) cut(search, *via, w);
  }
  return NO_VERTEX;
}

static void search_from(LoopSearch *search, VertexId start)
{
  enter(search, start, NO_ARC);
  while (search->path.len) {
    Frame *top = &search->path.at[search->path.len - 1];
    uint32_t via = NO_ARC;
    VertexId w = next_successor(search, top, &via);
    if (w != NO_VERTEX) {
      enter(search, w, via);
    } else {
      search->colour[top->v] = BLACK;
      search->path.len--;
    }
  }
}

static void search_if_white(LoopSearch *search, VertexId v)
{
  if (v != NO_VERTEX && search->colour[v] == WHITE) search_from(search, v);
}

static void search_clock(LoopSearch *search, const Clock *clock)
{
  const Netlist *n = search->build->g->netlist;
  for (uint32_t i = 0; i < clock->sources.len; i++) {
    PinId pin = clock->sources.at[i];
    if (!pin_is_hierarchical(n, pin)) {
      search_if_white(search, search->build->pin_driver[pin]);
      continue;
    }
    NetId net = netlist_pin_net(n, pin);
    for (uint32_t k = net == NO_NET ? 0 : search->build->driver_first[net];
         net != NO_NET && k < search->build->driver_first[net + 1]; k++)
      search_if_white(search, search->build->net_drivers[k]);
  }
}

/* Which arc of a loop is cut depends on where the search comes from.  It starts at the clocks, then
   at ports, then at other starts.  Assume that registers of a clock drive the select pin of its
   clock multiplexer.  Then the arc at the select pin is cut, and not the clock. */
void build_cut_loops(Build *build)
{
  LoopSearch s = { .build = build,
                   .lists = arcs_by_start(build),
                   .colour = mem_alloc_zero(build->vertex_count + 1, 1) };
  const Constraints *c = build->g->constraints;
  for (ClockId k = 0; k < c->clocks.len; k++)
    if (!c->clocks.at[k].deleted) search_clock(&s, &c->clocks.at[k]);
  for (VertexId v = 0; v < build->vertex_count; v++)
    if (build->level[v] == 0 && build->flags[v] & SLOT_PORT) search_if_white(&s, v);
  for (VertexId v = 0; v < build->vertex_count; v++)
    if (build->level[v] == 0) search_if_white(&s, v);
  for (VertexId v = 0; v < build->vertex_count; v++) search_if_white(&s, v);
  mem_free(s.colour);
  array_free(&s.path);
  free_lists(&s.lists);
}
