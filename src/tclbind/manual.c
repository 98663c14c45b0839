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

static void collect_name(void *data, const Command *command)
{
  CommandNames *names = data;
  array_push(&names->names, command->name);
}

void manual_add_nearest(const Session *s, Text *text, const char *command)
{
  CommandNames n = { 0 };
  commands_each(s, false, collect_name, &n);
  text_add_nearest(text, command, n.names.at, n.names.len);
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

static Status read_whole(Log *log, const char *path, Text *text)
{
  Input *in = input_open(path, log);
  if (in == NULL) return FAILED;
  do {
    text_add(text, in->cur, (size_t)(in->end - in->cur));
    in->cur = in->end;
  } while (input_refill(in, NULL));
  Status status = in->failed ? FAILED : OK;
  input_close(in);
  return status;
}

/* The block whose first line begins with the code: up to the next empty line. */
static bool find_block(const char *text, const char *code, Text *out)
{
  size_t n = strlen(code);
  for (const char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
    if (strncmp(line, code, n) != 0 || !isspace((unsigned char)line[n])) continue;
    const char *end = strstr(line, "\n\n");
    text_add(out, line, end ? (size_t)(end - line + 1) : strlen(line));
    return true;
  }
  return false;
}

Status manual_message(Console *console, const char *topic, Text *text)
{
  Text path = { 0 }, all = { 0 };
  char code[64], file[64];
  snprintf(code, sizeof code, "%s", topic);
  for (char *p = code; *p; p++) *p = (char)toupper((unsigned char)*p);
  snprintf(file, sizeof file, "%.*s.txt", (int)strcspn(code, "-"), code);
  Status status = OK;
  bool found = console_find_file(console, "messages", file, &path)
               && (status = read_whole(console->session->log, text_get(&path), &all)) == OK
               && find_block(text_get(&all), code, text);
  text_free(&path);
  text_free(&all);
  if (status != OK || found) return status;
  return log_error(console->session->log, "SHELL-004", NOWHERE,
                   "there is no page about the message %s", code);
}

/* --- pages ------------------------------------------------------------------------------------ */

/* Text for troff: a leading dot or quote and backslashes would be read as requests, dashes as
   hyphens. */
static void add_roff(Text *out, const char *text)
{
  if (*text == '.' || *text == '\'') text_put(out, "\\&");
  for (; *text; text++) {
    if (*text == '\\') text_put(out, "\\e");
    else if (*text == '-') text_put(out, "\\-");
    else text_char(out, *text);
    if (*text == '\n' && (text[1] == '.' || text[1] == '\'')) text_put(out, "\\&");
  }
}

/* Each line of the text is a paragraph. */
static void add_paragraphs(Text *out, const char *text)
{
  for (const char *line = text; *line;) {
    Text paragraph = { 0 };
    size_t n = strcspn(line, "\n");
    text_add(&paragraph, line, n);
    if (line > text) text_put(out, ".PP\n");
    add_roff(out, text_get(&paragraph));
    text_char(out, '\n');
    text_free(&paragraph);
    line += n + (line[n] == '\n');
  }
}

static void add_head(Text *text, const char *name, const char *section, const char *summary)
{
  text_printf(text,
              ".\\\" Written by slackline's write_man_pages; do not edit.\n.TH %s %s \"\" "
              "Slackline \"Slackline manual\"\n.SH NAME\n",
              name, section);
  add_roff(text, name);
  text_put(text, " \\- ");
  add_roff(text, summary);
  text_put(text, "\n");
}

/* " (port, pin or cell)"; nothing for kinds that have no names. */
static void add_kinds(Text *text, unsigned kinds)
{
  Text names = { 0 };
  object_kinds_text(kinds, &names);
  if (names.len) text_printf(text, " (%s)", text_get(&names));
  text_free(&names);
}

static void add_option_page(Text *text, const Option *option)
{
  if (option->flags & OPT_HIDDEN) return;
  text_put(text, ".TP\n\\fB");
  add_roff(text, option->name);
  text_put(text, "\\fR");
  if (option->name[0] == '-' && option->type != ARG_FLAG && option->value) {
    text_put(text, " \\fI");
    add_roff(text, option->value);
    text_put(text, "\\fR");
  }
  text_char(text, '\n');
  add_roff(text, option->help ? option->help : "");
  if (option->kinds && option->type == ARG_OBJECTS) add_kinds(text, option->kinds);
  if (option->name[0] != '-' && option->type == ARG_ENUM) {
    text_put(text, ": ");
    add_roff(text, option->value);
  }
  if (option->preset) {
    text_put(text, "; default ");
    add_roff(text, *option->preset ? option->preset : "empty");
  }
  if (option->flags & OPT_REQUIRED) text_put(text, "; required");
  if (option->flags & OPT_REPEAT) text_put(text, "; may be repeated");
  text_char(text, '\n');
}

/* --- SEE ALSO: relatives of a command -----------------------------------------------------------

   A relative is a command that the page names, one with the same words behind the verb (set_load,
   unset_load), or one of the same group.  Tables are ordered by topic, so of a large group only the
   NEAR commands before and after count. */

enum { LARGE_GROUP = 13, NEAR = 3 };

typedef struct {
  const Command *of;
  uint32_t       group_size, index;      /* of the group; of the command in it */
  uint32_t       at, named;              /* index of the next command of the group; relatives */
  Text          *page;
} Relatives;

static void count_group(void *data, const Command *command)
{
  Relatives *relatives = data;
  if (command == relatives->of) relatives->index = relatives->group_size;
  relatives->group_size += strcmp(command->group, relatives->of->group) == 0;
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

static bool page_names(const Command *command, const char *name)
{
  if (strchr(name, '_') == NULL) return false;
  if (mentions(command->details, name)) return true;
  for (const Option *option = command->options; option && option->name; option++)
    if (!(option->flags & OPT_HIDDEN) && mentions(option->help, name)) return true;
  return false;
}

/* The words behind the verb: "load" of set_load. */
static const char *noun_of(const char *name)
{
  const char *underscore = strchr(name, '_');
  return underscore ? underscore + 1 : name;
}

/* Is the next command of the group near enough? */
static bool is_near(const Relatives *relatives)
{
  return relatives->group_size < LARGE_GROUP
         || (relatives->at <= relatives->index + NEAR && relatives->index <= relatives->at + NEAR);
}

static bool are_related(Relatives *relatives, const Command *command)
{
  bool same_group = strcmp(command->group, relatives->of->group) == 0,
       near = same_group && is_near(relatives);
  relatives->at += same_group;
  if (command == relatives->of) return false;
  return near || strcmp(noun_of(command->name), noun_of(relatives->of->name)) == 0
         || page_names(relatives->of, command->name);
}

static void add_relative(void *data, const Command *command)
{
  Relatives *relatives = data;
  if (!are_related(relatives, command)) return;
  text_put(relatives->page, relatives->named++ ? ", " : "");
  add_roff(relatives->page, command->name);
  text_put(relatives->page, "(n)");
}

static void add_see_also(const Session *s, const Command *command, Text *text)
{
  Relatives r = { .of = command, .page = text };
  commands_each(s, false, count_group, &r);
  text_put(text, ".SH SEE ALSO\n");
  commands_each(s, false, add_relative, &r);
  text_put(text, r.named ? ", slackline(1)\n" : "slackline(1)\n");
}

/* --- properties, on the page of list_properties ----------------------------------------------- */

static void add_property(void *data, const Property *row)
{
  Text *text = data;
  text_put(text, ".TP\n\\fB");
  add_roff(text, row->name);
  text_printf(text, "\\fR (%s)\n", property_kind_name(row->kind));
  add_roff(text, row->help ? row->help : "");
  text_char(text, '\n');
}

static void add_properties(const Session *s, Text *text)
{
  text_put(text, ".SH PROPERTIES\n");
  for (uint32_t type = OBJ_DESIGN; type < OBJ_TYPE_COUNT; type++) {
    text_printf(text, ".SS %s\n", object_type_name(type));
    property_each(s, type, add_property, text);
  }
}

/* --- the page of a command -------------------------------------------------------------------- */

static void command_page(const Session *s, const Command *command, Text *text)
{
  Text usage = { 0 };
  add_head(text, command->name, "n", command->summary);
  text_put(text, ".SH SYNOPSIS\n");
  command_usage(command, &usage);
  add_roff(text, text_get(&usage));
  text_free(&usage);
  text_char(text, '\n');
  if (command->options && command->options->name) text_put(text, ".SH OPTIONS\n");
  for (const Option *option = command->options; option && option->name; option++)
    add_option_page(text, option);
  if (command->details) {
    text_put(text, ".SH DESCRIPTION\n");
    add_paragraphs(text, command->details);
  }
  if (command->flags & CMD_PROPERTIES) add_properties(s, text);
  if (command->example) {
    text_put(text, ".SH EXAMPLE\n.nf\n");
    add_roff(text, command->example);
    text_put(text, command->example[strlen(command->example) - 1] == '\n' ? ".fi\n" : "\n.fi\n");
  }
  add_see_also(s, command, text);
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

static void name_in_program_page(void *data, const Command *command)
{
  Text *text = data;
  text_printf(text, ".TP\n\\fB%s\\fR(n)\n", command->name);
  add_roff(text, command->summary);
  text_char(text, '\n');
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

static void add_parts(Text *text, const char *line, size_t n, bool at_blanks)
{
  for (;;) {
    size_t part = first_part(line, n, at_blanks);
    text_add(text, line, part);
    if (part == n) break;
    text_put(text, line[part] == ' ' ? "\n" : "\\\n");      /* a backslash joins two lines */
    part += strspn(line + part, " ");
    line += part;
    n -= part;
  }
  text_char(text, '\n');
}

/* troff fills lines, so a longer one may be several. Requests, and lines from .nf to .fi, stay as
   they are. What follows .TP is one line. */
static void wrap_page(const Text *page, Text *text)
{
  bool is_tag = false, as_is = false;
  for (const char *line = text_get(page); *line;) {
    size_t n = strcspn(line, "\n"), end = n + (line[n] == '\n');
    if (strncmp(line, ".nf", 3) == 0 || strncmp(line, ".fi", 3) == 0) as_is = line[1] == 'n';
    if (as_is || *line == '.') text_add(text, line, end);
    else add_parts(text, line, n, !is_tag);
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

static void write_page(Writing *writing, const char *prefix, const char *name, const char *section,
                       const Text *page)
{
  if (writing->status != OK) return;
  Text path = { 0 }, lines = { 0 };
  text_printf(&path, "%s/%s%s.%s", writing->folder, prefix, name, section);
  FILE *f = fopen(text_get(&path), "w");
  bool bad = f == NULL;
  wrap_page(page, &lines);
  if (f) {
    fwrite(text_get(&lines), 1, lines.len, f);
    bad = fclose(f) != 0;
  }
  if (bad)
    writing->status = log_error(writing->s->log, "SHELL-002", (Where){ text_get(&path), 0, 0 },
                                "cannot write the file: %s", strerror(errno));
  text_free(&path);
  text_free(&lines);
}

static void write_command_page(void *data, const Command *command)
{
  Writing *writing = data;
  Text page = { 0 };
  command_page(writing->s, command, &page);
  write_page(writing, "sl_", command->name, "n", &page);
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
