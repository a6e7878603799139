// RUN: triton-xe-opt %s --tritonintelgpu-guard-arithmetic -verify-diagnostics \
// RUN:   -remarks-filter-passed=tritonintelgpu-guard-arithmetic -remark-format=emitRemark | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // The nearest integer takes the place of a number that does not fit.
  // CHECK-LABEL: @beyond
  tt.func @beyond() -> (i64, i32, i8, i32) {
    // CHECK-DAG: %[[A:.*]] = arith.constant -9223372036854775808 : i64
    // CHECK-DAG: %[[B:.*]] = arith.constant 2147483647 : i32
    // CHECK-DAG: %[[C:.*]] = arith.constant 0 : i8
    // CHECK-DAG: %[[D:.*]] = arith.constant -1 : i32
    // CHECK: tt.return %[[A]], %[[B]], %[[C]], %[[D]]
    %lowest = arith.constant -3.38953139E+38 : f32
    // expected-remark @below {{the float -3.38953139E+38 does not fit i64, -9223372036854775808 takes its place}}
    %a = arith.fptosi %lowest : f32 to i64
    %infinity = arith.constant 0x7C00 : f16
    // expected-remark @below {{the float +Inf does not fit i32, 2147483647 takes its place}}
    %b = arith.fptosi %infinity : f16 to i32
    %nan = arith.constant 0x7FC00000 : f32
    // expected-remark @below {{the float NaN does not fit i8, 0 takes its place}}
    %c = arith.fptosi %nan : f32 to i8
    %large = arith.constant 5.0e+09 : f64
    // expected-remark @below {{the float 5.0E+9 does not fit i32, 4294967295 takes its place}}
    %d = arith.fptoui %large : f64 to i32
    tt.return %a, %b, %c, %d : i64, i32, i8, i32
  }

  // So in tensors, of which other elements are converted as they are.
  // CHECK-LABEL: @tensors
  tt.func @tensors() -> (tensor<64xi16, #blocked>, tensor<2xi16>) {
    // CHECK-DAG: arith.constant dense<-32768> : tensor<64xi16, #blocked>
    // CHECK-DAG: arith.constant dense<[1, 32767]> : tensor<2xi16>
    %low = arith.constant dense<-1.0e+05> : tensor<64xf32, #blocked>
    // expected-remark @below {{the float -1.0E+5 does not fit i16, -32768 takes its place}}
    %a = arith.fptosi %low : tensor<64xf32, #blocked> to tensor<64xi16, #blocked>
    %two = arith.constant dense<[1.5, 40000.0]> : tensor<2xf32>
    // expected-remark @below {{the float 4.0E+4 does not fit i16, 32767 takes its place}}
    %b = arith.fptosi %two : tensor<2xf32> to tensor<2xi16>
    tt.return %a, %b : tensor<64xi16, #blocked>, tensor<2xi16>
  }

  // A conversion stays if its operand fits, or is no constant.
  // CHECK-LABEL: @fits
  // CHECK-COUNT-3: arith.fpto
  tt.func @fits(%x: f32) -> (i32, i8, i32) {
    %lowest = arith.constant -2147483648.0 : f32
    %a = arith.fptosi %lowest : f32 to i32
    %largest = arith.constant 255.9 : f32
    %b = arith.fptoui %largest : f32 to i8
    %c = arith.fptosi %x : f32 to i32
    tt.return %a, %b, %c : i32, i8, i32
  }
}
