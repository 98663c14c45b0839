/* Implements device/device.h: arrays in one arena, and phases as captured kernels. */
#include "cuda/private.h"

#include <string.h>

/* --- the arena: both lists of arrays, one behind another -------------------------------------- */
static size_t arena_bytes(const Flat *f)
{
  size_t bytes = ALIGNMENT;
#define ADD(type, name, count) bytes += device_aligned((size_t)(count) * sizeof(type));
  FLAT_ARRAYS(ADD)
#undef ADD
#define ADD(group, type, name, count) bytes += device_aligned((size_t)(count) * sizeof(type));
  NUMBER_ARRAYS(ADD)
#undef ADD
  return bytes;
}

static void place_arrays(Device *d)
{
  const Flat *f = d->design->f;
  size_t at = 0;
#define PLACE(type, name, count) \
  d->design->view.f.name = (const type *)(d->design->arena + at); \
  device_put(d, d->design->arena + at, f->name, (size_t)(count) * sizeof(type)); \
  at += device_aligned((size_t)(count) * sizeof(type));
  FLAT_ARRAYS(PLACE)
#undef PLACE
#define PLACE(group, type, name, count) \
  d->design->view.n.name = (type *)(d->design->arena + at); \
  at += device_aligned((size_t)(count) * sizeof(type));
  NUMBER_ARRAYS(PLACE)
#undef PLACE
}

/* --- copies ----------------------------------------------------------------------------------- */
static size_t group_bytes(const Device *d, unsigned groups)
{
  const Flat *f = d->design->f;
  size_t bytes = 0;
#define ADD(group, type, name, count) \
  if (groups & group) bytes += device_aligned((size_t)(count) * sizeof(type));
  NUMBER_ARRAYS(ADD)
#undef ADD
  return bytes;
}

static void put_packed(Device *d, char *to, const char *from, size_t bytes, char **packed)
{
  if (bytes == 0) return;
  memcpy(*packed, from, bytes);
  device_put(d, to, *packed, bytes);
  *packed += device_aligned(bytes);
}

/* Small groups are copied from memory that the device reads by itself. So the host does not wait
   until the device has done what it was asked for before. */
static void upload_packed(Device *d, unsigned groups)
{
  struct DeviceDesign *design = d->design;
  const Flat *f = design->f;
  char *packed = shared_room(d, &design->upload_room, group_bytes(d, groups));
  if (packed == NULL) return;
#define PUT(group, type, name, count)                                                       \
  if (groups & group)                                                                       \
    put_packed(d, (char *)design->view.n.name, (const char *)design->host.name,             \
               (size_t)(count) * sizeof(type), &packed);
  NUMBER_ARRAYS(PUT)
#undef PUT
  shared_note(d, &design->upload_room);
}

static void upload_all(Device *d, unsigned groups)
{
  const struct DeviceDesign *design = d->design;
  const Flat *f = design->f;
#define PUT(group, type, name, count) \
  if (groups & group)                 \
    device_put(d, design->view.n.name, design->host.name, (size_t)(count) * sizeof(type));
  NUMBER_ARRAYS(PUT)
#undef PUT
  device_finish(d, 0);
}

enum { PACKED_MOST = 1 << 20 };

static bool upload(Device *d, unsigned groups)
{
  double since = device_now();
  if (!device_enter(d, "upload")) return false;
  d->design->sums_asked = false;
  if (group_bytes(d, groups) <= PACKED_MOST) upload_packed(d, groups);
  else upload_all(d, groups);
  d->design->use.upload = device_now() - since;
  return d->error.file == NULL;
}

static bool fetch(Device *d, unsigned groups)
{
  const struct DeviceDesign *design = d->design;
  const Flat *f = design->f;
  double since = device_now();
  if (!device_enter(d, "download")) return false;
#define GET(group, type, name, count) \
  if (groups & group)                 \
    device_get(d, design->host.name, design->view.n.name, (size_t)(count) * sizeof(type));
  NUMBER_ARRAYS(GET)
#undef GET
  /* sums of slacks and lists of credit have copies of their own */
  d->design->use.download = group_bytes(d, groups) ? device_finish(d, since) : 0;
  return d->error.file == NULL;
}

/* --- phases ----------------------------------------------------------------------------------- */
static const Schedule pin_schedule = {
  .nets = start_pin_trees,
  .forward = start_pin_forward,
  .arrivals = start_pin_arrivals,
  .ends = start_pin_ends,
  .backward = start_pin_backward,
};

static const Schedule *schedule_of(const Device *d)
{
  switch (d->design->f->traits.schedule) {
  case SCHEDULE_NET: return &SL_NAMED(net_schedule);
  case SCHEDULE_CTE: return &SL_NAMED(cte_schedule);
  default:           return &pin_schedule;
  }
}

/* Returns the function that starts a phase. All schedules have the same one for common path
   credit. */
