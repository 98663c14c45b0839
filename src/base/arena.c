/* An arena is a list of chunks. A request is served from the newest chunk; chunks double in size up
   to a limit. */
#include "base/arena.h"

#include <stdint.h>

#include "base/memory.h"

/* The size of chunks doubles up to a limit.  A request for more than half a chunk gets its own
   chunk. */
enum { FIRST_CHUNK = 4096, LAST_CHUNK = 1 << 20, ALIGN = 16 };

typedef struct Chunk {
  struct Chunk *next;
  size_t        bytes;
} Chunk;

struct Arena {
  Chunk *chunks;
  char  *cur, *end;   /* free part of the open chunk */
  size_t next_bytes;
  size_t total;
};

Arena *arena_new(void)
{
  Arena *arena = mem_alloc_zero(1, sizeof *arena);
  arena->next_bytes = FIRST_CHUNK;
  return arena;
}

void arena_free(Arena *arena)
{
  if (arena == NULL) return;
  for (Chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    mem_free(chunk);
  }
  mem_free(arena);
}

static size_t round_up(size_t n) { return (n + ALIGN - 1) & ~(size_t)(ALIGN - 1); }

static char *add_chunk(Arena *arena, size_t bytes)
{
  size_t header = round_up(sizeof(Chunk));
  Chunk *chunk = mem_alloc_zero(1, header + bytes);
  chunk->next = arena->chunks;
  chunk->bytes = header + bytes;
  arena->chunks = chunk;
  arena->total += chunk->bytes;
  return (char *)chunk + header;
}

void *arena_alloc(Arena *arena, size_t bytes)
{
  bytes = round_up(bytes ? bytes : 1);
  if (bytes <= (size_t)(arena->end - arena->cur)) {
    void *p = arena->cur;
    arena->cur += bytes;
    return p;
  }
  if (bytes > arena->next_bytes / 2) return add_chunk(arena, bytes);
  arena->cur = add_chunk(arena, arena->next_bytes);
  arena->end = arena->cur + arena->next_bytes;
  if (arena->next_bytes < LAST_CHUNK) arena->next_bytes *= 2;
  return arena_alloc(arena, bytes);
}

char *arena_text(Arena *arena, const char *text, size_t length)
{
  char *copy = arena_alloc(arena, length + 1);
  memcpy(copy, text, length);
  return copy;
}

size_t arena_bytes(const Arena *arena) { return arena ? arena->total : 0; }
