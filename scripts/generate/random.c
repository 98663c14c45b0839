/* Generates random designs of any size. Nets and buffer trees follow from formulas, so a design is
   written cluster by cluster without being held in memory. */
#include "scripts/generate/random.h"

#include <stdlib.h>
#include <string.h>

/* A buffer tree by formula: leaf i drives the sinks [i * leaf_fanout, (i + 1) * leaf_fanout).
   Buffer i of level l drives fanout buffers of level l - 1, from i * fanout on. */
typedef struct {
  const char *prefix, *cells;  /* of nets' names, of cells' names */
  Kind        buffer;
  uint32_t    sinks, leaf_fanout, fanout, levels;
  uint32_t    count[16];       /* buffers of each level */
} Tree;

typedef struct {
  const Recipe *recipe;
  Files   *files;
  uint32_t clusters, flops, links, gates;      /* of each cluster: flops, links, gates */
  /* every reset_step-th flip-flop has a reset; 0: none */
  uint32_t all_flops, reset_step;
  Tree     clock, reset;
  Port     ports[4];
  uint32_t n_ports;
  Block    b;
  Random   random;
  /* The nets a gate may use, in the order of their levels. */
  Net     *nets;
  uint32_t n_nets, max_nets;
  uint32_t level_start[1024];
  /* Of those of earlier levels, the ones without a load so far (used tells): [first, last). */
  Net     *unused;
  uint32_t first, last;
  bool    *used;
  uint32_t max_used;
  /* Scratch for the writer. */
  SpefPin *pins;
  char   (*names)[32];
  uint32_t max_pins;
} Design;

/* --- Trees ------------------------------------------------------------------------------------ */

static uint32_t parts(uint32_t n, uint32_t size) { return n / size + (n % size != 0); }

/* The smallest fan-out that reaches all leaves with so many levels above them. */
static uint32_t fanout_for(uint32_t leaves, uint32_t levels)
{
  for (uint32_t f = 2;; f++) {
    uint32_t n = leaves;
    for (uint32_t l = 0; l < levels; l++) n = parts(n, f);
    if (n == 1) return f;
  }
}

static void tree_plan(Tree *tree, uint32_t leaf_fanout, uint32_t levels)
{
  if (tree->sinks == 0) return;
  tree->leaf_fanout = leaf_fanout;
  tree->count[0] = parts(tree->sinks, leaf_fanout);
  tree->fanout = levels > 1 ? fanout_for(tree->count[0], levels - 1) : leaf_fanout;
  tree->levels = 1;
  while (tree->count[tree->levels - 1] > 1 || tree->levels < levels) {
    if (tree->levels == 16) fail("a clock tree of more than 16 levels");
    tree->count[tree->levels] = parts(tree->count[tree->levels - 1], tree->fanout);
    tree->levels++;
  }
}

/* --- Formulas --------------------------------------------------------------------------------- */

static bool is_gated(const Design *design, uint32_t leaf)
{
  Random r = random_of(design->recipe->seed ^ 0x6a7ed, leaf);
  return random_unit(&r) < design->recipe->gated;
}

static bool has_reset(const Design *design, uint32_t flop)
{
  return design->reset_step && flop % design->reset_step == 0;
}

/* Input k of a cluster comes from the cluster so many further on. */
static uint32_t stride(const Design *design, uint32_t link)
{
  Random r = random_of(design->recipe->seed ^ 0x571de, link);
  return design->clusters > 1 ? 1 + random_below(&r, design->clusters - 1) : 0;
}

static uint32_t source_cluster(const Design *design, uint32_t cluster, uint32_t link)
{
  return (uint32_t)(((uint64_t)cluster + stride(design, link)) % design->clusters);
}

static uint32_t target_cluster(const Design *design, uint32_t cluster, uint32_t link)
{
  return (uint32_t)(((uint64_t)cluster + design->clusters - stride(design, link))
                    % design->clusters);
}

