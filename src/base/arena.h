/* An arena: memory of one lifetime, given back all at once. */
#ifndef SL_BASE_ARENA_H
#define SL_BASE_ARENA_H

#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void   arena_free(Arena *arena);                       /* NULL is allowed */
void  *arena_alloc(Arena *arena, size_t bytes);        /* zeroed, aligned to 16 */
char  *arena_text(Arena *arena, const char *text, size_t length);  /* NUL-terminated copy */
size_t arena_bytes(const Arena *arena);                /* held from the system */

#define arena_new_array(arena, T, count) ((T *)arena_alloc(arena, sizeof(T) * (size_t)(count)))

#endif
