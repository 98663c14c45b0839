/* Narrow levels have so little work that a kernel for each costs more than the work. So a cluster
   of blocks computes a run of them one after another, and only its threads wait for each other.
   Lanes do as little as possible in their level, because the next level waits: the results of
   earlier phases are gathered before the run begins (NarrowEdge, NarrowOut) and copied to the
   memory of the blocks one level ahead. Results of a level are merged in that memory too, and each
   block has its own drivers (NarrowPart), because thousands of atomic operations by few
   multiprocessors would take longer than the level.

   The numbers have the same bits as those of pin.h and pin_out.h. */
#ifndef SL_CUDA_NARROW_H
#define SL_CUDA_NARROW_H

#include "cuda/block_kernel.h"
#include "cuda/pin_out.h"
#include "math/explog.h"

typedef struct { uint32_t first, end; } NarrowRun;      /* levels */

/* Most lanes of a part, and most numbers that it makes. */
typedef struct { uint32_t lanes, numbers; } NarrowRoom;

/* Returns the n-th level of the run in the given direction. */
SL_HD uint32_t narrow_level_at(NarrowRun run, int way, uint32_t n)
{
  return way == FLAT_FORWARD ? run.first + n : run.end - 1 - n;
}

SL_HD uint32_t narrow_numbers(const NarrowPart *part) { return part->count[0] + part->count[1]; }

/* --- gathered before the run: edges ----------------------------------------------------------- */
SL_HD uint32_t float_at(uint32_t place, int k) { return CONDITION_COUNT * place + (uint32_t)k; }
SL_HD const float *floats_of(const void *numbers) { return (const float *)numbers; }

SL_HD float derate_here(const FlatView *view, const uint32_t *index, uint32_t at, uint32_t node,
                        int k)
{
  return view->f.count.derates ? derate_of(view, index, at, clock_node(view, node), k) : 1.0f;
}

SL_HD uint32_t narrow_edge_use(const FlatView *view, const FlatEdge *edge, const EdgeNet *net,
                               int el)
{
  uint32_t use = el == LATE ? NARROW_LATE : 0;
  if (!edge->use) return 0;
  if (!(edge->use & FLAT_SHAPES) || net->grid.n1 == 0) use |= NARROW_GIVEN;
  else
    use |= (net->grid.n1 == FLAT_NO_GRID ? NARROW_TABLES : NARROW_GRID)
           | (brings_slews(view, el) ? NARROW_BRINGS : 0);
  if (edge->slew & FLAT_CLOCK_SLEW) use |= NARROW_CLOCK;
  else if (edge->wire != FLAT_NONE) use |= NARROW_BEHIND;
  if (edge->use & FLAT_ON && edge->nodes)
    use |= NARROW_ARRIVES | (edge->wire != FLAT_NONE ? NARROW_WIRED : 0);
  return use;
}

/* Gathers arrivals. They are stored after the slews. */
SL_HD void narrow_arrives(const FlatView *view, const NarrowPart *part, const FlatEdge *edge,
                          float wire, int el, NarrowEdge *narrow_edge)
{
  int in = condition_of(el, edge->in), out = condition_of(el, edge->out);
  narrow_edge->arrival = float_at(edge->from_node, in);
  narrow_edge->to_arrival = float_at(part->count[0] + edge->to_node - part->place[1], out);
  narrow_edge->wire =
      narrow_edge->use & NARROW_WIRED
          ? derated(wire, derate_here(view, view->f.wire_derate, edge->wire, edge->from_node, in))
          : 0;
  narrow_edge->factor = derate_here(view, view->f.arc_derate, edge->arc, edge->to_node, out);
}

SL_HD NarrowEdge narrow_edge_of(const FlatView *view, const FlatLevel *level,
                                const NarrowPart *part, uint32_t edge, int el)
{
  FlatEdge r = view->f.edges[edge];
  EdgeNet net = edge_net(view, level, &r, el, 1, WAVE_NONE);
  int in = condition_of(el, r.in), out = condition_of(el, r.out);
  NarrowEdge x = { 0 };
  x.use = narrow_edge_use(view, &r, &net, el);
  if (x.use & NARROW_GRID)
    x.use |= (uint32_t)net.grid.n1 << NARROW_POINTS | grid_step(&net.grid) << NARROW_STEP;
  x.slew = float_at(r.slew & ~(uint32_t)FLAT_CLOCK_SLEW, delay_condition(view, in));
  x.to_slew = float_at(r.to - part->place[0], out);
  x.delay = 2 * edge + (uint32_t)el;
  x.axes = net.grid.axes;
  x.cell = x.use & NARROW_TABLES ? float_at(r.kind, delay_condition(view, out))
                                 : net.grid.first + (uint32_t)net.load.segment;
  x.load = x.use & NARROW_TABLES ? net.cap : net.load.fraction;
  x.impulse_sq = net.impulse_sq;
  if (x.use & NARROW_ARRIVES) narrow_arrives(view, part, &r, net.wire, el, &x);
  return x;
}

