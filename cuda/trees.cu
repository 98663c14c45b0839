/* Nets: one thread a tree.  What the trees are made of lives in a block of its own as long as the reduction lasts. */
#include "cuda/kernel.h"
#include "cuda/trees.h"

SL_KERNEL reduce_trees(SL_VIEW(v), const TreeView w)
{
  SL_EACH(i, w.f.tree_count) tree_reduce(&v, &w, i);
}

static size_t tree_bytes(const Trees *f)
{
  size_t bytes = 0;
#define ADD(type, name, count) bytes += device_aligned((size_t)(count) * sizeof(type));
  TREE_ARRAYS(ADD)
#undef ADD
#define ADD(type, name) bytes += device_aligned((size_t)f->work_count * sizeof(type));
  TREE_WORK(ADD)
#undef ADD
  return bytes;
}

static TreeView place_trees(Device *d, const Trees *f, char *block)
{
  TreeView w;
  size_t at = 0;
  w.f = *f;
#define PLACE(type, name, count) \
  w.f.name = (const type *)(block + at); \
  device_put(d, block + at, f->name, (size_t)(count) * sizeof(type)); \
  at += device_aligned((size_t)(count) * sizeof(type));
  TREE_ARRAYS(PLACE)
#undef PLACE
#define PLACE(type, name) \
  w.name = (type *)(block + at); \
  at += device_aligned((size_t)f->work_count * sizeof(type));
  TREE_WORK(PLACE)
#undef PLACE
  return w;
}

DEVICE_FN bool device_reduce(Device *d, const Trees *f)
{
  double since = device_now();
  char *block = device_block(d, tree_bytes(f));
  if (block == NULL) return false;
  TreeView w = place_trees(d, f, block);
  d->use.trees_copy = device_finish(d, since);
  since = device_now();
  SL_LAUNCH(d, f->tree_count, reduce_trees, d->view, w);
  d->use.trees = device_finish(d, since);
  device_release(d, block);
  return d->error.file == NULL;
}
