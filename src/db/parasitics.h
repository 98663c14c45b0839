/* Parasitics: a piece of an RC tree for each annotated segment of a net.

   In a piece each node comes after its parent; node 0 has no parent. Taps connect pins with nodes:
   leaf pins, top ports, and hierarchical pins. Pieces of a net that crosses the border of a block
   meet at hierarchical pins. Most nets are one piece, with the driver at node 0. The reader leaves
   out resistors that close loops, and connects coupling capacitors to ground. Capacitances are in
   fF, resistances in kOhm. They do not include the library's pin capacitances, unless flags say
   so. */
#ifndef SL_DB_PARASITICS_H
#define SL_DB_PARASITICS_H

#include "db/netlist.h"

typedef uint32_t PieceId;
#define NO_PIECE UINT32_MAX
#define NO_NODE  UINT32_MAX

/* TreeNode (device/trees.h) has the same layout. */
typedef struct {
  uint32_t parent;          /* index within the piece; NO_NODE for node 0, and for the first node of
                               an island (nodes that are not connected to node 0) */
  float    resistance;      /* resistance of the branch to the parent */
  float    cap;
} RcNode;

typedef struct {
  PinId    pin;
  uint32_t node;            /* index within the piece */
} RcTap;

enum {
  PIECE_LUMPED = 1,          /* *D_NET without resistors: one node */
  PIECE_REDUCED = 2,         /* *R_NET: a pi model; see RcReduced */
  PIECE_INPUTS_INCLUDED = 4, /* capacitances include those of input and inout pins;
                                PIECE_OUTPUTS_INCLUDED: those of output pins */
  PIECE_DELETED = 8,
  PIECE_ISLANDS = 16,        /* some nodes are not connected to node 0; set when the piece is
                                added */
  PIECE_JOINS = 32,          /* it has taps on hierarchical pins; set when the piece is added */
  PIECE_OUTPUTS_INCLUDED = 64
};

/* The numbers that a file gives for a whole piece. Readers fill them in. All code that copies,
   stores or restores pieces passes them on as they are, so a new number is a field here. */
typedef struct {
  float total_cap;          /* capacitance on the *D_NET line, fF */
} PieceNumbers;

typedef struct {
  SegId    seg;
  uint32_t first_node, node_count;
  uint32_t first_tap, tap_count;
  uint32_t flags;
  PieceId  next;            /* next piece of the same electrical net */
  PieceNumbers numbers;
} RcPiece;

/* A reduced net as one driver sees it: near capacitance, resistance and far capacitance. The Elmore
   constants of the loads (ps) are at elmores[first_elmore...], sorted by PinId. The piece itself is
   the pi model of the first driver as a tree of two nodes, with drivers on node 0 and loads on node
   1. */
typedef struct {
  PieceId piece;
  PinId   driver;
  float   c_near, r_pi, c_far;
  uint32_t first_elmore, elmore_count;
} RcReduced;

typedef struct { PinId pin; float elmore; } RcElmore;

/* The load outside of a port, as a file gives it (*L), fF. */
typedef struct { PinId port; float cap; } RcPortLoad;

/* A construct of files that was ignored: its name (a string constant) and how often it occurred. */
typedef struct {
  const char *construct;
  uint32_t    count;
} SpefUnused;

/* The counts of one read of a file: what it annotated, and what it did not use. */
typedef struct {
  NameId   file;
  uint32_t nets, matched, unmatched_nets, unmatched_pins, loops, lumped, coupling, islands,
      no_driver;
  bool     spread;              /* some values are triples of different numbers; one of the three
                                   was taken */
} SpefRead;

typedef struct Parasitics {
  ARRAY(RcNode) nodes;
  ARRAY(RcTap) taps;
  ARRAY(RcPiece) pieces;
  ARRAY(RcReduced) reduced;     /* sorted by piece */
  ARRAY(RcElmore) elmores;
  ARRAY(RcPortLoad) port_loads; /* sorted by port */
  ARRAY(PieceId) net_piece;     /* by NetId: the first piece or NO_PIECE; may be shorter than the
                                   array of nets */
  ARRAY(PieceId) seg_piece;     /* by SegId */
  ARRAY(SpefRead) reads;
  ARRAY(SpefUnused) unused;     /* over all reads, in order of first appearance */
  uint32_t dead_nodes;          /* nodes of deleted pieces; they are removed once they are the
                                   majority */
  uint64_t version;             /* rises with every change */
} Parasitics;

Parasitics *parasitics_new(void);
void        parasitics_free(Parasitics *parasitics);
void        parasitics_clear(Parasitics *parasitics);
void        parasitics_copy(Parasitics *to, const Parasitics *from);      /* `to` must be empty */
size_t      parasitics_bytes(const Parasitics *parasitics);

/* Do the capacitances of a piece with these flags include that of the pin? The load outside of a
   port is never included. */
bool parasitics_pin_included(const Netlist *n, uint32_t flags, PinId pin);
/* The same for the pieces of a net; parasitics may be NULL. */
bool parasitics_holds_pin(const Parasitics *parasitics, const Netlist *n, NetId net, PinId pin);

/* Adds a piece for a segment and replaces earlier pieces as parasitics_commit does. Copies nodes
   and taps. */
PieceId parasitics_add(Parasitics *parasitics, const Netlist *n, SegId seg, const RcNode *nodes,
                       uint32_t node_count, const RcTap *taps, uint32_t tap_count, uint32_t flags,
                       PieceNumbers numbers);
