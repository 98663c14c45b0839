/* Commands for on-chip variation: derates by depth and distance, coefficients of sigma, options. */
#include <math.h>

#include "cmd/report/cmd_report.h"
#include "tclbind/match.h"
#include "tclbind/object_value.h"
#include "sdc/sdc_command.h"
#include "read/ocv_file.h"
#include "report/report_ocv.h"

static Variation *variation_of(Session *s)
{
  if (s->variation == NULL) s->variation = variation_new();
  return s->variation;
}

/* --- read_ocv --------------------------------------------------------------------------------- */
static const Option read_options[] = { { "file", ARG_FILE, .flags = OPT_REQUIRED,
                                         .help = "tables or coefficients, plain or gzip" },
                                       { 0 } };

/* One pattern of a group's object_spec. */
static Status add_pattern(Session *s, uint32_t type, const char *pattern, ObjectArray *out)
{
  if (type == OBJ_DESIGN) {
    if (text_glob(pattern, names_text(s->names, s->netlist->top_name), false, true))
      array_push(out, (Object){ OBJ_DESIGN, 0 });
    return OK;
  }
  Match m = match_default(s);
  m.scope = TOP_INST;
  return match_pattern(s, type, pattern, &m, out);
}

/* Patterns are parted by space; braces and quotes around lists say nothing more. */
static Status find_objects(Session *s, uint32_t type, const char *spec, ObjectArray *out)
{
  static const char parting[] = " \t,{}\"";
  Status status = OK;
  Text word = { 0 };
  if (spec[strspn(spec, parting)] == '\0') spec = type == OBJ_LIB_CELL ? "*/*" : "*";
  for (const char *p = spec; status == OK && *(p += strspn(p, parting));) {
    size_t length = strcspn(p, parting);
    text_clear(&word);
    text_add(&word, p, length);
    status = add_pattern(s, type, text_get(&word), out);
    p += length;
  }
  text_free(&word);
  objects_unique(out);
  return status;
}

/* Into the store: the group's table, and a use for each object. */
static Status take_group(Session *s, const OcvFile *file, const OcvGroup *group, uint32_t *objects)
{
  ObjectArray found = { 0 };
  const char *spec = file->specs.at + group->spec;
  Status status = find_objects(s, group->object_type, spec, &found);
  if (status == OK && found.len == 0)
    log_warning(s->log, "OCV-008", group->where,
                "object_spec \"%s\" names nothing; its table is left out", spec);
  if (status == OK && found.len) {
    const float *distances = file->values.at + group->table.first,
                *depths = distances + group->table.distance_count;
    if (group->table.distance_count > 1 && s->placement == NULL)
      log_warning(s->log, "OCV-009", group->where,
                  "no cell is placed: until read_def, the table counts at distance 0");
    uint32_t table = variation_add_table(s->variation, group->table, distances, depths,
                                         depths + group->table.depth_count);
    for (uint32_t i = 0; i < found.len; i++) variation_use(s->variation, found.at[i], table);
  }
  *objects += found.len;
  array_free(&found);
  return status;
}

static Status run_read_ocv(Session *s, Args *a)
{
  const char *path = args_text(a, "file");
  OcvFile file;
  uint32_t objects = 0;
  Status status = read_ocv(path, s->log, &file);
  variation_of(s);
  for (uint32_t i = 0; status == OK && i < file.groups.len; i++)
    status = take_group(s, &file, &file.groups.at[i], &objects);
  log_sum_up(s->log);
  if (status == OK)
    log_info(s->log, "OCV-100", "%s: %u table%s for %u object%s", path, file.groups.len,
             file.groups.len == 1 ? "" : "s", objects, objects == 1 ? "" : "s");
  ocv_file_free(&file);
  return status;
}

/* --- set_ocv_coefficient ---------------------------------------------------------------------- */
#define KINDS_OCV (OBJ_BIT(OBJ_DESIGN) | OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_NET) | \
    OBJ_BIT(OBJ_LIB_CELL))

static const Option coefficient_options[] = {
  { "-early", ARG_FLAG, .help = "early delays only" },
  { "-late", ARG_FLAG, .help = "late delays only" },
  ROWS_RISE_FALL,
  { "-clock", ARG_FLAG, .help = "clock paths only" },
  { "-data", ARG_FLAG, .help = "data paths only" },
  { "-net_delay", ARG_FLAG, .help = "delays of nets" },
  { "-cell_delay", ARG_FLAG,
    .help = "delays of cells; default: delays of cells and nets" },
  { "coefficient", ARG_FLOAT, .value = "part", .flags = OPT_REQUIRED,
    .help = "sigma divided by the delay, for example 0.05" },
  ROW_OBJECTS("objects", KINDS_OCV, 0, "cells, blocks, library cells or nets; default: the design"),
  ROW_END
};

