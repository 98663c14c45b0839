/* Interned names. A table of one-byte tags, compared sixteen at a time, finds the record of a name;
   records with texts lie in blocks that never move. */
#include "base/names.h"

#include <stdbool.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/expect.h"
#include "base/hash.h"
#include "base/memory.h"

/* A look-up spends most of its time waiting for memory, and a table that grows pays for each page
   that it touches first.  The table is therefore small, and a look-up reads few places of it:

     tags     One byte for each slot: 0 if it is free, otherwise USED and seven bits of the hash.
              The sixteen tags of a group are compared at once.  A name is in the first group,
              counted from its home group, that had a free slot.
     refs     Where the records of the slots' names are.  The refs of a group fill a cache line.
     blocks   The records: id, length and text together.  They never move, so the texts that
              names_text returns stay valid. */
enum { GROUP = 16, FIRST_SLOTS = 1024, FULL_EIGHTHS = 7, USED = 0x80 };

typedef struct {
  NameId   id;
  uint32_t length;
  char     text[];           /* with a final NUL */
} Record;

/* The number of a block, and a place in it in units of eight bytes.  A longer record has its own
   block. */
typedef uint32_t Ref;
enum { UNIT = 8, BLOCK_BITS = 13, BLOCK_UNITS = 1 << BLOCK_BITS };

struct Names {
  uint8_t *tags;
  Ref     *refs;
  uint32_t mask;             /* slots, less one */
  ARRAY(Ref) by_id;          /* [0] is the empty name */
  ARRAY(uint64_t *) blocks;
  uint32_t used;             /* units of the last block; BLOCK_UNITS: no room */
  size_t   block_bytes;
};

static inline Record *record_at(const Names *names, Ref ref)
{
  return (Record *)(names->blocks.at[ref >> BLOCK_BITS] + (ref & (BLOCK_UNITS - 1)));
}

/* --- slots ------------------------------------------------------------------------------------ */

/* A bit for each slot of the group that has the tag. */
static inline uint32_t tagged(const uint8_t *group, uint8_t tag)
{
#ifdef __SSE2__
  __m128i tags = _mm_loadu_si128((const __m128i *)group);
  return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8((char)tag)));
#else
  uint32_t bits = 0;
  for (uint32_t i = 0; i < GROUP; i++) bits |= (uint32_t)(group[i] == tag) << i;
  return bits;
#endif
}

static inline uint8_t tag_of(uint32_t hash) { return (uint8_t)(USED | hash >> 25); }
static inline uint32_t home_of(const Names *names, uint32_t hash)
{
  return hash * GROUP & names->mask;
}

static void put(Names *names, uint32_t hash, Ref ref)
{
  uint32_t group = home_of(names, hash), room;
  while ((room = tagged(names->tags + group, 0)) == 0) group = (group + GROUP) & names->mask;
  uint32_t slot = group + (uint32_t)__builtin_ctz(room);
  names->tags[slot] = tag_of(hash);
  names->refs[slot] = ref;
}

/* Computes the hashes again: records lie one after another in the order of ids. */
static void resize(Names *names, uint32_t slot_count)
{
  mem_free(names->tags);
  mem_free(names->refs);
  names->tags = mem_alloc_zero(slot_count, sizeof *names->tags);
  names->refs = mem_alloc(slot_count * sizeof *names->refs);
  names->mask = slot_count - 1;
  for (NameId id = 1; id < names->by_id.len; id++) {
    const Record *record = record_at(names, names->by_id.at[id]);
    put(names, hash_bytes(record->text, record->length), names->by_id.at[id]);
  }
}

/* --- texts ------------------------------------------------------------------------------------ */

static inline bool same4(const char *a, const char *b)
{
  uint32_t x, y;
  memcpy(&x, a, 4);
  memcpy(&y, b, 4);
  return x == y;
}

static inline bool same8(const char *a, const char *b)
{
  uint64_t x, y;
  memcpy(&x, a, 8);
  memcpy(&y, b, 8);
  return x == y;
}

/* Compares by loads of fixed size: every byte is compared, some twice. */
static inline bool same_text(const char *a, const char *b, size_t length)
{
  if (length >= 8) {
    for (size_t i = 8; i < length; i += 8)
      if (!same8(a + i - 8, b + i - 8)) return false;
    return same8(a + length - 8, b + length - 8);
  }
  if (length >= 4) return same4(a, b) && same4(a + length - 4, b + length - 4);
  return a[0] == b[0] && a[length >> 1] == b[length >> 1] && a[length - 1] == b[length - 1];
}

