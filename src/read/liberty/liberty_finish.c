/* Finishes a cell: parses functions, sets ports, adds sequential elements, and makes the arcs of
   timing groups. */
#include <ctype.h>
#include <math.h>

#include "db/function.h"
#include "read/liberty/liberty_reader.h"

/* One group makes at most this many arcs; more is taken for damage. */
enum { MAX_PAIRS = 1 << 22 };

/* --- functions -------------------------------------------------------------------------------- */

/* Names are ports; in a bus, bundle or bank, the name of another vector means its bit of the same
   place. */
typedef struct {
  Reader *reader;
  int32_t place;
} Scope;

static PortId resolve(void *data, const char *name, size_t length)
{
  const Scope *scope = data;
  NameId id = names_find(scope->reader->set->names, name, length);
  if (id == NO_NAME || find_port(scope->reader, id) == NO_PORT) {
    NameId styled = styled_name(scope->reader, name, length);
    if (styled != NO_NAME) id = styled;
  }
  if (id == NO_NAME) return NO_PORT;
  PortId port = find_port(scope->reader, id);
  if (port != NO_PORT) return port;
  const Vector *vector = find_vector(scope->reader, id);
  if (vector == NULL) return NO_PORT;
  uint32_t i = vector->ports.count == 1 ? 0 : (uint32_t)scope->place;
  return i < vector->ports.count ? scope->reader->targets.at[vector->ports.offset + i] : NO_PORT;
}

static FunctionId parse_at(Reader *reader, uint32_t text, int32_t place, const char **bad)
{
  Scope scope = { reader, place };
  return function_parse(reader->set, text_at(reader, text), resolve, &scope, bad);
}

/* Reports a function that cannot be parsed from `bad` on. */
static void add_fault(Text *out, const char *text, const char *bad)
{
  int open = 0;
  for (const char *name = text; name < bad; name++)
    open += *name == '(' ? 1 : *name == ')' ? -1 : 0;
  if (*bad == '\0') text_put(out, open > 0 ? "a ( is not closed" : "it breaks off");
  else if (*bad == ')') text_put(out, open > 0 ? "a ) where a pin is expected" : "a ) without a (");
  else
    text_printf(out, "no pin, or not expected: %.*s", (int)strcspn(bad + 1, " ()!&|*+^'") + 1, bad);
}

/* The function of a text, or none with a warning. */
static FunctionId parse_function(Reader *reader, uint32_t text, int32_t place, const char *what)
{
  const char *bad = "";
  if (text == 0 || text_at(reader, text)[strspn(text_at(reader, text), " ")] == '\0')
    return NO_FUNCTION;
  FunctionId f = parse_at(reader, text, place, &bad);
  if (f != NO_FUNCTION) return f;
  Text fault = { 0 };
  add_fault(&fault, text_at(reader, text), bad);
  log_warning(reader->log, "LIB-057", text_where(reader, text),
              "%s \"%.80s\" of cell %s cannot be used: %.60s", what, text_at(reader, text),
              names_text(reader->set->names, reader->cell.name), text_get(&fault));
  text_free(&fault);
  return NO_FUNCTION;
}

/* --- ports ------------------------------------------------------------------------------------ */

static PortId state_port(Reader *reader, NameId name)
{
  if (name == NO_NAME) return NO_PORT;
  PortId port = find_port(reader, name);
  if (port != NO_PORT) return port;
  port = add_port(reader, name);
  reader->set->ports.at[port].is_state = true;
  reader->facts.at[port - reader->cell.first_port].direction = DIR_INTERNAL;
  return port;
}

/* The state of a bank: one port for each bit, and a vector of the bank's name. */
static void add_bank_state(Reader *reader, NameId name, uint32_t width)
{
  uint32_t first = reader->targets.len;
  for (uint32_t i = 0; i < width; i++) {
    const char *base = names_text(reader->set->names, name);
    array_push(&reader->targets,
               state_port(reader, bit_name(reader, base, strlen(base), (int32_t)i)));
  }
  array_push(&reader->vectors, (Vector){ name, { first, width } });
}

static void add_states(Reader *reader)
{
  for (uint32_t i = 0; i < reader->sequentials.len; i++) {
    const PendingSequential *sequential = &reader->sequentials.at[i];
    for (int k = 0; k < 2; k++) {
      if (sequential->width && sequential->state[k] != NO_NAME)
        add_bank_state(reader, sequential->state[k], sequential->width);
      else state_port(reader, sequential->state[k]);
    }
  }
  for (uint32_t i = 0; i < reader->nodes.len; i++) state_port(reader, reader->nodes.at[i]);
}

