/* Tests of db/netlist.h: nets over hierarchy, names, and edits. */
#include "db/netlist.h"

#include "tests/small.h"
#include "tests/unit.h"

typedef struct {
  Small   *small;
  Netlist *n;
  Log     *log;
  CellId inv, inv2, nand;
} Fixture;

static NameId name(Fixture *fixture, const char *text) { return small_name(fixture->small, text); }

static PinId pin(const Fixture *fixture, const char *path)
{
  return netlist_find_pin(fixture->n, TOP_INST, path, '/');
}

/* top: in -> u1 -> w -> [b: i -> v1 -> o] -> out; a flat name with separators beside it. */
static void set_up(Fixture *fixture)
{
  Small *small = fixture->small = small_start();
  fixture->log = small->log;
  fixture->inv = small_box(small, "INV", "A", 'Y');
  fixture->inv2 = small_box(small, "INV2", "A", 'Y');
  fixture->nand = small_box(small, "NAND", "AB", 'Y');
  Netlist *n = fixture->n = small->netlist =
      netlist_new(small->names, small->libs, name(fixture, "top"));
  ModuleId top = netlist_add_module(n, name(fixture, "top"));
  netlist_add_port(n, name(fixture, "in"), DIR_INPUT, NO_BUS);
  netlist_add_port(n, name(fixture, "out"), DIR_OUTPUT, NO_BUS);
  ModuleId block = netlist_add_module(n, name(fixture, "block"));
  netlist_add_port(n, name(fixture, "i"), DIR_INPUT, NO_BUS);
  netlist_add_port(n, name(fixture, "o"), DIR_OUTPUT, NO_BUS);
  netlist_add_inst(n, NO_INST, name(fixture, "top"), top, true);
  SegId in = small_seg(small, TOP_INST, "in"), out = small_seg(small, TOP_INST, "out"),
        w = small_seg(small, TOP_INST, "w");
  small_leaf(small, TOP_INST, "u1", fixture->inv);
  InstId b = netlist_add_inst(n, TOP_INST, name(fixture, "b"), block, true);
  small_leaf(small, TOP_INST, "b/x/v[2]", fixture->nand);
  SegId i = small_seg(small, b, "i"), o = small_seg(small, b, "o");
  small_leaf(small, b, "v1", fixture->inv);
  small_attach(small, "in", in);
  small_attach(small, "out", out);
  small_attach(small, "u1/A", in);
  small_attach(small, "u1/Y", w);
  small_attach(small, "b/i", w);
  netlist_set_inner_seg(n, pin(fixture, "b/i"), i);
  netlist_set_inner_seg(n, pin(fixture, "b/o"), o);
  small_attach(small, "b/o", out);
  small_attach(small, "b/v1/A", i);
  small_attach(small, "b/v1/Y", o);
}

static void tear_down(Fixture *fixture) { small_free(fixture->small); }

static uint32_t pin_count(Fixture *fixture, const char *path, bool hierarchical)
{
  uint32_t count = 0;
  NetPins it = net_pins(fixture->n, netlist_pin_net(fixture->n, pin(fixture, path)), hierarchical);
  while (net_pins_next(&it) != NO_PIN) count++;
  return count;
}

static void test_nets(void)
{
  Fixture f;
  set_up(&f);
  CHECK_TEXT(small_net_name(f.n, "b/v1/A"), "w");
  CHECK_TEXT(small_net_name(f.n, "b/v1/Y"), "out");
  CHECK(netlist_pin_net(f.n, pin(&f, "u1/Y")) == netlist_pin_net(f.n, pin(&f, "b/v1/A")));
  CHECK(pin_count(&f, "u1/Y", false) == 2);
  CHECK(pin_count(&f, "u1/Y", true) == 3);
  CHECK(pin_count(&f, "b/v1/Y", false) == 2);
  CHECK(netlist_pin_drives(f.n, pin(&f, "u1/Y")) && !netlist_pin_loads(f.n, pin(&f, "u1/Y")));
  CHECK(netlist_pin_drives(f.n, netlist_find_port(f.n, "in"))
        && netlist_pin_loads(f.n, netlist_find_port(f.n, "out")));
  CHECK(!netlist_pin_drives(f.n, pin(&f, "b/o")) && !netlist_pin_loads(f.n, pin(&f, "b/i")));
  CHECK(f.n->leaf_count == 3);
  tear_down(&f);
}

