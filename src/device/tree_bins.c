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
  Trees    *f;
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

static void scratch_free(Scratch *s)
{
  mem_free(s->pins);
  mem_free(s->depth);
  mem_free(s->first);
  mem_free(s->place);
  mem_free(s->order);
}

static const TreeNode *nodes_of(const Trees *f, const Tree *r)
{
  return (r->side == EARLY ? f->early_nodes : f->late_nodes) + r->first_node;
}

/* --- classes ---------------------------------------------------------------------------------- */
static uint32_t root_pins(const Trees *f, const Tree *r)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->tap_count; i++) count += f->taps[r->first_tap + i].node == 0;
  return count;
}

static bool shares_a_node(const Trees *f, const Tree *r, Scratch *s)
{
  const TreeTap *tap = f->taps + r->first_tap;
  bool shares = false;
  for (uint32_t i = 0; i < r->tap_count; i++) {
    shares |= tap[i].node && s->pins[tap[i].node];
    s->pins[tap[i].node] = 1;
  }
  for (uint32_t i = 0; i < r->tap_count; i++) s->pins[tap[i].node] = 0;
  return shares;
}

static bool is_star(const TreeNode *node, uint32_t count)
{
  for (uint32_t i = 1; i < count; i++)
    if (node[i].parent) return false;
  return true;
}

static uint32_t depths_of(const TreeNode *node, uint32_t count, Scratch *s)
{
  uint32_t most = 0;
  s->depth[0] = 0;
  for (uint32_t i = 1; i < count; i++) {
    s->depth[i] = s->depth[node[i].parent] + 1;
    if (s->depth[i] > most) most = s->depth[i];
  }
  return most + 1;
}

static Shape shape_of(const Trees *f, const Tree *r, Scratch *s)
{
  const TreeNode *node = nodes_of(f, r);
  uint32_t n = r->node_count, roots = root_pins(f, r);
  Shape x = { .size = n };
  bool shares = shares_a_node(f, r, s);
  if (!shares && is_star(node, n)) {
    x.size = n - 1 + roots;
    x.class = x.size <= TREE_STAR_MOST ? TREES_STARS : TREES_LARGE_STARS;
  } else if (!shares && roots < 2 && n <= TREE_LANE_MOST) {
    x.class = n <= 8 ? TREES_8 : n <= 16 ? TREES_16 : n <= 32 ? TREES_32 : TREES_64;
  } else {
    x.class = n <= TREE_DEEP_MOST ? TREES_DEEP : TREES_LARGE_DEEP;
    x.size = n + 1;
    x.depths = depths_of(node, n, s);
  }
  return x;
}

static void shapes_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Bins *b = context;
  Scratch s = scratch_new(b->most_nodes);
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) b->shapes[i] = shape_of(b->f, &b->f->trees[i], &s);
  scratch_free(&s);
}

static void find_shapes(Bins *b) { pool_items(b->f->tree_count, 50, b->threads, shapes_share, b); }

/* --- order ------------------------------------------------------------------------------------ */
static void put_classes(Bins *b)
{
  Trees *f = b->f;
  uint32_t at[TREE_CLASSES];
  for (uint32_t i = 0; i < f->tree_count; i++) f->class_first[b->shapes[i].class + 1]++;
  for (int c = 0; c < TREE_CLASSES; c++) {
    f->class_first[c + 1] += f->class_first[c];
    at[c] = f->class_first[c];
  }
  for (uint32_t i = 0; i < f->tree_count; i++) b->order[at[b->shapes[i].class]++] = i;
}

static void sort_window(const Bins *b, uint32_t *order, uint32_t count)
{
  uint32_t at[TREE_LANE_MOST + 2] = { 0 }, copy[WINDOW];
  memcpy(copy, order, count * sizeof *order);
  for (uint32_t i = 0; i < count; i++) at[b->shapes[copy[i]].size + 1]++;
  for (int i = 0; i <= TREE_LANE_MOST; i++) at[i + 1] += at[i];
  for (uint32_t i = 0; i < count; i++) order[at[b->shapes[copy[i]].size]++] = copy[i];
}