static float first_number(float a, float b) { return isnan(a) ? b : a; }

/* NAN stays where nothing is given: the library's defaults come at its end. */
static void set_caps(LibPort *port, const float *n)
{
  float rise = first_number(n[PIN_CAP_RISE], n[PIN_CAP]),
        fall = first_number(n[PIN_CAP_FALL], n[PIN_CAP]);
  port->cap_nominal = n[PIN_CAP];
  if (isnan(port->cap_nominal)) port->cap_nominal = isnan(fall) || rise > fall ? rise : fall;
  port->cap[condition_of(EARLY, RISE)] = first_number(n[PIN_RISE_MIN], rise);
  port->cap[condition_of(EARLY, FALL)] = first_number(n[PIN_FALL_MIN], fall);
  port->cap[condition_of(LATE, RISE)] = first_number(n[PIN_RISE_MAX], rise);
  port->cap[condition_of(LATE, FALL)] = first_number(n[PIN_FALL_MAX], fall);
}

static void set_port(Reader *reader, LibPort *port, const PinFacts *facts)
{
  const float *n = facts->number;
  set_caps(port, n);
  port->direction = facts->direction;
  port->is_clock = facts->clock == 2;
  port->max_cap = n[PIN_MAX_CAP];
  port->min_cap = n[PIN_MIN_CAP];
  port->max_slew = n[PIN_MAX_SLEW];
  port->min_slew = n[PIN_MIN_SLEW];
  port->min_fanout = n[PIN_MIN_FANOUT];
  port->max_fanout = n[PIN_MAX_FANOUT];
  port->fanout_load = n[PIN_FANOUT_LOAD];
  port->min_pulse_high = n[PIN_PULSE_HIGH];
  port->min_pulse_low = n[PIN_PULSE_LOW];
  port->min_period = n[PIN_PERIOD];
  uint32_t function =
      facts->text[PIN_FUNCTION] ? facts->text[PIN_FUNCTION] : facts->text[PIN_STATE_FUNCTION];
  port->function = parse_function(reader, function, facts->place, "the function");
  port->three_state =
      parse_function(reader, facts->text[PIN_THREE_STATE], facts->place, "three_state");
}

/* The linker treats a pin without direction as neither driver nor load. */
static void warn_directions(Reader *reader)
{
  uint32_t count = 0, first = 0;
  for (uint32_t i = reader->facts.len; i-- > 0;) {
    if (reader->facts.at[i].direction != DIR_UNKNOWN || reader->facts.at[i].said) continue;
    first = i;
    count++;
  }
  if (count == 0) return;
  log_warning(
      reader->log, "LIB-092", reader->cell_at,
      "cell %s: %u pin%s without a direction, such as %s: %s part in timing",
      names_text(reader->set->names, reader->cell.name), count, count == 1 ? "" : "s",
      names_text(reader->set->names, reader->set->ports.at[reader->cell.first_port + first].name),
      count == 1 ? "it takes no" : "they take no");
}

static void set_ports(Reader *reader)
{
  warn_directions(reader);
  for (uint32_t i = 0; i < reader->facts.len; i++)
    set_port(reader, &reader->set->ports.at[reader->cell.first_port + i], &reader->facts.at[i]);
}

static PortId bank_port(Reader *reader, NameId name, uint32_t width, uint32_t bit)
{
  if (name == NO_NAME) return NO_PORT;
  if (width == 0) return find_port(reader, name);
  const Vector *vector = find_vector(reader, name);
  return vector && bit < vector->ports.count ? reader->targets.at[vector->ports.offset + bit]
                                             : NO_PORT;
}

static void add_sequentials(Reader *reader)
{
  for (uint32_t i = 0; i < reader->sequentials.len; i++) {
    const PendingSequential *sequential = &reader->sequentials.at[i];
    for (uint32_t bit = 0; bit < (sequential->width ? sequential->width : 1); bit++) {
      int32_t place = sequential->width ? (int32_t)bit : -1;
      LibSequential made = {
        .is_latch = sequential->is_latch,
        .clock = parse_function(reader, sequential->clock, place, "the clock or enable"),
        .data = parse_function(reader, sequential->data, place, "the next state"),
        .clear = parse_function(reader, sequential->clear, place, "clear"),
        .preset = parse_function(reader, sequential->preset, place, "preset"),
        .state = bank_port(reader, sequential->state[0], sequential->width, bit),
        .state_inverted = bank_port(reader, sequential->state[1], sequential->width, bit)
      };
      array_push(&reader->set->sequentials, made);
    }
  }
}

