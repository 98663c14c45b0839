/* Commands that read LEF and DEF, write DEF, report a placement and move cells. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "cmd/edits/edit_command.h"
#include "cmd/place/placed.h"
#include "db/placement.h"
#include "read/def/def.h"
#include "read/lef/lef.h"
#include "report/report_placement.h"
#include "tclbind/console.h"
#include "tclbind/scenarios.h"
#include "tclbind/session_timing.h"
#include "write/def_file.h"

static const char *s_if(uint64_t count) { return count == 1 ? "" : "s"; }

static Status need_placement(Session *s, const char *command)
{
  if (s->placement) return OK;
  return log_error(s->log, "PLACE-010", NOWHERE, "%s: no DEF was read", command);
}

/* "name (and 3 more)" is what messages say of several. */
static const char *component_name(const Placement *placement, ComponentId id)
{
  return names_text(placement->names, placement->components.at[id].name);
}

/* --- read_lef --------------------------------------------------------------------------------- */

static const Option lef_options[] = { { "files", ARG_LIST, .flags = OPT_REQUIRED | OPT_REST,
                                        .help = "LEF files, plain or gzip: one or more words, or "
                                                "lists of them" },
                                      { 0 } };

/* In place of what was known; the placement's macros are found again. */
static void take_physical(Session *s, Physical *physical)
{
  if (s->placement) placement_use_physical(s->placement, physical);
  physical_free(s->physical);
  s->physical = physical;
}

static Physical *copy_of_physical(const Session *s)
{
  return s->physical ? physical_copy(s->physical) : physical_new(s->names);
}

static Status read_one_lef(Session *s, const char *path)
{
  double started = clock_seconds();
  LefRead got = { 0 };
  Physical *physical = copy_of_physical(s);
  if (read_lef(physical, path, s->log, &got) != OK) {
    physical_free(physical);
    return FAILED;
  }
  take_physical(s, physical);
  log_sum_up(s->log);
  log_info(s->log, "FILE-100", "%s: %u layer%s, %u site%s, %u macro%s (%.2f s, %.0f MB)", path,
           got.layers, s_if(got.layers), got.sites, s_if(got.sites), got.macros, s_if(got.macros),
           clock_seconds() - started, (double)mem_peak() / 1e6);
  return OK;
}

static Status run_read_lef(Session *s, Args *a)
{
  int count;
  Tcl_Obj **files, *list = args_files(a, "files");
  Status status = OK;
  Tcl_ListObjGetElements(NULL, list, &count, &files);
  for (int i = 0; i < count && status == OK; i++)
    status = read_one_lef(s, Tcl_GetString(files[i]));
  Tcl_DecrRefCount(list);
  return status;
}

/* --- read_def --------------------------------------------------------------------------------- */

static const Option def_options[] = {
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "DEF file, plain or gzip" }, { 0 } };

static void tell_of_macros(Session *s, const Placement *placement, Where where,
                           const PlacementMatch *match)
{
  if (match->without_macro)
    log_warning(s->log, "PLACE-001", where,
                "%u component%s no macro in LEF, %.80s (%.80s) the first: without area, and pins "
                "at the corner",
                match->without_macro, match->without_macro == 1 ? " has" : "s have",
                component_name(placement, match->first_without_macro),
                names_text(s->names, placement->components.at[match->first_without_macro].master));
}

/* Pins of nets that are not pins of their macros. */
static void tell_of_pins(Session *s, const Placement *placement, Where where)
{
  uint32_t count = 0, first = 0;
  for (uint32_t i = 0; i < placement->pins.len && !interrupt_seen(); i++) {
    const PlacedPin *pin = &placement->pins.at[i];
    if (pin->component == NO_COMPONENT || placement->components.at[pin->component].macro == NO_MACRO
        || placed_macro_pin(placement, pin) != NO_MACRO_PIN)
      continue;
    if (count++ == 0) first = i;
  }
  if (count)
    log_warning(s->log, "DEF-018", where,
                "%u pin%s of nets %s not in the macros of LEF, %.80s of %.80s the first: at the "
                "centre of the macro",
                count, s_if(count), count == 1 ? "is" : "are",
                names_text(s->names, placement->pins.at[first].pin),
                component_name(placement, placement->pins.at[first].component));
}

