/* Stores a DEF file: its text and the places of cells and ports. See placement.h. */
#include "db/placement.h"

#include "base/hash.h"
#include "base/interrupt.h"

Placement *placement_new(Physical *physical)
{
  Placement *p = mem_alloc_zero(1, sizeof *p);
  p->physical = physical;
  p->names = names_new();
  p->divider = '/';
  p->bus_open = '[';
  p->bus_close = ']';
  return p;
}

static void free_arrays(Placement *p)
{
  array_free(&p->die);
  array_free(&p->components);
  array_free(&p->component_texts);
  array_free(&p->ports);
  array_free(&p->port_shapes);
  array_free(&p->nets);
  array_free(&p->pins);
  array_free(&p->rows);
  array_free(&p->tracks);
  array_free(&p->gcells);
  array_free(&p->blockages);
  array_free(&p->regions);
  array_free(&p->boxes);
  array_free(&p->groups);
  array_free(&p->others);
}

static void forget_netlist(Placement *p)
{
  p->netlist = NULL;
  array_free(&p->of_inst);
  array_free(&p->of_port);
  map_free(p->pin_of_port);
  p->pin_of_port = NULL;
}

void placement_free(Placement *p)
{
  if (p == NULL) return;
  free_arrays(p);
  forget_netlist(p);
  text_free(&p->source);
  mem_free(p->path);
  array_free(&p->component_by_name);
  array_free(&p->port_by_name);
  names_free(p->names);
  mem_free(p);
}

#define BYTES(a) ((size_t)(a).cap * sizeof *(a).at)

size_t placement_bytes(const Placement *p)
{
  return sizeof *p + p->source.cap + names_bytes(p->names) + BYTES(p->component_by_name)
         + BYTES(p->port_by_name) + BYTES(p->components) + BYTES(p->component_texts)
         + BYTES(p->ports) + BYTES(p->port_shapes) + BYTES(p->nets) + BYTES(p->pins)
         + BYTES(p->rows) + BYTES(p->tracks) + BYTES(p->gcells) + BYTES(p->blockages)
         + BYTES(p->regions) + BYTES(p->boxes) + BYTES(p->groups) + BYTES(p->others)
         + BYTES(p->of_inst) + BYTES(p->of_port) + (p->pin_of_port ? map_bytes(p->pin_of_port) : 0);
}

/* --- components and ports by name ------------------------------------------------------------- */

#define EXTEND_WITH_NONE(a, count) \
  do { \
    uint32_t old_ = (a)->len; \
    if (old_ >= (count)) break; \
    array_resize(a, count); \
    memset((a)->at + old_, 0xff, ((size_t)(a)->len - old_) * sizeof *(a)->at); \
  } while (0)

bool placement_push_component(Placement *p, Component c, ComponentText text)
{
  EXTEND_WITH_NONE(&p->component_by_name, c.name + 1);
  bool first = p->component_by_name.at[c.name] == NO_COMPONENT;
  if (first) p->component_by_name.at[c.name] = p->components.len;
  array_push(&p->components, c);
  array_push(&p->component_texts, text);
  return first;
}

bool placement_push_port(Placement *p, PlacedPort port)
{
  EXTEND_WITH_NONE(&p->port_by_name, port.name + 1);
  bool first = p->port_by_name.at[port.name] == NO_PLACED_PORT;
  if (first) p->port_by_name.at[port.name] = p->ports.len;
  array_push(&p->ports, port);
  return first;
}


ComponentId placement_component_of(const Placement *p, InstId inst)
{
  return p && inst < p->of_inst.len ? p->of_inst.at[inst] : NO_COMPONENT;
}

PlacedPortId placement_port_of(const Placement *p, PinId port)
{
  if (p == NULL || p->netlist == NULL) return NO_PLACED_PORT;
  PinId first = p->netlist->insts.at[TOP_INST].first_pin;
  return port - first < p->of_port.len ? p->of_port.at[port - first] : NO_PLACED_PORT;
}

ComponentId placement_find_component(const Placement *p, const char *name)
{
  NameId id = names_find(p->names, name, strlen(name));
  return id == NO_NAME ? NO_COMPONENT : placement_component_named(p, id);
}

