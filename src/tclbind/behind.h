/* Replaces commands of Tcl by ours, which can then call Tcl's own. */
#ifndef SL_TCLBIND_BEHIND_H
#define SL_TCLBIND_BEHIND_H

#include <tcl.h>

/* The client data of the replacing command. */
typedef struct {
  Tcl_ObjCmdProc *run;       /* Tcl's own */
  ClientData      data;
  void           *context;   /* ours */
} Behind;

/* Replaces a command. No effect if Tcl has no such command. */
void behind_replace(Tcl_Interp *interp, const char *name, Tcl_ObjCmdProc *ours, void *context);
/* Runs Tcl's own command. */
int  behind_run(const Behind *behind, Tcl_Interp *interp, int count, Tcl_Obj *const words[]);

#endif
