/* Reads cells, pins, buses and bundles. Attributes of pins are collected in PinFacts and resolved
   at the end of the cell. */
#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <strings.h>

#include "base/interrupt.h"
#include "read/liberty/liberty_reader.h"

/* Wider buses than this are taken for damage. */
enum { MAX_WIDTH = 1 << 14 };

/* --- ports ------------------------------------------------------------------------------------ */

static const PinFacts no_facts = { .place = -1,
                                   .number = { NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
                                               NAN, NAN, NAN, NAN, NAN, NAN, NAN } };
_Static_assert(PIN_NUMBERS == 17, "no_facts sets every number");

PortId find_port(const Reader *reader, NameId name)
{
  return library_find_port(reader->set, reader->cell_id, name);
}

PortId add_port(Reader *reader, NameId name)
{
  PortId id = reader->set->ports.len;
  array_push(&reader->set->ports, (LibPort){ .name = name,
                                             .cell = reader->cell_id,
                                             .function = NO_FUNCTION,
                                             .three_state = NO_FUNCTION,
                                             .bus = NO_BUS });
  array_push(&reader->facts, no_facts);
  map_put(reader->set->port_by_name, hash_pair(reader->cell_id, name), id);
  return id;
}

static PinFacts *facts_of(Reader *reader, PortId port)
{
  return &reader->facts.at[port - reader->cell.first_port];
}

const Vector *find_vector(const Reader *reader, NameId name)
{
  for (uint32_t i = 0; i < reader->vectors.len; i++)
    if (reader->vectors.at[i].name == name) return &reader->vectors.at[i];
  return NULL;
}

/* --- what a pin group says -------------------------------------------------------------------- */

/* Takes only values that are not set yet.  Members of a bus come before the bus, so their values
   win. */
static void merge_facts(PinFacts *to, const PinFacts *from)
{
  for (int i = 0; i < PIN_NUMBERS; i++)
    if (isnan(to->number[i])) to->number[i] = from->number[i];
  for (int i = 0; i < PIN_TEXTS; i++)
    if (to->text[i] == 0) to->text[i] = from->text[i];
  if (to->direction == DIR_UNKNOWN) to->direction = from->direction;
  if (to->clock == 0) to->clock = from->clock;
  to->said |= from->said;
}

static void spread_facts(Reader *reader, uint32_t group, const PinFacts *facts)
{
  Range targets = reader->pin_groups.at[group];
  for (uint32_t i = 0; i < targets.count; i++)
    merge_facts(facts_of(reader, reader->targets.at[targets.offset + i]), facts);
}

static Status set_direction(Reader *reader, const AttributeRow *row)
{
  static const struct { const char *name; Direction direction; } known[] = { { "input", DIR_INPUT },
    { "output", DIR_OUTPUT }, { "inout", DIR_INOUT }, { "internal", DIR_INTERNAL } };
  (void)row;
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strcasecmp(text_get(&reader->value), known[i].name) == 0) {
      reader->pin->direction = (uint8_t)known[i].direction;
      return OK;
    }
  reader->pin->said = true;
  log_warning(reader->log, "LIB-061", reader->value_at, "direction \"%.60s\" is unknown",
              text_get(&reader->value));
  return OK;
}

static Status set_clock(Reader *reader, const AttributeRow *row)
{
  (void)row;
  reader->pin->clock = value_is_true(reader) ? 2 : 1;
  return OK;
}

static Status count_flag(Reader *reader, const AttributeRow *row)
{
  value_is_true(reader);
  return count_only(reader, row);
}

static Status check_capacitance(Reader *reader, const AttributeRow *row, Where where, double value)
{
  if (value < 0)
    return log_error(reader->log, "LIB-017", where, "%s is %g, expected no less than 0", row->name,
                     value);
  if (!isfinite((float)(value * reader->scale[UNIT_CAPACITANCE])))
    return log_error(reader->log, "LIB-006", where, "%s is too large", row->name);
  return OK;
}

static Status set_capacitance(Reader *reader, const AttributeRow *row)
{
  double number;
  if (value_number(reader, &number) != OK
      || check_capacitance(reader, row, reader->value_at, number) != OK)
    return FAILED;
  reader->pin->number[row->code] = (float)(number * reader->scale[UNIT_CAPACITANCE]);
  return OK;
}

/* rise_capacitance_range (least, largest) */
static Status set_range(Reader *reader, const AttributeRow *row)
{
  if (reader->numbers.len != 2)
    return log_error(reader->log, "LIB-009", reader->at, "expected %s (least, largest)", row->name);
  double low = reader->numbers.at[0], high = reader->numbers.at[1];
  if (low > high)
    return log_error(reader->log, "LIB-008", reader->at, "%s: %g is more than %g", row->name, low,
                     high);
  if (check_capacitance(reader, row, reader->at, low) != OK
      || check_capacitance(reader, row, reader->at, high) != OK)
    return FAILED;
  float *number = &reader->pin->number[row->code];
  number[0] = (float)(low * reader->scale[UNIT_CAPACITANCE]);
  number[1] = (float)(high * reader->scale[UNIT_CAPACITANCE]);
  return OK;
}

/* --- pin, bus and bundle groups --------------------------------------------------------------- */

/* Begins a pin group whose ports are the targets from `first` on. */
static void begin_targets(Reader *reader, uint32_t first)
{
  reader->pin_groups.at[reader->pin_group] = (Range){ first, reader->targets.len - first };
}

static void add_pin_target(Reader *reader, NameId name)
{
  PortId port = find_port(reader, name);
  if (port == NO_PORT) port = add_port(reader, name);
  PinFacts *facts = facts_of(reader, port);
  if (facts->listed)
    log_warning(reader->log, "LIB-053", reader->at,
                "pin %s appears twice in cell %s; what the first says stays",
                names_text(reader->set->names, name),
                names_text(reader->set->names, reader->cell.name));
  facts->listed = true;
  array_push(&reader->targets, port);
}

