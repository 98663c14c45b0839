/* The table of engine options, and functions that set and write them by name. */
#include "timing/options.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(EngineOptions, field)

const EngineOptionRow engine_option_rows[] = {
  { "schedule", "net|pin|cte|auto", 0, 0, SCHEDULE_AUTO, AT(schedule), false,
    "how a level's work is spread: a thread a net, lanes across pins, blocks that share nets' "
    "work" },
  { "graph", "off|on", 0, 0, 1, AT(cuda_graph), false,
    "kernels are captured once and run as one graph" },
  { "narrow_level", NULL, 0, 4096, 1280, AT(narrow_level), false,
    "a level with at most so many timing edges goes into one kernel with its neighbours, if four "
    "or more such levels follow each other; not in forward phases with ceff, current_source or "
    "annotated delays; 0: no level does" },
  { "device", NULL, 0, 255, 0, AT(device), true, "which device of several" },
  { "least_pins", NULL, 0, INT_MAX, 20000, AT(least_pins), true,
    "from how many pins on -engine auto takes a device" },
  { "least_paths", NULL, 1, INT_MAX, 5000, AT(least_paths), false,
    "from how many paths on they are searched for on the device" },
  { 0 }
};

static int *value_at(EngineOptions *options, const EngineOptionRow *row)
{
  return (int *)(void *)((char *)options + row->at);
}

EngineOptions engine_options_preset(void)
{
  EngineOptions o;
  for (const EngineOptionRow *row = engine_option_rows; row->name; row++)
    *value_at(&o, row) = row->preset;
  return o;
}

bool engine_options_choose_anew(const EngineOptions *a, const EngineOptions *b)
{
  EngineOptions x = *a, y = *b;
  for (const EngineOptionRow *row = engine_option_rows; row->name; row++)
    if (row->chooses && *value_at(&x, row) != *value_at(&y, row)) return true;
  return false;
}

const EngineOptionRow *engine_option_find(const char *name)
{
  for (const EngineOptionRow *row = engine_option_rows; row->name; row++)
    if (strcmp(row->name, name) == 0) return row;
  return NULL;
}

static bool set_word(EngineOptions *options, const EngineOptionRow *row, const char *text)
{
  size_t length = strlen(text);
  int index = 0;
  for (const char *word = row->words;; index++) {
    size_t n = strcspn(word, "|");
    if (n == length && strncmp(word, text, n) == 0) break;
    if (word[n] == '\0') return false;
    word += n + 1;
  }
  *value_at(options, row) = index;
  return true;
}

bool engine_option_set(EngineOptions *options, const EngineOptionRow *row, const char *text)
{
  char *end;
  if (row->words) return set_word(options, row, text);
  long n = strtol(text, &end, 10);
  if (end == text || *end || n < row->least || n > row->most) return false;
  *value_at(options, row) = (int)n;
  return true;
}

const char *engine_option_text(const EngineOptions *options, const EngineOptionRow *row,
                               char buffer[16])
{
  EngineOptions copy = *options;
  int value = *value_at(&copy, row);
  const char *word = row->words;
  if (word == NULL) {
    snprintf(buffer, 16, "%d", value);
    return buffer;
  }
  for (; value > 0; value--) word += strcspn(word, "|") + 1;
  snprintf(buffer, 16, "%.*s", (int)strcspn(word, "|"), word);
  return buffer;
}
