/* The state of the Liberty reader, shared by its files:

     liberty_lex.c     characters to words, values, argument and number lists
     liberty.c         groups and attributes: look-up of handlers, the library level
     liberty_cell.c    cells and pins: attributes are collected as they come
     liberty_mode.c    modes of a cell: the conditions of its arcs
     liberty_names.c   the end of a library: what its names mean
     liberty_ocv.c     derates by depth and distance of paths
     liberty_table.c   templates and tables
     liberty_finish.c  the end of a cell: names are resolved, arcs made. add_related_arcs takes the
                       words of related_pin and related_bus_pins one by one. find_related finds the
                       ports that a word names. pair_pins makes arcs from these ports to those of
                       the pin or bus that has the timing group. With related_pin, the ports are
                       paired bit by bit if both sides are buses, or if both have equally many
                       ports. In all other cases each port is paired with each port of the other
                       side. A group of a pulse width or a period makes an arc from each pin of the
                       group to itself, whatever related_pin says. The table timing_types gives the
                       type of an arc. Its first row (combinational) is also for a group without
                       timing_type. Rows with NO_ARC make no arc and are counted. type_latch_arc
                       changes the type of some arcs to an output that shows the state of a latch: a
                       clock arc from the enable gets ARC_LATCH_ENABLE, a combinational arc from the
                       data gets ARC_LATCH_DATA. Clock gates keep their types. derived_sense finds
                       the sense of an arc whose group has no timing_sense, or an unknown one. For
                       combinational arcs it asks the function of the output. For preset, clear and
                       the data of a latch it also asks the functions of the ff or latch group. All
                       other arcs are non-unate. It does not look at `when`
     liberty_unused.c  what is not used and not harmless

   Each attribute is a row of a constant table: the group that it may stand in, its name and form,
   and its handler. Texts that name pins (functions, related pins, conditions) wait for the end of
   the cell, because they may come before the pins. Tables are added to the set at once. */
#ifndef SL_READ_LIBERTY_LIBERTY_READER_H
#define SL_READ_LIBERTY_LIBERTY_READER_H

#include "base/input.h"
#include "base/text.h"
#include "read/liberty/liberty.h"

typedef enum {
  IN_FILE,
  IN_LIBRARY,
  IN_TEMPLATE,
  IN_TYPE,
  IN_CONDITIONS,
  IN_WIRE_LOAD,
  IN_SELECTION,
  IN_CELL,
  IN_PIN,
  IN_PG_PIN,
  IN_SEQUENTIAL,
  IN_LEAKAGE,
  IN_POWER,
  IN_TIMING,
  IN_TABLE,
  IN_OWN_CHECK,
  IN_MODE,
  IN_MODE_VALUE,
  IN_FACTORS,
  IN_DERATES
} GroupKind;

/* NAME : value;   NAME (a, b);   NAME ("1, 2", "3");   NAME (a) { ... } */
typedef enum { FORM_VALUE, FORM_ARGS, FORM_NUMBERS, FORM_GROUP } Form;

typedef struct Reader Reader;
typedef struct AttributeRow AttributeRow;

/* How an attribute or a group of one kind of group is read. */
struct AttributeRow {
  const char *name;
  uint8_t  kind;               /* the GroupKind that it stands in */
  uint8_t  form;
  uint8_t  unit;               /* UnitKind of a number; UNIT_COUNT if it has none */
  uint8_t  code;               /* meaning depends on run */
  uint16_t offset;             /* offset of the value in the group's struct */
  uint32_t flag;
  Status (*run)(Reader *reader, const AttributeRow *row);
};

typedef struct { uint32_t offset, count; } Range;       /* in Reader.targets */
typedef ARRAY(double) Numbers;

/* --- templates -------------------------------------------------------------------------------- */
typedef enum { AXIS_NONE, AXIS_FIRST, AXIS_SECOND, AXIS_UNKNOWN } AxisRole;

typedef struct {
  NameId   name;
  uint8_t  variable_count;
  uint8_t  role[3], unit[3];               /* AxisRole, UnitKind */
  uint8_t  fits[3];                        /* bits by TableValue: the tables that may have the
                                              variable */
  uint8_t  warned;                         /* bits by TableValue: a warning on unsuitable variables
                                              was given */
  uint32_t first[3], count[3];             /* in Reader.template_axes: in the file's units */
} Template;

enum { TEMPLATE_DELAY, TEMPLATE_POWER, TEMPLATE_OCV };

