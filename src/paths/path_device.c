/* Path search where a device helps: many paths of a forest that holds for all end points (without
   common path credit, which makes it another one for each capture).  The answers are the CPU's to
   the bit. */
#include <math.h>

#include "base/clock.h"
#include "timing/credit.h"
#include "device/device_paths.h"
#include "device/families.h"
#include "paths/path_private.h"

/* Data that later queries use again until numbers change, for queries without restrictions. */
struct PathCache {
  PathQuery    query[2];               /* of each side, asking for nothing */
  PathScope   *scope[2];
  PathForest  *forest[2];              /* grown so far */
  PathForest  *whole[2];
  FamilyRun    *device[2];             /* with the whole one */
  uint32_t      too_many;              /* searches for this many paths failed on the device and are
                                          not tried again */
};

static void free_side(PathCache *cache, int side)
{
  family_close(cache->device[side]);
  path_forest_free(cache->whole[side]);
  path_forest_free(cache->forest[side]);
  path_scope_free(cache->scope[side]);
}

static void free_cache(void *cache)
{
  PathCache *path_cache = cache;
  free_side(path_cache, EARLY);
  free_side(path_cache, LATE);
  mem_free(path_cache);
}

static PathCache *cache_of(const Timing *t)
{
  if (t->kept->data == NULL) {
    PathCache *cache = mem_alloc_zero(1, sizeof *cache);
    cache->too_many = UINT32_MAX;
    t->kept->data = cache;
    t->kept->free = free_cache;
  }
  return t->kept->data;
}

static const PathScope *cached_scope(const Timing *t, PathCache *cache, int side)
{
  if (cache->scope[side] == NULL) {
    cache->query[side].early_late = side;
    cache->scope[side] = path_scope_new(t, &cache->query[side]);
  }
  return cache->scope[side];
}

PathForest *path_cached_forest(const Timing *t, int side)
{
  PathCache *cache = cache_of(t);
  if (cache->forest[side] == NULL)
    cache->forest[side] = path_forest_new(cached_scope(t, cache, side), t->threads);
  return cache->forest[side];
}

/* --- search ----------------------------------------------------------------------------------- */
bool path_device_wanted(const Timing *t, const PathPlan *plan)
{
  return t->device.families && plan->deviations > 0
         && plan->most >= (uint32_t)t->device.options.least_paths && isinf(plan->least)
         && !common_active(t) && plan->most < cache_of(t)->too_many;
}

/* NULL: it failed. */
static FamilyRun *open_forest(const Timing *t, const PathForest *forest, DeviceError *error)
{
  ForestArrays a = { forest->states.at, forest->ways.links.at, forest->states.len,
                     forest->ways.links.len };
  FamilyRun *run = family_open(&paths_family, t->device.families, &t->device.options, t->threads);
  if (family_run(run, PATHS_PUT_FOREST, &a)) return run;
  *error = *family_error(run);
  family_close(run);
  return NULL;
}

static bool search(const PathForest *forest, FamilyRun *device, const PathPlan *plan,
                   DeviationAnswer *out, DeviceError *error)
{
  uint32_t *state = mem_alloc(((size_t)plan->count + 1) * sizeof *state);
  double *slack = mem_alloc(((size_t)plan->count + 1) * sizeof *slack);
  for (uint32_t i = 0; i < plan->count; i++) {
    state[i] = path_scope_state_index(forest->scope, plan->roots[i].end);
    slack[i] = plan->roots[i].slack;
  }
  DeviationTask task = { state,          plan->root_end, slack,       plan->count,
                         plan->ends,     plan->most,     plan->worst, plan->deviations,
                         plan->greatest, plan->plays };
  PathsCall call = { &task, out };
  bool done = family_run(device, PATHS_SEARCH, &call);
  if (!done) *error = *family_error(device);
  mem_free(state);
  mem_free(slack);
  return done;
}

static void take_answer(DeviationAnswer *answer, PathEffort *effort, PathTree *out)
{
  out->all.at = answer->at;
  out->all.len = out->all.cap = answer->count;
  array_resize(&out->order, answer->count);
  for (uint32_t i = 0; i < answer->count; i++) out->order.at[i] = i;
  effort->rounds += answer->rounds;
  effort->expanded += answer->expanded;
  effort->device_upload += answer->upload;
  effort->device_search += answer->search;
  effort->device_download += answer->download;
}

/* The forest that device searches of a scope take; its copy on the device is *device. */
static PathForest *device_forest(const Timing *t, const PathScope *scope, PathEffort *effort,
                                 FamilyRun **device, DeviceError *error)
{
  PathCache *cache = cache_of(t);
  int side = path_scope_early_late(scope);
  bool shared = !path_scope_limited(scope);
  double since = clock_seconds();
  PathForest *forest = shared ? cache->whole[side] : NULL;
  if (forest == NULL)
    forest = path_forest_whole(shared ? cached_scope(t, cache, side) : scope, t->threads);
  effort->forest += clock_seconds() - since;
  since = clock_seconds();
  *device = shared ? cache->device[side] : NULL;
  if (*device == NULL) *device = open_forest(t, forest, error);
  effort->device_upload += clock_seconds() - since;
  if (!shared) return forest;
  cache->whole[side] = forest;
  cache->device[side] = *device;
  return forest;
}

bool path_device_search(const Timing *t, const PathScope *scope, const PathPlan *plan,
                        PathAnswer *path_answer, Log *log)
{
  DeviceError error = { NULL, 0, "" };
  FamilyRun *device;
  DeviationAnswer answer = { 0 };
  PathForest *forest = device_forest(t, scope, path_answer->effort, &device, &error);
  bool shared = !path_scope_limited(scope),
       done = device && search(forest, device, plan, &answer, &error);
  if (done) take_answer(&answer, path_answer->effort, path_answer->tree);
  else cache_of(t)->too_many = device ? plan->most : 0;
  if (!done)
    log_warning(log, "CUDA-006", NOWHERE, "%s (%s, line %d); the CPU searches for paths instead",
                error.text, error.file, error.line);
  if (!shared || !done) family_close(device);
  if (shared && !done) cache_of(t)->device[path_scope_early_late(scope)] = NULL;
  path_answer->forest = forest;
  path_answer->owned = !shared;
  return done;
}
