/* Writes the names and numbers of the parts of a path. */
#include "timing/derived.h"
#include "timing/sigma.h"
#include "paths/retime.h"
#include "timing/slack.h"
#include "report/path_report_private.h"

const char *path_pin_kind(const Timing *t, Slot slot)
{
  const Netlist *n = t->g->netlist;
  PinId pin = t->g->slots.pin[slot];
  if (!pin_is_top_port(n, pin))
    return names_text(n->names, netlist_inst_master_name(n, n->pins.at[pin].inst));
  switch (netlist_pin_direction(n, pin)) {
  case DIR_INPUT: return "in";
  case DIR_OUTPUT: return "out";
  default: return "inout";
  }
}

const char *path_clock_name(const Timing *t, ClockEdge e)
{
  return e == NO_CLOCK_EDGE ? ""
                            : names_text(t->g->netlist->names,
                                         t->constraints->clocks.at[clock_edge_clock(e)].name);
}

const char *path_edge_name(int edge) { return edge == RISE ? "rise" : "fall"; }

float path_point_variance(const PathView *view, const PathPoint *point, int early_late)
{
  const RetimedPoint *own = retimed_point(view->list, view->path, point);
  return own ? own->variance
             : timing_variance(view->report->t, point->node, condition_of(early_late, point->edge));
}

float path_point_slew(const PathView *view, const PathPoint *point, int early_late)
{
  const Timing *t = view->report->t;
  const RetimedPoint *own = retimed_point(view->list, view->path, point);
  if (own) return own->slew;
  int condition = condition_of(early_late, point->edge);
  bool clock_pin = t->g->slots.flags[point->slot] & SLOT_CLOCK_PIN
                   && t->g->slots.flags[point->slot] & SLOT_IDEAL_CLOCK;
  return clock_pin ? timing_input_slew(t, point->slot, true, condition)
                   : t->slew[point->slot].v[condition];
}

uint32_t path_fanout(const Timing *t, Slot driver)
{
  const Graph *g = t->g;
  if (g->nets.load_count[driver] || g->nets.extra_wires.len == 0) return g->nets.load_count[driver];
  uint32_t count = 0;
  NetId net = netlist_pin_net(g->netlist, g->slots.pin[driver]);
  if (net == NO_NET) return 0;
  NetPins it = net_pins(g->netlist, net, false);
  for (PinId p; (p = net_pins_next(&it)) != NO_PIN;)
    count += g->slots.of_pin[p] != NO_SLOT && !slot_is_driver(g, g->slots.of_pin[p]);
  return count;
}

float path_point_cap(const Timing *t, const PathPoint *point, int early_late)
{
  return t->nets.load_cap[graph_driver_index(t->g, point->slot)]
      .v[condition_of(early_late, point->edge)];
}

/* --- words ------------------------------------------------------------------------------------ */
static const char *const check_names[] = { [END_SETUP] = "setup",
                                           [END_HOLD] = "hold",
                                           [END_RECOVERY] = "recovery",
                                           [END_REMOVAL] = "removal",
                                           [END_GATING_SETUP] = "clock gating setup",
                                           [END_GATING_HOLD] = "clock gating hold",
                                           [END_OUTPUT_SETUP] = "output setup",
                                           [END_OUTPUT_HOLD] = "output hold",
                                           [END_LATCH_SETUP] = "latch setup",
                                           [END_PATH_MAX] = "max delay",
                                           [END_PATH_MIN] = "min delay",
                                           [END_DATA_SETUP] = "data check setup",
                                           [END_DATA_HOLD] = "data check hold",
                                           [END_NOCHANGE_SETUP] = "no-change setup",
                                           [END_NOCHANGE_HOLD] = "no-change hold" };

const char *path_check_name(const Timing *t, const Path *path)
{
  if (path->end_id == NO_PATH_END) return "unconstrained";
  uint8_t type = t->g->ends.path_ends.at[path->end_id].type;
  return type < sizeof check_names / sizeof *check_names && check_names[type] ? check_names[type]
                                                                              : "check";
}

static const char *check_time_name(const Timing *t, const Path *path)
{
  switch (t->g->ends.path_ends.at[path->end_id].type) {
  case END_SETUP: case END_LATCH_SETUP: return "library setup time";
  case END_HOLD: return "library hold time";
  case END_RECOVERY: return "library recovery time";
  case END_REMOVAL: return "library removal time";
  case END_GATING_SETUP: return "clock gating setup time";
  case END_GATING_HOLD: return "clock gating hold time";
  case END_DATA_SETUP: return "data check setup time";
  case END_DATA_HOLD: return "data check hold time";
  case END_NOCHANGE_SETUP: return "no-change setup time";
  case END_NOCHANGE_HOLD: return "no-change hold time";
  default: return "library check time";
  }
}

const char *path_term_name(const Timing *t, const Path *path, TermKind kind)
{
  switch (kind) {
  case TERM_CLOCK_EDGE: return "clock edge";
  case TERM_PATH_DELAY: return path->early_late == LATE ? "max_delay" : "min_delay";
  case TERM_MULTICYCLE: return "multicycle path";
  case TERM_CLOCK_IDEAL: return "clock network delay (ideal)";
  case TERM_CLOCK_PROPAGATED: return "clock network delay (propagated)";
  case TERM_UNCERTAINTY: return "clock uncertainty";
  case TERM_PATH_MARGIN: return "path margin";
  case TERM_COMMON_PATH: return "common clock path credit";
  case TERM_OUTPUT_DELAY: return "output external delay";
  case TERM_VARIATION: return "statistical adjustment";
  case TERM_REFERENCE: return "reference arrival";
  case TERM_BORROWED: return "time borrowed from endpoint";
  default: return check_time_name(t, path);
  }
}
