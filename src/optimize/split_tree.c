/* Splits and joins RC trees where a buffer is inserted or removed. See split_tree.h. */
#include "optimize/split_tree.h"

void tree_copy_free(TreeCopy *t)
{
  array_free(&t->nodes);
  array_free(&t->taps);
}

/* Capacitances that hold those of pins are of the pins that are there. */
enum {
  OTHER_FORMS = PIECE_REDUCED | PIECE_ISLANDS | PIECE_JOINS | PIECE_INPUTS_INCLUDED
                | PIECE_OUTPUTS_INCLUDED
};

bool tree_copy_of(TreeCopy *t, const Parasitics *p, NetId net)
{
  const RcPiece *x = &p->pieces.at[p->net_piece.at[net]];
  *t = (TreeCopy){ .flags = x->flags, .numbers = x->numbers };
  if (x->next != NO_PIECE || x->flags & OTHER_FORMS) return false;
  for (uint32_t i = 0; i < x->node_count; i++)
    array_push(&t->nodes, p->nodes.at[x->first_node + i]);
  for (uint32_t i = 0; i < x->tap_count; i++) array_push(&t->taps, p->taps.at[x->first_tap + i]);
  return true;
}

static uint32_t find_tap(const TreeCopy *t, PinId pin)
{
  uint32_t i = 0;
  while (i < t->taps.len && t->taps.at[i].pin != pin) i++;
  return i;
}

bool tree_copy_has(const TreeCopy *t, PinId pin) { return find_tap(t, pin) < t->taps.len; }

void tree_copy_rename(TreeCopy *t, PinId from, PinId to)
{
  uint32_t at = find_tap(t, from);
  if (at < t->taps.len) t->taps.at[at].pin = to;
}

void tree_of_net(TreeCopy *t, const Netlist *n, NetId net)
{
  *t = (TreeCopy){ .flags = PIECE_LUMPED };
  array_push(&t->nodes, (RcNode){ NO_NODE, 0, 0 });
  NetPins it = net_pins(n, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) array_push(&t->taps, (RcTap){ p, 0 });
}

/* --- splitting -------------------------------------------------------------------------------- */
/* How many taps, and of the chosen loads how many, are at and below each node. */
typedef struct {
  uint32_t *taps, *chosen;
  bool     *is_chosen;         /* by tap */
  uint32_t  count;             /* of the chosen ones that the tree has */
} Below;

static Below count_below(const TreeCopy *t, const PinId *loads, uint32_t count)
{
  Below b = { mem_alloc_zero(t->nodes.len, sizeof *b.taps),
              mem_alloc_zero(t->nodes.len, sizeof *b.chosen),
              mem_alloc_zero(t->taps.len + 1, sizeof *b.is_chosen), 0 };
  Map *sought = map_new();
  for (uint32_t i = 0; i < count; i++) map_put(sought, loads[i], 1);
  for (uint32_t i = 0; i < t->taps.len; i++) {
    b.is_chosen[i] = map_get(sought, t->taps.at[i].pin) != MAP_NO_VALUE;
    b.taps[t->taps.at[i].node]++;
    b.chosen[t->taps.at[i].node] += b.is_chosen[i];
    b.count += b.is_chosen[i];
  }
  map_free(sought);
  for (uint32_t i = t->nodes.len; i-- > 1;) {
    b.taps[t->nodes.at[i].parent] += b.taps[i];
    b.chosen[t->nodes.at[i].parent] += b.chosen[i];
  }
  return b;
}

static void free_below(Below *b)
{
  mem_free(b->taps);
  mem_free(b->chosen);
  mem_free(b->is_chosen);
}

/* The last node above all chosen loads: those above them are a chain, each before the next. */
static uint32_t parting(const TreeCopy *t, const Below *b)
{
  uint32_t node = t->nodes.len - 1;
  while (node > 0 && b->chosen[node] < b->count) node--;
  return node;
}

/* Does each branch there hold chosen loads alone, or none? */
static bool parts(const TreeCopy *t, const Below *b, uint32_t at)
{
  for (uint32_t i = 1; i < t->nodes.len; i++)
    if (t->nodes.at[i].parent == at && b->chosen[i] && b->chosen[i] < b->taps[i]) return false;
  return true;
}

