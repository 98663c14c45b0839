#include "tclbind/behind.h"

#include "base/memory.h"

static void free_behind(ClientData data) { mem_free(data); }

void behind_replace(Tcl_Interp *interp, const char *name, Tcl_ObjCmdProc *ours, void *context)
{
  Tcl_CmdInfo own;
  if (!Tcl_GetCommandInfo(interp, name, &own)) return;
  Behind *b = mem_alloc(sizeof *b);
  *b = (Behind){ own.objProc, own.objClientData, context };
  Tcl_CreateObjCommand(interp, name, ours, b, free_behind);
}

int behind_run(const Behind *b, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
  return b->run(b->data, interp, count, words);
}
