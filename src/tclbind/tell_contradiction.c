/* Writes the warnings on contradictory constraints. */
#include "tclbind/tell_contradiction.h"

#include "base/text.h"
#include "tclbind/object_value.h"
#include "db/contradiction.h"

static Where where_of(const Session *s, NameId file, uint32_t line)
{
  return file == NO_NAME ? NOWHERE : (Where){ names_text(s->names, file), line, 0 };
}

/* --- the least above the most ----------------------------------------------------------------- */

/* A user's unit in ours. */
static double unit_of(const Session *s, PairKind kind)
{
  switch (kind) {
  case PAIR_PIN_LOAD:
  case PAIR_WIRE_LOAD:
  case PAIR_NET_CAP:
  case PAIR_CAPACITANCE: return s->units.scale[UNIT_CAPACITANCE];
  case PAIR_DRIVE: case PAIR_NET_RESISTANCE: return s->units.scale[UNIT_RESISTANCE];
  case PAIR_FANOUT_NUMBER: case PAIR_DERATE: return 1;
  default: return s->units.scale[UNIT_TIME];
  }
}

typedef struct {
  Session           *s;
  const Constraints *c;
} Teller;

static void add_subject(const Teller *teller, const ValuePair *pair, Text *out)
{
  /* of this mode */
  if (pair->object.type == OBJ_CLOCK)
    text_put(out, names_text(teller->s->names, teller->c->clocks.at[pair->object.id].name));
  else object_name(teller->s, pair->object, out);
  if (pair->clock != NO_CLOCK)
    text_printf(out, " for clock %s",
                names_text(teller->s->names, teller->c->clocks.at[pair->clock].name));
}

static void tell_crossing(void *data, const CrossedPair *pair, Crossed values)
{
  const Teller *teller = data;
  PairKind kind = (PairKind)pair->pair.kind;
  bool early_late = kind == PAIR_SOURCE_LATENCY || kind == PAIR_DERATE;
  double unit = unit_of(teller->s, kind);
  Text subject = { 0 };
  add_subject(teller, &pair->pair, &subject);
  log_warning(teller->s->log, "SDC-005", where_of(teller->s, pair->file, pair->line),
              "%s: the %s of %s is %g, expected at most the %s, %g", pair->command,
              early_late ? "early value" : "minimum", text_get(&subject), values.least / unit,
              early_late ? "late one" : "maximum", values.most / unit);
  text_free(&subject);
}

static const char *bound_name(const Exception *exception)
{
  return exception->type == EXC_MIN_DELAY ? "set_min_delay" : "set_max_delay";
}

static void tell_bounds(void *data, const Exception *earlier, const Exception *later)
{
  const Teller *teller = data;
  double unit = teller->s->units.scale[UNIT_TIME];
  Text place = { 0 };
  if (earlier->file != NO_NAME)
    text_printf(&place, " (%s:%u)", names_text(teller->s->names, earlier->file), earlier->line);
  log_warning(teller->s->log, "SDC-048", where_of(teller->s, later->file, later->line),
              "%s: %g for paths that have %s %g%s, expected at %s that", bound_name(later),
              later->delay / unit, bound_name(earlier), earlier->delay / unit, text_get(&place),
              later->type == EXC_MIN_DELAY ? "most" : "least");
  text_free(&place);
}

/* --- all -------------------------------------------------------------------------------------- */

void contradictions_tell(Session *s)
{
  if (session_reads_sdc(s)) return;
  for (ModeId m = 0; m < s->scenarios->modes.len; m++) {
    Constraints *c = s->scenarios->modes.at[m].constraints;
    if (c == NULL || (c->crossed_pairs.len == 0 && c->judged_exceptions == c->exceptions.len))
      continue;
    Teller t = { s, c };
    constraints_tell_crossings(c, tell_crossing, &t);
    constraints_tell_bounds(c, tell_bounds, &t);
  }
}
