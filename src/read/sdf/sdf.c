/* Reads an SDF file: its header, and for each CELL section its instances, delays and checks. */
#include "read/sdf/sdf.h"

#include "base/interrupt.h"
#include "base/units.h"
#include "read/sdf/sdf_private.h"

void sdf_passed(SdfReader *r, const char *construct, uint32_t count)
{
  if (count == 0) return;
  r->count.skipped += count;
  annotations_count_unused(r->a, construct, count);
  for (uint32_t i = 0; i < r->passed.len; i++)
    if (strcmp(r->passed.at[i].construct, construct) == 0) {
      r->passed.at[i].count += count;
      return;
    }
  array_push(&r->passed, (SdfPassed){ construct, count, r->lex.line });
}

Status sdf_pass_over(SdfReader *r, const char *construct)
{
  sdf_passed(r, construct, 1);
  return sdf_skip(&r->lex);
}

/* Reports what had no effect, each cause once. */
static void tell_passed(const SdfReader *r)
{
  static const char *const member[] = { "min", "typ", "max" };
  const char *file = r->lex.in->path, *early = member[r->options->type[EARLY]],
             *late = member[r->options->type[LATE]];
  for (uint32_t i = 0; i < r->passed.len; i++) {
    const SdfPassed *p = &r->passed.at[i];
    log_warning(
        r->log, "SDF-033", (Where){ file, p->line, 0 },
        "%s: passed over, it has no part in timing analysis (%u in the file, the first here)",
        p->construct, p->count);
  }
  if (r->memberless.count == 0) return;
  log_warning(
      r->log, "SDF-032", (Where){ file, r->memberless.line, 0 },
      "%u values (the first here) have no %s%s%s, which the analysis takes: they change nothing",
      r->memberless.count, early, early == late ? "" : " and no ", early == late ? "" : late);
}

/* --- the head --------------------------------------------------------------------------------- */
static Status divider(SdfReader *r)
{
  SdfToken t = sdf_next(&r->lex);
  if ((t != SDF_WORD && t != SDF_STRING) || r->lex.length != 1 || r->lex.text[0] == '\\')
    return sdf_unexpected(&r->lex, "the divider of names: / or .");
  r->divider = r->lex.text[0];
  return sdf_expect(&r->lex, SDF_CLOSE, "a )");
}

