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

static void tree_plan(Tree *t, uint32_t leaf_fanout, uint32_t levels)
{
  if (t->sinks == 0) return;
  t->leaf_fanout = leaf_fanout;
  t->count[0] = parts(t->sinks, leaf_fanout);
  t->fanout = levels > 1 ? fanout_for(t->count[0], levels - 1) : leaf_fanout;
  t->levels = 1;
  while (t->count[t->levels - 1] > 1 || t->levels < levels) {
    if (t->levels == 16) fail("a clock tree of more than 16 levels");
    t->count[t->levels] = parts(t->count[t->levels - 1], t->fanout);
    t->levels++;
  }
}

/* --- Formulas --------------------------------------------------------------------------------- */

static bool is_gated(const Design *d, uint32_t leaf)
{
  Random r = random_of(d->recipe->seed ^ 0x6a7ed, leaf);
  return random_unit(&r) < d->recipe->gated;
}

static bool has_reset(const Design *d, uint32_t flop)
{
  return d->reset_step && flop % d->reset_step == 0;
}

/* Input k of a cluster comes from the cluster so many further on. */
static uint32_t stride(const Design *d, uint32_t link)
{
  Random r = random_of(d->recipe->seed ^ 0x571de, link);
  return d->clusters > 1 ? 1 + random_below(&r, d->clusters - 1) : 0;
}

static uint32_t source_cluster(const Design *d, uint32_t cluster, uint32_t link)
{
  return (uint32_t)(((uint64_t)cluster + stride(d, link)) % d->clusters);
}

static uint32_t target_cluster(const Design *d, uint32_t cluster, uint32_t link)
{
  return (uint32_t)(((uint64_t)cluster + d->clusters - stride(d, link)) % d->clusters);
}

/* --- One cluster's netlist -------------------------------------------------------------------- */

static void add_net(Design *d, Net net)
{
  if (d->n_nets == d->max_nets) {
    d->max_nets = d->max_nets ? 2 * d->max_nets : 4096;
    d->nets = allocate(d->nets, d->max_nets * sizeof *d->nets);
    d->unused = allocate(d->unused, d->max_nets * sizeof *d->unused);
  }
  if (net >= d->max_used) {
    uint32_t old = d->max_used;
    d->max_used = 2 * net + 1024;
    d->used = allocate(d->used, d->max_used * sizeof *d->used);
    memset(d->used + old, 0, (d->max_used - old) * sizeof *d->used);
  }
  d->used[net] = false;
  d->nets[d->n_nets++] = net;
}

static Net use(Design *d, Net net)
{
  d->used[net] = true;
  return net;
}

/* A net that nothing loads yet, the newest or the oldest; NONE when there is none. */
static Net take_unused(Design *d, bool newest)
{
  while (d->first < d->last) {
    Net net = newest ? d->unused[--d->last] : d->unused[d->first++];
    if (!d->used[net]) return use(d, net);
  }
  return NONE;
}

static Net take_between(Design *d, uint32_t from, uint32_t to)
{
  return use(d, d->nets[from + random_below(&d->random, to - from)]);
}

/* A net of a level below; most from near, some from anywhere, a share from the few hot ones. */
static Net take_any(Design *d, uint32_t level)
{
  const Recipe *r = d->recipe;
  uint32_t limit = d->level_start[level];
  double x = random_unit(&d->random);
  uint32_t step = r->hot > 0 ? (uint32_t)(1 / r->hot + 0.5) : 0;
  if (x < r->hot_share && step && limit >= step)
    return use(d, d->nets[random_below(&d->random, limit / step) * step]);
  bool near = random_unit(&d->random) < 0.7 && level > 3;
  return take_between(d, near ? d->level_start[level - 3] : 0, limit);
}

/* The first input is from the level just below, so that chains are as deep as asked. */
static Net take_input(Design *d, uint32_t level, unsigned input)
{
  Net net = NONE;
  if (input == 0) {
    net = take_unused(d, true);
    if (net == NONE) return take_between(d, d->level_start[level - 1], d->level_start[level]);
  } else if (random_next(&d->random) & 1) {
    net = take_unused(d, false);
  }
  return net == NONE ? take_any(d, level) : net;
}

