/* Records where the numbers of a Timing are: on the host, on a device, on both, out of date, or
   lost.

   Numbers are in groups, which are computed and copied as a whole.  Each group is in one place
   (NumbersPlace).  The table in residency.c says to which place an event (NumbersEvent) moves a
   group.  No other code keeps track of this.  The arrays of Timing exist from timing_new on, also
   while a device alone has the numbers. */
#ifndef SL_TIMING_RESIDENCY_H
#define SL_TIMING_RESIDENCY_H

#include <stdbool.h>
#include <stdint.h>

/* Groups of numbers: a mask.  Their arrays are in NUMBER_ARRAYS (device/flat.h). */
enum {
  NUMBERS_SCRATCH = 0,           /* never copied */
  NUMBERS_NETS = 1,
  NUMBERS_SEEDS = 2,
  NUMBERS_PORTS = 4,
  NUMBERS_DELAYS = 8,
  NUMBERS_ARRIVALS = 16,
  NUMBERS_ENDS = 32,
  NUMBERS_REQUIRED = 64,
  NUMBERS_LATCHES = 128,
  /* of common path credit (timing/credit.h): credits and lists of launches, lists of captures */
  NUMBERS_LAUNCHES = 256,
  NUMBERS_CAPTURES = 512,
  NUMBERS_LISTS = NUMBERS_LAUNCHES | NUMBERS_CAPTURES,
  /* worst and total slacks (timing/end_slacks.h); if the host has NUMBERS_ENDS, it computes them
     itself */
  NUMBERS_SUMS = 1024,
  /* the groups whose arrays are in Timing */
  NUMBERS_ALL = NUMBERS_NETS | NUMBERS_DELAYS | NUMBERS_ARRIVALS | NUMBERS_ENDS | NUMBERS_REQUIRED
                | NUMBERS_LISTS
};
enum { NUMBER_GROUPS = 11, NUMBERS_EVERY = (1 << NUMBER_GROUPS) - 1 };

typedef enum {
  ON_HOST,         /* Timing's arrays are up to date; those of a device, if there are any, are
                      not */
  ON_BOTH,
  ON_DEVICE,       /* fetch them before Timing's arrays are read */
  STALE_ON_DEVICE, /* only on the device, and older than an edit: they are computed again there, or
                      fetched before the CPU follows the edit */
  LOST             /* a device that alone had them has failed: the timer begins again */
} NumbersPlace;
enum { NUMBERS_PLACES = LOST + 1 };

typedef enum {
  COMPUTED_ON_HOST,      /* or about to be computed there */
  COMPUTED_ON_DEVICE,
  COPIED_TO_DEVICE,
  COPIED_TO_HOST,
  OUTDATED_ON_DEVICE,    /* by edits, or because the arrays of the device are freed */
  DEVICE_FAILED
} NumbersEvent;
enum { NUMBERS_EVENTS = DEVICE_FAILED + 1 };

/* The place of each group. All zero: all groups are on the host. */
typedef struct { uint8_t place[NUMBER_GROUPS]; } Residency;

void     residency_note(Residency *residency, unsigned groups, NumbersEvent event);
/* Returns the groups in a place. */
unsigned residency_in(const Residency *residency, NumbersPlace place);
/* Returns the groups that the host has to fetch before it reads them. */
unsigned residency_away(const Residency *residency);
/* Returns the groups that a phase on the device may read. */
unsigned residency_there(const Residency *residency);

#endif
