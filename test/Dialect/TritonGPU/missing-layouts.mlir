// RUN: triton-xe-opt %s -split-input-file -tritongpu-merge-reductions -verify-diagnostics
// RUN: triton-xe-opt %s -split-input-file -tritongpu-allocate-memory -verify-diagnostics
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-materialize-block-pointer -verify-diagnostics
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-accelerate-matmul -verify-diagnostics
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-remove-layout-conversions -verify-diagnostics
// RUN: triton-xe-opt %s -split-input-file -convert-triton-intel-gpu-to-llvm -verify-diagnostics

// All passes that query layouts refuse the same modules with the same words:
// they are reported once, by the class that these passes derive from.

// A reduction is lowered by the layout of its operand. All values are reported.
module {
// expected-error @below {{'tt.func' op has an argument that no register can hold: 'tensor<16x16xf32>' is a tensor without a layout of registers}}
tt.func public @reduction(%x: tensor<16x16xf32>) {
  // expected-error @below {{'tt.reduce' op has a result that no register can hold: 'tensor<16xf32>' is a tensor without a layout of registers}}
  %s = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<16x16xf32>) -> tensor<16xf32>
  tt.return
}
}

// -----

// Within a loop, too: what it carries, what it loads, and what it yields.
module {
tt.func public @loop(%p: !tt.ptr<f32>, %n: i64, %count: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c1_i64 = arith.constant 1 : i64
  // expected-error @below {{'arith.constant' op has a result that no register can hold: 'tensor<16x16xf32>' is a tensor without a layout of registers}}
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  // expected-error @below {{'scf.for' op has a result that no register can hold: 'tensor<16x16xf32>' is a tensor without a layout of registers}}
  %sum = scf.for %i = %c0 to %count step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) : i32 {
    // expected-error @below {{'tt.make_tensor_ptr' op has a result that no register can hold: '!tt.ptr<tensor<16x16xf32>>' is a block pointer without a layout of registers}}
    %block = tt.make_tensor_ptr %p, [%n, %n], [%n, %c1_i64], [%i, %c0] {order = array<i32: 1, 0>} : <tensor<16x16xf32>>
    // expected-error @below {{'tt.load' op has a result that no register can hold: 'tensor<16x16xf32>' is a tensor without a layout of registers}}
    %x = tt.load %block {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32} : !tt.ptr<tensor<16x16xf32>>
    // expected-error @below {{'tt.dot' op has a result that no register can hold: 'tensor<16x16xf32>' is a tensor without a layout of registers}}
    %d = tt.dot %x, %x, %acc : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  tt.return
}
}

// -----

// A function of another module is called with registers, too.
module {
// expected-error @below {{'tt.func' op has a result that no register can hold: 'tensor<16xf32>' is a tensor without a layout of registers}}
tt.func private @elsewhere(i32) -> tensor<16xf32>
}

// -----

// A module without tensors is TTGIR, too, whatever its origin.
module {
tt.func public @scalars(%x: i32) {
  %y = arith.addi %x, %x : i32
  tt.return
}
}
