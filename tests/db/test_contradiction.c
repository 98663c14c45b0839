/* Tests of db/contradiction.h: pairs of values, bounds of the same paths, and groups of clocks. */
#include <math.h>
#include <stdlib.h>

#include "db/contradiction.h"
#include "tests/unit.h"

enum { PORT = 7, CLOCKS = 6 };

static ValuePair pair(PairKind kind)
{
  return (ValuePair){ .kind = (uint8_t)kind, .clock = NO_CLOCK, .object = { OBJ_PORT, PORT } };
}

static void note(Constraints *c, PairKind kind, uint32_t line)
{
  Crossed values;
  ValuePair p = pair(kind);
  if (pair_is_crossed(c, &p, &values))
    array_push(&c->crossed_pairs, ((CrossedPair){ .pair = p, .line = line }));
}

/* Lines of what was told. */
typedef struct {
  uint32_t lines[8], count;
  Crossed  last;
} Told;

static void hear(void *data, const CrossedPair *pair, Crossed values)
{
  Told *told = data;
  told->lines[told->count++] = pair->line;
  told->last = values;
}

static Told told(Constraints *c)
{
  Told t = { 0 };
  constraints_tell_crossings(c, hear, &t);
  return t;
}

/* --- pairs of values -------------------------------------------------------------------------- */

static void test_pairs(void)
{
  Constraints *c = constraints_new(NULL);
  float *delay = constraints_input_delay(c, PORT, NO_CLOCK, RISE, false)->delay;
  delay[condition_of(EARLY, FALL)] = 5;
  note(c, PAIR_INPUT_DELAY, 1);                     /* the other value is not given */
  CHECK(told(c).count == 0);
  delay[condition_of(LATE, RISE)] = 3;
  note(c, PAIR_INPUT_DELAY, 2);                     /* of another edge */
  CHECK(told(c).count == 0);
  delay[condition_of(LATE, FALL)] = 3;
  note(c, PAIR_INPUT_DELAY, 3);
  note(c, PAIR_INPUT_SLEW, 4);                      /* nothing was said of it */
  Told t = told(c);
  CHECK(t.count == 1 && t.lines[0] == 3);
  CHECK_NEAR(t.last.least, 5, 0);
  CHECK_NEAR(t.last.most, 3, 0);
  CHECK(told(c).count == 0);                        /* once */
  constraints_free(c);
}

static void test_last_command(void)
{
  Constraints *c = constraints_new(NULL);
  float *load = constraints_port_load(c, PORT)->pin_load,
        *resistance = constraints_drive(c, PORT)->resistance;
  load[0] = resistance[0] = 2;
  load[2] = resistance[2] = 1;
  note(c, PAIR_PIN_LOAD, 1);
  note(c, PAIR_DRIVE, 2);
  note(c, PAIR_PIN_LOAD, 3);
  Told t = told(c);
  CHECK(t.count == 2 && t.lines[0] == 2 && t.lines[1] == 3);
  note(c, PAIR_PIN_LOAD, 4);
  note(c, PAIR_DRIVE, 5);
  load[2] = 2;                                      /* put right */
  t = told(c);
  CHECK(t.count == 1 && t.lines[0] == 5);
  constraints_free(c);
}

static void test_gone(void)
{
  Constraints *c = constraints_new(NULL);
  double waveform[] = { 0, 5 };
  ClockId clock = constraints_add_clock(c, 1, 10, waveform, 2, NULL, 0, false);
  float *delay = constraints_output_delay(c, PORT, clock, FALL, false)->delay;
  c->clocks.at[clock].slew[0] = delay[0] = 2;
  c->clocks.at[clock].slew[2] = delay[2] = 1;
  array_push(&c->crossed_pairs,
             ((CrossedPair){ .pair = { PAIR_OUTPUT_DELAY, FALL, clock, { OBJ_PORT, PORT } } }));
  array_push(&c->crossed_pairs,
             ((CrossedPair){ .pair = { PAIR_CLOCK_SLEW, 0, NO_CLOCK, { OBJ_CLOCK, clock } } }));
  constraints_delete_clock(c, clock);
  CHECK(told(c).count == 0);
  constraints_free(c);
}

/* Values of several groups: -early against -late bounds, each kind of derate. */
static void test_groups_of_values(void)
{
  Constraints *c = constraints_new(NULL);
  ClockPin *pin = constraints_clock_pin(c, PORT, NO_CLOCK);
  Crossed values;
  ValuePair latency = pair(PAIR_SOURCE_LATENCY), derate = pair(PAIR_DERATE),
            cap = pair(PAIR_CAPACITANCE);
  pin->source_latency[EARLY][1] = 2;
  pin->source_latency[LATE][1] = 2;
  CHECK(!pair_is_crossed(c, &latency, &values));
  pin->source_latency[LATE][1] = 1;
  CHECK(pair_is_crossed(c, &latency, &values));
  pin->source_latency[EARLY][1] = NAN;
  pin->source_latency[LATE][3] = 0.5f;
  CHECK(pair_is_crossed(c, &latency, &values));
  Derate *the_derate = constraints_derate(c, derate.object);
  the_derate->factor[DERATE_CELL_CHECK][PATH_CLOCK][condition_of(EARLY, FALL)] = 1.1f;
  the_derate->factor[DERATE_CELL_CHECK][PATH_DATA][condition_of(LATE, FALL)] = 0.9f;
  CHECK(!pair_is_crossed(c, &derate, &values));
  the_derate->factor[DERATE_CELL_CHECK][PATH_CLOCK][condition_of(LATE, FALL)] = 0.9f;
  CHECK(pair_is_crossed(c, &derate, &values));
  constraints_set_limit(c, LIMIT_MAX_CAP, cap.object, 3);
  CHECK(!pair_is_crossed(c, &cap, &values));
  constraints_set_limit(c, LIMIT_MIN_CAP, cap.object, 4);
  CHECK(pair_is_crossed(c, &cap, &values));
  constraints_free(c);
}

