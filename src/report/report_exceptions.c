/* Writes report_exceptions: each exception as a command, with its effect. */
#include "report/report_exceptions.h"

#include <math.h>

enum { SHOWN_OBJECTS = 4 };

/* --- the command ------------------------------------------------------------------------------ */
static void put_object(const Sheet *s, Object o)
{
  switch (o.type) {
  case OBJ_CLOCK:
    text_put(s->out, names_text(s->netlist->names, s->constraints->clocks.at[o.id].name));
    break;
  case OBJ_CELL: netlist_inst_name(s->netlist, o.id, s->separator, s->out); break;
  case OBJ_NET: netlist_seg_name(s->netlist, o.id, s->separator, s->out); break;
  default: sheet_pin(s, s->out, o.id); break;
  }
}

static void put_point(const Sheet *s, const char *name, const ExceptionPoint *p, bool all)
{
  uint32_t shown = all || p->objects.len <= SHOWN_OBJECTS ? p->objects.len : SHOWN_OBJECTS - 1;
  bool braces = p->objects.len > 1;
  text_printf(s->out, " -%s%s %s",
              p->edges == EDGE_RISE   ? "rise_"
              : p->edges == EDGE_FALL ? "fall_"
                                      : "",
              name, braces ? "{" : "");
  for (uint32_t i = 0; i < shown; i++) {
    if (i) text_char(s->out, ' ');
    put_object(s, p->objects.at[i]);
  }
  if (shown < p->objects.len) text_printf(s->out, " and %u more", p->objects.len - shown);
  if (braces) text_char(s->out, '}');
}

static void put_group(const Sheet *s, const Exception *e)
{
  if (e->group == NO_NAME) text_put(s->out, " -default");
  else text_printf(s->out, " -name %s", names_text(s->netlist->names, e->group));
}

static void put_value(const Sheet *s, const Exception *e)
{
  if (e->type == EXC_GROUP) put_group(s, e);
  if (e->type == EXC_MULTICYCLE) text_printf(s->out, " %d", e->cycles);
  if (e->type != EXC_MAX_DELAY && e->type != EXC_MIN_DELAY && e->type != EXC_PATH_MARGIN) return;
  text_char(s->out, ' ');
  sheet_number(s, s->out, e->delay / s->units->scale[UNIT_TIME]);
}

static void put_flags(const Sheet *s, const Exception *e)
{
  bool by_check = e->type == EXC_FALSE || e->type == EXC_MULTICYCLE || e->type == EXC_PATH_MARGIN;
  if (by_check && e->checks == 1 << SETUP) text_put(s->out, " -setup");
  if (by_check && e->checks == 1 << HOLD) text_put(s->out, " -hold");
  if (e->type == EXC_MULTICYCLE && e->cycles_side_given)
    text_put(s->out, e->cycles_of_start ? " -start" : " -end");
  if (e->end_edges == EDGE_RISE) text_put(s->out, " -rise");
  if (e->end_edges == EDGE_FALL) text_put(s->out, " -fall");
  if (e->ignore_clock_latency) text_put(s->out, " -ignore_clock_latency");
  if (e->probe) text_put(s->out, " -probe");
}

static void put_command(const Sheet *s, const Exception *e, bool all)
{
  text_put(s->out, exception_command(e));
  put_value(s, e);
  put_flags(s, e);
  if (e->has_from) put_point(s, "from", &e->from, all);
  for (uint32_t i = 0; i < e->through.len; i++) put_point(s, "through", &e->through.at[i], all);
  if (e->has_to) put_point(s, "to", &e->to, all);
}

/* --- what becomes of it ----------------------------------------------------------------------- */
static void put_count(const Sheet *s, uint32_t count, const char *one)
{
  text_printf(s->out, "%u %s%s", count, one, count == 1 ? "" : "s");
}

