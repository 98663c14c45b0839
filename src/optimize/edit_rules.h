/* Rules for what edits and optimizers must leave alone: set_dont_use, set_dont_touch,
   set_size_only.

   The rules belong to the design and its libraries, not to a mode. A rule for a hierarchical cell,
   a module or the design applies to all cells inside.

   Liberty's dont_use and dont_touch apply until a command for the library cell says otherwise. A
   command for a cell of the design does not switch them off: a cell is not to be touched if any of
   the rules for it says so. */
#ifndef SL_OPTIMIZE_EDIT_RULES_H
#define SL_OPTIMIZE_EDIT_RULES_H

#include "db/netlist.h"

typedef struct EditRules EditRules;

EditRules *edit_rules_new(void);
void       edit_rules_free(EditRules *rules);            /* NULL is allowed */
/* Forgets the rules for objects of the design. Call it when another design is linked. */
void       edit_rules_forget_design(EditRules *rules);

/* Set rules for library cells. If `on` is false, they remove the rule, and Liberty's attribute does
   not apply either. */
void edit_rules_dont_use(EditRules *rules, CellId cell, bool on);
void edit_rules_dont_touch_lib_cell(EditRules *rules, CellId cell, bool on);
/* Set rules for objects of the design. If `on` is false, they remove the rule for this object.
   Rules for objects around it and for its library cell stay. */
void edit_rules_dont_touch_design(EditRules *rules, bool on);
void edit_rules_dont_touch_inst(EditRules *rules, InstId inst, bool on);
void edit_rules_dont_touch_net(EditRules *rules, SegId seg, bool on);
void edit_rules_dont_touch_module(EditRules *rules, NameId module, bool on);
void edit_rules_size_only(EditRules *rules, InstId inst, bool on);

/* --- queries; rules may be NULL: no rules ----------------------------------------------------- */
bool rules_dont_use(const EditRules *rules, const LibrarySet *libs, CellId cell);
bool rules_dont_touch_lib_cell(const EditRules *rules, const LibrarySet *libs, CellId cell);

/* The rule that forbids to touch a cell. */
typedef enum {
  TOUCH_ALLOWED,
  TOUCH_NOT_CELL,              /* a rule for the cell, or for a hierarchical cell around it */
  TOUCH_NOT_MODULE,
  TOUCH_NOT_DESIGN,
  TOUCH_NOT_LIB_CELL
} TouchRule;
/* Returns the rule for an instance. If there are several, the first of these: design, library cell,
   then cell and module from the instance outwards. *at receives the cell that the rule was given
   for; at may be NULL. */
TouchRule rules_of_inst(const EditRules *rules, const Netlist *n, InstId inst, InstId *at);
/* Returns true if set_size_only was said of the cell, or of a hierarchical cell around it. No
   attribute of a library cell says this. */
bool      rules_size_only(const EditRules *rules, const Netlist *n, InstId inst);
/* Returns true if a rule forbids to touch a segment of the net, or the design. */
bool      rules_dont_touch_net(const EditRules *rules, const Netlist *n, NetId net);

/* Return OK if the rules allow the edit. Otherwise log an error with the reason. `what` names the
   edit in the error, for example "swap the cell of" or "remove". */
Status rules_may_edit(const EditRules *rules, const Netlist *n, InstId inst, const char *what,
                      Log *log);
/* The same; set_size_only forbids it too. */
Status rules_may_remove(const EditRules *rules, const Netlist *n, InstId inst, Log *log);
Status rules_may_edit_net(const EditRules *rules, const Netlist *n, NetId net, const char *what,
                          Log *log);

#endif
