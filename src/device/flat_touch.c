/* What swaps in place change of a Flat and of the numbers of nets (see device/flat.h). */
#include "cpu/cpu.h"
#include "device/flat.h"

enum { MOST_BYTES = 256 };             /* of a patch, which one lane copies */

void flat_patch(FlatPatches *p, const void *at, size_t bytes)
{
  for (size_t done = 0; done < bytes; done += MOST_BYTES) {
    FlatPatch x = { (const char *)at + done,
                    (uint32_t)(bytes - done < MOST_BYTES ? bytes - done : MOST_BYTES) };
    array_push(p, x);
  }
}

/* The arrays are ours, but constant to all others. */
#define CHANGE(p, place, value) \
    (*(uint32_t *)&(place) = (value), flat_patch((p), &(place), sizeof(place)))

static void touch_arc(Flat *f, uint32_t arc, uint32_t kind, FlatPatches *p)
{
  CHANGE(p, f->arc_kind[arc], kind);
  for (uint32_t e = f->edge_first[arc]; e < f->edge_first[arc + 1]; e++)
    CHANGE(p, f->edges[e].kind, kind);
}

static bool touch_arcs(Flat *f, const Timing *t, Slot slot, FlatPatches *p)
{
  const Graph *g = t->g;
  for (ArcId a = g->arc_first[slot]; a < g->arc_first[slot + 1]; a++) {
    uint32_t kind = flat_put_kind(f, t, slot, g->arc_lib[a], p);
    if (kind == FLAT_NONE) return false;
    if (kind != f->arc_kind[a]) touch_arc(f, a, kind, p);
  }
  return true;
}

static bool touch_check(Flat *f, const Timing *t, CheckId id, FlatPatches *p)
{
  const Check *c = &t->g->checks.at[id];
  if (c->lib == NO_LIB_ARC) return true;
  FlatCheck *own = (FlatCheck *)&f->checks[id];
  for (int edge = RISE; edge <= FALL; edge++) {
    FlatTable x;
    if (!flat_put_check_table(f, t, id, edge, p, &x)) return false;
    own->table[edge] = x;
  }
  flat_patch(p, own->table, sizeof own->table);
  return true;
}

bool flat_touch(Flat *f, const Timing *t, Slot slot, FlatPatches *p)
{
  const Graph *g = t->g;
  if (!flat_same_thresholds(f, t, slot)) return false;      /* which loads are odd may have
                                                               changed */
  if (!touch_arcs(f, t, slot, p)) return false;
  for (uint32_t i = g->slot_first_check[slot]; i < g->slot_first_check[slot + 1]; i++)
    if (!touch_check(f, t, g->check_order[i], p)) return false;
  return true;
}

void flat_patch_net(const Flat *f, const Timing *t, Slot driver, FlatPatches *p)
{
  const Graph *g = t->g;
  uint32_t d = graph_driver_index(g, driver), count = g->load_count[driver];
  flat_patch(p, &t->load_cap[d], sizeof *t->load_cap);
  flat_patch(p, &t->has_rc[d], sizeof *t->has_rc);
  for (uint32_t i = f->extra_count ? f->driver_extra[d] : 0;
       f->extra_count && i < f->driver_extra[d + 1]; i++) {
    uint32_t x = f->driver_extras[i];
    flat_patch(p, &t->extra_elmore[x], sizeof *t->extra_elmore);
    if (f->delay_model == FLAT_ELMORE)
      flat_patch(p, &t->extra_impulse[x], sizeof *t->extra_impulse);
  }
  if (f->delay_model == FLAT_LUMPED) return;
  if (f->delay_model == FLAT_CEFF) {
    flat_patch(p, &t->pi_c1[d], sizeof *t->pi_c1);
    flat_patch(p, &t->pi_c2[d], sizeof *t->pi_c2);
    flat_patch(p, &t->pi_r[d], sizeof *t->pi_r);
  }
  if (count == 0) return;
  uint32_t load = graph_load_index(g, g->load_first[driver]);
  flat_patch(p, &t->elmore[load], count * sizeof *t->elmore);
  if (f->delay_model == FLAT_ELMORE) flat_patch(p, &t->impulse[load], count * sizeof *t->impulse);
}
