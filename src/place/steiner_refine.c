/* Making a tree shorter, part by part.

   Around each node a connected part of the tree is taken that has few terminals: pins, and nodes
   whose wires go on outside of the part.  The shortest tree of these terminals takes the part's
   place where it is shorter.  Each exchange makes the whole tree shorter, so this ends; further
   passes are over nodes of parts that were exchanged. */
#include "place/steiner_private.h"

enum { TERMINALS = 6, PART = 24, PASSES = 4, NONE = -1 };

/* Ends of edges are in lists by node: end 2 e of edge e at its a, 2 e + 1 at its b. */
struct RefineWork {
  ARRAY(int32_t) first;            /* by node: an end; NONE */
  ARRAY(int32_t) next;             /* by end */
  ARRAY(uint32_t) place;           /* by node: its number in the part, UINT32_MAX: not in it */
  ARRAY(uint8_t) tried;            /* by node: nothing has changed there since it was the centre */
  SteinerPoints *nodes;
  SteinerEdges  *edges;            /* of those that are gone a == b */
  uint32_t pins;
  uint32_t part[PART], parts;      /* nodes of the part */
  uint32_t inside[PART];           /* edges within it */
  uint32_t insides;
  SmallTree tree;
};

RefineWork *refine_work_new(void) { return mem_alloc_zero(1, sizeof(RefineWork)); }

void refine_work_free(RefineWork *w)
{
  array_free(&w->first);
  array_free(&w->next);
  array_free(&w->place);
  array_free(&w->tried);
  mem_free(w);
}

/* --- the tree's lists ------------------------------------------------------------------------- */

static void put_end(RefineWork *w, int32_t end, uint32_t node)
{
  w->next.at[end] = w->first.at[node];
  w->first.at[node] = end;
}

static void take_end(RefineWork *w, int32_t end, uint32_t node)
{
  int32_t *at = &w->first.at[node];
  while (*at != end) at = &w->next.at[*at];
  *at = w->next.at[end];
}

static void link_edge(RefineWork *w, uint32_t edge)
{
  put_end(w, (int32_t)(2 * edge), w->edges->at[edge].a);
  put_end(w, (int32_t)(2 * edge + 1), w->edges->at[edge].b);
}

static void remove_edge(RefineWork *w, uint32_t edge)
{
  take_end(w, (int32_t)(2 * edge), w->edges->at[edge].a);
  take_end(w, (int32_t)(2 * edge + 1), w->edges->at[edge].b);
  w->edges->at[edge].b = w->edges->at[edge].a;
}

static void add_edge(RefineWork *w, uint32_t a, uint32_t b)
{
  array_push(w->edges, (SteinerEdge){ a, b });
  array_resize(&w->next, 2 * w->edges->len);
  link_edge(w, w->edges->len - 1);
}

static uint32_t add_node(RefineWork *w, Point at)
{
  array_push(w->nodes, at);
  array_push(&w->first, NONE);
  array_push(&w->place, UINT32_MAX);
  array_push(&w->tried, 0);
  return w->nodes->len - 1;
}

static uint32_t far_end(const RefineWork *w, int32_t end)
{
  SteinerEdge e = w->edges->at[end / 2];
  return end & 1 ? e.a : e.b;
}

static void build_lists(RefineWork *w)
{
  array_resize(&w->first, w->nodes->len);
  array_resize(&w->place, w->nodes->len);
  array_resize(&w->next, 2 * w->edges->len);
  array_clear(&w->tried);
  array_resize(&w->tried, w->nodes->len);
  memset(w->first.at, 0xff, w->first.len * sizeof *w->first.at);
  memset(w->place.at, 0xff, w->place.len * sizeof *w->place.at);
  for (uint32_t e = 0; e < w->edges->len; e++) link_edge(w, e);
}

/* --- a part ----------------------------------------------------------------------------------- */

static bool goes_on(const RefineWork *w, uint32_t node)
{
  for (int32_t end = w->first.at[node]; end != NONE; end = w->next.at[end])
    if (w->place.at[far_end(w, end)] == UINT32_MAX) return true;
  return false;
}

static bool is_terminal(const RefineWork *w, uint32_t node)
{
  return node < w->pins || goes_on(w, node);
}

static uint32_t count_terminals(const RefineWork *w)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->parts; i++) count += is_terminal(w, w->part[i]);
  return count;
}

static void enter(RefineWork *w, uint32_t node)
{
  w->place.at[node] = w->parts;
  w->part[w->parts++] = node;
}