/* --- One cluster's netlist -------------------------------------------------------------------- */

static void add_net(Design *design, Net net)
{
  if (design->n_nets == design->max_nets) {
    design->max_nets = design->max_nets ? 2 * design->max_nets : 4096;
    design->nets = allocate(design->nets, design->max_nets * sizeof *design->nets);
    design->unused = allocate(design->unused, design->max_nets * sizeof *design->unused);
  }
  if (net >= design->max_used) {
    uint32_t old = design->max_used;
    design->max_used = 2 * net + 1024;
    design->used = allocate(design->used, design->max_used * sizeof *design->used);
    memset(design->used + old, 0, (design->max_used - old) * sizeof *design->used);
  }
  design->used[net] = false;
  design->nets[design->n_nets++] = net;
}

static Net use(Design *design, Net net)
{
  design->used[net] = true;
  return net;
}

/* A net that nothing loads yet, the newest or the oldest; NONE when there is none. */
static Net take_unused(Design *design, bool newest)
{
  while (design->first < design->last) {
    Net net = newest ? design->unused[--design->last] : design->unused[design->first++];
    if (!design->used[net]) return use(design, net);
  }
  return NONE;
}

static Net take_between(Design *design, uint32_t from, uint32_t to)
{
  return use(design, design->nets[from + random_below(&design->random, to - from)]);
}

/* A net of a level below; most from near, some from anywhere, a share from the few hot ones. */
static Net take_any(Design *design, uint32_t level)
{
  const Recipe *recipe = design->recipe;
  uint32_t limit = design->level_start[level];
  double x = random_unit(&design->random);
  uint32_t step = recipe->hot > 0 ? (uint32_t)(1 / recipe->hot + 0.5) : 0;
  if (x < recipe->hot_share && step && limit >= step)
    return use(design, design->nets[random_below(&design->random, limit / step) * step]);
  bool near = random_unit(&design->random) < 0.7 && level > 3;
  return take_between(design, near ? design->level_start[level - 3] : 0, limit);
}

/* The first input is from the level just below, so that chains are as deep as asked. */
static Net take_input(Design *design, uint32_t level, unsigned input)
{
  Net net = NONE;
  if (input == 0) {
    net = take_unused(design, true);
    if (net == NONE)
      return take_between(design, design->level_start[level - 1], design->level_start[level]);
  } else if (random_next(&design->random) & 1) {
    net = take_unused(design, false);
  }
  return net == NONE ? take_any(design, level) : net;
}

static Kind random_kind(Random *random)
{
  static const struct { uint8_t kind, weight; } mix[] = {
    { INV, 12 }, { BUF, 6 }, { NAND2, 20 }, { NOR2, 12 }, { NAND3, 6 }, { NOR3, 4 },
    { NAND4, 3 }, { AND2, 8 }, { OR2, 6 }, { XOR2, 4 }, { XNOR2, 2 }, { AOI21, 6 },
    { AOI22, 3 }, { OAI21, 6 }, { OAI22, 3 }, { MUX2, 5 },
  };
  uint32_t total = 0, i = 0;
  for (uint32_t k = 0; k < sizeof mix / sizeof mix[0]; k++) total += mix[k].weight;
  for (uint32_t x = random_below(random, total); x >= mix[i].weight; i++) x -= mix[i].weight;
  return (Kind)mix[i].kind;
}

static void add_gate(Design *design, uint32_t level)
{
  Net inputs[4];
  Kind kind = random_kind(&design->random);
  for (unsigned i = 0; i < kind_info[kind].inputs; i++) {
    inputs[i] = take_input(design, level, i);
    for (unsigned again = 0; again < 4; again++)
      for (unsigned k = 0; k < i; k++)
        if (inputs[k] == inputs[i]) inputs[i] = take_any(design, level);
  }
  add_net(design, gate(&design->b, kind, inputs));
}