/* Gathers the edges of a piece of a level's parts. */
SL_BLOCK_FN void narrow_gather_edges(const FlatView *view, NarrowRun run, uint32_t piece)
{
  uint32_t l = run.first + piece / NARROW_PARTS;
  FlatLevel level = view->f.levels[l];
  NarrowPart part = narrow_parts_of(&view->f, FLAT_FORWARD, l)[piece % NARROW_PARTS];
  SL_LANES(i, part.lanes)
  view->n.narrow_edges[part.first + i] =
      narrow_edge_of(view, &level, &part, part.record + i / 2, (int)(i % 2));
}

/* --- gathered before the run: required times -------------------------------------------------- */
SL_HD NarrowOut narrow_out_of(const FlatView *view, const NarrowPart *part, uint32_t out, int el)
{
  FlatOut o = view->f.outs[out];
  OutDelays d = out_delays(view, &o, el);
  NarrowOut x = { 0 };
  int k = condition_of(el, o.in);
  if (!(o.use & FLAT_ON) || o.nodes == 0) return x;
  x.use = NARROW_ARRIVES | (o.wire ? NARROW_WIRED : 0) | (el == LATE ? NARROW_LATE : 0);
  x.to = float_at(o.to_node, condition_of(el, o.out));
  x.from = float_at(part->count[0] + o.from_node - part->place[1], k);
  x.delay = derated(
      d.delay, derate_here(view, view->f.arc_derate, o.arc, o.to_node, condition_of(el, o.out)));
  if (o.wire == 0) return x;
  x.driver = float_at(o.driver_node - part->place[0], k);
  x.wire = derated(d.wire, derate_here(view, view->f.wire_derate, o.load, o.from_node, k));
  return x;
}

SL_BLOCK_FN void narrow_gather_outs(const FlatView *view, NarrowRun run, uint32_t piece)
{
  NarrowPart part = narrow_parts_of(&view->f, FLAT_BACKWARD,
                                    run.first + piece / NARROW_PARTS)[piece % NARROW_PARTS];
  SL_LANES(i, part.lanes)
  view->n.narrow_outs[part.first + i] =
      narrow_out_of(view, &part, part.record + i / 2, (int)(i % 2));
}

/* --- merging ---------------------------------------------------------------------------------- */
/* The results of a level are merged as integers that have the order of the floats. Where the
   smallest number counts, the order is reversed. So the largest integer always counts. */
#define NARROW_NOTHING INT32_MIN

SL_HD int32_t order_bits(int32_t bits) { return bits ^ (int32_t)((uint32_t)(bits >> 31) >> 1); }
SL_HD int32_t order_of(float x, int largest)
{
  return largest ? order_bits(bits_of_float(x)) : ~order_bits(bits_of_float(x));
}
SL_HD float in_order(int32_t order, int largest)
{
  return float_of_bits(order_bits(largest ? order : ~order));
}

/* Does the largest number count? It does for late numbers forward and for early numbers
   backward. */
SL_HD int takes_largest(int way, int el) { return (way == FLAT_FORWARD) == (el == LATE); }

SL_BLOCK_FN void narrow_merge(int32_t *made, int way, int el, float x)
{
  lane_largest(made, order_of(x, takes_largest(way, el)));
}

/* A number for each condition. */
typedef struct FLAT_ALIGNED { int32_t v[CONDITION_COUNT]; } NarrowMade;
typedef struct FLAT_ALIGNED { float v[CONDITION_COUNT]; } NarrowNumber;

SL_HD NarrowMade made_nothing(void)
{
  const NarrowMade nothing = { { NARROW_NOTHING, NARROW_NOTHING, NARROW_NOTHING, NARROW_NOTHING } };
  return nothing;
}

/* Merges the results with the numbers from before the level. */
SL_HD NarrowNumber narrow_taken(NarrowNumber before, NarrowMade made, int way)
{
  for (int k = 0; k < CONDITION_COUNT; k++) {
    int largest = takes_largest(way, k >> 1);
    if (made.v[k] != NARROW_NOTHING)
      time_merge(&before.v[k], largest ? LATE : EARLY, in_order(made.v[k], largest));
  }
  return before;
}

/* --- lanes ------------------------------------------------------------------------------------ */
/* Returns delay and slew from tables that do not form a grid. */
SL_APART DelaySlew narrow_tables(const FlatView *view, uint32_t grid, float slew, float cap)
{
  return tables_value(view, &view->f.kinds[grid / CONDITION_COUNT], (int)(grid % CONDITION_COUNT),
                      slew, cap);
}

