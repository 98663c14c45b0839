/* Filters: expressions over properties, as -filter takes them.

     direction == input && (is_clock || @name =~ clk*) && !is_hierarchical

   A bare name is true when the property is; == != < <= > >= compare numbers as numbers and the rest as
   text (in natural order), =~ and !~ match a glob pattern in which brackets are characters. */
#ifndef SL_CMD_FILTER_H
#define SL_CMD_FILTER_H

#include "cmd/session.h"

typedef struct Filter Filter;

Filter *filter_new(Session *s, const char *text);        /* NULL with the error in the log */
void    filter_free(Filter *f);
Status  filter_keeps(Filter *f, Object o, bool *keep);    /* FAILED: unknown property, or it failed itself */
Status  filter_objects(Filter *f, ObjectArray *objects);  /* removes what it does not keep */

#endif