static void tell_of_sites(Session *s, const Placement *placement, Where where)
{
  uint32_t count = 0, first = 0;
  for (uint32_t i = 0; i < placement->rows.len; i++) {
    const Site *site = &placement->physical->sites.at[placement->rows.at[i].site];
    if (site->width > 0 && site->height > 0) continue;
    if (count++ == 0) first = placement->rows.at[i].site;
  }
  if (count)
    log_warning(s->log, "DEF-019", where,
                "%u row%s of a site that no LEF has, %.80s the first: without area", count,
                count == 1 ? " is" : "s are",
                names_text(s->names, placement->physical->sites.at[first].name));
}

/* Rows whose sites do not lie side by side by the LEF. */
static void tell_of_steps(Session *s, const Placement *placement, Where where)
{
  uint32_t count = 0, first = 0;
  for (uint32_t i = 0; i < placement->rows.len; i++) {
    const SiteRow *row = &placement->rows.at[i];
    const Site *site = &placement->physical->sites.at[row->site];
    int32_t width = orient_turns(row->orient) ? site->height : site->width;
    if (row->count_x < 2 || row->step_x == 0 || width <= 0 || row->step_x == width) continue;
    if (count++ == 0) first = i;
  }
  if (count == 0) return;
  const SiteRow *row = &placement->rows.at[first];
  const Site *site = &placement->physical->sites.at[row->site];
  log_warning(s->log, "DEF-022", where,
              "%u row%s with a step that is not the width of the site in LEF, %.*s the first: "
              "step %d, width %d of site %.80s",
              count, s_if(count), (int)row->name.length,
              text_get(&placement->source) + row->name.at, row->step_x,
              orient_turns(row->orient) ? site->height : site->width,
              names_text(s->names, site->name));
}

static void tell_of_masters(Session *s, const Placement *placement, Where where,
                            const PlacementMatch *match)
{
  if (match->other_master)
    log_warning(s->log, "PLACE-002", where,
                "%u component%s another master than in the netlist, %.80s (here %.80s) the first: "
                "the netlist's counts",
                match->other_master, match->other_master == 1 ? " has" : "s have",
                component_name(placement, match->first_other_master),
                names_text(s->names, placement->components.at[match->first_other_master].master));
}

static void tell_of_missing(Session *s, Where where, const PlacementMatch *match)
{
  Text name = { 0 };
  if (match->without_component) {
    netlist_inst_name(s->netlist, match->first_without_component, s->separator, &name);
    log_warning(s->log, "PLACE-003", where,
                "%u cell%s of the netlist %s not in the file, %.80s the first",
                match->without_component, s_if(match->without_component),
                match->without_component == 1 ? "is" : "are", text_get(&name));
  }
  text_clear(&name);
  if (match->ports_missing) {
    netlist_pin_name(s->netlist, match->first_port_missing, s->separator, &name);
    log_warning(s->log, "PLACE-004", where,
                "%u port%s of the netlist %s not in the file, %.80s the first",
                match->ports_missing, s_if(match->ports_missing),
                match->ports_missing == 1 ? "is" : "are", text_get(&name));
  }
  text_free(&name);
}

static void tell_of_match(Session *s, const Placement *placement, const PlacementMatch *match)
{
  Where where = { placement->path, 0, 0 };
  tell_of_macros(s, placement, where, match);
  tell_of_pins(s, placement, where);
  tell_of_sites(s, placement, where);
  tell_of_steps(s, placement, where);
  if (placement->netlist == NULL) return;
  if (placement->design != s->netlist->top_name)
    log_warning(s->log, "PLACE-005", where, "the file is of design %.80s, and %.80s is linked",
                names_text(s->names, placement->design),
                names_text(s->names, s->netlist->top_name));
  tell_of_masters(s, placement, where, match);
  tell_of_missing(s, where, match);
}

/* A file of another design has next to none of the netlist's cells. */
static Status check_match(Session *s, const Placement *placement, const PlacementMatch *match)
{
  uint32_t all = s->netlist ? s->netlist->leaf_count : 0;
  uint32_t found = all - match->without_component;
  if (placement->components.len == 0 || (uint64_t)found * 10 >= all) return OK;
  return log_error(s->log, "PLACE-006", (Where){ placement->path, 0, 0 },
                   "hardly any cell of the netlist is in the file: %u of %u; expected the DEF of "
                   "%.80s",
                   found, all, names_text(s->names, s->netlist->top_name));
}

static void take_placement(Session *s, Placement *placement, Physical *physical)
{
  session_set_placement(s, placement);
  physical_free(s->physical);
  s->physical = physical;
}

static Status read_with(Session *s, Physical *physical, const char *path, PlacementMatch *match)
{
  Placement *made;
  if (read_def(physical, path, s->log, &made, NULL) != OK) return FAILED;
  *match = placement_bind(made, s->netlist);
  Status status = interrupt_seen() ? log_error(s->log, "DEF-006", NOWHERE, "interrupted")
                                   : check_match(s, made, match);
  if (status == OK) take_placement(s, made, physical);
  else placement_free(made);
  return status;
}