/* Returns the number of windows in a class. Each class is a step, and each window an item. */
static uint32_t windows(void *context, uint32_t step)
{
  const Bins *b = context;
  return (b->f->class_first[TREES_STARS + step + 1] - b->f->class_first[TREES_STARS + step] + WINDOW
          - 1)
         / WINDOW;
}

static void sort_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Bins *b = context;
  uint32_t first = b->f->class_first[TREES_STARS + step],
           end = b->f->class_first[TREES_STARS + step + 1];
  (void)thread;
  for (uint32_t w = from; w < to; w++) {
    uint32_t i = first + w * WINDOW;
    sort_window(b, b->order + i, end - i < WINDOW ? end - i : WINDOW);
  }
}

static void sort_lanes(Bins *b)
{
  pool_run(&(PoolRun){ .work = sort_share,
                       .count = windows,
                       .context = b,
                       .steps = TREES_64 - TREES_STARS + 1,
                       .cost = 5000 },
           b->threads);
}

static int larger_first(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x < y) - (x > y);
}

/* Sorts the trees that take a block, so that the largest ones begin first. */
static void sort_blocks(Bins *b, TreeClass class)
{
  uint32_t *order = b->order + b->f->class_first[class],
           count = b->f->class_first[class + 1] - b->f->class_first[class];
  uint64_t *key = mem_alloc(((size_t)count + 1) * sizeof *key);
  for (uint32_t i = 0; i < count; i++) key[i] = (uint64_t)b->shapes[order[i]].size << 32 | order[i];
  qsort(key, count, sizeof *key, larger_first);
  for (uint32_t i = 0; i < count; i++) order[i] = (uint32_t)key[i];
  mem_free(key);
}

/* --- room ------------------------------------------------------------------------------------- */
static void place_heads(Bins *b)
{
  Trees *f = b->f;
  f->head_count = f->class_first[TREES_DEEP];
  b->heads = mem_alloc_zero((size_t)f->head_count + 1, sizeof *b->heads);
  uint32_t parents_end = 0;
  for (uint32_t i = 0; i < f->head_count; i++) {
    if (i == f->class_first[TREES_8]) f->first_parent = f->lane_node_count;
    if (i == f->class_first[TREES_LARGE_STARS]) parents_end = f->lane_node_count;
    b->heads[i].first = f->lane_node_count;
    f->lane_node_count += b->shapes[b->order[i]].size;
  }
  if (f->class_first[TREES_LARGE_STARS] == f->head_count) parents_end = f->lane_node_count;
  b->heads[f->head_count].first = f->lane_node_count;
  f->parent_count = f->class_first[TREES_8] < f->class_first[TREES_LARGE_STARS]
                        ? parents_end - f->first_parent
                        : 0;
  b->lane_nodes = mem_alloc(((size_t)f->lane_node_count + 1) * sizeof *b->lane_nodes);
  b->parents = mem_alloc((size_t)f->parent_count + 1);
  f->head_count += f->head_count != 0;      /* one more, which marks the end */
}

static void place_deeps(Bins *b)
{
  Trees *f = b->f;
  uint32_t first = f->class_first[TREES_DEEP];
  f->deep_count = f->tree_count - first;
  f->work_count = 0;
  b->deeps = mem_alloc_zero((size_t)f->deep_count + 1, sizeof *b->deeps);
  for (uint32_t i = 0; i < f->deep_count; i++) {
    const Shape *x = &b->shapes[b->order[first + i]];
    const Tree *r = &f->trees[b->order[first + i]];
    b->deeps[i] = (TreeDeep){ r->driver,     r->own,         r->conditions, f->deep_node_count,
                              r->node_count, f->depth_count, x->depths,     f->work_count };
    f->deep_node_count += x->size;
    f->depth_count += x->depths + 1;
    f->work_count += CONDITION_COUNT * r->node_count;
  }
  b->deep_nodes = mem_alloc_zero((size_t)f->deep_node_count + 1, sizeof *b->deep_nodes);
  b->depth_first = mem_alloc_zero((size_t)f->depth_count + 1, sizeof *b->depth_first);
  for (uint32_t i = 0; i < f->deep_count; i++) {      /* temporarily: where the pins of the tree
                                                         begin */
    b->deep_nodes[b->deeps[i].first_node].first_pin = f->deep_pin_count;
    f->deep_pin_count += f->trees[b->order[first + i]].tap_count;
  }
  b->deep_pins = mem_alloc(((size_t)f->deep_pin_count + 1) * sizeof *b->deep_pins);
}

