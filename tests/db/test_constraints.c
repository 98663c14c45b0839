/* Tests of db/constraints.h: clocks, records, delays, exceptions, and copies. */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "db/constraints.h"
#include "tests/unit.h"

enum { CLK = 1, CLK2, CLK3, GROUP };        /* name ids; the constraints keep them, nothing looks at
                                               their text */

static Object pin(uint32_t id) { return (Object){ OBJ_PIN, id }; }
static Object clock_object(ClockId id) { return (Object){ OBJ_CLOCK, id }; }

static ClockId add_clock(Constraints *c, NameId name, double period, PinId source, bool add)
{
  double waveform[] = { 0, period / 2 };
  return constraints_add_clock(c, name, period, waveform, 2, &source, source != NO_PIN, add);
}

/* --- clocks ----------------------------------------------------------------------------------- */

static void test_redefinition(void)
{
  Constraints *c = constraints_new(NULL);
  ClockId a = add_clock(c, CLK, 1000, 5, false);
  constraints_put(c, &c->clocks.at[a].uncertainty[SETUP], 50);
  CHECK(add_clock(c, CLK, 800, 6, false) == a);
  CHECK(c->clocks.len == 1);
  CHECK_NEAR(c->clocks.at[a].period, 800, 0);
  CHECK_NEAR(c->clocks.at[a].waveform.at[1], 400, 0);
  CHECK(c->clocks.at[a].sources.len == 1 && c->clocks.at[a].sources.at[0] == 6);
  CHECK_NEAR(c->clocks.at[a].uncertainty[SETUP], 50, 0);
  CHECK(isnan(c->clocks.at[a].uncertainty[HOLD]));
  constraints_free(c);
}

static void test_shared_sources(void)
{
  Constraints *c = constraints_new(NULL);
  PinId two[] = { 5, 6 };
  double waveform[] = { 0, 1 };
  ClockId a = constraints_add_clock(c, CLK, 2, waveform, 2, two, 2, false);
  ClockId b = add_clock(c, CLK2, 3, 5, true);
  CHECK(!c->clocks.at[a].deleted && !c->clocks.at[b].deleted);
  ClockId d = add_clock(c, CLK3, 3, 5, false);      /* takes the pin from both */
  CHECK(c->clocks.at[a].sources.len == 1 && c->clocks.at[a].sources.at[0] == 6);
  CHECK(c->clocks.at[b].deleted);
  CHECK(constraints_find_clock(c, CLK2) == NO_CLOCK);
  CHECK(constraints_find_clock(c, CLK3) == d);
  add_clock(c, CLK2, 3, 5, true);
  add_clock(c, CLK2, 3, 5, false);                  /* the same clock without -add */
  CHECK(c->clocks.at[d].deleted);
  constraints_free(c);
}

static ExceptionId add_path(Constraints *c, ExceptionType type, const Object *from,
                            uint32_t from_count, const Object *to, uint32_t to_count)
{
  Exception *exception = constraints_add_exception(c, type);
  exception->has_from = from_count != 0;
  exception->has_to = to_count != 0;
  for (uint32_t i = 0; i < from_count; i++) array_push(&exception->from.objects, from[i]);
  for (uint32_t i = 0; i < to_count; i++) array_push(&exception->to.objects, to[i]);
  return c->exceptions.len - 1;
}

static void test_deleted_clock(void)
{
  Constraints *c = constraints_new(NULL);
  ClockId a = add_clock(c, CLK, 10, 1, false), b = add_clock(c, CLK2, 10, 2, false);
  for (PinId p = 10; p < 14; p++)
    for (int k = 0; k < 2; k++) {
      constraints_put(c, &constraints_input_delay(c, p, k ? b : a, RISE, true)->delay[0], 1);
      constraints_put(c, &constraints_output_delay(c, p, k ? b : a, FALL, true)->delay[0], 1);
    }
  Object both[] = { clock_object(a), clock_object(b) };
  ExceptionId only_a = add_path(c, EXC_FALSE, both, 1, NULL, 0);
  ExceptionId from_both = add_path(c, EXC_FALSE, both, 2, &both[1], 1);
  ClockGroups *groups = constraints_add_clock_groups(c, GROUPS_ASYNC, NO_NAME);
  groups->group_count = 2;
  for (uint32_t i = 0; i < 2; i++) {
    array_push(&groups->group_of, i ? b : a);
    array_push(&groups->group_of, i);
  }
  constraints_set_inter_uncertainty(c, a, EDGE_BOTH, b, EDGE_BOTH, 3, 5);
  constraints_set_inter_uncertainty(c, b, EDGE_BOTH, b, EDGE_RISE, 3, 7);
  constraints_clock_pin(c, 20, a);
  constraints_put(c, constraints_clock_pin(c, 21, b)->network_latency, 4);
  constraints_delete_clock(c, a);
  CHECK(constraints_find_clock(c, CLK) == NO_CLOCK);
  CHECK(c->input_delays.len == 4 && c->output_delays.len == 4);
  for (uint32_t i = 0; i < 4; i++) CHECK(c->input_delays.at[i].clock == b);
  for (PinId p = 10; p < 14; p++)
    CHECK(constraints_output_delay(c, p, b, FALL, true)->delay[0] == 1);
  CHECK(c->output_delays.len == 4);
  CHECK(c->exceptions.at[only_a].deleted);
  CHECK(!c->exceptions.at[from_both].deleted && c->exceptions.at[from_both].from.objects.len == 1);
  CHECK(!c->clock_groups.at[0].deleted && c->clock_groups.at[0].group_count == 2
      && c->clock_groups.at[0].group_of.len == 2);
  CHECK(c->inter_uncertainties.len == 2 && c->inter_uncertainties.at[0].from == b);
  CHECK(c->clock_pins.len == 1);
  CHECK(constraints_find_clock_pin(c, 21, b)->network_latency[0] == 4);
  CHECK(constraints_find_clock_pin(c, 20, a) == NULL);
  constraints_delete_clock(c, b);
  CHECK(c->input_delays.len == 0 && c->clock_groups.at[0].deleted
        && c->inter_uncertainties.len == 0);
  constraints_free(c);
}

