//===- DpasEncoding.td - Layout of the systolic array ------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_DPASENCODING_TD
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_DPASENCODING_TD

include "intel/Dialect/TritonIntelGPU/IR/TritonIntelGPUDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "triton/Dialect/TritonGPU/IR/LinearLayoutInterface.td"

class TTIG_DistributedEncoding<string name, string attrMnemonic,
                               list<Trait> traits = []>
    : AttrDef<TritonIntelGPU_Dialect, name, !listconcat([
        DeclareAttrInterfaceMethods<LinearLayoutEncodingInterface>,
        DeclareAttrInterfaceMethods<DistributedEncodingInterface>,
        DeclareAttrInterfaceMethods<VerifiableTensorEncoding>], traits)> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTIG_DpasEncoding : TTIG_DistributedEncoding<"DpasEncoding", "dpas", [
    DeclareAttrInterfaceMethods<MmaEncodingInterface>]> {
  let summary = "layout of the accumulator of DPAS, the systolic array";
  let description = [{
    One DPAS multiplies A (`repeatCount` x `systolicDepth * opsPerChannel`) with B
    (`systolicDepth * opsPerChannel` x `executionSize`) and adds the product to C.
    `opsPerChannel` is the number of A or B elements in 32 bits: 1 for tf32, 2 for
    f16 and bf16, 4 for 8-bit integers. Exact products of f32, which the vector
    engines compute, have these layouts, too, also with a `systolicDepth` of 16.

    A sub-group computes a cluster of `repCluster` instructions. The clusters of
    neighbouring sub-groups are adjacent along N, then along M. The clusters of all
    sub-groups together repeat in the registers until they cover the tensor. The
    keys `A`, `B` and `C` show the tiles of one cluster; they are computed from the
    other keys, and ignored when they are read.

    ```mlir
    #mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16,
                       opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [8, 4],
                       repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
    ```

    Within one instruction, with 16 lanes and 16-bit operands, register r of lane l
    holds row r, column l, of A, B and C. Two rows of B share 32 bits (VNNI layout).
    With an `executionSize` of 8 and 8 lanes, a row of A takes 32 bits of each lane:
    columns 2l and 2l + 1.
  }];
  let parameters = (ins
    "unsigned":$repeatCount,
    "unsigned":$systolicDepth,
    "unsigned":$executionSize,
    "unsigned":$opsPerChannel,
    ArrayRefParameter<"unsigned">:$warpsPerCTA,
    ArrayRefParameter<"unsigned">:$repCluster,
    "unsigned":$threadsPerWarp
  );
  let extraClassDeclaration = [{
    /// Rows and columns of one instruction.
    ::llvm::SmallVector<unsigned> getDPASInstShapeA() const;
    ::llvm::SmallVector<unsigned> getDPASInstShapeB() const;
    ::llvm::SmallVector<unsigned> getDPASInstShapeC() const;

    /// Neighbours of a row of A in one lane: a row has `systolicDepth` times 32
    /// bits, of which each of `executionSize` lanes holds a part, or a whole
    /// value.
    static unsigned getNeighboursOfA(unsigned systolicDepth,
                                     unsigned executionSize,
                                     unsigned opsPerChannel);

    /// How many lanes hold one row of A; each has more of it if there are too
    /// few.
    static unsigned getLanesPerRowOfA(unsigned systolicDepth,
                                      unsigned executionSize,
                                      unsigned opsPerChannel,
                                      unsigned threadsPerWarp);

    /// The tile of one cluster, in the rank of the tensor.
    ::llvm::SmallVector<unsigned> getShapeA() const;
    ::llvm::SmallVector<unsigned> getShapeB() const;
    ::llvm::SmallVector<unsigned> getShapeC() const;

    /// How often one sub-group repeats the cluster tile over a tensor, along
    /// (batch, rows, columns); each at least 1. `opIdx` 0 is A, 1 is B, 2 is C.
    ::llvm::SmallVector<int64_t>
    getDPASRepetitions(::llvm::ArrayRef<int64_t> shape, unsigned opIdx) const;
  }];
}

def TTIG_Subgroup2DBlockEncoding
    : TTIG_DistributedEncoding<"Subgroup2DBlockEncoding", "subgroup_2d_block"> {
  let summary = "layout of 2D block messages";
  let description = [{
    Each sub-group holds `numBlocks` blocks of `instrShape` side by side. Lanes follow
    the columns of a row: each lane holds one column. If the block is narrower than
    the sub-group, a register holds several rows. If it is wider, a lane holds
    several neighbouring columns. Sub-groups are adjacent along `order[1]`; those
    along `order[0]` hold copies.

    ```mlir
    #ttig.subgroup_2d_block<{warpsPerCTA = [8, 1], instrShape = [8, 16], numBlocks=2, order=[1, 0], kWidth=2, threadsPerWarp=16}>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"unsigned">:$warpsPerCTA,
    ArrayRefParameter<"unsigned">:$instrShape,
    "unsigned":$numBlocks,
    ArrayRefParameter<"unsigned">:$order,
    "unsigned":$kWidth,
    "unsigned":$threadsPerWarp
  );
}

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_IR_DPASENCODING_TD
