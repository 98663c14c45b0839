/* Tags: what keeps arrivals at one pin apart.

   A tag is the launching clock edge (or none), clock or data, and the progress through exceptions.
   Tags, sets of tags and maps between sets are interned: equal ones have one id, so a pin stores
   one set id and an arc one map id.  Map 0 is the identity. */
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

/* What carries nothing but time on its way to a place: it is neither captured nor captures, no path
   is found along it, and no exception touches it.  A clock on its way to the source of a clock that
   is generated from it, through gates alone or through registers too, which nobody sees but the
   generated clock's links; data without a clock on its way to a clock pin, which it makes launch
   whatever exceptions say of the way. */
typedef enum { TO_NO_SOURCE, TO_SOURCE_BY_GATES, TO_SOURCE_BY_REGISTERS, TO_LAUNCH } ToSource;

typedef uint32_t PlaceId;             /* index in Graph.places; 0: nothing given at pins */

typedef struct {
  ClockEdge clock_edge;               /* NO_CLOCK_EDGE: not launched by a clock */
  bool      is_clock;                 /* still in the clock network, or on the way to a generated
                                         clock's source */
  bool      propagated;               /* clocks: set_propagated_clock of the clock or of a pin on
                                         the way */
  bool      unclocked_start;          /* at the clock pin of a register that no clock reaches: what
                                         the register launches */
  bool bare; /* data launched without its clock's latency, for set_max_delay -ignore_clock_latency:
                                         beside the tag that has it */
  bool      inward;                   /* data that starts at an inout pin of a cell, up to the
                                         net's loads: the pin's own takes nothing else */
  uint8_t   to_source;                /* ToSource */
  PlaceId   place;                    /* clocks: what was given at pins on the way */
  StateId   state;                    /* progress through exceptions */
} Tag;

/* A clock that launches and captures. */
static inline bool tag_is_clock(const Tag *t)
{
  return t->is_clock && t->to_source == TO_NO_SOURCE;
}
/* Does the tag stand for paths at all? */
static inline bool tag_is_hidden(const Tag *t) { return t->to_source != TO_NO_SOURCE; }
/* Is its time one of the pins that it passes? */
static inline bool tag_shows(const Tag *t)
{
  return t->to_source == TO_NO_SOURCE || t->to_source == TO_LAUNCH;
}

/* Progress: exception e has seen its -from and the first `passed` of its -through points. */
typedef struct { uint32_t exception, passed; } Progress;

/* Entry of a map: node `from` of the start feeds node `to` of the end for the edge pairs in mask
   (bit 2*in + out). */
typedef struct {
  uint16_t from, to;
  uint8_t  mask, unused;              /* unused: 0, so that entries compare as bytes */
} MapEntry;

/* A point where an arrival begins: condition values in ps relative to the tag's clock edge. */
typedef struct {
  uint32_t slot;
  TagId    tag;
  float    arrival[4];                /* NAN: not there */
  uint32_t origin;                    /* a node whose arrival for origin_edge is added; UINT32_MAX:
                                         none */
  PinId    reference;                 /* of a delay that counts from a reference pin; NO_PIN */
  uint8_t  origin_edge;
  uint32_t clock;                     /* the node of a clock whose arrival counts in it, as origin
                                         or by reference; UINT32_MAX: none */
} Seed;

typedef struct TagTable {
  ARRAY(Tag) tags;
  ARRAY(uint32_t) set_first;          /* [sets + 1]: into set_tags; tags of a set ascend */
  ARRAY(TagId) set_tags;
  ARRAY(uint32_t) map_first;          /* [maps + 1] */
  ARRAY(MapEntry) map_entries;
  ARRAY(uint32_t) state_first;        /* [states + 1] */
  ARRAY(Progress) states;
  Map *tag_index, *set_index, *map_index, *state_index;   /* by hash of content, chained by
                                                             probing */
} TagTable;

TagTable *tag_table_new(void);
void      tag_table_free(TagTable *t);
TagId     tag_add(TagTable *t, Tag tag);
TagSetId  tag_set_add(TagTable *t, const TagId *tags, uint32_t count);     /* ascending, distinct */
MapId     tag_map_add(TagTable *t, const MapEntry *entries, uint32_t count);
/* ascending by exception */
StateId   tag_state_add(TagTable *t, const Progress *progress, uint32_t count);

static inline uint32_t tag_set_count(const TagTable *t, TagSetId s)
{
  return t->set_first.at[s + 1] - t->set_first.at[s];
}
static inline const TagId *tag_set_tags(const TagTable *t, TagSetId s)
{
  return array_from(&t->set_tags, t->set_first.at[s]);
}
/* Index of a tag in a set; UINT32_MAX. */
uint32_t tag_set_find(const TagTable *t, TagSetId s, TagId tag);
static inline uint32_t tag_map_count(const TagTable *t, MapId m)
{
  return t->map_first.at[m + 1] - t->map_first.at[m];
}
static inline const MapEntry *tag_map_entries(const TagTable *t, MapId m)
{
  return array_from(&t->map_entries, t->map_first.at[m]);
}
static inline const Progress *tag_state(const TagTable *t, StateId s)
{
  return array_from(&t->states, t->state_first.at[s]);
}
static inline uint32_t tag_state_count(const TagTable *t, StateId s)
{
  return t->state_first.at[s + 1] - t->state_first.at[s];
}

#endif
