/* Device memory, copies, errors and times, for a CUDA device and for the emulation.

   The environment variables SLACKLINE_CUDA and SLACKLINE_EMULATED have settings for tests,
   separated by commas. memory=N: only N bytes are free. lost=N: the N-th operation of a device
   fails, and all operations after it. fail=NAME: operations of this name fail (open, upload,
   download, nets, or a phase). lists=N: lists of common path credit begin with memory for N items.
   edits=N: an edit that reaches more than N drivers is not followed to its end; an edit that
   reaches fewer is, however long it takes. The emulation also knows: reversed (each kernel runs
   from its end), absent, old, and devices=N (which devices exist). */
#include "cuda/device_state.h"

#ifdef __cplusplus
extern "C" {
#endif
#include "base/pool.h"
#include "base/processors.h"
#ifdef __cplusplus
}
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double device_now(void)
{
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* Records a failure. The first one is kept. */
void device_fail(Device *d, const char *file, int line, const char *what,
                 const char *more)
{
  if (d->error.file) return;
  d->error.file = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
  d->error.line = line;
  snprintf(d->error.text, sizeof d->error.text, "%s%s%s", what, *more ? ": " : "", more);
}

#ifdef __CUDACC__
static const char settings_name[] = "SLACKLINE_CUDA";
#else
static const char settings_name[] = "SLACKLINE_EMULATED";
#endif

static const char *setting(const char *name)
{
  const char *text = getenv(settings_name), *at = text ? strstr(text, name) : NULL;
  return at ? at + strlen(name) : NULL;
}

static bool fault_due(Device *d, const char *operation)
{
  const char *lost = setting("lost="), *fail = setting("fail=");
  size_t length = strlen(operation);
  d->operations++;
  if (lost && d->operations == strtoul(lost, NULL, 10)) return true;
  return fail && strncmp(fail, operation, length) == 0
         && (fail[length] == ',' || fail[length] == '\0');
}

static size_t memory_limit(size_t have)
{
  const char *limit = setting("memory=");
  size_t most = limit ? strtoull(limit, NULL, 10) : have;
  return most < have ? most : have;
}

uint64_t device_setting(const char *name, uint64_t preset)
{
  const char *number = setting(name);
  return number ? strtoull(number, NULL, 10) : preset;
}

bool device_is_set(const char *name) { return setting(name) != NULL; }

static void no_such_device(int device, int count, char *text, size_t size)
{
  if (count == 1) snprintf(text, size, "there is no device %d, only device 0", device);
  else snprintf(text, size, "there is no device %d, only 0 to %d", device, count - 1);
}

/* --- blocks ----------------------------------------------------------------------------------- */
struct DeviceBlock {
  struct DeviceBlock *next;
  char  *at;
  size_t bytes;
};

static char *note_block(Device *d, void *at, size_t bytes)
{
  struct DeviceBlock *block = (struct DeviceBlock *)mem_alloc(sizeof *block);
  block->next = d->blocks;
  block->at = (char *)at;
  block->bytes = bytes;
  d->blocks = block;
  d->bytes += bytes;
  return block->at;
}

static void forget_block(Device *d, const char *at)
{
  struct DeviceBlock **blocks = &d->blocks, *gone;
  while (*blocks && (*blocks)->at != at) blocks = &(*blocks)->next;
  if ((gone = *blocks) == NULL) return;
  *blocks = gone->next;
  d->bytes -= gone->bytes;
  mem_free(gone);
}

static void free_block(Device *d, char *at);

void device_release(Device *d, char *block)
{
  if (block == NULL) return;
  forget_block(d, block);
  free_block(d, block);
}

static void release_blocks(Device *d)
{
  while (d->blocks) device_release(d, d->blocks->at);
}

bool device_make_room(Device *d, char **block, size_t *have, size_t need)
{
  if (need <= *have) return d->error.file == NULL;
  device_release(d, *block);
  *block = device_block(d, need);
  *have = *block ? need : 0;
  return *block != NULL;
}

static void too_large(Device *d, int line, size_t need, size_t have)
{
  char text[120];
  snprintf(text, sizeof text, "the design needs %.1f MB of device memory, and %.1f MB are free",
           1e-6 * (double)need, 1e-6 * (double)have);
  device_fail(d, __FILE__, line, text, "");
}

#ifdef __CUDACC__

bool device_check(Device *d, cudaError_t status, const char *file, int line)
{
  if (status == cudaSuccess) return true;
  device_fail(d, file, line, cudaGetErrorName(status), cudaGetErrorString(status));
  cudaGetLastError();      /* so that the next call does not see the error */
  return false;
}

#define DO(call) device_check(d, (call), __FILE__, __LINE__)

bool device_available(int device, char *text, size_t size)
{
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  cudaDeviceProp p;
  if (status == cudaSuccess && count > 0 && device >= count) {
    no_such_device(device, count, text, size);
    return false;
  }
  if (status == cudaSuccess && count > 0) status = cudaGetDeviceProperties(&p, device);
  if (status == cudaSuccess && count > 0) {
    snprintf(text, size, "%s, %.0f GB", p.name, 1e-9 * (double)p.totalGlobalMem);
    return true;
  }
  cudaGetLastError();
  snprintf(text, size, "%s", status == cudaSuccess ? "no CUDA device" : cudaGetErrorString(status));
  return false;
}

/* Makes a real fault. All later calls in this process fail. */
static __global__ void fault() { __trap(); }

bool device_enter(Device *d, const char *operation)
{
  if (d->error.file || !DO(cudaSetDevice(d->options.device))) return false;
  if (!fault_due(d, operation)) return true;
  fault<<<1, 1, 0, d->stream>>>();
  return DO(cudaGetLastError());
}

void device_start(Device *d)
{
  if (d->started || d->error.file) return;
  d->started = true;
  DO(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking))
      && DO(cudaStreamCreateWithFlags(&d->aside, cudaStreamNonBlocking))
      && DO(cudaEventCreateWithFlags(&d->forked, cudaEventDisableTiming))
      && DO(cudaEventCreateWithFlags(&d->joined, cudaEventDisableTiming))
      && DO(cudaEventCreate(&d->begin)) && DO(cudaEventCreate(&d->end));
}

