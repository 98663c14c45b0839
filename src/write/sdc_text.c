/* Composes SDC commands as text from numbers, names and lists. */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "write/sdc_private.h"

/* --- numbers ---------------------------------------------------------------------------------- */

static double unit_of(const SdcWriter *w, UnitKind unit)
{
  return (unsigned)unit >= UNIT_COUNT ? 1 : w->o->units.scale[unit];
}

enum { MOST_DIGITS = 40, NUMBER_ROOM = MOST_DIGITS + DBL_MAX_10_EXP + 8 };

/* A value that would become 0 gets this many digits after its zeros. */
int sdcw_showing_digits(double value, int wanted)
{
  char text[NUMBER_ROOM];
  snprintf(text, sizeof text, "%.*f", wanted, value);
  if (value == 0 || strtod(text, NULL) != 0) return wanted;
  int zeros = -(int)floor(log10(fabs(value))) - 1, digits = zeros + (wanted ? wanted : 1);
  return digits < MOST_DIGITS ? digits : MOST_DIGITS;
}

/* Digits after the point: for quantities as many as requested, for counts and factors as many as
   needed (-1). */
static int digits_of(const SdcWriter *w, UnitKind unit, double value)
{
  return unit == SDC_NO_UNIT || w->digits < 0 ? -1 : sdcw_showing_digits(value, w->digits);
}

/* The shortest text that is read back to the same number: readers take the text times the unit. */
static void put_float(SdcWriter *w, float value, UnitKind unit)
{
  char text[NUMBER_ROOM];
  double scale = unit_of(w, unit);
  int wanted = digits_of(w, unit, value / scale);
  if (value == 0) value = 0;                            /* -0 would be read as the integer 0 */
  if (wanted >= 0) snprintf(text, sizeof text, "%.*f", wanted, value / scale);
  for (int digits = 6; wanted < 0 && digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value / scale);
    if ((float)(strtod(text, NULL) * scale) == value) break;
  }
  text_printf(&w->head, " %s", text);
}

/* Dividing by the unit and multiplying again may change the last bit.  Then a neighbouring value is
   written. */
static void put_double(SdcWriter *w, double value, UnitKind unit)
{
  char text[NUMBER_ROOM];
  double scale = unit_of(w, unit);
  int wanted = digits_of(w, unit, value / scale);
  if (value == 0) value = 0;
  double quotient = value / scale,
         tries[] = { quotient, nextafter(quotient, INFINITY), nextafter(quotient, -INFINITY) };
  if (wanted >= 0) snprintf(text, sizeof text, "%.*f", wanted, quotient);
  bool found = wanted >= 0;
  for (int i = 0; i < 3 && !found; i++) {
    for (int digits = 6; digits <= 17 && !found; digits++) {
      snprintf(text, sizeof text, "%.*g", digits, tries[i]);
      found = strtod(text, NULL) * scale == value;
    }
  }
  /* of another unit: the nearest that can be said */
  if (!found) snprintf(text, sizeof text, "%.17g", quotient);
  text_put(&w->head, text);
}

/* --- names ------------------------------------------------------------------------------------ */

/* Returns true if braces around the text keep it unchanged: its braces match, and no backslash
   stands before a brace, before the end of a line, or at the end. */
static bool is_balanced(const char *text)
{
  int depth = 0;
  for (; *text; text++) {
    if (*text == '\\' && (text[1] == '\0' || strchr("{}\\\n", text[1]))) return false;
    depth += (*text == '{') - (*text == '}');
    if (depth < 0) return false;
  }
  return depth == 0;
}

static bool is_plain(const char *text)
{
  if (*text == '\0' || strchr("#\"", *text)) return false;
  for (; *text; text++)
    if (isspace((unsigned char)*text) || strchr("{}\\;$\"", *text)) return false;
  return true;
}

/* A backslash at a line's end would be a blank: line ends and their like have letters. */
static void put_escaped(Text *t, char c)
{
  static const char controls[] = "\n\t\r\v\f", letters[] = "ntrvf";
  const char *control = strchr(controls, c);
  if (control) {
    text_printf(t, "\\%c", letters[control - controls]);
  } else {
    if (strchr(" {}\\;$\"[]#", c)) text_char(t, '\\');
    text_char(t, c);
  }
}

/* An element of a list inside braces, where brackets are plain characters. */
static void put_element(Text *t, const char *text)
{
  if (is_plain(text)) {
    text_put(t, text);
  } else if (is_balanced(text)) {
    text_printf(t, "{%s}", text);
  } else {
    for (; *text; text++) put_escaped(t, *text);
  }
}

