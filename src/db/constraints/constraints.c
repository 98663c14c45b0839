/* Makes and frees constraints, and does what is done with every array of CONSTRAINT_ARRAYS. The
   other files of this folder hold the kinds of records. */
#include "db/constraints.h"

#include <math.h>

#include "db/constraints/constraints_private.h"

/* --- life ------------------------------------------------------------------------------------- */

Constraints *constraints_new(const Netlist *netlist)
{
  Constraints *c = mem_alloc_zero(1, sizeof *c);
  c->netlist = netlist;
  c->operating_condition[EARLY] = c->operating_condition[LATE] = NO_CONDITION;
  c->voltage[EARLY] = c->voltage[LATE] = c->wire_load_min_block = NAN;
  c->index = map_new();
  c->clock_by_name = map_new();
  return c;
}

/* --- functions for each array of CONSTRAINT_ARRAYS -------------------------------------------- */

#define RELEASE_NOTHING(array, name)
#define RELEASE_MEMORY(array, name) \
  for (uint32_t i = 0; i < (array)->len; i++) release_##name(&(array)->at[i]);

#define RELEASE(array, name, owns, counts, forgets) \
  RELEASE_##owns(&c->name, name)                    \
  array_free(&c->name);
#define RELEASE_SEVERAL(array, name, number, owns, counts, forgets) \
  for (int k = 0; k < (number); k++) {                              \
    RELEASE_##owns(&c->name[k], name)                               \
    array_free(&c->name[k]);                                        \
  }

void constraints_free(Constraints *c)
{
  if (c == NULL) return;
  CONSTRAINT_ARRAYS(RELEASE, RELEASE_SEVERAL)
  path_index_free(c->paths);
  map_free(c->index);
  map_free(c->clock_by_name);
  mem_free(c);
}

#define ANY_NEVER(array)
#define ANY_ALWAYS(array) \
  if ((array)->len) return true;
#define ANY_IF_LIVE(array)                       \
  for (uint32_t i = 0; i < (array)->len; i++)    \
    if (!(array)->at[i].deleted) return true;

#define ANY(array, name, owns, counts, forgets) ANY_##counts(&c->name)
#define ANY_SEVERAL(array, name, number, owns, counts, forgets) \
  for (int k = 0; k < (number); k++) { ANY_##counts(&c->name[k]) }

static bool any_record(const Constraints *c)
{
  CONSTRAINT_ARRAYS(ANY, ANY_SEVERAL)
  return false;
}

static bool any_setting(const Constraints *c)
{
  bool conditions = c->operating_condition[EARLY] != NO_CONDITION ||
    c->operating_condition[LATE] != NO_CONDITION || c->analysis_given;
  bool wires = c->wire_load_mode != WIRE_MODE_NONE || !isnan(c->wire_load_min_block);
  return conditions || wires || !isnan(c->voltage[EARLY]) || !isnan(c->voltage[LATE]);
}

bool constraints_are_empty(const Constraints *c) { return !any_record(c) && !any_setting(c); }

bool constraints_any_given(const float *at, int count)
{
  for (int i = 0; i < count; i++)
    if (!isnan(at[i])) return true;
  return false;
}

void constraints_put(Constraints *c, float *at, float value)
{
  if (*at == value || (isnan(*at) && isnan(value))) return;
  constraints_changed(c);
  *at = value;
}

/* --- clocks and pins that go ------------------------------------------------------------------ */

#define PURGE_NOTHING(name)
#define PURGE_CLOCKS(name)          forget_clocks_##name(c);
#define PURGE_PINS_AND_CLOCKS(name) PURGE_CLOCKS(name)
#define PURGE_ONE(array, name, owns, counts, forgets)             PURGE_##forgets(name)
#define PURGE_SEVERAL(array, name, number, owns, counts, forgets) PURGE_##forgets(name)

void constraints_purge_clocks(Constraints *c)
{
  CONSTRAINT_ARRAYS(PURGE_ONE, PURGE_SEVERAL)
  constraints_changed(c);
}

#define ASK_NOTHING(name)
#define ASK_CLOCKS(name)
#define ASK_PINS_AND_CLOCKS(name) \
  if (would_forget_##name(c, pins)) return true;
#define ASK_ONE(array, name, owns, counts, forgets)             ASK_##forgets(name)
#define ASK_SEVERAL(array, name, number, owns, counts, forgets) ASK_##forgets(name)

bool constraints_would_forget(const Constraints *c, PinId first, uint32_t count)
{
  const PinRange pins = { first, count };
  CONSTRAINT_ARRAYS(ASK_ONE, ASK_SEVERAL)
  return false;
}

#define FORGET_NOTHING(name)
#define FORGET_CLOCKS(name)
#define FORGET_PINS_AND_CLOCKS(name) forget_pins_##name(c, pins, gone);
#define FORGET_ONE(array, name, owns, counts, forgets)             FORGET_##forgets(name)
#define FORGET_SEVERAL(array, name, number, owns, counts, forgets) FORGET_##forgets(name)

void constraints_forget_pins(Constraints *c, PinId first, uint32_t count, ClockArray *gone)
{
  const PinRange pins = { first, count };
  CONSTRAINT_ARRAYS(FORGET_ONE, FORGET_SEVERAL)
  constraints_delete_clocks(c, gone->at, gone->len);
}

/* --- objects that records name ---------------------------------------------------------------- */

#define NAMED_BY_ONE(array, name, owns, counts, forgets) \
  ANY_OF(c->name, named_by_##name(sought, &c->name.at[i]));
#define NAMED_BY_SEVERAL(array, name, number, owns, counts, forgets) \
  for (int k = 0; k < (number); k++) ANY_OF(c->name[k], named_by_##name(sought, &c->name[k].at[i]));

static bool is_named(const Constraints *c, const Sought *sought)
{
  CONSTRAINT_ARRAYS(NAMED_BY_ONE, NAMED_BY_SEVERAL)
  return false;
}

bool constraints_name_inst(const Constraints *c, InstId inst)
{
  return is_named(c, &(Sought){ c->netlist, inst, NO_NET });
}

bool constraints_name_net(const Constraints *c, NetId net)
{
  return is_named(c, &(Sought){ c->netlist, NO_INST, net });
}

NAMES_NONE(crossed_pairs, CrossedPair)
NAMES_NONE(commands, Said)

/* --- commands --------------------------------------------------------------------------------- */
CommandId constraints_add_command(Constraints *c, Said said)
{
  array_push(&c->commands, said);
  return c->commands.len;
}

Said constraints_command(const Constraints *c, CommandId id)
{
  return id ? c->commands.at[id - 1] : (Said){ NULL, NO_NAME, 0 };
}
