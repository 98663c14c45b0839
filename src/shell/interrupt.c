#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "shell/shell.h"

/* A signal handler has no context: these few belong to the process. */
static Tcl_AsyncHandler canceller;
static volatile sig_atomic_t lasting;         /* a prompt follows whatever runs: nothing but exit may end the program */
static volatile sig_atomic_t prompting;
static volatile sig_atomic_t paging;
static volatile sig_atomic_t last_second;
static volatile sig_atomic_t came_before;

/* In a signal handler only a plain write will do.  Nothing can be done where it fails. */
static void say(const char *text)
{
  int before = errno;
  if (write(STDERR_FILENO, text, strlen(text)) < 0) errno = 0;
  errno = before;
}

static void on_interrupt(int signal_number)
{
  (void)signal_number;
  if (paging) return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  sig_atomic_t second = (sig_atomic_t)now.tv_sec;
  bool again = !prompting && came_before && interrupt_pending();
  if (again && !lasting && second - last_second <= 1) _exit(130);
  if (!prompting && lasting && (!again || second != last_second))
    say(again ? "still stopping ... (Ctrl-\\ ends the program at once)\n" : "stopping ... (exit ends the program)\n");
  last_second = second;
  came_before = 1;
  interrupt_set();
  if (!prompting && canceller) Tcl_AsyncMark(canceller);
}

/* Runs between two Tcl commands: `catch` does not hold an unwinding cancellation.  A mark that was left from a command that had ended
   by itself is no reason to cancel the next one. */
static int cancel(ClientData data, Tcl_Interp *interp, int code)
{
  Console *c = data;
  (void)interp;
  if (interrupt_pending()) Tcl_CancelEval(c->interp, Tcl_NewStringObj("interrupted", -1), NULL, TCL_CANCEL_UNWIND);
  return code;
}

void shell_catch_interrupts(Console *c, bool prompt_follows)
{
  struct sigaction action = { .sa_handler = on_interrupt };
  canceller = Tcl_AsyncCreate(cancel, c);
  lasting = prompt_follows;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
}

void shell_at_prompt(bool at_prompt)
{
  prompting = at_prompt;
  came_before = 0;
  interrupt_clear();
}

void shell_paging(bool on) { paging = on; }
