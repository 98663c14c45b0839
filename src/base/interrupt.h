/* The interrupt flag. A signal handler or another thread sets it. Long work tests it once per level
   or chunk and then stops. */
#ifndef SL_BASE_INTERRUPT_H
#define SL_BASE_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

void interrupt_set(void);       /* async-signal-safe */
void interrupt_clear(void);
bool interrupt_seen(void);
/* interrupt_hold(true) hides the flag from interrupt_seen until interrupt_hold(false), for work
   that must not end half way. Only the main thread calls it, and calls do not nest. */
void interrupt_hold(bool on);
bool interrupt_pending(void);   /* whether the flag is set, hidden or not */
/* For tests: the flag is set at the call number `looks` of interrupt_seen from now on. 0 ends
   this. */
void interrupt_after(uint32_t looks);

#endif
