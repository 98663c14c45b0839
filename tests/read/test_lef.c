/* The LEF reader: what each statement gives, macros that are read again, units, and files that are
   refused. */
#include "read/lef/lef.h"

#include <math.h>

#include "tests/unit.h"

typedef struct {
  Names    *names;
  Physical *physical;
  LefRead   read;
} Fixture;

static Fixture set_up(void)
{
  Names *names = names_new();
  return (Fixture){ names, physical_new(names), { 0 } };
}

static Status read(Fixture *fixture, const char *text)
{
  return read_lef_text(fixture->physical, "a.lef", text, test_log(), &fixture->read);
}

static void done(Fixture *fixture)
{
  physical_free(fixture->physical);
  names_free(fixture->names);
}

static const Layer *layer(const Fixture *fixture, const char *name)
{
  LayerId id =
      physical_find_layer(fixture->physical, names_find(fixture->names, name, strlen(name)));
  return id == NO_LAYER ? NULL : &fixture->physical->layers.at[id];
}

static const Macro *macro(const Fixture *fixture, const char *name)
{
  MacroId id =
      physical_find_macro(fixture->physical, names_find(fixture->names, name, strlen(name)));
  return id == NO_MACRO ? NULL : &fixture->physical->macros.at[id];
}

static const MacroPin *pin(const Fixture *fixture, const char *name, const char *pin)
{
  MacroId id =
      physical_find_macro(fixture->physical, names_find(fixture->names, name, strlen(name)));
  MacroPinId found =
      physical_find_pin(fixture->physical, id, names_find(fixture->names, pin, strlen(pin)));
  return found == NO_MACRO_PIN ? NULL : &fixture->physical->pins.at[found];
}

static bool is_box(Box b, int x0, int y0, int x1, int y1)
{
  return b.x0 == x0 && b.y0 == y0 && b.x1 == x1 && b.y1 == y1;
}

/* --- technology ------------------------------------------------------------------------------- */

static void test_layers(void)
{
  Fixture f = set_up();
  CHECK(read(&f, "VERSION 5.8 ; # a comment ; END\nUNITS DATABASE MICRONS 2000 ; END UNITS\n"
                 "MANUFACTURINGGRID 0.005 ;\n"
                 "LAYER M1 TYPE ROUTING ; DIRECTION HORIZONTAL ; PITCH 0.2 ; OFFSET 0.1 0.3 ;\n"
                 "  WIDTH 0.1 ; SPACING 0.06 ; SPACING 0.2 RANGE 1 2 ; RESISTANCE RPERSQ 0.4 ;\n"
                 "  CAPACITANCE CPERSQDIST 0.0002 ; EDGECAPACITANCE 0.00003 ; THICKNESS 0.13 ;\n"
                 "  ACCURRENTDENSITY PEAK FREQUENCY 1 2 ; WIDTH 0.9 1.8 ; TABLEENTRIES 1 2 3 4 ;\n"
                 "  PROPERTY LEF58_X \"WIDTH 7 ; END M1 ;\" ; END M1\n"
                 "LAYER V1 TYPE CUT ; RESISTANCE 5 ; END V1\n"
                 "layer M2 type routing ; direction vertical ; pitch 0.2 0.4 ; end M2\n"
                 "SITE core CLASS CORE ; SYMMETRY Y X ; SIZE 0.2 BY 1.4 ; END core\nEND LIBRARY\n")
        == OK);
  const Layer *m1 = layer(&f, "M1"), *m2 = layer(&f, "M2"), *v1 = layer(&f, "V1");
  CHECK(f.physical->units == 2000 && f.physical->grid == 10);
  CHECK(m1->kind == LAYER_ROUTING && m1->way == WAY_HORIZONTAL && m1->pitch_x == 400);
  CHECK(m1->pitch_y == 400 && m1->offset_x == 200 && m1->offset_y == 600);
  CHECK(m1->width == 200 && m1->spacing == 120);
  CHECK_NEAR(m1->square_resistance, 0.0004, 1e-12);
  /* ten squares a micron; a plate of 0.1 x 0.2 fF and two edges of 0.03 fF */
  CHECK_NEAR(layer_wire_resistance(f.physical, 0), 0.004, 1e-12);
  CHECK_NEAR(layer_wire_cap(f.physical, 0), 0.02 + 0.06, 1e-12);
  CHECK(v1->kind == LAYER_CUT);
  CHECK_NEAR(v1->cut_resistance, 0.005, 1e-12);
  CHECK(m2->way == WAY_VERTICAL && m2->pitch_x == 400 && m2->pitch_y == 800);
  CHECK(isnan(layer_wire_cap(f.physical, 2)) && isnan(layer_wire_resistance(f.physical, 2)));
  CHECK(f.physical->sites.at[0].width == 400 && f.physical->sites.at[0].height == 2800);
  CHECK(f.physical->sites.at[0].symmetry == (SYMMETRY_X | SYMMETRY_Y));
  CHECK(f.read.layers == 3 && f.read.sites == 1);
  done(&f);
}

