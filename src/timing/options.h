/* Options of engines that run on a device. Each option is a row of a table, so code that sets and
   lists options knows none of them. The header is C and C++. */
#ifndef SL_TIMING_OPTIONS_H
#define SL_TIMING_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* How a level's work is spread: a thread a driver; a lane an arc or load and condition; the same,
   found by a block for its drivers. */
enum { SCHEDULE_NET, SCHEDULE_PIN, SCHEDULE_CTE, SCHEDULE_AUTO };

typedef struct {
  int schedule;                    /* SCHEDULE_... */
  int graph;                       /* 1: launches are captured once and run as a graph; 0: launched
                                      one by one */
  int narrow_level;                /* a level of so many timing edges, or fewer, goes with its
                                      neighbours in one launch; 0: each has its own */
  int device;                      /* which of several */
  int least_paths;                 /* from how many paths on a device searches for them */
  int least_pins;                  /* from how many pins on a device is taken when the engine is to
                                      be chosen */
} EngineOptions;

/* An option is one of some words, whose index is its value, or a number. */
typedef struct {
  const char *name;
  const char *words;               /* "net|pin|auto"; NULL: a number from least to most */
  int         least, most, preset;
  size_t      at;                  /* of an int in EngineOptions */
  const char *help;
} EngineOptionRow;

extern const EngineOptionRow engine_option_rows[];      /* ends with a row without name */

EngineOptions          engine_options_preset(void);
const EngineOptionRow *engine_option_find(const char *name);      /* NULL: there is none */
/* False, and nothing set, where the text is no value of the option. */
bool engine_option_set(EngineOptions *o, const EngineOptionRow *row, const char *text);
/* Its value as text; buffer is for numbers. */
const char *engine_option_text(const EngineOptions *o, const EngineOptionRow *row, char buffer[16]);

/* The schedule that auto stands for is SCHEDULE_PIN: at least as fast in all sizes. */
static inline int engine_schedule(const EngineOptions *o)
{
  return o->schedule == SCHEDULE_AUTO ? SCHEDULE_PIN : o->schedule;
}

#endif
