/* Reads templates and tables, brings the axes into the order of Table, and converts units. */
#include <math.h>
#include <stddef.h>
#include <strings.h>

#include "read/liberty/liberty_reader.h"

/* --- templates -------------------------------------------------------------------------------- */

/* The place of a file's axis in a Table, and its unit.  Other axes make a table unusable. */
enum { OF_OUTPUTS = 1 << VALUE_TIME | 1 << VALUE_POWER, OF_CHECKS = 1 << VALUE_CHECK,
       OF_DERATES = 1 << VALUE_DERATE };

static const struct {
  const char *name;
  uint8_t role, unit, fits;
} variables[] = {
  { "input_net_transition", AXIS_FIRST, UNIT_TIME, OF_OUTPUTS },
  { "input_transition_time", AXIS_FIRST, UNIT_TIME, OF_OUTPUTS },
  { "related_pin_transition", AXIS_FIRST, UNIT_TIME, OF_CHECKS },
  { "total_output_net_capacitance", AXIS_SECOND, UNIT_CAPACITANCE, OF_OUTPUTS },
  { "constrained_pin_transition", AXIS_SECOND, UNIT_TIME, OF_CHECKS },
  { "path_distance", AXIS_FIRST, UNIT_COUNT, OF_DERATES },
  { "path_depth", AXIS_SECOND, UNIT_COUNT, OF_DERATES },
};

/* Variables of tables that are not read: of noise, currents, nets, wires. */
static const char *const other_variables[] = {
  "output_net_length", "output_net_wire_cap", "output_net_pin_cap", "output_pin_transition",
  "output_transition", "connect_delay", "related_out_total_output_net_capacitance",
  "related_out_output_net_length", "related_out_output_net_wire_cap",
  "related_out_output_net_pin_cap", "equal_or_opposite_output_net_capacitance",
  "fanout_number", "fanout_pin_capacitance", "driver_slew", "time", "iv_output_voltage",
  "input_noise_width", "input_noise_height", "input_voltage", "output_voltage",
  "normalized_voltage", "temperature", "voltage", "process", "frequency"
};

static void check_other_variable(Reader *reader, const AttributeRow *row)
{
  const char *text = text_get(&reader->value);
  for (unsigned i = 0; i < sizeof other_variables / sizeof *other_variables; i++)
    if (strcmp(text, other_variables[i]) == 0) return;
  log_warning(reader->log, "LIB-061", reader->value_at,
              "%s \"%.60s\" is unknown; tables of the template "
              "cannot be used",
              row->name, text);
}

static Status set_variable(Reader *reader, const AttributeRow *row)
{
  Template *the_template = reader->target;
  int i = row->code;
  the_template->role[i] = AXIS_UNKNOWN;
  the_template->unit[i] = UNIT_COUNT;
  for (unsigned v = 0; v < sizeof variables / sizeof *variables; v++) {
    if (strcmp(text_get(&reader->value), variables[v].name) != 0) continue;
    the_template->role[i] = variables[v].role;
    the_template->unit[i] = variables[v].unit;
    the_template->fits[i] = variables[v].fits;
  }
  if (the_template->role[i] == AXIS_UNKNOWN) check_other_variable(reader, row);
  if (i >= the_template->variable_count) the_template->variable_count = (uint8_t)(i + 1);
  return OK;
}

static Status check_not_empty(Reader *reader, const AttributeRow *row)
{
  return reader->numbers.len ? OK
                             : log_error(reader->log, "LIB-009", reader->at,
                                         "%s is empty, expected numbers", row->name);
}

static Status set_template_axis(Reader *reader, const AttributeRow *row)
{
  Template *the_template = reader->target;
  if (check_not_empty(reader, row) != OK) return FAILED;
  the_template->first[row->code] = reader->template_axes.len;
  the_template->count[row->code] = reader->numbers.len;
  for (uint32_t i = 0; i < reader->numbers.len; i++)
    array_push(&reader->template_axes, reader->numbers.at[i]);
  return OK;
}

