/* Finding by name.  A local name may hold the separator, so a path can be split in more than one
   way: the longest local name is tried first, and a split that leads nowhere is taken back. */
#include "db/netlist.h"

/* One way of looking a rest of a path up in a scope; MAP_NO_VALUE when it is not there. */
typedef struct Search Search;
struct Search {
  const Netlist *n;
  char separator;
  uint32_t (*look)(const Search *search, InstId scope, const char *text, size_t length);
  /* or NULL */
  uint32_t (*exactly)(const Netlist *n, InstId scope, const char *path, char separator);
};

typedef struct {
  InstId scope;
  size_t start;      /* of the rest of the path */
  size_t before;     /* separators from here on were tried */
} Split;

static NameId name_of(const Netlist *n, const char *text, size_t length)
{
  return length > n->longest_name ? NO_NAME : names_find(n->names, text, length);
}

static uint32_t local_inst(const Netlist *n, InstId scope, const char *text, size_t length)
{
  NameId name = name_of(n, text, length);
  return name == NO_NAME ? NO_INST : map_get(n->inst_by_name, hash_pair(scope, name));
}

static uint32_t look_inst(const Search *search, InstId scope, const char *text, size_t length)
{
  return local_inst(search->n, scope, text, length);
}

static uint32_t look_seg(const Search *search, InstId scope, const char *text, size_t length)
{
  NameId name = name_of(search->n, text, length);
  return name == NO_NAME ? NO_SEG : map_get(search->n->seg_by_name, hash_pair(scope, name));
}

/* The last separator in text[start, before); SIZE_MAX when there is none. */
static size_t last_separator(const char *text, size_t start, size_t before, char separator)
{
  while (before > start)
    if (text[--before] == separator) return before;
  return SIZE_MAX;
}

/* No instance name is longer than the longest, so later separators need no trial. */
static size_t split_limit(const Netlist *n, size_t start, size_t length)
{
  size_t limit = start + n->longest_name + 1;
  return limit < length ? limit : length;
}

static uint32_t look_pin(const Search *search, InstId scope, const char *text, size_t length)
{
  size_t at = split_limit(search->n, 0, length);
  while ((at = last_separator(text, 0, at, search->separator)) != SIZE_MAX) {
    InstId inst = local_inst(search->n, scope, text, at);
    NameId port =
        inst == NO_INST ? NO_NAME : names_find(search->n->names, text + at + 1, length - at - 1);
    PinId pin = port == NO_NAME ? NO_PIN : netlist_find_pin_of(search->n, inst, port);
    if (pin != NO_PIN) return pin;
  }
  return NO_PIN;
}

static uint32_t walk(const Search *search, InstId scope, const char *text, size_t length)
{
  const Netlist *n = search->n;
  uint32_t found = search->look(search, scope, text, length);
  if (found != MAP_NO_VALUE || memchr(text, search->separator, length) == NULL) return found;
  ARRAY(Split) splits = { 0 };
  array_push(&splits, (Split){ scope, 0, split_limit(n, 0, length) });
  while (splits.len && found == MAP_NO_VALUE) {
    Split *top = &splits.at[splits.len - 1];
    top->before = last_separator(text, top->start, top->before, search->separator);
    if (top->before == SIZE_MAX) {
      splits.len--;
      continue;
    }
    InstId inst = local_inst(n, top->scope, text + top->start, top->before - top->start);
    if (inst == NO_INST || inst_is_leaf(n, inst)) continue;
    size_t rest = top->before + 1;
    found = search->look(search, inst, text + rest, length - rest);
    array_push(&splits, (Split){ inst, rest, split_limit(n, rest, length) });
  }
  array_free(&splits);
  return found;
}

static bool is_escaped(char c) { return c != '\0' && strchr("[]/.:", c) != NULL; }

/* Drops the backslash of escaped names, those before brackets and separators, and an escaped name's
   final blank. */
static void plain_path(const char *path, char separator, Text *text)
{
  for (const char *p = path; *p; p++) {
    bool leads = p == path || p[-1] == separator;
    if (*p == '\\' && p[1] && (leads || is_escaped(p[1]) || p[1] == separator)) p++;
    text_char(text, *p);
  }
  while (text->len && text->at[text->len - 1] == ' ') text->at[--text->len] = '\0';
}

/* --- where each separator counts -------------------------------------------------------------- */
/* The next of a path's local names, without the backslashes before separators; false at the end. */
static bool next_part(const char **path, char separator, Text *part)
{
  const char *p = *path;
  if (p == NULL) return false;
  text_clear(part);
  for (; *p && *p != separator; p++) {
    if (*p == '\\' && p[1] == separator) p++;
    text_char(part, *p);
  }
  *path = *p ? p + 1 : NULL;
  return true;
}

