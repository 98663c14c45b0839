/* The DEF reader, what a placement answers, and the writer: every construct on small files, the
   netlist beside it, files that are refused. */
#include "read/def/def.h"

#include "read/lef/lef.h"
#include "read/words.h"
#include "tests/small.h"
#include "tests/unit.h"
#include "write/def_file.h"

/* BUF's pins are centred at (20, 10) and (80, 30) of 100 x 40 units; BIG is 200 x 80. */
static const char lef[] =
    "UNITS DATABASE MICRONS 100 ; END UNITS\nSITE core CLASS CORE ; SIZE 0.1 BY 0.4 ; END core\n"
    "MACRO BUF CLASS CORE ; SIZE 1 BY 0.4 ; SITE core ;\n"
    " PIN A DIRECTION INPUT ; PORT LAYER M1 ; RECT 0.1 0 0.3 0.2 ; END END A\n"
    " PIN Z DIRECTION OUTPUT ; PORT LAYER M1 ; RECT 0.7 0.2 0.9 0.4 ; END END Z END BUF\n"
    "MACRO BIG CLASS CORE ; SIZE 2 BY 0.8 ;\n"
    " PIN Z DIRECTION OUTPUT ; PORT LAYER M1 ; RECT 1 0.2 1.2 0.4 ; END END Z\n"
    " PIN A DIRECTION INPUT ; PORT LAYER M1 ; RECT 0 0 0.2 0.2 ; END END A END BIG\n"
    "MACRO FILL CLASS CORE SPACER ; SIZE 0.2 BY 0.4 ; END FILL\n";

/* in -> u1 -> n -> b/u2[3] -> out; a hierarchical block b. */
static const char verilog[] =
    "module block (i, o); input i; output o; BUF \\u2[3] (.A(i), .Z(o)); endmodule\n"
    "module top (in, out); input in; output out; wire n;\n"
    "BUF u1 (.A(in), .Z(n)); block b (.i(n), .o(out)); endmodule\n";

typedef struct {
  Small      *small;
  Names      *names;
  Netlist    *n;
  Physical   *physical;
  Placement  *placement;
  DefRead     read;
  CellId      buf, big;
} Fixture;

static NameId name(Fixture *fixture, const char *text) { return small_name(fixture->small, text); }

static Fixture set_up(void)
{
  Fixture f = { .small = small_start() };
  f.names = f.small->names;
  f.buf = small_box(f.small, "BUF", "A", 'Z');
  f.big = small_box(f.small, "BIG", "A", 'Z');
  small_link(f.small, verilog);
  f.n = f.small->netlist;
  f.physical = physical_new(f.names);
  CHECK(read_lef_text(f.physical, "a.lef", lef, test_log(), NULL) == OK);
  return f;
}

static void done(Fixture *fixture)
{
  placement_free(fixture->placement);
  physical_free(fixture->physical);
  small_free(fixture->small);
}

#define HEAD                                                                 \
  "VERSION 5.8 ;\nDIVIDERCHAR \"/\" ;\nBUSBITCHARS \"[]\" ;\nDESIGN top ;\n" \
  "UNITS DISTANCE MICRONS 100 ;\nDIEAREA ( 0 0 ) ( 1000 400 ) ;\n"
#define END "END DESIGN\n"

static Status read(Fixture *fixture, const char *text)
{
  return read_def_text(fixture->physical, "a.def", text, test_log(), &fixture->placement,
                       &fixture->read);
}

static const Component *component(const Fixture *fixture, const char *text)
{
  ComponentId id = placement_find_component(fixture->placement, text);
  return id == NO_COMPONENT ? NULL : &fixture->placement->components.at[id];
}

static InstId inst(const Fixture *fixture, const char *text)
{
  return small_inst(fixture->small, text);
}

static PinId pin(const Fixture *fixture, const char *text)
{
  return small_pin(fixture->small, text);
}

static bool is_box(Box b, int x0, int y0, int x1, int y1)
{
  return b.x0 == x0 && b.y0 == y0 && b.x1 == x1 && b.y1 == y1;
}

static bool range_is(const Placement *placement, TextRange r, const char *text)
{
  return r.length == strlen(text) && memcmp(placement->source.at + r.at, text, r.length) == 0;
}

