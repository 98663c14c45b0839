/* Computes margins of checks from tables (related slew, constrained slew). */
#include "timing/derived.h"
#include "timing/scaling.h"

/* Returns the slew that ideal clocks have at a pin: the worst of their set_clock_transition. */
static float ideal_clock_slew(const Timing *t, Slot slot, int condition)
{
  const Graph *g = t->g;
  float worst = condition < 2 ? ABSENT_EARLY : ABSENT_LATE;
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[slot]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (!tag_is_clock(tag) || tag->propagated || graph_pin_values(g, tag)->shaped) continue;
    float s = t->constraints->clocks.at[clock_edge_clock(tag->clock_edge)].slew[condition];
    if (isnan(s)) s = 0;
    worst = condition < 2 ? (s < worst ? s : worst) : s > worst ? s : worst;
  }
  return time_absent(worst) ? 0 : worst;
}

float timing_input_slew(const Timing *t, Slot from, bool clock_pin, int condition)
{
  if (clock_pin && t->g->slots.flags[from] & SLOT_IDEAL_CLOCK)
    return ideal_clock_slew(t, from, condition);
  return t->slew[from].v[condition];
}

static float annotated_margin(const Timing *t, const Check *check, int condition, float margin)
{
  Cond4 m = { { margin, margin, margin, margin } };
  overrides_apply(&t->overrides->checks, (uint32_t)(check - t->g->ends.checks.at), m.v);
  return m.v[condition];
}

static float data_slew(const Timing *t, const Check *check, int data_edge, int early_late)
{
  return t->slew[check->data].v[condition_of(early_late, data_edge)];
}

bool timing_check_margin(const Timing *t, const Check *check, int data_edge, int early_late,
                         float *margin)
{
  return timing_check_margin_at(t, check, data_edge, early_late,
                                data_slew(t, check, data_edge, early_late), margin);
}

bool timing_check_margin_at(const Timing *t, const Check *check, int data_edge, int early_late,
                            float slew, float *margin)
{
  const CornerLibs *libs = t->corner_libs;
  *margin = 0;
  if (check->lib == NO_LIB_ARC) {
    *margin = check->margin[data_edge];
    return true;
  }
  LibArcId id = libs->arc_for[t->single ? LATE : early_late][check->lib];
  TableId table = libs->libs->arcs.at[id].delay[data_edge];
  if (table == NO_TABLE) return false;
  /* A width or a period is a check of a single pin, so both axes are transitions of this pin. The
     axis of the related pin takes the transition of the clock (set_clock_transition for an ideal
     clock). The axis of the constrained pin takes that of the network. */
  bool width = check->type == ARC_MIN_PULSE_WIDTH || check->type == ARC_MIN_PERIOD;
  int network = condition_of(early_late, data_edge);
  int clock_condition =
      width ? network : condition_of(graph_capture_side(t->g, early_late), check->clock_edge & 1);
  float clock_slew = timing_input_slew(t, check->clock, true, clock_condition);
  *margin = table_value(
      timing_check_table(t, check->data, early_late, &libs->libs->arcs.at[id], data_edge),
      clock_slew, width ? t->slew[check->clock].v[network] : slew);
  if (t->overrides && t->overrides->checks.first)
    *margin = annotated_margin(t, check, condition_of(early_late, data_edge), *margin);
  return true;
}

float timing_check_sigma(const Timing *t, const Check *check, int data_edge, int early_late)
{
  return timing_check_sigma_at(t, check, data_edge, early_late,
                               data_slew(t, check, data_edge, early_late));
}

float timing_check_sigma_at(const Timing *t, const Check *check, int data_edge, int early_late,
                            float slew)
{
  const CornerLibs *libs = t->corner_libs;
  if (check->lib == NO_LIB_ARC) return 0;
  const LibArc *arc =
      &libs->libs->arcs.at[libs->arc_for[t->single ? LATE : early_late][check->lib]];
  TableId table = arc->sigma_delay[condition_of(early_late, data_edge)];
  if (table == NO_TABLE || arc->delay[data_edge] == NO_TABLE) return 0;
  float clock_slew =
      timing_input_slew(t, check->clock, true,
                        condition_of(graph_capture_side(t->g, early_late), check->clock_edge & 1));
  float sigma = table_value(corner_libs_table(libs, table), clock_slew, slew);
  return sigma > 0 ? sigma : 0;
}
