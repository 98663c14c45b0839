/* The backend whose phases run on a device: copies to and from the device, the choice of phases
   that have kernels, and the fallback to the CPU for all other phases and after a failure of the
   device. */
#include <stdio.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "base/expect.h"
#include "base/interrupt.h"
#include "base/pool.h"
#include "base/sort.h"
#include "timing/credit.h"
#include "cpu/cpu.h"
#include "device/device_levels.h"
#include "device/families.h"
#include "update/device_timing.h"
#include "timing/end_slacks.h"

/* --- features without kernels ----------------------------------------------------------------- */
enum {
  UNSUPPORTED_CREDIT = 1,
  UNSUPPORTED_SIGMA = 2,
  UNSUPPORTED_LAUNCHES = 4,
  UNSUPPORTED_COUNT = 3
};
static const char *const lack_names[UNSUPPORTED_COUNT] = {
  "common path credit beside nets with several drivers or delays with a sigma",
  "delays with a sigma", "required times that go back by launches"
};

/* Returns the features without kernels that concern phases that compute delays or margins. */
static unsigned number_unsupported(const Timing *t)
{
  return t->sigma.arrival_variance ? UNSUPPORTED_SIGMA : 0;
}

/* Returns the features without kernels that concern phases over all levels. */
static unsigned arrival_unsupported(const Timing *t)
{
  return t->sigma.arrival_variance ? UNSUPPORTED_SIGMA : 0;
}

static unsigned forward_unsupported(const Timing *t)
{
  return number_unsupported(t) | arrival_unsupported(t);
}
/* The kernels for lists of launches and captures support neither nets with several drivers nor the
   common variance of clock paths. */
static unsigned credit_unsupported(const Timing *t)
{
  return t->g->nets.extra_wires.len || t->sigma.arrival_variance ? UNSUPPORTED_CREDIT : 0;
}
static unsigned end_unsupported(const Timing *t)
{
  return number_unsupported(t) | (common_active(t) ? credit_unsupported(t) : 0);
}
static unsigned backward_unsupported(const Timing *t)
{
  return arrival_unsupported(t)
         | (common_captures(t) ? credit_unsupported(t)
            : common_pruned(t) ? UNSUPPORTED_LAUNCHES
                               : 0);
}

unsigned device_unsupported(const Timing *t)
{
  return forward_unsupported(t) | end_unsupported(t) | backward_unsupported(t);
}

/* Records for the report why no device is in use: features without kernels. If a device has failed,
   the failure is reported instead. */
static void note_lacks(Dev *dev, unsigned unsupported)
{
  DeviceReport *report = &dev->t->device.report;
  int first = 0;
  while (!(unsupported & 1u << first)) first++;
  if (report->idle[0] == '\0')
    snprintf(report->idle, sizeof report->idle, "no kernels for %s yet", lack_names[first]);
}

/* Returns true if a phase can run on the device. The log names each unsupported feature once. */
static bool may_run(Dev *dev, unsigned unsupported)
{
  if (unsupported == 0) return !dev->lost;
  note_lacks(dev, unsupported);
  pool_enter();
  for (int i = 0; i < UNSUPPORTED_COUNT; i++)
    if (unsupported & ~*dev->reported & 1u << i)
      log_info(dev->log, "CUDA-003", "no kernels for %s yet: the CPU works out what they touch",
               lack_names[i]);
  *dev->reported |= unsupported;
  pool_leave();
  return false;
}

/* --- the device's side ------------------------------------------------------------------------ */
void device_close(Dev *dev)
{
  if (dev->flat == NULL) return;
  dev->ops->close(dev->device);
  flat_numbers_free(&dev->numbers);
  flat_free(dev->flat);
  flat_credit_free(dev->credit);
  flat_follow_free(dev->follow);
  tree_nets_free(dev->tree_nets);
  dev->credit = NULL;
  dev->follow = NULL;
  dev->tree_nets = NULL;
  dev->device = NULL;
  dev->flat = NULL;
  device_note(dev, NUMBERS_EVERY, OUTDATED_ON_DEVICE);
  dev->trees = dev->nets_serve = dev->port_nets = false;
  array_free(&dev->nets);
  array_free(&dev->patches);
  array_free(&dev->changes.kinds);
  array_free(&dev->changes.checks);
  map_free(dev->is_net);
  dev->is_net = NULL;
  dev->nets_there = 0;
}

/* Bit of `reported`: the loss of a device has been reported. It is reported once until a device
   works again, and not by each scenario and each update. */
enum { REPORTED_LOST = 1 << 30 };

/* Reports the loss of the device. A device may work again up to the phase that fails, so the same
   text is reported once for a design. */