Status read_template(Reader *reader, const AttributeRow *row)
{
  Template t = { 0 };
  if (reader->args.len == 0)
    return log_error(reader->log, "LIB-013", reader->at, "%s has no name", row->name);
  t.name = plain_name(reader, arg(reader, 0), strlen(arg(reader, 0)));
  if (!first_of_name(reader, IN_LIBRARY, row->name, t.name)) return lex_skip_group(reader);
  Where at = reader->at;
  if (read_group(reader, IN_TEMPLATE, &t) != OK) return FAILED;
  for (int i = t.variable_count; i < 3; i++)
    if (t.count[i])
      log_warning(reader->log, "LIB-093", at,
                  "%s %s: index_%d has no effect, as there is no variable_%d", row->name,
                  names_text(reader->set->names, t.name), i + 1, i + 1);
  map_put(reader->template_by_name, hash_pair(row->code, t.name), reader->templates.len);
  array_push(&reader->templates, t);
  return OK;
}

/* --- tables: reading the group ---------------------------------------------------------------- */

static void swap_numbers(Numbers *a, Numbers *b)
{
  Numbers c = *a;
  *a = *b;
  *b = c;
}

static Status set_axis(Reader *reader, const AttributeRow *row)
{
  if (check_not_empty(reader, row) != OK) return FAILED;
  swap_numbers(&reader->numbers, &reader->axis[row->code]);
  reader->axis_at[row->code] = reader->at;
  return OK;
}

static Status set_values(Reader *reader, const AttributeRow *row)
{
  (void)row;
  swap_numbers(&reader->numbers, &reader->values);
  reader->values_at = reader->at;
  return OK;
}

static Status set_sigma(Reader *reader, const AttributeRow *row)
{
  const char *text = text_get(&reader->value);
  (void)row;
  reader->sigma = 1 << EARLY | 1 << LATE;
  if (strcmp(text, "early") == 0) reader->sigma = 1 << EARLY;
  else if (strcmp(text, "late") == 0) reader->sigma = 1 << LATE;
  else if (strcmp(text, "early_and_late") != 0)
    log_warning(reader->log, "LIB-061", reader->value_at,
                "sigma_type \"%.60s\" is unknown; early_and_late is taken", text);
  return OK;
}

/* --- tables: checks and storing --------------------------------------------------------------- */

/* An axis of the table in hand: its own numbers, or the template's. */
typedef struct {
  const double *at;
  uint32_t count;
  double   scale;
  Where    where;
} Axis;

static bool is_scalar_name(const char *name)
{
  return name[0] == '\0' || strcasecmp(name, "scalar") == 0;
}

static Template *find_template(const Reader *reader, TableValue value, NameId name)
{
  uint32_t own = value == VALUE_POWER ? TEMPLATE_POWER : value == VALUE_DERATE ? TEMPLATE_OCV
      : TEMPLATE_DELAY;
  uint32_t i = map_get(reader->template_by_name, hash_pair(own, name));
  for (uint32_t kind = TEMPLATE_DELAY; kind <= TEMPLATE_OCV && i == MAP_NO_VALUE; kind++)
    i = map_get(reader->template_by_name, hash_pair(kind, name));
  return i == MAP_NO_VALUE ? NULL : &reader->templates.at[i];
}

/* Returns true if a variable belongs to another kind of table.  The variables of a power table are
   those of its inputs and outputs in any order. */
static bool misfits(const Template *the_template, int i, TableValue value)
{
  return value != VALUE_POWER && !(the_template->fits[i] >> value & 1);
}

/* Why the tables of a template cannot be used, or NULL. */
static const char *unusable(const Template *the_template, TableValue value)
{
  if (the_template->variable_count > 2) return "it has three variables";
  for (int i = 0; i < the_template->variable_count; i++)
    if (the_template->role[i] == AXIS_UNKNOWN || the_template->role[i] == AXIS_NONE)
      return "a variable of its template is unknown";
  if (the_template->variable_count == 2 && the_template->role[0] == the_template->role[1])
    return "its two variables mean the same axis";
  for (int i = 0; i < the_template->variable_count; i++) {
    bool of_paths = the_template->fits[i] == OF_DERATES, of_derate = value == VALUE_DERATE;
    if (of_derate != of_paths)
      return of_derate ? "a derate depends on depth and distance"
          : "a variable of its template is one of derates";
  }
  return NULL;
}

/* An axis has the unit of its variable. */
static double axis_scale(const Reader *reader, const Template *the_template, int i,
                         TableValue value)
{
  if (misfits(the_template, i, value))
    return reader
        ->scale[value == VALUE_TIME && the_template->role[i] == AXIS_SECOND ? UNIT_CAPACITANCE
                                                                            : UNIT_TIME];
  return reader->scale[the_template->unit[i]];
}

