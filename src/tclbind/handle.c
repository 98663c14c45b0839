/* Chooses the text of an object: tests whether its bare name would be found first, and remembers
   which names are texts of objects. */
#include "tclbind/handle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "db/clock_ports.h"
#include "tclbind/match.h"

const uint8_t handle_kinds[] = {
  OBJ_CLOCK, OBJ_PORT, OBJ_PIN, OBJ_CELL, OBJ_NET, OBJ_LIB, OBJ_LIB_CELL, OBJ_LIB_PIN, OBJ_DESIGN,
  OBJ_SCENARIO, OBJ_MODE, OBJ_CORNER, OBJ_NONE };

/* --- names that are texts --------------------------------------------------------------------- */

/* Which objects have their bare name as their text, a bit each. */
typedef struct GivenTexts {
  ARRAY(uint64_t) given[OBJ_TYPE_COUNT];      /* by id; of clocks, which modes number, by NameId */
  uint8_t        *clock_ports;                /* by place among the top's pins; NULL: not known
                                                 yet */
} GivenTexts;

static GivenTexts *texts_of(Session *s)
{
  if (s->texts == NULL) s->texts = mem_alloc_zero(1, sizeof *s->texts);
  return s->texts;
}

void handle_forget_texts(Session *s)
{
  for (uint32_t type = 0; s->texts && type < OBJ_TYPE_COUNT; type++)
    array_free(&s->texts->given[type]);
  if (s->texts) mem_free(s->texts->clock_ports);
  mem_free(s->texts);
  s->texts = NULL;
}

static bool is_given(const Session *s, uint32_t type, uint32_t id)
{
  return s->texts && id / 64 < s->texts->given[type].len &&
         s->texts->given[type].at[id / 64] >> id % 64 & 1;
}

static void give(Session *s, uint32_t type, uint32_t id)
{
  GivenTexts *texts = texts_of(s);
  if (id / 64 >= texts->given[type].len) array_resize(&texts->given[type], id / 64 + 1);
  texts->given[type].at[id / 64] |= (uint64_t)1 << id % 64;
}

static bool any_given(const Session *s, uint32_t type)
{
  return s->texts && s->texts->given[type].len;
}

static bool is_given_object(Session *s, uint32_t type, const char *name, Object *object)
{
  ObjectArray found = { 0 };
  if (!any_given(s, type)) return false;
  bool is = match_exact(s, type, name, &found) && found.len == 1;
  if (is) *object = found.at[0];
  array_free(&found);
  if (!is) return false;
  return is_given(s, type,
                  type == OBJ_CLOCK ? s->constraints->clocks.at[object->id].name : object->id);
}

/* Clocks come last.  A clock whose text is its name although another object has that name was
   removed and made again. */
bool handle_given(Session *s, unsigned kinds, const char *name, Object *object)
{
  if (s->texts == NULL) return false;
  for (const uint8_t *kind = handle_kinds; *kind != OBJ_NONE; kind++)
    if (kinds & OBJ_BIT(*kind) && *kind != OBJ_CLOCK && is_given_object(s, *kind, name, object))
      return true;
  return kinds & OBJ_BIT(OBJ_CLOCK) && is_given_object(s, OBJ_CLOCK, name, object);
}

bool handle_of_name(Session *s, const char *name, Object *object)
{
  ObjectArray found = { 0 };
  if (handle_given(s, ~0u, name, object) || match_cell_first(s, name, object)) return true;
  for (const uint8_t *kind = handle_kinds; *kind != OBJ_NONE && found.len == 0; kind++)
    match_exact(s, *kind, name, &found);
  bool is = found.len == 1;
  if (is) *object = found.at[0];
  array_free(&found);
  return is;
}

/* A clock is most often called as its port is: there the name is left to the clock from the
   first. */
static bool is_clock_port(Session *s, Object o)
{
  if (o.type != OBJ_PORT) return false;
  GivenTexts *texts = texts_of(s);
  if (texts->clock_ports == NULL) texts->clock_ports = clock_ports(s->netlist);
  return texts->clock_ports[o.id - s->netlist->insts.at[TOP_INST].first_pin];
}

/* --- does a name stand for one object alone? -------------------------------------------------- */

/* Scripts keep objects while they change modes, so the clocks of all modes count. */
static bool is_clock(const Session *s, const char *name)
{
  NameId id = names_find(s->names, name, strlen(name));
  for (ModeId m = 0; id != NO_NAME && m < s->scenarios->modes.len; m++) {
    const Constraints *c = s->scenarios->modes.at[m].constraints;
    if (c && constraints_find_clock(c, id) != NO_CLOCK) return true;
  }
  return false;
}

/* With its kind, as bare names are: it means this object and no other. */
static bool finds(Session *s, Object o, const char *name)
{
  ObjectArray found = { 0 };
  bool is = match_exact(s, o.type, name, &found) && found.len == 1 && found.at[0].id == o.id;
  array_free(&found);
  return is;
}

static bool is_any(Session *s, uint32_t type, const char *name)
{
  if (type == OBJ_CLOCK) return is_clock(s, name);
  ObjectArray found = { 0 };
  bool is = match_exact(s, type, name, &found);
  array_free(&found);
  return is;
}

/* Lists and evaluation take backslashes away: a name with one stands for nothing alone. */
static bool is_plain(Session *s, const char *name)
{
  Object other;
  return !strchr(name, '\\') && handle_object(s, name, &other) == VALUE_OTHER;
}