static void tell_loss(Dev *dev, const char *text)
{
  Text t = { 0 };
  text_printf(&t, "%s; the CPU computes instead", text);
  pool_enter();
  if (!(*dev->reported & REPORTED_LOST)) log_warning_once(dev->log, "CUDA-002", text_get(&t));
  *dev->reported |= REPORTED_LOST;
  pool_leave();
  text_free(&t);
}

bool device_lose(Dev *dev)
{
  DeviceReport *report = &dev->t->device.report;
  const DeviceError *error = dev->ops->error(dev->device);
  snprintf(report->idle, sizeof report->idle, "%s (%s, line %d)", error->text, error->file,
           error->line);
  tell_loss(dev, report->idle);
  dev->lost = true;
  device_note(dev, NUMBERS_EVERY, DEVICE_FAILED);
  device_close(dev);
  report->name = NULL;
  return false;
}

/* Brings the device up to date with annotation that has been compiled again. It is sent as patches.
   If that does not work, the copy on the device is made again; then no numbers are only on the
   device. */
static void bring_annotation(Dev *dev)
{
  if (dev->device && dev->annotated != dev->t->annotated
      && !flat_touch_annotations(dev->flat, dev->t, &dev->patches))
    device_close(dev);
  dev->annotated = dev->t->annotated;
}

/* Allocates in advance the memory with which the host reduces nets after edits, so that the first
   edit does not wait for it. */
static void touch_nets(const Dev *dev)
{
  const Flat *f = dev->flat;
#define TOUCH(group, type, name, count) \
  if (group == NUMBERS_NETS)            \
    mem_touch(dev->numbers.name, (size_t)(count) * sizeof(type), dev->t->threads);
  NUMBER_ARRAYS(TOUCH)
#undef TOUCH
}

static bool opened(Dev *dev)
{
  bring_annotation(dev);
  if (dev->device) return true;
  dev->flat = flat_new(dev->t);
  dev->numbers = flat_numbers(dev->flat, dev->t);
  dev->device = dev->ops->open(&dev->t->device.options);
  if (!dev->ops->residency.put_design(dev->device, dev->flat, &dev->numbers))
    return device_lose(dev);
  touch_nets(dev);
  if (!device_may_follow(dev)) return true;
  dev->follow = flat_follow_new(dev->flat, dev->t);
  return dev->ops->edits.begin(dev->device, dev->follow) || device_lose(dev);
}

bool device_edit_trees_now(Dev *dev, bool reduce)
{
  TreeEdit edit = tree_nets_take(dev->tree_nets, dev->t);
  if (edit.lane_count + edit.block_count + edit.change_count == 0) return true;
  if (reduce) device_note(dev, NUMBERS_NETS, COMPUTED_ON_DEVICE);
  else edit.lane_count = edit.block_count = 0;
  return dev->ops->residency.edit_trees(dev->device, &edit);
}

/* Memory that is read a few turns later is asked for: a batch of edits has slots all over the
   design. */
enum { AHEAD = 8 };

static void patch_nets(Dev *dev)
{
  const Graph *g = dev->t->g;
  for (uint32_t i = dev->nets_there; i < dev->nets.len; i++) {
    Slot later = dev->nets.at[i + AHEAD < dev->nets.len ? i + AHEAD : i];
    mem_expect(&g->nets.load_first[later]);
    mem_expect(&g->nets.load_count[later]);
    flat_patch_net(dev->flat, dev->t, dev->nets.at[i], &dev->patches);
  }
}

bool device_send_patches(Dev *dev)
{
  if (device_has(dev, NUMBERS_NETS)) patch_nets(dev);
  dev->nets_there = dev->nets.len;
  bool done =
      dev->patches.len + dev->changes.kinds.len + dev->changes.checks.len == 0
      || dev->ops->residency.patch(dev->device, dev->patches.at, dev->patches.len, &dev->changes);
  array_clear(&dev->patches);
  array_clear(&dev->changes.kinds);
  array_clear(&dev->changes.checks);
  return done && device_edit_trees_now(dev, true);
}

/* Brings groups of numbers to the device. Returns false if the device failed. */
static bool bring(Dev *dev, unsigned groups)
{
  unsigned missing = groups & ~residency_there(&dev->t->device.residency);
  if (!device_send_patches(dev) || (missing && !dev->ops->residency.upload(dev->device, missing)))
    return false;
  device_note(dev, groups, COPIED_TO_DEVICE);
  return true;
}

/* Runs a phase that reads some groups of numbers and computes others, which stay on the device. */
static bool run(Dev *dev, DevicePhase phase, unsigned reads, unsigned makes)
{
  if (!bring(dev, reads) || !dev->ops->phases.run(dev->device, phase)) return device_lose(dev);
  device_note(dev, makes | (makes & NUMBERS_ENDS ? NUMBERS_SUMS : 0), COMPUTED_ON_DEVICE);
  return true;
}

