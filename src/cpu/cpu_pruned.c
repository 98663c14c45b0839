/* Implements cpu/pruned.h. Lists go forward like fronts but are shortened differently
   (common_kept); required times then go back level by level. */
#include "cpu/pruned.h"

#include "base/interrupt.h"
#include "base/text.h"
#include "timing/credit.h"
#include "cpu/cpu.h"

#define NO_REQUIRED (-1e30f)

/* --- back over one arc ------------------------------------------------------------------------ */
static void tighten(float *have, float badness)
{
  if (badness > *have) *have = badness;
}

void pruned_end(Timing *t, NodeId node, int condition, CommonItem capture)
{
  const Pruned *pruned = t->common->pruned;
  uint32_t count;
  size_t index = common_index(node, condition);
  const CommonItem *items = fronts_get(pruned->kept, index, &count);
  for (uint32_t i = 0; i < count; i++)
    tighten(&pruned->required[pruned->first[index] + i],
            capture.badness - common_credit(&t->common->view, items[i].leaf, capture.leaf));
}

/* The list at the end of an arc, with a position in it. The lists at both ends are walked side by
   side, so the position only moves on. */
typedef struct {
  const Pruned     *pruned;
  const CommonItem *items;
  uint32_t    count, at, stand_in;
  const float *required;
  float       delay;             /* delay of the arc, as badness */
} Behind;

static Behind behind_of(const Pruned *pruned, const PrunedLink *link)
{
  Behind b = { .pruned = pruned,
               .stand_in = pruned->stand_in[link->to],
               .required = pruned->required + pruned->first[link->to],
               .delay = common_badness(link->delay, (link->to & 3) >> 1) };
  b.items = fronts_get(pruned->kept, link->to, &b.count);
  return b;
}

static uint32_t point_of(const Behind *behind)
{
  return behind->pruned->stands_for[behind->items[behind->at].leaf >> 1];
}

/* Returns the badness of the required time at the start of the arc, for a leaf. It comes from the
   same launch at the end of the arc. If that launch was dropped there, it comes from the launch
   that replaces it. */
static float required_before(Behind *the_behind, uint32_t leaf)
{
  uint32_t wanted = the_behind->pruned->stands_for[leaf >> 1];
  if (the_behind->count == 0) return NO_REQUIRED;
  while (the_behind->at < the_behind->count && point_of(the_behind) < wanted) the_behind->at++;
  float behind =
      the_behind->required[the_behind->at < the_behind->count && point_of(the_behind) == wanted
                               ? the_behind->at
                               : the_behind->stand_in];
  return behind <= NO_REQUIRED ? NO_REQUIRED : behind + the_behind->delay;
}

void pruned_back(Timing *t, const PrunedLink *link)
{
  const Pruned *pruned = t->common->pruned;
  Behind b = behind_of(pruned, link);
  uint32_t count;
  const CommonItem *items = fronts_get(pruned->kept, link->from, &count);
  float *required = pruned->required + pruned->first[link->from];
  for (uint32_t i = 0; i < count; i++) tighten(&required[i], required_before(&b, items[i].leaf));
}

float pruned_launch(const Timing *t, const PrunedLink *link, uint32_t leaf)
{
  Behind b = behind_of(t->common->pruned, link);
  return common_badness(required_before(&b, leaf), !((link->to & 3) >> 1));
}

float pruned_worst(const Timing *t, size_t index)
{
  const Pruned *pruned = t->common->pruned;
  int el = (index & 3) >> 1;
  uint32_t count;
  const CommonItem *items = fronts_get(pruned->kept, index, &count);
  float arrival = t->arrival[index >> 2].v[index & 3], worst = NO_REQUIRED;
  for (uint32_t i = 0; i < count; i++) {
    float required = pruned->required[pruned->first[index] + i];
    if (required > NO_REQUIRED) tighten(&worst, items[i].badness + required);
  }
  if (worst <= NO_REQUIRED) return common_badness(NO_REQUIRED, !el);
  return el == LATE ? arrival - worst : arrival + worst;
}

/* --- which launches are one, and their order -------------------------------------------------- */
typedef struct {
  const char *name;
  uint32_t    point, text;          /* text: offset of the name in NamedPoints.text */
} Named;

typedef struct {
  Text text;
  ARRAY(Named) at;
} NamedPoints;

static int by_name(const void *a, const void *b)
{
  const Named *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : (x->point > y->point) - (x->point < y->point);
}

