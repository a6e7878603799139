// RUN: triton-xe-opt %s --triton-intel-tensor-desc-to-block-pointer=nan-descriptors=1 --canonicalize | FileCheck %s

// The padding of descriptors of a kernel is given by their numbers: the second
// one pads with NaN, the other with zero.

// CHECK-LABEL: tt.func public @arguments
// CHECK: ttig.load_block {{.*}}padding = 1 : i32
// CHECK: ttig.load_block {{.*}}padding = 2 : i32
tt.func public @arguments(%n: i32, %d: !tt.tensordesc<tensor<16x32xf16>>, %e: !tt.tensordesc<tensor<16x32xf16>>, %out: tensor<16x32x!tt.ptr<f16>>) {
  %x = tt.descriptor_load %d[%n, %n] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tt.store %out, %x : tensor<16x32x!tt.ptr<f16>>
  %y = tt.descriptor_load %e[%n, %n] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tt.store %out, %y : tensor<16x32x!tt.ptr<f16>>
  tt.return
}

// Where both may reach a load, the load exists twice. Numbers count from each
// kernel's first descriptor.

// CHECK-LABEL: tt.func public @one_of_two
// CHECK-SAME: %[[CHOICE:[^:]*]]: i1
// CHECK: scf.if %[[CHOICE]]
// CHECK: padding = 1 : i32
// CHECK: } else {
// CHECK: padding = 2 : i32
tt.func public @one_of_two(%d: !tt.tensordesc<tensor<16x32xf16>>, %e: !tt.tensordesc<tensor<16x32xf16>>, %n: i32, %choice: i1, %out: tensor<16x32x!tt.ptr<f16>>) {
  %f = scf.if %choice -> (!tt.tensordesc<tensor<16x32xf16>>) {
    scf.yield %d : !tt.tensordesc<tensor<16x32xf16>>
  } else {
    scf.yield %e : !tt.tensordesc<tensor<16x32xf16>>
  }
  %x = tt.descriptor_load %f[%n, %n] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tt.store %out, %x : tensor<16x32x!tt.ptr<f16>>
  tt.return
}
