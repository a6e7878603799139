//===- LinearLayoutInterface.td - Interface of layouts -----*- tablegen -*-===//
// SPDX-License-Identifier: MIT
//
// The one truth about layouts. An encoding is nothing but a compact spelling of
// a LinearLayout; code that needs the place of an element queries that map and
// never for the kind of encoding.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_TRITONGPU_IR_LINEARLAYOUTINTERFACE_TD
#define TRITON_DIALECT_TRITONGPU_IR_LINEARLAYOUTINTERFACE_TD

include "mlir/IR/OpBase.td"

def LinearLayoutEncodingInterface
    : AttrInterface<"LinearLayoutEncodingInterface"> {
  let cppNamespace = "::mlir::triton::gpu";
  let description = [{
    An encoding that places the elements of a tensor. Distributed encodings map
    (register, lane, warp, block), shared ones (offset, block), to (dim0, dim1,
    ...), with the dimensions in these orders. Block always has size 1.
  }];
  let methods = [
    InterfaceMethod<[{
      The layout of a tensor of this shape: a pure function of the encoding and
      the shape, whose entries are powers of two. The free function
      `toLinearLayout` is the same with a cache.
    }], "::mlir::triton::LinearLayout", "toLinearLayout",
        (ins "::llvm::ArrayRef<int64_t>":$shape)>,
    InterfaceMethod<"Number of tensor dimensions that the encoding describes.",
        "unsigned", "getRank">,
  ];
}

def DistributedEncodingInterface
    : AttrInterface<"DistributedEncodingInterface",
                    [LinearLayoutEncodingInterface]> {
  let cppNamespace = "::mlir::triton::gpu";
  let description = [{
    An encoding that distributes a tensor over registers of lanes of warps.
  }];
  let methods = [
    InterfaceMethod<[{
      Dimensions of the tensor, the one that successive registers walk first
      comes first; where registers do not decide, lanes and then warps do.
    }], "::llvm::SmallVector<unsigned>", "getOrder",
        (ins "::llvm::ArrayRef<int64_t>":$shape), /*methodBody=*/"",
        /*defaultImplementation=*/[{
      return ::mlir::triton::gpu::getOrderOfBases(
          $_attr.toLinearLayout(shape),
          {::mlir::triton::LayoutDim::Register, ::mlir::triton::LayoutDim::Lane,
           ::mlir::triton::LayoutDim::Warp});
    }]>,
    InterfaceMethod<[{
      Checks that the encoding fits a tensor of this shape in a launch with
      these numbers of warps and lanes per warp.
    }], "::llvm::LogicalResult", "verifyDistribution",
        (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
             "::llvm::ArrayRef<int64_t>":$shape, "int32_t":$numWarps,
             "int32_t":$threadsPerWarp), /*methodBody=*/"",
        /*defaultImplementation=*/[{
      return ::mlir::triton::gpu::verifyLayoutGeometry(
          emitError, $_attr.toLinearLayout(shape), numWarps, threadsPerWarp);
    }]>,
  ];
  let extraSharedClassDeclaration = [{
    /// Values of a tensor of this shape that each lane holds, copies included.
    unsigned getTotalElemsPerThread(::llvm::ArrayRef<int64_t> shape) const {
      return $_attr.toLinearLayout(shape).getInDimSize(
          ::mlir::triton::LayoutDim::Register);
    }
    /// As `getOrder`, but considering lanes first, then warps.
    ::llvm::SmallVector<unsigned>
    getThreadOrder(::llvm::ArrayRef<int64_t> shape) const {
      return ::mlir::triton::gpu::getOrderOfBases(
          $_attr.toLinearLayout(shape),
          {::mlir::triton::LayoutDim::Lane, ::mlir::triton::LayoutDim::Warp});
    }
    /// As `getOrder`, but considering warps alone.
    ::llvm::SmallVector<unsigned>
    getWarpOrder(::llvm::ArrayRef<int64_t> shape) const {
      return ::mlir::triton::gpu::getOrderOfBases(
          $_attr.toLinearLayout(shape), {::mlir::triton::LayoutDim::Warp});
    }
    /// Per dimension, how many consecutive elements the low register bits of
    /// one lane cover.
    ::llvm::SmallVector<unsigned>
    getContigPerThread(::llvm::ArrayRef<int64_t> shape) const {
      return ::mlir::triton::gpu::getContiguityOfBases(
          $_attr.toLinearLayout(shape), ::mlir::triton::LayoutDim::Register);
    }
  }];
}