/* The use of a table: a delay or transition (a time by slew and load), the margin of a check (a
   time by two slews), a power (an energy), a derate (a number without a unit, by distance and
   depth).  The use decides the unit of the values (value_scale in liberty_table.c) and which
   variables the template may have (`variables` in the same file).  A table of numbers without a
   unit, by slew and load or by two slews, needs a new value here. The new value needs a case of
   value_scale, a bit of OF_OUTPUTS (of OF_CHECKS if the table is by two slews), and a macro like
   TIMING_TABLE (liberty_cell.c).  TIMING_TABLE itself always gives VALUE_TIME. */
typedef enum { VALUE_TIME, VALUE_CHECK, VALUE_POWER, VALUE_DERATE } TableValue;

/* --- pins ------------------------------------------------------------------------------------- */
enum {
  PIN_CAP,
  PIN_CAP_RISE,
  PIN_CAP_FALL,
  PIN_RISE_MIN,
  PIN_RISE_MAX,
  PIN_FALL_MIN,
  PIN_FALL_MAX,
  PIN_MAX_CAP,
  PIN_MIN_CAP,
  PIN_MAX_SLEW,
  PIN_MIN_SLEW,
  PIN_MAX_FANOUT,
  PIN_MIN_FANOUT,
  PIN_FANOUT_LOAD,
  PIN_PULSE_HIGH,
  PIN_PULSE_LOW,
  PIN_PERIOD,
  PIN_NUMBERS
};
enum { PIN_FUNCTION, PIN_THREE_STATE, PIN_STATE_FUNCTION, PIN_TEXTS };

/* The contents of a pin, bus or bundle group. A member of a bus inherits from the bus what its own
   group does not give. */
typedef struct {
  float    number[PIN_NUMBERS];            /* NAN: not given */
  uint32_t text[PIN_TEXTS];                /* in Reader.texts; 0: not given */
  uint8_t  direction;                      /* DIR_UNKNOWN: not given */
  uint8_t  clock;                          /* 0: not given, 1: false, 2: true */
  bool     listed;                         /* the pin has a group of its own */
  bool     said;                           /* a warning on an unknown direction was given */
  int32_t  place;                          /* index in its bus, bundle or bank; -1 if none */
} PinFacts;

/* A name that stands for several ports: a bus, a bundle, the state of a bank. */
typedef struct {
  NameId name;
  Range  ports;
} Vector;

/* --- waiting for the end of the cell ---------------------------------------------------------- */
typedef struct {
  uint32_t group;                          /* index in pin_groups */
  uint32_t line, column;
  uint32_t related, related_bus, when, sdf_cond, type_text, sense_text;    /* in texts */
  uint32_t first_mode, mode_count;         /* in mode_uses */
  TableId  delay[2], slew[2], check[2], sigma_delay[4], sigma_slew[4], retain[2], retain_slew[2];
  TableId  sigma_retain[2];                /* sigma of the retaining tables, which give early
                                              times */
} PendingTiming;

/* mode_value (value) { when, sdf_cond } of mode_definition (mode). */
typedef struct {
  NameId   mode, value;
  uint32_t when, sdf_cond;                 /* in texts */
} ModeValue;

/* mode (name, "value ...") of a timing group. */
typedef struct {
  NameId   mode;
  uint32_t values;                         /* in texts */
} ModeUse;

typedef struct {
  uint32_t group;                          /* index in pin_groups; NO_GROUP: the cell's */
  uint32_t line, column;
  uint32_t related, when;
  TableId  power[2];
} PendingPower;
#define NO_GROUP UINT32_MAX

typedef struct {
  bool     is_latch;
  uint32_t width;                          /* width of a bank; 0 for a single element */
  NameId   state[2];
  uint32_t line, column;
  uint32_t clock, data, clear, preset;     /* in texts */
} PendingSequential;

typedef struct {
  float    number;                         /* NAN: not given */
  uint32_t when;
  uint32_t line, column;
} PendingLeakage;

typedef struct {
  NameId   name;
  int32_t  from, to, width;
  bool     has_from, has_to, downto;
} BusType;

/* An attribute of an open group, and the hash of its value. */
typedef struct {
  const AttributeRow *row;
  uint32_t   value;
} Given;

/* Thresholds that are checked together. */
typedef enum { THRESHOLD_SLEW, THRESHOLD_DELAY, THRESHOLD_DERATE } ThresholdKind;

/* A reference by name. It is looked up at the end of the library, because the named group may come
   later. */
