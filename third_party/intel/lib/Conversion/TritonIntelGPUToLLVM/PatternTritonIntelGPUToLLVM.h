//===- PatternTritonIntelGPUToLLVM.h - Lowering patterns --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// One populate function per family of operations; each is implemented in the
// file of the same name.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_PATTERNTRITONINTELGPUTOLLVM_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_PATTERNTRITONINTELGPUTOLLVM_H

#include "Control/HiddenArguments.h"
#include "Utility/RegisterTypeConverter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::triton::gpu::intel {

class AccessWidths;
class AssertionTable;

void populateConstantToLLVMPatterns(const RegisterTypeConverter &converter,
                                    RewritePatternSet &patterns);
/// Reports the first inline assembly, or call of a function that is neither one
/// of OpenCL nor named in `externSymbols`.
LogicalResult verifyElementwiseOperations(ModuleOp module,
                                          ArrayRef<std::string> externSymbols);
/// Functions that `externSymbols` names are called as they are.
void populateElementwiseToLLVMPatterns(const RegisterTypeConverter &converter,
                                       RewritePatternSet &patterns,
                                       ArrayRef<std::string> externSymbols);
void populateFloatToLLVMPatterns(const RegisterTypeConverter &converter,
                                 RewritePatternSet &patterns);
void populateMathToLLVMPatterns(const RegisterTypeConverter &converter,
                                RewritePatternSet &patterns);
/// Makes the operations of math illegal that upstream's conversions leave
/// alone or compute badly, on scalars too. `converter` has to live as long as
/// `target`.
void addMathToLLVMLegality(ConversionTarget &target,
                           const RegisterTypeConverter &converter,
                           MLIRContext *context);
/// Gives functions the hidden parameters.
void populateFuncToLLVMPatterns(const RegisterTypeConverter &converter,
                                RewritePatternSet &patterns,
                                HiddenArguments hidden);
/// Clocks and segments of records, in the memory that `hidden` has.
void populateProfileToLLVMPatterns(const RegisterTypeConverter &converter,
                                   RewritePatternSet &patterns,
                                   HiddenArguments hidden);
/// Adds patterns for memory of programs in the global scratch that `hidden`
/// has.
void populateGlobalScratchToLLVMPatterns(const RegisterTypeConverter &converter,
                                         RewritePatternSet &patterns,
                                         HiddenArguments hidden);
/// Arrays in the frame of a function, and slices of them.
void populatePrivateMemoryToLLVMPatterns(const RegisterTypeConverter &converter,
                                         RewritePatternSet &patterns);
void populateSPMDToLLVMPatterns(const RegisterTypeConverter &converter,
                                RewritePatternSet &patterns);
void populateViewToLLVMPatterns(const RegisterTypeConverter &converter,
                                RewritePatternSet &patterns);
void populatePointerToLLVMPatterns(const RegisterTypeConverter &converter,
                                   RewritePatternSet &patterns);
/// With `loadBranches` all masked loads are branches. `widths` has to live as
/// long as `patterns`.
void populateLoadStoreToLLVMPatterns(const RegisterTypeConverter &converter,
                                     RewritePatternSet &patterns,
                                     const AccessWidths &widths,
                                     bool loadBranches);
void populateBlockLoadStoreToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns);
void populateAtomicToLLVMPatterns(const RegisterTypeConverter &converter,
                                  RewritePatternSet &patterns);
void populateDotToLLVMPatterns(const RegisterTypeConverter &converter,
                               RewritePatternSet &patterns);
void populateConvertLayoutToLLVMPatterns(const RegisterTypeConverter &converter,
                                         RewritePatternSet &patterns);
void populateLocalMemoryToLLVMPatterns(const RegisterTypeConverter &converter,
                                       RewritePatternSet &patterns);
void populateReduceToLLVMPatterns(const RegisterTypeConverter &converter,
                                  RewritePatternSet &patterns);
void populateScanToLLVMPatterns(const RegisterTypeConverter &converter,
                                RewritePatternSet &patterns);
void populateGatherToLLVMPatterns(const RegisterTypeConverter &converter,
                                  RewritePatternSet &patterns);
void populateShuffleToLLVMPatterns(const RegisterTypeConverter &converter,
                                   RewritePatternSet &patterns);
void populateHistogramToLLVMPatterns(const RegisterTypeConverter &converter,
                                     RewritePatternSet &patterns);
void populateMapElementwiseToLLVMPatterns(
    const RegisterTypeConverter &converter, RewritePatternSet &patterns);
void populatePrintToLLVMPatterns(const RegisterTypeConverter &converter,
                                 RewritePatternSet &patterns);
void populateAssertToLLVMPatterns(const RegisterTypeConverter &converter,
                                  RewritePatternSet &patterns,
                                  const AssertionTable &assertions);
void populateVariableToLLVMPatterns(const RegisterTypeConverter &converter,
                                    RewritePatternSet &patterns);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_PATTERNTRITONINTELGPUTOLLVM_H
