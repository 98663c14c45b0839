/* Runs a family of kernels on a device of its own, or on the CPU if the device fails. */
#include "base/clock.h"
#include "base/memory.h"
#include "device/device.h"

struct FamilyRun {
  const Family    *family;
  const DeviceOps *on;             /* NULL: the CPU's functions */
  EngineOptions    options;
  int              threads;
  Device          *device;         /* the device of the family; NULL if `on` is NULL */
  void            *state;          /* state of the CPU's functions */
  double           seconds;
  DeviceError      error;
};

/* Begins to run a family. If it has no functions for the CPU, the emulation serves as the CPU. */
static void begin(FamilyRun *r, const DeviceOps *on)
{
  const FamilyHost *host = r->family->host;
  r->on = on == NULL && host == NULL ? &emulated_device : on;
  if (r->on) r->device = r->on->open(&r->options);
  else r->state = mem_alloc_zero(1, host->state_bytes + 1);
}

static void end(FamilyRun *r)
{
  if (r->on) r->on->close(r->device);
  else if (r->family->host->release) r->family->host->release(r->state);
  mem_free(r->state);
  r->device = NULL;
  r->state = NULL;
}

FamilyRun *family_open(const Family *f, const DeviceOps *on, const EngineOptions *options,
                       int threads)
{
  FamilyRun *r = mem_alloc_zero(1, sizeof *r);
  r->family = f;
  r->options = *options;
  r->threads = threads;
  begin(r, on);
  return r;
}

void family_close(FamilyRun *r)
{
  if (r == NULL) return;
  end(r);
  mem_free(r);
}

bool family_run(FamilyRun *r, int operation, void *call)
{
  double since = clock_seconds();
  bool done = true;
  if (r->on) done = r->on->run_family(r->device, r->family, operation, call);
  else r->family->host->operations[operation](r->state, call, r->threads);
  r->seconds = clock_seconds() - since;
  if (done) return true;
  r->error = *r->on->error(r->device);
  end(r);
  begin(r, NULL);
  return false;
}

const DeviceError *family_error(const FamilyRun *r) { return &r->error; }

FamilyUse family_use(const FamilyRun *r)
{
  FamilyUse u = { .engine = "cpu" };
  if (r->on) u = r->on->family_use(r->device);
  u.seconds = r->seconds;
  return u;
}
