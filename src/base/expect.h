/* Prefetching: asks for memory that will be read soon, so that several look-ups wait at the same
   time instead of one after the other. */
#ifndef SL_BASE_EXPECT_H
#define SL_BASE_EXPECT_H

#include <stddef.h>
#include <stdint.h>

/* The empty asm counts as an effect. Without it GCC takes a function that only prefetches for a
   function that does nothing, and removes its calls. */
static inline void mem_expect(const void *at)
{
  __builtin_prefetch(at);
  __asm__ volatile("");
}

struct Map;
struct Names;

/* The same for a look-up in a map (base/hash.h). */
void map_expect(const struct Map *map, uint64_t key);
/* For a look-up of a name (base/names.h), in two steps. The second one reads what the first one
   asks for. */
void names_expect(const struct Names *names, const char *text, size_t length);
void names_expect_record(const struct Names *names, const char *text, size_t length);

#endif
