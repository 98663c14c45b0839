/* Follows edits on the device: memory, kernels, and the order of kernels (see cuda/follow.h). */
#include "cuda/follow.h"
#include "cuda/private.h"

struct FollowMemory {
  FollowView view;
  char    *block;
  size_t   bytes;
  uint32_t blocks;                 /* number of blocks of a kernel */
  FollowPlace *edited;                /* on the device: the drivers that an edit begins with */
  FollowControl *control;          /* on the host: how the last kernel ended */
  EndSum   *sums;                  /* on the host: the sums of slacks after it */
  FollowedValue *values[RECORDED_KINDS];
};

typedef struct FollowMemory FollowMemory;

#define SL_FOLLOWED(f) SL_GIVEN(FollowView, f)

/* --- kernels ---------------------------------------------------------------------------------- */
SL_KERNEL forget_marks(SL_VIEW(v), SL_FOLLOWED(f))
{
  SL_EACH(i, v.f.count.drivers) f.mark[FORWARD][i] = f.mark[BACKWARD][i] = 0;
}

SL_KERNEL empty_lists(SL_VIEW(v), SL_FOLLOWED(f))
{
  SL_EACH(i, v.f.count.levels)
  {
    f.count[FORWARD][i] = f.count[BACKWARD][i] = f.stop[i] = 0;
    if (i == 0) memset(f.control, 0, sizeof *f.control);
  }
}

SL_HD void push_edit(const FlatView *view, const FollowView *follow_view, uint32_t i,
                     FollowPlace driver)
{
  if (i == 0) follow_view->control->begun = lane_clock();
  for (int way = FORWARD; way <= BACKWARD && driver.place != FLAT_NONE; way++)
    follow_push(view, follow_view, way, driver);
}

/* An edit with at most this many drivers passes them as an argument, without a copy of their
   own. */
enum { FEW = 16 };
typedef struct { FollowPlace at[FEW]; } FewPlaces;

SL_KERNEL push_few(SL_VIEW(v), SL_FOLLOWED(f), FewPlaces drivers, uint32_t count)
{
  SL_EACH(i, count) push_edit(&v, &f, i, drivers.at[i]);
}

SL_KERNEL push_edited(SL_VIEW(v), SL_FOLLOWED(f), const FollowPlace *drivers, uint32_t count)
{
  SL_EACH(i, count) push_edit(&v, &f, i, drivers[i]);
}

SL_GRID_KERNEL follow_forward(SL_VIEW(v), SL_FOLLOWED(f)) { follow_levels(&v, &f, FORWARD); }
SL_GRID_KERNEL follow_backward(SL_VIEW(v), SL_FOLLOWED(f)) { follow_levels(&v, &f, BACKWARD); }

/* --- memory ----------------------------------------------------------------------------------- */
static void place_follow(FollowMemory *memory, Room *room)
{
  FollowView *view = &memory->view;
  const FlatFollow *follow = &view->f;
#define PLACE(type, name, count) view->f.name = \
    (const type *)take_room(room, (size_t)(count) * sizeof(type));
  FOLLOW_ARRAYS(PLACE)
#undef PLACE
  for (int way = FORWARD; way <= BACKWARD; way++) {
    view->list[way] = (uint32_t *)take_room(room, follow->driver_count * sizeof(uint32_t));
    view->mark[way] = (uint32_t *)take_room(room, follow->driver_count * sizeof(uint32_t));
    view->count[way] = (uint32_t *)take_room(room, (follow->level_count + WARP) * sizeof(uint32_t));
  }
  view->stop = (uint32_t *)take_room(room, follow->level_count * sizeof(uint32_t));
  view->before =
      (Cond4 *)take_room(room, (size_t)memory->blocks * view->before_size * sizeof(Cond4));
  view->values[RECORDED_PATH_ENDS] =
      (FollowedValue *)take_room(room, follow->path_end_count * sizeof(FollowedValue));
  view->values[RECORDED_MARGINS] =
      (FollowedValue *)take_room(room, follow->check_count * sizeof(FollowedValue));
  view->control = (FollowControl *)take_room(room, sizeof *view->control);
  memory->edited = (FollowPlace *)take_room(room, follow->driver_count * sizeof(FollowPlace));
}

