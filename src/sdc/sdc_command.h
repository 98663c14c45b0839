/* What the constraint commands (cmd_sdc_*.c) share: masks from flags, one clock from an option,
   checked numbers, rows of options that many commands have. */
#ifndef SL_SDC_SDC_COMMAND_H
#define SL_SDC_SDC_COMMAND_H

#include "tclbind/command.h"

typedef struct {
  Session     *s;
  Args        *a;
  Constraints *c;
  const char  *command;
  Where        where;
  CommandId    id;             /* sdc_command_id */
} Sdc;

Sdc sdc_begin(Session *s, Args *a, const char *command);

/* Masks; none of the flags means all. */
uint32_t sdc_edges(const Args *a);            /* -rise -fall: bit RISE, bit FALL */
uint32_t sdc_early_late(const Args *a);       /* -min -max: bit EARLY, bit LATE */
uint32_t sdc_conditions(const Args *a);       /* both of the above: bits by condition */
uint32_t sdc_checks(const Args *a);           /* -setup -hold: bit SETUP, bit HOLD */

/* The objects of an option. The parser leaves a constraint out whose option names nothing
   (CMD-021): without the option it would speak of more. So *count is 0 when the option was not
   given, and only then, but for rows with OPT_PATTERNS. */
const Object *sdc_objects(Sdc *x, const char *option, uint32_t *count);
/* One clock (ROW_ONE_CLOCK); NO_CLOCK when the option was not given; FAILED when it does not name
   exactly one. */
Status sdc_clock(Sdc *x, const char *option, ClockId *clock);
/* A number within SDC_MOST of zero, not negative when asked so. Over that floats of times tell
   nothing apart, and resistance times capacitance comes near to what stands for "absent"
   (math/condition.h). */
#define SDC_MOST 1e14          /* ps, fF, kOhm */
Status sdc_number(Sdc *x, const char *option, float *value);
Status sdc_number_not_negative(Sdc *x, const char *option, float *value);
NameId sdc_name(Sdc *x, const char *option);  /* NO_NAME when not given */
Said   sdc_said(const Sdc *x);                /* this command, for later messages */
CommandId sdc_command_id(Sdc *x);             /* the same, for records of which there are many */
NameId sdc_file(const Sdc *x);                /* where the command stands; NO_NAME: typed */

/* Sets the conditions of the mask. */
void sdc_put(Sdc *x, float at[CONDITION_COUNT], uint32_t conditions, float value);
/* By early/late. */
void sdc_put_early_late(Sdc *x, float at[2], uint32_t early_late, float value);
/* After values of a pair were set: a least one above the most is told when the constraints are
   complete (tclbind/tell_contradiction.h). */
void sdc_note_order(Sdc *x, ValuePair pair);
#define PAIR_OF(kind_, object_) \
    ((ValuePair){ .kind = (uint8_t)(kind_), .clock = NO_CLOCK, .object = (object_) })

/* A hierarchical pin stands for the pins behind it (graph/hierarchy.h): tells where there are
   none. */
void sdc_warn_nothing_behind(Sdc *x, const Object *objects, uint32_t count);
/* For what counts at leaf pins and ports alone: tells which pins are hierarchical. */
void sdc_warn_hierarchical_pins(Sdc *x, const Object *objects, uint32_t count);
/* For what counts at pins that clocks reach: tells where all objects are virtual clocks. */
void sdc_warn_virtual_clocks(Sdc *x, const Object *objects, uint32_t count);
/* For generated clocks alone: tells which clocks are not. */
void sdc_warn_plain_clocks(Sdc *x, const Object *objects, uint32_t count);
/* -rise_to (its edges) with -fall, or the other way round. */
void sdc_warn_opposed_edges(Sdc *x, uint32_t to_edges);
/* Appends a pin, or the pins behind a hierarchical one. */
void sdc_add_behind(const Sdc *x, PinId pin, PinArray *pins);
/* Of top ports: has it an output's side (an input's)? Else a warning, as what is said of it has no
   effect; other pins have both. */
bool sdc_port_has_side(Sdc *x, PinId pin, bool output);
bool sdc_is_pin(Object o);                    /* port or pin: its id is a PinId */
/* Takes the driving cell of a port and its options away, for these conditions. */
void sdc_drop_driving_cell(Sdc *x, PortDrive *d, uint32_t conditions);
/* Appends the pin, or for nets the pins that drive the net. */
void sdc_add_pins(Sdc *x, Object o, PinArray *pins);

/* For commands that are read and checked but have no effect yet. */
#define SDC_UNUSED(x_, code) \
  log_warning((x_)->s->log, code, (x_)->where, "%s is not used yet: it has no effect on timing", \
              (x_)->command)

/* --- rows ------------------------------------------------------------------------------------- */

#define ROWS_RISE_FALL \
  { "-rise", ARG_FLAG, .help = "rising transitions only" }, \
  { "-fall", ARG_FLAG, .help = "falling transitions only" }
#define ROWS_MIN_MAX \
  { "-min", ARG_FLAG, .help = "early (hold) analysis only" }, \
  { "-max", ARG_FLAG, .help = "late (setup) analysis only" }
#define ROWS_SETUP_HOLD \
  { "-setup", ARG_FLAG, .help = "setup only" }, \
  { "-hold", ARG_FLAG, .help = "hold only" }
#define ROW_COMMENT { "-comment", ARG_TEXT, .value = "text", .help = "kept with the constraint" }
#define ROW_ONE_CLOCK(name_, text) \
  { name_, ARG_OBJECTS, .value = "clock", .flags = OPT_PATTERNS, .kinds = OBJ_BIT(OBJ_CLOCK), \
    .help = text }
#define ROW_CLOCK(text) ROW_ONE_CLOCK("-clock", text)
#define ROW_OBJECTS(name_, kinds_, flags_, text) \
  { name_, ARG_OBJECTS, .value = name_, .kinds = kinds_, .flags = flags_, .help = text }
#define ROW_END { 0 }

#define KINDS_CLOCK_PIN (OBJ_BIT(OBJ_CLOCK) | OBJS_PORT_PIN)
#define KIND_DESIGN     OBJ_BIT(OBJ_DESIGN)

/* Of unset_...: it tells where nothing was said that it could forget. */
#define SDC_FORGETTING(name_, summary_, options_, run_, ...) \
  { name_, "constraints", summary_, options_, run_, CMD_NEEDS_DESIGN | CMD_SDC | CMD_FORGETS, \
    __VA_ARGS__ }

#define SDC_COMMAND(name_, summary_, options_, run_, ...) \
  { name_, "constraints", summary_, options_, run_, CMD_NEEDS_DESIGN | CMD_SDC, __VA_ARGS__ }

#endif