/* --- related pins ----------------------------------------------------------------------------- */

static size_t word_length(const char *text)
{
  size_t n = 0;
  while (text[n] && text[n] != ',' && !isspace((unsigned char)text[n])) n++;
  return n;
}

/* Bits "A[3:0]" of a bus into related; false when the name is no such range. */
static bool related_range(Reader *reader, const char *name, size_t length)
{
  size_t base;
  int32_t from, to;
  if (!bus_range(name, length, &base, &from, &to)) return false;
  for (int32_t bit = from;; bit += from <= to ? 1 : -1) {
    PortId port = find_port(reader, bit_name(reader, name, base, bit));
    if (port == NO_PORT) return false;
    array_push(&reader->related, port);
    if (bit == to) return true;
  }
}

/* The ports of one name of a list, into related; false when the cell has none of that name. */
static bool find_related(Reader *reader, const char *word, size_t length)
{
  NameId name = plain_name(reader, word, length);
  if (find_port(reader, name) == NO_PORT) name = pin_name(reader, word, length);
  PortId port = find_port(reader, name);
  reader->related.len = 0;
  if (port != NO_PORT) {
    array_push(&reader->related, port);
    return true;
  }
  const Vector *vector = find_vector(reader, name);
  for (uint32_t i = 0; vector && i < vector->ports.count; i++)
    array_push(&reader->related, reader->targets.at[vector->ports.offset + i]);
  return vector != NULL
         || related_range(reader, names_text(reader->set->names, name),
                          names_length(reader->set->names, name));
}

/* --- arcs ------------------------------------------------------------------------------------- */

enum { BOTH = 1 << RISE | 1 << FALL, ON_RISE = 1 << RISE, ON_FALL = 1 << FALL };
/* The delay of a clock tree inside a cell is meant for building the tree outside. */
enum { NO_ARC = ARC_TYPE_COUNT };

typedef struct {
  const char *name;
  uint8_t type, edge, edges;
} TimingType;

static const TimingType timing_types[] = {
  { "combinational", ARC_COMBINATIONAL, EDGE_ANY, BOTH },
  { "combinational_rise", ARC_COMBINATIONAL, EDGE_ANY, ON_RISE },
  { "combinational_fall", ARC_COMBINATIONAL, EDGE_ANY, ON_FALL },
  { "three_state_enable", ARC_TRISTATE_ENABLE, EDGE_ANY, BOTH },
  { "three_state_enable_rise", ARC_TRISTATE_ENABLE, EDGE_ANY, ON_RISE },
  { "three_state_enable_fall", ARC_TRISTATE_ENABLE, EDGE_ANY, ON_FALL },
  { "three_state_disable", ARC_TRISTATE_DISABLE, EDGE_ANY, BOTH },
  { "three_state_disable_rise", ARC_TRISTATE_DISABLE, EDGE_ANY, ON_RISE },
  { "three_state_disable_fall", ARC_TRISTATE_DISABLE, EDGE_ANY, ON_FALL },
  { "rising_edge", ARC_CLOCK_RISE, RISE, BOTH },
  { "falling_edge", ARC_CLOCK_FALL, FALL, BOTH },
  { "preset", ARC_PRESET, EDGE_ANY, ON_RISE },
  { "clear", ARC_CLEAR, EDGE_ANY, ON_FALL },
  { "setup_rising", ARC_SETUP, RISE, BOTH },
  { "setup_falling", ARC_SETUP, FALL, BOTH },
  { "hold_rising", ARC_HOLD, RISE, BOTH },
  { "hold_falling", ARC_HOLD, FALL, BOTH },
  { "recovery_rising", ARC_RECOVERY, RISE, BOTH },
  { "recovery_falling", ARC_RECOVERY, FALL, BOTH },
  { "removal_rising", ARC_REMOVAL, RISE, BOTH },
  { "removal_falling", ARC_REMOVAL, FALL, BOTH },
  { "skew_rising", ARC_SKEW, RISE, BOTH },
  { "skew_falling", ARC_SKEW, FALL, BOTH },
  { "non_seq_setup_rising", ARC_NON_SEQ_SETUP, RISE, BOTH },
  { "non_seq_setup_falling", ARC_NON_SEQ_SETUP, FALL, BOTH },
  { "non_seq_hold_rising", ARC_NON_SEQ_HOLD, RISE, BOTH },
  { "non_seq_hold_falling", ARC_NON_SEQ_HOLD, FALL, BOTH },
  /* the pulse of the constrained pin, then that of the related pin; the edge is the one that begins
     the related pin's pulse */
  { "nochange_high_high", ARC_NOCHANGE, RISE, BOTH },
  { "nochange_high_low", ARC_NOCHANGE, FALL, BOTH },
  { "nochange_low_high", ARC_NOCHANGE_LOW, RISE, BOTH },
  { "nochange_low_low", ARC_NOCHANGE_LOW, FALL, BOTH },
  { "min_pulse_width", ARC_MIN_PULSE_WIDTH, EDGE_ANY, BOTH },
  { "minimum_period", ARC_MIN_PERIOD, EDGE_ANY, BOTH },
  { "min_clock_tree_path", NO_ARC, EDGE_ANY, BOTH },
  { "max_clock_tree_path", NO_ARC, EDGE_ANY, BOTH },
};

