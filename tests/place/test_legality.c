/* Areas, overlaps, rows: by hand, and against looking at each pair and each unit square. */
#include "place/legality.h"

#include "base/text.h"
#include "place/wire_length.h"
#include "read/def/def.h"
#include "read/lef/lef.h"
#include "tests/unit.h"

/* Cells of one, two and three sites of 1 x 2 microns, one that is two rows high, a filler, a block
   of 4 x 5. */
static const char lef[] =
    "UNITS DATABASE MICRONS 10 ; END UNITS\n"
    "SITE s CLASS CORE ; SIZE 1 BY 2 ; END s\n"
    "MACRO A CLASS CORE ; SIZE 1 BY 2 ; SITE s ; END A\n"
    "MACRO B CLASS CORE ; SIZE 2 BY 2 ; SITE s ; END B\n"
    "MACRO C CLASS CORE ; SIZE 3 BY 2 ; SITE s ; END C\n"
    "MACRO T CLASS CORE ; SIZE 1 BY 4 ; SITE s ; END T\n"
    "MACRO F CLASS CORE SPACER ; SIZE 1 BY 2 ; SITE s ; END F\n"
    "MACRO K CLASS BLOCK ; SIZE 4 BY 5 ; END K\n"
    "MACRO L CLASS COVER ; SIZE 9 BY 9 ; END L\n"
    "MACRO P CLASS CORE ; SIZE 3 BY 2 ; PIN a PORT LAYER m ; RECT 0 0 1 1 ; END END a\n"
    "  PIN b PORT LAYER m ; RECT 2 1 3 2 ; END END b END P\n";

typedef struct {
  Names     *names;
  Physical  *physical;
  Placement *placement;
} Fixture;

static Fixture read(const char *body)
{
  Fixture f;
  Text def = { 0 };
  Log *log = test_log();
  f.names = names_new();
  f.physical = physical_new(f.names);
  f.placement = NULL;
  text_printf(&def, "DESIGN d ;\nUNITS DISTANCE MICRONS 10 ;\nDIEAREA ( 0 0 ) ( 100 60 ) ;\n%s\n"
                    "END DESIGN\n", body);
  CHECK(read_lef_text(f.physical, "a.lef", lef, log, NULL) == OK);
  CHECK(read_def_text(f.physical, "a.def", text_get(&def), log, &f.placement, NULL) == OK);
  text_free(&def);
  return f;
}

static void done(Fixture *fixture)
{
  placement_free(fixture->placement);
  physical_free(fixture->physical);
  names_free(fixture->names);
}

/* --- the area of boxes ------------------------------------------------------------------------ */

enum { SIDE = 40 };

static double counted(const Box *boxes, uint32_t count)
{
  double area = 0;
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      bool in = false;
      for (uint32_t i = 0; i < count; i++)
        in |= boxes[i].x0 <= x && x < boxes[i].x1 && boxes[i].y0 <= y && y < boxes[i].y1;
      area += in;
    }
  return area;
}

static void test_area(void)
{
  uint64_t state = 1;
  double area;
  Box boxes[30];
  for (int round = 0; round < 100; round++) {
    uint32_t count = (uint32_t)round % 30 + 1;
    for (uint32_t i = 0; i < count; i++) {
      int32_t v[4];
      for (int k = 0; k < 4; k++) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        v[k] = (int32_t)((state >> 33) % SIDE);
      }
      boxes[i] = (Box){ v[0], v[1], v[0], v[1] };
      box_take(&boxes[i], (Point){ v[2], v[3] });
    }
    CHECK(boxes_area(boxes, count, &area));
    CHECK(area == counted(boxes, count));
  }
  CHECK(boxes_area(NULL, 0, &area) && area == 0);
}

/* Two rows of ten sites, 20 square microns each; a block covers 4 x 1 of the first and none of the
   second (8 and 4 microns: 4 x 1). */