PlacedPortId placement_find_port(const Placement *p, const char *name)
{
  NameId id = names_find(p->names, name, strlen(name));
  return id == NO_NAME ? NO_PLACED_PORT : placement_port_named(p, id);
}

/* --- the netlist ------------------------------------------------------------------------------ */

/* A flat netlist has the whole name as one. */
static InstId find_inst(const Placement *p, const Netlist *n, const char *name)
{
  NameId id = names_find(n->names, name, strlen(name));
  InstId inst = id == NO_NAME ? NO_INST : map_get(n->inst_by_name, hash_pair(TOP_INST, id));
  if (inst != NO_INST || strchr(name, p->divider) == NULL) return inst;
  return netlist_find_inst(n, TOP_INST, name, p->divider);
}

static SegId find_seg(const Placement *p, const Netlist *n, const char *name)
{
  NameId id = names_find(n->names, name, strlen(name));
  SegId seg = id == NO_NAME ? NO_SEG : map_get(n->seg_by_name, hash_pair(TOP_INST, id));
  if (seg != NO_SEG || strchr(name, p->divider) == NULL) return seg;
  return netlist_find_seg(n, TOP_INST, name, p->divider);
}

static void note(uint32_t *count, uint32_t *first, uint32_t id)
{
  if ((*count)++ == 0) *first = id;
}

/* The pins of a macro are those of the library cell by name. */
static void bind_pins(Placement *p, MacroId macro, CellId cell)
{
  const LibrarySet *libs = p->netlist->libs;
  const LibCell *c = &libs->cells.at[cell];
  if (macro == NO_MACRO || c->port_count == 0) return;
  if (map_get(p->pin_of_port, hash_pair(macro, c->first_port)) != MAP_NO_VALUE) return;
  for (PortId port = c->first_port; port < c->first_port + c->port_count; port++) {
    MacroPinId pin = physical_find_pin(p->physical, macro, libs->ports.at[port].name);
    /* one that the macro lacks is known to be missing: as a number that no pin has */
    map_put(p->pin_of_port, hash_pair(macro, port), pin == NO_MACRO_PIN ? NO_MACRO_PIN - 1 : pin);
  }
}

/* Returns true if the file names this master for the component. */
static bool is_file_s_master(const Placement *p, ComponentId id, NameId master)
{
  const ComponentText *t = &p->component_texts.at[id];
  const char *name = names_text(p->physical->names, master);
  return t->master_length && strlen(name) == t->master_length
         && memcmp(name, text_get(&p->source) + t->at + t->master, t->master_length) == 0;
}

static void bind_master(Placement *p, ComponentId id, PlacementMatch *match)
{
  Component *c = &p->components.at[id];
  CellId cell = netlist_inst_cell(p->netlist, c->inst);
  if (cell == NO_CELL) return;
  NameId master = p->netlist->libs->cells.at[cell].name;
  if (master != c->master) {
    if (match) note(&match->other_master, &match->first_other_master, id);
    c->master = master;
    c->macro = physical_find_macro(p->physical, master);
    if (is_file_s_master(p, id, master)) c->flags &= (uint8_t)~COMPONENT_OTHER_MASTER;
    else c->flags |= COMPONENT_OTHER_MASTER;
  }
  bind_pins(p, c->macro, cell);
}

static void bind_component(Placement *p, ComponentId id, PlacementMatch *match)
{
  Component *c = &p->components.at[id];
  c->inst = find_inst(p, p->netlist, names_text(p->names, c->name));
  bool leaf = c->inst != NO_INST && c->inst != TOP_INST && inst_is_leaf(p->netlist, c->inst);
  if (!leaf || p->of_inst.at[c->inst] != NO_COMPONENT) {
    c->inst = NO_INST;
    note(&match->not_in_netlist, &match->first_not_in_netlist, id);
    return;
  }
  p->of_inst.at[c->inst] = id;
  bind_master(p, id, match);
}

