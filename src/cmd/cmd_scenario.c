/* Commands for modes, corners and scenarios. */
#include <string.h>

#include "base/memory.h"
#include "tclbind/filter.h"
#include "tclbind/scenarios.h"
#include "update/timer.h"

#define ROW_NAME(text) { "name", ARG_TEXT, .flags = OPT_REQUIRED, .help = text }
#define ROW_NAMES(text) { "names", ARG_LIST, .flags = OPT_REQUIRED, .help = text }

/* --- names ------------------------------------------------------------------------------------ */

typedef enum { A_MODE, A_CORNER, A_SCENARIO } Kind;
static const char *const kind_words[] = { "mode", "corner", "scenario" };
static const char *const kind_codes[] = { "SCEN-003", "SCEN-002", "SCEN-001" };

static NameId name_of(const ScenarioSet *set, Kind kind, uint32_t id)
{
  if (kind == A_MODE) return set->modes.at[id].deleted ? NO_NAME : set->modes.at[id].name;
  if (kind == A_CORNER) return set->corners.at[id]->deleted ? NO_NAME : set->corners.at[id]->name;
  return set->scenarios.at[id].deleted ? NO_NAME : set->scenarios.at[id].name;
}

static uint32_t count_of(const ScenarioSet *set, Kind kind)
{
  return kind == A_MODE ? set->modes.len : kind == A_CORNER ? set->corners.len : set->scenarios.len;
}

static Status no_such(Session *s, const char *command, Kind kind, const char *word)
{
  uint32_t count = 0, all = count_of(s->scenarios, kind);
  const char **names = mem_alloc(sizeof *names * ((size_t)all + 1));
  for (uint32_t i = 0; i < all; i++)
    if (name_of(s->scenarios, kind, i) != NO_NAME)
      names[count++] = names_text(s->names, name_of(s->scenarios, kind, i));
  const char *near = text_nearest(word, names, count);
  log_error(s->log, kind_codes[kind], NOWHERE, "%s: there is no %s '%s'%s%s%s", command,
            kind_words[kind], word, near ? "; did you mean " : "", near ? near : "",
            near ? "?" : "");
  mem_free(names);
  return FAILED;
}

static Status find(Session *s, const char *command, Kind kind, const char *word, uint32_t *id)
{
  for (*id = 0; *id < count_of(s->scenarios, kind); ++*id) {
    NameId name = name_of(s->scenarios, kind, *id);
    if (name != NO_NAME && strcmp(names_text(s->names, name), word) == 0) return OK;
  }
  return no_such(s, command, kind, word);
}

static Status check_word(Session *s, const char *command, Kind kind, const char *word)
{
  if (*word && !strpbrk(word, " \t\n*?[]{}\\\"$;")) return OK;
  return log_error(s->log, "SCEN-005", NOWHERE,
                   "%s: '%s' is no name for a %s: it is empty or has spaces, brackets or wildcards",
                   command, word, kind_words[kind]);
}

/* A name that nothing of its kind has yet; the scenario that nobody asked for gives way. */
static Status new_name(Session *s, Args *a, const char *command, Kind kind, NameId *name)
{
  const ScenarioSet *set = s->scenarios;
  const char *word = args_text(a, "name");
  if (check_word(s, command, kind, word) != OK) return FAILED;
  *name = names_add_text(s->names, word);
  for (uint32_t i = 0; i < count_of(set, kind); i++)
    if (name_of(set, kind, i) == *name && !(kind == A_SCENARIO && set->preset))
      return log_error(s->log, "SCEN-004", NOWHERE, "%s: there is a %s '%s' already", command,
                       kind_words[kind], word);
  return OK;
}

/* --- modes ------------------------------------------------------------------------------------ */

static const Option mode_options[] = { ROW_NAME("its name"), { 0 } };

static Status run_create_mode(Session *s, Args *a)
{
  NameId name;
  if (new_name(s, a, "create_mode", A_MODE, &name) != OK) return FAILED;
  scenario_add_mode(s->scenarios, name);
  return OK;
}

static const Option current_mode_options[] = {
  { "name", ARG_TEXT, .help = "mode that becomes the current one" }, { 0 }
};

static Status run_current_mode(Session *s, Args *a)
{
  const char *word = args_text(a, "name");
  ModeId mode;
  if (word) {
    if (find(s, "current_mode", A_MODE, word, &mode) != OK) return FAILED;
    session_use_mode(s, mode);
  }
  args_return_text(a, names_text(s->names, s->scenarios->modes.at[s->mode].name));
  return OK;
}

/* --- corners ---------------------------------------------------------------------------------- */

