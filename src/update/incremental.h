/* Incremental updates compute only what an edit reaches. The bits are those of a whole update.

   There are two kinds of change. In place: the graph stays, and nets and cells have other numbers
   (a swapped cell, new parasitics). Rebuilt: the graph was compiled again after a structural edit,
   and the numbers of drivers with unchanged arcs, loads and nets are carried over by pin.

   Who writes what.  The queues, and the lists of IncrementalWork except `changed`, belong to the
   thread that runs the update.  The slots of a batch (the drivers of a level, or its loads) are
   divided among threads.  A slot is computed by one thread, which writes the slot's entry of
   `changed` and the numbers of the slot's nodes: arrivals, their variances and fronts, or required
   times, slacks and captures.  For delays, the thread of a driver writes the driver's slew, the
   delays of its arcs, and the delays and slews of its loads.  No slot of a batch reads the numbers
   of another one of the batch, and nobody else reads them before the batch is done. */
#ifndef SL_UPDATE_INCREMENTAL_H
#define SL_UPDATE_INCREMENTAL_H

#include "timing/timing.h"

/* A set of slots, sorted by level. */
typedef struct {
  const Graph *g;
  uint64_t *marked;                  /* a bit for each slot, private to incremental.c */
  ARRAY(Slot) *levels;               /* [level_count] */
} SlotQueue;

void slot_queue_init(SlotQueue *queue, const Graph *g);
void slot_queue_free(SlotQueue *queue);
void slot_queue_add(SlotQueue *queue, Slot s);
/* Empties the queue.  The time is proportional to its content. */
void slot_queue_clear(SlotQueue *queue);
/* Set and clear the mark of a slot without adding the slot to the queue. So the marks alone can
   serve as a set of slots. slot_queue_mark returns false if the slot is marked already. */
bool slot_queue_mark(SlotQueue *queue, Slot s);
void slot_queue_unmark(SlotQueue *queue, Slot s);
/* Prefetches the memory of the mark of a slot. */
void slot_queue_expect(const SlotQueue *queue, Slot s);

/* Memory of updates in place, kept from one update to the next: a queue has a bit for every slot,
   while most updates reach few slots. */
typedef struct IncrementalWork {
  SlotQueue dirty, arrivals, required;   /* drivers to evaluate; slots whose arrivals, and whose
                                            required times, may change */
  ARRAY(Slot) batch;
  ARRAY(uint8_t) changed;            /* for each slot of the batch */
  ARRAY(Cond4) before;               /* slews and wire delays before an evaluation */
  ARRAY(Pair) edges_before;          /* delays of timing edges before an evaluation */
} IncrementalWork;

/* Returns empty queues, which live as long as the numbers. */
IncrementalWork *incremental_work(Timing *t);

/* In the functions below, `dirty` is incremental_work(t)->dirty.

   The update in place. Before the call, the nets or arcs of the drivers in `dirty` have changed.
   Computes the delays, slews and arrivals that depend on them and, with `required`, the required
   times and slacks. */
typedef enum {
  INCREMENTAL_DONE,
  INCREMENTAL_SWEEP,                 /* the edit reaches clocks or latches: delays are up to date,
                                        but all arrivals and required times must be computed
                                        again */
  INCREMENTAL_TOO_LARGE              /* the edit reaches so much that a whole update is faster */
} IncrementalEnd;
IncrementalEnd incremental_update(Timing *t, SlotQueue *dirty, bool required);

/* Does an edit reach so much that following it is slower than a whole update? */
bool incremental_is_too_large(const Timing *t, const SlotQueue *dirty);
/* Replaces a whole update after edits in place: reduces only the nets of the drivers in `dirty`,
   computes the delays that depend on them, and then all arrivals. The design must have no latches,
   and no net with several drivers. Returns false if interrupted. */
bool incremental_sweep(Timing *t, const SlotQueue *dirty);

/* After a rebuild: copies numbers of unchanged drivers from the old timing, and adds the other
   drivers to `dirty`.  touched: pins whose nets have other parasitics. */
void incremental_carry(Timing *t, const Timing *old, const PinId *touched, uint32_t touched_count,
                       SlotQueue *dirty);
/* Returns true if the last update in place computed the driver's delays. */
bool incremental_reached(const Timing *t, Slot driver);
/* Computes only delays and slews: those of the drivers in `dirty` and of the drivers that depend on
   them. */
void incremental_delays(Timing *t, SlotQueue *dirty);

#endif
