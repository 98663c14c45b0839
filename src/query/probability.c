/* Computes the probability that a pin is 1. See probability.h. */
#include "query/probability.h"

#include <math.h>

#include "base/interrupt.h"
#include "base/pool.h"
#include "db/function.h"

enum { MOST_VARIABLES = 12, FEW_VARIABLES = 6, MOST_PASSES = 100, NO_RULE = UINT32_MAX };
static const float settled = 1e-5f;

/* A function as a truth table over pins and states of its cell. */
typedef struct {
  uint32_t count;                    /* of variables; NO_RULE: too many */
  PortId   port[MOST_VARIABLES];     /* of pins */
  uint8_t  state[MOST_VARIABLES];    /* 0: a pin; else 1 + 2 * index, and 1 more if inverted */
  uint64_t *rows;
} Rule;

/* What a pass computes: the value of a driver or a state. Its inputs are found once: places in
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
  float    *most;                    /* by thread: greatest change of a pass */
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
  const LibCell *c = &libs->cells.at[libs->ports.at[port].cell];
  for (uint32_t i = 0; i < c->sequential_count && i < 100; i++) {
    const LibSequential *s = &libs->sequentials.at[c->first_sequential + i];
    if (s->state == port) return (uint8_t)(1 + 2 * i);
    if (s->state_inverted == port) return (uint8_t)(2 + 2 * i);
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

static uint32_t rule_of(Probability *p, FunctionId f)
{
  uint32_t at = map_get(p->rule_of, f);
  if (at == MAP_NO_VALUE) {
    at = p->rules.len;
    map_put(p->rule_of, f, at);
    array_push(&p->rules, make_rule(p->g->libs, f));
  }
  return at;
}

/* --- pins ------------------------------------------------------------------------------------- */
enum { IS_0, IS_1, IS_UNKNOWN, CONSTANTS };

/* Returns the place of a slot's value. */
static uint32_t place_of_slot(const Probability *p, Slot s)
{
  const Graph *g = p->g;
  if (s == NO_SLOT) return p->constants + IS_UNKNOWN;
  if (g->slots.logic[s] < 2) return p->constants + g->slots.logic[s];
  if (slot_is_driver(g, s)) return s;
  Slot driver = g->nets.wire_driver[s];
  return driver == NO_SLOT ? p->constants + IS_UNKNOWN : driver;
}

static uint32_t place_of_pin(const Probability *p, PinId pin)
{
  return pin == NO_PIN ? p->constants + IS_UNKNOWN
                       : place_of_slot(p, graph_arriving_slot(p->g, pin));
}

float probability_of_pin(const Probability *p, PinId pin) { return p->value[place_of_pin(p, pin)]; }

float probability_of_state(const Probability *p, InstId inst, uint32_t index)
{
  return p->value[p->first_state[inst] + index];
}

/* --- steps ------------------------------------------------------------------------------------ */
static void put_copy(Probability *p, uint32_t target, uint32_t place)
{
  array_push(&p->steps, (Step){ target, NO_RULE, p->inputs.len });
  array_push(&p->inputs, 2 * place);
}

/* A function at an instance whose cell has it. */
static void put_function(Probability *p, uint32_t target, InstId inst, FunctionId f)
{
  uint32_t rule = f == NO_FUNCTION ? NO_RULE : rule_of(p, f);
  if (rule == NO_RULE || p->rules.at[rule].count == NO_RULE) {
    put_copy(p, target, p->constants + IS_UNKNOWN);
    return;
  }
  const Rule *r = &p->rules.at[rule];
  array_push(&p->steps, (Step){ target, rule, p->inputs.len });
  for (uint32_t i = 0; i < r->count; i++) {
    uint32_t state = p->first_state[inst] + (r->state[i] - 1u) / 2;
    array_push(&p->inputs,
               r->state[i]
                   ? 2 * state + (r->state[i] % 2 == 0)
                   : 2 * place_of_pin(p, netlist_pin_of_port(p->g->netlist, inst, r->port[i])));
  }
}

static void put_driver(Probability *p, Slot s)
{
  const Netlist *n = p->g->netlist;
  const Pin *pin = &n->pins.at[p->g->slots.pin[s]];
  if (p->g->slots.logic[s] < 2) put_copy(p, s, p->constants + p->g->slots.logic[s]);
  else if (p->g->slots.flags[s] & SLOT_PORT || !inst_is_leaf(n, pin->inst))
    put_copy(p, s, p->constants + IS_UNKNOWN);
  else put_function(p, s, pin->inst, n->libs->ports.at[pin->port].function);
}

static void put_states(Probability *p, InstId i)
{
  const LibrarySet *libs = p->g->libs;
  const LibCell *c = &libs->cells.at[p->g->netlist->insts.at[i].master];
  for (uint32_t k = 0; k < p->first_state[i + 1] - p->first_state[i]; k++)
    put_function(p, p->first_state[i] + k, i, libs->sequentials.at[c->first_sequential + k].data);
}

static void put_steps(Probability *p)
{
  const Graph *g = p->g;
  for (uint32_t i = 0; i < g->nets.driver_count; i++) put_driver(p, g->nets.driver_slots[i]);
  for (InstId i = 0; i < g->netlist->insts.len; i++) put_states(p, i);
}

/* --- passes ----------------------------------------------------------------------------------- */
/* Steps of a level are in no order if none reads what another one writes; so are those of all
   states. */
enum { STEP_NS = 30 };

static uint32_t first_step(const Probability *p, uint32_t level)
{
  return level > p->g->levels.count ? p->steps.len : p->g->levels.drivers_before[level];
}

static bool reads_own_level(const Probability *p, uint32_t level, uint32_t step)
{
  const Graph *g = p->g;
  const Step *s = &p->steps.at[step];
  uint32_t end = step + 1 < p->steps.len ? p->steps.at[step + 1].first_input : p->inputs.len;
  for (uint32_t i = s->first_input; i < end; i++) {
    uint32_t place = p->inputs.at[i] / 2;
    bool is_state = place >= g->slots.count && place < p->constants;
    if (level == g->levels.count ? is_state && place != s->target
                                 : place < g->slots.count && g->slots.level[place] == level)
      return true;
  }
  return false;
}

static void find_order(Probability *p)
{
  p->in_order = mem_alloc_zero((size_t)p->g->levels.count + 1, 1);
  for (uint32_t level = 0; level <= p->g->levels.count; level++)
    for (uint32_t i = first_step(p, level); i < first_step(p, level + 1); i++)
      p->in_order[level] |= reads_own_level(p, level, i);
}

/* values: room for the truth table. */
static float evaluate_in(float *values, const Probability *p, const Rule *r, const uint32_t *inputs)
{
  float of[MOST_VARIABLES];
  for (uint32_t i = 0; i < r->count; i++) {
    float x = p->value[inputs[i] / 2];
    of[i] = inputs[i] % 2 ? 1 - x : x;
  }
  for (uint32_t j = 0; j < 1u << r->count; j++)
    values[j] = (float)(r->rows[j / 64] >> j % 64 & 1);
  return probability_mean(values, of, r->count);
}

static float evaluate_large(const Probability *p, const Rule *r, const uint32_t *inputs)
{
  float values[1 << MOST_VARIABLES];
  return evaluate_in(values, p, r, inputs);
}

/* Most functions need little room. */
static float evaluate(const Probability *p, const Rule *r, const uint32_t *inputs)
{
  float values[1 << FEW_VARIABLES];
  return r->count > FEW_VARIABLES ? evaluate_large(p, r, inputs)
                                  : evaluate_in(values, p, r, inputs);
}

static uint32_t steps_of_level(void *context, uint32_t level)
{
  const Probability *p = context;
  uint32_t count = first_step(p, level + 1) - first_step(p, level);
  return p->in_order[level] && count > 0 ? 1 : count;
}

static void run_steps(void *context, uint32_t level, uint32_t from, uint32_t to, int thread)
{
  Probability *p = context;
  uint32_t first = first_step(p, level), end = first + to;
  float most = p->most[thread];
  if (p->in_order[level]) end = first_step(p, level + 1);
  for (uint32_t i = first + from; i < end; i++) {
    const Step *s = &p->steps.at[i];
    const uint32_t *inputs = p->inputs.at + s->first_input;
    float x = s->rule == NO_RULE ? p->value[inputs[0] / 2]
                                 : evaluate(p, &p->rules.at[s->rule], inputs);
    most = fmaxf(most, fabsf(p->value[s->target] - x));
    p->value[s->target] = x;
  }
  p->most[thread] = most;
}

/* Returns the greatest change. */
static float run_pass(Probability *p, int threads)
{
  PoolRun run = { .work = run_steps, .count = steps_of_level, .context = p,
                  .steps = p->g->levels.count + 1, .cost = STEP_NS };
  float most = 0;
  for (int i = 0; i < threads; i++) p->most[i] = 0;
  pool_run(&run, threads);
  for (int i = 0; i < threads; i++) most = fmaxf(most, p->most[i]);
  return most;
}

/* Numbers the states of all instances behind the slots. Returns where they end. */
static uint32_t number_states(Probability *p)
{
  const Netlist *n = p->g->netlist;
  uint32_t end = p->g->slots.count;
  p->first_state = mem_alloc_zero((size_t)n->insts.len + 1, sizeof *p->first_state);
  for (InstId i = 0; i < n->insts.len; i++) {
    bool cell = i != TOP_INST && inst_is_there(n, i);
    p->first_state[i] = end;
    if (cell) end += n->libs->cells.at[n->insts.at[i].master].sequential_count;
    p->first_state[i + 1] = end;
  }
  return end;
}

static void open_values(Probability *p)
{
  p->constants = number_states(p);
  p->value = mem_alloc_zero((size_t)p->constants + CONSTANTS, sizeof *p->value);
  for (uint32_t i = 0; i < p->constants; i++) p->value[i] = 0.5f;
  p->value[p->constants + IS_1] = 1;
  p->value[p->constants + IS_UNKNOWN] = 0.5f;
}

Probability *probability_new(const Graph *g, int threads)
{
  Probability *p = mem_alloc_zero(1, sizeof *p);
  p->g = g;
  p->rule_of = map_new();
  if (threads < 1) threads = 1;
  p->most = mem_alloc((size_t)threads * sizeof *p->most);
  open_values(p);
  put_steps(p);
  find_order(p);
  float most = 1;
  for (int pass = 0; pass < MOST_PASSES && most > settled && !interrupt_seen(); pass++)
    most = run_pass(p, threads);
  array_free(&p->steps);
  array_free(&p->inputs);
  if (!interrupt_seen()) return p;
  probability_free(p);
  return NULL;
}

void probability_free(Probability *p)
{
  if (p == NULL) return;
  for (uint32_t i = 0; i < p->rules.len; i++) mem_free(p->rules.at[i].rows);
  array_free(&p->rules);
  map_free(p->rule_of);
  mem_free(p->first_state);
  mem_free(p->value);
  mem_free(p->in_order);
  mem_free(p->most);
  mem_free(p);
}
