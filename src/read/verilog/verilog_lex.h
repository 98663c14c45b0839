/* Splits Verilog into tokens. Comments, attributes and compiler directives are handled here and
   removed. */
#ifndef SL_READ_VERILOG_VERILOG_LEX_H
#define SL_READ_VERILOG_VERILOG_LEX_H

#include "base/hash.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/text.h"

/* Reserved words. */
#define VERILOG_KEYWORDS(X)                                                                       \
  X(MODULE, "module") X(MACROMODULE, "macromodule") X(ENDMODULE, "endmodule")                     \
  X(INPUT, "input") X(OUTPUT, "output") X(INOUT, "inout")                                         \
  X(WIRE, "wire") X(TRI, "tri") X(TRI0, "tri0") X(TRI1, "tri1") X(TRIAND, "triand")               \
      X(TRIOR, "trior")                                                                           \
  X(TRIREG, "trireg") X(WAND, "wand") X(WOR, "wor") X(UWIRE, "uwire") X(REG, "reg")               \
      X(LOGIC, "logic")                                                                           \
  X(SUPPLY0, "supply0") X(SUPPLY1, "supply1")                                                     \
  X(SIGNED, "signed") X(UNSIGNED, "unsigned") X(VECTORED, "vectored") X(SCALARED, "scalared")     \
  X(ASSIGN, "assign") X(PARAMETER, "parameter") X(LOCALPARAM, "localparam")                       \
      X(DEFPARAM, "defparam")                                                                     \
  X(SPECPARAM, "specparam")                                                                       \
  X(AND, "and") X(NAND, "nand") X(OR, "or") X(NOR, "nor") X(XOR, "xor") X(XNOR, "xnor")           \
      X(BUF, "buf") X(NOT, "not")                                                                 \
  X(BUFIF0, "bufif0") X(BUFIF1, "bufif1") X(NOTIF0, "notif0") X(NOTIF1, "notif1") X(NMOS, "nmos") \
      X(PMOS, "pmos")                                                                             \
  X(RNMOS, "rnmos") X(RPMOS, "rpmos") X(CMOS, "cmos") X(RCMOS, "rcmos") X(TRAN, "tran")           \
      X(RTRAN, "rtran")                                                                           \
  X(TRANIF0, "tranif0") X(TRANIF1, "tranif1") X(RTRANIF0, "rtranif0") X(RTRANIF1, "rtranif1")     \
  X(PULLUP, "pullup") X(PULLDOWN, "pulldown")                                                     \
  X(ALWAYS, "always") X(INITIAL, "initial") X(FUNCTION, "function") X(TASK, "task")               \
      X(GENERATE, "generate")                                                                     \
  X(GENVAR, "genvar") X(SPECIFY, "specify") X(ENDSPECIFY, "endspecify") X(INTEGER, "integer")     \
      X(REAL, "real") X(REALTIME, "realtime")                                                     \
  X(TIME, "time") X(EVENT, "event") X(FOR, "for") X(IF, "if") X(ELSE, "else") X(CASE, "case")     \
      X(BEGIN, "begin")                                                                           \
  X(END, "end") X(WHILE, "while") X(REPEAT, "repeat") X(FOREVER, "forever") X(WAIT, "wait")       \
      X(FORK, "fork")                                                                             \
  X(PRIMITIVE, "primitive") X(TABLE, "table") X(CONFIG, "config") X(DEASSIGN, "deassign")         \
      X(FORCE, "force")                                                                           \
  X(RELEASE, "release") X(DISABLE, "disable") X(POSEDGE, "posedge") X(NEGEDGE, "negedge")         \
      X(LIBRARY, "library")                                                                       \
  /* SystemVerilog's keywords count only where a statement begins; elsewhere they are names */    \
  X(ALWAYS_FF, "always_ff") X(ALWAYS_COMB, "always_comb") X(ALWAYS_LATCH, "always_latch")         \
      X(TYPEDEF, "typedef")                                                                       \
  X(INTERFACE, "interface") X(PACKAGE, "package") X(IMPORT, "import") X(CLASS, "class")           \
      X(PROGRAM, "program")

typedef enum {
  KEY_NONE,
#define KEYWORD_ID(id, text) KEY_##id,
  VERILOG_KEYWORDS(KEYWORD_ID)
#undef KEYWORD_ID
  KEY_COUNT
} Keyword;

