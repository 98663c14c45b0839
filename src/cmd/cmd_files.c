/* Reading and linking: libraries, netlists, parasitics, constraints. */
#include <string.h>
#include <unistd.h>

#include "cmd/console.h"
#include "cmd/object.h"
#include "engine/timer.h"
#include "read/liberty.h"
#include "read/link.h"
#include "read/spef.h"
#include "read/verilog.h"
#include "write/verilog.h"

/* --- a line about each read: what, how much, how long --------------------------------------------------- */

static double begin(void) { return console_seconds(); }

static void tell(Session *s, double started, const char *path, const char *format, ...)
{
  Text t = { 0 };
  va_list args;
  va_start(args, format);
  text_vprintf(&t, format, args);
  va_end(args);
  log_sum_up(s->log);
  log_info(s->log, "FILE-100", "%s: %s (%.2f s, %.0f MB)", path, text_get(&t), console_seconds() - started,
           (double)mem_peak() / 1e6);
  text_free(&t);
}

static const char *s_if(uint64_t count) { return count == 1 ? "" : "s"; }

static void mention_corner(Session *s, Args *a, const char *command)
{
  const char *corner = args_text(a, "-corner");
  if (corner && strcmp(corner, "default") != 0)
    log_warning(s->log, "CMD-052", args_where(a), "%s: there is one corner; what was read for '%s' is used in it", command, corner);
}

#define ROWS_MIN_MAX \
  { "-min", ARG_FLAG, .help = "for early (hold) analysis only" }, \
  { "-max", ARG_FLAG, .help = "for late (setup) analysis only" }
#define ROW_CORNER { "-corner", ARG_TEXT, .value = "name", .help = "corner that it is for" }

/* --- read_liberty ---------------------------------------------------------------------------------------------- */

static const Option liberty_options[] = {
  ROW_CORNER, ROWS_MIN_MAX,
  { "-infer_latches", ARG_FLAG, .help = "accepted; latches are told by their latch groups" },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "Liberty file, plain or gzip" }, { 0 } };

static void take_units(Session *s)
{
  if (!s->units_given && s->libs->libraries.len == 1) s->units = s->libs->libraries.at[0].units;
}

static Status run_read_liberty(Session *s, Args *a)
{
  double started = begin();
  const char *path = args_text(a, "file");
  LibertyOptions options = { .for_early = args_flag(a, "-min"), .for_late = args_flag(a, "-max"), .tally = s->liberty_unused };
  if (!options.for_early && !options.for_late) options.for_early = options.for_late = true;
  if (read_liberty(s->libs, path, &options, s->log) != OK) return FAILED;
  mention_corner(s, a, "read_liberty");
  take_units(s);
  session_drop_timer(s);
  const Library *lib = &s->libs->libraries.at[s->libs->libraries.len - 1];
  tell(s, started, path, "library %s, %u cell%s", names_text(s->names, lib->name), lib->cell_count, s_if(lib->cell_count));
  return OK;
}

/* --- read_verilog, link_design ------------------------------------------------------------------------------------ */

static const Option verilog_options[] = {
  { "files", ARG_LIST, .flags = OPT_REQUIRED | OPT_REST, .help = "structural Verilog files, plain or gzip" }, { 0 } };

static Status run_read_verilog(Session *s, Args *a)
{
  int count;
  Tcl_Obj **files;
  Tcl_ListObjGetElements(NULL, args_object(a, "files"), &count, &files);
  if (s->verilog == NULL) s->verilog = verilog_files_new(s->names);
  for (int i = 0; i < count; i++) {
    double started = begin();
    uint32_t before = verilog_module_count(s->verilog);
    if (read_verilog(s->verilog, Tcl_GetString(files[i]), s->log) != OK) return FAILED;
    uint32_t modules = verilog_module_count(s->verilog) - before;
    tell(s, started, Tcl_GetString(files[i]), "%u module%s", modules, s_if(modules));
  }
  return OK;
}

static const Option link_options[] = {
  { "-no_black_boxes", ARG_FLAG, .help = "a cell that no library has is an error" },
  { "top", ARG_TEXT, .help = "top module; the one that no other instantiates when left out" }, { 0 } };

