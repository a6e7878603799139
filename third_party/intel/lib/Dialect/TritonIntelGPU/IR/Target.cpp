//===- Target.cpp - Capabilities of a module's target ---------------------===//
// SPDX-License-Identifier: MIT
//
// Combines the architecture on a module with the attributes of Intel's backend,
// and answers questions about the target in terms of IR.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/IR/DotPrecision.h"
#include "intel/Dialect/TritonIntelGPU/IR/ScaledDot.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

/// All capabilities that have an attribute.
static constexpr Capability kCapabilities[] = {
    Capability::BlockIO2D,      Capability::Dpas,
    Capability::DpasBF8,        Capability::ScaledDpas,
    Capability::BF16Conversion, Capability::BF16Arithmetic,
    Capability::F4Conversion,   Capability::F8Conversion,
    Capability::Atomics16Bit,   Capability::PredicatedIO,
    Capability::Prefetch256B,
};

TargetDesc intel::getTargetDesc(ModuleOp module) {
  TargetDesc desc;
  // Without a module nothing is known of the target, which can do nothing then.
  if (!module)
    return desc;
  if (auto target = module->getAttrOfType<TargetAttr>(
          TritonIntelGPUDialect::getTargetAttrName()))
    // The attribute's verifier knows that there is an entry.
    if (const KnownTarget *known = lookupKnownTarget(target.getArch()))
      desc = TargetDesc(*known);

  // A capability is present or it is not; so one attribute of Intel's backend
  // means that all of them are present.
  auto minSubGroupSize = module->getAttrOfType<IntegerAttr>(
      TritonIntelGPUDialect::getMinSubGroupSizeAttrName());
  bool annotated = static_cast<bool>(minSubGroupSize);
  uint32_t capabilities = 0;
  for (Capability capability : kCapabilities) {
    if (!module->hasAttr(
            TritonIntelGPUDialect::getCapabilityAttrName(capability)))
      continue;
    annotated = true;
    capabilities |= static_cast<uint32_t>(capability);
  }
  // The entry of the table holds where there are no attributes.
  if (annotated)
    desc.setCapabilities(capabilities);
  if (minSubGroupSize)
    desc.setMinSubGroupSize(minSubGroupSize.getInt());
  return desc;
}

TargetDesc intel::getTargetDesc(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  return getTargetDesc(module ? module : op->getParentOfType<ModuleOp>());
}

int64_t intel::getRegistersPerThread(ModuleOp module) {
  if (auto stated = module->getAttrOfType<IntegerAttr>(
          TritonIntelGPUDialect::getRegistersAttrName()))
    return stated.getInt();
  return getTargetDesc(module).getFewestRegisters();
}

/// A target that is set already stays.
LogicalResult intel::setTarget(ModuleOp module, StringRef arch) {
  StringRef name = TritonIntelGPUDialect::getTargetAttrName();
  if (module->hasAttr(name))
    return success();
  auto target = TargetAttr::getChecked([&] { return module.emitError(); },
                                       module.getContext(), arch);
  if (!target)
    return failure();
  module->setAttr(name, target);
  return success();
}

//===----------------------------------------------------------------------===//
// DPAS
//===----------------------------------------------------------------------===//

std::optional<DpasElement> intel::getDpasElement(Type type, bool isOperand) {
  if (type.isBF16())
    return DpasElement::BF16;
  if (type.isF16())
    return DpasElement::F16;
  // Operands are tf32, results are f32.
  if (type.isF32())
    return isOperand ? DpasElement::TF32 : DpasElement::F32;
  if (isOperand && isa<Float8E5M2Type>(type))
    return DpasElement::E5M2;
  if (isOperand && isa<Float8E4M3FNType>(type))
    return DpasElement::E4M3;
  // Integers are signless; operands count as signed.
  if (isOperand && type.isInteger(8))
    return DpasElement::S8;
  if (!isOperand && type.isInteger(32))
    return DpasElement::S32;
  return std::nullopt;
}

