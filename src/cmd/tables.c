/* The tables of commands and properties: each cmd_*.c and property_*.c exports one. */
#include "cmd/command.h"
#include "cmd/property.h"

extern const Command commands_query[], commands_collection[], commands_property[], commands_files[], commands_edit[], commands_shell[],
  commands_units[], commands_timing[], commands_scenario[], commands_unused[], commands_sdc_check[], commands_sdc_clock[], commands_sdc_dump[], commands_sdc_exception[], commands_sdc_other[], commands_sdc_port[];
extern const Command commands_report[], commands_report_check[], commands_report_delay[], commands_report_fan[], commands_report_pin[];
extern const Command commands_path[];
extern const Property properties_path[];
extern const Property properties_static[], properties_timing[];

const Command *const command_tables[] = {
  commands_files,
  commands_query,
  commands_collection,
  commands_property,
  commands_edit,
  commands_units,
  commands_timing,
  commands_scenario,
  commands_unused,
  commands_sdc_check,
  commands_sdc_clock,
  commands_sdc_dump,
  commands_sdc_exception,
  commands_sdc_other,
  commands_sdc_port,
  commands_report,
  commands_report_check,
  commands_report_delay,
  commands_report_fan,
  commands_report_pin,
  commands_path,
  commands_shell,
  NULL
};

const Property *const property_tables[] = { properties_static, properties_timing, properties_path, NULL };
