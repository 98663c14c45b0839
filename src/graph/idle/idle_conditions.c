/* Finds operating conditions that no library describes, and wire loads that no wire uses. */
#include <math.h>

#include "db/wire_model.h"
#include "graph/idle/idle.h"

static void tell(const Graph *g, Log *log, CommandId command, const char *code, const char *problem)
{
  Said s = constraints_command(g->constraints, command);
  if (s.command == NULL) return;          /* it does not come from a command */
  Where where =
      s.file == NO_NAME ? NOWHERE : (Where){ names_text(g->netlist->names, s.file), s.line, 0 };
  Text t = { 0 };
  text_printf(&t, "%s: %s", s.command, problem);
  log_warning_once_at(log, code, where, text_get(&t));
  text_free(&t);
}

/* --- operating conditions ------------------------------------------------ */

/* Process, voltage and temperature; NAN if not given. */
typedef struct { float at[SCALE_BY_COUNT]; } Point;

static bool scales(const ScaleFactors *factors, int by)
{
  for (int kind = 0; kind < SCALE_COUNT; kind++)
    if (factors->k[kind][by] != 0) return true;
  return false;
}

/* Returns true if a library describes the effect of a change.  Any of the libraries may serve a
   corner. */
static bool is_scaled(const LibrarySet *libs, int by)
{
  for (LibraryId l = 0; l < libs->libraries.len; l++)
    if (scales(&libs->libraries.at[l].factors, by)) return true;
  for (uint32_t i = 0; i < libs->factor_sets.len; i++)
    if (scales(&libs->factor_sets.at[i].factors, by)) return true;
  return libs->scaled_cells.len > 0;
}

static Point nominal(const Library *library)
{
  return (Point){ { [SCALE_BY_PROCESS] = library->nom_process,
                    [SCALE_BY_VOLTAGE] = library->nom_voltage,
                    [SCALE_BY_TEMPERATURE] = library->nom_temperature } };
}

static Point point_of(const OperatingConditions *conditions)
{
  return (Point){ { [SCALE_BY_PROCESS] = conditions->process,
                    [SCALE_BY_VOLTAGE] = conditions->voltage,
                    [SCALE_BY_TEMPERATURE] = conditions->temperature } };
}

/* Compares only the values that are given. */
static bool agree(Point given, Point of_library)
{
  for (int by = 0; by < SCALE_BY_COUNT; by++)
    if (!isnan(given.at[by]) && !(fabsf(given.at[by] - of_library.at[by]) <= 1e-4f)) return false;
  return true;
}

/* Does a point agree with the condition at which a library is characterized? It is the nominal
   condition if the library gives none. */
static bool is_of_library(const LibrarySet *libs, Point p)
{
  for (LibraryId l = 0; l < libs->libraries.len; l++) {
    const Library *lib = &libs->libraries.at[l];
    if (agree(p, nominal(lib))) return true;
    for (uint32_t i = 0; i < libs->conditions.len; i++)
      if (libs->condition_library.at[i] == l
          && libs->conditions.at[i].name == lib->default_operating_conditions
          && agree(p, point_of(&libs->conditions.at[i])))
        return true;
  }
  return false;
}

static bool is_idle(const LibrarySet *libs, Point p)
{
  for (int by = 0; by < SCALE_BY_COUNT; by++)
    if (!isnan(p.at[by]) && is_scaled(libs, by)) return false;
  return !is_of_library(libs, p);
}

static bool has_wire_loads(const Constraints *c)
{
  for (uint32_t i = 0; i < c->wire_load_choices.len; i++) {
    const WireLoadChoice *choice = &c->wire_load_choices.at[i];
    for (int el = EARLY; el <= LATE; el++)
      if (choice->object.type != OBJ_PORT
          && (choice->model[el] != NO_WIRE_LOAD || choice->group[el] != NO_NAME))
        return true;
  }
  return false;
}

/* Warns of an operating condition without effect. It also has an effect if its tree type places the
   resistance of wire loads. */
