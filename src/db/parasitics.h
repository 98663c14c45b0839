/* Parasitics: for each annotated segment of a net, a piece of RC tree.

   A piece holds nodes in an order where each node's parent comes before it; node 0 has no parent.
   Taps say which pins sit on which nodes: leaf pins, top ports and hierarchical pins (where the
   pieces of a net that crosses a block's border join).  Most nets are one piece whose node 0 is the
   driver's. Loops were cut and coupling capacitors grounded by the reader. Capacitances in fF,
   resistances in kOhm.  Pin capacitances of the library are not in it, unless flags say so. */
#ifndef SL_DB_PARASITICS_H
#define SL_DB_PARASITICS_H

#include "db/netlist.h"

typedef uint32_t PieceId;
#define NO_PIECE UINT32_MAX
#define NO_NODE  UINT32_MAX

typedef struct {
  uint32_t parent;          /* index within the piece; NO_NODE for node 0 (and for islands: nodes
                               the reader could not reach) */
  float    resistance;      /* of the branch to the parent */
  float    cap;
} RcNode;

typedef struct {
  PinId    pin;
  uint32_t node;            /* index within the piece */
} RcTap;

enum {
  PIECE_LUMPED = 1,          /* *D_NET without resistors: one node */
  PIECE_REDUCED = 2,         /* *R_NET: pi model; see reduced */
  PIECE_INPUTS_INCLUDED = 4, /* capacitances hold those of library pins: of inputs and inouts, of
                                outputs */
  PIECE_DELETED = 8,
  PIECE_ISLANDS = 16,        /* not all nodes hang on node 0; set when the piece is added */
  PIECE_JOINS = 32,          /* has taps on hierarchical pins; set when the piece is added */
  PIECE_OUTPUTS_INCLUDED = 64
};

typedef struct {
  SegId    seg;
  uint32_t first_node, node_count;
  uint32_t first_tap, tap_count;
  uint32_t flags;
  PieceId  next;            /* next piece of the same electrical net */
  float    total_cap;       /* what the file's *D_NET line says, fF */
} RcPiece;

/* What one driver of a reduced net sees: near capacitance, resistance, far capacitance, and the
   loads' Elmore constants (ps) at elmores[first_elmore...], by ascending PinId.  The piece itself
   is the pi model as a tree of two nodes, of the first driver: drivers on node 0, loads on node
   1. */
typedef struct {
  PieceId piece;
  PinId   driver;
  float   c_near, r_pi, c_far;
  uint32_t first_elmore, elmore_count;
} RcReduced;

typedef struct { PinId pin; float elmore; } RcElmore;

/* What a file says of the load outside of a port (*L), fF. */
typedef struct { PinId port; float cap; } RcPortLoad;

/* A construct that files had and that was not used: its name (a constant) and how often. */
typedef struct {
  const char *construct;
  uint32_t    count;
} SpefUnused;

/* What one read brought, and what it met and did not use. */
typedef struct {
  NameId   file;
  uint32_t nets, matched, unmatched_nets, unmatched_pins, loops, lumped, coupling, islands,
      no_driver;
  bool     spread;              /* some values are triples of different numbers, of which one was
                                   taken */
} SpefRead;

typedef struct Parasitics {
  ARRAY(RcNode) nodes;
  ARRAY(RcTap) taps;
  ARRAY(RcPiece) pieces;
  ARRAY(RcReduced) reduced;     /* by ascending piece */
  ARRAY(RcElmore) elmores;
  ARRAY(RcPortLoad) port_loads; /* by port */
  ARRAY(PieceId) net_piece;     /* by NetId: first piece or NO_PIECE; may be shorter than the
                                   netlist's nets */
  ARRAY(PieceId) seg_piece;     /* by SegId */
  ARRAY(SpefRead) reads;
  ARRAY(SpefUnused) unused;     /* over all reads, in order of first appearance */
  uint32_t dead_nodes;          /* of deleted pieces; they go when they are the larger part */
  uint64_t version;             /* rises with every change */
} Parasitics;

Parasitics *parasitics_new(void);
void        parasitics_free(Parasitics *p);
void        parasitics_clear(Parasitics *p);
void        parasitics_copy(Parasitics *to, const Parasitics *from);      /* to: an empty one */
size_t      parasitics_bytes(const Parasitics *p);

/* Do capacitances of a piece with such flags hold that of this pin?  What is outside of a port
   never. */
bool parasitics_pin_included(const Netlist *n, uint32_t flags, PinId pin);
/* The same of the net's pieces; p may be NULL. */
bool parasitics_holds_pin(const Parasitics *p, const Netlist *n, NetId net, PinId pin);

/* Adds a piece for a segment, replacing what it speaks of as well (see parasitics_commit).  nodes
   and taps are copied. */
PieceId parasitics_add(Parasitics *p, const Netlist *n, SegId seg, const RcNode *nodes,
                       uint32_t node_count, const RcTap *taps, uint32_t tap_count, uint32_t flags,
                       float total_cap);