static bool get_lists(Dev *dev, bool captures)
{
  Fronts *fronts = captures ? dev->t->common->capture : dev->t->common->launch;
  int64_t pages = dev->ops->residency.list_pages(dev->device, captures);
  if (pages < 0) return false;
  fronts_take(fronts, (uint32_t)pages);
  return dev->ops->residency.fetch_lists(dev->device, captures, fronts->cell, fronts->pages);
}

/* Fetches credits and lists of common path credit. */
static bool get_credit(Dev *dev, unsigned groups)
{
  struct CommonPaths *paths = dev->t->common;
  if (groups == 0) return true;
  if (paths->launch == NULL) common_make_fronts(dev->t);
  if (groups & NUMBERS_LAUNCHES
      && !(dev->ops->residency.fetch_credits(dev->device, paths->credit) && get_lists(dev, false)))
    return false;
  return !(groups & NUMBERS_CAPTURES) || get_lists(dev, true);
}

static bool get_sums(Dev *dev, unsigned groups)
{
  if (!(groups & NUMBERS_SUMS)) return true;
  EndSum *sums =
      mem_alloc(sizeof *sums * (2 * (size_t)end_block_count(dev->flat->count.summed_slots) + 1));
  bool done = dev->ops->residency.fetch_sums(dev->device, sums);
  if (done) end_slacks_take(dev->t->ends, sums);
  mem_free(sums);
  return done;
}

/* Fetches groups of numbers, so that the host has all that are not lost. */
static bool fetch(Dev *dev, unsigned groups)
{
  const Residency *residency = &dev->t->device.residency;
  unsigned need = groups & residency_away(residency);
  if (need & NUMBERS_ENDS) device_note(dev, NUMBERS_SUMS, COPIED_TO_HOST);
  need &= residency_away(residency);
  if (need
      && !(dev->ops->residency.fetch(dev->device, need) && get_credit(dev, need & NUMBERS_LISTS)
           && get_sums(dev, need)))
    device_lose(dev);
  else if (need) dev->t->device.report.download = dev->ops->use(dev->device).download;
  device_note(dev, need, COPIED_TO_HOST);
  if (groups == NUMBERS_ALL) dev->reruns = 0;
  return residency_in(residency, LOST) == 0;
}

/* Records that the CPU has computed groups of numbers, or is about to. */
static void host_made(Dev *dev, unsigned groups)
{
  device_note(dev, groups & NUMBERS_ENDS ? groups | NUMBERS_SUMS : groups, COMPUTED_ON_HOST);
}

static void note_memory(DeviceReport *report, const Flat *f)
{
  report->graph_bytes = flat_bytes(f);
  report->start_bytes = flat_number_bytes(f, NUMBERS_SEEDS | NUMBERS_PORTS | NUMBERS_LATCHES);
  report->net_bytes = flat_number_bytes(f, NUMBERS_NETS);
  report->delay_bytes = flat_number_bytes(f, NUMBERS_DELAYS);
  report->arrival_bytes = flat_number_bytes(f, NUMBERS_ARRIVALS);
  report->end_bytes = flat_number_bytes(f, NUMBERS_ENDS);
  report->required_bytes = flat_number_bytes(f, NUMBERS_REQUIRED);
  report->scratch_bytes = flat_number_bytes(f, NUMBERS_SCRATCH);
  report->least_bytes = flat_least_bytes(f);
}

static void note_times(const Dev *dev, const DeviceUse *use)
{
  DeviceReport *report = &dev->t->device.report;
  report->trees = use->phase[DEVICE_NETS];
  report->forward = use->phase[DEVICE_FORWARD];
  report->end_points = use->phase[DEVICE_ENDS];
  report->backward = use->phase[DEVICE_BACKWARD];
  if (!common_active(dev->t)) return;
  report->launches = use->phase[DEVICE_CREDITS] + use->phase[DEVICE_LAUNCHES];
  report->end_points = use->phase[DEVICE_CREDIT_ENDS];
  if (common_captures(dev->t)) report->backward = use->phase[DEVICE_CAPTURES];
}

static void note_use(Dev *dev)
{
  DeviceUse u = dev->ops->use(dev->device);
  DeviceReport *report = &dev->t->device.report;
  *report = (DeviceReport){ .name = dev->ops->name,
                            .bytes = u.bytes,
                            .open = u.open,
                            .upload = u.upload,
                            .download = u.download,
                            .trees_copy = u.trees_copy,
                            .schedule = dev->flat->traits.schedule,
                            .cuda_graph = dev->t->device.options.cuda_graph };
  note_times(dev, &u);
  report->credit_bytes = u.credit_bytes;
  report->edit_bytes = u.edit_bytes;
  note_memory(report, dev->flat);
  report->tree_bytes = u.tree_bytes;
  pool_enter();
  *dev->reported &= ~(uint32_t)REPORTED_LOST;
  pool_leave();
}

