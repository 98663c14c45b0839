/* The end of a library: looks up the names that its attributes and cells use, and warns of those
   that do not exist. */
#include <math.h>

#include "read/liberty/liberty_reader.h"

static const char *text_of(const Reader *r, NameId name) { return names_text(r->set->names, name); }

/* --- factors ---------------------------------------------------------------------------------- */

static uint32_t find_set(const Reader *r, NameId name)
{
  for (uint32_t i = r->first_set; i < r->set->factor_sets.len; i++)
    if (r->set->factor_sets.at[i].name == name) return i + 1;
  return 0;
}

static void resolve_factors(Reader *r, const NameUse *use)
{
  LibCell *cell = &r->set->cells.at[use->of];
  cell->factors = find_set(r, use->name);
  if (cell->factors == 0)
    log_warning(r->log, "LIB-073", use->at,
                "cell %s: the library has no scaling_factors %s; its own factors count",
                text_of(r, cell->name), text_of(r, use->name));
}

/* Factors multiply the distance from the nominal point. */
static void check_nominal(Reader *r)
{
  Library *l = &r->library;
  const struct { const char *what, *factor; float value; } nominal[SCALE_BY_COUNT] = {
    [SCALE_BY_PROCESS] = { "nom_process", "k_process_...", l->nom_process },
    [SCALE_BY_VOLTAGE] = { "nom_voltage", "k_volt_...", l->nom_voltage },
    [SCALE_BY_TEMPERATURE] = { "nom_temperature", "k_temp_...", l->nom_temperature } };
  for (int by = 0; by < SCALE_BY_COUNT; by++)
    if (isnan(nominal[by].value) && r->factor_at[by].line)
      log_warning(r->log, "LIB-075", r->factor_at[by], "library %s has factors %s and no %s; %s",
                  text_of(r, l->name), nominal[by].factor,
                  nominal[by].what, by == SCALE_BY_PROCESS ? "1 is taken" : "they have no effect");
  if (isnan(l->nom_process)) l->nom_process = 1;
}

/* --- operating conditions, scaled cells ------------------------------------------------------- */

static bool has_condition(const Reader *r, NameId name)
{
  for (uint32_t i = r->set->conditions.len; i-- > 0
       && r->set->condition_library.at[i] == r->library_id;)
    if (r->set->conditions.at[i].name == name) return true;
  return false;
}

static void resolve_scaled(Reader *r, const NameUse *use)
{
  ScaledCell *s = &r->set->scaled_cells.at[use->of];
  NameId name = r->set->cells.at[s->scaled].name;
  s->cell = library_find_cell_in(r->set, r->library_id, name);
  const char *what = s->cell == NO_CELL ? "cell" : "operating_conditions";
  if (s->cell == NO_CELL || !has_condition(r, s->condition))
    log_warning(r->log, "LIB-074", use->at,
                "scaled_cell (%s, %s) has no effect: the library has no %s %s", text_of(r, name),
                text_of(r, s->condition), what, text_of(r, s->cell == NO_CELL ? name
                                                        : s->condition));
}

/* --- derates ---------------------------------------------------------------------------------- */

static bool has_derates(const Reader *r, CellId cell, NameId name)
{
  return library_has_derate(r->set, r->library_id, cell, name);
}

static bool cell_has_derates(const Reader *r, const NameUse *use)
{
  return has_derates(r, use->of, use->name) || has_derates(r, NO_CELL, use->name);
}

/* One message for all cells whose name does not exist. */
static void check_cell_derates(Reader *r)
{
  const NameUse *first = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->name_uses.len; i++) {
    const NameUse *use = &r->name_uses.at[i];
    if (use->kind != NAMES_DERATES || cell_has_derates(r, use)) continue;
    if (count++ == 0) first = use;
  }
  if (count)
    log_warning(r->log, "OCV-103", first->at,
                "%u cell%s of library %s, %s the first, name an ocv_derate group that has no table "
                "(%s); no derate of the library counts for them", count, count == 1 ? "" : "s",
                text_of(r, r->library.name), text_of(r, r->set->cells.at[first->of].name),
                text_of(r, first->name));
}

static void check_default_derates(Reader *r, const NameUse *use)
{
  if (!has_derates(r, NO_CELL, use->name))
    log_warning(r->log, "OCV-103", use->at,
                "default_ocv_derate_group of library %s is %s, which has no table",
                text_of(r, r->library.name), text_of(r, use->name));
}

/* --- defaults --------------------------------------------------------------------------------- */

static bool has_wire_load(const Reader *r, NameId name)
{
  for (uint32_t i = r->set->wire_loads.len; i-- > 0
       && r->set->wire_loads.at[i].library == r->library_id;)
    if (r->set->wire_loads.at[i].name == name) return true;
  return false;
}

static bool is_mode(const Reader *r, NameId name)
{
  const char *text = text_of(r, name);
  return strcmp(text, "top") == 0 || strcmp(text, "enclosed") == 0
      || strcmp(text, "segmented") == 0;
}

static void check_default(Reader *r, const NameUse *use, const char *what,
                          bool (*known)(const Reader *, NameId))
{
  if (!known(r, use->name))
    log_warning(r->log, "LIB-076", use->at,
                "%s of library %s is %s, which the library does not have", what,
                text_of(r, r->library.name), text_of(r, use->name));
}

static void check_selection(Reader *r, const NameUse *use)
{
  const WireLoadSelection *s = &r->set->selections.at[use->of];
  if (!has_wire_load(r, s->wire_load))
    log_warning(r->log, "LIB-076", use->at,
                "wire_load_selection %s of library %s names the wire load %s, which the library "
                "does not have",
                text_of(r, s->name), text_of(r, r->library.name), text_of(r, s->wire_load));
}

/* Wires without parasitics have a wire load where a constraint names one. */
static void note_wire_load(const Reader *r)
{
  NameId name = r->library.default_wire_load;
  if (name != NO_NAME && has_wire_load(r, name))
    log_info(r->log, "LIB-091",
             "%s: default_wire_load %.60s counts where set_wire_load_model names it", r->in->path,
             names_text(r->set->names, name));
}

/* --- all of them ------------------------------------------------------------------------------ */

void use_name(Reader *r, NameKind kind, NameId name, uint32_t of, Where at)
{
  array_push(&r->name_uses, (NameUse){ .kind = (uint8_t)kind, .name = name, .of = of, .at = at });
}

static void resolve_name(Reader *r, const NameUse *use)
{
  switch ((NameKind)use->kind) {
  case NAMES_FACTORS: resolve_factors(r, use); break;
  case NAMES_DERATES: break;               /* all cells' together */
  case NAMES_SCALED: resolve_scaled(r, use); break;
  case NAMES_SELECTED: check_selection(r, use); break;
  case NAMES_CONDITIONS:
    check_default(r, use, "default_operating_conditions", has_condition);
    break;
  case NAMES_WIRE_LOAD: check_default(r, use, "default_wire_load", has_wire_load); break;
  case NAMES_WIRE_LOAD_MODE: check_default(r, use, "default_wire_load_mode", is_mode); break;
  case NAMES_DEFAULT_DERATES: check_default_derates(r, use); break;
  }
}

void resolve_names(Reader *r)
{
  for (uint32_t i = 0; i < r->name_uses.len; i++) resolve_name(r, &r->name_uses.at[i]);
  check_cell_derates(r);
  check_nominal(r);
  note_wire_load(r);
}