/* The last `keep` parts stay in *rest; NO_INST where those before are no hierarchical instances. */
static InstId scope_of_path(const Netlist *n, InstId scope, const char **rest, char separator,
                            uint32_t keep)
{
  Text part = { 0 };
  uint32_t parts = 0;
  for (const char *p = *rest; next_part(&p, separator, &part);) parts++;
  if (parts < keep) scope = NO_INST;
  for (; parts > keep && scope != NO_INST; parts--) {
    next_part(rest, separator, &part);
    scope = local_inst(n, scope, text_get(&part), part.len);
    if (scope != NO_INST && inst_is_leaf(n, scope)) scope = NO_INST;
  }
  text_free(&part);
  return scope;
}

static uint32_t look_exactly(const Search *search, InstId scope, const char *path)
{
  scope = scope_of_path(search->n, scope, &path, search->separator, 1);
  if (scope == NO_INST) return MAP_NO_VALUE;
  Text part = { 0 };
  next_part(&path, search->separator, &part);
  uint32_t found = search->look(search, scope, text_get(&part), part.len);
  text_free(&part);
  return found;
}

InstId netlist_find_inst_exactly(const Netlist *n, InstId scope, const char *path, char separator)
{
  return look_exactly(&(Search){ .n = n, .separator = separator, .look = look_inst }, scope, path);
}

SegId netlist_find_seg_exactly(const Netlist *n, InstId scope, const char *path, char separator)
{
  return look_exactly(&(Search){ .n = n, .separator = separator, .look = look_seg }, scope, path);
}

PinId netlist_find_pin_exactly(const Netlist *n, InstId scope, const char *path, char separator)
{
  Text part = { 0 };
  PinId pin = NO_PIN;
  scope = scope_of_path(n, scope, &path, separator, 2);
  if (scope != NO_INST) {
    next_part(&path, separator, &part);
    InstId inst = local_inst(n, scope, text_get(&part), part.len);
    next_part(&path, separator, &part);
    NameId port = inst == NO_INST ? NO_NAME : names_find(n->names, text_get(&part), part.len);
    if (port != NO_NAME) pin = netlist_find_pin_of(n, inst, port);
  }
  text_free(&part);
  return pin;
}

static uint32_t find(const Search *search, InstId scope, const char *path)
{
  uint32_t found = MAP_NO_VALUE;
  if (search->n->shared_names && search->exactly)
    found = search->exactly(search->n, scope, path, search->separator);
  if (found == MAP_NO_VALUE) found = walk(search, scope, path, strlen(path));
  if (found != MAP_NO_VALUE || strchr(path, '\\') == NULL) return found;
  Text plain = { 0 };
  plain_path(path, search->separator, &plain);
  found = walk(search, scope, text_get(&plain), plain.len);
  text_free(&plain);
  return found;
}

InstId netlist_find_inst(const Netlist *n, InstId scope, const char *path, char separator)
{
  return find(&(Search){ n, separator, look_inst, netlist_find_inst_exactly }, scope, path);
}

PinId netlist_find_pin(const Netlist *n, InstId scope, const char *path, char separator)
{
  return find(&(Search){ n, separator, look_pin, netlist_find_pin_exactly }, scope, path);
}

SegId netlist_find_seg(const Netlist *n, InstId scope, const char *path, char separator)
{
  return find(&(Search){ n, separator, look_seg, netlist_find_seg_exactly }, scope, path);
}

static uint32_t look_port(const Search *search, InstId scope, const char *text, size_t length)
{
  NameId name = names_find(search->n->names, text, length);
  return name == NO_NAME ? NO_PIN : netlist_find_pin_of(search->n, scope, name);
}

PinId netlist_find_port(const Netlist *n, const char *name)
{
  return find(&(Search){ n, '\0', look_port, NULL }, TOP_INST, name);
}

/* Pins are in port order but for states left out before them and cells swapped in with another
   order. */
PinId netlist_pin_of_port(const Netlist *n, InstId leaf, PortId port)
{
  const Inst *inst = &n->insts.at[leaf];
  const LibCell *cell = &n->libs->cells.at[inst->master];
  if (port < cell->first_port || port >= cell->first_port + cell->port_count) return NO_PIN;
  uint32_t guess = port - cell->first_port;
  if (guess < inst->pin_count && n->pins.at[inst->first_pin + guess].port == port)
    return inst->first_pin + guess;
  for (uint32_t i = 0; i < inst->pin_count; i++)
    if (n->pins.at[inst->first_pin + i].port == port) return inst->first_pin + i;
  return NO_PIN;
}

PinId netlist_find_pin_of(const Netlist *n, InstId inst, NameId port)
{
  const Inst *cell = &n->insts.at[inst];
  if (inst_is_leaf(n, inst)) {
    PortId p = library_find_port(n->libs, cell->master, port);
    return p == NO_PORT ? NO_PIN : netlist_pin_of_port(n, inst, p);
  }
  uint32_t p = map_get(n->port_by_name, hash_pair(cell->master, port));
  return p == MAP_NO_VALUE ? NO_PIN
                           : cell->first_pin + (p - n->modules.at[cell->master].first_port);
}