/* --- the floor plan --------------------------------------------------------------------------- */

static void test_floor(void)
{
  Fixture f = set_up();
  CHECK(read(&f, HEAD "ROW r0 core 10 20 FS DO 5 BY 1 STEP 10 0 + PROPERTY x 1 ;\nROW r1 core 0 0 "
                      "N ;\n"
                      "TRACKS X 5 DO 10 STEP 20 LAYER M1 M2 ;\nTRACKS Y 7 DO 3 STEP 9 MASK 1 LAYER "
                      "M3 ;\n"
                      "GCELLGRID Y 1 DO 2 STEP 300 ;\n"
                      "VIAS 1 ;\n- v + RECT M1 ( -1 -1 ) ( 1 1 ) ;\nEND VIAS\n"
                      "REGIONS 2 ;\n- r ( 0 0 ) ( 10 10 ) ( 20 0 ) ( 30 10 ) + TYPE FENCE ;\n- g ( "
                      "1 1 ) ( 2 2 ) ;\n"
                      "END REGIONS\n"
                      "BLOCKAGES 4 ;\n- PLACEMENT + SOFT RECT ( 0 0 ) ( 1 1 ) RECT ( 2 2 ) ( 3 3 ) "
                      ";\n"
                      "- PLACEMENT + PARTIAL 40 + PUSHDOWN RECT ( 0 0 ) ( 5 5 ) ;\n"
                      "- LAYER M2 + SPACING 3 + EXCEPTPGNET RECT ( 9 9 ) ( 1 1 ) ;\n"
                      "- PLACEMENT POLYGON ( 0 0 ) ( 0 8 ) ( 4 8 ) ;\nEND BLOCKAGES\n"
                      "GROUPS 1 ;\n- g a/b* c + REGION r + PROPERTY p 1 ;\nEND GROUPS\n" END)
        == OK);
  const Placement *placement = f.placement;
  CHECK(is_box(placement->die_box, 0, 0, 1000, 400) && placement->die.len == 2);
  CHECK(placement->rows.len == 2 && range_is(placement, placement->rows.at[0].name, "r0")
        && placement->rows.at[0].orient == ORIENT_FS);
  CHECK(placement->rows.at[0].at.x == 10 && placement->rows.at[0].at.y == 20
        && placement->rows.at[0].count_x == 5);
  CHECK(placement->rows.at[0].step_x == 10 && placement->rows.at[1].count_x == 1
        && placement->rows.at[1].site == placement->rows.at[0].site);
  CHECK(placement->tracks.len == 2 && placement->tracks.at[0].across_x
        && range_is(placement, placement->tracks.at[0].layers, "M1 M2 "));
  CHECK(!placement->tracks.at[1].across_x && placement->tracks.at[1].start == 7
        && placement->tracks.at[1].step == 9);
  CHECK(placement->gcells.len == 1 && placement->gcells.at[0].count == 2
        && placement->gcells.at[0].step == 300);
  CHECK(placement->regions.len == 2 && placement->regions.at[0].kind == REGION_FENCE
        && placement->regions.at[0].box_count == 2);
  CHECK(placement->regions.at[1].kind == REGION_PLAIN);
  CHECK(placement->blockages.len == 4 && placement->blockages.at[0].flags == BLOCKAGE_SOFT);
  CHECK(placement->blockages.at[0].box_count == 2 && placement->blockages.at[0].density == 1);
  CHECK(placement->blockages.at[1].flags == (BLOCKAGE_PARTIAL | BLOCKAGE_PUSHDOWN));
  CHECK_NEAR(placement->blockages.at[1].density, 0.4, 1e-12);
  CHECK(placement->blockages.at[2].layer == physical_find_layer(f.physical, name(&f, "M2")));
  CHECK(is_box(placement->boxes.at[placement->blockages.at[2].first_box], 1, 1, 9, 9));
  CHECK(is_box(placement->boxes.at[placement->blockages.at[3].first_box], 0, 0, 4, 8));
  CHECK(placement->groups.len == 1 && placement->groups.at[0].region == 0
        && range_is(placement, placement->groups.at[0].text, "a/b* c "));
  CHECK(placement->others.len == 2 && range_is(placement, placement->others.at[1].keyword, "VIAS"));
  CHECK(strstr(test_log_text(), "a.def:22:43: warning: a rectangle upside down") != NULL);
  done(&f);
}

