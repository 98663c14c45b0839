/* Blocks of a generated design: nets, cells and ports inside one module, with helpers for gates,
   buffer trees and nets that cross blocks. See block.h. */
#include "scripts/generate/block.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const KindInfo kind_info[KINDS] = {
  [INV] = { "inv", 1, 1, { "A", "Y" } },
  [BUF] = { "buf", 1, 1, { "A", "Y" } },
  [CKBUF] = { "ckbuf", 1, 1, { "A", "Y" } },
  [NAND2] = { "nand2", 2, 1, { "A", "B", "Y" } },
  [NAND3] = { "nand3", 3, 1, { "A", "B", "C", "Y" } },
  [NAND4] = { "nand4", 4, 1, { "A", "B", "C", "D", "Y" } },
  [NOR2] = { "nor2", 2, 1, { "A", "B", "Y" } },
  [NOR3] = { "nor3", 3, 1, { "A", "B", "C", "Y" } },
  [AND2] = { "and2", 2, 1, { "A", "B", "Y" } },
  [OR2] = { "or2", 2, 1, { "A", "B", "Y" } },
  [XOR2] = { "xor2", 2, 1, { "A", "B", "Y" } },
  [XNOR2] = { "xnor2", 2, 1, { "A", "B", "Y" } },
  [AOI21] = { "aoi21", 3, 1, { "A", "B", "C", "Y" } },
  [AOI22] = { "aoi22", 4, 1, { "A", "B", "C", "D", "Y" } },
  [OAI21] = { "oai21", 3, 1, { "A", "B", "C", "Y" } },
  [OAI22] = { "oai22", 4, 1, { "A", "B", "C", "D", "Y" } },
  [MUX2] = { "mux2", 3, 1, { "A", "B", "S", "Y" } },
  [FA] = { "fa", 3, 2, { "A", "B", "CI", "S", "CO" } },
  [DFF] = { "dff", 2, 1, { "D", "CK", "Q" } },
  [DFFR] = { "dffr", 3, 1, { "D", "CK", "RN", "Q" } },
  [DFFS] = { "dffs", 3, 1, { "D", "CK", "SN", "Q" } },
  [LATCH] = { "latch", 2, 1, { "D", "G", "Q" } },
  [ICG] = { "icg", 3, 1, { "CK", "E", "TE", "GCK" } },
  [TIE0] = { "tie0", 0, 1, { "Y" } },
  [TIE1] = { "tie1", 0, 1, { "Y" } },
};

/* Makes room for one more element. */
#define GROW(array, count, max)                                  \
  do {                                                           \
    if ((count) >= (max)) {                                      \
      (max) = (max) ? 2 * (max) : 1024;                          \
      (array) = allocate((array), (max) * sizeof *(array));      \
    }                                                            \
  } while (0)

void block_clear(Block *block)
{
  block->n_cells = block->n_nets = block->n_pins = block->n_texts = block->n_ports = 0;
}

void block_free(Block *block)
{
  free(block->cells);
  free(block->nets);
  free(block->pin_net);
  free(block->pin_cell);
  free(block->texts);
  free(block->sink_start);
  free(block->sinks);
}

static uint32_t keep_text(Block *block, const char *format, va_list args)
{
  char name[96];
  int n = vsnprintf(name, sizeof name, format, args);
  if (n < 0 || n >= (int)sizeof name) fail("a name too long: %s", name);
  while (block->n_texts + (uint32_t)n + 1 > block->max_texts) {
    block->max_texts = block->max_texts ? 2 * block->max_texts : 1 << 16;
    block->texts = allocate(block->texts, block->max_texts);
  }
  memcpy(block->texts + block->n_texts, name, (size_t)n + 1);
  block->n_texts += (uint32_t)n + 1;
  return block->n_texts - (uint32_t)n - 1;
}

const char *net_name(const Block *block, Net net) { return block->texts + block->nets[net].name; }
const char *cell_name(const Block *block, uint32_t cell)
{
  return block->texts + block->cells[cell].name;
}

Net block_net(Block *block, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  GROW(block->nets, block->n_nets, block->max_nets);
  block->nets[block->n_nets] = (NetInfo){ keep_text(block, format, args), NONE, 0 };
  va_end(args);
  return block->n_nets++;
}

uint32_t block_cell(Block *block, Kind kind, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  GROW(block->cells, block->n_cells, block->max_cells);
  block->cells[block->n_cells] = (Cell){
    keep_text(block, format, args), block->n_pins, (uint8_t)kind, 1, (uint8_t)block->unit, 'r'
  };
  va_end(args);
  unsigned pins = kind_info[kind].inputs + kind_info[kind].outputs;
  while (block->n_pins + pins > block->max_pins) {
    block->max_pins = block->max_pins ? 2 * block->max_pins : 4096;
    block->pin_net = allocate(block->pin_net, block->max_pins * sizeof *block->pin_net);
    block->pin_cell = allocate(block->pin_cell, block->max_pins * sizeof *block->pin_cell);
  }
  for (unsigned i = 0; i < pins; i++, block->n_pins++) {
    block->pin_net[block->n_pins] = NONE;
    block->pin_cell[block->n_pins] = block->n_cells;
  }
  return block->n_cells++;
}

static bool is_output(const Block *block, uint32_t pin)
{
  const Cell *cell = &block->cells[block->pin_cell[pin]];
  return pin - cell->pin >= kind_info[cell->kind].inputs;
}

