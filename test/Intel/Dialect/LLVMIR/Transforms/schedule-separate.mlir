// RUN: triton-xe-opt %s -tritonintelgpu-schedule | FileCheck %s

// A launch has shown that the tensors of %p and %q do not overlap. In each loop 12 KB are live, of 8 KB that 128
// registers have: half a KB of it was loaded before the loop, which stores blocks.

module attributes {"ttg.num-warps" = 64 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 128 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// The block is loaded again in each iteration, which the store does not change.
// CHECK-LABEL: @separate
// CHECK-NOT:     ttig.block_load
// CHECK:         scf.for
// CHECK:           %[[V:.+]] = ttig.block_load
// CHECK:           ttig.dpas %[[V]]
llvm.func @separate(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  llvm.intr.assume %yes ["separate_storage"(%p, %q : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %q, %w, %w, %w
  %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %d = ttig.dpas %v, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    ttig.block_store %t[%x, %i], %d {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %m = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %m : vector<64xf32>
    scf.yield %r1, %next : vector<64xf32>, vector<64xf32>
  }
  llvm.store %r#0, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// Surfaces begin at an offset to the arguments.
// CHECK-LABEL: @offsets
// CHECK-NOT:     ttig.block_load
// CHECK:         scf.for
// CHECK:           %[[V:.+]] = ttig.block_load
// CHECK:           ttig.dpas %[[V]]
llvm.func @offsets(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  llvm.intr.assume %yes ["separate_storage"(%p, %q : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %po = llvm.getelementptr %p[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %pj = llvm.getelementptr %po[%y] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
  %qi = llvm.getelementptr %q[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %s = ttig.make_surface %pj, %w, %w, %w
  %t = ttig.make_surface %qi, %w, %w, %w
  %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %d = ttig.dpas %v, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    ttig.block_store %t[%x, %i], %d {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %m = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %m : vector<64xf32>
    scf.yield %r1, %next : vector<64xf32>, vector<64xf32>
  }
  llvm.store %r#0, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// Nothing is known without the assumption.
// CHECK-LABEL: @unknown
// CHECK:         ttig.block_load
// CHECK:         scf.for
// CHECK-NOT:       ttig.block_load
// CHECK:           ttig.dpas
llvm.func @unknown(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %q, %w, %w, %w
  %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %d = ttig.dpas %v, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    ttig.block_store %t[%x, %i], %d {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %m = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %m : vector<64xf32>
    scf.yield %r1, %next : vector<64xf32>, vector<64xf32>
  }
  llvm.store %r#0, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// The store is to the same tensor.
// CHECK-LABEL: @same
// CHECK:         ttig.block_load
// CHECK:         scf.for
// CHECK-NOT:       ttig.block_load
// CHECK:           ttig.dpas
llvm.func @same(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  llvm.intr.assume %yes ["separate_storage"(%p, %q : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %po = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %po, %w, %w, %w
  %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %d = ttig.dpas %v, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    ttig.block_store %t[%x, %i], %d {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %m = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %m : vector<64xf32>
    scf.yield %r1, %next : vector<64xf32>, vector<64xf32>
  }
  llvm.store %r#0, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// The store may be to either tensor.
// CHECK-LABEL: @chosen
// CHECK:         ttig.block_load
// CHECK:         scf.for
// CHECK-NOT:       ttig.block_load
// CHECK:           ttig.dpas
llvm.func @chosen(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  llvm.intr.assume %yes ["separate_storage"(%p, %q : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %is = arith.cmpi eq, %x, %y : i32
  %o = arith.select %is, %p, %q : !llvm.ptr<1>
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %o, %w, %w, %w
  %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %d = ttig.dpas %v, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    ttig.block_store %t[%x, %i], %d {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %m = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %m : vector<64xf32>
    scf.yield %r1, %next : vector<64xf32>, vector<64xf32>
  }
  llvm.store %r#0, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// The address comes from memory.
// CHECK-LABEL: @loaded
// CHECK:         ttig.block_load
// CHECK:         scf.for
// CHECK-NOT:       ttig.block_load
// CHECK:           ttig.dpas
llvm.func @loaded(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  llvm.intr.assume %yes ["separate_storage"(%p, %q : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %o = llvm.load %q : !llvm.ptr<1> -> !llvm.ptr<1>
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %o, %w, %w, %w
  %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %d = ttig.dpas %v, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    ttig.block_store %t[%x, %i], %d {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %m = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %m : vector<64xf32>
    scf.yield %r1, %next : vector<64xf32>, vector<64xf32>
  }
  llvm.store %r#0, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// The address is that of a tensor as a number, as the addresses of lanes are.
// CHECK-LABEL: @converted
// CHECK:         scf.for
// CHECK:           ttig.block_load
// CHECK:           ttig.dpas
llvm.func @converted(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  llvm.intr.assume %yes ["separate_storage"(%p, %q : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %k = llvm.ptrtoint %q : !llvm.ptr<1> to i64
  %o = llvm.inttoptr %k : i64 to !llvm.ptr<1>
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %o, %w, %w, %w
  %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %d = ttig.dpas %v, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    ttig.block_store %t[%x, %i], %d {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %m = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %m : vector<64xf32>
    scf.yield %r1, %next : vector<64xf32>, vector<64xf32>
  }
  llvm.store %r#0, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// The address is another number that is computed from it.
// CHECK-LABEL: @computed
// CHECK:         ttig.block_load
// CHECK:         scf.for
// CHECK-NOT:       ttig.block_load
// CHECK:           ttig.dpas
llvm.func @computed(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  llvm.intr.assume %yes ["separate_storage"(%p, %q : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %k = llvm.ptrtoint %q : !llvm.ptr<1> to i64
  %bits = arith.constant 4096 : i64
  %changed = arith.xori %k, %bits : i64
  %o = llvm.inttoptr %changed : i64 to !llvm.ptr<1>
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %o, %w, %w, %w
  %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %d = ttig.dpas %v, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    ttig.block_store %t[%x, %i], %d {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %m = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %m : vector<64xf32>
    scf.yield %r1, %next : vector<64xf32>, vector<64xf32>
  }
  llvm.store %r#0, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// An ordinary store may be to any tensor.
// CHECK-LABEL: @ordinary
// CHECK:         ttig.block_load
// CHECK:         scf.for
// CHECK-NOT:       ttig.block_load
// CHECK:           ttig.dpas
llvm.func @ordinary(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  llvm.intr.assume %yes ["separate_storage"(%p, %q : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %q, %w, %w, %w
  %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %d = ttig.dpas %v, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    llvm.store %d, %q : vector<8xf32>, !llvm.ptr<1>
    ttig.block_store %t[%x, %i], %d {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %m = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %m : vector<64xf32>
    scf.yield %r1, %next : vector<64xf32>, vector<64xf32>
  }
  llvm.store %r#0, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// A private variable is no part of a tensor.
// CHECK-LABEL: @private
// CHECK-NOT:     ttig.block_load
// CHECK:         scf.for
// CHECK:           %[[V:.+]] = ttig.block_load
// CHECK:           ttig.dpas %[[V]]
llvm.func @private(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %variable = llvm.alloca %n x f32 : (i32) -> !llvm.ptr
  %one = arith.constant 1 : i32
  llvm.intr.assume %yes ["separate_storage"(%p, %q : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %q, %w, %w, %w
  %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %d = ttig.dpas %v, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    llvm.intr.lifetime.start %variable : !llvm.ptr
    %element = llvm.getelementptr %variable[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.store %d, %element : vector<8xf32>, !llvm.ptr
    llvm.intr.lifetime.end %variable : !llvm.ptr
    ttig.block_store %t[%x, %i], %d {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %m = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %m : vector<64xf32>
    scf.yield %r1, %next : vector<64xf32>, vector<64xf32>
  }
  llvm.store %r#0, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// The loop waits for other work-items.
// CHECK-LABEL: @ordered
// CHECK:         ttig.block_load
// CHECK:         scf.for
// CHECK-NOT:       ttig.block_load
// CHECK:           ttig.dpas
llvm.func @ordered(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  llvm.intr.assume %yes ["separate_storage"(%p, %q : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %q, %w, %w, %w
  %v = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1) -> (vector<64xf32>, vector<64xf32>) : i32 {
    %d = ttig.dpas %v, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    llvm.call @other() : () -> ()
    ttig.block_store %t[%x, %i], %d {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %m = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %m : vector<64xf32>
    scf.yield %r1, %next : vector<64xf32>, vector<64xf32>
  }
  llvm.store %r#0, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %q : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

llvm.func @other()

// A loop with enough registers loads its blocks first, although the program
// stores a block of the other tensor before.
// CHECK-LABEL: @early
// CHECK:         scf.for
// CHECK:           ttig.block_load
// CHECK:           ttig.block_store
llvm.func @early(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %b: vector<8xi32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  llvm.intr.assume %yes ["separate_storage"(%q, %p : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %q, %w, %w, %w
  %r = scf.for %i = %zero to %n step %one iter_args(%sum = %c) -> (vector<8xf32>) : i32 {
    ttig.block_store %t[%x, %i], %sum {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %v = ttig.block_load %s[%x, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
    %d = ttig.dpas %v, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %d : vector<8xf32>
  }
  llvm.store %r, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// Both surfaces begin where the last iteration left off.
// CHECK-LABEL: @carried
// CHECK:         scf.for
// CHECK:           ttig.block_load
// CHECK:           ttig.block_store
// A block of the same tensor waits for the store.
// CHECK:         scf.for
// CHECK:           ttig.block_store
// CHECK:           ttig.block_load
llvm.func @carried(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %b: vector<8xi32>, %c: vector<8xf32>) {
  %yes = arith.constant true
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  llvm.intr.assume %yes ["separate_storage"(%p, %q : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%sum = %c, %pi = %p, %qi = %q) -> (vector<8xf32>, !llvm.ptr<1>, !llvm.ptr<1>) : i32 {
    %t = ttig.make_surface %qi, %w, %w, %w
    ttig.block_store %t[%x, %i], %sum {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %s = ttig.make_surface %pi, %w, %w, %w
    %v = ttig.block_load %s[%x, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
    %d = ttig.dpas %v, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %pn = llvm.getelementptr %pi[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %qn = llvm.getelementptr %qi[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    scf.yield %d, %pn, %qn : vector<8xf32>, !llvm.ptr<1>, !llvm.ptr<1>
  }
  %o:3 = scf.for %i = %zero to %n step %one iter_args(%sum = %r#0, %pi = %r#1, %qi = %q) -> (vector<8xf32>, !llvm.ptr<1>, !llvm.ptr<1>) : i32 {
    %t = ttig.make_surface %qi, %w, %w, %w
    ttig.block_store %t[%x, %i], %sum {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xf32>
    %s = ttig.make_surface %pi, %w, %w, %w
    %v = ttig.block_load %s[%x, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
    %d = ttig.dpas %v, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %d, %qi, %pi : vector<8xf32>, !llvm.ptr<1>, !llvm.ptr<1>
  }
  llvm.store %o#0, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

}
