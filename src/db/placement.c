/* Stores a DEF file: its text and the places of cells and ports. See placement.h. */
#include "db/placement.h"

#include "base/hash.h"
#include "base/interrupt.h"

Placement *placement_new(Physical *physical)
{
  Placement *placement = mem_alloc_zero(1, sizeof *placement);
  placement->physical = physical;
  placement->names = names_new();
  placement->divider = '/';
  placement->bus_open = '[';
  placement->bus_close = ']';
  return placement;
}

static void free_arrays(Placement *placement)
{
  array_free(&placement->die);
  array_free(&placement->components);
  array_free(&placement->component_texts);
  array_free(&placement->ports);
  array_free(&placement->port_shapes);
  array_free(&placement->nets);
  array_free(&placement->pins);
  array_free(&placement->rows);
  array_free(&placement->tracks);
  array_free(&placement->gcells);
  array_free(&placement->blockages);
  array_free(&placement->regions);
  array_free(&placement->boxes);
  array_free(&placement->groups);
  array_free(&placement->others);
}

static void forget_netlist(Placement *placement)
{
  placement->netlist = NULL;
  array_free(&placement->of_inst);
  array_free(&placement->of_port);
  map_free(placement->pin_of_port);
  placement->pin_of_port = NULL;
}

void placement_free(Placement *placement)
{
  if (placement == NULL) return;
  free_arrays(placement);
  forget_netlist(placement);
  text_free(&placement->source);
  mem_free(placement->path);
  array_free(&placement->component_by_name);
  array_free(&placement->port_by_name);
  names_free(placement->names);
  mem_free(placement);
}

#define BYTES(a) ((size_t)(a).cap * sizeof *(a).at)

size_t placement_bytes(const Placement *placement)
{
  return sizeof *placement + placement->source.cap + names_bytes(placement->names)
         + BYTES(placement->component_by_name) + BYTES(placement->port_by_name)
         + BYTES(placement->components) + BYTES(placement->component_texts)
         + BYTES(placement->ports) + BYTES(placement->port_shapes) + BYTES(placement->nets)
         + BYTES(placement->pins) + BYTES(placement->rows) + BYTES(placement->tracks)
         + BYTES(placement->gcells) + BYTES(placement->blockages) + BYTES(placement->regions)
         + BYTES(placement->boxes) + BYTES(placement->groups) + BYTES(placement->others)
         + BYTES(placement->of_inst) + BYTES(placement->of_port)
         + (placement->pin_of_port ? map_bytes(placement->pin_of_port) : 0);
}

/* --- components and ports by name ------------------------------------------------------------- */

#define EXTEND_WITH_NONE(a, count) \
  do { \
    uint32_t old_ = (a)->len; \
    if (old_ >= (count)) break; \
    array_resize(a, count); \
    memset((a)->at + old_, 0xff, ((size_t)(a)->len - old_) * sizeof *(a)->at); \
  } while (0)

bool placement_push_component(Placement *placement, Component c, ComponentText text)
{
  EXTEND_WITH_NONE(&placement->component_by_name, c.name + 1);
  bool first = placement->component_by_name.at[c.name] == NO_COMPONENT;
  if (first) placement->component_by_name.at[c.name] = placement->components.len;
  array_push(&placement->components, c);
  array_push(&placement->component_texts, text);
  return first;
}

bool placement_push_port(Placement *placement, PlacedPort port)
{
  EXTEND_WITH_NONE(&placement->port_by_name, port.name + 1);
  bool first = placement->port_by_name.at[port.name] == NO_PLACED_PORT;
  if (first) placement->port_by_name.at[port.name] = placement->ports.len;
  array_push(&placement->ports, port);
  return first;
}


ComponentId placement_component_of(const Placement *placement, InstId inst)
{
  return placement && inst < placement->of_inst.len ? placement->of_inst.at[inst] : NO_COMPONENT;
}

PlacedPortId placement_port_of(const Placement *placement, PinId port)
{
  if (placement == NULL || placement->netlist == NULL) return NO_PLACED_PORT;
  PinId first = placement->netlist->insts.at[TOP_INST].first_pin;
  return port - first < placement->of_port.len ? placement->of_port.at[port - first]
                                               : NO_PLACED_PORT;
}