typedef enum {
  NAMES_FACTORS, NAMES_DERATES,            /* of a cell */
  NAMES_SCALED,                            /* of scaled_cells: its cell and its condition */
  NAMES_SELECTED,                          /* of selections: its wire load */
  NAMES_CONDITIONS, NAMES_WIRE_LOAD, NAMES_WIRE_LOAD_MODE, NAMES_DEFAULT_DERATES
} NameKind;

typedef struct {
  uint8_t  kind;                           /* NameKind */
  NameId   name;
  uint32_t of;                             /* depends on kind: a CellId or an index, or unused */
  Where    at;
} NameUse;

struct Reader {
  Input *in;
  Log   *log;
  LibrarySet *set;
  const LibertyOptions *options;

  /* rows by group and name: open addressing, index + 1 */
  uint16_t row_slots[1024];
  Map     *unused_by_name;                 /* hash_pair(kind, hash of the name) -> index in
                                              unused */
  LibertyTally unused;

  /* the statement being read */
  Where    at;                             /* where it begins */
  Where    value_at;
  Where    open_comment;                   /* line 0 if none is open */
  void    *target;                         /* struct of the group it stands in */
  Text     value;                          /* of a simple attribute */
  Text     arg_text;
  ARRAY(uint32_t) args;                    /* offsets in arg_text */
  ARRAY(Given) given;                      /* attributes of all open groups, outermost first */
  uint32_t first_given;                    /* where those of the innermost group begin */
  Numbers  numbers;

  /* the library */
  LibraryId library_id;
  LibArcId first_arc;                      /* of the library */
  Library  library;                        /* numbers in the file's units until its end */
  bool     has_unit[UNIT_COUNT];
  double   scale[UNIT_COUNT + 1];          /* [UNIT_COUNT] is 1 */
  float    default_leakage;
  Where    threshold_at[3];                /* by ThresholdKind: the last attribute of the kind */
  uint32_t first_set;                      /* of the library, in factor_sets */
  bool     arc_depth_warned;
  ARRAY(NameUse) name_uses;
  Map     *named_groups;                   /* kind and name of a group -> the last cell with it */
  Where    factor_at[SCALE_BY_COUNT];      /* the first factor that is not 0; line 0 if none */
  ARRAY(Template) templates;
  Map     *template_by_name;               /* hash_pair(TEMPLATE_*, name) -> index */
  Numbers  template_axes;
  ARRAY(BusType) types;
  Text bus_middle,
      bus_tail; /* of bus_naming_style "%s<%d>": "<" and ">"; both empty: "[" and "]" */

  /* the cell */
  CellId   cell_id;
  LibCell  cell;
  Where    cell_at;
  ARRAY(PinFacts) facts;                   /* beside the cell's ports */
  ARRAY(Range) pin_groups;                 /* the ports of each pin group */
  ARRAY(PortId) targets;
  ARRAY(Vector) vectors;
  ARRAY(PendingTiming) timings;
  ARRAY(ModeValue) modes;
  ARRAY(ModeUse) mode_uses;
  ARRAY(PendingPower) powers;
  ARRAY(PendingSequential) sequentials;
  ARRAY(PendingLeakage) leakages;
  ARRAY(NameId) nodes;                     /* of statetables */
  ARRAY(LibArc) retaining;                 /* arcs with retaining tables, for early times;
                                              `retained` has the arcs that they belong to */
  ARRAY(LibArcId) retained;
  ARRAY(PortId) related;
  Text     texts;                          /* texts of the cell; [0] is NUL; line and column precede
                                              each text */

  /* the open pin group */
  uint32_t pin_group, pin_depth;
  PinFacts *pin;
  NameId   pin_name;

  /* the table */
  const Template *table_template;
  Numbers  axis[3], values;
  Where    axis_at[3], values_at;
  uint8_t  sigma;                          /* bit EARLY, bit LATE */
  uint8_t  edges, analyses, paths;         /* for a derate: bits by edge, by EARLY and LATE, by data
                                              and clock */
  ARRAY(float) floats;
};

/* --- liberty_lex.c ---------------------------------------------------------------------------- */
int lex_skip(Reader *reader);                         /* skips blanks and comments; returns the next
                                                    character, 0 at the end */
size_t lex_word(Reader *reader, char **start);        /* valid until the next refill */
Status lex_value(Reader *reader);                     /* after ':': into value */
Status lex_args(Reader *reader);                      /* after '(': into args; over ')' */
Status lex_numbers(Reader *reader);                   /* after '(': into numbers; over ')' */
Status lex_skip_parens(Reader *reader);               /* after '(' */
Status lex_skip_group(Reader *reader); /* after '{': skips to after the matching '}' */
Status lex_ends(Reader *reader,
                const char *inside); /* reports a file that ends here, or is not text
                                                    here */

