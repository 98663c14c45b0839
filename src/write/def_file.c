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
  const Placement *placement;
  ARRAY(Patch) patches;        /* in the order of the source, and apart */
  Map       *replacement;      /* component of the file that is gone -> the new one of its name */
  Text       texts;
  DefWritten written;
} Patches;

/* Of source, a block of the output. */
enum { BLOCK = 1 << 20 };

/* --- what changes ----------------------------------------------------------------------------- */

/* What was added to texts since `from` stands in place of a part of the source. */
static void add_patch(Patches *patches, uint64_t at, uint64_t length, size_t from)
{
  array_push(&patches->patches, (Patch){ at, length, from, patches->texts.len - from });
}

static const char *status_word(const Component *component)
{
  static const char *const words[] = { "UNPLACED", "PLACED", "FIXED", "COVER" };
  return words[component->status];
}

static void put_place(Text *text, const Component *component)
{
  text_printf(text, "+ %s", status_word(component));
  if (component->status != PLACE_UNPLACED)
    text_printf(text, " ( %d %d ) %s", component->place.x, component->place.y,
                orient_name((Orient)component->orient));
}

/* Brackets in a name are no bits of a bus. A ";" would end the entry. At the beginning of a word
   other characters mean something too. */
static bool needs_escape(const Placement *placement, char c, bool first)
{
  if (c == placement->bus_open || c == placement->bus_close || c == '\\' || c == ';') return true;
  return first && strchr("#\"()+-*", c) != NULL;
}

static void put_name(Text *text, const Placement *placement, const char *name)
{
  for (const char *word = name; *word; word++) {
    if (needs_escape(placement, *word, word == name)) text_char(text, '\\');
    text_char(text, *word);
  }
}

/* No escape puts a blank or a control character into a word. */
static bool can_be_written(const char *name)
{
  for (const char *text = name; *text; text++)
    if ((unsigned char)*text <= ' ' || *text == 127) return false;
  return *name != '\0';
}

static void patch_master(Patches *patches, const Component *component, const ComponentText *text)
{
  size_t from = patches->texts.len;
  if (!(component->flags & COMPONENT_OTHER_MASTER)) return;
  put_name(&patches->texts, patches->placement,
           names_text(patches->placement->physical->names, component->master));
  add_patch(patches, text->at + text->master, text->master_length, from);
  patches->written.masters++;
}

static void patch_place(Patches *patches, const Component *component, const ComponentText *text)
{
  size_t from = patches->texts.len;
  if (!(component->flags & COMPONENT_CHANGED)) return;
  put_place(&patches->texts, component);
  if (text->place_length == 0) text_char(&patches->texts, ' ');
  add_patch(patches, text->at + text->place, text->place_length, from);
  patches->written.moved++;
}

static void put_component(Patches *patches, const Component *component)
{
  text_put(&patches->texts, "- ");
  put_name(&patches->texts, patches->placement,
           names_text(patches->placement->names, component->name));
  text_char(&patches->texts, ' ');
  put_name(&patches->texts, patches->placement,
           names_text(patches->placement->physical->names, component->master));
  text_char(&patches->texts, ' ');
  put_place(&patches->texts, component);
  text_put(&patches->texts, " ;\n");
}

static bool is_new(const Component *component) { return component->flags & COMPONENT_NEW; }

/* Returns the component of the file that a new one replaces: of its name, and gone. */
static ComponentId replaced(const Placement *placement, const Component *component)
{
  ComponentId id =
      is_new(component) ? placement_component_named(placement, component->name) : NO_COMPONENT;
  bool free = id != NO_COMPONENT && !is_new(&placement->components.at[id])
              && component_is_gone(placement, &placement->components.at[id]);
  return free ? id : NO_COMPONENT;
}

/* Is it written at the end? */
static bool is_added(const Placement *placement, const Component *component)
{
  return is_new(component) && !component_is_gone(placement, component)
         && replaced(placement, component) == NO_COMPONENT;
}

/* Returns the component as it is now: itself, or the new one in its place, whose words all
   count. */
static Component present(const Patches *patches, ComponentId id)
{
  uint32_t by = map_get(patches->replacement, id);
  if (by == MAP_NO_VALUE) return patches->placement->components.at[id];
  Component c = patches->placement->components.at[by];
  c.flags = COMPONENT_CHANGED | COMPONENT_OTHER_MASTER;
  return c;
}

static void patch_count(Patches *patches)
{
  size_t from = patches->texts.len;
  if (patches->written.added == 0 || patches->placement->components_end == 0) return;
  text_printf(&patches->texts, "%u", patches->written.components);
  add_patch(patches, patches->placement->component_count.at,
            patches->placement->component_count.length, from);
}

