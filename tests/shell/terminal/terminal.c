/* Types at a program that believes it is at a terminal, for tests of the prompt.

     terminal program [args] < steps

   Each line of the steps is one step; in texts \r is Enter, \n a line feed, \t, \e, \\, and \xHH
   any byte:

     type TEXT          types it
     expect TEXT        waits until the program has written TEXT behind what was expected before
     never TEXT         fails when what came since the last expectation, up to the end of the next
                        one, has TEXT
     within MS          the next expectation fails when it takes longer since the last typing
     time LABEL         writes how long the last expectation took since the last typing to stderr
     wait MS            lets time pass; what the program writes is read
     pause MS           lets time pass; the program waits with what the terminal has no room for

   At the end of the steps the terminal is closed.  What the program wrote goes to stdout, then a
   line "status N" (N above 128: that signal less 128). A step that fails says so on stderr; exit
   status 1. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { MOST_OUTPUT = 1 << 24, PATIENCE_MS = 20000, ROWS = 2000, COLUMNS = 200 };

typedef struct {
  int    master;
  pid_t  child;
  char  *seen;             /* all that was written, ends with NUL */
  size_t len, from;        /* from: behind what was expected last */
  double typed, took;      /* when, in ms; the last expectation's time since then */
  long   limit;            /* of the next expectation; 0: none */
  char   never[256];
} Terminal;

static double now_ms(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int hex(char c) { return c >= 'a' ? c - 'a' + 10 : c >= 'A' ? c - 'A' + 10 : c - '0'; }

/* The text of a step, its escapes replaced, in place. */
static size_t plain(char *text)
{
  static const char names[] = "rnte\\", values[] = "\r\n\t\033\\";
  char *to = text;
  for (const char *p = text; *p; p++) {
    const char *name = *p == '\\' && p[1] ? strchr(names, p[1]) : NULL;
    if (*p == '\\' && p[1] == 'x' && p[2] && p[3]) {
      *to++ = (char)(hex(p[2]) << 4 | hex(p[3]));
      p += 3;
    } else if (name) {
      *to++ = values[name - names];
      p++;
    } else {
      *to++ = *p;
    }
  }
  *to = '\0';
  return (size_t)(to - text);
}

/* Reads what there is, for at most so long; false: the program has closed the terminal. */
static bool read_some(Terminal *terminal, int ms)
{
  struct pollfd p = { .fd = terminal->master, .events = POLLIN };
  if (poll(&p, 1, ms) <= 0) return true;
  ssize_t n =
      read(terminal->master, terminal->seen + terminal->len, MOST_OUTPUT - terminal->len - 1);
  if (n <= 0) return n < 0 && errno == EINTR;
  for (ssize_t i = 0; i < n; i++)
    if (terminal->seen[terminal->len + (size_t)i] == '\0')
      terminal->seen[terminal->len + (size_t)i] = '?';
  terminal->len += (size_t)n;
  terminal->seen[terminal->len] = '\0';
  return true;
}

static bool type_text(Terminal *terminal, const char *text, size_t length)
{
  terminal->typed = now_ms();
  while (length) {
    ssize_t n = write(terminal->master, text, length);
    if (n < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (n > 0) {
      text += n;
      length -= (size_t)n;
    }
    read_some(terminal, n > 0 ? 0 : 10);
  }
  terminal->typed = now_ms();
  return true;
}

static bool failed(const Terminal *terminal, const char *what, const char *text)
{
  fprintf(stderr, "terminal: %s '%s' in '%s'\n", what, text, terminal->seen + terminal->from);
  return false;
}

static bool expect(Terminal *terminal, const char *text)
{
  double end = now_ms() + PATIENCE_MS;
  const char *found;
  bool open = true;
  while ((found = strstr(terminal->seen + terminal->from, text)) == NULL && open && now_ms() < end)
    open = read_some(terminal, 20);
  if (found == NULL)
    return failed(terminal, open ? "waited in vain for" : "the program ended before", text);
  double took = terminal->took = now_ms() - terminal->typed;
  const char *bad =
      *terminal->never ? strstr(terminal->seen + terminal->from, terminal->never) : NULL;
  if (bad && bad < found + strlen(text)) return failed(terminal, "there is", terminal->never);
  if (terminal->limit && took > (double)terminal->limit)
    return failed(terminal, "came too late:", text);
  terminal->from = (size_t)(found - terminal->seen) + strlen(text);
  terminal->limit = 0;
  *terminal->never = '\0';
  return true;
}

static void wait_ms(Terminal *terminal, double ms)
{
  for (double end = now_ms() + ms; now_ms() < end;)
    if (!read_some(terminal, 10)) return;
}

static bool step(Terminal *terminal, char *line)
{
  line[strcspn(line, "\n")] = '\0';
  char *text = strchr(line, ' ');
  if (text == NULL) return *line == '\0';
  *text++ = '\0';
  size_t length = plain(text);
  if (strcmp(line, "type") == 0) return type_text(terminal, text, length);
  if (strcmp(line, "expect") == 0) return expect(terminal, text);
  if (strcmp(line, "time") == 0) fprintf(stderr, "%s %.0f ms\n", text, terminal->took);
  else if (strcmp(line, "wait") == 0) wait_ms(terminal, atof(text));
  else if (strcmp(line, "pause") == 0) usleep((useconds_t)atol(text) * 1000);
  else if (strcmp(line, "within") == 0) terminal->limit = atol(text);
  else if (strcmp(line, "never") == 0)
    snprintf(terminal->never, sizeof terminal->never, "%s", text);
  else return failed(terminal, "there is no step", line);
  return true;
}

static void run_child(const char *name, char **words)
{
  int slave = open(name, O_RDWR);
  struct winsize size = { .ws_row = ROWS, .ws_col = COLUMNS };
  if (slave < 0 || setsid() < 0 || ioctl(slave, TIOCSCTTY, 0) < 0) _exit(126);
  ioctl(slave, TIOCSWINSZ, &size);
  for (int fd = 0; fd < 3; fd++) dup2(slave, fd);
  if (slave > 2) close(slave);
  execvp(words[0], words);
  _exit(127);
}

static bool start(Terminal *terminal, char **words)
{
  terminal->master = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal->master < 0 || grantpt(terminal->master) || unlockpt(terminal->master)) return false;
  const char *name = ptsname(terminal->master);
  terminal->child = fork();
  if (terminal->child == 0) {
    close(terminal->master);
    run_child(name, words);
  }
  fcntl(terminal->master, F_SETFL, O_NONBLOCK);
  fcntl(terminal->master, F_SETFD, FD_CLOEXEC);
  terminal->seen = calloc(1, MOST_OUTPUT);
  return terminal->child > 0 && terminal->seen;
}

/* Status of the program once it has read all; one that does not end is killed. */
static int finish(Terminal *terminal)
{
  int status = 0;
  double end = now_ms() + 2000;
  while (waitpid(terminal->child, &status, WNOHANG) == 0) {
    if (now_ms() > end) kill(terminal->child, SIGKILL);
    read_some(terminal, 10);
  }
  read_some(terminal, 10);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int count, char **words)
{
  Terminal t = { 0 };
  char *line = NULL;
  size_t room = 0;
  bool good = count > 1 && start(&t, words + 1);
  while (good && getline(&line, &room, stdin) >= 0) good = step(&t, line);
  if (t.child <= 0) return 2;
  int status = finish(&t);
  printf("%s\nstatus %d\n", t.seen, status);
  free(line);
  free(t.seen);
  return good ? 0 : 1;
}
