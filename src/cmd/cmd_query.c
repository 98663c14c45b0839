/* Commands that find objects: get_*, all_* and others that return objects. */
#include <string.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "tclbind/console.h"
#include "tclbind/filter.h"
#include "tclbind/match.h"
#include "tclbind/object_value.h"
#include "cmd/registers.h"

/* --- get_* ------------------------------------------------------------------------------------ */

typedef struct {
  Session    *s;
  Args       *a;
  const char *command;
  uint32_t    type;
  Match       match;
  bool        quiet;
  ObjectArray found;
  bool       *keep;           /* with -of_objects: of what was found by it, which patterns match;
                                 else NULL */
} Query;

static Status one_pattern(Query *query, const char *pattern)
{
  uint32_t before = query->found.len;
  bool any;
  if (query->keep
      && match_among(query->s, pattern, &query->match, &query->found, query->keep, &any) != OK)
    return FAILED;
  if (!query->keep
      && match_pattern(query->s, query->type, pattern, &query->match, &query->found) != OK)
    return FAILED;
  if (!(query->keep ? any : query->found.len > before) && !query->quiet)
    log_warning(query->s->log, "CMD-026", args_where(query->a), "%s: '%s' matches no %s",
                query->command, pattern, object_type_name(query->type));
  return OK;
}

static Status escaped_patterns(Query *query, Tcl_Obj *list)
{
  int count;
  Tcl_Obj **names;
  Status status = OK;
  Tcl_ListObjGetElements(NULL, list, &count, &names);
  for (int i = 0; i < count && status == OK; i++)
    status = one_pattern(query, Tcl_GetString(names[i]));
  Tcl_DecrRefCount(list);
  return status;
}

/* An element of a list may be a list itself; one that is a name as it stands, blanks and all, is
   that name. */
static bool is_name(const Query *query, const char *text)
{
  ObjectArray found = { 0 };
  bool is = !query->match.regexp && match_exact(query->s, query->type, text, &found);
  array_free(&found);
  return is;
}

static void take_object(Query *query, Object o)
{
  if (query->keep == NULL) array_push(&query->found, o);
  for (uint32_t i = 0; query->keep && i < query->found.len; i++)
    query->keep[i] |= query->found.at[i].type == o.type && query->found.at[i].id == o.id;
}

/* A word is a pattern, a list of patterns, or objects found before (which are kept when of the
   right type). */
static Status patterns_in(Query *query, Tcl_Obj *word, int depth)
{
  Object o;
  int count;
  Tcl_Obj **elements;
  ValueState state = object_of_value(query->s, word, &o);
  if (state == VALUE_STALE)
    return log_error(query->s->log, "CMD-024", NOWHERE, "%s: a %s is gone", query->command,
                     object_type_name(o.type));
  if (state == VALUE_OBJECT && o.type == query->type) {
    take_object(query, o);
    return OK;
  }
  if (!value_is_collection(word)) {
    const char *text = Tcl_GetString(word);
    bool plain = text[strcspn(text, " \t\r\n{}\"")] == '\0';
    if ((plain && *text) || (depth && is_name(query, text))) return one_pattern(query, text);
    Tcl_Obj *escaped = names_apart(word);
    if (escaped) return escaped_patterns(query, escaped);
  }
  if (depth > 20 || Tcl_ListObjGetElements(NULL, word, &count, &elements) != TCL_OK)
    return one_pattern(query, Tcl_GetString(word));
  Tcl_IncrRefCount(word);
  Status status = OK;
  for (int i = 0; i < count && status == OK && !interrupt_seen(); i++) {
    bool plain = count == 1 && elements[0]->typePtr == NULL;
    if (plain && object_of_value(query->s, elements[0], &o) == VALUE_OTHER)
      status = one_pattern(query, Tcl_GetString(elements[0]));
    else status = patterns_in(query, elements[i], depth + 1);
  }
  Tcl_DecrRefCount(word);
  return status;
}

static Status of_objects(Query *query)
{
  uint32_t count;
  const Object *of = args_objects(query->a, "-of_objects", 0, &count);
  Status status = OK;
  for (uint32_t i = 0; i < count && status == OK && !interrupt_seen(); i++)
    status =
        match_of_object(query->s, query->type, of[i], args_flag(query->a, "-leaf"), &query->found);
  return status;
}

