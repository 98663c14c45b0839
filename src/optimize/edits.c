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
  Edits *e = mem_alloc_zero(1, sizeof *e);
  e->n = n;
  e->scenarios = scenarios;
  e->log = log;
  e->pieces = parasitics_new();
  return e;
}

static void free_joins(NetJoins *j)
{
  array_free(&j->joins);
  array_free(&j->ties);
}

static void free_kept(Edits *e)
{
  for (uint32_t i = 0; i < e->groups.len; i++) mem_free(e->groups.at[i].script);
  for (uint32_t i = 0; i < e->marks.len; i++) mem_free(e->marks.at[i].name);
  for (uint32_t i = 0; i < e->shapes.len; i++) array_free(&e->shapes.at[i].segs);
  for (uint32_t i = 0; i < e->joins.len; i++) free_joins(&e->joins.at[i]);
  for (uint32_t i = 0; i < e->lost_constraints.len; i++)
    constraints_free(e->lost_constraints.at[i].before);
}

void edits_free(Edits *e)
{
  if (e == NULL) return;
  free_kept(e);
  array_free(&e->steps);
  array_free(&e->groups);
  array_free(&e->marks);
  array_free(&e->shapes);
  array_free(&e->joins);
  array_free(&e->lost_pieces);
  array_free(&e->lost_annotations);
  array_free(&e->lost_constraints);
  array_free(&e->lost_places);
  array_free(&e->forgotten);
  map_free(e->alike);
  parasitics_free(e->pieces);
  mem_free(e);
}

#define BYTES(a) ((size_t)(a).cap * sizeof *(a).at)

size_t edits_bytes(const Edits *e)
{
  return sizeof *e + BYTES(e->steps) + BYTES(e->groups) + BYTES(e->lost_pieces)
         + BYTES(e->lost_annotations) + BYTES(e->lost_places) + parasitics_bytes(e->pieces);
}

void edits_use_timers(Edits *e, const TimerShare *share) { e->share = share; }

void edits_observe(Edits *e, const EditObserver *o)
{
  e->observer = o ? *o : (EditObserver){ 0 };
}

static void tell_of_net(const Edits *e, NetId net)
{
  if (net != NO_NET) e->observer.net_changed(e->observer.data, net);
}

/* Of steps that were made or taken back: the nets are those of now. */
static void tell_observer(const Edits *e, const Step *steps, uint32_t count)
{
  if (e->observer.data == NULL) return;
  for (uint32_t i = 0; i < count; i++) {
    const Step *s = &steps[i];
    if (s->kind == STEP_SWAP) e->observer.cell_swapped(e->observer.data, s->id);
    if (s->kind == STEP_PLACE) e->observer.cell_placed(e->observer.data, s->id);
    if (s->kind == STEP_DISCONNECT) tell_of_net(e, e->n->segs.at[s->was].net);
    if (s->kind != STEP_CONNECT && s->kind != STEP_DISCONNECT) continue;
    SegId inner = netlist_inner_seg(e->n, s->id);
    tell_of_net(e, netlist_pin_net(e->n, s->id));
    if (inner != NO_SEG) tell_of_net(e, e->n->segs.at[inner].net);
  }
}

static void keep_step(Edits *e, StepKind kind, uint32_t id, uint32_t was, uint32_t more)
{
  if (!e->undoing) array_push(&e->steps, (Step){ kind, id, was, more });
}

/* --- timers ----------------------------------------------------------------------------------- */
static uint32_t timer_count(const Edits *e) { return e->share ? e->share->timers.len : 0; }

void edit_touch_net(Edits *e, NetId net)
{
  for (uint32_t i = 0; net != NO_NET && i < timer_count(e); i++)
    timer_touch_net(e->share->timers.at[i], net);
}

/* --- parasitics ------------------------------------------------------------------------------- */
static Parasitics *set_of(const Edits *e, ParasiticsId set)
{
  return e->scenarios->parasitics.at[set].data;
}

bool edit_has_parasitics(const Edits *e, NetId net)
{
  for (ParasiticsId p = 0; net != NO_NET && p < e->scenarios->parasitics.len; p++)
    if (set_of(e, p) && parasitics_has(set_of(e, p), net)) return true;
  return false;
}

static void copy_piece(Parasitics *to, const Netlist *n, const Parasitics *from, PieceId piece)
{
  const RcPiece *x = &from->pieces.at[piece];
  parasitics_append(to, n, x->seg, from->nodes.at + x->first_node, x->node_count,
                    array_from(&from->taps, x->first_tap), x->tap_count,
                    x->flags & ~(uint32_t)PIECE_DELETED, x->numbers);
  for (uint32_t i = 0; i < from->reduced.len && x->flags & PIECE_REDUCED; i++) {
    const RcReduced *r = &from->reduced.at[i];
    if (r->piece == piece)
      parasitics_append_reduced(to, *r, array_from(&from->elmores, r->first_elmore),
                                r->elmore_count);
  }
}