static const TimingType *timing_type(Reader *reader, uint32_t text)
{
  if (text == 0) return &timing_types[0];
  for (unsigned i = 0; i < sizeof timing_types / sizeof *timing_types; i++)
    if (strcmp(text_at(reader, text), timing_types[i].name) == 0) return &timing_types[i];
  log_warning(reader->log, "LIB-060", text_where(reader, text),
              "timing_type \"%.60s\" is unknown; the timing group is left out",
              text_at(reader, text));
  return NULL;
}

enum { SENSE_MISSING = 255 };

static uint8_t timing_sense(Reader *reader, uint32_t text)
{
  static const char *const names[] = { "positive_unate", "negative_unate", "non_unate" };
  static const uint8_t sense[] = { SENSE_POSITIVE, SENSE_NEGATIVE, SENSE_NONE };
  if (text == 0) return SENSE_MISSING;
  for (int i = 0; i < 3; i++)
    if (strcmp(text_at(reader, text), names[i]) == 0) return sense[i];
  log_warning(reader->log, "LIB-060", text_where(reader, text),
              "timing_sense \"%.60s\" is unknown and taken from the function",
              text_at(reader, text));
  return SENSE_MISSING;
}

static uint8_t sense_of_bits(uint32_t bits)
{
  return bits == 1 ? SENSE_POSITIVE : bits == 2 ? SENSE_NEGATIVE : SENSE_NONE;
}

/* The sense of g(f(x)) from that of g and of f. */
static uint8_t chained(uint8_t a, uint8_t b)
{
  if (a == SENSE_NONE || b == SENSE_NONE) return SENSE_NONE;
  return a == b ? SENSE_POSITIVE : SENSE_NEGATIVE;
}

/* Returns the sequential group of the cell whose state the output shows; NULL: none. */
static const LibSequential *shown_state(const Reader *reader, PortId output)
{
  FunctionId f = reader->set->ports.at[output].function;
  for (uint32_t i = reader->cell.first_sequential; i < reader->set->sequentials.len; i++) {
    const LibSequential *sequential = &reader->set->sequentials.at[i];
    if (library_function_uses(reader->set, f, sequential->state)
        || library_function_uses(reader->set, f, sequential->state_inverted))
      return sequential;
  }
  return NULL;
}

/* Output against the state variable (not inverted). */
static uint8_t output_sense(const Reader *reader, const LibSequential *sequential, PortId output)
{
  FunctionId f = reader->set->ports.at[output].function;
  if (library_function_uses(reader->set, f, sequential->state))
    return sense_of_bits(library_function_sense(reader->set, f, sequential->state));
  return chained(SENSE_NEGATIVE,
                 sense_of_bits(library_function_sense(reader->set, f, sequential->state_inverted)));
}

static uint8_t derived_sense(const Reader *reader, const LibArc *arc)
{
  const LibrarySet *set = reader->set;
  const LibSequential *sequential = shown_state(reader, arc->to);
  switch (arc->type) {
  case ARC_COMBINATIONAL:
    return sense_of_bits(library_function_sense(set, set->ports.at[arc->to].function, arc->from));
  case ARC_LATCH_DATA:
    return chained(output_sense(reader, sequential, arc->to),
                   sense_of_bits(library_function_sense(set, sequential->data, arc->from)));
  case ARC_PRESET:
  case ARC_CLEAR: {
    /* Whichever of the two the pin drives, an active preset sets the state and an active clear
       resets it. */
    if (sequential == NULL) return SENSE_NONE;
    uint8_t preset = sense_of_bits(library_function_sense(set, sequential->preset, arc->from));
    uint8_t clear = chained(
        SENSE_NEGATIVE, sense_of_bits(library_function_sense(set, sequential->clear, arc->from)));
    return chained(output_sense(reader, sequential, arc->to),
                   library_function_uses(set, sequential->preset, arc->from) ? preset : clear);
  }
  default: return SENSE_NONE;
  }
}

