//===- Passes.td - Passes on the LLVM dialect --------------*- tablegen -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_LLVMIR_TRANSFORMS_PASSES_TD
#define TRITON_INTEL_DIALECT_LLVMIR_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"
include "triton/Dialect/TritonGPU/Transforms/OptionalPass.td"

def TritonIntelGPUSchedule : OptionalPass<"tritonintelgpu-schedule"> {
  let summary = "order operations so that the registers suffice";
  let description = [{
    The lowering processes one tensor operation after the other. It loads a whole
    block of the accumulator's size, for example, before it adds the block to the
    accumulators. Two such tensors may not fit into the registers of a thread. This
    pass orders the operations of each block by two rules:

    - An operation without effects that makes no more than it takes is executed as
      soon as this needs no register more: when it is the last one to use its
      operands.
    - An operation that makes more than it takes, such as a load, a constant or a
      conversion to a wider type, is executed before its first use. Loads do so
      if they read blocks, which have been prefetched, or shared memory, or if lanes
      load operands of products from separate addresses. They do not
      cross what may write to their memory, nor a barrier that orders it. A block
      that is stored to the tensor of one argument is in their way only if they read
      a tensor that may overlap with it: an assumption in the kernel
      (`separate_storage`) names two arguments whose tensors do not.

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
    All other operations stay in their order, with three exceptions. Prefetches
    come before the next `ttig.dpas`. A block is stored as soon as its value is
    available, unless a load before the store in the program is still to come.
    And if a product starts from zero, and its left operand is not loaded part
    by part, then a few accumulators are finished before the next begin.

    Five decisions depend on the number of registers. If there are enough for all
    values, and for an address of each message, a loop loads its blocks first. If more
    bytes are live at an operation than there are, all products are ordered by
    columns, with fewer accumulators in flight, or by parts of columns. Unless the kernel
    can be built with more registers, other orders are tried then: products by the loads
    that bring their operands, and computations that the program has after products
    after them. If what is live in all of a loop leaves too little room for the rest, or
    if there are no more registers, the loop loads blocks again in each iteration that
    were loaded before it, the largest first. It does so only if memory stays the
    same, and if nothing else uses the block but a branch that is executed instead of
    the loop, or code after the loop, which loads the block again, too: in each iteration
    of a later loop that carries at least the same bytes. A message brings no rows or blocks that its
    users do not need; one that a loop needs in part is loaded again also if registers
    suffice for all values, but not for an address of each message. If only the
    body of a loop needs more registers than there are, a product that is added to a
    scaled sum starts from this sum instead of zero, and rows that do not need each
    other are computed in bands, one band after the other. Each band loads the blocks
    that all of them use by itself. After that the largest messages are split, as long
    as their halves are not needed at the same time; once all values find room, a few
    more are split so that the device compiler has registers, too. If that is not enough,
    operations that take more registers than they make wait for the loads that they
    need, or all of them wait, until their results are needed. Columns of products whose
    right operands have parts of one load may be finished together then, before the
    next loads. A remark reports each of these messages. In the end, loads from addresses
    of lanes come earlier, with the computation of their addresses: as far as there are
    registers all the way, and until the work in between takes as long as the load, since
    nothing prefetches what they read.

    Two attributes of the kernel's LLVM IR state the result:
    `triton-xe-registers`, the number of registers that it was ordered for, and
    `triton-xe-live-bytes`, the most bytes of them that are live at an
    operation, with those of a function that it calls.
  }];
  let statistics = [
    Statistic<"numScheduled", "num-scheduled", "Blocks with another order">,
    Statistic<"numEarly", "num-early", "Loops that load their blocks first">,
    Statistic<"numReloaded", "num-reloaded", "Loads moved into loops">,
    Statistic<"numSplit", "num-split", "Messages split into two">,
  ];
}

