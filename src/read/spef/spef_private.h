/* What the files of the SPEF reader share. The files are:

     spef.c         the sections of a file. read_coupling applies the coupling factor, read_res
                    reads resistors, tell_of_net warns of a net
     spef_lex.c     characters to words and numbers
     spef_names.c   names of nets and pins: the name map, look-up in the netlist
     spef_net.c     the nodes of one net; at *END its tree (spef_net_end). rc_order in db/rc_tree.c
                    leaves out resistors that close a loop */
#ifndef SL_READ_SPEF_SPEF_PRIVATE_H
#define SL_READ_SPEF_SPEF_PRIVATE_H

#include "base/arena.h"
#include "base/input.h"
#include "read/spef/spef.h"

/* --- words (spef_lex.c) ----------------------------------------------------------------------- */

typedef enum {
  WORD_END,          /* end of the file, or reading failed (SpefLex.failed) */
  WORD_NAME,         /* a name or a number */
  WORD_INDEX,        /* *12, *12:A */
  WORD_KEYWORD,      /* *D_NET: a star and a letter */
  WORD_STRING        /* text without the quotes */
} SpefWord;

/* Names are hashed and compared sixteen bytes at a time. So sixteen bytes can always be read, also
   for a shorter word. */
enum { SPEF_PAD = 16 };

/* The current word. Its text is valid until the next word. It is not terminated, but a number in it
   is followed by a character that cannot belong to a number. */
typedef struct {
  Input      *in;
  Log        *log;
  const char *text;
  uint32_t    length;
  uint32_t    line;       /* line where the word begins; strings may span lines */
  SpefWord    word;
  bool        failed;
  bool        spread;     /* the file has a triple of different numbers */
  char        tail[2 * SPEF_PAD];    /* holds a word at the end of the window */
} SpefLex;

SpefWord spef_next(SpefLex *lex);
Where    spef_where(const SpefLex *lex);
/* Reads a number, or a triple of numbers, that must be the whole word. */
bool     spef_value(SpefLex *lex, int triple, double *value);
static inline bool spef_is(const SpefLex *lex, const char *text)
{
  size_t length = strlen(text);
  return lex->length == length && memcmp(lex->text, text, length) == 0;
}
/* Returns a length for "%.*s" that cuts long words. */
int      spef_shown(uint32_t length);

/* --- names (spef_names.c) --------------------------------------------------------------------- */

#define NOT_LOOKED_UP (UINT32_MAX - 1)

typedef struct {
  const char *text;       /* as in the file; NULL if the index has no name */
  uint32_t    length;
  InstId      inst;       /* the result of the look-up; NOT_LOOKED_UP before it, NO_INST if none */
  SegId       seg;
} MapEntry;

enum { PAGE_BITS = 12, PORT_CACHE = 1 << 10, PORT_TEXT = 16 };

/* A cache of port names that were resolved for a master (leaf cell or module): the index of the pin
   in an instance. */
typedef struct {
  char     text[PORT_TEXT];
  uint32_t length;        /* 0 if the entry is free */
  uint32_t master, hierarchical;
  uint32_t place, port;
} PortCache;

typedef struct {
  const Netlist *n;
  InstId  scope;
  char    divider, delimiter, bus_open, bus_close;
  MapEntry **pages;       /* by index >> PAGE_BITS */
  uint32_t page_count;
  Arena   *texts;
  Text     path;          /* scratch: a name in the netlist's spelling */
  Text     expanded;      /* scratch: a name with its index replaced */
  Text     split;         /* scratch: the instance part of a pin's name */
  PortCache *ports;
  SegId    next_seg;      /* the segment after the last one found */
} SpefNames;

/* A pin of *CONN. The pins of a net are looked up together, step by step. Each step waits for
   memory, and the waits of many pins overlap. */
typedef struct {
  uint32_t text, length;  /* in the net's conn_texts */
  Where    where;
  char     kind;          /* P, I, N */
  char     direction;     /* I, O, B */
  uint32_t split;         /* the index of the delimiter before the port's part */
  NameId   name;          /* name of the instance in the scope; NO_NAME if the general look-up is
                             needed */
  InstId   inst;          /* NO_INST if not known yet */
  PinId    pin;
  float    load;          /* the value of *L, fF; NAN if none */
} SpefConn;

