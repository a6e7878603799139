// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records --verify-diagnostics | FileCheck %s

// Scopes in loops and branches; one that encloses another is its parent, across regions. Names are used again, one
// after the other and within each other; the copies of an unrolled loop look like that.
// CHECK: module attributes {proton.scopes = [
// CHECK-SAME: {line = {{[0-9]+}} : i32, name = "all", parent = -1 : i32},
// CHECK-SAME: {line = {{[0-9]+}} : i32, name = "load", parent = 0 : i32},
// CHECK-SAME: {line = {{[0-9]+}} : i32, name = "load", parent = 1 : i32},
// CHECK-SAME: {line = {{[0-9]+}} : i32, name = "load", parent = 0 : i32},
// CHECK-SAME: {line = {{[0-9]+}} : i32, name = "copy", parent = -1 : i32},
// CHECK-SAME: {line = {{[0-9]+}} : i32, name = "tail", parent = -1 : i32},
// CHECK-SAME: {line = {{[0-9]+}} : i32, name = "callee", parent = -1 : i32}],
module {
  // CHECK-LABEL: tt.func public @nested
  tt.func public @nested(%n: i32, %b: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: proton_gpu.circular_store start {{.*}} scope 0 :
    proton.record start "all"
    scf.for %i = %c0 to %n step %c1 : i32 {
      // CHECK: proton_gpu.circular_store start {{.*}} scope 1 :
      proton.record start "load"
      // CHECK: scf.if
      scf.if %b {
        // CHECK: proton_gpu.circular_store start {{.*}} scope 2 :
        proton.record start "load"
        // CHECK: proton_gpu.circular_store end {{.*}} scope 2 :
        proton.record end "load"
      }
      // CHECK: proton_gpu.circular_store end {{.*}} scope 1 :
      proton.record end "load"
      // CHECK: proton_gpu.circular_store start {{.*}} scope 3 :
      proton.record start "load"
      // CHECK: proton_gpu.circular_store end {{.*}} scope 3 :
      proton.record end "load"
    }
    // CHECK: arith.constant 4 : i32
    %e = proton.allocate_event "copy" : i32
    // CHECK: proton_gpu.circular_store end {{.*}} scope 0 :
    proton.record end "all"
    // CHECK: proton_gpu.circular_store start {{.*}} scope 5 :
    proton.record start "tail"
    // CHECK: proton_gpu.circular_store end {{.*}} scope 5 :
    proton.record end "tail"
    tt.return
  }

  // Another function goes on counting.
  tt.func private @callee() attributes {noinline = true} {
    // CHECK: proton_gpu.circular_store start {{.*}} scope 6 :
    proton.record start "callee"
    proton.record end "callee"
    tt.return
  }
}

// -----

// Nothing to number, nothing to report.
// CHECK: module {
// CHECK-NEXT: tt.func @none
// CHECK-NOT: proton
module {
  tt.func @none() {
    tt.return
  }
}

// -----

// Scopes that overlap: neither is in the other. A scope in both is a child of
// the one that began last. Across blocks, too.
// CHECK: module attributes {proton.scopes = [
// CHECK-SAME: {line = {{[0-9]+}} : i32, name = "a", parent = -1 : i32},
// CHECK-SAME: {line = {{[0-9]+}} : i32, name = "b", parent = -1 : i32},
// CHECK-SAME: {line = {{[0-9]+}} : i32, name = "c", parent = 1 : i32}],
module {
  tt.func @overlap(%b: i1) {
    proton.record start "a"
    proton.record start "b"
    cf.cond_br %b, ^left, ^right
  ^left:
    proton.record start "c"
    proton.record end "c"
    cf.br ^right
  ^right:
    proton.record end "a"
    proton.record end "b"
    tt.return
  }
}

// -----

tt.func @no_end() {
  // expected-error @+1 {{scope 'load' begins here, but it does not end}}
  proton.record start "load"
  tt.return
}

// -----

tt.func @no_begin() {
  // expected-error @+1 {{scope 'load' ends here, but it does not begin}}
  proton.record end "load"
  tt.return
}

// -----

// It would begin once and end in each iteration.
tt.func @end_in_loop(%n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  // expected-error @+1 {{scope 'load' begins here, but it does not always end}}
  proton.record start "load"
  scf.for %i = %c0 to %n step %c1 : i32 {
    // expected-note @+1 {{it ends here, on another control path}}
    proton.record end "load"
  }
  tt.return
}

// -----

// A return in the middle of a scope leaves it open.
tt.func @early_return(%b: i1) {
  // expected-error @+1 {{scope 'load' begins here, but it does not always end}}
  proton.record start "load"
  cf.cond_br %b, ^end, ^return
^end:
  // expected-note @+1 {{it ends here, on another control path}}
  proton.record end "load"
  tt.return
^return:
  tt.return
}

// -----

// The line of the source is that of the begin; in a function that was inlined
// it is the function's own. Where it is unknown, there is none.
// CHECK: module attributes {proton.scopes = [
// CHECK-SAME: {line = 7 : i32, name = "known", parent = -1 : i32},
// CHECK-SAME: {line = 11 : i32, name = "inlined", parent = -1 : i32},
// CHECK-SAME: {name = "unknown", parent = -1 : i32}],
module {
  tt.func @lines() {
    proton.record start "known" loc("kernel.py":7:4)
    proton.record end "known" loc("kernel.py":8:4)
    proton.record start "inlined" loc(callsite("other.py":11:4 at "kernel.py":9:4))
    proton.record end "inlined" loc(callsite("other.py":12:4 at "kernel.py":9:4))
    proton.record start "unknown" loc(unknown)
    proton.record end "unknown" loc(unknown)
    tt.return
  }
}
