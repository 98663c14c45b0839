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
static void note_lacks(Dev *d, unsigned unsupported)
{
  DeviceReport *r = &d->t->device.report;
  int first = 0;
  while (!(unsupported & 1u << first)) first++;
  if (r->idle[0] == '\0')
    snprintf(r->idle, sizeof r->idle, "no kernels for %s yet", lack_names[first]);
}

/* Returns true if a phase can run on the device. The log names each unsupported feature once. */
static bool may_run(Dev *d, unsigned unsupported)
{
  if (unsupported == 0) return !d->lost;
  note_lacks(d, unsupported);
  pool_enter();
  for (int i = 0; i < UNSUPPORTED_COUNT; i++)
    if (unsupported & ~*d->reported & 1u << i)
      log_info(d->log, "CUDA-003", "no kernels for %s yet: the CPU works out what they touch",
               lack_names[i]);
  *d->reported |= unsupported;
  pool_leave();
  return false;
}

/* --- the device's side ------------------------------------------------------------------------ */
void device_close(Dev *d)
{
  if (d->flat == NULL) return;
  d->ops->close(d->device);
  flat_numbers_free(&d->numbers);
  flat_free(d->flat);
  flat_credit_free(d->credit);
  flat_follow_free(d->follow);
  tree_nets_free(d->tree_nets);
  d->credit = NULL;
  d->follow = NULL;
  d->tree_nets = NULL;
  d->device = NULL;
  d->flat = NULL;
  device_note(d, NUMBERS_EVERY, OUTDATED_ON_DEVICE);
  d->trees = d->nets_serve = d->port_nets = false;
  array_free(&d->nets);
  array_free(&d->patches);
  array_free(&d->changes.kinds);
  array_free(&d->changes.checks);
  map_free(d->is_net);
  d->is_net = NULL;
  d->nets_there = 0;
}

/* Bit of `reported`: the loss of a device has been reported. It is reported once until a device
   works again, and not by each scenario and each update. */
enum { REPORTED_LOST = 1 << 30 };

/* Reports the loss of the device. A device may work again up to the phase that fails, so the same
   text is reported once for a design. */
static void tell_loss(Dev *d, const char *text)
{
  Text t = { 0 };
  text_printf(&t, "%s; the CPU computes instead", text);
  pool_enter();
  if (!(*d->reported & REPORTED_LOST)) log_warning_once(d->log, "CUDA-002", text_get(&t));
  *d->reported |= REPORTED_LOST;
  pool_leave();
  text_free(&t);
}

bool device_lose(Dev *d)
{
  DeviceReport *r = &d->t->device.report;
  const DeviceError *e = d->ops->error(d->device);
  snprintf(r->idle, sizeof r->idle, "%s (%s, line %d)", e->text, e->file, e->line);
  tell_loss(d, r->idle);
  d->lost = true;
  device_note(d, NUMBERS_EVERY, DEVICE_FAILED);
  device_close(d);
  r->name = NULL;
  return false;
}

/* Brings the device up to date with annotation that has been compiled again. It is sent as patches.
   If that does not work, the copy on the device is made again; then no numbers are only on the
   device. */
static void bring_annotation(Dev *d)
{
  if (d->device && d->annotated != d->t->annotated
      && !flat_touch_annotations(d->flat, d->t, &d->patches))
    device_close(d);
  d->annotated = d->t->annotated;
}

/* Allocates in advance the memory with which the host reduces nets after edits, so that the first
   edit does not wait for it. */
static void touch_nets(const Dev *d)
{
  const Flat *f = d->flat;
#define TOUCH(group, type, name, count)                                                 \
  if (group == NUMBERS_NETS) mem_touch(d->numbers.name, (size_t)(count) * sizeof(type), \
      d->t->threads);
  NUMBER_ARRAYS(TOUCH)
#undef TOUCH
}

static bool opened(Dev *d)
{
  bring_annotation(d);
  if (d->device) return true;
  d->flat = flat_new(d->t);
  d->numbers = flat_numbers(d->flat, d->t);
  d->device = d->ops->open(&d->t->device.options);
  if (!d->ops->residency.put_design(d->device, d->flat, &d->numbers)) return device_lose(d);
  touch_nets(d);
  if (!device_may_follow(d)) return true;
  d->follow = flat_follow_new(d->flat, d->t);
  return d->ops->edits.begin(d->device, d->follow) || device_lose(d);
}

