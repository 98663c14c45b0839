/* The operations of device/device_sizing.h on the CPU: nothing is copied. */
#include "device/device_sizing.h"

#include "cpu/cpu_sizing.h"

typedef struct {
  SizeView view;                     /* the host's arrays */
} SizingHostState;

static void take_library(void *state, void *call, int threads)
{
  SizingHostState *s = state;
  const SizingLibrary *c = call;
  (void)threads;
  s->view.cells = c->view.cells;
  s->view.arcs = c->view.arcs;
  s->view.ports = c->view.ports;
  s->view.pool = c->view.pool;
  s->view.ramps = c->view.ramps;
  s->view.thresholds = c->view.thresholds;
  s->view.ramp_base = c->view.ramp_base;
  s->view.segments = c->view.segments;
}

static void take_design(void *state, void *call, int threads)
{
  SizingHostState *s = state;
  const SizingDesign *c = call;
  (void)threads;
  s->view.gates = c->view.gates;
  s->view.edges = c->view.edges;
  s->view.nets = c->view.nets;
  s->view.pins = c->view.pins;
  s->view.candidates = c->view.candidates;
  s->view.own_costs = c->view.own_costs;
  s->view.excess = c->view.excess;
  s->view.gate_count = c->view.gate_count;
  s->view.model = c->view.model;
}

static void select_cells(void *state, void *call, int threads)
{
  const SizingHostState *s = state;
  const SizingSelect *c = call;
  cpu_size_select(&s->view, c->gates, c->count, c->chosen, threads);
}

static const FamilyFunction operations[] = { take_library, take_design, select_cells };

const FamilyHost sizing_host = { sizeof(SizingHostState), operations, NULL };