static void test_inter_uncertainty(void)
{
  Constraints *c = constraints_new(NULL);
  ClockId a = add_clock(c, CLK, 10, 1, false), b = add_clock(c, CLK2, 10, 2, false);
  constraints_set_inter_uncertainty(c, a, EDGE_BOTH, b, EDGE_BOTH, 1 << SETUP, 5);
  CHECK(c->inter_uncertainties.len == 4);
  constraints_set_inter_uncertainty(c, a, EDGE_RISE, b, EDGE_FALL, 3, 9);
  CHECK(c->inter_uncertainties.len == 4);
  for (uint32_t i = 0; i < 4; i++) {
    const InterUncertainty *uncertainty = &c->inter_uncertainties.at[i];
    bool narrow = uncertainty->from_edges == EDGE_RISE && uncertainty->to_edges == EDGE_FALL;
    CHECK(uncertainty->value[SETUP] == (narrow ? 9 : 5));
    CHECK(narrow ? uncertainty->value[HOLD] == 9 : isnan(uncertainty->value[HOLD]));
  }
  constraints_set_inter_uncertainty(c, a, EDGE_BOTH, b, EDGE_BOTH, 1 << SETUP, NAN);
  CHECK(c->inter_uncertainties.len == 1);
  constraints_set_inter_uncertainty(c, b, EDGE_BOTH, a, EDGE_BOTH, 3, NAN);
  CHECK(c->inter_uncertainties.len == 1);
  constraints_free(c);
}

/* --- records ---------------------------------------------------------------------------------- */

static void test_delays(void)
{
  Constraints *c = constraints_new(NULL);
  ClockId a = add_clock(c, CLK, 10, 1, false), b = add_clock(c, CLK2, 10, 2, false);
  constraints_input_delay(c, 7, a, RISE, false)->delay[0] = 1;
  constraints_input_delay(c, 7, a, FALL, true)->delay[0] = 2;
  constraints_input_delay(c, 7, b, RISE, true)->delay[0] = 3;
  constraints_input_delay(c, 8, NO_CLOCK, RISE, false)->delay[0] = 4;
  CHECK(c->input_delays.len == 4);
  CHECK(constraints_input_delay(c, 7, a, FALL, true)->delay[0] == 2);
  CHECK(isnan(constraints_input_delay(c, 7, a, FALL, true)->delay[1]));
  /* the others of pin 7 go */
  CHECK(constraints_input_delay(c, 7, b, RISE, false)->delay[0] == 3);
  CHECK(c->input_delays.len == 2);
  CHECK(constraints_input_delay(c, 8, NO_CLOCK, RISE, false)->delay[0] == 4);
  constraints_unset_delay(c, false, 7, a, false, -1, ~0u);
  CHECK(c->input_delays.len == 2);
  constraints_unset_delay(c, false, 7, NO_CLOCK, true, -1, 2);
  CHECK(c->input_delays.len == 2);
  constraints_unset_delay(c, false, 7, NO_CLOCK, true, -1, 1);
  CHECK(c->input_delays.len == 1 && c->input_delays.at[0].pin == 8);
  constraints_free(c);
}

