/* Reads the floor plan of a DEF file: die, rows, tracks, blockages, regions, groups. */
#include "base/hash.h"
#include "read/def/def_private.h"

/* --- the die ---------------------------------------------------------------------------------- */

static bool has_area(const Placement *p)
{
  return p->die.len >= 2 && p->die_box.x0 < p->die_box.x1 && p->die_box.y0 < p->die_box.y1;
}

Status def_die(DefReader *r)
{
  Placement *p = r->p;
  Where where = words_where(&r->w);
  Point at;
  if (p->die.len)
    log_warning(r->w.log, "DEF-021", where, "another die; it replaces the one before it");
  array_clear(&p->die);
  p->die_box = BOX_EMPTY;
  while (words_is_char(&r->w, '(')) {
    if (def_point(r, &at) != OK) return FAILED;
    array_push(&p->die, at);
    box_take(&p->die_box, at);
  }
  if (words_is_char(&r->w, ';') && !has_area(p))
    return log_error(r->w.log, "DEF-008", where, "a die of no area, expected two corners or more");
  if (p->die.len == 2) def_check_corners(r, where, p->die.at[0], p->die.at[1]);
  return words_expect(&r->w, ";");
}

/* --- rows, tracks, cells of the global grid --------------------------------------------------- */

/* A hundred times as many as a large die has. */
enum { MOST_ROW_LINES = 1 << 24 };

static Status read_count(DefReader *r, uint32_t *count)
{
  int64_t number;
  if (words_integer(&r->w, &number, 0, 1 << 30, "a count") != OK) return FAILED;
  *count = (uint32_t)number;
  return OK;
}

/* Where there is no step, place/legality.c takes the size of the site. */
static void tell_of_no_step(DefReader *r, Where where, const SiteRow *row)
{
  if ((row->count_x > 1 && row->step_x == 0) || (row->count_y > 1 && row->step_y == 0))
    log_warning(r->w.log, "DEF-020", where,
                "sites %u by %u with a step of %d by %d; the size of the site is taken for the 0",
                row->count_x, row->count_y, row->step_x, row->step_y);
}

/* "DO 10 BY 1 STEP 54 0", of which STEP may be missing. */
static Status row_steps(DefReader *r, SiteRow *row)
{
  if (!words_is(&r->w, "DO")) return OK;
  words_next(&r->w);
  if (read_count(r, &row->count_x) != OK || words_expect(&r->w, "BY") != OK
      || read_count(r, &row->count_y) != OK)
    return FAILED;
  if (!words_is(&r->w, "STEP")) return OK;
  words_next(&r->w);
  Where where = words_where(&r->w);
  if (def_number(r, &row->step_x) != OK || def_number(r, &row->step_y) != OK) return FAILED;
  tell_of_no_step(r, where, row);
  return OK;
}

static Status check_row(DefReader *r, Where where, const SiteRow *row)
{
  int64_t x = row->at.x + (int64_t)row->count_x * row->step_x,
          y = row->at.y + (int64_t)row->count_y * row->step_y;
  r->row_lines += row->count_y;
  if (r->row_lines > MOST_ROW_LINES)
    return log_error(r->w.log, "DEF-005", where, "rows of more than %d lines of sites in all",
                     MOST_ROW_LINES);
  if (coordinate_is_safe(x) && coordinate_is_safe(y)) return OK;
  return log_error(r->w.log, "DEF-005", where, "a row that ends too far away");
}

Status def_row(DefReader *r)
{
  NameId site;
  Orient orient;
  SiteRow row = { .count_x = 1, .count_y = 1 };
  Where where = words_where(&r->w);
  row.name = (TextRange){ def_offset(r), r->w.length };
  words_next(&r->w);
  if (def_shared_name(r, &site, "the name of a site") != OK || def_number(r, &row.at.x) != OK
      || def_number(r, &row.at.y) != OK)
    return FAILED;
  if (r->w.kind != WORDS_PLAIN || !orient_parse(r->w.word, r->w.length, &orient))
    return words_unexpected(&r->w, "an orientation: N, S, E, W, FN, FS, FE, FW");
  row.orient = (uint8_t)orient;
  words_next(&r->w);
  if (row_steps(r, &row) != OK || check_row(r, where, &row) != OK) return FAILED;
  row.site = physical_site(r->physical, site);
  array_push(&r->p->rows, row);
  return words_skip(&r->w);
}

static Status read_lines(DefReader *r, GridLines *lines)
{
  lines->across_x = words_is(&r->w, "X");
  if (!lines->across_x && !words_is(&r->w, "Y")) return words_unexpected(&r->w, "X or Y");
  words_next(&r->w);
  if (def_number(r, &lines->start) != OK || words_expect(&r->w, "DO") != OK
      || read_count(r, &lines->count) != OK || words_expect(&r->w, "STEP") != OK
      || def_number(r, &lines->step) != OK)
    return FAILED;
  while (r->w.kind == WORDS_PLAIN && !words_is(&r->w, "LAYER") && !words_is_char(&r->w, ';'))
    words_next(&r->w);
  if (words_is(&r->w, "LAYER")) words_next(&r->w);
  lines->layers.at = def_offset(r);
  while (r->w.kind == WORDS_PLAIN && !words_is_char(&r->w, ';')) words_next(&r->w);
  lines->layers.length = def_offset(r) - lines->layers.at;
  return words_expect(&r->w, ";");
}

Status def_tracks(DefReader *r)
{
  GridLines lines = { 0 };
  if (read_lines(r, &lines) != OK) return FAILED;
  array_push(&r->p->tracks, lines);
  return OK;
}

