/* The group level of the Liberty reader: looks up the handler of each statement and handles the
   statements of a library: units, thresholds, operating conditions, wire loads. */
#include "read/liberty/liberty.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "read/liberty/liberty_reader.h"

/* --- handlers that many rows share ------------------------------------------------------------ */

uint32_t keep_text(Reader *reader, const char *text)
{
  uint32_t at[2] = { reader->value_at.line, reader->value_at.column };
  text_add(&reader->texts, (const char *)at, sizeof at);
  uint32_t offset = (uint32_t)reader->texts.len;
  text_add(&reader->texts, text, strlen(text) + 1);
  return offset;
}

Where text_where(const Reader *reader, uint32_t offset)
{
  uint32_t at[2];
  memcpy(at, reader->texts.at + offset - sizeof at, sizeof at);
  return (Where){ reader->in->path, at[0], at[1] };
}

Status value_number(Reader *reader, double *number)
{
  const char *end, *text = text_get(&reader->value);
  while (isspace((unsigned char)*text)) text++;
  *number = text_number(text, &end);
  bool good = end != text;
  while (isspace((unsigned char)*end)) end++;
  if (!good || *end)
    return log_error(reader->log, "LIB-006", reader->value_at, "expected a number, found \"%.60s\"",
                     text);
  if (!isfinite((float)*number))
    return log_error(reader->log, "LIB-006", reader->value_at, "the number is too large");
  return OK;
}

Status set_number(Reader *reader, const AttributeRow *row)
{
  double number;
  if (value_number(reader, &number) != OK) return FAILED;
  float scaled = (float)(number * reader->scale[row->unit]);
  if (!isfinite(scaled))
    return log_error(reader->log, "LIB-006", reader->value_at, "the number is too large");
  *(float *)((char *)reader->target + row->offset) = scaled;
  return OK;
}

static Status set_integer(Reader *reader, const AttributeRow *row)
{
  double number;
  if (value_number(reader, &number) != OK) return FAILED;
  if (fabs(number) > 1e6 || number != floor(number))
    return log_error(reader->log, "LIB-006", reader->value_at,
                     "expected a whole number up to a million");
  *(int32_t *)((char *)reader->target + row->offset) = (int32_t)number;
  if (row->flag) *((bool *)reader->target + row->flag) = true;
  return OK;
}

/* "A\[0\]" is A[0]. */
NameId plain_name(Reader *reader, const char *text, size_t length)
{
  char buffer[256];
  size_t n = 0;
  if (memchr(text, '\\', length) == NULL || length > sizeof buffer)
    return names_add(reader->set->names, text, length);
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\\' && i + 1 < length) i++;
    buffer[n++] = text[i];
  }
  return names_add(reader->set->names, buffer, n);
}

Status set_name(Reader *reader, const AttributeRow *row)
{
  *(NameId *)((char *)reader->target + row->offset) =
      plain_name(reader, text_get(&reader->value), reader->value.len);
  return OK;
}

Status set_used_name(Reader *reader, const AttributeRow *row)
{
  NameId name = plain_name(reader, text_get(&reader->value), reader->value.len);
  *(NameId *)((char *)reader->target + row->offset) = name;
  use_name(reader, (NameKind)row->code, name, reader->cell_id, reader->value_at);
  return OK;
}

Status set_text(Reader *reader, const AttributeRow *row)
{
  *(uint32_t *)((char *)reader->target + row->offset) = keep_text(reader, text_get(&reader->value));
  return OK;
}

bool value_is_true(Reader *reader)
{
  const char *text = text_get(&reader->value);
  if (strcasecmp(text, "true") == 0 || strcmp(text, "1") == 0) return true;
  if (strcasecmp(text, "false") != 0 && strcmp(text, "0") != 0)
    log_warning(reader->log, "LIB-061", reader->value_at,
                "expected true or false, found \"%.60s\"; taken as false", text);
  return false;
}

Status set_flag(Reader *reader, const AttributeRow *row)
{
  uint32_t *flags = (uint32_t *)((char *)reader->target + row->offset);
  *flags = value_is_true(reader) ? *flags | row->flag : *flags & ~row->flag;
  return OK;
}

static Status set_bool(Reader *reader, const AttributeRow *row)
{
  *((bool *)reader->target + row->offset) = value_is_true(reader);
  return OK;
}

Status count_only(Reader *reader, const AttributeRow *row)
{
  count_unused(reader, (GroupKind)row->kind, row->name);
  return OK;
}

/* --- groups with names ------------------------------------------------------------------------ */

NameId first_arg_name(Reader *reader)
{
  bool named = reader->args.len && *arg(reader, 0);
  return named ? plain_name(reader, arg(reader, 0), strlen(arg(reader, 0))) : NO_NAME;
}

/* Cells are read one after another, so the last cell with a name tells whether it is the present
   one. */
static bool is_first(Reader *reader, bool in_cell, const char *what, NameId name)
{
  enum { OF_LIBRARY = MAP_NO_VALUE - 1 };
  uint32_t parent = in_cell ? reader->cell_id : OF_LIBRARY;
  uint64_t key = hash_pair(2 * names_add_text(reader->set->names, what) + in_cell, name);
  bool first = map_get(reader->named_groups, key) != parent;
  if (first) map_put(reader->named_groups, key, parent);
  return first;
}

bool first_of_name(Reader *reader, GroupKind parent, const char *what, NameId name)
{
  const Names *names = reader->set->names;
  bool in_cell = parent == IN_CELL;
  if (name == NO_NAME)
    log_warning(reader->log, "LIB-094", reader->at, "%s has no name; it has no effect", what);
  else if (is_first(reader, in_cell, what, name)) return true;
  else
    log_warning(reader->log, "LIB-052", reader->at, "%s %s appears twice%s%s; the first one stays",
                what, names_text(names, name), in_cell ? " in cell " : "",
                in_cell ? names_text(names, reader->cell.name) : "");
  return false;
}

