/* Scores a design with its present timing: violations, slacks and costs. */
#include "optimize/size_scene.h"

#include <math.h>
#include <string.h>

#include "query/constraint.h"
#include "timing/slack.h"

/* Violations of design rules in one scenario. */
typedef struct {
  double slew, load;
  uint32_t slew_pins, load_pins;
} Excess;

static void add_excess(void *data, const Constraint *c)
{
  Excess *x = data;
  if (c->slack >= 0) return;
  if (c->kind == CONSTRAINT_MAX_SLEW) {
    x->slew -= c->slack;
    x->slew_pins++;
  } else {
    x->load -= c->slack;
    x->load_pins++;
  }
}

/* The scenario in which they are most. */
static void score_rules(const SizeProblem *p, SizeScore *s)
{
  ConstraintQuery q = { 1u << CONSTRAINT_MAX_SLEW | 1u << CONSTRAINT_MAX_CAP, NULL, true };
  for (uint32_t k = 0; k < p->scene_count; k++) {
    Excess x = { 0 };
    query_constraints(p->scenes[k].t, &q, add_excess, &x);
    s->cost += p->costs.slew * x.slew + p->costs.load * x.load;
    if (k == 0 || x.slew > s->slew_excess) {
      s->slew_excess = x.slew;
      s->slew_pins = x.slew_pins;
    }
    if (k == 0 || x.load > s->load_excess) {
      s->load_excess = x.load;
      s->load_pins = x.load_pins;
    }
  }
}

static double scene_short(const SizeScene *s, double margin)
{
  const Timing *t = s->t;
  uint32_t count;
  double sum = 0;
  const PinId *pins = end_slacks_pins(t, &count);
  for (uint32_t i = 0; i < count; i++) {
    double slack = slot_end_slack(t, t->g->slots.of_pin[pins[i]], LATE);
    double least = s->targets.len ? s->targets.at[i] : margin;
    if (slack < least) sum += least - slack;
  }
  return sum;
}

static void add_lost(const SizeScene *s, SizeScore *score)
{
  uint32_t count;
  const PinId *pins = end_slacks_pins(s->t, &count);
  for (uint32_t i = 0; i < s->floors.len; i++) {
    double slack = slot_end_slack(s->t, s->t->g->slots.of_pin[pins[i]], LATE);
    if (!(slack < s->floors.at[i])) continue;
    score->lost += s->floors.at[i] - slack;
    score->lost_ends++;
  }
}

static void score_hold(const Timing *const *timings, uint32_t count, SizeScore *s)
{
  SlackSummary early = query_slacks_of(timings, count, EARLY);
  s->hold_negative = early.total;
  s->hold_worst = early.worst < 0 ? early.worst : 0;
}

static void score_slacks(const SizeProblem *p, SizeScore *s)
{
  const Timing *timings[SIZE_SCENES];
  for (uint32_t k = 0; k < p->scene_count; k++) timings[k] = p->scenes[k].t;
  SlackSummary late = query_slacks_of(timings, p->scene_count, LATE);
  s->total_negative = late.total;
  s->worst = late.worst < 0 ? late.worst : 0;
  if (s->by_hold) score_hold(timings, p->scene_count, s);
  for (uint32_t k = 0; k < p->scene_count; k++) {
    double sum = scene_short(&p->scenes[k], p->slack_margin);
    s->total_short = fmax(s->total_short, sum);
    add_lost(&p->scenes[k], s);
    s->cost += p->costs.time * sum
               - (p->costs.hold > 0 ? p->costs.hold * query_slacks(timings[k], EARLY).total : 0);
  }
}

/* The sum over all instances in their order, so that it does not depend on which are gates. */
static double sum_leakage(const SizeProblem *p)
{
  double sum = 0;
  for (uint32_t i = 0; i < p->gates.len; i++)
    p->leakage_of[p->insts.at[i]] =
        p->leakages.at[p->gates.at[i].first_candidate + p->gates.at[i].now];
  for (InstId i = 0; i < size_graph(p)->netlist->insts.len; i++) sum += p->leakage_of[i];
  return sum;
}

SizeScore size_score(const SizeProblem *p)
{
  SizeScore s = { 0 };
  s.by_hold = p->costs.hold > 0;
  score_rules(p, &s);
  score_slacks(p, &s);
  s.leakage = sum_leakage(p);
  s.area = size_area(size_graph(p));
  s.spent = p->costs.leakage * s.leakage + p->costs.area * s.area;
  s.cost += s.spent;
  return s;
}

static int order(double a, double b) { return (a > b) - (a < b); }

bool size_score_is_better(const SizeScore *a, const SizeScore *b)
{
  int rules = order(a->slew_excess, b->slew_excess);
  if (rules == 0) rules = order(a->load_excess, b->load_excess);
  if (rules == 0) rules = order(a->total_short, b->total_short);
  if (rules == 0) rules = order(-a->worst, -b->worst);
  if (rules == 0 && a->by_hold) rules = order(-a->hold_negative, -b->hold_negative);
  if (rules == 0 && a->by_hold) rules = order(-a->hold_worst, -b->hold_worst);
  return rules ? rules < 0 : a->cost < b->cost;
}
