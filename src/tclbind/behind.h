/* Commands of ours in the place of Tcl's own of the same name, which they go on to. */
#ifndef SL_TCLBIND_BEHIND_H
#define SL_TCLBIND_BEHIND_H

#include <tcl.h>

/* The client data of such a command of ours. */
typedef struct {
  Tcl_ObjCmdProc *run;       /* Tcl's own */
  ClientData      data;
  void           *context;   /* ours */
} Behind;

/* Nothing happens where Tcl has no such command. */
void behind_replace(Tcl_Interp *interp, const char *name, Tcl_ObjCmdProc *ours, void *context);
/* Runs Tcl's own. */
int  behind_run(const Behind *b, Tcl_Interp *interp, int count, Tcl_Obj *const words[]);

#endif
