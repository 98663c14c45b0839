/* Collects the nodes, capacitors and resistors of one net in a hash table, and turns them into a
   tree at the end of the net. */
#include "read/spef/spef_private.h"

enum { FIRST_SLOTS = 64 };

void spef_net_init(SpefNet *net, SpefNames *names)
{
  memset(net, 0, sizeof *net);
  net->names = names;
  net->n = names->n;
  net->capacity = FIRST_SLOTS;
  net->slots = mem_alloc_zero(FIRST_SLOTS, sizeof *net->slots);
  net->scratch = rc_scratch_new();
}

void spef_net_free(SpefNet *net)
{
  mem_free(net->slots);
  text_free(&net->spelled);
  text_free(&net->plain);
  text_free(&net->texts);
  text_free(&net->respelled);
  array_free(&net->caps);
  array_free(&net->pins);
  array_free(&net->edges);
  array_free(&net->nodes);
  array_free(&net->taps);
  array_free(&net->conns);
  text_free(&net->conn_texts);
  rc_scratch_free(net->scratch);
  mem_free(net->joined);
}

/* --- the table of nodes ----------------------------------------------------------------------- */

/* Slots of earlier nets have other stamps; when the stamps have all been used, the table is swept
   once. */
static void new_stamp(SpefNet *net)
{
  if (++net->stamp != 0) return;
  memset(net->slots, 0, net->capacity * sizeof *net->slots);
  net->stamp = 1;
}

void spef_net_begin(SpefNet *net, SegId seg, const char *text, uint32_t length)
{
  uint32_t plain_length;
  net->seg = seg;
  net->net = net->n->segs.at[seg].net;
  net->indexed = text[0] == '*';
  text_clear(&net->spelled);
  text_add(&net->spelled, text, length);
  const char *plain = spef_plain_name(net->names, text, length, &plain_length);
  text_clear(&net->plain);
  text_add(&net->plain, plain, plain_length);
  new_stamp(net);
  net->mask = FIRST_SLOTS - 1;
  net->used = 0;
  text_clear(&net->texts);
  array_clear(&net->caps);
  array_clear(&net->pins);
  array_clear(&net->edges);
  net->hint = NO_NODE;
}

static bool holds(const SpefNet *net, const NodeSlot *slot, NodeKey key, const char *text,
                  uint32_t length)
{
  if (slot->key.low != key.low || slot->key.high != key.high || slot->length != length)
    return false;
  return length <= SPEF_PAD || memcmp(net->texts.at + slot->text, text, length) == 0;
}

static uint32_t home(const SpefNet *net, NodeKey key)
{
  uint64_t h = (key.low ^ key.high * 0xbf58476d1ce4e5b9ull) * 0x9e3779b97f4a7c15ull;
  return (uint32_t)(h >> 32 ^ h >> 44) & net->mask;
}

static uint32_t known(const SpefNet *net, NodeKey key, const char *text, uint32_t length)
{
  uint32_t s = home(net, key);
  while (net->slots[s].stamp == net->stamp && !holds(net, &net->slots[s], key, text, length))
    s = (s + 1) & net->mask;
  return net->slots[s].stamp == net->stamp ? net->slots[s].node : NO_NODE;
}

/* Adds a key that is not in the table. */
static NodeSlot *free_slot(const SpefNet *net, NodeKey key)
{
  uint32_t s = home(net, key);
  while (net->slots[s].stamp == net->stamp) s = (s + 1) & net->mask;
  return &net->slots[s];
}

/* Twice the slots: the net's are taken out and put in again. */
static void widen(SpefNet *net)
{
  uint32_t old_count = net->mask + 1, kept = 0;
  NodeSlot *old = mem_alloc(old_count * sizeof *old);
  for (uint32_t i = 0; i < old_count; i++)
    if (net->slots[i].stamp == net->stamp) old[kept++] = net->slots[i];
  if (old_count * 2 > net->capacity) {
    mem_free(net->slots);
    net->capacity = old_count * 2;
    net->slots = mem_alloc_zero(net->capacity, sizeof *net->slots);
  }
  net->mask = old_count * 2 - 1;
  new_stamp(net);
  for (uint32_t i = 0; i < kept; i++) {
    old[i].stamp = net->stamp;
    *free_slot(net, old[i].key) = old[i];
  }
  mem_free(old);
}

/* The key must not be there yet. */
static void enter(SpefNet *net, NodeKey key, const char *text, uint32_t length, uint32_t node)
{
  *free_slot(net, key) = (NodeSlot){ key, net->stamp, node, (uint32_t)net->texts.len, length };
  if (length > SPEF_PAD) text_add(&net->texts, text, length);
  if (++net->used * 2 > net->mask) widen(net);
}

static uint32_t new_node(SpefNet *net, PinId pin)
{
  array_push(&net->caps, 0);
  array_push(&net->pins, pin);
  return net->caps.len - 1;
}

/* --- keys of names ---------------------------------------------------------------------------- */

