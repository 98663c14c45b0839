/* Connections to pins that give power: no ports of cells, kept for writing alone. */
#include <ctype.h>

#include "read/link/link_private.h"

static const char *const supply_parts[] = { "vdd", "vss", "vcc", "vee", "pwr", "gnd", NULL };
static const char *const supply_starts[] = { "vpb", "vnb", "vbb", "vpp", "vnw", "vpw", NULL };

/* Liberty's power pins are no ports here; where it has none, names of pins and nets tell. */
static bool is_supply_name(const char *text)
{
  char low[64];
  size_t n = 0;
  for (; text[n] && n < sizeof low - 1; n++) low[n] = (char)tolower((unsigned char)text[n]);
  low[n] = '\0';
  for (const char *const *texts = supply_parts; *texts; texts++)
    if (strstr(low, *texts)) return true;
  for (const char *const *texts = supply_starts; *texts; texts++)
    if (strncmp(low, *texts, 3) == 0) return true;
  return false;
}

bool link_is_supply(Linker *linker, CellId cell, NameId pin, const VerilogModule *scope,
                    uint32_t ref)
{
  if (library_power_pin(linker->libs, cell, pin) != DIR_UNKNOWN) return true;
  if (is_supply_name(names_text(linker->names, pin))) return true;
  if (ref == REF_NONE || ref & REF_LIST) return false;
  NameId net = scope->bits.at[ref];
  return net != NO_NAME && is_supply_name(names_text(linker->names, net));
}
