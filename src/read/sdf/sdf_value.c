/* Reads SDF values (triples and lists of them) and stores them in the annotation. */
#include <math.h>

#include "base/hash.h"
#include "base/interrupt.h"
#include "read/sdf/sdf_private.h"

/* --- reading ---------------------------------------------------------------------------------- */
/* A word of "1:2:3", which blanks may part anywhere; *part: of the number that is next. */
static bool triple_word(const SdfLex *lex, SdfTriple *t, int *part)
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
    if (stop == at || stop > end || t->has >> *part & 1 || !isfinite(v)) return false;
    t->v[*part] = v;
    t->has |= (uint8_t)(1u << *part);
    at = stop;
  }
  return true;
}

static Status read_triple(SdfLex *lex, SdfTriple *t)
{
  int part = 0;
  t->has = 0;
  while (sdf_next(lex) == SDF_WORD)
    if (!triple_word(lex, t, &part)) return sdf_unexpected(lex, "a number, min:typ:max, or )");
  if (lex->token != SDF_CLOSE || part == 1)
    return sdf_unexpected(lex, part == 1 ? "the third number of min:typ:max" : "a number or )");
  if (part == 0 && t->has) {
    t->v[1] = t->v[2] = t->v[0];
    t->has = 7;
  }
  return OK;
}

Status sdf_value(SdfReader *r, SdfTriple *t)
{
  double most = ANNOTATION_MOST / r->scale;
  Where where = sdf_where(&r->lex);
  if (read_triple(&r->lex, t) != OK) return FAILED;
  for (int part = SDF_MIN; part <= SDF_MAX; part++)
    if (t->has >> part & 1 && !(fabs(t->v[part]) <= most))
      return log_error(r->log, "SDF-010", where, "value %g, expected a number within %.3g of zero",
                       t->v[part], most);
  return OK;
}

