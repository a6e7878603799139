//===- Passes.td - TTGIR passes for Intel GPUs -------------*- tablegen -*-===//
//
// One section per pass, in the order in which the ttgir pipeline runs them.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_DIALECT_TRITONINTELGPU_TRANSFORMS_PASSES
#define INTEL_DIALECT_TRITONINTELGPU_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// tritonintelgpu-remove-layout-conversions
//===----------------------------------------------------------------------===//

def TritonIntelGPURemoveLayoutConversions
    : Pass<"tritonintelgpu-remove-layout-conversions", "mlir::ModuleOp"> {
  let summary = "choose layouts so that few tensors have to be converted";
  let description = [{
    A `ttg.convert_layout` between work-items goes through shared local memory.
    This pass removes every one that another choice of layouts makes
    superfluous. A dot fixes the layout of its accumulator and its factors; that
    layout is pushed forward through the arithmetic of the epilogue into its
    stores, and backward into its loads.

    What a layout can be pushed into:
      - elementwise operations, constants, splats, ranges, shape operations,
        reductions (whose results take slices), and the arguments and results of
        `scf.for`, `scf.if` and `scf.while`;
      - a load through a block pointer with `ttig.block_io`, which costs the same
        in any layout that has a two-dimensional block access: the block pointer
        is made anew with the wanted layout, or retyped if all users agree;
      - a store through a block pointer;
      - a load, store or atomic through a tensor of pointers, when its lanes then
        still run along memory and this is cheaper than the conversion
        (LayoutCost.h). `keep-load-layouts` forbids this for loads.
    Loads and other expensive operations are moved, never duplicated, and
    volatile ones stay as they are.

    Before, with `#mma` a `#ttig.dpas`:

    ```mlir
    %d = tt.dot %a, %b, %c : ... -> tensor<256x256xf32, #mma>
    %e = ttg.convert_layout %d : tensor<256x256xf32, #mma> -> tensor<256x256xf32, #blocked>
    %x = tt.load %p {ttig.block_io = "row_major"} : !tt.ptr<tensor<256x256xf32, #blocked>>
    %y = arith.addf %e, %x : tensor<256x256xf32, #blocked>
    tt.store %q, %y {ttig.block_io = "row_major"} : !tt.ptr<tensor<256x256xf32, #blocked>>
    ```
    After, with `%p` and `%q` made for `#mma`:

    ```mlir
    %d = tt.dot %a, %b, %c : ... -> tensor<256x256xf32, #mma>
    %x = tt.load %p {ttig.block_io = "row_major"} : !tt.ptr<tensor<256x256xf32, #mma>>
    %y = arith.addf %d, %x : tensor<256x256xf32, #mma>
    tt.store %q, %y {ttig.block_io = "row_major"} : !tt.ptr<tensor<256x256xf32, #mma>>
    ```

    A conversion that remains and needs shared local memory is reported to the
    remark engine (missed, category = name of the pass) with its layouts and
    bytes, or as an ordinary remark with `remarks`.
  }];
  let options = [
    Option<"keepLoadLayouts", "keep-load-layouts", "bool", /*default=*/"false",
           "loads through tensors of pointers keep their layout">,
    Option<"remarks", "remarks", "bool", /*default=*/"false",
           "report conversions that remain as remarks of the diagnostic engine">,
  ];
  let statistics = [
    Statistic<"numRemoved", "num-removed", "Layout conversions removed">,
    Statistic<"numRemaining", "num-remaining",
              "Layout conversions left that need shared local memory">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::TritonGPUDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

#endif // INTEL_DIALECT_TRITONINTELGPU_TRANSFORMS_PASSES
