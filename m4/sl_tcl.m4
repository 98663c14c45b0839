# Tcl 8.6: from --with-tcl=DIR (where tclConfig.sh lies), pkg-config, or the usual folders.
# HAVE_TCL (conditional), TCL_CFLAGS, TCL_LIBS, TCLSH.

AC_DEFUN([_SL_TCL_CONFIG], [
  AS_IF([test -z "$sl_tcl_found" && test -r "$1/tclConfig.sh"], [
    TCL_CFLAGS=`. "$1/tclConfig.sh"; echo "$TCL_INCLUDE_SPEC"`
    TCL_LIBS=`. "$1/tclConfig.sh"; echo "$TCL_LIB_SPEC"`
    sl_tcl_found="$1/tclConfig.sh"
  ])
])

AC_DEFUN([_SL_TCL_FIND], [
  sl_tcl_found=
  AS_IF([test "x$with_tcl" != xyes], [_SL_TCL_CONFIG([$with_tcl])], [
    for sl_dir in /usr/lib/`$CC -print-multiarch 2>/dev/null`/tcl8.6 /usr/lib/tcl8.6 /usr/lib64/tcl8.6 /usr/lib64 \
                  /usr/local/lib /opt/homebrew/opt/tcl-tk@8/lib /usr/lib; do
      _SL_TCL_CONFIG([$sl_dir])
    done
    AS_IF([test -z "$sl_tcl_found" && test -n "$PKG_CONFIG" && $PKG_CONFIG --exists "tcl >= 8.6 tcl < 8.7"], [
      TCL_CFLAGS=`$PKG_CONFIG --cflags tcl`
      TCL_LIBS=`$PKG_CONFIG --libs tcl`
      sl_tcl_found=pkg-config
    ])
  ])
])

AC_DEFUN([_SL_TCL_TRY], [
  sl_save_CPPFLAGS=$CPPFLAGS sl_save_LIBS=$LIBS
  CPPFLAGS="$CPPFLAGS $TCL_CFLAGS" LIBS="$TCL_LIBS $LIBS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <tcl.h>
#if TCL_MAJOR_VERSION != 8 || TCL_MINOR_VERSION < 6
#error Tcl 8.6 is needed
#endif]], [[Tcl_DeleteInterp(Tcl_CreateInterp());]])], [], [sl_tcl_found=])
  CPPFLAGS=$sl_save_CPPFLAGS LIBS=$sl_save_LIBS
])

AC_DEFUN([SL_TCL], [
  AC_ARG_WITH([tcl],
    [AS_HELP_STRING([--with-tcl=DIR], [folder of tclConfig.sh of Tcl 8.6 (default: looked for); --without-tcl builds the library and its unit tests alone])],
    [], [with_tcl=yes])
  sl_tcl="no (library and unit tests alone)"
  AS_IF([test "x$with_tcl" != xno], [
    AC_MSG_CHECKING([for Tcl 8.6])
    _SL_TCL_FIND
    AS_IF([test -n "$sl_tcl_found"], [_SL_TCL_TRY])
    AS_IF([test -z "$sl_tcl_found"], [
      AC_MSG_RESULT([no])
      AC_MSG_ERROR([Tcl 8.6 with its headers not found; on Debian: apt-get install tcl-dev.  Or give --with-tcl=DIR, or --without-tcl for the library alone])
    ])
    AC_MSG_RESULT([$sl_tcl_found])
    sl_tcl="yes ($sl_tcl_found)"
  ])
  AM_CONDITIONAL([HAVE_TCL], [test "x$with_tcl" != xno])
  AC_PATH_PROGS([TCLSH], [tclsh8.6 tclsh], [])
  AC_SUBST([TCL_CFLAGS])
  AC_SUBST([TCL_LIBS])
])