/* Arcs of a latch's output: the enable's edges open it, the data passes through.  Clock gates keep
   their types. */
static void type_latch_arc(const Reader *reader, LibArc *arc)
{
  const LibSequential *sequential =
      reader->cell.flags & CELL_CLOCK_GATE ? NULL : shown_state(reader, arc->to);
  if (sequential == NULL || !sequential->is_latch) return;
  bool clocked = arc->type == ARC_CLOCK_RISE || arc->type == ARC_CLOCK_FALL;
  if (clocked && library_function_uses(reader->set, sequential->clock, arc->from))
    arc->type = ARC_LATCH_ENABLE;
  else if (arc->type == ARC_COMBINATIONAL
           && library_function_uses(reader->set, sequential->data, arc->from))
    arc->type = ARC_LATCH_DATA;
}

/* three_state is true when the output floats: the edge of the pin that makes it so disables. */
static void edge_of_tristate(const Reader *reader, LibArc *arc)
{
  uint32_t floats =
      library_function_sense(reader->set, reader->set->ports.at[arc->to].three_state, arc->from);
  if (floats != 1 && floats != 2) return;
  int disables = floats == 1 ? RISE : FALL;
  arc->edge = (uint8_t)(arc->type == ARC_TRISTATE_DISABLE ? disables : !disables);
}

/* The arc of a group for one pair of pins. */
static void add_arc(Reader *reader, const LibArc *model, PortId from, PortId to, uint8_t sense)
{
  LibArc arc = *model;
  arc.from = from;
  arc.to = to;
  if (arc.type == ARC_TRISTATE_ENABLE || arc.type == ARC_TRISTATE_DISABLE)
    edge_of_tristate(reader, &arc);
  type_latch_arc(reader, &arc);
  arc.sense = sense == SENSE_MISSING ? derived_sense(reader, &arc) : sense;
  array_push(&reader->set->arcs, arc);
}

static Where timing_where(const Reader *reader, const PendingTiming *timing)
{
  return (Where){ reader->in->path, timing->line, timing->column };
}

/* An output that has a new value has not kept the old one: where the delay is the lesser, it
   counts. */
static void retain_edge(Reader *reader, const PendingTiming *timing, LibArc *early, int e,
                        bool tell)
{
  static const char *const edges[2] = { [RISE] = "rise", [FALL] = "fall" };
  TableId slew = timing->retain_slew[e] != NO_TABLE && early->slew[e] != NO_TABLE
                     ? timing->retain_slew[e]
                     : early->slew[e];
  TableId least = library_worse_table(reader->set, timing->retain[e], early->delay[e], true);
  early->delay[e] = least;
  if (timing->sigma_retain[e] != NO_TABLE)
    early->sigma_delay[condition_of(EARLY, e)] = timing->sigma_retain[e];
  early->slew[e] = least == timing->retain[e]
                       ? slew
                       : library_worse_table(reader->set, slew, early->slew[e], true);
  if (least != timing->retain[e] && tell)
    log_warning(reader->log, "LIB-098", timing_where(reader, timing),
                "retaining_%s is above cell_%s, at some values at least; "
                "there the delay counts early",
                edges[e], edges[e]);
}

/* Retaining tables say how long the output keeps its value: the arcs made from `first` on have them
   early. */
static void keep_retaining(Reader *reader, const PendingTiming *timing, LibArcId first)
{
  bool any = timing->retain[RISE] != NO_TABLE || timing->retain[FALL] != NO_TABLE;
  for (LibArcId a = first; any && a < reader->set->arcs.len; a++) {
    LibArc early = reader->set->arcs.at[a];
    for (int e = RISE; e <= FALL; e++) {
      if (early.delay[e] == NO_TABLE || timing->retain[e] == NO_TABLE) continue;
      retain_edge(reader, timing, &early, e, a == first);
    }
    array_push(&reader->retaining, early);
    array_push(&reader->retained, a);
  }
}

/* Behind the cell's own arcs. */
static void add_retaining(Reader *reader)
{
  for (uint32_t i = 0; i < reader->retaining.len; i++) {
    reader->set->arcs.at[reader->retained.at[i]].early =
        reader->set->arcs.len - reader->retained.at[i];
    array_push(&reader->set->arcs, reader->retaining.at[i]);
  }
}

