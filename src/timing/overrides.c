/* Compiles annotation for a graph: sorts the records by owner, and resolves which value of a check
   or pin limit counts. */
#include "timing/overrides.h"

#include "base/interrupt.h"

typedef struct {
  uint32_t owner;
  Override o;
} Owned;

typedef ARRAY(Owned) OwnedArray;

typedef struct {
  const Graph       *g;
  const Annotations *annotations;
  OwnedArray edges, wires, slews, extras, checks, latches, limits;
} Compile;

static void push(OwnedArray *to, uint32_t owner, uint32_t at, const Compile *compile,
                 const AnnotationRecord *record, uint32_t value)
{
  uint32_t bit = 1u << value;
  if (!((record->replaced | record->added) & bit)) return;
  array_push(to, (Owned){ owner,
                          { at, (record->added & bit) != 0,
                            compile->annotations->values.at[record->first + value] } });
}

/* --- records to places ------------------------------------------------------------------------ */
static void cell_arc(Compile *compile, const AnnotationRecord *record)
{
  const Graph *g = compile->g;
  Slot driver = graph_slot(g, record->to, true);
  if (driver == NO_SLOT || !slot_is_driver(g, driver)) return;
  for (ArcId a = g->arcs.first[driver]; a < g->arcs.first[driver + 1]; a++) {
    if (g->arcs.lib[a] != record->lib || !arc_on(g, a)) continue;
    bool latch = g->arcs.flags[a] & ARC_LATCH;
    for (uint32_t e = g->arcs.edge_first[a]; e < g->arcs.edge_first[a + 1]; e++) {
      EdgePair p = graph_edge_pair(g, a, e - g->arcs.edge_first[a]);
      for (int el = EARLY; el <= LATE; el++)
        push(latch ? &compile->latches : &compile->edges, latch ? 0 : graph_driver_index(g, driver),
             2 * e + (uint32_t)el, compile, record, annotation_cell_value(el, p.in, p.out));
    }
  }
}

static void wire(Compile *compile, const AnnotationRecord *record)
{
  const Graph *g = compile->g;
  Slot load = graph_slot(g, record->to, false), driver = graph_slot(g, record->from, true);
  if (load == NO_SLOT || driver == NO_SLOT || slot_is_driver(g, load)
      || g->nets.wire_driver[load] == NO_SLOT)
    return;
  uint32_t owner = graph_driver_index(g, g->nets.wire_driver[load]), from, to;
  for (uint32_t k = 0; g->nets.wire_driver[load] == driver && k < CONDITION_COUNT; k++)
    push(&compile->wires, owner, 4 * graph_load_index(g, load) + k, compile, record, k);
  graph_extra_wires(g, load, &from, &to);
  for (uint32_t i = from; i < to; i++)
    for (uint32_t k = 0; g->nets.extra_wires.at[i].driver == driver && k < CONDITION_COUNT; k++)
      push(&compile->extras, owner, 4 * i + k, compile, record, k);
}

/* Returns which slews are annotated at the load itself. */
static uint32_t own_values(const Compile *compile, Slot load)
{
  AnnotationId id = annotations_find(compile->annotations, ANNOTATE_SLEW, NO_PIN,
                                     compile->g->slots.pin[load], NO_LIB_ARC);
  return id == NO_ANNOTATION ? 0
                             : compile->annotations->records.at[id].replaced
                                   | compile->annotations->records.at[id].added;
}

/* Adds an annotated slew. Loads inherit the annotated slew of their driver unless they are
   annotated themselves. */
static void slew(Compile *compile, const AnnotationRecord *record)
{
  const Graph *g = compile->g;
  Slot load = graph_slot(g, record->to, false), driver = graph_slot(g, record->to, true);
  if (load != NO_SLOT && !slot_is_driver(g, load) && g->nets.wire_driver[load] != NO_SLOT)
    for (uint32_t k = 0; k < CONDITION_COUNT; k++)
      push(&compile->slews, graph_driver_index(g, g->nets.wire_driver[load]), 4 * load + k, compile,
           record, k);
  if (driver == NO_SLOT || !slot_is_driver(g, driver)) return;
  uint32_t owner = graph_driver_index(g, driver);
  for (uint32_t k = 0; k < CONDITION_COUNT; k++)
    push(&compile->slews, owner, 4 * driver + k, compile, record, k);
  for (Slot s = g->nets.load_first[driver];
       s < g->nets.load_first[driver] + g->nets.load_count[driver]; s++) {
    uint32_t own = own_values(compile, s);
    for (uint32_t k = 0; k < CONDITION_COUNT; k++)
      if (!(own >> k & 1)) push(&compile->slews, owner, 4 * s + k, compile, record, k);
  }
}