/* Against a plain table: many pins and clocks, all operations. */
static void test_delays_at_random(void)
{
  enum { PINS = 6, CLOCKS = 3, EDGES = 2 };
  Constraints *c = constraints_new(NULL);
  float want[PINS][CLOCKS][EDGES];
  for (int i = 0; i < PINS * CLOCKS * EDGES; i++) ((float *)want)[i] = NAN;
  for (NameId n = 1; n <= CLOCKS; n++) add_clock(c, n, 10, NO_PIN, false);
  uint32_t seed = 1;
  bool same = true;
  for (int step = 0; step < 4000; step++) {
    seed = seed * 1664525u + 1013904223u;
    uint32_t r = seed >> 8;
    uint32_t p = r % PINS, k = r / 7 % CLOCKS, e = r / 31 % EDGES, what = r / 101 % 4;
    if (what == 3) {
      constraints_unset_delay(c, true, p, k, false, (int)e, 15);
      want[p][k][e] = NAN;
    } else {
      constraints_output_delay(c, p, k, (int)e, what != 0)->delay[0] = (float)step;
      for (int i = 0; what == 0 && i < CLOCKS * EDGES; i++) ((float *)want[p])[i] = NAN;
      want[p][k][e] = (float)step;
    }
    uint32_t count = 0;
    for (int i = 0; i < PINS * CLOCKS * EDGES; i++) count += !isnan(((float *)want)[i]);
    same = same && count == c->output_delays.len;
    for (uint32_t i = 0; i < c->output_delays.len; i++) {
      const PortDelay *delay = &c->output_delays.at[i];
      same = same && delay->delay[0] == want[delay->pin][delay->clock][delay->clock_edge];
    }
  }
  CHECK(same);
  constraints_free(c);
}

static void test_disabled(void)
{
  Constraints *c = constraints_new(NULL);
  Object cell = { OBJ_CELL, 3 };
  constraints_disable(c, cell, 1, 2, true);
  constraints_disable(c, cell, NO_NAME, 2, true);
  constraints_disable(c, cell, 1, 2, true);
  constraints_disable(c, pin(3), NO_NAME, NO_NAME, true);
  CHECK(c->disabled.len == 3);
  constraints_disable(c, cell, NO_NAME, NO_NAME, false);
  CHECK(c->disabled.len == 3);
  constraints_disable(c, cell, 1, 2, false);
  constraints_disable(c, cell, NO_NAME, 2, false);
  CHECK(c->disabled.len == 1 && c->disabled.at[0].object.type == OBJ_PIN);
  constraints_disable(c, pin(3), NO_NAME, NO_NAME, false);
  CHECK(c->disabled.len == 0);
  constraints_free(c);
}

static void test_records(void)
{
  Constraints *c = constraints_new(NULL);
  CHECK(constraints_find_drive(c, 4) == NULL && constraints_find_port_load(c, 4) == NULL);
  CHECK(constraints_drive(c, 4)->cell[2] == NO_CELL && isnan(constraints_drive(c, 4)->slew[3]));
  CHECK(constraints_find_drive(c, 4) == c->drives.at && c->drives.len == 1);
  constraints_set_case(c, 9, CASE_ONE, true);
  constraints_set_case(c, 8, CASE_ZERO, false);
  constraints_set_case(c, 9, CASE_FALL, true);
  CHECK(c->cases.len == 2 && constraints_find_case(c, 9)->value == CASE_FALL);
  constraints_unset_case(c, 9, false);
  CHECK(constraints_find_case(c, 9)->value == CASE_FALL);
  constraints_set_case(c, 9, CASE_ONE, false);
  CHECK(constraints_find_case(c, 9)->value == CASE_FALL
        && constraints_find_case(c, 9)->logic == CASE_ONE);
  constraints_unset_case(c, 9, true);
  CHECK(constraints_find_case(c, 9)->value == CASE_ONE && !constraints_find_case(c, 9)->is_case);
  constraints_unset_case(c, 9, false);
  constraints_unset_case(c, 9, false);
  CHECK(constraints_find_case(c, 9) == NULL && constraints_find_case(c, 8)->value == CASE_ZERO);
  constraints_set_limit(c, LIMIT_MAX_CAP, pin(1), 3);
  constraints_set_limit(c, LIMIT_MIN_CAP, pin(1), 2);
  constraints_set_limit(c, LIMIT_MAX_CAP, pin(1), 4);
  CHECK(c->limits[LIMIT_MAX_CAP].len == 1 && constraints_find_limit(c, LIMIT_MAX_CAP, pin(1)) == 4);
  CHECK(isnan(constraints_find_limit(c, LIMIT_MAX_CAP, pin(2))));
  constraints_derate(c, (Object){ OBJ_DESIGN, 0 })->factor[DERATE_NET_DELAY][PATH_CLOCK][3] = 2;
  CHECK(
      constraints_find_derate(c, (Object){ OBJ_DESIGN, 0 })->factor[DERATE_NET_DELAY][PATH_CLOCK][3]
      == 2);
  constraints_clear_derates(c);
  CHECK(c->derates.len == 0 && constraints_find_derate(c, (Object){ OBJ_DESIGN, 0 }) == NULL);
  constraints_add_ideal(c, (IdealSource){ .pin = 5, .no_propagation = true });
  constraints_add_ideal(c, (IdealSource){ .pin = 5 });
  CHECK(c->ideal_sources.len == 1 && !c->ideal_sources.at[0].no_propagation);
  constraints_add_ideal(c, (IdealSource){ .pin = 5, .of_net = true, .no_propagation = true });
  CHECK(c->ideal_sources.len == 2);
  constraints_remove_ideal(c, 5, false);
  CHECK(c->ideal_sources.len == 1 && c->ideal_sources.at[0].of_net);
  constraints_disable_gating(c, pin(1), true);
  constraints_disable_gating(c, pin(2), true);
  constraints_disable_gating(c, pin(1), false);
  CHECK(c->gating_disabled.len == 1 && constraints_gating_is_disabled(c, pin(2))
        && !constraints_gating_is_disabled(c, pin(1)));
  constraints_free(c);
}

