/* Writes a block as Verilog, SPEF and SDC files. */
#include "scripts/generate/write.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- Verilog ---------------------------------------------------------------------------------- */

/* A net as it is called inside a module below the top: bits of ports lose their brackets. */
static void local_name(Out *out, const char *name)
{
  for (; *name; name++)
    if (*name != ']') out_char(out, *name == '[' ? '_' : *name);
}

static void net_in_unit(Out *out, const Block *block, Net net, uint32_t unit)
{
  if (unit) local_name(out, net_name(block, net));
  else out_text(out, net_name(block, net));
}

void verilog_cell(Out *out, const Block *block, uint32_t cell)
{
  const Cell *the_cell = &block->cells[cell];
  const KindInfo *info = &kind_info[the_cell->kind];
  out_format(out, "  %s_%u%s %s (", info->name, the_cell->drive, the_cell->vt == 'l' ? "l" : "r",
             cell_name(block, cell));
  const char *comma = "";
  for (unsigned i = 0; i < info->inputs + info->outputs; i++) {
    if (block->pin_net[the_cell->pin + i] == NONE) continue;
    out_format(out, "%s.%s(", comma, info->pins[i]);
    net_in_unit(out, block, block->pin_net[the_cell->pin + i], the_cell->unit);
    out_char(out, ')');
    comma = ", ";
  }
  out_text(out, ");\n");
}

void verilog_ports(Out *out, const Port *ports, uint32_t n_ports, const char *top)
{
  out_format(out, "module %s (", top);
  for (uint32_t i = 0; i < n_ports; i++) out_format(out, "%s%s", i ? ", " : "", ports[i].name);
  out_text(out, ");\n");
  for (uint32_t i = 0; i < n_ports; i++) {
    out_text(out, ports[i].direction == 'I' ? "  input " : "  output ");
    if (ports[i].width) out_format(out, "[%u:0] ", ports[i].width - 1);
    out_format(out, "%s;\n", ports[i].name);
  }
}

/* How a unit sees a net: 0 not at all, 'W' all inside, 'I' driven from outside, 'O' driven inside
   with loads outside. */
static char seen_as(const Block *block, Net net, uint32_t unit)
{
  const NetInfo *info = &block->nets[net];
  bool inside = info->driver != NONE && block->cells[block->pin_cell[info->driver]].unit == unit;
  bool outside = !inside || info->port != 0, load = false;
  for (uint32_t i = block->sink_start[net]; i < block->sink_start[net + 1]; i++) {
    if (block->cells[block->pin_cell[block->sinks[i]]].unit == unit) load = true;
    else outside = true;
  }
  if (!inside) return load ? 'I' : 0;
  return outside ? 'O' : 'W';
}

static void declare(Out *out, const Block *block, uint32_t unit, char as, const char *word)
{
  for (Net n = 0; n < block->n_nets; n++) {
    if (seen_as(block, n, unit) != as) continue;
    out_format(out, "  %s ", word);
    net_in_unit(out, block, n, unit);
    out_text(out, ";\n");
  }
}

static void cells_of(Out *out, const Block *block, uint32_t unit)
{
  for (uint32_t c = 0; c < block->n_cells; c++)
    if (block->cells[c].unit == unit) verilog_cell(out, block, c);
  out_text(out, "endmodule\n\n");
}

static void write_unit(Out *out, const Block *block, const char *top, uint32_t unit)
{
  const char *comma = "";
  out_format(out, "module %s_%s (", top, block->unit_names[unit]);
  for (Net n = 0; n < block->n_nets; n++) {
    char as = seen_as(block, n, unit);
    if (as != 'I' && as != 'O') continue;
    out_text(out, comma);
    local_name(out, net_name(block, n));
    comma = ", ";
  }
  out_text(out, ");\n");
  declare(out, block, unit, 'I', "input");
  declare(out, block, unit, 'O', "output");
  declare(out, block, unit, 'W', "wire");
  cells_of(out, block, unit);
}

static void instantiate(Out *out, const Block *block, const char *top, uint32_t unit)
{
  const char *comma = "";
  out_format(out, "  %s_%s %s (", top, block->unit_names[unit], block->unit_names[unit]);
  for (Net n = 0; n < block->n_nets; n++) {
    char as = seen_as(block, n, unit);
    if (as != 'I' && as != 'O') continue;
    out_format(out, "%s\n    .", comma);
    local_name(out, net_name(block, n));
    out_format(out, "(%s)", net_name(block, n));
    comma = ",";
  }
  out_text(out, ");\n");
}

