/* Splits and joins RC trees where a buffer is inserted or removed. See split_tree.h. */
#include "optimize/split_tree.h"

void tree_copy_free(TreeCopy *copy)
{
  array_free(&copy->nodes);
  array_free(&copy->taps);
}

/* Capacitances that hold those of pins are of the pins that are there. */
enum {
  OTHER_FORMS = PIECE_REDUCED | PIECE_ISLANDS | PIECE_JOINS | PIECE_INPUTS_INCLUDED
                | PIECE_OUTPUTS_INCLUDED
};

bool tree_copy_of(TreeCopy *copy, const Parasitics *parasitics, NetId net)
{
  const RcPiece *piece = &parasitics->pieces.at[parasitics->net_piece.at[net]];
  *copy = (TreeCopy){ .flags = piece->flags, .numbers = piece->numbers };
  if (piece->next != NO_PIECE || piece->flags & OTHER_FORMS) return false;
  for (uint32_t i = 0; i < piece->node_count; i++)
    array_push(&copy->nodes, parasitics->nodes.at[piece->first_node + i]);
  for (uint32_t i = 0; i < piece->tap_count; i++)
    array_push(&copy->taps, parasitics->taps.at[piece->first_tap + i]);
  return true;
}

static uint32_t find_tap(const TreeCopy *copy, PinId pin)
{
  uint32_t i = 0;
  while (i < copy->taps.len && copy->taps.at[i].pin != pin) i++;
  return i;
}

bool tree_copy_has(const TreeCopy *copy, PinId pin) { return find_tap(copy, pin) < copy->taps.len; }

void tree_copy_rename(TreeCopy *copy, PinId from, PinId to)
{
  uint32_t at = find_tap(copy, from);
  if (at < copy->taps.len) copy->taps.at[at].pin = to;
}

void tree_of_net(TreeCopy *copy, const Netlist *n, NetId net)
{
  *copy = (TreeCopy){ .flags = PIECE_LUMPED };
  array_push(&copy->nodes, (RcNode){ NO_NODE, 0, 0 });
  NetPins it = net_pins(n, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) array_push(&copy->taps, (RcTap){ p, 0 });
}

/* --- splitting -------------------------------------------------------------------------------- */
/* How many taps, and of the chosen loads how many, are at and below each node. */
typedef struct {
  uint32_t *taps, *chosen;
  bool     *is_chosen;         /* by tap */
  uint32_t  count;             /* of the chosen ones that the tree has */
} Below;

static Below count_below(const TreeCopy *copy, const PinId *loads, uint32_t count)
{
  Below b = { mem_alloc_zero(copy->nodes.len, sizeof *b.taps),
              mem_alloc_zero(copy->nodes.len, sizeof *b.chosen),
              mem_alloc_zero(copy->taps.len + 1, sizeof *b.is_chosen), 0 };
  Map *sought = map_new();
  for (uint32_t i = 0; i < count; i++) map_put(sought, loads[i], 1);
  for (uint32_t i = 0; i < copy->taps.len; i++) {
    b.is_chosen[i] = map_get(sought, copy->taps.at[i].pin) != MAP_NO_VALUE;
    b.taps[copy->taps.at[i].node]++;
    b.chosen[copy->taps.at[i].node] += b.is_chosen[i];
    b.count += b.is_chosen[i];
  }
  map_free(sought);
  for (uint32_t i = copy->nodes.len; i-- > 1;) {
    b.taps[copy->nodes.at[i].parent] += b.taps[i];
    b.chosen[copy->nodes.at[i].parent] += b.chosen[i];
  }
  return b;
}

static void free_below(Below *below)
{
  mem_free(below->taps);
  mem_free(below->chosen);
  mem_free(below->is_chosen);
}

/* The last node above all chosen loads: those above them are a chain, each before the next. */
static uint32_t parting(const TreeCopy *copy, const Below *below)
{
  uint32_t node = copy->nodes.len - 1;
  while (node > 0 && below->chosen[node] < below->count) node--;
  return node;
}

/* Does each branch there hold chosen loads alone, or none? */
static bool parts(const TreeCopy *copy, const Below *below, uint32_t at)
{
  for (uint32_t i = 1; i < copy->nodes.len; i++)
    if (copy->nodes.at[i].parent == at && below->chosen[i] && below->chosen[i] < below->taps[i])
      return false;
  return true;
}

