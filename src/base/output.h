/* A file of blocks of text, formatted and compressed by several threads and written in order.

   What a block has in the file depends on its text alone, so the file is the same with any number
   of threads.  Compressed, it is one ordinary gzip member, as readers want that stop behind the
   first: each block is deflated without what came before it and ends with a byte (Z_SYNC_FLUSH), an
   empty block is the last, and the checksum of all is put together from those of blocks.  So a
   block begins without a dictionary; with texts of a megabyte that is next to no loss.

   Eight blocks a thread are in memory at a time. */
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
  void      (*format)(void *data, uint32_t block, Text *out);     /* by any thread; out is empty */
  void       *data;
} Output;

/* FAILED: it cannot be written, which the log has (FILE-005), or was interrupted, which is
   looked at before each block.  The file that was there then stays (base/replace.h). */
Status output_write(const Output *o, Log *log);

#endif
