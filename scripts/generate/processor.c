/* Generates the processor-like design of scripts/example: fetch, decode, registers, execute and
   counters, as five modules below the top. */
#include "scripts/generate/processor.h"

enum { TOP, FETCH, DECODE, REGISTERS, EXECUTE, COUNTERS, UNITS };
static const char *const unit_names[UNITS] = { "top", "fetch", "decode", "regs", "exec", "count" };

enum { MAX_WIDTH = 64 };
typedef struct { Net at[MAX_WIDTH]; } Bus;

/* What the units know of each other. */
typedef struct {
  Block    b;
  uint32_t width, width_bits, index_bits, registers;
  Net      clk, rst_n, test, reset;            /* reset: synchronised, low active */
  Net      zero, one;
  Bus      instr, rdata;                       /* inputs */
  Bus      pc, ir, rd_exec, rd_write;          /* registers */
  Bus      left, right, imm, result, written;
  Bus      control;                            /* decoded, in the execute stage */
  Net      taken, write_enable;
} Cpu;

/* --- Registers: the output nets come first, so that logic may use them before it exists ------- */

static Bus new_register(Cpu *c, const char *name, uint32_t width)
{
  Bus q = { { 0 } };
  for (uint32_t i = 0; i < width; i++) q.at[i] = block_net(&c->b, "%s_%u", name, i);
  return q;
}

static void flop(Cpu *c, Kind kind, const char *name, uint32_t bit, Net d, Net clock, Net q)
{
  uint32_t cell = block_cell(&c->b, kind, "%s_reg_%u", name, bit);
  connect(&c->b, cell, 0, d);
  connect(&c->b, cell, 1, clock);
  if (kind != DFF && kind != LATCH) connect(&c->b, cell, 2, c->reset);
  connect(&c->b, cell, kind_info[kind].inputs, q);
}

static void close_register(Cpu *c, Kind kind, const char *name, uint32_t width, const Bus *d,
                           Net clock, const Bus *q)
{
  for (uint32_t i = 0; i < width; i++) flop(c, kind, name, i, d->at[i], clock, q->at[i]);
}

static Net gated_clock(Cpu *c, const char *name, uint32_t number, Net enable)
{
  uint32_t cell = block_cell(&c->b, ICG, "%s_gate_%u", name, number);
  Net y = block_net(&c->b, "%s_clk_%u", name, number);
  connect(&c->b, cell, 0, c->clk);
  connect(&c->b, cell, 1, enable);
  connect(&c->b, cell, 2, c->test);
  connect(&c->b, cell, 3, y);
  return y;
}

/* --- Logic ------------------------------------------------------------------------------------ */

/* And or or of many, as nand/nor trees of three. */
static Net tree(Cpu *c, bool all, const Net *in, uint32_t n)
{
  Net next[MAX_WIDTH];
  while (n > 1) {
    uint32_t m = 0;
    for (uint32_t i = 0; i < n; i += 3) {
      uint32_t k = n - i < 3 ? n - i : 3;
      if (k == 1) next[m++] = in[i];
      else if (k == 2) next[m++] = gate2(&c->b, all ? AND2 : OR2, in[i], in[i + 1]);
      else next[m++] =
          gate1(&c->b, INV, gate3(&c->b, all ? NAND3 : NOR3, in[i], in[i + 1], in[i + 2]));
    }
    in = next;
    n = m;
  }
  return in[0];
}

static Bus mux_bus(Cpu *c, const Bus *a, const Bus *b, Net select, uint32_t width)
{
  Bus y = { { 0 } };
  for (uint32_t i = 0; i < width; i++) y.at[i] = gate3(&c->b, MUX2, a->at[i], b->at[i], select);
  return y;
}

static Bus gate_bus(Cpu *c, Kind kind, const Bus *a, const Bus *b)
{
  Bus y = { { 0 } };
  for (uint32_t i = 0; i < c->width; i++) y.at[i] = gate2(&c->b, kind, a->at[i], b->at[i]);
  return y;
}

/* One of 2^bits for a number. */
static void decode(Cpu *c, const Net *in, uint32_t bits, Net *out)
{
  Net inverted[8], terms[8] = { 0 };
  for (uint32_t i = 0; i < bits; i++) inverted[i] = gate1(&c->b, INV, in[i]);
  for (uint32_t v = 0; v < 1u << bits; v++) {
    for (uint32_t i = 0; i < bits; i++) terms[i] = v >> i & 1 ? in[i] : inverted[i];
    out[v] = tree(c, true, terms, bits);
  }
}