static void test_find(void)
{
  Fixture f;
  set_up(&f);
  const Netlist *n = f.n;
  InstId b = netlist_find_inst(n, TOP_INST, "b", '/');
  CHECK(netlist_find_inst(n, TOP_INST, "b/v1", '/') == netlist_find_inst(n, b, "v1", '/'));
  CHECK(netlist_find_inst(n, TOP_INST, "b/x/v[2]", '/') != NO_INST);
  CHECK(netlist_find_inst(n, TOP_INST, "\\b/x/v[2] ", '/')
        == netlist_find_inst(n, TOP_INST, "b/x/v[2]", '/'));
  CHECK(netlist_find_inst(n, TOP_INST, "b\\/x\\/v\\[2\\]", '/')
        == netlist_find_inst(n, TOP_INST, "b/x/v[2]", '/'));
  CHECK(pin(&f, "b/x/v[2]/B") != NO_PIN && pin(&f, "b/x/v[2]/C") == NO_PIN);
  CHECK(netlist_find_seg(n, TOP_INST, "b/o", '/') != NO_SEG
        && netlist_find_seg(n, TOP_INST, "b/w", '/') == NO_SEG);
  CHECK(netlist_find_inst(n, TOP_INST, "", '/') == NO_INST && pin(&f, "/") == NO_PIN
        && pin(&f, "u1//A") == NO_PIN);
  CHECK(netlist_find_inst(n, TOP_INST, "b.v1", '.') == netlist_find_inst(n, TOP_INST, "b/v1", '/'));
  CHECK(netlist_find_port(n, "in") != NO_PIN && netlist_find_port(n, "none") == NO_PIN);
  tear_down(&f);
}

/* A local name with separators wins over the same path through the tree; a wrong split is taken
   back. */
static void test_ambiguous(void)
{
  Fixture f;
  set_up(&f);
  InstId flat = small_leaf(f.small, TOP_INST, "b/v1", f.nand);
  CHECK(netlist_find_inst(f.n, TOP_INST, "b/v1", '/') == flat);
  CHECK(f.n->pins.at[pin(&f, "b/v1/B")].inst == flat);
  netlist_add_inst(f.n, TOP_INST, name(&f, "b/c"), 1, true);
  InstId inner = small_leaf(f.small, netlist_find_inst(f.n, TOP_INST, "b", '/'), "c/d", f.inv);
  CHECK(netlist_find_inst(f.n, TOP_INST, "b/c/d", '/') == inner);
  tear_down(&f);
}

static void test_full_names(void)
{
  enum { DEPTH = 3000 };
  Fixture f;
  set_up(&f);
  InstId at = TOP_INST;
  for (int d = 0; d < DEPTH; d++) at = netlist_add_inst(f.n, at, name(&f, "h"), 1, true);
  InstId last = small_leaf(f.small, at, "u", f.inv);
  Text t = { 0 };
  netlist_inst_name(f.n, last, '/', &t);
  CHECK(t.len == 2 * DEPTH + 1 && strncmp(t.at, "h/h/h/", 6) == 0
        && strcmp(t.at + t.len - 4, "/h/u") == 0);
  CHECK(netlist_find_inst(f.n, TOP_INST, t.at, '/') == last);
  text_put(&t, "/A");
  CHECK(netlist_find_pin(f.n, TOP_INST, t.at, '/') == f.n->insts.at[last].first_pin);
  text_put(&t, "/no");
  CHECK(netlist_find_pin(f.n, TOP_INST, t.at, '/') == NO_PIN);
  text_free(&t);
  tear_down(&f);
}

static void test_split_and_join(void)
{
  Fixture f;
  set_up(&f);
  SegId w = netlist_find_seg(f.n, TOP_INST, "w", '/'),
        i = netlist_find_seg(f.n, TOP_INST, "b/i", '/');
  netlist_tie(f.n, i, NET_CONSTANT_ONE);
  CHECK(f.n->nets.at[f.n->segs.at[w].net].flags == NET_CONSTANT_ONE);
  CHECK(netlist_disconnect(f.n, pin(&f, "b/i"), f.log) == OK);
  CHECK_TEXT(small_net_name(f.n, "b/v1/A"), "b/i");
  CHECK_TEXT(small_net_name(f.n, "u1/Y"), "w");
  CHECK(f.n->nets.at[f.n->segs.at[w].net].flags == 0
        && f.n->nets.at[f.n->segs.at[i].net].flags == NET_CONSTANT_ONE);
  CHECK(netlist_connect(f.n, pin(&f, "b/i"), w, f.log) == OK);
  CHECK_TEXT(small_net_name(f.n, "b/v1/A"), "w");
  CHECK(pin_count(&f, "u1/Y", true) == 3);
  netlist_join(f.n, netlist_find_seg(f.n, TOP_INST, "out", '/'), w);
  CHECK_TEXT(small_net_name(f.n, "u1/Y"), "out");
  CHECK(pin_count(&f, "u1/Y", false) == 4);
  CHECK(netlist_remove_net(f.n, w, f.log) == OK);
  CHECK_TEXT(small_net_name(f.n, "u1/Y"), "-");
  CHECK_TEXT(small_net_name(f.n, "b/v1/Y"), "out");
  CHECK_TEXT(small_net_name(f.n, "b/v1/A"), "b/i");
  tear_down(&f);
}

