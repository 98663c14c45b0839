/* Compares SDF conditions with conditions of library arcs. An expression is evaluated while it is
   parsed, for 64 assignments at once, so it needs no syntax tree. */
#include "db/sdf_condition.h"

#include <ctype.h>

#include "db/function.h"

/* An expression is evaluated as it is parsed, for 64 assignments at once; what it needs no tree
   for. */
enum { PORT_LIMIT = 12, DEPTH_LIMIT = 60 };

typedef struct {
  const LibrarySet *set;
  CellId      cell;
  const char *at;
  PortId      ports[PORT_LIMIT];
  uint32_t    count, depth, block;
  bool        bad;                  /* no expression that this understands */
} Parse;

/* --- words ------------------------------------------------------------------------------------ */
static void skip_blanks(Parse *p)
{
  while (isspace((unsigned char)*p->at)) p->at++;
}

static uint64_t fail(Parse *p)
{
  p->bad = true;
  return 0;
}

/* Bit j of the result: value of port i in assignment 64 * block + j. */
static uint64_t rows_of_port(const Parse *p, uint32_t i)
{
  static const uint64_t low[6] = { 0xaaaaaaaaaaaaaaaaull, 0xccccccccccccccccull,
                                   0xf0f0f0f0f0f0f0f0ull, 0xff00ff00ff00ff00ull,
                                   0xffff0000ffff0000ull, 0xffffffff00000000ull };
  return i < 6 ? low[i] : p->block >> (i - 6) & 1 ? UINT64_MAX : 0;
}

static bool in_name(char c)
{
  return isalnum((unsigned char)c) || (c && strchr("_$[]:.", c) != NULL);
}

static uint64_t port_rows(Parse *p)
{
  char name[256];
  size_t length = 0;
  for (; *p->at == '\\' || in_name(*p->at); p->at++) {
    if (*p->at == '\\' && *++p->at == '\0') return fail(p);
    if (length + 1 == sizeof name) return fail(p);
    name[length++] = *p->at;
  }
  NameId id = names_find(p->set->names, name, length);
  PortId port = id == NO_NAME ? NO_PORT : library_find_port(p->set, p->cell, id);
  if (port == NO_PORT) return fail(p);
  uint32_t i = 0;
  while (i < p->count && p->ports[i] != port) i++;
  if (i == PORT_LIMIT) return fail(p);
  if (i == p->count) p->ports[p->count++] = port;
  return rows_of_port(p, i);
}

/* 0, 1, 1'b0, 'b1. */
static uint64_t constant_rows(Parse *p)
{
  const char *digit = p->at;
  if (isdigit((unsigned char)*p->at)) p->at++;
  if (*p->at == '\'') {
    if (p->at > digit && *digit != '1') return fail(p);
    if (p->at[1] != 'b' && p->at[1] != 'B') return fail(p);
    digit = p->at + 2;
    p->at += *digit ? 3 : 2;
  }
  if ((*digit != '0' && *digit != '1') || in_name(*p->at)) return fail(p);
  return *digit == '1' ? UINT64_MAX : 0;
}

/* --- expressions ------------------------------------------------------------------------------ */
static uint64_t expression(Parse *p, int least);

static uint64_t operand(Parse *p)
{
  skip_blanks(p);
  if (p->bad || p->depth > DEPTH_LIMIT) return fail(p);
  if (*p->at == '!' || *p->at == '~') {
    p->at++;
    p->depth++;
    uint64_t rows = ~operand(p);
    p->depth--;
    return rows;
  }
  if (*p->at == '(') {
    p->at++;
    p->depth++;
    uint64_t rows = expression(p, 1);
    p->depth--;
    skip_blanks(p);
    return *p->at == ')' ? (p->at++, rows) : fail(p);
  }
  return isdigit((unsigned char)*p->at) || *p->at == '\'' ? constant_rows(p) : port_rows(p);
}

typedef struct { const char *text; int level; char kind; } Operator;

