/* Functions that many constraint commands share: masks, objects, numbers, and warnings on objects
   without effect. */
#include "base/interrupt.h"
#include "sdc/sdc_command.h"

#include <math.h>

#include "tclbind/object_value.h"
#include "db/contradiction.h"
#include "graph/hierarchy.h"

Sdc sdc_begin(Session *s, Args *a, const char *command)
{
  return (Sdc){ s, a, s->constraints, command, args_where(a), 0 };
}

static uint32_t mask_of(const Args *a, const char *bit0, const char *bit1)
{
  uint32_t mask = (uint32_t)args_flag(a, bit0) | (uint32_t)args_flag(a, bit1) << 1;
  return mask ? mask : 3;
}

uint32_t sdc_edges(const Args *a) { return mask_of(a, "-rise", "-fall"); }
uint32_t sdc_early_late(const Args *a) { return mask_of(a, "-min", "-max"); }
uint32_t sdc_checks(const Args *a) { return mask_of(a, "-hold", "-setup"); }

uint32_t sdc_conditions(const Args *a)
{
  uint32_t edges = sdc_edges(a), early_late = sdc_early_late(a), mask = 0;
  for (int el = EARLY; el <= LATE; el++)
    for (int rf = RISE; rf <= FALL; rf++)
      if ((early_late >> el & 1) && (edges >> rf & 1)) mask |= 1u << condition_of(el, rf);
  return mask;
}

const Object *sdc_objects(Sdc *sdc, const char *option, uint32_t *count)
{
  *count = 0;
  return args_given(sdc->a, option) ? args_objects(sdc->a, option, 0, count) : NULL;
}

Status sdc_clock(Sdc *sdc, const char *option, ClockId *clock)
{
  uint32_t count;
  const Object *objects = sdc_objects(sdc, option, &count);
  *clock = NO_CLOCK;
  if (!args_given(sdc->a, option)) return OK;
  if (count == 0)
    return log_error(sdc->s->log, "SDC-001", sdc->where, "%s: %s: there is no clock '%s'",
                     sdc->command, option, Tcl_GetString(args_object(sdc->a, option)));
  if (count != 1)
    return log_error(sdc->s->log, "SDC-002", sdc->where, "%s: %s names %u clocks, expected one",
                     sdc->command, option, count);
  *clock = objects[0].id;
  return OK;
}

/* The most in the user's units. */
static Status bad_number(Sdc *sdc, const char *option)
{
  double value = args_number(sdc->a, option), given;
  Tcl_Obj *object = args_object(sdc->a, option);
  if (!isfinite(value) || Tcl_GetDoubleFromObj(NULL, object, &given) != TCL_OK)
    return log_error(sdc->s->log, "SDC-003", sdc->where, "%s: %s is not a finite number",
                     sdc->command, option);
  double most = SDC_MOST / (value / given);
  return log_error(sdc->s->log, "SDC-003", sdc->where,
                   "%s: %s is %g, expected a number within %.3g of zero", sdc->command, option,
                   given, fabs(most));
}

Status sdc_number(Sdc *sdc, const char *option, float *value)
{
  *value = (float)args_number(sdc->a, option);
  return fabsf(*value) <= (float)SDC_MOST ? OK : bad_number(sdc, option);
}

Status sdc_number_not_negative(Sdc *sdc, const char *option, float *value)
{
  if (sdc_number(sdc, option, value) != OK) return FAILED;
  if (*value >= 0) return OK;
  return log_error(sdc->s->log, "SDC-004", sdc->where, "%s: %s is negative", sdc->command, option);
}

NameId sdc_name(Sdc *sdc, const char *option)
{
  const char *text = args_text(sdc->a, option);
  return text && *text ? names_add_text(sdc->s->names, text) : NO_NAME;
}

NameId sdc_file(const Sdc *sdc)
{
  return sdc->where.file ? names_add_text(sdc->s->names, sdc->where.file) : NO_NAME;
}

Said sdc_said(const Sdc *sdc) { return (Said){ sdc->command, sdc_file(sdc), sdc->where.line }; }

CommandId sdc_command_id(Sdc *sdc)
{
  if (sdc->id == 0) sdc->id = constraints_add_command(sdc->c, sdc_said(sdc));
  return sdc->id;
}

void sdc_put(Sdc *sdc, float at[CONDITION_COUNT], uint32_t conditions, float value)
{
  for (int k = 0; k < CONDITION_COUNT; k++)
    if (conditions >> k & 1) constraints_put(sdc->c, &at[k], value);
}

void sdc_put_early_late(Sdc *sdc, float at[2], uint32_t early_late, float value)
{
  for (int el = EARLY; el <= LATE; el++)
    if (early_late >> el & 1) constraints_put(sdc->c, &at[el], value);
}

void sdc_note_order(Sdc *sdc, ValuePair pair)
{
  Crossed values;
  if (!pair_is_crossed(sdc->c, &pair, &values)) return;
  array_push(&sdc->c->crossed_pairs,
             ((CrossedPair){ pair, sdc->command, sdc_file(sdc), sdc->where.line }));
}

void sdc_add_behind(const Sdc *sdc, PinId pin, PinArray *pins)
{
  if (pin_is_hierarchical(sdc->c->netlist, pin)) hierarchy_pins_behind(sdc->c->netlist, pin, pins);
  else array_push(pins, pin);
}

