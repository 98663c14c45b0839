/* SL_CLONES compiles a function once for each width of vectors; the program picks the version that
   suits the machine. All versions give the same bits, because the compiler may not contract a
   product and a sum into one operation (-ffp-contract=off). */
#ifndef SL_BASE_CLONES_H
#define SL_BASE_CLONES_H

/* A sanitizer's functions are not there yet when the version is picked. */
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SL_NO_CLONES
#endif

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(SL_NO_CLONES)
#define SL_CLONES __attribute__((noinline, \
    target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SL_CLONES __attribute__((noinline))
#endif

#endif
