/* Switches off the arcs and checks that constants block: by functions, conditions and siblings. */
#include "graph/logic.h"

/* Bit 2*in + out. */
enum { AS_IT_IS = 1 << 0 | 1 << 3, INVERTED = 1 << 1 | 1 << 2, ALL_PAIRS = 15 };

/* --- cells to look at ------------------------------------------------------------------------- */
/* Properties of a library cell that do not depend on its inputs: some arcs or checks have
   conditions; some condition is constant in itself. */
enum { CELL_SEEN = 1, CELL_CONDITIONS = 2, CELL_CONSTANT = 4 };

typedef struct {
  const Build *build;
  const LibrarySet *libs;
  uint8_t   *cells;           /* by CellId: CELL_... */
  InstValues at;              /* values at the present instance */
  bool       look;            /* something may be off at the instance */
  ARRAY(uint32_t) counting;   /* arcs (LibArcId) or checks of the instance that replace their
                                 siblings */
} Off;

static Off off_begin(const Build *build)
{
  return (Off){ .build = build,
                .libs = build->g->libs,
                .cells = mem_alloc_zero(build->g->libs->cells.len + 1, 1) };
}

static void off_end(Off *off)
{
  mem_free(off->cells);
  array_free(&off->counting);
}

static bool is_constant(const LibrarySet *libs, FunctionId f)
{
  return library_value(libs, f, NULL, NULL) != LOGIC_UNKNOWN;
}

static uint8_t look_at_cell(const LibrarySet *libs, const LibCell *cell)
{
  uint8_t found = CELL_SEEN;
  for (LibArcId a = cell->first_arc; a < cell->first_arc + cell->arc_count; a++) {
    const LibArc *arc = &libs->arcs.at[a];
    if (arc->when != NO_FUNCTION) found |= CELL_CONDITIONS;
    if (is_constant(libs, arc->when) || is_constant(libs, libs->ports.at[arc->to].three_state))
      found |= CELL_CONSTANT;
  }
  return found;
}

static bool has_constant_pin(const Build *build, const Inst *in)
{
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    VertexId load = build->pin_load[p], driver = build->pin_driver[p];
    if (load != NO_VERTEX && build->logic[load] != LOGIC_UNKNOWN) return true;
    if (driver != NO_VERTEX && build->logic[driver] != LOGIC_UNKNOWN) return true;
  }
  return false;
}

static uint8_t default_arcs(const Off *off) { return off->build->g->rules.default_arcs; }

static void off_at(Off *off, InstId inst)
{
  const Inst *in = &off->build->g->netlist->insts.at[inst];
  uint8_t *cell = &off->cells[in->master];
  if (!*cell) *cell = look_at_cell(off->libs, &off->libs->cells.at[in->master]);
  off->at = (InstValues){ off->build, inst };
  off->look = *cell & CELL_CONSTANT || has_constant_pin(off->build, in)
              || (*cell & CELL_CONDITIONS && default_arcs(off) == DEFAULT_ARCS_NEVER);
  array_clear(&off->counting);
}

/* Returns true if an arc with this condition replaces its siblings without one: if the condition is
   true, or always if such siblings never count. */
static bool takes_over(const Off *off, FunctionId when)
{
  if (when == NO_FUNCTION || default_arcs(off) == DEFAULT_ARCS_ALWAYS) return false;
  return default_arcs(off) == DEFAULT_ARCS_NEVER || logic_value(&off->at, when) == 1;
}

/* --- arcs ------------------------------------------------------------------------------------- */
/* Returns the edge pairs with an output edge in the mask. */
static uint8_t pairs_to(uint32_t edges)
{
  return (uint8_t)((edges >> RISE & 1 ? 5 : 0) << RISE | (edges >> FALL & 1 ? 5 : 0) << FALL);
}

static bool same_arc(const LibArc *a, const LibArc *b)
{
  return a->from == b->from && a->to == b->to && a->type == b->type && a->edge == b->edge;
}

