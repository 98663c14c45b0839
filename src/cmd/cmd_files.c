/* Commands that read libraries, netlists, parasitics and constraints, and that link the design. */
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/place/placed.h"
#include "tclbind/console.h"
#include "tclbind/tell_contradiction.h"
#include "tclbind/object_value.h"
#include "tclbind/scenarios.h"
#include "update/timer.h"
#include "db/library_match.h"
#include "db/ocv_tables.h"
#include "db/placement.h"
#include "read/liberty/liberty.h"
#include "read/link/link.h"
#include "read/spef/spef.h"
#include "read/verilog/verilog.h"
#include "write/verilog_file.h"

/* --- a line about each read: what, how much, how long ----------------------------------------- */

static double begin(void) { return clock_seconds(); }

static void tell(Session *s, double started, const char *path, const char *format, ...)
{
  Text t = { 0 };
  va_list args;
  va_start(args, format);
  text_vprintf(&t, format, args);
  va_end(args);
  log_sum_up(s->log);
  log_info(s->log, "FILE-100", "%s: %s (%.2f s, %.0f MB)", path, text_get(&t),
           clock_seconds() - started, (double)mem_peak() / 1e6);
  text_free(&t);
}

static const char *s_if(uint64_t count) { return count == 1 ? "" : "s"; }

/* Corners by their names; without the option, the current one where one is needed. */
static Status corners_asked(Session *s, Args *a, const char *command, CornerIds *out)
{
  int count;
  Tcl_Obj **words;
  if (!args_given(a, "-corner")) return OK;
  Tcl_ListObjGetElements(NULL, args_object(a, "-corner"), &count, &words);
  for (int i = 0; i < count; i++) {
    CornerId found = corner_named(s, command, Tcl_GetString(words[i]));
    if (found == NO_CORNER) return FAILED;
    array_push(out, found);
  }
  return OK;
}

static Status one_corner(Session *s, Args *a, const char *command, CornerId *out)
{
  const char *name = args_text(a, "-corner");
  *out = name ? corner_named(s, command, name) : s->corner;
  return *out == NO_CORNER ? FAILED : OK;
}

#define ROWS_MIN_MAX                                              \
  { "-min", ARG_FLAG, .help = "for early (hold) analysis only" }, \
  { "-max", ARG_FLAG, .help = "for late (setup) analysis only" }
#define ROW_CORNER { "-corner", ARG_TEXT, .value = "name", \
    .help = "corner of the parasitics; default: the current corner" }

/* --- read_liberty ----------------------------------------------------------------------------- */

static const Option liberty_options[] = {
  { "-corner", ARG_LIST, .value = "names",
    .help = "corners that use the library; default: all corners that name no library" },
  ROWS_MIN_MAX,
  { "-infer_latches", ARG_FLAG, .help = "accepted without effect: latches follow from latch "
                                        "groups" },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "Liberty file, plain or gzip" },
  { 0 }
};

static void take_units(Session *s)
{
  if (!s->units_given && s->libs->libraries.len == 1) s->units = s->libs->libraries.at[0].units;
}

/* Libraries for the same analyses.  A library for a single analysis has its effect only there. */
static bool same_analyses(const Library *a, const Library *b)
{
  return a->for_early == b->for_early && a->for_late == b->for_late && !a->of_corners
      && !b->of_corners;
}

/* A library of the same name that serves the same analyses; NO_LIBRARY: none. */
static LibraryId same_library(const LibrarySet *libs, LibraryId id)
{
  const Library *own = &libs->libraries.at[id];
  for (LibraryId l = 0; l < id; l++) {
    const Library *other = &libs->libraries.at[l];
    if (other->name == own->name && same_analyses(other, own)) return l;
  }
  return NO_LIBRARY;
}

/* The first library that serves the same analyses and has a cell of this one; NO_LIBRARY. */
static LibraryId library_with(const LibrarySet *libs, LibraryId id, NameId cell)
{
  for (LibraryId l = 0; l < id; l++)
    if (same_analyses(&libs->libraries.at[l], &libs->libraries.at[id])
        && library_find_cell_in(libs, l, cell) != NO_CELL)
      return l;
  return NO_LIBRARY;
}

/* Cells that an earlier library has as well: one message for all. */
static void warn_of_cells(Session *s, Args *a, LibraryId id)
{
  const LibrarySet *libs = s->libs;
  const Library *own = &libs->libraries.at[id];
  LibraryId first = NO_LIBRARY;
  NameId cell = NO_NAME;
  uint32_t count = 0;
  for (CellId c = own->first_cell; c < own->first_cell + own->cell_count; c++) {
    if (libs->cells.at[c].flags & CELL_SCALED) continue;
    LibraryId there = library_with(libs, id, libs->cells.at[c].name);
    if (there == NO_LIBRARY || count++) continue;
    first = there;
    cell = libs->cells.at[c].name;
  }
  if (count)
    log_warning(
        s->log, "LIB-072", args_where(a),
        "%s: %u of its cells, %s the first, are in libraries read before (%s, from %s); those are "
        "taken, these count only in corners that name the file",
        args_text(a, "file"), count, names_text(s->names, cell),
        names_text(s->names, libs->libraries.at[first].name),
        names_text(s->names, libs->libraries.at[first].file));
}

