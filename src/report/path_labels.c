/* A cache of pin labels. Prefetching follows the chain slot, pin, instance, name for many slots at
   once. */
#include "report/path_labels.h"

#include "base/expect.h"
#include "base/memory.h"
#include "report/path_report_private.h"

enum { MOST_TEXT = 1 << 22 };

static void forget(PathLabels *labels)
{
  for (uint32_t i = 0; i < 1u << labels->bits; i++) labels->slots[i].pin = NO_PIN;
  text_clear(&labels->texts);
}

static bool is_plain(const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (text[i] == '"' || text[i] == '\\' || (unsigned char)text[i] < 0x20) return false;
  return true;
}

static inline uint32_t place_of(const PathLabels *labels, PinId pin)
{
  return (pin * 2654435761u) >> (32 - labels->bits);
}

static void make_room(PathLabels *labels)
{
  if (labels->slots == NULL) labels->slots = mem_alloc(sizeof *labels->slots << labels->bits);
  if (labels->texts.at == NULL || labels->texts.len > MOST_TEXT) forget(labels);
}

/* A name is at the end of a chain of look-ups: slot, pin, instance, name, record.  Each loop does
   one look-up for all points. */
void path_labels_expect(PathLabels *labels, const Timing *t, const Slot *slots, uint32_t count)
{
  const Netlist *n = t->g->netlist;
  PinId pins[EXPECT_MOST];
  NameId names[EXPECT_MOST];
  uint32_t left = 0;
  make_room(labels);
  for (uint32_t i = 0; i < count && i < EXPECT_MOST; i++) pins[i] = t->g->slots.pin[slots[i]];
  for (uint32_t i = 0; i < count && i < EXPECT_MOST; i++) {
    if (labels->slots[place_of(labels, pins[i])].pin == pins[i]) continue;
    mem_expect(&n->pins.at[pins[i]]);
    pins[left++] = pins[i];
  }
  for (uint32_t i = 0; i < left; i++) mem_expect(&n->insts.at[n->pins.at[pins[i]].inst]);
  for (uint32_t i = 0; i < left; i++) names[i] = n->insts.at[n->pins.at[pins[i]].inst].name;
  for (uint32_t i = 0; i < left; i++) mem_expect(names_text(n->names, names[i]));
}

PathLabel path_label(PathLabels *labels, const Timing *t, Slot slot, char separator)
{
  const Netlist *n = t->g->netlist;
  PinId pin = t->g->slots.pin[slot];
  make_room(labels);
  uint32_t i = place_of(labels, pin);
  if (labels->slots[i].pin != pin) {
    uint32_t at = (uint32_t)labels->texts.len;
    netlist_pin_name(n, pin, separator, &labels->texts);
    uint32_t name = (uint32_t)labels->texts.len - at;
    text_add(&labels->texts, " (", 2);
    text_put(&labels->texts, path_pin_kind(t, slot));
    text_char(&labels->texts, ')');
    uint32_t whole = (uint32_t)labels->texts.len - at;
    labels->slots[i].pin = pin;
    labels->slots[i].at = at;
    labels->slots[i].name = name;
    labels->slots[i].whole = whole;
    labels->slots[i].plain = is_plain(labels->texts.at + at, whole);
  }
  return (PathLabel){ labels->texts.at + labels->slots[i].at, labels->slots[i].name,
                      labels->slots[i].whole, labels->slots[i].name + 2, labels->slots[i].plain };
}

void path_labels_free(PathLabels *labels)
{
  mem_free(labels->slots);
  text_free(&labels->texts);
}
