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

static Bus new_register(Cpu *cpu, const char *name, uint32_t width)
{
  Bus q = { { 0 } };
  for (uint32_t i = 0; i < width; i++) q.at[i] = block_net(&cpu->b, "%s_%u", name, i);
  return q;
}

static void flop(Cpu *cpu, Kind kind, const char *name, uint32_t bit, Net d, Net clock, Net q)
{
  uint32_t cell = block_cell(&cpu->b, kind, "%s_reg_%u", name, bit);
  connect(&cpu->b, cell, 0, d);
  connect(&cpu->b, cell, 1, clock);
  if (kind != DFF && kind != LATCH) connect(&cpu->b, cell, 2, cpu->reset);
  connect(&cpu->b, cell, kind_info[kind].inputs, q);
}

static void close_register(Cpu *cpu, Kind kind, const char *name, uint32_t width, const Bus *bus,
                           Net clock, const Bus *the_bus)
{
  for (uint32_t i = 0; i < width; i++) flop(cpu, kind, name, i, bus->at[i], clock, the_bus->at[i]);
}

static Net gated_clock(Cpu *cpu, const char *name, uint32_t number, Net enable)
{
  uint32_t cell = block_cell(&cpu->b, ICG, "%s_gate_%u", name, number);
  Net y = block_net(&cpu->b, "%s_clk_%u", name, number);
  connect(&cpu->b, cell, 0, cpu->clk);
  connect(&cpu->b, cell, 1, enable);
  connect(&cpu->b, cell, 2, cpu->test);
  connect(&cpu->b, cell, 3, y);
  return y;
}

/* --- Logic ------------------------------------------------------------------------------------ */

/* And or or of many, as nand/nor trees of three. */
static Net tree(Cpu *cpu, bool all, const Net *in, uint32_t n)
{
  Net next[MAX_WIDTH];
  while (n > 1) {
    uint32_t m = 0;
    for (uint32_t i = 0; i < n; i += 3) {
      uint32_t k = n - i < 3 ? n - i : 3;
      if (k == 1) next[m++] = in[i];
      else if (k == 2) next[m++] = gate2(&cpu->b, all ? AND2 : OR2, in[i], in[i + 1]);
      else next[m++] =
          gate1(&cpu->b, INV, gate3(&cpu->b, all ? NAND3 : NOR3, in[i], in[i + 1], in[i + 2]));
    }
    in = next;
    n = m;
  }
  return in[0];
}

static Bus mux_bus(Cpu *cpu, const Bus *a, const Bus *b, Net select, uint32_t width)
{
  Bus y = { { 0 } };
  for (uint32_t i = 0; i < width; i++) y.at[i] = gate3(&cpu->b, MUX2, a->at[i], b->at[i], select);
  return y;
}

static Bus gate_bus(Cpu *cpu, Kind kind, const Bus *a, const Bus *b)
{
  Bus y = { { 0 } };
  for (uint32_t i = 0; i < cpu->width; i++) y.at[i] = gate2(&cpu->b, kind, a->at[i], b->at[i]);
  return y;
}

/* One of 2^bits for a number. */
static void decode(Cpu *cpu, const Net *in, uint32_t bits, Net *out)
{
  Net inverted[8], terms[8] = { 0 };
  for (uint32_t i = 0; i < bits; i++) inverted[i] = gate1(&cpu->b, INV, in[i]);
  for (uint32_t v = 0; v < 1u << bits; v++) {
    for (uint32_t i = 0; i < bits; i++) terms[i] = v >> i & 1 ? in[i] : inverted[i];
    out[v] = tree(cpu, true, terms, bits);
  }
}

static Net adder_bit(Cpu *cpu, Net a, Net b, Net carry, Net *sum)
{
  uint32_t cell = block_cell(&cpu->b, FA, "add%u", cpu->b.number);
  Net co = block_net(&cpu->b, "co%u", cpu->b.number);
  *sum = block_net(&cpu->b, "s%u", cpu->b.number++);
  connect(&cpu->b, cell, 0, a);
  connect(&cpu->b, cell, 1, b);
  connect(&cpu->b, cell, 2, carry);
  connect(&cpu->b, cell, 3, *sum);
  connect(&cpu->b, cell, 4, co);
  return co;
}

