#include "base/interrupt.h"

#include <signal.h>

/* A signal has no context to carry, hence the one flag of the process. */
static volatile sig_atomic_t seen;

void interrupt_set(void) { seen = 1; }
void interrupt_clear(void) { seen = 0; }
bool interrupt_seen(void) { return seen != 0; }
