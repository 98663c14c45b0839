/* Writes manual pages in troff from the rows of commands, and finds explanations of messages in
   man/messages. */
#include "tclbind/manual.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/input.h"
#include "base/memory.h"
#include "tclbind/object_value.h"
#include "tclbind/property.h"

/* --- nearest command -------------------------------------------------------------------------- */

typedef struct {
  ARRAY(const char *) names;
} CommandNames;

static void collect_name(void *data, const Command *c)
{
  CommandNames *n = data;
  array_push(&n->names, c->name);
}

void manual_add_nearest(const Session *s, Text *t, const char *command)
{
  CommandNames n = { 0 };
  commands_each(s, false, collect_name, &n);
  text_add_nearest(t, command, n.names.at, n.names.len);
  array_free(&n.names);
}

/* --- messages --------------------------------------------------------------------------------- */

bool manual_is_code(const char *topic)
{
  const char *dash = strchr(topic, '-');
  if (dash == NULL || dash == topic || dash[1] == '\0') return false;
  for (const char *p = topic; p < dash; p++)
    if (!isalpha((unsigned char)*p)) return false;
  return dash[1 + strspn(dash + 1, "0123456789")] == '\0';
}

static Status read_whole(Log *log, const char *path, Text *t)
{
  Input *in = input_open(path, log);
  if (in == NULL) return FAILED;
  do {
    text_add(t, in->cur, (size_t)(in->end - in->cur));
    in->cur = in->end;
  } while (input_refill(in, NULL));
  Status status = in->failed ? FAILED : OK;
  input_close(in);
  return status;
}

/* The block whose first line begins with the code: up to the next empty line. */
static bool find_block(const char *text, const char *code, Text *t)
{
  size_t n = strlen(code);
  for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
    if (strncmp(line, code, n) != 0 || !isspace((unsigned char)line[n])) continue;
    const char *end = strstr(line, "\n\n");
    text_add(t, line, end ? (size_t)(end - line + 1) : strlen(line));
    return true;
  }
  return false;
}

Status manual_message(Console *c, const char *topic, Text *t)
{
  Text path = { 0 }, all = { 0 };
  char code[64], file[64];
  snprintf(code, sizeof code, "%s", topic);
  for (char *p = code; *p; p++) *p = (char)toupper((unsigned char)*p);
  snprintf(file, sizeof file, "%.*s.txt", (int)strcspn(code, "-"), code);
  Status status = OK;
  bool found = console_find_file(c, "messages", file, &path)
               && (status = read_whole(c->session->log, text_get(&path), &all)) == OK
               && find_block(text_get(&all), code, t);
  text_free(&path);
  text_free(&all);
  if (status != OK || found) return status;
  return log_error(c->session->log, "SHELL-004", NOWHERE, "there is no page about the message %s",
                   code);
}

/* --- pages ------------------------------------------------------------------------------------ */

/* Text for troff: a leading dot or quote and backslashes would be read as requests, dashes as
   hyphens. */
static void add_roff(Text *t, const char *text)
{
  if (*text == '.' || *text == '\'') text_put(t, "\\&");
  for (; *text; text++) {
    if (*text == '\\') text_put(t, "\\e");
    else if (*text == '-') text_put(t, "\\-");
    else text_char(t, *text);
    if (*text == '\n' && (text[1] == '.' || text[1] == '\'')) text_put(t, "\\&");
  }
}

/* Each line of the text is a paragraph. */
static void add_paragraphs(Text *t, const char *text)
{
  for (const char *line = text; *line;) {
    Text paragraph = { 0 };
    size_t n = strcspn(line, "\n");
    text_add(&paragraph, line, n);
    if (line > text) text_put(t, ".PP\n");
    add_roff(t, text_get(&paragraph));
    text_char(t, '\n');
    text_free(&paragraph);
    line += n + (line[n] == '\n');
  }
}

static void add_head(Text *t, const char *name, const char *section, const char *summary)
{
  text_printf(t,
              ".\\\" Written by slackline's write_man_pages; do not edit.\n.TH %s %s \"\" "
              "Slackline \"Slackline manual\"\n.SH NAME\n",
              name, section);
  add_roff(t, name);
  text_put(t, " \\- ");
  add_roff(t, summary);
  text_put(t, "\n");
}

/* " (port, pin or cell)"; nothing for kinds that have no names. */
static void add_kinds(Text *t, unsigned kinds)
{
  Text names = { 0 };
  object_kinds_text(kinds, &names);
  if (names.len) text_printf(t, " (%s)", text_get(&names));
  text_free(&names);
}