static void test_vias(void)
{
  Fixture f = set_up();
  CHECK(read(&f, "UNITS DATABASE MICRONS 100 ; END UNITS\n"
                 "VIA v DEFAULT RESISTANCE 3 ; LAYER M1 ; RECT -1 -1 1 1 ; LAYER V ; RECT 0 0 0.5 "
                 "0.5 ;"
                 " END v\n"
                 "VIARULE r GENERATE LAYER M1 ; ENCLOSURE 1 2 ; LAYER M2 ; ENCLOSURE 1 2 ; END r\n"
                 "NONDEFAULTRULE wide LAYER M1 WIDTH 2 ; END M1 END wide\n"
                 "PROPERTYDEFINITIONS LAYER x STRING ; END PROPERTYDEFINITIONS\n"
                 "SPACING SAMENET M1 M1 0.1 ; END SPACING\nBEGINEXT \"tag\" what ever ENDEXT\n"
                 "MACRO c SIZE 10 BY 10 ; PIN p PORT VIA 5 6 v ; END END p END c\n") == OK);
  CHECK(f.physical->vias.len == 1 && f.physical->vias.at[0].is_default
        && f.physical->vias.at[0].shape_count == 2);
  CHECK_NEAR(f.physical->vias.at[0].resistance, 0.003, 1e-12);
  CHECK(pin(&f, "c", "p")->shape_count == 2);
  CHECK(is_box(pin(&f, "c", "p")->box, 400, 500, 600, 700));
  done(&f);
}

/* --- macros ----------------------------------------------------------------------------------- */

static void test_macro(void)
{
  Fixture f = set_up();
  CHECK(read(&f, "UNITS DATABASE MICRONS 100 ; END UNITS\nLAYER V1 TYPE CUT ; END V1\n"
                 "MACRO INV CLASS CORE TIEHIGH ; FOREIGN INV 0.5 1 ; ORIGIN 1 2 ; SIZE 4 BY 6 ;\n"
                 "  SYMMETRY X R90 ; SITE core ;\n"
                 "  PIN A DIRECTION INPUT ; USE CLOCK ; PORT LAYER M1 ; RECT 0 0 1 1 ;\n"
                 "    LAYER V1 ; RECT 2 3 3 4 ; END PORT LAYER M1 ; RECT 0 2 1 3 ; END END A\n"
                 "  PIN Y DIRECTION OUTPUT TRISTATE ; ANTENNADIFFAREA 1 ; END Y\n"
                 "  OBS LAYER M1 ; RECT -1 -2 0 0 ; END\n"
                 "  PIN Z DIRECTION INOUT ; END Z OBS LAYER M2 ; RECT 0 0 1 1 ; END\nEND INV\n")
        == OK);
  const Macro *the_macro = macro(&f, "INV");
  CHECK(the_macro->class == MACRO_CORE && the_macro->width == 400 && the_macro->height == 600);
  CHECK_TEXT(names_text(f.names, the_macro->subclass), "TIEHIGH");
  CHECK(the_macro->foreign_at.x == 50 && the_macro->foreign_at.y == 100);
  CHECK(the_macro->symmetry == (SYMMETRY_X | SYMMETRY_R90) && the_macro->pin_count == 3);
  const MacroPin *macro_pin = pin(&f, "INV", "A"), *the_pin = pin(&f, "INV", "Y"),
                 *one_pin = pin(&f, "INV", "Z");
  CHECK(macro_pin->direction == DIR_INPUT && macro_pin->use == USE_CLOCK
        && macro_pin->shape_count == 3);
  /* the origin is added; the cut does not count */
  CHECK(is_box(macro_pin->box, 100, 200, 200, 500));
  CHECK(the_pin->direction == DIR_OUTPUT && the_pin->shape_count == 0);
  CHECK(is_box(the_pin->box, 200, 300, 200, 300));
  CHECK(one_pin->direction == DIR_INOUT);
  CHECK(the_macro->blocked_count == 2);
  CHECK(is_box(f.physical->shapes.at[the_macro->first_blocked].box, 0, 0, 100, 200));
  CHECK(is_box(f.physical->shapes.at[the_macro->first_blocked + 1].box, 100, 200, 200, 300));
  done(&f);
}

