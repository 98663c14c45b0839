/* Writes a DEF: the text that was read, with the present places, orientations and masters. */
#ifndef SL_WRITE_DEF_FILE_H
#define SL_WRITE_DEF_FILE_H

#include "db/placement.h"

typedef struct {
  uint32_t components;         /* number in the file */
  uint32_t moved, masters;     /* number with another place or status; with another master */
  uint32_t added;              /* number that commands placed */
  uint32_t gone;               /* number whose cells were removed from the netlist */
  ComponentId first_gone;      /* NO_COMPONENT: none */
} DefWritten;

/* Writes the text of the file that was read. Only the places and masters of changed components
   differ. Components that commands placed are added at the end of COMPONENTS. Components of the
   file stay if their cells were removed from the netlist, because nets of the file name them. A new
   cell of such a name takes the component's place in the file. Fails before anything is written if
   DEF has no way to write the name of a new component or master (DEF-025). */
Status write_def(const Placement *placement, const char *path, bool gzip, Log *log,
                 DefWritten *written);

#endif
