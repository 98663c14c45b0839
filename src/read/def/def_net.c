/* Reads the pins of the nets of a DEF file. The rest of a net is kept as text. */
#include "read/def/def_private.h"

static void note_unknown(DefReader *r, NameId name)
{
  if (r->result.unknown_components++ == 0) r->result.first_unknown = name;
}

static void note_unknown_port(DefReader *r, NameId name)
{
  if (r->result.unknown_ports++ == 0) r->result.first_unknown_port = name;
}

/* In small letters the keyword may also be the name of a component. */
static bool is_keyword_pin(const DefReader *r)
{
  const Words *w = &r->w;
  if (!words_is(w, "PIN")) return false;
  if (memcmp(w->word, "PIN", 3) == 0) return true;
  NameId name = names_find(r->p->names, w->word, w->length);
  return name == NO_NAME || placement_component_named(r->p, name) == NO_COMPONENT;
}

/* "( * VDD )" is a pin of all components: it stays in the text. */
static Status read_pin(DefReader *r)
{
  Words *w = &r->w;
  PlacedPin pin = { NO_COMPONENT, NO_PLACED_PORT };
  NameId owner;
  words_next(w);
  bool port = is_keyword_pin(r), all = words_is_char(w, '*');
  if (port || all) words_next(w);
  else if (def_own_name(r, &owner, "the name of a component, or PIN") != OK) return FAILED;
  if (port) {
    if (def_own_name(r, &owner, "the name of a port") != OK) return FAILED;
    pin.pin = placement_port_named(r->p, owner);
    if (pin.pin == NO_PLACED_PORT) note_unknown_port(r, owner);
  } else if (def_shared_name(r, &pin.pin, "the name of a pin") != OK) {
    return FAILED;
  }
  if (!port && !all) {
    pin.component = placement_component_named(r->p, owner);
    if (pin.component == NO_COMPONENT) note_unknown(r, owner);
    if (pin.component == NO_COMPONENT) pin.pin = NO_PLACED_PORT;
  }
  if (!all) array_push(&r->p->pins, pin);
  if (words_is_char(w, '+')) words_next(w), words_next(w);       /* + SYNTHESIZED */
  return words_expect(w, ")");
}

/* Behind the pins, up to the ;. */
static void read_rest(DefReader *r, PlacedNet *net)
{
  Words *w = &r->w;
  net->text.at = def_offset(r);
  for (; w->kind != WORDS_END && !words_is_char(w, ';'); words_next(w)) {
    if (!words_is_char(w, '+')) continue;
    words_next(w);
    if (words_is(w, "ROUTED") || words_is(w, "FIXED") || words_is(w, "COVER")) net->routed = true;
    if (!words_is(w, "USE")) continue;
    words_next(w);
    net->use = (uint8_t)def_use(r);
  }
  net->text.length = def_offset(r) - net->text.at;
}

static Status read_net(DefReader *r, bool special)
{
  PlacedNet net = { .net = NO_NET, .first_pin = r->p->pins.len, .use = USE_SIGNAL,
                    .special = special };
  if (def_own_name(r, &net.name, "the name of a net") != OK) return FAILED;
  while (words_is_char(&r->w, '('))
    if (read_pin(r) != OK) return FAILED;
  net.pin_count = r->p->pins.len - net.first_pin;
  read_rest(r, &net);
  array_push(&r->p->nets, net);
  return words_expect(&r->w, ";");
}

static Status read_plain(DefReader *r) { return read_net(r, false); }
static Status read_special(DefReader *r) { return read_net(r, true); }

Status def_nets(DefReader *r, bool special)
{
  return special ? def_section(r, "SPECIALNETS", read_special)
                 : def_section(r, "NETS", read_plain);
}