/* A word of a command. */
static void put_word(Text *t, const char *text)
{
  if (is_plain(text) && !strpbrk(text, "[]")) text_put(t, text);
  else if (is_balanced(text)) text_printf(t, "{%s}", text);
  else put_element(t, text);
}

/* --- objects ---------------------------------------------------------------------------------- */

Object sdcw_pin_object(const SdcWriter *w, PinId pin)
{
  return (Object){ pin_is_top_port(w->n, pin) ? OBJ_PORT : OBJ_PIN, pin };
}

static bool inst_is_alive(const Netlist *n, InstId inst)
{
  return !(n->insts.at[inst].flags & INST_DELETED);
}

/* Of libraries with the same name (for early and late analysis), a name finds the first, whose
   cells the instances have. */
static bool cell_has_name(const SdcWriter *w, CellId cell)
{
  LibraryId library = w->libs->cells.at[cell].library;
  return library == NO_LIBRARY
         || library_find(w->libs, names_text(w->n->names, w->libs->libraries.at[library].name))
                == library;
}

bool sdcw_is_alive(const SdcWriter *w, Object o)
{
  const Netlist *n = w->n;
  switch (o.type) {
  case OBJ_NONE:
  case OBJ_ARC:
  case OBJ_PATH:
  case OBJ_MODE:
  case OBJ_CORNER:
  case OBJ_SCENARIO: return false;
  case OBJ_PORT:
  case OBJ_PIN: return o.id != NO_PIN && inst_is_alive(n, n->pins.at[o.id].inst);
  case OBJ_CELL: return inst_is_alive(n, o.id);
  case OBJ_NET: return o.id != NO_SEG && !(n->nets.at[n->segs.at[o.id].net].flags & NET_DELETED);
  case OBJ_CLOCK: return !w->c->clocks.at[o.id].deleted;
  case OBJ_LIB_CELL: return cell_has_name(w, o.id);
  case OBJ_LIB_PIN: return cell_has_name(w, w->libs->ports.at[o.id].cell);
  default: return true;
  }
}

static const char *query_of(uint32_t type)
{
  static const char *const queries[OBJ_TYPE_COUNT] = {
    [OBJ_PORT] = "get_ports",         [OBJ_PIN] = "get_pins",        [OBJ_CELL] = "get_cells",
    [OBJ_NET] = "get_nets",           [OBJ_CLOCK] = "get_clocks",    [OBJ_LIB] = "get_libs",
    [OBJ_LIB_CELL] = "get_lib_cells", [OBJ_LIB_PIN] = "get_lib_pins"
  };
  return queries[type];
}

static void put_lib_cell(const SdcWriter *w, CellId id, Text *t)
{
  const LibCell *cell = &w->libs->cells.at[id];
  if (cell->library != NO_LIBRARY)
    text_printf(t, "%s%c", names_text(w->n->names, w->libs->libraries.at[cell->library].name),
                w->o->separator);
  text_put(t, names_text(w->n->names, cell->name));
}

static void put_object_name(const SdcWriter *w, Object o, Text *t)
{
  const Names *names = w->n->names;
  switch (o.type) {
    case OBJ_PORT: text_put(t, names_text(names, netlist_pin_port_name(w->n, o.id))); break;
    case OBJ_PIN: netlist_pin_name(w->n, o.id, w->o->separator, t); break;
    case OBJ_CELL: netlist_inst_name(w->n, o.id, w->o->separator, t); break;
    case OBJ_NET: netlist_seg_name(w->n, o.id, w->o->separator, t); break;
    case OBJ_CLOCK: text_put(t, names_text(names, w->c->clocks.at[o.id].name)); break;
    case OBJ_LIB: text_put(t, names_text(names, w->libs->libraries.at[o.id].name)); break;
    case OBJ_LIB_CELL: put_lib_cell(w, o.id, t); break;
    case OBJ_LIB_PIN:
      put_lib_cell(w, w->libs->ports.at[o.id].cell, t);
      text_printf(t, "%c%s", w->o->separator, names_text(names, w->libs->ports.at[o.id].name));
      break;
    default: break;
  }
}

enum { LINE_WIDTH = 110 };

/* A list of names that begins like an option must not look like one. */
static bool begins_as_option(const char *name)
{
  return name[0] == '-' && isalpha((unsigned char)name[1]);
}

/* [get_ports {a b c}]: of one type; long lists go on in further lines, where the backslash and what
   follows is a blank. */
