/* Edits of a design, with undo. Everything that commands change in the netlist goes through here.

   Each command is one edit: a group of steps between edits_begin and edits_end. A step changes the
   netlist or the placement. It also changes all parasitics, annotation and constraints, of all
   modes, that name the changed objects. It tells the timers, and it keeps what is needed to undo
   it. A command that fails undoes its steps, so an edit is made as a whole or not at all.

   Undo tells the timers too: the pins of swapped cells, and of nets whose parasitics come back or
   go, are touched again.

   Undo restores every bit: ids, the order of pins on nets, pieces of parasitics, annotated values.
   It also restores constraints that were lost with a removed pin. If constraints have changed
   since, it does not, and NET-020 says so. Edits are undone in reverse order, and so are the steps
   of an edit. A new design begins without edits. */
#ifndef SL_OPTIMIZE_EDITS_H
#define SL_OPTIMIZE_EDITS_H

#include "db/placement.h"
#include "db/scenario.h"
#include "update/share.h"

typedef struct Edits Edits;

Edits *edits_new(Netlist *n, ScenarioSet *scenarios, Log *log);
void   edits_free(Edits *edits);                     /* NULL is allowed */
/* Sets the timers that are told what each step changes; NULL: none. Other timers may be set between
   two edits. */
void   edits_use_timers(Edits *edits, const TimerShare *share);
/* An observer is called when an edit has been made and when one has been undone. It is off if data
   or o is NULL. */
typedef struct {
  void (*cell_swapped)(void *data, InstId inst);
  void (*cell_placed)(void *data, InstId inst);
  void (*net_changed)(void *data, NetId net);
  void *data;
} EditObserver;
void   edits_observe(Edits *edits, const EditObserver *observer);

/* --- one edit --------------------------------------------------------------------------------- */
/* Begins an edit. command: static text. */
void   edits_begin(Edits *edits, const char *command);
/* Ends the edit and returns `status`. FAILED undoes the steps since edits_begin. An edit without
   steps is not kept, unless edits_keep_empty was called in it. script: a line of Tcl that repeats
   the edit; NULL: the edit consists of swaps alone, and these are in its steps. */
Status edits_end(Edits *edits, Status status, const char *script);

/* Merges the swaps of each cell in the present edit into one. If a cell has the same library
   cell as before the edit, none of its swaps is kept. Does nothing if the edit has steps of other
   kinds too. */
void   edits_merge_swaps(Edits *edits);
/* Keeps the present edit even if it has no steps. So the next undo takes back this edit, and not
   the one before it. */
void   edits_keep_empty(Edits *edits);

/* The steps. If a step fails, it logs a message and has no effect, like the functions of
   db/netlist.h. */
Status edit_swap(Edits *edits, InstId inst, CellId to);
typedef struct {
  InstId inst;
  CellId to;
} EditSwap;
/* Returns FAILED, with a message, if one of the swaps may not be made, or after an interrupt. */
Status edits_may_swap(Edits *edits, const EditSwap *swaps, uint32_t count);
/* Makes swaps, after edits_may_swap. No cell is in two of them. */
Status edit_swaps(Edits *edits, const EditSwap *swaps, uint32_t count);
/* Makes all of the swaps, even after an interrupt. The caller knows that all of them are possible.
   No cell is in two of them. */
void   edit_all_swaps(Edits *edits, const EditSwap *swaps, uint32_t count);
Status edit_insert_inst(Edits *edits, InstId scope, const char *name, CellId cell, InstId *made);
Status edit_remove_inst(Edits *edits, InstId inst);
Status edit_insert_net(Edits *edits, InstId scope, const char *name, SegId *made);
Status edit_remove_net(Edits *edits, SegId seg);
/* These two drop the parasitics of the nets whose pins change, unless edit_keep_parasitics is
   on. */
Status edit_connect(Edits *edits, PinId pin, SegId seg);
Status edit_disconnect(Edits *edits, PinId pin);
/* Moves the component of an instance. If the instance has no component, one is made. All places
   must be of one placement until edits_forget_places is called. */
