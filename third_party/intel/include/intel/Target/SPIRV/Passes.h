//===- Passes.h - LLVM passes that make IR legal for SPIR-V -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// LLVM's SPIR-V backend accepts a subset of LLVM IR, and device compilers
// accept a subset of what the backend writes. These passes legalize the IR, so
// that neither its producers nor the mid-level optimizer have to know the
// subsets. addLegalizationPasses defines their order: vectors are split first,
// so that expansions call OpenCL functions that exist. Integers are promoted
// last, because an expansion may need a wider or a narrower one.
//
// The code works on LLVM IR only, and is outside of namespace mlir, where
// Type, Value and Attribute mean something else.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_SPIRV_PASSES_H
#define TRITON_INTEL_TARGET_SPIRV_PASSES_H

#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace mlir::triton::gpu::intel {
struct KnownTarget;
} // namespace mlir::triton::gpu::intel

namespace triton::intel::spirv {

/// Gives the sub-group, 2D block I/O, DPAS and barrier builtins the attributes
/// that the optimizer needs: `convergent`, and their effects on memory.
/// Producers need not set these.
///
///     declare spir_func float @_Z17sub_group_shufflefj(float, i32)
/// becomes
///     declare spir_func float @_Z17sub_group_shufflefj(float, i32) #0
///     attributes #0 = { convergent mustprogress nounwind willreturn
///     memory(none) }
struct AnnotateBuiltinsPass : llvm::PassInfoMixin<AnnotateBuiltinsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Keeps LLVM from narrowing divisions in f64 whose results are rounded to f32.
///
///     %q = fdiv double %x.wide, %y.wide
///     %r = fptrunc double %q to float
/// becomes
///     %s = fmul double %x.wide, 0x1p64
///     %d = fdiv double %s, %y.wide
///     %q = fmul double %d, 0x1p-64
///     %r = fptrunc double %q to float
struct KeepDivisionsPass : llvm::PassInfoMixin<KeepDivisionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Gives conversions of floats to integers a result for every float.
///
///     %i = fptosi float %x to i32
/// becomes
///     %ordered = fcmp ord float %x, %x
///     %number = select i1 %ordered, float %x, float 0.0
///     %i = call i32 @llvm.fptosi.sat.i32.f32(float %number)
struct SaturateConversionsPass : llvm::PassInfoMixin<SaturateConversionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Shuffles whole elements instead of their parts, if only shuffles of parts
/// are in between.
///
///     %h = bitcast <4 x i32> %v to <8 x half>
///     %s = shufflevector <8 x half> %h, ..., <4 x i32> <i32 4, i32 5, i32 0,
///     i32 1>
///     %w = bitcast <4 x half> %s to <2 x i32>
/// becomes
///     %w = shufflevector <4 x i32> %v, ..., <2 x i32> <i32 2, i32 0>
struct RejoinElementsPass : llvm::PassInfoMixin<RejoinElementsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Rotates loops in loops whose first iteration is known to run
/// (RotateLoops.cpp).
///
/// header:
///     %k = phi i32 [ %begin, %entry ], [ %next, %body ]
///     %more = icmp slt i32 %k, %end
///     br i1 %more, label %body, label %exit
/// body:
///     %next = add i32 %k, 32
///     br label %header
/// becomes, after llvm.assume(%begin < %end),
/// body:
///     %k = phi i32 [ %begin, %entry ], [ %next, %body ]
///     %next = add i32 %k, 32
///     %more = icmp slt i32 %next, %end
///     br i1 %more, label %body, label %exit
struct RotateLoopsPass : llvm::PassInfoMixin<RotateLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &analyses,
                              llvm::LPMUpdater &);
};

