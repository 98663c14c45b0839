/* Puts the reason why a query finds no path into words, for PATH messages. */
#include "cmd/path_none_text.h"

#include "tclbind/object_value.h"

/* "pin u1/A", "12 objects (u1/A, ...)" */
static void add_objects(Session *s, const PathObjects *objects, Text *text)
{
  Text name = { 0 };
  if (objects->len) object_name(s, objects->at[0].object, &name);
  if (objects->len == 1)
    text_printf(text, "%s %s", object_type_name(objects->at[0].object.type), text_get(&name));
  else text_printf(text, "%u objects (%s, ...)", objects->len, text_get(&name));
  text_free(&name);
}

static void limits_text(Session *s, Args *a, const Timing *t, const PathNone *none, Text *out)
{
  static const char *const limits[] = { "-slack_lesser_than", "-slack_max", "-slack_greater_than",
                                        "-slack_min", "-group" };
  text_printf(out, "the worst path has a slack of %.*f in group %s, which ", s->digits,
              none->slack / s->units.scale[UNIT_TIME], path_group_name(t, none->group));
  bool any = false;
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    if (args_given(a, limits[i])) {
      text_printf(out, "%s%s", any ? " or " : "", limits[i]);
      any = true;
    }
  text_put(out, " leaves out");
}

void path_none_text(Session *s, Args *a, const Timing *t, const PathQuery *query,
                    const PathNone *none, Text *out)
{
  switch (none->reason) {
  case NONE_LIMITS: limits_text(s, a, t, none, out); return;
  case NONE_UNCONSTRAINED:
    text_put(out, "there are paths, but nothing constrains them: no check, output delay or path "
                  "delay at their ends; -unconstrained shows them");
    return;
  case NONE_NO_END:
    text_put(out, "-to: ");
    add_objects(s, &query->to, out);
    text_put(out, query->to.len == 1
                      ? " is no end point of paths; -through takes what is inside of them"
                      : ": none is an end point of paths; -through takes what is inside of them");
    return;
  case NONE_TO:
    text_put(out, "no path that is asked for ends ");
    text_put(out, query->to.len ? "at -to: " : "with that edge");
    if (query->to.len) add_objects(s, &query->to, out);
    if (none->pins)
      text_printf(out, ", %u end point%s", none->reached, none->reached == 1 ? "" : "s");
    return;
  case NONE_THROUGH:
    text_printf(out, "no path%s passes -through %u: ",
                query->from.len || none->through ? " from what comes before" : "",
                none->through + 1);
    add_objects(s, &query->through.at[none->through], out);
    if (none->pins)
      text_printf(out, "; any arrival reaches %u of %u pin%s", none->reached, none->pins,
                  none->pins == 1 ? "" : "s");
    return;
  case NONE_FROM:
    text_put(out, "no path starts at -from: ");
    add_objects(s, &query->from, out);
    return;
  default: text_put(out, "no path of the design is constrained, nor is there any other");
  }
}
