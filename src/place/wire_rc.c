/* Makes parasitics from Steiner trees of placed nets. See wire_rc.h. */
#include "place/wire_rc.h"

#include "base/interrupt.h"
#include "base/pool.h"
#include "base/processors.h"
#include "base/sort.h"
#include "place/steiner.h"

struct WireEstimator {
  const Placement *p;
  Steiner   *steiner;
  RcScratch *scratch;
  ARRAY(PinId) pins;
  ARRAY(Point) points;
  ARRAY(uint32_t) rc_node;         /* by node of the tree */
  ARRAY(double) caps;
  ARRAY(RcEdge) edges;
  ARRAY(RcNode) nodes;
  ARRAY(RcTap) taps;
};

WireEstimator *wire_estimator_new(const Placement *p)
{
  WireEstimator *e = mem_alloc_zero(1, sizeof *e);
  e->p = p;
  e->steiner = steiner_new();
  e->scratch = rc_scratch_new();
  return e;
}

void wire_estimator_free(WireEstimator *e)
{
  if (e == NULL) return;
  steiner_free(e->steiner);
  rc_scratch_free(e->scratch);
  array_free(&e->pins);
  array_free(&e->points);
  array_free(&e->rc_node);
  array_free(&e->caps);
  array_free(&e->edges);
  array_free(&e->nodes);
  array_free(&e->taps);
  mem_free(e);
}

bool net_has_wires(const Netlist *n, NetId net)
{
  enum { NO_WIRE = NET_DELETED | NET_POWER | NET_GROUND | NET_CONSTANT_ZERO | NET_CONSTANT_ONE };
  bool driver = false, load = false;
  if (n->nets.at[net].flags & NO_WIRE) return false;
  NetPins it = net_pins(n, net, false);
  for (PinId pin = net_pins_next(&it); pin != NO_PIN && !(driver && load);
       pin = net_pins_next(&it)) {
    driver |= netlist_pin_drives(n, pin);
    load |= netlist_pin_loads(n, pin);
  }
  return driver && load;
}

/* --- the pins --------------------------------------------------------------------------------- */

/* In the order of their ids, which edits do not change, so that the tree is the same after any. */
static void take_pins(WireEstimator *e, NetId net)
{
  const Netlist *n = e->p->netlist;
  array_clear(&e->pins);
  NetPins it = net_pins(n, net, false);
  for (PinId pin = net_pins_next(&it); pin != NO_PIN; pin = net_pins_next(&it))
    array_push(&e->pins, pin);
  qsort(e->pins.at, e->pins.len, sizeof *e->pins.at, order_uint32);
}

/* Pins without a place are at the first that has one.  How many these are; all: there is none. */
static uint32_t take_points(WireEstimator *e)
{
  uint32_t missing = 0, first = UINT32_MAX;
  array_resize(&e->points, e->pins.len);
  for (uint32_t i = 0; i < e->pins.len; i++) {
    bool placed = placement_pin_location(e->p, e->pins.at[i], &e->points.at[i]);
    if (placed && first == UINT32_MAX) first = i;
    missing += !placed;
  }
  if (missing == 0 || first == UINT32_MAX) return missing;
  for (uint32_t i = 0; i < e->pins.len; i++) {
    Point at;
    if (!placement_pin_location(e->p, e->pins.at[i], &at)) e->points.at[i] = e->points.at[first];
  }
  return missing;
}

/* --- the network ------------------------------------------------------------------------------ */

/* Nodes with no wire between them are one; those wires lead from an earlier node to a later one. */
static uint32_t number_nodes(WireEstimator *e)
{
  const Steiner *s = e->steiner;
  uint32_t count = 0;
  array_resize(&e->rc_node, s->nodes.len);
  for (uint32_t i = 0; i < s->nodes.len; i++) e->rc_node.at[i] = i;
  for (uint32_t i = 0; i < s->edges.len; i++) {
    SteinerEdge x = s->edges.at[i];
    if (point_distance(s->nodes.at[x.a], s->nodes.at[x.b]) == 0)
      e->rc_node.at[x.a > x.b ? x.a : x.b] = x.a > x.b ? x.b : x.a;
  }
  for (uint32_t i = 0; i < s->nodes.len; i++)
    e->rc_node.at[i] = e->rc_node.at[i] == i ? count++ : e->rc_node.at[e->rc_node.at[i]];
  return count;
}

static void add_wire(WireEstimator *e, WireRc rc, uint32_t a, uint32_t b, double um)
{
  array_push(&e->edges, (RcEdge){ a, b, (float)(rc.resistance * um) });
  e->caps.at[a] += rc.cap * um / 2;
  e->caps.at[b] += rc.cap * um / 2;
}

static void take_wires(WireEstimator *e, WireRc rc, uint32_t count)
{
  const Steiner *s = e->steiner;
  array_clear(&e->edges);
  array_clear(&e->caps);
  array_resize(&e->caps, count + e->pins.len);
  for (uint32_t i = 0; i < s->edges.len; i++) {
    SteinerEdge x = s->edges.at[i];
    uint32_t a = e->rc_node.at[x.a], b = e->rc_node.at[x.b];
    if (a != b)
      add_wire(e, rc, a, b, placement_um(e->p, point_distance(s->nodes.at[x.a], s->nodes.at[x.b])));
  }
}

/* Each pin gets a node of its own behind the way to it.  How many nodes there are then. */
static uint32_t add_ways(WireEstimator *e, WireRc rc, uint32_t count)
{
  if (rc.access <= 0) return count;
  for (uint32_t i = 0; i < e->pins.len; i++) {
    add_wire(e, rc, e->rc_node.at[i], count + i, rc.access);
    e->rc_node.at[i] = count + i;
  }
  return count + e->pins.len;
}