/* Names find the library that was read first, also in a file of another content. */
static void warn_of_second(Session *s, Args *a, LibraryId id)
{
  LibraryId first = same_library(s->libs, id);
  if (first == NO_LIBRARY) {
    warn_of_cells(s, a, id);
    return;
  }
  log_warning(
      s->log, "LIB-065", args_where(a),
      "%s: library %s was read before, from %s; that one counts, and this one only in corners that "
      "name its file",
      args_text(a, "file"), names_text(s->names, s->libs->libraries.at[id].name),
      names_text(s->names, s->libs->libraries.at[first].file));
}

static const char *cell_name(const Session *s, CellId cell)
{
  return names_text(s->names, s->libs->cells.at[cell].name);
}

static const char *library_name(const Session *s, CellId cell)
{
  return names_text(s->names, s->libs->libraries.at[s->libs->cells.at[cell].library].name);
}

/* "cell X (and 3 more)". */
static void put_cells(const Session *s, Text *text, const LibraryDifference *difference)
{
  text_printf(text, "cell %s", cell_name(s, difference->first));
  if (difference->cells > 1) text_printf(text, " (and %u more)", difference->cells - 1);
}

/* "pin Z" or "arc A -> Z". */
static void put_what(const Session *s, Text *text, const LibraryDifference *difference)
{
  const LibPort *ports = s->libs->ports.at;
  if (difference->from == NO_PORT)
    text_printf(text, "pin %s", names_text(s->names, ports[difference->to].name));
  else
    text_printf(text, "arc %s -> %s", names_text(s->names, ports[difference->from].name),
                names_text(s->names, ports[difference->to].name));
}

static void warn_of_conditions(Session *s, Args *a, const LibraryDifference *difference)
{
  Text t = { 0 };
  put_cells(s, &t, difference);
  text_put(&t, " has other conditions at the ");
  put_what(s, &t, difference);
  log_warning(s->log, "LIB-096", args_where(a),
              "%s: %s than library %s, which instances are linked to; arcs without a counterpart "
              "take the worst of those between the same pins",
              args_text(a, "file"), text_get(&t), library_name(s, difference->linked));
  text_free(&t);
}

static void warn_of_parts(Session *s, Args *a, const LibraryDifference *difference)
{
  Text t = { 0 };
  put_cells(s, &t, difference);
  text_put(&t, difference->only_here ? " has the " : " lacks the ");
  put_what(s, &t, difference);
  log_warning(s->log, "LIB-097", args_where(a),
              "%s: %s %s library %s, which instances are linked to; %s", args_text(a, "file"),
              text_get(&t), difference->only_here ? "and not" : "of",
              library_name(s, difference->linked),
              difference->only_here ? "it does not count" : "that library's numbers count there");
  text_free(&t);
}

/* Cells whose numbers replace those of another library, and that differ in more than numbers. */
static void warn_of_differences(Session *s, Args *a, LibraryId id)
{
  LibraryDifference conditions, parts;
  library_differences(s->libs, id, &conditions, &parts);
  if (conditions.cells) warn_of_conditions(s, a, &conditions);
  if (parts.cells) warn_of_parts(s, a, &parts);
}

/* A library's own derates by depth count at once, as those of read_ocv do. */
static void take_derates(Session *s, const char *path, LibraryId id)
{
  uint32_t tables = 0;
  for (uint32_t i = 0; i < s->libs->derates.len; i++)
    tables += s->libs->derates.at[i].library == id;
  if (tables == 0) return;
  if (s->variation == NULL) s->variation = variation_new();
  variation_add_library(s->variation, s->libs, id);
  log_info(
      s->log, "OCV-101",
      "%s: library %s has %u table%s of derates by depth (ocv_derate), which count from now on; "
      "set_ocv_options -tables off leaves them out",
      path, names_text(s->names, s->libs->libraries.at[id].name), tables, tables == 1 ? "" : "s");
}