static void warn_of_condition(const Graph *g, int early_late, Log *log)
{
  const Constraints *c = g->constraints;
  if (c->operating_condition[early_late] == NO_CONDITION) return;
  const OperatingConditions *conditions =
      &g->libs->conditions.at[c->operating_condition[early_late]];
  if (!is_idle(g->libs, point_of(conditions)) || has_wire_loads(c)) return;
  Text t = { 0 };
  text_printf(&t, "no library says what condition %s changes; it has no effect on timing",
              names_text(g->netlist->names, conditions->name));
  tell(g, log, c->said_of_condition[early_late], "GRAPH-049", text_get(&t));
  text_free(&t);
}

static void warn_of_voltage(const Graph *g, Log *log)
{
  const Constraints *c = g->constraints;
  bool idle = false;
  for (int el = EARLY; el <= LATE; el++) {
    if (isnan(c->voltage[el])) continue;
    Point p = { { NAN, NAN, NAN } };
    p.at[SCALE_BY_VOLTAGE] = c->voltage[el];
    idle |= is_idle(g->libs, p);
  }
  if (idle)
    tell(g, log, c->said_of_voltage, "GRAPH-049",
         "no library says what another voltage changes; it has no effect on timing");
}

static bool pvt_is_idle(const Graph *g, const InstPvt *pvt)
{
  bool idle = false;
  for (int el = EARLY; el <= LATE; el++) {
    Point at = { { [SCALE_BY_PROCESS] = pvt->process[el],
                   [SCALE_BY_VOLTAGE] = pvt->voltage[el],
                   [SCALE_BY_TEMPERATURE] = pvt->temperature[el] } };
    bool given = false;
    for (int by = 0; by < SCALE_BY_COUNT; by++) {
      given |= !isnan(at.at[by]);
      if (!isnan(at.at[by]) && is_scaled(g->libs, by)) return false;
    }
    idle |= given && !is_of_library(g->libs, at);
  }
  return idle;
}

static void find_pvts(const Graph *g, IdleList *list)
{
  static const char *const problem =
      "no library says what another process, voltage or temperature changes of";
  const Constraints *c = g->constraints;
  for (uint32_t i = 0; i < c->pvts.len; i++) {
    const InstPvt *pvt = &c->pvts.at[i];
    idle_add(list, g, pvt->said,
             (Idle){ .object = { OBJ_CELL, pvt->inst },
                     .clock = NO_CLOCK,
                     .code = "GRAPH-049",
                     .problem = pvt_is_idle(g, pvt) ? problem : NULL });
  }
}

/* --- wire loads ------------------------------------------------ */

static bool is_mode_top(const Graph *g)
{
  WireModels models = wire_models_begin(g->netlist, g->constraints);
  bool top = wire_mode(&models) == WIRE_MODE_TOP;
  wire_models_end(&models);
  return top;
}

static const char *problem_of_load(const Graph *g, const WireLoadChoice *choice, bool top)
{
  if (choice->object.type == OBJ_CELL)
    return top ? "in mode top the design's wire load counts, not that of" : NULL;
  if (choice->object.type != OBJ_PORT) return NULL;
  const PortLoad *load = constraints_find_port_load(g->constraints, choice->object.id);
  bool counted = load && (!isnan(load->fanout_number[EARLY]) || !isnan(load->fanout_number[LATE]));
  return counted ? NULL : "no set_port_fanout_number is given for";
}

static void find_wire_loads(const Graph *g, bool top, IdleList *list)
{
  const Constraints *c = g->constraints;
  for (uint32_t i = 0; i < c->wire_load_choices.len; i++) {
    const WireLoadChoice *choice = &c->wire_load_choices.at[i];
    Idle idle = { .object = choice->object,
                  .clock = NO_CLOCK,
                  .code = "GRAPH-050",
                  .problem = problem_of_load(g, choice, top) };
    if (choice->model[EARLY] != NO_WIRE_LOAD || choice->model[LATE] != NO_WIRE_LOAD)
      idle_add(list, g, choice->said_of_model, idle);
    if (choice->group[EARLY] != NO_NAME || choice->group[LATE] != NO_NAME)
      idle_add(list, g, choice->said_of_group, idle);
  }
}