NameId bit_name(Reader *reader, const char *base, size_t length, int32_t bit)
{
  Text t = { 0 };
  text_printf(&t, "%.*s[%d]", (int)length, base, bit);
  NameId name = names_add(reader->set->names, t.at, t.len);
  text_free(&t);
  return name;
}

bool bus_range(const char *name, size_t length, size_t *base, int32_t *from, int32_t *to)
{
  const char *open = memchr(name, '[', length), *p, *end;
  if (open == NULL || name[length - 1] != ']') return false;
  double a = text_number(open + 1, &p);
  if (p == open + 1 || *p != ':') return false;
  double b = text_number(p + 1, &end);
  if (end != name + length - 1 || fabs(a) > 1e6 || fabs(b) > 1e6) return false;
  *base = (size_t)(open - name);
  *from = (int32_t)a;
  *to = (int32_t)b;
  return true;
}

/* The digits, or digits:digits, that end at `end`: where they begin. */
static size_t bits_before(const char *name, size_t end)
{
  size_t at = end;
  while (at > 0 && isdigit((unsigned char)name[at - 1])) at--;
  if (at == end || at < 2 || name[at - 1] != ':' || !isdigit((unsigned char)name[at - 2]))
    return at;
  for (at--; at > 0 && isdigit((unsigned char)name[at - 1]);) at--;
  return at;
}

/* Returns true if *at points to the digits of a bus bit, and moves *at past them. */
static bool is_bit_of(Reader *reader, const Vector *vector, const char **at)
{
  char *end;
  long bit = strtol(*at, &end, 10);
  bool plain = end - *at < 8 && (**at != '0' || end - *at == 1);
  *at = end;
  if (!plain) return false;
  NameId name = bit_name(reader, names_text(reader->set->names, vector->name),
                         names_length(reader->set->names, vector->name), (int32_t)bit);
  PortId port = find_port(reader, name);
  for (uint32_t i = 0; i < vector->ports.count && port != NO_PORT; i++)
    if (reader->targets.at[vector->ports.offset + i] == port) return true;
  return false;
}

/* Reads "7" or "7:4".  Names with bits that the bus does not have are ordinary names. */
static bool has_bits(Reader *reader, const Vector *vector, const char *bits)
{
  if (!is_bit_of(reader, vector, &bits)) return false;
  if (*bits != ':' || !isdigit((unsigned char)bits[1])) return true;
  bits++;
  return is_bit_of(reader, vector, &bits);
}

NameId styled_name(Reader *reader, const char *name, size_t length)
{
  size_t middle = reader->bus_middle.len, tail = reader->bus_tail.len;
  if ((middle == 0 && tail == 0) || length <= tail
      || memcmp(name + length - tail, text_get(&reader->bus_tail), tail) != 0)
    return NO_NAME;
  size_t end = length - tail, bits = bits_before(name, end);
  if (bits == end || bits <= middle
      || memcmp(name + bits - middle, text_get(&reader->bus_middle), middle) != 0)
    return NO_NAME;
  NameId base = names_find(reader->set->names, name, bits - middle);
  const Vector *bus = base == NO_NAME ? NULL : find_vector(reader, base);
  if (bus == NULL || !has_bits(reader, bus, name + bits)) return NO_NAME;
  Text t = { 0 };
  text_printf(&t, "%.*s[%.*s]", (int)(bits - middle), name, (int)(end - bits), name + bits);
  NameId styled = names_add(reader->set->names, t.at, t.len);
  text_free(&t);
  return styled;
}

NameId pin_name(Reader *reader, const char *text, size_t length)
{
  NameId plain = plain_name(reader, text, length);
  NameId styled = styled_name(reader, names_text(reader->set->names, plain),
                              names_length(reader->set->names, plain));
  return styled == NO_NAME ? plain : styled;
}

static Status add_range_targets(Reader *reader, const char *name, size_t base, int32_t from,
                                int32_t to)
{
  int32_t step = from <= to ? 1 : -1;
  if (abs(to - from) >= MAX_WIDTH)
    return log_error(reader->log, "LIB-012", reader->at, "%.60s has too many bits", name);
  for (int32_t bit = from;; bit += step) {
    add_pin_target(reader, bit_name(reader, name, base, bit));
    if (bit == to) return OK;
  }
}

/* One name of a pin group: a port, the bits of a range, or a whole bus that was declared. */
static Status add_named_targets(Reader *reader, const char *text, size_t length)
{
  size_t base;
  int32_t from, to;
  NameId name = pin_name(reader, text, length);
  const char *plain = names_text(reader->set->names, name);
  if (bus_range(plain, names_length(reader->set->names, name), &base, &from, &to))
    return add_range_targets(reader, plain, base, from, to);
  const Vector *vector = find_vector(reader, name);
  if (vector == NULL) {
    add_pin_target(reader, name);
    return OK;
  }
  for (uint32_t i = 0; i < vector->ports.count; i++) {
    PortId port = reader->targets.at[vector->ports.offset + i];
    array_push(&reader->targets, port);
  }
  return OK;
}

/* Calls visit for each word of a list of names. */
static Status each_word(Reader *reader, const char *text,
                        Status (*visit)(Reader *reader, const char *word, size_t length))
{
  while (*text) {
    while (isspace((unsigned char)*text) || *text == ',') text++;
    const char *word = text;
    while (*text && !isspace((unsigned char)*text) && *text != ',') text++;
    if (text > word && visit(reader, word, (size_t)(text - word)) != OK) return FAILED;
  }
  return OK;
}

static Status each_arg_word(Reader *reader,
                            Status (*visit)(Reader *reader, const char *word, size_t length))
{
  for (uint32_t i = 0; i < reader->args.len; i++)
    if (each_word(reader, arg(reader, i), visit) != OK) return FAILED;
  return OK;
}

