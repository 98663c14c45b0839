/* Finds objects by exact names, by patterns level by level, by regular expressions, and by their
   relation to other objects. */
#include "tclbind/match.h"

#include <string.h>

#include "base/hash.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/text.h"
#include "tclbind/object_value.h"
#include "tclbind/session_timing.h"
#include "timing/timing.h"

Match match_default(const Session *s)
{
  return (Match){ .separator = s->separator, .scope = s->current_instance };
}

/* --- exact names ------------------------------------------------------------------------------ */

static bool add(ObjectArray *out, uint32_t type, uint32_t id, uint32_t none)
{
  if (id == none) return false;
  array_push(out, (Object){ type, id });
  return true;
}

static NameId name_of(const Session *s, const char *text, size_t length)
{
  return names_find(s->names, text, length);
}

/* The bits of a bus among the ports of a module. */
static bool add_bus(const Session *s, uint32_t type, InstId inst, NameId name, ObjectArray *out)
{
  const Netlist *n = s->netlist;
  const Inst *cell = &n->insts.at[inst];
  const Module *module = &n->modules.at[cell->master];
  for (uint32_t b = 0; b < module->bus_count; b++) {
    const ModuleBus *bus = &n->module_buses.at[module->first_bus + b];
    if (bus->name != name) continue;
    uint32_t width =
        (uint32_t)(bus->from > bus->to ? bus->from - bus->to : bus->to - bus->from) + 1;
    uint32_t first = bus->first - module->first_port;
    for (uint32_t k = 0; k < width; k++)
      array_push(out, (Object){ type, cell->first_pin + first + k });
    return true;
  }
  return false;
}

static bool exact_port(const Session *s, const char *name, ObjectArray *out)
{
  if (add(out, OBJ_PORT, netlist_find_port(s->netlist, name), NO_PIN)) return true;
  NameId id = name_of(s, name, strlen(name));
  return id != NO_NAME && add_bus(s, OBJ_PORT, TOP_INST, id, out);
}

/* u1/data, where data is a bus of u1's cell or module. */
static bool exact_pin_bus(const Session *s, const char *name, char separator, ObjectArray *out)
{
  const Netlist *n = s->netlist;
  const char *cut = strrchr(name, separator);
  if (cut == NULL) return false;
  NameId bus_name = name_of(s, cut + 1, strlen(cut + 1));
  if (bus_name == NO_NAME) return false;
  char *path = mem_text(name, (size_t)(cut - name));
  InstId inst = netlist_find_inst(n, s->current_instance, path, separator);
  mem_free(path);
  if (inst == NO_INST || inst == TOP_INST) return false;
  if (!inst_is_leaf(n, inst)) return add_bus(s, OBJ_PIN, inst, bus_name, out);
  BusId id = library_find_bus(s->libs, n->insts.at[inst].master, bus_name);
  if (id == NO_BUS) return false;
  const LibBus *bus = &s->libs->buses.at[id];
  uint32_t width = (uint32_t)(bus->from > bus->to ? bus->from - bus->to : bus->to - bus->from) + 1;
  uint32_t before = out->len;
  for (uint32_t k = 0; k < width; k++)
    add(out, OBJ_PIN, netlist_pin_of_port(n, inst, bus->first + k), NO_PIN);
  return out->len > before;
}

static bool exact_pin(const Session *s, const char *name, char separator, ObjectArray *out)
{
  PinId pin = netlist_find_pin(s->netlist, s->current_instance, name, separator);
  if (pin != NO_PIN && !pin_is_top_port(s->netlist, pin)) return add(out, OBJ_PIN, pin, NO_PIN);
  return exact_pin_bus(s, name, separator, out);
}

static bool exact_cell(const Session *s, const char *name, char separator, ObjectArray *out)
{
  InstId inst = netlist_find_inst(s->netlist, s->current_instance, name, separator);
  return inst != TOP_INST && add(out, OBJ_CELL, inst, NO_INST);
}

/* printf would take longer than the look-up. */
static void add_digits(Text *text, uint32_t number)
{
  if (number >= 10) add_digits(text, number / 10);
  text_char(text, (char)('0' + number % 10));
}

/* The bits of a bus of wires, found by trying them: in the order high to low or low to high as they
   exist. */
static bool exact_net_bus(const Session *s, const char *name, char separator, ObjectArray *out)
{
  Text bit = { 0 };
  uint32_t before = out->len;
  text_put(&bit, name);
  for (uint32_t i = 0, length = bit.len; i < 4096; i++) {
    bit.len = length;
    text_char(&bit, '[');
    add_digits(&bit, i);
    text_char(&bit, ']');
    SegId seg = netlist_find_seg(s->netlist, s->current_instance, text_get(&bit), separator);
    if (!add(out, OBJ_NET, seg, NO_SEG) && i > 0) break;
  }
  text_free(&bit);
  return out->len > before;
}