static void count_components(const Placement *p, PlacementMatch *match)
{
  for (ComponentId i = 0; i < p->components.len; i++)
    if (p->components.at[i].macro == NO_MACRO)
      note(&match->without_macro, &match->first_without_macro, i);
}

static void count_insts(const Placement *p, PlacementMatch *match)
{
  for (InstId i = 1; i < p->netlist->insts.len; i++)
    if (!(p->netlist->insts.at[i].flags & (INST_DELETED | INST_HIERARCHICAL))
        && p->of_inst.at[i] == NO_COMPONENT)
      note(&match->without_component, &match->first_without_component, i);
}

static void bind_ports(Placement *p, PlacementMatch *match)
{
  const Inst *top = &p->netlist->insts.at[TOP_INST];
  array_resize(&p->of_port, top->pin_count);
  for (uint32_t i = 0; i < top->pin_count; i++) {
    PinId pin = top->first_pin + i;
    const char *name = names_text(p->netlist->names, netlist_pin_port_name(p->netlist, pin));
    PlacedPortId port = placement_find_port(p, name);
    p->of_port.at[i] = port;
    if (port == NO_PLACED_PORT) note(&match->ports_missing, &match->first_port_missing, pin);
    else p->ports.at[port].pin = pin;
  }
}

static void bind_nets(Placement *p)
{
  for (PlacedNetId i = 0; i < p->nets.len && !interrupt_seen(); i++) {
    PlacedNet *net = &p->nets.at[i];
    SegId seg = find_seg(p, p->netlist, names_text(p->names, net->name));
    net->net = seg == NO_SEG ? NO_NET : p->netlist->segs.at[seg].net;
  }
}

static void unbind(Placement *p)
{
  forget_netlist(p);
  for (ComponentId i = 0; i < p->components.len; i++) p->components.at[i].inst = NO_INST;
  for (PlacedPortId i = 0; i < p->ports.len; i++) p->ports.at[i].pin = NO_PIN;
  for (PlacedNetId i = 0; i < p->nets.len; i++) p->nets.at[i].net = NO_NET;
}

PlacementMatch placement_bind(Placement *p, const Netlist *n)
{
  PlacementMatch match = { .first_without_macro = NO_COMPONENT,
                           .first_other_master = NO_COMPONENT,
                           .first_without_component = NO_INST,
                           .first_not_in_netlist = NO_COMPONENT,
                           .first_port_missing = NO_PIN };
  p->version++;
  unbind(p);
  p->netlist = n;
  if (n) {
    p->pin_of_port = map_new();
    array_resize(&p->of_inst, n->insts.len);
    if (n->insts.len) memset(p->of_inst.at, 0xff, n->insts.len * sizeof *p->of_inst.at);
    for (ComponentId i = 0; i < p->components.len && !interrupt_seen(); i++)
      bind_component(p, i, &match);
    count_insts(p, &match);
    bind_ports(p, &match);
    bind_nets(p);
  }
  count_components(p, &match);
  return match;
}

void placement_cell_swapped(Placement *p, InstId inst)
{
  ComponentId id = placement_component_of(p, inst);
  if (id == NO_COMPONENT) return;
  p->version++;
  bind_master(p, id, NULL);
}

/* --- where things are ------------------------------------------------------------------------- */

Box component_box(const Placement *p, ComponentId component)
{
  const Component *c = &p->components.at[component];
  Box box = { c->place.x, c->place.y, c->place.x, c->place.y };
  if (c->macro == NO_MACRO) return box;
  const Macro *m = &p->physical->macros.at[c->macro];
  box.x1 += orient_turns(c->orient) ? m->height : m->width;
  box.y1 += orient_turns(c->orient) ? m->width : m->height;
  return box;
}

bool placement_of_cell(const Placement *p, InstId inst, Box *box)
{
  ComponentId id = placement_component_of(p, inst);
  if (id == NO_COMPONENT || !component_is_placed(&p->components.at[id])) return false;
  *box = component_box(p, id);
  return true;
}

