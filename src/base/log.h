/* Messages: numbered, counted, with file:line:column.

   Nothing under the commands prints.  A function that fails returns FAILED after one call of
   log_error; a thing that is not supported but harmless is one call of log_warning.  The log keeps
   the first error until it is taken (later ones of the same operation are consequences), passes the
   first few warnings of each number on to its sink and sums up the others in log_sum_up.  The lines
   of the first LOG_KEPT of each number are kept for who asks later.

   Codes look like "SPEF-012"; man/messages explains each, and scripts/check_layers checks that it
   does. */
#ifndef SL_BASE_LOG_H
#define SL_BASE_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum { OK = 0, FAILED = 1 } Status;
typedef enum { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR } Severity;

/* A place in a file; file NULL means no place, line 0 the file as a whole, column 0 the whole
   line. */
typedef struct {
  const char *file;
  uint32_t    line, column;
} Where;

#define NOWHERE ((Where){ 0 })

/* What a sink gets: text without place and code, and the whole line as it should be shown. */
typedef struct {
  Severity    severity;
  const char *code;
  Where       where;
  const char *text;
  const char *line;      /* "file:line:col: warning: text [CODE]" */
} Message;

typedef void (*LogSink)(void *data, const Message *message);

typedef struct Log Log;

Log *log_new(LogSink sink, void *data);     /* sink NULL: messages are counted only */
void log_free(Log *log);

/* Always returns FAILED, so that "return log_error(...)" reads well. */
Status log_error(Log *log, const char *code, Where where, const char *format, ...)
  __attribute__((format(printf, 4, 5)));
void log_warning(Log *log, const char *code, Where where, const char *format, ...)
  __attribute__((format(printf, 4, 5)));
/* A warning that is told and counted once for each text, until log_forget_once (another design). */
void log_warning_once(Log *log, const char *code, const char *text);
/* The same with a place, which is part of the text. */
void log_warning_once_at(Log *log, const char *code, Where where, const char *text);
void log_forget_once(Log *log);
/* How many texts are told in this way; forgets those behind the first so many (what they were about
   was taken back). */
uint32_t log_warned_once(const Log *log);
void log_forget_once_since(Log *log, uint32_t count);
void log_info(Log *log, const char *code, const char *format, ...)
  __attribute__((format(printf, 3, 4)));

/* Passes on "N more like the above" for the numbers whose warnings were held back since the last
   call. */
void log_sum_up(Log *log);

/* A guard is called just before the first error is kept, and may report another one, which is kept
   instead: the cause of what looks like an error of its own (a damaged file whose text is garbage).
   The struct is the caller's and stays until it is removed. */
typedef struct LogGuard {
  void (*look)(void *data);
  void *data;
  struct LogGuard *next;       /* the log's */
} LogGuard;

void log_add_guard(Log *log, LogGuard *guard);
void log_remove_guard(Log *log, LogGuard *guard);

/* The first error since the last take: its whole line, or NULL.  Taking forgets it. */
bool        log_failed(const Log *log);
const char *log_take_error(Log *log);       /* valid until the next error */

/* How often a code was used since the log was made. */
uint32_t log_count(const Log *log, const char *code);
uint32_t log_total(const Log *log, Severity severity);

/* Suppressed codes are counted and not passed on (errors cannot be suppressed). */
void log_suppress(Log *log, const char *code, bool on);
/* How many warnings of one code pass before they are held back; default 5. */
void log_limit(Log *log, uint32_t warnings_each);
/* Warnings of a code answer who asks, each time: they are not held back. */
void log_answers(Log *log, const char *code);

/* Calls visit for each line kept of a code, in their order: shown, held back or suppressed.  A log
   without a sink keeps none. */
enum { LOG_KEPT = 1000 };
void log_each_line(const Log *log, const char *code, void (*visit)(void *data, const char *line),
                   void *data);

/* Calls visit for each code that was used, in order of first use. */
void log_each_code(const Log *log, void (*visit)(void *data, const char *code, uint32_t count),
                   void *data);

#endif
