/* Macros with which kernels are written, so that one source serves a CUDA device and, compiled as
   C, the host ("emulated": each .cu file is compiled a second time as C). The code uses the common
   part of C and C++.

     SL_KERNEL name(SL_GIVEN(Type, v), uint32_t count) { SL_EACH(i, count) body(&v, i); }
     SL_START(d, count, name, view, count);

   Type is a struct of plain numbers and of pointers to the device's memory, the view; a family of
   kernels has its own.  It has a member `reversed`, a copy of Device.reversed, and the parameter is
   always called v.  SL_VIEW(v) is the view of a design, FlatView; d->design->view is its value.

   SL_OVERLAP starts a kernel that may begin while the previous one still runs. Such a kernel calls
   SL_WAIT before it reads what another kernel wrote, and SL_NEXT when the next kernel may begin. It
   must not be the first kernel after device_join, which ends a branch that device_fork began.
   SL_OVERLAP_BLOCKS does the same with blocks of a given number of threads. For SL_START_ASIDE see
   device_fork.

   Instances of a kernel do not read results that other instances of the same start write: the
   emulation runs them one after another, in either direction (FlatView.reversed). Several instances
   may write one result only through lane_merge, lane_tighten or lane_largest, whose maximum or
   minimum does not depend on the order. Worklists, counters and flags use lane_set, lane_add,
   lane_count, lane_mark and lane_fresh. Their values may depend on the order of the instances, so
   no result may depend on that order. Kernels whose instances wait for each other
   (cuda/block_kernel.h) may also read what was written before the wait. Bodies are SL_HD functions
   in headers, one header for each subject. */
#ifndef SL_CUDA_KERNEL_H
#define SL_CUDA_KERNEL_H

#include "cuda/device_state.h"

enum { THREADS = 128, MOST_BLOCKS = 1 << 20 };

#ifdef __CUDACC__

#define SL_KERNEL static __global__ void
/* A kernel with registers for this many blocks at a time on a multiprocessor. */
#define SL_DENSE_KERNEL(blocks) static __global__ void __launch_bounds__(THREADS, blocks)
/* A kernel with blocks of this many threads. */
#define SL_WIDE_KERNEL(threads) static __global__ void __launch_bounds__(threads)
#define SL_WIDE_DENSE(threads, blocks) static __global__ void __launch_bounds__(threads, blocks)
#define SL_GIVEN(Type, v) const __grid_constant__ Type v
#define SL_EACH(i, count) for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < (count); \
    i += gridDim.x * blockDim.x)

static inline unsigned sl_blocks(uint32_t count)
{
  uint32_t blocks = count / THREADS + (count % THREADS != 0);
  return blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS;
}

enum { EARLY_ARCH = 90 };          /* the architecture from which on kernels may begin early */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
#define SL_WAIT() cudaGridDependencySynchronize()
#define SL_NEXT() cudaTriggerProgrammaticLaunchCompletion()
#else
#define SL_WAIT() (void)0
#define SL_NEXT() (void)0
#endif

template <typename... Taken, typename... Given>
static cudaError_t sl_overlap(Device *d, uint32_t blocks, uint32_t threads,
                              void (*kernel)(Taken...), Given... given)
{
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute early = {};
  cudaFuncAttributes code = {};
  cudaError_t known = cudaFuncGetAttributes(&code, (const void *)kernel);
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  config.gridDim = dim3(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
  config.blockDim = dim3(threads);
  config.stream = d->stream;
  config.attrs = &early;
  /* code for older architectures does not wait */
  config.numAttrs = known == cudaSuccess && code.ptxVersion >= EARLY_ARCH;
  return cudaLaunchKernelEx(&config, kernel, given...);
}

#define SL_OVERLAP_BLOCKS(d, blocks, threads, kernel, ...)                                     \
  do {                                                                                        \
    if ((blocks) != 0 && !(d)->error.file)                                                    \
        device_check((d), sl_overlap((d), (blocks), (threads), kernel, __VA_ARGS__), __FILE__, \
                     __LINE__);                                                               \
  } while (0)
#define SL_OVERLAP(d, count, kernel, ...) \
    SL_OVERLAP_BLOCKS(d, sl_blocks(count), THREADS, kernel, __VA_ARGS__)

#define SL_START_ON(d, on, count, kernel, ...) \
  do { \
    if ((count) == 0 || (d)->error.file) break; \
    kernel<<<sl_blocks(count), THREADS, 0, (on)>>>(__VA_ARGS__); \
    device_check((d), cudaGetLastError(), __FILE__, __LINE__); \
  } while (0)
#define SL_START(d, count, kernel, ...) SL_START_ON(d, (d)->stream, count, kernel, __VA_ARGS__)
#define SL_START_ASIDE(d, count, kernel, ...) SL_START_ON(d, (d)->aside, count, kernel, \
    __VA_ARGS__)

