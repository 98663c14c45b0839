/* Registers of the design, as the netlist and the libraries show them (no timing needed). */
#ifndef SL_CMD_REGISTERS_H
#define SL_CMD_REGISTERS_H

#include "tclbind/session.h"

typedef struct {
  bool cells, data_pins, clock_pins, async_pins, output_pins;   /* what is wanted; none: cells */
  bool latches, flip_flops;                                     /* restrictions; none: both */
  const Object *clocks;                                         /* NULL: whatever the clock */
  uint32_t clock_count;
  /* of the clocks: those that trigger */
  uint8_t  edges;
} RegisterQuery;

void registers_find(const Session *s, const RegisterQuery *q, ObjectArray *out);

#endif