static void test_utilisation(void)
{
  Fixture f = read("ROW r0 s 0 0 N DO 10 BY 1 STEP 10 0 ;\nROW r1 s 0 20 FS DO 10 BY 1 STEP 10 0 "
                   ";\n"
                   "COMPONENTS 5 ;\n- a A + PLACED ( 0 0 ) N ;\n- b B + FIXED ( 10 0 ) N ;\n"
                   "- u C ;\n- k K + FIXED ( 60 30 ) N ;\n- f F + PLACED ( 30 0 ) N ;\n"
                   "END COMPONENTS");
  PlacementArea area;
  CHECK(placement_area(f.placement, &area));
  CHECK_NEAR(area.row_area, 40 - 4 * 1, 1e-9);
  CHECK_NEAR(area.core_area, 2 + 4 + 6, 1e-9);
  CHECK_NEAR(area.utilisation, 12.0 / 36, 1e-9);
  CHECK_NEAR(area.filler_area, 2, 1e-9);
  CHECK_NEAR(area.block_area, 20, 1e-9);
  CHECK_NEAR(area.die_area, 60, 1e-9);
  CHECK(area.count[PLACE_UNPLACED] == 1 && area.count[PLACE_PLACED] == 2);
  CHECK(area.count[PLACE_FIXED] == 2 && area.cores == 3 && area.fillers == 1 && area.blocks == 1);
  done(&f);
}

/* An L: 10 x 6 less its upper right quarter. */
static void test_outline(void)
{
  Fixture f = read("DIEAREA ( 0 0 ) ( 0 60 ) ( 50 60 ) ( 50 30 ) ( 100 30 ) ( 100 0 ) ;");
  PlacementArea area;
  CHECK(placement_area(f.placement, &area));
  CHECK_NEAR(area.die_area, 60 - 15, 1e-9);
  CHECK(f.placement->die_box.x1 == 100 && f.placement->die_box.y1 == 60);
  done(&f);
}

/* --- overlaps --------------------------------------------------------------------------------- */

/* a and b share 1 x 2; t reaches into the second row over c by 1 x 2; the cover is above all. */
static void test_overlaps(void)
{
  Fixture f = read("COMPONENTS 6 ;\n- a B + PLACED ( 0 0 ) N ;\n- b C + PLACED ( 10 0 ) N ;\n"
                   "- c C + PLACED ( 60 20 ) N ;\n- t T + PLACED ( 70 0 ) N ;\n- u A ;\n"
                   "- l L + PLACED ( 0 0 ) N ;\nEND COMPONENTS");
  Overlaps o;
  CHECK(find_overlaps(f.placement, &o));
  CHECK(o.pairs == 2 && o.cells == 4);
  CHECK_NEAR(o.area, 10 * 20 + 10 * 20, 1e-9);
  CHECK(o.a == 0 && o.b == 1);
  done(&f);
}

static uint32_t counted_pairs(const Placement *placement, double *area)
{
  uint32_t pairs = 0;
  *area = 0;
  for (ComponentId i = 0; i < placement->components.len; i++)
    for (ComponentId k = i + 1; k < placement->components.len; k++) {
      Box a = component_box(placement, i), b = component_box(placement, k);
      int32_t x0 = a.x0 > b.x0 ? a.x0 : b.x0, x1 = a.x1 < b.x1 ? a.x1 : b.x1;
      int32_t y0 = a.y0 > b.y0 ? a.y0 : b.y0, y1 = a.y1 < b.y1 ? a.y1 : b.y1;
      if (x0 >= x1 || y0 >= y1) continue;
      pairs++;
      *area += (double)(x1 - x0) * (y1 - y0);
    }
  return pairs;
}

