/* The least of the costs of a gate's candidates, by lanes side by side. */
#ifndef SL_CUDA_FAMILIES_LEAST_H
#define SL_CUDA_FAMILIES_LEAST_H

#include "cuda/kernel.h"
#include "math/sizing.h"

#ifdef __CUDA_ARCH__
/* Returns the least number of the lanes of a mask: `width` lanes side by side. */
__device__ static inline uint32_t group_min(unsigned mask, uint32_t x, uint32_t width)
{
#if __CUDA_ARCH__ >= 800
  (void)width;
  return __reduce_min_sync(mask, x);
#else
  for (uint32_t step = width / 2; step > 0; step /= 2) {
    uint32_t other = __shfl_xor_sync(mask, x, (int)step);
    x = other < x ? other : x;
  }
  return x;
#endif
}
#endif

/* Returns the float whose size_key is k. */
SL_HD float key_cost(uint32_t k)
{
  union { uint32_t u; float f; } bits;
  bits.u = k & 0x80000000u ? k & 0x7fffffffu : ~k;
  return bits.f;
}

/* What a lane has seen of a gate's candidates: the first with the least key, and the cost of the
   gate's present one, if it was among them. */
typedef struct {
  uint32_t key, at;
  float    now;
  bool     has_now;
} LaneLeast;

SL_HD LaneLeast lane_least_none(void)
{
  LaneLeast b;
  b.key = b.at = ~0u;
  b.now = 0;
  b.has_now = false;
  return b;
}

/* The candidates that a lane of a group sees: every width-th. In the emulation, where the lanes run
   one after another, the first lane sees all. */
#ifdef __CUDA_ARCH__
#define LANE_SEES(i, lane, width, count) uint32_t i = (lane); i < (count); i += (width)
#else
#define LANE_SEES(i, lane, width, count) uint32_t i = (lane) == 0 ? 0 : (count); i < (count); i++
#endif

/* Takes a candidate into account. Its index must be above those of the candidates before. */
SL_HD void lane_least_see(LaneLeast *least, uint32_t at, float cost, uint32_t now)
{
  uint32_t key = size_key(cost);
  if (key < least->key) {
    least->key = key;
    least->at = at;
  }
  if (at == now) {
    least->now = cost;
    least->has_now = true;
  }
}

/* The choice of a group of lanes, each of which has seen its candidates. */
SL_HD void lanes_choose(const LaneLeast *lane_least, uint32_t lane, uint32_t width,
                        SizeChosen *chosen)
{
  uint32_t least = lane_least->key, at = lane_least->at;
#ifdef __CUDA_ARCH__
  unsigned mask = width == 32 ? ~0u : ((1u << width) - 1) << (threadIdx.x % 32 / width * width);
  least = group_min(mask, lane_least->key, width);
  at = group_min(mask, lane_least->key == least ? lane_least->at : ~0u, width);
#else
  (void)width;
#endif
  if (lane == 0) chosen->best = at;
  if (lane_least->has_now) chosen->gain = lane_least->now - key_cost(least);
}

#endif
