/* The CUDA engine's kernels, run by the CPU, give the CPU backend's bytes; so they do in reverse
   order, when an update is in place, and when the device's memory does not suffice. */
#include "device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "update/backend.h"
#include "timing/end_slacks.h"
#include "tests/small.h"
#include "tests/unit.h"

static bool same(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes) == 0; }

static void compare_nets(const Timing *t, const Timing *cpu)
{
  const Graph *g = cpu->g;
  CHECK(
      same(t->nets.load_cap, cpu->nets.load_cap, g->nets.driver_count * sizeof *t->nets.load_cap));
  CHECK((t->nets.pi_far != NULL) == delay_has(t->delay_model, DELAY_NEEDS_PI));
  if (t->nets.pi_far) {
    CHECK(same(t->nets.pi_far, cpu->nets.pi_far, g->nets.driver_count * sizeof *t->nets.pi_far));
    CHECK(same(t->nets.pi_near, cpu->nets.pi_near, g->nets.driver_count * sizeof *t->nets.pi_near));
    CHECK(same(t->nets.pi_r, cpu->nets.pi_r, g->nets.driver_count * sizeof *t->nets.pi_r));
  }
  CHECK(same(t->nets.has_rc, cpu->nets.has_rc, g->nets.driver_count));
  CHECK(same(t->wires.elmore, cpu->wires.elmore, g->nets.load_total * sizeof *t->wires.elmore));
  CHECK(t->wires.impulse_sq == NULL
        || same(t->wires.impulse_sq, cpu->wires.impulse_sq,
                g->nets.load_total * sizeof *t->wires.impulse_sq));
}

static void compare(const Timing *t, const Timing *cpu)
{
  const Graph *g = cpu->g;
  CHECK(t->g->slots.count == g->slots.count && t->g->nodes.count == g->nodes.count
        && t->g->ends.path_ends.len == g->ends.path_ends.len);
  compare_nets(t, cpu);
  CHECK(same(t->slew, cpu->slew, g->slots.count * sizeof *t->slew));
  CHECK(same(t->wires.delay, cpu->wires.delay, g->nets.load_total * sizeof *t->wires.delay));
  CHECK(same(t->edge_delay, cpu->edge_delay, g->arcs.edge_count * sizeof *t->edge_delay));
  CHECK(same(t->arrival, cpu->arrival, g->nodes.count * sizeof *t->arrival));
  CHECK(same(t->required, cpu->required, g->nodes.count * sizeof *t->required));
  CHECK(same(t->check_margin, cpu->check_margin, g->ends.checks.len * sizeof *t->check_margin));
  CHECK(same(t->end_slack, cpu->end_slack, g->ends.path_ends.len * sizeof *t->end_slack));
}

/* Random gates over the outputs of some layers before, registers at both ends, ports around. */
enum { WIDTH = 40, DEPTH = 12 };

static char *random_design(unsigned *seed)
{
  static const char *const gates[] = { "AND2", "OR2", "XOR2" };
  Text t = { 0 };
  text_printf(&t,
              "module top(clk, a, y); input clk; input [%d:0] a; output [%d:0] y; wire [%d:0] n; "
              "wire ck; BUF b (.A(clk), .Y(ck));\n",
              WIDTH - 1, WIDTH - 1, WIDTH * DEPTH - 1);
  for (uint32_t i = 0; i < WIDTH; i++)
    text_printf(&t, "DFF r%u (.CK(ck), .D(n[%u]), .Q(n[%u])); BUF o%u (.A(n[%u]), .Y(y[%u]));\n", i,
                WIDTH * (DEPTH - 1) + (uint32_t)rand_r(seed) % WIDTH, i, i, WIDTH * (DEPTH - 1) + i,
                i);
  for (uint32_t i = WIDTH; i < WIDTH * DEPTH; i++) {
    uint32_t from = rand_r(seed) % 4 ? i / WIDTH * WIDTH - WIDTH : 0,
             width = i / WIDTH * WIDTH - from;
    text_printf(&t, "%s u%u (.A(n[%u]), .B(", gates[rand_r(seed) % 3], i,
                from + (uint32_t)rand_r(seed) % width);
    if (rand_r(seed) % 8 == 0) text_printf(&t, "a[%u]", (uint32_t)rand_r(seed) % WIDTH);
    else text_printf(&t, "n[%u]", from + (uint32_t)rand_r(seed) % width);
    text_printf(&t, "), .Y(n[%u]));\n", i);
  }
  text_put(&t, "endmodule\n");
  return t.at;
}