static void end_level(Design *design, uint32_t level)
{
  uint32_t made = design->n_nets - design->level_start[level], kept = design->last - design->first;
  memmove(design->unused, design->unused + design->first, kept * sizeof *design->unused);
  memmove(design->unused + kept, design->nets + design->level_start[level],
          made * sizeof *design->unused);
  design->first = 0;
  design->last = kept + made;
  design->level_start[level + 1] = design->n_nets;
}

/* A net of this cluster alone, or foreign to it: the latter has a name and no driver here. */
static uint32_t one_input_cell(Block *block, Kind kind, const char *prefix, uint32_t n, uint32_t m,
                               Net a)
{
  uint32_t cell = m == NONE ? block_cell(block, kind, "%s%u", prefix, n)
                            : block_cell(block, kind, "%s%u_%u", prefix, n, m);
  connect(block, cell, 0, a);
  return cell;
}

/* Level 0: flip-flops' outputs, what comes from other clusters and from ports. */
static void add_sources(Design *design, uint32_t cluster)
{
  Block *block = &design->b;
  for (uint32_t f = 0; f < design->flops; f++)
    add_net(design, block_net(block, "q%u", cluster * design->flops + f));
  for (uint32_t k = 0; k < design->links; k++) {
    uint32_t source = source_cluster(design, cluster, k);
    Net from =
        source == cluster ? design->nets[k] : block_net(block, "q%u", source * design->flops + k);
    Net y = block_net(block, "xn%u_%u", cluster, k);
    connect(block, one_input_cell(block, BUF, "x", cluster, k, from), 1, y);
    add_net(design, y);
  }
  for (uint32_t i = cluster; i < design->recipe->inputs; i += design->clusters) {
    Net in = block_net(block, "in[%u]", i), y = block_net(block, "inb%u", i);
    block->nets[in].port = 'I';
    connect(block, one_input_cell(block, BUF, "ib", i, NONE, in), 1, y);
    add_net(design, y);
  }
  end_level(design, 0);
}

static void add_outputs(Design *design, uint32_t cluster)
{
  Block *block = &design->b;
  for (uint32_t j = cluster; j < design->recipe->outputs; j += design->clusters) {
    uint32_t cell =
        one_input_cell(block, BUF, "ob", j, NONE,
                       use(design, design->nets[random_below(&design->random, design->flops)]));
    Net out = block_net(block, "out[%u]", j);
    block->nets[out].port = 'O';
    connect(block, cell, 1, out);
  }
}

/* The leaves of the clock tree whose first flip-flop is in this cluster. */
static void add_leaves(Design *design, uint32_t cluster)
{
  Block *block = &design->b;
  uint32_t size = design->clock.leaf_fanout, from = parts(cluster * design->flops, size),
           to = parts((cluster + 1) * design->flops, size);
  Net zero = NONE, parent = NONE;
  uint32_t parent_index = NONE;
  for (uint32_t leaf = from; leaf < to; leaf++) {
    bool gated = is_gated(design, leaf);
    if (leaf / design->clock.fanout != parent_index || parent == NONE) {
      parent_index = leaf / design->clock.fanout;
      parent = design->clock.levels > 1 ? block_net(block, "ck1_%u", parent_index)
                                        : block_net(block, "clk");
    }
    uint32_t cell = one_input_cell(block, gated ? ICG : CKBUF, "ckb0_", leaf, NONE, parent);
    if (gated && zero == NONE) {
      zero = block_net(block, "zero%u", cluster);
      connect(block, block_cell(block, TIE0, "tie%u", cluster), 0, zero);
    }
    if (gated) {
      connect(block, cell, 1,
              take_any(design, 1 + random_below(&design->random, design->recipe->depth)));
      connect(block, cell, 2, zero);
    }
    connect(block, cell, gated ? 3 : 1, block_net(block, "ck0_%u", leaf));
  }
}

