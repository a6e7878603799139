#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the packages of Debian or Ubuntu that are missing: `build` for those that the build needs, `test` for those of
# the tests and of development as well; further arguments name more. Where there is no apt, no right to use it, or no
# LLVM 22, it names what is missing and fails.

set -eu

purpose=$1
shift
case "$purpose" in
  build | test) ;;
  *)
    echo "usage: $0 build|test [package ...]" >&2
    exit 2
    ;;
esac

# This succeeds if apt knows a package.
is_known() {
  test -n "$(apt-cache show --no-all-versions "$1" 2> /dev/null)"
}

# This prints the first of several names that apt knows, or the last one.
first_known() {
  for name in "$@"; do
    if is_known "$name"; then break; fi
  done
  echo "$name"
}

sudo=""
if test "$(id -u)" -ne 0; then sudo="sudo"; fi
# Containers begin without lists of packages.
if command -v apt-get > /dev/null && ! is_known cmake; then $sudo apt-get update -qq || true; fi

# Debian 12 has a newer Boost beside its default; Ubuntu has one, whose number differs with the release.
packages="
  ccache clang-22 cmake g++ lld-22 llvm-22-dev libmlir-22-dev mlir-22-tools
  $(first_known libboost-context1.81-dev libboost-context-dev) libsleef-dev libzstd-dev ninja-build
  python3-dev python3-venv zlib1g-dev
"
if test "$purpose" = test; then
  packages="$packages clang-format-22 gdb libgtest-dev llvm-22-tools spirv-tools"
  # Ubuntu has Chromium as a snap only; tests of pages are skipped without one.
  if is_known chromium-headless-shell; then packages="$packages chromium-headless-shell"; fi
fi
packages="$packages $*"

missing=""
if command -v dpkg-query > /dev/null; then
  for package in $packages; do
    status=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null || true)
    case "$status" in
      ii*) ;;
      *) missing="$missing $package" ;;
    esac
  done
else
  # Not Debian: judge by what the build requires.
  tools="ccache clang++-22 cmake ninja"
  if test "$purpose" = test; then tools="$tools spirv-val"; fi
  for tool in $tools; do
    command -v "$tool" > /dev/null || missing="$missing $tool"
  done
  test -d /usr/lib/llvm-22/lib/cmake/mlir || missing="$missing llvm-22-dev libmlir-22-dev mlir-22-tools"
  for header in boost/context/detail/fcontext.hpp sleef.h; do
    echo "#include <$header>" | c++ -E -x c++ - > /dev/null 2>&1 || missing="$missing $header"
  done
fi

test -n "$missing" || exit 0

fail() {
  echo "error: $1" >&2
  echo "please install these packages, then call make again:" >&2
  echo " $missing" >&2
  exit 1
}

command -v apt-get > /dev/null || fail "apt-get is not available"
test -z "$sudo" || command -v sudo > /dev/null || fail "installing packages needs root or sudo"

echo "installing:$missing"
$sudo apt-get update -qq || fail "apt-get update failed"
case "$missing" in
  *-22*)
    is_known clang-22 || fail "this system has no LLVM 22, which apt.llvm.org has: docs/get-started/install.md names its source"
    ;;
esac
# shellcheck disable=SC2086 # a list of words on purpose
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing \
  || fail "apt-get install failed"
