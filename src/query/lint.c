/* Finds what check_timing reports. Each group of categories has a function. */
#include "query/lint.h"

#include <math.h>

#include "base/interrupt.h"
#include "graph/hierarchy.h"
#include "query/parasitic_coverage.h"
#include "query/fan.h"
#include "query/lint_private.h"
#include "timing/slack.h"

const LintInfo lint_infos[LINT_COUNT] = {
  { "no_clock", "register clocks that no clock reaches" },
  { "multiple_clock", "register clocks that several clocks reach" },
  { "no_input_delay", "input ports without set_input_delay" },
  { "partial_input_delay", "input ports whose delay lacks an edge or min or max" },
  { "no_output_delay", "output ports without set_output_delay" },
  { "unconstrained_endpoints", "end points whose arrivals nothing constrains" },
  { "generated_clocks", "generated clocks without a master clock" },
  { "unused_clocks", "clocks with sources that reach no register" },
  { "loops", "combinational loops that were cut" },
  { "latches", "latches" },
  { "black_boxes", "cells that no library has" },
  { "no_driver", "input pins and output ports that nothing drives" },
  { "multiple_driver", "nets with several drivers" },
  { "unannotated_nets", "nets that the parasitics do not have" },
  { "partial_nets", "nets whose parasitics do not reach all loads" },
  { "partial_output_delay", "output ports whose delay lacks an edge or min or max" },
  { "no_driving_cell", "input ports without set_driving_cell, set_drive or set_input_transition" },
  { "ideal_clocks", "clocks with sources that are not propagated" },
  { "clock_crossing", "clocks that capture what another clock launches" },
  { "unexpandable_clocks", "clocks with paths between them and no common period" },
  { "latch_fanout", "latches that reach their own data through transparent latches" },
  { "data_check_no_clock", "references of data checks that no clock launches" },
  { "data_check_multiple_clock", "references of data checks that several clocks launch" }
};

LintCategory lint_find(const char *name)
{
  for (int i = 0; i < LINT_COUNT; i++)
    if (strcmp(lint_infos[i].name, name) == 0) return (LintCategory)i;
  return LINT_COUNT;
}

typedef struct {
  const Timing *t;
  const Graph  *g;
  LintCategory  category;
  ObjectArray  *out;
  uint8_t      *marks;               /* by slot: has input/output delay, complete */
  AnnotationQuery *annotation;
} Lint;

static void add_pin(Lint *lint, PinId p)
{
  array_push(lint->out, (Object){ pin_is_top_port(lint->g->netlist, p) ? OBJ_PORT : OBJ_PIN, p });
}

/* --- clocks at pins --------------------------------------------------------------------------- */
/* Different clocks among a slot's clock tags, up to 2. */
static uint32_t clocks_at(const Graph *g, Slot s)
{
  ClockId first = NO_CLOCK;
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[s]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[s]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (!tag_is_clock(tag)) continue;
    if (first != NO_CLOCK && clock_edge_clock(tag->clock_edge) != first) return 2;
    first = clock_edge_clock(tag->clock_edge);
  }
  return first != NO_CLOCK;
}

static bool is_input_port(const Graph *g, Slot s)
{
  return (g->slots.flags[s] & (SLOT_PORT | SLOT_DRIVER | SLOT_CONSTANT | SLOT_CLOCK_SOURCE))
         == (SLOT_PORT | SLOT_DRIVER);
}

static bool is_output_port(const Graph *g, Slot s)
{
  return (g->slots.flags[s] & (SLOT_PORT | SLOT_DRIVER)) == SLOT_PORT;
}

/* --- external delays: bit 0: given; bit 1: incompletely --------------------------------------- */
typedef struct {
  Lint   *lint;
  uint8_t mark;
} DelayMark;

static void mark_slot(void *data, Slot slot)
{
  const DelayMark *mark = data;
  mark->lint->marks[slot] |= mark->mark;
}

static void mark_delays(Lint *lint, const PortDelay *delays, uint32_t count, bool input)
{
  for (uint32_t i = 0; i < count; i++) {
    DelayMark m = { lint, 1 };
    if (delays[i].pin == NO_PIN) continue;
    for (int k = 0; k < CONDITION_COUNT; k++)
      if (isnan(delays[i].delay[k])) m.mark |= 2;
    graph_said_slots(lint->g, delays[i].pin, input, mark_slot, &m);
  }
}

static bool has_end(const Graph *g, Slot s)
{
  return g->ends.first_end[s + 1] > g->ends.first_end[s];
}

static bool has_data(const Graph *g, Slot s)
{
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[s]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[s]); i++)
    if (!g->tags->tags.at[tags[i]].is_clock) return true;
  return false;
}

/* Checks of data against a clock or another pin.  Widths and periods of one pin do not count, nor
   checks that set_disable_timing removes. */
static bool has_data_check(const Graph *g, Slot s)
{
  for (uint32_t i = g->ends.first_check[s]; i < g->ends.first_check[s + 1]; i++) {
    const Check *check = &g->ends.checks.at[g->ends.check_order[i]];
    if (check->clock != s && !(check->off & ARC_OFF_DISABLED)) return true;
  }
  return false;
}

