/* The map of hash.h: open addressing with linear probing, and deletion by shifting entries back. */
#include "base/hash.h"

#include "base/expect.h"
#include "base/interrupt.h"
#include "base/memory.h"

typedef struct {
  uint64_t key;
  uint32_t value;
} Slot;

struct Map {
  Slot    *slots;      /* open addressing with linear probing; MAP_NO_KEY is free */
  uint32_t mask;
  uint32_t count;
};

/* With `may_stop`, NULL after an interrupt: millions of slots take tenths of a second. */
static Slot *new_slots(uint32_t count, bool may_stop)
{
  Slot *slots = mem_alloc(sizeof(Slot) * (size_t)count);
  for (uint32_t i = 0; i < count; i++) {
    if ((i & 0xffff) == 0xffff && may_stop && interrupt_seen()) {
      mem_free(slots);
      return NULL;
    }
    slots[i].key = MAP_NO_KEY;
  }
  return slots;
}

Map *map_new(void)
{
  Map *map = mem_alloc_zero(1, sizeof *map);
  map->slots = new_slots(16, false);
  map->mask = 15;
  return map;
}

Map *map_copy(const Map *map)
{
  Map *copy = mem_alloc(sizeof *copy);
  size_t bytes = sizeof(Slot) * ((size_t)map->mask + 1);
  *copy = *map;
  copy->slots = mem_alloc(bytes);
  memcpy(copy->slots, map->slots, bytes);
  return copy;
}

void map_free(Map *map)
{
  if (map == NULL) return;
  mem_free(map->slots);
  mem_free(map);
}

static uint32_t home(const Map *map, uint64_t key) { return (uint32_t)hash_u64(key) & map->mask; }

static uint32_t find_slot(const Map *map, uint64_t key)
{
  uint32_t s = home(map, key);
  while (map->slots[s].key != MAP_NO_KEY && map->slots[s].key != key) s = (s + 1) & map->mask;
  return s;
}

uint32_t map_get(const Map *map, uint64_t key)
{
  const Slot *slot = &map->slots[find_slot(map, key)];
  return slot->key == key ? slot->value : MAP_NO_VALUE;
}

void map_expect(const Map *map, uint64_t key) { mem_expect(&map->slots[home(map, key)]); }

static void resize(Map *map, uint32_t mask, bool may_stop)
{
  Slot *old = map->slots, *slots = new_slots(mask + 1, may_stop);
  uint32_t old_mask = map->mask;
  if (slots == NULL) return;
  map->mask = mask;
  map->slots = slots;
  for (uint32_t i = 0; i <= old_mask; i++)
    if (old[i].key != MAP_NO_KEY) map->slots[find_slot(map, old[i].key)] = old[i];
  mem_free(old);
}

void map_put(Map *map, uint64_t key, uint32_t value)
{
  Slot *slot = &map->slots[find_slot(map, key)];
  if (slot->key == MAP_NO_KEY) {
    map->count++;
    slot->key = key;
  }
  slot->value = value;
  if ((uint64_t)map->count * 4 > ((uint64_t)map->mask + 1) * 3)
    resize(map, map->mask * 2 + 1, false);
}

void map_reserve(Map *map, uint32_t count)
{
  uint64_t slots = (uint64_t)map->mask + 1;
  while ((uint64_t)count * 4 > slots * 3 && slots < (uint64_t)1 << 31) slots *= 2;
  if (slots - 1 > map->mask) resize(map, (uint32_t)(slots - 1), true);
}

/* Deletion by shifting back: no slot between a key and its home is ever free. */
void map_remove(Map *map, uint64_t key)
{
  uint32_t hole = find_slot(map, key);
  if (map->slots[hole].key != key) return;
  map->count--;
  for (uint32_t s = (hole + 1) & map->mask; map->slots[s].key != MAP_NO_KEY;
       s = (s + 1) & map->mask) {
    uint32_t h = home(map, map->slots[s].key);
    if (((s - h) & map->mask) >= ((s - hole) & map->mask)) {
      map->slots[hole] = map->slots[s];
      hole = s;
    }
  }
  map->slots[hole].key = MAP_NO_KEY;
}

uint32_t map_count(const Map *map) { return map->count; }
size_t map_bytes(const Map *map) { return ((size_t)map->mask + 1) * sizeof(Slot); }