static void copy_follow(Device *d, const FlatFollow *follow)
{
  const FollowView *view = &d->design->follow->view;
#define PUT(type, name, count) device_put(d, (void *)view->f.name, follow->name, \
    (size_t)(count) * sizeof(type));
  FOLLOW_ARRAYS(PUT)
#undef PUT
}

/* Blocks on a multiprocessor. More blocks wait longer for each other, and an edit has few drivers
   in a level. */
enum { GRID_BLOCKS = 1 };

static uint32_t most_blocks(Device *d)
{
  uint32_t forward = SL_MOST_BLOCKS(d, GRID_BLOCKS, follow_forward),
           backward = SL_MOST_BLOCKS(d, GRID_BLOCKS, follow_backward);
  return forward < backward ? forward : backward;
}

/* Returns the number of drivers, in either direction, from which on a whole update is faster. */
static uint32_t most_followed(const Device *d)
{
  return (uint32_t)device_setting("edits=", d->design->f->count.drivers / 64 + 1024);
}

static size_t sum_bytes(const Device *d)
{
  return 2 * end_block_count(d->design->f->count.summed_slots) * sizeof(EndSum);
}

static FollowMemory *new_follow(Device *d, const FlatFollow *follow, uint32_t blocks)
{
  FollowMemory *memory = (FollowMemory *)mem_alloc_zero(1, sizeof *memory);
  memory->view.f = *follow;
  memory->view.before_size = 2 * follow->most_slots + follow->most_nodes;
  memory->view.most = most_followed(d);
  memory->blocks = blocks;
  memory->control = (FollowControl *)device_shared_block(d, sizeof *memory->control);
  memory->sums = (EndSum *)device_shared_block(d, sum_bytes(d));
  memory->values[RECORDED_PATH_ENDS] =
      (FollowedValue *)mem_alloc(((size_t)follow->path_end_count + 1) * sizeof(FollowedValue));
  memory->values[RECORDED_MARGINS] =
      (FollowedValue *)mem_alloc(((size_t)follow->check_count + 1) * sizeof(FollowedValue));
  return memory;
}

void device_free_follow(Device *d)
{
  FollowMemory *memory = d->design->follow;
  if (memory == NULL) return;
  device_release(d, memory->block);
  d->design->use.edit_bytes -= memory->bytes;
  for (int kind = RECORDED_PATH_ENDS; kind <= RECORDED_MARGINS; kind++)
    mem_free(memory->values[kind]);
  device_release_shared(d, (char *)memory->control);
  device_release_shared(d, (char *)memory->sums);
  mem_free(memory);
  d->design->follow = NULL;
}

/* A whole update resumes where following stops, so nothing is computed twice.  Following stops as
   soon as a whole update would have come to the same place in the same time: the trees and the
   levels up to there.  So no edit takes longer than a whole update.  A part of these times is set
   apart, at least the time until the host knows and the device has begun again.  The time that the
   host has spent on reducing nets counts. */
#define PART_APART   0.2
#define LEAST_APART  150e-6

static uint64_t patience(double seconds, double spent)
{
  double apart = PART_APART * seconds > LEAST_APART ? PART_APART * seconds : LEAST_APART,
         left = seconds - apart - spent;
  return left > 0 ? (uint64_t)(1e9 * left) + 1 : 1;
}

static void set_patience(Device *d, double spent)
{
  FollowView *view = &d->design->follow->view;
  device_take_time(d, DEVICE_NETS);
  device_take_time(d, DEVICE_FORWARD);
  double nets = d->design->use.phase[DEVICE_NETS], forward = d->design->use.phase[DEVICE_FORWARD];
  if (device_is_set("edits=")) return;
  view->patience[FORWARD] = patience(nets, spent);
  view->forward_patience = (uint64_t)(1e9 * (1 - PART_APART) * forward);
  view->patience[BACKWARD] = patience(nets + forward, spent);
}

static void start_edited(Device *d, const FollowPlace *drivers, uint32_t count)
{
  FollowMemory *memory = d->design->follow;
  FewPlaces few = { { { 0, 0 } } };
  if (count <= FEW) {
    memcpy(few.at, drivers, count * sizeof *drivers);
    SL_START(d, count, push_few, d->design->view, memory->view, few, count);
    return;
  }
  device_put(d, memory->edited, drivers, count * sizeof *drivers);
  SL_START(d, count, push_edited, d->design->view, memory->view,
           (const FollowPlace *)memory->edited, count);
}

