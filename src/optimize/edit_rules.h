/* What an optimizer, and edits, must leave alone: set_dont_use, set_dont_touch, set_size_only.

   They are of the design and its libraries, not of a mode.  What is said of a hierarchical cell, a
   module or the design holds for all cells inside.  Liberty's dont_use and dont_touch hold until a
   command says otherwise. */
#ifndef SL_OPTIMIZE_EDIT_RULES_H
#define SL_OPTIMIZE_EDIT_RULES_H

#include "db/netlist.h"

typedef struct EditRules EditRules;

EditRules *edit_rules_new(void);
void       edit_rules_free(EditRules *r);            /* NULL is allowed */
/* Another design: what was said of objects of the old one goes. */
void       edit_rules_forget_design(EditRules *r);

/* Of library cells; on false: taken back, Liberty's attribute included. */
void edit_rules_dont_use(EditRules *r, CellId cell, bool on);
void edit_rules_dont_touch_lib_cell(EditRules *r, CellId cell, bool on);
/* Of objects of the design. */
void edit_rules_dont_touch_design(EditRules *r, bool on);
void edit_rules_dont_touch_inst(EditRules *r, InstId inst, bool on);
void edit_rules_dont_touch_net(EditRules *r, SegId seg, bool on);
void edit_rules_dont_touch_module(EditRules *r, NameId module, bool on);
void edit_rules_size_only(EditRules *r, InstId inst, bool on);

/* --- asking; r may be NULL: nothing was said -------------------------------------------------- */
bool rules_dont_use(const EditRules *r, const LibrarySet *libs, CellId cell);
bool rules_dont_touch_lib_cell(const EditRules *r, const LibrarySet *libs, CellId cell);

/* Why a cell is not to be touched. */
typedef enum {
  TOUCH_ALLOWED,
  TOUCH_NOT_CELL,              /* its own, or a hierarchical cell around it */
  TOUCH_NOT_MODULE,
  TOUCH_NOT_DESIGN,
  TOUCH_NOT_LIB_CELL
} TouchRule;
/* *at (may be NULL): the cell of which it was said. */
TouchRule rules_of_inst(const EditRules *r, const Netlist *n, InstId inst, InstId *at);
bool      rules_size_only(const EditRules *r, const Netlist *n, InstId inst);
/* Is any segment of the net not to be touched, or the design? */
bool      rules_dont_touch_net(const EditRules *r, const Netlist *n, NetId net);

/* Errors with the reason; OK where there is none.  what: "swap the cell of", "remove". */
Status rules_may_edit(const EditRules *r, const Netlist *n, InstId inst, const char *what,
                      Log *log);
/* The same and size_only. */
Status rules_may_remove(const EditRules *r, const Netlist *n, InstId inst, Log *log);
Status rules_may_edit_net(const EditRules *r, const Netlist *n, NetId net, const char *what,
                          Log *log);

#endif
