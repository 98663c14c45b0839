/* The store of annotated delays: records in an array, found by kind, pins and library arc. */
#include "db/annotation.h"

Annotations *annotations_new(void)
{
  Annotations *a = mem_alloc_zero(1, sizeof *a);
  for (int k = 0; k < ANNOTATE_KINDS; k++) a->index[k] = map_new();
  return a;
}

static void free_content(Annotations *a)
{
  array_free(&a->records);
  array_free(&a->values);
  array_free(&a->unused);
  for (int k = 0; k < ANNOTATE_KINDS; k++) map_free(a->index[k]);
}

void annotations_free(Annotations *a)
{
  if (a == NULL) return;
  free_content(a);
  mem_free(a);
}

#define COPY_ARRAY(to, from)                                                                    \
  (array_resize(to, (from)->len),                                                               \
      (void)((from)->len ? memcpy((to)->at, (from)->at, (size_t)(from)->len * sizeof *(to)->at) \
      : NULL))

Annotations *annotations_copy(const Annotations *a)
{
  Annotations *c = mem_alloc_zero(1, sizeof *c);
  c->version = a->version;
  COPY_ARRAY(&c->records, &a->records);
  COPY_ARRAY(&c->values, &a->values);
  COPY_ARRAY(&c->unused, &a->unused);
  for (int k = 0; k < ANNOTATE_KINDS; k++) {
    c->count[k] = a->count[k];
    c->index[k] = map_copy(a->index[k]);
  }
  return c;
}

void annotations_take(Annotations *a, Annotations *from)
{
  uint64_t version = a->version + 1;
  free_content(a);
  *a = *from;
  a->version = version;
  mem_free(from);
}

size_t annotations_bytes(const Annotations *a)
{
  size_t bytes =
      sizeof *a + a->records.cap * sizeof *a->records.at + a->values.cap * sizeof *a->values.at;
  for (int k = 0; k < ANNOTATE_KINDS; k++) bytes += map_bytes(a->index[k]);
  return bytes;
}

bool annotations_any(const Annotations *a)
{
  for (int k = 0; k < ANNOTATE_KINDS; k++)
    if (a->count[k]) return true;
  return false;
}

/* --- records ---------------------------------------------------------------------------------- */
/* A library arc ends at one port, so with the pin it tells the start as well. */
static uint64_t key_of(AnnotationKind kind, PinId from, PinId to, LibArcId lib)
{
  return hash_pair(to, kind == ANNOTATE_WIRE                             ? from
                       : kind == ANNOTATE_CELL || kind == ANNOTATE_CHECK ? lib
                                                                         : 0);
}

AnnotationId annotations_find(const Annotations *a, AnnotationKind kind, PinId from, PinId to,
                              LibArcId lib)
{
  return map_get(a->index[kind], key_of(kind, from, to, lib));
}

AnnotationId annotations_at(Annotations *a, AnnotationKind kind, PinId from, PinId to, LibArcId lib)
{
  uint64_t key = key_of(kind, from, to, lib);
  uint32_t id = map_get(a->index[kind], key);
  if (id != MAP_NO_VALUE) return id;
  id = a->records.len;
  map_put(a->index[kind], key, id);
  array_push(&a->records, (AnnotationRecord){ from, to, lib, a->values.len, (uint8_t)kind, 0, 0 });
  array_resize(&a->values, a->values.len + annotation_values(kind));
  return id;
}

static bool is_set(const AnnotationRecord *r) { return r->replaced | r->added; }

void annotations_put(Annotations *a, AnnotationId id, uint32_t value_index, float value,
                     bool increment)
{
  AnnotationRecord *r = &a->records.at[id];
  uint8_t bit = (uint8_t)(1u << value_index);
  float *at = &a->values.at[r->first + value_index];
  a->version++;
  a->count[r->kind] += !is_set(r);
  if (!increment) {
    *at = value;
    r->replaced |= bit;
    r->added &= (uint8_t)~bit;
    return;
  }
  bool had = (r->replaced | r->added) & bit;
  *at = had ? *at + value : value;
  if (!had) r->added |= bit;
}

void annotations_remove(Annotations *a, AnnotationId id, uint32_t values)
{
  AnnotationRecord *r = &a->records.at[id];
  bool was = is_set(r);
  r->replaced &= (uint8_t)~values;
  r->added &= (uint8_t)~values;
  if (!was) return;
  a->version++;
  a->count[r->kind] -= !is_set(r);
}

