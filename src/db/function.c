/* Boolean functions: parses Liberty expressions to reverse Polish programs, evaluates them in three
   values or over the truth table, and writes them as text. */
#include "db/function.h"

#include <ctype.h>

/* Exact answers enumerate the truth table of at most this many variables. */
enum { MAX_EXACT = 16, MAX_NAME = 512 };

static FunctionOp op_kind(uint32_t op) { return (FunctionOp)(op & 7); }
static PortId op_port(uint32_t op) { return op >> 3; }

/* --- parsing: operator precedence with an explicit stack, so that nesting costs no C stack ---- */

enum { PAREN = 0 };      /* in the operator stack, in addition to FunctionOps */

typedef struct {
  LibrarySet *set;
  FunctionResolve resolve;
  void       *data;
  const char *p;
  ARRAY(uint8_t) pending;      /* operators and open parentheses */
  uint32_t    depth;           /* values on the evaluation stack so far */
  uint32_t    first;           /* where the program begins */
} Parser;

/* Liberty: inversion first, then XOR, then AND, then OR. */
static int precedence(uint8_t op)
{
  switch (op) {
  case OP_NOT: return 4;
  case OP_XOR: return 3;
  case OP_AND: return 2;
  case OP_OR:  return 1;
  default:     return 0;
  }
}

static bool emit(Parser *parser, uint32_t op)
{
  FunctionOp kind = op_kind(op);
  if (kind <= OP_PORT) parser->depth++;
  else if (kind != OP_NOT) parser->depth--;
  array_push(&parser->set->function_ops, op);
  return parser->depth <= FUNCTION_DEPTH
         && parser->set->function_ops.len - parser->first < FUNCTION_OPS;
}

/* Moves operators that bind at least as strongly to the program. */
static void reduce(Parser *parser, int least)
{
  while (parser->pending.len && precedence(parser->pending.at[parser->pending.len - 1]) >= least) {
    emit(parser, parser->pending.at[parser->pending.len - 1]);
    parser->pending.len--;
  }
}

static bool name_char(char c)
{
  return isalnum((unsigned char)c) || (c && strchr("_.$<>/%#?:", c) != NULL);
}

/* Copies one name without escapes and quotes; its length, or 0 when there is none or it is too
   long. */
static size_t read_name(const char **at, char *name)
{
  const char *text = *at;
  size_t n = 0;
  bool quoted = *text == '"', in_brackets = false;
  if (quoted) text++;
  for (; *text && n < MAX_NAME; text++) {
    if (quoted && *text == '"') break;
    if (*text == '\\' && text[1]) text++;
    else if (*text == '[') in_brackets = true;
    else if (*text == ']') in_brackets = false;
    else if (!quoted && !in_brackets && !name_char(*text)) break;
    name[n++] = *text;
  }
  if (n == MAX_NAME || (quoted && *text != '"')) return 0;
  *at = quoted ? text + 1 : text;
  return n;
}

/* "0", "1", "1'b0", "1'b1" at text: its length and value. */
static size_t constant_at(const char *text, int *value)
{
  if (text[0] == '1' && text[1] == '\'' && (text[2] | 32) == 'b'
      && (text[3] == '0' || text[3] == '1') && !name_char(text[4])) {
    *value = text[3] - '0';
    return 4;
  }
  if ((text[0] != '0' && text[0] != '1') || name_char(text[1]) || text[1] == '[') return 0;
  *value = text[0] - '0';
  return 1;
}

static bool parse_operand(Parser *parser)
{
  char name[MAX_NAME];
  int value;
  size_t n = constant_at(parser->p, &value);
  if (n) {
    parser->p += n;
    return emit(parser, function_op(value ? OP_ONE : OP_ZERO, 0));
  }
  const char *start = parser->p;
  n = read_name(&parser->p, name);
  PortId port = n ? parser->resolve(parser->data, name, n) : NO_PORT;
  if (port == NO_PORT || !emit(parser, function_op(OP_PORT, port))) {
    parser->p = start;
    return false;
  }
  return true;
}

static bool close_paren(Parser *parser)
{
  reduce(parser, 1);
  if (parser->pending.len == 0) return false;
  parser->pending.len--;
  return true;
}

/* The binary operator at p->p; anything that starts an operand means AND. */
static FunctionOp binary_at(Parser *parser)
{
  switch (*parser->p) {
  case '^': parser->p++; return OP_XOR;
  case '&': parser->p += parser->p[1] == '&' ? 2 : 1; return OP_AND;
  case '*': parser->p++; return OP_AND;
  case '|': parser->p += parser->p[1] == '|' ? 2 : 1; return OP_OR;
  case '+': parser->p++; return OP_OR;
  default:  return OP_AND;
  }
}

