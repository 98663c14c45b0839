/* Modes: mode_definition (rw) { mode_value (read) { when : "!WE"; } ... } in a cell, mode (rw,
   read) in its timing groups. An arc of a mode is one under the mode's condition: constants that
   make it false switch the arc off. */
#include <ctype.h>
#include <stddef.h>

#include "read/liberty/liberty_reader.h"

/* --- reading the groups ----------------------------------------------------------------------- */

static Status read_definition(Reader *reader, const AttributeRow *row)
{
  if (reader->args.len != 1)
    return log_error(reader->log, "LIB-013", reader->at, "expected %s (name)", row->name);
  NameId name = plain_name(reader, arg(reader, 0), strlen(arg(reader, 0)));
  if (!first_of_name(reader, IN_CELL, row->name, name)) return lex_skip_group(reader);
  return read_group(reader, IN_MODE, &name);
}

static const ModeValue *find_value(const Reader *reader, NameId mode, NameId value)
{
  for (uint32_t i = 0; i < reader->modes.len; i++)
    if (reader->modes.at[i].mode == mode && reader->modes.at[i].value == value)
      return &reader->modes.at[i];
  return NULL;
}

static Status read_value(Reader *reader, const AttributeRow *row)
{
  ModeValue v = { .mode = *(NameId *)reader->target };
  if (reader->args.len != 1)
    return log_error(reader->log, "LIB-013", reader->at, "expected %s (name)", row->name);
  v.value = plain_name(reader, arg(reader, 0), strlen(arg(reader, 0)));
  if (find_value(reader, v.mode, v.value)) {
    log_warning(reader->log, "LIB-052", reader->at,
                "%s %s appears twice in mode_definition %s of cell %s; "
                "the first one stays",
                row->name, names_text(reader->set->names, v.value),
                names_text(reader->set->names, v.mode),
                names_text(reader->set->names, reader->cell.name));
    return lex_skip_group(reader);
  }
  if (read_group(reader, IN_MODE_VALUE, &v) != OK) return FAILED;
  array_push(&reader->modes, v);
  return OK;
}

/* mode (rw, read);  mode (rw, "read write"): either of them. */
static Status add_use(Reader *reader, const AttributeRow *row)
{
  Text values = { 0 };
  (void)row;
  if (reader->args.len < 2)
    return log_error(reader->log, "LIB-009", reader->at, "expected mode (name, value)");
  for (uint32_t i = 1; i < reader->args.len; i++) text_printf(&values, "%s ", arg(reader, i));
  reader->value_at = reader->at;
  array_push(&reader->mode_uses,
             (ModeUse){ plain_name(reader, arg(reader, 0), strlen(arg(reader, 0))),
                        keep_text(reader, text_get(&values)) });
  text_free(&values);
  return OK;
}

/* --- conditions ------------------------------------------------------------------------------- */

static const ModeValue *find_word(const Reader *reader, NameId mode, const char *word,
                                  size_t length)
{
  return find_value(reader, mode, names_find(reader->set->names, word, length));
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
static void add_condition(Reader *reader, const ModeUse *use, bool sdf, Text *out)
{
  size_t before = out->len, n;
  for (const char *at = text_at(reader, use->values); (n = word_of(&at)) > 0; at += n) {
    const ModeValue *value = find_word(reader, use->mode, at, n);
    uint32_t text = value == NULL ? 0 : sdf && value->sdf_cond ? value->sdf_cond : value->when;
    if (text == 0) {
      out->len = before;
      if (out->at) out->at[before] = '\0';
      return;
    }
    text_printf(out, "%s(%s)", out->len > before ? " | " : "", text_at(reader, text));
  }
}

static void warn_unknown(Reader *reader, const ModeUse *use)
{
  size_t n;
  for (const char *at = text_at(reader, use->values); (n = word_of(&at)) > 0; at += n)
    if (find_word(reader, use->mode, at, n) == NULL)
      log_warning(reader->log, "LIB-070", text_where(reader, use->values),
                  "cell %s defines no value %.*s of mode %s; the arc counts in every mode",
                  names_text(reader->set->names, reader->cell.name), (int)(n < 100 ? n : 100), at,
                  names_text(reader->set->names, use->mode));
}

/* A condition and those of the group's modes, all of which must hold; 0: none. */
static uint32_t with_modes(Reader *reader, const PendingTiming *timing, uint32_t own, bool sdf)
{
  Text all = { 0 }, one = { 0 };
  if (own) text_printf(&all, "(%s)", text_at(reader, own));
  for (uint32_t i = 0; i < timing->mode_count; i++) {
    text_clear(&one);
    add_condition(reader, &reader->mode_uses.at[timing->first_mode + i], sdf, &one);
    if (one.len) text_printf(&all, "%s(%s)", all.len ? " & " : "", text_get(&one));
  }
  reader->value_at = (Where){ reader->in->path, timing->line, timing->column };
  uint32_t text = all.len ? keep_text(reader, text_get(&all)) : 0;
  text_free(&all);
  text_free(&one);
  return text;
}

void apply_modes(Reader *reader, PendingTiming *timing)
{
  if (timing->mode_count == 0) return;
  for (uint32_t i = 0; i < timing->mode_count; i++)
    warn_unknown(reader, &reader->mode_uses.at[timing->first_mode + i]);
  uint32_t own = timing->when;
  timing->when = with_modes(reader, timing, own, false);
  if (timing->sdf_cond == 0 && own == 0) timing->sdf_cond = with_modes(reader, timing, 0, true);
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
