/* Hashing of bytes and integers, and a map from 64-bit keys to 32-bit values. */
#ifndef SL_BASE_HASH_H
#define SL_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A bijection that spreads its input over all bits (the finaliser of splitmix64). */
static inline uint64_t hash_u64(uint64_t x)
{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/* Returns up to 8 bytes as one word. The loads have fixed sizes, so they cover every byte, some of
   them twice. Two different texts of the same length never give the same word. */
static inline uint64_t hash_tail_word(const char *bytes, size_t length)
{
  uint32_t first, last;
  if (length < 4)
    return length == 0 ? 0
                       : (uint64_t)(uint8_t)bytes[0] | (uint64_t)(uint8_t)bytes[length >> 1] << 8
                             | (uint64_t)(uint8_t)bytes[length - 1] << 16;
  memcpy(&first, bytes, 4);
  memcpy(&last, bytes + length - 4, 4);
  return first | (uint64_t)last << 32;
}

static inline uint32_t hash_bytes(const char *bytes, size_t length)
{
  uint64_t h = 0x9e3779b97f4a7c15ull ^ length;
  while (length >= 8) {
    uint64_t w;
    memcpy(&w, bytes, 8);
    h = (h ^ w) * 0x9fb21c651e98df25ull;
    h ^= h >> 32;
    bytes += 8;
    length -= 8;
  }
  return (uint32_t)(hash_u64(h ^ hash_tail_word(bytes, length)) >> 16);
}

static inline uint64_t hash_pair(uint32_t a, uint32_t b) { return (uint64_t)a << 32 | b; }

/* A key is any 64-bit value except MAP_NO_KEY. A value is any 32-bit value except MAP_NO_VALUE. */
#define MAP_NO_KEY   UINT64_MAX
#define MAP_NO_VALUE UINT32_MAX

typedef struct Map Map;

Map     *map_new(void);
Map     *map_copy(const Map *map);
void     map_free(Map *map);
uint32_t map_get(const Map *map, uint64_t key);              /* MAP_NO_VALUE when absent */
void     map_put(Map *map, uint64_t key, uint32_t value);    /* adds or replaces */
/* Makes room for count keys. After an interrupt there may be less; the map grows as keys come. */
void     map_reserve(Map *map, uint32_t count);
void     map_remove(Map *map, uint64_t key);                 /* no effect if the key is absent */
uint32_t map_count(const Map *map);
size_t   map_bytes(const Map *map);

#endif
