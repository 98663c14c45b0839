/* Reads DEF files. See def.h for what is understood. */
#include "read/def/def.h"

#include "base/hash.h"
#include "base/interrupt.h"
#include "read/def/def_private.h"

static const WordCodes codes = { "DEF-001", "DEF-002", "DEF-003", "DEF-004", "DEF-005" };

/* --- words ------------------------------------------------------------------------------------ */

/* The word at hand without backslashes; bits of buses as the netlist has them, in [ ]. */
static const char *plain_name(DefReader *reader, uint32_t *length)
{
  const Words *words = &reader->w;
  const Placement *placement = reader->placement;
  *length = words->length;
  bool other = placement->bus_open != '[' && words->word[words->length - 1] == placement->bus_close;
  if (!other && memchr(words->word, '\\', words->length) == NULL) return words->word;
  text_clear(&reader->plain);
  for (uint32_t i = 0; i < words->length; i++) {
    char c = words->word[i];
    bool escaped = c == '\\' && i + 1 < words->length;
    if (escaped) c = words->word[++i];
    else if (other && c == placement->bus_open) c = '[';
    else if (other && c == placement->bus_close) c = ']';
    text_char(&reader->plain, c);
  }
  *length = (uint32_t)reader->plain.len;
  return reader->plain.at;
}

static bool is_name(const Words *words)
{
  return words->kind != WORDS_END && words->length > 0 && !words_is_char(words, ';');
}

Status def_own_name(DefReader *reader, NameId *name, const char *expected)
{
  uint32_t length;
  if (!is_name(&reader->w)) return words_unexpected(&reader->w, expected);
  const char *text = plain_name(reader, &length);
  *name = names_add(reader->placement->names, text, length);
  words_next(&reader->w);
  return OK;
}

Status def_shared_name(DefReader *reader, NameId *name, const char *expected)
{
  uint32_t length;
  if (!is_name(&reader->w)) return words_unexpected(&reader->w, expected);
  const char *text = plain_name(reader, &length);
  *name = names_add(reader->physical->names, text, length);
  words_next(&reader->w);
  return OK;
}

/* Sums of a few such numbers must stay within 32 bits. */
enum { FARTHEST = 1 << 30 };

Status def_number(DefReader *reader, int32_t *value)
{
  int64_t number;
  if (words_integer(&reader->w, &number, -FARTHEST, FARTHEST, "a whole number") != OK)
    return FAILED;
  *value = (int32_t)number;
  return OK;
}

Status def_point(DefReader *reader, Point *at)
{
  if (words_expect(&reader->w, "(") != OK || def_number(reader, &at->x) != OK
      || def_number(reader, &at->y) != OK)
    return FAILED;
  return words_expect(&reader->w, ")");
}

void def_check_corners(DefReader *reader, Where where, Point a, Point b)
{
  if (b.x < a.x || b.y < a.y)
    log_warning(reader->w.log, "DEF-014", where,
                "a rectangle upside down: its second corner is left of the first or below it; the "
                "rectangle between both is taken");
}

Status def_box(DefReader *reader, Box *box)
{
  Point a, b;
  Where where = words_where(&reader->w);
  if (def_point(reader, &a) != OK || def_point(reader, &b) != OK) return FAILED;
  def_check_corners(reader, where, a, b);
  *box = (Box){ a.x, a.y, a.x, a.y };
  box_take(box, b);
  return OK;
}

Status def_place(DefReader *reader, Point *at, uint8_t *orient)
{
  Orient o;
  if (def_point(reader, at) != OK) return FAILED;
  if (reader->w.kind != WORDS_PLAIN || !orient_parse(reader->w.word, reader->w.length, &o))
    return words_unexpected(&reader->w, "an orientation: N, S, E, W, FN, FS, FE, FW");
  *orient = (uint8_t)o;
  reader->place_end = reader->w.word + reader->w.length;
  words_next(&reader->w);
  return OK;
}

bool def_status(const DefReader *reader, uint8_t *status)
{
  static const char *const words[] = { "UNPLACED", "PLACED", "FIXED", "COVER" };
  for (int i = PLACE_UNPLACED; i <= PLACE_COVER; i++)
    if (words_is(&reader->w, words[i])) {
      *status = (uint8_t)i;
      return true;
    }
  return false;
}