Status def_gcells(DefReader *r)
{
  GridLines lines = { 0 };
  if (read_lines(r, &lines) != OK) return FAILED;
  array_push(&r->p->gcells, lines);
  return OK;
}

/* --- blockages -------------------------------------------------------------------------------- */

static Status blockage_option(DefReader *r, Blockage *b)
{
  Words *w = &r->w;
  NameId name;
  words_next(w);
  if (words_is(w, "SOFT")) b->flags |= BLOCKAGE_SOFT;
  if (words_is(w, "PUSHDOWN")) b->flags |= BLOCKAGE_PUSHDOWN;
  if (words_is(w, "EXCEPTPGNET")) b->flags |= BLOCKAGE_EXCEPT_NETS;
  bool partial = words_is(w, "PARTIAL"), component = words_is(w, "COMPONENT");
  bool value = partial || component || words_is(w, "SPACING") || words_is(w, "DESIGNRULEWIDTH")
               || words_is(w, "MASK");
  words_next(w);
  if (partial) {
    b->flags |= BLOCKAGE_PARTIAL;
    if (words_number(w, &b->density, "a density in percent") != OK) return FAILED;
    b->density /= 100;
  } else if (component) {
    if (def_own_name(r, &name, "the name of a component") != OK) return FAILED;
    b->component = placement_component_named(r->p, name);
  } else if (value) {
    words_next(w);
  }
  return OK;
}

/* The box around it. */
static Status read_polygon(DefReader *r, Box *box)
{
  Point at;
  *box = BOX_EMPTY;
  while (words_is_char(&r->w, '(')) {
    if (def_point(r, &at) != OK) return FAILED;
    box_take(box, at);
  }
  return box_is_empty(*box) ? words_unexpected(&r->w, "corners") : OK;
}

static Status blockage_shape(DefReader *r)
{
  Box box;
  bool rect = words_is(&r->w, "RECT");
  if (!rect && !words_is(&r->w, "POLYGON"))
    return words_unexpected(&r->w, "RECT, POLYGON, + or ;");
  words_next(&r->w);
  if ((rect ? def_box(r, &box) : read_polygon(r, &box)) != OK) return FAILED;
  array_push(&r->p->boxes, box);
  return OK;
}

static Status blockage_kind(DefReader *r, Blockage *b)
{
  NameId name;
  bool layer = words_is(&r->w, "LAYER");
  if (!layer && !words_is(&r->w, "PLACEMENT"))
    return words_unexpected(&r->w, "LAYER or PLACEMENT");
  words_next(&r->w);
  if (!layer) return OK;
  if (def_shared_name(r, &name, "a layer") != OK) return FAILED;
  b->layer = physical_layer(r->physical, name);
  return OK;
}

static Status read_blockage(DefReader *r)
{
  Blockage b = { .layer = NO_LAYER, .component = NO_COMPONENT, .first_box = r->p->boxes.len };
  if (blockage_kind(r, &b) != OK) return FAILED;
  while (!words_is_char(&r->w, ';'))
    if ((words_is_char(&r->w, '+') ? blockage_option(r, &b) : blockage_shape(r)) != OK)
      return FAILED;
  if (b.flags & BLOCKAGE_SOFT) b.density = 1;
  b.box_count = r->p->boxes.len - b.first_box;
  array_push(&r->p->blockages, b);
  return words_expect(&r->w, ";");
}

Status def_blockages(DefReader *r) { return def_section(r, "BLOCKAGES", read_blockage); }

/* --- regions and groups ----------------------------------------------------------------------- */

static Status read_region(DefReader *r)
{
  Region region = { .first_box = r->p->boxes.len };
  if (def_own_name(r, &region.name, "the name of a region") != OK) return FAILED;
  while (words_is_char(&r->w, '(')) {
    Box box;
    if (def_box(r, &box) != OK) return FAILED;
    array_push(&r->p->boxes, box);
  }
  region.box_count = r->p->boxes.len - region.first_box;
  for (; r->w.kind != WORDS_END && !words_is_char(&r->w, ';'); words_next(&r->w))
    region.kind = words_is(&r->w, "FENCE")   ? REGION_FENCE
                  : words_is(&r->w, "GUIDE") ? REGION_GUIDE
                                             : region.kind;
  if (map_get(r->region_by_name, region.name) == MAP_NO_VALUE)
    map_put(r->region_by_name, region.name, r->p->regions.len);
  array_push(&r->p->regions, region);
  return words_expect(&r->w, ";");
}

Status def_regions(DefReader *r) { return def_section(r, "REGIONS", read_region); }

static Status read_group(DefReader *r)
{
  PlacedGroup group = { .region = NO_REGION };
  NameId name;
  if (def_own_name(r, &group.name, "the name of a group") != OK) return FAILED;
  group.text.at = def_offset(r);
  def_skip_option(r);
  group.text.length = def_offset(r) - group.text.at;
  while (words_is_char(&r->w, '+')) {
    words_next(&r->w);
    bool region = words_is(&r->w, "REGION");
    words_next(&r->w);
    if (region && r->w.kind == WORDS_PLAIN && !words_is_char(&r->w, '(')) {
      if (def_own_name(r, &name, "the name of a region") != OK) return FAILED;
      group.region = map_get(r->region_by_name, name);
    }
    def_skip_option(r);
  }
  array_push(&r->p->groups, group);
  return words_expect(&r->w, ";");
}

Status def_groups(DefReader *r) { return def_section(r, "GROUPS", read_group); }
