#include "engine/timer.h"

#include <omp.h>
#include <time.h>

#include "base/interrupt.h"
#include "engine/backend.h"

Timer *timer_new(const TimerInput *in, Log *log)
{
  Timer *t = mem_alloc_zero(1, sizeof *t);
  t->in = *in;
  t->log = log;
  t->backend = &cpu_backend;
  t->delay_model = DELAY_CEFF;
  t->whole = true;
  return t;
}

static void drop(Timer *t)
{
  timing_free(t->timing);
  graph_free(t->graph);
  t->timing = NULL;
  t->graph = NULL;
}

void timer_free(Timer *t)
{
  if (t == NULL) return;
  drop(t);
  model_free(t->model);
  array_free(&t->dirty_pins);
  mem_free(t);
}

void timer_invalidate(Timer *t) { t->whole = true; }

void timer_set_delay_model(Timer *t, DelayModel model)
{
  if (t->delay_model != model) t->whole = true;
  t->delay_model = model;
  t->model_given = true;
}

void timer_touch_pin(Timer *t, PinId pin)
{
  array_push(&t->dirty_pins, pin);
}

static double now(void)
{
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

static int thread_count(const Timer *t) { return t->threads > 0 ? t->threads : omp_get_num_procs(); }

/* --- structure ------------------------------------------------------------------------------------------------ */
static bool structure_is_old(const Timer *t)
{
  return t->graph == NULL || t->netlist_version != t->in.netlist->edit_count || t->constraints_version != t->in.constraints->version ||
         t->library_count != t->in.libs->libraries.len;
}

static void make_structure(Timer *t)
{
  double start = now();
  drop(t);
  if (t->model == NULL || t->library_count != t->in.libs->libraries.len || t->model->libs != t->in.libs) {
    model_free(t->model);
    t->model = model_new(t->in.libs);
  }
  t->graph = graph_new(t->in.netlist, t->in.libs, t->in.constraints, t->log);
  t->netlist_version = t->in.netlist->edit_count;
  t->constraints_version = t->in.constraints->version;
  t->library_count = t->in.libs->libraries.len;
  t->whole = true;
  t->seconds_graph = now() - start;
}

static void make_timing(Timer *t)
{
  timing_free(t->timing);
  t->timing = timing_new(t->graph, t->model, t->in.parasitics, t->delay_model);
  t->timing->threads = thread_count(t);
  t->value_version = t->in.constraints->value_version;
}

/* --- a whole update --------------------------------------------------------------------------------------------- */
static void reduce_all(Timer *t)
{
  const Graph *g = t->graph;
  Slot *drivers = mem_alloc(sizeof *drivers * ((size_t)g->driver_count + 1));
  uint32_t count = 0;
  for (uint32_t level = 0; level < g->level_count; level++)
    for (Slot s = g->level_first[level]; s < g->level_loads[level]; s++) drivers[count++] = s;
  t->backend->reduce_nets(t->timing, drivers, count);
  mem_free(drivers);
}

static Status stopped(Timer *t)
{
  t->whole = true;
  return log_error(t->log, "TIME-001", NOWHERE, "timing update interrupted");
}

enum { LATCH_PASSES = 50 };

/* Arrivals again, with what latches pass on, until they pass on the same as before. */
static Status settle_latches(Timer *t)
{
  if (t->graph->latches.len == 0) return OK;
  for (int pass = 0; pass < LATCH_PASSES; pass++) {
    if (!t->backend->latch_pass(t->timing)) return OK;
    for (uint32_t level = 0; level < t->graph->level_count; level++) {
      if (interrupt_seen()) return stopped(t);
      t->backend->level_arrivals(t->timing, level);
    }
  }
  log_warning(t->log, "TIME-002", NOWHERE, "arrivals through latches still change after %d passes; the last pass stands", LATCH_PASSES);
  return OK;
}

static Status forward_all(Timer *t)
{
  double start = now();
  make_timing(t);
  reduce_all(t);
  t->seconds_nets = now() - start;
  start = now();
  for (uint32_t level = 0; level < t->graph->level_count; level++) {
    if (interrupt_seen()) return stopped(t);
    t->backend->level_delays(t->timing, level);
    t->backend->level_arrivals(t->timing, level);
  }
  if (settle_latches(t) != OK) return FAILED;
  t->seconds_forward = now() - start;
  t->whole = false;
  t->required_valid = false;
  t->updates++;
  array_clear(&t->dirty_pins);
  return OK;
}

static Status backward_all(Timer *t)
{
  double start = now();
  t->backend->end_points(t->timing);
  for (uint32_t level = t->graph->level_count; level-- > 0;) {
    if (interrupt_seen()) return stopped(t);
    t->backend->level_required(t->timing, level);
  }
  t->seconds_backward = now() - start;
  t->required_valid = true;
  return OK;
}

Status timer_update(Timer *t, bool required)
{
  if (structure_is_old(t)) make_structure(t);
  if (t->value_version != t->in.constraints->value_version || t->timing == NULL || t->dirty_pins.len) t->whole = true;
  if (t->whole && forward_all(t) != OK) return FAILED;
  if (required && !t->required_valid) return backward_all(t);
  return OK;
}
