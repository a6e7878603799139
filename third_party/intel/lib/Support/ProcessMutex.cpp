//===- ProcessMutex.cpp - For what the process has once -------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Support/ProcessMutex.h"

#include <pthread.h>

namespace triton::intel::support {

namespace {
std::mutex processMutex;
} // namespace

std::mutex &getProcessMutex() {
  // Taken ahead of a fork and free after it, on both sides: a child must not
  // inherit it locked by a thread that it does not have.
  static const int registered =
      pthread_atfork([] { processMutex.lock(); }, [] { processMutex.unlock(); },
                     [] { processMutex.unlock(); });
  static_cast<void>(registered);
  return processMutex;
}

} // namespace triton::intel::support
