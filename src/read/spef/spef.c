/* Reads a SPEF file section by section: header, name map, ports, and for each net its connections,
   capacitors and resistors. */
#include "read/spef/spef.h"

#include <ctype.h>
#include <math.h>

#include "base/interrupt.h"
#include "read/spef/spef_private.h"

/* Constructs that are read over.  They are counted, and named once at the end of the file. */
#define UNUSED_CONSTRUCTS(X)                                                                      \
  X(INDUCTANCE, "*INDUC") X(COORDINATES, "*C (coordinates)") X(PIN_LOAD, "*L (load of a pin)")    \
  X(PIN_SLEW, "*S (slew of a pin)") X(DRIVING_CELL, "*D (cell of a pin)") X(DRIVER_CELL, "*CELL") \
  X(CONFIDENCE, "*V (confidence)") X(POLES, "*Q (poles)") X(RESIDUES, "*K (residues)")            \
  X(SENSITIVITY, "*SC (sensitivity)") X(PORT_LIST, "*PORTS") X(PHYSICAL_PORTS, "*PHYSICAL_PORTS") \
  X(DEFINITION, "*DEFINE, *PDEFINE") X(POWER_NETS, "*POWER_NETS") X(GROUND_NETS, "*GROUND_NETS")  \
  X(PHYSICAL_NET, "*D_PNET, *R_PNET") X(SELF_RESISTOR, "resistor from a node to itself")          \
  X(SELF_COUPLING, "capacitor between nodes of one net") X(VARIATION, "variation parameters")     \
  X(DESIGN, "*DESIGN") X(DATE, "*DATE") X(VENDOR, "*VENDOR") X(PROGRAM, "*PROGRAM")               \
      X(VERSION, "*VERSION")                                                                      \
  X(FLOW, "*DESIGN_FLOW (but PIN_CAP)") X(INDUCTANCE_UNIT, "*L_UNIT")                             \
  X(DIRECTION, "direction of a pin, another than the design's")                                   \
  X(BLOCK_DELAY, "*RC of a block's pin or port")                                                  \
  X(OTHER_ATTRIBUTE, "other attributes of pins") X(OTHER, "unknown keywords")

#define ENUM(id, text) UNUSED_##id,
enum { UNUSED_CONSTRUCTS(ENUM) UNUSED_KINDS };
#undef ENUM

#define TEXT(id, text) text,
static const char *const unused_text[] = { UNUSED_CONSTRUCTS(TEXT) };
#undef TEXT

/* Those that could have a bearing on delays are worth a warning; the others say nothing about the
   wires. */
static bool worth_a_warning(int kind)
{
  return kind == UNUSED_INDUCTANCE || kind == UNUSED_POLES || kind == UNUSED_RESIDUES
         || kind == UNUSED_SENSITIVITY || kind == UNUSED_VARIATION || kind == UNUSED_DEFINITION
         || kind == UNUSED_PHYSICAL_NET || kind == UNUSED_BLOCK_DELAY
         || kind == UNUSED_OTHER_ATTRIBUTE;
}

typedef enum { UNIT_T, UNIT_C, UNIT_R, UNIT_L, FILE_UNITS } FileUnit;

/* Nets whose *D_NET or *R_NET line has another total than the sum of their capacitors; for the
   first net, both values in fF. */
typedef struct {
  uint32_t count, line;
  double   total, sum;
  Text     name;
} TotalMismatch;

/* The second node of a capacitor, when it is none of the net's: perhaps no node but a value that is
   none. */
typedef struct {
  char     text[SPEF_PAD];
  uint32_t length;                       /* 0: there was none, or a name too long for a value */
  uint32_t line, end;                    /* place; one past its last column */
} FarNode;

typedef struct {
  SpefLex     lex;
  SpefNames   names;
  SpefNet     net;
  Parasitics *p;
  const Netlist *n;
  SpefOptions options;
  SpefRead    result;
  double      scale[FILE_UNITS];         /* the file's units in ps, fF, kOhm */
  bool        unit_given[FILE_UNITS];
  bool        header_done;               /* the first net has come */
  uint32_t    flow_flags;                /* PIECE_..._INCLUDED that *DESIGN_FLOW says */
  bool        is_file;                   /* not text for a few nets: *SPEF must stand at the top */
  uint32_t    unused[UNUSED_KINDS];
  uint32_t    unused_line[UNUSED_KINDS]; /* of the first one */
  uint8_t    *seen;                      /* a bit for each segment that this file had */
  Text        word;                      /* a word kept while the next is read */
  Text        net_name;                  /* of the net in hand, for messages; empty between nets */
  uint32_t    net_line;
  uint32_t    pins;                      /* that the file names on nets of the design */
  FarNode     far;                       /* of the capacitor read last */
  double      cap_sum;                   /* of the net's capacitors as the file has them, each once,
                                            fF */
  uint32_t    cap_count;
  TotalMismatch mismatch;
  Text        supplies;                  /* names of *POWER_NETS and *GROUND_NETS, each with a 0
                                            behind */
  ARRAY(RcElmore) elmores;
  ARRAY(RcPortLoad) port_loads;          /* of the file, in its order; NAN: an earlier one goes */
} Reader;

/* --- small steps ------------------------------------------------------------------------------ */

static SpefWord next(Reader *r) { return spef_next(&r->lex); }

static inline bool at_keyword(const Reader *r, const char *text)
{
  return r->lex.word == WORD_KEYWORD && spef_is(&r->lex, text);
}

static Where net_where(const Reader *r) { return (Where){ r->lex.in->path, r->net_line, 0 }; }

static void count_unused(Reader *r, int kind)
{
  if (r->unused[kind]++ == 0) r->unused_line[kind] = r->lex.line;
}

/* The current word is a keyword that no one knows. */
static void tell_of_keyword(Reader *r)
{
  count_unused(r, UNUSED_OTHER);
  log_warning(r->lex.log, "SPEF-033", spef_where(&r->lex),
              "unknown keyword %.*s; what follows it is skipped", spef_shown(r->lex.length),
              r->lex.text);
}

/* The current word is not what should stand here. */
static Status unexpected(Reader *r, const char *expected)
{
  SpefLex *lex = &r->lex;
  if (lex->failed) return FAILED;
  if (lex->word == WORD_END) {
    if (r->net_name.len)
      return log_error(lex->log, "SPEF-006", spef_where(lex),
                       "the file ends within net %.*s (of line %u), expected %s",
                       spef_shown((uint32_t)r->net_name.len), r->net_name.at, r->net_line,
                       expected);
    return log_error(lex->log, "SPEF-006", spef_where(lex), "the file ends here, expected %s",
                     expected);
  }
  return log_error(lex->log, "SPEF-007", spef_where(lex), "found \"%.*s\", expected %s",
                   spef_shown(lex->length), lex->text, expected);
}

static Status read_value(Reader *r, double *value, const char *expected)
{
  if (r->lex.word != WORD_NAME || !spef_value(&r->lex, r->options.triple, value))
    return unexpected(r, expected);
  next(r);
  return OK;
}

