/* The shell around the commands: prompt, completion, interrupt, pager, unknown names. */
#ifndef SL_SHELL_SHELL_H
#define SL_SHELL_SHELL_H

#include "tclbind/console.h"

/* Installs the handler for Ctrl-C. It cancels the running command and says so; repeating it has no
   further effect. At the prompt it clears the line. In batch, where no session can be lost, a
   second Ctrl-C within a second ends the program. */
void shell_catch_interrupts(Console *console, bool prompt_follows);
void shell_at_prompt(bool at_prompt);
void shell_paging(bool on);          /* on: the pager owns the terminal and handles Ctrl-C */

/* Handles unknown command names: Tcl's autoload libraries, unknown commands in SDC files,
   abbreviations at the prompt, and the suggestion of a near name. */
void shell_add_unknown(Console *console);

/* Read commands from the terminal, or from a pipe or file, to the end. Return the exit status. */
int shell_prompt(Console *console);
int shell_read_stdin(Console *console);

/* Shows long output page by page. */
void shell_page(Console *console, const char *text, size_t length);

/* Candidates for completing the word that ends at the cursor: commands, options, their words,
   files, variables, and names of the design and the libraries, by the rows of options
   (doc/prompt.md). */
typedef struct {
  ARRAY(char *) words;      /* empty if there are too many */
  uint32_t total;
  size_t   start;           /* where the word begins in the line */
} Completion;
void completion_find(Console *console, const char *line, size_t cursor, Completion *found);
void completion_free(Completion *found);

#endif