static const Option corner_options[] = {
  { "-libraries", ARG_LIST, .value = "names",
    .help = "libraries of the corner; default: all" },
  { "-libraries_min", ARG_LIST, .value = "names", .help = "for early (hold) analysis only" },
  { "-libraries_max", ARG_LIST, .value = "names", .help = "for late (setup) analysis only" },
  { "-parasitics", ARG_TEXT, .value = "name", .help = "parasitics of read_spef -name" },
  { "-parasitics_min", ARG_TEXT, .value = "name", .help = "for early analysis only" },
  { "-parasitics_max", ARG_TEXT, .value = "name", .help = "for late analysis only" },
  ROW_NAME("its name"),
  { 0 }
};

/* The last part of a path without its endings: "lib/slow.lib.gz" -> "slow". */
static bool is_base_name(const char *path, const char *word)
{
  static const char *const endings[] = { "", ".gz", ".lib", ".lib.gz", ".spef", ".spef.gz" };
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  size_t length = strlen(word);
  if (strcmp(path, word) == 0) return true;
  if (strncmp(base, word, length) != 0) return false;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (strcmp(base + length, endings[i]) == 0) return true;
  return false;
}

/* Finds a library by its name, else by its file's name. */
static LibraryId library_named(const Session *s, const char *word)
{
  LibraryId found = library_find(s->libs, word);
  for (LibraryId l = 0; found == NO_LIBRARY && l < s->libs->libraries.len; l++) {
    NameId file = s->libs->libraries.at[l].file;
    if (file != NO_NAME && is_base_name(names_text(s->names, file), word)) found = l;
  }
  return found;
}

static Status add_libraries(Session *s, Args *a, const char *option, bool early, bool late,
                            LibraryList to[2])
{
  int count;
  Tcl_Obj **words;
  if (!args_given(a, option)) return OK;
  Tcl_ListObjGetElements(NULL, args_object(a, option), &count, &words);
  for (int i = 0; i < count; i++) {
    LibraryId l = library_named(s, Tcl_GetString(words[i]));
    if (l == NO_LIBRARY)
      return log_error(s->log, "SCEN-006", NOWHERE, "create_corner: %s: there is no library '%s'",
                       option, Tcl_GetString(words[i]));
    if (early) array_push(&to[EARLY], l);
    if (late) array_push(&to[LATE], l);
  }
  return OK;
}

/* Finds a set by name.  A set that one unnamed read made has the name of its file. */
static Status find_parasitics(Session *s, Args *a, const char *option, ParasiticsId *id)
{
  const char *word = args_text(a, option);
  ScenarioSet *set = s->scenarios;
  if (word == NULL) return OK;
  NameId name = names_add_text(s->names, word);
  /* those without a name are nobody's */
  *id = *word ? scenario_find_parasitics(set, name) : NO_PARASITICS;
  for (ParasiticsId p = 0; *word && *id == NO_PARASITICS && p < set->parasitics.len; p++) {
    const Parasitics *data = set->parasitics.at[p].data;
    if (data == NULL || set->parasitics.at[p].name != NO_NAME || data->reads.len != 1) continue;
    if (!is_base_name(names_text(s->names, data->reads.at[0].file), word)) continue;
    set->parasitics.at[p].name = name;
    *id = p;
  }
  if (*id != NO_PARASITICS) return OK;
  return log_error(s->log, "SCEN-009", NOWHERE,
                   "create_corner: %s: there are no parasitics '%s'; read_spef -name reads such",
                   option, word);
}

static Status read_corner(Session *s, Args *a, LibraryList libraries[2], ParasiticsId parasitics[2])
{
  if (add_libraries(s, a, "-libraries", true, true, libraries) != OK) return FAILED;
  if (add_libraries(s, a, "-libraries_min", true, false, libraries) != OK) return FAILED;
  if (add_libraries(s, a, "-libraries_max", false, true, libraries) != OK) return FAILED;
  if (find_parasitics(s, a, "-parasitics", &parasitics[EARLY]) != OK) return FAILED;
  parasitics[LATE] = parasitics[EARLY];
  if (find_parasitics(s, a, "-parasitics_min", &parasitics[EARLY]) != OK) return FAILED;
  return find_parasitics(s, a, "-parasitics_max", &parasitics[LATE]);
}