/* --- units ------------------------------------------------------------------------------------ */

/* Numbers of cells are scaled when they are read, so a unit cannot change after the first cell. */
static Status take_unit(Reader *reader, UnitKind kind, const char *text, Where where)
{
  double scale;
  if (!unit_parse(kind, text, &scale))
    return log_error(reader->log, "LIB-005", where, "\"%.60s\" is no unit of %s", text,
                     unit_kind_name(kind));
  if (reader->library.cell_count && scale != reader->scale[kind])
    return log_error(reader->log, "LIB-011", where, "the unit of %s changes after the first cell",
                     unit_kind_name(kind));
  reader->scale[kind] = scale;
  reader->has_unit[kind] = true;
  return OK;
}

static Status set_unit(Reader *reader, const AttributeRow *row)
{
  return take_unit(reader, (UnitKind)row->unit, text_get(&reader->value), reader->value_at);
}

/* capacitive_load_unit (1, pf); */
static Status set_load_unit(Reader *reader, const AttributeRow *row)
{
  Text text = { 0 };
  (void)row;
  for (uint32_t i = 0; i < reader->args.len; i++) text_printf(&text, "%s ", arg(reader, i));
  if (text.len) text.at[--text.len] = '\0';
  Status status = take_unit(reader, UNIT_CAPACITANCE, text_get(&text), reader->at);
  text_free(&text);
  return status;
}

/* --- library attributes ----------------------------------------------------------------------- */

static Status set_delay_model(Reader *reader, const AttributeRow *row)
{
  (void)row;
  if (strcmp(text_get(&reader->value), "table_lookup") != 0)
    log_warning(reader->log, "LIB-058", reader->value_at,
                "delay model \"%.60s\" is not supported, only table_lookup; "
                "tables are read, other numbers are not",
                text_get(&reader->value));
  return OK;
}

/* bus_naming_style : "%s<%d>"; in "%s%d" the digits could be the bus's own. */
static Status set_bus_style(Reader *reader, const AttributeRow *row)
{
  const char *text = text_get(&reader->value), *bit = strstr(text, "%d");
  (void)row;
  text_clear(&reader->bus_middle);
  text_clear(&reader->bus_tail);
  if (strncmp(text, "%s", 2) != 0 || bit == NULL || strcmp(text, "%s%d") == 0) {
    log_warning(reader->log, "LIB-071", reader->value_at,
                "bus_naming_style \"%.60s\" is not used: expected one like \"%%s[%%d]\"", text);
    return OK;
  }
  if (strcmp(text, "%s[%d]") == 0) return OK;
  text_add(&reader->bus_middle, text + 2, (size_t)(bit - text) - 2);
  text_put(&reader->bus_tail, bit + 2);
  return OK;
}

static Status warn_include(Reader *reader, const AttributeRow *row)
{
  (void)row;
  log_warning(reader->log, "LIB-059", reader->at,
              "include_file is not followed; read \"%.200s\" as a part of this file",
              reader->args.len ? arg(reader, 0) : "");
  return OK;
}

static Status read_conditions(Reader *reader, const AttributeRow *row)
{
  OperatingConditions c = {
    .name = first_arg_name(reader), .process = 1, .voltage = NAN, .temperature = NAN
  };
  if (!first_of_name(reader, IN_LIBRARY, row->name, c.name)) return lex_skip_group(reader);
  if (read_group(reader, IN_CONDITIONS, &c) != OK) return FAILED;
  array_push(&reader->set->conditions, c);
  array_push(&reader->set->condition_library, reader->library_id);
  return OK;
}

static Status set_tree_type(Reader *reader, const AttributeRow *row)
{
  static const char *const words[] = { [TREE_BALANCED] = "balanced_tree",
                                       [TREE_BEST] = "best_case_tree",
                                       [TREE_WORST] = "worst_case_tree" };
  (void)row;
  for (uint8_t tree = TREE_BALANCED; tree <= TREE_WORST; tree++)
    if (strcmp(text_get(&reader->value), words[tree]) == 0) {
      ((OperatingConditions *)reader->target)->tree = tree;
      return OK;
    }
  log_warning(reader->log, "LIB-061", reader->value_at,
              "tree_type \"%.60s\" is unknown; balanced_tree is taken", text_get(&reader->value));
  return OK;
}

/* Pairs of fanout and length by ascending fanout; of two for one fanout the later counts. */
static void sort_lengths(float *at, uint32_t *count)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *count; i++) {
    float fanout = at[2 * i], length = at[2 * i + 1];
    uint32_t place = kept;
    while (place > 0 && at[2 * place - 2] > fanout) place--;
    bool again = place > 0 && at[2 * place - 2] == fanout;
    if (again) {
      at[2 * place - 1] = length;
      continue;
    }
    memmove(&at[2 * place + 2], &at[2 * place], (kept - place) * 2 * sizeof *at);
    at[2 * place] = fanout;
    at[2 * place + 1] = length;
    kept++;
  }
  *count = kept;
}

static Status read_wire_load(Reader *reader, const AttributeRow *row)
{
  LibrarySet *set = reader->set;
  WireLoad load = { .library = reader->library_id,
                    .name = first_arg_name(reader),
                    .first_length = set->wire_lengths.len };
  if (!first_of_name(reader, IN_LIBRARY, row->name, load.name)) return lex_skip_group(reader);
  if (read_group(reader, IN_WIRE_LOAD, &load) != OK) return FAILED;
  load.length_count = (set->wire_lengths.len - load.first_length) / 2;
  sort_lengths(array_from(&set->wire_lengths, load.first_length), &load.length_count);
  set->wire_lengths.len = load.first_length + 2 * load.length_count;
  array_push(&set->wire_loads, load);
  return OK;
}