bool device_edit_trees_now(Dev *d, bool reduce)
{
  TreeEdit edit = tree_nets_take(d->tree_nets, d->t);
  if (edit.lane_count + edit.block_count + edit.change_count == 0) return true;
  if (reduce) device_note(d, NUMBERS_NETS, COMPUTED_ON_DEVICE);
  else edit.lane_count = edit.block_count = 0;
  return d->ops->residency.edit_trees(d->device, &edit);
}

/* Memory that is read a few turns later is asked for: a batch of edits has slots all over the
   design. */
enum { AHEAD = 8 };

static void patch_nets(Dev *d)
{
  const Graph *g = d->t->g;
  for (uint32_t i = d->nets_there; i < d->nets.len; i++) {
    Slot later = d->nets.at[i + AHEAD < d->nets.len ? i + AHEAD : i];
    mem_expect(&g->nets.load_first[later]);
    mem_expect(&g->nets.load_count[later]);
    flat_patch_net(d->flat, d->t, d->nets.at[i], &d->patches);
  }
}

bool device_send_patches(Dev *d)
{
  if (device_has(d, NUMBERS_NETS)) patch_nets(d);
  d->nets_there = d->nets.len;
  bool done = d->patches.len + d->changes.kinds.len + d->changes.checks.len == 0
              || d->ops->residency.patch(d->device, d->patches.at, d->patches.len, &d->changes);
  array_clear(&d->patches);
  array_clear(&d->changes.kinds);
  array_clear(&d->changes.checks);
  return done && device_edit_trees_now(d, true);
}

/* Brings groups of numbers to the device. Returns false if the device failed. */
static bool bring(Dev *d, unsigned groups)
{
  unsigned missing = groups & ~residency_there(&d->t->device.residency);
  if (!device_send_patches(d) || (missing && !d->ops->residency.upload(d->device, missing)))
    return false;
  device_note(d, groups, COPIED_TO_DEVICE);
  return true;
}

/* Runs a phase that reads some groups of numbers and computes others, which stay on the device. */
static bool run(Dev *d, DevicePhase phase, unsigned reads, unsigned makes)
{
  if (!bring(d, reads) || !d->ops->phases.run(d->device, phase)) return device_lose(d);
  device_note(d, makes | (makes & NUMBERS_ENDS ? NUMBERS_SUMS : 0), COMPUTED_ON_DEVICE);
  return true;
}

static bool get_lists(Dev *d, bool captures)
{
  Fronts *f = captures ? d->t->common->capture : d->t->common->launch;
  int64_t pages = d->ops->residency.list_pages(d->device, captures);
  if (pages < 0) return false;
  fronts_take(f, (uint32_t)pages);
  return d->ops->residency.fetch_lists(d->device, captures, f->cell, f->pages);
}

/* Fetches credits and lists of common path credit. */
static bool get_credit(Dev *d, unsigned groups)
{
  struct CommonPaths *c = d->t->common;
  if (groups == 0) return true;
  if (c->launch == NULL) common_make_fronts(d->t);
  if (groups & NUMBERS_LAUNCHES
      && !(d->ops->residency.fetch_credits(d->device, c->credit) && get_lists(d, false)))
    return false;
  return !(groups & NUMBERS_CAPTURES) || get_lists(d, true);
}

static bool get_sums(Dev *d, unsigned groups)
{
  if (!(groups & NUMBERS_SUMS)) return true;
  EndSum *sums =
      mem_alloc(sizeof *sums * (2 * (size_t)end_block_count(d->flat->count.summed_slots) + 1));
  bool done = d->ops->residency.fetch_sums(d->device, sums);
  if (done) end_slacks_take(d->t->ends, sums);
  mem_free(sums);
  return done;
}

/* Fetches groups of numbers, so that the host has all that are not lost. */
static bool fetch(Dev *d, unsigned groups)
{
  const Residency *r = &d->t->device.residency;
  unsigned need = groups & residency_away(r);
  if (need & NUMBERS_ENDS) device_note(d, NUMBERS_SUMS, COPIED_TO_HOST);
  need &= residency_away(r);
  if (need
      && !(d->ops->residency.fetch(d->device, need) && get_credit(d, need & NUMBERS_LISTS)
           && get_sums(d, need)))
    device_lose(d);
  else if (need) d->t->device.report.download = d->ops->use(d->device).download;
  device_note(d, need, COPIED_TO_HOST);
  if (groups == NUMBERS_ALL) d->reruns = 0;
  return residency_in(r, LOST) == 0;
}

