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
Status verilog_new_scalar(Parser *parser, NameId name, bool escaped)
{
  VerilogModule *module = parser->module;
  uint32_t bit = module->bits.len, length = names_length(parser->names, name);
  if (bit >= REF_LIST - 4)
    return lex_fail(&parser->lex, "VLOG-025", "the module has over 2^31 nets");
  Local *local = verilog_local(parser, name);
  local->net = parser->module_number;
  local->value = bit;
  array_push(&module->bits, name);
  if (escaped && length && names_text(parser->names, name)[length - 1] == ']')
    array_push(&parser->escaped, bit);
  return OK;
}

static Status new_bus(Parser *parser, NameId name, const Kind *kind)
{
  VerilogModule *module = parser->module;
  uint32_t width = verilog_bus_width(kind->from, kind->to);
  parser->bus_bits += width;
  if (width > MAX_BUS || parser->bus_bits > MAX_BUS_BITS
      || module->bits.len + (uint64_t)width > REF_LIST - 4)
    return lex_fail(
        &parser->lex, "VLOG-025",
        "the bus '%.60s' or all buses together are too wide, expected at most %d and %d bits",
        names_text(parser->names, name), MAX_BUS, MAX_BUS_BITS);
  Local *local = verilog_local(parser, name);
  local->net = parser->module_number;
  local->value = IS_BUS | module->buses.len;
  array_push(&module->buses, (VerilogBus){ name, module->bits.len, kind->from, kind->to });
  array_resize(&module->bits, module->bits.len + width);
  return OK;
}

/* A net declared before: ports are declared again as wires, some nets twice. */
static Status again(Parser *parser, NameId name, const Local *local, const Kind *kind)
{
  const VerilogBus *bus =
      local->value & IS_BUS ? &parser->module->buses.at[local->value & ~IS_BUS] : NULL;
  if (!kind->has_range || (bus && bus->from == kind->from && bus->to == kind->to)) return OK;
  if (bus)
    return lex_fail(&parser->lex, "VLOG-024",
                    "'%.60s' is declared with the range [%d:%d], before with [%d:%d]",
                    names_text(parser->names, name), kind->from, kind->to, bus->from, bus->to);
  return lex_fail(&parser->lex, "VLOG-024",
                  "'%.60s' is declared as a bus after it was declared or used as a single net",
                  names_text(parser->names, name));
}

static Status set_direction(Parser *parser, NameId name, uint8_t direction)
{
  uint32_t i = map_get(parser->directed_by_name, name);
  if (i == MAP_NO_VALUE) {
    map_put(parser->directed_by_name, name, parser->directed.len);
    array_push(&parser->directed, (Directed){ name, direction, false });
    return OK;
  }
  if (parser->directed.at[i].direction == direction) return OK;
  return lex_fail(&parser->lex, "VLOG-024", "'%.60s' is declared with two directions",
                  names_text(parser->names, name));
}

static void tie_net(Parser *parser, NameId name, uint32_t flags)
{
  const Local *local = verilog_local(parser, name);
  const VerilogBus *bus =
      local->value & IS_BUS ? &parser->module->buses.at[local->value & ~IS_BUS] : NULL;
  uint32_t first = bus ? bus->first : local->value,
           width = bus ? verilog_bus_width(bus->from, bus->to) : 1;
  for (uint32_t i = 0; i < width; i++)
    array_push(&parser->module->ties, (VerilogTie){ first + i, flags });
}

static Status declare(Parser *parser, NameId name, bool escaped, const Kind *kind)
{
  if (verilog_has_kind(parser, name, NAME_PARAMETER)) return verilog_no_value(parser, name);
  const Local *local = verilog_local(parser, name);
  if (verilog_is_net(parser, local)) TRY(again(parser, name, local, kind));
  else if (kind->has_range) TRY(new_bus(parser, name, kind));
  else TRY(verilog_new_scalar(parser, name, escaped));
  if (kind->direction != DIR_UNKNOWN) TRY(set_direction(parser, name, kind->direction));
  if (kind->is_signed) verilog_set_kind(parser, name, NAME_SIGNED);
  if (kind->supply) tie_net(parser, name, kind->supply);
  return OK;
}