static bool exact_net(const Session *s, const char *name, char separator, ObjectArray *out)
{
  if (add(out, OBJ_NET, netlist_find_seg(s->netlist, s->current_instance, name, separator), NO_SEG))
    return true;
  return exact_net_bus(s, name, separator, out);
}

static bool exact_lib_cell(const Session *s, const char *name, char separator, ObjectArray *out)
{
  const char *cut = strchr(name, separator);
  NameId id = name_of(s, cut ? cut + 1 : name, strlen(cut ? cut + 1 : name));
  if (id == NO_NAME) return false;
  if (cut == NULL) return add(out, OBJ_LIB_CELL, library_find_cell(s->libs, id), NO_CELL);
  char *lib = mem_text(name, (size_t)(cut - name));
  LibraryId library = library_find(s->libs, lib);
  mem_free(lib);
  return library != NO_LIBRARY
         && add(out, OBJ_LIB_CELL, library_find_cell_in(s->libs, library, id), NO_CELL);
}

static bool exact_lib_pin(const Session *s, const char *name, char separator, ObjectArray *out)
{
  const char *cut = strrchr(name, separator);
  if (cut == NULL) return false;
  char *path = mem_text(name, (size_t)(cut - name));
  ObjectArray cells = { 0 };
  NameId port = name_of(s, cut + 1, strlen(cut + 1));
  bool found = port != NO_NAME && exact_lib_cell(s, path, separator, &cells)
               && add(out, OBJ_LIB_PIN, library_find_port(s->libs, cells.at[0].id, port), NO_PORT);
  array_free(&cells);
  mem_free(path);
  return found;
}

static bool exact_clock(const Session *s, const char *name, ObjectArray *out)
{
  NameId id = name_of(s, name, strlen(name));
  return id != NO_NAME && s->constraints
         && add(out, OBJ_CLOCK, constraints_find_clock(s->constraints, id), NO_CLOCK);
}

static bool exact_design(const Session *s, const char *name, ObjectArray *out)
{
  if (strcmp(names_text(s->names, s->netlist->top_name), name) != 0) return false;
  return add(out, OBJ_DESIGN, 0, UINT32_MAX);
}

static bool exact_scenario(const Session *s, uint32_t type, const char *name, ObjectArray *out)
{
  NameId id = name_of(s, name, strlen(name));
  for (uint32_t i = 0; id != NO_NAME && i < scenario_object_count(s->scenarios, type); i++)
    if (scenario_object_name(s->scenarios, (Object){ type, i }) == id)
      return add(out, type, i, UINT32_MAX);
  return false;
}

static bool is_design_type(uint32_t type) { return type >= OBJ_DESIGN && type <= OBJ_CLOCK; }

static bool find_exact(Session *s, uint32_t type, const char *name, char separator,
                       ObjectArray *out)
{
  if (*name == '\0' || (is_design_type(type) && s->netlist == NULL)) return false;
  switch (type) {
    case OBJ_PORT: return exact_port(s, name, out);
    case OBJ_PIN: return exact_pin(s, name, separator, out);
    case OBJ_CELL: return exact_cell(s, name, separator, out);
    case OBJ_NET: return exact_net(s, name, separator, out);
    case OBJ_CLOCK: return exact_clock(s, name, out);
    case OBJ_LIB: return add(out, OBJ_LIB, library_find(s->libs, name), NO_LIBRARY);
    case OBJ_LIB_CELL: return exact_lib_cell(s, name, separator, out);
    case OBJ_LIB_PIN: return exact_lib_pin(s, name, separator, out);
    case OBJ_DESIGN: return exact_design(s, name, out);
    case OBJ_MODE: case OBJ_CORNER: case OBJ_SCENARIO: return exact_scenario(s, type, name, out);
    default: return false;
  }
}

bool match_exact(Session *s, uint32_t type, const char *name, ObjectArray *out)
{
  return find_exact(s, type, name, s->separator, out);
}

static bool is_bus_of_top(const Session *s, NameId name)
{
  const Netlist *n = s->netlist;
  const Module *module = &n->modules.at[n->insts.at[TOP_INST].master];
  for (uint32_t b = 0; b < module->bus_count; b++)
    if (n->module_buses.at[module->first_bus + b].name == name) return true;
  return false;
}

