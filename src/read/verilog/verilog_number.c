/* Reads numbers: 12, 4'hF, 8 'b01_xz, 'd3, 1.5e-9. */
#include "read/verilog/verilog_lex.h"

enum { UNSIZED_BITS = 32, MAX_DIGITS = 1 << 20, MAX_DECIMAL = 4096 };

static void skip_blanks(Lexer *lexer)
{
  for (char c; (c = lex_peek(lexer)) == ' ' || c == '\t'; lexer->in->cur++) {}
}

/* Decimal digits, saturating just above 32 bits. */
static uint64_t scan_decimal(Lexer *lexer)
{
  uint64_t v = 0;
  for (char c; (lex_class[(uint8_t)(c = lex_peek(lexer))] & LEX_DIGIT) || c == '_';
       lexer->in->cur++)
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

static Status scan_binary_digits(Lexer *lexer, int bits)
{
  uint32_t digits = 0;
  for (char c; (c = lex_peek(lexer)) == '_' || digit_value(c, bits) >= 0; lexer->in->cur++) {
    if (c == '_') continue;
    int v = digit_value(c, bits);
    if (++digits > MAX_DIGITS)
      return lex_fail(lexer, "VLOG-004", "the constant has over %d digits", MAX_DIGITS);
    for (int b = bits; b-- > 0;) array_push(&lexer->bits, v >= 16 ? 2 : (uint8_t)(v >> b & 1));
  }
  return digits ? OK : lex_fail(lexer, "VLOG-004", "the constant has no digits of its base");
}

/* bits (value, right to left) = bits * 10 + digit */
static void times_ten(Lexer *lexer, uint32_t digit)
{
  for (uint32_t i = 0; i < lexer->bits.len; i++) {
    digit += lexer->bits.at[i] * 10u;
    lexer->bits.at[i] = digit & 1;
    digit >>= 1;
  }
  for (; digit; digit >>= 1) array_push(&lexer->bits, (uint8_t)(digit & 1));
}

static void reverse(uint8_t *at, uint32_t len)
{
  for (uint32_t i = 0; i < len / 2; i++) {
    uint8_t t = at[i];
    at[i] = at[len - 1 - i];
    at[len - 1 - i] = t;
  }
}

static Status scan_decimal_digits(Lexer *lexer)
{
  uint32_t digits = 0;
  char c = lex_peek(lexer);
  if (digit_value(c, 1) >= 16) {               /* 4'dx */
    lexer->in->cur++;
    array_push(&lexer->bits, 2);
    return OK;
  }
  for (; (lex_class[(uint8_t)(c = lex_peek(lexer))] & LEX_DIGIT) || c == '_'; lexer->in->cur++) {
    if (c == '_') continue;
    if (++digits > MAX_DECIMAL)
      return lex_fail(lexer, "VLOG-004", "the constant has over %d digits", MAX_DECIMAL);
    times_ten(lexer, (uint32_t)(c - '0'));
  }
  if (digits == 0) return lex_fail(lexer, "VLOG-004", "the constant has no digits of its base");
  if (lexer->bits.len == 0) array_push(&lexer->bits, 0);
  reverse(lexer->bits.at, lexer->bits.len);
  return OK;
}

/* Bits that are cut on the left say nothing where they are 0, or x and z like the first one
   kept. */
static bool cut_matters(const Lexer *lexer, uint32_t cut)
{
  for (uint32_t i = 0; i < cut; i++)
    if (lexer->bits.at[i] == 1 || (lexer->bits.at[i] == 2 && lexer->bits.at[cut] != 2)) return true;
  return false;
}

static Status check_cut(Lexer *lexer, uint32_t width, bool sized)
{
  if (lexer->bits.len <= width || !cut_matters(lexer, lexer->bits.len - width)) return OK;
  if (!sized)
    return lex_fail(lexer, "VLOG-004", "the unsized constant has over %d bits", UNSIZED_BITS);
  lex_tally(lexer, lexer->cut);
  return OK;
}

/* Cuts on the left, or fills there: with zeros, or x and z where the leftmost digit is one. */
static void fit(Lexer *lexer, uint32_t width)
{
  uint32_t len = lexer->bits.len;
  uint8_t filler = lexer->bits.at[0] == 2 ? 2 : 0;
  if (len >= width) {
    memmove(lexer->bits.at, lexer->bits.at + (len - width), width);
    lexer->bits.len = width;
    return;
  }
  array_resize(&lexer->bits, width);
  memmove(lexer->bits.at + (width - len), lexer->bits.at, len);
  memset(lexer->bits.at, filler, width - len);
}

/* Signed numbers, and those without a size that begin with x or z, go on to the left as they
   begin. */
static Status scan_based(Lexer *lexer, uint32_t width, bool sized)
{
  lexer->in->cur++;
  bool is_signed = (lex_peek(lexer) | 32) == 's';
  lexer->in->cur += is_signed;
  char base = (char)(lex_peek(lexer) | 32);
  if (strchr("bodh", base) == NULL)
    return lex_fail(lexer, "VLOG-004", "the constant has no base, expected b, o, d or h after '");
  lexer->in->cur++;
  skip_blanks(lexer);
  array_clear(&lexer->bits);
  Status status = base == 'd' ? scan_decimal_digits(lexer)
                              : scan_binary_digits(lexer, base == 'b'   ? 1
                                                          : base == 'o' ? 3
                                                                        : 4);
  if (status != OK || check_cut(lexer, width, sized) != OK) return FAILED;
  fit(lexer, width);
  lexer->has_unknown = memchr(lexer->bits.at, 2, width) != NULL;
  lexer->repeats_left = is_signed || (!sized && lexer->bits.at[0] == 2);
  lexer->kind = TOKEN_BITS;
  return OK;
}

/* The rest of a real number, of which nothing is kept: only delays and parameters have them. */
static void scan_real(Lexer *lexer)
{
  for (char c; lex_class[(uint8_t)(c = lex_peek(lexer))] & (LEX_DIGIT | LEX_NAME) || c == '.';
       lexer->in->cur++) {
    if ((c | 32) != 'e') continue;
    lexer->in->cur++;
    c = lex_peek(lexer);
    if (c != '-' && c != '+') lexer->in->cur--;
  }
  lexer->kind = TOKEN_REAL;
}

/* The common case: a few digits, and then a character that ends them. */
static bool scan_plain(Lexer *lexer)
{
  const char *p = lexer->in->cur;
  uint64_t v = 0;
  for (; lex_class[(uint8_t)*p] & LEX_DIGIT && p - lexer->in->cur < 9; p++)
    v = v * 10 + (uint64_t)(*p - '0');
  if (*p != ']' && *p != ':' && *p != ')' && *p != ',' && *p != ';') return false;
  lexer->in->cur = (char *)p;
  lexer->kind = TOKEN_INTEGER;
  lexer->value = v;
  return true;
}

void lex_number(Lexer *lexer)
{
  if (*lexer->in->cur != '\'' && scan_plain(lexer)) return;
  bool sized = *lexer->in->cur != '\'';
  uint64_t width = sized ? scan_decimal(lexer) : UNSIZED_BITS;
  char c = lex_peek(lexer);
  if (sized && (c == '.' || lex_class[(uint8_t)c] & LEX_NAME)) {
    scan_real(lexer);
    return;
  }
  char *after = lexer->in->cur;
  int64_t offset = after - lexer->at;
  skip_blanks(lexer);
  if (lex_peek(lexer) != '\'') {
    lexer->in->cur = lexer->at + offset;
    lexer->kind = TOKEN_INTEGER;
    lexer->value = width;
    return;
  }
  if (width == 0 || width > LEX_MAX_BITS)
    lex_fail(lexer, "VLOG-004", "the constant is to have %llu bits, expected 1 to %d",
             (unsigned long long)width, LEX_MAX_BITS);
  else scan_based(lexer, (uint32_t)width, sized);
}
