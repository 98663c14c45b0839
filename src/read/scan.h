/* Functions that the lexers of SPEF and SDF share: text beyond the input's window, comments as in
   C, quoted strings. *failed is set if reading ended early, with the error in the log; it is never
   cleared. */
#ifndef SL_READ_SCAN_H
#define SL_READ_SCAN_H

#include "base/input.h"

/* Reads more text if cur is at the end of the window; for keep see input_refill. Returns false at
   the end of the file. */
bool scan_more(Input *in, char **keep, bool *failed);
/* Is `second` the character after cur? Reads more text if it is beyond the window. */
bool scan_followed_beyond(Input *in, char **keep, char second, bool *failed);
static inline bool scan_followed_by(Input *in, char **keep, char second, bool *failed)
{
  return in->cur + 1 == in->end ? scan_followed_beyond(in, keep, second, failed)
                                : in->cur[1] == second;
}
/* Skips from the beginning of a comment to the end of its line. */
void scan_line(Input *in, bool *failed);
/* Skips from the beginning of a block comment to after its end. Returns false if it has no end. */
bool scan_block(Input *in, bool *failed);
/* Reads from the opening quote to after the closing quote. Returns false if there is no closing
   quote within a reasonable length. */
bool scan_string(Input *in, const char **text, uint32_t *length, bool *failed);

#endif