/* The same in two steps, so that a bad file changes nothing: pieces appended since the mark have no
   effect until they are committed.

   Each wire of a net counts once, so a piece replaces earlier pieces of its net: pieces for the
   same segment, and pieces with one of its pins on the same side. Of the pieces committed before,
   it also replaces those for segments that assigns join with its own. A flat piece, which lists
   leaf pins of blocks below, also replaces pieces in its scope and below. */
typedef struct { uint32_t nodes, taps, pieces, reduced, elmores; } ParasiticsMark;
ParasiticsMark parasitics_begin(const Parasitics *parasitics);
PieceId parasitics_append(Parasitics *parasitics, const Netlist *n, SegId seg, const RcNode *nodes,
                          uint32_t node_count, const RcTap *taps, uint32_t tap_count,
                          uint32_t flags, PieceNumbers numbers);
/* Adds a reduced model to the last appended piece. Copies and sorts elmores. */
void parasitics_append_reduced(Parasitics *parasitics, RcReduced reduced, const RcElmore *elmores,
                               uint32_t count);
typedef struct {
  uint32_t twice;            /* pieces replaced by pieces of the same commit for other segments */
  uint32_t narrower;         /* pieces of earlier commits replaced by a piece that is not flat and
                                lacks some of their pins. If both pieces are for the same segment,
                                this counts only if the earlier one was flat */
  SegId    twice_seg, narrower_seg;      /* the segment of the first piece that did so; NO_SEG */
} ParasiticsReplaced;
ParasiticsReplaced parasitics_commit(Parasitics *parasitics, const Netlist *n,
                                     const ParasiticsMark *mark);
void    parasitics_rollback(Parasitics *parasitics, const ParasiticsMark *mark);
/* Appends copies of all pieces of another set, with their reduced models. Returns false after an
   interrupt; then none is appended. */
bool    parasitics_append_all(Parasitics *parasitics, const Netlist *n, const Parasitics *from);
/* Appends and commits them; no interrupt stops it. */
ParasiticsReplaced parasitics_merge(Parasitics *parasitics, const Netlist *n,
                                    const Parasitics *from);

bool    parasitics_has_port_load(const Parasitics *parasitics, PinId port);
/* Replaces an earlier load of the port. Returns false if the earlier load was as large. */
bool    parasitics_put_port_load(Parasitics *parasitics, PinId port, float cap);

/* Returns the reduced model of a driver of the net. NULL if there is none, or if the net has
   further pieces, because the model is then a part of the net's tree. */
const RcReduced *parasitics_reduced(const Parasitics *parasitics, NetId net, PinId driver);

/* Removes all pieces of a net. Call it before an edit that joins or splits the net, because pieces
   are listed by net. */
void    parasitics_remove_net(Parasitics *parasitics, const Netlist *n, NetId net);
bool    parasitics_has(const Parasitics *parasitics, NetId net);

/* Turns a network into a tree, for the reader and for rc_tree_build. */
typedef struct { uint32_t a, b; float resistance; } RcEdge;
typedef struct RcScratch RcScratch;
RcScratch *rc_scratch_new(void);
void       rc_scratch_free(RcScratch *scratch);

/* Orders a network of node_count nodes, beginning at root, parents first. The parts that root does
   not reach (islands) follow, each beginning at its first node. A resistor that closes a loop with
   earlier ones is left out. nodes has room for node_count entries. place[] gives the new index of
   each node and is valid until the next call. */
typedef struct {
  uint32_t reached;          /* number of nodes connected to root; they come first */
  uint32_t islands;          /* number of parts that are not connected to root */
  uint32_t loops;            /* number of resistors left out */
  const uint32_t *place;
} RcOrder;
RcOrder rc_order(RcScratch *scratch, const double *caps, uint32_t node_count, RcEdge *edges,
                 uint32_t edge_count, uint32_t root, RcNode *nodes);

/* The tree of a net as its driver sees it: the pieces joined at hierarchical pins, with the driver
   as root. Node 0 is the driver's, and parents come first. A segment without a piece between
   segments with pieces is an ideal wire. Loads that no piece reaches are left out. If the driver is
   on no piece, the tree is one node with all capacitance and all pins of the net (lumped). Without
   any piece the tree has no nodes. The tree owns its arrays and reuses them for the next net. */
typedef struct {
  ARRAY(RcNode) nodes;
  ARRAY(RcTap) taps;           /* loads, and drivers other than the root, sorted by PinId; no
                                  hierarchical pins */
  ARRAY(uint8_t) included;     /* by tap: do the nodes' capacitances include that of the library
                                  pin? Empty if none do */
  bool     lumped;             /* the driver is on no piece */
  bool     own_included;       /* the same for the driver's own pin */
  float    island_cap;         /* capacitance of nodes not connected to the driver, fF */
  float    total_cap;          /* capacitance of all nodes, fF, islands included */
  RcScratch *scratch;
} RcTree;

static inline bool rc_tree_pin_included(const RcTree *tree, uint32_t tap)
{
  return tree->included.len && tree->included.at[tap];
}

void rc_tree_init(RcTree *tree);
void rc_tree_free(RcTree *tree);
void rc_tree_build(RcTree *tree, const Parasitics *parasitics, const Netlist *n, NetId net,
                   PinId driver);
/* Returns the number of loads that are on no piece, for the tree built last. It visits all pins of
   the net and takes as long as building the tree. */
uint32_t rc_tree_unreached(const RcTree *tree, const Netlist *n, NetId net, PinId driver);
/* Returns the single piece of an annotated net if it already is the driver's tree. Returns NULL if
   pieces must be joined, another root chosen, or nodes left out. */
const RcPiece *rc_ready_piece(const Parasitics *parasitics, NetId net, PinId driver);

#endif
