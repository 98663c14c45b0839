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

void block_clear(Block *b)
{
  b->n_cells = b->n_nets = b->n_pins = b->n_texts = b->n_ports = 0;
}

void block_free(Block *b)
{
  free(b->cells);
  free(b->nets);
  free(b->pin_net);
  free(b->pin_cell);
  free(b->texts);
  free(b->sink_start);
  free(b->sinks);
}

static uint32_t keep_text(Block *b, const char *format, va_list args)
{
  char name[96];
  int n = vsnprintf(name, sizeof name, format, args);
  if (n < 0 || n >= (int)sizeof name) fail("a name too long: %s", name);
  while (b->n_texts + (uint32_t)n + 1 > b->max_texts) {
    b->max_texts = b->max_texts ? 2 * b->max_texts : 1 << 16;
    b->texts = allocate(b->texts, b->max_texts);
  }
  memcpy(b->texts + b->n_texts, name, (size_t)n + 1);
  b->n_texts += (uint32_t)n + 1;
  return b->n_texts - (uint32_t)n - 1;
}

const char *net_name(const Block *b, Net net) { return b->texts + b->nets[net].name; }
const char *cell_name(const Block *b, uint32_t cell) { return b->texts + b->cells[cell].name; }

Net block_net(Block *b, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  GROW(b->nets, b->n_nets, b->max_nets);
  b->nets[b->n_nets] = (NetInfo){ keep_text(b, format, args), NONE, 0 };
  va_end(args);
  return b->n_nets++;
}

uint32_t block_cell(Block *b, Kind kind, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  GROW(b->cells, b->n_cells, b->max_cells);
  b->cells[b->n_cells] =
      (Cell){ keep_text(b, format, args), b->n_pins, (uint8_t)kind, 1, (uint8_t)b->unit, 'r' };
  va_end(args);
  unsigned pins = kind_info[kind].inputs + kind_info[kind].outputs;
  while (b->n_pins + pins > b->max_pins) {
    b->max_pins = b->max_pins ? 2 * b->max_pins : 4096;
    b->pin_net = allocate(b->pin_net, b->max_pins * sizeof *b->pin_net);
    b->pin_cell = allocate(b->pin_cell, b->max_pins * sizeof *b->pin_cell);
  }
  for (unsigned i = 0; i < pins; i++, b->n_pins++) {
    b->pin_net[b->n_pins] = NONE;
    b->pin_cell[b->n_pins] = b->n_cells;
  }
  return b->n_cells++;
}

static bool is_output(const Block *b, uint32_t pin)
{
  const Cell *c = &b->cells[b->pin_cell[pin]];
  return pin - c->pin >= kind_info[c->kind].inputs;
}

void connect(Block *b, uint32_t cell, unsigned pin, Net net)
{
  uint32_t p = b->cells[cell].pin + pin;
  b->pin_net[p] = net;
  if (!is_output(b, p)) return;
  if (b->nets[net].driver != NONE || b->nets[net].port == 'I')
    fail("net %s has two drivers", net_name(b, net));
  b->nets[net].driver = p;
}

Net net_of(const Block *b, uint32_t cell, unsigned pin)
{
  return b->pin_net[b->cells[cell].pin + pin];
}

Net gate(Block *b, Kind kind, const Net *inputs)
{
  uint32_t cell = block_cell(b, kind, "g%u", b->number);
  unsigned n = kind_info[kind].inputs;
  for (unsigned i = 0; i < n; i++) connect(b, cell, i, inputs[i]);
  Net y = block_net(b, "n%u", b->number++);
  connect(b, cell, n, y);
  return y;
}

Net gate1(Block *b, Kind kind, Net a) { return gate(b, kind, (Net[]){ a }); }
Net gate2(Block *b, Kind kind, Net a, Net c) { return gate(b, kind, (Net[]){ a, c }); }
Net gate3(Block *b, Kind kind, Net a, Net c, Net d) { return gate(b, kind, (Net[]){ a, c, d }); }