static Kind random_kind(Random *r)
{
  static const struct { uint8_t kind, weight; } mix[] = {
    { INV, 12 }, { BUF, 6 }, { NAND2, 20 }, { NOR2, 12 }, { NAND3, 6 }, { NOR3, 4 },
    { NAND4, 3 }, { AND2, 8 }, { OR2, 6 }, { XOR2, 4 }, { XNOR2, 2 }, { AOI21, 6 },
    { AOI22, 3 }, { OAI21, 6 }, { OAI22, 3 }, { MUX2, 5 },
  };
  uint32_t total = 0, i = 0;
  for (uint32_t k = 0; k < sizeof mix / sizeof mix[0]; k++) total += mix[k].weight;
  for (uint32_t x = random_below(r, total); x >= mix[i].weight; i++) x -= mix[i].weight;
  return (Kind)mix[i].kind;
}

static void add_gate(Design *d, uint32_t level)
{
  Net inputs[4];
  Kind kind = random_kind(&d->random);
  for (unsigned i = 0; i < kind_info[kind].inputs; i++) {
    inputs[i] = take_input(d, level, i);
    for (unsigned again = 0; again < 4; again++)
      for (unsigned k = 0; k < i; k++)
        if (inputs[k] == inputs[i]) inputs[i] = take_any(d, level);
  }
  add_net(d, gate(&d->b, kind, inputs));
}

static void end_level(Design *d, uint32_t level)
{
  uint32_t made = d->n_nets - d->level_start[level], kept = d->last - d->first;
  memmove(d->unused, d->unused + d->first, kept * sizeof *d->unused);
  memmove(d->unused + kept, d->nets + d->level_start[level], made * sizeof *d->unused);
  d->first = 0;
  d->last = kept + made;
  d->level_start[level + 1] = d->n_nets;
}

/* A net of this cluster alone, or foreign to it: the latter has a name and no driver here. */
static uint32_t one_input_cell(Block *b, Kind kind, const char *prefix, uint32_t n, uint32_t m,
                               Net a)
{
  uint32_t cell = m == NONE ? block_cell(b, kind, "%s%u", prefix, n)
                            : block_cell(b, kind, "%s%u_%u", prefix, n, m);
  connect(b, cell, 0, a);
  return cell;
}

/* Level 0: flip-flops' outputs, what comes from other clusters and from ports. */
static void add_sources(Design *d, uint32_t cluster)
{
  Block *b = &d->b;
  for (uint32_t f = 0; f < d->flops; f++) add_net(d, block_net(b, "q%u", cluster * d->flops + f));
  for (uint32_t k = 0; k < d->links; k++) {
    uint32_t source = source_cluster(d, cluster, k);
    Net from = source == cluster ? d->nets[k] : block_net(b, "q%u", source * d->flops + k);
    Net y = block_net(b, "xn%u_%u", cluster, k);
    connect(b, one_input_cell(b, BUF, "x", cluster, k, from), 1, y);
    add_net(d, y);
  }
  for (uint32_t i = cluster; i < d->recipe->inputs; i += d->clusters) {
    Net in = block_net(b, "in[%u]", i), y = block_net(b, "inb%u", i);
    b->nets[in].port = 'I';
    connect(b, one_input_cell(b, BUF, "ib", i, NONE, in), 1, y);
    add_net(d, y);
  }
  end_level(d, 0);
}

static void add_outputs(Design *d, uint32_t cluster)
{
  Block *b = &d->b;
  for (uint32_t j = cluster; j < d->recipe->outputs; j += d->clusters) {
    uint32_t cell =
        one_input_cell(b, BUF, "ob", j, NONE, use(d, d->nets[random_below(&d->random, d->flops)]));
    Net out = block_net(b, "out[%u]", j);
    b->nets[out].port = 'O';
    connect(b, cell, 1, out);
  }
}