static Status patterns(Query *query)
{
  int count = 0;
  Tcl_Obj **words = NULL;
  Tcl_ListObjGetElements(NULL, args_object(query->a, "patterns"), &count, &words);
  for (int i = 0; i < count && !interrupt_seen(); i++)
    if (patterns_in(query, words[i], 0) != OK) return FAILED;
  return OK;
}

/* With -of_objects, patterns are matched with the names of the related objects. */
static Status keep_matching(Query *query)
{
  uint32_t kept = 0;
  query->keep = mem_alloc_zero((size_t)query->found.len + 1, sizeof *query->keep);
  Status status = patterns(query);
  for (uint32_t i = 0; i < query->found.len; i++)
    if (query->keep[i]) query->found.at[kept++] = query->found.at[i];
  query->found.len = kept;
  mem_free(query->keep);
  query->keep = NULL;
  return status;
}

/* Without patterns: all objects, whatever the pattern options say; for pins, those of the cells of
   the level. */
static Status find_all(Query *query)
{
  const Match given = query->match;
  char pattern[] = { '*', given.separator, '*', '\0' };
  bool whole = given.hierarchical || query->type != OBJ_PIN;
  query->match.regexp = query->match.exact = false;
  Status status = one_pattern(query, whole ? "*" : pattern);
  query->match = given;
  return status;
}

static Status find_objects(Query *query)
{
  bool given = args_object(query->a, "patterns") != NULL;
  Status status;
  if (args_given(query->a, "-of_objects")) {
    status = of_objects(query);
    objects_unique(&query->found);
    return status == OK && given ? keep_matching(query) : status;
  }
  if (!given) return find_all(query);
  status = patterns(query);
  objects_unique(&query->found);
  return status;
}

static Status filter_found(Query *query)
{
  const char *text = args_text(query->a, "-filter");
  if (text == NULL) return OK;
  unsigned flags =
      (query->match.regexp ? FILTER_REGEXP : 0) | (query->match.nocase ? FILTER_NOCASE : 0);
  FilterUse use = { query->command, args_where(query->a), flags, OBJ_BIT(query->type) };
  Filter *filter = filter_new(query->s, text, &use);
  if (filter == NULL) return FAILED;
  Status status = filter_objects(filter, &query->found);
  filter_free(filter);
  return status;
}

static Status run_query(Session *s, Args *a, uint32_t type, const char *command)
{
  Query q = { .s = s, .a = a, .command = command, .type = type, .match = match_default(s) };
  const char *separator = args_text(a, "-hsc");
  bool of_design = type >= OBJ_DESIGN && type <= OBJ_CLOCK;
  if (of_design && s->netlist == NULL)
    return log_error(s->log, "CMD-009", NOWHERE, "%s: no design is linked", command);
  q.match.interp = console_of(s)->interp;
  q.match.hierarchical = args_flag(a, "-hierarchical");
  q.match.regexp = args_flag(a, "-regexp");
  q.match.nocase = args_flag(a, "-nocase");
  q.match.exact = args_flag(a, "-exact");
  if (separator && strlen(separator) != 1)
    return log_error(s->log, "CMD-072", NOWHERE, "%s: -hsc takes one character, not '%s'", command,
                     separator);
  if (separator) q.match.separator = *separator;
  q.quiet = args_flag(a, "-quiet");
  Status status = find_objects(&q);
  if (status == OK) status = filter_found(&q);
  if (status == OK) args_return_objects(a, q.found.at, q.found.len);
  array_free(&q.found);
  return status;
}

#define QUERY(name, type) \
  static Status run_##name(Session *s, Args *a) { return run_query(s, a, type, #name); }
QUERY(get_cells, OBJ_CELL)
QUERY(get_pins, OBJ_PIN)
QUERY(get_ports, OBJ_PORT)
QUERY(get_nets, OBJ_NET)
QUERY(get_clocks, OBJ_CLOCK)
QUERY(get_libs, OBJ_LIB)
QUERY(get_lib_cells, OBJ_LIB_CELL)
QUERY(get_lib_pins, OBJ_LIB_PIN)