/* More than any wire has, so that sums and products of a net's values stay finite: 1000 s, 1 mF, 1
   TOhm. */
static const double most[FILE_UNITS] = { [UNIT_T] = 1e15, [UNIT_C] = 1e12, [UNIT_R] = 1e9 };
static const char *const most_text[FILE_UNITS] = {
  [UNIT_T] = "1000 s", [UNIT_C] = "1 mF", [UNIT_R] = "1 TOhm"
};
static const char *const quantity[FILE_UNITS] = {
  [UNIT_T] = "delay", [UNIT_C] = "capacitance", [UNIT_R] = "resistance"
};

/* A negative value is clamped, so that the network stays passive. */
static __attribute__((noinline)) Status odd_quantity(Reader *r, FileUnit unit, double given,
                                                     double *value)
{
  Where where = spef_where(&r->lex);
  if (*value >= -most[unit] && *value < 0) {
    log_warning(r->lex.log, "SPEF-025", where, "a negative %s (%g) counts as 0", quantity[unit],
                given);
    *value = 0;
    return OK;
  }
  return log_error(r->lex.log, "SPEF-034", where,
                   "a %s of %.*s times the unit is more than a wire can have (%s)", quantity[unit],
                   spef_shown(r->lex.length), r->lex.text, most_text[unit]);
}

/* The number that the current word is, in our unit of the quantity. */
static inline Status take_quantity(Reader *r, FileUnit unit, double *value)
{
  double given = *value;
  *value *= r->scale[unit];
  if (*value >= 0 && *value <= most[unit]) return OK;
  return odd_quantity(r, unit, given, value);
}

/* Reads such a number and the word after it. */
static Status read_quantity(Reader *r, FileUnit unit, double *value, const char *expected)
{
  if (r->lex.word != WORD_NAME || !spef_value(&r->lex, r->options.triple, value))
    return unexpected(r, expected);
  if (take_quantity(r, unit, value) != OK) return FAILED;
  next(r);
  return OK;
}

/* All words up to the next keyword. */
static void skip_words(Reader *r)
{
  while (r->lex.word == WORD_NAME || r->lex.word == WORD_INDEX || r->lex.word == WORD_STRING)
    next(r);
}

static bool is_name(const Reader *r)
{
  return r->lex.word == WORD_NAME || r->lex.word == WORD_INDEX;
}

static void keep_word(Reader *r, Text *to)
{
  text_clear(to);
  text_add(to, r->lex.text, r->lex.length);
}

/* --- header ----------------------------------------------------------------------------------- */

typedef struct {
  FileUnit    unit;
  const char *name;
  double      scale;
} UnitName;

static const UnitName unit_names[] = {
  { UNIT_T, "FS", 1e-3 },  { UNIT_T, "PS", 1 },    { UNIT_T, "NS", 1e3 },   { UNIT_T, "US", 1e6 },
  { UNIT_T, "MS", 1e9 },   { UNIT_T, "S", 1e12 },  { UNIT_C, "AF", 1e-3 },  { UNIT_C, "FF", 1 },
  { UNIT_C, "PF", 1e3 },   { UNIT_C, "NF", 1e6 },  { UNIT_C, "UF", 1e9 },   { UNIT_C, "F", 1e15 },
  { UNIT_R, "OHM", 1e-3 }, { UNIT_R, "KOHM", 1 },  { UNIT_R, "MOHM", 1e3 }, { UNIT_L, "HENRY", 1 },
  { UNIT_L, "MH", 1e-3 },  { UNIT_L, "UH", 1e-6 }, { UNIT_L, "NH", 1e-9 },  { UNIT_L, "PH", 1e-12 },
  { UNIT_L, "FH", 1e-15 }, { UNIT_L, "H", 1 },
};

static const char *const unit_keyword[FILE_UNITS] = { "*T_UNIT", "*C_UNIT", "*R_UNIT", "*L_UNIT" };
static const char *const unit_default[FILE_UNITS] = { "1 NS", "1 PF", "1 OHM", "1 HENRY" };
static const char *const unit_expected[FILE_UNITS] = { "a unit of time: PS or NS",
                                                       "a unit of capacitance: FF or PF",
                                                       "a unit of resistance: OHM or KOHM",
                                                       "a unit of inductance: HENRY, MH or UH" };

static const UnitName *find_unit(const Reader *r, FileUnit unit)
{
  for (size_t i = 0; i < sizeof unit_names / sizeof *unit_names; i++)
    if (unit_names[i].unit == unit && strlen(unit_names[i].name) == r->lex.length &&
        strncasecmp(unit_names[i].name, r->lex.text, r->lex.length) == 0)
      return &unit_names[i];
  return NULL;
}

/* "*C_UNIT 1 FF" */
static Status read_unit(Reader *r, FileUnit unit)
{
  double count;
  next(r);
  Where where = spef_where(&r->lex);
  if (read_value(r, &count, "a number before the unit")) return FAILED;
  if (count <= 0)
    return log_error(r->lex.log, "SPEF-008", where, "a unit of %g, expected a positive number",
                     count);
  const UnitName *name = r->lex.word == WORD_NAME ? find_unit(r, unit) : NULL;
  if (name == NULL) return unexpected(r, unit_expected[unit]);
  if (!isfinite(count * name->scale))
    return log_error(r->lex.log, "SPEF-008", where, "a unit of %g %s, which no file has", count,
                     name->name);
  r->scale[unit] = count * name->scale;
  r->unit_given[unit] = true;
  next(r);
  return OK;
}

/* "*DIVIDER /": one character out of a set. */
static Status read_character(Reader *r, const char *set, char *to, const char *expected)
{
  next(r);
  if (r->lex.word != WORD_NAME || r->lex.length != 1 || !strchr(set, *r->lex.text))
    return unexpected(r, expected);
  *to = *r->lex.text;
  next(r);
  return OK;
}

/* "*BUS_DELIMITER [ ]", "[]", "<>", ":" */
static Status read_bus_delimiter(Reader *r)
{
  const char *expected = "one or two characters for the bits of buses: [ ], < >, ( ), { }, : or .";
  next(r);
  if (r->lex.word != WORD_NAME || r->lex.length > 2 || !strchr("[{(<:.", *r->lex.text))
    return unexpected(r, expected);
  r->names.bus_open = *r->lex.text;
  r->names.bus_close = r->lex.length == 2 ? r->lex.text[1] : '\0';
  bool both = r->lex.length == 2;
  next(r);
  if (!both && r->lex.word == WORD_NAME && r->lex.length == 1 && strchr("]})>", *r->lex.text)) {
    r->names.bus_close = *r->lex.text;
    next(r);
  }
  return OK;
}

static Status read_name_map(Reader *r)
{
  next(r);
  while (r->lex.word == WORD_INDEX) {
    uint32_t index, end;
    if (!spef_index(r->lex.text, r->lex.length, &index, &end) || end != r->lex.length)
      return unexpected(r, "an index of the name map: * and a number below 2^32");
    Where where = spef_where(&r->lex);
    next(r);
    if (r->lex.word != WORD_NAME || r->lex.length == 0)
      return unexpected(r, "the name that the index stands for");
    if (!spef_map_set(&r->names, index, r->lex.text, r->lex.length))
      log_warning(r->lex.log, "SPEF-032", where,
                  "index *%u had another name before, which no longer counts", index);
    next(r);
  }
  if (r->lex.word == WORD_KEYWORD || r->lex.word == WORD_END) return OK;
  return unexpected(r, "an index (* and a number) or the next section");
}