static void test_shapes(void)
{
  Fixture f = set_up();
  CHECK(read(&f, "UNITS DATABASE MICRONS 10 ; END UNITS\nLAYER M1 TYPE ROUTING ; WIDTH 2 ; END M1\n"
                 "MACRO c SIZE 99 BY 99 ;\n"
                 "  PIN it PORT LAYER M1 ; RECT ITERATE ( 0 0 ) ( 1 2 ) DO 3 BY 2 STEP 5 10 ; END "
                 "END it\n"
                 "  PIN ell PORT LAYER M1 ; POLYGON 0 0 0 6 2 6 2 3 5 3 5 0 ; END END ell\n"
                 "  PIN way PORT LAYER M1 ; PATH 10 10 20 10 20 30 ; WIDTH 4 ; PATH 50 50 ; END "
                 "END way\n"
                 "  PIN up PORT LAYER M1 ; RECT MASK 2 5 6 1 2 ; END END up\nEND c\n") == OK);
  const MacroPin *it = pin(&f, "c", "it"), *ell = pin(&f, "c", "ell"), *way = pin(&f, "c", "way");
  CHECK(it->shape_count == 6 && is_box(it->box, 0, 0, 110, 120));
  /* below 3 microns as wide as the foot, above as the leg */
  CHECK(ell->shape_count == 2);
  CHECK(is_box(f.physical->shapes.at[ell->first_shape].box, 0, 0, 50, 30));
  CHECK(is_box(f.physical->shapes.at[ell->first_shape + 1].box, 0, 30, 20, 60));
  CHECK(way->shape_count == 3);
  CHECK(is_box(f.physical->shapes.at[way->first_shape].box, 90, 90, 210, 110));
  CHECK(is_box(f.physical->shapes.at[way->first_shape + 1].box, 190, 90, 210, 310));
  CHECK(is_box(f.physical->shapes.at[way->first_shape + 2].box, 480, 480, 520, 520));
  CHECK(is_box(pin(&f, "c", "up")->box, 10, 20, 50, 60));
  CHECK(strstr(test_log_text(), "a.lef:7:38: warning: a rectangle upside down") != NULL);
  done(&f);
}

static void test_again(void)
{
  Fixture f = set_up();
  CHECK(read(&f, "UNITS DATABASE MICRONS 100 ; END UNITS\n"
                 "MACRO a SIZE 1 BY 1 ; PIN x END x PIN y END y END a\n"
                 "MACRO b SIZE 2 BY 2 ; END b\n")
        == OK);
  MacroId id = physical_find_macro(f.physical, names_find(f.names, "a", 1));
  CHECK(read_lef_text(f.physical, "b.lef", "MACRO a SIZE 3 BY 1 ; PIN y END y END a\n", test_log(),
                      NULL)
        == OK);
  CHECK(physical_find_macro(f.physical, names_find(f.names, "a", 1)) == id);
  CHECK(macro(&f, "a")->width == 300 && pin(&f, "a", "x") == NULL && pin(&f, "a", "y") != NULL);
  CHECK(strstr(test_log_text(), "b.lef: warning: 1 macro, a the first, was read before, from a.lef")
        != NULL);
  done(&f);
}

