/* Shared by the parts of the SDF reader: words (sdf_lex.c), values and port specifications
   (sdf_value.c), names and library arcs (sdf_names.c), delays (sdf_delay.c), timing checks
   (sdf_check.c), and the file around them (sdf.c). */
#ifndef SL_READ_SDF_SDF_PRIVATE_H
#define SL_READ_SDF_SDF_PRIVATE_H

#include "base/hash.h"
#include "base/input.h"
#include "read/sdf/sdf.h"

/* --- words (sdf_lex.c) ------------------------------------------------------------------------ */
typedef enum { SDF_END, SDF_OPEN, SDF_CLOSE, SDF_WORD, SDF_STRING } SdfToken;

/* The current token. Its text is valid until the next token. It is not terminated, but a number in
   it is followed by a character that cannot belong to a number. Escapes are as in the file; quotes
   are removed. */
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
/* Returns the first character of the next token; 0 at the end. */
char     sdf_peek(SdfLex *lex);
Where    sdf_where(const SdfLex *lex);
/* Is the token this word, ignoring case? */
bool     sdf_is(const SdfLex *lex, const char *keyword);
/* Reports "found X, expected ..." and returns FAILED. Reports nothing if the lexer has already
   failed. */
Status   sdf_unexpected(SdfLex *lex, const char *expected);
Status   sdf_expect(SdfLex *lex, SdfToken token, const char *expected);
/* Skips the rest of a list whose ( was read, including its ). */
Status   sdf_skip(SdfLex *lex);

/* --- values (sdf_value.c) --------------------------------------------------------------------- */
typedef struct {
  double  v[3];              /* min, typ, max, in the file's unit */
  uint8_t has;               /* a bit for each value that is given */
} SdfTriple;

enum { SDF_VALUES = 12 };    /* 01 10 0z z1 1z z0 0x x1 1x x0 xz zx */
enum { SDF_RETAINS = 3 };    /* 01, 10 and the transitions to z */

typedef struct {
  SdfTriple at[SDF_VALUES];
  uint32_t  count;
  SdfTriple retain[SDF_RETAINS];   /* how long the output keeps its value */
  uint32_t  retain_count;
  uint32_t  limits;                /* number of pulse limits that were ignored */
} SdfValues;

/* --- the reader ------------------------------------------------------------------------------- */
/* A construct without effect, which draws one warning per file: how many there were, and the line
   of the first. */
typedef struct {
  const char *construct;     /* constant text */
  uint32_t    count, line;
} SdfPassed;

/* A conditional value that was given to an arc without a condition (see SdfCondUse). */
typedef struct {
  AnnotationId record;
  uint32_t     index;
  float        value;
} SdfMerged;

typedef struct {
  NameId  name;              /* NO_NAME if no port has the name */
  uint8_t edges;             /* mask: bit RISE, bit FALL */
  Text    text;              /* as written, for messages */
  Text    condition;         /* the COND of a check; empty if none */
} SdfPort;

/* COND means the arcs that have its condition. If no arc has this condition, and -cond_use is
   given, COND means the arcs without a condition (put_conditional). CONDELSE means all arcs between
   the ports that no COND of the same CELL section has reached, with or without a condition in the
   library (is_meant). */
typedef enum { SDF_UNCONDITIONAL, SDF_COND, SDF_CONDELSE } SdfCondKind;

typedef struct {
  uint32_t first, count;     /* in matches */
} SdfMatch;

