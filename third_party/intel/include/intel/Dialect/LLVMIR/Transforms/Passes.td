//===- Passes.td - Passes over lowered kernels ------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_DIALECT_LLVMIR_TRANSFORMS_PASSES
#define INTEL_DIALECT_LLVMIR_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"
include "triton/Dialect/TritonGPU/Transforms/OptionalPass.td"

def TritonIntelGPUDescribeVariables
    : Pass<"tritonintelgpu-describe-variables", "mlir::ModuleOp"> {
  let summary = "describe local variables to debuggers";
  let description = [{
    Turns the scopes in `ttig.variables` (see `tritonintelgpu-mark-variables`) into
    lexical blocks, and assigns each operation to the block of its line. It replaces
    the marks by descriptions of variables:

    ```mlir
    llvm.intr.dbg.value #llvm.di_local_variable<scope = ..., line = 1> = %0 : i32
    ```
    becomes, for each scope in which a variable has definition 1,
    ```mlir
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #block, name = "start", ...> = %0 : i32
    ```
    A variable whose definition has no mark gets `llvm.mlir.poison`. The pass expects
    functions with scopes for debug information, and removes the attribute. A module
    without the attribute does not change.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def TritonIntelGPULowerControlFlow
    : Pass<"tritonintelgpu-lower-control-flow", "mlir::ModuleOp"> {
  let summary = "lower loops and conditions to branches in linear time";
  let description = [{
    Does what `convert-scf-to-cf` does, but in a time that is linear in the size of
    the kernel. To lower a condition, all code behind it moves to another block, so
    the pass begins with the last condition of a block.

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
    back to its head. The pass expects no `scf.parallel` and no `scf.forall`.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect"];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Loops and conditions lowered">,
  ];
}

def TritonIntelGPUShortenLiveRanges
    : OptionalPass<"tritonintelgpu-shorten-live-ranges"> {
  let summary = "load blocks late, and use values as early as possible";
  let description = [{
    The lowering processes one tensor operation after the other. It loads a whole
    block of the accumulator's size, for example, before it adds the block to the
    accumulators. Two such tensors may not fit into the registers of a thread. This
    pass reorders the operations on parts of tensors, in four steps:

    1. An operation that computes a vector without side effects moves to directly
       before its first use if the vectors that it reads are no larger than its
       result. DPAS operations do not move.
    2. A `ttig.block_load` moves down, together with the operations that use
       nothing but its result and constants, to directly before the first other
       use. Such an operation moves to its own first use if its result is larger
       than the loaded value. Loads of shared memory move in the same way if they
       take more than 32 registers between two operations that they cannot cross. A
       load that only the next iteration of a loop uses stays early. Loads do not
       cross operations that may write to memory. As a result, a dot loads and
       converts each block of its factors before the first instruction that uses
       it, and not all blocks before the first instruction of the dot.
    3. A prefetch of a block moves to directly before the next DPAS operation. It
       does not cross operations that may write to memory.
    4. An operation that computes a vector without side effects moves up to
       directly behind the last of its operands, if the operands that it is the
       last to use take at least as many registers as its result:

    ```mlir
    %a = ttig.block_load %s[%x, %y] ...
    %b = ttig.block_load %t[%x, %y] ...
    %c = arith.addf %x, %a : vector<8xf32>
    %d = arith.addf %y, %b : vector<8xf32>
    ```
    becomes
    ```mlir
    %a = ttig.block_load %s[%x, %y] ...
    %c = arith.addf %x, %a : vector<8xf32>
    %b = ttig.block_load %t[%x, %y] ...
    %d = arith.addf %y, %b : vector<8xf32>
    ```
    Operations stay in their blocks. Operations with side effects stay in order.
  }];
  let statistics = [
    Statistic<"numMoved", "num-moved", "Operations moved">,
  ];
}

def TritonIntelGPUSimplifyLocations
    : Pass<"tritonintelgpu-simplify-locations", "mlir::ModuleOp"> {
  let summary = "reduce locations to lines and chains of inlined calls";
  let description = [{
    Removes names of variables and unknown parts, which debug information cannot
    represent:

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
  let summary = "return from functions at failed assertions";
  let description = [{
    Replaces the calls that the lowering of `tt.assert` leaves as marks by branches
    to the end of the function:

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
    The flag is the same in all work-items of a program, so no work-item waits at a
    barrier for others that have returned. The pass expects branches instead of
    `scf`.
  }];
  let dependentDialects = ["mlir::cf::ControlFlowDialect", "mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"numStops", "num-stops", "Early returns inserted">,
  ];
}

#endif // INTEL_DIALECT_LLVMIR_TRANSFORMS_PASSES
