/* What the lexers of SPEF and SDF share: text beyond the input's window, comments as C has them,
   strings in quotes.

   *failed is set when reading broke off (the log has the error); it never is cleared. */
#ifndef SL_READ_SCAN_H
#define SL_READ_SCAN_H

#include "base/input.h"

/* More text, when cur is at the window's end; keep as in input_refill.  False at the end of the
   file. */
bool scan_more(Input *in, char **keep, bool *failed);
/* Is the character behind cur this one?  It is read in when it is beyond the window. */
bool scan_followed_beyond(Input *in, char **keep, char second, bool *failed);
static inline bool scan_followed_by(Input *in, char **keep, char second, bool *failed)
{
  return in->cur + 1 == in->end ? scan_followed_beyond(in, keep, second, failed)
                                : in->cur[1] == second;
}
/* From the opening of a comment to the end of its line. */
void scan_line(Input *in, bool *failed);
/* From the opening of a comment of the other kind over its end.  False: there is none. */
bool scan_block(Input *in, bool *failed);
/* From the opening quote over the closing one.  False: there is none within reason. */
bool scan_string(Input *in, const char **text, uint32_t *length, bool *failed);

#endif
