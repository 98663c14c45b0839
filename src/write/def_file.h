/* DEF: what was read, with places, orientations and masters as they are now. */
#ifndef SL_WRITE_DEF_FILE_H
#define SL_WRITE_DEF_FILE_H

#include "db/placement.h"

typedef struct { uint32_t moved, masters, added; } DefWritten;

/* The text of the file read; only the words of components that have changed are others, and
   components that commands placed stand at the end of theirs. */
Status write_def(const Placement *p, const char *path, bool gzip, Log *log, DefWritten *written);

#endif
