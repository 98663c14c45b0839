/* Reads the floor plan of a DEF file: die, rows, tracks, blockages, regions, groups. */
#include "base/hash.h"
#include "read/def/def_private.h"

/* --- the die ---------------------------------------------------------------------------------- */

static bool has_area(const Placement *placement)
{
  return placement->die.len >= 2 && placement->die_box.x0 < placement->die_box.x1
         && placement->die_box.y0 < placement->die_box.y1;
}

Status def_die(DefReader *reader)
{
  Placement *placement = reader->placement;
  Where where = words_where(&reader->w);
  Point at;
  if (placement->die.len)
    log_warning(reader->w.log, "DEF-021", where, "another die; it replaces the one before it");
  array_clear(&placement->die);
  placement->die_box = BOX_EMPTY;
  while (words_is_char(&reader->w, '(')) {
    if (def_point(reader, &at) != OK) return FAILED;
    array_push(&placement->die, at);
    box_take(&placement->die_box, at);
  }
  if (words_is_char(&reader->w, ';') && !has_area(placement))
    return log_error(reader->w.log, "DEF-008", where,
                     "a die of no area, expected two corners or more");
  if (placement->die.len == 2)
    def_check_corners(reader, where, placement->die.at[0], placement->die.at[1]);
  return words_expect(&reader->w, ";");
}

/* --- rows, tracks, cells of the global grid --------------------------------------------------- */

/* A hundred times as many as a large die has. */
enum { MOST_ROW_LINES = 1 << 24 };

static Status read_count(DefReader *reader, uint32_t *count)
{
  int64_t number;
  if (words_integer(&reader->w, &number, 0, 1 << 30, "a count") != OK) return FAILED;
  *count = (uint32_t)number;
  return OK;
}

/* Where there is no step, place/legality.c takes the size of the site. */
static void tell_of_no_step(DefReader *reader, Where where, const SiteRow *row)
{
  if ((row->count_x > 1 && row->step_x == 0) || (row->count_y > 1 && row->step_y == 0))
    log_warning(reader->w.log, "DEF-020", where,
                "sites %u by %u with a step of %d by %d; the size of the site is taken for the 0",
                row->count_x, row->count_y, row->step_x, row->step_y);
}

/* "DO 10 BY 1 STEP 54 0", of which STEP may be missing. */
static Status row_steps(DefReader *reader, SiteRow *row)
{
  if (!words_is(&reader->w, "DO")) return OK;
  words_next(&reader->w);
  if (read_count(reader, &row->count_x) != OK || words_expect(&reader->w, "BY") != OK
      || read_count(reader, &row->count_y) != OK)
    return FAILED;
  if (!words_is(&reader->w, "STEP")) return OK;
  words_next(&reader->w);
  Where where = words_where(&reader->w);
  if (def_number(reader, &row->step_x) != OK || def_number(reader, &row->step_y) != OK)
    return FAILED;
  tell_of_no_step(reader, where, row);
  return OK;
}

static Status check_row(DefReader *reader, Where where, const SiteRow *row)
{
  int64_t x = row->at.x + (int64_t)row->count_x * row->step_x,
          y = row->at.y + (int64_t)row->count_y * row->step_y;
  reader->row_lines += row->count_y;
  if (reader->row_lines > MOST_ROW_LINES)
    return log_error(reader->w.log, "DEF-005", where, "rows of more than %d lines of sites in all",
                     MOST_ROW_LINES);
  if (coordinate_is_safe(x) && coordinate_is_safe(y)) return OK;
  return log_error(reader->w.log, "DEF-005", where, "a row that ends too far away");
}