/* The one unit that sees the net alone, or 0. */
static uint32_t home(const Block *block, Net net)
{
  uint32_t driver = block->nets[net].driver;
  uint32_t unit = driver == NONE ? 0 : block->cells[block->pin_cell[driver]].unit;
  return unit && seen_as(block, net, unit) == 'W' ? unit : 0;
}

void verilog_design(Out *out, const Block *block, const char *top)
{
  for (uint32_t u = 1; u < block->n_units; u++) write_unit(out, block, top, u);
  verilog_ports(out, block->ports, block->n_ports, top);
  for (Net n = 0; n < block->n_nets; n++)
    if (block->nets[n].port == 0 && home(block, n) == 0)
      out_format(out, "  wire %s;\n", net_name(block, n));
  for (uint32_t u = 1; u < block->n_units; u++) instantiate(out, block, top, u);
  cells_of(out, block, 0);
}

/* --- SPEF ------------------------------------------------------------------------------------- */

void spef_header(Out *out, const char *design)
{
  out_format(out, "*SPEF \"IEEE 1481-1998\"\n*DESIGN \"%s\"\n*DATE \"Thu Jan 1 00:00:00 1970\"\n",
             design);
  out_text(out, "*VENDOR \"Slackline\"\n*PROGRAM \"gen_design\"\n*VERSION \"1\"\n"
                "*DESIGN_FLOW \"NETLIST_TYPE_VERILOG\" \"PIN_CAP NONE\"\n"
                 "*DIVIDER /\n*DELIMITER :\n*BUS_DELIMITER [ ]\n"
                "*T_UNIT 1 NS\n*C_UNIT 1 FF\n*R_UNIT 1 OHM\n*L_UNIT 1 HENRY\n");
}

void spef_ports(Out *out, const Port *ports, uint32_t n_ports)
{
  out_text(out, "\n*PORTS\n");
  for (uint32_t i = 0; i < n_ports; i++) {
    char direction[2] = { ports[i].direction, 0 };
    if (ports[i].width == 0) out_format(out, "%s %s\n", ports[i].name, direction);
    for (uint32_t k = 0; k < ports[i].width; k++)
      out_format(out, "%s[%u] %s\n", ports[i].name, k, direction);
  }
  out_char(out, '\n');
}

/* Nodes 0 .. inner are the driver and the inner nodes, the others the loads. */
static void put_node(Out *out, const SpefNet *net, uint32_t inner, uint32_t node)
{
  if (node > 0 && node <= inner) {
    out_format(out, "%s:%u", net->name, node);
    return;
  }
  const SpefPin *pin = &net->pins[node == 0 ? 0 : node - inner];
  if (pin->inst) out_format(out, "%s:%s", pin->inst, pin->pin);
  else out_text(out, pin->pin);
}

/* A tree with one inner node for every two loads.  Small nets are trunks with side branches.  Large
   ones branch in fours, as a router's would; as trunks their far end would be kilohms away. */
static uint32_t parent_of(uint32_t node, uint32_t inner, uint32_t loads, Random *random)
{
  if (inner == 0) return 0;
  if (node > inner) return 1 + (uint32_t)((uint64_t)(node - inner - 1) * inner / loads);
  if (node == 1) return 0;
  if (loads > 12) return (node - 2) / 4 + 1;
  uint32_t back = 1 + random_below(random, 3);
  return back < node ? node - back : 1;
}

/* Micrometres of wire: more with more loads, and now and then a long way. */
static double wire_length(uint32_t loads, Random *random)
{
  double length = (5 + 4.0 * loads + 5 * sqrt(loads)) * (0.4 + 1.2 * random_unit(random));
  return random_below(random, 25) == 0 && loads < 50 ? 5 * length : length;
}

static const double ohm_per_um = 3.0, ff_per_um = 0.17;

/* What two nets that couple must agree on. */
static double coupling(const Files *files, uint64_t a, uint64_t b)
{
  Random r = random_of(files->seed ^ 0xc0091e, a < b ? a : b);
  return 0.1 + 1.5 * random_unit(&r);
}

