/* Options of engines that run on a device. Each option is a row of a table, so code that sets and
   lists options knows none of them. The header is C and C++. */
#ifndef SL_TIMING_OPTIONS_H
#define SL_TIMING_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* How a device shares the work of a level among its threads (doc/device.md, Three schedules). NET:
   one thread computes a driver with its arcs and loads. PIN: one lane computes a timing edge in one
   analysis (early or late), or a load in one condition. CTE: lanes do the same pieces of work as
   with PIN; each block of threads first finds the pieces that belong to its drivers. AUTO: see
   engine_schedule. */
enum { SCHEDULE_NET, SCHEDULE_PIN, SCHEDULE_CTE, SCHEDULE_AUTO };

typedef struct {
  int schedule;                    /* SCHEDULE_... */
  int cuda_graph;                  /* 1: kernels are captured once and run as a CUDA graph; 0: one
                                      by one */
  int narrow_level;                /* levels with at most this many timing edges share one kernel
                                      with their neighbours; 0: each level has its own kernel */
  int device;                      /* number of the device */
  int least_paths;                 /* the device searches paths if a query wants at least this
                                      many */
  int least_pins;                  /* engine auto chooses the device for designs with at least this
                                      many pins */
} EngineOptions;

/* The value of an option is a number, or one of some words, stored as the word's index. The presets
   are in engine_option_rows (options.c); set_engine_option without words lists the values. */
typedef struct {
  const char *name;
  const char *words;               /* "net|pin|cte|auto"; NULL: a number from least to most */
  int         least, most, preset;
  size_t      at;                  /* offset of an int in EngineOptions */
  bool        chooses;             /* another value may choose another backend */
  const char *help;
} EngineOptionRow;

extern const EngineOptionRow engine_option_rows[];      /* ends with a row without name */

EngineOptions          engine_options_preset(void);
const EngineOptionRow *engine_option_find(const char *name);      /* NULL: there is none */
/* Returns false and sets nothing if the text is not a value of the option. */
bool engine_option_set(EngineOptions *options, const EngineOptionRow *row, const char *text);
/* Is the value of an option different with which the backend is chosen? */
bool engine_options_choose_anew(const EngineOptions *a, const EngineOptions *b);
/* Returns the value of an option as text; numbers are written to buffer. */
const char *engine_option_text(const EngineOptions *options, const EngineOptionRow *row,
                               char buffer[16]);

/* Returns the schedule.  Auto means SCHEDULE_PIN, which is at least as fast for all sizes. */
static inline int engine_schedule(const EngineOptions *options)
{
  return options->schedule == SCHEDULE_AUTO ? SCHEDULE_PIN : options->schedule;
}

#endif