/* Frees everything on the device, also after an error. */
void device_stop(Device *d)
{
  cudaSetDevice(d->options.device);
  release_blocks(d);
  for (int i = 0; i < STAGES; i++)
    if (d->staged[i]) cudaEventDestroy(d->staged[i]);
  if (d->stage) cudaFreeHost(d->stage);
  if (d->begin) cudaEventDestroy(d->begin);
  if (d->end) cudaEventDestroy(d->end);
  if (d->forked) cudaEventDestroy(d->forked);
  if (d->joined) cudaEventDestroy(d->joined);
  if (d->aside) cudaStreamDestroy(d->aside);
  if (d->stream) cudaStreamDestroy(d->stream);
  cudaGetLastError();
}

char *device_block(Device *d, size_t bytes)
{
  size_t have, all;
  void *block = NULL;
  if (d->error.file || !DO(cudaMemGetInfo(&have, &all))) return NULL;
  have = memory_limit(have);
  if (bytes > have) {
    too_large(d, __LINE__, bytes, have);
    return NULL;
  }
  if (!DO(cudaMalloc(&block, bytes))) return NULL;
  DO(cudaMemsetAsync(block, 0, bytes, d->stream));
  return note_block(d, block, bytes);
}

bool device_has_room(Device *d, size_t bytes)
{
  size_t have, all;
  return !d->error.file && DO(cudaMemGetInfo(&have, &all)) && bytes <= memory_limit(have);
}

/* The architecture from which on blocks can form clusters. Code for older devices runs on newer
   ones, but without clusters (SL_PARTS_SYNC). */
enum { CLUSTER_ARCH = 90 };

size_t device_stage_room(Device *d)
{
  int bytes = 0, clusters = 0;
  cudaFuncAttributes code = {};
  bool known = !d->error.file
               && DO(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, d->options.device))
               && DO(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                            d->options.device))
               && DO(cudaFuncGetAttributes(&code, (const void *)fault));
  return known && clusters && code.ptxVersion >= CLUSTER_ARCH ? (size_t)bytes : 0;
}

static void free_block(Device *d, char *at) { DO(cudaFree(at)); }

char *device_shared_block(Device *d, size_t bytes)
{
  void *block = NULL;
  if (!d->error.file) DO(cudaHostAlloc(&block, bytes + 1, cudaHostAllocDefault));
  return (char *)block;
}

void device_release_shared(Device *d, char *block)
{
  if (block) DO(cudaFreeHost(block));
}

