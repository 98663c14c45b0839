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
static void skip_blanks(Parse *parse)
{
  while (isspace((unsigned char)*parse->at)) parse->at++;
}

static uint64_t fail(Parse *parse)
{
  parse->bad = true;
  return 0;
}

/* Bit j of the result: value of port i in assignment 64 * block + j. */
static uint64_t rows_of_port(const Parse *parse, uint32_t i)
{
  static const uint64_t low[6] = { 0xaaaaaaaaaaaaaaaaull, 0xccccccccccccccccull,
                                   0xf0f0f0f0f0f0f0f0ull, 0xff00ff00ff00ff00ull,
                                   0xffff0000ffff0000ull, 0xffffffff00000000ull };
  return i < 6 ? low[i] : parse->block >> (i - 6) & 1 ? UINT64_MAX : 0;
}

static bool in_name(char c)
{
  return isalnum((unsigned char)c) || (c && strchr("_$[]:.", c) != NULL);
}

static uint64_t port_rows(Parse *parse)
{
  char name[256];
  size_t length = 0;
  for (; *parse->at == '\\' || in_name(*parse->at); parse->at++) {
    if (*parse->at == '\\' && *++parse->at == '\0') return fail(parse);
    if (length + 1 == sizeof name) return fail(parse);
    name[length++] = *parse->at;
  }
  NameId id = names_find(parse->set->names, name, length);
  PortId port = id == NO_NAME ? NO_PORT : library_find_port(parse->set, parse->cell, id);
  if (port == NO_PORT) return fail(parse);
  uint32_t i = 0;
  while (i < parse->count && parse->ports[i] != port) i++;
  if (i == PORT_LIMIT) return fail(parse);
  if (i == parse->count) parse->ports[parse->count++] = port;
  return rows_of_port(parse, i);
}

/* 0, 1, 1'b0, 'b1. */
static uint64_t constant_rows(Parse *parse)
{
  const char *digit = parse->at;
  if (isdigit((unsigned char)*parse->at)) parse->at++;
  if (*parse->at == '\'') {
    if (parse->at > digit && *digit != '1') return fail(parse);
    if (parse->at[1] != 'b' && parse->at[1] != 'B') return fail(parse);
    digit = parse->at + 2;
    parse->at += *digit ? 3 : 2;
  }
  if ((*digit != '0' && *digit != '1') || in_name(*parse->at)) return fail(parse);
  return *digit == '1' ? UINT64_MAX : 0;
}

/* --- expressions ------------------------------------------------------------------------------ */
static uint64_t expression(Parse *parse, int least);

static uint64_t operand(Parse *parse)
{
  skip_blanks(parse);
  if (parse->bad || parse->depth > DEPTH_LIMIT) return fail(parse);
  if (*parse->at == '!' || *parse->at == '~') {
    parse->at++;
    parse->depth++;
    uint64_t rows = ~operand(parse);
    parse->depth--;
    return rows;
  }
  if (*parse->at == '(') {
    parse->at++;
    parse->depth++;
    uint64_t rows = expression(parse, 1);
    parse->depth--;
    skip_blanks(parse);
    return *parse->at == ')' ? (parse->at++, rows) : fail(parse);
  }
  return isdigit((unsigned char)*parse->at) || *parse->at == '\'' ? constant_rows(parse)
                                                                  : port_rows(parse);
}

typedef struct { const char *text; int level; char kind; } Operator;

/* Longer ones before their beginnings. */
static const Operator operators[] = {
  { "===", 6, '=' }, { "!==", 6, '!' }, { "==", 6, '=' }, { "!=", 6, '!' },
  { "&&", 2, '&' },  { "||", 1, '|' },  { "~^", 4, '=' }, { "^~", 4, '=' },
  { "&", 5, '&' },   { "^", 4, '^' },   { "|", 3, '|' },
};

static const Operator *next_operator(Parse *parse)
{
  skip_blanks(parse);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (strncmp(parse->at, operators[i].text, strlen(operators[i].text)) == 0) return &operators[i];
  return NULL;
}

/* Operators of level `least` and tighter, from the left. */
static uint64_t expression(Parse *parse, int least)
{
  uint64_t left = operand(parse);
  for (const Operator *the_operator; !parse->bad && (the_operator = next_operator(parse)) != NULL
                                     && the_operator->level >= least;) {
    parse->at += strlen(the_operator->text);
    parse->depth++;
    uint64_t right = expression(parse, the_operator->level + 1);
    parse->depth--;
    left = the_operator->kind == '&'   ? left & right
           : the_operator->kind == '|' ? left | right
           : the_operator->kind == '=' ? ~(left ^ right)
                                       : left ^ right;
  }
  return left;
}

static uint64_t rows_of(Parse *parse, const char *text, uint32_t block)
{
  parse->at = text;
  parse->block = block;
  parse->depth = 0;
  uint64_t rows = expression(parse, 1);
  skip_blanks(parse);
  return *parse->at ? fail(parse) : rows;
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
  const LibArc *lib_arc = &set->arcs.at[arc];
  if (lib_arc->sdf_cond != NO_NAME && same_text(names_text(set->names, lib_arc->sdf_cond), text))
    return true;
  return lib_arc->when != NO_FUNCTION
         && same_truth(set, set->ports.at[lib_arc->to].cell, text, lib_arc->when);
}

/* --- writing ---------------------------------------------------------------------------------- */
/* An expression of SDF over ports of the cell. */
static bool is_expression(const LibrarySet *set, CellId cell, const char *text)
{
  Parse p = { .set = set, .cell = cell };
  rows_of(&p, text, 0);
  return !p.bad;
}

void sdf_condition_text(const LibrarySet *set, LibArcId arc, Text *text)
{
  const LibArc *lib_arc = &set->arcs.at[arc];
  const char *given =
      lib_arc->sdf_cond == NO_NAME ? NULL : names_text(set->names, lib_arc->sdf_cond);
  CellId cell = set->ports.at[lib_arc->to].cell;
  if (given
      && (lib_arc->when == NO_FUNCTION ? is_expression(set, cell, given)
                                       : same_truth(set, cell, given, lib_arc->when))) {
    text_put(text, given);
    return;
  }
  if (lib_arc->when == NO_FUNCTION) return;
  Text function = { 0 };
  library_function_text(set, lib_arc->when, &function);
  for (const char *name = text_get(&function); *name; name++) {
    if (*name == '*') text_put(text, " && ");
    else if (*name == '+') text_put(text, " || ");
    else text_char(text, *name);
  }
  text_free(&function);
}
