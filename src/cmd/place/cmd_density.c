/* Commands that report and return density maps of a placement. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "cmd/report/cmd_report.h"
#include "place/density_map.h"
#include "report/report_density.h"
#include "tclbind/densities.h"
#include "tclbind/object_value.h"
#include "tclbind/property.h"

#define KIND_WORDS "cell|pin|net|macro"
static const DensityKind kind_of_word[] = { DENSITY_OF_CELLS, DENSITY_OF_PINS, DENSITY_OF_NETS,
                                            DENSITY_OF_MACROS };

#define OPTION_BINS                                                                            \
  { "-bins", ARG_TEXT, .value = "MxN",                                                         \
    .help = "columns and rows of the grid; one number is for both; default: about 128 along "  \
            "the longer side" },                                                               \
  { "-bin_size", ARG_FLOAT, .value = "um", .help = "width and height of a bin, in place of -bins" }

enum { LEAST_PIXELS = 300, MOST_PIXELS = 10000 };
#define OPTION_WIDTH \
  { "-width", ARG_INT, .value = "pixels", .preset = "900", .help = "width of pictures", \
    RANGE(LEAST_PIXELS, MOST_PIXELS) }

/* --- the grid --------------------------------------------------------------------------------- */
static Status wrong_bins(Session *s, const Args *a, const char *text)
{
  return log_error(s->log, "DENS-011", NOWHERE,
                   "%s: -bins takes numbers of columns and rows such as 256x128, not '%.60s'",
                   args_command(a), text);
}

static Status too_many_bins(Session *s, const Args *a, const char *text)
{
  return log_error(s->log, "DENS-001", NOWHERE,
                   "%s: -bins %.60s asks for too many; expected 1 to %d bins in all",
                   args_command(a), text, DENSITY_MOST_BINS);
}

/* Numbers that do not fit are as many as do, which is too many for a grid as well. */
static bool take_count(const char **text, uint32_t *out)
{
  char *end;
  if (**text < '0' || **text > '9') return false;
  unsigned long long x = strtoull(*text, &end, 10);
  *out = x < UINT32_MAX ? (uint32_t)x : UINT32_MAX;
  *text = end;
  return true;
}

/* Microns: a kilometre. */
#define MOST_BIN_SIZE 1e9

static Status bin_choice(Session *s, const Args *a, BinChoice *choice)
{
  const char *text = args_text(a, "-bins"), *at = text;
  *choice = (BinChoice){ 0 };
  if (text && args_given(a, "-bin_size"))
    return log_error(s->log, "DENS-014", NOWHERE, "%s: -bins and -bin_size exclude each other",
                     args_command(a));
  choice->by_count = text != NULL;
  if (args_given(a, "-bin_size")) choice->size = args_number(a, "-bin_size");
  if (args_given(a, "-bin_size") && !(choice->size > 0 && choice->size <= MOST_BIN_SIZE))
    return log_error(s->log, "DENS-001", NOWHERE,
                     "%s: bins of %g microns; expected more than 0, and at most %g",
                     args_command(a), choice->size, MOST_BIN_SIZE);
  if (text == NULL) return OK;
  if (!take_count(&at, &choice->columns)) return wrong_bins(s, a, text);
  choice->rows = choice->columns;
  if (*at == 'x' && (at++, !take_count(&at, &choice->rows))) return wrong_bins(s, a, text);
  if (*at) return wrong_bins(s, a, text);
  bool fits = choice->columns < UINT32_MAX && choice->rows < UINT32_MAX;
  return fits ? OK : too_many_bins(s, a, text);
}

static Status grid_asked(Session *s, const Args *a, DensityGrid *grid)
{
  BinChoice choice;
  if (session_check_placement(s, args_command(a)) != OK || bin_choice(s, a, &choice) != OK)
    return FAILED;
  return placement_grid(s->placement, &choice, grid, s->log);
}

/* --- weights ---------------------------------------------------------------------------------- */
static unsigned object_kinds(DensityKind kind)
{
  return kind == DENSITY_OF_NETS   ? OBJ_BIT(OBJ_NET)
         : kind == DENSITY_OF_PINS ? (unsigned)OBJS_PORT_PIN
                                   : OBJ_BIT(OBJ_CELL);
}

