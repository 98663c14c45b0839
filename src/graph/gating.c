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

static MarginsId margins_add(GatingGiven *x, Margins m)
{
  uint64_t key = (uint64_t)hash_bytes((const char *)&m, sizeof m) << 16;
  for (;; key++) {
    uint32_t i = map_get(x->index, key);
    if (i == MAP_NO_VALUE) break;
    if (memcmp(&x->margins.at[i], &m, sizeof m) == 0) return i;
  }
  array_push(&x->margins, m);
  map_put(x->index, key, x->margins.len - 1);
  return x->margins.len - 1;
}

/* Returns the margins of two places together: those of the nearer place, and for values that it
   lacks those of the farther one. */
static MarginsId overlay(GatingGiven *x, MarginsId near, MarginsId far)
{
  if (near == 0 || far == 0 || near == far) return near ? near : far;
  Margins m = x->margins.at[near];
  for (int i = 0; i < 4; i++)
    if (isnan(m.margin[i >> 1][i & 1]))
      m.margin[i >> 1][i & 1] = x->margins.at[far].margin[i >> 1][i & 1];
  return margins_add(x, m);
}

/* Returns the margins where two ways meet: the greater value counts. */
static MarginsId worse(GatingGiven *x, MarginsId a, MarginsId b)
{
  if (a == 0 || b == 0 || a == b) return a ? a : b;
  Margins m = x->margins.at[a];
  for (int i = 0; i < 4; i++) {
    float other = x->margins.at[b].margin[i >> 1][i & 1], *at = &m.margin[i >> 1][i & 1];
    if (isnan(*at) || other > *at) *at = other;
  }
  return margins_add(x, m);
}

/* --- where margins are given ------------------------------------------------------------------ */

typedef struct {
  GatingGiven *x;
  MarginsId    id;
} SaidAt;

static void put_at(void *data, Slot slot)
{
  SaidAt *s = data;
  if (slot == NO_SLOT) return;
  uint32_t had = map_get(s->x->at, slot);
  map_put(s->x->at, slot, overlay(s->x, s->id, had == MAP_NO_VALUE ? 0 : had));
}

static void read_check(GatingGiven *x, const GatingCheck *c)
{
  Margins m;
  memcpy(m.margin, c->margin, sizeof m.margin);
  x->of_cells |= c->object.type == OBJ_CELL;
  if (c->object.type != OBJ_PIN && c->object.type != OBJ_PORT) return;
  SaidAt s = { x, margins_add(x, m) };
  if (pin_is_hierarchical(x->g->netlist, c->object.id)) {
    graph_crossing_loads(x->g, c->object.id, put_at, &s);
    return;
  }
  Slot load = graph_slot(x->g, c->object.id, false), driver = graph_slot(x->g, c->object.id, true);
  put_at(&s, load);
  if (driver != load) put_at(&s, driver);
}

static InstId cell_of(const GatingGiven *x, Slot slot)
{
  PinId pin = x->g->slots.pin[slot];
  return pin_is_top_port(x->g->netlist, pin) ? NO_INST : x->g->netlist->pins.at[pin].inst;
}

static MarginsId said_at(GatingGiven *x, Slot slot)
{
  uint32_t id = map_count(x->at) ? map_get(x->at, slot) : MAP_NO_VALUE;
  MarginsId own = id == MAP_NO_VALUE ? 0 : id;
  if (!x->of_cells || !slot_is_driver(x->g, slot) || cell_of(x, slot) == NO_INST) return own;
  const GatingCheck *c =
      constraints_find_gating_check(x->g->constraints, (Object){ OBJ_CELL, cell_of(x, slot) });
  if (c == NULL) return own;
  Margins m;
  memcpy(m.margin, c->margin, sizeof m.margin);
  return overlay(x, own, margins_add(x, m));
}

static MarginsId before_driver(GatingGiven *x, Slot driver)
{
  const Graph *g = x->g;
  MarginsId id = 0;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++)
    if (arc_on(g, a) && g->libs->arcs.at[g->arcs.lib[a]].type == ARC_COMBINATIONAL)
      id = worse(x, id, x->inherited[g->arcs.from[a]]);
  return id;
}