def SharedEncodingInterface
    : AttrInterface<"SharedEncodingInterface", [LinearLayoutEncodingInterface]> {
  let cppNamespace = "::mlir::triton::gpu";
  let description = [{
    An encoding that places a tensor in shared memory. The linear layout gives
    the offset in elements before padding; padding, where there is any, moves an
    element at offset `i` to `i + sum((i / interval) * pad)`.
  }];
  let methods = [
    InterfaceMethod<"Alignment in bytes that the encoding requires.",
        "unsigned", "getMinimalAlignment", (ins), /*methodBody=*/"",
        /*defaultImplementation=*/"return 16;">,
    InterfaceMethod<[{
      The paddings: after each interval of elements (first), leave a number of
      elements free (second). Both are powers of two.
    }], "::llvm::SmallVector<std::pair<unsigned, unsigned>>", "getPaddingRules",
        (ins), /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
      The encoding of the same memory seen with permuted dimensions: dimension i
      of the view is dimension `order[i]`.
    }], "::mlir::Attribute", "transpose",
        (ins "::llvm::ArrayRef<int32_t>":$order)>,
  ];
  let extraSharedClassDeclaration = [{
    /// The place of unpadded offset `offset`.
    int64_t padOffset(int64_t offset) const {
      int64_t padded = offset;
      for (auto [interval, padding] : $_attr.getPaddingRules())
        padded += offset / interval * padding;
      return padded;
    }
    /// Elements of memory that a tensor of this shape takes, padding included
    /// (but none after the last element).
    int64_t getStorageElements(::llvm::ArrayRef<int64_t> shape) const {
      int64_t elements = 1;
      for (int64_t size : shape)
        elements *= size;
      return elements == 0 ? 0 : padOffset(elements - 1) + 1;
    }
  }];
}

def MmaEncodingInterface
    : AttrInterface<"MmaEncodingInterface", [DistributedEncodingInterface]> {
  let cppNamespace = "::mlir::triton::gpu";
  let description = [{
    The encoding of the accumulator of a matrix instruction. It also knows how
    the instruction wants its operands, so that `#ttg.dot_op` works for
    instructions of any vendor.
  }];
  let methods = [
    InterfaceMethod<[{
      The layout of operand `opIdx` (0 = A, 1 = B) on a tensor of this shape.
    }], "::mlir::triton::LinearLayout", "toLinearLayoutOfOperand",
        (ins "::llvm::ArrayRef<int64_t>":$shape, "unsigned":$opIdx,
             "unsigned":$kWidth)>,
    InterfaceMethod<[{
      Consecutive values along K that a lane holds of operand `opIdx`: the
      `kWidth` of the operand's encoding.
    }], "unsigned", "getOperandKWidth", (ins "unsigned":$opIdx)>,
    InterfaceMethod<[{
      Checks that `#ttg.dot_op<{opIdx, parent = this, kWidth}>` exists.
    }], "::llvm::LogicalResult", "verifyDotOperand",
        (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
             "unsigned":$opIdx, "unsigned":$kWidth)>,
    InterfaceMethod<[{
      Checks that the instruction multiplies these element types.
    }], "::llvm::LogicalResult", "verifyDotElementTypes",
        (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
             "::mlir::Type":$a, "::mlir::Type":$b)>,
  ];
}

#endif // TRITON_DIALECT_TRITONGPU_IR_LINEARLAYOUTINTERFACE_TD
