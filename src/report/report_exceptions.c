/* Writes report_exceptions: each exception as a command, with its effect. */
#include "report/report_exceptions.h"

#include <math.h>

enum { SHOWN_OBJECTS = 4 };

/* --- the command ------------------------------------------------------------------------------ */
static void put_object(const Sheet *sheet, Object o)
{
  switch (o.type) {
  case OBJ_CLOCK:
    text_put(sheet->out,
             names_text(sheet->netlist->names, sheet->constraints->clocks.at[o.id].name));
    break;
  case OBJ_CELL: netlist_inst_name(sheet->netlist, o.id, sheet->separator, sheet->out); break;
  case OBJ_NET: netlist_seg_name(sheet->netlist, o.id, sheet->separator, sheet->out); break;
  default: sheet_pin(sheet, sheet->out, o.id); break;
  }
}

static void put_point(const Sheet *sheet, const char *name, const ExceptionPoint *point, bool all)
{
  uint32_t shown =
      all || point->objects.len <= SHOWN_OBJECTS ? point->objects.len : SHOWN_OBJECTS - 1;
  bool braces = point->objects.len > 1;
  text_printf(sheet->out, " -%s%s %s",
              point->edges == EDGE_RISE   ? "rise_"
              : point->edges == EDGE_FALL ? "fall_"
                                          : "",
              name, braces ? "{" : "");
  for (uint32_t i = 0; i < shown; i++) {
    if (i) text_char(sheet->out, ' ');
    put_object(sheet, point->objects.at[i]);
  }
  if (shown < point->objects.len)
    text_printf(sheet->out, " and %u more", point->objects.len - shown);
  if (braces) text_char(sheet->out, '}');
}

static void put_group(const Sheet *sheet, const Exception *exception)
{
  if (exception->group == NO_NAME) text_put(sheet->out, " -default");
  else text_printf(sheet->out, " -name %s", names_text(sheet->netlist->names, exception->group));
}

static void put_value(const Sheet *sheet, const Exception *exception)
{
  if (exception->type == EXC_GROUP) put_group(sheet, exception);
  if (exception->type == EXC_MULTICYCLE) text_printf(sheet->out, " %d", exception->cycles);
  if (exception->type != EXC_MAX_DELAY && exception->type != EXC_MIN_DELAY
      && exception->type != EXC_PATH_MARGIN)
    return;
  text_char(sheet->out, ' ');
  sheet_number(sheet, sheet->out, exception->delay / sheet->units->scale[UNIT_TIME]);
}

static void put_flags(const Sheet *sheet, const Exception *exception)
{
  bool by_check = exception->type == EXC_FALSE || exception->type == EXC_MULTICYCLE
                  || exception->type == EXC_PATH_MARGIN;
  if (by_check && exception->checks == 1 << SETUP) text_put(sheet->out, " -setup");
  if (by_check && exception->checks == 1 << HOLD) text_put(sheet->out, " -hold");
  if (exception->type == EXC_MULTICYCLE && exception->cycles_clock_given)
    text_put(sheet->out, exception->cycles_of_start ? " -start" : " -end");
  if (exception->end_edges == EDGE_RISE) text_put(sheet->out, " -rise");
  if (exception->end_edges == EDGE_FALL) text_put(sheet->out, " -fall");
  if (exception->ignore_clock_latency) text_put(sheet->out, " -ignore_clock_latency");
  if (exception->probe) text_put(sheet->out, " -probe");
}

static void put_command(const Sheet *sheet, const Exception *exception, bool all)
{
  text_put(sheet->out, exception_command(exception));
  put_value(sheet, exception);
  put_flags(sheet, exception);
  if (exception->has_from) put_point(sheet, "from", &exception->from, all);
  for (uint32_t i = 0; i < exception->through.len; i++)
    put_point(sheet, "through", &exception->through.at[i], all);
  if (exception->has_to) put_point(sheet, "to", &exception->to, all);
}

/* --- what becomes of it ----------------------------------------------------------------------- */
static void put_count(const Sheet *sheet, uint32_t count, const char *one)
{
  text_printf(sheet->out, "%u %s%s", count, one, count == 1 ? "" : "s");
}

