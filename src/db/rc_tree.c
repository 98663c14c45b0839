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

void rc_scratch_free(RcScratch *s)
{
  if (s == NULL) return;
  array_free(&s->start);
  array_free(&s->neighbours);
  array_free(&s->order);
  array_free(&s->place);
  array_free(&s->set);
  array_free(&s->caps);
  array_free(&s->edges);
  array_free(&s->taps);
  array_free(&s->joins);
  array_free(&s->ideals);
  array_free(&s->seg_joins);
  mem_free(s);
}

/* --- a network as a forest -------------------------------------------------------------------- */

static void index_edges(RcScratch *s, uint32_t node_count, const RcEdge *edges, uint32_t edge_count)
{
  array_clear(&s->start);
  array_resize(&s->start, (uint64_t)node_count + 2);
  array_reserve(&s->neighbours, (uint64_t)edge_count * 2);
  uint32_t *start = s->start.at + 1;
  for (uint32_t i = 0; i < edge_count; i++) {
    start[edges[i].a + 1]++;
    start[edges[i].b + 1]++;
  }
  for (uint32_t i = 0; i < node_count; i++) start[i + 1] += start[i];
  /* start[i] moves to the end of i's neighbours, which is where s->start.at[i + 1] belongs. */
  for (uint32_t i = 0; i < edge_count; i++) {
    s->neighbours.at[start[edges[i].a]++] = (Neighbour){ edges[i].b, edges[i].resistance };
    s->neighbours.at[start[edges[i].b]++] = (Neighbour){ edges[i].a, edges[i].resistance };
  }
}

/* Breadth first from one node; the part's nodes follow those already in order. */
static void visit_part(RcScratch *s, uint32_t from, const double *caps, RcNode *nodes)
{
  uint32_t *place = s->place.at, *order = s->order.at, head = s->order.len, tail = head;
  place[from] = tail;
  nodes[tail] = (RcNode){ NO_NODE, 0, (float)caps[from] };
  order[tail++] = from;
  for (; head < tail; head++) {
    uint32_t end = s->start.at[order[head] + 1];
    for (uint32_t i = s->start.at[order[head]]; i < end; i++) {
      Neighbour next = s->neighbours.at[i];
      if (place[next.to] != NO_NODE) continue;
      place[next.to] = tail;
      nodes[tail] = (RcNode){ head, next.resistance, (float)caps[next.to] };
      order[tail++] = next.to;
    }
  }
  s->order.len = tail;
}