static void put_seeds(Dev *dev)
{
  flat_seeds(dev->flat, dev->t, &dev->numbers);
  flat_latches(dev->flat, dev->t, &dev->numbers);
  host_made(dev, NUMBERS_SEEDS | NUMBERS_LATCHES);
}

/* --- phases ----------------------------------------------------------------------------------- */
void device_note_parasitics(Dev *dev)
{
  for (int el = EARLY; el <= LATE; el++)
    dev->parasitics[el] = dev->t->parasitics[el] ? dev->t->parasitics[el]->version : 0;
}

static bool same_parasitics(const Dev *dev)
{
  for (int el = EARLY; el <= LATE; el++)
    if (dev->parasitics[el] != (dev->t->parasitics[el] ? dev->t->parasitics[el]->version : 0))
      return false;
  return true;
}

/* Can the trees of an earlier update be used again? Nets that have changed since then are left to
   the host. */
bool device_has_trees(const Dev *dev)
{
  return dev->device && dev->trees && device_has(dev, NUMBERS_NETS) && same_parasitics(dev);
}

/* Reduces the trees on the device again. Their numbers replace those of the host. */
static bool reduce_again(Dev *dev)
{
  dev->nets_there = 0;
  return device_edit_trees_now(dev, false) && dev->ops->phases.run(dev->device, DEVICE_NETS);
}

static bool run_trees_again(Dev *dev)
{
  bool done = (dev->nets_serve || reduce_again(dev)) && device_send_patches(dev);
  dev->nets_serve = false;
  if (!done) return device_lose(dev);
  device_note(dev, NUMBERS_NETS, COMPUTED_ON_DEVICE);
  return true;
}

/* Reduces all nets.  The CPU reduces its nets first and sends their numbers; then the device
   reduces the trees.  Patches of nets are sent before, because they contain numbers of the host. */
static bool run_trees(Dev *dev, const Slot *drivers, uint32_t count)
{
  const DeviceOps *ops = dev->ops;
  uint32_t rest_count;
  if (!device_send_patches(dev)) return device_lose(dev);
  Slot *rest = mem_alloc(sizeof *rest * ((size_t)count + 1));
  Trees *trees = trees_new(dev->t, dev->flat->traits.schedule, drivers, count, rest, &rest_count);
  cpu_reduce_nets(dev->t, rest, rest_count);
  host_made(dev, NUMBERS_NETS);
  bool done = trees->tree_count == 0
              || (ops->residency.upload(dev->device, NUMBERS_NETS)
                  && ops->residency.put_trees(dev->device, trees)
                  && ops->phases.run(dev->device, DEVICE_NETS));
  dev->trees = done && trees->tree_count;
  dev->port_nets = false;
  tree_nets_free(dev->tree_nets);
  dev->tree_nets = dev->trees ? tree_nets_new(dev->t, trees) : NULL;
  array_clear(&dev->nets);
  map_free(dev->is_net);
  dev->is_net = NULL;
  dev->nets_there = 0;
  device_note_parasitics(dev);
  if (dev->trees) device_note(dev, NUMBERS_NETS, COMPUTED_ON_DEVICE);
  if (!done) device_lose(dev);
  trees_free(trees);
  mem_free(rest);
  dev->nets_serve = false;
  return done;
}

/* Reduces the nets of some drivers. If the delay model needs total capacitances only, the CPU does
   it, because there is little to reduce. */
static void device_reduce_nets(Timing *t, const Slot *drivers, uint32_t count)
{
  Dev *dev = device_of(t);
  bool may =
      delay_has(t->delay_model, DELAY_NEEDS_ELMORE) && forward_unsupported(t) == 0 && !dev->lost;
  bring_annotation(dev);
  if (may
      && (device_has_trees(dev) ? run_trees_again(dev)
                                : opened(dev) && run_trees(dev, drivers, count)))
    return;
  cpu_reduce_nets(t, drivers, count);
  host_made(dev, NUMBERS_NETS);
}

/* Runs the forward phase. The host computes the ports first, for which it needs the numbers of
   their nets. */