/* --- components, ports, nets ------------------------------------------------------------------ */

#define COMPONENTS                                                             \
  "COMPONENTS 4 ;\n"                                                           \
  "- u1 BUF + SOURCE TIMING + PLACED ( 100 40 ) FS + WEIGHT 3 ;\n"             \
  "- b/u2\\[3\\] BUF + FIXED ( 300 0 ) W ;\n- fill FILL + COVER ( 0 0 ) N ;\n" \
  "- extra NONE + UNPLACED ;\nEND COMPONENTS\n"
#define PORTS                                                                          \
  "PINS 3 ;\n- in + NET in + DIRECTION INPUT + USE SIGNAL\n"                           \
  "  + LAYER M2 ( -5 0 ) ( 5 20 ) + PLACED ( 500 400 ) S ;\n"                          \
  "- out + NET out + DIRECTION OUTPUT + PORT + LAYER M2 MASK 1 ( 0 0 ) ( 10 10 ) + "   \
  "FIXED ( 0 100 ) N\n"                                                                \
  "  + PORT + POLYGON M2 ( 0 0 ) ( 0 4 ) ( 4 4 ) + FIXED ( 20 100 ) E ;\n- VDD + NET " \
  "VDD + USE POWER ;\n"                                                                \
  "END PINS\n"
#define NETS                                                                           \
  "SPECIALNETS 1 ;\n- VDD ( PIN VDD ) ( * VDD ) + USE POWER + ROUTED M1 10 ( 0 0 ) ( " \
  "9 * ) ;\n"                                                                          \
  "END SPECIALNETS\nNETS 3 ;\n- in ( PIN in ) ( u1 A ) + USE CLOCK ;\n"                \
  "- n ( u1 Z + SYNTHESIZED ) ( b/u2\\[3\\] A ) + ROUTED M1 ( 0 0 ) ( 5 0 ) ;\n"       \
  "- lost ( b/u2\\[3\\] Z ) ( gone Z ) ;\nEND NETS\n"

static void test_components(void)
{
  Fixture f = set_up();
  CHECK(read(&f, HEAD COMPONENTS PORTS NETS END) == OK);
  const Component *u1 = component(&f, "u1"), *u2 = component(&f, "b/u2[3]");
  CHECK(f.placement->components.len == 4);
  CHECK(u1->status == PLACE_PLACED && u1->orient == ORIENT_FS && u1->place.x == 100
        && u1->place.y == 40);
  CHECK(u2->status == PLACE_FIXED && u2->orient == ORIENT_W);
  CHECK(component(&f, "fill")->status == PLACE_COVER && component(&f, "extra")->macro == NO_MACRO);
  CHECK(component(&f, "nosuch") == NULL);
  CHECK(is_box(component_box(f.placement, 0), 100, 40, 200, 80));
  /* turned: 40 wide and 100 high */
  CHECK(is_box(component_box(f.placement, 1), 300, 0, 340, 100));
  CHECK(is_box(component_box(f.placement, 3), 0, 0, 0, 0));
  done(&f);
}

/* The shape of `in` is turned around (0, 0): x -5..5, y -20..0. */
static void test_ports(void)
{
  Fixture f = set_up();
  CHECK(read(&f, HEAD COMPONENTS PORTS NETS END) == OK);
  const PlacedPort *in = &f.placement->ports.at[0], *out = &f.placement->ports.at[1];
  CHECK(in->direction == DIR_INPUT && in->status == PLACE_PLACED && in->orient == ORIENT_S);
  CHECK(is_box(in->box, 495, 380, 505, 400));
  CHECK(out->direction == DIR_OUTPUT && out->shape_count == 2 && out->status == PLACE_FIXED);
  /* E turns (4, 4) to (4, -4): 20..24, 96..100 beside 0..10, 100..110 */
  CHECK(is_box(out->box, 0, 96, 24, 110));
  CHECK(f.placement->ports.at[2].status == PLACE_UNPLACED
        && f.placement->ports.at[2].use == USE_POWER);
  CHECK_TEXT(names_text(f.placement->names, out->net), "out");
  done(&f);
}

