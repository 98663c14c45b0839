#include "math/explog.h"

#include <math.h>
#include <stdio.h>

#include "tests/unit.h"

static double worse(double worst, double have, double want)
{
  double error = fabs(have - want) / fabs(want);
  return error > worst ? error : worst;
}

static void test_exp(void)
{
  double worst = 0;
  for (int i = -640000; i <= 880000; i++) {
    float x = (float)i * 1e-4f;
    worst = worse(worst, m_exp(x), exp((double)x));
  }
  if (worst >= 2e-7) printf("worst relative error of m_exp: %g\n", worst);
  CHECK(worst < 2e-7);
  CHECK(m_exp(0) == 1 && m_exp(-200) == m_exp(-64) && m_exp(200) == m_exp(88));
  CHECK(m_exp(-1e-30f) == 1);
}

/* All exponents, and finely around 1, where the logarithm goes through 0. */
static void test_logarithm(void)
{
  double worst = 0;
  for (float x = 1.2e-38f; x < 3e38f; x *= 1.00037f) worst = worse(worst, m_log(x), log((double)x));
  for (int i = -100000; i <= 100000; i++) {
    float x = 1.0f + (float)i * 4e-6f;
    if (x != 1.0f) worst = worse(worst, m_log(x), log((double)x));
  }
  CHECK(worst < 2e-7);
  CHECK(m_log(1) == 0 && m_log(0) == m_log(1.17549435e-38f) && m_log(-5) == m_log(0));
}

void suite_explog(void)
{
  CU_pSuite s = CU_add_suite("math/explog", NULL, NULL);
  CU_add_test(s, "exp against libm", test_exp);
  CU_add_test(s, "log against libm", test_logarithm);
}
