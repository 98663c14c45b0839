/* Timing paths that the session holds for scripts: until the next update of timing, then they are
   stale.  Those of one search are freed together, with the last Tcl value of one of them. */
#ifndef SL_TCLBIND_PATHS_H
#define SL_TCLBIND_PATHS_H

#include "tclbind/object_value.h"
#include "paths/path.h"
#include "paths/retime_bound.h"

/* Moves the paths of a list into the store and gives their objects, which are to become values at
   once.  Path.source is the ScenarioId of each. */
void path_store_add(Session *s, PathList *list, ObjectArray *objects);
bool path_is_alive(const Session *s, uint32_t id);
/* What values of a path point at; NULL. */
ObjectRef *path_store_ref(const Session *s, uint32_t id);
/* The list that holds a living path, and its index there; paths of one search share a list.  NULL:
   stale. */
const PathList *path_store_list(const Session *s, uint32_t id, uint32_t *index);
/* The timing that a living path belongs to. */
const Timing *path_store_timing(const Session *s, const Path *p);
/* A text of the path was made: its search stays until the next update, though no value of it may be
   left. Of searches that are held for their texts alone the oldest go where they take much
   memory. */
void path_store_hold(Session *s, uint32_t id);
void path_store_sweep(Session *s);          /* after a command: frees what an update made stale */
/* What exhaustive searches share (paths/retime_bound.h). */
RetimeBounds *path_store_bounds(Session *s);
void path_store_forget(Session *s);         /* all are stale from now on */
void path_store_free(Session *s);

#endif