PinUse def_use(const DefReader *reader)
{
  static const char *const words[] = { "SIGNAL", "CLOCK", "POWER", "GROUND", "ANALOG" };
  for (int i = 0; i < USE_OTHER; i++)
    if (words_is(&reader->w, words[i])) return (PinUse)i;
  return USE_OTHER;
}

void def_skip_option(DefReader *reader)
{
  Words *words = &reader->w;
  while (words->kind != WORDS_END && !words_is_char(words, '+') && !words_is_char(words, ';'))
    words_next(words);
}

/* --- sections --------------------------------------------------------------------------------- */

static Status end_section(DefReader *reader, const char *keyword, Where where, int64_t said,
                          int64_t found)
{
  if (words_expect(&reader->w, "END") != OK || words_expect(&reader->w, keyword) != OK)
    return FAILED;
  if (said != found)
    log_warning(reader->w.log, "DEF-011", where, "%s says %lld and has %lld", keyword,
                (long long)said, (long long)found);
  reader->w.within = NULL;
  return OK;
}

Status def_section(DefReader *reader, const char *keyword, Status (*entry)(DefReader *reader))
{
  Words *words = &reader->w;
  int64_t said, found = 0;
  Where where = words_where(words);
  if (words_integer(words, &said, 0, UINT32_MAX, "the number of entries") != OK
      || words_expect(words, ";") != OK)
    return FAILED;
  words->within = keyword;
  text_clear(&words->name);
  for (; words_is_char(words, '-'); found++) {
    if ((found & 1023) == 0 && interrupt_seen())
      return log_error(words->log, "DEF-006", NOWHERE, "interrupted");
    words_next(words);
    if (entry(reader) != OK) return FAILED;
  }
  if (!words_is(words, "END")) return words_unexpected(words, "\"-\" and an entry, or END");
  reader->section_end = def_offset(reader);
  return end_section(reader, keyword, where, said, found);
}

/* A section whose text alone is kept.  Its keyword is behind. */
static Status skip_section(DefReader *reader, const char *keyword)
{
  Words *words = &reader->w;
  words->within = keyword;
  text_clear(&words->name);
  for (; words->kind != WORDS_END; words_next(words)) {
    if (!words_is(words, "END")) continue;
    words_next(words);
    if (words_is(words, keyword)) break;
  }
  if (words->kind == WORDS_END) return words_unexpected(words, "its END");
  words->within = NULL;
  words_next(words);
  return OK;
}

/* --- statements ------------------------------------------------------------------------------- */

static Status read_design(DefReader *reader)
{
  if (def_shared_name(reader, &reader->placement->design, "the name of the design") != OK)
    return FAILED;
  return words_skip(&reader->w);
}

static Status read_divider(DefReader *reader)
{
  if (reader->w.kind != WORDS_STRING || reader->w.length != 1)
    return words_unexpected(&reader->w, "a character in quotes");
  reader->placement->divider = *reader->w.word;
  return words_skip(&reader->w);
}

static Status read_bus_characters(DefReader *reader)
{
  if (reader->w.kind != WORDS_STRING || reader->w.length != 2)
    return words_unexpected(&reader->w, "two characters in quotes");
  reader->placement->bus_open = reader->w.word[0];
  reader->placement->bus_close = reader->w.word[1];
  return words_skip(&reader->w);
}

static bool has_area(const Macro *macro) { return macro->width > 0 && macro->height > 0; }

static void count_vanished(DefReader *reader)
{
  const Physical *physical = reader->physical;
  reader->result.vanished = 0;
  for (MacroId i = 0; physical->lef && i < physical->macros.len; i++) {
    if (has_area(&physical->macros.at[i]) || !has_area(&physical->lef->macros.at[i])) continue;
    if (reader->result.vanished++ == 0) reader->result.first_vanished = i;
  }
}

static Status read_units(DefReader *reader)
{
  int64_t units;
  if (words_expect(&reader->w, "DISTANCE") != OK || words_expect(&reader->w, "MICRONS") != OK
      || words_integer(&reader->w, &units, 1, 1000000, "database units a micron") != OK)
    return FAILED;
  reader->result.rounded = physical_set_units(reader->physical, (int32_t)units);
  reader->units_read = true;
  count_vanished(reader);
  return words_skip(&reader->w);
}

