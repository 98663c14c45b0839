/* Sorts the RC trees of a reduction into classes by shape and size (see trees.h) and writes the
   records that the kernels of each class read. */
#include "base/memory.h"
#include "base/pool.h"
#include "timing/derived.h"
#include "device/trees.h"

/* The lanes of a warp work on neighbouring trees.  Within a window of this many trees, those of one
   size are placed side by side; the window keeps them near each other in the design, and so near
   each other in the arrays that they write. */
enum { WINDOW = 1024 };

typedef struct {
  uint8_t   class;
  uint8_t   unused[3];
  uint32_t  size;                  /* number of lane nodes; for deep trees, number of nodes, and one
                                      more for the end */
  uint32_t  depths;                /* depth of deep trees */
} Shape;

/* Memory of a thread. */
typedef struct {
  uint8_t  *pins;                  /* by node: number of pins, at most 2; all 0 between trees */
  uint32_t *depth, *first, *place; /* by node; place: in order of depth */
  uint32_t *order;                 /* nodes by depth */
} Scratch;

typedef struct {
  Trees    *trees;
  int       threads;
  Shape    *shapes;                /* by tree */
  uint32_t *order;                 /* the trees in the order of classes */
  uint32_t  most_nodes;
  TreeHead *heads;
  TreeLaneNode *lane_nodes;
  uint8_t  *parents;
  TreeDeep *deeps;
  TreeDeepNode *deep_nodes;
  TreePin  *deep_pins;
  uint32_t *depth_first;
  uint32_t *tree_of;
} Bins;

static Scratch scratch_new(uint32_t most)
{
  size_t n = (size_t)most + 2;
  return (Scratch){ mem_alloc_zero(n, 1), mem_alloc(n * 4), mem_alloc(n * 4), mem_alloc(n * 4),
                    mem_alloc(n * 4) };
}

static void scratch_free(Scratch *scratch)
{
  mem_free(scratch->pins);
  mem_free(scratch->depth);
  mem_free(scratch->first);
  mem_free(scratch->place);
  mem_free(scratch->order);
}

static const TreeNode *nodes_of(const Trees *trees, const Tree *tree)
{
  return (tree->side == EARLY ? trees->early_nodes : trees->late_nodes) + tree->first_node;
}

/* --- classes ---------------------------------------------------------------------------------- */
static uint32_t root_pins(const Trees *trees, const Tree *tree)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < tree->tap_count; i++)
    count += trees->taps[tree->first_tap + i].node == 0;
  return count;
}

static bool shares_a_node(const Trees *trees, const Tree *tree, Scratch *scratch)
{
  const TreeTap *tap = trees->taps + tree->first_tap;
  bool shares = false;
  for (uint32_t i = 0; i < tree->tap_count; i++) {
    shares |= tap[i].node && scratch->pins[tap[i].node];
    scratch->pins[tap[i].node] = 1;
  }
  for (uint32_t i = 0; i < tree->tap_count; i++) scratch->pins[tap[i].node] = 0;
  return shares;
}

static bool is_star(const TreeNode *node, uint32_t count)
{
  for (uint32_t i = 1; i < count; i++)
    if (node[i].parent) return false;
  return true;
}

static uint32_t depths_of(const TreeNode *node, uint32_t count, Scratch *scratch)
{
  uint32_t most = 0;
  scratch->depth[0] = 0;
  for (uint32_t i = 1; i < count; i++) {
    scratch->depth[i] = scratch->depth[node[i].parent] + 1;
    if (scratch->depth[i] > most) most = scratch->depth[i];
  }
  return most + 1;
}

