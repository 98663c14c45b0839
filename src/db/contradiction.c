/* Finds contradictions: pairs with a minimum above the maximum, set_min_delay above set_max_delay,
   and clock groups that overlap. */
#include "db/contradiction.h"

#include <math.h>

#include "base/hash.h"
#include "db/constraints/constraints_private.h"

/* --- pairs of values -------------------------------------------------------------------------- */

/* The first of a record's values; NULL without a record. */
#define VALUES(record, field) \
    ({ __auto_type r_ = (record); r_ ? (const float *)&r_->field : NULL; })

static const float *values_of_clock(const Clock *clock, PairKind kind)
{
  if (clock->deleted) return NULL;
  return kind == PAIR_CLOCK_SLEW        ? clock->slew
         : kind == PAIR_NETWORK_LATENCY ? clock->network_latency
                                        : clock->source_latency[EARLY];
}

static NetId net_of(const Constraints *c, const ValuePair *pair)
{
  return c->netlist->segs.at[pair->object.id].net;
}

static const float *values_of(const Constraints *c, const ValuePair *pair)
{
  uint32_t id = pair->object.id;
  if (pair->object.type == OBJ_CLOCK)
    return values_of_clock(&c->clocks.at[id], (PairKind)pair->kind);
  switch ((PairKind)pair->kind) {
  case PAIR_INPUT_DELAY:
    return VALUES(constraints_find_delay(c, false, id, pair->clock, pair->clock_edge), delay);
  case PAIR_OUTPUT_DELAY:
    return VALUES(constraints_find_delay(c, true, id, pair->clock, pair->clock_edge), delay);
  case PAIR_INPUT_SLEW:      return VALUES(constraints_find_drive(c, id), slew);
  case PAIR_DRIVE:           return VALUES(constraints_find_drive(c, id), resistance);
  case PAIR_PIN_LOAD:        return VALUES(constraints_find_port_load(c, id), pin_load);
  case PAIR_WIRE_LOAD:       return VALUES(constraints_find_port_load(c, id), wire_load);
  case PAIR_FANOUT_NUMBER:   return VALUES(constraints_find_port_load(c, id), fanout_number);
  case PAIR_NET_CAP:         return VALUES(constraints_find_net_load(c, net_of(c, pair)), wire_cap);
  case PAIR_NET_RESISTANCE:
    return VALUES(constraints_find_net_load(c, net_of(c, pair)), resistance);
  case PAIR_IDEAL_LATENCY:   return VALUES(constraints_find_ideal_pin(c, id), latency);
  case PAIR_IDEAL_SLEW:      return VALUES(constraints_find_ideal_pin(c, id), slew);
  case PAIR_NETWORK_LATENCY:
    return VALUES(constraints_find_clock_pin(c, id, pair->clock), network_latency);
  case PAIR_SOURCE_LATENCY:
    return VALUES(constraints_find_clock_pin(c, id, pair->clock), source_latency);
  case PAIR_DERATE:          return VALUES(constraints_find_derate(c, pair->object), factor);
  default:                   return NULL;
  }
}

static bool is_crossed(float least, float most, Crossed *out)
{
  *out = (Crossed){ least, most };
  return least > most;
}

/* Tests each of some groups of values by condition. */
static bool conditions_are_crossed(const float *v, int groups, Crossed *out)
{
  for (; groups-- > 0; v += CONDITION_COUNT)
    for (int edge = RISE; edge <= FALL; edge++)
      if (is_crossed(v[condition_of(EARLY, edge)], v[condition_of(LATE, edge)], out)) return true;
  return false;
}

/* -early bounds against -late ones, each by condition. */
static bool bounds_are_crossed(const float *v, Crossed *out)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (is_crossed(v[k], v[CONDITION_COUNT + k], out)) return true;
  return false;
}

bool pair_is_crossed(const Constraints *c, const ValuePair *pair, Crossed *out)
{
  if (pair->kind == PAIR_CAPACITANCE)
    return is_crossed(constraints_find_limit(c, LIMIT_MIN_CAP, pair->object),
                      constraints_find_limit(c, LIMIT_MAX_CAP, pair->object), out);
  const float *v = values_of(c, pair);
  if (v == NULL) return false;
  switch ((PairKind)pair->kind) {
  case PAIR_FANOUT_NUMBER: case PAIR_NET_RESISTANCE: return is_crossed(v[EARLY], v[LATE], out);
  case PAIR_SOURCE_LATENCY: return conditions_are_crossed(v, 2, out) || bounds_are_crossed(v, out);
  case PAIR_DERATE: return conditions_are_crossed(v, DERATE_KIND_COUNT * 2, out);
  default: return conditions_are_crossed(v, 1, out);
  }
}

/* --- commands that left them crossed ---------------------------------------------------------- */

/* If no clock is named, the object's type takes its place, after all clocks. */
static uint64_t pair_key(const ValuePair *pair)
{
  uint32_t which =
      pair->clock == NO_CLOCK ? 1u << 25 | pair->object.type : pair->clock << 1 | pair->clock_edge;
  return key_of(pair->kind, which, pair->object.id);
}

