/* Turns RC networks into trees, and builds the tree of a net from its driver by joining the net's
   pieces at hierarchical pins and through ideal wires. */
#include "db/parasitics.h"

typedef struct { uint32_t to; float resistance; } Neighbour;
/* inner: on the inside of the hierarchical pin */
typedef struct { PinId pin; uint32_t inner, node; } Join;
/* a segment without a piece; node NO_NODE: none yet */
typedef struct { SegId seg; uint32_t node; } Ideal;

struct RcScratch {
  /* rc_order */
  ARRAY(uint32_t) start;        /* CSR of neighbours, one more than nodes */
  ARRAY(Neighbour) neighbours;
  ARRAY(uint32_t) order, place, set;
  /* rc_tree_build: the pieces of a net side by side */
  ARRAY(double) caps;
  ARRAY(RcEdge) edges;
  ARRAY(RcTap) taps;
  ARRAY(Join) joins;            /* by pin and side */
  ARRAY(Ideal) ideals;          /* by segment */
  ARRAY(SegJoin) seg_joins;     /* the netlist's, both ways, by first segment */
  const Netlist *indexed;       /* the netlist that they belong to, and its edit count */
  uint64_t edit_count;
};

RcScratch *rc_scratch_new(void) { return mem_alloc_zero(1, sizeof(RcScratch)); }

void rc_scratch_free(RcScratch *scratch)
{
  if (scratch == NULL) return;
  array_free(&scratch->start);
  array_free(&scratch->neighbours);
  array_free(&scratch->order);
  array_free(&scratch->place);
  array_free(&scratch->set);
  array_free(&scratch->caps);
  array_free(&scratch->edges);
  array_free(&scratch->taps);
  array_free(&scratch->joins);
  array_free(&scratch->ideals);
  array_free(&scratch->seg_joins);
  mem_free(scratch);
}

/* --- a network as a forest -------------------------------------------------------------------- */

static void index_edges(RcScratch *scratch, uint32_t node_count, const RcEdge *edges,
                        uint32_t edge_count)
{
  array_clear(&scratch->start);
  array_resize(&scratch->start, (uint64_t)node_count + 2);
  array_reserve(&scratch->neighbours, (uint64_t)edge_count * 2);
  uint32_t *start = scratch->start.at + 1;
  for (uint32_t i = 0; i < edge_count; i++) {
    start[edges[i].a + 1]++;
    start[edges[i].b + 1]++;
  }
  for (uint32_t i = 0; i < node_count; i++) start[i + 1] += start[i];
  /* start[i] moves to the end of i's neighbours, which is where s->start.at[i + 1] belongs. */
  for (uint32_t i = 0; i < edge_count; i++) {
    scratch->neighbours.at[start[edges[i].a]++] = (Neighbour){ edges[i].b, edges[i].resistance };
    scratch->neighbours.at[start[edges[i].b]++] = (Neighbour){ edges[i].a, edges[i].resistance };
  }
}

/* Breadth first from one node; the part's nodes follow those already in order. */
static void visit_part(RcScratch *scratch, uint32_t from, const double *caps, RcNode *nodes)
{
  uint32_t *place = scratch->place.at, *order = scratch->order.at, head = scratch->order.len,
           tail = head;
  place[from] = tail;
  nodes[tail] = (RcNode){ NO_NODE, 0, (float)caps[from] };
  order[tail++] = from;
  for (; head < tail; head++) {
    uint32_t end = scratch->start.at[order[head] + 1];
    for (uint32_t i = scratch->start.at[order[head]]; i < end; i++) {
      Neighbour next = scratch->neighbours.at[i];
      if (place[next.to] != NO_NODE) continue;
      place[next.to] = tail;
      nodes[tail] = (RcNode){ head, next.resistance, (float)caps[next.to] };
      order[tail++] = next.to;
    }
  }
  scratch->order.len = tail;
}