/* Reads the body of a pin, bus or bundle group; the group's number is r->pin_group. */
static Status read_pin_body(Reader *reader)
{
  enum { DEEPEST = 3 };
  uint32_t group = reader->pin_group;
  PinFacts facts = no_facts, *outer = reader->pin;
  if (reader->pin_depth == DEEPEST)
    return log_error(reader->log, "LIB-012", reader->at, "pin groups nest too deeply");
  reader->pin_depth++;
  reader->pin = &facts;
  if (read_group(reader, IN_PIN, &facts) != OK) return FAILED;
  reader->pin = outer;
  reader->pin_depth--;
  spread_facts(reader, group, &facts);
  return OK;
}

static void new_pin_group(Reader *reader)
{
  reader->pin_group = reader->pin_groups.len;
  array_push(&reader->pin_groups, (Range){ 0, 0 });
}

static Status read_pin(Reader *reader, const AttributeRow *row)
{
  uint32_t outer = reader->pin_group, first = reader->targets.len;
  (void)row;
  new_pin_group(reader);
  if (each_arg_word(reader, add_named_targets) != OK) return FAILED;
  begin_targets(reader, first);
  if (reader->targets.len == first)
    return log_error(reader->log, "LIB-013", reader->at, "the pin group has no name");
  if (read_pin_body(reader) != OK) return FAILED;
  reader->pin_group = outer;
  return OK;
}

static void add_vector(Reader *reader, NameId name, uint32_t first)
{
  array_push(&reader->vectors, (Vector){ name, { first, reader->targets.len - first } });
}

static Status read_bus(Reader *reader, const AttributeRow *row)
{
  NameId outer_name = reader->pin_name;
  Where at = reader->at;
  if (reader->args.len != 1)
    return log_error(reader->log, "LIB-013", at, "expected %s (name)", row->name);
  NameId name = plain_name(reader, arg(reader, 0), strlen(arg(reader, 0)));
  if (!first_of_name(reader, IN_CELL, "the bus or bundle", name)) return lex_skip_group(reader);
  reader->pin_name = name;
  new_pin_group(reader);
  uint32_t group = reader->pin_group;
  if (read_pin_body(reader) != OK) return FAILED;
  if (reader->pin_groups.at[group].count == 0)
    return log_error(reader->log, "LIB-012", at, "%s %s has no %s", row->name,
                     names_text(reader->set->names, reader->pin_name),
                     row->code ? "members" : "bus_type");
  reader->pin_name = outer_name;
  reader->pin_group = NO_GROUP;
  return OK;
}

static const BusType *find_type(const Reader *reader, NameId name)
{
  for (uint32_t i = reader->types.len; i-- > 0;)
    if (reader->types.at[i].name == name) return &reader->types.at[i];
  return NULL;
}

/* The bits are made here, side by side, in the order of the type. */
static Status set_bus_type(Reader *reader, const AttributeRow *row)
{
  NameId name = plain_name(reader, text_get(&reader->value), reader->value.len);
  const BusType *type = find_type(reader, name);
  (void)row;
  if (reader->pin_name == NO_NAME || reader->pin_groups.at[reader->pin_group].count)
    return log_error(reader->log, "LIB-012", reader->at,
                     "bus_type stands outside a bus, or a second time");
  if (type == NULL)
    return log_error(reader->log, "LIB-012", reader->value_at, "no type group %s comes before",
                     names_text(reader->set->names, name));
  const char *base = names_text(reader->set->names, reader->pin_name);
  uint32_t first = reader->targets.len, length = names_length(reader->set->names, reader->pin_name);
  int32_t step = type->from <= type->to ? 1 : -1;
  BusId bus = reader->set->buses.len;
  array_push(&reader->set->buses, (LibBus){ reader->pin_name, reader->cell_id,
                                            reader->set->ports.len, type->from, type->to });
  for (int32_t bit = type->from;; bit += step) {
    NameId bit_id = bit_name(reader, base, length, bit);
    if (find_port(reader, bit_id) != NO_PORT)
      return log_error(reader->log, "LIB-012", reader->at, "pin %s stands before its bus",
                       names_text(reader->set->names, bit_id));
    PortId port = add_port(reader, bit_id);
    reader->set->ports.at[port].bus = bus;
    facts_of(reader, port)->place = (int32_t)(reader->targets.len - first);
    array_push(&reader->targets, port);
    if (bit == type->to) break;
  }
  begin_targets(reader, first);
  add_vector(reader, reader->pin_name, first);
  return OK;
}

static Status add_member(Reader *reader, const char *word, size_t length)
{
  NameId name = plain_name(reader, word, length);
  PortId port = find_port(reader, name);
  if (port == NO_PORT) port = add_port(reader, name);
  if (facts_of(reader, port)->place >= 0)
    log_warning(reader->log, "LIB-053", reader->at,
                "pin %s is twice a member of bundles in cell %s; its "
                "place in the last one stays",
                names_text(reader->set->names, name),
                names_text(reader->set->names, reader->cell.name));
  facts_of(reader, port)->place =
      (int32_t)(reader->targets.len - reader->pin_groups.at[reader->pin_group].offset);
  array_push(&reader->targets, port);
  return OK;
}

static Status set_members(Reader *reader, const AttributeRow *row)
{
  uint32_t first = reader->targets.len;
  (void)row;
  if (reader->pin_name == NO_NAME || reader->pin_groups.at[reader->pin_group].count)
    return log_error(reader->log, "LIB-012", reader->at,
                     "members stands outside a bundle, or a second time");
  reader->pin_groups.at[reader->pin_group].offset = first;
  if (each_arg_word(reader, add_member) != OK) return FAILED;
  begin_targets(reader, first);
  add_vector(reader, reader->pin_name, first);
  return OK;
}

/* --- types ------------------------------------------------------------------------------------ */

