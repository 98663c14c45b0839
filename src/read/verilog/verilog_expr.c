/* Reads names, selects, concatenations, replications and constants. */
#include <stdio.h>

#include "read/verilog/verilog_parse.h"

enum { MAX_NESTING = 200, MAX_WIDTH = LEX_MAX_BITS, MAX_LIST_WORDS = 1 << 27, MAX_INDEX = 1 << 30 };

Local *verilog_local(Parser *parser, NameId name)
{
  if (name >= parser->locals.len)
    array_resize(&parser->locals, names_count(parser->names) + names_count(parser->names) / 4 + 1);
  return &parser->locals.at[name];
}

bool verilog_is_net(const Parser *parser, const Local *local)
{
  return local->net == parser->module_number;
}

void verilog_set_kind(Parser *parser, NameId name, uint32_t kind)
{
  if (parser->kinds == NULL) parser->kinds = map_new();
  map_put(parser->kinds, name, kind);
}

bool verilog_has_kind(const Parser *parser, NameId name, uint32_t kind)
{
  return parser->kinds && map_get(parser->kinds, name) == kind;
}

Status verilog_no_value(Parser *parser, NameId parameter)
{
  return lex_fail(&parser->lex, "VLOG-056",
                  "'%.60s' is a parameter and used as a net: values of parameters are not known",
                  names_text(parser->names, parameter));
}

/* --- numbers in ranges ------------------------------------------------------------------------ */
static Status constant_sum(Parser *parser, int depth, int64_t *value);

static int64_t bits_value(const Lexer *lexer)
{
  uint64_t v = 0;
  for (uint32_t i = 0; i < lexer->bits.len; i++) v = v > MAX_INDEX ? v : v << 1 | lexer->bits.at[i];
  return (int64_t)v;
}

static Status constant_primary(Parser *parser, int depth, int64_t *value)
{
  Lexer *lexer = &parser->lex;
  if (depth > MAX_NESTING)
    return lex_fail(lexer, "VLOG-025", "the expression is nested over %d deep", MAX_NESTING);
  if (verilog_at(parser, '-')) {
    lex_next(lexer);
    TRY(constant_primary(parser, depth + 1, value));
    *value = -*value;
    return OK;
  }
  if (verilog_at(parser, '(')) {
    lex_next(lexer);
    TRY(constant_sum(parser, depth + 1, value));
    return verilog_expect(parser, ')', "')'");
  }
  if (verilog_at(parser, TOKEN_NAME))
    return lex_fail(lexer, "VLOG-023",
                    "'%.60s' in a range or index: only numbers are supported there",
                    names_text(parser->names, lexer->name));
  if (!verilog_at(parser, TOKEN_INTEGER)
      && !(verilog_at(parser, TOKEN_BITS) && !lexer->has_unknown))
    return verilog_unexpected(parser, "a number");
  *value = lexer->kind == TOKEN_BITS ? bits_value(lexer) : (int64_t)lexer->value;
  lex_next(lexer);
  return OK;
}

/* Values stay far from overflow: all are held within +-MAX_INDEX. */
static Status in_bounds(Parser *parser, int64_t value)
{
  if (value >= -MAX_INDEX && value <= MAX_INDEX) return OK;
  return lex_fail(&parser->lex, "VLOG-023", "an index or range bound is beyond %d", MAX_INDEX);
}

static Status constant_product(Parser *parser, int depth, int64_t *value)
{
  TRY(constant_primary(parser, depth, value));
  TRY(in_bounds(parser, *value));
  while (verilog_at(parser, '*')) {
    int64_t factor;
    lex_next(&parser->lex);
    TRY(constant_primary(parser, depth, &factor));
    TRY(in_bounds(parser, factor));
    *value *= factor;
    TRY(in_bounds(parser, *value));
  }
  return OK;
}