/// Adds the parts of vectors of addresses in 64 bits: first those that a loop
/// does not change, last the constants.
///
///     %n = add <8 x i32> %x, <i32 0, i32 64, ...>
///     %w = sext <8 x i32> %n to <8 x i64>
///     %a = add <8 x i64> %base, %w
/// becomes
///     %v = sext <8 x i32> %x to <8 x i64>
///     %b = add <8 x i64> %base, %v
///     %a = add <8 x i64> %b, <i64 0, i64 64, ...>
struct WidenOffsetsPass : llvm::PassInfoMixin<WidenOffsetsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Computes addresses that are a constant away from another one by adding the
/// constant to it (ShareAddresses.cpp).
///
///     %n = add i64 %k, 8
///     %s = shl i64 %n, 1
///     %a = add i64 %base, %s
///     %p = inttoptr i64 %a to ptr addrspace(1)
/// becomes, if %b is the sum of %base and %k << 1, and is an address,
///     %a = add i64 %b, 16
///     %p = inttoptr i64 %a to ptr addrspace(1)
struct ShareAddressesPass : llvm::PassInfoMixin<ShareAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Compares numbers of 64 bits by their lower halves where these decide
/// (NarrowComparisons.cpp).
///
///     %w = sext i32 %k to i64
///     %n = or disjoint i64 %w, 8
///     %e = sext i32 %end to i64
///     %c = icmp slt i64 %n, %e
/// becomes, if bit 3 of %k is known to be 0,
///     %n = or i32 %k, 8
///     %c = icmp slt i32 %n, %end
struct NarrowComparisonsPass : llvm::PassInfoMixin<NarrowComparisonsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Folds a mask that is the same for all elements into the bound of a
/// comparison.
///
///     %c = icmp slt <8 x i32> %x, %splat_of_end
///     %m = and <8 x i1> %splat_of_row, %c
/// becomes
///     %b = select i1 %row, i32 %end, i32 -2147483648
///     %m = icmp slt <8 x i32> %x, %splat_of_b
///
/// A comparison that includes its bound is folded if the first mask implies
/// that the bound is not the last number of its type; see FoldMasks.cpp.
struct FoldMasksPass : llvm::PassInfoMixin<FoldMasksPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Computes masks of words, which are the same in all lanes, one in each lane.
///
///     %c = icmp slt <8 x i32> %splat_of_k + <0, 1, 2, ...>, %splat_of_end
///     %w = bitcast <8 x i16> (sext <8 x i1> %c) to <4 x i32>
/// becomes, with the mask of word i in lane i of %m,
///     %w0 = call i32 @_Z19sub_group_broadcastij(i32 %m, i32 0)
///     %w = insertelement ..., i32 %w0, i32 0
///     ...
struct ComputeInLanesPass : llvm::PassInfoMixin<ComputeInLanesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Compares a boolean with a number by its sign extension, which is what
/// comparisons write to registers.
///
///     %n = zext <4 x i1> %b to <4 x i32>
///     %c = icmp eq <4 x i32> %n, %x
/// becomes
///     %m = sext <4 x i1> %b to <4 x i32>
///     %y = sub <4 x i32> zeroinitializer, %x
///     %c = icmp eq <4 x i32> %m, %y
struct CompareMasksPass : llvm::PassInfoMixin<CompareMasksPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Computes vectors of conditions as numbers, where IGC would combine flags.
///
///     %c = xor <8 x i1> %a, %b
///     %s = select <8 x i1> %c, <8 x i32> %x, <8 x i32> zeroinitializer
/// becomes
///     %a.mask = sext <8 x i1> %a to <8 x i32>    ; kept as it is by inline
///     %b.mask = sext <8 x i1> %b to <8 x i32>    ; assembly without code
///     %c.mask = xor <8 x i32> %a.mask, %b.mask
///     %s = and <8 x i32> %c.mask, %x
struct HoldConditionsPass : llvm::PassInfoMixin<HoldConditionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Compares again in each other block that uses a condition, where the compared
/// numbers take one register: IGC copies conditions for which there is no flag.
///
///     entry:
///       %c = icmp ult <8 x i32> %lanes, %constants
///     one:
///       %s = select <8 x i1> %c, ...
/// becomes
///     entry:
///     one:
///       %c = icmp ult <8 x i32> %lanes, %constants
///       %s = select <8 x i1> %c, ...
struct RepeatComparisonsPass : llvm::PassInfoMixin<RepeatComparisonsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Orders blocks that need more registers than a thread can have depth first:
/// one element after the other rather than one operation after the other.
struct ShortenLivesPass : llvm::PassInfoMixin<ShortenLivesPass> {
  const mlir::triton::gpu::intel::KnownTarget *target;
  explicit ShortenLivesPass(const mlir::triton::gpu::intel::KnownTarget *target)
      : target(target) {}
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Reads fields of loaded bytes, such as weights of four bits, from the double
/// words that have these bytes.
///
///     %b = load <4 x i8>, ptr addrspace(1) %p, align 4
///     %z = zext <4 x i8> %b to <4 x i32>
///     %f = and <4 x i32> %z, splat (i32 15)
/// becomes
///     %w = load <1 x i32>, ptr addrspace(1) %p, align 4
///     %m = shufflevector <1 x i32> %w, <1 x i32> poison,
///          <4 x i32> zeroinitializer
///     %s = lshr <4 x i32> %m, <i32 0, i32 8, i32 16, i32 24>
///     %f = and <4 x i32> %s, splat (i32 15)
struct ReadBitFieldsPass : llvm::PassInfoMixin<ReadBitFieldsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Replaces conversions of small integers to f32, to which a constant is added,
/// by bits of f32 and another constant.
///
///     %n = and i32 %word, 15
///     %w = uitofp i32 %n to float
///     %d = fadd float %w, -8.0
/// becomes
///     %b = or i32 %n, 1258291200          ; of 2^23
///     %w = bitcast i32 %b to float
///     %d = fadd float %w, -8388616.0
struct ConvertByBitsPass : llvm::PassInfoMixin<ConvertByBitsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Narrows f32 arithmetic whose result is rounded to f16, and converts small
/// integers to f16 by their bits.
///
///     %n = and i32 %word, 15
///     %w = sitofp i32 %n to float
///     %f = fpext half %scale to float
///     %p = fmul float %w, %f
///     %h = fptrunc float %p to half
/// becomes
///     %b = or i32 %n, 25600               ; of 1024
///     %t = trunc i32 %b to i16
///     %c = bitcast i16 %t to half
///     %w = fsub half %c, 1024.0
///     %h = fmul half %w, %scale
struct NarrowHalvesPass : llvm::PassInfoMixin<NarrowHalvesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Computes with numbers of rows, which all lanes have, in one instruction for
/// several rows, as long as each is in a separate lane (PackRows.cpp).
///
///     %a = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 0)
///     %b = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 8)
///     %v = insertelement <2 x float> (insertelement %a, 0), float %b, i64 1
///     %e = call <2 x float> @llvm.exp2(<2 x float> %v)
/// becomes
///     %y = call float @llvm.exp2(float %x)
///     %a = call spir_func float @_Z19sub_group_broadcastfj(float %y, i32 0)
///     %b = call spir_func float @_Z19sub_group_broadcastfj(float %y, i32 8)
///     %e = insertelement <2 x float> (insertelement %a, 0), float %b, i64 1
struct PackRowsPass : llvm::PassInfoMixin<PackRowsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Replaces f32 divisions by the same divisor, or by those of rows, by products
/// with its reciprocal.
///
///     %q = fdiv <8 x float> %x, %splat_of_y
/// becomes
///     %r = fdiv float 1.0, %y            ; of %y scaled, as the factor is
///     %q = fmul <8 x float> %x, %splat_of_r
struct ShareReciprocalsPass : llvm::PassInfoMixin<ShareReciprocalsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Widens bf16 by the device's conversion instruction.
///
///     %w = zext <8 x i16> %h to <8 x i32>
///     %s = shl <8 x i32> %w, splat (i32 16)
///     %f = bitcast <8 x i32> %s to <8 x float>
/// becomes
///     %f = call spir_func <8 x float>
///              @_Z27__spirv_ConvertBF16ToFINTELDv8_s(<8 x i16> %h)
struct WidenBF16Pass : llvm::PassInfoMixin<WidenBF16Pass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Widens e4m3 to f16 by the best code for the device: assembly for a GPU,
/// arithmetic otherwise.
///
///     %h = call spir_func i32 @triton_xe.widen_e4m3.upper.i32(i32 %units)
/// becomes
///     %h = call i32 asm "... asr (M1_NM, 32) MOVED(0,0)<1> ...",
///              "=rw,rw"(i32 %units)
struct WidenE4M3Pass : llvm::PassInfoMixin<WidenE4M3Pass> {
  /// The GPU; null for any other device.
  const mlir::triton::gpu::intel::KnownTarget *target;

