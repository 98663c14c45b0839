/* Separates the load of an inout pin from the driver of the same pin.  The wire from the driver to
   this load leads back into the cell.  It only passes what starts at the pin (graph_wire_is_inner).
   If nothing starts there, the wire is not made.  Then it closes no loop, and the slew of the
   driver does not reach the load. */
#include "graph/build.h"

typedef struct {
  const Build *b;
  uint8_t *starts;          /* by PinId: a clock or data may start there */
} Starts;

static void mark_pin(Starts *s, PinId pin)
{
  const Netlist *n = s->b->g->netlist;
  NetId net = pin_is_hierarchical(n, pin) ? netlist_pin_net(n, pin) : NO_NET;
  s->starts[pin] = 1;
  if (net == NO_NET) return;
  for (uint32_t i = s->b->driver_first[net]; i < s->b->driver_first[net + 1]; i++)
    s->starts[s->b->pin[s->b->net_drivers[i]]] = 1;
}

/* Marks the pins where a path delay starts paths: those of its -from, also with -probe. */
static void mark_exception(Starts *s, const Exception *e)
{
  bool delay = e->type == EXC_MAX_DELAY || e->type == EXC_MIN_DELAY;
  for (uint32_t i = 0; delay && !e->deleted && i < e->from.objects.len; i++)
    if (e->from.objects.at[i].type == OBJ_PIN) mark_pin(s, e->from.objects.at[i].id);
}

static void mark_clock(Starts *s, const Clock *c)
{
  for (uint32_t i = 0; !c->deleted && i < c->sources.len; i++) mark_pin(s, c->sources.at[i]);
}

static void mark_starts(Starts *s)
{
  const Constraints *c = s->b->g->constraints;
  for (ClockId k = 0; k < c->clocks.len; k++) mark_clock(s, &c->clocks.at[k]);
  for (uint32_t i = 0; i < c->input_delays.len; i++)
    if (c->input_delays.at[i].pin != NO_PIN) mark_pin(s, c->input_delays.at[i].pin);
  for (uint32_t i = 0; i < c->exceptions.len; i++) mark_exception(s, &c->exceptions.at[i]);
}

static bool is_inout_load(const Build *b, VertexId v)
{
  uint16_t kind = SLOT_BIDIRECTIONAL | SLOT_DRIVER | SLOT_PORT;
  return (b->flags[v] & kind) == SLOT_BIDIRECTIONAL && build_vertex_net(b, v) != NO_NET;
}

void build_apart(Build *b)
{
  Starts s = { b, NULL };
  for (VertexId v = 0; v < b->vertex_count && !b->g->rules.inout_paths; v++) {
    if (!is_inout_load(b, v)) continue;
    if (s.starts == NULL) {
      s.starts = mem_alloc_zero((size_t)b->g->netlist->pins.len + 1, 1);
      mark_starts(&s);
      b->apart = mem_alloc(sizeof *b->apart * ((size_t)b->vertex_count + 1));
      memset(b->apart, 0xff, sizeof *b->apart * (size_t)b->vertex_count);
    }
    if (!s.starts[b->pin[v]]) b->apart[v] = b->pin_driver[b->pin[v]];
  }
  mem_free(s.starts);
}
