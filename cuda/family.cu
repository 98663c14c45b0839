/* Runs operations of families on a device, and keeps the state of each family there. */
#ifdef __cplusplus
extern "C" {
#endif
#include "base/sort.h"
#ifdef __cplusplus
}
#endif

#include "cuda/private.h"

struct FamilyState {
  struct FamilyState *next;
  const Family *family;
  void         *at;
};

static const FamilyKernels *kernels_of(const Family *family)
{
#ifdef __CUDACC__
  return family->cuda;
#else
  return family->emulated;
#endif
}

static void *state_of(Device *d, const Family *family)
{
  struct FamilyState *state = d->states;
  while (state && state->family != family) state = state->next;
  if (state) return state->at;
  state = (struct FamilyState *)mem_alloc(sizeof *state);
  state->next = d->states;
  state->family = family;
  state->at = mem_alloc_zero(1, kernels_of(family)->state_bytes + 1);
  d->states = state;
  return state->at;
}

unsigned device_family_reads(const Family *family, int operation)
{
  return kernels_of(family)->operations[operation].reads;
}

bool device_run_family(Device *d, const Family *family, int operation, void *call)
{
  const FamilyOperation *family_operation = &kernels_of(family)->operations[operation];
  if (!device_enter(d, family_operation->name)) return false;
  device_start(d);
  if (family_operation->reads && d->design == NULL)
    device_fail(d, __FILE__, __LINE__, family_operation->name, "it reads a design");
  if (d->error.file == NULL) family_operation->run(d, state_of(d, family), call);
  device_finish(d, 0);
  return d->error.file == NULL;
}

void device_forget_states(Device *d)
{
  for (struct FamilyState *state = d->states, *next; state; state = next) {
    next = state->next;
    mem_free(state->at);
    mem_free(state);
  }
  d->states = NULL;
}

/* --- for operations --------------------------------------------------------------------------- */
char *growing_room(Device *d, GrowingBlock *block, size_t bytes)
{
  return device_make_room(d, &block->at, &block->room, bytes ? bytes : 1) ? block->at : NULL;
}

void *growing_put(Device *d, GrowingBlock *block, const void *from, size_t bytes)
{
  char *to = growing_room(d, block, bytes);
  if (to && bytes) device_put(d, to, from, bytes);
  return to;
}

/* Writes more than a device's caches hold. */
static void flood_caches(Device *d, GrowingBlock *flood)
{
#ifdef __CUDACC__
  enum { FLOOD = 256 << 20 };
  char *at = growing_room(d, flood, FLOOD);
  if (at) device_zero(d, at, FLOOD);
#else
  (void)d;
  (void)flood;
#endif
}

/* The flood is still at work when the host asks for the kernels, so that the device need not wait
   for the host. */
double device_median(Device *d, GrowingBlock *flood, uint32_t repeats,
                     void (*start)(Device *d, void *of), void *of)
{
  double times[DEVICE_MOST_REPEATS];
  uint32_t count = repeats < DEVICE_MOST_REPEATS ? repeats : DEVICE_MOST_REPEATS;
  for (uint32_t i = 0; i < count; i++) {
    flood_caches(d, flood);
    device_mark(d);
    start(d, of);
    device_lap(d);
    times[i] = d->kernel_seconds;
  }
  return median_of(times, count);
}
