/* Reads a text file through a window of memory, with zlib for plain and gzip files. A guard of the
   log checks the rest of a gzip file before the first error is kept. */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/read_ahead.h"

/* The window starts at this size and doubles for a single token that does not fit. */
enum { WINDOW = 1 << 18 };
/* Compressed files of at most so many bytes need no thread. */
enum { UNPACKED_AT_ONCE = 1 << 15 };

struct InputState {
  Input  in;
  Log   *log;
  size_t window_bytes;
  gzFile file;             /* NULL for text in memory */
  ReadAhead *ahead;        /* unpacks the file; NULL: each read does */
  const char *rest;        /* text in memory not yet in the window */
  LogGuard guard;          /* for compressed files */
};

static Input *new_input(const char *path, Log *log)
{
  struct InputState *state = mem_alloc_zero(1, sizeof *state);
  state->log = log;
  state->window_bytes = WINDOW;
  state->in.window = mem_alloc(WINDOW + 1);
  state->in.window[0] = '\0';
  state->in.path = mem_text(path, strlen(path));
  state->in.cur = state->in.end = state->in.window;
  state->in.line = 1;
  state->in.state = state;
  return &state->in;
}

/* Editors of some systems begin UTF-8 with a mark of three bytes; it is no text. */
#define MARK "\xef\xbb\xbf"

static bool skip_mark(Input *in)
{
  if (in->end - in->cur < 3 || memcmp(in->cur, MARK, 3) != 0) return true;
  in->cur += 3;
  in->line_start = 3;
  return in->cur < in->end || input_refill(in, NULL);
}

/* Fills the window for the first time; an empty file is an error. */
static Input *started(Input *in)
{
  if (input_refill(in, NULL) && skip_mark(in)) return in;
  if (!in->failed)
    log_error(in->state->log, "FILE-003", (Where){ in->path, 0, 0 }, "the file is empty");
  input_close(in);
  return NULL;
}

static int read_file(struct InputState *state, char *to, size_t room)
{
  ReadEnd end = state->ahead ? read_ahead(state->ahead, to, room) : read_now(state->file, to, room);
  int n = end.n, code = end.code;
  const char *damage = "", *text = end.text;
  if (n < 0 || (code != Z_OK && code != Z_STREAM_END)) {
    state->in.failed = true;
    size_t path = strlen(state->in.path);       /* zlib's texts begin with it */
    if (strncmp(text, state->in.path, path) == 0 && strncmp(text + path, ": ", 2) == 0)
      text += path + 2;
    if (code == Z_BUF_ERROR) text = "it ends in the middle of its compressed data";
    if (code == Z_DATA_ERROR) damage = "its compressed data is damaged: ";
    log_error(state->log, "FILE-004", (Where){ state->in.path, 0, 0 },
              "reading the file failed: %s%s", damage,
              code == Z_ERRNO ? strerror(end.system) : text);
    return n < 0 ? 0 : n;
  }
  return n;
}

/* Reads the rest of the file for its checksum, outside of the window: words of the reader still
   point into the window. */
static void check_rest(void *data)
{
  struct InputState *state = data;
  enum { CHUNK = 1 << 16 };
  char *text = mem_alloc(CHUNK);
  while (!state->in.failed && !interrupt_seen() && read_file(state, text, CHUNK) > 0) {}
  mem_free(text);
}

static void guard_rest(struct InputState *state)
{
  state->guard = (LogGuard){ check_rest, state, NULL };
  log_add_guard(state->log, &state->guard);
}

Input *input_open(const char *path, Log *log)
{
  struct stat st;
  Where where = { path, 0, 0 };
  if (*path == '\0') {
    log_error(log, "FILE-001", NOWHERE, "the name of a file is empty");
    return NULL;
  }
  if (stat(path, &st) != 0) {
    log_error(log, "FILE-001", where, "cannot open the file: %s", strerror(errno));
    return NULL;
  }
  if (S_ISDIR(st.st_mode)) {
    log_error(log, "FILE-002", where, "is a directory, expected a file");
    return NULL;
  }
  gzFile file = gzopen(path, "rb");
  if (file == NULL) {
    log_error(log, "FILE-001", where, "cannot open the file: %s", strerror(errno));
    return NULL;
  }
  gzbuffer(file, 1 << 17);
  Input *in = new_input(path, log);
  in->state->file = file;
  if (!gzdirect(file)) {
    guard_rest(in->state);
    if (S_ISREG(st.st_mode) && st.st_size > UNPACKED_AT_ONCE)
      in->state->ahead = read_ahead_new(file);
  }
  return started(in);
}

