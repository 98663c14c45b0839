/* Derates by depth and distance of paths (AOCV) in a library:

     ocv_table_template (t) { variable_1 : path_depth; index_1 ("1, 2, 4"); }
     ocv_derate (slow) {
       ocv_derate_factors (t) {
         rf_type : rise_and_fall; derate_type : late; path_type : data;
         values ("1.2, 1.1, 1.05");
       }
     }
     default_ocv_derate_group : slow;       of the library's cells
     ocv_derate_group : slow;               of a cell

   They end up in a Variation, as tables of library cells. */
#include <stddef.h>

#include "read/liberty/liberty_reader.h"

/* --- words ------------------------------------------------------------------------------------ */

typedef struct {
  const char *name;
  uint8_t bits;
} Word;

enum { WORDS = 3 };
static const Word words[][WORDS] = {
  { { "rise", 1 << RISE }, { "fall", 1 << FALL }, { "rise_and_fall", 3 } },
  { { "early", 1 << EARLY }, { "late", 1 << LATE }, { "early_and_late", 3 } },
  { { "data", 1 }, { "clock", 2 }, { "clock_and_data", 3 } },
};

/* row->code: which words; row->offset: the byte of the Reader that they go to. */
static Status set_word(Reader *reader, const AttributeRow *row)
{
  const char *text = text_get(&reader->value);
  uint8_t *bits = (uint8_t *)reader + row->offset;
  for (int i = 0; i < WORDS; i++)
    if (strcmp(text, words[row->code][i].name) == 0) {
      *bits = words[row->code][i].bits;
      return OK;
    }
  log_warning(reader->log, "LIB-061", reader->value_at, "%s \"%.60s\" is unknown; %s is taken",
              row->name, text, words[row->code][2].name);
  *bits = 3;
  return OK;
}

/* --- groups ----------------------------------------------------------------------------------- */

static Status read_derates(Reader *reader, const AttributeRow *row)
{
  if (reader->args.len != 1)
    return log_error(reader->log, "LIB-013", reader->at, "expected %s (name)", row->name);
  LibDerate d = { .library = reader->library_id,
                  .name = plain_name(reader, arg(reader, 0), strlen(arg(reader, 0))),
                  .cell = row->kind == IN_CELL ? reader->cell_id : NO_CELL };
  if (!first_of_name(reader, (GroupKind)row->kind, row->name, d.name))
    return lex_skip_group(reader);
  return read_group(reader, IN_DERATES, &d);
}

static bool all_above_zero(const LibrarySet *set, TableId table)
{
  const Table *the_table = &set->tables.at[table];
  const float *values = &set->pool.at[the_table->first + the_table->n1 + the_table->n2];
  for (uint32_t i = 0; i < (uint32_t)the_table->n1 * the_table->n2; i++)
    if (!(values[i] > 0)) return false;
  return true;
}

static uint8_t conditions_of(const Reader *reader)
{
  uint8_t bits = 0;
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (reader->edges >> (k & 1) & 1 && reader->analyses >> (k >> 1) & 1)
      bits |= (uint8_t)(1u << k);
  return bits;
}

/* Returns true if two tables of one group apply to a common delay. */
static bool overlap(const LibDerate *a, const LibDerate *b)
{
  return a->library == b->library && a->cell == b->cell && a->name == b->name
      && a->conditions & b->conditions && a->paths & b->paths;
}

static void warn_overlap(Reader *reader, const LibDerate *derate, Where at)
{
  for (uint32_t i = 0; i < reader->set->derates.len; i++)
    if (overlap(&reader->set->derates.at[i], derate)) {
      log_warning(reader->log, "OCV-105", at,
                  "ocv_derate %s has another table for the same edges, "
                  "analyses and paths before; there the last one stays",
                  names_text(reader->set->names, derate->name));
      return;
    }
}

static Status read_factors(Reader *reader, const AttributeRow *row)
{
  LibDerate d = *(LibDerate *)reader->target;
  Where at = reader->at;
  (void)row;
  if (read_table(reader, VALUE_DERATE, &d.table) != OK) return FAILED;
  if (d.table == NO_TABLE) return OK;
  if (!all_above_zero(reader->set, d.table)) {
    log_warning(reader->log, "OCV-104", at,
                "a derate of ocv_derate %s is not above 0; the table is left out",
                names_text(reader->set->names, d.name));
    return OK;
  }
  d.conditions = conditions_of(reader);
  d.paths = reader->paths;
  warn_overlap(reader, &d, at);
  array_push(&reader->set->derates, d);
  return OK;
}

/* Depth counts every arc as one. */
static Status set_arc_depth(Reader *reader, const AttributeRow *row)
{
  double depth;
  (void)row;
  if (value_number(reader, &depth) != OK) return FAILED;
  if (depth == 1 || reader->arc_depth_warned) return OK;
  reader->arc_depth_warned = true;
  log_warning(reader->log, "OCV-102", reader->value_at,
              "ocv_arc_depth %g is not used: depths of paths count every arc of a cell as 1; other "
              "arcs of the library are not told",
              depth);
  return OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

#define DERATE_WORD(name, which, field) { name, IN_TABLE, FORM_VALUE, 0, which, \
    offsetof(Reader, field), 0, set_word }
#define ARC_DEPTH(kind) { "ocv_arc_depth", kind, FORM_VALUE, 0, 0, 0, 0, set_arc_depth }

static const AttributeRow ocv_row[] = {
  { "ocv_table_template", IN_LIBRARY, FORM_GROUP, 0, TEMPLATE_OCV, 0, 0, read_template },
  { "ocv_derate", IN_LIBRARY, FORM_GROUP, 0, 0, 0, 0, read_derates },
  { "ocv_derate", IN_CELL, FORM_GROUP, 0, 0, 0, 0, read_derates },
  { "ocv_derate_factors", IN_DERATES, FORM_GROUP, 0, 0, 0, 0, read_factors },
  { "default_ocv_derate_group", IN_LIBRARY, FORM_VALUE, 0, NAMES_DEFAULT_DERATES,
    offsetof(Library, default_derates), 0, set_used_name },
  { "ocv_derate_group", IN_CELL, FORM_VALUE, 0, NAMES_DERATES, offsetof(LibCell, derates), 0,
    set_used_name },
  DERATE_WORD("rf_type", 0, edges), DERATE_WORD("derate_type", 1, analyses),
      DERATE_WORD("path_type", 2, paths),
  ARC_DEPTH(IN_LIBRARY), ARC_DEPTH(IN_CELL), ARC_DEPTH(IN_TIMING),
};

const RowTable ocv_rows = { ocv_row, sizeof ocv_row / sizeof *ocv_row };
