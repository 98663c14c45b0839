/* The store of annotated delays: records in an array, found by kind, pins and library arc. */
#include "db/annotation.h"

Annotations *annotations_new(void)
{
  Annotations *annotations = mem_alloc_zero(1, sizeof *annotations);
  for (int k = 0; k < ANNOTATE_KINDS; k++) annotations->index[k] = map_new();
  return annotations;
}

static void free_content(Annotations *annotations)
{
  array_free(&annotations->records);
  array_free(&annotations->values);
  array_free(&annotations->unused);
  for (int k = 0; k < ANNOTATE_KINDS; k++) map_free(annotations->index[k]);
}

void annotations_free(Annotations *annotations)
{
  if (annotations == NULL) return;
  free_content(annotations);
  mem_free(annotations);
}

#define COPY_ARRAY(to, from)                                                                    \
  (array_resize(to, (from)->len),                                                               \
      (void)((from)->len ? memcpy((to)->at, (from)->at, (size_t)(from)->len * sizeof *(to)->at) \
      : NULL))

Annotations *annotations_copy(const Annotations *annotations)
{
  Annotations *copy = mem_alloc_zero(1, sizeof *copy);
  copy->version = annotations->version;
  COPY_ARRAY(&copy->records, &annotations->records);
  COPY_ARRAY(&copy->values, &annotations->values);
  COPY_ARRAY(&copy->unused, &annotations->unused);
  for (int k = 0; k < ANNOTATE_KINDS; k++) {
    copy->count[k] = annotations->count[k];
    copy->index[k] = map_copy(annotations->index[k]);
  }
  return copy;
}

void annotations_take(Annotations *annotations, Annotations *from)
{
  uint64_t version = annotations->version + 1;
  free_content(annotations);
  *annotations = *from;
  annotations->version = version;
  mem_free(from);
}

size_t annotations_bytes(const Annotations *annotations)
{
  size_t bytes = sizeof *annotations + annotations->records.cap * sizeof *annotations->records.at
                 + annotations->values.cap * sizeof *annotations->values.at;
  for (int k = 0; k < ANNOTATE_KINDS; k++) bytes += map_bytes(annotations->index[k]);
  return bytes;
}