static bool is_hierarchical_pin(const Sdc *sdc, Object o)
{
  return o.type == OBJ_PIN && pin_is_hierarchical(sdc->c->netlist, o.id);
}

static bool has_nothing_behind(const Sdc *sdc, Object o)
{
  PinArray pins = { 0 };
  if (!is_hierarchical_pin(sdc, o)) return false;
  hierarchy_pins_behind(sdc->c->netlist, o.id, &pins);
  bool nothing = pins.len == 0;
  array_free(&pins);
  return nothing;
}

/* Writes the first of those that are meant, and how many more there are.  False: there is none. */
static bool name_those(const Sdc *sdc, const Object *objects, uint32_t count,
                       bool (*is_meant)(const Sdc *, Object), Text *text)
{
  uint32_t found = 0;
  for (uint32_t i = 0; i < count && !interrupt_seen(); i++)
    if (is_meant(sdc, objects[i]) && found++ == 0) object_name(sdc->s, objects[i], text);
  if (found > 1) text_printf(text, " and %u more", found - 1);
  return found > 0;
}

void sdc_warn_nothing_behind(Sdc *sdc, const Object *objects, uint32_t count)
{
  Text t = { 0 };
  if (name_those(sdc, objects, count, has_nothing_behind, &t))
    log_warning(sdc->s->log, "SDC-127", sdc->where,
                "%s: %s: no pin is downstream of this hierarchical pin, or drivers are on both "
                "sides of it; it has no effect there",
                sdc->command, text_get(&t));
  text_free(&t);
}

void sdc_warn_hierarchical_pins(Sdc *sdc, const Object *objects, uint32_t count)
{
  Text t = { 0 };
  if (name_those(sdc, objects, count, is_hierarchical_pin, &t))
    log_warning(
        sdc->s->log, "SDC-128", sdc->where,
        "%s: %s: it has no effect at pins of hierarchical cells; name leaf pins, or the cell",
        sdc->command, text_get(&t));
  text_free(&t);
}

static bool is_plain_clock(const Sdc *sdc, Object o) { return !sdc->c->clocks.at[o.id].generated; }

void sdc_warn_plain_clocks(Sdc *sdc, const Object *objects, uint32_t count)
{
  Text t = { 0 };
  if (name_those(sdc, objects, count, is_plain_clock, &t))
    log_warning(sdc->s->log, "SDC-173", sdc->where,
                "%s: %s: not a generated clock, so it stays; expected generated clocks",
                sdc->command, text_get(&t));
  text_free(&t);
}

static bool is_virtual_clock(const Sdc *sdc, Object o)
{
  return o.type == OBJ_CLOCK && clock_has_no_source(&sdc->c->clocks.at[o.id]);
}

void sdc_warn_virtual_clocks(Sdc *sdc, const Object *objects, uint32_t count)
{
  Text t = { 0 };
  for (uint32_t i = 0; i < count; i++)
    if (!is_virtual_clock(sdc, objects[i])) return;
  if (name_those(sdc, objects, count, is_virtual_clock, &t))
    log_warning(sdc->s->log, "SDC-169", sdc->where,
                "%s: %s: the clock is virtual and reaches no pin; it has no effect until the clock "
                "has sources",
                sdc->command, text_get(&t));
  text_free(&t);
}

void sdc_warn_opposed_edges(Sdc *sdc, uint32_t to_edges)
{
  bool rise = to_edges == EDGE_RISE;
  log_warning(sdc->s->log, "SDC-172", sdc->where,
              "%s: %s with %s: no path ends with both edges; it has no effect", sdc->command,
              rise ? "-rise_to" : "-fall_to", rise ? "-fall" : "-rise");
}

bool sdc_port_has_direction(Sdc *sdc, PinId pin, bool output)
{
  const Netlist *n = sdc->c->netlist;
  if (!pin_is_top_port(n, pin)) return true;
  Direction d = netlist_pin_direction(n, pin);
  if (d != (output ? DIR_INPUT : DIR_OUTPUT)) return true;
  log_warning(sdc->s->log, "SDC-032", sdc->where, "%s: %s is an %s port; left out", sdc->command,
              names_text(sdc->s->names, netlist_pin_port_name(n, pin)),
              output ? "input" : "output");
  return false;
}

bool sdc_is_pin(Object o) { return o.type == OBJ_PORT || o.type == OBJ_PIN; }

void sdc_add_pins(Sdc *sdc, Object o, PinArray *pins)
{
  const Netlist *n = sdc->c->netlist;
  if (sdc_is_pin(o)) array_push(pins, o.id);
  if (o.type != OBJ_NET) return;
  uint32_t before = pins->len;
  NetPins it = net_pins(n, n->segs.at[o.id].net, false);
  for (PinId pin = net_pins_next(&it); pin != NO_PIN; pin = net_pins_next(&it))
    if (netlist_pin_drives(n, pin)) array_push(pins, pin);
  if (pins->len > before) return;
  Text t = { 0 };
  netlist_seg_name(n, o.id, sdc->s->separator, &t);
  log_warning(sdc->s->log, "SDC-006", sdc->where, "%s: net %s has no driver", sdc->command,
              text_get(&t));
  text_free(&t);
}