/* A repeated setting costs no update. */
static void test_versions(void)
{
  Constraints *c = constraints_new(NULL);
  float *at = constraints_port_load(c, 1)->pin_load;
  uint64_t version = c->version;
  constraints_put(c, at, 5);
  CHECK(c->version == version + 1);
  constraints_put(c, at, 6);
  constraints_put(c, at, 6);
  CHECK(c->version == version + 2);
  constraints_put(c, at, NAN);
  constraints_put(c, at, NAN);
  CHECK(c->version == version + 3);
  constraints_free(c);
}

/* --- resetting exceptions --------------------------------------------------------------------- */

static Exception spec_of(Object from, Object to)
{
  Exception spec = {
    .checks = 3, .end_edges = EDGE_BOTH, .from.edges = EDGE_BOTH, .to.edges = EDGE_BOTH
  };
  spec.has_from = from.type != OBJ_NONE;
  spec.has_to = to.type != OBJ_NONE;
  if (spec.has_from) array_push(&spec.from.objects, from);
  if (spec.has_to) array_push(&spec.to.objects, to);
  return spec;
}

/* Does an exception that is left speak of the path? */
static bool speaks(const Constraints *c, uint32_t from, uint32_t to, int check, int edge)
{
  for (uint32_t i = 0; i < c->exceptions.len; i++) {
    const Exception *exception = &c->exceptions.at[i];
    bool f = !exception->has_from, t = !exception->has_to;
    if (exception->deleted || !(exception->checks >> check & 1)
        || !(exception->end_edges >> edge & 1))
      continue;
    for (uint32_t j = 0; j < exception->from.objects.len; j++)
      f = f || exception->from.objects.at[j].id == from;
    for (uint32_t j = 0; j < exception->to.objects.len; j++)
      t = t || exception->to.objects.at[j].id == to;
    if (f && t) return true;
  }
  return false;
}

static void test_reset(void)
{
  static const Object none = { 0 };
  Constraints *c = constraints_new(NULL);
  Object starts[] = { pin(1), pin(2), pin(3) }, ends[] = { pin(11), pin(12) };
  add_path(c, EXC_FALSE, starts, 3, ends, 2);
  add_path(c, EXC_GROUP, starts, 1, ends, 1);
  Exception spec = spec_of(pin(2), pin(12));
  spec.checks = 1 << HOLD;
  spec.end_edges = EDGE_FALL;
  constraints_reset_paths(c, &spec);
  bool right = true;
  for (uint32_t f = 1; f <= 3; f++)
    for (uint32_t t = 11; t <= 12; t++)
      for (int k = HOLD; k <= SETUP; k++)
        for (int e = RISE; e <= FALL; e++)
          right = right && speaks(c, f, t, k, e) == !(f == 2 && t == 12 && k == HOLD && e == FALL);
  CHECK(right);
  exception_clear(&spec);
  spec = spec_of(pin(1), none);
  constraints_reset_paths(c, &spec);
  exception_clear(&spec);
  CHECK(speaks(c, 2, 11, SETUP, RISE));
  uint32_t left = 0;
  for (uint32_t i = 0; i < c->exceptions.len; i++) {
    const Exception *exception = &c->exceptions.at[i];
    for (uint32_t j = 0;
         exception->type == EXC_FALSE && !exception->deleted && j < exception->from.objects.len;
         j++)
      left += exception->from.objects.at[j].id == 1;
  }
  CHECK(left == 0);
  CHECK(!c->exceptions.at[1].deleted);          /* the group stays */
  constraints_free(c);
}

