/* Merges paths of several scenarios to one list. */
#ifndef SL_PATHS_PATH_MERGE_H
#define SL_PATHS_PATH_MERGE_H

#include "paths/path.h"

/* The paths from `first` on are the complete results of one query in several scenarios; timings is
   indexed by Path.source. The limits of the query (for each endpoint, for each group, in all) are
   now applied to the whole list, the worst paths first. Groups of different modes count as one if
   they have the same name. The result is complete: a path beyond the limits of its scenario has at
   least as many worse paths before it in the merged list. */
void query_merge_paths(PathList *list, uint32_t first, const PathQuery *query,
                       const Timing *const *timings);

#endif