static Shape shape_of(const Trees *trees, const Tree *tree, Scratch *scratch)
{
  const TreeNode *node = nodes_of(trees, tree);
  uint32_t n = tree->node_count, roots = root_pins(trees, tree);
  Shape x = { .size = n };
  bool shares = shares_a_node(trees, tree, scratch);
  if (!shares && is_star(node, n)) {
    x.size = n - 1 + roots;
    x.class = x.size <= TREE_STAR_MOST ? TREES_STARS : TREES_LARGE_STARS;
  } else if (!shares && roots < 2 && n <= TREE_LANE_MOST) {
    x.class = n <= 8 ? TREES_8 : n <= 16 ? TREES_16 : n <= 32 ? TREES_32 : TREES_64;
  } else {
    x.class = n <= TREE_DEEP_MOST ? TREES_DEEP : TREES_LARGE_DEEP;
    x.size = n + 1;
    x.depths = depths_of(node, n, scratch);
  }
  return x;
}

static void shapes_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Bins *bins = context;
  Scratch s = scratch_new(bins->most_nodes);
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++)
    bins->shapes[i] = shape_of(bins->trees, &bins->trees->trees[i], &s);
  scratch_free(&s);
}

static void find_shapes(Bins *bins)
{
  pool_items(bins->trees->tree_count, 50, bins->threads, shapes_share, bins);
}

/* --- order ------------------------------------------------------------------------------------ */
static void put_classes(Bins *bins)
{
  Trees *trees = bins->trees;
  uint32_t at[TREE_CLASSES];
  for (uint32_t i = 0; i < trees->tree_count; i++) trees->class_first[bins->shapes[i].class + 1]++;
  for (int c = 0; c < TREE_CLASSES; c++) {
    trees->class_first[c + 1] += trees->class_first[c];
    at[c] = trees->class_first[c];
  }
  for (uint32_t i = 0; i < trees->tree_count; i++) bins->order[at[bins->shapes[i].class]++] = i;
}

static void sort_window(const Bins *bins, uint32_t *order, uint32_t count)
{
  uint32_t at[TREE_LANE_MOST + 2] = { 0 }, copy[WINDOW];
  memcpy(copy, order, count * sizeof *order);
  for (uint32_t i = 0; i < count; i++) at[bins->shapes[copy[i]].size + 1]++;
  for (int i = 0; i <= TREE_LANE_MOST; i++) at[i + 1] += at[i];
  for (uint32_t i = 0; i < count; i++) order[at[bins->shapes[copy[i]].size]++] = copy[i];
}

/* Returns the number of windows in a class. Each class is a step, and each window an item. */
static uint32_t windows(void *context, uint32_t step)
{
  const Bins *bins = context;
  return (bins->trees->class_first[TREES_STARS + step + 1]
          - bins->trees->class_first[TREES_STARS + step] + WINDOW - 1)
         / WINDOW;
}

static void sort_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Bins *bins = context;
  uint32_t first = bins->trees->class_first[TREES_STARS + step],
           end = bins->trees->class_first[TREES_STARS + step + 1];
  (void)thread;
  for (uint32_t w = from; w < to; w++) {
    uint32_t i = first + w * WINDOW;
    sort_window(bins, bins->order + i, end - i < WINDOW ? end - i : WINDOW);
  }
}

static void sort_lanes(Bins *bins)
{
  pool_run(&(PoolRun){ .work = sort_share,
                       .count = windows,
                       .context = bins,
                       .steps = TREES_64 - TREES_STARS + 1,
                       .cost = 5000 },
           bins->threads);
}

static int larger_first(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x < y) - (x > y);
}

/* Sorts the trees that take a block, so that the largest ones begin first. */
static void sort_blocks(Bins *bins, TreeClass class)
{
  uint32_t *order = bins->order + bins->trees->class_first[class],
           count = bins->trees->class_first[class + 1] - bins->trees->class_first[class];
  uint64_t *key = mem_alloc(((size_t)count + 1) * sizeof *key);
  for (uint32_t i = 0; i < count; i++)
    key[i] = (uint64_t)bins->shapes[order[i]].size << 32 | order[i];
  qsort(key, count, sizeof *key, larger_first);
  for (uint32_t i = 0; i < count; i++) order[i] = (uint32_t)key[i];
  mem_free(key);
}