  explicit WidenE4M3Pass(const mlir::triton::gpu::intel::KnownTarget *target)
      : target(target) {}
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Moves the cache controls of accesses to pointers, one for each access.
///
///     %v = load i32, ptr addrspace(1) %p, !spirv.DecorationCacheControlINTEL
///     !0
/// becomes
///     %a = ptrtoint ptr addrspace(1) %p to i64
///     %q = inttoptr i64 %a to ptr addrspace(1), !spirv.Decorations !1
///     %v = load i32, ptr addrspace(1) %q
struct DecorateCacheControlsPass
    : llvm::PassInfoMixin<DecorateCacheControlsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Replaces loads of one row that fills half a register by loads of two blocks,
/// because device compilers miscompile the former (FillRegisters.cpp).
///
///     call spir_func void @...Subgroup2DBlockLoadINTEL...(
///         i32 2, i32 16, i32 1, i32 1, ptr addrspace(1) %base, ..., ptr %to)
/// becomes
///     call spir_func void @...Subgroup2DBlockLoadINTEL...(
///         i32 2, i32 16, i32 1, i32 2, ptr addrspace(1) %base, ..., ptr %both)
///     %first = load i16, ptr %both
///     store i16 %first, ptr %to
struct FillRegistersPass : llvm::PassInfoMixin<FillRegistersPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Keeps the address of a 2D block message in a register, of which an iteration
/// of a loop writes only what it changes, or which several messages of a block
/// of code share (KeepAddresses.cpp).
///
/// loop:
///     %place = insertelement <2 x i32> (insertelement %x, 0), i32 %y, i64 1
///     call spir_func void @...Subgroup2DBlockLoadINTEL...(
///         i32 2, i32 16, i32 8, i32 2, ptr %base, i32 %width, i32 %height,
///         i32 %pitch, <2 x i32> %place, ptr %to)
/// becomes, if the loop changes no more than %x,
///     %p = call spir_func ptr
///         @__builtin_IB_subgroup_createBlock2DAddressPayload(
///         i64 %base, i32 %width - 1, i32 %height - 1, i32 %pitch - 1, i32 0,
///         i32 %y, i32 16, i32 8, i32 2)
/// loop:
///     call spir_func void
///         @__builtin_IB_subgroup_setBlock2DAddressPayloadBlockX(%p, i32 %x)
///     %v = call spir_func <16 x i16>
///         @__builtin_IB_subgroup_block_read_ap_u16_m8k16v2(
///         %p, i32 0, i32 0, i32 0)
///     store <16 x i16> %v, ptr %to
struct KeepAddressesPass : llvm::PassInfoMixin<KeepAddressesPass> {
  /// The GPU; null for any other device.
  const mlir::triton::gpu::intel::KnownTarget *target;