void device_put(Device *d, void *to, const void *from, size_t bytes)
{
  if (!d->error.file && bytes)
    DO(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, d->stream));
}

void device_zero(Device *d, void *at, size_t bytes)
{
  if (!d->error.file && bytes) DO(cudaMemsetAsync(at, 0, bytes, d->stream));
}

static bool make_stages(Device *d)
{
  if (d->stage) return true;
  for (int i = 0; i < STAGES; i++)
    if (!DO(cudaEventCreateWithFlags(&d->staged[i], cudaEventDisableTiming))) return false;
  return DO(cudaHostAlloc((void **)&d->stage, (size_t)STAGES * STAGE_BYTES, cudaHostAllocDefault));
}

typedef struct {
  char       *to;
  const char *from;
  size_t      bytes;
} StagedCopy;

static size_t piece_bytes(const StagedCopy *copy, size_t piece)
{
  size_t left = copy->bytes - piece * STAGE_BYTES;
  return left < STAGE_BYTES ? left : STAGE_BYTES;
}

static bool ask_for_piece(Device *d, const StagedCopy *copy, size_t piece)
{
  char *stage = d->stage + piece % STAGES * STAGE_BYTES;
  return DO(cudaMemcpyAsync(stage, copy->from + piece * STAGE_BYTES, piece_bytes(copy, piece),
                            cudaMemcpyDeviceToHost, d->stream))
         && DO(cudaEventRecord(d->staged[piece % STAGES], d->stream));
}

enum { PART_BYTES = 128 << 10 };

typedef struct {
  char       *to;
  const char *stage;
  size_t      bytes;
} StagedPiece;

static void copy_parts(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const StagedPiece *piece = (const StagedPiece *)context;
  size_t at = (size_t)from * PART_BYTES,
         end = (size_t)to * PART_BYTES < piece->bytes ? (size_t)to * PART_BYTES : piece->bytes;
  (void)step;
  (void)thread;
  memcpy(piece->to + at, piece->stage + at, end - at);
}

static void put_piece(Device *d, const StagedCopy *copy, size_t piece)
{
  StagedPiece x = { copy->to + piece * STAGE_BYTES, d->stage + piece % STAGES * STAGE_BYTES,
                    piece_bytes(copy, piece) };
  pool_items((uint32_t)((x.bytes + PART_BYTES - 1) / PART_BYTES), 20000, processors_usable(),
             copy_parts, &x);
}

static void get_staged(Device *d, const StagedCopy *copy)
{
  size_t pieces = (copy->bytes + STAGE_BYTES - 1) / STAGE_BYTES;
  if (!make_stages(d)) return;
  for (size_t i = 0; i < pieces && i < STAGES; i++)
    if (!ask_for_piece(d, copy, i)) return;
  for (size_t i = 0; i < pieces; i++) {
    if (!DO(cudaEventSynchronize(d->staged[i % STAGES]))) return;
    put_piece(d, copy, i);
    if (i + STAGES < pieces && !ask_for_piece(d, copy, i + STAGES)) return;
  }
}

void device_get(Device *d, void *to, const void *from, size_t bytes)
{
  StagedCopy c = { (char *)to, (const char *)from, bytes };
  if (d->error.file || bytes == 0) return;
  if (bytes > STAGE_BYTES) get_staged(d, &c);
  else DO(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, d->stream));
}

void device_fork(Device *d)
{
  if (!d->error.file)
    DO(cudaEventRecord(d->forked, d->stream)) && DO(cudaStreamWaitEvent(d->aside, d->forked, 0));
}

void device_join(Device *d)
{
  if (!d->error.file)
    DO(cudaEventRecord(d->joined, d->aside)) && DO(cudaStreamWaitEvent(d->stream, d->joined, 0));
}

double device_finish(Device *d, double since)
{
  if (!d->error.file) DO(cudaStreamSynchronize(d->stream));
  return device_now() - since;
}

bool device_mark(Device *d) { return !d->error.file && DO(cudaEventRecord(d->begin, d->stream)); }

bool device_lap(Device *d)
{
  float ms = 0;
  bool done = !d->error.file && DO(cudaEventRecord(d->end, d->stream))
              && DO(cudaEventSynchronize(d->end))
              && DO(cudaEventElapsedTime(&ms, d->begin, d->end));
  d->kernel_seconds = 1e-3 * ms;
  return done;
}