static void test_nets(void)
{
  Fixture f = set_up();
  Point at;
  CHECK(read(&f, HEAD COMPONENTS PORTS NETS END) == OK);
  const PlacedNet *nets = f.placement->nets.at;
  CHECK(f.placement->nets.len == 4 && nets[0].special && nets[0].pin_count == 1
        && nets[0].use == USE_POWER);
  CHECK(nets[0].routed && nets[1].use == USE_CLOCK && !nets[1].routed && nets[2].routed);
  CHECK(range_is(f.placement, nets[2].text, "+ ROUTED M1 ( 0 0 ) ( 5 0 ) "));
  CHECK(nets[2].pin_count == 2);
  const PlacedPin *pin = &f.placement->pins.at[nets[2].first_pin];
  CHECK_TEXT(names_text(f.names, pin->pin), "Z");
  /* FS: y is flipped: (80, 10) of the cell */
  CHECK(placed_pin_location(f.placement, pin, &at) && at.x == 180 && at.y == 50);
  CHECK(f.read.unknown_components == 1);
  CHECK(!placed_pin_location(f.placement, &f.placement->pins.at[nets[3].first_pin + 1], &at));
  CHECK(strstr(test_log_text(), "1 pin of nets are of components that COMPONENTS has not, of gone")
        != NULL);
  done(&f);
}

/* "pin" is PIN unless a component has this name; of several regions of a name the first counts. */
static void test_net_ports(void)
{
  Fixture f = set_up();
  CHECK(read(&f, HEAD "COMPONENTS 1 ;\n- Pin BUF + PLACED ( 0 0 ) N ;\nEND COMPONENTS\n" PORTS
                      "NETS 1 ;\n- n ( pin in ) ( Pin A ) ( PIN nowhere ) ;\nEND NETS\n" END)
        == OK);
  const PlacedPin *pins = f.placement->pins.at;
  CHECK(pins[0].component == NO_COMPONENT && pins[0].pin == placement_find_port(f.placement, "in")
        && pins[0].pin != NO_PLACED_PORT);
  CHECK(pins[1].component == 0 && pins[2].pin == NO_PLACED_PORT);
  CHECK(f.read.unknown_ports == 1 && f.read.unknown_components == 0);
  CHECK(strstr(test_log_text(), "1 pin of nets is of ports that PINS has not, of nowhere the first "
                                "[DEF-023]")
        != NULL);
  placement_free(f.placement);
  CHECK(read(&f, HEAD "REGIONS 3 ;\n- a ( 0 0 ) ( 1 1 ) ;\n- b ( 0 0 ) ( 2 2 ) ;\n"
                      "- b ( 0 0 ) ( 3 3 ) ;\nEND REGIONS\n"
                      "GROUPS 2 ;\n- g x + REGION b ;\n- h y + REGION none ;\nEND GROUPS\n" END)
        == OK);
  CHECK(f.placement->groups.at[0].region == 1 && f.placement->groups.at[1].region == NO_REGION);
  done(&f);
}

/* --- the netlist ------------------------------------------------------------------------------ */

static void test_bind(void)
{
  Fixture f = set_up();
  Box box;
  Point at;
  CHECK(read(&f, HEAD COMPONENTS PORTS NETS END) == OK);
  CHECK(!placement_of_cell(f.placement, inst(&f, "u1"), &box));
  PlacementMatch m = placement_bind(f.placement, f.n);
  CHECK(m.without_component == 0 && m.not_in_netlist == 2 && m.first_not_in_netlist == 2);
  CHECK(m.without_macro == 1 && m.first_without_macro == 3 && m.other_master == 0
        && m.ports_missing == 0);
  CHECK(placement_of_cell(f.placement, inst(&f, "b/u2[3]"), &box) && is_box(box, 300, 0, 340, 100));
  CHECK(placement_pin_location(f.placement, pin(&f, "u1/A"), &at) && at.x == 120 && at.y == 70);
  /* W: (x, y) to (40 - y, x) */
  CHECK(placement_pin_location(f.placement, pin(&f, "b/u2[3]/Z"), &at) && at.x == 310
        && at.y == 80);
  CHECK(placement_pin_location(f.placement, pin(&f, "in"), &at) && at.x == 500 && at.y == 390);
  CHECK(f.placement->nets.at[2].net != NO_NET && f.placement->nets.at[3].net == NO_NET);
  CHECK(f.placement->nets.at[2].net == f.n->segs.at[netlist_find_seg(f.n, TOP_INST, "n", '/')].net);
  CHECK(placement_component_of(NULL, 1) == NO_COMPONENT && !placement_pin_location(NULL, 0, &at));
  done(&f);
}

