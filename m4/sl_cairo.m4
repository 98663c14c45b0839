# Cairo, for pictures of placements: PNG and SVG.  HAVE_CAIRO, CAIRO_CFLAGS, CAIRO_LIBS.
AC_DEFUN([SL_CAIRO], [
  AC_ARG_WITH([cairo], [AS_HELP_STRING([--without-cairo], [no pictures of placements])], [],
    [with_cairo=auto])
  sl_cairo=no
  AS_IF([test "x$with_cairo" != xno && test -n "$PKG_CONFIG" \
         && $PKG_CONFIG --exists cairo cairo-png cairo-svg 2>/dev/null], [
    CAIRO_CFLAGS=`$PKG_CONFIG --cflags cairo`
    CAIRO_LIBS=`$PKG_CONFIG --libs cairo`
    sl_cairo=`$PKG_CONFIG --modversion cairo`
    AC_DEFINE([HAVE_CAIRO], [1], [Pictures are drawn with cairo])
  ])
  AS_IF([test "$with_cairo:$sl_cairo" = yes:no],
    [AC_MSG_ERROR([cairo not found; on Debian: apt-get install libcairo2-dev])])
  AS_IF([test "$sl_cairo" = no], [sl_cairo="no (no pictures)"])
  AC_SUBST([CAIRO_CFLAGS])
  AC_SUBST([CAIRO_LIBS])
])
