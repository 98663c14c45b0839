/* Reads names, selects, concatenations, replications and constants. */
#include <stdio.h>

#include "read/verilog/verilog_parse.h"

enum { MAX_NESTING = 200, MAX_WIDTH = LEX_MAX_BITS, MAX_LIST_WORDS = 1 << 27, MAX_INDEX = 1 << 30 };

Local *verilog_local(Parser *p, NameId name)
{
  if (name >= p->locals.len)
    array_resize(&p->locals, names_count(p->names) + names_count(p->names) / 4 + 1);
  return &p->locals.at[name];
}

bool verilog_is_net(const Parser *p, const Local *l) { return l->net == p->module_number; }

void verilog_set_kind(Parser *p, NameId name, uint32_t kind)
{
  if (p->kinds == NULL) p->kinds = map_new();
  map_put(p->kinds, name, kind);
}

bool verilog_has_kind(const Parser *p, NameId name, uint32_t kind)
{
  return p->kinds && map_get(p->kinds, name) == kind;
}

Status verilog_no_value(Parser *p, NameId parameter)
{
  return lex_fail(&p->lex, "VLOG-056",
                  "'%.60s' is a parameter and used as a net: values of parameters are not known",
                  names_text(p->names, parameter));
}

/* --- numbers in ranges ------------------------------------------------------------------------ */
static Status constant_sum(Parser *p, int depth, int64_t *value);

static int64_t bits_value(const Lexer *x)
{
  uint64_t v = 0;
  for (uint32_t i = 0; i < x->bits.len; i++) v = v > MAX_INDEX ? v : v << 1 | x->bits.at[i];
  return (int64_t)v;
}

static Status constant_primary(Parser *p, int depth, int64_t *value)
{
  Lexer *x = &p->lex;
  if (depth > MAX_NESTING)
    return lex_fail(x, "VLOG-025", "the expression is nested over %d deep", MAX_NESTING);
  if (verilog_at(p, '-')) {
    lex_next(x);
    TRY(constant_primary(p, depth + 1, value));
    *value = -*value;
    return OK;
  }
  if (verilog_at(p, '(')) {
    lex_next(x);
    TRY(constant_sum(p, depth + 1, value));
    return verilog_expect(p, ')', "')'");
  }
  if (verilog_at(p, TOKEN_NAME))
    return lex_fail(x, "VLOG-023", "'%.60s' in a range or index: only numbers are supported there",
                    names_text(p->names, x->name));
  if (!verilog_at(p, TOKEN_INTEGER) && !(verilog_at(p, TOKEN_BITS) && !x->has_unknown))
    return verilog_unexpected(p, "a number");
  *value = x->kind == TOKEN_BITS ? bits_value(x) : (int64_t)x->value;
  lex_next(x);
  return OK;
}

/* Values stay far from overflow: all are held within +-MAX_INDEX. */
static Status in_bounds(Parser *p, int64_t value)
{
  if (value >= -MAX_INDEX && value <= MAX_INDEX) return OK;
  return lex_fail(&p->lex, "VLOG-023", "an index or range bound is beyond %d", MAX_INDEX);
}

static Status constant_product(Parser *p, int depth, int64_t *value)
{
  TRY(constant_primary(p, depth, value));
  TRY(in_bounds(p, *value));
  while (verilog_at(p, '*')) {
    int64_t factor;
    lex_next(&p->lex);
    TRY(constant_primary(p, depth, &factor));
    TRY(in_bounds(p, factor));
    *value *= factor;
    TRY(in_bounds(p, *value));
  }
  return OK;
}

static Status constant_sum(Parser *p, int depth, int64_t *value)
{
  TRY(constant_product(p, depth, value));
  while (verilog_at(p, '+') || verilog_at(p, '-')) {
    int sign = verilog_at(p, '+') ? 1 : -1;
    int64_t term;
    lex_next(&p->lex);
    TRY(constant_product(p, depth, &term));
    *value += sign * term;
    TRY(in_bounds(p, *value));
  }
  return OK;
}

static Status bound(Parser *p, int32_t *bound)
{
  int64_t v = 0;
  TRY(constant_sum(p, 0, &v));
  *bound = (int32_t)v;
  return OK;
}

Status verilog_range(Parser *p, int32_t *from, int32_t *to)
{
  lex_next(&p->lex);
  TRY(bound(p, from));
  *to = *from;
  if (verilog_at(p, ':')) {
    lex_next(&p->lex);
    TRY(bound(p, to));
  }
  return verilog_expect(p, ']', "']'");
}

/* --- runs ------------------------------------------------------------------------------------- */
void verilog_clear_runs(Parser *p)
{
  array_clear(&p->runs);
  p->width = p->unmerged = 0;
  p->repeats_left = false;
}

