/* Kernels whose blocks work together, as kernel.h has it for those whose lanes do not: between two
   SL_SYNC, lanes do not read what others write; SL_SHARED is memory of the block.

     SL_BLOCK_FN void work(const FlatView *v, uint32_t b) { SL_SHARED(double, x, 8); SL_LANES(i, 8) x[i] = i; SL_SYNC(); ... }
     SL_KERNEL name(SL_VIEW(v), uint32_t count) { SL_BLOCKS(b, count) work(&v, b); }
     SL_LAUNCH_BLOCKS(d, d->stream, count, threads, name, d->design->view, count);

   Blocks of one launch that wait for each other, all of them at work at the same time:
   SL_GRID_BLOCKS(b, count) shares work out, and what was written before SL_GRID_SYNC(arrived, turn)
   is seen behind it; arrived: a number that was 0 before the launch; turn: from 1 on.  The
   emulation has one block.  SL_LAUNCH_GRID(d, blocks, name, ...) launches them, at most
   SL_MOST_BLOCKS(d, each, name): so many of each multiprocessor, or fewer.

   SL_STAGE(type, name, most) is memory of the block for a count that the launch knows, at most
   `most`, which the launch makes room for.  SL_COPY(to, from) brings 16 bytes there without
   waiting; all lanes see them behind SL_COPIED and SL_SYNC.

   SL_LAUNCH_PARTS(d, parts, threads, bytes, ...) launches a cluster of so many blocks with so much
   memory each, where SL_PARTS_FIT: SL_PARTS(p, parts) is a block's own part, SL_PARTS_SYNC is an
   SL_SYNC of them all; in the emulation one block has all parts, and the memory of part p is
   SL_PART_AT(p) times a block's behind the first.

   SL_PRIVATE gives each lane of a plain kernel an array of its own of up to `most` numbers, in the
   block's memory as well, which SL_LAUNCH_PRIVATE makes room for; lanes' numbers lie side by
   side. */
#ifndef SL_CUDA_BLOCK_H
#define SL_CUDA_BLOCK_H

#include "cuda/kernel.h"

typedef struct {
  double  *at;
  uint32_t step;
} LaneArray;

enum { WARP = 32 };

#ifdef __CUDACC__

#define SL_BLOCK_FN static __device__ __forceinline__
#define SL_BLOCKS(b, count) for (uint32_t b = blockIdx.x; b < (count); b += gridDim.x)
#define SL_LANES(i, count) for (uint32_t i = threadIdx.x; i < (count); i += blockDim.x)
/* Beside lanes of the first warp. */
#define SL_LANES_ASIDE(i, count) for \
    (uint32_t i = threadIdx.x - WARP; i < (count) && threadIdx.x >= WARP; i += blockDim.x - WARP)
/* By the block's second half. */
#define SL_LANES_BEHIND(i, count) for (uint32_t i = threadIdx.x - blockDim.x / 2; \
    i < (count) && threadIdx.x >= blockDim.x / 2; i += blockDim.x / 2)
#define SL_SYNC() __syncthreads()
#define SL_SHARED(type, name, count) __shared__ type name[count]
/* With registers for a few blocks at a time. */
#define SL_GRID_KERNEL SL_DENSE_KERNEL(4)
/* For what few lanes do: its registers are not all lanes'. */
#define SL_APART static __device__ __noinline__
#define SL_LANE threadIdx.x
#define SL_FIRST_LANE (threadIdx.x == 0)
#define SL_BLOCK_INDEX blockIdx.x
#define SL_GRID_BLOCKS(b, count) SL_BLOCKS(b, count)
#define SL_UNROLL(n) _Pragma(SL_TEXT(unroll n))
#define SL_TEXT(x) #x
#define SL_PRIVATE(name, most) \
  extern __shared__ double sl_private[]; \
  LaneArray name = { sl_private + threadIdx.x, blockDim.x }

#define SL_STAGE(type, name, most) \
  extern __shared__ __align__(16) char sl_stage[]; \
  type *name = (type *)sl_stage

static __device__ __forceinline__ void sl_copy(void *to, const void *from)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
               :
               : "r"((unsigned)__cvta_generic_to_shared(to)), "l"(from)
               : "memory");
#else
  *(uint4 *)to = *(const uint4 *)from;
#endif
}
#define SL_COPY(to, from) sl_copy(to, from)
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
#define SL_COPIED() asm volatile("cp.async.wait_all;" : : : "memory")
#else
#define SL_COPIED() (void)0
#endif