static void test_mismatch(void)
{
  Fixture f = set_up();
  CHECK(read(&f, HEAD "COMPONENTS 1 ;\n- u1 BIG + PLACED ( 0 0 ) N ;\nEND COMPONENTS\n" END) == OK);
  CHECK(is_box(component_box(f.placement, 0), 0, 0, 200, 80));
  PlacementMatch m = placement_bind(f.placement, f.n);
  CHECK(m.other_master == 1 && m.first_other_master == 0);
  CHECK(is_box(component_box(f.placement, 0), 0, 0, 100, 40));
  CHECK(m.without_component == 1 && m.first_without_component == inst(&f, "b/u2[3]"));
  CHECK(m.ports_missing == 2 && m.first_port_missing == pin(&f, "in"));
  done(&f);
}

static void test_changes(void)
{
  Fixture f = set_up();
  Point at;
  CHECK(read(&f, HEAD COMPONENTS PORTS NETS END) == OK);
  placement_bind(f.placement, f.n);
  uint64_t version = f.placement->version;
  InstId u1 = inst(&f, "u1");
  placement_move(f.placement, placement_component_of(f.placement, u1), (Point){ 7, 9 }, ORIENT_N,
                 PLACE_PLACED);
  CHECK(placement_pin_location(f.placement, pin(&f, "u1/Z"), &at) && at.x == 87 && at.y == 39);
  CHECK(netlist_swap_cell(f.n, u1, f.big, test_log()) == OK);
  placement_cell_swapped(f.placement, u1);
  CHECK(placement_pin_location(f.placement, pin(&f, "u1/Z"), &at) && at.x == 117 && at.y == 39);
  /* as a pin of the DEF's net too */
  CHECK(placed_pin_location(f.placement, &f.placement->pins.at[f.placement->nets.at[2].first_pin],
                            &at)
        && at.x == 117);
  CHECK(f.placement->version > version);
  done(&f);
}

/* LEF read later, in a copy. */
static void test_late_lef(void)
{
  Fixture f = set_up();
  CHECK(read(&f, HEAD COMPONENTS PORTS NETS END) == OK);
  placement_bind(f.placement, f.n);
  Physical *copy = physical_copy(f.physical);
  CHECK(read_lef_text(copy, "b.lef",
                      "MACRO NONE SIZE 3 BY 4 ; END NONE MACRO BUF SIZE 5 BY 6 ;\n"
                      "PIN A PORT LAYER M1 ; RECT 0 0 2 2 ; END END A END BUF\n",
                      test_log(), NULL)
        == OK);
  PlacementMatch m = placement_use_physical(f.placement, copy);
  physical_free(f.physical);
  f.physical = copy;
  Point at;
  CHECK(m.without_macro == 0 && is_box(component_box(f.placement, 0), 100, 40, 600, 640));
  /* FS of 500 x 600: (100, 100) to (100, 500); a pin that the macro lacks is at its centre */
  CHECK(placement_pin_location(f.placement, pin(&f, "u1/A"), &at) && at.x == 200 && at.y == 540);
  CHECK(placement_pin_location(f.placement, pin(&f, "u1/Z"), &at) && at.x == 350 && at.y == 340);
  done(&f);
}