/* --- names of nets and pins ------------------------------------------------------------------- */

static bool unknown_index(const Reader *r, const char *text, uint32_t length)
{
  uint32_t index, end;
  if (length < 2 || text[0] != '*' || !spef_index(text, length, &index, &end)) return false;
  return spef_map_get(&r->names, index) == NULL;
}

/* For messages: adds the name that an index stands for. */
static const char *shown_name(Reader *r, const char *text, uint32_t length)
{
  uint32_t plain_length;
  const char *plain = spef_plain_name(&r->names, text, length, &plain_length);
  text_clear(&r->word);
  text_add(&r->word, plain, (uint32_t)spef_shown(plain_length));
  return text_get(&r->word);
}

/* The current word as a net of the design; NO_SEG with a warning when it is none. */
static SegId find_net(Reader *r)
{
  SegId seg = spef_find_seg(&r->names, r->lex.text, r->lex.length);
  r->result.nets++;
  if (seg != NO_SEG) {
    r->result.matched++;
    return seg;
  }
  r->result.unmatched_nets++;
  if (unknown_index(r, r->lex.text, r->lex.length))
    log_warning(r->lex.log, "SPEF-021", spef_where(&r->lex),
                "index %.*s is not in the name map; the net is left out", spef_shown(r->lex.length),
                r->lex.text);
  else
    log_warning(r->lex.log, "SPEF-020", spef_where(&r->lex),
                "net %s is not in the design; it is left out",
                shown_name(r, r->lex.text, r->lex.length));
  return NO_SEG;
}

/* Reports what is wrong with a name that should be a pin of the present net. */
static void tell_of_pin(Reader *r, PinId pin, const char *text, uint32_t length, Where where)
{
  Log *log = r->lex.log;
  r->result.unmatched_pins++;
  if (pin != NO_PIN)
    log_warning(log, "SPEF-023", where,
                "pin %s is not on net %.*s in the design; its node has no pin",
                shown_name(r, text, length), spef_shown((uint32_t)r->net_name.len), r->net_name.at);
  else if (unknown_index(r, text, length))
    log_warning(log, "SPEF-021", where, "index %.*s is not in the name map; its node has no pin",
                spef_shown(length), text);
  else
    log_warning(log, "SPEF-022", where, "pin %s is not in the design; its node has no pin",
                shown_name(r, text, length));
}

static bool on_net(const Reader *r, PinId pin) { return spef_pin_on_net(r->n, pin, r->net.net); }

/* The current word as a pin of the net in hand; NO_PIN with a warning when it is none. */
static PinId find_pin(Reader *r)
{
  PinId pin = spef_find_pin(&r->names, r->lex.text, r->lex.length);
  r->pins++;
  if (on_net(r, pin)) return pin;
  tell_of_pin(r, pin, r->lex.text, r->lex.length, spef_where(&r->lex));
  return NO_PIN;
}

/* --- *CONN ------------------------------------------------------------------------------------ */

static void count_attribute(Reader *r)
{
  switch (r->lex.length == 2 ? r->lex.text[1] : 0) {
    case 'C': count_unused(r, UNUSED_COORDINATES); break;
    case 'L': count_unused(r, UNUSED_PIN_LOAD); break;
    case 'S': count_unused(r, UNUSED_PIN_SLEW); break;
    case 'D': count_unused(r, UNUSED_DRIVING_CELL); break;
    default: count_unused(r, UNUSED_OTHER_ATTRIBUTE); break;
  }
}

static void skip_attribute(Reader *r)
{
  count_attribute(r);
  next(r);
  skip_words(r);
}

/* The current word is a pin's or a node's name. */
static void push_conn(Reader *r, char kind)
{
  SpefNet *net = &r->net;
  SpefConn conn = { .text = (uint32_t)net->conn_texts.len,
                    .length = r->lex.length,
                    .where = spef_where(&r->lex),
                    .kind = kind,
                    .inst = NO_INST,
                    .pin = NO_PIN,
                    .load = NAN };
  text_add(&net->conn_texts, r->lex.text, r->lex.length);
  array_push(&net->conns, conn);
  next(r);
}

/* "*I u1:Z O", "*P port I" or "*N node", at the keyword.  The letter says where the signal goes
   seen from the pin's cell. */
static Status read_connection(Reader *r)
{
  char kind = r->lex.text[1];
  if (kind != 'P' && kind != 'I' && kind != 'N') return unexpected(r, "*P, *I or *N");
  next(r);
  if (!is_name(r)) return unexpected(r, kind == 'N' ? "an internal node" : "a pin");
  push_conn(r, kind);
  if (kind == 'N') return OK;
  if (r->lex.word != WORD_NAME || r->lex.length != 1 || !strchr("IOB", *r->lex.text))
    return unexpected(r, "a direction: I, O or B");
  r->net.conns.at[r->net.conns.len - 1].direction = *r->lex.text;
  next(r);
  return OK;
}

/* A block's ports have the loads that the design around it has. */
static void keep_port_load(Reader *r, PinId pin, float load)
{
  if (pin_is_top_port(r->n, pin)) array_push(&r->port_loads, (RcPortLoad){ pin, load });
  else count_unused(r, UNUSED_PIN_LOAD);
}

/* The direction in the design counts.  It is seen from the pin's cell or, for *P, from the design,
   as in the netlist. */
static void check_direction(Reader *r, const SpefConn *conn)
{
  Direction d = netlist_pin_direction(r->n, conn->pin);
  bool other = d == DIR_INPUT ? conn->direction == 'O' : d == DIR_OUTPUT && conn->direction == 'I';
  if (other) count_unused(r, UNUSED_DIRECTION);
}

static void enter_conn(Reader *r, SpefConn *conn)
{
  SpefNet *net = &r->net;
  const char *text = net->conn_texts.at + conn->text;
  r->pins += conn->kind != 'N';
  if (conn->kind != 'N' && !on_net(r, conn->pin)) {
    tell_of_pin(r, conn->pin, text, conn->length, conn->where);
    return;                                   /* a node it is when *CAP or *RES name it */
  }
  if (conn->kind != 'N') check_direction(r, conn);
  if (!isnan(conn->load)) keep_port_load(r, conn->pin, conn->load);
  uint32_t node = spef_net_conn(net, text, conn->length, conn->pin);
  if (net->hint == NO_NODE && conn->direction == (conn->kind == 'P' ? 'I' : 'O')) net->hint = node;
}

static void enter_conns(Reader *r)
{
  SpefNet *net = &r->net;
  spef_pad(&net->conn_texts);
  spef_find_pins(&r->names, net->conns.at, net->conns.len, text_get(&net->conn_texts));
  for (uint32_t i = 0; i < net->conns.len; i++) enter_conn(r, &net->conns.at[i]);
}

