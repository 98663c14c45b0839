/* Macros for kernels in which the threads ("lanes") of a block work together.  kernel.h has those
   for kernels whose lanes are independent.  Between two SL_SYNC, no lane may read what another
   writes. SL_SHARED declares memory that the lanes of a block share.

     SL_BLOCK_FN void work(const FlatView *view, uint32_t b)
     { SL_SHARED(double, x, 8); SL_LANES(i, 8) x[i] = i; SL_SYNC(); ... }
     SL_KERNEL name(SL_VIEW(v), uint32_t count) { SL_BLOCKS(b, count) work(&v, b); }
     SL_START_BLOCKS(d, d->stream, count, threads, name, d->design->view, count);

   Waiting across the grid.  SL_START_GRID(d, blocks, name, ...) starts blocks that all run at
   the same time, so that they may wait for each other; there may be at most SL_MOST_BLOCKS(d, each,
   name) of them, which is `each` or fewer for each multiprocessor.  SL_GRID_BLOCKS(b, count) shares
   the work out.  What a block writes before SL_GRID_SYNC(arrived, turn) can be read by all blocks
   after it.  *arrived must be 0 before the start; turn counts the calls from 1.  The emulation has
   one block.

   Memory sized at the start. SL_STAGE(type, name, most) declares memory of the block whose size the
   start gives, for at most `most` elements. SL_COPY(to, from) starts to copy 16 bytes to it and
   does not wait; after SL_COPIED and SL_SYNC, all lanes can read them. A kernel that SL_OVERLAP or
   SL_OVERLAP_BLOCKS starts has no such memory, but it can have SL_SHARED arrays. In the emulation
   an SL_SHARED array is a local array of the function that declares it.

   Clusters.  SL_START_PARTS(d, parts, threads, bytes, ...) starts a cluster of `parts` blocks
   with `bytes` of memory each; SL_PARTS_FIT says whether the device can run it.  SL_PARTS(p, parts)
   gives a block the number of its own part; SL_PARTS_SYNC is an SL_SYNC of all parts.  In the
   emulation one block does all parts, and the memory of part p begins SL_PART_AT(p) blocks' memory
   after the first.

   Private arrays.  SL_PRIVATE gives each lane of a plain kernel an array of at most `most` numbers.
   The arrays lie in the block's memory, for which SL_START_PRIVATE makes room, and the numbers of
   neighbouring lanes lie side by side. */
#ifndef SL_CUDA_BLOCK_KERNEL_H
#define SL_CUDA_BLOCK_KERNEL_H

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
/* Like SL_LANES, but for all warps except the first. */
#define SL_LANES_ASIDE(i, count) for \
    (uint32_t i = threadIdx.x - WARP; i < (count) && threadIdx.x >= WARP; i += blockDim.x - WARP)
/* Like SL_LANES, but for the second half of the block. */
#define SL_LANES_BEHIND(i, count) for (uint32_t i = threadIdx.x - blockDim.x / 2; \
    i < (count) && threadIdx.x >= blockDim.x / 2; i += blockDim.x / 2)
#define SL_SYNC() __syncthreads()
/* Brings the lanes of a warp together again after branches. All of them must come here. */
#define SL_REJOIN() __syncwarp()
#define SL_SHARED(type, name, count) __shared__ type name[count]
/* Limits registers so that four blocks fit on a multiprocessor. */
#define SL_GRID_KERNEL SL_DENSE_KERNEL(4)
/* A function that is not inlined.  For code that few lanes run: its registers then do not count for
   the whole kernel. */
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
#define SL_PARTS_SYNC() __syncthreads()      /* such kernels never start here: see
                                                device_stage_room */
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

/* Allows a kernel to use all the shared memory that its static arrays leave.  The limit belongs to
   the kernel and not to a start of it: if each start set its own, a thread that works for another
   scenario could lower it in between. */