static bool run_forward(Dev *dev)
{
  if (!opened(dev)) return false;
  if (residency_away(&dev->t->device.residency) & NUMBERS_NETS && !dev->port_nets)
    cpu_reduce_nets(dev->t, dev->flat->host.port_drivers, dev->flat->host.port_driver_count);
  dev->port_nets = true;
  flat_ports(dev->flat, dev->t, &dev->numbers);
  host_made(dev, NUMBERS_PORTS);
  put_seeds(dev);
  unsigned makes = NUMBERS_DELAYS | NUMBERS_ARRIVALS;
  if (!run(dev, DEVICE_FORWARD, NUMBERS_NETS | NUMBERS_SEEDS | NUMBERS_LATCHES | NUMBERS_PORTS,
           makes))
    return false;
  note_use(dev);
  return true;
}

static bool device_forward(Timing *t)
{
  Dev *dev = device_of(t);
  if (interrupt_seen()) return false;
  if ((may_run(dev, forward_unsupported(t)) && run_forward(dev)) || !fetch(dev, NUMBERS_NETS))
    return true;
  host_made(dev, NUMBERS_DELAYS | NUMBERS_ARRIVALS);
  return cpu_forward(t);
}

static bool run_arrivals(Dev *dev)
{
  if (!opened(dev)) return false;
  put_seeds(dev);
  /* NUMBERS_NETS: the wires of plain loads */
  return run(dev, DEVICE_ARRIVALS, NUMBERS_NETS | NUMBERS_DELAYS | NUMBERS_SEEDS | NUMBERS_LATCHES,
             NUMBERS_ARRIVALS);
}

static bool device_arrivals(Timing *t)
{
  Dev *dev = device_of(t);
  if (interrupt_seen()) return false;
  if ((may_run(dev, arrival_unsupported(t)) && run_arrivals(dev)) || !fetch(dev, NUMBERS_DELAYS))
    return true;
  host_made(dev, NUMBERS_ARRIVALS);
  return cpu_arrivals(t);
}

static void device_latch_delays(Timing *t)
{
  if (t->g->arcs.latches.len == 0 || !fetch(device_of(t), NUMBERS_NETS | NUMBERS_DELAYS)) return;
  cpu_latch_delays(t);
  host_made(device_of(t), NUMBERS_DELAYS);
}

enum { FORWARD_NUMBERS = NUMBERS_NETS | NUMBERS_DELAYS | NUMBERS_ARRIVALS };

static bool device_reference_arrivals(Timing *t)
{
  return fetch(device_of(t), FORWARD_NUMBERS) && cpu_reference_arrivals(t);
}

static bool put_credit(Dev *dev)
{
  if (dev->credit) return true;
  dev->credit = flat_credit_new(dev->t);
  return dev->ops->residency.put_credit(dev->device, dev->credit);
}

static bool put_latched(Dev *dev)
{
  if (dev->t->g->arcs.latches.len == 0) return true;
  FlatLatched *list = flat_latched(dev->t);
  bool done = dev->ops->residency.put_latched(dev->device, list, dev->t->latches.arrivals.len);
  mem_free(list);
  return done;
}

/* Computes credits and lists of launches. The lists are only computed if some credit is above 0. */
static bool run_launches(Dev *dev)
{
  float most = 0;
  if (!opened(dev)) return false;
  put_seeds(dev);
  if (!put_credit(dev) || !put_latched(dev)) return device_lose(dev);
  unsigned reads = NUMBERS_DELAYS | NUMBERS_ARRIVALS | NUMBERS_SEEDS | NUMBERS_LATCHES;
  if (!run(dev, DEVICE_CREDITS, reads, 0)) return false;
  if (!dev->ops->phases.most_credit(dev->device, &most)) return device_lose(dev);
  dev->t->common->active = most > 0;
  return most == 0 || run(dev, DEVICE_LAUNCHES, reads, NUMBERS_LAUNCHES);
}

/* Makes sure that the lists of launches are on the device. After updates in place only the host has
   them, and the device makes its own again. */
static bool has_launches(Dev *dev)
{
  return !common_active(dev->t) || device_has(dev, NUMBERS_LAUNCHES) || run_launches(dev);
}

static bool device_common_paths(Timing *t)
{
  Dev *dev = device_of(t);
  if (interrupt_seen()) return false;
  if ((credit_unsupported(t) == 0 && !dev->lost && run_launches(dev))
      || !fetch(dev, FORWARD_NUMBERS))
    return true;
  host_made(dev, NUMBERS_LISTS);
  return cpu_common_paths(t);
}

static DevicePhase end_phase(const Timing *t)
{
  return common_active(t) ? DEVICE_CREDIT_ENDS : DEVICE_ENDS;
}
static DevicePhase backward_phase(const Timing *t)
{
  return common_captures(t) ? DEVICE_CAPTURES : DEVICE_BACKWARD;
}

