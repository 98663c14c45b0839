/* Reads an SDF file: its header, and for each CELL section its instances, delays and checks. */
#include "read/sdf/sdf.h"

#include "base/interrupt.h"
#include "base/units.h"
#include "read/sdf/sdf_private.h"

void sdf_passed(SdfReader *reader, const char *construct, uint32_t count)
{
  if (count == 0) return;
  reader->count.skipped += count;
  annotations_count_unused(reader->annotations, construct, count);
  for (uint32_t i = 0; i < reader->passed.len; i++)
    if (strcmp(reader->passed.at[i].construct, construct) == 0) {
      reader->passed.at[i].count += count;
      return;
    }
  array_push(&reader->passed, (SdfPassed){ construct, count, reader->lex.line });
}

Status sdf_pass_over(SdfReader *reader, const char *construct)
{
  sdf_passed(reader, construct, 1);
  return sdf_skip(&reader->lex);
}

/* Reports what had no effect, each cause once. */
static void tell_passed(const SdfReader *reader)
{
  static const char *const member[] = { "min", "typ", "max" };
  const char *file = reader->lex.in->path, *early = member[reader->options->type[EARLY]],
             *late = member[reader->options->type[LATE]];
  for (uint32_t i = 0; i < reader->passed.len; i++) {
    const SdfPassed *passed = &reader->passed.at[i];
    log_warning(
        reader->log, "SDF-033", (Where){ file, passed->line, 0 },
        "%s: passed over, it has no part in timing analysis (%u in the file, the first here)",
        passed->construct, passed->count);
  }
  if (reader->memberless.count == 0) return;
  log_warning(
      reader->log, "SDF-032", (Where){ file, reader->memberless.line, 0 },
      "%u values (the first here) have no %s%s%s, which the analysis takes: they change nothing",
      reader->memberless.count, early, early == late ? "" : " and no ", early == late ? "" : late);
}

/* --- the head --------------------------------------------------------------------------------- */
static Status divider(SdfReader *reader)
{
  SdfToken t = sdf_next(&reader->lex);
  if ((t != SDF_WORD && t != SDF_STRING) || reader->lex.length != 1 || reader->lex.text[0] == '\\')
    return sdf_unexpected(&reader->lex, "the divider of names: / or .");
  reader->divider = reader->lex.text[0];
  return sdf_expect(&reader->lex, SDF_CLOSE, "a )");
}

/* 1ns, 100 ps, 1.0e-9 s. */
static Status timescale(SdfReader *reader)
{
  Text unit = { 0 };
  Where where = sdf_where(&reader->lex);
  while (sdf_next(&reader->lex) == SDF_WORD) text_add(&unit, reader->lex.text, reader->lex.length);
  Status status =
      reader->lex.token == SDF_CLOSE ? OK : sdf_unexpected(&reader->lex, "a unit of time or )");
  if (status == OK
      && (!unit_parse(UNIT_TIME, text_get(&unit), &reader->scale) || !(reader->scale > 0)))
    status = log_error(reader->log, "SDF-008", where,
                       "TIMESCALE is \"%.40s\", expected a unit of time as 1ns or 10 ps",
                       text_get(&unit));
  text_free(&unit);
  return status;
}

static bool is_documentation(const SdfLex *lex)
{
  static const char *const words[] = { "SDFVERSION", "DESIGN",  "DATE",    "VENDOR",     "PROGRAM",
                                       "VERSION",    "VOLTAGE", "PROCESS", "TEMPERATURE" };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (sdf_is(lex, words[i])) return true;
  return false;
}

/* --- (CELL (CELLTYPE "name") (INSTANCE path) ...) --------------------------------------------- */
static Status cell_type(SdfReader *reader)
{
  SdfToken t = sdf_next(&reader->lex);
  if (t != SDF_STRING && t != SDF_WORD)
    return sdf_unexpected(&reader->lex, "the name of a cell type");
  text_clear(&reader->type_text);
  text_add(&reader->type_text, reader->lex.text, reader->lex.length);
  reader->cell_type = sdf_name(reader, reader->lex.text, reader->lex.length);
  return sdf_expect(&reader->lex, SDF_CLOSE, "a )");
}

static bool is_within(const Netlist *n, InstId inst, InstId scope)
{
  while (inst != NO_INST && inst != scope) inst = n->insts.at[inst].parent;
  return inst == scope;
}