static Status run_create_corner(Session *s, Args *a)
{
  NameId name;
  LibraryList libraries[2] = { { 0 }, { 0 } };
  ParasiticsId parasitics[2] = { NO_PARASITICS, NO_PARASITICS };
  Status status = new_name(s, a, "create_corner", A_CORNER, &name);
  if (status == OK) status = read_corner(s, a, libraries, parasitics);
  if (status == OK) {
    CornerId c = scenario_add_corner(s->scenarios, name);
    for (int el = EARLY; el <= LATE; el++)
      for (uint32_t i = 0; i < libraries[el].len; i++)
        corner_add_library(s->scenarios->corners.at[c], libraries[el].at[i], el == EARLY,
                           el == LATE);
    corner_use_parasitics(s->scenarios, c, parasitics[EARLY], parasitics[LATE]);
  }
  array_free(&libraries[EARLY]);
  array_free(&libraries[LATE]);
  return status;
}

/* --- scenarios -------------------------------------------------------------------------------- */

static const Option scenario_options[] = {
  { "-mode", ARG_TEXT, .value = "name", .help = "mode; default: the current mode" },
  { "-corner", ARG_TEXT, .value = "name", .help = "corner; default: the current corner" },
  { "-make_mode", ARG_FLAG, .flags = OPT_HIDDEN },        /* for commands of other timers, whose
                                                             modes are made at their first use */
  ROW_NAME("its name"), { 0 } };

/* Returns the mode that -mode names.  With -make_mode it may be new: NO_MODE until it is made. */
static Status mode_of(Session *s, Args *a, const char *word, ModeId *mode)
{
  *mode = s->mode;
  if (word == NULL) return OK;
  NameId name = names_find(s->names, word, strlen(word));
  *mode = name == NO_NAME ? NO_MODE : scenario_find_mode(s->scenarios, name);
  if (*mode != NO_MODE) return OK;
  return args_flag(a, "-make_mode") ? check_word(s, "create_scenario", A_MODE, word)
                                    : no_such(s, "create_scenario", A_MODE, word);
}

static ModeId make_mode(Session *s, Args *a, const char *word)
{
  log_warning(s->log, "SCEN-013", args_where(a),
              "there is no mode '%s'; it is made, without constraints", word);
  return scenario_add_mode(s->scenarios, names_add_text(s->names, word));
}

static Status run_create_scenario(Session *s, Args *a)
{
  NameId name;
  ModeId mode;
  CornerId corner = s->corner;
  const char *mode_word = args_text(a, "-mode"), *corner_word = args_text(a, "-corner");
  if (new_name(s, a, "create_scenario", A_SCENARIO, &name) != OK) return FAILED;
  if (mode_of(s, a, mode_word, &mode) != OK) return FAILED;
  if (corner_word && find(s, "create_scenario", A_CORNER, corner_word, &corner) != OK)
    return FAILED;
  if (mode == NO_MODE) mode = make_mode(s, a, mode_word);
  if (s->scenarios->preset) session_drop_timers(s);
  bool first = s->scenarios->preset;
  ScenarioId id = scenario_add(s->scenarios, name, mode, corner);
  if (first || (s->scenario == NO_SCENARIO && s->mode == mode)) session_use_scenario(s, id);
  return OK;
}

static const Option current_options[] = {
  { "name", ARG_TEXT, .help = "scenario that becomes the current one" }, { 0 }
};

static Status run_current_scenario(Session *s, Args *a)
{
  const char *word = args_text(a, "name");
  ScenarioId id;
  if (word) {
    if (find(s, "current_scenario", A_SCENARIO, word, &id) != OK) return FAILED;
    session_use_scenario(s, id);
  }
  args_return_text(a, s->scenario == NO_SCENARIO ? "" : scenario_name(s, s->scenario));
  return OK;
}

/* --- lists ------------------------------------------------------------------------------------ */

#define ROWS_LIST                                                                                \
  { "-filter", ARG_TEXT, .value = "expr",                                                        \
      .help = "only those for which this expression of properties is true" },                    \
  { "patterns", ARG_LIST, .flags = OPT_PATTERNS, .help = "only names that match one of these" }, \
      { 0 }

static bool is_asked(const Session *s, const Args *a, Object o)
{
  int count;
  Tcl_Obj **words;
  NameId name = scenario_object_name(s->scenarios, o);
  if (name == NO_NAME || !args_given(a, "patterns")) return name != NO_NAME;
  if (Tcl_ListObjGetElements(NULL, args_object(a, "patterns"), &count, &words) != TCL_OK)
    return false;
  for (int i = 0; i < count; i++)
    if (Tcl_StringMatch(names_text(s->names, name), Tcl_GetString(words[i]))) return true;
  return false;
}

