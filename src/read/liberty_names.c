/* The end of a library: names that its attributes and cells give are looked up, and what they name in vain is told. */
#include <math.h>

#include "read/liberty_reader.h"

static const char *text_of(const Reader *r, NameId name) { return names_text(r->set->names, name); }

/* --- factors ---------------------------------------------------------------------------------- */

static uint32_t find_set(const Reader *r, NameId name)
{
  for (uint32_t i = r->first_set; i < r->set->factor_sets.len; i++)
    if (r->set->factor_sets.at[i].name == name) return i + 1;
  return 0;
}

static void resolve_factors(Reader *r)
{
  for (uint32_t i = 0; i < r->factor_names.len; i++) {
    LibCell *cell = &r->set->cells.at[r->factor_cells.at[i]];
    cell->factors = find_set(r, r->factor_names.at[i]);
    if (cell->factors == 0)
      log_warning(r->log, "LIB-073", r->factor_where.at[i],
                  "cell %s: the library has no scaling_factors %s; its own factors count",
                  text_of(r, cell->name), text_of(r, r->factor_names.at[i]));
  }
}

static bool factors_by(const ScaleFactors *f, int by)
{
  for (int kind = 0; kind < SCALE_COUNT; kind++)
    if (f->k[kind][by] != 0) return true;
  return false;
}

static bool scales_by(const Reader *r, int by)
{
  bool any = factors_by(&r->library.factors, by);
  for (uint32_t i = r->first_set; i < r->set->factor_sets.len; i++)
    any |= factors_by(&r->set->factor_sets.at[i].factors, by);
  return any;
}

/* Factors are of the distance from the nominal point. */
static void check_nominal(Reader *r, Where at)
{
  Library *l = &r->library;
  const struct { const char *what, *factor; float value; } nominal[SCALE_BY_COUNT] = {
    [SCALE_BY_PROCESS] = { "nom_process", "k_process_...", l->nom_process },
    [SCALE_BY_VOLTAGE] = { "nom_voltage", "k_volt_...", l->nom_voltage },
    [SCALE_BY_TEMPERATURE] = { "nom_temperature", "k_temp_...", l->nom_temperature } };
  for (int by = 0; by < SCALE_BY_COUNT; by++)
    if (isnan(nominal[by].value) && scales_by(r, by))
      log_warning(r->log, "LIB-075", at, "library %s has factors %s and no %s; %s",
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

static void resolve_scaled(Reader *r, Where at)
{
  for (uint32_t i = r->first_scaled; i < r->set->scaled_cells.len; i++) {
    ScaledCell *s = &r->set->scaled_cells.at[i];
    NameId name = r->set->cells.at[s->scaled].name;
    s->cell = library_find_cell_in(r->set, r->library_id, name);
    const char *what = s->cell == NO_CELL ? "cell" : "operating_conditions";
    if (s->cell == NO_CELL || !has_condition(r, s->condition))
      log_warning(r->log, "LIB-074", at,
                  "scaled_cell (%s, %s) has no effect: the library has no %s %s", text_of(r, name),
                  text_of(r, s->condition), what, text_of(r, s->cell == NO_CELL ? name
                                                          : s->condition));
  }
}

/* --- derates ---------------------------------------------------------------------------------- */

static bool has_derates(const Reader *r, NameId name)
{
  for (uint32_t i = r->first_derate; i < r->set->derates.len; i++)
    if (r->set->derates.at[i].name == name) return true;
  return false;
}

/* One message for the cells, whichever of them name none. */
static void check_derates(Reader *r, Where at)
{
  const LibCell *first = NULL;
  uint32_t count = 0;
  for (CellId c = r->library.first_cell; c < r->set->cells.len; c++) {
    const LibCell *cell = &r->set->cells.at[c];
    if (cell->derates == NO_NAME || has_derates(r, cell->derates)) continue;
    if (count++ == 0) first = cell;
  }
  if (count)
    log_warning(r->log, "OCV-103", at,
                "%u cell%s of library %s, %s the first, name an ocv_derate group that has no table (%s); no derate of "
                "the library counts for them", count, count == 1 ? "" : "s", text_of(r, r->library.name), text_of(r, first->name),
                text_of(r, first->derates));
  if (r->library.default_derates != NO_NAME && !has_derates(r, r->library.default_derates))
    log_warning(r->log, "OCV-103", at,
                "default_ocv_derate_group of library %s is %s, which has no table", text_of(r, r->library.name),
                text_of(r, r->library.default_derates));
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

static void check_default(Reader *r, Where at, const char *what, NameId name,
                          bool (*known)(const Reader *, NameId))
{
  if (name != NO_NAME && !known(r, name))
    log_warning(r->log, "LIB-076", at, "%s of library %s is %s, which the library does not have",
                what,
                text_of(r, r->library.name), text_of(r, name));
}

static void check_selections(Reader *r, Where at)
{
  for (uint32_t i = r->set->selections.len; i-- > 0
       && r->set->selections.at[i].library == r->library_id;) {
    const WireLoadSelection *s = &r->set->selections.at[i];
    if (!has_wire_load(r, s->wire_load))
      log_warning(r->log, "LIB-076", at,
                  "wire_load_selection %s of library %s names the wire load %s, which the library does not have",
                  text_of(r, s->name), text_of(r, r->library.name), text_of(r, s->wire_load));
  }
}

/* Wires without parasitics have a wire load where a constraint names one. */
static void note_wire_load(const Reader *r)
{
  NameId name = r->library.default_wire_load;
  if (name != NO_NAME && has_wire_load(r, name))
    log_info(r->log, "LIB-091", "%s: default_wire_load %.60s counts where set_wire_load_model names it",
             r->in->path, names_text(r->set->names, name));
}

void resolve_names(Reader *r, Where library)
{
  const Library *l = &r->library;
  resolve_factors(r);
  check_nominal(r, library);
  resolve_scaled(r, library);
  check_derates(r, library);
  check_default(r, library, "default_operating_conditions", l->default_operating_conditions,
                has_condition);
  check_default(r, library, "default_wire_load", l->default_wire_load, has_wire_load);
  note_wire_load(r);
  check_default(r, library, "default_wire_load_mode", l->default_wire_load_mode, is_mode);
  check_selections(r, library);
}