/* Bits for two flags; none means both. */
static uint8_t two_flags(const Args *a, const char *first, const char *second)
{
  unsigned bits = (unsigned)args_flag(a, first) | (unsigned)args_flag(a, second) << 1;
  return (uint8_t)(bits ? bits : 3);
}

static Status run_set_ocv_coefficient(Session *s, Args *a)
{
  double value = args_number(a, "coefficient");
  if (!(value >= 0) || value > 1)
    return log_error(s->log, "OCV-010", args_where(a),
                     "set_ocv_coefficient: %g is not a part of a delay, expected 0 to 1", value);
  OcvTable t = { .kind = OCV_COEFFICIENT,
                 .delays = two_flags(a, "-cell_delay", "-net_delay"),
                 .paths = two_flags(a, "-data", "-clock"),
                 .distance_count = 1,
                 .depth_count = 1 };
  unsigned edges = sdc_edges(a), analyses = two_flags(a, "-early", "-late");
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (edges >> (k & 1) & analyses >> (k >> 1) & 1) t.conditions |= (uint8_t)(1u << k);
  float coefficient = (float)value;
  uint32_t count;
  const Object *objects = args_objects(a, "objects", 0, &count);
  uint32_t table = variation_add_table(variation_of(s), t, NULL, NULL, &coefficient);
  if (!args_given(a, "objects")) variation_use(s->variation, (Object){ OBJ_DESIGN, 0 }, table);
  for (uint32_t i = 0; i < count; i++) variation_use(s->variation, objects[i], table);
  return OK;
}

/* --- options, removal ------------------------------------------------------------------------- */
static const Option set_options[] = {
  { "-tables", ARG_ENUM, .value = "off|replace|multiply",
    .help = "off: derates by depth are not used; replace: they replace the factors of "
            "set_timing_derate (the default); multiply: both count" },
  { "-mode", ARG_ENUM, .value = "scalar|normal",
    .help = "scalar: sigma does not count (the default); normal: delays vary normally" },
  { "-quantile", ARG_FLOAT, .value = "N",
    .help = "number of sigmas between the mean and early or late times; 3 at the start" },
  { "-distance_unit", ARG_ENUM, .value = "nm|um|mm",
    .help = "of distances in files and libraries; nm at the start" },
  { 0 }
};

static Status run_set_ocv_options(Session *s, Args *a)
{
  static const float microns[] = { 1e-3f, 1, 1e3f };
  OcvOptions o = variation_of(s)->options;
  if (args_given(a, "-tables")) o.tables = (uint8_t)args_enum(a, "-tables");
  if (args_given(a, "-mode")) o.mode = (uint8_t)args_enum(a, "-mode");
  if (args_given(a, "-quantile")) o.quantile = (float)args_number(a, "-quantile");
  if (args_given(a, "-distance_unit")) o.distance_unit = microns[args_enum(a, "-distance_unit")];
  if (!(o.quantile >= 0) || o.quantile > 10)
    return log_error(s->log, "OCV-011", args_where(a),
                     "set_ocv_options: -quantile %g is not 0 to 10", (double)o.quantile);
  variation_set_options(s->variation, o);
  return OK;
}

static const Option remove_options[] = { { "-tables", ARG_FLAG, .help = "derates by depth only" },
                                         { "-coefficients", ARG_FLAG, .help = "coefficients only" },
                                         { 0 } };

static Status run_remove_ocv(Session *s, Args *a)
{
  unsigned kinds = (unsigned)args_flag(a, "-tables") << OCV_DERATE
                   | (unsigned)args_flag(a, "-coefficients") << OCV_COEFFICIENT;
  variation_remove(variation_of(s), kinds ? kinds : 1u << OCV_DERATE | 1u << OCV_COEFFICIENT);
  return OK;
}

/* --- report_ocv ------------------------------------------------------------------------------- */
static const Option report_options[] = {
  { "objects", ARG_OBJECTS, .kinds = OBJ_BIT(OBJ_CELL) | OBJ_BIT(OBJ_NET), .flags = OPT_REST,
    .help = "cells or nets whose depths and factors are shown; default: show the tables" }, { 0 } };

static Status run_report_ocv(Session *s, Args *a)
{
  Text out = { 0 };
  uint32_t count;
  const Object *objects = args_objects(a, "objects", 0, &count);
  Sheet sheet = report_sheet(s, a, &out);
  if (s->variation) variation_place_cells(s->variation, s->placement);
  if (count == 0) report_ocv_tables(&sheet, s->variation);
  if (count) {
    Timing *t = session_timing(s, false);
    if (t == NULL) return FAILED;
    report_ocv_objects(&sheet, t, s->variation, objects, count);
  }
  report_finish(a, &out);
  return OK;
}