/* The leaves of the clock tree whose first flip-flop is in this cluster. */
static void add_leaves(Design *d, uint32_t cluster)
{
  Block *b = &d->b;
  uint32_t size = d->clock.leaf_fanout, from = parts(cluster * d->flops, size),
           to = parts((cluster + 1) * d->flops, size);
  Net zero = NONE, parent = NONE;
  uint32_t parent_index = NONE;
  for (uint32_t leaf = from; leaf < to; leaf++) {
    bool gated = is_gated(d, leaf);
    if (leaf / d->clock.fanout != parent_index || parent == NONE) {
      parent_index = leaf / d->clock.fanout;
      parent = d->clock.levels > 1 ? block_net(b, "ck1_%u", parent_index) : block_net(b, "clk");
    }
    uint32_t cell = one_input_cell(b, gated ? ICG : CKBUF, "ckb0_", leaf, NONE, parent);
    if (gated && zero == NONE) {
      zero = block_net(b, "zero%u", cluster);
      connect(b, block_cell(b, TIE0, "tie%u", cluster), 0, zero);
    }
    if (gated) {
      connect(b, cell, 1, take_any(d, 1 + random_below(&d->random, d->recipe->depth)));
      connect(b, cell, 2, zero);
    }
    connect(b, cell, gated ? 3 : 1, block_net(b, "ck0_%u", leaf));
  }
}

static Net reset_net(Design *d, uint32_t flop)
{
  uint32_t number = flop / d->reset_step;
  if (number < d->recipe->widest) return block_net(&d->b, "rst_wide");
  return block_net(&d->b, "rs0_%u", (number - d->recipe->widest) / d->reset.leaf_fanout);
}

static void add_flops(Design *d, uint32_t cluster)
{
  Block *b = &d->b;
  Net clock = NONE;
  for (uint32_t f = 0; f < d->flops; f++) {
    uint32_t flop = cluster * d->flops + f;
    bool reset = has_reset(d, flop);
    if (clock == NONE || flop % d->clock.leaf_fanout == 0)
      clock = block_net(b, "ck0_%u", flop / d->clock.leaf_fanout);
    uint32_t cell = block_cell(b, reset ? DFFR : DFF, "ff%u", flop), depth = d->recipe->depth;
    Net data = take_unused(d, true);
    if (data == NONE)
      data = take_between(d, d->level_start[depth / 2 + 1], d->level_start[depth + 1]);
    connect(b, cell, 0, data);
    connect(b, cell, 1, clock);
    if (reset) connect(b, cell, 2, reset_net(d, flop));
    connect(b, cell, reset ? 3 : 2, d->nets[f]);
  }
}

static void make_cluster(Design *d, uint32_t cluster)
{
  uint32_t depth = d->recipe->depth;
  block_clear(&d->b);
  d->b.number = cluster * d->gates;
  d->random = random_of(d->recipe->seed, cluster);
  d->n_nets = d->first = d->last = d->level_start[0] = 0;
  add_sources(d, cluster);
  for (uint32_t level = 1; level <= depth; level++) {
    uint32_t from = (uint32_t)((uint64_t)d->gates * (level - 1) / depth),
             to = (uint32_t)((uint64_t)d->gates * level / depth);
    for (uint32_t g = from; g < to; g++) add_gate(d, level);
    end_level(d, level);
  }
  add_leaves(d, cluster);
  add_flops(d, cluster);
  add_outputs(d, cluster);
  block_size(&d->b, d->recipe->low_share, d->recipe->seed + cluster);
}

/* --- Writing ---------------------------------------------------------------------------------- */

static void reserve(Design *d, uint32_t n)
{
  if (n <= d->max_pins) return;
  d->max_pins = 2 * n;
  d->pins = allocate(d->pins, d->max_pins * sizeof *d->pins);
  d->names = allocate(d->names, d->max_pins * sizeof *d->names);
}

/* Sets pin i to "prefixN" or, with two numbers, "prefixN_M". */
static void name_pin(Design *d, uint32_t i, const char *prefix, uint32_t n, uint32_t m,
                     const char *pin)
{
  if (m == NONE) snprintf(d->names[i], sizeof d->names[i], "%s%u", prefix, n);
  else snprintf(d->names[i], sizeof d->names[i], "%s%u_%u", prefix, n, m);
  d->pins[i] = (SpefPin){ d->names[i], pin, i ? 'I' : 'O' };
}

