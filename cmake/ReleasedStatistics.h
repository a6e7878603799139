//===- ReleasedStatistics.h - llvm::Statistic as in the library -*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// `llvm::Statistic` has other members with assertions than without. The library
// has none, and makes the statistics of passes. Builds with assertions include
// this file before all others (TritonXeSanitize.cmake).
//
//===----------------------------------------------------------------------===//

#define NDEBUG
#include "llvm/ADT/Statistic.h"
#undef NDEBUG
#include <cassert>