void edit_drop_parasitics_of(Edits *e, ParasiticsId set, NetId net)
{
  Parasitics *p = set_of(e, set);
  if (p == NULL || net == NO_NET || !parasitics_has(p, net)) return;
  edit_touch_net(e, net);
  if (!e->undoing) {
    array_push(&e->lost_pieces, (LostPieces){ set, parasitics_begin(e->pieces) });
    for (PieceId piece = p->net_piece.at[net]; piece != NO_PIECE; piece = p->pieces.at[piece].next)
      copy_piece(e->pieces, e->n, p, piece);
    keep_step(e, STEP_DROP_PIECES, 0, 0, 0);
  }
  parasitics_remove_net(p, e->n, net);
}

void edit_drop_parasitics(Edits *e, NetId net)
{
  for (ParasiticsId p = 0; p < e->scenarios->parasitics.len; p++)
    edit_drop_parasitics_of(e, p, net);
}

static void drop_unless_kept(Edits *e, NetId net)
{
  if (!e->keeps_parasitics) edit_drop_parasitics(e, net);
}

void edit_keep_parasitics(Edits *e, bool keep) { e->keeps_parasitics = keep; }

void edit_add_piece(Edits *e, ParasiticsId set, const EditPiece *x)
{
  parasitics_add(set_of(e, set), e->n, x->seg, x->nodes, x->node_count, x->taps, x->tap_count,
                 x->flags, x->numbers);
  keep_step(e, STEP_ADD_PIECE, x->seg, set, 0);
  edit_touch_net(e, e->n->segs.at[x->seg].net);
}

/* Those of [from, to) in the store that a loss holds. */
static uint32_t lost_end(const Edits *e, uint32_t lost)
{
  return lost + 1 < e->lost_pieces.len ? e->lost_pieces.at[lost + 1].mark.pieces
                                       : e->pieces->pieces.len;
}

static void rename_taps(Parasitics *p, uint32_t first_tap, const PieceChange *c)
{
  for (uint32_t i = first_tap; i < p->taps.len; i++)
    if (p->taps.at[i].pin == c->from) p->taps.at[i].pin = c->to;
}

static void rename_reduced(Parasitics *p, const ParasiticsMark *mark, const PieceChange *c)
{
  for (uint32_t i = mark->reduced; i < p->reduced.len; i++)
    if (p->reduced.at[i].driver == c->from) p->reduced.at[i].driver = c->to;
  for (uint32_t i = mark->elmores; i < p->elmores.len; i++)
    if (p->elmores.at[i].pin == c->from) p->elmores.at[i].pin = c->to;
}

/* Copies a piece with the change: once to see its pins renamed, as appending sorts them. */
static void copy_changed(Edits *e, Parasitics *to, PieceId piece, const PieceChange *c)
{
  Parasitics *changed = parasitics_new();
  ParasiticsMark mark = parasitics_begin(changed);
  copy_piece(changed, e->n, e->pieces, piece);
  rename_taps(changed, mark.taps, c);
  rename_reduced(changed, &mark, c);
  if (changed->pieces.at[0].seg == c->seg) changed->pieces.at[0].seg = c->as;
  copy_piece(to, e->n, changed, 0);
  parasitics_free(changed);
}

void edit_put_back_pieces(Edits *e, ParasiticsId set, const PieceChange *c)
{
  Parasitics *to = set_of(e, set);
  uint32_t lost = e->lost_pieces.len;
  while (lost > 0 && e->lost_pieces.at[lost - 1].set != set) lost--;
  if (to == NULL || lost-- == 0) return;
  ParasiticsMark mark = parasitics_begin(to);
  uint32_t end = lost_end(e, lost);
  for (PieceId piece = e->lost_pieces.at[lost].mark.pieces; piece < end; piece++)
    copy_changed(e, to, piece, c);
  uint32_t count = to->pieces.len - mark.pieces;
  ARRAY(SegId) segs = { 0 };
  for (uint32_t i = 0; i < count; i++) array_push(&segs, to->pieces.at[mark.pieces + i].seg);
  parasitics_commit(to, e->n, &mark);
  for (uint32_t i = 0; i < segs.len; i++) {
    keep_step(e, STEP_ADD_PIECE, segs.at[i], set, 0);
    edit_touch_net(e, e->n->segs.at[segs.at[i]].net);
  }
  array_free(&segs);
}