/* --- room ------------------------------------------------------------------------------------- */
static void place_heads(Bins *bins)
{
  Trees *trees = bins->trees;
  trees->head_count = trees->class_first[TREES_DEEP];
  bins->heads = mem_alloc_zero((size_t)trees->head_count + 1, sizeof *bins->heads);
  uint32_t parents_end = 0;
  for (uint32_t i = 0; i < trees->head_count; i++) {
    if (i == trees->class_first[TREES_8]) trees->first_parent = trees->lane_node_count;
    if (i == trees->class_first[TREES_LARGE_STARS]) parents_end = trees->lane_node_count;
    bins->heads[i].first = trees->lane_node_count;
    trees->lane_node_count += bins->shapes[bins->order[i]].size;
  }
  if (trees->class_first[TREES_LARGE_STARS] == trees->head_count)
    parents_end = trees->lane_node_count;
  bins->heads[trees->head_count].first = trees->lane_node_count;
  trees->parent_count = trees->class_first[TREES_8] < trees->class_first[TREES_LARGE_STARS]
                            ? parents_end - trees->first_parent
                            : 0;
  bins->lane_nodes = mem_alloc(((size_t)trees->lane_node_count + 1) * sizeof *bins->lane_nodes);
  bins->parents = mem_alloc((size_t)trees->parent_count + 1);
  trees->head_count += trees->head_count != 0;      /* one more, which marks the end */
}

static void place_deeps(Bins *bins)
{
  Trees *trees = bins->trees;
  uint32_t first = trees->class_first[TREES_DEEP];
  trees->deep_count = trees->tree_count - first;
  trees->work_count = 0;
  bins->deeps = mem_alloc_zero((size_t)trees->deep_count + 1, sizeof *bins->deeps);
  for (uint32_t i = 0; i < trees->deep_count; i++) {
    const Shape *shape = &bins->shapes[bins->order[first + i]];
    const Tree *tree = &trees->trees[bins->order[first + i]];
    bins->deeps[i] =
        (TreeDeep){ tree->driver,     tree->own,          tree->conditions, trees->deep_node_count,
                    tree->node_count, trees->depth_count, shape->depths,    trees->work_count };
    trees->deep_node_count += shape->size;
    trees->depth_count += shape->depths + 1;
    trees->work_count += CONDITION_COUNT * tree->node_count;
  }
  bins->deep_nodes = mem_alloc_zero((size_t)trees->deep_node_count + 1, sizeof *bins->deep_nodes);
  bins->depth_first = mem_alloc_zero((size_t)trees->depth_count + 1, sizeof *bins->depth_first);
  for (uint32_t i = 0; i < trees->deep_count; i++) {      /* temporarily: where the pins of the tree
                                                         begin */
    bins->deep_nodes[bins->deeps[i].first_node].first_pin = trees->deep_pin_count;
    trees->deep_pin_count += trees->trees[bins->order[first + i]].tap_count;
  }
  bins->deep_pins = mem_alloc(((size_t)trees->deep_pin_count + 1) * sizeof *bins->deep_pins);
}

/* --- what lanes read -------------------------------------------------------------------------- */
static void fill_star(Bins *bins, const Tree *tree, TreeHead *head)
{
  const TreeNode *node = nodes_of(bins->trees, tree);
  const TreeTap *tap = bins->trees->taps + tree->first_tap;
  uint32_t roots = root_pins(bins->trees, tree);
  /* node 0 is not a lane node */
  TreeLaneNode *root = bins->lane_nodes + head->first, *to = root + roots - 1;
  for (uint32_t i = 1; i < tree->node_count; i++)
    to[i] = (TreeLaneNode){ node[i].resistance, node[i].cap, FLAT_NONE, FLAT_NONE };
  for (uint32_t i = 0; i < tree->tap_count; i++) {
    if (tap[i].node == 0) {
      *root++ = (TreeLaneNode){ 0, 0, tap[i].cap, tap[i].load };
      continue;
    }
    to[tap[i].node].pin = tap[i].cap;
    to[tap[i].node].load = tap[i].load;
  }
  head->cap = node[0].cap;
  head->use |= 16 * roots;
}

