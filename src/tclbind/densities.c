/* Computes density maps for commands, on a device or on the CPU, and keeps the densities of cells
   and nets. The versions of placement and netlist say when kept numbers are out of date. */
#include "tclbind/densities.h"

#include <math.h>

#include "base/processors.h"
#include "device/families.h"
#include "place/density_map.h"
#include "update/backend.h"

/* By ComponentId, and by the ids of nets that PlacedShapes has. */
typedef struct {
  bool     there;
  uint64_t placement, netlist;      /* versions */
  ARRAY(double) of;
} KeptDensities;

struct DensityStore {
  KeptDensities cells, nets;
};

void density_store_free(DensityStore *store)
{
  if (store == NULL) return;
  array_free(&store->cells.of);
  array_free(&store->nets.of);
  mem_free(store);
}

Status session_check_placement(const Session *s, const char *command)
{
  if (s->placement) return OK;
  return log_error(s->log, "DENS-009", NOWHERE, "%s: there is no placement; read_def reads one",
                   command);
}

static Status no_placement(Session *s, const Property *row)
{
  return session_check_placement(s, row->name);
}

PropertyWhy *session_placement_missing(const Session *s)
{
  return s->placement ? NULL : no_placement;
}

/* --- maps ------------------------------------------------------------------------------------- */
/* What there is to work out: the map, or with weights of bins densities of shapes. */
typedef struct {
  const DensityGrid   *grid;
  const DensityShapes *shapes;
  const double        *weights;
  double              *out;
} DensityTask;

/* From so many shapes on a device is taken by itself: copies outweigh the rest of smaller maps. */
enum { LEAST_SHAPES = 200000 };

/* exact_from: see density_exact_from */
static bool run_task(FamilyRun *run, const DensityTask *task, double *exact_from)
{
  DensityGiven given = { task->grid, task->shapes };
  DensityWeights weights = { task->weights };
  DensityCall call = { .way = task->weights ? DENSITY_BACKWARD : DENSITY_FORWARD,
                       .out = task->out,
                       .plan = { .threshold = DENSITY_THRESHOLD } };
  bool done = family_run(run, DENSITY_PUT_SHAPES, &given)
              && (task->weights == NULL || family_run(run, DENSITY_PUT_WEIGHTS, &weights))
              && family_run(run, DENSITY_RUN, &call);
  *exact_from = density_exact_from(&call.range, task->shapes->count);
  return done;
}

static const struct DeviceOps *device_of(const Session *s, uint64_t shapes)
{
  Text why = { 0 };
  const struct DeviceOps *on =
      backend_for_family((EngineKind)s->engine, &s->engine_options, shapes, LEAST_SHAPES, &why);
  text_free(&why);
  return on;
}

static void tell_lost(Session *s, double exact_from)
{
  if (exact_from > 0)
    log_warning(s->log, "DENS-017", NOWHERE,
                "weights or areas lie so far apart that densities below %.3g may be off by more "
                "than 1e-9 of themselves, or 0",
                exact_from);
}

static Status work_out_task(Session *s, const DensityTask *task)
{
  if (density_check_shapes(task->shapes, s->log) != OK) return FAILED;
  int threads = s->threads > 0 ? s->threads : processors_usable();
  FamilyRun *run =
      family_open(&density_family, device_of(s, task->shapes->count), &s->engine_options, threads);
  double exact_from = 0;
  bool done = run_task(run, task, &exact_from);
  if (!done) {
    const DeviceError *error = family_error(run);
    log_warning(s->log, "DENS-010", NOWHERE,
                "the device failed (%s:%d: %s); the CPU works out the density map", error->file,
                error->line, error->text);
    run_task(run, task, &exact_from);
  }
  tell_lost(s, exact_from);
  family_close(run);
  return OK;
}

Status session_density_map(Session *s, const DensityGrid *grid, const DensityShapes *shapes,
                           double *map)
{
  return work_out_task(s, &(DensityTask){ grid, shapes, NULL, map });
}

Status session_shape_densities(Session *s, const DensityGrid *grid, const double *map,
                               const DensityShapes *shapes, double *out)
{
  return work_out_task(s, &(DensityTask){ grid, shapes, map, out });
}

/* --- the attribute ---------------------------------------------------------------------------- */
static uint64_t netlist_version(const Session *s)
{
  return s->netlist ? s->netlist->edit_count : 0;
}

static bool is_fresh(const Session *s, const KeptDensities *densities)
{
  return densities->there && densities->placement == s->placement->version
         && densities->netlist == netlist_version(s);
}

static void keep(const Session *s, KeptDensities *densities, const PlacedShapes *shapes,
                 const double *own)
{
  array_clear(&densities->of);
  for (uint32_t i = 0; i < shapes->ids.len; i++) {
    while (densities->of.len <= shapes->ids.at[i]) array_push(&densities->of, NAN);
    densities->of.at[shapes->ids.at[i]] = own[i];
  }
  densities->there = true;
  densities->placement = s->placement->version;
  densities->netlist = netlist_version(s);
}

static Status work_out(Session *s, DensityKind kind, KeptDensities *densities)
{
  DensityGrid g;
  if (placement_grid(s->placement, &(BinChoice){ 0 }, &g, s->log) != OK) return FAILED;
  PlacedShapes shapes = placed_shapes(s->placement, kind);
  DensityShapes on_grid = density_shapes_of(&shapes);
  double *map = mem_alloc((size_t)g.x.count * g.y.count * sizeof *map),
         *own = mem_alloc(((size_t)shapes.ids.len + 1) * sizeof *own);
  Status status = session_density_map(s, &g, &on_grid, map);
  if (status == OK) status = session_shape_densities(s, &g, map, &on_grid, own);
  if (status == OK) keep(s, densities, &shapes, own);
  mem_free(map);
  mem_free(own);
  placed_shapes_free(&shapes);
  return status;
}

static double kept(const KeptDensities *densities, uint32_t id)
{
  return id < densities->of.len ? densities->of.at[id] : NAN;
}

Status session_density(Session *s, Object o, double *density)
{
  bool cell = o.type == OBJ_CELL;
  *density = NAN;
  if (s->placement == NULL) return OK;
  if (s->densities == NULL) s->densities = mem_alloc_zero(1, sizeof *s->densities);
  KeptDensities *densities = cell ? &s->densities->cells : &s->densities->nets;
  if (!is_fresh(s, densities)
      && work_out(s, cell ? DENSITY_OF_CELLS : DENSITY_OF_NETS, densities) != OK)
    return FAILED;
  if (cell) *density = kept(densities, placement_component_of(s->placement, o.id));
  else if (s->placement->netlist) *density = kept(densities, s->netlist->segs.at[o.id].net);
  return OK;
}

/* --- where objects lie ------------------------------------------------------------------------ */
bool object_shape(const Session *s, Object o, DensityIntBox *out)
{
  Box box;
  Point at;
  bool there = false;
  if (o.type == OBJ_CELL) there = placement_of_cell(s->placement, o.id, &box);
  else if (o.type == OBJ_NET)
    there = density_net_box(s->placement, s->netlist->segs.at[o.id].net, &box);
  else if (placement_pin_location(s->placement, o.id, &at)) {
    box = (Box){ at.x, at.y, at.x + 1, at.y + 1 };
    there = true;
  }
  if (there) *out = (DensityIntBox){ { box.x0, box.y0, box.x1, box.y1 } };
  return there;
}