/* A name without a separator is no pin. So clocks and ports are all that come before cells. */
bool match_cell_first(const Session *s, const char *name, Object *object)
{
  const Netlist *n = s->netlist;
  size_t length = strlen(name);
  if (n == NULL || memchr(name, s->separator, length) || memchr(name, '\\', length)) return false;
  NameId id = name_of(s, name, length);
  if (id == NO_NAME) return false;
  InstId inst = map_get(n->inst_by_name, hash_pair(s->current_instance, id));
  if (inst == NO_INST || inst == TOP_INST) return false;
  if (s->constraints && constraints_find_clock(s->constraints, id) != NO_CLOCK) return false;
  if (netlist_find_pin_of(n, TOP_INST, id) != NO_PIN || is_bus_of_top(s, id)) return false;
  *object = (Object){ OBJ_CELL, inst };
  return true;
}

/* --- patterns, level by level ----------------------------------------------------------------- */

typedef struct {
  Session     *session;
  const Match *match;
  uint32_t     type;
  ObjectArray *out;
  Map         *scopes;       /* for nets: scope -> index in rests (+ chain) */
  ARRAY(char *) rests;       /* patterns of the last level */
  ARRAY(uint32_t) chain;     /* parallel to rests: the next one of the same scope */
} Search;

static bool glob(const Search *search, const char *pattern, const char *text)
{
  return text_glob(pattern, text, search->match->nocase, true);
}

static bool is_wild(const Search *search, const char *pattern, size_t length)
{
  if (search->match->nocase) return true;
  return memchr(pattern, '*', length) || memchr(pattern, '?', length)
         || memchr(pattern, '\\', length);
}

/* The next separator that is not escaped. */
static const char *find_separator(const char *text, char separator)
{
  for (; *text; text++) {
    if (*text == '\\' && text[1]) text++;
    else if (*text == separator) return text;
  }
  return NULL;
}

static void end_level(Search *search, InstId scope, const char *last);

/* Continues below a child that the first levels matched. */
static void below(Search *search, InstId child, const char *rest,
                  void (*at_end)(Search *, InstId, const char *));

/* Finds the cells of the scope whose name the first levels of the pattern match.  `rest` is matched
   inside them. */
static void each_child(Search *search, InstId scope, const char *pattern,
                       void (*at_end)(Search *, InstId, const char *))
{
  const Netlist *n = search->session->netlist;
  char separator = search->match->separator;
  for (const char *cut = find_separator(pattern, separator); cut;
       cut = find_separator(cut + 1, separator)) {
    size_t length = (size_t)(cut - pattern);
    char *head = mem_text(pattern, length);
    bool head_has_separator = strchr(head, separator) != NULL;
    if (!is_wild(search, head, length)) {
      InstId child = map_get(n->inst_by_name, hash_pair(scope, names_find(n->names, head, length)));
      if (child != NO_INST && names_find(n->names, head, length) != NO_NAME)
        below(search, child, cut + 1, at_end);
    } else {
      for (InstId c = n->insts.at[scope].first_child; c != NO_INST && !interrupt_seen();
           c = n->insts.at[c].next_sibling) {
        const char *name = names_text(n->names, n->insts.at[c].name);
        if (n->insts.at[c].flags & INST_DELETED) continue;
        if (head_has_separator && !strchr(name, separator)) continue;
        if (glob(search, head, name)) below(search, c, cut + 1, at_end);
      }
    }
    mem_free(head);
  }
}

static void below(Search *search, InstId child, const char *rest,
                  void (*at_end)(Search *, InstId, const char *))
{
  const Netlist *n = search->session->netlist;
  at_end(search, child, rest);
  if (!inst_is_leaf(n, child)) each_child(search, child, rest, at_end);
}

/* Cells in a scope by the last levels of a pattern. */
static void cells_in(Search *search, InstId scope, const char *last)
{
  const Netlist *n = search->session->netlist;
  if (inst_is_leaf(n, scope)) return;
  bool has_separator = find_separator(last, search->match->separator) != NULL;
  for (InstId c = n->insts.at[scope].first_child; c != NO_INST && !interrupt_seen();
       c = n->insts.at[c].next_sibling) {
    const char *name = names_text(n->names, n->insts.at[c].name);
    if (n->insts.at[c].flags & INST_DELETED
        || (has_separator && !strchr(name, search->match->separator)))
      continue;
    if (glob(search, last, name)) array_push(search->out, (Object){ OBJ_CELL, c });
  }
}

static void pins_in(Search *search, InstId inst, const char *last)
{
  const Netlist *n = search->session->netlist;
  const Inst *cell = &n->insts.at[inst];
  if (inst == TOP_INST || find_separator(last, search->match->separator)) return;
  for (uint32_t k = 0; k < cell->pin_count; k++)
    if (glob(search, last, names_text(n->names, netlist_pin_port_name(n, cell->first_pin + k))))
      array_push(search->out, (Object){ OBJ_PIN, cell->first_pin + k });
}

