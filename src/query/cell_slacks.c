#include "query/cell_slacks.h"

#include <math.h>

#include "base/interrupt.h"
#include "timing/slack.h"

static double slot_slack(const Timing *t, Slot slot, int early_late)
{
  double worst = NAN;
  for (int edge = RISE; slot != NO_SLOT && edge <= FALL; edge++) {
    PinTime x = query_pin_time(t, slot, condition_of(early_late, edge));
    if (x.constrained && !(x.slack >= worst)) worst = x.slack;
  }
  return worst;
}

static double cell_slack(const Timing *t, const Inst *inst, int early_late)
{
  double worst = NAN;
  for (PinId pin = inst->first_pin; pin < inst->first_pin + inst->pin_count; pin++)
    for (int driver = 0; driver < 2; driver++) {
      double slack = slot_slack(t, graph_slot(t->g, pin, driver), early_late);
      if (!isnan(slack) && !(slack >= worst)) worst = slack;
    }
  return worst;
}

void query_cell_slacks(const Timing *t, int early_late, double *slack)
{
  const Netlist *n = t->g->netlist;
  for (InstId i = 0; i < n->insts.len && !interrupt_seen(); i++) {
    bool there = i != TOP_INST && inst_is_there(n, i);
    slack[i] = there ? cell_slack(t, &n->insts.at[i], early_late) : NAN;
  }
}