Net block_port(Block *b, const char *name, uint32_t width, char direction)
{
  if (b->n_ports == sizeof b->ports / sizeof b->ports[0]) fail("too many ports");
  b->ports[b->n_ports++] = (Port){ name, width, direction };
  Net first = b->n_nets;
  if (width == 0) block_net(b, "%s", name);
  for (uint32_t i = 0; i < width; i++) block_net(b, "%s[%u]", name, i);
  for (Net n = first; n < b->n_nets; n++) b->nets[n].port = (uint8_t)direction;
  return first;
}

void block_index(Block *b)
{
  if (b->n_nets + 1 > b->max_sink_start) {
    b->max_sink_start = b->n_nets + 1;
    b->sink_start = allocate(b->sink_start, b->max_sink_start * sizeof *b->sink_start);
  }
  if (b->n_pins > b->max_sinks) {
    b->max_sinks = b->n_pins;
    b->sinks = allocate(b->sinks, b->max_sinks * sizeof *b->sinks);
  }
  uint32_t *start = b->sink_start;
  memset(start, 0, (b->n_nets + 1) * sizeof *start);
  for (uint32_t p = 0; p < b->n_pins; p++)
    if (b->pin_net[p] != NONE && !is_output(b, p)) start[b->pin_net[p]]++;
  uint32_t sum = 0;
  /* ends; filling backwards makes them starts */
  for (Net n = 0; n <= b->n_nets; n++) sum += start[n], start[n] = sum;
  for (uint32_t p = b->n_pins; p-- > 0;)
    if (b->pin_net[p] != NONE && !is_output(b, p)) b->sinks[--start[b->pin_net[p]]] = p;
}

/* The unit that all of the pins stand in, or the top. */
static uint32_t common_unit(const Block *b, const uint32_t *pins, uint32_t n)
{
  uint32_t unit = b->cells[b->pin_cell[pins[0]]].unit;
  for (uint32_t i = 1; i < n; i++)
    if (b->cells[b->pin_cell[pins[i]]].unit != unit) return 0;
  return unit;
}

/* One layer: each limit sinks of the net get a buffer. */
static void split_net(Block *b, Kind buffer, Net net, uint32_t limit)
{
  uint32_t first = b->sink_start[net], n = b->sink_start[net + 1] - first;
  uint32_t groups = (n + limit - 1) / limit;
  for (uint32_t g = 0; g < groups; g++) {
    uint32_t from = first + (uint32_t)((uint64_t)n * g / groups),
             to = first + (uint32_t)((uint64_t)n * (g + 1) / groups);
    b->unit = common_unit(b, b->sinks + from, to - from);
    Net y = gate1(b, buffer, net);
    for (uint32_t i = from; i < to; i++) b->pin_net[b->sinks[i]] = y;
  }
}

static bool is_clock_pin(const Block *b, uint32_t pin)
{
  const Cell *c = &b->cells[b->pin_cell[pin]];
  const char *name = kind_info[c->kind].pins[pin - c->pin];
  return c->kind == CKBUF || strcmp(name, "CK") == 0 || strcmp(name, "G") == 0;
}

void block_buffer(Block *b, Kind buffer, bool clocks, uint32_t limit)
{
  for (bool again = true; again;) {
    again = false;
    block_index(b);
    uint32_t nets = b->n_nets;
    for (Net n = 0; n < nets; n++) {
      uint32_t start = b->sink_start[n];
      if (b->sink_start[n + 1] - start <= limit
          || is_clock_pin(b, b->sinks[start]) != clocks)
        continue;
      split_net(b, buffer, n, limit);
      again = true;
    }
  }
}

void block_size(Block *b, double low_share, uint64_t seed)
{
  Random r = random_of(seed, 0x517e);
  block_index(b);
  for (uint32_t i = 0; i < b->n_cells; i++) {
    Cell *c = &b->cells[i];
    if (kind_info[c->kind].inputs == 0) continue;
    Net n = net_of(b, i, kind_info[c->kind].inputs);
    uint32_t fanout = n == NONE ? 0 : b->sink_start[n + 1] - b->sink_start[n];
    bool clock = c->kind == CKBUF || c->kind == ICG;
    c->drive = clock ? 4 : fanout <= 2 ? 1 : fanout <= 5 ? 2 : 4;
    c->vt = !clock && random_unit(&r) < low_share ? 'l' : 'r';
  }
}