static void add_option_page(Text *t, const Option *o)
{
  if (o->flags & OPT_HIDDEN) return;
  text_put(t, ".TP\n\\fB");
  add_roff(t, o->name);
  text_put(t, "\\fR");
  if (o->name[0] == '-' && o->type != ARG_FLAG && o->value) {
    text_put(t, " \\fI");
    add_roff(t, o->value);
    text_put(t, "\\fR");
  }
  text_char(t, '\n');
  add_roff(t, o->help ? o->help : "");
  if (o->kinds && o->type == ARG_OBJECTS) add_kinds(t, o->kinds);
  if (o->name[0] != '-' && o->type == ARG_ENUM) {
    text_put(t, ": ");
    add_roff(t, o->value);
  }
  if (o->preset) {
    text_put(t, "; default ");
    add_roff(t, *o->preset ? o->preset : "empty");
  }
  if (o->flags & OPT_REQUIRED) text_put(t, "; required");
  if (o->flags & OPT_REPEAT) text_put(t, "; may be repeated");
  text_char(t, '\n');
}

/* --- SEE ALSO: relatives of a command -----------------------------------------------------------

   A relative is a command that the page names, one with the same words behind the verb (set_load,
   unset_load), or one of the same group.  Tables are ordered by topic, so of a large group only the
   NEAR commands before and after count. */

enum { LARGE_GROUP = 13, NEAR = 3 };

typedef struct {
  const Command *of;
  uint32_t       group_size, place;      /* of the group; place of the command in it */
  uint32_t       at, named;              /* place of the next command of the group; relatives */
  Text          *page;
} Relatives;

static void count_group(void *data, const Command *c)
{
  Relatives *r = data;
  if (c == r->of) r->place = r->group_size;
  r->group_size += strcmp(c->group, r->of->group) == 0;
}