void constraints_tell_crossings(Constraints *c,
                                void (*visit)(void *data, const CrossedPair *pair, Crossed values),
                                void *data)
{
  Map *last = map_new();
  for (uint32_t i = 0; i < c->crossed_pairs.len; i++)
    map_put(last, pair_key(&c->crossed_pairs.at[i].pair), i);
  for (uint32_t i = 0; i < c->crossed_pairs.len; i++) {
    const CrossedPair *pair = &c->crossed_pairs.at[i];
    Crossed values;
    if (map_get(last, pair_key(&pair->pair)) == i && pair_is_crossed(c, &pair->pair, &values))
      visit(data, pair, values);
  }
  map_free(last);
  array_clear(&c->crossed_pairs);
}

/* --- bounds of the same paths ----------------------------------------------------------------- */

typedef struct {
  ExceptionId least, most;      /* the last set_min_delay and set_max_delay of the same paths;
                                   NO_EXCEPTION */
} PathBounds;

typedef ARRAY(PathBounds) BoundsArray;

static bool is_bound(const Exception *exception)
{
  return !exception->deleted
         && (exception->type == EXC_MIN_DELAY || exception->type == EXC_MAX_DELAY);
}

static ExceptionId any_of(PathBounds b) { return b.least != NO_EXCEPTION ? b.least : b.most; }

static PathBounds *bounds_of(const Constraints *c, Map *known, BoundsArray *all,
                             const Exception *exception)
{
  uint64_t key = exception_paths_key(exception);
  uint32_t at;
  for (; (at = map_get(known, key)) != MAP_NO_VALUE; key++)
    if (exception_same_paths(&c->exceptions.at[any_of(all->at[at])], exception))
      return &all->at[at];
  map_put(known, key, all->len);
  array_push(all, (PathBounds){ NO_EXCEPTION, NO_EXCEPTION });
  return &all->at[all->len - 1];
}

static void collect_bounds(const Constraints *c, BoundsArray *all)
{
  Map *known = map_new();
  for (ExceptionId id = 0; id < c->exceptions.len; id++) {
    const Exception *exception = &c->exceptions.at[id];
    if (!is_bound(exception)) continue;
    PathBounds *bounds = bounds_of(c, known, all, exception);
    *(exception->type == EXC_MIN_DELAY ? &bounds->least : &bounds->most) = id;
  }
  map_free(known);
}

static bool has_new_bound(const Constraints *c)
{
  for (ExceptionId id = c->judged_exceptions; id < c->exceptions.len; id++)
    if (is_bound(&c->exceptions.at[id])) return true;
  return false;
}

void constraints_tell_bounds(Constraints *c,
                             void (*visit)(void *data, const Exception *earlier,
                                           const Exception *later),
                             void *data)
{
  BoundsArray all = { 0 };
  if (has_new_bound(c)) collect_bounds(c, &all);
  for (uint32_t i = 0; i < all.len; i++) {
    ExceptionId least = all.at[i].least, most = all.at[i].most;
    if (least == NO_EXCEPTION || most == NO_EXCEPTION) continue;
    ExceptionId earlier = least < most ? least : most, later = least < most ? most : least;
    if (later >= c->judged_exceptions
        && c->exceptions.at[least].delay > c->exceptions.at[most].delay)
      visit(data, &c->exceptions.at[earlier], &c->exceptions.at[later]);
  }
  array_free(&all);
  c->judged_exceptions = c->exceptions.len;
}

/* --- groups of clocks ------------------------------------------------------------------------- */

/* The group of each clock; NO_GROUP: none.  Clocks that a single group does not name form their own
   group. */
#define NO_GROUP UINT32_MAX

static uint32_t *groups_by_clock(const Constraints *c, const ClockGroups *groups)
{
  uint32_t *group = mem_alloc(((size_t)c->clocks.len + 1) * sizeof *group);
  for (ClockId k = 0; k < c->clocks.len; k++)
    group[k] = groups->group_count == 1 && !c->clocks.at[k].deleted ? 1 : NO_GROUP;
  for (uint32_t i = 0; i + 1 < groups->group_of.len; i += 2)
    group[groups->group_of.at[i]] = groups->group_of.at[i + 1];
  return group;
}

/* With any clock of both as the first: either another one differs from it in both, or each shares
   one of its groups, and then two differ in both where one shares the first's group in a alone and
   the other in b alone. */
static bool find_overlap(const uint32_t *a, const uint32_t *b, uint32_t count, ClockId pair[2])
{
  ClockId first = NO_CLOCK, shares_a = NO_CLOCK, shares_b = NO_CLOCK;
  for (ClockId k = 0; k < count; k++) {
    if (a[k] == NO_GROUP || b[k] == NO_GROUP) continue;
    if (first == NO_CLOCK) first = k;
    bool in_a = a[k] == a[first], in_b = b[k] == b[first];
    if (in_a && !in_b) shares_a = k;
    if (in_b && !in_a) shares_b = k;
    bool both = shares_a != NO_CLOCK && shares_b != NO_CLOCK;
    if (!both && (in_a || in_b)) continue;
    pair[0] = both ? shares_a : first;
    pair[1] = both ? shares_b : k;
    return true;
  }
  return false;
}

bool clock_groups_overlap(const Constraints *c, const ClockGroups *a, const ClockGroups *b,
                          ClockId pair[2])
{
  uint32_t *of_a = groups_by_clock(c, a), *of_b = groups_by_clock(c, b);
  bool found = find_overlap(of_a, of_b, c->clocks.len, pair);
  mem_free(of_a);
  mem_free(of_b);
  return found;
}
