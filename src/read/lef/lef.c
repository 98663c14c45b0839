/* Reads LEF files. See lef.h for what is understood. */
#include "read/lef/lef.h"

#include <math.h>

#include "base/interrupt.h"
#include "read/lef/lef_private.h"

static const WordCodes codes = { "LEF-001", "LEF-002", "LEF-003", "LEF-004", "LEF-005" };

/* --- words ------------------------------------------------------------------------------------ */

Status lef_end(LefReader *r) { return words_expect(&r->w, ";"); }

Status lef_name(LefReader *r, NameId *name, const char *expected)
{
  return words_name(&r->w, r->p->names, name, expected);
}

/* Sums of a few such numbers must stay within 32 bits. */
enum { LONGEST = 1 << 29 };

/* Numbers that are rounded by more than this, in units, are no whole numbers. */
#define ROUNDED 1e-4

static bool is_whole(double units) { return !(fabs(units - round(units)) > ROUNDED); }

/* A length must be a whole number of LEF's units and of those of the DEF that was read. */
static void note_rounded(LefReader *r, double microns)
{
  bool lef = is_whole(microns * r->p->units);
  if (lef && (r->def_units == 0 || is_whole(microns * r->def_units))) return;
  if (r->rounded++) return;
  r->rounded_length = microns;
  r->rounded_units = lef ? r->def_units : r->p->units;
}

Status lef_length(LefReader *r, int32_t *length)
{
  double microns;
  Where where = words_where(&r->w);
  if (words_number(&r->w, &microns, "a length in microns") != OK) return FAILED;
  double units = round(microns * r->p->units);
  if (!(units >= -LONGEST && units <= LONGEST))
    return log_error(r->w.log, "LEF-005", where,
                     "a length of %g microns is more than a design can have at %d database units a "
                     "micron", microns, r->p->units);
  note_rounded(r, microns);
  *length = (int32_t)units;
  return OK;
}

Status lef_point(LefReader *r, Point *at)
{
  bool open = words_is_char(&r->w, '(');
  if (open) words_next(&r->w);
  if (lef_length(r, &at->x) != OK || lef_length(r, &at->y) != OK) return FAILED;
  return open ? words_expect(&r->w, ")") : OK;
}

