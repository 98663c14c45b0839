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

static void flush(SdfFile *f)
{
  if (f->out.len) gzwrite(f->file, f->out.at, (unsigned)f->out.len);
  text_clear(&f->out);
}

/* --- words ------------------------------------------------------------------------------------ */
/* A character that is not allowed in a plain name gets a backslash.  Bits of bus ports do not
   change. */
static void put_name(SdfFile *f, NameId name, bool port)
{
  const char *text = names_text(f->n->names, name);
  size_t length = names_length(f->n->names, name), plain = length;
  if (port && length && text[length - 1] == ']') {
    while (plain > 0 && text[plain - 1] != '[') plain--;
    plain = plain ? plain - 1 : length;
  }
  for (size_t i = 0; i < length; i++) {
    if (i < plain && !isalnum((unsigned char)text[i]) && text[i] != '_') text_char(&f->out, '\\');
    text_char(&f->out, text[i]);
  }
}

static void put_inst(SdfFile *f, InstId inst)
{
  InstId parent = f->n->insts.at[inst].parent;
  if (parent != TOP_INST && parent != NO_INST) {
    put_inst(f, parent);
    text_char(&f->out, f->options->divider);
  }
  put_name(f, f->n->insts.at[inst].name, false);
}

static void put_pin(SdfFile *f, PinId pin)
{
  if (!pin_is_top_port(f->n, pin)) {
    put_inst(f, f->n->pins.at[pin].inst);
    text_char(&f->out, f->options->divider);
  }
  put_name(f, netlist_pin_port_name(f->n, pin), true);
}

static void put_port(SdfFile *f, Slot slot)
{
  put_name(f, netlist_pin_port_name(f->n, f->g->slots.pin[slot]), true);
}

