/* Composes SDC commands as text from numbers, names and lists. */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "write/sdc_private.h"

/* --- numbers ---------------------------------------------------------------------------------- */

static double unit_of(const SdcWriter *writer, UnitKind unit)
{
  return (unsigned)unit >= UNIT_COUNT ? 1 : writer->options->units.scale[unit];
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
static int digits_of(const SdcWriter *writer, UnitKind unit, double value)
{
  return unit == SDC_NO_UNIT || writer->digits < 0 ? -1
                                                   : sdcw_showing_digits(value, writer->digits);
}

/* The shortest text that is read back to the same number: readers take the text times the unit. */
static void put_float(SdcWriter *writer, float value, UnitKind unit)
{
  char text[NUMBER_ROOM];
  double scale = unit_of(writer, unit);
  int wanted = digits_of(writer, unit, value / scale);
  if (value == 0) value = 0;                            /* -0 would be read as the integer 0 */
  if (wanted >= 0) snprintf(text, sizeof text, "%.*f", wanted, value / scale);
  for (int digits = 6; wanted < 0 && digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value / scale);
    if ((float)(strtod(text, NULL) * scale) == value) break;
  }
  text_printf(&writer->head, " %s", text);
}

/* Dividing by the unit and multiplying again may change the last bit.  Then a neighbouring value is
   written. */
