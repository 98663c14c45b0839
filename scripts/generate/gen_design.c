/* gen_design: makes designs in the cells of the example library (scripts/gen_library), to try
   Slackline on. */
#include <stdlib.h>
#include <string.h>

#include "scripts/generate/processor.h"
#include "scripts/generate/random.h"

typedef struct {
  const char *kind;
  const char *verilog, *spef, *sdc, *top, *wires;
  double seed, coupled, low_share, period, uncertainty;
  double width, registers;
  double cells, cluster, depth, flops, resets, gated, hot, hot_share;
  double clock_fanout, clock_levels, widest, inputs, outputs, links;
} Options;

/* An option's value is a text or a number from low to high. */
typedef struct {
  const char *name, *value, *help;
  const char **text;
  double     *number, low, high;
} Option;

enum { MAX_OPTIONS = 32 };

static int list_options(Options *options, Option *list)
{
  const Option all[] = {
    { "kind", "KIND", "processor (the default) or random", &options->kind, NULL, 0, 0 },
    { "verilog", "FILE", "netlist to write; names that end in .gz are compressed",
      &options->verilog, NULL, 0, 0 },
    { "spef", "FILE", "parasitics to write", &options->spef, NULL, 0, 0 },
    { "sdc", "FILE", "constraints to write", &options->sdc, NULL, 0, 0 },
    { "top", "NAME", "name of the top module", &options->top, NULL, 0, 0 },
    { "seed", "N", "same seed and options, same bytes (1)", NULL, &options->seed, 0, 1e15 },
    { "period", "NS", "clock period; 0: one that the slow corner just misses (0)", NULL,
      &options->period, 0, 1e6 },
    { "uncertainty", "NS", "of the clock, for setup; hold gets half (0.03)", NULL,
      &options->uncertainty, 0, 1e6 },
    { "wires", "KIND",
      "tree (the default), or star: each load has a wire of its own, and none couples",
      &options->wires, NULL, 0, 0 },
    { "coupled", "SHARE", "of pairs of nets with a coupling capacitor (0.3)", NULL,
      &options->coupled, 0, 1 },
    { "low-vt", "SHARE", "of cells with the low threshold (0.15)", NULL, &options->low_share, 0,
      1 },
    { "width", "BITS", "processor: data width, a power of two (32)", NULL, &options->width, 16,
      64 },
    { "registers", "N", "processor: register file, a power of two (16)", NULL, &options->registers,
      4, 32 },
    { "cells", "N", "random: about so many cells (100000)", NULL, &options->cells, 100, 2e9 },
    { "cluster", "N", "random: cells of a cluster (20000)", NULL, &options->cluster, 100, 1e7 },
    { "depth", "N", "random: levels of gates between flip-flops (20)", NULL, &options->depth, 1,
      1000 },
    { "flops", "SHARE", "random: of cells that are flip-flops (0.15)", NULL, &options->flops, 0.001,
      0.6 },
    { "resets", "SHARE", "random: of flip-flops with reset (0.25)", NULL, &options->resets, 0, 1 },
    { "gated", "SHARE", "random: of clock leaves that are clock gates (0.3)", NULL, &options->gated,
      0, 1 },
    { "hot", "SHARE", "random: of nets with a high fan-out (0.005)", NULL, &options->hot, 0, 1 },
    { "hot-share", "SHARE", "random: of free gate inputs that hang on those (0.1)", NULL,
      &options->hot_share, 0, 1 },
    { "clock-fanout", "N", "random: flip-flops of a clock leaf (20)", NULL, &options->clock_fanout,
      2, 1e6 },
    { "clock-levels", "N", "random: of the clock tree; 0: as the fan-out gives (0)", NULL,
      &options->clock_levels, 0, 16 },
    { "largest-net", "N", "random: loads of one reset net, 0: none (0)", NULL, &options->widest, 0,
      4e9 },
    { "inputs", "N", "random: input ports (64)", NULL, &options->inputs, 0, 1e6 },
    { "outputs", "N", "random: output ports (64)", NULL, &options->outputs, 0, 1e6 },
    { "links", "N", "random: nets from each cluster to others (200)", NULL, &options->links, 0,
      1e6 },
  };
  memcpy(list, all, sizeof all);
  return sizeof all / sizeof all[0];
}

static void usage(const Option *list, int n, FILE *out)
{
  fputs("usage: gen_design [--option value]...\n\n"
        "Makes a design in the example library's cells.\n\n", out);
  for (int i = 0; i < n; i++)
    fprintf(out, "  --%-13s %-6s  %s\n", list[i].name, list[i].value, list[i].help);
}

