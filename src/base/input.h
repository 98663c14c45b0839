/* Reads a text file as a stream through one window of memory. The file is plain or gzip; the
   content decides, not the name.

   Readers scan with the raw pointers: cur <= end, *end is always NUL. At the NUL at end they call
   input_refill. It keeps the text that begins at a given pointer and moves it to the start of the
   window:

       while (is_word(*in->cur)) in->cur++;         // stops at NUL
       if (in->cur == in->end && input_refill(in, &start)) continue...

   The reader counts lines: it calls input_newline after each '\n'. A NUL before end is a byte of
   the file (a binary file).

   A damaged gzip file yields garbage before zlib reaches its checksum, and the garbage looks like
   errors of the text. So when the log gets its first error while a gzip file is open, the rest of
   the file is read at once. If the checksum fails, the log keeps that error instead. The text that
   followed is then gone, which does no harm: reading ends after an error. */
#ifndef SL_BASE_INPUT_H
#define SL_BASE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/log.h"
#include "base/text.h"

typedef struct Input {
  char    *cur;          /* next character */
  char    *end;          /* one past the last character of the window; *end == 0 */
  char    *window;       /* its first character */
  uint32_t line;         /* of cur, from 1 */
  int64_t  line_start;   /* offset in the file's text of the line's first character */
  int64_t  base;         /* offset in the file's text of the window */
  const char *path;
  bool     failed;       /* reading ended early (damaged gzip, I/O error, interrupt); the log has
                            the error */
  struct InputState *state;
} Input;

/* Opens a file. NULL, with the error in the log, when it cannot be read, is a directory, or is
   empty. A UTF-8 byte order mark is skipped. input_open_text reads the given text instead of a file
   (for tests); path is then only its name in messages. */
Input *input_open(const char *path, Log *log);
Input *input_open_text(const char *path, const char *text, Log *log);
void   input_close(Input *in);

/* Tells whether a file, plain or gzip, has no text except perhaps a byte order mark. Returns false
   for a pipe and for other files that can be read only once. */
bool   input_is_empty(const char *path);

/* Reads more text. *keep is the first character that the caller still needs; with keep NULL it is
   in->cur. The call moves *keep, in->cur and in->end. At the end of the file it moves nothing and
   returns false. */
bool input_refill(Input *in, char **keep);

static inline void input_newline(Input *in);     /* cur is just past '\n' */
/* Reads the next line, without its end; '\r' and NUL become blanks. False: there is none.  The
   line's number is in->line before the call. */
bool input_line(Input *in, Text *line);
Where input_where(const Input *in);              /* of cur */
Where input_where_at(const Input *in, const char *at);   /* the place of a pointer on the current
                                                            line */

/* Bytes of text read so far. */
int64_t input_offset(const Input *in);

static inline void input_newline(Input *in)
{
  in->line++;
  in->line_start = in->base + (in->cur - in->window);
}

#endif