void connect(Block *block, uint32_t cell, unsigned pin, Net net)
{
  uint32_t p = block->cells[cell].pin + pin;
  block->pin_net[p] = net;
  if (!is_output(block, p)) return;
  if (block->nets[net].driver != NONE || block->nets[net].port == 'I')
    fail("net %s has two drivers", net_name(block, net));
  block->nets[net].driver = p;
}

Net net_of(const Block *block, uint32_t cell, unsigned pin)
{
  return block->pin_net[block->cells[cell].pin + pin];
}

Net gate(Block *block, Kind kind, const Net *inputs)
{
  uint32_t cell = block_cell(block, kind, "g%u", block->number);
  unsigned n = kind_info[kind].inputs;
  for (unsigned i = 0; i < n; i++) connect(block, cell, i, inputs[i]);
  Net y = block_net(block, "n%u", block->number++);
  connect(block, cell, n, y);
  return y;
}

Net gate1(Block *block, Kind kind, Net a) { return gate(block, kind, (Net[]){ a }); }
Net gate2(Block *block, Kind kind, Net a, Net c) { return gate(block, kind, (Net[]){ a, c }); }
Net gate3(Block *block, Kind kind, Net a, Net c, Net d)
{
  return gate(block, kind, (Net[]){ a, c, d });
}

Net block_port(Block *block, const char *name, uint32_t width, char direction)
{
  if (block->n_ports == sizeof block->ports / sizeof block->ports[0]) fail("too many ports");
  block->ports[block->n_ports++] = (Port){ name, width, direction };
  Net first = block->n_nets;
  if (width == 0) block_net(block, "%s", name);
  for (uint32_t i = 0; i < width; i++) block_net(block, "%s[%u]", name, i);
  for (Net n = first; n < block->n_nets; n++) block->nets[n].port = (uint8_t)direction;
  return first;
}

void block_index(Block *block)
{
  if (block->n_nets + 1 > block->max_sink_start) {
    block->max_sink_start = block->n_nets + 1;
    block->sink_start =
        allocate(block->sink_start, block->max_sink_start * sizeof *block->sink_start);
  }
  if (block->n_pins > block->max_sinks) {
    block->max_sinks = block->n_pins;
    block->sinks = allocate(block->sinks, block->max_sinks * sizeof *block->sinks);
  }
  uint32_t *start = block->sink_start;
  memset(start, 0, (block->n_nets + 1) * sizeof *start);
  for (uint32_t p = 0; p < block->n_pins; p++)
    if (block->pin_net[p] != NONE && !is_output(block, p)) start[block->pin_net[p]]++;
  uint32_t sum = 0;
  /* ends; filling backwards makes them starts */
  for (Net n = 0; n <= block->n_nets; n++) sum += start[n], start[n] = sum;
  for (uint32_t p = block->n_pins; p-- > 0;)
    if (block->pin_net[p] != NONE && !is_output(block, p))
      block->sinks[--start[block->pin_net[p]]] = p;
}

/* The unit that all of the pins stand in, or the top. */
static uint32_t common_unit(const Block *block, const uint32_t *pins, uint32_t n)
{
  uint32_t unit = block->cells[block->pin_cell[pins[0]]].unit;
  for (uint32_t i = 1; i < n; i++)
    if (block->cells[block->pin_cell[pins[i]]].unit != unit) return 0;
  return unit;
}

/* One layer: each limit sinks of the net get a buffer. */
static void split_net(Block *block, Kind buffer, Net net, uint32_t limit)
{
  uint32_t first = block->sink_start[net], n = block->sink_start[net + 1] - first;
  uint32_t groups = (n + limit - 1) / limit;
  for (uint32_t g = 0; g < groups; g++) {
    uint32_t from = first + (uint32_t)((uint64_t)n * g / groups),
             to = first + (uint32_t)((uint64_t)n * (g + 1) / groups);
    block->unit = common_unit(block, block->sinks + from, to - from);
    Net y = gate1(block, buffer, net);
    for (uint32_t i = from; i < to; i++) block->pin_net[block->sinks[i]] = y;
  }
}

static bool is_clock_pin(const Block *block, uint32_t pin)
{
  const Cell *cell = &block->cells[block->pin_cell[pin]];
  const char *name = kind_info[cell->kind].pins[pin - cell->pin];
  return cell->kind == CKBUF || strcmp(name, "CK") == 0 || strcmp(name, "G") == 0;
}

void block_buffer(Block *block, Kind buffer, bool clocks, uint32_t limit)
{
  for (bool again = true; again;) {
    again = false;
    block_index(block);
    uint32_t nets = block->n_nets;
    for (Net n = 0; n < nets; n++) {
      uint32_t start = block->sink_start[n];
      if (block->sink_start[n + 1] - start <= limit
          || is_clock_pin(block, block->sinks[start]) != clocks)
        continue;
      split_net(block, buffer, n, limit);
      again = true;
    }
  }
}

void block_size(Block *block, double low_share, uint64_t seed)
{
  Random r = random_of(seed, 0x517e);
  block_index(block);
  for (uint32_t i = 0; i < block->n_cells; i++) {
    Cell *cell = &block->cells[i];
    if (kind_info[cell->kind].inputs == 0) continue;
    Net n = net_of(block, i, kind_info[cell->kind].inputs);
    uint32_t fanout = n == NONE ? 0 : block->sink_start[n + 1] - block->sink_start[n];
    bool clock = cell->kind == CKBUF || cell->kind == ICG;
    cell->drive = clock ? 4 : fanout <= 2 ? 1 : fanout <= 5 ? 2 : 4;
    cell->vt = !clock && random_unit(&r) < low_share ? 'l' : 'r';
  }
}