static double spread_caps(Files *files, uint32_t inner, uint32_t loads, double step, Random r)
{
  double total = 0;
  memset(files->node_cap, 0, (inner + loads + 1) * sizeof(double));
  for (uint32_t node = 1; node <= inner + loads; node++) {
    uint32_t parent = parent_of(node, inner, loads, &r);
    double c = step * ff_per_um * (0.5 + random_unit(&r));
    files->node_cap[node] += c / 2;
    files->node_cap[parent] += c / 2;
    total += c;
  }
  return total;
}

static void put_connections(Out *out, const SpefNet *net)
{
  out_text(out, "*CONN\n");
  for (uint32_t i = 0; i < net->n_pins; i++) {
    const SpefPin *pin = &net->pins[i];
    char direction[2] = { pin->direction, 0 };
    if (pin->inst) out_format(out, "*I %s:%s %s\n", pin->inst, pin->pin, direction);
    else out_format(out, "*P %s %s\n", pin->pin, direction);
  }
}

static void put_caps(Files *files, const SpefNet *net, uint32_t inner, uint32_t loads,
                     double coupled)
{
  Out *out = files->spef;
  uint32_t number = 1;
  out_text(out, "*CAP\n");
  for (uint32_t node = 0; node <= inner + loads; node++) {
    out_format(out, "%u ", number++);
    put_node(out, net, inner, node);
    out_char(out, ' ');
    out_fixed(out, files->node_cap[node], 4);
    out_char(out, '\n');
  }
  if (coupled == 0) return;
  out_format(out, "%u %s:1 %s:1 ", number, net->name, net->mate);
  out_fixed(out, coupled, 4);
  out_char(out, '\n');
}

static void put_resistors(Out *out, const SpefNet *net, uint32_t inner, uint32_t loads,
                          double step, Random r)
{
  out_text(out, "*RES\n");
  for (uint32_t node = 1; node <= inner + loads; node++) {
    uint32_t parent = parent_of(node, inner, loads, &r);
    double ohms = step * ohm_per_um * (0.5 + random_unit(&r));
    out_format(out, "%u ", node);
    put_node(out, net, inner, parent);
    out_char(out, ' ');
    put_node(out, net, inner, node);
    out_char(out, ' ');
    out_fixed(out, ohms, 3);
    out_char(out, '\n');
  }
  out_text(out, "*END\n\n");
}

void spef_net(Files *files, const SpefNet *net)
{
  uint32_t loads = net->n_pins - 1, inner = files->star ? 0 : 1 + loads / 2;
  if (inner + loads + 1 > files->max_nodes) {
    files->max_nodes = 2 * (inner + loads + 1);
    files->node_cap = allocate(files->node_cap, files->max_nodes * sizeof *files->node_cap);
  }
  Random r = random_of(files->seed, net->number);
  double step = wire_length(loads, &r) / (inner + loads);
  double total = spread_caps(files, inner, loads, step, r);
  const char *mate = files->star ? NULL : net->mate;
  double coupled = mate ? coupling(files, net->number, net->mate_number) : 0;
  out_format(files->spef, "*D_NET %s ", net->name);
  out_fixed(files->spef, total + coupled, 4);
  out_char(files->spef, '\n');
  put_connections(files->spef, net);
  put_caps(files, net, inner, loads, mate ? coupled : 0);
  put_resistors(files->spef, net, inner, loads, step, r);
}

static uint32_t fanout(const Block *block, Net net)
{
  return block->sink_start[net + 1] - block->sink_start[net];
}

/* In the name map, cells come first, then nets. */
static void put_map(Out *out, const Block *block)
{
  out_text(out, "\n*NAME_MAP\n");
  for (uint32_t c = 0; c < block->n_cells; c++) {
    uint32_t unit = block->cells[c].unit;
    out_format(out, "*%u %s%s%s\n", c + 1, unit ? block->unit_names[unit] : "", unit ? "/" : "",
               cell_name(block, c));
  }
  for (Net n = 0; n < block->n_nets; n++) {
    uint32_t unit = home(block, n);
    out_format(out, "*%u %s%s%s\n", block->n_cells + n + 1, unit ? block->unit_names[unit] : "",
               unit ? "/" : "", net_name(block, n));
  }
}

typedef struct {
  SpefPin *pins;
  char   (*names)[12];     /* "*N" of each pin's cell */
  uint32_t max;
} PinList;