static Status run_read_liberty(Session *s, Args *a)
{
  double started = begin();
  const char *path = args_text(a, "file");
  CornerIds corners = { 0 };
  if (corners_asked(s, a, "read_liberty", &corners) != OK) {
    array_free(&corners);
    return FAILED;
  }
  LibertyOptions options = { .for_early = args_flag(a, "-min"),
                             .for_late = args_flag(a, "-max"),
                             .tally = s->liberty_unused };
  if (!options.for_early && !options.for_late) options.for_early = options.for_late = true;
  Status status = read_liberty(s->libs, path, &options, s->log);
  for (uint32_t i = 0; i < corners.len && status == OK; i++)
    corner_add_library(s->scenarios->corners.at[corners.at[i]], s->libs->libraries.len - 1,
                       options.for_early, options.for_late);
  bool named = corners.len > 0;
  if (status == OK) s->libs->libraries.at[s->libs->libraries.len - 1].of_corners = named;
  array_free(&corners);
  if (status != OK) return FAILED;
  if (!named) warn_of_second(s, a, s->libs->libraries.len - 1);
  warn_of_differences(s, a, s->libs->libraries.len - 1);
  take_derates(s, path, s->libs->libraries.len - 1);
  take_units(s);
  session_drop_timers(s);
  const Library *lib = &s->libs->libraries.at[s->libs->libraries.len - 1];
  tell(s, started, path, "library %s, %u cell%s", names_text(s->names, lib->name), lib->cell_count,
       s_if(lib->cell_count));
  return OK;
}

/* --- read_verilog, link_design ---------------------------------------------------------------- */

static const Option verilog_options[] = { { "files", ARG_LIST, .flags = OPT_REQUIRED | OPT_REST,
                                            .help = "structural Verilog files, plain or gzip: one "
                                                    "or more words, or lists of them" },
                                          { 0 } };

static Status read_one_verilog(Session *s, const char *path)
{
  double started = begin();
  uint32_t before = verilog_module_count(s->verilog);
  if (read_verilog(s->verilog, path, s->log) != OK) return FAILED;
  uint32_t modules = verilog_module_count(s->verilog) - before;
  tell(s, started, path, "%u module%s", modules, s_if(modules));
  return OK;
}

static Status run_read_verilog(Session *s, Args *a)
{
  int count;
  Tcl_Obj **files, *list = args_files(a, "files");
  Status status = OK;
  Tcl_ListObjGetElements(NULL, list, &count, &files);
  if (s->verilog == NULL) s->verilog = verilog_files_new(s->names);
  for (int i = 0; i < count && status == OK; i++)
    status = read_one_verilog(s, Tcl_GetString(files[i]));
  Tcl_DecrRefCount(list);
  return status;
}

/* Frees what belongs to the design that another one replaces. */
static void warn_of_dropped(Session *s, Args *a, const Netlist *made)
{
  const ScenarioSet *set = s->scenarios;
  bool constraints = false, parasitics = false, annotations = false;
  for (ModeId m = 0; m < set->modes.len; m++)
    constraints |=
        set->modes.at[m].constraints && !constraints_are_empty(set->modes.at[m].constraints);
  for (ParasiticsId p = 0; p < set->parasitics.len; p++)
    parasitics |= set->parasitics.at[p].data && set->parasitics.at[p].data->reads.len;
  for (ScenarioId i = 0; i < set->scenarios.len; i++)
    annotations |= set->scenarios.at[i].annotations != NULL;
  if (s->placement && s->placement->design != made->top_name)
    log_warning(s->log, "PLACE-009", args_where(a), "the placement goes: it is of design %.80s",
                names_text(s->names, s->placement->design));
  if (!constraints && !parasitics && !annotations) return;
  log_warning(s->log, "LINK-013", args_where(a),
              "the design that was linked before goes, and with it its%s%s%s",
              constraints ? " constraints" : "",
              parasitics ? constraints ? ", parasitics" : " parasitics" : "",
              annotations ? constraints || parasitics ? ", annotated delays" : " annotated delays"
                          : "");
}

static const Option black_box_options[] = {
  { "state", ARG_ENUM, .value = "on|off", .flags = OPT_REQUIRED,
    .help = "whether link_design makes black boxes of unknown cells; on at the start" },
  { 0 } };

static Status run_set_black_boxes(Session *s, Args *a)
{
  s->no_black_boxes = args_enum(a, "state") == 1;
  return OK;
}

static const Option link_options[] = {
  { "-no_black_boxes", ARG_FLAG, .help = "treat a cell that no library has as an error" },
  { "top", ARG_TEXT, .help = "top module; default: the module that no other module instantiates" },
  { 0 }
};

static Status run_link_design(Session *s, Args *a)
{
  double started = begin();
  Netlist *made = NULL;
  if (s->verilog == NULL)
    return log_error(s->log, "CMD-050", NOWHERE, "link_design: no Verilog file was read");
  bool black_boxes = !s->no_black_boxes && !args_flag(a, "-no_black_boxes");
  if (link_design(s->verilog, s->libs, args_text(a, "top"), black_boxes, s->log, &made) != OK)
    return FAILED;
  warn_of_dropped(s, a, made);
  session_set_netlist(s, made);
  log_forget_once(s->log);
  tell(s, started, names_text(s->names, made->top_name), "%u cells, %u pins, %u nets",
       made->leaf_count, made->pins.len, made->nets.len);
  args_return_text(a, names_text(s->names, made->top_name));
  return OK;
}