static uint64_t load8(const char *text)
{
  uint64_t w;
  memcpy(&w, text, 8);
  return w;
}

/* The last bytes are read together with some before them, which spares a copy of a length known
   only at run time. */
static NodeKey long_key(const char *text, uint32_t length)
{
  uint64_t low = length, high = 0;
  for (uint32_t i = 0; i + 8 < length; i += 8) {
    low = (low ^ load8(text + i)) * 0x9fb21c651e98df25ull;
    low ^= low >> 32;
    high = (high << 5 | high >> 59) ^ low;
  }
  return (NodeKey){ (low ^ load8(text + length - 8)) * 0x9fb21c651e98df25ull, high };
}

static NodeKey key_of(const char *text, uint32_t length)
{
  static const char ones[3 * SPEF_PAD] =
      "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
  if (length > SPEF_PAD) return long_key(text, length);
  const char *mask = ones + SPEF_PAD - length;
  return (NodeKey){ load8(text) & load8(mask), load8(text + 8) & load8(mask + 8) };
}

static NodeKey pin_key(PinId pin) { return (NodeKey){ pin, 0 }; }

static bool all_digits(const char *text, uint32_t length)
{
  for (uint32_t i = 0; i < length; i++)
    if ((unsigned)(text[i] - '0') >= 10) return false;
  return length > 0;
}

/* The net's own name as the file spells it, the delimiter, a number: an internal node for
   certain. */
static bool is_own(const SpefNet *net, const char *text, uint32_t length)
{
  uint32_t own = (uint32_t)net->spelled.len;
  return length > own + 1 && text[own] == net->names->delimiter
         && memcmp(text, net->spelled.at, own) == 0 && all_digits(text + own + 1, length - own - 1);
}

/* Returns true if the name shows that the node belongs to this net: it is the net's name in another
   spelling, alone or before the delimiter.  Other spellings are an index instead of a name, or a
   name instead of an index. */