/* Carry select: groups of four bits for both carries, the true one chosen. */
static Bus adder(Cpu *cpu, const Bus *a, const Bus *b, Net carry)
{
  Bus y = { { 0 } };
  for (uint32_t g = 0; g < cpu->width; g += 4) {
    Net low = g ? cpu->zero : carry, high = cpu->one, other;
    for (uint32_t i = g; i < g + 4; i++) {
      low = adder_bit(cpu, a->at[i], b->at[i], low, &y.at[i]);
      if (g == 0) continue;
      high = adder_bit(cpu, a->at[i], b->at[i], high, &other);
      y.at[i] = gate3(&cpu->b, MUX2, y.at[i], other, carry);
    }
    if (g + 4 < cpu->width) carry = g ? gate3(&cpu->b, MUX2, low, high, carry) : low;
  }
  return y;
}

/* Adds one: each bit flips when all lower ones are set; the ands are a chain of groups of four. */
static Bus increment(Cpu *cpu, const Bus *bus, uint32_t from, uint32_t width)
{
  Bus y = *bus;
  Net carry = NONE, group = NONE;
  for (uint32_t i = from; i < width; i++) {
    y.at[i] =
        carry == NONE ? gate1(&cpu->b, INV, bus->at[i]) : gate2(&cpu->b, XOR2, bus->at[i], carry);
    if (i == width - 1) break;
    if ((i - from) % 4 == 3) {
      Net four = tree(cpu, true, &bus->at[i - 3], 4);
      carry = group = group == NONE ? four : gate2(&cpu->b, AND2, group, four);
    } else {
      carry = carry == NONE ? bus->at[i] : gate2(&cpu->b, AND2, carry, bus->at[i]);
    }
  }
  return y;
}

static Bus shifter(Cpu *cpu, const Bus *bus, const Bus *amount, Net fill)
{
  Bus y = *bus;
  for (uint32_t s = 0; s < cpu->width_bits; s++) {
    Bus moved = { { 0 } };
    for (uint32_t i = 0; i < cpu->width; i++)
      moved.at[i] = i + (1u << s) < cpu->width ? y.at[i + (1u << s)] : fill;
    y = mux_bus(cpu, &y, &moved, amount->at[s], cpu->width);
  }
  return y;
}

static Net equal(Cpu *cpu, const Net *a, const Net *b, uint32_t n)
{
  Net same[MAX_WIDTH];
  for (uint32_t i = 0; i < n; i++) same[i] = gate2(&cpu->b, XNOR2, a[i], b[i]);
  return tree(cpu, true, same, n);
}

/* --- The units -------------------------------------------------------------------------------- */

static void make_ports(Cpu *cpu)
{
  Block *block = &cpu->b;
  cpu->clk = block_port(block, "clk", 0, 'I');
  cpu->rst_n = block_port(block, "rst_n", 0, 'I');
  cpu->test = block_port(block, "test", 0, 'I');
  Net instr = block_port(block, "instr", 32, 'I'),
      rdata = block_port(block, "rdata", cpu->width, 'I');
  for (uint32_t i = 0; i < 32; i++) cpu->instr.at[i] = instr + i;
  for (uint32_t i = 0; i < cpu->width; i++) cpu->rdata.at[i] = rdata + i;
}

static void make_output(Cpu *cpu, const char *name, const Bus *from, uint32_t width)
{
  cpu->b.unit = TOP;
  Net port = block_port(&cpu->b, name, width, 'O');
  for (uint32_t i = 0; i < width; i++) {
    uint32_t cell = block_cell(&cpu->b, BUF, "%s_out_%u", name, i);
    connect(&cpu->b, cell, 0, from->at[i]);
    connect(&cpu->b, cell, 1, port + i);
  }
}

/* Constants, and the reset: asserted at once, released after two clock edges. */
static void make_top(Cpu *cpu)
{
  Block *block = &cpu->b;
  block->unit = TOP;
  uint32_t tie0 = block_cell(block, TIE0, "zero"), tie1 = block_cell(block, TIE1, "one");
  connect(block, tie0, 0, cpu->zero = block_net(block, "const0"));
  connect(block, tie1, 0, cpu->one = block_net(block, "const1"));
  Net first = block_net(block, "reset_first"), second = block_net(block, "reset_second");
  cpu->reset = cpu->rst_n;
  flop(cpu, DFFR, "reset_sync", 0, cpu->one, cpu->clk, first);
  flop(cpu, DFFR, "reset_sync", 1, first, cpu->clk, second);
  cpu->reset = second;
}

/* The program counter: on, or to pc + imm. */
static void make_fetch(Cpu *cpu)
{
  cpu->b.unit = FETCH;
  Bus next = increment(cpu, &cpu->pc, 2, cpu->width);
  Bus target = adder(cpu, &cpu->pc, &cpu->imm, cpu->zero);
  next = mux_bus(cpu, &next, &target, cpu->taken, cpu->width);
  close_register(cpu, DFFR, "pc", cpu->width, &next, cpu->clk, &cpu->pc);
  close_register(cpu, DFFR, "ir", 32, &cpu->instr, cpu->clk, &cpu->ir);
}

