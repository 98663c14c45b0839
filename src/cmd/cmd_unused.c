/* The command that reports what readers met and did not use, so nothing is dropped in silence. */
#include <stdlib.h>
#include <string.h>

#include "tclbind/tell_contradiction.h"
#include "tclbind/manual.h"
#include "read/liberty/liberty.h"
#include "read/verilog/verilog.h"

typedef struct {
  const char *reader, *construct;
  uint32_t    count;
} UnusedRow;

typedef ARRAY(UnusedRow) UnusedRows;

#define HEAD "%-10s %10s  %s\n"
#define ROW "%-10s %10u  %s\n"

/* --- constructs ------------------------------------------------------------------------------- */

static void add_liberty(const Session *s, UnusedRows *rows)
{
  for (uint32_t i = 0; i < s->liberty_unused->unused.len; i++) {
    const LibertyUnused *unused = &s->liberty_unused->unused.at[i];
    array_push(rows,
               (UnusedRow){ "Liberty", names_text(s->names, unused->construct), unused->count });
  }
}

static void add_verilog(const Session *s, UnusedRows *rows)
{
  uint32_t i = 0, count;
  const char *construct;
  while (s->verilog && (construct = verilog_unused(s->verilog, &i, &count)) != NULL)
    array_push(rows, (UnusedRow){ "Verilog", construct, count });
}

static void add_spef(const Parasitics *parasitics, const char *reader, UnusedRows *rows)
{
  for (uint32_t i = 0; parasitics && i < parasitics->unused.len; i++)
    array_push(rows, (UnusedRow){ reader, parasitics->unused.at[i].construct,
                                  parasitics->unused.at[i].count });
}

static void add_parasitics(const Session *s, UnusedRows *rows)
{
  bool parted = s->parasitics[EARLY] != s->parasitics[LATE];
  add_spef(s->parasitics[LATE], parted ? "SPEF-late" : "SPEF", rows);
  if (parted) add_spef(s->parasitics[EARLY], "SPEF-early", rows);
  for (ParasiticsId p = 0; p < s->scenarios->parasitics.len; p++) {
    const ParasiticsSet *set = &s->scenarios->parasitics.at[p];
    if (set->data != s->parasitics[EARLY] && set->data != s->parasitics[LATE])
      add_spef(set->data, "SPEF of other corners", rows);
  }
}

static void add_sdf(const Session *s, UnusedRows *rows)
{
  for (uint32_t i = 0; s->annotations && i < s->annotations->unused.len; i++)
    array_push(rows, (UnusedRow){ "SDF", s->annotations->unused.at[i].construct,
                                  s->annotations->unused.at[i].count });
}

static int by_reader_and_name(const void *a, const void *b)
{
  const UnusedRow *x = a, *y = b;
  int order = strcmp(x->reader, y->reader);
  return order ? order : strcmp(x->construct, y->construct);
}

static void write_constructs(const Session *s, Text *out)
{
  UnusedRows rows = { 0 };
  add_liberty(s, &rows);
  add_verilog(s, &rows);
  add_parasitics(s, &rows);
  add_sdf(s, &rows);
  if (rows.len) qsort(rows.at, rows.len, sizeof *rows.at, by_reader_and_name);
  text_printf(out, HEAD, "reader", "number", "construct");
  for (uint32_t i = 0; i < rows.len; i++)
    text_printf(out, ROW, rows.at[i].reader, rows.at[i].count, rows.at[i].construct);
  array_free(&rows);
}

/* --- warnings --------------------------------------------------------------------------------- */

typedef struct {
  Console *console;
  Text     rows;
} Warnings;

/* These only announce constructs that the first table counts. */
static bool announces_constructs(const char *code)
{
  static const char *const codes[] = { "VLOG-030", "VLOG-031", "VLOG-032", "VLOG-036",
                                       "VLOG-037", "SPEF-030", "SDF-030" };
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    if (strcmp(code, codes[i]) == 0) return true;
  return false;
}

static bool is_of_a_reader(const char *code)
{
  static const char *const prefixes[] = { "LIB-", "VLOG-", "LINK-",  "SPEF-",
                                          "SDF-", "SDC-",  "CMD-02", "CMD-05" };
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strncmp(code, prefixes[i], strlen(prefixes[i])) == 0) return !announces_constructs(code);
  return false;
}

/* The title of a warning's page: its first line without the code. */
static void add_warning(void *data, const char *code, uint32_t count)
{
  static const char mark[] = " warning: ";
  Warnings *warnings = data;
  Text page = { 0 };
  if (!is_of_a_reader(code)) return;
  if (manual_message(warnings->console, code, &page) != OK)
    log_take_error(warnings->console->session->log);
  const char *at = strstr(text_get(&page), mark);
  if (at) {
    at += sizeof mark - 1;
    text_printf(&warnings->rows, "%-10s %10u  %.*s\n", code, count, (int)strcspn(at, "\r\n"), at);
  }
  text_free(&page);
}

static void write_warnings(Session *s, Text *out)
{
  Warnings w = { .console = console_of(s) };
  contradictions_tell(s);
  log_each_code(s->log, add_warning, &w);
  if (w.rows.len) {
    text_printf(out, "\n" HEAD, "warning", "number", "about");
    text_add(out, w.rows.at, w.rows.len);
  }
  text_free(&w.rows);
}

/* --- counts ----------------------------------------------------------------------------------- */

static void write_known(Text *out)
{
  for (uint32_t i = 0; liberty_construct(i, out); i++) text_char(out, '\n');
}

static const Option unused_options[] = {
  { "-known", ARG_FLAG,
    .help = "list the Liberty groups and attributes that the reader knows, one per line" },
  { 0 } };

static Status run_report_unused_constructs(Session *s, Args *a)
{
  Text out = { 0 };
  if (args_flag(a, "-known")) {
    write_known(&out);
  } else {
    write_constructs(s, &out);
    write_warnings(s, &out);
  }
  args_write(a, text_get(&out), out.len);
  text_free(&out);
  return OK;
}

const Command commands_unused[] = {
  { "report_unused_constructs", "reporting", "count constructs of files that were read and not "
                                             "used",
    unused_options, run_report_unused_constructs, CMD_REDIRECT,
    "The first table counts constructs of Liberty, Verilog, SPEF and SDF files that have no "
    "effect on timing.  A group counts once, without its contents.  A Liberty construct is shown "
    "with its group, as timing.output_current_rise.  The second table counts the warnings of "
    "readers and constraints, including those that were not shown.",
    "report_unused_constructs\n" },
  { 0 }
};
