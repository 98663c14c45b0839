# CUDA: found by itself, at --with-cuda=DIR, or left out by --without-cuda.  A kernel is compiled
# and linked before CUDA counts as present; it need not run, as machines that build often have no
# GPU. HAVE_CUDA (conditional and define), NVCC, NVCCFLAGS, CUDA_LIBS.

# The architectures: --with-cuda-arch=sm_90 or a list "sm_80 sm_90"; by default those of 70 to 90
# that nvcc knows. Code for each, and PTX of the last for later GPUs.
AC_DEFUN([_SL_CUDA_ARCH], [
  AC_ARG_WITH([cuda-arch],
    [AS_HELP_STRING([--with-cuda-arch=LIST], [GPU architectures, such as "sm_80 sm_90" (default: those of sm_70 to sm_90 that nvcc knows)])],
    [], [with_cuda_arch=default])
  AS_IF([test "x$with_cuda_arch" = xdefault || test "x$with_cuda_arch" = xyes], [
    sl_known=" `$NVCC --list-gpu-code 2>/dev/null | tr '\n' ' '` "
    sl_archs=
    for sl_arch in sm_70 sm_75 sm_80 sm_86 sm_89 sm_90; do
      AS_CASE(["$sl_known"], [*" $sl_arch "*], [sl_archs="$sl_archs $sl_arch"])
    done
    AS_IF([test -z "$sl_archs"], [sl_archs=sm_70])
  ], [sl_archs=`echo "$with_cuda_arch" | tr ',;' '  '`])
  sl_gencode=
  for sl_arch in $sl_archs; do
    sl_number=`echo "$sl_arch" | sed 's/^sm_//'`
    sl_gencode="$sl_gencode -gencode arch=compute_$sl_number,code=sm_$sl_number"
  done
  sl_gencode="$sl_gencode -gencode arch=compute_$sl_number,code=compute_$sl_number"
])

AC_DEFUN([_SL_CUDA_KERNEL], [
  cat >conftest.cu <<'_SLEOF'
__global__ void twice(float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x@<:@i@:>@ *= 2;
}
extern "C" int run(float *x, int n)
{
  float *d;
  if (cudaMalloc(&d, n * sizeof *d) != cudaSuccess) return 1;
  cudaMemcpy(d, x, n * sizeof *d, cudaMemcpyHostToDevice);
  twice<<<(n + 127) / 128, 128>>>(d, n);
  cudaMemcpy(x, d, n * sizeof *d, cudaMemcpyDeviceToHost);
  return cudaFree(d) != cudaSuccess;
}
_SLEOF
  cat >conftest_main.c <<'_SLEOF'
int run(float *x, int n);
int main(void)
{
  float x@<:@2@:>@ = { 1, 2 };
  return run(x, 2);
}
_SLEOF
  sl_cuda_works=no
  AS_IF([AC_TRY_COMMAND([$NVCC $NVCCFLAGS -c conftest.cu -o conftest_cu.o >&AS_MESSAGE_LOG_FD 2>&1]) &&
         AC_TRY_COMMAND([$CC $CFLAGS conftest_main.c conftest_cu.o $LDFLAGS $CUDA_LIBS -o conftest_cuda >&AS_MESSAGE_LOG_FD 2>&1])],
        [sl_cuda_works=yes])
  rm -f conftest.cu conftest_main.c conftest_cu.o conftest_cuda
])

AC_DEFUN([SL_CUDA], [
  AC_ARG_WITH([cuda],
    [AS_HELP_STRING([--with-cuda=DIR], [CUDA toolkit (default: looked for); --without-cuda leaves the CUDA backend out])],
    [], [with_cuda=auto])
  AC_ARG_VAR([NVCC], [CUDA compiler])
  AC_ARG_VAR([NVCCFLAGS], [flags for the CUDA compiler, after our own])
  sl_cuda_works=no sl_user_nvccflags=$NVCCFLAGS
  sl_engine="cpu"
  AS_IF([test "x$with_cuda" != xno], [
    AS_CASE([$with_cuda], [auto|yes],
      [AC_PATH_PROG([NVCC], [nvcc], [], [$PATH$PATH_SEPARATOR/usr/local/cuda/bin$PATH_SEPARATOR/opt/cuda/bin])],
      [AS_IF([test -z "$NVCC"], [NVCC=$with_cuda/bin/nvcc])])
    AS_IF([test -n "$NVCC" && test -x "$NVCC"], [
      _SL_CUDA_ARCH
      sl_cuda_dir=`dirname "\`dirname "$NVCC"\`"`
      NVCCFLAGS="-O3 -std=c++17 --fmad=false -prec-div=true -prec-sqrt=true -ftz=false -cudart static$sl_gencode -Xcompiler -ffp-contract=off,-Wall $sl_user_nvccflags"
      CUDA_LIBS="-L$sl_cuda_dir/lib64 -L$sl_cuda_dir/lib -L$sl_cuda_dir/targets/x86_64-linux/lib -lcudart_static -lstdc++ -ldl -lrt -lpthread"
      AC_MSG_CHECKING([whether $NVCC builds a kernel for$sl_archs])
      _SL_CUDA_KERNEL
      AC_MSG_RESULT([$sl_cuda_works])
    ])
    AS_IF([test $sl_cuda_works = no && test "x$with_cuda" != xauto],
      [AC_MSG_ERROR([CUDA was asked for, and does not work (see config.log); give --with-cuda=DIR, or --without-cuda])])
  ])
  AS_IF([test $sl_cuda_works = yes], [
    AC_DEFINE([HAVE_CUDA], [1], [The CUDA backend is built])
    sl_engine="cpu and cuda (`echo $sl_archs`)"
  ], [CUDA_LIBS= NVCC=])
  AM_CONDITIONAL([HAVE_CUDA], [test $sl_cuda_works = yes])
  AC_SUBST([CUDA_LIBS])
])
