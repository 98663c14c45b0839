/* Properties of modes, corners and scenarios. */
#include "tclbind/object_value.h"
#include "tclbind/property.h"
#include "tclbind/session_timing.h"
#include "timing/slack.h"

#define GET(name) \
  static Status name(Session *s, Object o, const Property *row, PropertyValue *value)

static Status truth(PropertyValue *value, bool is)
{
  value->number = is;
  return OK;
}

GET(full_name)
{
  (void)row;
  object_name(s, o, &value->text);
  return OK;
}

GET(class_name)
{
  (void)s, (void)row;
  text_put(&value->text, object_type_name(o.type));
  return OK;
}

/* --- what belongs together -------------------------------------------------------------------- */

GET(mode_or_corner)
{
  const Scenario *sc = &s->scenarios->scenarios.at[o.id];
  array_push(&value->objects,
             ((Object){ (uint32_t)row->param, row->param == OBJ_MODE ? sc->mode : sc->corner }));
  return OK;
}

/* The scenarios that have a mode or a corner. */
GET(scenarios)
{
  (void)row;
  for (ScenarioId i = 0; i < s->scenarios->scenarios.len; i++) {
    const Scenario *sc = &s->scenarios->scenarios.at[i];
    if (!sc->deleted && (o.type == OBJ_MODE ? sc->mode : sc->corner) == o.id)
      array_push(&value->objects, ((Object){ OBJ_SCENARIO, i }));
  }
  return OK;
}

GET(is_current)
{
  (void)row;
  return truth(value, o.id
                          == (o.type == OBJ_MODE     ? s->mode
                              : o.type == OBJ_CORNER ? s->corner
                                                     : s->scenario));
}

/* row->param: EARLY, LATE */
GET(libraries)
{
  const LibraryList *list = &s->scenarios->corners.at[o.id]->libraries[row->param];
  for (uint32_t i = 0; i < list->len; i++)
    array_push(&value->objects, ((Object){ OBJ_LIB, list->at[i] }));
  return OK;
}

GET(has_annotation)
{
  (void)row;
  const Annotations *annotations = s->scenarios->scenarios.at[o.id].annotations;
  return truth(value, annotations && annotations_any(annotations));
}

/* --- slacks ----------------------------------------------------------------------------------- */
enum { WNS, TNS, WORST_SLACK, VIOLATIONS };

GET(slack)
{
  ScenarioIds own = { 0 };
  Timings timings = { 0 };
  array_push(&own, o.id);
  Status status = session_slack_timings(s, &own, &timings);
  SlackSummary k = { 0 };
  if (status == OK) k = query_slacks(timings.at[0], row->param & 1);
  array_free(&own);
  array_free(&timings);
  if (status != OK) return FAILED;
  double values[] = { [WNS] = k.worst < 0 ? k.worst : 0, [TNS] = k.total, [WORST_SLACK] = k.worst };
  int kind = row->param >> 1;
  value->number = kind == VIOLATIONS ? k.violations : values[kind] / s->units.scale[UNIT_TIME];
  return OK;
}

#define NAMES(type)                                               \
  { type, "name", PROP_TEXT, full_name, "its name", 0 },          \
      { type, "full_name", PROP_TEXT, full_name, "its name", 0 }, \
  { type, "object_class", PROP_TEXT, class_name, "its type", 0 }, \
  { type, "is_current", PROP_BOOL, is_current, "commands without a name of one are for it", 0 }
#define SLACKS(word, kind, what, help) \
  { OBJ_SCENARIO, word "_max", kind, slack, help ", late", (what) << 1 | LATE }, \
  { OBJ_SCENARIO, word "_min", kind, slack, help ", early", (what) << 1 | EARLY }

const Property properties_scenario[] = {
  NAMES(OBJ_SCENARIO),
  { OBJ_SCENARIO, "mode", PROP_OBJECTS, mode_or_corner, "its mode", OBJ_MODE },
  { OBJ_SCENARIO, "corner", PROP_OBJECTS, mode_or_corner, "its corner", OBJ_CORNER },
  { OBJ_SCENARIO, "has_annotation", PROP_BOOL, has_annotation,
    "delays or checks are annotated in it", 0 },
  SLACKS("wns", PROP_NUMBER, WNS, "worst negative slack"),
  SLACKS("tns", PROP_NUMBER, TNS, "total negative slack"),
  SLACKS("worst_slack", PROP_NUMBER, WORST_SLACK, "worst slack"),
  SLACKS("violations", PROP_INT, VIOLATIONS, "end points with negative slack"),
  NAMES(OBJ_MODE),
  { OBJ_MODE, "scenarios", PROP_OBJECTS, scenarios, "scenarios that have it", 0 },
  { OBJ_MODE, "scenes", PROP_OBJECTS, scenarios, "scenarios that have it", 0 },
  NAMES(OBJ_CORNER),
  { OBJ_CORNER, "scenarios", PROP_OBJECTS, scenarios, "scenarios that have it", 0 },
  { OBJ_CORNER, "libraries_min", PROP_OBJECTS, libraries,
    "libraries that it names for early analysis", EARLY },
  { OBJ_CORNER, "libraries_max", PROP_OBJECTS, libraries,
    "libraries that it names for late analysis", LATE },
  { 0 }
};
