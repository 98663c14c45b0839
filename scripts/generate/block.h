/* A block of netlist that fits into memory: cells, the nets of their pins, and ports.  The writers
   (write.h) read it.

   Nets and pins are numbers.  The pins of a cell are consecutive: inputs first, then outputs, in
   the order of its kind.  A cell's unit is the number of the module that contains it: 0 is the top;
   the others are one level below. */
#ifndef GENERATE_BLOCK_H
#define GENERATE_BLOCK_H

#include <stdbool.h>

#include "scripts/generate/out.h"

typedef enum {
  INV, BUF, CKBUF, NAND2, NAND3, NAND4, NOR2, NOR3, AND2, OR2, XOR2, XNOR2,
  AOI21, AOI22, OAI21, OAI22, MUX2, FA,
  DFF, DFFR, DFFS, LATCH, ICG, TIE0, TIE1, KINDS
} Kind;

typedef struct {
  const char *name;
  uint8_t     inputs, outputs;
  const char *pins[5];
} KindInfo;
extern const KindInfo kind_info[KINDS];

#define NONE UINT32_MAX
typedef uint32_t Net;

typedef struct {
  uint32_t name;           /* offset in texts */
  uint32_t pin;            /* its first */
  uint8_t  kind, drive, unit;
  char     vt;             /* 'r' or 'l' */
} Cell;

typedef struct {
  uint32_t name;
  uint32_t driver;         /* pin, or NONE: an input port */
  uint8_t  port;           /* 0 none, 'I', 'O' */
} NetInfo;

/* A top level port; width 0 is a scalar.  Bit i is the net named "name[i]". */
typedef struct {
  const char *name;
  uint32_t    width;
  char        direction;
} Port;

typedef struct {
  Cell     *cells;
  NetInfo  *nets;
  Net      *pin_net;
  uint32_t *pin_cell;
  char     *texts;
  Port      ports[16];
  uint32_t  n_cells, n_nets, n_pins, n_texts, n_ports;
  uint32_t  max_cells, max_nets, max_pins, max_texts;
  uint32_t  unit;          /* of the cells to come */
  uint32_t  number;        /* of the next name without a better one */
  const char *const *unit_names;
  uint32_t  n_units;
  uint32_t *sink_start, *sinks;     /* CSR over nets, of pins; by block_index */
  uint32_t  max_sink_start, max_sinks;
} Block;

void block_clear(Block *block);              /* keeps the memory */
void block_free(Block *block);

Net         block_net(Block *block, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *net_name(const Block *block, Net net);
const char *cell_name(const Block *block, uint32_t cell);

/* Adds a cell with unconnected pins. */
uint32_t block_cell(Block *block, Kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void     connect(Block *block, uint32_t cell, unsigned pin, Net net);
Net      net_of(const Block *block, uint32_t cell, unsigned pin);

/* A gate with its inputs and a new output net; name "gN". */
Net gate(Block *block, Kind kind, const Net *inputs);
Net gate1(Block *block, Kind kind, Net a);
Net gate2(Block *block, Kind kind, Net a, Net c);
Net gate3(Block *block, Kind kind, Net a, Net c, Net d);

/* A port, its nets named as its bits; returns the first net (the others follow). */
Net block_port(Block *block, const char *name, uint32_t width, char direction);

/* Fills sink_start and sinks; needed before writing. */
void block_index(Block *block);

/* Inserts buffers on nets with more than limit sinks, in as many layers as needed: on clock nets
   (nets whose loads are clock pins), or on the others. */
void block_buffer(Block *block, Kind buffer, bool clocks, uint32_t limit);
/* Chooses each cell's drive by its fan-out, and gives a share of cells (0..1) the low threshold. */
void block_size(Block *block, double low_share, uint64_t seed);

#endif