/* The pieces that were dropped last, with the net as it was then. */
static void restore_pieces(Edits *e)
{
  LostPieces lost = e->lost_pieces.at[--e->lost_pieces.len];
  Parasitics *to = set_of(e, lost.set);
  if (to && e->pieces->pieces.len > lost.mark.pieces) {
    NetId net = e->n->segs.at[e->pieces->pieces.at[lost.mark.pieces].seg].net;
    edit_drop_parasitics_of(e, lost.set, net);
    ParasiticsMark mark = parasitics_begin(to);
    for (PieceId piece = lost.mark.pieces; piece < e->pieces->pieces.len; piece++)
      copy_piece(to, e->n, e->pieces, piece);
    parasitics_commit(to, e->n, &mark);
    edit_touch_net(e, net);
  }
  parasitics_rollback(e->pieces, &lost.mark);
}

/* --- annotation ------------------------------------------------------------------------------- */
typedef void (*Forget)(Annotations *a, const Netlist *n, uint32_t of, CellId cell);

static void forget_cell(Annotations *a, const Netlist *n, uint32_t inst, CellId cell)
{
  annotations_forget_cell(a, n, inst, cell);
}
static void forget_wires(Annotations *a, const Netlist *n, uint32_t pin, CellId unused)
{
  (void)unused;
  annotations_forget_wires(a, n, pin);
}
static void forget_net(Annotations *a, const Netlist *n, uint32_t net, CellId unused)
{
  (void)unused;
  annotations_forget_net(a, n, net);
}

/* An edit is one in all scenarios. */
static void forget_annotation(Edits *e, Forget forget, uint32_t of, CellId cell)
{
  for (ScenarioId s = 0; s < e->scenarios->scenarios.len; s++) {
    Annotations *a = e->scenarios->scenarios.at[s].annotations;
    if (a == NULL) continue;
    array_clear(&e->forgotten);
    a->lost = &e->forgotten;
    forget(a, e->n, of, cell);
    a->lost = NULL;
    for (uint32_t i = 0; i < e->forgotten.len && !e->undoing; i++) {
      array_push(&e->lost_annotations, (LostAnnotation){ s, e->forgotten.at[i] });
      keep_step(e, STEP_ANNOTATION, 0, 0, 0);
    }
  }
}

static void restore_annotation(Edits *e)
{
  LostAnnotation l = e->lost_annotations.at[--e->lost_annotations.len];
  Annotations *a = e->scenarios->scenarios.at[l.scenario].annotations;
  if (a) annotations_put_back(a, &l.lost);
}

/* --- constraints ------------------------------------------------------------------------------ */
static void tell_clocks(Edits *e, const Constraints *c, const ClockArray *gone)
{
  for (uint32_t i = 0; i < gone->len; i++)
    log_warning(e->log, "SDC-086", NOWHERE,
                "the generated clock %s is deleted: its source was removed",
                names_text(e->n->names, c->clocks.at[gone->at[i]].name));
}

static void forget_pins(Edits *e, PinId first, uint32_t count)
{
  for (ModeId m = 0; m < e->scenarios->modes.len; m++) {
    Constraints *c = e->scenarios->modes.at[m].constraints;
    if (c == NULL || !constraints_would_forget(c, first, count)) continue;
    ClockArray gone = { 0 };
    Constraints *before = e->undoing ? NULL : constraints_copy(c);
    constraints_forget_pins(c, first, count, &gone);
    tell_clocks(e, c, &gone);
    array_free(&gone);
    if (before == NULL) continue;
    array_push(&e->lost_constraints, (LostConstraints){ m, before, c->version });
    keep_step(e, STEP_CONSTRAINTS, 0, 0, 0);
  }
}

static void restore_constraints(Edits *e)
{
  LostConstraints l = e->lost_constraints.at[--e->lost_constraints.len];
  Constraints *c = e->scenarios->modes.at[l.mode].constraints;
  if (c && c->version == l.version) {
    constraints_restore(c, l.before);
    return;
  }
  log_warning(e->log, "NET-020", NOWHERE,
              "what the constraints of mode %s said of a removed cell's pins does not come back: "
              "they were changed since", names_text(e->n->names,
                                                    e->scenarios->modes.at[l.mode].name));
  constraints_free(l.before);
}

/* --- cells ------------------------------------------------------------------------------------ */
static uint32_t alike_pins(Edits *e, CellId from, CellId to)
{
  if (e->alike == NULL) e->alike = map_new();
  uint32_t pins = map_get(e->alike, hash_pair(from, to));
  if (pins != MAP_NO_VALUE) return pins;
  pins = netlist_alike_pins(e->n->libs, from, to);
  map_put(e->alike, hash_pair(from, to), pins);
  return pins;
}

