/* Handles Ctrl-C: the signal handler sets the interrupt flag and cancels the Tcl script; commands
   of Tcl that wait are replaced by ones that notice it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "tclbind/behind.h"
#include "shell/shell.h"

/* A signal handler has no context: these few belong to the process. */
static Tcl_AsyncHandler canceller;
static volatile sig_atomic_t lasting;         /* a prompt follows whatever runs: nothing but exit
                                                 may end the program */
static volatile sig_atomic_t prompting;
static volatile sig_atomic_t paging;
static volatile sig_atomic_t last_second;
static volatile sig_atomic_t came_before;

/* A signal handler may only use a plain write.  If it fails, nothing can be done. */
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
    say(again ? "still stopping ... (Ctrl-\\ ends the program at once)\n"
              : "stopping ... (exit ends the program)\n");
  last_second = second;
  came_before = 1;
  interrupt_set();
  if (!prompting && canceller) Tcl_AsyncMark(canceller);
}

/* Runs between two Tcl commands: `catch` does not hold an unwinding cancellation.  A mark that was
   left from a command that had ended by itself is no reason to cancel the next one. */
static int cancel(ClientData data, Tcl_Interp *interp, int code)
{
  Console *console = data;
  (void)interp;
  if (interrupt_pending())
    Tcl_CancelEval(console->interp, Tcl_NewStringObj("interrupted", -1), NULL, TCL_CANCEL_UNWIND);
  return code;
}

/* --- Tcl's commands that wait ----------------------------------------------------------------- */

enum { WAIT_STEP = 50 };       /* ms */

static int after_interrupt(Tcl_Interp *interp)
{
  return Tcl_AsyncReady() ? Tcl_AsyncInvoke(interp, TCL_OK) : TCL_OK;
}

/* after MS: Tcl's own sleeps for half a second before it looks up. */
static int after_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
  Tcl_WideInt ms;
  if (count != 2 || Tcl_GetWideIntFromObj(NULL, words[1], &ms) != TCL_OK)
    return behind_run(data, interp, count, words);
  for (; ms > 0 && !interrupt_seen(); ms -= WAIT_STEP)
    Tcl_Sleep(ms < WAIT_STEP ? (int)ms : WAIT_STEP);
  return after_interrupt(interp);
}

/* Waits for input if nothing is left of what was typed before. */
static void wait_for_stdin(Tcl_Interp *interp)
{
  int mode;
  struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
  Tcl_Channel channel = Tcl_GetChannel(interp, "stdin", &mode);
  if (channel == NULL || Tcl_InputBuffered(channel)) return;
  while (!interrupt_seen() && poll(&in, 1, WAIT_STEP) == 0) continue;
}

/* gets stdin, read stdin: Tcl's own read again after a signal. */
static int stdin_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
  bool from_stdin = false;
  for (int i = 1; i < count; i++) from_stdin |= strcmp(Tcl_GetString(words[i]), "stdin") == 0;
  if (!from_stdin || !isatty(STDIN_FILENO)) return behind_run(data, interp, count, words);
  wait_for_stdin(interp);
  return interrupt_seen() ? after_interrupt(interp) : behind_run(data, interp, count, words);
}

void shell_catch_interrupts(Console *console, bool prompt_follows)
{
  struct sigaction action = { .sa_handler = on_interrupt };
  canceller = Tcl_AsyncCreate(cancel, console);
  lasting = prompt_follows;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  behind_replace(console->interp, "after", after_command, NULL);
  behind_replace(console->interp, "gets", stdin_command, NULL);
  behind_replace(console->interp, "read", stdin_command, NULL);
}

void shell_at_prompt(bool at_prompt)
{
  prompting = at_prompt;
  came_before = 0;
  interrupt_clear();
}

void shell_paging(bool on) { paging = on; }