Status read_type(Reader *reader, const AttributeRow *row)
{
  BusType t = { .width = -1 };
  Where at = reader->at;
  if (reader->args.len == 0) return log_error(reader->log, "LIB-013", at, "the type has no name");
  t.name = plain_name(reader, arg(reader, 0), strlen(arg(reader, 0)));
  if (!first_of_name(reader, (GroupKind)row->kind, row->name, t.name))
    return lex_skip_group(reader);
  if (read_group(reader, IN_TYPE, &t) != OK) return FAILED;
  if (!t.has_from && !t.has_to) {
    t.from = t.downto ? t.width - 1 : 0;
    t.to = t.downto ? 0 : t.width - 1;
  } else if (!t.has_from || !t.has_to) {
    int32_t span = t.downto == t.has_from ? 1 - t.width : t.width - 1;
    *(t.has_from ? &t.to : &t.from) = (t.has_from ? t.from : t.to) + span;
  }
  if ((t.width < 1 && !(t.has_from && t.has_to)) || t.width > MAX_WIDTH
      || abs(t.to - t.from) >= MAX_WIDTH)
    return log_error(reader->log, "LIB-012", at, "type %s: expected a bit_width between 1 and %d",
                     names_text(reader->set->names, t.name), MAX_WIDTH);
  if (t.width >= 1 && abs(t.to - t.from) + 1 != t.width)
    log_warning(
        reader->log, "LIB-064", at,
        "type %s: bit_from %d and bit_to %d make %d bits, bit_width says %d; the former is taken",
        names_text(reader->set->names, t.name), t.from, t.to, abs(t.to - t.from) + 1, t.width);
  if (t.downto && t.from < t.to)
    log_warning(reader->log, "LIB-064", at,
                "type %s: downto is true, and bit_from %d is less than "
                "bit_to %d; the bits go from %d to %d",
                names_text(reader->set->names, t.name), t.from, t.to, t.from, t.to);
  array_push(&reader->types, t);
  return OK;
}

/* --- timing ----------------------------------------------------------------------------------- */

/* A timing group of the pins at hand, without tables. */
static PendingTiming new_timing(const Reader *reader)
{
  PendingTiming t;
  memset(&t, 0, sizeof t);
  memset(t.delay, 0xff, sizeof t.delay);
  memset(t.slew, 0xff, sizeof t.slew);
  memset(t.check, 0xff, sizeof t.check);
  memset(t.sigma_delay, 0xff, sizeof t.sigma_delay);
  memset(t.sigma_retain, 0xff, sizeof t.sigma_retain);
  memset(t.sigma_slew, 0xff, sizeof t.sigma_slew);
  memset(t.retain, 0xff, sizeof t.retain);
  memset(t.retain_slew, 0xff, sizeof t.retain_slew);
  t.group = reader->pin_group;
  t.line = reader->at.line;
  t.column = reader->at.column;
  t.first_mode = reader->mode_uses.len;
  return t;
}

/* Tables that accompany retaining times mean nothing without them. */
static void tell_unretained(Reader *reader, const PendingTiming *timing, Where at)
{
  static const char *const edges[] = { "rise", "fall" };
  for (int e = RISE; e <= FALL; e++) {
    if (timing->retain[e] != NO_TABLE) continue;
    if (timing->retain_slew[e] != NO_TABLE)
      log_warning(reader->log, "LIB-090", at,
                  "retain_%s_slew has no effect: "
                  "the arc has no retaining_%s",
                  edges[e], edges[e]);
    if (timing->sigma_retain[e] != NO_TABLE)
      log_warning(reader->log, "LIB-090", at,
                  "ocv_sigma_retaining_%s has no effect: "
                  "the arc has no retaining_%s",
                  edges[e], edges[e]);
  }
}

static Status read_timing(Reader *reader, const AttributeRow *row)
{
  PendingTiming t = new_timing(reader);
  Where at = reader->at;
  (void)row;
  if (read_group(reader, IN_TIMING, &t) != OK) return FAILED;
  tell_unretained(reader, &t, at);
  t.mode_count = reader->mode_uses.len - t.first_mode;
  array_push(&reader->timings, t);
  return OK;
}

/* The first of several tables for one value in a group counts.  Returns false, with a warning, for
   another one. */
static bool first_table(Reader *reader, const AttributeRow *row, const TableId *slot, Where at)
{
  if (*slot == NO_TABLE) return true;
  log_warning(reader->log, "LIB-052", at,
              "%s appears twice in a timing group of cell %s; "
              "the first one stays",
              row->name, names_text(reader->set->names, reader->cell.name));
  return false;
}

static Status read_timing_table(Reader *reader, const AttributeRow *row)
{
  TableId *slot = (TableId *)((char *)reader->target + row->offset), table;
  Where at = reader->at;
  if (read_table(reader, (TableValue)row->code, &table) != OK) return FAILED;
  if (first_table(reader, row, slot, at)) *slot = table;
  return OK;
}

/* min_pulse_width () { constraint_high : 1; }, minimum_period () { constraint : 5; }: a timing
   group whose tables have one value. */
static Status read_own_check(Reader *reader, const AttributeRow *row)
{
  PendingTiming t = new_timing(reader);
  Where at = reader->at;
  reader->value_at = at;
  t.type_text = keep_text(reader, row->name);
  if (read_group(reader, IN_OWN_CHECK, &t) != OK) return FAILED;
  t.mode_count = reader->mode_uses.len - t.first_mode;
  if (t.check[RISE] == NO_TABLE && t.check[FALL] == NO_TABLE)
    log_warning(reader->log, "LIB-068", at, "the group %s of cell %s has no %s; it has no effect",
                row->name, names_text(reader->set->names, reader->cell.name),
                row->code ? "constraint" : "constraint_high or constraint_low");
  else array_push(&reader->timings, t);
  return OK;
}

/* row->flag: bits of the edges that the value is for. */
static Status set_own_check(Reader *reader, const AttributeRow *row)
{
  PendingTiming *timing = reader->target;
  double number;
  if (value_number(reader, &number) != OK) return FAILED;
  float value = (float)(number * reader->scale[UNIT_TIME]);
  if (!isfinite(value))
    return log_error(reader->log, "LIB-006", reader->value_at, "the number is too large");
  TableId table = library_add_table(reader->set, NULL, 1, NULL, 1, &value);
  for (int e = RISE; e <= FALL; e++)
    if (row->flag >> e & 1) timing->check[e] = table;
  return OK;
}

