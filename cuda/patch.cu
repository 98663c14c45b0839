/* Copies changed parts of arrays to the device: one copy for all parts, and a block of threads for
   each part that stores it. */
#include "cuda/block.h"
#include "cuda/private.h"

#include <string.h>

typedef struct {
  char    *to;
  uint32_t from, bytes;            /* from: where the bytes are in the copy, after all records */
} Patch;

/* The bytes of each patch begin at a multiple of this. */
enum { PATCH_STEP = 16 };

static inline size_t patch_room(size_t bytes)
{
  return (bytes + PATCH_STEP - 1) / PATCH_STEP * PATCH_STEP;
}

/* A word of any numbers. */
typedef uint32_t __attribute__((may_alias)) PatchWord;

/* Stores a patch. Most patches consist of whole words, except those of flags. */
SL_BLOCK_FN void put_patch(const FlatView *v, const Patch *p, const char *from)
{
  (void)v;
  uint32_t words = (uintptr_t)p->to % sizeof(PatchWord) ? 0 : p->bytes / sizeof(PatchWord),
           done = words * (uint32_t)sizeof(PatchWord);
  SL_LANES(i, words) ((PatchWord *)p->to)[i] = ((const PatchWord *)from)[i];
  SL_LANES(i, p->bytes - done) p->to[done + i] = from[done + i];
}

SL_KERNEL put_patches(SL_VIEW(v), const Patch *patches, uint32_t count)
{
  SL_BLOCKS(b, count) put_patch(&v, &patches[b], (const char *)(patches + count) + patches[b].from);
}

static char *same_place(const void *array, size_t bytes, const void *at, const void *there)
{
  const char *first = (const char *)array, *place = (const char *)at;
  return first && place >= first && place < first + bytes ? (char *)there + (place - first) : NULL;
}

/* Returns the place on the device for a place in one of the host's arrays. NULL: it is in none of
   them. */
static char *place_of(const Device *d, const void *at)
{
  const struct DeviceDesign *x = d->design;
  const Flat *f = x->f;
  char *place;
#define FIND(group, type, name, count)                                                          \
  if ((place = same_place(x->host.name, (size_t)(count) * sizeof(type), at, x->view.n.name)) != \
      NULL) return place;
  NUMBER_ARRAYS(FIND)
#undef FIND
#define FIND(type, name, count)                                                                  \
  if ((place = same_place(f->name, (size_t)(count) * sizeof(type), at, x->view.f.name)) != NULL) \
      return place;
  FLAT_ARRAYS(FIND)
#undef FIND
  return NULL;
}

static bool make_room(Device *d, size_t bytes)
{
  struct DeviceDesign *x = d->design;
  if (bytes <= x->patch_bytes) return true;
  x->use.edit_bytes -= x->patch_bytes;
  bool made = device_make_room(d, &x->patch_block, &x->patch_bytes, 2 * bytes);
  x->use.edit_bytes += x->patch_bytes;
  return made;
}

static void send_patches(Device *d, const Patch *packed, size_t bytes, uint32_t count)
{
  device_put(d, d->design->patch_block, packed, bytes);
  SL_LAUNCH_BLOCKS(d, d->stream, count, WARP, put_patches, d->design->view,
                   (const Patch *)d->design->patch_block, count);
}

/* Sends patches. Two patches of one place are equal, because their bytes are read from the host's
   arrays now. */
static bool patch(Device *d, const FlatPatch *patches, uint32_t count)
{
  double since = device_now();
  size_t bytes = count * sizeof(Patch), at = 0;
  for (uint32_t i = 0; i < count; i++) bytes += patch_room(patches[i].bytes);
  Patch *packed = (Patch *)mem_alloc(bytes + 1);
  for (uint32_t i = 0; i < count; i++) {
    packed[i].to = place_of(d, patches[i].at);
    packed[i].from = (uint32_t)at;
    packed[i].bytes = patches[i].bytes;
    memcpy((char *)(packed + count) + at, patches[i].at, patches[i].bytes);
    at += patch_room(patches[i].bytes);
    if (packed[i].to == NULL) packed[i].bytes = 0;      /* an array that the device does not have */
  }
  if (count && make_room(d, bytes)) send_patches(d, packed, bytes, count);
  d->design->use.upload = device_now() - since;      /* the copies are done before the next
                                                        launch */
  mem_free(packed);
  return d->error.file == NULL;
}

bool device_patch(Device *d, const FlatPatch *patches, uint32_t count)
{
  return device_enter(d, "upload") && patch(d, patches, count);
}

/* Memory for patches at first. It is enough for most edits, apart from nets with many loads. */
enum { FIRST_ROOM = 1 << 16 };

void device_warm_patches(Device *d, uint32_t most_loads)
{
  FlatPatch same = { d->design->f->levels, sizeof(uint32_t) };
  size_t load = sizeof *d->design->host.elmore + sizeof *d->design->host.impulse_sq;
  if (make_room(d, FIRST_ROOM + most_loads * load)) patch(d, &same, 1);
}