static SpefPin pin_of(const Block *b, uint32_t pin, char direction)
{
  uint32_t cell = b->pin_cell[pin];
  return (SpefPin){ cell_name(b, cell),
                    kind_info[b->cells[cell].kind].pins[pin - b->cells[cell].pin], direction };
}

/* Returns true if a cell of this cluster drives the net, except a leaf of the clock tree (which is
   declared with the tree). */
static bool is_driven(const Block *b, Net net)
{
  const NetInfo *n = &b->nets[net];
  if (n->driver == NONE) return false;
  Kind kind = (Kind)b->cells[b->pin_cell[n->driver]].kind;
  return kind != CKBUF && kind != ICG;
}

/* Returns true if this cluster writes the net's parasitics.  The net of a flip-flop may have all
   its loads in another cluster. */
static bool is_own(const Design *d, Net net)
{
  const Block *b = &d->b;
  if (b->nets[net].port == 'I') return true;
  bool loads = b->sink_start[net + 1] > b->sink_start[net] || b->nets[net].port == 'O'
               || net < d->links;
  return loads && is_driven(b, net);
}

static uint32_t list_pins(Design *d, uint32_t cluster, Net net)
{
  const Block *b = &d->b;
  const NetInfo *info = &b->nets[net];
  uint32_t n = 0;
  reserve(d, b->sink_start[net + 1] - b->sink_start[net] + 3);
  if (info->port == 'I') d->pins[n++] = (SpefPin){ NULL, net_name(b, net), 'I' };
  else d->pins[n++] = pin_of(b, info->driver, 'O');
  for (uint32_t i = b->sink_start[net]; i < b->sink_start[net + 1]; i++)
    d->pins[n++] = pin_of(b, b->sinks[i], 'I');
  if (net < d->links && target_cluster(d, cluster, net) != cluster)
    name_pin(d, n++, "x", target_cluster(d, cluster, net), net, "A");
  if (info->port == 'O') d->pins[n++] = (SpefPin){ NULL, net_name(b, net), 'O' };
  return n;
}

static bool couples(const Design *d, uint64_t number)
{
  Random r = random_of(d->recipe->seed ^ 0xc0ffee, number / 2);
  return random_unit(&r) < d->files->coupled;
}

static void write_cluster_spef(Design *d, uint32_t cluster)
{
  const Block *b = &d->b;
  for (Net n = 0; n < b->n_nets; n++) {
    if (!is_own(d, n)) continue;
    uint64_t number = (uint64_t)cluster << 32 | n;
    bool coupled = (n ^ 1) < b->n_nets && is_own(d, n ^ 1) && couples(d, number);
    uint32_t pins = list_pins(d, cluster, n);
    spef_net(d->files, &(SpefNet){ net_name(b, n), coupled ? net_name(b, n ^ 1) : NULL, d->pins,
                                   pins, number, number ^ 1 });
  }
}

/* A net of a tree or the wide net: pins are set already; numbers of their own. */
static void write_plain_spef(Design *d, const char *name, uint32_t pins, uint32_t tree,
                             uint32_t level, uint32_t i)
{
  uint64_t number = (uint64_t)(0xf0000000u + tree * 16 + level) << 32 | i;
  spef_net(d->files, &(SpefNet){ name, NULL, d->pins, pins, number, 0 });
}

static const char *reset_pin(Design *d, uint32_t i, uint32_t number)
{
  name_pin(d, i, "ff", number * d->reset_step, NONE, "RN");
  return d->names[i];
}

/* The net of a leaf buffer: clock leaves belong to clusters, the reset's to the trees. */
static void write_leaf_spef(Design *d, const Tree *t, uint32_t leaf)
{
  char net[32];
  bool clock = t == &d->clock;
  uint32_t from = leaf * t->leaf_fanout,
           to = t->sinks - from < t->leaf_fanout ? t->sinks : from + t->leaf_fanout;
  reserve(d, to - from + 1);
  snprintf(net, sizeof net, "%s0_%u", t->prefix, leaf);
  name_pin(d, 0, t->cells, 0, leaf, clock && is_gated(d, leaf) ? "GCK" : "Y");
  for (uint32_t i = from; i < to; i++) {
    if (clock) name_pin(d, i - from + 1, "ff", i, NONE, "CK");
    else reset_pin(d, i - from + 1, i + d->recipe->widest);
  }
  write_plain_spef(d, net, to - from + 1, clock, 0, leaf);
}