static void test_units(void)
{
  Fixture f = set_up();
  CHECK(read(&f, "DESIGN top ;\nUNITS DISTANCE MICRONS 2000 ;\nDIEAREA ( 0 0 ) ( 9 9 ) ;\n"
                 "COMPONENTS 1 ;\n- u BUF + PLACED ( 0 0 ) N ;\nEND COMPONENTS\n" END)
        == OK);
  CHECK(f.physical->units == 2000 && f.read.rounded == 0);
  CHECK(is_box(component_box(f.placement, 0), 0, 0, 2000, 800));
  placement_free(f.placement);
  CHECK(read(&f, "DESIGN top ;\nUNITS DISTANCE MICRONS 1 ;\nDIEAREA ( 0 0 ) ( 9 9 ) ;\n" END)
        == OK);
  CHECK(f.read.rounded > 0 && strstr(test_log_text(), "[DEF-016]") != NULL);
  /* BUF is 1 by 0.4 microns, BIG 2 by 0.8, and FILL 0.2 by 0.4 */
  CHECK(f.read.vanished == 2
        && strstr(test_log_text(), "2 macros of LEF have no area in the file's units, 1 a micron, "
                                   "BUF the first [DEF-024]")
               != NULL);
  placement_free(f.placement);
  /* a DEF after it starts from LEF, whose sizes are whole numbers of 1/100 micron */
  CHECK(read(&f, "DESIGN top ;\nUNITS DISTANCE MICRONS 1000 ;\nDIEAREA ( 0 0 ) ( 9 9 ) ;\n"
                 "COMPONENTS 1 ;\n- u BUF + PLACED ( 0 0 ) N ;\nEND COMPONENTS\n" END)
        == OK);
  CHECK(f.read.rounded == 0 && is_box(component_box(f.placement, 0), 0, 0, 1000, 400));
  placement_free(f.placement);
  /* without units, those of LEF, whatever a DEF before it said; they stay when LEF is read */
  CHECK(read(&f, "DESIGN top ;\nDIEAREA ( 0 0 ) ( 9 9 ) ;\n" END) == OK);
  CHECK(f.physical->units == 100);
  CHECK(read_lef_text(f.physical, "b.lef", "UNITS DATABASE MICRONS 500 ; END UNITS\n", test_log(),
                      NULL)
        == OK);
  CHECK(f.physical->units == 100 && f.physical->lef_units == 500);
  done(&f);
}

/* Other characters for bits and between names. */
static void test_characters(void)
{
  Fixture f = set_up();
  CHECK(read(&f, "DIVIDERCHAR \"|\" ;\nBUSBITCHARS \"<>\" ;\nDESIGN top ;\nUNITS DISTANCE MICRONS "
                 "100 ;\n"
                 "DIEAREA ( 0 0 ) ( 9 9 ) ;\nCOMPONENTS 2 ;\n- b|u2<3> BUF + PLACED ( 0 0 ) N ;\n- "
                 "u1 BUF ;\n"
                 "END COMPONENTS\n" END)
        == OK);
  PlacementMatch m = placement_bind(f.placement, f.n);
  CHECK(m.without_component == 0 && m.not_in_netlist == 0);
  done(&f);
}

/* --- writing ---------------------------------------------------------------------------------- */

static char *written(const Placement *placement, DefWritten *def_written)
{
  const char *path = test_file("out.def", "");
  Text text = { 0 };
  Log *log = test_log();
  static const WordCodes none = { "DEF-001", "DEF-002", "DEF-003", "DEF-004", "DEF-005" };
  CHECK(write_def(placement, path, false, log, def_written) == OK);
  CHECK(words_load(path, &text, log, &none) == OK);
  return text.at;
}

static void test_write(void)
{
  Fixture f = set_up();
  DefWritten w;
  static const char whole[] = "# kept\r\n" HEAD COMPONENTS PORTS NETS END "# and this\n";
  CHECK(read(&f, whole) == OK);
  placement_bind(f.placement, f.n);
  char *text = written(f.placement, &w);
  CHECK_TEXT(text, whole);
  CHECK(w.moved == 0 && w.masters == 0 && w.added == 0);
  mem_free(text);
  placement_move(f.placement, 0, (Point){ -7, 9 }, ORIENT_E, PLACE_FIXED);
  placement_move(f.placement, 3, (Point){ 1, 2 }, ORIENT_N, PLACE_PLACED);
  CHECK(netlist_swap_cell(f.n, inst(&f, "b/u2[3]"), f.big, test_log()) == OK);
  placement_cell_swapped(f.placement, inst(&f, "b/u2[3]"));
  text = written(f.placement, &w);
  CHECK(w.moved == 2 && w.masters == 1);
  CHECK(strstr(text, "- u1 BUF + SOURCE TIMING + FIXED ( -7 9 ) E + WEIGHT 3 ;\n"
                     "- b/u2\\[3\\] BIG + FIXED ( 300 0 ) W ;\n- fill FILL + COVER ( 0 0 ) N ;\n"
                     "- extra NONE + PLACED ( 1 2 ) N ;\nEND COMPONENTS\nPINS 3 ;\n")
        != NULL);
  mem_free(text);
  done(&f);
}

