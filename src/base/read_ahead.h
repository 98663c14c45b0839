/* Unpacks a compressed file ahead of its reader, in a thread of its own. Unpacking takes up to half
   as long as reading. */
#ifndef SL_BASE_READ_AHEAD_H
#define SL_BASE_READ_AHEAD_H

#include <stddef.h>
#include <zlib.h>

typedef struct ReadAhead ReadAhead;

/* What a read found: the number of bytes, negative after a failure, and what zlib and the system
   say of it. */
typedef struct {
  int n, code, system;
  const char *text;
} ReadEnd;

/* Reads from a file as gzread and gzerror do. */
ReadEnd    read_now(gzFile file, char *to, size_t room);

/* Starts to read the file, which nobody else may use until read_ahead_free. Returns NULL if the
   system gives no thread. */
ReadAhead *read_ahead_new(gzFile file);
/* Returns fewer bytes than there is room for also before the end; 0 bytes at the end. */
ReadEnd    read_ahead(ReadAhead *ahead, char *to, size_t room);
void       read_ahead_free(ReadAhead *ahead);            /* NULL is allowed; the file stays open */

#endif