/* Shapes of trees: all nodes on the root, small, of several pins a node, and ones with many nodes
   between the pins. */
enum { STAR, SMALL, SHARED, MANY, SHAPES };
enum { MOST_NODES = 2000, MOST_PINS = 200 };

static void random_node(RcNode *nodes, uint32_t *count, int shape, unsigned *seed)
{
  /* now and then, one hangs on one of the last three */
  uint32_t i = *count, reach = i < 4 || rand_r(seed) % 3 ? i : 3;
  uint32_t parent = i == 0 ? NO_NODE : shape == STAR ? 0 : i - 1 - (uint32_t)rand_r(seed) % reach;
  nodes[(*count)++] = (RcNode){ parent, i ? (float)(rand_r(seed) % 3000) * 1e-3f : 0,
                                (float)(rand_r(seed) % 4000) * 1e-3f };
}

/* Nodes without a pin. */
static uint32_t more_nodes(int shape, unsigned *seed)
{
  bool large = rand_r(seed) % 8 == 0;
  uint32_t random = (uint32_t)rand_r(seed);
  return shape == MANY ? random % (large ? 1200 : 60) : shape == STAR && large ? random % 200 : 0;
}

/* Random trees; of some nets the file begins at a load, and some have no tree. */
static void random_tree(Parasitics *parasitics, const Small *small, NetId net, unsigned *seed)
{
  RcNode nodes[MOST_NODES];
  RcTap taps[MOST_PINS];
  int shape = rand_r(seed) % SHAPES;
  uint32_t count = 0, tap_count = 0, root = rand_r(seed) % 10 == 0, more = more_nodes(shape, seed);
  random_node(nodes, &count, shape, seed);
  while (more-- > 0) random_node(nodes, &count, shape, seed);
  NetPins it = net_pins(small->netlist, net, false);
  for (PinId pin; (pin = net_pins_next(&it)) != NO_PIN && tap_count < MOST_PINS;) {
    bool drives = netlist_pin_drives(small->netlist, pin);
    if ((!drives || root) && (shape != SHARED || rand_r(seed) % 2))
      random_node(nodes, &count, shape, seed);
    taps[tap_count++] = (RcTap){ pin, drives            ? root && count > 1
                                      : shape == SHARED ? (uint32_t)rand_r(seed) % count
                                                        : count - 1 };
  }
  parasitics_add(parasitics, small->netlist, small->netlist->nets.at[net].first_seg, nodes, count,
                 taps, tap_count, 0, (PieceNumbers){ 0 });
}

static Parasitics *random_wires(const Small *small, unsigned *seed)
{
  Parasitics *parasitics = parasitics_new();
  for (NetId net = 0; net < small->netlist->nets.len; net++)
    if (rand_r(seed) % 10) random_tree(parasitics, small, net, seed);
  return parasitics;
}

static void set_delay(PortDelay *delay, float early, float late)
{
  for (int k = 0; k < CONDITION_COUNT; k++) delay->delay[k] = k < 2 ? early : late;
}

