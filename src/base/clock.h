/* Seconds for measuring. */
#ifndef SL_BASE_CLOCK_H
#define SL_BASE_CLOCK_H

/* Since some moment, never running back. */
double clock_seconds(void);

#endif
