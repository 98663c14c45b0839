/* Filters: expressions over properties, as -filter takes them.

     direction == input && (is_clock || @name =~ clk*) && !is_hierarchical

   A bare name is true if the property is true.  == != < <= > >= compare numbers as numbers and
   other values as text, in natural order.  =~ and !~ match a glob pattern, in which brackets are
   ordinary characters, or a regular expression for the whole text.  defined(name) and
   undefined(name) test whether the object has a value.  A value with two names (in, input) is equal
   to both.

   If an object's type does not have a property, a comparison of this property is neither true nor
   false, and so is an expression that depends on it.  Such objects are removed, whether the
   comparison is negated or not. */
#ifndef SL_TCLBIND_FILTER_H
#define SL_TCLBIND_FILTER_H

#include "tclbind/session.h"

typedef struct Filter Filter;

enum { FILTER_REGEXP = 1, FILTER_NOCASE = 2 };            /* how =~ and !~ compare */

typedef struct {
  const char *command;
  Where       where;
  unsigned    flags;
  unsigned    kinds;                                       /* kinds of the objects to filter; a
                                                              property that no such kind has draws a
                                                              warning */
} FilterUse;

/* returns NULL, with the error in the log, if the text is wrong */
Filter *filter_new(Session *s, const char *text, const FilterUse *use);
void    filter_free(Filter *filter);
Status filter_objects(Filter *filter,
                      ObjectArray *objects); /* removes the objects that do not match;
                                                             FAILED if a property fails */

#endif