static void put_query(const SdcWriter *w, const Object *objects, uint32_t count, Text *t,
                      size_t line_start)
{
  Text name = { 0 };
  size_t start = line_start;
  if (objects[0].type == OBJ_DESIGN) {
    text_put(t, "[current_design]");
    return;
  }
  put_object_name(w, objects[0], &name);
  text_printf(t, "[%s %s{", query_of(objects[0].type),
              begins_as_option(text_get(&name)) ? "-- " : "");
  for (uint32_t i = 0; i < count; i++) {
    text_clear(&name);
    put_object_name(w, objects[i], &name);
    bool fits = t->len - start + name.len + 2 < LINE_WIDTH;
    if (i && fits) text_char(t, ' ');
    if (!fits) {
      text_put(t, "\\\n  ");
      start = t->len - 2;
    }
    put_element(t, text_get(&name));
  }
  text_put(t, "}]");
  text_free(&name);
}

/* A word for any objects. */
static void put_objects(const SdcWriter *w, const Object *objects, uint32_t count, Text *t)
{
  uint32_t same = 1;
  while (same < count && objects[same].type == objects[0].type) same++;
  const char *line = t->len ? strrchr(t->at, '\n') : NULL;
  size_t start = line ? (size_t)(line + 1 - t->at) : 0;
  if (count == 0) {
    text_put(t, "{}");
  } else if (same == count) {
    put_query(w, objects, count, t, start);
  } else {
    text_put(t, "[list");
    for (uint32_t from = 0; from < count; from = same) {
      for (same = from + 1; same < count && objects[same].type == objects[from].type; same++) {}
      text_put(t, " \\\n  ");
      put_query(w, objects + from, same - from, t, t->len - 2);
    }
    text_char(t, ']');
  }
}

/* --- commands --------------------------------------------------------------------------------- */

void sdcw_begin(SdcWriter *w, const char *command)
{
  text_clear(&w->head);
  text_put(&w->head, command);
}

void sdcw_flag(SdcWriter *w, const char *flag, bool on)
{
  if (on) text_printf(&w->head, " %s", flag);
}

void sdcw_number(SdcWriter *w, const char *option, UnitKind unit, float value)
{
  if (option) text_printf(&w->head, " %s", option);
  put_float(w, value, unit);
}

void sdcw_double(SdcWriter *w, const char *option, UnitKind unit, double value)
{
  text_printf(&w->head, " %s%s", option ? option : "", option ? " " : "");
  put_double(w, value, unit);
}

void sdcw_int(SdcWriter *w, const char *option, int value)
{
  text_printf(&w->head, " %s%s%d", option ? option : "", option ? " " : "", value);
}

void sdcw_doubles(SdcWriter *w, const char *option, UnitKind unit, const double *at, uint32_t count)
{
  text_printf(&w->head, " %s {", option);
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_char(&w->head, ' ');
    put_double(w, at[i], unit);
  }
  text_char(&w->head, '}');
}

void sdcw_name(SdcWriter *w, const char *option, NameId name)
{
  if (name == NO_NAME) return;
  text_printf(&w->head, " %s%s", option ? option : "", option ? " " : "");
  put_word(&w->head, names_text(w->n->names, name));
}

void sdcw_clock(SdcWriter *w, const char *option, ClockId clock)
{
  if (clock != NO_CLOCK) sdcw_object(w, option, (Object){ OBJ_CLOCK, clock });
}

/* The objects that stand for one: itself, or the leaf pins behind a hierarchical pin; none that are
   gone. */
static void add_object(const SdcWriter *w, Object o, ObjectArray *out)
{
  if (!sdcw_is_alive(w, o)) return;
  if (o.type != OBJ_PIN || w->o->leaf_pins == NULL || !pin_is_hierarchical(w->n, o.id)) {
    array_push(out, o);
    return;
  }
  PinArray leaves = { 0 };
  w->o->leaf_pins(w->n, o.id, &leaves);
  for (uint32_t i = 0; i < leaves.len; i++) array_push(out, sdcw_pin_object(w, leaves.at[i]));
  array_free(&leaves);
}

void sdcw_objects(SdcWriter *w, const char *option, const Object *objects, uint32_t count)
{
  ObjectArray all = { 0 };
  for (uint32_t i = 0; i < count; i++) add_object(w, objects[i], &all);
  text_printf(&w->head, " %s%s", option ? option : "", option ? " " : "");
  put_objects(w, all.at, all.len, &w->head);
  array_free(&all);
}

