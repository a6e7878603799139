//===- Passes.td - TTGIR passes for Intel GPUs -------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT
//
// One section per pass, in the order in which the ttgir pipeline runs them.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_DIALECT_TRITONINTELGPU_TRANSFORMS_PASSES
#define INTEL_DIALECT_TRITONINTELGPU_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// triton-annotate-module
//===----------------------------------------------------------------------===//

def TritonAnnotateModule : Pass<"triton-annotate-module", "mlir::ModuleOp"> {
  let summary = "put the target on the module";
  let description = [{
    Sets `ttig.target` to the description of the architecture, from which later
    passes read what the hardware can do, and `ttg.threads-per-warp`: the
    sub-group size of DPAS if every dot of some function can use it, else the
    size that was asked for.

    ```mlir
    module {
    ```
    becomes
    ```mlir
    module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.target = ...} {
    ```
    Attributes that the module has already, among them those of Intel's
    backend, stay and take precedence.
  }];
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"\"pvc\"",
           "architecture, an entry of KnownTargets">,
    Option<"threadsPerWarp", "threads-per-warp", "int32_t", /*default=*/"16",
           "sub-group size for kernels without DPAS">,
    Option<"maxConversionBytes", "max-conversion-bytes", "int32_t",
           /*default=*/"-1",
           "shared memory that one pass of a layout conversion may take; 0 is no "
           "limit, negative leaves the default">,
  ];
  let dependentDialects = ["mlir::triton::gpu::TritonGPUDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-decompose-dot-precision
//===----------------------------------------------------------------------===//

def TritonIntelGPUDecomposeDotPrecision
    : Pass<"tritonintelgpu-decompose-dot-precision", "mlir::ModuleOp"> {
  let summary = "multiply f32 as sums of tf32 or bf16";
  let description = [{
    A factor of f32 is the sum of its upper part, cut to tf32 or bf16, and what
    is left of it; with `bf16x6` there are three parts. The product of the sums
    is computed as the products of the parts that matter: three, or six for
    `bf16x6`, the smallest first.

    ```mlir
    %d = tt.dot %a, %b, %c, inputPrecision = tf32x3 : tensor<32x32xf32> * tensor<32x32xf32> -> tensor<32x32xf32>
    ```
    becomes
    ```mlir
    %0 = tt.dot %a_low, %b_high, %zero, inputPrecision = tf32 : ...
    %1 = tt.dot %a_high, %b_low, %0, inputPrecision = tf32 : ...
    %small = arith.select %is_finite, %1, %zero
    %sum = arith.addf %c, %small
    %d = tt.dot %a_high, %b_high, %sum, inputPrecision = tf32 : ...
    ```
    The lower part of an infinity is NaN, hence the selection. Dots that the
    systolic array does not take become `ieee`, which is exact and no slower
    there.
  }];
  let statistics = [
    Statistic<"numDecomposed", "num-decomposed", "Dots replaced by several">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::arith::ArithDialect",
                           "mlir::math::MathDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-accelerate-matmul
//===----------------------------------------------------------------------===//

def TritonIntelGPUAccelerateMatmul
    : Pass<"tritonintelgpu-accelerate-matmul", "mlir::ModuleOp"> {
  let summary = "give dots the layout of the DPAS instruction";
  let description = [{
    A dot whose types the systolic array can multiply gets `#ttig.dpas` as the
    layout of its result and the matching dot operand layouts; the layout
    conversions that this needs are inserted around it. All other dots keep the
    blocked layout and are computed with scalar FMAs, after their operands have
    been extended to the type of the result. 8-bit floats that the array does not
    have are widened to f16, behind the conversions.

    Sub-groups are laid out so that each owns a part of the result that is as
    square as possible, or, if the result feeds another dot (attention), in rows
    so that no sub-group needs the rows of another; in rows, too, if those of the
    left operand are picked by their numbers, as each of them is a message to
    every sub-group that has it. Dots whose results or factors meet choose
    together, by what their factors, registers and conversions between them cost
    in all iterations (WarpGrids.h): a small dot behind a long loop takes the
    loop's grid, and a product that is added to one of a chain lies in rows. A dot
    whose factors are converted in the loop, or stay in registers over it, chooses
    so, too: weights of 8 bits are converted by few sub-groups.

    ```mlir
    %d = tt.dot %a, %b, %c : tensor<256x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #blocked}>>
           * tensor<32x256xbf16, #ttg.dot_op<{opIdx = 1, parent = #blocked}>> -> tensor<256x256xf32, #blocked>
    ```
    becomes
    ```mlir
    %c1 = ttg.convert_layout %c : tensor<256x256xf32, #blocked> -> tensor<256x256xf32, #mma>
    %d1 = tt.dot %a1, %b1, %c1 : tensor<256x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
           * tensor<32x256xbf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>> -> tensor<256x256xf32, #mma>
    %d = ttg.convert_layout %d1 : tensor<256x256xf32, #mma> -> tensor<256x256xf32, #blocked>
    ```
  }];
  let options = [
    Option<"registers", "registers", "int32_t", /*default=*/"128",
           "registers of a thread">,
  ];
  let statistics = [
    Statistic<"numDpas", "num-dpas", "Dots that use DPAS">,
    Statistic<"numFma", "num-fma", "Dots computed with scalar FMAs">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::TritonGPUDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect",
                           "mlir::arith::ArithDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-optimize-dot-operands
//===----------------------------------------------------------------------===//

def TritonIntelGPUOptimizeDotOperands
    : Pass<"tritonintelgpu-optimize-dot-operands", "mlir::ModuleOp"> {
  let summary = "load transposed dot operands as what the dot takes";
  let description = [{
    A factor of a dot that is loaded through a block pointer and then transposed
    is loaded transposed instead: the pointer is made with its two dimensions
    exchanged, and so is every advance. The pointer may be carried by `scf.for`;
    pointer and load must have no other use. Best before
    `tritonintelgpu-materialize-block-pointer`, which then decides about the
    access that there will be; an existing `ttig.block_io` is turned around.

    Before:

    ```mlir
    %p = tt.make_tensor_ptr %b, [%n, %k], [%s, %c1], [%y, %x] {order = array<i32: 1, 0>} : <tensor<64x32xf16, #blocked>>
    %l = tt.load %p {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<64x32xf16, #blocked>>
    %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked> -> tensor<32x64xf16, #blocked1>
    ```
    After:

    ```mlir
    %p = tt.make_tensor_ptr %b, [%k, %n], [%c1, %s], [%x, %y] {order = array<i32: 0, 1>} : <tensor<32x64xf16, #blocked1>>
    %t = tt.load %p {boundaryCheck = array<i32: 1>} : !tt.ptr<tensor<32x64xf16, #blocked1>>
    ```
  }];
  let statistics = [
    Statistic<"numTransposed", "num-transposed", "Loads that are transposed">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-version-surfaces
//===----------------------------------------------------------------------===//

def TritonIntelGPUVersionSurfaces
    : Pass<"tritonintelgpu-version-surfaces", "mlir::ModuleOp"> {
  let summary = "let kernels check tensors whose sizes they load";
  let description = [{
    Sizes, strides and addresses of tensors may come from memory (a group of
    matrices, a list of pointers): whether 2D block messages can address such a
    tensor is known neither to the compiler nor to the launch. In functions with
    DPAS, and where nothing else is in the way (BlockAccess.h), the kernel checks
    the tensor when it runs, with a few scalar operations, and chooses between
    two versions of the code: in one the tensor is marked `ttig.checked`, in the
    other `ttig.ordinary`.

    The versions begin in front of the loops that use the tensor, as far out as
    its sizes are known, and end behind the last use. All tensors there share one
    check, and no code is in more than two versions; a tensor that this does not
    fit keeps ordinary accesses.

    ```mlir
    %r = scf.for ... {
      %p = tt.make_tensor_ptr %base, [%m, %k], [%s, %c1], [%y, %x] ...
      ... tt.load %p ... tt.dot ...
    }
    ```
    becomes, with `%legal` for all rules about `%base`, `%m`, `%k` and `%s`,

    ```mlir
    %r = scf.if %legal {
      scf.for ... { %p = tt.make_tensor_ptr ... {ttig.checked} ... }
    } else {
      scf.for ... { %p = tt.make_tensor_ptr ... {ttig.ordinary} ... }
    }
    ```
    Each version is reported to the remark engine (passed).
  }];
  let statistics = [
    Statistic<"numVersions", "num-versions", "Pieces of code in two versions">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-materialize-block-pointer
//===----------------------------------------------------------------------===//

def TritonIntelGPUMaterializeBlockPointer
    : Pass<"tritonintelgpu-materialize-block-pointer", "mlir::ModuleOp"> {
  let summary = "mark the accesses that can be 2D block messages";
  let description = [{
    Puts `ttig.block_io` on every load, store and prefetch through a block
    pointer that satisfies the rules of the target's 2D block messages
    (BlockAccess.h): `"row_major"` if memory is contiguous along the last
    dimension, `"column_major"` if along the second last. Layouts play no role
    yet: a marked access is one whose layout can be chosen freely among those
    that a message delivers. `ttig.may_precede_rows` is added where a block with
    checked columns may begin in front of a base that is not known to be aligned.

    Every `tt.make_tensor_ptr` gets the number of its tensor (`ttig.surface`).
    What only the launch knows about a tensor, such as whether its rows are wide
    enough, is the launcher's to check (`ttig.launch_condition`). A launch whose
    tensors do not satisfy it takes another variant of the kernel, compiled with
    the numbers of these tensors in `ordinary-surfaces`: they get ordinary
    accesses.

    ```mlir
    %p = tt.make_tensor_ptr %base, [%m, %k], [%s, %c1], [%y, %x] {order = array<i32: 1, 0>} : <tensor<256x32xbf16, #blocked>>
    %x = tt.load %p : !tt.ptr<tensor<256x32xbf16, #blocked>>
    ```
    becomes
    ```mlir
    %p = tt.make_tensor_ptr %base, [%m, %k], [%s, %c1], [%y, %x] {order = array<i32: 1, 0>, ttig.surface = 0 : i32} : <tensor<256x32xbf16, #blocked>>
    %x = tt.load %p {ttig.block_io = "row_major"} : !tt.ptr<tensor<256x32xbf16, #blocked>>
    ```
  }];
  let options = [
    ListOption<"ordinarySurfaces", "ordinary-surfaces", "int32_t",
               "Numbers of tensors that 2D block messages cannot address">,
  ];
  let statistics = [
    Statistic<"numMarked", "num-marked", "Accesses marked">,
  ];
  let dependentDialects = ["mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

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
    With `keep-block-accesses`, where nobody rewrites block pointers any more, an
    access with `ttig.block_io` has a layout that a message delivers.
    With `propose-rows`, functions with reductions or scans are also tried with
    layouts that no operation has: rows of ordinary loads belong to one sub-group
    each, as far as there are rows for all, and of scanned columns that sub-groups
    share each has neighbours. So are loads of which every lane would
    have the same elements, as scales of a product's rows: each lane loads some,
    and a move brings them to all lanes. And what is done with a dot's factor
    besides, its rows' norm say, is tried with other elements for each sub-group.
    Blocks of 2D block messages that are wanted in several layouts are loaded in
    each, where that takes less time than a conversion: where they are used first,
    or next to the first load if something may be written in between. Other loads
    and expensive operations are moved, never duplicated, and volatile ones stay as
    they are.

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

    What the choice took is reported to the remark engine per function
    (analysis, `layout-choice`): operations, layouts inferred by dialects, labels
    proposed to operations.
  }];
  let options = [
    Option<"keepLoadLayouts", "keep-load-layouts", "bool", /*default=*/"false",
           "loads through tensors of pointers keep their layout">,
    Option<"keepBlockAccesses", "keep-block-accesses", "bool", /*default=*/"false",
           "accesses with ttig.block_io only get layouts that a message delivers">,
    Option<"proposeRows", "propose-rows", "bool", /*default=*/"false",
           "try layouts of loads that no operation asks for: rows that belong to "
           "one sub-group each, and elements that lanes share">,
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

//===----------------------------------------------------------------------===//
// tritonintelgpu-rewrite-tensor-pointer
//===----------------------------------------------------------------------===//

def TritonIntelGPURewriteTensorPointer
    : Pass<"tritonintelgpu-rewrite-tensor-pointer", "mlir::ModuleOp"> {
  let summary = "rewrite block pointers that cannot become 2D block messages";
  let description = [{
    The conservative fallback for block pointers. A block pointer stays if every
    load, store and prefetch through it, and through all values that it is
    connected with by `tt.advance`, loops, branches and calls, carries
    `ttig.block_io` and has a DPAS or dot operand layout that a legal 2D block
    message delivers. Everything else becomes a tensor of pointers: base, shape,
    strides and offsets are carried as scalars through control flow of any kind
    and through functions, and each access computes its addresses and, for the
    dimensions in its boundary check, its mask. Offsets are added in 64 bits.

    Each access that is rewritten is reported to the remark engine with the exact
    reason (missed, by the name of its `BlockAccessObstacle`), each tensor whose
    accesses stay under a condition with that condition (passed,
    `launch-condition`).

    ```mlir
    // pitch %ld is no multiple of 16 bytes
    %p = tt.make_tensor_ptr %base, [%m, %n], [%ld, %c1], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x16xf16, #mma>>
    %x = tt.load %p {boundaryCheck = array<i32: 0>} : !tt.ptr<tensor<16x16xf16, #mma>>
    ```
    becomes
    ```mlir
    %rows = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    // ... row and column offsets, and the mask of the rows ...
    %x = tt.load %pointers, %mask, %zero : tensor<16x16x!tt.ptr<f16>, #mma>
    ```
  }];
  let options = [
    Option<"rewriteAll", "rewrite-all", "bool", /*default=*/"false",
           "rewrite every block pointer, as the historical pass did to those "
           "of an epilogue">,
  ];
  let statistics = [
    Statistic<"numKept", "num-kept", "Accesses that stay block accesses">,
    Statistic<"numRewritten", "num-rewritten", "Accesses rewritten">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::TritonGPUDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-coalesce
//===----------------------------------------------------------------------===//

def TritonIntelGPUCoalesce : Pass<"tritonintelgpu-coalesce", "mlir::ModuleOp"> {
  let summary = "let the lanes of a sub-group access neighbouring memory";
  let description = [{
    Gives every load, store, prefetch and atomic through a tensor of pointers the
    blocked layout that suits its addresses, by axis analysis: the dimension with
    the longest contiguous runs comes first; along it a lane takes as many
    elements as are contiguous, aligned and masked alike, at most 128 bits and at
    most its share of the tensor; then lanes, then warps follow. Conversions
    before and after make up for the change.

    Of what is nothing but the right factor of products on the systolic array, a
    lane takes the rows of an instruction, as far as its share goes: they belong
    to one lane there, too.

    Accesses through block pointers stay as they are, and so do accesses with the
    layout of an accumulator or a slice of one.

    Before, for 4 warps of 16 lanes and a pointer that is a multiple of 16:

    ```mlir
    %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>   // sizePerThread = [1]
    ```
    After:

    ```mlir
    %q = ttg.convert_layout %p : tensor<1024x!tt.ptr<f32>, #blocked> -> tensor<1024x!tt.ptr<f32>, #blocked1>
    %y = tt.load %q : tensor<1024x!tt.ptr<f32>, #blocked1>  // sizePerThread = [4]
    %x = ttg.convert_layout %y : tensor<1024xf32, #blocked1> -> tensor<1024xf32, #blocked>
    ```
  }];
  let statistics = [
    Statistic<"numCoalesced", "num-coalesced", "Accesses with a new layout">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::TritonGPUDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-slice-tiles
//===----------------------------------------------------------------------===//

def TritonIntelGPUSliceTiles
    : Pass<"tritonintelgpu-slice-tiles", "mlir::ModuleOp"> {
  let summary = "compute tiles of many registers per lane in loops over slices";
  let description = [{
    For the CPU device, whose compiler would take minutes for the straight code of
    a large tile. Operations on tensors that have slices with registers of their
    own become a loop over these slices. A loop's results are in private memory;
    other loops read them from there slice by slice, and what has no slices reads
    all of it:

    ```mlir
    %x = tt.load %p : tensor<4096x!tt.ptr<f32>, #blocked>
    %y = math.exp %x : tensor<4096xf32, #blocked>
    %z = "tt.reduce"(%y) ...
    ```
    becomes
    ```mlir
    %m = ttig.alloc_private : !ttig.private<tensor<4096xf32, #blocked>>
    scf.for %i = %c0 to %c8 step %c1 : i32 {
      // %p's slice is computed from the coordinates.
      %x = tt.load %pi : tensor<512x!tt.ptr<f32>, #blocked>
      %y = math.exp %x : tensor<512xf32, #blocked>
      ttig.store_slice %y, %m[%i] dims = [0] counts = [8] : ...
    }
    %y = ttig.load_slice %m[] dims = [] counts = [] : ...
    %z = "tt.reduce"(%y) ...
    ```

    A scan along the dimension that is cut goes on in each slice where the one
    ahead has ended: the loop carries its last element.

    Loads stay in front of stores that follow them. Tensors with the layout of
    DPAS stay whole. `ttg.shared` is set to what the tiles would need, since slices
    need less.
  }];
  let options = [
    Option<"maxRegisters", "max-registers", "int32_t", /*default=*/"64",
           "registers of 32 bits of a lane up to which tensors stay whole; "
           "slices have half of them, where layouts have such slices">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::triton::gpu::TritonGPUDialect",
    "::mlir::triton::gpu::intel::TritonIntelGPUDialect",
  ];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-defer-reductions
//===----------------------------------------------------------------------===//

def TritonIntelGPUDeferReductions
    : Pass<"tritonintelgpu-defer-reductions", "mlir::ModuleOp"> {
  let summary = "reduce once what a loop combines with a reduction in each iteration";
  let description = [{
    What a loop carries, and combines with the result of a reduction by the same
    operation and with nothing else, becomes a tensor with an element per lane, if
    the reduction crosses lanes or warps. Each lane combines its own elements in
    the loop; behind it, lanes and warps combine theirs:

    ```mlir
    %sum = scf.for ... iter_args(%s = %zero) -> (f32) {
      %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({ ... arith.addf ... })
      %t = arith.addf %s, %r : f32
      scf.yield %t : f32
    }
    ```
    becomes
    ```mlir
    // Each of 64 lanes has 16 neighbours.
    %parts = scf.for ... iter_args(%s = %zeros) -> (tensor<64xf32, #slice>) {
      %own = tt.reshape %x : tensor<1024xf32, #blocked> -> tensor<64x16xf32, #linear>
      %r = "tt.reduce"(%own) <{axis = 1 : i32}> ({ ... arith.addf ... })
      %t = arith.addf %s, %r : tensor<64xf32, #slice>
      scf.yield %t : tensor<64xf32, #slice>
    }
    %r = "tt.reduce"(%parts) <{axis = 0 : i32}> ({ ... arith.addf ... })
    %sum = arith.addf %zero, %r : f32
    ```

    A sum may be multiplied before a tile is added, as that of an online softmax is,
    by a factor that is known to be finite: a constant, or `exp(a - max(a, ...))`.
    Then each lane multiplies its part, and where the sum starts from another number
    than zero, the loop goes on multiplying that.
  }];
  let statistics = [
    Statistic<"numDeferred", "num-deferred", "Reductions behind a loop">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect",
                           "mlir::triton::TritonDialect",
                           "mlir::triton::gpu::TritonGPUDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-detach-accumulators
//===----------------------------------------------------------------------===//

def TritonIntelGPUDetachAccumulators
    : Pass<"tritonintelgpu-detach-accumulators", "mlir::ModuleOp"> {
  let summary = "add products to accumulators that a loop changes otherwise, too";
  let description = [{
    A dot on the systolic array whose accumulator an iteration computes, element by
    element, from what the one before has left, starts from zero, and its result is
    added afterwards:

    ```mlir
    %sum = scf.for ... iter_args(%acc = %init) {
      %scaled = arith.mulf %acc, %factor : tensor<128x64xf32, #mma>
      %next = tt.dot %a, %b, %scaled : ... -> tensor<128x64xf32, #mma>
      scf.yield %next
    ```
    becomes
    ```mlir
    %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
    %sum = scf.for ... iter_args(%acc = %init) {
      %product = tt.dot %a, %b, %zero : ... -> tensor<128x64xf32, #mma>
      %next = math.fma %acc, %factor, %product : tensor<128x64xf32, #mma>
      scf.yield %next
    ```
    Elements are changed in place then; an accumulator of DPAS would be copied. One
    that is only added to stays the accumulator, and so does one of another type
    than f32.
  }];
  let statistics = [
    Statistic<"numDetached", "num-detached", "Accumulators that are added to">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-limit-block-loads
//===----------------------------------------------------------------------===//

def TritonIntelGPULimitBlockLoads
    : Pass<"tritonintelgpu-limit-block-loads", "mlir::ModuleOp"> {
  let summary = "load with small messages where registers are few";
  let description = [{
    In a loop, marks loads of factors that a sub-group uses once, as it has one
    matrix of the other factor's rows or columns, with `ttig.max_message_bytes` if
    a few messages of the usual size do not fit into the registers that the loop
    leaves: besides what it carries, what it uses from outside, and what it computes
    for its dots. So much that a few do, but no less than a matrix of DPAS has.

    ```mlir
    %v = tt.load %p {ttig.block_io = "row_major"}
        : !tt.ptr<tensor<64x128xbf16, #ttg.dot_op<{opIdx = 1, ...}>>>
    ```
    becomes
    ```mlir
    %v = tt.load %p {ttig.block_io = "row_major", ttig.max_message_bytes = 1024 : i32}
        : !tt.ptr<tensor<64x128xbf16, #ttg.dot_op<{opIdx = 1, ...}>>>
    ```
  }];
  let options = [
    Option<"registers", "registers", "int32_t", /*default=*/"128",
           "registers of a thread">,
  ];
  let statistics = [
    Statistic<"numLimited", "num-limited", "Loads with smaller messages">,
  ];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-place-block-loads
//===----------------------------------------------------------------------===//

def TritonIntelGPUPlaceBlockLoads
    : Pass<"tritonintelgpu-place-block-loads", "mlir::ModuleOp"> {
  let summary = "load factors where dots use them";
  let description = [{
    In loops, factors that 2D block messages load are loaded in front of the first
    dot that uses them, if memory does not change in between. So they are outside
    of loops where registers are few: where the dot's operands and result, and what
    else is alive there, do not fit.

    Factors that a loop's dots use in all iterations, and that are loaded in front
    of it, are loaded in front of each such dot where registers are few: where what
    the loop carries, uses from outside and computes for its dots leaves no room
    for a few of the smallest messages. Memory has to be the same from the first
    load to the end of the loop.

    ```mlir
    %q = tt.load %p {ttig.block_io = "row_major"} : ...
    scf.for ... {
      %s = tt.dot %q, %k, %zero
    }
    ```
    becomes
    ```mlir
    scf.for ... {
      %q = tt.load %p {ttig.block_io = "row_major"} : ...
      %s = tt.dot %q, %k, %zero
    }
    ```
    A remark says so. The largest factors come first, and no more than have to.
  }];
  let options = [
    Option<"registers", "registers", "int32_t", /*default=*/"128",
           "registers of a thread">,
  ];
  let statistics = [
    Statistic<"numReloaded", "num-reloaded", "Loads that moved into loops">,
    Statistic<"numSunk", "num-sunk", "Loads that moved down to their dots">,
  ];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-order-accesses
//===----------------------------------------------------------------------===//

def TritonIntelGPUOrderAccesses
    : Pass<"tritonintelgpu-order-accesses", "mlir::ModuleOp"> {
  let summary = "let all sub-groups load before one of them stores";
  let description = [{
    A kernel may store where it has loaded: a product over its factor, a row in
    another order. Sub-groups that load elements which others store have to have
    loaded them by then. A barrier of global memory stands in front of such a store
    if there is none on the way from the load.

    There is none where every sub-group loads the elements that it stores, and no
    others: the tensors have the same addresses, and no sub-group has copies.
    Two arguments may be the same tensor, which those whose blocks have the same
    type, rank, and size in one dimension are taken to be. With `assume-launch` they
    are different, which is added to what launches have to satisfy
    (`ttig.launch_condition`): others get a variant of the kernel without it.
    Atomic operations are left alone.

    ```mlir
    %x = tt.load %p : tensor<64x64x!tt.ptr<bf16>, #factor>
    ...
    tt.store %q, %y : tensor<64x64x!tt.ptr<bf16>, #accumulator>
    ```
    where `%p` and `%q` begin at one argument becomes
    ```mlir
    %x = tt.load %p : tensor<64x64x!tt.ptr<bf16>, #factor>
    ...
    ttg.barrier global_read|global_write
    tt.store %q, %y : tensor<64x64x!tt.ptr<bf16>, #accumulator>
    ```
  }];
  let options = [
    Option<"assumeLaunch", "assume-launch", "bool", /*default=*/"false",
           "take arguments of the kernel for different tensors">,
  ];
  let statistics = [
    Statistic<"numBarriers", "num-barriers", "Barriers">,
  ];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-pipeline
//===----------------------------------------------------------------------===//

def TritonIntelGPUPipeline
    : Pass<"tritonintelgpu-pipeline", "mlir::ModuleOp"> {
  let summary = "prefetch the operands of dots ahead of a loop's iterations";
  let description = [{
    In an innermost `scf.for` whose loads through block pointers feed dots, each
    such load is preceded, `num-stages - 1` iterations ahead, by a
    `ttig.prefetch` into the cache: the first prefetches stand before the loop,
    the others at the head of its body. A loop's own `tt.num_stages` takes
    precedence. Prefetching beyond the last iteration is harmless: the message
    drops what lies outside of the tensor, and fetches into the cache what lies
    inside.

    Blocks are fetched no further ahead than an Xe core's L1 cache holds them, those
    of the iteration itself included, but one iteration in any case. A remark says
    so (`prefetch-distance`).

    ```mlir
    scf.for %k = ... iter_args(%p = %p0) {
      %a = tt.load %p {ttig.block_io = "row_major"}
      %next = tt.advance %p, [%c0, %c32]
    ```
    becomes, for 2 stages,
    ```mlir
    ttig.prefetch %p0
    %f0 = tt.advance %p0, [%c0, %c32]
    scf.for %k = ... iter_args(%p = %p0, %f = %f0) {
      ttig.prefetch %f
      %a = tt.load %p {ttig.block_io = "row_major"}
      %next = tt.advance %p, [%c0, %c32]
      %nextf = tt.advance %f, [%c0, %c32]
    ```
    A pointer may depend on a scalar that the iteration loads: the number of a page
    in a table. There is nothing to be read for iterations that do not come, so
    these prefetches are guarded, if the step is a constant and the loop writes
    nothing:

    ```mlir
    scf.for %k = %c0 to %n step %c1 ... {
      %left = arith.subi %n, %k
      %follows = arith.cmpi ugt, %left, %c1
      scf.if %follows {
        %page = tt.load %entry_of_the_next_iteration
        %p = tt.make_tensor_ptr %base_of_the_page, ...
        ttig.prefetch %p
      }
    ```
  }];
  let options = [
    Option<"numStages", "num-stages", "int32_t", /*default=*/"3",
           "iterations in flight, the current one included">,
  ];
  let statistics = [
    Statistic<"numPrefetched", "num-prefetched", "Loads with prefetches">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect",
                           "mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-annotate-memory-access
//===----------------------------------------------------------------------===//

def TritonIntelGPUAnnotateMemoryAccess
    : Pass<"tritonintelgpu-annotate-memory-access", "mlir::ModuleOp"> {
  let summary = "record how wide each access through pointers may be";
  let description = [{
    Puts `ttig.vector_width` on every load, store, prefetch and atomic through a
    tensor of pointers: a power of two, the number of successive registers of a
    lane that lie side by side in memory, start at a multiple of that many
    elements, and have equal masks; at most 128 bits. Must run after the last
    pass that changes layouts or addresses.

    Before:

    ```mlir
    %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
    ```
    After, where a lane has four neighbours of an aligned row:

    ```mlir
    %x = tt.load %p {ttig.vector_width = 4 : i32} : tensor<1024x!tt.ptr<f32>, #blocked>
    ```
  }];
  let statistics = [
    Statistic<"numVectorized", "num-vectorized",
              "Accesses of more than one element at a time">,
  ];
  let dependentDialects = ["mlir::triton::gpu::TritonGPUDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-guard-arithmetic
//===----------------------------------------------------------------------===//

def TritonIntelGPUGuardArithmetic
    : Pass<"tritonintelgpu-guard-arithmetic", "mlir::ModuleOp"> {
  let summary = "give undefined integer results a value";
  let description = [{
    Division by zero, division of the lowest number by -1 and shifts by the width
    or more are undefined in LLVM. Kernels compute them in elements that are
    masked off. After this pass a division by zero gives what a division by one
    gives, the lowest number divided by -1 is itself (remainder 0), and a shift
    moves out every bit. Operands that are known to be good stay as they are.
    Where a constant float does not fit the integer that it is converted to, as
    the `other` of a load of integers may be, the nearest integer takes the place
    of the conversion (0 that of NaN's), and a remark says so.

    With `checks`, divisions without a result and conversions of floats that do
    not fit the integer stop the program, by a `tt.assert`. Elements that end in
    masked stores of the same block and nowhere else count as far as the stores'
    masks go, all others always.

    ```mlir
    %q = arith.divui %x, %y : tensor<64xi32, #blocked>
    ```
    becomes
    ```mlir
    %bad = arith.cmpi eq, %y, %zero : tensor<64xi32, #blocked>
    %z = arith.select %bad, %one, %y : tensor<64xi1, #blocked>, tensor<64xi32, #blocked>
    %q = arith.divui %x, %z : tensor<64xi32, #blocked>
    ```
  }];
  let statistics = [
    Statistic<"numGuarded", "num-guarded", "Operations with changed operands">,
    Statistic<"numChecked", "num-checked", "Operations with an assertion">,
  ];
  let options = [
    Option<"checks", "checks", "bool", /*default=*/"false",
           "assert that results are defined">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::triton::TritonDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-mark-variables
//===----------------------------------------------------------------------===//

def TritonIntelGPUMarkVariables
    : Pass<"tritonintelgpu-mark-variables", "mlir::ModuleOp"> {
  let summary = "find the values of local variables";
  let description = [{
    `ttig.variables` of the module holds, for each function by its name, what its
    Python source says of variables:

    * `definitions`, numbered from 0: an assignment, with the `places` (lines and
      columns) where its last operation may be and the names (`operations`) it may
      have, and `tensor` if it is no scalar; the `counter` of the loop whose header takes the given extent; where
      definitions meet, a `loop` with the `first` and the `next` one, or a `branch`
      with those of `then` and `else`; an `argument`; a `literal`; or nothing, if
      the value is not known.
    * `scopes`, each with its `parent` or -1 for the function, `names` of
      variables, and `values`: the definitions of these.
    * `lines`: a first line, a last line and the scope of their code, repeated;
      the first that has a line counts.

    Marks the scalars and the small tensors that are values of definitions, for
    `tritonintelgpu-describe-variables`:

    ```mlir
    %0 = arith.muli %pid, %c64 : i32 loc("kernel.py":12:18)
    ```
    becomes
    ```mlir
    %0 = arith.muli %pid, %c64 : i32 loc("kernel.py":12:18)
    llvm.intr.dbg.value #llvm.di_local_variable<scope = ..., line = 1> = %0 : i32
    ```
    where 1 is the number of the definition, and a tensor by `ttig.variable`. A value that several operations may
    be has no mark. Does nothing to a module without the attribute.
  }];
  let statistics = [
    Statistic<"numMarked", "num-marked", "Definitions with a value">,
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
    "mlir::triton::gpu::intel::TritonIntelGPUDialect"
  ];
}

#endif // INTEL_DIALECT_TRITONINTELGPU_TRANSFORMS_PASSES