/* Is it a swap that needs no look at the pins? */
static bool is_alike(Edits *e, InstId inst, CellId to)
{
  const Inst *i = &e->n->insts.at[inst];
  if (!inst_is_leaf(e->n, inst) || i->flags & INST_DELETED) return false;
  return i->pin_count && i->pin_count == alike_pins(e, i->master, to);
}

static Status swap(Edits *e, InstId inst, CellId to)
{
  CellId old = netlist_inst_cell(e->n, inst);
  if (is_alike(e, inst, to)) netlist_swap_alike(e->n, inst, to);
  else if (netlist_swap_cell(e->n, inst, to, e->log) != OK) return FAILED;
  for (uint32_t i = 0; i < timer_count(e); i++)
    timer_cell_swapped(e->share->timers.at[i], inst, old);
  return OK;
}

static Status may_swap(Edits *e, InstId inst, CellId to)
{
  return is_alike(e, inst, to) ? OK : netlist_may_swap_cell(e->n, inst, to, e->log);
}

Status edit_swap(Edits *e, InstId inst, CellId to)
{
  CellId old = netlist_inst_cell(e->n, inst);
  if (old == to) return may_swap(e, inst, to);
  if (swap(e, inst, to) != OK) return FAILED;
  keep_step(e, STEP_SWAP, inst, old, to);
  forget_annotation(e, forget_cell, inst, old);
  return OK;
}

/* --- many swaps ------------------------------------------------------------------------------- */
static int thread_count(const Edits *e)
{
  return timer_count(e) ? timer_threads(e->share->timers.at[0]) : processors_usable();
}

static SwapBatch batch_of(const Edits *e, const EditSwap *swaps, uint32_t count)
{
  return (SwapBatch){ .n = e->n,
                      .alike = e->alike,
                      .swaps = swaps,
                      .count = count,
                      .done = mem_alloc(sizeof(SwapDone) * ((size_t)count + 1)) };
}

Status edits_may_swap(Edits *e, const EditSwap *swaps, uint32_t count)
{
  SwapBatch b = batch_of(e, swaps, count);
  Status status = OK;
  swap_batch_look(&b, count < SWAP_BATCH_LEAST ? 1 : thread_count(e));
  for (uint32_t i = 0; i < count && status == OK; i++)
    if (interrupt_seen()
        || (b.done[i].state == SWAP_LEFT && may_swap(e, swaps[i].inst, swaps[i].to) != OK))
      status = FAILED;
  mem_free(b.done);
  return status;
}

/* stops: after an interrupt. */
static Status swap_each(Edits *e, const EditSwap *swaps, uint32_t count, bool stops)
{
  for (uint32_t i = 0; i < count; i++)
    if ((stops && interrupt_seen()) || edit_swap(e, swaps[i].inst, swaps[i].to) != OK)
      return FAILED;
  return OK;
}

/* Timers mostly share their graph. Returns false if they have too many graphs. */
static bool find_graphs(const Edits *e, SwapBatch *b)
{
  for (uint32_t i = 0; i < timer_count(e); i++) {
    Graph *g = timer_swap_graph(e->share->timers.at[i]);
    uint32_t at = 0;
    while (at < b->graph_count && b->graphs[at] != g) at++;
    if (g == NULL || at < b->graph_count) continue;
    if (at == SWAP_BATCH_GRAPHS) return false;
    b->graphs[b->graph_count++] = g;
  }
  return true;
}

/* Swaps of annotated cells drop annotation, each as a step of its own. */
static bool any_annotation(const Edits *e)
{
  for (ScenarioId s = 0; s < e->scenarios->scenarios.len; s++)
    if (e->scenarios->scenarios.at[s].annotations) return true;
  return false;
}

/* Returns true if a graph has all swaps that were made. */
static bool finish_graph(const SwapBatch *b, uint32_t g)
{
  bool all = true;
  for (uint32_t i = 0; i < b->count && all; i++)
    if (b->done[i].state == SWAP_MADE && !(b->done[i].graphs >> g & 1))
      all = graph_swap_cell(b->graphs[g], b->swaps[i].inst, b->done[i].old);
  return all;
}

static void tell_timers(const Edits *e, const SwapBatch *b)
{
  for (uint32_t g = 0; g < b->graph_count; g++) {
    bool all = finish_graph(b, g);
    for (uint32_t i = 0; i < timer_count(e) && all; i++)
      timer_graph_swapped(e->share->timers.at[i], b->graphs[g]);
  }
  for (uint32_t i = 0; i < timer_count(e); i++)
    for (uint32_t k = 0; k < b->count; k++)
      if (b->done[k].state == SWAP_MADE)
        timer_touch_pins(e->share->timers.at[i], b->done[k].first_pin, b->done[k].pin_count);
}

/* Keeps the steps in the order of the swaps. All that were made are kept, so that they can be taken
   back. */
