/* Clock gating checks: spreads the margins of ports and pins through the fan-out, looks up the
   margin of a gate, and finds constraints without a gate. */
#include "graph/gating.h"

#include <math.h>

#include "base/hash.h"
#include "graph/hierarchy.h"

typedef struct { float margin[2][2]; } Margins;      /* [HOLD, SETUP][edge]; NAN */
typedef uint32_t MarginsId;                           /* 0: nothing */

struct GatingGiven {
  const Graph *g;
  ARRAY(Margins) margins;
  Map       *index;          /* hash of margins -> MarginsId */
  Map       *at;             /* slot -> MarginsId of the margins given at its pin */
  bool       of_cells;       /* a constraint names cells */
  MarginsId *inherited;      /* [slots]: the margins that apply there; NULL: no constraint names
                                pins or cells */
  uint8_t   *gate;           /* [slots]: pins of gates */
};

/* --- margins as numbers ----------------------------------------------------------------------- */

static MarginsId margins_add(GatingGiven *given, Margins m)
{
  uint64_t key = (uint64_t)hash_bytes((const char *)&m, sizeof m) << 16;
  for (;; key++) {
    uint32_t i = map_get(given->index, key);
    if (i == MAP_NO_VALUE) break;
    if (memcmp(&given->margins.at[i], &m, sizeof m) == 0) return i;
  }
  array_push(&given->margins, m);
  map_put(given->index, key, given->margins.len - 1);
  return given->margins.len - 1;
}

/* Returns the margins of two places together: those of the nearer place, and for values that it
   lacks those of the farther one. */
static MarginsId overlay(GatingGiven *given, MarginsId near, MarginsId far)
{
  if (near == 0 || far == 0 || near == far) return near ? near : far;
  Margins m = given->margins.at[near];
  for (int i = 0; i < 4; i++)
    if (isnan(m.margin[i >> 1][i & 1]))
      m.margin[i >> 1][i & 1] = given->margins.at[far].margin[i >> 1][i & 1];
  return margins_add(given, m);
}

/* Returns the margins where two ways meet: the greater value counts. */
static MarginsId worse(GatingGiven *given, MarginsId a, MarginsId b)
{
  if (a == 0 || b == 0 || a == b) return a ? a : b;
  Margins m = given->margins.at[a];
  for (int i = 0; i < 4; i++) {
    float other = given->margins.at[b].margin[i >> 1][i & 1], *at = &m.margin[i >> 1][i & 1];
    if (isnan(*at) || other > *at) *at = other;
  }
  return margins_add(given, m);
}

/* --- where margins are given ------------------------------------------------------------------ */

typedef struct {
  GatingGiven *given;
  MarginsId    id;
} SaidAt;

static void put_at(void *data, Slot slot)
{
  SaidAt *at = data;
  if (slot == NO_SLOT) return;
  uint32_t had = map_get(at->given->at, slot);
  map_put(at->given->at, slot, overlay(at->given, at->id, had == MAP_NO_VALUE ? 0 : had));
}

static void read_check(GatingGiven *given, const GatingCheck *check)
{
  Margins m;
  memcpy(m.margin, check->margin, sizeof m.margin);
  given->of_cells |= check->object.type == OBJ_CELL;
  if (check->object.type != OBJ_PIN && check->object.type != OBJ_PORT) return;
  SaidAt s = { given, margins_add(given, m) };
  if (pin_is_hierarchical(given->g->netlist, check->object.id)) {
    graph_crossing_loads(given->g, check->object.id, put_at, &s);
    return;
  }
  Slot load = graph_slot(given->g, check->object.id, false),
       driver = graph_slot(given->g, check->object.id, true);
  put_at(&s, load);
  if (driver != load) put_at(&s, driver);
}

static InstId cell_of(const GatingGiven *given, Slot slot)
{
  PinId pin = given->g->slots.pin[slot];
  return pin_is_top_port(given->g->netlist, pin) ? NO_INST : given->g->netlist->pins.at[pin].inst;
}

