/* Cuts combinational loops by a depth-first search. An arc back to a vertex on the path of the
   search closes a loop and is cut. */
#include "graph/build.h"

/* The arcs that are on and inside the levels, grouped by their start. */
typedef struct {
  uint32_t *first;
  uint32_t *arc;
} ArcLists;

static ArcLists arcs_by_start(const Build *b)
{
  ArcLists l;
  l.first = mem_alloc_zero((size_t)b->vertex_count + 2, sizeof *l.first);
  for (uint32_t a = 0; a < b->arcs.len; a++)
    if (build_in_levels(b, a)) l.first[b->arcs.at[a].from + 2]++;
  for (VertexId v = 1; v <= b->vertex_count; v++) l.first[v + 1] += l.first[v];
  l.arc = mem_alloc(sizeof *l.arc * ((size_t)l.first[b->vertex_count + 1] + 1));
  for (uint32_t a = 0; a < b->arcs.len; a++)
    if (build_in_levels(b, a)) l.arc[l.first[b->arcs.at[a].from + 1]++] = a;
  return l;
}

static void free_lists(ArcLists *l)
{
  mem_free(l->first);
  mem_free(l->arc);
}

/* Finds the loads of a driver's net. */
static void load_range(const Build *b, VertexId v, uint32_t *from, uint32_t *to)
{
  NetId net = build_vertex_net(b, v);
  *from = net == NO_NET ? 0 : b->load_first[net];
  *to = net == NO_NET ? 0 : b->load_first[net + 1];
}

enum { WHITE, GREY, BLACK };

typedef struct {
  VertexId v;
  uint32_t next;          /* next successor to try */
  uint32_t via;           /* the cell arc that led here, for drivers */
} Frame;

typedef struct {
  Build *b;
  ArcLists lists;
  uint8_t *colour;
  ARRAY(Frame) path;
} LoopSearch;

/* Returns the inout pin at which a loop turns back into the cell of the pin (inout.c); NO_PIN:
   there is none. end: the vertex of the path where the loop ends. */
static PinId turning_pin(const LoopSearch *s, VertexId end)
{
  const Build *b = s->b;
  VertexId after = end;
  for (uint32_t i = s->path.len; i-- > 0 && !b->g->rules.inout_paths;) {
    VertexId v = s->path.at[i].v;
    bool turns = (b->flags[v] & ~b->flags[after]) & SLOT_DRIVER && b->pin[v] == b->pin[after];
    if (turns && !(b->flags[v] & SLOT_PORT)) return b->pin[v];
    if (v == end) break;
    after = v;
  }
  return NO_PIN;
}

/* Warns once for each loop, however often the graph is compiled. */
static void report_loop(LoopSearch *s, uint32_t arc, VertexId end)
{
  Text name = { 0 };
  Build *b = s->b;
  PinId turn = turning_pin(s, end);
  text_put(&name, "combinational loop ");
  if (turn != NO_PIN) text_put(&name, "through the inout pin ");
  if (turn != NO_PIN) netlist_pin_name(b->g->netlist, turn, '/', &name);
  text_put(&name, turn != NO_PIN ? " cut at arc " : "cut at arc ");
  netlist_pin_name(b->g->netlist, b->pin[b->arcs.at[arc].from], '/', &name);
  text_put(&name, " -> ");
  netlist_pin_name(b->g->netlist, b->pin[b->arcs.at[arc].to], '/', &name);
  log_warning_once(b->log, "GRAPH-001", text_get(&name));
  text_free(&name);
}

/* Arcs between the same pins (conditions, senses) close the same loop. */
static bool parallel_is_cut(const LoopSearch *s, uint32_t arc)
{
  const Build *b = s->b;
  VertexId from = b->arcs.at[arc].from, to = b->arcs.at[arc].to;
  for (uint32_t i = s->lists.first[from]; i < s->lists.first[from + 1]; i++) {
    uint32_t other = s->lists.arc[i];
    if (other != arc && b->arcs.at[other].to == to && b->arc_flags[other] & ARC_OFF_LOOP)
      return true;
  }
  return false;
}

