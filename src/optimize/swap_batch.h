/* Swaps many cells at once: threads share the cells, because these lie all over memory. What one
   thread must do (counting, undo, timers) is in edits.c. */
#ifndef SL_OPTIMIZE_SWAP_BATCH_H
#define SL_OPTIMIZE_SWAP_BATCH_H

#include "db/netlist_swap.h"
#include "graph/graph.h"
#include "optimize/edits.h"

/* A batch of fewer swaps is not worth it. */
enum { SWAP_BATCH_LEAST = 128 };
/* The largest number of graphs that the timers of a design may have. With more graphs, the swaps
   are made one by one. */
enum { SWAP_BATCH_GRAPHS = 8 };

typedef enum {
  SWAP_KNOWN,                      /* possible, and not made yet */
  SWAP_SAME,                       /* the cell is what it should be */
  SWAP_MADE,
  SWAP_LEFT                        /* not made; the caller calls edit_swap, which makes it or says
                                      why it cannot */
} SwapState;

typedef struct {
  PinId    first_pin;
  uint32_t pin_count;
  CellId   old;
  uint8_t  state;                  /* SwapState */
  uint8_t  graphs;                 /* in which it is made, a bit each */
} SwapDone;

typedef struct {
  Netlist        *n;
  const Map      *alike;           /* hash_pair of two library cells -> netlist_alike_pins; NULL:
                                      none is known */
  const EditSwap *swaps;           /* none has a cell that another one has */
  uint32_t        count;
  Graph          *graphs[SWAP_BATCH_GRAPHS];
  uint32_t        graph_count;
  SwapDone       *done;            /* for each swap */
} SwapBatch;

/* Returns true if `alike` says that the two library cells have matching pins, so that the swap is
   possible without comparing pins. */
bool swap_known_alike(const Netlist *n, const Map *alike, InstId inst, CellId to);
/* Checks all swaps and makes none. A swap that is known to be possible gets the state SWAP_KNOWN,
   any other SWAP_LEFT. */
void swap_batch_look(const SwapBatch *batch, int threads);
/* Makes the swaps that are known to be possible. */
void swap_batch_make(const SwapBatch *batch, int threads);

#endif
