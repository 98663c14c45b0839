/* Makes parasitics from Steiner trees of placed nets. See wire_rc.h. */
#include "place/wire_rc.h"

#include "base/interrupt.h"
#include "base/pool.h"
#include "base/processors.h"
#include "base/sort.h"
#include "place/steiner.h"

struct WireEstimator {
  const Placement *placement;
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

WireEstimator *wire_estimator_new(const Placement *placement)
{
  WireEstimator *estimator = mem_alloc_zero(1, sizeof *estimator);
  estimator->placement = placement;
  estimator->steiner = steiner_new();
  estimator->scratch = rc_scratch_new();
  return estimator;
}

void wire_estimator_free(WireEstimator *estimator)
{
  if (estimator == NULL) return;
  steiner_free(estimator->steiner);
  rc_scratch_free(estimator->scratch);
  array_free(&estimator->pins);
  array_free(&estimator->points);
  array_free(&estimator->rc_node);
  array_free(&estimator->caps);
  array_free(&estimator->edges);
  array_free(&estimator->nodes);
  array_free(&estimator->taps);
  mem_free(estimator);
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
static void take_pins(WireEstimator *estimator, NetId net)
{
  const Netlist *n = estimator->placement->netlist;
  array_clear(&estimator->pins);
  NetPins it = net_pins(n, net, false);
  for (PinId pin = net_pins_next(&it); pin != NO_PIN; pin = net_pins_next(&it))
    array_push(&estimator->pins, pin);
  qsort(estimator->pins.at, estimator->pins.len, sizeof *estimator->pins.at, order_uint32);
}

/* Pins without a place are at the first that has one.  How many these are; all: there is none. */
static uint32_t take_points(WireEstimator *estimator)
{
  uint32_t missing = 0, first = UINT32_MAX;
  array_resize(&estimator->points, estimator->pins.len);
  for (uint32_t i = 0; i < estimator->pins.len; i++) {
    bool placed = placement_pin_location(estimator->placement, estimator->pins.at[i],
                                         &estimator->points.at[i]);
    if (placed && first == UINT32_MAX) first = i;
    missing += !placed;
  }
  if (missing == 0 || first == UINT32_MAX) return missing;
  for (uint32_t i = 0; i < estimator->pins.len; i++) {
    Point at;
    if (!placement_pin_location(estimator->placement, estimator->pins.at[i], &at))
      estimator->points.at[i] = estimator->points.at[first];
  }
  return missing;
}

/* --- the network ------------------------------------------------------------------------------ */

/* Nodes with no wire between them are one; those wires lead from an earlier node to a later one. */
static uint32_t number_nodes(WireEstimator *estimator)
{
  const Steiner *steiner = estimator->steiner;
  uint32_t count = 0;
  array_resize(&estimator->rc_node, steiner->nodes.len);
  for (uint32_t i = 0; i < steiner->nodes.len; i++) estimator->rc_node.at[i] = i;
  for (uint32_t i = 0; i < steiner->edges.len; i++) {
    SteinerEdge x = steiner->edges.at[i];
    if (point_distance(steiner->nodes.at[x.a], steiner->nodes.at[x.b]) == 0)
      estimator->rc_node.at[x.a > x.b ? x.a : x.b] = x.a > x.b ? x.b : x.a;
  }
  for (uint32_t i = 0; i < steiner->nodes.len; i++)
    estimator->rc_node.at[i] =
        estimator->rc_node.at[i] == i ? count++ : estimator->rc_node.at[estimator->rc_node.at[i]];
  return count;
}

static void add_wire(WireEstimator *estimator, WireRc rc, uint32_t a, uint32_t b, double um)
{
  array_push(&estimator->edges, (RcEdge){ a, b, (float)(rc.resistance * um) });
  estimator->caps.at[a] += rc.cap * um / 2;
  estimator->caps.at[b] += rc.cap * um / 2;
}

static void take_wires(WireEstimator *estimator, WireRc rc, uint32_t count)
{
  const Steiner *steiner = estimator->steiner;
  array_clear(&estimator->edges);
  array_clear(&estimator->caps);
  array_resize(&estimator->caps, count + estimator->pins.len);
  for (uint32_t i = 0; i < steiner->edges.len; i++) {
    SteinerEdge x = steiner->edges.at[i];
    uint32_t a = estimator->rc_node.at[x.a], b = estimator->rc_node.at[x.b];
    if (a != b)
      add_wire(estimator, rc, a, b,
               placement_um(estimator->placement,
                            point_distance(steiner->nodes.at[x.a], steiner->nodes.at[x.b])));
  }
}

/* Each pin gets a node of its own behind the way to it.  How many nodes there are then. */
static uint32_t add_ways(WireEstimator *estimator, WireRc rc, uint32_t count)
{
  if (rc.access <= 0) return count;
  for (uint32_t i = 0; i < estimator->pins.len; i++) {
    add_wire(estimator, rc, estimator->rc_node.at[i], count + i, rc.access);
    estimator->rc_node.at[i] = count + i;
  }
  return count + estimator->pins.len;
}

/* The first pin that drives; the first of all without one. */
static uint32_t root_of(const WireEstimator *estimator)
{
  for (uint32_t i = 0; i < estimator->pins.len; i++)
    if (netlist_pin_drives(estimator->placement->netlist, estimator->pins.at[i]))
      return estimator->rc_node.at[i];
  return estimator->rc_node.at[0];
}

static void append(WireEstimator *estimator, NetId net, uint32_t count, Parasitics *to)
{
  const Netlist *n = estimator->placement->netlist;
  double total = 0;
  array_resize(&estimator->nodes, count);
  array_clear(&estimator->taps);
  for (uint32_t i = 0; i < count; i++) total += estimator->caps.at[i];
  RcOrder order = rc_order(estimator->scratch, estimator->caps.at, count, estimator->edges.at,
                           estimator->edges.len, root_of(estimator), estimator->nodes.at);
  for (uint32_t i = 0; i < estimator->pins.len; i++)
    array_push(&estimator->taps,
               (RcTap){ estimator->pins.at[i], order.place[estimator->rc_node.at[i]] });
  parasitics_append(to, n, n->nets.at[net].first_seg, estimator->nodes.at, count,
                    estimator->taps.at, estimator->taps.len, count == 1 ? PIECE_LUMPED : 0,
                    (PieceNumbers){ (float)total });
}

void wire_estimate(WireEstimator *estimator, NetId net, WireRc rc, Parasitics *to,
                   WireCounts *counts)
{
  if (!net_has_wires(estimator->placement->netlist, net)) return;
  take_pins(estimator, net);
  uint32_t missing = take_points(estimator);
  if (missing && counts->unplaced_pins == 0) counts->first_unplaced = net;
  counts->unplaced_pins += missing;
  if (missing == estimator->pins.len || estimator->pins.len < 2) {
    counts->unplaced_nets++;
    return;
  }
  counts->length +=
      placement_um(estimator->placement,
                   steiner_tree(estimator->steiner, estimator->points.at, estimator->points.len));
  counts->nets++;
  uint32_t nodes = number_nodes(estimator);
  take_wires(estimator, rc, nodes);
  append(estimator, net, add_ways(estimator, rc, nodes), to);
}

/* --- all nets --------------------------------------------------------------------------------- */

/* Nets that one thread works out at a time, into a set of their own. */
enum { BLOCK_NETS = 256 };

typedef struct {
  Parasitics *pieces;
  WireCounts  counts;
} WireBlock;

typedef struct {
  const Placement   *placement;
  const WireOptions *options;
  WireBlock         *blocks;
  WireEstimator    **by_thread;
} WireRun;

static void estimate_block(const WireRun *run, WireEstimator *estimator, uint32_t number)
{
  WireBlock *block = &run->blocks[number];
  const WireOptions *options = run->options;
  NetId from = number * BLOCK_NETS, to = from + BLOCK_NETS;
  if (to > run->placement->netlist->nets.len) to = run->placement->netlist->nets.len;
  block->pieces = parasitics_new();
  block->counts.first_unplaced = NO_NET;
  for (NetId net = from; net < to && !interrupt_seen(); net++)
    wire_estimate(estimator, net,
                  options->is_clock && options->is_clock[net] ? options->clock : options->signal,
                  block->pieces, &block->counts);
}

static void work(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const WireRun *run = context;
  (void)step;
  if (run->by_thread[thread] == NULL) run->by_thread[thread] = wire_estimator_new(run->placement);
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
  const Parasitics *parasitics = block->pieces;
  for (PieceId i = 0; i < parasitics->pieces.len; i++) {
    const RcPiece *piece = &parasitics->pieces.at[i];
    parasitics_append(to, n, piece->seg, parasitics->nodes.at + piece->first_node,
                      piece->node_count, array_from(&parasitics->taps, piece->first_tap),
                      piece->tap_count, piece->flags, piece->numbers);
  }
}

/* In the order of the nets. */
static bool take_blocks(const WireRun *run, uint32_t count, Parasitics *to, WireCounts *counts)
{
  ParasiticsMark mark = parasitics_begin(to);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    take_block(run->placement->netlist, &run->blocks[i], to);
    add_counts(counts, &run->blocks[i].counts);
  }
  bool done = !interrupt_seen();
  if (done) parasitics_commit(to, run->placement->netlist, &mark);
  else parasitics_rollback(to, &mark);
  return done;
}

bool wires_estimate_all(const Placement *placement, const WireOptions *options, Parasitics *to,
                        WireCounts *counts)
{
  int threads = options->threads > 0 ? options->threads : processors_usable();
  uint32_t count = (placement->netlist->nets.len + BLOCK_NETS - 1) / BLOCK_NETS;
  WireRun run = { placement, options, mem_alloc_zero((size_t)count + 1, sizeof *run.blocks),
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
