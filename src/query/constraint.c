/* Visits all constraints of the design: the worst path end of each kind and group at each endpoint,
   and the area. Design rules and clock checks have files of their own. */
#include "query/constraint.h"

#include <math.h>

#include "base/interrupt.h"
#include "timing/derived.h"
#include "timing/scaling.h"
#include "timing/slack.h"

const ConstraintInfo constraint_infos[CONSTRAINT_COUNT] = {
  [CONSTRAINT_MAX_DELAY] = { "max_delay", QUANTITY_TIME, false },
  [CONSTRAINT_MIN_DELAY] = { "min_delay", QUANTITY_TIME, true },
  [CONSTRAINT_RECOVERY] = { "recovery", QUANTITY_TIME, false },
  [CONSTRAINT_REMOVAL] = { "removal", QUANTITY_TIME, true },
  [CONSTRAINT_GATING_SETUP] = { "clock_gating_setup", QUANTITY_TIME, false },
  [CONSTRAINT_GATING_HOLD] = { "clock_gating_hold", QUANTITY_TIME, true },
  [CONSTRAINT_DATA_SETUP] = { "data_setup", QUANTITY_TIME, false },
  [CONSTRAINT_DATA_HOLD] = { "data_hold", QUANTITY_TIME, true },
  [CONSTRAINT_NOCHANGE_SETUP] = { "nochange_setup", QUANTITY_TIME, false },
  [CONSTRAINT_NOCHANGE_HOLD] = { "nochange_hold", QUANTITY_TIME, true },
  [CONSTRAINT_PULSE_WIDTH] = { "min_pulse_width", QUANTITY_TIME, true },
  [CONSTRAINT_MIN_PERIOD] = { "min_period", QUANTITY_TIME, true },
  [CONSTRAINT_MAX_SKEW] = { "max_skew", QUANTITY_TIME, false },
  [CONSTRAINT_MAX_SLEW] = { "max_transition", QUANTITY_TIME, false },
  [CONSTRAINT_MIN_SLEW] = { "min_transition", QUANTITY_TIME, true },
  [CONSTRAINT_MAX_CAP] = { "max_capacitance", QUANTITY_CAP, false },
  [CONSTRAINT_MIN_CAP] = { "min_capacitance", QUANTITY_CAP, true },
  [CONSTRAINT_MAX_FANOUT] = { "max_fanout", QUANTITY_NUMBER, false },
  [CONSTRAINT_MIN_FANOUT] = { "min_fanout", QUANTITY_NUMBER, true },
  [CONSTRAINT_MAX_AREA] = { "max_area", QUANTITY_NUMBER, false }
};

ConstraintKind constraint_of_row(PathEndType type)
{
  switch (type) {
  case END_RECOVERY: return CONSTRAINT_RECOVERY;
  case END_REMOVAL: return CONSTRAINT_REMOVAL;
  case END_GATING_SETUP: return CONSTRAINT_GATING_SETUP;
  case END_GATING_HOLD: return CONSTRAINT_GATING_HOLD;
  case END_DATA_SETUP: return CONSTRAINT_DATA_SETUP;
  case END_DATA_HOLD: return CONSTRAINT_DATA_HOLD;
  case END_NOCHANGE_SETUP: return CONSTRAINT_NOCHANGE_SETUP;
  case END_NOCHANGE_HOLD: return CONSTRAINT_NOCHANGE_HOLD;
  default: return path_end_is_late(type) ? CONSTRAINT_MAX_DELAY : CONSTRAINT_MIN_DELAY;
  }
}

PortId constraint_port(const Timing *t, PinId pin)
{
  const Netlist *n = t->g->netlist;
  const LibrarySet *libs = t->g->libs;
  if (pin_is_top_port(n, pin) || pin_is_hierarchical(n, pin)) return NO_PORT;
  PortId own = n->pins.at[pin].port;
  CellId cell = libs->ports.at[own].cell;
  CellId late = t->corner_libs->cell_for[LATE][cell];
  PortId scaled = scaling_limit_port(t, t->g->slots.of_pin[pin], own, LATE);
  if (scaled != own || late == cell) return scaled;
  PortId there = library_find_port(libs, late, libs->ports.at[own].name);
  return there == NO_PORT ? own : there;
}

/* --- end points ------------------------------------------------------------------------------- */
typedef ARRAY(Constraint) EndList;

