/* The netlist: a tree of instances with local names, flattened into electrical nets.

   Instance 0 is the top. Leaf instances have a library cell, hierarchical ones a module. Each pin
   of a leaf and each top port is a pin of the design; pins of hierarchical instances exist as well,
   for names, -through and clocks on them.

     Seg    a net's name in one scope (instance): what Verilog calls a wire
     Net    the electrical net: all segments joined through hierarchical pins and assigns

   Top ports are pins of instance 0; their segment is the one inside. A hierarchical pin is on its
   outer segment, and netlist_inner_seg returns the inner one. Ids are stable: edits append new
   records and mark removed ones as deleted. */
#ifndef SL_DB_NETLIST_H
#define SL_DB_NETLIST_H

#include "base/text.h"
#include "db/library.h"

typedef uint32_t InstId, PinId, SegId, NetId, ModuleId;
#define TOP_INST 0u
#define NO_INST  UINT32_MAX
#define NO_PIN   UINT32_MAX
#define NO_SEG   UINT32_MAX
#define NO_NET   UINT32_MAX
#define NETLIST_SEPARATOR '/'      /* unless the user sets another one */

enum { INST_HIERARCHICAL = 1, INST_DELETED = 2 };

typedef struct {
  NameId   name;            /* local name without escapes; it may contain the separator (flattened
                               netlists) */
  InstId   parent;          /* NO_INST for the top */
  uint32_t master;          /* CellId, or for a hierarchical instance the index in modules */
  PinId    first_pin;
  uint32_t pin_count;
  InstId   first_child, next_sibling;   /* in order of appearance; NO_INST ends the list */
  uint32_t flags;
} Inst;

typedef struct {
  InstId   inst;
  uint32_t port;            /* PortId of a leaf's cell; for top and hierarchical pins the index in
                               module_ports */
  SegId    seg;             /* NO_SEG: unconnected */
  PinId    next;            /* next pin on the same segment; NO_PIN ends the list */
} Pin;

typedef struct {
  NameId   name;            /* local */
  InstId   scope;
  NetId    net;
  PinId    first_pin;       /* leaf pins, top ports and outer sides of hierarchical pins on it */
  SegId    next;            /* next segment of the same net */
} Seg;

enum {
  NET_CONSTANT_ZERO = 1,
  NET_CONSTANT_ONE = 2,
  NET_POWER = 4,
  NET_GROUND = 8,
  NET_DELETED = 16
};

typedef struct {
  SegId    first_seg;       /* the segment nearest the top; it names the net */
  uint32_t flags;
} Net;

/* The interface of a module after linking (black boxes included). */
typedef struct {
  NameId   name;
  uint32_t first_port, port_count;      /* in module_ports, buses bit by bit */
  uint32_t first_bus, bus_count;        /* in module_buses */
} Module;

typedef struct {
  NameId    name;           /* "a" or "a[3]" */
  uint8_t   direction;      /* Direction */
  uint32_t  bus;            /* index in module_buses, NO_BUS for scalars */
} ModulePort;

typedef struct {
  NameId   name;
  uint32_t first;           /* in module_ports */
  int32_t  from, to;
} ModuleBus;

/* SegJoin: two segments that an assign makes one net. SegTie: a constant that drives a segment
   without a pin (assign of a constant, supply0, supply1; flags as in Net). Nets follow from these
   records and the hierarchical pins. */
typedef struct { SegId a, b; } SegJoin;
typedef struct { SegId seg; uint32_t flags; } SegTie;

/* A connection of a power or ground pin, which is not a port of the cell. It is kept for
   write_verilog. */
typedef struct {
  InstId   inst;
  NameId   pin;
  SegId    seg;
} SupplyPin;

typedef struct Netlist {
  Names      *names;        /* not owned */
  LibrarySet *libs;         /* not owned */
  NameId      top_name;
  ARRAY(Inst) insts;
  ARRAY(Pin) pins;
  ARRAY(Seg) segs;
  ARRAY(Net) nets;
  ARRAY(Module) modules;
  ARRAY(ModulePort) module_ports;
  ARRAY(ModuleBus) module_buses;
  ARRAY(SegJoin) joins;
  ARRAY(SegTie) ties;
  ARRAY(SupplyPin) supplies;     /* sorted by instance */
  ARRAY(BusId) reversed_buses;   /* buses of library cells whose bits the Verilog lists in the
                                    opposite order */
  Map *inst_by_name;        /* hash_pair(parent, name) -> InstId */
  Map *seg_by_name;         /* hash_pair(scope, name) -> SegId */
  Map *inner_seg;           /* hierarchical PinId -> SegId inside */
  Map *port_by_name;        /* hash_pair(module, name) -> index in module_ports */
  Map *
      shared_names; /* local names whose separators appear as "\/" in full names, because another
                       object would otherwise have the same full name; NULL if there are none */
  Map *last_child;          /* InstId -> its last child */
  uint32_t longest_name;    /* the length of the longest local name; it bounds the search for
                               paths */
  uint32_t leaf_count;
  uint64_t edit_count;      /* rises with every edit */
} Netlist;