static Status constant_sum(Parser *parser, int depth, int64_t *value)
{
  TRY(constant_product(parser, depth, value));
  while (verilog_at(parser, '+') || verilog_at(parser, '-')) {
    int sign = verilog_at(parser, '+') ? 1 : -1;
    int64_t term;
    lex_next(&parser->lex);
    TRY(constant_product(parser, depth, &term));
    *value += sign * term;
    TRY(in_bounds(parser, *value));
  }
  return OK;
}

static Status bound(Parser *parser, int32_t *bound)
{
  int64_t v = 0;
  TRY(constant_sum(parser, 0, &v));
  *bound = (int32_t)v;
  return OK;
}

Status verilog_range(Parser *parser, int32_t *from, int32_t *to)
{
  lex_next(&parser->lex);
  TRY(bound(parser, from));
  *to = *from;
  if (verilog_at(parser, ':')) {
    lex_next(&parser->lex);
    TRY(bound(parser, to));
  }
  return verilog_expect(parser, ']', "']'");
}

/* --- runs ------------------------------------------------------------------------------------- */
void verilog_clear_runs(Parser *parser)
{
  array_clear(&parser->runs);
  parser->width = parser->unmerged = 0;
  parser->repeats_left = false;
}

static bool is_net_run(VerilogRun r) { return r.first < RUN_ONE; }

static Status widen(Parser *parser, uint64_t by)
{
  if (parser->width + by > MAX_WIDTH)
    return lex_fail(&parser->lex, "VLOG-025", "the expression has over %d bits", MAX_WIDTH);
  parser->width += (uint32_t)by;
  return OK;
}

/* length net bits from first on, or length times the constant or nothing that first says. */
static Status add_run(Parser *parser, uint32_t first, uint32_t length)
{
  VerilogRun *last =
      parser->runs.len > parser->unmerged ? &parser->runs.at[parser->runs.len - 1] : NULL;
  TRY(widen(parser, length));
  if (last && is_net_run(*last) && first < RUN_ONE && last->first + last->length == first)
    last->length += length;
  else if (last && !is_net_run(*last) && last->first == first) last->length += length;
  else array_push(&parser->runs, (VerilogRun){ first, length });
  return OK;
}

/* The runs from `start` on, count times in all. */
static Status repeat(Parser *parser, uint32_t start, uint32_t width_before, uint64_t count)
{
  uint32_t added = parser->runs.len - start, width = parser->width - width_before;
  if (count == 0) {
    parser->runs.len = start;
    parser->width = width_before;
    return OK;
  }
  if (width == 0) return OK;
  TRY(widen(parser, (count - 1) * width));
  if (added == 1 && !is_net_run(parser->runs.at[start])) {
    parser->runs.at[start].length *= (uint32_t)count;
    return OK;
  }
  for (uint64_t k = 1; k < count; k++)
    for (uint32_t i = 0; i < added; i++) {
      VerilogRun run = parser->runs.at[start + i];
      array_push(&parser->runs, run);
    }
  return OK;
}

static const VerilogBus *bus_of(const Parser *parser, const Local *local)
{
  return local->value & IS_BUS ? &parser->module->buses.at[local->value & ~IS_BUS] : NULL;
}

/* The bus bit that an escaped name "a[3]" spells. */
bool verilog_spelled_bit(Parser *parser, NameId name, uint32_t *bit)
{
  const char *text = names_text(parser->names, name), *open = strrchr(text, '[');
  uint32_t length = names_length(parser->names, name);
  int index, used = 0;
  if (open == NULL || open == text || sscanf(open, "[%9d]%n", &index, &used) != 1) return false;
  if (used == 0 || open + used != text + length) return false;
  NameId base = names_find(parser->names, text, (size_t)(open - text));
  if (base == NO_NAME) return false;
  Local *local = verilog_local(parser, base);
  const VerilogBus *bus = verilog_is_net(parser, local) ? bus_of(parser, local) : NULL;
  if (bus == NULL
      || (bus->from > bus->to ? index > bus->from || index < bus->to
                              : index < bus->from || index > bus->to))
    return false;
  *bit = bus->first + (uint32_t)(bus->from > bus->to ? bus->from - index : index - bus->from);
  return true;
}

