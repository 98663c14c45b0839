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

static void add_excess(void *data, const Constraint *constraint)
{
  Excess *excess = data;
  if (constraint->slack >= 0) return;
  if (constraint->kind == CONSTRAINT_MAX_SLEW) {
    excess->slew -= constraint->slack;
    excess->slew_pins++;
  } else {
    excess->load -= constraint->slack;
    excess->load_pins++;
  }
}

/* The scenario in which they are most. */
static void score_rules(const SizeProblem *problem, SizeScore *score)
{
  ConstraintQuery q = { 1u << CONSTRAINT_MAX_SLEW | 1u << CONSTRAINT_MAX_CAP, NULL, true };
  for (uint32_t k = 0; k < problem->scene_count; k++) {
    Excess x = { 0 };
    query_constraints(problem->scenes[k].t, &q, add_excess, &x);
    score->cost += problem->costs.slew * x.slew + problem->costs.load * x.load;
    if (k == 0 || x.slew > score->slew_excess) {
      score->slew_excess = x.slew;
      score->slew_pins = x.slew_pins;
    }
    if (k == 0 || x.load > score->load_excess) {
      score->load_excess = x.load;
      score->load_pins = x.load_pins;
    }
  }
}

static double scene_short(const SizeScene *scene, double margin)
{
  const Timing *t = scene->t;
  uint32_t count;
  double sum = 0;
  const PinId *pins = end_slacks_pins(t, &count);
  for (uint32_t i = 0; i < count; i++) {
    double slack = slot_end_slack(t, t->g->slots.of_pin[pins[i]], LATE);
    double least = scene->targets.len ? scene->targets.at[i] : margin;
    if (slack < least) sum += least - slack;
  }
  return sum;
}

static void add_lost(const SizeScene *scene, SizeScore *score)
{
  uint32_t count;
  const PinId *pins = end_slacks_pins(scene->t, &count);
  for (uint32_t i = 0; i < scene->floors.len; i++) {
    double slack = slot_end_slack(scene->t, scene->t->g->slots.of_pin[pins[i]], LATE);
    if (!(slack < scene->floors.at[i])) continue;
    score->lost += scene->floors.at[i] - slack;
    score->lost_ends++;
  }
}

static void score_hold(const Timing *const *timings, uint32_t count, SizeScore *score)
{
  SlackSummary early = query_slacks_of(timings, count, EARLY);
  score->hold_negative = early.total;
  score->hold_worst = early.worst < 0 ? early.worst : 0;
}

static void score_slacks(const SizeProblem *problem, SizeScore *score)
{
  const Timing *timings[SIZE_SCENES];
  for (uint32_t k = 0; k < problem->scene_count; k++) timings[k] = problem->scenes[k].t;
  SlackSummary late = query_slacks_of(timings, problem->scene_count, LATE);
  score->total_negative = late.total;
  score->worst = late.worst < 0 ? late.worst : 0;
  if (score->by_hold) score_hold(timings, problem->scene_count, score);
  for (uint32_t k = 0; k < problem->scene_count; k++) {
    double sum = scene_short(&problem->scenes[k], problem->slack_margin);
    score->total_short = fmax(score->total_short, sum);
    add_lost(&problem->scenes[k], score);
    score->cost +=
        problem->costs.time * sum
        - (problem->costs.hold > 0 ? problem->costs.hold * query_slacks(timings[k], EARLY).total
                                   : 0);
  }
}

/* The sum over all instances in their order, so that it does not depend on which are gates. */
static double sum_leakage(const SizeProblem *problem)
{
  double sum = 0;
  for (uint32_t i = 0; i < problem->gates.len; i++)
    problem->leakage_of[problem->insts.at[i]] =
        problem->leakages.at[problem->gates.at[i].first_candidate + problem->gates.at[i].now];
  for (InstId i = 0; i < size_graph(problem)->netlist->insts.len; i++)
    sum += problem->leakage_of[i];
  return sum;
}

SizeScore size_score(const SizeProblem *problem)
{
  SizeScore s = { 0 };
  s.by_hold = problem->costs.hold > 0;
  score_rules(problem, &s);
  score_slacks(problem, &s);
  s.leakage = sum_leakage(problem);
  s.area = size_area(size_graph(problem));
  s.spent = problem->costs.leakage * s.leakage + problem->costs.area * s.area;
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