static void test_overlaps_at_random(void)
{
  uint64_t state = 7;
  Text body = { 0 };
  text_put(&body, "COMPONENTS 200 ;\n");
  for (int i = 0; i < 200; i++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    uint32_t r = (uint32_t)(state >> 33);
    text_printf(&body, "- c%d %c + PLACED ( %u %u ) %s ;\n", i, "ABCTK"[i % 5], r % 80, r / 80 % 50,
                i % 3 ? "N" : "W");
  }
  text_put(&body, "END COMPONENTS");
  Fixture f = read(text_get(&body));
  Overlaps o;
  double area;
  uint32_t pairs = counted_pairs(f.placement, &area);
  CHECK(pairs > 100);
  CHECK(find_overlaps(f.placement, &o));
  CHECK(o.pairs == pairs);
  CHECK_NEAR(o.area, area, 1e-6);
  done(&f);
  text_free(&body);
}

/* --- rows and the die ------------------------------------------------------------------------- */

static void test_off_grid(void)
{
  Fixture f = read("ROW r0 s 5 0 N DO 5 BY 1 STEP 10 0 ;\nROW r1 s 65 0 N DO 3 BY 1 STEP 10 0 ;\n"
                   "COMPONENTS 7 ;\n- good A + PLACED ( 15 0 ) N ;\n- right C + PLACED ( 65 0 ) N "
                   ";\n"
                   "- site A + PLACED ( 20 0 ) N ;\n- row A + PLACED ( 15 7 ) N ;\n"
                   "- gap B + PLACED ( 45 0 ) N ;\n- block K + PLACED ( 51 3 ) N ;\n"
                   "- out K + PLACED ( 70 30 ) N ;\nEND COMPONENTS");
  OffGrid g;
  CHECK(find_off_grid(f.placement, &g));
  CHECK(g.off_site == 1 && g.first_off_site == 2);
  CHECK(g.off_row == 2 && g.first_off_row == 3);
  CHECK(g.off_die == 1 && g.first_off_die == 6);
  done(&f);
}

/* Pins a and b of P are centred at (5, 5) and (25, 15) in units.  n1: x's a at (5, 5) and y's b at
   (50 + 25, 20 + 15): 70 + 30. n2: x's b at (25, 15) and the port at (100, 30): 75 + 15.  n3 has a
   pin without a place: of its others, x's a (5, 5) and y's a (55, 25), 50 + 20. */
static void test_wire_length(void)
{
  Fixture f = read("COMPONENTS 3 ;\n- x P + PLACED ( 0 0 ) N ;\n- y P + PLACED ( 50 20 ) N ;\n- u "
                   "P ;\n"
                   "END COMPONENTS\n"
                   "PINS 1 ;\n- out + NET n2 + LAYER m ( -2 -2 ) ( 2 2 ) + PLACED ( 100 30 ) N ;\n"
                   "END PINS\nSPECIALNETS 1 ;\n- VDD ( * VDD ) + USE POWER ;\nEND SPECIALNETS\n"
                   "NETS 4 ;\n- n1 ( x a ) ( y b ) ;\n- n2 ( PIN out ) ( x b ) ;\n"
                   "- n3 ( x a ) ( y a ) ( u a ) ;\n- n4 ( u b ) ;\nEND NETS");
  LongNet longest[2];
  WireLengths w = { .longest = longest, .most = 2 };
  CHECK(wire_lengths(f.placement, &w));
  CHECK(w.nets == 3 && w.pins == 7 && w.open == 1);
  CHECK(w.total == 100 + 90 + 70);
  CHECK(w.found == 2 && longest[0].length == 100 && longest[1].length == 90);
  NetSpan s = placement_net_span(f.placement, longest[1].net);
  CHECK(s.box.x0 == 25 && s.box.y0 == 15 && s.box.x1 == 100 && s.box.y1 == 30);
  done(&f);
}

void suite_legality(void)
{
  CU_pSuite suite = CU_add_suite("legality", NULL, NULL);
  CU_add_test(suite, "area of boxes", test_area);
  CU_add_test(suite, "utilisation", test_utilisation);
  CU_add_test(suite, "outline", test_outline);
  CU_add_test(suite, "overlaps", test_overlaps);
  CU_add_test(suite, "overlaps at random", test_overlaps_at_random);
  CU_add_test(suite, "off grid", test_off_grid);
  CU_add_test(suite, "wire length", test_wire_length);
}
