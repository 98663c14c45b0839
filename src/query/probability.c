/* Computes the probability that a pin is 1. See probability.h. */
#include "query/probability.h"

#include <math.h>

#include "base/interrupt.h"
#include "db/function.h"

enum { MOST_VARIABLES = 12, MOST_PASSES = 100, NO_RULE = UINT32_MAX };
static const float settled = 1e-5f;

/* A function as a truth table over pins and states of its cell. */
typedef struct {
  uint32_t count;                    /* of variables; NO_RULE: too many */
  PortId   port[MOST_VARIABLES];     /* of pins */
  uint8_t  state[MOST_VARIABLES];    /* 0: a pin; else 1 + 2 * index, and 1 more if inverted */
  uint64_t *rows;
} Rule;

struct Probability {
  const Graph *g;
  float    *driver;                  /* by slot; of drivers */
  uint32_t *first_state;             /* by instance: in state */
  ARRAY(float) state;
  ARRAY(Rule) rules;
  Map      *rule_of;                 /* FunctionId -> its rule */
  float    *values;                  /* room for a truth table */
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

static const Rule *rule_of(Probability *p, FunctionId f)
{
  uint32_t at = map_get(p->rule_of, f);
  if (at == MAP_NO_VALUE) {
    at = p->rules.len;
    map_put(p->rule_of, f, at);
    array_push(&p->rules, make_rule(p->g->libs, f));
  }
  return &p->rules.at[at];
}

/* --- pins ------------------------------------------------------------------------------------- */
static float of_slot(const Probability *p, Slot s)
{
  const Graph *g = p->g;
  if (s == NO_SLOT) return 0.5f;
  if (g->slots.logic[s] < 2) return g->slots.logic[s];
  if (slot_is_driver(g, s)) return p->driver[s];
  Slot driver = g->nets.wire_driver[s];
  return driver == NO_SLOT ? 0.5f : p->driver[driver];
}

float probability_of_pin(const Probability *p, PinId pin)
{
  return pin == NO_PIN ? 0.5f : of_slot(p, graph_arriving_slot(p->g, pin));
}

float probability_of_state(const Probability *p, InstId inst, uint32_t index)
{
  return p->state.at[p->first_state[inst] + index];
}

/* A function at an instance whose cell has it. */
static float evaluate(Probability *p, InstId inst, FunctionId f)
{
  const Rule *r = rule_of(p, f);
  float of[MOST_VARIABLES];
  if (r->count == NO_RULE) return 0.5f;
  for (uint32_t i = 0; i < r->count; i++) {
    float state = r->state[i] ? probability_of_state(p, inst, (r->state[i] - 1u) / 2) : 0;
    of[i] = r->state[i] == 0       ? probability_of_pin(p, netlist_pin_of_port(p->g->netlist, inst,
                                                                                r->port[i]))
            : r->state[i] % 2 == 0 ? 1 - state
                                   : state;
  }
  for (uint32_t j = 0; j < 1u << r->count; j++)
    p->values[j] = (float)(r->rows[j / 64] >> j % 64 & 1);
  return probability_mean(p->values, of, r->count);
}

static float of_driver(Probability *p, Slot s)
{
  const Netlist *n = p->g->netlist;
  const Pin *pin = &n->pins.at[p->g->slots.pin[s]];
  if (p->g->slots.logic[s] < 2) return p->g->slots.logic[s];
  if (p->g->slots.flags[s] & SLOT_PORT || !inst_is_leaf(n, pin->inst)) return 0.5f;
  FunctionId f = n->libs->ports.at[pin->port].function;
  return f == NO_FUNCTION ? 0.5f : evaluate(p, pin->inst, f);
}

/* --- passes ----------------------------------------------------------------------------------- */
static float put(float *at, float value)
{
  float change = fabsf(*at - value);
  *at = value;
  return change;
}

static float pass_states(Probability *p)
{
  const Netlist *n = p->g->netlist;
  float most = 0;
  for (InstId i = 0; i < n->insts.len && !interrupt_seen(); i++) {
    if (p->first_state[i] == p->first_state[i + 1]) continue;
    const LibCell *c = &n->libs->cells.at[n->insts.at[i].master];
    for (uint32_t k = 0; k < c->sequential_count; k++) {
      FunctionId data = n->libs->sequentials.at[c->first_sequential + k].data;
      float x = data == NO_FUNCTION ? 0.5f : evaluate(p, i, data);
      most = fmaxf(most, put(&p->state.at[p->first_state[i] + k], x));
    }
  }
  return most;
}

static float pass_drivers(Probability *p)
{
  const Graph *g = p->g;
  float most = 0;
  for (uint32_t i = 0; i < g->nets.driver_count && !interrupt_seen(); i++) {
    Slot s = g->nets.driver_slots[i];
    most = fmaxf(most, put(&p->driver[s], of_driver(p, s)));
  }
  return most;
}

static void number_states(Probability *p)
{
  const Netlist *n = p->g->netlist;
  p->first_state = mem_alloc_zero((size_t)n->insts.len + 1, sizeof *p->first_state);
  for (InstId i = 0; i < n->insts.len; i++) {
    bool cell = i != TOP_INST && inst_is_leaf(n, i) && !(n->insts.at[i].flags & INST_DELETED);
    uint32_t count = cell ? n->libs->cells.at[n->insts.at[i].master].sequential_count : 0;
    for (uint32_t k = 0; k < count; k++) array_push(&p->state, 0.5f);
    p->first_state[i + 1] = p->state.len;
  }
}

Probability *probability_new(const Graph *g)
{
  Probability *p = mem_alloc_zero(1, sizeof *p);
  p->g = g;
  p->rule_of = map_new();
  p->values = mem_alloc_zero(1u << MOST_VARIABLES, sizeof *p->values);
  p->driver = mem_alloc_zero((size_t)g->slots.count + 1, sizeof *p->driver);
  for (Slot s = 0; s < g->slots.count; s++) p->driver[s] = 0.5f;
  number_states(p);
  float most = 1;
  for (int pass = 0; pass < MOST_PASSES && most > settled; pass++) {
    most = pass_drivers(p);
    most = fmaxf(most, pass_states(p));
  }
  if (!interrupt_seen()) return p;
  probability_free(p);
  return NULL;
}

void probability_free(Probability *p)
{
  if (p == NULL) return;
  for (uint32_t i = 0; i < p->rules.len; i++) mem_free(p->rules.at[i].rows);
  array_free(&p->rules);
  array_free(&p->state);
  map_free(p->rule_of);
  mem_free(p->first_state);
  mem_free(p->driver);
  mem_free(p->values);
  mem_free(p);
}