static inline bool has_text(const Record *record, const char *text, size_t length)
{
  return record->length == length && same_text(record->text, text, length);
}

static inline NameId find(const Names *names, const char *text, size_t length, uint32_t hash)
{
  for (uint32_t group = home_of(names, hash);; group = (group + GROUP) & names->mask) {
    const uint8_t *tags = names->tags + group;
    const Ref *refs = names->refs + group;
    mem_expect(refs);
    for (uint32_t bits = tagged(tags, tag_of(hash)); bits; bits &= bits - 1) {
      const Record *record = record_at(names, refs[__builtin_ctz(bits)]);
      if (has_text(record, text, length)) return record->id;
    }
    if (tagged(tags, 0)) return NO_NAME;
  }
}

static Ref new_record(Names *names, uint64_t units)
{
  if (units > BLOCK_UNITS - names->used) {
    uint64_t count = units > BLOCK_UNITS ? units : BLOCK_UNITS;
    array_push(&names->blocks, mem_alloc(count * UNIT));
    names->block_bytes += count * UNIT;
    names->used = 0;
  }
  Ref ref = (names->blocks.len - 1) << BLOCK_BITS | names->used;
  names->used = units > BLOCK_UNITS - names->used ? BLOCK_UNITS : names->used + (uint32_t)units;
  return ref;
}

static Ref keep(Names *names, const char *text, size_t length)
{
  Ref ref = new_record(names, (sizeof(Record) + length + UNIT) / UNIT);
  Record *record = record_at(names, ref);
  record->id = names->by_id.len;
  record->length = (uint32_t)length;
  memcpy(record->text, text, length);
  record->text[length] = '\0';
  array_push(&names->by_id, ref);
  return ref;
}

/* A name that is not there yet. */
static NameId add_new(Names *names, const char *text, size_t length, uint32_t hash)
{
  if ((uint64_t)names->by_id.len * 8 > ((uint64_t)names->mask + 1) * FULL_EIGHTHS)
    resize(names, (names->mask + 1) * 2);
  put(names, hash, keep(names, text, length));
  return names->by_id.len - 1;
}

/* --- interface -------------------------------------------------------------------------------- */

Names *names_new(void)
{
  Names *names = mem_alloc_zero(1, sizeof *names);
  names->used = BLOCK_UNITS;
  keep(names, "", 0);
  resize(names, FIRST_SLOTS);
  return names;
}

void names_free(Names *names)
{
  if (names == NULL) return;
  for (uint32_t i = 0; i < names->blocks.len; i++) mem_free(names->blocks.at[i]);
  array_free(&names->blocks);
  array_free(&names->by_id);
  mem_free(names->tags);
  mem_free(names->refs);
  mem_free(names);
}

void names_reserve(Names *names, uint32_t count)
{
  uint64_t slots = (uint64_t)names->mask + 1;
  while ((uint64_t)count * 8 > slots * FULL_EIGHTHS && slots < (uint64_t)1 << 31) slots *= 2;
  if (slots - 1 > names->mask) resize(names, (uint32_t)slots);
}

NameId names_add(Names *names, const char *text, size_t length)
{
  if (length == 0) return NO_NAME;
  uint32_t hash = hash_bytes(text, length);
  NameId id = find(names, text, length, hash);
  return id != NO_NAME ? id : add_new(names, text, length, hash);
}

NameId names_add_text(Names *names, const char *text)
{
  return names_add(names, text, strlen(text));
}

NameId names_find(const Names *names, const char *text, size_t length)
{
  return length ? find(names, text, length, hash_bytes(text, length)) : NO_NAME;
}

void names_expect(const Names *names, const char *text, size_t length)
{
  uint32_t group = home_of(names, hash_bytes(text, length));
  mem_expect(names->tags + group);
  mem_expect(names->refs + group);
}

void names_expect_record(const Names *names, const char *text, size_t length)
{
  uint32_t hash = hash_bytes(text, length), group = home_of(names, hash),
           bits = tagged(names->tags + group, tag_of(hash));
  if (bits) mem_expect(record_at(names, names->refs[group + (uint32_t)__builtin_ctz(bits)]));
}

const char *names_text(const Names *names, NameId id)
{
  return record_at(names, names->by_id.at[id])->text;
}
uint32_t names_length(const Names *names, NameId id)
{
  return record_at(names, names->by_id.at[id])->length;
}
uint32_t names_count(const Names *names) { return names->by_id.len; }

size_t names_bytes(const Names *names)
{
  return names->block_bytes + names->by_id.cap * sizeof(Ref) +
         ((size_t)names->mask + 1) * (sizeof *names->tags + sizeof *names->refs);
}