static void put_double(SdcWriter *writer, double value, UnitKind unit)
{
  char text[NUMBER_ROOM];
  double scale = unit_of(writer, unit);
  int wanted = digits_of(writer, unit, value / scale);
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
  text_put(&writer->head, text);
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
static void put_escaped(Text *text, char c)
{
  static const char controls[] = "\n\t\r\v\f", letters[] = "ntrvf";
  const char *control = strchr(controls, c);
  if (control) {
    text_printf(text, "\\%c", letters[control - controls]);
  } else {
    if (strchr(" {}\\;$\"[]#", c)) text_char(text, '\\');
    text_char(text, c);
  }
}

/* An element of a list inside braces, where brackets are plain characters. */
static void put_element(Text *out, const char *text)
{
  if (is_plain(text)) {
    text_put(out, text);
  } else if (is_balanced(text)) {
    text_printf(out, "{%s}", text);
  } else {
    for (; *text; text++) put_escaped(out, *text);
  }
}

/* A word of a command. */
static void put_word(Text *out, const char *text)
{
  if (is_plain(text) && !strpbrk(text, "[]")) text_put(out, text);
  else if (is_balanced(text)) text_printf(out, "{%s}", text);
  else put_element(out, text);
}

/* --- objects ---------------------------------------------------------------------------------- */

Object sdcw_pin_object(const SdcWriter *writer, PinId pin)
{
  return (Object){ pin_is_top_port(writer->n, pin) ? OBJ_PORT : OBJ_PIN, pin };
}

static bool inst_is_alive(const Netlist *n, InstId inst)
{
  return !(n->insts.at[inst].flags & INST_DELETED);
}

/* Of libraries with the same name (for early and late analysis), a name finds the first, whose
   cells the instances have. */
static bool cell_has_name(const SdcWriter *writer, CellId cell)
{
  LibraryId library = writer->libs->cells.at[cell].library;
  return library == NO_LIBRARY
         || library_find(writer->libs,
                         names_text(writer->n->names, writer->libs->libraries.at[library].name))
                == library;
}

bool sdcw_is_alive(const SdcWriter *writer, Object o)
{
  const Netlist *n = writer->n;
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
  case OBJ_CLOCK: return !writer->c->clocks.at[o.id].deleted;
  case OBJ_LIB_CELL: return cell_has_name(writer, o.id);
  case OBJ_LIB_PIN: return cell_has_name(writer, writer->libs->ports.at[o.id].cell);
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

static void put_lib_cell(const SdcWriter *writer, CellId id, Text *text)
{
  const LibCell *cell = &writer->libs->cells.at[id];
  if (cell->library != NO_LIBRARY)
    text_printf(text, "%s%c",
                names_text(writer->n->names, writer->libs->libraries.at[cell->library].name),
                writer->options->separator);
  text_put(text, names_text(writer->n->names, cell->name));
}

static void put_object_name(const SdcWriter *writer, Object o, Text *text)
{
  const Names *names = writer->n->names;
  switch (o.type) {
    case OBJ_PORT: text_put(text, names_text(names, netlist_pin_port_name(writer->n, o.id))); break;
    case OBJ_PIN: netlist_pin_name(writer->n, o.id, writer->options->separator, text); break;
    case OBJ_CELL: netlist_inst_name(writer->n, o.id, writer->options->separator, text); break;
    case OBJ_NET: netlist_seg_name(writer->n, o.id, writer->options->separator, text); break;
    case OBJ_CLOCK: text_put(text, names_text(names, writer->c->clocks.at[o.id].name)); break;
    case OBJ_LIB: text_put(text, names_text(names, writer->libs->libraries.at[o.id].name)); break;
    case OBJ_LIB_CELL: put_lib_cell(writer, o.id, text); break;
    case OBJ_LIB_PIN:
      put_lib_cell(writer, writer->libs->ports.at[o.id].cell, text);
      text_printf(text, "%c%s", writer->options->separator,
                  names_text(names, writer->libs->ports.at[o.id].name));
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
static void put_query(const SdcWriter *writer, const Object *objects, uint32_t count, Text *text,
                      size_t line_start)
{
  Text name = { 0 };
  size_t start = line_start;
  if (objects[0].type == OBJ_DESIGN) {
    text_put(text, "[current_design]");
    return;
  }
  put_object_name(writer, objects[0], &name);
  text_printf(text, "[%s %s{", query_of(objects[0].type),
              begins_as_option(text_get(&name)) ? "-- " : "");
  for (uint32_t i = 0; i < count; i++) {
    text_clear(&name);
    put_object_name(writer, objects[i], &name);
    bool fits = text->len - start + name.len + 2 < LINE_WIDTH;
    if (i && fits) text_char(text, ' ');
    if (!fits) {
      text_put(text, "\\\n  ");
      start = text->len - 2;
    }
    put_element(text, text_get(&name));
  }
  text_put(text, "}]");
  text_free(&name);
}

/* A word for any objects. */
static void put_objects(const SdcWriter *writer, const Object *objects, uint32_t count, Text *text)
{
  uint32_t same = 1;
  while (same < count && objects[same].type == objects[0].type) same++;
  const char *line = text->len ? strrchr(text->at, '\n') : NULL;
  size_t start = line ? (size_t)(line + 1 - text->at) : 0;
  if (count == 0) {
    text_put(text, "{}");
  } else if (same == count) {
    put_query(writer, objects, count, text, start);
  } else {
    text_put(text, "[list");
    for (uint32_t from = 0; from < count; from = same) {
      for (same = from + 1; same < count && objects[same].type == objects[from].type; same++) {}
      text_put(text, " \\\n  ");
      put_query(writer, objects + from, same - from, text, text->len - 2);
    }
    text_char(text, ']');
  }
}

/* --- commands --------------------------------------------------------------------------------- */

void sdcw_begin(SdcWriter *writer, const char *command)
{
  text_clear(&writer->head);
  text_put(&writer->head, command);
}

void sdcw_flag(SdcWriter *writer, const char *flag, bool on)
{
  if (on) text_printf(&writer->head, " %s", flag);
}

void sdcw_number(SdcWriter *writer, const char *option, UnitKind unit, float value)
{
  if (option) text_printf(&writer->head, " %s", option);
  put_float(writer, value, unit);
}

void sdcw_double(SdcWriter *writer, const char *option, UnitKind unit, double value)
{
  text_printf(&writer->head, " %s%s", option ? option : "", option ? " " : "");
  put_double(writer, value, unit);
}

void sdcw_int(SdcWriter *writer, const char *option, int value)
{
  text_printf(&writer->head, " %s%s%d", option ? option : "", option ? " " : "", value);
}

void sdcw_doubles(SdcWriter *writer, const char *option, UnitKind unit, const double *at,
                  uint32_t count)
{
  text_printf(&writer->head, " %s {", option);
  for (uint32_t i = 0; i < count; i++) {
    if (i) text_char(&writer->head, ' ');
    put_double(writer, at[i], unit);
  }
  text_char(&writer->head, '}');
}

void sdcw_name(SdcWriter *writer, const char *option, NameId name)
{
  if (name == NO_NAME) return;
  text_printf(&writer->head, " %s%s", option ? option : "", option ? " " : "");
  put_word(&writer->head, names_text(writer->n->names, name));
}

void sdcw_clock(SdcWriter *writer, const char *option, ClockId clock)
{
  if (clock != NO_CLOCK) sdcw_object(writer, option, (Object){ OBJ_CLOCK, clock });
}

/* The objects that stand for one: itself, or the leaf pins behind a hierarchical pin; none that are
   gone. */
static void add_object(const SdcWriter *writer, Object o, ObjectArray *out)
{
  if (!sdcw_is_alive(writer, o)) return;
  if (o.type != OBJ_PIN || writer->options->leaf_pins == NULL
      || !pin_is_hierarchical(writer->n, o.id)) {
    array_push(out, o);
    return;
  }
  PinArray leaves = { 0 };
  writer->options->leaf_pins(writer->n, o.id, &leaves);
  for (uint32_t i = 0; i < leaves.len; i++) array_push(out, sdcw_pin_object(writer, leaves.at[i]));
  array_free(&leaves);
}

void sdcw_objects(SdcWriter *writer, const char *option, const Object *objects, uint32_t count)
{
  ObjectArray all = { 0 };
  for (uint32_t i = 0; i < count; i++) add_object(writer, objects[i], &all);
  text_printf(&writer->head, " %s%s", option ? option : "", option ? " " : "");
  put_objects(writer, all.at, all.len, &writer->head);
  array_free(&all);
}

void sdcw_object(SdcWriter *writer, const char *option, Object o)
{
  sdcw_objects(writer, option, &o, 1);
}

/* The group of the command at hand. */
static SdcGroup *group_of_head(SdcWriter *writer)
{
  uint64_t key = (uint64_t)hash_bytes(writer->head.at, writer->head.len) << 16;
  for (;; key++) {
    uint32_t at = map_get(writer->group_of, key);
    if (at == MAP_NO_VALUE) break;
    if (strcmp(writer->groups.at[at].head, writer->head.at) == 0) return &writer->groups.at[at];
  }
  map_put(writer->group_of, key, writer->groups.len);
  array_push(&writer->groups, (SdcGroup){ .head = mem_text(writer->head.at, writer->head.len) });
  return &writer->groups.at[writer->groups.len - 1];
}

void sdcw_to(SdcWriter *writer, Object o)
{
  ObjectArray all = { 0 };
  add_object(writer, o, &all);
  for (uint32_t i = 0; i < all.len; i++) array_push(&group_of_head(writer)->objects, all.at[i]);
  array_free(&all);
}

void sdcw_to_pin(SdcWriter *writer, PinId pin)
{
  if (pin != NO_PIN) sdcw_to(writer, sdcw_pin_object(writer, pin));
}

void sdcw_end(SdcWriter *writer) { group_of_head(writer)->alone = true; }

void sdcw_flush(SdcWriter *writer)
{
  for (uint32_t i = 0; i < writer->groups.len; i++) {
    SdcGroup *group = &writer->groups.at[i];
    if (group->alone) text_printf(&writer->out, "%s\n", group->head);
    if (group->objects.len) {
      text_printf(&writer->out, "%s ", group->head);
      put_objects(writer, group->objects.at, group->objects.len, &writer->out);
      text_char(&writer->out, '\n');
    }
    mem_free(group->head);
    array_free(&group->objects);
  }
  array_clear(&writer->groups);
  map_free(writer->group_of);
  writer->group_of = map_new();
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

void sdcw_conditions(SdcWriter *writer, uint32_t mask, const char *early, const char *late)
{
  sdcw_flag(writer, early, !(mask & 12));
  sdcw_flag(writer, late, !(mask & 3));
  sdcw_flag(writer, "-rise", !(mask & 10));
  sdcw_flag(writer, "-fall", !(mask & 5));
}

void sdcw_values(SdcWriter *writer, const char *command, const char *flag, UnitKind unit,
                 const float at[CONDITION_COUNT], Object o)
{
  SdcPart parts[CONDITION_COUNT];
  int count = sdcw_parts(at, parts);
  for (int i = 0; i < count; i++) {
    sdcw_begin(writer, command);
    sdcw_flag(writer, flag ? flag : "", flag != NULL);
    sdcw_conditions(writer, parts[i].mask, "-min", "-max");
    sdcw_number(writer, NULL, unit, parts[i].value);
    sdcw_to(writer, o);
  }
}
