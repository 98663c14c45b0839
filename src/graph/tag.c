/* Interns tags, sets of tags, maps between sets, and states of exceptions. */
#include "graph/tag.h"

/* The table contains no identity maps. A map that sends node i to node i for every edge has id 0,
   because callers compare the ids of the sets first. */

TagTable *tag_table_new(void)
{
  TagTable *table = mem_alloc_zero(1, sizeof *table);
  table->tag_index = map_new();
  table->set_index = map_new();
  table->map_index = map_new();
  table->state_index = map_new();
  array_push(&table->set_first, 0);
  array_push(&table->map_first, 0);
  array_push(&table->state_first, 0);
  array_push(&table->set_first, 0);       /* EMPTY_SET */
  array_push(&table->map_first, 0);       /* IDENTITY_MAP: no entries */
  array_push(&table->state_first, 0);     /* NO_STATE */
  return table;
}

void tag_table_free(TagTable *table)
{
  if (table == NULL) return;
  array_free(&table->tags);
  array_free(&table->set_first);
  array_free(&table->set_tags);
  array_free(&table->map_first);
  array_free(&table->map_entries);
  array_free(&table->state_first);
  array_free(&table->states);
  map_free(table->tag_index);
  map_free(table->set_index);
  map_free(table->map_index);
  map_free(table->state_index);
  mem_free(table);
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

TagId tag_add(TagTable *table, Tag tag)
{
  uint64_t key = run_key(&tag, sizeof tag);
  for (;; key++) {
    uint32_t id = map_get(table->tag_index, key);
    if (id == MAP_NO_VALUE) break;
    if (same_run(&table->tags.at[id], &tag, sizeof tag)) return id;
  }
  array_push(&table->tags, tag);
  map_put(table->tag_index, key, table->tags.len - 1);
  return table->tags.len - 1;
}

TagSetId tag_set_add(TagTable *table, const TagId *tags, uint32_t count)
{
  if (count == 0) return EMPTY_SET;
  uint64_t key = run_key(tags, count * sizeof *tags);
  for (;; key++) {
    uint32_t id = map_get(table->set_index, key);
    if (id == MAP_NO_VALUE) break;
    if (tag_set_count(table, id) == count
        && same_run(tag_set_tags(table, id), tags, count * sizeof *tags))
      return id;
  }
  for (uint32_t i = 0; i < count; i++) array_push(&table->set_tags, tags[i]);
  uint32_t id = table->set_first.len - 1;
  array_push(&table->set_first, table->set_tags.len);
  map_put(table->set_index, key, id);
  return id;
}

MapId tag_map_add(TagTable *table, const MapEntry *entries, uint32_t count)
{
  uint64_t key = run_key(entries, count * sizeof *entries);
  for (;; key++) {
    uint32_t id = map_get(table->map_index, key);
    if (id == MAP_NO_VALUE) break;
    if (tag_map_count(table, id) == count
        && same_run(tag_map_entries(table, id), entries, count * sizeof *entries))
      return id;
  }
  for (uint32_t i = 0; i < count; i++) array_push(&table->map_entries, entries[i]);
  uint32_t id = table->map_first.len - 1;
  array_push(&table->map_first, table->map_entries.len);
  map_put(table->map_index, key, id);
  return id;
}

StateId tag_state_add(TagTable *table, const Progress *progress, uint32_t count)
{
  if (count == 0) return NO_STATE;
  uint64_t key = run_key(progress, count * sizeof *progress);
  for (;; key++) {
    uint32_t id = map_get(table->state_index, key);
    if (id == MAP_NO_VALUE) break;
    if (tag_state_count(table, id) == count
        && same_run(tag_state(table, id), progress, count * sizeof *progress))
      return id;
  }
  for (uint32_t i = 0; i < count; i++) array_push(&table->states, progress[i]);
  uint32_t id = table->state_first.len - 1;
  array_push(&table->state_first, table->states.len);
  map_put(table->state_index, key, id);
  return id;
}

uint32_t tag_set_find(const TagTable *table, TagSetId s, TagId tag)
{
  const TagId *tags = tag_set_tags(table, s);
  uint32_t low = 0, high = tag_set_count(table, s);
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (tags[middle] < tag) low = middle + 1;
    else high = middle;
  }
  return low < tag_set_count(table, s) && tags[low] == tag ? low : UINT32_MAX;
}