static Status run_read_def(Session *s, Args *a)
{
  double started = clock_seconds();
  const char *path = args_text(a, "file");
  PlacementMatch match;
  Physical *physical = copy_of_physical(s);
  if (read_with(s, physical, path, &match) != OK) {
    physical_free(physical);
    return FAILED;
  }
  const Placement *placement = s->placement;
  tell_of_match(s, placement, &match);
  log_sum_up(s->log);
  log_info(s->log, "FILE-100",
           "%s: %u component%s, %u of the netlist's, %u port%s, %u net%s (%.2f s, %.0f MB)", path,
           placement->components.len, s_if(placement->components.len),
           placement->netlist ? placement->components.len - match.not_in_netlist : 0,
           placement->ports.len, s_if(placement->ports.len), placement->nets.len,
           s_if(placement->nets.len), clock_seconds() - started, (double)mem_peak() / 1e6);
  return OK;
}

/* --- write_def -------------------------------------------------------------------------------- */

static const Option write_options[] = {
  { "-gzip", ARG_FLAG, .help = "compress the file, as a name that ends in .gz does" },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "file to write" },
  { 0 }
};

/* Marks the pins of the netlist on a net that DEF has, those of leaf cells and ports, with the net.
   Returns their number. */
static uint32_t mark_pins(const Netlist *n, NetId net, NetId *net_of_pin)
{
  uint32_t count = 0;
  NetPins it = net_pins(n, net, false);
  for (PinId pin = net_pins_next(&it); pin != NO_PIN; pin = net_pins_next(&it), count++)
    net_of_pin[pin] = net;
  return count;
}

static PinId pin_in_netlist(const Placement *placement, const PlacedPin *pin)
{
  if (pin->component == NO_COMPONENT)
    return pin->pin == NO_PLACED_PORT ? NO_PIN : placement->ports.at[pin->pin].pin;
  return netlist_find_pin_of(placement->netlist, placement->components.at[pin->component].inst,
                             pin->pin);
}

/* Does a net have other pins in the netlist than in the file? Components that the netlist lacks do
   not count. net_of_pin: by pin, of nets that were looked at. */
static bool net_differs(const Placement *placement, const PlacedNet *net, NetId *net_of_pin)
{
  uint32_t marked = mark_pins(placement->netlist, net->net, net_of_pin), count = 0;
  for (uint32_t i = net->first_pin; i < net->first_pin + net->pin_count; i++) {
    const PlacedPin *pin = &placement->pins.at[i];
    if (pin->component != NO_COMPONENT && placement->components.at[pin->component].inst == NO_INST)
      continue;
    PinId there = pin_in_netlist(placement, pin);
    if (there == NO_PIN || net_of_pin[there] != net->net) return true;
    count++;
  }
  return count != marked;
}

/* Connections of the file are written as they were read. */
static void tell_of_nets(Session *s)
{
  const Placement *placement = s->placement;
  if (!placement->netlist) return;
  uint32_t count = 0, first = 0;
  NetId *net_of_pin = mem_alloc(((size_t)placement->netlist->pins.len + 1) * sizeof *net_of_pin);
  for (PinId i = 0; i < placement->netlist->pins.len; i++) net_of_pin[i] = NO_NET;
  for (PlacedNetId i = 0; i < placement->nets.len && !interrupt_seen(); i++) {
    const PlacedNet *net = &placement->nets.at[i];
    if (net->special || net->net == NO_NET || !net_differs(placement, net, net_of_pin)) continue;
    if (count++ == 0) first = i;
  }
  mem_free(net_of_pin);
  if (count)
    log_warning(s->log, "PLACE-007", NOWHERE,
                "write_def: %u net%s other pins in the netlist than in the DEF that was read, "
                "%.80s the first: they are written as they were read",
                count, count == 1 ? " has" : "s have",
                names_text(placement->names, placement->nets.at[first].name));
}

static void tell_of_cells(Session *s)
{
  const Placement *placement = s->placement;
  uint32_t count = 0;
  InstId first = NO_INST;
  for (InstId i = 1; placement->netlist && i < placement->netlist->insts.len; i++) {
    if (placement->netlist->insts.at[i].flags & (INST_DELETED | INST_HIERARCHICAL)) continue;
    if (placement_component_of(placement, i) == NO_COMPONENT && count++ == 0) first = i;
  }
  if (count == 0) return;
  Text name = { 0 };
  netlist_inst_name(placement->netlist, first, s->separator, &name);
  log_warning(s->log, "PLACE-008", NOWHERE,
              "write_def: %u cell%s of the netlist %s no place and %s not written, %.80s the first",
              count, s_if(count), count == 1 ? "has" : "have", count == 1 ? "is" : "are",
              text_get(&name));
  text_free(&name);
}