void annotations_clear(Annotations *a, AnnotationKind kind)
{
  for (AnnotationId i = 0; i < a->records.len; i++)
    if (a->records.at[i].kind == kind) annotations_remove(a, i, UINT32_MAX);
}

void annotations_count_unused(Annotations *a, const char *construct, uint32_t count)
{
  for (uint32_t i = 0; i < a->unused.len; i++)
    if (strcmp(a->unused.at[i].construct, construct) == 0) {
      a->unused.at[i].count += count;
      return;
    }
  array_push(&a->unused, (AnnotationUnused){ construct, count });
}

/* --- edits ------------------------------------------------------------------------------------ */
static void keep_lost(Annotations *a, AnnotationId id)
{
  const AnnotationRecord *r = &a->records.at[id];
  AnnotationLost lost = { id, r->replaced, r->added, { 0 } };
  memcpy(lost.values, a->values.at + r->first,
         annotation_values((AnnotationKind)r->kind) * sizeof *lost.values);
  array_push(a->lost, lost);
}

void annotations_put_back(Annotations *a, const AnnotationLost *lost)
{
  if (lost->id >= a->records.len) return;
  AnnotationRecord *r = &a->records.at[lost->id];
  a->version++;
  a->count[r->kind] += !is_set(r);
  r->replaced = lost->replaced;
  r->added = lost->added;
  memcpy(a->values.at + r->first, lost->values,
         annotation_values((AnnotationKind)r->kind) * sizeof *lost->values);
}

static void forget(Annotations *a, AnnotationKind kind, PinId from, PinId to, LibArcId lib)
{
  AnnotationId id = annotations_find(a, kind, from, to, lib);
  if (id == NO_ANNOTATION) return;
  if (a->lost && is_set(&a->records.at[id])) keep_lost(a, id);
  annotations_remove(a, id, UINT32_MAX);
}

/* The arcs of one of the cells that served the instance, at one of its pins. */
static void forget_arcs(Annotations *a, const LibrarySet *libs, CellId cell, PinId pin)
{
  const LibCell *c = &libs->cells.at[cell];
  for (LibArcId l = c->first_arc; l < c->first_arc + c->arc_count; l++) {
    forget(a, ANNOTATE_CELL, NO_PIN, pin, l);
    forget(a, ANNOTATE_CHECK, NO_PIN, pin, l);
  }
}

void annotations_forget_cell(Annotations *a, const Netlist *n, InstId inst, CellId old_cell)
{
  const Inst *in = &n->insts.at[inst];
  if (!annotations_any(a) || old_cell == NO_CELL) return;
  CellId early = library_cell_for(n->libs, old_cell, EARLY),
         late = library_cell_for(n->libs, old_cell, LATE);
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    forget_arcs(a, n->libs, old_cell, p);
    if (early != old_cell) forget_arcs(a, n->libs, early, p);
    if (late != old_cell) forget_arcs(a, n->libs, late, p);
    forget(a, ANNOTATE_SLEW, NO_PIN, p, NO_LIB_ARC);
    forget(a, ANNOTATE_WIDTH, NO_PIN, p, NO_LIB_ARC);
    forget(a, ANNOTATE_PERIOD, NO_PIN, p, NO_LIB_ARC);
  }
}

void annotations_forget_net(Annotations *a, const Netlist *n, NetId net)
{
  NetPins drivers = net_pins(n, net, false);
  for (PinId d; a->count[ANNOTATE_WIRE] && (d = net_pins_next(&drivers)) != NO_PIN;) {
    if (!netlist_pin_drives(n, d)) continue;
    NetPins loads = net_pins(n, net, false);
    for (PinId l; (l = net_pins_next(&loads)) != NO_PIN;)
      forget(a, ANNOTATE_WIRE, d, l, NO_LIB_ARC);
  }
}

/* A hierarchical pin joins nets: all their wires may pass it. */
void annotations_forget_wires(Annotations *a, const Netlist *n, PinId pin)
{
  NetId net = netlist_pin_net(n, pin);
  if (net == NO_NET || a->count[ANNOTATE_WIRE] == 0) return;
  if (pin_is_hierarchical(n, pin)) {
    annotations_forget_net(a, n, net);
    return;
  }
  NetPins others = net_pins(n, net, false);
  for (PinId p; (p = net_pins_next(&others)) != NO_PIN;) {
    forget(a, ANNOTATE_WIRE, p, pin, NO_LIB_ARC);
    forget(a, ANNOTATE_WIRE, pin, p, NO_LIB_ARC);
  }
}
