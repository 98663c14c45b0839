/* Writes the usage, -help and help from the rows of commands. */
#include <string.h>

#include "tclbind/args.h"
#include "tclbind/object_value.h"

static const char *type_text(const Option *option)
{
  switch (option->type) {
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

static const char *value_text(const Option *option)
{
  return option->value ? option->value : option->name[0] == '-' ? type_text(option) : option->name;
}

/* -x value, [-x value], [-x value]..., name, [name], name... */
static void add_option(Text *text, const Option *option)
{
  bool positional = option->name[0] != '-', required = option->flags & OPT_REQUIRED;
  text_put(text, required ? " " : " [");
  if (positional) text_put(text, option->type == ARG_ENUM ? option->value : option->name);
  else if (option->type == ARG_FLAG) text_put(text, option->name);
  else if (option->flags & OPT_MAY_LACK_VALUE)
    text_printf(text, "%s [%s]", option->name, value_text(option));
  else text_printf(text, "%s %s", option->name, value_text(option));
  if (positional && (option->flags & OPT_REST)) text_put(text, "...");
  if (!required) text_char(text, ']');
  if (option->flags & OPT_REPEAT) text_put(text, "...");
}

void command_usage(const Command *command, Text *text)
{
  text_put(text, command->name);
  for (const Option *option = command->options; option && option->name; option++)
    if (!(option->flags & OPT_HIDDEN)) add_option(text, option);
  if (command->flags & CMD_REDIRECT) text_put(text, " [> file] [>> file]");
}

/* Breaks a line of words at `width`, later lines indented. */
static void add_wrapped(Text *out, const char *text, size_t width, int indent)
{
  size_t column = (size_t)indent;
  bool first = true;
  while (*text) {
    size_t n = strcspn(text, " \n");
    if (!first && column + n + 1 > width) {
      text_printf(out, "\n%*s", indent, "");
      column = (size_t)indent;
    } else if (!first) {
      text_char(out, ' ');
      column++;
    }
    text_add(out, text, n);
    column += n;
    text += n;
    text += strspn(text, " \n");
    first = false;
  }
}

static void option_help(Text *text, const Option *option)
{
  Text head = { 0 };
  text_printf(&head, "  %s", option->name);
  if (option->type != ARG_FLAG && option->name[0] == '-')
    text_printf(&head, " %s", value_text(option));
  text_printf(text, "%-26s ", text_get(&head));
  if (head.len > 26) text_printf(text, "\n%27s", "");
  text_free(&head);
  Text body = { 0 };
  text_put(&body, option->help ? option->help : "");
  if (option->type == ARG_OBJECTS && option->kinds) {
    text_put(&body, " (");
    object_kinds_text(option->kinds, &body);
    text_put(&body, ")");
  } else if (option->type != ARG_FLAG) {
    text_printf(&body, " (%s)", option->type == ARG_ENUM ? option->value : type_text(option));
  }
  if (option->preset)
    text_printf(&body, "; default %s", *option->preset ? option->preset : "empty");
  if (option->flags & OPT_REQUIRED) text_put(&body, "; required");
  if (option->flags & OPT_REPEAT) text_put(&body, "; may be repeated");
  add_wrapped(text, text_get(&body), 100, 27);
  text_char(text, '\n');
  text_free(&body);
}

void command_help(const Command *command, Text *text)
{
  Text usage = { 0 };
  command_usage(command, &usage);
  text_printf(text, "%s: %s\n\nusage: ", command->name, command->summary);
  add_wrapped(text, text_get(&usage), 100, 7);
  text_char(text, '\n');
  text_free(&usage);
  bool any = false;
  for (const Option *option = command->options; option && option->name; option++) {
    if (option->flags & OPT_HIDDEN) continue;
    if (!any) text_char(text, '\n');
    any = true;
    option_help(text, option);
  }
  if (command->details) {
    text_char(text, '\n');
    add_wrapped(text, command->details, 100, 0);
    text_char(text, '\n');
  }
  if (command->example)
    text_printf(text, "\nexample:\n%s%s", command->example,
                command->example[strlen(command->example) - 1] == '\n' ? "" : "\n");
}