static void test_reset_needs_points(void)
{
  static const Object none = { 0 };
  Constraints *c = constraints_new(NULL);
  Object a = pin(1);
  ExceptionId to_a = add_path(c, EXC_MULTICYCLE, NULL, 0, &a, 1),
              from_a = add_path(c, EXC_FALSE, &a, 1, NULL, 0);
  Exception spec = spec_of(a, a);
  constraints_reset_paths(c, &spec);
  exception_clear(&spec);
  CHECK(!c->exceptions.at[to_a].deleted && !c->exceptions.at[from_a].deleted);
  spec = spec_of(none, a);
  constraints_reset_paths(c, &spec);
  exception_clear(&spec);
  CHECK(c->exceptions.at[to_a].deleted && !c->exceptions.at[from_a].deleted);
  spec = spec_of(none, none);
  constraints_reset_paths(c, &spec);
  CHECK(c->exceptions.at[from_a].deleted);
  constraints_free(c);
}

/* Many resets of the same start point must not walk over all that went before. */
static void test_many_resets(void)
{
  Constraints *c = constraints_new(NULL);
  Object a = pin(1);
  for (int i = 0; i < 50000; i++) {
    Exception spec = spec_of(a, pin((uint32_t)i % 10 + 100));
    constraints_reset_paths(c, &spec);
    add_path(c, EXC_FALSE, spec.from.objects.at, 1, spec.to.objects.at, 1);
    exception_clear(&spec);
  }
  uint32_t alive = 0;
  for (uint32_t i = 0; i < c->exceptions.len; i++) alive += !c->exceptions.at[i].deleted;
  CHECK(alive == 10);
  constraints_free(c);
}

/* One reset of many objects, then one of each: sorting or copying the objects of all for each
   exception would take minutes. */
static void test_reset_of_many(void)
{
  enum { OBJECTS = 40000, EXCEPTIONS = 10000 };
  static const Object none = { 0 };
  double started = clock_seconds();
  Constraints *c = constraints_new(NULL);
  for (uint32_t i = 0; i < EXCEPTIONS; i++) {
    Object two[] = { pin(4 * i), pin(4 * i + 1000000) };
    add_path(c, EXC_FALSE, NULL, 0, two, 2);
  }
  Exception spec = spec_of(none, pin(0));
  for (uint32_t i = 1; i < OBJECTS; i++) array_push(&spec.to.objects, pin(i));
  constraints_reset_paths(c, &spec);
  bool right = true;
  for (uint32_t i = 0; i < EXCEPTIONS; i++) {
    const ObjectArray *left = &c->exceptions.at[i].to.objects;
    right = right && left->len == 1 && left->at[0].id == 4 * i + 1000000;
  }
  CHECK(right && c->exceptions.len == EXCEPTIONS);
  ExceptionId all = add_path(c, EXC_FALSE, NULL, 0, spec.to.objects.at, EXCEPTIONS);
  for (uint32_t i = 1; i < EXCEPTIONS; i++) {
    spec.to.objects.len = 1;
    spec.to.objects.at[0] = pin(i);
    constraints_reset_paths(c, &spec);
  }
  const Exception *whole = &c->exceptions.at[all];
  CHECK(whole->to.objects.len == 1 && whole->to.objects.at[0].id == 0);
  CHECK(c->exceptions.len == EXCEPTIONS + 1);
  CHECK(clock_seconds() - started < 20);
  exception_clear(&spec);
  constraints_free(c);
}

/* --- data checks ------------------------------------------------------------------------------ */

/* Each of many pins against each of many others; looking at all checks of a pin for each pair would
   take minutes. */
static void test_many_data_checks(void)
{
  enum { PINS = 2000 };
  double started = clock_seconds();
  Constraints *c = constraints_new(NULL);
  DataCheckSpec s = { 0, 0, NO_CLOCK, EDGE_BOTH, EDGE_BOTH, 3 };
  for (s.from = 0; s.from < PINS; s.from++)
    for (s.to = PINS; s.to < 2 * PINS; s.to++) constraints_set_data_check(c, &s, (float)s.from);
  CHECK(c->data_checks.len == PINS * PINS);
  s = (DataCheckSpec){ 7, PINS + 9, NO_CLOCK, EDGE_BOTH, EDGE_BOTH, 3 };
  constraints_set_data_check(c, &s, NAN);
  s.clock = 3;
  CHECK(constraints_set_data_check(c, &s, NAN) == NULL);
  constraints_set_data_check(c, &s, 5);
  CHECK(c->data_checks.len == PINS * PINS + 1);
  uint32_t empty = 0;
  for (uint32_t i = 0; i < c->data_checks.len; i++) {
    const DataCheck *check = &c->data_checks.at[i];
    empty += data_check_is_empty(check);
    if (check->from == 7 && check->to == PINS + 9)
      CHECK(data_check_is_empty(check) == (check->clock == NO_CLOCK));
  }
  CHECK(empty == 1);
  CHECK(clock_seconds() - started < 20);
  constraints_free(c);
}