/* Nets have no list by scope: the scopes asked for are remembered and all nets looked at once. */
static void remember_scope(Search *search, InstId scope, const char *last)
{
  if (inst_is_leaf(search->session->netlist, scope)) return;
  uint32_t before = map_get(search->scopes, scope);
  array_push(&search->rests, mem_text(last, strlen(last)));
  array_push(&search->chain, before);
  map_put(search->scopes, scope, search->rests.len - 1);
}

static bool net_matches(const Search *search, SegId seg)
{
  const Netlist *n = search->session->netlist;
  uint32_t at = map_get(search->scopes, n->segs.at[seg].scope);
  const char *name = at == MAP_NO_VALUE ? "" : names_text(n->names, n->segs.at[seg].name);
  for (; at != MAP_NO_VALUE; at = search->chain.at[at])
    if (glob(search, search->rests.at[at], name)) return true;
  return false;
}

static void nets_of_scopes(Search *search)
{
  const Netlist *n = search->session->netlist;
  for (SegId seg = 0; seg < n->segs.len && !interrupt_seen(); seg++)
    if (net_matches(search, seg) && object_is_alive(search->session, (Object){ OBJ_NET, seg }))
      array_push(search->out, (Object){ OBJ_NET, seg });
  for (uint32_t i = 0; i < search->rests.len; i++) mem_free(search->rests.at[i]);
  array_free(&search->rests);
  array_free(&search->chain);
}

static void end_level(Search *search, InstId scope, const char *last)
{
  if (search->type == OBJ_CELL) cells_in(search, scope, last);
  else if (search->type == OBJ_PIN) pins_in(search, scope, last);
  else remember_scope(search, scope, last);
}

static void match_levels(Search *search, const char *pattern)
{
  if (search->type == OBJ_NET) search->scopes = map_new();
  end_level(search, search->match->scope, pattern);
  each_child(search, search->match->scope, pattern, end_level);
  if (search->type == OBJ_NET) {
    nets_of_scopes(search);
    map_free(search->scopes);
  }
}

/* --- all objects of a type under the scope: -hierarchical and -regexp ------------------------- */

typedef struct {
  Search     *search;
  const char *pattern;
  Tcl_RegExp  regexp;
  bool        full_names;
  size_t      skip;            /* of the scope's own name and a separator */
  int         separators;      /* in the pattern; -1: any depth */
  Text        name;
} Scan;

static bool in_scope(const Netlist *n, InstId scope, InstId inst)
{
  while (inst != scope && inst != NO_INST) inst = n->insts.at[inst].parent;
  return inst == scope;
}

static int count_char(const char *text, char c)
{
  int count = 0;
  for (; *text; text++) count += *text == c;
  return count;
}

static bool text_matches(Scan *scan, const char *text)
{
  if (scan->regexp)
    return Tcl_RegExpExec(scan->search->match->interp, scan->regexp, text, text) > 0;
  if (scan->search->match->exact) return strcmp(scan->pattern, text) == 0;
  return glob(scan->search, scan->pattern, text);
}

/* The full name relative to the scope. */
static const char *relative_name(Scan *scan, Object o)
{
  text_clear(&scan->name);
  object_name(scan->search->session, o, &scan->name);
  return scan->name.len >= scan->skip ? text_get(&scan->name) + scan->skip : "";
}

static bool scan_matches(Scan *scan, Object o, NameId local)
{
  if (!scan->full_names) return text_matches(scan, names_text(scan->search->session->names, local));
  const char *name = relative_name(scan, o);
  if (scan->separators >= 0 && count_char(name, scan->search->match->separator) != scan->separators)
    return false;
  return text_matches(scan, name);
}

static void scan_cells(Scan *scan)
{
  Search *search = scan->search;
  const Netlist *n = search->session->netlist;
  for (InstId i = 1; i < n->insts.len && !interrupt_seen(); i++) {
    if ((n->insts.at[i].flags & INST_DELETED)
        || (search->match->scope && !in_scope(n, search->match->scope, n->insts.at[i].parent)))
      continue;
    Object o = { OBJ_CELL, i };
    if (scan_matches(scan, o, n->insts.at[i].name)) array_push(search->out, o);
  }
}