/* --- what lanes read -------------------------------------------------------------------------- */
static void fill_star(Bins *b, const Tree *r, TreeHead *h)
{
  const TreeNode *node = nodes_of(b->f, r);
  const TreeTap *tap = b->f->taps + r->first_tap;
  uint32_t roots = root_pins(b->f, r);
  /* node 0 is not a lane node */
  TreeLaneNode *root = b->lane_nodes + h->first, *to = root + roots - 1;
  for (uint32_t i = 1; i < r->node_count; i++)
    to[i] = (TreeLaneNode){ node[i].resistance, node[i].cap, FLAT_NONE, FLAT_NONE };
  for (uint32_t i = 0; i < r->tap_count; i++) {
    if (tap[i].node == 0) {
      *root++ = (TreeLaneNode){ 0, 0, tap[i].cap, tap[i].load };
      continue;
    }
    to[tap[i].node].pin = tap[i].cap;
    to[tap[i].node].load = tap[i].load;
  }
  h->cap = node[0].cap;
  h->use |= 16 * roots;
}

static void fill_lane_tree(Bins *b, const Tree *r, TreeHead *h)
{
  const TreeNode *node = nodes_of(b->f, r);
  const TreeTap *tap = b->f->taps + r->first_tap;
  TreeLaneNode *to = b->lane_nodes + h->first;
  uint8_t *parent = b->parents + (h->first - b->f->first_parent);
  for (uint32_t i = 0; i < r->node_count; i++) {
    to[i] = (TreeLaneNode){ node[i].resistance, node[i].cap, FLAT_NONE, FLAT_NONE };
    parent[i] = i ? (uint8_t)node[i].parent : 0;
  }
  for (uint32_t i = 0; i < r->tap_count; i++) {
    to[tap[i].node].pin = tap[i].cap;
    to[tap[i].node].load = tap[i].load;
  }
}

static void fill_head(Bins *b, uint32_t i)
{
  const Tree *r = &b->f->trees[b->order[i]];
  TreeHead *h = &b->heads[i];
  uint8_t class = b->shapes[b->order[i]].class;
  h->driver = r->driver;
  h->own = r->own;
  h->use = r->conditions;
  b->tree_of[2 * r->driver + r->side] = i;
  if (class == TREES_STARS || class == TREES_LARGE_STARS) fill_star(b, r, h);
  else fill_lane_tree(b, r, h);
}

/* --- by depth --------------------------------------------------------------------------------- */
/* Orders nodes by depth. The children of a node are neighbours, the last one first. This is a queue
   over lists of children. */
static void order_nodes(const TreeNode *node, uint32_t count, Scratch *s)
{
  uint32_t *list = s->depth, *end = s->place, tail = 1;      /* children of node p: list[first[p]]
                                                                ... list[end[p] - 1] */
  memset(s->first, 0, ((size_t)count + 1) * sizeof *s->first);
  for (uint32_t i = 1; i < count; i++) s->first[node[i].parent + 1]++;
  for (uint32_t i = 0; i < count; i++) s->first[i + 1] += s->first[i];
  memcpy(end, s->first, count * sizeof *end);
  for (uint32_t i = count; i-- > 1;) list[end[node[i].parent]++] = i;
  s->order[0] = 0;
  for (uint32_t q = 0; q < count; q++)
    for (uint32_t i = s->first[s->order[q]]; i < s->first[s->order[q] + 1]; i++)
      s->order[tail++] = list[i];
  for (uint32_t q = 0; q < count; q++) s->place[s->order[q]] = q;
}

/* Fills the nodes of a deep tree. The children of the place q begin where those of the places
   before q end. */
static void fill_deep_nodes(const TreeNode *node, uint32_t count, const Scratch *s,
                            TreeDeepNode *to)
{
  uint32_t child = 1;
  for (uint32_t q = 0; q < count; q++) {
    uint32_t i = s->order[q], parent = i ? s->place[node[i].parent] : 0;
    to[q].resistance = node[i].resistance;
    to[q].cap = node[i].cap;
    to[q].parent = parent;
    to[q].first_child = child;
    to[q].node = i;
    child += s->first[i + 1] - s->first[i];
  }
  to[count].first_child = child;
}