/* One step; *operand tells whether an operand comes next.  False at an offending character. */
static bool parse_step(Parser *parser, bool *operand)
{
  char c = *parser->p;
  if (*operand) {
    if (c == '!' || c == '~') {
      array_push(&parser->pending, OP_NOT);
    } else if (c == '(') {
      array_push(&parser->pending, PAREN);
    } else {
      *operand = false;
      return parse_operand(parser);
    }
    parser->p++;
    return true;
  }
  if (c == ')') {
    if (!close_paren(parser)) return false;
    parser->p++;
  } else if (c == '\'') {
    emit(parser, OP_NOT);
    parser->p++;
  } else {
    FunctionOp op = binary_at(parser);
    reduce(parser, precedence((uint8_t)op));
    array_push(&parser->pending, (uint8_t)op);
    *operand = true;
  }
  return true;
}

static bool parse_all(Parser *parser)
{
  bool operand = true;
  for (;;) {
    while (isspace((unsigned char)*parser->p)) parser->p++;
    if (*parser->p == '\0') break;
    if (!parse_step(parser, &operand)) return false;
  }
  if (operand) return false;
  reduce(parser, 1);
  return parser->pending.len == 0;
}

FunctionId function_parse(LibrarySet *set, const char *text, FunctionResolve resolve, void *data,
                          const char **bad)
{
  Parser p = {
    .set = set, .resolve = resolve, .data = data, .p = text, .first = set->function_ops.len
  };
  FunctionId f = p.first;
  bool good = parse_all(&p);
  array_free(&p.pending);
  if (!good) {
    *bad = p.p;
    set->function_ops.len = f;
    return NO_FUNCTION;
  }
  array_push(&set->function_ops, OP_END);
  return f;
}

typedef struct {
  const LibrarySet *set;
  CellId cell;
} CellScope;

static PortId port_of_cell(void *data, const char *name, size_t length)
{
  const CellScope *scope = data;
  NameId id = names_find(scope->set->names, name, length);
  return id == NO_NAME ? NO_PORT : library_find_port(scope->set, scope->cell, id);
}

FunctionId library_parse_function(LibrarySet *set, CellId cell, const char *text, const char **bad)
{
  CellScope scope = { set, cell };
  return function_parse(set, text, port_of_cell, &scope, bad);
}

/* --- text ------------------------------------------------------------------------------------- */

typedef struct {
  char   *text;
  uint8_t op;            /* operator at its top; OP_PORT for a leaf */
} Piece;

/* Operands that are binary themselves always get brackets: the form that timing tables of other
   tools have. */
static char *wrapped(Piece piece)
{
  if (piece.op == OP_PORT || piece.op == OP_NOT) return piece.text;
  Text t = { 0 };
  text_printf(&t, "(%s)", piece.text);
  mem_free(piece.text);
  return t.at;
}

static Piece joined(Piece a, Piece b, FunctionOp op)
{
  Text t = { 0 };
  char *left = wrapped(a), *right = wrapped(b);
  text_printf(&t, "%s%c%s", left, op == OP_AND ? '*' : op == OP_OR ? '+' : '^', right);
  mem_free(left);
  mem_free(right);
  return (Piece){ t.at, (uint8_t)op };
}

static Piece inverted(Piece a)
{
  Text t = { 0 };
  char *inner = wrapped(a);
  text_printf(&t, "!%s", inner);
  mem_free(inner);
  return (Piece){ t.at, OP_NOT };
}

void library_function_text(const LibrarySet *set, FunctionId f, Text *text)
{
  Piece stack[FUNCTION_DEPTH];
  int n = 0;
  if (f == NO_FUNCTION) return;
  for (const uint32_t *op = &set->function_ops.at[f]; *op != OP_END; op++) {
    const char *leaf = NULL;
    switch (op_kind(*op)) {
    case OP_ZERO: leaf = "0"; break;
    case OP_ONE:  leaf = "1"; break;
    case OP_PORT: leaf = names_text(set->names, set->ports.at[op_port(*op)].name); break;
    case OP_NOT:  stack[n - 1] = inverted(stack[n - 1]); break;
    default:
      stack[n - 2] = joined(stack[n - 2], stack[n - 1], op_kind(*op));
      n--;
    }
    if (leaf) stack[n++] = (Piece){ mem_text(leaf, strlen(leaf)), OP_PORT };
  }
  text_put(text, stack[0].text);
  mem_free(stack[0].text);
}

/* --- evaluation ------------------------------------------------------------------------------- */

enum { UNKNOWN = 2 };

