/* Finds objects by names and patterns, for get_* and for names in options.

   A pattern is matched level by level from the current instance: `*` and `?` match within one name.
   A name may contain the separator (flattened netlists); it is then matched with as many levels of
   the pattern. Brackets are bits of buses, not sets; \x is x. The name of a bus stands for its
   bits. Exact names are found by db/netlist_find.c, where a backslash counts only before a bracket
   or separator and at the beginning of a name. */
#ifndef SL_TCLBIND_MATCH_H
#define SL_TCLBIND_MATCH_H

#include <tcl.h>

#include "tclbind/session.h"

typedef struct {
  bool   hierarchical;      /* matches local names at all levels, or full names if the pattern has a
                               separator */
  bool   regexp;            /* the pattern is a Tcl regular expression for the whole name */
  bool   nocase;
  bool   exact;             /* wildcards are ordinary characters */
  char   separator;
  InstId scope;
  Tcl_Interp *interp;       /* for regexp */
} Match;

Match match_default(const Session *s);

/* Finds objects by exact name. Returns false if there is none. */
bool match_exact(Session *s, uint32_t type, const char *name, ObjectArray *out);
/* Returns true if the name is that of a cell and of no clock, port or pin: they come first where a
   name may stand for any object. Names with a separator or a backslash are left to match_exact. */
bool match_cell_first(const Session *s, const char *name, Object *object);
/* Appends the objects that a pattern matches, in the design's order. Returns FAILED only for a bad
   regular expression. */
Status match_pattern(Session *s, uint32_t type, const char *pattern, const Match *match,
                     ObjectArray *out);

/* Marks in `keep` the objects of `among` whose full names the pattern matches; here * also matches
   separators. *any says whether there is one. */
Status match_among(Session *s, const char *pattern, const Match *match, const ObjectArray *among,
                   bool *keep, bool *any);

/* Appends the objects of a type that belong to an object: pins of cells, cells of nets, and so on.
   With `leaf`, the pins of the electrical net without those of hierarchical instances. */
Status match_of_object(Session *s, uint32_t type, Object of, bool leaf, ObjectArray *out);

/* Removes later duplicates. */
void objects_unique(ObjectArray *objects);

#endif
