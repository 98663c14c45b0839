/* Counts what a new clock removes from other clocks, before and after it is made, and warns of the
   difference. */
#include "sdc/clock_source.h"

#include "base/hash.h"
#include "base/text.h"
#include "tclbind/object_value.h"

/* A source of the clock that is in the set; NO_PIN. */
static PinId shared_pin(const Clock *k, const Map *sources)
{
  for (uint32_t i = 0; i < k->sources.len; i++)
    if (map_get(sources, k->sources.at[i]) != MAP_NO_VALUE) return k->sources.at[i];
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

TakenSources clock_sources_taken(const Sdc *x, NameId name, const PinArray *sources)
{
  TakenSources t = { 0 };
  Map *pins = args_flag(x->a, "-add") ? NULL : pins_with_clocks(x->c, sources);
  for (ClockId id = 0; pins && id < x->c->clocks.len; id++) {
    const Clock *k = &x->c->clocks.at[id];
    PinId pin = k->deleted || k->name == name ? NO_PIN : shared_pin(k, pins);
    if (pin != NO_PIN) array_push(&t.shared, ((SharedSource){ id, pin }));
  }
  map_free(pins);
  if (t.shared.len) t.before = count_naming(x->c);
  return t;
}

static void add_count(Text *t, uint32_t count, const char *what)
{
  if (count == 0) return;
  text_printf(t, "%s%u %s%s", t->len ? ", " : "; with it went ", count, what,
              count == 1 ? "" : "s");
}

/* Reports what was removed together with clocks. */
static void add_losses(const Sdc *x, const NamingCounts *before, Text *t)
{
  NamingCounts now = count_naming(x->c);
  add_count(t, before->exceptions - now.exceptions, "path exception");
  add_count(t, before->places - now.places, "place in a clock group");
  add_count(t, before->delays - now.delays, "port delay");
}

void clock_sources_tell(const Sdc *x, NameId name, TakenSources *taken)
{
  Text losses = { 0 }, pin = { 0 };
  if (taken->shared.len) add_losses(x, &taken->before, &losses);
  for (uint32_t i = 0; i < taken->shared.len; i++) {
    const Clock *k = &x->c->clocks.at[taken->shared.at[i].clock];
    const char *old = names_text(x->s->names, k->name), *new = names_text(x->s->names, name);
    text_clear(&pin);
    object_name(x->s, (Object){ OBJ_PIN, taken->shared.at[i].pin }, &pin);
    if (k->deleted) {
      log_warning(x->s->log, "SDC-025", x->where,
                  "%s: clock %s is removed: clock %s starts at %s now, and -add is not given%s",
                  x->command, old, new, text_get(&pin), text_get(&losses));
      text_clear(&losses);
    } else {
      log_warning(
          x->s->log, "SDC-026", x->where,
          "%s: clock %s does not start at %s any more: clock %s does, and -add is not given",
          x->command, old, text_get(&pin), new);
    }
  }
  text_free(&losses);
  text_free(&pin);
  array_free(&taken->shared);
}
