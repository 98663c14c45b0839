/* Reduces nets on the device. The data of their trees is in a memory block of its own until the
   trees change. Depending on the schedule, a tree has one thread, or one lane for each condition;
   large trees have blocks, which run beside the others. */
#include "cuda/kernel.h"
#include "cuda/private.h"
#include "cuda/trees/tree_blocks.h"
#include "cuda/trees/tree_lanes.h"
#include "cuda/trees/tree_view.h"

#include <string.h>

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
  SL_BLOCKS(i, count) deep_block(&v, &w, first + i, deep_part(0, ALL_CONDITIONS));
}

/* Reduces the largest trees. A tree of thousands of nodes takes longest, so its block has as many
   lanes as registers allow. */
SL_WIDE_KERNEL(LARGE_BLOCK)
reduce_large_deep_trees(SL_VIEW(v), const TreeView w, uint32_t first, uint32_t count)
{
  SL_BLOCKS(i, count) deep_block(&v, &w, first + i, deep_part(0, ALL_CONDITIONS));
}

/* --- the block -------------------------------------------------------------------------------- */
static size_t tree_bytes(const Trees *trees)
{
  size_t bytes = ALIGNMENT;
#define ADD(type, name, count) bytes += device_aligned((size_t)(count) * sizeof(type));
  TREE_ARRAYS(ADD)
#undef ADD
#define ADD(type, name) bytes += device_aligned((size_t)trees->work_count * sizeof(type));
  TREE_WORK(ADD)
#undef ADD
  return bytes;
}

static TreeView place_trees(Device *d, const Trees *trees, char *block)
{
  TreeView w;
  size_t at = 0;
  w.f = *trees;
#define PLACE(type, name, count) \
  w.f.name = (const type *)(block + at); \
  device_put(d, block + at, trees->name, (size_t)(count) * sizeof(type)); \
  at += device_aligned((size_t)(count) * sizeof(type));
  TREE_ARRAYS(PLACE)
#undef PLACE
#define PLACE(type, name) \
  w.name = (type *)(block + at); \
  at += device_aligned((size_t)trees->work_count * sizeof(type));
  TREE_WORK(PLACE)
#undef PLACE
  return w;
}

/* Memory on the device for edits of trees, which report_engine counts. */
static bool edit_room(Device *d, size_t bytes)
{
  GrowingBlock *there = &d->design->tree_edit;
  d->design->use.edit_bytes -= there->room;
  bool made = growing_room(d, there, bytes) != NULL;
  d->design->use.edit_bytes += there->room;
  return made;
}

/* Room for the edits that come first, so that they do not wait for memory. */
enum { FIRST_EDIT_BYTES = 1 << 18 };

bool device_put_trees(Device *d, const Trees *trees)
{
  double since = device_now();
  if (!device_enter(d, "trees")) return false;
  device_forget(d, DEVICE_NETS);
  device_release(d, d->design->tree_block);
  d->design->tree_block = device_block(d, tree_bytes(trees));
  if (d->design->tree_block == NULL) return false;
  d->design->use.tree_bytes = tree_bytes(trees);
  d->design->trees = place_trees(d, trees, d->design->tree_block);
  if (shared_room(d, &d->design->tree_room, FIRST_EDIT_BYTES / 2)) edit_room(d, FIRST_EDIT_BYTES);
  d->design->use.trees_copy = device_finish(d, since);
  return d->error.file == NULL;
}

/* --- starts of kernels ------------------------------------------------------------------------ */
static uint32_t class_count(const Device *d, TreeClass c)
{
  return d->design->trees.f.class_first[c + 1] - d->design->trees.f.class_first[c];
}

void start_tree_blocks(Device *d)
{
  const uint32_t *first = d->design->trees.f.class_first, heads = first[TREES_DEEP];
  uint32_t stars = class_count(d, TREES_LARGE_STARS), deep = class_count(d, TREES_DEEP),
           large = class_count(d, TREES_LARGE_DEEP);
  if (stars + deep + large == 0) return;
  SL_START_BLOCKS(d, d->aside, large, LARGE_BLOCK, reduce_large_deep_trees, d->design->view,
                  d->design->trees, first[TREES_LARGE_DEEP] - heads, large);
  SL_START_BLOCKS(d, d->aside, stars, STAR_BLOCK, reduce_large_stars, d->design->view,
                  d->design->trees, first[TREES_LARGE_STARS], stars);
  SL_START_BLOCKS(d, d->aside, deep, SMALL_BLOCK, reduce_deep_trees, d->design->view,
                  d->design->trees, first[TREES_DEEP] - heads, deep);
}

