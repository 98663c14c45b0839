/* Prefetching: asks for memory that will be read soon, so that several look-ups wait at the same
   time instead of one after the other. */
#ifndef SL_BASE_EXPECT_H
#define SL_BASE_EXPECT_H

/* The empty asm counts as an effect. Without it GCC takes a function that only prefetches for a
   function that does nothing, and removes its calls. */
static inline void mem_expect(const void *at)
{
  __builtin_prefetch(at);
  __asm__ volatile("");
}

#endif