static void take_tables(LibArc *arc, const PendingTiming *timing, const TimingType *type)
{
  bool check = arc_type_is_check((ArcType)type->type);
  for (int e = RISE; e <= FALL; e++) {
    bool on = type->edges >> e & 1;
    arc->delay[e] = !on ? NO_TABLE : check ? timing->check[e] : timing->delay[e];
    arc->slew[e] = on && !check ? timing->slew[e] : NO_TABLE;
    if (arc->delay[e] != NO_TABLE) arc->output_edges |= (uint8_t)(1 << e);
  }
  memcpy(arc->sigma_delay, timing->sigma_delay, sizeof arc->sigma_delay);
  memcpy(arc->sigma_slew, timing->sigma_slew, sizeof arc->sigma_slew);
}

static bool is_bit(const Reader *reader, PortId port)
{
  return reader->facts.at[port - reader->cell.first_port].place >= 0;
}

/* Returns true if a related bus meets a bus of another width.  Lists of single pins are no
   buses. */
static bool widths_differ(const Reader *reader, Range to)
{
  uint32_t n = reader->related.len;
  return n > 1 && to.count > 1 && n != to.count && is_bit(reader, reader->related.at[0])
         && is_bit(reader, reader->targets.at[to.offset]);
}

/* The arc of a group at one of its pins: a condition over vectors is that of the pin's bit. */
static LibArc arc_at(Reader *reader, const LibArc *arc, const PendingTiming *timing, PortId port)
{
  const char *bad;
  LibArc own = *arc;
  int32_t place = reader->facts.at[port - reader->cell.first_port].place;
  if (arc->when == NO_FUNCTION && timing->when && place >= 0)
    own.when = parse_at(reader, timing->when, place, &bad);
  return own;
}

/* Arcs from the pins found for one name to the group's pins: bit by bit when a bus meets a bus; of
   unequal ones the last bits meet, as in an assignment. */
static Status pair_pins(Reader *reader, LibArc *arc, const PendingTiming *timing, uint8_t sense,
                        bool cross)
{
  Range to = reader->pin_groups.at[timing->group];
  uint32_t n = reader->related.len;
  bool unequal = !cross && widths_differ(reader, to),
       bitwise = unequal || (!cross && n == to.count);
  if ((uint64_t)n * to.count > MAX_PAIRS)
    return log_error(reader->log, "LIB-016", timing_where(reader, timing),
                     "the timing group makes too many arcs");
  uint32_t skip = bitwise && to.count > n ? to.count - n : 0;
  uint32_t ahead = bitwise && n > to.count ? n - to.count : 0;
  if (unequal)
    log_warning(reader->log, "LIB-069", timing_where(reader, timing),
                "cell %s: a related bus of %u bits meets a bus of %u; arcs go from bit "
                "to bit between their last %u",
                names_text(reader->set->names, reader->cell.name), n, to.count,
                n < to.count ? n : to.count);
  for (uint32_t i = skip; i < to.count; i++) {
    PortId port = reader->targets.at[to.offset + i];
    LibArc own = arc_at(reader, arc, timing, port);
    uint32_t own_bit = i - skip + ahead;
    for (uint32_t k = bitwise ? own_bit : 0; k < (bitwise ? own_bit + 1 : n); k++)
      add_arc(reader, &own, reader->related.at[k], port, sense);
  }
  return OK;
}

static Status add_related_arcs(Reader *reader, LibArc *arc, const PendingTiming *timing,
                               uint8_t sense, uint32_t text, bool cross)
{
  for (const char *p = text_at(reader, text); *p;) {
    size_t n = word_length(p);
    if (n == 0) {
      p++;
      continue;
    }
    if (!find_related(reader, p, n))
      log_warning(reader->log, "LIB-056", text_where(reader, text),
                  "cell %s has no pin %.*s; no arc is made",
                  names_text(reader->set->names, reader->cell.name), (int)(n < 100 ? n : 100), p);
    else if (pair_pins(reader, arc, timing, sense, cross) != OK) return FAILED;
    p += n;
  }
  return OK;
}

/* A pulse width or period belongs to the pin itself, whatever related_pin says. */
static void add_own_arcs(Reader *reader, const LibArc *arc, const PendingTiming *timing)
{
  Range to = reader->pin_groups.at[timing->group];
  for (uint32_t i = 0; i < to.count; i++) {
    PortId port = reader->targets.at[to.offset + i];
    LibArc own = arc_at(reader, arc, timing, port);
    add_arc(reader, &own, port, port, SENSE_NONE);
  }
}

