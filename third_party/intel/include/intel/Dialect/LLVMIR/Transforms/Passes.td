//===- Passes.td - Passes over lowered kernels ------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_DIALECT_LLVMIR_TRANSFORMS_PASSES
#define INTEL_DIALECT_LLVMIR_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def TritonIntelGPUDescribeVariables
    : Pass<"tritonintelgpu-describe-variables", "mlir::ModuleOp"> {
  let summary = "tell debuggers about local variables";
  let description = [{
    Makes lexical blocks of the scopes in `ttig.variables` (see
    `tritonintelgpu-mark-variables`), puts each operation into that of its line, and
    replaces marks by variables:

    ```mlir
    llvm.intr.dbg.value #llvm.di_local_variable<scope = ..., line = 1> = %0 : i32
    ```
    becomes, for each scope in which a variable has definition 1,
    ```mlir
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #block, name = "start", ...> = %0 : i32
    ```
    A variable whose definition has no mark gets `llvm.mlir.poison`. Expects functions with
    scopes for debug information, and removes the attribute. Does nothing to a
    module without it.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def TritonIntelGPULowerControlFlow
    : Pass<"tritonintelgpu-lower-control-flow", "mlir::ModuleOp"> {
  let summary = "make branches of loops and conditions, the last one first";
  let description = [{
    What `convert-scf-to-cf` does, in a time that grows as the kernel does: every
    condition of a block moves all that stands behind it, so that the last one has
    to be first.

    ```mlir
    %0 = scf.if %mask -> i32 {
      %1 = llvm.load %p : !llvm.ptr<1> -> i32
      scf.yield %1 : i32
    } else {
      scf.yield %other : i32
    }
    ```
    becomes
    ```mlir
      cf.cond_br %mask, ^load, ^else
    ^load:
      %1 = llvm.load %p : !llvm.ptr<1> -> i32
      cf.br ^next(%1 : i32)
    ^else:
      cf.br ^next(%other : i32)
    ^next(%0: i32):
    ```
    A `llvm.loop_annotation` of a loop becomes the `loop_annotation` of the branch
    back to its head. Expects no `scf.parallel` and no `scf.forall`.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect"];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Loops and conditions lowered">,
  ];
}

def TritonIntelGPUShortenLiveRanges
    : Pass<"tritonintelgpu-shorten-live-ranges", "mlir::ModuleOp"> {
  let summary = "load blocks late, and compute with values as soon as they are there";
  let description = [{
    The lowering of a tensor operation handles all of the tensor before the next
    operation starts: it loads a whole accumulator-sized block, and then adds the
    block to the accumulators. Two such tensors may not fit the registers of a
    thread.

    First moves every operation without effects that computes a vector, of no more
    bits of vectors than that, to directly before its first use. Products stay.

    Then moves every `xevm.blockload2d`, and loads of shared memory where these
    are more than 32 registers between two operations that they cannot cross, with
    what is computed of that and of constants alone, to directly before the first
    use of the rest; what is computed takes its own first use, if it takes more
    registers than what was loaded. A load that only the next iteration of a loop
    uses stays early.
    It crosses nothing that may write to memory. So a dot loads each block of its
    operands, and converts it, in front of the first instruction that takes it,
    instead of all of them in front of the first one.

    Prefetches of blocks move to directly before the first product behind them,
    across nothing that may write to memory.

    Then moves every operation without effects that computes a vector to directly
    behind the last of its operands, if the operands that it is the last to use
    take at least as many registers as its result:

    ```mlir
    %a = xevm.blockload2d %p, ...
    %b = xevm.blockload2d %q, ...
    %c = arith.addf %x, %a : vector<8xf32>
    %d = arith.addf %y, %b : vector<8xf32>
    ```
    becomes
    ```mlir
    %a = xevm.blockload2d %p, ...
    %c = arith.addf %x, %a : vector<8xf32>
    %b = xevm.blockload2d %q, ...
    %d = arith.addf %y, %b : vector<8xf32>
    ```
    Operations stay in their blocks, and those with effects in their order.
  }];
  let statistics = [
    Statistic<"numMoved", "num-moved", "Operations moved">,
  ];
}

def TritonIntelGPUSimplifyLocations
    : Pass<"tritonintelgpu-simplify-locations", "mlir::ModuleOp"> {
  let summary = "reduce locations to lines and chains of inlined calls";
  let description = [{
    Names of variables and unknown parts go, as debug information has no place
    for them:

    ```mlir
    loc(callsite("x"("kernel.py":3:8) at callsite(unknown at "kernel.py":9:4)))
    ```
    becomes
    ```mlir
    loc(callsite("kernel.py":3:8 at "kernel.py":9:4))
    ```
  }];
}

def TritonIntelGPUStopPrograms
    : Pass<"tritonintelgpu-stop-programs", "mlir::ModuleOp"> {
  let summary = "leave functions where an assertion has failed";
  let description = [{
    Replaces the marks that the lowering of `tt.assert` leaves by branches to the
    end of the function:

    ```mlir
    llvm.call spir_funccc @triton_xe_stop_if(%failed) : (i1) -> ()
    ```
    becomes
    ```mlir
      cf.cond_br %failed, ^end, ^next
    ^next:
      ...
    ^end:
      llvm.return
    ```
    The flag is the same in all work-items of a program, so that none waits at a
    barrier for those that have left. Expects branches only, no `scf`.
  }];
  let dependentDialects = ["mlir::cf::ControlFlowDialect", "mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"numStops", "num-stops", "Places where a function may end">,
  ];
}

#endif // INTEL_DIALECT_LLVMIR_TRANSFORMS_PASSES