static void scan_pins(Scan *scan)
{
  Search *search = scan->search;
  const Netlist *n = search->session->netlist;
  for (InstId i = 1; i < n->insts.len && !interrupt_seen(); i++) {
    const Inst *inst = &n->insts.at[i];
    if ((inst->flags & INST_DELETED)
        || (search->match->scope && !in_scope(n, search->match->scope, inst->parent)))
      continue;
    for (uint32_t k = 0; k < inst->pin_count; k++) {
      Object o = { OBJ_PIN, inst->first_pin + k };
      if (scan_matches(scan, o, netlist_pin_port_name(n, o.id))) array_push(search->out, o);
    }
  }
}

static void scan_nets(Scan *scan)
{
  Search *search = scan->search;
  const Netlist *n = search->session->netlist;
  for (SegId i = 0; i < n->segs.len && !interrupt_seen(); i++) {
    Object o = { OBJ_NET, i };
    if (!object_is_alive(search->session, o)
        || (search->match->scope && !in_scope(n, search->match->scope, n->segs.at[i].scope)))
      continue;
    if (scan_matches(scan, o, n->segs.at[i].name)) array_push(search->out, o);
  }
}

/* Types without hierarchy: 0..count-1, or the pins of the top. */
static void scan_flat(Scan *scan, uint32_t type, uint32_t first, uint32_t count)
{
  for (uint32_t i = first; i < first + count; i++) {
    Object o = { type, i };
    if (!object_is_alive(scan->search->session, o)) continue;
    if (type == OBJ_LIB_PIN && scan->search->session->libs->ports.at[i].is_state) continue;
    if (text_matches(scan, relative_name(scan, o))) array_push(scan->search->out, o);
  }
}

/* A library cell's pattern may leave out the library: then the name that linking finds. */
static void scan_lib_cells(Scan *scan)
{
  Session *s = scan->search->session;
  bool local = !scan->regexp && count_char(scan->pattern, scan->search->match->separator) == 0;
  for (CellId i = 0; i < s->libs->cells.len; i++) {
    const LibCell *cell = &s->libs->cells.at[i];
    if (cell->flags & (CELL_BLACK_BOX | CELL_SCALED)) continue;
    if (local ? library_find_cell(s->libs, cell->name) == i
                    && text_matches(scan, names_text(s->names, cell->name))
              : text_matches(scan, relative_name(scan, (Object){ OBJ_LIB_CELL, i })))
      array_push(scan->search->out, (Object){ OBJ_LIB_CELL, i });
  }
}

/* cell/pin is found as well as library/cell/pin. */
static void scan_lib_pins(Scan *scan)
{
  Session *s = scan->search->session;
  bool two = !scan->regexp && count_char(scan->pattern, scan->search->match->separator) == 1;
  if (!two) {
    scan_flat(scan, OBJ_LIB_PIN, 0, s->libs->ports.len);
    return;
  }
  for (PortId i = 0; i < s->libs->ports.len; i++) {
    const LibCell *cell = &s->libs->cells.at[s->libs->ports.at[i].cell];
    if (s->libs->ports.at[i].is_state
        || library_find_cell(s->libs, cell->name) != s->libs->ports.at[i].cell)
      continue;
    text_clear(&scan->name);
    text_printf(&scan->name, "%s%c%s", names_text(s->names, cell->name),
                scan->search->match->separator, names_text(s->names, s->libs->ports.at[i].name));
    if (text_matches(scan, text_get(&scan->name)))
      array_push(scan->search->out, (Object){ OBJ_LIB_PIN, i });
  }
}

static void scan_all(Scan *scan)
{
  Session *s = scan->search->session;
  switch (scan->search->type) {
    case OBJ_CELL: scan_cells(scan); break;
    case OBJ_PIN: scan_pins(scan); break;
    case OBJ_NET: scan_nets(scan); break;
    case OBJ_PORT:
      scan_flat(scan, OBJ_PORT, s->netlist->insts.at[TOP_INST].first_pin,
                s->netlist->insts.at[TOP_INST].pin_count);
      break;
    case OBJ_CLOCK:
      scan_flat(scan, OBJ_CLOCK, 0, s->constraints ? s->constraints->clocks.len : 0);
      break;
    case OBJ_LIB: scan_flat(scan, OBJ_LIB, 0, s->libs->libraries.len); break;
    case OBJ_LIB_CELL: scan_lib_cells(scan); break;
    case OBJ_LIB_PIN: scan_lib_pins(scan); break;
    case OBJ_DESIGN: scan_flat(scan, OBJ_DESIGN, 0, 1); break;
    case OBJ_MODE: case OBJ_CORNER: case OBJ_SCENARIO:
      scan_flat(scan, scan->search->type, 0,
                scenario_object_count(s->scenarios, scan->search->type));
      break;
    default: break;
  }
}

