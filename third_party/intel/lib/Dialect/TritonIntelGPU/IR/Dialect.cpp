//===- Dialect.cpp - The ttig dialect -------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Registration, aliases of encodings in printed IR, inlining, and the checks of
// the dialect's discardable attributes.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

#include "Variables.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "triton/Analysis/ConversionTarget.h"
#include "triton/Dialect/TritonGPU/IR/InferLayout.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUDialect.cpp.inc"
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUAttrs.cpp.inc"

namespace {

/// All layouts of matrix instructions share one alias; those that implement the
/// interface have it from ttg.
class TritonIntelGPUOpAsmInterface : public OpAsmDialectInterface {
public:
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<Subgroup2DBlockEncodingAttr>(attr))
      return AliasResult::NoAlias;
    os << "mma";
    return AliasResult::FinalAlias;
  }
};

/// Conversions are planned for the module's target.
class TritonIntelGPUConversionTarget : public ConversionTargetInterface {
public:
  using ConversionTargetInterface::ConversionTargetInterface;

  LayoutConversionOptions getConversionOptions(ModuleOp module) const override {
    TargetDesc target = getTargetDesc(module);
    LayoutConversionOptions options;
    options.numBanks = target.getSharedMemoryBanks().numBanks;
    options.bankBytes = target.getSharedMemoryBanks().bankBytes;
    options.maxVectorBytes = target.getMaxVectorBits() / 8;
    // Drivers have functions for them (cl_intel_subgroup_local_block_io).
    options.hasBlockAccess = true;
    options.maxScratchBytes = target.getMaxConversionBytes();
    return options;
  }

  int64_t getSharedMemoryShare(ModuleOp module) const override {
    TargetDesc target = getTargetDesc(module);
    return int64_t(target.getSharedMemoryBytes()) * lookupNumWarps(module) /
           target.getMaxSubGroups();
  }

  int64_t getHeldBytes(ModuleOp module) const override {
    return getTargetDesc(module).getCompiler().heldBytes;
  }
};

/// Operations of the dialect may be inlined anywhere.
class TritonIntelGPUInlinerInterface : public DialectInlinerInterface {
public:
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};

} // namespace

void TritonIntelGPUDialect::registerAttributes() {
  // These are generated classes.
  addAttributes<
#define GET_ATTRDEF_LIST
#include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUAttrs.cpp.inc"
      >();
}

void TritonIntelGPUDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOps();
  // Layouts are inferred as linear ones; see ttg.
  addInterfaces<LinearInferLayoutInterface, TritonIntelGPUOpAsmInterface,
                TritonIntelGPUConversionTarget,
                TritonIntelGPUInlinerInterface>();
}

//===----------------------------------------------------------------------===//
// Discardable attributes
//===----------------------------------------------------------------------===//

/// All capabilities, in the order of the enumeration.
static constexpr std::pair<Capability, llvm::StringLiteral> kCapabilityNames[] =
    {
        {Capability::BlockIO2D, "ttig.support_2d_block_io"},
        {Capability::Dpas, "ttig.support_subgroup_matrix_multiply_accumulate"},
        {Capability::DpasBF8,
         "ttig.support_subgroup_matrix_multiply_accumulate_bf8"},
        {Capability::ScaledDpas,
         "ttig.support_subgroup_scaled_matrix_multiply_accumulate"},
        {Capability::BF16Conversion, "ttig.support_bfloat16_conversion"},
        {Capability::BF16Arithmetic, "ttig.support_bfloat16_arithmetic"},
        {Capability::F4Conversion, "ttig.support_f4_conversion"},
        {Capability::F8Conversion, "ttig.support_f8_conversion"},
        {Capability::Atomics16Bit, "ttig.support_16bit_atomics"},
        {Capability::PredicatedIO, "ttig.support_predicated_io"},
        {Capability::Prefetch256B, "ttig.support_prefetch_256b"},
};

StringRef TritonIntelGPUDialect::getCapabilityAttrName(Capability capability) {
  for (auto [known, name] : kCapabilityNames)
    if (known == capability)
      return name;
  llvm_unreachable("all capabilities have a name");
}

/// Checks that the attribute is an `AttrT`, which messages call `kind`.
template <typename AttrT>
static LogicalResult verifyKind(Operation *op, NamedAttribute attr,
                                StringRef kind) {
  if (isa<AttrT>(attr.getValue()))
    return success();
  return op->emitOpError() << "expected " << attr.getName() << " to be " << kind
                           << ", found " << attr.getValue();
}

/// Checks that the attribute is a number of registers.
static LogicalResult verifyRegisters(Operation *op, NamedAttribute attr) {
  auto number = dyn_cast<IntegerAttr>(attr.getValue());
  if (isa<ModuleOp>(op) && number && number.getType().isInteger(32) &&
      number.getInt() > 0)
    return success();
  return op->emitOpError() << "expected " << attr.getName()
                           << " to be a positive i32 on a module, found "
                           << attr.getValue();
}

LogicalResult
TritonIntelGPUDialect::verifyOperationAttribute(Operation *op,
                                                NamedAttribute attr) {
  StringRef name = attr.getName();
  if (name == getTargetAttrName())
    return verifyKind<TargetAttr>(op, attr, "a '#ttig.target'");
  if (name == getTargetArchAttrName())
    return verifyKind<StringAttr>(op, attr, "a string");
  if (name == getVariablesAttrName())
    return verifyVariables(op, attr);
  if (name == getRegistersAttrName())
    return verifyRegisters(op, attr);
  if (name == getMinSubGroupSizeAttrName()) {
    auto value = dyn_cast<IntegerAttr>(attr.getValue());
    if (!value || !value.getType().isInteger(32) || value.getInt() <= 0 ||
        !llvm::isPowerOf2_64(value.getInt()))
      return op->emitOpError()
             << "expected " << attr.getName()
             << " to be an i32 power of two, found " << attr.getValue();
    return success();
  }
  // Capabilities are present or not.
  for (auto [capability, known] : kCapabilityNames)
    if (name == known)
      return verifyKind<UnitAttr>(op, attr, "a unit attribute");
  return success();
}

LogicalResult TritonIntelGPUDialect::verifyRegionArgAttribute(
    Operation *op, unsigned regionIndex, unsigned argIndex,
    NamedAttribute attr) {
  if (attr.getName() != getValueAttrName())
    return success();
  // A declaration has no region with arguments.
  Type type = cast<FunctionOpInterface>(op).getArgumentTypes()[argIndex];
  auto value = dyn_cast<IntegerAttr>(attr.getValue());
  if (value && value.getType().isInteger(32) && type.isInteger())
    return success();
  return op->emitOpError() << "expected " << attr.getName()
                           << " to be an i32 on an argument that is an integer,"
                           << " found " << attr.getValue() << " on " << type;
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef arch) {
  if (lookupKnownTarget(arch))
    return success();
  return emitError() << "expected the architecture to be one of "
                     << getKnownTargetNames() << ", found \"" << arch << "\"";
}
