/* The end of a library: looks up the names that its attributes and cells use, and warns of those
   that do not exist. */
#include <math.h>

#include "read/liberty/liberty_reader.h"

static const char *text_of(const Reader *reader, NameId name)
{
  return names_text(reader->set->names, name);
}

/* --- factors ---------------------------------------------------------------------------------- */

static uint32_t find_set(const Reader *reader, NameId name)
{
  for (uint32_t i = reader->first_set; i < reader->set->factor_sets.len; i++)
    if (reader->set->factor_sets.at[i].name == name) return i + 1;
  return 0;
}

static void resolve_factors(Reader *reader, const NameUse *use)
{
  LibCell *cell = &reader->set->cells.at[use->of];
  cell->factors = find_set(reader, use->name);
  if (cell->factors == 0)
    log_warning(reader->log, "LIB-073", use->at,
                "cell %s: the library has no scaling_factors %s; its own factors count",
                text_of(reader, cell->name), text_of(reader, use->name));
}

/* Factors multiply the distance from the nominal point. */
static void check_nominal(Reader *reader)
{
  Library *library = &reader->library;
  const struct { const char *what, *factor; float value;
  } nominal[SCALE_BY_COUNT] = {
    [SCALE_BY_PROCESS] = { "nom_process", "k_process_...", library->nom_process },
    [SCALE_BY_VOLTAGE] = { "nom_voltage", "k_volt_...", library->nom_voltage },
    [SCALE_BY_TEMPERATURE] = { "nom_temperature", "k_temp_...", library->nom_temperature }
  };
  for (int by = 0; by < SCALE_BY_COUNT; by++)
    if (isnan(nominal[by].value) && reader->factor_at[by].line)
      log_warning(reader->log, "LIB-075", reader->factor_at[by],
                  "library %s has factors %s and no %s; %s", text_of(reader, library->name),
                  nominal[by].factor, nominal[by].what,
                  by == SCALE_BY_PROCESS ? "1 is taken" : "they have no effect");
  if (isnan(library->nom_process)) library->nom_process = 1;
}

/* --- operating conditions, scaled cells ------------------------------------------------------- */

static bool has_condition(const Reader *reader, NameId name)
{
  for (uint32_t i = reader->set->conditions.len;
       i-- > 0 && reader->set->condition_library.at[i] == reader->library_id;)
    if (reader->set->conditions.at[i].name == name) return true;
  return false;
}

static void resolve_scaled(Reader *reader, const NameUse *use)
{
  ScaledCell *cell = &reader->set->scaled_cells.at[use->of];
  NameId name = reader->set->cells.at[cell->scaled].name;
  cell->cell = library_find_cell_in(reader->set, reader->library_id, name);
  const char *what = cell->cell == NO_CELL ? "cell" : "operating_conditions";
  if (cell->cell == NO_CELL || !has_condition(reader, cell->condition))
    log_warning(reader->log, "LIB-074", use->at,
                "scaled_cell (%s, %s) has no effect: the library has no %s %s",
                text_of(reader, name), text_of(reader, cell->condition), what,
                text_of(reader, cell->cell == NO_CELL ? name : cell->condition));
}

/* --- derates ---------------------------------------------------------------------------------- */

static bool has_derates(const Reader *reader, CellId cell, NameId name)
{
  return library_has_derate(reader->set, reader->library_id, cell, name);
}

static bool cell_has_derates(const Reader *reader, const NameUse *use)
{
  return has_derates(reader, use->of, use->name) || has_derates(reader, NO_CELL, use->name);
}