static Status keep_swaps(Edits *e, const SwapBatch *b, bool stops)
{
  Status status = OK;
  for (uint32_t i = 0; i < b->count; i++) {
    const EditSwap *s = &b->swaps[i];
    if (b->done[i].state == SWAP_MADE) keep_step(e, STEP_SWAP, s->inst, b->done[i].old, s->to);
    if (b->done[i].state == SWAP_LEFT && status == OK)
      status = stops && interrupt_seen() ? FAILED : edit_swap(e, s->inst, s->to);
  }
  return status;
}

/* Threads make only swaps between library cells that were compared before. */
static void compare_cells(Edits *e, SwapBatch *b)
{
  swap_batch_look(b, thread_count(e));
  for (uint32_t i = 0; i < b->count; i++) {
    if (b->done[i].state != SWAP_LEFT) continue;
    is_alike(e, b->swaps[i].inst, b->swaps[i].to);
    for (uint32_t g = 0; g < b->graph_count; g++)
      graph_may_swap_cell(b->graphs[g], b->swaps[i].inst, b->swaps[i].to);
  }
  b->alike = e->alike;
}

static Status make_batch(Edits *e, SwapBatch *b, bool stops)
{
  if (!stops) compare_cells(e, b);      /* otherwise edits_may_swap has done it */
  swap_batch_make(b, thread_count(e));
  for (uint32_t i = 0; i < b->count; i++) e->n->edit_count += b->done[i].state == SWAP_MADE;
  tell_timers(e, b);
  return keep_swaps(e, b, stops);
}

static Status make_swaps(Edits *e, const EditSwap *swaps, uint32_t count, bool stops)
{
  SwapBatch b = batch_of(e, swaps, count);
  bool shared = count >= SWAP_BATCH_LEAST && !any_annotation(e) && find_graphs(e, &b);
  Status status = shared ? make_batch(e, &b, stops) : swap_each(e, swaps, count, stops);
  mem_free(b.done);
  return status;
}

Status edit_swaps(Edits *e, const EditSwap *swaps, uint32_t count)
{
  return make_swaps(e, swaps, count, true);
}

void edit_all_swaps(Edits *e, const EditSwap *swaps, uint32_t count)
{
  make_swaps(e, swaps, count, false);
}

Status edit_insert_inst(Edits *e, InstId scope, const char *name, CellId cell, InstId *made)
{
  if (netlist_insert_inst(e->n, scope, name, cell, e->log, made) != OK) return FAILED;
  keep_step(e, STEP_INSERT_INST, *made, 0, 0);
  return OK;
}

/* Pins are off their nets before the cell goes, each a step of its own. */
static Status disconnect_pins(Edits *e, InstId inst)
{
  const Inst *in = &e->n->insts.at[inst];
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++)
    if (e->n->pins.at[p].seg != NO_SEG && edit_disconnect(e, p) != OK) return FAILED;
  return OK;
}

Status edit_remove_inst(Edits *e, InstId inst)
{
  if (netlist_may_remove_inst(e->n, inst, e->log) != OK) return FAILED;
  const Inst in = e->n->insts.at[inst];
  if (disconnect_pins(e, inst) != OK) return FAILED;
  forget_annotation(e, forget_cell, inst, netlist_inst_cell(e->n, inst));
  if (netlist_remove_inst(e->n, inst, e->log) != OK) return FAILED;
  keep_step(e, STEP_REMOVE_INST, inst, 0, 0);
  forget_pins(e, in.first_pin, in.pin_count);
  return OK;
}

/* --- nets ------------------------------------------------------------------------------------- */
static void keep_shape(Edits *e, NetId net)
{
  if (e->undoing || net == NO_NET) return;
  array_push(&e->shapes, netlist_net_shape(e->n, net));
  keep_step(e, STEP_SHAPE, 0, 0, 0);
}

static void restore_shape(Edits *e)
{
  NetShape shape = e->shapes.at[--e->shapes.len];
  netlist_restore_shape(e->n, &shape);
  array_free(&shape.segs);
}

Status edit_insert_net(Edits *e, InstId scope, const char *name, SegId *made)
{
  if (netlist_insert_net(e->n, scope, name, e->log, made) != OK) return FAILED;
  keep_step(e, STEP_INSERT_NET, *made, 0, 0);
  return OK;
}

static void keep_joins(Edits *e, SegId seg)
{
  if (!netlist_seg_is_joined(e->n, seg)) return;
  array_push(&e->joins, netlist_copy_joins(e->n));
  keep_step(e, STEP_JOINS, 0, 0, 0);
}

static void restore_joins(Edits *e)
{
  NetJoins joins = e->joins.at[--e->joins.len];
  netlist_restore_joins(e->n, &joins);
  free_joins(&joins);
}