/* fanout_length (fanout, length, ...): what follows the length is about areas and spreads. */
static Status add_fanout_length(Reader *reader, const AttributeRow *row)
{
  (void)row;
  if (reader->numbers.len < 2)
    return log_error(reader->log, "LIB-009", reader->at, "expected fanout_length (fanout, length)");
  array_push(&reader->set->wire_lengths, (float)reader->numbers.at[0]);
  array_push(&reader->set->wire_lengths, (float)reader->numbers.at[1]);
  return OK;
}

static Status read_selection(Reader *reader, const AttributeRow *row)
{
  NameId name = first_arg_name(reader);
  if (!first_of_name(reader, IN_LIBRARY, row->name, name)) return lex_skip_group(reader);
  return read_group(reader, IN_SELECTION, &name);
}

static Status add_selection(Reader *reader, const AttributeRow *row)
{
  const char *end[2] = { "", "" };
  double area[2] = { 0, 0 };
  (void)row;
  for (uint32_t i = 0; i < 2 && i < reader->args.len; i++)
    area[i] = text_number(arg(reader, i), &end[i]);
  if (reader->args.len != 3 || end[0] == arg(reader, 0) || end[1] == arg(reader, 1))
    return log_error(reader->log, "LIB-009", reader->at,
                     "expected wire_load_from_area (least area, largest area, wire load)");
  NameId load = plain_name(reader, arg(reader, 2), strlen(arg(reader, 2)));
  if (area[0] > area[1])
    log_warning(reader->log, "LIB-099", reader->at,
                "wire_load_from_area: the least area %g is above the largest %g; "
                "no area has this wire load",
                area[0], area[1]);
  use_name(reader, NAMES_SELECTED, load, reader->set->selections.len, reader->at);
  array_push(&reader->set->selections,
             (WireLoadSelection){ reader->library_id, *(NameId *)reader->target, load,
                                  (float)area[0], (float)area[1] });
  return OK;
}

/* --- the library ------------------------------------------------------------------------------ */

static void start_library(Reader *reader)
{
  UnitSet units = units_default();
  reader->library = (Library){ .name = first_arg_name(reader),
                               .file = names_add_text(reader->set->names, reader->in->path),
                               .for_early = reader->options->for_early,
                               .for_late = reader->options->for_late,
                               .input_threshold = { 50, 50 },
                               .output_threshold = { 50, 50 },
                               .slew_lower = { 20, 20 },
                               .slew_upper = { 80, 80 },
                               .slew_derate = 1,
                               .nom_process = NAN,
                               .nom_voltage = NAN,
                               .nom_temperature = NAN,
                               .default_max_slew = NAN,
                               .default_max_cap = NAN,
                               .default_max_fanout = NAN,
                               .default_fanout_load = NAN,
                               .default_input_cap = 0,
                               .default_output_cap = 0,
                               .default_inout_cap = 0,
                               .first_cell = reader->set->cells.len };
  if (!reader->library.for_early && !reader->library.for_late)
    reader->library.for_early = reader->library.for_late = true;
  memcpy(reader->scale, units.scale, sizeof units.scale);
  reader->scale[UNIT_COUNT] = 1;
  memset(reader->has_unit, 0, sizeof reader->has_unit);
  reader->default_leakage = 0;
  for (int i = 0; i < 3; i++) reader->threshold_at[i] = reader->at;
  reader->first_set = reader->set->factor_sets.len;
  reader->arc_depth_warned = false;
  reader->name_uses.len = 0;
  memset(reader->factor_at, 0, sizeof reader->factor_at);
  reader->templates.len = reader->template_axes.len = reader->types.len = 0;
  text_clear(&reader->bus_middle);
  text_clear(&reader->bus_tail);
  map_free(reader->template_by_name);
  map_free(reader->named_groups);
  reader->template_by_name = map_new();
  reader->named_groups = map_new();
  reader->library_id = reader->set->libraries.len;
  reader->first_arc = reader->set->arcs.len;
  array_push(&reader->set->libraries, reader->library);
}

static void scale(float *number, double by) { *number = (float)(*number * by); }

/* Factors by voltage are for one unit of the library. */
static void scale_factors(const Reader *reader, ScaleFactors *factors)
{
  for (int kind = 0; kind < SCALE_COUNT; kind++)
    scale(&factors->k[kind][SCALE_BY_VOLTAGE], 1 / reader->scale[UNIT_VOLTAGE]);
}

/* The library's own numbers wait for the units, which may stand after them. */
static void scale_library(Reader *reader)
{
  Library *library = &reader->library;
  LibrarySet *set = reader->set;
  float *pct[] = { library->input_threshold, library->output_threshold, library->slew_lower,
                   library->slew_upper };
  for (int i = 0; i < 4; i++)
    for (int e = 0; e < 2; e++) scale(&pct[i][e], 0.01);
  scale(&library->default_max_slew, reader->scale[UNIT_TIME]);
  scale(&library->nom_voltage, reader->scale[UNIT_VOLTAGE]);
  scale_factors(reader, &library->factors);
  for (uint32_t i = reader->first_set; i < set->factor_sets.len; i++)
    scale_factors(reader, &set->factor_sets.at[i].factors);
  float *caps[] = { &library->default_max_cap, &library->default_input_cap,
                    &library->default_output_cap, &library->default_inout_cap };
  for (int i = 0; i < 4; i++) scale(caps[i], reader->scale[UNIT_CAPACITANCE]);
  for (uint32_t i = 0; i < UNIT_COUNT; i++) library->units.scale[i] = reader->scale[i];
  for (uint32_t i = set->conditions.len;
       i-- > 0 && set->condition_library.at[i] == reader->library_id;)
    scale(&set->conditions.at[i].voltage, reader->scale[UNIT_VOLTAGE]);
  for (uint32_t i = set->wire_loads.len;
       i-- > 0 && set->wire_loads.at[i].library == reader->library_id;) {
    scale(&set->wire_loads.at[i].resistance, reader->scale[UNIT_RESISTANCE]);
    scale(&set->wire_loads.at[i].capacitance, reader->scale[UNIT_CAPACITANCE]);
  }
}