static bool at_attribute(const Reader *r)
{
  return r->lex.word == WORD_KEYWORD
         && (r->lex.length == 3 || (r->lex.length == 2 && !strchr("NIP", r->lex.text[1])));
}

/* "*L 0.05", at the keyword */
static Status read_load_of_port(Reader *r, float *load)
{
  double cap;
  next(r);
  if (read_quantity(r, UNIT_C, &cap, "a port's load")) return FAILED;
  *load = (float)cap;
  return OK;
}

static Status read_conn(Reader *r)
{
  array_clear(&r->net.conns);
  text_clear(&r->net.conn_texts);
  next(r);
  while (r->lex.word == WORD_KEYWORD && r->lex.length == 2) {
    if (read_connection(r)) return FAILED;
    SpefConn *conn = &r->net.conns.at[r->net.conns.len - 1];
    while (at_attribute(r)) {
      if (conn->kind != 'P' || !at_keyword(r, "*L")) skip_attribute(r);
      else if (read_load_of_port(r, &conn->load)) return FAILED;
    }
  }
  if (r->lex.word != WORD_KEYWORD) return unexpected(r, "*P, *I, *N or the next section");
  enter_conns(r);
  return OK;
}

/* --- *CAP and *RES ---------------------------------------------------------------------------- */

/* "*SC 1:0.2 2:0.1" behind a value: to the end of its line. */
static void skip_sensitivity(Reader *r)
{
  uint32_t line = r->lex.line;
  count_unused(r, UNUSED_SENSITIVITY);
  do next(r);
  while (r->lex.line == line && r->lex.word == WORD_NAME);
}

/* The number at the start of an element. */
static bool at_element(const Reader *r)
{
  return r->lex.word == WORD_NAME && isdigit((unsigned char)*r->lex.text);
}

/* A node's name: its node when the net has or owns it, else NO_NODE and the name in r->word. */
static uint32_t read_node(Reader *r)
{
  uint32_t node = spef_net_own_node(&r->net, r->lex.text, r->lex.length);
  if (node == NO_NODE) keep_word(r, &r->word);
  if (node == NO_NODE) spef_pad(&r->word);
  next(r);
  return node;
}

static void keep_far(Reader *r)
{
  const Input *in = r->lex.in;
  r->far.length = r->lex.length <= SPEF_PAD ? r->lex.length : 0;
  memcpy(r->far.text, r->lex.text, SPEF_PAD);
  r->far.line = r->lex.line;
  r->far.end = (uint32_t)(in->base + (in->cur - in->window) - in->line_start) + 1;
}

/* The text after the last capacitor's nodes does not fit.  A second node without a delimiter that
   is not a pin was meant as a value. */
static Status bad_capacitor(Reader *r, const char *expected)
{
  const FarNode *far = &r->far;
  char text[2 * SPEF_PAD] = { 0 };
  if (far->length == 0 || r->lex.failed) return unexpected(r, expected);
  memcpy(text, far->text, far->length);
  bool is_node = spef_split(&r->names, text, far->length) < far->length
                 || spef_find_pin(&r->names, text, far->length) != NO_PIN;
  if (is_node) return unexpected(r, expected);
  return log_error(r->lex.log, "SPEF-007",
                   (Where){ r->lex.in->path, far->line, far->end - far->length },
                   "found \"%s\", expected a capacitance", text);
}

/* The net of a node, or the net itself, as one of *POWER_NETS or *GROUND_NETS. */
static bool is_supply(Reader *r, const char *text, uint32_t length)
{
  uint32_t plain_length;
  const char *plain =
      spef_plain_name(&r->names, text, spef_split(&r->names, text, length), &plain_length);
  const char *end = r->supplies.at + r->supplies.len;
  for (const char *at = r->supplies.at; at < end; at += strlen(at) + 1)
    if (strlen(at) == plain_length && memcmp(at, plain, plain_length) == 0) return true;
  return false;
}

/* Asked at a capacitor's second node, the first one's name being in r->word when it is none of the
   net's. */
static bool is_to_supply(Reader *r, uint32_t a, uint32_t b)
{
  if (r->supplies.len == 0 || r->options.coupling_factor == 1) return false;
  if (b == NO_NODE) return is_supply(r, r->lex.text, r->lex.length);
  return a == NO_NODE && is_supply(r, r->word.at, (uint32_t)r->word.len);
}

/* In the unit of the file, even if it is negative. */
static void sum_cap(Reader *r, double cap)
{
  r->cap_sum += cap * r->scale[UNIT_C];
  r->cap_count++;
}

/* A capacitor to another net counts for the net that is being read; most files write its node
   first.  A capacitor within the net counts for both nodes.  The coupling factor is for nets that
   switch: coupling to a supply net is coupling to ground. */
static Status read_coupling(Reader *r, uint32_t a)
{
  double cap;
  if (!is_name(r)) return unexpected(r, "a node or a capacitance");
  uint32_t b = spef_net_own_node(&r->net, r->lex.text, r->lex.length);
  if (a == NO_NODE && b == NO_NODE) a = spef_net_node(&r->net, r->word.at, (uint32_t)r->word.len);
  if (b == NO_NODE) keep_far(r);
  bool to_supply = is_to_supply(r, a, b);
  next(r);
  if (r->lex.word != WORD_NAME || !spef_value(&r->lex, r->options.triple, &cap))
    return bad_capacitor(r, "a capacitance");
  sum_cap(r, cap);
  if (take_quantity(r, UNIT_C, &cap) != OK) return FAILED;
  next(r);
  if (!to_supply) cap *= r->options.coupling_factor;
  if (a != NO_NODE) r->net.caps.at[a] += cap;
  if (b != NO_NODE) r->net.caps.at[b] += cap;
  if (a != NO_NODE && b != NO_NODE) count_unused(r, UNUSED_SELF_COUPLING);
  r->result.coupling++;
  return OK;
}

static Status read_cap(Reader *r)
{
  double cap;
  next(r);
  if (!is_name(r)) return unexpected(r, "a node");
  r->far.length = 0;
  uint32_t a = read_node(r);
  if (r->lex.word != WORD_NAME || !spef_value(&r->lex, r->options.triple, &cap))
    return read_coupling(r, a);
  if (a == NO_NODE) a = spef_net_node(&r->net, r->word.at, (uint32_t)r->word.len);
  sum_cap(r, cap);
  if (take_quantity(r, UNIT_C, &cap) != OK) return FAILED;
  r->net.caps.at[a] += cap;
  next(r);
  return OK;
}

static Status read_caps(Reader *r)
{
  r->far.length = 0;
  next(r);
  while (at_element(r)) {
    if (read_cap(r)) return FAILED;
    if (at_keyword(r, "*SC")) skip_sensitivity(r);
  }
  return r->lex.word == WORD_KEYWORD ? OK
                                     : bad_capacitor(r, "a capacitor's number or the next section");
}