Type intel::getDpasElementType(DotOpInterface dot, const TargetDesc &target) {
  // Packed values count as what the tensor has, which are bytes.
  if (auto scaled = dyn_cast<DotScaledOp>(*dot))
    return isScaledDpas(scaled, target) ? getElementTypeOrSelf(scaled.getA())
                                        : Type();
  std::optional<DpasElement> accumulator =
      getDpasElement(getElementTypeOrSelf(dot.getType()), /*isOperand=*/false);
  auto supports = [&](Type a, Type b) {
    std::optional<DpasElement> left = getDpasElement(a, /*isOperand=*/true);
    std::optional<DpasElement> right = getDpasElement(b, /*isOperand=*/true);
    return left && right && accumulator &&
           target.supportsDpas({*left, *right, *accumulator});
  };
  Type a = getElementTypeOrSelf(dot.getA());
  Type b = getElementTypeOrSelf(dot.getB());
  auto isF8 = [](Type type) {
    return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
  };
  // Two kinds of 8-bit floats may meet in an instruction.
  if (isF8(a) && isF8(b) && supports(a, b))
    return a;
  auto operandType = [&](Type type) -> Type {
    // Every fp8 value is an f16 value.
    return isF8(type) ? Float16Type::get(type.getContext()) : type;
  };
  // Other operands of two types have no instruction.
  Type type = operandType(a);
  if (type != operandType(b) || !supports(type, type))
    return {};
  // Only when the program allows the lower precision.
  if (type.isF32() &&
      cast<DotOp>(*dot).getInputPrecision() != InputPrecision::TF32)
    return {};
  return type;
}

bool intel::fillsDpas(DotOpInterface dot, Type element,
                      const TargetDesc &target) {
  unsigned opsPerChannel = 32 / element.getIntOrFloatBitWidth();
  unsigned depth = target.getDpasSystolicDepth();
  unsigned lanes = target.getMinSubGroupSize();
  unsigned rowWidth = DpasEncodingAttr::getLanesPerRowOfA(
      depth, target.getDpasExecutionSize(), opsPerChannel, lanes);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(dot.getType()).getShape();
  int64_t k = cast<RankedTensorType>(dot.getA().getType()).getShape().back();
  return shape.back() >= target.getDpasExecutionSize() &&
         k >= depth * opsPerChannel &&
         shape[shape.size() - 2] >= llvm::divideCeil(lanes, rowWidth);
}

/// Returns whether all three tensors of a dot are f32.
static bool isSingle(DotOpInterface dot) {
  return llvm::all_of(
      ArrayRef<Value>{dot.getA(), dot.getB(), dot->getResult(0)},
      [](Value value) {
        return getElementTypeOrSelf(value.getType()).isF32();
      });
}

bool intel::isExactSingleDot(DotOpInterface dot, const TargetDesc &target) {
  auto common = dyn_cast<DotOp>(*dot);
  return common && isSingle(dot) &&
         common.getInputPrecision() == InputPrecision::IEEE &&
         target.supportsDpas(
             {DpasElement::TF32, DpasElement::TF32, DpasElement::F32});
}

Type intel::getSplitElementType(DotOp dot, const TargetDesc &target) {
  // This is what the program specifies a precision for.
  if (!isSingle(dot))
    return {};
  auto supports = [&](DpasElement element) {
    return target.supportsDpas({element, element, DpasElement::F32});
  };
  // Products of parts: tf32 takes two per operand, bf16 two or three.
  switch (dot.getInputPrecision()) {
  case InputPrecision::TF32x3:
    return supports(DpasElement::TF32) ? Float32Type::get(dot.getContext())
                                       : Type();
  case InputPrecision::BF16x3:
  case InputPrecision::BF16x6:
    return supports(DpasElement::BF16) ? BFloat16Type::get(dot.getContext())
                                       : Type();
  // These are a single product, or none of DPAS.
  case InputPrecision::TF32:
  case InputPrecision::IEEE:
    return {};
  }
  llvm_unreachable("covered switch");
}