static void fill_lane_tree(Bins *bins, const Tree *tree, TreeHead *head)
{
  const TreeNode *node = nodes_of(bins->trees, tree);
  const TreeTap *tap = bins->trees->taps + tree->first_tap;
  TreeLaneNode *to = bins->lane_nodes + head->first;
  uint8_t *parent = bins->parents + (head->first - bins->trees->first_parent);
  for (uint32_t i = 0; i < tree->node_count; i++) {
    to[i] = (TreeLaneNode){ node[i].resistance, node[i].cap, FLAT_NONE, FLAT_NONE };
    parent[i] = i ? (uint8_t)node[i].parent : 0;
  }
  for (uint32_t i = 0; i < tree->tap_count; i++) {
    to[tap[i].node].pin = tap[i].cap;
    to[tap[i].node].load = tap[i].load;
  }
}

static void fill_head(Bins *bins, uint32_t i)
{
  const Tree *tree = &bins->trees->trees[bins->order[i]];
  TreeHead *head = &bins->heads[i];
  uint8_t class = bins->shapes[bins->order[i]].class;
  head->driver = tree->driver;
  head->own = tree->own;
  head->use = tree->conditions;
  bins->tree_of[2 * tree->driver + tree->side] = i;
  if (class == TREES_STARS || class == TREES_LARGE_STARS) fill_star(bins, tree, head);
  else fill_lane_tree(bins, tree, head);
}

/* --- by depth --------------------------------------------------------------------------------- */
/* Orders nodes by depth. The children of a node are neighbours, the last one first. This is a queue
   over lists of children. */
static void order_nodes(const TreeNode *node, uint32_t count, Scratch *scratch)
{
  uint32_t *list = scratch->depth, *end = scratch->place,
           tail = 1; /* children of node p: list[first[p]]
                                                                ... list[end[p] - 1] */
  memset(scratch->first, 0, ((size_t)count + 1) * sizeof *scratch->first);
  for (uint32_t i = 1; i < count; i++) scratch->first[node[i].parent + 1]++;
  for (uint32_t i = 0; i < count; i++) scratch->first[i + 1] += scratch->first[i];
  memcpy(end, scratch->first, count * sizeof *end);
  for (uint32_t i = count; i-- > 1;) list[end[node[i].parent]++] = i;
  scratch->order[0] = 0;
  for (uint32_t q = 0; q < count; q++)
    for (uint32_t i = scratch->first[scratch->order[q]]; i < scratch->first[scratch->order[q] + 1];
         i++)
      scratch->order[tail++] = list[i];
  for (uint32_t q = 0; q < count; q++) scratch->place[scratch->order[q]] = q;
}

/* Fills the nodes of a deep tree. The children of the place q begin where those of the places
   before q end. */
static void fill_deep_nodes(const TreeNode *node, uint32_t count, const Scratch *scratch,
                            TreeDeepNode *to)
{
  uint32_t child = 1;
  for (uint32_t q = 0; q < count; q++) {
    uint32_t i = scratch->order[q], parent = i ? scratch->place[node[i].parent] : 0;
    to[q].resistance = node[i].resistance;
    to[q].cap = node[i].cap;
    to[q].parent = parent;
    to[q].first_child = child;
    to[q].node = i;
    child += scratch->first[i + 1] - scratch->first[i];
  }
  to[count].first_child = child;
}

