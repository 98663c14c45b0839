/* Tests of base/text.h: strings, numbers against strtod, patterns, nearest names and natural
   order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/unit.h"

static void test_growing(void)
{
  Text t = { 0 };
  CHECK_TEXT(text_get(&t), "");
  text_printf(&t, "%d-%s", 12, "ab");
  text_char(&t, '/');
  text_add(&t, "xyz", 2);
  text_add(&t, NULL, 0);
  CHECK_TEXT(text_get(&t), "12-ab/xy");
  text_clear(&t);
  for (int i = 0; i < 5000; i++) text_printf(&t, "%04d", i);
  CHECK(t.len == 20000 && strlen(t.at) == 20000 && memcmp(t.at + 4 * 4321, "4321", 4) == 0);
  text_free(&t);
}

/* --- numbers: the value and the end that strtod gives ----------------------------------------- */
static bool same_number(const char *text)
{
  const char *end;
  char *want_end;
  double have = text_number(text, &end), want = strtod(text, &want_end);
  bool same = memcmp(&have, &want, sizeof have) == 0 && end == want_end;
  if (!same) printf("text_number(\"%s\") is %.17g, not %.17g\n", text, have, want);
  return same;
}

static void random_digits(Text *text, unsigned *seed, int most)
{
  for (int n = rand_r(seed) % (most + 1); n > 0; n--)
    text_char(text, (char)('0' + rand_r(seed) % 10));
}

static void test_random_numbers(void)
{
  static const char *const tails[] = { "", " ", ",1", "e", "e+", "x", "ns", "-", "." };
  unsigned seed = 99;
  Text t = { 0 };
  bool right = true;
  for (int i = 0; i < 100000 && right; i++) {
    text_clear(&t);
    if (rand_r(&seed) % 3 == 0) text_char(&t, "+-"[rand_r(&seed) % 2]);
    random_digits(&t, &seed, i % 10 ? 8 : 25);
    if (rand_r(&seed) % 2) text_char(&t, '.');
    random_digits(&t, &seed, i % 7 ? 9 : 30);
    if (rand_r(&seed) % 2)
      text_printf(&t, "%c%s%d", "eE"[rand_r(&seed) % 2], rand_r(&seed) % 2 ? "" : "-",
                  rand_r(&seed) % (i % 5 ? 25 : 330));
    text_put(&t, tails[rand_r(&seed) % 9]);
    right = same_number(text_get(&t));
  }
  CHECK(right);
  text_free(&t);
}

/* The digits that give a double back, for doubles of all sizes. */
static void test_round_trip(void)
{
  unsigned seed = 3;
  char s[64];
  bool right = true;
  for (int i = 0; i < 20000 && right; i++) {
    double v = (rand_r(&seed) - 1e9) * (rand_r(&seed) + 1.0);
    for (int e = rand_r(&seed) % 40 - 20; e != 0; e += e < 0 ? 1 : -1) v = e < 0 ? v / 10 : v * 10;
    snprintf(s, sizeof s, i % 2 ? "%.17g" : "%.6g", v);
    right = same_number(s);
  }
  CHECK(right);
}

static void test_no_number(void)
{
  static const char *const bad[] = { "", "-", "+", ".", "-.e5", "e5", "ns", " 1", "+-1" };
  const char *end;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK(text_number(bad[i], &end) == 0 && end == bad[i]);
  CHECK(text_number("0x10", &end) == 0 && *end == 'x');
  CHECK(text_number("5.e", &end) == 5 && *end == 'e');
  CHECK(text_number("1e99999999999", &end) > 1e308 && *end == '\0');
}

/* --- patterns --------------------------------------------------------------------------------- */
static void test_glob(void)
{
  static const struct { const char *pattern, *text; bool plain, names;
  } c[] = {
    { "", "", true, true },
    { "", "a", false, false },
    { "*", "", true, true },
    { "a*c", "abbbc", true, true },
    { "a*c", "abbbcd", false, false },
    { "*a*b*", "xxaxxbxx", true, true },
    { "a?c", "abc", true, true },
    { "a?c", "ac", false, false },
    { "d[3]", "d[3]", false, true },
    { "d[3]", "d3", true, false },
    { "d[0-3]x", "d2x", true, false },
    { "d[*]", "d[12]", false, true },
    { "d\\[3\\]", "d[3]", true, true },
    { "a\\*b", "a*b", true, true },
    { "a\\*b", "axb", false, false },
    { "d[3", "d[3", true, true },
    { "**a", "bca", true, true },
    { "u_*/q_reg[?]", "u_core/q_reg[7]", false, true },
  };
  for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
    CHECK(text_glob(c[i].pattern, c[i].text, false, false) == c[i].plain);
    CHECK(text_glob(c[i].pattern, c[i].text, false, true) == c[i].names);
  }
  CHECK(text_glob("CLK*", "clk_a", true, true) && !text_glob("CLK*", "clk_a", false, true));
  CHECK(text_has_wildcard("a*") && text_has_wildcard("a?") && !text_has_wildcard("a[0]"));
}

/* Many stars against a text that nearly matches must not take exponential time. */
static void test_glob_is_quick(void)
{
  char text[5001];
  memset(text, 'a', 5000);
  text[5000] = '\0';
  CHECK(!text_glob("*a*a*a*a*a*a*a*a*a*a*a*a*b", text, false, false));
}

static void test_nearest(void)
{
  static const char *const names[] = { "report_timing", "report_clocks", "get_cells", "exit" };
  CHECK(text_distance("abc", "abc", 3) == 0 && text_distance("abc", "acb", 3) == 1
        && text_distance("abc", "ab", 3) == 1);
  CHECK(text_distance("kitten", "sitting", 5) == 3 && text_distance("kitten", "sitting", 1) == 2);
  CHECK_TEXT(text_nearest("report_tming", names, 4), "report_timing");
  CHECK_TEXT(text_nearest("get_clels", names, 4), "get_cells");
  CHECK(text_nearest("x", names, 4) == NULL && text_nearest("", names, 4) == NULL
        && text_nearest("exit", names, 0) == NULL);
}

static void test_natural_order(void)
{
  CHECK(text_compare_natural("u2", "u10") < 0 && text_compare_natural("u10", "u2") > 0);
  CHECK(text_compare_natural("a[9]/b", "a[10]/a") < 0 && text_compare_natural("abc", "abd") < 0);
  CHECK(text_compare_natural("a", "a1") < 0 && text_compare_natural("", "") == 0
        && text_compare_natural("x7y", "x7y") == 0);
}

void suite_text(void)
{
  CU_pSuite s = CU_add_suite("base/text", NULL, NULL);
  CU_add_test(s, "growing", test_growing);
  CU_add_test(s, "random numbers against strtod", test_random_numbers);
  CU_add_test(s, "numbers there and back", test_round_trip);
  CU_add_test(s, "what is no number", test_no_number);
  CU_add_test(s, "glob patterns", test_glob);
  CU_add_test(s, "many stars", test_glob_is_quick);
  CU_add_test(s, "nearest name", test_nearest);
  CU_add_test(s, "natural order", test_natural_order);
}
