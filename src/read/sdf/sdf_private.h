/* The parts of the SDF reader: words (sdf_lex.c), values and port specifications (sdf_value.c),
   names and library arcs (sdf_names.c), delays (sdf_delay.c), timing checks (sdf_check.c), and the
   file around them (sdf.c). */
#ifndef SL_READ_SDF_SDF_PRIVATE_H
#define SL_READ_SDF_SDF_PRIVATE_H

#include "base/input.h"
#include "read/sdf/sdf.h"

/* --- words (sdf_lex.c) ------------------------------------------------------------------------ */
typedef enum { SDF_END, SDF_OPEN, SDF_CLOSE, SDF_WORD, SDF_STRING } SdfToken;

/* The current token; text is not terminated (a number in it ends at a character that is no part of
   a number) and valid until the next token.  Escapes are as in the file, quotes are left out. */
typedef struct {
  Input      *in;
  Log        *log;
  const char *text;
  uint32_t    length;
  uint32_t    line;          /* where the token begins */
  SdfToken    token;
  bool        failed;
} SdfLex;

SdfToken sdf_next(SdfLex *lex);
/* The first character of the next token; 0 at the end. */
char     sdf_peek(SdfLex *lex);
Where    sdf_where(const SdfLex *lex);
/* A word, whatever its case. */
bool     sdf_is(const SdfLex *lex, const char *keyword);
/* "found X, expected ...": FAILED; nothing where the lexer has failed already. */
Status   sdf_unexpected(SdfLex *lex, const char *expected);
Status   sdf_expect(SdfLex *lex, SdfToken token, const char *expected);
/* The rest of a list whose ( was read, with its ). */
Status   sdf_skip(SdfLex *lex);

/* --- values (sdf_value.c) --------------------------------------------------------------------- */
typedef struct {
  double  v[3];              /* min, typ, max, in the file's unit */
  uint8_t has;               /* a bit each */
} SdfTriple;

enum { SDF_VALUES = 12 };    /* 01 10 0z z1 1z z0 0x x1 1x x0 xz zx */
enum { SDF_RETAINS = 3 };    /* 01 10 and those to z */

typedef struct {
  SdfTriple at[SDF_VALUES];
  uint32_t  count;
  SdfTriple retain[SDF_RETAINS];   /* how long the output keeps its value */
  uint32_t  retain_count;
  uint32_t  limits;                /* pulse limits that were passed over */
} SdfValues;

/* --- the reader ------------------------------------------------------------------------------- */
/* What has no effect, told once for the file: how many, and the line of the first. */
typedef struct {
  const char *construct;     /* constant text */
  uint32_t    count, line;
} SdfPassed;

/* A conditional value that an arc without condition took, see SdfCondUse. */
typedef struct {
  AnnotationId record;
  uint32_t     index;
  float        value;
} SdfMerged;

typedef struct {
  NameId  name;              /* NO_NAME: no port has it */
  uint8_t edges;             /* mask: bit RISE, bit FALL */
  Text    text;              /* as written, for messages */
  Text    condition;         /* of a check's COND; empty: none */
} SdfPort;

typedef enum { SDF_UNCONDITIONAL, SDF_COND, SDF_CONDELSE } SdfCondKind;

typedef struct {
  uint32_t first, count;     /* in matches */
} SdfMatch;