Status lex_unexpected(Reader *reader, const char *expected);     /* reports the character at cur */

static inline const char *arg(const Reader *reader, uint32_t i)
{
  return reader->arg_text.at + reader->args.at[i];
}

/* --- liberty.c -------------------------------------------------------------------------------- */
/* After '{': reads statements up to the matching '}' into the struct target. */
Status read_group(Reader *reader, GroupKind kind, void *target);

/* Handlers that many rows share. They store the value at target + row->offset. */
Status value_number(Reader *reader, double *number);   /* the value; finite in float */
Status set_number(Reader *reader, const AttributeRow *row);     /* float, scaled by row->unit */
Status set_name(Reader *reader, const AttributeRow *row);       /* NameId */
Status set_used_name(Reader *reader, const AttributeRow *row);  /* the same, with a later look-up;
                                                              row->code is the NameKind */
Status set_text(Reader *reader, const AttributeRow *row);       /* offset in texts */
Status set_flag(Reader *reader, const AttributeRow *row);   /* sets row->flag in a uint32_t when the
                                                              value is true */
Status count_only(Reader *reader, const AttributeRow *row); /* for attributes that are known,
                                                              harmless and not used */
bool   value_is_true(Reader *reader);
/* Is the group the first one of its name in the library, or in the cell if it stands in one? If
   not, or if it has no name, gives a warning that the group has no effect. */
bool   first_of_name(Reader *reader, GroupKind parent, const char *what, NameId name);
NameId first_arg_name(Reader *reader);
uint32_t keep_text(Reader *reader, const char *text);
NameId plain_name(Reader *reader, const char *text, size_t length);     /* without escapes */
static inline const char *text_at(const Reader *reader, uint32_t offset)
{
  return reader->texts.at + offset;
}
Where text_where(const Reader *reader, uint32_t offset);

typedef struct {
  const AttributeRow *rows;
  uint32_t   count;
} RowTable;

extern const RowTable cell_rows, table_rows, mode_rows, ocv_rows;

/* Counts a statement without effect. The first one in a file may draw a warning
   (liberty_unused.c). */
void count_unused(Reader *reader, GroupKind kind, const char *name);

/* --- liberty_unused.c ------------------------------------------------------------------------- */
/* Gives a warning if other timers use the construct. */
void tell_unused(Reader *reader, GroupKind kind, const char *name, const char *construct);

/* --- liberty_cell.c --------------------------------------------------------------------------- */
Status read_cell(Reader *reader, const AttributeRow *row);
Status read_type(Reader *reader, const AttributeRow *row);
/* Splits "A[7:4]" into the length of "A" and the bounds. Returns false for other names. */
bool   bus_range(const char *name, size_t length, size_t *base, int32_t *from, int32_t *to);
/* Converts "A<7>" or "A<7:4>" in the library's bus_naming_style to "A[7]" or "A[7:4]". The database
   always has brackets. Returns NO_NAME if the name is not in that style, or if the cell has no such
   bus. */
NameId styled_name(Reader *reader, const char *name, size_t length);
/* Returns the name of a pin, of bits or of a bus, converted from the library's style if it has that
   style. */
NameId pin_name(Reader *reader, const char *text, size_t length);
NameId bit_name(Reader *reader, const char *base, size_t length, int32_t bit);      /* "A[7]" */

/* --- liberty_mode.c --------------------------------------------------------------------------- */
/* Adds the conditions of a timing group's modes to its `when` and sdf_cond. */
void   apply_modes(Reader *reader, PendingTiming *timing);

/* --- liberty_names.c -------------------------------------------------------------------------- */
/* Remembers a name that is looked up at the end of the library. */
void   use_name(Reader *reader, NameKind kind, NameId name, uint32_t of, Where at);
/* At the end of the library: looks the names up, and warns of those that do not exist. */
void   resolve_names(Reader *reader);

/* --- liberty_table.c -------------------------------------------------------------------------- */
Status read_template(Reader *reader, const AttributeRow *row);
/* Reads the table of the group whose arguments were just read. *table is NO_TABLE if it cannot be
   used; a warning says so. */
Status read_table(Reader *reader, TableValue value, TableId *table);

/* --- liberty_finish.c ------------------------------------------------------------------------- */
Status finish_cell(Reader *reader);
PortId add_port(Reader *reader, NameId name);
PortId find_port(const Reader *reader, NameId name);
const Vector *find_vector(const Reader *reader, NameId name);

#endif