static void start_lanes(Device *d, TreeClass c, uint32_t most, uint32_t threads)
{
  uint32_t lanes = CONDITION_COUNT * class_count(d, c);
  (void)most;      /* only used on a CUDA device */
  (void)threads;
  SL_START_PRIVATE(d, d->stream, lanes, threads, 2 * most, reduce_lane_trees, d->design->view,
                   d->design->trees, d->design->trees.f.class_first[c], lanes);
}

void start_tree_lanes(Device *d)
{
  start_lanes(d, TREES_8, 8, 128);
  start_lanes(d, TREES_16, 16, 128);
  start_lanes(d, TREES_32, 32, 64);
  start_lanes(d, TREES_64, 64, 32);
}

void start_pin_trees(Device *d)
{
  uint32_t stars = CONDITION_COUNT * class_count(d, TREES_STARS);
  device_fork(d);
  start_tree_blocks(d);
  SL_START(d, stars, reduce_stars, d->design->view, d->design->trees, stars);
  start_tree_lanes(d);
  device_join(d);
}

/* --- edits ------------------------------------------------------------------------------------ */
SL_HD uint32_t first_deep(const TreeView *view) { return view->f.class_first[TREES_DEEP]; }

SL_BLOCK_FN void change_head(const FlatView *view, const TreeView *tree_view, TreeHead *head,
                             TreeChange c)
{
  TreeLaneNode *node = (TreeLaneNode *)tree_view->f.lane_nodes;
  (void)view;
  if (c.load == FLAT_NONE) {
    if (SL_FIRST_LANE && head->own != FLAT_NONE) head->own = c.cap;
    return;
  }
  SL_LANES(i, head[1].first - head->first)
  {
    TreeLaneNode *lane_node = &node[head->first + i];
    if (lane_node->load == c.load && lane_node->pin != FLAT_NONE) lane_node->pin = c.cap;
  }
}

SL_BLOCK_FN void change_deep(const FlatView *view, const TreeView *tree_view, TreeDeep *deep,
                             TreeChange c)
{
  const TreeDeepNode *node = tree_view->f.deep_nodes + deep->first_node;
  TreePin *pin = (TreePin *)tree_view->f.deep_pins;
  (void)view;
  if (c.load == FLAT_NONE) {
    if (SL_FIRST_LANE && deep->own != FLAT_NONE) deep->own = c.cap;
    return;
  }
  SL_LANES(i, node[deep->node_count].first_pin - node[0].first_pin)
  {
    TreePin *tree_pin = &pin[node[0].first_pin + i];
    if (tree_pin->load == c.load && tree_pin->pin != FLAT_NONE) tree_pin->pin = c.cap;
  }
}

/* Finds a pin in the trees of its net, which is less work than to keep its place there. A pin that
   adds nothing, because the file includes it, stays so. */
SL_KERNEL put_changes(SL_VIEW(v), const TreeView w, const TreeChange *changes, uint32_t count)
{
  SL_BLOCKS(i, count)
  {
    TreeChange c = changes[i];
    for (int side = EARLY; side <= LATE; side++) {
      uint32_t tree = w.f.tree_of[2 * c.driver + side];
      if (tree == FLAT_NONE) continue;
      if (tree < first_deep(&w)) change_head(&v, &w, (TreeHead *)&w.f.heads[tree], c);
      else change_deep(&v, &w, (TreeDeep *)&w.f.deeps[tree - first_deep(&w)], c);
    }
  }
}

/* The lanes of a driver: a tree for early and one for late, for each condition. */
enum { LANES_OF_ONE = 2 * CONDITION_COUNT };