/* A clock with many sources is made twice: each source is a conflict with itself. */
static void test_many_sources(void)
{
  enum { PINS = 40000 };
  static PinId pins[2 * PINS];
  double waveform[] = { 0, 1 }, started = clock_seconds();
  Constraints *c = constraints_new(NULL);
  for (uint32_t i = 0; i < 2 * PINS; i++) pins[i] = i % PINS;      /* each twice */
  for (int k = 0; k < 2; k++)
    constraints_add_clock(c, CLK, 2, waveform, 2, pins, 2 * PINS, false);
  CHECK(c->clocks.len == 1 && c->clocks.at[0].sources.len == PINS);
  for (uint32_t i = 0; i < PINS; i++) CHECK(c->clocks.at[0].sources.at[i] == i);
  for (NameId n = 0; n < 5000; n++)
    constraints_add_clock(c, 100 + n, 2, waveform, 2, pins + 8 * n, 8, true);
  constraints_add_clock(c, CLK2, 2, waveform, 2, pins + 8, PINS - 8, false);
  CHECK(c->clocks.at[0].sources.len == 8 && !c->clocks.at[1].deleted && c->clocks.at[2].deleted);
  CHECK(c->clocks.at[5000].deleted && constraints_find_clock(c, CLK2) == 5001);
  CHECK(clock_seconds() - started < 20);
  constraints_free(c);
}

/* --- copies ----------------------------------------------------------------------------------- */

static void fill(Constraints *c)
{
  ClockId a = add_clock(c, CLK, 1000, 5, false), b = add_clock(c, CLK2, 700, 6, false);
  Object points[] = { pin(1), pin(2), clock_object(b) };
  ExceptionId e = add_path(c, EXC_FALSE, points, 3, points + 1, 1);
  ExceptionPoint through = { .edges = EDGE_BOTH };
  array_push(&through.objects, pin(9));
  array_push(&c->exceptions.at[e].through, through);
  constraints_put(c, &constraints_input_delay(c, 7, a, RISE, true)->delay[0], 10);
  constraints_put(c, &constraints_input_delay(c, 7, b, RISE, true)->delay[0], 20);
  ClockGroups *groups = constraints_add_clock_groups(c, GROUPS_ASYNC, GROUP);
  array_push(&groups->group_of, a);
  array_push(&groups->group_of, 0);
  constraints_set_case(c, 3, CASE_ONE, true);
  constraints_set_limit(c, LIMIT_MAX_SLEW, pin(4), 30);
}

/* Overwrites and removes what fill made, within the arrays and beyond them. */
static void disturb(Constraints *c)
{
  Exception spec = {
    .checks = 3, .end_edges = EDGE_BOTH, .has_from = true, .from = { .edges = EDGE_BOTH }
  };
  array_push(&spec.from.objects, pin(1));
  constraints_reset_paths(c, &spec);
  exception_clear(&spec);
  c->exceptions.at[0].through.at[0].objects.at[0] = pin(10);
  constraints_delete_clock(c, constraints_find_clock(c, CLK2));
  constraints_find_clock(c, CLK);
  add_clock(c, CLK, 5, 8, false);
  for (NameId n = GROUP + 1; n < 60; n++) add_clock(c, n, 3, n, false);
  constraints_remove_clock_groups(c, GROUPS_ASYNC, true, NO_NAME);
  constraints_unset_case(c, 3, true);
  constraints_set_limit(c, LIMIT_MAX_SLEW, pin(4), 40);
  constraints_set_limit(c, LIMIT_MAX_SLEW, pin(5), 40);
}

static void check_filled(Constraints *c)
{
  ClockId a = constraints_find_clock(c, CLK), b = constraints_find_clock(c, CLK2);
  CHECK(c->clocks.len >= 2 && a == 0 && b == 1);
  for (ClockId id = 2; id < c->clocks.len; id++)
    CHECK(c->clocks.at[id].deleted && c->clocks.at[id].sources.len == 0);
  CHECK_NEAR(c->clocks.at[a].period, 1000, 0);
  CHECK_NEAR(c->clocks.at[a].waveform.at[1], 500, 0);
  CHECK(c->clocks.at[a].sources.len == 1 && c->clocks.at[a].sources.at[0] == 5);
  CHECK(!c->clocks.at[b].deleted && constraints_find_clock(c, GROUP + 1) == NO_CLOCK);
  CHECK(c->exceptions.len == 1 && !c->exceptions.at[0].deleted
        && c->exceptions.at[0].from.objects.len == 3);
  CHECK(c->exceptions.at[0].through.len == 1
        && c->exceptions.at[0].through.at[0].objects.at[0].id == 9);
  CHECK(c->clock_groups.len == 1 && !c->clock_groups.at[0].deleted
        && c->clock_groups.at[0].group_of.len == 2);
  CHECK(c->input_delays.len == 2);
  CHECK_NEAR(constraints_input_delay(c, 7, b, RISE, true)->delay[0], 20, 0);
  CHECK(constraints_find_case(c, 3) && constraints_find_case(c, 3)->value == CASE_ONE);
  CHECK_NEAR(constraints_find_limit(c, LIMIT_MAX_SLEW, pin(4)), 30, 0);
  CHECK(isnan(constraints_find_limit(c, LIMIT_MAX_SLEW, pin(5))));
}

