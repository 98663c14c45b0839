/* The log: formats messages, counts them by code, limits and suppresses warnings, and keeps the
   first error until it is taken. */
#include "base/log.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/text.h"

typedef struct {
  uint32_t count;        /* since the log was made */
  uint32_t shown;        /* since the last sum-up */
  uint32_t held;         /* held back since the last sum-up */
  bool     suppressed;
  bool     answers;        /* never held back */
  ARRAY(char *) lines;     /* of the first LOG_KEPT */
} Code;

struct Log {
  LogSink  sink;
  void    *data;
  Names   *code_names;
  Names   *once;         /* texts of log_warning_once; NULL: none */
  ARRAY(uint8_t) warned; /* by NameId of these */
  ARRAY(NameId) order;   /* the texts of `once` that were reported, in order */
  ARRAY(Code) codes;     /* by NameId of code_names */
  uint32_t totals[3];
  uint32_t limit;
  bool     failed;
  LogGuard *guards;      /* the newest first */
  Text     error;        /* the first error's line */
  Text     taken;
};

Log *log_new(LogSink sink, void *data)
{
  Log *log = mem_alloc_zero(1, sizeof *log);
  log->sink = sink;
  log->data = data;
  log->code_names = names_new();
  log->limit = 5;
  array_resize(&log->codes, 1);
  return log;
}

void log_free(Log *log)
{
  if (log == NULL) return;
  names_free(log->code_names);
  for (uint32_t id = 0; id < log->codes.len; id++) {
    for (uint32_t i = 0; i < log->codes.at[id].lines.len; i++)
      mem_free(log->codes.at[id].lines.at[i]);
    array_free(&log->codes.at[id].lines);
  }
  log_forget_once(log);
  array_free(&log->warned);
  array_free(&log->order);
  array_free(&log->codes);
  text_free(&log->error);
  text_free(&log->taken);
  mem_free(log);
}

static Code *code_of(Log *log, const char *code)
{
  NameId id = names_add_text(log->code_names, code);
  if (id >= log->codes.len) array_resize(&log->codes, id + 1);
  return &log->codes.at[id];
}

static void add_place(Text *line, Where where)
{
  if (where.file == NULL) return;
  text_put(line, where.file);
  if (where.line) text_printf(line, ":%u", where.line);
  if (where.line && where.column) text_printf(line, ":%u", where.column);
  text_put(line, ": ");
}

static const char *const severity_word[] = { "", "warning: ", "error: " };

static void format_line(Text *line, const Message *message)
{
  add_place(line, message->where);
  text_put(line, severity_word[message->severity]);
  text_put(line, message->text);
  if (message->severity != SEVERITY_INFO) text_printf(line, " [%s]", message->code);
}

static void keep_line(Log *log, Code *code, const Message *message)
{
  if (log->sink == NULL || code->lines.len >= LOG_KEPT) return;
  Text line = { 0 };
  format_line(&line, message);
  array_push(&code->lines, mem_text(text_get(&line), line.len));
  text_free(&line);
}

static void pass_on(Log *log, Message *message)
{
  if (log->sink == NULL) return;
  Text line = { 0 };
  format_line(&line, message);
  message->line = text_get(&line);
  log->sink(log->data, message);
  text_free(&line);
}

/* Counts without the guards: the errors that they report are kept. */
static void ask_guards(Log *log)
{
  LogGuard *guards = log->guards;
  log->guards = NULL;
  for (LogGuard *guard = guards; guard && !log->failed; guard = guard->next)
    guard->look(guard->data);
  log->guards = guards;
}

static void keep_error(Log *log, const Message *message)
{
  if (!log->failed) ask_guards(log);
  if (log->failed) return;
  log->failed = true;
  text_clear(&log->error);
  format_line(&log->error, message);
}

static void record(Log *log, Message *message)
{
  Code *code = code_of(log, message->code);
  code->count++;
  keep_line(log, code, message);
  log->totals[message->severity]++;
  if (message->severity == SEVERITY_ERROR) {
    keep_error(log, message);       /* the command that failed shows it */
  } else if (code->suppressed) {
    return;
  } else if (message->severity == SEVERITY_WARNING && code->shown >= log->limit && !code->answers) {
    code->held++;
  } else {
    code->shown++;
    pass_on(log, message);
  }
}

/* Input of megabytes without a blank must not come back as a message.  No character is cut in
   two. */