static void write_cluster_verilog(Design *d)
{
  const Block *b = &d->b;
  Out *v = d->files->verilog;
  uint32_t names = 0;
  for (Net n = d->flops; n < b->n_nets; n++) {
    if (b->nets[n].port || !is_driven(b, n)) continue;
    out_text(v, names % 12 ? ", " : names ? ";\n  wire " : "  wire ");
    out_text(v, net_name(b, n));
    names++;
  }
  if (names) out_text(v, ";\n");
  for (uint32_t c = 0; c < b->n_cells; c++) verilog_cell(v, b, c);
}

static void write_cluster(Design *d, uint32_t cluster)
{
  uint32_t size = d->clock.leaf_fanout;
  if (d->files->verilog) write_cluster_verilog(d);
  if (d->files->spef == NULL) return;
  write_cluster_spef(d, cluster);
  for (uint32_t i = parts(cluster * d->flops, size); i < parts((cluster + 1) * d->flops, size); i++)
    write_leaf_spef(d, &d->clock, i);
}

/* Level l >= 1 of a tree, and the reset's leaves. */
static void write_buffer(Design *d, const Tree *t, uint32_t level, uint32_t i, const char *source)
{
  char net[32], cell[32], parent[32];
  Out *v = d->files->verilog;
  snprintf(net, sizeof net, "%s%u_%u", t->prefix, level, i);
  snprintf(cell, sizeof cell, "%s%u_%u", t->cells, level, i);
  snprintf(parent, sizeof parent, "%s%u_%u", t->prefix, level + 1, i / t->fanout);
  if (v)
    out_format(v, "  %s_4r %s (.A(%s), .Y(%s));\n", kind_info[t->buffer].name, cell,
               level + 1 == t->levels ? source : parent, net);
  if (d->files->spef == NULL) return;
  if (level == 0) {
    write_leaf_spef(d, t, i);
    return;
  }
  uint32_t from = i * t->fanout,
           to = t->count[level - 1] - from < t->fanout ? t->count[level - 1] : from + t->fanout;
  reserve(d, to - from + 1);
  name_pin(d, 0, t->cells, level, i, "Y");
  for (uint32_t k = from; k < to; k++)
    name_pin(d, k - from + 1, t->cells, level - 1, k,
             level == 1 && t == &d->clock && is_gated(d, k) ? "CK" : "A");
  write_plain_spef(d, net, to - from + 1, t == &d->clock, level, i);
}

static void write_tree(Design *d, const Tree *t, const char *source)
{
  for (uint32_t level = t == &d->clock ? 1 : 0; level < t->levels; level++)
    for (uint32_t i = 0; i < t->count[level]; i++) write_buffer(d, t, level, i, source);
}

/* The ports' nets and the wide reset net. */
static void write_roots(Design *d)
{
  uint32_t widest = d->recipe->widest, n = 1, top = d->clock.levels - 1;
  if (d->files->verilog && widest)
    out_text(d->files->verilog, "  buf_4r rst_wide_buf (.A(rst_n), .Y(rst_wide));\n");
  if (d->files->spef == NULL) return;
  reserve(d, widest + 4);
  d->pins[0] = (SpefPin){ NULL, "clk", 'I' };
  name_pin(d, 1, "ckb", top, 0, top == 0 && is_gated(d, 0) ? "CK" : "A");
  write_plain_spef(d, "clk", 2, 2, 0, 0);
  d->pins[0] = (SpefPin){ NULL, "rst_n", 'I' };
  if (d->reset.levels) name_pin(d, n++, "rsb", d->reset.levels - 1, 0, "A");
  if (widest) d->pins[n++] = (SpefPin){ "rst_wide_buf", "A", 'I' };
  if (n > 1) write_plain_spef(d, "rst_n", n, 2, 1, 0);
  if (widest == 0) return;
  d->pins[0] = (SpefPin){ "rst_wide_buf", "Y", 'O' };
  for (uint32_t i = 0; i < widest; i++) reset_pin(d, i + 1, i);
  write_plain_spef(d, "rst_wide", widest + 1, 2, 2, 0);
}

