/* Reads declarations of nets and ports, and puts them together at the end of a module. */
#include <stdio.h>

#include "read/verilog/verilog_parse.h"

enum { MAX_BUS = LEX_MAX_BITS, MAX_BUS_BITS = 1 << 25 };

/* The words before the names of a declaration. */
typedef struct {
  uint8_t  direction;        /* DIR_UNKNOWN: none */
  uint32_t supply;           /* tie flags of supply0, supply1 */
  bool     has_range, is_signed;
  int32_t  from, to;
} Kind;

/* --- making nets ------------------------------------------------------------------------------ */
Status verilog_new_scalar(Parser *p, NameId name, bool escaped)
{
  VerilogModule *m = p->m;
  uint32_t bit = m->bits.len, length = names_length(p->names, name);
  if (bit >= REF_LIST - 4) return lex_fail(&p->lex, "VLOG-025", "the module has over 2^31 nets");
  Local *l = verilog_local(p, name);
  l->net = p->module_number;
  l->value = bit;
  array_push(&m->bits, name);
  if (escaped && length && names_text(p->names, name)[length - 1] == ']')
    array_push(&p->escaped, bit);
  return OK;
}

static Status new_bus(Parser *p, NameId name, const Kind *kind)
{
  VerilogModule *m = p->m;
  uint32_t width = verilog_bus_width(kind->from, kind->to);
  p->bus_bits += width;
  if (width > MAX_BUS || p->bus_bits > MAX_BUS_BITS || m->bits.len + (uint64_t)width > REF_LIST - 4)
    return lex_fail(
        &p->lex, "VLOG-025",
        "the bus '%.60s' or all buses together are too wide, expected at most %d and %d bits",
        names_text(p->names, name), MAX_BUS, MAX_BUS_BITS);
  Local *l = verilog_local(p, name);
  l->net = p->module_number;
  l->value = IS_BUS | m->buses.len;
  array_push(&m->buses, (VerilogBus){ name, m->bits.len, kind->from, kind->to });
  array_resize(&m->bits, m->bits.len + width);
  return OK;
}

/* A net declared before: ports are declared again as wires, some nets twice. */
static Status again(Parser *p, NameId name, const Local *l, const Kind *kind)
{
  const VerilogBus *bus = l->value & IS_BUS ? &p->m->buses.at[l->value & ~IS_BUS] : NULL;
  if (!kind->has_range || (bus && bus->from == kind->from && bus->to == kind->to)) return OK;
  if (bus)
    return lex_fail(&p->lex, "VLOG-024",
                    "'%.60s' is declared with the range [%d:%d], before with [%d:%d]",
                    names_text(p->names, name), kind->from, kind->to, bus->from, bus->to);
  return lex_fail(&p->lex, "VLOG-024",
                  "'%.60s' is declared as a bus after it was declared or used as a single net",
                  names_text(p->names, name));
}

static Status set_direction(Parser *p, NameId name, uint8_t direction)
{
  uint32_t i = map_get(p->directed_by_name, name);
  if (i == MAP_NO_VALUE) {
    map_put(p->directed_by_name, name, p->directed.len);
    array_push(&p->directed, (Directed){ name, direction, false });
    return OK;
  }
  if (p->directed.at[i].direction == direction) return OK;
  return lex_fail(&p->lex, "VLOG-024", "'%.60s' is declared with two directions",
                  names_text(p->names, name));
}

static void tie_net(Parser *p, NameId name, uint32_t flags)
{
  const Local *l = verilog_local(p, name);
  const VerilogBus *bus = l->value & IS_BUS ? &p->m->buses.at[l->value & ~IS_BUS] : NULL;
  uint32_t first = bus ? bus->first : l->value,
           width = bus ? verilog_bus_width(bus->from, bus->to) : 1;
  for (uint32_t i = 0; i < width; i++) array_push(&p->m->ties, (VerilogTie){ first + i, flags });
}

static Status declare(Parser *p, NameId name, bool escaped, const Kind *kind)
{
  if (verilog_has_kind(p, name, NAME_PARAMETER)) return verilog_no_value(p, name);
  const Local *l = verilog_local(p, name);
  if (verilog_is_net(p, l)) TRY(again(p, name, l, kind));
  else if (kind->has_range) TRY(new_bus(p, name, kind));
  else TRY(verilog_new_scalar(p, name, escaped));
  if (kind->direction != DIR_UNKNOWN) TRY(set_direction(p, name, kind->direction));
  if (kind->is_signed) verilog_set_kind(p, name, NAME_SIGNED);
  if (kind->supply) tie_net(p, name, kind->supply);
  return OK;
}

/* --- declarations ----------------------------------------------------------------------------- */
static bool is_net_type(Keyword k) { return k >= KEY_WIRE && k <= KEY_SUPPLY1; }