ComponentId placement_find_component(const Placement *placement, const char *name)
{
  NameId id = names_find(placement->names, name, strlen(name));
  return id == NO_NAME ? NO_COMPONENT : placement_component_named(placement, id);
}

PlacedPortId placement_find_port(const Placement *placement, const char *name)
{
  NameId id = names_find(placement->names, name, strlen(name));
  return id == NO_NAME ? NO_PLACED_PORT : placement_port_named(placement, id);
}

/* --- the netlist ------------------------------------------------------------------------------ */

/* A flat netlist has the whole name as one. */
static InstId find_inst(const Placement *placement, const Netlist *n, const char *name)
{
  NameId id = names_find(n->names, name, strlen(name));
  InstId inst = id == NO_NAME ? NO_INST : map_get(n->inst_by_name, hash_pair(TOP_INST, id));
  if (inst != NO_INST || strchr(name, placement->divider) == NULL) return inst;
  return netlist_find_inst(n, TOP_INST, name, placement->divider);
}

static SegId find_seg(const Placement *placement, const Netlist *n, const char *name)
{
  NameId id = names_find(n->names, name, strlen(name));
  SegId seg = id == NO_NAME ? NO_SEG : map_get(n->seg_by_name, hash_pair(TOP_INST, id));
  if (seg != NO_SEG || strchr(name, placement->divider) == NULL) return seg;
  return netlist_find_seg(n, TOP_INST, name, placement->divider);
}

static void note(uint32_t *count, uint32_t *first, uint32_t id)
{
  if ((*count)++ == 0) *first = id;
}

/* The pins of a macro are those of the library cell by name. */
static void bind_pins(Placement *placement, MacroId macro, CellId cell)
{
  const LibrarySet *libs = placement->netlist->libs;
  const LibCell *lib_cell = &libs->cells.at[cell];
  if (macro == NO_MACRO || lib_cell->port_count == 0) return;
  if (map_get(placement->pin_of_port, hash_pair(macro, lib_cell->first_port)) != MAP_NO_VALUE)
    return;
  for (PortId port = lib_cell->first_port; port < lib_cell->first_port + lib_cell->port_count;
       port++) {
    MacroPinId pin = physical_find_pin(placement->physical, macro, libs->ports.at[port].name);
    /* one that the macro lacks is known to be missing: as a number that no pin has */
    map_put(placement->pin_of_port, hash_pair(macro, port),
            pin == NO_MACRO_PIN ? NO_MACRO_PIN - 1 : pin);
  }
}

/* Returns true if the file names this master for the component. */
static bool is_file_s_master(const Placement *placement, ComponentId id, NameId master)
{
  const ComponentText *text = &placement->component_texts.at[id];
  const char *name = names_text(placement->physical->names, master);
  return text->master_length && strlen(name) == text->master_length
         && memcmp(name, text_get(&placement->source) + text->at + text->master,
                   text->master_length)
                == 0;
}

static void bind_master(Placement *placement, ComponentId id, PlacementMatch *match)
{
  Component *component = &placement->components.at[id];
  CellId cell = netlist_inst_cell(placement->netlist, component->inst);
  if (cell == NO_CELL) return;
  NameId master = placement->netlist->libs->cells.at[cell].name;
  if (master != component->master) {
    if (match) note(&match->other_master, &match->first_other_master, id);
    component->master = master;
    component->macro = physical_find_macro(placement->physical, master);
    if (is_file_s_master(placement, id, master))
      component->flags &= (uint8_t)~COMPONENT_OTHER_MASTER;
    else component->flags |= COMPONENT_OTHER_MASTER;
  }
  bind_pins(placement, component->macro, cell);
}

static void bind_component(Placement *placement, ComponentId id, PlacementMatch *match)
{
  Component *component = &placement->components.at[id];
  component->inst =
      find_inst(placement, placement->netlist, names_text(placement->names, component->name));
  bool leaf = component->inst != NO_INST && component->inst != TOP_INST
              && inst_is_leaf(placement->netlist, component->inst);
  if (!leaf || placement->of_inst.at[component->inst] != NO_COMPONENT) {
    component->inst = NO_INST;
    note(&match->not_in_netlist, &match->first_not_in_netlist, id);
    return;
  }
  placement->of_inst.at[component->inst] = id;
  bind_master(placement, id, match);
}

