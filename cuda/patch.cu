/* Parts of arrays that have changed: one copy of all of them, and a lane for each that puts it in its place. */
#include "cuda/kernel.h"

#include <string.h>

typedef struct {
  char    *to;
  uint32_t from, bytes;            /* from: behind the last of them */
} Patch;

SL_KERNEL put_patches(SL_VIEW(v), const Patch *patches, uint32_t count)
{
  (void)v;
  SL_EACH(i, count)
  {
    Patch p = patches[i];
    const char *from = (const char *)(patches + count) + p.from;
    for (uint32_t k = 0; k < p.bytes; k++) p.to[k] = from[k];
  }
}

static char *same_place(const void *array, size_t bytes, const void *at, const void *there)
{
  const char *first = (const char *)array, *place = (const char *)at;
  return place >= first && place < first + bytes ? (char *)there + (place - first) : NULL;
}

/* Of a place in one of the host's arrays; NULL: it is in none. */
static char *place_of(const Device *d, const void *at)
{
  const Flat *f = d->f;
  char *place;
#define FIND(group, type, name, count) \
  if ((place = same_place(d->host.name, (size_t)(count) * sizeof(type), at, d->view.n.name)) != NULL) return place;
  NUMBER_ARRAYS(FIND)
#undef FIND
#define FIND(type, name, count) \
  if ((place = same_place(f->name, (size_t)(count) * sizeof(type), at, d->view.f.name)) != NULL) return place;
  FLAT_ARRAYS(FIND)
#undef FIND
  return NULL;
}

static bool make_room(Device *d, size_t bytes)
{
  if (bytes <= d->patch_bytes) return true;
  device_release(d, d->patch_block);
  d->use.bytes -= d->patch_bytes;
  d->use.edit_bytes -= d->patch_bytes;
  d->patch_bytes = 0;
  d->patch_block = device_block(d, 2 * bytes);
  if (d->patch_block == NULL) return false;
  d->patch_bytes = 2 * bytes;
  d->use.bytes += d->patch_bytes;
  d->use.edit_bytes += d->patch_bytes;
  return true;
}

static void send_patches(Device *d, const Patch *packed, size_t bytes, uint32_t count)
{
  device_put(d, d->patch_block, packed, bytes);
  SL_LAUNCH(d, count, put_patches, d->view, (const Patch *)d->patch_block, count);
}

/* Two patches of one place are the same: they are of the host's arrays as they are now. */
static bool patch(Device *d, const FlatPatch *patches, uint32_t count)
{
  double since = device_now();
  size_t bytes = count * sizeof(Patch), at = 0;
  for (uint32_t i = 0; i < count; i++) bytes += patches[i].bytes;
  Patch *packed = (Patch *)mem_alloc(bytes + 1);
  for (uint32_t i = 0; i < count; i++) {
    packed[i].to = place_of(d, patches[i].at);
    packed[i].from = (uint32_t)at;
    packed[i].bytes = patches[i].bytes;
    memcpy((char *)(packed + count) + at, patches[i].at, patches[i].bytes);
    at += patches[i].bytes;
    if (packed[i].to == NULL) packed[i].bytes = 0;      /* an array that the device does not have */
  }
  if (count && make_room(d, bytes)) send_patches(d, packed, bytes, count);
  d->use.upload = device_now() - since;      /* they arrive before what is launched next */
  mem_free(packed);
  return d->error.file == NULL;
}

DEVICE_FN bool device_patch(Device *d, const FlatPatch *patches, uint32_t count) { return device_enter(d, "upload") && patch(d, patches, count); }

/* Of most edits' patches. */
enum { FIRST_ROOM = 1 << 16 };

DEVICE_FN void device_warm_patches(Device *d)
{
  FlatPatch same = { d->f->levels, sizeof(uint32_t) };
  if (make_room(d, FIRST_ROOM)) patch(d, &same, 1);
}
