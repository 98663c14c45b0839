/* The store of parasitics: appends pieces, replaces earlier pieces of a net when a file is
   committed, and compacts the arrays. */
#include "db/parasitics.h"

#include "base/interrupt.h"

Parasitics *parasitics_new(void) { return mem_alloc_zero(1, sizeof(Parasitics)); }

static void free_arrays(Parasitics *p)
{
  array_free(&p->nodes);
  array_free(&p->taps);
  array_free(&p->pieces);
  array_free(&p->reduced);
  array_free(&p->elmores);
  array_free(&p->port_loads);
  array_free(&p->net_piece);
  array_free(&p->seg_piece);
  array_free(&p->reads);
  array_free(&p->unused);
}

void parasitics_free(Parasitics *p)
{
  if (p == NULL) return;
  free_arrays(p);
  mem_free(p);
}

void parasitics_clear(Parasitics *p)
{
  p->version++;
  free_arrays(p);
  memset(p, 0, sizeof *p);
}

#define COPY_ARRAY(to, from)                                                                    \
  (array_resize(to, (from)->len),                                                               \
      (void)((from)->len ? memcpy((to)->at, (from)->at, (size_t)(from)->len * sizeof *(to)->at) \
      : NULL))

void parasitics_copy(Parasitics *to, const Parasitics *from)
{
  to->version++;
  COPY_ARRAY(&to->nodes, &from->nodes);
  COPY_ARRAY(&to->taps, &from->taps);
  COPY_ARRAY(&to->pieces, &from->pieces);
  COPY_ARRAY(&to->reduced, &from->reduced);
  COPY_ARRAY(&to->elmores, &from->elmores);
  COPY_ARRAY(&to->port_loads, &from->port_loads);
  COPY_ARRAY(&to->net_piece, &from->net_piece);
  COPY_ARRAY(&to->seg_piece, &from->seg_piece);
  COPY_ARRAY(&to->reads, &from->reads);
  COPY_ARRAY(&to->unused, &from->unused);
  to->dead_nodes = from->dead_nodes;
}

#define BYTES(a) ((size_t)(a).cap * sizeof *(a).at)

size_t parasitics_bytes(const Parasitics *p)
{
  return sizeof *p + BYTES(p->nodes) + BYTES(p->taps) + BYTES(p->pieces) + BYTES(p->reduced)
         + BYTES(p->elmores) + BYTES(p->port_loads) + BYTES(p->net_piece) + BYTES(p->seg_piece)
         + BYTES(p->reads) + BYTES(p->unused);
}

/* --- the lists of pieces ---------------------------------------------------------------------- */

static PieceId piece_of_net(const Parasitics *p, NetId net)
{
  return net < p->net_piece.len ? p->net_piece.at[net] : NO_PIECE;
}

bool parasitics_has(const Parasitics *p, NetId net) { return piece_of_net(p, net) != NO_PIECE; }

static void bury(Parasitics *p, PieceId piece)
{
  RcPiece *dead = &p->pieces.at[piece];
  dead->flags |= PIECE_DELETED;
  dead->next = NO_PIECE;
  p->dead_nodes += dead->node_count;
  p->seg_piece.at[dead->seg] = NO_PIECE;
}

/* Takes a piece out of its net's list.  The list is found through the segment, so it must still be
   of that net. */
static void unlink_piece(Parasitics *p, const Netlist *n, PieceId piece)
{
  NetId net = n->segs.at[p->pieces.at[piece].seg].net;
  for (PieceId *at = net < p->net_piece.len ? &p->net_piece.at[net] : NULL; at && *at != NO_PIECE;
       at = &p->pieces.at[*at].next) {
    if (*at != piece) continue;
    *at = p->pieces.at[piece].next;
    break;
  }
  bury(p, piece);
}

/* --- what a piece replaces -------------------------------------------------------------------- */

typedef struct {
  Parasitics    *p;
  const Netlist *n;
  PieceId first;             /* of those that are committed */
  SegId  *joined;            /* netlist_joined_segs; NULL: not asked for yet */
  ParasiticsReplaced replaced;
} Commit;

/* A hierarchical pin is on a piece from outside or from within. */
static bool is_inner(const Netlist *n, const RcPiece *piece, PinId pin)
{
  return pin_is_hierarchical(n, pin) && n->pins.at[pin].inst == n->segs.at[piece->seg].scope;
}