typedef struct {
  const char *keyword;
  Status    (*read)(DefReader *reader);     /* NULL: read over to its ; */
  bool        section;                 /* read NULL: to its END */
} DefStatement;

static Status special_nets(DefReader *reader) { return def_nets(reader, true); }
static Status plain_nets(DefReader *reader) { return def_nets(reader, false); }

static const DefStatement statements[] = {
  { "ROW", def_row, false }, { "TRACKS", def_tracks, false }, { "GCELLGRID", def_gcells, false },
  { "VERSION", NULL, false }, { "DIVIDERCHAR", read_divider, false },
  { "BUSBITCHARS", read_bus_characters, false }, { "DESIGN", read_design, false },
  { "UNITS", read_units, false }, { "DIEAREA", def_die, false },
  { "COMPONENTS", def_components, false }, { "PINS", def_pins, false },
  { "SPECIALNETS", special_nets, false }, { "NETS", plain_nets, false },
  { "BLOCKAGES", def_blockages, false }, { "REGIONS", def_regions, false },
  { "GROUPS", def_groups, false }, { "BEGINEXT", NULL, false },
  { "NAMESCASESENSITIVE", NULL, false }, { "TECHNOLOGY", NULL, false }, { "HISTORY", NULL, false },
  { "COMPONENTMASKSHIFT", NULL, false }, { "ARRAY", NULL, false }, { "FLOORPLAN", NULL, false },
  { "SITE", NULL, false }, { "CANPLACE", NULL, false }, { "CANNOTOCCUPY", NULL, false },
  { "PROPERTYDEFINITIONS", NULL, true }, { "VIAS", NULL, true }, { "STYLES", NULL, true },
  { "NONDEFAULTRULES", NULL, true }, { "PINPROPERTIES", NULL, true }, { "SLOTS", NULL, true },
  { "FILLS", NULL, true }, { "SCANCHAINS", NULL, true }, { "DEFAULTCAP", NULL, true },
  { "TIMINGDISABLES", NULL, true }, { "IOTIMINGS", NULL, true }, { "PARTITIONS", NULL, true },
  { "CONSTRAINTS", NULL, true }, { "ASSERTIONS", NULL, true }, { NULL, NULL, false }
};

/* What is read over is known by its place. */
static Status skip_statement(DefReader *reader, const DefStatement *row, TextRange keyword)
{
  uint64_t from = keyword.at + keyword.length;
  Status status = row->section ? skip_section(reader, row->keyword) : words_skip(&reader->w);
  if (status != OK) return FAILED;
  array_push(&reader->placement->others,
             (OtherSection){ keyword, { from, def_offset(reader) - from } });
  return OK;
}

static Status read_statement(DefReader *reader)
{
  Words *words = &reader->w;
  TextRange keyword = { def_offset(reader), words->length };
  for (const DefStatement *row = statements; row->keyword; row++) {
    if (!words_is(words, row->keyword)) continue;
    if (words_is(words, "BEGINEXT")) return words_skip_text(words, "ENDEXT");
    words_next(words);
    return row->read ? row->read(reader) : skip_statement(reader, row, keyword);
  }
  log_warning(words->log, "DEF-010", words_where(words), "unknown statement %.*s is skipped",
              words_shown(words->length), words->word);
  return words_skip(words);
}

static Status read_end(DefReader *reader)
{
  reader->placement->design_end = def_offset(reader);
  words_next(&reader->w);
  if (words_expect(&reader->w, "DESIGN") != OK) return FAILED;
  reader->ended = true;
  return OK;
}

static bool begins_well(const Words *words)
{
  for (const DefStatement *row = statements; row->keyword; row++)
    if (words_is(words, row->keyword)) return true;
  return false;
}

/* --- the file --------------------------------------------------------------------------------- */