/* --- declarations ----------------------------------------------------------------------------- */
static bool is_net_type(Keyword k) { return k >= KEY_WIRE && k <= KEY_SUPPLY1; }

static void net_type(Parser *parser, Kind *kind)
{
  Keyword k = parser->lex.keyword;
  if (k == KEY_SUPPLY0) kind->supply = NET_CONSTANT_ZERO | NET_GROUND;
  if (k == KEY_SUPPLY1) kind->supply = NET_CONSTANT_ONE | NET_POWER;
  if (k == KEY_WAND || k == KEY_WOR || k == KEY_TRIAND || k == KEY_TRIOR || k == KEY_TRI0
      || k == KEY_TRI1 || k == KEY_TRIREG)
    verilog_tally(parser, TALLY_WIRED);
  lex_next(&parser->lex);
}

static uint8_t direction_of(Keyword k)
{
  return k == KEY_INPUT    ? DIR_INPUT
         : k == KEY_OUTPUT ? DIR_OUTPUT
         : k == KEY_INOUT  ? DIR_INOUT
                           : DIR_UNKNOWN;
}

static bool at_word(const Parser *parser)
{
  return verilog_at(parser, TOKEN_NAME) || verilog_at(parser, TOKEN_KEYWORD);
}

/* input wire signed [3:0]: whatever of it is there.  The direction alone stays from what was
   before. */
static Status kind(Parser *parser, Kind *kind)
{
  Lexer *lexer = &parser->lex;
  if (at_word(parser) && direction_of(lexer->keyword) != DIR_UNKNOWN) {
    kind->direction = direction_of(lexer->keyword);
    lex_next(lexer);
  }
  *kind = (Kind){ .direction = kind->direction };
  if (at_word(parser) && is_net_type(lexer->keyword)) net_type(parser, kind);
  if (verilog_at(parser, '(')) { /* drive strength */
    verilog_tally(parser, TALLY_DELAY);
    TRY(verilog_skip_parentheses(parser));
  }
  while (verilog_at(parser, TOKEN_KEYWORD) && lexer->keyword >= KEY_SIGNED
         && lexer->keyword <= KEY_SCALARED) {
    if (lexer->keyword == KEY_SIGNED) kind->is_signed = true;
    if (lexer->keyword >= KEY_VECTORED) parser->tallies[TALLY_VECTORED].count++;
    lex_next(lexer);
  }
  if (verilog_at(parser, '[')) {
    kind->has_range = true;
    TRY(verilog_range(parser, &kind->from, &kind->to));
    if (verilog_at(parser, '['))
      return lex_fail(lexer, "VLOG-021", "a net of two dimensions is not supported");
  }
  return verilog_skip_delay(parser);
}

/* wire a, b = c; */
static Status declared_names(Parser *parser, const Kind *kind)
{
  Lexer *lexer = &parser->lex;
  for (;;) {
    if (!verilog_at(parser, TOKEN_NAME)) return verilog_unexpected(parser, "a name to declare");
    NameId name = lexer->name;
    bool escaped = lexer->escaped;
    TRY(declare(parser, name, escaped, kind));
    lex_next(lexer);
    if (verilog_at(parser, '['))
      return lex_fail(lexer, "VLOG-021", "an array of nets (a memory) is not supported");
    if (verilog_at(parser, '=')) {
      verilog_clear_runs(parser);
      TRY(verilog_add_net(parser, name, escaped));
      TRY(verilog_assign_to(parser));
    }
    if (!verilog_at(parser, ',')) return verilog_expect(parser, ';', "',' or ';'");
    lex_next(lexer);
  }
}

