/* Threads: OpenMP's functions, and what they answer where it is switched off (configure --disable-openmp): one thread. */
#ifndef SL_BASE_THREADS_H
#define SL_BASE_THREADS_H

#ifdef _OPENMP
#include <omp.h>

/* The processors that the process may use, or OMP_NUM_THREADS. */
static inline int threads_available(void) { return omp_get_max_threads(); }
static inline int thread_index(void) { return omp_get_thread_num(); }
#else
static inline int threads_available(void) { return 1; }
static inline int thread_index(void) { return 0; }
#endif

#endif