static Net adder_bit(Cpu *c, Net a, Net b, Net carry, Net *sum)
{
  uint32_t cell = block_cell(&c->b, FA, "add%u", c->b.number);
  Net co = block_net(&c->b, "co%u", c->b.number);
  *sum = block_net(&c->b, "s%u", c->b.number++);
  connect(&c->b, cell, 0, a);
  connect(&c->b, cell, 1, b);
  connect(&c->b, cell, 2, carry);
  connect(&c->b, cell, 3, *sum);
  connect(&c->b, cell, 4, co);
  return co;
}

/* Carry select: groups of four bits for both carries, the true one chosen. */
static Bus adder(Cpu *c, const Bus *a, const Bus *b, Net carry)
{
  Bus y = { { 0 } };
  for (uint32_t g = 0; g < c->width; g += 4) {
    Net low = g ? c->zero : carry, high = c->one, other;
    for (uint32_t i = g; i < g + 4; i++) {
      low = adder_bit(c, a->at[i], b->at[i], low, &y.at[i]);
      if (g == 0) continue;
      high = adder_bit(c, a->at[i], b->at[i], high, &other);
      y.at[i] = gate3(&c->b, MUX2, y.at[i], other, carry);
    }
    if (g + 4 < c->width) carry = g ? gate3(&c->b, MUX2, low, high, carry) : low;
  }
  return y;
}

/* Adds one: each bit flips when all lower ones are set; the ands are a chain of groups of four. */
static Bus increment(Cpu *c, const Bus *a, uint32_t from, uint32_t width)
{
  Bus y = *a;
  Net carry = NONE, group = NONE;
  for (uint32_t i = from; i < width; i++) {
    y.at[i] = carry == NONE ? gate1(&c->b, INV, a->at[i]) : gate2(&c->b, XOR2, a->at[i], carry);
    if (i == width - 1) break;
    if ((i - from) % 4 == 3) {
      Net four = tree(c, true, &a->at[i - 3], 4);
      carry = group = group == NONE ? four : gate2(&c->b, AND2, group, four);
    } else {
      carry = carry == NONE ? a->at[i] : gate2(&c->b, AND2, carry, a->at[i]);
    }
  }
  return y;
}

static Bus shifter(Cpu *c, const Bus *a, const Bus *amount, Net fill)
{
  Bus y = *a;
  for (uint32_t s = 0; s < c->width_bits; s++) {
    Bus moved = { { 0 } };
    for (uint32_t i = 0; i < c->width; i++)
      moved.at[i] = i + (1u << s) < c->width ? y.at[i + (1u << s)] : fill;
    y = mux_bus(c, &y, &moved, amount->at[s], c->width);
  }
  return y;
}

static Net equal(Cpu *c, const Net *a, const Net *b, uint32_t n)
{
  Net same[MAX_WIDTH];
  for (uint32_t i = 0; i < n; i++) same[i] = gate2(&c->b, XNOR2, a[i], b[i]);
  return tree(c, true, same, n);
}

/* --- The units -------------------------------------------------------------------------------- */

static void make_ports(Cpu *c)
{
  Block *b = &c->b;
  c->clk = block_port(b, "clk", 0, 'I');
  c->rst_n = block_port(b, "rst_n", 0, 'I');
  c->test = block_port(b, "test", 0, 'I');
  Net instr = block_port(b, "instr", 32, 'I'), rdata = block_port(b, "rdata", c->width, 'I');
  for (uint32_t i = 0; i < 32; i++) c->instr.at[i] = instr + i;
  for (uint32_t i = 0; i < c->width; i++) c->rdata.at[i] = rdata + i;
}

static void make_output(Cpu *c, const char *name, const Bus *from, uint32_t width)
{
  c->b.unit = TOP;
  Net port = block_port(&c->b, name, width, 'O');
  for (uint32_t i = 0; i < width; i++) {
    uint32_t cell = block_cell(&c->b, BUF, "%s_out_%u", name, i);
    connect(&c->b, cell, 0, from->at[i]);
    connect(&c->b, cell, 1, port + i);
  }
}

/* Constants, and the reset: asserted at once, released after two clock edges. */
static void make_top(Cpu *c)
{
  Block *b = &c->b;
  b->unit = TOP;
  uint32_t tie0 = block_cell(b, TIE0, "zero"), tie1 = block_cell(b, TIE1, "one");
  connect(b, tie0, 0, c->zero = block_net(b, "const0"));
  connect(b, tie1, 0, c->one = block_net(b, "const1"));
  Net first = block_net(b, "reset_first"), second = block_net(b, "reset_second");
  c->reset = c->rst_n;
  flop(c, DFFR, "reset_sync", 0, c->one, c->clk, first);
  flop(c, DFFR, "reset_sync", 1, first, c->clk, second);
  c->reset = second;
}

