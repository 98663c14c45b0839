/* A cache of pin labels. Prefetching follows the chain slot, pin, instance, name for many slots at
   once. */
#include "report/path_labels.h"

#include "base/expect.h"
#include "base/memory.h"
#include "report/path_report_private.h"

enum { MOST_TEXT = 1 << 22 };

static void forget(PathLabels *l)
{
  for (uint32_t i = 0; i < 1u << l->bits; i++) l->slots[i].pin = NO_PIN;
  text_clear(&l->texts);
}

static bool is_plain(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (text[i] == '"' || text[i] == '\\' || (unsigned char)text[i] < 0x20) return false;
  return true;
}

static inline uint32_t place_of(const PathLabels *l, PinId pin)
{
  return (pin * 2654435761u) >> (32 - l->bits);
}

static void make_room(PathLabels *l)
{
  if (l->slots == NULL) l->slots = mem_alloc(sizeof *l->slots << l->bits);
  if (l->texts.at == NULL || l->texts.len > MOST_TEXT) forget(l);
}

/* A name is at the end of a chain of look-ups: slot, pin, instance, name, record.  Each loop does
   one look-up for all points. */
void path_labels_expect(PathLabels *l, const Timing *t, const Slot *slots, uint32_t count)
{
  const Netlist *n = t->g->netlist;
  PinId pins[EXPECT_MOST];
  NameId names[EXPECT_MOST];
  uint32_t left = 0;
  make_room(l);
  for (uint32_t i = 0; i < count && i < EXPECT_MOST; i++) pins[i] = t->g->slots.pin[slots[i]];
  for (uint32_t i = 0; i < count && i < EXPECT_MOST; i++) {
    if (l->slots[place_of(l, pins[i])].pin == pins[i]) continue;
    mem_expect(&n->pins.at[pins[i]]);
    pins[left++] = pins[i];
  }
  for (uint32_t i = 0; i < left; i++) mem_expect(&n->insts.at[n->pins.at[pins[i]].inst]);
  for (uint32_t i = 0; i < left; i++) names[i] = n->insts.at[n->pins.at[pins[i]].inst].name;
  for (uint32_t i = 0; i < left; i++) mem_expect(names_text(n->names, names[i]));
}

PathLabel path_label(PathLabels *l, const Timing *t, Slot slot, char separator)
{
  const Netlist *n = t->g->netlist;
  PinId pin = t->g->slots.pin[slot];
  make_room(l);
  uint32_t i = place_of(l, pin);
  if (l->slots[i].pin != pin) {
    uint32_t at = (uint32_t)l->texts.len;
    netlist_pin_name(n, pin, separator, &l->texts);
    uint32_t name = (uint32_t)l->texts.len - at;
    text_add(&l->texts, " (", 2);
    text_put(&l->texts, path_pin_kind(t, slot));
    text_char(&l->texts, ')');
    uint32_t whole = (uint32_t)l->texts.len - at;
    l->slots[i].pin = pin;
    l->slots[i].at = at;
    l->slots[i].name = name;
    l->slots[i].whole = whole;
    l->slots[i].plain = is_plain(l->texts.at + at, whole);
  }
  return (PathLabel){ l->texts.at + l->slots[i].at, l->slots[i].name, l->slots[i].whole,
                      l->slots[i].name + 2, l->slots[i].plain };
}

void path_labels_free(PathLabels *l)
{
  mem_free(l->slots);
  text_free(&l->texts);
}
