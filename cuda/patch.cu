/* Copies changed parts of arrays to the device: one copy for all parts, and a block of threads for
   each part that stores it. */
#include "cuda/block_kernel.h"
#include "cuda/private.h"

#include <string.h>

/* --- memory that both sides see --------------------------------------------------------------- */
void shared_wait(Device *d, SharedRoom *room)
{
#ifdef __CUDACC__
  if (room->copied && !d->error.file)
    device_check(d, cudaEventSynchronize(room->copied), __FILE__, __LINE__);
#else
  (void)d;
  (void)room;
#endif
}

char *shared_room(Device *d, SharedRoom *room, size_t bytes)
{
  shared_wait(d, room);
  if (bytes > room->room) {
    device_release_shared(d, room->at);
    room->room = 2 * bytes;
    room->at = device_shared_block(d, room->room);
    if (room->at == NULL) room->room = 0;
  }
  return d->error.file ? NULL : room->at;
}

void shared_note(Device *d, SharedRoom *room)
{
#ifdef __CUDACC__
  if (d->error.file) return;
  if (room->copied == NULL
      && !device_check(d, cudaEventCreateWithFlags(&room->copied, cudaEventDisableTiming), __FILE__,
                       __LINE__))
    return;
  device_check(d, cudaEventRecord(room->copied, d->stream), __FILE__, __LINE__);
#else
  (void)d;
  (void)room;
#endif
}

void shared_put(Device *d, SharedRoom *room, void *to, size_t bytes)
{
  device_put(d, to, room->at, bytes);
  shared_note(d, room);
}

void shared_get(Device *d, SharedRoom *room, const void *from, size_t bytes)
{
  device_get(d, room->at, from, bytes);
  shared_note(d, room);
}

void shared_free(Device *d, SharedRoom *room)
{
#ifdef __CUDACC__
  if (room->copied) cudaEventDestroy(room->copied);
  room->copied = NULL;
#endif
  device_release_shared(d, room->at);
  room->at = NULL;
  room->room = 0;
}

/* --- patches ---------------------------------------------------------------------------------- */
typedef struct {
  char    *to;
  uint32_t from, bytes;            /* from: where the bytes are in the copy, after all records */
} Patch;

/* A word of any numbers. */
typedef uint32_t __attribute__((may_alias)) PatchWord;

/* The bytes of each patch begin at a multiple of this. */
enum { PATCH_STEP = sizeof(PatchWord) };

static inline size_t patch_room(size_t bytes)
{
  return (bytes + PATCH_STEP - 1) / PATCH_STEP * PATCH_STEP;
}

/* Stores a patch. Most patches consist of whole words, except those of flags. */
SL_BLOCK_FN void put_patch(const FlatView *view, const Patch *patch, const char *from)
{
  (void)view;
  uint32_t words = (uintptr_t)patch->to % sizeof(PatchWord) ? 0 : patch->bytes / sizeof(PatchWord),
           done = words * (uint32_t)sizeof(PatchWord);
  SL_LANES(i, words) ((PatchWord *)patch->to)[i] = ((const PatchWord *)from)[i];
  SL_LANES(i, patch->bytes - done) patch->to[done + i] = from[done + i];
}

SL_KERNEL put_patches(SL_VIEW(v), const Patch *patches, uint32_t count)
{
  SL_BLOCKS(b, count) put_patch(&v, &patches[b], (const char *)(patches + count) + patches[b].from);
}

/* A record may be twice in the list; both are equal then. */
SL_HD void put_kind(const FlatView *view, FlatKindChange c)
{
  ((uint32_t *)view->f.arc_kind)[c.arc] = c.kind;
  for (uint32_t e = view->f.edge_first[c.arc]; e < view->f.edge_first[c.arc + 1]; e++)
    ((FlatEdge *)view->f.edges)[e].kind = c.kind;
}

SL_KERNEL put_kinds(SL_VIEW(v), const FlatKindChange *kinds, uint32_t count)
{
  SL_EACH(i, count) put_kind(&v, kinds[i]);
}

SL_KERNEL put_check_tables(SL_VIEW(v), const FlatCheckChange *checks, uint32_t count)
{
  SL_EACH(i, count)
  {
    FlatCheck *own = (FlatCheck *)&v.f.checks[checks[i].check];
    for (int edge = RISE; edge <= FALL; edge++) own->table[edge] = checks[i].table[edge];
  }
}

/* An array of the host, and where the device has it. */
typedef struct {
  const char *first, *end;
  char       *there;
  uint32_t    next;                /* which array the patch behind one of this array was of */
} PatchArray;

enum {
#define COUNT(group, type, name, count) OF_NUMBER_##name,
  NUMBER_ARRAYS(COUNT)
#undef COUNT
#define COUNT(type, name, count) OF_FLAT_##name,
  FLAT_ARRAYS(COUNT)
#undef COUNT
  ARRAY_COUNT
};

static void note_array(PatchArray *arrays, uint32_t i, const void *host, size_t bytes,
                       const void *there)
{
  arrays[i].first = (const char *)host;
  arrays[i].end = host ? (const char *)host + bytes : NULL;
  arrays[i].there = (char *)there;
  arrays[i].next = (i + 1) % ARRAY_COUNT;
}