/* The object whose property is a shape's weight; OBJ_NONE: it is not in the netlist. */
static Object shape_object(const Session *s, const PlacedShapes *shapes, uint32_t shape)
{
  uint32_t id = shapes->ids.at[shape];
  if (!shapes->of_netlist) return (Object){ OBJ_NONE, 0 };
  if (shapes->kind == DENSITY_OF_NETS)
    return (Object){ OBJ_NET, s->netlist->nets.at[id].first_seg };
  if (shapes->kind == DENSITY_OF_PINS)
    return (Object){ pin_is_top_port(s->netlist, id) ? OBJ_PORT : OBJ_PIN, id };
  InstId inst = s->placement->components.at[id].inst;
  return inst == NO_INST ? (Object){ OBJ_NONE, 0 } : (Object){ OBJ_CELL, inst };
}

static uint32_t id_of_object(const Session *s, Object o)
{
  if (o.type == OBJ_CELL) return placement_component_of(s->placement, o.id);
  return o.type == OBJ_NET ? s->netlist->segs.at[o.id].net : o.id;
}

static Status check_property(Session *s, const char *command, const char *name, DensityKind kind)
{
  uint32_t type = kind == DENSITY_OF_NETS   ? OBJ_NET
                  : kind == DENSITY_OF_PINS ? OBJ_PIN
                                            : OBJ_CELL;
  const Property *row = property_find(s, type, name);
  if (row == NULL) return property_unknown(s, type, name, NOWHERE);
  if (row->kind == PROP_NUMBER || row->kind == PROP_INT || row->kind == PROP_BOOL) return OK;
  return log_error(s->log, "DENS-015", NOWHERE, "%s: the property '%s' is no number", command,
                   name);
}

static Status property_number(Session *s, Object o, const char *name, double *number)
{
  const Property *row = o.type == OBJ_NONE ? NULL : property_find(s, o.type, name);
  PropertyValue value = { 0 };
  *number = 0;
  if (row == NULL) return OK;
  Status status = property_get(s, row, o, &value);
  if (status == OK && !value.missing && isfinite(value.number)) *number = value.number;
  property_value_free(&value);
  return status;
}

/* Objects without a value or with an infinite one, or not in the netlist, weigh nothing. */
static Status weigh_by_property(Session *s, const char *command, const char *name,
                                PlacedShapes *shapes)
{
  Status status = check_property(s, command, name, shapes->kind);
  for (uint32_t i = 0; i < shapes->ids.len && status == OK && !interrupt_seen(); i++) {
    double number;
    status = property_number(s, shape_object(s, shapes, i), name, &number);
    shapes->weights.at[i] *= status == OK ? number : 0;
  }
  return status;
}

/* By id of PlacedShapes: NAN where the list does not say. Objects without a place on the grid are
   counted. */
typedef struct {
  ARRAY(double) at;
  uint32_t      without;
  Object        first_without;
} IdWeights;

static void put_weight(Session *s, Object o, double weight, IdWeights *out)
{
  uint32_t id = id_of_object(s, o);
  if (id == UINT32_MAX) {
    if (out->without++ == 0) out->first_without = o;
    return;
  }
  while (out->at.len <= id) array_push(&out->at, NAN);
  out->at.at[id] = weight;
}

static void tell_of_no_place(Session *s, const char *command, const IdWeights *weights)
{
  Text name = { 0 };
  if (weights->without == 0) return;
  object_name(s, weights->first_without, &name);
  log_warning(s->log, "DENS-018", NOWHERE,
              "%s: %u object%s of -weights %s no place of %s own, %.80s the first: without effect",
              command, weights->without, weights->without == 1 ? "" : "s",
              weights->without == 1 ? "has" : "have", weights->without == 1 ? "its" : "their",
              text_get(&name));
  text_free(&name);
}

static Status take_weight(Session *s, const char *command, DensityKind kind, Tcl_Obj *what,
                          Tcl_Obj *number, IdWeights *out)
{
  Resolve how = { .kinds = object_kinds(kind), .command = command, .option = "-weights" };
  ObjectArray found = { 0 };
  uint32_t missing;
  char *end;
  double weight = strtod(Tcl_GetString(number), &end);
  if (end == Tcl_GetString(number) || *end || !(fabs(weight) <= DENSITY_MOST_WEIGHT))
    return log_error(s->log, "DENS-005", NOWHERE,
                     "%s: the weight of '%.60s' is '%.60s'; expected a number from -1e300 to 1e300",
                     command, Tcl_GetString(what), Tcl_GetString(number));
  Status status = objects_resolve(s, &how, what, &found, &missing);
  for (uint32_t i = 0; i < found.len && status == OK; i++) put_weight(s, found.at[i], weight, out);
  array_free(&found);
  return status;
}