static bool named_after_net(SpefNet *net, const char *text, uint32_t length)
{
  if ((text[0] == '*') == net->indexed) return false;
  uint32_t at = spef_split(net->names, text, length), plain_length;
  const char *plain = spef_plain_name(net->names, text, at, &plain_length);
  return plain_length == net->plain.len && memcmp(plain, text_get(&net->plain), plain_length) == 0;
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* A node by pin, under one more spelling. */
static uint32_t pin_node(SpefNet *net, NodeKey key, const char *text, uint32_t length, PinId pin)
{
  uint32_t node = known(net, pin_key(pin), NULL, 0);
  if (node == NO_NODE) {
    node = new_node(net, pin);
    enter(net, pin_key(pin), NULL, 0, node);
  }
  enter(net, key, text, length, node);
  return node;
}

/* "name:7" where the net is called *12: the node of "*12:7". */
static uint32_t respelled_node(SpefNet *net, const char *text, uint32_t length)
{
  uint32_t at = spef_split(net->names, text, length), node;
  text_clear(&net->respelled);
  text_add(&net->respelled, net->spelled.at, net->spelled.len);
  text_add(&net->respelled, text + at, length - at);
  spef_pad(&net->respelled);
  const char *own = net->respelled.at;
  uint32_t own_length = (uint32_t)net->respelled.len;
  NodeKey key = key_of(own, own_length);
  if ((node = known(net, key, own, own_length)) == NO_NODE) {
    node = new_node(net, NO_PIN);
    enter(net, key, own, own_length, node);
  }
  return node;
}

static uint32_t internal_node(SpefNet *net, NodeKey key, const char *text, uint32_t length)
{
  uint32_t at = spef_split(net->names, text, length);
  bool respelled = at < length && all_digits(text + at + 1, length - at - 1)
                   && named_after_net(net, text, length);
  uint32_t node = respelled ? respelled_node(net, text, length) : new_node(net, NO_PIN);
  enter(net, key, text, length, node);
  return node;
}

/* The pin that a name means, when it is on this net. */
static PinId own_pin(SpefNet *net, const char *text, uint32_t length)
{
  PinId pin = is_own(net, text, length) ? NO_PIN : spef_find_pin(net->names, text, length);
  return spef_pin_on_net(net->n, pin, net->net) ? pin : NO_PIN;
}

static uint32_t add_node(SpefNet *net, NodeKey key, const char *text, uint32_t length)
{
  PinId pin = own_pin(net, text, length);
  return pin == NO_PIN ? internal_node(net, key, text, length)
                       : pin_node(net, key, text, length, pin);
}

uint32_t spef_net_node(SpefNet *net, const char *text, uint32_t length)
{
  NodeKey key = key_of(text, length);
  uint32_t node = known(net, key, text, length);
  return node != NO_NODE ? node : add_node(net, key, text, length);
}

/* Most names that are not known are nodes of other nets: the far side of coupling capacitors. */
uint32_t spef_net_own_node(SpefNet *net, const char *text, uint32_t length)
{
  NodeKey key = key_of(text, length);
  uint32_t node = known(net, key, text, length);
  if (node != NO_NODE || !(is_own(net, text, length) || named_after_net(net, text, length)))
    return node;
  return add_node(net, key, text, length);
}

uint32_t spef_net_conn(SpefNet *net, const char *text, uint32_t length, PinId pin)
{
  NodeKey key = key_of(text, length);
  uint32_t node = known(net, key, text, length);
  if (node != NO_NODE) return node;
  return pin == NO_PIN ? internal_node(net, key, text, length)
                       : pin_node(net, key, text, length, pin);
}

/* --- the end of a net ------------------------------------------------------------------------- */

/* How well a pin serves as the root: 3 the driver, 2 a bidirectional one, 1 a hierarchical pin that
   the signal comes through. */
static int rank_as_root(const SpefNet *net, PinId pin)
{
  if (pin == NO_PIN) return -1;
  Direction d = netlist_pin_direction(net->n, pin);
  if (pin_is_hierarchical(net->n, pin)) {
    bool from_outside = net->n->pins.at[pin].inst == net->n->segs.at[net->seg].scope;
    return d == (from_outside ? DIR_INPUT : DIR_OUTPUT) ? 1 : 0;
  }
  if (!netlist_pin_drives(net->n, pin)) return 0;
  return d == DIR_INOUT ? 2 : 3;
}

/* The node to hang the tree on, and how good it is; the first of equals. */
static uint32_t choose_root(const SpefNet *net, int *rank)
{
  uint32_t best = 0;
  *rank = -1;
  if (net->hint != NO_NODE && (*rank = rank_as_root(net, net->pins.at[net->hint])) == 3)
    return net->hint;
  *rank = -1;
  for (uint32_t i = 0; i < net->pins.len && *rank < 3; i++) {
    int r = rank_as_root(net, net->pins.at[i]);
    if (r <= *rank) continue;
    *rank = r;
    best = i;
  }
  return best;
}

static void tap_pins_of(SpefNet *net, SegId seg)
{
  for (PinId pin = net->n->segs.at[seg].first_pin; pin != NO_PIN; pin = net->n->pins.at[pin].next)
    if (known(net, pin_key(pin), NULL, 0) == NO_NODE) array_push(&net->taps, (RcTap){ pin, 0 });
}

/* Those of the net's segment, and of segments that assigns make one wire with it. */
static void tap_unlisted(SpefNet *net)
{
  const Netlist *n = net->n;
  tap_pins_of(net, net->seg);
  if (n->joins.len == 0) return;
  if (net->joined == NULL) net->joined = netlist_joined_segs(n);
  for (SegId seg = n->nets.at[net->net].first_seg; seg != NO_SEG; seg = n->segs.at[seg].next)
    if (seg != net->seg && net->joined[seg] == net->joined[net->seg]) tap_pins_of(net, seg);
}

/* Without resistors all is one node.  Leaf pins that the file does not list are on it too: the wire
   is ideal. */
static void lump(SpefNet *net, Parasitics *parasitics, PieceNumbers numbers, bool has_caps,
                 uint32_t flags)
{
  double cap = has_caps ? 0 : numbers.total_cap;
  for (uint32_t i = 0; i < net->caps.len; i++) cap += net->caps.at[i];
  array_clear(&net->taps);
  for (uint32_t i = 0; i < net->pins.len; i++)
    if (net->pins.at[i] != NO_PIN) array_push(&net->taps, (RcTap){ net->pins.at[i], 0 });
  tap_unlisted(net);
  RcNode node = { NO_NODE, 0, (float)cap };
  parasitics_append(parasitics, net->n, net->seg, &node, 1, net->taps.at, net->taps.len,
                    flags | PIECE_LUMPED, numbers);
}

SpefNetResult spef_net_end(SpefNet *net, Parasitics *parasitics, PieceNumbers numbers,
                           bool has_caps, uint32_t flags)
{
  SpefNetResult result = { 0 };
  if (net->edges.len == 0) {
    lump(net, parasitics, numbers, has_caps, flags);
    result.lumped = true;
    return result;
  }
  int rank;
  uint32_t root = choose_root(net, &rank), count = net->caps.len;
  if (!has_caps) net->caps.at[root] = numbers.total_cap;
  array_reserve(&net->nodes, count);
  RcOrder order = rc_order(net->scratch, net->caps.at, count, net->edges.at, net->edges.len, root,
                           net->nodes.at);
  array_clear(&net->taps);
  for (uint32_t i = 0; i < count; i++)
    if (net->pins.at[i] != NO_PIN)
      array_push(&net->taps, (RcTap){ net->pins.at[i], order.place[i] });
  parasitics_append(parasitics, net->n, net->seg, net->nodes.at, count, net->taps.at, net->taps.len,
                    flags, numbers);
  result.loops = order.loops;
  result.islands = order.islands;
  result.no_driver = rank < 1;
  return result;
}