/* (value) or ((value) (limit) (limit)): the ( was read, *t is the value. */
static Status delay_value(SdfReader *r, SdfTriple *t)
{
  SdfLex *lex = &r->lex;
  if (sdf_peek(lex) != '(') return sdf_value(r, t);
  sdf_next(lex);
  if (sdf_value(r, t) != OK) return FAILED;
  while (sdf_next(lex) == SDF_OPEN) {
    SdfTriple limit;
    if (read_triple(lex, &limit) != OK) return FAILED;
    r->values.limits++;
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
static Status retain_values(SdfReader *r)
{
  SdfLex *lex = &r->lex;
  SdfValues *values = &r->values;
  values->retain_count = 0;
  while (sdf_next(lex) == SDF_OPEN) {
    if (values->retain_count == SDF_RETAINS)
      return sdf_unexpected(lex, "at most three values of RETAIN");
    if (delay_value(r, &values->retain[values->retain_count]) != OK) return FAILED;
    values->retain_count++;
  }
  return lex->token == SDF_CLOSE && values->retain_count ? OK
                                                         : sdf_unexpected(lex, "a value in ( )");
}

Status sdf_values(SdfReader *r)
{
  SdfLex *lex = &r->lex;
  SdfValues *values = &r->values;
  values->count = values->limits = values->retain_count = 0;
  for (;;) {
    SdfToken t = sdf_next(lex);
    if (t == SDF_CLOSE && values->count) return OK;
    if (t != SDF_OPEN)
      return sdf_unexpected(lex, values->count ? "a value in ( ) or )" : "a value in ( )");
    if (at_retain(lex)) {
      sdf_next(lex);
      if (!sdf_is(lex, "RETAIN")) return sdf_unexpected(lex, "a value or RETAIN");
      if (retain_values(r) != OK) return FAILED;
      continue;
    }
    if (values->count == SDF_VALUES) return sdf_unexpected(lex, "at most twelve values");
    if (delay_value(r, &values->at[values->count]) != OK) return FAILED;
    values->count++;
  }
}

/* --- putting ---------------------------------------------------------------------------------- */
bool sdf_pick(const SdfReader *r, const SdfTriple *t, int early_late, float *value)
{
  int part = r->options->type[early_late];
  if (!(t->has >> part & 1)) {
    if (t->has != 1u << SDF_TYP) return false;      /* only the typical value is given: it is used
                                                       for all */
    part = SDF_TYP;
  }
  *value = (float)(t->v[part] * r->scale);
  return true;
}

void sdf_note_memberless(SdfReader *r, const SdfTriple *triples, uint32_t count)
{
  float value;
  for (uint32_t i = 0; i < count; i++) {
    const SdfTriple *t = &triples[i];
    if (t->has == 0 || sdf_pick(r, t, EARLY, &value) || sdf_pick(r, t, LATE, &value)) continue;
    if (r->memberless.count++ == 0) r->memberless.line = r->lex.line;
  }
}

void sdf_forget_places(SdfReader *r)
{
  if (r->conditional) map_free(r->conditional);
  if (r->merged_at) map_free(r->merged_at);
  r->conditional = r->merged_at = NULL;
}

void sdf_add_conditional(SdfReader *r, AnnotationId id)
{
  if (r->conditional == NULL) r->conditional = map_new();
  map_put(r->conditional, id, 1);
}

bool sdf_was_conditional(const SdfReader *r, AnnotationId id)
{
  return r->conditional && map_get(r->conditional, id) != MAP_NO_VALUE;
}

/* Returns the value's place in `merged`. A new one goes to its end. */
static uint32_t merged_place(SdfReader *r, const SdfMerged *new)
{
  uint64_t key = hash_pair(new->record, new->index);
  if (r->merged_at == NULL) r->merged_at = map_new();
  uint32_t at = map_get(r->merged_at, key);
  if (at != MAP_NO_VALUE) return at;
  map_put(r->merged_at, key, r->merged.len);
  return r->merged.len;
}

/* Chooses between several conditional values for one place, by the option. */
static float merge_values(const SdfReader *r, int early_late, float have, float value)
{
  bool smaller = r->options->cond_use == SDF_COND_MIN
                 || (r->options->cond_use == SDF_COND_MIN_MAX && early_late == EARLY);
  return (value < have) == smaller ? value : have;
}

/* Returns the value for the place.  An increment is added to earlier increments of the section. */
static float merged(SdfReader *r, const SdfMerged *new, int early_late)
{
  uint32_t at = merged_place(r, new);
  if (at == r->merged.len) {
    array_push(&r->merged, *new);
    return new->value;
  }
  SdfMerged *m = &r->merged.at[at];
  float have = m->value;
  m->value = merge_values(r, early_late, have, new->value);
  return r->increment ? m->value - have : m->value;
}

void sdf_put(SdfReader *r, AnnotationId id, uint32_t value_index, int early_late,
             const SdfTriple *t, bool merge)
{
  float value;
  if (!sdf_pick(r, t, early_late, &value)) return;
  if (merge) value = merged(r, &(SdfMerged){ id, value_index, value }, early_late);
  annotations_put(r->a, id, value_index, value, r->increment);
}

bool sdf_target(const SdfReader *r, uint32_t i, InstId *inst)
{
  if (r->every)
    return i < r->targets.len && !interrupt_seen() ? (*inst = r->targets.at[i], true) : false;
  *inst = r->inst;
  return i == 0 && r->inst != NO_INST;
}

bool sdf_lacks_pin(SdfReader *r, InstId inst, const SdfPort *port, bool tell)
{
  if (netlist_find_pin_of(r->n, inst, port->name) != NO_PIN) return false;
  if (tell)
    log_warning(r->log, "SDF-021", (Where){ r->lex.in->path, r->lex.line, 0 },
                "%s: its cell %s has no pin %s", r->path.len ? text_get(&r->path) : "the top",
                text_get(&r->type_text),
                text_get(&port->text));
  return true;
}