/* Limits of a pin as an arc without a condition. */
static void add_limit_arc(Reader *reader, const LibArc *sibling, float high, float low)
{
  LibArc arc = { .from = sibling->from, .to = sibling->to, .type = sibling->type,
    .edge = sibling->edge, .sense = sibling->sense, .when = NO_FUNCTION, .sdf_cond = NO_NAME };
  const float limit[2] = { [RISE] = high, [FALL] = low };
  memset(arc.slew, 0xff, sizeof arc.slew);
  memset(arc.sigma_delay, 0xff, sizeof arc.sigma_delay);
  memset(arc.sigma_slew, 0xff, sizeof arc.sigma_slew);
  for (int e = RISE; e <= FALL; e++) {
    bool on = !isnan(limit[e]);
    arc.delay[e] = on ? library_add_table(reader->set, NULL, 1, NULL, 1, &limit[e]) : NO_TABLE;
    arc.output_edges |= (uint8_t)(on << e);
  }
  if (arc.output_edges) array_push(&reader->set->arcs, arc);
}

/* Pulse widths and periods given as attributes of a pin yield to groups whose condition is true, as
   arcs without a condition do.  So if there are conditional groups, the attributes become such
   arcs. */
static void make_limits_arcs(Reader *reader)
{
  for (LibArcId a = reader->cell.first_arc, end = reader->set->arcs.len; a < end; a++) {
    const LibArc arc = reader->set->arcs.at[a];
    LibPort *port = &reader->set->ports.at[arc.to];
    if (arc.when == NO_FUNCTION) continue;
    if (arc.type == ARC_MIN_PULSE_WIDTH) {
      add_limit_arc(reader, &arc, port->min_pulse_high, port->min_pulse_low);
      port->min_pulse_high = port->min_pulse_low = NAN;
    } else if (arc.type == ARC_MIN_PERIOD) {
      add_limit_arc(reader, &arc, port->min_period, port->min_period);
      port->min_period = NAN;
    }
  }
}

static NameId condition_name(Reader *reader, const PendingTiming *timing)
{
  uint32_t text = timing->sdf_cond ? timing->sdf_cond : timing->when;
  return text ? names_add_text(reader->set->names, text_at(reader, text)) : NO_NAME;
}

/* `when` over vectors is parsed again for each bit; where that cannot help, a bad one is said
   here. */
static FunctionId condition(Reader *reader, const PendingTiming *timing)
{
  const char *bad;
  Range to = reader->pin_groups.at[timing->group];
  if (timing->when == 0) return NO_FUNCTION;
  int32_t place =
      to.count ? reader->facts.at[reader->targets.at[to.offset] - reader->cell.first_port].place
               : -1;
  FunctionId f = parse_at(reader, timing->when, -1, &bad);
  if (f == NO_FUNCTION && (place < 0 || parse_at(reader, timing->when, place, &bad) == NO_FUNCTION))
    parse_function(reader, timing->when, place, "the condition");
  return f;
}

static Status add_timing(Reader *reader, const PendingTiming *timing)
{
  const TimingType *type = timing_type(reader, timing->type_text);
  if (type == NULL) return OK;
  if (type->type == NO_ARC) {
    count_unused(reader, IN_TIMING, type->name);
    return OK;
  }
  LibArc arc = { .type = type->type, .edge = type->edge };
  take_tables(&arc, timing, type);
  if (arc.output_edges == 0) {
    log_warning(reader->log, "LIB-055", timing_where(reader, timing),
                "the timing group (%s) has no table that can be used; no arc is made", type->name);
    return OK;
  }
  arc.when = condition(reader, timing);
  arc.always = timing->mode_count > 0 && timing->when == 0;
  arc.sdf_cond = condition_name(reader, timing);
  uint8_t sense = timing_sense(reader, timing->sense_text);
  LibArcId first = reader->set->arcs.len;
  if (type->type == ARC_MIN_PULSE_WIDTH || type->type == ARC_MIN_PERIOD) {
    add_own_arcs(reader, &arc, timing);
    return OK;
  }
  if (timing->related == 0 && timing->related_bus == 0)
    log_warning(reader->log, "LIB-063", timing_where(reader, timing),
                "the timing group (%s) has no related_pin; no arc is made", type->name);
  if (timing->related
      && add_related_arcs(reader, &arc, timing, sense, timing->related, false) != OK)
    return FAILED;
  if (timing->related_bus
      && add_related_arcs(reader, &arc, timing, sense, timing->related_bus, true) != OK)
    return FAILED;
  if (!arc_type_is_check((ArcType)type->type)) keep_retaining(reader, timing, first);
  return OK;
}

/* --- power ------------------------------------------------------------------------------------ */