static Status run_link_design(Session *s, Args *a)
{
  double started = begin();
  Netlist *made = NULL;
  if (s->verilog == NULL) return log_error(s->log, "CMD-050", NOWHERE, "link_design: no Verilog file was read");
  if (link_design(s->verilog, s->libs, args_text(a, "top"), !args_flag(a, "-no_black_boxes"), s->log, &made) != OK) return FAILED;
  session_set_netlist(s, made);
  tell(s, started, names_text(s->names, made->top_name), "%u cells, %u pins, %u nets", made->leaf_count, made->pins.len, made->nets.len);
  args_return_text(a, names_text(s->names, made->top_name));
  return OK;
}

/* --- read_spef ------------------------------------------------------------------------------------------------------ */

static const Option spef_options_rows[] = {
  { "-name", ARG_TEXT, .value = "name", .help = "accepted" },
  ROW_CORNER, ROWS_MIN_MAX,
  { "-path", ARG_TEXT, .value = "instance", .help = "hierarchical cell that the file's names are relative to" },
  { "-pin_cap_included", ARG_FLAG, .help = "capacitances in the file include those of pins" },
  { "-keep_capacitive_coupling", ARG_FLAG, .help = "accepted; coupling capacitors are grounded" },
  { "-coupling_reduction_factor", ARG_FLOAT, .value = "factor", .preset = "1", .help = "multiplies coupling capacitors" },
  { "-reduce", ARG_FLAG, .help = "accepted; nets are reduced when they are timed" },
  { "-reduce_to", ARG_TEXT, .flags = OPT_HIDDEN },
  { "-quiet", ARG_FLAG, .flags = OPT_HIDDEN },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "SPEF file, plain or gzip" }, { 0 } };

static Status spef_scope(Session *s, const char *command, const char *path, InstId *scope)
{
  *scope = path ? netlist_find_inst(s->netlist, TOP_INST, path, s->separator) : TOP_INST;
  if (*scope != NO_INST && (*scope == TOP_INST || !inst_is_leaf(s->netlist, *scope))) return OK;
  return log_error(s->log, "CMD-029", NOWHERE, "%s: there is no hierarchical cell '%s'", command, path);
}

#define COPY_ARRAY(to, from) \
  (array_resize(to, (from)->len), (void)((from)->len ? memcpy((to)->at, (from)->at, (size_t)(from)->len * sizeof *(to)->at) : NULL))

static Parasitics *copy_parasitics(const Parasitics *from)
{
  Parasitics *p = parasitics_new();
  COPY_ARRAY(&p->nodes, &from->nodes);
  COPY_ARRAY(&p->taps, &from->taps);
  COPY_ARRAY(&p->pieces, &from->pieces);
  COPY_ARRAY(&p->reduced, &from->reduced);
  COPY_ARRAY(&p->elmores, &from->elmores);
  COPY_ARRAY(&p->net_piece, &from->net_piece);
  COPY_ARRAY(&p->seg_piece, &from->seg_piece);
  COPY_ARRAY(&p->reads, &from->reads);
  COPY_ARRAY(&p->unused, &from->unused);
  p->dead_nodes = from->dead_nodes;
  return p;
}

/* One set of parasitics serves both analyses until -min or -max part them. */
static void part_parasitics(Session *s, bool early, bool late)
{
  if (s->parasitics[EARLY] == NULL) s->parasitics[EARLY] = s->parasitics[LATE] = parasitics_new();
  if (early != late && s->parasitics[EARLY] == s->parasitics[LATE])
    s->parasitics[late ? LATE : EARLY] = copy_parasitics(s->parasitics[EARLY]);
}

static Status read_into(Session *s, const char *path, const SpefOptions *options, bool early, bool late, SpefRead *result)
{
  part_parasitics(s, early, late);
  if (s->parasitics[EARLY] == s->parasitics[LATE]) return read_spef(s->parasitics[EARLY], s->netlist, path, options, s->log, result);
  if (early && read_spef(s->parasitics[EARLY], s->netlist, path, options, s->log, result) != OK) return FAILED;
  return late ? read_spef(s->parasitics[LATE], s->netlist, path, options, s->log, result) : OK;
}