Status verilog_declaration(Parser *parser)
{
  Kind k = { 0 };
  TRY(kind(parser, &k));
  return declared_names(parser, &k);
}

/* --- the header ------------------------------------------------------------------------------- */
static Status head_item(Parser *parser)
{
  HeadItem item = { .name = parser->lex.name, .escaped = parser->lex.escaped };
  if (!verilog_at(parser, TOKEN_NAME)) return verilog_unexpected(parser, "a port's name");
  lex_next(&parser->lex);
  if (verilog_at(parser, '[')) {
    item.has_select = true;
    TRY(verilog_range(parser, &item.from, &item.to));
  }
  array_push(&parser->head_items, item);
  parser->head_ports.at[parser->head_ports.len - 1].item_count++;
  return OK;
}

/* a, a[3:0] or {a, b} */
static Status head_expression(Parser *parser)
{
  if (!verilog_at(parser, '{')) return head_item(parser);
  do {
    lex_next(&parser->lex);
    TRY(head_item(parser));
  } while (verilog_at(parser, ','));
  return verilog_expect(parser, '}', "',' or '}'");
}

static Status named_head_port(Parser *parser)
{
  lex_next(&parser->lex);
  if (!verilog_at(parser, TOKEN_NAME)) return verilog_unexpected(parser, "a port's name after '.'");
  parser->head_ports.at[parser->head_ports.len - 1].name = parser->lex.name;
  lex_next(&parser->lex);
  TRY(verilog_expect(parser, '(', "'('"));
  if (!verilog_at(parser, ')')) TRY(head_expression(parser));
  return verilog_expect(parser, ')', "')'");
}

/* A port without its own name has the name of its net. */
static NameId item_name(Parser *parser, const HeadItem *item)
{
  Text t = { 0 };
  text_put(&t, names_text(parser->names, item->name));
  if (item->has_select && item->from == item->to) text_printf(&t, "[%d]", item->from);
  else if (item->has_select) text_printf(&t, "[%d:%d]", item->from, item->to);
  NameId name = names_add(parser->names, t.at, t.len);
  text_free(&t);
  return name;
}

static Status classic_port(Parser *parser)
{
  array_push(&parser->head_ports, (HeadPort){ NO_NAME, parser->head_items.len, 0 });
  if (verilog_at(parser, ',') || verilog_at(parser, ')')) return OK;
  if (verilog_at(parser, '.')) return named_head_port(parser);
  TRY(head_expression(parser));
  HeadPort *port = &parser->head_ports.at[parser->head_ports.len - 1];
  if (port->item_count == 1)
    port->name = item_name(parser, &parser->head_items.at[port->first_item]);
  return OK;
}

/* input [3:0] a, b, output c: a name without words before it takes those of the last one. */
static Status ansi_port(Parser *parser, Kind *the_kind)
{
  Lexer *lexer = &parser->lex;
  if ((at_word(parser)
       && (direction_of(lexer->keyword) != DIR_UNKNOWN || is_net_type(lexer->keyword)))
      || verilog_at(parser, '['))
    TRY(kind(parser, the_kind));
  if (!verilog_at(parser, TOKEN_NAME)) return verilog_unexpected(parser, "a port's name");
  array_push(&parser->head_ports, (HeadPort){ lexer->name, parser->head_items.len, 1 });
  array_push(&parser->head_items, (HeadItem){ .name = lexer->name, .escaped = lexer->escaped });
  TRY(declare(parser, lexer->name, lexer->escaped, the_kind));
  lex_next(lexer);
  return OK;
}

static Status port_list(Parser *parser)
{
  Kind k = { 0 };
  lex_next(&parser->lex);
  if (verilog_at(parser, ')')) return OK;
  bool ansi = verilog_at(parser, TOKEN_KEYWORD) && direction_of(parser->lex.keyword) != DIR_UNKNOWN;
  for (;;) {
    TRY(ansi ? ansi_port(parser, &k) : classic_port(parser));
    if (!verilog_at(parser, ',')) return OK;
    lex_next(&parser->lex);
  }
}

