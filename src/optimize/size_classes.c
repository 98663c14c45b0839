/* Classes of library cells that may stand in each other's place without compiling the graph
   again: the same function, pins and arcs. */
#include <stdlib.h>
#include <string.h>

#include "optimize/size_problem.h"

static bool same_arc(const LibrarySet *libs, const LibArc *a, const LibArc *b)
{
  return a->type == b->type && a->sense == b->sense && a->edge == b->edge
         && (a->delay[RISE] == NO_TABLE) == (b->delay[RISE] == NO_TABLE)
         && (a->delay[FALL] == NO_TABLE) == (b->delay[FALL] == NO_TABLE)
         && libs->ports.at[a->from].name == libs->ports.at[b->from].name
         && libs->ports.at[a->to].name == libs->ports.at[b->to].name;
}

/* The same ports and arcs in the same order: places from the first one are then those of both. */
static bool same_layout(const LibrarySet *libs, CellId a, CellId b)
{
  const LibCell *ca = &libs->cells.at[a], *cb = &libs->cells.at[b];
  if (ca->port_count != cb->port_count || ca->arc_count != cb->arc_count) return false;
  for (uint32_t i = 0; i < ca->port_count; i++)
    if (libs->ports.at[ca->first_port + i].name != libs->ports.at[cb->first_port + i].name)
      return false;
  for (uint32_t i = 0; i < ca->arc_count; i++)
    if (!same_arc(libs, &libs->arcs.at[ca->first_arc + i], &libs->arcs.at[cb->first_arc + i]))
      return false;
  return true;
}

static bool may_be_sized(const LibrarySet *libs, CellId id)
{
  const LibCell *c = &libs->cells.at[id];
  return c->arc_count > 0 && c->sequential_count == 0
         && !(c->flags & (CELL_BLACK_BOX | CELL_SCALED | CELL_CLOCK_GATE | CELL_STATETABLE));
}

typedef struct {
  const LibrarySet *libs;
  ARRAY(CellId)   first;             /* of each class: whom others are compared with */
  ARRAY(uint32_t) class_of;          /* by cell */
  ARRAY(uint32_t) count;             /* cells of each class */
} Classing;

static uint32_t class_for(Classing *k, CellId id)
{
  for (uint32_t c = 0; c < k->first.len; c++)
    if (same_layout(k->libs, k->first.at[c], id)
        && library_cells_equivalent(k->libs, k->first.at[c], id))
      return c;
  array_push(&k->first, id);
  array_push(&k->count, 0);
  return k->first.len - 1;
}

static int by_name(const void *pa, const void *pb, void *data)
{
  const LibrarySet *libs = data;
  const CellId *a = pa, *b = pb;
  int order = strcmp(names_text(libs->names, libs->cells.at[*a].name),
                     names_text(libs->names, libs->cells.at[*b].name));
  return order ? order : (*a > *b) - (*a < *b);
}

/* Classes of at least two. */
static void put_classes(const Classing *k, SizeClasses *out)
{
  for (uint32_t c = 0; c < k->first.len; c++) {
    uint32_t first = out->cells.len;
    if (k->count.at[c] < 2) continue;
    array_push(&out->class_first, first);
    for (CellId id = 0; id < k->class_of.len; id++) {
      if (k->class_of.at[id] != c) continue;
      out->class_of[id] = out->class_first.len - 1;
      array_push(&out->cells, id);
    }
    qsort_r(out->cells.at + first, out->cells.len - first, sizeof(CellId), by_name,
            (void *)k->libs);
  }
  array_push(&out->class_first, out->cells.len);
}

SizeClasses size_classes_new(const LibrarySet *libs, const SizeChoice *choice)
{
  Classing k = { .libs = libs };
  SizeClasses out = { 0 };
  out.class_of = mem_alloc((libs->cells.len + 1) * sizeof *out.class_of);
  for (CellId id = 0; id < libs->cells.len; id++) {
    bool fits = may_be_sized(libs, id) && choice->may_use(choice->data, id);
    out.class_of[id] = SIZE_NONE;
    array_push(&k.class_of, fits ? class_for(&k, id) : SIZE_NONE);
    if (fits) k.count.at[k.class_of.at[id]]++;
  }
  put_classes(&k, &out);
  array_free(&k.first);
  array_free(&k.class_of);
  array_free(&k.count);
  return out;
}

void size_classes_free(SizeClasses *c)
{
  array_free(&c->cells);
  array_free(&c->class_first);
  mem_free(c->class_of);
}