static void shorten(Text *text)
{
  enum { LONGEST = 2000 };
  if (text->len <= LONGEST) return;
  size_t n = LONGEST;
  while (n && ((unsigned char)text->at[n] & 0xc0) == 0x80) n--;
  text->at[text->len = n] = '\0';
  text_put(text, "...");
}

static void write_message(Log *log, Severity severity, const char *code, Where where,
                          const char *format, va_list args)
{
  Text text = { 0 };
  text_vprintf(&text, format, args);
  shorten(&text);
  Message m = { severity, code, where, text_get(&text), NULL };
  record(log, &m);
  text_free(&text);
}

Status log_error(Log *log, const char *code, Where where, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  write_message(log, SEVERITY_ERROR, code, where, format, args);
  va_end(args);
  return FAILED;
}

void log_warning(Log *log, const char *code, Where where, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  write_message(log, SEVERITY_WARNING, code, where, format, args);
  va_end(args);
}

void log_warning_once(Log *log, const char *code, const char *text)
{
  log_warning_once_at(log, code, NOWHERE, text);
}

void log_warning_once_at(Log *log, const char *code, Where where, const char *text)
{
  if (log->once == NULL) log->once = names_new();
  Text key = { 0 };
  text_printf(&key, "%s %s:%u %s", code, where.file ? where.file : "", where.line, text);
  NameId id = names_add_text(log->once, text_get(&key));
  text_free(&key);
  if (id >= log->warned.len) array_resize(&log->warned, id + 1);
  if (log->warned.at[id]) return;
  log->warned.at[id] = true;
  array_push(&log->order, id);
  log_warning(log, code, where, "%s", text);
}

void log_forget_once(Log *log)
{
  if (log->once) names_free(log->once);
  log->once = NULL;
  array_clear(&log->warned);
  array_clear(&log->order);
}

uint32_t log_warned_once(const Log *log) { return log->order.len; }

void log_forget_once_since(Log *log, uint32_t count)
{
  while (log->order.len > count) log->warned.at[log->order.at[--log->order.len]] = false;
}

void log_info(Log *log, const char *code, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  write_message(log, SEVERITY_INFO, code, NOWHERE, format, args);
  va_end(args);
}

void log_sum_up(Log *log)
{
  for (uint32_t id = 1; id < log->codes.len; id++) {
    Code *code = &log->codes.at[id];
    if (code->held) {
      Text text = { 0 };
      const char *name = names_text(log->code_names, id);
      text_printf(&text, "%u more like it; see report_messages %s", code->held, name);
      Message m = { SEVERITY_WARNING, name, NOWHERE, text_get(&text), NULL };
      pass_on(log, &m);
      text_free(&text);
    }
    code->held = code->shown = 0;
  }
}

void log_add_guard(Log *log, LogGuard *guard)
{
  guard->next = log->guards;
  log->guards = guard;
}

void log_remove_guard(Log *log, LogGuard *guard)
{
  LogGuard **at = &log->guards;
  while (*at && *at != guard) at = &(*at)->next;
  if (*at) *at = guard->next;
}

bool log_failed(const Log *log) { return log->failed; }

const char *log_take_error(Log *log)
{
  if (!log->failed) return NULL;
  log->failed = false;
  text_clear(&log->taken);
  text_put(&log->taken, text_get(&log->error));
  return text_get(&log->taken);
}

uint32_t log_count(const Log *log, const char *code)
{
  NameId id = names_find(log->code_names, code, strlen(code));
  return id == NO_NAME || id >= log->codes.len ? 0 : log->codes.at[id].count;
}

uint32_t log_total(const Log *log, Severity severity) { return log->totals[severity]; }
void log_suppress(Log *log, const char *code, bool on) { code_of(log, code)->suppressed = on; }
void log_limit(Log *log, uint32_t warnings_each) { log->limit = warnings_each; }
void log_answers(Log *log, const char *code) { code_of(log, code)->answers = true; }

void log_each_code(const Log *log, void (*visit)(void *, const char *, uint32_t), void *data)
{
  for (uint32_t id = 1; id < log->codes.len; id++)
    if (log->codes.at[id].count)
      visit(data, names_text(log->code_names, id), log->codes.at[id].count);
}

void log_each_line(const Log *log, const char *code, void (*visit)(void *, const char *),
                   void *data)
{
  NameId id = names_find(log->code_names, code, strlen(code));
  if (id == NO_NAME || id >= log->codes.len) return;
  for (uint32_t i = 0; i < log->codes.at[id].lines.len; i++)
    visit(data, log->codes.at[id].lines.at[i]);
}