/* Required and arrival of the end that is worst so far, absolute. */
static void fill_times(const Timing *t, Slot slot, Constraint *constraint)
{
  const PathEnd *end = &t->g->ends.path_ends.at[constraint->end_id];
  bool has;
  double launch = t->g->ends.details.at[end->detail].launch_time;
  constraint->required =
      launch + timing_end_required(t, constraint->end_id, constraint->edge, &has);
  constraint->actual =
      launch
      + t->arrival[end->data].v[condition_of(
          path_end_is_late((PathEndType)end->type) ? LATE : EARLY, constraint->edge)];
  const Tag *tag = &t->g->tags->tags.at[graph_node_tag(t->g, slot, end->data)];
  constraint->clock =
      tag->clock_edge == NO_CLOCK_EDGE ? NO_CLOCK : clock_edge_clock(tag->clock_edge);
}

static void take_path_end(const ConstraintVisit *visit, PathEndId id, PinId pin, EndList *found)
{
  const PathEnd *end = &visit->g->ends.path_ends.at[id];
  ConstraintKind kind = constraint_of_row((PathEndType)end->type);
  PathGroup group = path_end_group(visit->g, end);
  if (!constraint_wanted(visit, kind)) return;
  for (int edge = RISE; edge <= FALL; edge++) {
    float slack = visit->t->end_slack[id].v[edge];
    if (slack > 1e29f) continue;
    uint32_t i = 0;
    while (i < found->len && (found->at[i].kind != kind || found->at[i].group != group)) i++;
    if (i == found->len) {
      array_push(found, constraint_at(kind, pin));
      found->at[i].slack = INFINITY;
      found->at[i].group = group;
    }
    Constraint *constraint = &found->at[i];
    if (slack >= constraint->slack) continue;
    constraint->slack = slack;
    constraint->end_id = id;
    constraint->edge = (uint8_t)edge;
  }
}

static int by_kind_and_group(const Constraint *a, const Constraint *b)
{
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return a->group < b->group ? -1 : a->group > b->group;
}

/* The worst of each kind and group at a slot, by kind and group. */
static void slot_ends(const ConstraintVisit *visit, Slot slot, PinId pin, EndList *found)
{
  array_clear(found);
  for (PathEndId r = visit->g->ends.first_end[slot]; r < visit->g->ends.first_end[slot + 1]; r++)
    take_path_end(visit, r, pin, found);
  for (uint32_t i = 1; i < found->len; i++)
    for (uint32_t k = i; k > 0 && by_kind_and_group(&found->at[k], &found->at[k - 1]) < 0; k--) {
      Constraint c = found->at[k];
      found->at[k] = found->at[k - 1];
      found->at[k - 1] = c;
    }
  for (uint32_t i = 0; i < found->len; i++) {
    fill_times(visit->t, slot, &found->at[i]);
    visit->visit(visit->data, &found->at[i]);
  }
}

static void all_ends(const ConstraintVisit *visit)
{
  const Graph *g = visit->g;
  EndList found = { 0 };
  for (PinId p = 0; p < g->netlist->pins.len && !interrupt_seen(); p++) {
    Slot load = g->slots.of_pin[p];
    if (load == NO_SLOT || !constraint_pin_wanted(visit, p)) continue;
    slot_ends(visit, load, p, &found);
    Slot driver = graph_slot(g, p, true);
    if (driver != load && driver != NO_SLOT) slot_ends(visit, driver, p, &found);
  }
  array_free(&found);
}

/* --- the design ------------------------------------------------------------------------------- */
static void area_limit(const ConstraintVisit *visit)
{
  const Netlist *n = visit->g->netlist;
  float limit =
      constraints_find_limit(visit->t->constraints, LIMIT_MAX_AREA, (Object){ OBJ_DESIGN, 0 });
  if (isnan(limit) || !constraint_wanted(visit, CONSTRAINT_MAX_AREA)) return;
  Constraint c = constraint_at(CONSTRAINT_MAX_AREA, NO_PIN);
  for (InstId i = 1; i < n->insts.len; i++)
    if (inst_is_there(n, i))
      c.actual += n->libs->cells.at[n->insts.at[i].master].area;
  c.required = limit;
  c.slack = limit - c.actual;
  visit->visit(visit->data, &c);
}

void query_constraints(const Timing *t, const ConstraintQuery *query,
                       void (*visit)(void *data, const Constraint *constraint), void *data)
{
  ConstraintVisit v = { t, t->g, query, visit, data };
  if (query->kinds & ((2u << CONSTRAINT_LAST_ROW) - 1)) all_ends(&v);
  if (constraint_wanted(&v, CONSTRAINT_PULSE_WIDTH)) query_pulse_widths(&v);
  if (constraint_wanted(&v, CONSTRAINT_MIN_PERIOD)) query_min_periods(&v);
  if (constraint_wanted(&v, CONSTRAINT_MAX_SKEW)) query_max_skews(&v);
  query_slew_limits(&v);
  query_load_limits(&v);
  query_fanout_limits(&v);
  area_limit(&v);
}