static void set_pin(PinList *list, const Block *block, uint32_t i, uint32_t pin, char direction)
{
  uint32_t cell = block->pin_cell[pin];
  snprintf(list->names[i], sizeof list->names[i], "*%u", cell + 1);
  list->pins[i] =
      (SpefPin){ list->names[i],
                 kind_info[block->cells[cell].kind].pins[pin - block->cells[cell].pin], direction };
}

/* The connections of a net, its driver first; returns how many. */
static uint32_t list_pins(PinList *list, const Block *block, Net net)
{
  const NetInfo *info = &block->nets[net];
  uint32_t n = 0, want = fanout(block, net) + 2;
  if (want > list->max) {
    list->max = 2 * want;
    list->pins = allocate(list->pins, list->max * sizeof *list->pins);
    list->names = allocate(list->names, list->max * sizeof *list->names);
  }
  if (info->port == 'I') list->pins[n++] = (SpefPin){ NULL, net_name(block, net), 'I' };
  else set_pin(list, block, n++, info->driver, 'O');
  for (uint32_t i = block->sink_start[net]; i < block->sink_start[net + 1]; i++)
    set_pin(list, block, n++, block->sinks[i], 'I');
  if (info->port == 'O') list->pins[n++] = (SpefPin){ NULL, net_name(block, net), 'O' };
  return n;
}

static bool has_loads(const Block *block, Net net)
{
  return net < block->n_nets && (fanout(block, net) > 0 || block->nets[net].port == 'O');
}

/* Nets couple in pairs (2i, 2i+1). */
static bool couples(const Files *files, uint64_t number)
{
  Random r = random_of(files->seed ^ 0xc0ffee, number / 2);
  return random_unit(&r) < files->coupled;
}

void spef_design(Files *files, const Block *block)
{
  PinList list = { 0 };
  char name[12], mate[12];
  put_map(files->spef, block);
  spef_ports(files->spef, block->ports, block->n_ports);
  for (Net n = 0; n < block->n_nets; n++) {
    if (!has_loads(block, n)) continue;
    SpefNet net = { name, NULL, NULL, list_pins(&list, block, n), n, n ^ 1 };
    net.pins = list.pins;
    if (has_loads(block, n ^ 1) && couples(files, n)) net.mate = mate;
    snprintf(name, sizeof name, "*%u", block->n_cells + n + 1);
    snprintf(mate, sizeof mate, "*%u", block->n_cells + (n ^ 1) + 1);
    spef_net(files, &net);
  }
  free(list.pins);
  free(list.names);
}

/* --- SDC -------------------------------------------------------------------------------------- */

static void put_value(Out *out, const char *before, double value, const char *after)
{
  out_text(out, before);
  out_fixed(out, value, 3);
  out_text(out, after);
}

static void put_port(Out *out, const Constraints *c, const Port *port)
{
  char list[64];
  bool clocked = strcmp(port->name, c->clock) != 0 && strcmp(port->name, c->reset) != 0;
  snprintf(list, sizeof list, port->width ? " [get_ports {%s[*]}]\n" : " [get_ports %s]\n",
           port->name);
  if (port->direction == 'I') {
    put_value(out, "set_input_transition ", 0.04, list);
    if (!clocked) return;
    put_value(out, "set_input_delay -clock clk -max ", 0.4 * c->period, list);
    put_value(out, "set_input_delay -clock clk -min ", 0.1 * c->period, list);
  } else {
    put_value(out, "set_output_delay -clock clk -max ", 0.3 * c->period, list);
    put_value(out, "set_output_delay -clock clk -min ", 0, list);
    put_value(out, "set_load ", 0.01, list);
  }
}

void sdc_design(Out *out, const Constraints *c, const Port *ports, uint32_t n_ports)
{
  put_value(out, "create_clock -name clk -period ", c->period, "");
  out_format(out, " [get_ports %s]\nset_propagated_clock [get_clocks clk]\n", c->clock);
  put_value(out, "set_clock_uncertainty -setup ", c->uncertainty, " [get_clocks clk]\n");
  put_value(out, "set_clock_uncertainty -hold ", c->uncertainty / 2, " [get_clocks clk]\n");
  put_value(out, "set_timing_derate -early ", 0.95, "\n");
  put_value(out, "set_timing_derate -late ", 1.05, "\n");
  for (uint32_t i = 0; i < n_ports; i++) put_port(out, c, &ports[i]);
  out_format(out, "set_false_path -from [get_ports %s]\n", c->reset);
}