typedef struct {
  Point       at;
  Orient      orient;
  PlaceStatus status;
} EditPlace;
void   edit_place(Edits *edits, Placement *placement, InstId inst, const EditPlace *to);
/* Call this before the placement is freed. From then on undo does not move cells back that were
   placed in it, and says so (EDIT-057). */
void   edits_forget_places(Edits *edits);
/* Make sure that two objects have different full names from now on (netlist_part_...). */
void   edit_part_insts(Edits *edits, InstId a, InstId b);
void   edit_part_segs(Edits *edits, SegId a, SegId b);

/* --- parasitics of an edit -------------------------------------------------------------------- */
/* Returns true if a net has parasitics in any corner. */
bool edit_has_parasitics(const Edits *edits, NetId net);
/* Drop a net's parasitics in one set, or in all sets. */
void edit_drop_parasitics_of(Edits *edits, ParasiticsId set, NetId net);
void edit_drop_parasitics(Edits *edits, NetId net);
/* Restores the pieces that were last dropped from a set. If several nets were dropped from it,
   only the pieces of the last net come back. So put a net back before you drop the next one.
   Replaces pin `from` by `to`, and segment `seg` by `as`. The capacitances of the pieces must not
   include those of pins. */
typedef struct {
  PinId from, to;
  SegId seg, as;
} PieceChange;
void edit_put_back_pieces(Edits *edits, ParasiticsId set, const PieceChange *change);
/* A new piece of parasitics for a segment. */
typedef struct {
  SegId     seg;
  RcNode   *nodes;
  RcTap    *taps;
  uint32_t  node_count, tap_count, flags;
  PieceNumbers numbers;
} EditPiece;
/* Adds a piece to one set. */
void edit_add_piece(Edits *edits, ParasiticsId set, const EditPiece *piece);
/* Touches the pins of a net whose parasitics have changed or will change. */
void edit_touch_net(Edits *edits, NetId net);
/* While `keep` is on, edit_connect, edit_disconnect and edit_remove_net leave parasitics alone.
   edits_end switches it off. It does not hold while steps are undone: undo of edit_connect and of
   edit_disconnect drops the parasitics of the net. So call edit_drop_parasitics before the first
   edit_connect or edit_disconnect, and undo of the drop restores the parasitics. */
void edit_keep_parasitics(Edits *edits, bool keep);

/* --- what was done ---------------------------------------------------------------------------- */
uint32_t edits_count(const Edits *edits);
/* Undoes the last `count` edits, or all if there are fewer. */
void     edits_undo(Edits *edits, uint32_t count);
/* Marks the present state. If there is a mark of this name, it is set to the present state. */
void     edits_mark(Edits *edits, const char *name);
/* Returns how many edits were made after a mark; UINT32_MAX if there is no such mark or its state
   was undone. */
uint32_t edits_since(const Edits *edits, const char *name);
uint32_t edits_mark_count(const Edits *edits);
const char *edits_mark_name(const Edits *edits, uint32_t mark);

/* A change, as edits_changes lists it. */
typedef struct {
  InstId      inst;               /* for a swap: the instance */
  CellId      from, to;
  const char *command, *script;   /* for other edits; script NULL: this is a swap */
} EditChange;
/* Visits the fewest changes that have the effect of all edits since edit `first`. Swaps between two
   other edits are merged: an instance has at most one, at the place of its last swap, and none if
   it ends with the cell that it had. */
void edits_changes(const Edits *edits, uint32_t first,
                   void (*visit)(void *data, const EditChange *change), void *data);

typedef struct { const char *command; uint32_t edits, steps; } EditTally;
/* Counts the edits since `first` by command, in order of first use. Returns the number of rows. */
enum { MOST_EDIT_COMMANDS = 32 };
uint32_t edits_tally(const Edits *edits, uint32_t first, EditTally rows[MOST_EDIT_COMMANDS]);

size_t edits_bytes(const Edits *edits);

#endif
