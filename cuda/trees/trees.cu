/* Reduces nets on the device. The data of their trees is in a memory block of its own until the
   trees change. Depending on the schedule, a tree has one thread, or one lane for each condition;
   large trees have blocks, which run beside the others. */
#include "cuda/kernel.h"
#include "cuda/private.h"
#include "cuda/trees/tree_blocks.h"
#include "cuda/trees/tree_lanes.h"
#include "cuda/trees/tree_view.h"

enum { SMALL_BLOCK = 32, STAR_BLOCK = 256, LARGE_BLOCK = 768 };

SL_KERNEL reduce_stars(SL_VIEW(v), const TreeView w, uint32_t lanes)
{
  SL_EACH(i, lanes) star_sums(&v, &w, i / CONDITION_COUNT, (int)(i % CONDITION_COUNT), 1);
}

SL_KERNEL reduce_lane_trees(SL_VIEW(v), const TreeView w, uint32_t first, uint32_t lanes)
{
  SL_PRIVATE(work, 2 * TREE_LANE_MOST);
  SL_EACH(i, lanes)
  tree_lane(&v, &w, first + i / CONDITION_COUNT, (int)(i % CONDITION_COUNT), &work);
}

SL_KERNEL reduce_large_stars(SL_VIEW(v), const TreeView w, uint32_t first, uint32_t count)
{
  SL_BLOCKS(i, count) star_block(&v, &w, first + i);
}

SL_KERNEL reduce_deep_trees(SL_VIEW(v), const TreeView w, uint32_t first, uint32_t count)
{
  SL_BLOCKS(i, count) deep_block(&v, &w, first + i);
}

/* Reduces the largest trees. A tree of thousands of nodes takes longest, so its block has as many
   lanes as registers allow. */
SL_WIDE_KERNEL(LARGE_BLOCK)
reduce_large_deep_trees(SL_VIEW(v), const TreeView w, uint32_t first, uint32_t count)
{
  SL_BLOCKS(i, count) deep_block(&v, &w, first + i);
}

/* --- the block -------------------------------------------------------------------------------- */
static size_t tree_bytes(const Trees *f)
{
  size_t bytes = ALIGNMENT;
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

bool device_put_trees(Device *d, const Trees *f)
{
  double since = device_now();
  if (!device_enter(d, "trees")) return false;
  device_forget(d, DEVICE_NETS);
  device_release(d, d->design->tree_block);
  d->design->tree_block = device_block(d, tree_bytes(f));
  if (d->design->tree_block == NULL) return false;
  d->design->use.tree_bytes = tree_bytes(f);
  d->design->trees = place_trees(d, f, d->design->tree_block);
  d->design->use.trees_copy = device_finish(d, since);
  return d->error.file == NULL;
}

/* --- launches --------------------------------------------------------------------------------- */
static uint32_t class_count(const Device *d, TreeClass c)
{
  return d->design->trees.f.class_first[c + 1] - d->design->trees.f.class_first[c];
}

void launch_tree_blocks(Device *d)
{
  const uint32_t *first = d->design->trees.f.class_first, heads = first[TREES_DEEP];
  uint32_t stars = class_count(d, TREES_LARGE_STARS), deep = class_count(d, TREES_DEEP),
           large = class_count(d, TREES_LARGE_DEEP);
  if (stars + deep + large == 0) return;
  SL_LAUNCH_BLOCKS(d, d->aside, large, LARGE_BLOCK, reduce_large_deep_trees, d->design->view,
                   d->design->trees, first[TREES_LARGE_DEEP] - heads, large);
  SL_LAUNCH_BLOCKS(d, d->aside, stars, STAR_BLOCK, reduce_large_stars, d->design->view,
                   d->design->trees, first[TREES_LARGE_STARS], stars);
  SL_LAUNCH_BLOCKS(d, d->aside, deep, SMALL_BLOCK, reduce_deep_trees, d->design->view,
                   d->design->trees, first[TREES_DEEP] - heads, deep);
}

static void launch_lanes(Device *d, TreeClass c, uint32_t most, uint32_t threads)
{
  uint32_t lanes = CONDITION_COUNT * class_count(d, c);
  (void)most;      /* only used on a CUDA device */
  (void)threads;
  SL_LAUNCH_PRIVATE(d, d->stream, lanes, threads, 2 * most, reduce_lane_trees, d->design->view,
                    d->design->trees, d->design->trees.f.class_first[c], lanes);
}

void launch_tree_lanes(Device *d)
{
  launch_lanes(d, TREES_8, 8, 128);
  launch_lanes(d, TREES_16, 16, 128);
  launch_lanes(d, TREES_32, 32, 64);
  launch_lanes(d, TREES_64, 64, 32);
}

void launch_pin_trees(Device *d)
{
  uint32_t stars = CONDITION_COUNT * class_count(d, TREES_STARS);
  device_fork(d);
  launch_tree_blocks(d);
  SL_LAUNCH(d, stars, reduce_stars, d->design->view, d->design->trees, stars);
  launch_tree_lanes(d);
  device_join(d);
}

/* --- edits ------------------------------------------------------------------------------------ */
/* The most changes of a launch. They are passed as an argument. */
enum { CHANGES = 64 };
typedef struct { TreeChange at[CHANGES]; } TreeChanges;

SL_HD void put_change(const TreeView *w, TreeChange c)
{
  switch (c.place) {
  case TREE_LANE_PIN: ((TreeLaneNode *)w->f.lane_nodes)[c.at].pin = c.cap; break;
  case TREE_DEEP_PIN: ((TreePin *)w->f.deep_pins)[c.at].pin = c.cap; break;
  case TREE_HEAD_OWN: ((TreeHead *)w->f.heads)[c.at].own = c.cap; break;
  default:            ((TreeDeep *)w->f.deeps)[c.at].own = c.cap; break;
  }
}

/* Applies changes. No place occurs twice (large_nets.c). */
SL_KERNEL put_changes(SL_VIEW(v), const TreeView w, TreeChanges changes, uint32_t count)
{
  (void)v;
  SL_EACH(i, count) put_change(&w, changes.at[i]);
}

static void launch_changes(Device *d, const TreeEdit *edit)
{
  for (uint32_t i = 0; i < edit->change_count; i += CHANGES) {
    TreeChanges part;
    uint32_t count = edit->change_count - i < CHANGES ? edit->change_count - i : CHANGES;
    memcpy(part.at, edit->changes + i, count * sizeof *part.at);
    SL_LAUNCH(d, count, put_changes, d->design->view, d->design->trees, part, count);
  }
}

static void launch_edited_tree(Device *d, uint32_t tree)
{
  uint32_t heads = d->design->trees.f.class_first[TREES_DEEP];
  if (tree < heads)
    SL_LAUNCH_BLOCKS(d, d->stream, 1, STAR_BLOCK, reduce_large_stars, d->design->view,
                     d->design->trees, tree, 1);
  else
    SL_LAUNCH_BLOCKS(d, d->stream, 1, LARGE_BLOCK, reduce_large_deep_trees, d->design->view,
                     d->design->trees, tree - heads, 1);
}

void launch_edited_trees(Device *d, const TreeEdit *edit)
{
  launch_changes(d, edit);
  for (uint32_t i = 0; i < edit->tree_count; i++) launch_edited_tree(d, edit->trees[i]);
}

bool device_edit_trees(Device *d, const TreeEdit *edit)
{
  if (!device_enter(d, "trees")) return false;
  launch_edited_trees(d, edit);
  return d->error.file == NULL;
}