/* #(parameter P = 1, Q = (2)) */
static Status head_parameters(Parser *parser)
{
  uint32_t depth = 0;
  verilog_tally(parser, TALLY_PARAMETER);
  lex_next(&parser->lex);
  if (!verilog_at(parser, '(')) return verilog_unexpected(parser, "'(' after '#'");
  do {
    if (verilog_at(parser, TOKEN_BAD)) return FAILED;
    if (verilog_at(parser, TOKEN_END)) return verilog_unexpected(parser, "')'");
    if (verilog_at(parser, '(')) depth++;
    if (verilog_at(parser, ')')) depth--;
    TRY(verilog_pass_parameter(parser));
  } while (depth);
  return OK;
}

Status verilog_header(Parser *parser)
{
  if (verilog_at(parser, '#')) TRY(head_parameters(parser));
  if (verilog_at(parser, '(')) {
    TRY(port_list(parser));
    TRY(verilog_expect(parser, ')', "',' or ')'"));
  }
  return verilog_expect(parser, ';', "';'");
}

/* --- the module's end ------------------------------------------------------------------------- */
/* Returns the bus whose bit \a[3] spells, if the bus is declared and the bit is not; otherwise the
   name itself. */
static NameId declared_as(Parser *parser, const HeadItem *item)
{
  uint32_t bit;
  if (!item->escaped || verilog_is_net(parser, verilog_local(parser, item->name)))
    return item->name;
  if (!verilog_spelled_bit(parser, item->name, &bit)) return item->name;
  const char *text = names_text(parser->names, item->name);
  return names_find(parser->names, text, (size_t)(strrchr(text, '[') - text));
}

/* The direction of the net, and that the port list names it. */
static void use_direction(Parser *parser, NameId net, uint8_t *direction)
{
  uint32_t i = map_get(parser->directed_by_name, net);
  if (i == MAP_NO_VALUE) return;
  parser->directed.at[i].used = true;
  if (*direction == DIR_UNKNOWN) *direction = parser->directed.at[i].direction;
}

static Status head_port_bits(Parser *parser, const HeadPort *head, VerilogPort *port)
{
  verilog_clear_runs(parser);
  for (uint32_t i = 0; i < head->item_count; i++) {
    const HeadItem *item = &parser->head_items.at[head->first_item + i];
    use_direction(parser, declared_as(parser, item), &port->direction);
    TRY(item->has_select ? verilog_add_select(parser, item->name, item->from, item->to)
                         : verilog_add_net(parser, item->name, item->escaped));
  }
  return verilog_encode(parser, &port->ref);
}

/* The range that a port shows: that of its one net, or [n-1:0]. */
static void head_port_range(Parser *parser, const HeadPort *head, VerilogPort *port)
{
  const HeadItem *item = &parser->head_items.at[head->first_item];
  const Local *local =
      head->item_count == 1 && !item->has_select ? verilog_local(parser, item->name) : NULL;
  if (local && local->value & IS_BUS) {
    const VerilogBus *bus = &parser->module->buses.at[local->value & ~IS_BUS];
    port->is_bus = true;
    port->from = bus->from;
    port->to = bus->to;
  } else if (parser->width > 1) {
    port->is_bus = true;
    port->from = (int32_t)parser->width - 1;
  }
}

/* The linker tells it, of the modules that it uses. */
static void note_undirected(Parser *parser, const HeadPort *head)
{
  if (parser->module->undirected_count++) return;
  parser->module->undirected =
      head->name != NO_NAME ? head->name : parser->head_items.at[head->first_item].name;
}