/* How many pins of b piece a has as well; taps are in order of pins. */
static uint32_t common_pins(const Commit *c, const RcPiece *a, const RcPiece *b)
{
  const RcTap *x = array_from(&c->p->taps, a->first_tap),
              *y = array_from(&c->p->taps, b->first_tap);
  uint32_t count = 0;
  for (uint32_t i = 0, k = 0; i < a->tap_count && k < b->tap_count;) {
    if (x[i].pin == y[k].pin) {
      count += is_inner(c->n, a, x[i].pin) == is_inner(c->n, b, y[k].pin);
      i++, k++;
    } else if (x[i].pin < y[k].pin) {
      i++;
    } else {
      k++;
    }
  }
  return count;
}

/* Returns true if it lists leaf pins of scopes below its own. */
static bool is_flat(const Commit *c, const RcPiece *piece)
{
  const RcTap *tap = array_from(&c->p->taps, piece->first_tap);
  InstId scope = c->n->segs.at[piece->seg].scope;
  for (uint32_t i = 0; i < piece->tap_count; i++) {
    SegId seg = c->n->pins.at[tap[i].pin].seg;
    if (pin_is_hierarchical(c->n, tap[i].pin) || seg == NO_SEG) continue;
    if (c->n->segs.at[seg].scope != scope) return true;
  }
  return false;
}

static bool is_within(const Netlist *n, InstId inst, InstId scope)
{
  while (inst != scope && inst != NO_INST) inst = n->insts.at[inst].parent;
  return inst == scope;
}

static bool are_joined(Commit *c, SegId a, SegId b)
{
  if (c->n->joins.len == 0 || c->n->segs.at[a].scope != c->n->segs.at[b].scope) return false;
  if (c->joined == NULL) c->joined = netlist_joined_segs(c->n);
  return c->joined[a] == c->joined[b];
}

static bool replaces(Commit *c, PieceId piece, bool flat, PieceId old, uint32_t common)
{
  const RcPiece *x = &c->p->pieces.at[piece], *y = &c->p->pieces.at[old];
  if (x->seg == y->seg || common) return true;
  if (old >= c->first) return false;
  if (flat && is_within(c->n, c->n->segs.at[y->seg].scope, c->n->segs.at[x->seg].scope))
    return true;
  return are_joined(c, x->seg, y->seg);
}

static void note_replaced(Commit *c, PieceId piece, PieceId old, uint32_t common)
{
  const RcPiece *x = &c->p->pieces.at[piece], *y = &c->p->pieces.at[old];
  ParasiticsReplaced *r = &c->replaced;
  bool same = x->seg == y->seg;
  if (old >= c->first && !same && r->twice++ == 0) r->twice_seg = x->seg;
  bool narrower = old < c->first && common < y->tap_count && !is_flat(c, x);
  if (same && !is_flat(c, y)) return;
  if (narrower && r->narrower++ == 0) r->narrower_seg = x->seg;
}

static void replace_earlier(Commit *c, PieceId piece)
{
  Parasitics *p = c->p;
  bool flat = is_flat(c, &p->pieces.at[piece]);
  NetId net = c->n->segs.at[p->pieces.at[piece].seg].net;
  for (PieceId old = p->net_piece.at[net], next; old != NO_PIECE; old = next) {
    next = p->pieces.at[old].next;
    uint32_t common = common_pins(c, &p->pieces.at[piece], &p->pieces.at[old]);
    if (!replaces(c, piece, flat, old, common)) continue;
    note_replaced(c, piece, old, common);
    unlink_piece(p, c->n, old);
  }
}

/* At the end of the net's list: pieces stand in the order in which they were read. */
static void link_piece(Commit *c, PieceId piece)
{
  Parasitics *p = c->p;
  const Netlist *n = c->n;
  SegId seg = p->pieces.at[piece].seg;
  if (p->net_piece.at[n->segs.at[seg].net] != NO_PIECE) replace_earlier(c, piece);
  p->seg_piece.at[seg] = piece;
  PieceId *at = &p->net_piece.at[n->segs.at[seg].net];
  while (*at != NO_PIECE) at = &p->pieces.at[*at].next;
  *at = piece;
}

#define EXTEND_WITH_NONE(a, count) \
  do { \
    uint32_t old_ = (a)->len; \
    if (old_ >= (count)) break; \
    array_resize(a, count); \
    memset((a)->at + old_, 0xff, ((size_t)(a)->len - old_) * sizeof *(a)->at); \
  } while (0)

