#include "tclbind/behind.h"

#include "base/memory.h"

static void free_behind(ClientData data) { mem_free(data); }

void behind_replace(Tcl_Interp *interp, const char *name, Tcl_ObjCmdProc *ours, void *context)
{
  Tcl_CmdInfo own;
  if (!Tcl_GetCommandInfo(interp, name, &own)) return;
  Behind *behind = mem_alloc(sizeof *behind);
  *behind = (Behind){ own.objProc, own.objClientData, context };
  Tcl_CreateObjCommand(interp, name, ours, behind, free_behind);
}

int behind_run(const Behind *behind, Tcl_Interp *interp, int count, Tcl_Obj *const words[])
{
  return behind->run(behind->data, interp, count, words);
}