static Status check_thresholds(Reader *reader)
{
  const Where *at = reader->threshold_at;
  const Library *library = &reader->library;
  for (int e = 0; e < 2; e++) {
    if (!(library->slew_lower[e] >= 0 && library->slew_lower[e] < library->slew_upper[e]
          && library->slew_upper[e] <= 1))
      return log_error(reader->log, "LIB-014", at[THRESHOLD_SLEW],
                       "slew thresholds of %g %% and %g %%: expected 0 <= lower < upper <= 100",
                       library->slew_lower[e] * 100, library->slew_upper[e] * 100);
    if (!(library->input_threshold[e] > 0 && library->input_threshold[e] < 1
          && library->output_threshold[e] > 0 && library->output_threshold[e] < 1))
      return log_error(
          reader->log, "LIB-014", at[THRESHOLD_DELAY],
          "delay thresholds of %g %% and %g %%: expected more than 0 and less than 100",
          library->input_threshold[e] * 100, library->output_threshold[e] * 100);
  }
  if (!(library->slew_derate > 0))
    return log_error(reader->log, "LIB-014", at[THRESHOLD_DERATE],
                     "slew_derate_from_library is %g, expected more than 0", library->slew_derate);
  return OK;
}

static float default_cap(const Library *library, uint8_t direction)
{
  switch (direction) {
  case DIR_INPUT:  return library->default_input_cap;
  case DIR_OUTPUT: return library->default_output_cap;
  case DIR_INOUT:  return library->default_inout_cap;
  default:         return 0;
  }
}

/* Pins without a capacitance (NAN until here) and cells without leakage take the library's. */
static void apply_defaults(Reader *reader)
{
  LibrarySet *set = reader->set;
  for (CellId c = reader->library.first_cell; c < set->cells.len; c++) {
    LibCell *cell = &set->cells.at[c];
    if (isnan(cell->leakage))
      cell->leakage = (float)(reader->default_leakage * reader->scale[UNIT_POWER]);
    for (PortId p = cell->first_port; p < cell->first_port + cell->port_count; p++) {
      LibPort *port = &set->ports.at[p];
      float cap = default_cap(&reader->library, port->direction);
      if (isnan(port->cap_nominal)) port->cap_nominal = cap;
      for (int i = 0; i < CONDITION_COUNT; i++)
        if (isnan(port->cap[i])) port->cap[i] = port->cap_nominal;
    }
  }
}

static void warn_missing(Reader *reader, Where at)
{
  static const UnitKind needed[] = { UNIT_TIME, UNIT_CAPACITANCE };
  static const char *const taken[] = { "1ns", "1pF" };
  LibrarySet *set = reader->set;
  const char *name = names_text(set->names, reader->library.name);
  for (int i = 0; i < 2; i++)
    if (!reader->has_unit[needed[i]])
      log_warning(reader->log, "LIB-062", at, "library %s has no unit of %s; %s is taken", name,
                  unit_kind_name(needed[i]), taken[i]);
  if (reader->library.cell_count == 0)
    log_warning(reader->log, "LIB-050", at, "library %s has no cells", name);
  else if (set->arcs.len == reader->first_arc)
    log_warning(reader->log, "LIB-051", at, "library %s has no timing tables", name);
}

static Status read_library(Reader *reader, const AttributeRow *row)
{
  Where at = reader->at;
  (void)row;
  if (reader->args.len == 0)
    return log_error(reader->log, "LIB-013", at, "the library has no name");
  start_library(reader);
  if (read_group(reader, IN_LIBRARY, &reader->library) != OK) return FAILED;
  scale_library(reader);
  if (check_thresholds(reader) != OK) return FAILED;
  apply_defaults(reader);
  resolve_names(reader);
  warn_missing(reader, at);
  reader->library.cell_count = reader->set->cells.len - reader->library.first_cell;
  reader->set->libraries.at[reader->library_id] = reader->library;
  return OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

#define LIB_NUMBER(name, field) { name, IN_LIBRARY, FORM_VALUE, UNIT_COUNT, 0, \
    offsetof(Library, field), 0, set_number }
#define LIB_THRESHOLD(name, kind, field) { name, IN_LIBRARY, FORM_VALUE, UNIT_COUNT, kind, \
  offsetof(Library, field), 0, set_threshold }
#define LIB_NAME(name, kind, field) { name, IN_LIBRARY, FORM_VALUE, 0, kind, \
  offsetof(Library, field), 0, set_used_name }
#define LIB_FACTOR(name, kind, by) { name, IN_LIBRARY, FORM_VALUE, UNIT_COUNT, by, \
  offsetof(Library, factors.k[kind][by]), 0, set_factor }
#define FACTOR(name, kind, by) \
  LIB_FACTOR(name, kind, by), \
  { name, IN_FACTORS, FORM_VALUE, UNIT_COUNT, by, offsetof(FactorSet, factors.k[kind][by]), 0, \
    set_factor }
