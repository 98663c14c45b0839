/* Edits of a design that can be undone. Each command is a group of steps. See edits.h. */
#include "optimize/edits.h"

#include "base/expect.h"
#include "base/hash.h"
#include "base/interrupt.h"
#include "base/processors.h"
#include "optimize/swap_batch.h"
#include "update/timer.h"

/* --- steps ------------------------------------------------------------------------------------ */
typedef enum {
  STEP_SWAP,                   /* id: instance; was, more: its cells before and after */
  STEP_INSERT_INST,            /* id: instance */
  STEP_REMOVE_INST,
  STEP_INSERT_NET,             /* id: segment */
  STEP_REMOVE_NET,
  STEP_CONNECT,                /* id: pin */
  STEP_DISCONNECT,             /* id: pin; was: its segment; more: the pin before it there */
  STEP_PLACE,                  /* id: instance; the last of what is kept */
  STEP_SHAPE,                  /* the last of what is kept of each kind: */
  STEP_JOINS,
  STEP_DROP_PIECES,
  STEP_ADD_PIECE,              /* id: segment; was: set of parasitics */
  STEP_ANNOTATION,
  STEP_CONSTRAINTS,
  STEP_PART_NAME               /* id: name */
} StepKind;

typedef struct {
  uint32_t kind, id, was, more;
} Step;

typedef struct {
  uint32_t    first;           /* step */
  const char *command;
  char       *script;          /* NULL: swaps alone */
  bool        may_be_empty;
} Group;

typedef struct {
  ParasiticsId   set;
  ParasiticsMark mark;         /* of the store, before them */
} LostPieces;

typedef struct {
  ScenarioId     scenario;
  AnnotationLost lost;
} LostAnnotation;

typedef struct {
  ModeId       mode;
  Constraints *before;         /* a copy */
  uint64_t     version;        /* after the loss */
} LostConstraints;

/* Where a component was, in the placement's units of then. */
typedef struct {
  Point   place;
  int32_t units;
  uint8_t orient, status, flags;
  bool    made;                /* there was none */
} LostPlace;

typedef struct {
  char    *name;
  uint32_t groups;             /* how many edits there were */
} Mark;

struct Edits {
  Netlist     *n;
  ScenarioSet *scenarios;
  Log         *log;
  const TimerShare *share;
  EditObserver observer;
  ARRAY(Step) steps;
  ARRAY(Group) groups;
  ARRAY(Mark) marks;           /* by ascending groups */
  /* what steps keep, in their order */
  ARRAY(NetShape) shapes;
  ARRAY(NetJoins) joins;
  Parasitics *pieces;          /* holds copies of dropped pieces */
  ARRAY(LostPieces) lost_pieces;
  ARRAY(LostAnnotation) lost_annotations;
  ARRAY(LostConstraints) lost_constraints;
  ARRAY(LostPlace) lost_places;
  Placement *placement;        /* of the last places; not owned */
  uint32_t forgotten_places;   /* how many of the first lost places are of placements that are
                                  gone */
  AnnotationsLost forgotten;   /* by the step at work */
  Map *alike;                  /* hash_pair of two library cells -> netlist_alike_pins; NULL: no
                                  swap yet */
  bool undoing;                /* steps are not kept */
  bool keeps_parasitics;
};

Edits *edits_new(Netlist *n, ScenarioSet *scenarios, Log *log)
{
  Edits *edits = mem_alloc_zero(1, sizeof *edits);
  edits->n = n;
  edits->scenarios = scenarios;
  edits->log = log;
  edits->pieces = parasitics_new();
  return edits;
}

static void free_joins(NetJoins *joins)
{
  array_free(&joins->joins);
  array_free(&joins->ties);
}

static void free_kept(Edits *edits)
{
  for (uint32_t i = 0; i < edits->groups.len; i++) mem_free(edits->groups.at[i].script);
  for (uint32_t i = 0; i < edits->marks.len; i++) mem_free(edits->marks.at[i].name);
  for (uint32_t i = 0; i < edits->shapes.len; i++) array_free(&edits->shapes.at[i].segs);
  for (uint32_t i = 0; i < edits->joins.len; i++) free_joins(&edits->joins.at[i]);
  for (uint32_t i = 0; i < edits->lost_constraints.len; i++)
    constraints_free(edits->lost_constraints.at[i].before);
}

void edits_free(Edits *edits)
{
  if (edits == NULL) return;
  free_kept(edits);
  array_free(&edits->steps);
  array_free(&edits->groups);
  array_free(&edits->marks);
  array_free(&edits->shapes);
  array_free(&edits->joins);
  array_free(&edits->lost_pieces);
  array_free(&edits->lost_annotations);
  array_free(&edits->lost_constraints);
  array_free(&edits->lost_places);
  array_free(&edits->forgotten);
  map_free(edits->alike);
  parasitics_free(edits->pieces);
  mem_free(edits);
}

#define BYTES(a) ((size_t)(a).cap * sizeof *(a).at)

size_t edits_bytes(const Edits *edits)
{
  return sizeof *edits + BYTES(edits->steps) + BYTES(edits->groups) + BYTES(edits->lost_pieces)
         + BYTES(edits->lost_annotations) + BYTES(edits->lost_places)
         + parasitics_bytes(edits->pieces);
}

void edits_use_timers(Edits *edits, const TimerShare *share) { edits->share = share; }

void edits_observe(Edits *edits, const EditObserver *observer)
{
  edits->observer = observer ? *observer : (EditObserver){ 0 };
}

