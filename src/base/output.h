/* Writes a text file in blocks. Several threads format and compress the blocks; the file gets them
   in order.

   The bytes of a block depend on its text alone, so the file is the same with any number of
   threads. A compressed file is one ordinary gzip member, because some readers stop after the first
   member. Each block is deflated without a dictionary and ends at a byte (Z_SYNC_FLUSH); an empty
   block is the last. The file's checksum is combined from those of the blocks. For blocks of a
   megabyte the missing dictionary costs almost nothing.

   Eight blocks per thread are in memory at a time. */
#ifndef SL_BASE_OUTPUT_H
#define SL_BASE_OUTPUT_H

#include <stdint.h>

#include "base/log.h"
#include "base/text.h"

typedef struct {
  const char *path;
  uint32_t    blocks;
  int         threads;           /* 0: all */
  int         level;             /* of gzip, 1 (fast) to 9; 0: plain text */
  /* any thread may call it; out is empty */
  void      (*format)(void *data, uint32_t block, Text *out);
  void       *data;
} Output;

/* Returns FAILED if the file cannot be written (FILE-005 in the log) or if an interrupt came, which
   is tested before each block. The previous file of that name then stays (base/replace.h). */
Status output_write(const Output *output, Log *log);

#endif
