/* The device as the engine sees it: arrays in one arena, phases as captured launches. */
#include "cuda/private.h"

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
  const Flat *f = d->f;
  size_t at = 0;
#define PLACE(type, name, count) \
  d->view.f.name = (const type *)(d->arena + at); \
  device_put(d, d->arena + at, f->name, (size_t)(count) * sizeof(type)); \
  at += device_aligned((size_t)(count) * sizeof(type));
  FLAT_ARRAYS(PLACE)
#undef PLACE
#define PLACE(group, type, name, count) \
  d->view.n.name = (type *)(d->arena + at); \
  at += device_aligned((size_t)(count) * sizeof(type));
  NUMBER_ARRAYS(PLACE)
#undef PLACE
}

/* --- operations ------------------------------------------------------------------------------- */
static void close_device(Device *d)
{
  if (d == NULL) return;
  device_free_credit(d);
  device_free_follow(d);
  device_stop(d);
  mem_free(d);
}

static Device *open_device(const Flat *f, const Numbers *host, const EngineOptions *options,
                           DeviceError *error)
{
  Device *d = (Device *)mem_alloc_zero(1, sizeof *d);
  double since = device_now();
  d->f = f;
  d->host = *host;
  d->options = *options;
  d->view.f = *f;
  d->use.bytes = arena_bytes(f);
  if (device_enter(d, "open")) device_start(d);
  d->arena = device_block(d, d->use.bytes);
  if (d->arena) place_arrays(d);
  d->use.open = device_finish(d, since);
  if (d->error.file == NULL) return d;
  *error = d->error;
  close_device(d);
  return NULL;
}

static bool upload(Device *d, unsigned groups)
{
  const Flat *f = d->f;
  double since = device_now();
  if (!device_enter(d, "upload")) return false;
#define PUT(group, type, name, count) \
  if (groups & group) device_put(d, d->view.n.name, d->host.name, (size_t)(count) * sizeof(type));
  NUMBER_ARRAYS(PUT)
#undef PUT
  d->use.upload = device_finish(d, since);
  return d->error.file == NULL;
}

static bool download(Device *d, unsigned groups)
{
  const Flat *f = d->f;
  double since = device_now();
  if (!device_enter(d, "download")) return false;
#define GET(group, type, name, count) \
  if (groups & group) device_get(d, d->host.name, d->view.n.name, (size_t)(count) * sizeof(type));
  NUMBER_ARRAYS(GET)
#undef GET
  d->use.download = device_finish(d, since);
  return d->error.file == NULL;
}

typedef void (*Launch)(Device *d);

/* Of common path credit: one schedule. */
#define CREDIT_LAUNCHES launch_credits, gather_launches, launch_credit_ends, launch_captures

static Launch launch_of(const Device *d, DevicePhase phase)
{
  static const Launch launches[][DEVICE_PHASES] = {
    /* by schedule */
    { launch_net_trees, launch_net_forward, launch_net_arrivals, launch_net_ends,
      launch_net_backward, CREDIT_LAUNCHES },
    { launch_pin_trees, launch_pin_forward, launch_pin_arrivals, launch_pin_ends,
      launch_pin_backward, CREDIT_LAUNCHES },
    { launch_cte_trees, launch_cte_forward, launch_cte_arrivals, launch_pin_ends,
      launch_cte_backward, CREDIT_LAUNCHES },
  };
  return launches[d->f->traits.schedule][phase];
}

static const char *const phase_names[DEVICE_PHASES] = { "nets",     "forward",     "arrivals",
                                                        "ends",     "backward",    "credits",
                                                        "launches", "credit_ends", "captures" };

static void launch(Device *d, DevicePhase phase) { launch_of(d, phase)(d); }

#ifdef __CUDACC__

#define DO(call) device_check(d, (call), __FILE__, __LINE__)

/* A phase's launches are captured once: a graph's nodes cost a fifth of plain launches. */
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
  launch(d, phase);
  return DO(end_capture(d, &d->plan[phase])) && d->error.file == NULL;
}