static void device_end_points(Timing *t)
{
  Dev *dev = device_of(t);
  /* check margins are read for checks without path ends */
  unsigned reads = NUMBERS_DELAYS | NUMBERS_ARRIVALS | (t->g->arcs.latches.len ? NUMBERS_ENDS : 0);
  bool may = may_run(dev, end_unsupported(t)) && opened(dev) && has_launches(dev);
  if (may && run(dev, end_phase(t), reads, NUMBERS_ENDS | NUMBERS_REQUIRED)) return;
  if (!fetch(dev, FORWARD_NUMBERS | NUMBERS_LAUNCHES)) return;
  host_made(dev, NUMBERS_ENDS | NUMBERS_REQUIRED);
  cpu_end_points(t);
}

static bool device_backward(Timing *t)
{
  Dev *dev = device_of(t);
  if (interrupt_seen()) return false;
  bool captures = common_captures(t), may = may_run(dev, backward_unsupported(t)) && opened(dev)
                                            && (!captures || has_launches(dev));
  unsigned reads =
      NUMBERS_DELAYS | NUMBERS_ARRIVALS | NUMBERS_REQUIRED | (captures ? NUMBERS_ENDS : 0);
  if (may
      && run(dev, backward_phase(t), reads, NUMBERS_REQUIRED | (captures ? NUMBERS_CAPTURES : 0))) {
    note_use(dev);
    return true;
  }
  if (!fetch(dev, NUMBERS_ALL)) return true;
  host_made(dev, NUMBERS_REQUIRED | NUMBERS_CAPTURES);
  return cpu_backward(t);
}

static bool device_latch_arrivals(Timing *t)
{
  if (!fetch(device_of(t), FORWARD_NUMBERS | NUMBERS_ENDS | NUMBERS_LAUNCHES)) return false;
  host_made(device_of(t), NUMBERS_ENDS);
  return cpu_latch_arrivals(t);
}

/* --- measuring -------------------------------------------------------------------------------- */
/* Returns the median time of a phase; 0 if it does not run on the device. */
static double median(Dev *dev, DevicePhase phase, bool runs, uint32_t repeats)
{
  double *seconds = mem_alloc(sizeof *seconds * repeats), middle = 0;
  bool done = runs && dev->device != NULL;
  for (uint32_t i = 0; i < repeats && done; i++) {
    done = dev->ops->phases.run(dev->device, phase) && dev->ops->phases.wait(dev->device);
    seconds[i] = done ? dev->ops->use(dev->device).phase[phase] : 0;
  }
  if (done) middle = median_of(seconds, repeats);
  else if (runs && dev->device) device_lose(dev);
  mem_free(seconds);
  return middle;
}

/* Measures the phases. Nothing is copied back, and the numbers on the device are not used any more,
   because they may lack what the CPU added. */
static void device_measure(Timing *t, uint32_t repeats)
{
  Dev *dev = device_of(t);
  DeviceReport *report = &t->device.report;
  if (dev->device == NULL || !fetch(dev, NUMBERS_ALL)) return;
  report->trees = median(dev, DEVICE_NETS, dev->trees, repeats);
  report->forward = median(dev, DEVICE_FORWARD, forward_unsupported(t) == 0, repeats);
  report->launches = median(dev, DEVICE_LAUNCHES, common_active(t) && dev->credit, repeats);
  report->end_points = median(
      dev, end_phase(t), end_unsupported(t) == 0 && (!common_active(t) || dev->credit), repeats);
  report->backward =
      median(dev, backward_phase(t),
             backward_unsupported(t) == 0 && (!common_captures(t) || dev->credit), repeats);
  report->repeats = repeats;
  device_note(dev, NUMBERS_EVERY, OUTDATED_ON_DEVICE);
}

/* --- life ------------------------------------------------------------------------------------- */
static void free_device(void *data)
{
  device_close(data);
  mem_free(data);
}

static void attach(Timing *t, Log *log, uint32_t *reported, const DeviceOps *ops)
{
  t->device.families = t->device.off ? NULL : ops;
  Dev *dev = mem_alloc_zero(1, sizeof *dev);
  *dev = (Dev){ .ops = ops, .t = t, .log = log, .reported = reported, .lost = t->device.off };
  t->owned[OWNER_DEVICE] = (TimingKept){ dev, free_device };
}

/* The host has changed arrays. The graph may also have other arcs and checks than before. */
static void device_changed(Timing *t)
{
  if (device_of(t)) device_close(device_of(t));      /* NULL: another backend made the numbers, and
                                                        they are old */
}

