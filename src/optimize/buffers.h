/* Inserts and removes buffers, and splits and joins the parasitics of the nets.

   A buffer at a driver drives the whole wire. A buffer before one load has the whole wire in front
   of it. A buffer before several loads stands where the tree parts into the branches of these loads
   and the other branches. The tree is split there, and each resistor and capacitor stays on its
   side. If the tree does not part in this way, or the net is reduced (*R_NET) or has several
   pieces, the parasitics of the net are dropped with the message EDIT-020. Removing a buffer joins
   the two trees at its place.

   Names in constraints stay valid. A net with a port keeps its name on the side of the port. Any
   other net keeps it on the side of its loads if the buffer is at the driver, else on the side of
   its driver. A buffer or a net that constraints name is not removed. */
#ifndef SL_OPTIMIZE_BUFFERS_H
#define SL_OPTIMIZE_BUFFERS_H

#include "optimize/edit_rules.h"
#include "optimize/edits.h"

typedef struct {
  Netlist           *n;
  const EditRules   *rules;
  const ScenarioSet *scenarios;
  Edits             *edits;             /* with an edit begun */
  Log               *log;
} BufferEdit;

typedef struct {
  CellId      cell;
  const char *cell_name, *net_name;     /* local names; NULL: make one */
} BufferWish;

typedef struct {
  InstId cell;
  SegId  net;
} NewBuffer;

Status buffer_at_driver(const BufferEdit *edit, NetId net, const BufferWish *wish, NewBuffer *made);
/* The loads must be on one net, each listed once. */
Status buffer_at_loads(const BufferEdit *edit, const PinId *loads, uint32_t count,
                       const BufferWish *wish, NewBuffer *made);
/* Removes a buffer, or an inverter together with the inverter that it drives. */
Status buffer_remove(const BufferEdit *edit, InstId inst);

#endif
