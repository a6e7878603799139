//===- Traits.h - Invariants of all operations on tensors -----------------===//
// SPDX-License-Identifier: MIT
//
// Traits of `tt` operations; the dialects above use the same ones.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITON_IR_TRAITS_H
#define TRITON_DIALECT_TRITON_IR_TRAITS_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::triton {

/// Memory of the device that all programs of a launch see.
struct GlobalMemory : public SideEffects::Resource::Base<GlobalMemory> {
  StringRef getName() final { return "<GlobalMemory>"; }
};

/// Most elements that a tensor may have.
inline constexpr int64_t kMaxTensorNumElements = 1048576;
/// Most dimensions; further ones could only have size 1.
inline constexpr unsigned kMaxTensorRank = 32;

} // namespace mlir::triton

namespace mlir::OpTrait {
namespace impl {
// The bodies are out of line: one copy instead of one per operation.
LogicalResult verifyTensorSize(Operation *op);
LogicalResult verifyTensorLayouts(Operation *op);
LogicalResult verifySameOperandsEncoding(Operation *op);
LogicalResult verifySameOperandsAndResultEncoding(Operation *op);
} // namespace impl

/// Every tensor, also that of a block pointer or descriptor, has 1 to
/// kMaxTensorRank dimensions and a power of two of elements, at most
/// kMaxTensorNumElements.
template <typename ConcreteType>
class TensorSizeTrait : public TraitBase<ConcreteType, TensorSizeTrait> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return impl::verifyTensorSize(op);
  }
};

/// Every layout fits its tensor's shape and the module: the layout's dialect
/// decides (DialectInferLayoutInterface::verifyTensorLayout).
template <typename ConcreteType>
class VerifyTensorLayoutsTrait
    : public TraitBase<ConcreteType, VerifyTensorLayoutsTrait> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return impl::verifyTensorLayouts(op);
  }
};

/// Each element of a result is an element of an operand, perhaps at another
/// place, and perhaps more than once. Nothing is computed.
template <typename ConcreteType>
class MovesElements : public TraitBase<ConcreteType, MovesElements> {};

/// All tensor operands have equal layouts, or none of them has one.
template <typename ConcreteType>
class SameOperandsEncoding
    : public TraitBase<ConcreteType, SameOperandsEncoding> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return impl::verifySameOperandsEncoding(op);
  }
};

/// All tensor operands and results have equal layouts, or none of them has one.
template <typename ConcreteType>
class SameOperandsAndResultEncoding
    : public TraitBase<ConcreteType, SameOperandsAndResultEncoding> {
public:
  static LogicalResult verifyTrait(Operation *op) {
    return impl::verifySameOperandsAndResultEncoding(op);
  }
};

} // namespace mlir::OpTrait

#endif // TRITON_DIALECT_TRITON_IR_TRAITS_H
