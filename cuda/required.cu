/* Margins, slacks and required times at end points; required times backward, level by level.  See engine/cpu_required.c. */
#include "cuda/arrival.h"
#include "cuda/kernel.h"

/* --- end points ---------------------------------------------------------------------------------------------------------- */
SL_HD void check_margins(const FlatView *v, uint32_t check)
{
  const FlatCheck *c = &v->f.checks[check];
  for (int edge = RISE; edge <= FALL; edge++) {
    float margin = c->margin[edge];
    if (c->table[edge].n1) {
      float clock = flat_slew(v, c->clock_slew, c->clock_condition[edge]);
      float data = c->data == FLAT_NONE ? clock : v->n.slew[c->data].v[condition_of(c->early_late, edge)];
      margin = table_value(flat_table(v, c->table[edge]), clock, data);
    }
    v->n.check_margin[check].v[edge] = margin;
  }
}

/* Time at which the capture side needs or allows the data, before the row's margin; absent where no clock arrives. */
SL_HD float capture_time(const FlatView *v, const FlatRow *r, int edge)
{
  if (r->capture == FLAT_NONE) return r->offset[edge];
  float clock = v->n.arrival[r->capture].v[r->capture_condition];
  return time_absent(clock) ? clock : clock + r->offset[edge];
}

SL_HD float row_margin(const FlatView *v, const FlatRow *r, int edge)
{
  if (r->check == FLAT_NONE) return 0;
  return v->n.check_margin[r->check].v[edge] * derate_of(v, v->f.check_derate, r->check, 0, condition_of(r->late, edge));
}

/* How much later the closing edge comes than the opening edge and the clock's waveform say. */
SL_HD float closing_shift(const FlatView *v, const FlatRow *r, const FlatLatch *latch)
{
  if (latch->close == FLAT_NONE) return 0;
  float closes = v->n.arrival[latch->close].v[latch->close_condition];
  return time_absent(closes) ? 0 : closes - v->n.arrival[r->capture].v[latch->open_condition];
}

/* A latch's data is due at the opening edge; what comes later borrows, up to the window, and is then just in time. */
SL_HD float latch_required(const FlatView *v, const FlatRow *r, int edge, float open, float arrival)
{
  const FlatLatch *latch = &v->f.latch_rows[r->latch];
  float limit = open + latch->window + closing_shift(v, r, latch) - (latch->given ? 0 : row_margin(v, r, edge));
  return arrival <= open ? open : arrival < limit ? arrival : limit;
}

SL_HD float row_required(const FlatView *v, const FlatRow *r, int edge, float capture, float arrival)
{
  if (r->latch != FLAT_NONE) return latch_required(v, r, edge, capture, arrival);
  float margin = row_margin(v, r, edge);
  return r->late ? capture - margin : capture + margin;
}

SL_HD void row_edge(const FlatView *v, uint32_t row, int edge)
{
  const FlatRow *r = &v->f.rows[row];
  int el = r->late ? LATE : EARLY, k = condition_of(el, edge);
  float arrival = v->n.arrival[r->data].v[k], *slack = &v->n.row_slack[row].v[edge];
  *slack = 1e30f;
  if (!(r->edges >> edge & 1)) return;
  float capture = capture_time(v, r, edge);
  if (time_absent(capture) || time_absent(arrival)) return;
  float required = row_required(v, r, edge, capture, arrival);
  *slack = el == LATE ? required - arrival : arrival - required;
  time_tighten(&v->n.required[r->data].v[k], el, el == LATE ? required + 0.0f : required);      /* as the CPU, which adds a gain: no -0 */
}

SL_KERNEL loosen(SL_VIEW(v))
{
  SL_EACH(n, v.f.node_count) v.n.required[n] = cond_loosest();
}

SL_KERNEL end_points(SL_VIEW(v))
{
  SL_EACH(i, v.f.end_count)
  {
    uint32_t slot = v.f.end_slots[i];
    for (uint32_t c = v.f.slot_first_check[slot]; c < v.f.slot_first_check[slot + 1]; c++) check_margins(&v, v.f.check_order[c]);
    for (uint32_t r = v.f.slot_first_row[slot]; r < v.f.slot_first_row[slot + 1]; r++) {
      row_edge(&v, r, RISE);
      row_edge(&v, r, FALL);
    }
  }
}

