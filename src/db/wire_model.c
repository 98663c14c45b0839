/* Finds the wire load models of blocks and the mode of wire loads. See wire_model.h. */
#include "db/wire_model.h"

#include <math.h>
#include <string.h>

/* Finds the areas of blocks. A cell counts in its block and in all blocks around it. */
static void find_areas(WireModels *m)
{
  m->area = mem_alloc_zero((size_t)m->n->insts.len + 1, sizeof *m->area);
  for (InstId i = 1; i < m->n->insts.len; i++) {
    if (!inst_is_leaf(m->n, i) || (m->n->insts.at[i].flags & INST_DELETED)) continue;
    float area = m->n->libs->cells.at[m->n->insts.at[i].master].area;
    for (InstId at = m->n->insts.at[i].parent; at != NO_INST; at = m->n->insts.at[at].parent)
      m->area[at] += isnan(area) ? 0 : area;
  }
}

static Object object_of(InstId block)
{
  return block == TOP_INST ? (Object){ OBJ_DESIGN, 0 } : (Object){ OBJ_CELL, block };
}

static uint32_t named_model(const LibrarySet *libs, LibraryId library, NameId name)
{
  for (uint32_t i = 0; i < libs->wire_loads.len; i++)
    if (libs->wire_loads.at[i].library == library && libs->wire_loads.at[i].name == name) return i;
  return NO_WIRE_LOAD;
}

/* Returns the model of a selection group for the area of a block.  A block smaller than the minimum
   counts as a part of the block around it. */
static uint32_t select_model(WireModels *m, const WireLoadChoice *k, int early_late, InstId block)
{
  const LibrarySet *libs = m->n->libs;
  if (m->area == NULL) find_areas(m);
  while (block != TOP_INST && m->area[block] < m->c->wire_load_min_block)
    block = m->n->insts.at[block].parent;
  uint32_t best = NO_WIRE_LOAD;
  for (uint32_t i = 0; i < libs->selections.len; i++) {
    const WireLoadSelection *line = &libs->selections.at[i];
    bool wanted =
        line->name == k->group[early_late]
        && (k->library[early_late] == NO_LIBRARY || line->library == k->library[early_late]);
    if (!wanted || m->area[block] < line->min_area) continue;
    uint32_t model = named_model(libs, line->library, line->wire_load);
    if (model != NO_WIRE_LOAD) best = model;      /* the last model whose least area is reached
                                                     counts, even beyond its largest area */
    if (m->area[block] < line->max_area) break;
  }
  return best;
}

/* Finds the model of a block: the nearest setting from the block upwards. A model has priority over
   a selection group. */
static uint32_t find_model(WireModels *m, InstId block, int early_late)
{
  for (InstId at = block; at != NO_INST; at = m->n->insts.at[at].parent) {
    const WireLoadChoice *k = constraints_find_wire_load(m->c, object_of(at));
    if (k && k->model[early_late] != NO_WIRE_LOAD) return k->model[early_late];
    if (k && k->group[early_late] != NO_NAME) return select_model(m, k, early_late, block);
  }
  return NO_WIRE_LOAD;
}

uint32_t wire_model_of(WireModels *m, InstId block, int early_late)
{
  if (map_get(m->seen[early_late], block) == MAP_NO_VALUE) {
    map_put(m->seen[early_late], block, 1);
    uint32_t model = find_model(m, block, early_late);
    if (model != NO_WIRE_LOAD) map_put(m->model[early_late], block, model);
  }
  return map_get(m->model[early_late], block);      /* MAP_NO_VALUE is NO_WIRE_LOAD */
}

WireLoadMode wire_mode(WireModels *m)
{
  static const char *const words[] = { "", "top", "enclosed", "segmented" };
  if (m->c->wire_load_mode != WIRE_MODE_NONE) return (WireLoadMode)m->c->wire_load_mode;
  uint32_t top = wire_model_of(m, TOP_INST, LATE);
  LibraryId library = top == NO_WIRE_LOAD ? 0 : m->n->libs->wire_loads.at[top].library;
  NameId name = library < m->n->libs->libraries.len
                    ? m->n->libs->libraries.at[library].default_wire_load_mode
                    : NO_NAME;
  for (int mode = WIRE_MODE_TOP; mode <= WIRE_MODE_SEGMENTED; mode++)
    if (strcmp(names_text(m->n->names, name), words[mode]) == 0) return (WireLoadMode)mode;
  return WIRE_MODE_TOP;
}

bool wire_load_by_area(const Constraints *c)
{
  for (uint32_t i = 0; i < c->wire_load_choices.len; i++)
    if (c->wire_load_choices.at[i].group[EARLY] != NO_NAME
        || c->wire_load_choices.at[i].group[LATE] != NO_NAME)
      return true;
  return false;
}

WireModels wire_models_begin(const Netlist *n, const Constraints *c)
{
  WireModels m = { .n = n, .c = c };
  for (int el = EARLY; el <= LATE; el++) {
    m.model[el] = map_new();
    m.seen[el] = map_new();
  }
  return m;
}

void wire_models_end(WireModels *m)
{
  for (int el = EARLY; el <= LATE; el++) {
    map_free(m->model[el]);
    map_free(m->seen[el]);
  }
  mem_free(m->area);
}