static MarginsId said_at(GatingGiven *given, Slot slot)
{
  uint32_t id = map_count(given->at) ? map_get(given->at, slot) : MAP_NO_VALUE;
  MarginsId own = id == MAP_NO_VALUE ? 0 : id;
  if (!given->of_cells || !slot_is_driver(given->g, slot) || cell_of(given, slot) == NO_INST)
    return own;
  const GatingCheck *check = constraints_find_gating_check(
      given->g->constraints, (Object){ OBJ_CELL, cell_of(given, slot) });
  if (check == NULL) return own;
  Margins m;
  memcpy(m.margin, check->margin, sizeof m.margin);
  return overlay(given, own, margins_add(given, m));
}

static MarginsId before_driver(GatingGiven *given, Slot driver)
{
  const Graph *g = given->g;
  MarginsId id = 0;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    if (arc_on(g, a) && g->libs->arcs.at[g->arcs.lib[a]].type == ARC_COMBINATIONAL)
      id = worse(given, id, given->inherited[g->arcs.from[a]]);
  return id;
}

static MarginsId before_load(GatingGiven *given, Slot load)
{
  const Graph *g = given->g;
  uint32_t from, to;
  if (g->nets.wire_driver[load] == NO_SLOT) return 0;
  MarginsId id = given->inherited[g->nets.wire_driver[load]];
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    id = worse(given, id, given->inherited[g->nets.extra_wires.at[i].driver]);
  return id;
}

static void spread(GatingGiven *given)
{
  const Graph *g = given->g;
  given->inherited = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *given->inherited);
  for (uint32_t level = 0; level < g->levels.count; level++)
    for (Slot s = g->levels.first[level]; s < g->levels.first[level + 1]; s++)
      given->inherited[s] =
          overlay(given, said_at(given, s),
                  slot_is_driver(g, s) ? before_driver(given, s) : before_load(given, s));
}

GatingGiven *gating_given_new(const Graph *g)
{
  GatingGiven *given = mem_alloc_zero(1, sizeof *given);
  *given = (GatingGiven){ .g = g, .index = map_new(), .at = map_new() };
  given->gate = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  margins_add(given, (Margins){ { { NAN, NAN }, { NAN, NAN } } });
  const Constraints *c = g->constraints;
  uint32_t *order = RECORD_ORDER(c->gating_checks, 2);
  for (uint32_t i = 0; i < c->gating_checks.len; i++)
    read_check(given, &c->gating_checks.at[order[i]]);
  mem_free(order);
  if (map_count(given->at) || given->of_cells) spread(given);
  return given;
}

void gating_given_free(GatingGiven *given)
{
  map_free(given->index);
  map_free(given->at);
  array_free(&given->margins);
  mem_free(given->inherited);
  mem_free(given->gate);
  mem_free(given);
}

/* --- what holds for a gate -------------------------------------------------------------------- */

static InstId gate_cell(const GatingGiven *given, GatePins gate)
{
  return given->g->netlist->pins.at[given->g->slots.pin[gate.enable]].inst;
}

static const GatingCheck *check_of(const GatingGiven *given, uint32_t type, uint32_t id)
{
  return constraints_find_gating_check(given->g->constraints, (Object){ type, id });
}

/* Returns the margin that is given at the gate itself: for its enable pin, its cell or its clock
   pin, else for the cells around it. */
static float margin_at_gate(const GatingGiven *given, GatePins gate, int check, int edge)
{
  InstId inst = gate_cell(given, gate);
  const GatingCheck *own[] = { check_of(given, OBJ_PIN, given->g->slots.pin[gate.enable]),
                               check_of(given, OBJ_CELL, inst),
                               check_of(given, OBJ_PIN, given->g->slots.pin[gate.clock]) };
  for (int i = 0; i < 3; i++)
    if (own[i] && !isnan(own[i]->margin[check][edge])) return own[i]->margin[check][edge];
  for (inst = given->g->netlist->insts.at[inst].parent; inst != NO_INST;
       inst = given->g->netlist->insts.at[inst].parent) {
    const GatingCheck *gating_check = check_of(given, OBJ_CELL, inst);
    if (gating_check && !isnan(gating_check->margin[check][edge]))
      return gating_check->margin[check][edge];
  }
  return NAN;
}