Status def_row(DefReader *reader)
{
  NameId site;
  Orient orient;
  SiteRow row = { .count_x = 1, .count_y = 1 };
  Where where = words_where(&reader->w);
  row.name = (TextRange){ def_offset(reader), reader->w.length };
  words_next(&reader->w);
  if (def_shared_name(reader, &site, "the name of a site") != OK
      || def_number(reader, &row.at.x) != OK || def_number(reader, &row.at.y) != OK)
    return FAILED;
  if (reader->w.kind != WORDS_PLAIN || !orient_parse(reader->w.word, reader->w.length, &orient))
    return words_unexpected(&reader->w, "an orientation: N, S, E, W, FN, FS, FE, FW");
  row.orient = (uint8_t)orient;
  words_next(&reader->w);
  if (row_steps(reader, &row) != OK || check_row(reader, where, &row) != OK) return FAILED;
  row.site = physical_site(reader->physical, site);
  array_push(&reader->placement->rows, row);
  return words_skip(&reader->w);
}

static Status read_lines(DefReader *reader, GridLines *lines)
{
  lines->across_x = words_is(&reader->w, "X");
  if (!lines->across_x && !words_is(&reader->w, "Y")) return words_unexpected(&reader->w, "X or Y");
  words_next(&reader->w);
  if (def_number(reader, &lines->start) != OK || words_expect(&reader->w, "DO") != OK
      || read_count(reader, &lines->count) != OK || words_expect(&reader->w, "STEP") != OK
      || def_number(reader, &lines->step) != OK)
    return FAILED;
  while (reader->w.kind == WORDS_PLAIN && !words_is(&reader->w, "LAYER")
         && !words_is_char(&reader->w, ';'))
    words_next(&reader->w);
  if (words_is(&reader->w, "LAYER")) words_next(&reader->w);
  lines->layers.at = def_offset(reader);
  while (reader->w.kind == WORDS_PLAIN && !words_is_char(&reader->w, ';')) words_next(&reader->w);
  lines->layers.length = def_offset(reader) - lines->layers.at;
  return words_expect(&reader->w, ";");
}

Status def_tracks(DefReader *reader)
{
  GridLines lines = { 0 };
  if (read_lines(reader, &lines) != OK) return FAILED;
  array_push(&reader->placement->tracks, lines);
  return OK;
}

Status def_gcells(DefReader *reader)
{
  GridLines lines = { 0 };
  if (read_lines(reader, &lines) != OK) return FAILED;
  array_push(&reader->placement->gcells, lines);
  return OK;
}

/* --- blockages -------------------------------------------------------------------------------- */

static Status blockage_option(DefReader *reader, Blockage *blockage)
{
  Words *words = &reader->w;
  NameId name;
  words_next(words);
  if (words_is(words, "SOFT")) blockage->flags |= BLOCKAGE_SOFT;
  if (words_is(words, "PUSHDOWN")) blockage->flags |= BLOCKAGE_PUSHDOWN;
  if (words_is(words, "EXCEPTPGNET")) blockage->flags |= BLOCKAGE_EXCEPT_NETS;
  bool partial = words_is(words, "PARTIAL"), component = words_is(words, "COMPONENT");
  bool value = partial || component || words_is(words, "SPACING")
               || words_is(words, "DESIGNRULEWIDTH") || words_is(words, "MASK");
  words_next(words);
  if (partial) {
    blockage->flags |= BLOCKAGE_PARTIAL;
    if (words_number(words, &blockage->density, "a density in percent") != OK) return FAILED;
    blockage->density /= 100;
  } else if (component) {
    if (def_own_name(reader, &name, "the name of a component") != OK) return FAILED;
    blockage->component = placement_component_named(reader->placement, name);
  } else if (value) {
    words_next(words);
  }
  return OK;
}

/* The box around it. */
static Status read_polygon(DefReader *reader, Box *box)
{
  Point at;
  *box = BOX_EMPTY;
  while (words_is_char(&reader->w, '(')) {
    if (def_point(reader, &at) != OK) return FAILED;
    box_take(box, at);
  }
  return box_is_empty(*box) ? words_unexpected(&reader->w, "corners") : OK;
}