DEVICE_FN void launch_ends(Device *d)
{
  SL_LAUNCH(d, d->f->node_count, loosen, d->view);
  SL_LAUNCH(d, d->f->end_count, end_points, d->view);
}

/* --- backward ------------------------------------------------------------------------------------------------------------------ */
/* What a bare tag leaves out at its launch is due the later before it. */
SL_HD float left_out(const FlatView *v, uint32_t arc, uint32_t from, uint32_t to, int condition)
{
  if (!(v->f.tag_use[v->f.node_tag[to]] & FLAT_BARE) || !(v->f.arc_use[arc] & FLAT_LAUNCH)) return 0;
  float arrival = v->n.arrival[from].v[condition];
  return time_absent(arrival) ? 0 : arrival;
}

SL_HD void arc_required(const FlatView *v, uint32_t arc, JoinedPair p)
{
  int clock = v->f.derate_count && clock_node(v, p.to);
  uint32_t e = v->f.edge_first[arc];
  Cond4 *from = &v->n.required[p.from];
  for (uint32_t pairs = v->f.arc_pairs[arc]; pairs; pairs &= pairs - 1, e++) {
    int bit = lowest_pair(pairs);
    if (!(p.mask >> bit & 1)) continue;
    for (int el = EARLY; el <= LATE; el++) {
      int in = condition_of(el, bit >> 1), out = condition_of(el, bit & 1);
      float required = v->n.required[p.to].v[out];
      if (time_absent(required)) continue;
      time_tighten(&from->v[in], el,
                   required - v->n.edge_delay[e].v[el] * derate_of(v, v->f.arc_derate, arc, clock, out) + left_out(v, arc, p.from, p.to, in));
    }
  }
}

/* From the arcs that start at a slot. */
SL_HD void out_required(const FlatView *v, uint32_t slot)
{
  for (uint32_t i = v->f.out_first[slot]; i < v->f.out_first[slot + 1]; i++) {
    uint32_t a = v->f.out_arc[i];
    if (!(v->f.arc_use[a] & FLAT_ON)) continue;
    Joined j = joined(v, v->f.arc_map[a], slot, v->f.arc_to[a]);
    for (uint32_t n = 0; n < j.count; n++) arc_required(v, a, joined_pair(v, &j, n));
  }
}

SL_HD void wire_required(const FlatView *v, uint32_t load, uint32_t driver, uint32_t index)
{
  Joined j = joined(v, v->f.wire_map[load], driver, load);
  Cond4 delay = v->n.wire_delay[index];
  for (uint32_t n = 0; n < j.count; n++) {
    JoinedPair p = joined_pair(v, &j, n);
    int clock = v->f.derate_count && clock_node(v, p.to);
    for (int k = 0; k < CONDITION_COUNT; k++) {
      float required = v->n.required[p.to].v[k];
      if (!(p.mask >> (3 * (k & 1)) & 1) || time_absent(required)) continue;
      time_tighten(&v->n.required[p.from].v[k], k >> 1, required - delay.v[k] * derate_of(v, v->f.wire_derate, index, clock, k));
    }
  }
}

/* Loads first, then the driver that they and the cell's other outputs follow. */
SL_HD void net_required(const FlatView *v, const DriverWork *w)
{
  int has_nodes = v->f.node_first[w->slot + 1] != v->f.node_first[w->slot];
  for (uint32_t s = w->first_load; s < w->end_load; s++) {
    out_required(v, s);
    if (has_nodes) wire_required(v, s, w->slot, s - w->load_shift);
  }
  if (has_nodes) out_required(v, w->slot);
}

SL_KERNEL level_required(SL_VIEW(v), FlatLevel level)
{
  SL_EACH(i, level.count)
  {
    DriverWork w = driver_work(&v, level, i);
    net_required(&v, &w);
  }
}

SL_KERNEL floating_required(SL_VIEW(v))
{
  SL_EACH(i, v.f.floating_count) out_required(&v, v.f.floating[i]);
}

DEVICE_FN void launch_backward(Device *d)
{
  for (uint32_t l = d->f->level_count; l-- > 0;) SL_LAUNCH(d, d->f->levels[l].count, level_required, d->view, d->f->levels[l]);
  SL_LAUNCH(d, d->f->floating_count, floating_required, d->view);
}