static void tell_of_net(const Edits *edits, NetId net)
{
  if (net != NO_NET) edits->observer.net_changed(edits->observer.data, net);
}

/* Of steps that were made or taken back: the nets are those of now. */
static void tell_observer(const Edits *edits, const Step *steps, uint32_t count)
{
  if (edits->observer.data == NULL) return;
  for (uint32_t i = 0; i < count; i++) {
    const Step *step = &steps[i];
    if (step->kind == STEP_SWAP) edits->observer.cell_swapped(edits->observer.data, step->id);
    if (step->kind == STEP_PLACE) edits->observer.cell_placed(edits->observer.data, step->id);
    if (step->kind == STEP_DISCONNECT) tell_of_net(edits, edits->n->segs.at[step->was].net);
    if (step->kind != STEP_CONNECT && step->kind != STEP_DISCONNECT) continue;
    SegId inner = netlist_inner_seg(edits->n, step->id);
    tell_of_net(edits, netlist_pin_net(edits->n, step->id));
    if (inner != NO_SEG) tell_of_net(edits, edits->n->segs.at[inner].net);
  }
}

static void keep_step(Edits *edits, StepKind kind, uint32_t id, uint32_t was, uint32_t more)
{
  if (!edits->undoing) array_push(&edits->steps, (Step){ kind, id, was, more });
}

/* --- timers ----------------------------------------------------------------------------------- */
static uint32_t timer_count(const Edits *edits)
{
  return edits->share ? edits->share->timers.len : 0;
}

void edit_touch_net(Edits *edits, NetId net)
{
  for (uint32_t i = 0; net != NO_NET && i < timer_count(edits); i++)
    timer_touch_net(edits->share->timers.at[i], net);
}

/* --- parasitics ------------------------------------------------------------------------------- */
static Parasitics *set_of(const Edits *edits, ParasiticsId set)
{
  return edits->scenarios->parasitics.at[set].data;
}

bool edit_has_parasitics(const Edits *edits, NetId net)
{
  for (ParasiticsId p = 0; net != NO_NET && p < edits->scenarios->parasitics.len; p++)
    if (set_of(edits, p) && parasitics_has(set_of(edits, p), net)) return true;
  return false;
}

static void copy_piece(Parasitics *to, const Netlist *n, const Parasitics *from, PieceId piece)
{
  const RcPiece *rc_piece = &from->pieces.at[piece];
  parasitics_append(to, n, rc_piece->seg, from->nodes.at + rc_piece->first_node,
                    rc_piece->node_count, array_from(&from->taps, rc_piece->first_tap),
                    rc_piece->tap_count, rc_piece->flags & ~(uint32_t)PIECE_DELETED,
                    rc_piece->numbers);
  for (uint32_t i = 0; i < from->reduced.len && rc_piece->flags & PIECE_REDUCED; i++) {
    const RcReduced *reduced = &from->reduced.at[i];
    if (reduced->piece == piece)
      parasitics_append_reduced(to, *reduced, array_from(&from->elmores, reduced->first_elmore),
                                reduced->elmore_count);
  }
}

void edit_drop_parasitics_of(Edits *edits, ParasiticsId set, NetId net)
{
  Parasitics *parasitics = set_of(edits, set);
  if (parasitics == NULL || net == NO_NET || !parasitics_has(parasitics, net)) return;
  edit_touch_net(edits, net);
  if (!edits->undoing) {
    array_push(&edits->lost_pieces, (LostPieces){ set, parasitics_begin(edits->pieces) });
    for (PieceId piece = parasitics->net_piece.at[net]; piece != NO_PIECE;
         piece = parasitics->pieces.at[piece].next)
      copy_piece(edits->pieces, edits->n, parasitics, piece);
    keep_step(edits, STEP_DROP_PIECES, 0, 0, 0);
  }
  parasitics_remove_net(parasitics, edits->n, net);
}

void edit_drop_parasitics(Edits *edits, NetId net)
{
  for (ParasiticsId p = 0; p < edits->scenarios->parasitics.len; p++)
    edit_drop_parasitics_of(edits, p, net);
}

static void drop_unless_kept(Edits *edits, NetId net)
{
  if (!edits->keeps_parasitics) edit_drop_parasitics(edits, net);
}

void edit_keep_parasitics(Edits *edits, bool keep) { edits->keeps_parasitics = keep; }

void edit_add_piece(Edits *edits, ParasiticsId set, const EditPiece *piece)
{
  parasitics_add(set_of(edits, set), edits->n, piece->seg, piece->nodes, piece->node_count,
                 piece->taps, piece->tap_count, piece->flags, piece->numbers);
  keep_step(edits, STEP_ADD_PIECE, piece->seg, set, 0);
  edit_touch_net(edits, edits->n->segs.at[piece->seg].net);
}

/* Those of [from, to) in the store that a loss holds. */
static uint32_t lost_end(const Edits *edits, uint32_t lost)
{
  return lost + 1 < edits->lost_pieces.len ? edits->lost_pieces.at[lost + 1].mark.pieces
                                           : edits->pieces->pieces.len;
}

static void rename_taps(Parasitics *parasitics, uint32_t first_tap, const PieceChange *change)
{
  for (uint32_t i = first_tap; i < parasitics->taps.len; i++)
    if (parasitics->taps.at[i].pin == change->from) parasitics->taps.at[i].pin = change->to;
}

