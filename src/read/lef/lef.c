/* Reads LEF files. See lef.h for what is understood. */
#include "read/lef/lef.h"

#include <math.h>

#include "base/interrupt.h"
#include "read/lef/lef_private.h"

static const WordCodes codes = { "LEF-001", "LEF-002", "LEF-003", "LEF-004", "LEF-005" };

/* --- words ------------------------------------------------------------------------------------ */

Status lef_end(LefReader *reader) { return words_expect(&reader->w, ";"); }

Status lef_name(LefReader *reader, NameId *name, const char *expected)
{
  return words_name(&reader->w, reader->physical->names, name, expected);
}

/* Sums of a few such numbers must stay within 32 bits. */
enum { LONGEST = 1 << 29 };

/* Numbers that are rounded by more than this, in units, are no whole numbers. */
#define ROUNDED 1e-4

static bool is_whole(double units) { return !(fabs(units - round(units)) > ROUNDED); }

/* A length must be a whole number of LEF's units and of those of the DEF that was read. */
static void note_rounded(LefReader *reader, double microns)
{
  bool lef = is_whole(microns * reader->physical->units);
  if (lef && (reader->def_units == 0 || is_whole(microns * reader->def_units))) return;
  if (reader->rounded++) return;
  reader->rounded_length = microns;
  reader->rounded_units = lef ? reader->def_units : reader->physical->units;
}

Status lef_length(LefReader *reader, int32_t *length)
{
  double microns;
  Where where = words_where(&reader->w);
  if (words_number(&reader->w, &microns, "a length in microns") != OK) return FAILED;
  double units = round(microns * reader->physical->units);
  if (!(units >= -LONGEST && units <= LONGEST))
    return log_error(reader->w.log, "LEF-005", where,
                     "a length of %g microns is more than a design can have at %d database units a "
                     "micron",
                     microns, reader->physical->units);
  note_rounded(reader, microns);
  *length = (int32_t)units;
  return OK;
}

Status lef_point(LefReader *reader, Point *at)
{
  bool open = words_is_char(&reader->w, '(');
  if (open) words_next(&reader->w);
  if (lef_length(reader, &at->x) != OK || lef_length(reader, &at->y) != OK) return FAILED;
  return open ? words_expect(&reader->w, ")") : OK;
}