/* Returns the edge pairs that siblings replace, for an arc without a condition. */
static uint8_t pairs_taken(const Off *off, const LibArc *arc)
{
  uint8_t taken = 0;
  for (uint32_t i = 0; i < off->counting.len && lib_arc_is_default(arc); i++) {
    const LibArc *sibling = &off->libs->arcs.at[off->counting.at[i]];
    if (same_arc(sibling, arc)) taken |= pairs_to(sibling->output_edges);
  }
  return taken;
}

/* Returns how a function depends on a port, given the constants.  Bit 0: it follows the port; bit
   1: it follows the inverted port. */
static uint32_t sense_at(const Off *off, FunctionId f, PortId port)
{
  return library_sense_given(off->libs, f, port, logic_port_value, (void *)&off->at);
}

/* Returns the edge pairs of an arc that enables (disables) an output: those whose input edge does
   so, with any output edge. */
static uint8_t switching_pairs(const Off *off, const LibArc *arc, const LibPort *to)
{
  uint32_t floats = sense_at(off, to->three_state, arc->from);
  bool enable = arc->type == ARC_TRISTATE_ENABLE;
  bool by_rise = floats >> enable & 1, by_fall = floats >> !enable & 1;
  return (uint8_t)((by_rise ? 3 : 0) << 2 * RISE | (by_fall ? 3 : 0) << 2 * FALL);
}

static bool switches(const Off *off, const LibArc *arc, const LibPort *to)
{
  return (arc->type == ARC_TRISTATE_ENABLE || arc->type == ARC_TRISTATE_DISABLE) &&
         library_function_uses(off->libs, to->three_state, arc->from);
}

/* Returns the edge pairs by which the output can follow the arc's start, given the constants at the
   instance. */
static uint8_t pairs_by_function(const Off *off, const LibArc *arc)
{
  const LibPort *to = &off->libs->ports.at[arc->to];
  if (logic_drives(&off->at, to) == 0) return 0;
  if (switches(off, arc, to)) return switching_pairs(off, arc, to);
  if (arc->type != ARC_COMBINATIONAL || !library_function_uses(off->libs, to->function, arc->from))
    return ALL_PAIRS;
  uint32_t sense = sense_at(off, to->function, arc->from);
  return (sense & 1 ? AS_IT_IS : 0) | (sense & 2 ? INVERTED : 0);
}

/* Returns the edge pairs that constants leave to an arc. 0: the arc is off. */
static uint8_t pairs_left(const Off *off, const BuildArc *arc)
{
  const LibArc *lib = &off->libs->arcs.at[arc->lib];
  const uint8_t *logic = off->build->logic;
  if (logic[arc->from] != LOGIC_UNKNOWN || logic[arc->to] != LOGIC_UNKNOWN) return 0;
  if (logic_value(&off->at, lib->when) == 0) return 0;
  return pairs_by_function(off, lib) & arc_pair_mask(lib) & (uint8_t)~pairs_taken(off, lib);
}

/* Returns why an arc is off.  Slews have to be safe in every mode.  So an arc that constants at its
   cell block still shapes the slew of its end.  An arc that is never timed does not. */
static uint8_t why_off(const Off *off, const BuildArc *arc)
{
  const LibArc *lib = &off->libs->arcs.at[arc->lib];
  if (off->build->logic[arc->from] != LOGIC_UNKNOWN) return ARC_OFF_CONSTANT;
  bool taken = !(arc_pair_mask(lib) & ~pairs_taken(off, lib));
  if (taken && default_arcs(off) == DEFAULT_ARCS_NEVER) return ARC_OFF_TYPE;
  return ARC_OFF_CONSTANT | ARC_BLOCKED;
}

