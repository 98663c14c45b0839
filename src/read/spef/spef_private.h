/* The parts of the SPEF reader: words, names, one net's network, sections. */
#ifndef SL_READ_SPEF_SPEF_PRIVATE_H
#define SL_READ_SPEF_SPEF_PRIVATE_H

#include "base/arena.h"
#include "base/input.h"
#include "read/spef/spef.h"

/* --- words (spef_lex.c) ----------------------------------------------------------------------- */

typedef enum {
  WORD_END,          /* of the file; or reading failed, see SpefLex.failed */
  WORD_NAME,         /* a name or a number */
  WORD_INDEX,        /* *12, *12:A */
  WORD_KEYWORD,      /* *D_NET: a star and a letter */
  WORD_STRING        /* text without the quotes */
} SpefWord;

/* Names are hashed and compared sixteen bytes at a time: behind a word that is shorter, bytes up to
   there can be read. */
enum { SPEF_PAD = 16 };

/* The current word; text is not terminated and valid until the next word.  A number in it ends at a
   character that is no part of a number. */
typedef struct {
  Input      *in;
  Log        *log;
  const char *text;
  uint32_t    length;
  uint32_t    line;       /* where the word begins; strings may run over lines */
  SpefWord    word;
  bool        failed;
  bool        spread;     /* there was a triple of different numbers */
  char        tail[2 * SPEF_PAD];    /* a word at the window's very end */
} SpefLex;

SpefWord spef_next(SpefLex *lex);
Where    spef_where(const SpefLex *lex);
/* A number or a triple of numbers that fills the word. */
bool     spef_value(SpefLex *lex, int triple, double *value);
static inline bool spef_is(const SpefLex *lex, const char *text)
{
  size_t length = strlen(text);
  return lex->length == length && memcmp(lex->text, text, length) == 0;
}
/* For "%.*s": long words are cut. */
int      spef_shown(uint32_t length);

/* --- names (spef_names.c) --------------------------------------------------------------------- */

#define NOT_LOOKED_UP (UINT32_MAX - 1)

typedef struct {
  const char *text;       /* as in the file; NULL: no such index */
  uint32_t    length;
  InstId      inst;       /* looked up once; NOT_LOOKED_UP, NO_INST */
  SegId       seg;
} MapEntry;

enum { PAGE_BITS = 12, PORT_CACHE = 1 << 10, PORT_TEXT = 16 };

/* Port texts that were resolved for a master (leaf cells and modules): where the port's pin stands
   in an instance. */
typedef struct {
  char     text[PORT_TEXT];
  uint32_t length;        /* 0: free */
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
  Text     path;          /* scratch: a name as the netlist has it */
  Text     expanded;      /* scratch: a name with its index replaced */
  Text     split;         /* scratch: the instance's part of a pin's name */
  PortCache *ports;
  SegId    next_seg;      /* behind the one looked up last */
} SpefNames;

/* A pin of *CONN.  Those of a net are looked up together, step by step: each step of a look-up
   waits for memory, and so those of many wait at the same time. */
typedef struct {
  uint32_t text, length;  /* in the net's conn_texts */
  Where    where;
  char     kind;          /* P, I, N */
  char     direction;     /* I, O, B */
  uint32_t split;         /* where the port's part begins, less the delimiter */
  NameId   name;          /* of the instance in the scope; NO_NAME: to be looked up the general
                             way */
  InstId   inst;          /* NO_INST: not known yet */
  PinId    pin;
  float    load;          /* of *L, fF; NAN: none */
} SpefConn;

void spef_names_init(SpefNames *names, const Netlist *n, InstId scope);
void spef_names_free(SpefNames *names);
/* False: there was another name for this index (the new one counts). */
bool spef_map_set(SpefNames *names, uint32_t index, const char *text, uint32_t length);
MapEntry *spef_map_get(const SpefNames *names, uint32_t index);      /* NULL: none */
/* Reads "*123" at the word's start; *end is one past it. */
bool spef_index(const char *text, uint32_t length, uint32_t *index, uint32_t *end);
/* Makes SPEF_PAD bytes behind the text readable. */
void spef_pad(Text *t);
/* The last delimiter that is not escaped; length when there is none. */
uint32_t spef_split(const SpefNames *names, const char *text, uint32_t length);
/* The name as the netlist has it, valid until the next call. */
const char *spef_plain_name(SpefNames *names, const char *text, uint32_t length,
                            uint32_t *plain_length);
SegId  spef_find_seg(SpefNames *names, const char *text, uint32_t length);
PinId  spef_find_port(SpefNames *names, const char *text, uint32_t length);
/* A pin as *CONN, *CAP and *RES name it: instance, delimiter, port; or a port of the scope. */
PinId  spef_find_pin(SpefNames *names, const char *text, uint32_t length);
/* Is the pin on the net, from outside or, for a hierarchical one, from within? */
bool   spef_pin_on_net(const Netlist *n, PinId pin, NetId net);
/* The pins of all but those of kind N. */
void   spef_find_pins(SpefNames *names, SpefConn *conns, uint32_t count, const char *texts);

/* --- one net (spef_net.c) --------------------------------------------------------------------- */

/* A name of up to sixteen bytes as it is, zeros behind it; of a longer one two hashes. */
typedef struct { uint64_t low, high; } NodeKey;

/* The hash table of a net's nodes.  The pin itself is a key as well: length 0. */
typedef struct {
  NodeKey  key;
  uint32_t stamp;         /* of the net that filled the slot */
  uint32_t node;
  uint32_t text, length;  /* of longer names in texts, to be compared */
} NodeSlot;

typedef struct {
  SpefNames *names;
  const Netlist *n;
  SegId     seg;
  NetId     net;
  bool      indexed;      /* the file gives the net's name as an index */
  Text      spelled;      /* the net's name as in the file */
  Text      plain;        /* and as in the netlist */
  NodeSlot *slots;
  uint32_t  mask, capacity, stamp, used;
  Text      texts, respelled;
  ARRAY(double) caps;
  ARRAY(PinId)  pins;     /* by node; NO_PIN for internal ones */
  ARRAY(RcEdge) edges;
  ARRAY(RcNode) nodes;    /* scratch of the tree */
  ARRAY(RcTap)  taps;
  ARRAY(SpefConn) conns;
  Text      conn_texts;
  uint32_t hint;          /* a node that *CONN calls the driver's */
  SegId   *joined;        /* netlist_joined_segs; NULL: not asked for yet */
  RcScratch *scratch;
} SpefNet;

void spef_net_init(SpefNet *net, SpefNames *names);
void spef_net_free(SpefNet *net);
void spef_net_begin(SpefNet *net, SegId seg, const char *text, uint32_t length);
/* The node of a name (with SPEF_PAD); a new one when it was not seen in this net before. */
uint32_t spef_net_node(SpefNet *net, const char *text, uint32_t length);
/* The node when the name was seen before or is one of this net by its spelling; else NO_NODE. */
uint32_t spef_net_own_node(SpefNet *net, const char *text, uint32_t length);
/* The same for *CONN, where a pin was looked up already (NO_PIN: an internal node). */
uint32_t spef_net_conn(SpefNet *net, const char *text, uint32_t length, PinId pin);

typedef struct {
  uint32_t loops, islands;
  bool     lumped, no_driver;
} SpefNetResult;

/* Makes the tree and appends it.  total_cap in fF; has_caps: there were any capacitors. */
SpefNetResult spef_net_end(SpefNet *net, Parasitics *p, float total_cap, bool has_caps,
                           uint32_t flags);

#endif