static void declare(Out *out, const char *prefix, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    out_format(out, "%s%s%u", i % 16 ? ", " : i ? ";\n  wire " : "  wire ", prefix, i);
  if (n) out_text(out, ";\n");
}

static void write_header(Design *d)
{
  Out *v = d->files->verilog;
  char prefix[16];
  if (d->files->spef) {
    spef_header(d->files->spef, d->recipe->top);
    spef_ports(d->files->spef, d->ports, d->n_ports);
  }
  if (v == NULL) return;
  verilog_ports(v, d->ports, d->n_ports, d->recipe->top);
  declare(v, "q", d->all_flops);
  for (const Tree *t = &d->clock; t; t = t == &d->clock ? &d->reset : NULL)
    for (uint32_t level = 0; level < t->levels; level++) {
      snprintf(prefix, sizeof prefix, "%s%u_", t->prefix, level);
      declare(v, prefix, t->count[level]);
    }
  if (d->recipe->widest) out_text(v, "  wire rst_wide;\n");
}

/* --- The whole -------------------------------------------------------------------------------- */

static void plan(Design *d, const Recipe *r)
{
  uint32_t size = r->cells < r->cluster ? (uint32_t)r->cells : r->cluster;
  d->clusters = (uint32_t)((r->cells + size / 2) / size);
  size = (uint32_t)(r->cells / d->clusters);
  d->flops = (uint32_t)(size * r->flops);
  if (d->flops < 4) d->flops = 4;
  d->links = r->links < d->flops ? r->links : d->flops;
  uint32_t others =
      d->flops + d->links + (r->inputs + r->outputs) / d->clusters + d->flops / r->clock_fanout;
  if (others + r->depth > size)
    fail("%u cells a cluster are too few for this depth, these links and ports", size);
  d->gates = size - others;
  if ((uint64_t)d->clusters * size > 4000000000u) fail("at most 4,000,000,000 cells");
  d->all_flops = d->clusters * d->flops;
  d->reset_step = r->resets > 0 ? (uint32_t)(1 / r->resets + 0.5) : 0;
  uint32_t resets = d->reset_step ? parts(d->all_flops, d->reset_step) : 0;
  if (r->widest > resets)
    fail("the largest net can have at most %u loads: there are so many flip-flops with reset",
         resets);
  d->clock = (Tree){ .prefix = "ck", .cells = "ckb", .buffer = CKBUF, .sinks = d->all_flops };
  d->reset = (Tree){ .prefix = "rs", .cells = "rsb", .buffer = BUF, .sinks = resets - r->widest };
  tree_plan(&d->clock, r->clock_fanout, r->clock_levels);
  tree_plan(&d->reset, 24, 0);
}

static void add_ports(Design *d, const Recipe *r)
{
  d->ports[d->n_ports++] = (Port){ "clk", 0, 'I' };
  d->ports[d->n_ports++] = (Port){ "rst_n", 0, 'I' };
  if (r->inputs) d->ports[d->n_ports++] = (Port){ "in", r->inputs, 'I' };
  if (r->outputs) d->ports[d->n_ports++] = (Port){ "out", r->outputs, 'O' };
}

void random_write(const Recipe *recipe, Files *files)
{
  Design *d = allocate(NULL, sizeof *d);
  memset(d, 0, sizeof *d);
  d->recipe = recipe;
  d->files = files;
  plan(d, recipe);
  add_ports(d, recipe);
  write_header(d);
  for (uint32_t c = 0; c < d->clusters; c++) {
    make_cluster(d, c);
    write_cluster(d, c);
  }
  write_tree(d, &d->clock, "clk");
  write_tree(d, &d->reset, "rst_n");
  write_roots(d);
  if (files->verilog) out_text(files->verilog, "endmodule\n");
  if (files->sdc) sdc_design(files->sdc, &recipe->constraints, d->ports, d->n_ports);
  block_free(&d->b);
  free(d->nets);
  free(d->unused);
  free(d->used);
  free(d->pins);
  free(d->names);
  free(d);
}