static void wrong(const char *format, const char *word)
{
  fprintf(stderr, "gen_design: ");
  fprintf(stderr, format, word);
  fprintf(stderr, "; --help lists the options\n");
  exit(2);
}

static void set(const Option *option, const char *value)
{
  char *end;
  if (option->text) {
    *option->text = value;
    return;
  }
  *option->number = strtod(value, &end);
  if (end == value || *end) wrong("not a number: %s", value);
  if (!(*option->number >= option->low && *option->number <= option->high))
    wrong("out of range: --%s", option->name);
}

static const Option *find(const Option *list, int n, const char *word)
{
  for (int i = 0; i < n; i++)
    if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, list[i].name) == 0) return &list[i];
  wrong("no such option: %s", word);
  return NULL;
}

static void parse(Options *options, int argc, char **argv)
{
  Option list[MAX_OPTIONS];
  int n = list_options(options, list);
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      usage(list, n, stdout);
      exit(0);
    }
    const Option *option = find(list, n, argv[i]);
    if (++i == argc) wrong("a value is missing after %s", argv[i - 1]);
    set(option, argv[i]);
  }
}

static void make_processor(const Options *options, Files *files, Constraints c)
{
  uint32_t width = (uint32_t)options->width, registers = (uint32_t)options->registers;
  if (width & (width - 1)) wrong("not a power of two: %s", "--width");
  if (registers & (registers - 1)) wrong("not a power of two: %s", "--registers");
  processor_write(&(Processor){ options->top, (uint64_t)options->seed, width, registers,
                                options->low_share, c },
                  files);
}

static void make_random(const Options *options, Files *files, Constraints c)
{
  random_write(&(Recipe){ .top = options->top,
                          .seed = (uint64_t)options->seed,
                          .cells = (uint64_t)options->cells,
                          .cluster = (uint32_t)options->cluster,
                          .depth = (uint32_t)options->depth,
                          .flops = options->flops,
                          .resets = options->resets,
                          .gated = options->gated,
                          .hot = options->hot,
                          .hot_share = options->hot_share,
                          .clock_fanout = (uint32_t)options->clock_fanout,
                          .clock_levels = (uint32_t)options->clock_levels,
                          .widest = (uint32_t)options->widest,
                          .inputs = (uint32_t)options->inputs,
                          .outputs = (uint32_t)options->outputs,
                          .links = (uint32_t)options->links,
                          .low_share = options->low_share,
                          .constraints = c },
               files);
}

int main(int argc, char **argv)
{
  Options o = {
    .kind = "processor", .top = "block", .wires = "tree", .seed = 1, .coupled = 0.3,
    .low_share = 0.15, .period = 0, .uncertainty = 0.03, .width = 32, .registers = 16,
    .cells = 1e5, .cluster = 2e4, .depth = 20, .flops = 0.15, .resets = 0.25, .gated = 0.3,
    .hot = 0.005, .hot_share = 0.1, .clock_fanout = 20, .inputs = 64, .outputs = 64, .links = 200,
  };
  parse(&o, argc, argv);
  bool processor = strcmp(o.kind, "processor") == 0;
  if (!processor && strcmp(o.kind, "random") != 0) wrong("no such kind: %s", o.kind);
  int star = strcmp(o.wires, "star") == 0;
  if (!star && strcmp(o.wires, "tree") != 0) wrong("no such wires: %s", o.wires);
  if (!o.verilog && !o.spef && !o.sdc)
    wrong("nothing to write; give --verilog, --spef or --sdc%s", "");
  Files f = {
    .verilog = o.verilog ? out_open(o.verilog) : NULL, .spef = o.spef ? out_open(o.spef) : NULL,
    .sdc = o.sdc ? out_open(o.sdc) : NULL, .seed = (uint64_t)o.seed, .coupled = o.coupled,
    .star = star,
  };
  double tight = processor ? 3.5 : 0.6 + 0.165 * o.depth;
  Constraints c = { o.period > 0 ? o.period : tight, o.uncertainty, "clk", "rst_n" };
  if (processor) make_processor(&o, &f, c);
  else make_random(&o, &f, c);
  if (f.verilog) out_close(f.verilog);
  if (f.spef) out_close(f.spef);
  if (f.sdc) out_close(f.sdc);
  free(f.node_cap);
  return 0;
}
