/* Tags keep arrivals at one pin apart.

   A tag holds the launching clock edge (or none), whether it is clock or data, and the progress
   through exceptions. Tags, sets of tags and maps between sets are interned: equal ones have the
   same id. So a pin stores the id of one set and an arc the id of one map. Map 0 is the
   identity. */
#ifndef SL_GRAPH_TAG_H
#define SL_GRAPH_TAG_H

#include "db/constraints.h"

typedef uint32_t TagId, TagSetId, MapId, StateId;
typedef uint32_t ClockEdge;           /* 2 * ClockId + RISE or FALL */
#define NO_CLOCK_EDGE UINT32_MAX
#define NO_STATE 0u
#define EMPTY_SET 0u
#define IDENTITY_MAP 0u

static inline ClockId clock_edge_clock(ClockEdge e) { return e >> 1; }
static inline int clock_edge_edge(ClockEdge e) { return (int)(e & 1); }

/* A hidden tag only carries a time to a place. It is not captured and captures nothing, path
   searches do not follow it, and exceptions do not apply to it. There are two uses:

   TO_SOURCE_BY_GATES, TO_SOURCE_BY_REGISTERS: a master clock on its way to the source of a
   generated clock, through gates alone or also through registers. Only the links of the generated
   clock use it.

   TO_LAUNCH: data without a clock on its way to a clock pin. There it launches data. */
typedef enum { TO_NO_SOURCE, TO_SOURCE_BY_GATES, TO_SOURCE_BY_REGISTERS, TO_LAUNCH } ToSource;

typedef uint32_t PinValuesId;         /* index in GraphStarts.pin_values; 0 if no pin gives any */

typedef struct {
  ClockEdge clock_edge;               /* NO_CLOCK_EDGE if no clock launched it */
  bool      is_clock;                 /* in the clock network, or on the way to the source of a
                                         generated clock */
  bool      propagated;               /* for clocks: set_propagated_clock was given for the clock or
                                         for a pin on the way */
  bool      unclocked_start;          /* launched at the clock pin of a register that no clock
                                         reaches */
  bool bare; /* data launched without the latency of its clock, for set_max_delay
                -ignore_clock_latency; the tag with the latency exists too */
  bool      inward;                   /* data that starts at an inout pin of a cell, up to the loads
                                         of the net; the load of the pin itself accepts nothing
                                         else */
  uint8_t   to_source;                /* ToSource */
  uint16_t  unused;                   /* 0; it fills the gap, because tags are compared as bytes */
  PinValuesId pin_values;             /* for clocks: what pins on the way give */
  StateId   state;                    /* progress through exceptions */
} Tag;

/* Is it a clock that launches and captures? */
static inline bool tag_is_clock(const Tag *tag)
{
  return tag->is_clock && tag->to_source == TO_NO_SOURCE;
}
/* Is it a hidden tag? */
static inline bool tag_is_hidden(const Tag *tag) { return tag->to_source != TO_NO_SOURCE; }
/* Do reports of pins show its times? */
static inline bool tag_shows(const Tag *tag)
{
  return tag->to_source == TO_NO_SOURCE || tag->to_source == TO_LAUNCH;
}

/* Progress: a path has passed the -from and the first `passed` -through points of an exception. */
typedef struct { uint32_t exception, passed; } Progress;

/* An entry of a map: node `from` of the arc's start feeds node `to` of its end for the edge pairs
   in the mask (bit 2*in + out). */
typedef struct {
  uint16_t from, to;
  uint8_t  mask, unused;              /* `unused` is 0, so that entries can be compared as bytes */
} MapEntry;

/* A seed: a point where an arrival begins, with a value for each condition in ps after the clock
   edge of the tag. */
typedef struct {
  uint32_t slot;
  TagId    tag;
  float    arrival[4];                /* NAN if it does not arrive */
  uint32_t origin;                    /* a node whose arrival for origin_edge is added; UINT32_MAX
                                         if none */
  PinId    reference;                 /* the reference pin of a delay; NO_PIN if none */
  uint8_t  origin_edge;
  uint32_t clock;                     /* the node of a clock whose arrival the value includes, as
                                         origin or by reference; UINT32_MAX if none */
} Seed;

typedef struct TagTable {
  ARRAY(Tag) tags;
  ARRAY(uint32_t) set_first;          /* [sets + 1]: into set_tags; the tags of a set ascend */
  ARRAY(TagId) set_tags;
  ARRAY(uint32_t) map_first;          /* [maps + 1] */
  ARRAY(MapEntry) map_entries;
  ARRAY(uint32_t) state_first;        /* [states + 1] */
  ARRAY(Progress) states;
  Map *tag_index, *set_index, *map_index, *state_index;   /* by a hash of the content's bytes, with
                                                             probing */
} TagTable;

TagTable *tag_table_new(void);
void      tag_table_free(TagTable *table);
TagId     tag_add(TagTable *table, Tag tag);
/* The tags must be ascending and distinct. */
TagSetId  tag_set_add(TagTable *table, const TagId *tags, uint32_t count);
MapId     tag_map_add(TagTable *table, const MapEntry *entries, uint32_t count);
/* The progress must be ascending by exception. */
StateId   tag_state_add(TagTable *table, const Progress *progress, uint32_t count);

static inline uint32_t tag_set_count(const TagTable *table, TagSetId s)
{
  return table->set_first.at[s + 1] - table->set_first.at[s];
}
static inline const TagId *tag_set_tags(const TagTable *table, TagSetId s)
{
  return array_from(&table->set_tags, table->set_first.at[s]);
}
/* Returns the index of a tag in a set, or UINT32_MAX. */
uint32_t tag_set_find(const TagTable *table, TagSetId s, TagId tag);
static inline uint32_t tag_map_count(const TagTable *table, MapId m)
{
  return table->map_first.at[m + 1] - table->map_first.at[m];
}
static inline const MapEntry *tag_map_entries(const TagTable *table, MapId m)
{
  return array_from(&table->map_entries, table->map_first.at[m]);
}
static inline const Progress *tag_state(const TagTable *table, StateId s)
{
  return array_from(&table->states, table->state_first.at[s]);
}
static inline uint32_t tag_state_count(const TagTable *table, StateId s)
{
  return table->state_first.at[s + 1] - table->state_first.at[s];
}

#endif
