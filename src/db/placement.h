/* What a DEF says of one design: where things are.

   The file's text is kept as it was read (source), and records know their place in it; so writing
   copies it and puts in what has changed (places, orientations, masters), and nothing is lost that
   is not understood here.  Coordinates are in the design's database units, those of Physical.

   Components, ports and nets have ids of their own, in the order of the file, for two reasons: DEF
   has components that the netlist lacks, such as fill and taps, and a placement can be read without
   a netlist.  placement_bind finds the cells, ports and nets of the netlist that have the same
   names.  The placement has its own table of names, which are spelled as in the file without its
   backslashes. */
#ifndef SL_DB_PLACEMENT_H
#define SL_DB_PLACEMENT_H

#include "db/netlist.h"
#include "db/physical.h"

typedef uint32_t ComponentId, PlacedPortId, PlacedNetId, RegionId;
#define NO_COMPONENT   UINT32_MAX
#define NO_PLACED_PORT UINT32_MAX
#define NO_PLACED_NET  UINT32_MAX
#define NO_REGION      UINT32_MAX

typedef enum { PLACE_UNPLACED, PLACE_PLACED, PLACE_FIXED, PLACE_COVER } PlaceStatus;

/* A part of the source. */
typedef struct { uint64_t at; uint64_t length; } TextRange;

enum {
  COMPONENT_CHANGED = 1,        /* it has another place or status than in the file */
  COMPONENT_OTHER_MASTER = 2,   /* it has another master than in the file */
  COMPONENT_NEW = 4             /* not in the file: placed by a command */
};

typedef struct {
  NameId   name;                /* in Placement.names */
  NameId   master;              /* in the session's names */
  MacroId  macro;               /* NO_MACRO: no LEF has it */
  InstId   inst;                /* NO_INST: not in the netlist */
  Point    place;               /* lower left corner, after the component is turned; (0, 0) if it is
                                   not placed */
  uint8_t  status;              /* PlaceStatus */
  uint8_t  orient;              /* Orient */
  uint8_t  flags;               /* COMPONENT_... */
} Component;

/* Where the words of a component stand in the source. `master` and `place` are offsets from `at`.
   `place` is the part that a move replaces ("+ PLACED ( 1 2 ) N"). If its length is 0, there is no
   such part, and a place is inserted there. */
typedef struct {
  uint64_t at;
  uint32_t master, master_length, place, place_length;
} ComponentText;

/* A port of the design. Its shapes have die coordinates, with the orientation applied. The shapes
   of all its PORT statements stand together; those of a PORT without a place are as in the file. */
typedef struct {
  NameId   name;
  NameId   net;                 /* in Placement.names */
  PinId    pin;                 /* NO_PIN: not in the netlist */
  Point    place;               /* of its first PORT */
  uint8_t  status, orient;
  uint8_t  direction, use;      /* Direction, PinUse */
  uint32_t first_shape, shape_count;
  Box      box;                 /* around its shapes; a port without shapes has its place as box */
} PlacedPort;

/* A pin of a net: of a component, or a port. */
typedef struct {
  ComponentId component;        /* NO_COMPONENT: a port */
  uint32_t    pin;              /* of a port its PlacedPortId (NO_PLACED_PORT), else the NameId of
                                   the macro's pin, in the session's names */
} PlacedPin;

typedef struct {
  NameId    name;
  NetId     net;                /* NO_NET: not in the netlist */
  uint32_t  first_pin, pin_count;
  uint8_t   use;                /* PinUse */
  bool      special;            /* of SPECIALNETS */
  bool      routed;             /* it has wires */
  TextRange text;               /* what stands after its pins, up to the ";": routing, properties
                                   and so on */
} PlacedNet;

typedef struct {
  TextRange name;
  SiteId    site;
  Point     at;
  uint8_t   orient;
  uint32_t  count_x, count_y;
  int32_t   step_x, step_y;
} SiteRow;

/* TRACKS and GCELLGRID: lines across an axis. */
typedef struct {
  bool     across_x;            /* X: each line has a constant x */
  int32_t  start, step;
  uint32_t count;
  TextRange layers;             /* of TRACKS: the words after LAYER */
} GridLines;

enum { BLOCKAGE_SOFT = 1, BLOCKAGE_PARTIAL = 2, BLOCKAGE_PUSHDOWN = 4, BLOCKAGE_EXCEPT_NETS = 8 };

typedef struct {
  LayerId  layer;               /* NO_LAYER: it keeps cells out, not wires */
  uint8_t  flags;
  double   density;             /* largest share of the area that cells may use, 0 to 1; hard
                                   blockages have 0, soft ones 1 */
  ComponentId component;        /* NO_COMPONENT */
  uint32_t first_box, box_count;      /* a polygon is stored as the box around it */
} Blockage;

typedef enum { REGION_PLAIN, REGION_FENCE, REGION_GUIDE } RegionKind;

typedef struct {
  NameId   name;
  uint8_t  kind;
  uint32_t first_box, box_count;
} Region;

typedef struct {
  NameId    name;
  RegionId  region;
  TextRange text;               /* names and patterns of its components */
} PlacedGroup;

/* A section or statement of which only the text is kept: VIAS, NONDEFAULTRULES, FILLS, SCANCHAINS
   and others. def_file.h writes it unchanged. */
typedef struct {
  TextRange keyword, text;
} OtherSection;