MarginChoice margin_choice(const Graph *g, ArcType type)
{
  if (type == ARC_SKEW) return MARGIN_SMALLER;
  if (type == ARC_MIN_PULSE_WIDTH || type == ARC_MIN_PERIOD) return MARGIN_LARGER;
  AnalysisType analysis = g->constraints->analysis;
  return analysis == ANALYSIS_ON_CHIP  ? MARGIN_LARGER
         : analysis == ANALYSIS_SINGLE ? MARGIN_LATE
                                       : MARGIN_OF_ANALYSIS;
}

/* Returns the condition whose value counts for condition k.  Increments and replacements are kept
   apart. */
static uint32_t chosen(const Compile *compile, const AnnotationRecord *record, uint32_t k,
                       MarginChoice choice)
{
  uint32_t other = (uint32_t)condition_of(!(k >> 1), k & 1),
           given = record->replaced | record->added;
  if (choice == MARGIN_OF_ANALYSIS || !(given >> other & 1)) return k;
  if (!(given >> k & 1)) return other;
  if (choice == MARGIN_LATE) return (uint32_t)condition_of(LATE, k & 1);
  float own = compile->annotations->values.at[record->first + k],
        others = compile->annotations->values.at[record->first + other];
  bool alike = (record->added >> k & 1) == (record->added >> other & 1);
  return alike && (choice == MARGIN_LARGER ? others > own : others < own) ? other : k;
}

static void check(Compile *compile, const AnnotationRecord *record)
{
  const Graph *g = compile->g;
  Slot data = graph_slot(g, record->to, false);
  if (data == NO_SLOT) return;
  for (uint32_t i = g->ends.first_check[data]; i < g->ends.first_check[data + 1]; i++) {
    CheckId id = g->ends.check_order[i];
    MarginChoice choice = margin_choice(g, (ArcType)g->ends.checks.at[id].type);
    int own = check_is_early(&g->ends.checks.at[id]) ? EARLY : LATE;
    for (uint32_t k = 0; g->ends.checks.at[id].lib == record->lib && k < CONDITION_COUNT; k++)
      push(&compile->checks, id, k, compile, record,
           (int)(k >> 1) == own ? chosen(compile, record, k, choice) : k);
  }
}

static void limit(Compile *compile, const AnnotationRecord *record, PinLimit which, int edge)
{
  Slot slot = graph_slot(compile->g, record->to, false);
  if (slot == NO_SLOT) return;
  push(&compile->limits, slot, which, compile, record,
       chosen(compile, record, (uint32_t)condition_of(LATE, edge), MARGIN_LARGER));
}

static void width(Compile *compile, const AnnotationRecord *record)
{
  limit(compile, record, PIN_WIDTH_HIGH, RISE);
  limit(compile, record, PIN_WIDTH_LOW, FALL);
}

static void period(Compile *compile, const AnnotationRecord *record)
{
  limit(compile, record, PIN_PERIOD, RISE);
}

/* --- lists ------------------------------------------------------------------------------------ */
static int by_place(const void *pa, const void *pb)
{
  const Override *a = pa, *b = pb;
  return a->at < b->at ? -1 : a->at > b->at;
}

/* Fills a list. Records are grouped by owner and then sorted by place. Counts are stored one place
   ahead, so that filling moves the starts to their places. */
static void fill(OverrideList *list, OwnedArray *from, uint32_t owners)
{
  if (interrupt_seen()) array_free(from);
  if (from->len == 0) return;
  uint32_t *f = list->first = mem_alloc_zero((size_t)owners + 2, sizeof *f);
  list->list = mem_alloc(sizeof *list->list * from->len);
  for (uint32_t i = 0; i < from->len; i++) f[from->at[i].owner + 2]++;
  for (uint32_t i = 1; i <= owners; i++) f[i + 1] += f[i];
  for (uint32_t i = 0; i < from->len; i++) list->list[f[from->at[i].owner + 1]++] = from->at[i].o;
  for (uint32_t i = 0; i < owners; i++)
    if (f[i + 1] > f[i] + 1)
      qsort(list->list + f[i], f[i + 1] - f[i], sizeof *list->list, by_place);
  array_free(from);
}

