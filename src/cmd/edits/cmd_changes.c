/* Commands that mark, undo, report and write edits, and that read sizes. */
#include "base/input.h"
#include "base/interrupt.h"
#include "base/output.h"
#include "cmd/report/cmd_report.h"
#include "cmd/edits/edit_command.h"

#include <ctype.h>

/* --- marks and taking back -------------------------------------------------------------------- */
static const Option mark_options[] = {
  { "name", ARG_TEXT, .help = "name of the mark; default: a new name, which the command returns" },
  { 0 }
};

static Status run_mark_edits(Session *s, Args *a)
{
  Edits *edits = command_edits(s);
  Text name = { 0 };
  uint32_t number = edits_mark_count(edits);
  if (args_given(a, "name") && *args_text(a, "name") == '\0')
    return log_error(s->log, "EDIT-036", NOWHERE, "mark_edits: the name is empty");
  if (args_given(a, "name")) text_put(&name, args_text(a, "name"));
  while (name.len == 0 || (!args_given(a, "name") && edits_since(edits, name.at) != UINT32_MAX)) {
    text_clear(&name);
    text_printf(&name, "mark%u", ++number);
  }
  edits_mark(edits, text_get(&name));
  args_return_text(a, text_get(&name));
  text_free(&name);
  return OK;
}

#define OPTION_SINCE \
  { "-since", ARG_TEXT, .value = "mark", .help = "only edits after this mark" }

/* How many edits were made behind the mark that an option names; all without. */
static Status edits_behind(Session *s, const Args *a, const char *option, uint32_t *count)
{
  Edits *edits = command_edits(s);
  *count = edits_count(edits);
  if (!args_given(a, option)) return OK;
  const char *name = args_text(a, option);
  *count = edits_since(edits, name);
  if (*count != UINT32_MAX) return OK;
  Text t = { 0 };
  for (uint32_t i = 0; i < edits_mark_count(edits); i++)
    text_printf(&t, "%s%s", i ? ", " : "; there are ", edits_mark_name(edits, i));
  log_error(s->log, "EDIT-005", NOWHERE, "%s: there is no mark '%.100s', or it was undone%s",
            args_command(a), name, text_get(&t));
  text_free(&t);
  return FAILED;
}

static const Option undo_options[] = {
  { "-count", ARG_INT, .value = "N", .help = "so many; 1 when left out", AT_LEAST(1) },
  { "-to", ARG_TEXT, .value = "mark", .help = "all edits after this mark" },
  { "-all", ARG_FLAG, .help = "all edits of the design" },
  { 0 }
};

static Status run_undo_edits(Session *s, Args *a)
{
  Edits *edits = command_edits(s);
  uint32_t there = edits_count(edits), count;
  if (args_given(a, "-count") + args_given(a, "-to") + args_flag(a, "-all") > 1)
    return log_error(s->log, "EDIT-035", NOWHERE,
                     "undo_edits: -count, -to and -all do not go together");
  if (edits_behind(s, a, "-to", &count) != OK) return FAILED;
  if (!args_given(a, "-to") && !args_flag(a, "-all"))
    count = args_given(a, "-count") ? (uint32_t)args_int(a, "-count") : 1;
  if (count > there)
    return log_error(s->log, "EDIT-004", NOWHERE,
                     "undo_edits: cannot take back %u edit%s, there %s %u", count,
                     count == 1 ? "" : "s", there == 1 ? "is" : "are", there);
  edits_undo(edits, count);
  args_return(a, Tcl_NewWideIntObj(count));
  return OK;
}

/* --- what was done ---------------------------------------------------------------------------- */
static const Option report_options[] = { OPTION_SINCE, { 0 } };

typedef struct {
  const Session *s;
  uint32_t cells;
  double   area;
} SwapSums;

static void sum_swap(void *data, const EditChange *change)
{
  SwapSums *sums = data;
  if (change->script) return;
  const LibCell *from = &sums->s->libs->cells.at[change->from],
                *to = &sums->s->libs->cells.at[change->to];
  sums->cells++;
  sums->area += (double)to->area - from->area;
}