static Status filter_asked(Session *s, const Args *a, uint32_t type, ObjectArray *objects)
{
  if (!args_given(a, "-filter")) return OK;
  FilterUse use = { "all_scenarios", args_where(a), 0, OBJ_BIT(type) };
  if (type != OBJ_SCENARIO) use.command = type == OBJ_MODE ? "all_modes" : "all_corners";
  Filter *filter = filter_new(s, args_text(a, "-filter"), &use);
  Status status = filter ? filter_objects(filter, objects) : FAILED;
  filter_free(filter);
  return status;
}

/* The names of those that the pattern and the filter leave. */
static Status return_names(Session *s, Args *a, uint32_t type, ObjectArray *objects)
{
  Status status = filter_asked(s, a, type, objects);
  Tcl_Obj *list = Tcl_NewListObj(0, NULL);
  for (uint32_t i = 0; status == OK && i < objects->len; i++)
    Tcl_ListObjAppendElement(
        NULL, list,
        Tcl_NewStringObj(names_text(s->names, scenario_object_name(s->scenarios, objects->at[i])),
                         -1));
  args_return(a, list);
  array_free(objects);
  return status;
}

static Status all_of(Session *s, Args *a, uint32_t type)
{
  ObjectArray objects = { 0 };
  for (uint32_t i = 0; i < scenario_object_count(s->scenarios, type); i++)
    if (is_asked(s, a, (Object){ type, i })) array_push(&objects, ((Object){ type, i }));
  return return_names(s, a, type, &objects);
}

static const Option list_options[] = { ROWS_LIST };

static Status run_all_modes(Session *s, Args *a) { return all_of(s, a, OBJ_MODE); }
static Status run_all_corners(Session *s, Args *a) { return all_of(s, a, OBJ_CORNER); }

static const Option all_options[] = {
  { "-mode", ARG_TEXT, .value = "name", .help = "only those of this mode" },
  { "-corner", ARG_TEXT, .value = "name", .help = "only those of this corner" }, ROWS_LIST };

static Status run_all_scenarios(Session *s, Args *a)
{
  ModeId mode = NO_MODE;
  CornerId corner = NO_CORNER;
  ObjectArray objects = { 0 };
  if (args_given(a, "-mode")
      && (mode = mode_named(s, "all_scenarios", args_text(a, "-mode"))) == NO_MODE)
    return FAILED;
  if (args_given(a, "-corner")
      && (corner = corner_named(s, "all_scenarios", args_text(a, "-corner"))) == NO_CORNER)
    return FAILED;
  for (ScenarioId i = 0; i < s->scenarios->scenarios.len; i++) {
    const Scenario *sc = &s->scenarios->scenarios.at[i];
    if ((mode != NO_MODE && sc->mode != mode) || (corner != NO_CORNER && sc->corner != corner))
      continue;
    if (is_asked(s, a, (Object){ OBJ_SCENARIO, i }))
      array_push(&objects, ((Object){ OBJ_SCENARIO, i }));
  }
  return return_names(s, a, OBJ_SCENARIO, &objects);
}

/* --- removing --------------------------------------------------------------------------------- */

static const Option remove_options[] = { ROW_NAMES("names"), { 0 } };

typedef ARRAY(uint32_t) Ids;

static Status ids_of(Session *s, Args *a, const char *command, Kind kind, Ids *out)
{
  int count;
  Tcl_Obj **words;
  Tcl_ListObjGetElements(NULL, args_object(a, "names"), &count, &words);
  for (int i = 0; i < count; i++) {
    uint32_t id;
    if (find(s, command, kind, Tcl_GetString(words[i]), &id) != OK) return FAILED;
    bool known = false;
    for (uint32_t k = 0; k < out->len; k++) known |= out->at[k] == id;
    if (!known) array_push(out, id);
  }
  return OK;
}

static Status in_use(Session *s, const char *command, Kind kind, uint32_t id)
{
  ScenarioId user = kind == A_MODE ? scenario_first(s->scenarios, id, NO_CORNER)
                                   : scenario_first(s->scenarios, NO_MODE, id);
  if (user == NO_SCENARIO) return OK;
  return log_error(s->log, "SCEN-010", NOWHERE,
                   "%s: %s %s is that of scenario %s; remove the scenario first", command,
                   kind_words[kind], names_text(s->names, name_of(s->scenarios, kind, id)),
                   scenario_name(s, user));
}

static Status may_remove(Session *s, const char *command, Kind kind, const Ids *ids)
{
  if (kind == A_SCENARIO && ids->len >= scenario_count(s->scenarios))
    return log_error(s->log, "SCEN-011", NOWHERE, "%s: one scenario must stay", command);
  for (uint32_t i = 0; i < ids->len && kind != A_SCENARIO; i++)
    if (in_use(s, command, kind, ids->at[i]) != OK) return FAILED;
  return OK;
}