static Status run_read_spef(Session *s, Args *a)
{
  double started = begin();
  const char *path = args_text(a, "file");
  bool early = args_flag(a, "-min"), late = args_flag(a, "-max");
  SpefOptions options = spef_options();
  SpefRead result = { 0 };
  if (!early && !late) early = late = true;
  options.coupling_factor = (float)args_number(a, "-coupling_reduction_factor");
  options.pin_cap_included = args_flag(a, "-pin_cap_included");
  if (spef_scope(s, "read_spef", args_text(a, "-path"), &options.scope) != OK) return FAILED;
  if (read_into(s, path, &options, early, late, &result) != OK) return FAILED;
  mention_corner(s, a, "read_spef");
  session_drop_timer(s);
  tell(s, started, path, "%u nets, %u annotated", result.nets, result.matched);
  return OK;
}

/* --- annotate_net --------------------------------------------------------------------------------------------------- */

static const Option annotate_options[] = {
  ROWS_MIN_MAX,
  { "-path", ARG_TEXT, .value = "instance", .help = "hierarchical cell that the names are relative to" },
  { "-pin_cap_included", ARG_FLAG, .help = "capacitances include those of pins" },
  { "-coupling_reduction_factor", ARG_FLOAT, .value = "factor", .preset = "1", .help = "multiplies coupling capacitors" },
  { "spef", ARG_TEXT, .flags = OPT_REQUIRED, .help = "text of one or more *D_NET or *R_NET sections" }, { 0 } };

/* The timer stays where the sets that it knows do. */
static void take_parasitics(Session *s, const Parasitics *fresh, bool early, bool late)
{
  bool shared = s->parasitics[EARLY] == s->parasitics[LATE];
  if (s->parasitics[EARLY] == NULL || (shared && early != late)) session_drop_timer(s);
  part_parasitics(s, early, late);
  if (early) parasitics_merge(s->parasitics[EARLY], s->netlist, fresh);
  if (late && !(early && shared)) parasitics_merge(s->parasitics[LATE], s->netlist, fresh);
  for (PieceId i = 0; s->timer && i < fresh->pieces.len; i++)
    if (!(fresh->pieces.at[i].flags & PIECE_DELETED)) timer_touch_net(s->timer, s->netlist->segs.at[fresh->pieces.at[i].seg].net);
}

static Status run_annotate_net(Session *s, Args *a)
{
  bool early = args_flag(a, "-min"), late = args_flag(a, "-max");
  SpefOptions options = spef_options();
  SpefRead result = { 0 };
  if (!early && !late) early = late = true;
  options.coupling_factor = (float)args_number(a, "-coupling_reduction_factor");
  options.pin_cap_included = args_flag(a, "-pin_cap_included");
  if (spef_scope(s, "annotate_net", args_text(a, "-path"), &options.scope) != OK) return FAILED;
  /* in a set of its own first: what was known stays when the text is bad */
  Parasitics *fresh = parasitics_new();
  Status status = read_spef_text(fresh, s->netlist, "annotate_net", args_text(a, "spef"), &options, s->log, &result);
  log_sum_up(s->log);
  if (status == OK && result.matched == 0) status = log_error(s->log, "CMD-062", NOWHERE, "annotate_net: the text has no net");
  if (status == OK) take_parasitics(s, fresh, early, late);
  parasitics_free(fresh);
  return status;
}

/* --- read_sdc -------------------------------------------------------------------------------------------------------- */

static const Option sdc_options[] = {
  { "-echo", ARG_FLAG, .help = "show each command" },
  { "-mode", ARG_TEXT, .value = "name", .help = "mode that the constraints are for" },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "SDC file, plain or gzip" }, { 0 } };

/* What an SDC file may change, so that a failure half way changes nothing. */
typedef struct {
  bool    outermost;             /* not read by another SDC file, whose state before counts */
  UnitSet units;
  bool    units_given;
  char    separator;
  InstId  instance;
} Before;

static Before sdc_begins(Session *s)
{
  Before b = { s->constraints_before == NULL, s->units, s->units_given, s->separator, s->current_instance };
  if (b.outermost) s->constraints_before = constraints_copy(s->constraints);
  return b;
}

