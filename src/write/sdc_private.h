/* Putting SDC commands together: sdc_text.c.  A kind of record is a function in the table of
   sdc_file.c.

   A command is begun, its options follow, and it ends with the object that it is for.  Commands
   that differ in the object alone become one command with a list: they are collected until
   sdcw_flush, in the order in which the first of each came.  So the commands that a function puts
   between two flushes must not depend on their order. */
#ifndef SL_WRITE_SDC_PRIVATE_H
#define SL_WRITE_SDC_PRIVATE_H

#include "write/sdc_file.h"

typedef struct {
  char       *head;
  ObjectArray objects;
  bool        alone;               /* also, and first, without objects: for the whole design */
} SdcGroup;

typedef struct SdcWriter {
  const Constraints *c;
  const Netlist     *n;
  const LibrarySet  *libs;
  const SdcOptions  *o;
  int   digits;                    /* of o, or what the command at hand takes */
  Text  out;
  Text  head;                      /* the command being put together */
  ARRAY(SdcGroup) groups;
  Map  *group_of;                  /* hash of head -> index in groups; further ones of the hash by
                                      key + 1 ... */
} SdcWriter;

#define SDC_NO_UNIT UNIT_COUNT     /* a plain number */
#define SDC_GIVEN_UNIT (UNIT_COUNT + 1) /* a quantity kept as it is given: areas, volts, degrees */

/* Digits after the point, at least as many as wanted: a value that is not 0 shows at least one
   digit of it. */
int  sdcw_showing_digits(double value, int wanted);
void sdcw_begin(SdcWriter *w, const char *command);
void sdcw_flag(SdcWriter *w, const char *flag, bool on);
/* option NULL: the value alone */
void sdcw_number(SdcWriter *w, const char *option, UnitKind unit, float value);
void sdcw_double(SdcWriter *w, const char *option, UnitKind unit, double value);
void sdcw_int(SdcWriter *w, const char *option, int value);
void sdcw_doubles(SdcWriter *w, const char *option, UnitKind unit, const double *at,
                  uint32_t count);
/* nothing for NO_NAME */
void sdcw_name(SdcWriter *w, const char *option, NameId name);
/* nothing for NO_CLOCK */
void sdcw_clock(SdcWriter *w, const char *option, ClockId clock);
void sdcw_object(SdcWriter *w, const char *option, Object o);
void sdcw_objects(SdcWriter *w, const char *option, const Object *objects, uint32_t count);

/* Ends of commands. */
void sdcw_to(SdcWriter *w, Object o);            /* for this object */
void sdcw_to_pin(SdcWriter *w, PinId pin);
void sdcw_end(SdcWriter *w);                     /* for none */
void sdcw_flush(SdcWriter *w);

Object sdcw_pin_object(const SdcWriter *w, PinId pin);
bool   sdcw_is_alive(const SdcWriter *w, Object o);

/* The least commands for values by condition: which conditions have which value.  NAN is none. */
typedef struct {
  uint32_t mask;
  float    value;
} SdcPart;
int  sdcw_parts(const float at[CONDITION_COUNT], SdcPart parts[CONDITION_COUNT]);
int  sdcw_parts_early_late(const float at[2], SdcPart parts[CONDITION_COUNT]);
int  sdcw_parts_edges(const float at[2], SdcPart parts[CONDITION_COUNT]);
/* What -min, -max, -rise and -fall a mask takes; `early` and `late` are the words for them. */
void sdcw_conditions(SdcWriter *w, uint32_t mask, const char *early, const char *late);

/* A command for each part: "COMMAND [flag] [-min] [-rise] VALUE object". */
void sdcw_values(SdcWriter *w, const char *command, const char *flag, UnitKind unit,
                 const float at[CONDITION_COUNT], Object o);

/* --- sdc_clocks.c --- */
void sdcw_write_clocks(SdcWriter *w);
void sdcw_write_clock_values(SdcWriter *w);
void sdcw_write_uncertainties(SdcWriter *w);
void sdcw_write_propagated(SdcWriter *w);
void sdcw_write_propagated_pins(SdcWriter *w);
void sdcw_write_senses(SdcWriter *w);
void sdcw_write_clock_groups(SdcWriter *w);

/* --- sdc_ports.c --- */
void sdcw_write_input_delays(SdcWriter *w);
void sdcw_write_output_delays(SdcWriter *w);
void sdcw_write_drives(SdcWriter *w);
void sdcw_write_loads(SdcWriter *w);
void sdcw_write_conditions(SdcWriter *w);
void sdcw_write_wire_loads(SdcWriter *w);

/* --- sdc_checks.c --- */
void sdcw_write_cases(SdcWriter *w);
void sdcw_write_disabled(SdcWriter *w);
void sdcw_write_exceptions(SdcWriter *w);
void sdcw_write_gating(SdcWriter *w);
void sdcw_write_data_checks(SdcWriter *w);
void sdcw_write_limits(SdcWriter *w);
void sdcw_write_derates(SdcWriter *w);
void sdcw_write_ideal(SdcWriter *w);
void sdcw_write_kept(SdcWriter *w);

#endif