void sdcw_object(SdcWriter *w, const char *option, Object o) { sdcw_objects(w, option, &o, 1); }

/* The group of the command at hand. */
static SdcGroup *group_of_head(SdcWriter *w)
{
  uint64_t key = (uint64_t)hash_bytes(w->head.at, w->head.len) << 16;
  for (;; key++) {
    uint32_t at = map_get(w->group_of, key);
    if (at == MAP_NO_VALUE) break;
    if (strcmp(w->groups.at[at].head, w->head.at) == 0) return &w->groups.at[at];
  }
  map_put(w->group_of, key, w->groups.len);
  array_push(&w->groups, (SdcGroup){ .head = mem_text(w->head.at, w->head.len) });
  return &w->groups.at[w->groups.len - 1];
}

void sdcw_to(SdcWriter *w, Object o)
{
  ObjectArray all = { 0 };
  add_object(w, o, &all);
  for (uint32_t i = 0; i < all.len; i++) array_push(&group_of_head(w)->objects, all.at[i]);
  array_free(&all);
}

void sdcw_to_pin(SdcWriter *w, PinId pin)
{
  if (pin != NO_PIN) sdcw_to(w, sdcw_pin_object(w, pin));
}

void sdcw_end(SdcWriter *w) { group_of_head(w)->alone = true; }

void sdcw_flush(SdcWriter *w)
{
  for (uint32_t i = 0; i < w->groups.len; i++) {
    SdcGroup *g = &w->groups.at[i];
    if (g->alone) text_printf(&w->out, "%s\n", g->head);
    if (g->objects.len) {
      text_printf(&w->out, "%s ", g->head);
      put_objects(w, g->objects.at, g->objects.len, &w->out);
      text_char(&w->out, '\n');
    }
    mem_free(g->head);
    array_free(&g->objects);
  }
  array_clear(&w->groups);
  map_free(w->group_of);
  w->group_of = map_new();
}

/* --- values by condition ---------------------------------------------------------------------- */

/* Masks that options can say. */
static bool is_plain_mask(uint32_t mask)
{
  return mask == 15 || mask == 3 || mask == 12 || mask == 5 || mask == 10;
}

int sdcw_parts(const float at[CONDITION_COUNT], SdcPart parts[CONDITION_COUNT])
{
  uint32_t left = 0;
  int count = 0;
  for (int k = 0; k < CONDITION_COUNT; k++) left |= (uint32_t)!isnan(at[k]) << k;
  for (uint32_t k = 0; k < CONDITION_COUNT; k++) {
    uint32_t same = 0, best = 1u << k;
    if (!(left >> k & 1)) continue;
    for (uint32_t j = k; j < CONDITION_COUNT; j++)
      same |= (uint32_t)((left >> j & 1) && at[j] == at[k]) << j;
    static const uint32_t masks[] = { 15, 3, 12, 5, 10 };
    for (int m = 0; m < 5 && !is_plain_mask(best); m++)
      if ((masks[m] & same) == masks[m] && (masks[m] >> k & 1)) best = masks[m];
    parts[count++] = (SdcPart){ best, at[k] };
    left &= ~best;
  }
  return count;
}

int sdcw_parts_early_late(const float at[2], SdcPart parts[CONDITION_COUNT])
{
  return sdcw_parts((float[]){ at[EARLY], at[EARLY], at[LATE], at[LATE] }, parts);
}

int sdcw_parts_edges(const float at[2], SdcPart parts[CONDITION_COUNT])
{
  return sdcw_parts((float[]){ at[RISE], at[FALL], at[RISE], at[FALL] }, parts);
}

void sdcw_conditions(SdcWriter *w, uint32_t mask, const char *early, const char *late)
{
  sdcw_flag(w, early, !(mask & 12));
  sdcw_flag(w, late, !(mask & 3));
  sdcw_flag(w, "-rise", !(mask & 10));
  sdcw_flag(w, "-fall", !(mask & 5));
}

void sdcw_values(SdcWriter *w, const char *command, const char *flag, UnitKind unit,
                 const float at[CONDITION_COUNT], Object o)
{
  SdcPart parts[CONDITION_COUNT];
  int count = sdcw_parts(at, parts);
  for (int i = 0; i < count; i++) {
    sdcw_begin(w, command);
    sdcw_flag(w, flag ? flag : "", flag != NULL);
    sdcw_conditions(w, parts[i].mask, "-min", "-max");
    sdcw_number(w, NULL, unit, parts[i].value);
    sdcw_to(w, o);
  }
}
