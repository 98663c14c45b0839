/* Filters: expressions over properties, as -filter takes them.

     direction == input && (is_clock || @name =~ clk*) && !is_hierarchical

   A bare name is true when the property is; == != < <= > >= compare numbers as numbers and the rest as
   text (in natural order), =~ and !~ match a glob pattern in which brackets are characters, or a regular expression for the
   whole text; defined(name) and undefined(name) ask whether the object has a value. */
#ifndef SL_CMD_FILTER_H
#define SL_CMD_FILTER_H

#include "cmd/session.h"

typedef struct Filter Filter;

enum { FILTER_REGEXP = 1, FILTER_NOCASE = 2 };            /* how =~ and !~ compare */

Filter *filter_new(Session *s, const char *text, unsigned flags);       /* NULL with the error in the log */
void    filter_free(Filter *f);
Status  filter_keeps(Filter *f, Object o, bool *keep);    /* FAILED: unknown property, or it failed itself */
Status  filter_objects(Filter *f, ObjectArray *objects);  /* removes what it does not keep */

#endif