/* Pairs of objects and weights; what is not among them has weight 1. */
static Status weigh_by_list(Session *s, const char *command, Tcl_Obj *const *words, int count,
                            PlacedShapes *shapes)
{
  IdWeights weights = { 0 };
  Status status = OK;
  for (int i = 0; i + 1 < count && status == OK; i += 2)
    status = take_weight(s, command, shapes->kind, words[i], words[i + 1], &weights);
  for (uint32_t i = 0; i < shapes->ids.len && status == OK; i++) {
    uint32_t id = shapes->ids.at[i];
    if (id < weights.at.len && !isnan(weights.at.at[id]))
      shapes->weights.at[i] *= weights.at.at[id];
  }
  if (status == OK) tell_of_no_place(s, command, &weights);
  array_free(&weights.at);
  return status;
}

static Status weigh(Session *s, const Args *a, PlacedShapes *shapes)
{
  int count;
  Tcl_Obj **words, *list = args_object(a, "-weights");
  if (list == NULL) return OK;
  if (Tcl_ListObjGetElements(NULL, list, &count, &words) != TCL_OK || (count > 1 && count % 2))
    return log_error(s->log, "DENS-013", NOWHERE,
                     "%s: -weights takes the name of a property, or a list of objects with a "
                     "weight after each",
                     args_command(a));
  if (!shapes->of_netlist)
    return log_error(s->log, "DENS-012", NOWHERE,
                     "%s: weights are of the netlist's objects, and no design is linked",
                     args_command(a));
  if (count == 1) return weigh_by_property(s, args_command(a), Tcl_GetString(words[0]), shapes);
  return weigh_by_list(s, args_command(a), words, count, shapes);
}

/* --- report_density --------------------------------------------------------------------------- */
static const Option density_options[] = {
  { "-type", ARG_ENUM, .value = KIND_WORDS, .preset = "cell",
    .help = "what is laid on the grid. cell: the area of cells without fillers; pin: pins, per "
            "square micron; net: the wires that nets are expected to need, microns per square "
            "micron; macro: the area of macros" },
  OPTION_BINS,
  { "-weights", ARG_LIST, .value = "weights",
    .help = "multiply each shape by a number: a property of cells, nets or pins, or a list of "
            "objects with a weight after each; other shapes have weight 1" },
  { "-over", ARG_FLOAT, .value = "threshold",
    .help = "count and list bins above this; default: 0.9 for cells and macros without -weights, "
            "else twice the mean" },
  { "-hotspots", ARG_INT, .value = "N", .preset = "10", .help = "list at most N hotspots",
    RANGE(0, 1000) },
  { "-csv", ARG_FILE, .help = "write all bins as a table of numbers" },
  { "-shapes", ARG_FILE,
    .help = "write what is laid on the grid: the die's left, bottom, right and top, then a line "
            "for each shape, with its weight at the end, in database units" },
  { "-png", ARG_FILE, .help = "write a picture" },
  { "-svg", ARG_FILE, .help = "write a picture" },
  { "-html", ARG_FILE, .help = "write a page with the picture and this report" },
  OPTION_WIDTH,
  { 0 }
};

/* Area of a bin that cells take, above which it is listed. */
#define DENSE 0.9