static Status add_new_net(Parser *parser, NameId name, bool escaped)
{
  uint32_t bit;
  if (verilog_has_kind(parser, name, NAME_PARAMETER)) return verilog_no_value(parser, name);
  if (escaped && verilog_spelled_bit(parser, name, &bit)) {
    verilog_tally(parser, TALLY_ESCAPED);
    return add_run(parser, bit, 1);
  }
  if (parser->lex.nets_must_be_declared)
    return lex_fail(&parser->lex, "VLOG-026",
                    "the net '%.60s' is not declared, and `default_nettype is none",
                    names_text(parser->names, name));
  TRY(verilog_new_scalar(parser, name, escaped));
  return add_run(parser, verilog_local(parser, name)->value, 1);
}

Status verilog_add_net(Parser *parser, NameId name, bool escaped)
{
  const Local *local = verilog_local(parser, name);
  if (!verilog_is_net(parser, local)) return add_new_net(parser, name, escaped);
  const VerilogBus *bus = bus_of(parser, local);
  return bus ? add_run(parser, bus->first, verilog_bus_width(bus->from, bus->to))
             : add_run(parser, local->value, 1);
}

/* a[3] where no bus a is declared, but the name \a[3] is. */
static const Local *spelled_scalar(Parser *parser, NameId name, int32_t index)
{
  Text t = { 0 };
  text_printf(&t, "%s[%d]", names_text(parser->names, name), index);
  NameId id = names_find(parser->names, t.at, t.len);
  text_free(&t);
  const Local *local = id == NO_NAME ? NULL : verilog_local(parser, id);
  return local && verilog_is_net(parser, local) && !(local->value & IS_BUS) ? local : NULL;
}

static Status no_bus(Parser *parser, NameId name, int32_t from, int32_t to)
{
  const char *text = names_text(parser->names, name);
  const Local *scalar = from == to ? spelled_scalar(parser, name, from) : NULL;
  if (scalar) return add_run(parser, scalar->value, 1);
  if (verilog_has_kind(parser, name, NAME_PARAMETER)) return verilog_no_value(parser, name);
  if (verilog_is_net(parser, verilog_local(parser, name)))
    return lex_fail(&parser->lex, "VLOG-023", "'%.60s' is no bus, so it has no bit %d", text, from);
  return lex_fail(&parser->lex, "VLOG-026", "bit %d of '%.60s', which is not declared", from, text);
}

Status verilog_add_select(Parser *parser, NameId name, int32_t from, int32_t to)
{
  Local *local = verilog_local(parser, name);
  const VerilogBus *bus = verilog_is_net(parser, local) ? bus_of(parser, local) : NULL;
  if (bus == NULL) return no_bus(parser, name, from, to);
  bool down = bus->from > bus->to;
  int32_t low = down ? bus->to : bus->from, high = down ? bus->from : bus->to;
  if (from < low || from > high || to < low || to > high)
    return lex_fail(&parser->lex, "VLOG-023", "bit %d of '%.60s' is outside its range [%d:%d]",
                    from < low || from > high ? from : to, names_text(parser->names, name),
                    bus->from, bus->to);
  if (from != to && (from > to) != down)
    return lex_fail(&parser->lex, "VLOG-023", "[%d:%d] of '%.60s' runs against its range [%d:%d]",
                    from, to, names_text(parser->names, name), bus->from, bus->to);
  uint32_t first = bus->first + (uint32_t)(down ? bus->from - from : from - bus->from);
  return add_run(parser, first, verilog_bus_width(from, to));
}

/* --- the grammar ------------------------------------------------------------------------------ */
static Status expression(Parser *parser, int depth);

/* Behind its name. */
static Status rest_of_net(Parser *parser, NameId name, bool escaped)
{
  int32_t from, to;
  parser->repeats_left = !verilog_at(parser, '[') && verilog_has_kind(parser, name, NAME_SIGNED);
  if (!verilog_at(parser, '[')) return verilog_add_net(parser, name, escaped);
  TRY(verilog_range(parser, &from, &to));
  return verilog_add_select(parser, name, from, to);
}