static RcOrder visit_all(RcScratch *scratch, const double *caps, uint32_t node_count, uint32_t root,
                         RcNode *nodes)
{
  array_reserve(&scratch->order, node_count);
  array_reserve(&scratch->place, node_count);
  array_clear(&scratch->order);
  memset(scratch->place.at, 0xff, node_count * sizeof *scratch->place.at);
  visit_part(scratch, root, caps, nodes);
  RcOrder order = { scratch->order.len, 0, 0, scratch->place.at };
  for (uint32_t i = 0; i < node_count && scratch->order.len < node_count; i++) {
    if (scratch->place.at[i] != NO_NODE) continue;
    visit_part(scratch, i, caps, nodes);
    order.islands++;
  }
  return order;
}

static uint32_t set_of(uint32_t *set, uint32_t i)
{
  while (set[i] != i) i = set[i] = set[set[i]];
  return i;
}

/* Keeps the edges that close no loop with edges before them.  Returns how many are kept. */
static uint32_t cut_loops(RcScratch *scratch, uint32_t node_count, RcEdge *edges,
                          uint32_t edge_count)
{
  array_reserve(&scratch->set, node_count);
  for (uint32_t i = 0; i < node_count; i++) scratch->set.at[i] = i;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < edge_count; i++) {
    uint32_t a = set_of(scratch->set.at, edges[i].a), b = set_of(scratch->set.at, edges[i].b);
    if (a == b) continue;
    scratch->set.at[a > b ? a : b] = a > b ? b : a;
    edges[kept++] = edges[i];
  }
  return kept;
}

RcOrder rc_order(RcScratch *scratch, const double *caps, uint32_t node_count, RcEdge *edges,
                 uint32_t edge_count, uint32_t root, RcNode *nodes)
{
  index_edges(scratch, node_count, edges, edge_count);
  RcOrder order = visit_all(scratch, caps, node_count, root, nodes);
  /* A forest has as many edges as nodes less parts.  Then every edge was used, and there was no
     choice. */
  uint32_t loops = edge_count - (node_count - 1 - order.islands);
  if (loops == 0) return order;
  index_edges(scratch, node_count, edges, cut_loops(scratch, node_count, edges, edge_count));
  order = visit_all(scratch, caps, node_count, root, nodes);
  order.loops = loops;
  return order;
}

/* --- the tree of a net ------------------------------------------------------------------------ */

void rc_tree_init(RcTree *tree)
{
  memset(tree, 0, sizeof *tree);
  tree->scratch = rc_scratch_new();
}

void rc_tree_free(RcTree *tree)
{
  array_free(&tree->nodes);
  array_free(&tree->taps);
  array_free(&tree->included);
  rc_scratch_free(tree->scratch);
  tree->scratch = NULL;
}

static uint32_t tap_node(const RcTap *taps, uint32_t count, PinId pin)
{
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (taps[middle].pin < pin) low = middle + 1;
    else high = middle;
  }
  return low < count && taps[low].pin == pin ? taps[low].node : NO_NODE;
}

/* A piece whose node 0 is the driver's, with all other nodes connected to it directly. */
static void copy_piece(RcTree *tree, const Parasitics *parasitics, const RcPiece *piece,
                       PinId driver)
{
  array_reserve(&tree->nodes, piece->node_count);
  memcpy(tree->nodes.at, parasitics->nodes.at + piece->first_node,
         piece->node_count * sizeof(RcNode));
  tree->nodes.len = piece->node_count;
  array_reserve(&tree->taps, piece->tap_count);
  const RcTap *taps = array_from(&parasitics->taps, piece->first_tap);
  for (uint32_t i = 0; i < piece->tap_count; i++)
    if (taps[i].pin != driver) tree->taps.at[tree->taps.len++] = taps[i];
  double total = 0;
  for (uint32_t i = 0; i < tree->nodes.len; i++) total += tree->nodes.at[i].cap;
  tree->total_cap = (float)total;
}

/* --- joining ---------------------------------------------------------------------------------- */

