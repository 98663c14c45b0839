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
  uint32_t   twice;            /* components of a name that one before has */
  uint32_t   upside_down;      /* rectangles */
  uint64_t   row_lines;        /* lines of sites of all rows */
  bool       ended;            /* END DESIGN has come */
  uint64_t   section_end;      /* where the END of the section read last stands */
  const char *place_end;       /* behind the orientation read last */
} DefReader;

/* Each takes the words from the one at hand on. */
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

/* "COMPONENTS 12 ;" - the word at hand is the number; then each "- ..." is read by `entry`, from
   the word behind the "-" on, up to and over its ";"; and END COMPONENTS.  The number may be
   wrong. */
Status def_section(DefReader *r, const char *keyword, Status (*entry)(DefReader *r));

static inline uint64_t def_offset(const DefReader *r)
{
  return (uint64_t)(r->w.word - r->w.start) - (r->w.kind == WORDS_STRING);
}
/* Of the word at hand, in the placement's or the session's names. */
Status def_own_name(DefReader *r, NameId *name, const char *expected);
Status def_shared_name(DefReader *r, NameId *name, const char *expected);
Status def_number(DefReader *r, int32_t *value);
Status def_point(DefReader *r, Point *at);
/* Two corners; they may be the wrong way round. */
Status def_box(DefReader *r, Box *box);
/* "( 1 2 ) N" behind PLACED, FIXED, COVER. */
Status def_place(DefReader *r, Point *at, uint8_t *orient);
/* PLACED, FIXED, COVER, UNPLACED; false: another word. */
bool   def_status(const DefReader *r, uint8_t *status);
PinUse def_use(const DefReader *r);
/* Up to the next "+" or ";". */
void   def_skip_option(DefReader *r);

#endif
