/* Computes the probability that a pin is 1. See probability.h. */
#include "query/probability.h"

#include <math.h>

#include "base/interrupt.h"
#include "base/pool.h"
#include "db/function.h"

enum { MOST_VARIABLES = 12, FEW_VARIABLES = 6, MOST_SWEEPS = 100, NO_RULE = UINT32_MAX };
static const float settled = 1e-5f;

/* A function as a truth table over pins and states of its cell. */
typedef struct {
  uint32_t count;                    /* of variables; NO_RULE: too many */
  PortId   port[MOST_VARIABLES];     /* of pins */
  uint8_t  state[MOST_VARIABLES];    /* 0: a pin; else 1 + 2 * index, and 1 more if inverted */
  uint64_t *rows;
} Rule;

/* What a sweep computes: the value of a driver or a state. Its inputs are found once: places in
   `value`, twice, and 1 more if the value is inverted. */
typedef struct {
  uint32_t target;                   /* in value */
  uint32_t rule;                     /* NO_RULE: a copy of its one input */
  uint32_t first_input;
} Step;

struct Probability {
  const Graph *g;
  float    *value;                   /* by slot, of drivers; then states; then constants */
  uint32_t *first_state;             /* by instance: in value */
  uint32_t  constants;               /* in value: 0, 1 and one half */
  ARRAY(Rule) rules;
  Map      *rule_of;                 /* FunctionId -> its rule */
  ARRAY(Step) steps;
  ARRAY(uint32_t) inputs;
  uint8_t  *in_order;                /* by level, and for the states: its steps read each other */
  float    *most;                    /* by thread: greatest change of a sweep */
};

float probability_mean(float *values, const float *of, uint32_t count)
{
  uint32_t rows = 1u << count;
  for (uint32_t i = 0; i < count; i++) {
    rows /= 2;
    for (uint32_t j = 0; j < rows; j++)
      values[j] = values[2 * j] * (1 - of[i]) + values[2 * j + 1] * of[i];
  }
  return values[0];
}

/* --- functions -------------------------------------------------------------------------------- */
static uint8_t state_of(const LibrarySet *libs, PortId port)
{
  const LibCell *cell = &libs->cells.at[libs->ports.at[port].cell];
  for (uint32_t i = 0; i < cell->sequential_count && i < 100; i++) {
    const LibSequential *sequential = &libs->sequentials.at[cell->first_sequential + i];
    if (sequential->state == port) return (uint8_t)(1 + 2 * i);
    if (sequential->state_inverted == port) return (uint8_t)(2 + 2 * i);
  }
  return 0;
}

static Rule make_rule(const LibrarySet *libs, FunctionId f)
{
  Rule r = { 0 };
  if (!function_ports(libs, f, r.port, &r.count, MOST_VARIABLES))
    return (Rule){ .count = NO_RULE };
  uint32_t blocks = r.count > 6 ? 1u << (r.count - 6) : 1;
  r.rows = mem_alloc(blocks * sizeof *r.rows);
  for (uint32_t b = 0; b < blocks; b++) r.rows[b] = function_rows(libs, f, r.port, r.count, b);
  for (uint32_t i = 0; i < r.count; i++) r.state[i] = state_of(libs, r.port[i]);
  return r;
}

static uint32_t rule_of(Probability *probability, FunctionId f)
{
  uint32_t at = map_get(probability->rule_of, f);
  if (at == MAP_NO_VALUE) {
    at = probability->rules.len;
    map_put(probability->rule_of, f, at);
    array_push(&probability->rules, make_rule(probability->g->libs, f));
  }
  return at;
}

/* --- pins ------------------------------------------------------------------------------------- */
enum { IS_0, IS_1, IS_UNKNOWN, CONSTANTS };

/* Returns the place of a slot's value. */
static uint32_t place_of_slot(const Probability *probability, Slot s)
{
  const Graph *g = probability->g;
  if (s == NO_SLOT) return probability->constants + IS_UNKNOWN;
  if (g->slots.logic[s] < 2) return probability->constants + g->slots.logic[s];
  if (slot_is_driver(g, s)) return s;
  Slot driver = g->nets.wire_driver[s];
  return driver == NO_SLOT ? probability->constants + IS_UNKNOWN : driver;
}

static uint32_t place_of_pin(const Probability *probability, PinId pin)
{
  return pin == NO_PIN ? probability->constants + IS_UNKNOWN
                       : place_of_slot(probability, graph_arriving_slot(probability->g, pin));
}

float probability_of_pin(const Probability *probability, PinId pin)
{
  return probability->value[place_of_pin(probability, pin)];
}