/* Sixteen control lines out of the operation's bits, registered; the immediate value. */
static void make_decode(Cpu *cpu)
{
  Net lines[16];
  Bus control, imm;
  cpu->b.unit = DECODE;
  decode(cpu, &cpu->ir.at[2], 4, lines);
  for (uint32_t i = 0; i < 16; i++) {
    Net condition =
        gate3(&cpu->b, OAI21, cpu->ir.at[12 + i % 3], lines[(i + 5) % 16], lines[(i + 3) % 16]);
    control.at[i] = gate2(&cpu->b, i % 2 ? NAND2 : NOR2, lines[i], condition);
  }
  for (uint32_t i = 0; i < cpu->width; i++)
    imm.at[i] = gate3(&cpu->b, MUX2, cpu->ir.at[i < 12 ? 20 + i : 31],
                      cpu->ir.at[i < 20 ? 12 + i : 31], lines[3]);
  close_register(cpu, DFFR, "control", 16, &control, cpu->clk, &cpu->control);
  close_register(cpu, DFF, "imm", cpu->width, &imm, cpu->clk, &cpu->imm);
  Bus rd;
  for (uint32_t i = 0; i < cpu->index_bits; i++) rd.at[i] = cpu->ir.at[7 + i];
  close_register(cpu, DFFR, "rd_exec", cpu->index_bits, &rd, cpu->clk, &cpu->rd_exec);
}

/* One read port: a tree of multiplexers, then the bypass from what is being written. */
static Bus read_port(Cpu *cpu, const Bus *file, const Net *index)
{
  Bus level[32];
  for (uint32_t r = 0; r < cpu->registers; r++) level[r] = file[r];
  for (uint32_t bit = 0, n = cpu->registers; n > 1; bit++, n /= 2)
    for (uint32_t r = 0; r < n / 2; r++)
      level[r] = mux_bus(cpu, &level[2 * r], &level[2 * r + 1], index[bit], cpu->width);
  Net bypass =
      gate2(&cpu->b, AND2, equal(cpu, index, cpu->rd_write.at, cpu->index_bits), cpu->write_enable);
  return mux_bus(cpu, &level[0], &cpu->written, bypass, cpu->width);
}

static void make_registers(Cpu *cpu)
{
  Bus file[32];
  Net selected[32];
  char name[16];
  cpu->b.unit = REGISTERS;
  decode(cpu, cpu->rd_write.at, cpu->index_bits, selected);
  for (uint32_t r = 0; r < cpu->registers; r++) {
    snprintf(name, sizeof name, "x%u", r);
    file[r] = new_register(cpu, name, cpu->width);
    Net enable = gate2(&cpu->b, AND2, selected[r], cpu->write_enable);
    close_register(cpu, DFF, name, cpu->width, &cpu->written, gated_clock(cpu, "file", r, enable),
                   &file[r]);
  }
  Bus left = read_port(cpu, file, &cpu->ir.at[15]), right = read_port(cpu, file, &cpu->ir.at[20]);
  close_register(cpu, DFF, "left", cpu->width, &left, cpu->clk, &cpu->left);
  close_register(cpu, DFF, "right", cpu->width, &right, cpu->clk, &cpu->right);
}

/* Add or subtract, logic, shift.  The branch is decided here and reaches the program counter in the
   same cycle. */
