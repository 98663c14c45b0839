/* The tables of commands and properties: each cmd_*.c and property_*.c exports one.  In the order
   of help and manual. */
#include "cmd/tables.h"
#include "tclbind/command.h"
#include "tclbind/property.h"

#define COMMAND_TABLES(X) \
  X(files) \
  X(query) \
  X(collection) \
  X(property) \
  X(edit) \
  X(buffers) \
  X(alternatives) \
  X(changes) \
  X(estimate) \
  X(size) \
  X(power) \
  X(units) \
  X(timing) \
  X(scenario) \
  X(annotate) \
  X(ocv) \
  X(unused) \
  X(sdc_check) \
  X(sdc_clock) \
  X(sdc_data) \
  X(sdc_dump) \
  X(sdc_exception) \
  X(sdc_other) \
  X(sdc_conditions) \
  X(sdc_port) \
  X(sdc_unset_port) \
  X(sdc_unset_check) \
  X(sdc_unset_width) \
  X(sdc_unset_area) \
  X(sdc_unset_all) \
  X(write_sdc) \
  X(report) \
  X(report_check) \
  X(report_constraint) \
  X(report_delay) \
  X(compare_models) \
  X(report_annotated) \
  X(report_exception) \
  X(report_fan) \
  X(report_pin) \
  X(report_summary) \
  X(path) \
  X(place) \
  X(wires) \
  X(density) \
  X(plot) \
  X(shell)

#define DECLARE_TABLE(name) extern const Command commands_##name[];
COMMAND_TABLES(DECLARE_TABLE)

#define ADDRESS_OF_TABLE(name) commands_##name,
static const Command *const command_tables[] = { COMMAND_TABLES(ADDRESS_OF_TABLE) NULL };

extern const Property properties_static[], properties_timing[], properties_path[],
    properties_scenario[], properties_place[], properties_density[];
static const Property *const property_tables[] = { properties_static, properties_timing,
                                                   properties_path, properties_scenario,
                                                   properties_place, properties_density, NULL };

SessionRows session_rows(void) { return (SessionRows){ command_tables, property_tables }; }
