/* Parsed modules, as the parser leaves them and the linker reads them.

   Every net of a module is a run of *local bits*, counted from 0 in order of appearance; a bus lies
   from its left bound to its right one.  An expression is a *ref*, one word:

     REF_NONE                 nothing (an open pin, x and z bits)
     REF_LIST | i             a list at lists[i]: a count, then as many runs (first bit, length), left to right;
                              a length with RUN_SAME repeats the one bit (replication, constants)
     any other                that local bit

   Instances are a stream of words, 8 bytes for each connection:

     master name, instance name, line, count [| INST_POSITIONAL], then count times  port name, ref  (or ref alone) */
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
  uint32_t length;           /* maybe with RUN_SAME */
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

typedef struct { uint32_t a, b; } VerilogJoin;              /* local bits made one by an assign */
typedef struct { uint32_t bit, flags; } VerilogTie;         /* flags: NET_... */
typedef struct { uint32_t word; NameId file; } VerilogPlace; /* instances from this word on are in
                                                                that file */

typedef struct {
  NameId   name;
  NameId   file;
  uint32_t line;
  bool     is_stub;          /* nothing but ports */
  bool     has_specify;
  uint32_t undirected_count; /* ports whose direction is DIR_UNKNOWN: connections show it */
  NameId   undirected;       /* the first of them */
  uint32_t zero_bit;         /* what constants 0 in connections stand for; REF_NONE: none needed */
  uint32_t one_bit;
  uint32_t inst_count;
  ARRAY(VerilogPort) ports;
  ARRAY(NameId) bits;        /* names of the local bits; NO_NAME for those of buses until
                                verilog_name_bits */
  ARRAY(VerilogBus) buses;
  ARRAY(uint32_t) words;     /* instances */
  ARRAY(uint32_t) lists;
  ARRAY(VerilogJoin) joins;
  ARRAY(VerilogTie) ties;
  ARRAY(VerilogPlace) places;
} VerilogModule;

/* Things that are counted while a file is read, and most of them told once at its end. */
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
  uint32_t tally[TALLY_COUNT];   /* over all files that were read without error */
};

/* One instance of the stream. */
typedef struct {
  NameId   master, name;
  uint32_t line, count;
  bool     positional;
  const uint32_t *words;     /* of its connections */
} VerilogInst;

/* Reads the instance at *at and moves past it. */
static inline VerilogInst verilog_next_inst(const VerilogModule *m, uint32_t *at)
{
  const uint32_t *w = m->words.at + *at;
  VerilogInst inst = { w[0], w[1], w[2], w[3] & ~INST_POSITIONAL, (w[3] & INST_POSITIONAL) != 0,
                       w + 4 };
  *at += 4 + inst.count * (inst.positional ? 1 : 2);
  return inst;
}

static inline NameId verilog_conn_port(const VerilogInst *i, uint32_t k)
{
  return i->positional ? NO_NAME : i->words[2 * k];
}
static inline uint32_t verilog_conn_ref(const VerilogInst *i, uint32_t k)
{
  return i->words[i->positional ? k : 2 * k + 1];
}

/* The bits of a ref, left to right, REF_NONE for open ones; `bits` is emptied first. */
typedef ARRAY(uint32_t) VerilogBits;
void     verilog_expand(const VerilogModule *m, uint32_t ref, VerilogBits *bits);
uint32_t verilog_width(const VerilogModule *m, uint32_t ref);

VerilogModule *verilog_find_module(const VerilogFiles *files, NameId name);     /* NULL */
/* Enters the names of all bus bits ("a[3]"). */
void verilog_name_bits(VerilogModule *m, Names *names);
/* Where the instance at a word is. */
Where verilog_where(const VerilogModule *m, const Names *names, uint32_t word, uint32_t line);

VerilogModule *verilog_module_new(void);
void           verilog_module_free(VerilogModule *m);
size_t         verilog_module_bytes(const VerilogModule *m);

static inline uint32_t verilog_bus_width(int32_t from, int32_t to)
{
  return (uint32_t)(from > to ? (int64_t)from - to : (int64_t)to - from) + 1;
}

#endif