/* Longer ones before their beginnings. */
static const Operator operators[] = {
  { "===", 6, '=' }, { "!==", 6, '!' }, { "==", 6, '=' }, { "!=", 6, '!' },
  { "&&", 2, '&' },  { "||", 1, '|' },  { "~^", 4, '=' }, { "^~", 4, '=' },
  { "&", 5, '&' },   { "^", 4, '^' },   { "|", 3, '|' },
};

static const Operator *next_operator(Parse *p)
{
  skip_blanks(p);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (strncmp(p->at, operators[i].text, strlen(operators[i].text)) == 0) return &operators[i];
  return NULL;
}

/* Operators of level `least` and tighter, from the left. */
static uint64_t expression(Parse *p, int least)
{
  uint64_t left = operand(p);
  for (const Operator *o; !p->bad && (o = next_operator(p)) != NULL && o->level >= least;) {
    p->at += strlen(o->text);
    p->depth++;
    uint64_t right = expression(p, o->level + 1);
    p->depth--;
    left = o->kind == '&'   ? left & right
           : o->kind == '|' ? left | right
           : o->kind == '=' ? ~(left ^ right)
                            : left ^ right;
  }
  return left;
}

static uint64_t rows_of(Parse *p, const char *text, uint32_t block)
{
  p->at = text;
  p->block = block;
  p->depth = 0;
  uint64_t rows = expression(p, 1);
  skip_blanks(p);
  return *p->at ? fail(p) : rows;
}

/* The ports of both first, as rows depend on their places. */
static bool same_truth(const LibrarySet *set, CellId cell, const char *text, FunctionId when)
{
  Parse p = { .set = set, .cell = cell };
  if (!function_ports(set, when, p.ports, &p.count, PORT_LIMIT)) return false;
  rows_of(&p, text, 0);
  uint32_t blocks = p.count > 6 ? 1u << (p.count - 6) : 1;
  for (uint32_t b = 0; b < blocks && !p.bad; b++) {
    uint64_t used = p.count >= 6 ? UINT64_MAX : (1ull << (1u << p.count)) - 1;
    if ((rows_of(&p, text, b) ^ function_rows(set, when, p.ports, p.count, b)) & used) return false;
  }
  return !p.bad;
}

static bool same_text(const char *a, const char *b)
{
  for (;; a++, b++) {
    while (isspace((unsigned char)*a)) a++;
    while (isspace((unsigned char)*b)) b++;
    if (*a != *b) return false;
    if (*a == '\0') return true;
  }
}

bool sdf_condition_is(const LibrarySet *set, LibArcId arc, const char *text)
{
  const LibArc *l = &set->arcs.at[arc];
  if (l->sdf_cond != NO_NAME && same_text(names_text(set->names, l->sdf_cond), text)) return true;
  return l->when != NO_FUNCTION && same_truth(set, set->ports.at[l->to].cell, text, l->when);
}

/* --- writing ---------------------------------------------------------------------------------- */
/* An expression of SDF over ports of the cell. */
static bool is_expression(const LibrarySet *set, CellId cell, const char *text)
{
  Parse p = { .set = set, .cell = cell };
  rows_of(&p, text, 0);
  return !p.bad;
}

void sdf_condition_text(const LibrarySet *set, LibArcId arc, Text *t)
{
  const LibArc *l = &set->arcs.at[arc];
  const char *given = l->sdf_cond == NO_NAME ? NULL : names_text(set->names, l->sdf_cond);
  CellId cell = set->ports.at[l->to].cell;
  if (given
      && (l->when == NO_FUNCTION ? is_expression(set, cell, given)
                                 : same_truth(set, cell, given, l->when))) {
    text_put(t, given);
    return;
  }
  if (l->when == NO_FUNCTION) return;
  Text function = { 0 };
  library_function_text(set, l->when, &function);
  for (const char *c = text_get(&function); *c; c++) {
    if (*c == '*') text_put(t, " && ");
    else if (*c == '+') text_put(t, " || ");
    else text_char(t, *c);
  }
  text_free(&function);
}
