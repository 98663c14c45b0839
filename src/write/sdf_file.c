/* Writes an SDF file: cells with their delays and checks, and wires. */
#include "write/sdf_file.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <zlib.h>

#include "base/interrupt.h"
#include "base/replace.h"
#include "db/sdf_condition.h"
#include "timing/derived.h"
#include "timing/scaling.h"
#include "query/constraint.h"

typedef struct {
  const Timing *t;
  const Graph  *g;
  const Netlist *n;
  const LibrarySet *libs;
  const SdfFileOptions *options;
  gzFile file;
  Text   out;
  const char *condition;         /* of the arc or check at hand; "": none */
  Text   conditions;             /* those of library arcs, made once */
  uint32_t *condition_of;        /* [arcs]: 1 + where in conditions; 0: not made yet */
  InstId inst;                   /* the CELL at hand */
  bool   in_delays, in_checks;   /* its sections that are open */
  SdfWritten count;
} SdfFile;

enum { BLOCK = 1 << 16 };

static void flush(SdfFile *file)
{
  if (file->out.len) gzwrite(file->file, file->out.at, (unsigned)file->out.len);
  text_clear(&file->out);
}

/* --- words ------------------------------------------------------------------------------------ */
/* A character that is not allowed in a plain name gets a backslash.  Bits of bus ports do not
   change. */
static void put_name(SdfFile *file, NameId name, bool port)
{
  const char *text = names_text(file->n->names, name);
  size_t length = names_length(file->n->names, name), plain = length;
  if (port && length && text[length - 1] == ']') {
    while (plain > 0 && text[plain - 1] != '[') plain--;
    plain = plain ? plain - 1 : length;
  }
  for (size_t i = 0; i < length; i++) {
    if (i < plain && !isalnum((unsigned char)text[i]) && text[i] != '_')
      text_char(&file->out, '\\');
    text_char(&file->out, text[i]);
  }
}

static void put_inst(SdfFile *file, InstId inst)
{
  InstId parent = file->n->insts.at[inst].parent;
  if (parent != TOP_INST && parent != NO_INST) {
    put_inst(file, parent);
    text_char(&file->out, file->options->divider);
  }
  put_name(file, file->n->insts.at[inst].name, false);
}

static void put_pin(SdfFile *file, PinId pin)
{
  if (!pin_is_top_port(file->n, pin)) {
    put_inst(file, file->n->pins.at[pin].inst);
    text_char(&file->out, file->options->divider);
  }
  put_name(file, netlist_pin_port_name(file->n, pin), true);
}

static void put_port(SdfFile *file, Slot slot)
{
  put_name(file, netlist_pin_port_name(file->n, file->g->slots.pin[slot]), true);
}