/* 1ns, 100 ps, 1.0e-9 s. */
static Status timescale(SdfReader *r)
{
  Text unit = { 0 };
  Where where = sdf_where(&r->lex);
  while (sdf_next(&r->lex) == SDF_WORD) text_add(&unit, r->lex.text, r->lex.length);
  Status status = r->lex.token == SDF_CLOSE ? OK : sdf_unexpected(&r->lex, "a unit of time or )");
  if (status == OK && (!unit_parse(UNIT_TIME, text_get(&unit), &r->scale) || !(r->scale > 0)))
    status = log_error(r->log, "SDF-008", where,
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
static Status cell_type(SdfReader *r)
{
  SdfToken t = sdf_next(&r->lex);
  if (t != SDF_STRING && t != SDF_WORD) return sdf_unexpected(&r->lex, "the name of a cell type");
  text_clear(&r->type_text);
  text_add(&r->type_text, r->lex.text, r->lex.length);
  r->cell_type = sdf_name(r, r->lex.text, r->lex.length);
  return sdf_expect(&r->lex, SDF_CLOSE, "a )");
}

static bool is_within(const Netlist *n, InstId inst, InstId scope)
{
  while (inst != NO_INST && inst != scope) inst = n->insts.at[inst].parent;
  return inst == scope;
}

/* All instances of the type below one. */
static void find_every(SdfReader *r, InstId scope)
{
  array_clear(&r->targets);
  r->every = true;
  for (InstId i = 1; i < r->n->insts.len && r->cell_type != NO_NAME; i++)
    if (!(r->n->insts.at[i].flags & INST_DELETED)
        && netlist_inst_master_name(r->n, i) == r->cell_type && is_within(r->n, i, scope))
      array_push(&r->targets, i);
}

static Status instance(SdfReader *r)
{
  SdfToken t = sdf_next(&r->lex);
  if (t == SDF_CLOSE) return OK;
  if (t != SDF_STRING && t != SDF_WORD)
    return sdf_unexpected(&r->lex, "the path of an instance, * or )");
  if (r->path.len) text_char(&r->path, r->divider);
  text_add(&r->path, r->lex.text, r->lex.length);
  if (r->lex.length == 1 && r->lex.text[0] == '*') find_every(r, r->inst);
  else if (r->inst != NO_INST) r->inst = sdf_find_inst(r, r->inst, r->lex.text, r->lex.length);
  return sdf_expect(&r->lex, SDF_CLOSE, "a )");
}

/* A section for a library cell that names no instance applies to no instance: the scope is a
   hierarchical cell. */
static bool lacks_instance(const SdfReader *r)
{
  bool is_cell = r->cell_type != NO_NAME && library_find_cell(r->libs, r->cell_type) != NO_CELL;
  return r->path.len == 0 && is_cell && netlist_inst_master_name(r->n, r->inst) != r->cell_type;
}

/* Returns true if the section's instance exists and has the cell of the file. */
static void check_instance(SdfReader *r, Where where)
{
  r->count.cells++;
  if (r->every) {
    r->count.cells_found += r->targets.len > 0;
    if (r->targets.len == 0)
      log_warning(r->log, "SDF-020", where, "the design has no instance of %s in %s",
                  text_get(&r->type_text), text_get(&r->path));
    return;
  }
  r->named += r->path.len > 0;
  if (lacks_instance(r)) {
    log_warning(r->log, "SDF-036", where,
                "the section of a %s names no instance, expected (INSTANCE path); it is left out",
                text_get(&r->type_text));
    r->inst = NO_INST;
    return;
  }
  if (r->inst == NO_INST) {
    log_warning(r->log, "SDF-020", where, "the design has no instance %s", text_get(&r->path));
    return;
  }
  r->named_found += r->path.len > 0;
  if (inst_is_leaf(r->n, r->inst) && netlist_inst_master_name(r->n, r->inst) != r->cell_type) {
    log_warning(r->log, "SDF-025", where,
                "%s is a %s, not a %s as in the file; it keeps its computed delays",
                text_get(&r->path),
                names_text(r->n->names, netlist_inst_master_name(r->n, r->inst)),
                text_get(&r->type_text));
    r->inst = NO_INST;
    return;
  }
  r->count.cells_found++;
}

static Status section(SdfReader *r)
{
  SdfLex *lex = &r->lex;
  bool absent = r->every ? r->targets.len == 0 : r->inst == NO_INST;
  if (absent && (sdf_is(lex, "DELAY") || sdf_is(lex, "TIMINGCHECK"))) return sdf_skip(lex);
  if (sdf_is(lex, "DELAY")) return sdf_delay(r);
  if (sdf_is(lex, "TIMINGCHECK")) return sdf_checks(r);
  if (sdf_is(lex, "TIMINGENV")) return sdf_pass_over(r, "TIMINGENV");
  if (sdf_is(lex, "LABEL")) return sdf_pass_over(r, "LABEL");
  if (sdf_is(lex, "CORRELATION")) return sdf_pass_over(r, "CORRELATION");
  return sdf_unexpected(lex, "CELLTYPE, INSTANCE, DELAY, TIMINGCHECK, TIMINGENV or LABEL");
}

/* (CELL was read. */
static Status cell(SdfReader *r)
{
  SdfLex *lex = &r->lex;
  bool checked = false;
  Where where = sdf_where(lex);
  r->inst = r->options->scope;
  r->every = false;
  r->cell_type = NO_NAME;
  text_clear(&r->path);
  text_clear(&r->type_text);
  array_clear(&r->merged);
  sdf_forget_places(r);
  while (sdf_next(lex) == SDF_OPEN) {
    sdf_next(lex);
    Status status;
    if (!checked && sdf_is(lex, "CELLTYPE")) {
      status = cell_type(r);
    } else if (!checked && sdf_is(lex, "INSTANCE")) {
      where = sdf_where(lex);
      status = instance(r);
    } else {
      if (!checked) check_instance(r, where);
      checked = true;
      status = section(r);
    }
    if (status != OK) return FAILED;
  }
  if (!checked) check_instance(r, where);
  return lex->token == SDF_CLOSE ? OK : sdf_unexpected(lex, "a ( or )");
}

/* --- the file --------------------------------------------------------------------------------- */
static Status top_entry(SdfReader *r)
{
  SdfLex *lex = &r->lex;
  sdf_next(lex);
  if (sdf_is(lex, "CELL")) return cell(r);
  if (sdf_is(lex, "DIVIDER")) return divider(r);
  if (sdf_is(lex, "TIMESCALE")) return timescale(r);
  if (is_documentation(lex)) return sdf_skip(lex);
  if (lex->token != SDF_WORD) return sdf_unexpected(lex, "a keyword");
  log_warning(r->log, "SDF-030", sdf_where(lex), "%.*s is passed over: no construct that is known",
              lex->length > 40 ? 40 : (int)lex->length, lex->text);
  r->count.skipped++;
  annotations_count_unused(r->a, "constructs that are not known", 1);
  return sdf_skip(lex);
}

static Status whole_file(SdfReader *r)
{
  SdfLex *lex = &r->lex;
  bool begins = sdf_next(lex) == SDF_OPEN && (sdf_next(lex), sdf_is(lex, "DELAYFILE"));
  if (!begins)
    return lex->failed ? FAILED
                       : log_error(r->log, "SDF-001", sdf_where(lex),
                                   "this is no SDF file: it does not begin with (DELAYFILE");
  while (sdf_next(lex) == SDF_OPEN) {
    if (top_entry(r) != OK) return FAILED;
    if (interrupt_seen())
      return log_error(r->log, "SDF-012", sdf_where(lex), "reading was interrupted");
  }
  if (lex->token != SDF_CLOSE) return sdf_unexpected(lex, "a ( or )");
  return sdf_next(lex) == SDF_END && !lex->failed
             ? OK
             : sdf_unexpected(lex, "nothing after the end of (DELAYFILE");
}

/* Another design's file. */
static Status check_found(const SdfReader *r)
{
  if (r->named_found * 10ull >= r->named) return OK;
  return log_error(r->log, "SDF-009", (Where){ r->lex.in->path, 0, 0 },
                   "only %u of the file's %u instances are in the design: it belongs to another "
                   "one, or to a block (-path)",
                   r->named_found, r->named);
}

static void free_reader(SdfReader *r)
{
  sdf_names_end(r);
  array_free(&r->targets);
  array_free(&r->merged);
  sdf_forget_places(r);
  array_free(&r->passed);
  Text *texts[] = { &r->type_text, &r->path,         &r->from.text, &r->from.condition,
                    &r->to.text,   &r->to.condition, &r->condition };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_free(texts[i]);
}

static Status read_input(Annotations *a, const Netlist *n, Input *in, const SdfOptions *options,
                         Log *log, SdfRead *result)
{
  if (in == NULL) return FAILED;
  SdfReader r = { .lex = { .in = in, .log = log },
                  .n = n,
                  .libs = n->libs,
                  .options = options,
                  .log = log,
                  .divider = '.',
                  .scale = 1000.0 };
  r.a = annotations_copy(a);
  sdf_names_begin(&r);
  Status status = whole_file(&r);
  if (status == OK) status = check_found(&r);
  if (status == OK) tell_passed(&r);
  if (status == OK) annotations_take(a, r.a);
  else annotations_free(r.a);
  if (result) *result = r.count;
  free_reader(&r);
  input_close(in);
  return status;
}

Status read_sdf(Annotations *a, const Netlist *n, const char *path, const SdfOptions *options,
                Log *log, SdfRead *result)
{
  return read_input(a, n, input_open(path, log), options, log, result);
}

Status read_sdf_text(Annotations *a, const Netlist *n, const char *name, const char *text,
                     const SdfOptions *options, Log *log, SdfRead *result)
{
  return read_input(a, n, input_open_text(name, text, log), options, log, result);
}
