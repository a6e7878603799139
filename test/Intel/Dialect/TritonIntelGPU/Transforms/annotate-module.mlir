// RUN: triton-xe-opt %s --split-input-file --tritonintelgpu-annotate-module='arch=pvc threads-per-warp=32' | FileCheck %s

// Every dot can use DPAS: the sub-group size is that of DPAS, whatever was
// requested.

// CHECK: module attributes {"ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">}
module {
  tt.func public @dpas(%a: tensor<16x16xf16>, %b: tensor<16x16xf16>, %c: tensor<16x16xf32>) {
    %d = tt.dot %a, %b, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    tt.return
  }
}

// -----

// f64 has no DPAS: the requested size.

// CHECK: module attributes {"ttg.threads-per-warp" = 32 : i32
module {
  tt.func public @fma(%a: tensor<16x16xf64>, %b: tensor<16x16xf64>, %c: tensor<16x16xf64>) {
    %d = tt.dot %a, %b, %c : tensor<16x16xf64> * tensor<16x16xf64> -> tensor<16x16xf64>
    tt.return
  }
}

// -----

// No dot at all.

// CHECK: module attributes {"ttg.threads-per-warp" = 32 : i32
module {
  tt.func public @none() {
    tt.return
  }
}

// -----

// Attributes that the module has stay.

// CHECK: module attributes {"ttg.threads-per-warp" = 16 : i32
module attributes {"ttg.threads-per-warp" = 16 : i32} {
  tt.func public @given() {
    tt.return
  }
}
