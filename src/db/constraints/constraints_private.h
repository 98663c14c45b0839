/* The keys of the index of constraints, shared by the files constraints*.c. */
#ifndef SL_DB_CONSTRAINTS_PRIVATE_H
#define SL_DB_CONSTRAINTS_PRIVATE_H

#include "db/constraints.h"

/* KEY_name for each array of CONSTRAINT_ARRAYS; SEVERAL has one for each of its arrays. */
#define KEY_OF_ONE(array, name, owns, counts)             KEY_##name,
#define KEY_OF_SEVERAL(array, name, number, owns, counts) KEY_##name, \
  KEY_LAST_OF_##name = KEY_##name + (number) - 1,
typedef enum {
  CONSTRAINT_ARRAYS(KEY_OF_ONE, KEY_OF_SEVERAL)
  KEY_CLOCK_SOURCE,
  KEY_CLOCK_SENSE,
  KEY_DATA_SENSE,
  KEY_COUNT
} KeyKind;
_Static_assert(KEY_COUNT <= 64, "a kind has 6 bits of a key");

/* Packs kind in 6 bits, a in 26 and b in 32. */
static inline uint64_t key_of(uint32_t kind, uint32_t a, uint32_t b)
{
  return (uint64_t)kind << 58 | (uint64_t)(a & 0x3ffffffu) << 32 | b;
}

static inline uint64_t key_of_object(uint32_t kind, Object o) { return key_of(kind, o.type, o.id); }

static inline bool object_equal(Object a, Object b) { return a.type == b.type && a.id == b.id; }

/* Records with memory of their own, as CONSTRAINT_ARRAYS names them.  release_... frees this
   memory.  Call own_... for the new record after a struct assignment: it copies the memory, so that
   the two records share none. */
void release_CLOCK(Clock *clock);
void own_CLOCK(Clock *clock);
void release_EXCEPTION(Exception *e);
void own_EXCEPTION(Exception *e);
void release_GROUPS(ClockGroups *g);
void own_GROUPS(ClockGroups *g);

void path_index_free(struct PathIndex *paths);
/* Removes the data checks of deleted clocks. */
void constraints_purge_data_checks(Constraints *c);
/* Removes deleted clocks from all exceptions. */
void constraints_purge_exceptions(Constraints *c);

#endif