static Status compile(Scan *scan, Tcl_Obj **anchored)
{
  const Match *match = scan->search->match;
  *anchored = Tcl_ObjPrintf("^(?:%s)$", scan->pattern);
  Tcl_IncrRefCount(*anchored);
  scan->regexp = Tcl_GetRegExpFromObj(match->interp, *anchored,
                                      TCL_REG_ADVANCED | (match->nocase ? TCL_REG_NOCASE : 0));
  if (scan->regexp) return OK;
  log_error(scan->search->session->log, "CMD-027", NOWHERE, "bad regular expression: %s",
            Tcl_GetString(Tcl_GetObjResult(match->interp)));
  Tcl_ResetResult(match->interp);
  return FAILED;
}

static bool is_tree_type(uint32_t type)
{
  return type == OBJ_CELL || type == OBJ_PIN || type == OBJ_NET;
}

static void prepare_scan(Scan *scan)
{
  const Search *search = scan->search;
  if (!is_tree_type(search->type)) return;
  if (search->match->scope != TOP_INST) {
    object_name(search->session, (Object){ OBJ_CELL, search->match->scope }, &scan->name);
    scan->skip = scan->name.len + 1;
  }
  scan->full_names = !search->match->hierarchical
                     || find_separator(scan->pattern, search->match->separator) != NULL;
}

static bool has_exactly(Session *s, uint32_t type, const char *name, char separator)
{
  ObjectArray found = { 0 };
  bool has = find_exact(s, type, name, separator, &found);
  array_free(&found);
  return has;
}

/* Is the name, or what follows a separator in it, the local name of anything? */
static bool ends_with_name(const Session *s, const char *name, char separator)
{
  for (; name; name = strchr(name, separator), name += name != NULL)
    if (name_of(s, name, strlen(name)) != NO_NAME) return true;
  return false;
}

static bool is_plain_unknown(Session *s, uint32_t type, const char *name, const Match *match)
{
  if (!ends_with_name(s, name, match->separator)) return true;
  return is_design_type(type) && !match->hierarchical && match->scope == s->current_instance
         && !has_exactly(s, type, name, match->separator);
}

/* Do look-ups tell that no object matches?  A pattern without wildcards is a name. */
static bool is_unknown(Session *s, uint32_t type, const char *pattern, const Match *match)
{
  if (match->regexp || match->nocase || (!match->exact && strpbrk(pattern, "*?"))) return false;
  if (!strchr(pattern, '\\')) return is_plain_unknown(s, type, pattern, match);
  Text plain = { 0 };
  for (const char *p = pattern; *p; p++) {
    if (*p == '\\' && p[1] && !match->exact) p++;
    text_char(&plain, *p);
  }
  bool is = is_plain_unknown(s, type, text_get(&plain), match);
  text_free(&plain);
  return is;
}

Status match_pattern(Session *s, uint32_t type, const char *pattern, const Match *match,
                     ObjectArray *out)
{
  if (is_design_type(type) && s->netlist == NULL) return OK;
  Search q = { .session = s, .match = match, .type = type, .out = out };
  Scan scan = { .search = &q, .pattern = pattern, .separators = -1 };
  Tcl_Obj *anchored = NULL;
  Status status = OK;
  if (!match->regexp && !match->nocase && !match->hierarchical
      && find_exact(s, type, pattern, match->separator, out))
    return OK;
  if (is_unknown(s, type, pattern, match)) return OK;
  prepare_scan(&scan);
  if (match->regexp) {
    if (!match->hierarchical && is_tree_type(type))
      scan.separators = count_char(pattern, match->separator);
    status = compile(&scan, &anchored);
  }
  if (status == OK) {
    if (is_tree_type(type) && !match->regexp && !match->hierarchical) {
      if (!match->exact) match_levels(&q, pattern);
    } else {
      scan_all(&scan);
    }
  }
  if (anchored) Tcl_DecrRefCount(anchored);
  text_free(&scan.name);
  return status;
}

Status match_among(Session *s, const char *pattern, const Match *match, const ObjectArray *among,
                   bool *keep, bool *any)
{
  Search q = { .session = s, .match = match };
  Scan scan = { .search = &q, .pattern = pattern };
  Tcl_Obj *anchored = NULL;
  Status status = match->regexp ? compile(&scan, &anchored) : OK;
  *any = false;
  for (uint32_t i = 0; i < among->len && status == OK; i++) {
    bool is = text_matches(&scan, relative_name(&scan, among->at[i]));
    keep[i] |= is;
    *any |= is;
  }
  if (anchored) Tcl_DecrRefCount(anchored);
  text_free(&scan.name);
  return status;
}

/* --- -of_objects ------------------------------------------------------------------------------ */