SL_BLOCK_FN DelaySlew narrow_delay(const FlatView *view, const NarrowEdge *edge)
{
  FlatAxes axes = view->f.axes[edge->axes];      /* it is loaded while the slew is loaded */
  float slew =
      settled(floats_of(edge->use & NARROW_CLOCK ? view->f.clock_slew : view->n.slew)[edge->slew]);
  if (edge->use & NARROW_BEHIND) slew = slew_after_wire(view, slew, edge->impulse_sq);
  if (edge->use & NARROW_TABLES)
    return within_model(view, narrow_tables(view, edge->cell, slew, edge->load));
  GridPlace place = grid_place(axes.of1, edge->use >> NARROW_POINTS & NARROW_FIELD, slew);
  return within_model(
      view, cells_at(view, edge->cell, edge->use >> NARROW_STEP & NARROW_FIELD, place, edge->load));
}

SL_BLOCK_FN void narrow_edge_lane(const FlatView *view, const NarrowEdge *record, int32_t *made)
{
  NarrowEdge x = *record;
  int el = x.use & NARROW_LATE ? LATE : EARLY;
  float *delay = &view->n.edge_delay[x.delay / 2].v[x.delay % 2], arrival = ABSENT_LATE;
  DelaySlew d = { 0, 0 };
  if (x.use == 0) return;
  if (x.use & NARROW_ARRIVES) arrival = floats_of(view->n.arrival)[x.arrival];
  if (x.use & NARROW_GIVEN) d.delay = *delay;
  else *delay = (d = narrow_delay(view, &x)).delay;
  if (x.use & NARROW_BRINGS) narrow_merge(&made[x.to_slew], FLAT_FORWARD, el, d.slew);
  if (time_absent(arrival)) return;
  if (x.use & NARROW_WIRED) arrival = arrival + x.wire;
  narrow_merge(&made[x.to_arrival], FLAT_FORWARD, el, arrival + derated(d.delay, x.factor));
}

SL_BLOCK_FN void narrow_out_lane(const FlatView *view, const NarrowOut *record, int32_t *made)
{
  NarrowOut x = *record;
  int el = x.use & NARROW_LATE ? LATE : EARLY;
  if (x.use == 0) return;
  float required = floats_of(view->n.required)[x.to];
  if (time_absent(required)) return;
  required = required - x.delay;
  required = required + 0.0f;      /* adding 0 makes +0 of -0, as in out_node, which adds what a
                                      launch leaves out */
  narrow_merge(&made[x.from], FLAT_BACKWARD, el, required);
  if (x.use & NARROW_WIRED) narrow_merge(&made[x.driver], FLAT_BACKWARD, el, required - x.wire);
}

/* --- a run ------------------------------------------------------------------------------------ */
/* The memory of a block. Levels are identified by their numbers in the run. */
enum { NARROW_RING = 4 };
typedef struct {
  NarrowPart  *ring;              /* the parts of levels of this block */
  char         *lanes;             /* lanes of two levels */
  NarrowNumber *before;            /* numbers of two levels, as they are before each of them */
  NarrowMade   *made;
  uint32_t      lane_bytes, numbers, part;
} NarrowMemory;

SL_HD uint32_t narrow_bytes(int way)
{
  return way == FLAT_FORWARD ? (uint32_t)sizeof(NarrowEdge) : (uint32_t)sizeof(NarrowOut);
}

SL_HD uint32_t narrow_memory_bytes(NarrowRoom room, int way)
{
  return NARROW_RING * (uint32_t)sizeof(NarrowPart) + 2 * room.lanes * narrow_bytes(way) +
         room.numbers * (uint32_t)(2 * sizeof(NarrowNumber) + sizeof(NarrowMade));
}

SL_HD NarrowMemory narrow_memory(char *at, NarrowRoom room, int way, uint32_t part)
{
  NarrowMemory m;
  m.part = part;
  m.numbers = room.numbers;
  m.lane_bytes = room.lanes * narrow_bytes(way);
  m.ring = (NarrowPart *)(void *)at;
  m.lanes = at + NARROW_RING * sizeof(NarrowPart);
  m.before = (NarrowNumber *)(void *)(m.lanes + 2 * (size_t)m.lane_bytes);
  m.made = (NarrowMade *)(void *)(m.before + 2 * (size_t)room.numbers);
  return m;
}

SL_HD const NarrowPart *narrow_here(const NarrowMemory *memory, uint32_t n)
{
  return &memory->ring[n % NARROW_RING];
}
SL_HD char *narrow_lanes(const NarrowMemory *memory, uint32_t n)
{
  return memory->lanes + n % 2 * memory->lane_bytes;
}
SL_HD NarrowNumber *narrow_numbers_before(const NarrowMemory *memory, uint32_t n)
{
  return memory->before + n % 2 * memory->numbers;
}