/* --- read_spef -------------------------------------------------------------------------------- */

#define ROW_TYPE                               \
  { "-type", ARG_ENUM, .value = "min|typ|max", \
    .help = "member of values min:typ:max; default: min for early and max for late analysis" }

static const Option spef_options_rows[] = {
  { "-name", ARG_TEXT, .value = "name", .help = "store the parasitics under this name, for "
                                                "several corners" },
  ROW_CORNER,
  ROWS_MIN_MAX,
  { "-path", ARG_TEXT, .value = "instance",
    .help = "hierarchical cell that the file's names are relative to" },
  ROW_TYPE,
  { "-pin_cap_included", ARG_FLAG,
    .help = "the capacitances include those of pins, whatever the header of the file says" },
  { "-keep_capacitive_coupling", ARG_FLAG,
    .help = "without effect, with a warning: coupling capacitors are grounded" },
  { "-coupling_reduction_factor", ARG_FLOAT, .value = "factor", .preset = "1",
    .help = "factor on coupling capacitors, except those to *POWER_NETS and *GROUND_NETS",
    RANGE(0, 100) },
  { "-reduce", ARG_FLAG,
    .help = "without effect, with a warning: nets are reduced when they are timed" },
  { "-reduce_to", ARG_TEXT, .flags = OPT_HIDDEN },
  { "-quiet", ARG_FLAG, .flags = OPT_HIDDEN },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "SPEF file, plain or gzip" },
  { 0 }
};

static Status spef_scope(Session *s, const char *command, const char *path, InstId *scope)
{
  *scope = path ? netlist_find_inst(s->netlist, TOP_INST, path, s->separator) : TOP_INST;
  if (*scope != NO_INST && (*scope == TOP_INST || !inst_is_leaf(s->netlist, *scope))) return OK;
  return log_error(s->log, "CMD-029", NOWHERE, "%s: there is no hierarchical cell '%s'", command,
                   path);
}

void warn_of_given_wires(Session *s, const Parasitics *parasitics, const char *command)
{
  const Constraints *c = s->constraints;
  uint32_t count = 0;
  Text name = { 0 }, text = { 0 };
  for (uint32_t i = 0; i < c->net_loads.len; i++) {
    if (!constraints_gives_wires(&c->net_loads.at[i])
        || !parasitics_has(parasitics, c->net_loads.at[i].net))
      continue;
    if (count++ == 0) netlist_net_name(s->netlist, c->net_loads.at[i].net, s->separator, &name);
  }
  text_printf(
      &text,
      "%s: set_load or set_resistance count before the parasitics of %u net(s), for instance %s",
      command, count, text_get(&name));
  if (count) log_warning_once(s->log, "NET-015", text_get(&text));
  text_free(&name);
  text_free(&text);
}

/* The target of a read: a corner's own parasitics, or a set with a name. */
typedef struct {
  CornerId    corner;
  const char *name;
  bool        early, late;
  int         triple[2];         /* of triples, for early and late */
} SpefTarget;

static Status read_side(Session *s, const SpefTarget *target, int side, const char *path,
                        SpefOptions options, SpefRead *result)
{
  Parasitics *to = corner_parasitics(s->scenarios, target->corner, side);
  options.triple = target->triple[side];
  return read_spef(to, s->netlist, path, &options, s->log, result);
}

/* For a set that is only for early analysis, read after that of late analysis: all messages were
   already reported. */
static Status read_early_too(Session *s, const SpefTarget *target, const char *path,
                             SpefOptions options)
{
  Log *silent = log_new(NULL, NULL);
  options.triple = target->triple[EARLY];
  Parasitics *early = corner_parasitics(s->scenarios, target->corner, EARLY);
  Status status = read_spef(early, s->netlist, path, &options, silent, NULL);
  log_free(silent);
  if (status == OK) return OK;
  return log_error(s->log, "SPEF-042", (Where){ path, 0, 0 },
                   "interrupted; early analysis has the values of late analysis");
}

/* Returns true if both analyses need a set each. */
static bool differ(const SpefTarget *target, const SpefRead *result)
{
  return target->early && target->late && result->spread
         && target->triple[EARLY] != target->triple[LATE];
}

