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
  Reader *r;
  int32_t place;
} Scope;

static PortId resolve(void *data, const char *name, size_t length)
{
  const Scope *scope = data;
  NameId id = names_find(scope->r->set->names, name, length);
  if (id == NO_NAME || find_port(scope->r, id) == NO_PORT) {
    NameId styled = styled_name(scope->r, name, length);
    if (styled != NO_NAME) id = styled;
  }
  if (id == NO_NAME) return NO_PORT;
  PortId port = find_port(scope->r, id);
  if (port != NO_PORT) return port;
  const Vector *v = find_vector(scope->r, id);
  if (v == NULL) return NO_PORT;
  uint32_t i = v->ports.count == 1 ? 0 : (uint32_t)scope->place;
  return i < v->ports.count ? scope->r->targets.at[v->ports.offset + i] : NO_PORT;
}

static FunctionId parse_at(Reader *r, uint32_t text, int32_t place, const char **bad)
{
  Scope scope = { r, place };
  return function_parse(r->set, text_at(r, text), resolve, &scope, bad);
}

/* Reports a function that cannot be parsed from `bad` on. */
static void add_fault(Text *t, const char *text, const char *bad)
{
  int open = 0;
  for (const char *c = text; c < bad; c++) open += *c == '(' ? 1 : *c == ')' ? -1 : 0;
  if (*bad == '\0') text_put(t, open > 0 ? "a ( is not closed" : "it breaks off");
  else if (*bad == ')') text_put(t, open > 0 ? "a ) where a pin is expected" : "a ) without a (");
  else
    text_printf(t, "no pin, or not expected: %.*s", (int)strcspn(bad + 1, " ()!&|*+^'") + 1, bad);
}

/* The function of a text, or none with a warning. */
static FunctionId parse_function(Reader *r, uint32_t text, int32_t place, const char *what)
{
  const char *bad = "";
  if (text == 0 || text_at(r, text)[strspn(text_at(r, text), " ")] == '\0') return NO_FUNCTION;
  FunctionId f = parse_at(r, text, place, &bad);
  if (f != NO_FUNCTION) return f;
  Text fault = { 0 };
  add_fault(&fault, text_at(r, text), bad);
  log_warning(r->log, "LIB-057", text_where(r, text),
              "%s \"%.80s\" of cell %s cannot be used: %.60s", what, text_at(r, text),
              names_text(r->set->names, r->cell.name), text_get(&fault));
  text_free(&fault);
  return NO_FUNCTION;
}

/* --- ports ------------------------------------------------------------------------------------ */

static PortId state_port(Reader *r, NameId name)
{
  if (name == NO_NAME) return NO_PORT;
  PortId port = find_port(r, name);
  if (port != NO_PORT) return port;
  port = add_port(r, name);
  r->set->ports.at[port].is_state = true;
  r->facts.at[port - r->cell.first_port].direction = DIR_INTERNAL;
  return port;
}

/* The state of a bank: one port for each bit, and a vector of the bank's name. */
static void add_bank_state(Reader *r, NameId name, uint32_t width)
{
  uint32_t first = r->targets.len;
  for (uint32_t i = 0; i < width; i++) {
    const char *base = names_text(r->set->names, name);
    array_push(&r->targets, state_port(r, bit_name(r, base, strlen(base), (int32_t)i)));
  }
  array_push(&r->vectors, (Vector){ name, { first, width } });
}