#define ROWS_MATCH                                                                           \
  { "-regexp", ARG_FLAG,                                                                     \
      .help = "patterns, and texts after =~ and !~ of -filter, are regular expressions for " \
      "whole names" },                                                                       \
  { "-nocase", ARG_FLAG, .help = "ignore case, also after =~ and !~ of -filter"              \
      },                                                                                     \
  { "-exact", ARG_FLAG, .help = "wildcards in patterns are ordinary characters" },           \
  { "-quiet", ARG_FLAG, .help = "no warning for a name or pattern that matches nothing" },   \
  { "-filter", ARG_TEXT, .value = "expr",                                                    \
      .help = "keep only objects for which this expression of properties is true" }
#define ROW_PATTERNS(type, what)                                                    \
  { "patterns", ARG_LIST, .kinds = OBJ_BIT(type), .flags = OPT_REST | OPT_PATTERNS, \
      .help = "names or patterns of " what "; all when left out" }
#define ROW_HIERARCHICAL \
  { "-hierarchical", ARG_FLAG, .help = "match names at every level of the hierarchy" }
#define ROW_HSC { "-hsc", ARG_TEXT, .value = "separator", \
    .help = "hierarchy separator used in the patterns" }
#define ROW_LEAF { "-leaf", ARG_FLAG, \
    .help = "with -of_objects: return pins of leaf cells, through the hierarchy" }
#define ROW_OF(kinds_, what)                                         \
  { "-of_objects", ARG_OBJECTS, .kinds = kinds_, .flags = OPT_FEWER, \
      .help = "only those that belong to these " what }

static const Option cell_options[] = {
  ROW_HIERARCHICAL, ROW_HSC, ROWS_MATCH, ROW_LEAF,
  ROW_OF(OBJS_PORT_PIN | OBJ_BIT(OBJ_NET) | OBJ_BIT(OBJ_LIB_CELL), "pins, nets or library cells"),
  ROW_PATTERNS(OBJ_CELL, "cells"), { 0 } };
static const Option pin_options[] = { ROW_HIERARCHICAL,
                                      ROW_HSC,
                                      ROWS_MATCH,
                                      ROW_LEAF,
                                      ROW_OF(OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_NET)
                                                 | OBJ_BIT(OBJ_CLOCK) | OBJS_PORT_PIN,
                                             "cells, nets or clocks"),
                                      ROW_PATTERNS(OBJ_PIN, "pins: cell/pin"),
                                      { 0 } };
static const Option net_options[] = { ROW_HIERARCHICAL,
                                      ROW_HSC,
                                      ROWS_MATCH,
                                      ROW_OF(OBJ_BIT(OBJ_CELL) | OBJS_PORT_PIN,
                                             "cells, pins or ports"),
                                      ROW_PATTERNS(OBJ_NET, "nets"),
                                      { 0 } };
static const Option port_options[] = {
  ROWS_MATCH,
  ROW_OF(OBJ_BIT(OBJ_NET) | OBJ_BIT(OBJ_PIN) | OBJ_BIT(OBJ_CLOCK), "nets, pins or clocks"),
  ROW_PATTERNS(OBJ_PORT, "ports"),
  { 0 }
};
static const Option clock_options[] = {
  ROWS_MATCH,
  ROW_OF(OBJS_PORT_PIN, "pins or ports: defined there, else arriving there as clocks"),
  ROW_PATTERNS(OBJ_CLOCK, "clocks"),
  { 0 }
};
static const Option lib_options[] = { ROWS_MATCH,
                                      ROW_OF(OBJ_BIT(OBJ_LIB_CELL) | OBJ_BIT(OBJ_CELL),
                                             "library cells or cells"),
                                      ROW_PATTERNS(OBJ_LIB, "libraries"),
                                      { 0 } };
static const Option lib_cell_options[] = {
  ROW_HSC,
  ROWS_MATCH,
  ROW_OF(OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_PIN) | OBJ_BIT(OBJ_LIB) | OBJ_BIT(OBJ_LIB_PIN),
         "cells, pins or libraries"),
  ROW_PATTERNS(OBJ_LIB_CELL, "library cells: library/cell, or cell"),
  { 0 }
};
static const Option lib_pin_options[] = {
  ROW_HSC, ROWS_MATCH, ROW_OF(OBJ_BIT(OBJ_LIB_CELL) | OBJ_BIT(OBJ_PIN), "library cells or pins"),
  ROW_PATTERNS(OBJ_LIB_PIN, "library pins: library/cell/pin, or cell/pin"), { 0 } };