static Status finish_port(Parser *parser, const HeadPort *head, Map *known)
{
  VerilogPort port = { .name = head->name, .direction = DIR_UNKNOWN, .ref = REF_NONE };
  TRY(head_port_bits(parser, head, &port));
  if (port.direction == DIR_UNKNOWN && head->item_count) note_undirected(parser, head);
  if (head->item_count) head_port_range(parser, head, &port);
  if (port.name != NO_NAME && map_get(known, port.name) != MAP_NO_VALUE)
    return lex_fail(&parser->lex, "VLOG-024", "module '%.60s' has two ports '%.60s'",
                    names_text(parser->names, parser->module->name),
                    names_text(parser->names, port.name));
  map_put(known, port.name, parser->module->ports.len);
  array_push(&parser->module->ports, port);
  return OK;
}

static Status finish_ports(Parser *parser)
{
  Map *known = map_new();
  Status status = OK;
  for (uint32_t i = 0; i < parser->head_ports.len && status == OK; i++)
    status = finish_port(parser, &parser->head_ports.at[i], known);
  map_free(known);
  TRY(status);
  for (uint32_t i = 0; i < parser->directed.len; i++)
    if (!parser->directed.at[i].used)
      return lex_fail(&parser->lex, "VLOG-022",
                      "'%.60s' has a direction, but is not in the port list of module '%.60s'",
                      names_text(parser->names, parser->directed.at[i].name),
                      names_text(parser->names, parser->module->name));
  return OK;
}

/* A name from `text` that no net of the module has. */
static NameId free_name(Parser *parser, const char *text)
{
  Text t = { 0 };
  NameId name;
  text_put(&t, text);
  for (;;) {
    name = names_add(parser->names, t.at, t.len);
    if (!verilog_is_net(parser, verilog_local(parser, name))) break;
    text_char(&t, '_');
  }
  text_free(&t);
  return name;
}

/* If there is a bus a with a bit 3, the single net \a[3] has the same text, so it keeps its
   backslash. */
static void part_from_buses(Parser *parser)
{
  VerilogModule *module = parser->module;
  for (uint32_t i = 0; i < parser->escaped.len; i++) {
    NameId *name = &module->bits.at[parser->escaped.at[i]];
    uint32_t bit;
    if (!verilog_spelled_bit(parser, *name, &bit)) continue;
    const char *text = names_text(parser->names, *name);
    Text t = { 0 };
    text_printf(&t, "\\%s", text);
    log_warning(
        parser->log, "VLOG-034",
        (Where){ names_text(parser->names, module->file), module->line, 0 },
        "module '%.60s' has a net '\\%.60s ' and a bus bit '%.60s'; the net is called '%.60s' here",
        names_text(parser->names, module->name), text, text, t.at);
    *name = names_add(parser->names, t.at, t.len);
    text_free(&t);
  }
}

#define TRIM(a)                                                                              \
  ((a).len < (a).cap ? (void)((a).at = mem_resize((a).at, (size_t)(a).len * sizeof *(a).at), \
      (a).cap = (a).len) : (void)0)

static void trim(VerilogModule *module)
{
  TRIM(module->ports);
  TRIM(module->bits);
  TRIM(module->buses);
  TRIM(module->words);
  TRIM(module->lists);
  TRIM(module->joins);
  TRIM(module->ties);
  TRIM(module->places);
}

/* supply0 and supply1 alone are no contents. */
static bool has_constants(const VerilogModule *module)
{
  for (uint32_t i = 0; i < module->ties.len; i++)
    if (!(module->ties.at[i].flags & (NET_POWER | NET_GROUND))) return true;
  return false;
}

Status verilog_finish_module(Parser *parser)
{
  VerilogModule *module = parser->module;
  TRY(finish_ports(parser));
  module->is_stub = module->inst_count == 0 && module->joins.len == 0 && !has_constants(module);
  if (module->zero_bit != REF_NONE) module->bits.at[module->zero_bit] = free_name(parser, "zero_");
  if (module->one_bit != REF_NONE) module->bits.at[module->one_bit] = free_name(parser, "one_");
  part_from_buses(parser);
  trim(module);
  return OK;
}
