/* Changes the entries of a Flat, and the numbers of nets, after a swap in place (see
   device/flat.h). */
#include "timing/derived.h"
#include "device/flat.h"

enum { MOST_BYTES = 256 };             /* the most bytes of a patch, because one lane copies it */

void flat_patch(FlatPatches *patches, const void *at, size_t bytes)
{
  for (size_t done = 0; done < bytes; done += MOST_BYTES) {
    FlatPatch x = { (const char *)at + done,
                    (uint32_t)(bytes - done < MOST_BYTES ? bytes - done : MOST_BYTES) };
    array_push(patches, x);
  }
}

/* The arrays belong to the Flat, but are const for everyone else. */
static void put_kind(Flat *f, uint32_t arc, uint32_t kind, FlatChanges *changes)
{
  if (kind == f->arc_kind[arc]) return;
  *(uint32_t *)&f->arc_kind[arc] = kind;
  array_push(&changes->kinds, (FlatKindChange){ arc, kind });
}

static bool same_table(FlatTable a, FlatTable b)
{
  return a.first == b.first && a.n1 == b.n1 && a.n2 == b.n2;
}

static void put_tables(Flat *f, CheckId id, const FlatTable *table, FlatChanges *changes)
{
  FlatCheck *own = (FlatCheck *)&f->checks[id];
  if (same_table(own->table[RISE], table[RISE]) && same_table(own->table[FALL], table[FALL]))
    return;
  own->table[RISE] = table[RISE];
  own->table[FALL] = table[FALL];
  array_push(&changes->checks, (FlatCheckChange){ id, { table[RISE], table[FALL] } });
}

static bool touch_arcs(Flat *f, const Timing *t, Slot slot, FlatChanges *changes,
                       FlatPatches *patches)
{
  const Graph *g = t->g;
  for (ArcId a = g->arcs.first[slot]; a < g->arcs.first[slot + 1]; a++) {
    uint32_t kind = patches ? flat_put_kind(f, t, slot, g->arcs.lib[a], patches)
                            : flat_find_kind(f, t, slot, g->arcs.lib[a]);
    if (kind == FLAT_NONE) return false;
    put_kind(f, a, kind, changes);
  }
  return true;
}

static bool touch_check(Flat *f, const Timing *t, CheckId id, FlatChanges *changes,
                        FlatPatches *patches)
{
  FlatTable x[2];
  if (t->g->ends.checks.at[id].lib == NO_LIB_ARC) return true;
  for (int edge = RISE; edge <= FALL; edge++)
    if (!(patches ? flat_put_check_table(f, t, id, edge, patches, &x[edge])
                  : flat_find_check_table(f, t, id, edge, &x[edge])))
      return false;
  put_tables(f, id, x, changes);
  return true;
}

/* patches NULL: only with what is there. */
static bool touch(Flat *f, const Timing *t, Slot slot, FlatChanges *changes, FlatPatches *patches)
{
  const Graph *g = t->g;
  if (!flat_same_thresholds(f, t, slot)) return false;      /* the set of irregular loads may have
                                                               changed */
  if (!touch_arcs(f, t, slot, changes, patches)) return false;
  for (uint32_t i = g->ends.first_check[slot]; i < g->ends.first_check[slot + 1]; i++)
    if (!touch_check(f, t, g->ends.check_order[i], changes, patches)) return false;
  return true;
}

bool flat_touch(Flat *f, const Timing *t, Slot slot, FlatChanges *changes, FlatPatches *patches)
{
  return touch(f, t, slot, changes, patches);
}

bool flat_touch_known(Flat *f, const Timing *t, Slot slot, FlatChanges *changes)
{
  return touch(f, t, slot, changes, NULL);
}

void flat_renew_changes(const Flat *f, FlatChanges *changes, uint32_t kinds, uint32_t checks)
{
  for (uint32_t i = 0; i < kinds; i++)
    changes->kinds.at[i].kind = f->arc_kind[changes->kinds.at[i].arc];
  for (uint32_t i = 0; i < checks; i++)
    memcpy(changes->checks.at[i].table, f->checks[changes->checks.at[i].check].table,
           sizeof changes->checks.at[i].table);
}

void flat_patch_net(const Flat *f, const Timing *t, Slot driver, FlatPatches *patches)
{
  const Graph *g = t->g;
  uint32_t d = graph_driver_index(g, driver), count = g->nets.load_count[driver];
  flat_patch(patches, &t->nets.load_cap[d], sizeof *t->nets.load_cap);
  flat_patch(patches, &t->nets.has_rc[d], sizeof *t->nets.has_rc);
  for (uint32_t i = f->count.extras ? f->driver_extra[d] : 0;
       f->count.extras && i < f->driver_extra[d + 1]; i++) {
    uint32_t x = f->driver_extras[i];
    flat_patch(patches, &t->extra.elmore[x], sizeof *t->extra.elmore);
    if (flat_model_has(f, DELAY_NEEDS_IMPULSE))
      flat_patch(patches, &t->extra.impulse_sq[x], sizeof *t->extra.impulse_sq);
  }
  if (flat_model_has(f, DELAY_NEEDS_PI)) {
    flat_patch(patches, &t->nets.pi_far[d], sizeof *t->nets.pi_far);
    flat_patch(patches, &t->nets.pi_near[d], sizeof *t->nets.pi_near);
    flat_patch(patches, &t->nets.pi_r[d], sizeof *t->nets.pi_r);
  }
  if (count == 0 || !flat_model_has(f, DELAY_NEEDS_ELMORE)) return;
  uint32_t load = graph_load_index(g, g->nets.load_first[driver]);
  flat_patch(patches, &t->wires.elmore[load], count * sizeof *t->wires.elmore);
  if (flat_model_has(f, DELAY_NEEDS_IMPULSE))
    flat_patch(patches, &t->wires.impulse_sq[load], count * sizeof *t->wires.impulse_sq);
}
