/* Required times with two lanes for each timing edge, early and late: what it asks for at its start, and, where that is a load, less the
   wire's delay, at the load's driver.  (The least of differences is the difference of the least, to the bit: rounding keeps order.) */
#include "cuda/pin.h"

SL_HD void tighten_driver(const FlatView *v, uint32_t load, float wire, uint32_t driver, uint32_t to, float required, int k)
{
  int clock = v->f.derate_count && clock_node(v, to);
  lane_tighten(&v->n.required[driver].v[k], k >> 1, required - wire * derate_of(v, v->f.wire_derate, load, clock, k));
}

/* A load's node, by number: on to the driver's nodes that it follows. */
SL_HD void wire_back(const FlatView *v, uint32_t load, float wire, uint32_t joins, uint32_t driver_node, uint32_t number, uint32_t node, float required, int k)
{
  if (joins != FLAT_MAPPED) {
    if (number < joins) tighten_driver(v, load, wire, driver_node + number, node, required, k);
    return;
  }
  FlatLoad r = v->f.loads[load];
  Joined j = joined(v, v->f.wire_map[r.slot], r.driver, r.slot);
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(v, &j, n);
    if (p.to == node && p.mask >> (3 * (k & 1)) & 1) tighten_driver(v, load, wire, p.from, node, required, k);
  }
}

SL_HD float left_out_before(const FlatView *v, uint32_t from, uint32_t to, int k)
{
  if (!(v->f.tag_use[v->f.node_tag[to]] & FLAT_BARE)) return 0;
  float arrival = v->n.arrival[from].v[k];
  return time_absent(arrival) ? 0 : arrival;
}

/* Delays of an edge and of the wire to its start: of an earlier phase, so read before what a level waits for. */
typedef struct { float delay, wire; } OutDelays;

SL_HD OutDelays out_delays(const FlatView *v, const FlatOut *o, int el)
{
  OutDelays d;
  d.delay = v->n.edge_delay[o->edge].v[el];
  d.wire = o->wire ? v->n.wire_delay[o->load].v[condition_of(el, o->in)] : 0;
  return d;
}

SL_HD void out_node(const FlatView *v, const FlatOut *o, const OutDelays *d, uint32_t from, uint32_t to, int el)
{
  int out = condition_of(el, o->out), k = condition_of(el, o->in);
  float required = v->n.required[to].v[out];
  if (time_absent(required)) return;
  int clock = v->f.derate_count && clock_node(v, to);
  required = required - d->delay * derate_of(v, v->f.arc_derate, o->arc, clock, out);
  required = required + (o->use & FLAT_LAUNCH ? left_out_before(v, from, to, k) : 0);
  lane_tighten(&v->n.required[from].v[k], el, required);
  if (o->wire) wire_back(v, o->load, d->wire, o->wire, o->driver_node, from - o->from_node, from, required, k);
}

SL_HD void out_lane(const FlatView *v, const FlatOut *o, const OutDelays *d, int el)
{
  if (!(o->use & FLAT_ON)) return;
  for (uint32_t n = 0; o->nodes != FLAT_MAPPED && n < o->nodes; n++) out_node(v, o, d, o->from_node + n, o->to_node + n, el);
  if (o->nodes != FLAT_MAPPED) return;
  Joined j = joined(v, v->f.arc_map[o->arc], v->f.arc_from[o->arc], v->f.arc_to[o->arc]);
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(v, &j, n);
    if (p.mask >> (2 * o->in + o->out) & 1) out_node(v, o, d, p.from, p.to, el);
  }
}

/* What end points ask of the drivers before them. */
SL_KERNEL end_load_lanes(SL_VIEW(v))
{
  SL_EACH(i, 4 * v.f.end_load_count)
  {
    uint32_t load = v.f.end_loads[i / 4];
    int k = (int)(i % 4);
    FlatLoad r = v.f.loads[load];
    uint32_t end = v.f.node_first[r.slot + 1];
    for (uint32_t n = r.node; n < end; n++) {
      float required = v.n.required[n].v[k];
      if (!time_absent(required)) wire_back(&v, load, v.n.wire_delay[load].v[k], r.wire, r.driver_node, n - r.node, n, required, k);
    }
  }
}

SL_KERNEL out_lanes(SL_VIEW(v), FlatLevel level)
{
  SL_NEXT();
  SL_EACH(i, 2 * level.out_count)
  {
    FlatOut o = v.f.outs[level.first_out + i / 2];
    OutDelays d = out_delays(&v, &o, (int)(i % 2));
    SL_WAIT();
    out_lane(&v, &o, &d, (int)(i % 2));
  }
}

/* Narrow levels, from the last to the first; see level_run. */
SL_HD FlatOut run_out(const FlatView *v, const FlatLevel *level, uint32_t i)
{
  FlatOut none;
  memset(&none, 0, sizeof none);
  return i < 2 * level->out_count ? v->f.outs[level->first_out + i / 2] : none;
}

SL_HD OutDelays run_delays(const FlatView *v, const FlatLevel *level, const FlatOut *o, uint32_t i)
{
  OutDelays none = { 0, 0 };
  return i < 2 * level->out_count ? out_delays(v, o, (int)(i % 2)) : none;
}

SL_RUN out_run(SL_VIEW(view), uint32_t first, uint32_t count)
{
  const FlatView *v = &view;
  SL_RUN_LEVELS(levels, view.f.levels + first, count);
  FlatOut next = run_out(v, &levels[count - 1], SL_RUN_LANE), after = run_out(v, &levels[count > 1 ? count - 2 : count], SL_RUN_LANE);
  OutDelays delays = run_delays(v, &levels[count - 1], &next, SL_RUN_LANE);
  for (uint32_t l = count; l-- > 0;) {
    FlatOut own = next;
    OutDelays d = delays;
    next = after;
    delays = run_delays(v, &levels[l > 0 ? l - 1 : count], &next, SL_RUN_LANE);
    after = run_out(v, &levels[l > 1 ? l - 2 : count], SL_RUN_LANE);
    FlatLevel level = levels[l];
    SL_RUN_EACH(i, 2 * level.out_count)
    {
      if (i != SL_RUN_LANE) {
        own = run_out(v, &level, i);
        d = run_delays(v, &level, &own, i);
      }
      out_lane(v, &own, &d, (int)(i % 2));
    }
    SL_RUN_STEP();
  }
}

DEVICE_FN void launch_pin_backward(Device *d)
{
  const Flat *f = d->f;
  uint32_t *runs = (uint32_t *)mem_alloc_zero((size_t)f->level_count + 1, sizeof *runs);      /* by a run's last level: its levels */
  for (uint32_t l = 0; l < f->level_count; l++) {
    uint32_t run = pin_run(d, l);
    if (run == 0) continue;
    l += run - 1;
    runs[l] = run;
  }
  SL_LAUNCH(d, 4 * f->end_load_count, end_load_lanes, d->view);
  for (uint32_t l = f->level_count; l-- > 0;) {
    uint32_t run = runs[l];
    if (run) SL_LAUNCH_RUN(d, out_run, d->view, l + 1 - run, run);
    else SL_FOLLOW(d, 2 * f->levels[l].out_count, out_lanes, d->view, f->levels[l]);
    l -= run ? run - 1 : 0;
  }
  mem_free(runs);
}