static void pins_on_seg(const Netlist *n, SegId seg, uint32_t type, ObjectArray *out)
{
  if (seg == NO_SEG) return;
  for (PinId p = n->segs.at[seg].first_pin; p != NO_PIN; p = n->pins.at[p].next)
    if (pin_is_top_port(n, p) == (type == OBJ_PORT)) array_push(out, (Object){ type, p });
}

static void pins_on_net(const Netlist *n, NetId net, uint32_t type, ObjectArray *out)
{
  if (net == NO_NET) return;
  NetPins it = net_pins(n, net, false);
  for (PinId p = net_pins_next(&it); p != NO_PIN; p = net_pins_next(&it))
    if (pin_is_top_port(n, p) == (type == OBJ_PORT)) array_push(out, (Object){ type, p });
}

static void pins_of(const Session *s, Object of, bool leaf, ObjectArray *out)
{
  const Netlist *n = s->netlist;
  if (of.type == OBJ_CELL && of.id != TOP_INST) {
    const Inst *inst = &n->insts.at[of.id];
    for (uint32_t k = 0; k < inst->pin_count; k++)
      array_push(out, (Object){ OBJ_PIN, inst->first_pin + k });
  } else if (of.type == OBJ_NET) {
    if (leaf) pins_on_net(n, n->segs.at[of.id].net, OBJ_PIN, out);
    else pins_on_seg(n, of.id, OBJ_PIN, out);
  } else if (of.type == OBJ_PIN || of.type == OBJ_PORT) {
    pins_on_seg(n, n->pins.at[of.id].seg, OBJ_PIN, out);
  } else if (of.type == OBJ_CLOCK) {
    const Clock *clock = &s->constraints->clocks.at[of.id];
    for (uint32_t k = 0; k < clock->sources.len; k++)
      if (!pin_is_top_port(n, clock->sources.at[k]))
        array_push(out, (Object){ OBJ_PIN, clock->sources.at[k] });
  }
}

static void ports_of(const Session *s, Object of, ObjectArray *out)
{
  const Netlist *n = s->netlist;
  if (of.type == OBJ_NET) pins_on_net(n, n->segs.at[of.id].net, OBJ_PORT, out);
  else if (of.type == OBJ_PIN) pins_on_net(n, netlist_pin_net(n, of.id), OBJ_PORT, out);
  else if (of.type == OBJ_CLOCK) {
    const Clock *clock = &s->constraints->clocks.at[of.id];
    for (uint32_t k = 0; k < clock->sources.len; k++)
      if (pin_is_top_port(n, clock->sources.at[k]))
        array_push(out, (Object){ OBJ_PORT, clock->sources.at[k] });
  }
}

static void nets_of(const Session *s, Object of, ObjectArray *out)
{
  const Netlist *n = s->netlist;
  if (of.type == OBJ_PIN || of.type == OBJ_PORT) add(out, OBJ_NET, n->pins.at[of.id].seg, NO_SEG);
  if (of.type != OBJ_CELL) return;
  for (uint32_t k = 0; k < n->insts.at[of.id].pin_count; k++)
    add(out, OBJ_NET, n->pins.at[n->insts.at[of.id].first_pin + k].seg, NO_SEG);
}

static void cells_of(const Session *s, Object of, bool leaf, ObjectArray *out)
{
  const Netlist *n = s->netlist;
  if (of.type == OBJ_PIN) array_push(out, (Object){ OBJ_CELL, n->pins.at[of.id].inst });
  if (of.type == OBJ_NET || of.type == OBJ_PORT) {
    ObjectArray pins = { 0 };
    pins_of(s, of, leaf, &pins);
    for (uint32_t k = 0; k < pins.len; k++)
      array_push(out, (Object){ OBJ_CELL, n->pins.at[pins.at[k].id].inst });
    array_free(&pins);
  }
  for (InstId i = 1; of.type == OBJ_LIB_CELL && n && i < n->insts.len; i++)
    if (!(n->insts.at[i].flags & INST_DELETED) && netlist_inst_cell(n, i) == of.id)
      array_push(out, (Object){ OBJ_CELL, i });
}

static bool is_clock_source(const Session *s, ClockId c, PinId pin)
{
  const Clock *clock = &s->constraints->clocks.at[c];
  for (uint32_t k = 0; k < clock->sources.len && !clock->deleted; k++)
    if (clock->sources.at[k] == pin) return true;
  return false;
}

/* Returns true if an edge of a clock arrives at a slot as a clock. */
static bool clock_arrives(const Graph *g, Slot slot, ClockId c)
{
  const TagId *tags = tag_set_tags(g->tags, g->nodes.slot_tags[slot]);
  for (uint32_t i = 0; i < tag_set_count(g->tags, g->nodes.slot_tags[slot]); i++) {
    const Tag *tag = &g->tags->tags.at[tags[i]];
    if (tag->is_clock && !tag_is_hidden(tag) && clock_edge_clock(tag->clock_edge) == c) return true;
  }
  return false;
}

