/* The manual: writes pages from the rows of commands, and finds explanations of messages. */
#ifndef SL_TCLBIND_MANUAL_H
#define SL_TCLBIND_MANUAL_H

#include "tclbind/console.h"

bool   manual_is_code(const char *topic);                             /* "SPEF-012" */
/* appends the paragraph of man/messages */
Status manual_message(Console *console, const char *code, Text *text);
/* writes slackline.1 and a page for each command */
Status manual_write(const Session *s, const char *folder);
/* appends "; did you mean x?" */
void manual_add_nearest(const Session *s, Text *text, const char *command);

#endif
