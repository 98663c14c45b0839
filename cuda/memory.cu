/* Device memory, copies, errors, time: the only file that differs between a CUDA device and the emulation. */
#include "cuda/private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

DEVICE_FN double device_now(void)
{
  struct timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return (double)ts.tv_sec + 1e-9 * (double)ts.tv_nsec;
}

/* The first failure stands. */
DEVICE_FN void device_fail(Device *d, const char *file, int line, const char *what, const char *more)
{
  if (d->error.file) return;
  d->error.file = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
  d->error.line = line;
  snprintf(d->error.text, sizeof d->error.text, "%s%s%s", what, *more ? ": " : "", more);
}

static void too_large(Device *d, int line, size_t need, size_t have)
{
  char text[120];
  snprintf(text, sizeof text, "the design needs %.1f MB of device memory, and %.1f MB are free", 1e-6 * (double)need, 1e-6 * (double)have);
  device_fail(d, __FILE__, line, text, "");
}

#ifdef __CUDACC__

bool device_check(Device *d, cudaError_t status, const char *file, int line)
{
  if (status == cudaSuccess) return true;
  device_fail(d, file, line, cudaGetErrorName(status), cudaGetErrorString(status));
  cudaGetLastError();      /* so that the next call does not meet it */
  return false;
}

#define DO(call) device_check(d, (call), __FILE__, __LINE__)

bool device_available(char *text, size_t size)
{
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  cudaDeviceProp p;
  if (status == cudaSuccess && count > 0) status = cudaGetDeviceProperties(&p, 0);
  if (status == cudaSuccess && count > 0) {
    snprintf(text, size, "%s, %.0f GB", p.name, 1e-9 * (double)p.totalGlobalMem);
    return true;
  }
  cudaGetLastError();
  snprintf(text, size, "%s", status == cudaSuccess ? "no CUDA device" : cudaGetErrorString(status));
  return false;
}

void device_start(Device *d)
{
  DO(cudaSetDevice(0)) && DO(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking)) &&
    DO(cudaStreamCreateWithFlags(&d->aside, cudaStreamNonBlocking)) && DO(cudaEventCreateWithFlags(&d->forked, cudaEventDisableTiming)) &&
    DO(cudaEventCreateWithFlags(&d->joined, cudaEventDisableTiming)) && DO(cudaEventCreate(&d->begin)) &&
    DO(cudaEventCreate(&d->end));
}

/* After an error as well: what is there goes. */
void device_stop(Device *d)
{
  for (int i = 0; i < DEVICE_PHASES; i++)
    if (d->plan[i]) cudaGraphExecDestroy(d->plan[i]);
  if (d->arena) cudaFree(d->arena);
  if (d->tree_block) cudaFree(d->tree_block);
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
  if (bytes > have) {
    too_large(d, __LINE__, bytes, have);
    return NULL;
  }
  if (!DO(cudaMalloc(&block, bytes))) return NULL;
  DO(cudaMemsetAsync(block, 0, bytes, d->stream));
  return (char *)block;
}

void device_release(Device *d, char *block)
{
  if (block) DO(cudaFree(block));
}

void device_forget(Device *d, DevicePhase phase)
{
  if (d->plan[phase]) DO(cudaGraphExecDestroy(d->plan[phase]));
  d->plan[phase] = NULL;
}

void device_put(Device *d, void *to, const void *from, size_t bytes)
{
  if (!d->error.file && bytes) DO(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, d->stream));
}

void device_get(Device *d, void *to, const void *from, size_t bytes)
{
  if (!d->error.file && bytes) DO(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, d->stream));
}

void device_fork(Device *d)
{
  if (!d->error.file) DO(cudaEventRecord(d->forked, d->stream)) && DO(cudaStreamWaitEvent(d->aside, d->forked, 0));
}

void device_join(Device *d)
{
  if (!d->error.file) DO(cudaEventRecord(d->joined, d->aside)) && DO(cudaStreamWaitEvent(d->stream, d->joined, 0));
}

double device_finish(Device *d, double since)
{
  if (!d->error.file) DO(cudaStreamSynchronize(d->stream));
  return device_now() - since;
}

#else

/* SLACKLINE_EMULATED in the environment, for tests: "memory=N" (bytes), "reversed", or both. */
static const char *emulated_setting(const char *name)
{
  const char *text = getenv("SLACKLINE_EMULATED"), *at = text ? strstr(text, name) : NULL;
  return at ? at + strlen(name) : NULL;
}

static bool device_available(char *text, size_t size)
{
  snprintf(text, size, "the kernels of the CUDA engine, run by the CPU");
  return true;
}

static void device_start(Device *d) { d->view.reversed = emulated_setting("reversed") != NULL; }

static void device_stop(Device *d)
{
  mem_free(d->arena);
  mem_free(d->tree_block);
}

static char *device_block(Device *d, size_t bytes)
{
  const char *limit = emulated_setting("memory=");
  if (limit && bytes > strtoull(limit, NULL, 10)) {
    too_large(d, __LINE__, bytes, (size_t)strtoull(limit, NULL, 10));
    return NULL;
  }
  return (char *)mem_alloc_zero(bytes, 1);
}

static void device_release(Device *d, char *block)
{
  (void)d;
  mem_free(block);
}

static void device_forget(Device *d, DevicePhase phase)
{
  (void)d;
  (void)phase;
}

static void device_put(Device *d, void *to, const void *from, size_t bytes)
{
  if (!d->error.file && bytes) memcpy(to, from, bytes);
}

static void device_get(Device *d, void *to, const void *from, size_t bytes) { device_put(d, to, from, bytes); }

static void device_fork(Device *d) { (void)d; }
static void device_join(Device *d) { (void)d; }

static double device_finish(Device *d, double since)
{
  (void)d;
  return device_now() - since;
}

#endif
