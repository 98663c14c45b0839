/* The shell around the commands: prompt, completion, interrupt, pager, unknown names. */
#ifndef SL_SHELL_SHELL_H
#define SL_SHELL_SHELL_H

#include "tclbind/console.h"

/* Ctrl-C cancels what runs, however often it comes, and says so.  At the prompt it clears the line.
   In batch, where no session can be lost, it ends the program when it comes again within a
   second. */
void shell_catch_interrupts(Console *c, bool prompt_follows);
void shell_at_prompt(bool at_prompt);
void shell_paging(bool on);          /* the pager has the terminal, and its Ctrl-C */

/* Names that no command has: Tcl's libraries, SDC files' unknown commands, abbreviations at the
   prompt, the nearest name. */
void shell_add_unknown(Console *c);

/* Reads commands from the terminal, or from a pipe or file to its end; the exit status. */
int shell_prompt(Console *c);
int shell_read_stdin(Console *c);

/* Shows long output page by page. */
void shell_page(Console *c, const char *text, size_t length);

/* Candidates for the word that ends at the cursor. */
typedef struct {
  ARRAY(char *) words;      /* none when there are too many */
  uint32_t total;
  size_t   start;           /* of the word in the line */
} Completion;
void completion_find(Console *c, const char *line, size_t cursor, Completion *found);
void completion_free(Completion *found);

#endif