float probability_of_state(const Probability *probability, InstId inst, uint32_t index)
{
  return probability->value[probability->first_state[inst] + index];
}

/* --- steps ------------------------------------------------------------------------------------ */
static void put_copy(Probability *probability, uint32_t target, uint32_t place)
{
  array_push(&probability->steps, (Step){ target, NO_RULE, probability->inputs.len });
  array_push(&probability->inputs, 2 * place);
}

/* A function at an instance whose cell has it. */
static void put_function(Probability *probability, uint32_t target, InstId inst, FunctionId f)
{
  uint32_t rule = f == NO_FUNCTION ? NO_RULE : rule_of(probability, f);
  if (rule == NO_RULE || probability->rules.at[rule].count == NO_RULE) {
    put_copy(probability, target, probability->constants + IS_UNKNOWN);
    return;
  }
  const Rule *the_rule = &probability->rules.at[rule];
  array_push(&probability->steps, (Step){ target, rule, probability->inputs.len });
  for (uint32_t i = 0; i < the_rule->count; i++) {
    uint32_t state = probability->first_state[inst] + (the_rule->state[i] - 1u) / 2;
    array_push(&probability->inputs,
               the_rule->state[i]
                   ? 2 * state + (the_rule->state[i] % 2 == 0)
                   : 2
                         * place_of_pin(probability, netlist_pin_of_port(probability->g->netlist,
                                                                         inst, the_rule->port[i])));
  }
}

static void put_driver(Probability *probability, Slot s)
{
  const Netlist *n = probability->g->netlist;
  const Pin *pin = &n->pins.at[probability->g->slots.pin[s]];
  if (probability->g->slots.logic[s] < 2)
    put_copy(probability, s, probability->constants + probability->g->slots.logic[s]);
  else if (probability->g->slots.flags[s] & SLOT_PORT || !inst_is_leaf(n, pin->inst))
    put_copy(probability, s, probability->constants + IS_UNKNOWN);
  else put_function(probability, s, pin->inst, n->libs->ports.at[pin->port].function);
}

static void put_states(Probability *probability, InstId i)
{
  const LibrarySet *libs = probability->g->libs;
  const LibCell *cell = &libs->cells.at[probability->g->netlist->insts.at[i].master];
  for (uint32_t k = 0; k < probability->first_state[i + 1] - probability->first_state[i]; k++)
    put_function(probability, probability->first_state[i] + k, i,
                 libs->sequentials.at[cell->first_sequential + k].data);
}

static void put_steps(Probability *probability)
{
  const Graph *g = probability->g;
  for (uint32_t i = 0; i < g->nets.driver_count; i++)
    put_driver(probability, g->nets.driver_slots[i]);
  for (InstId i = 0; i < g->netlist->insts.len; i++) put_states(probability, i);
}

/* --- sweeps ----------------------------------------------------------------------------------- */
/* Steps of a level are in no order if none reads what another one writes; so are those of all
   states. */
enum { STEP_NS = 30 };

static uint32_t first_step(const Probability *probability, uint32_t level)
{
  return level > probability->g->levels.count ? probability->steps.len
                                              : probability->g->levels.drivers_before[level];
}

static bool reads_own_level(const Probability *probability, uint32_t level, uint32_t step)
{
  const Graph *g = probability->g;
  const Step *the_step = &probability->steps.at[step];
  uint32_t end = step + 1 < probability->steps.len ? probability->steps.at[step + 1].first_input
                                                   : probability->inputs.len;
  for (uint32_t i = the_step->first_input; i < end; i++) {
    uint32_t place = probability->inputs.at[i] / 2;
    bool is_state = place >= g->slots.count && place < probability->constants;
    if (level == g->levels.count ? is_state && place != the_step->target
                                 : place < g->slots.count && g->slots.level[place] == level)
      return true;
  }
  return false;
}

static void find_order(Probability *probability)
{
  probability->in_order = mem_alloc_zero((size_t)probability->g->levels.count + 1, 1);
  for (uint32_t level = 0; level <= probability->g->levels.count; level++)
    for (uint32_t i = first_step(probability, level); i < first_step(probability, level + 1); i++)
      probability->in_order[level] |= reads_own_level(probability, level, i);
}

/* values: room for the truth table. */
static float evaluate_in(float *values, const Probability *probability, const Rule *rule,
                         const uint32_t *inputs)
{
  float of[MOST_VARIABLES];
  for (uint32_t i = 0; i < rule->count; i++) {
    float x = probability->value[inputs[i] / 2];
    of[i] = inputs[i] % 2 ? 1 - x : x;
  }
  for (uint32_t j = 0; j < 1u << rule->count; j++)
    values[j] = (float)(rule->rows[j / 64] >> j % 64 & 1);
  return probability_mean(values, of, rule->count);
}

