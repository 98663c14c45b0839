/* The netlist: an instance tree with local names, flattened into electrical nets.

   Instance 0 is the top.  Leaf instances have a library cell, hierarchical ones a module.  Each pin
   of a leaf and each top port is a pin of the design; pins of hierarchical instances exist as well,
   for names, -through and clocks on them.

     Seg    a net's name in one scope (instance): what Verilog calls a wire
     Net    the electrical net: all segments joined through hierarchical pins and assigns

   Top ports are pins of instance 0; their segment is the one inside.  A hierarchical pin is on its
   outer segment; netlist_inner_seg gives the inner one. Ids are stable: edits add at the end and
   mark what is gone; nothing is renumbered. */
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
#define NETLIST_SEPARATOR '/'      /* where no other is given */

enum { INST_HIERARCHICAL = 1, INST_DELETED = 2 };

typedef struct {
  NameId   name;            /* local; without escapes.  May itself hold the separator (flattened
                               netlists) */
  InstId   parent;          /* NO_INST for the top */
  uint32_t master;          /* CellId, or for hierarchical ones the index in modules */
  PinId    first_pin;
  uint32_t pin_count;
  InstId   first_child, next_sibling;   /* in order of appearance; NO_INST ends */
  uint32_t flags;
} Inst;

typedef struct {
  InstId   inst;
  uint32_t port;            /* PortId of a leaf's cell; index in module_ports for top and
                               hierarchical */
  SegId    seg;             /* NO_SEG: unconnected */
  PinId    next;            /* next pin on the same segment; NO_PIN ends */
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
  SegId    first_seg;       /* the one nearest the top: it gives the net its name */
  uint32_t flags;
} Net;

/* A module's interface as the netlist has it after linking (black boxes included). */
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

/* Two segments that an assign makes one net, and what drives a segment without a pin (assign to a
   constant, supply0, supply1; flags as Net's).  Nets follow from these and the hierarchical
   pins. */
typedef struct { SegId a, b; } SegJoin;
typedef struct { SegId seg; uint32_t flags; } SegTie;

/* A connection to a pin that gives power and is no port of the cell: kept for writing alone. */
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
  ARRAY(SupplyPin) supplies;     /* by instance */
  ARRAY(BusId) reversed_buses;   /* of library cells: the Verilog read lists their bits from the
                                    other end */
  Map *inst_by_name;        /* hash_pair(parent, name) -> InstId */
  Map *seg_by_name;         /* hash_pair(scope, name) -> SegId */
  Map *inner_seg;           /* hierarchical PinId -> SegId inside */
  Map *port_by_name;        /* hash_pair(module, name) -> index in module_ports */
  Map *
      shared_names; /* local names whose separators full names show as "\/", since another object's is the same
                               without; NULL: none */
  Map *last_child;          /* InstId -> its last child */
  uint32_t longest_name;    /* of a local name: bounds the search for paths */
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
SegId     netlist_inner_seg(const Netlist *n, PinId pin);         /* of hierarchical pins; NO_SEG */
NameId    netlist_pin_port_name(const Netlist *n, PinId pin);
/* As seen from outside for pins; a top input port is DIR_INPUT. */
Direction netlist_pin_direction(const Netlist *n, PinId pin);
/* Does the pin drive its net (leaf outputs, inouts, top inputs) / load it? Hierarchical pins:
   neither. */
bool      netlist_pin_drives(const Netlist *n, PinId pin);
bool      netlist_pin_loads(const Netlist *n, PinId pin);
/* Does the pin hold its net at all times (an output without three_state, a top input)? */
bool      netlist_pin_holds(const Netlist *n, PinId pin);
/* The first two of them on a net, NO_PIN; and the constant of an assign or a supply, -1: none. */
typedef struct { PinId first, second; int constant; } NetHolders;
NetHolders netlist_net_holders(const Netlist *n, NetId net);
NameId    netlist_inst_master_name(const Netlist *n, InstId inst);
/* NO_CELL for hierarchical ones */
CellId    netlist_inst_cell(const Netlist *n, InstId inst);

/* What is said of a hierarchical cell is said of what is inside: the hierarchical cell around a
   cell; NO_INST where that is the top. */
static inline InstId netlist_block_of(const Netlist *n, InstId inst)
{
  InstId parent = n->insts.at[inst].parent;
  return parent == TOP_INST ? NO_INST : parent;
}
/* Calls visit for the leaf cells inside a hierarchical one, for a leaf itself; none of those that
   are gone. */
void netlist_each_leaf(const Netlist *n, InstId inst, void (*visit)(void *data, InstId leaf),
                       void *data);

