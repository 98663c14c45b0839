/* The CUDA engine's kernels as C: each launch a loop.  One unit, so that nothing but the operations is seen from outside. */
#include "cuda/memory.cu"
#include "cuda/ports.cu"
#include "cuda/net_forward.cu"
#include "cuda/net_required.cu"
#include "cuda/pin_forward.cu"
#include "cuda/pin_required.cu"
#include "cuda/ends.cu"
#include "cuda/device.cu"