/* The program counter: on, or to pc + imm. */
static void make_fetch(Cpu *c)
{
  c->b.unit = FETCH;
  Bus next = increment(c, &c->pc, 2, c->width);
  Bus target = adder(c, &c->pc, &c->imm, c->zero);
  next = mux_bus(c, &next, &target, c->taken, c->width);
  close_register(c, DFFR, "pc", c->width, &next, c->clk, &c->pc);
  close_register(c, DFFR, "ir", 32, &c->instr, c->clk, &c->ir);
}

/* Sixteen control lines out of the operation's bits, registered; the immediate value. */
static void make_decode(Cpu *c)
{
  Net lines[16];
  Bus control, imm;
  c->b.unit = DECODE;
  decode(c, &c->ir.at[2], 4, lines);
  for (uint32_t i = 0; i < 16; i++) {
    Net condition =
        gate3(&c->b, OAI21, c->ir.at[12 + i % 3], lines[(i + 5) % 16], lines[(i + 3) % 16]);
    control.at[i] = gate2(&c->b, i % 2 ? NAND2 : NOR2, lines[i], condition);
  }
  for (uint32_t i = 0; i < c->width; i++)
    imm.at[i] = gate3(&c->b, MUX2, c->ir.at[i < 12 ? 20 + i : 31], c->ir.at[i < 20 ? 12 + i : 31],
                      lines[3]);
  close_register(c, DFFR, "control", 16, &control, c->clk, &c->control);
  close_register(c, DFF, "imm", c->width, &imm, c->clk, &c->imm);
  Bus rd;
  for (uint32_t i = 0; i < c->index_bits; i++) rd.at[i] = c->ir.at[7 + i];
  close_register(c, DFFR, "rd_exec", c->index_bits, &rd, c->clk, &c->rd_exec);
}

/* One read port: a tree of multiplexers, then the bypass from what is being written. */
static Bus read_port(Cpu *c, const Bus *file, const Net *index)
{
  Bus level[32];
  for (uint32_t r = 0; r < c->registers; r++) level[r] = file[r];
  for (uint32_t bit = 0, n = c->registers; n > 1; bit++, n /= 2)
    for (uint32_t r = 0; r < n / 2; r++)
      level[r] = mux_bus(c, &level[2 * r], &level[2 * r + 1], index[bit], c->width);
  Net bypass = gate2(&c->b, AND2, equal(c, index, c->rd_write.at, c->index_bits), c->write_enable);
  return mux_bus(c, &level[0], &c->written, bypass, c->width);
}

static void make_registers(Cpu *c)
{
  Bus file[32];
  Net selected[32];
  char name[16];
  c->b.unit = REGISTERS;
  decode(c, c->rd_write.at, c->index_bits, selected);
  for (uint32_t r = 0; r < c->registers; r++) {
    snprintf(name, sizeof name, "x%u", r);
    file[r] = new_register(c, name, c->width);
    Net enable = gate2(&c->b, AND2, selected[r], c->write_enable);
    close_register(c, DFF, name, c->width, &c->written, gated_clock(c, "file", r, enable),
                   &file[r]);
  }
  Bus left = read_port(c, file, &c->ir.at[15]), right = read_port(c, file, &c->ir.at[20]);
  close_register(c, DFF, "left", c->width, &left, c->clk, &c->left);
  close_register(c, DFF, "right", c->width, &right, c->clk, &c->right);
}

/* Add or subtract, logic, shift.  The branch is decided here and reaches the program counter in the
   same cycle. */