PinId  netlist_find_pin_of(const Netlist *n, InstId inst, NameId port);   /* NO_PIN */
PinId  netlist_pin_of_port(const Netlist *n, InstId leaf, PortId port);   /* NO_PIN */
/* By full name with the separator ('/'), names that hold separators included; the leading '\' of an
   escaped name and '\' before brackets and separators are ignored; where two names are the same
   (shared_names), a separator without '\' parts two names.  Search starts in `scope` (TOP_INST). */
InstId netlist_find_inst(const Netlist *n, InstId scope, const char *path, char separator);
PinId  netlist_find_pin(const Netlist *n, InstId scope, const char *path, char separator);
PinId  netlist_find_port(const Netlist *n, const char *name);
SegId  netlist_find_seg(const Netlist *n, InstId scope, const char *path, char separator);

/* As these, but a separator parts two names just where no '\' is before it; other text is as it
   is. */
InstId netlist_find_inst_exactly(const Netlist *n, InstId scope, const char *path, char separator);
PinId  netlist_find_pin_exactly(const Netlist *n, InstId scope, const char *path, char separator);
SegId  netlist_find_seg_exactly(const Netlist *n, InstId scope, const char *path, char separator);

/* Another object of the same full name (segments of one net are one object), NO_INST or NO_SEG; and
   telling two apart from now on. */
InstId netlist_same_name_inst(const Netlist *n, InstId inst);
SegId  netlist_same_name_seg(const Netlist *n, SegId seg);
void   netlist_part_insts(Netlist *n, InstId a, InstId b);
void   netlist_part_segs(Netlist *n, SegId a, SegId b);

/* Full names: appended to t. */
void netlist_inst_name(const Netlist *n, InstId inst, char separator, Text *t);
void netlist_pin_name(const Netlist *n, PinId pin, char separator, Text *t);
void netlist_seg_name(const Netlist *n, SegId seg, char separator, Text *t);
void netlist_net_name(const Netlist *n, NetId net, char separator, Text *t);

/* Visits every pin on an electrical net: leaf pins and top ports; hierarchical pins only when asked
   for. Order: by PinId is not promised.  NO_NET has none. */
typedef struct { const Netlist *n; SegId seg; PinId pin; bool hierarchical; } NetPins;
NetPins net_pins(const Netlist *n, NetId net, bool hierarchical);
PinId   net_pins_next(NetPins *it);       /* NO_PIN at the end */

/* --- building (linking) and editing ----------------------------------------------------------- */
/* Edits fail with a message and without effect when they make no sense (duplicate name, missing
   port). */
InstId netlist_add_inst(Netlist *n, InstId parent, NameId name, uint32_t master, bool hierarchical);
SegId    netlist_add_seg(Netlist *n, InstId scope, NameId name);      /* with a net of its own */
/* its ports follow, before the next module */
ModuleId netlist_add_module(Netlist *n, NameId name);
/* to the last module */
uint32_t netlist_add_port(Netlist *n, NameId name, Direction direction, uint32_t bus);
/* its ports come next, from..to */
uint32_t netlist_add_bus(Netlist *n, NameId name, int32_t from, int32_t to);
/* two segments of a scope become one net */
void     netlist_join(Netlist *n, SegId a, SegId b);
/* By SegId: one of those that assigns make one wire of a scope, the same for all of them.  The
   caller frees it. */
SegId   *netlist_joined_segs(const Netlist *n);
/* NET_CONSTANT_..., NET_POWER, NET_GROUND */
void     netlist_tie(Netlist *n, SegId seg, uint32_t flags);
void     netlist_attach(Netlist *n, PinId pin, SegId seg);            /* pin must be free */
void     netlist_detach(Netlist *n, PinId pin);
void     netlist_set_inner_seg(Netlist *n, PinId hierarchical_pin, SegId inner);
/* off all pins and joins; its net is then deleted */
void     netlist_isolate(Netlist *n, SegId seg);

/* netlist_may_...: fails with the reason why not; for edits of several objects at once, which are
   made of all or of none. */
Status netlist_may_swap_cell(const Netlist *n, InstId inst, CellId cell, Log *log);
Status netlist_swap_cell(Netlist *n, InstId inst, CellId cell, Log *log);
Status netlist_insert_inst(Netlist *n, InstId scope, const char *name, CellId cell, Log *log,
                           InstId *made);
Status netlist_may_remove_inst(const Netlist *n, InstId inst, Log *log);
Status netlist_remove_inst(Netlist *n, InstId inst, Log *log);        /* disconnects first */
Status netlist_insert_net(Netlist *n, InstId scope, const char *name, Log *log, SegId *made);
Status netlist_may_remove_net(const Netlist *n, SegId seg, Log *log);
Status netlist_remove_net(Netlist *n, SegId seg, Log *log);
/* pin must be free and a leaf's or a port's in the seg's scope */
Status netlist_connect(Netlist *n, PinId pin, SegId seg, Log *log);
Status netlist_disconnect(Netlist *n, PinId pin, Log *log);

#endif