/* link_design within the file has dropped the copy: there is nothing to go back to. */
static void sdc_ends(Session *s, const Before *b, bool failed)
{
  Constraints *copy = s->constraints_before;
  if (!b->outermost) return;
  s->constraints_before = NULL;
  if (failed) {
    s->units = b->units;
    s->units_given = b->units_given;
    s->separator = b->separator;
  }
  if (!failed || copy == NULL) {
    constraints_free(copy);
    return;
  }
  s->current_instance = b->instance;
  constraints_restore(s->constraints, copy);
}

static Status run_read_sdc(Session *s, Args *a)
{
  double started = begin();
  Console *c = console_of(s);
  const char *path = args_text(a, "file"), *mode = args_text(a, "-mode");
  if (mode && strcmp(mode, "default") != 0)
    log_warning(s->log, "CMD-053", args_where(a), "read_sdc: there is one mode; the constraints of '%s' are used in it", mode);
  uint32_t before = log_total(s->log, SEVERITY_WARNING);
  Before state = sdc_begins(s);
  int code = script_file(c, path, SCRIPT_GLOBAL | SCRIPT_SDC | (args_flag(a, "-echo") ? SCRIPT_ECHO : 0));
  uint32_t warnings = log_total(s->log, SEVERITY_WARNING) - before;
  sdc_ends(s, &state, code != TCL_OK);
  args_set_code(a, code);
  if (code == TCL_OK) tell(s, started, path, "constraints, %u warning%s", warnings, s_if(warnings));
  return OK;
}

/* --- write_verilog ------------------------------------------------------------------------------------------------------- */

static const Option write_verilog_options[] = {
  { "-include_pwr_gnd", ARG_FLAG, .flags = OPT_HIDDEN },
  { "-sort", ARG_FLAG, .flags = OPT_HIDDEN },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "file to write" }, { 0 } };

static Status run_write_verilog(Session *s, Args *a) { return write_verilog(s->netlist, args_text(a, "file"), s->log); }

const Command commands_files[] = {
  { "read_liberty", "files", "read a cell library", liberty_options, run_read_liberty, 0,
    "The first library sets the units of commands and reports. Cells of one name in several libraries: linking takes the "
    "first. With -min or -max a library serves early or late analysis alone.",
    "read_liberty slate_slow.lib.gz\n" },
  { "read_verilog", "files", "read structural Verilog", verilog_options, run_read_verilog, 0,
    "Modules are kept until link_design makes the design from them. A module that was read before is replaced, with "
    "a warning.",
    "read_verilog cpu.v\n" },
  { "link_design", "files", "make the design from the Verilog and the libraries", link_options, run_link_design, 0,
    "Replaces the linked design: its constraints and parasitics go, and objects that were found in it can no longer be used.",
    "link_design cpu\n" },
  { "read_spef", "files", "read parasitics", spef_options_rows, run_read_spef, CMD_NEEDS_DESIGN,
    "Nets that are read again are replaced. -path puts a block's file under an instance of the block.",
    "read_spef cpu.spef.gz\n" },
  { "annotate_net", "files", "give nets new parasitics", annotate_options, run_annotate_net, CMD_NEEDS_DESIGN,
    "The text is as in a SPEF file, from the first *D_NET on; header lines (*T_UNIT, *C_UNIT, *R_UNIT, *DIVIDER, *DELIMITER, a name "
    "map) may stand before it. Without them units are NS, PF and OHM. Parasitics that the nets had are replaced, those of other "
    "nets stay, and timing is brought up to date from these nets on. A text with an error changes nothing.",
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
    "The file is a Tcl script, evaluated at the global level. Commands in it that are unknown are counted warnings. "
    "After an error the constraints, units, hierarchy separator and current instance are as they were before.",
    "read_sdc cpu.sdc\n" },
  { "write_verilog", "files", "write the netlist, edits included, as Verilog", write_verilog_options, run_write_verilog, CMD_NEEDS_DESIGN,
    "The hierarchy stays: instances of one module share its text as long as no edit made them different.",
    "write_verilog cpu_edited.v\n" },
  { 0 }
};