/* The same in two steps, so that a file that turns out to be bad leaves nothing behind: pieces
   appended since the mark count for nothing until they are committed.

   A net's wires count once.  A piece replaces earlier ones of its net: those for its segment; those
   with a pin of it, on the same side; and of what was committed before, those for segments that
   assigns make one wire with its own, and where it is flat (lists leaf pins of blocks below) those
   in its scope and below. */
typedef struct { uint32_t nodes, taps, pieces, reduced, elmores; } ParasiticsMark;
ParasiticsMark parasitics_begin(const Parasitics *p);
PieceId parasitics_append(Parasitics *p, const Netlist *n, SegId seg, const RcNode *nodes,
                          uint32_t node_count, const RcTap *taps, uint32_t tap_count,
                          uint32_t flags, float total_cap);
/* Adds to the piece appended last; elmores are copied and sorted. */
void parasitics_append_reduced(Parasitics *p, RcReduced reduced, const RcElmore *elmores,
                               uint32_t count);
typedef struct {
  uint32_t twice;            /* pieces replaced by others of the same commit, of other segments */
  uint32_t narrower;         /* earlier ones replaced by a piece that lacks some of their pins: of
                                another segment, or a flat one by one that is not */
  SegId    twice_seg, narrower_seg;      /* the first one that replaced such; NO_SEG */
} ParasiticsReplaced;
ParasiticsReplaced parasitics_commit(Parasitics *p, const Netlist *n, const ParasiticsMark *mark);
void    parasitics_rollback(Parasitics *p, const ParasiticsMark *mark);
/* Copies all pieces of another set, replacing what they speak of. */
ParasiticsReplaced parasitics_merge(Parasitics *p, const Netlist *n, const Parasitics *from);

bool    parasitics_has_port_load(const Parasitics *p, PinId port);
/* In place of an earlier load; false: that is as heavy. */
bool    parasitics_put_port_load(Parasitics *p, PinId port, float cap);

/* The reduced model that a driver of the net has; NULL: none, or the net has other pieces too, and
   the model is a part of its tree. */
const RcReduced *parasitics_reduced(const Parasitics *p, NetId net, PinId driver);

/* Do this before an edit that joins or splits the net: pieces are listed by net. */
void    parasitics_remove_net(Parasitics *p, const Netlist *n, NetId net);
bool    parasitics_has(const Parasitics *p, NetId net);

/* Turning a network into a tree, for the reader and for rc_tree_build. */
typedef struct { uint32_t a, b; float resistance; } RcEdge;
typedef struct RcScratch RcScratch;
RcScratch *rc_scratch_new(void);
void       rc_scratch_free(RcScratch *s);

/* Orders the network of node_count nodes from root on, parents first; then the parts that root does
   not reach (islands), each from its first node.  A resistor that closes a loop of those before it
   is left out. nodes: room for node_count.  Afterwards *place gives the new index of each node
   (valid until the next call). */
typedef struct {
  uint32_t reached;          /* nodes that hang on root: they come first */
  uint32_t islands;          /* parts that do not */
  uint32_t loops;            /* resistors left out */
  const uint32_t *place;
} RcOrder;
RcOrder rc_order(RcScratch *s, const double *caps, uint32_t node_count, RcEdge *edges,
                 uint32_t edge_count, uint32_t root, RcNode *nodes);

/* The tree of a net as its driver sees it: pieces joined at hierarchical pins, rooted at the
   driver. A segment without a piece between segments that have some is an ideal wire. Arrays belong
   to the tree and are reused; node 0 is the driver's, parents come first.  Loads that the pieces do
   not reach are left out.  The driver not being on any piece gives one node with all their
   capacitance and all pins of the net (lumped); no piece gives node_count 0. */
typedef struct {
  ARRAY(RcNode) nodes;
  ARRAY(RcTap) taps;           /* loads and drivers other than the root, by ascending PinId; no
                                  hierarchical pins */
  ARRAY(uint8_t) included;     /* by tap: do the nodes' capacitances hold the library pin's?  Empty:
                                  of none */
  bool     lumped;             /* the driver is on none */
  bool     own_included;       /* the same of the driver's own pin */
  float    island_cap;         /* capacitance of nodes not connected to the driver, fF */
  float    total_cap;          /* of the nodes, fF, islands included */
  RcScratch *scratch;
} RcTree;

static inline bool rc_tree_pin_included(const RcTree *t, uint32_t tap)
{
  return t->included.len && t->included.at[tap];
}

void rc_tree_init(RcTree *t);
void rc_tree_free(RcTree *t);
void rc_tree_build(RcTree *t, const Parasitics *p, const Netlist *n, NetId net, PinId driver);
/* Loads of the net that are on no piece, of the tree built last.  It goes through the net's pins,
   which lie anywhere: as dear as the tree. */
uint32_t rc_tree_unreached(const RcTree *t, const Netlist *n, NetId net, PinId driver);
/* Of an annotated net: the single piece that is that tree as it is; NULL when there is something to
   join, to turn or to leave out. */
const RcPiece *rc_ready_piece(const Parasitics *p, NetId net, PinId driver);

#endif