SL_BLOCK_FN NarrowNumber *narrow_number(const FlatView *view, const NarrowPart *part, int way,
                                        uint32_t i)
{
  const Cond4 *first = way == FLAT_FORWARD ? view->n.slew : view->n.required,
              *second = way == FLAT_FORWARD ? view->n.arrival : view->n.required;
  return (NarrowNumber *)(void *)(i < part->count[0]
                                      ? &first[part->place[0] + i]
                                      : &second[part->place[1] + i - part->count[0]]);
}

SL_BLOCK_FN void narrow_bring_level(const FlatView *view, const NarrowMemory *memory, NarrowRun run,
                                    int way, uint32_t n)
{
  if (n >= run.end - run.first) return;
  const char *from =
      (const char *)(narrow_parts_of(&view->f, way, narrow_level_at(run, way, n)) + memory->part);
  SL_LANES_BEHIND(i, sizeof(NarrowPart) / 16)
  SL_COPY((char *)&memory->ring[n % NARROW_RING] + 16 * i, from + 16 * i);
}

/* Copies what the lanes of a level need, as far as its place is known. */
SL_BLOCK_FN void narrow_bring(const FlatView *view, const NarrowMemory *memory, NarrowRun run,
                              int way, uint32_t n)
{
  if (n >= run.end - run.first) return;
  NarrowPart l = *narrow_here(memory, n);
  const char *from =
      (way == FLAT_FORWARD ? (const char *)view->n.narrow_edges : (const char *)view->n.narrow_outs)
      + (size_t)l.first * narrow_bytes(way);
  char *to = narrow_lanes(memory, n);
  NarrowNumber *before = narrow_numbers_before(memory, n);
  SL_LANES_BEHIND(i, l.lanes * (narrow_bytes(way) / 16))
  SL_COPY(to + 16 * (size_t)i, from + 16 * (size_t)i);
  SL_LANES_BEHIND(i, narrow_numbers(&l)) SL_COPY(&before[i], narrow_number(view, &l, way, i));
}

SL_BLOCK_FN void narrow_work(const FlatView *view, const NarrowMemory *memory, int way, uint32_t n)
{
  uint32_t count = narrow_here(memory, n)->lanes;
  const char *lanes = narrow_lanes(memory, n);
  SL_LANES(i, count)
  if (way == FLAT_FORWARD)
    narrow_edge_lane(view, (const NarrowEdge *)(const void *)lanes + i,
                     (int32_t *)(void *)memory->made);
  else
    narrow_out_lane(view, (const NarrowOut *)(const void *)lanes + i,
                    (int32_t *)(void *)memory->made);
}

SL_BLOCK_FN void narrow_put(const FlatView *view, const NarrowMemory *memory, int way, uint32_t n)
{
  NarrowPart here = *narrow_here(memory, n);
  const NarrowNumber *before = narrow_numbers_before(memory, n);
  SL_LANES(i, narrow_numbers(&here))
  {
    *narrow_number(view, &here, way, i) = narrow_taken(before[i], memory->made[i], way);
    memory->made[i] = made_nothing();
  }
}

SL_BLOCK_FN void narrow_begin(const FlatView *view, const NarrowMemory *memory, NarrowRun run,
                              int way)
{
  SL_LANES(i, memory->numbers) memory->made[i] = made_nothing();
  narrow_bring_level(view, memory, run, way, 0);
  narrow_bring_level(view, memory, run, way, 1);
}

/* Computes a run of levels. If a part has few lanes, the threads without a lane prefetch what the
   next level needs. */
SL_BLOCK_FN void narrow_run(const FlatView *view, NarrowRun run, int way, char *memory,
                            NarrowRoom room)
{
#define NARROW_MEMORY(p) const NarrowMemory m = \
    narrow_memory(memory + SL_PART_AT(p) * narrow_memory_bytes(room, way), room, way, p)
  SL_PARTS(p, NARROW_PARTS) { NARROW_MEMORY(p); narrow_begin(view, &m, run, way); }
  SL_COPIED();
  SL_SYNC();
  SL_PARTS(p, NARROW_PARTS) { NARROW_MEMORY(p); narrow_bring(view, &m, run, way, 0); }
  SL_COPIED();
  SL_SYNC();
  for (uint32_t n = 0; n < run.end - run.first; n++) {
    SL_PARTS(p, NARROW_PARTS) {
      NARROW_MEMORY(p);
      narrow_bring_level(view, &m, run, way, n + 2);
      narrow_bring(view, &m, run, way, n + 1);
      narrow_work(view, &m, way, n);
    }
    SL_SYNC();
    SL_PARTS(p, NARROW_PARTS) { NARROW_MEMORY(p); narrow_put(view, &m, way, n); }
    SL_COPIED();
    SL_PARTS_SYNC();
  }
#undef NARROW_MEMORY
}

#endif
