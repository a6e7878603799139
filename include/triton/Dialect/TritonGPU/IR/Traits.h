//===- Traits.h - Memory and traits of ttg operations -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_TRAITS_H
#define TRITON_DIALECT_TRITONGPU_IR_TRAITS_H

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::triton::gpu {

/// The memory that the work-items of one CTA share.
struct SharedMemory : public SideEffects::Resource::Base<SharedMemory> {
  StringRef getName() final { return "<SharedMemory>"; }
};

namespace OpTrait {

/// The result is a view into the memory that the first operand names: memory
/// accesses through either may meet.
template <typename ConcreteType>
class MemDescViewTrait
    : public mlir::OpTrait::TraitBase<ConcreteType, MemDescViewTrait> {};

} // namespace OpTrait
} // namespace mlir::triton::gpu

#endif // TRITON_DIALECT_TRITONGPU_IR_TRAITS_H