/* ocv_sigma_*: into {early, late} of the edge row->code; row->flag: TableValue. */
static Status read_sigma_table(Reader *reader, const AttributeRow *row)
{
  TableId *slots = (TableId *)((char *)reader->target + row->offset), table;
  Where at = reader->at;
  if (row->offset == offsetof(PendingTiming, sigma_slew)) count_only(reader, row);
  if (read_table(reader, (TableValue)row->flag, &table) != OK) return FAILED;
  for (int el = EARLY; el <= LATE; el++) {
    TableId *slot = &slots[condition_of(el, row->code)];
    if (reader->sigma >> el & 1 && first_table(reader, row, slot, at)) *slot = table;
  }
  return OK;
}

static Status read_sigma_retaining(Reader *reader, const AttributeRow *row)
{
  PendingTiming *timing = reader->target;
  TableId table;
  Where at = reader->at;
  if (read_table(reader, VALUE_TIME, &table) != OK) return FAILED;
  if (reader->sigma >> EARLY & 1) {
    TableId *slot = &timing->sigma_retain[row->code];
    if (first_table(reader, row, slot, at)) *slot = table;
  } else
    log_warning(reader->log, "LIB-090", at,
                "%s for late analysis has no effect: retaining times "
                "are early",
                row->name);
  return OK;
}

/* --- power ------------------------------------------------------------------------------------ */

static Status read_internal_power(Reader *reader, const AttributeRow *row)
{
  PendingPower p = { .group = reader->pin_group,
                     .line = reader->at.line,
                     .column = reader->at.column,
                     .power = { NO_TABLE, NO_TABLE } };
  count_only(reader, row);
  if (read_group(reader, IN_POWER, &p) != OK) return FAILED;
  array_push(&reader->powers, p);
  return OK;
}

static Status read_power_table(Reader *reader, const AttributeRow *row)
{
  PendingPower *power = reader->target;
  TableId table;
  if (read_table(reader, VALUE_POWER, &table) != OK) return FAILED;
  for (int e = RISE; e <= FALL; e++)
    if (row->code >> e & 1) power->power[e] = table;
  return OK;
}

static Status read_leakage(Reader *reader, const AttributeRow *row)
{
  PendingLeakage l = { .number = NAN, .line = reader->at.line, .column = reader->at.column };
  (void)row;
  if (read_group(reader, IN_LEAKAGE, &l) != OK) return FAILED;
  if (!isnan(l.number)) array_push(&reader->leakages, l);
  return OK;
}

/* Tables of leakage ("values") are not kept. */
static Status set_leakage(Reader *reader, const AttributeRow *row)
{
  return set_number(reader, row);
}

/* --- power pins, sequential groups ------------------------------------------------------------ */

static Status read_pg_pin(Reader *reader, const AttributeRow *row)
{
  PowerPin pin = { reader->cell_id, NO_NAME, DIR_POWER };
  LibrarySet *set = reader->set;
  if (reader->args.len != 1)
    return log_error(reader->log, "LIB-013", reader->at, "expected pg_pin (name)");
  pin.name = plain_name(reader, arg(reader, 0), strlen(arg(reader, 0)));
  if (!first_of_name(reader, IN_CELL, row->name, pin.name)) return lex_skip_group(reader);
  if (read_group(reader, IN_PG_PIN, &pin) != OK) return FAILED;
  map_put(set->power_pin_by_name, hash_pair(reader->cell_id, pin.name), set->power_pins.len);
  array_push(&set->power_pins, pin);
  return OK;
}

/* Wells that are no ground are tied to power. */
static Status set_pg_type(Reader *reader, const AttributeRow *row)
{
  static const struct { const char *name; Direction direction; } known[] = {
    { "primary_power", DIR_POWER }, { "primary_ground", DIR_GROUND },
    { "backup_power", DIR_POWER }, { "backup_ground", DIR_GROUND },
    { "internal_power", DIR_POWER }, { "internal_ground", DIR_GROUND },
    { "nwell", DIR_POWER }, { "deepnwell", DIR_POWER },
    { "pwell", DIR_GROUND }, { "deeppwell", DIR_GROUND } };
  PowerPin *pin = reader->target;
  const char *text = text_get(&reader->value);
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(text, known[i].name) == 0) {
      pin->direction = (uint8_t)known[i].direction;
      return OK;
    }
  pin->direction = strstr(text, "ground") ? DIR_GROUND : DIR_POWER;
  log_warning(reader->log, "LIB-061", reader->value_at,
              "%s \"%.60s\" is unknown; a pin of %s is taken", row->name, text,
              pin->direction == DIR_GROUND ? "ground" : "power");
  return OK;
}

/* ff (IQ, IQN), latch_bank (IQ, IQN, 4): row->code 1 for latches, row->flag 1 for banks.  Some
   files name the data pin before the states, latch ("D", IQ, IQN): data_in says it again. */
static Status read_sequential(Reader *reader, const AttributeRow *row)
{
  PendingSequential s = { .is_latch = row->code,
                          .line = reader->at.line,
                          .column = reader->at.column };
  uint32_t names = reader->args.len, first = 0;
  if (row->flag) {
    const char *end, *text = names ? arg(reader, names - 1) : "";
    double width = text_number(text, &end);
    if (end == text || *end || !(width >= 1 && width <= MAX_WIDTH) || width != floor(width))
      return log_error(reader->log, "LIB-012", reader->at,
                       "expected %s (state, inverted state, width)", row->name);
    s.width = (uint32_t)width;
    names--;
  }
  if (names == 3 && !isdigit((unsigned char)*arg(reader, 2))) first = 1;
  if (names < 1 || names - first > 2)
    return log_error(reader->log, "LIB-013", reader->at, "expected %s (state, inverted state)",
                     row->name);
  for (uint32_t i = first; i < names; i++) {
    s.state[i - first] = plain_name(reader, arg(reader, i), strlen(arg(reader, i)));
    if (!first_of_name(reader, IN_CELL, "the state", s.state[i - first]))
      return lex_skip_group(reader);
  }
  if (read_group(reader, IN_SEQUENTIAL, &s) != OK) return FAILED;
  array_push(&reader->sequentials, s);
  reader->cell.flags |= CELL_SEQUENTIAL;
  return OK;
}

