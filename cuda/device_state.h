/* A device: its memory, copies, streams, time and errors.  This and cuda/kernel.h are all that a
   family of kernels needs (device/family.h).

   After an error (device_fail) all functions here and all launches do nothing, so a chain of them
   is tested once, at its end.  What a function asks the device for is done in order, behind what
   was asked before; the host waits in device_finish alone. */
#ifndef SL_CUDA_DEVICE_STATE_H
#define SL_CUDA_DEVICE_STATE_H

#ifdef __cplusplus
extern "C" {
#endif
#include "base/memory.h"
#ifdef __cplusplus
}
#endif

#include "device/family.h"
#include "math/condition.h"

#ifdef __CUDACC__
#include <cuda_runtime.h>
#endif

/* Each file is compiled twice, as CUDA and as C.  The names of functions differ, as C++ mangles
   them; variables seen from outside need this. */
#ifdef __CUDACC__
#define SL_NAMED(name) cuda_##name
#else
#define SL_NAMED(name) emulated_##name
#endif

enum { ALIGNMENT = 256 };          /* of arrays in a block */
static inline size_t device_aligned(size_t bytes)
{
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Places arrays in a block one behind another; with block NULL it only counts their bytes. */
typedef struct {
  char  *block;
  size_t at;
} Room;

static inline char *take_room(Room *r, size_t bytes)
{
  char *place = r->block ? r->block + r->at : NULL;
  r->at += device_aligned(bytes);
  return place;
}

/* Large arrays come back in pieces through memory that the device may write to directly, and the
   host's threads put them in place: pages of new arrays are touched by all threads at once, and the
   link never waits for one of them. */
enum { STAGES = 4, STAGE_BYTES = 4 << 20 };

struct Device {
  EngineOptions options;
  DeviceError   error;
  unsigned      operations;        /* so far; see device_enter */
  bool          started;
  bool          reversed;          /* of the emulation: in each launch, the last comes first.  Views
                                      of kernels have it, too (SL_EACH) */
  size_t        bytes;             /* of all blocks */
  struct DeviceBlock  *blocks;     /* all memory that there is; it goes with the device */
  struct FamilyState  *states;     /* of the families that have run here */
  struct DeviceDesign *design;     /* what it has of a design (cuda/private.h); NULL: none */
  double        launches;          /* seconds: see device_lap */
#ifdef __CUDACC__
  char         *stage;             /* the host's memory that large copies pass through, in STAGES
                                      pieces; NULL: none yet */
  cudaEvent_t   staged[STAGES];
  cudaStream_t  stream, aside;
  cudaEvent_t   begin, end, forked, joined;
#else
  double        begin;
#endif
};

/* --- life (memory.cu) ------------------------------------------------------------------------- */
bool   device_available(int device, char *text, size_t size);
/* Before each operation: its thread may be another one than before, and a test may make it fail.
   False: there is an error. */
bool   device_enter(Device *d, const char *operation);
/* Streams and events, once. */
void   device_start(Device *d);
/* All of them go, and all blocks. */
void   device_stop(Device *d);

/* Settings of tests (memory.cu), such as "lists=": a number, or the preset one; is it there? */
uint64_t device_setting(const char *name, uint64_t preset);
bool     device_is_set(const char *name);

/* --- errors ----------------------------------------------------------------------------------- */
/* The first one stands. */
void   device_fail(Device *d, const char *file, int line, const char *what, const char *more);
#ifdef __CUDACC__
bool   device_check(Device *d, cudaError_t status, const char *file, int line);
#endif

/* --- memory ----------------------------------------------------------------------------------- */
/* One block of memory, zeroed, which counts as the device's; NULL: an error, such as no room. */
char  *device_block(Device *d, size_t bytes);
void   device_release(Device *d, char *block);
/* A block that holds at least so many bytes in place of *block, which had *have; what was in it is
   lost when a larger one takes its place.  False: an error. */
bool   device_make_room(Device *d, char **block, size_t *have, size_t need);
/* Is there room for a block that is not needed? */
bool   device_has_room(Device *d, size_t bytes);
/* Bytes of memory that a block of a cluster may have; 0: there are no clusters. */
size_t device_stage_room(Device *d);
/* The host's memory that copies come back to without a stop on the way. */
char  *device_shared_block(Device *d, size_t bytes);
void   device_release_shared(Device *d, char *block);

/* --- copies ----------------------------------------------------------------------------------- */
void   device_put(Device *d, void *to, const void *from, size_t bytes);
/* They are there after device_finish. */
void   device_get(Device *d, void *to, const void *from, size_t bytes);
void   device_zero(Device *d, void *at, size_t bytes);

/* --- order and time --------------------------------------------------------------------------- */
/* What is launched aside from here on may run beside what follows on the device's stream, until it
   is joined. */
void   device_fork(Device *d);
void   device_join(Device *d);
/* Waits for all that was asked for; seconds since `since`, of device_now. */
double device_finish(Device *d, double since);
double device_now(void);
/* Times what is launched between the two by the device's own clock, in d->launches; device_lap
   waits for it.  False: an error. */
bool   device_mark(Device *d);
bool   device_lap(Device *d);

#endif
