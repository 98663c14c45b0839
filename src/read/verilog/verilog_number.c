/* Reads numbers: 12, 4'hF, 8 'b01_xz, 'd3, 1.5e-9. */
#include "read/verilog/verilog_lex.h"

enum { UNSIZED_BITS = 32, MAX_DIGITS = 1 << 20, MAX_DECIMAL = 4096 };

static void skip_blanks(Lexer *x)
{
  for (char c; (c = lex_peek(x)) == ' ' || c == '\t'; x->in->cur++) {}
}

/* Decimal digits, saturating just above 32 bits. */
static uint64_t scan_decimal(Lexer *x)
{
  uint64_t v = 0;
  for (char c; (lex_class[(uint8_t)(c = lex_peek(x))] & LEX_DIGIT) || c == '_'; x->in->cur++)
    if (c != '_' && v <= UINT32_MAX) v = v * 10 + (uint64_t)(c - '0');
  return v > UINT32_MAX ? (uint64_t)UINT32_MAX + 1 : v;
}

/* The value of a digit in a base of 2^bits; 'x' is 16, 'z' 17, no digit -1. */
static int digit_value(char c, int bits)
{
  int v;
  char l = (char)(c | 32);
  if (c >= '0' && c <= '9') v = c - '0';
  else if (l >= 'a' && l <= 'f') v = l - 'a' + 10;
  else if (l == 'x') return 16;
  else if (l == 'z' || c == '?') return 17;
  else return -1;
  return v < 1 << bits ? v : -1;
}

static Status scan_binary_digits(Lexer *x, int bits)
{
  uint32_t digits = 0;
  for (char c; (c = lex_peek(x)) == '_' || digit_value(c, bits) >= 0; x->in->cur++) {
    if (c == '_') continue;
    int v = digit_value(c, bits);
    if (++digits > MAX_DIGITS)
      return lex_fail(x, "VLOG-004", "the constant has over %d digits", MAX_DIGITS);
    for (int b = bits; b-- > 0;) array_push(&x->bits, v >= 16 ? 2 : (uint8_t)(v >> b & 1));
  }
  return digits ? OK : lex_fail(x, "VLOG-004", "the constant has no digits of its base");
}

/* bits (value, right to left) = bits * 10 + digit */
static void times_ten(Lexer *x, uint32_t digit)
{
  for (uint32_t i = 0; i < x->bits.len; i++) {
    digit += x->bits.at[i] * 10u;
    x->bits.at[i] = digit & 1;
    digit >>= 1;
  }
  for (; digit; digit >>= 1) array_push(&x->bits, (uint8_t)(digit & 1));
}

static void reverse(uint8_t *at, uint32_t len)
{
  for (uint32_t i = 0; i < len / 2; i++) {
    uint8_t t = at[i];
    at[i] = at[len - 1 - i];
    at[len - 1 - i] = t;
  }
}

static Status scan_decimal_digits(Lexer *x)
{
  uint32_t digits = 0;
  char c = lex_peek(x);
  if (digit_value(c, 1) >= 16) {               /* 4'dx */
    x->in->cur++;
    array_push(&x->bits, 2);
    return OK;
  }
  for (; (lex_class[(uint8_t)(c = lex_peek(x))] & LEX_DIGIT) || c == '_'; x->in->cur++) {
    if (c == '_') continue;
    if (++digits > MAX_DECIMAL)
      return lex_fail(x, "VLOG-004", "the constant has over %d digits", MAX_DECIMAL);
    times_ten(x, (uint32_t)(c - '0'));
  }
  if (digits == 0) return lex_fail(x, "VLOG-004", "the constant has no digits of its base");
  if (x->bits.len == 0) array_push(&x->bits, 0);
  reverse(x->bits.at, x->bits.len);
  return OK;
}

/* Bits that are cut on the left say nothing where they are 0, or x and z like the first one
   kept. */
static bool cut_matters(const Lexer *x, uint32_t cut)
{
  for (uint32_t i = 0; i < cut; i++)
    if (x->bits.at[i] == 1 || (x->bits.at[i] == 2 && x->bits.at[cut] != 2)) return true;
  return false;
}

