// RUN: triton-xe-opt %s -tritonintelgpu-divide-loops | FileCheck %s
// RUN: sed 's/num-warps" = 64/num-warps" = 8/' %s | triton-xe-opt -tritonintelgpu-divide-loops | FileCheck %s --check-prefix=MORE
// RUN: triton-xe-opt %s -tritonintelgpu-divide-loops -o /dev/null \
// RUN:   --remarks-filter-passed=tritonintelgpu-divide-loops --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Passed] divided | Category:tritonintelgpu-divide-loops | Reason="executed for half of the rows, then for the others: registers have no room for all sums"

// In 8 sub-groups a kernel can be built with more registers instead.
// MORE-LABEL: @rows
// MORE-COUNT-1: scf.for
// MORE-NOT: scf.for
// MORE-LABEL: @room

module attributes {"ttg.num-warps" = 64 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 128 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Sums of 4 KB for each of two rows have no room in 112 registers: one loop has those of each. Both load the shared block.
// CHECK-LABEL: @rows
// CHECK-SAME:    %[[Q0:[a-z0-9]+]]: vector<8xi16>, %[[Q1:[a-z0-9]+]]: vector<8xi16>
// CHECK:         %[[R0:.+]] = scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}) -> (vector<64xf32>)
// CHECK:           ttig.block_load
// CHECK:           ttig.dpas %[[Q0]]
// CHECK-NOT:       ttig.dpas
// CHECK:           scf.yield
// CHECK:         %[[R1:.+]] = scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9]+}}) -> (vector<64xf32>)
// CHECK:           ttig.block_load
// CHECK:           ttig.dpas %[[Q1]]
// CHECK-NOT:       ttig.dpas
// CHECK:           scf.yield
// CHECK:         llvm.store %[[R0]]
// CHECK:         llvm.store %[[R1]]
llvm.func @rows(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %k = ttig.block_load %s[%zero, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  llvm.store %f#0, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.store %f#1, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// A row of 4 KB alone has room.
// CHECK-LABEL: @room
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         llvm.return
llvm.func @room(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %f = scf.for %i = %zero to %n step %one iter_args(%x0 = %a) -> (vector<64xf32>) : i32 {
    %k = ttig.block_load %s[%zero, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %n0 : vector<64xf32>
  }
  llvm.store %f, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// The sum of one row needs the product of the other.
// CHECK-LABEL: @joined
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         llvm.return
llvm.func @joined(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %k = ttig.block_load %s[%zero, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e0 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  llvm.store %f#0, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.store %f#1, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// The next iteration of one row needs the sum of the other: the rows change places.
// CHECK-LABEL: @exchanged
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         llvm.return
llvm.func @exchanged(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %k = ttig.block_load %s[%zero, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n1, %n0 : vector<64xf32>, vector<64xf32>
  }
  llvm.store %f#0, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.store %f#1, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// A second loop would load what the first one has stored.
// CHECK-LABEL: @stored
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         llvm.return
llvm.func @stored(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %k = ttig.block_load %s[%zero, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    llvm.store %i, %r : i32, !llvm.ptr<1>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  llvm.store %f#0, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.store %f#1, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// Both loops write a block to shared memory that all rows read, with a barrier before and after it.
// CHECK-LABEL: @shared
// CHECK-COUNT-2: scf.for
// CHECK-NOT:     scf.for
// CHECK:         llvm.return
llvm.func @shared(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>, %m: !llvm.ptr<3>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    llvm.call spir_funccc @_Z7barrierj(%one) {convergent} : (i32) -> ()
    %g = ttig.block_load %s[%zero, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    llvm.store %g, %m : vector<8xi32>, !llvm.ptr<3>
    llvm.call spir_funccc @_Z7barrierj(%one) {convergent} : (i32) -> ()
    %k = llvm.load %m : !llvm.ptr<3> -> vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  llvm.store %f#0, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.store %f#1, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// A row writes its product to shared memory, which the other row could read.
// CHECK-LABEL: @shared_product
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         llvm.return
llvm.func @shared_product(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>, %m: !llvm.ptr<3>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %k = ttig.block_load %s[%zero, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    llvm.store %d0, %m : vector<8xf32>, !llvm.ptr<3>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  llvm.store %f#0, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.store %f#1, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// Both rows need squares of 64 registers each, which are most of the loop's work.
// CHECK-LABEL: @repeated
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         llvm.return
llvm.func @repeated(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %g0 = llvm.load %p : !llvm.ptr<1> -> vector<64xf32>
    %g1 = llvm.fmul %g0, %g0 : vector<64xf32>
    %g2 = llvm.fmul %g1, %g1 : vector<64xf32>
    %g3 = llvm.fmul %g2, %g2 : vector<64xf32>
    %g4 = llvm.fmul %g3, %g3 : vector<64xf32>
    %g5 = llvm.fmul %g4, %g4 : vector<64xf32>
    %b = llvm.shufflevector %g5, %g5 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
    %k = llvm.bitcast %b : vector<8xf32> to vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  llvm.store %f#0, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.store %f#1, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// Both loops of the first row come before those of the second one, with the prefetch between them.
// CHECK-LABEL: @chain
// CHECK-SAME:    %[[Q0:[a-z0-9]+]]: vector<8xi16>, %[[Q1:[a-z0-9]+]]: vector<8xi16>
// CHECK:         %[[A0:.+]] = scf.for
// CHECK:           ttig.dpas %[[Q0]]
// CHECK:         ttig.block_prefetch
// CHECK:         %[[B0:.+]] = scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %[[A0]])
// CHECK:           ttig.dpas %[[Q0]]
// CHECK:         %[[A1:.+]] = scf.for
// CHECK:           ttig.dpas %[[Q1]]
// CHECK:         %[[B1:.+]] = scf.for {{.*}} iter_args(%{{[a-z0-9]+}} = %[[A1]])
// CHECK:           ttig.dpas %[[Q1]]
// CHECK:         llvm.store %[[B0]]
// CHECK:         llvm.store %[[B1]]
llvm.func @chain(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %b:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %k = ttig.block_load %s[%zero, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  ttig.block_prefetch %s[%one, %one] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32}
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %b#0, %x1 = %b#1) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %k = ttig.block_load %s[%zero, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  llvm.store %f#0, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.store %f#1, %r : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// The rows' results are stored to another tensor than the one that the loops load: the first ones before the second loop.
// CHECK-LABEL: @blocks
// CHECK:         scf.for
// CHECK:         ttig.block_store
// CHECK:         scf.for
// CHECK:         ttig.block_store
// CHECK:         llvm.return
llvm.func @blocks(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %true = llvm.mlir.constant(true) : i1
  llvm.intr.assume %true ["separate_storage"(%p, %r : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %k = ttig.block_load %s[%zero, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  %t = ttig.make_surface %r, %w, %w, %w
  %h0 = llvm.shufflevector %f#0, %f#0 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %w], %h0 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %c8 = arith.constant 8 : i32
  %y1 = arith.addi %w, %c8 : i32
  %h1 = llvm.shufflevector %f#1, %f#1 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %y1], %h1 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

// The tensors may overlap: all stores come after all loads.
// CHECK-LABEL: @overlapping
// CHECK-COUNT-2: scf.for
// CHECK-COUNT-2: ttig.block_store
// CHECK:         llvm.return
llvm.func @overlapping(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %k = ttig.block_load %s[%zero, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  %t = ttig.make_surface %r, %w, %w, %w
  %h0 = llvm.shufflevector %f#0, %f#0 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %w], %h0 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %c8 = arith.constant 8 : i32
  %y1 = arith.addi %w, %c8 : i32
  %h1 = llvm.shufflevector %f#1, %f#1 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %y1], %h1 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

// Lanes load operands from addresses that they compute as numbers, or from a constant where a mask excludes them: the
// stores need not wait for them.
// CHECK-LABEL: @lanes
// CHECK:         scf.for
// CHECK:         ttig.block_store
// CHECK:         scf.for
// CHECK:         ttig.block_store
// CHECK:         llvm.return
llvm.func @lanes(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>, %offsets: vector<2xi64>, %inside: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %poison = llvm.mlir.poison : vector<2xi64>
  %other = llvm.mlir.addressof @zeros : !llvm.ptr<1>
  %excluded = llvm.ptrtoint %other : !llvm.ptr<1> to i64
  %base = llvm.ptrtoint %p : !llvm.ptr<1> to i64
  %result = llvm.ptrtoint %r : !llvm.ptr<1> to i64
  %true = llvm.mlir.constant(true) : i1
  llvm.intr.assume %true ["separate_storage"(%p, %r : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %first = llvm.insertelement %base, %poison[%zero : i32] : vector<2xi64>
    %bases = llvm.shufflevector %first, %poison [0, 0] : vector<2xi64>
    %places = arith.addi %offsets, %bases : vector<2xi64>
    %number = llvm.extractelement %places[%one : i32] : vector<2xi64>
    %selected = arith.select %inside, %number, %excluded : i64
    %address = llvm.inttoptr %selected : i64 to !llvm.ptr<1>
    %k = llvm.load %address : !llvm.ptr<1> -> vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  %t = ttig.make_surface %r, %w, %w, %w
  %h0 = llvm.shufflevector %f#0, %f#0 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %w], %h0 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %c8 = arith.constant 8 : i32
  %y1 = arith.addi %w, %c8 : i32
  %h1 = llvm.shufflevector %f#1, %f#1 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %y1], %h1 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

// An offset from memory leads to no other tensor.
// CHECK-LABEL: @offsets
// CHECK:         scf.for
// CHECK:         ttig.block_store
// CHECK:         scf.for
// CHECK:         ttig.block_store
// CHECK:         llvm.return
llvm.func @offsets(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>, %offsets: vector<2xi64>, %inside: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %poison = llvm.mlir.poison : vector<2xi64>
  %other = llvm.mlir.addressof @zeros : !llvm.ptr<1>
  %excluded = llvm.ptrtoint %other : !llvm.ptr<1> to i64
  %base = llvm.ptrtoint %p : !llvm.ptr<1> to i64
  %result = llvm.ptrtoint %r : !llvm.ptr<1> to i64
  %true = llvm.mlir.constant(true) : i1
  llvm.intr.assume %true ["separate_storage"(%p, %r : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %offset = llvm.load %p : !llvm.ptr<1> -> i64
    %number = arith.addi %base, %offset : i64
    %selected = arith.select %inside, %number, %excluded : i64
    %address = llvm.inttoptr %selected : i64 to !llvm.ptr<1>
    %k = llvm.load %address : !llvm.ptr<1> -> vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  %t = ttig.make_surface %r, %w, %w, %w
  %h0 = llvm.shufflevector %f#0, %f#0 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %w], %h0 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %c8 = arith.constant 8 : i32
  %y1 = arith.addi %w, %c8 : i32
  %h1 = llvm.shufflevector %f#1, %f#1 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %y1], %h1 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

// A number that depends on both tensors may lead to either of them.
// CHECK-LABEL: @difference
// CHECK-COUNT-2: scf.for
// CHECK-COUNT-2: ttig.block_store
// CHECK:         llvm.return
llvm.func @difference(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>, %offsets: vector<2xi64>, %inside: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %poison = llvm.mlir.poison : vector<2xi64>
  %other = llvm.mlir.addressof @zeros : !llvm.ptr<1>
  %excluded = llvm.ptrtoint %other : !llvm.ptr<1> to i64
  %base = llvm.ptrtoint %p : !llvm.ptr<1> to i64
  %result = llvm.ptrtoint %r : !llvm.ptr<1> to i64
  %true = llvm.mlir.constant(true) : i1
  llvm.intr.assume %true ["separate_storage"(%p, %r : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %distance = arith.subi %result, %base : i64
    %number = arith.addi %base, %distance : i64
    %selected = arith.select %inside, %number, %excluded : i64
    %address = llvm.inttoptr %selected : i64 to !llvm.ptr<1>
    %k = llvm.load %address : !llvm.ptr<1> -> vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  %t = ttig.make_surface %r, %w, %w, %w
  %h0 = llvm.shufflevector %f#0, %f#0 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %w], %h0 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %c8 = arith.constant 8 : i32
  %y1 = arith.addi %w, %c8 : i32
  %h1 = llvm.shufflevector %f#1, %f#1 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %y1], %h1 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

// So does the sum of two addresses.
// CHECK-LABEL: @sum
// CHECK-COUNT-2: scf.for
// CHECK-COUNT-2: ttig.block_store
// CHECK:         llvm.return
llvm.func @sum(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>, %offsets: vector<2xi64>, %inside: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %poison = llvm.mlir.poison : vector<2xi64>
  %other = llvm.mlir.addressof @zeros : !llvm.ptr<1>
  %excluded = llvm.ptrtoint %other : !llvm.ptr<1> to i64
  %base = llvm.ptrtoint %p : !llvm.ptr<1> to i64
  %result = llvm.ptrtoint %r : !llvm.ptr<1> to i64
  %true = llvm.mlir.constant(true) : i1
  llvm.intr.assume %true ["separate_storage"(%p, %r : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %first = arith.addi %base, %result : i64
    %offset = llvm.extractelement %offsets[%zero : i32] : vector<2xi64>
    %number = arith.addi %first, %offset : i64
    %selected = arith.select %inside, %number, %excluded : i64
    %address = llvm.inttoptr %selected : i64 to !llvm.ptr<1>
    %k = llvm.load %address : !llvm.ptr<1> -> vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  %t = ttig.make_surface %r, %w, %w, %w
  %h0 = llvm.shufflevector %f#0, %f#0 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %w], %h0 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %c8 = arith.constant 8 : i32
  %y1 = arith.addi %w, %c8 : i32
  %h1 = llvm.shufflevector %f#1, %f#1 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %y1], %h1 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

// An address from memory may lead anywhere.
// CHECK-LABEL: @table
// CHECK-COUNT-2: scf.for
// CHECK-COUNT-2: ttig.block_store
// CHECK:         llvm.return
llvm.func @table(%q0: vector<8xi16>, %q1: vector<8xi16>, %p: !llvm.ptr<1>, %r: !llvm.ptr<1>, %w: i32, %n: i32, %a: vector<64xf32>, %offsets: vector<2xi64>, %inside: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : vector<8xf32>
  %poison = llvm.mlir.poison : vector<2xi64>
  %other = llvm.mlir.addressof @zeros : !llvm.ptr<1>
  %excluded = llvm.ptrtoint %other : !llvm.ptr<1> to i64
  %base = llvm.ptrtoint %p : !llvm.ptr<1> to i64
  %result = llvm.ptrtoint %r : !llvm.ptr<1> to i64
  %true = llvm.mlir.constant(true) : i1
  llvm.intr.assume %true ["separate_storage"(%p, %r : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %f:2 = scf.for %i = %zero to %n step %one iter_args(%x0 = %a, %x1 = %a) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %number = llvm.load %p : !llvm.ptr<1> -> i64
    %selected = arith.select %inside, %number, %excluded : i64
    %address = llvm.inttoptr %selected : i64 to !llvm.ptr<1>
    %k = llvm.load %address : !llvm.ptr<1> -> vector<8xi32>
    %d0 = ttig.dpas %q0, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e0 = llvm.shufflevector %d0, %d0 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n0 = arith.addf %x0, %e0 : vector<64xf32>
    %d1 = ttig.dpas %q1, %k, %none : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e1 = llvm.shufflevector %d1, %d1 [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7] : vector<8xf32>
    %n1 = arith.addf %x1, %e1 : vector<64xf32>
    scf.yield %n0, %n1 : vector<64xf32>, vector<64xf32>
  }
  %t = ttig.make_surface %r, %w, %w, %w
  %h0 = llvm.shufflevector %f#0, %f#0 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %w], %h0 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  %c8 = arith.constant 8 : i32
  %y1 = arith.addi %w, %c8 : i32
  %h1 = llvm.shufflevector %f#1, %f#1 [0, 1, 2, 3, 4, 5, 6, 7] : vector<64xf32>
  ttig.block_store %t[%zero, %y1], %h1 {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
  llvm.return
}

llvm.mlir.global internal constant @zeros(0 : i256) {addr_space = 1 : i32} : i256
llvm.func spir_funccc @_Z7barrierj(i32) attributes {convergent}
}