bool input_is_empty(const char *path)
{
  struct stat st;
  char start[4];
  int code = Z_OK;
  if (stat(path, &st) != 0 || !(S_ISREG(st.st_mode) || S_ISCHR(st.st_mode))) return false;
  int fd = open(path, O_RDONLY);
  gzFile file = fd >= 0 && !isatty(fd) ? gzdopen(fd, "rb") : NULL;
  if (file == NULL) {
    if (fd >= 0) close(fd);
    return false;
  }
  int n = gzread(file, start, sizeof start);
  gzerror(file, &code);
  gzclose(file);
  bool whole = code == Z_OK || code == Z_STREAM_END;
  return whole && (n == 0 || (n == 3 && memcmp(start, MARK, 3) == 0));
}

Input *input_open_text(const char *path, const char *text, Log *log)
{
  Input *in = new_input(path, log);
  in->state->rest = text;
  return started(in);
}

void input_close(Input *in)
{
  if (in == NULL) return;
  struct InputState *state = in->state;
  log_remove_guard(state->log, &state->guard);
  read_ahead_free(state->ahead);
  if (state->file) gzclose(state->file);
  mem_free(state->in.window);
  mem_free((char *)in->path);
  mem_free(state);
}

static int read_memory(struct InputState *state, char *to, size_t room)
{
  size_t n = strnlen(state->rest, room);
  memcpy(to, state->rest, n);
  state->rest += n;
  return (int)n;
}

/* Moves the text from keep on to the window's start, in a larger window when that is full. */
static void make_room(struct InputState *state, char **keep)
{
  Input *in = &state->in;
  size_t kept = (size_t)(in->end - *keep), at = (size_t)(in->cur - *keep);
  in->base += *keep - in->window;
  if (kept * 2 > state->window_bytes) {
    char *wider = mem_alloc(state->window_bytes * 2 + 1);
    memcpy(wider, *keep, kept);
    mem_free(in->window);
    in->window = wider;
    state->window_bytes *= 2;
  } else {
    memmove(in->window, *keep, kept);
  }
  *keep = in->window;
  in->cur = in->window + at;
  in->end = in->window + kept;
}

/* Readers end as at a file that cannot be read on. */
static bool is_interrupted(struct InputState *state)
{
  if (!interrupt_seen()) return false;
  state->in.failed = true;
  log_error(state->log, "FILE-004", (Where){ state->in.path, 0, 0 },
            "reading the file failed: interrupted");
  return true;
}

bool input_refill(Input *in, char **keep)
{
  struct InputState *state = in->state;
  char *own = in->cur;
  if (in->failed || is_interrupted(state)) return false;
  make_room(state, keep ? keep : &own);
  size_t room = state->window_bytes - (size_t)(in->end - in->window);
  int n = state->file ? read_file(state, in->end, room) : read_memory(state, in->end, room);
  in->end += n;
  *in->end = '\0';
  return n > 0;
}

Where input_where_at(const Input *in, const char *at)
{
  int64_t offset = in->base + (at - in->window);
  return (Where){ in->path, in->line, (uint32_t)(offset - in->line_start + 1) };
}

Where input_where(const Input *in) { return input_where_at(in, in->cur); }
int64_t input_offset(const Input *in) { return in->base + (in->cur - in->window); }

bool input_line(Input *in, Text *line)
{
  text_clear(line);
  for (bool any = false;; any = true) {
    if (in->cur == in->end && !input_refill(in, NULL)) return any;
    char c = *in->cur++;
    if (c == '\n') {
      input_newline(in);
      return true;
    }
    text_char(line, c == '\r' || c == '\0' ? ' ' : c);
  }
}
