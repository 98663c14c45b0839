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

void refine_work_free(RefineWork *work)
{
  array_free(&work->first);
  array_free(&work->next);
  array_free(&work->place);
  array_free(&work->tried);
  mem_free(work);
}

/* --- the tree's lists ------------------------------------------------------------------------- */

static void put_end(RefineWork *work, int32_t end, uint32_t node)
{
  work->next.at[end] = work->first.at[node];
  work->first.at[node] = end;
}

static void take_end(RefineWork *work, int32_t end, uint32_t node)
{
  int32_t *at = &work->first.at[node];
  while (*at != end) at = &work->next.at[*at];
  *at = work->next.at[end];
}

static void link_edge(RefineWork *work, uint32_t edge)
{
  put_end(work, (int32_t)(2 * edge), work->edges->at[edge].a);
  put_end(work, (int32_t)(2 * edge + 1), work->edges->at[edge].b);
}

static void remove_edge(RefineWork *work, uint32_t edge)
{
  take_end(work, (int32_t)(2 * edge), work->edges->at[edge].a);
  take_end(work, (int32_t)(2 * edge + 1), work->edges->at[edge].b);
  work->edges->at[edge].b = work->edges->at[edge].a;
}

static void add_edge(RefineWork *work, uint32_t a, uint32_t b)
{
  array_push(work->edges, (SteinerEdge){ a, b });
  array_resize(&work->next, 2 * work->edges->len);
  link_edge(work, work->edges->len - 1);
}

static uint32_t add_node(RefineWork *work, Point at)
{
  array_push(work->nodes, at);
  array_push(&work->first, NONE);
  array_push(&work->place, UINT32_MAX);
  array_push(&work->tried, 0);
  return work->nodes->len - 1;
}

static uint32_t far_end(const RefineWork *work, int32_t end)
{
  SteinerEdge e = work->edges->at[end / 2];
  return end & 1 ? e.a : e.b;
}

static void build_lists(RefineWork *work)
{
  array_resize(&work->first, work->nodes->len);
  array_resize(&work->place, work->nodes->len);
  array_resize(&work->next, 2 * work->edges->len);
  array_clear(&work->tried);
  array_resize(&work->tried, work->nodes->len);
  memset(work->first.at, 0xff, work->first.len * sizeof *work->first.at);
  memset(work->place.at, 0xff, work->place.len * sizeof *work->place.at);
  for (uint32_t e = 0; e < work->edges->len; e++) link_edge(work, e);
}

/* --- a part ----------------------------------------------------------------------------------- */

static bool goes_on(const RefineWork *work, uint32_t node)
{
  for (int32_t end = work->first.at[node]; end != NONE; end = work->next.at[end])
    if (work->place.at[far_end(work, end)] == UINT32_MAX) return true;
  return false;
}

static bool is_terminal(const RefineWork *work, uint32_t node)
{
  return node < work->pins || goes_on(work, node);
}

static uint32_t count_terminals(const RefineWork *work)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < work->parts; i++) count += is_terminal(work, work->part[i]);
  return count;
}

static void enter(RefineWork *work, uint32_t node)
{
  work->place.at[node] = work->parts;
  work->part[work->parts++] = node;
}

static void leave(RefineWork *work) { work->place.at[work->part[--work->parts]] = UINT32_MAX; }

/* Neighbours of the nodes of the part, in the order in which these came, as long as the terminals
   are not too many. */
static void take_part(RefineWork *work, uint32_t centre)
{
  work->parts = 0;
  enter(work, centre);
  for (uint32_t i = 0; i < work->parts; i++)
    for (int32_t end = work->first.at[work->part[i]]; end != NONE; end = work->next.at[end]) {
      uint32_t node = far_end(work, end);
      if (work->place.at[node] != UINT32_MAX) continue;
      if (work->parts == PART) return;
      enter(work, node);
      if (count_terminals(work) > TERMINALS) leave(work);
    }
}