/* --- fanout ------------------------------------------------ */

static bool any_fanout_limit(const Graph *g)
{
  const Constraints *c = g->constraints;
  for (uint32_t i = 0; i < c->limits[LIMIT_MAX_FANOUT].len; i++)
    if (!isnan(c->limits[LIMIT_MAX_FANOUT].at[i].value)) return true;
  for (LibraryId l = 0; l < g->libs->libraries.len; l++)
    if (!isnan(g->libs->libraries.at[l].default_max_fanout)) return true;
  for (PortId p = 0; p < g->libs->ports.len; p++)
    if (!isnan(g->libs->ports.at[p].max_fanout) || !isnan(g->libs->ports.at[p].min_fanout))
      return true;
  return false;
}

static bool has_model(const Constraints *c, PinId port)
{
  for (uint32_t i = 0; i < c->wire_load_choices.len; i++) {
    const WireLoadChoice *choice = &c->wire_load_choices.at[i];
    bool given = choice->model[EARLY] != NO_WIRE_LOAD || choice->model[LATE] != NO_WIRE_LOAD;
    if (given && choice->object.type == OBJ_PORT && choice->object.id == port) return true;
  }
  return false;
}

/* Finds fanout loads and numbers of pins behind ports without effect. Both count for limits of
   fanout, and the numbers of pins also for wire loads. */
static void find_fanouts(const Graph *g, IdleList *list)
{
  const Constraints *c = g->constraints;
  if (c->limits[LIMIT_FANOUT_LOAD].len == 0 && c->port_loads.len == 0) return;
  if (any_fanout_limit(g)) return;
  for (uint32_t i = 0; i < c->limits[LIMIT_FANOUT_LOAD].len; i++) {
    const ObjectValue *value = &c->limits[LIMIT_FANOUT_LOAD].at[i];
    if (!isnan(value->value))
      idle_add(list, g, value->said,
               (Idle){ .object = value->object,
                       .clock = NO_CLOCK,
                       .code = "GRAPH-052",
                       .problem = "there is no limit of fanout for" });
  }
  for (uint32_t i = 0; i < c->port_loads.len; i++) {
    const PortLoad *load = &c->port_loads.at[i];
    if (isnan(load->fanout_number[EARLY]) && isnan(load->fanout_number[LATE])) continue;
    bool used = has_wire_loads(c) || has_model(c, load->pin);
    idle_add(list, g, load->said_of_fanout,
             (Idle){ .object = { OBJ_PORT, load->pin },
                     .clock = NO_CLOCK,
                     .code = "GRAPH-052",
                     .problem = used ? NULL
                                     : "there is no wire load model and no limit of fanout "
                                       "for" });
  }
}

static void warn_of_wire_loads(const Graph *g, bool top, Log *log)
{
  const Constraints *c = g->constraints;
  bool blocks = c->wire_load_mode == WIRE_MODE_ENCLOSED || c->wire_load_mode == WIRE_MODE_SEGMENTED;
  if (blocks && !has_wire_loads(c))
    tell(g, log, c->said_of_wire_mode, "GRAPH-050",
         "no wire load model or selection group is given; it has no effect");
  if (c->wire_load_min_block > 0 && (top || !wire_load_by_area(c)))
    tell(g, log, c->said_of_min_block, "GRAPH-050",
         "no wire load is selected by the area of a block; it has no effect");
}

void idle_warn_conditions(const Graph *g, Log *log)
{
  IdleList list = { 0 };
  bool top = is_mode_top(g);
  warn_of_condition(g, EARLY, log);
  warn_of_condition(g, LATE, log);
  warn_of_voltage(g, log);
  find_pvts(g, &list);
  find_wire_loads(g, top, &list);
  find_fanouts(g, &list);
  idle_tell(&list, g, log);
  warn_of_wire_loads(g, top, log);
}