/* Records that the CPU has computed groups of numbers, or is about to. */
static void host_made(Dev *d, unsigned groups)
{
  device_note(d, groups & NUMBERS_ENDS ? groups | NUMBERS_SUMS : groups, COMPUTED_ON_HOST);
}

static void note_memory(DeviceReport *r, const Flat *f)
{
  r->graph_bytes = flat_bytes(f);
  r->start_bytes = flat_number_bytes(f, NUMBERS_SEEDS | NUMBERS_PORTS | NUMBERS_LATCHES);
  r->net_bytes = flat_number_bytes(f, NUMBERS_NETS);
  r->delay_bytes = flat_number_bytes(f, NUMBERS_DELAYS);
  r->arrival_bytes = flat_number_bytes(f, NUMBERS_ARRIVALS);
  r->end_bytes = flat_number_bytes(f, NUMBERS_ENDS);
  r->required_bytes = flat_number_bytes(f, NUMBERS_REQUIRED);
  r->scratch_bytes = flat_number_bytes(f, NUMBERS_SCRATCH);
  r->least_bytes = flat_least_bytes(f);
}

static void note_times(const Dev *d, const DeviceUse *u)
{
  DeviceReport *r = &d->t->device.report;
  r->trees = u->phase[DEVICE_NETS];
  r->forward = u->phase[DEVICE_FORWARD];
  r->end_points = u->phase[DEVICE_ENDS];
  r->backward = u->phase[DEVICE_BACKWARD];
  if (!common_active(d->t)) return;
  r->launches = u->phase[DEVICE_CREDITS] + u->phase[DEVICE_LAUNCHES];
  r->end_points = u->phase[DEVICE_CREDIT_ENDS];
  if (common_captures(d->t)) r->backward = u->phase[DEVICE_CAPTURES];
}

static void note_use(Dev *d)
{
  DeviceUse u = d->ops->use(d->device);
  DeviceReport *r = &d->t->device.report;
  *r = (DeviceReport){ .name = d->ops->name,
                       .bytes = u.bytes,
                       .open = u.open,
                       .upload = u.upload,
                       .download = u.download,
                       .trees_copy = u.trees_copy,
                       .schedule = d->flat->traits.schedule,
                       .cuda_graph = d->t->device.options.cuda_graph };
  note_times(d, &u);
  r->credit_bytes = u.credit_bytes;
  r->edit_bytes = u.edit_bytes;
  note_memory(r, d->flat);
  r->tree_bytes = u.tree_bytes;
  pool_enter();
  *d->reported &= ~(uint32_t)REPORTED_LOST;
  pool_leave();
}

static void put_seeds(Dev *d)
{
  flat_seeds(d->flat, d->t, &d->numbers);
  flat_latches(d->flat, d->t, &d->numbers);
  host_made(d, NUMBERS_SEEDS | NUMBERS_LATCHES);
}

/* --- phases ----------------------------------------------------------------------------------- */
void device_note_parasitics(Dev *d)
{
  for (int el = EARLY; el <= LATE; el++)
    d->parasitics[el] = d->t->parasitics[el] ? d->t->parasitics[el]->version : 0;
}

static bool same_parasitics(const Dev *d)
{
  for (int el = EARLY; el <= LATE; el++)
    if (d->parasitics[el] != (d->t->parasitics[el] ? d->t->parasitics[el]->version : 0))
      return false;
  return true;
}

/* Can the trees of an earlier update be used again? Nets that have changed since then are left to
   the host. */
bool device_has_trees(const Dev *d)
{
  return d->device && d->trees && device_has(d, NUMBERS_NETS) && same_parasitics(d);
}

/* Reduces the trees on the device again. Their numbers replace those of the host. */
static bool reduce_again(Dev *d)
{
  d->nets_there = 0;
  return device_edit_trees_now(d, false) && d->ops->phases.run(d->device, DEVICE_NETS);
}

