/* Buffers put into nets and taken out again, with their nets' parasitics.

   A buffer at a driver has the whole wire behind it; one before a load has it in front.  A buffer
   before several loads stands where the tree parts into theirs and the others': the tree is split
   there, with every resistor and capacitor on its side.  Where they do not part, in a reduced net
   (*R_NET) or a net of several pieces, the net's parasitics are dropped, and that is told
   (EDIT-020).  Taking a buffer out puts the two trees together at its place.

   Names of constraints stay right.  A net keeps its name on the side of its port, else of its
   loads where the buffer is at the driver, else of its driver.  A buffer that constraints name is
   not taken out, nor a net that they name. */
#ifndef SL_OPTIMIZE_BUFFERS_H
#define SL_OPTIMIZE_BUFFERS_H

#include "optimize/edit_rules.h"
#include "optimize/edits.h"

typedef struct {
  Netlist           *n;
  const EditRules   *rules;
  const ScenarioSet *scenarios;
  Edits             *edits;             /* an edit has been begun */
  Log               *log;
} BufferEdit;

typedef struct {
  CellId      cell;
  const char *cell_name, *net_name;     /* local; NULL: made */
} BufferWish;

typedef struct {
  InstId cell;
  SegId  net;
} NewBuffer;

Status buffer_at_driver(const BufferEdit *b, NetId net, const BufferWish *wish, NewBuffer *made);
/* Of one net; each once. */
Status buffer_at_loads(const BufferEdit *b, const PinId *loads, uint32_t count,
                       const BufferWish *wish, NewBuffer *made);
/* A buffer; or the first of two inverters in a row, which go both. */
Status buffer_remove(const BufferEdit *b, InstId inst);

#endif