static void gather_piece(RcScratch *scratch, const Parasitics *parasitics, const Netlist *n,
                         const RcPiece *piece)
{
  uint32_t base = scratch->caps.len;
  const RcNode *nodes = parasitics->nodes.at + piece->first_node;
  for (uint32_t i = 0; i < piece->node_count; i++) {
    array_push(&scratch->caps, nodes[i].cap);
    if (nodes[i].parent != NO_NODE)
      array_push(&scratch->edges,
                 (RcEdge){ base + nodes[i].parent, base + i, nodes[i].resistance });
  }
  InstId scope = n->segs.at[piece->seg].scope;
  for (uint32_t i = 0; i < piece->tap_count; i++) {
    RcTap tap = parasitics->taps.at[piece->first_tap + i];
    if (pin_is_hierarchical(n, tap.pin))
      array_push(&scratch->joins,
                 (Join){ tap.pin, n->pins.at[tap.pin].inst == scope, base + tap.node });
    else
      array_push(&scratch->taps, (RcTap){ tap.pin, base + tap.node });
  }
}

static int join_order(const void *a, const void *b)
{
  const Join *x = a, *y = b;
  if (x->pin != y->pin) return x->pin < y->pin ? -1 : 1;
  if (x->inner != y->inner) return x->inner < y->inner ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

static int ideal_order(const void *a, const void *b)
{
  SegId x = ((const Ideal *)a)->seg, y = ((const Ideal *)b)->seg;
  return (x > y) - (x < y);
}

static int tap_order(const void *a, const void *b)
{
  const RcTap *x = a, *y = b;
  if (x->pin != y->pin) return x->pin < y->pin ? -1 : 1;
  return (x->node > y->node) - (x->node < y->node);
}

/* Sorts taps by pin.  If two taps have one pin, that of the earlier piece stays. */
static void sort_taps(RcScratch *scratch)
{
  if (scratch->taps.len == 0) return;
  qsort(scratch->taps.at, scratch->taps.len, sizeof *scratch->taps.at, tap_order);
  uint32_t kept = 1;
  for (uint32_t i = 1; i < scratch->taps.len; i++)
    if (scratch->taps.at[i].pin != scratch->taps.at[kept - 1].pin)
      scratch->taps.at[kept++] = scratch->taps.at[i];
  scratch->taps.len = kept;
}

static void list_ideals(RcScratch *scratch, const Parasitics *parasitics, const Netlist *n,
                        NetId net)
{
  for (SegId seg = n->nets.at[net].first_seg; seg != NO_SEG; seg = n->segs.at[seg].next)
    if (seg >= parasitics->seg_piece.len || parasitics->seg_piece.at[seg] == NO_PIECE)
      array_push(&scratch->ideals, (Ideal){ seg, NO_NODE });
  if (scratch->ideals.len)
    qsort(scratch->ideals.at, scratch->ideals.len, sizeof *scratch->ideals.at, ideal_order);
}

static Ideal *find_ideal(RcScratch *scratch, SegId seg)
{
  if (seg == NO_SEG || scratch->ideals.len == 0) return NULL;
  return bsearch(&(Ideal){ seg, 0 }, scratch->ideals.at, scratch->ideals.len, sizeof(Ideal),
                 ideal_order);
}

static uint32_t ideal_node(RcScratch *scratch, Ideal *ideal)
{
  if (ideal->node == NO_NODE) {
    ideal->node = scratch->caps.len;
    array_push(&scratch->caps, 0);
  }
  return ideal->node;
}

static int seg_join_order(const void *a, const void *b)
{
  const SegJoin *x = a, *y = b;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  return (x->b > y->b) - (x->b < y->b);
}

static void index_seg_joins(RcScratch *scratch, const Netlist *n)
{
  if (scratch->indexed == n && scratch->edit_count == n->edit_count) return;
  scratch->indexed = n;
  scratch->edit_count = n->edit_count;
  array_clear(&scratch->seg_joins);
  for (uint32_t i = 0; i < n->joins.len; i++) {
    SegJoin j = n->joins.at[i];
    array_push(&scratch->seg_joins, j);
    array_push(&scratch->seg_joins, (SegJoin){ j.b, j.a });
  }
  if (scratch->seg_joins.len)
    qsort(scratch->seg_joins.at, scratch->seg_joins.len, sizeof *scratch->seg_joins.at,
          seg_join_order);
}

/* Where an assign meets a segment: the ideal wire, or the start of the segment's piece. */
static uint32_t seg_node(RcScratch *scratch, const Parasitics *parasitics, NetId net, SegId seg)
{
  uint32_t first = 0;
  Ideal *ideal = find_ideal(scratch, seg);
  if (ideal) return ideal_node(scratch, ideal);
  PieceId id = parasitics->net_piece.at[net];
  for (; id != NO_PIECE && parasitics->pieces.at[id].seg != seg;
       id = parasitics->pieces.at[id].next)
    first += parasitics->pieces.at[id].node_count;
  return first;
}

/* Wires that an assign makes one. */
static void join_assigned(RcScratch *scratch, const Parasitics *parasitics, const Netlist *n,
                          NetId net)
{
  if (n->joins.len == 0) return;
  index_seg_joins(scratch, n);
  for (SegId seg = n->nets.at[net].first_seg; seg != NO_SEG; seg = n->segs.at[seg].next) {
    uint32_t low = 0, high = scratch->seg_joins.len;
    while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (scratch->seg_joins.at[middle].a < seg) low = middle + 1;
      else high = middle;
    }
    for (; low < scratch->seg_joins.len && scratch->seg_joins.at[low].a == seg; low++) {
      if (scratch->seg_joins.at[low].b < seg) continue;
      uint32_t a = seg_node(scratch, parasitics, net, seg),
               b = seg_node(scratch, parasitics, net, scratch->seg_joins.at[low].b);
      if (a != b) array_push(&scratch->edges, (RcEdge){ a, b, 0 });
    }
  }
}

