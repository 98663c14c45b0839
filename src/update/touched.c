/* Lists what edits in place have changed. Threads share the look-ups; then one thread takes away
   what is there twice. */
#include "update/touched.h"

#include "base/expect.h"
#include "base/pool.h"

/* inout: the slot of an inout pin that drives, or NO_SLOT. */
typedef struct { Slot own, load, driver, inout; } PinSlots;

typedef struct {
  const Graph *g;
  const PinId *pins;
  PinSlots    *slots;
} LookUp;

/* The pins of a batch lie all over memory. What is read of a pin is asked for in steps, so many
   pins before. */
enum { AHEAD = 8, MARKS_AHEAD = 16 };

static void expect_pins(const LookUp *up, uint32_t at, uint32_t end)
{
  const Graph *g = up->g;
  if (at + 2 * AHEAD < end && up->pins[at + 2 * AHEAD] < g->pin_count)
    mem_expect(&g->slots.of_pin[up->pins[at + 2 * AHEAD]]);
  if (at + AHEAD >= end) return;
  Slot soon = graph_slot(g, up->pins[at + AHEAD], false);
  if (soon == NO_SLOT) return;
  mem_expect(&g->slots.flags[soon]);
  mem_expect(&g->nets.wire_driver[soon]);
}

static PinSlots slots_of(const Graph *g, PinId pin)
{
  PinSlots s = { graph_slot(g, pin, true), graph_slot(g, pin, false), NO_SLOT, NO_SLOT };
  bool drives = s.own != NO_SLOT && slot_is_driver(g, s.own);
  if (s.load != NO_SLOT && !slot_is_driver(g, s.load)) s.driver = g->nets.wire_driver[s.load];
  else if (drives) s.driver = s.own;
  if (drives && s.own != s.load && s.own != s.driver) s.inout = s.own;
  return s;
}

static void look_up_share(void *context, uint32_t step, uint32_t from, uint32_t to, int thread)
{
  const LookUp *up = context;
  (void)step;
  (void)thread;
  for (uint32_t i = from; i < to; i++) {
    expect_pins(up, i, to);
    up->slots[i] = slots_of(up->g, up->pins[i]);
  }
}

static void add_driver(Touched *touched, Slot driver, SlotQueue *marks)
{
  if (driver != NO_SLOT && slot_queue_mark(marks, driver)) array_push(&touched->drivers, driver);
}

static void add_pin(Touched *touched, Slot slot, SlotQueue *marks)
{
  if (slot != NO_SLOT && slot_queue_mark(marks, slot)) array_push(&touched->pins, slot);
}

/* The marks lie all over a large array. */
static void expect_marks(const SlotQueue *marks, Slot a, Slot b)
{
  if (a != NO_SLOT) slot_queue_expect(marks, a);
  if (b != NO_SLOT && b != a) slot_queue_expect(marks, b);
}

static void unmark(SlotQueue *marks, const Slot *slots, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) slot_queue_unmark(marks, slots[i]);
}

/* An inout pin has a slot as a driver and one as a load. */
static void take_drivers(Touched *touched, const PinSlots *slots, uint32_t count, SlotQueue *marks)
{
  array_reserve(&touched->drivers, count);
  for (uint32_t i = 0; i < count; i++) {
    if (i + MARKS_AHEAD < count)
      expect_marks(marks, slots[i + MARKS_AHEAD].driver, slots[i + MARKS_AHEAD].inout);
    add_driver(touched, slots[i].inout, marks);
    add_driver(touched, slots[i].driver, marks);
  }
  unmark(marks, touched->drivers.at, touched->drivers.len);
}

static void take_pins(Touched *touched, const PinSlots *slots, uint32_t count, SlotQueue *marks)
{
  array_reserve(&touched->pins, count);
  for (uint32_t i = 0; i < count; i++) {
    if (i + MARKS_AHEAD < count)
      expect_marks(marks, slots[i + MARKS_AHEAD].own, slots[i + MARKS_AHEAD].load);
    add_pin(touched, slots[i].own, marks);
    add_pin(touched, slots[i].load, marks);
  }
  unmark(marks, touched->pins.at, touched->pins.len);
}

/* Estimated time for a pin, ns. */
enum { PIN_NS = 60 };

void touched_list(Touched *touched, const Graph *g, const PinId *pins, uint32_t count,
                  SlotQueue *marks, int threads)
{
  PinSlots *slots = mem_alloc(sizeof *slots * ((size_t)count + 1));
  pool_items(count, PIN_NS, threads, look_up_share,
             &(LookUp){ .g = g, .pins = pins, .slots = slots });
  take_drivers(touched, slots, count, marks);
  take_pins(touched, slots, count, marks);
  mem_free(slots);
}

void touched_free(Touched *touched)
{
  array_free(&touched->drivers);
  array_free(&touched->pins);
}