#else

#define SL_KERNEL static void
#define SL_DENSE_KERNEL(blocks) static void
#define SL_WIDE_KERNEL(threads) static void
#define SL_WIDE_DENSE(threads, blocks) static void
#define SL_GIVEN(Type, v) const Type v
#define SL_EACH(i, count)     \
  for (uint32_t i##_n = 0, i; \
      i##_n < (count) && (i = v.reversed ? (count) - 1 - i##_n : i##_n, true); i##_n++)
#define SL_START(d, count, kernel, ...) \
  do { \
    if ((count) != 0 && !(d)->error.file) kernel(__VA_ARGS__); \
  } while (0)
#define SL_OVERLAP SL_START
#define SL_OVERLAP_BLOCKS(d, blocks, threads, kernel, ...) SL_START(d, blocks, kernel, __VA_ARGS__)
#define SL_START_ASIDE SL_START
#define SL_WAIT() (void)0
#define SL_NEXT() (void)0
#endif

/* The argument of a kernel over a design. */
#define SL_VIEW(v) SL_GIVEN(FlatView, v)

/* Begins the kernels of a family (device/family.h). The family has the name of its file. An
   initialiser follows. */
#ifdef __CUDACC__
#define SL_FAMILY(name)                                      \
  extern "C" { extern const FamilyKernels SL_NAMED(name); } \
  const FamilyKernels SL_NAMED(name)
#else
#define SL_FAMILY(name)                       \
  extern const FamilyKernels SL_NAMED(name); \
  const FamilyKernels SL_NAMED(name)
#endif

/* Merges a time: keeps the worse of two, the later one of late data and the earlier one of early
   data. */
SL_HD void lane_merge(float *have, int early_late, float x)
{
#ifdef __CUDA_ARCH__
  /* floats have the order of their bits as integers; negative floats have the reverse order */
  int bits = __float_as_int(x);
  if (early_late == LATE) {
    if (bits >= 0) atomicMax((int *)have, bits);
    else atomicMin((unsigned *)have, (unsigned)bits);
  } else {
    if (bits >= 0) atomicMin((int *)have, bits);
    else atomicMax((unsigned *)have, (unsigned)bits);
  }
#else
  time_merge(have, early_late, x);
#endif
}

SL_HD void lane_largest(int32_t *have, int32_t x)
{
#ifdef __CUDA_ARCH__
  atomicMax(have, x);
#else
  if (x > *have) *have = x;
#endif
}

/* Returns a number that other blocks may be writing. */
SL_HD uint32_t lane_fresh(const uint32_t *x)
{
#ifdef __CUDA_ARCH__
  return *(const volatile uint32_t *)x;
#else
  return *x;
#endif
}

/* These functions return the old value. */
SL_HD uint32_t lane_set(uint32_t *x, uint32_t value)
{
#ifdef __CUDA_ARCH__
  return atomicExch(x, value);
#else
  uint32_t before = *x;
  *x = value;
  return before;
#endif
}

SL_HD uint32_t lane_add(uint32_t *x, uint32_t more)
{
#ifdef __CUDA_ARCH__
  return atomicAdd(x, more);
#else
  uint32_t before = *x;
  *x += more;
  return before;
#endif
}

SL_HD uint32_t lane_count(uint32_t *x) { return lane_add(x, 1); }

SL_HD void lane_mark(uint32_t *x, uint32_t bits)
{
#ifdef __CUDA_ARCH__
  atomicOr(x, bits);
#else
  *x |= bits;
#endif
}

/* ns; of the device.  The emulation takes no time. */
SL_HD uint64_t lane_clock(void)
{
#ifdef __CUDA_ARCH__
  uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
#else
  return 0;
#endif
}

/* Prefetches memory that will be read soon. */
SL_HD void lane_ahead(const void *at)
{
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.global.L2 [%0];" : : "l"(at));
#else
  (void)at;
#endif
}

/* Keeps the tighter of two required times. */
SL_HD void lane_tighten(float *have, int early_late, float x) { lane_merge(have, !early_late, x); }

#endif