static Status read_res(Reader *r)
{
  double resistance;
  uint32_t node[2];
  next(r);
  for (int i = 0; i < 2; i++) {
    if (!is_name(r)) return unexpected(r, "a node");
    node[i] = spef_net_node(&r->net, r->lex.text, r->lex.length);
    next(r);
  }
  if (r->lex.word != WORD_NAME || !spef_value(&r->lex, r->options.triple, &resistance))
    return unexpected(r, "a resistance");
  if (take_quantity(r, UNIT_R, &resistance) != OK) return FAILED;
  if (node[0] == node[1]) count_unused(r, UNUSED_SELF_RESISTOR);
  else array_push(&r->net.edges, (RcEdge){ node[0], node[1], (float)resistance });
  next(r);
  return OK;
}

static Status read_resistors(Reader *r)
{
  next(r);
  while (at_element(r)) {
    if (read_res(r)) return FAILED;
    if (at_keyword(r, "*SC")) skip_sensitivity(r);
  }
  return r->lex.word == WORD_KEYWORD ? OK
                                     : unexpected(r, "a resistor's number or the next section");
}

/* --- *D_NET ----------------------------------------------------------------------------------- */

#define TOTAL "the net's total capacitance"

static uint32_t piece_flags(const Reader *r)
{
  return r->options.pin_cap_included ? PIECE_INPUTS_INCLUDED | PIECE_OUTPUTS_INCLUDED
                                     : r->flow_flags;
}

/* The numbers of the net that was read. */
static PieceNumbers numbers_of(double total) { return (PieceNumbers){ (float)total }; }

/* The sums of real files agree to the last digit.  A total of 0 says nothing about the sum.
   Neither does a total that may include pins (PIN_CAP, by the standard). */
static void check_total(Reader *r, double total, double sum)
{
  static const double tolerance = 0.01;
  double larger = total > sum ? total : sum;
  if (total == 0 || piece_flags(r) || fabs(total - sum) <= tolerance * larger) return;
  if (r->mismatch.count++) return;
  r->mismatch.line = r->net_line;
  r->mismatch.total = total;
  r->mismatch.sum = sum;
  text_clear(&r->mismatch.name);
  text_add(&r->mismatch.name, r->net_name.at, (uint32_t)spef_shown((uint32_t)r->net_name.len));
}

/* If a net is read again, it loses loads of ports that the file does not give again, here or in
   *PORTS.  The file of a block describes only the part inside the block. */
static void forget_port_loads(Reader *r, SegId seg)
{
  if (r->options.scope != TOP_INST) return;
  NetPins it = net_pins(r->n, r->n->segs.at[seg].net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;)
    if (pin_is_top_port(r->n, p)) array_push(&r->port_loads, (RcPortLoad){ p, NAN });
}

/* Name and total of a net, at the name; *seg NO_SEG when the design has no such net. */
static Status begin_net(Reader *r, SegId *seg, double *total)
{
  r->cap_sum = 0;
  r->cap_count = 0;
  r->net_line = r->lex.line;
  text_clear(&r->net_name);
  if (!is_name(r)) return unexpected(r, "the name of a net");
  *seg = find_net(r);
  if (*seg != NO_SEG) {
    if (r->seen[*seg >> 3] & 1 << (*seg & 7))
      log_warning(r->lex.log, "SPEF-028", spef_where(&r->lex),
                  "net %s stands in the file twice; the last one counts",
                  shown_name(r, r->lex.text, r->lex.length));
    r->seen[*seg >> 3] |= (uint8_t)(1 << (*seg & 7));
    forget_port_loads(r, *seg);
    spef_net_begin(&r->net, *seg, r->lex.text, r->lex.length);
  }
  if (*seg == NO_SEG) keep_word(r, &r->net_name);
  else text_add(&r->net_name, r->net.plain.at, r->net.plain.len);
  next(r);
  if (*seg == NO_SEG ? read_value(r, total, TOTAL) : read_quantity(r, UNIT_C, total, TOTAL))
    return FAILED;
  if (at_keyword(r, "*V")) {
    count_unused(r, UNUSED_CONFIDENCE);
    next(r);
    skip_words(r);
  }
  return OK;
}

static bool begins_net(const Reader *r)
{
  return at_keyword(r, "*D_NET") || at_keyword(r, "*R_NET") || at_keyword(r, "*D_PNET")
         || at_keyword(r, "*R_PNET");
}

/* Skips to *END. */
static Status skip_net(Reader *r)
{
  while (!at_keyword(r, "*END")) {
    if (r->lex.word == WORD_END || begins_net(r)) return unexpected(r, "*END");
    next(r);
  }
  text_clear(&r->net_name);
  next(r);
  return OK;
}

/* One section of a net, at its keyword. */
static Status read_section(Reader *r)
{
  if (at_keyword(r, "*CONN")) return read_conn(r);
  if (at_keyword(r, "*RES")) return read_resistors(r);
  if (at_keyword(r, "*CAP")) return read_caps(r);
  if (r->lex.word != WORD_KEYWORD || begins_net(r))
    return unexpected(r, "a section of the net or *END");
  if (at_keyword(r, "*INDUC")) count_unused(r, UNUSED_INDUCTANCE);
  else tell_of_keyword(r);
  next(r);
  skip_words(r);
  return OK;
}

static void tell_of_net(Reader *r, SpefNetResult net)
{
  Log *log = r->lex.log;
  int shown = spef_shown((uint32_t)r->net_name.len);
  const char *name = text_get(&r->net_name);
  r->result.loops += net.loops;
  r->result.islands += net.islands;
  r->result.lumped += net.lumped;
  r->result.no_driver += net.no_driver;
  Where where = net_where(r);
  if (net.loops)
    log_warning(log, "SPEF-024", where, "net %.*s: %u resistor(s) close a loop and are left out",
                shown, name, net.loops);
  if (net.islands)
    log_warning(log, "SPEF-027", where, "net %.*s: %u part(s) are not connected to the driver",
                shown, name, net.islands);
  if (net.no_driver)
    log_warning(log, "SPEF-026", where,
                "net %.*s: no pin in it drives it; its capacitance is lumped at the driver", shown,
                name);
}

static Status read_d_net(Reader *r)
{
  SegId seg;
  double total;
  next(r);
  if (begin_net(r, &seg, &total)) return FAILED;
  if (seg == NO_SEG) return skip_net(r);
  while (!at_keyword(r, "*END"))
    if (read_section(r)) return FAILED;
  tell_of_net(r, spef_net_end(&r->net, r->p, numbers_of(total), r->cap_count > 0, piece_flags(r)));
  if (r->cap_count) check_total(r, total, r->cap_sum);
  text_clear(&r->net_name);
  next(r);
  return OK;
}

/* --- *R_NET ----------------------------------------------------------------------------------- */

/* "*RC u2:A 12.5 *Q ... *K ..." */
static Status read_load(Reader *r)
{
  double elmore;
  next(r);
  if (!is_name(r)) return unexpected(r, "a load pin");
  PinId pin = find_pin(r);
  next(r);
  if (read_quantity(r, UNIT_T, &elmore, "an Elmore delay")) return FAILED;
  if (pin != NO_PIN) array_push(&r->elmores, (RcElmore){ pin, (float)elmore });
  if (pin != NO_PIN && pin_is_hierarchical(r->n, pin)) count_unused(r, UNUSED_BLOCK_DELAY);
  while (at_keyword(r, "*Q") || at_keyword(r, "*K")) {
    count_unused(r, r->lex.text[1] == 'Q' ? UNUSED_POLES : UNUSED_RESIDUES);
    next(r);
    skip_words(r);
  }
  return OK;
}