static void fill_deep_pins(Bins *bins, const Tree *tree, const Scratch *scratch, TreeDeepNode *to)
{
  const TreeTap *tap = bins->trees->taps + tree->first_tap;
  uint32_t n = tree->node_count, at = to[0].first_pin;
  for (uint32_t q = 1; q <= n; q++) to[q].first_pin = 0;
  to[0].first_pin = 0;
  for (uint32_t i = 0; i < tree->tap_count; i++) to[scratch->place[tap[i].node]].first_pin++;
  for (uint32_t q = 0; q <= n; q++) {
    uint32_t count = to[q].first_pin;
    to[q].first_pin = at;
    at += count;
  }
  for (uint32_t i = 0; i < tree->tap_count; i++)
    bins->deep_pins[to[scratch->place[tap[i].node]].first_pin++] =
        (TreePin){ tap[i].cap, tap[i].load };
  for (uint32_t q = n; q > 0; q--) to[q].first_pin = to[q - 1].first_pin;
  to[0].first_pin = at - tree->tap_count;
}

/* Fills the depths of a deep tree. The first child of a depth's first node begins the next
   depth. */
static void fill_depths(const TreeDeep *deep, const TreeDeepNode *node, uint32_t *first)
{
  uint32_t at = 0;
  for (uint32_t d = 0; d < deep->depths; d++) {
    first[d] = at;
    at = node[at].first_child;
  }
  first[deep->depths] = deep->node_count;
}

static void fill_deep(Bins *bins, uint32_t i, Scratch *scratch)
{
  const TreeDeep *deep = &bins->deeps[i];
  uint32_t at = bins->trees->class_first[TREES_DEEP] + i;
  const Tree *tree = &bins->trees->trees[bins->order[at]];
  const TreeNode *node = nodes_of(bins->trees, tree);
  TreeDeepNode *to = bins->deep_nodes + deep->first_node;
  bins->tree_of[2 * tree->driver + tree->side] = at;
  order_nodes(node, tree->node_count, scratch);
  fill_deep_nodes(node, tree->node_count, scratch, to);
  fill_deep_pins(bins, tree, scratch, to);
  fill_depths(deep, to, bins->depth_first + deep->first_depth);
}

static void heads_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) fill_head(context, i);
}

static void deep_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Bins *bins = context;
  Scratch s = scratch_new(bins->most_nodes);
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) fill_deep(bins, i, &s);
  scratch_free(&s);
}

static void fill(Bins *bins)
{
  size_t bytes = 2 * (size_t)bins->trees->driver_count * sizeof *bins->tree_of;
  bins->tree_of = mem_alloc(bytes + 1);
  memset(bins->tree_of, 0xff, bytes);      /* FLAT_NONE */
  pool_items(bins->trees->class_first[TREES_DEEP], 100, bins->threads, heads_share, bins);
  pool_items(bins->trees->deep_count, 2000, bins->threads, deep_share, bins);
}

void trees_bin(Trees *trees, int threads)
{
  Bins b = { .trees = trees, .threads = threads };
  b.shapes = mem_alloc(((size_t)trees->tree_count + 1) * sizeof *b.shapes);
  b.order = mem_alloc(((size_t)trees->tree_count + 1) * sizeof *b.order);
  for (uint32_t i = 0; i < trees->tree_count; i++)
    if (trees->trees[i].node_count > b.most_nodes) b.most_nodes = trees->trees[i].node_count;
  find_shapes(&b);
  put_classes(&b);
  sort_lanes(&b);
  sort_blocks(&b, TREES_LARGE_STARS);
  sort_blocks(&b, TREES_LARGE_DEEP);
  place_heads(&b);
  place_deeps(&b);
  fill(&b);
  trees->heads = b.heads;
  trees->lane_nodes = b.lane_nodes;
  trees->parents = b.parents;
  trees->deeps = b.deeps;
  trees->deep_nodes = b.deep_nodes;
  trees->deep_pins = b.deep_pins;
  trees->depth_first = b.depth_first;
  trees->tree_of = b.tree_of;
  mem_free(b.shapes);
  mem_free(b.order);
}

void trees_bin_free(Trees *trees)
{
  const void *own[] = { trees->heads,      trees->lane_nodes, trees->parents,     trees->deeps,
                        trees->deep_nodes, trees->deep_pins,  trees->depth_first, trees->tree_of };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
}