static bool run_trees_again(Dev *d)
{
  bool done = (d->nets_serve || reduce_again(d)) && device_send_patches(d);
  d->nets_serve = false;
  if (!done) return device_lose(d);
  device_note(d, NUMBERS_NETS, COMPUTED_ON_DEVICE);
  return true;
}

/* Reduces all nets.  The CPU reduces its nets first and sends their numbers; then the device
   reduces the trees.  Patches of nets are sent before, because they contain numbers of the host. */
static bool run_trees(Dev *d, const Slot *drivers, uint32_t count)
{
  const DeviceOps *ops = d->ops;
  uint32_t rest_count;
  if (!device_send_patches(d)) return device_lose(d);
  Slot *rest = mem_alloc(sizeof *rest * ((size_t)count + 1));
  Trees *trees = trees_new(d->t, d->flat->traits.schedule, drivers, count, rest, &rest_count);
  cpu_reduce_nets(d->t, rest, rest_count);
  host_made(d, NUMBERS_NETS);
  bool done = trees->tree_count == 0
              || (ops->residency.upload(d->device, NUMBERS_NETS)
                  && ops->residency.put_trees(d->device, trees)
                  && ops->phases.run(d->device, DEVICE_NETS));
  d->trees = done && trees->tree_count;
  d->port_nets = false;
  tree_nets_free(d->tree_nets);
  d->tree_nets = d->trees ? tree_nets_new(d->t, trees) : NULL;
  array_clear(&d->nets);
  map_free(d->is_net);
  d->is_net = NULL;
  d->nets_there = 0;
  device_note_parasitics(d);
  if (d->trees) device_note(d, NUMBERS_NETS, COMPUTED_ON_DEVICE);
  if (!done) device_lose(d);
  trees_free(trees);
  mem_free(rest);
  d->nets_serve = false;
  return done;
}

/* Reduces the nets of some drivers. If the delay model needs total capacitances only, the CPU does
   it, because there is little to reduce. */
static void device_reduce_nets(Timing *t, const Slot *drivers, uint32_t count)
{
  Dev *d = device_of(t);
  bool may =
      delay_has(t->delay_model, DELAY_NEEDS_ELMORE) && forward_unsupported(t) == 0 && !d->lost;
  bring_annotation(d);
  if (may && (device_has_trees(d) ? run_trees_again(d) : opened(d) && run_trees(d, drivers, count)))
    return;
  cpu_reduce_nets(t, drivers, count);
  host_made(d, NUMBERS_NETS);
}

/* Runs the forward phase. The host computes the ports first, for which it needs the numbers of
   their nets. */
static bool run_forward(Dev *d)
{
  if (!opened(d)) return false;
  if (residency_away(&d->t->device.residency) & NUMBERS_NETS && !d->port_nets)
    cpu_reduce_nets(d->t, d->flat->host.port_drivers, d->flat->host.port_driver_count);
  d->port_nets = true;
  flat_ports(d->flat, d->t, &d->numbers);
  host_made(d, NUMBERS_PORTS);
  put_seeds(d);
  unsigned makes = NUMBERS_DELAYS | NUMBERS_ARRIVALS;
  if (!run(d, DEVICE_FORWARD, NUMBERS_NETS | NUMBERS_SEEDS | NUMBERS_LATCHES | NUMBERS_PORTS,
           makes))
    return false;
  note_use(d);
  return true;
}

static bool device_forward(Timing *t)
{
  Dev *d = device_of(t);
  if (interrupt_seen()) return false;
  if ((may_run(d, forward_unsupported(t)) && run_forward(d)) || !fetch(d, NUMBERS_NETS))
    return true;
  host_made(d, NUMBERS_DELAYS | NUMBERS_ARRIVALS);
  return cpu_forward(t);
}

static bool run_arrivals(Dev *d)
{
  if (!opened(d)) return false;
  put_seeds(d);
  /* NUMBERS_NETS: the wires of plain loads */
  return run(d, DEVICE_ARRIVALS, NUMBERS_NETS | NUMBERS_DELAYS | NUMBERS_SEEDS | NUMBERS_LATCHES,
             NUMBERS_ARRIVALS);
}

static bool device_arrivals(Timing *t)
{
  Dev *d = device_of(t);
  if (interrupt_seen()) return false;
  if ((may_run(d, arrival_unsupported(t)) && run_arrivals(d)) || !fetch(d, NUMBERS_DELAYS))
    return true;
  host_made(d, NUMBERS_ARRIVALS);
  return cpu_arrivals(t);
}