typedef struct Placement {
  Names    *names;              /* its own */
  Physical *physical;           /* not owned */
  char     *path;
  Text      source;
  char      divider;
  char      bus_open, bus_close;
  NameId    design;
  ARRAY(Point) die;             /* corners: two opposite ones, or those of the outline */
  Box       die_box;
  ARRAY(Component) components;
  ARRAY(ComponentText) component_texts;
  ARRAY(PlacedPort) ports;
  ARRAY(Shape) port_shapes;
  ARRAY(PlacedNet) nets;        /* those of SPECIALNETS are marked */
  ARRAY(PlacedPin) pins;
  ARRAY(SiteRow) rows;
  ARRAY(GridLines) tracks, gcells;
  ARRAY(Blockage) blockages;
  ARRAY(Region) regions;
  ARRAY(Box) boxes;             /* of blockages and regions */
  ARRAY(PlacedGroup) groups;
  ARRAY(OtherSection) others;
  TextRange component_count;    /* the number after COMPONENTS */
  uint64_t  components_end;     /* where END COMPONENTS stands; 0: there is no such section */
  uint64_t  design_end;         /* where END DESIGN stands */
  ARRAY(ComponentId) component_by_name;            /* by NameId; may be shorter */
  ARRAY(PlacedPortId) port_by_name;
  /* what the netlist has: placement_bind */
  const Netlist *netlist;       /* NULL: not bound */
  ARRAY(ComponentId) of_inst;   /* by InstId; may be shorter */
  ARRAY(PlacedPortId) of_port;  /* by number among the pins of TOP_INST */
  Map      *pin_of_port;        /* hash_pair(macro, PortId) -> MacroPinId; placement_bind and
                                   placement_cell_swapped fill it, look-ups only read it */
  uint64_t  version;            /* rises with every change */
} Placement;

Placement *placement_new(Physical *physical);
void       placement_free(Placement *placement);
size_t     placement_bytes(const Placement *placement);

/* Where netlist and placement differ: numbers of differences, and the first one of each kind
   (NO_...: none). */
typedef struct {
  uint32_t without_macro, other_master, without_component, not_in_netlist, ports_missing;
  ComponentId first_without_macro, first_other_master;
  InstId   first_without_component;
  ComponentId first_not_in_netlist;
  PinId    first_port_missing;
} PlacementMatch;

/* Connects netlist and placement by names (n NULL: disconnects). If the instance of a component has
   another library cell than the file says, the component gets this cell as its master. The divider
   of the file separates the parts of a path. */
PlacementMatch placement_bind(Placement *placement, const Netlist *n);
/* After LEF was read: looks up the macros of all components again, and connects the netlist
   again. */
PlacementMatch placement_use_physical(Placement *placement, Physical *physical);
/* Gives a component the macro of its instance's cell, after netlist_swap_cell. */
void placement_cell_swapped(Placement *placement, InstId inst);

/* NO_... where there is none.  placement may be NULL. */
ComponentId  placement_component_of(const Placement *placement, InstId inst);
PlacedPortId placement_port_of(const Placement *placement, PinId port);
static inline ComponentId placement_component_named(const Placement *placement, NameId name)
{
  return name < placement->component_by_name.len ? placement->component_by_name.at[name]
                                                 : NO_COMPONENT;
}
static inline PlacedPortId placement_port_named(const Placement *placement, NameId name)
{
  return name < placement->port_by_name.len ? placement->port_by_name.at[name] : NO_PLACED_PORT;
}
ComponentId  placement_find_component(const Placement *placement, const char *name);
PlacedPortId placement_find_port(const Placement *placement, const char *name);
/* Returns the macro's pin for a net's pin at a component. Returns NO_MACRO_PIN if the macro has no
   pin of this name. */
MacroPinId   placed_macro_pin(const Placement *placement, const PlacedPin *pin);

static inline bool component_is_placed(const Component *component)
{
  return component->status != PLACE_UNPLACED;
}
/* Returns true if an edit removed the component's cell from the netlist. It takes no room then, but
   comes back if the edit is taken back. */
static inline bool component_is_gone(const Placement *placement, const Component *component)
{
  return component->inst != NO_INST && placement->netlist
         && placement->netlist->insts.at[component->inst].flags & INST_DELETED;
}
/* Returns true if the component takes room: it is placed and not gone. */
static inline bool component_is_there(const Placement *placement, const Component *component)
{
  return component_is_placed(component) && !component_is_gone(placement, component);
}
/* Returns the box of a component, with its orientation. Without a macro it is a box without area at
   the component's place. */
Box  component_box(const Placement *placement, ComponentId component);
/* Returns the centre of the box around a pin's shapes, with the component's orientation.
   NO_MACRO_PIN gives the centre of the component. */
Point component_pin_location(const Placement *placement, ComponentId component, MacroPinId pin);
/* Computes the box of an instance. Returns false if it has no component or the component is not
   placed. */
bool placement_of_cell(const Placement *placement, InstId inst, Box *box);
/* Computes the place of a leaf pin or top port of the netlist: the centre of the box around its
   shapes. A pin that the macro lacks is at the centre of the macro. Returns false if it is not
   placed, or if the placement is NULL or has no netlist. */
bool placement_pin_location(const Placement *placement, PinId pin, Point *at);
/* The same for a pin of a PlacedNet. */
bool placed_pin_location(const Placement *placement, const PlacedPin *pin, Point *at);

/* Append a component or a port. If several have one name, the first is found by it. Return false if
   the name was there already. */
bool placement_push_component(Placement *placement, Component c, ComponentText text);
bool placement_push_port(Placement *placement, PlacedPort port);
/* Moves a component. place is its lower left corner after the move. */
void placement_move(Placement *placement, ComponentId component, Point place, Orient orient,
                    PlaceStatus status);
/* Makes an unplaced component for an instance that has no component yet. */
ComponentId placement_add_component(Placement *placement, InstId inst);
/* Removes the component that was added last. */
void placement_remove_last(Placement *placement);

/* Converts a length to microns. */
static inline double placement_um(const Placement *placement, int64_t length)
{
  return (double)length / placement->physical->units;
}

#endif
