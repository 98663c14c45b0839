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

static Where at_line(const Reader *r) { return (Where){ r->path, r->line_number, 0 }; }

/* --- lines ------------------------------------------------------------------------------------ */
/* The next line without its comment; false at the end. */
static bool next_line(Reader *r)
{
  r->line_number = r->in->line;
  return input_line(r->in, &r->line);
}

static void cut_comment(Reader *r)
{
  for (size_t i = 0; i < r->line.len; i++) {
    const char *p = r->line.at + i;
    if ((*p == '#' || (p[0] == '/' && p[1] == '/')) && (i == 0 || isspace((unsigned char)p[-1]))) {
      r->line.at[i] = '\0';
      r->line.len = i;
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

static Status read_choices(Reader *r, const char *value, const Choice *choices, bool one,
                           uint32_t *bits)
{
  char word[64];
  uint32_t count = 0;
  for (*bits = 0; next_word(&value, word, sizeof word); count++) {
    const Choice *c = choices;
    while (c->word && strcmp(c->word, word) != 0) c++;
    if (c->word == NULL)
      return log_error(r->log, "OCV-002", at_line(r), "%s: \"%s\" is unknown",
                       field_names[r->field], word);
    *bits |= c->bits;
  }
  if (count == 0 || (one && count > 1))
    return log_error(r->log, "OCV-002", at_line(r), "%s has %s, expected one",
                     field_names[r->field], count ? "several values" : "no value");
  return OK;
}

static Status read_numbers(Reader *r, const char *value, Numbers *numbers)
{
  char word[64];
  while (next_word(&value, word, sizeof word)) {
    const char *end;
    float x = (float)text_number(word, &end);
    if (end == word || *end || !isfinite(x))
      return log_error(r->log, "OCV-003", at_line(r), "%s: \"%s\" is not a number",
                       field_names[r->field], word);
    array_push(numbers, x);
  }
  return OK;
}

/* --- groups ----------------------------------------------------------------------------------- */
static bool has(const Reader *r, Field f) { return r->given >> f & 1; }

static void begin_group(Reader *r)
{
  r->given = 0;
  r->edges = 1u << RISE | 1u << FALL;
  r->paths = 1u << PATH_DATA | 1u << PATH_CLOCK;
  r->delays = 1u << OCV_CELL | 1u << OCV_NET;
  r->spec = 0;
  array_clear(&r->depth);
  array_clear(&r->distance);
  array_clear(&r->table);
  array_clear(&r->coefficient);
}

static Status check_axis(const Reader *r, const Numbers *axis, Field f)
{
  if (has(r, f) && axis->len == 0)
    return log_error(r->log, "OCV-005", r->where, "%s of the group has no values", field_names[f]);
  if (axis->len > UINT16_MAX)
    return log_error(r->log, "OCV-004", r->where, "%s has %u values, at most %d are possible",
                     field_names[f], axis->len, UINT16_MAX);
  for (uint32_t i = 1; i < axis->len; i++)
    if (!(axis->at[i] > axis->at[i - 1]))
      return log_error(r->log, "OCV-006", r->where, "%s does not rise strictly: %g after %g",
                       field_names[f], (double)axis->at[i], (double)axis->at[i - 1]);
  return OK;
}

/* Derates are factors above zero, coefficients not below it. */
static Status check_values(const Reader *r)
{
  bool table = has(r, FIELD_TABLE);
  const Numbers *v = table ? &r->table : &r->coefficient;
  for (uint32_t i = 0; i < v->len; i++)
    if (table ? v->at[i] <= 0 : v->at[i] < 0)
      return log_error(r->log, "OCV-003", r->where, "%s: %g is %s", table ? "table" : "coefficient",
                       (double)v->at[i], table ? "not above zero" : "below zero");
  return OK;
}

static Status check_group(const Reader *r)
{
  uint64_t depths = r->depth.len ? r->depth.len : 1,
           distances = r->distance.len ? r->distance.len : 1;
  if (!has(r, FIELD_OBJECT))
    return log_error(r->log, "OCV-005", r->where, "the group has no object_type");
  if (!has(r, FIELD_ANALYSIS))
    return log_error(r->log, "OCV-005", r->where, "the group has no derate_type");
  if (has(r, FIELD_TABLE) == has(r, FIELD_COEFFICIENT))
    return log_error(r->log, "OCV-005", r->where,
                     "the group has %s, expected one of table and coefficient",
                     has(r, FIELD_TABLE) ? "both" : "neither");
  if (check_axis(r, &r->depth, FIELD_DEPTH) != OK
      || check_axis(r, &r->distance, FIELD_DISTANCE) != OK || check_values(r) != OK)
    return FAILED;
  if (has(r, FIELD_COEFFICIENT) && (r->depth.len || r->distance.len))
    return log_error(r->log, "OCV-004", r->where, "a coefficient has no depth and no distance");
  uint64_t expected = has(r, FIELD_TABLE) ? depths * distances : 1;
  uint32_t found = has(r, FIELD_TABLE) ? r->table.len : r->coefficient.len;
  if (found == expected) return OK;
  return log_error(r->log, "OCV-004", r->where,
                   "expected %llu value%s (%llu distance%s x %llu depth%s), found %u",
                   (unsigned long long)expected, expected == 1 ? "" : "s",
                   (unsigned long long)distances, distances == 1 ? "" : "s",
                   (unsigned long long)depths, depths == 1 ? "" : "s", found);
}

static void push_numbers(Reader *r, const Numbers *n)
{
  for (uint32_t i = 0; i < n->len; i++) array_push(&r->file->values, n->at[i]);
}

/* A missing axis is a single 0. */
static void push_axis(Reader *r, const Numbers *n)
{
  if (n->len) push_numbers(r, n);
  else array_push(&r->file->values, 0);
}

static Status end_group(Reader *r)
{
  if (!(r->given & ~(1u << FIELD_VERSION | 1u << FIELD_KIND))) return OK;
  if (check_group(r) != OK) return FAILED;
  OcvTable t = { .kind = has(r, FIELD_TABLE) ? OCV_DERATE : OCV_COEFFICIENT,
                 .delays = (uint8_t)r->delays,
                 .paths = (uint8_t)r->paths };
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (r->edges >> (k & 1) & r->analyses >> (k >> 1) & 1) t.conditions |= (uint8_t)(1u << k);
  t.depth_count = (uint16_t)(r->depth.len ? r->depth.len : 1);
  t.distance_count = (uint16_t)(r->distance.len ? r->distance.len : 1);
  t.first = r->file->values.len;
  push_axis(r, &r->distance);
  push_axis(r, &r->depth);
  push_numbers(r, t.kind == OCV_DERATE ? &r->table : &r->coefficient);
  array_push(&r->file->groups, (OcvGroup){ t, r->object_type, r->spec, r->where });
  return OK;
}

/* --- fields ----------------------------------------------------------------------------------- */
static Status read_spec(Reader *r, const char *value)
{
  size_t length = strlen(value);
  while (length && isspace((unsigned char)value[length - 1])) length--;
  r->spec = (uint32_t)r->file->specs.len;
  text_add(&r->file->specs, value, length);
  text_char(&r->file->specs, '\0');
  return OK;
}

static Status read_value(Reader *r, const char *value)
{
  switch (r->field) {
  case FIELD_OBJECT: return read_choices(r, value, object_words, true, &r->object_type);
  case FIELD_EDGES: return read_choices(r, value, edge_words, false, &r->edges);
  case FIELD_DELAYS: return read_choices(r, value, delay_words, false, &r->delays);
  case FIELD_ANALYSIS: return read_choices(r, value, analysis_words, false, &r->analyses);
  case FIELD_PATHS: return read_choices(r, value, path_words, false, &r->paths);
  case FIELD_SPEC: return read_spec(r, value);
  case FIELD_DEPTH: return read_numbers(r, value, &r->depth);
  case FIELD_DISTANCE: return read_numbers(r, value, &r->distance);
  case FIELD_TABLE: return read_numbers(r, value, &r->table);
  case FIELD_COEFFICIENT: return read_numbers(r, value, &r->coefficient);
  default: return OK;
  }
}

static Status begin_field(Reader *r, const char *name, size_t length, const char *value)
{
  r->field = FIELD_OTHER;
  for (int f = 0; f < FIELD_COUNT; f++)
    if (strlen(field_names[f]) == length && memcmp(field_names[f], name, length) == 0)
      r->field = (Field)f;
  if (r->field == FIELD_OTHER) {
    log_warning(r->log, "OCV-007", at_line(r), "the field %.*s is left out", (int)length, name);
    return OK;
  }
  bool begins = r->field == FIELD_VERSION || (r->field == FIELD_OBJECT && has(r, FIELD_OBJECT));
  if (begins) {
    if (end_group(r) != OK) return FAILED;
    begin_group(r);
  }
  if (has(r, r->field))
    return log_error(r->log, "OCV-001", at_line(r),
                     "the group has %s already; a new group begins with object_type",
                     field_names[r->field]);
  if (r->given == 0 || r->field == FIELD_OBJECT) r->where = at_line(r);
  r->given |= 1u << r->field;
  return read_value(r, value);
}

static bool goes_on(Field f)
{
  return f == FIELD_DEPTH || f == FIELD_DISTANCE || f == FIELD_TABLE || f == FIELD_OTHER;
}

static Status read_line(Reader *r)
{
  cut_comment(r);
  const char *p = skip_space(text_get(&r->line)), *name = p;
  if (*p == '\0') return OK;
  while (isalnum((unsigned char)*p) || *p == '_') p++;
  size_t length = (size_t)(p - name);
  p = skip_space(p);
  if (length && *p == ':' && !isdigit((unsigned char)*name))
    return begin_field(r, name, length, skip_space(p + 1));
  if (r->given && goes_on(r->field)) return read_value(r, name);
  return log_error(r->log, "OCV-001", at_line(r), "expected \"field: value\"");
}

static Status read_all(Reader *r)
{
  text_char(&r->file->specs, '\0');
  begin_group(r);
  while (next_line(r))
    if (read_line(r) != OK) return FAILED;
  if (r->in->failed || end_group(r) != OK) return FAILED;
  if (r->file->groups.len == 0)
    return log_error(r->log, "OCV-005", (Where){ r->path, 0, 0 }, "the file has no group");
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