static void rename_reduced(Parasitics *parasitics, const ParasiticsMark *mark,
                           const PieceChange *change)
{
  for (uint32_t i = mark->reduced; i < parasitics->reduced.len; i++)
    if (parasitics->reduced.at[i].driver == change->from)
      parasitics->reduced.at[i].driver = change->to;
  for (uint32_t i = mark->elmores; i < parasitics->elmores.len; i++)
    if (parasitics->elmores.at[i].pin == change->from) parasitics->elmores.at[i].pin = change->to;
}

/* Copies a piece with the change: once to see its pins renamed, as appending sorts them. */
static void copy_changed(Edits *edits, Parasitics *to, PieceId piece, const PieceChange *change)
{
  Parasitics *changed = parasitics_new();
  ParasiticsMark mark = parasitics_begin(changed);
  copy_piece(changed, edits->n, edits->pieces, piece);
  rename_taps(changed, mark.taps, change);
  rename_reduced(changed, &mark, change);
  if (changed->pieces.at[0].seg == change->seg) changed->pieces.at[0].seg = change->as;
  copy_piece(to, edits->n, changed, 0);
  parasitics_free(changed);
}

void edit_put_back_pieces(Edits *edits, ParasiticsId set, const PieceChange *change)
{
  Parasitics *to = set_of(edits, set);
  uint32_t lost = edits->lost_pieces.len;
  while (lost > 0 && edits->lost_pieces.at[lost - 1].set != set) lost--;
  if (to == NULL || lost-- == 0) return;
  ParasiticsMark mark = parasitics_begin(to);
  uint32_t end = lost_end(edits, lost);
  for (PieceId piece = edits->lost_pieces.at[lost].mark.pieces; piece < end; piece++)
    copy_changed(edits, to, piece, change);
  uint32_t count = to->pieces.len - mark.pieces;
  ARRAY(SegId) segs = { 0 };
  for (uint32_t i = 0; i < count; i++) array_push(&segs, to->pieces.at[mark.pieces + i].seg);
  parasitics_commit(to, edits->n, &mark);
  for (uint32_t i = 0; i < segs.len; i++) {
    keep_step(edits, STEP_ADD_PIECE, segs.at[i], set, 0);
    edit_touch_net(edits, edits->n->segs.at[segs.at[i]].net);
  }
  array_free(&segs);
}

/* The pieces that were dropped last, with the net as it was then. */
static void restore_pieces(Edits *edits)
{
  LostPieces lost = edits->lost_pieces.at[--edits->lost_pieces.len];
  Parasitics *to = set_of(edits, lost.set);
  if (to && edits->pieces->pieces.len > lost.mark.pieces) {
    NetId net = edits->n->segs.at[edits->pieces->pieces.at[lost.mark.pieces].seg].net;
    edit_drop_parasitics_of(edits, lost.set, net);
    ParasiticsMark mark = parasitics_begin(to);
    for (PieceId piece = lost.mark.pieces; piece < edits->pieces->pieces.len; piece++)
      copy_piece(to, edits->n, edits->pieces, piece);
    parasitics_commit(to, edits->n, &mark);
    edit_touch_net(edits, net);
  }
  parasitics_rollback(edits->pieces, &lost.mark);
}

/* --- annotation ------------------------------------------------------------------------------- */
typedef void (*Forget)(Annotations *annotations, const Netlist *n, uint32_t of, CellId cell);

static void forget_cell(Annotations *annotations, const Netlist *n, uint32_t inst, CellId cell)
{
  annotations_forget_cell(annotations, n, inst, cell);
}
static void forget_wires(Annotations *annotations, const Netlist *n, uint32_t pin, CellId unused)
{
  (void)unused;
  annotations_forget_wires(annotations, n, pin);
}
static void forget_net(Annotations *annotations, const Netlist *n, uint32_t net, CellId unused)
{
  (void)unused;
  annotations_forget_net(annotations, n, net);
}

/* An edit is one in all scenarios. */
static void forget_annotation(Edits *edits, Forget forget, uint32_t of, CellId cell)
{
  for (ScenarioId s = 0; s < edits->scenarios->scenarios.len; s++) {
    Annotations *annotations = edits->scenarios->scenarios.at[s].annotations;
    if (annotations == NULL) continue;
    array_clear(&edits->forgotten);
    annotations->lost = &edits->forgotten;
    forget(annotations, edits->n, of, cell);
    annotations->lost = NULL;
    for (uint32_t i = 0; i < edits->forgotten.len && !edits->undoing; i++) {
      array_push(&edits->lost_annotations, (LostAnnotation){ s, edits->forgotten.at[i] });
      keep_step(edits, STEP_ANNOTATION, 0, 0, 0);
    }
  }
}

static void restore_annotation(Edits *edits)
{
  LostAnnotation l = edits->lost_annotations.at[--edits->lost_annotations.len];
  Annotations *annotations = edits->scenarios->scenarios.at[l.scenario].annotations;
  if (annotations) annotations_put_back(annotations, &l.lost);
}

/* --- constraints ------------------------------------------------------------------------------ */
static void tell_clocks(Edits *edits, const Constraints *c, const ClockArray *gone)
{
  for (uint32_t i = 0; i < gone->len; i++)
    log_warning(edits->log, "SDC-086", NOWHERE,
                "the generated clock %s is deleted: its source was removed",
                names_text(edits->n->names, c->clocks.at[gone->at[i]].name));
}

