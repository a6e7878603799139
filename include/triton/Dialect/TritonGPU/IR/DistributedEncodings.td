//===- DistributedEncodings.td - Layouts over work-items ---*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_DISTRIBUTEDENCODINGS_TD
#define TRITON_DIALECT_TRITONGPU_IR_DISTRIBUTEDENCODINGS_TD

include "triton/Dialect/TritonGPU/IR/TritonGPUAttrBase.td"

def TTG_BlockedEncoding
    : TTG_DistributedEncoding<"BlockedEncoding", "blocked", ["getOrder"]> {
  let summary = "boxes of registers in boxes of lanes in boxes of warps";
  let description = [{
    The layout of plain memory accesses. Walking the dimensions in `order`
    (fastest first), registers take `sizePerThread`, then lanes take
    `threadsPerWarp`, then warps take `warpsPerCTA`. A tensor larger than that
    tile repeats it in further registers, again in `order`; in a smaller one the
    places that would lie outside hold copies.

    Two lanes by two, each with two neighbours of a row, two warps below each
    other:

    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 2],
                             warpsPerCTA = [2, 1], order = [1, 0]}>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"unsigned">:$sizePerThread,
    ArrayRefParameter<"unsigned">:$threadsPerWarp,
    ArrayRefParameter<"unsigned">:$warpsPerCTA,
    ArrayRefParameter<"unsigned">:$order
  );
  let builders = [
    // Lanes and warps placed so that they cover `shape`: along `order`, each
    // dimension takes the number that it has use for, the last one the rest.
    AttrBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape,
                     "::llvm::ArrayRef<unsigned>":$sizePerThread,
                     "::llvm::ArrayRef<unsigned>":$order, "unsigned":$numWarps,
                     "unsigned":$threadsPerWarp)>,
  ];
}

def TTG_SliceEncoding : TTG_DistributedEncoding<"SliceEncoding", "slice"> {
  let summary = "a layout with one dimension taken out";
  let description = [{
    The layout of a reduction's result: `parent`'s layout on the tensor with a
    dimension of size 1 at `dim`, and that dimension dropped. Registers that
    thereby become copies vanish; lanes and warps that do stay, as copies.

    ```mlir
    tensor<32xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
    ```
  }];
  let parameters = (ins
    "unsigned":$dim,
    "::mlir::triton::gpu::DistributedEncodingInterface":$parent
  );
  let extraClassDeclaration = [{
    /// The shape of the parent's tensor: `shape` with a 1 inserted at `dim`.
    ::llvm::SmallVector<int64_t>
    getParentShape(::llvm::ArrayRef<int64_t> shape) const;
  }];
}

def TTG_LinearEncoding : TTG_DistributedEncoding<"LinearEncoding", "linear"> {
  let summary = "a layout given by its bases";
  let description = [{
    Any layout that moves, per bit, along at most one dimension. The bases must
    reach every element of the tensor that they span; a tensor larger than that
    repeats it in further registers, in a smaller one the bases that would leave
    it are dropped (registers) or hold copies (lanes, warps).

    ```mlir
    #linear = #ttg.linear<{register = [[0, 1], [8, 0]],
                           lane = [[1, 0], [2, 0], [4, 0], [0, 2]],
                           warp = [], block = []}>
    ```
  }];
  let parameters = (ins
    AttrParameter<"::mlir::triton::LinearLayout", "the map">:$linearLayout
  );
}

#endif // TRITON_DIALECT_TRITONGPU_IR_DISTRIBUTEDENCODINGS_TD
