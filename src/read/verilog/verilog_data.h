/* Parsed modules: the parser makes them, and the linker reads them.

   Each net of a module is a run of local bits, numbered from 0 in order of appearance. The bits of
   a bus go from its left bound to its right bound. An expression is a ref, one word:

     REF_NONE                 nothing (an open pin, x and z bits)
     REF_LIST | i             a list at lists[i]: a count, then as many runs (first bit, length),
                              left to right; a length with RUN_SAME repeats one bit (replication,
                              constants)
     any other                that local bit

   Instances form a stream of words, with 8 bytes for each connection:

     master name, instance name, line, count [| INST_POSITIONAL], then count times (port name, ref),
     or count times ref if positional */
#ifndef SL_READ_VERILOG_VERILOG_DATA_H
#define SL_READ_VERILOG_VERILOG_DATA_H

#include "base/hash.h"
#include "base/memory.h"
#include "db/netlist.h"
#include "read/verilog/verilog.h"

#define REF_NONE        UINT32_MAX
#define REF_LIST        0x80000000u
#define RUN_SAME        0x80000000u
#define INST_POSITIONAL 0x80000000u

typedef struct {
  uint32_t first;            /* local bit, or REF_NONE */
  uint32_t length;           /* possibly with RUN_SAME */
} VerilogRun;

typedef struct {
  NameId   name;
  uint8_t  direction;        /* Direction; DIR_UNKNOWN: not declared */
  bool     is_bus;
  int32_t  from, to;         /* of a bus */
  uint32_t ref;              /* the bits inside */
} VerilogPort;

typedef struct {
  NameId   name;
  uint32_t first;            /* local bit of `from` */
  int32_t  from, to;
} VerilogBus;

typedef struct { uint32_t a, b; } VerilogJoin;              /* local bits that an assign joins */
typedef struct { uint32_t bit, flags; } VerilogTie;         /* flags: NET_... */
typedef struct { uint32_t word; NameId file; } VerilogPlace; /* instances from this word on are in
                                                                this file */

typedef struct {
  NameId   name;
  NameId   file;
  uint32_t line;
  bool     is_stub;          /* it has nothing but ports */
  bool     has_specify;
  uint32_t undirected_count; /* number of ports with DIR_UNKNOWN; their connections show the
                                direction */
  NameId   undirected;       /* the first of them */
  uint32_t zero_bit;         /* the local bit that stands for constants 0 in connections; REF_NONE
                                if not needed */
  uint32_t one_bit;
  uint32_t inst_count;
  ARRAY(VerilogPort) ports;
  ARRAY(NameId) bits;        /* names of the local bits; NO_NAME for bits of buses until
                                verilog_name_bits */
  ARRAY(VerilogBus) buses;
  ARRAY(uint32_t) words;     /* instances */
  ARRAY(uint32_t) lists;
  ARRAY(VerilogJoin) joins;
  ARRAY(VerilogTie) ties;
  ARRAY(VerilogPlace) places;
} VerilogModule;

/* Things that are counted while a file is read. Most of them draw one warning at its end. */
typedef enum {
  TALLY_UNKNOWN,
  TALLY_PARAMETER,
  TALLY_DELAY,
  TALLY_ESCAPED,
  TALLY_WIDTH,
  TALLY_WIRED,
  TALLY_ATTRIBUTE,
  TALLY_DIRECTIVE,
  TALLY_SPECIFY,
  TALLY_IGNORED,
  TALLY_VECTORED,
  TALLY_CUT,
  TALLY_COUNT
} TallyKind;

struct VerilogFiles {
  Names *names;
  ARRAY(VerilogModule *) modules;
  Map *by_name;              /* NameId -> index in modules */
  uint8_t *keyword;          /* by NameId below keyword_count: Keyword */
  uint32_t keyword_count;
  uint32_t tally[TALLY_COUNT];   /* over all files without errors */
};

/* One instance of the stream. */
typedef struct {
  NameId   master, name;
  uint32_t line, count;
  bool     positional;
  const uint32_t *words;     /* its connections */
} VerilogInst;

/* Reads the instance at *at and moves past it. */
static inline VerilogInst verilog_next_inst(const VerilogModule *module, uint32_t *at)
{
  const uint32_t *w = module->words.at + *at;
  VerilogInst inst = { w[0], w[1], w[2], w[3] & ~INST_POSITIONAL, (w[3] & INST_POSITIONAL) != 0,
                       w + 4 };
  *at += 4 + inst.count * (inst.positional ? 1 : 2);
  return inst;
}

static inline NameId verilog_conn_port(const VerilogInst *inst, uint32_t k)
{
  return inst->positional ? NO_NAME : inst->words[2 * k];
}
static inline uint32_t verilog_conn_ref(const VerilogInst *inst, uint32_t k)
{
  return inst->words[inst->positional ? k : 2 * k + 1];
}

/* verilog_expand lists the bits of a ref, left to right, with REF_NONE for open bits. It empties
   `bits` first. */
typedef ARRAY(uint32_t) VerilogBits;
void     verilog_expand(const VerilogModule *module, uint32_t ref, VerilogBits *bits);
uint32_t verilog_width(const VerilogModule *module, uint32_t ref);

VerilogModule *verilog_find_module(const VerilogFiles *files, NameId name);     /* NULL */
/* Adds the names of all bus bits ("a[3]"). */
void verilog_name_bits(VerilogModule *module, Names *names);
/* Returns the place of the instance that begins at a word. */
Where verilog_where(const VerilogModule *module, const Names *names, uint32_t word, uint32_t line);

VerilogModule *verilog_module_new(void);
void           verilog_module_free(VerilogModule *module);
size_t         verilog_module_bytes(const VerilogModule *module);

static inline uint32_t verilog_bus_width(int32_t from, int32_t to)
{
  return (uint32_t)(from > to ? (int64_t)from - to : (int64_t)to - from) + 1;
}

#endif
