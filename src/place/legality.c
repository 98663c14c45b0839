/* Finds overlapping cells, and cells beside rows or sites or outside of the die. See legality.h. */
#include "place/legality.h"

#include <math.h>

#include "base/interrupt.h"
#include "base/sort.h"

/* --- kinds of components ---------------------------------------------------------------------- */

/* Some libraries call their decoupling cells blocks. */
static bool as_high_as_a_row(const Placement *placement, const Macro *macro)
{
  return placement->rows.len
         && macro->height == placement->physical->sites.at[placement->rows.at[0].site].height;
}

bool component_is_core(const Placement *placement, const Component *component)
{
  if (component->macro == NO_MACRO) return false;
  const Macro *macro = &placement->physical->macros.at[component->macro];
  return macro->class == MACRO_CORE || macro->class == MACRO_NO_CLASS
         || (macro->class == MACRO_BLOCK && as_high_as_a_row(placement, macro));
}

static bool is_spacer(const Placement *placement, const Component *component)
{
  if (component->macro == NO_MACRO) return false;
  NameId sub = placement->physical->macros.at[component->macro].subclass;
  return sub != NO_NAME && strcmp(names_text(placement->physical->names, sub), "SPACER") == 0;
}

bool component_is_filler(const Placement *placement, const Component *component)
{
  return is_spacer(placement, component) || (placement->netlist && component->inst == NO_INST);
}

static bool is_block(const Placement *placement, const Component *component)
{
  if (component->macro == NO_MACRO) return false;
  uint8_t class = placement->physical->macros.at[component->macro].class;
  return class == MACRO_RING || (class == MACRO_BLOCK && !component_is_core(placement, component));
}

/* --- the area of many boxes ------------------------------------------------------------------- */

/* An edge of a box where the sweep line meets it first or last. */
typedef struct {
  int32_t  x;
  int32_t  enter;              /* 1 or -1 */
  uint32_t from, to;           /* in the list of heights */
} BoxEdge;

/* A tree over the gaps between heights: how many boxes cover a node's whole range, and the length
   that is covered within it. */
typedef struct {
  int32_t  *cover;
  int64_t  *length;
  int32_t  *heights;
  uint32_t  count;
} Cover;

static void cover(Cover *the_cover, uint32_t node, uint32_t low, uint32_t high, const BoxEdge *edge)
{
  if (edge->to <= low || high <= edge->from) return;
  if (edge->from <= low && high <= edge->to) {
    the_cover->cover[node] += edge->enter;
  } else {
    uint32_t middle = (low + high) / 2;
    cover(the_cover, 2 * node, low, middle, edge);
    cover(the_cover, 2 * node + 1, middle, high, edge);
  }
  if (the_cover->cover[node])
    the_cover->length[node] = (int64_t)the_cover->heights[high] - the_cover->heights[low];
  else
    the_cover->length[node] =
        high - low == 1 ? 0 : the_cover->length[2 * node] + the_cover->length[2 * node + 1];
}

static int by_x(const void *a, const void *b)
{
  int32_t x = ((const BoxEdge *)a)->x, y = ((const BoxEdge *)b)->x;
  return (x > y) - (x < y);
}

static uint32_t index_of(const Cover *cover, int32_t height)
{
  uint32_t low = 0, high = cover->count;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (cover->heights[middle] <= height) low = middle;
    else high = middle;
  }
  return low;
}

static bool take_heights(Cover *cover, const Box *boxes, uint32_t count)
{
  uint32_t kept = 0;
  cover->heights = mem_alloc(2 * (size_t)count * sizeof *cover->heights);
  for (uint32_t i = 0; i < count; i++) {
    cover->heights[2 * i] = boxes[i].y0;
    cover->heights[2 * i + 1] = boxes[i].y1;
  }
  if (!sort_items(cover->heights, 2 * (size_t)count, sizeof *cover->heights, order_int32))
    return false;
  for (uint32_t i = 0; i < 2 * count; i++)
    if (kept == 0 || cover->heights[kept - 1] != cover->heights[i])
      cover->heights[kept++] = cover->heights[i];
  cover->count = kept;
  return true;
}