/* A file without components gets the section. */
static void patch_end(Patches *patches)
{
  const Placement *placement = patches->placement;
  size_t from = patches->texts.len;
  bool section = placement->components_end != 0;
  if (patches->written.added == 0) return;
  if (!section) text_printf(&patches->texts, "COMPONENTS %u ;\n", patches->written.added);
  for (ComponentId i = 0; i < placement->components.len; i++)
    if (is_added(placement, &placement->components.at[i]))
      put_component(patches, &placement->components.at[i]);
  if (!section) text_put(&patches->texts, "END COMPONENTS\n");
  add_patch(patches, section ? placement->components_end : placement->design_end, 0, from);
}

static void patch_component(Patches *patches, ComponentId id)
{
  Component c = present(patches, id);
  if (component_is_gone(patches->placement, &c) && patches->written.gone++ == 0)
    patches->written.first_gone = id;
  patch_master(patches, &c, &patches->placement->component_texts.at[id]);
  patch_place(patches, &c, &patches->placement->component_texts.at[id]);
}

/* Counts the components, and finds those that are replaced. */
static void count_components(Patches *patches)
{
  for (ComponentId i = 0; i < patches->placement->components.len; i++) {
    const Component *component = &patches->placement->components.at[i];
    ComponentId id = component_is_gone(patches->placement, component)
                         ? NO_COMPONENT
                         : replaced(patches->placement, component);
    if (id != NO_COMPONENT) map_put(patches->replacement, id, i);
    bool added = is_added(patches->placement, component);
    patches->written.added += added;
    patches->written.components += added || !is_new(component);
  }
}

/* Patches are in the order of the source: components stand in the file in the order of their
   ids. */
static void collect(Patches *patches)
{
  const Placement *placement = patches->placement;
  patches->written.first_gone = NO_COMPONENT;
  count_components(patches);
  patch_count(patches);
  for (ComponentId i = 0; i < placement->components.len; i++)
    if (!is_new(&placement->components.at[i])) patch_component(patches, i);
  patch_end(patches);
}

/* --- the file --------------------------------------------------------------------------------- */

/* The first patch that begins at a place of the source or behind it. */
static uint32_t first_patch(const Patches *patches, uint64_t at)
{
  uint32_t low = 0, high = patches->patches.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (patches->patches.at[middle].at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* A patch is written by the block in which it begins. */
static void format_block(void *data, uint32_t block, Text *out)
{
  const Patches *patches = data;
  const Text *source = &patches->placement->source;
  uint64_t from = (uint64_t)block * BLOCK, to = from + BLOCK;
  if (to > source->len) to = source->len;
  bool last = to == source->len;
  uint32_t i = first_patch(patches, from);
  if (i > 0 && patches->patches.at[i - 1].at + patches->patches.at[i - 1].length > from)
    from = patches->patches.at[i - 1].at + patches->patches.at[i - 1].length;
  for (; i < patches->patches.len && (patches->patches.at[i].at < to || last); i++) {
    const Patch *patch = &patches->patches.at[i];
    text_add(out, source->at + from, patch->at - from);
    text_add(out, patches->texts.at + patch->text, patch->text_length);
    from = patch->at + patch->length;
  }
  if (from < to) text_add(out, source->at + from, to - from);
}

/* Names that words of the output give: those of new components, and of new masters. */
static Status check_names(const Placement *placement, Log *log)
{
  for (ComponentId i = 0; i < placement->components.len; i++) {
    const Component *component = &placement->components.at[i];
    const char *name = names_text(placement->names, component->name),
               *master = names_text(placement->physical->names, component->master);
    if (component_is_gone(placement, component)) continue;
    if (is_new(component) && !can_be_written(name))
      return log_error(log, "DEF-025", NOWHERE,
                       "write_def: the name of cell '%.80s' has a blank or a control character, "
                       "which no name in DEF can have", name);
    if ((is_new(component) || component->flags & COMPONENT_OTHER_MASTER) && !can_be_written(master))
      return log_error(log, "DEF-025", NOWHERE,
                       "write_def: the name '%.80s' of the library cell of %.80s has a blank or a "
                       "control character, which no name in DEF can have", master, name);
  }
  return OK;
}

Status write_def(const Placement *placement, const char *path, bool gzip, Log *log,
                 DefWritten *written)
{
  if (check_names(placement, log) != OK) return FAILED;
  Patches s = { .placement = placement, .replacement = map_new() };
  collect(&s);
  Output o = { .path = path,
               .blocks = (uint32_t)((placement->source.len + BLOCK - 1) / BLOCK),
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
