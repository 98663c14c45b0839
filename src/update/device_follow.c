/* Follows edits on the device (cuda/follow.h). Numbers stay on the device until the host requests
   them, so an edit costs only what it reaches. If the host has the slacks, the changed ones are
   copied back. */
#include "base/clock.h"
#include "timing/credit.h"
#include "update/device_timing.h"
#include "timing/end_slacks.h"

enum {
  FOLLOWED_FORWARD = NUMBERS_DELAYS | NUMBERS_ARRIVALS,
  FOLLOWED_BACKWARD = NUMBERS_ENDS | NUMBERS_REQUIRED,
  FOLLOWED = NUMBERS_NETS | FOLLOWED_FORWARD | FOLLOWED_BACKWARD
};

/* Returns true if nothing in the design prevents following: sweeps over all levels, data checks,
   annotation, or nets with several drivers. */
bool device_may_follow(const Dev *dev)
{
  const Timing *t = dev->t;
  const Graph *g = t->g;
  return !g->arcs.latches.len && !g->starts.references.len && !g->ends.data_references.len
         && !g->nets.extra_wires.len && !t->scaling && !dev->flat->traits.annotated;
}

/* Returns true if edits can be followed. Lists of common path credit are not followed, but there
   are none unless some credit is above 0. */
bool device_follows(Timing *t)
{
  Dev *dev = device_of(t);
  unsigned alone = NUMBERS_DELAYS | NUMBERS_ARRIVALS | NUMBERS_REQUIRED;
  if (dev == NULL || dev->lost || dev->device == NULL || device_unsupported(t)
      || !device_may_follow(dev) || common_active(t))
    return false;
  return (residency_away(&t->device.residency) & alone) == alone && device_has(dev, FOLLOWED)
         && dev->annotated == t->annotated && dev->ops->edits.follows(dev->device);
}

/* Stores the changed slacks and margins, if the host has the others. */
static void take_values(Timing *t, const Followed *followed)
{
  for (uint32_t i = 0; i < followed->check_count; i++)
    for (int edge = RISE; edge <= FALL; edge++)
      t->check_margin[followed->checks[i].at].v[edge] = followed->checks[i].value[edge];
  for (uint32_t i = 0; i < followed->path_end_count; i++) {
    const PathEnd *end = &t->g->ends.path_ends.at[followed->path_ends[i].at];
    for (int edge = RISE; edge <= FALL; edge++)
      t->end_slack[followed->path_ends[i].at].v[edge] = followed->path_ends[i].value[edge];
    end_slacks_touch(t->ends, end->slot);
  }
}

static void note_follow(Dev *dev, const Followed *followed)
{
  DeviceReport *report = &dev->t->device.report;
  report->follow = dev->ops->use(dev->device).follow;
  report->followed_drivers = followed->drivers;
  report->followed_nets = followed->nets;
}

/* Takes the result of following. All numbers stay on the device, except slacks, which are requested
   most. */
static void take_answer(Dev *dev, const Followed *followed, bool values)
{
  if (values) {
    take_values(dev->t, followed);
    return;
  }
  end_slacks_take(dev->t->ends, followed->sums);
  device_note(dev, NUMBERS_SUMS, COPIED_TO_HOST);
}

static bool follow(Dev *dev, FollowEdit *edit, double since, Followed *out)
{
  edit->trees = tree_nets_take(dev->tree_nets, dev->t);
  if (!device_send_patches(dev)) return false;
  if (edit->trees.lane_count + edit->trees.block_count)
    device_note(dev, NUMBERS_NETS, COMPUTED_ON_DEVICE);
  edit->spent = clock_seconds() - since;
  return dev->ops->edits.follow(dev->device, edit, out);
}

/* Is one of the drivers a port that the host computes, or in an ideal network? */
static bool any_stops(const Dev *dev, const FollowPlace *drivers, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (dev->follow->nets[drivers[i].place].stops) return true;
  return false;
}

/* Each driver of an edit reaches some others, and from a part of all on a whole update is the
   shorter way (cuda/follow.cu).  A batch of swaps that is sure to come there begins with it. */
enum { FEW_AT_ONCE = 256, REACHED_BY_ONE = 8, PART_REACHED = 64 };

bool device_edit_is_large(const Dev *dev, uint32_t count)
{
  return count > FEW_AT_ONCE + dev->t->g->nets.driver_count / (PART_REACHED * REACHED_BY_ONE);
}

static FollowEnd follow_drivers(Dev *dev, const FollowPlace *drivers, uint32_t count, double since)
{
  Followed f;
  FollowEdit edit = { .drivers = drivers,
                      .count = count,
                      .values = !(residency_away(&dev->t->device.residency) & NUMBERS_ENDS) };
  /* A port stops an edit even if following would stop before the level of the port. */
  if (any_stops(dev, drivers, count)) {
    dev->nets_serve = true;
    return FOLLOW_NOTHING;
  }
  if (!follow(dev, &edit, since, &f)) {
    device_lose(dev);
    return FOLLOW_NOTHING;
  }
  dev->nets_serve = !f.forward;
  if (!f.forward) return FOLLOW_NOTHING;
  device_note(dev, FOLLOWED_FORWARD, COPIED_TO_DEVICE); /* if the host has these numbers, it has
                                                              also got the changes */
  if (!f.backward) return FOLLOW_FORWARD;
  device_note(dev, FOLLOWED_BACKWARD, COPIED_TO_DEVICE);
  take_answer(dev, &f, edit.values);
  note_follow(dev, &f);
  return FOLLOW_ALL;
}

FollowEnd device_follow(Timing *t, const Slot *drivers, uint32_t count, double since)
{
  Dev *dev = device_of(t);
  /* `touched` has dropped the copy: everything is computed again */
  if (dev == NULL || dev->device == NULL) return FOLLOW_NOTHING;
  if (device_edit_is_large(dev, count)) {
    dev->nets_serve = true;
    return FOLLOW_NOTHING;
  }
  FollowPlace *list = mem_alloc(sizeof *list * ((size_t)count + 1));
  for (uint32_t i = 0; i < count; i++)
    list[i] = (FollowPlace){ graph_driver_index(t->g, drivers[i]), t->g->slots.level[drivers[i]] };
  FollowEnd end = follow_drivers(dev, list, count, since);
  mem_free(list);
  return end;
}