static Small *random_small(unsigned seed, bool propagated)
{
  char *text = random_design(&seed);
  Small *small = small_new(text);
  ClockId c = small_clock(small, "c", 300, 0, 150, "clk");
  small->constraints->clocks.at[c].propagated = propagated;
  for (uint32_t i = 0; i < WIDTH; i += 3) {
    char name[20];
    snprintf(name, sizeof name, "a[%u]", i);
    set_delay(
        constraints_input_delay(small->constraints, small_pin(small, name), c, (int)(i & 1), false),
        (float)i, (float)(2 * i));
    snprintf(name, sizeof name, "y[%u]", i);
    set_delay(constraints_output_delay(small->constraints, small_pin(small, name), c, RISE, false),
              1, 20);
  }
  constraints_changed(small->constraints);
  small->parasitics = random_wires(small, &seed);
  mem_free(text);
  return small;
}

/* late: other parasitics for late delays; NULL: the same. */
static Timer *timer_with(Small *small, const Backend *backend, DelayModel model, bool credit,
                         const Parasitics *late)
{
  TimerInput in = { .netlist = small->netlist,
                    .libs = small->libs,
                    .constraints = small->constraints,
                    .parasitics = { small->parasitics, late ? late : small->parasitics } };
  Timer *timer = timer_new(&in, small->log);
  timer->threads = 1;
  timer_set_backend(timer, backend);
  timer_set_delay_model(timer, model);
  timer_set_common(timer, (CommonOptions){ .on = credit });
  CHECK(timer_update(timer, true) == OK);
  return timer;
}

static Timer *timer_on(Small *small, const Backend *backend, DelayModel model, bool credit)
{
  return timer_with(small, backend, model, credit, NULL);
}

static void both_with(Small *small, DelayModel model, bool credit, const Parasitics *late)
{
  Timer *cpu = timer_with(small, &cpu_backend, model, credit, late),
        *other = timer_with(small, &emulated_backend, model, credit, late);
  compare(other->timing, cpu->timing);
  CHECK(other->timing->device.report.name != NULL);
  timer_free(cpu);
  timer_free(other);
}

static void both(Small *small, DelayModel model, bool credit)
{
  both_with(small, model, credit, NULL);
}

static void test_models(void)
{
  for (int propagated = 0; propagated < 2; propagated++) {
    Small *small = random_small(3 + (unsigned)propagated, propagated);
    for (int m = 0; m < DELAY_MODEL_COUNT; m++) {
      both(small, m, false);
      both(small, m, true);
    }
    small_free(small);
  }
}

/* Each level its own kernel, as those of large designs have. */
static void test_wide(void)
{
  Small *small = random_small(5, true);
  for (int m = 0; m < DELAY_MODEL_COUNT; m++) {
    Timer *cpu = timer_on(small, &cpu_backend, m, true),
          *other = timer_on(small, &emulated_backend, m, true);
    EngineOptions options = engine_options_preset();
    options.narrow_level = 0;
    timer_set_engine_options(other, options);
    timer_set_delay_model(other, m);
    CHECK(timer_update(other, true) == OK);
    compare(other->timing, cpu->timing);
    timer_free(cpu);
    timer_free(other);
  }
  small_free(small);
}

static void test_order(void)
{
  Small *small = random_small(8, true);
  setenv("SLACKLINE_EMULATED", "reversed", 1);
  for (int m = 0; m < DELAY_MODEL_COUNT; m++) both(small, m, false);
  unsetenv("SLACKLINE_EMULATED");
  small_free(small);
}

static uint32_t all_drivers(const Graph *g, Slot *drivers)
{
  uint32_t count = 0;
  for (Slot i = 0; i < g->slots.count; i++)
    if (slot_is_driver(g, i)) drivers[count++] = i;
  return count;
}

