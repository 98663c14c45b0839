/* Where numbers are after what happened to them (timing/residency.h), by hand. */
#include "timing/residency.h"

#include "tests/unit.h"

static void test_begin(void)
{
  Residency r = { { 0 } };
  CHECK(residency_in(&r, ON_HOST) == NUMBERS_EVERY);
  CHECK(residency_away(&r) == 0 && residency_there(&r) == 0);
}

/* A whole update on a device: nets from the host, delays made there, slacks fetched. */
static void test_update(void)
{
  Residency r = { { 0 } };
  residency_note(&r, NUMBERS_NETS, COPIED_TO_DEVICE);
  residency_note(&r, NUMBERS_DELAYS | NUMBERS_ENDS, COMPUTED_ON_DEVICE);
  CHECK(residency_in(&r, ON_BOTH) == NUMBERS_NETS);
  CHECK(residency_away(&r) == (NUMBERS_DELAYS | NUMBERS_ENDS));
  CHECK(residency_there(&r) == (NUMBERS_NETS | NUMBERS_DELAYS | NUMBERS_ENDS));
  residency_note(&r, NUMBERS_ENDS, COPIED_TO_HOST);
  CHECK(residency_away(&r) == NUMBERS_DELAYS);
  residency_note(&r, NUMBERS_NETS, COMPUTED_ON_HOST);
  CHECK(residency_there(&r) == (NUMBERS_DELAYS | NUMBERS_ENDS));
}

/* An edit: what the device alone has is stale, until the device follows it or the host has it. */
static void test_edit(void)
{
  Residency r = { { 0 } };
  residency_note(&r, NUMBERS_DELAYS | NUMBERS_ARRIVALS, COMPUTED_ON_DEVICE);
  residency_note(&r, NUMBERS_NETS, COPIED_TO_DEVICE);
  residency_note(&r, NUMBERS_EVERY, OUTDATED_ON_DEVICE);
  CHECK(residency_in(&r, STALE_ON_DEVICE) == (NUMBERS_DELAYS | NUMBERS_ARRIVALS));
  CHECK(residency_in(&r, ON_HOST) == (NUMBERS_EVERY & ~(NUMBERS_DELAYS | NUMBERS_ARRIVALS)));
  CHECK(residency_there(&r) == 0);
  residency_note(&r, NUMBERS_DELAYS, COPIED_TO_DEVICE);
  residency_note(&r, NUMBERS_ARRIVALS, COPIED_TO_HOST);
  CHECK(residency_in(&r, ON_DEVICE) == NUMBERS_DELAYS);
  CHECK((residency_in(&r, ON_HOST) & NUMBERS_ARRIVALS) != 0);
}

/* A device fails: what it alone had is lost for good, and nothing else. */
static void test_failure(void)
{
  Residency r = { { 0 } };
  residency_note(&r, NUMBERS_NETS, COPIED_TO_DEVICE);
  residency_note(&r, NUMBERS_DELAYS | NUMBERS_ARRIVALS, COMPUTED_ON_DEVICE);
  residency_note(&r, NUMBERS_ARRIVALS, OUTDATED_ON_DEVICE);
  residency_note(&r, NUMBERS_EVERY, DEVICE_FAILED);
  CHECK(residency_in(&r, LOST) == (NUMBERS_DELAYS | NUMBERS_ARRIVALS));
  CHECK(residency_away(&r) == 0 && residency_there(&r) == 0);
  for (int e = COMPUTED_ON_HOST; e <= DEVICE_FAILED; e++)
    residency_note(&r, NUMBERS_DELAYS, (NumbersEvent)e);
  CHECK(residency_in(&r, LOST) == (NUMBERS_DELAYS | NUMBERS_ARRIVALS));
}

void suite_residency(void)
{
  CU_pSuite s = CU_add_suite("timing/residency", NULL, NULL);
  CU_add_test(s, "all on the host", test_begin);
  CU_add_test(s, "an update on a device", test_update);
  CU_add_test(s, "an edit", test_edit);
  CU_add_test(s, "a device that fails", test_failure);
}
