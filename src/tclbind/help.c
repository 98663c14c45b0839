/* Writes the usage, -help and help from the rows of commands. */
#include <string.h>

#include "tclbind/args.h"
#include "tclbind/object_value.h"

static const char *type_text(const Option *o)
{
  switch (o->type) {
    case ARG_FLAG: return "flag";
    case ARG_INT: return "whole number";
    case ARG_FLOAT: return "number";
    case ARG_TIME: return "time";
    case ARG_CAP: return "capacitance";
    case ARG_RES: return "resistance";
    case ARG_TEXT: return "text";
    case ARG_FILE: return "file";
    case ARG_ENUM: return "word";
    case ARG_OBJECTS: return "objects";
    case ARG_LIST: return "list";
    case ARG_SCRIPT: return "script";
  }
  return "";
}

static const char *value_text(const Option *o)
{
  return o->value ? o->value : o->name[0] == '-' ? type_text(o) : o->name;
}

/* -x value, [-x value], [-x value]..., name, [name], name... */
static void add_option(Text *t, const Option *o)
{
  bool positional = o->name[0] != '-', required = o->flags & OPT_REQUIRED;
  text_put(t, required ? " " : " [");
  if (positional) text_put(t, o->type == ARG_ENUM ? o->value : o->name);
  else if (o->type == ARG_FLAG) text_put(t, o->name);
  else if (o->flags & OPT_MAY_LACK_VALUE) text_printf(t, "%s [%s]", o->name, value_text(o));
  else text_printf(t, "%s %s", o->name, value_text(o));
  if (positional && (o->flags & OPT_REST)) text_put(t, "...");
  if (!required) text_char(t, ']');
  if (o->flags & OPT_REPEAT) text_put(t, "...");
}

void command_usage(const Command *command, Text *t)
{
  text_put(t, command->name);
  for (const Option *o = command->options; o && o->name; o++)
    if (!(o->flags & OPT_HIDDEN)) add_option(t, o);
  if (command->flags & CMD_REDIRECT) text_put(t, " [> file] [>> file]");
}

/* Breaks a line of words at `width`, later lines indented. */
static void add_wrapped(Text *t, const char *text, size_t width, int indent)
{
  size_t column = (size_t)indent;
  bool first = true;
  while (*text) {
    size_t n = strcspn(text, " \n");
    if (!first && column + n + 1 > width) {
      text_printf(t, "\n%*s", indent, "");
      column = (size_t)indent;
    } else if (!first) {
      text_char(t, ' ');
      column++;
    }
    text_add(t, text, n);
    column += n;
    text += n;
    text += strspn(text, " \n");
    first = false;
  }
}

static void option_help(Text *t, const Option *o)
{
  Text head = { 0 };
  text_printf(&head, "  %s", o->name);
  if (o->type != ARG_FLAG && o->name[0] == '-') text_printf(&head, " %s", value_text(o));
  text_printf(t, "%-26s ", text_get(&head));
  if (head.len > 26) text_printf(t, "\n%27s", "");
  text_free(&head);
  Text body = { 0 };
  text_put(&body, o->help ? o->help : "");
  if (o->type == ARG_OBJECTS && o->kinds) {
    text_put(&body, " (");
    object_kinds_text(o->kinds, &body);
    text_put(&body, ")");
  } else if (o->type != ARG_FLAG) {
    text_printf(&body, " (%s)", o->type == ARG_ENUM ? o->value : type_text(o));
  }
  if (o->preset) text_printf(&body, "; default %s", *o->preset ? o->preset : "empty");
  if (o->flags & OPT_REQUIRED) text_put(&body, "; required");
  if (o->flags & OPT_REPEAT) text_put(&body, "; may be repeated");
  add_wrapped(t, text_get(&body), 100, 27);
  text_char(t, '\n');
  text_free(&body);
}

void command_help(const Command *command, Text *t)
{
  Text usage = { 0 };
  command_usage(command, &usage);
  text_printf(t, "%s: %s\n\nusage: ", command->name, command->summary);
  add_wrapped(t, text_get(&usage), 100, 7);
  text_char(t, '\n');
  text_free(&usage);
  bool any = false;
  for (const Option *o = command->options; o && o->name; o++) {
    if (o->flags & OPT_HIDDEN) continue;
    if (!any) text_char(t, '\n');
    any = true;
    option_help(t, o);
  }
  if (command->details) {
    text_char(t, '\n');
    add_wrapped(t, command->details, 100, 0);
    text_char(t, '\n');
  }
  if (command->example)
    text_printf(t, "\nexample:\n%s%s", command->example,
                command->example[strlen(command->example) - 1] == '\n' ? "" : "\n");
}
