/* Reads files of on-chip variation (AOCV, POCV).  A file has groups of `field: value` lines.  A
   group is a table of derates by depth and distance, or a coefficient of sigma, for the objects
   that its name patterns match.

     version: 1.0
     object_type: lib_cell          design, lib_cell, cell (also a block), net
     object_spec: slow/BUF*         patterns; without them all objects of the type
     rf_type: rise fall
     delay_type: cell               cell, net
     derate_type: late              early, late
     path_type: data                clock, data; both if not given
     depth: 1 2 3                   columns of the table; or none
     distance: 500 1000             its rows; or none
     table: 1.12 1.09 1.07          (values may go on over lines)
            1.15 1.11 1.08
     coefficient: 0.05              in place of a table

   A group begins with object_type (or version).  # and // begin comments.  The caller looks up the
   names. */
#ifndef SL_READ_OCV_FILE_H
#define SL_READ_OCV_FILE_H

#include "base/text.h"
#include "db/ocv_tables.h"

typedef struct {
  OcvTable table;                  /* table.first is an index in the file's values */
  uint32_t object_type;            /* ObjectType */
  uint32_t spec;                   /* where its patterns begin in specs; "" without patterns */
  Where    where;
} OcvGroup;

typedef struct {
  ARRAY(OcvGroup) groups;
  ARRAY(float) values;
  Text specs;                      /* texts, each ending with NUL */
} OcvFile;

/* Return FAILED with the error in the log. Free *file with ocv_file_free in either case. */
Status read_ocv(const char *path, Log *log, OcvFile *file);
Status read_ocv_text(const char *name, const char *text, Log *log, OcvFile *file);
void   ocv_file_free(OcvFile *file);

#endif
