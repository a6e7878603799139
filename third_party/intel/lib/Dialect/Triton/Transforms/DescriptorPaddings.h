//===- DescriptorPaddings.h - Paddings of descriptors -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Whether elements outside of a tensor read as zero or as NaN is no operand of
// a descriptor but an attribute of the operation that creates it. Where all
// descriptors that can reach a read agree, that is known when the kernel is
// compiled, and costs nothing. Where they do not, the descriptors have to carry
// one bit of it: they get a separate type for the time of the pass, so that a
// type converter can distinguish them from the others.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_DESCRIPTORPADDINGS_H
#define TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_DESCRIPTORPADDINGS_H

#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton::intel {

class DescriptorPaddings {
public:
  /// Looks at all descriptors of `module`. Arguments of kernels are counted
  /// from 0, separately for each kernel; the ones in `nanArguments` pad with
  /// NaN.
  DescriptorPaddings(ModuleOp module, ArrayRef<int32_t> nanArguments);

  /// Returns the padding of whatever `read` reads through; none if only the
  /// descriptor knows. `read` is a load, a gather, or a call of a function
  /// without a body whose first operand is a descriptor.
  std::optional<PaddingOption> lookup(Operation *read) const {
    return reads.at(read);
  }
  /// Returns whether `op` is such an operation. It may be a call that stores,
  /// for which the padding has no meaning.
  bool contains(Operation *op) const { return reads.contains(op); }

  /// Changes the type of the descriptors that carry their padding. Descriptors
  /// that are arguments of kernels are cast to it.
  void changeTypes(ModuleOp module);

  /// Returns whether `descriptor`, an argument of a kernel, pads with NaN.
  bool padsWithNan(Value descriptor) const {
    return paddings.lookup(descriptor) == Nan;
  }

  /// Returns whether descriptors of this type carry their padding.
  static bool isCarriedIn(Type type);

private:
  /// Sets of paddings.
  enum : unsigned { Zero = 1, Nan = 2, Both = 3 };

  void findPaddings(ValueSources &sources, ArrayRef<int32_t> nanArguments);

  ValueWebs webs;
  llvm::DenseMap<Value, unsigned> paddings;
  llvm::DenseMap<Operation *, std::optional<PaddingOption>> reads;
};

} // namespace mlir::triton::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_DESCRIPTORPADDINGS_H