/* "*C2_R1_C1 c2 r1 c1", at the keyword */
static Status read_pi(Reader *r, RcReduced *reduced)
{
  double c2, r1, c1;
  if (!at_keyword(r, "*C2_R1_C1")) return unexpected(r, "*C2_R1_C1");
  next(r);
  if (read_quantity(r, UNIT_C, &c2, "a capacitance")
      || read_quantity(r, UNIT_R, &r1, "a resistance")
      || read_quantity(r, UNIT_C, &c1, "a capacitance"))
    return FAILED;
  reduced->c_near = (float)c2;
  reduced->r_pi = (float)r1;
  reduced->c_far = (float)c1;
  return OK;
}

/* "*DRIVER pin *CELL type *C2_R1_C1 ... *LOADS *RC ...", at *DRIVER */
static Status read_driver(Reader *r, RcReduced *reduced)
{
  next(r);
  if (!is_name(r)) return unexpected(r, "the driver pin");
  reduced->driver = find_pin(r);
  next(r);
  if (at_keyword(r, "*CELL")) {
    count_unused(r, UNUSED_DRIVER_CELL);
    next(r);
    skip_words(r);
  }
  if (read_pi(r, reduced)) return FAILED;
  array_clear(&r->elmores);
  if (!at_keyword(r, "*LOADS")) return OK;
  next(r);
  while (at_keyword(r, "*RC"))
    if (read_load(r)) return FAILED;
  return OK;
}

/* The pi model as a tree, so that a reduced net can be treated like any other: drivers near, loads
   far. */
static void append_pi(Reader *r, SegId seg, const RcReduced *first, double total)
{
  SpefNet *net = &r->net;
  RcNode nodes[2] = { { NO_NODE, 0, first->c_near }, { 0, first->r_pi, first->c_far } };
  array_clear(&net->taps);
  if (first->driver != NO_PIN) array_push(&net->taps, (RcTap){ first->driver, 0 });
  for (uint32_t i = 0; i < r->elmores.len; i++)
    if (r->elmores.at[i].pin != first->driver)
      array_push(&net->taps, (RcTap){ r->elmores.at[i].pin, 1 });
  parasitics_append(r->p, r->n, seg, nodes, 2, net->taps.at, net->taps.len,
                    piece_flags(r) | PIECE_REDUCED, numbers_of(total));
}

static Status read_r_net(Reader *r)
{
  SegId seg;
  double total;
  bool first = true;
  next(r);
  if (begin_net(r, &seg, &total)) return FAILED;
  if (seg == NO_SEG) return skip_net(r);
  while (at_keyword(r, "*DRIVER")) {
    RcReduced reduced = { 0 };
    if (read_driver(r, &reduced)) return FAILED;
    if (first) append_pi(r, seg, &reduced, total);
    if (first) check_total(r, total, reduced.c_near + reduced.c_far);
    if (reduced.driver != NO_PIN)
      parasitics_append_reduced(r->p, reduced, r->elmores.at, r->elmores.len);
    else tell_of_net(r, (SpefNetResult){ .no_driver = true });
    first = false;
  }
  if (!at_keyword(r, "*END")) return unexpected(r, "*DRIVER or *END");
  if (first) tell_of_net(r, spef_net_end(&r->net, r->p, numbers_of(total), false, piece_flags(r)));
  text_clear(&r->net_name);
  next(r);
  return OK;
}

/* --- the file --------------------------------------------------------------------------------- */

typedef enum {
  TOP_TEXT,
  TOP_FLOW,
  TOP_PORTS,
  TOP_DIVIDER,
  TOP_DELIMITER,
  TOP_BUS,
  TOP_UNIT,
  TOP_MAP,
  TOP_SUPPLY,
  TOP_SKIP,
  TOP_D_NET,
  TOP_R_NET,
  TOP_P_NET
} TopKind;

/* Reads a construct outside nets.  `detail`: its unit, or the construct that is skipped. */
static const struct {
  const char *keyword;
  TopKind kind;
  int     detail;
} top_keywords[] = {
  { "*D_NET", TOP_D_NET, 0 },
  { "*R_NET", TOP_R_NET, 0 },
  { "*D_PNET", TOP_P_NET, UNUSED_PHYSICAL_NET },
  { "*R_PNET", TOP_P_NET, UNUSED_PHYSICAL_NET },
  { "*DESIGN", TOP_TEXT, UNUSED_DESIGN },
  { "*DATE", TOP_TEXT, UNUSED_DATE },
  { "*VENDOR", TOP_TEXT, UNUSED_VENDOR },
  { "*PROGRAM", TOP_TEXT, UNUSED_PROGRAM },
  { "*VERSION", TOP_TEXT, UNUSED_VERSION },
  { "*DESIGN_FLOW", TOP_FLOW, 0 },
  { "*DIVIDER", TOP_DIVIDER, 0 },
  { "*DELIMITER", TOP_DELIMITER, 0 },
  { "*BUS_DELIMITER", TOP_BUS, 0 },
  { "*T_UNIT", TOP_UNIT, UNIT_T },
  { "*C_UNIT", TOP_UNIT, UNIT_C },
  { "*R_UNIT", TOP_UNIT, UNIT_R },
  { "*L_UNIT", TOP_UNIT, UNIT_L },
  { "*NAME_MAP", TOP_MAP, 0 },
  { "*PORTS", TOP_PORTS, UNUSED_PORT_LIST },
  { "*PHYSICAL_PORTS", TOP_SKIP, UNUSED_PHYSICAL_PORTS },
  { "*DEFINE", TOP_SKIP, UNUSED_DEFINITION },
  { "*PDEFINE", TOP_SKIP, UNUSED_DEFINITION },
  { "*POWER_NETS", TOP_SUPPLY, UNUSED_POWER_NETS },
  { "*GROUND_NETS", TOP_SUPPLY, UNUSED_GROUND_NETS },
  { "*VARIATION_PARAMETERS", TOP_SKIP, UNUSED_VARIATION },
};

enum { TOP_KEYWORDS = sizeof top_keywords / sizeof *top_keywords };

static int find_top_keyword(const Reader *r)
{
  for (int i = 0; i < TOP_KEYWORDS; i++)
    if (spef_is(&r->lex, top_keywords[i].keyword)) return i;
  return -1;
}

/* A section that is read over, at its keyword, with the attributes of ports in it. */
static void skip_section(Reader *r)
{
  next(r);
  while (r->lex.word != WORD_END && (r->lex.word != WORD_KEYWORD || find_top_keyword(r) < 0))
    next(r);
}

/* "*GROUND_NETS VSS *7": reads the names of supply nets.  The coupling factor does not apply to
   coupling to them. */