static void forget_pins(Edits *edits, PinId first, uint32_t count)
{
  for (ModeId m = 0; m < edits->scenarios->modes.len; m++) {
    Constraints *c = edits->scenarios->modes.at[m].constraints;
    if (c == NULL || !constraints_would_forget(c, first, count)) continue;
    ClockArray gone = { 0 };
    Constraints *before = edits->undoing ? NULL : constraints_copy(c);
    constraints_forget_pins(c, first, count, &gone);
    tell_clocks(edits, c, &gone);
    array_free(&gone);
    if (before == NULL) continue;
    array_push(&edits->lost_constraints, (LostConstraints){ m, before, c->version });
    keep_step(edits, STEP_CONSTRAINTS, 0, 0, 0);
  }
}

static void restore_constraints(Edits *edits)
{
  LostConstraints l = edits->lost_constraints.at[--edits->lost_constraints.len];
  Constraints *c = edits->scenarios->modes.at[l.mode].constraints;
  if (c && c->version == l.version) {
    constraints_restore(c, l.before);
    return;
  }
  log_warning(edits->log, "NET-020", NOWHERE,
              "what the constraints of mode %s said of a removed cell's pins does not come back: "
              "they were changed since",
              names_text(edits->n->names, edits->scenarios->modes.at[l.mode].name));
  constraints_free(l.before);
}

/* --- cells ------------------------------------------------------------------------------------ */
static uint32_t alike_pins(Edits *edits, CellId from, CellId to)
{
  if (edits->alike == NULL) edits->alike = map_new();
  uint32_t pins = map_get(edits->alike, hash_pair(from, to));
  if (pins != MAP_NO_VALUE) return pins;
  pins = netlist_alike_pins(edits->n->libs, from, to);
  map_put(edits->alike, hash_pair(from, to), pins);
  return pins;
}

/* Is it a swap that needs no look at the pins? */
static bool is_alike(Edits *edits, InstId inst, CellId to)
{
  const Inst *cell = &edits->n->insts.at[inst];
  if (!inst_is_leaf(edits->n, inst) || cell->flags & INST_DELETED) return false;
  return cell->pin_count && cell->pin_count == alike_pins(edits, cell->master, to);
}

static Status swap(Edits *edits, InstId inst, CellId to)
{
  CellId old = netlist_inst_cell(edits->n, inst);
  if (is_alike(edits, inst, to)) netlist_swap_alike(edits->n, inst, to);
  else if (netlist_swap_cell(edits->n, inst, to, edits->log) != OK) return FAILED;
  for (uint32_t i = 0; i < timer_count(edits); i++)
    timer_cell_swapped(edits->share->timers.at[i], inst, old);
  return OK;
}

static Status may_swap(Edits *edits, InstId inst, CellId to)
{
  return is_alike(edits, inst, to) ? OK : netlist_may_swap_cell(edits->n, inst, to, edits->log);
}

Status edit_swap(Edits *edits, InstId inst, CellId to)
{
  CellId old = netlist_inst_cell(edits->n, inst);
  if (old == to) return may_swap(edits, inst, to);
  if (swap(edits, inst, to) != OK) return FAILED;
  keep_step(edits, STEP_SWAP, inst, old, to);
  forget_annotation(edits, forget_cell, inst, old);
  return OK;
}

/* --- many swaps ------------------------------------------------------------------------------- */
static int thread_count(const Edits *edits)
{
  return timer_count(edits) ? timer_threads(edits->share->timers.at[0]) : processors_usable();
}

static SwapBatch batch_of(const Edits *edits, const EditSwap *swaps, uint32_t count)
{
  return (SwapBatch){ .n = edits->n,
                      .alike = edits->alike,
                      .swaps = swaps,
                      .count = count,
                      .done = mem_alloc(sizeof(SwapDone) * ((size_t)count + 1)) };
}

Status edits_may_swap(Edits *edits, const EditSwap *swaps, uint32_t count)
{
  SwapBatch b = batch_of(edits, swaps, count);
  Status status = OK;
  swap_batch_look(&b, count < SWAP_BATCH_LEAST ? 1 : thread_count(edits));
  for (uint32_t i = 0; i < count && status == OK; i++)
    if (interrupt_seen()
        || (b.done[i].state == SWAP_LEFT && may_swap(edits, swaps[i].inst, swaps[i].to) != OK))
      status = FAILED;
  mem_free(b.done);
  return status;
}

/* stops: after an interrupt. */
static Status swap_each(Edits *edits, const EditSwap *swaps, uint32_t count, bool stops)
{
  for (uint32_t i = 0; i < count; i++)
    if ((stops && interrupt_seen()) || edit_swap(edits, swaps[i].inst, swaps[i].to) != OK)
      return FAILED;
  return OK;
}

/* Timers mostly share their graph. Returns false if they have too many graphs. */
static bool find_graphs(const Edits *edits, SwapBatch *batch)
{
  for (uint32_t i = 0; i < timer_count(edits); i++) {
    Graph *g = timer_swap_graph(edits->share->timers.at[i]);
    uint32_t at = 0;
    while (at < batch->graph_count && batch->graphs[at] != g) at++;
    if (g == NULL || at < batch->graph_count) continue;
    if (at == SWAP_BATCH_GRAPHS) return false;
    batch->graphs[batch->graph_count++] = g;
  }
  return true;
}

/* Swaps of annotated cells drop annotation, each as a step of its own. */
static bool any_annotation(const Edits *edits)
{
  for (ScenarioId s = 0; s < edits->scenarios->scenarios.len; s++)
    if (edits->scenarios->scenarios.at[s].annotations) return true;
  return false;
}

