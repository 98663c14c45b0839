/* A processor-like block: four pipeline stages around a register file, with gated clocks, a reset
   tree and some level-sensitive latches.  It computes nothing useful, but its paths have the shapes
   of those in a real processor. */
#ifndef GENERATE_PROCESSOR_H
#define GENERATE_PROCESSOR_H

#include "scripts/generate/write.h"

typedef struct {
  const char *top;
  uint64_t    seed;
  uint32_t    width;         /* of data: 8 to 64, a power of two */
  uint32_t    registers;     /* 4 to 32, a power of two */
  double      low_share;     /* of cells with the low threshold */
  Constraints constraints;
} Processor;

void processor_write(const Processor *processor, Files *files);

#endif
