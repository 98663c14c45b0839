/* The state of reading one DEF file: private to def*.c. */
#ifndef SL_READ_DEF_DEF_PRIVATE_H
#define SL_READ_DEF_DEF_PRIVATE_H

#include "read/def/def.h"
#include "read/words.h"

typedef struct DefReader {
  Words      w;
  Placement *placement;
  Physical  *physical;
  DefRead    result;
  Text       plain;            /* a name without its backslashes */
  bool       units_read;
  Map       *region_by_name;   /* NameId -> RegionId: the first of each name */
  uint32_t   twice;            /* number of components with the name of an earlier one */
  uint64_t   row_lines;        /* lines of sites of all rows */
  bool       ended;            /* END DESIGN was read */
  uint64_t   section_end;      /* where the END of the section read last stands */
  const char *place_end;       /* after the orientation read last */
} DefReader;

/* "The word at hand" is the current word of `w`. Each of these functions reads a section or
   statement whose keyword was the word before it, up to its end. */
Status def_components(DefReader *reader);
Status def_pins(DefReader *reader);
Status def_nets(DefReader *reader, bool special);
Status def_blockages(DefReader *reader);
Status def_regions(DefReader *reader);
Status def_groups(DefReader *reader);
Status def_die(DefReader *reader);
Status def_row(DefReader *reader);
Status def_tracks(DefReader *reader);
Status def_gcells(DefReader *reader);

/* Reads a section, for example COMPONENTS 12 ; - ... ; - ... ; END COMPONENTS. The word at hand is
   the number. `entry` reads each entry, from the word after the "-" to the ";", which it passes. If
   the number is wrong, a warning says so (DEF-011). */
Status def_section(DefReader *reader, const char *keyword, Status (*entry)(DefReader *reader));

static inline uint64_t def_offset(const DefReader *reader)
{
  return (uint64_t)(reader->w.word - reader->w.start) - (reader->w.kind == WORDS_STRING);
}
/* Read the word at hand as a name: def_own_name adds it to the placement's names, def_shared_name
   to the session's. `expected` says in errors what should stand there. */
Status def_own_name(DefReader *reader, NameId *name, const char *expected);
Status def_shared_name(DefReader *reader, NameId *name, const char *expected);
Status def_number(DefReader *reader, int32_t *value);
Status def_point(DefReader *reader, Point *at);
/* Reads two corners, in any order. */
Status def_box(DefReader *reader, Box *box);
/* Warns if the corners of a rectangle are not the lower left and the upper right one. */
void   def_check_corners(DefReader *reader, Where where, Point a, Point b);
/* Reads "( 1 2 ) N", which stands after PLACED, FIXED and COVER. */
Status def_place(DefReader *reader, Point *at, uint8_t *orient);
/* Returns false if the word at hand is none of PLACED, FIXED, COVER and UNPLACED. */
bool   def_status(const DefReader *reader, uint8_t *status);
PinUse def_use(const DefReader *reader);
/* Skips the words up to the next "+" or ";". */
void   def_skip_option(DefReader *reader);

#endif