Status edit_remove_net(Edits *e, SegId seg)
{
  if (netlist_may_remove_net(e->n, seg, e->log) != OK) return FAILED;
  NetId net = e->n->segs.at[seg].net;
  drop_unless_kept(e, net);
  forget_annotation(e, forget_net, net, NO_CELL);
  while (e->n->segs.at[seg].first_pin != NO_PIN)
    if (edit_disconnect(e, e->n->segs.at[seg].first_pin) != OK) return FAILED;
  keep_shape(e, e->n->segs.at[seg].net);
  keep_joins(e, seg);
  if (netlist_remove_net(e->n, seg, e->log) != OK) return FAILED;
  keep_step(e, STEP_REMOVE_NET, seg, 0, 0);
  return OK;
}

/* The net inside of a hierarchical pin; NO_NET. */
static NetId inner_net(const Edits *e, PinId pin)
{
  SegId inner = netlist_inner_seg(e->n, pin);
  return inner == NO_SEG ? NO_NET : e->n->segs.at[inner].net;
}

Status edit_connect(Edits *e, PinId pin, SegId seg)
{
  /* a hierarchical pin joins two nets; both are found by their numbers of before */
  NetId inside = inner_net(e, pin), outside = e->n->segs.at[seg].net;
  if (netlist_may_connect(e->n, pin, seg, e->log) != OK) return FAILED;
  drop_unless_kept(e, inside);
  drop_unless_kept(e, outside);
  if (inside != NO_NET) keep_shape(e, outside);
  if (inside != NO_NET) keep_shape(e, inside);
  if (netlist_connect(e->n, pin, seg, e->log) != OK) return FAILED;
  keep_step(e, STEP_CONNECT, pin, 0, 0);
  return OK;
}

Status edit_disconnect(Edits *e, PinId pin)
{
  SegId seg = e->n->pins.at[pin].seg;
  if (seg == NO_SEG) return netlist_disconnect(e->n, pin, e->log);
  NetId net = e->n->segs.at[seg].net;
  forget_annotation(e, forget_wires, pin, NO_CELL);
  drop_unless_kept(e, net);
  if (inner_net(e, pin) != NO_NET) keep_shape(e, net);
  PinId before = netlist_pin_before(e->n, pin);
  if (netlist_disconnect(e->n, pin, e->log) != OK) return FAILED;
  keep_step(e, STEP_DISCONNECT, pin, seg, before);
  return OK;
}

/* --- places ----------------------------------------------------------------------------------- */
void edit_place(Edits *e, Placement *p, InstId inst, const EditPlace *to)
{
  ComponentId id = placement_component_of(p, inst);
  LostPlace lost = { .units = p->physical->units, .made = id == NO_COMPONENT };
  if (lost.made) id = placement_add_component(p, inst);
  const Component *c = &p->components.at[id];
  lost.place = c->place;
  lost.orient = c->orient;
  lost.status = c->status;
  lost.flags = c->flags;
  e->placement = p;
  array_push(&e->lost_places, lost);
  keep_step(e, STEP_PLACE, inst, 0, 0);
  placement_move(p, id, to->at, to->orient, to->status);
}

void edits_forget_places(Edits *e)
{
  e->placement = NULL;
  e->forgotten_places = e->lost_places.len;
}

static void tell_forgotten_place(Edits *e, InstId inst)
{
  Text name = { 0 };
  netlist_inst_name(e->n, inst, '/', &name);
  log_warning(e->log, "EDIT-057", NOWHERE,
              "%.200s does not move back: another placement was read since", text_get(&name));
  text_free(&name);
}

/* LEF may have brought other units since. */
static void restore_place(Edits *e, InstId inst)
{
  LostPlace lost = e->lost_places.at[--e->lost_places.len];
  bool forgotten = e->lost_places.len < e->forgotten_places;
  Placement *p = forgotten ? NULL : e->placement;
  ComponentId id = placement_component_of(p, inst);
  if (forgotten) e->forgotten_places = e->lost_places.len;
  if (p == NULL || id == NO_COMPONENT) {
    tell_forgotten_place(e, inst);
    return;
  }
  if (lost.made) {
    placement_remove_last(p);
    return;
  }
  int64_t units = p->physical->units;
  Point place = { (int32_t)(lost.place.x * units / lost.units),
                  (int32_t)(lost.place.y * units / lost.units) };
  placement_move(p, id, place, (Orient)lost.orient, (PlaceStatus)lost.status);
  p->components.at[id].flags = lost.flags;
}

/* --- names ------------------------------------------------------------------------------------ */
static void keep_parted(Edits *e, const NameId *names, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (e->n->shared_names == NULL || map_get(e->n->shared_names, names[i]) == MAP_NO_VALUE)
      keep_step(e, STEP_PART_NAME, names[i], 0, 0);
}