static bool is_unconstrained(const Graph *g, Slot s)
{
  if (g->slots.flags[s] & SLOT_CONSTANT || has_end(g, s) || !has_data(g, s)) return false;
  return is_output_port(g, s) || has_data_check(g, s);
}

/* Does a command say what drives the port? The record stays when the values are unset. */
static bool is_driven(const Constraints *c, PinId port)
{
  const PortDrive *drive = constraints_find_drive(c, port);
  if (drive == NULL) return false;
  bool has_cell = false;
  for (int k = 0; k < CONDITION_COUNT; k++) has_cell |= drive->cell[k] != NO_CELL;
  return has_cell || constraints_any_given(drive->slew, CONDITION_COUNT)
         || constraints_any_given(drive->resistance, CONDITION_COUNT);
}

static bool slot_is_meant(Lint *lint, Slot s)
{
  const Graph *g = lint->g;
  switch (lint->category) {
  case LINT_NO_CLOCK:
    return query_is_register_clock(g, s) && !(g->slots.flags[s] & SLOT_CONSTANT)
           && clocks_at(g, s) == 0;
  case LINT_MULTIPLE_CLOCK: return query_is_register_clock(g, s) && clocks_at(g, s) > 1;
  case LINT_NO_INPUT_DELAY: return is_input_port(g, s) && !lint->marks[s];
  case LINT_PARTIAL_INPUT_DELAY: return is_input_port(g, s) && lint->marks[s] & 2;
  case LINT_NO_OUTPUT_DELAY:
    return is_output_port(g, s) && !(g->slots.flags[s] & SLOT_CONSTANT) && !lint->marks[s]
           && !has_end(g, s);
  case LINT_PARTIAL_OUTPUT_DELAY:
    return is_output_port(g, s) && !(g->slots.flags[s] & SLOT_CONSTANT) && lint->marks[s] & 2;
  case LINT_NO_DRIVING_CELL:
    return is_input_port(g, s) && !is_driven(lint->t->constraints, g->slots.pin[s]);
  case LINT_UNCONSTRAINED_ENDPOINTS: return is_unconstrained(g, s);
  case LINT_NO_DRIVER:
    return !slot_is_driver(g, s) && g->nets.wire_driver[s] == NO_SLOT
           && !(g->slots.flags[s] & SLOT_CONSTANT);
  default: return false;
  }
}

static void lint_slots(Lint *lint)
{
  const Graph *g = lint->g;
  lint->marks = mem_alloc_zero((size_t)g->slots.count + 1, 1);
  const Constraints *c = lint->t->constraints;
  bool outputs =
      lint->category == LINT_NO_OUTPUT_DELAY || lint->category == LINT_PARTIAL_OUTPUT_DELAY;
  if (outputs) mark_delays(lint, c->output_delays.at, c->output_delays.len, false);
  else mark_delays(lint, c->input_delays.at, c->input_delays.len, true);
  for (PinId p = 0; p < g->netlist->pins.len && !interrupt_seen(); p++) {
    Slot load = g->slots.of_pin[p];
    if (load == NO_SLOT) continue;
    Slot driver = graph_slot(g, p, true);
    if (slot_is_meant(lint, load)
        || (driver != load && driver != NO_SLOT && slot_is_meant(lint, driver)))
      add_pin(lint, p);
  }
  mem_free(lint->marks);
}

/* --- clocks ----------------------------------------------------------------------------------- */
/* A generated clock that the graph could not derive has no waveform. */
static bool clock_has_master(const Clock *clock)
{
  return !isnan(clock->period) && clock->waveform.len > 0;
}

static void lint_generated(Lint *lint)
{
  const Constraints *c = lint->t->constraints;
  for (ClockId i = 0; i < c->clocks.len; i++) {
    const Clock *clock = &c->clocks.at[i];
    if (!clock->deleted && clock->generated && !clock_has_master(clock))
      array_push(lint->out, (Object){ OBJ_CLOCK, i });
  }
}

static void lint_unused(Lint *lint)
{
  const Graph *g = lint->g;
  const Constraints *c = lint->t->constraints;
  uint8_t *used = mem_alloc_zero((size_t)c->clocks.len + 1, 1);
  for (Slot s = 0; s < g->slots.count && !interrupt_seen(); s++) {
    if (!query_is_register_clock(g, s)) continue;
    const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[s]);
    for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[s]); i++)
      if (tag_is_clock(&g->tags->tags.at[tags[i]]))
        used[clock_edge_clock(g->tags->tags.at[tags[i]].clock_edge)] = 1;
  }
  for (ClockId i = 0; i < c->clocks.len; i++)
    if (!c->clocks.at[i].deleted && c->clocks.at[i].sources.len && !used[i])
      array_push(lint->out, (Object){ OBJ_CLOCK, i });
  mem_free(used);
}