/* A component that had no words of a place, one that is new, and a file without components. */
static void test_write_new(void)
{
  Fixture f = set_up();
  DefWritten w;
  CHECK(read(&f, HEAD "COMPONENTS 1 ;\n- u1 BUF ;\n  END COMPONENTS\n" END) == OK);
  placement_bind(f.placement, f.n);
  placement_move(f.placement, 0, (Point){ 1, 2 }, ORIENT_N, PLACE_PLACED);
  ComponentId made = placement_add_component(f.placement, inst(&f, "b/u2[3]"));
  CHECK(made == 1 && placement_component_of(f.placement, inst(&f, "b/u2[3]")) == 1);
  placement_move(f.placement, made, (Point){ 3, 4 }, ORIENT_FS, PLACE_PLACED);
  char *text = written(f.placement, &w);
  CHECK(w.added == 1);
  CHECK(strstr(text, "COMPONENTS 2 ;\n- u1 BUF + PLACED ( 1 2 ) N ;\n  - b/u2\\[3\\] BUF + PLACED "
                     "( 3 4 ) FS ;\n"
                     "END COMPONENTS\n")
        != NULL);
  mem_free(text);
  placement_free(f.placement);
  CHECK(read(&f, HEAD END) == OK);
  placement_bind(f.placement, f.n);
  placement_move(f.placement, placement_add_component(f.placement, inst(&f, "u1")), (Point){ 3, 4 },
                 ORIENT_N, PLACE_PLACED);
  text = written(f.placement, &w);
  CHECK(strstr(text, "COMPONENTS 1 ;\n- u1 BUF + PLACED ( 3 4 ) N ;\nEND COMPONENTS\nEND DESIGN\n")
        != NULL);
  mem_free(text);
  done(&f);
}

/* Blocks of a megabyte; words that are replaced lie across their borders. */
static void test_write_blocks(void)
{
  enum { COUNT = 60000 };
  Fixture f = set_up();
  DefWritten w;
  Text text = { 0 }, want = { 0 };
  text_printf(&text, HEAD "COMPONENTS %d ;\n", COUNT);
  text_put(&want, text_get(&text));
  for (int i = 0; i < COUNT; i++) {
    text_printf(&text, "- component_%d FILL + PLACED ( %d %d ) N ;\n", i, i, i % 7);
    text_printf(&want, "- component_%d FILL + FIXED ( %d 1000 ) FS ;\n", i, i % 3 ? -i : i * 1000);
  }
  text_put(&text, "END COMPONENTS\n" END);
  text_put(&want, "END COMPONENTS\n" END);
  CHECK(read(&f, text_get(&text)) == OK);
  for (int i = 0; i < COUNT; i++)
    placement_move(f.placement, (ComponentId)i, (Point){ i % 3 ? -i : i * 1000, 1000 }, ORIENT_FS,
                   PLACE_FIXED);
  char *got = written(f.placement, &w);
  CHECK(strcmp(got, text_get(&want)) == 0);
  CHECK(w.moved == COUNT);
  mem_free(got);
  text_free(&text);
  text_free(&want);
  done(&f);
}

/* Names that mean something else without backslashes are read as they were written. */
static void test_write_names(void)
{
  static const char *const names[] = { ";", "a;", "c;d", "e\\;", "b\\", "#x",   "\"q",
                                       "(", ")",  "-",   "*",    "+y",  "m[2]", "x#y\"z" };
  enum { COUNT = sizeof names / sizeof *names };
  Fixture f = set_up();
  for (int i = 0; i < COUNT; i++)
    small_leaf(f.small, TOP_INST, names[i], f.buf);
  CHECK(read(&f, HEAD END) == OK);
  placement_bind(f.placement, f.n);
  for (int i = 0; i < COUNT; i++) {
    ComponentId made = placement_add_component(f.placement, inst(&f, names[i]));
    placement_move(f.placement, made, (Point){ i, 40 }, ORIENT_N, PLACE_PLACED);
  }
  DefWritten w;
  char *text = written(f.placement, &w);
  CHECK(strstr(text, "- \\; BUF +") != NULL && strstr(text, "- x#y\"z BUF +") != NULL);
  placement_free(f.placement);
  CHECK(read(&f, text) == OK);
  CHECK(f.placement->components.len == COUNT);
  for (int i = 0; i < COUNT; i++)
    CHECK(component(&f, names[i]) != NULL && component(&f, names[i])->place.x == i);
  mem_free(text);
  done(&f);
}