/* Each class of trees is met by one of some designs. */
static void test_classes(void)
{
  uint32_t met[TREE_CLASSES] = { 0 };
  for (unsigned seed = 20; seed < 24; seed++) {
    Small *small = random_small(seed, true);
    both(small, DELAY_ELMORE, false);
    Timer *timer = timer_on(small, &cpu_backend, DELAY_ELMORE, false);
    Slot *drivers = mem_alloc(timer->graph->slots.count * sizeof *drivers),
         *rest = mem_alloc(timer->graph->slots.count * sizeof *rest);
    uint32_t count = all_drivers(timer->graph, drivers), left;
    Trees *trees = trees_new(timer->timing, SCHEDULE_PIN, drivers, count, rest, &left);
    for (int c = 0; c < TREE_CLASSES; c++)
      met[c] += trees->class_first[c + 1] - trees->class_first[c];
    CHECK(trees->tree_count + left == count);
    trees_free(trees);
    mem_free(drivers);
    mem_free(rest);
    timer_free(timer);
    small_free(small);
  }
  for (int c = 0; c < TREE_CLASSES; c++) CHECK(met[c] > 0);
}

/* Pairs of large capacitances that cancel each other, of which the sums' last bits tell the
   order. */
static void cancel(Parasitics *parasitics, unsigned *seed)
{
  parasitics->version++;
  for (uint32_t i = 0; i < parasitics->pieces.len; i++) {
    float large = 0;
    RcNode *node = parasitics->nodes.at + parasitics->pieces.at[i].first_node;
    for (uint32_t n = 0; n < parasitics->pieces.at[i].node_count; n++) {
      node[n].resistance = n ? 1 : 0;
      if (rand_r(seed) % 2) continue;
      large = large > 0 ? -large : (float)(1ull << (38 + rand_r(seed) % 4));
      node[n].cap = large;
      if (large < 0) large = 0;
    }
  }
}

/* Of nets that were reduced before: the trees on the device are replaced. */
static void test_order_of_sums(void)
{
  for (unsigned seed = 30; seed < 34; seed++) {
    Small *small = random_small(seed, true);
    Timer *cpu = timer_on(small, &cpu_backend, DELAY_ELMORE, false),
          *other = timer_on(small, &emulated_backend, DELAY_ELMORE, false);
    Slot *drivers = mem_alloc(cpu->graph->slots.count * sizeof *drivers);
    uint32_t count = all_drivers(cpu->graph, drivers);
    unsigned random = seed;
    cancel(small->parasitics, &random);
    cpu_backend.phases.reduce_nets(cpu->timing, drivers, count);
    emulated_backend.phases.reduce_nets(other->timing, drivers, count);
    CHECK(emulated_backend.residency->fetch(other->timing, NUMBERS_NETS));
    compare_nets(other->timing, cpu->timing);
    CHECK(other->timing->device.report.name != NULL);
    mem_free(drivers);
    timer_free(cpu);
    timer_free(other);
    small_free(small);
  }
}

/* Early and late delays with wires of their own. */
static void test_two_files(void)
{
  unsigned seed = 12;
  Small *small = random_small(11, true);
  Parasitics *late = random_wires(small, &seed);
  for (int m = 0; m < DELAY_MODEL_COUNT; m++) both_with(small, m, false, late);
  parasitics_free(late);
  small_free(small);
}

/* One message, the CPU's numbers; and the device again when there is room. */
static void test_memory(void)
{
  Small *small = random_small(9, false);
  setenv("SLACKLINE_EMULATED", "memory=20000", 1);
  Timer *cpu = timer_on(small, &cpu_backend, DELAY_CEFF, false),
        *other = timer_on(small, &emulated_backend, DELAY_CEFF, false);
  compare(other->timing, cpu->timing);
  CHECK(strstr(test_log_text(), "MB of device memory, and 0.0 MB are free (memory.cu, line ")
        != NULL);
  CHECK(strstr(strstr(test_log_text(), "CUDA-002") + 1, "CUDA-002") == NULL);
  CHECK(other->timing->device.report.name == NULL);
  CHECK(strstr(test_log_text(), other->timing->device.report.idle) != NULL
        && other->timing->device.report.idle[0]);
  unsetenv("SLACKLINE_EMULATED");
  timer_invalidate(other);
  CHECK(timer_update(other, true) == OK);
  compare(other->timing, cpu->timing);
  CHECK(other->timing->device.report.name != NULL && other->timing->device.report.idle[0] == '\0');
  timer_free(cpu);
  timer_free(other);
  small_free(small);
}

