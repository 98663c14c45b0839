/* Stores timing paths for scripts. They become stale at the next update of timing. The paths of one
   search are freed together, with the last Tcl value of any of them. */
#ifndef SL_TCLBIND_PATHS_H
#define SL_TCLBIND_PATHS_H

#include "tclbind/object_value.h"
#include "paths/path.h"
#include "paths/retime_bound.h"

/* Moves the paths of a list into the store and returns their objects, which the caller must make
   values of at once. Path.source is the ScenarioId. */
void path_store_add(Session *s, PathList *list, ObjectArray *objects);
bool path_is_alive(const Session *s, uint32_t id);
/* Returns the reference for values of a path, or NULL. */
ObjectRef *path_store_ref(const Session *s, uint32_t id);
/* Returns the list with a path, and its index there; paths of one search share a list. Returns NULL
   if the path is stale. */
const PathList *path_store_list(const Session *s, uint32_t id, uint32_t *index);
/* Returns the timing of a path that is not stale. */
const Timing *path_store_timing(const Session *s, const Path *path);
/* Call it when a text of the path was made. Its search then stays until the next update, even
   without values. If searches that are kept only for their texts take much memory, the oldest are
   freed. */
void path_store_hold(Session *s, uint32_t id);
void path_store_sweep(Session *s);          /* call it after a command: frees stale paths */
/* Returns the bounds that exhaustive searches share (paths/retime_bound.h). */
RetimeBounds *path_store_bounds(Session *s);
void path_store_forget(Session *s);         /* makes all paths stale */
void path_store_free(Session *s);

#endif