/* Returns the points that stand for themselves, in the order of their names. */
static NamedPoints named_points(const Graph *g, const Pruned *pruned)
{
  NamedPoints d = { 0 };
  for (uint32_t p = 1; p < g->common.count; p++) {
    if (pruned->stands_for[p] != p) continue;
    array_push(&d.at, (Named){ NULL, p, (uint32_t)d.text.len });
    netlist_pin_name(g->netlist, g->slots.pin[g->common.slot[p]], '/', &d.text);
    text_char(&d.text, '\n');
  }
  for (uint32_t i = 0; i < d.at.len; i++) {
    d.at.at[i].name = d.text.at + d.at.at[i].text;
    d.text.at[(i + 1 < d.at.len ? d.at.at[i + 1].text : d.text.len) - 1] = 0;
  }
  if (d.at.len) qsort(d.at.at, d.at.len, sizeof *d.at.at, by_name);
  return d;
}

/* Ranks the points by name. Launches without a point in the clock tree, such as those of ports,
   have rank 0 and come first. */
static void put_order(Pruned *pruned, const Graph *g)
{
  NamedPoints d = named_points(g, pruned);
  for (uint32_t i = 0; i < d.at.len; i++) pruned->order[d.at.at[i].point] = i + 1;
  for (uint32_t p = 1; p < g->common.count; p++)
    pruned->order[p] = pruned->order[pruned->stands_for[p]];
  array_free(&d.at);
  text_free(&d.text);
}

/* Returns true if the delay of a wire, before derates, is the same early and late. */
static bool wire_is_alike(const Timing *t, Slot load)
{
  const float *v = t->wires.delay[graph_load_index(t->g, load)].v;
  return v[condition_of(EARLY, RISE)] == v[condition_of(LATE, RISE)]
         && v[condition_of(EARLY, FALL)] == v[condition_of(LATE, FALL)];
}

/* The clock pins behind a driver count as one launch if their wires take the same time early and
   late. */
static void put_points(Pruned *pruned, const Timing *t)
{
  const CommonTree *tree = &t->g->common;
  for (uint32_t p = 1; p < tree->count; p++) {
    bool own = slot_is_driver(t->g, tree->slot[p]) || tree->point[p].clock_root == p
               || !wire_is_alike(t, tree->slot[p]);
    pruned->stands_for[p] = own ? p : tree->point[p].parent;
  }
}

static Pruned *pruned_new(const Timing *t)
{
  Pruned *pruned = mem_alloc_zero(1, sizeof *pruned);
  pruned->stands_for = mem_alloc_zero(t->g->common.count, sizeof *pruned->stands_for);
  pruned->order = mem_alloc_zero(t->g->common.count, sizeof *pruned->order);
  put_points(pruned, t);
  put_order(pruned, t->g);
  pruned->kept = fronts_new(common_index(t->g->nodes.count, 0), t->threads);
  return pruned;
}

static void pruned_free(Pruned *pruned)
{
  fronts_free(pruned->kept);
  mem_free(pruned->first);
  mem_free(pruned->stand_in);
  mem_free(pruned->required);
  mem_free(pruned->stands_for);
  mem_free(pruned->order);
  mem_free(pruned);
}

/* --- all levels ------------------------------------------------------------------------------- */
/* Collects the launches of all levels with the code that computes fronts. */
static bool keep_launches(Timing *t, Pruned *pruned)
{
  struct CommonPaths *paths = t->common;
  Fronts *exact = paths->launch;
  paths->launch = pruned->kept;
  paths->view.stands_for = pruned->stands_for;
  bool done = cpu_level_fronts(t, 0, t->g->levels.count);
  paths->launch = exact;
  paths->view.stands_for = NULL;
  return done;
}

static uint32_t first_in_order(const Pruned *pruned, const CommonItem *items, uint32_t count)
{
  uint32_t first = 0;
  for (uint32_t i = 1; i < count; i++)
    if (pruned->order[items[i].leaf >> 1] < pruned->order[items[first].leaf >> 1]) first = i;
  return first;
}

static void make_room(Pruned *pruned, size_t indices)
{
  uint32_t count;
  pruned->first = mem_alloc((indices + 1) * sizeof *pruned->first);
  pruned->stand_in = mem_alloc(indices * sizeof *pruned->stand_in);
  pruned->first[0] = 0;
  for (size_t i = 0; i < indices; i++) {
    const CommonItem *items = fronts_get(pruned->kept, i, &count);
    pruned->stand_in[i] = first_in_order(pruned, items, count);
    pruned->first[i + 1] = pruned->first[i] + count;
  }
  pruned->required = mem_alloc((pruned->first[indices] + 1) * sizeof *pruned->required);
  for (size_t i = 0; i < pruned->first[indices]; i++) pruned->required[i] = NO_REQUIRED;
}

bool cpu_pruned_backward(Timing *t)
{
  Pruned *pruned = pruned_new(t);
  bool done = keep_launches(t, pruned);
  if (done) {
    make_room(pruned, common_index(t->g->nodes.count, 0));
    t->common->pruned = pruned;
    done = cpu_captures(t);
    t->common->pruned = NULL;
  }
  pruned_free(pruned);
  return done;
}
