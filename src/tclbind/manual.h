/* The manual: pages written from the rows, and explanations of messages. */
#ifndef SL_TCLBIND_MANUAL_H
#define SL_TCLBIND_MANUAL_H

#include "tclbind/console.h"

bool   manual_is_code(const char *topic);                             /* "SPEF-012" */
/* the paragraph of man/messages */
Status manual_message(Console *c, const char *code, Text *t);
/* slackline.1 and a page for each command */
Status manual_write(const Session *s, const char *folder);
void manual_add_nearest(const Session *s, Text *t, const char *command); /* "; did you mean x?" */

#endif
