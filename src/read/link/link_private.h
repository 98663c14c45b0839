/* The state of the linker, shared by its files. */
#ifndef SL_READ_LINK_LINK_PRIVATE_H
#define SL_READ_LINK_LINK_PRIVATE_H

#include "db/netlist_build.h"
#include "read/link/link.h"
#include "read/verilog/verilog_data.h"

typedef enum { MASTER_CELL, MASTER_MODULE, MASTER_BLACK_BOX, MASTER_GATE } MasterKind;

#define NO_MASTER UINT32_MAX

/* A master: what instances of one master name refer to. */
typedef struct {
  NameId     name;
  MasterKind kind;
  VerilogModule *module;       /* MASTER_MODULE */
  VerilogModule *stub;         /* MASTER_CELL: the module that lists the cell's ports; NULL */
  CellId     cell;             /* for leaves; black boxes get theirs before the netlist is built */
  uint32_t   uses;             /* number of instances in the texts of the used modules */
  uint32_t   id;               /* ModuleId of the netlist */
  uint8_t    state;            /* during the search: new, open, done */

  /* For leaves. guess: the port that connection number k named last, which is a guess for the next
     instance. */
  ARRAY(uint32_t) guess;
  ARRAY(uint32_t) connected;   /* by port of the module or cell: the number of the last instance
                                  that connected it */

  ARRAY(uint32_t) stub_pins;   /* by bit of the stub's ports: the index of the port in the cell, or
                                  NO_INDEX */

  /* modules and stubs */
  ARRAY(uint32_t) first_pin;   /* by port: its first bit among the pins (stub_pins) */
  ARRAY(uint8_t) directions;   /* by port, if the module does not declare all; else empty */
  uint64_t insts, pins, segs;  /* totals with everything below */
} Master;

/* A port of a black box, found from connections. */
typedef struct {
  uint32_t master;
  NameId   name;
  uint8_t  direction;
  uint32_t width;
} BoxPort;

/* A pin that connections name but the cell does not have. */
typedef struct {
  NameId   cell, pin;
  Where    where;
  uint32_t count;
} StrayPin;

typedef struct {
  VerilogFiles *files;
  LibrarySet   *libs;
  Names        *names;
  Log          *log;
  Netlist      *n;
  ARRAY(Master) masters;
  Map          *master_by_name;
  ARRAY(uint32_t) order;       /* the used modules, each after the modules that it uses */
  Map          *port_by_name;  /* hash_pair(master, name) -> index of a module's port */
  ARRAY(BoxPort) box_ports;
  Map          *box_port_by_name;
  ARRAY(StrayPin) strays;
  Map          *stray_by_name;
  uint32_t      supply_pins;   /* number of connections to power and ground pins */
  uint32_t      inst_number;   /* number of the instance being checked */
  VerilogBits   bits;
  ARRAY(uint32_t) master_of;   /* by ModuleId */
  ARRAY(BusId)  reversed;      /* buses of cells whose bits a module lists in the opposite order */
  uint32_t      by_place;      /* number of instances whose connections by position follow the order
                                  of a library file */
  Where         first_by_place;
} Linker;

#define TRY(call) do { if ((call) != OK) return FAILED; } while (0)

#define NO_INDEX UINT32_MAX

/* --- link_masters.c --------------------------------------------------------------------------- */
uint32_t link_master(Linker *linker, NameId name);
uint32_t link_top_master(Linker *linker, VerilogModule *top); /* the master is the module, even if a
                                                              library has a cell of the name */
Status   link_find_top(Linker *linker, const char *top_or_null, VerilogModule **top);
Status   link_collect(Linker *linker, uint32_t top);        /* fills order */

/* --- link_ports.c ----------------------------------------------------------------------------- */
/* Returns the port of a leaf's cell that connection number c names, as its index in the cell, or
   NO_INDEX. */
uint32_t link_cell_port(Linker *linker, Master *master, uint32_t c, NameId name);
BusId    link_cell_bus(const Linker *linker, const Master *master, NameId name);
uint32_t link_cell_position(const Linker *linker, const Master *master, uint32_t c, BusId *bus);
uint32_t link_module_port(Linker *linker, uint32_t master, uint32_t c, NameId name);
NameId link_box_port_name(Linker *linker, const Master *master, const VerilogInst *inst,
                          uint32_t c);
NameId   link_bit_name(Linker *linker, NameId base, int32_t index);
uint8_t  link_gate_direction(const Linker *linker, NameId port);

/* --- link_stub.c ------------------------------------------------------------------------------ */
/* The pins of a cell that a connection refers to, left to right. */
typedef struct {
  NameId   name;               /* the name of the port */
  uint32_t first, width;       /* width is 0 if the cell has no such pin, and NO_INDEX if it has no
                                  such position */
  bool     by_stub;            /* first is an index in stub_pins, else among the cell's ports */
} CellTarget;

void       link_enter_stub(Linker *linker, uint32_t master);
CellTarget link_cell_target(Linker *linker, uint32_t master, const VerilogInst *inst, uint32_t c);
/* index in the cell; NO_INDEX */
uint32_t   link_target_pin(const Master *master, const CellTarget *target, uint32_t i);

/* --- link_directions.c ------------------------------------------------------------------------ */
void     link_find_directions(Linker *linker);
uint8_t  link_port_direction(const Master *master, uint32_t port);     /* for modules */

/* --- link_supply.c ---------------------------------------------------------------------------- */
/* Is a pin that is not a port of the cell a power or ground pin? */
bool link_is_supply(Linker *linker, CellId cell, NameId pin, const VerilogModule *scope,
                    uint32_t ref);

/* --- link.c ----------------------------------------------------------------------------------- */
Status link_go_on(Linker *linker); /* returns FAILED after an interrupt */

/* --- link_check.c ----------------------------------------------------------------------------- */
Status link_check(Linker *linker, uint32_t master);         /* checks all connections in a module */
void   link_tell(Linker *linker);                           /* warns of what was counted */
Status link_black_boxes(Linker *linker, bool allowed);

/* --- link_drivers.c --------------------------------------------------------------------------- */
void   link_warn_drivers(Linker *linker);                   /* call it once the netlist is built */

/* --- link_names.c ----------------------------------------------------------------------------- */
void   link_warn_names(Linker *linker);

/* --- link_build.c ----------------------------------------------------------------------------- */
Status link_size(Linker *linker, uint32_t top);
/* The netlist is incomplete after an interrupt. */
void   link_build(Linker *linker, uint32_t top);

#endif
