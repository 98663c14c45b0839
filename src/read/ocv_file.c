/* Reads an OCV file line by line; a group ends where the next one begins. */
#include "read/ocv_file.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/input.h"

typedef enum {
  FIELD_VERSION,
  FIELD_KIND,
  FIELD_OBJECT,
  FIELD_EDGES,
  FIELD_DELAYS,
  FIELD_ANALYSIS,
  FIELD_PATHS,
  FIELD_SPEC,
  FIELD_DEPTH,
  FIELD_DISTANCE,
  FIELD_TABLE,
  FIELD_COEFFICIENT,
  FIELD_COUNT,
  FIELD_OTHER
} Field;

static const char *const field_names[FIELD_COUNT] = { "version",   "ocvm_type",   "object_type",
                                                      "rf_type",   "delay_type",  "derate_type",
                                                      "path_type", "object_spec", "depth",
                                                      "distance",  "table",       "coefficient" };

typedef ARRAY(float) Numbers;

typedef struct {
  OcvFile *file;
  Log     *log;
  Input   *in;
  const char *path;                /* the caller's: places outlive the input */
  Text     line;
  uint32_t line_number;
  Field    field;                  /* that the next lines go on with */
  /* the group at work */
  uint32_t given;                  /* bits by Field */
  Where    where;
  uint32_t object_type, edges, delays, analyses, paths, spec;
  Numbers  depth, distance, table, coefficient;
} Reader;

static Where at_line(const Reader *reader)
{
  return (Where){ reader->path, reader->line_number, 0 };
}

/* --- lines ------------------------------------------------------------------------------------ */
/* The next line without its comment; false at the end. */
static bool next_line(Reader *reader)
{
  reader->line_number = reader->in->line;
  return input_line(reader->in, &reader->line);
}

static void cut_comment(Reader *reader)
{
  for (size_t i = 0; i < reader->line.len; i++) {
    const char *p = reader->line.at + i;
    if ((*p == '#' || (p[0] == '/' && p[1] == '/')) && (i == 0 || isspace((unsigned char)p[-1]))) {
      reader->line.at[i] = '\0';
      reader->line.len = i;
      return;
    }
  }
}

static const char *skip_space(const char *p)
{
  while (isspace((unsigned char)*p)) p++;
  return p;
}

/* --- words of a field ------------------------------------------------------------------------- */
typedef struct {
  const char *word;
  uint32_t    bits;
} Choice;

static const Choice edge_words[] = {
  { "rise", 1u << RISE }, { "fall", 1u << FALL }, { "rise_fall", 3 }, { NULL, 0 }
};
static const Choice delay_words[] = {
  { "cell", 1u << OCV_CELL }, { "net", 1u << OCV_NET }, { "cell_net", 3 }, { NULL, 0 }
};
static const Choice analysis_words[] = {
  { "early", 1u << EARLY }, { "late", 1u << LATE }, { "early_late", 3 }, { NULL, 0 }
};
static const Choice path_words[] = {
  { "data", 1u << PATH_DATA }, { "clock", 1u << PATH_CLOCK }, { "clock_data", 3 }, { NULL, 0 }
};
static const Choice object_words[] = { { "design", OBJ_DESIGN },
                                       { "lib_cell", OBJ_LIB_CELL },
                                       { "cell", OBJ_CELL },
                                       { "net", OBJ_NET },
                                       { NULL, 0 } };

/* The next word of a text, words being parted by space and commas; false when there is none. */
static bool next_word(const char **p, char *word, size_t room)
{
  size_t n = 0;
  while (isspace((unsigned char)**p) || **p == ',') ++*p;
  for (; **p && !isspace((unsigned char)**p) && **p != ','; ++*p)
    if (n + 1 < room) word[n++] = **p;
  word[n] = '\0';
  return n > 0;
}

static Status read_choices(Reader *reader, const char *value, const Choice *choices, bool one,
                           uint32_t *bits)
{
  char word[64];
  uint32_t count = 0;
  for (*bits = 0; next_word(&value, word, sizeof word); count++) {
    const Choice *choice = choices;
    while (choice->word && strcmp(choice->word, word) != 0) choice++;
    if (choice->word == NULL)
      return log_error(reader->log, "OCV-002", at_line(reader), "%s: \"%s\" is unknown",
                       field_names[reader->field], word);
    *bits |= choice->bits;
  }
  if (count == 0 || (one && count > 1))
    return log_error(reader->log, "OCV-002", at_line(reader), "%s has %s, expected one",
                     field_names[reader->field], count ? "several values" : "no value");
  return OK;
}

static Status read_numbers(Reader *reader, const char *value, Numbers *numbers)
{
  char word[64];
  while (next_word(&value, word, sizeof word)) {
    const char *end;
    float x = (float)text_number(word, &end);
    if (end == word || *end || !isfinite(x))
      return log_error(reader->log, "OCV-003", at_line(reader), "%s: \"%s\" is not a number",
                       field_names[reader->field], word);
    array_push(numbers, x);
  }
  return OK;
}