#define LIB_SCALE(what, kind)                         \
  FACTOR("k_process_" what, kind, SCALE_BY_PROCESS),  \
      FACTOR("k_volt_" what, kind, SCALE_BY_VOLTAGE), \
  FACTOR("k_temp_" what, kind, SCALE_BY_TEMPERATURE)
/* A group of factors applies to cells, not to wires. */
#define WIRE_FACTOR(name, kind, by) \
  LIB_FACTOR(name, kind, by), { name, IN_FACTORS, FORM_VALUE, 0, 0, 0, 0, count_only }
#define WIRE_SCALE(what, kind) \
  WIRE_FACTOR("k_process_" what, kind, SCALE_BY_PROCESS), \
  WIRE_FACTOR("k_volt_" what, kind, SCALE_BY_VOLTAGE), \
  WIRE_FACTOR("k_temp_" what, kind, SCALE_BY_TEMPERATURE)
#define LIB_UNIT(name, unit) { name, IN_LIBRARY, FORM_VALUE, unit, 0, 0, 0, set_unit }

static Status set_default_leakage(Reader *reader, const AttributeRow *row)
{
  double number;
  (void)row;
  if (value_number(reader, &number) != OK) return FAILED;
  reader->default_leakage = (float)number;
  return OK;
}

static Status set_threshold(Reader *reader, const AttributeRow *row)
{
  reader->threshold_at[row->code] = reader->at;
  return set_number(reader, row);
}

/* k_volt_cell_rise: row->code is the condition that it depends on (here: voltage). */
static Status set_factor(Reader *reader, const AttributeRow *row)
{
  if (set_number(reader, row) != OK) return FAILED;
  Where *first = &reader->factor_at[row->code];
  if (*(float *)((char *)reader->target + row->offset) != 0 && first->line == 0)
    *first = reader->at;
  return OK;
}

static Status read_factors(Reader *reader, const AttributeRow *row)
{
  FactorSet set = { .library = reader->library_id, .name = first_arg_name(reader) };
  if (set.name == NO_NAME)
    return log_error(reader->log, "LIB-013", reader->at, "%s has no name", row->name);
  if (!first_of_name(reader, IN_LIBRARY, row->name, set.name)) return lex_skip_group(reader);
  if (read_group(reader, IN_FACTORS, &set) != OK) return FAILED;
  array_push(&reader->set->factor_sets, set);
  return OK;
}

