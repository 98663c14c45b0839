/* Memory asked for before it is read, where one look-up would wait for another. */
#ifndef SL_BASE_EXPECT_H
#define SL_BASE_EXPECT_H

/* The empty asm counts as an effect: without one GCC takes a function that only prefetches for one
   that does nothing. */
static inline void mem_expect(const void *at)
{
  __builtin_prefetch(at);
  __asm__ volatile("");
}

#endif