static void cut(LoopSearch *s, uint32_t arc, VertexId end)
{
  if (s->b->arc_flags[arc] & ARC_OFF_LOOP) return;
  bool matters = parallel_is_cut(s, arc);
  s->b->arc_flags[arc] |= ARC_OFF_LOOP;
  if (matters) return;
  s->b->g->arcs.loops_cut++;
  report_loop(s, arc, end);
}

static void enter(LoopSearch *s, VertexId v, uint32_t via)
{
  s->colour[v] = GREY;
  array_push(&s->path, (Frame){ v, 0, via });
}

/* Returns the next successor of the frame's vertex to be visited, or NO_VERTEX if there are no
   more. *via is the cell arc that leads to it.  Successors are the loads of a driver, then the ends
   of cell arcs (which may start at drivers as well: internal pins, outputs that other outputs
   follow).  Only cell arcs are cut: for a wire that closes a loop (a load of several drivers), the
   arc into its driver. */
static VertexId next_successor(LoopSearch *s, Frame *f, uint32_t *via)
{
  Build *b = s->b;
  uint32_t loads = 0, first = 0, end = 0;
  if (b->flags[f->v] & SLOT_DRIVER) load_range(b, f->v, &first, &end);
  loads = end - first;
  while (f->next < loads) {
    VertexId w = b->net_loads[first + f->next++];
    if (b->apart && b->apart[w] == f->v) continue;
    if (s->colour[w] == WHITE) return w;
    if (s->colour[w] == GREY && f->via != NO_ARC) cut(s, f->via, w);
  }
  uint32_t from = s->lists.first[f->v], to = s->lists.first[f->v + 1];
  while (from + f->next - loads < to) {
    *via = s->lists.arc[from + f->next++ - loads];
    VertexId w = b->arcs.at[*via].to;
    if (s->colour[w] == WHITE) return w;
    if (s->colour[w] == GREY) cut(s, *via, w);
  }
  return NO_VERTEX;
}

static void search_from(LoopSearch *s, VertexId start)
{
  enter(s, start, NO_ARC);
  while (s->path.len) {
    Frame *top = &s->path.at[s->path.len - 1];
    uint32_t via = NO_ARC;
    VertexId w = next_successor(s, top, &via);
    if (w != NO_VERTEX) {
      enter(s, w, via);
    } else {
      s->colour[top->v] = BLACK;
      s->path.len--;
    }
  }
}

static void search_if_white(LoopSearch *s, VertexId v)
{
  if (v != NO_VERTEX && s->colour[v] == WHITE) search_from(s, v);
}

static void search_clock(LoopSearch *s, const Clock *clock)
{
  const Netlist *n = s->b->g->netlist;
  for (uint32_t i = 0; i < clock->sources.len; i++) {
    PinId pin = clock->sources.at[i];
    if (!pin_is_hierarchical(n, pin)) {
      search_if_white(s, s->b->pin_driver[pin]);
      continue;
    }
    NetId net = netlist_pin_net(n, pin);
    for (uint32_t k = net == NO_NET ? 0 : s->b->driver_first[net];
         net != NO_NET && k < s->b->driver_first[net + 1]; k++)
      search_if_white(s, s->b->net_drivers[k]);
  }
}

/* Which arc of a loop is cut depends on where the search comes from.  It starts at the clocks, then
   at ports, then at other starts.  Assume that registers of a clock drive the select pin of its
   clock multiplexer.  Then the arc at the select pin is cut, and not the clock. */
void build_cut_loops(Build *b)
{
  LoopSearch s = { .b = b,
                   .lists = arcs_by_start(b),
                   .colour = mem_alloc_zero(b->vertex_count + 1, 1) };
  const Constraints *c = b->g->constraints;
  for (ClockId k = 0; k < c->clocks.len; k++)
    if (!c->clocks.at[k].deleted) search_clock(&s, &c->clocks.at[k]);
  for (VertexId v = 0; v < b->vertex_count; v++)
    if (b->level[v] == 0 && b->flags[v] & SLOT_PORT) search_if_white(&s, v);
  for (VertexId v = 0; v < b->vertex_count; v++)
    if (b->level[v] == 0) search_if_white(&s, v);
  for (VertexId v = 0; v < b->vertex_count; v++) search_if_white(&s, v);
  mem_free(s.colour);
  array_free(&s.path);
  free_lists(&s.lists);
}