/* ps, in the file's unit, rounded to the digits. */
static void put_number(SdfFile *f, double ps)
{
  static const double power[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
  int digits = f->options->digits;
  double scaled = ps / f->options->unit * power[digits];
  if (!(fabs(scaled) < 1e15)) {
    text_printf(&f->out, "%.*f", digits, ps / f->options->unit);
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
  text_add(&f->out, at, (size_t)(buffer + sizeof buffer - at));
}

static void put_triple(SdfFile *f, double early, double late)
{
  text_put(&f->out, " (");
  put_number(f, early);
  text_char(&f->out, ':');
  if (f->options->typical) put_number(f, 0.5 * (early + late));
  text_char(&f->out, ':');
  put_number(f, late);
  text_char(&f->out, ')');
}

/* Valid until the next one. */
static const char *arc_condition(SdfFile *f, LibArcId arc)
{
  if (f->condition_of[arc] == 0) {
    f->condition_of[arc] = (uint32_t)f->conditions.len + 1;
    sdf_condition_text(f->libs, arc, &f->conditions);
    text_char(&f->conditions, '\0');
  }
  return f->conditions.at + f->condition_of[arc] - 1;
}

/* --- the head --------------------------------------------------------------------------------- */
static void put_condition(SdfFile *f, const char *name, float early, float late)
{
  if (isnan(early) || isnan(late)) return;
  bool quoted = strcmp(name, "PROCESS") == 0;
  text_printf(&f->out, " (%s %s%.3f::%.3f%s)\n", name, quoted ? "\"" : "", (double)early,
              (double)late, quoted ? "\"" : "");
}

/* The library that the first cell's numbers come from. */
static const Library *library_of(const SdfFile *f, int early_late)
{
  for (InstId i = 1; i < f->n->insts.len; i++) {
    if (!inst_is_leaf(f->n, i) || f->n->insts.at[i].flags & INST_DELETED) continue;
    LibraryId l = f->t->corner_libs->library_for[early_late][f->n->insts.at[i].master];
    if (l != NO_LIBRARY) return &f->libs->libraries.at[l];
  }
  return &f->libs->libraries.at[0];
}

static void put_head(SdfFile *f)
{
  char unit[32];
  unit_name(UNIT_TIME, f->options->unit, unit);
  text_printf(&f->out, "(DELAYFILE\n (SDFVERSION \"3.0\")\n (DESIGN \"%s\")\n",
              names_text(f->n->names, f->n->top_name));
  if (f->options->date) text_printf(&f->out, " (DATE \"%s\")\n", f->options->date);
  text_put(&f->out, " (PROGRAM \"Slackline\")\n");
  if (f->options->version) text_printf(&f->out, " (VERSION \"%s\")\n", f->options->version);
  text_printf(&f->out, " (DIVIDER %c)\n", f->options->divider);
  if (f->libs->libraries.len) {
    const Library *early = library_of(f, EARLY), *late = library_of(f, LATE);
    put_condition(f, "VOLTAGE", early->nom_voltage, late->nom_voltage);
    put_condition(f, "PROCESS", early->nom_process, late->nom_process);
    put_condition(f, "TEMPERATURE", early->nom_temperature, late->nom_temperature);
  }
  text_printf(&f->out, " (TIMESCALE %s)\n", unit);
}

/* --- wires ------------------------------------------------------------------------------------ */
/* An inout pin sees what it drives itself.  That is no wire of SDF, and no reader would accept
   it. */
static void put_wire(SdfFile *f, Slot driver, Slot load, const Cond4 *d)
{
  if (f->g->slots.pin[driver] == f->g->slots.pin[load]) return;
  text_put(&f->out, "    (INTERCONNECT ");
  put_pin(f, f->g->slots.pin[driver]);
  text_char(&f->out, ' ');
  put_pin(f, f->g->slots.pin[load]);
  put_triple(f, d->v[condition_of(EARLY, RISE)], d->v[condition_of(LATE, RISE)]);
  put_triple(f, d->v[condition_of(EARLY, FALL)], d->v[condition_of(LATE, FALL)]);
  text_put(&f->out, ")\n");
  f->count.wires++;
  if (f->out.len > BLOCK) flush(f);
}

static void put_wires(SdfFile *f)
{
  const Graph *g = f->g;
  text_printf(&f->out, " (CELL\n  (CELLTYPE \"%s\")\n  (INSTANCE)\n  (DELAY\n   (ABSOLUTE\n",
              names_text(f->n->names, f->n->top_name));
  for (PinId p = 0; p < g->pin_count && !interrupt_seen(); p++) {
    Slot driver = g->slots.of_pin[p] == NO_SLOT ? NO_SLOT : graph_slot(g, p, true);
    if (driver == NO_SLOT || !slot_is_driver(g, driver)) continue;
    for (Slot s = g->nets.load_first[driver];
         s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++)
      put_wire(f, driver, s, &f->t->wires.delay[graph_load_index(g, s)]);
    DriverExtras it = driver_extras(g, driver);
    while (driver_extras_next(&it))
      put_wire(f, driver, g->nets.extra_wires.at[it.index].load, &f->t->extra.delay[it.index]);
  }
  text_put(&f->out, "   )\n  )\n )\n");
}

/* --- sections of a cell, opened by what is in them -------------------------------------------- */
static void open_cell(SdfFile *f)
{
  if (f->in_delays || f->in_checks) return;
  text_printf(&f->out, " (CELL\n  (CELLTYPE \"%s\")\n  (INSTANCE ",
              names_text(f->n->names, netlist_inst_master_name(f->n, f->inst)));
  put_inst(f, f->inst);
  text_put(&f->out, ")\n");
  f->count.cells++;
}

static void open_delays(SdfFile *f)
{
  open_cell(f);
  if (!f->in_delays) text_put(&f->out, "  (DELAY\n   (ABSOLUTE\n");
  f->in_delays = true;
}

static void close_delays(SdfFile *f)
{
  if (f->in_delays) text_put(&f->out, "   )\n  )\n");
}

static void open_checks(SdfFile *f)
{
  open_cell(f);
  if (!f->in_checks) text_put(&f->out, "  (TIMINGCHECK\n");
  f->in_checks = true;
}

static void close_cell(SdfFile *f)
{
  if (f->in_checks) text_put(&f->out, "  )\n");
  if (f->in_delays || f->in_checks) text_put(&f->out, " )\n");
  f->in_delays = f->in_checks = false;
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

static void add_arc(const SdfFile *f, Paths *p, ArcId a)
{
  const Graph *g = f->g;
  int sort = sort_of((ArcType)g->libs->arcs.at[g->arcs.lib[a]].type);
  p->tristate |= sort != TO_VALUE;
  for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
    EdgePair edges = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
    Pair d = f->t->edge_delay[e], *have = &p->value[sort][edges.in][edges.out];
    bool *has = &p->has[sort][edges.in][edges.out];
    if (!*has || d.v[EARLY] < have->v[EARLY]) have->v[EARLY] = d.v[EARLY];
    if (!*has || d.v[LATE] > have->v[LATE]) have->v[LATE] = d.v[LATE];
    *has = true;
  }
}

/* Returns true if the delay depends on the edge at the input. */
static bool needs_edges(const Paths *p)
{
  for (int s = 0; s < ARC_SORTS; s++)
    for (int out = RISE; out <= FALL; out++)
      if (p->has[s][RISE][out] && p->has[s][FALL][out]
          && memcmp(&p->value[s][RISE][out], &p->value[s][FALL][out], sizeof(Pair)) != 0)
        return true;
  return false;
}

static void put_value(SdfFile *f, const Paths *p, int sort, int in_edges, int out)
{
  for (int in = RISE; in <= FALL; in++)
    if (in_edges >> in & 1 && p->has[sort][in][out]) {
      put_triple(f, p->value[sort][in][out].v[EARLY], p->value[sort][in][out].v[LATE]);
      return;
    }
  text_put(&f->out, " ()");
}

static bool has_any(const Paths *p, int in_edges)
{
  for (int s = 0; s < ARC_SORTS; s++)
    for (int in = RISE; in <= FALL; in++)
      if (in_edges >> in & 1 && (p->has[s][in][RISE] || p->has[s][in][FALL])) return true;
  return false;
}

/* in_edges: mask of the input edges of the entry. */
static void put_path(SdfFile *f, const Paths *p, Slot from, Slot to, int in_edges)
{
  static const char *const edge[4] = { "", "(posedge ", "(negedge ", "" };
  if (!has_any(p, in_edges)) return;
  open_delays(f);
  text_put(&f->out, "    ");
  if (*f->condition) text_printf(&f->out, "(COND %s ", f->condition);
  text_printf(&f->out, "(IOPATH %s", edge[in_edges]);
  put_port(f, from);
  text_put(&f->out, in_edges == 3 ? " " : ") ");
  put_port(f, to);
  put_value(f, p, TO_VALUE, in_edges, RISE);
  put_value(f, p, TO_VALUE, in_edges, FALL);
  if (p->tristate) {
    put_value(f, p, TO_Z, in_edges, RISE);
    put_value(f, p, FROM_Z, in_edges, RISE);
    put_value(f, p, TO_Z, in_edges, FALL);
    put_value(f, p, FROM_Z, in_edges, FALL);
  }
  text_put(&f->out, *f->condition ? "))\n" : ")\n");
  f->count.delays++;
}

static bool same_path(const SdfFile *f, ArcId a, ArcId b)
{
  const LibArc *la = &f->libs->arcs.at[f->g->arcs.lib[a]],
               *lb = &f->libs->arcs.at[f->g->arcs.lib[b]];
  return f->g->arcs.from[a] == f->g->arcs.from[b] && la->sdf_cond == lb->sdf_cond
         && (la->when == NO_FUNCTION) == (lb->when == NO_FUNCTION);
}

static void put_group(SdfFile *f, ArcId a, Slot driver)
{
  const Graph *g = f->g;
  Paths p = { 0 };
  for (ArcId b = g->arcs.first[driver]; b < a; b++)
    /* written with the first of its kind */
    if (arc_on(g, b) && same_path(f, a, b)) return;
  for (ArcId b = a; b < g->arcs.first[driver + 1]; b++)
    if (arc_on(g, b) && same_path(f, a, b)) add_arc(f, &p, b);
  if (needs_edges(&p)) {
    put_path(f, &p, g->arcs.from[a], driver, 1 << RISE);
    put_path(f, &p, g->arcs.from[a], driver, 1 << FALL);
  } else {
    put_path(f, &p, g->arcs.from[a], driver, 3);
  }
}

/* Those without a condition first: a reader takes them for all arcs between the ports. */
static void put_arcs(SdfFile *f, Slot driver)
{
  const Graph *g = f->g;
  for (int conditional = 0; conditional < 2; conditional++)
    for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
      if (!arc_on(g, a)) {
        f->count.off += conditional;
        continue;
      }
      f->condition = arc_condition(f, g->arcs.lib[a]);
      if ((*f->condition != '\0') == conditional) put_group(f, a, driver);
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

static void put_edge_port(SdfFile *f, Slot slot, int edge)
{
  text_put(&f->out, edge == RISE ? "(posedge " : edge == FALL ? "(negedge " : "");
  put_port(f, slot);
  if (edge <= FALL) text_char(&f->out, ')');
}

/* Values of both analyses.  If a reader would take the unused one, it equals the other. */
static bool margins_of(const SdfFile *f, const Check *c, int edge, float margin[2])
{
  int own = check_is_early(c) ? EARLY : LATE;
  for (int el = EARLY; el <= LATE; el++)
    if (!timing_check_margin(f->t, c, edge, el, &margin[el])) return false;
  MarginChoice choice = margin_choice(f->g, (ArcType)c->type);
  bool taken = choice == MARGIN_LARGER    ? margin[!own] > margin[own]
               : choice == MARGIN_SMALLER ? margin[!own] < margin[own]
                                          : choice == MARGIN_LATE && own == EARLY;
  if (taken) margin[!own] = margin[own];
  return true;
}

static void put_condition_port(SdfFile *f, Slot slot, int edge)
{
  if (*f->condition) text_printf(&f->out, "(COND %s ", f->condition);
  put_edge_port(f, slot, edge);
  if (*f->condition) text_char(&f->out, ')');
}

static void put_ports(SdfFile *f, const Check *c, int edge)
{
  bool clock_first = c->type == ARC_SKEW || arc_type_is_nochange((ArcType)c->type);
  int clock_edge = c->trailing ? c->clock_edge ^ 1 : c->clock_edge; /* that begins the pulse */
  if (clock_first) {
    put_edge_port(f, c->clock, clock_edge);
    text_char(&f->out, ' ');
  }
  put_condition_port(f, c->data, c->type == ARC_MIN_PERIOD ? EDGE_ANY : edge);
  if (clock_first || c->clock == c->data) return;
  text_char(&f->out, ' ');
  put_edge_port(f, c->clock, clock_edge);
}

static void put_check_edge(SdfFile *f, const Check *c, const char *keyword, int edge)
{
  float margin[2];
  bool nochange = arc_type_is_nochange((ArcType)c->type);
  if ((nochange && edge != nochange_edge(c)) || !margins_of(f, c, edge, margin)) return;
  open_checks(f);
  text_printf(&f->out, "    (%s ", keyword);
  put_ports(f, c, edge);
  if (nochange && c->trailing) text_put(&f->out, " ()");
  put_triple(f, margin[EARLY], margin[LATE]);
  if (nochange && !c->trailing) text_put(&f->out, " ()");
  text_put(&f->out, ")\n");
  f->count.checks++;
}

static bool is_pin_limit(const Check *c)
{
  return c->type == ARC_MIN_PULSE_WIDTH || c->type == ARC_MIN_PERIOD;
}

/* Those with or without a condition; widths and periods without one are the pin's own. */
static void put_checks(SdfFile *f, Slot slot, bool conditional)
{
  const Graph *g = f->g;
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    const Check *c = &g->ends.checks.at[g->ends.check_order[i]];
    const char *keyword = c->lib == NO_LIB_ARC ? NULL : keyword_of((ArcType)c->type);
    if (keyword == NULL) continue;
    f->condition = arc_condition(f, c->lib);
    if ((*f->condition != '\0') != conditional || (is_pin_limit(c) && !conditional)) continue;
    put_check_edge(f, c, keyword, RISE);
    if (c->type != ARC_MIN_PERIOD) put_check_edge(f, c, keyword, FALL);
  }
}

/* Returns true if the check, which has no condition, gives this limit. */
static bool asks_for(SdfFile *f, const Check *c, PinLimit which)
{
  ArcType type = which == PIN_PERIOD ? ARC_MIN_PERIOD : ARC_MIN_PULSE_WIDTH;
  return c->type == type && *arc_condition(f, c->lib) == '\0';
}

/* Returns the largest limit of the pin itself and of arcs without a condition; NAN: none. */
static float own_limit(SdfFile *f, PinId pin, Slot slot, PinLimit which)
{
  const Graph *g = f->g;
  float limit = query_pin_limit(f->t, slot, pin, which), margin;
  int first = which == PIN_WIDTH_LOW ? FALL : RISE, last = which == PIN_WIDTH_HIGH ? RISE : FALL;
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++) {
    const Check *c = &g->ends.checks.at[g->ends.check_order[i]];
    for (int edge = first; edge <= last && asks_for(f, c, which); edge++)
      if (timing_check_margin(f->t, c, edge, LATE, &margin) && !(margin <= limit)) limit = margin;
  }
  return limit;
}

static void put_pin_limits(SdfFile *f, PinId pin, Slot slot)
{
  static const struct {
    const char *keyword;
    int edge;
  } entry[] = { { "WIDTH", RISE }, { "WIDTH", FALL }, { "PERIOD", EDGE_ANY } };
  for (int which = PIN_WIDTH_HIGH; which <= PIN_PERIOD; which++) {
    float limit = own_limit(f, pin, slot, (PinLimit)which);
    if (isnan(limit)) continue;
    open_checks(f);
    text_printf(&f->out, "    (%s ", entry[which].keyword);
    put_edge_port(f, slot, entry[which].edge);
    put_triple(f, limit, limit);
    text_put(&f->out, ")\n");
    f->count.checks++;
  }
}

/* Those without a condition first: a reader takes them for all checks between the ports. */
static void put_pin_checks(SdfFile *f, PinId pin, Slot slot)
{
  put_checks(f, slot, false);
  put_pin_limits(f, pin, slot);
  put_checks(f, slot, true);
}

static void put_cell(SdfFile *f, InstId inst)
{
  const Inst *in = &f->n->insts.at[inst];
  f->inst = inst;
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    Slot driver = p < f->g->pin_count && f->g->slots.of_pin[p] != NO_SLOT
                      ? graph_slot(f->g, p, true)
                      : NO_SLOT;
    if (driver != NO_SLOT && slot_is_driver(f->g, driver)) put_arcs(f, driver);
  }
  close_delays(f);
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    if (p >= f->g->pin_count || f->g->slots.of_pin[p] == NO_SLOT) continue;
    put_pin_checks(f, p, f->g->slots.of_pin[p]);
  }
  close_cell(f);
  if (f->out.len > BLOCK) flush(f);
}