static void device_latch_delays(Timing *t)
{
  if (t->g->arcs.latches.len == 0 || !fetch(device_of(t), NUMBERS_NETS | NUMBERS_DELAYS)) return;
  cpu_latch_delays(t);
  host_made(device_of(t), NUMBERS_DELAYS);
}

enum { FORWARD_NUMBERS = NUMBERS_NETS | NUMBERS_DELAYS | NUMBERS_ARRIVALS };

static bool device_reference_pass(Timing *t)
{
  return fetch(device_of(t), FORWARD_NUMBERS) && cpu_reference_pass(t);
}

static bool put_credit(Dev *d)
{
  if (d->credit) return true;
  d->credit = flat_credit_new(d->t);
  return d->ops->residency.put_credit(d->device, d->credit);
}

static bool put_latched(Dev *d)
{
  if (d->t->g->arcs.latches.len == 0) return true;
  FlatLatched *list = flat_latched(d->t);
  bool done = d->ops->residency.put_latched(d->device, list, d->t->latches.arrivals.len);
  mem_free(list);
  return done;
}

/* Computes credits and lists of launches. The lists are only computed if some credit is above 0. */
static bool run_launches(Dev *d)
{
  float most = 0;
  if (!opened(d)) return false;
  put_seeds(d);
  if (!put_credit(d) || !put_latched(d)) return device_lose(d);
  unsigned reads = NUMBERS_DELAYS | NUMBERS_ARRIVALS | NUMBERS_SEEDS | NUMBERS_LATCHES;
  if (!run(d, DEVICE_CREDITS, reads, 0)) return false;
  if (!d->ops->phases.most_credit(d->device, &most)) return device_lose(d);
  d->t->common->active = most > 0;
  return most == 0 || run(d, DEVICE_LAUNCHES, reads, NUMBERS_LAUNCHES);
}

/* Makes sure that the lists of launches are on the device. After updates in place only the host has
   them, and the device makes its own again. */
static bool has_launches(Dev *d)
{
  return !common_active(d->t) || device_has(d, NUMBERS_LAUNCHES) || run_launches(d);
}

static bool device_common_paths(Timing *t)
{
  Dev *d = device_of(t);
  if (interrupt_seen()) return false;
  if ((credit_unsupported(t) == 0 && !d->lost && run_launches(d)) || !fetch(d, FORWARD_NUMBERS))
    return true;
  host_made(d, NUMBERS_LISTS);
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
  Dev *d = device_of(t);
  /* check margins are read for checks without path ends */
  unsigned reads = NUMBERS_DELAYS | NUMBERS_ARRIVALS | (t->g->arcs.latches.len ? NUMBERS_ENDS : 0);
  bool may = may_run(d, end_unsupported(t)) && opened(d) && has_launches(d);
  if (may && run(d, end_phase(t), reads, NUMBERS_ENDS | NUMBERS_REQUIRED)) return;
  if (!fetch(d, FORWARD_NUMBERS | NUMBERS_LAUNCHES)) return;
  host_made(d, NUMBERS_ENDS | NUMBERS_REQUIRED);
  cpu_end_points(t);
}

static bool device_backward(Timing *t)
{
  Dev *d = device_of(t);
  if (interrupt_seen()) return false;
  bool captures = common_captures(t),
       may = may_run(d, backward_unsupported(t)) && opened(d) && (!captures || has_launches(d));
  unsigned reads =
      NUMBERS_DELAYS | NUMBERS_ARRIVALS | NUMBERS_REQUIRED | (captures ? NUMBERS_ENDS : 0);
  if (may
      && run(d, backward_phase(t), reads, NUMBERS_REQUIRED | (captures ? NUMBERS_CAPTURES : 0))) {
    note_use(d);
    return true;
  }
  if (!fetch(d, NUMBERS_ALL)) return true;
  host_made(d, NUMBERS_REQUIRED | NUMBERS_CAPTURES);
  return cpu_backward(t);
}

static bool device_latch_pass(Timing *t)
{
  if (!fetch(device_of(t), FORWARD_NUMBERS | NUMBERS_ENDS | NUMBERS_LAUNCHES)) return false;
  host_made(device_of(t), NUMBERS_ENDS);
  return cpu_latch_pass(t);
}

