/* Modes, corners and scenarios: the preset one, names, the libraries and parasitics of corners. */
#include "db/scenario.h"

#include "tests/small.h"
#include "tests/unit.h"

typedef struct {
  Small       *small;
  LibrarySet  *libs;
  ScenarioSet *set;
} Fixture;

static NameId name(const Fixture *fixture, const char *text)
{
  return small_name(fixture->small, text);
}

/* A library of cells without anything in them. */
static void add_library(Fixture *fixture, const char *library, const char *const *cells)
{
  LibraryMark mark = library_begin(fixture->libs);
  LibraryId id = small_library(fixture->small, library, true, true);
  for (; *cells; cells++) small_bare_cell(fixture->small, id, *cells);
  library_commit(fixture->libs, &mark);
}

static Fixture set_up(void)
{
  Fixture f = { .small = small_start() };
  f.libs = f.small->libs;
  f.set = scenario_set_new(f.small->names);
  add_library(&f, "typical", (const char *const[]){ "INV", "BUF", "RAM", NULL });
  add_library(&f, "slow", (const char *const[]){ "INV", "BUF", NULL });
  add_library(&f, "fast", (const char *const[]){ "BUF", "INV", NULL });
  return f;
}

static void tear_down(Fixture *fixture)
{
  scenario_set_free(fixture->set);
  small_free(fixture->small);
}

static void test_preset(void)
{
  Fixture f = set_up();
  NameId preset = name(&f, "default");
  CHECK(scenario_count(f.set) == 1 && scenario_find(f.set, preset) == 0 && f.set->preset);
  CornerId slow = scenario_add_corner(f.set, name(&f, "slow"));
  ModeId mode = scenario_find_mode(f.set, preset);
  ScenarioId a = scenario_add(f.set, name(&f, "a"), mode, slow);
  CHECK(scenario_count(f.set) == 1 && scenario_find(f.set, preset) == NO_SCENARIO
        && !f.set->preset);
  ScenarioId b = scenario_add(f.set, name(&f, "b"), mode, scenario_find_corner(f.set, preset));
  CHECK(scenario_first(f.set, mode, NO_CORNER) == a
        && scenario_first(f.set, NO_MODE, f.set->scenarios.at[b].corner) == b);
  scenario_remove(f.set, a);
  CHECK(scenario_first(f.set, NO_MODE, NO_CORNER) == b
        && scenario_first(f.set, NO_MODE, slow) == NO_SCENARIO);
  scenario_remove_corner(f.set, slow);
  CHECK(scenario_find_corner(f.set, name(&f, "slow")) == NO_CORNER);
  tear_down(&f);
}

static void test_libraries(void)
{
  Fixture f = set_up();
  Corner *none = f.set->corners.at[scenario_add_corner(f.set, name(&f, "none"))];
  Corner *slow = f.set->corners.at[scenario_add_corner(f.set, name(&f, "slow"))];
  Corner *ocv = f.set->corners.at[scenario_add_corner(f.set, name(&f, "ocv"))];
  CellId inv = 0, ram = 2;
  corner_add_library(slow, 1, true, true);
  corner_add_library(ocv, 2, true, false);
  bool lacks = false;
  CHECK(corner_cell(f.libs, NULL, inv, LATE, &lacks) == inv
        && corner_cell(f.libs, none, inv, EARLY, &lacks) == inv);
  CHECK(corner_cell(f.libs, slow, inv, EARLY, &lacks) == 3
        && corner_cell(f.libs, slow, 3, LATE, &lacks) == 3);
  /* one list serves both */
  CHECK(corner_cell(f.libs, ocv, inv, EARLY, &lacks) == 6
        && corner_cell(f.libs, ocv, inv, LATE, &lacks) == 6);
  CHECK(!lacks && corner_cell(f.libs, slow, ram, LATE, &lacks) == ram && lacks);
  CHECK(corner_same_libraries(NULL, none) && !corner_same_libraries(none, slow)
        && !corner_same_libraries(slow, ocv));
  corner_add_library(ocv, 1, false, true);
  CHECK(corner_cell(f.libs, ocv, inv, EARLY, NULL) == 6
        && corner_cell(f.libs, ocv, inv, LATE, NULL) == 3);
  tear_down(&f);
}

static void test_parasitics(void)
{
  Fixture f = set_up();
  CornerId a = scenario_add_corner(f.set, name(&f, "a")),
           b = scenario_add_corner(f.set, name(&f, "b"));
  CHECK(corner_parasitics(f.set, a, LATE) == NULL && corner_own_parasitics(f.set, a, true, true));
  Parasitics *own = corner_parasitics(f.set, a, LATE);
  CHECK(own && own == corner_parasitics(f.set, a, EARLY)
        && !corner_own_parasitics(f.set, a, true, true));
  /* late alone: parted */
  CHECK(corner_own_parasitics(f.set, a, false, true));
  CHECK(corner_parasitics(f.set, a, EARLY) == own && corner_parasitics(f.set, a, LATE) != own);
  ParasiticsId rc = scenario_add_parasitics(f.set, name(&f, "rc"));
  corner_use_parasitics(f.set, a, rc, rc);
  corner_use_parasitics(f.set, b, NO_PARASITICS, rc);
  Parasitics *shared = f.set->parasitics.at[rc].data;
  CHECK(corner_parasitics(f.set, a, EARLY) == shared && corner_parasitics(f.set, b, EARLY) == NULL
        && corner_uses(f.set, b, rc));
  /* before a change: a copy */
  CHECK(corner_own_parasitics(f.set, b, false, true));
  CHECK(corner_parasitics(f.set, b, LATE) != shared && corner_parasitics(f.set, a, LATE) == shared);
  scenario_remove_corner(f.set, a);
  CHECK(f.set->parasitics.at[rc].data == shared
        && scenario_find_parasitics(f.set, name(&f, "rc")) == rc);
  tear_down(&f);
}

void suite_scenario(void)
{
  CU_pSuite s = CU_add_suite("db/scenario", NULL, NULL);
  CU_add_test(s, "the preset scenario", test_preset);
  CU_add_test(s, "libraries of corners", test_libraries);
  CU_add_test(s, "parasitics of corners", test_parasitics);
}
