//===- main.cpp - One of the tools as a program ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Tools.h"

int main(int argc, char **argv) {
#ifdef TRITON_XE_DEVICE_LIBRARY_DIR
  return triton::intel::runTranslate(argc, argv, TRITON_XE_DEVICE_LIBRARY_DIR);
#else
  return triton::intel::runOpt(argc, argv);
#endif
}