/* Returns the clocks defined at a pin.  If none is, returns those whose network contains the
   pin. */
static Status clocks_of(Session *s, Object of, ObjectArray *out)
{
  uint32_t before = out->len;
  if ((of.type != OBJ_PIN && of.type != OBJ_PORT) || s->constraints == NULL
      || s->constraints->clocks.len == 0)
    return OK;
  for (ClockId c = 0; c < s->constraints->clocks.len; c++)
    if (is_clock_source(s, c, of.id)) array_push(out, (Object){ OBJ_CLOCK, c });
  if (out->len > before) return OK;
  Timing *t = session_timing(s, false);
  if (t == NULL) return FAILED;
  Slot slot = graph_arriving_slot(t->g, of.id);
  for (ClockId c = 0; slot != NO_SLOT && c < s->constraints->clocks.len; c++)
    if (clock_arrives(t->g, slot, c)) array_push(out, (Object){ OBJ_CLOCK, c });
  return OK;
}

static void lib_cells_of(const Session *s, Object of, ObjectArray *out)
{
  if (of.type == OBJ_CELL) add(out, OBJ_LIB_CELL, netlist_inst_cell(s->netlist, of.id), NO_CELL);
  if (of.type == OBJ_LIB_PIN)
    array_push(out, (Object){ OBJ_LIB_CELL, s->libs->ports.at[of.id].cell });
  if (of.type == OBJ_PIN) {
    InstId inst = s->netlist->pins.at[of.id].inst;
    if (inst != TOP_INST) add(out, OBJ_LIB_CELL, netlist_inst_cell(s->netlist, inst), NO_CELL);
  }
  for (CellId c = 0; of.type == OBJ_LIB && c < s->libs->cells.len; c++)
    if (s->libs->cells.at[c].library == of.id && !(s->libs->cells.at[c].flags & CELL_SCALED))
      array_push(out, (Object){ OBJ_LIB_CELL, c });
}

static void lib_pins_of(const Session *s, Object of, ObjectArray *out)
{
  if (of.type == OBJ_LIB_CELL) {
    const LibCell *cell = &s->libs->cells.at[of.id];
    for (uint32_t k = 0; k < cell->port_count; k++)
      if (!s->libs->ports.at[cell->first_port + k].is_state)
        array_push(out, (Object){ OBJ_LIB_PIN, cell->first_port + k });
  } else if (of.type == OBJ_PIN) {
    const Pin *pin = &s->netlist->pins.at[of.id];
    if (inst_is_leaf(s->netlist, pin->inst)) array_push(out, (Object){ OBJ_LIB_PIN, pin->port });
  }
}

static void libs_of(const Session *s, Object of, ObjectArray *out)
{
  ObjectArray cells = { 0 };
  if (of.type == OBJ_LIB_CELL) array_push(&cells, of);
  else lib_cells_of(s, of, &cells);
  for (uint32_t k = 0; k < cells.len; k++)
    add(out, OBJ_LIB, s->libs->cells.at[cells.at[k].id].library, NO_LIBRARY);
  array_free(&cells);
}

Status match_of_object(Session *s, uint32_t type, Object of, bool leaf, ObjectArray *out)
{
  switch (type) {
    case OBJ_PIN: pins_of(s, of, leaf, out); break;
    case OBJ_PORT: ports_of(s, of, out); break;
    case OBJ_NET: nets_of(s, of, out); break;
    case OBJ_CELL: cells_of(s, of, leaf, out); break;
    case OBJ_CLOCK: return clocks_of(s, of, out);
    case OBJ_LIB: libs_of(s, of, out); break;
    case OBJ_LIB_CELL: lib_cells_of(s, of, out); break;
    case OBJ_LIB_PIN: lib_pins_of(s, of, out); break;
    default: break;
  }
  return OK;
}

void objects_unique(ObjectArray *objects)
{
  if (objects->len < 2) return;
  Map *seen = map_new();
  uint32_t kept = 0;
  map_reserve(seen, objects->len);
  for (uint32_t i = 0; i < objects->len && !interrupt_seen(); i++) {
    Object o = objects->at[i];
    if (map_get(seen, hash_pair(o.type, o.id)) != MAP_NO_VALUE) continue;
    map_put(seen, hash_pair(o.type, o.id), 1);
    objects->at[kept++] = o;
  }
  objects->len = kept;
  map_free(seen);
}