static Status run_report_changes(Session *s, Args *a)
{
  uint32_t count;
  EditTally rows[MOST_EDIT_COMMANDS];
  if (edits_behind(s, a, "-since", &count) != OK) return FAILED;
  Edits *edits = command_edits(s);
  uint32_t first = edits_count(edits) - count, commands = edits_tally(edits, first, rows);
  Text out = { 0 };
  Grid *grid = grid_new("lrr", 0);
  grid_row(grid, "command|edits|objects");
  for (uint32_t i = 0; i < commands; i++) {
    grid_text(grid, rows[i].command);
    grid_printf(grid, "%u", rows[i].edits);
    grid_printf(grid, "%u", rows[i].steps);
  }
  grid_rule(grid);
  grid_text(grid, "all");
  grid_printf(grid, "%u", count);
  uint32_t steps = 0;
  for (uint32_t i = 0; i < commands; i++) steps += rows[i].steps;
  grid_printf(grid, "%u", steps);
  grid_finish(grid, &out);
  SwapSums sums = { .s = s };
  edits_changes(edits, first, sum_swap, &sums);
  text_printf(&out, "%u cell%s with another library cell, area %+.3f\n", sums.cells,
              sums.cells == 1 ? "" : "s", sums.area);
  for (uint32_t i = 0; i < edits_mark_count(edits); i++) {
    const char *mark = edits_mark_name(edits, i);
    text_printf(&out, "mark %s: %u edits since\n", mark, edits_since(edits, mark));
  }
  report_finish(a, &out);
  return OK;
}

/* --- write_changes ---------------------------------------------------------------------------- */
typedef struct {
  Session *s;
  Text     text;
  uint32_t left_out;               /* edits that the format cannot say */
} Writing;

static void add_script(void *data, const EditChange *change)
{
  Writing *writing = data;
  if (change->script) text_put(&writing->text, change->script);
  else {
    const LibCell *cell = &writing->s->libs->cells.at[change->to];
    Object inst = { OBJ_CELL, change->inst }, to = { OBJ_LIB_CELL, change->to };
    bool plain = library_find_cell(writing->s->libs, cell->name) == change->to;
    EditWord words[] = { edit_object(inst),
                         plain ? edit_text(names_text(writing->s->names, cell->name))
                               : edit_object(to) };
    edit_script(writing->s, "swap_cell", words, 2, &writing->text);
  }
  text_char(&writing->text, '\n');
}

/* Brackets, and backslashes themselves, have a backslash. */
static void add_size(Writing *writing, InstId inst)
{
  Text name = { 0 };
  netlist_inst_name(writing->s->netlist, inst, writing->s->separator, &name);
  for (size_t i = 0; i < name.len; i++) {
    if (strchr("[]", name.at[i]) && (i == 0 || name.at[i - 1] != '\\'))
      text_char(&writing->text, '\\');
    text_char(&writing->text, name.at[i]);
  }
  text_printf(&writing->text, " %s\n",
              names_text(writing->s->names, netlist_inst_master_name(writing->s->netlist, inst)));
  text_free(&name);
}

typedef struct {
  Writing *writing;
  Map     *first;                  /* instance -> the cell that it had first */
  ARRAY(InstId) insts;
} Sizes;

static void note_size(void *data, const EditChange *change)
{
  Sizes *sizes = data;
  if (change->script) {
    sizes->writing->left_out++;
    return;
  }
  if (map_get(sizes->first, change->inst) != MAP_NO_VALUE) return;
  map_put(sizes->first, change->inst, change->from);
  array_push(&sizes->insts, change->inst);
}

