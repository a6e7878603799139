// RUN: triton-xe-opt %s -split-input-file -triton-xe-verify-llvm -verify-diagnostics

// What no pattern of the lowering matched, operation by operation.
llvm.func @operations(%x: i32, %v: vector<8xf32>) {
  // expected-error @below {{'arith.addi' op should have been lowered to the LLVM dialect}}
  %y = arith.addi %x, %x : i32
  // expected-error @below {{'math.exp' op should have been lowered to the LLVM dialect}}
  %w = math.exp %v : vector<8xf32>
  llvm.return
}

// -----

// Operations of XeVM have no translation of their own: they become calls.
llvm.func @messages() {
  // expected-error @below {{'xevm.memfence' op should have been lowered to the LLVM dialect}}
  xevm.memfence <{addrspace = #xevm.addr_space<global>, scope = #xevm.mem_scope<workgroup>}>
  llvm.return
}

// -----

// Control flow and functions of other dialects.
// expected-error @below {{'func.func' op should have been lowered to the LLVM dialect}}
func.func @function() {
  // expected-error @below {{'func.return' op should have been lowered to the LLVM dialect}}
  return
}

// -----

// A cast that met no counterpart says which types did not meet.
llvm.func @cast(%x: i64) {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op is left of a lowering: nobody turns 'i64' into 'index'}}
  %i = builtin.unrealized_conversion_cast %x : i64 to index
  llvm.return
}