/* Returns the node on one side of a hierarchical pin: the tap of a piece, else the ideal wire, else
   none. */
static uint32_t node_at_pin(RcScratch *scratch, SegId seg, PinId pin, uint32_t inner)
{
  uint32_t low = 0, high = scratch->joins.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const Join *join = &scratch->joins.at[middle];
    if (join->pin < pin || (join->pin == pin && join->inner < inner)) low = middle + 1;
    else high = middle;
  }
  if (low < scratch->joins.len && scratch->joins.at[low].pin == pin
      && scratch->joins.at[low].inner == inner)
    return scratch->joins.at[low].node;
  Ideal *ideal = find_ideal(scratch, seg);
  return ideal ? ideal_node(scratch, ideal) : NO_NODE;
}

/* Pins on an ideal wire sit on its node, but for those that a piece of another segment has already
   (a file that names a net by its top segment alone and lists the leaf pins below). */
static void tap_ideals(RcScratch *scratch, const Netlist *n)
{
  uint32_t known = scratch->taps.len;
  for (uint32_t i = 0; i < scratch->ideals.len; i++) {
    if (scratch->ideals.at[i].node == NO_NODE) continue;
    for (PinId pin = n->segs.at[scratch->ideals.at[i].seg].first_pin; pin != NO_PIN;
         pin = n->pins.at[pin].next)
      if (!pin_is_hierarchical(n, pin) && tap_node(scratch->taps.at, known, pin) == NO_NODE)
        array_push(&scratch->taps, (RcTap){ pin, scratch->ideals.at[i].node });
  }
  sort_taps(scratch);
}

