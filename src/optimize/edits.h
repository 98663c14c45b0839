/* Edits of a design that can be taken back: what commands change of the netlist goes through here.

   Each command is one edit, a group of steps between edits_begin and edits_end.  A step changes the
   netlist and all that names what it changes (parasitics, annotation, constraints of every mode),
   tells the timers, and keeps what it takes to undo it.  A command that fails takes its steps back,
   so that an edit is made as a whole or not at all.

   Taking back restores the bits: ids, the order of pins on nets, pieces of parasitics, annotated
   values.  Constraints that were lost with a removed pin come back unless constraints have changed
   since; that is told (NET-020).  Edits are taken back last ones first; a new design begins without
   any. */
#ifndef SL_OPTIMIZE_EDITS_H
#define SL_OPTIMIZE_EDITS_H

#include "db/scenario.h"
#include "update/share.h"

typedef struct Edits Edits;

Edits *edits_new(Netlist *n, ScenarioSet *scenarios, Log *log);
void   edits_free(Edits *e);                     /* NULL is allowed */
/* The timers to tell; NULL: there are none.  They may change from one edit to the next. */
void   edits_use_timers(Edits *e, const TimerShare *share);
/* Who follows edits: told when an edit has been made, and when one has been taken back.  data NULL,
   or o NULL: nobody. */
typedef struct {
  void (*cell_swapped)(void *data, InstId inst);
  void (*net_changed)(void *data, NetId net);
  void *data;
} EditObserver;
void   edits_observe(Edits *e, const EditObserver *o);

/* --- one edit --------------------------------------------------------------------------------- */
/* command: static text.  script: the line of Tcl that makes the edit again; NULL: its swaps do. */
void   edits_begin(Edits *e, const char *command);
/* Returns `status`; FAILED takes back the steps since edits_begin.  An edit without steps is
   none. */
Status edits_end(Edits *e, Status status, const char *script);

/* Steps.  They fail with a message and without effect, as the functions of db/netlist.h do. */
Status edit_swap(Edits *e, InstId inst, CellId to);
Status edit_insert_inst(Edits *e, InstId scope, const char *name, CellId cell, InstId *made);
Status edit_remove_inst(Edits *e, InstId inst);
Status edit_insert_net(Edits *e, InstId scope, const char *name, SegId *made);
Status edit_remove_net(Edits *e, SegId seg);
/* Parasitics of the nets whose pins change go, unless an edit has taken care of them before
   (edit_keep_parasitics). */
Status edit_connect(Edits *e, PinId pin, SegId seg);
Status edit_disconnect(Edits *e, PinId pin);
/* The names of two objects are told apart from now on (netlist_part_...). */
void   edit_part_insts(Edits *e, InstId a, InstId b);
void   edit_part_segs(Edits *e, SegId a, SegId b);

/* --- parasitics of an edit -------------------------------------------------------------------- */
/* Has a net parasitics in any corner? */
bool edit_has_parasitics(const Edits *e, NetId net);
/* Drops a net's parasitics in one set, in all. */
void edit_drop_parasitics_of(Edits *e, ParasiticsId set, NetId net);
void edit_drop_parasitics(Edits *e, NetId net);
/* Puts the pieces that this edit dropped of a set last back: a pin has another one's place, and the
   piece of a segment is one of another segment.  What the pieces' capacitances hold of pins must be
   none's. */
typedef struct {
  PinId from, to;
  SegId seg, as;
} PieceChange;
void edit_put_back_pieces(Edits *e, ParasiticsId set, const PieceChange *change);
/* A piece for a segment, in one set. */
typedef struct {
  SegId     seg;
  RcNode   *nodes;
  RcTap    *taps;
  uint32_t  node_count, tap_count, flags;
  float     total_cap;
} EditPiece;
void edit_add_piece(Edits *e, ParasiticsId set, const EditPiece *piece);
/* The pins of a net are touched: it has other parasitics, or will. */
void edit_touch_net(Edits *e, NetId net);
/* Until false again, edit_connect, edit_disconnect and edit_remove_net leave parasitics alone. */
void edit_keep_parasitics(Edits *e, bool keep);

/* --- what was done ---------------------------------------------------------------------------- */
uint32_t edits_count(const Edits *e);
/* Takes back the last so many, at most all there are. */
void     edits_undo(Edits *e, uint32_t count);
/* Marks the present state; a name that is given again moves.  edits_since: how many edits were made
   after the mark, UINT32_MAX where there is none of the name or it was undone. */
void     edits_mark(Edits *e, const char *name);
uint32_t edits_since(const Edits *e, const char *name);
uint32_t edits_mark_count(const Edits *e);
const char *edits_mark_name(const Edits *e, uint32_t mark);

/* The changes from edit `first` on as few as make them again: swaps of one run are put together, by
   the order of an instance's last one, and those that end where they began are none. */
typedef struct {
  InstId      inst;               /* of a swap */
  CellId      from, to;
  const char *command, *script;   /* of another edit; script NULL: it is a swap */
} EditChange;
void edits_changes(const Edits *e, uint32_t first, void (*visit)(void *data, const EditChange *c),
                   void *data);

typedef struct { const char *command; uint32_t edits, steps; } EditTally;
/* By command, in order of first use, of the edits from `first` on; returns how many rows. */
enum { MOST_EDIT_COMMANDS = 32 };
uint32_t edits_tally(const Edits *e, uint32_t first, EditTally rows[MOST_EDIT_COMMANDS]);

size_t edits_bytes(const Edits *e);

#endif
