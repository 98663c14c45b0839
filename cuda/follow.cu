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

SL_HD void push_edit(const FlatView *v, const FollowView *f, uint32_t i, FollowPlace driver)
{
  if (i == 0) f->control->begun = lane_clock();
  for (int way = FORWARD; way <= BACKWARD && driver.place != FLAT_NONE; way++)
    follow_push(v, f, way, driver);
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
static void place_follow(FollowMemory *m, Room *r)
{
  FollowView *w = &m->view;
  const FlatFollow *f = &w->f;
#define PLACE(type, name, count) w->f.name = \
    (const type *)take_room(r, (size_t)(count) * sizeof(type));
  FOLLOW_ARRAYS(PLACE)
#undef PLACE
  for (int way = FORWARD; way <= BACKWARD; way++) {
    w->list[way] = (uint32_t *)take_room(r, f->driver_count * sizeof(uint32_t));
    w->mark[way] = (uint32_t *)take_room(r, f->driver_count * sizeof(uint32_t));
    w->count[way] = (uint32_t *)take_room(r, (f->level_count + WARP) * sizeof(uint32_t));
  }
  w->stop = (uint32_t *)take_room(r, f->level_count * sizeof(uint32_t));
  w->before = (Cond4 *)take_room(r, (size_t)m->blocks * w->before_size * sizeof(Cond4));
  w->values[RECORDED_PATH_ENDS] =
      (FollowedValue *)take_room(r, f->path_end_count * sizeof(FollowedValue));
  w->values[RECORDED_MARGINS] =
      (FollowedValue *)take_room(r, f->check_count * sizeof(FollowedValue));
  w->control = (FollowControl *)take_room(r, sizeof *w->control);
  m->edited = (FollowPlace *)take_room(r, f->driver_count * sizeof(FollowPlace));
}

static void copy_follow(Device *d, const FlatFollow *f)
{
  const FollowView *w = &d->design->follow->view;
#define PUT(type, name, count) device_put(d, (void *)w->f.name, f->name, \
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

static FollowMemory *new_follow(Device *d, const FlatFollow *f, uint32_t blocks)
{
  FollowMemory *m = (FollowMemory *)mem_alloc_zero(1, sizeof *m);
  m->view.f = *f;
  m->view.before_size = 2 * f->most_slots + f->most_nodes;
  m->view.most = most_followed(d);
  m->blocks = blocks;
  m->control = (FollowControl *)device_shared_block(d, sizeof *m->control);
  m->sums = (EndSum *)device_shared_block(d, sum_bytes(d));
  m->values[RECORDED_PATH_ENDS] =
      (FollowedValue *)mem_alloc(((size_t)f->path_end_count + 1) * sizeof(FollowedValue));
  m->values[RECORDED_MARGINS] =
      (FollowedValue *)mem_alloc(((size_t)f->check_count + 1) * sizeof(FollowedValue));
  return m;
}

void device_free_follow(Device *d)
{
  FollowMemory *m = d->design->follow;
  if (m == NULL) return;
  device_release(d, m->block);
  d->design->use.edit_bytes -= m->bytes;
  for (int kind = RECORDED_PATH_ENDS; kind <= RECORDED_MARGINS; kind++) mem_free(m->values[kind]);
  device_release_shared(d, (char *)m->control);
  device_release_shared(d, (char *)m->sums);
  mem_free(m);
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
  FollowView *w = &d->design->follow->view;
  device_take_time(d, DEVICE_NETS);
  device_take_time(d, DEVICE_FORWARD);
  double nets = d->design->use.phase[DEVICE_NETS], forward = d->design->use.phase[DEVICE_FORWARD];
  if (device_is_set("edits=")) return;
  w->patience[FORWARD] = patience(nets, spent);
  w->forward_patience = (uint64_t)(1e9 * (1 - PART_APART) * forward);
  w->patience[BACKWARD] = patience(nets + forward, spent);
}

static void start_edited(Device *d, const FollowPlace *drivers, uint32_t count)
{
  FollowMemory *m = d->design->follow;
  FewPlaces few = { { { 0, 0 } } };
  if (count <= FEW) {
    memcpy(few.at, drivers, count * sizeof *drivers);
    SL_START(d, count, push_few, d->design->view, m->view, few, count);
    return;
  }
  device_put(d, m->edited, drivers, count * sizeof *drivers);
  SL_START(d, count, push_edited, d->design->view, m->view, (const FollowPlace *)m->edited, count);
}

/* Starts the following of an edit. The lists are empty before it. They are emptied again after
   it, when nobody waits. */
static void start_follow(Device *d, const FollowEdit *edit)
{
  FollowMemory *m = d->design->follow;
  set_patience(d, edit->spent);
  start_edited(d, edit->drivers, edit->count);
  start_edited_trees(d, &edit->trees);      /* its time counts, because the edit has begun */
  SL_START_GRID(d, m->blocks, follow_forward, d->design->view, m->view);
  SL_START_GRID(d, m->blocks, follow_backward, d->design->view, m->view);
}

static void get_answer(Device *d)
{
  FollowMemory *m = d->design->follow;
  start_end_sums(d);
  device_get(d, m->control, m->view.control, sizeof *m->control);
  device_get(d, m->sums, d->design->view.n.end_sums, sum_bytes(d));
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

bool device_begin_following(Device *d, const FlatFollow *f)
{
  Room none = { NULL, 0 };
  if (!device_enter(d, "follow")) return false;
  FollowMemory *m = d->design->follow = new_follow(d, f, most_blocks(d));
  place_follow(m, &none);
  m->block = m->blocks && m->control && m->sums && device_has_room(d, none.at)
                 ? device_block(d, none.at)
                 : NULL;
  if (m->block == NULL) {
    device_free_follow(d);
    return d->error.file == NULL;
  }
  Room room = { m->block, 0 };
  place_follow(m, &room);
  m->bytes = room.at;
  d->design->use.edit_bytes += room.at;
  copy_follow(d, f);
  warm_up(d);
  return d->error.file == NULL;
}

/* --- an edit ---------------------------------------------------------------------------------- */
bool device_is_following(const Device *d) { return d->design->follow != NULL; }

static void get_values(Device *d, int kind)
{
  FollowMemory *m = d->design->follow;
  device_get(d, m->values[kind], m->view.values[kind],
             m->control->recorded[kind] * sizeof(FollowedValue));
}

static Followed followed(const FollowMemory *m)
{
  const FollowControl *c = m->control;
  Followed f = { (c->stopped[FORWARD] & STOP_REACH) == 0,
                 c->stopped[BACKWARD] == 0,
                 c->reached[FORWARD],
                 c->reached[BACKWARD],
                 m->values[RECORDED_PATH_ENDS],
                 m->values[RECORDED_MARGINS],
                 c->recorded[RECORDED_PATH_ENDS],
                 c->recorded[RECORDED_MARGINS],
                 m->sums };
  return f;
}

bool device_follow_edit(Device *d, const FollowEdit *edit, Followed *out)
{
  FollowMemory *m = d->design->follow;
  double since = device_now();
  if (!device_enter(d, "follow")) return false;
  d->design->sums_asked = false;
  start_follow(d, edit);
  get_answer(d);
  d->design->use.follow = device_finish(d, since);
  if (d->error.file) return false;
  *out = followed(m);
  if (m->control->stopped[FORWARD] == STOP_EFFORT) device_forward_from(d, m->control->level + 1);
  start_clean(d, !out->backward);
  if (!edit->values || !out->backward) return d->error.file == NULL;
  for (int kind = RECORDED_PATH_ENDS; kind <= RECORDED_MARGINS; kind++) get_values(d, kind);
  d->design->use.follow = device_finish(d, since);
  return d->error.file == NULL;
}
