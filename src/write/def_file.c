/* Writes a DEF file with the present places, orientations and masters. See def_file.h. */
#include "write/def_file.h"

#include "base/hash.h"
#include "base/output.h"

/* Words in place of others: those of the source from `at` on. */
typedef struct {
  uint64_t at, length;
  size_t   text, text_length;
} Patch;

typedef struct {
  const Placement *p;
  ARRAY(Patch) patches;        /* in the order of the source, and apart */
  Map       *replacement;      /* component of the file that is gone -> the new one of its name */
  Text       texts;
  DefWritten written;
} Patches;

/* Of source, a block of the output. */
enum { BLOCK = 1 << 20 };

/* --- what changes ----------------------------------------------------------------------------- */

/* What was added to texts since `from` stands in place of a part of the source. */
static void add_patch(Patches *s, uint64_t at, uint64_t length, size_t from)
{
  array_push(&s->patches, (Patch){ at, length, from, s->texts.len - from });
}

static const char *status_word(const Component *c)
{
  static const char *const words[] = { "UNPLACED", "PLACED", "FIXED", "COVER" };
  return words[c->status];
}

static void put_place(Text *t, const Component *c)
{
  text_printf(t, "+ %s", status_word(c));
  if (c->status != PLACE_UNPLACED)
    text_printf(t, " ( %d %d ) %s", c->place.x, c->place.y, orient_name((Orient)c->orient));
}

/* Brackets in a name are no bits of a bus. A ";" would end the entry. At the beginning of a word
   other characters mean something too. */
static bool needs_escape(const Placement *p, char c, bool first)
{
  if (c == p->bus_open || c == p->bus_close || c == '\\' || c == ';') return true;
  return first && strchr("#\"()+-*", c) != NULL;
}

static void put_name(Text *t, const Placement *p, const char *name)
{
  for (const char *c = name; *c; c++) {
    if (needs_escape(p, *c, c == name)) text_char(t, '\\');
    text_char(t, *c);
  }
}

/* No escape puts a blank or a control character into a word. */
static bool can_be_written(const char *name)
{
  for (const char *c = name; *c; c++)
    if ((unsigned char)*c <= ' ' || *c == 127) return false;
  return *name != '\0';
}

static void patch_master(Patches *s, const Component *c, const ComponentText *t)
{
  size_t from = s->texts.len;
  if (!(c->flags & COMPONENT_OTHER_MASTER)) return;
  put_name(&s->texts, s->p, names_text(s->p->physical->names, c->master));
  add_patch(s, t->at + t->master, t->master_length, from);
  s->written.masters++;
}

static void patch_place(Patches *s, const Component *c, const ComponentText *t)
{
  size_t from = s->texts.len;
  if (!(c->flags & COMPONENT_CHANGED)) return;
  put_place(&s->texts, c);
  if (t->place_length == 0) text_char(&s->texts, ' ');
  add_patch(s, t->at + t->place, t->place_length, from);
  s->written.moved++;
}

static void put_component(Patches *s, const Component *c)
{
  text_put(&s->texts, "- ");
  put_name(&s->texts, s->p, names_text(s->p->names, c->name));
  text_char(&s->texts, ' ');
  put_name(&s->texts, s->p, names_text(s->p->physical->names, c->master));
  text_char(&s->texts, ' ');
  put_place(&s->texts, c);
  text_put(&s->texts, " ;\n");
}

static bool is_new(const Component *c) { return c->flags & COMPONENT_NEW; }

/* Returns the component of the file that a new one replaces: of its name, and gone. */
static ComponentId replaced(const Placement *p, const Component *c)
{
  ComponentId id = is_new(c) ? placement_component_named(p, c->name) : NO_COMPONENT;
  bool free = id != NO_COMPONENT && !is_new(&p->components.at[id])
              && component_is_gone(p, &p->components.at[id]);
  return free ? id : NO_COMPONENT;
}

/* Is it written at the end? */
static bool is_added(const Placement *p, const Component *c)
{
  return is_new(c) && !component_is_gone(p, c) && replaced(p, c) == NO_COMPONENT;
}

/* Returns the component as it is now: itself, or the new one in its place, whose words all
   count. */
static Component present(const Patches *s, ComponentId id)
{
  uint32_t by = map_get(s->replacement, id);
  if (by == MAP_NO_VALUE) return s->p->components.at[id];
  Component c = s->p->components.at[by];
  c.flags = COMPONENT_CHANGED | COMPONENT_OTHER_MASTER;
  return c;
}

static void patch_count(Patches *s)
{
  size_t from = s->texts.len;
  if (s->written.added == 0 || s->p->components_end == 0) return;
  text_printf(&s->texts, "%u", s->written.components);
  add_patch(s, s->p->component_count.at, s->p->component_count.length, from);
}