static void refuses_name(const char *refused)
{
  Fixture f = set_up();
  small_leaf(f.small, TOP_INST, refused, f.buf);
  CHECK(read(&f, HEAD END) == OK);
  placement_bind(f.placement, f.n);
  placement_add_component(f.placement, inst(&f, refused));
  const char *path = test_file("refused.def", "as before");
  static const WordCodes none = { "DEF-001", "DEF-002", "DEF-003", "DEF-004", "DEF-005" };
  Text text = { 0 };
  Log *log = test_log();
  CHECK(write_def(f.placement, path, false, log, NULL) == FAILED);
  CHECK(strstr(log_take_error(log), "[DEF-025]") != NULL);
  CHECK(words_load(path, &text, test_log(), &none) == OK);
  CHECK_TEXT(text_get(&text), "as before");
  text_free(&text);
  done(&f);
}

/* No backslash helps a blank. */
static void test_refused_names(void)
{
  refuses_name("f g");
  refuses_name("f\tg");
  refuses_name("f\x7f");
}

/* --- files that are refused ------------------------------------------------------------------- */

static void read_invalid(const char *path, Text *messages)
{
  Fixture f = set_up();
  Log *log = test_log();
  if (read_def(f.physical, path, log, &f.placement, NULL) != OK)
    text_put(messages, log_take_error(log));
  else text_put(messages, test_log_text());
  done(&f);
}

static void test_invalid(void) { check_invalid("def", "input.def", 15, read_invalid); }

/* A file that is cut anywhere is an error, and none without END DESIGN is taken. */
static void test_cut(void)
{
  static const char whole[] =
      HEAD "ROW r0 core 10 20 FS DO 5 BY 1 STEP 10 0 ;\nTRACKS X 5 DO 10 STEP 20 LAYER M1 ;\n"
           "BLOCKAGES 1 ;\n- PLACEMENT + PARTIAL 40 RECT ( 0 0 ) ( 5 5 ) ;\nEND BLOCKAGES\n"
           "REGIONS 1 ;\n- r ( 0 0 ) ( 10 10 ) + TYPE FENCE ;\nEND REGIONS\n" COMPONENTS PORTS NETS
           "GROUPS 1 ;\n- g a/b* c + REGION r ;\nEND GROUPS\n" END;
  char text[sizeof whole];
  for (size_t length = 1; length < sizeof whole - 1; length++) {
    Fixture f = set_up();
    memcpy(text, whole, length);
    text[length] = '\0';
    Status status = read(&f, text);
    CHECK(status == (length < sizeof whole - 2 ? FAILED : OK));
    done(&f);
  }
}

void suite_def(void)
{
  CU_pSuite suite = CU_add_suite("def", NULL, NULL);
  CU_add_test(suite, "floor plan", test_floor);
  CU_add_test(suite, "components", test_components);
  CU_add_test(suite, "ports", test_ports);
  CU_add_test(suite, "nets", test_nets);
  CU_add_test(suite, "names in nets and groups", test_net_ports);
  CU_add_test(suite, "the netlist's", test_bind);
  CU_add_test(suite, "mismatch", test_mismatch);
  CU_add_test(suite, "changes", test_changes);
  CU_add_test(suite, "LEF read later", test_late_lef);
  CU_add_test(suite, "units", test_units);
  CU_add_test(suite, "characters", test_characters);
  CU_add_test(suite, "write", test_write);
  CU_add_test(suite, "write new ones", test_write_new);
  CU_add_test(suite, "write blocks", test_write_blocks);
  CU_add_test(suite, "write names", test_write_names);
  CU_add_test(suite, "refused names", test_refused_names);
  CU_add_test(suite, "invalid files", test_invalid);
  CU_add_test(suite, "cut files", test_cut);
}