static void fill_deep_pins(Bins *b, const Tree *r, const Scratch *s, TreeDeepNode *to)
{
  const TreeTap *tap = b->f->taps + r->first_tap;
  uint32_t n = r->node_count, at = to[0].first_pin;
  for (uint32_t q = 1; q <= n; q++) to[q].first_pin = 0;
  to[0].first_pin = 0;
  for (uint32_t i = 0; i < r->tap_count; i++) to[s->place[tap[i].node]].first_pin++;
  for (uint32_t q = 0; q <= n; q++) {
    uint32_t count = to[q].first_pin;
    to[q].first_pin = at;
    at += count;
  }
  for (uint32_t i = 0; i < r->tap_count; i++)
    b->deep_pins[to[s->place[tap[i].node]].first_pin++] = (TreePin){ tap[i].cap, tap[i].load };
  for (uint32_t q = n; q > 0; q--) to[q].first_pin = to[q - 1].first_pin;
  to[0].first_pin = at - r->tap_count;
}

/* Fills the depths of a deep tree. The first child of a depth's first node begins the next
   depth. */
static void fill_depths(const TreeDeep *x, const TreeDeepNode *node, uint32_t *first)
{
  uint32_t at = 0;
  for (uint32_t d = 0; d < x->depths; d++) {
    first[d] = at;
    at = node[at].first_child;
  }
  first[x->depths] = x->node_count;
}

static void fill_deep(Bins *b, uint32_t i, Scratch *s)
{
  const TreeDeep *x = &b->deeps[i];
  uint32_t at = b->f->class_first[TREES_DEEP] + i;
  const Tree *r = &b->f->trees[b->order[at]];
  const TreeNode *node = nodes_of(b->f, r);
  TreeDeepNode *to = b->deep_nodes + x->first_node;
  b->tree_of[2 * r->driver + r->side] = at;
  order_nodes(node, r->node_count, s);
  fill_deep_nodes(node, r->node_count, s, to);
  fill_deep_pins(b, r, s, to);
  fill_depths(x, to, b->depth_first + x->first_depth);
}

static void heads_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) fill_head(context, i);
}

static void deep_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  Bins *b = context;
  Scratch s = scratch_new(b->most_nodes);
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) fill_deep(b, i, &s);
  scratch_free(&s);
}

static void fill(Bins *b)
{
  size_t bytes = 2 * (size_t)b->f->driver_count * sizeof *b->tree_of;
  b->tree_of = mem_alloc(bytes + 1);
  memset(b->tree_of, 0xff, bytes);      /* FLAT_NONE */
  pool_items(b->f->class_first[TREES_DEEP], 100, b->threads, heads_share, b);
  pool_items(b->f->deep_count, 2000, b->threads, deep_share, b);
}

void trees_bin(Trees *f, int threads)
{
  Bins b = { .f = f, .threads = threads };
  b.shapes = mem_alloc(((size_t)f->tree_count + 1) * sizeof *b.shapes);
  b.order = mem_alloc(((size_t)f->tree_count + 1) * sizeof *b.order);
  for (uint32_t i = 0; i < f->tree_count; i++)
    if (f->trees[i].node_count > b.most_nodes) b.most_nodes = f->trees[i].node_count;
  find_shapes(&b);
  put_classes(&b);
  sort_lanes(&b);
  sort_blocks(&b, TREES_LARGE_STARS);
  sort_blocks(&b, TREES_LARGE_DEEP);
  place_heads(&b);
  place_deeps(&b);
  fill(&b);
  f->heads = b.heads;
  f->lane_nodes = b.lane_nodes;
  f->parents = b.parents;
  f->deeps = b.deeps;
  f->deep_nodes = b.deep_nodes;
  f->deep_pins = b.deep_pins;
  f->depth_first = b.depth_first;
  f->tree_of = b.tree_of;
  mem_free(b.shapes);
  mem_free(b.order);
}

void trees_bin_free(Trees *f)
{
  const void *own[] = { f->heads,      f->lane_nodes, f->parents,    f->deeps,
                        f->deep_nodes, f->deep_pins,  f->depth_first, f->tree_of };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) mem_free((void *)own[i]);
}
