/* Which wire load model a block has, and which block of a net counts: set_wire_load_model,
   set_wire_load_selection_group, set_wire_load_min_block_size and set_wire_load_mode, or what
   libraries say instead. `timing/wire_load.h` estimates nets with these models. */
#ifndef SL_DB_WIRE_MODEL_H
#define SL_DB_WIRE_MODEL_H

#include "db/constraints.h"

/* What is known of the blocks of a design while its constraints do not change. Private to
   wire_model.c. */
typedef struct {
  const Netlist     *n;
  const Constraints *c;
  double *area;                      /* by InstId: area with everything inside; NULL until a
                                        selection needs it */
  Map    *model[2];                  /* InstId -> index in wire_loads; only blocks in `seen` that
                                        have a model */
  Map    *seen[2];
} WireModels;

WireModels   wire_models_begin(const Netlist *n, const Constraints *c);
void         wire_models_end(WireModels *models);      /* releases what models owns */
/* Returns the index in libs->wire_loads of the block's own model, of the nearest one around it, or
   of the one that its area selects; NO_WIRE_LOAD. */
uint32_t     wire_model_of(WireModels *models, InstId block, int early_late);
/* Returns the mode of set_wire_load_mode. Without it, the mode is the default_wire_load_mode of the
   library that has the top's late model (the first library if the top has none), else
   WIRE_MODE_TOP. */
WireLoadMode wire_mode(WireModels *models);
/* Returns true if the areas of cells select the models.  Then any edit may change any net. */
bool         wire_load_by_area(const Constraints *c);

#endif