/* New places of the nodes: those of branches with chosen loads go behind the cut, where node 0 is
   the cut itself. */
static void move_nodes(TreeCopy *copy, const Below *below, uint32_t at, TreeCopy *behind,
                       uint32_t *place, bool *gone)
{
  uint32_t kept = 0;
  array_push(&behind->nodes, (RcNode){ NO_NODE, 0, 0 });
  for (uint32_t i = 0; i < copy->nodes.len; i++) {
    RcNode node = copy->nodes.at[i];
    gone[i] = i > 0 && (node.parent == at ? below->chosen[i] > 0 : gone[node.parent]);
    if (!gone[i]) {
      place[i] = kept;
      if (i > 0) node.parent = place[node.parent];
      copy->nodes.at[kept++] = node;
      continue;
    }
    place[i] = behind->nodes.len;
    node.parent = node.parent == at ? 0 : place[node.parent];
    behind->numbers.total_cap += node.cap;
    array_push(&behind->nodes, node);
  }
  copy->nodes.len = kept;
}

static void move_taps(TreeCopy *copy, const Below *below, uint32_t at, TreeCopy *behind,
                      const uint32_t *place)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < copy->taps.len; i++) {
    RcTap tap = copy->taps.at[i];
    if (below->is_chosen[i])
      array_push(&behind->taps, (RcTap){ tap.pin, tap.node == at ? 0 : place[tap.node] });
    else copy->taps.at[kept++] = (RcTap){ tap.pin, place[tap.node] };
  }
  copy->taps.len = kept;
}

static uint32_t flags_of(const TreeCopy *copy, uint32_t flags)
{
  return (flags & ~(uint32_t)PIECE_LUMPED) | (copy->nodes.len == 1 ? PIECE_LUMPED : 0);
}

bool tree_split(TreeCopy *copy, const PinId *loads, uint32_t count, PinId in, PinId out,
                TreeCopy *behind)
{
  *behind = (TreeCopy){ 0 };
  Below b = count_below(copy, loads, count);
  uint32_t at = parting(copy, &b);
  bool possible = b.count == count && parts(copy, &b, at);
  if (possible) {
    uint32_t *place = mem_alloc_zero(copy->nodes.len, sizeof *place);
    bool *gone = mem_alloc_zero(copy->nodes.len, sizeof *gone);
    move_nodes(copy, &b, at, behind, place, gone);
    move_taps(copy, &b, at, behind, place);
    array_push(&copy->taps, (RcTap){ in, place[at] });
    array_push(&behind->taps, (RcTap){ out, 0 });
    copy->numbers.total_cap -= behind->numbers.total_cap;
    behind->flags = flags_of(behind, copy->flags);
    copy->flags = flags_of(copy, copy->flags);
    mem_free(place);
    mem_free(gone);
  }
  free_below(&b);
  return possible;
}

/* --- joining ---------------------------------------------------------------------------------- */
static void drop_tap(TreeCopy *copy, uint32_t at)
{
  copy->taps.len--;
  memmove(&copy->taps.at[at], &copy->taps.at[at + 1],
          (copy->taps.len - at) * sizeof *copy->taps.at);
}

bool tree_join(TreeCopy *copy, PinId in, const TreeCopy *behind, PinId out)
{
  uint32_t at = find_tap(copy, in), from = find_tap(behind, out);
  if (at == copy->taps.len || from == behind->taps.len || behind->taps.at[from].node != 0)
    return false;
  uint32_t node = copy->taps.at[at].node, offset = copy->nodes.len - 1;
  drop_tap(copy, at);
  copy->nodes.at[node].cap += behind->nodes.at[0].cap;
  for (uint32_t i = 1; i < behind->nodes.len; i++) {
    RcNode x = behind->nodes.at[i];
    x.parent = x.parent == 0 ? node : x.parent + offset;
    array_push(&copy->nodes, x);
  }
  for (uint32_t i = 0; i < behind->taps.len; i++) {
    RcTap tap = behind->taps.at[i];
    if (i != from) array_push(&copy->taps, (RcTap){ tap.pin, tap.node ? tap.node + offset : node });
  }
  copy->numbers.total_cap += behind->numbers.total_cap;
  copy->flags = flags_of(copy, copy->flags);
  return true;
}
