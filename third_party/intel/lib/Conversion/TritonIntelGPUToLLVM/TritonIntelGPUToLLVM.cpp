//===- TritonIntelGPUToLLVM.cpp - Lower TTGIR to the LLVM dialect ---------===//
// SPDX-License-Identifier: MIT
//
// Wires the patterns of this folder into one dialect conversion. After it, no
// tensor and no operation of tt, ttg or ttig is left; scf, arith and math on
// scalars and vectors remain for upstream's conversions.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "convert-triton-intel-gpu-to-llvm"
#include "triton/Support/DebugOutput.h"

#include "Control/Assertions.h"
#include "PatternTritonIntelGPUToLLVM.h"
#include "Utility/SharedMemory.h"
#include "intel/Conversion/TritonIntelGPUToLLVM/Passes.h"

#include "intel/Analysis/Layouts/AccessWidths.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Target/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "triton/Dialect/Proton/IR/Dialect.h"
#include "triton/Dialect/ProtonGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_CONVERTTRITONINTELGPUTOLLVM
#include "intel/Conversion/TritonIntelGPUToLLVM/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Lowers all of a module's kernels at once; see the head of the file.
class ConvertTritonIntelGPUToLLVMPass
    : public gpu::intel::impl::ConvertTritonIntelGPUToLLVMBase<
          ConvertTritonIntelGPUToLLVMPass> {
public:
  /// Takes the options of the pass.
  using ConvertTritonIntelGPUToLLVMBase::ConvertTritonIntelGPUToLLVMBase;

  /// Fails, with diagnostics, if any operation has no lowering.
  void runOnTTGIR() override {
    ModuleOp module = getOperation();
    MLIRContext *context = &getContext();
    // Before anything changes, so that messages show what users know.
    if (failed(verifyElementwiseOperations(module, externSymbols)))
      return signalPassFailure();
    declareSharedMemory(module);
    // Addresses of whole tensors exist only until anything is rewritten.
    const auto &widths = getAnalysis<AccessWidths>();
    // Numbers the assertions of all functions, before their texts are gone.
    AssertionTable assertions(module);

    HiddenArguments hidden;
    hidden.hasReport = !assertions.empty();
    hidden.scratchBytes =
        getBytes(module, TritonGPUDialect::getGlobalScratchSizeAttrName());
    hidden.profileBytes =
        getBytes(module, TritonGPUDialect::getProfileScratchSizeAttrName());
    // All segments of a module have one type.
    module.walk([&](proton_gpu::SegmentAllocOp op) {
      hidden.profiledPrograms = op.getSegment().getType().getPrograms();
      return WalkResult::interrupt();
    });

    LDBG() << "scratch bytes: " << hidden.scratchBytes
           << ", of profiles: " << hidden.profileBytes
           << (hidden.hasReport ? ", with a report" : "");
    RegisterTypeConverter converter(context);
    // One set of patterns for all families: an operation's operands may be of
    // any.
    RewritePatternSet patterns(context);
    populateConstantToLLVMPatterns(converter, patterns);
    populateElementwiseToLLVMPatterns(converter, patterns, externSymbols);
    populateFloatToLLVMPatterns(converter, patterns);
    populateMathToLLVMPatterns(converter, patterns);
    populateFuncToLLVMPatterns(converter, patterns, hidden);
    populateProfileToLLVMPatterns(converter, patterns, hidden);
    populateSPMDToLLVMPatterns(converter, patterns);
    populateViewToLLVMPatterns(converter, patterns);
    populatePointerToLLVMPatterns(converter, patterns);
    // Whether masked loads become branches is an option of the pass.
    populateLoadStoreToLLVMPatterns(converter, patterns, widths, loadBranches);
    populateBlockLoadStoreToLLVMPatterns(converter, patterns);
    populateAtomicToLLVMPatterns(converter, patterns);
    populateDotToLLVMPatterns(converter, patterns);
    populateConvertLayoutToLLVMPatterns(converter, patterns);
    populateLocalMemoryToLLVMPatterns(converter, patterns);
    populateGlobalScratchToLLVMPatterns(converter, patterns, hidden);
    populatePrivateMemoryToLLVMPatterns(converter, patterns);
    populateReduceToLLVMPatterns(converter, patterns);
    populateScanToLLVMPatterns(converter, patterns);
    populateGatherToLLVMPatterns(converter, patterns);
    populateShuffleToLLVMPatterns(converter, patterns);
    populatePrintToLLVMPatterns(converter, patterns);
    populateAssertToLLVMPatterns(converter, patterns, assertions);
    populateVariableToLLVMPatterns(converter, patterns);
    populateHistogramToLLVMPatterns(converter, patterns);
    populateMapElementwiseToLLVMPatterns(converter, patterns);

    // Legal is what has no tensors, pointers or memdescs of Triton left in its
    // types.
    ConversionTarget target(*context);
    target.addLegalDialect<LLVM::LLVMDialect>();
    target.addIllegalDialect<TritonDialect, TritonGPUDialect,
                             TritonIntelGPUDialect,
                             proton_gpu::ProtonGPUDialect>();
    // Another conversion lowers the operations of one sub-group.
    target.addLegalOp<MakeSurfaceOp, BlockLoadOp, BlockStoreOp, BlockPrefetchOp,
                      DpasOp, ShuffleOp, LaneReduceOp>();
    // Casts between both kinds of types cancel in the end.
    target.addLegalOp<ModuleOp, UnrealizedConversionCastOp>();
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return converter.isLegal(op); });
    addMathToLLVMLegality(target, converter, context);
    // Loops and branches carry the registers of a tensor one by one.
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    cf::populateCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                       target);

    ConversionConfig config;
    config.allowPatternRollback = true;
    if (failed(applyPartialConversion(module, target, std::move(patterns),
                                      config)))
      return signalPassFailure();
    if (!assertions.empty())
      attachTexts(module, assertions);
  }