static void join_pieces(RcScratch *scratch, const Parasitics *parasitics, const Netlist *n,
                        NetId net)
{
  if (scratch->joins.len)
    qsort(scratch->joins.at, scratch->joins.len, sizeof *scratch->joins.at, join_order);
  list_ideals(scratch, parasitics, n, net);
  NetPins it = net_pins(n, net, true);
  for (PinId pin; (pin = net_pins_next(&it)) != NO_PIN;) {
    if (!pin_is_hierarchical(n, pin)) continue;
    uint32_t outer = node_at_pin(scratch, n->pins.at[pin].seg, pin, 0);
    uint32_t inner = node_at_pin(scratch, netlist_inner_seg(n, pin), pin, 1);
    if (outer != NO_NODE && inner != NO_NODE)
      array_push(&scratch->edges, (RcEdge){ outer, inner, 0 });
  }
  join_assigned(scratch, parasitics, n, net);
  tap_ideals(scratch, n);
}

static void gather(RcScratch *scratch, const Parasitics *parasitics, const Netlist *n, NetId net)
{
  array_clear(&scratch->caps);
  array_clear(&scratch->edges);
  array_clear(&scratch->taps);
  array_clear(&scratch->joins);
  array_clear(&scratch->ideals);
  for (PieceId id = parasitics->net_piece.at[net]; id != NO_PIECE;
       id = parasitics->pieces.at[id].next)
    gather_piece(scratch, parasitics, n, &parasitics->pieces.at[id]);
  sort_taps(scratch);
  bool several =
      n->joins.len && parasitics->pieces.at[parasitics->net_piece.at[net]].next != NO_PIECE;
  if (scratch->joins.len || several) join_pieces(scratch, parasitics, n, net);
}

static float sum_caps(const RcNode *nodes, uint32_t from, uint32_t to)
{
  double sum = 0;
  for (uint32_t i = from; i < to; i++) sum += nodes[i].cap;
  return (float)sum;
}

static int pin_order(const void *a, const void *b)
{
  PinId x = ((const RcTap *)a)->pin, y = ((const RcTap *)b)->pin;
  return (x > y) - (x < y);
}

/* No piece says where the driver sits: one node with all capacitance and all pins, as of a net
   without resistors. */
static void build_lumped(RcTree *tree, const Netlist *n, NetId net, PinId driver)
{
  const RcScratch *scratch = tree->scratch;
  double cap = 0;
  for (uint32_t i = 0; i < scratch->caps.len; i++) cap += scratch->caps.at[i];
  array_push(&tree->nodes, (RcNode){ NO_NODE, 0, (float)cap });
  tree->total_cap = (float)cap;
  tree->lumped = true;
  NetPins it = net_pins(n, net, false);
  for (PinId pin; (pin = net_pins_next(&it)) != NO_PIN;)
    if (pin != driver) array_push(&tree->taps, (RcTap){ pin, 0 });
  if (tree->taps.len) qsort(tree->taps.at, tree->taps.len, sizeof *tree->taps.at, pin_order);
}

static void build_joined(RcTree *tree, const Parasitics *parasitics, const Netlist *n, NetId net,
                         PinId driver)
{
  RcScratch *scratch = tree->scratch;
  gather(scratch, parasitics, n, net);
  uint32_t root = tap_node(scratch->taps.at, scratch->taps.len, driver);
  if (root == NO_NODE) {
    build_lumped(tree, n, net, driver);
    return;
  }
  array_reserve(&tree->nodes, scratch->caps.len);
  RcOrder order = rc_order(scratch, scratch->caps.at, scratch->caps.len, scratch->edges.at,
                           scratch->edges.len, root, tree->nodes.at);
  tree->nodes.len = order.reached;
  tree->total_cap = sum_caps(tree->nodes.at, 0, scratch->caps.len);
  tree->island_cap = sum_caps(tree->nodes.at, order.reached, scratch->caps.len);
  array_reserve(&tree->taps, scratch->taps.len);
  for (uint32_t i = 0; i < scratch->taps.len; i++) {
    uint32_t node = order.place[scratch->taps.at[i].node];
    if (node < order.reached && scratch->taps.at[i].pin != driver)
      tree->taps.at[tree->taps.len++] = (RcTap){ scratch->taps.at[i].pin, node };
  }
}

