/* Reads DEF files. See def.h for what is understood. */
#include "read/def/def.h"

#include "base/hash.h"
#include "base/interrupt.h"
#include "read/def/def_private.h"

static const WordCodes codes = { "DEF-001", "DEF-002", "DEF-003", "DEF-004", "DEF-005" };

/* --- words ------------------------------------------------------------------------------------ */

/* The word at hand without backslashes; bits of buses as the netlist has them, in [ ]. */
static const char *plain_name(DefReader *r, uint32_t *length)
{
  const Words *w = &r->w;
  const Placement *p = r->p;
  *length = w->length;
  bool other = p->bus_open != '[' && w->word[w->length - 1] == p->bus_close;
  if (!other && memchr(w->word, '\\', w->length) == NULL) return w->word;
  text_clear(&r->plain);
  for (uint32_t i = 0; i < w->length; i++) {
    char c = w->word[i];
    bool escaped = c == '\\' && i + 1 < w->length;
    if (escaped) c = w->word[++i];
    else if (other && c == p->bus_open) c = '[';
    else if (other && c == p->bus_close) c = ']';
    text_char(&r->plain, c);
  }
  *length = (uint32_t)r->plain.len;
  return r->plain.at;
}

static bool is_name(const Words *w)
{
  return w->kind != WORDS_END && w->length > 0 && !words_is_char(w, ';');
}

Status def_own_name(DefReader *r, NameId *name, const char *expected)
{
  uint32_t length;
  if (!is_name(&r->w)) return words_unexpected(&r->w, expected);
  const char *text = plain_name(r, &length);
  *name = names_add(r->p->names, text, length);
  words_next(&r->w);
  return OK;
}

Status def_shared_name(DefReader *r, NameId *name, const char *expected)
{
  uint32_t length;
  if (!is_name(&r->w)) return words_unexpected(&r->w, expected);
  const char *text = plain_name(r, &length);
  *name = names_add(r->physical->names, text, length);
  words_next(&r->w);
  return OK;
}

/* Sums of a few such numbers must stay within 32 bits. */
enum { FARTHEST = 1 << 30 };

Status def_number(DefReader *r, int32_t *value)
{
  int64_t number;
  if (words_integer(&r->w, &number, -FARTHEST, FARTHEST, "a whole number") != OK) return FAILED;
  *value = (int32_t)number;
  return OK;
}

Status def_point(DefReader *r, Point *at)
{
  if (words_expect(&r->w, "(") != OK || def_number(r, &at->x) != OK || def_number(r, &at->y) != OK)
    return FAILED;
  return words_expect(&r->w, ")");
}

void def_check_corners(DefReader *r, Where where, Point a, Point b)
{
  if (b.x < a.x || b.y < a.y)
    log_warning(r->w.log, "DEF-014", where,
                "a rectangle upside down: its second corner is left of the first or below it; the "
                "rectangle between both is taken");
}

Status def_box(DefReader *r, Box *box)
{
  Point a, b;
  Where where = words_where(&r->w);
  if (def_point(r, &a) != OK || def_point(r, &b) != OK) return FAILED;
  def_check_corners(r, where, a, b);
  *box = (Box){ a.x, a.y, a.x, a.y };
  box_take(box, b);
  return OK;
}

Status def_place(DefReader *r, Point *at, uint8_t *orient)
{
  Orient o;
  if (def_point(r, at) != OK) return FAILED;
  if (r->w.kind != WORDS_PLAIN || !orient_parse(r->w.word, r->w.length, &o))
    return words_unexpected(&r->w, "an orientation: N, S, E, W, FN, FS, FE, FW");
  *orient = (uint8_t)o;
  r->place_end = r->w.word + r->w.length;
  words_next(&r->w);
  return OK;
}

bool def_status(const DefReader *r, uint8_t *status)
{
  static const char *const words[] = { "UNPLACED", "PLACED", "FIXED", "COVER" };
  for (int i = PLACE_UNPLACED; i <= PLACE_COVER; i++)
    if (words_is(&r->w, words[i])) {
      *status = (uint8_t)i;
      return true;
    }
  return false;
}

PinUse def_use(const DefReader *r)
{
  static const char *const words[] = { "SIGNAL", "CLOCK", "POWER", "GROUND", "ANALOG" };
  for (int i = 0; i < USE_OTHER; i++)
    if (words_is(&r->w, words[i])) return (PinUse)i;
  return USE_OTHER;
}