  explicit KeepAddressesPass(
      const mlir::triton::gpu::intel::KnownTarget *target)
      : target(target) {}
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Keeps device compilers from using one register for the addresses of two 2D
/// block messages of a loop (SeparateAddresses.cpp).
///
///     %place = insertelement <2 x i32> <i32 poison, i32 0>, i32 %x, i64 0
///     %other = insertelement <2 x i32> %place, i32 %y, i64 1
/// becomes, if messages to one surface take these places,
///     %zero = call i32 asm "\0A", "=rw,0"(i32 0)
///     %place = insertelement <2 x i32> (insertelement %x, 0), i32 %zero, i64 1
///     %other = insertelement <2 x i32> %place, i32 %y, i64 1
struct SeparateAddressesPass : llvm::PassInfoMixin<SeparateAddressesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Multiplies numbers that were extended to 64 bits by their signs as words
/// (NarrowProducts.cpp), if lanes have separate products.
///
///     %x = sext i32 %a to i64
///     %y = sext i32 %b to i64
///     %p = mul i64 %x, %y
/// becomes
///     %low = mul i32 %a, %b
///     %high = call i32 asm "mulh ...", "=rw,rw,rw"(i32 %a, i32 %b)
///     %p = bitcast <2 x i32> (%low, %high) to i64
struct NarrowProductsPass : llvm::PassInfoMixin<NarrowProductsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Extends numbers with zeros where LLVM's combiner would form what is not
/// selected, or wrong (ExtendNumbers.cpp).
///
///     %x = call i32 asm ...
///     %y = zext i32 %x to i64
///     %w = zext <2 x i32> (sext <2 x i8> %v) to <2 x i64>
/// becomes
///     %p = insertelement <2 x i32> zeroinitializer, i32 %x, i64 0
///     %y = bitcast <2 x i32> %p to i64
///     %w = and <2 x i64> (sext <2 x i8> %v), splat (i64 4294967295)
struct ExtendNumbersPass : llvm::PassInfoMixin<ExtendNumbersPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Keeps device compilers from computing the address of a 2D block message in a
/// loop with branches from that of another one (HidePlaces.cpp). Messages with
/// a payload of KeepAddresses.cpp are no calls that this pass sees.
///
///     %place = insertelement <2 x i32> (insertelement %x, 0), i32 %k, i64 1
/// becomes, if the loop changes %k,
///     %hidden = call i32 asm "\0A", "=rw,0"(i32 %k)
///     %place = insertelement <2 x i32> (insertelement %x, 0), i32 %hidden, 1
struct HidePlacesPass : llvm::PassInfoMixin<HidePlacesPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Marks functions for inlining that take or return a structure, which device
/// compilers miscompile or never end on (InlineStructures.cpp).
///
///     define spir_func { i64, i64 } @order(i64 %a, i64 %b) noinline
/// becomes
///     define spir_func { i64, i64 } @order(i64 %a, i64 %b) alwaysinline
struct InlineStructuresPass : llvm::PassInfoMixin<InlineStructuresPass> {
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Converts f64 to f16 by way of f32, and f64 to f32 by assembly in sub-groups
/// of 16 lanes, because device compilers miscompile conversions of several
/// values (NarrowDoubles.cpp).
///
///     %f = fptrunc double %d to float
/// becomes
///     %b = call i32 asm "... mov (M1, 16) NARROW(0,0)<1> $1(0,0)<1;1,0> ...",
///              "=rw,rw"(double %d)
///     %f = bitcast i32 %b to float
struct NarrowDoublesPass : llvm::PassInfoMixin<NarrowDoublesPass> {
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Shuffles values in parts where device compilers miscompile the shuffle:
/// halves of 64 bits unless sums or products alone follow, and bytes of what
/// comes from one lane where a byte of the result is used (SplitShuffles.cpp).
///
///     %s = call i64 @_Z21sub_group_shuffle_xorlj(i64 %x, i32 8)
///     %r = xor i64 %x, %s
/// becomes
///     %l = call i32 @_Z21sub_group_shuffle_xorij(i32 (trunc %x), i32 8)
///     %h = call i32 @_Z21sub_group_shuffle_xorij(i32 (trunc (lshr %x, 32)),
///                                                i32 8)
///     %s = or (zext %l), (shl (zext %h), 32)
///     %r = xor i64 %x, %s
struct SplitShufflesPass : llvm::PassInfoMixin<SplitShufflesPass> {
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Moves a region of a register instead of shuffling, where the lanes that are
/// read follow from the number of the own lane (ReadRegions.cpp).
///
///     %even = and i32 %lane, -2
///     %s = call spir_func i32 @_Z17sub_group_shuffleij(i32 %x, i32 %even)
/// becomes
///     %s = call i32 asm "... mov (M1, 16) $0(0,0)<1> $1(0,0)<2;2,0> ...",
///              "=rw,rw"(i32 %x)
struct ReadRegionsPass : llvm::PassInfoMixin<ReadRegionsPass> {
  /// The GPU; null for any other device.
  const mlir::triton::gpu::intel::KnownTarget *target;