void parasitics_remove_net(Parasitics *p, const Netlist *n, NetId net)
{
  p->version++;
  (void)n;
  for (PieceId piece = piece_of_net(p, net), next; piece != NO_PIECE; piece = next) {
    next = p->pieces.at[piece].next;
    bury(p, piece);
  }
  if (net < p->net_piece.len) p->net_piece.at[net] = NO_PIECE;
}

/* --- appending -------------------------------------------------------------------------------- */

ParasiticsMark parasitics_begin(const Parasitics *p)
{
  return (ParasiticsMark){ p->nodes.len, p->taps.len, p->pieces.len, p->reduced.len,
                           p->elmores.len };
}

static int by_pin(const void *a, const void *b)
{
  PinId x = ((const RcTap *)a)->pin, y = ((const RcTap *)b)->pin;
  return (x > y) - (x < y);
}

/* Nets of a few pins are the rule. */
static void sort_taps(RcTap *taps, uint32_t count)
{
  if (count > 24) {
    qsort(taps, count, sizeof *taps, by_pin);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    RcTap tap = taps[i];
    uint32_t k = i;
    for (; k > 0 && taps[k - 1].pin > tap.pin; k--) taps[k] = taps[k - 1];
    taps[k] = tap;
  }
}

static uint32_t shape_flags(const Netlist *n, const RcNode *nodes, uint32_t node_count,
                            const RcTap *taps, uint32_t tap_count)
{
  uint32_t flags = 0;
  for (uint32_t i = 1; i < node_count; i++)
    if (nodes[i].parent == NO_NODE) flags |= PIECE_ISLANDS;
  for (uint32_t i = 0; i < tap_count; i++)
    if (pin_is_hierarchical(n, taps[i].pin)) flags |= PIECE_JOINS;
  return flags;
}

bool parasitics_pin_included(const Netlist *n, uint32_t flags, PinId pin)
{
  if (!(flags & (PIECE_INPUTS_INCLUDED | PIECE_OUTPUTS_INCLUDED))) return false;
  if (pin_is_top_port(n, pin) || pin_is_hierarchical(n, pin)) return false;
  return flags & (netlist_pin_loads(n, pin) ? PIECE_INPUTS_INCLUDED : PIECE_OUTPUTS_INCLUDED);
}

PieceId parasitics_append(Parasitics *p, const Netlist *n, SegId seg, const RcNode *nodes,
                          uint32_t node_count, const RcTap *taps, uint32_t tap_count,
                          uint32_t flags, PieceNumbers numbers)
{
  flags |= shape_flags(n, nodes, node_count, taps, tap_count);
  RcPiece piece = { seg,       p->nodes.len, node_count, p->taps.len,
                    tap_count, flags,        NO_PIECE,   numbers };
  array_reserve(&p->nodes, (uint64_t)p->nodes.len + node_count);
  array_reserve(&p->taps, (uint64_t)p->taps.len + tap_count);
  if (node_count) memcpy(p->nodes.at + p->nodes.len, nodes, node_count * sizeof *nodes);
  if (tap_count) memcpy(p->taps.at + p->taps.len, taps, tap_count * sizeof *taps);
  if (tap_count) sort_taps(p->taps.at + p->taps.len, tap_count);
  p->nodes.len += node_count;
  p->taps.len += tap_count;
  array_push(&p->pieces, piece);
  return p->pieces.len - 1;
}

static int elmore_by_pin(const void *a, const void *b)
{
  PinId x = ((const RcElmore *)a)->pin, y = ((const RcElmore *)b)->pin;
  return (x > y) - (x < y);
}

void parasitics_append_reduced(Parasitics *p, RcReduced reduced, const RcElmore *elmores,
                               uint32_t count)
{
  reduced.piece = p->pieces.len - 1;
  reduced.first_elmore = p->elmores.len;
  reduced.elmore_count = count;
  for (uint32_t i = 0; i < count; i++) array_push(&p->elmores, elmores[i]);
  if (count) qsort(p->elmores.at + reduced.first_elmore, count, sizeof *elmores, elmore_by_pin);
  array_push(&p->reduced, reduced);
}

void parasitics_rollback(Parasitics *p, const ParasiticsMark *mark)
{
  p->nodes.len = mark->nodes;
  p->taps.len = mark->taps;
  p->pieces.len = mark->pieces;
  p->reduced.len = mark->reduced;
  p->elmores.len = mark->elmores;
}

