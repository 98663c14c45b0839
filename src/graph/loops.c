/* Combinational loops: a depth-first search; an arc back to a vertex on the search's path closes a
   loop and is cut.  But where the loop turns back into a cell at its inout pin, over a wire that
   passes nothing, the pin's load stays apart from its driver, and no path is lost. */
#include "graph/build.h"

/* Arcs by start, as CSR over vertices; only arcs that are on and inside the levels. */
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

/* Loads of a driver's net. */
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

/* Does the wire turn back into a cell, and passes nothing but what starts at its driver
   (graph_wire_is_inner)? */
static bool is_turn(const Build *b, VertexId driver, VertexId load)
{
  bool own = b->pin[driver] == b->pin[load] && (b->flags[driver] & ~b->flags[load]) & SLOT_DRIVER;
  return own && !b->g->rules.inout_paths && !(b->flags[driver] & SLOT_PORT);
}

typedef struct {
  VertexId driver, load;
} Turn;

#define NO_TURN ((Turn){ NO_VERTEX, NO_VERTEX })

/* The first wire that turns back and is of the kind wanted, of the loop that ends at a vertex of
   the path. */
static Turn find_turn(const LoopSearch *s, VertexId end, bool (*wanted)(const Build *, Turn))
{
  Turn turn = { .load = end };
  for (uint32_t i = s->path.len; i-- > 0; turn.load = turn.driver) {
    turn.driver = s->path.at[i].v;
    if (is_turn(s->b, turn.driver, turn.load) && wanted(s->b, turn)) return turn;
    if (turn.driver == end) break;
  }
  return NO_TURN;
}

static bool is_apart(const Build *b, Turn t) { return b->apart && b->apart[t.load] == t.driver; }

static bool names_pin(const ExceptionPoint *p, PinId pin)
{
  for (uint32_t i = 0; i < p->objects.len; i++)
    if (p->objects.at[i].type == OBJ_PIN && p->objects.at[i].id == pin) return true;
  return false;
}

static bool is_source(const Clock *c, PinId pin)
{
  for (uint32_t i = 0; i < c->sources.len; i++)
    if (c->sources.at[i] == pin) return true;
  return false;
}

/* May data or a clock start at the pin?  An input delay at a pin of a block starts at what drives
   the net there. */
static bool may_start(const Build *b, PinId pin)
{
  const Constraints *c = b->g->constraints;
  const Netlist *n = b->g->netlist;
  for (ClockId k = 0; k < c->clocks.len; k++)
    if (!c->clocks.at[k].deleted && is_source(&c->clocks.at[k], pin)) return true;
  for (uint32_t i = 0; i < c->input_delays.len; i++) {
    PinId p = c->input_delays.at[i].pin;
    bool behind = p != NO_PIN && pin_is_hierarchical(n, p);
    if (p == pin || (behind && netlist_pin_net(n, p) == netlist_pin_net(n, pin))) return true;
  }
  for (uint32_t i = 0; i < c->exceptions.len; i++)
    if (!c->exceptions.at[i].deleted && names_pin(&c->exceptions.at[i].from, pin)) return true;
  return false;
}

static bool starts_nothing(const Build *b, Turn t) { return !may_start(b, b->pin[t.driver]); }
static bool is_any(const Build *b, Turn t) { return b != NULL && t.driver != NO_VERTEX; }

static void set_apart(Build *b, Turn t)
{
  if (b->apart == NULL) {
    b->apart = mem_alloc(sizeof *b->apart * ((size_t)b->vertex_count + 1));
    memset(b->apart, 0xff, sizeof *b->apart * (size_t)b->vertex_count);
  }
  b->apart[t.load] = t.driver;
}

/* Is the loop no loop once an inout pin's load stays apart from its driver? */
static bool is_parted(LoopSearch *s, VertexId end)
{
  if (find_turn(s, end, is_apart).driver != NO_VERTEX) return true;
  Turn turn = find_turn(s, end, starts_nothing);
  if (turn.driver == NO_VERTEX) return false;
  set_apart(s->b, turn);
  return true;
}

/* Told once for each loop, however often the graph is compiled. */
static void report_loop(LoopSearch *s, uint32_t arc, VertexId end)
{
  Text name = { 0 };
  Build *b = s->b;
  VertexId turning = find_turn(s, end, is_any).driver;
  PinId turn = turning == NO_VERTEX ? NO_PIN : b->pin[turning];
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
    if (other != arc && b->arcs.at[other].to == to && b->arc_flags[other] & ARC_OFF_LOOP) return true;
  }
  return false;
}

static void cut(LoopSearch *s, uint32_t arc, VertexId end)
{
  if (s->b->arc_flags[arc] & ARC_OFF_LOOP || is_parted(s, end)) return;
  bool told = parallel_is_cut(s, arc);
  s->b->arc_flags[arc] |= ARC_OFF_LOOP;
  if (told) return;
  s->b->g->loops_cut++;
  report_loop(s, arc, end);
}

static void enter(LoopSearch *s, VertexId v, uint32_t via)
{
  s->colour[v] = GREY;
  array_push(&s->path, (Frame){ v, 0, via });
}

/* The next successor of the frame's vertex that is worth a visit, or NO_VERTEX when all are done; *via is the cell arc
   to it.  Successors are the loads of a driver, then the ends of cell arcs (which may start at drivers as well: internal
   pins, outputs that other outputs follow).  Only cell arcs are cut: for a wire that closes a loop (a load of several
   drivers), the arc into its driver. */
static VertexId next_successor(LoopSearch *s, Frame *f, uint32_t *via)
{
  Build *b = s->b;
  uint32_t loads = 0, first = 0, end = 0;
  if (b->flags[f->v] & SLOT_DRIVER) load_range(b, f->v, &first, &end);
  loads = end - first;
  while (f->next < loads) {
    VertexId w = b->net_loads[first + f->next++];
    if (is_apart(b, (Turn){ f->v, w })) continue;
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
    for (uint32_t k = net == NO_NET ? 0 : s->b->driver_first[net]; net != NO_NET && k < s->b->driver_first[net + 1]; k++)
      search_if_white(s, s->b->net_drivers[k]);
  }
}

/* Which arc of a loop is cut depends on where the search comes from.  It starts at the clocks, then ports, then other
   starts: so the select pin of a clock multiplexer that its own clock's registers drive is cut, and not the clock. */
void build_cut_loops(Build *b)
{
  LoopSearch s = { .b = b, .lists = arcs_by_start(b), .colour = mem_alloc_zero(b->vertex_count + 1, 1) };
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