static Status read_own(Session *s, const SpefTarget *target, const char *path,
                       const SpefOptions *options, SpefRead *result)
{
  corner_own_parasitics(s->scenarios, target->corner, target->early, target->late);
  session_refresh(s);
  const Corner *corner = s->scenarios->corners.at[target->corner];
  bool one = corner->parasitics[EARLY] == corner->parasitics[LATE];
  if (!one && !target->late) return read_side(s, target, EARLY, path, *options, result);
  if (read_side(s, target, LATE, path, *options, result) != OK) return FAILED;
  if (one && differ(target, result)) {
    corner_own_parasitics(s->scenarios, target->corner, true, false);
    session_refresh(s);
    one = false;
  }
  return one || !target->early ? OK : read_early_too(s, target, path, *options);
}

/* A set may be used by several corners and by both analyses, whatever -min or -max says. */
static void tell_of_other_side(Session *s, const SpefTarget *target, ParasiticsId id,
                               const char *path)
{
  int other = target->early ? LATE : EARLY;
  if (target->early == target->late) return;
  for (uint32_t i = 0; i < s->scenarios->corners.len; i++) {
    const Corner *corner = s->scenarios->corners.at[i];
    if (corner == NULL || corner->parasitics[other] != id) continue;
    log_warning(s->log, "SPEF-053", (Where){ path, 0, 0 },
                "read_spef %s: the parasitics %s serve the %s analysis of corner %s too, which has "
                "the new values; expected a name that is new",
                target->early ? "-min" : "-max", target->name, other == LATE ? "late" : "early",
                names_text(s->names, corner->name));
    return;
  }
}

static Status read_named(Session *s, const SpefTarget *target, bool use, const char *path,
                         const SpefOptions *options, SpefRead *result)
{
  NameId name = names_add_text(s->names, target->name);
  ParasiticsId id = scenario_find_parasitics(s->scenarios, name);
  bool made = id == NO_PARASITICS;
  if (made) id = scenario_add_parasitics(s->scenarios, name);
  SpefOptions of_one = *options;
  of_one.triple = target->triple[target->late ? LATE : EARLY];
  if (read_spef(s->scenarios->parasitics.at[id].data, s->netlist, path, &of_one, s->log, result)
      == OK) {
    if (differ(target, result))
      log_warning(s->log, "SPEF-041", (Where){ path, 0, 0 },
                  "values min:typ:max differ, and %s serves early and late analysis: max is taken",
                  target->name);
    tell_of_other_side(s, target, id, path);
    if (use)
      corner_use_parasitics(s->scenarios, target->corner, target->early ? id : NO_PARASITICS,
                            target->late ? id : NO_PARASITICS);
    session_refresh(s);
    return OK;
  }
  if (made) scenario_remove_parasitics(s->scenarios, id);
  return FAILED;
}

static bool has_none(const Session *s, CornerId corner)
{
  const Corner *the_corner = s->scenarios->corners.at[corner];
  return the_corner->parasitics[EARLY] == NO_PARASITICS
         && the_corner->parasitics[LATE] == NO_PARASITICS;
}

/* Options that scripts of other timers have.  One message names those that change nothing here. */
static void tell_of_idle_options(Session *s, const Args *a)
{
  static const char *const idle[] = { "-keep_capacitive_coupling", "-reduce", "-reduce_to",
                                      "-quiet" };
  Text text = { 0 };
  for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
    if (args_given(a, idle[i])) text_printf(&text, "%s%s", text.len ? ", " : "", idle[i]);
  if (text.len)
    log_warning(s->log, "SPEF-050", args_where(a),
                "read_spef: no effect of %s: coupling capacitors are "
                "grounded, nets are reduced when they are timed, and messages stay",
                text_get(&text));
  text_free(&text);
}

static SpefOptions spef_options_of(const Args *a)
{
  SpefOptions options = spef_options();
  options.coupling_factor = (float)args_number(a, "-coupling_reduction_factor");
  options.pin_cap_included = args_flag(a, "-pin_cap_included");
  return options;
}

static Status spef_target(Session *s, Args *a, const char *command, SpefTarget *target)
{
  *target = (SpefTarget){ .early = args_flag(a, "-min"), .late = args_flag(a, "-max") };
  if (!target->early && !target->late) target->early = target->late = true;
  target->triple[LATE] = args_given(a, "-type") ? args_enum(a, "-type") : 2;
  target->triple[EARLY] = args_given(a, "-type") ? args_enum(a, "-type") : 0;
  return one_corner(s, a, command, &target->corner);
}