/* --- loops, cells, nets ----------------------------------------------------------------------- */
static void lint_loops(Lint *lint)
{
  const Graph *g = lint->g;
  uint8_t *cut = mem_alloc_zero((size_t)g->netlist->pins.len + 1, 1);
  for (ArcId a = 0; a < g->arcs.count; a++)
    if (g->arcs.flags[a] & ARC_OFF_LOOP) cut[g->slots.pin[g->arcs.to[a]]] = 1;
  for (PinId p = 0; p < g->netlist->pins.len; p++)
    if (cut[p]) add_pin(lint, p);
  mem_free(cut);
}

static bool cell_is_latch(const LibrarySet *libs, const LibCell *cell)
{
  if (cell->flags & CELL_CLOCK_GATE) return false;
  for (uint32_t i = 0; i < cell->arc_count; i++)
    if (libs->arcs.at[cell->first_arc + i].type == ARC_LATCH_ENABLE) return true;
  return false;
}

static void lint_cells(Lint *lint)
{
  const Netlist *n = lint->g->netlist;
  CellId last = NO_CELL;
  bool meant = false;
  for (InstId i = 1; i < n->insts.len && !interrupt_seen(); i++) {
    const Inst *inst = &n->insts.at[i];
    if (!inst_is_leaf(n, i) || inst->flags & INST_DELETED) continue;
    if (inst->master != last) {
      const LibCell *cell = &n->libs->cells.at[last = inst->master];
      meant = lint->category == LINT_LATCHES ? cell_is_latch(n->libs, cell)
                                             : (cell->flags & CELL_BLACK_BOX) != 0;
    }
    if (meant) array_push(lint->out, (Object){ OBJ_CELL, i });
  }
}

static uint32_t drivers_of(const Graph *g, NetId net)
{
  uint32_t count = 0;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = g->slots.of_pin[p];
    count += s != NO_SLOT && slot_is_driver(g, graph_slot(g, p, true));
  }
  return count;
}

/* Nets with a driver and a load that are not constant. */
static Annotation worst_annotation(Lint *lint, NetId net)
{
  const Graph *g = lint->g;
  Annotation worst = ANNOTATED;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;) {
    Slot s = graph_slot(g, p, true);
    uint32_t loads, reached;
    if (s == NO_SLOT || !slot_is_driver(g, s) || g->slots.flags[s] & SLOT_CONSTANT) continue;
    Annotation a = annotation_of_driver(lint->annotation, s, &loads, &reached);
    if (loads && a > worst) worst = a;
  }
  return worst;
}

static bool net_is_meant(Lint *lint, NetId net)
{
  if (lint->category == LINT_MULTIPLE_DRIVER)
    return lint->g->nets.extra_wires.len && drivers_of(lint->g, net) > 1;
  return worst_annotation(lint, net)
         == (lint->category == LINT_PARTIAL_NETS ? ANNOTATED_PARTLY : NOT_ANNOTATED);
}

static void lint_nets(Lint *lint)
{
  const Netlist *n = lint->g->netlist;
  const Parasitics *parasitics = lint->t->parasitics[LATE];
  if (lint->category != LINT_MULTIPLE_DRIVER && parasitics == NULL) return;
  lint->annotation = annotation_query_new(lint->g, parasitics);
  for (NetId i = 0; i < n->nets.len && !interrupt_seen(); i++) {
    const Net *net = &n->nets.at[i];
    if (net->flags & (NET_DELETED | NET_POWER | NET_GROUND) || net->first_seg == NO_SEG) continue;
    if (net_is_meant(lint, i)) array_push(lint->out, (Object){ OBJ_NET, net->first_seg });
  }
  annotation_query_free(lint->annotation);
}

void query_lint(const Timing *t, LintCategory category, ObjectArray *out)
{
  Lint l = { .t = t, .g = t->g, .category = category, .out = out };
  switch (category) {
    case LINT_GENERATED_CLOCKS: lint_generated(&l); return;
    case LINT_UNUSED_CLOCKS: lint_unused(&l); return;
    case LINT_LOOPS: lint_loops(&l); return;
    case LINT_LATCHES: case LINT_BLACK_BOXES: lint_cells(&l); return;
    case LINT_MULTIPLE_DRIVER:
    case LINT_UNANNOTATED_NETS:
    case LINT_PARTIAL_NETS: lint_nets(&l); return;
    case LINT_IDEAL_CLOCKS: lint_ideal_clocks(t->constraints, out); return;
    case LINT_CLOCK_CROSSING: lint_clock_crossing(t->g, out); return;
    case LINT_UNEXPANDABLE_CLOCKS: lint_unexpandable_clocks(t->g, out); return;
    case LINT_LATCH_FANOUT: lint_latch_loops(t->g, out); return;
    case LINT_DATA_CHECK_NO_CLOCK: case LINT_DATA_CHECK_MULTIPLE_CLOCK:
      lint_data_references(t->g, category == LINT_DATA_CHECK_MULTIPLE_CLOCK, out);
      return;
    default: lint_slots(&l); return;
  }
}
