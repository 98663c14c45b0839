/* Reads SDF values (triples and lists of them) and stores them in the annotation. */
#include <math.h>

#include "base/hash.h"
#include "base/interrupt.h"
#include "read/sdf/sdf_private.h"

/* --- reading ---------------------------------------------------------------------------------- */
/* A word of "1:2:3", which blanks may part anywhere; *part: of the number that is next. */
static bool triple_word(const SdfLex *lex, SdfTriple *triple, int *part)
{
  const char *at = lex->text, *end = lex->text + lex->length;
  while (at < end) {
    if (*at == ':') {
      if (++*part > SDF_MAX) return false;
      at++;
      continue;
    }
    const char *stop;
    double v = text_number(at, &stop);
    if (stop == at || stop > end || triple->has >> *part & 1 || !isfinite(v)) return false;
    triple->v[*part] = v;
    triple->has |= (uint8_t)(1u << *part);
    at = stop;
  }
  return true;
}

static Status read_triple(SdfLex *lex, SdfTriple *triple)
{
  int part = 0;
  triple->has = 0;
  while (sdf_next(lex) == SDF_WORD)
    if (!triple_word(lex, triple, &part)) return sdf_unexpected(lex, "a number, min:typ:max, or )");
  if (lex->token != SDF_CLOSE || part == 1)
    return sdf_unexpected(lex, part == 1 ? "the third number of min:typ:max" : "a number or )");
  if (part == 0 && triple->has) {
    triple->v[1] = triple->v[2] = triple->v[0];
    triple->has = 7;
  }
  return OK;
}

Status sdf_value(SdfReader *reader, SdfTriple *triple)
{
  double most = ANNOTATION_MOST / reader->scale;
  Where where = sdf_where(&reader->lex);
  if (read_triple(&reader->lex, triple) != OK) return FAILED;
  for (int part = SDF_MIN; part <= SDF_MAX; part++)
    if (triple->has >> part & 1 && !(fabs(triple->v[part]) <= most))
      return log_error(reader->log, "SDF-010", where,
                       "value %g, expected a number within %.3g of zero", triple->v[part], most);
  return OK;
}

/* (value) or ((value) (limit) (limit)): the ( was read, *triple is the value. */
static Status delay_value(SdfReader *reader, SdfTriple *triple)
{
  SdfLex *lex = &reader->lex;
  if (sdf_peek(lex) != '(') return sdf_value(reader, triple);
  sdf_next(lex);
  if (sdf_value(reader, triple) != OK) return FAILED;
  while (sdf_next(lex) == SDF_OPEN) {
    SdfTriple limit;
    if (read_triple(lex, &limit) != OK) return FAILED;
    reader->values.limits++;
  }
  return lex->token == SDF_CLOSE ? OK : sdf_unexpected(lex, "a ( or )");
}

/* The ( was read, and it is not one of a value. */
static bool at_retain(SdfLex *lex)
{
  char c = sdf_peek(lex);
  return c == 'R' || c == 'r';
}

/* RETAIN was read. */
static Status retain_values(SdfReader *reader)
{
  SdfLex *lex = &reader->lex;
  SdfValues *values = &reader->values;
  values->retain_count = 0;
  while (sdf_next(lex) == SDF_OPEN) {
    if (values->retain_count == SDF_RETAINS)
      return sdf_unexpected(lex, "at most three values of RETAIN");
    if (delay_value(reader, &values->retain[values->retain_count]) != OK) return FAILED;
    values->retain_count++;
  }
  return lex->token == SDF_CLOSE && values->retain_count ? OK
                                                         : sdf_unexpected(lex, "a value in ( )");
}

Status sdf_values(SdfReader *reader)
{
  SdfLex *lex = &reader->lex;
  SdfValues *values = &reader->values;
  values->count = values->limits = values->retain_count = 0;
  for (;;) {
    SdfToken t = sdf_next(lex);
    if (t == SDF_CLOSE && values->count) return OK;
    if (t != SDF_OPEN)
      return sdf_unexpected(lex, values->count ? "a value in ( ) or )" : "a value in ( )");
    if (at_retain(lex)) {
      sdf_next(lex);
      if (!sdf_is(lex, "RETAIN")) return sdf_unexpected(lex, "a value or RETAIN");
      if (retain_values(reader) != OK) return FAILED;
      continue;
    }
    if (values->count == SDF_VALUES) return sdf_unexpected(lex, "at most twelve values");
    if (delay_value(reader, &values->at[values->count]) != OK) return FAILED;
    values->count++;
  }
}

