/* Shared by the commands that edit the netlist: the lines that make an edit again, and swaps of
   many cells. */
#ifndef SL_CMD_EDITS_EDIT_COMMAND_H
#define SL_CMD_EDITS_EDIT_COMMAND_H

#include "optimize/edit_rules.h"
#include "optimize/edits.h"
#include "tclbind/command.h"

/* A word of a command: objects by their names; a name in a scope, or a word as it is. */
typedef struct {
  const Object *objects;
  uint32_t      count;
  Object        one;
  InstId        scope;              /* NO_INST: text alone */
  const char   *text;               /* NULL: objects */
} EditWord;

static inline EditWord edit_objects(const Object *objects, uint32_t count)
{
  return (EditWord){ .objects = objects, .count = count };
}
static inline EditWord edit_object(Object o) { return (EditWord){ .count = 1, .one = o }; }
static inline EditWord edit_path(InstId scope, const char *local)
{
  return (EditWord){ .scope = scope, .text = local };
}
static inline EditWord edit_text(const char *text)
{
  return (EditWord){ .scope = NO_INST, .text = text };
}

/* The session's edits, which the placement follows. */
Edits *command_edits(Session *s);

/* Appends a line of Tcl without its end. */
void   edit_script(Session *s, const char *command, const EditWord *words, uint32_t count,
                   Text *out);
/* Ends the edit of a command whose words make it again. */
Status end_edit(Session *s, const Args *a, Status status, const EditWord *words, uint32_t count);

/* A new object's full name is another's: both are told apart from now on. */
void   part_new_cell(Session *s, Args *a, InstId made);
void   part_new_net(Session *s, Args *a, SegId made);

typedef struct {
  InstId inst;
  CellId to;
} Swap;
typedef ARRAY(Swap) SwapList;
/* All of them as one edit, or none; those under set_dont_touch are counted. */
Status swap_cells(Session *s, const char *command, const SwapList *swaps);

#endif