/* Returns true if a graph has all swaps that were made. */
static bool finish_graph(const SwapBatch *batch, uint32_t g)
{
  bool all = true;
  for (uint32_t i = 0; i < batch->count && all; i++)
    if (batch->done[i].state == SWAP_MADE && !(batch->done[i].graphs >> g & 1))
      all = graph_swap_cell(batch->graphs[g], batch->swaps[i].inst, batch->done[i].old);
  return all;
}

static void tell_timers(const Edits *edits, const SwapBatch *batch)
{
  for (uint32_t g = 0; g < batch->graph_count; g++) {
    bool all = finish_graph(batch, g);
    for (uint32_t i = 0; i < timer_count(edits) && all; i++)
      timer_graph_swapped(edits->share->timers.at[i], batch->graphs[g]);
  }
  for (uint32_t i = 0; i < timer_count(edits); i++)
    for (uint32_t k = 0; k < batch->count; k++)
      if (batch->done[k].state == SWAP_MADE)
        timer_touch_pins(edits->share->timers.at[i], batch->done[k].first_pin,
                         batch->done[k].pin_count);
}

/* Keeps the steps in the order of the swaps. All that were made are kept, so that they can be taken
   back. */
static Status keep_swaps(Edits *edits, const SwapBatch *batch, bool stops)
{
  Status status = OK;
  for (uint32_t i = 0; i < batch->count; i++) {
    const EditSwap *swap = &batch->swaps[i];
    if (batch->done[i].state == SWAP_MADE)
      keep_step(edits, STEP_SWAP, swap->inst, batch->done[i].old, swap->to);
    if (batch->done[i].state == SWAP_LEFT && status == OK)
      status = stops && interrupt_seen() ? FAILED : edit_swap(edits, swap->inst, swap->to);
  }
  return status;
}

/* Threads make only swaps between library cells that were compared before. */
static void compare_cells(Edits *edits, SwapBatch *batch)
{
  swap_batch_look(batch, thread_count(edits));
  for (uint32_t i = 0; i < batch->count; i++) {
    if (batch->done[i].state != SWAP_LEFT) continue;
    is_alike(edits, batch->swaps[i].inst, batch->swaps[i].to);
    for (uint32_t g = 0; g < batch->graph_count; g++)
      graph_may_swap_cell(batch->graphs[g], batch->swaps[i].inst, batch->swaps[i].to);
  }
  batch->alike = edits->alike;
}

static Status make_batch(Edits *edits, SwapBatch *batch, bool stops)
{
  if (!stops) compare_cells(edits, batch);      /* otherwise edits_may_swap has done it */
  swap_batch_make(batch, thread_count(edits));
  for (uint32_t i = 0; i < batch->count; i++)
    edits->n->edit_count += batch->done[i].state == SWAP_MADE;
  tell_timers(edits, batch);
  return keep_swaps(edits, batch, stops);
}

static Status make_swaps(Edits *edits, const EditSwap *swaps, uint32_t count, bool stops)
{
  SwapBatch b = batch_of(edits, swaps, count);
  bool shared = count >= SWAP_BATCH_LEAST && !any_annotation(edits) && find_graphs(edits, &b);
  Status status = shared ? make_batch(edits, &b, stops) : swap_each(edits, swaps, count, stops);
  mem_free(b.done);
  return status;
}

Status edit_swaps(Edits *edits, const EditSwap *swaps, uint32_t count)
{
  return make_swaps(edits, swaps, count, true);
}

void edit_all_swaps(Edits *edits, const EditSwap *swaps, uint32_t count)
{
  make_swaps(edits, swaps, count, false);
}

Status edit_insert_inst(Edits *edits, InstId scope, const char *name, CellId cell, InstId *made)
{
  if (netlist_insert_inst(edits->n, scope, name, cell, edits->log, made) != OK) return FAILED;
  keep_step(edits, STEP_INSERT_INST, *made, 0, 0);
  return OK;
}

/* Pins are off their nets before the cell goes, each a step of its own. */
static Status disconnect_pins(Edits *edits, InstId inst)
{
  const Inst *in = &edits->n->insts.at[inst];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++)
    if (edits->n->pins.at[p].seg != NO_SEG && edit_disconnect(edits, p) != OK) return FAILED;
  return OK;
}

Status edit_remove_inst(Edits *edits, InstId inst)
{
  if (netlist_may_remove_inst(edits->n, inst, edits->log) != OK) return FAILED;
  const Inst in = edits->n->insts.at[inst];
  if (disconnect_pins(edits, inst) != OK) return FAILED;
  forget_annotation(edits, forget_cell, inst, netlist_inst_cell(edits->n, inst));
  if (netlist_remove_inst(edits->n, inst, edits->log) != OK) return FAILED;
  keep_step(edits, STEP_REMOVE_INST, inst, 0, 0);
  forget_pins(edits, in.first_pin, in.pin_count);
  return OK;
}

/* --- nets ------------------------------------------------------------------------------------- */
static void keep_shape(Edits *edits, NetId net)
{
  if (edits->undoing || net == NO_NET) return;
  array_push(&edits->shapes, netlist_net_shape(edits->n, net));
  keep_step(edits, STEP_SHAPE, 0, 0, 0);
}

static void restore_shape(Edits *edits)
{
  NetShape shape = edits->shapes.at[--edits->shapes.len];
  netlist_restore_shape(edits->n, &shape);
  array_free(&shape.segs);
}

