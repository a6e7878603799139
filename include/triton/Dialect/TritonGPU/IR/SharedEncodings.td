//===- SharedEncodings.td - Layouts in shared memory -------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_DIALECT_TRITONGPU_IR_SHAREDENCODINGS_TD
#define TRITON_DIALECT_TRITONGPU_IR_SHAREDENCODINGS_TD

include "triton/Dialect/TritonGPU/IR/TritonGPUAttrBase.td"

def TTG_SwizzledSharedEncoding
    : TTG_SharedEncoding<"SwizzledSharedEncoding", "swizzled_shared"> {
  let summary = "rows in shared memory, rotated against each other";
  let description = [{
    Elements lie in `order` (fastest dimension first), but in row `r` the groups
    of `vec` elements are exchanged: column `c` is found at
    `((c / vec) ^ ((r / perPhase) % maxPhase)) * vec + c % vec`. That spreads a
    column over the memory banks. With all three parameters 1 storage is plain.

    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4,
                                    order = [1, 0]}>
    ```
  }];
  let parameters = (ins
    "unsigned":$vec,
    "unsigned":$perPhase,
    "unsigned":$maxPhase,
    ArrayRefParameter<"unsigned">:$order
  );
}

def TTG_PaddedSharedEncoding
    : TTG_SharedEncoding<"PaddedSharedEncoding", "padded_shared",
                         ["getPaddingRules"]> {
  let summary = "shared memory with gaps at regular intervals";
  let description = [{
    An element whose offset in `linearComponent` is `i` lies at
    `i + sum_k (i / interval_k) * padding_k`. The offsets are written as `order`
    and `shape` where they are plain storage in some order, else as bases.

    ```mlir
    #ttg.padded_shared<[64:+8, 256:+16] {order = [1, 0], shape = [32, 32]}>
    #ttg.padded_shared<[4:+2] {offset = [[1, 0], [0, 1], [2, 0]], block = []}>
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"unsigned">:$intervals,
    ArrayRefParameter<"unsigned">:$paddings,
    AttrParameter<"::mlir::triton::LinearLayout", "offset to element">:$linearComponent
  );
}

def TTG_SharedLinearEncoding
    : TTG_SharedEncoding<"SharedLinearEncoding", "shared_linear",
                         ["getMinimalAlignment"]> {
  let summary = "shared memory given by the bases of its offsets";
  let description = [{
    Any one-to-one linear map from offsets to elements.

    ```mlir
    #ttg.shared_linear<{offset = [[0, 1], [1, 0]]}, alignment = 16>
    ```
  }];
  let parameters = (ins
    AttrParameter<"::mlir::triton::LinearLayout", "offset to element">:$linearLayout,
    "unsigned":$alignment
  );
}

def TTG_SharedMemorySpace : TTG_Attr<"SharedMemorySpace", "shared_memory"> {
  let summary = "the memory space of shared local memory";
  let description = [{
    The memory space of every `!ttg.memdesc` with a shared encoding:
    `#ttg.shared_memory`.
  }];
}

#endif // TRITON_DIALECT_TRITONGPU_IR_SHAREDENCODINGS_TD
