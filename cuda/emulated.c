/* The CUDA engine's kernels as C: each launch a loop.  One unit, so that nothing but the operations is seen from outside. */
#include "cuda/memory.cu"
#include "cuda/trees.cu"
#include "cuda/forward.cu"
#include "cuda/required.cu"
#include "cuda/device.cu"
