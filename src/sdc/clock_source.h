/* Warnings for a new clock that replaces others. Without -add it takes the sources that it shares
   with other clocks. Clocks without a remaining source are deleted, with everything that names
   them. */
#ifndef SL_SDC_CLOCK_SOURCE_H
#define SL_SDC_CLOCK_SOURCE_H

#include "sdc/sdc_command.h"

typedef struct {
  ClockId clock;
  PinId   pin;               /* a source that the new clock takes */
} SharedSource;

/* Numbers of records that can name clocks. */
typedef struct {
  uint32_t exceptions, places, delays;      /* places: mentions of clocks in clock groups; delays:
                                               delays at ports */
} NamingCounts;

typedef struct {
  ARRAY(SharedSource) shared;
  NamingCounts before;
} TakenSources;

/* Call it before the clock of that name is made. */
TakenSources clock_sources_taken(const Sdc *sdc, NameId name, const PinArray *sources);
/* Call it afterwards. Warns of clocks that lost a source or were deleted, and frees *taken. */
void clock_sources_tell(const Sdc *sdc, NameId name, TakenSources *taken);

#endif
