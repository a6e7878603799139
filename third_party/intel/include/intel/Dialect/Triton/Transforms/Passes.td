//===- Passes.td - TTIR passes for Intel GPUs --------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_DIALECT_TRITON_TRANSFORMS_PASSES
#define INTEL_DIALECT_TRITON_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def TritonIntelDecomposeScaledDot
    : Pass<"triton-intel-decompose-scaled-dot", "mlir::ModuleOp"> {
  let summary = "scale factors of microscaling formats, then multiply";
  let description = [{
    Most targets multiply no scaled formats. Factors are widened to f32 and
    multiplied by their scales, which is exact; the products are then computed
    in the narrowest of bf16, tf32 and f32 that holds every scaled value.

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
    The array of `cri` multiplies by exponents itself: factors of e4m3, e5m2 and
    e2m1 then stay what they are, and keep their scales. Two factors of e2m1 that
    are packed along K are multiplied as they are; any other one becomes e4m3. A
    dot that is smaller than an instruction, in sub-groups of 32 lanes, or with a
    factor of 16 bits becomes a common dot there, too.

    Factors of e2m3 and e3m2 are errors: the language has no way to store them.
  }];
  let statistics = [
    Statistic<"numDecomposed", "num-decomposed",
              "Scaled dots replaced by common ones">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::arith::ArithDialect"];
}

def TritonIntelFuseNestedLoops
    : Pass<"triton-intel-fuse-nested-loops", "mlir::ModuleOp"> {
  let summary = "make one loop of the two that `tl.range(flatten=True)` names";
  let description = [{
    A loop with `tt.flatten` and the only loop in its body become one loop, over
    the iterations of both. An outer iteration without inner ones takes one, for
    what stands in front of the inner loop and behind it.

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

    Where the length of the inner loop depends on the outer one, a loop in front
    computes the sum. Nests stay nested, and a remark (`nested-loops`) says why,
    if a product is in them, a counter has more than 32 bits, or the inner bounds
    are loaded, for example. Other hints of both loops go to
    the new one; where both have one, it is that of the outer loop.
  }];
  let statistics = [
    Statistic<"numFused", "num-fused", "Loops that took in an inner one">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect"];
}

def TritonIntelDropLoopHints
    : Pass<"triton-intel-drop-loop-hints", "mlir::ModuleOp"> {
  let summary = "take away what loops ask for in vain";
  let description = [{
    `tl.range` passes hints to the compiler. What becomes of them:

    | hint | effect |
    |---|---|
    | `num_stages` | how far ahead operands of dots are fetched (`tritonintelgpu-pipeline`) |
    | `loop_unroll_factor` | Triton unrolls the loop |
    | `disable_licm` | LLVM moves nothing out of the loop (`tritonintelgpu-lower-control-flow`) |
    | `disallow_acc_multi_buffer` | none is needed: no accumulator has several buffers |
    | `flatten` | two loops become one, where that is of use (`triton-intel-fuse-nested-loops`) |
    | `warp_specialize` | none |

    This pass removes the last one. A remark (`dropped-hint`) names the loop.

    ```mlir
    scf.for %i = %c0 to %n step %c1 : i32 {
      ...
    } {tt.warp_specialize}
    ```
    becomes
    ```mlir
    scf.for %i = %c0 to %n step %c1 : i32 {
      ...
    }
    ```
  }];
  let statistics = [
    Statistic<"numDropped", "num-dropped", "Hints removed">,
  ];
}

def TritonIntelAssumeLaunch : Pass<"triton-intel-assume-launch", "mlir::ModuleOp"> {
  let summary = "say which numbers cannot be negative in launches that make sense";
  let description = [{
    A block of a tensor lies where a program's number and the tensor's sizes put
    it. That this is not in front of the tensor depends on signs of arguments
    (`p / cdiv(N, 64)`), and where programs are grouped (`p / (G * n)`, divided
    again by the rows of tiles that are left, `min(m - p / (G * n) * G, G)`) on
    there being no more programs than tiles. In kernels with dots this pass adds

    ```mlir
    %holds = arith.cmpi sge, %quotient, %zero : i32
    llvm.intr.assume %holds : i1
    ```

    behind each signed quotient that is a part of an address (AddressUses.h), and
    behind the lower bound of each loop around a dot whose counter is one, that is
    not negative under a condition on the launch (NonNegative.h), as
    `tl.assume` does, and leaves the condition in the kernel as a
    `ttig.launch_condition`. The launcher checks it; launches that do not satisfy
    it run a variant that was compiled without this pass.
  }];
  let statistics = [
    Statistic<"numAssumptions", "num-assumptions", "Numbers that are not negative">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::LLVM::LLVMDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

def TritonIntelSimplifyQuotients
    : Pass<"triton-intel-simplify-quotients", "mlir::ModuleOp"> {
  let summary = "divide by constants what is known of a sum";
  let description = [{
    Signed quotients and remainders of `uniform + known` by a positive constant,
    where the uniform number is a multiple of it, neither is negative, and the sum
    does not wrap around, are those of the parts:

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
    With a range that is no longer than the divisor nothing is left to divide. The
    uniform number may also be a multiple of a part of the divisor that the range is
    not longer than: then quotients are those of the uniform number, and so are
    remainders, plus the range.

    A sum that is a part of an address does not wrap around (AddressUses.h). Of
    data that has to be proved, by the bounds of counters and program ids
    (IntegerBounds.h).
  }];
  let statistics = [
    Statistic<"numSimplified", "num-simplified", "Quotients and remainders">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def TritonIntelScalarizeLoads
    : Pass<"triton-intel-scalarize-loads", "mlir::ModuleOp"> {
  let summary = "load one number where all elements have the same address";
  let description = [{
    Loads through tensors of pointers that are all the same become scalar loads:

    ```mlir
    %page = tt.load %pages : tensor<32x!tt.ptr<i32>>   // pages = splat of %p
    ```
    becomes
    ```mlir
    %number = tt.load %p : !tt.ptr<i32>
    %page = tt.splat %number : i32 -> tensor<32xi32>
    ```
    A mask has to be the same for all elements, too, or `start + range < bound`:
    then the number is loaded if the first element is, and chosen by the mask where
    the load says what others are instead.
  }];
  let statistics = [
    Statistic<"numScalarized", "num-scalarized", "Loads of one number">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::triton::TritonDialect"];
}

def TritonIntelNarrowLoads
    : Pass<"triton-intel-narrow-loads", "mlir::ModuleOp"> {
  let summary = "load once what neighbours along a dimension share";
  let description = [{
    Loads through tensors of pointers whose elements become factors of dots, and
    whose pointers and masks are constant along stretches of a dimension, load the
    first element of each stretch:

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
    Pointers and masks have to be computed element by element from ranges, scalars
    and what loops carry with steps that are the same for all elements.
  }];
  let statistics = [
    Statistic<"numNarrowed", "num-narrowed", "Loads of fewer elements">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::triton::TritonDialect"];
}

def TritonIntelRaiseBlockPointers
    : Pass<"triton-intel-raise-block-pointers", "mlir::ModuleOp"> {
  let summary = "turn loads and stores through plain pointers into block accesses";
  let description = [{
    Most kernels compute a tensor of pointers and a mask. In functions with dots,
    where the addresses are

      base + sum over dimensions of (start + range) * stride

    and the mask is a conjunction of bounds of `start + range`, the access becomes
    one through a block pointer, if 2D block messages can serve that
    (BlockAccess.h). Bounds of the mask are the extents of the tensor; in a
    dimension without one nothing is known of it but the blocks of the access's
    loop. Additions, products with uniform values, broadcasts, transposes, what
    loops carry on by uniform steps, and branches that differ in hints alone are
    looked through (AddressForm.h).

    `x % n` and `x < n ? x : y` are taken for the coordinate `x`, and `n` for the
    extent, if nobody sees the elements that pass `n`: what comes of the surplus
    rows of a GEMM is what the mask of its store leaves out (HiddenElements.h).
    Otherwise the loop that uses them is there twice, and the kernel chooses with
    a few scalar operations whether no coordinate passes `n`.

    ```mlir
    %r = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
    %row = ... %r + splat %y, expanded, times splat %stride
    %p = tt.addptr (splat %base), %row + %r, expanded : tensor<32x32x!tt.ptr<f16>>
    %x = tt.load %p, (%r + splat %y < splat %m), %zero
    ```
    becomes
    ```mlir
    %p = tt.make_tensor_ptr %base, [%m, %c32], [%stride, %c1], [%y, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
    %x = tt.load %p {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<32x32xf16>>
    ```
    Rows that something else counts than a range, such as numbers that were
    loaded, are picked by these numbers, with that part of the mask which is the
    same for all elements of a row, if the access is to the left factor of a dot,
    or to elements that go with a result:

    ```mlir
    %t = tt.load %tokens : tensor<32x!tt.ptr<i32>>
    %row = ... %t, expanded, times splat %stride
    %p = tt.addptr (splat %base), %row + %r, expanded : tensor<32x32x!tt.ptr<f16>>
    %x = tt.load %p, (%t < splat %m, expanded), %zero
    ```
    becomes
    ```mlir
    %n = tt.expand_dims %t {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %p = tt.make_tensor_ptr %base, [%c1, %c32], [%stride, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
    %x = ttig.gather_rows %p[%n], (%t < splat %m, expanded) {padding = 1 : i32} : !tt.ptr<tensor<32x32xf16>>, tensor<32x1xi32>
    ```
    Where the addresses of a tile have no such form, those of its parts may:
    tokens of a sequence lie in pages of a cache, and each looks its page up. Of
    16 tokens or more, which begin a page or a part of one, all have the same
    quotient, and so one number, which is loaded once. A factor whose equal parts
    lie in pages each is loaded from there (`page = 16`):

    ```mlir
    %n = arith.divsi %t, %c16 : tensor<32xi32>
    %i = tt.load (splat %table) + %n : tensor<32x!tt.ptr<i32>>
    %row = ... %i times splat %size plus (%t rem 16) times splat %stride, expanded
    %p = tt.addptr (splat %base), %row + %r, expanded : tensor<32x32x!tt.ptr<f16>>
    %x = tt.load %p, (%t < splat %m, expanded), %zero
    ```
    becomes
    ```mlir
    %s = tt.addptr %base, (load of %table + %first / 16, times %size)
    %e = tt.addptr %base, (load of %table + %first / 16 + 1, times %size)
    %p = tt.make_tensor_ptr %base, [%m - %first, %c32], [%stride, %c1], [%c0, %c0] {order = array<i32: 1, 0>} : <tensor<32x32xf16>>
    %x = ttig.gather_pages %p[%s, %e] {boundaryCheck = array<i32: 0>, dim = 0 : i32, padding = 1 : i32} : !tt.ptr<tensor<32x32xf16>>, !tt.ptr<f16>, !tt.ptr<f16>
    ```
    Addresses are taken not to overflow the integers that they are computed in.
    An access that stays is reported to the remark engine (missed) with what
    stood in the way. For tests, `print-forms` says with a remark what each access
    was found to be.
  }];
  let options = [
    Option<"printForms", "print-forms", "bool", /*default=*/"false",
           "Say which block of which tensor each access is">,
  ];
  let statistics = [
    Statistic<"numRaised", "num-raised", "Accesses through block pointers">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

def TritonIntelSimplifyComparisons
    : Pass<"triton-intel-simplify-comparisons", "mlir::ModuleOp"> {
  let summary = "drop boundary checks that always hold";
  let description = [{
    Comparisons of integers whose result follows from the bounds of ranges,
    constants, numbers of programs and loops become constants, and masks and
    choices that are made of them are simplified:

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
    Statistic<"numDecided", "num-decided", "Comparisons that are constants">,
  ];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def TritonIntelTensorDescToBlockPointer
    : Pass<"triton-intel-tdesc-to-block-pointer", "mlir::ModuleOp"> {
  let summary = "turn tensor descriptors into block pointers";
  let description = [{
    Behind this pass there is one kind of blocked access. A descriptor becomes
    its base pointer, shape and strides, which functions and control flow of any
    kind carry as scalars; each load and store through it makes a block pointer
    at its indices and checks every dimension. The innermost stride is 1, as the
    language has it.

    ```mlir
    %d = tt.make_tensor_descriptor %base, [%m, %n], [%ld, %c1_i64] : <f16>, <tensor<16x32xf16>>
    %x = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
    ```
    becomes
    ```mlir
    %m1 = arith.extsi %m : i32 to i64
    %n1 = arith.extsi %n : i32 to i64
    %p = tt.make_tensor_ptr %base, [%m1, %n1], [%ld, %c1_i64], [%i, %j] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
    %x = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x32xf16>>
    ```
    A descriptor that is a function argument becomes a pointer argument followed
    by its shape and strides, all i64. What it pads with is nothing that its type
    says: those of a kernel's descriptors that are in `nan-descriptors` pad with
    NaN, all others with zero.

    Descriptors that reach one read and pad in different ways, some with NaN, are
    followed by an i1 that says which way, and the read becomes a branch with two
    loads:

    ```mlir
    %x = scf.if %pads_with_nan -> (tensor<16x32xf16>) {
      %p = tt.make_tensor_ptr %base, ...
      %nan = tt.load %p {boundaryCheck = array<i32: 0, 1>, padding = 2 : i32} : !tt.ptr<tensor<16x32xf16>>
      scf.yield %nan : tensor<16x32xf16>
    } else {
      ...
    }
    ```

    A gather or scatter becomes `ttig.gather_rows` or `ttig.scatter_rows`, through
    a block pointer as high as there are row numbers:

    ```mlir
    %x = tt.descriptor_gather %d[%rows, %j]
        : (!tt.tensordesc<tensor<1x32xf16>>, tensor<16xi32>, i32) -> tensor<16x32xf16>
    ```
    becomes
    ```mlir
    %p = tt.make_tensor_ptr %base, [%m1, %n1], [%ld, %c1_i64], [%c0, %j] {order = array<i32: 1, 0>} : <tensor<16x32xf16>>
    %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %x = ttig.gather_rows %p[%r] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x32xf16>>, tensor<16x1xi32>
    ```
    The target has no messages for reduce through descriptors. It becomes relaxed
    atomic operations through a tensor of pointers, masked to the extent of the
    tensor in memory.
  }];
  let options = [
    ListOption<"nanDescriptors", "nan-descriptors", "int32_t",
               "Numbers of the kernel's descriptors, from 0, that pad with NaN">,
  ];
  let dependentDialects = ["mlir::triton::TritonDialect",
                           "mlir::arith::ArithDialect", "mlir::scf::SCFDialect",
                           "mlir::triton::gpu::intel::TritonIntelGPUDialect"];
}

#endif // INTEL_DIALECT_TRITON_TRANSFORMS_PASSES