static Status run_read_spef(Session *s, Args *a)
{
  double started = begin();
  const char *path = args_text(a, "file");
  SpefTarget target;
  SpefOptions options = spef_options_of(a);
  SpefRead result = { 0 };
  if (spef_target(s, a, "read_spef", &target) != OK) return FAILED;
  tell_of_idle_options(s, a);
  if (spef_scope(s, "read_spef", args_text(a, "-path"), &options.scope) != OK) return FAILED;
  target.name = args_text(a, "-name");
  /* a set with a name waits for corners that ask for it, unless the corner has nothing yet */
  bool use = args_given(a, "-corner") || has_none(s, target.corner);
  Status status = target.name ? read_named(s, &target, use, path, &options, &result)
                              : read_own(s, &target, path, &options, &result);
  if (status != OK) return FAILED;
  placed_forget_corner(s, target.corner);
  session_drop_timers(s);
  const Parasitics *early = corner_parasitics(s->scenarios, target.corner, EARLY);
  const Parasitics *late = corner_parasitics(s->scenarios, target.corner, LATE);
  if (late) warn_of_given_wires(s, late, "read_spef");
  if (early && early != late) warn_of_given_wires(s, early, "read_spef");
  tell(s, started, path, "%u nets, %u annotated", result.nets, result.matched);
  return OK;
}

/* --- annotate_net ----------------------------------------------------------------------------- */

static const Option annotate_options[] = {
  ROW_CORNER,
  ROWS_MIN_MAX,
  { "-path", ARG_TEXT, .value = "instance",
    .help = "hierarchical cell that the names are relative to" },
  ROW_TYPE,
  { "-pin_cap_included", ARG_FLAG,
    .help = "the capacitances include those of pins, whatever a header says" },
  { "-coupling_reduction_factor", ARG_FLOAT, .value = "factor", .preset = "1",
    .help = "factor on coupling capacitors, except those to *POWER_NETS and *GROUND_NETS",
    RANGE(0, 100) },
  { "spef", ARG_TEXT, .flags = OPT_REQUIRED,
    .help = "text of one or more *D_NET or *R_NET sections" },
  { 0 }
};

static bool put_port_loads(const Parasitics *fresh, Parasitics *early, Parasitics *late)
{
  bool changed = false;
  for (uint32_t i = 0; i < fresh->port_loads.len; i++) {
    RcPortLoad load = fresh->port_loads.at[i];
    if (early) changed |= parasitics_put_port_load(early, load.port, load.cap);
    if (late) changed |= parasitics_put_port_load(late, load.port, load.cap);
  }
  return changed;
}

/* Timers stay where the sets that they know do. */
static void take_parasitics(Session *s, const Parasitics *fresh, const SpefTarget *target)
{
  ParasiticsReplaced replaced = { 0 };
  if (corner_own_parasitics(s->scenarios, target->corner, target->early, target->late))
    session_drop_timers(s);
  session_refresh(s);
  Parasitics *early = corner_parasitics(s->scenarios, target->corner, EARLY),
             *late = corner_parasitics(s->scenarios, target->corner, LATE);
  if (target->early) replaced = parasitics_merge(early, s->netlist, fresh);
  if (target->late && !(target->early && early == late))
    replaced = parasitics_merge(late, s->netlist, fresh);
  spef_tell_of_replaced(s->netlist, replaced, "annotate_net", s->log);
  if (put_port_loads(fresh, target->early ? early : NULL, target->late ? late : NULL))
    session_drop_timers(s);
  warn_of_given_wires(s, fresh, "annotate_net");
  for (ScenarioId i = 0; i < s->timers.len; i++) {
    if (s->timers.at[i] == NULL || s->scenarios->scenarios.at[i].corner != target->corner) continue;
    for (PieceId p = 0; p < fresh->pieces.len; p++)
      if (!(fresh->pieces.at[p].flags & PIECE_DELETED))
        timer_touch_net(s->timers.at[i], s->netlist->segs.at[fresh->pieces.at[p].seg].net);
  }
}

static Status read_annotation(Session *s, Args *a, SpefOptions options, Log *log, Parasitics *to)
{
  SpefRead result = { 0 };
  if (read_spef_text(to, s->netlist, "annotate_net", args_text(a, "spef"), &options, log, &result)
      != OK)
    return FAILED;
  return result.matched ? OK
                        : log_error(log, "CMD-062", NOWHERE, "annotate_net: the text has no net");
}

/* The same text with other members of its triples, for early analysis; all messages were told
   once. */
static Status annotate_early(Session *s, Args *a, SpefOptions options, SpefTarget target)
{
  Parasitics *fresh = parasitics_new();
  Log *silent = log_new(NULL, NULL);
  options.triple = target.triple[EARLY];
  target.late = false;
  Status status = read_annotation(s, a, options, silent, fresh);
  if (status == OK) take_parasitics(s, fresh, &target);
  log_free(silent);
  parasitics_free(fresh);
  return status;
}