SL_KERNEL reduce_some_lanes(SL_VIEW(v), const TreeView w, const uint32_t *drivers, uint32_t lanes)
{
  SL_PRIVATE(work, 2 * TREE_LANE_MOST);
  SL_EACH(i, lanes)
  {
    uint32_t tree = w.f.tree_of[2 * drivers[i / LANES_OF_ONE] + i / CONDITION_COUNT % 2];
    int k = (int)(i % CONDITION_COUNT);
    if (tree < w.f.class_first[TREES_8]) star_sums(&v, &w, tree, k, 1);
    else if (tree < w.f.class_first[TREES_LARGE_STARS]) tree_lane(&v, &w, tree, k, &work);
  }
}

/* The largest trees take longest, and their conditions are independent. So each condition has a
   block of its own; other trees are reduced by the first of these blocks. */
enum { BLOCKS_OF_TREE = CONDITION_COUNT, BLOCKS_OF_ONE = 2 * BLOCKS_OF_TREE };

SL_WIDE_KERNEL(LARGE_BLOCK)
reduce_some_blocks(SL_VIEW(v), const TreeView w, const uint32_t *drivers, uint32_t blocks)
{
  SL_BLOCKS(i, blocks)
  {
    uint32_t tree = w.f.tree_of[2 * drivers[i / BLOCKS_OF_ONE] + i / BLOCKS_OF_TREE % 2],
             part = i % BLOCKS_OF_TREE;
    if (tree == FLAT_NONE || tree < w.f.class_first[TREES_LARGE_STARS]) continue;
    bool large = tree >= w.f.class_first[TREES_LARGE_DEEP];
    if (part && !large) continue;
    if (tree < first_deep(&w)) star_block(&v, &w, tree);
    else if (!large || w.f.deeps[tree - first_deep(&w)].conditions >> part & 1)
      deep_block(&v, &w, tree - first_deep(&w),
                 large ? deep_part(part, 0) : deep_part(0, ALL_CONDITIONS));
  }
}

/* Copies an edit to the device: changes, then drivers for lanes, then those for blocks. */
static const TreeChange *put_edit(Device *d, const TreeEdit *edit)
{
  size_t changes = edit->change_count * sizeof *edit->changes,
         lanes = edit->lane_count * sizeof *edit->lanes,
         blocks = edit->block_count * sizeof *edit->blocks, bytes = changes + lanes + blocks;
  GrowingBlock *there = &d->design->tree_edit;
  char *packed = shared_room(d, &d->design->tree_room, bytes);
  if (packed == NULL || (bytes > there->room && !edit_room(d, 2 * bytes)))
    return NULL;
  if (changes) memcpy(packed, edit->changes, changes);
  if (lanes) memcpy(packed + changes, edit->lanes, lanes);
  if (blocks) memcpy(packed + changes + lanes, edit->blocks, blocks);
  shared_put(d, &d->design->tree_room, there->at, bytes);
  return (const TreeChange *)there->at;
}

void start_edited_trees(Device *d, const TreeEdit *edit)
{
  if (edit->change_count + edit->lane_count + edit->block_count == 0) return;
  const TreeChange *changes = put_edit(d, edit);
  if (changes == NULL) return;
  const uint32_t *lanes = (const uint32_t *)(changes + edit->change_count),
                 *blocks = lanes + edit->lane_count;
  SL_START_BLOCKS(d, d->stream, edit->change_count, WARP, put_changes, d->design->view,
                  d->design->trees, changes, edit->change_count);
  SL_START_PRIVATE(d, d->stream, LANES_OF_ONE * edit->lane_count, WARP, 2 * TREE_LANE_MOST,
                   reduce_some_lanes, d->design->view, d->design->trees, lanes,
                   LANES_OF_ONE * edit->lane_count);
  SL_START_BLOCKS(d, d->stream, BLOCKS_OF_ONE * edit->block_count, LARGE_BLOCK, reduce_some_blocks,
                  d->design->view, d->design->trees, blocks, BLOCKS_OF_ONE * edit->block_count);
}

bool device_edit_trees(Device *d, const TreeEdit *edit)
{
  if (!device_enter(d, "trees")) return false;
  start_edited_trees(d, edit);
  return d->error.file == NULL;
}
