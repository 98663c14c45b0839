/* DEF: what was read, with places, orientations and masters as they are now. */
#ifndef SL_WRITE_DEF_FILE_H
#define SL_WRITE_DEF_FILE_H

#include "db/placement.h"

typedef struct {
  uint32_t components;         /* that the file has */
  uint32_t moved, masters, added;
  uint32_t gone;               /* whose cells were removed from the netlist */
  ComponentId first_gone;      /* NO_COMPONENT: none */
} DefWritten;

/* The text of the file read; only the words of components that have changed are others, and
   components that commands placed stand at the end of theirs. Components of the file stay if their
   cells were removed from the netlist, because its nets name them. A new cell of such a name takes
   the component's place in the file. */
Status write_def(const Placement *p, const char *path, bool gzip, Log *log, DefWritten *written);

#endif
