/* A device: its memory, copies, streams, time and errors. A family of kernels (device/family.h)
   needs only this header and cuda/kernel.h.

   After an error (device_fail) all functions here and all starts of kernels do nothing, so a chain
   of them is tested once, at its end. The device does what it is asked for in order. The host waits
   only in device_finish. */
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

/* Each file is compiled twice, as CUDA and as C. The names of functions differ because C++ mangles
   them. External variables need this macro. */
#ifdef __CUDACC__
#define SL_NAMED(name) cuda_##name
#else
#define SL_NAMED(name) emulated_##name
#endif

enum { ALIGNMENT = 256 };          /* alignment of the arrays in a block */
static inline size_t device_aligned(size_t bytes)
{
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Places arrays in a block one after another; with block NULL it only counts their bytes. */
typedef struct {
  char  *block;
  size_t at;
} Room;

static inline char *take_room(Room *room, size_t bytes)
{
  char *place = room->block ? room->block + room->at : NULL;
  room->at += device_aligned(bytes);
  return place;
}

/* Large arrays are copied from the device in pieces, through memory that the device can write to
   directly. The host's threads copy the pieces to their destination. So all threads share the cost
   of touching new pages, and the link never waits for one of them. */
enum { STAGES = 4, STAGE_BYTES = 4 << 20 };

struct Device {
  EngineOptions options;
  DeviceError   error;
  unsigned      operations;        /* number of operations so far; see device_enter */
  bool          started;
  bool          reversed;          /* the emulation runs the threads of each kernel in reverse
                                      order. The views of kernels have a copy (SL_EACH) */
  size_t        bytes;             /* the size of all blocks */
  struct DeviceBlock  *blocks;     /* all memory of the device; it is freed with the device */
  struct FamilyState  *states;     /* states of the families that have run here */
  struct DeviceDesign *design;     /* the design on the device (cuda/private.h); NULL: none */
  double        kernel_seconds;    /* see device_lap */
#ifdef __CUDACC__
  char         *stage;             /* memory of the host that large copies pass through, in STAGES
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
/* Begins an operation. It must be called first, because the operation may run in another thread
   than the last one, and because a test may make the operation fail. Returns false after an
   error. */
bool   device_enter(Device *d, const char *operation);
/* Makes the streams and events, if that has not been done yet. */
void   device_start(Device *d);
/* Frees the streams, the events and all blocks. */
void   device_stop(Device *d);

/* Returns the value of a setting for tests (memory.cu), such as "lists="; preset if it is not
   set. */
uint64_t device_setting(const char *name, uint64_t preset);
bool     device_is_set(const char *name);

/* --- errors ----------------------------------------------------------------------------------- */
/* Records an error, unless there was one before. */
void   device_fail(Device *d, const char *file, int line, const char *what, const char *more);
#ifdef __CUDACC__
bool   device_check(Device *d, cudaError_t status, const char *file, int line);
#endif

/* --- memory ----------------------------------------------------------------------------------- */
/* Allocates a zeroed block, which is freed with the device. Returns NULL after an error, for
   example if there is no memory left. */
char  *device_block(Device *d, size_t bytes);
void   device_release(Device *d, char *block);
/* Makes *block at least `need` bytes large; *have is its size. If the block has to be replaced by a
   larger one, its contents are lost. Returns false after an error. */
bool   device_make_room(Device *d, char **block, size_t *have, size_t need);
/* A block that grows, with its size. */
typedef struct {
  char  *at;
  size_t room;
} GrowingBlock;

/* Makes a block at least that large. Returns its memory, or NULL after an error. */
char  *growing_room(Device *d, GrowingBlock *block, size_t bytes);
/* Copies bytes to a block. Returns its memory, or NULL after an error. */
void  *growing_put(Device *d, GrowingBlock *block, const void *from, size_t bytes);
/* Returns true if there is room for an optional block of this size. */
bool   device_has_room(Device *d, size_t bytes);
/* Returns how many bytes of shared memory a thread block of a cluster may have; 0 if the device has
   no clusters. */
size_t device_stage_room(Device *d);
/* Allocates memory of the host that the device can write to directly. */
char  *device_shared_block(Device *d, size_t bytes);
void   device_release_shared(Device *d, char *block);

/* --- copies ----------------------------------------------------------------------------------- */
void   device_put(Device *d, void *to, const void *from, size_t bytes);
/* Copies from the device. The bytes are valid after device_finish. */
void   device_get(Device *d, void *to, const void *from, size_t bytes);
void   device_zero(Device *d, void *at, size_t bytes);

/* --- order and time --------------------------------------------------------------------------- */
/* device_fork lets kernels on the stream `aside` run beside what follows on the device's stream.
   device_join makes the device's stream wait for them. */
void   device_fork(Device *d);
void   device_join(Device *d);
/* Waits until the device has done everything. Returns the seconds since `since`, a value of
   device_now. */
double device_finish(Device *d, double since);
double device_now(void);
/* Measure the kernels between the two calls by the device's own clock. device_lap waits for them
   and stores the seconds in d->kernel_seconds. Return false after an error. */
bool   device_mark(Device *d);
bool   device_lap(Device *d);

/* The kernels between two calls, measured by the device's own clock, while nobody waits for them.
   It begins as zeros. */
typedef struct {
#ifdef __CUDACC__
  cudaEvent_t begin, end;          /* NULL: none yet */
#else
  double begin, end;
#endif
  bool pending;                    /* its time has not been taken */
} DeviceSpan;

/* Return false after an error. */
bool   device_span_begin(Device *d, DeviceSpan *span);
bool   device_span_end(Device *d, DeviceSpan *span);
/* Waits for the end of a span whose time has not been taken, and stores the seconds. Leaves them if
   there is none. Returns false after an error. */
bool   device_span_take(Device *d, DeviceSpan *span, double *seconds);
void   device_span_free(Device *d, DeviceSpan *span);

enum { DEVICE_MOST_REPEATS = 1000 };
/* Measures kernels of a family; report_engine does not use it. Returns the median of at
   most DEVICE_MOST_REPEATS runs, in seconds; 0 if there are none. Each run begins with cold caches;
   `flood` is memory for that. */
double device_median(Device *d, GrowingBlock *flood, uint32_t repeats,
                     void (*start)(Device *d, void *of), void *of);

#endif