bool annotations_any(const Annotations *annotations)
{
  for (int k = 0; k < ANNOTATE_KINDS; k++)
    if (annotations->count[k]) return true;
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

AnnotationId annotations_find(const Annotations *annotations, AnnotationKind kind, PinId from,
                              PinId to, LibArcId lib)
{
  return map_get(annotations->index[kind], key_of(kind, from, to, lib));
}

AnnotationId annotations_at(Annotations *annotations, AnnotationKind kind, PinId from, PinId to,
                            LibArcId lib)
{
  uint64_t key = key_of(kind, from, to, lib);
  uint32_t id = map_get(annotations->index[kind], key);
  if (id != MAP_NO_VALUE) return id;
  id = annotations->records.len;
  map_put(annotations->index[kind], key, id);
  array_push(&annotations->records,
             (AnnotationRecord){ from, to, lib, annotations->values.len, (uint8_t)kind, 0, 0 });
  array_resize(&annotations->values, annotations->values.len + annotation_values(kind));
  return id;
}

static bool is_set(const AnnotationRecord *record) { return record->replaced | record->added; }

void annotations_put(Annotations *annotations, AnnotationId id, uint32_t value_index, float value,
                     bool increment)
{
  AnnotationRecord *record = &annotations->records.at[id];
  uint8_t bit = (uint8_t)(1u << value_index);
  float *at = &annotations->values.at[record->first + value_index];
  annotations->version++;
  annotations->count[record->kind] += !is_set(record);
  if (!increment) {
    *at = value;
    record->replaced |= bit;
    record->added &= (uint8_t)~bit;
    return;
  }
  bool had = (record->replaced | record->added) & bit;
  *at = had ? *at + value : value;
  if (!had) record->added |= bit;
}

void annotations_remove(Annotations *annotations, AnnotationId id, uint32_t values)
{
  AnnotationRecord *record = &annotations->records.at[id];
  bool was = is_set(record);
  record->replaced &= (uint8_t)~values;
  record->added &= (uint8_t)~values;
  if (!was) return;
  annotations->version++;
  annotations->count[record->kind] -= !is_set(record);
}

void annotations_clear(Annotations *annotations, AnnotationKind kind)
{
  for (AnnotationId i = 0; i < annotations->records.len; i++)
    if (annotations->records.at[i].kind == kind) annotations_remove(annotations, i, UINT32_MAX);
}

void annotations_count_unused(Annotations *annotations, const char *construct, uint32_t count)
{
  for (uint32_t i = 0; i < annotations->unused.len; i++)
    if (strcmp(annotations->unused.at[i].construct, construct) == 0) {
      annotations->unused.at[i].count += count;
      return;
    }
  array_push(&annotations->unused, (AnnotationUnused){ construct, count });
}

/* --- edits ------------------------------------------------------------------------------------ */
static void keep_lost(Annotations *annotations, AnnotationId id)
{
  const AnnotationRecord *record = &annotations->records.at[id];
  AnnotationLost lost = { id, record->replaced, record->added, { 0 } };
  memcpy(lost.values, annotations->values.at + record->first,
         annotation_values((AnnotationKind)record->kind) * sizeof *lost.values);
  array_push(annotations->lost, lost);
}

void annotations_put_back(Annotations *annotations, const AnnotationLost *lost)
{
  if (lost->id >= annotations->records.len) return;
  AnnotationRecord *record = &annotations->records.at[lost->id];
  annotations->version++;
  annotations->count[record->kind] += !is_set(record);
  record->replaced = lost->replaced;
  record->added = lost->added;
  memcpy(annotations->values.at + record->first, lost->values,
         annotation_values((AnnotationKind)record->kind) * sizeof *lost->values);
}

static void forget(Annotations *annotations, AnnotationKind kind, PinId from, PinId to,
                   LibArcId lib)
{
  AnnotationId id = annotations_find(annotations, kind, from, to, lib);
  if (id == NO_ANNOTATION) return;
  if (annotations->lost && is_set(&annotations->records.at[id])) keep_lost(annotations, id);
  annotations_remove(annotations, id, UINT32_MAX);
}

/* The arcs of one of the cells that served the instance, at one of its pins. */
static void forget_arcs(Annotations *annotations, const LibrarySet *libs, CellId cell, PinId pin)
{
  const LibCell *lib_cell = &libs->cells.at[cell];
  for (LibArcId l = lib_cell->first_arc; l < lib_cell->first_arc + lib_cell->arc_count; l++) {
    forget(annotations, ANNOTATE_CELL, NO_PIN, pin, l);
    forget(annotations, ANNOTATE_CHECK, NO_PIN, pin, l);
  }
}

void annotations_forget_cell(Annotations *annotations, const Netlist *n, InstId inst,
                             CellId old_cell)
{
  const Inst *in = &n->insts.at[inst];
  if (!annotations_any(annotations) || old_cell == NO_CELL) return;
  CellId early = library_cell_for(n->libs, old_cell, EARLY),
         late = library_cell_for(n->libs, old_cell, LATE);
  for (PinId p = in->first_pin; p < in->first_pin + in->pin_count; p++) {
    forget_arcs(annotations, n->libs, old_cell, p);
    if (early != old_cell) forget_arcs(annotations, n->libs, early, p);
    if (late != old_cell) forget_arcs(annotations, n->libs, late, p);
    forget(annotations, ANNOTATE_SLEW, NO_PIN, p, NO_LIB_ARC);
    forget(annotations, ANNOTATE_WIDTH, NO_PIN, p, NO_LIB_ARC);
    forget(annotations, ANNOTATE_PERIOD, NO_PIN, p, NO_LIB_ARC);
  }
}

void annotations_forget_net(Annotations *annotations, const Netlist *n, NetId net)
{
  NetPins drivers = net_pins(n, net, false);
  for (PinId d; annotations->count[ANNOTATE_WIRE] && (d = net_pins_next(&drivers)) != NO_PIN;) {
    if (!netlist_pin_drives(n, d)) continue;
    NetPins loads = net_pins(n, net, false);
    for (PinId l; (l = net_pins_next(&loads)) != NO_PIN;)
      forget(annotations, ANNOTATE_WIRE, d, l, NO_LIB_ARC);
  }
}

/* A hierarchical pin joins nets: all their wires may pass it. */
void annotations_forget_wires(Annotations *annotations, const Netlist *n, PinId pin)
{
  NetId net = netlist_pin_net(n, pin);
  if (net == NO_NET || annotations->count[ANNOTATE_WIRE] == 0) return;
  if (pin_is_hierarchical(n, pin)) {
    annotations_forget_net(annotations, n, net);
    return;
  }
  NetPins others = net_pins(n, net, false);
  for (PinId p; (p = net_pins_next(&others)) != NO_PIN;) {
    forget(annotations, ANNOTATE_WIRE, p, pin, NO_LIB_ARC);
    forget(annotations, ANNOTATE_WIRE, pin, p, NO_LIB_ARC);
  }
}