/* New places of the nodes: those of branches with chosen loads go behind the cut, where node 0 is
   the cut itself. */
static void move_nodes(TreeCopy *t, const Below *b, uint32_t at, TreeCopy *behind, uint32_t *place,
                       bool *gone)
{
  uint32_t kept = 0;
  array_push(&behind->nodes, (RcNode){ NO_NODE, 0, 0 });
  for (uint32_t i = 0; i < t->nodes.len; i++) {
    RcNode node = t->nodes.at[i];
    gone[i] = i > 0 && (node.parent == at ? b->chosen[i] > 0 : gone[node.parent]);
    if (!gone[i]) {
      place[i] = kept;
      if (i > 0) node.parent = place[node.parent];
      t->nodes.at[kept++] = node;
      continue;
    }
    place[i] = behind->nodes.len;
    node.parent = node.parent == at ? 0 : place[node.parent];
    behind->numbers.total_cap += node.cap;
    array_push(&behind->nodes, node);
  }
  t->nodes.len = kept;
}

static void move_taps(TreeCopy *t, const Below *b, uint32_t at, TreeCopy *behind,
                      const uint32_t *place)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < t->taps.len; i++) {
    RcTap tap = t->taps.at[i];
    if (b->is_chosen[i])
      array_push(&behind->taps, (RcTap){ tap.pin, tap.node == at ? 0 : place[tap.node] });
    else t->taps.at[kept++] = (RcTap){ tap.pin, place[tap.node] };
  }
  t->taps.len = kept;
}

static uint32_t flags_of(const TreeCopy *t, uint32_t flags)
{
  return (flags & ~(uint32_t)PIECE_LUMPED) | (t->nodes.len == 1 ? PIECE_LUMPED : 0);
}

bool tree_split(TreeCopy *t, const PinId *loads, uint32_t count, PinId in, PinId out,
                TreeCopy *behind)
{
  *behind = (TreeCopy){ 0 };
  Below b = count_below(t, loads, count);
  uint32_t at = parting(t, &b);
  bool possible = b.count == count && parts(t, &b, at);
  if (possible) {
    uint32_t *place = mem_alloc_zero(t->nodes.len, sizeof *place);
    bool *gone = mem_alloc_zero(t->nodes.len, sizeof *gone);
    move_nodes(t, &b, at, behind, place, gone);
    move_taps(t, &b, at, behind, place);
    array_push(&t->taps, (RcTap){ in, place[at] });
    array_push(&behind->taps, (RcTap){ out, 0 });
    t->numbers.total_cap -= behind->numbers.total_cap;
    behind->flags = flags_of(behind, t->flags);
    t->flags = flags_of(t, t->flags);
    mem_free(place);
    mem_free(gone);
  }
  free_below(&b);
  return possible;
}

/* --- joining ---------------------------------------------------------------------------------- */
static void drop_tap(TreeCopy *t, uint32_t at)
{
  t->taps.len--;
  memmove(&t->taps.at[at], &t->taps.at[at + 1], (t->taps.len - at) * sizeof *t->taps.at);
}

bool tree_join(TreeCopy *t, PinId in, const TreeCopy *behind, PinId out)
{
  uint32_t at = find_tap(t, in), from = find_tap(behind, out);
  if (at == t->taps.len || from == behind->taps.len || behind->taps.at[from].node != 0)
    return false;
  uint32_t node = t->taps.at[at].node, offset = t->nodes.len - 1;
  drop_tap(t, at);
  t->nodes.at[node].cap += behind->nodes.at[0].cap;
  for (uint32_t i = 1; i < behind->nodes.len; i++) {
    RcNode x = behind->nodes.at[i];
    x.parent = x.parent == 0 ? node : x.parent + offset;
    array_push(&t->nodes, x);
  }
  for (uint32_t i = 0; i < behind->taps.len; i++) {
    RcTap tap = behind->taps.at[i];
    if (i != from) array_push(&t->taps, (RcTap){ tap.pin, tap.node ? tap.node + offset : node });
  }
  t->numbers.total_cap += behind->numbers.total_cap;
  t->flags = flags_of(t, t->flags);
  return true;
}