static void net_type(Parser *p, Kind *kind)
{
  Keyword k = p->lex.keyword;
  if (k == KEY_SUPPLY0) kind->supply = NET_CONSTANT_ZERO | NET_GROUND;
  if (k == KEY_SUPPLY1) kind->supply = NET_CONSTANT_ONE | NET_POWER;
  if (k == KEY_WAND || k == KEY_WOR || k == KEY_TRIAND || k == KEY_TRIOR || k == KEY_TRI0
      || k == KEY_TRI1 || k == KEY_TRIREG)
    verilog_tally(p, TALLY_WIRED);
  lex_next(&p->lex);
}

static uint8_t direction_of(Keyword k)
{
  return k == KEY_INPUT    ? DIR_INPUT
         : k == KEY_OUTPUT ? DIR_OUTPUT
         : k == KEY_INOUT  ? DIR_INOUT
                           : DIR_UNKNOWN;
}

static bool at_word(const Parser *p)
{
  return verilog_at(p, TOKEN_NAME) || verilog_at(p, TOKEN_KEYWORD);
}

/* input wire signed [3:0]: whatever of it is there.  The direction alone stays from what was
   before. */
static Status kind(Parser *p, Kind *kind)
{
  Lexer *x = &p->lex;
  if (at_word(p) && direction_of(x->keyword) != DIR_UNKNOWN) {
    kind->direction = direction_of(x->keyword);
    lex_next(x);
  }
  *kind = (Kind){ .direction = kind->direction };
  if (at_word(p) && is_net_type(x->keyword)) net_type(p, kind);
  if (verilog_at(p, '(')) {                    /* drive strength */
    verilog_tally(p, TALLY_DELAY);
    TRY(verilog_skip_parentheses(p));
  }
  while (verilog_at(p, TOKEN_KEYWORD) && x->keyword >= KEY_SIGNED && x->keyword <= KEY_SCALARED) {
    if (x->keyword == KEY_SIGNED) kind->is_signed = true;
    if (x->keyword >= KEY_VECTORED) p->tallies[TALLY_VECTORED].count++;
    lex_next(x);
  }
  if (verilog_at(p, '[')) {
    kind->has_range = true;
    TRY(verilog_range(p, &kind->from, &kind->to));
    if (verilog_at(p, '['))
      return lex_fail(x, "VLOG-021", "a net of two dimensions is not supported");
  }
  return verilog_skip_delay(p);
}

/* wire a, b = c; */
static Status declared_names(Parser *p, const Kind *kind)
{
  Lexer *x = &p->lex;
  for (;;) {
    if (!verilog_at(p, TOKEN_NAME)) return verilog_unexpected(p, "a name to declare");
    NameId name = x->name;
    bool escaped = x->escaped;
    TRY(declare(p, name, escaped, kind));
    lex_next(x);
    if (verilog_at(p, '['))
      return lex_fail(x, "VLOG-021", "an array of nets (a memory) is not supported");
    if (verilog_at(p, '=')) {
      verilog_clear_runs(p);
      TRY(verilog_add_net(p, name, escaped));
      TRY(verilog_assign_to(p));
    }
    if (!verilog_at(p, ',')) return verilog_expect(p, ';', "',' or ';'");
    lex_next(x);
  }
}

Status verilog_declaration(Parser *p)
{
  Kind k = { 0 };
  TRY(kind(p, &k));
  return declared_names(p, &k);
}

/* --- the header ------------------------------------------------------------------------------- */
static Status head_item(Parser *p)
{
  HeadItem item = { .name = p->lex.name, .escaped = p->lex.escaped };
  if (!verilog_at(p, TOKEN_NAME)) return verilog_unexpected(p, "a port's name");
  lex_next(&p->lex);
  if (verilog_at(p, '[')) {
    item.has_select = true;
    TRY(verilog_range(p, &item.from, &item.to));
  }
  array_push(&p->head_items, item);
  p->head_ports.at[p->head_ports.len - 1].item_count++;
  return OK;
}

/* a, a[3:0] or {a, b} */
static Status head_expression(Parser *p)
{
  if (!verilog_at(p, '{')) return head_item(p);
  do {
    lex_next(&p->lex);
    TRY(head_item(p));
  } while (verilog_at(p, ','));
  return verilog_expect(p, '}', "',' or '}'");
}

static Status named_head_port(Parser *p)
{
  lex_next(&p->lex);
  if (!verilog_at(p, TOKEN_NAME)) return verilog_unexpected(p, "a port's name after '.'");
  p->head_ports.at[p->head_ports.len - 1].name = p->lex.name;
  lex_next(&p->lex);
  TRY(verilog_expect(p, '(', "'('"));
  if (!verilog_at(p, ')')) TRY(head_expression(p));
  return verilog_expect(p, ')', "')'");
}