static bool is_name_character(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Does a text contain a name as a whole word? */
static bool mentions(const char *text, const char *name)
{
  size_t n = strlen(name);
  for (const char *at = text ? strstr(text, name) : NULL; at; at = strstr(at + 1, name))
    if ((at == text || !is_name_character(at[-1])) && !is_name_character(at[n])) return true;
  return false;
}

static bool page_names(const Command *c, const char *name)
{
  if (strchr(name, '_') == NULL) return false;
  if (mentions(c->details, name)) return true;
  for (const Option *o = c->options; o && o->name; o++)
    if (!(o->flags & OPT_HIDDEN) && mentions(o->help, name)) return true;
  return false;
}

/* The words behind the verb: "load" of set_load. */
static const char *noun_of(const char *name)
{
  const char *underscore = strchr(name, '_');
  return underscore ? underscore + 1 : name;
}

/* Is the next command of the group near enough? */
static bool is_near(const Relatives *r)
{
  return r->group_size < LARGE_GROUP || (r->at <= r->place + NEAR && r->place <= r->at + NEAR);
}

static bool are_related(Relatives *r, const Command *c)
{
  bool same_group = strcmp(c->group, r->of->group) == 0, near = same_group && is_near(r);
  r->at += same_group;
  if (c == r->of) return false;
  return near || strcmp(noun_of(c->name), noun_of(r->of->name)) == 0 || page_names(r->of, c->name);
}

static void add_relative(void *data, const Command *c)
{
  Relatives *r = data;
  if (!are_related(r, c)) return;
  text_put(r->page, r->named++ ? ", " : "");
  add_roff(r->page, c->name);
  text_put(r->page, "(n)");
}

static void add_see_also(const Session *s, const Command *c, Text *t)
{
  Relatives r = { .of = c, .page = t };
  commands_each(s, false, count_group, &r);
  text_put(t, ".SH SEE ALSO\n");
  commands_each(s, false, add_relative, &r);
  text_put(t, r.named ? ", slackline(1)\n" : "slackline(1)\n");
}

/* --- properties, on the page of list_properties ----------------------------------------------- */

static void add_property(void *data, const Property *row)
{
  Text *t = data;
  text_put(t, ".TP\n\\fB");
  add_roff(t, row->name);
  text_printf(t, "\\fR (%s)\n", property_kind_name(row->kind));
  add_roff(t, row->help ? row->help : "");
  text_char(t, '\n');
}

static void add_properties(const Session *s, Text *t)
{
  text_put(t, ".SH PROPERTIES\n");
  for (uint32_t type = OBJ_DESIGN; type < OBJ_TYPE_COUNT; type++) {
    text_printf(t, ".SS %s\n", object_type_name(type));
    property_each(s, type, add_property, t);
  }
}

/* --- the page of a command -------------------------------------------------------------------- */

static void command_page(const Session *s, const Command *c, Text *t)
{
  Text usage = { 0 };
  add_head(t, c->name, "n", c->summary);
  text_put(t, ".SH SYNOPSIS\n");
  command_usage(c, &usage);
  add_roff(t, text_get(&usage));
  text_free(&usage);
  text_char(t, '\n');
  if (c->options && c->options->name) text_put(t, ".SH OPTIONS\n");
  for (const Option *o = c->options; o && o->name; o++) add_option_page(t, o);
  if (c->details) {
    text_put(t, ".SH DESCRIPTION\n");
    add_paragraphs(t, c->details);
  }
  if (c->flags & CMD_PROPERTIES) add_properties(s, t);
  if (c->example) {
    text_put(t, ".SH EXAMPLE\n.nf\n");
    add_roff(t, c->example);
    text_put(t, c->example[strlen(c->example) - 1] == '\n' ? ".fi\n" : "\n.fi\n");
  }
  add_see_also(s, c, t);
}

static const char program_page[] =
    ".SH SYNOPSIS\n"
    "\\fBslackline\\fR [\\-f \\fIscript\\fR] [\\-x \\fIcommand\\fR] [\\-exit] [\\-threads "
    "\\fIN\\fR] [\\-engine auto|cpu|cuda|emulated]\n"
    "[\\-device \\fIN\\fR] [\\-no_init] [\\-quiet] [\\-version] [\\-help] [\\fIscript\\fR "
    "[\\fIargs\\fR]]\n"
    ".SH DESCRIPTION\n"
    "Slackline is an interactive static timing analyser.  It reads a netlist, cell libraries,\n"
    "constraints and parasitics, and reports timing.  Scripts and the prompt are Tcl.  Each "
    "command\nhas a page of its own; the commands help and man show them.\n"
    ".PP\nAt the prompt a command may have several lines: it continues until its braces, brackets\n"
    "and quotes are closed, and after a backslash.  Pasted text counts as if it were typed.\n"
    ".PP\nCtrl-C clears the line, or stops the running command.  The design, its constraints and "
    "its\ntiming are then as they were before the command.  Pasted lines that follow are dropped.\n"
    "At the prompt Ctrl-C never ends the session; exit and Ctrl-D do.  In batch a second Ctrl-C\n"
    "within a second ends the program.\n"
    "One call of a command of Tcl cannot be stopped: lsort, lreverse or join of millions of\n"
    "names takes up to seconds, and Ctrl-C counts after it.\n"
    ".SH OPTIONS\n"
    ".TP\n\\fB\\-f\\fR \\fIscript\\fR\nevaluate a script; may be repeated, in order with \\-x\n"
    ".TP\n\\fB\\-x\\fR \\fIcommand\\fR\nevaluate a command; may be repeated\n"
    ".TP\n\\fB\\-exit\\fR\nend after the scripts and commands; without it a prompt follows\n"
    ".TP\n\\fB\\-threads\\fR \\fIN\\fR\nnumber of threads; 0 is the default: "
    "OMP_NUM_THREADS\nif it is a number above 0 (of a list the first), else the number of "
    "processors\nthat affinity and the quotas of control groups allow.  Small work uses one "
    "thread.\nResults do not depend on the number.\n"
    ".TP\n\\fB\\-engine\\fR auto|cpu|cuda|emulated\nwhat computes.  auto is the "
    "default: the CPU\nfor designs of fewer than 20000 pins, else a CUDA device if there is one.  "
    "cuda: a CUDA device;\nif there is none, or if it fails, the CPU computes, with a warning.  "
    "emulated: the CUDA kernels\nas loops on the CPU, for tests.  report_engine says which engine "
    "is in use, and why\n"
    ".TP\n\\fB\\-device\\fR \\fIN\\fR\nnumber of the CUDA device, if there are several; default 0\n"
    ".TP\n\\fB\\-no_init\\fR\ndo not read ~/.slackline\n"
    ".TP\n\\fB\\-quiet\\fR\nno banner and no information lines\n"
    ".TP\n\\fB\\-version\\fR\nprint the version\n"
    ".TP\n\\fB\\-help\\fR\nprint the usage\n"
    ".TP\n\\fIscript\\fR [\\fIargs\\fR]\nevaluate a script; args are in the variables argc and "
    "argv\n"
    ".SH EXIT STATUS\n"
    "0 success; 1 an error; 2 wrong usage of the program or of a command; 130 an interrupt.\n"
    ".SH FILES\n"
    ".TP\n~/.slackline\nevaluated at the start\n"
    ".TP\n~/.slackline_history\ncommands that were typed at the prompt, one per line; the "
    "character\n036 stands for a line end within a command\n"
    ".SH ENVIRONMENT\n"
    ".TP\nSLACKLINE_DATA\nfolder of init.tcl and compat.tcl\n"
    ".TP\nPAGER\nprogram that shows long output on a terminal\n"
    ".SH COMMANDS\n";

static void name_in_program_page(void *data, const Command *c)
{
  Text *t = data;
  text_printf(t, ".TP\n\\fB%s\\fR(n)\n", c->name);
  add_roff(t, c->summary);
  text_char(t, '\n');
}

/* The commands of a usual script, in its order, and those that show pages. */
static const char see_also_of_program[] =
    ".SH SEE ALSO\n"
    "help(n), man(n), read_liberty(n), read_verilog(n), link_design(n), read_sdc(n), read_spef(n), "
    "set_delay_model(n), check_timing(n), report_timing(n), report_wns(n), swap_cell(n), "
    "size_cells(n), write_changes(n), write_sdc(n), write_sdf(n), write_verilog(n)\n";

/* --- lines of at most 100 columns ------------------------------------------------------------- */

enum { PAGE_COLUMNS = 100 };

/* May the line end before this blank? The next line must not begin as a request does. */
static bool may_break(const char *line, size_t i)
{
  const char *next = line + i + strspn(line + i, " ");
  return i > 0 && line[i] == ' ' && line[i - 1] != ' ' && *next != '.' && *next != '\'';
}

/* Returns the length of the first part of a line: up to a blank, or after a bar between choices. */
static size_t first_part(const char *line, size_t n, bool at_blanks)
{
  size_t blank = 0, bar = 0;
  if (n <= PAGE_COLUMNS) return n;
  for (size_t i = 0; i <= PAGE_COLUMNS; i++) {
    if (at_blanks && may_break(line, i)) blank = i;
    if (i > 0 && i < PAGE_COLUMNS && line[i - 1] == '|') bar = i;
  }
  return blank ? blank : bar ? bar : n;
}

static void add_parts(Text *t, const char *line, size_t n, bool at_blanks)
{
  for (;;) {
    size_t part = first_part(line, n, at_blanks);
    text_add(t, line, part);
    if (part == n) break;
    text_put(t, line[part] == ' ' ? "\n" : "\\\n");      /* a backslash joins two lines */
    part += strspn(line + part, " ");
    line += part;
    n -= part;
  }
  text_char(t, '\n');
}

/* troff fills lines, so a longer one may be several. Requests, and lines from .nf to .fi, stay as
   they are. What follows .TP is one line. */
static void wrap_page(const Text *page, Text *t)
{
  bool is_tag = false, as_is = false;
  for (const char *line = text_get(page); *line;) {
    size_t n = strcspn(line, "\n"), end = n + (line[n] == '\n');
    if (strncmp(line, ".nf", 3) == 0 || strncmp(line, ".fi", 3) == 0) as_is = line[1] == 'n';
    if (as_is || *line == '.') text_add(t, line, end);
    else add_parts(t, line, n, !is_tag);
    is_tag = strncmp(line, ".TP", 3) == 0;
    line += end;
  }
}

/* --- files ------------------------------------------------------------------------------------ */

typedef struct {
  const Session *s;
  const char    *folder;
  Status         status;
} Writing;

static void write_page(Writing *w, const char *prefix, const char *name, const char *section,
                       const Text *page)
{
  if (w->status != OK) return;
  Text path = { 0 }, lines = { 0 };
  text_printf(&path, "%s/%s%s.%s", w->folder, prefix, name, section);
  FILE *f = fopen(text_get(&path), "w");
  bool bad = f == NULL;
  wrap_page(page, &lines);
  if (f) {
    fwrite(text_get(&lines), 1, lines.len, f);
    bad = fclose(f) != 0;
  }
  if (bad)
    w->status = log_error(w->s->log, "SHELL-002", (Where){ text_get(&path), 0, 0 },
                          "cannot write the file: %s", strerror(errno));
  text_free(&path);
  text_free(&lines);
}

static void write_command_page(void *data, const Command *c)
{
  Writing *w = data;
  Text page = { 0 };
  command_page(w->s, c, &page);
  write_page(w, "sl_", c->name, "n", &page);
  text_free(&page);
}

Status manual_write(const Session *s, const char *folder)
{
  Writing w = { s, folder, OK };
  Text page = { 0 };
  add_head(&page, "slackline", "1", "static timing analysis");
  text_put(&page, program_page);
  commands_each(s, false, name_in_program_page, &page);
  text_put(&page, see_also_of_program);
  write_page(&w, "", "slackline", "1", &page);
  text_free(&page);
  commands_each(s, false, write_command_page, &w);
  return w.status;
}