/* --- all_* ------------------------------------------------------------------------------------ */

static bool is_clock_source(const Session *s, PinId pin)
{
  for (ClockId c = 0; c < s->constraints->clocks.len; c++) {
    const Clock *clock = &s->constraints->clocks.at[c];
    for (uint32_t i = 0; i < clock->sources.len && !clock->deleted; i++)
      if (clock->sources.at[i] == pin) return true;
  }
  return false;
}

static Status ports_of_direction(Session *s, Args *a, Direction direction, bool no_clocks)
{
  const Inst *top = &s->netlist->insts.at[TOP_INST];
  ObjectArray found = { 0 };
  for (uint32_t i = 0; i < top->pin_count; i++) {
    PinId pin = top->first_pin + i;
    Direction d = netlist_pin_direction(s->netlist, pin);
    if ((d == direction || d == DIR_INOUT) && !(no_clocks && is_clock_source(s, pin)))
      array_push(&found, (Object){ OBJ_PORT, pin });
  }
  args_return_objects(a, found.at, found.len);
  array_free(&found);
  return OK;
}

static Status run_all_inputs(Session *s, Args *a)
{
  return ports_of_direction(s, a, DIR_INPUT, args_flag(a, "-no_clocks"));
}
static Status run_all_outputs(Session *s, Args *a)
{
  return ports_of_direction(s, a, DIR_OUTPUT, false);
}

static Status run_all_clocks(Session *s, Args *a)
{
  ObjectArray found = { 0 };
  for (ClockId c = 0; c < s->constraints->clocks.len; c++)
    if (!s->constraints->clocks.at[c].deleted) array_push(&found, (Object){ OBJ_CLOCK, c });
  args_return_objects(a, found.at, found.len);
  array_free(&found);
  return OK;
}

static const Option all_inputs_options[] = {
  { "-no_clocks", ARG_FLAG, .help = "leave out ports with clocks" }, { 0 } };

static const Option all_registers_options[] = {
  { "-clock", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CLOCK), .value = "clocks",
    .help = "only registers that these clocks reach" },
  { "-rise_clock", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CLOCK), .value = "clocks",
    .help = "only registers that trigger at the rising edge of these clocks" },
  { "-fall_clock", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CLOCK), .value = "clocks",
    .help = "only registers that trigger at the falling edge of these clocks" },
  { "-cells", ARG_FLAG, .help = "return the cells (the default)" },
  { "-data_pins", ARG_FLAG, .help = "return pins with setup or hold checks" },
  { "-clock_pins", ARG_FLAG, .help = "return clock and enable pins" },
  { "-async_pins", ARG_FLAG, .help = "return preset and clear pins" },
  { "-output_pins", ARG_FLAG, .help = "return outputs that the clock triggers" },
  { "-level_sensitive", ARG_FLAG, .help = "latches only" },
  { "-edge_triggered", ARG_FLAG, .help = "only flip-flops and memories" },
  { 0 }
};

static Status run_all_registers(Session *s, Args *a)
{
  RegisterQuery q = { .cells = args_flag(a, "-cells"), .data_pins = args_flag(a, "-data_pins"),
    .clock_pins = args_flag(a, "-clock_pins"), .async_pins = args_flag(a, "-async_pins"),
    .output_pins = args_flag(a, "-output_pins"), .latches = args_flag(a, "-level_sensitive"),
    .flip_flops = args_flag(a, "-edge_triggered") };
  static const char *const names[] = { "-clock", "-rise_clock", "-fall_clock" };
  static const uint8_t edges[] = { EDGE_BOTH, EDGE_RISE, EDGE_FALL };
  for (int i = 0; i < 3 && q.clocks == NULL; i++) {
    q.clocks = args_objects(a, names[i], 0, &q.clock_count);
    q.edges = edges[i];
  }
  ObjectArray found = { 0 };
  registers_find(s, &q, &found);
  args_return_objects(a, found.at, found.len);
  array_free(&found);
  return OK;
}

