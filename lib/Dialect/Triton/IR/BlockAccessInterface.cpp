//===- BlockAccessInterface.cpp - Access through block pointers -----------===//
// SPDX-License-Identifier: MIT
//
// The generated definitions of BlockAccessOpInterface.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/BlockAccessInterface.h"

using namespace mlir;

#include "triton/Dialect/Triton/IR/BlockAccessInterface.cpp.inc"
