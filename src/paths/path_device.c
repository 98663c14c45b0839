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

static void free_side(PathCache *c, int side)
{
  family_close(c->device[side]);
  path_forest_free(c->whole[side]);
  path_forest_free(c->forest[side]);
  path_scope_free(c->scope[side]);
}

static void free_cache(void *cache)
{
  PathCache *c = cache;
  free_side(c, EARLY);
  free_side(c, LATE);
  mem_free(c);
}

static PathCache *cache_of(const Timing *t)
{
  if (t->kept->data == NULL) {
    PathCache *c = mem_alloc_zero(1, sizeof *c);
    c->too_many = UINT32_MAX;
    t->kept->data = c;
    t->kept->free = free_cache;
  }
  return t->kept->data;
}

static const PathScope *cached_scope(const Timing *t, PathCache *c, int side)
{
  if (c->scope[side] == NULL) {
    c->query[side].early_late = side;
    c->scope[side] = path_scope_new(t, &c->query[side]);
  }
  return c->scope[side];
}

PathForest *path_cached_forest(const Timing *t, int side)
{
  PathCache *c = cache_of(t);
  if (c->forest[side] == NULL)
    c->forest[side] = path_forest_new(cached_scope(t, c, side), t->threads);
  return c->forest[side];
}

/* --- search ----------------------------------------------------------------------------------- */
bool path_device_wanted(const Timing *t, const PathPlan *plan)
{
  return t->device.families && plan->deviations > 0
         && plan->most >= (uint32_t)t->device.options.least_paths && isinf(plan->least)
         && !common_active(t) && plan->most < cache_of(t)->too_many;
}

/* NULL: it failed. */
static FamilyRun *open_forest(const Timing *t, const PathForest *f, DeviceError *error)
{
  ForestArrays a = { f->states.at, f->ways.links.at, f->states.len, f->ways.links.len };
  FamilyRun *r = family_open(&paths_family, t->device.families, &t->device.options, t->threads);
  if (family_run(r, PATHS_PUT_FOREST, &a)) return r;
  *error = *family_error(r);
  family_close(r);
  return NULL;
}

static bool search(const PathForest *f, FamilyRun *device, const PathPlan *plan,
                   DeviationAnswer *out, DeviceError *error)
{
  uint32_t *state = mem_alloc(((size_t)plan->count + 1) * sizeof *state);
  double *slack = mem_alloc(((size_t)plan->count + 1) * sizeof *slack);
  for (uint32_t i = 0; i < plan->count; i++) {
    state[i] = path_scope_place(f->scope, plan->roots[i].end);
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

static void take_answer(DeviationAnswer *a, PathEffort *effort, PathTree *out)
{
  out->all.at = a->at;
  out->all.len = out->all.cap = a->count;
  array_resize(&out->order, a->count);
  for (uint32_t i = 0; i < a->count; i++) out->order.at[i] = i;
  effort->rounds += a->rounds;
  effort->expanded += a->expanded;
  effort->device_upload += a->upload;
  effort->device_search += a->search;
  effort->device_download += a->download;
}

/* The forest that device searches of a scope take; its copy on the device is *device. */
static PathForest *device_forest(const Timing *t, const PathScope *scope, PathEffort *effort,
                                 FamilyRun **device, DeviceError *error)
{
  PathCache *c = cache_of(t);
  int side = path_scope_early_late(scope);
  bool shared = !path_scope_limited(scope);
  double since = clock_seconds();
  PathForest *f = shared ? c->whole[side] : NULL;
  if (f == NULL) f = path_forest_whole(shared ? cached_scope(t, c, side) : scope, t->threads);
  effort->forest += clock_seconds() - since;
  since = clock_seconds();
  *device = shared ? c->device[side] : NULL;
  if (*device == NULL) *device = open_forest(t, f, error);
  effort->device_upload += clock_seconds() - since;
  if (!shared) return f;
  c->whole[side] = f;
  c->device[side] = *device;
  return f;
}

bool path_device_search(const Timing *t, const PathScope *scope, const PathPlan *plan,
                        PathAnswer *a, Log *log)
{
  DeviceError error = { NULL, 0, "" };
  FamilyRun *device;
  DeviationAnswer answer = { 0 };
  PathForest *f = device_forest(t, scope, a->effort, &device, &error);
  bool shared = !path_scope_limited(scope),
       done = device && search(f, device, plan, &answer, &error);
  if (done) take_answer(&answer, a->effort, a->tree);
  else cache_of(t)->too_many = device ? plan->most : 0;
  if (!done)
    log_warning(log, "CUDA-006", NOWHERE, "%s (%s, line %d); the CPU searches for paths instead",
                error.text, error.file, error.line);
  if (!shared || !done) family_close(device);
  if (shared && !done) cache_of(t)->device[path_scope_early_late(scope)] = NULL;
  a->forest = f;
  a->owned = !shared;
  return done;
}
