/* Reads the pins of the nets of a DEF file. The rest of a net is kept as text. */
#include "read/def/def_private.h"

static void note_unknown(DefReader *reader, NameId name)
{
  if (reader->result.unknown_components++ == 0) reader->result.first_unknown = name;
}

static void note_unknown_port(DefReader *reader, NameId name)
{
  if (reader->result.unknown_ports++ == 0) reader->result.first_unknown_port = name;
}

/* In small letters the keyword may also be the name of a component. */
static bool is_keyword_pin(const DefReader *reader)
{
  const Words *words = &reader->w;
  if (!words_is(words, "PIN")) return false;
  if (memcmp(words->word, "PIN", 3) == 0) return true;
  NameId name = names_find(reader->placement->names, words->word, words->length);
  return name == NO_NAME || placement_component_named(reader->placement, name) == NO_COMPONENT;
}

/* "( * VDD )" is a pin of all components: it stays in the text. */
static Status read_pin(DefReader *reader)
{
  Words *words = &reader->w;
  PlacedPin pin = { NO_COMPONENT, NO_PLACED_PORT };
  NameId owner;
  words_next(words);
  bool port = is_keyword_pin(reader), all = words_is_char(words, '*');
  if (port || all) words_next(words);
  else if (def_own_name(reader, &owner, "the name of a component, or PIN") != OK) return FAILED;
  if (port) {
    if (def_own_name(reader, &owner, "the name of a port") != OK) return FAILED;
    pin.pin = placement_port_named(reader->placement, owner);
    if (pin.pin == NO_PLACED_PORT) note_unknown_port(reader, owner);
  } else if (def_shared_name(reader, &pin.pin, "the name of a pin") != OK) {
    return FAILED;
  }
  if (!port && !all) {
    pin.component = placement_component_named(reader->placement, owner);
    if (pin.component == NO_COMPONENT) note_unknown(reader, owner);
    if (pin.component == NO_COMPONENT) pin.pin = NO_PLACED_PORT;
  }
  if (!all) array_push(&reader->placement->pins, pin);
  if (words_is_char(words, '+')) words_next(words), words_next(words);       /* + SYNTHESIZED */
  return words_expect(words, ")");
}

/* Behind the pins, up to the ;. */
static void read_rest(DefReader *reader, PlacedNet *net)
{
  Words *words = &reader->w;
  net->text.at = def_offset(reader);
  for (; words->kind != WORDS_END && !words_is_char(words, ';'); words_next(words)) {
    if (!words_is_char(words, '+')) continue;
    words_next(words);
    if (words_is(words, "ROUTED") || words_is(words, "FIXED") || words_is(words, "COVER"))
      net->routed = true;
    if (!words_is(words, "USE")) continue;
    words_next(words);
    net->use = (uint8_t)def_use(reader);
  }
  net->text.length = def_offset(reader) - net->text.at;
}

static Status read_net(DefReader *reader, bool special)
{
  PlacedNet net = {
    .net = NO_NET, .first_pin = reader->placement->pins.len, .use = USE_SIGNAL, .special = special
  };
  if (def_own_name(reader, &net.name, "the name of a net") != OK) return FAILED;
  while (words_is_char(&reader->w, '('))
    if (read_pin(reader) != OK) return FAILED;
  net.pin_count = reader->placement->pins.len - net.first_pin;
  read_rest(reader, &net);
  array_push(&reader->placement->nets, net);
  return words_expect(&reader->w, ";");
}

static Status read_plain(DefReader *reader) { return read_net(reader, false); }
static Status read_special(DefReader *reader) { return read_net(reader, true); }

Status def_nets(DefReader *reader, bool special)
{
  return special ? def_section(reader, "SPECIALNETS", read_special)
                 : def_section(reader, "NETS", read_plain);
}