Status edit_insert_net(Edits *edits, InstId scope, const char *name, SegId *made)
{
  if (netlist_insert_net(edits->n, scope, name, edits->log, made) != OK) return FAILED;
  keep_step(edits, STEP_INSERT_NET, *made, 0, 0);
  return OK;
}

static void keep_joins(Edits *edits, SegId seg)
{
  if (!netlist_seg_is_joined(edits->n, seg)) return;
  array_push(&edits->joins, netlist_copy_joins(edits->n));
  keep_step(edits, STEP_JOINS, 0, 0, 0);
}

static void restore_joins(Edits *edits)
{
  NetJoins joins = edits->joins.at[--edits->joins.len];
  netlist_restore_joins(edits->n, &joins);
  free_joins(&joins);
}

Status edit_remove_net(Edits *edits, SegId seg)
{
  if (netlist_may_remove_net(edits->n, seg, edits->log) != OK) return FAILED;
  NetId net = edits->n->segs.at[seg].net;
  drop_unless_kept(edits, net);
  forget_annotation(edits, forget_net, net, NO_CELL);
  while (edits->n->segs.at[seg].first_pin != NO_PIN)
    if (edit_disconnect(edits, edits->n->segs.at[seg].first_pin) != OK) return FAILED;
  keep_shape(edits, edits->n->segs.at[seg].net);
  keep_joins(edits, seg);
  if (netlist_remove_net(edits->n, seg, edits->log) != OK) return FAILED;
  keep_step(edits, STEP_REMOVE_NET, seg, 0, 0);
  return OK;
}

/* The net inside of a hierarchical pin; NO_NET. */
static NetId inner_net(const Edits *edits, PinId pin)
{
  SegId inner = netlist_inner_seg(edits->n, pin);
  return inner == NO_SEG ? NO_NET : edits->n->segs.at[inner].net;
}

Status edit_connect(Edits *edits, PinId pin, SegId seg)
{
  /* a hierarchical pin joins two nets; both are found by their numbers of before */
  NetId inside = inner_net(edits, pin), outside = edits->n->segs.at[seg].net;
  if (netlist_may_connect(edits->n, pin, seg, edits->log) != OK) return FAILED;
  drop_unless_kept(edits, inside);
  drop_unless_kept(edits, outside);
  if (inside != NO_NET) keep_shape(edits, outside);
  if (inside != NO_NET) keep_shape(edits, inside);
  if (netlist_connect(edits->n, pin, seg, edits->log) != OK) return FAILED;
  keep_step(edits, STEP_CONNECT, pin, 0, 0);
  return OK;
}

Status edit_disconnect(Edits *edits, PinId pin)
{
  SegId seg = edits->n->pins.at[pin].seg;
  if (seg == NO_SEG) return netlist_disconnect(edits->n, pin, edits->log);
  NetId net = edits->n->segs.at[seg].net;
  forget_annotation(edits, forget_wires, pin, NO_CELL);
  drop_unless_kept(edits, net);
  if (inner_net(edits, pin) != NO_NET) keep_shape(edits, net);
  PinId before = netlist_pin_before(edits->n, pin);
  if (netlist_disconnect(edits->n, pin, edits->log) != OK) return FAILED;
  keep_step(edits, STEP_DISCONNECT, pin, seg, before);
  return OK;
}

/* --- places ----------------------------------------------------------------------------------- */
void edit_place(Edits *edits, Placement *placement, InstId inst, const EditPlace *to)
{
  ComponentId id = placement_component_of(placement, inst);
  LostPlace lost = { .units = placement->physical->units, .made = id == NO_COMPONENT };
  if (lost.made) id = placement_add_component(placement, inst);
  const Component *component = &placement->components.at[id];
  lost.place = component->place;
  lost.orient = component->orient;
  lost.status = component->status;
  lost.flags = component->flags;
  edits->placement = placement;
  array_push(&edits->lost_places, lost);
  keep_step(edits, STEP_PLACE, inst, 0, 0);
  placement_move(placement, id, to->at, to->orient, to->status);
}

void edits_forget_places(Edits *edits)
{
  edits->placement = NULL;
  edits->forgotten_places = edits->lost_places.len;
}

static void tell_forgotten_place(Edits *edits, InstId inst)
{
  Text name = { 0 };
  netlist_inst_name(edits->n, inst, '/', &name);
  log_warning(edits->log, "EDIT-057", NOWHERE,
              "%.200s does not move back: another placement was read since", text_get(&name));
  text_free(&name);
}

/* LEF may have brought other units since. */
static void restore_place(Edits *edits, InstId inst)
{
  LostPlace lost = edits->lost_places.at[--edits->lost_places.len];
  bool forgotten = edits->lost_places.len < edits->forgotten_places;
  Placement *placement = forgotten ? NULL : edits->placement;
  ComponentId id = placement_component_of(placement, inst);
  if (forgotten) edits->forgotten_places = edits->lost_places.len;
  if (placement == NULL || id == NO_COMPONENT) {
    tell_forgotten_place(edits, inst);
    return;
  }
  if (lost.made) {
    placement_remove_last(placement);
    return;
  }
  int64_t units = placement->physical->units;
  Point place = { (int32_t)(lost.place.x * units / lost.units),
                  (int32_t)(lost.place.y * units / lost.units) };
  placement_move(placement, id, place, (Orient)lost.orient, (PlaceStatus)lost.status);
  placement->components.at[id].flags = lost.flags;
}