/* Prepares a whole update that uses the arrays on the device again. */
static bool device_renew(Timing *t)
{
  Dev *dev = device_of(t);
  if (dev == NULL || dev->lost) return false;
  device_note(dev, NUMBERS_NETS, COPIED_TO_HOST);      /* the old numbers of nets are not needed */
  device_note(dev, NUMBERS_EVERY & ~NUMBERS_NETS, COMPUTED_ON_HOST);
  return true;
}

/* The most whole updates on the device after edits, before the host fetches all numbers.  If the
   device has all numbers and few patches to get, a whole update costs less than one fetch.  After
   the fetch, the CPU follows edits, so with more edits the fetch pays. */
enum { MOST_RERUNS = 8, FORWARD_RESULTS = NUMBERS_DELAYS | NUMBERS_ARRIVALS };

static bool device_reruns(Timing *t)
{
  Dev *dev = device_of(t);
  bool alone = (residency_away(&t->device.residency) & FORWARD_RESULTS) != 0,
       sweeps = t->g->arcs.latches.len || t->g->starts.references.len;
  if (t->scaling) return false;      /* whole updates make new arrays for scaled libraries */
  if (dev == NULL || dev->device == NULL || device_unsupported(t) || sweeps || !alone
      || !device_has_trees(dev) || dev->reruns >= MOST_RERUNS)
    return false;
  dev->reruns++;
  dev->nets_serve = true;
  return true;
}

static double waited(const DeviceUse *use, uint32_t phases)
{
  double seconds = 0;
  for (int i = 0; i < DEVICE_PHASES; i++)
    if (phases & use->waited & 1u << i) seconds += use->phase[i];
  return seconds;
}

static PhaseSeconds phase_seconds(const DeviceUse *use)
{
  enum {
    FORWARD = 1 << DEVICE_FORWARD | 1 << DEVICE_ARRIVALS | 1 << DEVICE_CREDITS
              | 1 << DEVICE_LAUNCHES,
    BACKWARD = 1 << DEVICE_ENDS | 1 << DEVICE_BACKWARD | 1 << DEVICE_CREDIT_ENDS
               | 1 << DEVICE_CAPTURES
  };
  return (PhaseSeconds){ waited(use, 1 << DEVICE_NETS), waited(use, FORWARD),
                         waited(use, BACKWARD) };
}

/* Medians of measured runs stay in the report. */
static bool device_wait(Timing *t, PhaseSeconds *spent)
{
  Dev *dev = device_of(t);
  *spent = (PhaseSeconds){ 0 };
  if (dev == NULL || dev->lost || dev->device == NULL) return true;
  if (!dev->ops->phases.wait(dev->device)) return device_lose(dev);
  DeviceUse u = dev->ops->use(dev->device);
  *spent = phase_seconds(&u);
  if (t->device.report.name && t->device.report.repeats == 0) note_times(dev, &u);
  return true;
}

static bool device_fetch(Timing *t, unsigned groups) { return fetch(device_of(t), groups); }

static bool available_on(const DeviceOps *ops, int device, Text *what)
{
  char text[200];
  bool there = ops->available(device, text, sizeof text);
  text_put(what, text);
  return there;
}

static bool levels_by(const DeviceOps *ops, const EngineOptions *options, const LevelInput *in,
                      uint32_t *level, Text *why)
{
  LevelsCall call = { in, level };
  FamilyRun *run = family_open(&levels_family, ops, options, 1);
  bool done = family_run(run, LEVELS_FIND, &call);
  const DeviceError *error = family_error(run);
  if (!done) text_printf(why, "%s (%s, line %d)", error->text, error->file, error->line);
  family_close(run);
  return done;
}

static bool emulated_levels(const EngineOptions *options, const LevelInput *in, uint32_t *level,
                            Text *why)
{
  return levels_by(&emulated_device, options, in, level, why);
}

static void attach_emulated(Timing *t, Log *log, uint32_t *reported)
{
  attach(t, log, reported, &emulated_device);
}
static bool emulated_available(int device, Text *what)
{
  return available_on(&emulated_device, device, what);
}

/* Runs an operation of a family. It needs no phase of an update, and the numbers stay where they
   are. */
static bool device_run(Timing *t, const Family *family, int operation, void *call)
{
  Dev *dev = device_of(t);
  if (dev == NULL || dev->lost || !opened(dev)) return false;
  if (!bring(dev, dev->ops->family_reads(family, operation))
      || !dev->ops->run_family(dev->device, family, operation, call))
    return device_lose(dev);
  return true;
}

static const BackendResidency residency = {
  .changed = device_changed,
  .renew = device_renew,
  .fetch = device_fetch,
  .wait = device_wait,
  .run = device_run,
  .measure = device_measure,
};

static const BackendEdits edits = {
  .touched = device_touched,
  .reruns = device_reruns,
  .follows = device_follows,
  .follow = device_follow,
};

