#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "shell/shell.h"

/* A signal handler has no context: these few belong to the process. */
static Tcl_AsyncHandler canceller;
static volatile sig_atomic_t prompting;
static volatile sig_atomic_t last_second;
static volatile sig_atomic_t came_before;

static void on_interrupt(int signal_number)
{
  (void)signal_number;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!prompting && came_before && interrupt_seen() && now.tv_sec - last_second <= 1) _exit(130);
  last_second = (sig_atomic_t)now.tv_sec;
  came_before = 1;
  interrupt_set();
  if (!prompting && canceller) Tcl_AsyncMark(canceller);
}

/* Runs between two Tcl commands: `catch` does not hold an unwinding cancellation. */
static int cancel(ClientData data, Tcl_Interp *interp, int code)
{
  Console *c = data;
  (void)interp;
  Tcl_CancelEval(c->interp, Tcl_NewStringObj("interrupted", -1), NULL, TCL_CANCEL_UNWIND);
  return code;
}

void shell_catch_interrupts(Console *c)
{
  struct sigaction action = { .sa_handler = on_interrupt };
  canceller = Tcl_AsyncCreate(cancel, c);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
}

void shell_at_prompt(bool at_prompt)
{
  prompting = at_prompt;
  came_before = 0;
  interrupt_clear();
}