/* A port without its own name has the name of its net. */
static NameId item_name(Parser *p, const HeadItem *item)
{
  Text t = { 0 };
  text_put(&t, names_text(p->names, item->name));
  if (item->has_select && item->from == item->to) text_printf(&t, "[%d]", item->from);
  else if (item->has_select) text_printf(&t, "[%d:%d]", item->from, item->to);
  NameId name = names_add(p->names, t.at, t.len);
  text_free(&t);
  return name;
}

static Status classic_port(Parser *p)
{
  array_push(&p->head_ports, (HeadPort){ NO_NAME, p->head_items.len, 0 });
  if (verilog_at(p, ',') || verilog_at(p, ')')) return OK;
  if (verilog_at(p, '.')) return named_head_port(p);
  TRY(head_expression(p));
  HeadPort *port = &p->head_ports.at[p->head_ports.len - 1];
  if (port->item_count == 1) port->name = item_name(p, &p->head_items.at[port->first_item]);
  return OK;
}

/* input [3:0] a, b, output c: a name without words before it takes those of the last one. */
static Status ansi_port(Parser *p, Kind *k)
{
  Lexer *x = &p->lex;
  if ((at_word(p) && (direction_of(x->keyword) != DIR_UNKNOWN || is_net_type(x->keyword)))
      || verilog_at(p, '['))
    TRY(kind(p, k));
  if (!verilog_at(p, TOKEN_NAME)) return verilog_unexpected(p, "a port's name");
  array_push(&p->head_ports, (HeadPort){ x->name, p->head_items.len, 1 });
  array_push(&p->head_items, (HeadItem){ .name = x->name, .escaped = x->escaped });
  TRY(declare(p, x->name, x->escaped, k));
  lex_next(x);
  return OK;
}

static Status port_list(Parser *p)
{
  Kind k = { 0 };
  lex_next(&p->lex);
  if (verilog_at(p, ')')) return OK;
  bool ansi = verilog_at(p, TOKEN_KEYWORD) && direction_of(p->lex.keyword) != DIR_UNKNOWN;
  for (;;) {
    TRY(ansi ? ansi_port(p, &k) : classic_port(p));
    if (!verilog_at(p, ',')) return OK;
    lex_next(&p->lex);
  }
}

/* #(parameter P = 1, Q = (2)) */
static Status head_parameters(Parser *p)
{
  uint32_t depth = 0;
  verilog_tally(p, TALLY_PARAMETER);
  lex_next(&p->lex);
  if (!verilog_at(p, '(')) return verilog_unexpected(p, "'(' after '#'");
  do {
    if (verilog_at(p, TOKEN_BAD)) return FAILED;
    if (verilog_at(p, TOKEN_END)) return verilog_unexpected(p, "')'");
    if (verilog_at(p, '(')) depth++;
    if (verilog_at(p, ')')) depth--;
    TRY(verilog_pass_parameter(p));
  } while (depth);
  return OK;
}

Status verilog_header(Parser *p)
{
  if (verilog_at(p, '#')) TRY(head_parameters(p));
  if (verilog_at(p, '(')) {
    TRY(port_list(p));
    TRY(verilog_expect(p, ')', "',' or ')'"));
  }
  return verilog_expect(p, ';', "';'");
}

/* --- the module's end ------------------------------------------------------------------------- */
/* Returns the bus whose bit \a[3] spells, if the bus is declared and the bit is not; otherwise the
   name itself. */
static NameId declared_as(Parser *p, const HeadItem *item)
{
  uint32_t bit;
  if (!item->escaped || verilog_is_net(p, verilog_local(p, item->name))) return item->name;
  if (!verilog_spelled_bit(p, item->name, &bit)) return item->name;
  const char *text = names_text(p->names, item->name);
  return names_find(p->names, text, (size_t)(strrchr(text, '[') - text));
}

/* The direction of the net, and that the port list names it. */
static void use_direction(Parser *p, NameId net, uint8_t *direction)
{
  uint32_t i = map_get(p->directed_by_name, net);
  if (i == MAP_NO_VALUE) return;
  p->directed.at[i].used = true;
  if (*direction == DIR_UNKNOWN) *direction = p->directed.at[i].direction;
}

static Status head_port_bits(Parser *p, const HeadPort *head, VerilogPort *port)
{
  verilog_clear_runs(p);
  for (uint32_t i = 0; i < head->item_count; i++) {
    const HeadItem *item = &p->head_items.at[head->first_item + i];
    use_direction(p, declared_as(p, item), &port->direction);
    TRY(item->has_select ? verilog_add_select(p, item->name, item->from, item->to)
                         : verilog_add_net(p, item->name, item->escaped));
  }
  return verilog_encode(p, &port->ref);
}