static void write_changed_sizes(Writing *writing, uint32_t first)
{
  Sizes z = { .writing = writing, .first = map_new() };
  edits_changes(command_edits(writing->s), first, note_size, &z);
  for (uint32_t i = 0; i < z.insts.len; i++) {
    const Inst *in = &writing->s->netlist->insts.at[z.insts.at[i]];
    if (!(in->flags & INST_DELETED) && map_get(z.first, z.insts.at[i]) != in->master)
      add_size(writing, z.insts.at[i]);
  }
  map_free(z.first);
  array_free(&z.insts);
}

static void write_all_sizes(Writing *writing)
{
  const Netlist *n = writing->s->netlist;
  for (InstId i = TOP_INST + 1; i < n->insts.len && !interrupt_seen(); i++)
    if (inst_is_there(n, i)) add_size(writing, i);
}

static void copy_text(void *data, uint32_t block, Text *out)
{
  const Writing *writing = data;
  (void)block;
  text_add(out, text_get(&writing->text), writing->text.len);
}

static const Option write_options[] = {
  { "-format", ARG_ENUM, .value = "tcl|sizes", .preset = "tcl",
    .help = "a script of edits; or an instance and its library cell on each line" },
  { "-all", ARG_FLAG, .help = "with sizes: all cells, not only those that were swapped" },
  OPTION_SINCE,
  { "-gzip", ARG_FLAG, .help = "compress the file, as a name that ends in .gz does" },
  { "file", ARG_FILE, .flags = OPT_REQUIRED, .help = "file to write" },
  { 0 }
};

static Status run_write_changes(Session *s, Args *a)
{
  uint32_t count;
  bool sizes = args_enum(a, "-format") == 1;
  if (edits_behind(s, a, "-since", &count) != OK) return FAILED;
  if (args_flag(a, "-all") && !sizes)
    return log_error(s->log, "EDIT-034", NOWHERE, "write_changes: -all goes with -format sizes");
  Writing w = { .s = s };
  uint32_t first = edits_count(command_edits(s)) - count;
  if (!sizes) edits_changes(command_edits(s), first, add_script, &w);
  else if (args_flag(a, "-all")) write_all_sizes(&w);
  else write_changed_sizes(&w, first);
  if (w.left_out)
    log_warning(s->log, "EDIT-030", args_where(a),
                "write_changes: %u edit%s no swap of cells, which the format sizes cannot say",
                w.left_out, w.left_out == 1 ? " is" : "s are");
  Output o = { .path = args_text(a, "file"), .blocks = 1, .threads = 1,
               .level = args_gzip(a) ? 6 : 0, .format = copy_text, .data = &w };
  Status status = output_write(&o, s->log);
  text_free(&w.text);
  return status;
}

/* --- read_sizes ------------------------------------------------------------------------------- */
static const Option read_options[] = {
  { "file", ARG_FILE, .flags = OPT_REQUIRED,
    .help = "an instance and a library cell on each line" },
  { 0 }
};

/* The next word of a line, ended with a NUL; NULL: there is none. */
static char *next_word(char **at)
{
  while (isspace((unsigned char)**at)) ++*at;
  char *word = *at;
  while (**at && !isspace((unsigned char)**at)) ++*at;
  if (*at == word) return NULL;
  if (**at) *(*at)++ = '\0';
  return word;
}

static Status take_line(Session *s, Where where, char *line, SwapList *swaps)
{
  char *at = line, *inst_name = next_word(&at), *cell_name = next_word(&at);
  if (inst_name == NULL) return OK;
  if (cell_name == NULL || next_word(&at) != NULL)
    return log_error(s->log, "EDIT-031", where,
                     "expected the name of a cell and of a library cell");
  InstId inst = netlist_find_inst(s->netlist, TOP_INST, inst_name, s->separator);
  if (inst == NO_INST)
    return log_error(s->log, "EDIT-032", where, "there is no cell '%.200s'", inst_name);
  NameId name = names_find(s->names, cell_name, strlen(cell_name));
  CellId cell = name == NO_NAME ? NO_CELL : library_find_cell(s->libs, name);
  if (cell == NO_CELL)
    return log_error(s->log, "EDIT-033", where, "there is no library cell '%.200s'", cell_name);
  if (!inst_is_leaf(s->netlist, inst) || s->netlist->insts.at[inst].master != cell)
    array_push(swaps, (Swap){ inst, cell });
  return OK;
}