static Status check_cut(Lexer *x, uint32_t width, bool sized)
{
  if (x->bits.len <= width || !cut_matters(x, x->bits.len - width)) return OK;
  if (!sized) return lex_fail(x, "VLOG-004", "the unsized constant has over %d bits", UNSIZED_BITS);
  lex_tally(x, x->cut);
  return OK;
}

/* Cuts on the left, or fills there: with zeros, or x and z where the leftmost digit is one. */
static void fit(Lexer *x, uint32_t width)
{
  uint32_t len = x->bits.len;
  uint8_t filler = x->bits.at[0] == 2 ? 2 : 0;
  if (len >= width) {
    memmove(x->bits.at, x->bits.at + (len - width), width);
    x->bits.len = width;
    return;
  }
  array_resize(&x->bits, width);
  memmove(x->bits.at + (width - len), x->bits.at, len);
  memset(x->bits.at, filler, width - len);
}

/* Signed numbers, and those without a size that begin with x or z, go on to the left as they
   begin. */
static Status scan_based(Lexer *x, uint32_t width, bool sized)
{
  x->in->cur++;
  bool is_signed = (lex_peek(x) | 32) == 's';
  x->in->cur += is_signed;
  char base = (char)(lex_peek(x) | 32);
  if (strchr("bodh", base) == NULL)
    return lex_fail(x, "VLOG-004", "the constant has no base, expected b, o, d or h after '");
  x->in->cur++;
  skip_blanks(x);
  array_clear(&x->bits);
  Status status = base == 'd' ? scan_decimal_digits(x)
                              : scan_binary_digits(x, base == 'b'   ? 1
                                                      : base == 'o' ? 3
                                                                    : 4);
  if (status != OK || check_cut(x, width, sized) != OK) return FAILED;
  fit(x, width);
  x->has_unknown = memchr(x->bits.at, 2, width) != NULL;
  x->repeats_left = is_signed || (!sized && x->bits.at[0] == 2);
  x->kind = TOKEN_BITS;
  return OK;
}

/* The rest of a real number, of which nothing is kept: only delays and parameters have them. */
static void scan_real(Lexer *x)
{
  for (char c; lex_class[(uint8_t)(c = lex_peek(x))] & (LEX_DIGIT | LEX_NAME) || c == '.';
       x->in->cur++) {
    if ((c | 32) != 'e') continue;
    x->in->cur++;
    c = lex_peek(x);
    if (c != '-' && c != '+') x->in->cur--;
  }
  x->kind = TOKEN_REAL;
}

/* The common case: a few digits, and then a character that ends them. */
static bool scan_plain(Lexer *x)
{
  const char *p = x->in->cur;
  uint64_t v = 0;
  for (; lex_class[(uint8_t)*p] & LEX_DIGIT && p - x->in->cur < 9; p++)
    v = v * 10 + (uint64_t)(*p - '0');
  if (*p != ']' && *p != ':' && *p != ')' && *p != ',' && *p != ';') return false;
  x->in->cur = (char *)p;
  x->kind = TOKEN_INTEGER;
  x->value = v;
  return true;
}

void lex_number(Lexer *x)
{
  if (*x->in->cur != '\'' && scan_plain(x)) return;
  bool sized = *x->in->cur != '\'';
  uint64_t width = sized ? scan_decimal(x) : UNSIZED_BITS;
  char c = lex_peek(x);
  if (sized && (c == '.' || lex_class[(uint8_t)c] & LEX_NAME)) {
    scan_real(x);
    return;
  }
  char *after = x->in->cur;
  int64_t offset = after - x->at;
  skip_blanks(x);
  if (lex_peek(x) != '\'') {
    x->in->cur = x->at + offset;
    x->kind = TOKEN_INTEGER;
    x->value = width;
    return;
  }
  if (width == 0 || width > LEX_MAX_BITS)
    lex_fail(x, "VLOG-004", "the constant is to have %llu bits, expected 1 to %d",
             (unsigned long long)width, LEX_MAX_BITS);
  else scan_based(x, (uint32_t)width, sized);
}