/* --- where we are ----------------------------------------------------------------------------- */

static const Option current_design_options[] = {
  { "design", ARG_TEXT, .help = "the design that must be the current one" }, { 0 } };

static Status run_current_design(Session *s, Args *a)
{
  const char *wanted = args_text(a, "design"), *top = names_text(s->names, s->netlist->top_name);
  if (wanted && strcmp(wanted, top) != 0)
    return log_error(s->log, "CMD-028", NOWHERE,
                     "current_design: '%s' is not the linked design; that is %s", wanted, top);
  Object o = { OBJ_DESIGN, 0 };
  args_return_objects(a, &o, 1);
  return OK;
}

static const Option current_instance_options[] = {
  { "instance", ARG_TEXT,
    .help =
        "hierarchical cell, relative to the current instance; .. is the parent; default: the top" },
  { 0 }
};

static Status run_current_instance(Session *s, Args *a)
{
  const char *path = args_text(a, "instance");
  InstId to = TOP_INST;
  if (path && strcmp(path, "..") == 0)
    to = s->current_instance == TOP_INST ? TOP_INST
                                         : s->netlist->insts.at[s->current_instance].parent;
  else if (path && strcmp(path, ".") == 0)
    to = s->current_instance;
  else if (path && *path)
    to = netlist_find_inst(s->netlist, s->current_instance, path, s->separator);
  if (to == NO_INST || inst_is_leaf(s->netlist, to))
    return log_error(s->log, "CMD-029", NOWHERE,
                     "current_instance: there is no hierarchical cell '%s'", path);
  s->current_instance = to;
  Text name = { 0 };
  if (to != TOP_INST) netlist_inst_name(s->netlist, to, s->separator, &name);
  args_return_text(a, text_get(&name));
  text_free(&name);
  return OK;
}

/* --- the table -------------------------------------------------------------------------------- */

#define GET(name, summary, options, example)                                   \
  { #name "s", "queries", summary, options, run_##name##s, 0, NULL, example }, \
  { #name, "queries", summary, options, run_##name##s, CMD_HIDDEN, NULL, NULL }

const Command commands_query[] = {
  GET(get_cell, "find cells (instances)", cell_options,
      "get_cells *\nget_cells -filter {is_sequential}\n"),
  GET(get_pin, "find pins", pin_options, "get_pins */CK\nget_pins -of_objects [get_cells *]\n"),
  GET(get_net, "find nets", net_options, "get_nets *\n"),
  GET(get_port, "find ports", port_options, "get_ports -filter {direction == input}\n"),
  GET(get_clock, "find clocks", clock_options, "get_clocks *\n"),
  GET(get_lib, "find libraries", lib_options, "get_libs *\n"),
  GET(get_lib_cell, "find library cells", lib_cell_options, "get_lib_cells *\n"),
  GET(get_lib_pin, "find library pins", lib_pin_options,
      "get_lib_pins -of_objects [get_lib_cells *]\n"),
  { "all_inputs", "queries", "input and inout ports", all_inputs_options, run_all_inputs,
    CMD_NEEDS_DESIGN, NULL, "all_inputs -no_clocks\n" },
  { "all_outputs", "queries", "output and inout ports", NULL, run_all_outputs, CMD_NEEDS_DESIGN,
    NULL, "all_outputs\n" },
  { "all_clocks", "queries", "all clocks", NULL, run_all_clocks, CMD_NEEDS_DESIGN, NULL,
    "all_clocks\n" },
  { "all_registers", "queries", "registers, or pins of registers", all_registers_options,
    run_all_registers, CMD_NEEDS_DESIGN,
    "Clocks are followed from their sources through combinational cells and clock gates, up to "
    "the sources of other clocks. Constants and disabled arcs do not stop them.",
    "all_registers -clock_pins\n" },
  { "current_design", "queries", "the linked design", current_design_options, run_current_design,
    CMD_NEEDS_DESIGN | CMD_SDC, NULL, "current_design\n" },
  { "current_instance", "queries", "set the instance to which names are relative",
    current_instance_options, run_current_instance, CMD_NEEDS_DESIGN | CMD_SDC, NULL,
    "current_instance\n" },
  { 0 }
};