/* All instances of the type below one. */
static void find_every(SdfReader *reader, InstId scope)
{
  array_clear(&reader->targets);
  reader->every = true;
  for (InstId i = 1; i < reader->n->insts.len && reader->cell_type != NO_NAME; i++)
    if (!(reader->n->insts.at[i].flags & INST_DELETED)
        && netlist_inst_master_name(reader->n, i) == reader->cell_type
        && is_within(reader->n, i, scope))
      array_push(&reader->targets, i);
}

static Status instance(SdfReader *reader)
{
  SdfToken t = sdf_next(&reader->lex);
  if (t == SDF_CLOSE) return OK;
  if (t != SDF_STRING && t != SDF_WORD)
    return sdf_unexpected(&reader->lex, "the path of an instance, * or )");
  if (reader->path.len) text_char(&reader->path, reader->divider);
  text_add(&reader->path, reader->lex.text, reader->lex.length);
  if (reader->lex.length == 1 && reader->lex.text[0] == '*') find_every(reader, reader->inst);
  else if (reader->inst != NO_INST)
    reader->inst = sdf_find_inst(reader, reader->inst, reader->lex.text, reader->lex.length);
  return sdf_expect(&reader->lex, SDF_CLOSE, "a )");
}

/* A section for a library cell that names no instance applies to no instance: the scope is a
   hierarchical cell. */
static bool lacks_instance(const SdfReader *reader)
{
  bool is_cell =
      reader->cell_type != NO_NAME && library_find_cell(reader->libs, reader->cell_type) != NO_CELL;
  return reader->path.len == 0 && is_cell
         && netlist_inst_master_name(reader->n, reader->inst) != reader->cell_type;
}

/* Returns true if the section's instance exists and has the cell of the file. */
static void check_instance(SdfReader *reader, Where where)
{
  reader->count.cells++;
  if (reader->every) {
    reader->count.cells_found += reader->targets.len > 0;
    if (reader->targets.len == 0)
      log_warning(reader->log, "SDF-020", where, "the design has no instance of %s in %s",
                  text_get(&reader->type_text), text_get(&reader->path));
    return;
  }
  reader->named += reader->path.len > 0;
  if (lacks_instance(reader)) {
    log_warning(reader->log, "SDF-036", where,
                "the section of a %s names no instance, expected (INSTANCE path); it is left out",
                text_get(&reader->type_text));
    reader->inst = NO_INST;
    return;
  }
  if (reader->inst == NO_INST) {
    log_warning(reader->log, "SDF-020", where, "the design has no instance %s",
                text_get(&reader->path));
    return;
  }
  reader->named_found += reader->path.len > 0;
  if (inst_is_leaf(reader->n, reader->inst)
      && netlist_inst_master_name(reader->n, reader->inst) != reader->cell_type) {
    log_warning(reader->log, "SDF-025", where,
                "%s is a %s, not a %s as in the file; it keeps its computed delays",
                text_get(&reader->path),
                names_text(reader->n->names, netlist_inst_master_name(reader->n, reader->inst)),
                text_get(&reader->type_text));
    reader->inst = NO_INST;
    return;
  }
  reader->count.cells_found++;
}

static Status section(SdfReader *reader)
{
  SdfLex *lex = &reader->lex;
  bool absent = reader->every ? reader->targets.len == 0 : reader->inst == NO_INST;
  if (absent && (sdf_is(lex, "DELAY") || sdf_is(lex, "TIMINGCHECK"))) return sdf_skip(lex);
  if (sdf_is(lex, "DELAY")) return sdf_delay(reader);
  if (sdf_is(lex, "TIMINGCHECK")) return sdf_checks(reader);
  if (sdf_is(lex, "TIMINGENV")) return sdf_pass_over(reader, "TIMINGENV");
  if (sdf_is(lex, "LABEL")) return sdf_pass_over(reader, "LABEL");
  if (sdf_is(lex, "CORRELATION")) return sdf_pass_over(reader, "CORRELATION");
  return sdf_unexpected(lex, "CELLTYPE, INSTANCE, DELAY, TIMINGCHECK, TIMINGENV or LABEL");
}

