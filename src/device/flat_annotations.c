/* Makes the annotation of each number for a device (see device/flat.h) from lists by owner
   (timing/overrides.h). */
#include <string.h>

#include "device/flat.h"
#include "timing/timing.h"

/* Values and marks of one kind of number. */
typedef struct {
  float   *value;
  uint8_t *mark;
  uint32_t width, count;               /* numbers in a record; number of records */
} Notes;

static Notes notes_new(uint32_t width, uint32_t count)
{
  return (Notes){ mem_alloc_zero((size_t)width * count + 1, sizeof(float)),
                  mem_alloc_zero((size_t)count + 1, 1), width, count };
}

static void put_annotation(Notes *notes, uint32_t at, const Override *override)
{
  notes->value[at] = override->value;
  notes->mark[at / notes->width] |=
      (uint8_t)((override->add ? NOTE_ADDS : NOTE_REPLACES) << at % notes->width);
}

/* Makes the notes of all owners of a list. Its places are the indices of the numbers. */
static Notes notes_of(const OverrideList *list, uint32_t owners, uint32_t width, uint32_t count)
{
  Notes n = notes_new(width, list->first ? count : 0);
  for (uint32_t i = 0; list->first && i < list->first[owners]; i++)
    put_annotation(&n, list->list[i].at, &list->list[i]);
  return n;
}

/* Makes the notes of checks. Places are the conditions of a check; only those of its own analysis
   count. */
static Notes notes_of_checks(const Flat *f, const OverrideList *list)
{
  Notes n = notes_new(2, list->first ? f->count.checks : 0);
  for (uint32_t c = 0; c < n.count; c++)
    for (uint32_t i = list->first[c]; i < list->first[c + 1]; i++)
      if (list->list[i].at >> 1 == f->checks[c].early_late)
        put_annotation(&n, 2 * c + (list->list[i].at & 1), &list->list[i]);
  return n;
}

static void take_annotations(Flat *f, const Overrides *overrides)
{
  static const Overrides none;
  if (overrides == NULL) overrides = &none;
  f->traits.annotated = (uint8_t)((overrides->edges.first ? ANNOTATED_EDGES : 0)
                                  | (overrides->wires.first ? ANNOTATED_WIRES : 0)
                                  | (overrides->slews.first ? ANNOTATED_SLEWS : 0)
                                  | (overrides->checks.first ? ANNOTATED_CHECKS : 0)
                                  | (overrides->extras.first ? ANNOTATED_EXTRAS : 0));
  Notes edges = notes_of(&overrides->edges, f->count.drivers, 2, f->count.edges),
        wires = notes_of(&overrides->wires, f->count.drivers, 4, f->count.loads);
  Notes slews = notes_of(&overrides->slews, f->count.drivers, 4, f->count.slots),
        checks = notes_of_checks(f, &overrides->checks);
  Notes extras = notes_of(&overrides->extras, f->count.drivers, 4, f->count.extras);
  f->edge_annotation = (const Pair *)edges.value;
  f->wire_annotation = (const Cond4 *)wires.value;
  f->slew_annotation = (const Cond4 *)slews.value;
  f->check_annotation = (const Pair *)checks.value;
  f->extra_annotation = (const Cond4 *)extras.value;
  f->extra_mark = extras.mark;
  f->edge_mark = edges.mark;
  f->wire_mark = wires.mark;
  f->slew_mark = slews.mark;
  f->check_mark = checks.mark;
}

void flat_annotations(Flat *f, const Timing *t) { take_annotations(f, t->overrides); }

void flat_annotations_free(Flat *f)
{
  const void *own[] = { f->edge_annotation,  f->wire_annotation, f->slew_annotation,
                        f->check_annotation, f->edge_mark,       f->wire_mark,
                        f->slew_mark,        f->check_mark,      f->extra_annotation,
                        f->extra_mark };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
}

/* --- other annotation ------------------------------------------------------------------------- */
enum { CHUNK = 64, MOST_PATCHES = 4096 };      /* records compared at a time; the most patches that
                                                  are worth it */

/* Replaces the parts of an array that differ, and adds patches for them. */
static void change_array(const void *have, const void *now, size_t bytes, size_t record,
                         FlatPatches *patches)
{
  for (size_t at = 0; at < bytes; at += CHUNK * record) {
    size_t piece = bytes - at < CHUNK * record ? bytes - at : CHUNK * record;
    char *place = (char *)have + at;
    if (memcmp(place, (const char *)now + at, piece) == 0) continue;
    memcpy(place, (const char *)now + at, piece);
    if (patches->len <= MOST_PATCHES) flat_patch(patches, place, piece);
  }
}

/* which loads are irregular and which drivers are annotated depends on which slews have
   annotations. */
bool flat_touch_annotations(Flat *f, const Timing *t, FlatPatches *patches)
{
  Flat now = *f;
  uint32_t before = patches->len;
  take_annotations(&now, t->overrides);
  bool serves = now.traits.annotated == f->traits.annotated
                && (!(f->traits.annotated & ANNOTATED_SLEWS)
                    || memcmp(now.slew_mark, f->slew_mark, f->count.slots) == 0);
#define CHANGE(name, bit, count)  \
  if (serves && f->traits.annotated & (bit)) \
      change_array(f->name, now.name, (size_t)(count) * sizeof *f->name, sizeof *f->name, patches);
  CHANGE(edge_annotation, ANNOTATED_EDGES, f->count.edges)
  CHANGE(edge_mark, ANNOTATED_EDGES, f->count.edges)
  CHANGE(wire_annotation, ANNOTATED_WIRES, f->count.loads)
  CHANGE(wire_mark, ANNOTATED_WIRES, f->count.loads)
  CHANGE(slew_annotation, ANNOTATED_SLEWS, f->count.slots)
  CHANGE(check_annotation, ANNOTATED_CHECKS, f->count.checks)
  CHANGE(check_mark, ANNOTATED_CHECKS, f->count.checks)
  CHANGE(extra_annotation, ANNOTATED_EXTRAS, f->count.extras)
  CHANGE(extra_mark, ANNOTATED_EXTRAS, f->count.extras)
#undef CHANGE
  flat_annotations_free(&now);
  return serves && patches->len - before <= MOST_PATCHES;
}