static void find_arrays(const Device *d, PatchArray *arrays)
{
  const struct DeviceDesign *design = d->design;
  const Flat *f = design->f;
#define NOTE(group, type, name, count)                                                    \
  note_array(arrays, OF_NUMBER_##name, design->host.name, (size_t)(count) * sizeof(type), \
             design->view.n.name);
  NUMBER_ARRAYS(NOTE)
#undef NOTE
#define NOTE(type, name, count)                                                           \
  note_array(arrays, OF_FLAT_##name, f->name, (size_t)(count) * sizeof(type), design->view.f.name);
  FLAT_ARRAYS(NOTE)
#undef NOTE
}

static bool is_in(const PatchArray *array, const char *at)
{
  return at >= array->first && at < array->end;
}

/* The place of a host's number; NULL: it is in no array. Nets have patches of the same arrays by
   turns, so that the one of the last time is mostly right. last: the array of the patch before. */
static char *place_of(PatchArray *arrays, const void *number, uint32_t *last)
{
  const char *at = (const char *)number;
  uint32_t i = arrays[*last].next;
  for (uint32_t n = 0; n < ARRAY_COUNT && !is_in(&arrays[i], at); n++) i = (i + 1) % ARRAY_COUNT;
  if (!is_in(&arrays[i], at)) return NULL;
  arrays[*last].next = i;
  *last = i;
  return arrays[i].there + (at - arrays[i].first);
}

static bool make_room(Device *d, size_t bytes)
{
  struct DeviceDesign *design = d->design;
  if (bytes <= design->patch_bytes) return true;
  design->use.edit_bytes -= design->patch_bytes;
  bool made = device_make_room(d, &design->patch_block, &design->patch_bytes, 2 * bytes);
  design->use.edit_bytes += design->patch_bytes;
  return made;
}

/* What is sent together: kinds, checks, records of patches, then the bytes of these. */
typedef struct {
  const FlatPatch   *patches;
  uint32_t           count;
  const FlatChanges *changes;
} PatchList;

static size_t kind_bytes(const PatchList *list)
{
  return list->changes->kinds.len * sizeof *list->changes->kinds.at;
}
static size_t check_bytes(const PatchList *list)
{
  return list->changes->checks.len * sizeof *list->changes->checks.at;
}
static size_t change_bytes(const PatchList *list)
{
  size_t bytes = kind_bytes(list) + check_bytes(list);
  return (bytes + sizeof(Patch) - 1) / sizeof(Patch) * sizeof(Patch);
}

static void send(Device *d, const PatchList *list, size_t bytes)
{
  const char *there = d->design->patch_block;
  uint32_t kinds = list->changes->kinds.len, checks = list->changes->checks.len;
  shared_put(d, &d->design->patch_room, d->design->patch_block, bytes);
  SL_START(d, kinds, put_kinds, d->design->view, (const FlatKindChange *)there, kinds);
  SL_START(d, checks, put_check_tables, d->design->view,
           (const FlatCheckChange *)(there + kind_bytes(list)), checks);
  SL_START_BLOCKS(d, d->stream, list->count, WARP, put_patches, d->design->view,
                  (const Patch *)(there + change_bytes(list)), list->count);
}

/* The numbers of patches lie all over memory, so those of a later patch are fetched ahead. */
enum { AHEAD = 16 };

/* Two patches of one place are equal, because their bytes are read from the host's arrays now. */
static void pack_patches(const Device *d, const PatchList *list, Patch *packed)
{
  PatchArray arrays[ARRAY_COUNT];
  uint32_t last = 0;
  size_t at = 0;
  if (list->count == 0) return;
  find_arrays(d, arrays);
  for (uint32_t i = 0; i < list->count; i++) {
    const FlatPatch *patch = &list->patches[i];
    __builtin_prefetch(list->patches[i + AHEAD < list->count ? i + AHEAD : i].at);
    packed[i].to = place_of(arrays, patch->at, &last);
    packed[i].from = (uint32_t)at;
    packed[i].bytes = patch->bytes;
    memcpy((char *)(packed + list->count) + at, patch->at, patch->bytes);
    at += patch_room(patch->bytes);
    if (packed[i].to == NULL) packed[i].bytes = 0;      /* an array that the device does not have */
  }
}

static bool patch(Device *d, const PatchList *list)
{
  double since = device_now();
  size_t bytes = change_bytes(list) + list->count * sizeof(Patch);
  for (uint32_t i = 0; i < list->count; i++) bytes += patch_room(list->patches[i].bytes);
  char *packed = shared_room(d, &d->design->patch_room, bytes);
  if (packed && make_room(d, bytes)) {
    if (kind_bytes(list)) memcpy(packed, list->changes->kinds.at, kind_bytes(list));
    if (check_bytes(list))
      memcpy(packed + kind_bytes(list), list->changes->checks.at, check_bytes(list));
    pack_patches(d, list, (Patch *)(packed + change_bytes(list)));
    send(d, list, bytes);
  }
  d->design->use.upload = device_now() - since;      /* the copies are done before the next
                                                        launch */
  return d->error.file == NULL;
}

bool device_patch(Device *d, const FlatPatch *patches, uint32_t count, const FlatChanges *changes)
{
  PatchList l = { patches, count, changes };
  return device_enter(d, "upload") && patch(d, &l);
}

/* Memory for patches at first. It is enough for most edits, apart from nets with many loads. */
enum { FIRST_ROOM = 1 << 16 };

void device_warm_patches(Device *d, uint32_t most_loads)
{
  FlatPatch same = { d->design->f->levels, sizeof(uint32_t) };
  size_t load = sizeof *d->design->host.elmore + sizeof *d->design->host.impulse_sq;
  FlatKindChange kind = { 0, d->design->f->count.arcs ? d->design->f->arc_kind[0] : 0 };
  FlatChanges changes = { { &kind, d->design->f->count.arcs ? 1u : 0u, 0 }, { NULL, 0, 0 } };
  PatchList l = { &same, 1, &changes };
  if (make_room(d, FIRST_ROOM + most_loads * load)) patch(d, &l);
}