static void add_states(Reader *r)
{
  for (uint32_t i = 0; i < r->sequentials.len; i++) {
    const PendingSequential *s = &r->sequentials.at[i];
    for (int k = 0; k < 2; k++) {
      if (s->width && s->state[k] != NO_NAME) add_bank_state(r, s->state[k], s->width);
      else state_port(r, s->state[k]);
    }
  }
  for (uint32_t i = 0; i < r->nodes.len; i++) state_port(r, r->nodes.at[i]);
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

static void set_port(Reader *r, LibPort *port, const PinFacts *f)
{
  const float *n = f->number;
  set_caps(port, n);
  port->direction = f->direction;
  port->is_clock = f->clock == 2;
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
  uint32_t function = f->text[PIN_FUNCTION] ? f->text[PIN_FUNCTION] : f->text[PIN_STATE_FUNCTION];
  port->function = parse_function(r, function, f->place, "the function");
  port->three_state = parse_function(r, f->text[PIN_THREE_STATE], f->place, "three_state");
}

/* The linker treats a pin without direction as neither driver nor load. */
static void warn_directions(Reader *r)
{
  uint32_t count = 0, first = 0;
  for (uint32_t i = r->facts.len; i-- > 0;) {
    if (r->facts.at[i].direction != DIR_UNKNOWN || r->facts.at[i].said) continue;
    first = i;
    count++;
  }
  if (count == 0) return;
  log_warning(r->log, "LIB-092", r->cell_at,
              "cell %s: %u pin%s without a direction, such as %s: %s part in timing",
              names_text(r->set->names, r->cell.name), count, count == 1 ? "" : "s",
              names_text(r->set->names, r->set->ports.at[r->cell.first_port + first].name),
              count == 1 ? "it takes no" : "they take no");
}

static void set_ports(Reader *r)
{
  warn_directions(r);
  for (uint32_t i = 0; i < r->facts.len; i++)
    set_port(r, &r->set->ports.at[r->cell.first_port + i], &r->facts.at[i]);
}

static PortId bank_port(Reader *r, NameId name, uint32_t width, uint32_t bit)
{
  if (name == NO_NAME) return NO_PORT;
  if (width == 0) return find_port(r, name);
  const Vector *v = find_vector(r, name);
  return v && bit < v->ports.count ? r->targets.at[v->ports.offset + bit] : NO_PORT;
}

static void add_sequentials(Reader *r)
{
  for (uint32_t i = 0; i < r->sequentials.len; i++) {
    const PendingSequential *s = &r->sequentials.at[i];
    for (uint32_t bit = 0; bit < (s->width ? s->width : 1); bit++) {
      int32_t place = s->width ? (int32_t)bit : -1;
      LibSequential made = { .is_latch = s->is_latch,
        .clock = parse_function(r, s->clock, place, "the clock or enable"),
        .data = parse_function(r, s->data, place, "the next state"),
        .clear = parse_function(r, s->clear, place, "clear"),
        .preset = parse_function(r, s->preset, place, "preset"),
        .state = bank_port(r, s->state[0], s->width, bit),
        .state_inverted = bank_port(r, s->state[1], s->width, bit) };
      array_push(&r->set->sequentials, made);
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
static bool related_range(Reader *r, const char *name, size_t length)
{
  size_t base;
  int32_t from, to;
  if (!bus_range(name, length, &base, &from, &to)) return false;
  for (int32_t bit = from;; bit += from <= to ? 1 : -1) {
    PortId port = find_port(r, bit_name(r, name, base, bit));
    if (port == NO_PORT) return false;
    array_push(&r->related, port);
    if (bit == to) return true;
  }
}

/* The ports of one name of a list, into related; false when the cell has none of that name. */
static bool find_related(Reader *r, const char *word, size_t length)
{
  NameId name = plain_name(r, word, length);
  if (find_port(r, name) == NO_PORT) name = pin_name(r, word, length);
  PortId port = find_port(r, name);
  r->related.len = 0;
  if (port != NO_PORT) {
    array_push(&r->related, port);
    return true;
  }
  const Vector *v = find_vector(r, name);
  for (uint32_t i = 0; v && i < v->ports.count; i++)
    array_push(&r->related, r->targets.at[v->ports.offset + i]);
  return v != NULL
         || related_range(r, names_text(r->set->names, name), names_length(r->set->names, name));
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

static const TimingType *timing_type(Reader *r, uint32_t text)
{
  if (text == 0) return &timing_types[0];
  for (unsigned i = 0; i < sizeof timing_types / sizeof *timing_types; i++)
    if (strcmp(text_at(r, text), timing_types[i].name) == 0) return &timing_types[i];
  log_warning(r->log, "LIB-060", text_where(r, text),
              "timing_type \"%.60s\" is unknown; the timing group is left out", text_at(r, text));
  return NULL;
}

enum { SENSE_MISSING = 255 };

static uint8_t timing_sense(Reader *r, uint32_t text)
{
  static const char *const names[] = { "positive_unate", "negative_unate", "non_unate" };
  static const uint8_t sense[] = { SENSE_POSITIVE, SENSE_NEGATIVE, SENSE_NONE };
  if (text == 0) return SENSE_MISSING;
  for (int i = 0; i < 3; i++)
    if (strcmp(text_at(r, text), names[i]) == 0) return sense[i];
  log_warning(r->log, "LIB-060", text_where(r, text),
              "timing_sense \"%.60s\" is unknown and taken from the function", text_at(r, text));
  return SENSE_MISSING;
}

static uint8_t sense_of_bits(uint32_t bits) { return bits == 1 ? SENSE_POSITIVE : bits == 2 ?
  SENSE_NEGATIVE : SENSE_NONE; }

/* The sense of g(f(x)) from that of g and of f. */
static uint8_t chained(uint8_t a, uint8_t b)
{
  if (a == SENSE_NONE || b == SENSE_NONE) return SENSE_NONE;
  return a == b ? SENSE_POSITIVE : SENSE_NEGATIVE;
}

/* Returns the sequential group of the cell whose state the output shows; NULL: none. */
static const LibSequential *shown_state(const Reader *r, PortId output)
{
  FunctionId f = r->set->ports.at[output].function;
  for (uint32_t i = r->cell.first_sequential; i < r->set->sequentials.len; i++) {
    const LibSequential *s = &r->set->sequentials.at[i];
    if (library_function_uses(r->set, f, s->state)
        || library_function_uses(r->set, f, s->state_inverted))
      return s;
  }
  return NULL;
}

/* Output against the state variable (not inverted). */
static uint8_t output_sense(const Reader *r, const LibSequential *s, PortId output)
{
  FunctionId f = r->set->ports.at[output].function;
  if (library_function_uses(r->set, f, s->state))
    return sense_of_bits(library_function_sense(r->set, f, s->state));
  return chained(SENSE_NEGATIVE,
                 sense_of_bits(library_function_sense(r->set, f, s->state_inverted)));
}

static uint8_t derived_sense(const Reader *r, const LibArc *arc)
{
  const LibrarySet *set = r->set;
  const LibSequential *s = shown_state(r, arc->to);
  switch (arc->type) {
  case ARC_COMBINATIONAL:
    return sense_of_bits(library_function_sense(set, set->ports.at[arc->to].function, arc->from));
  case ARC_LATCH_DATA:
    return chained(output_sense(r, s, arc->to),
                   sense_of_bits(library_function_sense(set, s->data, arc->from)));
  case ARC_PRESET:
  case ARC_CLEAR: {
    /* Whichever of the two the pin drives, an active preset sets the state and an active clear
       resets it. */
    if (s == NULL) return SENSE_NONE;
    uint8_t preset = sense_of_bits(library_function_sense(set, s->preset, arc->from));
    uint8_t clear =
        chained(SENSE_NEGATIVE, sense_of_bits(library_function_sense(set, s->clear, arc->from)));
    return chained(output_sense(r, s, arc->to),
                   library_function_uses(set, s->preset, arc->from) ? preset : clear);
  }
  default: return SENSE_NONE;
  }
}

/* Arcs of a latch's output: the enable's edges open it, the data passes through.  Clock gates keep
   their types. */
static void type_latch_arc(const Reader *r, LibArc *arc)
{
  const LibSequential *s = r->cell.flags & CELL_CLOCK_GATE ? NULL : shown_state(r, arc->to);
  if (s == NULL || !s->is_latch) return;
  bool clocked = arc->type == ARC_CLOCK_RISE || arc->type == ARC_CLOCK_FALL;
  if (clocked && library_function_uses(r->set, s->clock, arc->from)) arc->type = ARC_LATCH_ENABLE;
  else if (arc->type == ARC_COMBINATIONAL && library_function_uses(r->set, s->data, arc->from))
    arc->type = ARC_LATCH_DATA;
}

/* three_state is true when the output floats: the edge of the pin that makes it so disables. */
static void edge_of_tristate(const Reader *r, LibArc *arc)
{
  uint32_t floats =
      library_function_sense(r->set, r->set->ports.at[arc->to].three_state, arc->from);
  if (floats != 1 && floats != 2) return;
  int disables = floats == 1 ? RISE : FALL;
  arc->edge = (uint8_t)(arc->type == ARC_TRISTATE_DISABLE ? disables : !disables);
}

/* The arc of a group for one pair of pins. */
static void add_arc(Reader *r, const LibArc *model, PortId from, PortId to, uint8_t sense)
{
  LibArc arc = *model;
  arc.from = from;
  arc.to = to;
  if (arc.type == ARC_TRISTATE_ENABLE || arc.type == ARC_TRISTATE_DISABLE)
    edge_of_tristate(r, &arc);
  type_latch_arc(r, &arc);
  arc.sense = sense == SENSE_MISSING ? derived_sense(r, &arc) : sense;
  array_push(&r->set->arcs, arc);
}

static Where timing_where(const Reader *r, const PendingTiming *t)
{
  return (Where){ r->in->path, t->line, t->column };
}

/* An output that has a new value has not kept the old one: where the delay is the lesser, it
   counts. */
static void retain_edge(Reader *r, const PendingTiming *t, LibArc *early, int e, bool tell)
{
  static const char *const edges[2] = { [RISE] = "rise", [FALL] = "fall" };
  TableId slew = t->retain_slew[e] != NO_TABLE && early->slew[e] != NO_TABLE ? t->retain_slew[e]
                                                                             : early->slew[e];
  TableId least = library_worse_table(r->set, t->retain[e], early->delay[e], true);
  early->delay[e] = least;
  if (t->sigma_retain[e] != NO_TABLE)
    early->sigma_delay[condition_of(EARLY, e)] = t->sigma_retain[e];
  early->slew[e] =
      least == t->retain[e] ? slew : library_worse_table(r->set, slew, early->slew[e], true);
  if (least != t->retain[e] && tell)
    log_warning(r->log, "LIB-098", timing_where(r, t),
                "retaining_%s is above cell_%s, at some values at least; "
                "there the delay counts early",
                edges[e], edges[e]);
}

/* Retaining tables say how long the output keeps its value: the arcs made from `first` on have them
   early. */
static void keep_retaining(Reader *r, const PendingTiming *t, LibArcId first)
{
  bool any = t->retain[RISE] != NO_TABLE || t->retain[FALL] != NO_TABLE;
  for (LibArcId a = first; any && a < r->set->arcs.len; a++) {
    LibArc early = r->set->arcs.at[a];
    for (int e = RISE; e <= FALL; e++) {
      if (early.delay[e] == NO_TABLE || t->retain[e] == NO_TABLE) continue;
      retain_edge(r, t, &early, e, a == first);
    }
    array_push(&r->retaining, early);
    array_push(&r->retained, a);
  }
}

/* Behind the cell's own arcs. */
static void add_retaining(Reader *r)
{
  for (uint32_t i = 0; i < r->retaining.len; i++) {
    r->set->arcs.at[r->retained.at[i]].early = r->set->arcs.len - r->retained.at[i];
    array_push(&r->set->arcs, r->retaining.at[i]);
  }
}

static void take_tables(LibArc *arc, const PendingTiming *t, const TimingType *type)
{
  bool check = arc_type_is_check((ArcType)type->type);
  for (int e = RISE; e <= FALL; e++) {
    bool on = type->edges >> e & 1;
    arc->delay[e] = !on ? NO_TABLE : check ? t->check[e] : t->delay[e];
    arc->slew[e] = on && !check ? t->slew[e] : NO_TABLE;
    if (arc->delay[e] != NO_TABLE) arc->output_edges |= (uint8_t)(1 << e);
  }
  memcpy(arc->sigma_delay, t->sigma_delay, sizeof arc->sigma_delay);
  memcpy(arc->sigma_slew, t->sigma_slew, sizeof arc->sigma_slew);
}

static bool is_bit(const Reader *r, PortId port)
{
  return r->facts.at[port - r->cell.first_port].place >= 0;
}

/* Returns true if a related bus meets a bus of another width.  Lists of single pins are no
   buses. */
static bool widths_differ(const Reader *r, Range to)
{
  uint32_t n = r->related.len;
  return n > 1 && to.count > 1 && n != to.count && is_bit(r, r->related.at[0])
      && is_bit(r, r->targets.at[to.offset]);
}

/* The arc of a group at one of its pins: a condition over vectors is that of the pin's bit. */
static LibArc arc_at(Reader *r, const LibArc *arc, const PendingTiming *t, PortId port)
{
  const char *bad;
  LibArc own = *arc;
  int32_t place = r->facts.at[port - r->cell.first_port].place;
  if (arc->when == NO_FUNCTION && t->when && place >= 0)
    own.when = parse_at(r, t->when, place, &bad);
  return own;
}

/* Arcs from the pins found for one name to the group's pins: bit by bit when a bus meets a bus; of
   unequal ones the last bits meet, as in an assignment. */
static Status pair_pins(Reader *r, LibArc *arc, const PendingTiming *t, uint8_t sense, bool cross)
{
  Range to = r->pin_groups.at[t->group];
  uint32_t n = r->related.len;
  bool unequal = !cross && widths_differ(r, to), bitwise = unequal || (!cross && n == to.count);
  if ((uint64_t)n * to.count > MAX_PAIRS)
    return log_error(r->log, "LIB-016", timing_where(r, t), "the timing group makes too many arcs");
  uint32_t skip = bitwise && to.count > n ? to.count - n : 0;
  uint32_t ahead = bitwise && n > to.count ? n - to.count : 0;
  if (unequal)
    log_warning(r->log, "LIB-069", timing_where(r, t),
                "cell %s: a related bus of %u bits meets a bus of %u; arcs go from bit "
                "to bit between their last %u",
                names_text(r->set->names, r->cell.name), n, to.count, n < to.count ? n : to.count);
  for (uint32_t i = skip; i < to.count; i++) {
    PortId port = r->targets.at[to.offset + i];
    LibArc own = arc_at(r, arc, t, port);
    uint32_t own_bit = i - skip + ahead;
    for (uint32_t k = bitwise ? own_bit : 0; k < (bitwise ? own_bit + 1 : n); k++)
      add_arc(r, &own, r->related.at[k], port, sense);
  }
  return OK;
}

static Status add_related_arcs(Reader *r, LibArc *arc, const PendingTiming *t, uint8_t sense,
                               uint32_t text, bool cross)
{
  for (const char *p = text_at(r, text); *p;) {
    size_t n = word_length(p);
    if (n == 0) {
      p++;
      continue;
    }
    if (!find_related(r, p, n))
      log_warning(r->log, "LIB-056", text_where(r, text), "cell %s has no pin %.*s; no arc is made",
                  names_text(r->set->names, r->cell.name),
                  (int)(n < 100 ? n : 100), p);
    else if (pair_pins(r, arc, t, sense, cross) != OK) return FAILED;
    p += n;
  }
  return OK;
}

/* A pulse width or period belongs to the pin itself, whatever related_pin says. */
static void add_own_arcs(Reader *r, const LibArc *arc, const PendingTiming *t)
{
  Range to = r->pin_groups.at[t->group];
  for (uint32_t i = 0; i < to.count; i++) {
    PortId port = r->targets.at[to.offset + i];
    LibArc own = arc_at(r, arc, t, port);
    add_arc(r, &own, port, port, SENSE_NONE);
  }
}

/* Limits of a pin as an arc without a condition. */
static void add_limit_arc(Reader *r, const LibArc *sibling, float high, float low)
{
  LibArc arc = { .from = sibling->from, .to = sibling->to, .type = sibling->type,
    .edge = sibling->edge, .sense = sibling->sense, .when = NO_FUNCTION, .sdf_cond = NO_NAME };
  const float limit[2] = { [RISE] = high, [FALL] = low };
  memset(arc.slew, 0xff, sizeof arc.slew);
  memset(arc.sigma_delay, 0xff, sizeof arc.sigma_delay);
  memset(arc.sigma_slew, 0xff, sizeof arc.sigma_slew);
  for (int e = RISE; e <= FALL; e++) {
    bool on = !isnan(limit[e]);
    arc.delay[e] = on ? library_add_table(r->set, NULL, 1, NULL, 1, &limit[e]) : NO_TABLE;
    arc.output_edges |= (uint8_t)(on << e);
  }
  if (arc.output_edges) array_push(&r->set->arcs, arc);
}

/* Pulse widths and periods given as attributes of a pin yield to groups whose condition is true, as
   arcs without a condition do.  So if there are conditional groups, the attributes become such
   arcs. */
static void make_limits_arcs(Reader *r)
{
  for (LibArcId a = r->cell.first_arc, end = r->set->arcs.len; a < end; a++) {
    const LibArc arc = r->set->arcs.at[a];
    LibPort *port = &r->set->ports.at[arc.to];
    if (arc.when == NO_FUNCTION) continue;
    if (arc.type == ARC_MIN_PULSE_WIDTH) {
      add_limit_arc(r, &arc, port->min_pulse_high, port->min_pulse_low);
      port->min_pulse_high = port->min_pulse_low = NAN;
    } else if (arc.type == ARC_MIN_PERIOD) {
      add_limit_arc(r, &arc, port->min_period, port->min_period);
      port->min_period = NAN;
    }
  }
}

static NameId condition_name(Reader *r, const PendingTiming *t)
{
  uint32_t text = t->sdf_cond ? t->sdf_cond : t->when;
  return text ? names_add_text(r->set->names, text_at(r, text)) : NO_NAME;
}

/* `when` over vectors is parsed again for each bit; where that cannot help, a bad one is said
   here. */
static FunctionId condition(Reader *r, const PendingTiming *t)
{
  const char *bad;
  Range to = r->pin_groups.at[t->group];
  if (t->when == 0) return NO_FUNCTION;
  int32_t place = to.count ? r->facts.at[r->targets.at[to.offset] - r->cell.first_port].place : -1;
  FunctionId f = parse_at(r, t->when, -1, &bad);
  if (f == NO_FUNCTION && (place < 0 || parse_at(r, t->when, place, &bad) == NO_FUNCTION))
    parse_function(r, t->when, place, "the condition");
  return f;
}

static Status add_timing(Reader *r, const PendingTiming *t)
{
  const TimingType *type = timing_type(r, t->type_text);
  if (type == NULL) return OK;
  if (type->type == NO_ARC) {
    count_unused(r, IN_TIMING, type->name);
    return OK;
  }
  LibArc arc = { .type = type->type, .edge = type->edge };
  take_tables(&arc, t, type);
  if (arc.output_edges == 0) {
    log_warning(r->log, "LIB-055", timing_where(r, t),
                "the timing group (%s) has no table that can be used; no arc is made", type->name);
    return OK;
  }
  arc.when = condition(r, t);
  arc.always = t->mode_count > 0 && t->when == 0;
  arc.sdf_cond = condition_name(r, t);
  uint8_t sense = timing_sense(r, t->sense_text);
  LibArcId first = r->set->arcs.len;
  if (type->type == ARC_MIN_PULSE_WIDTH || type->type == ARC_MIN_PERIOD) {
    add_own_arcs(r, &arc, t);
    return OK;
  }
  if (t->related == 0 && t->related_bus == 0)
    log_warning(r->log, "LIB-063", timing_where(r, t),
                "the timing group (%s) has no related_pin; no arc is made", type->name);
  if (t->related && add_related_arcs(r, &arc, t, sense, t->related, false) != OK) return FAILED;
  if (t->related_bus && add_related_arcs(r, &arc, t, sense, t->related_bus, true) != OK)
    return FAILED;
  if (!arc_type_is_check((ArcType)type->type)) keep_retaining(r, t, first);
  return OK;
}

/* --- power ------------------------------------------------------------------------------------ */

static void add_power(Reader *r, const PendingPower *p, PortId port, PortId related,
                      FunctionId when)
{
  array_push(&r->set->powers,
             (LibPower){ r->cell_id, port, related, when, { p->power[0], p->power[1] }, false });
}

/* Power of the group's pins (or of the cell) for each related pin; names that the cell has not are
   passed over. */
static Status add_internal_power(Reader *r, const PendingPower *p)
{
  Range to = p->group == NO_GROUP ? (Range){ 0, 1 } : r->pin_groups.at[p->group];
  if (p->power[RISE] == NO_TABLE && p->power[FALL] == NO_TABLE) return OK;
  FunctionId when = parse_function(r, p->when, -1, "the condition");
  const char *text = p->related ? text_at(r, p->related) : "";
  for (uint32_t i = 0; i < to.count; i++) {
    PortId port = p->group == NO_GROUP ? NO_PORT : r->targets.at[to.offset + i];
    if (*text == '\0') add_power(r, p, port, NO_PORT, when);
    for (const char *w = text; *w; w += word_length(w)) {
      while (*w == ',' || isspace((unsigned char)*w)) w++;
      if (*w == '\0' || !find_related(r, w, word_length(w))) continue;
      if ((uint64_t)r->related.len * to.count > MAX_PAIRS)
        return log_error(r->log, "LIB-016", (Where){ r->in->path, p->line, p->column },
                         "the power group is for too many pairs of pins");
      for (uint32_t k = 0; k < r->related.len; k++) add_power(r, p, port, r->related.at[k], when);
    }
  }
  return OK;
}

/* How many conditions groups have: one that is the same text as an earlier one is of another
   supply. */
static uint32_t count_conditions(Reader *r)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < r->leakages.len; i++) {
    const char *text = r->leakages.at[i].when ? text_at(r, r->leakages.at[i].when) : NULL;
    bool seen = text == NULL;
    for (uint32_t k = 0; k < i && !seen; k++)
      seen = r->leakages.at[k].when && strcmp(text_at(r, r->leakages.at[k].when), text) == 0;
    count += !seen;
  }
  return count;
}

static void add_leakage_group(Reader *r, const PendingLeakage *l)
{
  FunctionId when = parse_function(r, l->when, -1, "the condition");
  TableId table = library_add_table(r->set, NULL, 1, NULL, 1, &l->number);
  array_push(&r->set->powers,
             (LibPower){ r->cell_id, NO_PORT, NO_PORT, when, { table, NO_TABLE }, true });
}

/* The cell's leakage where no attribute gives it: that of the unconditional groups, of which there
   is one for each supply, or the mean over the conditions of the others. */
static void add_leakage(Reader *r)
{
  double sum = 0, unconditional = NAN;
  for (uint32_t i = 0; i < r->leakages.len; i++) {
    const PendingLeakage *l = &r->leakages.at[i];
    add_leakage_group(r, l);
    if (l->when) sum += l->number;
    else unconditional = isnan(unconditional) ? l->number : unconditional + l->number;
  }
  if (!isnan(r->cell.leakage) || r->leakages.len == 0) return;
  r->cell.leakage =
      (float)(isnan(unconditional) ? sum / count_conditions(r) : unconditional);
}

/* --- the end of a cell ------------------------------------------------------------------------ */

static void store_cell(Reader *r)
{
  LibrarySet *set = r->set;
  LibCell *c = &r->cell;
  c->port_count = set->ports.len - c->first_port;
  c->arc_count = set->arcs.len - c->first_arc;
  c->sequential_count = set->sequentials.len - c->first_sequential;
  c->bus_count = set->buses.len - c->first_bus;
  set->cells.at[r->cell_id] = *c;
}

Status finish_cell(Reader *r)
{
  add_states(r);
  set_ports(r);
  add_sequentials(r);
  for (uint32_t i = 0; i < r->timings.len; i++) apply_modes(r, &r->timings.at[i]);
  for (uint32_t i = 0; i < r->timings.len; i++)
    if (add_timing(r, &r->timings.at[i]) != OK) return FAILED;
  make_limits_arcs(r);
  for (uint32_t i = 0; i < r->powers.len; i++)
    if (add_internal_power(r, &r->powers.at[i]) != OK) return FAILED;
  add_leakage(r);
  store_cell(r);
  add_retaining(r);
  return OK;
}