static uint32_t warnings_of_loss(void)
{
  uint32_t count = 0;
  for (const char *at = test_log_text(); (at = strstr(at, "CUDA-002")) != NULL; at++) count++;
  return count;
}

static void new_wire(Small *small, const char *pin_name, float cap)
{
  NetId net = netlist_pin_net(small->netlist, small_pin(small, pin_name));
  RcNode node = { NO_NODE, 0, cap };
  RcTap tap = { small_pin(small, pin_name), 0 };
  parasitics_add(small->parasitics, small->netlist, small->netlist->nets.at[net].first_seg, &node,
                 1, &tap, 1, 0, (PieceNumbers){ 0 });
}

/* An update, one whose numbers stay on the device, one after an edit, with the setting; the number
   of warnings. */
static uint32_t lose_at(const char *setting, bool credit)
{
  Small *small = random_small(13, true);
  Timer *cpu = timer_on(small, &cpu_backend, DELAY_CEFF, credit);
  setenv("SLACKLINE_EMULATED", setting, 1);
  Timer *other = timer_on(small, &emulated_backend, DELAY_CEFF, credit);
  compare(other->timing, cpu->timing);
  timer_invalidate(other);
  CHECK(timers_update(&other, 1, true, 0) == OK);
  new_wire(small, "u100/Y", 12);
  NetId net = netlist_pin_net(small->netlist, small_pin(small, "u100/Y"));
  timer_touch_net(cpu, net);
  timer_touch_net(other, net);
  CHECK(timer_update(cpu, true) == OK && timer_update(other, true) == OK);
  compare(other->timing, cpu->timing);
  uint32_t count = warnings_of_loss();
  timer_free(cpu);
  timer_free(other);
  small_free(small);
  unsetenv("SLACKLINE_EMULATED");
  return count;
}

/* Whichever operation fails: a warning in each full update at most, the CPU's numbers. */
static void test_lost(void)
{
  char setting[20];
  uint32_t told = 0;
  for (int credit = 0; credit < 2; credit++)
    for (int i = 1; i <= 12; i++) {
      snprintf(setting, sizeof setting, "lost=%d", i);
      uint32_t count = lose_at(setting, credit);
      CHECK(count <= 3);      /* in full updates: after a loss the third is one */
      told += count;
    }
  CHECK(told >= 12);
  CHECK(lose_at("fail=forward", false) >= 1);
  CHECK(lose_at("fail=backward", false) >= 1);
  CHECK(lose_at("fail=download", true) >= 1);
  CHECK(lose_at("fail=follow", false) >= 1);
  CHECK(lose_at("fail=wait", false) >= 1);
}

static unsigned away(const Timer *timer)
{
  return residency_away(&timer->timing->device.residency);
}

/* Nothing comes back before it is needed. */
static void test_fetched(void)
{
  Small *small = random_small(14, true);
  Timer *cpu = timer_on(small, &cpu_backend, DELAY_CEFF, false),
        *other = timer_on(small, &emulated_backend, DELAY_CEFF, false);
  timer_invalidate(other);
  CHECK(timers_update(&other, 1, true, NUMBERS_ENDS) == OK);
  CHECK(away(other) == (NUMBERS_ALL & ~(NUMBERS_ENDS | NUMBERS_LISTS)));
  CHECK(same(other->timing->end_slack, cpu->timing->end_slack,
             cpu->graph->ends.path_ends.len * sizeof *cpu->timing->end_slack));
  CHECK(timers_update(&other, 1, true, NUMBERS_ALL) == OK);
  CHECK(away(other) == 0);
  compare(other->timing, cpu->timing);
  timer_invalidate(other);
  CHECK(timers_update(&other, 1, true, 0) == OK);
  EngineOptions o = other->engine_options;
  o.schedule = SCHEDULE_NET;
  timer_set_engine_options(other, o);      /* drops what is on the device, but not the numbers */
  compare(other->timing, cpu->timing);
  timer_free(cpu);
  timer_free(other);
  small_free(small);
}

