/* Stores derates. */
#include <math.h>

#include "db/constraints.h"
#include "db/constraints/constraints_private.h"

/* A net is known by the first segment of its electrical net, whichever of its names was used. */
static Object normal_object(const Constraints *c, Object o)
{
  if (o.type != OBJ_NET || c->netlist == NULL) return o;
  return (Object){ OBJ_NET, c->netlist->nets.at[c->netlist->segs.at[o.id].net].first_seg };
}

static Derate new_derate(Object object)
{
  Derate r = { .object = object };
  FILL(r.factor);
  return r;
}

Derate *constraints_derate(Constraints *c, Object object)
{
  object = normal_object(c, object);
  return RECORD(c, &c->derates, key_of_object(KEY_derates, object), new_derate(object));
}

const Derate *constraints_find_derate(const Constraints *c, Object object)
{
  return FIND(c, &c->derates, key_of_object(KEY_derates, normal_object(c, object)));
}

void constraints_clear_derates(Constraints *c)
{
  if (c->derates.len == 0) return;
  for (uint32_t i = 0; i < c->derates.len; i++) map_remove(c->index, key_of_object(KEY_derates,
      c->derates.at[i].object));
  array_clear(&c->derates);
  constraints_changed(c);
}

bool named_by_derates(const Sought *sought, const Derate *derate)
{
  return ANY_VALUE(derate->factor) && is_sought_object(sought, derate->object);
}