private:
  /// Returns the number in an attribute of the module; 0 if it has none.
  static int64_t getBytes(ModuleOp module, StringRef name) {
    auto bytes = module->getAttrOfType<IntegerAttr>(name);
    return bytes ? bytes.getInt() : 0;
  }

  /// Leaves the texts of assertions for the translation to SPIR-V.
  static void attachTexts(ModuleOp module, const AssertionTable &assertions) {
    Builder builder(module.getContext());
    auto texts =
        builder.getStrArrayAttr({kAssertionsAttribute, assertions.getLines()});
    // On every kernel, as each one may be the one that is launched.
    for (auto function : module.getOps<LLVM::LLVMFuncOp>())
      if (function.getCConv() == LLVM::CConv::SPIR_KERNEL) {
        SmallVector<Attribute> all = {texts};
        if (ArrayAttr others = function.getPassthroughAttr())
          llvm::append_range(all, others);
        function.setPassthroughAttr(builder.getArrayAttr(all));
      }
  }

  /// Declares the work-group's shared memory: one array of the size that the
  /// allocation found, so that every consumer of the binary sees the true need.
  static void declareSharedMemory(ModuleOp module) {
    auto size = module->getAttrOfType<IntegerAttr>(
        TritonGPUDialect::getSharedAttrName());
    // No global for modules that need no shared memory.
    if (!size || size.getInt() == 0)
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), size.getInt());
    auto global = LLVM::GlobalOp::create(
        builder, module.getLoc(), type, /*isConstant=*/false,
        LLVM::Linkage::Internal, kSharedMemorySymbol, /*value=*/Attribute(),
        /*alignment=*/128, /*addrSpace=*/3);
    // OpenCL's local memory has no initial value.
    Block *block = builder.createBlock(&global.getInitializerRegion());
    builder.setInsertionPointToStart(block);
    Value poison = LLVM::UndefOp::create(builder, module.getLoc(), type);
    LLVM::ReturnOp::create(builder, module.getLoc(), poison);
  }
};

} // namespace