#define SL_PARTS(p, parts) for (uint32_t p = blockIdx.x, p##_once = 1; p##_once; p##_once = 0)
#define SL_PART_AT(p) 0
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
#define SL_PARTS_SYNC()                                                                           \
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" : \
      : : "memory")
#else
#define SL_PARTS_SYNC() __syncthreads()      /* never launched: see device_stage_room */
#endif

static inline void sl_cluster(cudaLaunchConfig_t *config, cudaLaunchAttribute *cluster,
                              uint32_t parts, uint32_t threads, size_t bytes)
{
  cluster->id = cudaLaunchAttributeClusterDimension;
  cluster->val.clusterDim.x = parts;
  cluster->val.clusterDim.y = cluster->val.clusterDim.z = 1;
  config->gridDim = dim3(parts);
  config->blockDim = dim3(threads);
  config->dynamicSmemBytes = bytes;
  config->attrs = cluster;
  config->numAttrs = 1;
}

/* Allows a kernel all shared memory that it can have beside its own.  The limit is the kernel's,
   not the launch's: a limit by launch would be lowered by another scenario's launch from another
   thread in between. */
static inline cudaError_t sl_allow_room(Device *d, const void *kernel)
{
  cudaFuncAttributes own;
  cudaError_t status = cudaFuncGetAttributes(&own, kernel);
  if (status != cudaSuccess) return status;
  size_t room = device_stage_room(d);
  size_t most = room > own.sharedSizeBytes ? room - own.sharedSizeBytes : 0;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most);
}

/* Does the device have a place for such a cluster?  A part of one may not. */
static inline bool sl_parts_fit(Device *d, uint32_t parts, uint32_t threads, size_t bytes,
                                const void *kernel)
{
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute cluster = {};
  int clusters = 0;
  if (d->error.file) return false;
  sl_cluster(&config, &cluster, parts, threads, bytes);
  bool known = sl_allow_room(d, kernel) == cudaSuccess &&
               cudaOccupancyMaxActiveClusters(&clusters, kernel, &config) == cudaSuccess;
  cudaGetLastError();
  return known && clusters > 0;
}
#define SL_PARTS_FIT(d, parts, threads, bytes, kernel) \
    sl_parts_fit((d), (parts), (threads), (bytes), (const void *)kernel)

template <typename... Taken, typename... Given>
static cudaError_t sl_parts(Device *d, uint32_t parts, uint32_t threads, size_t bytes,
                            void (*kernel)(Taken...), Given... given)
{
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute cluster = {};
  cudaError_t status = sl_allow_room(d, (const void *)kernel);
  sl_cluster(&config, &cluster, parts, threads, bytes);
  config.stream = d->stream;
  return status == cudaSuccess ? cudaLaunchKernelEx(&config, kernel, given...) : status;
}

#define SL_LAUNCH_PARTS(d, parts, threads, bytes, kernel, ...)                             \
  do {                                                                                     \
    if (!(d)->error.file)                                                                  \
        device_check((d), sl_parts((d), (parts), (threads), (bytes), kernel, __VA_ARGS__), \
        __FILE__, __LINE__);                                                               \
  } while (0)

#define SL_LAUNCH_SIZED(d, on, blocks, threads, bytes, kernel, ...)           \
  do {                                                                        \
    if ((blocks) == 0 || (d)->error.file) break;                              \
    kernel<<<(blocks) < MOST_BLOCKS ? (blocks) : MOST_BLOCKS, threads, bytes, \
        (on)>>>(__VA_ARGS__);                                                 \
    device_check((d), cudaGetLastError(), __FILE__, __LINE__);                \
  } while (0)
#define SL_LAUNCH_BLOCKS(d, on, count, threads, kernel, ...) \
    SL_LAUNCH_SIZED(d, on, count, threads, 0, kernel, __VA_ARGS__)

/* Fences on both sides, by the one thread that waits: what the block's others have written, or will
   read, goes with it. */
static __device__ __forceinline__ void sl_grid_sync(uint32_t *arrived, uint32_t turn)
{
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (*(volatile uint32_t *)arrived < turn * gridDim.x) continue;
    __threadfence();
  }
  __syncthreads();
}
#define SL_GRID_SYNC(arrived, turn) sl_grid_sync(arrived, turn)

