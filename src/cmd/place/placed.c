/* Estimates nets again after changes of the placement, in the corners whose parasitics come from
   it, and reports these nets to the timers. */
#include "cmd/place/placed.h"

#include "place/wire_rc.h"
#include "update/timer.h"

void placed_forget_corner(Session *s, CornerId corner)
{
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->estimated.len; i++)
    if (s->estimated.at[i].corner != corner) s->estimated.at[kept++] = s->estimated.at[i];
  s->estimated.len = kept;
}

/* Clocks run where they did when all was estimated: a net made since then carries none. */
static WireRc rc_of(const Session *s, const EstimatedCorner *of, NetId net)
{
  const SessionWireRc *rc = &of->rc[net < s->clock_nets.len && s->clock_nets.at[net]];
  return (WireRc){ rc->resistance, rc->cap, rc->access };
}

static void estimate_in(Session *s, WireEstimator *estimator, NetId net, WireRc rc, Parasitics *to)
{
  WireCounts counts = { 0 };
  ParasiticsMark mark = parasitics_begin(to);
  wire_estimate(estimator, net, rc, to, &counts);
  if (counts.nets) parasitics_commit(to, s->netlist, &mark);
}

static void touch(Session *s, CornerId corner, NetId net)
{
  for (ScenarioId i = 0; i < s->timers.len; i++)
    if (s->timers.at[i] && s->scenarios->scenarios.at[i].corner == corner)
      timer_touch_net(s->timers.at[i], net);
}

static void estimate_net(Session *s, WireEstimator *estimator, NetId net)
{
  for (uint32_t i = 0; i < s->estimated.len; i++) {
    CornerId corner = s->estimated.at[i].corner;
    WireRc rc = rc_of(s, &s->estimated.at[i], net);
    Parasitics *early = corner_parasitics(s->scenarios, corner, EARLY),
               *late = corner_parasitics(s->scenarios, corner, LATE);
    if (early) estimate_in(s, estimator, net, rc, early);
    if (late && late != early) estimate_in(s, estimator, net, rc, late);
    touch(s, corner, net);
  }
}

static bool follows(const Session *s)
{
  return s->estimated.len && s->placement && s->placement->netlist == s->netlist;
}

void placed_net_changed(Session *s, NetId net)
{
  if (net == NO_NET || !follows(s)) return;
  WireEstimator *estimator = wire_estimator_new(s->placement);
  estimate_net(s, estimator, net);
  wire_estimator_free(estimator);
}

void placed_cell_changed(Session *s, InstId inst)
{
  if (!follows(s)) return;
  const Inst *cell = &s->netlist->insts.at[inst];
  WireEstimator *estimator = wire_estimator_new(s->placement);
  for (PinId pin = cell->first_pin; pin < cell->first_pin + cell->pin_count; pin++) {
    NetId net = netlist_pin_net(s->netlist, pin);
    if (net != NO_NET) estimate_net(s, estimator, net);
  }
  wire_estimator_free(estimator);
}