static float inherited_margin(const GatingGiven *given, GatePins gate, int check, int edge)
{
  if (given->inherited == NULL) return NAN;
  float enable = given->margins.at[given->inherited[gate.enable]].margin[check][edge],
        clock = given->margins.at[given->inherited[gate.clock]].margin[check][edge];
  return isnan(enable) || clock > enable ? clock : enable;
}

float gating_margin(const GatingGiven *given, GatePins gate, ClockId clock, int check, int edge)
{
  float margin = margin_at_gate(given, gate, check, edge);
  if (isnan(margin)) margin = inherited_margin(given, gate, check, edge);
  const GatingCheck *wide[] = { check_of(given, OBJ_CLOCK, clock), check_of(given, OBJ_DESIGN, 0) };
  for (int i = 0; i < 2 && isnan(margin); i++)
    if (wide[i]) margin = wide[i]->margin[check][edge];
  return isnan(margin) ? 0 : margin;
}

int gating_open_value_given(const GatingGiven *given, GatePins gate, int open_value)
{
  const GatingCheck *own[] = { check_of(given, OBJ_PIN, given->g->slots.pin[gate.enable]),
                               check_of(given, OBJ_CELL, gate_cell(given, gate)),
                               check_of(given, OBJ_PIN, given->g->slots.pin[gate.clock]) };
  for (int i = 0; i < 3; i++)
    if (own[i] && own[i]->open_value >= 0) return own[i]->open_value;
  return open_value;
}

bool gating_is_disabled(const GatingGiven *given, GatePins gate)
{
  const Constraints *c = given->g->constraints;
  const Slot slots[] = { gate.enable, gate.clock, gate.output };
  if (c->gating_disabled.len == 0) return false;
  for (int i = 0; i < 3; i++)
    if (constraints_gating_is_disabled(c, (Object){ OBJ_PIN, given->g->slots.pin[slots[i]] }))
      return true;
  for (InstId inst = gate_cell(given, gate); inst != NO_INST;
       inst = given->g->netlist->insts.at[inst].parent)
    if (constraints_gating_is_disabled(c, (Object){ OBJ_CELL, inst })) return true;
  return false;
}

/* --- what no gate heeds ----------------------------------------------------------------------- */

/* Marks of slots.  GATE_INPUT (also a mark of cells): there is a gate.  SHAPELESS: the input of a
   gate without a check, which is neither AND-like nor OR-like.  SOURCE_BEHIND: leads, also through
   registers, to the source of a clock that has gates behind it. */
enum {
  GATE_INPUT = 1, GATE_OUTPUT = 2, GATE_BEHIND = 4, SHAPELESS = 8, SHAPELESS_BEHIND = 16,
  SOURCE_BEHIND = 32
};

void gating_note(GatingGiven *given, GatePins gate)
{
  given->gate[gate.clock] |= GATE_INPUT;
  given->gate[gate.enable] |= GATE_INPUT;
  given->gate[gate.output] |= GATE_OUTPUT;
}

void gating_note_shapeless(GatingGiven *given, GatePins gate)
{
  given->gate[gate.clock] |= SHAPELESS;
  given->gate[gate.enable] |= SHAPELESS;
}

/* The marks that a slot gets from the ends of its arcs, in the direction in which margins are
   spread. */
static uint8_t marks_behind(const GatingGiven *given, Slot s)
{
  const Graph *g = given->g;
  uint8_t marks = 0;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    uint8_t ahead = given->gate[g->arcs.to[a]];
    if (!arc_on(g, a)) continue;
    if (g->libs->arcs.at[g->arcs.lib[a]].type == ARC_COMBINATIONAL)
      marks |= ahead & (GATE_BEHIND | SHAPELESS_BEHIND | SOURCE_BEHIND);
    else if (graph_arc_is_launch(g, a)) marks |= ahead & SOURCE_BEHIND;
  }
  return marks;
}