static void count_components(const Placement *placement, PlacementMatch *match)
{
  for (ComponentId i = 0; i < placement->components.len; i++)
    if (placement->components.at[i].macro == NO_MACRO)
      note(&match->without_macro, &match->first_without_macro, i);
}

static void count_insts(const Placement *placement, PlacementMatch *match)
{
  for (InstId i = 1; i < placement->netlist->insts.len; i++)
    if (!(placement->netlist->insts.at[i].flags & (INST_DELETED | INST_HIERARCHICAL))
        && placement->of_inst.at[i] == NO_COMPONENT)
      note(&match->without_component, &match->first_without_component, i);
}

static void bind_ports(Placement *placement, PlacementMatch *match)
{
  const Inst *top = &placement->netlist->insts.at[TOP_INST];
  array_resize(&placement->of_port, top->pin_count);
  for (uint32_t i = 0; i < top->pin_count; i++) {
    PinId pin = top->first_pin + i;
    const char *name =
        names_text(placement->netlist->names, netlist_pin_port_name(placement->netlist, pin));
    PlacedPortId port = placement_find_port(placement, name);
    placement->of_port.at[i] = port;
    if (port == NO_PLACED_PORT) note(&match->ports_missing, &match->first_port_missing, pin);
    else placement->ports.at[port].pin = pin;
  }
}

static void bind_nets(Placement *placement)
{
  for (PlacedNetId i = 0; i < placement->nets.len && !interrupt_seen(); i++) {
    PlacedNet *net = &placement->nets.at[i];
    SegId seg = find_seg(placement, placement->netlist, names_text(placement->names, net->name));
    net->net = seg == NO_SEG ? NO_NET : placement->netlist->segs.at[seg].net;
  }
}

static void unbind(Placement *placement)
{
  forget_netlist(placement);
  for (ComponentId i = 0; i < placement->components.len; i++)
    placement->components.at[i].inst = NO_INST;
  for (PlacedPortId i = 0; i < placement->ports.len; i++) placement->ports.at[i].pin = NO_PIN;
  for (PlacedNetId i = 0; i < placement->nets.len; i++) placement->nets.at[i].net = NO_NET;
}

PlacementMatch placement_bind(Placement *placement, const Netlist *n)
{
  PlacementMatch match = { .first_without_macro = NO_COMPONENT,
                           .first_other_master = NO_COMPONENT,
                           .first_without_component = NO_INST,
                           .first_not_in_netlist = NO_COMPONENT,
                           .first_port_missing = NO_PIN };
  placement->version++;
  unbind(placement);
  placement->netlist = n;
  if (n) {
    placement->pin_of_port = map_new();
    array_resize(&placement->of_inst, n->insts.len);
    if (n->insts.len)
      memset(placement->of_inst.at, 0xff, n->insts.len * sizeof *placement->of_inst.at);
    for (ComponentId i = 0; i < placement->components.len && !interrupt_seen(); i++)
      bind_component(placement, i, &match);
    count_insts(placement, &match);
    bind_ports(placement, &match);
    bind_nets(placement);
  }
  count_components(placement, &match);
  return match;
}

void placement_cell_swapped(Placement *placement, InstId inst)
{
  ComponentId id = placement_component_of(placement, inst);
  if (id == NO_COMPONENT) return;
  placement->version++;
  bind_master(placement, id, NULL);
}

/* --- where things are ------------------------------------------------------------------------- */

Box component_box(const Placement *placement, ComponentId component)
{
  const Component *the_component = &placement->components.at[component];
  Box box = { the_component->place.x, the_component->place.y, the_component->place.x,
              the_component->place.y };
  if (the_component->macro == NO_MACRO) return box;
  const Macro *macro = &placement->physical->macros.at[the_component->macro];
  box.x1 += orient_turns(the_component->orient) ? macro->height : macro->width;
  box.y1 += orient_turns(the_component->orient) ? macro->width : macro->height;
  return box;
}

bool placement_of_cell(const Placement *placement, InstId inst, Box *box)
{
  ComponentId id = placement_component_of(placement, inst);
  if (id == NO_COMPONENT || !component_is_placed(&placement->components.at[id])) return false;
  *box = component_box(placement, id);
  return true;
}