typedef struct {
  SdfLex      lex;
  Annotations *a;
  const Netlist *n;
  const LibrarySet *libs;
  const SdfOptions *options;
  Log        *log;
  SdfRead     count;
  char        divider;
  double      scale;         /* of times to ps */
  bool        increment;
  /* the CELL section */
  NameId      cell_type;
  Text        type_text, path;
  InstId      inst;                      /* NO_INST: not in the design, or `every` */
  bool        every;                     /* INSTANCE *: the instances in `targets` */
  ARRAY(InstId) targets;
  uint32_t    named, named_found;        /* CELL sections with a name of their own */
  ARRAY(AnnotationId) conditional;       /* records that COND lists of this section have reached */
  ARRAY(SdfMerged) merged;               /* of this section */
  ARRAY(SdfPassed) passed;               /* of the file */
  SdfPassed   memberless;                /* values of which no analysis takes a member */
  /* entries */
  SdfPort     from, to;
  SdfValues   values;
  SdfCondKind cond_kind;
  Text        condition;
  /* names (sdf_names.c) */
  Text        plain;                     /* a name without escapes */
  Text        last_name;                 /* of the pin that was looked up last */
  PinId       last_pin;
  InstId      last_scope;
  Map        *chains;                    /* hash_pair(from port, to port) -> first arc between
                                            them */
  LibArcId   *next;                      /* by arc: the next one between the same ports */
  uint8_t    *chained;                   /* by cell */
  Names      *conditions;                /* texts of COND */
  Map        *match_of;                  /* hash_pair(first arc, condition) -> index in match */
  ARRAY(SdfMatch) match;
  ARRAY(LibArcId) matches;
} SdfReader;

/* --- names (sdf_names.c) ---------------------------------------------------------------------- */
void   sdf_names_begin(SdfReader *r);
void   sdf_names_end(SdfReader *r);
/* Instances, pins and nets of the scope by path; NO_INST, NO_PIN, NO_NET. */
InstId sdf_find_inst(SdfReader *r, InstId scope, const char *text, uint32_t length);
PinId  sdf_find_pin(SdfReader *r, InstId scope, const char *text, uint32_t length);
/* remembers the last one */
PinId  sdf_find_driver(SdfReader *r, InstId scope, const char *text, uint32_t length);
NetId  sdf_find_net(SdfReader *r, InstId scope, const char *text, uint32_t length);
/* The id of a name without its escapes; NO_NAME. */
NameId sdf_name(SdfReader *r, const char *text, uint32_t length);
/* First arc between two ports of a cell, then r->next[arc]; NO_LIB_ARC ends. */
LibArcId sdf_first_arc(SdfReader *r, CellId cell, PortId from, PortId to);
/* The arcs of the chain of `first` that have the condition: in r->matches. */
SdfMatch sdf_matches(SdfReader *r, LibArcId first, const char *condition);
/* A port, or ( edge port ) whose ( is the current token.  The current token is read already. */
Status sdf_port(SdfReader *r, SdfPort *port);

/* --- reading values (sdf_value.c) ------------------------------------------------------------- */
/* What is after a ( up to its ), within ANNOTATION_MOST. */
Status sdf_value(SdfReader *r, SdfTriple *t);
/* Value lists up to the ) of the list around them; at least one.  Into r->values. */
Status sdf_values(SdfReader *r);

/* --- putting values (sdf_value.c) ------------------------------------------------------------- */
/* The triple's value for an analysis, in ps; false where it has none. */
bool   sdf_pick(const SdfReader *r, const SdfTriple *t, int early_late, float *value);
/* Notes those of the entry's values that have members, but none that an analysis takes. */
void   sdf_note_memberless(SdfReader *r, const SdfTriple *triples, uint32_t count);
/* Puts it at a value of a record.  merge: several conditional values for one place, see SdfCondUse;
   only the first of the section replaces, or is added to, what was there. */
void sdf_put(SdfReader *r, AnnotationId id, uint32_t value_index, int early_late,
             const SdfTriple *t, bool merge);
bool   sdf_was_conditional(const SdfReader *r, AnnotationId id);
/* Has the instance no such pin?  A warning says so, if it is to be told. */
bool   sdf_lacks_pin(SdfReader *r, InstId inst, const SdfPort *port, bool tell);
/* The instances that the section is about: for (i = 0; sdf_target(r, i, &inst); i++). */
bool   sdf_target(const SdfReader *r, uint32_t i, InstId *inst);

/* --- sections --------------------------------------------------------------------------------- */
Status sdf_delay(SdfReader *r);          /* (DELAY was read */
Status sdf_checks(SdfReader *r);         /* (TIMINGCHECK was read */
/* Counts what has no effect; it is told once for the file. */
void   sdf_passed(SdfReader *r, const char *construct, uint32_t count);
/* Passes over a list, and counts it. */
Status sdf_pass_over(SdfReader *r, const char *construct);

#endif