/* ps, in the file's unit, rounded to the digits. */
static void put_number(SdfFile *file, double ps)
{
  static const double power[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
  int digits = file->options->digits;
  double scaled = ps / file->options->unit * power[digits];
  if (!(fabs(scaled) < 1e15)) {
    text_printf(&file->out, "%.*f", digits, ps / file->options->unit);
    return;
  }
  char buffer[40], *at = buffer + sizeof buffer;
  long long rounded = llround(scaled);
  unsigned long long rest =
      rounded < 0 ? (unsigned long long)-rounded : (unsigned long long)rounded;
  for (int i = 0; i <= digits || rest; i++) {
    if (i == digits && digits) *--at = '.';
    *--at = (char)('0' + rest % 10);
    rest /= 10;
  }
  if (rounded < 0) *--at = '-';
  text_add(&file->out, at, (size_t)(buffer + sizeof buffer - at));
}

static void put_triple(SdfFile *file, double early, double late)
{
  text_put(&file->out, " (");
  put_number(file, early);
  text_char(&file->out, ':');
  if (file->options->typical) put_number(file, 0.5 * (early + late));
  text_char(&file->out, ':');
  put_number(file, late);
  text_char(&file->out, ')');
}

/* Valid until the next one. */
static const char *arc_condition(SdfFile *file, LibArcId arc)
{
  if (file->condition_of[arc] == 0) {
    file->condition_of[arc] = (uint32_t)file->conditions.len + 1;
    sdf_condition_text(file->libs, arc, &file->conditions);
    text_char(&file->conditions, '\0');
  }
  return file->conditions.at + file->condition_of[arc] - 1;
}

/* --- the head --------------------------------------------------------------------------------- */
static void put_condition(SdfFile *file, const char *name, float early, float late)
{
  if (isnan(early) || isnan(late)) return;
  bool quoted = strcmp(name, "PROCESS") == 0;
  text_printf(&file->out, " (%s %s%.3f::%.3f%s)\n", name, quoted ? "\"" : "", (double)early,
              (double)late, quoted ? "\"" : "");
}

/* The library that the first cell's numbers come from. */
static const Library *library_of(const SdfFile *file, int early_late)
{
  for (InstId i = 1; i < file->n->insts.len; i++) {
    if (!inst_is_leaf(file->n, i) || file->n->insts.at[i].flags & INST_DELETED) continue;
    LibraryId l = file->t->corner_libs->library_for[early_late][file->n->insts.at[i].master];
    if (l != NO_LIBRARY) return &file->libs->libraries.at[l];
  }
  return &file->libs->libraries.at[0];
}

static void put_head(SdfFile *file)
{
  char unit[32];
  unit_name(UNIT_TIME, file->options->unit, unit);
  text_printf(&file->out, "(DELAYFILE\n (SDFVERSION \"3.0\")\n (DESIGN \"%s\")\n",
              names_text(file->n->names, file->n->top_name));
  if (file->options->date) text_printf(&file->out, " (DATE \"%s\")\n", file->options->date);
  text_put(&file->out, " (PROGRAM \"Slackline\")\n");
  if (file->options->version)
    text_printf(&file->out, " (VERSION \"%s\")\n", file->options->version);
  text_printf(&file->out, " (DIVIDER %c)\n", file->options->divider);
  if (file->libs->libraries.len) {
    const Library *early = library_of(file, EARLY), *late = library_of(file, LATE);
    put_condition(file, "VOLTAGE", early->nom_voltage, late->nom_voltage);
    put_condition(file, "PROCESS", early->nom_process, late->nom_process);
    put_condition(file, "TEMPERATURE", early->nom_temperature, late->nom_temperature);
  }
  text_printf(&file->out, " (TIMESCALE %s)\n", unit);
}

/* --- wires ------------------------------------------------------------------------------------ */
/* An inout pin sees what it drives itself.  That is no wire of SDF, and no reader would accept
   it. */
static void put_wire(SdfFile *file, Slot driver, Slot load, const Cond4 *conditions)
{
  if (file->g->slots.pin[driver] == file->g->slots.pin[load]) return;
  text_put(&file->out, "    (INTERCONNECT ");
  put_pin(file, file->g->slots.pin[driver]);
  text_char(&file->out, ' ');
  put_pin(file, file->g->slots.pin[load]);
  put_triple(file, conditions->v[condition_of(EARLY, RISE)],
             conditions->v[condition_of(LATE, RISE)]);
  put_triple(file, conditions->v[condition_of(EARLY, FALL)],
             conditions->v[condition_of(LATE, FALL)]);
  text_put(&file->out, ")\n");
  file->count.wires++;
  if (file->out.len > BLOCK) flush(file);
}

static void put_wires(SdfFile *file)
{
  const Graph *g = file->g;
  text_printf(&file->out, " (CELL\n  (CELLTYPE \"%s\")\n  (INSTANCE)\n  (DELAY\n   (ABSOLUTE\n",
              names_text(file->n->names, file->n->top_name));
  for (PinId p = 0; p < g->pin_count && !interrupt_seen(); p++) {
    Slot driver = g->slots.of_pin[p] == NO_SLOT ? NO_SLOT : graph_slot(g, p, true);
    if (driver == NO_SLOT || !slot_is_driver(g, driver)) continue;
    for (Slot s = g->nets.load_first[driver];
         s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++)
      put_wire(file, driver, s, &file->t->wires.delay[graph_load_index(g, s)]);
    DriverExtras it = driver_extras(g, driver);
    while (driver_extras_next(&it))
      put_wire(file, driver, g->nets.extra_wires.at[it.index].load,
               &file->t->extra.delay[it.index]);
  }
  text_put(&file->out, "   )\n  )\n )\n");
}

/* --- sections of a cell, opened by what is in them -------------------------------------------- */
static void open_cell(SdfFile *file)
{
  if (file->in_delays || file->in_checks) return;
  text_printf(&file->out, " (CELL\n  (CELLTYPE \"%s\")\n  (INSTANCE ",
              names_text(file->n->names, netlist_inst_master_name(file->n, file->inst)));
  put_inst(file, file->inst);
  text_put(&file->out, ")\n");
  file->count.cells++;
}

static void open_delays(SdfFile *file)
{
  open_cell(file);
  if (!file->in_delays) text_put(&file->out, "  (DELAY\n   (ABSOLUTE\n");
  file->in_delays = true;
}

static void close_delays(SdfFile *file)
{
  if (file->in_delays) text_put(&file->out, "   )\n  )\n");
}

static void open_checks(SdfFile *file)
{
  open_cell(file);
  if (!file->in_checks) text_put(&file->out, "  (TIMINGCHECK\n");
  file->in_checks = true;
}

static void close_cell(SdfFile *file)
{
  if (file->in_checks) text_put(&file->out, "  )\n");
  if (file->in_delays || file->in_checks) text_put(&file->out, " )\n");
  file->in_delays = file->in_checks = false;
}

/* --- arcs of cells ---------------------------------------------------------------------------- */
/* The delays between two pins under one condition; arcs to and from z apart from others. */
enum { TO_VALUE, FROM_Z, TO_Z, ARC_SORTS };
typedef struct {
  bool has[ARC_SORTS][2][2];     /* [input edge][output edge] */
  Pair value[ARC_SORTS][2][2];
  bool tristate;
} Paths;

static int sort_of(ArcType t)
{
  return t == ARC_TRISTATE_ENABLE ? FROM_Z : t == ARC_TRISTATE_DISABLE ? TO_Z : TO_VALUE;
}

static void add_arc(const SdfFile *file, Paths *paths, ArcId a)
{
  const Graph *g = file->g;
  int sort = sort_of((ArcType)g->libs->arcs.at[g->arcs.lib[a]].type);
  paths->tristate |= sort != TO_VALUE;
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair edges = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    Pair d = file->t->edge_delay[e], *have = &paths->value[sort][edges.in][edges.out];
    bool *has = &paths->has[sort][edges.in][edges.out];
    if (!*has || d.v[EARLY] < have->v[EARLY]) have->v[EARLY] = d.v[EARLY];
    if (!*has || d.v[LATE] > have->v[LATE]) have->v[LATE] = d.v[LATE];
    *has = true;
  }
}

