#include "base/names.h"

#include "base/hash.h"
#include "base/memory.h"

/* Texts lie one behind another in blocks that never move, so names_text stays valid. */
enum { BLOCK = 1 << 16 };

typedef struct {
  const char *text;
  uint32_t    length;
  uint32_t    hash;
} Entry;

/* The hash beside the id: a probe that misses touches no entry. */
typedef struct {
  uint32_t id;                /* 0: free */
  uint32_t hash;
} Slot;

struct Names {
  ARRAY(Entry) entries;       /* [0] is the empty name */
  Slot    *slots;             /* open addressing */
  uint32_t  mask;
  ARRAY(char *) blocks;
  char  *cur, *end;
  size_t text_bytes;
};

static void rehash(Names *names, uint32_t slot_count)
{
  mem_free(names->slots);
  names->slots = mem_alloc_zero(slot_count, sizeof *names->slots);
  names->mask = slot_count - 1;
  for (uint32_t id = 1; id < names->entries.len; id++) {
    uint32_t hash = names->entries.at[id].hash, s = hash & names->mask;
    while (names->slots[s].id) s = (s + 1) & names->mask;
    names->slots[s] = (Slot){ id, hash };
  }
}

Names *names_new(void)
{
  Names *names = mem_alloc_zero(1, sizeof *names);
  array_push(&names->entries, (Entry){ "", 0, 0 });
  rehash(names, 1024);
  return names;
}

void names_free(Names *names)
{
  if (names == NULL) return;
  for (uint32_t i = 0; i < names->blocks.len; i++) mem_free(names->blocks.at[i]);
  array_free(&names->blocks);
  array_free(&names->entries);
  mem_free(names->slots);
  mem_free(names);
}

/* The slot of the text, or the free slot where it belongs. */
static uint32_t slot_of(const Names *names, const char *text, size_t length, uint32_t hash)
{
  uint32_t s = hash & names->mask;
  for (; names->slots[s].id; s = (s + 1) & names->mask) {
    if (names->slots[s].hash != hash) continue;
    const Entry *e = &names->entries.at[names->slots[s].id];
    if (e->length == length && memcmp(e->text, text, length) == 0) break;
  }
  return s;
}

static const char *keep_text(Names *names, const char *text, size_t length)
{
  if (length + 1 > (size_t)(names->end - names->cur)) {
    size_t bytes = length + 1 > BLOCK ? length + 1 : BLOCK;
    names->cur = mem_alloc(bytes);
    names->end = names->cur + bytes;
    names->text_bytes += bytes;
    array_push(&names->blocks, names->cur);
  }
  char *copy = names->cur;
  memcpy(copy, text, length);
  copy[length] = '\0';
  names->cur += length + 1;
  return copy;
}

NameId names_add(Names *names, const char *text, size_t length)
{
  if (length == 0) return NO_NAME;
  uint32_t hash = hash_bytes(text, length);
  uint32_t s = slot_of(names, text, length, hash);
  if (names->slots[s].id) return names->slots[s].id;
  uint32_t id = names->entries.len;
  array_push(&names->entries, (Entry){ keep_text(names, text, length), (uint32_t)length, hash });
  names->slots[s] = (Slot){ id, hash };
  if ((uint64_t)names->entries.len * 4 > (uint64_t)(names->mask + 1) * 3) rehash(names, (names->mask + 1) * 2);
  return id;
}

NameId names_add_text(Names *names, const char *text) { return names_add(names, text, strlen(text)); }

NameId names_find(const Names *names, const char *text, size_t length)
{
  if (length == 0) return NO_NAME;
  return names->slots[slot_of(names, text, length, hash_bytes(text, length))].id;
}

const char *names_text(const Names *names, NameId id) { return names->entries.at[id].text; }
uint32_t names_length(const Names *names, NameId id) { return names->entries.at[id].length; }
uint32_t names_count(const Names *names) { return names->entries.len; }

size_t names_bytes(const Names *names)
{
  return names->text_bytes + names->entries.cap * sizeof(Entry) + ((size_t)names->mask + 1) * sizeof(Slot);
}
