/* Finds the wire load models of blocks and the mode of wire loads. See wire_model.h. */
#include "db/wire_model.h"

#include <math.h>
#include <string.h>

/* Finds the areas of blocks. A cell counts in its block and in all blocks around it. */
static void find_areas(WireModels *models)
{
  models->area = mem_alloc_zero((size_t)models->n->insts.len + 1, sizeof *models->area);
  for (InstId i = 1; i < models->n->insts.len; i++) {
    if (!inst_is_leaf(models->n, i) || (models->n->insts.at[i].flags & INST_DELETED)) continue;
    float area = models->n->libs->cells.at[models->n->insts.at[i].master].area;
    for (InstId at = models->n->insts.at[i].parent; at != NO_INST;
         at = models->n->insts.at[at].parent)
      models->area[at] += isnan(area) ? 0 : area;
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
static uint32_t select_model(WireModels *models, const WireLoadChoice *choice, int early_late,
                             InstId block)
{
  const LibrarySet *libs = models->n->libs;
  if (models->area == NULL) find_areas(models);
  while (block != TOP_INST && models->area[block] < models->c->wire_load_min_block)
    block = models->n->insts.at[block].parent;
  uint32_t best = NO_WIRE_LOAD;
  for (uint32_t i = 0; i < libs->selections.len; i++) {
    const WireLoadSelection *line = &libs->selections.at[i];
    bool wanted = line->name == choice->group[early_late]
                  && (choice->library[early_late] == NO_LIBRARY
                      || line->library == choice->library[early_late]);
    if (!wanted || models->area[block] < line->min_area) continue;
    uint32_t model = named_model(libs, line->library, line->wire_load);
    if (model != NO_WIRE_LOAD) best = model;      /* the last model whose least area is reached
                                                     counts, even beyond its largest area */
    if (models->area[block] < line->max_area) break;
  }
  return best;
}

/* Finds the model of a block: the nearest setting from the block upwards. A model has priority over
   a selection group. */
static uint32_t find_model(WireModels *models, InstId block, int early_late)
{
  for (InstId at = block; at != NO_INST; at = models->n->insts.at[at].parent) {
    const WireLoadChoice *choice = constraints_find_wire_load(models->c, object_of(at));
    if (choice && choice->model[early_late] != NO_WIRE_LOAD) return choice->model[early_late];
    if (choice && choice->group[early_late] != NO_NAME)
      return select_model(models, choice, early_late, block);
  }
  return NO_WIRE_LOAD;
}

uint32_t wire_model_of(WireModels *models, InstId block, int early_late)
{
  if (map_get(models->seen[early_late], block) == MAP_NO_VALUE) {
    map_put(models->seen[early_late], block, 1);
    uint32_t model = find_model(models, block, early_late);
    if (model != NO_WIRE_LOAD) map_put(models->model[early_late], block, model);
  }
  return map_get(models->model[early_late], block);      /* MAP_NO_VALUE is NO_WIRE_LOAD */
}

WireLoadMode wire_mode(WireModels *models)
{
  static const char *const words[] = { "", "top", "enclosed", "segmented" };
  if (models->c->wire_load_mode != WIRE_MODE_NONE) return (WireLoadMode)models->c->wire_load_mode;
  uint32_t top = wire_model_of(models, TOP_INST, LATE);
  LibraryId library = top == NO_WIRE_LOAD ? 0 : models->n->libs->wire_loads.at[top].library;
  NameId name = library < models->n->libs->libraries.len
                    ? models->n->libs->libraries.at[library].default_wire_load_mode
                    : NO_NAME;
  for (int mode = WIRE_MODE_TOP; mode <= WIRE_MODE_SEGMENTED; mode++)
    if (strcmp(names_text(models->n->names, name), words[mode]) == 0) return (WireLoadMode)mode;
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

void wire_models_end(WireModels *models)
{
  for (int el = EARLY; el <= LATE; el++) {
    map_free(models->model[el]);
    map_free(models->seen[el]);
  }
  mem_free(models->area);
}
