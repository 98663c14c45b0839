/* Modes: mode_definition (rw) { mode_value (read) { when : "!WE"; } ... } in a cell, mode (rw,
   read) in its timing groups. An arc of a mode is one under the mode's condition: constants that
   make it false switch the arc off. */
#include <ctype.h>
#include <stddef.h>

#include "read/liberty/liberty_reader.h"

/* --- reading the groups ----------------------------------------------------------------------- */

static Status read_definition(Reader *r, const AttributeRow *row)
{
  if (r->args.len != 1)
    return log_error(r->log, "LIB-013", r->at, "expected %s (name)", row->name);
  NameId name = plain_name(r, arg(r, 0), strlen(arg(r, 0)));
  if (!first_of_name(r, IN_CELL, row->name, name)) return lex_skip_group(r);
  return read_group(r, IN_MODE, &name);
}

static const ModeValue *find_value(const Reader *r, NameId mode, NameId value)
{
  for (uint32_t i = 0; i < r->modes.len; i++)
    if (r->modes.at[i].mode == mode && r->modes.at[i].value == value) return &r->modes.at[i];
  return NULL;
}

static Status read_value(Reader *r, const AttributeRow *row)
{
  ModeValue v = { .mode = *(NameId *)r->target };
  if (r->args.len != 1)
    return log_error(r->log, "LIB-013", r->at, "expected %s (name)", row->name);
  v.value = plain_name(r, arg(r, 0), strlen(arg(r, 0)));
  if (find_value(r, v.mode, v.value)) {
    log_warning(r->log, "LIB-052", r->at, "%s %s appears twice in mode_definition %s of cell %s; "
                "the first one stays", row->name, names_text(r->set->names, v.value),
                names_text(r->set->names, v.mode), names_text(r->set->names, r->cell.name));
    return lex_skip_group(r);
  }
  if (read_group(r, IN_MODE_VALUE, &v) != OK) return FAILED;
  array_push(&r->modes, v);
  return OK;
}

/* mode (rw, read);  mode (rw, "read write"): either of them. */
static Status add_use(Reader *r, const AttributeRow *row)
{
  Text values = { 0 };
  (void)row;
  if (r->args.len < 2) return log_error(r->log, "LIB-009", r->at, "expected mode (name, value)");
  for (uint32_t i = 1; i < r->args.len; i++) text_printf(&values, "%s ", arg(r, i));
  r->value_at = r->at;
  array_push(&r->mode_uses, (ModeUse){ plain_name(r, arg(r, 0), strlen(arg(r, 0))),
                                       keep_text(r, text_get(&values)) });
  text_free(&values);
  return OK;
}

/* --- conditions ------------------------------------------------------------------------------- */

static const ModeValue *find_word(const Reader *r, NameId mode, const char *word, size_t length)
{
  return find_value(r, mode, names_find(r->set->names, word, length));
}

static size_t word_of(const char **at)
{
  size_t n = 0;
  while (isspace((unsigned char)**at) || **at == ',') ++*at;
  while ((*at)[n] && !isspace((unsigned char)(*at)[n]) && (*at)[n] != ',') n++;
  return n;
}

/* Adds "(a) | (b)", the conditions of the values of a use.  Adds nothing if one of them has no
   condition, because the use is then always possible. */
static void add_condition(Reader *r, const ModeUse *use, bool sdf, Text *out)
{
  size_t before = out->len, n;
  for (const char *at = text_at(r, use->values); (n = word_of(&at)) > 0; at += n) {
    const ModeValue *v = find_word(r, use->mode, at, n);
    uint32_t text = v == NULL ? 0 : sdf && v->sdf_cond ? v->sdf_cond : v->when;
    if (text == 0) {
      out->len = before;
      if (out->at) out->at[before] = '\0';
      return;
    }
    text_printf(out, "%s(%s)", out->len > before ? " | " : "", text_at(r, text));
  }
}

static void warn_unknown(Reader *r, const ModeUse *use)
{
  size_t n;
  for (const char *at = text_at(r, use->values); (n = word_of(&at)) > 0; at += n)
    if (find_word(r, use->mode, at, n) == NULL)
      log_warning(r->log, "LIB-070", text_where(r, use->values),
                  "cell %s defines no value %.*s of mode %s; the arc counts in every mode",
                  names_text(r->set->names, r->cell.name), (int)(n < 100 ? n : 100), at,
                  names_text(r->set->names, use->mode));
}

/* A condition and those of the group's modes, all of which must hold; 0: none. */
static uint32_t with_modes(Reader *r, const PendingTiming *t, uint32_t own, bool sdf)
{
  Text all = { 0 }, one = { 0 };
  if (own) text_printf(&all, "(%s)", text_at(r, own));
  for (uint32_t i = 0; i < t->mode_count; i++) {
    text_clear(&one);
    add_condition(r, &r->mode_uses.at[t->first_mode + i], sdf, &one);
    if (one.len) text_printf(&all, "%s(%s)", all.len ? " & " : "", text_get(&one));
  }
  r->value_at = (Where){ r->in->path, t->line, t->column };
  uint32_t text = all.len ? keep_text(r, text_get(&all)) : 0;
  text_free(&all);
  text_free(&one);
  return text;
}

void apply_modes(Reader *r, PendingTiming *t)
{
  if (t->mode_count == 0) return;
  for (uint32_t i = 0; i < t->mode_count; i++) warn_unknown(r, &r->mode_uses.at[t->first_mode + i]);
  uint32_t own = t->when;
  t->when = with_modes(r, t, own, false);
  if (t->sdf_cond == 0 && own == 0) t->sdf_cond = with_modes(r, t, 0, true);
}

/* --- rows ------------------------------------------------------------------------------------- */

static const AttributeRow mode_row[] = {
  { "mode_definition", IN_CELL, FORM_GROUP, 0, 0, 0, 0, read_definition },
  { "mode_value", IN_MODE, FORM_GROUP, 0, 0, 0, 0, read_value },
  { "when", IN_MODE_VALUE, FORM_VALUE, 0, 0, offsetof(ModeValue, when), 0, set_text },
  { "sdf_cond", IN_MODE_VALUE, FORM_VALUE, 0, 0, offsetof(ModeValue, sdf_cond), 0, set_text },
  { "mode", IN_TIMING, FORM_ARGS, 0, 0, 0, 0, add_use },
  { "mode", IN_OWN_CHECK, FORM_ARGS, 0, 0, 0, 0, add_use },
};

const RowTable mode_rows = { mode_row, sizeof mode_row / sizeof *mode_row };