/* Is it a keyword only at certain places, and a name elsewhere? */
static inline bool keyword_is_soft(Keyword k)
{
  return k >= KEY_ALWAYS_FF || k == KEY_LOGIC || k == KEY_UWIRE || k == KEY_CONFIG
         || k == KEY_LIBRARY;
}

/* Token kinds; single characters stand for themselves. */
enum {
  TOKEN_END,
  TOKEN_BAD,
  TOKEN_NAME = 256,
  TOKEN_KEYWORD,
  TOKEN_INTEGER,
  TOKEN_BITS,
  TOKEN_REAL,
  TOKEN_STRING
};

enum { LEX_MAX_BITS = 1 << 20, LEX_FREQUENT = 256 };

typedef struct LexSource LexSource;
typedef struct LexMacro LexMacro;

/* A short name that occurred before. */
typedef struct {
  uint64_t word;
  uint32_t length;           /* 0: none */
  NameId   id;
} LexName;

/* Counts something that draws one warning at the end of a file: the number and the first place. */
typedef struct {
  uint32_t count;
  Where    where;
} Tally;

/* An `ifdef or `ifndef without its `endif. */
typedef struct {
  Where    where;
  bool     has_else;
} LexCondition;

typedef struct Lexer {
  /* the token */
  int      kind;
  NameId   name;             /* TOKEN_NAME, TOKEN_KEYWORD */
  Keyword  keyword;          /* set also for soft keywords, which are names */
  bool     escaped;
  uint64_t value;            /* TOKEN_INTEGER: at most UINT32_MAX + 1 */
  bool     has_unknown;      /* TOKEN_BITS: some bit is x or z */
  bool     repeats_left;     /* TOKEN_BITS: further bits on the left equal the leftmost one, else
                                0 */
  ARRAY(uint8_t) bits;       /* TOKEN_BITS: 0, 1 or 2 (x, z), left to right */
  char    *at;               /* its first character */

  /* the text */
  Input   *in;
  ARRAY(LexSource *) sources;
  Names   *names;
  const uint8_t *keywords;   /* by NameId below keyword_count */
  uint32_t keyword_count;
  Log     *log;
  NameId   file;             /* the innermost file */

  LexName  frequent[LEX_FREQUENT];

  /* directives */
  ARRAY(LexMacro *) macros;
  Map     *macro_by_name;
  ARRAY(LexCondition) conditions;
  uint64_t expansions;       /* bounds hostile macros and includes */
  uint32_t attributes;       /* number of attributes, which are ignored */
  uint32_t directives;       /* number of directives without effect on the netlist */
  Tally    *wired;           /* `default_nettype with a wired or pulled kind; this and the next two
                                belong to the caller */
  Tally    *cut;             /* constants with more bits than their size */
  Tally    *ignored;         /* directives that would change the netlist */
  bool     nets_must_be_declared;   /* `default_nettype none */
  Text     scratch;
} Lexer;

Status lex_open(Lexer *lexer, const char *path, const char *text_or_null, Log *log);
void   lex_close(Lexer *lexer);
void   lex_next(Lexer *lexer);            /* after an error it returns TOKEN_BAD at each call */
Where  lex_where(const Lexer *lexer);     /* place of the token */
void   lex_tally(const Lexer *lexer, Tally *tally);   /* counts one more, at this place */
Status lex_fail(Lexer *lexer, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The token as a message shows it. */
const char *lex_show(Lexer *lexer);

/* Shared by the files of the lexer: */
/* LEX_CHAR: always a token of its own */
enum { LEX_NAME = 1, LEX_DIGIT = 2, LEX_SPACE = 4, LEX_CHAR = 8 };
extern const uint8_t lex_class[256];
bool   lex_more(Lexer *lexer);            /* refills the window and keeps the text from `at` on */
bool   lex_directive(Lexer *lexer);       /* cur is at '`'; false after an error */
void   lex_number(Lexer *lexer);
Status lex_push_file(Lexer *lexer, const char *path, const char *text_or_null);
void   lex_push_macro(Lexer *lexer, const char *text, size_t length);
bool   lex_pop(Lexer *lexer);             /* returns false if it was the last */
uint32_t lex_depth(const Lexer *lexer);
bool   lex_skip_comment(Lexer *lexer);    /* at '/': returns true if it was a comment */
char lex_peek(Lexer *lexer); /* returns *cur, after a refill at the end of the window */

#endif