static Status run_read_sizes(Session *s, Args *a)
{
  const char *path = args_text(a, "file");
  Input *in = input_open(path, s->log);
  if (in == NULL) return FAILED;
  SwapList swaps = { 0 };
  Text line = { 0 };
  Status status = OK;
  for (uint32_t number = 1; status == OK && !interrupt_seen() && input_line(in, &line); number++)
    if (line.len) status = take_line(s, (Where){ path, number, 0 }, line.at, &swaps);
  if (in->failed || interrupt_seen()) status = FAILED;
  input_close(in);
  text_free(&line);
  if (status == OK) status = swap_cells(s, "read_sizes", &swaps);
  if (status == OK) args_return(a, Tcl_NewWideIntObj(swaps.len));
  array_free(&swaps);
  return status;
}

const Command commands_changes[] = {
  { "mark_edits", "netlist edits", "mark the present state of the netlist", mark_options,
    run_mark_edits, CMD_NEEDS_DESIGN | CMD_CHANGES,
    "undo_edits -to takes back all edits after the mark. write_changes -since and report_changes "
    "-since begin after it. If the name is given again, the mark moves. A mark disappears if "
    "edits before it are taken back. Returns the name.",
    "mark_edits before_sizing\nundo_edits -to before_sizing\n" },
  { "undo_edits", "netlist edits", "take the last edits of the netlist back", undo_options,
    run_undo_edits, CMD_NEEDS_DESIGN | CMD_CHANGES,
    "An edit is what one command changed. A command that changes nothing is no edit; only "
    "size_cells always is one. Afterwards cells, nets, connections, places of cells "
    "(place_cell), parasitics and annotated delays are as they were, and timing has the same "
    "bits. Constraints on the pins of a removed cell come back, unless constraints have changed "
    "since (NET-020). Cells do not move back in a placement that was read since (EDIT-057). "
    "Returns how many edits were taken back.",
    "swap_cell exec/g1508 mux2_4l\nundo_edits\n" },
  { "report_changes", "netlist edits", "report the edits of the netlist", report_options,
    run_report_changes, CMD_NEEDS_DESIGN | CMD_REDIRECT,
    "The report has a row for each command: the number of its edits, and how many cells, nets "
    "and connections they changed. Below these rows, the report gives the number of cells that "
    "have another library cell than before, the difference in area, and the marks.",
    "report_changes\n" },
  { "write_changes", "netlist edits", "write the edits of the netlist as a script, or as sizes",
    write_options, run_write_changes, CMD_NEEDS_DESIGN,
    "The script makes the edits again, beginning with the design as it was linked, or as it was "
    "at the mark of -since. Swaps between two other edits are merged: there is one line for each "
    "cell, and none for a cell that has its old library cell again. Words that may be nets, pins "
    "or ports are written as get_nets, get_pins or get_ports with the names. The format sizes is "
    "that of the gate sizing contest of ICCAD 2024: an instance and its library cell on each "
    "line, with a backslash before brackets in names. read_sizes reads it. It can hold only "
    "swaps; if there are other edits, a message says so (EDIT-030).",
    "write_changes changes.tcl\nwrite_changes -format sizes cpu.size\n" },
  { "read_sizes", "netlist edits", "swap the cells that a file lists", read_options, run_read_sizes,
    CMD_NEEDS_DESIGN | CMD_READS,
    "Reads a file that write_changes -format sizes writes, plain or compressed. Cells that the "
    "file does not name stay. All swaps are one edit. If one line cannot be carried out, no cell "
    "is swapped. Returns how many cells have another library cell.",
    "write_changes -format sizes -all cpu.size\nread_sizes cpu.size\n" },
  { 0 }
};