/* Before any file says how it counts, nothing is rounded away. */
static void test_units(void)
{
  Fixture f = set_up();
  CHECK(read(&f, "MACRO a SIZE 0.0825 BY 1 ; END a\n") == OK);
  CHECK(read(&f, "UNITS DATABASE MICRONS 2000 ; END UNITS\n") == OK);
  CHECK(f.physical->units == 2000 && macro(&f, "a")->width == 165
        && macro(&f, "a")->height == 2000);
  /* a coarser file does not make it coarser; a DEF does */
  CHECK(read(&f, "UNITS DATABASE MICRONS 100 ; END UNITS\n") == OK);
  CHECK(f.physical->units == 2000);
  CHECK(physical_set_units(f.physical, 100) == 1);
  CHECK(macro(&f, "a")->width == 8 && macro(&f, "a")->height == 100);
  Physical *copy = physical_copy(f.physical);
  CHECK(copy->units == 100 && copy->macros.len == 1 && copy->macros.at[0].width == 8);
  CHECK(physical_find_macro(copy, copy->macros.at[0].name) == 0);
  physical_free(copy);
  done(&f);
}

/* Every DEF starts from the numbers of LEF; 0.0825 microns are 165 units of 2000. */
static void test_units_again(void)
{
  Fixture f = set_up();
  CHECK(read(&f, "UNITS DATABASE MICRONS 2000 ; END UNITS MANUFACTURINGGRID 0.0005 ;\n"
                 "LAYER M1 TYPE ROUTING ; WIDTH 0.0825 ; PITCH 0.1655 ; END M1\n"
                 "SITE s SIZE 0.0825 BY 0.5405 ; END s\n"
                 "MACRO a SIZE 0.0825 BY 1 ; ORIGIN 0.0005 0 ; PIN p PORT LAYER M1 ;\n"
                 " RECT 0 0.0005 0.0815 0.0825 ; END END p END a\n") == OK);
  CHECK(physical_set_units(f.physical, 15) > 0);
  CHECK(f.physical->units == 15 && macro(&f, "a")->width == 1 && macro(&f, "a")->height == 15);
  physical_layer(f.physical, names_add_text(f.names, "of_def"));
  f.physical->layers.at[0].wire_cap = 7;
  Physical *copy = physical_copy(f.physical);
  CHECK(physical_set_units(copy, 3) > 0 && physical_set_units(copy, 4000) == 0);
  CHECK(copy->units == 4000 && copy->grid == 2 && copy->layers.len == 2);
  CHECK(copy->layers.at[0].width == 330 && copy->layers.at[0].pitch_y == 662);
  CHECK(copy->layers.at[0].wire_cap == 7);
  CHECK(copy->sites.at[0].width == 330 && copy->sites.at[0].height == 2162);
  CHECK(copy->macros.at[0].width == 330 && copy->macros.at[0].origin.x == 2);
  CHECK(is_box(copy->pins.at[0].box, 2, 2, 328, 330));
  CHECK(is_box(copy->shapes.at[0].box, 2, 2, 328, 330));
  physical_free(copy);
  /* a LEF that is read at these units is kept in those of LEF, too */
  CHECK(read(&f, "MACRO b SIZE 0.1 BY 0.0825 ; END b\n") == OK);
  CHECK(strstr(test_log_text(), "2 lengths, 0.1 microns the first, are no whole numbers of "
                                "database units (15 a micron, as DEF says)") != NULL);
  CHECK(f.physical->units == 15 && macro(&f, "b")->width == 2 && macro(&f, "b")->height == 1);
  physical_use_lef_units(f.physical);
  CHECK(f.physical->units == 2000 && macro(&f, "b")->width == 200 && macro(&f, "b")->height == 165);
  CHECK(macro(&f, "a")->width == 165 && !f.physical->units_fixed);
  done(&f);
}