/* --- putting ---------------------------------------------------------------------------------- */
bool sdf_pick(const SdfReader *reader, const SdfTriple *triple, int early_late, float *value)
{
  int part = reader->options->type[early_late];
  if (!(triple->has >> part & 1)) {
    if (triple->has != 1u << SDF_TYP)
      return false; /* only the typical value is given: it is used
                                                       for all */
    part = SDF_TYP;
  }
  *value = (float)(triple->v[part] * reader->scale);
  return true;
}

void sdf_note_memberless(SdfReader *reader, const SdfTriple *triples, uint32_t count)
{
  float value;
  for (uint32_t i = 0; i < count; i++) {
    const SdfTriple *triple = &triples[i];
    if (triple->has == 0 || sdf_pick(reader, triple, EARLY, &value)
        || sdf_pick(reader, triple, LATE, &value))
      continue;
    if (reader->memberless.count++ == 0) reader->memberless.line = reader->lex.line;
  }
}

void sdf_forget_places(SdfReader *reader)
{
  if (reader->conditional) map_free(reader->conditional);
  if (reader->merged_at) map_free(reader->merged_at);
  reader->conditional = reader->merged_at = NULL;
}

void sdf_add_conditional(SdfReader *reader, AnnotationId id)
{
  if (reader->conditional == NULL) reader->conditional = map_new();
  map_put(reader->conditional, id, 1);
}

bool sdf_was_conditional(const SdfReader *reader, AnnotationId id)
{
  return reader->conditional && map_get(reader->conditional, id) != MAP_NO_VALUE;
}

/* Returns the value's place in `merged`. A new one goes to its end. */
static uint32_t merged_place(SdfReader *reader, const SdfMerged *new)
{
  uint64_t key = hash_pair(new->record, new->index);
  if (reader->merged_at == NULL) reader->merged_at = map_new();
  uint32_t at = map_get(reader->merged_at, key);
  if (at != MAP_NO_VALUE) return at;
  map_put(reader->merged_at, key, reader->merged.len);
  return reader->merged.len;
}

/* Chooses between several conditional values for one place, by the option. */
static float merge_values(const SdfReader *reader, int early_late, float have, float value)
{
  bool smaller = reader->options->cond_use == SDF_COND_MIN
                 || (reader->options->cond_use == SDF_COND_MIN_MAX && early_late == EARLY);
  return (value < have) == smaller ? value : have;
}

/* Returns the value for the place.  An increment is added to earlier increments of the section. */
static float merged(SdfReader *reader, const SdfMerged *new, int early_late)
{
  uint32_t at = merged_place(reader, new);
  if (at == reader->merged.len) {
    array_push(&reader->merged, *new);
    return new->value;
  }
  SdfMerged *sdf_merged = &reader->merged.at[at];
  float have = sdf_merged->value;
  sdf_merged->value = merge_values(reader, early_late, have, new->value);
  return reader->increment ? sdf_merged->value - have : sdf_merged->value;
}

void sdf_put(SdfReader *reader, AnnotationId id, uint32_t value_index, int early_late,
             const SdfTriple *triple, bool merge)
{
  float value;
  if (!sdf_pick(reader, triple, early_late, &value)) return;
  if (merge) value = merged(reader, &(SdfMerged){ id, value_index, value }, early_late);
  annotations_put(reader->annotations, id, value_index, value, reader->increment);
}

bool sdf_target(const SdfReader *reader, uint32_t i, InstId *inst)
{
  if (reader->every)
    return i < reader->targets.len && !interrupt_seen() ? (*inst = reader->targets.at[i], true)
                                                        : false;
  *inst = reader->inst;
  return i == 0 && reader->inst != NO_INST;
}

bool sdf_lacks_pin(SdfReader *reader, InstId inst, const SdfPort *port, bool tell)
{
  if (netlist_find_pin_of(reader->n, inst, port->name) != NO_PIN) return false;
  if (tell)
    log_warning(reader->log, "SDF-021", (Where){ reader->lex.in->path, reader->lex.line, 0 },
                "%s: its cell %s has no pin %s",
                reader->path.len ? text_get(&reader->path) : "the top",
                text_get(&reader->type_text), text_get(&port->text));
  return true;
}