/* --- groups ----------------------------------------------------------------------------------- */
static bool has(const Reader *reader, Field f) { return reader->given >> f & 1; }

static void begin_group(Reader *reader)
{
  reader->given = 0;
  reader->edges = 1u << RISE | 1u << FALL;
  reader->paths = 1u << PATH_DATA | 1u << PATH_CLOCK;
  reader->delays = 1u << OCV_CELL | 1u << OCV_NET;
  reader->spec = 0;
  array_clear(&reader->depth);
  array_clear(&reader->distance);
  array_clear(&reader->table);
  array_clear(&reader->coefficient);
}

static Status check_axis(const Reader *reader, const Numbers *axis, Field f)
{
  if (has(reader, f) && axis->len == 0)
    return log_error(reader->log, "OCV-005", reader->where, "%s of the group has no values",
                     field_names[f]);
  if (axis->len > UINT16_MAX)
    return log_error(reader->log, "OCV-004", reader->where,
                     "%s has %u values, at most %d are possible", field_names[f], axis->len,
                     UINT16_MAX);
  for (uint32_t i = 1; i < axis->len; i++)
    if (!(axis->at[i] > axis->at[i - 1]))
      return log_error(reader->log, "OCV-006", reader->where,
                       "%s does not rise strictly: %g after %g", field_names[f],
                       (double)axis->at[i], (double)axis->at[i - 1]);
  return OK;
}

/* Derates are factors above zero, coefficients not below it. */
static Status check_values(const Reader *reader)
{
  bool table = has(reader, FIELD_TABLE);
  const Numbers *numbers = table ? &reader->table : &reader->coefficient;
  for (uint32_t i = 0; i < numbers->len; i++)
    if (table ? numbers->at[i] <= 0 : numbers->at[i] < 0)
      return log_error(reader->log, "OCV-003", reader->where, "%s: %g is %s",
                       table ? "table" : "coefficient", (double)numbers->at[i],
                       table ? "not above zero" : "below zero");
  return OK;
}

static Status check_group(const Reader *reader)
{
  uint64_t depths = reader->depth.len ? reader->depth.len : 1,
           distances = reader->distance.len ? reader->distance.len : 1;
  if (!has(reader, FIELD_OBJECT))
    return log_error(reader->log, "OCV-005", reader->where, "the group has no object_type");
  if (!has(reader, FIELD_ANALYSIS))
    return log_error(reader->log, "OCV-005", reader->where, "the group has no derate_type");
  if (has(reader, FIELD_TABLE) == has(reader, FIELD_COEFFICIENT))
    return log_error(reader->log, "OCV-005", reader->where,
                     "the group has %s, expected one of table and coefficient",
                     has(reader, FIELD_TABLE) ? "both" : "neither");
  if (check_axis(reader, &reader->depth, FIELD_DEPTH) != OK
      || check_axis(reader, &reader->distance, FIELD_DISTANCE) != OK || check_values(reader) != OK)
    return FAILED;
  if (has(reader, FIELD_COEFFICIENT) && (reader->depth.len || reader->distance.len))
    return log_error(reader->log, "OCV-004", reader->where,
                     "a coefficient has no depth and no distance");
  uint64_t expected = has(reader, FIELD_TABLE) ? depths * distances : 1;
  uint32_t found = has(reader, FIELD_TABLE) ? reader->table.len : reader->coefficient.len;
  if (found == expected) return OK;
  return log_error(reader->log, "OCV-004", reader->where,
                   "expected %llu value%s (%llu distance%s x %llu depth%s), found %u",
                   (unsigned long long)expected, expected == 1 ? "" : "s",
                   (unsigned long long)distances, distances == 1 ? "" : "s",
                   (unsigned long long)depths, depths == 1 ? "" : "s", found);
}

static void push_numbers(Reader *reader, const Numbers *numbers)
{
  for (uint32_t i = 0; i < numbers->len; i++) array_push(&reader->file->values, numbers->at[i]);
}

/* A missing axis is a single 0. */
static void push_axis(Reader *reader, const Numbers *numbers)
{
  if (numbers->len) push_numbers(reader, numbers);
  else array_push(&reader->file->values, 0);
}

static Status end_group(Reader *reader)
{
  if (!(reader->given & ~(1u << FIELD_VERSION | 1u << FIELD_KIND))) return OK;
  if (check_group(reader) != OK) return FAILED;
  OcvTable t = { .kind = has(reader, FIELD_TABLE) ? OCV_DERATE : OCV_COEFFICIENT,
                 .delays = (uint8_t)reader->delays,
                 .paths = (uint8_t)reader->paths };
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (reader->edges >> (k & 1) & reader->analyses >> (k >> 1) & 1)
      t.conditions |= (uint8_t)(1u << k);
  t.depth_count = (uint16_t)(reader->depth.len ? reader->depth.len : 1);
  t.distance_count = (uint16_t)(reader->distance.len ? reader->distance.len : 1);
  t.first = reader->file->values.len;
  push_axis(reader, &reader->distance);
  push_axis(reader, &reader->depth);
  push_numbers(reader, t.kind == OCV_DERATE ? &reader->table : &reader->coefficient);
  array_push(&reader->file->groups,
             (OcvGroup){ t, reader->object_type, reader->spec, reader->where });
  return OK;
}