/* After an update in place the device's copies are old: a sweep of arrivals takes new ones. */
static void test_in_place(void)
{
  Small *small = random_small(10, true);
  Timer *cpu = timer_on(small, &cpu_backend, DELAY_CEFF, false),
        *other = timer_on(small, &emulated_backend, DELAY_CEFF, false);
  static const char *const pins[] = { "u100/Y", "b/Y", "r3/Q" };
  for (size_t i = 0; i < sizeof pins / sizeof *pins; i++) {
    NetId net = netlist_pin_net(small->netlist, small_pin(small, pins[i]));
    new_wire(small, pins[i], (float)(10 + i));
    timer_touch_net(cpu, net);
    timer_touch_net(other, net);
    CHECK(timer_update(cpu, true) == OK && timer_update(other, true) == OK);
    compare(other->timing, cpu->timing);
  }
  timer_free(cpu);
  timer_free(other);
  small_free(small);
}

/* False: it has no other strength. */
static bool swap_strength(Small *small, const char *name, Timer *cpu, Timer *other)
{
  static const char *const strengths[][2] = {
    { "AND2", "AND2X3" }, { "OR2", "OR2X3" }, { "AND2X3", "AND2" }, { "OR2X3", "OR2" }
  };
  CellId own = small->netlist->insts.at[small_inst(small, name)].master;
  for (size_t i = 0; i < sizeof strengths / sizeof *strengths; i++)
    if (own == small_cell(small, strengths[i][0]))
      return small_swap(small, name, strengths[i][1], cpu, other);
  return false;
}

/* A gate swapped for a stronger or weaker one, now and then for one that makes another graph, or a
   net with another tree. */
static void edit(Small *small, Timer *cpu, Timer *other, unsigned *seed)
{
  char name[20];
  uint32_t gate = WIDTH + (uint32_t)rand_r(seed) % (WIDTH * (DEPTH - 1));
  bool wire = rand_r(seed) % 3 == 0, other_graph = rand_r(seed) % 20 == 0;
  snprintf(name, sizeof name, "u%u", gate);
  if (other_graph && small_swap(small, name, "XOR2", cpu, other)) return;
  if (!wire && swap_strength(small, name, cpu, other)) return;
  snprintf(name, sizeof name, "u%u/Y", gate);
  NetId net = netlist_pin_net(small->netlist, small_pin(small, name));
  random_tree(small->parasitics, small, net, seed);
  timer_touch_net(cpu, net);
  timer_touch_net(other, net);
}

/* All numbers on the device, none here. */
static void leave_there(Timer *timer)
{
  if (away(timer)) return;
  timer_invalidate(timer);
  CHECK(timers_update(&timer, 1, true, 0) == OK);
}

static double worst_slack(const Timer *timer) { return end_slacks_of(timer->timing, LATE).worst; }

/* Edits one after the other with numbers on the device alone, now and then with slacks or their
   sums on both sides, now and then with all of them; how many were followed to their end. */