static Status take_axis(Reader *reader, const Template *the_template, int i, TableValue value,
                        Axis *axis)
{
  Numbers *own = &reader->axis[i];
  double scale = axis_scale(reader, the_template, i, value);
  *axis = (Axis){ own->at, own->len, scale, reader->axis_at[i] };
  if (own->len == 0)
    *axis = (Axis){ reader->template_axes.at + the_template->first[i], the_template->count[i],
                    scale, reader->values_at };
  if (axis->count == 0)
    return log_error(reader->log, "LIB-010", axis->where,
                     "neither the table nor its template %s has index_%d",
                     names_text(reader->set->names, the_template->name), i + 1);
  if (axis->count > UINT16_MAX)
    return log_error(reader->log, "LIB-016", axis->where,
                     "index_%d has %u values, at most %d are possible", i + 1, axis->count,
                     UINT16_MAX);
  return OK;
}

/* Appends the scaled axis to floats.  It must still rise there: in float, in our units. */
static Status add_axis(Reader *reader, const Axis *axis, int i)
{
  for (uint32_t k = 0; k < axis->count; k++) {
    float x = (float)(axis->at[k] * axis->scale);
    if (!isfinite(x))
      return log_error(reader->log, "LIB-006", axis->where, "value %u of index_%d is too large",
                       k + 1, i + 1);
    if (k && !(x > reader->floats.at[reader->floats.len - 1]))
      return log_error(reader->log, "LIB-008", axis->where,
                       "index_%d does not rise strictly: %g after %g", i + 1, axis->at[k],
                       axis->at[k - 1]);
    array_push(&reader->floats, x);
  }
  return OK;
}

/* Appends the n1 x n2 scaled values with the second axis innermost. */
static Status add_values(Reader *reader, uint32_t n1, uint32_t n2, bool transpose, double scale)
{
  uint64_t count = (uint64_t)n1 * n2;
  if (reader->values.len != count)
    return log_error(reader->log, "LIB-009", reader->values_at,
                     "expected %llu values (%u x %u), found %u", (unsigned long long)count, n1, n2,
                     reader->values.len);
  array_reserve(&reader->floats, reader->floats.len + count);
  for (uint32_t i = 0; i < n1; i++) {
    for (uint32_t j = 0; j < n2; j++) {
      float v = (float)(reader->values.at[transpose ? j * n1 + i : i * n2 + j] * scale);
      if (!isfinite(v))
        return log_error(reader->log, "LIB-006", reader->values_at,
                         "a value of the table is too large");
      array_push(&reader->floats, v);
    }
  }
  return OK;
}

/* Energies are capacitance times voltage squared: fJ. */
static double value_scale(const Reader *reader, TableValue value)
{
  if (value == VALUE_DERATE) return 1;
  if (value != VALUE_POWER) return reader->scale[UNIT_TIME];
  return reader->scale[UNIT_CAPACITANCE] * reader->scale[UNIT_VOLTAGE]
         * reader->scale[UNIT_VOLTAGE];
}

/* Variables of another kind of table count by their place, once told.  A table by one transition
   alone may be that of a pulse width, which has the pin's own by any name. */
static void warn_misfit(Reader *reader, Template *the_template, TableValue value, Where at)
{
  static const char *const meaning[] = { [AXIS_FIRST] = "the transition of the related pin",
                                         [AXIS_SECOND] = "the load" };
  if (the_template == NULL || the_template->warned >> value & 1) return;
  for (int i = 0; i < the_template->variable_count; i++) {
    bool first = the_template->role[i] == AXIS_FIRST,
         lone = the_template->variable_count == 1 && first && value == VALUE_CHECK;
    if (!misfits(the_template, i, value) || lone) continue;
    the_template->warned |= (uint8_t)(1u << value);
    log_warning(reader->log, "LIB-077", at,
                "variable_%d of template %s is none of tables of %s; there it is taken for %s",
                i + 1, names_text(reader->set->names, the_template->name),
                value == VALUE_CHECK ? "margins" : "delays",
                !first && value == VALUE_CHECK ? "the transition of the constrained pin"
                                               : meaning[the_template->role[i]]);
  }
}