/* (CELL was read. */
static Status cell(SdfReader *reader)
{
  SdfLex *lex = &reader->lex;
  bool checked = false;
  Where where = sdf_where(lex);
  reader->inst = reader->options->scope;
  reader->every = false;
  reader->cell_type = NO_NAME;
  text_clear(&reader->path);
  text_clear(&reader->type_text);
  array_clear(&reader->merged);
  sdf_forget_places(reader);
  while (sdf_next(lex) == SDF_OPEN) {
    sdf_next(lex);
    Status status;
    if (!checked && sdf_is(lex, "CELLTYPE")) {
      status = cell_type(reader);
    } else if (!checked && sdf_is(lex, "INSTANCE")) {
      where = sdf_where(lex);
      status = instance(reader);
    } else {
      if (!checked) check_instance(reader, where);
      checked = true;
      status = section(reader);
    }
    if (status != OK) return FAILED;
  }
  if (!checked) check_instance(reader, where);
  return lex->token == SDF_CLOSE ? OK : sdf_unexpected(lex, "a ( or )");
}

/* --- the file --------------------------------------------------------------------------------- */
static Status top_entry(SdfReader *reader)
{
  SdfLex *lex = &reader->lex;
  sdf_next(lex);
  if (sdf_is(lex, "CELL")) return cell(reader);
  if (sdf_is(lex, "DIVIDER")) return divider(reader);
  if (sdf_is(lex, "TIMESCALE")) return timescale(reader);
  if (is_documentation(lex)) return sdf_skip(lex);
  if (lex->token != SDF_WORD) return sdf_unexpected(lex, "a keyword");
  log_warning(reader->log, "SDF-030", sdf_where(lex),
              "%.*s is passed over: no construct that is known",
              lex->length > 40 ? 40 : (int)lex->length, lex->text);
  reader->count.skipped++;
  annotations_count_unused(reader->annotations, "constructs that are not known", 1);
  return sdf_skip(lex);
}

static Status whole_file(SdfReader *reader)
{
  SdfLex *lex = &reader->lex;
  bool begins = sdf_next(lex) == SDF_OPEN && (sdf_next(lex), sdf_is(lex, "DELAYFILE"));
  if (!begins)
    return lex->failed ? FAILED
                       : log_error(reader->log, "SDF-001", sdf_where(lex),
                                   "this is no SDF file: it does not begin with (DELAYFILE");
  while (sdf_next(lex) == SDF_OPEN) {
    if (top_entry(reader) != OK) return FAILED;
    if (interrupt_seen())
      return log_error(reader->log, "SDF-012", sdf_where(lex), "reading was interrupted");
  }
  if (lex->token != SDF_CLOSE) return sdf_unexpected(lex, "a ( or )");
  return sdf_next(lex) == SDF_END && !lex->failed
             ? OK
             : sdf_unexpected(lex, "nothing after the end of (DELAYFILE");
}

/* Another design's file. */
static Status check_found(const SdfReader *reader)
{
  if (reader->named_found * 10ull >= reader->named) return OK;
  return log_error(reader->log, "SDF-009", (Where){ reader->lex.in->path, 0, 0 },
                   "only %u of the file's %u instances are in the design: it belongs to another "
                   "one, or to a block (-path)",
                   reader->named_found, reader->named);
}

static void free_reader(SdfReader *reader)
{
  sdf_names_end(reader);
  array_free(&reader->targets);
  array_free(&reader->merged);
  sdf_forget_places(reader);
  array_free(&reader->passed);
  Text *texts[] = { &reader->type_text,      &reader->path,    &reader->from.text,
                    &reader->from.condition, &reader->to.text, &reader->to.condition,
                    &reader->condition };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_free(texts[i]);
}

static Status read_input(Annotations *annotations, const Netlist *n, Input *in,
                         const SdfOptions *options, Log *log, SdfRead *result)
{
  if (in == NULL) return FAILED;
  SdfReader r = { .lex = { .in = in, .log = log },
                  .n = n,
                  .libs = n->libs,
                  .options = options,
                  .log = log,
                  .divider = '.',
                  .scale = 1000.0 };
  r.annotations = annotations_copy(annotations);
  sdf_names_begin(&r);
  Status status = whole_file(&r);
  if (status == OK) status = check_found(&r);
  if (status == OK) tell_passed(&r);
  if (status == OK) annotations_take(annotations, r.annotations);
  else annotations_free(r.annotations);
  if (result) *result = r.count;
  free_reader(&r);
  input_close(in);
  return status;
}

Status read_sdf(Annotations *annotations, const Netlist *n, const char *path,
                const SdfOptions *options, Log *log, SdfRead *result)
{
  return read_input(annotations, n, input_open(path, log), options, log, result);
}

Status read_sdf_text(Annotations *annotations, const Netlist *n, const char *name, const char *text,
                     const SdfOptions *options, Log *log, SdfRead *result)
{
  return read_input(annotations, n, input_open_text(name, text, log), options, log, result);
}