static uint32_t follow_edits(unsigned seed, uint32_t count)
{
  uint32_t followed = 0;
  Small *small = random_small(seed, seed % 2);
  DelayModel model = (DelayModel)(seed % 3);
  Timer *cpu = timer_on(small, &cpu_backend, model, false),
        *other = timer_on(small, &emulated_backend, model, false);
  for (uint32_t k = 0; k < count; k++) {
    unsigned groups = k % 10 == 9  ? NUMBERS_ALL
                      : k % 3 == 1 ? NUMBERS_ENDS
                      : k % 3 == 2 ? NUMBERS_SUMS
                                   : 0;
    leave_there(other);
    edit(small, cpu, other, &seed);
    other->timing->device.report.followed_drivers = 0;
    CHECK(timer_update(cpu, true) == OK && timers_update(&other, 1, true, groups) == OK);
    followed += other->timing->device.report.followed_drivers > 0;
    if (groups) CHECK(worst_slack(cpu) == worst_slack(other));
    if (groups == NUMBERS_ALL) compare(other->timing, cpu->timing);
  }
  timer_free(cpu);
  timer_free(other);
  small_free(small);
  return followed;
}

static void test_follow_edits(void)
{
  enum { SEEDS = 12, EDITS = 30 };
  uint32_t followed = 0;
  for (unsigned i = 0; i < SEEDS; i++) {
    if (i % 4 == 3) setenv("SLACKLINE_EMULATED", "reversed", 1);
    followed += follow_edits(40 + i, EDITS);
    unsetenv("SLACKLINE_EMULATED");
  }
  CHECK(followed > SEEDS * EDITS / 2);
}

/* More than so many drivers, of either way: everything is worked out again, or what goes backward,
   there, and is right. */
static void test_follow_gives_up(void)
{
  enum { SEEDS = 8, EDITS = 30 };
  char limit[20];
  for (unsigned i = 0; i < SEEDS; i++) {
    snprintf(limit, sizeof limit, "edits=%u", 1 + 2 * i);
    setenv("SLACKLINE_EMULATED", limit, 1);
    uint32_t followed = follow_edits(90 + i, EDITS);
    CHECK(followed < EDITS);
    if (i == SEEDS - 1) CHECK(followed > 0);
    unsetenv("SLACKLINE_EMULATED");
  }
}

/* Swaps of so many gates, then one update with all numbers, which must be the CPU's. Returns true
   if they were followed. */
static bool update_batch(Small *small, Timer *cpu, Timer *other, uint32_t most)
{
  char name[20];
  uint32_t swapped = 0;
  leave_there(other);
  for (uint32_t gate = WIDTH; gate < WIDTH * DEPTH && swapped < most; gate++) {
    snprintf(name, sizeof name, "u%u", gate);
    swapped += swap_strength(small, name, cpu, other);
  }
  CHECK(swapped > 0 && (most > WIDTH || swapped == most));
  other->timing->device.report.followed_drivers = 0;
  CHECK(timer_update(cpu, true) == OK && timers_update(&other, 1, true, NUMBERS_ALL) == OK);
  CHECK(worst_slack(cpu) == worst_slack(other));
  compare(other->timing, cpu->timing);
  return other->timing->device.report.followed_drivers > 0;
}

/* A few swaps are mostly followed together; with those of nearly all gates a whole update
   begins. */
static void test_batches(void)
{
  enum { SEEDS = 6 };
  uint32_t followed = 0;
  for (unsigned seed = 60; seed < 60 + SEEDS; seed++) {
    Small *small = random_small(seed, seed % 2);
    DelayModel model = (DelayModel)(seed % 3);
    Timer *cpu = timer_on(small, &cpu_backend, model, false),
          *other = timer_on(small, &emulated_backend, model, false);
    followed += update_batch(small, cpu, other, 3);
    CHECK(!update_batch(small, cpu, other, WIDTH * DEPTH));
    followed += update_batch(small, cpu, other, 2);
    timer_free(cpu);
    timer_free(other);
    small_free(small);
  }
  CHECK(followed > SEEDS);
}