/* --- names ------------------------------------------------------------------------------------ */
static void keep_parted(Edits *edits, const NameId *names, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (edits->n->shared_names == NULL || map_get(edits->n->shared_names, names[i]) == MAP_NO_VALUE)
      keep_step(edits, STEP_PART_NAME, names[i], 0, 0);
}

typedef ARRAY(NameId) NameList;

static void add_scopes(const Netlist *n, InstId inst, NameList *names)
{
  for (; inst != TOP_INST && inst != NO_INST; inst = n->insts.at[inst].parent)
    array_push(names, n->insts.at[inst].name);
}

void edit_part_insts(Edits *edits, InstId a, InstId b)
{
  NameList names = { 0 };
  add_scopes(edits->n, a, &names);
  add_scopes(edits->n, b, &names);
  keep_parted(edits, names.at, names.len);
  array_free(&names);
  netlist_part_insts(edits->n, a, b);
}

void edit_part_segs(Edits *edits, SegId a, SegId b)
{
  NameList names = { 0 };
  array_push(&names, edits->n->segs.at[a].name);
  array_push(&names, edits->n->segs.at[b].name);
  add_scopes(edits->n, edits->n->segs.at[a].scope, &names);
  add_scopes(edits->n, edits->n->segs.at[b].scope, &names);
  keep_parted(edits, names.at, names.len);
  array_free(&names);
  netlist_part_segs(edits->n, a, b);
}

/* --- taking steps back ------------------------------------------------------------------------ */
static void undo_insert_inst(Edits *edits, InstId inst)
{
  const Inst in = edits->n->insts.at[inst];
  disconnect_pins(edits, inst);
  forget_annotation(edits, forget_cell, inst, netlist_inst_cell(edits->n, inst));
  netlist_remove_inst(edits->n, inst, edits->log);
  forget_pins(edits, in.first_pin, in.pin_count);
}

static void undo_disconnect(Edits *edits, const Step *step)
{
  NetId inside = inner_net(edits, step->id);
  edit_drop_parasitics(edits, edits->n->segs.at[step->was].net);
  edit_drop_parasitics(edits, inside);
  netlist_attach_behind(edits->n, step->id, step->was, step->more);
}

static void undo_step(Edits *edits, const Step *step)
{
  switch ((StepKind)step->kind) {
  case STEP_SWAP:
    swap(edits, step->id, step->was);
    forget_annotation(edits, forget_cell, step->id, step->more);
    break;
  case STEP_INSERT_INST: undo_insert_inst(edits, step->id); break;
  case STEP_REMOVE_INST: netlist_revive_inst(edits->n, step->id); break;
  case STEP_INSERT_NET:  edit_remove_net(edits, step->id); break;
  case STEP_REMOVE_NET:  netlist_revive_seg(edits->n, step->id); break;
  case STEP_CONNECT:     edit_disconnect(edits, step->id); break;
  case STEP_DISCONNECT:  undo_disconnect(edits, step); break;
  case STEP_PLACE:       restore_place(edits, step->id); break;
  case STEP_SHAPE:       restore_shape(edits); break;
  case STEP_JOINS:       restore_joins(edits); break;
  case STEP_DROP_PIECES: restore_pieces(edits); break;
  case STEP_ADD_PIECE:
    edit_drop_parasitics_of(edits, step->was, edits->n->segs.at[step->id].net);
    break;
  case STEP_ANNOTATION:  restore_annotation(edits); break;
  case STEP_CONSTRAINTS: restore_constraints(edits); break;
  case STEP_PART_NAME:
    if (edits->n->shared_names) map_remove(edits->n->shared_names, step->id);
    break;
  }
}

/* Steps back to a number of them.  Parasitics are restored by steps of their own. */
static void undo_to(Edits *edits, uint32_t steps)
{
  edits->undoing = true;
  edits->keeps_parasitics = false;
  while (edits->steps.len > steps) {
    Step s = edits->steps.at[--edits->steps.len];
    undo_step(edits, &s);
  }
  edits->undoing = false;
}

/* --- edits ------------------------------------------------------------------------------------ */
void edits_begin(Edits *edits, const char *command)
{
  array_push(&edits->groups, (Group){ edits->steps.len, command, NULL, false });
}

static bool are_swaps(const Step *steps, uint32_t count)
{
  uint32_t i = 0;
  while (i < count && steps[i].kind == STEP_SWAP) i++;
  return i == count;
}

/* Returns how many are left, in the order of each cell's first swap. */
static uint32_t merge_swaps(Step *steps, uint32_t count, uint32_t insts)
{
  uint32_t *place = mem_alloc_zero((size_t)insts + 1, sizeof *place), merged = 0, left = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *at = &place[steps[i].id];
    if (*at) {
      steps[*at - 1].more = steps[i].more;
    } else {
      steps[merged++] = steps[i];
      *at = merged;
    }
  }
  mem_free(place);
  for (uint32_t i = 0; i < merged; i++)
    if (steps[i].was != steps[i].more) steps[left++] = steps[i];
  return left;
}

void edits_merge_swaps(Edits *edits)
{
  uint32_t first = edits->groups.at[edits->groups.len - 1].first;
  Step *steps = edits->steps.at + first;
  if (edits->steps.len > first && are_swaps(steps, edits->steps.len - first))
    edits->steps.len = first + merge_swaps(steps, edits->steps.len - first, edits->n->insts.len);
}

