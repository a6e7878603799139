//===- Passes.td - TTIR passes for Intel GPUs --------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_TRITON_TRANSFORMS_PASSES_TD
#define TRITON_INTEL_DIALECT_TRITON_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "triton/Dialect/TritonGPU/Transforms/OptionalPass.td"

def TritonIntelNormalizeBlockPointers
    : Pass<"triton-intel-normalize-block-pointers", "mlir::ModuleOp"> {
  let summary = "let accesses name their tensor and their place in it";
  let description = [{
    A kernel may make a block pointer, advance it, and pass it through loops, branches
    and calls. Only the offsets of such a pointer change. Loops, branches and calls
    pass these on instead, as 64-bit numbers, with base, shape and strides; each access
    has the tensor (`ttig.surface`) and the offsets as operands:

    ```mlir
    %p = tt.make_tensor_ptr %base, [%m, %n], [%s, %one], [%y, %zero] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
    %q = scf.for %i = %a to %b step %c iter_args(%r = %p) -> (!tt.ptr<tensor<16x32xf16>>) {
      %x = tt.load %r : !tt.ptr<tensor<16x32xf16>>
      %t = tt.advance %r, [%zero, %c32] : <tensor<16x32xf16>>
      scf.yield %t
    }
    ```
    becomes
    ```mlir
    %q = scf.for %i = %a to %b step %c iter_args(%x = %zero) -> (i64) {
      %r = ttig.surface %base, [%m, %n], [%s, %one] : !tt.ptr<f16>
      %v = ttig.load_block %r[%y, %x] : (!ttig.memory<f16, 2>, i32, i64) -> tensor<16x32xf16>
      %t = arith.addi %x, %c32 : i64
      scf.yield %t
    }
    ```
    All passes that follow see block accesses in this form only. A block pointer that
    does not come from `tt.make_tensor_ptr` is an error.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

def TritonIntelFoldCarriedValues
    : OptionalPass<"triton-intel-fold-carried-values"> {
  let summary = "let loops carry only what changes";
  let description = [{
    A loop may carry a value that no iteration changes: a range that each iteration
    makes again, two equal ones that are swapped, or one that a branch or an inner loop
    assigns again. The loop then yields its own argument, and all uses are those of the
    value that it began with:

    ```mlir
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %r:2 = scf.for %i = %a to %b step %c iter_args(%columns = %range, %sum = %zero) -> (...) {
      "use"(%columns)
      %again = arith.select %condition, %range, %columns
      scf.yield %again, %next
    }
    ```
    becomes
    ```mlir
    %r:2 = scf.for %i = %a to %b step %c iter_args(%columns = %range, %sum = %zero) -> (...) {
      "use"(%range)
      scf.yield %columns, %next
    }
    ```
    of which the canonicalizer removes `%columns`. Values are compared by their
    operations, so that loop-invariant code motion and CSE run before.
  }];
  let statistics = [
    Statistic<"numFolded", "num-folded", "Carried values that do not change">,
  ];
}

def TritonIntelFoldKnownArguments
    : Pass<"triton-intel-fold-known-arguments", "mlir::ModuleOp"> {
  let summary = "replace arguments by the values that all launches pass";
  let description = [{
    Triton compiles a kernel again for arguments that are 1, such as the stride of a
    contiguous dimension. If the parameter has a type (`stride: int`), the code of both
    kernels is the same. The backend states the value of such an argument, and this
    pass replaces its uses. The argument stays, and launches pass it.

    ```mlir
    tt.func @kernel(%base: !tt.ptr<f16>, %stride: i32 {ttig.value = 1 : i32}) {
      "use"(%stride)
    }
    ```
    becomes
    ```mlir
    tt.func @kernel(%base: !tt.ptr<f16>, %stride: i32) {
      %c1 = arith.constant 1 : i32
      "use"(%c1)
    }
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
  let statistics = [
    Statistic<"numFolded", "num-folded", "Arguments with a known value">,
  ];
}

def TritonIntelApplyLoopHints
    : Pass<"triton-intel-apply-loop-hints", "mlir::ModuleOp"> {
  let summary = "fuse nests of loops, and remove hints that have no effect";
  let description = [{
    `tl.range` passes hints to the compiler:

    | hint | effect |
    |---|---|
    | `num_stages` | sets how many iterations ahead dot operands are prefetched (`tritonintelgpu-pipeline`) |
    | `loop_unroll_factor` | Triton unrolls the loop |
    | `disable_licm` | LLVM moves no code out of the loop (`tritonintelgpu-lower-control-flow`) |
    | `disallow_acc_multi_buffer` | always holds: no accumulator has several buffers |
    | `flatten` | this pass fuses the loop with the inner one if this is useful |
    | `warp_specialize` | none: this pass removes it, and a remark (`dropped-hint`) names the loop |

    A loop with `tt.flatten` and the only loop in its body become one loop, over the
    iterations of both. An outer iteration without inner iterations takes one
    iteration, which executes the code before and after the inner loop.

    ```mlir
    scf.for %i = %c0 to %n step %c1 : i32 {
      scf.for %j = %c0 to %m step %c1 : i32 {
        "use"(%i, %j)
      }
    } {tt.flatten}
    ```
    becomes
    ```mlir
    // %total = length of the outer loop * max(1, length of the inner one)
    scf.for unsigned %k = %c0 to %total step %c1
        iter_args(%start = %true, %left = %c0, %i = %c0, %j = %c0) : i64 {
      %left1 = arith.select %start, %length, %left
      %j1 = arith.select %start, %c0, %j
      scf.if %left1 > 0 {
        "use"(%i, %j1)
      }
      %end = %left1 <= 1
      scf.yield %end, %left1 - 1, %end ? %i + 1 : %i, %j1 + 1
    }
    ```

    If the length of the inner loop depends on the outer loop, a loop before it
    computes the sum of the lengths. The loops stay nested, for example, if they
    contain a dot, if a counter has more than 32 bits, or if the inner bounds are
    loaded; a remark (`nested-loops`) gives the reason. The new loop gets the other
    hints of both loops. If both have the same hint, the outer loop's is taken.
  }];
  let statistics = [
    Statistic<"numFused", "num-fused", "Loops fused with an inner loop">,
    Statistic<"numDropped", "num-dropped", "Hints removed">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

def TritonIntelDecomposeDots
    : Pass<"triton-intel-decompose-dots", "mlir::ModuleOp"> {
  let summary = "replace dots that the target's instructions do not compute unchanged";
  let description = [{
    Most targets cannot multiply scaled formats. On these, operands are widened to
    f32 and multiplied by their scales, which is exact. The dot is then computed in
    the narrowest of bf16, tf32 and f32 that holds every scaled value.

    ```mlir
    %d = tt.dot_scaled %a scale %s, %b, %c lhs = e4m3 rhs = bf16 {fastMath = false}
           : tensor<16x64xf8E4M3FN>, tensor<16x2xi8> * tensor<64x16xbf16> -> tensor<16x16xf32>
    ```
    becomes
    ```mlir
    %wide = tt.fp_to_fp %a : tensor<16x64xf8E4M3FN> -> tensor<16x64xf32>
    %bits = ...  // %s as the exponent of an f32; 255 is NaN unless fastMath
    %one = tt.expand_dims %bits {axis = 2 : i32} : tensor<16x2xf32> -> tensor<16x2x1xf32>
    %all = tt.broadcast %one : tensor<16x2x1xf32> -> tensor<16x2x32xf32>
    %scale = tt.reshape %all : tensor<16x2x32xf32> -> tensor<16x64xf32>
    %scaled = arith.mulf %wide, %scale : tensor<16x64xf32>
    %lhs = arith.truncf %scaled : tensor<16x64xf32> to tensor<16x64xbf16>
    %d = tt.dot %lhs, %b, %c : tensor<16x64xbf16> * tensor<64x16xbf16> -> tensor<16x16xf32>
    ```
    The systolic array of `cri` applies scales itself: operands of e4m3, e5m2 and
    e2m1 keep their scales. Two operands of e2m1 that are packed along K keep their
    type; any other operand of e2m1 is converted to e4m3. A dot that is smaller than
    an instruction, that runs in sub-groups of 32 lanes, or that has an operand of
    16 bits becomes an ordinary dot there, too.

    Operands of e2m3 and e3m2 are errors, because Triton has no way to store them.

    The input precisions `tf32x3`, `bf16x3` and `bf16x6` multiply f32 as sums of tf32
    or bf16. An operand is split into an upper part, truncated to the narrow type, and
    the remainder; `bf16x6` has three parts. The product of the sums is computed as
    the sum of the significant products of parts, the smallest first: three, or
    six for `bf16x6`.

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
    The selection is needed because the lower part of an infinity is NaN. Dots that
    the systolic array cannot compute become `ieee`, which is exact, and not slower
    without the array.
  }];
  let statistics = [
    Statistic<"numDecomposed", "num-decomposed",
              "Scaled dots, and dots with split operands, that are replaced">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::arith::ArithDialect",
                           "mlir::math::MathDialect"];
}

def TritonIntelAssumeLaunch : OptionalPass<"triton-intel-assume-launch"> {
  let summary = "assume that numbers in addresses are not negative, under launch conditions";
  let description = [{
    The program id and the sizes of a tensor determine where a block begins. That
    the block does not begin before the tensor depends on the signs of
    arguments (`p / cdiv(N, 64)`). If programs are grouped (`p / (G * n)`, divided
    again by the remaining rows of tiles, `min(m - p / (G * n) * G, G)`), it also
    depends on there being no more programs than tiles. Likewise, the quotients
    and remainders of the indices of a tensor (`(p * 1024 + range) % n`) are those
    of whole groups of elements only if no index has wrapped around. This pass
    inserts, as `tl.assume` does,

    ```mlir
    %holds = arith.cmpi sge, %quotient, %zero : i32
    llvm.intr.assume %holds : i1
    ```

    after scalars that signed divisions of tensors divide or divide by, and, in
    kernels with dots, after signed quotients and the lower bounds of loops around
    dots, if the result or the counter is part of an address (AddressUses.h). It
    does so for numbers that are not negative under a condition on the launch
    (LaunchProver.h), and adds this condition to the kernel as a
    `ttig.launch_condition`. The launcher checks it. Launches that break it run a
    variant that was compiled without this pass.
  }];
  let statistics = [
    Statistic<"numAssumptions", "num-assumptions", "Numbers assumed not to be negative">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

def TritonIntelSimplifyDivRem
    : OptionalPass<"triton-intel-simplify-div-rem"> {
  let summary = "divide the parts of a sum by a constant";
  let description = [{
    Applies to signed quotients and remainders of `uniform + known` by a positive
    constant, if the uniform number is a multiple of the constant, neither part is
    negative, and the sum does not wrap around. They are computed from the parts:

    ```mlir
    %numbers = arith.addi %splat_of_start, %range : tensor<32xi32>
    %words = arith.divsi %numbers, %c8 : tensor<32xi32>
    %places = arith.remsi %numbers, %c8 : tensor<32xi32>
    ```
    becomes
    ```mlir
    %first = tt.splat (arith.divsi %start, %c8) : tensor<32xi32>
    %rest = arith.divsi %range, %c8 : tensor<32xi32>
    %words = arith.addi %first, %rest : tensor<32xi32>
    %places = arith.remsi %range, %c8 : tensor<32xi32>
    ```
    If the range is no longer than the divisor, only the uniform number has to be
    divided. This also holds if the uniform number is a multiple of a factor of the
    divisor, and the range is no longer than that factor: the quotient is that of
    the uniform number, and the remainder is that of the uniform number plus the
    range.

    If all elements of any other number have the same quotient, it becomes a constant,
    and the remainder is a difference.

    That a sum does not wrap around is proved, from bounds of counters and program ids
    (ValueProver.h). With `assume-launch`, what the proof lacks becomes a
    `ttig.launch_condition`, which the launcher checks. That the sum is a part of an
    address is no proof: a mask may exclude the elements that wrap around.
  }];
  let options = [
    Option<"assumeLaunch", "assume-launch", "bool", /*default=*/"true",
           "let launches satisfy what a proof lacks">,
  ];
  let statistics = [
    Statistic<"numSimplified", "num-simplified", "Quotients and remainders simplified">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

def TritonIntelNarrowLoads
    : OptionalPass<"triton-intel-narrow-loads"> {
  let summary = "load repeated elements of dot operands once";
  let description = [{
    Applies to loads through tensors of pointers whose elements become dot
    operands, if pointers and masks are constant along stretches of a dimension. Only
    the first element of each stretch is loaded:

    ```mlir
    %w = tt.load %p : tensor<32x32x!tt.ptr<i32>>   // rows 0 to 7 are the same, ...
    ```
    becomes
    ```mlir
    %n = tt.load %q : tensor<4x32x!tt.ptr<i32>>    // every eighth row of %p
    %e = tt.expand_dims %n {axis = 1 : i32} : tensor<4x32xi32> -> tensor<4x1x32xi32>
    %b = tt.broadcast %e : tensor<4x1x32xi32> -> tensor<4x8x32xi32>
    %w = tt.reshape %b : tensor<4x8x32xi32> -> tensor<32x32xi32>
    ```
    Pointers and masks have to be computed elementwise from ranges, from scalars,
    and from values that a loop carries and advances by the same step for all
    elements.
  }];
  let statistics = [
    Statistic<"numNarrowed", "num-narrowed", "Loads of fewer elements">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::triton::TritonDialect"];
}

def TritonIntelRaiseBlockPointers
    : OptionalPass<"triton-intel-raise-block-pointers"> {
  let summary = "turn loads and stores through plain pointers into block accesses";
  let description = [{
    Most kernels compute a tensor of pointers and a mask. In functions with dots,
    such an access becomes one of a block of a `ttig.surface` if the addresses are

      base + sum over dimensions of (start + range) * stride

    if the mask is a conjunction of bounds of `start + range`, and if 2D block
    messages can serve the access (BlockAccess.h). The bounds in the mask become the
    extents of the tensor. A bound of a multiple, `k + 8 * range < n`, which rows of
    words with eight elements each have, becomes an extent of `n` / 8, rounded up. In
    a dimension without a bound, the extent is only known to include the blocks of the
    access's loop. The analysis looks through additions, products with uniform values,
    exact quotients of ranges, broadcasts, transposes, values that loops advance by
    uniform steps, and branches that differ in hints only (AffineAddress.h).

    A coordinate may wrap around (`x % n`) or be clamped (`x < n ? x : y`). It is
    treated as `x` with the extent `n` if no stored value depends on elements
    beyond `n`: the mask of a GEMM's store excludes its surplus rows
    (UnobservedElements.h). Otherwise the loop that uses the coordinate is
    duplicated, and the kernel chooses a version by a few scalar operations that
    test whether any coordinate exceeds `n`.

    ```mlir
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %row = ... %r + splat %y, expanded, times splat %stride
    %p = tt.addptr (splat %base), %row + %r, expanded : tensor<32x32x!tt.ptr<f16>>
    %x = tt.load %p, (%r + splat %y < splat %m), %zero
    ```
    becomes
    ```mlir
    %s = ttig.surface %base, [%m, %c32], [%stride, %c1] : !tt.ptr<f16>
    %x = ttig.load_block %s[%y, %c0] {boundaryCheck = array<i32: 0>, padding = 1 : i32}
        : (!ttig.memory<f16, 2>, i32, i32) -> tensor<32x32xf16>
    ```
    The row numbers of a tile may be arbitrary instead of a range, for example
    loaded numbers. If such an access is to the left operand of a dot, or to
    elements that are combined with a result, these numbers become its operand
    `rows`. Its `mask` is the part of the mask that is the same for all elements of
    a row:

    ```mlir
    %t = tt.load %tokens : tensor<32x!tt.ptr<i32>>
    %row = ... %t, expanded, times splat %stride
    %p = tt.addptr (splat %base), %row + %r, expanded : tensor<32x32x!tt.ptr<f16>>
    %x = tt.load %p, (%t < splat %m, expanded), %zero
    ```
    becomes
    ```mlir
    %n = tt.expand_dims %t {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %s = ttig.surface %base, [%c1, %c32], [%stride, %c1] : !tt.ptr<f16>
    %x = ttig.load_block %s[%c0, %c0] rows %n mask (%t < splat %m, expanded) {padding = 1 : i32}
        : (!ttig.memory<f16, 2>, i32, i32, tensor<32x1xi32>, tensor<32x1xi1>) -> tensor<32x32xf16>
    ```
    The addresses of a tile may not have this form while those of its parts do: the
    tokens of a sequence are in the pages of a cache, and each token looks up the
    number of its page. If at least 16 tokens begin at the start of a page, or of an
    equal part of a page, they have the same quotient and so the same page, whose
    number is loaded once. The addresses of these pages become the operands `pages`
    of the load of a dot operand that consists of equal parts in one page each (here
    with pages of 16 tokens):

    ```mlir
    %n = arith.divsi %t, %c16 : tensor<32xi32>
    %i = tt.load (splat %table) + %n : tensor<32x!tt.ptr<i32>>
    %row = ... %i times splat %size plus (%t rem 16) times splat %stride, expanded
    %p = tt.addptr (splat %base), %row + %r, expanded : tensor<32x32x!tt.ptr<f16>>
    %x = tt.load %p, (%t < splat %m, expanded), %zero
    ```
    becomes
    ```mlir
    %d = tt.addptr %base, (load of %table + %first / 16, times %size)
    %e = tt.addptr %base, (load of %table + %first / 16 + 1, times %size)
    %s = ttig.surface %base, [%m - %first, %c32], [%stride, %c1] : !tt.ptr<f16>
    %x = ttig.load_block %s[%c0, %c0] pages[%d, %e] {boundaryCheck = array<i32: 0>, padding = 1 : i32}
        : (!ttig.memory<f16, 2>, i32, i32, !tt.ptr<f16>, !tt.ptr<f16>) -> tensor<32x32xf16>
    ```
    A choice no longer tests a bound that hides nothing but elements that no effect
    of the kernel depends on: in a product whose store leaves out rows from
    `m` on, `row < m` is no longer a condition of a choice between the left
    operand's elements and zeros.

    Addresses of elements that are accessed are assumed not to overflow the integers
    that they are computed in. Nothing is assumed of what masks compare and of
    elements that a mask excludes: bounds and coordinates are proved to be exact. With
    `assume-launch`, what a proof lacks becomes a `ttig.launch_condition`, which the
    launcher checks. Offsets of blocks have 32 bits: a coordinate that may have more
    moves the base.

    A missed remark reports each access that stays as it is, with the reason. For
    tests, `print-forms` reports the form of each access by a remark.
  }];
  let options = [
    Option<"assumeLaunch", "assume-launch", "bool", /*default=*/"true",
           "let launches satisfy what a proof lacks">,
    Option<"printForms", "print-forms", "bool", /*default=*/"false",
           "report which block of which tensor each access addresses">,
  ];
  let statistics = [
    Statistic<"numRaised", "num-raised", "Accesses turned into block accesses">,
    Statistic<"numDropped", "num-dropped",
              "Bounds dropped from conditions of choices">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

def TritonIntelSimplifyComparisons
    : OptionalPass<"triton-intel-simplify-comparisons"> {
  let summary = "drop boundary checks that always hold";
  let description = [{
    If the result of an integer comparison follows from the bounds of ranges,
    constants, program ids and loop counters, the comparison becomes a constant.
    Masks and selections that use it are simplified:

    ```mlir
    scf.for %i = %c0 to %n step %c16 {          // %n is divisible by 16
      %numbers = arith.addi %splat_of_i, %range_of_16 : tensor<16xi32>
      %mask = arith.cmpi slt, %numbers, %splat_of_n : tensor<16xi32>
      %x = tt.load %p, %mask : tensor<16x!tt.ptr<f32>>
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %n step %c16 {
      %x = tt.load %p : tensor<16x!tt.ptr<f32>>
    ```
  }];
  let statistics = [
    Statistic<"numDecided", "num-decided", "Comparisons replaced by constants">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def TritonIntelTensorDescToBlockPointer
    : Pass<"triton-intel-tensor-desc-to-block-pointer", "mlir::ModuleOp"> {
  let summary = "turn accesses through tensor descriptors into block accesses";
  let description = [{
    A descriptor becomes its base pointer, shape and strides, which functions and
    control flow carry as scalars. Each load and store through it becomes an access
    of a block of a `ttig.surface`, and checks the bounds of every dimension. The
    innermost stride is 1, as Triton requires.

    ```mlir
    %d = tt.make_tensor_descriptor %base, [%m, %n], [%ld, %c1_i64] : <f16>, <tensor<16x32xf16>>
    %x = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
    ```
    becomes
    ```mlir
    %m1 = arith.extsi %m : i32 to i64
    %n1 = arith.extsi %n : i32 to i64
    %s = ttig.surface %base, [%m1, %n1], [%ld, %c1_i64] : !tt.ptr<f16>
    %x = ttig.load_block %s[%i, %j] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
        : (!ttig.memory<f16, 2>, i32, i32) -> tensor<16x32xf16>
    ```
    A descriptor that is a function argument becomes a pointer argument followed by
    its shape and strides, all i64. Its type does not contain its padding: the
    descriptors that `nan-descriptors` lists pad with NaN, all others with zero.

    If descriptors with different paddings may reach the same load, an i1 with each
    of them selects the padding. The load becomes a branch with two loads:

    ```mlir
    %x = scf.if %pads_with_nan -> (tensor<16x32xf16>) {
      %s = ttig.surface %base, ...
      %nan = ttig.load_block %s[%i, %j] {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} ...
      scf.yield %nan : tensor<16x32xf16>
    } else {
      ...
    }
    ```

    A gather or scatter becomes a load or store with the operand `rows`:

    ```mlir
    %x = tt.descriptor_gather %d[%rows, %j]
        : (!tt.tensordesc<tensor<1x32xf16>>, tensor<16xi32>, i32) -> tensor<16x32xf16>
    ```
    becomes
    ```mlir
    %s = ttig.surface %base, [%m1, %n1], [%ld, %c1_i64] : !tt.ptr<f16>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %x = ttig.load_block %s[%c0, %j] rows %r {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
        : (!ttig.memory<f16, 2>, i32, i32, tensor<16x1xi32>) -> tensor<16x32xf16>
    ```
    The target has no messages for a reduce through a descriptor. It becomes relaxed
    atomic operations through a tensor of pointers, masked to the extent of the
    tensor in memory.

    Tensors may have layouts, as those of a file of TTGIR or of a kernel in Gluon do.
    The block of an access then has the layout of what is loaded or stored. The
    layout of a descriptor's own block states how other chips stage it, and is
    ignored. Row numbers are converted to a slice of the layout of their rows:

    ```mlir
    %n = ttg.convert_layout %rows : tensor<16xi32, #any> -> tensor<16xi32, #ttg.slice<{dim = 1, parent = #dpas}>>
    %r = tt.expand_dims %n {axis = 1 : i32} : ... -> tensor<16x1xi32, #dpas>
    %x = ttig.load_block %s[%c0, %j] rows %r ... -> tensor<16x32xf16, #dpas>
    ```
    A call of a function without a body whose first operand is a descriptor, such as
    `xe.load`, gets the parts of the descriptor as its first operands. If its result
    is padded with NaN, the function has the same name with `.nan` at its end.
  }];
  let options = [
    ListOption<"nanDescriptors", "nan-descriptors", "int32_t",
               "numbers of the kernel's descriptors, from 0, that pad with NaN">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::triton::gpu::TritonGPUDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

def TritonIntelTranslateInlineAssembly
    : Pass<"triton-intel-translate-inline-assembly"> {
  let summary = "translate inline assembly that is pure arithmetic of PTX";
  let description = [{
    `tl.inline_asm_elementwise` has text of PTX, the assembly language of NVIDIA's
    devices. A snippet that only computes becomes operations with the same meaning:

    ```mlir
    %y = tt.elementwise_inline_asm "ex2.approx.ftz.f32 $0, $1;"
           {constraints = "=f,f", packed_element = 1 : i32, pure = true}
           %x : tensor<64xf32> -> tensor<64xf32>
    ```
    becomes
    ```mlir
    %y = math.exp2 %x : tensor<64xf32>
    ```
    Where several elements share a register, the operations are in the region of a
    `tt.map_elementwise` with the same `pack`.

    Results are those that the PTX ISA defines, with these differences: `.ftz` has no
    effect, so that subnormal numbers stay, and `fma` of 16 bits rounds to f32 and then
    to its type. Known are `abs`, `add`, `and`, `bfe`, `bfi`, `bfind`, `brev`, `clz`,
    `cnot`, `copysign`, `cos`, `cvt`, `div` and `rcp` of floats, `dp4a`, `ex2`, `fma`,
    `lg2`, `lop3`, `mad`, `max`, `min`, `mov`, `mul`, `neg`, `not`, `or`, `popc`, `prmt`,
    `rsqrt`, `selp`, `setp`, `shf`, `shl`, `shr`, `sin`, `sqrt`, `sub`, `tanh` and `xor`,
    with predicates, blocks, declared registers and parts of registers. Any other
    instruction is an error that names it and what to write instead.
  }];
  let statistics = [
    Statistic<"numTranslated", "num-translated", "Snippets that are translated">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::math::MathDialect"];
}

def TritonIntelWidenSums : Pass<"triton-intel-widen-sums"> {
  let summary = "compute sums and products of narrow floats in f32";
  let description = [{
    Reductions and scans that add or multiply floats of less than 32 bits round after
    each step: a sum of bf16 stops growing at 256 times its terms. This pass lets them
    compute in f32, and rounds each result once.

    ```mlir
    %z = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: bf16, %b: bf16):
      %c = arith.addf %a, %b : bf16
      tt.scan.return %c : bf16
    }) : (tensor<1024xbf16>) -> tensor<1024xbf16>
    ```
    becomes
    ```mlir
    %wide = arith.extf %x : tensor<1024xbf16> to tensor<1024xf32>
    %sums = "tt.scan"(%wide) <{axis = 0 : i32, reverse = false}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.scan.return %c : f32
    }) : (tensor<1024xf32>) -> tensor<1024xf32>
    %z = arith.truncf %sums : tensor<1024xf32> to tensor<1024xbf16>
    ```
    So do regions of several operands, such as those of linear recurrences. Regions that
    convert floats, have branches, or call functions with narrow floats stay as they
    are.
  }];
  let statistics = [
    Statistic<"numWidened", "num-widened",
              "Reductions and scans that compute in f32">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

#endif // TRITON_INTEL_DIALECT_TRITON_TRANSFORMS_PASSES_TD
