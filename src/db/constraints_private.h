/* What the files of constraints*.c share: the keys of the index, and the memory of records. */
#ifndef SL_DB_CONSTRAINTS_PRIVATE_H
#define SL_DB_CONSTRAINTS_PRIVATE_H

#include "db/constraints.h"

typedef enum {
  KEY_CLOCK_PIN,
  KEY_INPUT_DELAY,
  KEY_OUTPUT_DELAY,
  KEY_DRIVE,
  KEY_PORT_LOAD,
  KEY_NET_LOAD,
  KEY_IDEAL_PIN,
  KEY_IDEAL_SOURCE,
  KEY_DERATE,
  KEY_GATING_CHECK,
  KEY_GATING_DISABLED,
  KEY_CASE,
  KEY_DISABLED,
  KEY_TIME_BORROW,
  KEY_INTER_UNCERTAINTY,
  KEY_CLOCK_SOURCE,
  KEY_CLOCK_SENSE,
  KEY_DATA_SENSE,
  KEY_DATA_CHECK,
  KEY_PVT,
  KEY_NET_VOLTAGE,
  KEY_WIRE_LOAD,
  KEY_LIMIT /* KEY_LIMIT + LimitKind */
} KeyKind;

/* kind in 6 bits, a in 26, b in 32. */
static inline uint64_t key_of(uint32_t kind, uint32_t a, uint32_t b)
{
  return (uint64_t)kind << 58 | (uint64_t)(a & 0x3ffffffu) << 32 | b;
}

static inline uint64_t key_of_object(uint32_t kind, Object o) { return key_of(kind, o.type, o.id); }

static inline bool object_equal(Object a, Object b) { return a.type == b.type && a.id == b.id; }

/* Records with memory of their own, as CONSTRAINT_ARRAYS names them.  release frees that memory;
   own, after a struct was assigned, replaces the original's memory by a copy. */
void release_CLOCK(Clock *clock);
void own_CLOCK(Clock *clock);
void release_EXCEPTION(Exception *e);
void own_EXCEPTION(Exception *e);
void release_GROUPS(ClockGroups *g);
void own_GROUPS(ClockGroups *g);

void path_index_free(struct PathIndex *paths);
/* Forgets data checks of deleted clocks. */
void constraints_purge_data_checks(Constraints *c);
/* Takes deleted clocks out of all exceptions. */
void constraints_purge_exceptions(Constraints *c);

#endif
