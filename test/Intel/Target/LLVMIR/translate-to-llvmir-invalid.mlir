// RUN: not triton-xe-translate --mlir-to-llvmir %s 2>&1 | FileCheck %s

// The translation reports operations that it cannot translate, and barriers that
// would hang, with their places, and writes no output.
// CHECK-NOT: define

// An operation that no pattern of the lowering matched is named.
llvm.func @operations(%x: i32, %v: vector<8xf32>) {
  // CHECK: invalid.mlir:[[@LINE+1]]:8: error: 'arith.addi' op should have been lowered to the LLVM dialect
  %y = arith.addi %x, %x : i32
  // CHECK: invalid.mlir:[[@LINE+1]]:8: error: 'math.exp' op should have been lowered to the LLVM dialect
  %w = math.exp %v : vector<8xf32>
  llvm.return
}

// Operations of XeVM have no separate translation: they become calls.
llvm.func @messages() {
  // CHECK: invalid.mlir:[[@LINE+1]]:3: error: 'xevm.memfence' op should have been lowered to the LLVM dialect
  xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
  llvm.return
}

// Control flow and functions of other dialects are not lowered, either.
// CHECK: invalid.mlir:[[@LINE+3]]:3: error: 'func.return' op should have been lowered to the LLVM dialect
// CHECK: invalid.mlir:[[@LINE+1]]:1: error: 'func.func' op should have been lowered to the LLVM dialect
func.func @function() {
  return
}

// A cast that met no counterpart states which types did not meet.
llvm.func @cast(%x: i64) {
  // CHECK: invalid.mlir:[[@LINE+1]]:8: error: 'builtin.unrealized_conversion_cast' op is left of a lowering: no pass turns 'i64' into 'index'
  %i = builtin.unrealized_conversion_cast %x : i64 to index
  llvm.return
}

llvm.func spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(i32, i32, i32)
llvm.func spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(i32, i32, i32)
llvm.func spir_funccc @_Z7barrierj(i32)

// Sub-groups arrive twice.
llvm.func @two_arrivals(%n: i32) {
  // CHECK: invalid.mlir:[[@LINE+1]]:3: error: sub-groups arrive at a barrier here, and at another one before they wait for it
  llvm.call spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.call spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.call spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.return
}

// Sub-groups wait without an arrival.
llvm.func @no_arrival(%n: i32) {
  // CHECK: invalid.mlir:[[@LINE+1]]:3: error: sub-groups wait for a barrier that they did not arrive at
  llvm.call spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.return
}

// The kernel ends before they wait.
llvm.func @the_kernel_ends(%n: i32) {
  // CHECK: invalid.mlir:[[@LINE+1]]:3: error: sub-groups arrive at a barrier here, and end before they wait for it
  llvm.call spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.return
}

// Shared memory has a separate barrier.
llvm.func @shared_memory_has_a_barrier_of_its_own(%n: i32) {
  // CHECK: invalid.mlir:[[@LINE+1]]:3: error: sub-groups arrive at a barrier here, and come to another one, which shared memory may need, before they wait for it
  llvm.call spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.call spir_funccc @_Z7barrierj(%n) : (i32) -> ()
  llvm.call spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.return
}

// A function of the module may have one, too.
llvm.func @helper() {
  llvm.return
}
llvm.func @a_function_of_the_module_may_have_one_too(%n: i32) {
  // CHECK: invalid.mlir:[[@LINE+1]]:3: error: sub-groups arrive at a barrier here, and call a function before they wait for it
  llvm.call spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.call @helper() : () -> ()
  llvm.call spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.return
}

// Only one of two paths waits.
llvm.func @only_one_of_two_paths_waits(%n: i32, %c: i1) {
  // CHECK: invalid.mlir:[[@LINE+1]]:3: error: sub-groups that arrive at a barrier here wait for it on some paths only
  llvm.call spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.cond_br %c, ^then, ^join
^then:
  llvm.call spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.br ^join
^join:
  llvm.return
}

// A loop arrives once more each time.
llvm.func @a_loop_arrives_once_more_each_time(%n: i32, %c: i1) {
  llvm.br ^body
^body:
  // CHECK: invalid.mlir:[[@LINE+1]]:3: error: sub-groups that arrive at a barrier here wait for it on some paths only
  llvm.call spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.cond_br %c, ^body, ^exit
^exit:
  llvm.call spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(%n, %n, %n) : (i32, i32, i32) -> ()
  llvm.return
}

// CHECK: error: cannot translate {{.*}}translate-to-llvmir-invalid.mlir to LLVM IR
// CHECK-NOT: define
