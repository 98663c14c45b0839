/* The log takes messages. Each message has a number (its code), a count and, where it concerns a
   file, a file:line:column.

   Code below the commands never prints. A function that fails calls log_error once and returns
   FAILED. A construct that is not supported but harmless is one call of log_warning. The log keeps
   the first error until log_take_error takes it, because later errors of the same operation are
   consequences. It passes the first few warnings of each code on to its sink and counts the others
   (log_sum_up). It stores the lines of the first LOG_KEPT messages of each code for log_each_line.

   Codes look like "SPEF-012"; man/messages explains each, and scripts/check_layers checks that it
   does. */
#ifndef SL_BASE_LOG_H
#define SL_BASE_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum { OK = 0, FAILED = 1 } Status;
typedef enum { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR } Severity;

/* A place in a file. With file NULL there is no place; line 0 means the whole file, and column 0
   the whole line. */
typedef struct {
  const char *file;
  uint32_t    line, column;
} Where;

#define NOWHERE ((Where){ 0 })

/* A message as a sink receives it: the text without place and code, and the whole line to show. */
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
/* Warns once for each text until log_forget_once, which is called when another design is linked.
   Repetitions are not counted. */
void log_warning_once(Log *log, const char *code, const char *text);
/* The same with a place, which is part of the text. */
void log_warning_once_at(Log *log, const char *code, Where where, const char *text);
void log_forget_once(Log *log);
/* log_warned_once returns how many texts were given by log_warning_once and log_warning_once_at.
   log_forget_once_since forgets all but the first count of these texts: an undone change may warn
   again. */
uint32_t log_warned_once(const Log *log);
void log_forget_once_since(Log *log, uint32_t count);
void log_info(Log *log, const char *code, const char *format, ...)
  __attribute__((format(printf, 3, 4)));

/* Passes on "N more like the above" for each code whose warnings were held back since the last
   call. */
void log_sum_up(Log *log);

/* A guard is called just before the log keeps a first error. It may report another error, which is
   kept instead: the cause of the first (a damaged file, whose text is garbage). The caller owns the
   struct and keeps it alive until log_remove_guard. */
typedef struct LogGuard {
  void (*look)(void *data);
  void *data;
  struct LogGuard *next;       /* private to the log */
} LogGuard;

void log_add_guard(Log *log, LogGuard *guard);
void log_remove_guard(Log *log, LogGuard *guard);

/* log_take_error returns the whole line of the first error since the last take, or NULL, and
   forgets the error. */
bool        log_failed(const Log *log);
const char *log_take_error(Log *log);       /* valid until the next error */

/* How often a code was used since the log was made. */
uint32_t log_count(const Log *log, const char *code);
uint32_t log_total(const Log *log, Severity severity);

/* Messages of a suppressed code are counted but not passed on. Errors cannot be suppressed. */
void log_suppress(Log *log, const char *code, bool on);
/* Sets how many warnings of one code reach the sink before the others are held back; 5 at the
   start. */
void log_limit(Log *log, uint32_t warnings_each);
/* Exempts a code from the limit. Use it for warnings that answer a question of the user, who
   expects an answer each time. */
void log_answers(Log *log, const char *code);

/* Calls visit for each stored line of a code, in order; these include lines that were held back or
   suppressed. A log without a sink stores no lines. */
enum { LOG_KEPT = 1000 };
void log_each_line(const Log *log, const char *code, void (*visit)(void *data, const char *line),
                   void *data);

/* Calls visit for each code that was used, in order of first use. */
void log_each_code(const Log *log, void (*visit)(void *data, const char *code, uint32_t count),
                   void *data);

#endif