static Status store_table(Reader *reader, const Template *the_template, TableValue value,
                          TableId *table)
{
  Axis axis[2] = { { .count = 1 }, { .count = 1 } };      /* by place in the Table */
  bool has[2] = { false, false };
  for (int i = 0; the_template && i < the_template->variable_count; i++) {
    int k = the_template->role[i] == AXIS_SECOND;
    has[k] = true;
    if (take_axis(reader, the_template, i, value, &axis[k]) != OK) return FAILED;
  }
  bool transpose =
      the_template && the_template->variable_count == 2 && the_template->role[0] == AXIS_SECOND;
  uint32_t n1 = axis[0].count, n2 = axis[1].count;
  reader->floats.len = 0;
  if (has[0] && add_axis(reader, &axis[0], transpose) != OK) return FAILED;
  if (has[1] && add_axis(reader, &axis[1], has[0] && !transpose) != OK) return FAILED;
  uint32_t first = reader->floats.len;
  if (add_values(reader, n1, n2, transpose, value_scale(reader, value)) != OK) return FAILED;
  if (reader->set->pool.len + (uint64_t)reader->floats.len + 2 >= UINT32_MAX)
    return log_error(reader->log, "LIB-016", reader->values_at,
                     "all tables together have more than 4 billion values");
  const float *f = reader->floats.at;
  *table = library_add_table(reader->set, has[0] ? f : NULL, n1,
                             has[1] ? f + (has[0] ? n1 : 0) : NULL, n2, f + first);
  return OK;
}

static Status check_axes(Reader *reader, const Template *the_template, Where at)
{
  for (int i = the_template ? the_template->variable_count : 0; i < 3; i++)
    if (reader->axis[i].len)
      return log_error(reader->log, "LIB-010", reader->axis_at[i],
                       "index_%d in a table whose template has %s variables", i + 1,
                       i == 0 ? "no" : "fewer");
  if (reader->values.len == 0)
    return log_error(reader->log, "LIB-009", at, "the table has no values");
  return OK;
}

Status read_table(Reader *reader, TableValue value, TableId *table)
{
  const char *text = reader->args.len ? arg(reader, 0) : "";
  bool scalar = is_scalar_name(text);
  NameId name = scalar ? NO_NAME : plain_name(reader, text, strlen(text));
  Where at = reader->at;
  *table = NO_TABLE;
  for (int i = 0; i < 3; i++) reader->axis[i].len = 0;
  reader->values.len = 0;
  reader->values_at = at;
  reader->sigma = reader->edges = reader->analyses = reader->paths = 3;
  if (read_group(reader, IN_TABLE, reader) != OK) return FAILED;
  Template *the_template = scalar ? NULL : find_template(reader, value, name);
  const char *why = scalar         ? NULL
                    : the_template ? unusable(the_template, value)
                                   : "its template is unknown";
  if (why) {
    log_warning(reader->log, "LIB-054", at, "the table (template %s) is left out: %s",
                names_text(reader->set->names, name), why);
    return OK;
  }
  if (check_axes(reader, the_template, at) != OK) return FAILED;
  warn_misfit(reader, the_template, value, at);
  return store_table(reader, the_template, value, table);
}

/* --- rows ------------------------------------------------------------------------------------- */

static const AttributeRow table_row[] = {
  { "variable_1", IN_TEMPLATE, FORM_VALUE, 0, 0, 0, 0, set_variable },
  { "variable_2", IN_TEMPLATE, FORM_VALUE, 0, 1, 0, 0, set_variable },
  { "variable_3", IN_TEMPLATE, FORM_VALUE, 0, 2, 0, 0, set_variable },
  { "index_1", IN_TEMPLATE, FORM_NUMBERS, 0, 0, 0, 0, set_template_axis },
  { "index_2", IN_TEMPLATE, FORM_NUMBERS, 0, 1, 0, 0, set_template_axis },
  { "index_3", IN_TEMPLATE, FORM_NUMBERS, 0, 2, 0, 0, set_template_axis },
  { "index_1", IN_TABLE, FORM_NUMBERS, 0, 0, 0, 0, set_axis },
  { "index_2", IN_TABLE, FORM_NUMBERS, 0, 1, 0, 0, set_axis },
  { "index_3", IN_TABLE, FORM_NUMBERS, 0, 2, 0, 0, set_axis },
  { "values", IN_TABLE, FORM_NUMBERS, 0, 0, 0, 0, set_values },
  { "sigma_type", IN_TABLE, FORM_VALUE, 0, 0, 0, 0, set_sigma },
};

const RowTable table_rows = { table_row, sizeof table_row / sizeof *table_row };
