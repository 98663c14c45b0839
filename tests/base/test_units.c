#include "base/units.h"
#include "tests/unit.h"

static double parsed(UnitKind kind, const char *text)
{
  double scale = -1;
  return unit_parse(kind, text, &scale) ? scale : -1;
}

static void test_parse(void)
{
  CHECK_NEAR(parsed(UNIT_TIME, "ns"), 1000, 1e-9);
  CHECK_NEAR(parsed(UNIT_TIME, "10ps"), 10, 1e-9);
  CHECK_NEAR(parsed(UNIT_TIME, "1.0E-3 uS"), 1000, 1e-9);
  CHECK_NEAR(parsed(UNIT_TIME, "S"), 1e12, 1);
  CHECK_NEAR(parsed(UNIT_CAPACITANCE, "1pf"), 1000, 1e-9);
  CHECK_NEAR(parsed(UNIT_CAPACITANCE, "1FF"), 1, 1e-9);
  CHECK_NEAR(parsed(UNIT_RESISTANCE, "1kohm"), 1, 1e-12);
  CHECK_NEAR(parsed(UNIT_RESISTANCE, "OHM"), 1e-3, 1e-12);
  CHECK_NEAR(parsed(UNIT_VOLTAGE, "100mV"), 0.1, 1e-12);
  CHECK_NEAR(parsed(UNIT_CURRENT, "1uA"), 1e-3, 1e-12);
}

static void test_no_unit(void)
{
  static const char *const bad[] = { "",     "1",   "n",       "1xs",   "1nsec2",
                                     "-1ns", "0ns", "1e400ns", "ps ps", "pF" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) CHECK(parsed(UNIT_TIME, bad[i]) == -1);
}

/* What a unit is called is read back as the same unit. */
static void test_names(void)
{
  static const double scales[] = { 1e-3, 1, 10, 100, 1000, 1e4, 1e6 };
  char name[32];
  for (UnitKind k = 0; k < UNIT_COUNT; k++)
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
      unit_name(k, scales[i], name);
      CHECK_NEAR(parsed(k, name), scales[i], 1e-6 * scales[i]);
    }
  unit_name(UNIT_TIME, 1000, name);
  CHECK_TEXT(name, "1ns");
  unit_name(UNIT_CAPACITANCE, 10, name);
  CHECK_TEXT(name, "10fF");
  CHECK_NEAR(units_default().scale[UNIT_TIME], 1000, 0);
  CHECK_NEAR(unit_si(UNIT_TIME), 1e12, 0);
}

void suite_units(void)
{
  CU_pSuite s = CU_add_suite("base/units", NULL, NULL);
  CU_add_test(s, "parse", test_parse);
  CU_add_test(s, "what is no unit", test_no_unit);
  CU_add_test(s, "names", test_names);
}