static bool start(Device *d, DevicePhase phase)
{
  if (d->options.graph) return DO(cudaGraphLaunch(d->plan[phase], d->stream));
  launch(d, phase);
  return d->error.file == NULL;
}

static bool run_once(Device *d, DevicePhase phase)
{
  float ms = 0;
  if (!device_enter(d, phase_names[phase])) return false;
  if (d->options.graph && d->plan[phase] == NULL && !capture(d, phase)) return false;
  bool done = DO(cudaEventRecord(d->begin, d->stream)) && start(d, phase)
              && DO(cudaEventRecord(d->end, d->stream)) && DO(cudaEventSynchronize(d->end))
              && DO(cudaEventElapsedTime(&ms, d->begin, d->end));
  d->use.phase[phase] = 1e-3 * ms;
  return done;
}

#else

static bool run_once(Device *d, DevicePhase phase)
{
  double since = device_now();
  if (!device_enter(d, phase_names[phase])) return false;
  launch(d, phase);
  d->use.phase[phase] = device_finish(d, since);
  return d->error.file == NULL;
}

#endif

/* --- the rest of a forward phase -------------------------------------------------------------- */
/* It may begin at some levels, for which there is a graph each: plain launches of so many kernels
   take the host longer than the device has work. */
static uint32_t first_of_part(const Device *d, uint32_t part)
{
  return (uint32_t)(((uint64_t)part * d->f->count.levels + FORWARD_PARTS - 1) / FORWARD_PARTS);
}

#ifdef __CUDACC__
/* False where nothing is to follow: an error, or no memory for it, which is none. */
static bool plan_part(Device *d, uint32_t part)
{
  if (!begin_capture(d)) return false;
  launch_forward_from(d, first_of_part(d, part));
  cudaError_t status = end_capture(d, &d->part[part]);
  if (status == cudaErrorMemoryAllocation) cudaGetLastError();
  return status != cudaErrorMemoryAllocation && DO(status) && d->error.file == NULL
         && DO(cudaGraphUpload(d->part[part], d->stream));
}
#endif

DEVICE_FN void device_plan_parts(Device *d)
{
  (void)d;
#ifdef __CUDACC__
  for (uint32_t p = 0;
       p < FORWARD_PARTS && d->options.graph && first_of_part(d, p) < d->f->count.levels; p++)
    if (!plan_part(d, p)) return;
#endif
}

/* Levels before are right, and come to what they are once more. */
DEVICE_FN void device_forward_from(Device *d, uint32_t level)
{
  if (level >= d->f->count.levels) return;
  uint32_t part = (uint32_t)((uint64_t)level * FORWARD_PARTS / d->f->count.levels);
#ifdef __CUDACC__
  if (d->part[part]) {
    DO(cudaGraphLaunch(d->part[part], d->stream));
    return;
  }
#endif
  launch_forward_from(d, first_of_part(d, part));
}

static bool run(Device *d, DevicePhase phase)
{
  bool done = (phase != DEVICE_LAUNCHES || device_make_lists(d)) && run_once(d, phase);
  while (done && device_lists_grew(d, phase)) done = run_once(d, phase);
  return done && d->error.file == NULL;
}

static const DeviceError *error_of(const Device *d) { return &d->error; }
static DeviceUse use_of(const Device *d) { return d->use; }

#define FOLLOW_OPS device_put_follow, device_follows, device_follow
#define CREDIT_OPS device_put_credit, device_put_latched, device_most_credit, device_get_credits, \
    device_list_pages, device_get_lists

#ifdef __CUDACC__
const DeviceOps cuda_device = {
  "cuda",     device_available, device_levels, open_device,      close_device,
  upload,     download,         device_patch,  device_put_trees, device_edit_trees,
  CREDIT_OPS, FOLLOW_OPS,       run,           device_end_sums,  error_of,
  use_of
};
#else
const DeviceOps emulated_device = {
  "emulated", device_available, device_levels, open_device,      close_device,
  upload,     download,         device_patch,  device_put_trees, device_edit_trees,
  CREDIT_OPS, FOLLOW_OPS,       run,           device_end_sums,  error_of,
  use_of
};
#endif