/* Each edge of the part is found at its a. */
static int64_t take_insides(RefineWork *work)
{
  int64_t length = 0;
  work->insides = 0;
  for (uint32_t i = 0; i < work->parts; i++)
    for (int32_t end = work->first.at[work->part[i]]; end != NONE; end = work->next.at[end]) {
      if (end & 1 || work->place.at[far_end(work, end)] == UINT32_MAX) continue;
      SteinerEdge e = work->edges->at[end / 2];
      work->inside[work->insides++] = (uint32_t)end / 2;
      length += point_distance(work->nodes->at[e.a], work->nodes->at[e.b]);
    }
  return length;
}

/* The terminals' numbers and places.  Branches may lie on one another: then 0. */
static uint32_t take_terminals(const RefineWork *work, uint32_t *terminal, Point *at)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < work->parts; i++) {
    uint32_t node = work->part[i];
    if (!is_terminal(work, node)) continue;
    for (uint32_t k = 0; k < count; k++)
      if (at[k].x == work->nodes->at[node].x && at[k].y == work->nodes->at[node].y) return 0;
    terminal[count] = node;
    at[count++] = work->nodes->at[node];
  }
  return count;
}

static void exchange(RefineWork *work, const uint32_t *terminal, uint32_t count)
{
  uint32_t node[2 * STEINER_EXACT];
  for (uint32_t i = 0; i < work->insides; i++) remove_edge(work, work->inside[i]);
  for (uint32_t i = 0; i < work->tree.nodes; i++)
    node[i] = i < count ? terminal[i] : add_node(work, work->tree.node[i]);
  for (uint32_t i = 0; i < work->tree.edges; i++)
    add_edge(work, node[work->tree.edge[i].a], node[work->tree.edge[i].b]);
}

static bool improve(RefineWork *work, ExactWork *exact, uint32_t centre)
{
  uint32_t terminal[PART];
  Point at[PART];
  take_part(work, centre);
  int64_t length = take_insides(work);
  uint32_t count = take_terminals(work, terminal, at);
  bool better = false;
  if (count >= 3 && exact_holds(at, count)) {
    exact_tree(exact, at, count, &work->tree);
    better = work->tree.length < length;
  }
  work->tried.at[centre] = 1;
  while (work->parts) {
    if (better) work->tried.at[work->part[work->parts - 1]] = 0;
    leave(work);
  }
  if (better) exchange(work, terminal, count);
  return better;
}

/* --- the result ------------------------------------------------------------------------------- */

/* Edges that are left, and only nodes that have some, in their order. */
static void compact(RefineWork *work)
{
  uint32_t nodes = work->pins, edges = 0;
  for (uint32_t i = 0; i < work->nodes->len; i++) {
    if (i >= work->pins && work->first.at[i] == NONE) continue;
    work->place.at[i] = i < work->pins ? i : nodes++;
    work->nodes->at[work->place.at[i]] = work->nodes->at[i];
  }
  for (uint32_t e = 0; e < work->edges->len; e++) {
    SteinerEdge edge = work->edges->at[e];
    if (edge.a != edge.b)
      work->edges->at[edges++] = (SteinerEdge){ work->place.at[edge.a], work->place.at[edge.b] };
  }
  work->nodes->len = nodes;
  work->edges->len = edges;
}

void refine_tree(RefineWork *work, ExactWork *exact, uint32_t pins, SteinerPoints *nodes,
                 SteinerEdges *edges)
{
  work->nodes = nodes;
  work->edges = edges;
  work->pins = pins;
  build_lists(work);
  bool gained = true;
  for (int pass = 0; pass < PASSES && gained; pass++) {
    gained = false;
    for (uint32_t node = 0; node < nodes->len; node++)
      if (work->first.at[node] != NONE && !work->tried.at[node])
        gained |= improve(work, exact, node);
  }
  compact(work);
}