/* Marks slots that lead to a gate, over wires and arcs. */
static void mark_leading(GatingGiven *given)
{
  const Graph *g = given->g;
  for (Slot s = g->slots.count; s-- > 0;) {
    uint8_t own = given->gate[s];
    uint8_t marks = own & (GATE_BEHIND | SHAPELESS_BEHIND | SOURCE_BEHIND);
    if (own & GATE_INPUT) marks |= GATE_BEHIND;
    if (own & SHAPELESS) marks |= SHAPELESS_BEHIND;
    marks |= marks_behind(given, s);
    if (marks & GATE_BEHIND && g->slots.flags[s] & SLOT_CLOCK_SOURCE) marks |= SOURCE_BEHIND;
    if (!marks) continue;
    given->gate[s] |= marks;
    if (!slot_is_driver(g, s) && g->nets.wire_driver[s] != NO_SLOT)
      given->gate[g->nets.wire_driver[s]] |= marks;
    uint32_t from, to;
    graph_extra_wires(g, s, &from, &to);
    for (uint32_t i = from; i < to; i++) given->gate[g->nets.extra_wires.at[i].driver] |= marks;
  }
}

/* Returns the marks of each cell: those of its pins, and for hierarchical cells those of the gates
   inside. */
static uint8_t *marks_of_cells(const GatingGiven *given)
{
  const Netlist *n = given->g->netlist;
  uint8_t *marks = mem_alloc_zero((size_t)n->insts.len + 1, 1);
  for (Slot s = 0; s < given->g->slots.count; s++) {
    InstId inst = given->gate[s] ? cell_of(given, s) : NO_INST;
    if (inst == NO_INST) continue;
    uint8_t inside = given->gate[s] & (GATE_INPUT | SHAPELESS);
    marks[inst] |= given->gate[s] & (uint8_t)~GATE_OUTPUT;
    for (InstId i = n->insts.at[inst].parent; i != NO_INST && inside & ~marks[i];
         i = n->insts.at[i].parent)
      marks[i] |= inside;
  }
  return marks;
}

typedef struct {
  const uint8_t *marks;
  uint8_t any;
} Marked;

static void look(void *data, Slot slot)
{
  Marked *marked = data;
  if (slot != NO_SLOT) marked->any |= marked->marks[slot];
}

static uint8_t pin_marks(const GatingGiven *given, PinId pin)
{
  Marked m = { given->gate, 0 };
  if (pin_is_hierarchical(given->g->netlist, pin)) {
    graph_crossing_loads(given->g, pin, look, &m);
    return m.any & (GATE_BEHIND | SHAPELESS_BEHIND | SOURCE_BEHIND);
  }
  look(&m, graph_slot(given->g, pin, false));
  look(&m, graph_slot(given->g, pin, true));
  return m.any;
}

static bool is_placed(Object o)
{
  return o.type == OBJ_PIN || o.type == OBJ_PORT || o.type == OBJ_CELL;
}
static bool is_leaf(const Netlist *n, Object o)
{
  return o.type != OBJ_CELL || inst_is_leaf(n, o.id);
}

static void mark_masters(const GatingGiven *given, ClockId clock, uint8_t *gated)
{
  const Constraints *c = given->g->constraints;
  ClockId master = c->clocks.at[clock].derived_master;
  for (; master != NO_CLOCK && !(gated[master] & SOURCE_BEHIND);
       master = c->clocks.at[master].derived_master)
    gated[master] |= SOURCE_BEHIND;
}

/* For each clock: the marks GATE_INPUT and SHAPELESS of the pins that it reaches, and SOURCE_BEHIND
   if a clock generated from it has a gate. */
static uint8_t *gated_clocks(const GatingGiven *given)
{
  const TagTable *tags = given->g->tags;
  const Constraints *c = given->g->constraints;
  uint8_t *gated = mem_alloc_zero((size_t)c->clocks.len + 1, 1);
  for (Slot s = 0; s < given->g->slots.count; s++) {
    uint8_t marks = given->gate[s] & (GATE_INPUT | SHAPELESS);
    TagSetId set = marks ? given->g->nodes.slot_tags[s] : EMPTY_SET;
    for (uint32_t i = 0; i < tag_set_count(tags, set); i++) {
      const Tag *tag = &tags->tags.at[tag_set_tags(tags, set)[i]];
      if (tag_is_clock(tag)) gated[clock_edge_clock(tag->clock_edge)] |= marks;
    }
  }
  for (ClockId k = 0; k < c->clocks.len; k++)
    if (gated[k] & GATE_INPUT) mark_masters(given, k, gated);
  return gated;
}