static void make_execute(Cpu *c)
{
  Block *b = &c->b;
  b->unit = EXECUTE;
  const Net *k = c->control.at;
  Bus right = mux_bus(c, &c->right, &c->imm, k[0], c->width), inverted, logic, shifted, result;
  for (uint32_t i = 0; i < c->width; i++) inverted.at[i] = gate2(b, XOR2, right.at[i], k[1]);
  Bus sum = adder(c, &c->left, &inverted, k[1]);
  Bus both = gate_bus(c, NAND2, &c->left, &right), either = gate_bus(c, NOR2, &c->left, &right);
  for (uint32_t i = 0; i < c->width; i++)
    logic.at[i] = gate(b, AOI22, (Net[]){ both.at[i], k[2], either.at[i], k[3] });
  shifted = shifter(c, &c->left, &right, gate2(b, AND2, c->left.at[c->width - 1], k[4]));
  result = mux_bus(c, &logic, &shifted, k[5], c->width);
  result = mux_bus(c, &sum, &result, k[6], c->width);
  Net differs = tree(c, false, sum.at, c->width);
  Net less = gate3(b, AOI21, sum.at[c->width - 1], k[7], k[8]);
  Net condition = gate(b, OAI22, (Net[]){ differs, k[9], less, k[10] });
  connect(b, block_cell(b, AND2, "taken_and"), 2, c->taken);
  uint32_t last = b->n_cells - 1;
  connect(b, last, 0, condition);
  connect(b, last, 1, k[11]);
  close_register(c, DFF, "result", c->width, &result,
                 gated_clock(c, "result", 0, gate2(b, OR2, k[12], k[11])), &c->result);
  close_register(c, DFFR, "rd_write", c->index_bits, &c->rd_exec, c->clk, &c->rd_write);
  flop(c, DFFR, "write_enable", 0, gate2(b, OR2, k[13], k[15]), c->clk, c->write_enable);
  uint32_t mode = block_cell(b, DFFS, "from_memory_reg");
  connect(b, mode, 0, k[14]);
  connect(b, mode, 1, c->clk);
  connect(b, mode, 2, c->reset);
  Net from_memory = block_net(b, "from_memory");
  connect(b, mode, 3, from_memory);
  for (uint32_t i = 0; i < c->width; i++) {
    uint32_t cell = block_cell(b, MUX2, "write_mux_%u", i);
    connect(b, cell, 0, c->result.at[i]);
    connect(b, cell, 1, c->rdata.at[i]);
    connect(b, cell, 2, from_memory);
    connect(b, cell, 3, c->written.at[i]);
  }
}

/* A cycle counter, and eight bits of it held in latches while the clock is low. */
static Bus make_counters(Cpu *c)
{
  c->b.unit = COUNTERS;
  Bus cycle = new_register(c, "cycle", c->width), held = new_register(c, "held", 8), mixed;
  Bus next = increment(c, &cycle, 0, c->width);
  close_register(c, DFFR, "cycle", c->width, &next, c->clk, &cycle);
  for (uint32_t i = 0; i < 8; i++)
    mixed.at[i] = gate2(&c->b, XOR2, cycle.at[i], cycle.at[c->width - 1 - i]);
  close_register(c, LATCH, "held", 8, &mixed, c->clk, &held);
  return held;
}

static uint32_t log2_of(uint32_t n)
{
  uint32_t bits = 0;
  while (1u << bits < n) bits++;
  return bits;
}

static void build(Cpu *c)
{
  make_ports(c);
  make_top(c);
  c->pc = new_register(c, "pc", c->width);
  c->ir = new_register(c, "ir", 32);
  c->control = new_register(c, "control", 16);
  c->imm = new_register(c, "imm", c->width);
  c->rd_exec = new_register(c, "rd_exec", c->index_bits);
  c->rd_write = new_register(c, "rd_write", c->index_bits);
  c->left = new_register(c, "left", c->width);
  c->right = new_register(c, "right", c->width);
  c->result = new_register(c, "result", c->width);
  c->written = new_register(c, "written", c->width);
  c->taken = block_net(&c->b, "taken");
  c->write_enable = block_net(&c->b, "write_enable");
  make_fetch(c);
  make_decode(c);
  make_registers(c);
  make_execute(c);
  Bus held = make_counters(c);
  make_output(c, "iaddr", &c->pc, c->width);
  make_output(c, "daddr", &c->result, c->width);
  make_output(c, "wdata", &c->written, c->width);
  make_output(c, "debug", &held, 8);
}

void processor_write(const Processor *p, Files *files)
{
  Cpu c = { 0 };
  c.width = p->width;
  c.registers = p->registers;
  c.width_bits = log2_of(p->width);
  c.index_bits = log2_of(p->registers);
  c.b.unit_names = unit_names;
  c.b.n_units = UNITS;
  build(&c);
  block_buffer(&c.b, BUF, false, 12);
  block_buffer(&c.b, CKBUF, true, 10);
  block_size(&c.b, p->low_share, p->seed);
  if (files->verilog) verilog_design(files->verilog, &c.b, p->top);
  if (files->spef) {
    spef_header(files->spef, p->top);
    spef_design(files, &c.b);
  }
  if (files->sdc) sdc_design(files->sdc, &p->constraints, c.b.ports, c.b.n_ports);
  block_free(&c.b);
}
