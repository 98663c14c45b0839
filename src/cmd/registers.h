/* Finds registers of the design from the netlist and the libraries, without timing. */
#ifndef SL_CMD_REGISTERS_H
#define SL_CMD_REGISTERS_H

#include "tclbind/session.h"

typedef struct {
  bool cells, data_pins, clock_pins, async_pins, output_pins;   /* what to return; cells if none is
                                                                   set */
  bool latches, flip_flops;                                     /* restrictions; both kinds if none
                                                                   is set */
  const Object *clocks;                                         /* only registers of these clocks;
                                                                   NULL means any */
  uint32_t clock_count;
  /* mask of the clock edges that trigger */
  uint8_t  edges;
} RegisterQuery;

void registers_find(const Session *s, const RegisterQuery *query, ObjectArray *out);

#endif