static Status net_or_select(Parser *parser)
{
  NameId name = parser->lex.name;
  bool escaped = parser->lex.escaped;
  lex_next(&parser->lex);
  return rest_of_net(parser, name, escaped);
}

static Status constant(Parser *parser)
{
  Lexer *lexer = &parser->lex;
  static const uint32_t code[] = { RUN_ZERO, RUN_ONE, REF_NONE };
  if (lexer->has_unknown) verilog_tally(parser, TALLY_UNKNOWN);
  parser->repeats_left = lexer->repeats_left;
  for (uint32_t i = 0; i < lexer->bits.len; i++) TRY(add_run(parser, code[lexer->bits.at[i]], 1));
  lex_next(lexer);
  return OK;
}

/* An unsized number has 32 bits. */
static Status integer(Parser *parser)
{
  uint64_t v = parser->lex.value;
  if (v > UINT32_MAX)
    return lex_fail(&parser->lex, "VLOG-004", "the unsized constant has over 32 bits");
  for (int b = 32; b-- > 0;) TRY(add_run(parser, v >> b & 1 ? RUN_ONE : RUN_ZERO, 1));
  lex_next(&parser->lex);
  return OK;
}

static Status list(Parser *parser, int depth)
{
  for (;;) {
    TRY(expression(parser, depth));
    if (!verilog_at(parser, ',')) return verilog_expect(parser, '}', "',' or '}'");
    lex_next(&parser->lex);
  }
}

/* {a, b} or {3{a, b}} */
static Status concatenated(Parser *parser, int depth)
{
  uint32_t start = parser->runs.len, width = parser->width;
  lex_next(&parser->lex);
  if (!verilog_at(parser, TOKEN_INTEGER)) return list(parser, depth);
  uint64_t count = parser->lex.value;
  lex_next(&parser->lex);
  if (!verilog_at(parser, '{'))
    return verilog_unexpected(parser, "'{' after the number of repetitions");
  lex_next(&parser->lex);
  uint32_t unmerged = parser->unmerged;
  parser->unmerged = start;
  TRY(list(parser, depth));
  parser->unmerged = unmerged;
  TRY(verilog_expect(parser, '}', "'}'"));
  return repeat(parser, start, width, count);
}

/* It has no sign, whatever its parts have. */
static Status concatenation(Parser *parser, int depth)
{
  TRY(concatenated(parser, depth));
  parser->repeats_left = false;
  return OK;
}

static Status expression(Parser *parser, int depth)
{
  if (depth > MAX_NESTING)
    return lex_fail(&parser->lex, "VLOG-025", "the expression is nested over %d deep", MAX_NESTING);
  switch (parser->lex.kind) {
    case TOKEN_NAME: return net_or_select(parser);
    case TOKEN_BITS: return constant(parser);
    case TOKEN_INTEGER: return integer(parser);
    case '{': return concatenation(parser, depth + 1);
    case '(':
      lex_next(&parser->lex);
      TRY(expression(parser, depth + 1));
      return verilog_expect(parser, ')', "')'");
    default: return verilog_unexpected(parser, "a net, a constant or a concatenation");
  }
}

/* A net that is one bit needs no runs. */
Status verilog_net_ref(Parser *parser, uint32_t *ref)
{
  NameId name = parser->lex.name;
  bool escaped = parser->lex.escaped;
  lex_next(&parser->lex);
  const Local *local = verilog_local(parser, name);
  if (verilog_is_net(parser, local) && !(local->value & IS_BUS) && !verilog_at(parser, '[')) {
    *ref = local->value;
    return OK;
  }
  verilog_clear_runs(parser);
  TRY(rest_of_net(parser, name, escaped));
  return verilog_encode(parser, ref);
}

Status verilog_expression(Parser *parser)
{
  verilog_clear_runs(parser);
  return expression(parser, 0);
}