static void test_restore(void)
{
  Constraints *c = constraints_new(NULL);
  fill(c);
  for (int round = 0; round < 2; round++) {
    Constraints *saved = constraints_copy(c);
    disturb(c);
    uint64_t version = c->version;
    constraints_restore(c, saved);
    CHECK(c->version > version);
    check_filled(c);
  }
  uint64_t version = c->version;
  constraints_restore(c, constraints_copy(c));      /* nothing happened: nothing to compile */
  CHECK(c->version == version);
  check_filled(c);
  uint32_t clocks = c->clocks.len;                  /* no id of what was made stands for another */
  CHECK(clocks > 2 && add_clock(c, 61, 4, 61, false) == clocks);
  constraints_delete_clock(c, clocks);
  disturb(c);                                       /* what came back is whole: it can be changed
                                                       again */
  constraints_free(c);
}

/* --- every array of CONSTRAINT_ARRAYS: filled, copied, released ------------------------------- */

static void fill_bytes(void *record, size_t size, uint32_t seed)
{
  for (size_t i = 0; i < size; i++) ((unsigned char *)record)[i] = (unsigned char)(i * 7 + seed);
}

static void fill_clocks(Clock *clock, uint32_t i)
{
  *clock = (Clock){ .name = 40 + i };
  array_push(&clock->waveform, 1.5 + i);
  array_push(&clock->sources, 3 + i);
  array_push(&clock->edges, 5);
  array_push(&clock->edge_shift, 0.25);
}

static bool same_clocks(const Clock *a, const Clock *b)
{
  return a->name == b->name && b->waveform.len == 1 && a->waveform.at != b->waveform.at
         && b->waveform.at[0] == a->waveform.at[0] && a->sources.at != b->sources.at
         && b->sources.at[0] == a->sources.at[0] && a->edges.at != b->edges.at
         && b->edges.at[0] == a->edges.at[0] && a->edge_shift.at != b->edge_shift.at
         && b->edge_shift.at[0] == a->edge_shift.at[0];
}

static void fill_exceptions(Exception *exception, uint32_t i)
{
  *exception = (Exception){ .cycles = (int)i };
  array_push(&exception->from.objects, pin(i));
  array_push(&exception->to.objects, pin(10 + i));
  array_push(&exception->through, ((ExceptionPoint){ .edges = EDGE_FALL }));
  array_push(&exception->through.at[0].objects, pin(20 + i));
}

static bool same_objects(const ObjectArray *a, const ObjectArray *b)
{
  return a->at != b->at && b->len == 1 && a->at[0].id == b->at[0].id;
}

static bool same_exceptions(const Exception *a, const Exception *b)
{
  return a->cycles == b->cycles && same_objects(&a->from.objects, &b->from.objects)
         && same_objects(&a->to.objects, &b->to.objects) && b->through.len == 1
         && a->through.at != b->through.at
         && same_objects(&a->through.at[0].objects, &b->through.at[0].objects);
}

static void fill_clock_groups(ClockGroups *groups, uint32_t i)
{
  *groups = (ClockGroups){ .name = 30 + i };
  array_push(&groups->group_of, i);
}

static bool same_clock_groups(const ClockGroups *a, const ClockGroups *b)
{
  return a->name == b->name && b->group_of.len == 1 && a->group_of.at != b->group_of.at
         && a->group_of.at[0] == b->group_of.at[0];
}

#define FILL_NOTHING(name, record, i) fill_bytes((record), sizeof *(record), (i))
#define FILL_MEMORY(name, record, i)  fill_##name((record), (i))
#define SAME_NOTHING(name, a, b)      (memcmp((a), (b), sizeof *(a)) == 0)
#define SAME_MEMORY(name, a, b)       same_##name((a), (b))
enum { EMPTY_WITH_NEVER = true, EMPTY_WITH_ALWAYS = false, EMPTY_WITH_IF_LIVE = false };

/* Two records in one array of `c`, in place of those that it has: none. */
#define FILL_ARRAY(name, a, owns)                                    \
  do {                                                               \
    array_reserve((a), 2);                                           \
    (a)->len = 2;                                                    \
    for (uint32_t i = 0; i < 2; i++) FILL_##owns(name, &(a)->at[i], i); \
  } while (0)