static bool stands_alone(Session *s, Object o, const char *name)
{
  Object other;
  if (!is_plain(s, name) || !finds(s, o, name)) return false;
  if (is_given(s, o.type, o.id)) return true;
  if (is_clock_port(s, o)) return false;
  for (const uint8_t *kind = handle_kinds; *kind != OBJ_NONE && *kind != o.type; kind++)
    if (is_any(s, *kind, name)) return false;
  return !handle_given(s, ~OBJ_BIT(OBJ_CLOCK), name, &other);
}

static InstId look_from(Session *s, InstId inst)
{
  InstId before = s->current_instance;
  s->current_instance = inst;
  return before;
}

static bool stands_alone_at_top(Session *s, Object o, const char *name)
{
  InstId here = look_from(s, TOP_INST);
  bool is = stands_alone(s, o, name);
  look_from(s, here);
  return is;
}

static bool finds_at_top(Session *s, Object o, const char *name)
{
  InstId here = look_from(s, TOP_INST);
  bool is = finds(s, o, name);
  look_from(s, here);
  return is;
}

/* Commands take modes, corners and scenarios by name, and each option only one of these kinds. */
static bool is_known_by_name(uint32_t type)
{
  return type == OBJ_PATH || type == OBJ_ARC || type == OBJ_SCENARIO || type == OBJ_MODE ||
         type == OBJ_CORNER;
}

void handle_clock_text(Session *s, NameId clock, Text *text)
{
  Object other;
  const char *name = names_text(s->names, clock);
  bool taken = handle_given(s, ~OBJ_BIT(OBJ_CLOCK), name, &other);
  if (taken || !is_plain(s, name)) text_printf(text, "%s:", object_type_name(OBJ_CLOCK));
  else give(s, OBJ_CLOCK, clock);
  text_put(text, name);
}

static void other_text(Session *s, Object o, Text *text)
{
  Text own = { 0 };
  object_name(s, o, &own);
  const char *name = text_get(&own);
  bool enough = is_known_by_name(o.type) || !object_is_alive(s, o);
  if (!enough && s->current_instance != TOP_INST)
    enough = stands_alone(s, o, name) && stands_alone_at_top(s, o, name);
  else if (!enough) enough = stands_alone(s, o, name);
  if (!enough) {
    text_put(text, object_type_name(o.type));
    if (strchr(name, '\\') || !finds_at_top(s, o, name)) text_printf(text, "#%u", o.id);
    text_char(text, ':');
  } else if (!is_known_by_name(o.type) && object_is_alive(s, o)) {
    give(s, o.type, o.id);
  }
  text_add(text, name, own.len);
  text_free(&own);
}

void handle_text(Session *s, Object o, Text *text)
{
  if (o.type != OBJ_CLOCK || !object_is_alive(s, o)) other_text(s, o, text);
  else handle_clock_text(s, s->constraints->clocks.at[o.id].name, text);
}

/* --- texts to objects ------------------------------------------------------------------------- */

/* Returns the kind at the start of a text, and its length; OBJ_NONE: no kind, or no : or # follows
   it. */
static uint32_t kind_of(const char *text, size_t *length)
{
  size_t n = 0;
  while (islower((unsigned char)text[n]) || text[n] == '_') n++;
  if (n == 0 || (text[n] != ':' && text[n] != '#')) return OBJ_NONE;
  for (uint32_t type = OBJ_DESIGN; type < OBJ_TYPE_COUNT; type++)
    if (strncmp(object_type_name(type), text, n) == 0 && object_type_name(type)[n] == '\0') {
      *length = n;
      return type;
    }
  return OBJ_NONE;
}

/* The same name, whatever backslashes are left of it? */
static bool same_name(const char *a, const char *b)
{
  for (;; a++, b++) {
    while (*a == '\\') a++;
    while (*b == '\\') b++;
    if (*a != *b || *a == '\0') return *a == *b;
  }
}

/* TYPE#ID of a path, TYPE#ID:NAME of others: an id that has the name no more is another
   object's. */
static ValueState by_id(Session *s, const char *digits, Object *object)
{
  char *end;
  unsigned long id = strtoul(digits, &end, 10);
  char after = object->type == OBJ_PATH ? '\0' : ':';
  if (!isdigit((unsigned char)*digits) || id >= UINT32_MAX || *end != after) return VALUE_OTHER;
  object->id = (uint32_t)id;
  if (!object_is_alive(s, *object)) return VALUE_STALE;
  if (object->type == OBJ_PATH) return VALUE_OBJECT;
  Text name = { 0 };
  object_name(s, *object, &name);
  bool same = same_name(text_get(&name), end + 1);
  text_free(&name);
  return same ? VALUE_OBJECT : VALUE_STALE;
}

static ValueState by_name(Session *s, const char *name, Object *object)
{
  ObjectArray found = { 0 };
  InstId here = look_from(s, TOP_INST);
  bool is = match_exact(s, object->type, name, &found) && found.len == 1;
  look_from(s, here);
  if (is) *object = found.at[0];
  array_free(&found);
  return is ? VALUE_OBJECT : VALUE_OTHER;
}

ValueState handle_object(Session *s, const char *text, Object *object)
{
  size_t n = 0;
  object->type = kind_of(text, &n);
  if (object->type == OBJ_NONE) return VALUE_OTHER;
  return text[n] == '#' ? by_id(s, text + n + 1, object) : by_name(s, text + n + 1, object);
}