static Status check_file(const DefReader *reader)
{
  Where whole = { reader->w.path, 0, 0 };
  if (reader->placement->design == NO_NAME)
    return log_error(reader->w.log, "DEF-007", whole, "the file names no DESIGN");
  if (reader->placement->die.len == 0)
    return log_error(reader->w.log, "DEF-007", whole, "the file has no DIEAREA");
  return OK;
}

static Status read_statements(DefReader *reader)
{
  Words *words = &reader->w;
  words_next(words);
  if (words->kind != WORDS_END && !begins_well(words))
    return words_unexpected(words, "a statement of DEF: VERSION, DESIGN, UNITS, ...");
  while (!reader->ended) {
    if (interrupt_seen()) return log_error(words->log, "DEF-006", NOWHERE, "interrupted");
    if (words->kind == WORDS_END) return words_unexpected(words, "END DESIGN");
    if ((words_is(words, "END") ? read_end(reader) : read_statement(reader)) != OK) return FAILED;
  }
  return words->failed ? FAILED : check_file(reader);
}

static void tell(const DefReader *reader)
{
  Where whole = { reader->w.path, 0, 0 };
  if (!reader->units_read)
    log_warning(reader->w.log, "DEF-012", whole,
                "the file has no UNITS: %d database units a micron are taken, as LEF says",
                reader->physical->units);
  if (reader->twice)
    log_warning(reader->w.log, "DEF-013", whole,
                "%u component%s the name of one before; the first of each name counts",
                reader->twice, reader->twice == 1 ? " has" : "s have");
  if (reader->result.unknown_components)
    log_warning(reader->w.log, "DEF-015", whole,
                "%u pin%s of nets are of components that COMPONENTS has not, of %.80s the first",
                reader->result.unknown_components,
                reader->result.unknown_components == 1 ? "" : "s",
                names_text(reader->placement->names, reader->result.first_unknown));
  if (reader->result.unknown_ports)
    log_warning(reader->w.log, "DEF-023", whole,
                "%u pin%s of nets %s of ports that PINS has not, of %.80s the first",
                reader->result.unknown_ports, reader->result.unknown_ports == 1 ? "" : "s",
                reader->result.unknown_ports == 1 ? "is" : "are",
                names_text(reader->placement->names, reader->result.first_unknown_port));
  if (reader->result.rounded)
    log_warning(reader->w.log, "DEF-016", whole,
                "%llu numbers of LEF are no whole numbers of the file's units, %d a micron, and "
                "are rounded",
                (unsigned long long)reader->result.rounded, reader->physical->units);
  if (reader->result.vanished)
    log_warning(reader->w.log, "DEF-024", whole,
                "%u macro%s of LEF %s no area in the file's units, %d a micron, %.80s the first",
                reader->result.vanished, reader->result.vanished == 1 ? "" : "s",
                reader->result.vanished == 1 ? "has" : "have", reader->physical->units,
                names_text(reader->physical->names,
                           reader->physical->macros.at[reader->result.first_vanished].name));
}

static Status read_placement(Physical *physical, const char *path, Text *text, Log *log,
                             Placement **made, DefRead *result)
{
  DefReader r = { .placement = placement_new(physical),
                  .physical = physical,
                  .region_by_name = map_new() };
  r.placement->source = *text;
  r.placement->path = mem_text(path, strlen(path));
  words_begin(&r.w, &r.placement->source, path, log, &codes);
  physical_use_lef_units(physical);
  Status status = read_statements(&r);
  if (physical->units_given) physical->units_fixed = true;
  if (status == OK) tell(&r);
  if (status != OK) placement_free(r.placement);
  *made = status == OK ? r.placement : NULL;
  words_free(&r.w);
  map_free(r.region_by_name);
  text_free(&r.plain);
  if (result) *result = r.result;
  return status;
}

Status read_def(Physical *physical, const char *path, Log *log, Placement **made, DefRead *result)
{
  Text text = { 0 };
  if (words_load(path, &text, log, &codes) == OK)
    return read_placement(physical, path, &text, log, made, result);
  text_free(&text);
  return FAILED;
}

Status read_def_text(Physical *physical, const char *path, const char *text, Log *log,
                     Placement **made, DefRead *result)
{
  Text copy = { 0 };
  text_put(&copy, text);
  return read_placement(physical, path, &copy, log, made, result);
}