/* One message for all cells whose name does not exist. */
static void check_cell_derates(Reader *reader)
{
  const NameUse *first = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; i < reader->name_uses.len; i++) {
    const NameUse *use = &reader->name_uses.at[i];
    if (use->kind != NAMES_DERATES || cell_has_derates(reader, use)) continue;
    if (count++ == 0) first = use;
  }
  if (count)
    log_warning(reader->log, "OCV-103", first->at,
                "%u cell%s of library %s, %s the first, name an ocv_derate group that has no table "
                "(%s); no derate of the library counts for them",
                count, count == 1 ? "" : "s", text_of(reader, reader->library.name),
                text_of(reader, reader->set->cells.at[first->of].name),
                text_of(reader, first->name));
}

static void check_default_derates(Reader *reader, const NameUse *use)
{
  if (!has_derates(reader, NO_CELL, use->name))
    log_warning(reader->log, "OCV-103", use->at,
                "default_ocv_derate_group of library %s is %s, which has no table",
                text_of(reader, reader->library.name), text_of(reader, use->name));
}

/* --- defaults --------------------------------------------------------------------------------- */

static bool has_wire_load(const Reader *reader, NameId name)
{
  for (uint32_t i = reader->set->wire_loads.len;
       i-- > 0 && reader->set->wire_loads.at[i].library == reader->library_id;)
    if (reader->set->wire_loads.at[i].name == name) return true;
  return false;
}

static bool is_mode(const Reader *reader, NameId name)
{
  const char *text = text_of(reader, name);
  return strcmp(text, "top") == 0 || strcmp(text, "enclosed") == 0
      || strcmp(text, "segmented") == 0;
}

static void check_default(Reader *reader, const NameUse *use, const char *what,
                          bool (*known)(const Reader *, NameId))
{
  if (!known(reader, use->name))
    log_warning(reader->log, "LIB-076", use->at,
                "%s of library %s is %s, which the library does not have", what,
                text_of(reader, reader->library.name), text_of(reader, use->name));
}

static void check_selection(Reader *reader, const NameUse *use)
{
  const WireLoadSelection *selection = &reader->set->selections.at[use->of];
  if (!has_wire_load(reader, selection->wire_load))
    log_warning(reader->log, "LIB-076", use->at,
                "wire_load_selection %s of library %s names the wire load %s, which the library "
                "does not have",
                text_of(reader, selection->name), text_of(reader, reader->library.name),
                text_of(reader, selection->wire_load));
}

/* Wires without parasitics have a wire load where a constraint names one. */
static void note_wire_load(const Reader *reader)
{
  NameId name = reader->library.default_wire_load;
  if (name != NO_NAME && has_wire_load(reader, name))
    log_info(reader->log, "LIB-091",
             "%s: default_wire_load %.60s counts where set_wire_load_model names it",
             reader->in->path, names_text(reader->set->names, name));
}

/* --- all of them ------------------------------------------------------------------------------ */

void use_name(Reader *reader, NameKind kind, NameId name, uint32_t of, Where at)
{
  array_push(&reader->name_uses,
             (NameUse){ .kind = (uint8_t)kind, .name = name, .of = of, .at = at });
}

static void resolve_name(Reader *reader, const NameUse *use)
{
  switch ((NameKind)use->kind) {
  case NAMES_FACTORS: resolve_factors(reader, use); break;
  case NAMES_DERATES: break;               /* all cells' together */
  case NAMES_SCALED: resolve_scaled(reader, use); break;
  case NAMES_SELECTED: check_selection(reader, use); break;
  case NAMES_CONDITIONS:
    check_default(reader, use, "default_operating_conditions", has_condition);
    break;
  case NAMES_WIRE_LOAD: check_default(reader, use, "default_wire_load", has_wire_load); break;
  case NAMES_WIRE_LOAD_MODE: check_default(reader, use, "default_wire_load_mode", is_mode); break;
  case NAMES_DEFAULT_DERATES: check_default_derates(reader, use); break;
  }
}

void resolve_names(Reader *reader)
{
  for (uint32_t i = 0; i < reader->name_uses.len; i++)
    resolve_name(reader, &reader->name_uses.at[i]);
  check_cell_derates(reader);
  check_nominal(reader);
  note_wire_load(reader);
}