typedef ARRAY(NameId) NameList;

static void add_scopes(const Netlist *n, InstId inst, NameList *names)
{
  for (; inst != TOP_INST && inst != NO_INST; inst = n->insts.at[inst].parent)
    array_push(names, n->insts.at[inst].name);
}

void edit_part_insts(Edits *e, InstId a, InstId b)
{
  NameList names = { 0 };
  add_scopes(e->n, a, &names);
  add_scopes(e->n, b, &names);
  keep_parted(e, names.at, names.len);
  array_free(&names);
  netlist_part_insts(e->n, a, b);
}

void edit_part_segs(Edits *e, SegId a, SegId b)
{
  NameList names = { 0 };
  array_push(&names, e->n->segs.at[a].name);
  array_push(&names, e->n->segs.at[b].name);
  add_scopes(e->n, e->n->segs.at[a].scope, &names);
  add_scopes(e->n, e->n->segs.at[b].scope, &names);
  keep_parted(e, names.at, names.len);
  array_free(&names);
  netlist_part_segs(e->n, a, b);
}

/* --- taking steps back ------------------------------------------------------------------------ */
static void undo_insert_inst(Edits *e, InstId inst)
{
  const Inst in = e->n->insts.at[inst];
  disconnect_pins(e, inst);
  forget_annotation(e, forget_cell, inst, netlist_inst_cell(e->n, inst));
  netlist_remove_inst(e->n, inst, e->log);
  forget_pins(e, in.first_pin, in.pin_count);
}

static void undo_disconnect(Edits *e, const Step *s)
{
  NetId inside = inner_net(e, s->id);
  edit_drop_parasitics(e, e->n->segs.at[s->was].net);
  edit_drop_parasitics(e, inside);
  netlist_attach_behind(e->n, s->id, s->was, s->more);
}

static void undo_step(Edits *e, const Step *s)
{
  switch ((StepKind)s->kind) {
  case STEP_SWAP:
    swap(e, s->id, s->was);
    forget_annotation(e, forget_cell, s->id, s->more);
    break;
  case STEP_INSERT_INST: undo_insert_inst(e, s->id); break;
  case STEP_REMOVE_INST: netlist_revive_inst(e->n, s->id); break;
  case STEP_INSERT_NET:  edit_remove_net(e, s->id); break;
  case STEP_REMOVE_NET:  netlist_revive_seg(e->n, s->id); break;
  case STEP_CONNECT:     edit_disconnect(e, s->id); break;
  case STEP_DISCONNECT:  undo_disconnect(e, s); break;
  case STEP_PLACE:       restore_place(e, s->id); break;
  case STEP_SHAPE:       restore_shape(e); break;
  case STEP_JOINS:       restore_joins(e); break;
  case STEP_DROP_PIECES: restore_pieces(e); break;
  case STEP_ADD_PIECE:   edit_drop_parasitics_of(e, s->was, e->n->segs.at[s->id].net); break;
  case STEP_ANNOTATION:  restore_annotation(e); break;
  case STEP_CONSTRAINTS: restore_constraints(e); break;
  case STEP_PART_NAME:
    if (e->n->shared_names) map_remove(e->n->shared_names, s->id);
    break;
  }
}

/* Steps back to a number of them.  Parasitics are restored by steps of their own. */
static void undo_to(Edits *e, uint32_t steps)
{
  e->undoing = true;
  e->keeps_parasitics = false;
  while (e->steps.len > steps) {
    Step s = e->steps.at[--e->steps.len];
    undo_step(e, &s);
  }
  e->undoing = false;
}

