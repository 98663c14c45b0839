/* The table of residency.h: which event moves a group of numbers from which place to which. */
#include "timing/residency.h"

static const uint8_t next_place[NUMBERS_EVENTS][NUMBERS_PLACES] = {
  [COMPUTED_ON_HOST] = { ON_HOST, ON_HOST, ON_HOST, ON_HOST, LOST },
  [COMPUTED_ON_DEVICE] = { ON_DEVICE, ON_DEVICE, ON_DEVICE, ON_DEVICE, LOST },
  [COPIED_TO_DEVICE] = { ON_BOTH, ON_BOTH, ON_DEVICE, ON_DEVICE, LOST },
  [COPIED_TO_HOST] = { ON_HOST, ON_BOTH, ON_BOTH, ON_HOST, LOST },
  [OUTDATED_ON_DEVICE] = { ON_HOST, ON_HOST, STALE_ON_DEVICE, STALE_ON_DEVICE, LOST },
  [DEVICE_FAILED] = { ON_HOST, ON_HOST, LOST, LOST, LOST },
};

void residency_note(Residency *residency, unsigned groups, NumbersEvent event)
{
  for (int i = 0; i < NUMBER_GROUPS; i++)
    if (groups >> i & 1) residency->place[i] = next_place[event][residency->place[i]];
}

unsigned residency_in(const Residency *residency, NumbersPlace place)
{
  unsigned groups = 0;
  for (int i = 0; i < NUMBER_GROUPS; i++)
    if (residency->place[i] == place) groups |= 1u << i;
  return groups;
}

unsigned residency_away(const Residency *residency)
{
  return residency_in(residency, ON_DEVICE) | residency_in(residency, STALE_ON_DEVICE);
}

unsigned residency_there(const Residency *residency)
{
  return residency_in(residency, ON_BOTH) | residency_in(residency, ON_DEVICE);
}