/* --- measuring -------------------------------------------------------------------------------- */
/* Returns the median time of a phase; 0 if it does not run on the device. */
static double median(Dev *d, DevicePhase phase, bool runs, uint32_t repeats)
{
  double *seconds = mem_alloc(sizeof *seconds * repeats), middle = 0;
  bool done = runs && d->device != NULL;
  for (uint32_t i = 0; i < repeats && done; i++) {
    done = d->ops->phases.run(d->device, phase) && d->ops->phases.wait(d->device);
    seconds[i] = done ? d->ops->use(d->device).phase[phase] : 0;
  }
  if (done) middle = median_of(seconds, repeats);
  else if (runs && d->device) device_lose(d);
  mem_free(seconds);
  return middle;
}

/* Measures the phases. Nothing is copied back, and the numbers on the device are not used any more,
   because they may lack what the CPU added. */
static void device_measure(Timing *t, uint32_t repeats)
{
  Dev *d = device_of(t);
  DeviceReport *r = &t->device.report;
  if (d->device == NULL || !fetch(d, NUMBERS_ALL)) return;
  r->trees = median(d, DEVICE_NETS, d->trees, repeats);
  r->forward = median(d, DEVICE_FORWARD, forward_unsupported(t) == 0, repeats);
  r->launches = median(d, DEVICE_LAUNCHES, common_active(t) && d->credit, repeats);
  r->end_points =
      median(d, end_phase(t), end_unsupported(t) == 0 && (!common_active(t) || d->credit), repeats);
  r->backward = median(d, backward_phase(t),
                       backward_unsupported(t) == 0 && (!common_captures(t) || d->credit), repeats);
  r->repeats = repeats;
  device_note(d, NUMBERS_EVERY, OUTDATED_ON_DEVICE);
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
  Dev *d = mem_alloc_zero(1, sizeof *d);
  *d = (Dev){ .ops = ops, .t = t, .log = log, .reported = reported, .lost = t->device.off };
  t->owned[OWNER_DEVICE] = (TimingKept){ d, free_device };
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
  Dev *d = device_of(t);
  if (d == NULL || d->lost) return false;
  device_note(d, NUMBERS_NETS, COPIED_TO_HOST);      /* the old numbers of nets are not needed */
  device_note(d, NUMBERS_EVERY & ~NUMBERS_NETS, COMPUTED_ON_HOST);
  return true;
}

/* The most whole updates on the device after edits, before the host fetches all numbers.  If the
   device has all numbers and few patches to get, a whole update costs less than one fetch.  After
   the fetch, the CPU follows edits, so with more edits the fetch pays. */
enum { MOST_RERUNS = 8, FORWARD_RESULTS = NUMBERS_DELAYS | NUMBERS_ARRIVALS };

static bool device_reruns(Timing *t)
{
  Dev *d = device_of(t);
  bool alone = (residency_away(&t->device.residency) & FORWARD_RESULTS) != 0,
       passes = t->g->arcs.latches.len || t->g->starts.references.len;
  if (t->scaling) return false;      /* whole updates make new arrays for scaled libraries */
  if (d == NULL || d->device == NULL || device_unsupported(t) || passes || !alone
      || !device_has_trees(d) || d->reruns >= MOST_RERUNS)
    return false;
  d->reruns++;
  d->nets_serve = true;
  return true;
}

static double waited(const DeviceUse *u, uint32_t phases)
{
  double seconds = 0;
  for (int i = 0; i < DEVICE_PHASES; i++)
    if (phases & u->waited & 1u << i) seconds += u->phase[i];
  return seconds;
}

static PhaseSeconds phase_seconds(const DeviceUse *u)
{
  enum {
    FORWARD = 1 << DEVICE_FORWARD | 1 << DEVICE_ARRIVALS | 1 << DEVICE_CREDITS
              | 1 << DEVICE_LAUNCHES,
    BACKWARD = 1 << DEVICE_ENDS | 1 << DEVICE_BACKWARD | 1 << DEVICE_CREDIT_ENDS
               | 1 << DEVICE_CAPTURES
  };
  return (PhaseSeconds){ waited(u, 1 << DEVICE_NETS), waited(u, FORWARD), waited(u, BACKWARD) };
}