/* Returns true if the delay depends on the edge at the input. */
static bool needs_edges(const Paths *paths)
{
  for (int s = 0; s < ARC_SORTS; s++)
    for (int out = RISE; out <= FALL; out++)
      if (paths->has[s][RISE][out] && paths->has[s][FALL][out]
          && memcmp(&paths->value[s][RISE][out], &paths->value[s][FALL][out], sizeof(Pair)) != 0)
        return true;
  return false;
}

static void put_value(SdfFile *file, const Paths *paths, int sort, int in_edges, int out)
{
  for (int in = RISE; in <= FALL; in++)
    if (in_edges >> in & 1 && paths->has[sort][in][out]) {
      put_triple(file, paths->value[sort][in][out].v[EARLY], paths->value[sort][in][out].v[LATE]);
      return;
    }
  text_put(&file->out, " ()");
}

static bool has_any(const Paths *paths, int in_edges)
{
  for (int s = 0; s < ARC_SORTS; s++)
    for (int in = RISE; in <= FALL; in++)
      if (in_edges >> in & 1 && (paths->has[s][in][RISE] || paths->has[s][in][FALL])) return true;
  return false;
}

/* in_edges: mask of the input edges of the entry. */
static void put_path(SdfFile *file, const Paths *paths, Slot from, Slot to, int in_edges)
{
  static const char *const edge[4] = { "", "(posedge ", "(negedge ", "" };
  if (!has_any(paths, in_edges)) return;
  open_delays(file);
  text_put(&file->out, "    ");
  if (*file->condition) text_printf(&file->out, "(COND %s ", file->condition);
  text_printf(&file->out, "(IOPATH %s", edge[in_edges]);
  put_port(file, from);
  text_put(&file->out, in_edges == 3 ? " " : ") ");
  put_port(file, to);
  put_value(file, paths, TO_VALUE, in_edges, RISE);
  put_value(file, paths, TO_VALUE, in_edges, FALL);
  if (paths->tristate) {
    put_value(file, paths, TO_Z, in_edges, RISE);
    put_value(file, paths, FROM_Z, in_edges, RISE);
    put_value(file, paths, TO_Z, in_edges, FALL);
    put_value(file, paths, FROM_Z, in_edges, FALL);
  }
  text_put(&file->out, *file->condition ? "))\n" : ")\n");
  file->count.delays++;
}