static Net reset_net(Design *design, uint32_t flop)
{
  uint32_t number = flop / design->reset_step;
  if (number < design->recipe->widest) return block_net(&design->b, "rst_wide");
  return block_net(&design->b, "rs0_%u",
                   (number - design->recipe->widest) / design->reset.leaf_fanout);
}

static void add_flops(Design *design, uint32_t cluster)
{
  Block *block = &design->b;
  Net clock = NONE;
  for (uint32_t f = 0; f < design->flops; f++) {
    uint32_t flop = cluster * design->flops + f;
    bool reset = has_reset(design, flop);
    if (clock == NONE || flop % design->clock.leaf_fanout == 0)
      clock = block_net(block, "ck0_%u", flop / design->clock.leaf_fanout);
    uint32_t cell = block_cell(block, reset ? DFFR : DFF, "ff%u", flop),
             depth = design->recipe->depth;
    Net data = take_unused(design, true);
    if (data == NONE)
      data =
          take_between(design, design->level_start[depth / 2 + 1], design->level_start[depth + 1]);
    connect(block, cell, 0, data);
    connect(block, cell, 1, clock);
    if (reset) connect(block, cell, 2, reset_net(design, flop));
    connect(block, cell, reset ? 3 : 2, design->nets[f]);
  }
}