static double sweep(Cover *the_cover, const BoxEdge *edges, uint32_t count)
{
  double area = 0;
  the_cover->cover = mem_alloc_zero(4 * (size_t)the_cover->count, sizeof *the_cover->cover);
  the_cover->length = mem_alloc_zero(4 * (size_t)the_cover->count, sizeof *the_cover->length);
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++) {
    if (i) area += (double)((int64_t)edges[i].x - edges[i - 1].x) * (double)the_cover->length[1];
    cover(the_cover, 1, 0, the_cover->count - 1, &edges[i]);
  }
  mem_free(the_cover->cover);
  mem_free(the_cover->length);
  return area;
}

bool boxes_area(const Box *boxes, uint32_t count, double *area)
{
  Cover c = { 0 };
  *area = 0;
  if (count == 0) return true;
  bool done = take_heights(&c, boxes, count);
  BoxEdge *edges = mem_alloc(2 * (size_t)count * sizeof *edges);
  for (uint32_t i = 0; i < count && done; i++) {
    uint32_t from = index_of(&c, boxes[i].y0), to = index_of(&c, boxes[i].y1);
    edges[2 * i] = (BoxEdge){ boxes[i].x0, 1, from, to };
    edges[2 * i + 1] = (BoxEdge){ boxes[i].x1, -1, from, to };
  }
  done = done && sort_items(edges, 2 * (size_t)count, sizeof *edges, by_x);
  if (done && c.count > 1) *area = sweep(&c, edges, 2 * count);
  mem_free(edges);
  mem_free(c.heights);
  return done && !interrupt_seen();
}

/* --- overlaps --------------------------------------------------------------------------------- */

/* A component in a band: those of a band that overlap share some height in it. */
typedef struct {
  uint32_t    band;
  int32_t     x0;
  ComponentId id;
} InBand;

typedef ARRAY(InBand) Bands;

static int by_band(const void *a, const void *b)
{
  const InBand *x = a, *y = b;
  if (x->band != y->band) return x->band < y->band ? -1 : 1;
  if (x->x0 != y->x0) return x->x0 < y->x0 ? -1 : 1;
  return (x->id > y->id) - (x->id < y->id);
}

static bool lies_over(const Placement *placement, const Component *component)
{
  return component->macro != NO_MACRO
         && placement->physical->macros.at[component->macro].class == MACRO_COVER;
}

/* What is placed and has area; empty otherwise. */
static Box solid_box(const Placement *placement, ComponentId id)
{
  const Component *component = &placement->components.at[id];
  if (!component_is_there(placement, component) || lies_over(placement, component))
    return BOX_EMPTY;
  Box box = component_box(placement, id);
  return box_area(box) > 0 ? box : BOX_EMPTY;
}

/* Bands as high as the lowest component, but not too many. */
static int32_t band_height(const Placement *placement, Box *all)
{
  int64_t least = INT32_MAX;
  *all = BOX_EMPTY;
  for (ComponentId i = 0; i < placement->components.len; i++) {
    Box box = solid_box(placement, i);
    if (box_is_empty(box)) continue;
    box_take(all, (Point){ box.x0, box.y0 });
    box_take(all, (Point){ box.x1, box.y1 });
    if (box.y1 - box.y0 < least) least = box.y1 - box.y0;
  }
  int64_t span = box_is_empty(*all) ? 0 : (int64_t)all->y1 - all->y0;
  if (least < span / 8192 + 1) least = span / 8192 + 1;
  return (int32_t)least;
}

static uint32_t band_of(Box all, int32_t height, int32_t y)
{
  return (uint32_t)(((int64_t)y - all.y0) / height);
}

static void fill_bands(const Placement *placement, Box all, int32_t height, Bands *out)
{
  for (ComponentId i = 0; i < placement->components.len && !interrupt_seen(); i++) {
    Box box = solid_box(placement, i);
    if (box_is_empty(box)) continue;
    for (uint32_t band = band_of(all, height, box.y0); band <= band_of(all, height, box.y1 - 1);
         band++)
      array_push(out, (InBand){ band, box.x0, i });
  }
}

static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }

typedef struct {
  const Placement *placement;
  Box       all;
  int32_t   height;
  uint8_t  *found;             /* by component */
  Overlaps *out;
  ARRAY(ComponentId) active;   /* of the band, those that reach to the sweep line or beyond */
} OverlapSearch;

