//===- OptionalPass.h - Passes whose rewrites are numbered ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Code is right without an optional pass, and without any of its rewrites. When
// numbers are wrong, this is how the rewrite at fault is found: the pass calls
// mayRewrite() before each of them, which numbers them from 0 on in the order
// of the calls, and the option `skip` names those to leave out.
//
//   triton-xe-opt -triton-intel-narrow-loads=skip=0-3,7 kernel.mlir
//
// The numbers belong to one input: a rewrite that is left out may give or take
// others after it. The pass reports each rewrite that is left out as a remark.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITONGPU_TRANSFORMS_OPTIONALPASS_H
#define TRITON_DIALECT_TRITONGPU_TRANSFORMS_OPTIONALPASS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "triton/Dialect/TritonGPU/Transforms/TTGIRPass.h"

namespace mlir::triton::gpu {

/// A pass derived from `Base` that code is right without.
template <typename Base> class OptionalPass : public Base {
protected:
  explicit OptionalPass(TypeID id) : Base(id) {}
  /// Copies of a pass get its options from the pass manager.
  OptionalPass(const OptionalPass &other) : Base(other) {}

  /// Fails, with a diagnostic, if `skip` has anything but ranges of numbers.
  LogicalResult initialize(MLIRContext *context) override;

  /// Returns whether the pass may make its next rewrite, which is about `op`.
  bool mayRewrite(Operation *op);

private:
  Pass::ListOption<std::string> skip{
      *this, "skip",
      llvm::cl::desc("numbers of rewrites to leave out, such as 3, 3-5 or 3-")};

  /// The first and the last number of each range of `skip`.
  SmallVector<std::pair<unsigned, unsigned>> skipped;
  unsigned numRewrites = 0;
};

extern template class OptionalPass<OperationPass<ModuleOp>>;
extern template class OptionalPass<TTGIRPass>;

} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_TRANSFORMS_OPTIONALPASS_H