static Status run_annotate_net(Session *s, Args *a)
{
  SpefTarget target;
  SpefOptions options = spef_options_of(a);
  if (spef_target(s, a, "annotate_net", &target) != OK) return FAILED;
  if (spef_scope(s, "annotate_net", args_text(a, "-path"), &options.scope) != OK) return FAILED;
  /* first in a separate set: if the text is wrong, the old data stays */
  Parasitics *fresh = parasitics_new();
  options.triple = target.triple[target.late ? LATE : EARLY];
  Status status = read_annotation(s, a, options, s->log, fresh);
  bool twice = status == OK && differ(&target, &fresh->reads.at[0]);
  SpefTarget first = target;
  if (twice) first.early = false;
  log_sum_up(s->log);
  if (status == OK) take_parasitics(s, fresh, &first);
  if (twice) status = annotate_early(s, a, options, target);
  parasitics_free(fresh);
  return status;
}

/* --- read_sdc --------------------------------------------------------------------------------- */

static const Option sdc_options[] = {
  { "-echo", ARG_FLAG, .help = "show each command" },
  { "-stop_on_error", ARG_FLAG,
    .help = "stop at the first error and restore everything" },
  { "-mode", ARG_TEXT, .value = "name",
    .help = "mode of the constraints, made if there is none of that name; default: the current "
            "mode" },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "SDC file, plain or gzip" },
  { 0 }
};

/* What an SDC file may change.  It is saved so that a failure half-way changes nothing. */
typedef struct {
  UnitSet units;
  bool    units_given;
  char    separator;
  InstId  instance;
  ModeId  mode;                  /* the mode that has the constraints */
  uint32_t warned;               /* warnings that are given once */
} Before;

static Before sdc_begins(Session *s)
{
  array_push(&s->constraints_before, constraints_copy(s->constraints));
  return (Before){ s->units, s->units_given, s->separator, s->current_instance, s->mode,
                   log_warned_once(s->log) };
}

/* Warnings about the file's commands may also apply to later commands with the same words, so none
   of them is suppressed. */
static void forget_messages(Session *s, const Before *before)
{
  log_forget_once_since(s->log, before->warned);
  log_sum_up(s->log);
}

/* link_design within the file has dropped the copy: there is nothing to go back to. */
static void sdc_ends(Session *s, const Before *before, bool failed)
{
  Constraints *copy = s->constraints_before.at[--s->constraints_before.len];
  if (failed) {
    s->units = before->units;
    s->units_given = before->units_given;
    s->separator = before->separator;
  }
  if (!failed || copy == NULL) {
    constraints_free(copy);
    return;
  }
  forget_messages(s, before);
  s->current_instance = before->instance;
  Constraints *c = s->scenarios->modes.at[before->mode].constraints;
  if (c) constraints_restore(c, copy);
  else constraints_free(copy);               /* the script removed the mode */
}

static unsigned sdc_flags(const Args *a)
{
  return SCRIPT_GLOBAL | SCRIPT_SDC | (args_flag(a, "-echo") ? SCRIPT_ECHO : 0)
         | (args_flag(a, "-stop_on_error") ? SCRIPT_STOP : 0);
}

/* How many of the file's commands failed, all said. */
static void sum_up_errors(Session *s, const char *path, uint32_t errors, uint32_t cut, bool lost)
{
  if (errors)
    log_warning(s->log, "SDC-130", (Where){ path, 0, 0 },
                "%u command%s failed and %s no effect%s; the rest of the file counts", errors,
                s_if(errors), errors == 1 ? "has" : "have",
                lost ? ", nor has what an open brace took" : "");
  if (cut)
    log_warning(s->log, "SDC-161", (Where){ path, 0, 0 },
                "%u of the errors ended a loop, a condition or a procedure of Tcl's half way; "
                "what it would have done after the error is not done", cut);
}

static Status run_read_sdc(Session *s, Args *a)
{
  double started = begin();
  Console *console = console_of(s);
  const char *path = args_text(a, "file");
  ScenarioPlace place = scenario_place(s);
  bool made = false;
  if (args_given(a, "-mode")) session_use_mode(s, mode_made(s, args_text(a, "-mode"), &made));
  ModeId mode = s->mode;
  uint32_t before = log_total(s->log, SEVERITY_WARNING), continued = console->continued,
           cut = console->cut, lost = console->lost;
  Before state = sdc_begins(s);
  int code = script_file(console, path, sdc_flags(a));
  sdc_ends(s, &state, code != TCL_OK);
  if (code != TCL_OK) console->done = NULL;      /* it is undone */
  contradictions_tell(s);
  if (args_given(a, "-mode")) scenario_return(s, &place);
  if (made && code != TCL_OK) session_remove_mode(s, mode);
  args_set_code(a, code);
  if (code == TCL_OK)
    sum_up_errors(s, path, console->continued - continued, console->cut - cut,
                  console->lost != lost);
  uint32_t warnings = log_total(s->log, SEVERITY_WARNING) - before;
  if (code == TCL_OK) tell(s, started, path, "constraints, %u warning%s", warnings, s_if(warnings));
  return OK;
}