void def_skip_option(DefReader *r)
{
  Words *w = &r->w;
  while (w->kind != WORDS_END && !words_is_char(w, '+') && !words_is_char(w, ';')) words_next(w);
}

/* --- sections --------------------------------------------------------------------------------- */

static Status end_section(DefReader *r, const char *keyword, Where where, int64_t said,
                          int64_t found)
{
  if (words_expect(&r->w, "END") != OK || words_expect(&r->w, keyword) != OK) return FAILED;
  if (said != found)
    log_warning(r->w.log, "DEF-011", where, "%s says %lld and has %lld", keyword, (long long)said,
                (long long)found);
  r->w.within = NULL;
  return OK;
}

Status def_section(DefReader *r, const char *keyword, Status (*entry)(DefReader *r))
{
  Words *w = &r->w;
  int64_t said, found = 0;
  Where where = words_where(w);
  if (words_integer(w, &said, 0, UINT32_MAX, "the number of entries") != OK
      || words_expect(w, ";") != OK)
    return FAILED;
  w->within = keyword;
  text_clear(&w->name);
  for (; words_is_char(w, '-'); found++) {
    if ((found & 1023) == 0 && interrupt_seen())
      return log_error(w->log, "DEF-006", NOWHERE, "interrupted");
    words_next(w);
    if (entry(r) != OK) return FAILED;
  }
  if (!words_is(w, "END")) return words_unexpected(w, "\"-\" and an entry, or END");
  r->section_end = def_offset(r);
  return end_section(r, keyword, where, said, found);
}

/* A section whose text alone is kept.  Its keyword is behind. */
static Status skip_section(DefReader *r, const char *keyword)
{
  Words *w = &r->w;
  w->within = keyword;
  text_clear(&w->name);
  for (; w->kind != WORDS_END; words_next(w)) {
    if (!words_is(w, "END")) continue;
    words_next(w);
    if (words_is(w, keyword)) break;
  }
  if (w->kind == WORDS_END) return words_unexpected(w, "its END");
  w->within = NULL;
  words_next(w);
  return OK;
}

/* --- statements ------------------------------------------------------------------------------- */

static Status read_design(DefReader *r)
{
  if (def_shared_name(r, &r->p->design, "the name of the design") != OK) return FAILED;
  return words_skip(&r->w);
}

static Status read_divider(DefReader *r)
{
  if (r->w.kind != WORDS_STRING || r->w.length != 1)
    return words_unexpected(&r->w, "a character in quotes");
  r->p->divider = *r->w.word;
  return words_skip(&r->w);
}

static Status read_bus_characters(DefReader *r)
{
  if (r->w.kind != WORDS_STRING || r->w.length != 2)
    return words_unexpected(&r->w, "two characters in quotes");
  r->p->bus_open = r->w.word[0];
  r->p->bus_close = r->w.word[1];
  return words_skip(&r->w);
}

static bool has_area(const Macro *m) { return m->width > 0 && m->height > 0; }

static void count_vanished(DefReader *r)
{
  const Physical *p = r->physical;
  r->result.vanished = 0;
  for (MacroId i = 0; p->lef && i < p->macros.len; i++) {
    if (has_area(&p->macros.at[i]) || !has_area(&p->lef->macros.at[i])) continue;
    if (r->result.vanished++ == 0) r->result.first_vanished = i;
  }
}

static Status read_units(DefReader *r)
{
  int64_t units;
  if (words_expect(&r->w, "DISTANCE") != OK || words_expect(&r->w, "MICRONS") != OK
      || words_integer(&r->w, &units, 1, 1000000, "database units a micron") != OK)
    return FAILED;
  r->result.rounded = physical_set_units(r->physical, (int32_t)units);
  r->units_read = true;
  count_vanished(r);
  return words_skip(&r->w);
}

typedef struct {
  const char *keyword;
  Status    (*read)(DefReader *r);     /* NULL: read over to its ; */
  bool        section;                 /* read NULL: to its END */
} DefStatement;

static Status special_nets(DefReader *r) { return def_nets(r, true); }
static Status plain_nets(DefReader *r) { return def_nets(r, false); }

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
static Status skip_statement(DefReader *r, const DefStatement *row, TextRange keyword)
{
  uint64_t from = keyword.at + keyword.length;
  Status status = row->section ? skip_section(r, row->keyword) : words_skip(&r->w);
  if (status != OK) return FAILED;
  array_push(&r->p->others, (OtherSection){ keyword, { from, def_offset(r) - from } });
  return OK;
}