Status lef_amount(LefReader *r, double *amount, const char *expected)
{
  Where where = words_where(&r->w);
  if (words_number(&r->w, amount, expected) != OK) return FAILED;
  if (*amount >= 0) return OK;
  return log_error(r->w.log, "LEF-015", where, "%g is negative; expected %s, 0 or more", *amount,
                   expected);
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* What begins a block ends it. */
static Status wrong_end(LefReader *r, const char *name)
{
  Text expected = { 0 };
  text_printf(&expected, "END %.80s", name);
  Status status = words_unexpected(&r->w, text_get(&expected));
  text_free(&expected);
  return status;
}

static Status block_end(LefReader *r, const char *name)
{
  Words *w = &r->w;
  words_next(w);
  if (name == NULL) return OK;
  if (w->length != strlen(name) || strncasecmp(w->word, name, w->length) != 0)
    return wrong_end(r, name);
  words_next(w);
  return OK;
}

static Status unknown_statement(LefReader *r, const char *name)
{
  Words *w = &r->w;
  log_warning(w->log, "LEF-010", words_where(w), "unknown statement %.*s%s%s is skipped",
              words_shown(w->length), w->word, name ? " in " : "", name ? name : "");
  return words_skip(w);
}

static Status statement(LefReader *r, const LefStatement *rows, void *block, const char *name)
{
  Words *w = &r->w;
  for (const LefStatement *row = rows; row->keyword; row++) {
    if (!words_is(w, row->keyword)) continue;
    if (words_is(w, "BEGINEXT")) return words_skip_text(w, "ENDEXT");
    words_next(w);
    return row->read ? row->read(r, block) : words_skip(w);
  }
  return unknown_statement(r, name);
}

Status lef_block(LefReader *r, const LefStatement *rows, void *block, const char *name)
{
  Words *w = &r->w;
  while (!words_is(w, "END")) {
    if (w->kind != WORDS_PLAIN) return words_unexpected(w, "a statement, or END");
    if (words_is_char(w, ';')) words_next(w);
    else if (statement(r, rows, block, name) != OK) return FAILED;
  }
  return block_end(r, name);
}

Status lef_skip_block(LefReader *r, const char *name)
{
  Words *w = &r->w;
  for (; w->kind != WORDS_END; words_next(w)) {
    if (!words_is(w, "END")) continue;
    words_next(w);
    if (w->length == strlen(name) && strncasecmp(w->word, name, w->length) == 0) {
      words_next(w);
      return OK;
    }
  }
  return words_unexpected(w, "END and the name of the block");
}

/* --- the top of the file ---------------------------------------------------------------------- */

static Status read_database(LefReader *r, void *none)
{
  int64_t units;
  (void)none;
  if (words_expect(&r->w, "MICRONS") != OK
      || words_integer(&r->w, &units, 1, 1000000, "database units a micron") != OK)
    return FAILED;
  Physical *p = r->p;
  if (!p->units_given || units > p->units)
    r->rounded += physical_set_lef_units(p, (int32_t)units);
  return lef_end(r);
}

static Status read_units(LefReader *r, void *none)
{
  static const LefStatement rows[] = { { "DATABASE", read_database }, { "TIME", NULL },
                                       { "CAPACITANCE", NULL },       { "RESISTANCE", NULL },
                                       { "POWER", NULL },             { "CURRENT", NULL },
                                       { "VOLTAGE", NULL },           { "FREQUENCY", NULL },
                                       { NULL, NULL } };
  (void)none;
  return lef_block(r, rows, NULL, "UNITS");
}

static Status read_grid(LefReader *r, void *none)
{
  (void)none;
  if (lef_length(r, &r->p->grid) != OK) return FAILED;
  return lef_end(r);
}

/* Blocks that are read over, by the name behind their END. */
static Status skip_named(LefReader *r, void *none)
{
  Text name = { 0 };
  (void)none;
  text_add(&name, r->w.word, r->w.length);
  words_next(&r->w);
  Status status = lef_skip_block(r, text_get(&name));
  text_free(&name);
  return status;
}

#define SKIP(function, keyword) \
  static Status function(LefReader *r, void *none) \
  { \
    (void)none; \
    return lef_skip_block(r, keyword); \
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

static bool knows(const Words *w)
{
  for (const LefStatement *row = top_rows; row->keyword; row++)
    if (words_is(w, row->keyword)) return true;
  return words_is(w, "END");
}

/* A file of macros may end without END LIBRARY. */
static Status read_file(LefReader *r)
{
  Words *w = &r->w;
  words_next(w);
  if (w->kind != WORDS_END && !knows(w))
    return words_unexpected(w, "a statement of LEF: VERSION, LAYER, MACRO, ...");
  while (w->kind != WORDS_END && !words_is(w, "END")) {
    if (interrupt_seen()) return log_error(w->log, "LEF-006", NOWHERE, "interrupted");
    w->within = NULL;
    if (words_is_char(w, ';')) words_next(w);
    else if (statement(r, top_rows, NULL, NULL) != OK) return FAILED;
  }
  if (w->failed) return FAILED;
  if (w->kind == WORDS_END) return OK;
  words_next(w);
  return words_expect(w, "LIBRARY");
}

static void tell_of_twice(const LefReader *r)
{
  if (r->twice)
    log_warning(r->w.log, "LEF-011", (Where){ r->w.path, 0, 0 },
                "%u macro%s, %s the first, %s read before, from %s: this file's count", r->twice,
                r->twice == 1 ? "" : "s", names_text(r->p->names, r->twice_name),
                r->twice == 1 ? "was" : "were", names_text(r->p->names, r->twice_file));
}

static void tell_of_rounded(const LefReader *r)
{
  bool one = r->rounded == 1;
  Text first = { 0 };
  if (r->rounded_length != 0) text_printf(&first, ", %g microns the first,", r->rounded_length);
  if (r->rounded)
    log_warning(r->w.log, "LEF-014", (Where){ r->w.path, 0, 0 },
                "%llu length%s%s %s of database units (%d a micron, as %s says), and %s rounded",
                (unsigned long long)r->rounded, one ? "" : "s", text_get(&first),
                one ? "is no whole number" : "are no whole numbers",
                r->rounded_units ? r->rounded_units : r->p->lef_units,
                r->rounded_units && r->rounded_units == r->def_units ? "DEF" : "LEF",
                one ? "is" : "are");
  text_free(&first);
}

static Status read_words(Physical *p, const char *path, const Text *text, Log *log, LefRead *result)
{
  LefReader r = { .p = p, .file = names_add_text(p->names, path),
                  .def_units = p->units_fixed ? p->units : 0 };
  words_begin(&r.w, text, path, log, &codes);
  physical_use_lef_units(p);
  Status status = read_file(&r);
  if (status == OK && r.result.layers + r.result.sites + r.result.vias + r.result.macros == 0
      && !r.p->units_given)
    status = log_error(log, "LEF-007", (Where){ path, 0, 0 },
                       "the file has no layer, site, via or macro");
  if (status == OK && r.def_units) physical_set_units(p, r.def_units);
  if (status == OK) tell_of_twice(&r);
  if (status == OK) tell_of_rounded(&r);
  words_free(&r.w);
  if (result) *result = r.result;
  return status;
}

Status read_lef(Physical *p, const char *path, Log *log, LefRead *result)
{
  Text text = { 0 };
  Status status = words_load(path, &text, log, &codes);
  if (status == OK) status = read_words(p, path, &text, log, result);
  text_free(&text);
  return status;
}

Status read_lef_text(Physical *p, const char *path, const char *text, Log *log, LefRead *result)
{
  Text copy = { 0 };
  text_put(&copy, text);
  Status status = read_words(p, path, &copy, log, result);
  text_free(&copy);
  return status;
}
