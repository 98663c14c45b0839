/* A text file read as a stream, plain or gzip (told by content), through one window of memory.

   Readers scan with the raw pointers: cur <= end, *end is always NUL.  On a NUL at end they call
   input_refill, which keeps the text from a given pointer on and moves it to the window's start:

       while (is_word(*in->cur)) in->cur++;         // stops at NUL
       if (in->cur == in->end && input_refill(in, &start)) continue...

   Lines are counted by the reader: input_newline when it has passed a '\n'.  A NUL before end is a
   byte of the file (a binary file).

   A damaged gzip file gives garbage before zlib comes to its checksum.  So when the log gets its
   first error while a gzip file is open, the rest of the file is read, and the damage is the error
   that is kept; what was to follow is then gone: nothing goes on after an error. */
#ifndef SL_BASE_INPUT_H
#define SL_BASE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"

typedef struct Input {
  char    *cur;          /* next character */
  char    *end;          /* one past the last character of the window; *end == 0 */
  char    *window;       /* its first character */
  uint32_t line;         /* of cur, from 1 */
  int64_t  line_start;   /* offset in the file's text of the line's first character */
  int64_t  base;         /* offset in the file's text of the window */
  const char *path;
  bool     failed;       /* reading broke off: damaged gzip, I/O error, interrupt; the log has the
                            error */
  struct InputState *state;
} Input;

/* Opens a file.  NULL, with the error in the log, when it cannot be read, is a directory, or is
   empty.  A byte order mark of UTF-8 is skipped. text, when not NULL, names memory to read instead
   of a file (for tests); path then only names it. */
Input *input_open(const char *path, Log *log);
Input *input_open_text(const char *path, const char *text, Log *log);
void   input_close(Input *in);

/* Is it a file without text (but for a byte order mark), plain or gzip?  What can be read only
   once, such as a pipe, is left alone. */
bool   input_is_empty(const char *path);

/* Reads more.  *keep (NULL: in->cur) is the first character still needed; it, in->cur and in->end
   move.  False at the end of the file, where nothing moves. */
bool input_refill(Input *in, char **keep);

static inline void input_newline(Input *in);     /* cur is just past '\n' */
Where input_where(const Input *in);              /* of cur */
Where input_where_at(const Input *in, const char *at);   /* of a pointer on the same line */

/* Bytes of text read so far. */
int64_t input_offset(const Input *in);

static inline void input_newline(Input *in)
{
  in->line++;
  in->line_start = in->base + (in->cur - in->window);
}

#endif