static MarginsId before_load(GatingGiven *x, Slot load)
{
  const Graph *g = x->g;
  uint32_t from, to;
  if (g->nets.wire_driver[load] == NO_SLOT) return 0;
  MarginsId id = x->inherited[g->nets.wire_driver[load]];
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    id = worse(x, id, x->inherited[g->nets.extra_wires.at[i].driver]);
  return id;
}

static void spread(GatingGiven *x)
{
  const Graph *g = x->g;
  x->inherited = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *x->inherited);
  for (uint32_t level = 0; level < g->levels.count; level++)
    for (Slot s = g->levels.first[level]; s < g->levels.first[level + 1]; s++)
      x->inherited[s] =
          overlay(x, said_at(x, s), slot_is_driver(g, s) ? before_driver(x, s) : before_load(x, s));
}

GatingGiven *gating_given_new(const Graph *g)
{
  GatingGiven *x = mem_alloc_zero(1, sizeof *x);
  *x = (GatingGiven){ .g = g, .index = map_new(), .at = map_new() };
  x->gate = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  margins_add(x, (Margins){ { { NAN, NAN }, { NAN, NAN } } });
  const Constraints *c = g->constraints;
  uint32_t *order = RECORD_ORDER(c->gating_checks, 2);
  for (uint32_t i = 0; i < c->gating_checks.len; i++) read_check(x, &c->gating_checks.at[order[i]]);
  mem_free(order);
  if (map_count(x->at) || x->of_cells) spread(x);
  return x;
}

void gating_given_free(GatingGiven *x)
{
  map_free(x->index);
  map_free(x->at);
  array_free(&x->margins);
  mem_free(x->inherited);
  mem_free(x->gate);
  mem_free(x);
}

/* --- what holds for a gate -------------------------------------------------------------------- */

static InstId gate_cell(const GatingGiven *x, GatePins gate)
{
  return x->g->netlist->pins.at[x->g->slots.pin[gate.enable]].inst;
}

static const GatingCheck *check_of(const GatingGiven *x, uint32_t type, uint32_t id)
{
  return constraints_find_gating_check(x->g->constraints, (Object){ type, id });
}

/* Returns the margin that is given at the gate itself: for its enable pin, its cell or its clock
   pin, else for the cells around it. */
static float margin_at_gate(const GatingGiven *x, GatePins gate, int check, int edge)
{
  InstId inst = gate_cell(x, gate);
  const GatingCheck *own[] = { check_of(x, OBJ_PIN, x->g->slots.pin[gate.enable]),
                               check_of(x, OBJ_CELL, inst),
                               check_of(x, OBJ_PIN, x->g->slots.pin[gate.clock]) };
  for (int i = 0; i < 3; i++)
    if (own[i] && !isnan(own[i]->margin[check][edge])) return own[i]->margin[check][edge];
  for (inst = x->g->netlist->insts.at[inst].parent; inst != NO_INST;
       inst = x->g->netlist->insts.at[inst].parent) {
    const GatingCheck *c = check_of(x, OBJ_CELL, inst);
    if (c && !isnan(c->margin[check][edge])) return c->margin[check][edge];
  }
  return NAN;
}

static float inherited_margin(const GatingGiven *x, GatePins gate, int check, int edge)
{
  if (x->inherited == NULL) return NAN;
  float enable = x->margins.at[x->inherited[gate.enable]].margin[check][edge],
        clock = x->margins.at[x->inherited[gate.clock]].margin[check][edge];
  return isnan(enable) || clock > enable ? clock : enable;
}

float gating_margin(const GatingGiven *x, GatePins gate, ClockId clock, int check, int edge)
{
  float margin = margin_at_gate(x, gate, check, edge);
  if (isnan(margin)) margin = inherited_margin(x, gate, check, edge);
  const GatingCheck *wide[] = { check_of(x, OBJ_CLOCK, clock), check_of(x, OBJ_DESIGN, 0) };
  for (int i = 0; i < 2 && isnan(margin); i++)
    if (wide[i]) margin = wide[i]->margin[check][edge];
  return isnan(margin) ? 0 : margin;
}

int gating_level_given(const GatingGiven *x, GatePins gate, int level)
{
  const GatingCheck *own[] = { check_of(x, OBJ_PIN, x->g->slots.pin[gate.enable]),
                               check_of(x, OBJ_CELL, gate_cell(x, gate)),
                               check_of(x, OBJ_PIN, x->g->slots.pin[gate.clock]) };
  for (int i = 0; i < 3; i++)
    if (own[i] && own[i]->level >= 0) return own[i]->level;
  return level;
}