static void tell_of_gone(Session *s, const DefWritten *written)
{
  const Placement *placement = s->placement;
  if (written->gone)
    log_warning(s->log, "DEF-017", NOWHERE,
                "write_def: %u component%s of the DEF that was read %s no longer in the netlist, "
                "%.80s the first: %s as %s read",
                written->gone, s_if(written->gone), written->gone == 1 ? "is" : "are",
                names_text(placement->names, placement->components.at[written->first_gone].name),
                written->gone == 1 ? "it is written" : "they are written",
                written->gone == 1 ? "it was" : "they were");
}

static Status run_write_def(Session *s, Args *a)
{
  double started = clock_seconds();
  const char *path = args_text(a, "file");
  DefWritten w;
  if (need_placement(s, "write_def") != OK
      || write_def(s->placement, path, args_gzip(a), s->log, &w) != OK)
    return FAILED;
  tell_of_nets(s);
  tell_of_cells(s);
  tell_of_gone(s, &w);
  log_sum_up(s->log);
  log_info(s->log, "FILE-100",
           "%s: %u components, %u moved, %u with another master, %u new (%.2f s, %.0f MB)", path,
           w.components, w.moved, w.masters, w.added, clock_seconds() - started,
           (double)mem_peak() / 1e6);
  return OK;
}

/* --- report_placement ------------------------------------------------------------------------- */

static const Option report_options[] = {
  { "-nets", ARG_INT, .value = "N", .preset = "5", .help = "how many of the longest nets are shown",
    RANGE(0, 1000000) },
  { 0 }
};

static Status run_report_placement(Session *s, Args *a)
{
  Text text = { 0 };
  if (need_placement(s, "report_placement") != OK) return FAILED;
  bool done = report_placement(s->placement, s->separator, (uint32_t)args_int(a, "-nets"), &text);
  if (done) args_write(a, text_get(&text), text.len);
  text_free(&text);
  return done ? OK : log_error(s->log, "PLACE-011", NOWHERE, "report_placement: interrupted");
}

/* --- place_cell ------------------------------------------------------------------------------- */

static const Option place_options[] = {
  { "-location", ARG_LIST, .value = "{x y}", .flags = OPT_REQUIRED,
    .help = "lower left corner as the cell lies, in microns" },
  { "-orient", ARG_TEXT, .value = "orientation",
    .help = "N, S, E, W, FN, FS, FE, FW, or R0, R180, R270, R90, MY, MX, MY90, MX90; as it is when "
            "left out" },
  { "-status", ARG_ENUM, .value = "placed|fixed", .help = "as it is when left out, or placed" },
  { "cell", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL), .flags = OPT_REQUIRED, .help = "the cell" },
  { 0 }
};

/* Microns as database units; sums of them must stay within 32 bits. */
static Status coordinate(Session *s, Tcl_Obj *word, int32_t *out)
{
  double um;
  if (Tcl_GetDoubleFromObj(NULL, word, &um) != TCL_OK || !isfinite(um))
    return log_error(s->log, "PLACE-012", NOWHERE,
                     "place_cell: '%.80s' is no place, expected two numbers in microns",
                     Tcl_GetString(word));
  double units = round(um * s->physical->units);
  if (fabs(units) > 1 << 30)
    return log_error(s->log, "PLACE-012", NOWHERE,
                     "place_cell: %g microns are more than a design can have", um);
  *out = (int32_t)units;
  return OK;
}

static Status location(Session *s, Args *a, Point *at)
{
  int count;
  Tcl_Obj **words;
  Tcl_ListObjGetElements(NULL, args_object(a, "-location"), &count, &words);
  if (count != 2)
    return log_error(s->log, "PLACE-012", NOWHERE,
                     "place_cell: -location has %d words, expected two numbers in microns", count);
  return coordinate(s, words[0], &at->x) == OK ? coordinate(s, words[1], &at->y) : FAILED;
}

static Status orientation(Session *s, const Args *a, Orient *orient)
{
  const char *text = args_text(a, "-orient");
  if (text == NULL || orient_parse(text, strlen(text), orient)) return OK;
  return log_error(s->log, "PLACE-013", NOWHERE,
                   "place_cell: '%.80s' is no orientation, expected N, S, E, W, FN, FS, FE or FW",
                   text);
}