#define CHECK_ARRAY(name, field, owns, counts)                                         \
  do {                                                                                 \
    Constraints *c = constraints_new(NULL);                                            \
    CHECK(constraints_are_empty(c));                                                   \
    FILL_ARRAY(name, &c->field, owns);                                                 \
    CHECK(constraints_are_empty(c) == EMPTY_WITH_##counts);                            \
    Constraints *copy = constraints_copy(c);                                           \
    CHECK(copy->field.len == 2 && copy->field.at != c->field.at);                      \
    for (uint32_t i = 0; i < 2; i++)                                                   \
      CHECK(SAME_##owns(name, &c->field.at[i], &copy->field.at[i]));                   \
    constraints_free(c);                                                               \
    constraints_free(copy);                                                            \
    filled++;                                                                          \
  } while (0);

#define CHECK_ONE(array, name, owns, counts, forgets) CHECK_ARRAY(name, name, owns, counts)
#define CHECK_SEVERAL(array, name, number, owns, counts, forgets) \
  for (int k = 0; k < (number); k++) CHECK_ARRAY(name, name[k], owns, counts)

static void test_every_array(void)
{
  int filled = 0;
  CONSTRAINT_ARRAYS(CHECK_ONE, CHECK_SEVERAL)
  CHECK(filled >= 27 + LIMIT_COUNT);
}

/* A deleted record says nothing, whatever array it is in. */
static void test_deleted_are_empty(void)
{
  Constraints *c = constraints_new(NULL);
  FILL_ARRAY(clocks, &c->clocks, MEMORY);
  FILL_ARRAY(exceptions, &c->exceptions, MEMORY);
  FILL_ARRAY(clock_groups, &c->clock_groups, MEMORY);
  for (uint32_t i = 0; i < 2; i++)
    c->clocks.at[i].deleted = c->exceptions.at[i].deleted = c->clock_groups.at[i].deleted = true;
  CHECK(constraints_are_empty(c));
  c->exceptions.at[1].deleted = false;
  CHECK(!constraints_are_empty(c));
  constraints_free(c);
}

/* The graph derives a clock without a change of version, and compiles it again only after one. */
static void test_restore_derived(void)
{
  Constraints *c = constraints_new(NULL);
  ClockId a = add_clock(c, CLK, 1000, 5, false);
  ClockId g = constraints_add_clock(c, CLK2, NAN, NULL, 0, &(PinId){ 6 }, 1, false);
  c->clocks.at[g].generated = true;
  double waveform[] = { 0, 1000 };
  Constraints *saved = constraints_copy(c);
  constraints_derive_clock(c, g, &(DerivedClock){ a, true, 2000, waveform, 2 });
  constraints_restore(c, saved);
  const Clock *clock = &c->clocks.at[g];
  CHECK_NEAR(clock->period, 2000, 0);
  CHECK(clock->derived_master == a && clock->master_inverted && clock->waveform.len == 2);
  saved = constraints_copy(c);
  constraints_changed(c);
  constraints_derive_clock(c, g, &(DerivedClock){ NO_CLOCK, false, NAN, NULL, 0 });
  constraints_restore(c, saved);
  CHECK_NEAR(c->clocks.at[g].period, 2000, 0);
  constraints_free(c);
}

void suite_constraints(void)
{
  CU_pSuite s = CU_add_suite("constraints", NULL, NULL);
  CU_add_test(s, "a clock is redefined in place", test_redefinition);
  CU_add_test(s, "clocks on the same sources", test_shared_sources);
  CU_add_test(s, "a deleted clock takes its own with it", test_deleted_clock);
  CU_add_test(s, "uncertainty between clocks", test_inter_uncertainty);
  CU_add_test(s, "delays of a pin", test_delays);
  CU_add_test(s, "what the graph derived stays where nothing else changed", test_restore_derived);
  CU_add_test(s, "delays at random", test_delays_at_random);
  CU_add_test(s, "disabled timing", test_disabled);
  CU_add_test(s, "records", test_records);
  CU_add_test(s, "versions", test_versions);
  CU_add_test(s, "reset leaves the rest of an exception", test_reset);
  CU_add_test(s, "reset needs the points it names", test_reset_needs_points);
  CU_add_test(s, "many resets", test_many_resets);
  CU_add_test(s, "a reset of many objects", test_reset_of_many);
  CU_add_test(s, "many data checks", test_many_data_checks);
  CU_add_test(s, "a clock with many sources", test_many_sources);
  CU_add_test(s, "going back to a copy", test_restore);
  CU_add_test(s, "a copy has a copy of every array", test_every_array);
  CU_add_test(s, "deleted records are none", test_deleted_are_empty);
}
