/* An arena holds memory of one lifetime. Its owner frees all of it at once with arena_free; single
   allocations are never freed. Allocation never fails (see memory.h). An arena is used by one
   thread at a time. */
#ifndef SL_BASE_ARENA_H
#define SL_BASE_ARENA_H

#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void   arena_free(Arena *arena);                       /* NULL is allowed */
void  *arena_alloc(Arena *arena, size_t bytes);        /* zeroed, aligned to 16 */
char  *arena_text(Arena *arena, const char *text, size_t length);  /* NUL-terminated copy */
size_t arena_bytes(const Arena *arena);                /* bytes taken from the heap */

#define arena_new_array(arena, T, count) ((T *)arena_alloc(arena, sizeof(T) * (size_t)(count)))

#endif