Point component_pin_location(const Placement *placement, ComponentId component, MacroPinId pin)
{
  const Component *the_component = &placement->components.at[component];
  if (the_component->macro == NO_MACRO) return the_component->place;
  const Macro *macro = &placement->physical->macros.at[the_component->macro];
  Point centre = pin == NO_MACRO_PIN ? (Point){ macro->width / 2, macro->height / 2 }
                                     : box_centre(placement->physical->pins.at[pin].box);
  Point at = orient_point(the_component->orient, macro->width, macro->height, centre);
  return (Point){ the_component->place.x + at.x, the_component->place.y + at.y };
}

static bool port_location(const Placement *placement, PlacedPortId port, Point *at)
{
  if (port == NO_PLACED_PORT || placement->ports.at[port].status == PLACE_UNPLACED) return false;
  *at = box_centre(placement->ports.at[port].box);
  return true;
}

static bool component_location(const Placement *placement, ComponentId id, MacroPinId pin,
                               Point *at)
{
  if (id == NO_COMPONENT || !component_is_placed(&placement->components.at[id])) return false;
  *at = component_pin_location(placement, id, pin);
  return true;
}

bool placement_pin_location(const Placement *placement, PinId pin, Point *at)
{
  const Pin *the_pin = placement && placement->netlist ? &placement->netlist->pins.at[pin] : NULL;
  if (the_pin == NULL) return false;
  if (the_pin->inst == TOP_INST)
    return port_location(placement, placement_port_of(placement, pin), at);
  ComponentId id = placement_component_of(placement, the_pin->inst);
  if (id == NO_COMPONENT) return false;
  MacroPinId macro_pin =
      map_get(placement->pin_of_port, hash_pair(placement->components.at[id].macro, the_pin->port));
  return component_location(placement, id, macro_pin >= NO_MACRO_PIN - 1 ? NO_MACRO_PIN : macro_pin,
                            at);
}

MacroPinId placed_macro_pin(const Placement *placement, const PlacedPin *pin)
{
  return physical_find_pin(placement->physical, placement->components.at[pin->component].macro,
                           pin->pin);
}

bool placed_pin_location(const Placement *placement, const PlacedPin *pin, Point *at)
{
  if (pin->component == NO_COMPONENT) return port_location(placement, pin->pin, at);
  if (!component_is_placed(&placement->components.at[pin->component])) return false;
  *at = component_pin_location(placement, pin->component, placed_macro_pin(placement, pin));
  return true;
}

/* --- changes ---------------------------------------------------------------------------------- */

void placement_move(Placement *placement, ComponentId component, Point place, Orient orient,
                    PlaceStatus status)
{
  Component *the_component = &placement->components.at[component];
  placement->version++;
  the_component->place = place;
  the_component->orient = (uint8_t)orient;
  the_component->status = (uint8_t)status;
  the_component->flags |= COMPONENT_CHANGED;
}

ComponentId placement_add_component(Placement *placement, InstId inst)
{
  Text name = { 0 };
  ComponentId id = placement->components.len;
  netlist_inst_name(placement->netlist, inst, placement->divider, &name);
  Component c = { .name = names_add(placement->names, text_get(&name), name.len),
                  .master = netlist_inst_master_name(placement->netlist, inst),
                  .inst = inst,
                  .flags = COMPONENT_NEW };
  text_free(&name);
  c.macro = physical_find_macro(placement->physical, c.master);
  placement->version++;
  placement_push_component(placement, c, (ComponentText){ 0 });
  EXTEND_WITH_NONE(&placement->of_inst, inst + 1);
  placement->of_inst.at[inst] = id;
  bind_pins(placement, c.macro, netlist_inst_cell(placement->netlist, inst));
  return id;
}

void placement_remove_last(Placement *placement)
{
  ComponentId id = --placement->components.len;
  const Component *component = &placement->components.at[id];
  placement->component_texts.len--;
  if (placement->component_by_name.at[component->name] == id)
    placement->component_by_name.at[component->name] = NO_COMPONENT;
  if (component->inst != NO_INST && placement->of_inst.at[component->inst] == id)
    placement->of_inst.at[component->inst] = NO_COMPONENT;
  placement->version++;
}

/* --- LEF that is read later ------------------------------------------------------------------- */

PlacementMatch placement_use_physical(Placement *placement, Physical *physical)
{
  placement->physical = physical;
  for (ComponentId i = 0; i < placement->components.len; i++)
    placement->components.at[i].macro =
        physical_find_macro(physical, placement->components.at[i].master);
  return placement_bind(placement, placement->netlist);
}