static bool same_path(const SdfFile *file, ArcId a, ArcId b)
{
  const LibArc *la = &file->libs->arcs.at[file->g->arcs.lib[a]],
               *lb = &file->libs->arcs.at[file->g->arcs.lib[b]];
  return file->g->arcs.from[a] == file->g->arcs.from[b] && la->sdf_cond == lb->sdf_cond
         && (la->when == NO_FUNCTION) == (lb->when == NO_FUNCTION);
}

static void put_group(SdfFile *file, ArcId a, Slot driver)
{
  const Graph *g = file->g;
  Paths p = { 0 };
  for (ArcId b = g->arcs.first[driver]; b < a; b++)
    /* written with the first of its kind */
    if (arc_on(g, b) && same_path(file, a, b)) return;
  for (ArcId b = a; b < g->arcs.first[driver + 1]; b++)
    if (arc_on(g, b) && same_path(file, a, b)) add_arc(file, &p, b);
  if (needs_edges(&p)) {
    put_path(file, &p, g->arcs.from[a], driver, 1 << RISE);
    put_path(file, &p, g->arcs.from[a], driver, 1 << FALL);
  } else {
    put_path(file, &p, g->arcs.from[a], driver, 3);
  }
}

/* Those without a condition first: a reader takes them for all arcs between the ports. */
static void put_arcs(SdfFile *file, Slot driver)
{
  const Graph *g = file->g;
  for (int conditional = 0; conditional < 2; conditional++)
    for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
      if (!arc_on(g, a)) {
        file->count.off += conditional;
        continue;
      }
      file->condition = arc_condition(file, g->arcs.lib[a]);
      if ((*file->condition != '\0') == conditional) put_group(file, a, driver);
    }
}

/* --- checks ----------------------------------------------------------------------------------- */
static const char *keyword_of(ArcType type)
{
  switch (type) {
  case ARC_SETUP: case ARC_NON_SEQ_SETUP: return "SETUP";
  case ARC_HOLD: case ARC_NON_SEQ_HOLD: return "HOLD";
  case ARC_RECOVERY: return "RECOVERY";
  case ARC_REMOVAL: return "REMOVAL";
  case ARC_SKEW: return "SKEW";
  case ARC_MIN_PULSE_WIDTH: return "WIDTH";
  case ARC_MIN_PERIOD: return "PERIOD";
  case ARC_NOCHANGE: case ARC_NOCHANGE_LOW: return "NOCHANGE";
  default: return NULL;
  }
}

