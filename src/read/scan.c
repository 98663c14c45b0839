#include "read/scan.h"

#include <stddef.h>

/* A longer string has lost its closing quote. */
enum { STRING_LIMIT = 1 << 24 };

bool scan_more(Input *in, char **keep, bool *failed)
{
  if (in->cur != in->end) return false;
  if (input_refill(in, keep)) return true;
  if (in->failed) *failed = true;
  return false;
}

bool scan_followed_beyond(Input *in, char **keep, char second, bool *failed)
{
  char *here = in->cur++;
  bool read = scan_more(in, keep ? keep : &here, failed);
  in->cur--;
  return read && in->cur[1] == second;
}

void scan_line(Input *in, bool *failed)
{
  do {
    while (*in->cur != '\n' && in->cur < in->end) in->cur++;
  } while (in->cur == in->end && scan_more(in, NULL, failed));
}

bool scan_block(Input *in, bool *failed)
{
  in->cur += 2;
  for (char last = 0;;) {
    if (in->cur == in->end && !scan_more(in, NULL, failed)) return false;
    char c = *in->cur++;
    if (c == '\n') input_newline(in);
    if (c == '/' && last == '*') return true;
    last = c;
  }
}

bool scan_string(Input *in, const char **text, uint32_t *length, bool *failed)
{
  char *keep = ++in->cur;
  while ((in->cur != in->end || scan_more(in, &keep, failed)) && in->cur - keep <= STRING_LIMIT) {
    if (*in->cur == '"') {
      *text = keep;
      *length = (uint32_t)(in->cur++ - keep);
      return true;
    }
    if (*in->cur++ == '\n') input_newline(in);
  }
  return false;
}
