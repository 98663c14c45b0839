#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "shell/shell.h"

static unsigned lines_of(const char *text, size_t length)
{
  unsigned lines = 0;
  for (size_t i = 0; i < length; i++) lines += text[i] == '\n';
  return lines;
}

void shell_page(Console *console, const char *text, size_t length)
{
  struct winsize size = { 0 };
  const char *pager = getenv("PAGER");
  bool fits = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0
              || lines_of(text, length) < size.ws_row;
  console_flush(console);
  FILE *to = NULL;
  if (!fits && !(pager && *pager == '\0')) {
    signal(SIGPIPE, SIG_IGN);
    shell_paging(true);
    to = popen(pager ? pager : "less -FRX", "w");
  }
  if (to == NULL) {
    shell_paging(false);
    console_write(console, text, length);
    return;
  }
  fwrite(text, 1, length, to);
  pclose(to);
  shell_paging(false);
  signal(SIGPIPE, SIG_DFL);
  if (console->log_file) fwrite(text, 1, length, console->log_file);
}