Netlist *netlist_new(Names *names, LibrarySet *libs, NameId top_name);
void     netlist_free(Netlist *n);
size_t   netlist_bytes(const Netlist *n);

/* --- asking ----------------------------------------------------------------------------------- */
static inline bool inst_is_leaf(const Netlist *n, InstId i)
{
  return !(n->insts.at[i].flags & INST_HIERARCHICAL);
}
/* A leaf that no edit has removed. */
static inline bool inst_is_there(const Netlist *n, InstId i)
{
  return !(n->insts.at[i].flags & (INST_HIERARCHICAL | INST_DELETED));
}
static inline bool pin_is_top_port(const Netlist *n, PinId p)
{
  return n->pins.at[p].inst == TOP_INST;
}
static inline bool pin_is_hierarchical(const Netlist *n, PinId p)
{
  InstId i = n->pins.at[p].inst;
  return i != TOP_INST && !inst_is_leaf(n, i);
}
NetId     netlist_pin_net(const Netlist *n, PinId pin);           /* NO_NET */
/* for a hierarchical pin; else NO_SEG */
SegId     netlist_inner_seg(const Netlist *n, PinId pin);
NameId    netlist_pin_port_name(const Netlist *n, PinId pin);
/* The direction of a pin as seen from outside of its cell. A top input port is DIR_INPUT. */
Direction netlist_pin_direction(const Netlist *n, PinId pin);
/* Does the pin drive its net (leaf outputs, inouts, top inputs)? Does it load its net? A
   hierarchical pin does neither. */
bool      netlist_pin_drives(const Netlist *n, PinId pin);
bool      netlist_pin_loads(const Netlist *n, PinId pin);
/* Does the pin drive its net at all times (an output without three_state, a top input)? */
bool      netlist_pin_holds(const Netlist *n, PinId pin);
/* The first two pins that drive a net at all times (or NO_PIN), and the constant of an assign or a
   supply (or -1). */
typedef struct { PinId first, second; int constant; } NetHolders;
NetHolders netlist_net_holders(const Netlist *n, NetId net);
NameId    netlist_inst_master_name(const Netlist *n, InstId inst);
/* NO_CELL for a hierarchical instance */
CellId    netlist_inst_cell(const Netlist *n, InstId inst);

/* Returns the hierarchical cell around a cell, or NO_INST if that is the top. Constraints of a
   hierarchical cell apply to the cells inside. */
static inline InstId netlist_block_of(const Netlist *n, InstId inst)
{
  InstId parent = n->insts.at[inst].parent;
  return parent == TOP_INST ? NO_INST : parent;
}
/* Calls visit for each leaf cell inside a hierarchical cell, or for the cell itself if it is a
   leaf. Deleted cells are skipped. */
void netlist_each_leaf(const Netlist *n, InstId inst, void (*visit)(void *data, InstId leaf),
                       void *data);

PinId  netlist_find_pin_of(const Netlist *n, InstId inst, NameId port);   /* NO_PIN */
PinId  netlist_pin_of_port(const Netlist *n, InstId leaf, PortId port);   /* NO_PIN */
/* Find an object by its full name, beginning in `scope` (TOP_INST for the design). Local names may
   contain the separator. The '\' at the start of an escaped name and before brackets and separators
   is ignored. If two full names are equal (shared_names), a separator without '\' separates two
   local names. */
InstId netlist_find_inst(const Netlist *n, InstId scope, const char *path, char separator);
PinId  netlist_find_pin(const Netlist *n, InstId scope, const char *path, char separator);
PinId  netlist_find_port(const Netlist *n, const char *name);
SegId  netlist_find_seg(const Netlist *n, InstId scope, const char *path, char separator);

/* The same, but a separator separates two local names exactly if no '\' precedes it. All other
   characters are taken literally. */
InstId netlist_find_inst_exactly(const Netlist *n, InstId scope, const char *path, char separator);
PinId  netlist_find_pin_exactly(const Netlist *n, InstId scope, const char *path, char separator);
SegId  netlist_find_seg_exactly(const Netlist *n, InstId scope, const char *path, char separator);

/* netlist_same_name_...: return another object with the same full name (segments of one net count
   as one object), or NO_INST or NO_SEG. netlist_part_...: from now on the full names of the two
   objects differ. */
InstId netlist_same_name_inst(const Netlist *n, InstId inst);
SegId  netlist_same_name_seg(const Netlist *n, SegId seg);
void   netlist_part_insts(Netlist *n, InstId a, InstId b);
void   netlist_part_segs(Netlist *n, SegId a, SegId b);