static RcOrder visit_all(RcScratch *s, const double *caps, uint32_t node_count, uint32_t root,
                         RcNode *nodes)
{
  array_reserve(&s->order, node_count);
  array_reserve(&s->place, node_count);
  array_clear(&s->order);
  memset(s->place.at, 0xff, node_count * sizeof *s->place.at);
  visit_part(s, root, caps, nodes);
  RcOrder order = { s->order.len, 0, 0, s->place.at };
  for (uint32_t i = 0; i < node_count && s->order.len < node_count; i++) {
    if (s->place.at[i] != NO_NODE) continue;
    visit_part(s, i, caps, nodes);
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
static uint32_t cut_loops(RcScratch *s, uint32_t node_count, RcEdge *edges, uint32_t edge_count)
{
  array_reserve(&s->set, node_count);
  for (uint32_t i = 0; i < node_count; i++) s->set.at[i] = i;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < edge_count; i++) {
    uint32_t a = set_of(s->set.at, edges[i].a), b = set_of(s->set.at, edges[i].b);
    if (a == b) continue;
    s->set.at[a > b ? a : b] = a > b ? b : a;
    edges[kept++] = edges[i];
  }
  return kept;
}

RcOrder rc_order(RcScratch *s, const double *caps, uint32_t node_count, RcEdge *edges,
                 uint32_t edge_count, uint32_t root, RcNode *nodes)
{
  index_edges(s, node_count, edges, edge_count);
  RcOrder order = visit_all(s, caps, node_count, root, nodes);
  /* A forest has as many edges as nodes less parts.  Then every edge was used, and there was no
     choice. */
  uint32_t loops = edge_count - (node_count - 1 - order.islands);
  if (loops == 0) return order;
  index_edges(s, node_count, edges, cut_loops(s, node_count, edges, edge_count));
  order = visit_all(s, caps, node_count, root, nodes);
  order.loops = loops;
  return order;
}

/* --- the tree of a net ------------------------------------------------------------------------ */

void rc_tree_init(RcTree *t)
{
  memset(t, 0, sizeof *t);
  t->scratch = rc_scratch_new();
}

void rc_tree_free(RcTree *t)
{
  array_free(&t->nodes);
  array_free(&t->taps);
  array_free(&t->included);
  rc_scratch_free(t->scratch);
  t->scratch = NULL;
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
static void copy_piece(RcTree *t, const Parasitics *p, const RcPiece *piece, PinId driver)
{
  array_reserve(&t->nodes, piece->node_count);
  memcpy(t->nodes.at, p->nodes.at + piece->first_node, piece->node_count * sizeof(RcNode));
  t->nodes.len = piece->node_count;
  array_reserve(&t->taps, piece->tap_count);
  const RcTap *taps = array_from(&p->taps, piece->first_tap);
  for (uint32_t i = 0; i < piece->tap_count; i++)
    if (taps[i].pin != driver) t->taps.at[t->taps.len++] = taps[i];
  double total = 0;
  for (uint32_t i = 0; i < t->nodes.len; i++) total += t->nodes.at[i].cap;
  t->total_cap = (float)total;
}

/* --- joining ---------------------------------------------------------------------------------- */

static void gather_piece(RcScratch *s, const Parasitics *p, const Netlist *n, const RcPiece *piece)
{
  uint32_t base = s->caps.len;
  const RcNode *nodes = p->nodes.at + piece->first_node;
  for (uint32_t i = 0; i < piece->node_count; i++) {
    array_push(&s->caps, nodes[i].cap);
    if (nodes[i].parent != NO_NODE)
      array_push(&s->edges, (RcEdge){ base + nodes[i].parent, base + i, nodes[i].resistance });
  }
  InstId scope = n->segs.at[piece->seg].scope;
  for (uint32_t i = 0; i < piece->tap_count; i++) {
    RcTap tap = p->taps.at[piece->first_tap + i];
    if (pin_is_hierarchical(n, tap.pin))
      array_push(&s->joins, (Join){ tap.pin, n->pins.at[tap.pin].inst == scope, base + tap.node });
    else
      array_push(&s->taps, (RcTap){ tap.pin, base + tap.node });
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
static void sort_taps(RcScratch *s)
{
  if (s->taps.len == 0) return;
  qsort(s->taps.at, s->taps.len, sizeof *s->taps.at, tap_order);
  uint32_t kept = 1;
  for (uint32_t i = 1; i < s->taps.len; i++)
    if (s->taps.at[i].pin != s->taps.at[kept - 1].pin) s->taps.at[kept++] = s->taps.at[i];
  s->taps.len = kept;
}

static void list_ideals(RcScratch *s, const Parasitics *p, const Netlist *n, NetId net)
{
  for (SegId seg = n->nets.at[net].first_seg; seg != NO_SEG; seg = n->segs.at[seg].next)
    if (seg >= p->seg_piece.len || p->seg_piece.at[seg] == NO_PIECE)
      array_push(&s->ideals, (Ideal){ seg, NO_NODE });
  if (s->ideals.len) qsort(s->ideals.at, s->ideals.len, sizeof *s->ideals.at, ideal_order);
}

static Ideal *find_ideal(RcScratch *s, SegId seg)
{
  if (seg == NO_SEG || s->ideals.len == 0) return NULL;
  return bsearch(&(Ideal){ seg, 0 }, s->ideals.at, s->ideals.len, sizeof(Ideal), ideal_order);
}

static uint32_t ideal_node(RcScratch *s, Ideal *ideal)
{
  if (ideal->node == NO_NODE) {
    ideal->node = s->caps.len;
    array_push(&s->caps, 0);
  }
  return ideal->node;
}

static int seg_join_order(const void *a, const void *b)
{
  const SegJoin *x = a, *y = b;
  if (x->a != y->a) return x->a < y->a ? -1 : 1;
  return (x->b > y->b) - (x->b < y->b);
}

static void index_seg_joins(RcScratch *s, const Netlist *n)
{
  if (s->indexed == n && s->edit_count == n->edit_count) return;
  s->indexed = n;
  s->edit_count = n->edit_count;
  array_clear(&s->seg_joins);
  for (uint32_t i = 0; i < n->joins.len; i++) {
    SegJoin j = n->joins.at[i];
    array_push(&s->seg_joins, j);
    array_push(&s->seg_joins, (SegJoin){ j.b, j.a });
  }
  if (s->seg_joins.len)
    qsort(s->seg_joins.at, s->seg_joins.len, sizeof *s->seg_joins.at, seg_join_order);
}

/* Where an assign meets a segment: the ideal wire, or the start of the segment's piece. */
static uint32_t seg_node(RcScratch *s, const Parasitics *p, NetId net, SegId seg)
{
  uint32_t first = 0;
  Ideal *ideal = find_ideal(s, seg);
  if (ideal) return ideal_node(s, ideal);
  PieceId id = p->net_piece.at[net];
  for (; id != NO_PIECE && p->pieces.at[id].seg != seg; id = p->pieces.at[id].next)
    first += p->pieces.at[id].node_count;
  return first;
}

/* Wires that an assign makes one. */
static void join_assigned(RcScratch *s, const Parasitics *p, const Netlist *n, NetId net)
{
  if (n->joins.len == 0) return;
  index_seg_joins(s, n);
  for (SegId seg = n->nets.at[net].first_seg; seg != NO_SEG; seg = n->segs.at[seg].next) {
    uint32_t low = 0, high = s->seg_joins.len;
    while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (s->seg_joins.at[middle].a < seg) low = middle + 1;
      else high = middle;
    }
    for (; low < s->seg_joins.len && s->seg_joins.at[low].a == seg; low++) {
      if (s->seg_joins.at[low].b < seg) continue;
      uint32_t a = seg_node(s, p, net, seg), b = seg_node(s, p, net, s->seg_joins.at[low].b);
      if (a != b) array_push(&s->edges, (RcEdge){ a, b, 0 });
    }
  }
}

/* Returns the node on one side of a hierarchical pin: the tap of a piece, else the ideal wire, else
   none. */
static uint32_t side_node(RcScratch *s, SegId seg, PinId pin, uint32_t inner)
{
  uint32_t low = 0, high = s->joins.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    const Join *j = &s->joins.at[middle];
    if (j->pin < pin || (j->pin == pin && j->inner < inner)) low = middle + 1;
    else high = middle;
  }
  if (low < s->joins.len && s->joins.at[low].pin == pin && s->joins.at[low].inner == inner)
    return s->joins.at[low].node;
  Ideal *ideal = find_ideal(s, seg);
  return ideal ? ideal_node(s, ideal) : NO_NODE;
}

/* Pins on an ideal wire sit on its node, but for those that a piece of another segment has already
   (a file that names a net by its top segment alone and lists the leaf pins below). */
static void tap_ideals(RcScratch *s, const Netlist *n)
{
  uint32_t known = s->taps.len;
  for (uint32_t i = 0; i < s->ideals.len; i++) {
    if (s->ideals.at[i].node == NO_NODE) continue;
    for (PinId pin = n->segs.at[s->ideals.at[i].seg].first_pin; pin != NO_PIN;
         pin = n->pins.at[pin].next)
      if (!pin_is_hierarchical(n, pin) && tap_node(s->taps.at, known, pin) == NO_NODE)
        array_push(&s->taps, (RcTap){ pin, s->ideals.at[i].node });
  }
  sort_taps(s);
}

static void join_pieces(RcScratch *s, const Parasitics *p, const Netlist *n, NetId net)
{
  if (s->joins.len) qsort(s->joins.at, s->joins.len, sizeof *s->joins.at, join_order);
  list_ideals(s, p, n, net);
  NetPins it = net_pins(n, net, true);
  for (PinId pin; (pin = net_pins_next(&it)) != NO_PIN;) {
    if (!pin_is_hierarchical(n, pin)) continue;
    uint32_t outer = side_node(s, n->pins.at[pin].seg, pin, 0);
    uint32_t inner = side_node(s, netlist_inner_seg(n, pin), pin, 1);
    if (outer != NO_NODE && inner != NO_NODE) array_push(&s->edges, (RcEdge){ outer, inner, 0 });
  }
  join_assigned(s, p, n, net);
  tap_ideals(s, n);
}

static void gather(RcScratch *s, const Parasitics *p, const Netlist *n, NetId net)
{
  array_clear(&s->caps);
  array_clear(&s->edges);
  array_clear(&s->taps);
  array_clear(&s->joins);
  array_clear(&s->ideals);
  for (PieceId id = p->net_piece.at[net]; id != NO_PIECE; id = p->pieces.at[id].next)
    gather_piece(s, p, n, &p->pieces.at[id]);
  sort_taps(s);
  bool several = n->joins.len && p->pieces.at[p->net_piece.at[net]].next != NO_PIECE;
  if (s->joins.len || several) join_pieces(s, p, n, net);
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
static void build_lumped(RcTree *t, const Netlist *n, NetId net, PinId driver)
{
  const RcScratch *s = t->scratch;
  double cap = 0;
  for (uint32_t i = 0; i < s->caps.len; i++) cap += s->caps.at[i];
  array_push(&t->nodes, (RcNode){ NO_NODE, 0, (float)cap });
  t->total_cap = (float)cap;
  t->lumped = true;
  NetPins it = net_pins(n, net, false);
  for (PinId pin; (pin = net_pins_next(&it)) != NO_PIN;)
    if (pin != driver) array_push(&t->taps, (RcTap){ pin, 0 });
  if (t->taps.len) qsort(t->taps.at, t->taps.len, sizeof *t->taps.at, pin_order);
}

static void build_joined(RcTree *t, const Parasitics *p, const Netlist *n, NetId net, PinId driver)
{
  RcScratch *s = t->scratch;
  gather(s, p, n, net);
  uint32_t root = tap_node(s->taps.at, s->taps.len, driver);
  if (root == NO_NODE) {
    build_lumped(t, n, net, driver);
    return;
  }
  array_reserve(&t->nodes, s->caps.len);
  RcOrder order =
      rc_order(s, s->caps.at, s->caps.len, s->edges.at, s->edges.len, root, t->nodes.at);
  t->nodes.len = order.reached;
  t->total_cap = sum_caps(t->nodes.at, 0, s->caps.len);
  t->island_cap = sum_caps(t->nodes.at, order.reached, s->caps.len);
  array_reserve(&t->taps, s->taps.len);
  for (uint32_t i = 0; i < s->taps.len; i++) {
    uint32_t node = order.place[s->taps.at[i].node];
    if (node < order.reached && s->taps.at[i].pin != driver)
      t->taps.at[t->taps.len++] = (RcTap){ s->taps.at[i].pin, node };
  }
}

const RcPiece *rc_ready_piece(const Parasitics *p, NetId net, PinId driver)
{
  const RcPiece *piece = &p->pieces.at[p->net_piece.at[net]];
  if (piece->next != NO_PIECE || piece->flags & (PIECE_JOINS | PIECE_ISLANDS)) return NULL;
  return tap_node(array_from(&p->taps, piece->first_tap), piece->tap_count, driver) == 0 ? piece
                                                                                         : NULL;
}

/* --- capacitances that hold those of library pins --------------------------------------------- */

/* Takes the first piece with the pin; for a pin on no piece, the net's first piece. */
static bool pin_included(const Parasitics *p, const Netlist *n, NetId net, PinId pin)
{
  uint32_t flags = p->pieces.at[p->net_piece.at[net]].flags;
  for (PieceId id = p->net_piece.at[net]; id != NO_PIECE; id = p->pieces.at[id].next) {
    const RcPiece *piece = &p->pieces.at[id];
    if (tap_node(array_from(&p->taps, piece->first_tap), piece->tap_count, pin) == NO_NODE)
      continue;
    flags = piece->flags;
    break;
  }
  return parasitics_pin_included(n, flags, pin);
}

bool parasitics_holds_pin(const Parasitics *p, const Netlist *n, NetId net, PinId pin)
{
  return p && parasitics_has(p, net) && pin_included(p, n, net, pin);
}

static void find_included(RcTree *t, const Parasitics *p, const Netlist *n, NetId net, PinId driver)
{
  uint32_t flags = 0;
  PieceId id = p->net_piece.at[net];
  for (; id != NO_PIECE; id = p->pieces.at[id].next) flags |= p->pieces.at[id].flags;
  if (!(flags & (PIECE_INPUTS_INCLUDED | PIECE_OUTPUTS_INCLUDED))) return;
  array_resize(&t->included, t->taps.len);
  for (uint32_t i = 0; i < t->taps.len; i++)
    t->included.at[i] = pin_included(p, n, net, t->taps.at[i].pin);
  t->own_included = pin_included(p, n, net, driver);
}

void rc_tree_build(RcTree *t, const Parasitics *p, const Netlist *n, NetId net, PinId driver)
{
  array_clear(&t->nodes);
  array_clear(&t->taps);
  array_clear(&t->included);
  t->island_cap = t->total_cap = 0;
  t->lumped = t->own_included = false;
  if (parasitics_has(p, net)) {
    const RcPiece *piece = rc_ready_piece(p, net, driver);
    if (piece) copy_piece(t, p, piece, driver);
    else build_joined(t, p, n, net, driver);
    find_included(t, p, n, net, driver);
  }
}

/* What the pieces reach: in a lumped tree all pins have a tap, and what was gathered tells.  A net
   whose pins all have one is told by counting. */
uint32_t rc_tree_unreached(const RcTree *t, const Netlist *n, NetId net, PinId driver)
{
  const RcTap *taps = t->lumped ? t->scratch->taps.at : t->taps.at;
  uint32_t count = t->lumped ? t->scratch->taps.len : t->taps.len, pins = 0, unreached = 0;
  NetPins it = net_pins(n, net, false);
  while (net_pins_next(&it) != NO_PIN) pins++;
  if (t->nodes.len && pins == count + 1) return 0;
  it = net_pins(n, net, false);
  for (PinId pin; (pin = net_pins_next(&it)) != NO_PIN;)
    if (pin != driver && netlist_pin_loads(n, pin) && tap_node(taps, count, pin) == NO_NODE)
      unreached++;
  return unreached;
}