/* --- throwing away what deleted pieces leave behind ------------------------------------------- */

enum { WORTH_COMPACTING = 1 << 12 };

/* Moves a living piece's nodes and taps to the ends of the compacted arrays, which never overtake
   the old ones. */
static void move_down(Parasitics *p, RcPiece *piece, uint32_t *nodes, uint32_t *taps)
{
  memmove(p->nodes.at + *nodes, p->nodes.at + piece->first_node,
          piece->node_count * sizeof(RcNode));
  if (piece->tap_count)
    memmove(p->taps.at + *taps, p->taps.at + piece->first_tap, piece->tap_count * sizeof(RcTap));
  piece->first_node = *nodes;
  piece->first_tap = *taps;
  *nodes += piece->node_count;
  *taps += piece->tap_count;
}

static void compact_reduced(Parasitics *p, const PieceId *new_id)
{
  uint32_t kept = 0, elmores = 0;
  for (uint32_t i = 0; i < p->reduced.len; i++) {
    RcReduced r = p->reduced.at[i];
    if (new_id[r.piece] == NO_PIECE) continue;
    if (r.elmore_count)
      if (r.elmore_count)
        memmove(p->elmores.at + elmores, p->elmores.at + r.first_elmore,
                r.elmore_count * sizeof(RcElmore));
    r.piece = new_id[r.piece];
    r.first_elmore = elmores;
    elmores += r.elmore_count;
    p->reduced.at[kept++] = r;
  }
  p->reduced.len = kept;
  p->elmores.len = elmores;
}

static void renumber(PieceId *at, uint32_t count, const PieceId *new_id)
{
  for (uint32_t i = 0; i < count; i++)
    if (at[i] != NO_PIECE) at[i] = new_id[at[i]];
}

static void compact(Parasitics *p)
{
  PieceId *new_id = mem_alloc(p->pieces.len * sizeof *new_id);
  uint32_t kept = 0, nodes = 0, taps = 0;
  for (uint32_t i = 0; i < p->pieces.len; i++) {
    RcPiece *piece = &p->pieces.at[i];
    new_id[i] = piece->flags & PIECE_DELETED ? NO_PIECE : kept;
    if (new_id[i] == NO_PIECE) continue;
    move_down(p, piece, &nodes, &taps);
    p->pieces.at[kept++] = *piece;
  }
  compact_reduced(p, new_id);
  p->pieces.len = kept;
  p->nodes.len = nodes;
  p->taps.len = taps;
  for (uint32_t i = 0; i < kept; i++) renumber(&p->pieces.at[i].next, 1, new_id);
  renumber(p->net_piece.at, p->net_piece.len, new_id);
  renumber(p->seg_piece.at, p->seg_piece.len, new_id);
  p->dead_nodes = 0;
  mem_free(new_id);
}

/* Growing by half leaves up to a third unused; large arrays give it back. */
#define TRIM(a)                                                      \
  ((a)->cap > (a)->len + 1024 && (a)->cap > (a)->len + (a)->len / 16 \
     ? (void)((a)->at = mem_resize((a)->at,                          \
         ((a)->cap = (a)->len + (a)->len / 64 + 1) * sizeof *(a)->at)) : (void)0)

ParasiticsReplaced parasitics_commit(Parasitics *p, const Netlist *n, const ParasiticsMark *mark)
{
  Commit c = { .p = p, .n = n, .first = mark->pieces, .replaced = { 0, 0, NO_SEG, NO_SEG } };
  p->version++;
  bool bulk = p->pieces.len - mark->pieces > 16;
  EXTEND_WITH_NONE(&p->net_piece, n->nets.len);
  EXTEND_WITH_NONE(&p->seg_piece, n->segs.len);
  for (PieceId piece = mark->pieces; piece < p->pieces.len; piece++) link_piece(&c, piece);
  mem_free(c.joined);
  if (p->dead_nodes > WORTH_COMPACTING && p->dead_nodes > p->nodes.len / 2) compact(p);
  if (!bulk) return c.replaced;
  TRIM(&p->nodes);
  TRIM(&p->taps);
  TRIM(&p->pieces);
  return c.replaced;
}