static Status add_node(Reader *reader, const char *word, size_t length)
{
  array_push(&reader->nodes, plain_name(reader, word, length));
  return OK;
}

/* statetable ("inputs", "nodes"): the table itself is not kept. */
static Status read_statetable(Reader *reader, const AttributeRow *row)
{
  (void)row;
  reader->cell.flags |= CELL_SEQUENTIAL | CELL_STATETABLE;
  for (uint32_t i = 1; i < reader->args.len; i++)
    if (each_word(reader, arg(reader, i), add_node) != OK) return FAILED;
  return lex_skip_group(reader);
}

/* --- the cell --------------------------------------------------------------------------------- */

/* Sets a flag for a group whose contents are not used. */
static Status flag_group(Reader *reader, const AttributeRow *row)
{
  reader->cell.flags |= row->flag;
  return lex_skip_group(reader);
}

static Status set_factors(Reader *reader, const AttributeRow *row)
{
  NameId name = plain_name(reader, text_get(&reader->value), reader->value.len);
  (void)row;
  use_name(reader, NAMES_FACTORS, name, reader->cell_id, reader->value_at);
  return OK;
}

/* Passes over the first of the words that *at begins with; NULL ends them. */
static bool takes_word(const char **at, const char *const *words)
{
  for (; *words; words++) {
    size_t n = strlen(*words);
    if (strncmp(*at, *words, n) != 0) continue;
    *at += n;
    return true;
  }
  return false;
}

static bool is_gate_kind(const char *text)
{
  static const char *const registers[] = { "latch_", "ff_", NULL },
    *const none[] = { "none_", NULL }, *const edges[] = { "posedge", "negedge", NULL },
    *const controls[] = { "_precontrol", "_postcontrol", NULL },
    *const control[] = { "_control", NULL }, *const observed[] = { "_obs", NULL };
  if (strcmp(text, "generic") == 0) return true;
  bool stored = takes_word(&text, registers);
  if ((!stored && !takes_word(&text, none)) || !takes_word(&text, edges)) return false;
  if (takes_word(&text, stored ? controls : control)) takes_word(&text, observed);
  return *text == '\0';
}

static Status set_gate_kind(Reader *reader, const AttributeRow *row)
{
  const char *text = text_get(&reader->value);
  if (!is_gate_kind(text))
    log_warning(reader->log, "LIB-061", reader->value_at,
                "%s \"%.60s\" is unknown; expected generic, or "
                "latch_, ff_ or none_ and an edge, such as latch_posedge_precontrol_obs; the cell "
                "is taken for a clock gate",
                row->name, text);
  reader->cell.flags |= CELL_CLOCK_GATE;
  return set_name(reader, row);
}

static void start_cell(Reader *reader, NameId name, bool scaled)
{
  LibrarySet *set = reader->set;
  reader->cell = (LibCell){ .name = name,
                            .library = reader->library_id,
                            .first_port = set->ports.len,
                            .first_arc = set->arcs.len,
                            .first_sequential = set->sequentials.len,
                            .first_bus = set->buses.len,
                            .area = 0,
                            .leakage = NAN,
                            .flags = scaled ? CELL_SCALED : 0 };
  reader->cell_id = set->cells.len;
  reader->cell_at = reader->at;
  array_push(&set->cells, reader->cell);
  if (!scaled) map_put(set->cell_in, hash_pair(reader->library_id, name), reader->cell_id);
  reader->library.cell_count++;
  reader->facts.len = reader->pin_groups.len = reader->targets.len = reader->vectors.len = 0;
  reader->modes.len = reader->mode_uses.len = 0;
  reader->timings.len = reader->powers.len = reader->sequentials.len = reader->leakages.len =
      reader->nodes.len = 0;
  reader->retaining.len = reader->retained.len = 0;
  text_clear(&reader->texts);
  text_add(&reader->texts, "", 1);
  reader->pin_group = NO_GROUP;
  reader->pin_name = NO_NAME;
}

/* Scaled cells of one name differ in their condition. */
static NameId scaled_name(Reader *reader, NameId cell, NameId condition)
{
  Text t = { 0 };
  text_printf(&t, "%s, %s", names_text(reader->set->names, cell),
              names_text(reader->set->names, condition));
  NameId name = names_add(reader->set->names, t.at, t.len);
  text_free(&t);
  return name;
}

Status read_cell(Reader *reader, const AttributeRow *row)
{
  if (reader->args.len == 0 || arg(reader, 0)[0] == '\0')
    return log_error(reader->log, "LIB-013", reader->at, "the cell has no name");
  if (interrupt_seen()) return log_error(reader->log, "LIB-015", reader->at, "interrupted");
  NameId name = plain_name(reader, arg(reader, 0), strlen(arg(reader, 0)));
  bool scaled = row->code;
  if (scaled && reader->args.len < 2)
    return log_error(reader->log, "LIB-013", reader->at,
                     "expected scaled_cell (cell, operating condition)");
  uint32_t type_count = reader->types.len;
  NameId condition = scaled ? plain_name(reader, arg(reader, 1), strlen(arg(reader, 1))) : NO_NAME;
  NameId whole = scaled ? scaled_name(reader, name, condition) : name;
  if (!first_of_name(reader, IN_LIBRARY, row->name, whole)) return lex_skip_group(reader);
  start_cell(reader, name, scaled);
  if (scaled) {
    use_name(reader, NAMES_SCALED, condition, reader->set->scaled_cells.len, reader->at);
    array_push(&reader->set->scaled_cells, (ScaledCell){ NO_CELL, reader->cell_id, condition });
  }
  if (read_group(reader, IN_CELL, &reader->cell) != OK || finish_cell(reader) != OK) return FAILED;
  reader->types.len = type_count;
  return OK;
}