/* Medians of measured runs stay in the report. */
static bool device_wait(Timing *t, PhaseSeconds *spent)
{
  Dev *d = device_of(t);
  *spent = (PhaseSeconds){ 0 };
  if (d == NULL || d->lost || d->device == NULL) return true;
  if (!d->ops->phases.wait(d->device)) return device_lose(d);
  DeviceUse u = d->ops->use(d->device);
  *spent = phase_seconds(&u);
  if (t->device.report.name && t->device.report.repeats == 0) note_times(d, &u);
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
  FamilyRun *r = family_open(&levels_family, ops, options, 1);
  bool done = family_run(r, LEVELS_FIND, &call);
  const DeviceError *e = family_error(r);
  if (!done) text_printf(why, "%s (%s, line %d)", e->text, e->file, e->line);
  family_close(r);
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
static bool device_run(Timing *t, const Family *f, int operation, void *call)
{
  Dev *d = device_of(t);
  if (d == NULL || d->lost || !opened(d)) return false;
  if (!bring(d, d->ops->family_reads(f, operation))
      || !d->ops->run_family(d->device, f, operation, call))
    return device_lose(d);
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
    .latch_delays = device_latch_delays, .reference_pass = device_reference_pass,              \
    .latch_pass = device_latch_pass, .common_paths = device_common_paths,                      \
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
static const Backend *choose_asked(const Backend *b, const EngineOptions *o, Text *why)
{
  Text what = { 0 };
  bool there = b->available(o->device, &what);
  if (there) text_put(why, text_get(&what));
  else text_printf(why, "%s was asked for: %s", b->name, text_get(&what));
  text_free(&what);
  return there ? b : &cpu_backend;
}

const Backend *backend_by_size(const Backend *device, const EngineOptions *o, uint32_t pins,
                               Text *why)
{
  Text what = { 0 };
  bool small = pins == 0 || pins < (uint32_t)o->least_pins,
       there = !small && device->available(o->device, &what);
  if (pins == 0) text_printf(why, "auto: a device from %d pins on", o->least_pins);
  else if (small)
    text_printf(why, "auto: %u pins, a device is taken from %d on", pins, o->least_pins);
  else if (there)
    text_printf(why, "%s (auto: %u pins, at least %d)", text_get(&what), pins, o->least_pins);
  else text_printf(why, "auto: %s", text_get(&what));
  text_free(&what);
  return there ? device : &cpu_backend;
}

#ifdef HAVE_CUDA
static const Backend *choose_cuda(const EngineOptions *o, Text *why)
{
  return choose_asked(&cuda_backend, o, why);
}
static const Backend *choose_auto(const EngineOptions *o, uint32_t pins, Text *why)
{
  return backend_by_size(&cuda_backend, o, pins, why);
}
#else
static const Backend *choose_cuda(const EngineOptions *o, Text *why)
{
  (void)o;
  text_put(why, "cuda was asked for: built without CUDA");
  return &cpu_backend;
}

static const Backend *choose_auto(const EngineOptions *o, uint32_t pins, Text *why)
{
  (void)o;
  if (pins) text_put(why, "auto: built without CUDA");
  return &cpu_backend;
}
#endif

const Backend *backend_choose(EngineKind kind, const EngineOptions *o, uint32_t pins, Text *why)
{
  switch (kind) {
  case ENGINE_CUDA:     return choose_cuda(o, why);
  case ENGINE_EMULATED: return choose_asked(&emulated_backend, o, why);
  case ENGINE_AUTO:     return choose_auto(o, pins, why);
  default:              return &cpu_backend;
  }
}

/* --- the same for families of kernels --------------------------------------------------------- */
static const DeviceOps *best_device(const EngineOptions *o, Text *why)
{
#ifdef HAVE_CUDA
  return available_on(&cuda_device, o->device, why) ? &cuda_device : NULL;
#else
  (void)o;
  text_put(why, "auto: built without CUDA");
  return NULL;
#endif
}

const DeviceOps *backend_for_family(EngineKind kind, const EngineOptions *o, uint64_t items,
                                    uint64_t least, Text *why)
{
  if (kind != ENGINE_AUTO) return backend_choose(kind, o, 0, why)->device;
  if (items >= least) return best_device(o, why);
  text_printf(why, "auto: %llu items, a device is taken from %llu on", (unsigned long long)items,
              (unsigned long long)least);
  return NULL;
}
