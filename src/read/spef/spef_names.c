/* Looks up names of SPEF in the netlist: the name map, spelling of buses and escapes, and the pins
   of a net together. */
#include <ctype.h>

#include "base/expect.h"
#include "read/spef/spef_private.h"

/* The netlist's names are written with this separator here, whatever the file has. */
enum { SEPARATOR = '/' };

void spef_names_init(SpefNames *names, const Netlist *n, InstId scope)
{
  memset(names, 0, sizeof *names);
  names->n = n;
  names->scope = scope;
  names->divider = '/';
  names->delimiter = ':';
  names->bus_open = '[';
  names->bus_close = ']';
  names->texts = arena_new();
  names->ports = mem_alloc_zero(PORT_CACHE, sizeof *names->ports);
}

void spef_names_free(SpefNames *names)
{
  for (uint32_t i = 0; i < names->page_count; i++) mem_free(names->pages[i]);
  mem_free(names->pages);
  arena_free(names->texts);
  text_free(&names->path);
  text_free(&names->expanded);
  text_free(&names->split);
  mem_free(names->ports);
}

/* --- the map ---------------------------------------------------------------------------------- */

/* Pages, since indexes are dense in real files, but a file may begin them anywhere. */
static MapEntry *page_for(SpefNames *names, uint32_t index)
{
  uint32_t page = index >> PAGE_BITS;
  if (page >= names->page_count) {
    uint32_t count = page + page / 2 + 16;
    names->pages = mem_resize(names->pages, count * sizeof *names->pages);
    memset(names->pages + names->page_count, 0, (count - names->page_count) * sizeof *names->pages);
    names->page_count = count;
  }
  if (names->pages[page] == NULL)
    names->pages[page] = mem_alloc_zero(1u << PAGE_BITS, sizeof(MapEntry));
  return names->pages[page];
}

bool spef_map_set(SpefNames *names, uint32_t index, const char *text, uint32_t length)
{
  MapEntry *entry = &page_for(names, index)[index & ((1u << PAGE_BITS) - 1)];
  bool same =
      entry->text == NULL || (entry->length == length && memcmp(entry->text, text, length) == 0);
  *entry =
      (MapEntry){ arena_text(names->texts, text, length), length, NOT_LOOKED_UP, NOT_LOOKED_UP };
  return same;
}

MapEntry *spef_map_get(const SpefNames *names, uint32_t index)
{
  uint32_t page = index >> PAGE_BITS;
  if (page >= names->page_count || names->pages[page] == NULL) return NULL;
  MapEntry *entry = &names->pages[page][index & ((1u << PAGE_BITS) - 1)];
  return entry->text ? entry : NULL;
}

bool spef_index(const char *text, uint32_t length, uint32_t *index, uint32_t *end)
{
  uint64_t value = 0;
  uint32_t i = 1;
  for (; i < length && (unsigned)(text[i] - '0') < 10 && value <= UINT32_MAX; i++)
    value = value * 10 + (uint64_t)(text[i] - '0');
  *index = (uint32_t)value;
  *end = i;
  return length > 1 && text[0] == '*' && i > 1 && value < MAP_NO_VALUE;
}

void spef_pad(Text *text)
{
  static const char zeros[SPEF_PAD];
  size_t length = text->len;
  text_add(text, zeros, sizeof zeros);
  text->len = length;
}

/* --- spelling --------------------------------------------------------------------------------- */

uint32_t spef_split(const SpefNames *names, const char *text, uint32_t length)
{
  for (uint32_t i = length; i-- > 0;)
    if (text[i] == names->delimiter && (i == 0 || text[i - 1] != '\\')) return i;
  return length;
}

/* Bits of buses: "<3>" (or ":3" at the end) as "[3]".  Returns how much was taken, 0 when this is
   no bit. */
static uint32_t put_bit(SpefNames *names, const char *text, uint32_t length)
{
  uint32_t i = 1;
  while (i < length && isdigit((unsigned char)text[i])) i++;
  if (i == 1) return 0;
  uint32_t digits = i - 1;
  if (names->bus_close) {
    if (i == length || text[i] != names->bus_close) return 0;
    i++;
  } else if (i != length) {
    return 0;
  }
  text_char(&names->path, '[');
  text_add(&names->path, text + 1, digits);
  text_char(&names->path, ']');
  return i;
}

/* Without escapes, with the netlist's separator and brackets. */
static void put_plain(SpefNames *names, const char *text, uint32_t length)
{
  bool other_bus = names->bus_open != '[';
  for (uint32_t i = 0; i < length; i++) {
    uint32_t taken;
    if (text[i] == '\\' && i + 1 < length) text_char(&names->path, text[++i]);
    else if (other_bus && text[i] == names->bus_open
             && (taken = put_bit(names, text + i, length - i)))
      i += taken - 1;
    else text_char(&names->path, text[i] == names->divider ? SEPARATOR : text[i]);
  }
}

static bool is_plain(const SpefNames *names, const char *text, uint32_t length)
{
  return names->divider == SEPARATOR && names->bus_open == '['
         && memchr(text, '\\', length) == NULL;
}

