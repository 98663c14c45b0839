/* Names and patterns to objects: what get_* and bare names in options go through.

   A pattern is matched level by level from the current instance: `*` and `?` stay within one name.
   A name may itself hold the separator (flattened netlists): then as many levels of the pattern are
   held against it.  Brackets are bits of buses, not sets; \x is x.  The name of a bus stands for
   its bits. */
#ifndef SL_TCLBIND_MATCH_H
#define SL_TCLBIND_MATCH_H

#include <tcl.h>

#include "tclbind/session.h"

typedef struct {
  bool   hierarchical;      /* local names at all levels; full names when the pattern has a
                               separator */
  bool   regexp;            /* a Tcl regular expression for the whole name */
  bool   nocase;
  bool   exact;             /* wildcards are characters */
  char   separator;
  InstId scope;
  Tcl_Interp *interp;       /* for regexp */
} Match;

Match match_default(const Session *s);

/* By name alone; false when there is none. */
bool match_exact(Session *s, uint32_t type, const char *name, ObjectArray *out);
/* Appends what the pattern matches, in the design's order.  FAILED for a bad regular expression
   only. */
Status match_pattern(Session *s, uint32_t type, const char *pattern, const Match *m,
                     ObjectArray *out);

/* Marks in keep those of some objects whose full names the pattern matches: stars go over
   separators here. *any: there is one. */
Status match_among(Session *s, const char *pattern, const Match *m, const ObjectArray *among,
                   bool *keep,
                   bool *any);

/* Appends what belongs to an object: pins of cells, cells of nets, ...; `leaf`: pins of the
   electrical net without those of hierarchical instances. */
Status match_of_object(Session *s, uint32_t type, Object of, bool leaf, ObjectArray *out);

/* Removes later duplicates. */
void objects_unique(ObjectArray *objects);

#endif