#define DEVICE_PHASES_OF_BACKEND                                                               \
  {                                                                                            \
    .reduce_nets = device_reduce_nets, .forward = device_forward, .arrivals = device_arrivals, \
    .latch_delays = device_latch_delays, .reference_arrivals = device_reference_arrivals,      \
    .latch_arrivals = device_latch_arrivals, .common_paths = device_common_paths,              \
    .end_points = device_end_points, .backward = device_backward,                              \
  }

const Backend emulated_backend = {
  .name = "emulated",
  .available = emulated_available,
  .levels = emulated_levels,
  .attach = attach_emulated,
  .device = &emulated_device,
  .phases = DEVICE_PHASES_OF_BACKEND,
  .residency = &residency,
  .edits = &edits,
};

#ifdef HAVE_CUDA
static bool cuda_levels(const EngineOptions *options, const LevelInput *in, uint32_t *level,
                        Text *why)
{
  return levels_by(&cuda_device, options, in, level, why);
}

static void attach_cuda(Timing *t, Log *log, uint32_t *reported)
{
  attach(t, log, reported, &cuda_device);
}
static bool cuda_available(int device, Text *what)
{
  return available_on(&cuda_device, device, what);
}

const Backend cuda_backend = {
  .name = "cuda",
  .available = cuda_available,
  .levels = cuda_levels,
  .attach = attach_cuda,
  .device = &cuda_device,
  .phases = DEVICE_PHASES_OF_BACKEND,
  .residency = &residency,
  .edits = &edits,
};
#endif

/* --- choice ----------------------------------------------------------------------------------- */
static const Backend *choose_asked(const Backend *backend, const EngineOptions *options, Text *why)
{
  Text what = { 0 };
  bool there = backend->available(options->device, &what);
  if (there) text_put(why, text_get(&what));
  else text_printf(why, "%s was asked for: %s", backend->name, text_get(&what));
  text_free(&what);
  return there ? backend : &cpu_backend;
}

const Backend *backend_by_size(const Backend *device, const EngineOptions *options, uint32_t pins,
                               Text *why)
{
  Text what = { 0 };
  bool small = pins == 0 || pins < (uint32_t)options->least_pins,
       there = !small && device->available(options->device, &what);
  if (pins == 0) text_printf(why, "auto: a device from %d pins on", options->least_pins);
  else if (small)
    text_printf(why, "auto: %u pins, a device is taken from %d on", pins, options->least_pins);
  else if (there)
    text_printf(why, "%s (auto: %u pins, at least %d)", text_get(&what), pins, options->least_pins);
  else text_printf(why, "auto: %s", text_get(&what));
  text_free(&what);
  return there ? device : &cpu_backend;
}

#ifdef HAVE_CUDA
static const Backend *choose_cuda(const EngineOptions *options, Text *why)
{
  return choose_asked(&cuda_backend, options, why);
}
static const Backend *choose_auto(const EngineOptions *options, uint32_t pins, Text *why)
{
  return backend_by_size(&cuda_backend, options, pins, why);
}
#else
static const Backend *choose_cuda(const EngineOptions *options, Text *why)
{
  (void)options;
  text_put(why, "cuda was asked for: built without CUDA");
  return &cpu_backend;
}

static const Backend *choose_auto(const EngineOptions *options, uint32_t pins, Text *why)
{
  (void)options;
  if (pins) text_put(why, "auto: built without CUDA");
  return &cpu_backend;
}
#endif

const Backend *backend_choose(EngineKind kind, const EngineOptions *options, uint32_t pins,
                              Text *why)
{
  switch (kind) {
  case ENGINE_CUDA:     return choose_cuda(options, why);
  case ENGINE_EMULATED: return choose_asked(&emulated_backend, options, why);
  case ENGINE_AUTO:     return choose_auto(options, pins, why);
  default:              return &cpu_backend;
  }
}

/* --- the same for families of kernels --------------------------------------------------------- */
static const DeviceOps *best_device(const EngineOptions *options, Text *why)
{
#ifdef HAVE_CUDA
  return available_on(&cuda_device, options->device, why) ? &cuda_device : NULL;
#else
  (void)options;
  text_put(why, "auto: built without CUDA");
  return NULL;
#endif
}

const DeviceOps *backend_for_family(EngineKind kind, const EngineOptions *options, uint64_t items,
                                    uint64_t least, Text *why)
{
  if (kind != ENGINE_AUTO) return backend_choose(kind, options, 0, why)->device;
  if (items >= least) return best_device(options, why);
  text_printf(why, "auto: %llu items, a device is taken from %llu on", (unsigned long long)items,
              (unsigned long long)least);
  return NULL;
}
