# Shared by scripts/demo and scripts/check (sourced): the packages that Slackline is built from, and
# its build.

build_packages="gcc make libc6-dev autoconf automake zlib1g-dev tcl tcl-dev libreadline-dev \
  libcairo2-dev pkg-config fonts-dejavu-core"

# need PACKAGE...: installs through apt what is missing; calls it not at all when nothing is.
need() {
  if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "not a Debian system: taking it that these are there in some form: $*"
    return 0
  fi
  missing=
  for package; do
    case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) in
    *"ok installed") ;;
    *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0
  echo "installing:$missing"
  root=
  if [ "$(id -u)" != 0 ]; then root="sudo"; fi
  $root apt-get update -qq
  # shellcheck disable=SC2086
  $root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $missing >/dev/null
}

# build FOLDER [CONFIGURE OPTION...]: configures when needed and makes all.
build() {
  folder=$1
  shift
  if [ ! -x configure ] ||
    [ -n "$(find configure.ac m4 Makefile.am sources.am -newer configure)" ]; then
    quietly "$folder" ./autogen.sh
  fi
  source=$(pwd)
  if [ ! -f "$folder/Makefile" ] || [ configure -nt "$folder/config.status" ]; then
    (cd "$folder" && quietly . "$source/configure" "$@")
  fi
  quietly "$folder" make -C "$folder" -j"$(jobs_to_run)"
}

# quietly FOLDER COMMAND...: output goes to FOLDER/build.log, and to the terminal when the command
# fails.
quietly() {
  log=$1/build.log
  shift
  mkdir -p "$(dirname "$log")"
  if ! "$@" >"$log" 2>&1; then
    cat "$log"
    echo "failed: $*"
    exit 1
  fi
}

jobs_to_run() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1; }