static int and3(int a, int b) { return a == 0 || b == 0 ? 0 : a == 1 && b == 1 ? 1 : UNKNOWN; }
static int or3(int a, int b) { return a == 1 || b == 1 ? 1 : a == 0 && b == 0 ? 0 : UNKNOWN; }
static int xor3(int a, int b) { return a == UNKNOWN || b == UNKNOWN ? UNKNOWN : a ^ b; }
static int not3(int a) { return a == UNKNOWN ? UNKNOWN : !a; }

int library_eval(const LibrarySet *set, FunctionId f, int (*value)(void *data, PortId port),
                 void *data)
{
  int s[FUNCTION_DEPTH];
  int n = 0;
  if (f == NO_FUNCTION) return UNKNOWN;
  for (const uint32_t *op = &set->function_ops.at[f]; *op != OP_END; op++) {
    switch (op_kind(*op)) {
    case OP_ZERO: s[n++] = 0; break;
    case OP_ONE:  s[n++] = 1; break;
    case OP_PORT: s[n++] = value(data, op_port(*op)); break;
    case OP_NOT:  s[n - 1] = not3(s[n - 1]); break;
    case OP_AND:  n--; s[n - 1] = and3(s[n - 1], s[n]); break;
    case OP_OR:   n--; s[n - 1] = or3(s[n - 1], s[n]); break;
    case OP_XOR:  n--; s[n - 1] = xor3(s[n - 1], s[n]); break;
    case OP_END:  break;
    }
  }
  return s[0];
}

/* Variable i of a truth table's 64 rows: the first six alternate inside a block, the others are the
   block's bits. */
static uint64_t variable_rows(uint32_t i, uint32_t block)
{
  static const uint64_t pattern[6] = { 0xaaaaaaaaaaaaaaaaull, 0xccccccccccccccccull,
                                       0xf0f0f0f0f0f0f0f0ull, 0xff00ff00ff00ff00ull,
                                       0xffff0000ffff0000ull, 0xffffffff00000000ull };
  if (i < 6) return pattern[i];
  return block >> (i - 6) & 1 ? UINT64_MAX : 0;
}

/* Free ports, and a function that knows the values of the others; 0 for ports with unknown
   values. */
typedef struct {
  const PortId *free;
  uint32_t      count;
  int         (*value)(void *data, PortId port);      /* NULL: nobody */
  void         *data;
} RowPorts;

static uint64_t port_rows(const RowPorts *ports, PortId port, uint32_t block)
{
  for (uint32_t i = 0; i < ports->count; i++)
    if (ports->free[i] == port) return variable_rows(i, block);
  return ports->value && ports->value(ports->data, port) == 1 ? UINT64_MAX : 0;
}

static uint64_t rows_of(const LibrarySet *set, FunctionId f, const RowPorts *ports, uint32_t block)
{
  uint64_t s[FUNCTION_DEPTH];
  int n = 0;
  for (const uint32_t *op = &set->function_ops.at[f]; *op != OP_END; op++) {
    switch (op_kind(*op)) {
    case OP_ZERO: s[n++] = 0; break;
    case OP_ONE:  s[n++] = UINT64_MAX; break;
    case OP_PORT: s[n++] = port_rows(ports, op_port(*op), block); break;
    case OP_NOT:  s[n - 1] = ~s[n - 1]; break;
    case OP_AND:  n--; s[n - 1] &= s[n]; break;
    case OP_OR:   n--; s[n - 1] |= s[n]; break;
    case OP_XOR:  n--; s[n - 1] ^= s[n]; break;
    case OP_END:  break;
    }
  }
  return s[0];
}

uint64_t function_rows(const LibrarySet *set, FunctionId f, const PortId *ports, uint32_t count,
                       uint32_t block)
{
  return rows_of(set, f, &(RowPorts){ ports, count, NULL, NULL }, block);
}

static uint32_t row_blocks(uint32_t count) { return count > 6 ? 1u << (count - 6) : 1; }

/* Appends the distinct ports of a function whose value is not known.  Returns false if there are
   more than MAX_EXACT in total. */
static bool free_ports(const LibrarySet *set, FunctionId f, RowPorts *row_ports, PortId *ports)
{
  row_ports->free = ports;
  for (const uint32_t *op = &set->function_ops.at[f]; *op != OP_END; op++) {
    if (op_kind(*op) != OP_PORT) continue;
    PortId port = op_port(*op);
    uint32_t i = 0;
    while (i < row_ports->count && ports[i] != port) i++;
    if (i < row_ports->count
        || (row_ports->value && row_ports->value(row_ports->data, port) != UNKNOWN))
      continue;
    if (row_ports->count == MAX_EXACT) return false;
    ports[row_ports->count++] = port;
  }
  return true;
}

static int no_value(void *data, PortId port)
{
  (void)data;
  (void)port;
  return UNKNOWN;
}

