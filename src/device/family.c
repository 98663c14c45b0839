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
static void begin(FamilyRun *run, const DeviceOps *on)
{
  const FamilyHost *host = run->family->host;
  run->on = on == NULL && host == NULL ? &emulated_device : on;
  if (run->on) run->device = run->on->open(&run->options);
  else run->state = mem_alloc_zero(1, host->state_bytes + 1);
}

static void end(FamilyRun *run)
{
  if (run->on) run->on->close(run->device);
  else if (run->family->host->release) run->family->host->release(run->state);
  mem_free(run->state);
  run->device = NULL;
  run->state = NULL;
}

FamilyRun *family_open(const Family *family, const DeviceOps *on, const EngineOptions *options,
                       int threads)
{
  FamilyRun *run = mem_alloc_zero(1, sizeof *run);
  run->family = family;
  run->options = *options;
  run->threads = threads;
  begin(run, on);
  return run;
}

void family_close(FamilyRun *run)
{
  if (run == NULL) return;
  end(run);
  mem_free(run);
}

bool family_run(FamilyRun *run, int operation, void *call)
{
  double since = clock_seconds();
  bool done = true;
  if (run->on) done = run->on->run_family(run->device, run->family, operation, call);
  else run->family->host->operations[operation](run->state, call, run->threads);
  run->seconds = clock_seconds() - since;
  if (done) return true;
  run->error = *run->on->error(run->device);
  end(run);
  begin(run, NULL);
  return false;
}

const DeviceError *family_error(const FamilyRun *run) { return &run->error; }

FamilyUse family_use(const FamilyRun *run)
{
  FamilyUse u = { .engine = "cpu" };
  if (run->on) u = run->on->family_use(run->device);
  u.seconds = run->seconds;
  return u;
}
