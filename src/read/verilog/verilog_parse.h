/* The state of the Verilog parser, shared by its files. */
#ifndef SL_READ_VERILOG_VERILOG_PARSE_H
#define SL_READ_VERILOG_VERILOG_PARSE_H

#include "read/verilog/verilog_data.h"
#include "read/verilog/verilog_lex.h"

/* Constants in runs, before they are encoded. */
#define RUN_ZERO (UINT32_MAX - 1)
#define RUN_ONE  (UINT32_MAX - 2)

/* The meaning of a name in the module being read. The stamps are numbers of modules, so nothing is
   cleared between modules. */
typedef struct {
  uint32_t net;              /* number of the module in which it is a net */
  uint32_t inst;             /* number of the module in which it is an instance */
  uint32_t value;            /* local bit, or IS_BUS | index in buses */
} Local;

#define IS_BUS 0x80000000u

/* A declaration of a direction. `used` is set once the port list names it. */
typedef struct {
  NameId  name;
  uint8_t direction;
  bool    used;
} Directed;

/* A port in the module's header, before its nets are declared. */
typedef struct {
  NameId   name;
  uint32_t first_item, item_count;
} HeadPort;

typedef struct {
  NameId  name;
  bool    has_select, escaped;
  int32_t from, to;
} HeadItem;

/* Kinds of names in Parser.kinds: parameters, and signed nets. */
enum { NAME_PARAMETER, NAME_SIGNED };

typedef struct {
  Lexer         lex;
  VerilogFiles *files;
  Names        *names;
  Log          *log;
  ARRAY(VerilogModule *) done;
  ARRAY(Local) locals;               /* by NameId */
  uint32_t module_number;
  uint64_t bus_bits, list_words;     /* totals of the file; they bound hostile files */
  Tally    tallies[TALLY_COUNT];

  /* the module being read */
  VerilogModule *module;
  NameId   place;                    /* the file with its last instance */
  ARRAY(HeadPort) head_ports;
  ARRAY(HeadItem) head_items;
  ARRAY(Directed) directed;
  Map     *directed_by_name;
  Map     *kinds;                    /* NameId -> NAME_PARAMETER or NAME_SIGNED; NULL if the module
                                        has none */
  ARRAY(uint32_t) escaped;           /* scalar bits whose escaped names end in ']' */
  uint32_t gate_count;

  /* the expression being read */
  ARRAY(VerilogRun) runs;
  uint32_t width;                    /* total width of the runs */
  uint32_t unmerged;                 /* runs before this index are closed: a repetition begins
                                        here */
  bool     repeats_left;             /* the expression is signed: a wider left side gets copies of
                                        its left bit, not 0 */
  VerilogBits left, right;
} Parser;

#define TRY(call) do { if ((call) != OK) return FAILED; } while (0)

/* --- verilog_parse.c -------------------------------------------------------------------------- */
Status verilog_parse(Parser *parser);                       /* a whole file */
bool   verilog_at(const Parser *parser, int kind);
/* fails unless the token is of that kind; then reads the next */
Status verilog_expect(Parser *parser, int kind, const char *what);
Status verilog_unexpected(Parser *parser, const char *expected);
Status verilog_skip_parentheses(Parser *parser);            /* at '(' */
Status verilog_skip_delay(Parser *parser);                  /* skips a delay if the token is '#' */
void   verilog_tally(Parser *parser, TallyKind kind);
Status verilog_pass_parameter(Parser *parser); /* passes one token; a name before '='
                                                          becomes a parameter */

/* --- verilog_expr.c --------------------------------------------------------------------------- */
Local *verilog_local(Parser *parser, NameId name);
bool   verilog_is_net(const Parser *parser, const Local *local);
void   verilog_set_kind(Parser *parser, NameId name, uint32_t kind);
bool   verilog_has_kind(const Parser *parser, NameId name, uint32_t kind);
Status verilog_no_value(Parser *parser, NameId parameter);
/* at '['; with a single index both results are equal */
Status verilog_range(Parser *parser, int32_t *from, int32_t *to);
Status verilog_expression(Parser *parser);                  /* reads an expression into runs */
Status verilog_net_ref(Parser *parser, uint32_t *ref); /* at a name: a faster verilog_expression
                                                          with verilog_encode */
void   verilog_clear_runs(Parser *parser);
/* adds the whole net to runs */
Status verilog_add_net(Parser *parser, NameId name, bool escaped);
Status verilog_add_select(Parser *parser, NameId name, int32_t from, int32_t to);
bool verilog_spelled_bit(Parser *parser, NameId name,
                         uint32_t *bit); /* the bus bit that "a[3]" spells */
Status verilog_encode(Parser *parser, uint32_t *ref);
Status verilog_assign_to(Parser *parser); /* at '=': reads the right side and joins it
                                                          with runs */

/* --- verilog_decl.c --------------------------------------------------------------------------- */
Status verilog_new_scalar(Parser *parser, NameId name, bool escaped);
Status verilog_declaration(Parser *parser); /* at input, wire, supply0...; through ';' */
Status verilog_header(Parser *parser);      /* after the module's name; through ';' */
Status verilog_finish_module(Parser *parser);

#endif