static void test_swap(void)
{
  Fixture f;
  set_up(&f);
  PinId a = pin(&f, "u1/A");
  InstId u1 = netlist_find_inst(f.n, TOP_INST, "u1", '/');
  CHECK(netlist_swap_cell(f.n, u1, f.inv2, f.log) == OK);
  CHECK(pin(&f, "u1/A") == a && netlist_inst_cell(f.n, u1) == f.inv2);
  CHECK_TEXT(small_net_name(f.n, "u1/A"), "in");
  CellId turned = library_add_black_box(f.small->libs, name(&f, "TURNED"));
  library_add_black_box_port(f.small->libs, turned, name(&f, "Y"), DIR_OUTPUT);
  library_add_black_box_port(f.small->libs, turned, name(&f, "A"), DIR_INPUT);
  CHECK(netlist_swap_cell(f.n, u1, turned, f.log) == OK);
  CHECK(pin(&f, "u1/A") == a && netlist_pin_direction(f.n, a) == DIR_INPUT);
  CHECK(netlist_swap_cell(f.n, u1, f.nand, f.log) == FAILED);
  CHECK_TEXT(log_take_error(f.log),
             "error: cannot swap 'TURNED' for 'NAND': it has 3 pins, expected 2 [NET-004]");
  CHECK(netlist_swap_cell(f.n, netlist_find_inst(f.n, TOP_INST, "b/x/v[2]", '/'), f.inv, f.log)
        == FAILED);
  CHECK_TEXT(
      log_take_error(f.log),
      "error: cannot swap 'NAND' for 'INV': it has no pin 'B' of the same direction [NET-004]");
  CHECK(netlist_swap_cell(f.n, TOP_INST, f.inv, f.log) == FAILED);
  CHECK_TEXT(log_take_error(f.log), "error: cannot swap the cell of 'top': it is hierarchical, "
                                    "expected an instance of a library cell [NET-005]");
  CHECK(netlist_inst_cell(f.n, u1) == turned);
  tear_down(&f);
}

static void fails(Fixture *fixture, Status status, const char *code)
{
  CHECK(status == FAILED);
  const char *line = log_take_error(fixture->log);
  CHECK(line != NULL && strstr(line, code) != NULL);
}

static void test_edits(void)
{
  Fixture f;
  InstId made, b;
  SegId net, w;
  set_up(&f);
  Netlist *n = f.n;
  b = netlist_find_inst(n, TOP_INST, "b", '/');
  w = netlist_find_seg(n, TOP_INST, "w", '/');
  CHECK(netlist_insert_inst(n, b, "buf", f.inv, f.log, &made) == OK
        && netlist_find_inst(n, TOP_INST, "b/buf", '/') == made);
  CHECK(n->insts.at[netlist_find_inst(n, b, "v1", '/')].next_sibling == made);
  CHECK(netlist_insert_net(n, b, "extra", f.log, &net) == OK);
  CHECK(netlist_connect(n, pin(&f, "b/buf/A"), net, f.log) == OK);
  fails(&f, netlist_insert_inst(n, b, "buf", f.inv, f.log, &made), "NET-001");
  fails(&f,
        netlist_insert_inst(n, netlist_find_inst(n, TOP_INST, "u1", '/'), "z", f.inv, f.log, &made),
        "NET-002");
  fails(&f, netlist_insert_inst(n, b, "", f.inv, f.log, &made), "NET-003");
  fails(&f, netlist_remove_inst(n, b, f.log), "NET-005");
  fails(&f, netlist_insert_net(n, b, "extra", f.log, &net), "NET-006");
  fails(&f, netlist_connect(n, pin(&f, "b/buf/A"), net, f.log), "NET-007");
  fails(&f, netlist_disconnect(n, pin(&f, "b/buf/Y"), f.log), "NET-008");
  fails(&f, netlist_connect(n, pin(&f, "b/buf/Y"), w, f.log), "NET-009");
  fails(&f, netlist_remove_net(n, netlist_find_seg(n, TOP_INST, "in", '/'), f.log), "NET-010");
  fails(&f, netlist_remove_net(n, netlist_find_seg(n, b, "i", '/'), f.log), "NET-010");
  made = netlist_find_inst(n, b, "buf", '/');
  CHECK(netlist_remove_inst(n, made, f.log) == OK && n->leaf_count == 3);
  CHECK(netlist_find_inst(n, b, "buf", '/') == NO_INST && n->segs.at[net].first_pin == NO_PIN);
  fails(&f, netlist_remove_inst(n, made, f.log), "NET-011");
  CHECK(netlist_remove_net(n, net, f.log) == OK && netlist_find_seg(n, b, "extra", '/') == NO_SEG);
  fails(&f, netlist_remove_net(n, net, f.log), "NET-011");
  CHECK(netlist_insert_net(n, b, "extra", f.log, &net) == OK);
  tear_down(&f);
}

void suite_netlist(void)
{
  CU_pSuite s = CU_add_suite("netlist", NULL, NULL);
  CU_add_test(s, "nets through the hierarchy", test_nets);
  CU_add_test(s, "finding", test_find);
  CU_add_test(s, "ambiguous paths", test_ambiguous);
  CU_add_test(s, "full names of deep instances", test_full_names);
  CU_add_test(s, "splitting and joining nets", test_split_and_join);
  CU_add_test(s, "swapping cells", test_swap);
  CU_add_test(s, "edits and their errors", test_edits);
}
