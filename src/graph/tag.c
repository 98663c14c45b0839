/* Interns tags, sets of tags, maps between sets, and states of exceptions. */
#include "graph/tag.h"

/* The table contains no identity maps. A map that sends node i to node i for every edge has id 0,
   because callers compare the ids of the sets first. */

TagTable *tag_table_new(void)
{
  TagTable *t = mem_alloc_zero(1, sizeof *t);
  t->tag_index = map_new();
  t->set_index = map_new();
  t->map_index = map_new();
  t->state_index = map_new();
  array_push(&t->set_first, 0);
  array_push(&t->map_first, 0);
  array_push(&t->state_first, 0);
  array_push(&t->set_first, 0);       /* EMPTY_SET */
  array_push(&t->map_first, 0);       /* IDENTITY_MAP: no entries */
  array_push(&t->state_first, 0);     /* NO_STATE */
  return t;
}

void tag_table_free(TagTable *t)
{
  if (t == NULL) return;
  array_free(&t->tags);
  array_free(&t->set_first);
  array_free(&t->set_tags);
  array_free(&t->map_first);
  array_free(&t->map_entries);
  array_free(&t->state_first);
  array_free(&t->states);
  map_free(t->tag_index);
  map_free(t->set_index);
  map_free(t->map_index);
  map_free(t->state_index);
  mem_free(t);
}

/* Returns the key of a run of bytes.  If another run has the key, the next free key is taken, as in
   open addressing. */
static uint64_t run_key(const void *run, size_t bytes)
{
  return bytes ? (uint64_t)hash_bytes(run, bytes) << 16 : 0;
}

/* Compares two runs. An empty run may be NULL, which memcmp must not get. */
static bool same_run(const void *a, const void *b, size_t bytes)
{
  return bytes == 0 || memcmp(a, b, bytes) == 0;
}

/* Tags are compared as bytes, so a new field of Tag counts by itself.  It must not leave a gap
   between fields, whose bytes would be undefined: adapt `unused`, and this sum. */
_Static_assert(sizeof(Tag) == 3 * sizeof(uint32_t) + 6 * sizeof(uint8_t) + sizeof(uint16_t),
               "Tag has a gap, or a field that this sum lacks");

TagId tag_add(TagTable *t, Tag tag)
{
  uint64_t key = run_key(&tag, sizeof tag);
  for (;; key++) {
    uint32_t id = map_get(t->tag_index, key);
    if (id == MAP_NO_VALUE) break;
    if (same_run(&t->tags.at[id], &tag, sizeof tag)) return id;
  }
  array_push(&t->tags, tag);
  map_put(t->tag_index, key, t->tags.len - 1);
  return t->tags.len - 1;
}

TagSetId tag_set_add(TagTable *t, const TagId *tags, uint32_t count)
{
  if (count == 0) return EMPTY_SET;
  uint64_t key = run_key(tags, count * sizeof *tags);
  for (;; key++) {
    uint32_t id = map_get(t->set_index, key);
    if (id == MAP_NO_VALUE) break;
    if (tag_set_count(t, id) == count && same_run(tag_set_tags(t, id), tags, count * sizeof *tags))
      return id;
  }
  for (uint32_t i = 0; i < count; i++) array_push(&t->set_tags, tags[i]);
  uint32_t id = t->set_first.len - 1;
  array_push(&t->set_first, t->set_tags.len);
  map_put(t->set_index, key, id);
  return id;
}

MapId tag_map_add(TagTable *t, const MapEntry *entries, uint32_t count)
{
  uint64_t key = run_key(entries, count * sizeof *entries);
  for (;; key++) {
    uint32_t id = map_get(t->map_index, key);
    if (id == MAP_NO_VALUE) break;
    if (tag_map_count(t, id) == count
        && same_run(tag_map_entries(t, id), entries, count * sizeof *entries))
      return id;
  }
  for (uint32_t i = 0; i < count; i++) array_push(&t->map_entries, entries[i]);
  uint32_t id = t->map_first.len - 1;
  array_push(&t->map_first, t->map_entries.len);
  map_put(t->map_index, key, id);
  return id;
}

StateId tag_state_add(TagTable *t, const Progress *progress, uint32_t count)
{
  if (count == 0) return NO_STATE;
  uint64_t key = run_key(progress, count * sizeof *progress);
  for (;; key++) {
    uint32_t id = map_get(t->state_index, key);
    if (id == MAP_NO_VALUE) break;
    if (tag_state_count(t, id) == count
        && same_run(tag_state(t, id), progress, count * sizeof *progress))
      return id;
  }
  for (uint32_t i = 0; i < count; i++) array_push(&t->states, progress[i]);
  uint32_t id = t->state_first.len - 1;
  array_push(&t->state_first, t->states.len);
  map_put(t->state_index, key, id);
  return id;
}

uint32_t tag_set_find(const TagTable *t, TagSetId s, TagId tag)
{
  const TagId *tags = tag_set_tags(t, s);
  uint32_t low = 0, high = tag_set_count(t, s);
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (tags[middle] < tag) low = middle + 1;
    else high = middle;
  }
  return low < tag_set_count(t, s) && tags[low] == tag ? low : UINT32_MAX;
}