/* Returns true if an index may stand there: at the start, or after a divider. */
static bool begins_part(const SpefNames *names, const char *text, uint32_t i)
{
  return i == 0 || (text[i - 1] == names->divider && (i < 2 || text[i - 2] != '\\'));
}

/* Indexes replaced by their names, at the front and behind dividers.  An unknown index stays. */
static const char *expand(SpefNames *names, const char *text, uint32_t *length)
{
  uint32_t index, end = 1;
  if (*length < 2 || memchr(text, '*', *length) == NULL) return text;
  text_clear(&names->expanded);
  for (uint32_t i = 0; i < *length; i += end) {
    const MapEntry *entry = NULL;
    bool is_index = text[i] == '*' && begins_part(names, text, i)
                    && spef_index(text + i, *length - i, &index, &end);
    if (!is_index) end = 1;
    else entry = spef_map_get(names, index);
    if (entry) text_add(&names->expanded, entry->text, entry->length);
    else text_add(&names->expanded, text + i, end);
  }
  *length = (uint32_t)names->expanded.len;
  return text_get(&names->expanded);
}

const char *spef_plain_name(SpefNames *names, const char *text, uint32_t length,
                            uint32_t *plain_length)
{
  text = expand(names, text, &length);
  text_clear(&names->path);
  if (is_plain(names, text, length)) text_add(&names->path, text, length);
  else put_plain(names, text, length);
  *plain_length = (uint32_t)names->path.len;
  return text_get(&names->path);
}

/* Two names are equal if they are equal without escapes, except escapes of dividers. */
static const char *parted_name(SpefNames *names, const char *text, uint32_t length)
{
  text = expand(names, text, &length);
  text_clear(&names->path);
  for (uint32_t i = 0; i < length; i++) {
    if (text[i] == '\\' && i + 1 < length && text[++i] == names->divider)
      text_char(&names->path, '\\');
    text_char(&names->path, text[i]);
  }
  return text_get(&names->path);
}

/* --- looking up ------------------------------------------------------------------------------- */

/* Returns the map's entry if the whole word is an index. */
static MapEntry *whole_entry(const SpefNames *names, const char *text, uint32_t length)
{
  uint32_t index, end;
  if (text[0] != '*' || !spef_index(text, length, &index, &end) || end != length) return NULL;
  return spef_map_get(names, index);
}

/* Returns true if it is the net after the last one.  Many files have the order of the netlist, and
   then no look-up is needed. */
static bool is_next_seg(const SpefNames *names, const char *plain, uint32_t length)
{
  const Netlist *n = names->n;
  if (names->next_seg >= n->segs.len) return false;
  const Seg *seg = &n->segs.at[names->next_seg];
  return seg->scope == names->scope && names_length(n->names, seg->name) == length
         && memcmp(names_text(n->names, seg->name), plain, length) == 0
         && !(n->nets.at[seg->net].flags & NET_DELETED);
}

static SegId look_up_seg(SpefNames *names, const char *text, uint32_t length)
{
  const Netlist *n = names->n;
  SegId exact = NO_SEG;
  if (n->shared_names)
    exact =
        netlist_find_seg_exactly(n, names->scope, parted_name(names, text, length), names->divider);
  if (exact != NO_SEG) return exact;
  uint32_t plain_length;
  const char *plain = spef_plain_name(names, text, length, &plain_length);
  SegId seg = is_next_seg(names, plain, plain_length) ? names->next_seg
            : netlist_find_seg(names->n, names->scope, plain, SEPARATOR);
  if (seg != NO_SEG) names->next_seg = seg + 1;
  return seg;
}

SegId spef_find_seg(SpefNames *names, const char *text, uint32_t length)
{
  MapEntry *entry = whole_entry(names, text, length);
  if (entry == NULL) return look_up_seg(names, text, length);
  if (entry->seg == NOT_LOOKED_UP) entry->seg = look_up_seg(names, entry->text, entry->length);
  return entry->seg;
}

static InstId look_up_inst(SpefNames *names, const char *text, uint32_t length)
{
  const Netlist *n = names->n;
  InstId exact = NO_INST;
  if (n->shared_names)
    exact = netlist_find_inst_exactly(n, names->scope, parted_name(names, text, length),
                                      names->divider);
  if (exact != NO_INST) return exact;
  uint32_t plain_length;
  const char *plain = spef_plain_name(names, text, length, &plain_length);
  return netlist_find_inst(names->n, names->scope, plain, SEPARATOR);
}

static InstId find_inst(SpefNames *names, const char *text, uint32_t length)
{
  MapEntry *entry = whole_entry(names, text, length);
  if (entry == NULL) return look_up_inst(names, text, length);
  if (entry->inst == NOT_LOOKED_UP) entry->inst = look_up_inst(names, entry->text, entry->length);
  return entry->inst;
}

static PinId look_up_port(SpefNames *names, InstId inst, const char *text, uint32_t length)
{
  uint32_t plain_length;
  const char *plain = spef_plain_name(names, text, length, &plain_length);
  NameId name = names_find(names->n->names, plain, plain_length);
  return name == NO_NAME ? NO_PIN : netlist_find_pin_of(names->n, inst, name);
}