PieceId parasitics_add(Parasitics *p, const Netlist *n, SegId seg, const RcNode *nodes,
                       uint32_t node_count, const RcTap *taps, uint32_t tap_count, uint32_t flags,
                       PieceNumbers numbers)
{
  ParasiticsMark mark = parasitics_begin(p);
  parasitics_append(p, n, seg, nodes, node_count, taps, tap_count, flags, numbers);
  parasitics_commit(p, n, &mark);
  return p->seg_piece.at[seg];
}

enum { PIECES_A_LOOK = 1024 };           /* at whether an interrupt came */

static void append_piece(Parasitics *p, const Netlist *n, const Parasitics *from, PieceId piece,
                         uint32_t *reduced)
{
  const RcPiece *x = &from->pieces.at[piece];
  const RcTap *taps = array_from(&from->taps, x->first_tap);
  parasitics_append(p, n, x->seg, from->nodes.at + x->first_node, x->node_count, taps, x->tap_count,
                    x->flags, x->numbers);
  for (; *reduced < from->reduced.len && from->reduced.at[*reduced].piece <= piece; ++*reduced) {
    const RcReduced *r = &from->reduced.at[*reduced];
    if (r->piece == piece)
      parasitics_append_reduced(p, *r, array_from(&from->elmores, r->first_elmore),
                                r->elmore_count);
  }
}

static bool append_pieces(Parasitics *p, const Netlist *n, const Parasitics *from, bool may_stop)
{
  uint32_t reduced = 0;
  for (PieceId piece = 0; piece < from->pieces.len; piece++) {
    if (may_stop && piece % PIECES_A_LOOK == 0 && interrupt_seen()) return false;
    if (!(from->pieces.at[piece].flags & PIECE_DELETED))
      append_piece(p, n, from, piece, &reduced);
  }
  return true;
}

bool parasitics_append_all(Parasitics *p, const Netlist *n, const Parasitics *from)
{
  ParasiticsMark mark = parasitics_begin(p);
  bool done = append_pieces(p, n, from, true);
  if (!done) parasitics_rollback(p, &mark);
  return done;
}

ParasiticsReplaced parasitics_merge(Parasitics *p, const Netlist *n, const Parasitics *from)
{
  ParasiticsMark mark = parasitics_begin(p);
  append_pieces(p, n, from, false);
  return parasitics_commit(p, n, &mark);
}

/* --- loads of ports --------------------------------------------------------------------------- */

bool parasitics_has_port_load(const Parasitics *p, PinId port)
{
  uint32_t low = 0, high = p->port_loads.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->port_loads.at[middle].port < port) low = middle + 1;
    else high = middle;
  }
  return low < p->port_loads.len && p->port_loads.at[low].port == port;
}

bool parasitics_put_port_load(Parasitics *p, PinId port, float cap)
{
  uint32_t at = p->port_loads.len;
  while (at > 0 && p->port_loads.at[at - 1].port >= port) at--;
  bool known = at < p->port_loads.len && p->port_loads.at[at].port == port;
  bool changes = known ? p->port_loads.at[at].cap != cap : cap != 0;
  if (changes) p->version++;
  if (!known) {
    array_push(&p->port_loads, (RcPortLoad){ port, cap });
    RcPortLoad *load = p->port_loads.at;
    memmove(&load[at + 1], &load[at], (p->port_loads.len - 1 - at) * sizeof *load);
  }
  p->port_loads.at[at] = (RcPortLoad){ port, cap };
  return changes;
}

/* --- reduced nets ----------------------------------------------------------------------------- */

/* The first reduced model of a piece or a later one. */
static uint32_t first_reduced(const Parasitics *p, PieceId piece)
{
  uint32_t low = 0, high = p->reduced.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->reduced.at[middle].piece < piece) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Each of several pieces counts as the tree that it is. */
const RcReduced *parasitics_reduced(const Parasitics *p, NetId net, PinId driver)
{
  PieceId first = piece_of_net(p, net);
  if (first != NO_PIECE && p->pieces.at[first].next != NO_PIECE) return NULL;
  for (PieceId piece = piece_of_net(p, net); piece != NO_PIECE; piece = p->pieces.at[piece].next) {
    if (!(p->pieces.at[piece].flags & PIECE_REDUCED)) continue;
    for (uint32_t i = first_reduced(p, piece);
         i < p->reduced.len && p->reduced.at[i].piece == piece; i++)
      if (p->reduced.at[i].driver == driver) return &p->reduced.at[i];
  }
  return NULL;
}