bool device_span_begin(Device *d, DeviceSpan *span)
{
  span->pending = false;
  return !d->error.file && (span->begin || DO(cudaEventCreate(&span->begin)))
         && (span->end || DO(cudaEventCreate(&span->end)))
         && DO(cudaEventRecord(span->begin, d->stream));
}

bool device_span_end(Device *d, DeviceSpan *span)
{
  span->pending = !d->error.file && DO(cudaEventRecord(span->end, d->stream));
  return span->pending;
}

bool device_span_take(Device *d, DeviceSpan *span, double *seconds)
{
  float ms = 0;
  if (d->error.file || !span->pending) return d->error.file == NULL;
  span->pending = false;
  if (!DO(cudaEventSynchronize(span->end))
      || !DO(cudaEventElapsedTime(&ms, span->begin, span->end)))
    return false;
  *seconds = 1e-3 * ms;
  return true;
}

void device_span_free(Device *d, DeviceSpan *span)
{
  (void)d;
  if (span->begin) cudaEventDestroy(span->begin);
  if (span->end) cudaEventDestroy(span->end);
}

#else

bool device_available(int device, char *text, size_t size)
{
  const char *devices = setting("devices=");
  int count = devices ? (int)strtol(devices, NULL, 10) : 1;
  const char *lack = setting("absent") || count < 1 ? "no CUDA device"
                     : setting("old")
                         ? "CUDA driver version is insufficient for CUDA runtime version"
                         : NULL;
  if (lack || device < count)
    snprintf(text, size, "%s", lack ? lack : "the kernels of the CUDA engine, run by the CPU");
  else no_such_device(device, count, text, size);
  return lack == NULL && device < count;
}

bool device_enter(Device *d, const char *operation)
{
  if (d->error.file == NULL && fault_due(d, operation))
    device_fail(d, __FILE__, __LINE__, operation, "the emulated device is lost");
  return d->error.file == NULL;
}

void device_start(Device *d)
{
  d->started = true;
  d->reversed = setting("reversed") != NULL;
}

void device_stop(Device *d) { release_blocks(d); }

char *device_block(Device *d, size_t bytes)
{
  size_t have = memory_limit(SIZE_MAX);
  if (bytes > have) {
    too_large(d, __LINE__, bytes, have);
    return NULL;
  }
  return note_block(d, mem_alloc_zero(bytes, 1), bytes);
}

bool device_has_room(Device *d, size_t bytes)
{
  (void)d;
  return bytes <= memory_limit(SIZE_MAX);
}

size_t device_stage_room(Device *d)
{
  (void)d;
  return SIZE_MAX;
}

static void free_block(Device *d, char *at)
{
  (void)d;
  mem_free(at);
}

char *device_shared_block(Device *d, size_t bytes)
{
  (void)d;
  return (char *)mem_alloc_zero(bytes + 1, 1);
}

void device_release_shared(Device *d, char *block)
{
  (void)d;
  mem_free(block);
}

void device_put(Device *d, void *to, const void *from, size_t bytes)
{
  if (!d->error.file && bytes) memcpy(to, from, bytes);
}

void device_get(Device *d, void *to, const void *from, size_t bytes)
{
  device_put(d, to, from, bytes);
}

void device_zero(Device *d, void *at, size_t bytes)
{
  if (!d->error.file && bytes) memset(at, 0, bytes);
}

void device_fork(Device *d) { (void)d; }
void device_join(Device *d) { (void)d; }

double device_finish(Device *d, double since)
{
  (void)d;
  return device_now() - since;
}

bool device_mark(Device *d)
{
  d->begin = device_now();
  return d->error.file == NULL;
}

bool device_lap(Device *d)
{
  d->kernel_seconds = device_now() - d->begin;
  return d->error.file == NULL;
}

bool device_span_begin(Device *d, DeviceSpan *span)
{
  span->begin = device_now();
  span->pending = false;
  return d->error.file == NULL;
}

bool device_span_end(Device *d, DeviceSpan *span)
{
  span->end = device_now();
  span->pending = d->error.file == NULL;
  return span->pending;
}

bool device_span_take(Device *d, DeviceSpan *span, double *seconds)
{
  if (span->pending) *seconds = span->end - span->begin;
  span->pending = false;
  return d->error.file == NULL;
}

void device_span_free(Device *d, DeviceSpan *span)
{
  (void)d;
  (void)span;
}

#endif