static void leave(RefineWork *w)
{
  w->place.at[w->part[--w->parts]] = UINT32_MAX;
}

/* Neighbours of the nodes of the part, in the order in which these came, as long as the terminals
   are not too many. */
static void take_part(RefineWork *w, uint32_t centre)
{
  w->parts = 0;
  enter(w, centre);
  for (uint32_t i = 0; i < w->parts; i++)
    for (int32_t end = w->first.at[w->part[i]]; end != NONE; end = w->next.at[end]) {
      uint32_t node = far_end(w, end);
      if (w->place.at[node] != UINT32_MAX) continue;
      if (w->parts == PART) return;
      enter(w, node);
      if (count_terminals(w) > TERMINALS) leave(w);
    }
}

/* Each edge of the part is found at its a. */
static int64_t take_insides(RefineWork *w)
{
  int64_t length = 0;
  w->insides = 0;
  for (uint32_t i = 0; i < w->parts; i++)
    for (int32_t end = w->first.at[w->part[i]]; end != NONE; end = w->next.at[end]) {
      if (end & 1 || w->place.at[far_end(w, end)] == UINT32_MAX) continue;
      SteinerEdge e = w->edges->at[end / 2];
      w->inside[w->insides++] = (uint32_t)end / 2;
      length += point_distance(w->nodes->at[e.a], w->nodes->at[e.b]);
    }
  return length;
}

/* The terminals' numbers and places.  Branches may lie on one another: then 0. */
static uint32_t take_terminals(const RefineWork *w, uint32_t *terminal, Point *at)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->parts; i++) {
    uint32_t node = w->part[i];
    if (!is_terminal(w, node)) continue;
    for (uint32_t k = 0; k < count; k++)
      if (at[k].x == w->nodes->at[node].x && at[k].y == w->nodes->at[node].y) return 0;
    terminal[count] = node;
    at[count++] = w->nodes->at[node];
  }
  return count;
}

static void exchange(RefineWork *w, const uint32_t *terminal, uint32_t count)
{
  uint32_t node[2 * STEINER_EXACT];
  for (uint32_t i = 0; i < w->insides; i++) remove_edge(w, w->inside[i]);
  for (uint32_t i = 0; i < w->tree.nodes; i++)
    node[i] = i < count ? terminal[i] : add_node(w, w->tree.node[i]);
  for (uint32_t i = 0; i < w->tree.edges; i++)
    add_edge(w, node[w->tree.edge[i].a], node[w->tree.edge[i].b]);
}

static bool improve(RefineWork *w, ExactWork *exact, uint32_t centre)
{
  uint32_t terminal[PART];
  Point at[PART];
  take_part(w, centre);
  int64_t length = take_insides(w);
  uint32_t count = take_terminals(w, terminal, at);
  bool better = false;
  if (count >= 3 && exact_holds(at, count)) {
    exact_tree(exact, at, count, &w->tree);
    better = w->tree.length < length;
  }
  w->tried.at[centre] = 1;
  while (w->parts) {
    if (better) w->tried.at[w->part[w->parts - 1]] = 0;
    leave(w);
  }
  if (better) exchange(w, terminal, count);
  return better;
}

/* --- the result ------------------------------------------------------------------------------- */

/* Edges that are left, and only nodes that have some, in their order. */
static void compact(RefineWork *w)
{
  uint32_t nodes = w->pins, edges = 0;
  for (uint32_t i = 0; i < w->nodes->len; i++) {
    if (i >= w->pins && w->first.at[i] == NONE) continue;
    w->place.at[i] = i < w->pins ? i : nodes++;
    w->nodes->at[w->place.at[i]] = w->nodes->at[i];
  }
  for (uint32_t e = 0; e < w->edges->len; e++) {
    SteinerEdge edge = w->edges->at[e];
    if (edge.a != edge.b)
      w->edges->at[edges++] = (SteinerEdge){ w->place.at[edge.a], w->place.at[edge.b] };
  }
  w->nodes->len = nodes;
  w->edges->len = edges;
}

void refine_tree(RefineWork *w, ExactWork *exact, uint32_t pins, SteinerPoints *nodes,
                 SteinerEdges *edges)
{
  w->nodes = nodes;
  w->edges = edges;
  w->pins = pins;
  build_lists(w);
  bool gained = true;
  for (int pass = 0; pass < PASSES && gained; pass++) {
    gained = false;
    for (uint32_t node = 0; node < nodes->len; node++)
      if (w->first.at[node] != NONE && !w->tried.at[node]) gained |= improve(w, exact, node);
  }
  compact(w);
}