static void put_use(const Sheet *sheet, const ExceptionUse *use)
{
  switch (use->kind) {
  case USE_ENDS:
    text_put(sheet->out, "counts at "), put_count(sheet, use->ends, "end point");
    break;
  case USE_STOPS:
    text_put(sheet->out, "makes all paths false at "), put_count(sheet, use->stops, "pin");
    break;
  case USE_LIKE:
    text_printf(sheet->out,
                "paths that complete it are treated as those of number %u, which says the same",
                use->other + 1);
    break;
  case USE_REPLACED:
    text_printf(sheet->out, "replaced: number %u came later, for the same paths", use->other + 1);
    break;
  case USE_BEATEN:
    text_printf(sheet->out, "overridden wherever it speaks of a path, as by number %u",
                use->other + 1);
    break;
  case USE_NO_START: text_put(sheet->out, "speaks of no path: none starts at -from"); break;
  case USE_NO_THROUGH:
    text_printf(sheet->out, "speaks of no path: none reaches -through number %u%s", use->point,
                use->point > 1 ? " after those before it" : "");
    break;
  case USE_NO_END:
    text_put(sheet->out, "speaks of no path: none arrives at -to and is checked there");
    break;
  case USE_NO_WAY:
    text_put(sheet->out, "speaks of no path: from there data goes on to no end (to clock pins at "
                         "most, which launch as they do without it)");
    break;
  default:
    text_put(sheet->out,
             "speaks of no path that is checked: edges, clocks or constants rule it out");
    break;
  }
  text_char(sheet->out, '\n');
}

static void put_strangers(const Sheet *sheet, const char *option, uint32_t count, Object first,
                          const char *what)
{
  if (count == 0) return;
  text_printf(sheet->out, "      %s: ", option);
  put_object(sheet, first);
  if (count > 1) text_printf(sheet->out, " and %u more objects are", count - 1);
  else text_put(sheet->out, " is");
  text_printf(sheet->out, " not where a path %s\n", what);
}

/* --- which ------------------------------------------------------------------------------------ */
static Object as_pin(Object o)
{
  if (o.type == OBJ_PORT) o.type = OBJ_PIN;
  return o;
}

static bool names_any(const ExceptionPoint *point, const Object *objects, uint32_t count)
{
  for (uint32_t i = 0; i < point->objects.len; i++)
    for (uint32_t k = 0; k < count; k++) {
      Object a = as_pin(point->objects.at[i]), b = as_pin(objects[k]);
      if (a.type == b.type && a.id == b.id) return true;
    }
  return false;
}

static bool is_wanted(const Exception *exception, const ExceptionUse *use,
                      const ExceptionFilter *filter)
{
  if (filter->ignored && (use->kind == USE_ENDS || use->kind == USE_STOPS || use->kind == USE_LIKE))
    return false;
  if (filter->from_count
      && !(exception->has_from && names_any(&exception->from, filter->from, filter->from_count)))
    return false;
  if (filter->to_count
      && !(exception->has_to && names_any(&exception->to, filter->to, filter->to_count)))
    return false;
  bool through = filter->through_count == 0;
  for (uint32_t i = 0; i < exception->through.len && !through; i++)
    through = names_any(&exception->through.at[i], filter->through, filter->through_count);
  return through;
}

static void put_exception(const Sheet *sheet, const ExceptionUse *use,
                          const ExceptionFilter *filter)
{
  const Exception *exception = &sheet->constraints->exceptions.at[use->exception];
  text_printf(sheet->out, "%4u  ", use->exception + 1);
  put_command(sheet, exception, filter->all_objects);
  if (exception->file != NO_NAME)
    text_printf(sheet->out, "  (%s:%u)", names_text(sheet->netlist->names, exception->file),
                exception->line);
  text_put(sheet->out, "\n      ");
  put_use(sheet, use);
  put_strangers(sheet, "-from", use->not_starts, use->not_start, "starts");
  put_strangers(sheet, "-to", use->not_ends, use->not_end, "ends");
}

void report_exceptions(const Sheet *sheet, const ExceptionUses *uses, const ExceptionFilter *filter)
{
  uint32_t shown = 0, ignored = 0;
  for (uint32_t i = 0; i < uses->len; i++) {
    const ExceptionUse *use = &uses->at[i];
    ignored += use->kind != USE_ENDS && use->kind != USE_STOPS && use->kind != USE_LIKE;
    if (!is_wanted(&sheet->constraints->exceptions.at[use->exception], use, filter)) continue;
    put_exception(sheet, use, filter);
    shown++;
  }
  text_printf(sheet->out, "%s%u exceptions, %u of them count nowhere, %u shown\n",
              shown ? "\n" : "", uses->len, ignored, shown);
}