Point component_pin_location(const Placement *p, ComponentId component, MacroPinId pin)
{
  const Component *c = &p->components.at[component];
  if (c->macro == NO_MACRO) return c->place;
  const Macro *m = &p->physical->macros.at[c->macro];
  Point centre = pin == NO_MACRO_PIN ? (Point){ m->width / 2, m->height / 2 }
                                     : box_centre(p->physical->pins.at[pin].box);
  Point at = orient_point(c->orient, m->width, m->height, centre);
  return (Point){ c->place.x + at.x, c->place.y + at.y };
}

static bool port_location(const Placement *p, PlacedPortId port, Point *at)
{
  if (port == NO_PLACED_PORT || p->ports.at[port].status == PLACE_UNPLACED) return false;
  *at = box_centre(p->ports.at[port].box);
  return true;
}

static bool component_location(const Placement *p, ComponentId id, MacroPinId pin, Point *at)
{
  if (id == NO_COMPONENT || !component_is_placed(&p->components.at[id])) return false;
  *at = component_pin_location(p, id, pin);
  return true;
}

bool placement_pin_location(const Placement *p, PinId pin, Point *at)
{
  const Pin *x = p && p->netlist ? &p->netlist->pins.at[pin] : NULL;
  if (x == NULL) return false;
  if (x->inst == TOP_INST) return port_location(p, placement_port_of(p, pin), at);
  ComponentId id = placement_component_of(p, x->inst);
  if (id == NO_COMPONENT) return false;
  MacroPinId macro_pin = map_get(p->pin_of_port, hash_pair(p->components.at[id].macro, x->port));
  return component_location(p, id, macro_pin >= NO_MACRO_PIN - 1 ? NO_MACRO_PIN : macro_pin, at);
}

MacroPinId placed_macro_pin(const Placement *p, const PlacedPin *pin)
{
  return physical_find_pin(p->physical, p->components.at[pin->component].macro, pin->pin);
}

bool placed_pin_location(const Placement *p, const PlacedPin *pin, Point *at)
{
  if (pin->component == NO_COMPONENT) return port_location(p, pin->pin, at);
  if (!component_is_placed(&p->components.at[pin->component])) return false;
  *at = component_pin_location(p, pin->component, placed_macro_pin(p, pin));
  return true;
}

/* --- changes ---------------------------------------------------------------------------------- */

void placement_move(Placement *p, ComponentId component, Point place, Orient orient,
                    PlaceStatus status)
{
  Component *c = &p->components.at[component];
  p->version++;
  c->place = place;
  c->orient = (uint8_t)orient;
  c->status = (uint8_t)status;
  c->flags |= COMPONENT_CHANGED;
}

ComponentId placement_add_component(Placement *p, InstId inst)
{
  Text name = { 0 };
  ComponentId id = p->components.len;
  netlist_inst_name(p->netlist, inst, p->divider, &name);
  Component c = { .name = names_add(p->names, text_get(&name), name.len),
                  .master = netlist_inst_master_name(p->netlist, inst),
                  .inst = inst,
                  .flags = COMPONENT_NEW };
  text_free(&name);
  c.macro = physical_find_macro(p->physical, c.master);
  p->version++;
  placement_push_component(p, c, (ComponentText){ 0 });
  EXTEND_WITH_NONE(&p->of_inst, inst + 1);
  p->of_inst.at[inst] = id;
  bind_pins(p, c.macro, netlist_inst_cell(p->netlist, inst));
  return id;
}

void placement_remove_last(Placement *p)
{
  ComponentId id = --p->components.len;
  const Component *c = &p->components.at[id];
  p->component_texts.len--;
  if (p->component_by_name.at[c->name] == id) p->component_by_name.at[c->name] = NO_COMPONENT;
  if (c->inst != NO_INST && p->of_inst.at[c->inst] == id) p->of_inst.at[c->inst] = NO_COMPONENT;
  p->version++;
}

/* --- LEF that is read later ------------------------------------------------------------------- */

PlacementMatch placement_use_physical(Placement *p, Physical *physical)
{
  p->physical = physical;
  for (ComponentId i = 0; i < p->components.len; i++)
    p->components.at[i].macro = physical_find_macro(physical, p->components.at[i].master);
  return placement_bind(p, p->netlist);
}
