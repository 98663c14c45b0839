/* What the files of constraints share (constraints.c and those in this folder).

   The file of a record holds all that the constraints know of it: its first values, its setters and
   finders, and these functions for its array NAME of CONSTRAINT_ARRAYS:

     named_by_NAME                            always
     release_NAME, own_NAME                   if its row says MEMORY
     forget_clocks_NAME                       if its row says CLOCKS or PINS_AND_CLOCKS
     would_forget_NAME, forget_pins_NAME      if its row says PINS_AND_CLOCKS

   The declarations at the end of this file follow from the rows. A program without one of the
   functions does not link. */
#ifndef SL_DB_CONSTRAINTS_PRIVATE_H
#define SL_DB_CONSTRAINTS_PRIVATE_H

#include <math.h>

#include "db/constraints.h"

/* KEY_name for each array of CONSTRAINT_ARRAYS; SEVERAL has one for each of its arrays. */
#define KEY_OF_ONE(array, name, owns, counts, forgets) KEY_##name,
#define KEY_OF_SEVERAL(array, name, number, owns, counts, forgets) \
  KEY_##name, KEY_LAST_OF_##name = KEY_##name + (number) - 1,
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

static inline void fill_nan(float *at, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) at[i] = NAN;
}

/* A field of a record that is an array of floats, of any dimensions. */
#define FILL(field) fill_nan((float *)&(field), sizeof(field) / sizeof(float))
/* Is there a value in such a field? A record may stay after its last value is removed. */
#define ANY_VALUE(field) \
  constraints_any_given((const float *)(field), (int)(sizeof(field) / sizeof(float)))

/* --- records by key --------------------------------------------------------------------------- */

/* The record of a key in an array; on first use it is added as given.  Evaluates to a pointer. */
#define RECORD(c, array, key, ...)            \
  ({ uint64_t key_ = (key);                   \
     uint32_t i_ = map_get((c)->index, key_); \
     if (i_ == MAP_NO_VALUE) {                \
       i_ = (array)->len;                     \
       array_push(array, __VA_ARGS__);        \
       map_put((c)->index, key_, i_);         \
       constraints_changed(c);                \
     }                                        \
     &(array)->at[i_]; })

#define FIND(c, array, key) \
  ({ uint32_t i_ = map_get((c)->index, (key)); i_ == MAP_NO_VALUE ? NULL : &(array)->at[i_]; })

/* --- records that go again: the last one takes the place -------------------------------------- */

#define REMOVE(c, array, key, key_of_last)              \
  do {                                                  \
    uint64_t gone_ = (key);                             \
    uint32_t at_ = map_get((c)->index, gone_);          \
    if (at_ == MAP_NO_VALUE) break;                     \
    map_remove((c)->index, gone_);                      \
    if (at_ != (array)->len - 1) {                      \
      map_put((c)->index, (key_of_last), at_);          \
      (array)->at[at_] = (array)->at[(array)->len - 1]; \
    }                                                   \
    (array)->len--;                                     \
    constraints_changed(c);                             \
  } while (0)

#define LAST(array) ((array).at[(array).len - 1])

/* --- chains: several records of one pin or object ------------------------------------------------

   index[key] is the first record; .next leads to the next one.  Chains are short: the clocks of one
   pin, or the port pairs of one cell. */

#define NO_RECORD MAP_NO_VALUE

/* Replaces the link to `old` (in the index or in a record's next) by a link to `new`. */
#define RELINK(c, array, key, old, new)                                 \
  do {                                                                  \
    uint32_t at_ = map_get((c)->index, (key));                          \
    if (at_ == (old)) {                                                 \
      if ((new) == NO_RECORD) map_remove((c)->index, (key));            \
      else map_put((c)->index, (key), (new));                           \
      break;                                                            \
    }                                                                   \
    while ((array)->at[at_].next != (old)) at_ = (array)->at[at_].next; \
    (array)->at[at_].next = (new);                                      \
  } while (0)

/* --- deleted clocks --------------------------------------------------------------------------- */

static inline bool clock_is_gone(const Constraints *c, ClockId id)
{
  return id != NO_CLOCK && c->clocks.at[id].deleted;
}

static inline bool object_is_gone(const Constraints *c, Object o)
{
  return o.type == OBJ_CLOCK && clock_is_gone(c, o.id);
}

/* Keeps the records of an array that do not name a deleted clock, and indexes their new places. */
#define PURGE(c, array, gone, key)                           \
  do {                                                       \
    uint32_t kept_ = 0;                                      \
    for (uint32_t i = 0; i < (array)->len; i++) {            \
      if (gone) { map_remove((c)->index, (key)); continue; } \
      map_put((c)->index, (key), kept_);                     \
      (array)->at[kept_++] = (array)->at[i];                 \
    }                                                        \
    (array)->len = kept_;                                    \
  } while (0)

