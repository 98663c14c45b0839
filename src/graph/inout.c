/* Separates the load of an inout pin from the driver of the same pin.  The wire from the driver to
   this load leads back into the cell.  It only passes what starts at the pin (graph_wire_is_inner).
   If nothing starts there, the wire is not made.  Then it closes no loop, and the slew of the
   driver does not reach the load. */
#include "graph/build.h"

typedef struct {
  const Build *build;
  uint8_t *starts;          /* by PinId: a clock or data may start there */
} Starts;

static void mark_pin(Starts *starts, PinId pin)
{
  const Netlist *n = starts->build->g->netlist;
  NetId net = pin_is_hierarchical(n, pin) ? netlist_pin_net(n, pin) : NO_NET;
  starts->starts[pin] = 1;
  if (net == NO_NET) return;
  for (uint32_t i = starts->build->driver_first[net]; i < starts->build->driver_first[net + 1]; i++)
    starts->starts[starts->build->pin[starts->build->net_drivers[i]]] = 1;
}

/* Marks the pins where a path delay starts paths: those of its -from, also with -probe. */
static void mark_exception(Starts *starts, const Exception *exception)
{
  bool delay = exception->type == EXC_MAX_DELAY || exception->type == EXC_MIN_DELAY;
  for (uint32_t i = 0; delay && !exception->deleted && i < exception->from.objects.len; i++)
    if (exception->from.objects.at[i].type == OBJ_PIN)
      mark_pin(starts, exception->from.objects.at[i].id);
}

static void mark_clock(Starts *starts, const Clock *clock)
{
  for (uint32_t i = 0; !clock->deleted && i < clock->sources.len; i++)
    mark_pin(starts, clock->sources.at[i]);
}

static void mark_starts(Starts *starts)
{
  const Constraints *c = starts->build->g->constraints;
  for (ClockId k = 0; k < c->clocks.len; k++) mark_clock(starts, &c->clocks.at[k]);
  for (uint32_t i = 0; i < c->input_delays.len; i++)
    if (c->input_delays.at[i].pin != NO_PIN) mark_pin(starts, c->input_delays.at[i].pin);
  for (uint32_t i = 0; i < c->exceptions.len; i++) mark_exception(starts, &c->exceptions.at[i]);
}

static bool is_inout_load(const Build *build, VertexId v)
{
  uint16_t kind = SLOT_BIDIRECTIONAL | SLOT_DRIVER | SLOT_PORT;
  return (build->flags[v] & kind) == SLOT_BIDIRECTIONAL && build_vertex_net(build, v) != NO_NET;
}

void build_apart(Build *build)
{
  Starts s = { build, NULL };
  for (VertexId v = 0; v < build->vertex_count && !build->g->rules.inout_paths; v++) {
    if (!is_inout_load(build, v)) continue;
    if (s.starts == NULL) {
      s.starts = mem_alloc_zero((size_t)build->g->netlist->pins.len + 1, 1);
      mark_starts(&s);
      build->apart = mem_alloc(sizeof *build->apart * ((size_t)build->vertex_count + 1));
      memset(build->apart, 0xff, sizeof *build->apart * (size_t)build->vertex_count);
    }
    if (!s.starts[build->pin[v]]) build->apart[v] = build->pin_driver[build->pin[v]];
  }
  mem_free(s.starts);
}