static inline cudaError_t sl_allow_room(Device *d, const void *kernel)
{
  cudaFuncAttributes own;
  cudaError_t status = cudaFuncGetAttributes(&own, kernel);
  if (status != cudaSuccess) return status;
  size_t room = device_stage_room(d);
  size_t most = room > own.sharedSizeBytes ? room - own.sharedSizeBytes : 0;
  return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)most);
}

/* Returns true if the device has room for such a cluster.  A MIG slice of a device may not. */
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

#define SL_START_PARTS(d, parts, threads, bytes, kernel, ...)                             \
  do {                                                                                     \
    if (!(d)->error.file)                                                                  \
        device_check((d), sl_parts((d), (parts), (threads), (bytes), kernel, __VA_ARGS__), \
        __FILE__, __LINE__);                                                               \
  } while (0)

#define SL_START_SIZED(d, on, blocks, threads, bytes, kernel, ...)           \
  do {                                                                        \
    if ((blocks) == 0 || (d)->error.file) break;                              \
    kernel<<<(blocks) < MOST_BLOCKS ? (blocks) : MOST_BLOCKS, threads, bytes, \
        (on)>>>(__VA_ARGS__);                                                 \
    device_check((d), cudaGetLastError(), __FILE__, __LINE__);                \
  } while (0)
#define SL_START_BLOCKS(d, on, count, threads, kernel, ...) \
    SL_START_SIZED(d, on, count, threads, 0, kernel, __VA_ARGS__)

/* The thread that waits puts fences on both sides.  They make visible what the block's other
   threads have written before, and what they will read after. */
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

/* Returns the index of the first of WARP numbers that is not 0, with the number in *value; WARP:
   all are 0.  Other blocks may be writing them.  All lanes of the warp must call it. */
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

#define SL_START_GRID(d, blocks, kernel, ...)                                           \
  do {                                                                                   \
    if (!(d)->error.file) device_check((d), sl_grid((d), (blocks), kernel, __VA_ARGS__), \
        __FILE__, __LINE__);                                                             \
  } while (0)
#define SL_START_PRIVATE(d, on, count, threads, most, kernel, ...)      \
  SL_START_SIZED(d, on, ((count) + (threads) - 1) / (threads), threads, \
      (threads) * (most) * sizeof(double), kernel, __VA_ARGS__)

#else

#define SL_BLOCK_FN static inline
#define SL_BLOCKS(b, count) SL_EACH(b, count)
#define SL_LANES(i, count)                         \
  for (uint32_t i##_n = 0, i, i##_count = (count); \
       i##_n < i##_count && (i = view->reversed ? i##_count - 1 - i##_n : i##_n, true); i##_n++)
#define SL_LANES_ASIDE SL_LANES
#define SL_LANES_BEHIND SL_LANES
#define SL_SYNC() (void)0
#define SL_GRID_KERNEL SL_KERNEL
#define SL_REJOIN() (void)0
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
#define SL_START_GRID(d, blocks, kernel, ...) SL_START(d, blocks, kernel, __VA_ARGS__)
#define SL_SHARED(type, name, count) type name[count]
#define SL_UNROLL(n)
#define SL_STAGE(type, name, most) type name[most]
#define SL_COPY(to, from) memcpy(to, from, 16)
#define SL_COPIED() (void)0
#define SL_PARTS(p, parts) SL_LANES(p, parts)
#define SL_PART_AT(p) (p)
#define SL_PARTS_SYNC() (void)0
#define SL_START_PARTS(d, parts, threads, bytes, kernel, ...) SL_START(d, 1, kernel, __VA_ARGS__)
#define SL_PARTS_FIT(d, parts, threads, bytes, kernel) true
#define SL_PRIVATE(name, most) \
  double name##_at[most]; \
  LaneArray name = { name##_at, 1 }
#define SL_START_BLOCKS(d, on, count, threads, kernel, ...) \
    SL_START(d, count, kernel, __VA_ARGS__)
#define SL_START_PRIVATE(d, on, count, threads, most, kernel, ...) \
    SL_START(d, count, kernel, __VA_ARGS__)

#endif

#endif