/* A pair is counted in the lowest band that both are in. */
static void compare(OverlapSearch *search, uint32_t band, ComponentId a, ComponentId b)
{
  Box x = component_box(search->placement, a), y = component_box(search->placement, b);
  int64_t width = (int64_t)least(x.x1, y.x1) - most(x.x0, y.x0),
          height = (int64_t)least(x.y1, y.y1) - most(x.y0, y.y0);
  if (width <= 0 || height <= 0 || band_of(search->all, search->height, most(x.y0, y.y0)) != band)
    return;
  if (search->out->pairs++ == 0) {
    search->out->a = a;
    search->out->b = b;
  }
  search->out->area += (double)width * (double)height;
  search->found[a] = search->found[b] = 1;
}

static void sweep_to(OverlapSearch *search, const InBand *next)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < search->active.len; i++) {
    ComponentId other = search->active.at[i];
    if (component_box(search->placement, other).x1 <= next->x0) continue;
    search->active.at[kept++] = other;
    if (search->out->pairs < OVERLAPS_COUNTED) compare(search, next->band, other, next->id);
  }
  search->active.len = kept;
  array_push(&search->active, next->id);
}

static void sweep_bands(OverlapSearch *search, const Bands *bands)
{
  for (uint32_t i = 0; i < bands->len && search->out->pairs < OVERLAPS_COUNTED; i++) {
    if (interrupt_seen()) return;
    if (i == 0 || bands->at[i].band != bands->at[i - 1].band) array_clear(&search->active);
    sweep_to(search, &bands->at[i]);
  }
}

bool find_overlaps(const Placement *placement, Overlaps *out)
{
  Bands bands = { 0 };
  *out = (Overlaps){ .a = NO_COMPONENT, .b = NO_COMPONENT };
  OverlapSearch s = { .placement = placement,
                      .out = out,
                      .found = mem_alloc_zero((size_t)placement->components.len + 1, 1) };
  s.height = band_height(placement, &s.all);
  fill_bands(placement, s.all, s.height, &bands);
  if (bands.len && sort_items(bands.at, bands.len, sizeof *bands.at, by_band))
    sweep_bands(&s, &bands);
  for (ComponentId i = 0; i < placement->components.len; i++) out->cells += s.found[i];
  mem_free(s.found);
  array_free(&s.active);
  array_free(&bands);
  return !interrupt_seen();
}

/* --- rows and sites --------------------------------------------------------------------------- */

typedef struct {
  Box     box;
  int32_t step;                /* along x; 0: one site */
} RowLine;

typedef ARRAY(RowLine) RowLines;

static int by_y(const void *a, const void *b)
{
  const RowLine *x = a, *y = b;
  if (x->box.y0 != y->box.y0) return x->box.y0 < y->box.y0 ? -1 : 1;
  return (x->box.x0 > y->box.x0) - (x->box.x0 < y->box.x0);
}

/* Of a row along x, or of columns: each line of sites. Lines that end too far away do not count:
   without STEP the size of LEF's sites says where they are. */
static void add_row(const Placement *placement, const SiteRow *row, RowLines *out)
{
  const Site *site = &placement->physical->sites.at[row->site];
  int32_t width = orient_turns(row->orient) ? site->height : site->width,
          height = orient_turns(row->orient) ? site->width : site->height;
  int32_t step = row->step_x ? row->step_x : width;
  int64_t right = row->at.x + ((int64_t)row->count_x - 1) * step + width;
  if (row->count_x == 0 || width <= 0 || height <= 0 || !coordinate_is_safe(right)) return;
  for (uint32_t i = 0; i < row->count_y; i++) {
    int64_t y = row->at.y + (int64_t)i * (row->step_y ? row->step_y : height);
    if (!coordinate_is_safe(y) || !coordinate_is_safe(y + height)) return;
    Box line = { row->at.x, (int32_t)y, (int32_t)right, (int32_t)y + height };
    array_push(out, (RowLine){ line, step });
  }
}

static bool row_lines(const Placement *placement, RowLines *out)
{
  for (uint32_t i = 0; i < placement->rows.len && !interrupt_seen(); i++)
    add_row(placement, &placement->rows.at[i], out);
  return out->len == 0 || sort_items(out->at, out->len, sizeof *out->at, by_y);
}

static uint32_t first_row_at(const RowLines *rows, int32_t y)
{
  uint32_t low = 0, high = rows->len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (rows->at[middle].box.y0 < y) low = middle + 1;
    else high = middle;
  }
  return low;
}

typedef enum { ON_SITE, OFF_SITE, OFF_ROW } Fit;