void spef_names_init(SpefNames *names, const Netlist *n, InstId scope);
void spef_names_free(SpefNames *names);
/* Sets the name of an index. Returns false if the index had another name, which is replaced. */
bool spef_map_set(SpefNames *names, uint32_t index, const char *text, uint32_t length);
MapEntry *spef_map_get(const SpefNames *names, uint32_t index);      /* NULL if none */
/* Reads "*123" at the start of the word; *end is the position after it. */
bool spef_index(const char *text, uint32_t length, uint32_t *index, uint32_t *end);
/* Makes SPEF_PAD bytes after the text readable. */
void spef_pad(Text *text);
/* Returns the position of the last delimiter that is not escaped, or length. */
uint32_t spef_split(const SpefNames *names, const char *text, uint32_t length);
/* Returns the name in the netlist's spelling, valid until the next call. */
const char *spef_plain_name(SpefNames *names, const char *text, uint32_t length,
                            uint32_t *plain_length);
SegId  spef_find_seg(SpefNames *names, const char *text, uint32_t length);
PinId  spef_find_port(SpefNames *names, const char *text, uint32_t length);
/* Finds a pin as *CONN, *CAP and *RES name it: instance, delimiter and port, or a port of the
   scope. */
PinId  spef_find_pin(SpefNames *names, const char *text, uint32_t length);
/* Is the pin on the net? A hierarchical pin may be on it from outside or from inside. */
bool   spef_pin_on_net(const Netlist *n, PinId pin, NetId net);
/* Finds the pins of all entries except those of kind N. */
void   spef_find_pins(SpefNames *names, SpefConn *conns, uint32_t count, const char *texts);

/* --- one net (spef_net.c) --------------------------------------------------------------------- */

/* A key: a name of up to sixteen bytes, padded with zeros, or two hashes of a longer name. */
typedef struct { uint64_t low, high; } NodeKey;

/* An entry of the hash table of a net's nodes. A PinId can be a key too; its length is 0. */
typedef struct {
  NodeKey  key;
  uint32_t stamp;         /* number of the net that filled the entry */
  uint32_t node;
  uint32_t text, length;  /* for longer names: their text in `texts`, for comparison */
} NodeSlot;

typedef struct {
  SpefNames *names;
  const Netlist *n;
  SegId     seg;
  NetId     net;
  bool      indexed;      /* the file names the net by an index */
  Text      spelled;      /* the net's name in the file's spelling */
  Text      plain;        /* and in the netlist's spelling */
  NodeSlot *slots;
  uint32_t  mask, capacity, stamp, used;
  Text      texts, respelled;
  ARRAY(double) caps;
  ARRAY(PinId)  pins;     /* by node; NO_PIN for internal nodes */
  ARRAY(RcEdge) edges;
  ARRAY(RcNode) nodes;    /* scratch of the tree */
  ARRAY(RcTap)  taps;
  ARRAY(SpefConn) conns;
  Text      conn_texts;
  uint32_t hint;          /* the node that *CONN gives as the driver's */
  SegId   *joined;        /* result of netlist_joined_segs; NULL before its first use */
  RcScratch *scratch;
} SpefNet;

void spef_net_init(SpefNet *net, SpefNames *names);
void spef_net_free(SpefNet *net);
void spef_net_begin(SpefNet *net, SegId seg, const char *text, uint32_t length);
/* Returns the node of a name (with SPEF_PAD). Makes a new node for a new name. */
uint32_t spef_net_node(SpefNet *net, const char *text, uint32_t length);
/* Returns the node if the name is known or belongs to this net by its spelling; else NO_NODE. The
   reader of *CAP calls this, and takes NO_NODE as the far side of a coupling capacitor. It also
   gets NO_NODE for a pin of this net if the file has not used this spelling of the pin before.
   spef_net_node finds such a pin, because it looks it up in the netlist. */
uint32_t spef_net_own_node(SpefNet *net, const char *text, uint32_t length);
/* Returns the node of a name of *CONN, whose pin is already known (NO_PIN for an internal node).
   Makes a new node for a new name. */
uint32_t spef_net_conn(SpefNet *net, const char *text, uint32_t length, PinId pin);

typedef struct {
  uint32_t loops, islands;
  bool     lumped, no_driver;
} SpefNetResult;

/* Makes the tree and appends it with the numbers. has_caps says whether there were capacitors. */
SpefNetResult spef_net_end(SpefNet *net, Parasitics *parasitics, PieceNumbers numbers,
                           bool has_caps, uint32_t flags);

#endif