/* Clocks are not followed: everything is worked out again, there, and is right. */
static void test_follow_stops(void)
{
  static const char *const pins[] = { "b/Y", "r3/Q", "clk", "a[3]" };
  Small *small = random_small(17, true);
  Timer *cpu = timer_on(small, &cpu_backend, DELAY_CEFF, false),
        *other = timer_on(small, &emulated_backend, DELAY_CEFF, false);
  for (size_t i = 0; i < sizeof pins / sizeof *pins; i++) {
    NetId net = netlist_pin_net(small->netlist, small_pin(small, pins[i]));
    timer_invalidate(other);
    CHECK(timers_update(&other, 1, true, 0) == OK);
    new_wire(small, pins[i], (float)(10 + i));
    timer_touch_net(cpu, net);
    timer_touch_net(other, net);
    other->timing->device.report.followed_drivers = 0;
    CHECK(timer_update(cpu, true) == OK && timers_update(&other, 1, true, 0) == OK);
    CHECK((other->timing->device.report.followed_drivers > 0) == (i == 1));
    CHECK(away(other) != 0);
    CHECK(timer_update(other, true) == OK);
    compare(other->timing, cpu->timing);
  }
  timer_free(cpu);
  timer_free(other);
  small_free(small);
}

/* Borrowing, and arrivals swept again with what is passed on. */
static void test_latch(void)
{
  Small *small =
      small_new("module top(clk, a, y); input clk, a; output y; wire q, n; LAT l (.G(clk), "
                ".D(a), .Q(q)); BUF u (.A(q), .Y(n));"
                " DFF r (.CK(clk), .D(n), .Q(y)); endmodule");
  ClockId c = small_clock(small, "c", 100, 0, 40, "clk");
  set_delay(constraints_input_delay(small->constraints, small_pin(small, "a"), c, FALL, false), 50,
            78);
  constraints_changed(small->constraints);
  both(small, DELAY_LUMPED, false);
  CHECK(strstr(test_log_text(), "no kernels") == NULL);
  small_free(small);
}

/* Small designs are the CPU's; larger ones too where there is no device. */
static void test_by_size(void)
{
  EngineOptions o = engine_options_preset();
  Text why = { 0 };
  CHECK(backend_by_size(&emulated_backend, &o, 0, &why) == &cpu_backend);
  CHECK(backend_by_size(&emulated_backend, &o, 19999, &why) == &cpu_backend);
  CHECK(strstr(text_get(&why), "auto: 19999 pins, a device is taken from 20000 on") != NULL);
  text_free(&why);
  CHECK(backend_by_size(&emulated_backend, &o, 20000, &why) == &emulated_backend);
  CHECK(strstr(text_get(&why), "run by the CPU (auto: 20000 pins, at least 20000)") != NULL);
  text_free(&why);
  setenv("SLACKLINE_EMULATED", "absent", 1);
  CHECK(backend_by_size(&emulated_backend, &o, 20000, &why) == &cpu_backend);
  CHECK(strcmp(text_get(&why), "auto: no CUDA device") == 0);
  unsetenv("SLACKLINE_EMULATED");
  text_free(&why);
}

void suite_device(void)
{
  CU_pSuite s = CU_add_suite("device/device", NULL, NULL);
  CU_add_test(s, "all delay models", test_models);
  CU_add_test(s, "no level is narrow", test_wide);
  CU_add_test(s, "classes of trees", test_classes);
  CU_add_test(s, "sums add in one order", test_order_of_sums);
  CU_add_test(s, "early and late parasitics", test_two_files);
  CU_add_test(s, "any order within a kernel", test_order);
  CU_add_test(s, "too little memory", test_memory);
  CU_add_test(s, "a device lost in mid-update", test_lost);
  CU_add_test(s, "results on demand", test_fetched);
  CU_add_test(s, "updates in place", test_in_place);
  CU_add_test(s, "edits followed", test_follow_edits);
  CU_add_test(s, "edits that reach too much", test_follow_gives_up);
  CU_add_test(s, "batches of swaps", test_batches);
  CU_add_test(s, "edits that are not followed", test_follow_stops);
  CU_add_test(s, "latch", test_latch);
  CU_add_test(s, "the choice by size", test_by_size);
}
