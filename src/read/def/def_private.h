/* The state of reading one DEF file: private to def*.c. */
#ifndef SL_READ_DEF_DEF_PRIVATE_H
#define SL_READ_DEF_DEF_PRIVATE_H

#include "read/def/def.h"
#include "read/words.h"

typedef struct DefReader {
  Words      w;
  Placement *p;
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
Status def_components(DefReader *r);
Status def_pins(DefReader *r);
Status def_nets(DefReader *r, bool special);
Status def_blockages(DefReader *r);
Status def_regions(DefReader *r);
Status def_groups(DefReader *r);
Status def_die(DefReader *r);
Status def_row(DefReader *r);
Status def_tracks(DefReader *r);
Status def_gcells(DefReader *r);

/* Reads a section, for example COMPONENTS 12 ; - ... ; - ... ; END COMPONENTS. The word at hand is
   the number. `entry` reads each entry, from the word after the "-" to the ";", which it passes. If
   the number is wrong, a warning says so (DEF-011). */
Status def_section(DefReader *r, const char *keyword, Status (*entry)(DefReader *r));

static inline uint64_t def_offset(const DefReader *r)
{
  return (uint64_t)(r->w.word - r->w.start) - (r->w.kind == WORDS_STRING);
}
/* Read the word at hand as a name: def_own_name adds it to the placement's names, def_shared_name
   to the session's. `expected` says in errors what should stand there. */
Status def_own_name(DefReader *r, NameId *name, const char *expected);
Status def_shared_name(DefReader *r, NameId *name, const char *expected);
Status def_number(DefReader *r, int32_t *value);
Status def_point(DefReader *r, Point *at);
/* Reads two corners, in any order. */
Status def_box(DefReader *r, Box *box);
/* Warns if the corners of a rectangle are not the lower left and the upper right one. */
void   def_check_corners(DefReader *r, Where where, Point a, Point b);
/* Reads "( 1 2 ) N", which stands after PLACED, FIXED and COVER. */
Status def_place(DefReader *r, Point *at, uint8_t *orient);
/* Returns false if the word at hand is none of PLACED, FIXED, COVER and UNPLACED. */
bool   def_status(const DefReader *r, uint8_t *status);
PinUse def_use(const DefReader *r);
/* Skips the words up to the next "+" or ";". */
void   def_skip_option(DefReader *r);

#endif