/* Every record forgets the clocks that are marked deleted. */
void constraints_purge_clocks(Constraints *c);

/* --- pins that go ----------------------------------------------------------------------------- */

typedef struct {
  PinId    first;
  uint32_t count;
} PinRange;

static inline bool in_range(PinId pin, PinRange pins)
{
  return pin != NO_PIN && pin >= pins.first && pin - pins.first < pins.count;
}

/* --- objects that records name ---------------------------------------------------------------- */

/* What is looked for: a cell with its pins, or a net. */
typedef struct {
  const Netlist *n;
  InstId inst;                 /* NO_INST: a net */
  NetId  net;
} Sought;

static inline bool is_sought_pin(const Sought *sought, PinId pin)
{
  return sought->inst != NO_INST && pin != NO_PIN && sought->n->pins.at[pin].inst == sought->inst;
}

static inline bool is_sought_object(const Sought *sought, Object o)
{
  switch (o.type) {
  case OBJ_PIN:
  case OBJ_PORT: return is_sought_pin(sought, o.id);
  case OBJ_CELL: return o.id == sought->inst;
  case OBJ_NET:  return sought->net != NO_NET && sought->n->segs.at[o.id].net == sought->net;
  default:       return false;
  }
}

#define ANY_OF(array, test)                                \
  for (uint32_t i = 0; i < (array).len; i++)               \
    if (test) return true

/* These define named_by_NAME for records with one pin or object, and for records that name no leaf
   cell, none of its pins and no net by its id. */
#define BY_PIN(array, Record)                                       \
  bool named_by_##array(const Sought *sought, const Record *record) \
  {                                                                 \
    return is_sought_pin(sought, record->pin);                      \
  }
#define BY_OBJECT(array, Record)                          \
  bool named_by_##array(const Sought *sought, const Record *record) \
      { return is_sought_object(sought, record->object); }
#define NAMES_NONE(array, Record)                                   \
  bool named_by_##array(const Sought *sought, const Record *record) \
  {                                                                 \
    return (void)sought, (void)record, false;                       \
  }

/* --- memory of records ------------------------------------------------------------------------ */

/* The field holds the original's memory (a struct was assigned): it gets its own. */
#define OWN_ARRAY(a)                                                    \
  do {                                                                  \
    const void *from_ = (a)->at;                                        \
    uint32_t len_ = (a)->len;                                           \
    (a)->at = NULL;                                                     \
    (a)->len = (a)->cap = 0;                                            \
    if (len_ == 0) break;                                               \
    array_reserve(a, len_);                                             \
    memcpy((a)->at, from_, (size_t)len_ * sizeof *(a)->at);             \
    (a)->len = len_;                                                    \
  } while (0)

void path_index_free(struct PathIndex *paths);

/* --- the functions of each array -------------------------------------------------------------- */

/* release_NAME frees the memory that a record owns.  Call own_NAME for the new record after a
   struct assignment: it copies the memory, so that the two records share none. */
#define DECLARE_NOTHING(Record, name)
#define DECLARE_MEMORY(Record, name) \
  void release_##name(Record *record);    \
  void own_##name(Record *record);
/* Forgets the clocks that are marked deleted. */
#define DECLARE_CLOCKS(Record, name) void forget_clocks_##name(Constraints *c);
/* Forgets pins that an edit removes, and adds the clocks that go with them to `gone`.
   would_forget_NAME: would that change anything? */
#define DECLARE_PINS_AND_CLOCKS(Record, name)                        \
  DECLARE_CLOCKS(Record, name)                                       \
  bool would_forget_##name(const Constraints *c, PinRange pins);     \
  void forget_pins_##name(Constraints *c, PinRange pins, ClockArray *gone);
/* named_by_NAME: does the record name what is sought? */
#define DECLARE(Record, name, owns, forgets)                 \
  bool named_by_##name(const Sought *sought, const Record *record);    \
  DECLARE_##owns(Record, name)                               \
  DECLARE_##forgets(Record, name)
#define DECLARE_ONE(array, name, owns, counts, forgets) \
  DECLARE(__typeof__(*((Constraints *)0)->name.at), name, owns, forgets)
#define DECLARE_SEVERAL(array, name, number, owns, counts, forgets) \
  DECLARE(__typeof__(*((Constraints *)0)->name[0].at), name, owns, forgets)
CONSTRAINT_ARRAYS(DECLARE_ONE, DECLARE_SEVERAL)

#endif
