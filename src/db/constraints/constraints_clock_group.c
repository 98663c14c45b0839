/* Stores uncertainties between pairs of clocks, and groups of clocks. */
#include <math.h>

#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

/* --- pairs of clocks -------------------------------------------------------------------------- */

static uint64_t inter_key(ClockId from, int from_edge, ClockId to, int to_edge)
{
  return key_of(KEY_inter_uncertainties, from << 1 | (uint32_t)from_edge,
                to << 1 | (uint32_t)to_edge);
}

static uint64_t inter_key_of(const InterUncertainty *uncertainty)
{
  return inter_key(uncertainty->from, uncertainty->from_edges == EDGE_FALL, uncertainty->to,
                   uncertainty->to_edges == EDGE_FALL);
}

static void remove_inter(Constraints *c, uint32_t i)
{
  map_remove(c->index, inter_key_of(&c->inter_uncertainties.at[i]));
  uint32_t last = c->inter_uncertainties.len - 1;
  if (i != last) {
    map_put(c->index, inter_key_of(&c->inter_uncertainties.at[last]), i);
    c->inter_uncertainties.at[i] = c->inter_uncertainties.at[last];
  }
  c->inter_uncertainties.len--;
  constraints_changed(c);
}

static void set_inter(Constraints *c, ClockId from, int from_edge, ClockId to, int to_edge,
                      uint32_t checks, float value)
{
  uint64_t key = inter_key(from, from_edge, to, to_edge);
  uint32_t i = map_get(c->index, key);
  if (i == MAP_NO_VALUE && isnan(value)) return;
  if (i == MAP_NO_VALUE) {
    i = c->inter_uncertainties.len;
    array_push(&c->inter_uncertainties,
               (InterUncertainty){
                   from, to, (uint8_t)(1 << from_edge), (uint8_t)(1 << to_edge), { NAN, NAN } });
    map_put(c->index, key, i);
  }
  InterUncertainty *uncertainty = &c->inter_uncertainties.at[i];
  for (int k = HOLD; k <= SETUP; k++)
    if (checks >> k & 1) constraints_put(c, &uncertainty->value[k], value);
  if (isnan(uncertainty->value[HOLD]) && isnan(uncertainty->value[SETUP])) remove_inter(c, i);
}

void constraints_set_inter_uncertainty(Constraints *c, ClockId from, uint32_t from_edges,
                                       ClockId to, uint32_t to_edges, uint32_t checks, float value)
{
  for (int f = RISE; f <= FALL; f++)
    for (int t = RISE; t <= FALL; t++)
      if ((from_edges >> f & 1) && (to_edges >> t & 1)) set_inter(c, from, f, to, t, checks, value);
}

void forget_clocks_inter_uncertainties(Constraints *c)
{
  for (uint32_t i = c->inter_uncertainties.len; i-- > 0;) {
    const InterUncertainty *uncertainty = &c->inter_uncertainties.at[i];
    if (clock_is_gone(c, uncertainty->from) || clock_is_gone(c, uncertainty->to))
      remove_inter(c, i);
  }
}

NAMES_NONE(inter_uncertainties, InterUncertainty)

/* --- groups of clocks ------------------------------------------------------------------------- */

static void remove_groups(Constraints *c, ClockGroups *groups)
{
  groups->deleted = true;
  array_free(&groups->group_of);
  constraints_changed(c);
}

bool constraints_remove_clock_groups(Constraints *c, ClockGroupsType type, bool all, NameId name)
{
  bool found = false;
  for (uint32_t i = 0; i < c->clock_groups.len; i++) {
    ClockGroups *groups = &c->clock_groups.at[i];
    if (groups->deleted || groups->type != type || !(all || groups->name == name)) continue;
    remove_groups(c, groups);
    found = true;
  }
  return found;
}

ClockGroups *constraints_add_clock_groups(Constraints *c, ClockGroupsType type, NameId name)
{
  if (name != NO_NAME) constraints_remove_clock_groups(c, type, false, name);
  array_push(&c->clock_groups,
             (ClockGroups){ .name = name, .type = (uint8_t)type, .comment = NO_NAME });
  constraints_changed(c);
  return &c->clock_groups.at[c->clock_groups.len - 1];
}

void forget_clocks_clock_groups(Constraints *c)
{
  for (uint32_t i = 0; i < c->clock_groups.len; i++) {
    ClockGroups *groups = &c->clock_groups.at[i];
    uint32_t kept = 0, before = groups->group_of.len;
    for (uint32_t j = 0; j + 1 < groups->group_of.len; j += 2) {
      if (clock_is_gone(c, groups->group_of.at[j])) continue;
      groups->group_of.at[kept] = groups->group_of.at[j];
      groups->group_of.at[kept + 1] = groups->group_of.at[j + 1];
      kept += 2;
    }
    groups->group_of.len = kept;
    if (!groups->deleted && before && kept == 0) remove_groups(c, groups);
  }
}

NAMES_NONE(clock_groups, ClockGroups)

void release_clock_groups(ClockGroups *groups) { array_free(&groups->group_of); }
void own_clock_groups(ClockGroups *groups) { OWN_ARRAY(&groups->group_of); }
