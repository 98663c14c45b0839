/* Runs operations of families on a device, and keeps the state of each family there. */
#include "cuda/private.h"

struct FamilyState {
  struct FamilyState *next;
  const Family *family;
  void         *at;
};

static const FamilyKernels *kernels_of(const Family *f)
{
#ifdef __CUDACC__
  return f->cuda;
#else
  return f->emulated;
#endif
}

static void *state_of(Device *d, const Family *f)
{
  struct FamilyState *s = d->states;
  while (s && s->family != f) s = s->next;
  if (s) return s->at;
  s = (struct FamilyState *)mem_alloc(sizeof *s);
  s->next = d->states;
  s->family = f;
  s->at = mem_alloc_zero(1, kernels_of(f)->state_bytes + 1);
  d->states = s;
  return s->at;
}

unsigned device_family_reads(const Family *f, int operation)
{
  return kernels_of(f)->operations[operation].reads;
}

bool device_run_family(Device *d, const Family *f, int operation, void *call)
{
  const FamilyOperation *o = &kernels_of(f)->operations[operation];
  if (!device_enter(d, o->name)) return false;
  device_start(d);
  if (o->reads && d->design == NULL)
    device_fail(d, __FILE__, __LINE__, o->name, "it reads a design");
  if (d->error.file == NULL) o->run(d, state_of(d, f), call);
  device_finish(d, 0);
  return d->error.file == NULL;
}

void device_forget_states(Device *d)
{
  for (struct FamilyState *s = d->states, *next; s; s = next) {
    next = s->next;
    mem_free(s->at);
    mem_free(s);
  }
  d->states = NULL;
}
