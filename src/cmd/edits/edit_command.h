/* Functions that the commands for edits of the netlist share. They compose the line of Tcl that
   makes an edit again, and swap many cells. */
#ifndef SL_CMD_EDITS_EDIT_COMMAND_H
#define SL_CMD_EDITS_EDIT_COMMAND_H

#include "optimize/edit_rules.h"
#include "optimize/edits.h"
#include "tclbind/command.h"

/* A word of a command: the names of objects, a name in a scope, or plain text. */
typedef struct {
  const Object *objects;
  uint32_t      count;
  Object        one;
  InstId        scope;              /* NO_INST: text alone */
  const char   *text;               /* NULL: objects */
  bool          typed;              /* objects: the word says what kind each of them is */
} EditWord;

static inline EditWord edit_objects(const Object *objects, uint32_t count)
{
  return (EditWord){ .objects = objects, .count = count };
}
static inline EditWord edit_object(Object o) { return (EditWord){ .count = 1, .one = o }; }
/* For a word that may be objects of several kinds, which can have equal names. */
static inline EditWord edit_typed_objects(const Object *objects, uint32_t count)
{
  return (EditWord){ .objects = objects, .count = count, .typed = true };
}
static inline EditWord edit_typed_object(Object o)
{
  return (EditWord){ .count = 1, .one = o, .typed = true };
}
static inline EditWord edit_path(InstId scope, const char *local)
{
  return (EditWord){ .scope = scope, .text = local };
}
static inline EditWord edit_text(const char *text)
{
  return (EditWord){ .scope = NO_INST, .text = text };
}

/* Returns the session's edits. The placement observes them. */
Edits *command_edits(Session *s);

/* Appends a command as a line of Tcl, without the end of the line. */
void   edit_script(Session *s, const char *command, const EditWord *words, uint32_t count,
                   Text *out);
/* Ends the edit of a command. The command with these words makes the edit again. */
Status end_edit(Session *s, const Args *a, Status status, const EditWord *words, uint32_t count);

/* If a new object has the full name of another one, make sure that the two differ from now on. */
void   part_new_cell(Session *s, Args *a, InstId made);
void   part_new_net(Session *s, Args *a, SegId made);

typedef EditSwap Swap;
typedef ARRAY(Swap) SwapList;
/* Makes all swaps as one edit, or none of them. Cells under set_dont_touch are not swapped but
   counted. */
Status swap_cells(Session *s, const char *command, const SwapList *swaps);

#endif