Status lef_amount(LefReader *reader, double *amount, const char *expected)
{
  Where where = words_where(&reader->w);
  if (words_number(&reader->w, amount, expected) != OK) return FAILED;
  if (*amount >= 0) return OK;
  return log_error(reader->w.log, "LEF-015", where, "%g is negative; expected %s, 0 or more",
                   *amount, expected);
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* What begins a block ends it. */
static Status wrong_end(LefReader *reader, const char *name)
{
  Text expected = { 0 };
  text_printf(&expected, "END %.80s", name);
  Status status = words_unexpected(&reader->w, text_get(&expected));
  text_free(&expected);
  return status;
}

static Status block_end(LefReader *reader, const char *name)
{
  Words *words = &reader->w;
  words_next(words);
  if (name == NULL) return OK;
  if (words->length != strlen(name) || strncasecmp(words->word, name, words->length) != 0)
    return wrong_end(reader, name);
  words_next(words);
  return OK;
}

static Status unknown_statement(LefReader *reader, const char *name)
{
  Words *words = &reader->w;
  log_warning(words->log, "LEF-010", words_where(words), "unknown statement %.*s%s%s is skipped",
              words_shown(words->length), words->word, name ? " in " : "", name ? name : "");
  return words_skip(words);
}

static Status statement(LefReader *reader, const LefStatement *rows, void *block, const char *name)
{
  Words *words = &reader->w;
  for (const LefStatement *row = rows; row->keyword; row++) {
    if (!words_is(words, row->keyword)) continue;
    if (words_is(words, "BEGINEXT")) return words_skip_text(words, "ENDEXT");
    words_next(words);
    return row->read ? row->read(reader, block) : words_skip(words);
  }
  return unknown_statement(reader, name);
}

Status lef_block(LefReader *reader, const LefStatement *rows, void *block, const char *name)
{
  Words *words = &reader->w;
  while (!words_is(words, "END")) {
    if (words->kind != WORDS_PLAIN) return words_unexpected(words, "a statement, or END");
    if (words_is_char(words, ';')) words_next(words);
    else if (statement(reader, rows, block, name) != OK) return FAILED;
  }
  return block_end(reader, name);
}

Status lef_skip_block(LefReader *reader, const char *name)
{
  Words *words = &reader->w;
  for (; words->kind != WORDS_END; words_next(words)) {
    if (!words_is(words, "END")) continue;
    words_next(words);
    if (words->length == strlen(name) && strncasecmp(words->word, name, words->length) == 0) {
      words_next(words);
      return OK;
    }
  }
  return words_unexpected(words, "END and the name of the block");
}

/* --- the top of the file ---------------------------------------------------------------------- */

static Status read_database(LefReader *reader, void *none)
{
  int64_t units;
  (void)none;
  if (words_expect(&reader->w, "MICRONS") != OK
      || words_integer(&reader->w, &units, 1, 1000000, "database units a micron") != OK)
    return FAILED;
  Physical *physical = reader->physical;
  if (!physical->units_given || units > physical->units)
    reader->rounded += physical_set_lef_units(physical, (int32_t)units);
  return lef_end(reader);
}

static Status read_units(LefReader *reader, void *none)
{
  static const LefStatement rows[] = { { "DATABASE", read_database }, { "TIME", NULL },
                                       { "CAPACITANCE", NULL },       { "RESISTANCE", NULL },
                                       { "POWER", NULL },             { "CURRENT", NULL },
                                       { "VOLTAGE", NULL },           { "FREQUENCY", NULL },
                                       { NULL, NULL } };
  (void)none;
  return lef_block(reader, rows, NULL, "UNITS");
}

static Status read_grid(LefReader *reader, void *none)
{
  (void)none;
  if (lef_length(reader, &reader->physical->grid) != OK) return FAILED;
  return lef_end(reader);
}

/* Blocks that are read over, by the name behind their END. */
static Status skip_named(LefReader *reader, void *none)
{
  Text name = { 0 };
  (void)none;
  text_add(&name, reader->w.word, reader->w.length);
  words_next(&reader->w);
  Status status = lef_skip_block(reader, text_get(&name));
  text_free(&name);
  return status;
}

#define SKIP(function, keyword) \
  static Status function(LefReader *reader, void *none) \
  { \
    (void)none; \
    return lef_skip_block(reader, keyword); \
  }

SKIP(skip_definitions, "PROPERTYDEFINITIONS")
SKIP(skip_spacing, "SPACING")
SKIP(skip_noise, "NOISETABLE")
SKIP(skip_correction, "CORRECTIONTABLE")
SKIP(skip_drop, "IRDROP")

static const LefStatement top_rows[] = {
  { "MACRO", lef_macro }, { "LAYER", lef_layer }, { "SITE", lef_site }, { "VIA", lef_via },
  { "UNITS", read_units }, { "MANUFACTURINGGRID", read_grid }, { "VIARULE", skip_named },
  { "NONDEFAULTRULE", skip_named }, { "ARRAY", skip_named },
  { "PROPERTYDEFINITIONS", skip_definitions }, { "SPACING", skip_spacing },
  { "NOISETABLE", skip_noise }, { "CORRECTIONTABLE", skip_correction }, { "IRDROP", skip_drop },
  { "BEGINEXT", NULL }, { "VERSION", NULL }, { "NAMESCASESENSITIVE", NULL },
  { "BUSBITCHARS", NULL }, { "DIVIDERCHAR", NULL }, { "MAXVIASTACK", NULL },
  { "CLEARANCEMEASURE", NULL }, { "USEMINSPACING", NULL }, { "FIXEDMASK", NULL },
  { "NOWIREEXTENSIONATPIN", NULL }, { "ANTENNAINPUTGATEAREA", NULL },
  { "ANTENNAINOUTDIFFAREA", NULL }, { "ANTENNAOUTPUTDIFFAREA", NULL },
  { "INPUTPINANTENNASIZE", NULL }, { "OUTPUTPINANTENNASIZE", NULL },
  { "INOUTPINANTENNASIZE", NULL }, { "MINFEATURE", NULL }, { "DIELECTRIC", NULL },
  { "UNIVERSALNOISEMARGIN", NULL }, { "EDGERATETHRESHOLD1", NULL },
  { "EDGERATETHRESHOLD2", NULL }, { "EDGERATESCALEFACTOR", NULL }, { NULL, NULL }
};

static bool knows(const Words *words)
{
  for (const LefStatement *row = top_rows; row->keyword; row++)
    if (words_is(words, row->keyword)) return true;
  return words_is(words, "END");
}

/* A file of macros may end without END LIBRARY. */
static Status read_file(LefReader *reader)
{
  Words *words = &reader->w;
  words_next(words);
  if (words->kind != WORDS_END && !knows(words))
    return words_unexpected(words, "a statement of LEF: VERSION, LAYER, MACRO, ...");
  while (words->kind != WORDS_END && !words_is(words, "END")) {
    if (interrupt_seen()) return log_error(words->log, "LEF-006", NOWHERE, "interrupted");
    words->within = NULL;
    if (words_is_char(words, ';')) words_next(words);
    else if (statement(reader, top_rows, NULL, NULL) != OK) return FAILED;
  }
  if (words->failed) return FAILED;
  if (words->kind == WORDS_END) return OK;
  words_next(words);
  return words_expect(words, "LIBRARY");
}

static void tell_of_twice(const LefReader *reader)
{
  if (reader->twice)
    log_warning(reader->w.log, "LEF-011", (Where){ reader->w.path, 0, 0 },
                "%u macro%s, %s the first, %s read before, from %s: this file's count",
                reader->twice, reader->twice == 1 ? "" : "s",
                names_text(reader->physical->names, reader->twice_name),
                reader->twice == 1 ? "was" : "were",
                names_text(reader->physical->names, reader->twice_file));
}

static void tell_of_rounded(const LefReader *reader)
{
  bool one = reader->rounded == 1;
  Text first = { 0 };
  if (reader->rounded_length != 0)
    text_printf(&first, ", %g microns the first,", reader->rounded_length);
  if (reader->rounded)
    log_warning(reader->w.log, "LEF-014", (Where){ reader->w.path, 0, 0 },
                "%llu length%s%s %s of database units (%d a micron, as %s says), and %s rounded",
                (unsigned long long)reader->rounded, one ? "" : "s", text_get(&first),
                one ? "is no whole number" : "are no whole numbers",
                reader->rounded_units ? reader->rounded_units : reader->physical->lef_units,
                reader->rounded_units && reader->rounded_units == reader->def_units ? "DEF" : "LEF",
                one ? "is" : "are");
  text_free(&first);
}

static Status read_words(Physical *physical, const char *path, const Text *text, Log *log,
                         LefRead *result)
{
  LefReader r = { .physical = physical,
                  .file = names_add_text(physical->names, path),
                  .def_units = physical->units_fixed ? physical->units : 0 };
  words_begin(&r.w, text, path, log, &codes);
  physical_use_lef_units(physical);
  Status status = read_file(&r);
  if (status == OK && r.result.layers + r.result.sites + r.result.vias + r.result.macros == 0
      && !r.physical->units_given)
    status = log_error(log, "LEF-007", (Where){ path, 0, 0 },
                       "the file has no layer, site, via or macro");
  if (status == OK && r.def_units) physical_set_units(physical, r.def_units);
  if (status == OK) tell_of_twice(&r);
  if (status == OK) tell_of_rounded(&r);
  words_free(&r.w);
  if (result) *result = r.result;
  return status;
}

Status read_lef(Physical *physical, const char *path, Log *log, LefRead *result)
{
  Text text = { 0 };
  Status status = words_load(path, &text, log, &codes);
  if (status == OK) status = read_words(physical, path, &text, log, result);
  text_free(&text);
  return status;
}

Status read_lef_text(Physical *physical, const char *path, const char *text, Log *log,
                     LefRead *result)
{
  Text copy = { 0 };
  text_put(&copy, text);
  Status status = read_words(physical, path, &copy, log, result);
  text_free(&copy);
  return status;
}
