#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages that the build and the tests need and that are
# missing, and those that the arguments name. Where there is no apt, or no right to use it, it names them and fails.

set -eu

packages="
  ccache clang-22 clang-format-22 cmake g++ gdb lld-22 llvm-22-dev llvm-22-tools
  libboost-context1.81-dev libgtest-dev libmlir-22-dev libsleef-dev libzstd-dev mlir-22-tools ninja-build
  python3-dev python3-venv zlib1g-dev
  spirv-tools
  chromium-headless-shell
  $*
"

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
  # Not Debian: judge by what the build asks for.
  for tool in ccache clang++-22 cmake ninja spirv-val; do
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
if test "$(id -u)" -eq 0; then
  sudo=""
elif command -v sudo > /dev/null; then
  sudo="sudo"
else
  fail "installing packages needs root or sudo"
fi

echo "installing:$missing"
$sudo apt-get update -qq || fail "apt-get update failed"
# shellcheck disable=SC2086 # a list of words on purpose
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing \
  || fail "apt-get install failed"