static Fit fit_of(const RowLines *rows, Box box)
{
  Fit best = OFF_ROW;
  for (uint32_t i = first_row_at(rows, box.y0); i < rows->len && rows->at[i].box.y0 == box.y0;
       i++) {
    const RowLine *row = &rows->at[i];
    if (box.x0 < row->box.x0 || box.x1 > row->box.x1) continue;
    if ((box.x0 - row->box.x0) % row->step == 0) return ON_SITE;
    best = OFF_SITE;
  }
  return best;
}

static void note(uint32_t *count, ComponentId *first, ComponentId id)
{
  if ((*count)++ == 0) *first = id;
}

static void check_component(const Placement *placement, const RowLines *rows, ComponentId id,
                            OffGrid *out)
{
  const Component *component = &placement->components.at[id];
  Box box = component_box(placement, id), die = placement->die_box;
  if (box.x0 < die.x0 || box.y0 < die.y0 || box.x1 > die.x1 || box.y1 > die.y1)
    note(&out->off_die, &out->first_off_die, id);
  if (rows->len == 0 || !component_is_core(placement, component)) return;
  Fit fit = fit_of(rows, box);
  if (fit == OFF_ROW) note(&out->off_row, &out->first_off_row, id);
  if (fit == OFF_SITE) note(&out->off_site, &out->first_off_site, id);
}

bool find_off_grid(const Placement *placement, OffGrid *out)
{
  RowLines rows = { 0 };
  *out = (OffGrid){ .first_off_row = NO_COMPONENT, .first_off_site = NO_COMPONENT,
                    .first_off_die = NO_COMPONENT };
  bool done = row_lines(placement, &rows);
  for (ComponentId i = 0; i < placement->components.len && done && !interrupt_seen(); i++)
    if (component_is_there(placement, &placement->components.at[i]))
      check_component(placement, &rows, i, out);
  array_free(&rows);
  return done && !interrupt_seen();
}

/* --- areas ------------------------------------------------------------------------------------ */

typedef ARRAY(Box) Boxes;

static void add_component(const Placement *placement, ComponentId id, PlacementArea *out,
                          Boxes *blocks)
{
  const Component *component = &placement->components.at[id];
  double um = placement->physical->units;
  double area = (double)box_area(component_box(placement, id)) / (um * um);
  if (component_is_gone(placement, component)) return;
  out->count[component->status]++;
  out->area[component->status] += area;
  if (component_is_filler(placement, component)) {
    out->fillers++;
    out->filler_area += area;
  } else if (component_is_core(placement, component)) {
    out->cores++;
    out->core_area += area;
  } else if (is_block(placement, component)) {
    out->blocks++;
    out->block_area += area;
    if (component_is_placed(component)) array_push(blocks, component_box(placement, id));
  } else {
    out->others++;
  }
}

/* What the rows cover, less blocks: all together less the blocks alone. */
static bool free_row_area(const Placement *placement, Boxes *blocks, double *area)
{
  double alone, all;
  RowLines rows = { 0 };
  bool done = boxes_area(blocks->at, blocks->len, &alone) && row_lines(placement, &rows);
  for (uint32_t i = 0; i < rows.len; i++) array_push(blocks, rows.at[i].box);
  done = done && boxes_area(blocks->at, blocks->len, &all);
  array_free(&rows);
  if (done) *area = all - alone;
  return done;
}

/* Twice the area of an outline is the sum of the cross products of neighbouring corners. */
static double outline_area(const Placement *placement)
{
  double sum = 0;
  if (placement->die.len <= 2) return (double)box_area(placement->die_box);
  for (uint32_t i = 0; i < placement->die.len; i++) {
    Point a = placement->die.at[i], b = placement->die.at[(i + 1) % placement->die.len];
    sum += (double)a.x * b.y - (double)b.x * a.y;
  }
  return fabs(sum) / 2;
}

bool placement_area(const Placement *placement, PlacementArea *out)
{
  Boxes blocks = { 0 };
  double um = placement->physical->units;
  *out = (PlacementArea){ 0 };
  for (ComponentId i = 0; i < placement->components.len && !interrupt_seen(); i++)
    add_component(placement, i, out, &blocks);
  bool done = free_row_area(placement, &blocks, &out->row_area) && !interrupt_seen();
  array_free(&blocks);
  out->row_area /= um * um;
  out->die_area = outline_area(placement) / (um * um);
  out->utilisation = out->row_area > 0 ? out->core_area / out->row_area : NAN;
  return done;
}
