/* Parses and writes units such as "1ns" and "10fF". */
#include "base/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* Each kind: its names and one SI unit in internal units. */
static const struct {
  const char *name, *symbol, *long_symbol;
  double      si;
} kinds[UNIT_COUNT] = {
  [UNIT_TIME]        = { "time",        "s",   "sec",   1e12 },
  [UNIT_CAPACITANCE] = { "capacitance", "F",   "farad", 1e15 },
  [UNIT_RESISTANCE]  = { "resistance",  "ohm", "ohms",  1e-3 },
  [UNIT_VOLTAGE]     = { "voltage",     "V",   "volt",  1.0  },
  [UNIT_CURRENT]     = { "current",     "A",   "amp",   1e3  },
  [UNIT_POWER]       = { "power",       "W",   "watt",  1e9  },
  [UNIT_DISTANCE]    = { "distance",    "m",   "meter", 1e6  },
};

static const struct {
  char   letter;
  double factor;
} prefixes[] = { { 'a', 1e-18 }, { 'f', 1e-15 }, { 'p', 1e-12 }, { 'n', 1e-9 }, { 'u', 1e-6 },
                 { 'm', 1e-3 },  { 'k', 1e3 },   { 'M', 1e6 },   { 'G', 1e9 } };

UnitSet units_default(void)
{
  return (UnitSet){ .scale = { [UNIT_TIME] = 1000, [UNIT_CAPACITANCE] = 1000, [UNIT_RESISTANCE] = 1,
    [UNIT_VOLTAGE] = 1, [UNIT_CURRENT] = 1, [UNIT_POWER] = 1, [UNIT_DISTANCE] = 1 } };
}

double unit_si(UnitKind kind) { return kinds[kind].si; }
const char *unit_kind_name(UnitKind kind) { return kinds[kind].name; }

static bool is_symbol(UnitKind kind, const char *text)
{
  return strcasecmp(text, kinds[kind].symbol) == 0
         || strcasecmp(text, kinds[kind].long_symbol) == 0;
}

/* 'm' is milli and 'M' mega but 'K' and 'k' are both kilo, and a lone "M" prefix of MHz style is
   kept. */
static double prefix_factor(char c)
{
  if (c == 'K') c = 'k';
  for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (prefixes[i].letter == c) return prefixes[i].factor;
  c = (char)tolower((unsigned char)c);
  for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (prefixes[i].letter == c) return prefixes[i].factor;
  return 0;
}

bool unit_parse(UnitKind kind, const char *text, double *scale)
{
  const char *p;
  while (isspace((unsigned char)*text)) text++;
  double number = text_number(text, &p);
  if (p == text) number = 1;
  while (isspace((unsigned char)*p)) p++;
  double factor = 1;
  if (!is_symbol(kind, p)) {
    factor = prefix_factor(*p);
    if (factor == 0 || !is_symbol(kind, p + 1)) return false;
  }
  if (!(number > 0) || !isfinite(number)) return false;
  *scale = number * factor * kinds[kind].si;
  return true;
}

void unit_name(UnitKind kind, double scale, char *buffer)
{
  double si = scale / kinds[kind].si;
  const char *symbol = kinds[kind].symbol;
  if (fabs(si - 1) < 1e-6 || fabs(si - 10) < 1e-5 || fabs(si - 100) < 1e-4) {
    snprintf(buffer, 32, "%.0f%s", si, symbol);
    return;
  }
  for (unsigned i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    double n = si / prefixes[i].factor;
    if (n > 0.9999 && n < 999.9) {
      snprintf(buffer, 32, "%.4g%c%s", n, prefixes[i].letter, symbol);
      return;
    }
  }
  snprintf(buffer, 32, "%.4g%s", si, symbol);
}