static bool is_net_run(VerilogRun r) { return r.first < RUN_ONE; }

static Status widen(Parser *p, uint64_t by)
{
  if (p->width + by > MAX_WIDTH)
    return lex_fail(&p->lex, "VLOG-025", "the expression has over %d bits", MAX_WIDTH);
  p->width += (uint32_t)by;
  return OK;
}

/* length net bits from first on, or length times the constant or nothing that first says. */
static Status add_run(Parser *p, uint32_t first, uint32_t length)
{
  VerilogRun *last = p->runs.len > p->unmerged ? &p->runs.at[p->runs.len - 1] : NULL;
  TRY(widen(p, length));
  if (last && is_net_run(*last) && first < RUN_ONE && last->first + last->length == first)
    last->length += length;
  else if (last && !is_net_run(*last) && last->first == first) last->length += length;
  else array_push(&p->runs, (VerilogRun){ first, length });
  return OK;
}

/* The runs from `start` on, count times in all. */
static Status repeat(Parser *p, uint32_t start, uint32_t width_before, uint64_t count)
{
  uint32_t added = p->runs.len - start, width = p->width - width_before;
  if (count == 0) {
    p->runs.len = start;
    p->width = width_before;
    return OK;
  }
  if (width == 0) return OK;
  TRY(widen(p, (count - 1) * width));
  if (added == 1 && !is_net_run(p->runs.at[start])) {
    p->runs.at[start].length *= (uint32_t)count;
    return OK;
  }
  for (uint64_t k = 1; k < count; k++)
    for (uint32_t i = 0; i < added; i++) {
      VerilogRun run = p->runs.at[start + i];
      array_push(&p->runs, run);
    }
  return OK;
}

static const VerilogBus *bus_of(const Parser *p, const Local *l)
{
  return l->value & IS_BUS ? &p->m->buses.at[l->value & ~IS_BUS] : NULL;
}

/* The bus bit that an escaped name "a[3]" spells. */
bool verilog_spelled_bit(Parser *p, NameId name, uint32_t *bit)
{
  const char *text = names_text(p->names, name), *open = strrchr(text, '[');
  uint32_t length = names_length(p->names, name);
  int index, used = 0;
  if (open == NULL || open == text || sscanf(open, "[%9d]%n", &index, &used) != 1) return false;
  if (used == 0 || open + used != text + length) return false;
  NameId base = names_find(p->names, text, (size_t)(open - text));
  if (base == NO_NAME) return false;
  Local *l = verilog_local(p, base);
  const VerilogBus *b = verilog_is_net(p, l) ? bus_of(p, l) : NULL;
  if (b == NULL
      || (b->from > b->to ? index > b->from || index < b->to : index < b->from || index > b->to))
    return false;
  *bit = b->first + (uint32_t)(b->from > b->to ? b->from - index : index - b->from);
  return true;
}

static Status add_new_net(Parser *p, NameId name, bool escaped)
{
  uint32_t bit;
  if (verilog_has_kind(p, name, NAME_PARAMETER)) return verilog_no_value(p, name);
  if (escaped && verilog_spelled_bit(p, name, &bit)) {
    verilog_tally(p, TALLY_ESCAPED);
    return add_run(p, bit, 1);
  }
  if (p->lex.nets_must_be_declared)
    return lex_fail(&p->lex, "VLOG-026",
                    "the net '%.60s' is not declared, and `default_nettype is none",
                    names_text(p->names, name));
  TRY(verilog_new_scalar(p, name, escaped));
  return add_run(p, verilog_local(p, name)->value, 1);
}

Status verilog_add_net(Parser *p, NameId name, bool escaped)
{
  const Local *l = verilog_local(p, name);
  if (!verilog_is_net(p, l)) return add_new_net(p, name, escaped);
  const VerilogBus *bus = bus_of(p, l);
  return bus ? add_run(p, bus->first, verilog_bus_width(bus->from, bus->to))
             : add_run(p, l->value, 1);
}

/* a[3] where no bus a is declared, but the name \a[3] is. */
static const Local *spelled_scalar(Parser *p, NameId name, int32_t index)
{
  Text t = { 0 };
  text_printf(&t, "%s[%d]", names_text(p->names, name), index);
  NameId id = names_find(p->names, t.at, t.len);
  text_free(&t);
  const Local *l = id == NO_NAME ? NULL : verilog_local(p, id);
  return l && verilog_is_net(p, l) && !(l->value & IS_BUS) ? l : NULL;
}