/* --- bounds of the same paths ----------------------------------------------------------------- */

static Exception *bound(Constraints *c, ExceptionType type, double delay, const uint32_t *to,
                        uint32_t count)
{
  Exception *exception = constraints_add_exception(c, type);
  exception->delay = delay;
  exception->has_to = count != 0;
  for (uint32_t i = 0; i < count; i++)
    array_push(&exception->to.objects, ((Object){ i ? OBJ_PIN : OBJ_PORT, to[i] }));
  return exception;
}

static void hear_bounds(void *data, const Exception *earlier, const Exception *later)
{
  Told *told = data;
  told->lines[told->count++] = (uint32_t)(earlier->delay * 10 + later->delay);
}

static Told told_bounds(Constraints *c)
{
  Told t = { 0 };
  constraints_tell_bounds(c, hear_bounds, &t);
  return t;
}

static void test_bounds(void)
{
  Constraints *c = constraints_new(NULL);
  const uint32_t a[] = { 1, 2 }, b[] = { 2, 1 };
  bound(c, EXC_MIN_DELAY, 2, a, 2);
  CHECK(told_bounds(c).count == 0);
  bound(c, EXC_MAX_DELAY, 1, a, 1);                 /* other paths */
  bound(c, EXC_FALSE, 1, a, 2);
  CHECK(told_bounds(c).count == 0);
  bound(c, EXC_MAX_DELAY, 1, b, 2);                 /* the same in another order; a port is a pin */
  Told t = told_bounds(c);
  CHECK(t.count == 1 && t.lines[0] == 21);
  CHECK(told_bounds(c).count == 0);
  bound(c, EXC_MAX_DELAY, 4, a, 2);                 /* replaces it */
  bound(c, EXC_MIN_DELAY, 5, a, 2)->end_edges = EDGE_RISE;
  bound(c, EXC_MIN_DELAY, 5, NULL, 0);
  CHECK(told_bounds(c).count == 0);
  bound(c, EXC_MIN_DELAY, 5, a, 2);
  constraints_remove_exception(c, c->exceptions.len - 1);
  CHECK(told_bounds(c).count == 0);
  bound(c, EXC_MIN_DELAY, 6, a, 2);
  t = told_bounds(c);
  CHECK(t.count == 1 && t.lines[0] == 46);
  constraints_free(c);
}

/* --- groups of clocks ------------------------------------------------------------------------- */

/* Each clock in one of `groups`, or in none. */
static ClockGroups *random_groups(Constraints *c, ClockGroupsType type)
{
  ClockGroups *groups = constraints_add_clock_groups(c, type, NO_NAME);
  groups->group_count = 1 + (uint32_t)rand() % 3;
  for (ClockId k = 0; k < CLOCKS; k++) {
    uint32_t group = (uint32_t)rand() % (groups->group_count + 1);
    if (group == groups->group_count) continue;
    array_push(&groups->group_of, k);
    array_push(&groups->group_of, group);
  }
  return groups;
}

static uint32_t group_in(const ClockGroups *groups, ClockId clock)
{
  for (uint32_t i = 0; i < groups->group_of.len; i += 2)
    if (groups->group_of.at[i] == clock) return groups->group_of.at[i + 1];
  return groups->group_count == 1 ? 1 : UINT32_MAX;
}

static bool are_apart(const ClockGroups *groups, ClockId a, ClockId b)
{
  uint32_t in = group_in(groups, a), other = group_in(groups, b);
  return in != UINT32_MAX && other != UINT32_MAX && in != other;
}

static void test_groups(void)
{
  uint32_t found = 0;
  for (int round = 0; round < 2000; round++) {
    Constraints *c = constraints_new(NULL);
    double waveform[] = { 0, 5 };
    for (NameId name = 1; name <= CLOCKS; name++)
      constraints_add_clock(c, name, 10, waveform, 2, NULL, 0, false);
    random_groups(c, GROUPS_ASYNC);
    random_groups(c, GROUPS_LOGICAL);
    const ClockGroups *a = &c->clock_groups.at[0], *b = &c->clock_groups.at[1];
    bool any = false;
    for (ClockId i = 0; i < CLOCKS; i++)
      for (ClockId k = i + 1; k < CLOCKS; k++)
        any = any || (are_apart(a, i, k) && are_apart(b, i, k));
    ClockId clocks[2];
    CHECK(clock_groups_overlap(c, a, b, clocks) == any);
    if (any) CHECK(are_apart(a, clocks[0], clocks[1]) && are_apart(b, clocks[0], clocks[1]));
    found += any;
    constraints_free(c);
  }
  CHECK(found > 200 && found < 1900);
}

void suite_contradiction(void)
{
  CU_pSuite s = CU_add_suite("contradiction", NULL, NULL);
  CU_add_test(s, "pairs of values", test_pairs);
  CU_add_test(s, "the last command is told, and none that was put right", test_last_command);
  CU_add_test(s, "nothing of a deleted clock", test_gone);
  CU_add_test(s, "groups of values, limits", test_groups_of_values);
  CU_add_test(s, "bounds of the same paths", test_bounds);
  CU_add_test(s, "groups of clocks, against all pairs", test_groups);
}