/* Returns why a margin of a clock, port, pin or cell has no effect. */
static const char *ungated(uint8_t marks, bool clock)
{
  if (marks & (SHAPELESS | SHAPELESS_BEHIND))
    return clock ? "without -high or -low, gates that are neither AND nor OR have no check, and "
                   "there is no other gate of"
                 : "without -high or -low, gates that are neither AND nor OR have no check, and "
                   "there is no other at or downstream of";
  if (marks & SOURCE_BEHIND)
    return clock ? "clock gates have only clocks that are generated from"
                 : "margins end where a register generates a clock, and all clock gates are "
                   "downstream of such a register, seen from";
  return clock ? "there is no clock gate of" : "there is no clock gate at or downstream of";
}

/* Warns of margins for clocks that have no gate.  The command itself warns of virtual clocks. */
static void find_ungated_clocks(const GatingGiven *given, IdleList *list)
{
  const Constraints *c = given->g->constraints;
  uint8_t *gated = NULL;
  for (uint32_t i = 0; i < c->gating_checks.len; i++) {
    const GatingCheck *check = &c->gating_checks.at[i];
    bool clock = check->object.type == OBJ_CLOCK;
    if (clock && clock_has_no_source(&c->clocks.at[check->object.id])) continue;
    if (clock && gated == NULL) gated = gated_clocks(given);
    uint8_t marks = clock ? gated[check->object.id] : GATE_INPUT;
    idle_add(list, given->g, check->said,
             (Idle){ .object = check->object,
                     .clock = NO_CLOCK,
                     .code = "GRAPH-027",
                     .problem = marks & GATE_INPUT ? NULL : ungated(marks, true) });
  }
  mem_free(gated);
}

void gating_find_idle(GatingGiven *given, IdleList *list)
{
  const Constraints *c = given->g->constraints;
  find_ungated_clocks(given, list);
  if (given->inherited == NULL && c->gating_disabled.len == 0) return;
  mark_leading(given);
  uint8_t *cells = marks_of_cells(given);
  for (uint32_t i = 0; i < c->gating_checks.len; i++) {
    const GatingCheck *check = &c->gating_checks.at[i];
    Said said = constraints_command(c, check->said);
    if (!is_placed(check->object) || said.command == NULL) continue;
    uint8_t marks = check->object.type == OBJ_CELL ? cells[check->object.id]
                                                   : pin_marks(given, check->object.id);
    bool has_value = check->open_value >= 0;
    if (has_value ? marks & GATE_INPUT && is_leaf(given->g->netlist, check->object)
              : marks & (GATE_INPUT | GATE_BEHIND))
      continue;
    const char *problem =
        has_value ? "-high and -low are for input pins and cells of clock gates, not for"
              : ungated(marks, false);
    array_push(list, ((Idle){ said, check->object, NO_CLOCK, "GRAPH-027", problem, 0 }));
  }
  for (uint32_t i = 0; i < c->gating_disabled.len; i++) {
    const GatingDisabled *disabled = &c->gating_disabled.at[i];
    uint8_t marks = disabled->object.type == OBJ_CELL ? cells[disabled->object.id]
                                                      : pin_marks(given, disabled->object.id);
    if (!disabled->said.command || marks & (GATE_INPUT | GATE_OUTPUT)) continue;
    const char *problem = marks & SHAPELESS ? "no check is inferred anyway at the gate, neither "
                                              "AND nor OR, of"
                                            : "there is no clock gate at";
    array_push(list,
               ((Idle){ disabled->said, disabled->object, NO_CLOCK, "GRAPH-027", problem, 0 }));
  }
  mem_free(cells);
}
