/* Writes an SDC file: its sections in their order, and the file around them. */
#include "write/sdc_file.h"

#include <errno.h>
#include <stdio.h>
#include <zlib.h>

#include "base/interrupt.h"
#include "base/replace.h"
#include "write/sdc_private.h"

/* set_units only checks: a session with the same libraries reads numbers in the libraries' units,
   unless it is told otherwise. */
static bool is_other_unit(const SdcWriter *writer, UnitKind kind)
{
  return writer->libs->libraries.len
         && writer->libs->libraries.at[0].units.scale[kind] != writer->options->units.scale[kind];
}

static void write_unit_options(SdcWriter *writer, const char *command, bool others_alone)
{
  static const char *const options[UNIT_COUNT] = { [UNIT_TIME] = "-time",
                                                   [UNIT_CAPACITANCE] = "-capacitance",
                                                   [UNIT_RESISTANCE] = "-resistance",
                                                   [UNIT_VOLTAGE] = "-voltage" };
  char name[32];
  text_put(&writer->out, command);
  for (int kind = 0; kind < UNIT_COUNT; kind++) {
    if (options[kind] == NULL || (others_alone && !is_other_unit(writer, (UnitKind)kind))) continue;
    unit_name((UnitKind)kind, writer->options->units.scale[kind], name);
    text_printf(&writer->out, " %s %s", options[kind], name);
  }
  text_char(&writer->out, '\n');
}

static void write_units(SdcWriter *writer)
{
  bool others = false;
  for (int kind = UNIT_TIME; kind < UNIT_COUNT; kind++)
    others |= kind <= UNIT_VOLTAGE && is_other_unit(writer, (UnitKind)kind);
  if (writer->options->separator != '/')
    text_printf(&writer->out, "set_hierarchy_separator {%c}\n", writer->options->separator);
  if (others) write_unit_options(writer, "set_cmd_units", true);
  write_unit_options(writer, "set_units", false);
}

const SdcKind sdc_section_units[] = { write_units, NULL };

typedef struct {
  const char    *title;
  const SdcKind *kinds;
} SdcSection;

#define SDC_SECTION_ROW(title, name) { title, sdc_section_##name },
static const SdcSection sections[] = { SDC_SECTIONS(SDC_SECTION_ROW) };

/* A title stands over what its section has, if anything. */
static void write_section(SdcWriter *writer, const SdcSection *section)
{
  size_t before = writer->out.len;
  if (section->title) text_printf(&writer->out, "\n# %s\n", section->title);
  size_t empty = writer->out.len;
  for (const SdcKind *kind = section->kinds; *kind; kind++) {
    (*kind)(writer);
    sdcw_flush(writer);
  }
  if (writer->out.len > empty) return;
  writer->out.len = before;
  if (writer->out.at) writer->out.at[before] = '\0';
}

void write_sdc_text(const Constraints *c, const SdcOptions *options, Text *text)
{
  SdcWriter w = { .c = c,
                  .n = c->netlist,
                  .libs = options->libs,
                  .options = options,
                  .digits = options->digits,
                  .group_of = map_new() };
  if (options->title) text_printf(&w.out, "# %s\n", options->title);
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) write_section(&w, &sections[i]);
  text_add(text, w.out.at, w.out.len);
  text_free(&w.out);
  text_free(&w.head);
  array_free(&w.groups);
  map_free(w.group_of);
}

static Status cannot(const char *path, Log *log)
{
  return log_error(log, "FILE-005", (Where){ path, 0, 0 }, "the file cannot be written: %s",
                   strerror(errno));
}

static Status write_plain(const Text *text, const char *path, Log *log)
{
  FILE *file = fopen(path, "w");
  if (file == NULL) return cannot(path, log);
  bool good = fwrite(text_get(text), 1, text->len, file) == text->len;
  good = fclose(file) == 0 && good;
  return good ? OK : cannot(path, log);
}

static Status write_packed(const Text *text, const char *path, Log *log)
{
  gzFile file = gzopen(path, "wb");
  if (file == NULL) return cannot(path, log);
  bool good = text->len == 0 || gzwrite(file, text->at, (unsigned)text->len) == (int)text->len;
  good = gzclose(file) == Z_OK && good;
  return good ? OK : cannot(path, log);
}

Status write_sdc(const Constraints *c, const SdcOptions *options, const char *path, Log *log)
{
  Text text = { 0 };
  Replacement replacement;
  write_sdc_text(c, options, &text);
  const char *part = replace_begin(&replacement, path);
  Status status = interrupt_seen() ? FAILED
                  : options->gzip  ? write_packed(&text, part, log)
                                   : write_plain(&text, part, log);
  bool whole = status == OK && !interrupt_seen();
  if (!replace_end(&replacement, whole) && whole) status = cannot(path, log);
  text_free(&text);
  return status;
}