  explicit ReadRegionsPass(const mlir::triton::gpu::intel::KnownTarget *target)
      : target(target) {}
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Adds a number to one lane of a register, such as a row of an identity matrix
/// to a row (AddToLanes.cpp).
///
///     %c = icmp eq i32 %lane, 5
///     %e = uitofp i1 %c to float
///     %s = fadd float %x, %e
/// becomes
///     %y = call i32 asm "... add (M1_NM, 1) F(0,5)<1> F(0,5)<0;1,0> 1.0:f",
///              "=rw,0"(i32 (bitcast %x))
///     %s = fadd float (bitcast %y), 0.0
struct AddToLanesPass : llvm::PassInfoMixin<AddToLanesPass> {
  /// The GPU; null for any other device.
  const mlir::triton::gpu::intel::KnownTarget *target;

  explicit AddToLanesPass(const mlir::triton::gpu::intel::KnownTarget *target)
      : target(target) {}
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Copies the first element of vectors whose elements device compilers would
/// compute as vectors, with wrong results (CopyFirstElements.cpp).
///
///     %v = shufflevector <4 x float> %sum, ..., <2 x i32> <i32 1, i32 0>
///     store <2 x float> %v, ptr %p
/// becomes, if another vector consists of elements 0 and 1 in this order,
///     %v = shufflevector <4 x float> %sum, ..., <2 x i32> <i32 1, i32 0>
///     %b = call i32 asm "\0A", "=rw,0"(i32 (bitcast %v[0]))
///     %w = insertelement <2 x float> %v, float (bitcast %b), i64 0
///     store <2 x float> %w, ptr %p
struct CopyFirstElementsPass : llvm::PassInfoMixin<CopyFirstElementsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Rewrites functions that move registers of all lanes from or to consecutive
/// shared memory as accesses of each lane.
///
///     %v = call <2 x i16> @...intel_sub_group_block_read_us2...(ptr
///         addrspace(3) %p)
/// becomes, with 16 lanes,
///     %own = getelementptr i16, ptr addrspace(3) %p, i32 %lane
///     %a = load i16, ptr addrspace(3) %own
///     %next = getelementptr i16, ptr addrspace(3) %own, i32 16
///     %b = load i16, ptr addrspace(3) %next
struct ExpandSharedBlocksPass : llvm::PassInfoMixin<ExpandSharedBlocksPass> {
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Replaces functions of exact products, which no driver has, by multiply-adds
/// whose left factor all lanes read from one of them.
///
/// For example,
///     %d = call <8 x float> @intel_sub_group_f32_f32_matrix_mad_k8(
///         <4 x float> %a, <8 x float> %b, <8 x float> %c)
/// begins with
///     %a0 = extractelement <4 x float> %a, i32 0
///     %bits = bitcast float %a0 to i32
///     %x.bits = call i32 @sub_group_broadcast(i32 %bits, i32 0)
///     %x = bitcast i32 %x.bits to float
///     %sum = call float @llvm.fma.f32(float %x, float %b0, float %c0)
struct ExpandProductsPass : llvm::PassInfoMixin<ExpandProductsPass> {
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// States the pointee types of functions of blocks in shared memory, of which
/// LLVM's backend makes a part of the function's name.
///
///     %v = call spir_func <8 x i16> @...sub_group_block_read_us8...(ptr
///         addrspace(3) @slm)
/// becomes
///     %p = getelementptr i16, ptr addrspace(3) @slm, i32 0
///     %v = call spir_func <8 x i16> @...sub_group_block_read_us8...(ptr
///         addrspace(3) %p)
struct TypeSharedBlocksPass : llvm::PassInfoMixin<TypeSharedBlocksPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
};

/// Splits vectors that SPIR-V does not have (with other than 2, 3, 4, 8 or 16
/// elements) into vectors that it has, and vectors of pointers into scalars.
///
///     %v = load <64 x i16>, ptr %p
///     %a = shufflevector <64 x i16> %v, ..., <8 x i32> <i32 8, ..., i32 15>
/// becomes
///     %v.0 = load <16 x i16>, ptr %p        ; pieces 1 to 3 are dead
///     %a = shufflevector <16 x i16> %v.0, ..., <8 x i32> <i32 8, ..., i32 15>
struct SplitVectorsPass : llvm::PassInfoMixin<SplitVectorsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Expands intrinsics that the backend refuses, or translates to an operation
/// with other semantics: arithmetic with overflow, `minimum` and `maximum` (it
/// would drop NaNs), `bitreverse`, `ldexp`, `exp10`, `canonicalize`, `ptrmask`,
/// `powi` on vectors, and the 128-bit product whose upper half is `mul_hi`.
struct ExpandUnsupportedIntrinsicsPass
    : llvm::PassInfoMixin<ExpandUnsupportedIntrinsicsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Computes integers of an odd width (i4, i24, i33, ...) in the next width that
/// SPIR-V has, keeping the upper bits zero. The backend widens them without
/// clearing those bits, which gives wrong results.
struct PromoteIntegersPass : llvm::PassInfoMixin<PromoteIntegersPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Adds all passes between the optimizer and the SPIR-V backend.
void addLegalizationPasses(llvm::FunctionPassManager &passes);

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_TARGET_SPIRV_PASSES_H