static const AttributeRow library_row[] = {
  { "library", IN_FILE, FORM_GROUP, 0, 0, 0, 0, read_library },
  { "delay_model", IN_LIBRARY, FORM_VALUE, 0, 0, 0, 0, set_delay_model },
  { "bus_naming_style", IN_LIBRARY, FORM_VALUE, 0, 0, 0, 0, set_bus_style },
  { "include_file", IN_LIBRARY, FORM_ARGS, 0, 0, 0, 0, warn_include },
  { "include_file", IN_FILE, FORM_ARGS, 0, 0, 0, 0, warn_include },
  LIB_UNIT("time_unit", UNIT_TIME),
  LIB_UNIT("voltage_unit", UNIT_VOLTAGE),
  LIB_UNIT("current_unit", UNIT_CURRENT),
  LIB_UNIT("pulling_resistance_unit", UNIT_RESISTANCE),
  LIB_UNIT("leakage_power_unit", UNIT_POWER),
  { "capacitive_load_unit", IN_LIBRARY, FORM_ARGS, 0, 0, 0, 0, set_load_unit },
  LIB_THRESHOLD("input_threshold_pct_rise", THRESHOLD_DELAY, input_threshold[RISE]),
  LIB_THRESHOLD("input_threshold_pct_fall", THRESHOLD_DELAY, input_threshold[FALL]),
  LIB_THRESHOLD("output_threshold_pct_rise", THRESHOLD_DELAY, output_threshold[RISE]),
  LIB_THRESHOLD("output_threshold_pct_fall", THRESHOLD_DELAY, output_threshold[FALL]),
  LIB_THRESHOLD("slew_lower_threshold_pct_rise", THRESHOLD_SLEW, slew_lower[RISE]),
  LIB_THRESHOLD("slew_lower_threshold_pct_fall", THRESHOLD_SLEW, slew_lower[FALL]),
  LIB_THRESHOLD("slew_upper_threshold_pct_rise", THRESHOLD_SLEW, slew_upper[RISE]),
  LIB_THRESHOLD("slew_upper_threshold_pct_fall", THRESHOLD_SLEW, slew_upper[FALL]),
  LIB_THRESHOLD("slew_derate_from_library", THRESHOLD_DERATE, slew_derate),
  LIB_NUMBER("nom_process", nom_process),
  LIB_NUMBER("nom_voltage", nom_voltage),
  LIB_NUMBER("nom_temperature", nom_temperature),
  LIB_NUMBER("default_max_transition", default_max_slew),
  LIB_NUMBER("default_max_capacitance", default_max_cap),
  LIB_NUMBER("default_max_fanout", default_max_fanout),
  LIB_NUMBER("default_fanout_load", default_fanout_load),
  LIB_NUMBER("default_input_pin_cap", default_input_cap),
  LIB_NUMBER("default_output_pin_cap", default_output_cap),
  LIB_NUMBER("default_inout_pin_cap", default_inout_cap),
  { "default_cell_leakage_power", IN_LIBRARY, FORM_VALUE, 0, 0, 0, 0, set_default_leakage },
  { "default_threshold_voltage_group", IN_LIBRARY, FORM_VALUE, 0, 0,
    offsetof(Library, default_threshold), 0, set_name },
  LIB_NAME("default_operating_conditions", NAMES_CONDITIONS, default_operating_conditions),
  LIB_NAME("default_wire_load", NAMES_WIRE_LOAD, default_wire_load),
  LIB_NAME("default_wire_load_mode", NAMES_WIRE_LOAD_MODE, default_wire_load_mode),
  LIB_SCALE("cell_rise", SCALE_CELL + RISE),
  LIB_SCALE("cell_fall", SCALE_CELL + FALL),
  LIB_SCALE("rise_transition", SCALE_TRANSITION + RISE),
  LIB_SCALE("fall_transition", SCALE_TRANSITION + FALL),
  LIB_SCALE("setup_rise", SCALE_SETUP + RISE),
  LIB_SCALE("setup_fall", SCALE_SETUP + FALL),
  LIB_SCALE("hold_rise", SCALE_HOLD + RISE),
  LIB_SCALE("hold_fall", SCALE_HOLD + FALL),
  LIB_SCALE("recovery_rise", SCALE_RECOVERY + RISE),
  LIB_SCALE("recovery_fall", SCALE_RECOVERY + FALL),
  LIB_SCALE("removal_rise", SCALE_REMOVAL + RISE),
  LIB_SCALE("removal_fall", SCALE_REMOVAL + FALL),
  LIB_SCALE("min_pulse_width_high", SCALE_PULSE + RISE),
  LIB_SCALE("min_pulse_width_low", SCALE_PULSE + FALL),
  LIB_SCALE("min_period", SCALE_PERIOD),
  LIB_SCALE("skew_rise", SCALE_SKEW + RISE),
  LIB_SCALE("skew_fall", SCALE_SKEW + FALL),
  LIB_SCALE("nochange_rise", SCALE_NOCHANGE + RISE),
  LIB_SCALE("nochange_fall", SCALE_NOCHANGE + FALL),
  LIB_SCALE("pin_cap", SCALE_PIN_CAP),
  WIRE_SCALE("wire_cap", SCALE_WIRE_CAP),
  WIRE_SCALE("wire_res", SCALE_WIRE_RES),
  { "lu_table_template", IN_LIBRARY, FORM_GROUP, 0, TEMPLATE_DELAY, 0, 0, read_template },
  { "power_lut_template", IN_LIBRARY, FORM_GROUP, 0, TEMPLATE_POWER, 0, 0, read_template },
  { "operating_conditions", IN_LIBRARY, FORM_GROUP, 0, 0, 0, 0, read_conditions },
  { "wire_load", IN_LIBRARY, FORM_GROUP, 0, 0, 0, 0, read_wire_load },
  { "wire_load_selection", IN_LIBRARY, FORM_GROUP, 0, 0, 0, 0, read_selection },
  { "type", IN_LIBRARY, FORM_GROUP, 0, 0, 0, 0, read_type },
  { "cell", IN_LIBRARY, FORM_GROUP, 0, 0, 0, 0, read_cell },
  { "scaled_cell", IN_LIBRARY, FORM_GROUP, 0, 1, 0, 0, read_cell },
  { "scaling_factors", IN_LIBRARY, FORM_GROUP, 0, 0, 0, 0, read_factors },

  { "process", IN_CONDITIONS, FORM_VALUE, UNIT_COUNT, 0, offsetof(OperatingConditions, process), 0,
    set_number },
  { "voltage", IN_CONDITIONS, FORM_VALUE, UNIT_COUNT, 0, offsetof(OperatingConditions, voltage), 0,
    set_number },
  { "temperature", IN_CONDITIONS, FORM_VALUE, UNIT_COUNT, 0,
    offsetof(OperatingConditions, temperature), 0, set_number },
  { "tree_type", IN_CONDITIONS, FORM_VALUE, 0, 0, 0, 0, set_tree_type },

  { "resistance", IN_WIRE_LOAD, FORM_VALUE, UNIT_COUNT, 0, offsetof(WireLoad, resistance), 0,
    set_number },
  { "capacitance", IN_WIRE_LOAD, FORM_VALUE, UNIT_COUNT, 0, offsetof(WireLoad, capacitance), 0,
    set_number },
  { "slope", IN_WIRE_LOAD, FORM_VALUE, UNIT_COUNT, 0, offsetof(WireLoad, slope), 0, set_number },
  { "fanout_length", IN_WIRE_LOAD, FORM_NUMBERS, 0, 0, 0, 0, add_fanout_length },
  { "wire_load_from_area", IN_SELECTION, FORM_ARGS, 0, 0, 0, 0, add_selection },

  { "bit_width", IN_TYPE, FORM_VALUE, 0, 0, offsetof(BusType, width), 0, set_integer },
  { "bit_from", IN_TYPE, FORM_VALUE, 0, 0, offsetof(BusType, from), offsetof(BusType, has_from),
    set_integer },
  { "bit_to", IN_TYPE, FORM_VALUE, 0, 0, offsetof(BusType, to), offsetof(BusType, has_to),
    set_integer },
  { "downto", IN_TYPE, FORM_VALUE, 0, 0, offsetof(BusType, downto), 0, set_bool },
  { "base_type", IN_TYPE, FORM_VALUE, 0, 0, 0, 0, count_only },
  { "data_type", IN_TYPE, FORM_VALUE, 0, 0, 0, 0, count_only },
};

static const RowTable library_rows = { library_row, sizeof library_row / sizeof *library_row };

static const RowTable *const all_rows[] = { &library_rows, &cell_rows, &table_rows, &mode_rows,
                                            &ocv_rows };

/* Rows are numbered through the tables. */
static const AttributeRow *row_number(uint32_t n)
{
  for (unsigned t = 0; t < sizeof all_rows / sizeof *all_rows; t++) {
    if (n < all_rows[t]->count) return &all_rows[t]->rows[n];
    n -= all_rows[t]->count;
  }
  return NULL;
}