/* A file without components gets the section. */
static void patch_end(Patches *s)
{
  const Placement *p = s->p;
  size_t from = s->texts.len;
  bool section = p->components_end != 0;
  if (s->written.added == 0) return;
  if (!section) text_printf(&s->texts, "COMPONENTS %u ;\n", s->written.added);
  for (ComponentId i = 0; i < p->components.len; i++)
    if (is_added(p, &p->components.at[i])) put_component(s, &p->components.at[i]);
  if (!section) text_put(&s->texts, "END COMPONENTS\n");
  add_patch(s, section ? p->components_end : p->design_end, 0, from);
}

static void patch_component(Patches *s, ComponentId id)
{
  Component c = present(s, id);
  if (component_is_gone(s->p, &c) && s->written.gone++ == 0) s->written.first_gone = id;
  patch_master(s, &c, &s->p->component_texts.at[id]);
  patch_place(s, &c, &s->p->component_texts.at[id]);
}

/* Counts the components, and finds those that are replaced. */
static void count_components(Patches *s)
{
  for (ComponentId i = 0; i < s->p->components.len; i++) {
    const Component *c = &s->p->components.at[i];
    ComponentId id = component_is_gone(s->p, c) ? NO_COMPONENT : replaced(s->p, c);
    if (id != NO_COMPONENT) map_put(s->replacement, id, i);
    bool added = is_added(s->p, c);
    s->written.added += added;
    s->written.components += added || !is_new(c);
  }
}

/* Patches are in the order of the source: components stand in the file in the order of their
   ids. */
static void collect(Patches *s)
{
  const Placement *p = s->p;
  s->written.first_gone = NO_COMPONENT;
  count_components(s);
  patch_count(s);
  for (ComponentId i = 0; i < p->components.len; i++)
    if (!is_new(&p->components.at[i])) patch_component(s, i);
  patch_end(s);
}

/* --- the file --------------------------------------------------------------------------------- */

/* The first patch that begins at a place of the source or behind it. */
static uint32_t first_patch(const Patches *s, uint64_t at)
{
  uint32_t low = 0, high = s->patches.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (s->patches.at[middle].at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* A patch is written by the block in which it begins. */
static void format_block(void *data, uint32_t block, Text *out)
{
  const Patches *s = data;
  const Text *source = &s->p->source;
  uint64_t from = (uint64_t)block * BLOCK, to = from + BLOCK;
  if (to > source->len) to = source->len;
  bool last = to == source->len;
  uint32_t i = first_patch(s, from);
  if (i > 0 && s->patches.at[i - 1].at + s->patches.at[i - 1].length > from)
    from = s->patches.at[i - 1].at + s->patches.at[i - 1].length;
  for (; i < s->patches.len && (s->patches.at[i].at < to || last); i++) {
    const Patch *x = &s->patches.at[i];
    text_add(out, source->at + from, x->at - from);
    text_add(out, s->texts.at + x->text, x->text_length);
    from = x->at + x->length;
  }
  if (from < to) text_add(out, source->at + from, to - from);
}

/* Names that words of the output give: those of new components, and of new masters. */
static Status check_names(const Placement *p, Log *log)
{
  for (ComponentId i = 0; i < p->components.len; i++) {
    const Component *c = &p->components.at[i];
    const char *name = names_text(p->names, c->name),
               *master = names_text(p->physical->names, c->master);
    if (component_is_gone(p, c)) continue;
    if (is_new(c) && !can_be_written(name))
      return log_error(log, "DEF-025", NOWHERE,
                       "write_def: the name of cell '%.80s' has a blank or a control character, "
                       "which no name in DEF can have", name);
    if ((is_new(c) || c->flags & COMPONENT_OTHER_MASTER) && !can_be_written(master))
      return log_error(log, "DEF-025", NOWHERE,
                       "write_def: the name '%.80s' of the library cell of %.80s has a blank or a "
                       "control character, which no name in DEF can have", master, name);
  }
  return OK;
}

Status write_def(const Placement *p, const char *path, bool gzip, Log *log, DefWritten *written)
{
  if (check_names(p, log) != OK) return FAILED;
  Patches s = { .p = p, .replacement = map_new() };
  collect(&s);
  Output o = { .path = path,
               .blocks = (uint32_t)((p->source.len + BLOCK - 1) / BLOCK),
               .level = gzip ? 6 : 0,
               .format = format_block,
               .data = &s };
  Status status = output_write(&o, log);
  if (written) *written = s.written;
  map_free(s.replacement);
  array_free(&s.patches);
  text_free(&s.texts);
  return status;
}
