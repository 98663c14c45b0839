# SL_THREADS: POSIX threads, and loops that are asked to become vectors ("omp simd", without
# OpenMP's run-time library).
AC_DEFUN([SL_THREADS], [
AC_SEARCH_LIBS([pthread_create], [pthread], [], [AC_MSG_ERROR([POSIX threads are needed])])
AC_CACHE_CHECK([for the option for vector loops], [sl_cv_simd],
  [sl_saved=$CFLAGS
   CFLAGS="$CFLAGS -Werror -fopenmp-simd"
   AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])], [sl_cv_simd=-fopenmp-simd], [sl_cv_simd=-Wno-unknown-pragmas])
   CFLAGS=$sl_saved])
SL_CFLAGS="$SL_CFLAGS $sl_cv_simd"
])
