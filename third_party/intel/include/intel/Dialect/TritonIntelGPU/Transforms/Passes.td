//===- Passes.td - TTGIR passes for Intel GPUs -------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT
//
// One section per pass, in the order in which the pipelines (ttgir, allocation,
// llvm) run them.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_DIALECT_TRITONINTELGPU_TRANSFORMS_PASSES_TD
#define TRITON_INTEL_DIALECT_TRITONINTELGPU_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "triton/Dialect/TritonGPU/Transforms/OptionalPass.td"
include "triton/Dialect/TritonGPU/Transforms/TTGIRPass.td"

//===----------------------------------------------------------------------===//
// tritonintelgpu-annotate-module
//===----------------------------------------------------------------------===//

def TritonAnnotateModule : Pass<"tritonintelgpu-annotate-module", "mlir::ModuleOp"> {
  let summary = "put the target on the module";
  let description = [{
    Sets two attributes of the module. `ttig.target` names the architecture, whose
    limits and capabilities later passes query. `ttg.threads-per-warp` is the
    sub-group size of DPAS if all dots of some function can have a layout of DPAS,
    and `threads-per-warp` otherwise.

    ```mlir
    module {
    ```
    becomes
    ```mlir
    module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.target = ...} {
    ```
    Attributes that the module already has, including those of Intel's backend,
    stay and take precedence.
  }];
  let options = [
    Option<"arch", "arch", "std::string", /*default=*/"\"pvc\"",
           "architecture, an entry of KnownTargets">,
    Option<"threadsPerWarp", "threads-per-warp", "int32_t", /*default=*/"16",
           "sub-group size for kernels without DPAS">,
  ];
  let dependentDialects = ["mlir::triton::gpu::TritonGPUDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-accelerate-matmul
//===----------------------------------------------------------------------===//

def TritonIntelGPUAccelerateMatmul
    : OptionalTTGIRPass<"tritonintelgpu-accelerate-matmul"> {
  let summary = "give dots the layout of the DPAS instruction";
  let description = [{
    If the systolic array can multiply the types of a dot, its result gets the
    layout `#ttig.dpas`, and its operands get the matching dot operand layouts.
    Layout conversions are inserted around the dot. Exact products of f32 get the
    layouts of tf32: block messages fill these, too, and a multiply-add of the
    vector engines reads an element of the left operand where it is. With at least
    16 elements along K, a register has one row of the left operand, as it has one of
    a result, which so can be a left operand without moves. If a tile has fewer than
    eight rows for each sub-group, a sub-group has four of them, and no sub-group
    repeats products of others to save an exchange. All other dots keep the blocked
    layout and are computed with scalar FMAs, after their operands have been extended to
    the type of the result. 8-bit floats that the array does not support are widened to
    f16, after the conversions.

    If the rows of the left operand are gathered by row numbers in each iteration,
    and memory has the right operand by columns, the transposes of both are
    multiplied. A lane then reads the row of its column by vectors, where each row
    of a left operand costs a message and moves, and the left operand comes by
    rows:

    ```mlir
    %at = tt.trans %a {order = array<i32: 1, 0>}
    %bt = tt.trans %b {order = array<i32: 1, 0>}
    %ct = tt.trans %c {order = array<i32: 1, 0>}
    %dt = tt.dot %bt, %at, %ct
    %d = tt.trans %dt {order = array<i32: 1, 0>}
    ```

    The pass also chooses how sub-groups share the result of a dot:

      - By default, each sub-group owns a part that is as square as possible.
      - If the result feeds another dot (attention), sub-groups own whole rows, so
        that none needs the rows of another.
      - If the rows of the left operand remain gathered, sub-groups own whole rows,
        too, because each gathered row costs a message in every sub-group that
        holds it. If transposes are multiplied, sub-groups own whole columns: rows
        that they share would be exchanged in each iteration.
      - Dots whose results or operands meet are distributed together. The choice
        minimizes the cost of operands, registers and conversions between the dots
        over all iterations (WarpDistribution.h): a small dot after a long loop takes
        the distribution of the loop, and a product that is added to one of a chain
        is distributed by rows. Products that share a right operand get the same
        columns of it in each sub-group, unless they read it again for less.
      - A dot whose operands are converted in a loop, or stay in registers across
        it, is distributed by the same costs: few sub-groups convert weights of 8
        bits.

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

    In a loop, the accumulator of a dot on the systolic array may be an elementwise
    function of the result of the iteration before, as in flash attention. The dot
    then starts from zero, and its result is added afterwards:

    ```mlir
    %sum = scf.for ... iter_args(%acc = %init) {
      %scaled = arith.mulf %acc, %factor : tensor<128x64xf32, #blocked>
      %next = tt.dot %a, %b, %scaled : ... -> tensor<128x64xf32, #blocked>
      scf.yield %next
    ```
    becomes
    ```mlir
    %sum = scf.for ... iter_args(%acc = %init) {
      %zero = arith.constant dense<0.0> : tensor<128x64xf32, #mma>
      %d1 = tt.dot %a1, %b1, %zero : ... -> tensor<128x64xf32, #mma>
      %product = ttg.convert_layout %d1 : tensor<128x64xf32, #mma> -> tensor<128x64xf32, #blocked>
      %next = math.fma %acc, %factor, %product : tensor<128x64xf32, #blocked>
      scf.yield %next
    ```
    The elements can then be changed in place; the accumulator of a DPAS would be
    copied. An accumulator that the loop only adds to stays the accumulator of the
    dot, and so does one of another type than f32. These sums are the rewrites of
    this pass.

    A distribution that has no room in the registers of a thread costs more. The
    module states in `ttig.registers` how many there are.
  }];
  let statistics = [
    Statistic<"numDpas", "num-dpas", "Dots that use DPAS">,
    Statistic<"numFma", "num-fma", "Dots computed with scalar FMAs">,
    Statistic<"numSplit", "num-split", "Dots that start from zero">,
    Statistic<"numTransposed", "num-transposed",
              "Dots whose transposes are multiplied">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::TritonGPUDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect",
                           "mlir::arith::ArithDialect",
                           "mlir::math::MathDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-optimize-dot-operands
//===----------------------------------------------------------------------===//

def TritonIntelGPUOptimizeDotOperands
    : OptionalTTGIRPass<"tritonintelgpu-optimize-dot-operands"> {
  let summary = "fold transposes of dot operands into their loads";
  let description = [{
    If a dot operand is a block that is loaded and then transposed, this pass loads
    it transposed instead. It exchanges the two dimensions of the surface and of the
    access. If the load has another use, a right operand is loaded a second time,
    provided that its stride is 1 in one dimension; a left operand does not change.
    The pass should run before `tritonintelgpu-materialize-block-pointer`, which then
    sees the final access; what an analysis has found out before is dropped.

    Before:

    ```mlir
    %s = ttig.surface %b, [%n, %k], [%stride, %c1] : !tt.ptr<f16>
    %l = ttig.load_block %s[%y, %x] {boundaryCheck = array<i32: 0>}
        : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x32xf16, #blocked>
    %t = tt.trans %l {order = array<i32: 1, 0>} : tensor<64x32xf16, #blocked> -> tensor<32x64xf16, #blocked1>
    ```
    After:

    ```mlir
    %s = ttig.surface %b, [%k, %n], [%c1, %stride] : !tt.ptr<f16>
    %t = ttig.load_block %s[%x, %y] {boundaryCheck = array<i32: 1>}
        : (!ttig.memory<f16, 2>, i32, i32) -> tensor<32x64xf16, #blocked1>
    ```
  }];
  let statistics = [
    Statistic<"numTransposed", "num-transposed", "Loads that are transposed">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-materialize-block-pointer
//===----------------------------------------------------------------------===//

def TritonIntelGPUMaterializeBlockPointer
    : OptionalTTGIRPass<"tritonintelgpu-materialize-block-pointer"> {
  let summary = "find the block accesses that can be 2D block messages";
  let description = [{
    Sets the property `order` of every `ttig.load_block`, `ttig.store_block` and
    `ttig.prefetch_block` that satisfies the rules of the target's 2D block messages
    (BlockAccess.h): `row_major` if memory is contiguous along the last dimension,
    and `column_major` if along the second last. Layouts do not matter yet: later
    passes may choose any layout that a message delivers for such an access. Two
    more properties state what is proved, and save guards: `startsInRow`, that no
    message begins before a base that is not known to be aligned, and `boundedRows`,
    that a surface can have all rows of the tensor.

    Every `ttig.surface` gets the number of its tensor. Rules that only a launch can
    decide, such as whether rows are wide enough, become a `ttig.launch_condition`,
    which the launcher checks. A launch whose tensors break it runs another variant
    of the kernel. This variant is compiled with the numbers of these tensors in
    `ordinary-surfaces`, and they get ordinary accesses.

    A missed remark reports each access that does not get an order, with the exact
    reason (the name of its `BlockAccessObstacle`).

    ```mlir
    %s = ttig.surface %base, [%m, %k], [%stride, %c1] : !tt.ptr<bf16>
    %v = ttig.load_block %s[%y, %x]
        : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<256x32xbf16, #blocked>
    ```
    becomes
    ```mlir
    %s = ttig.surface %base, [%m, %k], [%stride, %c1] {number = 0 : i32} : !tt.ptr<bf16>
    %v = ttig.load_block %s[%y, %x] {boundedRows, order = #ttig.order<row_major>, startsInRow}
        : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<256x32xbf16, #blocked>
    ```

    A kernel may load sizes, strides and addresses of tensors from memory (a group
    of matrices, a list of pointers). Neither the compiler nor the launcher then
    knows whether 2D block messages can address such a tensor. In functions with
    DPAS, if nothing else prevents block accesses, this pass lets the kernel check
    the tensor with a few scalar operations, and choose between two versions of the
    code. The rules of the surface are `checked` in one version and `refused` in the
    other.

    The versions begin before the loops that use the tensor, as far out as its sizes
    are available, and end after the last use. All tensors in this region
    share one check, and no code exists in more than two versions. A tensor for
    which this is not possible keeps ordinary accesses. The versions are the
    rewrites of this pass: where one is left out, ordinary accesses stay.

    ```mlir
    %r = scf.for ... {
      %s = ttig.surface %base, [%m, %k], [%stride, %c1] : !tt.ptr<f16>
      ... ttig.load_block %s ... tt.dot ...
    }
    ```
    becomes, where `%legal` tests all rules for `%base`, `%m`, `%k` and `%stride`,

    ```mlir
    %r = scf.if %legal {
      scf.for ... { %s = ttig.surface ... {number = 0 : i32, rules = #ttig.rules<checked>} ... }
    } else {
      scf.for ... { %s = ttig.surface ... {number = 0 : i32, rules = #ttig.rules<refused>} ... }
    }
    ```
    Each version is reported to the remark engine (passed).
  }];
  let options = [
    ListOption<"ordinarySurfaces", "ordinary-surfaces", "int32_t",
               "numbers of tensors that 2D block messages cannot address">,
  ];
  let statistics = [
    Statistic<"numMarked", "num-marked", "Accesses marked">,
    Statistic<"numVersions", "num-versions", "Pieces of code in two versions">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-raise-xe-calls
//===----------------------------------------------------------------------===//

def TritonIntelGPURaiseXeCalls : TTGIRPass<"tritonintelgpu-raise-xe-calls"> {
  let summary = "replace a kernel's calls of functions of Xe by operations";
  let description = [{
    A kernel in Gluon calls functions without a body for what only Intel GPUs have:
    `xe.dot`, `xe.load`, `xe.store`, `xe.prefetch`, `xe.arrive_barrier`,
    `xe.wait_barrier`, `xe.shuffle`, `xe.shuffle_xor`, `xe.shuffle_up` and
    `xe.shuffle_down`, with any text after the next dot of the name. An access has
    these operands: base, extents (two), strides
    (two), offsets (two), and the block that is stored. Constants are attributes of
    the declaration, among them the shape of an access's messages. A load by a
    function whose name ends in `.nan` reads NaN outside of the tensor, any other one
    zero.

    The layouts of blocks are linear. The DPAS layout that is the same map is found
    by comparison, and conversions, which cost nothing, lead to it and back. An error
    is reported if there is none, and for a block that 2D block messages cannot
    access in any launch.

    ```mlir
    %y = tt.call @xe.load.0(%base, %m, %n, %stride, %c1, %i, %j)
        : (!tt.ptr<f16>, i64, i64, i64, i64, i32, i32) -> tensor<8x16xf16, #linear>
    ```
    becomes
    ```mlir
    %s = ttig.surface %base, [%m, %n], [%stride, %c1] : !tt.ptr<f16>
    %x = ttig.load_block %s[%i, %j] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
        : (!ttig.memory<f16, 2>, i32, i32) -> tensor<8x16xf16, #dpas>
    %y = ttg.convert_layout %x : tensor<8x16xf16, #dpas> -> tensor<8x16xf16, #linear>
    ```
  }];
  let dependentDialects = ["mlir::triton::gpu::TritonGPUDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-remove-layout-conversions
//===----------------------------------------------------------------------===//

def TritonIntelGPURemoveLayoutConversions
    : OptionalTTGIRPass<"tritonintelgpu-remove-layout-conversions"> {
  let summary = "choose the layouts of all operations together";
  let description = [{
    A `ttg.convert_layout` that moves data between work-items goes through shared
    local memory, and an access whose lanes are not neighbours in memory takes more
    messages. This pass chooses the layouts of a function again, so that all of
    it together costs least (LayoutCost.h), and inserts the conversions that are
    then needed. A dot fixes the layouts of its operands and its result. The
    pass propagates these layouts forward through the epilogue into its stores,
    and backward into its loads.

    A layout can be propagated into:

      - elementwise operations, constants, splats, ranges, shape operations,
        reductions (whose results take slices), and the arguments and results of
        `scf.for`, `scf.if` and `scf.while`;
      - a `ttig.load_block` with an `order`, which costs the same in every layout
        that a 2D block message delivers;
      - a `ttig.store_block`;
      - a load, store or atomic operation through a tensor of pointers, if
        neighbouring lanes still access neighbouring memory, and if this costs
        less than the conversion.

    The pass also tries layouts that no operation has:

      - Each load, store, prefetch and atomic operation gets a blocked layout that
        suits its addresses (CoalescedLayout.h). The dimension with the longest
        contiguous runs comes first. Along it, a lane takes the elements that
        are contiguous, aligned and masked alike: at most 128 bits and at most
        its share of the tensor. The mask may also end within them
        (AccessPattern.h). Neighbouring lanes follow, then neighbouring
        warps. In a tensor that is only used as the right operand of DPAS, a
        lane takes the rows of an instruction, because DPAS has these rows in
        one lane, too.
      - In functions with reductions or scans, each row of an ordinary load belongs
        to one sub-group, if there are rows for all sub-groups. If several
        sub-groups share a scanned column, each gets neighbouring elements.
      - If all lanes would load the same elements, such as the scales of a
        product's rows, each lane loads some of them, and a move brings them to all
        lanes.
      - If a conversion brings a store elements that all lanes have, such as the
        maximum of each row, each lane stores some of those that its sub-group has.
      - Other computations with a dot operand, such as the norm of its rows, are
        divided among sub-groups differently from the operand.

    A block that is needed in several layouts is loaded in each of them if this
    takes less time than a conversion between the layouts of two messages. The
    additional loads are placed at the first use, or next to the first load if
    memory may be written in between. Other loads and expensive operations are
    moved, but never duplicated. Volatile loads get the layout that suits their
    addresses, and no other.

    Before, with `#mma` a `#ttig.dpas`:

    ```mlir
    %d = tt.dot %a, %b, %c : ... -> tensor<256x256xf32, #mma>
    %e = ttg.convert_layout %d : tensor<256x256xf32, #mma> -> tensor<256x256xf32, #blocked>
    %x = ttig.load_block %p[%i, %j] {order = #ttig.order<row_major>} ... -> tensor<256x256xf32, #blocked>
    %y = arith.addf %e, %x : tensor<256x256xf32, #blocked>
    ttig.store_block %y, %q[%i, %j] {order = #ttig.order<row_major>} ... tensor<256x256xf32, #blocked>) -> ()
    ```
    After:

    ```mlir
    %d = tt.dot %a, %b, %c : ... -> tensor<256x256xf32, #mma>
    %x = ttig.load_block %p[%i, %j] {order = #ttig.order<row_major>} ... -> tensor<256x256xf32, #mma>
    %y = arith.addf %d, %x : tensor<256x256xf32, #mma>
    ttig.store_block %y, %q[%i, %j] {order = #ttig.order<row_major>} ... tensor<256x256xf32, #mma>) -> ()
    ```

    An analysis remark (`layout-choice`) reports the effort for each function: the
    number of operations, of layouts inferred by dialects, and of layouts proposed
    to operations. It also reports what the chosen layouts cost.
  }];
  let statistics = [
    Statistic<"numRemoved", "num-removed", "Layout conversions removed">,
    Statistic<"numRemaining", "num-remaining",
              "Remaining layout conversions that need shared local memory">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::TritonGPUDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-distribute-loops
//===----------------------------------------------------------------------===//

def TritonIntelGPUDistributeLoops
    : OptionalTTGIRPass<"tritonintelgpu-distribute-loops"> {
  let summary = "leave loops over small matrices to one sub-group each";
  let description = [{
    Sub-groups execute a loop over a small matrix together without a gain if all of
    them compute the same elements, or if they exchange partial sums through shared
    memory in each iteration. If a block has several such loops that do not need each
    other's results, a sub-group executes one of them alone. The results reach all
    sub-groups through shared memory:

    ```mlir
    %x = scf.for ... -> (tensor<16x16xf32, #a>) { ... }
    %y = scf.for ... -> (tensor<16x16xf32, #b>) { ... }
    ```
    becomes
    ```mlir
    %warp = ttg.warp_id
    %is0 = arith.cmpi eq, %warp, %c0
    %own = scf.if %is0 -> (tensor<16x16xf32, #columns>) {
      %s = scf.for ... -> (tensor<16x16xf32, #columns>) { ... }
      scf.yield %s
    } else {
      %is1 = arith.cmpi eq, %warp, %c1
      %t = scf.if %is1 -> (tensor<16x16xf32, #columns>) { ... } else { ... }
      scf.yield %t
    }
    %all = ttig.stack_warps %own : ... -> tensor<64x16xf32, #columns>
    %memory = ttg.local_alloc %all
    %first = ttg.memdesc_subslice %memory[0, 0]
    %x = ttg.local_load %first : ... -> tensor<16x16xf32, #a>
    %second = ttg.memdesc_subslice %memory[16, 0]
    %y = ttg.local_load %second : ... -> tensor<16x16xf32, #b>
    ```

    Loops have to reduce tensors of at most 16 elements per lane, and carry one matrix
    of the same shape. Their tensors get layouts in which a sub-group has all elements,
    and what a loop begins with is computed in its branch. Loops after a store are left
    alone: a load of what it wrote needs a barrier.
  }];
  let statistics = [
    Statistic<"numDistributed", "num-distributed", "Groups of loops that are distributed">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect",
                           "mlir::triton::gpu::TritonGPUDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-rewrite-tensor-pointer
//===----------------------------------------------------------------------===//

def TritonIntelGPURewriteTensorPointer
    : TTGIRPass<"tritonintelgpu-rewrite-tensor-pointer"> {
  let summary = "rewrite block accesses that cannot become 2D block messages";
  let description = [{
    A block access stays if it has an `order`, and a layout that a legal 2D block
    message delivers: one of DPAS or of a dot operand, or one that shape operations
    derive from these. It gets its `messages`, which the lowering emits.

    All other block accesses become accesses through tensors of pointers. Each
    computes its addresses and, for the dimensions in its boundary check, its mask.
    Offsets are added in 64 bits.

    A missed remark reports an access whose layout no message delivers. A passed
    remark (`launch-condition`) reports each tensor whose accesses stay under a
    condition, with that condition; the conditions of all others are dropped.

    ```mlir
    // pitch %ld is no multiple of 16 bytes
    %s = ttig.surface %base, [%m, %n], [%ld, %c1] : !tt.ptr<f16>
    %x = ttig.load_block %s[%i, %j] {boundaryCheck = array<i32: 0>}
        : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x16xf16, #mma>
    ```
    becomes
    ```mlir
    %rows = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    // ... row and column offsets, and the mask of the rows ...
    %x = tt.load %pointers, %mask, %zero : tensor<16x16x!tt.ptr<f16>, #mma>
    ```

    The pass also takes block pointers of TTGIR that was written by hand, which it
    replaces as `triton-intel-normalize-block-pointers` does. It analyzes accesses
    that have not been analyzed: those without an order, of tensors without a number.
    Each access stays or not by itself, and a missed remark reports why it does not.
  }];
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
// tritonintelgpu-version-loops
//===----------------------------------------------------------------------===//

def TritonIntelGPUVersionLoops
    : OptionalTTGIRPass<"tritonintelgpu-version-loops"> {
  let summary = "run short loops that insert rows as straight code";
  let description = [{
    A loop may replace the row of a carried tensor whose index is the loop's counter.
    Rows are registers, so that each iteration compares and moves all of them. If the
    number of iterations has a constant limit of at most 16, a program that reaches the
    limit runs straight code instead, in which the index is a constant:

    ```mlir
    %end = arith.minsi %rest, %c16 : i32
    %r = scf.for %i = %c2 to %end step %c1 iter_args(%x = %init) -> (tensor<16x16xf32, #l>) : i32 {
      %at = tt.splat %i
      %is = arith.cmpi eq, %rows, %at
      ...
      %y = arith.select %mask, %row, %x
      scf.yield %y
    }
    ```
    becomes
    ```mlir
    %whole = arith.cmpi sge, %rest, %c16 : i32
    %r = scf.if %whole -> (tensor<16x16xf32, #l>) {
      // 14 copies of the body.
      scf.yield %last
    } else {
      %s = scf.for ...
      scf.yield %s
    }
    ```
    Loops that contain loops, or whose copies would have more than 1024 operations, are
    left alone.
  }];
  let statistics = [
    Statistic<"numVersions", "num-versions", "Loops with a straight version">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-forward-rows
//===----------------------------------------------------------------------===//

def TritonIntelGPUForwardRows
    : OptionalTTGIRPass<"tritonintelgpu-forward-rows"> {
  let summary = "take rows from a block in registers that are loaded again";
  let description = [{
    Kernels cannot index a tensor, so that algorithms on small matrices load rows of a
    block again. If each row lies in one register of all lanes, the load of a row whose
    number is constant becomes that row:

    ```mlir
    %tile = ttig.load_block %s[%start, %c0] ... : tensor<16x16xf32, #l>
    %row = tt.load %p : tensor<16x!tt.ptr<f32>, #r>
    ```
    becomes
    ```mlir
    %tile = ttig.load_block %s[%start, %c0] ... : tensor<16x16xf32, #l>
    %own = arith.select %is_row_3, %bits_of_tile, %zeros
    %bits = "tt.reduce"(%own) <{axis = 0 : i32}> ({ ... arith.ori ... })
    ```
    whose conditions are constants, so that no instruction is left. Both read the same
    memory, which nothing writes in between, the row is proved to be inside of the
    tensor, and the layouts of both have the same registers. The load has no mask.
  }];
  let statistics = [
    Statistic<"numForwarded", "num-forwarded", "Loads that are rows of blocks">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-defer-reductions
//===----------------------------------------------------------------------===//

def TritonIntelGPUDeferReductions
    : OptionalTTGIRPass<"tritonintelgpu-defer-reductions"> {
  let summary = "move the part of a reduction that crosses lanes out of its loop";
  let description = [{
    A loop may reduce a tile across lanes or warps in each iteration, and combine the
    result with a value that it carries, by the same operation. If it does nothing
    else with that value, the value becomes a tensor with an element per lane. Each
    lane combines its own elements in the loop. After the loop, the elements of
    lanes and warps are combined once:

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

    The loop may multiply the sum before it adds a tile, as an online softmax does.
    The multiplier has to be known to be finite: a constant, or
    `exp(a - max(a, ...))`. Each lane then multiplies its part. If the sum starts
    from another number than zero, the loop carries and multiplies this number, too.

    Elements of a tile may cancel, whereas the sum of a lane's own elements of all tiles
    overflows. If no element is negative, or all of them are so small that their sum
    fits the type (FloatBounds.h), this makes no difference. Otherwise a sum that is
    not finite is computed again by a copy of the loop in the order of the program. A
    loop that writes memory cannot run again, and is left alone. So are products of
    floats, of which a lane's may be zero where that of a tile is not.
  }];
  let statistics = [
    Statistic<"numDeferred", "num-deferred", "Reductions moved after a loop">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::triton::TritonDialect",
                           "mlir::triton::gpu::TritonGPUDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-pipeline
//===----------------------------------------------------------------------===//

def TritonIntelGPUPipeline : OptionalTTGIRPass<"tritonintelgpu-pipeline"> {
  let summary = "prefetch the operands of dots ahead of a loop's iterations";
  let description = [{
    In an innermost `scf.for` whose block loads feed dots, each block is prefetched
    into the cache by a `ttig.prefetch_block`, `num-stages - 1` iterations before it
    is loaded. The first prefetches are before the loop, the others at the head of
    its body. A loop's own `tt.num_stages` takes
    precedence. Prefetching beyond the last iteration is harmless: the message
    ignores elements outside of the tensor, and fetches those inside into the cache.

    The distance is limited so that the L1 cache of an Xe core holds all prefetched
    blocks and those of the current iteration, but it is at least one iteration. A
    remark (`prefetch-distance`) reports the limit.

    ```mlir
    scf.for %k = %c0 to %n step %c32 ... {
      %a = ttig.load_block %s[%y, %k] {order = #ttig.order<row_major>} ...
    ```
    becomes, for 2 stages,
    ```mlir
    ttig.prefetch_block %s[%y, %c0] of tensor<64x32xf16> {order = #ttig.order<row_major>} ...
    scf.for %k = %c0 to %n step %c32 ... {
      %next = arith.addi %k, %c32
      ttig.prefetch_block %s[%y, %next] of tensor<64x32xf16> {order = #ttig.order<row_major>} ...
      %a = ttig.load_block %s[%y, %k] {order = #ttig.order<row_major>} ...
    ```
    A surface or an offset may depend on a scalar that the iteration loads, such as the number of
    a page in a table. The table has no entries for iterations after the last one, so
    these prefetches are guarded. This requires a constant step, and a loop that
    writes no memory:

    ```mlir
    scf.for %k = %c0 to %n step %c1 ... {
      %left = arith.subi %n, %k
      %follows = arith.cmpi ugt, %left, %c1
      scf.if %follows {
        %page = tt.load %entry_of_the_next_iteration
        %s = ttig.surface %base_of_the_page, ...
        ttig.prefetch_block %s[%c0, %c0] ...
      }
    ```
  }];
  let options = [
    Option<"numStages", "num-stages", "int32_t", /*default=*/"3",
           "iterations in flight, including the current one">,
  ];
  let statistics = [
    Statistic<"numPrefetched", "num-prefetched", "Loads that are prefetched">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect",
                           "mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-insert-global-barriers
//===----------------------------------------------------------------------===//

def TritonIntelGPUInsertGlobalBarriers : TTGIRPass<"tritonintelgpu-insert-global-barriers"> {
  let summary = "let all sub-groups load before one of them stores";
  let description = [{
    A kernel may overwrite memory that it has loaded: a product overwrites an
    operand, or a row is permuted in place. A sub-group must not store elements
    before other sub-groups have loaded them. This pass inserts a barrier of global
    memory before such a store if there is none between the load and the store.

    No barrier is needed if every sub-group loads only the elements that it stores.
    The pass has to prove this: both addresses are read as expressions in the
    indices of an element and in the iterations of loops, and no two elements may
    have the same address in any two iterations. Strides that only a launch knows
    may have to be large enough for that.

    Several sub-groups load a scalar, or an element of a small tensor, and one of them,
    the owner, stores it. If nothing else is computed from the load, it gets a mask, so
    that only owners load, and needs no barrier:

    ```mlir
    %warp = ttg.warp_id
    %is_owner = arith.cmpi eq, %warp, %c0 : i32
    %x = tt.load %p, %is_owner : !tt.ptr<f32>
    %y = arith.mulf %x, %c2 : f32
    tt.store %p, %y : !tt.ptr<f32>
    ```

    The tensors of two arguments may overlap. With `assume-launch`, the pass assumes
    that they do not, and that strides are large enough, and adds this to the launch
    conditions (`ttig.launch_condition`). Other launches run a variant of the kernel
    that was compiled without the option, and has the barriers. Atomic operations do
    not get barriers. docs/MemoryOrder.md describes what kernels can rely on.

    If a launch keeps the tensors of a store and of the loads after it disjoint, the
    store moves to the next use of its value, together with the conversion that
    computes the value. Values that are stored early and used late then take no
    registers in between. The store stays where it is if the registers do not hold
    the tensors that it is moved past.

    The order of a store and a later load of another sub-group is the author's. A missed
    remark (`unordered`) names loads that no barrier orders after such a store.

    ```mlir
    %x = tt.load %p : tensor<64x64x!tt.ptr<bf16>, #operand>
    ...
    tt.store %q, %y : tensor<64x64x!tt.ptr<bf16>, #accumulator>
    ```
    becomes, if `%p` and `%q` come from the same argument,
    ```mlir
    %x = tt.load %p : tensor<64x64x!tt.ptr<bf16>, #operand>
    ...
    ttg.barrier global_read|global_write
    tt.store %q, %y : tensor<64x64x!tt.ptr<bf16>, #accumulator>
    ```
  }];
  let options = [
    Option<"assumeLaunch", "assume-launch", "bool", /*default=*/"false",
           "assume that tensors of different arguments do not overlap">,
  ];
  let statistics = [
    Statistic<"numBarriers", "num-barriers", "Barriers inserted">,
    Statistic<"numOwnerLoads", "num-owner-loads",
              "Loads that are left to the owners of elements">,
  ];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-align-pointers
//===----------------------------------------------------------------------===//

def TritonIntelGPUAlignPointers
    : OptionalTTGIRPass<"tritonintelgpu-align-pointers"> {
  let summary = "let launches align pointers where masked loads become wider";
  let description = [{
    A lane loads neighbours in memory as one vector, also where their mask ends within
    it, provided that the vector begins at a multiple of its size. Triton knows of a
    pointer that it is a multiple of 16 bytes, and messages have 32 bytes for a lane.
    If a masked load becomes wider for it, this pass states that a pointer is a
    multiple of 32 bytes, and adds this as a `ttig.launch_condition` to the kernel. The
    launcher checks it. Launches that break it run a variant that was compiled without
    this pass.

    With 16 tokens of a page next to each other in memory, and a mask that ends at any
    token,

    ```mlir
    tt.func public @kernel(%pages: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, ...) {
      %v = tt.load %p, %mask, %zero : tensor<64x64x!tt.ptr<bf16>, #operand>
    ```
    becomes
    ```mlir
    tt.func public @kernel(%pages: !tt.ptr<bf16> {tt.divisibility = 32 : i32}, ...) {
      ttig.launch_condition #aligned(%pages)
      %v = tt.load %p, %mask, %zero : tensor<64x64x!tt.ptr<bf16>, #operand>
    ```
    whose loads have half of the messages.
  }];
  let statistics = [
    Statistic<"numLoads", "num-loads", "Masked loads that become wider">,
  ];
  let dependentDialects = ["mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-skip-unstored
//===----------------------------------------------------------------------===//

def TritonIntelGPUSkipUnstored
    : OptionalTTGIRPass<"tritonintelgpu-skip-unstored"> {
  let summary = "let sub-groups skip code for elements that no store writes";
  let description = [{
    The last block of rows of a tensor may have few rows. The masks of stores, or
    extents of surfaces, then exclude all elements of some sub-groups. If the end of a
    block of code, from some operation on, has no effects but such stores, and nothing
    that sub-groups do together, such as an exchange through shared memory, these
    sub-groups skip it. It has to contain a loop, which takes longer than the test.

    With 4 sub-groups that have 32 rows each,

    ```mlir
    %r = scf.for %i = %c0 to %n step %c32 iter_args(%sum = %zero)
        -> (tensor<128x64xf32, #mma>) : i32 {
      ...
    }
    %s = ttig.surface %p, [%rows, %c64], [%stride, %c1] : !tt.ptr<f32>
    ttig.store_block %r, %s[%c0, %c0] {boundaryCheck = array<i32: 0>} ...
    tt.return
    ```
    becomes
    ```mlir
    %warp = ttg.warp_id
    %first = arith.muli (arith.extsi %warp), %c32 : i64
    %stores = arith.cmpi slt, %first, %rows : i64
    scf.if %stores {
      %r = scf.for ...
      %s = ttig.surface ...
      ttig.store_block ...
    }
    tt.return
    ```
    Columns are treated alike, and a sub-group needs an element of any of the stores.
  }];
  let statistics = [
    Statistic<"numSkipped", "num-skipped", "Pieces of code that may be skipped">,
  ];
  let dependentDialects = ["mlir::triton::gpu::TritonGPUDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-slice-tiles
//===----------------------------------------------------------------------===//

def TritonIntelGPUSliceTiles : TTGIRPass<"tritonintelgpu-slice-tiles"> {
  let summary = "compute tiles of many registers per lane in loops over slices";
  let description = [{
    On the CPU device, LLVM would take minutes for the straight code of a large
    tile; on a GPU, its device compiler would, and tiles that registers do not hold
    would be spilled. If a tensor can be cut into slices that have separate
    registers, the operations on it become a loop over these slices. The loop
    stores its results in private memory. Other loops load them slice by slice,
    and operations without slices load the whole tensor:

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

    A scan along the sliced dimension continues in each slice where it ended in the
    slice before: the loop carries its last element.

    Loads stay before stores that follow them. Tensors with the layout of
    DPAS are not sliced. `ttg.shared` keeps the size that whole tiles need, although
    slices need less.
  }];
  let options = [
    Option<"maxRegisters", "max-registers", "int32_t", /*default=*/"64",
           "largest tensor that is not sliced, in registers of 32 bits per lane; "
           "slices have half of that number if the layout permits">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
    "::mlir::triton::gpu::TritonGPUDialect",
    "::mlir::triton::gpu::intel::TritonIntelGPUDialect",
  ];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-mark-variables
//===----------------------------------------------------------------------===//

def TritonIntelGPUMarkVariables
    : Pass<"tritonintelgpu-mark-variables", "mlir::ModuleOp"> {
  let summary = "find the values of local variables";
  let description = [{
    The attribute `ttig.variables` of the module describes, for each function by its
    name, the local variables of its Python source:

    * `definitions` are numbered from 0. A definition is one of these:
      - an assignment, with the `places` (lines and columns) and the names
        (`operations`) that its last operation may have, and with `tensor` if it is
        no scalar;
      - the `counter` of a loop, given by where the loop's header begins and ends;
      - a `loop`, where the `first` and the `next` definition meet, or a `branch`,
        where the definitions of `then` and `else` meet;
      - an `argument`;
      - a `literal`;
      - nothing, if the value is not known.
    * `scopes` are lists of variables, with their `names` and their definitions
      (`values`). The `parent` of a scope is another scope, or -1 for the function.
    * `lines` lists triples of a first line, a last line, and the scope of the code
      between them. The first triple that contains a line determines its scope.

    This pass marks the scalars and the small tensors that are values of
    definitions, for `tritonintelgpu-describe-debug-info`:

    ```mlir
    %0 = arith.muli %pid, %c64 : i32 loc("kernel.py":12:18)
    ```
    becomes
    ```mlir
    %0 = arith.muli %pid, %c64 : i32 loc("kernel.py":12:18)
    llvm.intr.dbg.value #llvm.di_local_variable<scope = ..., line = 1> = %0 : i32
    ```
    where 1 is the number of the definition. A `ttig.variable` marks a tensor. If
    several operations may compute a value, none is marked. A module without the
    attribute does not change.
  }];
  let statistics = [
    Statistic<"numMarked", "num-marked", "Definitions with a value">,
  ];
  let dependentDialects = [
    "mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
    "mlir::triton::gpu::intel::TritonIntelGPUDialect"
  ];
}

//===----------------------------------------------------------------------===//
// tritonintelgpu-guard-arithmetic
//===----------------------------------------------------------------------===//

def TritonIntelGPUGuardArithmetic
    : Pass<"tritonintelgpu-guard-arithmetic", "mlir::ModuleOp"> {
  let summary = "give undefined integer results a value";
  let description = [{
    Division by zero, division of the lowest number by -1, and shifts by the width
    or more are undefined in LLVM. Kernels compute them in elements that are masked
    off. After this pass, a division by zero has the result of a division by one,
    the lowest number divided by -1 is itself (with remainder 0), and a shift by the
    width or more moves out every bit. Operations whose operands are known to be
    valid do not change. A constant float may not fit the integer type that it is
    converted to, for example as `other` of a load of integers. The nearest integer
    replaces such a conversion (0 for NaN), and a remark reports it.

    With `checks`, a `tt.assert` stops the program at an undefined division, and at
    the conversion of a float that does not fit the integer type. If an element is
    used only by masked stores of the same block, it is checked under the masks of
    the stores. All other elements are checked always.

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

#endif // TRITON_INTEL_DIALECT_TRITONINTELGPU_TRANSFORMS_PASSES_TD
