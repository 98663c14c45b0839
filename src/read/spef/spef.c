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
  Parasitics *parasitics;
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

static SpefWord next(Reader *reader) { return spef_next(&reader->lex); }

static inline bool at_keyword(const Reader *reader, const char *text)
{
  return reader->lex.word == WORD_KEYWORD && spef_is(&reader->lex, text);
}

static Where net_where(const Reader *reader)
{
  return (Where){ reader->lex.in->path, reader->net_line, 0 };
}

static void count_unused(Reader *reader, int kind)
{
  if (reader->unused[kind]++ == 0) reader->unused_line[kind] = reader->lex.line;
}

/* The current word is a keyword that no one knows. */
static void tell_of_keyword(Reader *reader)
{
  count_unused(reader, UNUSED_OTHER);
  log_warning(reader->lex.log, "SPEF-033", spef_where(&reader->lex),
              "unknown keyword %.*s; what follows it is skipped", spef_shown(reader->lex.length),
              reader->lex.text);
}

/* The current word is not what should stand here. */
static Status unexpected(Reader *reader, const char *expected)
{
  SpefLex *lex = &reader->lex;
  if (lex->failed) return FAILED;
  if (lex->word == WORD_END) {
    if (reader->net_name.len)
      return log_error(lex->log, "SPEF-006", spef_where(lex),
                       "the file ends within net %.*s (of line %u), expected %s",
                       spef_shown((uint32_t)reader->net_name.len), reader->net_name.at,
                       reader->net_line, expected);
    return log_error(lex->log, "SPEF-006", spef_where(lex), "the file ends here, expected %s",
                     expected);
  }
  return log_error(lex->log, "SPEF-007", spef_where(lex), "found \"%.*s\", expected %s",
                   spef_shown(lex->length), lex->text, expected);
}

