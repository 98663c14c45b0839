/* Handles names that no command has: abbreviations, bits of buses without braces, constraints that
   are unknown, and suggestions. */
#include <string.h>

#include "tclbind/manual.h"
#include "shell/shell.h"

/* Tcl's own library procedures are loaded on first use. */
static bool auto_loaded(Console *console, Tcl_Obj *name)
{
  Tcl_CmdInfo info;
  if (!Tcl_GetCommandInfo(console->interp, "::auto_load", &info)) return false;
  Tcl_Obj *words[] = { Tcl_NewStringObj("::auto_load", -1), name };
  for (int i = 0; i < 2; i++) Tcl_IncrRefCount(words[i]);
  int yes = 0;
  if (Tcl_EvalObjv(console->interp, 2, words, TCL_EVAL_GLOBAL) == TCL_OK)
    Tcl_GetIntFromObj(NULL, Tcl_GetObjResult(console->interp), &yes);
  for (int i = 0; i < 2; i++) Tcl_DecrRefCount(words[i]);
  Tcl_ResetResult(console->interp);
  return yes && Tcl_GetCommandInfo(console->interp, Tcl_GetString(name), &info);
}

static int call(Console *console, const char *name, int count, Tcl_Obj *const words[])
{
  Tcl_Obj *list = Tcl_NewListObj(count, words), *first = Tcl_NewStringObj(name, -1);
  Tcl_Obj **all;
  Tcl_IncrRefCount(list);
  Tcl_ListObjReplace(NULL, list, 0, 1, 1, &first);
  Tcl_ListObjGetElements(NULL, list, &count, &all);
  int code = Tcl_EvalObjv(console->interp, count, all, 0);
  Tcl_DecrRefCount(list);
  return code;
}

/* Constraints that no timer of ours knows must not stop the reading of a file. */
static int pass_over(Console *console, const char *name)
{
  log_warning(console->session->log, "CMD-054", console_where(console),
              "there is no command %.60s; it is passed over", name);
  Tcl_ResetResult(console->interp);
  return TCL_OK;
}

/* "in[2]", "in[3:0]" and "in[*]" without braces: Tcl takes the bits for a command; they stand for
   themselves. */
static bool is_subscript(const char *name)
{
  return strcmp(name, "*") == 0 || (*name && strspn(name, "0123456789:") == strlen(name));
}

static int subscript(Console *console, const char *name)
{
  Tcl_SetObjResult(console->interp, Tcl_ObjPrintf("[%s]", name));
  return TCL_OK;
}

static int no_such(Console *console, const char *name)
{
  Text more = { 0 };
  manual_add_nearest(console->session, &more, name);
  log_error(console->session->log, "SHELL-001", NOWHERE, "%.60s: no such command%s", name,
            text_get(&more));
  text_free(&more);
  return command_failure(console, false);
}

static int unknown(ClientData data, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
  Console *console = data;
  (void)interp;
  if (count < 2) return TCL_OK;
  const char *name = Tcl_GetString(words[1]);
  if (count == 2 && is_subscript(name)) return subscript(console, name);
  if (auto_loaded(console, words[1])) return Tcl_EvalObjv(console->interp, count - 1, words + 1, 0);
  if (console->scripts.len && console->scripts.at[console->scripts.len - 1].is_sdc)
    return pass_over(console, name);
  const Command *full = console->interactive && console->scripts.len == 0
                            ? command_find(console->session, name, true)
                            : NULL;
  if (full) return call(console, full->name, count - 1, words + 1);
  return no_such(console, name);
}

void shell_add_unknown(Console *console)
{
  Tcl_CreateObjCommand(console->interp, "::unknown", unknown, console, NULL);
}
