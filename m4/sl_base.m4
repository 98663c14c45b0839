# The compiler's flags and the small libraries.

# SL_CFLAGS: the language, warnings (errors in CI or with --enable-werror) and the floating-point
# promise. No fused multiply-add: the CPU and the CUDA backend must agree to the last bit.  Without
# traps and errno, comparisons, divisions and square roots vectorise; that changes no result.
# SL_OPTIMIZE, SL_OPTIMIZE_LANES: of everything, and of the vector loops; an -O in the user's CFLAGS
# replaces both.
AC_DEFUN([SL_WARNINGS], [
  AC_ARG_ENABLE([werror],
    [AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors (default when CI=true)])],
    [], [AS_IF([test "x$CI" = xtrue], [enable_werror=yes], [enable_werror=no])])
  SL_CFLAGS="-std=c11 -ffp-contract=off -fno-trapping-math -fno-math-errno -Wall -Wextra"
  SL_OPTIMIZE= SL_OPTIMIZE_LANES=
  AS_IF([test "$sl_optimize" = yes], [SL_OPTIMIZE=-O2 SL_OPTIMIZE_LANES=-O3])
  AC_SUBST([SL_OPTIMIZE])
  AC_SUBST([SL_OPTIMIZE_LANES])
  sl_werror=
  AS_IF([test "x$enable_werror" = xyes], [SL_CFLAGS="$SL_CFLAGS -Werror"; sl_werror=" -Werror"])
  AC_SUBST([SL_CFLAGS])
])

AC_DEFUN([SL_ZLIB], [
  AC_CHECK_HEADER([zlib.h], [], [AC_MSG_ERROR([zlib.h not found; on Debian: apt-get install zlib1g-dev])])
  AC_CHECK_LIB([z], [inflate], [ZLIB_LIBS=-lz], [AC_MSG_ERROR([libz not found; on Debian: apt-get install zlib1g-dev])])
  AC_SUBST([ZLIB_LIBS])
])

# Readline, for editing at the prompt.  HAVE_READLINE, READLINE_LIBS.
AC_DEFUN([SL_READLINE], [
  AC_ARG_WITH([readline], [AS_HELP_STRING([--without-readline], [no line editing at the prompt])], [], [with_readline=auto])
  sl_readline=no
  AS_IF([test "x$with_readline" != xno], [
    AC_CHECK_HEADER([readline/readline.h],
      [AC_CHECK_LIB([readline], [rl_completion_matches], [sl_readline=yes READLINE_LIBS=-lreadline])],
      [], [#include <stdio.h>])
    AS_IF([test "$with_readline:$sl_readline" = yes:no],
      [AC_MSG_ERROR([Readline not found; on Debian: apt-get install libreadline-dev])])
  ])
  AS_IF([test $sl_readline = yes], [AC_DEFINE([HAVE_READLINE], [1], [The prompt edits lines with GNU Readline])],
        [sl_readline="no (plain prompt)"])
  AC_SUBST([READLINE_LIBS])
])

# CUnit, for the unit tests alone.  HAVE_CUNIT, CUNIT_LIBS.
AC_DEFUN([SL_CUNIT], [
  AC_ARG_WITH([cunit], [AS_HELP_STRING([--without-cunit], [no unit tests])], [], [with_cunit=auto])
  sl_cunit=no
  AS_IF([test "x$with_cunit" != xno], [
    AC_CHECK_HEADER([CUnit/Basic.h], [AC_CHECK_LIB([cunit], [CU_initialize_registry], [sl_cunit=yes CUNIT_LIBS=-lcunit])])
    AS_IF([test "$with_cunit:$sl_cunit" = yes:no],
      [AC_MSG_ERROR([CUnit not found; on Debian: apt-get install libcunit1-dev])])
  ])
  AM_CONDITIONAL([HAVE_CUNIT], [test $sl_cunit = yes])
  AS_IF([test $sl_cunit = no], [sl_cunit="no (unit tests are skipped)"])
  AC_SUBST([CUNIT_LIBS])
])
