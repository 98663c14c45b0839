#!/bin/sh
# Makes configure and Makefile.in; needs autoconf and automake.
set -e
cd "$(dirname "$0")"
exec autoreconf --install --force --warnings=all,no-portability