static Starter starter_of(const Device *d, DevicePhase phase)
{
  const Schedule *schedule = schedule_of(d);
  switch (phase) {
  case DEVICE_NETS:        return schedule->nets;
  case DEVICE_FORWARD:     return schedule->forward;
  case DEVICE_ARRIVALS:    return schedule->arrivals;
  case DEVICE_ENDS:        return schedule->ends;
  case DEVICE_BACKWARD:    return schedule->backward;
  case DEVICE_CREDITS:     return start_credits;
  case DEVICE_LAUNCHES:    return start_launches;
  case DEVICE_CREDIT_ENDS: return start_credit_ends;
  default:                 return start_captures;
  }
}

static const char *const phase_names[DEVICE_PHASES] = { "nets",     "forward",     "arrivals",
                                                        "ends",     "backward",    "credits",
                                                        "launches", "credit_ends", "captures" };

static void start_phase(Device *d, DevicePhase phase) { starter_of(d, phase)(d); }

#ifdef __CUDACC__

#define DO(call) device_check(d, (call), __FILE__, __LINE__)

/* Begins to capture the kernels of a phase. They are captured once, because nodes of a graph cost
   a fifth of plain starts. */
static bool begin_capture(Device *d)
{
  return DO(cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal));
}

static cudaError_t end_capture(Device *d, cudaGraphExec_t *plan)
{
  cudaGraph_t graph = NULL;
  cudaError_t status = cudaStreamEndCapture(d->stream, &graph);
  if (status == cudaSuccess && d->error.file == NULL) status = cudaGraphInstantiate(plan, graph, 0);
  if (graph) cudaGraphDestroy(graph);
  return status;
}

static bool capture(Device *d, DevicePhase phase)
{
  if (!begin_capture(d)) return false;
  start_phase(d, phase);
  return DO(end_capture(d, &d->design->plan[phase])) && d->error.file == NULL;
}

static bool prepare(Device *d, DevicePhase phase)
{
  return !d->options.cuda_graph || d->design->plan[phase] || capture(d, phase);
}

static bool start(Device *d, DevicePhase phase)
{
  if (d->options.cuda_graph) return DO(cudaGraphLaunch(d->design->plan[phase], d->stream));
  start_phase(d, phase);
  return d->error.file == NULL;
}

#else

static bool prepare(Device *d, DevicePhase phase)
{
  (void)d;
  (void)phase;
  return true;
}

static bool start(Device *d, DevicePhase phase)
{
  start_phase(d, phase);
  return d->error.file == NULL;
}

#endif

static bool run_once(Device *d, DevicePhase phase)
{
  DeviceSpan *span = &d->design->span[phase];
  return device_enter(d, phase_names[phase]) && prepare(d, phase) && device_span_begin(d, span)
         && start(d, phase) && device_span_end(d, span);
}

bool device_take_time(Device *d, DevicePhase phase)
{
  return device_span_take(d, &d->design->span[phase], &d->design->use.phase[phase]);
}

/* Waits for the phases, and takes their times. */
static bool wait_for_phases(Device *d)
{
  if (!device_enter(d, "wait")) return false;
  d->design->use.waited = 0;
  for (int i = 0; i < DEVICE_PHASES; i++) {
    if (d->design->span[i].pending) d->design->use.waited |= 1u << i;
    device_take_time(d, (DevicePhase)i);
  }
  device_finish(d, 0);
  return d->error.file == NULL;
}

/* --- the rest of a forward phase -------------------------------------------------------------- */
/* The rest of a forward phase may begin at some levels, and each has a graph of its own. Without
   graphs the starts of so many kernels would take the host longer than the device has work. */
static uint32_t first_of_part(const Device *d, uint32_t part)
{
  return (uint32_t)(((uint64_t)part * d->design->f->count.levels + FORWARD_PARTS - 1)
                    / FORWARD_PARTS);
}

#ifdef __CUDACC__
/* Makes the graph of a part. Returns false if no further part should be tried: after an error, or
   if there is no memory for the graph, which is not an error. */
static bool plan_part(Device *d, uint32_t part)
{
  if (!begin_capture(d)) return false;
  start_forward_from(d, first_of_part(d, part));
  cudaError_t status = end_capture(d, &d->design->part[part]);
  if (status == cudaErrorMemoryAllocation) cudaGetLastError();
  return status != cudaErrorMemoryAllocation && DO(status) && d->error.file == NULL
         && DO(cudaGraphUpload(d->design->part[part], d->stream));
}
#endif

static void forget_parts(Device *d)
{
  (void)d;
#ifdef __CUDACC__
  for (int i = 0; i < FORWARD_PARTS; i++)
    if (d->design->part[i]) DO(cudaGraphExecDestroy(d->design->part[i]));
#endif
}

