/* Incremental updates compute only what an edit reaches. The bits are those of a full update.

   There are two kinds of change. In place: the graph stays, and nets and cells have other numbers
   (a swapped cell, new parasitics). Rebuilt: the graph was compiled again after a structural edit,
   and the numbers of drivers with unchanged arcs, loads and nets are carried over by pin. */
#ifndef SL_UPDATE_INCREMENTAL_H
#define SL_UPDATE_INCREMENTAL_H

#include "timing/timing.h"

/* Slots by level, each once. */
typedef struct {
  const Graph *g;
  uint64_t *marked;                  /* a bit for each slot, private to incremental.c; the first
                                        edit waits until they are 0 */
  ARRAY(Slot) *levels;               /* [level_count] */
} SlotQueue;

void slot_queue_init(SlotQueue *q, const Graph *g);
void slot_queue_free(SlotQueue *q);
void slot_queue_add(SlotQueue *q, Slot s);
/* Empty again, at the cost of what is in it. */
void slot_queue_clear(SlotQueue *q);

/* What updates in place work with, kept from one to the next: a queue has a mark for every slot,
   and most updates reach few. */
typedef struct IncrementalWork {
  SlotQueue dirty, arrivals, required;
  ARRAY(Slot) batch;
  ARRAY(uint8_t) changed;            /* by slot of the batch */
  ARRAY(Cond4) before;
  ARRAY(Pair) edges_before;
} IncrementalWork;

/* Empty queues, which live as long as the numbers. */
IncrementalWork *incremental_work(Timing *t);

/* Both updates below are of incremental_work(t)->dirty.

   In place: the drivers in `dirty` have nets or arcs with other numbers.  Delays, slews, arrivals,
   and with `required` required times and slacks, follow. */
typedef enum {
  INCREMENTAL_DONE,
  INCREMENTAL_SWEEP,                 /* clocks or latches are reached: delays are up to date, all
                                        arrivals and required times are to be swept */
  INCREMENTAL_TOO_LARGE              /* so much is reached that a whole update is due */
} IncrementalEnd;
IncrementalEnd incremental_update(Timing *t, SlotQueue *dirty, bool required);

/* After a rebuild: carries numbers over from the old timing and marks in `dirty` the drivers that
   need work.  touched: pins whose nets have other parasitics. */
void incremental_carry(Timing *t, const Timing *old, const PinId *touched, uint32_t touched_count,
                       SlotQueue *dirty);
/* Did the last update in place work out the driver's delays? */
bool incremental_reached(const Timing *t, Slot driver);
/* Delays and slews alone of the marked drivers and of what they change. */
void incremental_delays(Timing *t, SlotQueue *dirty);

#endif