static Status make_report(Session *s, const Args *a, DensityReport *report)
{
  *report = (DensityReport){ .placement = s->placement };
  if (args_given(a, "-over") && !isfinite(args_number(a, "-over")))
    return log_error(s->log, "DENS-019", NOWHERE, "%s: -over %g; expected a finite number",
                     args_command(a), args_number(a, "-over"));
  if (grid_asked(s, a, &report->g) != OK) return FAILED;
  report->placement = s->placement;
  report->shapes = placed_shapes(s->placement, kind_of_word[args_enum(a, "-type")]);
  report->weighted = args_given(a, "-weights");
  if (weigh(s, a, &report->shapes) != OK) return FAILED;
  DensityShapes shapes = density_shapes_of(&report->shapes);
  report->map = mem_alloc_zero((size_t)report->g.x.count * report->g.y.count, sizeof *report->map);
  if (session_density_map(s, &report->g, &shapes, report->map) != OK) return FAILED;
  bool area = report->shapes.kind == DENSITY_OF_CELLS || report->shapes.kind == DENSITY_OF_MACROS;
  double mean = density_summary(&report->g, report->map, 0).mean;
  report->threshold = args_given(a, "-over")      ? args_number(a, "-over")
                      : area && !report->weighted ? DENSE
                                                  : 2 * mean;
  report->summary = density_summary(&report->g, report->map, report->threshold);
  report->hotspots = density_hotspots(&report->g, report->map, report->threshold,
                                      (uint32_t)args_int(a, "-hotspots"));
  hotspots_look(&report->hotspots, &report->g, &shapes);
  return OK;
}

static Status write_text(Session *s, const char *path, Text *text, Status status)
{
  if (status == OK) status = picture_write(path, text, s->log);
  text_clear(text);
  return status;
}

static Status write_files(Session *s, const Args *a, const Sheet *sheet,
                          const DensityReport *report)
{
  const char *csv = args_text(a, "-csv"), *png = args_text(a, "-png"), *svg = args_text(a, "-svg"),
             *html = args_text(a, "-html"), *shapes = args_text(a, "-shapes");
  double width = args_number(a, "-width");
  Text out = { 0 };
  Status status = OK;
  if (csv) {
    density_csv(report, &out);
    status = write_text(s, csv, &out, OK);
  }
  if (shapes && status == OK) {
    density_shape_lines(report, &out);
    status = write_text(s, shapes, &out, OK);
  }
  if (png && status == OK)
    status = write_text(s, png, &out, density_picture(report, CANVAS_PNG, width, &out, s->log));
  if (svg && status == OK)
    status = write_text(s, svg, &out, density_picture(report, CANVAS_SVG, width, &out, s->log));
  if (html && status == OK)
    status = write_text(s, html, &out, density_page(sheet, report, &out, s->log));
  text_free(&out);
  return status;
}

static Status run_report_density(Session *s, Args *a)
{
  Text out = { 0 };
  DensityReport r;
  Status status = make_report(s, a, &r);
  Sheet sheet = report_sheet(s, a, &out);
  if (status == OK && !interrupt_seen()) status = write_files(s, a, &sheet, &r);
  if (status == OK && !interrupt_seen()) report_density(&sheet, &r);
  density_report_free(&r);
  report_finish(a, &out);
  return status;
}

/* --- get_density ------------------------------------------------------------------------------ */
static const Option get_density_options[] = {
  { "-type", ARG_ENUM, .value = KIND_WORDS,
    .help = "the map that all objects are looked up in; default: that of cells for cells, that "
            "of nets for nets, that of pins for pins and ports" },
  OPTION_BINS,
  { "objects", ARG_OBJECTS, .value = "objects",
    .kinds = OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_NET) | OBJS_PORT_PIN, .flags = OPT_REQUIRED,
    .help = "cells, nets, pins or ports" },
  { 0 }
};

/* The map of an object without -type. */
static DensityKind own_kind(Object o)
{
  return o.type == OBJ_NET ? DENSITY_OF_NETS : o.type == OBJ_CELL ? DENSITY_OF_CELLS
                                                                  : DENSITY_OF_PINS;
}

/* Boxes of those that lie somewhere; order: which of the objects each is. */
typedef struct {
  ARRAY(DensityIntBox) boxes;
  ARRAY(uint32_t) order;
} AskedShapes;

/* What get_density answers. */
typedef struct {
  const Object *objects;
  uint32_t      count;
  bool          by_type;     /* -type: one map for all objects */
  DensityGrid   g;
  double       *density;     /* of each object; NAN: no place */
} AskedDensities;

static AskedShapes asked_shapes(const Session *s, const AskedDensities *densities, DensityKind kind)
{
  AskedShapes x = { 0 };
  for (uint32_t i = 0; i < densities->count && !interrupt_seen(); i++) {
    DensityIntBox box;
    if (!densities->by_type && own_kind(densities->objects[i]) != kind) continue;
    if (!object_shape(s, densities->objects[i], &box)) continue;
    array_push(&x.boxes, box);
    array_push(&x.order, i);
  }
  return x;
}

