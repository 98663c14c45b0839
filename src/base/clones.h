/* Functions in versions for the vectors that the machine at hand has; the bits are the same, since
   nothing is contracted. */
#ifndef SL_BASE_CLONES_H
#define SL_BASE_CLONES_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(SL_NO_CLONES)
#define SL_CLONES __attribute__((noinline, \
    target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SL_CLONES __attribute__((noinline))
#endif

#endif