/* --- fields ----------------------------------------------------------------------------------- */
static Status read_spec(Reader *reader, const char *value)
{
  size_t length = strlen(value);
  while (length && isspace((unsigned char)value[length - 1])) length--;
  reader->spec = (uint32_t)reader->file->specs.len;
  text_add(&reader->file->specs, value, length);
  text_char(&reader->file->specs, '\0');
  return OK;
}

static Status read_value(Reader *reader, const char *value)
{
  switch (reader->field) {
  case FIELD_OBJECT: return read_choices(reader, value, object_words, true, &reader->object_type);
  case FIELD_EDGES: return read_choices(reader, value, edge_words, false, &reader->edges);
  case FIELD_DELAYS: return read_choices(reader, value, delay_words, false, &reader->delays);
  case FIELD_ANALYSIS: return read_choices(reader, value, analysis_words, false, &reader->analyses);
  case FIELD_PATHS: return read_choices(reader, value, path_words, false, &reader->paths);
  case FIELD_SPEC: return read_spec(reader, value);
  case FIELD_DEPTH: return read_numbers(reader, value, &reader->depth);
  case FIELD_DISTANCE: return read_numbers(reader, value, &reader->distance);
  case FIELD_TABLE: return read_numbers(reader, value, &reader->table);
  case FIELD_COEFFICIENT: return read_numbers(reader, value, &reader->coefficient);
  default: return OK;
  }
}

static Status begin_field(Reader *reader, const char *name, size_t length, const char *value)
{
  reader->field = FIELD_OTHER;
  for (int f = 0; f < FIELD_COUNT; f++)
    if (strlen(field_names[f]) == length && memcmp(field_names[f], name, length) == 0)
      reader->field = (Field)f;
  if (reader->field == FIELD_OTHER) {
    log_warning(reader->log, "OCV-007", at_line(reader), "the field %.*s is left out", (int)length,
                name);
    return OK;
  }
  bool begins = reader->field == FIELD_VERSION
                || (reader->field == FIELD_OBJECT && has(reader, FIELD_OBJECT));
  if (begins) {
    if (end_group(reader) != OK) return FAILED;
    begin_group(reader);
  }
  if (has(reader, reader->field))
    return log_error(reader->log, "OCV-001", at_line(reader),
                     "the group has %s already; a new group begins with object_type",
                     field_names[reader->field]);
  if (reader->given == 0 || reader->field == FIELD_OBJECT) reader->where = at_line(reader);
  reader->given |= 1u << reader->field;
  return read_value(reader, value);
}

static bool goes_on(Field f)
{
  return f == FIELD_DEPTH || f == FIELD_DISTANCE || f == FIELD_TABLE || f == FIELD_OTHER;
}

static Status read_line(Reader *reader)
{
  cut_comment(reader);
  const char *p = skip_space(text_get(&reader->line)), *name = p;
  if (*p == '\0') return OK;
  while (isalnum((unsigned char)*p) || *p == '_') p++;
  size_t length = (size_t)(p - name);
  p = skip_space(p);
  if (length && *p == ':' && !isdigit((unsigned char)*name))
    return begin_field(reader, name, length, skip_space(p + 1));
  if (reader->given && goes_on(reader->field)) return read_value(reader, name);
  return log_error(reader->log, "OCV-001", at_line(reader), "expected \"field: value\"");
}

static Status read_all(Reader *reader)
{
  text_char(&reader->file->specs, '\0');
  begin_group(reader);
  while (next_line(reader))
    if (read_line(reader) != OK) return FAILED;
  if (reader->in->failed || end_group(reader) != OK) return FAILED;
  if (reader->file->groups.len == 0)
    return log_error(reader->log, "OCV-005", (Where){ reader->path, 0, 0 },
                     "the file has no group");
  return OK;
}

static Status read_input(Input *in, const char *path, Log *log, OcvFile *file)
{
  Reader r = { .file = file, .log = log, .in = in, .path = path };
  if (in == NULL) return FAILED;
  Status status = read_all(&r);
  input_close(in);
  text_free(&r.line);
  array_free(&r.depth);
  array_free(&r.distance);
  array_free(&r.table);
  array_free(&r.coefficient);
  return status;
}

Status read_ocv(const char *path, Log *log, OcvFile *file)
{
  *file = (OcvFile){ 0 };
  return read_input(input_open(path, log), path, log, file);
}

Status read_ocv_text(const char *name, const char *text, Log *log, OcvFile *file)
{
  *file = (OcvFile){ 0 };
  return read_input(input_open_text(name, text, log), name, log, file);
}

void ocv_file_free(OcvFile *file)
{
  array_free(&file->groups);
  array_free(&file->values);
  text_free(&file->specs);
}