Overrides *overrides_new(const Graph *g, const Annotations *annotations)
{
  typedef void Place(Compile *, const AnnotationRecord *);
  static Place *const place[ANNOTATE_KINDS] = { cell_arc, wire, slew, check, width, period };
  Compile c = { .g = g, .annotations = annotations };
  if (annotations == NULL || !annotations_any(annotations)) return NULL;
  for (uint32_t i = 0; i < annotations->records.len && !interrupt_seen(); i++) {
    const AnnotationRecord *record = &annotations->records.at[i];
    if (record->replaced | record->added) place[record->kind](&c, record);
  }
  Overrides *overrides = mem_alloc_zero(1, sizeof *overrides);
  fill(&overrides->edges, &c.edges, g->nets.driver_count);
  fill(&overrides->wires, &c.wires, g->nets.driver_count);
  fill(&overrides->slews, &c.slews, g->nets.driver_count);
  fill(&overrides->extras, &c.extras, g->nets.driver_count);
  fill(&overrides->checks, &c.checks, g->ends.checks.len);
  fill(&overrides->latches, &c.latches, 1);
  fill(&overrides->limits, &c.limits, g->slots.count);
  return overrides;
}

void overrides_free(Overrides *overrides)
{
  if (overrides == NULL) return;
  OverrideList *lists[] = { &overrides->edges,  &overrides->wires,  &overrides->slews,
                            &overrides->extras, &overrides->checks, &overrides->latches,
                            &overrides->limits };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    mem_free(lists[i]->first);
    mem_free(lists[i]->list);
  }
  mem_free(overrides);
}

/* --- comparing -------------------------------------------------------------------------------- */
/* Returns the driver's part of a list; NULL and 0: none. */
static const Override *part(const OverrideList *list, uint32_t owner, uint32_t *count)
{
  *count = list->first ? list->first[owner + 1] - list->first[owner] : 0;
  return *count ? list->list + list->first[owner] : NULL;
}

/* Compares two parts, with places relative to the first place of their drivers. */
static bool same_part(const OverrideList *a, uint32_t oa, uint32_t base_a, const OverrideList *b,
                      uint32_t ob, uint32_t base_b)
{
  uint32_t na, nb;
  const Override *pa = part(a, oa, &na), *pb = part(b, ob, &nb);
  if (na != nb) return false;
  for (uint32_t i = 0; i < na; i++)
    if (pa[i].at - base_a != pb[i].at - base_b || pa[i].add != pb[i].add
        || pa[i].value != pb[i].value)
      return false;
  return true;
}

/* Compares the slews of two parts. The distance between a driver's slot and those of its loads
   differs between graphs. So a place before the loads is the driver, and other places are relative
   to the first load. */
static bool same_slews(const OverrideList *a, const Graph *ga, Slot sa, const OverrideList *b,
                       const Graph *gb, Slot sb)
{
  uint32_t na, nb;
  const Override *pa = part(a, graph_driver_index(ga, sa), &na),
                 *pb = part(b, graph_driver_index(gb, sb), &nb);
  if (na != nb) return false;
  for (uint32_t i = 0; i < na; i++) {
    bool own_a = pa[i].at / 4 == sa, own_b = pb[i].at / 4 == sb;
    if (own_a != own_b || pa[i].add != pb[i].add || pa[i].value != pb[i].value) return false;
    if (pa[i].at - 4 * (own_a ? sa : ga->nets.load_first[sa])
        != pb[i].at - 4 * (own_b ? sb : gb->nets.load_first[sb]))
      return false;
  }
  return true;
}

static uint32_t first_load(const Graph *g, Slot s)
{
  return g->nets.load_count[s] ? 4 * graph_load_index(g, g->nets.load_first[s]) : 0;
}

bool overrides_same(const Overrides *a, const Graph *ga, Slot sa, const Overrides *b,
                    const Graph *gb, Slot sb)
{
  static const Overrides none;
  if (a == NULL && b == NULL) return true;
  if (a == NULL) a = &none;
  if (b == NULL) b = &none;
  uint32_t ia = graph_driver_index(ga, sa), ib = graph_driver_index(gb, sb);
  return same_part(&a->edges, ia, 2 * ga->arcs.edge_first[ga->arcs.first[sa]], &b->edges, ib,
                   2 * gb->arcs.edge_first[gb->arcs.first[sb]])
         && same_part(&a->wires, ia, first_load(ga, sa), &b->wires, ib, first_load(gb, sb))
         && same_slews(&a->slews, ga, sa, &b->slews, gb, sb);
}