/* Starts the following of an edit. The lists are empty before it. They are emptied again after
   it, when nobody waits. */
static void start_follow(Device *d, const FollowEdit *edit)
{
  FollowMemory *memory = d->design->follow;
  set_patience(d, edit->spent);
  start_edited(d, edit->drivers, edit->count);
  start_edited_trees(d, &edit->trees);      /* its time counts, because the edit has begun */
  SL_START_GRID(d, memory->blocks, follow_forward, d->design->view, memory->view);
  SL_START_GRID(d, memory->blocks, follow_backward, d->design->view, memory->view);
}

static void get_answer(Device *d)
{
  FollowMemory *memory = d->design->follow;
  start_end_sums(d);
  device_get(d, memory->control, memory->view.control, sizeof *memory->control);
  device_get(d, memory->sums, d->design->view.n.end_sums, sum_bytes(d));
}

/* Empties the lists. stopped: following stopped, so lists are not empty. */
static void start_clean(Device *d, bool stopped)
{
  if (stopped)
    SL_START(d, d->design->f->count.drivers, forget_marks, d->design->view,
             d->design->follow->view);
  SL_START(d, d->design->f->count.levels, empty_lists, d->design->view, d->design->follow->view);
}

/* Follows an edit without drivers, so that the first real edit waits neither for kernels to be
   loaded nor for memory of its patches. */
static void warm_up(Device *d)
{
  const FollowPlace none = { FLAT_NONE, 0 };
  FollowEdit edit = { &none, 1, { NULL, NULL, NULL, 0, 0, 0 }, 0, false };
  start_follow(d, &edit);
  get_answer(d);
  device_finish(d, 0);
  start_clean(d, false);
  device_warm_patches(d, d->design->follow->view.f.most_slots);
  device_plan_parts(d);
}

bool device_begin_following(Device *d, const FlatFollow *follow)
{
  Room none = { NULL, 0 };
  if (!device_enter(d, "follow")) return false;
  FollowMemory *memory = d->design->follow = new_follow(d, follow, most_blocks(d));
  place_follow(memory, &none);
  memory->block = memory->blocks && memory->control && memory->sums && device_has_room(d, none.at)
                      ? device_block(d, none.at)
                      : NULL;
  if (memory->block == NULL) {
    device_free_follow(d);
    return d->error.file == NULL;
  }
  Room room = { memory->block, 0 };
  place_follow(memory, &room);
  memory->bytes = room.at;
  d->design->use.edit_bytes += room.at;
  copy_follow(d, follow);
  warm_up(d);
  return d->error.file == NULL;
}

/* --- an edit ---------------------------------------------------------------------------------- */
bool device_is_following(const Device *d) { return d->design->follow != NULL; }

static void get_values(Device *d, int kind)
{
  FollowMemory *memory = d->design->follow;
  device_get(d, memory->values[kind], memory->view.values[kind],
             memory->control->recorded[kind] * sizeof(FollowedValue));
}

static Followed followed(const FollowMemory *memory)
{
  const FollowControl *control = memory->control;
  Followed f = { (control->stopped[FORWARD] & STOP_REACH) == 0,
                 control->stopped[BACKWARD] == 0,
                 control->reached[FORWARD],
                 control->reached[BACKWARD],
                 memory->values[RECORDED_PATH_ENDS],
                 memory->values[RECORDED_MARGINS],
                 control->recorded[RECORDED_PATH_ENDS],
                 control->recorded[RECORDED_MARGINS],
                 memory->sums };
  return f;
}

bool device_follow_edit(Device *d, const FollowEdit *edit, Followed *out)
{
  FollowMemory *memory = d->design->follow;
  double since = device_now();
  if (!device_enter(d, "follow")) return false;
  d->design->sums_asked = false;
  start_follow(d, edit);
  get_answer(d);
  d->design->use.follow = device_finish(d, since);
  if (d->error.file) return false;
  *out = followed(memory);
  if (memory->control->stopped[FORWARD] == STOP_EFFORT)
    device_forward_from(d, memory->control->level + 1);
  start_clean(d, !out->backward);
  if (!edit->values || !out->backward) return d->error.file == NULL;
  for (int kind = RECORDED_PATH_ENDS; kind <= RECORDED_MARGINS; kind++) get_values(d, kind);
  d->design->use.follow = device_finish(d, since);
  return d->error.file == NULL;
}
