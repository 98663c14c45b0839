/* The interrupt flag: set by a signal handler or another thread, polled by long work once a level
   or chunk. */
#ifndef SL_BASE_INTERRUPT_H
#define SL_BASE_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

void interrupt_set(void);       /* async-signal-safe */
void interrupt_clear(void);
bool interrupt_seen(void);
/* Work that must not end half way does not see the flag while it is held back.  One at a time,
   by the main thread. */
void interrupt_hold(bool on);
bool interrupt_pending(void);   /* held back or not */
/* For tests: it comes with the looks-th look from now on; 0: not. */
void interrupt_after(uint32_t looks);

#endif