static Status no_bus(Parser *p, NameId name, int32_t from, int32_t to)
{
  const char *text = names_text(p->names, name);
  const Local *scalar = from == to ? spelled_scalar(p, name, from) : NULL;
  if (scalar) return add_run(p, scalar->value, 1);
  if (verilog_has_kind(p, name, NAME_PARAMETER)) return verilog_no_value(p, name);
  if (verilog_is_net(p, verilog_local(p, name)))
    return lex_fail(&p->lex, "VLOG-023", "'%.60s' is no bus, so it has no bit %d", text, from);
  return lex_fail(&p->lex, "VLOG-026", "bit %d of '%.60s', which is not declared", from, text);
}

Status verilog_add_select(Parser *p, NameId name, int32_t from, int32_t to)
{
  Local *l = verilog_local(p, name);
  const VerilogBus *b = verilog_is_net(p, l) ? bus_of(p, l) : NULL;
  if (b == NULL) return no_bus(p, name, from, to);
  bool down = b->from > b->to;
  int32_t low = down ? b->to : b->from, high = down ? b->from : b->to;
  if (from < low || from > high || to < low || to > high)
    return lex_fail(&p->lex, "VLOG-023", "bit %d of '%.60s' is outside its range [%d:%d]",
                    from < low || from > high ? from : to, names_text(p->names, name), b->from,
                    b->to);
  if (from != to && (from > to) != down)
    return lex_fail(&p->lex, "VLOG-023", "[%d:%d] of '%.60s' runs against its range [%d:%d]", from,
                    to, names_text(p->names, name), b->from, b->to);
  uint32_t first = b->first + (uint32_t)(down ? b->from - from : from - b->from);
  return add_run(p, first, verilog_bus_width(from, to));
}

/* --- the grammar ------------------------------------------------------------------------------ */
static Status expression(Parser *p, int depth);

/* Behind its name. */
static Status rest_of_net(Parser *p, NameId name, bool escaped)
{
  int32_t from, to;
  p->repeats_left = !verilog_at(p, '[') && verilog_has_kind(p, name, NAME_SIGNED);
  if (!verilog_at(p, '[')) return verilog_add_net(p, name, escaped);
  TRY(verilog_range(p, &from, &to));
  return verilog_add_select(p, name, from, to);
}

static Status net_or_select(Parser *p)
{
  NameId name = p->lex.name;
  bool escaped = p->lex.escaped;
  lex_next(&p->lex);
  return rest_of_net(p, name, escaped);
}

static Status constant(Parser *p)
{
  Lexer *x = &p->lex;
  static const uint32_t code[] = { RUN_ZERO, RUN_ONE, REF_NONE };
  if (x->has_unknown) verilog_tally(p, TALLY_UNKNOWN);
  p->repeats_left = x->repeats_left;
  for (uint32_t i = 0; i < x->bits.len; i++) TRY(add_run(p, code[x->bits.at[i]], 1));
  lex_next(x);
  return OK;
}

/* An unsized number has 32 bits. */
static Status integer(Parser *p)
{
  uint64_t v = p->lex.value;
  if (v > UINT32_MAX) return lex_fail(&p->lex, "VLOG-004", "the unsized constant has over 32 bits");
  for (int b = 32; b-- > 0;) TRY(add_run(p, v >> b & 1 ? RUN_ONE : RUN_ZERO, 1));
  lex_next(&p->lex);
  return OK;
}

static Status list(Parser *p, int depth)
{
  for (;;) {
    TRY(expression(p, depth));
    if (!verilog_at(p, ',')) return verilog_expect(p, '}', "',' or '}'");
    lex_next(&p->lex);
  }
}

/* {a, b} or {3{a, b}} */
static Status concatenated(Parser *p, int depth)
{
  uint32_t start = p->runs.len, width = p->width;
  lex_next(&p->lex);
  if (!verilog_at(p, TOKEN_INTEGER)) return list(p, depth);
  uint64_t count = p->lex.value;
  lex_next(&p->lex);
  if (!verilog_at(p, '{')) return verilog_unexpected(p, "'{' after the number of repetitions");
  lex_next(&p->lex);
  uint32_t unmerged = p->unmerged;
  p->unmerged = start;
  TRY(list(p, depth));
  p->unmerged = unmerged;
  TRY(verilog_expect(p, '}', "'}'"));
  return repeat(p, start, width, count);
}

/* It has no sign, whatever its parts have. */
static Status concatenation(Parser *p, int depth)
{
  TRY(concatenated(p, depth));
  p->repeats_left = false;
  return OK;
}

static Status expression(Parser *p, int depth)
{
  if (depth > MAX_NESTING)
    return lex_fail(&p->lex, "VLOG-025", "the expression is nested over %d deep", MAX_NESTING);
  switch (p->lex.kind) {
    case TOKEN_NAME: return net_or_select(p);
    case TOKEN_BITS: return constant(p);
    case TOKEN_INTEGER: return integer(p);
    case '{': return concatenation(p, depth + 1);
    case '(':
      lex_next(&p->lex);
      TRY(expression(p, depth + 1));
      return verilog_expect(p, ')', "')'");
    default: return verilog_unexpected(p, "a net, a constant or a concatenation");
  }
}