void device_plan_parts(Device *d)
{
  (void)d;
#ifdef __CUDACC__
  uint32_t levels = d->design->f->count.levels;
  if (!d->options.cuda_graph) return;
  for (uint32_t p = 0; p < FORWARD_PARTS && first_of_part(d, p) < levels; p++)
    if (!plan_part(d, p)) return;
#endif
}

/* Runs the forward phase from a part on. Levels of the part below `level` are up to date, and are
   computed to the same numbers again. */
void device_forward_from(Device *d, uint32_t level)
{
  if (level >= d->design->f->count.levels) return;
  uint32_t part = (uint32_t)((uint64_t)level * FORWARD_PARTS / d->design->f->count.levels);
#ifdef __CUDACC__
  if (d->design->part[part]) {
    DO(cudaGraphLaunch(d->design->part[part], d->stream));
    return;
  }
#endif
  start_forward_from(d, first_of_part(d, part));
}

static bool run(Device *d, DevicePhase phase)
{
  bool done = (phase != DEVICE_LAUNCHES || device_make_lists(d)) && run_once(d, phase),
       ends = phase == DEVICE_ENDS || phase == DEVICE_CREDIT_ENDS;
  while (done && device_lists_grew(d, phase)) done = run_once(d, phase);
  if (phase != DEVICE_BACKWARD && phase != DEVICE_CAPTURES) d->design->sums_asked = false;
  /* most queries after an update need only these, and the host can have them before the required
     times are computed */
  if (done && ends) device_ask_end_sums(d);
  return done && d->error.file == NULL;
}

/* --- life ------------------------------------------------------------------------------------- */
static Device *open_device(const EngineOptions *options)
{
  Device *d = (Device *)mem_alloc_zero(1, sizeof *d);
  d->options = *options;
  return d;
}

static bool put_design(Device *d, const Flat *f, const Numbers *host)
{
  double since = device_now();
  struct DeviceDesign *design = (struct DeviceDesign *)mem_alloc_zero(1, sizeof *design);
  d->design = design;
  design->f = f;
  design->host = *host;
  design->view.f = *f;
  if (device_enter(d, "open")) device_start(d);
  design->view.reversed = d->reversed;
  design->arena = device_block(d, arena_bytes(f));
  if (design->arena) place_arrays(d);
  design->use.open = device_finish(d, since);
  return d->error.file == NULL;
}

static void forget_design(Device *d)
{
  if (d->design == NULL) return;
  device_finish(d, 0);
  device_free_credit(d);
  device_free_follow(d);
  shared_free(d, &d->design->patch_room);
  shared_free(d, &d->design->tree_room);
  shared_free(d, &d->design->sum_room);
  shared_free(d, &d->design->upload_room);
  for (int i = 0; i < DEVICE_PHASES; i++) device_span_free(d, &d->design->span[i]);
  for (int i = 0; i < DEVICE_PHASES; i++) device_forget(d, (DevicePhase)i);
  forget_parts(d);
  mem_free(d->design);
  d->design = NULL;
}

static void close_device(Device *d)
{
  if (d == NULL) return;
#ifdef __CUDACC__
  cudaSetDevice(d->options.device);
#endif
  forget_design(d);
  device_forget_states(d);
  device_stop(d);
  mem_free(d);
}

/* --- the table -------------------------------------------------------------------------------- */
static const DeviceError *error_of(const Device *d) { return &d->error; }

static DeviceUse use_of(const Device *d)
{
  DeviceUse u = d->design->use;
  u.bytes = d->bytes;
  return u;
}

#ifdef __CUDACC__
#define DEVICE cuda_device
#define DEVICE_NAME "cuda"
#else
#define DEVICE emulated_device
#define DEVICE_NAME "emulated"
#endif

static FamilyUse family_use_of(const Device *d)
{
  FamilyUse u = { .engine = DEVICE_NAME, .bytes = d->bytes, .kernel_seconds = d->kernel_seconds };
  return u;
}

const DeviceOps DEVICE = {
  .name = DEVICE_NAME,
  .available = device_available,
  .open = open_device,
  .close = close_device,
  .error = error_of,
  .run_family = device_run_family,
  .family_reads = device_family_reads,
  .family_use = family_use_of,
  .use = use_of,
  .phases = {
    .run = run,
    .wait = wait_for_phases,
    .most_credit = device_most_credit,
  },
  .residency = {
    .put_design = put_design,
    .upload = upload,
    .fetch = fetch,
    .patch = device_patch,
    .put_trees = device_put_trees,
    .edit_trees = device_edit_trees,
    .put_credit = device_put_credit,
    .put_latched = device_put_latched,
    .fetch_credits = device_get_credits,
    .list_pages = device_list_pages,
    .fetch_lists = device_get_lists,
    .fetch_sums = device_end_sums,
  },
  .edits = {
    .begin = device_begin_following,
    .follows = device_is_following,
    .follow = device_follow_edit,
  },
};