static Status read_supplies(Reader *r)
{
  for (next(r); is_name(r); next(r)) {
    uint32_t length;
    const char *plain = spef_plain_name(&r->names, r->lex.text, r->lex.length, &length);
    text_add(&r->supplies, plain, length);
    text_char(&r->supplies, '\0');
  }
  return r->lex.word == WORD_KEYWORD || r->lex.word == WORD_END
             ? OK
             : unexpected(r, "the name of a net or the next section");
}

/* "*C 1 2", "*S 0.1 0.2 0.8", "*D BUF": no keyword stands before the next port's name. */
static void skip_port_attribute(Reader *r)
{
  double value;
  bool is_cell = at_keyword(r, "*D");
  count_attribute(r);
  next(r);
  if (is_cell && is_name(r)) next(r);
  while (!is_cell && r->lex.word == WORD_NAME && spef_value(&r->lex, 0, &value)) next(r);
}

/* "*L 0.05" of the port whose name is in r->net_name, at the keyword. */
static Status read_listed_load(Reader *r, PinId pin)
{
  float load;
  Where where = spef_where(&r->lex);
  if (read_load_of_port(r, &load)) return FAILED;
  if (pin != NO_PIN) keep_port_load(r, pin, load);
  else
    log_warning(r->lex.log, "SPEF-052", where, "port %s is not in the design; its load is left out",
                shown_name(r, text_get(&r->net_name), (uint32_t)r->net_name.len));
  return OK;
}

/* "*PORTS", then "in I *C 1 2 *L 0.05" each: loads alone say something of delays. */
static Status read_ports(Reader *r)
{
  PinId pin = NO_PIN;
  bool behind_name = false;
  count_unused(r, UNUSED_PORT_LIST);
  next(r);
  while (r->lex.word != WORD_END && (r->lex.word != WORD_KEYWORD || find_top_keyword(r) < 0)) {
    if (at_keyword(r, "*L")) {
      if (read_listed_load(r, pin)) return FAILED;
      continue;
    }
    if (r->lex.word == WORD_KEYWORD) {
      skip_port_attribute(r);
      continue;
    }
    if (is_name(r) && !behind_name) {
      pin = spef_find_port(&r->names, r->lex.text, r->lex.length);
      keep_word(r, &r->net_name);
    }
    behind_name = !behind_name;      /* the direction follows */
    next(r);
  }
  text_clear(&r->net_name);
  return OK;
}

static void warn_of_units(Reader *r)
{
  r->header_done = true;
  for (int i = 0; r->is_file && i < UNIT_L; i++)
    if (!r->unit_given[i])
      log_warning(r->lex.log, "SPEF-029", (Where){ r->lex.in->path, 0, 0 },
                  "the header has no %s; it is taken as %s", unit_keyword[i], unit_default[i]);
}

static Status skip_text(Reader *r)
{
  next(r);
  if (r->lex.word == WORD_KEYWORD || r->lex.word == WORD_END)
    return unexpected(r, "a text in quotes");
  skip_words(r);
  return OK;
}

/* The word behind "PIN_CAP ": which library pins the capacitances of the file hold. */
static void take_pin_cap(Reader *r, const char *word, uint32_t length)
{
  static const struct { const char *word; uint32_t flags; } known[] = {
    { "NONE", 0 }, { "INPUT_ONLY", PIECE_INPUTS_INCLUDED },
    { "INPUT_OUTPUT", PIECE_INPUTS_INCLUDED | PIECE_OUTPUTS_INCLUDED } };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (length != strlen(known[i].word) || strncasecmp(word, known[i].word, length) != 0) continue;
    r->flow_flags = known[i].flags;
    if (known[i].flags == 0 && r->options.pin_cap_included)
      log_warning(r->lex.log, "SPEF-038", spef_where(&r->lex),
                  "the header says PIN_CAP NONE; -pin_cap_included counts");
    return;
  }
  log_warning(r->lex.log, "SPEF-037", spef_where(&r->lex),
              "PIN_CAP %.*s: expected NONE, INPUT_ONLY or INPUT_OUTPUT; taken as NONE",
              spef_shown(length), word);
}

/* *DESIGN_FLOW "COUPLING C" "PIN_CAP NONE" ...: of what may stand there, that alone says something
   of the numbers. */
static Status read_flow(Reader *r)
{
  static const char pin_cap[] = "PIN_CAP";
  enum { LENGTH = sizeof pin_cap - 1 };
  next(r);
  if (r->lex.word == WORD_KEYWORD || r->lex.word == WORD_END)
    return unexpected(r, "a text in quotes");
  for (; is_name(r) || r->lex.word == WORD_STRING; next(r)) {
    const char *text = r->lex.text;
    uint32_t at = LENGTH;
    if (r->lex.length <= LENGTH || strncasecmp(text, pin_cap, LENGTH) != 0 ||
        !isspace((unsigned char)text[LENGTH])) {
      count_unused(r, UNUSED_FLOW);
      continue;
    }
    while (at < r->lex.length && isspace((unsigned char)text[at])) at++;
    take_pin_cap(r, text + at, r->lex.length - at);
  }
  return OK;
}

static Status skip_physical_net(Reader *r)
{
  count_unused(r, UNUSED_PHYSICAL_NET);
  r->net_line = r->lex.line;
  next(r);
  keep_word(r, &r->net_name);
  return skip_net(r);
}

static Status read_top(Reader *r)
{
  int at = r->lex.word == WORD_KEYWORD ? find_top_keyword(r) : -1;
  if (at < 0 && r->lex.word != WORD_KEYWORD) return unexpected(r, "a keyword such as *D_NET");
  if (at < 0) {
    tell_of_keyword(r);
    skip_section(r);
    return OK;
  }
  if (!r->header_done && (top_keywords[at].kind == TOP_D_NET || top_keywords[at].kind == TOP_R_NET))
    warn_of_units(r);
  switch (top_keywords[at].kind) {
    case TOP_D_NET: return read_d_net(r);
    case TOP_R_NET: return read_r_net(r);
    case TOP_P_NET: return skip_physical_net(r);
    case TOP_TEXT:
      count_unused(r, top_keywords[at].detail);
      return skip_text(r);
    case TOP_SUPPLY:
      count_unused(r, top_keywords[at].detail);
      return read_supplies(r);
    case TOP_FLOW: return read_flow(r);
    case TOP_PORTS: return read_ports(r);
    case TOP_DIVIDER:
      return read_character(r, "/.|:", &r->names.divider, "a hierarchy divider: / . | or :");
    case TOP_DELIMITER:
      return read_character(r, "/.|:", &r->names.delimiter, "a pin delimiter: / . | or :");
    case TOP_BUS: return read_bus_delimiter(r);
    case TOP_UNIT:
      if (top_keywords[at].detail == UNIT_L) count_unused(r, UNUSED_INDUCTANCE_UNIT);
      return read_unit(r, (FileUnit)top_keywords[at].detail);
    case TOP_MAP: return read_name_map(r);
    case TOP_SKIP:
      count_unused(r, top_keywords[at].detail);
      skip_section(r);
      return OK;
  }
  return OK;
}