/* The first of WARP numbers, which others may be writing, that is not 0, and it in *value; WARP:
   there is none.  All lanes ask. */
static __device__ __forceinline__ uint32_t sl_first_of(const uint32_t *at, uint32_t *value)
{
  uint32_t own = *(const volatile uint32_t *)(at + threadIdx.x % WARP),
           any = __ballot_sync(~0u, own != 0), first = any ? __ffs((int)any) - 1 : WARP;
  *value = __shfl_sync(~0u, own, (int)(first % WARP));
  return first;
}

template <typename... Taken, typename... Given>
static cudaError_t sl_grid(Device *d, uint32_t blocks, void (*kernel)(Taken...), Given... given)
{
  void *taken[] = { (void *)&given... };
  return cudaLaunchCooperativeKernel((const void *)kernel, dim3(blocks), dim3(THREADS), taken, 0,
                                     d->stream);
}

static inline uint32_t sl_most_blocks(Device *d, int each, const void *kernel)
{
  int blocks = 0, units = 0;
  if (d->error.file) return 0;
  device_check(d, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, THREADS, 0),
               __FILE__, __LINE__);
  device_check(d, cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, d->options.device),
               __FILE__, __LINE__);
  return (uint32_t)(units * (blocks < each ? blocks : each));
}
#define SL_MOST_BLOCKS(d, each, kernel) sl_most_blocks((d), (each), (const void *)kernel)

#define SL_LAUNCH_GRID(d, blocks, kernel, ...)                                           \
  do {                                                                                   \
    if (!(d)->error.file) device_check((d), sl_grid((d), (blocks), kernel, __VA_ARGS__), \
        __FILE__, __LINE__);                                                             \
  } while (0)
#define SL_LAUNCH_PRIVATE(d, on, count, threads, most, kernel, ...)      \
  SL_LAUNCH_SIZED(d, on, ((count) + (threads) - 1) / (threads), threads, \
      (threads) * (most) * sizeof(double), kernel, __VA_ARGS__)

#else

#define SL_BLOCK_FN static inline
#define SL_BLOCKS(b, count) SL_EACH(b, count)
#define SL_LANES(i, count)                         \
  for (uint32_t i##_n = 0, i, i##_count = (count); \
      i##_n < i##_count && (i = v->reversed ? i##_count - 1 - i##_n : i##_n, true); i##_n++)
#define SL_LANES_ASIDE SL_LANES
#define SL_LANES_BEHIND SL_LANES
#define SL_SYNC() (void)0
#define SL_GRID_KERNEL SL_KERNEL
#define SL_APART static inline
#define SL_LANE 0u
#define SL_FIRST_LANE 1
#define SL_BLOCK_INDEX 0
#define SL_GRID_BLOCKS SL_LANES
#define SL_GRID_SYNC(arrived, turn) ((void)(arrived), (void)(turn))
static inline uint32_t sl_first_of(const uint32_t *at, uint32_t *value)
{
  uint32_t first = 0;
  while (first < WARP && at[first] == 0) first++;
  *value = first < WARP ? at[first] : 0;
  return first;
}
#define SL_MOST_BLOCKS(d, each, kernel) ((void)(d), 1u)
#define SL_LAUNCH_GRID(d, blocks, kernel, ...) SL_LAUNCH(d, blocks, kernel, __VA_ARGS__)
#define SL_SHARED(type, name, count) type name[count]
#define SL_UNROLL(n)
#define SL_STAGE(type, name, most) type name[most]
#define SL_COPY(to, from) memcpy(to, from, 16)
#define SL_COPIED() (void)0
#define SL_PARTS(p, parts) SL_LANES(p, parts)
#define SL_PART_AT(p) (p)
#define SL_PARTS_SYNC() (void)0
#define SL_LAUNCH_PARTS(d, parts, threads, bytes, kernel, ...) SL_LAUNCH(d, 1, kernel, __VA_ARGS__)
#define SL_PARTS_FIT(d, parts, threads, bytes, kernel) true
#define SL_PRIVATE(name, most) \
  double name##_at[most]; \
  LaneArray name = { name##_at, 1 }
#define SL_LAUNCH_BLOCKS(d, on, count, threads, kernel, ...) \
    SL_LAUNCH(d, count, kernel, __VA_ARGS__)
#define SL_LAUNCH_PRIVATE(d, on, count, threads, most, kernel, ...) \
    SL_LAUNCH(d, count, kernel, __VA_ARGS__)

#endif

#endif