bool gating_is_disabled(const GatingGiven *x, GatePins gate)
{
  const Constraints *c = x->g->constraints;
  const Slot slots[] = { gate.enable, gate.clock, gate.output };
  if (c->gating_disabled.len == 0) return false;
  for (int i = 0; i < 3; i++)
    if (constraints_gating_is_disabled(c, (Object){ OBJ_PIN, x->g->slots.pin[slots[i]] }))
      return true;
  for (InstId inst = gate_cell(x, gate); inst != NO_INST;
       inst = x->g->netlist->insts.at[inst].parent)
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

void gating_note(GatingGiven *x, GatePins gate)
{
  x->gate[gate.clock] |= GATE_INPUT;
  x->gate[gate.enable] |= GATE_INPUT;
  x->gate[gate.output] |= GATE_OUTPUT;
}

void gating_note_shapeless(GatingGiven *x, GatePins gate)
{
  x->gate[gate.clock] |= SHAPELESS;
  x->gate[gate.enable] |= SHAPELESS;
}

/* The marks that a slot gets from the ends of its arcs, in the direction in which margins are
   spread. */
static uint8_t marks_behind(const GatingGiven *x, Slot s)
{
  const Graph *g = x->g;
  uint8_t marks = 0;
  for (uint32_t i = g->arcs.out_first[s]; i < g->arcs.out_first[s + 1]; i++) {
    ArcId a = g->arcs.out[i];
    uint8_t ahead = x->gate[g->arcs.to[a]];
    if (!arc_on(g, a)) continue;
    if (g->libs->arcs.at[g->arcs.lib[a]].type == ARC_COMBINATIONAL)
      marks |= ahead & (GATE_BEHIND | SHAPELESS_BEHIND | SOURCE_BEHIND);
    else if (graph_arc_is_launch(g, a)) marks |= ahead & SOURCE_BEHIND;
  }
  return marks;
}

/* Marks slots that lead to a gate, over wires and arcs. */
static void mark_leading(GatingGiven *x)
{
  const Graph *g = x->g;
  for (Slot s = g->slots.count; s-- > 0;) {
    uint8_t own = x->gate[s];
    uint8_t marks = own & (GATE_BEHIND | SHAPELESS_BEHIND | SOURCE_BEHIND);
    if (own & GATE_INPUT) marks |= GATE_BEHIND;
    if (own & SHAPELESS) marks |= SHAPELESS_BEHIND;
    marks |= marks_behind(x, s);
    if (marks & GATE_BEHIND && g->slots.flags[s] & SLOT_CLOCK_SOURCE) marks |= SOURCE_BEHIND;
    if (!marks) continue;
    x->gate[s] |= marks;
    if (!slot_is_driver(g, s) && g->nets.wire_driver[s] != NO_SLOT)
      x->gate[g->nets.wire_driver[s]] |= marks;
    uint32_t from, to;
    graph_extra_wires(g, s, &from, &to);
    for (uint32_t i = from; i < to; i++) x->gate[g->nets.extra_wires.at[i].driver] |= marks;
  }
}

/* Returns the marks of each cell: those of its pins, and for hierarchical cells those of the gates
   inside. */
static uint8_t *marks_of_cells(const GatingGiven *x)
{
  const Netlist *n = x->g->netlist;
  uint8_t *marks = mem_alloc_zero((size_t)n->insts.len + 1, 1);
  for (Slot s = 0; s < x->g->slots.count; s++) {
    InstId inst = x->gate[s] ? cell_of(x, s) : NO_INST;
    if (inst == NO_INST) continue;
    uint8_t inside = x->gate[s] & (GATE_INPUT | SHAPELESS);
    marks[inst] |= x->gate[s] & (uint8_t)~GATE_OUTPUT;
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
  Marked *m = data;
  if (slot != NO_SLOT) m->any |= m->marks[slot];
}

static uint8_t pin_marks(const GatingGiven *x, PinId pin)
{
  Marked m = { x->gate, 0 };
  if (pin_is_hierarchical(x->g->netlist, pin)) {
    graph_crossing_loads(x->g, pin, look, &m);
    return m.any & (GATE_BEHIND | SHAPELESS_BEHIND | SOURCE_BEHIND);
  }
  look(&m, graph_slot(x->g, pin, false));
  look(&m, graph_slot(x->g, pin, true));
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

static void mark_masters(const GatingGiven *x, ClockId clock, uint8_t *gated)
{
  const Constraints *c = x->g->constraints;
  ClockId master = c->clocks.at[clock].derived_master;
  for (; master != NO_CLOCK && !(gated[master] & SOURCE_BEHIND);
       master = c->clocks.at[master].derived_master)
    gated[master] |= SOURCE_BEHIND;
}

/* For each clock: the marks GATE_INPUT and SHAPELESS of the pins that it reaches, and SOURCE_BEHIND
   if a clock generated from it has a gate. */
static uint8_t *gated_clocks(const GatingGiven *x)
{
  const TagTable *tags = x->g->tags;
  const Constraints *c = x->g->constraints;
  uint8_t *gated = mem_alloc_zero((size_t)c->clocks.len + 1, 1);
  for (Slot s = 0; s < x->g->slots.count; s++) {
    uint8_t marks = x->gate[s] & (GATE_INPUT | SHAPELESS);
    TagSetId set = marks ? x->g->nodes.slot_tags[s] : EMPTY_SET;
    for (uint32_t i = 0; i < tag_set_count(tags, set); i++) {
      const Tag *t = &tags->tags.at[tag_set_tags(tags, set)[i]];
      if (tag_is_clock(t)) gated[clock_edge_clock(t->clock_edge)] |= marks;
    }
  }
  for (ClockId k = 0; k < c->clocks.len; k++)
    if (gated[k] & GATE_INPUT) mark_masters(x, k, gated);
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
static void find_ungated_clocks(const GatingGiven *x, IdleList *list)
{
  const Constraints *c = x->g->constraints;
  uint8_t *gated = NULL;
  for (uint32_t i = 0; i < c->gating_checks.len; i++) {
    const GatingCheck *k = &c->gating_checks.at[i];
    bool clock = k->object.type == OBJ_CLOCK;
    if (clock && clock_has_no_source(&c->clocks.at[k->object.id])) continue;
    if (clock && gated == NULL) gated = gated_clocks(x);
    uint8_t marks = clock ? gated[k->object.id] : GATE_INPUT;
    idle_add(list, x->g, k->said,
             (Idle){ .object = k->object, .clock = NO_CLOCK, .code = "GRAPH-027",
                     .problem = marks & GATE_INPUT ? NULL : ungated(marks, true) });
  }
  mem_free(gated);
}

void gating_find_idle(GatingGiven *x, IdleList *list)
{
  const Constraints *c = x->g->constraints;
  find_ungated_clocks(x, list);
  if (x->inherited == NULL && c->gating_disabled.len == 0) return;
  mark_leading(x);
  uint8_t *cells = marks_of_cells(x);
  for (uint32_t i = 0; i < c->gating_checks.len; i++) {
    const GatingCheck *k = &c->gating_checks.at[i];
    Said said = constraints_command(c, k->said);
    if (!is_placed(k->object) || said.command == NULL) continue;
    uint8_t marks = k->object.type == OBJ_CELL ? cells[k->object.id] : pin_marks(x, k->object.id);
    bool level = k->level >= 0;
    if (level ? marks & GATE_INPUT && is_leaf(x->g->netlist, k->object)
              : marks & (GATE_INPUT | GATE_BEHIND))
      continue;
    const char *problem =
        level ? "-high and -low are for input pins and cells of clock gates, not for"
              : ungated(marks, false);
    array_push(list, ((Idle){ said, k->object, NO_CLOCK, "GRAPH-027", problem, 0 }));
  }
  for (uint32_t i = 0; i < c->gating_disabled.len; i++) {
    const GatingDisabled *d = &c->gating_disabled.at[i];
    uint8_t marks = d->object.type == OBJ_CELL ? cells[d->object.id] : pin_marks(x, d->object.id);
    if (!d->said.command || marks & (GATE_INPUT | GATE_OUTPUT)) continue;
    const char *problem = marks & SHAPELESS ? "no check is inferred anyway at the gate, neither "
                                              "AND nor OR, of"
                                            : "there is no clock gate at";
    array_push(list, ((Idle){ d->said, d->object, NO_CLOCK, "GRAPH-027", problem, 0 }));
  }
  mem_free(cells);
}
