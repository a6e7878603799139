// RUN: triton-xe-opt %s -split-input-file -triton-intel-tensor-desc-to-block-pointer -mlir-print-debuginfo -mlir-use-nameloc-as-prefix | FileCheck %s

// The parts of a descriptor get separate names. So do the shape and the strides
// that follow it in the signature, in separate types. Other arguments keep
// their names, also those after a descriptor that nothing follows.

// CHECK-LABEL: tt.func public @names
// CHECK-SAME: (%a: !tt.ptr<f16> {tt.divisibility = 16 : i32} loc("a"(#loc{{[0-9]*}})),
// CHECK-SAME: i64 loc("a.shape[0]"(#[[PLACE:loc[0-9]*]])), {{%[^ ]*}}: i64 loc("a.shape[1]"(#[[PLACE]])),
// CHECK-SAME: i64 {tt.divisibility = 8 : i32} loc("a.strides[0]"(#[[PLACE]])), {{%[^ ]*}}: i64 loc("a.strides[1]"(#[[PLACE]])),
// CHECK-SAME: i32 loc("a.shape[0]"(#[[PLACE]])), {{%[^ ]*}}: i32 loc("a.shape[1]"(#[[PLACE]])),
// CHECK-SAME: i64 loc("a.strides[0]"(#[[PLACE]])), {{%[^ ]*}}: i64 loc("a.strides[1]"(#[[PLACE]])),
// CHECK-SAME: %b: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("b"(#[[PLACE]])),
// CHECK-SAME: i64 loc("b.shape[0]"(#[[PLACE]])), {{%[^ ]*}}: i64 loc("b.strides[0]"(#[[PLACE]])),
// CHECK-SAME: %n: i32 loc("n"(#[[PLACE]])))
#place = loc("kernel.py":6:0)
tt.func public @names(%a: !tt.tensordesc<tensor<16x32xf16>> loc("a"(#place)), %m: i32 loc("a"(#place)), %k: i32 loc("a"(#place)), %s: i64 loc("a"(#place)), %t: i64 loc("a"(#place)), %b: !tt.tensordesc<tensor<32xf32>> loc("b"(#place)), %n: i32 loc("n"(#place))) {
  %x = tt.descriptor_load %a[%n, %n] : !tt.tensordesc<tensor<16x32xf16>> -> tensor<16x32xf16>
  tt.return
}