/* --- edits ------------------------------------------------------------------------------------ */
void edits_begin(Edits *e, const char *command)
{
  array_push(&e->groups, (Group){ e->steps.len, command, NULL, false });
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

void edits_merge_swaps(Edits *e)
{
  uint32_t first = e->groups.at[e->groups.len - 1].first;
  Step *steps = e->steps.at + first;
  if (e->steps.len > first && are_swaps(steps, e->steps.len - first))
    e->steps.len = first + merge_swaps(steps, e->steps.len - first, e->n->insts.len);
}

void edits_keep_empty(Edits *e) { e->groups.at[e->groups.len - 1].may_be_empty = true; }

Status edits_end(Edits *e, Status status, const char *script)
{
  Group *g = &e->groups.at[e->groups.len - 1];
  e->keeps_parasitics = false;
  if (status != OK) undo_to(e, g->first);
  tell_observer(e, e->steps.at + g->first, e->steps.len - g->first);
  if (e->steps.len == g->first && (status != OK || !g->may_be_empty)) e->groups.len--;
  else if (script) g->script = mem_text(script, strlen(script));
  return status;
}

uint32_t edits_count(const Edits *e) { return e->groups.len; }

static void drop_marks(Edits *e)
{
  while (e->marks.len && e->marks.at[e->marks.len - 1].groups > e->groups.len)
    mem_free(e->marks.at[--e->marks.len].name);
}

void edits_undo(Edits *e, uint32_t count)
{
  for (; count > 0 && e->groups.len > 0; count--) {
    Group g = e->groups.at[--e->groups.len];
    ARRAY(Step) undone = { 0 };
    for (uint32_t i = g.first; e->observer.data && i < e->steps.len; i++)
      array_push(&undone, e->steps.at[i]);
    undo_to(e, g.first);
    tell_observer(e, undone.at, undone.len);
    array_free(&undone);
    mem_free(g.script);
  }
  drop_marks(e);
}

static uint32_t find_mark(const Edits *e, const char *name)
{
  uint32_t i = 0;
  while (i < e->marks.len && strcmp(e->marks.at[i].name, name) != 0) i++;
  return i;
}

void edits_mark(Edits *e, const char *name)
{
  uint32_t at = find_mark(e, name);
  if (at < e->marks.len) {
    mem_free(e->marks.at[at].name);
    e->marks.len--;
    memmove(&e->marks.at[at], &e->marks.at[at + 1], (e->marks.len - at) * sizeof *e->marks.at);
  }
  array_push(&e->marks, (Mark){ mem_text(name, strlen(name)), e->groups.len });
}

uint32_t edits_since(const Edits *e, const char *name)
{
  uint32_t at = find_mark(e, name);
  return at < e->marks.len ? e->groups.len - e->marks.at[at].groups : UINT32_MAX;
}

uint32_t edits_mark_count(const Edits *e) { return e->marks.len; }
const char *edits_mark_name(const Edits *e, uint32_t mark) { return e->marks.at[mark].name; }

/* --- what was done ---------------------------------------------------------------------------- */
static uint32_t steps_end(const Edits *e, uint32_t group)
{
  return group + 1 < e->groups.len ? e->groups.at[group + 1].first : e->steps.len;
}

/* Swaps without another edit between them, one for each instance. */
typedef struct {
  ARRAY(EditChange) swaps;
  Map *of;                     /* instance -> its swap */
} Run;

static void add_swap(Run *run, const Step *s)
{
  uint32_t at = map_get(run->of, s->id);
  if (at != MAP_NO_VALUE) {
    run->swaps.at[at].to = s->more;
    return;
  }
  map_put(run->of, s->id, run->swaps.len);
  array_push(&run->swaps, (EditChange){ .inst = s->id, .from = s->was, .to = s->more });
}

static void end_run(Run *run, void (*visit)(void *, const EditChange *), void *data)
{
  for (uint32_t i = 0; i < run->swaps.len; i++)
    if (run->swaps.at[i].from != run->swaps.at[i].to) visit(data, &run->swaps.at[i]);
  array_clear(&run->swaps);
  map_free(run->of);
  run->of = map_new();
}

void edits_changes(const Edits *e, uint32_t first, void (*visit)(void *, const EditChange *),
                   void *data)
{
  Run run = { .of = map_new() };
  for (uint32_t g = first; g < e->groups.len; g++) {
    const Group *group = &e->groups.at[g];
    if (group->script) {
      end_run(&run, visit, data);
      visit(data, &(EditChange){ NO_INST, NO_CELL, NO_CELL, group->command, group->script });
      continue;
    }
    for (uint32_t i = group->first; i < steps_end(e, g); i++)
      if (e->steps.at[i].kind == STEP_SWAP) add_swap(&run, &e->steps.at[i]);
  }
  end_run(&run, visit, data);
  map_free(run.of);
  array_free(&run.swaps);
}

/* Objects that an edit swaps, makes, takes away, connects or moves. */
static uint32_t steps_that_count(const Edits *e, uint32_t group)
{
  uint32_t count = 0;
  for (uint32_t i = e->groups.at[group].first; i < steps_end(e, group); i++)
    count += e->steps.at[i].kind <= STEP_PLACE;
  return count;
}

uint32_t edits_tally(const Edits *e, uint32_t first, EditTally rows[MOST_EDIT_COMMANDS])
{
  uint32_t count = 0;
  for (uint32_t g = first; g < e->groups.len; g++) {
    const char *command = e->groups.at[g].command;
    uint32_t at = 0;
    while (at < count && strcmp(rows[at].command, command) != 0) at++;
    if (at == MOST_EDIT_COMMANDS) continue;
    if (at == count) rows[count++] = (EditTally){ command, 0, 0 };
    rows[at].edits++;
    rows[at].steps += steps_that_count(e, g);
  }
  return count;
}
