#include "base/interrupt.h"

#include <stdatomic.h>

/* A signal has no context to carry, hence the one flag of the process.  Any thread may take the
   signal, all of them read the flag, and nothing else is told by it: no order with other memory is
   needed. */
static atomic_bool seen, held;
static atomic_uint looks_left;
_Static_assert(ATOMIC_BOOL_LOCK_FREE == 2, "a signal's handler may change the flag");

void interrupt_set(void) { atomic_store_explicit(&seen, true, memory_order_relaxed); }
void interrupt_clear(void) { atomic_store_explicit(&seen, false, memory_order_relaxed); }
void interrupt_hold(bool on) { atomic_store_explicit(&held, on, memory_order_relaxed); }
bool interrupt_pending(void) { return atomic_load_explicit(&seen, memory_order_relaxed); }
void interrupt_after(uint32_t looks) { atomic_store(&looks_left, looks); }

static void count_look(void)
{
  if (atomic_fetch_sub(&looks_left, 1) == 1) interrupt_set();
}

bool interrupt_seen(void)
{
  if (atomic_load_explicit(&looks_left, memory_order_relaxed)) count_look();
  return interrupt_pending() && !atomic_load_explicit(&held, memory_order_relaxed);
}