void edits_keep_empty(Edits *edits) { edits->groups.at[edits->groups.len - 1].may_be_empty = true; }

Status edits_end(Edits *edits, Status status, const char *script)
{
  Group *group = &edits->groups.at[edits->groups.len - 1];
  edits->keeps_parasitics = false;
  if (status != OK) undo_to(edits, group->first);
  tell_observer(edits, edits->steps.at + group->first, edits->steps.len - group->first);
  if (edits->steps.len == group->first && (status != OK || !group->may_be_empty))
    edits->groups.len--;
  else if (script) group->script = mem_text(script, strlen(script));
  return status;
}

uint32_t edits_count(const Edits *edits) { return edits->groups.len; }

static void drop_marks(Edits *edits)
{
  while (edits->marks.len && edits->marks.at[edits->marks.len - 1].groups > edits->groups.len)
    mem_free(edits->marks.at[--edits->marks.len].name);
}

void edits_undo(Edits *edits, uint32_t count)
{
  for (; count > 0 && edits->groups.len > 0; count--) {
    Group g = edits->groups.at[--edits->groups.len];
    ARRAY(Step) undone = { 0 };
    for (uint32_t i = g.first; edits->observer.data && i < edits->steps.len; i++)
      array_push(&undone, edits->steps.at[i]);
    undo_to(edits, g.first);
    tell_observer(edits, undone.at, undone.len);
    array_free(&undone);
    mem_free(g.script);
  }
  drop_marks(edits);
}

static uint32_t find_mark(const Edits *edits, const char *name)
{
  uint32_t i = 0;
  while (i < edits->marks.len && strcmp(edits->marks.at[i].name, name) != 0) i++;
  return i;
}

void edits_mark(Edits *edits, const char *name)
{
  uint32_t at = find_mark(edits, name);
  if (at < edits->marks.len) {
    mem_free(edits->marks.at[at].name);
    edits->marks.len--;
    memmove(&edits->marks.at[at], &edits->marks.at[at + 1],
            (edits->marks.len - at) * sizeof *edits->marks.at);
  }
  array_push(&edits->marks, (Mark){ mem_text(name, strlen(name)), edits->groups.len });
}

uint32_t edits_since(const Edits *edits, const char *name)
{
  uint32_t at = find_mark(edits, name);
  return at < edits->marks.len ? edits->groups.len - edits->marks.at[at].groups : UINT32_MAX;
}

uint32_t edits_mark_count(const Edits *edits) { return edits->marks.len; }
const char *edits_mark_name(const Edits *edits, uint32_t mark)
{
  return edits->marks.at[mark].name;
}

/* --- what was done ---------------------------------------------------------------------------- */
static uint32_t steps_end(const Edits *edits, uint32_t group)
{
  return group + 1 < edits->groups.len ? edits->groups.at[group + 1].first : edits->steps.len;
}

/* Swaps without another edit between them, one for each instance. */
typedef struct {
  ARRAY(EditChange) swaps;
  Map *of;                     /* instance -> its swap */
} Run;

static void add_swap(Run *run, const Step *step)
{
  uint32_t at = map_get(run->of, step->id);
  if (at != MAP_NO_VALUE) {
    run->swaps.at[at].to = step->more;
    return;
  }
  map_put(run->of, step->id, run->swaps.len);
  array_push(&run->swaps, (EditChange){ .inst = step->id, .from = step->was, .to = step->more });
}

static void end_run(Run *run, void (*visit)(void *, const EditChange *), void *data)
{
  for (uint32_t i = 0; i < run->swaps.len; i++)
    if (run->swaps.at[i].from != run->swaps.at[i].to) visit(data, &run->swaps.at[i]);
  array_clear(&run->swaps);
  map_free(run->of);
  run->of = map_new();
}

void edits_changes(const Edits *edits, uint32_t first, void (*visit)(void *, const EditChange *),
                   void *data)
{
  Run run = { .of = map_new() };
  for (uint32_t g = first; g < edits->groups.len; g++) {
    const Group *group = &edits->groups.at[g];
    if (group->script) {
      end_run(&run, visit, data);
      visit(data, &(EditChange){ NO_INST, NO_CELL, NO_CELL, group->command, group->script });
      continue;
    }
    for (uint32_t i = group->first; i < steps_end(edits, g); i++)
      if (edits->steps.at[i].kind == STEP_SWAP) add_swap(&run, &edits->steps.at[i]);
  }
  end_run(&run, visit, data);
  map_free(run.of);
  array_free(&run.swaps);
}

/* Objects that an edit swaps, makes, takes away, connects or moves. */
static uint32_t steps_that_count(const Edits *edits, uint32_t group)
{
  uint32_t count = 0;
  for (uint32_t i = edits->groups.at[group].first; i < steps_end(edits, group); i++)
    count += edits->steps.at[i].kind <= STEP_PLACE;
  return count;
}

uint32_t edits_tally(const Edits *edits, uint32_t first, EditTally rows[MOST_EDIT_COMMANDS])
{
  uint32_t count = 0;
  for (uint32_t g = first; g < edits->groups.len; g++) {
    const char *command = edits->groups.at[g].command;
    uint32_t at = 0;
    while (at < count && strcmp(rows[at].command, command) != 0) at++;
    if (at == MOST_EDIT_COMMANDS) continue;
    if (at == count) rows[count++] = (EditTally){ command, 0, 0 };
    rows[at].edits++;
    rows[at].steps += steps_that_count(edits, g);
  }
  return count;
}