static void make_cluster(Design *design, uint32_t cluster)
{
  uint32_t depth = design->recipe->depth;
  block_clear(&design->b);
  design->b.number = cluster * design->gates;
  design->random = random_of(design->recipe->seed, cluster);
  design->n_nets = design->first = design->last = design->level_start[0] = 0;
  add_sources(design, cluster);
  for (uint32_t level = 1; level <= depth; level++) {
    uint32_t from = (uint32_t)((uint64_t)design->gates * (level - 1) / depth),
             to = (uint32_t)((uint64_t)design->gates * level / depth);
    for (uint32_t g = from; g < to; g++) add_gate(design, level);
    end_level(design, level);
  }
  add_leaves(design, cluster);
  add_flops(design, cluster);
  add_outputs(design, cluster);
  block_size(&design->b, design->recipe->low_share, design->recipe->seed + cluster);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void reserve(Design *design, uint32_t n)
{
  if (n <= design->max_pins) return;
  design->max_pins = 2 * n;
  design->pins = allocate(design->pins, design->max_pins * sizeof *design->pins);
  design->names = allocate(design->names, design->max_pins * sizeof *design->names);
}

/* Sets pin i to "prefixN" or, with two numbers, "prefixN_M". */
static void name_pin(Design *design, uint32_t i, const char *prefix, uint32_t n, uint32_t m,
                     const char *pin)
{
  if (m == NONE) snprintf(design->names[i], sizeof design->names[i], "%s%u", prefix, n);
  else snprintf(design->names[i], sizeof design->names[i], "%s%u_%u", prefix, n, m);
  design->pins[i] = (SpefPin){ design->names[i], pin, i ? 'I' : 'O' };
}

static SpefPin pin_of(const Block *block, uint32_t pin, char direction)
{
  uint32_t cell = block->pin_cell[pin];
  return (SpefPin){ cell_name(block, cell),
                    kind_info[block->cells[cell].kind].pins[pin - block->cells[cell].pin],
                    direction };
}

/* Returns true if a cell of this cluster drives the net, except a leaf of the clock tree (which is
   declared with the tree). */
static bool is_driven(const Block *block, Net net)
{
  const NetInfo *info = &block->nets[net];
  if (info->driver == NONE) return false;
  Kind kind = (Kind)block->cells[block->pin_cell[info->driver]].kind;
  return kind != CKBUF && kind != ICG;
}

/* Returns true if this cluster writes the net's parasitics.  The net of a flip-flop may have all
   its loads in another cluster. */
static bool is_own(const Design *design, Net net)
{
  const Block *block = &design->b;
  if (block->nets[net].port == 'I') return true;
  bool loads = block->sink_start[net + 1] > block->sink_start[net] || block->nets[net].port == 'O'
               || net < design->links;
  return loads && is_driven(block, net);
}

static uint32_t list_pins(Design *design, uint32_t cluster, Net net)
{
  const Block *block = &design->b;
  const NetInfo *info = &block->nets[net];
  uint32_t n = 0;
  reserve(design, block->sink_start[net + 1] - block->sink_start[net] + 3);
  if (info->port == 'I') design->pins[n++] = (SpefPin){ NULL, net_name(block, net), 'I' };
  else design->pins[n++] = pin_of(block, info->driver, 'O');
  for (uint32_t i = block->sink_start[net]; i < block->sink_start[net + 1]; i++)
    design->pins[n++] = pin_of(block, block->sinks[i], 'I');
  if (net < design->links && target_cluster(design, cluster, net) != cluster)
    name_pin(design, n++, "x", target_cluster(design, cluster, net), net, "A");
  if (info->port == 'O') design->pins[n++] = (SpefPin){ NULL, net_name(block, net), 'O' };
  return n;
}

static bool couples(const Design *design, uint64_t number)
{
  Random r = random_of(design->recipe->seed ^ 0xc0ffee, number / 2);
  return random_unit(&r) < design->files->coupled;
}

static void write_cluster_spef(Design *design, uint32_t cluster)
{
  const Block *block = &design->b;
  for (Net n = 0; n < block->n_nets; n++) {
    if (!is_own(design, n)) continue;
    uint64_t number = (uint64_t)cluster << 32 | n;
    bool coupled = (n ^ 1) < block->n_nets && is_own(design, n ^ 1) && couples(design, number);
    uint32_t pins = list_pins(design, cluster, n);
    spef_net(design->files, &(SpefNet){ net_name(block, n), coupled ? net_name(block, n ^ 1) : NULL,
                                        design->pins, pins, number, number ^ 1 });
  }
}

/* A net of a tree or the wide net: pins are set already; numbers of their own. */
static void write_plain_spef(Design *design, const char *name, uint32_t pins, uint32_t tree,
                             uint32_t level, uint32_t i)
{
  uint64_t number = (uint64_t)(0xf0000000u + tree * 16 + level) << 32 | i;
  spef_net(design->files, &(SpefNet){ name, NULL, design->pins, pins, number, 0 });
}

static const char *reset_pin(Design *design, uint32_t i, uint32_t number)
{
  name_pin(design, i, "ff", number * design->reset_step, NONE, "RN");
  return design->names[i];
}

/* The net of a leaf buffer: clock leaves belong to clusters, the reset's to the trees. */
static void write_leaf_spef(Design *design, const Tree *tree, uint32_t leaf)
{
  char net[32];
  bool clock = tree == &design->clock;
  uint32_t from = leaf * tree->leaf_fanout,
           to = tree->sinks - from < tree->leaf_fanout ? tree->sinks : from + tree->leaf_fanout;
  reserve(design, to - from + 1);
  snprintf(net, sizeof net, "%s0_%u", tree->prefix, leaf);
  name_pin(design, 0, tree->cells, 0, leaf, clock && is_gated(design, leaf) ? "GCK" : "Y");
  for (uint32_t i = from; i < to; i++) {
    if (clock) name_pin(design, i - from + 1, "ff", i, NONE, "CK");
    else reset_pin(design, i - from + 1, i + design->recipe->widest);
  }
  write_plain_spef(design, net, to - from + 1, clock, 0, leaf);
}

static void write_cluster_verilog(Design *design)
{
  const Block *block = &design->b;
  Out *out = design->files->verilog;
  uint32_t names = 0;
  for (Net n = design->flops; n < block->n_nets; n++) {
    if (block->nets[n].port || !is_driven(block, n)) continue;
    out_text(out, names % 12 ? ", " : names ? ";\n  wire " : "  wire ");
    out_text(out, net_name(block, n));
    names++;
  }
  if (names) out_text(out, ";\n");
  for (uint32_t c = 0; c < block->n_cells; c++) verilog_cell(out, block, c);
}

static void write_cluster(Design *design, uint32_t cluster)
{
  uint32_t size = design->clock.leaf_fanout;
  if (design->files->verilog) write_cluster_verilog(design);
  if (design->files->spef == NULL) return;
  write_cluster_spef(design, cluster);
  for (uint32_t i = parts(cluster * design->flops, size);
       i < parts((cluster + 1) * design->flops, size); i++)
    write_leaf_spef(design, &design->clock, i);
}

/* Level l >= 1 of a tree, and the reset's leaves. */
static void write_buffer(Design *design, const Tree *tree, uint32_t level, uint32_t i,
                         const char *source)
{
  char net[32], cell[32], parent[32];
  Out *out = design->files->verilog;
  snprintf(net, sizeof net, "%s%u_%u", tree->prefix, level, i);
  snprintf(cell, sizeof cell, "%s%u_%u", tree->cells, level, i);
  snprintf(parent, sizeof parent, "%s%u_%u", tree->prefix, level + 1, i / tree->fanout);
  if (out)
    out_format(out, "  %s_4r %s (.A(%s), .Y(%s));\n", kind_info[tree->buffer].name, cell,
               level + 1 == tree->levels ? source : parent, net);
  if (design->files->spef == NULL) return;
  if (level == 0) {
    write_leaf_spef(design, tree, i);
    return;
  }
  uint32_t from = i * tree->fanout, to = tree->count[level - 1] - from < tree->fanout
                                             ? tree->count[level - 1]
                                             : from + tree->fanout;
  reserve(design, to - from + 1);
  name_pin(design, 0, tree->cells, level, i, "Y");
  for (uint32_t k = from; k < to; k++)
    name_pin(design, k - from + 1, tree->cells, level - 1, k,
             level == 1 && tree == &design->clock && is_gated(design, k) ? "CK" : "A");
  write_plain_spef(design, net, to - from + 1, tree == &design->clock, level, i);
}

static void write_tree(Design *design, const Tree *tree, const char *source)
{
  for (uint32_t level = tree == &design->clock ? 1 : 0; level < tree->levels; level++)
    for (uint32_t i = 0; i < tree->count[level]; i++) write_buffer(design, tree, level, i, source);
}

/* The ports' nets and the wide reset net. */
static void write_roots(Design *design)
{
  uint32_t widest = design->recipe->widest, n = 1, top = design->clock.levels - 1;
  if (design->files->verilog && widest)
    out_text(design->files->verilog, "  buf_4r rst_wide_buf (.A(rst_n), .Y(rst_wide));\n");
  if (design->files->spef == NULL) return;
  reserve(design, widest + 4);
  design->pins[0] = (SpefPin){ NULL, "clk", 'I' };
  name_pin(design, 1, "ckb", top, 0, top == 0 && is_gated(design, 0) ? "CK" : "A");
  write_plain_spef(design, "clk", 2, 2, 0, 0);
  design->pins[0] = (SpefPin){ NULL, "rst_n", 'I' };
  if (design->reset.levels) name_pin(design, n++, "rsb", design->reset.levels - 1, 0, "A");
  if (widest) design->pins[n++] = (SpefPin){ "rst_wide_buf", "A", 'I' };
  if (n > 1) write_plain_spef(design, "rst_n", n, 2, 1, 0);
  if (widest == 0) return;
  design->pins[0] = (SpefPin){ "rst_wide_buf", "Y", 'O' };
  for (uint32_t i = 0; i < widest; i++) reset_pin(design, i + 1, i);
  write_plain_spef(design, "rst_wide", widest + 1, 2, 2, 0);
}

static void declare(Out *out, const char *prefix, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    out_format(out, "%s%s%u", i % 16 ? ", " : i ? ";\n  wire " : "  wire ", prefix, i);
  if (n) out_text(out, ";\n");
}

static void write_header(Design *design)
{
  Out *out = design->files->verilog;
  char prefix[16];
  if (design->files->spef) {
    spef_header(design->files->spef, design->recipe->top);
    spef_ports(design->files->spef, design->ports, design->n_ports);
  }
  if (out == NULL) return;
  verilog_ports(out, design->ports, design->n_ports, design->recipe->top);
  declare(out, "q", design->all_flops);
  for (const Tree *tree = &design->clock; tree;
       tree = tree == &design->clock ? &design->reset : NULL)
    for (uint32_t level = 0; level < tree->levels; level++) {
      snprintf(prefix, sizeof prefix, "%s%u_", tree->prefix, level);
      declare(out, prefix, tree->count[level]);
    }
  if (design->recipe->widest) out_text(out, "  wire rst_wide;\n");
}

/* --- The whole -------------------------------------------------------------------------------- */

static void plan(Design *design, const Recipe *recipe)
{
  uint32_t size = recipe->cells < recipe->cluster ? (uint32_t)recipe->cells : recipe->cluster;
  design->clusters = (uint32_t)((recipe->cells + size / 2) / size);
  size = (uint32_t)(recipe->cells / design->clusters);
  design->flops = (uint32_t)(size * recipe->flops);
  if (design->flops < 4) design->flops = 4;
  design->links = recipe->links < design->flops ? recipe->links : design->flops;
  uint32_t others = design->flops + design->links
                    + (recipe->inputs + recipe->outputs) / design->clusters
                    + design->flops / recipe->clock_fanout;
  if (others + recipe->depth > size)
    fail("%u cells a cluster are too few for this depth, these links and ports", size);
  design->gates = size - others;
  if ((uint64_t)design->clusters * size > 4000000000u) fail("at most 4,000,000,000 cells");
  design->all_flops = design->clusters * design->flops;
  design->reset_step = recipe->resets > 0 ? (uint32_t)(1 / recipe->resets + 0.5) : 0;
  uint32_t resets = design->reset_step ? parts(design->all_flops, design->reset_step) : 0;
  if (recipe->widest > resets)
    fail("the largest net can have at most %u loads: there are so many flip-flops with reset",
         resets);
  design->clock =
      (Tree){ .prefix = "ck", .cells = "ckb", .buffer = CKBUF, .sinks = design->all_flops };
  design->reset =
      (Tree){ .prefix = "rs", .cells = "rsb", .buffer = BUF, .sinks = resets - recipe->widest };
  tree_plan(&design->clock, recipe->clock_fanout, recipe->clock_levels);
  tree_plan(&design->reset, 24, 0);
}

static void add_ports(Design *design, const Recipe *recipe)
{
  design->ports[design->n_ports++] = (Port){ "clk", 0, 'I' };
  design->ports[design->n_ports++] = (Port){ "rst_n", 0, 'I' };
  if (recipe->inputs) design->ports[design->n_ports++] = (Port){ "in", recipe->inputs, 'I' };
  if (recipe->outputs) design->ports[design->n_ports++] = (Port){ "out", recipe->outputs, 'O' };
}

void random_write(const Recipe *recipe, Files *files)
{
  Design *design = allocate(NULL, sizeof *design);
  memset(design, 0, sizeof *design);
  design->recipe = recipe;
  design->files = files;
  plan(design, recipe);
  add_ports(design, recipe);
  write_header(design);
  for (uint32_t c = 0; c < design->clusters; c++) {
    make_cluster(design, c);
    write_cluster(design, c);
  }
  write_tree(design, &design->clock, "clk");
  write_tree(design, &design->reset, "rst_n");
  write_roots(design);
  if (files->verilog) out_text(files->verilog, "endmodule\n");
  if (files->sdc) sdc_design(files->sdc, &recipe->constraints, design->ports, design->n_ports);
  block_free(&design->b);
  free(design->nets);
  free(design->unused);
  free(design->used);
  free(design->pins);
  free(design->names);
  free(design);
}