/* The range that a port shows: that of its one net, or [n-1:0]. */
static void head_port_range(Parser *p, const HeadPort *head, VerilogPort *port)
{
  const HeadItem *item = &p->head_items.at[head->first_item];
  const Local *l = head->item_count == 1 && !item->has_select ? verilog_local(p, item->name) : NULL;
  if (l && l->value & IS_BUS) {
    const VerilogBus *bus = &p->m->buses.at[l->value & ~IS_BUS];
    port->is_bus = true;
    port->from = bus->from;
    port->to = bus->to;
  } else if (p->width > 1) {
    port->is_bus = true;
    port->from = (int32_t)p->width - 1;
  }
}

/* The linker tells it, of the modules that it uses. */
static void note_undirected(Parser *p, const HeadPort *head)
{
  if (p->m->undirected_count++) return;
  p->m->undirected = head->name != NO_NAME ? head->name : p->head_items.at[head->first_item].name;
}

static Status finish_port(Parser *p, const HeadPort *head, Map *known)
{
  VerilogPort port = { .name = head->name, .direction = DIR_UNKNOWN, .ref = REF_NONE };
  TRY(head_port_bits(p, head, &port));
  if (port.direction == DIR_UNKNOWN && head->item_count) note_undirected(p, head);
  if (head->item_count) head_port_range(p, head, &port);
  if (port.name != NO_NAME && map_get(known, port.name) != MAP_NO_VALUE)
    return lex_fail(&p->lex, "VLOG-024", "module '%.60s' has two ports '%.60s'",
                    names_text(p->names, p->m->name), names_text(p->names, port.name));
  map_put(known, port.name, p->m->ports.len);
  array_push(&p->m->ports, port);
  return OK;
}

static Status finish_ports(Parser *p)
{
  Map *known = map_new();
  Status status = OK;
  for (uint32_t i = 0; i < p->head_ports.len && status == OK; i++)
    status = finish_port(p, &p->head_ports.at[i], known);
  map_free(known);
  TRY(status);
  for (uint32_t i = 0; i < p->directed.len; i++)
    if (!p->directed.at[i].used)
      return lex_fail(&p->lex, "VLOG-022",
                      "'%.60s' has a direction, but is not in the port list of module '%.60s'",
                      names_text(p->names, p->directed.at[i].name),
                      names_text(p->names, p->m->name));
  return OK;
}

/* A name from `text` that no net of the module has. */
static NameId free_name(Parser *p, const char *text)
{
  Text t = { 0 };
  NameId name;
  text_put(&t, text);
  for (;;) {
    name = names_add(p->names, t.at, t.len);
    if (!verilog_is_net(p, verilog_local(p, name))) break;
    text_char(&t, '_');
  }
  text_free(&t);
  return name;
}

/* If there is a bus a with a bit 3, the single net \a[3] has the same text, so it keeps its
   backslash. */
static void part_from_buses(Parser *p)
{
  VerilogModule *m = p->m;
  for (uint32_t i = 0; i < p->escaped.len; i++) {
    NameId *name = &m->bits.at[p->escaped.at[i]];
    uint32_t bit;
    if (!verilog_spelled_bit(p, *name, &bit)) continue;
    const char *text = names_text(p->names, *name);
    Text t = { 0 };
    text_printf(&t, "\\%s", text);
    log_warning(
        p->log, "VLOG-034", (Where){ names_text(p->names, m->file), m->line, 0 },
        "module '%.60s' has a net '\\%.60s ' and a bus bit '%.60s'; the net is called '%.60s' here",
        names_text(p->names, m->name), text, text, t.at);
    *name = names_add(p->names, t.at, t.len);
    text_free(&t);
  }
}

#define TRIM(a)                                                                              \
  ((a).len < (a).cap ? (void)((a).at = mem_resize((a).at, (size_t)(a).len * sizeof *(a).at), \
      (a).cap = (a).len) : (void)0)

static void trim(VerilogModule *m)
{
  TRIM(m->ports);
  TRIM(m->bits);
  TRIM(m->buses);
  TRIM(m->words);
  TRIM(m->lists);
  TRIM(m->joins);
  TRIM(m->ties);
  TRIM(m->places);
}

/* supply0 and supply1 alone are no contents. */
static bool has_constants(const VerilogModule *m)
{
  for (uint32_t i = 0; i < m->ties.len; i++)
    if (!(m->ties.at[i].flags & (NET_POWER | NET_GROUND))) return true;
  return false;
}

Status verilog_finish_module(Parser *p)
{
  VerilogModule *m = p->m;
  TRY(finish_ports(p));
  m->is_stub = m->inst_count == 0 && m->joins.len == 0 && !has_constants(m);
  if (m->zero_bit != REF_NONE) m->bits.at[m->zero_bit] = free_name(p, "zero_");
  if (m->one_bit != REF_NONE) m->bits.at[m->one_bit] = free_name(p, "one_");
  part_from_buses(p);
  trim(m);
  return OK;
}
