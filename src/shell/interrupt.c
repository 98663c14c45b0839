#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
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
  bool again = !prompting && came_before && interrupt_seen();
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
  if (interrupt_seen()) Tcl_CancelEval(c->interp, Tcl_NewStringObj("interrupted", -1), NULL, TCL_CANCEL_UNWIND);
  return code;
}

/* --- after MS ------------------------------------------------------------------------------------------------ */

enum { AFTER_STEP = 50 };       /* ms */

/* Tcl's own sleeps for half a second before it looks up. */
static int sleep_for(Tcl_Interp *interp, Tcl_WideInt ms)
{
  for (; ms > 0 && !interrupt_seen(); ms -= AFTER_STEP) Tcl_Sleep(ms < AFTER_STEP ? (int)ms : AFTER_STEP);
  return Tcl_AsyncReady() ? Tcl_AsyncInvoke(interp, TCL_OK) : TCL_OK;
}

static int after_command(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
  const Tcl_CmdInfo *own = data;
  Tcl_WideInt ms;
  if (count == 2 && Tcl_GetWideIntFromObj(NULL, words[1], &ms) == TCL_OK) return sleep_for(interp, ms);
  return own->objProc(own->objClientData, interp, count, words);
}

static void forget_after(ClientData data) { mem_free(data); }

static void wake_after(Tcl_Interp *interp)
{
  Tcl_CmdInfo *own = mem_alloc_zero(1, sizeof *own);
  if (Tcl_GetCommandInfo(interp, "after", own) && own->isNativeObjectProc)
    Tcl_CreateObjCommand(interp, "after", after_command, own, forget_after);
  else mem_free(own);
}

void shell_catch_interrupts(Console *c, bool prompt_follows)
{
  struct sigaction action = { .sa_handler = on_interrupt };
  canceller = Tcl_AsyncCreate(cancel, c);
  lasting = prompt_follows;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  wake_after(c->interp);
}

void shell_at_prompt(bool at_prompt)
{
  prompting = at_prompt;
  came_before = 0;
  interrupt_clear();
}

void shell_paging(bool on) { paging = on; }
