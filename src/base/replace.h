/* A file that is written beside its place and takes it when it is whole: until then, and where
   writing is interrupted, the file that was there stays.  Devices, pipes, files with several
   names and those in folders that take no new file are written where they are. */
#ifndef SL_BASE_REPLACE_H
#define SL_BASE_REPLACE_H

#include <stdbool.h>

typedef struct {
  char *place;           /* behind symbolic links */
  char *beside;          /* NULL: the place itself is written */
} Replacement;

/* The path to open for writing. */
const char *replace_begin(Replacement *r, const char *path);
/* After it was closed, or not opened.  False, with errno: the file could not take its place; else
   errno is as it was. */
bool        replace_end(Replacement *r, bool whole);

#endif