static void put_edge_port(SdfFile *file, Slot slot, int edge)
{
  text_put(&file->out, edge == RISE ? "(posedge " : edge == FALL ? "(negedge " : "");
  put_port(file, slot);
  if (edge <= FALL) text_char(&file->out, ')');
}

/* Values of both analyses.  If a reader would take the unused one, it equals the other. */
static bool margins_of(const SdfFile *file, const Check *check, int edge, float margin[2])
{
  int own = check_is_early(check) ? EARLY : LATE;
  for (int el = EARLY; el <= LATE; el++)
    if (!timing_check_margin(file->t, check, edge, el, &margin[el])) return false;
  MarginChoice choice = margin_choice(file->g, (ArcType)check->type);
  bool taken = choice == MARGIN_LARGER    ? margin[!own] > margin[own]
               : choice == MARGIN_SMALLER ? margin[!own] < margin[own]
                                          : choice == MARGIN_LATE && own == EARLY;
  if (taken) margin[!own] = margin[own];
  return true;
}

static void put_condition_port(SdfFile *file, Slot slot, int edge)
{
  if (*file->condition) text_printf(&file->out, "(COND %s ", file->condition);
  put_edge_port(file, slot, edge);
  if (*file->condition) text_char(&file->out, ')');
}

static void put_ports(SdfFile *file, const Check *check, int edge)
{
  bool clock_first = check->type == ARC_SKEW || arc_type_is_nochange((ArcType)check->type);
  int clock_edge =
      check->trailing ? check->clock_edge ^ 1 : check->clock_edge; /* that begins the pulse */
  if (clock_first) {
    put_edge_port(file, check->clock, clock_edge);
    text_char(&file->out, ' ');
  }
  put_condition_port(file, check->data, check->type == ARC_MIN_PERIOD ? EDGE_ANY : edge);
  if (clock_first || check->clock == check->data) return;
  text_char(&file->out, ' ');
  put_edge_port(file, check->clock, clock_edge);
}

static void put_check_edge(SdfFile *file, const Check *check, const char *keyword, int edge)
{
  float margin[2];
  bool nochange = arc_type_is_nochange((ArcType)check->type);
  if ((nochange && edge != nochange_edge(check)) || !margins_of(file, check, edge, margin)) return;
  open_checks(file);
  text_printf(&file->out, "    (%s ", keyword);
  put_ports(file, check, edge);
  if (nochange && check->trailing) text_put(&file->out, " ()");
  put_triple(file, margin[EARLY], margin[LATE]);
  if (nochange && !check->trailing) text_put(&file->out, " ()");
  text_put(&file->out, ")\n");
  file->count.checks++;
}

static bool is_pin_limit(const Check *check)
{
  return check->type == ARC_MIN_PULSE_WIDTH || check->type == ARC_MIN_PERIOD;
}

/* Those with or without a condition; widths and periods without one are the pin's own. */
static void put_checks(SdfFile *file, Slot slot, bool conditional)
{
  const Graph *g = file->g;
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    const Check *check = &g->ends.checks.at[g->ends.check_order[i]];
    const char *keyword = check->lib == NO_LIB_ARC ? NULL : keyword_of((ArcType)check->type);
    if (keyword == NULL) continue;
    file->condition = arc_condition(file, check->lib);
    if ((*file->condition != '\0') != conditional || (is_pin_limit(check) && !conditional))
      continue;
    put_check_edge(file, check, keyword, RISE);
    if (check->type != ARC_MIN_PERIOD) put_check_edge(file, check, keyword, FALL);
  }
}

/* Returns true if the check, which has no condition, gives this limit. */
static bool asks_for(SdfFile *file, const Check *check, PinLimit which)
{
  ArcType type = which == PIN_PERIOD ? ARC_MIN_PERIOD : ARC_MIN_PULSE_WIDTH;
  return check->type == type && *arc_condition(file, check->lib) == '\0';
}

