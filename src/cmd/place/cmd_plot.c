/* The command plot_placement, which draws cells by slack and the worst paths over the placement. */
#include <math.h>

#include "base/interrupt.h"
#include "cmd/report/cmd_report.h"
#include "paths/path.h"
#include "query/cell_slacks.h"
#include "report/placement_picture.h"
#include "tclbind/densities.h"

enum { MOST_PATHS = 1000, LEAST_PIXELS = 300, MOST_PIXELS = 10000 };

static const Option plot_options[] = {
  { "-slack", ARG_FLAG, .help = "colour each cell by the worst slack of its pins" },
  { "-paths", ARG_INT, .value = "N", .preset = "0", .help = "draw the N worst paths over the cells",
    RANGE(0, MOST_PATHS) },
  { "-min", ARG_FLAG, .help = "slacks and paths of early analysis (hold)" },
  { "-png", ARG_FILE, .help = "write a picture" },
  { "-svg", ARG_FILE, .help = "write a picture" },
  { "-width", ARG_INT, .value = "pixels", .preset = "900", .help = "width of the picture",
    RANGE(LEAST_PIXELS, MOST_PIXELS) },
  OPTIONS_IN_SCENARIO,
  { 0 }
};

/* What the picture shows, with the memory of it. */
typedef struct {
  CellPicture        picture;
  double            *slack;          /* by component */
  PathList           list;
  ARRAY(Point)       points;
  ARRAY(PicturePath) paths;
} Plot;

static void plot_free(Plot *plot)
{
  mem_free(plot->slack);
  path_list_free(&plot->list);
  array_free(&plot->points);
  array_free(&plot->paths);
}

static void take_slacks(const Session *s, const Timing *t, int early_late, Plot *plot)
{
  const Placement *placement = s->placement;
  double *of_inst = mem_alloc((size_t)s->netlist->insts.len * sizeof *of_inst + 1);
  query_cell_slacks(t, early_late, of_inst);
  plot->slack = mem_alloc((size_t)placement->components.len * sizeof *plot->slack + 1);
  for (ComponentId i = 0; i < placement->components.len; i++) {
    InstId inst = placement->components.at[i].inst;
    double slack = inst == NO_INST ? NAN : of_inst[inst] / s->units.scale[UNIT_TIME];
    plot->slack[i] = slack;
    plot->picture.least = fmin(plot->picture.least, slack);      /* a NAN does not count */
    plot->picture.largest = fmax(plot->picture.largest, slack);
  }
  mem_free(of_inst);
  plot->picture.slack = plot->slack;
}

/* Pins without a place are left out. */
static void take_path(const Session *s, const Timing *t, const Path *path, Plot *plot)
{
  uint32_t first = plot->points.len;
  for (uint32_t i = path->first; i < path->first + path->count; i++) {
    Point at;
    if (placement_pin_location(s->placement, t->g->slots.pin[plot->list.points.at[i].slot], &at))
      array_push(&plot->points, at);
  }
  array_push(&plot->paths, (PicturePath){ NULL, plot->points.len - first,
                                          path->slack / s->units.scale[UNIT_TIME] });
}

static Status take_paths(const Session *s, const Timing *t, int early_late, uint32_t most,
                         Plot *plot)
{
  PathQuery q = { .early_late = early_late, .max_paths = most, .worst = 1, .slack_max = NAN,
    .slack_min = NAN };
  if (most == 0) return OK;
  if (query_paths(t, &q, s->log, &plot->list) != OK) return FAILED;
  for (uint32_t i = 0; i < plot->list.paths.len; i++)
    take_path(s, t, &plot->list.paths.at[i], plot);
  const Point *at = plot->points.at;
  for (uint32_t i = 0; i < plot->paths.len; i++) {
    plot->paths.at[i].points = at;
    at += plot->paths.at[i].count;
  }
  plot->picture.paths = plot->paths.at;
  plot->picture.path_count = plot->paths.len;
  return OK;
}

static void make_title(const Session *s, const Plot *plot, int early_late, Text *title)
{
  text_put(title, names_text(s->names, s->placement->design));
  const char *check = early_late == LATE ? "setup" : "hold";
  if (plot->slack) text_printf(title, ": worst %s slack of cells", check);
  if (plot->paths.len)
    text_printf(title, "%s the %u worst %s path%s", plot->slack ? "," : ":", plot->paths.len, check,
                plot->paths.len == 1 ? "" : "s");
}

static Status write_picture(const Session *s, const Args *a, const Plot *plot, const char *title,
                            CanvasKind kind, const char *path)
{
  char unit[32];
  Text out = { 0 };
  unit_name(UNIT_TIME, s->units.scale[UNIT_TIME], unit);
  PictureLook look = { kind, args_number(a, "-width"), title, unit[0] == '1' ? unit + 1 : unit };
  Status status = picture_of_cells(&plot->picture, &look, &out, s->log);
  if (status == OK) status = picture_write(path, &out, s->log);
  text_free(&out);
  return status;
}

static Status plot(Session *s, const Args *a, const Timing *t, Plot *the_plot)
{
  int early_late = args_flag(a, "-min") ? EARLY : LATE;
  uint32_t most = (uint32_t)args_int(a, "-paths");
  Text title = { 0 };
  if (args_flag(a, "-slack") || most == 0) take_slacks(s, t, early_late, the_plot);
  Status status = take_paths(s, t, early_late, most, the_plot);
  make_title(s, the_plot, early_late, &title);
  const char *png = args_text(a, "-png"), *svg = args_text(a, "-svg");
  if (interrupt_seen()) png = svg = NULL;
  if (status == OK && png)
    status = write_picture(s, a, the_plot, text_get(&title), CANVAS_PNG, png);
  if (status == OK && svg)
    status = write_picture(s, a, the_plot, text_get(&title), CANVAS_SVG, svg);
  text_free(&title);
  return status;
}

static Status run_plot_placement(Session *s, Args *a)
{
  DensityGrid g;
  if (session_check_placement(s, "plot_placement") != OK
      || placement_grid(s->placement, &(BinChoice){ 0 }, &g, s->log) != OK)
    return FAILED;
  if (!args_given(a, "-png") && !args_given(a, "-svg"))
    return log_error(s->log, "DENS-016", NOWHERE,
                     "plot_placement: no file to write; expected -png or -svg");
  Timing *t = session_timing(s, true);
  if (t == NULL) return FAILED;
  Plot x = { .picture = { .placement = s->placement } };
  Status status = plot(s, a, t, &x);
  plot_free(&x);
  return status;
}

const Command commands_plot[] = {
  { "plot_placement", "placement", "draw a picture of cells by slack, and of the worst paths",
    plot_options, run_plot_placement, CMD_NEEDS_DESIGN | CMD_IN_SCENARIO | CMD_NEEDS_SCENARIO,
    "Each cell has the colour of the worst slack of its pins, from dark red (the worst) over "
    "yellow (0) to dark green (the best). Where several cells share a pixel, the worst one "
    "counts.  Cells without constraints are grey, and macros have an outline.  Each path of "
    "-paths is a line from pin to pin. It begins at a disc and ends at a square; the worst paths "
    "are on top. With -paths and without -slack all cells are grey.",
    "plot_placement -slack -paths 3 -png slacks.png\n" },
  { 0 }
};
