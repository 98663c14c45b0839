/* Paths to latches whose two edges have credits of their own (math/latch.h).

   What is late is credited with the closing edge and all else with the opening one, so the paths to
   such a latch stand in two orders, and each is searched.  The search in the order of the closing
   edge finds the late ones.  The other one finds all, with late ones among them as if they were
   just in time: what the first search has found is left out.  Late paths have less slack than all
   others to their end, so that there are as many as were found, or enough of them to need no
   others. */
#include <math.h>
#include <stdlib.h>

#include "timing/derived.h"
#include "paths/path_private.h"

/* --- roots ------------------------------------------------------------------------------------ */
/* All paths: their slack is 0 until they come before the latch opens. */
static PathRoot opening_root(const PathScope *scope, const PathRoot *late, LatchTimes due)
{
  PathRoot r = *late;
  r.end.capture = due.opens;
  float after = path_scope_arrival(scope, r.end) - due.open;
  r.slack = after > 0 ? 0 : -after;
  r.play = after > 0 ? after : 0;
  return r;
}

bool path_latch_part(const Timing *t, const PathScope *scope, PathRoot *root, PathRoot *late)
{
  if (root->end_id == NO_PATH_END || root->end.capture == 0 || root->slack >= 0
      || t->g->ends.path_ends.at[root->end_id].type != END_LATCH_SETUP)
    return false;
  LatchTimes due = timing_latch_times(t, &t->g->ends.path_ends.at[root->end_id], root->end.edge);
  if (due.opens == due.closes || root->end.capture != due.closes) return false;
  *late = *root;
  *root = opening_root(scope, root, due);
  return true;
}

/* --- the same path in both lists -------------------------------------------------------------- */
/* Nodes of a pin where a path begins are no other paths (path_choices). */
static bool same_point(const PathPoint *a, const PathPoint *b, bool first, bool edges)
{
  return a->slot == b->slot && (!edges || (a->edge == b->edge && (first || a->node == b->node)));
}

bool path_latch_same(const PathList *list, const Path *p, const PathList *paths, const Path *q,
                     bool edges)
{
  if ((edges && p->end_id != q->end_id) || p->count != q->count) return false;
  for (uint32_t i = 0; i < p->count; i++)
    if (!same_point(&list->points.at[p->first + i], &paths->points.at[q->first + i], i == 0, edges))
      return false;
  return true;
}

static uint64_t digest_of(const PathList *list, const Path *path)
{
  uint64_t x = hash_pair(path->end_id, path->count);
  for (uint32_t i = 0; i < path->count; i++)
    x = hash_u64(
        x
        ^ hash_pair(list->points.at[path->first + i].slot, list->points.at[path->first + i].edge));
  return x;
}

typedef struct {
  uint64_t digest;
  uint32_t path;
} Digest;

static int by_digest(const void *pa, const void *pb)
{
  const Digest *a = pa, *b = pb;
  if (a->digest != b->digest) return a->digest < b->digest ? -1 : 1;
  return a->path < b->path ? -1 : a->path > b->path;
}

static Digest *digests_of(const PathList *list)
{
  uint32_t n = list->paths.len;
  Digest *digest = mem_alloc(((size_t)n + 1) * sizeof *digest);
  for (uint32_t i = 0; i < n; i++) digest[i] = (Digest){ digest_of(list, &list->paths.at[i]), i };
  if (n) qsort(digest, n, sizeof *digest, by_digest);
  return digest;
}

static bool is_among(const PathList *late, const Digest *digests, const PathList *list,
                     const Path *path)
{
  uint64_t digest = digest_of(list, path);
  uint32_t low = 0, high = late->paths.len;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (digests[middle].digest < digest) low = middle + 1;
    else high = middle;
  }
  for (; low < late->paths.len && digests[low].digest == digest; low++)
    if (path_latch_same(late, &late->paths.at[digests[low].path], list, path, true)) return true;
  return false;
}

/* --- one list of both ------------------------------------------------------------------------- */
typedef struct {
  const PathFound *of;
  uint32_t path, order;
} Candidate;
typedef ARRAY(Candidate) Candidates;

static const Path *path_of(const Candidate *candidate)
{
  return &candidate->of->list.paths.at[candidate->path];
}

static int by_slack(const void *pa, const void *pb)
{
  const Candidate *a = pa, *b = pb;
  double x = path_of(a)->slack, y = path_of(b)->slack;
  if (x != y) return x < y ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

static void gather(const PathFound *late, const PathFound *all, Candidates *list)
{
  Digest *digests = digests_of(&late->list);
  for (uint32_t i = 0; i < late->list.paths.len; i++)
    array_push(list, (Candidate){ late, i, list->len });
  for (uint32_t i = 0; i < all->list.paths.len; i++)
    if (!is_among(&late->list, digests, &all->list, &all->list.paths.at[i]))
      array_push(list, (Candidate){ all, i, list->len });
  if (list->len) qsort(list->at, list->len, sizeof *list->at, by_slack);
  mem_free(digests);
}

static void copy_path(const Candidate *candidate, PathList *out)
{
  Path p = *path_of(candidate);
  uint32_t first = out->points.len;
  array_resize(&out->points, (uint64_t)first + p.count);
  memcpy(out->points.at + first, candidate->of->list.points.at + p.first,
         p.count * sizeof *out->points.at);
  p.first = first;
  array_push(&out->paths, p);
}

void path_latch_merge(const PathFound *late, const PathFound *all, const PathPlan *plan,
                      PathList *out)
{
  Candidates list = { 0 };
  uint32_t *taken = mem_alloc_zero((size_t)plan->ends + 1, sizeof *taken), most = plan->most;
  gather(late, all, &list);
  for (uint32_t i = 0; i < list.len && most > 0; i++) {
    const Candidate *candidate = &list.at[i];
    if (taken[candidate->of->end[candidate->path]]++ >= plan->worst
        || path_of(candidate)->slack < plan->least)
      continue;
    copy_path(candidate, out);
    most--;
  }
  mem_free(taken);
  array_free(&list);
}