static void put_use(const Sheet *s, const ExceptionUse *u)
{
  switch (u->kind) {
  case USE_ENDS: text_put(s->out, "counts at "), put_count(s, u->ends, "end point"); break;
  case USE_STOPS:
    text_put(s->out, "makes all paths false at "), put_count(s, u->stops, "pin");
    break;
  case USE_LIKE:
    text_printf(s->out,
                "paths that complete it are treated as those of number %u, which says the same",
                u->other + 1);
    break;
  case USE_REPLACED:
    text_printf(s->out, "replaced: number %u came later, for the same paths", u->other + 1);
    break;
  case USE_BEATEN:
    text_printf(s->out, "overridden wherever it speaks of a path, as by number %u", u->other + 1);
    break;
  case USE_NO_START: text_put(s->out, "speaks of no path: none starts at -from"); break;
  case USE_NO_THROUGH:
    text_printf(s->out, "speaks of no path: none reaches -through number %u%s", u->point,
                u->point > 1 ? " after those before it" : "");
    break;
  case USE_NO_END:
    text_put(s->out, "speaks of no path: none arrives at -to and is checked there");
    break;
  case USE_NO_WAY:
    text_put(s->out, "speaks of no path: from there data goes on to no end (to clock pins at "
                     "most, which launch as they do without it)");
    break;
  default:
    text_put(s->out, "speaks of no path that is checked: edges, clocks or constants rule it out");
    break;
  }
  text_char(s->out, '\n');
}

static void put_strangers(const Sheet *s, const char *option, uint32_t count, Object first,
                          const char *what)
{
  if (count == 0) return;
  text_printf(s->out, "      %s: ", option);
  put_object(s, first);
  if (count > 1) text_printf(s->out, " and %u more objects are", count - 1);
  else text_put(s->out, " is");
  text_printf(s->out, " not where a path %s\n", what);
}

/* --- which ------------------------------------------------------------------------------------ */
static Object as_pin(Object o)
{
  if (o.type == OBJ_PORT) o.type = OBJ_PIN;
  return o;
}

static bool names_any(const ExceptionPoint *p, const Object *objects, uint32_t count)
{
  for (uint32_t i = 0; i < p->objects.len; i++)
    for (uint32_t k = 0; k < count; k++) {
      Object a = as_pin(p->objects.at[i]), b = as_pin(objects[k]);
      if (a.type == b.type && a.id == b.id) return true;
    }
  return false;
}

static bool is_wanted(const Exception *e, const ExceptionUse *u, const ExceptionFilter *f)
{
  if (f->ignored && (u->kind == USE_ENDS || u->kind == USE_STOPS || u->kind == USE_LIKE))
    return false;
  if (f->from_count && !(e->has_from && names_any(&e->from, f->from, f->from_count))) return false;
  if (f->to_count && !(e->has_to && names_any(&e->to, f->to, f->to_count))) return false;
  bool through = f->through_count == 0;
  for (uint32_t i = 0; i < e->through.len && !through; i++)
    through = names_any(&e->through.at[i], f->through, f->through_count);
  return through;
}

static void put_exception(const Sheet *s, const ExceptionUse *u, const ExceptionFilter *f)
{
  const Exception *e = &s->constraints->exceptions.at[u->exception];
  text_printf(s->out, "%4u  ", u->exception + 1);
  put_command(s, e, f->all_objects);
  if (e->file != NO_NAME)
    text_printf(s->out, "  (%s:%u)", names_text(s->netlist->names, e->file), e->line);
  text_put(s->out, "\n      ");
  put_use(s, u);
  put_strangers(s, "-from", u->not_starts, u->not_start, "starts");
  put_strangers(s, "-to", u->not_ends, u->not_end, "ends");
}

void report_exceptions(const Sheet *s, const ExceptionUses *uses, const ExceptionFilter *filter)
{
  uint32_t shown = 0, ignored = 0;
  for (uint32_t i = 0; i < uses->len; i++) {
    const ExceptionUse *u = &uses->at[i];
    ignored += u->kind != USE_ENDS && u->kind != USE_STOPS && u->kind != USE_LIKE;
    if (!is_wanted(&s->constraints->exceptions.at[u->exception], u, filter)) continue;
    put_exception(s, u, filter);
    shown++;
  }
  text_printf(s->out, "%s%u exceptions, %u of them count nowhere, %u shown\n", shown ? "\n" : "",
              uses->len, ignored, shown);
}
