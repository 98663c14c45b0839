/* Writes a block as Verilog, SPEF and SDC. */
#ifndef GENERATE_WRITE_H
#define GENERATE_WRITE_H

#include "scripts/generate/block.h"

typedef struct {
  Out     *verilog, *spef, *sdc;     /* each may be NULL: not wanted */
  uint64_t seed;
  double   coupled;                  /* share of nets with a coupling capacitor; stars have none */
  int      star;                     /* each load has a wire of its own from the driver */
  double  *node_cap;                 /* scratch of spef_net */
  uint32_t max_nodes;
} Files;

/* One cell instance of a block, without hierarchy. */
void verilog_cell(Out *out, const Block *block, uint32_t cell);
/* A whole design of one block: a module for each unit, then the top. */
void verilog_design(Out *out, const Block *block, const char *top);
void verilog_ports(Out *out, const Port *ports, uint32_t n_ports, const char *top);

/* A connection: inst NULL is a port (pin its name, direction as seen from outside). */
typedef struct {
  const char *inst, *pin;
  char        direction;
} SpefPin;

/* pins[0] is the driver.  number identifies the net for the random numbers.  mate is the net that
   this one couples to, or NULL; mate_number is its number. */
typedef struct {
  const char    *name, *mate;
  const SpefPin *pins;
  uint32_t       n_pins;
  uint64_t       number, mate_number;
} SpefNet;

void spef_header(Out *out, const char *design);
void spef_ports(Out *out, const Port *ports, uint32_t n_ports);
void spef_net(Files *files, const SpefNet *net);
/* A block's name map, ports and all nets that have loads, with the map's numbers instead of
   names. */
void spef_design(Files *files, const Block *block);

typedef struct {
  double      period;
  double      uncertainty;
  const char *clock, *reset;
} Constraints;

/* Inputs but the clock and the reset get an input delay and a slope, outputs a delay and a load. */
void sdc_design(Out *out, const Constraints *c, const Port *ports, uint32_t n_ports);

#endif