enum { ROW_MASK = sizeof ((Reader *)0)->row_slots / sizeof ((Reader *)0)->row_slots[0] - 1 };

static uint32_t row_hash(GroupKind kind, uint32_t name_hash)
{
  return (name_hash + (uint32_t)kind * 0x9e3779b9u) & ROW_MASK;
}

static void index_rows(Reader *reader)
{
  const AttributeRow *row;
  for (uint32_t n = 0; (row = row_number(n)) != NULL; n++) {
    uint32_t s = row_hash((GroupKind)row->kind, hash_bytes(row->name, strlen(row->name)));
    while (reader->row_slots[s]) s = (s + 1) & ROW_MASK;
    reader->row_slots[s] = (uint16_t)(n + 1);
  }
}

static const AttributeRow *find_row(const Reader *reader, GroupKind kind, const char *word,
                                    size_t length, uint32_t hash)
{
  for (uint32_t s = row_hash(kind, hash); reader->row_slots[s]; s = (s + 1) & ROW_MASK) {
    const AttributeRow *row = row_number(reader->row_slots[s] - 1u);
    if (row->kind == kind && strncmp(row->name, word, length) == 0 && row->name[length] == '\0')
      return row;
  }
  return NULL;
}

/* --- statements ------------------------------------------------------------------------------- */

static const char *const kind_name[] = { [IN_FILE] = "file",
                                         [IN_LIBRARY] = "library",
                                         [IN_TEMPLATE] = "lu_table_template",
                                         [IN_TYPE] = "type",
                                         [IN_CONDITIONS] = "operating_conditions",
                                         [IN_WIRE_LOAD] = "wire_load",
                                         [IN_SELECTION] = "wire_load_selection",
                                         [IN_CELL] = "cell",
                                         [IN_PIN] = "pin",
                                         [IN_PG_PIN] = "pg_pin",
                                         [IN_SEQUENTIAL] = "ff",
                                         [IN_LEAKAGE] = "leakage_power",
                                         [IN_POWER] = "internal_power",
                                         [IN_TIMING] = "timing",
                                         [IN_TABLE] = "table",
                                         [IN_OWN_CHECK] = "min_pulse_width",
                                         [IN_MODE] = "mode_definition",
                                         [IN_MODE_VALUE] = "mode_value",
                                         [IN_FACTORS] = "scaling_factors",
                                         [IN_DERATES] = "ocv_derate" };

static void count_construct(LibertyTally *tally, NameId construct, uint32_t count)
{
  for (uint32_t i = 0; i < tally->unused.len; i++) {
    if (tally->unused.at[i].construct != construct) continue;
    tally->unused.at[i].count += count;
    return;
  }
  array_push(&tally->unused, (LibertyUnused){ construct, count });
}

static void count_word(Reader *reader, GroupKind kind, const char *word, size_t length,
                       uint32_t hash)
{
  uint64_t key = hash_pair((uint32_t)kind, hash);
  uint32_t i = map_get(reader->unused_by_name, key);
  if (i == MAP_NO_VALUE) {
    Text name = { 0 };
    text_printf(&name, "%s.%.*s", kind_name[kind], (int)(length < 200 ? length : 200), word);
    i = reader->unused.unused.len;
    array_push(&reader->unused.unused,
               (LibertyUnused){ names_add(reader->set->names, name.at, name.len), 0 });
    map_put(reader->unused_by_name, key, i);
    tell_unused(reader, kind, strchr(name.at, '.') + 1, name.at);
    text_free(&name);
  }
  reader->unused.unused.at[i].count++;
}

void count_unused(Reader *reader, GroupKind kind, const char *name)
{
  size_t length = strlen(name);
  count_word(reader, kind, name, length, hash_bytes(name, length));
}

/* NAME ( was read: what follows is passed over. */
static Status skip_args_or_group(Reader *reader)
{
  if (lex_skip_parens(reader) != OK) return FAILED;
  if (lex_skip(reader) != '{') return OK;
  reader->in->cur++;
  return lex_skip_group(reader);
}

/* NAME ( was read, and NAME is a row of this form. */
static Status run_args_or_group(Reader *reader, const AttributeRow *row)
{
  Status status = row->form == FORM_NUMBERS ? lex_numbers(reader) : lex_args(reader);
  if (status != OK) return FAILED;
  bool group = lex_skip(reader) == '{';
  if (group != (row->form == FORM_GROUP))
    return log_error(reader->log, "LIB-002", input_where(reader->in),
                     group ? "%s is an attribute, not a group" : "expected '{' after %s (...)",
                     row->name);
  if (group) reader->in->cur++;
  return row->run(reader, row);
}

/* If an attribute with one value is given twice, the last one counts. */
static void note_given(Reader *reader, const AttributeRow *row)
{
  uint32_t hash = hash_bytes(text_get(&reader->value), reader->value.len);
  if (row->run == count_only) return;
  for (uint32_t i = reader->first_given; i < reader->given.len; i++) {
    Given *given = &reader->given.at[i];
    if (given->row != row) continue;
    if (given->value != hash)
      log_warning(reader->log, "LIB-095", reader->at,
                  "%s has another value in the same %s group before; the last one stays", row->name,
                  kind_name[row->kind]);
    given->value = hash;
    return;
  }
  array_push(&reader->given, (Given){ row, hash });
}

static Status run_value(Reader *reader, const AttributeRow *row)
{
  if (lex_value(reader) != OK) return FAILED;
  if (row == NULL) return OK;
  note_given(reader, row);
  return row->run(reader, row);
}