/* Append full names to text. */
void netlist_inst_name(const Netlist *n, InstId inst, char separator, Text *text);
void netlist_pin_name(const Netlist *n, PinId pin, char separator, Text *text);
void netlist_seg_name(const Netlist *n, SegId seg, char separator, Text *text);
void netlist_net_name(const Netlist *n, NetId net, char separator, Text *text);

/* Visits every pin on an electrical net: leaf pins and top ports, and with `hierarchical` also
   hierarchical pins. The order is not that of PinIds. NO_NET has no pins. */
typedef struct { const Netlist *n; SegId seg; PinId pin; bool hierarchical; } NetPins;
NetPins net_pins(const Netlist *n, NetId net, bool hierarchical);
PinId   net_pins_next(NetPins *it);       /* NO_PIN at the end */

/* --- building (linking) and editing ----------------------------------------------------------- */
/* An edit that makes no sense (a duplicate name, a missing port) fails with a message and has no
   effect. */
InstId netlist_add_inst(Netlist *n, InstId parent, NameId name, uint32_t master, bool hierarchical);
/* the segment gets a net of its own */
SegId    netlist_add_seg(Netlist *n, InstId scope, NameId name);
/* add its ports before the next module */
ModuleId netlist_add_module(Netlist *n, NameId name);
/* adds to the last module */
uint32_t netlist_add_port(Netlist *n, NameId name, Direction direction, uint32_t bus);
/* add its ports next, from..to */
uint32_t netlist_add_bus(Netlist *n, NameId name, int32_t from, int32_t to);
/* two segments of one scope become one net */
void     netlist_join(Netlist *n, SegId a, SegId b);
/* Returns an array by SegId. Segments that assigns join to one wire of a scope have the same entry,
   which is one of them. The caller frees it. */
SegId   *netlist_joined_segs(const Netlist *n);
/* NET_CONSTANT_..., NET_POWER, NET_GROUND */
void     netlist_tie(Netlist *n, SegId seg, uint32_t flags);
/* the pin must be unconnected */
void     netlist_attach(Netlist *n, PinId pin, SegId seg);
void     netlist_detach(Netlist *n, PinId pin);
void     netlist_set_inner_seg(Netlist *n, PinId hierarchical_pin, SegId inner);
/* removes the segment from all pins and joins; its net is then deleted */
void     netlist_isolate(Netlist *n, SegId seg);

/* netlist_may_... only tests: it fails with the reason if the edit is impossible. An edit of
   several objects uses it to change all of them or none. */
Status netlist_may_swap_cell(const Netlist *n, InstId inst, CellId cell, Log *log);
Status netlist_swap_cell(Netlist *n, InstId inst, CellId cell, Log *log);
Status netlist_insert_inst(Netlist *n, InstId scope, const char *name, CellId cell, Log *log,
                           InstId *made);
Status netlist_may_remove_inst(const Netlist *n, InstId inst, Log *log);
/* disconnects its pins first */
Status netlist_remove_inst(Netlist *n, InstId inst, Log *log);
Status netlist_insert_net(Netlist *n, InstId scope, const char *name, Log *log, SegId *made);
Status netlist_may_remove_net(const Netlist *n, SegId seg, Log *log);
Status netlist_remove_net(Netlist *n, SegId seg, Log *log);
/* pin must be free and a leaf's or a port's in the seg's scope */
Status netlist_may_connect(const Netlist *n, PinId pin, SegId seg, Log *log);
Status netlist_connect(Netlist *n, PinId pin, SegId seg, Log *log);
Status netlist_disconnect(Netlist *n, PinId pin, Log *log);

/* --- taking edits back (optimize/edits.h), last ones first ------------------------------------ */
/* A removed leaf, without connections; a segment after netlist_remove_net, whose net and joins are
   restored apart. */
void netlist_revive_inst(Netlist *n, InstId inst);
void netlist_revive_seg(Netlist *n, SegId seg);
/* The pin in front of one on its segment's list, NO_PIN: it is the first; and attaching there.
   Sums over a net's pins go by this order. */
PinId netlist_pin_before(const Netlist *n, PinId pin);
void  netlist_attach_behind(Netlist *n, PinId pin, SegId seg, PinId before);
/* Which segments a net has, in their order: before a hierarchical pin joins or parts nets.  Nets
   that hold them when the shape is restored are gone, so restore all that were taken. */
typedef struct {
  NetId    net;
  uint32_t flags;
  ARRAY(SegId) segs;
} NetShape;
NetShape netlist_net_shape(const Netlist *n, NetId net);
void     netlist_restore_shape(Netlist *n, const NetShape *shape);
/* Is the segment part of an assign, or tied? */
bool     netlist_seg_is_joined(const Netlist *n, SegId seg);
typedef struct {
  ARRAY(SegJoin) joins;
  ARRAY(SegTie) ties;
} NetJoins;
NetJoins netlist_copy_joins(const Netlist *n);
void     netlist_restore_joins(Netlist *n, const NetJoins *copy);

#endif