/* Returns the largest limit of the pin itself and of arcs without a condition; NAN: none. */
static float own_limit(SdfFile *file, PinId pin, Slot slot, PinLimit which)
{
  const Graph *g = file->g;
  float limit = query_pin_limit(file->t, slot, pin, which), margin;
  int first = which == PIN_WIDTH_LOW ? FALL : RISE, last = which == PIN_WIDTH_HIGH ? RISE : FALL;
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    const Check *check = &g->ends.checks.at[g->ends.check_order[i]];
    for (int edge = first; edge <= last && asks_for(file, check, which); edge++)
      if (timing_check_margin(file->t, check, edge, LATE, &margin) && !(margin <= limit))
        limit = margin;
  }
  return limit;
}

static void put_pin_limits(SdfFile *file, PinId pin, Slot slot)
{
  static const struct {
    const char *keyword;
    int edge;
  } entry[] = { { "WIDTH", RISE }, { "WIDTH", FALL }, { "PERIOD", EDGE_ANY } };
  for (int which = PIN_WIDTH_HIGH; which <= PIN_PERIOD; which++) {
    float limit = own_limit(file, pin, slot, (PinLimit)which);
    if (isnan(limit)) continue;
    open_checks(file);
    text_printf(&file->out, "    (%s ", entry[which].keyword);
    put_edge_port(file, slot, entry[which].edge);
    put_triple(file, limit, limit);
    text_put(&file->out, ")\n");
    file->count.checks++;
  }
}

/* Those without a condition first: a reader takes them for all checks between the ports. */
static void put_pin_checks(SdfFile *file, PinId pin, Slot slot)
{
  put_checks(file, slot, false);
  put_pin_limits(file, pin, slot);
  put_checks(file, slot, true);
}

static void put_cell(SdfFile *file, InstId inst)
{
  const Inst *in = &file->n->insts.at[inst];
  file->inst = inst;
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    Slot driver = p < file->g->pin_count && file->g->slots.of_pin[p] != NO_SLOT
                      ? graph_slot(file->g, p, true)
                      : NO_SLOT;
    if (driver != NO_SLOT && slot_is_driver(file->g, driver)) put_arcs(file, driver);
  }
  close_delays(file);
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    if (p >= file->g->pin_count || file->g->slots.of_pin[p] == NO_SLOT) continue;
    put_pin_checks(file, p, file->g->slots.of_pin[p]);
  }
  close_cell(file);
  if (file->out.len > BLOCK) flush(file);
}

/* --- the file --------------------------------------------------------------------------------- */
static void put_all(SdfFile *file)
{
  put_head(file);
  put_wires(file);
  for (InstId i = 1; i < file->n->insts.len && !interrupt_seen(); i++)
    if (inst_is_leaf(file->n, i) && !(file->n->insts.at[i].flags & INST_DELETED)) put_cell(file, i);
  text_put(&file->out, ")\n");
  flush(file);
}

Status write_sdf(const Timing *t, const char *path, const SdfFileOptions *options, Log *log,
                 SdfWritten *written)
{
  SdfFile f = { .t = t, .g = t->g, .n = t->g->netlist, .libs = t->g->libs, .options = options };
  Where where = { path, 0, 0 };
  Replacement replacement;
  f.file = gzopen(replace_begin(&replacement, path), options->gzip ? "wb" : "wbT");
  if (f.file == NULL) {
    replace_end(&replacement, false);
    return log_error(log, "FILE-005", where, "cannot write the file: %s", strerror(errno));
  }
  gzbuffer(f.file, 1 << 17);
  f.condition_of = mem_alloc_zero((size_t)f.libs->arcs.len + 1, sizeof *f.condition_of);
  put_all(&f);
  Status status = OK;
  bool bad = gzclose(f.file) != Z_OK;
  bad |= !replace_end(&replacement, !bad && !interrupt_seen());
  if (bad)
    status = log_error(log, "FILE-005", where, "writing the file failed: %s", strerror(errno));
  if (interrupt_seen()) status = log_error(log, "SDF-012", where, "writing was interrupted");
  text_free(&f.out);
  text_free(&f.conditions);
  mem_free(f.condition_of);
  if (written) *written = f.count;
  return status;
}