static void switch_off_arcs(Build *build, Off *off, uint32_t first, uint32_t end)
{
  for (uint32_t a = first; a < end && off->look; a++) {
    LibArcId lib = build->arcs.at[a].lib;
    if (takes_over(off, off->libs->arcs.at[lib].when)) array_push(&off->counting, lib);
  }
  for (uint32_t a = first; a < end; a++) {
    const BuildArc *arc = &build->arcs.at[a];
    if (!off->look && build->logic[arc->to] == LOGIC_UNKNOWN) continue;
    build->arc_live[a] = pairs_left(off, arc);
    if (!build->arc_live[a]) build->arc_flags[a] |= why_off(off, arc);
  }
}

static InstId inst_of(const Build *build, VertexId v)
{
  return build->g->netlist->pins.at[build->pin[v]].inst;
}

void build_constant_arcs(Build *build)
{
  build->arc_live = mem_alloc(build->arcs.len + 1);
  memset(build->arc_live, ALL_PAIRS, build->arcs.len);
  Off x = off_begin(build);
  for (uint32_t a = 0, end; a < build->arcs.len; a = end) {
    InstId inst = inst_of(build, build->arcs.at[a].to);
    for (end = a + 1; end < build->arcs.len && inst_of(build, build->arcs.at[end].to) == inst;)
      end++;
    off_at(&x, inst);
    switch_off_arcs(build, &x, a, end);
  }
  off_end(&x);
}

/* --- checks ----------------------------------------------------------------------------------- */
static FunctionId condition_of_check(const Off *off, const Check *check)
{
  return check->lib == NO_LIB_ARC ? NO_FUNCTION : off->libs->arcs.at[check->lib].when;
}

static bool same_check(const Check *a, const Check *b)
{
  return a->clock == b->clock && a->data == b->data && a->type == b->type &&
         a->clock_edge == b->clock_edge && a->trailing == b->trailing;
}

/* Returns the data edges for which a check replaces its siblings. A least period applies to both
   edges, whichever edge it is given for. */
static uint8_t edges_taken_by(const Off *off, const Check *sibling)
{
  if (sibling->type == ARC_MIN_PERIOD) return 1 << RISE | 1 << FALL;
  return graph_checked_edges(off->build->g, sibling);
}

/* Returns the data edges of a check without a condition that its siblings replace. */
static uint8_t edges_taken(const Off *off, const Check *check)
{
  uint8_t taken = 0;
  for (uint32_t i = 0; i < off->counting.len; i++) {
    const Check *sibling = &off->build->checks.at[off->counting.at[i]];
    if (same_check(check, sibling)) taken |= edges_taken_by(off, sibling);
  }
  return taken & graph_checked_edges(off->build->g, check);
}

static void switch_off_check(const Off *off, Check *check)
{
  FunctionId when = condition_of_check(off, check);
  if (when != NO_FUNCTION) {
    if (logic_value(&off->at, when) == 0) check->off |= ARC_OFF_CONSTANT;
  } else if (check->lib != NO_LIB_ARC && lib_arc_is_default(&off->libs->arcs.at[check->lib])) {
    uint8_t all = graph_checked_edges(off->build->g, check);
    check->off_edges = edges_taken(off, check);
    uint8_t why = default_arcs(off) == DEFAULT_ARCS_NEVER ? ARC_OFF_TYPE : ARC_OFF_CONSTANT;
    if (check->off_edges && check->off_edges == all) check->off |= why;
  }
}

static void switch_off_checks(Build *build, Off *off, CheckId first, CheckId end)
{
  for (CheckId i = first; i < end; i++)
    if (takes_over(off, condition_of_check(off, &build->checks.at[i])))
      array_push(&off->counting, i);
  for (CheckId i = first; i < end; i++) switch_off_check(off, &build->checks.at[i]);
}

void build_constant_checks(Build *build)
{
  Off x = off_begin(build);
  for (CheckId i = 0, end; i < build->checks.len; i = end) {
    InstId inst = inst_of(build, build->checks.at[i].data);
    for (end = i + 1;
         end < build->checks.len && inst_of(build, build->checks.at[end].data) == inst;)
      end++;
    off_at(&x, inst);
    if (x.look) switch_off_checks(build, &x, i, end);
  }
  off_end(&x);
}
