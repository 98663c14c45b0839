/* Runs of narrow levels: one kernel for each run, and one before it (see narrow.h). */
#include "cuda/narrow.h"
#include "cuda/private.h"

enum { GATHER_THREADS = 128, RUN_THREADS = 256 };

SL_KERNEL gather_edges(SL_VIEW(v), NarrowRun run)
{
  SL_BLOCKS(b, NARROW_PARTS * (run.end - run.first)) narrow_gather_edges(&v, run, b);
}

SL_KERNEL gather_outs(SL_VIEW(v), NarrowRun run)
{
  SL_BLOCKS(b, NARROW_PARTS * (run.end - run.first)) narrow_gather_outs(&v, run, b);
}

/* The memory that the emulation has for all parts of a level, for the widest levels that are
   allowed. */
enum {
  STAGE_PIECES =
      NARROW_PARTS
      * (NARROW_RING
         + NARROW_LANES * (2 * sizeof(NarrowEdge) + 3 * sizeof(NarrowNumber)) / sizeof(NarrowPart))
};

SL_KERNEL run_forward(SL_VIEW(v), NarrowRun run, NarrowRoom room)
{
  SL_STAGE(NarrowPart, stage, STAGE_PIECES);
  narrow_run(&v, run, FLAT_FORWARD, (char *)stage, room);
}

SL_KERNEL run_backward(SL_VIEW(v), NarrowRun run, NarrowRoom room)
{
  SL_STAGE(NarrowPart, stage, STAGE_PIECES);
  narrow_run(&v, run, FLAT_BACKWARD, (char *)stage, room);
}

/* A run of narrow levels. It is empty if there is none, or if it does not fit into the memory of
   blocks. */
typedef struct {
  NarrowRun  run;
  NarrowRoom room;
} SizedRun;

static bool is_narrow(const Device *d, uint32_t level, int way)
{
  return narrow_parts_of(d->design->f, way, level)->first != FLAT_NONE;
}

static void widen(SizedRun *run, const NarrowPart *parts)
{
  for (int p = 0; p < NARROW_PARTS; p++) {
    if (parts[p].lanes > run->room.lanes) run->room.lanes = parts[p].lanes;
    if (narrow_numbers(&parts[p]) > run->room.numbers)
      run->room.numbers = narrow_numbers(&parts[p]);
  }
}

static bool has_room(Device *d, size_t bytes, int way)
{
  if (bytes > device_stage_room(d)) return false;
  return way == FLAT_FORWARD ? SL_PARTS_FIT(d, NARROW_PARTS, RUN_THREADS, bytes, run_forward)
                             : SL_PARTS_FIT(d, NARROW_PARTS, RUN_THREADS, bytes, run_backward);
}

/* Returns the run that begins at a place between levels, in the given direction. at: number of
   levels before the place. */
static SizedRun run_at(Device *d, uint32_t at, int way)
{
  SizedRun r = { { at, at }, { 0, 0 } };
  if (way == FLAT_FORWARD)
    while (r.run.end < d->design->f->count.levels && is_narrow(d, r.run.end, way)) r.run.end++;
  else
    while (r.run.first > 0 && is_narrow(d, r.run.first - 1, way)) r.run.first--;
  for (uint32_t l = r.run.first; l < r.run.end; l++)
    widen(&r, narrow_parts_of(d->design->f, way, l));
  if (r.run.first < r.run.end && !has_room(d, narrow_memory_bytes(r.room, way), way))
    r.run.first = r.run.end;
  return r;
}

static uint32_t run_levels(const SizedRun *run) { return run->run.end - run->run.first; }

uint32_t start_narrow_forward(Device *d, uint32_t level)
{
  SizedRun r = run_at(d, level, FLAT_FORWARD);
  if (run_levels(&r))
    SL_START_PARTS(d, NARROW_PARTS, RUN_THREADS, narrow_memory_bytes(r.room, FLAT_FORWARD),
                   run_forward, d->design->view, r.run, r.room);
  return level + run_levels(&r);
}

uint32_t start_narrow_backward(Device *d, uint32_t left)
{
  SizedRun r = run_at(d, left, FLAT_BACKWARD);
  if (run_levels(&r))
    SL_START_PARTS(d, NARROW_PARTS, RUN_THREADS, narrow_memory_bytes(r.room, FLAT_BACKWARD),
                   run_backward, d->design->view, r.run, r.room);
  return left - run_levels(&r);
}

void start_before_forward(Device *d, uint32_t level)
{
  while (level < d->design->f->count.levels) {
    SizedRun r = run_at(d, level, FLAT_FORWARD);
    SL_START_BLOCKS(d, d->stream, NARROW_PARTS * run_levels(&r), GATHER_THREADS, gather_edges,
                    d->design->view, r.run);
    level += run_levels(&r) ? run_levels(&r) : 1;
  }
}

void start_before_backward(Device *d)
{
  for (uint32_t left = d->design->f->count.levels; left > 0;) {
    SizedRun r = run_at(d, left, FLAT_BACKWARD);
    SL_START_BLOCKS(d, d->stream, NARROW_PARTS * run_levels(&r), GATHER_THREADS, gather_outs,
                    d->design->view, r.run);
    left -= run_levels(&r) ? run_levels(&r) : 1;
  }
}
