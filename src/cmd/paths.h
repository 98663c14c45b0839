/* Timing paths that the session holds for scripts: until the next update of timing, then they are stale. */
#ifndef SL_CMD_PATHS_H
#define SL_CMD_PATHS_H

#include "cmd/session.h"
#include "query/path.h"
#include "query/retime_bound.h"

/* Moves the paths of a list into the store and gives their objects.  Path.source is the ScenarioId of each. */
void path_store_add(Session *s, PathList *list, ObjectArray *objects);
bool path_is_alive(const Session *s, uint32_t id);
/* The list that holds a living path, and its index there. */
const PathList *path_store_list(const Session *s, uint32_t id, uint32_t *index);
/* The timing that a living path belongs to. */
const Timing *path_store_timing(const Session *s, const Path *p);
/* What exhaustive searches share (query/retime_bound.h). */
RetimeBounds *path_store_bounds(Session *s);
void path_store_forget(Session *s);         /* all are stale from now on */
void path_store_free(Session *s);

#endif