static void remove_corner(Session *s, CornerId corner)
{
  scenario_remove_corner(s->scenarios, corner);
  if (s->corner == corner)
    session_use_scenario(s, scenario_first(s->scenarios, NO_MODE, NO_CORNER));
}

/* All or none. */
static Status remove_all(Session *s, Args *a, const char *command, Kind kind)
{
  Ids ids = { 0 };
  Status status = ids_of(s, a, command, kind, &ids);
  if (status == OK) status = may_remove(s, command, kind, &ids);
  for (uint32_t i = 0; i < ids.len && status == OK; i++) {
    if (kind == A_MODE) session_remove_mode(s, ids.at[i]);
    else if (kind == A_CORNER) remove_corner(s, ids.at[i]);
    else session_remove_scenario(s, ids.at[i]);
  }
  array_free(&ids);
  return status;
}

static Status run_remove_mode(Session *s, Args *a)
{
  return remove_all(s, a, "remove_mode", A_MODE);
}
static Status run_remove_corner(Session *s, Args *a)
{
  return remove_all(s, a, "remove_corner", A_CORNER);
}
static Status run_remove_scenario(Session *s, Args *a)
{
  return remove_all(s, a, "remove_scenario", A_SCENARIO);
}

const Command commands_scenario[] = {
  { "create_mode", "scenarios", "make a mode: a set of constraints", mode_options, run_create_mode,
    CMD_CHANGES,
    "A new mode has no constraints. Add them with read_sdc -mode, or with current_mode and "
    "constraint commands. A mode is timed once a scenario has it.",
    "create_mode test\n" },
  { "create_corner", "scenarios", "make a corner: libraries and parasitics", corner_options,
    run_create_corner, CMD_CHANGES,
    "A cell takes its numbers (delays, checks, capacitances) from the cell of the same name in "
    "the corner's libraries. The arcs are those of the library that the design is linked to; its "
    "numbers also serve cells that the corner's libraries do not have (SCEN-008). A library is "
    "named by its own name or by that of its file. read_liberty -corner and read_spef -corner "
    "can add to a corner later.",
    "create_corner warm -libraries slate_slow\n" },
  { "create_scenario", "scenarios", "make a scenario: a mode in a corner", scenario_options,
    run_create_scenario, CMD_CHANGES,
    "At first there is the scenario 'default', of the mode and the corner of that name.  The "
    "first new scenario replaces it and becomes the current one.  Reports show the worst over "
    "all scenarios, or each scenario, unless -scenarios names some.",
    "create_scenario func\ncreate_scenario test_warm -mode test -corner warm\nreport_wns "
    "-scenarios func\n" },
  { "current_scenario", "scenarios", "return or set the "
                                     "current scenario", current_options, run_current_scenario,
    CMD_CHANGES,
    "Its mode and corner become the current ones. Constraint commands, read_sdc, read_spef and "
    "annotate_net apply to them.",
    "current_scenario func\n" },
  { "current_mode", "scenarios", "return or set the "
                                 "current mode", current_mode_options, run_current_mode,
    CMD_CHANGES,
    "Constraint commands and get_clocks apply to the current mode. The current scenario becomes "
    "one of the mode, in the current corner if possible.",
    "current_mode\n" },
  { "all_scenarios", "scenarios", "names of the scenarios", all_options, run_all_scenarios, 0,
    "list_properties scenario lists the properties for filters.",
    "all_scenarios -mode default\nall_scenarios -filter {corner == default && wns_max < 0}\n" },
  { "all_modes", "scenarios", "names of the modes", list_options, run_all_modes, 0, NULL,
    "all_modes\n" },
  { "all_corners", "scenarios", "names of the corners", list_options, run_all_corners, 0, NULL,
    "all_corners\n" },
  { "remove_scenario", "scenarios", "remove scenarios", remove_options, run_remove_scenario,
    CMD_CHANGES,
    "One scenario must stay. If the current one is removed, the first of the others becomes "
    "current.",
    "remove_scenario test_warm\n" },
  { "remove_mode", "scenarios", "remove modes with their constraints", remove_options,
    run_remove_mode, CMD_CHANGES, "No scenario may use the mode.", "remove_mode test\n" },
  { "remove_corner", "scenarios", "remove corners", remove_options, run_remove_corner, CMD_CHANGES,
    "No scenario may use the corner. Named parasitics stay.",
    "create_corner cold\nremove_corner cold\n" },
  { 0 }
};