typedef struct {
  SdfLex      lex;
  Annotations *annotations;
  const Netlist *n;
  const LibrarySet *libs;
  const SdfOptions *options;
  Log        *log;
  SdfRead     count;
  char        divider;
  double      scale;         /* converts times to ps */
  bool        increment;
  /* the CELL section */
  NameId      cell_type;
  Text        type_text, path;
  InstId      inst;                      /* NO_INST if it is not in the design, or if `every` is
                                            set */
  bool        every;                     /* INSTANCE *: the instances in `targets` */
  ARRAY(InstId) targets;
  uint32_t    named, named_found;        /* number of CELL sections with an instance name */
  /* of this section; NULL or empty until there is one */
  Map        *conditional;               /* records that got values from COND lists */
  ARRAY(SdfMerged) merged;
  Map        *merged_at;                 /* hash_pair(record, index) -> place in merged */
  ARRAY(SdfPassed) passed;               /* of the file */
  SdfPassed   memberless;                /* values without a member that an analysis uses */
  /* entries */
  SdfPort     from, to;
  SdfValues   values;
  SdfCondKind cond_kind;
  Text        condition;
  /* names (sdf_names.c) */
  Text        plain;                     /* a name without escapes */
  Text        last_name;                 /* the name of the pin that was looked up last */
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
void   sdf_names_begin(SdfReader *reader);
void   sdf_names_end(SdfReader *reader);
/* Find instances, pins and nets below the scope by path, or return NO_INST, NO_PIN, NO_NET. */
InstId sdf_find_inst(SdfReader *reader, InstId scope, const char *text, uint32_t length);
PinId  sdf_find_pin(SdfReader *reader, InstId scope, const char *text, uint32_t length);
/* remembers the last one */
PinId  sdf_find_driver(SdfReader *reader, InstId scope, const char *text, uint32_t length);
NetId  sdf_find_net(SdfReader *reader, InstId scope, const char *text, uint32_t length);
/* Returns the id of a name without its escapes, or NO_NAME. */
NameId sdf_name(SdfReader *reader, const char *text, uint32_t length);
/* Returns the first arc between two ports of a cell. r->next[arc] is the next one; NO_LIB_ARC ends
   the chain. */
LibArcId sdf_first_arc(SdfReader *reader, CellId cell, PortId from, PortId to);
/* Returns the arcs in the chain of `first` that have the condition, as a range of
   reader->matches. */
SdfMatch sdf_matches(SdfReader *reader, LibArcId first, const char *condition);
/* Reads a port, or ( edge port ). The current token is already read; it is the port or the (. */
Status sdf_port(SdfReader *reader, SdfPort *port);

/* --- reading values (sdf_value.c) ------------------------------------------------------------- */
/* Reads a value after a ( up to its ). The value must lie within ANNOTATION_MOST. */
Status sdf_value(SdfReader *reader, SdfTriple *triple);
/* Reads one or more value lists, up to the ) of the list around them, into reader->values. */
Status sdf_values(SdfReader *reader);

/* --- putting values (sdf_value.c) ------------------------------------------------------------- */
/* Returns the triple's value for an analysis, in ps. Returns false if it has none. */
bool   sdf_pick(const SdfReader *reader, const SdfTriple *triple, int early_late, float *value);
/* Counts the values of an entry that have members, but none that an analysis uses. */
void   sdf_note_memberless(SdfReader *reader, const SdfTriple *triples, uint32_t count);
/* Stores a value in a record. With merge, several conditional values go to one place (see
   SdfCondUse); only the first of the section replaces the previous value or is added to it. */
void sdf_put(SdfReader *reader, AnnotationId id, uint32_t value_index, int early_late,
             const SdfTriple *triple, bool merge);
/* Notes that a COND of this section gave the record a value. sdf_was_conditional asks whether one
   did. */
void   sdf_add_conditional(SdfReader *reader, AnnotationId id);
bool   sdf_was_conditional(const SdfReader *reader, AnnotationId id);
/* Frees the maps of a section. */
void   sdf_forget_places(SdfReader *reader);
/* Does the instance lack this pin? With `tell`, gives a warning. */
bool   sdf_lacks_pin(SdfReader *reader, InstId inst, const SdfPort *port, bool tell);
/* Visits the instances of the section: for (i = 0; sdf_target(reader, i, &inst); i++). */
bool   sdf_target(const SdfReader *reader, uint32_t i, InstId *inst);

/* --- sections --------------------------------------------------------------------------------- */
Status sdf_delay(SdfReader *reader);  /* (DELAY was read */
Status sdf_checks(SdfReader *reader); /* (TIMINGCHECK was read */
/* Counts constructs without effect; one warning per file reports them. */
void   sdf_passed(SdfReader *reader, const char *construct, uint32_t count);
/* Skips a list and counts it. */
Status sdf_pass_over(SdfReader *reader, const char *construct);

#endif