static void make_execute(Cpu *cpu)
{
  Block *block = &cpu->b;
  block->unit = EXECUTE;
  const Net *net = cpu->control.at;
  Bus right = mux_bus(cpu, &cpu->right, &cpu->imm, net[0], cpu->width), inverted, logic, shifted,
      result;
  for (uint32_t i = 0; i < cpu->width; i++)
    inverted.at[i] = gate2(block, XOR2, right.at[i], net[1]);
  Bus sum = adder(cpu, &cpu->left, &inverted, net[1]);
  Bus both = gate_bus(cpu, NAND2, &cpu->left, &right),
      either = gate_bus(cpu, NOR2, &cpu->left, &right);
  for (uint32_t i = 0; i < cpu->width; i++)
    logic.at[i] = gate(block, AOI22, (Net[]){ both.at[i], net[2], either.at[i], net[3] });
  shifted =
      shifter(cpu, &cpu->left, &right, gate2(block, AND2, cpu->left.at[cpu->width - 1], net[4]));
  result = mux_bus(cpu, &logic, &shifted, net[5], cpu->width);
  result = mux_bus(cpu, &sum, &result, net[6], cpu->width);
  Net differs = tree(cpu, false, sum.at, cpu->width);
  Net less = gate3(block, AOI21, sum.at[cpu->width - 1], net[7], net[8]);
  Net condition = gate(block, OAI22, (Net[]){ differs, net[9], less, net[10] });
  connect(block, block_cell(block, AND2, "taken_and"), 2, cpu->taken);
  uint32_t last = block->n_cells - 1;
  connect(block, last, 0, condition);
  connect(block, last, 1, net[11]);
  close_register(cpu, DFF, "result", cpu->width, &result,
                 gated_clock(cpu, "result", 0, gate2(block, OR2, net[12], net[11])), &cpu->result);
  close_register(cpu, DFFR, "rd_write", cpu->index_bits, &cpu->rd_exec, cpu->clk, &cpu->rd_write);
  flop(cpu, DFFR, "write_enable", 0, gate2(block, OR2, net[13], net[15]), cpu->clk,
       cpu->write_enable);
  uint32_t mode = block_cell(block, DFFS, "from_memory_reg");
  connect(block, mode, 0, net[14]);
  connect(block, mode, 1, cpu->clk);
  connect(block, mode, 2, cpu->reset);
  Net from_memory = block_net(block, "from_memory");
  connect(block, mode, 3, from_memory);
  for (uint32_t i = 0; i < cpu->width; i++) {
    uint32_t cell = block_cell(block, MUX2, "write_mux_%u", i);
    connect(block, cell, 0, cpu->result.at[i]);
    connect(block, cell, 1, cpu->rdata.at[i]);
    connect(block, cell, 2, from_memory);
    connect(block, cell, 3, cpu->written.at[i]);
  }
}

/* A cycle counter, and eight bits of it held in latches while the clock is low. */
static Bus make_counters(Cpu *cpu)
{
  cpu->b.unit = COUNTERS;
  Bus cycle = new_register(cpu, "cycle", cpu->width), held = new_register(cpu, "held", 8), mixed;
  Bus next = increment(cpu, &cycle, 0, cpu->width);
  close_register(cpu, DFFR, "cycle", cpu->width, &next, cpu->clk, &cycle);
  for (uint32_t i = 0; i < 8; i++)
    mixed.at[i] = gate2(&cpu->b, XOR2, cycle.at[i], cycle.at[cpu->width - 1 - i]);
  close_register(cpu, LATCH, "held", 8, &mixed, cpu->clk, &held);
  return held;
}

static uint32_t log2_of(uint32_t n)
{
  uint32_t bits = 0;
  while (1u << bits < n) bits++;
  return bits;
}

static void build(Cpu *cpu)
{
  make_ports(cpu);
  make_top(cpu);
  cpu->pc = new_register(cpu, "pc", cpu->width);
  cpu->ir = new_register(cpu, "ir", 32);
  cpu->control = new_register(cpu, "control", 16);
  cpu->imm = new_register(cpu, "imm", cpu->width);
  cpu->rd_exec = new_register(cpu, "rd_exec", cpu->index_bits);
  cpu->rd_write = new_register(cpu, "rd_write", cpu->index_bits);
  cpu->left = new_register(cpu, "left", cpu->width);
  cpu->right = new_register(cpu, "right", cpu->width);
  cpu->result = new_register(cpu, "result", cpu->width);
  cpu->written = new_register(cpu, "written", cpu->width);
  cpu->taken = block_net(&cpu->b, "taken");
  cpu->write_enable = block_net(&cpu->b, "write_enable");
  make_fetch(cpu);
  make_decode(cpu);
  make_registers(cpu);
  make_execute(cpu);
  Bus held = make_counters(cpu);
  make_output(cpu, "iaddr", &cpu->pc, cpu->width);
  make_output(cpu, "daddr", &cpu->result, cpu->width);
  make_output(cpu, "wdata", &cpu->written, cpu->width);
  make_output(cpu, "debug", &held, 8);
}

void processor_write(const Processor *processor, Files *files)
{
  Cpu c = { 0 };
  c.width = processor->width;
  c.registers = processor->registers;
  c.width_bits = log2_of(processor->width);
  c.index_bits = log2_of(processor->registers);
  c.b.unit_names = unit_names;
  c.b.n_units = UNITS;
  build(&c);
  block_buffer(&c.b, BUF, false, 12);
  block_buffer(&c.b, CKBUF, true, 10);
  block_size(&c.b, processor->low_share, processor->seed);
  if (files->verilog) verilog_design(files->verilog, &c.b, processor->top);
  if (files->spef) {
    spef_header(files->spef, processor->top);
    spef_design(files, &c.b);
  }
  if (files->sdc) sdc_design(files->sdc, &processor->constraints, c.b.ports, c.b.n_ports);
  block_free(&c.b);
}