static float evaluate_large(const Probability *probability, const Rule *rule,
                            const uint32_t *inputs)
{
  float values[1 << MOST_VARIABLES];
  return evaluate_in(values, probability, rule, inputs);
}

/* Most functions need little room. */
static float evaluate(const Probability *probability, const Rule *rule, const uint32_t *inputs)
{
  float values[1 << FEW_VARIABLES];
  return rule->count > FEW_VARIABLES ? evaluate_large(probability, rule, inputs)
                                     : evaluate_in(values, probability, rule, inputs);
}

static uint32_t steps_of_level(void *context, uint32_t level)
{
  const Probability *probability = context;
  uint32_t count = first_step(probability, level + 1) - first_step(probability, level);
  return probability->in_order[level] && count > 0 ? 1 : count;
}

static void run_steps(void *context, uint32_t level, uint32_t from, uint32_t to, int thread)
{
  Probability *probability = context;
  uint32_t first = first_step(probability, level), end = first + to;
  float most = probability->most[thread];
  if (probability->in_order[level]) end = first_step(probability, level + 1);
  for (uint32_t i = first + from; i < end; i++) {
    const Step *step = &probability->steps.at[i];
    const uint32_t *inputs = probability->inputs.at + step->first_input;
    float x = step->rule == NO_RULE
                  ? probability->value[inputs[0] / 2]
                  : evaluate(probability, &probability->rules.at[step->rule], inputs);
    most = fmaxf(most, fabsf(probability->value[step->target] - x));
    probability->value[step->target] = x;
  }
  probability->most[thread] = most;
}

/* Returns the greatest change. */
static float run_sweep(Probability *probability, int threads)
{
  PoolRun run = { .work = run_steps,
                  .count = steps_of_level,
                  .context = probability,
                  .steps = probability->g->levels.count + 1,
                  .cost = STEP_NS };
  float most = 0;
  for (int i = 0; i < threads; i++) probability->most[i] = 0;
  pool_run(&run, threads);
  for (int i = 0; i < threads; i++) most = fmaxf(most, probability->most[i]);
  return most;
}

/* Numbers the states of all instances behind the slots. Returns where they end. */
static uint32_t number_states(Probability *probability)
{
  const Netlist *n = probability->g->netlist;
  uint32_t end = probability->g->slots.count;
  probability->first_state =
      mem_alloc_zero((size_t)n->insts.len + 1, sizeof *probability->first_state);
  for (InstId i = 0; i < n->insts.len; i++) {
    bool cell = i != TOP_INST && inst_is_there(n, i);
    probability->first_state[i] = end;
    if (cell) end += n->libs->cells.at[n->insts.at[i].master].sequential_count;
    probability->first_state[i + 1] = end;
  }
  return end;
}

static void open_values(Probability *probability)
{
  probability->constants = number_states(probability);
  probability->value =
      mem_alloc_zero((size_t)probability->constants + CONSTANTS, sizeof *probability->value);
  for (uint32_t i = 0; i < probability->constants; i++) probability->value[i] = 0.5f;
  probability->value[probability->constants + IS_1] = 1;
  probability->value[probability->constants + IS_UNKNOWN] = 0.5f;
}

Probability *probability_new(const Graph *g, int threads)
{
  Probability *probability = mem_alloc_zero(1, sizeof *probability);
  probability->g = g;
  probability->rule_of = map_new();
  if (threads < 1) threads = 1;
  probability->most = mem_alloc((size_t)threads * sizeof *probability->most);
  open_values(probability);
  put_steps(probability);
  find_order(probability);
  float most = 1;
  for (int sweep = 0; sweep < MOST_SWEEPS && most > settled && !interrupt_seen(); sweep++)
    most = run_sweep(probability, threads);
  array_free(&probability->steps);
  array_free(&probability->inputs);
  if (!interrupt_seen()) return probability;
  probability_free(probability);
  return NULL;
}

void probability_free(Probability *probability)
{
  if (probability == NULL) return;
  for (uint32_t i = 0; i < probability->rules.len; i++) mem_free(probability->rules.at[i].rows);
  array_free(&probability->rules);
  map_free(probability->rule_of);
  mem_free(probability->first_state);
  mem_free(probability->value);
  mem_free(probability->in_order);
  mem_free(probability->most);
  mem_free(probability);
}