/* --- what becomes of it ----------------------------------------------------------------------- */
/* The net that constants of a value stand for, made when first needed; it is named at the module's
   end. */
static uint32_t constant_bit(Parser *parser, uint32_t code)
{
  uint32_t *bit = code == RUN_ZERO ? &parser->module->zero_bit : &parser->module->one_bit;
  if (*bit == REF_NONE) {
    *bit = parser->module->bits.len;
    array_push(&parser->module->bits, NO_NAME);
    array_push(&parser->module->ties,
               (VerilogTie){ *bit, code == RUN_ZERO ? NET_CONSTANT_ZERO : NET_CONSTANT_ONE });
  }
  return *bit;
}

static VerilogRun encoded(Parser *parser, VerilogRun run)
{
  if (is_net_run(run)) return run;
  return (VerilogRun){ run.first == REF_NONE ? REF_NONE : constant_bit(parser, run.first),
                       run.length | RUN_SAME };
}

Status verilog_encode(Parser *parser, uint32_t *ref)
{
  VerilogModule *module = parser->module;
  *ref = REF_NONE;
  if (parser->runs.len == 0 || (parser->runs.len == 1 && parser->runs.at[0].first == REF_NONE))
    return OK;
  if (parser->width == 1) {
    *ref = encoded(parser, parser->runs.at[0]).first;
    return OK;
  }
  parser->list_words += 1 + 2 * (uint64_t)parser->runs.len;
  if (parser->list_words > MAX_LIST_WORDS)
    return lex_fail(&parser->lex, "VLOG-025", "the file's concatenations are too large");
  *ref = REF_LIST | module->lists.len;
  array_push(&module->lists, parser->runs.len);
  for (uint32_t i = 0; i < parser->runs.len; i++) {
    VerilogRun run = encoded(parser, parser->runs.at[i]);
    array_push(&module->lists, run.first);
    array_push(&module->lists, run.length);
  }
  return OK;
}

static void expand_runs(const Parser *parser, VerilogBits *bits)
{
  array_clear(bits);
  for (uint32_t i = 0; i < parser->runs.len; i++) {
    VerilogRun run = parser->runs.at[i];
    for (uint32_t k = 0; k < run.length; k++)
      array_push(bits, is_net_run(run) ? run.first + k : run.first);
  }
}

static Status assign_bit(Parser *parser, uint32_t left, uint32_t right)
{
  if (left >= RUN_ONE)
    return lex_fail(&parser->lex, "VLOG-027", "a constant is assigned to, expected a net");
  if (right == RUN_ZERO) array_push(&parser->module->ties, (VerilogTie){ left, NET_CONSTANT_ZERO });
  else if (right == RUN_ONE)
    array_push(&parser->module->ties, (VerilogTie){ left, NET_CONSTANT_ONE });
  else if (right != REF_NONE && right != left)
    array_push(&parser->module->joins, (VerilogJoin){ left, right });
  return OK;
}

/* Extra bits that are constant zero are what a plain number has: nothing is lost. */
static bool drops_bits(const VerilogBits *right, uint32_t extra)
{
  for (uint32_t i = 0; i < extra; i++)
    if (right->at[i] != RUN_ZERO) return true;
  return false;
}

Status verilog_assign_to(Parser *parser)
{
  expand_runs(parser, &parser->left);
  lex_next(&parser->lex);
  TRY(verilog_expression(parser));
  expand_runs(parser, &parser->right);
  uint32_t have = parser->right.len, want = parser->left.len;
  if (have < want || drops_bits(&parser->right, have - want)) verilog_tally(parser, TALLY_WIDTH);
  uint32_t more = parser->repeats_left && have ? parser->right.at[0] : RUN_ZERO;
  for (uint32_t i = 0; i < want; i++)       /* from the right */
    TRY(assign_bit(parser, parser->left.at[want - 1 - i],
                   i < have ? parser->right.at[have - 1 - i] : more));
  return OK;
}