/* --- rows ------------------------------------------------------------------------------------- */
const Command commands_ocv[] = {
  { "read_ocv", "on-chip variation", "read derates by depth and distance, or coefficients of sigma",
    read_options, run_read_ocv, CMD_NEEDS_DESIGN | CMD_READS,
    "A file is a list of groups of fields, `field: value`, as in AOCV and POCV side files:\n  "
    "object_type: design | lib_cell | cell | net   begins a group\n  object_spec: "
    "patterns                         default: all objects of the type\n  rf_type: rise "
    "fall      delay_type: cell net      path_type: clock data      (default: all)\n  "
    "derate_type: early | late\n  depth: 1 2 3            distance: 500 1000        either, both "
    "or none\n  table: values           a row for each distance, a column for each depth\n  "
    "coefficient: 0.05       sigma divided by the delay, instead of a table\nIf several tables "
    "apply to a delay, that of the nearest object counts: the cell or net, the innermost block, "
    "the library cell, the design; of one object the last table counts. Values between the "
    "points of a table are interpolated linearly; beyond them the nearest point counts.\nThe "
    "depth of a cell is the least number of cells on any path through it; the depth of a net is "
    "the least number of nets. Clock paths (from the source to a register, a gating check or a "
    "port) and data paths (from the launching register's clock pin or an input port to the end) "
    "are counted separately. It does not matter where clock paths part.\nThe distance is the "
    "diagonal of the box around the centres of all cells on paths through the cell or net. Its "
    "unit is that of set_ocv_options -distance_unit, nanometres at the start. The places are "
    "those of read_def and place_cell. Ports and cells without a place are left out. Without "
    "placement distances are 0, and a table by distance counts with its first row (OCV-009). If "
    "a table depends on distance, a moved cell makes the next update a full one.",
    "set ocv [open cpu.ocv w]\n"
    "puts $ocv \"object_type: design\\ndelay_type: cell\\nderate_type: late\"\n"
    "puts $ocv \"depth: 1 5 10\\ntable: 1.10 1.05 1.03\"\n"
    "close $ocv\n"
    "read_ocv cpu.ocv\n" },
  { "set_ocv_coefficient", "on-chip variation", "set sigmas as fractions of delays",
    coefficient_options, run_set_ocv_coefficient, CMD_NEEDS_DESIGN | CMD_CHANGES,
    "A coefficient of cells, blocks or library cells has priority over the sigma tables of a "
    "library; a coefficient of the design does not. Coefficients count with set_ocv_options "
    "-mode normal.",
    "set_ocv_coefficient 0.03\n"
    "set_ocv_coefficient -net_delay 0.01\n" },
  { "set_ocv_options", "on-chip variation", "set how on-chip variation counts", set_options,
    run_set_ocv_options, CMD_CHANGES,
    "Options that are not given keep their values. Derates by depth are those of read_ocv and of "
    "libraries (ocv_derate groups). With -tables replace, the factor of set_timing_derate counts "
    "for delays without a table.\nWith -mode normal each delay is an independent normal "
    "variable. Its sigma comes from a coefficient (set_ocv_coefficient, read_ocv) or from the "
    "library's ocv_sigma tables. A late time is mean + N sigma of the path that brings it, an "
    "early time is mean - N sigma, and the worst of several times is the one with the worst such "
    "value. In a slack the variances of launch with data, capture and check are added, and the "
    "common part of the clock paths does not vary. Reports call the difference from the plain "
    "sum statistical adjustment. Latches, pulse widths and skews use the times as they are. "
    "Derates multiply means, not sigmas.",
    "set_ocv_options -tables multiply\n" },
  { "remove_ocv", "on-chip variation", "remove derates by depth and coefficients", remove_options,
    run_remove_ocv, CMD_CHANGES,
    "Without an option both are removed, including derates of libraries (ocv_derate) until the "
    "design is linked again. The settings of set_ocv_options stay.",
    "remove_ocv -coefficients\n" },
  { "report_ocv", "on-chip variation",
    "show derates by depth, coefficients, and their use by delays", report_options,
    run_report_ocv, CMD_NEEDS_DESIGN | CMD_REDIRECT,
    "The factors of cells and nets are those in use, from tables, from set_timing_derate, or "
    "from both.",
    "report_ocv\nreport_ocv exec/g1508\n" },
  { 0 }
};
