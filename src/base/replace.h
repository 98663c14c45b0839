/* Replaces a file safely. The new text goes to a temporary file in the same folder, which is
   renamed when it is complete. Until then, and after an interrupt, the old file stays. Devices,
   pipes, files with several hard links, files of other users, and files in a folder without write
   permission are overwritten in place. */
#ifndef SL_BASE_REPLACE_H
#define SL_BASE_REPLACE_H

#include <stdbool.h>

typedef struct {
  char *path;            /* the file itself, after symbolic links */
  char *beside;          /* the temporary file; NULL if `path` is overwritten */
} Replacement;

/* Returns the path to open for writing. */
const char *replace_begin(Replacement *replacement, const char *path);
/* Call it after the file was closed, or could not be opened. With whole true it renames the
   temporary file, else it deletes it. Returns false, with errno, if the rename failed; otherwise
   errno does not change. */
bool        replace_end(Replacement *replacement, bool whole);

#endif