/* --- rows ------------------------------------------------------------------------------------- */

#define CELL_BIT(name, flag) { name, IN_CELL, FORM_VALUE, 0, 0, offsetof(LibCell, flags), flag, \
    set_flag }
#define PIN_NUMBER(name, unit, i)                                                 \
    { name, IN_PIN, FORM_VALUE, unit, 0, offsetof(PinFacts, number) + 4 * (i), 0, \
  set_number }
#define PIN_TEXT(name, i) { name, IN_PIN, FORM_VALUE, 0, 0, offsetof(PinFacts, text) + 4 * (i), \
    0, set_text }
#define PIN_COUNTED_FLAG(name) { name, IN_PIN, FORM_VALUE, 0, 0, 0, 0, count_flag }
#define PIN_COUNTED(name) { name, IN_PIN, FORM_VALUE, 0, 0, 0, 0, count_only }
#define TIMING_TEXT(name, field) \
    { name, IN_TIMING, FORM_VALUE, 0, 0, offsetof(PendingTiming, field), 0, set_text }
#define OWN_CHECK_TEXT(name, field) \
    { name, IN_OWN_CHECK, FORM_VALUE, 0, 0, offsetof(PendingTiming, field), 0, set_text }
#define TIMING_TABLE(name, field) { name, IN_TIMING, FORM_GROUP, 0, VALUE_TIME, \
    offsetof(PendingTiming, field), 0,                                          \
  read_timing_table }
#define CHECK_TABLE(name, field) { name, IN_TIMING, FORM_GROUP, 0, VALUE_CHECK, \
    offsetof(PendingTiming, field), 0,                                          \
  read_timing_table }
#define SIGMA_TABLE(name, field, edge, value)                                      \
    { name, IN_TIMING, FORM_GROUP, 0, edge, offsetof(PendingTiming, field), value, \
  read_sigma_table }
#define SEQUENTIAL(name, latch, bank) { name, IN_CELL, FORM_GROUP, 0, latch, 0, bank, \
    read_sequential }
#define STATE_TEXT(name, field) { name, IN_SEQUENTIAL, FORM_VALUE, 0, 0, \
    offsetof(PendingSequential, field), 0,                               \
  set_text }

