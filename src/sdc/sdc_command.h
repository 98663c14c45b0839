/* Shared by the constraint commands (cmd_sdc_*.c): masks from flags, the clock of an option,
   checked numbers, and rows of common options. */
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

/* Masks from flags. If no flag is given, all bits are set. */
uint32_t sdc_edges(const Args *a);            /* -rise -fall: bit RISE, bit FALL */
uint32_t sdc_early_late(const Args *a);       /* -min -max: bit EARLY, bit LATE */
uint32_t sdc_conditions(const Args *a);       /* both of the above: bits by condition */
uint32_t sdc_checks(const Args *a);           /* -setup -hold: bit SETUP, bit HOLD */

/* Returns the objects of an option. The parser skips a constraint whose option names no object
   (CMD-021), because without the option it would apply to more objects. So *count is 0 only if the
   option was not given, except for rows with OPT_PATTERNS. */
const Object *sdc_objects(Sdc *sdc, const char *option, uint32_t *count);
/* Reads one clock (ROW_ONE_CLOCK); NO_CLOCK if the option was not given. Returns FAILED if it does
   not name exactly one. */
Status sdc_clock(Sdc *sdc, const char *option, ClockId *clock);
/* Read a number between -SDC_MOST and SDC_MOST, or between 0 and SDC_MOST. Beyond this limit float
   times have no useful resolution, and a resistance times a capacitance comes near the value for
   "absent" (math/condition.h). So the rows of such options have no RANGE. */
#define SDC_MOST 1e14          /* ps, fF, kOhm */
Status sdc_number(Sdc *sdc, const char *option, float *value);
Status sdc_number_not_negative(Sdc *sdc, const char *option, float *value);
NameId sdc_name(Sdc *sdc, const char *option);  /* NO_NAME if not given */
Said   sdc_said(const Sdc *sdc);                /* this command, for later messages */
CommandId sdc_command_id(Sdc *sdc); /* the same as an id, for records that are numerous */
NameId sdc_file(const Sdc *sdc);                /* the file with the command; NO_NAME if typed */

/* Sets the values of the conditions in the mask. */
void sdc_put(Sdc *sdc, float at[CONDITION_COUNT], uint32_t conditions, float value);
/* The same for values by early and late. */
void sdc_put_early_late(Sdc *sdc, float at[2], uint32_t early_late, float value);
/* Call it after values of a pair were set. If a minimum is above the maximum, a warning follows
   when the constraints are complete (tclbind/tell_contradiction.h). */
void sdc_note_order(Sdc *sdc, ValuePair pair);
#define PAIR_OF(kind_, object_) \
    ((ValuePair){ .kind = (uint8_t)(kind_), .clock = NO_CLOCK, .object = (object_) })

/* A hierarchical pin stands for the pins downstream of it (graph/hierarchy.h). Warns of
   hierarchical pins without such pins. */
void sdc_warn_nothing_behind(Sdc *sdc, const Object *objects, uint32_t count);
/* For constraints that apply only to leaf pins and ports: warns of hierarchical pins. */
void sdc_warn_hierarchical_pins(Sdc *sdc, const Object *objects, uint32_t count);
/* For constraints that apply only at pins that clocks reach, and not to delays of ports: warns if
   all objects are virtual clocks (SDC-169). */
void sdc_warn_virtual_clocks(Sdc *sdc, const Object *objects, uint32_t count);
/* For constraints of generated clocks: warns of other clocks. */
void sdc_warn_plain_clocks(Sdc *sdc, const Object *objects, uint32_t count);
/* Warns of -rise_to (to_edges) with -fall, or the reverse. */
void sdc_warn_opposed_edges(Sdc *sdc, uint32_t to_edges);
/* Appends a pin, or the pins downstream of a hierarchical pin. */
void sdc_add_behind(const Sdc *sdc, PinId pin, PinArray *pins);
/* Is a top port an output (with `output`), or an input? An inout port is both, and so is any other
   pin. If not, warns that the constraint has no effect. */
bool sdc_port_has_direction(Sdc *sdc, PinId pin, bool output);
bool sdc_is_pin(Object o);                    /* true for a port or pin, whose id is a PinId */
/* Appends the pin, or for a net the pins that drive it. */
void sdc_add_pins(Sdc *sdc, Object o, PinArray *pins);

/* For commands that are read and checked but have no effect. */
#define SDC_UNUSED(x_, code)                                                                     \
  log_warning((x_)->s->log, code, (x_)->where, "%s is not used yet: it has no effect on timing", \
              (x_)->command)

/* --- rows ------------------------------------------------------------------------------------- */

#define ROWS_RISE_FALL                                      \
  { "-rise", ARG_FLAG, .help = "rising transitions only" }, \
  { "-fall", ARG_FLAG, .help = "falling transitions only" }
#define ROWS_MIN_MAX                                          \
  { "-min", ARG_FLAG, .help = "early (hold) analysis only" }, \
  { "-max", ARG_FLAG, .help = "late (setup) analysis only" }
#define ROWS_SETUP_HOLD                         \
  { "-setup", ARG_FLAG, .help = "setup only" }, \
  { "-hold", ARG_FLAG, .help = "hold only" }
#define ROW_COMMENT \
  { "-comment", ARG_TEXT, .value = "text", .help = "text that is stored with the constraint" }
#define ROW_ONE_CLOCK(name_, text)                                                            \
  { name_, ARG_OBJECTS, .value = "clock", .flags = OPT_PATTERNS, .kinds = OBJ_BIT(OBJ_CLOCK), \
    .help = text }
#define ROW_CLOCK(text) ROW_ONE_CLOCK("-clock", text)
#define ROW_OBJECTS(name_, kinds_, flags_, text) \
  { name_, ARG_OBJECTS, .value = name_, .kinds = kinds_, .flags = flags_, .help = text }
#define ROW_END { 0 }

#define KINDS_CLOCK_PIN (OBJ_BIT(OBJ_CLOCK) | OBJS_PORT_PIN)
#define KIND_DESIGN     OBJ_BIT(OBJ_DESIGN)

/* For unset_... commands: they warn if there is nothing to remove. */
#define SDC_FORGETTING(name_, summary_, options_, run_, ...)                                  \
  { name_, "constraints", summary_, options_, run_, CMD_NEEDS_DESIGN | CMD_SDC | CMD_FORGETS, \
    __VA_ARGS__ }

#define SDC_COMMAND(name_, summary_, options_, run_, ...) \
  { name_, "constraints", summary_, options_, run_, CMD_NEEDS_DESIGN | CMD_SDC, __VA_ARGS__ }

/* Their options -from and -to name pairs. */
#define SDC_OF_PAIRS(name_, summary_, options_, run_, ...)                                  \
  { name_, "constraints", summary_, options_, run_, CMD_NEEDS_DESIGN | CMD_SDC | CMD_PAIRS, \
    __VA_ARGS__ }

#define SDC_FORGETTING_PAIRS(name_, summary_, options_, run_, ...) \
  { name_, "constraints", summary_, options_, run_,                \
    CMD_NEEDS_DESIGN | CMD_SDC | CMD_FORGETS | CMD_PAIRS, __VA_ARGS__ }

#endif
