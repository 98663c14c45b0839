/* Constructs that other timers use and this one does not.  They may change results, so each gets
   one warning for a file. */
#include "read/liberty/liberty_reader.h"

typedef struct {
  uint8_t     kind;                        /* GroupKind it stands in */
  bool        begins;                      /* names that begin so */
  const char *name, *instead;
} UnusedConstruct;

static const char whole_table[] = "a table is taken as one piece";
static const char normal[] = "delays vary normally, by their ocv_sigma tables";
static const char own_wires[] = "wires take parasitics, or a wire_load that a constraint names";
static const char parasitics[] = "transitions change along wires that have parasitics";
static const char each_check[] = "each check counts by itself";
static const char distances[] = "distances take the tables of ocv_derate_group";
static const char always[] = "the check counts always";
static const char limits[] = "limits are those that do not depend on the frequency";

static const UnusedConstruct unused[] = {
  { IN_LIBRARY, false, "wire_load_table", own_wires },
  { IN_LIBRARY, false, "default_wire_load_selection", own_wires },
  { IN_LIBRARY, false, "default_wire_load_capacitance", own_wires },
  { IN_LIBRARY, false, "default_wire_load_resistance", own_wires },
  { IN_LIBRARY, false, "rise_net_delay", own_wires },
  { IN_LIBRARY, false, "fall_net_delay", own_wires },
  { IN_LIBRARY, false, "rise_transition_degradation", parasitics },
  { IN_LIBRARY, false, "fall_transition_degradation", parasitics },
  { IN_LIBRARY, false, "default_ocv_derate_distance_group", distances },
  { IN_CELL, false, "ocv_derate_distance_group", distances },
  { IN_CELL, false, "generated_clock", "clocks are those of constraints: create_generated_clock" },
  { IN_PIN, false, "tlatch", "latches are those of latch groups" },
  { IN_PIN, false, "pulse_clock", "both edges of a clock pass: set_clock_sense" },
  { IN_PIN, false, "max_cap", limits }, { IN_PIN, false, "min_cap", limits },
  { IN_PIN, false, "max_trans", limits },
  { IN_PIN, false, "cell_degradation", limits }, { IN_TIMING, false, "cell_degradation", limits },
  { IN_PIN, false, "pin_based_variation", normal },
  { IN_TIMING, false, "timing_based_variation", normal },
  { IN_TIMING, false, "interdependence_id", each_check },
  { IN_TIMING, false, "when_start", always }, { IN_TIMING, false, "when_end", always },
  { IN_TIMING, false, "rise_propagation", "delays are those of cell_rise" },
  { IN_TIMING, false, "fall_propagation", "delays are those of cell_fall" },
  { IN_TIMING, false, "ocv_sigma_rise_transition", "transitions do not vary" },
  { IN_TIMING, false, "ocv_sigma_fall_transition", "transitions do not vary" },
  { IN_TIMING, true, "ocv_sigma_retain_", "transitions do not vary" },
  { IN_TIMING, true, "ocv_mean_shift_", normal }, { IN_TIMING, true, "ocv_std_dev_", normal },
  { IN_TIMING, true, "ocv_skewness_", normal },
  { IN_TEMPLATE, false, "domain", whole_table }, { IN_TABLE, false, "domain", whole_table },
};

static bool is_meant(const UnusedConstruct *construct, GroupKind kind, const char *name)
{
  if (construct->kind != kind) return false;
  return construct->begins ? strncmp(name, construct->name, strlen(construct->name)) == 0
                           : strcmp(name, construct->name) == 0;
}

void tell_unused(Reader *reader, GroupKind kind, const char *name, const char *construct)
{
  for (uint32_t i = 0; i < sizeof unused / sizeof *unused; i++) {
    if (!is_meant(&unused[i], kind, name)) continue;
    log_warning(reader->log, "LIB-090", reader->at, "%s has no effect: %s", construct,
                unused[i].instead);
    return;
  }
}