static Status one_leaf(Session *s, const Args *a, InstId *inst)
{
  uint32_t count;
  const Object *cells = args_objects(a, "cell", 0, &count);
  if (count != 1)
    return log_error(s->log, "CMD-060", NOWHERE, "place_cell: cell names %u objects, expected one",
                     count);
  *inst = cells[0].id;
  if (inst_is_leaf(s->netlist, *inst)) return OK;
  return log_error(s->log, "PLACE-014", NOWHERE,
                   "place_cell: the cell is hierarchical, expected one of a library cell");
}

static Status place(Session *s, const Args *a, InstId inst, const EditPlace *to)
{
  double units = s->physical->units;
  Text at = { 0 };
  text_printf(&at, "%.10g %.10g", to->at.x / units, to->at.y / units);
  EditWord words[] = { edit_object((Object){ OBJ_CELL, inst }), edit_text("-location"),
    edit_text(text_get(&at)), edit_text("-orient"), edit_text(orient_name(to->orient)),
    edit_text("-status"), edit_text(to->status == PLACE_FIXED ? "fixed" : "placed") };
  Edits *edits = command_edits(s);
  edits_begin(edits, "place_cell");
  edit_place(edits, s->placement, inst, to);
  uint32_t count = sizeof words / sizeof *words - (to->status == PLACE_COVER ? 2 : 0);
  Status status = end_edit(s, a, OK, words, count);
  text_free(&at);
  return status;
}

static Status run_place_cell(Session *s, Args *a)
{
  InstId inst = NO_INST;
  Point at;
  if (need_placement(s, "place_cell") != OK || one_leaf(s, a, &inst) != OK
      || location(s, a, &at) != OK)
    return FAILED;
  Placement *placement = s->placement;
  ComponentId id = placement_component_of(placement, inst);
  Orient orient = id == NO_COMPONENT ? ORIENT_N : (Orient)placement->components.at[id].orient;
  if (orientation(s, a, &orient) != OK) return FAILED;
  PlaceStatus status = id == NO_COMPONENT ? PLACE_UNPLACED
                                          : (PlaceStatus)placement->components.at[id].status;
  if (status == PLACE_UNPLACED) status = PLACE_PLACED;
  if (args_given(a, "-status")) status = args_enum(a, "-status") ? PLACE_FIXED : PLACE_PLACED;
  return place(s, a, inst, &(EditPlace){ at, orient, status });
}

/* --- the table -------------------------------------------------------------------------------- */

const Command commands_place[] = {
  { "read_lef", "placement", "read layers, sites and macros", lef_options, run_read_lef, CMD_READS,
    "A macro gives the outline of the library cell with the same name. Files are read one by "
    "one. A file with an error changes nothing; the files before it have been read. Layers and "
    "macros that are read again replace the earlier ones.",
    "read_lef slate.lef.gz\nread_lef [lsort [glob *.lef.gz]]\n" },
  { "read_def", "placement", "read where cells and ports are", def_options, run_read_def,
    CMD_READS,
    "A component and a cell of the netlist are the same if they have the same name. Warnings "
    "count where the file and the netlist differ. If a cell has another master in the file, the "
    "master of the netlist is used. The file may be read before link_design; it then belongs to "
    "the design of its name. A file that is read later replaces an earlier one.",
    "read_def cpu.def.gz\n" },
  { "write_def", "placement", "write the placement", write_options, run_write_def, 0,
    "Writes the file that was read, with the present places, orientations and masters of cells. "
    "Everything else stays as it was read.",
    "write_def cpu_moved.def\n" },
  { "report_placement", "placement", "report utilisation, wire length and violations of the "
                                     "placement",
    report_options, run_report_placement, CMD_REDIRECT,
    "Lengths are in microns. Utilisation is the area of core cells without fillers, divided by "
    "the area of the rows without the blocks on them. The length of a net is half the perimeter "
    "of the box around the centres of its pins.",
    "report_placement -nets 3\n" },
  { "place_cell", "placement", "move a cell", place_options, run_place_cell,
    CMD_NEEDS_DESIGN | CMD_CHANGES,
    "If parasitics come from the placement (estimate_parasitics), the nets of the cell are "
    "estimated again, and timing follows. The command does not look at rows and other cells; "
    "report_placement reports what is not legal. undo_edits moves the cell back; write_changes "
    "writes the move.",
    "place_cell exec/g1508 -location {10.8 21.6} -orient FS\n" },
  { 0 }
};
