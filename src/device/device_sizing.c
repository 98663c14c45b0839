/* The operations of device/device_sizing.h on the CPU. Nothing is copied. */
#include "device/device_sizing.h"

#include "cpu/cpu_sizing.h"

typedef struct {
  SizeView view;                     /* view of the host's arrays */
} SizingHostState;

static void take_view(void *state, void *call, int threads)
{
  (void)threads;
  ((SizingHostState *)state)->view = ((const SizingArrays *)call)->view;
}

static void select_cells(void *state, void *call, int threads)
{
  const SizingHostState *host_state = state;
  const SizingSelect *select = call;
  cpu_size_select(&host_state->view, select->gates, select->count, select->chosen, threads);
}

static const FamilyFunction operations[] = { take_view, take_view, select_cells };

const FamilyHost sizing_host = { sizeof(SizingHostState), operations, NULL };