/* --- geometry --------------------------------------------------------------------------------- */

/* An outline of 10 x 4 with a point at (1, 1). */
static void test_orientations(void)
{
  static const Point want[] = { { 1, 1 }, { 3, 1 }, { 9, 3 }, { 1, 9 },
                                { 9, 1 }, { 1, 1 }, { 1, 3 }, { 3, 9 } };
  static const char *const names[] = { "N", "W", "S", "E", "FN", "FW", "FS", "FE" };
  static const char *const others[] = { "R0", "R90", "R180", "R270", "MY", "MX90", "MX", "MY90" };
  for (int i = ORIENT_N; i <= ORIENT_FE; i++) {
    Orient o = ORIENT_N;
    Point at = orient_point((Orient)i, 10, 4, (Point){ 1, 1 });
    CHECK(at.x == want[i].x && at.y == want[i].y);
    CHECK_TEXT(orient_name((Orient)i), names[i]);
    CHECK(orient_parse(names[i], strlen(names[i]), &o) && o == (Orient)i);
    CHECK(orient_parse(others[i], strlen(others[i]), &o) && o == (Orient)i);
    Box all = orient_box((Orient)i, 10, 4, (Box){ 0, 0, 10, 4 });
    CHECK(is_box(all, 0, 0, i % 2 ? 4 : 10, i % 2 ? 10 : 4));
  }
  Orient o;
  CHECK(!orient_parse("NE", 2, &o));
}

/* --- files that are refused ------------------------------------------------------------------- */

static void read_invalid(const char *path, Text *messages)
{
  Log *log = test_log();
  Names *names = names_new();
  Physical *physical = physical_new(names);
  if (read_lef(physical, path, log, NULL) != OK) text_put(messages, log_take_error(log));
  else text_put(messages, test_log_text());
  physical_free(physical);
  names_free(names);
}

static void test_invalid(void) { check_invalid("lef", "input.lef", 15, read_invalid); }

/* Each beginning of a good file is a good file, or an error. */
static void test_cut(void)
{
  static const char whole[] =
      "UNITS DATABASE MICRONS 100 ; END UNITS\nLAYER M1 TYPE ROUTING ; WIDTH 0.1 ; END M1\n"
      "SITE s SIZE 1 BY 1 ; END s\nVIA v LAYER M1 ; RECT 0 0 1 1 ; END v\n"
      "MACRO a CLASS CORE ; SIZE 1 BY 1 ; PIN p PORT LAYER M1 ; RECT 0 0 1 1 ;\r\n"
      " POLYGON 0 0 1 0 1 1 ; PATH 0 0 1 1 ; END END p OBS LAYER M1 ; RECT 0 0 1 1 ; END END a\n"
      "PROPERTYDEFINITIONS MACRO x STRING \"a b\" ; END PROPERTYDEFINITIONS\nEND LIBRARY\n";
  char text[sizeof whole];
  for (size_t length = 1; length < sizeof whole; length++) {
    memcpy(text, whole, length);
    text[length] = '\0';
    Log *log = test_log();
    Names *names = names_new();
    Physical *physical = physical_new(names);
    Status status = read_lef_text(physical, "cut.lef", text, log, NULL);
    CHECK(log_failed(log) == (status == FAILED));
    physical_free(physical);
    names_free(names);
  }
}

void suite_lef(void)
{
  CU_pSuite suite = CU_add_suite("lef", NULL, NULL);
  CU_add_test(suite, "layers and sites", test_layers);
  CU_add_test(suite, "vias and what is read over", test_vias);
  CU_add_test(suite, "macro", test_macro);
  CU_add_test(suite, "shapes", test_shapes);
  CU_add_test(suite, "read again", test_again);
  CU_add_test(suite, "units", test_units);
  CU_add_test(suite, "units, one DEF after another", test_units_again);
  CU_add_test(suite, "orientations", test_orientations);
  CU_add_test(suite, "invalid files", test_invalid);
  CU_add_test(suite, "cut files", test_cut);
}