static Status blockage_shape(DefReader *reader)
{
  Box box;
  bool rect = words_is(&reader->w, "RECT");
  if (!rect && !words_is(&reader->w, "POLYGON"))
    return words_unexpected(&reader->w, "RECT, POLYGON, + or ;");
  words_next(&reader->w);
  if ((rect ? def_box(reader, &box) : read_polygon(reader, &box)) != OK) return FAILED;
  array_push(&reader->placement->boxes, box);
  return OK;
}

static Status blockage_kind(DefReader *reader, Blockage *blockage)
{
  NameId name;
  bool layer = words_is(&reader->w, "LAYER");
  if (!layer && !words_is(&reader->w, "PLACEMENT"))
    return words_unexpected(&reader->w, "LAYER or PLACEMENT");
  words_next(&reader->w);
  if (!layer) return OK;
  if (def_shared_name(reader, &name, "a layer") != OK) return FAILED;
  blockage->layer = physical_layer(reader->physical, name);
  return OK;
}

static Status read_blockage(DefReader *reader)
{
  Blockage b = { .layer = NO_LAYER,
                 .component = NO_COMPONENT,
                 .first_box = reader->placement->boxes.len };
  if (blockage_kind(reader, &b) != OK) return FAILED;
  while (!words_is_char(&reader->w, ';'))
    if ((words_is_char(&reader->w, '+') ? blockage_option(reader, &b) : blockage_shape(reader))
        != OK)
      return FAILED;
  if (b.flags & BLOCKAGE_SOFT) b.density = 1;
  b.box_count = reader->placement->boxes.len - b.first_box;
  array_push(&reader->placement->blockages, b);
  return words_expect(&reader->w, ";");
}

Status def_blockages(DefReader *reader) { return def_section(reader, "BLOCKAGES", read_blockage); }

/* --- regions and groups ----------------------------------------------------------------------- */

static Status read_region(DefReader *reader)
{
  Region region = { .first_box = reader->placement->boxes.len };
  if (def_own_name(reader, &region.name, "the name of a region") != OK) return FAILED;
  while (words_is_char(&reader->w, '(')) {
    Box box;
    if (def_box(reader, &box) != OK) return FAILED;
    array_push(&reader->placement->boxes, box);
  }
  region.box_count = reader->placement->boxes.len - region.first_box;
  for (; reader->w.kind != WORDS_END && !words_is_char(&reader->w, ';'); words_next(&reader->w))
    region.kind = words_is(&reader->w, "FENCE")   ? REGION_FENCE
                  : words_is(&reader->w, "GUIDE") ? REGION_GUIDE
                                                  : region.kind;
  if (map_get(reader->region_by_name, region.name) == MAP_NO_VALUE)
    map_put(reader->region_by_name, region.name, reader->placement->regions.len);
  array_push(&reader->placement->regions, region);
  return words_expect(&reader->w, ";");
}

Status def_regions(DefReader *reader) { return def_section(reader, "REGIONS", read_region); }

static Status read_group(DefReader *reader)
{
  PlacedGroup group = { .region = NO_REGION };
  NameId name;
  if (def_own_name(reader, &group.name, "the name of a group") != OK) return FAILED;
  group.text.at = def_offset(reader);
  def_skip_option(reader);
  group.text.length = def_offset(reader) - group.text.at;
  while (words_is_char(&reader->w, '+')) {
    words_next(&reader->w);
    bool region = words_is(&reader->w, "REGION");
    words_next(&reader->w);
    if (region && reader->w.kind == WORDS_PLAIN && !words_is_char(&reader->w, '(')) {
      if (def_own_name(reader, &name, "the name of a region") != OK) return FAILED;
      group.region = map_get(reader->region_by_name, name);
    }
    def_skip_option(reader);
  }
  array_push(&reader->placement->groups, group);
  return words_expect(&reader->w, ";");
}

Status def_groups(DefReader *reader) { return def_section(reader, "GROUPS", read_group); }