static const AttributeRow cell_row[] = {
  { "area", IN_CELL, FORM_VALUE, UNIT_COUNT, 0, offsetof(LibCell, area), 0, set_number },
  { "cell_leakage_power", IN_CELL, FORM_VALUE, UNIT_POWER, 0, offsetof(LibCell, leakage), 0,
    set_number },
  { "cell_footprint", IN_CELL, FORM_VALUE, 0, 0, offsetof(LibCell, footprint), 0, set_name },
  { "threshold_voltage_group", IN_CELL, FORM_VALUE, 0, 0, offsetof(LibCell, threshold), 0,
    set_name },
  { "scaling_factors", IN_CELL, FORM_VALUE, 0, 0, 0, 0, set_factors },
  { "clock_gating_integrated_cell", IN_CELL, FORM_VALUE, 0, 0, offsetof(LibCell, gate_kind), 0,
    set_gate_kind },
  CELL_BIT("dont_use", CELL_DONT_USE),
  CELL_BIT("dont_touch", CELL_DONT_TOUCH),
  CELL_BIT("is_macro_cell", CELL_MACRO),
  CELL_BIT("pad_cell", CELL_PAD),
  { "memory", IN_CELL, FORM_GROUP, 0, 0, 0, CELL_MEMORY, flag_group },
  { "test_cell", IN_CELL, FORM_GROUP, 0, 0, 0, CELL_TEST_SCAN, flag_group },
  { "type", IN_CELL, FORM_GROUP, 0, 0, 0, 0, read_type },
  { "pin", IN_CELL, FORM_GROUP, 0, 0, 0, 0, read_pin },
  { "bus", IN_CELL, FORM_GROUP, 0, 0, 0, 0, read_bus },
  { "bundle", IN_CELL, FORM_GROUP, 0, 1, 0, 0, read_bus },
  { "pg_pin", IN_CELL, FORM_GROUP, 0, 0, 0, 0, read_pg_pin },
  { "pg_type", IN_PG_PIN, FORM_VALUE, 0, 0, 0, 0, set_pg_type },
  { "leakage_power", IN_CELL, FORM_GROUP, 0, 0, 0, 0, read_leakage },
  { "internal_power", IN_CELL, FORM_GROUP, 0, 0, 0, 0, read_internal_power },
  { "statetable", IN_CELL, FORM_GROUP, 0, 0, 0, 0, read_statetable },
  SEQUENTIAL("ff", false, 0),
  SEQUENTIAL("ff_bank", false, 1),
  SEQUENTIAL("latch", true, 0),
  SEQUENTIAL("latch_bank", true, 1),

  STATE_TEXT("clocked_on", clock),
  STATE_TEXT("enable", clock),
  STATE_TEXT("next_state", data),
  STATE_TEXT("data_in", data),
  STATE_TEXT("clear", clear),
  STATE_TEXT("preset", preset),

  { "pin", IN_PIN, FORM_GROUP, 0, 0, 0, 0, read_pin },
  { "bus_type", IN_PIN, FORM_VALUE, 0, 0, 0, 0, set_bus_type },
  { "members", IN_PIN, FORM_ARGS, 0, 0, 0, 0, set_members },
  { "direction", IN_PIN, FORM_VALUE, 0, 0, 0, 0, set_direction },
  { "clock", IN_PIN, FORM_VALUE, 0, 0, 0, 0, set_clock },
  PIN_COUNTED("signal_type"),
  { "capacitance", IN_PIN, FORM_VALUE, 0, PIN_CAP, 0, 0, set_capacitance },
  { "rise_capacitance", IN_PIN, FORM_VALUE, 0, PIN_CAP_RISE, 0, 0, set_capacitance },
  { "fall_capacitance", IN_PIN, FORM_VALUE, 0, PIN_CAP_FALL, 0, 0, set_capacitance },
  { "rise_capacitance_range", IN_PIN, FORM_NUMBERS, 0, PIN_RISE_MIN, 0, 0, set_range },
  { "fall_capacitance_range", IN_PIN, FORM_NUMBERS, 0, PIN_FALL_MIN, 0, 0, set_range },
  PIN_NUMBER("max_capacitance", UNIT_CAPACITANCE, PIN_MAX_CAP),
  PIN_NUMBER("min_capacitance", UNIT_CAPACITANCE, PIN_MIN_CAP),
  PIN_NUMBER("max_transition", UNIT_TIME, PIN_MAX_SLEW),
  PIN_NUMBER("max_fanout", UNIT_COUNT, PIN_MAX_FANOUT),
  PIN_NUMBER("min_transition", UNIT_TIME, PIN_MIN_SLEW),
  PIN_NUMBER("min_fanout", UNIT_COUNT, PIN_MIN_FANOUT),
  PIN_NUMBER("fanout_load", UNIT_COUNT, PIN_FANOUT_LOAD),
  PIN_NUMBER("min_pulse_width_high", UNIT_TIME, PIN_PULSE_HIGH),
  PIN_NUMBER("min_pulse_width_low", UNIT_TIME, PIN_PULSE_LOW),
  PIN_NUMBER("min_period", UNIT_TIME, PIN_PERIOD),
  PIN_TEXT("function", PIN_FUNCTION),
  PIN_TEXT("three_state", PIN_THREE_STATE),
  PIN_TEXT("state_function", PIN_STATE_FUNCTION),
  PIN_COUNTED_FLAG("clock_gate_clock_pin"),
  PIN_COUNTED_FLAG("clock_gate_enable_pin"),
  PIN_COUNTED_FLAG("clock_gate_test_pin"),
  PIN_COUNTED_FLAG("clock_gate_out_pin"),
  PIN_COUNTED_FLAG("clock_gate_obs_pin"),
  { "timing", IN_PIN, FORM_GROUP, 0, 0, 0, 0, read_timing },
  { "internal_power", IN_PIN, FORM_GROUP, 0, 0, 0, 0, read_internal_power },
  { "min_pulse_width", IN_PIN, FORM_GROUP, 0, 0, 0, 0, read_own_check },
  { "minimum_period", IN_PIN, FORM_GROUP, 0, 1, 0, 0, read_own_check },
  { "constraint_high", IN_OWN_CHECK, FORM_VALUE, 0, 0, 0, 1 << RISE, set_own_check },
  { "constraint_low", IN_OWN_CHECK, FORM_VALUE, 0, 0, 0, 1 << FALL, set_own_check },
  { "constraint", IN_OWN_CHECK, FORM_VALUE, 0, 0, 0, 1 << RISE | 1 << FALL, set_own_check },
  OWN_CHECK_TEXT("when", when),
  OWN_CHECK_TEXT("sdf_cond", sdf_cond),

  TIMING_TEXT("related_pin", related),
  TIMING_TEXT("related_bus_pins", related_bus),
  TIMING_TEXT("when", when),
  TIMING_TEXT("sdf_cond", sdf_cond),
  TIMING_TEXT("timing_type", type_text),
  TIMING_TEXT("timing_sense", sense_text),
  TIMING_TABLE("cell_rise", delay[RISE]),
  TIMING_TABLE("cell_fall", delay[FALL]),
  TIMING_TABLE("rise_transition", slew[RISE]),
  TIMING_TABLE("fall_transition", slew[FALL]),
  TIMING_TABLE("retaining_rise", retain[RISE]),
  TIMING_TABLE("retaining_fall", retain[FALL]),
  TIMING_TABLE("retain_rise_slew", retain_slew[RISE]),
  TIMING_TABLE("retain_fall_slew", retain_slew[FALL]),
  CHECK_TABLE("rise_constraint", check[RISE]),
  CHECK_TABLE("fall_constraint", check[FALL]),
  SIGMA_TABLE("ocv_sigma_cell_rise", sigma_delay, RISE, VALUE_TIME),
  SIGMA_TABLE("ocv_sigma_cell_fall", sigma_delay, FALL, VALUE_TIME),
  { "ocv_sigma_retaining_rise", IN_TIMING, FORM_GROUP, 0, RISE, 0, 0, read_sigma_retaining },
  { "ocv_sigma_retaining_fall", IN_TIMING, FORM_GROUP, 0, FALL, 0, 0, read_sigma_retaining },
  SIGMA_TABLE("ocv_sigma_rise_constraint", sigma_delay, RISE, VALUE_CHECK),
  SIGMA_TABLE("ocv_sigma_fall_constraint", sigma_delay, FALL, VALUE_CHECK),
  SIGMA_TABLE("ocv_sigma_rise_transition", sigma_slew, RISE, VALUE_TIME),
  SIGMA_TABLE("ocv_sigma_fall_transition", sigma_slew, FALL, VALUE_TIME),

  { "value", IN_LEAKAGE, FORM_VALUE, UNIT_POWER, 0, offsetof(PendingLeakage, number), 0,
    set_leakage },
  { "when", IN_LEAKAGE, FORM_VALUE, 0, 0, offsetof(PendingLeakage, when), 0, set_text },
  { "related_pin", IN_POWER, FORM_VALUE, 0, 0, offsetof(PendingPower, related), 0, set_text },
  { "when", IN_POWER, FORM_VALUE, 0, 0, offsetof(PendingPower, when), 0, set_text },
  { "rise_power", IN_POWER, FORM_GROUP, 0, 1 << RISE, 0, 0, read_power_table },
  { "fall_power", IN_POWER, FORM_GROUP, 0, 1 << FALL, 0, 0, read_power_table },
  { "power", IN_POWER, FORM_GROUP, 0, 1 << RISE | 1 << FALL, 0, 0, read_power_table },
};

const RowTable cell_rows = { cell_row, sizeof cell_row / sizeof *cell_row };
