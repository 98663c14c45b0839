/* Counts what a new clock removes from other clocks, before and after it is made, and warns of the
   difference. */
#include "sdc/clock_source.h"

#include "base/hash.h"
#include "base/text.h"
#include "tclbind/object_value.h"

/* A source of the clock that is in the set; NO_PIN. */
static PinId shared_pin(const Clock *clock, const Map *sources)
{
  for (uint32_t i = 0; i < clock->sources.len; i++)
    if (map_get(sources, clock->sources.at[i]) != MAP_NO_VALUE) return clock->sources.at[i];
  return NO_PIN;
}

/* The pins of the list at which clocks began before; NULL: there are none. */
static Map *pins_with_clocks(const Constraints *c, const PinArray *sources)
{
  Map *pins = NULL;
  for (uint32_t i = 0; i < sources->len; i++) {
    if (!constraints_had_clock(c, sources->at[i])) continue;
    if (pins == NULL) pins = map_new();
    map_put(pins, sources->at[i], 1);
  }
  return pins;
}

static NamingCounts count_naming(const Constraints *c)
{
  NamingCounts n = { .delays = c->input_delays.len + c->output_delays.len };
  for (ExceptionId i = 0; i < c->exceptions.len; i++) n.exceptions += !c->exceptions.at[i].deleted;
  for (uint32_t i = 0; i < c->clock_groups.len; i++)
    if (!c->clock_groups.at[i].deleted) n.places += c->clock_groups.at[i].group_of.len / 2;
  return n;
}

TakenSources clock_sources_taken(const Sdc *sdc, NameId name, const PinArray *sources)
{
  TakenSources t = { 0 };
  Map *pins = args_flag(sdc->a, "-add") ? NULL : pins_with_clocks(sdc->c, sources);
  for (ClockId id = 0; pins && id < sdc->c->clocks.len; id++) {
    const Clock *clock = &sdc->c->clocks.at[id];
    PinId pin = clock->deleted || clock->name == name ? NO_PIN : shared_pin(clock, pins);
    if (pin != NO_PIN) array_push(&t.shared, ((SharedSource){ id, pin }));
  }
  map_free(pins);
  if (t.shared.len) t.before = count_naming(sdc->c);
  return t;
}

static void add_count(Text *text, uint32_t count, const char *what)
{
  if (count == 0) return;
  text_printf(text, "%s%u %s%s", text->len ? ", " : "; with it went ", count, what,
              count == 1 ? "" : "s");
}

/* Reports what was removed together with clocks. */
static void add_losses(const Sdc *sdc, const NamingCounts *before, Text *text)
{
  NamingCounts now = count_naming(sdc->c);
  add_count(text, before->exceptions - now.exceptions, "path exception");
  add_count(text, before->places - now.places, "place in a clock group");
  add_count(text, before->delays - now.delays, "port delay");
}

void clock_sources_tell(const Sdc *sdc, NameId name, TakenSources *taken)
{
  Text losses = { 0 }, pin = { 0 };
  if (taken->shared.len) add_losses(sdc, &taken->before, &losses);
  for (uint32_t i = 0; i < taken->shared.len; i++) {
    const Clock *clock = &sdc->c->clocks.at[taken->shared.at[i].clock];
    const char *old = names_text(sdc->s->names, clock->name),
               *new = names_text(sdc->s->names, name);
    text_clear(&pin);
    object_name(sdc->s, (Object){ OBJ_PIN, taken->shared.at[i].pin }, &pin);
    if (clock->deleted) {
      log_warning(sdc->s->log, "SDC-025", sdc->where,
                  "%s: clock %s is removed: clock %s starts at %s now, and -add is not given%s",
                  sdc->command, old, new, text_get(&pin), text_get(&losses));
      text_clear(&losses);
    } else {
      log_warning(
          sdc->s->log, "SDC-026", sdc->where,
          "%s: clock %s does not start at %s any more: clock %s does, and -add is not given",
          sdc->command, old, text_get(&pin), new);
    }
  }
  text_free(&losses);
  text_free(&pin);
  array_free(&taken->shared);
}
