/* The store of parasitics: appends pieces, replaces earlier pieces of a net when a file is
   committed, and compacts the arrays. */
#include "db/parasitics.h"

#include "base/interrupt.h"

Parasitics *parasitics_new(void) { return mem_alloc_zero(1, sizeof(Parasitics)); }

static void free_arrays(Parasitics *parasitics)
{
  array_free(&parasitics->nodes);
  array_free(&parasitics->taps);
  array_free(&parasitics->pieces);
  array_free(&parasitics->reduced);
  array_free(&parasitics->elmores);
  array_free(&parasitics->port_loads);
  array_free(&parasitics->net_piece);
  array_free(&parasitics->seg_piece);
  array_free(&parasitics->reads);
  array_free(&parasitics->unused);
}

void parasitics_free(Parasitics *parasitics)
{
  if (parasitics == NULL) return;
  free_arrays(parasitics);
  mem_free(parasitics);
}

void parasitics_clear(Parasitics *parasitics)
{
  parasitics->version++;
  free_arrays(parasitics);
  memset(parasitics, 0, sizeof *parasitics);
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

size_t parasitics_bytes(const Parasitics *parasitics)
{
  return sizeof *parasitics + BYTES(parasitics->nodes) + BYTES(parasitics->taps)
         + BYTES(parasitics->pieces) + BYTES(parasitics->reduced) + BYTES(parasitics->elmores)
         + BYTES(parasitics->port_loads) + BYTES(parasitics->net_piece)
         + BYTES(parasitics->seg_piece) + BYTES(parasitics->reads) + BYTES(parasitics->unused);
}

/* --- the lists of pieces ---------------------------------------------------------------------- */

static PieceId piece_of_net(const Parasitics *parasitics, NetId net)
{
  return net < parasitics->net_piece.len ? parasitics->net_piece.at[net] : NO_PIECE;
}

bool parasitics_has(const Parasitics *parasitics, NetId net)
{
  return piece_of_net(parasitics, net) != NO_PIECE;
}

static void bury(Parasitics *parasitics, PieceId piece)
{
  RcPiece *dead = &parasitics->pieces.at[piece];
  dead->flags |= PIECE_DELETED;
  dead->next = NO_PIECE;
  parasitics->dead_nodes += dead->node_count;
  parasitics->seg_piece.at[dead->seg] = NO_PIECE;
}

/* Takes a piece out of its net's list.  The list is found through the segment, so it must still be
   of that net. */
static void unlink_piece(Parasitics *parasitics, const Netlist *n, PieceId piece)
{
  NetId net = n->segs.at[parasitics->pieces.at[piece].seg].net;
  for (PieceId *at = net < parasitics->net_piece.len ? &parasitics->net_piece.at[net] : NULL;
       at && *at != NO_PIECE; at = &parasitics->pieces.at[*at].next) {
    if (*at != piece) continue;
    *at = parasitics->pieces.at[piece].next;
    break;
  }
  bury(parasitics, piece);
}

/* --- what a piece replaces -------------------------------------------------------------------- */

typedef struct {
  Parasitics    *parasitics;
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
static uint32_t common_pins(const Commit *commit, const RcPiece *a, const RcPiece *b)
{
  const RcTap *x = array_from(&commit->parasitics->taps, a->first_tap),
              *y = array_from(&commit->parasitics->taps, b->first_tap);
  uint32_t count = 0;
  for (uint32_t i = 0, k = 0; i < a->tap_count && k < b->tap_count;) {
    if (x[i].pin == y[k].pin) {
      count += is_inner(commit->n, a, x[i].pin) == is_inner(commit->n, b, y[k].pin);
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
static bool is_flat(const Commit *commit, const RcPiece *piece)
{
  const RcTap *tap = array_from(&commit->parasitics->taps, piece->first_tap);
  InstId scope = commit->n->segs.at[piece->seg].scope;
  for (uint32_t i = 0; i < piece->tap_count; i++) {
    SegId seg = commit->n->pins.at[tap[i].pin].seg;
    if (pin_is_hierarchical(commit->n, tap[i].pin) || seg == NO_SEG) continue;
    if (commit->n->segs.at[seg].scope != scope) return true;
  }
  return false;
}

static bool is_within(const Netlist *n, InstId inst, InstId scope)
{
  while (inst != scope && inst != NO_INST) inst = n->insts.at[inst].parent;
  return inst == scope;
}

static bool are_joined(Commit *commit, SegId a, SegId b)
{
  if (commit->n->joins.len == 0 || commit->n->segs.at[a].scope != commit->n->segs.at[b].scope)
    return false;
  if (commit->joined == NULL) commit->joined = netlist_joined_segs(commit->n);
  return commit->joined[a] == commit->joined[b];
}

static bool replaces(Commit *commit, PieceId piece, bool flat, PieceId old, uint32_t common)
{
  const RcPiece *x = &commit->parasitics->pieces.at[piece],
                *y = &commit->parasitics->pieces.at[old];
  if (x->seg == y->seg || common) return true;
  if (old >= commit->first) return false;
  if (flat
      && is_within(commit->n, commit->n->segs.at[y->seg].scope, commit->n->segs.at[x->seg].scope))
    return true;
  return are_joined(commit, x->seg, y->seg);
}

static void note_replaced(Commit *commit, PieceId piece, PieceId old, uint32_t common)
{
  const RcPiece *x = &commit->parasitics->pieces.at[piece],
                *y = &commit->parasitics->pieces.at[old];
  ParasiticsReplaced *replaced = &commit->replaced;
  bool same = x->seg == y->seg;
  if (old >= commit->first && !same && replaced->twice++ == 0) replaced->twice_seg = x->seg;
  bool narrower = old < commit->first && common < y->tap_count && !is_flat(commit, x);
  if (same && !is_flat(commit, y)) return;
  if (narrower && replaced->narrower++ == 0) replaced->narrower_seg = x->seg;
}

static void replace_earlier(Commit *commit, PieceId piece)
{
  Parasitics *parasitics = commit->parasitics;
  bool flat = is_flat(commit, &parasitics->pieces.at[piece]);
  NetId net = commit->n->segs.at[parasitics->pieces.at[piece].seg].net;
  for (PieceId old = parasitics->net_piece.at[net], next; old != NO_PIECE; old = next) {
    next = parasitics->pieces.at[old].next;
    uint32_t common =
        common_pins(commit, &parasitics->pieces.at[piece], &parasitics->pieces.at[old]);
    if (!replaces(commit, piece, flat, old, common)) continue;
    note_replaced(commit, piece, old, common);
    unlink_piece(parasitics, commit->n, old);
  }
}

/* At the end of the net's list: pieces stand in the order in which they were read. */
static void link_piece(Commit *commit, PieceId piece)
{
  Parasitics *parasitics = commit->parasitics;
  const Netlist *n = commit->n;
  SegId seg = parasitics->pieces.at[piece].seg;
  if (parasitics->net_piece.at[n->segs.at[seg].net] != NO_PIECE) replace_earlier(commit, piece);
  parasitics->seg_piece.at[seg] = piece;
  PieceId *at = &parasitics->net_piece.at[n->segs.at[seg].net];
  while (*at != NO_PIECE) at = &parasitics->pieces.at[*at].next;
  *at = piece;
}

#define EXTEND_WITH_NONE(a, count) \
  do { \
    uint32_t old_ = (a)->len; \
    if (old_ >= (count)) break; \
    array_resize(a, count); \
    memset((a)->at + old_, 0xff, ((size_t)(a)->len - old_) * sizeof *(a)->at); \
  } while (0)

void parasitics_remove_net(Parasitics *parasitics, const Netlist *n, NetId net)
{
  parasitics->version++;
  (void)n;
  for (PieceId piece = piece_of_net(parasitics, net), next; piece != NO_PIECE; piece = next) {
    next = parasitics->pieces.at[piece].next;
    bury(parasitics, piece);
  }
  if (net < parasitics->net_piece.len) parasitics->net_piece.at[net] = NO_PIECE;
}

/* --- appending -------------------------------------------------------------------------------- */

ParasiticsMark parasitics_begin(const Parasitics *parasitics)
{
  return (ParasiticsMark){ parasitics->nodes.len, parasitics->taps.len, parasitics->pieces.len,
                           parasitics->reduced.len, parasitics->elmores.len };
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

PieceId parasitics_append(Parasitics *parasitics, const Netlist *n, SegId seg, const RcNode *nodes,
                          uint32_t node_count, const RcTap *taps, uint32_t tap_count,
                          uint32_t flags, PieceNumbers numbers)
{
  flags |= shape_flags(n, nodes, node_count, taps, tap_count);
  RcPiece piece = { seg,        parasitics->nodes.len,
                    node_count, parasitics->taps.len,
                    tap_count,  flags,
                    NO_PIECE,   numbers };
  array_reserve(&parasitics->nodes, (uint64_t)parasitics->nodes.len + node_count);
  array_reserve(&parasitics->taps, (uint64_t)parasitics->taps.len + tap_count);
  if (node_count)
    memcpy(parasitics->nodes.at + parasitics->nodes.len, nodes, node_count * sizeof *nodes);
  if (tap_count) memcpy(parasitics->taps.at + parasitics->taps.len, taps, tap_count * sizeof *taps);
  if (tap_count) sort_taps(parasitics->taps.at + parasitics->taps.len, tap_count);
  parasitics->nodes.len += node_count;
  parasitics->taps.len += tap_count;
  array_push(&parasitics->pieces, piece);
  return parasitics->pieces.len - 1;
}

static int elmore_by_pin(const void *a, const void *b)
{
  PinId x = ((const RcElmore *)a)->pin, y = ((const RcElmore *)b)->pin;
  return (x > y) - (x < y);
}

void parasitics_append_reduced(Parasitics *parasitics, RcReduced reduced, const RcElmore *elmores,
                               uint32_t count)
{
  reduced.piece = parasitics->pieces.len - 1;
  reduced.first_elmore = parasitics->elmores.len;
  reduced.elmore_count = count;
  for (uint32_t i = 0; i < count; i++) array_push(&parasitics->elmores, elmores[i]);
  if (count)
    qsort(parasitics->elmores.at + reduced.first_elmore, count, sizeof *elmores, elmore_by_pin);
  array_push(&parasitics->reduced, reduced);
}

void parasitics_rollback(Parasitics *parasitics, const ParasiticsMark *mark)
{
  parasitics->nodes.len = mark->nodes;
  parasitics->taps.len = mark->taps;
  parasitics->pieces.len = mark->pieces;
  parasitics->reduced.len = mark->reduced;
  parasitics->elmores.len = mark->elmores;
}

/* --- throwing away what deleted pieces leave behind ------------------------------------------- */

enum { WORTH_COMPACTING = 1 << 12 };

/* Moves a living piece's nodes and taps to the ends of the compacted arrays, which never overtake
   the old ones. */
static void move_down(Parasitics *parasitics, RcPiece *piece, uint32_t *nodes, uint32_t *taps)
{
  memmove(parasitics->nodes.at + *nodes, parasitics->nodes.at + piece->first_node,
          piece->node_count * sizeof(RcNode));
  if (piece->tap_count)
    memmove(parasitics->taps.at + *taps, parasitics->taps.at + piece->first_tap,
            piece->tap_count * sizeof(RcTap));
  piece->first_node = *nodes;
  piece->first_tap = *taps;
  *nodes += piece->node_count;
  *taps += piece->tap_count;
}

static void compact_reduced(Parasitics *parasitics, const PieceId *new_id)
{
  uint32_t kept = 0, elmores = 0;
  for (uint32_t i = 0; i < parasitics->reduced.len; i++) {
    RcReduced r = parasitics->reduced.at[i];
    if (new_id[r.piece] == NO_PIECE) continue;
    if (r.elmore_count)
      if (r.elmore_count)
        memmove(parasitics->elmores.at + elmores, parasitics->elmores.at + r.first_elmore,
                r.elmore_count * sizeof(RcElmore));
    r.piece = new_id[r.piece];
    r.first_elmore = elmores;
    elmores += r.elmore_count;
    parasitics->reduced.at[kept++] = r;
  }
  parasitics->reduced.len = kept;
  parasitics->elmores.len = elmores;
}

static void renumber(PieceId *at, uint32_t count, const PieceId *new_id)
{
  for (uint32_t i = 0; i < count; i++)
    if (at[i] != NO_PIECE) at[i] = new_id[at[i]];
}

static void compact(Parasitics *parasitics)
{
  PieceId *new_id = mem_alloc(parasitics->pieces.len * sizeof *new_id);
  uint32_t kept = 0, nodes = 0, taps = 0;
  for (uint32_t i = 0; i < parasitics->pieces.len; i++) {
    RcPiece *piece = &parasitics->pieces.at[i];
    new_id[i] = piece->flags & PIECE_DELETED ? NO_PIECE : kept;
    if (new_id[i] == NO_PIECE) continue;
    move_down(parasitics, piece, &nodes, &taps);
    parasitics->pieces.at[kept++] = *piece;
  }
  compact_reduced(parasitics, new_id);
  parasitics->pieces.len = kept;
  parasitics->nodes.len = nodes;
  parasitics->taps.len = taps;
  for (uint32_t i = 0; i < kept; i++) renumber(&parasitics->pieces.at[i].next, 1, new_id);
  renumber(parasitics->net_piece.at, parasitics->net_piece.len, new_id);
  renumber(parasitics->seg_piece.at, parasitics->seg_piece.len, new_id);
  parasitics->dead_nodes = 0;
  mem_free(new_id);
}

/* Growing by half leaves up to a third unused; large arrays give it back. */
#define TRIM(a)                                                      \
  ((a)->cap > (a)->len + 1024 && (a)->cap > (a)->len + (a)->len / 16 \
     ? (void)((a)->at = mem_resize((a)->at,                          \
         ((a)->cap = (a)->len + (a)->len / 64 + 1) * sizeof *(a)->at)) : (void)0)

ParasiticsReplaced parasitics_commit(Parasitics *parasitics, const Netlist *n,
                                     const ParasiticsMark *mark)
{
  Commit c = {
    .parasitics = parasitics, .n = n, .first = mark->pieces, .replaced = { 0, 0, NO_SEG, NO_SEG }
  };
  parasitics->version++;
  bool bulk = parasitics->pieces.len - mark->pieces > 16;
  EXTEND_WITH_NONE(&parasitics->net_piece, n->nets.len);
  EXTEND_WITH_NONE(&parasitics->seg_piece, n->segs.len);
  for (PieceId piece = mark->pieces; piece < parasitics->pieces.len; piece++) link_piece(&c, piece);
  mem_free(c.joined);
  if (parasitics->dead_nodes > WORTH_COMPACTING
      && parasitics->dead_nodes > parasitics->nodes.len / 2)
    compact(parasitics);
  if (!bulk) return c.replaced;
  TRIM(&parasitics->nodes);
  TRIM(&parasitics->taps);
  TRIM(&parasitics->pieces);
  return c.replaced;
}

PieceId parasitics_add(Parasitics *parasitics, const Netlist *n, SegId seg, const RcNode *nodes,
                       uint32_t node_count, const RcTap *taps, uint32_t tap_count, uint32_t flags,
                       PieceNumbers numbers)
{
  ParasiticsMark mark = parasitics_begin(parasitics);
  parasitics_append(parasitics, n, seg, nodes, node_count, taps, tap_count, flags, numbers);
  parasitics_commit(parasitics, n, &mark);
  return parasitics->seg_piece.at[seg];
}

enum { PIECES_A_LOOK = 1024 };           /* at whether an interrupt came */

static void append_piece(Parasitics *parasitics, const Netlist *n, const Parasitics *from,
                         PieceId piece, uint32_t *reduced)
{
  const RcPiece *rc_piece = &from->pieces.at[piece];
  const RcTap *taps = array_from(&from->taps, rc_piece->first_tap);
  parasitics_append(parasitics, n, rc_piece->seg, from->nodes.at + rc_piece->first_node,
                    rc_piece->node_count, taps, rc_piece->tap_count, rc_piece->flags,
                    rc_piece->numbers);
  for (; *reduced < from->reduced.len && from->reduced.at[*reduced].piece <= piece; ++*reduced) {
    const RcReduced *rc_reduced = &from->reduced.at[*reduced];
    if (rc_reduced->piece == piece)
      parasitics_append_reduced(parasitics, *rc_reduced,
                                array_from(&from->elmores, rc_reduced->first_elmore),
                                rc_reduced->elmore_count);
  }
}

static bool append_pieces(Parasitics *parasitics, const Netlist *n, const Parasitics *from,
                          bool may_stop)
{
  uint32_t reduced = 0;
  for (PieceId piece = 0; piece < from->pieces.len; piece++) {
    if (may_stop && piece % PIECES_A_LOOK == 0 && interrupt_seen()) return false;
    if (!(from->pieces.at[piece].flags & PIECE_DELETED))
      append_piece(parasitics, n, from, piece, &reduced);
  }
  return true;
}

bool parasitics_append_all(Parasitics *parasitics, const Netlist *n, const Parasitics *from)
{
  ParasiticsMark mark = parasitics_begin(parasitics);
  bool done = append_pieces(parasitics, n, from, true);
  if (!done) parasitics_rollback(parasitics, &mark);
  return done;
}

ParasiticsReplaced parasitics_merge(Parasitics *parasitics, const Netlist *n,
                                    const Parasitics *from)
{
  ParasiticsMark mark = parasitics_begin(parasitics);
  append_pieces(parasitics, n, from, false);
  return parasitics_commit(parasitics, n, &mark);
}

/* --- loads of ports --------------------------------------------------------------------------- */

bool parasitics_has_port_load(const Parasitics *parasitics, PinId port)
{
  uint32_t low = 0, high = parasitics->port_loads.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (parasitics->port_loads.at[middle].port < port) low = middle + 1;
    else high = middle;
  }
  return low < parasitics->port_loads.len && parasitics->port_loads.at[low].port == port;
}

bool parasitics_put_port_load(Parasitics *parasitics, PinId port, float cap)
{
  uint32_t at = parasitics->port_loads.len;
  while (at > 0 && parasitics->port_loads.at[at - 1].port >= port) at--;
  bool known = at < parasitics->port_loads.len && parasitics->port_loads.at[at].port == port;
  bool changes = known ? parasitics->port_loads.at[at].cap != cap : cap != 0;
  if (changes) parasitics->version++;
  if (!known) {
    array_push(&parasitics->port_loads, (RcPortLoad){ port, cap });
    RcPortLoad *load = parasitics->port_loads.at;
    memmove(&load[at + 1], &load[at], (parasitics->port_loads.len - 1 - at) * sizeof *load);
  }
  parasitics->port_loads.at[at] = (RcPortLoad){ port, cap };
  return changes;
}

/* --- reduced nets ----------------------------------------------------------------------------- */

/* The first reduced model of a piece or a later one. */
static uint32_t first_reduced(const Parasitics *parasitics, PieceId piece)
{
  uint32_t low = 0, high = parasitics->reduced.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (parasitics->reduced.at[middle].piece < piece) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Each of several pieces counts as the tree that it is. */
const RcReduced *parasitics_reduced(const Parasitics *parasitics, NetId net, PinId driver)
{
  PieceId first = piece_of_net(parasitics, net);
  if (first != NO_PIECE && parasitics->pieces.at[first].next != NO_PIECE) return NULL;
  for (PieceId piece = piece_of_net(parasitics, net); piece != NO_PIECE;
       piece = parasitics->pieces.at[piece].next) {
    if (!(parasitics->pieces.at[piece].flags & PIECE_REDUCED)) continue;
    for (uint32_t i = first_reduced(parasitics, piece);
         i < parasitics->reduced.len && parasitics->reduced.at[i].piece == piece; i++)
      if (parasitics->reduced.at[i].driver == driver) return &parasitics->reduced.at[i];
  }
  return NULL;
}