const RcPiece *rc_ready_piece(const Parasitics *parasitics, NetId net, PinId driver)
{
  const RcPiece *piece = &parasitics->pieces.at[parasitics->net_piece.at[net]];
  if (piece->next != NO_PIECE || piece->flags & (PIECE_JOINS | PIECE_ISLANDS)) return NULL;
  return tap_node(array_from(&parasitics->taps, piece->first_tap), piece->tap_count, driver) == 0
             ? piece
             : NULL;
}

/* --- capacitances that hold those of library pins --------------------------------------------- */

/* Takes the first piece with the pin; for a pin on no piece, the net's first piece. */
static bool pin_included(const Parasitics *parasitics, const Netlist *n, NetId net, PinId pin)
{
  uint32_t flags = parasitics->pieces.at[parasitics->net_piece.at[net]].flags;
  for (PieceId id = parasitics->net_piece.at[net]; id != NO_PIECE;
       id = parasitics->pieces.at[id].next) {
    const RcPiece *piece = &parasitics->pieces.at[id];
    if (tap_node(array_from(&parasitics->taps, piece->first_tap), piece->tap_count, pin) == NO_NODE)
      continue;
    flags = piece->flags;
    break;
  }
  return parasitics_pin_included(n, flags, pin);
}

bool parasitics_holds_pin(const Parasitics *parasitics, const Netlist *n, NetId net, PinId pin)
{
  return parasitics && parasitics_has(parasitics, net) && pin_included(parasitics, n, net, pin);
}

static void find_included(RcTree *tree, const Parasitics *parasitics, const Netlist *n, NetId net,
                          PinId driver)
{
  uint32_t flags = 0;
  PieceId id = parasitics->net_piece.at[net];
  for (; id != NO_PIECE; id = parasitics->pieces.at[id].next)
    flags |= parasitics->pieces.at[id].flags;
  if (!(flags & (PIECE_INPUTS_INCLUDED | PIECE_OUTPUTS_INCLUDED))) return;
  array_resize(&tree->included, tree->taps.len);
  for (uint32_t i = 0; i < tree->taps.len; i++)
    tree->included.at[i] = pin_included(parasitics, n, net, tree->taps.at[i].pin);
  tree->own_included = pin_included(parasitics, n, net, driver);
}

void rc_tree_build(RcTree *tree, const Parasitics *parasitics, const Netlist *n, NetId net,
                   PinId driver)
{
  array_clear(&tree->nodes);
  array_clear(&tree->taps);
  array_clear(&tree->included);
  tree->island_cap = tree->total_cap = 0;
  tree->lumped = tree->own_included = false;
  if (parasitics_has(parasitics, net)) {
    const RcPiece *piece = rc_ready_piece(parasitics, net, driver);
    if (piece) copy_piece(tree, parasitics, piece, driver);
    else build_joined(tree, parasitics, n, net, driver);
    find_included(tree, parasitics, n, net, driver);
  }
}

/* What the pieces reach: in a lumped tree all pins have a tap, and what was gathered tells.  A net
   whose pins all have one is told by counting. */
uint32_t rc_tree_unreached(const RcTree *tree, const Netlist *n, NetId net, PinId driver)
{
  const RcTap *taps = tree->lumped ? tree->scratch->taps.at : tree->taps.at;
  uint32_t count = tree->lumped ? tree->scratch->taps.len : tree->taps.len, pins = 0, unreached = 0;
  NetPins it = net_pins(n, net, false);
  while (net_pins_next(&it) != NO_PIN) pins++;
  if (tree->nodes.len && pins == count + 1) return 0;
  it = net_pins(n, net, false);
  for (PinId pin; (pin = net_pins_next(&it)) != NO_PIN;)
    if (pin != driver && netlist_pin_loads(n, pin) && tap_node(taps, count, pin) == NO_NODE)
      unreached++;
  return unreached;
}
