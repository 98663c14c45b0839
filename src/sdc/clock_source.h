/* What a new clock takes from others: without -add the sources that they share, and those that are
   left without a source go, with all that names them. */
#ifndef SL_SDC_CLOCK_SOURCE_H
#define SL_SDC_CLOCK_SOURCE_H

#include "sdc/sdc_command.h"

typedef struct {
  ClockId clock;
  PinId   pin;               /* a source that the new clock takes */
} SharedSource;

/* What constraints say beside clocks themselves: numbers of records. */
typedef struct {
  uint32_t exceptions, places, delays;      /* places of clocks in clock groups; delays at ports */
} NamingCounts;

typedef struct {
  ARRAY(SharedSource) shared;
  NamingCounts before;
} TakenSources;

/* Before the clock of that name is made. */
TakenSources clock_sources_taken(const Sdc *x, NameId name, const PinArray *sources);
/* After it: warns of the clocks that lost a source or are gone, and frees. */
void clock_sources_tell(const Sdc *x, NameId name, TakenSources *taken);

#endif