/* A cached place is valid if the pin there has the instance and the port. */
static PinId cached_pin(const Netlist *n, const PortCache *cache, InstId inst)
{
  const Inst *cell = &n->insts.at[inst];
  if (cache->place >= cell->pin_count) return NO_PIN;
  PinId pin = cell->first_pin + cache->place;
  return n->pins.at[pin].inst == inst && n->pins.at[pin].port == cache->port ? pin : NO_PIN;
}

static void remember_port(PortCache *cache, const Netlist *n, const char *text, uint32_t length,
                          InstId inst, PinId pin)
{
  const Inst *cell = &n->insts.at[inst];
  memcpy(cache->text, text, length);
  cache->length = length;
  cache->master = cell->master;
  cache->hierarchical = cell->flags & INST_HIERARCHICAL;
  cache->place = pin - cell->first_pin;
  cache->port = n->pins.at[pin].port;
}

static PinId find_port_of(SpefNames *names, InstId inst, const char *text, uint32_t length)
{
  if (length > PORT_TEXT || length == 0) return look_up_port(names, inst, text, length);
  const Inst *cell = &names->n->insts.at[inst];
  uint64_t key = hash_u64(hash_pair(hash_bytes(text, length), cell->master));
  PortCache *cache = &names->ports[key & (PORT_CACHE - 1)];
  if (cache->length == length && cache->master == cell->master
      && cache->hierarchical == (cell->flags & INST_HIERARCHICAL)
      && memcmp(cache->text, text, length) == 0) {
    PinId pin = cached_pin(names->n, cache, inst);
    if (pin != NO_PIN) return pin;
  }
  PinId pin = look_up_port(names, inst, text, length);
  if (pin != NO_PIN) remember_port(cache, names->n, text, length, inst, pin);
  return pin;
}

PinId spef_find_port(SpefNames *names, const char *text, uint32_t length)
{
  if (names->scope != TOP_INST) return look_up_port(names, names->scope, text, length);
  uint32_t plain_length;
  const char *plain = spef_plain_name(names, text, length, &plain_length);
  return netlist_find_port(names->n, plain);
}

PinId spef_find_pin(SpefNames *names, const char *text, uint32_t length)
{
  uint32_t at = spef_split(names, text, length);
  if (at == length) return spef_find_port(names, text, length);
  InstId inst = find_inst(names, text, at);
  if (inst != NO_INST && inst != names->scope) {
    PinId pin = find_port_of(names, inst, text + at + 1, length - at - 1);
    if (pin != NO_PIN) return pin;
  }
  /* The delimiter may be a part of a port's name ("a:3" for a bit). */
  return spef_find_port(names, text, length);
}

bool spef_pin_on_net(const Netlist *n, PinId pin, NetId net)
{
  if (pin == NO_PIN) return false;
  if (netlist_pin_net(n, pin) == net) return true;
  SegId inner = pin_is_hierarchical(n, pin) ? netlist_inner_seg(n, pin) : NO_SEG;
  return inner != NO_SEG && n->segs.at[inner].net == net;
}

/* --- many at once ----------------------------------------------------------------------------- */

/* The instance's name as an id, where it is a name of the scope itself. */
static void find_conn_name(SpefNames *names, SpefConn *conn, const char *text)
{
  conn->split = spef_split(names, text, conn->length);
  if (conn->split == conn->length || conn->split == 0 || names->n->shared_names) return;
  uint32_t length = conn->split;
  const MapEntry *entry = whole_entry(names, text, length);
  if (entry && entry->inst != NOT_LOOKED_UP) {
    conn->inst = entry->inst;
    return;
  }
  if (entry) text = entry->text, length = entry->length;
  if (!is_plain(names, text, length)) text = spef_plain_name(names, text, length, &length);
  conn->name = names_find(names->n->names, text, length);
}

static void find_conn_pin(SpefNames *names, SpefConn *conn, const char *text)
{
  if (conn->inst != NO_INST)
    conn->pin =
        find_port_of(names, conn->inst, text + conn->split + 1, conn->length - conn->split - 1);
  if (conn->pin == NO_PIN) {
    conn->pin = spef_find_pin(names, text, conn->length);
    return;
  }
  MapEntry *entry = whole_entry(names, text, conn->split);
  if (entry) entry->inst = conn->inst;
}

void spef_find_pins(SpefNames *names, SpefConn *conns, uint32_t count, const char *texts)
{
  const Netlist *n = names->n;
  for (uint32_t i = 0; i < count; i++)
    if (conns[i].kind != 'N') find_conn_name(names, &conns[i], texts + conns[i].text);
  for (uint32_t i = 0; i < count; i++)
    if (conns[i].name != NO_NAME)
      conns[i].inst = map_get(n->inst_by_name, hash_pair(names->scope, conns[i].name));
  for (uint32_t i = 0; i < count; i++)
    if (conns[i].inst != NO_INST) mem_expect(&n->insts.at[conns[i].inst]);
  for (uint32_t i = 0; i < count; i++)
    if (conns[i].kind != 'N') find_conn_pin(names, &conns[i], texts + conns[i].text);
}
