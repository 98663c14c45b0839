/* Filters: expressions over properties, as -filter takes them.

     direction == input && (is_clock || @name =~ clk*) && !is_hierarchical

   A bare name is true when the property is; == != < <= > >= compare numbers as numbers and the rest
   as text (in natural order), =~ and !~ match a glob pattern in which brackets are characters, or a
   regular expression for the whole text; defined(name) and undefined(name) ask whether the object
   has a value.  Where a value has two names (in, input), either is equal to it.

   What compares a property that an object's type does not have is neither true nor false, and so is
   what depends on it: such objects are not kept, whether the comparison is negated or not. */
#ifndef SL_TCLBIND_FILTER_H
#define SL_TCLBIND_FILTER_H

#include "tclbind/session.h"

typedef struct Filter Filter;

enum { FILTER_REGEXP = 1, FILTER_NOCASE = 2 };            /* how =~ and !~ compare */

typedef struct {
  const char *command;
  Where       where;
  unsigned    flags;
  unsigned    kinds;                                       /* of objects that it is for: properties
                                                              that none of them has draw a
                                                              warning */
} FilterUse;

/* NULL with the error in the log */
Filter *filter_new(Session *s, const char *text, const FilterUse *use);
void    filter_free(Filter *f);
Status  filter_objects(Filter *f, ObjectArray *objects);  /* removes what it does not keep; FAILED:
                                                             a property failed */

#endif
