/* Paths of several scenarios as one list. */
#ifndef SL_PATHS_PATH_MERGE_H
#define SL_PATHS_PATH_MERGE_H

#include "paths/path.h"

/* The paths from `first` on were found by one query in several scenarios, each with all that the
   query asks for; timings has those of Path.source.  What is left is what the query asks for over
   all: so many to each end point, of each group, in all, the worst first.  Groups of different
   modes are one when they have the same name.  Nothing is missed: a scenario's paths behind its own
   limits have at least as many worse ones before them in the merged list. */
void query_merge_paths(PathList *l, uint32_t first, const PathQuery *q,
                       const Timing *const *timings);

#endif