static Status read_value(Reader *reader, double *value, const char *expected)
{
  if (reader->lex.word != WORD_NAME || !spef_value(&reader->lex, reader->options.triple, value))
    return unexpected(reader, expected);
  next(reader);
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
static __attribute__((noinline)) Status odd_quantity(Reader *reader, FileUnit unit, double given,
                                                     double *value)
{
  Where where = spef_where(&reader->lex);
  if (*value >= -most[unit] && *value < 0) {
    log_warning(reader->lex.log, "SPEF-025", where, "a negative %s (%g) counts as 0",
                quantity[unit], given);
    *value = 0;
    return OK;
  }
  return log_error(reader->lex.log, "SPEF-034", where,
                   "a %s of %.*s times the unit is more than a wire can have (%s)", quantity[unit],
                   spef_shown(reader->lex.length), reader->lex.text, most_text[unit]);
}

/* The number that the current word is, in our unit of the quantity. */
static inline Status take_quantity(Reader *reader, FileUnit unit, double *value)
{
  double given = *value;
  *value *= reader->scale[unit];
  if (*value >= 0 && *value <= most[unit]) return OK;
  return odd_quantity(reader, unit, given, value);
}

/* Reads such a number and the word after it. */
static Status read_quantity(Reader *reader, FileUnit unit, double *value, const char *expected)
{
  if (reader->lex.word != WORD_NAME || !spef_value(&reader->lex, reader->options.triple, value))
    return unexpected(reader, expected);
  if (take_quantity(reader, unit, value) != OK) return FAILED;
  next(reader);
  return OK;
}

/* All words up to the next keyword. */
static void skip_words(Reader *reader)
{
  while (reader->lex.word == WORD_NAME || reader->lex.word == WORD_INDEX
         || reader->lex.word == WORD_STRING)
    next(reader);
}

static bool is_name(const Reader *reader)
{
  return reader->lex.word == WORD_NAME || reader->lex.word == WORD_INDEX;
}

static void keep_word(Reader *reader, Text *to)
{
  text_clear(to);
  text_add(to, reader->lex.text, reader->lex.length);
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

static const UnitName *find_unit(const Reader *reader, FileUnit unit)
{
  for (size_t i = 0; i < sizeof unit_names / sizeof *unit_names; i++)
    if (unit_names[i].unit == unit && strlen(unit_names[i].name) == reader->lex.length
        && strncasecmp(unit_names[i].name, reader->lex.text, reader->lex.length) == 0)
      return &unit_names[i];
  return NULL;
}

/* "*C_UNIT 1 FF" */
static Status read_unit(Reader *reader, FileUnit unit)
{
  double count;
  next(reader);
  Where where = spef_where(&reader->lex);
  if (read_value(reader, &count, "a number before the unit")) return FAILED;
  if (count <= 0)
    return log_error(reader->lex.log, "SPEF-008", where, "a unit of %g, expected a positive number",
                     count);
  const UnitName *name = reader->lex.word == WORD_NAME ? find_unit(reader, unit) : NULL;
  if (name == NULL) return unexpected(reader, unit_expected[unit]);
  if (!isfinite(count * name->scale))
    return log_error(reader->lex.log, "SPEF-008", where, "a unit of %g %s, which no file has",
                     count, name->name);
  reader->scale[unit] = count * name->scale;
  reader->unit_given[unit] = true;
  next(reader);
  return OK;
}

/* "*DIVIDER /": one character out of a set. */
static Status read_character(Reader *reader, const char *set, char *to, const char *expected)
{
  next(reader);
  if (reader->lex.word != WORD_NAME || reader->lex.length != 1 || !strchr(set, *reader->lex.text))
    return unexpected(reader, expected);
  *to = *reader->lex.text;
  next(reader);
  return OK;
}

/* "*BUS_DELIMITER [ ]", "[]", "<>", ":" */
static Status read_bus_delimiter(Reader *reader)
{
  const char *expected = "one or two characters for the bits of buses: [ ], < >, ( ), { }, : or .";
  next(reader);
  if (reader->lex.word != WORD_NAME || reader->lex.length > 2
      || !strchr("[{(<:.", *reader->lex.text))
    return unexpected(reader, expected);
  reader->names.bus_open = *reader->lex.text;
  reader->names.bus_close = reader->lex.length == 2 ? reader->lex.text[1] : '\0';
  bool both = reader->lex.length == 2;
  next(reader);
  if (!both && reader->lex.word == WORD_NAME && reader->lex.length == 1
      && strchr("]})>", *reader->lex.text)) {
    reader->names.bus_close = *reader->lex.text;
    next(reader);
  }
  return OK;
}

static Status read_name_map(Reader *reader)
{
  next(reader);
  while (reader->lex.word == WORD_INDEX) {
    uint32_t index, end;
    if (!spef_index(reader->lex.text, reader->lex.length, &index, &end)
        || end != reader->lex.length)
      return unexpected(reader, "an index of the name map: * and a number below 2^32");
    Where where = spef_where(&reader->lex);
    next(reader);
    if (reader->lex.word != WORD_NAME || reader->lex.length == 0)
      return unexpected(reader, "the name that the index stands for");
    if (!spef_map_set(&reader->names, index, reader->lex.text, reader->lex.length))
      log_warning(reader->lex.log, "SPEF-032", where,
                  "index *%u had another name before, which no longer counts", index);
    next(reader);
  }
  if (reader->lex.word == WORD_KEYWORD || reader->lex.word == WORD_END) return OK;
  return unexpected(reader, "an index (* and a number) or the next section");
}

/* --- names of nets and pins ------------------------------------------------------------------- */

static bool unknown_index(const Reader *reader, const char *text, uint32_t length)
{
  uint32_t index, end;
  if (length < 2 || text[0] != '*' || !spef_index(text, length, &index, &end)) return false;
  return spef_map_get(&reader->names, index) == NULL;
}

/* For messages: adds the name that an index stands for. */
static const char *shown_name(Reader *reader, const char *text, uint32_t length)
{
  uint32_t plain_length;
  const char *plain = spef_plain_name(&reader->names, text, length, &plain_length);
  text_clear(&reader->word);
  text_add(&reader->word, plain, (uint32_t)spef_shown(plain_length));
  return text_get(&reader->word);
}

/* The current word as a net of the design; NO_SEG with a warning when it is none. */
static SegId find_net(Reader *reader)
{
  SegId seg = spef_find_seg(&reader->names, reader->lex.text, reader->lex.length);
  reader->result.nets++;
  if (seg != NO_SEG) {
    reader->result.matched++;
    return seg;
  }
  reader->result.unmatched_nets++;
  if (unknown_index(reader, reader->lex.text, reader->lex.length))
    log_warning(reader->lex.log, "SPEF-021", spef_where(&reader->lex),
                "index %.*s is not in the name map; the net is left out",
                spef_shown(reader->lex.length), reader->lex.text);
  else
    log_warning(reader->lex.log, "SPEF-020", spef_where(&reader->lex),
                "net %s is not in the design; it is left out",
                shown_name(reader, reader->lex.text, reader->lex.length));
  return NO_SEG;
}

/* Reports what is wrong with a name that should be a pin of the present net. */
static void tell_of_pin(Reader *reader, PinId pin, const char *text, uint32_t length, Where where)
{
  Log *log = reader->lex.log;
  reader->result.unmatched_pins++;
  if (pin != NO_PIN)
    log_warning(log, "SPEF-023", where,
                "pin %s is not on net %.*s in the design; its node has no pin",
                shown_name(reader, text, length), spef_shown((uint32_t)reader->net_name.len),
                reader->net_name.at);
  else if (unknown_index(reader, text, length))
    log_warning(log, "SPEF-021", where, "index %.*s is not in the name map; its node has no pin",
                spef_shown(length), text);
  else
    log_warning(log, "SPEF-022", where, "pin %s is not in the design; its node has no pin",
                shown_name(reader, text, length));
}

static bool on_net(const Reader *reader, PinId pin)
{
  return spef_pin_on_net(reader->n, pin, reader->net.net);
}

/* The current word as a pin of the net in hand; NO_PIN with a warning when it is none. */
static PinId find_pin(Reader *reader)
{
  PinId pin = spef_find_pin(&reader->names, reader->lex.text, reader->lex.length);
  reader->pins++;
  if (on_net(reader, pin)) return pin;
  tell_of_pin(reader, pin, reader->lex.text, reader->lex.length, spef_where(&reader->lex));
  return NO_PIN;
}

/* --- *CONN ------------------------------------------------------------------------------------ */

static void count_attribute(Reader *reader)
{
  switch (reader->lex.length == 2 ? reader->lex.text[1] : 0) {
    case 'C': count_unused(reader, UNUSED_COORDINATES); break;
    case 'L': count_unused(reader, UNUSED_PIN_LOAD); break;
    case 'S': count_unused(reader, UNUSED_PIN_SLEW); break;
    case 'D': count_unused(reader, UNUSED_DRIVING_CELL); break;
    default: count_unused(reader, UNUSED_OTHER_ATTRIBUTE); break;
  }
}

static void skip_attribute(Reader *reader)
{
  count_attribute(reader);
  next(reader);
  skip_words(reader);
}

/* The current word is a pin's or a node's name. */
static void push_conn(Reader *reader, char kind)
{
  SpefNet *net = &reader->net;
  SpefConn conn = { .text = (uint32_t)net->conn_texts.len,
                    .length = reader->lex.length,
                    .where = spef_where(&reader->lex),
                    .kind = kind,
                    .inst = NO_INST,
                    .pin = NO_PIN,
                    .load = NAN };
  text_add(&net->conn_texts, reader->lex.text, reader->lex.length);
  array_push(&net->conns, conn);
  next(reader);
}

/* "*I u1:Z O", "*P port I" or "*N node", at the keyword.  The letter says where the signal goes
   seen from the pin's cell. */
static Status read_connection(Reader *reader)
{
  char kind = reader->lex.text[1];
  if (kind != 'P' && kind != 'I' && kind != 'N') return unexpected(reader, "*P, *I or *N");
  next(reader);
  if (!is_name(reader)) return unexpected(reader, kind == 'N' ? "an internal node" : "a pin");
  push_conn(reader, kind);
  if (kind == 'N') return OK;
  if (reader->lex.word != WORD_NAME || reader->lex.length != 1 || !strchr("IOB", *reader->lex.text))
    return unexpected(reader, "a direction: I, O or B");
  reader->net.conns.at[reader->net.conns.len - 1].direction = *reader->lex.text;
  next(reader);
  return OK;
}

/* A block's ports have the loads that the design around it has. */
static void keep_port_load(Reader *reader, PinId pin, float load)
{
  if (pin_is_top_port(reader->n, pin)) array_push(&reader->port_loads, (RcPortLoad){ pin, load });
  else count_unused(reader, UNUSED_PIN_LOAD);
}

/* The direction in the design counts.  It is seen from the pin's cell or, for *P, from the design,
   as in the netlist. */
static void check_direction(Reader *reader, const SpefConn *conn)
{
  Direction d = netlist_pin_direction(reader->n, conn->pin);
  bool other = d == DIR_INPUT ? conn->direction == 'O' : d == DIR_OUTPUT && conn->direction == 'I';
  if (other) count_unused(reader, UNUSED_DIRECTION);
}

static void enter_conn(Reader *reader, SpefConn *conn)
{
  SpefNet *net = &reader->net;
  const char *text = net->conn_texts.at + conn->text;
  reader->pins += conn->kind != 'N';
  if (conn->kind != 'N' && !on_net(reader, conn->pin)) {
    tell_of_pin(reader, conn->pin, text, conn->length, conn->where);
    return;                                   /* a node it is when *CAP or *RES name it */
  }
  if (conn->kind != 'N') check_direction(reader, conn);
  if (!isnan(conn->load)) keep_port_load(reader, conn->pin, conn->load);
  uint32_t node = spef_net_conn(net, text, conn->length, conn->pin);
  if (net->hint == NO_NODE && conn->direction == (conn->kind == 'P' ? 'I' : 'O')) net->hint = node;
}

static void enter_conns(Reader *reader)
{
  SpefNet *net = &reader->net;
  spef_pad(&net->conn_texts);
  spef_find_pins(&reader->names, net->conns.at, net->conns.len, text_get(&net->conn_texts));
  for (uint32_t i = 0; i < net->conns.len; i++) enter_conn(reader, &net->conns.at[i]);
}

static bool at_attribute(const Reader *reader)
{
  return reader->lex.word == WORD_KEYWORD
         && (reader->lex.length == 3
             || (reader->lex.length == 2 && !strchr("NIP", reader->lex.text[1])));
}

/* "*L 0.05", at the keyword */
static Status read_load_of_port(Reader *reader, float *load)
{
  double cap;
  next(reader);
  if (read_quantity(reader, UNIT_C, &cap, "a port's load")) return FAILED;
  *load = (float)cap;
  return OK;
}

static Status read_conn(Reader *reader)
{
  array_clear(&reader->net.conns);
  text_clear(&reader->net.conn_texts);
  next(reader);
  while (reader->lex.word == WORD_KEYWORD && reader->lex.length == 2) {
    if (read_connection(reader)) return FAILED;
    SpefConn *conn = &reader->net.conns.at[reader->net.conns.len - 1];
    while (at_attribute(reader)) {
      if (conn->kind != 'P' || !at_keyword(reader, "*L")) skip_attribute(reader);
      else if (read_load_of_port(reader, &conn->load)) return FAILED;
    }
  }
  if (reader->lex.word != WORD_KEYWORD) return unexpected(reader, "*P, *I, *N or the next section");
  enter_conns(reader);
  return OK;
}

/* --- *CAP and *RES ---------------------------------------------------------------------------- */

/* "*SC 1:0.2 2:0.1" behind a value: to the end of its line. */
static void skip_sensitivity(Reader *reader)
{
  uint32_t line = reader->lex.line;
  count_unused(reader, UNUSED_SENSITIVITY);
  do next(reader);
  while (reader->lex.line == line && reader->lex.word == WORD_NAME);
}

/* The number at the start of an element. */
static bool at_element(const Reader *reader)
{
  return reader->lex.word == WORD_NAME && isdigit((unsigned char)*reader->lex.text);
}

/* Reads a node's name. Returns its node if the net has or owns it, else NO_NODE; the name is then
   in reader->word. */
static uint32_t read_node(Reader *reader)
{
  uint32_t node = spef_net_own_node(&reader->net, reader->lex.text, reader->lex.length);
  if (node == NO_NODE) keep_word(reader, &reader->word);
  if (node == NO_NODE) spef_pad(&reader->word);
  next(reader);
  return node;
}

static void keep_far(Reader *reader)
{
  const Input *in = reader->lex.in;
  reader->far.length = reader->lex.length <= SPEF_PAD ? reader->lex.length : 0;
  memcpy(reader->far.text, reader->lex.text, SPEF_PAD);
  reader->far.line = reader->lex.line;
  reader->far.end = (uint32_t)(in->base + (in->cur - in->window) - in->line_start) + 1;
}

/* The text after the last capacitor's nodes does not fit.  A second node without a delimiter that
   is not a pin was meant as a value. */
static Status bad_capacitor(Reader *reader, const char *expected)
{
  const FarNode *far = &reader->far;
  char text[2 * SPEF_PAD] = { 0 };
  if (far->length == 0 || reader->lex.failed) return unexpected(reader, expected);
  memcpy(text, far->text, far->length);
  bool is_node = spef_split(&reader->names, text, far->length) < far->length
                 || spef_find_pin(&reader->names, text, far->length) != NO_PIN;
  if (is_node) return unexpected(reader, expected);
  return log_error(reader->lex.log, "SPEF-007",
                   (Where){ reader->lex.in->path, far->line, far->end - far->length },
                   "found \"%s\", expected a capacitance", text);
}

/* The net of a node, or the net itself, as one of *POWER_NETS or *GROUND_NETS. */
static bool is_supply(Reader *reader, const char *text, uint32_t length)
{
  uint32_t plain_length;
  const char *plain = spef_plain_name(&reader->names, text,
                                      spef_split(&reader->names, text, length), &plain_length);
  const char *end = reader->supplies.at + reader->supplies.len;
  for (const char *at = reader->supplies.at; at < end; at += strlen(at) + 1)
    if (strlen(at) == plain_length && memcmp(at, plain, plain_length) == 0) return true;
  return false;
}

/* Asked at a capacitor's second node. If the first node is none of the net's, its name is in
   reader->word. */
static bool is_to_supply(Reader *reader, uint32_t a, uint32_t b)
{
  if (reader->supplies.len == 0 || reader->options.coupling_factor == 1) return false;
  if (b == NO_NODE) return is_supply(reader, reader->lex.text, reader->lex.length);
  return a == NO_NODE && is_supply(reader, reader->word.at, (uint32_t)reader->word.len);
}

/* In the unit of the file, even if it is negative. */
static void sum_cap(Reader *reader, double cap)
{
  reader->cap_sum += cap * reader->scale[UNIT_C];
  reader->cap_count++;
}

/* A capacitor to another net counts for the net that is being read; most files write its node
   first.  A capacitor within the net counts for both nodes.  The coupling factor is for nets that
   switch: coupling to a supply net is coupling to ground. */
static Status read_coupling(Reader *reader, uint32_t a)
{
  double cap;
  if (!is_name(reader)) return unexpected(reader, "a node or a capacitance");
  uint32_t b = spef_net_own_node(&reader->net, reader->lex.text, reader->lex.length);
  if (a == NO_NODE && b == NO_NODE)
    a = spef_net_node(&reader->net, reader->word.at, (uint32_t)reader->word.len);
  if (b == NO_NODE) keep_far(reader);
  bool to_supply = is_to_supply(reader, a, b);
  next(reader);
  if (reader->lex.word != WORD_NAME || !spef_value(&reader->lex, reader->options.triple, &cap))
    return bad_capacitor(reader, "a capacitance");
  sum_cap(reader, cap);
  if (take_quantity(reader, UNIT_C, &cap) != OK) return FAILED;
  next(reader);
  if (!to_supply) cap *= reader->options.coupling_factor;
  if (a != NO_NODE) reader->net.caps.at[a] += cap;
  if (b != NO_NODE) reader->net.caps.at[b] += cap;
  if (a != NO_NODE && b != NO_NODE) count_unused(reader, UNUSED_SELF_COUPLING);
  reader->result.coupling++;
  return OK;
}

static Status read_cap(Reader *reader)
{
  double cap;
  next(reader);
  if (!is_name(reader)) return unexpected(reader, "a node");
  reader->far.length = 0;
  uint32_t a = read_node(reader);
  if (reader->lex.word != WORD_NAME || !spef_value(&reader->lex, reader->options.triple, &cap))
    return read_coupling(reader, a);
  if (a == NO_NODE) a = spef_net_node(&reader->net, reader->word.at, (uint32_t)reader->word.len);
  sum_cap(reader, cap);
  if (take_quantity(reader, UNIT_C, &cap) != OK) return FAILED;
  reader->net.caps.at[a] += cap;
  next(reader);
  return OK;
}

static Status read_caps(Reader *reader)
{
  reader->far.length = 0;
  next(reader);
  while (at_element(reader)) {
    if (read_cap(reader)) return FAILED;
    if (at_keyword(reader, "*SC")) skip_sensitivity(reader);
  }
  return reader->lex.word == WORD_KEYWORD
             ? OK
             : bad_capacitor(reader, "a capacitor's number or the next section");
}

static Status read_res(Reader *reader)
{
  double resistance;
  uint32_t node[2];
  next(reader);
  for (int i = 0; i < 2; i++) {
    if (!is_name(reader)) return unexpected(reader, "a node");
    node[i] = spef_net_node(&reader->net, reader->lex.text, reader->lex.length);
    next(reader);
  }
  if (reader->lex.word != WORD_NAME
      || !spef_value(&reader->lex, reader->options.triple, &resistance))
    return unexpected(reader, "a resistance");
  if (take_quantity(reader, UNIT_R, &resistance) != OK) return FAILED;
  if (node[0] == node[1]) count_unused(reader, UNUSED_SELF_RESISTOR);
  else array_push(&reader->net.edges, (RcEdge){ node[0], node[1], (float)resistance });
  next(reader);
  return OK;
}

static Status read_resistors(Reader *reader)
{
  next(reader);
  while (at_element(reader)) {
    if (read_res(reader)) return FAILED;
    if (at_keyword(reader, "*SC")) skip_sensitivity(reader);
  }
  return reader->lex.word == WORD_KEYWORD
             ? OK
             : unexpected(reader, "a resistor's number or the next section");
}

/* --- *D_NET ----------------------------------------------------------------------------------- */

#define TOTAL "the net's total capacitance"

static uint32_t piece_flags(const Reader *reader)
{
  return reader->options.pin_cap_included ? PIECE_INPUTS_INCLUDED | PIECE_OUTPUTS_INCLUDED
                                          : reader->flow_flags;
}

/* The numbers of the net that was read. */
static PieceNumbers numbers_of(double total) { return (PieceNumbers){ (float)total }; }

/* The sums of real files agree to the last digit.  A total of 0 says nothing about the sum.
   Neither does a total that may include pins (PIN_CAP, by the standard). */
static void check_total(Reader *reader, double total, double sum)
{
  static const double tolerance = 0.01;
  double larger = total > sum ? total : sum;
  if (total == 0 || piece_flags(reader) || fabs(total - sum) <= tolerance * larger) return;
  if (reader->mismatch.count++) return;
  reader->mismatch.line = reader->net_line;
  reader->mismatch.total = total;
  reader->mismatch.sum = sum;
  text_clear(&reader->mismatch.name);
  text_add(&reader->mismatch.name, reader->net_name.at,
           (uint32_t)spef_shown((uint32_t)reader->net_name.len));
}

/* If a net is read again, it loses loads of ports that the file does not give again, here or in
   *PORTS.  The file of a block describes only the part inside the block. */
static void forget_port_loads(Reader *reader, SegId seg)
{
  if (reader->options.scope != TOP_INST) return;
  NetPins it = net_pins(reader->n, reader->n->segs.at[seg].net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;)
    if (pin_is_top_port(reader->n, p)) array_push(&reader->port_loads, (RcPortLoad){ p, NAN });
}

/* Name and total of a net, at the name; *seg NO_SEG when the design has no such net. */
static Status begin_net(Reader *reader, SegId *seg, double *total)
{
  reader->cap_sum = 0;
  reader->cap_count = 0;
  reader->net_line = reader->lex.line;
  text_clear(&reader->net_name);
  if (!is_name(reader)) return unexpected(reader, "the name of a net");
  *seg = find_net(reader);
  if (*seg != NO_SEG) {
    if (reader->seen[*seg >> 3] & 1 << (*seg & 7))
      log_warning(reader->lex.log, "SPEF-028", spef_where(&reader->lex),
                  "net %s stands in the file twice; the last one counts",
                  shown_name(reader, reader->lex.text, reader->lex.length));
    reader->seen[*seg >> 3] |= (uint8_t)(1 << (*seg & 7));
    forget_port_loads(reader, *seg);
    spef_net_begin(&reader->net, *seg, reader->lex.text, reader->lex.length);
  }
  if (*seg == NO_SEG) keep_word(reader, &reader->net_name);
  else text_add(&reader->net_name, reader->net.plain.at, reader->net.plain.len);
  next(reader);
  if (*seg == NO_SEG ? read_value(reader, total, TOTAL)
                     : read_quantity(reader, UNIT_C, total, TOTAL))
    return FAILED;
  if (at_keyword(reader, "*V")) {
    count_unused(reader, UNUSED_CONFIDENCE);
    next(reader);
    skip_words(reader);
  }
  return OK;
}

static bool begins_net(const Reader *reader)
{
  return at_keyword(reader, "*D_NET") || at_keyword(reader, "*R_NET")
         || at_keyword(reader, "*D_PNET") || at_keyword(reader, "*R_PNET");
}

/* Skips to *END. */
static Status skip_net(Reader *reader)
{
  while (!at_keyword(reader, "*END")) {
    if (reader->lex.word == WORD_END || begins_net(reader)) return unexpected(reader, "*END");
    next(reader);
  }
  text_clear(&reader->net_name);
  next(reader);
  return OK;
}

/* One section of a net, at its keyword. */
static Status read_section(Reader *reader)
{
  if (at_keyword(reader, "*CONN")) return read_conn(reader);
  if (at_keyword(reader, "*RES")) return read_resistors(reader);
  if (at_keyword(reader, "*CAP")) return read_caps(reader);
  if (reader->lex.word != WORD_KEYWORD || begins_net(reader))
    return unexpected(reader, "a section of the net or *END");
  if (at_keyword(reader, "*INDUC")) count_unused(reader, UNUSED_INDUCTANCE);
  else tell_of_keyword(reader);
  next(reader);
  skip_words(reader);
  return OK;
}

static void tell_of_net(Reader *reader, SpefNetResult net)
{
  Log *log = reader->lex.log;
  int shown = spef_shown((uint32_t)reader->net_name.len);
  const char *name = text_get(&reader->net_name);
  reader->result.loops += net.loops;
  reader->result.islands += net.islands;
  reader->result.lumped += net.lumped;
  reader->result.no_driver += net.no_driver;
  Where where = net_where(reader);
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

static Status read_d_net(Reader *reader)
{
  SegId seg;
  double total;
  next(reader);
  if (begin_net(reader, &seg, &total)) return FAILED;
  if (seg == NO_SEG) return skip_net(reader);
  while (!at_keyword(reader, "*END"))
    if (read_section(reader)) return FAILED;
  tell_of_net(reader, spef_net_end(&reader->net, reader->parasitics, numbers_of(total),
                                   reader->cap_count > 0, piece_flags(reader)));
  if (reader->cap_count) check_total(reader, total, reader->cap_sum);
  text_clear(&reader->net_name);
  next(reader);
  return OK;
}

/* --- *R_NET ----------------------------------------------------------------------------------- */

/* "*RC u2:A 12.5 *Q ... *K ..." */
static Status read_load(Reader *reader)
{
  double elmore;
  next(reader);
  if (!is_name(reader)) return unexpected(reader, "a load pin");
  PinId pin = find_pin(reader);
  next(reader);
  if (read_quantity(reader, UNIT_T, &elmore, "an Elmore delay")) return FAILED;
  if (pin != NO_PIN) array_push(&reader->elmores, (RcElmore){ pin, (float)elmore });
  if (pin != NO_PIN && pin_is_hierarchical(reader->n, pin))
    count_unused(reader, UNUSED_BLOCK_DELAY);
  while (at_keyword(reader, "*Q") || at_keyword(reader, "*K")) {
    count_unused(reader, reader->lex.text[1] == 'Q' ? UNUSED_POLES : UNUSED_RESIDUES);
    next(reader);
    skip_words(reader);
  }
  return OK;
}

/* "*C2_R1_C1 c2 r1 c1", at the keyword */
static Status read_pi(Reader *reader, RcReduced *reduced)
{
  double c2, r1, c1;
  if (!at_keyword(reader, "*C2_R1_C1")) return unexpected(reader, "*C2_R1_C1");
  next(reader);
  if (read_quantity(reader, UNIT_C, &c2, "a capacitance")
      || read_quantity(reader, UNIT_R, &r1, "a resistance")
      || read_quantity(reader, UNIT_C, &c1, "a capacitance"))
    return FAILED;
  reduced->c_near = (float)c2;
  reduced->r_pi = (float)r1;
  reduced->c_far = (float)c1;
  return OK;
}

/* "*DRIVER pin *CELL type *C2_R1_C1 ... *LOADS *RC ...", at *DRIVER */
static Status read_driver(Reader *reader, RcReduced *reduced)
{
  next(reader);
  if (!is_name(reader)) return unexpected(reader, "the driver pin");
  reduced->driver = find_pin(reader);
  next(reader);
  if (at_keyword(reader, "*CELL")) {
    count_unused(reader, UNUSED_DRIVER_CELL);
    next(reader);
    skip_words(reader);
  }
  if (read_pi(reader, reduced)) return FAILED;
  array_clear(&reader->elmores);
  if (!at_keyword(reader, "*LOADS")) return OK;
  next(reader);
  while (at_keyword(reader, "*RC"))
    if (read_load(reader)) return FAILED;
  return OK;
}

/* The pi model as a tree, so that a reduced net can be treated like any other: drivers near, loads
   far. */
static void append_pi(Reader *reader, SegId seg, const RcReduced *first, double total)
{
  SpefNet *net = &reader->net;
  RcNode nodes[2] = { { NO_NODE, 0, first->c_near }, { 0, first->r_pi, first->c_far } };
  array_clear(&net->taps);
  if (first->driver != NO_PIN) array_push(&net->taps, (RcTap){ first->driver, 0 });
  for (uint32_t i = 0; i < reader->elmores.len; i++)
    if (reader->elmores.at[i].pin != first->driver)
      array_push(&net->taps, (RcTap){ reader->elmores.at[i].pin, 1 });
  parasitics_append(reader->parasitics, reader->n, seg, nodes, 2, net->taps.at, net->taps.len,
                    piece_flags(reader) | PIECE_REDUCED, numbers_of(total));
}

static Status read_r_net(Reader *reader)
{
  SegId seg;
  double total;
  bool first = true;
  next(reader);
  if (begin_net(reader, &seg, &total)) return FAILED;
  if (seg == NO_SEG) return skip_net(reader);
  while (at_keyword(reader, "*DRIVER")) {
    RcReduced reduced = { 0 };
    if (read_driver(reader, &reduced)) return FAILED;
    if (first) append_pi(reader, seg, &reduced, total);
    if (first) check_total(reader, total, reduced.c_near + reduced.c_far);
    if (reduced.driver != NO_PIN)
      parasitics_append_reduced(reader->parasitics, reduced, reader->elmores.at,
                                reader->elmores.len);
    else tell_of_net(reader, (SpefNetResult){ .no_driver = true });
    first = false;
  }
  if (!at_keyword(reader, "*END")) return unexpected(reader, "*DRIVER or *END");
  if (first)
    tell_of_net(reader, spef_net_end(&reader->net, reader->parasitics, numbers_of(total), false,
                                     piece_flags(reader)));
  text_clear(&reader->net_name);
  next(reader);
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

static int find_top_keyword(const Reader *reader)
{
  for (int i = 0; i < TOP_KEYWORDS; i++)
    if (spef_is(&reader->lex, top_keywords[i].keyword)) return i;
  return -1;
}

/* A section that is read over, at its keyword, with the attributes of ports in it. */
static void skip_section(Reader *reader)
{
  next(reader);
  while (reader->lex.word != WORD_END
         && (reader->lex.word != WORD_KEYWORD || find_top_keyword(reader) < 0))
    next(reader);
}

/* "*GROUND_NETS VSS *7": reads the names of supply nets.  The coupling factor does not apply to
   coupling to them. */
static Status read_supplies(Reader *reader)
{
  for (next(reader); is_name(reader); next(reader)) {
    uint32_t length;
    const char *plain =
        spef_plain_name(&reader->names, reader->lex.text, reader->lex.length, &length);
    text_add(&reader->supplies, plain, length);
    text_char(&reader->supplies, '\0');
  }
  return reader->lex.word == WORD_KEYWORD || reader->lex.word == WORD_END
             ? OK
             : unexpected(reader, "the name of a net or the next section");
}

/* "*C 1 2", "*S 0.1 0.2 0.8", "*D BUF": no keyword stands before the next port's name. */
static void skip_port_attribute(Reader *reader)
{
  double value;
  bool is_cell = at_keyword(reader, "*D");
  count_attribute(reader);
  next(reader);
  if (is_cell && is_name(reader)) next(reader);
  while (!is_cell && reader->lex.word == WORD_NAME && spef_value(&reader->lex, 0, &value))
    next(reader);
}

/* "*L 0.05" of the port whose name is in reader->net_name, at the keyword. */
static Status read_listed_load(Reader *reader, PinId pin)
{
  float load;
  Where where = spef_where(&reader->lex);
  if (read_load_of_port(reader, &load)) return FAILED;
  if (pin != NO_PIN) keep_port_load(reader, pin, load);
  else
    log_warning(reader->lex.log, "SPEF-052", where,
                "port %s is not in the design; its load is left out",
                shown_name(reader, text_get(&reader->net_name), (uint32_t)reader->net_name.len));
  return OK;
}

/* "*PORTS", then "in I *C 1 2 *L 0.05" each: loads alone say something of delays. */
static Status read_ports(Reader *reader)
{
  PinId pin = NO_PIN;
  bool behind_name = false;
  count_unused(reader, UNUSED_PORT_LIST);
  next(reader);
  while (reader->lex.word != WORD_END
         && (reader->lex.word != WORD_KEYWORD || find_top_keyword(reader) < 0)) {
    if (at_keyword(reader, "*L")) {
      if (read_listed_load(reader, pin)) return FAILED;
      continue;
    }
    if (reader->lex.word == WORD_KEYWORD) {
      skip_port_attribute(reader);
      continue;
    }
    if (is_name(reader) && !behind_name) {
      pin = spef_find_port(&reader->names, reader->lex.text, reader->lex.length);
      keep_word(reader, &reader->net_name);
    }
    behind_name = !behind_name;      /* the direction follows */
    next(reader);
  }
  text_clear(&reader->net_name);
  return OK;
}

static void warn_of_units(Reader *reader)
{
  reader->header_done = true;
  for (int i = 0; reader->is_file && i < UNIT_L; i++)
    if (!reader->unit_given[i])
      log_warning(reader->lex.log, "SPEF-029", (Where){ reader->lex.in->path, 0, 0 },
                  "the header has no %s; it is taken as %s", unit_keyword[i], unit_default[i]);
}

static Status skip_text(Reader *reader)
{
  next(reader);
  if (reader->lex.word == WORD_KEYWORD || reader->lex.word == WORD_END)
    return unexpected(reader, "a text in quotes");
  skip_words(reader);
  return OK;
}

/* The word behind "PIN_CAP ": which library pins the capacitances of the file hold. */
static void take_pin_cap(Reader *reader, const char *word, uint32_t length)
{
  static const struct { const char *word; uint32_t flags; } known[] = {
    { "NONE", 0 }, { "INPUT_ONLY", PIECE_INPUTS_INCLUDED },
    { "INPUT_OUTPUT", PIECE_INPUTS_INCLUDED | PIECE_OUTPUTS_INCLUDED } };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (length != strlen(known[i].word) || strncasecmp(word, known[i].word, length) != 0) continue;
    reader->flow_flags = known[i].flags;
    if (known[i].flags == 0 && reader->options.pin_cap_included)
      log_warning(reader->lex.log, "SPEF-038", spef_where(&reader->lex),
                  "the header says PIN_CAP NONE; -pin_cap_included counts");
    return;
  }
  log_warning(reader->lex.log, "SPEF-037", spef_where(&reader->lex),
              "PIN_CAP %.*s: expected NONE, INPUT_ONLY or INPUT_OUTPUT; taken as NONE",
              spef_shown(length), word);
}

/* *DESIGN_FLOW "COUPLING C" "PIN_CAP NONE" ...: of what may stand there, that alone says something
   of the numbers. */
static Status read_flow(Reader *reader)
{
  static const char pin_cap[] = "PIN_CAP";
  enum { LENGTH = sizeof pin_cap - 1 };
  next(reader);
  if (reader->lex.word == WORD_KEYWORD || reader->lex.word == WORD_END)
    return unexpected(reader, "a text in quotes");
  for (; is_name(reader) || reader->lex.word == WORD_STRING; next(reader)) {
    const char *text = reader->lex.text;
    uint32_t at = LENGTH;
    if (reader->lex.length <= LENGTH || strncasecmp(text, pin_cap, LENGTH) != 0
        || !isspace((unsigned char)text[LENGTH])) {
      count_unused(reader, UNUSED_FLOW);
      continue;
    }
    while (at < reader->lex.length && isspace((unsigned char)text[at])) at++;
    take_pin_cap(reader, text + at, reader->lex.length - at);
  }
  return OK;
}

static Status skip_physical_net(Reader *reader)
{
  count_unused(reader, UNUSED_PHYSICAL_NET);
  reader->net_line = reader->lex.line;
  next(reader);
  keep_word(reader, &reader->net_name);
  return skip_net(reader);
}

static Status read_top(Reader *reader)
{
  int at = reader->lex.word == WORD_KEYWORD ? find_top_keyword(reader) : -1;
  if (at < 0 && reader->lex.word != WORD_KEYWORD)
    return unexpected(reader, "a keyword such as *D_NET");
  if (at < 0) {
    tell_of_keyword(reader);
    skip_section(reader);
    return OK;
  }
  if (!reader->header_done
      && (top_keywords[at].kind == TOP_D_NET || top_keywords[at].kind == TOP_R_NET))
    warn_of_units(reader);
  switch (top_keywords[at].kind) {
    case TOP_D_NET: return read_d_net(reader);
    case TOP_R_NET: return read_r_net(reader);
    case TOP_P_NET: return skip_physical_net(reader);
    case TOP_TEXT:
      count_unused(reader, top_keywords[at].detail);
      return skip_text(reader);
    case TOP_SUPPLY:
      count_unused(reader, top_keywords[at].detail);
      return read_supplies(reader);
    case TOP_FLOW: return read_flow(reader);
    case TOP_PORTS: return read_ports(reader);
    case TOP_DIVIDER:
      return read_character(reader, "/.|:", &reader->names.divider,
                            "a hierarchy divider: / . | or :");
    case TOP_DELIMITER:
      return read_character(reader, "/.|:", &reader->names.delimiter,
                            "a pin delimiter: / . | or :");
    case TOP_BUS: return read_bus_delimiter(reader);
    case TOP_UNIT:
      if (top_keywords[at].detail == UNIT_L) count_unused(reader, UNUSED_INDUCTANCE_UNIT);
      return read_unit(reader, (FileUnit)top_keywords[at].detail);
    case TOP_MAP: return read_name_map(reader);
    case TOP_SKIP:
      count_unused(reader, top_keywords[at].detail);
      skip_section(reader);
      return OK;
  }
  return OK;
}

/* "*SPEF "IEEE 1481-1998"" at the top of a file. */
static Status read_start(Reader *reader)
{
  next(reader);
  if (reader->lex.failed) return FAILED;
  if (at_keyword(reader, "*SPEF")) return skip_text(reader);
  if (!reader->is_file) return OK;
  return log_error(reader->lex.log, "SPEF-001", spef_where(&reader->lex),
                   "the file does not begin with *SPEF: this is no SPEF file");
}

enum { NETS_BETWEEN_POLLS = 1024 };

/* A file of this design matches in all but a few names.  Generated names (_123_) are the same in
   many designs, so nets alone do not tell. */
static Status check_matches(Reader *reader)
{
  const SpefRead *have = &reader->result;
  Where where = { reader->lex.in->path, 0, 0 };
  const char *hint =
      "this looks like another design's file, or like a block's that needs its instance (-path)";
  if (have->nets == 0) log_warning(reader->lex.log, "SPEF-031", where, "there are no nets in it");
  if ((uint64_t)have->matched * 10 < have->nets)
    return log_error(reader->lex.log, "SPEF-009", where, "%u of %u nets are in the design: %s",
                     have->matched, have->nets, hint);
  if (have->unmatched_pins > reader->pins / 2)
    return log_error(reader->lex.log, "SPEF-010", where,
                     "%u of %u pins are on their nets in the design: %s",
                     reader->pins - have->unmatched_pins, reader->pins, hint);
  return OK;
}

static Status read_all(Reader *reader)
{
  if (read_start(reader)) return FAILED;
  while (reader->lex.word != WORD_END) {
    if (read_top(reader)) return FAILED;
    if (reader->result.nets % NETS_BETWEEN_POLLS == 0 && interrupt_seen())
      return log_error(reader->lex.log, "SPEF-012", spef_where(&reader->lex),
                       "interrupted; the parasitics are as they were before");
  }
  return reader->lex.failed ? FAILED : check_matches(reader);
}

/* --- what remains of a read ------------------------------------------------------------------- */

static void add_unused(Parasitics *parasitics, const char *construct, uint32_t count)
{
  for (uint32_t i = 0; i < parasitics->unused.len; i++) {
    if (parasitics->unused.at[i].construct != construct) continue;
    parasitics->unused.at[i].count += count;
    return;
  }
  array_push(&parasitics->unused, (SpefUnused){ construct, count });
}

static void tell_of_totals(Reader *reader)
{
  const TotalMismatch *mismatch = &reader->mismatch;
  if (mismatch->count == 0) return;
  log_warning(reader->lex.log, "SPEF-051", (Where){ reader->lex.in->path, mismatch->line, 0 },
              "%u net(s) have a total that is not the sum of their capacitors, which count; "
              "the first is %s: %g fF and %g fF",
              mismatch->count, text_get(&mismatch->name), mismatch->total, mismatch->sum);
}

static void keep_unused(Reader *reader)
{
  for (int i = 0; i < UNUSED_KINDS; i++) {
    if (reader->unused[i] == 0) continue;
    add_unused(reader->parasitics, unused_text[i], reader->unused[i]);
    if (worth_a_warning(i))
      log_warning(
          reader->lex.log, "SPEF-030", (Where){ reader->lex.in->path, reader->unused_line[i], 0 },
          "not used: %s, %u in the file, the first here", unused_text[i], reader->unused[i]);
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
static void put_port_loads(Reader *reader)
{
  const RcPortLoad *load = reader->port_loads.at, *end = load + reader->port_loads.len;
  for (const RcPortLoad *port_load = load; port_load < end; port_load++)
    if (isnan(port_load->cap)
        && (!reader->is_file || parasitics_has_port_load(reader->parasitics, port_load->port)))
      parasitics_put_port_load(reader->parasitics, port_load->port, 0);
  for (const RcPortLoad *port_load = load; port_load < end; port_load++)
    if (!isnan(port_load->cap))
      parasitics_put_port_load(reader->parasitics, port_load->port, port_load->cap);
}

static void init_reader(Reader *reader, Parasitics *parasitics, const Netlist *n,
                        const SpefOptions *options, Log *log)
{
  memset(reader, 0, sizeof *reader);
  reader->options = options ? *options : spef_options();
  reader->parasitics = parasitics;
  reader->n = n;
  reader->lex.log = log;
  reader->scale[UNIT_T] = 1e3;
  reader->scale[UNIT_C] = 1e3;
  reader->scale[UNIT_R] = 1e-3;
  reader->scale[UNIT_L] = 1;
  reader->seen = mem_alloc_zero(n->segs.len / 8 + 1, 1);
  spef_names_init(&reader->names, n, reader->options.scope);
  spef_net_init(&reader->net, &reader->names);
}

static void free_reader(Reader *reader)
{
  spef_net_free(&reader->net);
  spef_names_free(&reader->names);
  array_free(&reader->elmores);
  array_free(&reader->port_loads);
  text_free(&reader->word);
  text_free(&reader->net_name);
  text_free(&reader->mismatch.name);
  text_free(&reader->supplies);
  mem_free(reader->seen);
}

static Status read_input(Reader *reader, Input *in, SpefRead *result)
{
  if (in == NULL) return FAILED;
  ParasiticsMark mark = parasitics_begin(reader->parasitics);
  reader->lex.in = in;
  Status status = read_all(reader);
  if (status == OK) {
    spef_tell_of_replaced(reader->n, parasitics_commit(reader->parasitics, reader->n, &mark),
                          in->path, reader->lex.log);
    put_port_loads(reader);
    keep_unused(reader);
    tell_of_totals(reader);
    reader->result.spread = reader->lex.spread;
    reader->result.file = names_add_text(reader->n->names, in->path);
    array_push(&reader->parasitics->reads, reader->result);
    if (result) *result = reader->result;
  } else {
    parasitics_rollback(reader->parasitics, &mark);
  }
  input_close(in);
  return status;
}

Status read_spef(Parasitics *parasitics, const Netlist *n, const char *path,
                 const SpefOptions *options, Log *log, SpefRead *result)
{
  Reader r;
  init_reader(&r, parasitics, n, options, log);
  r.is_file = true;
  Status status = read_input(&r, input_open(path, log), result);
  free_reader(&r);
  return status;
}

Status read_spef_text(Parasitics *parasitics, const Netlist *n, const char *name, const char *text,
                      const SpefOptions *options, Log *log, SpefRead *result)
{
  Reader r;
  init_reader(&r, parasitics, n, options, log);
  Status status = read_input(&r, input_open_text(name, text, log), result);
  free_reader(&r);
  return status;
}