/* A net that is one bit needs no runs. */
Status verilog_net_ref(Parser *p, uint32_t *ref)
{
  NameId name = p->lex.name;
  bool escaped = p->lex.escaped;
  lex_next(&p->lex);
  const Local *l = verilog_local(p, name);
  if (verilog_is_net(p, l) && !(l->value & IS_BUS) && !verilog_at(p, '[')) {
    *ref = l->value;
    return OK;
  }
  verilog_clear_runs(p);
  TRY(rest_of_net(p, name, escaped));
  return verilog_encode(p, ref);
}

Status verilog_expression(Parser *p)
{
  verilog_clear_runs(p);
  return expression(p, 0);
}

/* --- what becomes of it ----------------------------------------------------------------------- */
/* The net that constants of a value stand for, made when first needed; it is named at the module's
   end. */
static uint32_t constant_bit(Parser *p, uint32_t code)
{
  uint32_t *bit = code == RUN_ZERO ? &p->m->zero_bit : &p->m->one_bit;
  if (*bit == REF_NONE) {
    *bit = p->m->bits.len;
    array_push(&p->m->bits, NO_NAME);
    array_push(&p->m->ties,
               (VerilogTie){ *bit, code == RUN_ZERO ? NET_CONSTANT_ZERO : NET_CONSTANT_ONE });
  }
  return *bit;
}

static VerilogRun encoded(Parser *p, VerilogRun run)
{
  if (is_net_run(run)) return run;
  return (VerilogRun){ run.first == REF_NONE ? REF_NONE : constant_bit(p, run.first),
                       run.length | RUN_SAME };
}

Status verilog_encode(Parser *p, uint32_t *ref)
{
  VerilogModule *m = p->m;
  *ref = REF_NONE;
  if (p->runs.len == 0 || (p->runs.len == 1 && p->runs.at[0].first == REF_NONE)) return OK;
  if (p->width == 1) {
    *ref = encoded(p, p->runs.at[0]).first;
    return OK;
  }
  p->list_words += 1 + 2 * (uint64_t)p->runs.len;
  if (p->list_words > MAX_LIST_WORDS)
    return lex_fail(&p->lex, "VLOG-025", "the file's concatenations are too large");
  *ref = REF_LIST | m->lists.len;
  array_push(&m->lists, p->runs.len);
  for (uint32_t i = 0; i < p->runs.len; i++) {
    VerilogRun run = encoded(p, p->runs.at[i]);
    array_push(&m->lists, run.first);
    array_push(&m->lists, run.length);
  }
  return OK;
}

static void expand_runs(const Parser *p, VerilogBits *bits)
{
  array_clear(bits);
  for (uint32_t i = 0; i < p->runs.len; i++) {
    VerilogRun run = p->runs.at[i];
    for (uint32_t k = 0; k < run.length; k++)
      array_push(bits, is_net_run(run) ? run.first + k : run.first);
  }
}

static Status assign_bit(Parser *p, uint32_t left, uint32_t right)
{
  if (left >= RUN_ONE)
    return lex_fail(&p->lex, "VLOG-027", "a constant is assigned to, expected a net");
  if (right == RUN_ZERO) array_push(&p->m->ties, (VerilogTie){ left, NET_CONSTANT_ZERO });
  else if (right == RUN_ONE) array_push(&p->m->ties, (VerilogTie){ left, NET_CONSTANT_ONE });
  else if (right != REF_NONE && right != left)
    array_push(&p->m->joins, (VerilogJoin){ left, right });
  return OK;
}

/* Extra bits that are constant zero are what a plain number has: nothing is lost. */
static bool drops_bits(const VerilogBits *right, uint32_t extra)
{
  for (uint32_t i = 0; i < extra; i++)
    if (right->at[i] != RUN_ZERO) return true;
  return false;
}

Status verilog_assign_to(Parser *p)
{
  expand_runs(p, &p->left);
  lex_next(&p->lex);
  TRY(verilog_expression(p));
  expand_runs(p, &p->right);
  uint32_t have = p->right.len, want = p->left.len;
  if (have < want || drops_bits(&p->right, have - want)) verilog_tally(p, TALLY_WIDTH);
  uint32_t more = p->repeats_left && have ? p->right.at[0] : RUN_ZERO;
  for (uint32_t i = 0; i < want; i++)       /* from the right */
    TRY(assign_bit(p, p->left.at[want - 1 - i], i < have ? p->right.at[have - 1 - i] : more));
  return OK;
}