def TritonIntelGPUDivideLoops : OptionalPass<"tritonintelgpu-divide-loops"> {
  let summary = "execute a loop for half of its rows, then for the others";
  let description = [{
    Rows of attention or of a product do not need each other in any iteration of a
    loop. If the registers have no room for the loop's sums and products, and for the
    values from outside that it uses, two loops take the place of one: each has half of
    the sums that the loop carries, and all operations that they need. Blocks that each
    iteration can load again do not count.

    ```mlir
    %r:2 = scf.for %i = %a to %b step %c iter_args(%x = %z, %y = %z) {
      %k = ttig.block_load %s[%i, %i] ...
      %p = ttig.dpas %q0, %k, %x ...
      %q = ttig.dpas %q1, %k, %y ...
      scf.yield %p, %q
    }
    ```
    becomes
    ```mlir
    %r0 = scf.for %i = %a to %b step %c iter_args(%x = %z) {
      %k = ttig.block_load %s[%i, %i] ...
      %p = ttig.dpas %q0, %k, %x ...
      scf.yield %p
    }
    %r1 = scf.for %i = %a to %b step %c iter_args(%y = %z) {
      %k = ttig.block_load %s[%i, %i] ...
      %q = ttig.dpas %q1, %k, %y ...
      scf.yield %q
    }
    ```

    An operation that needs no product, such as a load, belongs to both loops. The
    body must not write to global memory. It may write values to shared memory that
    need no product: each loop does so, with the same barriers. A half without room
    is divided again. A loop stays whole if both halves would repeat most of its work,
    such as loads of single elements and their addresses.

    If several loops of a block are divided, the first halves of all of them come before
    the second ones, unless they need each other or both use shared memory. Computations
    that need first halves alone come before the second ones, too, and so do stores of
    blocks that nothing in between reads or overwrites. Nothing is divided if the kernel
    can be built with more registers. A remark reports each loop.
  }];
  let statistics = [
    Statistic<"numDivided", "num-divided", "Loops divided into two">,
  ];
}

def TritonIntelGPUSkipRows : OptionalPass<"tritonintelgpu-skip-rows"> {
  let summary = "skip loops for rows that no store writes";
  let description = [{
    If a block of code stores rows of a tile before its loops compute others, as after
    `tritonintelgpu-divide-loops`, these loops and everything after them have no
    effect if the other rows lie beyond the end of the surface. They are put under the
    condition that a row is inside.

    ```mlir
    ttig.block_store %s[%x, %y], %u ...
    %r = scf.for ...
    ttig.block_store %s[%x, %z], %v ...
    ```
    becomes
    ```mlir
    ttig.block_store %s[%x, %y], %u ...
    %c = arith.cmpi slt, %z, %height
    scf.if %c {
      %r = scf.for ...
      ttig.block_store %s[%x, %z], %v ...
    }
    ```

    All stores from the loop to the end of the block must be messages for blocks. Rows
    that are stored before the loop, too, need no condition: they are other columns. A
    remark reports each condition.
  }];
  let statistics = [
    Statistic<"numSkipped", "num-skipped", "Ends of blocks under a condition">,
  ];
}

def TritonIntelGPULowerControlFlow
    : Pass<"tritonintelgpu-lower-control-flow", "mlir::ModuleOp"> {
  let summary = "lower loops and conditions to branches in linear time";
  let description = [{
    Does what `convert-scf-to-cf` does, but in a time that is linear in the size of
    the kernel. To lower a condition, all code after it moves to another block, so
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

    The calls that the lowering of `tt.assert` leaves as marks become branches to the
    end of the function:

    ```mlir
    llvm.call spir_funccc @triton_xe_exit_if(%failed) : (i1) -> ()
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
    barrier for others that have returned.
  }];
  let dependentDialects = ["mlir::arith::ArithDialect",
      "mlir::cf::ControlFlowDialect", "mlir::LLVM::LLVMDialect"];
  let statistics = [
    Statistic<"numLowered", "num-lowered", "Loops and conditions lowered">,
    Statistic<"numEarlyExits", "num-early-exits", "Early returns inserted">,
  ];
}

def TritonIntelGPUDescribeDebugInfo
    : Pass<"tritonintelgpu-describe-debug-info", "mlir::ModuleOp"> {
  let summary = "describe lines, scopes and local variables to debuggers";
  let description = [{
    Reduces locations to lines and chains of inlined calls: names of variables and
    unknown parts go, which debug information cannot represent.

    ```mlir
    loc(callsite("x"("kernel.py":3:8) at callsite(unknown at "kernel.py":9:4)))
    ```
    becomes
    ```mlir
    loc(callsite("kernel.py":3:8 at "kernel.py":9:4))
    ```
    Every function becomes a subprogram of one compile unit. A line of inlined code,
    or of another file than the function's, gets a scope that names its file:

    ```mlir
    loc(callsite(fused<#llvm.di_lexical_block_file<scope = #subprogram, ...>>["kernel.py":3:8] at "kernel.py":9:4))
    ```
    The scopes in `ttig.variables` (see `tritonintelgpu-mark-variables`) become lexical
    blocks, and each operation belongs to the block of its line. Descriptions of
    variables replace the marks:

    ```mlir
    llvm.intr.dbg.value #llvm.di_local_variable<scope = ..., line = 1> = %0 : i32
    ```
    becomes, for each scope in which a variable has definition 1,
    ```mlir
    llvm.intr.dbg.value #llvm.di_local_variable<scope = #block, name = "start", ...> = %0 : i32
    ```
    A variable whose definition has no mark gets `llvm.mlir.poison`. The pass removes
    the attribute.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

#endif // TRITON_INTEL_DIALECT_LLVMIR_TRANSFORMS_PASSES_TD