/* The densities of objects on the map of one kind. */
static Status ask_map(Session *s, AskedDensities *densities, DensityKind kind)
{
  AskedShapes asked = asked_shapes(s, densities, kind);
  if (asked.boxes.len == 0) return OK;
  PlacedShapes shapes = placed_shapes(s->placement, kind);
  DensityShapes on_grid = density_shapes_of(&shapes),
                own = { NULL, asked.boxes.at, NULL, asked.boxes.len };
  double *map = mem_alloc_zero((size_t)densities->g.x.count * densities->g.y.count, sizeof *map),
         *density = mem_alloc_zero(asked.boxes.len, sizeof *density);
  Status status = session_density_map(s, &densities->g, &on_grid, map);
  if (status == OK) status = session_shape_densities(s, &densities->g, map, &own, density);
  for (uint32_t i = 0; i < asked.order.len && status == OK; i++)
    densities->density[asked.order.at[i]] = density[i];
  mem_free(map);
  mem_free(density);
  array_free(&asked.boxes);
  array_free(&asked.order);
  placed_shapes_free(&shapes);
  return status;
}

static Status ask_maps(Session *s, const Args *a, AskedDensities *densities)
{
  static const DensityKind kinds[] = { DENSITY_OF_CELLS, DENSITY_OF_NETS, DENSITY_OF_PINS };
  Status status = OK;
  if (densities->by_type) return ask_map(s, densities, kind_of_word[args_enum(a, "-type")]);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == OK; i++)
    status = ask_map(s, densities, kinds[i]);
  return status;
}

static void return_densities(Args *a, const AskedDensities *densities)
{
  Tcl_Obj *list = Tcl_NewListObj(0, NULL);
  for (uint32_t i = 0; i < densities->count; i++)
    Tcl_ListObjAppendElement(
        NULL, list,
        isnan(densities->density[i]) ? Tcl_NewObj() : Tcl_NewDoubleObj(densities->density[i]));
  args_return(a, list);
}

static Status run_get_density(Session *s, Args *a)
{
  AskedDensities d = { .by_type = args_enum(a, "-type") >= 0 };
  d.objects = args_objects(a, "objects", 0, &d.count);
  if (grid_asked(s, a, &d.g) != OK) return FAILED;
  d.density = mem_alloc(((size_t)d.count + 1) * sizeof *d.density);
  for (uint32_t i = 0; i < d.count; i++) d.density[i] = NAN;
  Status status = ask_maps(s, a, &d);
  if (status == OK) return_densities(a, &d);
  mem_free(d.density);
  return status;
}

/* --- table ------------------------------------------------------------------------------------ */
const Command commands_density[] = {
  { "report_density", "placement", "where the placement is dense, and pictures of it",
    density_options, run_report_density, CMD_REDIRECT,
    "The density of a bin is the sum over all shapes of weight times overlap, divided by the "
    "area of the bin. Fillers, which are cells of class CORE SPACER, do not count.  A net is "
    "taken to need wires as long as the width plus the height of the box around its pins. They "
    "are spread evenly over the box.  The table of hotspots shows the densest bins. A bin within "
    "two bins of a denser one is left out. For each hotspot the table shows the shapes that "
    "contribute most, and how much they contribute.  The width of the die in database units "
    "times the number of columns is at most 2^53, as is its height times the number of rows, so "
    "that lines between bins are not rounded.",
    "report_density -bins 16 -hotspots 3\n"
    "report_density -type net -bin_size 20 -csv demand.csv\n" },
  { "get_density", "placement", "the average density over objects", get_density_options,
    run_get_density, 0,
    "Returns a list with a number for each object, in the order of the objects. The number is "
    "the average of a density map over the area of the object: the outline of a cell, the box "
    "around the pins of a net, or the place of a pin.  An object without a place has an empty "
    "value.  The property density of cells and nets has the same number, from the map of cells "
    "or of nets.",
    "get_density [get_cells exec/g1508] -type net\n"
    "report_property [filter_collection [get_cells *] {density > 0.95}] {full_name density}\n" },
  { 0 }
};