int library_value(const LibrarySet *set, FunctionId f, int (*value)(void *data, PortId port),
                  void *data)
{
  PortId ports[MAX_EXACT];
  RowPorts r = { .value = value ? value : no_value, .data = data };
  int known = library_eval(set, f, r.value, data);
  if (f == NO_FUNCTION || known != UNKNOWN || !free_ports(set, f, &r, ports)) return known;
  uint64_t some = 0, all = UINT64_MAX;
  for (uint32_t block = 0; block < row_blocks(r.count); block++) {
    uint64_t rows = rows_of(set, f, &r, block);
    some |= rows;
    all &= rows;
  }
  return some == 0 ? 0 : all == UINT64_MAX ? 1 : UNKNOWN;
}

bool function_ports(const LibrarySet *set, FunctionId f, PortId *ports, uint32_t *count,
                    uint32_t max)
{
  for (const uint32_t *op = &set->function_ops.at[f]; *op != OP_END; op++) {
    if (op_kind(*op) != OP_PORT) continue;
    uint32_t i = 0;
    while (i < *count && ports[i] != op_port(*op)) i++;
    if (i < *count) continue;
    if (*count == max) return false;
    ports[(*count)++] = op_port(*op);
  }
  return true;
}

bool library_function_uses(const LibrarySet *set, FunctionId f, PortId port)
{
  if (f == NO_FUNCTION) return false;
  for (const uint32_t *op = &set->function_ops.at[f]; *op != OP_END; op++)
    if (*op == function_op(OP_PORT, port)) return true;
  return false;
}

/* Exact: the first free port is the one in question, so rows 2j and 2j+1 differ only in it. */
static uint32_t sense_by_table(const LibrarySet *set, FunctionId f, const RowPorts *ports)
{
  const uint64_t even = 0x5555555555555555ull;
  uint32_t sense = 0;
  for (uint32_t block = 0; block < row_blocks(ports->count); block++) {
    uint64_t rows = rows_of(set, f, ports, block);
    uint64_t low = rows & even, high = rows >> 1 & even;
    if (~low & high) sense |= 1;
    if (low & ~high) sense |= 2;
  }
  return sense;
}

static uint32_t swapped(uint32_t sense) { return (sense & 1) << 1 | sense >> 1; }

/* A value, and the sense in which it depends on the port in question; 0 where it is known. */
typedef struct {
  int      value;
  uint32_t sense;
} Term;

static Term port_term(const RowPorts *ports, PortId port)
{
  if (port == ports->free[0]) return (Term){ UNKNOWN, 1 };
  return (Term){ ports->value(ports->data, port), 0 };
}

static Term inverted_term(Term a) { return (Term){ not3(a.value), swapped(a.sense) }; }

static Term joined_terms(FunctionOp op, Term a, Term b)
{
  int (*join)(int, int) = op == OP_AND ? and3 : op == OP_OR ? or3 : xor3;
  Term t = { join(a.value, b.value), 0 };
  if (t.value != UNKNOWN) return t;
  t.sense = a.sense | b.sense;
  if (op != OP_XOR) return t;
  if (a.value == 1 || b.value == 1) t.sense = swapped(t.sense);
  else if (a.value == UNKNOWN && b.value == UNKNOWN && t.sense) t.sense = 3;
  return t;
}

/* By the structure, for functions with many variables: it never misses a dependence, but may claim
   one too many. */
static uint32_t sense_by_form(const LibrarySet *set, FunctionId f, const RowPorts *ports)
{
  Term s[FUNCTION_DEPTH];
  int n = 0;
  for (const uint32_t *op = &set->function_ops.at[f]; *op != OP_END; op++) {
    switch (op_kind(*op)) {
    case OP_ZERO: s[n++] = (Term){ 0, 0 }; break;
    case OP_ONE:  s[n++] = (Term){ 1, 0 }; break;
    case OP_PORT: s[n++] = port_term(ports, op_port(*op)); break;
    case OP_NOT:  s[n - 1] = inverted_term(s[n - 1]); break;
    default:
      n--;
      s[n - 1] = joined_terms(op_kind(*op), s[n - 1], s[n]);
    }
  }
  return s[0].sense;
}

uint32_t library_sense_given(const LibrarySet *set, FunctionId f, PortId port,
                             int (*value)(void *data, PortId port), void *data)
{
  PortId ports[MAX_EXACT] = { port };
  RowPorts r = { .count = 1, .value = value ? value : no_value, .data = data };
  if (!library_function_uses(set, f, port)) return 0;
  return free_ports(set, f, &r, ports) ? sense_by_table(set, f, &r) : sense_by_form(set, f, &r);
}

uint32_t library_function_sense(const LibrarySet *set, FunctionId f, PortId port)
{
  return library_sense_given(set, f, port, NULL, NULL);
}