static Status read_statement(DefReader *r)
{
  Words *w = &r->w;
  TextRange keyword = { def_offset(r), w->length };
  for (const DefStatement *row = statements; row->keyword; row++) {
    if (!words_is(w, row->keyword)) continue;
    if (words_is(w, "BEGINEXT")) return words_skip_text(w, "ENDEXT");
    words_next(w);
    return row->read ? row->read(r) : skip_statement(r, row, keyword);
  }
  log_warning(w->log, "DEF-010", words_where(w), "unknown statement %.*s is skipped",
              words_shown(w->length), w->word);
  return words_skip(w);
}

static Status read_end(DefReader *r)
{
  r->p->design_end = def_offset(r);
  words_next(&r->w);
  if (words_expect(&r->w, "DESIGN") != OK) return FAILED;
  r->ended = true;
  return OK;
}

static bool begins_well(const Words *w)
{
  for (const DefStatement *row = statements; row->keyword; row++)
    if (words_is(w, row->keyword)) return true;
  return false;
}

/* --- the file --------------------------------------------------------------------------------- */

static Status check_file(const DefReader *r)
{
  Where whole = { r->w.path, 0, 0 };
  if (r->p->design == NO_NAME)
    return log_error(r->w.log, "DEF-007", whole, "the file names no DESIGN");
  if (r->p->die.len == 0)
    return log_error(r->w.log, "DEF-007", whole, "the file has no DIEAREA");
  return OK;
}

static Status read_statements(DefReader *r)
{
  Words *w = &r->w;
  words_next(w);
  if (w->kind != WORDS_END && !begins_well(w))
    return words_unexpected(w, "a statement of DEF: VERSION, DESIGN, UNITS, ...");
  while (!r->ended) {
    if (interrupt_seen()) return log_error(w->log, "DEF-006", NOWHERE, "interrupted");
    if (w->kind == WORDS_END) return words_unexpected(w, "END DESIGN");
    if ((words_is(w, "END") ? read_end(r) : read_statement(r)) != OK) return FAILED;
  }
  return w->failed ? FAILED : check_file(r);
}

static void tell(const DefReader *r)
{
  Where whole = { r->w.path, 0, 0 };
  if (!r->units_read)
    log_warning(r->w.log, "DEF-012", whole,
                "the file has no UNITS: %d database units a micron are taken, as LEF says",
                r->physical->units);
  if (r->twice)
    log_warning(r->w.log, "DEF-013", whole,
                "%u component%s the name of one before; the first of each name counts", r->twice,
                r->twice == 1 ? " has" : "s have");
  if (r->result.unknown_components)
    log_warning(r->w.log, "DEF-015", whole,
                "%u pin%s of nets are of components that COMPONENTS has not, of %.80s the first",
                r->result.unknown_components, r->result.unknown_components == 1 ? "" : "s",
                names_text(r->p->names, r->result.first_unknown));
  if (r->result.unknown_ports)
    log_warning(r->w.log, "DEF-023", whole,
                "%u pin%s of nets %s of ports that PINS has not, of %.80s the first",
                r->result.unknown_ports, r->result.unknown_ports == 1 ? "" : "s",
                r->result.unknown_ports == 1 ? "is" : "are",
                names_text(r->p->names, r->result.first_unknown_port));
  if (r->result.rounded)
    log_warning(r->w.log, "DEF-016", whole,
                "%llu numbers of LEF are no whole numbers of the file's units, %d a micron, and "
                "are rounded", (unsigned long long)r->result.rounded, r->physical->units);
  if (r->result.vanished)
    log_warning(r->w.log, "DEF-024", whole,
                "%u macro%s of LEF %s no area in the file's units, %d a micron, %.80s the first",
                r->result.vanished, r->result.vanished == 1 ? "" : "s",
                r->result.vanished == 1 ? "has" : "have", r->physical->units,
                names_text(r->physical->names,
                           r->physical->macros.at[r->result.first_vanished].name));
}

static Status read_placement(Physical *physical, const char *path, Text *text, Log *log,
                             Placement **made, DefRead *result)
{
  DefReader r = { .p = placement_new(physical), .physical = physical,
                  .region_by_name = map_new() };
  r.p->source = *text;
  r.p->path = mem_text(path, strlen(path));
  words_begin(&r.w, &r.p->source, path, log, &codes);
  physical_use_lef_units(physical);
  Status status = read_statements(&r);
  if (physical->units_given) physical->units_fixed = true;
  if (status == OK) tell(&r);
  if (status != OK) placement_free(r.p);
  *made = status == OK ? r.p : NULL;
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
