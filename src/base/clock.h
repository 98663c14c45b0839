/* A clock for measuring how long something takes. */
#ifndef SL_BASE_CLOCK_H
#define SL_BASE_CLOCK_H

/* Returns the seconds since an arbitrary moment. The clock never runs backwards. */
double clock_seconds(void);

#endif