/* The first pin that drives; the first of all without one. */
static uint32_t root_of(const WireEstimator *e)
{
  for (uint32_t i = 0; i < e->pins.len; i++)
    if (netlist_pin_drives(e->p->netlist, e->pins.at[i])) return e->rc_node.at[i];
  return e->rc_node.at[0];
}

static void append(WireEstimator *e, NetId net, uint32_t count, Parasitics *to)
{
  const Netlist *n = e->p->netlist;
  double total = 0;
  array_resize(&e->nodes, count);
  array_clear(&e->taps);
  for (uint32_t i = 0; i < count; i++) total += e->caps.at[i];
  RcOrder order = rc_order(e->scratch, e->caps.at, count, e->edges.at, e->edges.len, root_of(e),
                           e->nodes.at);
  for (uint32_t i = 0; i < e->pins.len; i++)
    array_push(&e->taps, (RcTap){ e->pins.at[i], order.place[e->rc_node.at[i]] });
  parasitics_append(to, n, n->nets.at[net].first_seg, e->nodes.at, count, e->taps.at, e->taps.len,
                    count == 1 ? PIECE_LUMPED : 0, (PieceNumbers){ (float)total });
}

void wire_estimate(WireEstimator *e, NetId net, WireRc rc, Parasitics *to, WireCounts *counts)
{
  if (!net_has_wires(e->p->netlist, net)) return;
  take_pins(e, net);
  uint32_t missing = take_points(e);
  if (missing && counts->unplaced_pins == 0) counts->first_unplaced = net;
  counts->unplaced_pins += missing;
  if (missing == e->pins.len || e->pins.len < 2) {
    counts->unplaced_nets++;
    return;
  }
  counts->length +=
      placement_um(e->p, steiner_tree(e->steiner, e->points.at, e->points.len));
  counts->nets++;
  uint32_t nodes = number_nodes(e);
  take_wires(e, rc, nodes);
  append(e, net, add_ways(e, rc, nodes), to);
}

/* --- all nets --------------------------------------------------------------------------------- */

/* Nets that one thread works out at a time, into a set of their own. */
enum { BLOCK_NETS = 256 };

typedef struct {
  Parasitics *pieces;
  WireCounts  counts;
} WireBlock;

typedef struct {
  const Placement   *p;
  const WireOptions *options;
  WireBlock         *blocks;
  WireEstimator    **by_thread;
} WireRun;

static void estimate_block(const WireRun *run, WireEstimator *e, uint32_t number)
{
  WireBlock *block = &run->blocks[number];
  const WireOptions *o = run->options;
  NetId from = number * BLOCK_NETS, to = from + BLOCK_NETS;
  if (to > run->p->netlist->nets.len) to = run->p->netlist->nets.len;
  block->pieces = parasitics_new();
  block->counts.first_unplaced = NO_NET;
  for (NetId net = from; net < to && !interrupt_seen(); net++)
    wire_estimate(e, net, o->is_clock && o->is_clock[net] ? o->clock : o->signal, block->pieces,
                  &block->counts);
}

static void work(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const WireRun *run = context;
  (void)step;
  if (run->by_thread[thread] == NULL) run->by_thread[thread] = wire_estimator_new(run->p);
  for (uint32_t i = from; i < to; i++) estimate_block(run, run->by_thread[thread], i);
}

static void add_counts(WireCounts *to, const WireCounts *from)
{
  if (to->first_unplaced == NO_NET) to->first_unplaced = from->first_unplaced;
  to->nets += from->nets;
  to->unplaced_pins += from->unplaced_pins;
  to->unplaced_nets += from->unplaced_nets;
  to->length += from->length;
}

static void take_block(const Netlist *n, const WireBlock *block, Parasitics *to)
{
  const Parasitics *p = block->pieces;
  for (PieceId i = 0; i < p->pieces.len; i++) {
    const RcPiece *x = &p->pieces.at[i];
    parasitics_append(to, n, x->seg, p->nodes.at + x->first_node, x->node_count,
                      array_from(&p->taps, x->first_tap), x->tap_count, x->flags, x->numbers);
  }
}

/* In the order of the nets. */
static bool take_blocks(const WireRun *run, uint32_t count, Parasitics *to, WireCounts *counts)
{
  ParasiticsMark mark = parasitics_begin(to);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    take_block(run->p->netlist, &run->blocks[i], to);
    add_counts(counts, &run->blocks[i].counts);
  }
  bool done = !interrupt_seen();
  if (done) parasitics_commit(to, run->p->netlist, &mark);
  else parasitics_rollback(to, &mark);
  return done;
}

bool wires_estimate_all(const Placement *p, const WireOptions *options, Parasitics *to,
                        WireCounts *counts)
{
  int threads = options->threads > 0 ? options->threads : processors_usable();
  uint32_t count = (p->netlist->nets.len + BLOCK_NETS - 1) / BLOCK_NETS;
  WireRun run = { p, options, mem_alloc_zero((size_t)count + 1, sizeof *run.blocks),
                  mem_alloc_zero((size_t)threads, sizeof *run.by_thread) };
  *counts = (WireCounts){ .first_unplaced = NO_NET };
  pool_items(count, 1e6f, threads, work, &run);
  bool done = take_blocks(&run, count, to, counts);
  for (uint32_t i = 0; i < count; i++) parasitics_free(run.blocks[i].pieces);
  for (int i = 0; i < threads; i++) wire_estimator_free(run.by_thread[i]);
  mem_free(run.blocks);
  mem_free(run.by_thread);
  return done;
}