static Status read_statement(Reader *reader, GroupKind kind)
{
  char *word;
  reader->at = input_where(reader->in);
  size_t length = lex_word(reader, &word);
  if (length == 0)
    return lex_unexpected(reader, ", expected a name");
  uint32_t hash = hash_bytes(word, length);
  const AttributeRow *row = find_row(reader, kind, word, length, hash);
  if (kind == IN_FILE && row == NULL)
    return log_error(reader->log, "LIB-004", reader->at, "expected a library group, found \"%.*s\"",
                     (int)(length < 60 ? length : 60), word);
  if (row == NULL) count_word(reader, kind, word, length, hash);
  int c = lex_skip(reader);
  if (c != ':' && c != '(')
    return c ? log_error(reader->log, "LIB-002", input_where(reader->in),
                         "expected ':' or '(' after a name")
             : lex_ends(reader, "a statement");
  reader->in->cur++;
  if (row && (row->form == FORM_VALUE) != (c == ':'))
    return log_error(reader->log, "LIB-002", reader->at,
                     row->form == FORM_VALUE ? "expected ':' after %s" : "expected '(' after %s",
                     row->name);
  if (c == ':') return run_value(reader, row);
  return row ? run_args_or_group(reader, row) : skip_args_or_group(reader);
}

static Status ends_in_group(Reader *reader, GroupKind kind, uint32_t line)
{
  char inside[80];
  snprintf(inside, sizeof inside, "the %s group that begins in line %u", kind_name[kind], line);
  return lex_ends(reader, inside);
}

Status read_group(Reader *reader, GroupKind kind, void *target)
{
  void *outer = reader->target;
  uint32_t line = reader->at.line, outer_given = reader->first_given;
  reader->first_given = reader->given.len;
  for (;;) {
    int c = lex_skip(reader);
    if (c == '}') {
      reader->in->cur++;
      break;
    }
    if (c == 0) return ends_in_group(reader, kind, line);
    if (c == ';' || c == ',') {
      reader->in->cur++;
      continue;
    }
    reader->target = target;
    if (read_statement(reader, kind) != OK) return FAILED;
  }
  reader->target = outer;
  reader->given.len = reader->first_given;
  reader->first_given = outer_given;
  return OK;
}

static Status read_file(Reader *reader)
{
  bool any = false;
  for (int c; (c = lex_skip(reader)) != 0;) {
    if (c == ';') {
      reader->in->cur++;
      continue;
    }
    if (read_statement(reader, IN_FILE) != OK) return FAILED;
    any = true;
  }
  if (reader->in->failed || reader->in->cur != reader->in->end || reader->open_comment.line)
    return lex_ends(reader, "the file");
  if (!any || reader->library_id == NO_LIBRARY)
    return log_error(reader->log, "LIB-004", (Where){ reader->in->path, 0, 0 },
                     "there is no library group in the file");
  return OK;
}

/* --- entry ------------------------------------------------------------------------------------ */

static void free_reader(Reader *reader)
{
  map_free(reader->unused_by_name);
  map_free(reader->template_by_name);
  map_free(reader->named_groups);
  array_free(&reader->unused.unused);
  text_free(&reader->value);
  text_free(&reader->arg_text);
  array_free(&reader->args);
  array_free(&reader->numbers);
  array_free(&reader->templates);
  array_free(&reader->template_axes);
  array_free(&reader->types);
  array_free(&reader->facts);
  array_free(&reader->pin_groups);
  array_free(&reader->targets);
  array_free(&reader->vectors);
  array_free(&reader->timings);
  array_free(&reader->modes);
  array_free(&reader->mode_uses);
  array_free(&reader->powers);
  array_free(&reader->sequentials);
  array_free(&reader->leakages);
  array_free(&reader->nodes);
  array_free(&reader->retaining);
  array_free(&reader->retained);
  array_free(&reader->name_uses);
  array_free(&reader->given);
  array_free(&reader->related);
  text_free(&reader->texts);
  text_free(&reader->bus_middle);
  text_free(&reader->bus_tail);
  for (int i = 0; i < 3; i++) array_free(&reader->axis[i]);
  array_free(&reader->values);
  array_free(&reader->floats);
  mem_free(reader);
}

static Status read_input(LibrarySet *set, Input *in, const LibertyOptions *options, Log *log)
{
  static const LibertyOptions both = { true, true, NULL };
  LibraryMark mark = library_begin(set);
  if (in == NULL) return FAILED;
  Reader *reader = mem_alloc_zero(1, sizeof *reader);
  reader->in = in;
  reader->log = log;
  reader->set = set;
  reader->options = options ? options : &both;
  reader->library_id = NO_LIBRARY;
  reader->unused_by_name = map_new();
  index_rows(reader);
  Status status = read_file(reader);
  if (status == OK) library_commit(set, &mark);
  else library_rollback(set, &mark);
  if (status == OK && reader->options->tally)
    for (uint32_t i = 0; i < reader->unused.unused.len; i++)
      count_construct(reader->options->tally, reader->unused.unused.at[i].construct,
                      reader->unused.unused.at[i].count);
  free_reader(reader);
  input_close(in);
  return status;
}

Status read_liberty(LibrarySet *set, const char *path, const LibertyOptions *options, Log *log)
{
  return read_input(set, input_open(path, log), options, log);
}

Status read_liberty_text(LibrarySet *set, const char *path, const char *text,
                         const LibertyOptions *options, Log *log)
{
  return read_input(set, input_open_text(path, text, log), options, log);
}

bool liberty_construct(uint32_t i, Text *construct)
{
  const AttributeRow *row = row_number(i);
  if (row == NULL) return false;
  text_printf(construct, "%s.%s", kind_name[row->kind], row->name);
  return true;
}

void liberty_tally_free(LibertyTally *tally) { array_free(&tally->unused); }