/* "*SPEF "IEEE 1481-1998"" at the top of a file. */
static Status read_start(Reader *r)
{
  next(r);
  if (r->lex.failed) return FAILED;
  if (at_keyword(r, "*SPEF")) return skip_text(r);
  if (!r->is_file) return OK;
  return log_error(r->lex.log, "SPEF-001", spef_where(&r->lex),
                   "the file does not begin with *SPEF: this is no SPEF file");
}

enum { NETS_BETWEEN_POLLS = 1024 };

/* A file of this design matches in all but a few names.  Generated names (_123_) are the same in
   many designs, so nets alone do not tell. */
static Status check_matches(Reader *r)
{
  const SpefRead *have = &r->result;
  Where where = { r->lex.in->path, 0, 0 };
  const char *hint =
      "this looks like another design's file, or like a block's that needs its instance (-path)";
  if (have->nets == 0) log_warning(r->lex.log, "SPEF-031", where, "there are no nets in it");
  if ((uint64_t)have->matched * 10 < have->nets)
    return log_error(r->lex.log, "SPEF-009", where, "%u of %u nets are in the design: %s",
                     have->matched, have->nets, hint);
  if (have->unmatched_pins > r->pins / 2)
    return log_error(r->lex.log, "SPEF-010", where,
                     "%u of %u pins are on their nets in the design: %s",
                     r->pins - have->unmatched_pins, r->pins, hint);
  return OK;
}

static Status read_all(Reader *r)
{
  if (read_start(r)) return FAILED;
  while (r->lex.word != WORD_END) {
    if (read_top(r)) return FAILED;
    if (r->result.nets % NETS_BETWEEN_POLLS == 0 && interrupt_seen())
      return log_error(r->lex.log, "SPEF-012", spef_where(&r->lex),
                       "interrupted; the parasitics are as they were before");
  }
  return r->lex.failed ? FAILED : check_matches(r);
}

/* --- what remains of a read ------------------------------------------------------------------- */

static void add_unused(Parasitics *p, const char *construct, uint32_t count)
{
  for (uint32_t i = 0; i < p->unused.len; i++) {
    if (p->unused.at[i].construct != construct) continue;
    p->unused.at[i].count += count;
    return;
  }
  array_push(&p->unused, (SpefUnused){ construct, count });
}

static void tell_of_totals(Reader *r)
{
  const TotalMismatch *mismatch = &r->mismatch;
  if (mismatch->count == 0) return;
  log_warning(r->lex.log, "SPEF-051", (Where){ r->lex.in->path, mismatch->line, 0 },
              "%u net(s) have a total that is not the sum of their capacitors, which count; "
              "the first is %s: %g fF and %g fF",
              mismatch->count, text_get(&mismatch->name), mismatch->total, mismatch->sum);
}

static void keep_unused(Reader *r)
{
  for (int i = 0; i < UNUSED_KINDS; i++) {
    if (r->unused[i] == 0) continue;
    add_unused(r->p, unused_text[i], r->unused[i]);
    if (worth_a_warning(i))
      log_warning(r->lex.log, "SPEF-030", (Where){ r->lex.in->path, r->unused_line[i], 0 },
                  "not used: %s, %u in the file, the first here", unused_text[i], r->unused[i]);
  }
}

void spef_tell_of_replaced(const Netlist *n, ParasiticsReplaced replaced, const char *file,
                           Log *log)
{
  Where where = { file, 0, 0 };
  Text name = { 0 };
  if (replaced.twice) netlist_seg_name(n, replaced.twice_seg, '/', &name);
  if (replaced.twice)
    log_warning(log, "SPEF-039", where,
                "%u section(s) speak of nets that it has under other names as well; the last one "
                "counts, for instance %s",
                replaced.twice, text_get(&name));
  text_clear(&name);
  if (replaced.narrower) netlist_seg_name(n, replaced.narrower_seg, '/', &name);
  if (replaced.narrower)
    log_warning(log, "SPEF-040", where,
                "earlier parasitics of %u net(s) had more pins and are replaced, for "
                "instance by those of net %s",
                replaced.narrower, text_get(&name));
  text_free(&name);
}

/* A text for a few nets changes the present parasitics, which then need to know which nets are
   replaced. */
static void put_port_loads(Reader *r)
{
  const RcPortLoad *load = r->port_loads.at, *end = load + r->port_loads.len;
  for (const RcPortLoad *x = load; x < end; x++)
    if (isnan(x->cap) && (!r->is_file || parasitics_has_port_load(r->p, x->port)))
      parasitics_put_port_load(r->p, x->port, 0);
  for (const RcPortLoad *x = load; x < end; x++)
    if (!isnan(x->cap)) parasitics_put_port_load(r->p, x->port, x->cap);
}

static void init_reader(Reader *r, Parasitics *p, const Netlist *n, const SpefOptions *options,
                        Log *log)
{
  memset(r, 0, sizeof *r);
  r->options = options ? *options : spef_options();
  r->p = p;
  r->n = n;
  r->lex.log = log;
  r->scale[UNIT_T] = 1e3;
  r->scale[UNIT_C] = 1e3;
  r->scale[UNIT_R] = 1e-3;
  r->scale[UNIT_L] = 1;
  r->seen = mem_alloc_zero(n->segs.len / 8 + 1, 1);
  spef_names_init(&r->names, n, r->options.scope);
  spef_net_init(&r->net, &r->names);
}

static void free_reader(Reader *r)
{
  spef_net_free(&r->net);
  spef_names_free(&r->names);
  array_free(&r->elmores);
  array_free(&r->port_loads);
  text_free(&r->word);
  text_free(&r->net_name);
  text_free(&r->mismatch.name);
  text_free(&r->supplies);
  mem_free(r->seen);
}

static Status read_input(Reader *r, Input *in, SpefRead *result)
{
  if (in == NULL) return FAILED;
  ParasiticsMark mark = parasitics_begin(r->p);
  r->lex.in = in;
  Status status = read_all(r);
  if (status == OK) {
    spef_tell_of_replaced(r->n, parasitics_commit(r->p, r->n, &mark), in->path, r->lex.log);
    put_port_loads(r);
    keep_unused(r);
    tell_of_totals(r);
    r->result.spread = r->lex.spread;
    r->result.file = names_add_text(r->n->names, in->path);
    array_push(&r->p->reads, r->result);
    if (result) *result = r->result;
  } else {
    parasitics_rollback(r->p, &mark);
  }
  input_close(in);
  return status;
}

Status read_spef(Parasitics *p, const Netlist *n, const char *path, const SpefOptions *options,
                 Log *log, SpefRead *result)
{
  Reader r;
  init_reader(&r, p, n, options, log);
  r.is_file = true;
  Status status = read_input(&r, input_open(path, log), result);
  free_reader(&r);
  return status;
}

Status read_spef_text(Parasitics *p, const Netlist *n, const char *name, const char *text,
                      const SpefOptions *options, Log *log, SpefRead *result)
{
  Reader r;
  init_reader(&r, p, n, options, log);
  Status status = read_input(&r, input_open_text(name, text, log), result);
  free_reader(&r);
  return status;
}
