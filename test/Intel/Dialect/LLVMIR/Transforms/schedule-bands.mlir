// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: triton-xe-opt %s -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,MANY
// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt -tritonintelgpu-schedule -o /dev/null \
// RUN:   --remarks-filter-passed=tritonintelgpu-schedule --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Passed] repeated | Category:tritonintelgpu-schedule | Reason="loaded once for each band of rows: {{[0-9]+}} bytes of registers are live at an operation, of 8192 that there are"

module attributes {"ttg.num-warps" = 64 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Two bands of 8 rows have scores of 2 KB each, and 5 KB at most are live in all of the loop. In 128 registers one band is finished
// before the other begins, which loads the keys and values again.
// CHECK-LABEL: @bands
// CHECK:         %[[KEYS:.+]] = ttig.make_surface
// CHECK:         %[[VALUES:.+]] = ttig.make_surface
// CHECK:         scf.for
// FEW-COUNT-4:     ttig.block_load %[[KEYS]][
// FEW:             arith.maxnumf
// FEW-COUNT-4:     ttig.block_load %[[VALUES]][
// FEW-COUNT-4:     ttig.block_load %[[KEYS]][
// FEW:             arith.maxnumf
// FEW-COUNT-4:     ttig.block_load %[[VALUES]][
// FEW-NOT:         ttig.block_load
// MANY-COUNT-8:    ttig.block_load
// MANY-NOT:        ttig.block_load
// CHECK:         llvm.return
llvm.func @bands(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<56xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %r, %w, %w, %w
  %x0 = arith.constant 0 : i32
  %x1 = arith.constant 16 : i32
  %x2 = arith.constant 32 : i32
  %x3 = arith.constant 48 : i32
  %f:3 = scf.for %i = %zero to %n step %one iter_args(%b = %a, %sum0 = %c, %sum1 = %c) -> (vector<56xf32>, vector<8xf32>, vector<8xf32>) : i32 {
    %k0 = ttig.block_load %s[%x0, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %k1 = ttig.block_load %s[%x1, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %k2 = ttig.block_load %s[%x2, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %k3 = ttig.block_load %s[%x3, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %s00 = ttig.dpas %q0, %k0, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s01 = ttig.dpas %q0, %k1, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s02 = ttig.dpas %q0, %k2, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s03 = ttig.dpas %q0, %k3, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s10 = ttig.dpas %q1, %k0, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s11 = ttig.dpas %q1, %k1, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s12 = ttig.dpas %q1, %k2, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s13 = ttig.dpas %q1, %k3, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %m00 = arith.maxnumf %s00, %s01 : vector<8xf32>
    %m01 = arith.maxnumf %s02, %s03 : vector<8xf32>
    %m0 = arith.maxnumf %m00, %m01 : vector<8xf32>
    %d00 = arith.subf %s00, %m0 : vector<8xf32>
    %h00 = arith.truncf %d00 : vector<8xf32> to vector<8xbf16>
    %w00 = llvm.bitcast %h00 : vector<8xbf16> to vector<8xi16>
    %d01 = arith.subf %s01, %m0 : vector<8xf32>
    %h01 = arith.truncf %d01 : vector<8xf32> to vector<8xbf16>
    %w01 = llvm.bitcast %h01 : vector<8xbf16> to vector<8xi16>
    %d02 = arith.subf %s02, %m0 : vector<8xf32>
    %h02 = arith.truncf %d02 : vector<8xf32> to vector<8xbf16>
    %w02 = llvm.bitcast %h02 : vector<8xbf16> to vector<8xi16>
    %d03 = arith.subf %s03, %m0 : vector<8xf32>
    %h03 = arith.truncf %d03 : vector<8xf32> to vector<8xbf16>
    %w03 = llvm.bitcast %h03 : vector<8xbf16> to vector<8xi16>
    %m10 = arith.maxnumf %s10, %s11 : vector<8xf32>
    %m11 = arith.maxnumf %s12, %s13 : vector<8xf32>
    %m1 = arith.maxnumf %m10, %m11 : vector<8xf32>
    %d10 = arith.subf %s10, %m1 : vector<8xf32>
    %h10 = arith.truncf %d10 : vector<8xf32> to vector<8xbf16>
    %w10 = llvm.bitcast %h10 : vector<8xbf16> to vector<8xi16>
    %d11 = arith.subf %s11, %m1 : vector<8xf32>
    %h11 = arith.truncf %d11 : vector<8xf32> to vector<8xbf16>
    %w11 = llvm.bitcast %h11 : vector<8xbf16> to vector<8xi16>
    %d12 = arith.subf %s12, %m1 : vector<8xf32>
    %h12 = arith.truncf %d12 : vector<8xf32> to vector<8xbf16>
    %w12 = llvm.bitcast %h12 : vector<8xbf16> to vector<8xi16>
    %d13 = arith.subf %s13, %m1 : vector<8xf32>
    %h13 = arith.truncf %d13 : vector<8xf32> to vector<8xbf16>
    %w13 = llvm.bitcast %h13 : vector<8xbf16> to vector<8xi16>
    %v0 = ttig.block_load %t[%x0, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %v1 = ttig.block_load %t[%x1, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %v2 = ttig.block_load %t[%x2, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %v3 = ttig.block_load %t[%x3, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %o00 = ttig.dpas %w00, %v0, %sum0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o01 = ttig.dpas %w01, %v1, %o00 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o02 = ttig.dpas %w02, %v2, %o01 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o03 = ttig.dpas %w03, %v3, %o02 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o10 = ttig.dpas %w10, %v0, %sum1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o11 = ttig.dpas %w11, %v1, %o10 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o12 = ttig.dpas %w12, %v2, %o11 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o13 = ttig.dpas %w13, %v3, %o12 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %b, %o03, %o13 : vector<56xf32>, vector<8xf32>, vector<8xf32>
  }
  llvm.store %f#0, %p : vector<56xf32>, !llvm.ptr<1>
  llvm.store %f#1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %f#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// A loop may store to what is loaded: nothing is loaded again.
// CHECK-LABEL: @stored
// CHECK-COUNT-8: ttig.block_load
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @stored(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<56xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %r, %w, %w, %w
  %x0 = arith.constant 0 : i32
  %x1 = arith.constant 16 : i32
  %x2 = arith.constant 32 : i32
  %x3 = arith.constant 48 : i32
  %f:3 = scf.for %i = %zero to %n step %one iter_args(%b = %a, %sum0 = %c, %sum1 = %c) -> (vector<56xf32>, vector<8xf32>, vector<8xf32>) : i32 {
    %k0 = ttig.block_load %s[%x0, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %k1 = ttig.block_load %s[%x1, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %k2 = ttig.block_load %s[%x2, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %k3 = ttig.block_load %s[%x3, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %s00 = ttig.dpas %q0, %k0, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s01 = ttig.dpas %q0, %k1, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s02 = ttig.dpas %q0, %k2, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s03 = ttig.dpas %q0, %k3, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s10 = ttig.dpas %q1, %k0, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s11 = ttig.dpas %q1, %k1, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s12 = ttig.dpas %q1, %k2, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %s13 = ttig.dpas %q1, %k3, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %m00 = arith.maxnumf %s00, %s01 : vector<8xf32>
    %m01 = arith.maxnumf %s02, %s03 : vector<8xf32>
    %m0 = arith.maxnumf %m00, %m01 : vector<8xf32>
    %d00 = arith.subf %s00, %m0 : vector<8xf32>
    %h00 = arith.truncf %d00 : vector<8xf32> to vector<8xbf16>
    %w00 = llvm.bitcast %h00 : vector<8xbf16> to vector<8xi16>
    %d01 = arith.subf %s01, %m0 : vector<8xf32>
    %h01 = arith.truncf %d01 : vector<8xf32> to vector<8xbf16>
    %w01 = llvm.bitcast %h01 : vector<8xbf16> to vector<8xi16>
    %d02 = arith.subf %s02, %m0 : vector<8xf32>
    %h02 = arith.truncf %d02 : vector<8xf32> to vector<8xbf16>
    %w02 = llvm.bitcast %h02 : vector<8xbf16> to vector<8xi16>
    %d03 = arith.subf %s03, %m0 : vector<8xf32>
    %h03 = arith.truncf %d03 : vector<8xf32> to vector<8xbf16>
    %w03 = llvm.bitcast %h03 : vector<8xbf16> to vector<8xi16>
    %m10 = arith.maxnumf %s10, %s11 : vector<8xf32>
    %m11 = arith.maxnumf %s12, %s13 : vector<8xf32>
    %m1 = arith.maxnumf %m10, %m11 : vector<8xf32>
    %d10 = arith.subf %s10, %m1 : vector<8xf32>
    %h10 = arith.truncf %d10 : vector<8xf32> to vector<8xbf16>
    %w10 = llvm.bitcast %h10 : vector<8xbf16> to vector<8xi16>
    %d11 = arith.subf %s11, %m1 : vector<8xf32>
    %h11 = arith.truncf %d11 : vector<8xf32> to vector<8xbf16>
    %w11 = llvm.bitcast %h11 : vector<8xbf16> to vector<8xi16>
    %d12 = arith.subf %s12, %m1 : vector<8xf32>
    %h12 = arith.truncf %d12 : vector<8xf32> to vector<8xbf16>
    %w12 = llvm.bitcast %h12 : vector<8xbf16> to vector<8xi16>
    %d13 = arith.subf %s13, %m1 : vector<8xf32>
    %h13 = arith.truncf %d13 : vector<8xf32> to vector<8xbf16>
    %w13 = llvm.bitcast %h13 : vector<8xbf16> to vector<8xi16>
    %v0 = ttig.block_load %t[%x0, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %v1 = ttig.block_load %t[%x1, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %v2 = ttig.block_load %t[%x2, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %v3 = ttig.block_load %t[%x3, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %o00 = ttig.dpas %w00, %v0, %sum0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o01 = ttig.dpas %w01, %v1, %o00 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o02 = ttig.dpas %w02, %v2, %o01 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o03 = ttig.dpas %w03, %v3, %o02 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o10 = ttig.dpas %w10, %v0, %sum1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o11 = ttig.dpas %w11, %v1, %o10 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o12 = ttig.dpas %w12, %v2, %o11 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o13 = ttig.dpas %w13, %v3, %o12 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    llvm.store %i, %p : i32, !llvm.ptr<1>
    scf.yield %b, %o03, %o13 : vector<56xf32>, vector<8xf32>, vector<8xf32>
  }
  llvm.store %f#0, %p : vector<56xf32>, !llvm.ptr<1>
  llvm.store %f#1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %f#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// The rows of a product that adds to what a loop carries are bands, too, but no values of two of them end in the loop: to load
// the blocks again would free no register.
// CHECK-LABEL: @sums
// CHECK-COUNT-4: ttig.block_load
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @sums(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<56xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %r, %w, %w, %w
  %x0 = arith.constant 0 : i32
  %x1 = arith.constant 16 : i32
  %x2 = arith.constant 32 : i32
  %x3 = arith.constant 48 : i32
  %f:3 = scf.for %i = %zero to %n step %one iter_args(%b = %a, %sum0 = %c, %sum1 = %c) -> (vector<56xf32>, vector<8xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %l = llvm.load %pi : !llvm.ptr<1> -> vector<56xf32>
    %d = llvm.fadd %b, %l : vector<56xf32>
    %k0 = ttig.block_load %s[%x0, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %k1 = ttig.block_load %s[%x1, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %k2 = ttig.block_load %s[%x2, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %k3 = ttig.block_load %s[%x3, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %o00 = ttig.dpas %q0, %k0, %sum0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o01 = ttig.dpas %q0, %k1, %o00 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o02 = ttig.dpas %q0, %k2, %o01 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o03 = ttig.dpas %q0, %k3, %o02 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o10 = ttig.dpas %q1, %k0, %sum1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o11 = ttig.dpas %q1, %k1, %o10 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o12 = ttig.dpas %q1, %k2, %o11 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %o13 = ttig.dpas %q1, %k3, %o12 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %d, %o03, %o13 : vector<56xf32>, vector<8xf32>, vector<8xf32>
  }
  llvm.store %f#0, %p : vector<56xf32>, !llvm.ptr<1>
  llvm.store %f#1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %f#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}
}
