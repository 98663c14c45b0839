/* Composes SDC commands (sdc_text.c). Each kind of record has a function, in a table of a section
   of the file. The sections are SDC_SECTIONS below.

   A command begins with sdcw_begin, its options follow, and it ends with its object. Commands that
   differ only in the object are merged to one command with a list. They are collected until
   sdcw_flush and keep the order of their first members. So commands between two flushes must not
   depend on their order. */
#ifndef SL_WRITE_SDC_PRIVATE_H
#define SL_WRITE_SDC_PRIVATE_H

#include "write/sdc_file.h"

typedef struct {
  char       *head;
  ObjectArray objects;
  bool        alone;               /* the command was also given without objects, for the design;
                                      that one is written first */
} SdcGroup;

typedef struct SdcWriter {
  const Constraints *c;
  const Netlist     *n;
  const LibrarySet  *libs;
  const SdcOptions  *options;
  int   digits;                    /* those of o, or of the current command */
  Text  out;
  Text  head;                      /* the command being composed */
  ARRAY(SdcGroup) groups;
  Map  *group_of;                  /* hash of head -> index in groups; collisions use the next
                                      keys */
} SdcWriter;

#define SDC_NO_UNIT UNIT_COUNT     /* a plain number */
#define SDC_GIVEN_UNIT (UNIT_COUNT + 1) /* a number without conversion: areas, volts, degrees */

/* Returns the number of digits after the point: at least `wanted`, and enough to show one digit of
   a value other than 0. */
int  sdcw_showing_digits(double value, int wanted);
void sdcw_begin(SdcWriter *writer, const char *command);
void sdcw_flag(SdcWriter *writer, const char *flag, bool on);
/* These four write an option with its value. If option is NULL, the value stands alone. */
void sdcw_number(SdcWriter *writer, const char *option, UnitKind unit, float value);
void sdcw_double(SdcWriter *writer, const char *option, UnitKind unit, double value);
void sdcw_int(SdcWriter *writer, const char *option, int value);
void sdcw_doubles(SdcWriter *writer, const char *option, UnitKind unit, const double *at,
                  uint32_t count);
/* Has no effect for NO_NAME. */
void sdcw_name(SdcWriter *writer, const char *option, NameId name);
/* Has no effect for NO_CLOCK. */
void sdcw_clock(SdcWriter *writer, const char *option, ClockId clock);
void sdcw_object(SdcWriter *writer, const char *option, Object o);
void sdcw_objects(SdcWriter *writer, const char *option, const Object *objects, uint32_t count);

/* These end a command. */
void sdcw_to(SdcWriter *writer, Object o);            /* applies to this object */
void sdcw_to_pin(SdcWriter *writer, PinId pin);
void sdcw_end(SdcWriter *writer);                     /* applies to no object */
void sdcw_flush(SdcWriter *writer);

Object sdcw_pin_object(const SdcWriter *writer, PinId pin);
bool   sdcw_is_alive(const SdcWriter *writer, Object o);

/* The smallest set of commands for values by condition: a value and the conditions that have it.
   NAN values are left out. */
typedef struct {
  uint32_t mask;
  float    value;
} SdcPart;
int  sdcw_parts(const float at[CONDITION_COUNT], SdcPart parts[CONDITION_COUNT]);
int  sdcw_parts_early_late(const float at[2], SdcPart parts[CONDITION_COUNT]);
int  sdcw_parts_edges(const float at[2], SdcPart parts[CONDITION_COUNT]);
/* Writes the options -min, -max, -rise and -fall for a mask; `early` and `late` are the names for
   -min and -max. */
void sdcw_conditions(SdcWriter *writer, uint32_t mask, const char *early, const char *late);

/* Writes a command for each part: "COMMAND [flag] [-min] [-rise] VALUE object". */
void sdcw_values(SdcWriter *writer, const char *command, const char *flag, UnitKind unit,
                 const float at[CONDITION_COUNT], Object o);

/* Writes all records of a kind. */
typedef void (*SdcKind)(SdcWriter *writer);

/* The sections in the order of the file. Sections that name clocks come after the clocks.

   A section is a table sdc_section_NAME in an sdc_*.c: its kinds in their order, and NULL. A new
   kind of record is a function and its name in the table of the same file. */
#define SDC_SECTIONS(SECTION)                         \
  SECTION(NULL, units)                                \
  SECTION("Operating conditions", conditions)         \
  SECTION("Wire loads", wire_loads)                   \
  SECTION("Clocks", clocks)                           \
  SECTION("Constants and disabled arcs", constants)   \
  SECTION("Delays at ports", delays)                  \
  SECTION("Drives and loads", loads)                  \
  SECTION("Ideal networks", ideal)                    \
  SECTION("Exceptions", exceptions)                   \
  SECTION("Checks and limits", checks)                \
  SECTION("Derates", derates)                         \
  SECTION("Without effect on timing", kept)

#define SDC_SECTION_TABLE(title, name) extern const SdcKind sdc_section_##name[];
SDC_SECTIONS(SDC_SECTION_TABLE)

#endif
