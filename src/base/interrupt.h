/* The interrupt flag: set by a signal handler or another thread, polled by long work once a level or chunk. */
#ifndef SL_BASE_INTERRUPT_H
#define SL_BASE_INTERRUPT_H

#include <stdbool.h>

void interrupt_set(void);       /* async-signal-safe */
void interrupt_clear(void);
bool interrupt_seen(void);

#endif