static void add_power(Reader *reader, const PendingPower *power, PortId port, PortId related,
                      FunctionId when)
{
  array_push(
      &reader->set->powers,
      (LibPower){
          reader->cell_id, port, related, when, { power->power[0], power->power[1] }, false });
}

/* Power of the group's pins (or of the cell) for each related pin; names that the cell has not are
   passed over. */
static Status add_internal_power(Reader *reader, const PendingPower *power)
{
  Range to = power->group == NO_GROUP ? (Range){ 0, 1 } : reader->pin_groups.at[power->group];
  if (power->power[RISE] == NO_TABLE && power->power[FALL] == NO_TABLE) return OK;
  FunctionId when = parse_function(reader, power->when, -1, "the condition");
  const char *text = power->related ? text_at(reader, power->related) : "";
  for (uint32_t i = 0; i < to.count; i++) {
    PortId port = power->group == NO_GROUP ? NO_PORT : reader->targets.at[to.offset + i];
    if (*text == '\0') add_power(reader, power, port, NO_PORT, when);
    for (const char *w = text; *w; w += word_length(w)) {
      while (*w == ',' || isspace((unsigned char)*w)) w++;
      if (*w == '\0' || !find_related(reader, w, word_length(w))) continue;
      if ((uint64_t)reader->related.len * to.count > MAX_PAIRS)
        return log_error(reader->log, "LIB-016",
                         (Where){ reader->in->path, power->line, power->column },
                         "the power group is for too many pairs of pins");
      for (uint32_t k = 0; k < reader->related.len; k++)
        add_power(reader, power, port, reader->related.at[k], when);
    }
  }
  return OK;
}

/* How many conditions groups have: one that is the same text as an earlier one is of another
   supply. */
static uint32_t count_conditions(Reader *reader)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < reader->leakages.len; i++) {
    const char *text =
        reader->leakages.at[i].when ? text_at(reader, reader->leakages.at[i].when) : NULL;
    bool seen = text == NULL;
    for (uint32_t k = 0; k < i && !seen; k++)
      seen = reader->leakages.at[k].when
             && strcmp(text_at(reader, reader->leakages.at[k].when), text) == 0;
    count += !seen;
  }
  return count;
}

static void add_leakage_group(Reader *reader, const PendingLeakage *leakage)
{
  FunctionId when = parse_function(reader, leakage->when, -1, "the condition");
  TableId table = library_add_table(reader->set, NULL, 1, NULL, 1, &leakage->number);
  array_push(&reader->set->powers,
             (LibPower){ reader->cell_id, NO_PORT, NO_PORT, when, { table, NO_TABLE }, true });
}

/* The cell's leakage where no attribute gives it: that of the unconditional groups, of which there
   is one for each supply, or the mean over the conditions of the others. */
static void add_leakage(Reader *reader)
{
  double sum = 0, unconditional = NAN;
  for (uint32_t i = 0; i < reader->leakages.len; i++) {
    const PendingLeakage *leakage = &reader->leakages.at[i];
    add_leakage_group(reader, leakage);
    if (leakage->when) sum += leakage->number;
    else unconditional = isnan(unconditional) ? leakage->number : unconditional + leakage->number;
  }
  if (!isnan(reader->cell.leakage) || reader->leakages.len == 0) return;
  reader->cell.leakage =
      (float)(isnan(unconditional) ? sum / count_conditions(reader) : unconditional);
}

/* --- the end of a cell ------------------------------------------------------------------------ */

static void store_cell(Reader *reader)
{
  LibrarySet *set = reader->set;
  LibCell *cell = &reader->cell;
  cell->port_count = set->ports.len - cell->first_port;
  cell->arc_count = set->arcs.len - cell->first_arc;
  cell->sequential_count = set->sequentials.len - cell->first_sequential;
  cell->bus_count = set->buses.len - cell->first_bus;
  set->cells.at[reader->cell_id] = *cell;
}

Status finish_cell(Reader *reader)
{
  add_states(reader);
  set_ports(reader);
  add_sequentials(reader);
  for (uint32_t i = 0; i < reader->timings.len; i++) apply_modes(reader, &reader->timings.at[i]);
  for (uint32_t i = 0; i < reader->timings.len; i++)
    if (add_timing(reader, &reader->timings.at[i]) != OK) return FAILED;
  make_limits_arcs(reader);
  for (uint32_t i = 0; i < reader->powers.len; i++)
    if (add_internal_power(reader, &reader->powers.at[i]) != OK) return FAILED;
  add_leakage(reader);
  store_cell(reader);
  add_retaining(reader);
  return OK;
}