/* --- write_verilog ---------------------------------------------------------------------------- */

static const Option write_verilog_options[] = {
  { "-include_pwr_gnd", ARG_FLAG,
    .help = "write the connections of power and ground pins that the Verilog had" },
  { "-sort", ARG_FLAG,
    .help = "sort instances and single nets by name; else they keep their order of appearance" },
  { "-gzip", ARG_FLAG, .help = "compress the file; so does a name that ends in .gz" },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "file to write" },
  { 0 }
};

static Status run_write_verilog(Session *s, Args *a)
{
  VerilogOptions options = { args_gzip(a), args_flag(a, "-include_pwr_gnd"),
                             args_flag(a, "-sort") };
  return write_verilog(s->netlist, &options, args_text(a, "file"), s->log);
}

const Command commands_files[] = {
  { "read_liberty", "files", "read a cell library", liberty_options, run_read_liberty, CMD_READS,
    "The first library sets the units of commands and reports. If several libraries have a cell "
    "of one name, linking uses the first library. With -min or -max a library serves only early "
    "or late analysis, and has priority there over libraries that serve both, in any order of "
    "reading. With -corner the corner takes the numbers of a cell from the first of its own "
    "libraries that has the cell.",
    "read_liberty slate_slow.lib.gz\n" },
  { "read_verilog", "files", "read structural Verilog", verilog_options, run_read_verilog,
    CMD_READS,
    "Modules are kept until link_design makes the design from them. A module that was read before "
    "is replaced, with "
    "a warning.",
    "read_verilog cpu.v\n" },
  { "link_design", "files", "make the design from Verilog modules and libraries", link_options,
    run_link_design, CMD_READS,
    "It replaces the linked design. Constraints and parasitics of the old design are removed, "
    "and its objects can no longer be used.",
    "link_design cpu\n" },
  { "set_black_boxes", "files", "set whether link_design makes black boxes of unknown cells",
    black_box_options, run_set_black_boxes, CMD_CHANGES,
    "If off, such a cell is an error, as with link_design -no_black_boxes.",
    "set_black_boxes off\nlink_design cpu\nset_black_boxes on\n" },
  { "read_spef", "files", "read parasitics", spef_options_rows, run_read_spef,
    CMD_NEEDS_DESIGN | CMD_READS,
    "A net that is read again is replaced, under any of its names. Parts of a net from the files "
    "of a block and of the level above are joined. -path reads the file of a block for an "
    "instance of it. The parasitics belong to the current corner or to that of -corner. With "
    "-name they form a set for several corners (create_corner -parasitics); a corner without "
    "parasitics uses it at once.",
    "read_spef cpu.spef.gz\n" },
  { "annotate_net", "files", "give nets new parasitics", annotate_options, run_annotate_net,
    CMD_NEEDS_DESIGN | CMD_READS,
    "The text is that of a SPEF file, beginning at the first *D_NET. Header lines (*T_UNIT, "
    "*C_UNIT, *R_UNIT, *DIVIDER, *DELIMITER, a name map) may come before it. Without them the "
    "units are NS, PF and OHM. The text replaces the parasitics of its nets, and the next update "
    "computes only what these nets reach. A text with an error changes nothing.",
    "annotate_net {\n"
    "*D_NET exec/co1492 0.012\n"
    "*CONN\n"
    "*I exec/add1492:CO O\n"
    "*I exec/add1493:CI I\n"
    "*CAP\n"
    "1 exec/co1492:1 0.012\n"
    "*RES\n"
    "1 exec/add1492:CO exec/co1492:1 40\n"
    "2 exec/co1492:1 exec/add1493:CI 25\n"
    "*END\n"
    "}\n" },
  { "read_sdc", "files", "read constraints", sdc_options, run_read_sdc, CMD_NEEDS_DESIGN,
    "The file is a Tcl script, which is evaluated at the global level. Unknown commands draw "
    "counted warnings. If a command fails, its error is reported with its line, and reading "
    "continues, also within a loop, a condition or a procedure. A warning at the end gives the "
    "number of failed commands, and the exit status of the program is 1. An error of Tcl itself "
    "ends the loop, the condition or the procedure. Within catch and try errors stay errors. "
    "With -stop_on_error the first error ends the reading. Then constraints, units, hierarchy "
    "separator and current instance are as they were before.",
    "read_sdc cpu.sdc\n" },
  { "write_verilog", "files", "write the netlist with its edits as Verilog",
    write_verilog_options, run_write_verilog, CMD_NEEDS_DESIGN,
    "The hierarchy stays: instances of one module share its text as long as no edit made them "
    "different.",
    "write_verilog cpu_edited.v\n" },
  { 0 }
};