/* --- the file --------------------------------------------------------------------------------- */
static void put_all(SdfFile *f)
{
  put_head(f);
  put_wires(f);
  for (InstId i = 1; i < f->n->insts.len && !interrupt_seen(); i++)
    if (inst_is_leaf(f->n, i) && !(f->n->insts.at[i].flags & INST_DELETED)) put_cell(f, i);
  text_put(&f->out, ")\n");
  flush(f);
}

Status write_sdf(const Timing *t, const char *path, const SdfFileOptions *options, Log *log,
                 SdfWritten *written)
{
  SdfFile f = { .t = t, .g = t->g, .n = t->g->netlist, .libs = t->g->libs, .options = options };
  Where where = { path, 0, 0 };
  Replacement place;
  f.file = gzopen(replace_begin(&place, path), options->gzip ? "wb" : "wbT");
  if (f.file == NULL) {
    replace_end(&place, false);
    return log_error(log, "FILE-005", where, "cannot write the file: %s", strerror(errno));
  }
  gzbuffer(f.file, 1 << 17);
  f.condition_of = mem_alloc_zero((size_t)f.libs->arcs.len + 1, sizeof *f.condition_of);
  put_all(&f);
  Status status = OK;
  bool bad = gzclose(f.file) != Z_OK;
  bad |= !replace_end(&place, !bad && !interrupt_seen());
  if (bad)
    status = log_error(log, "FILE-005", where, "writing the file failed: %s", strerror(errno));
  if (interrupt_seen()) status = log_error(log, "SDF-012", where, "writing was interrupted");
  text_free(&f.out);
  text_free(&f.conditions);
  mem_free(f.condition_of);
  if (written) *written = f.count;
  return status;
}
