// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,FEW
// RUN: triton-xe-opt %s -tritonintelgpu-schedule | FileCheck %s --check-prefixes=CHECK,MANY
// RUN: sed 's/ttig.registers = 256/ttig.registers = 128/' %s | triton-xe-opt -tritonintelgpu-schedule -o /dev/null \
// RUN:   --remarks-filter-passed=tritonintelgpu-schedule --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// In all of each loop 9 or 10 KB are live: accumulators of 8 KB and more, and half a KB that was loaded before the loop.
// That is more than 70 % of the 8 KB that 128 registers have, but not of 16 KB.
// REMARK: remark: [Passed] reloaded | Category:tritonintelgpu-schedule | Reason="loaded again in each iteration of a loop: {{[0-9]+}} bytes of registers are live in all of it, of 5734 that may be"
// One remark for each access, even if it is loaded again in two loops.
// REMARK: reloaded
// REMARK: remark: [Passed] reloaded | Category:tritonintelgpu-schedule | Reason="loaded again in each iteration of a loop: {{[0-9]+}} bytes of registers are live at an operation, of 8192 that there are"
// REMARK: reloaded
// REMARK-NOT: reloaded

module attributes {"ttg.num-warps" = 64 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// The block is loaded again in the loop, each half before its use, and nothing is left before the loop.
// CHECK-LABEL: @again
// MANY:          ttig.block_load
// FEW-NOT:       ttig.block_load
// CHECK:         scf.for
// CHECK:           llvm.fadd
// FEW:             %[[LOW:.+]] = ttig.block_load %{{.+}}[%arg3, %arg4] {{.*}} rows = 8 : i32}
// FEW-NEXT:        ttig.dpas %[[LOW]]
// FEW:             %[[Y:.+]] = arith.addi %arg4, %c8_i32
// FEW:             %[[HIGH:.+]] = ttig.block_load %{{.+}}[%arg3, %[[Y]]] {{.*}} rows = 8 : i32}
// FEW-NEXT:        ttig.dpas %[[HIGH]]
// MANY-NOT:        ttig.block_load
// CHECK:         llvm.return
llvm.func @again(%p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %poison = llvm.mlir.poison : vector<16xi16>
  %s = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32} : vector<16xi16>
  %low = llvm.shufflevector %q, %poison [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xi16>
  %high = llvm.shufflevector %q, %poison [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi16>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %t : vector<64xf32>
    %d = ttig.dpas %low, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    %e = ttig.dpas %high, %b, %d : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %r1, %next, %e : vector<64xf32>, vector<64xf32>, vector<8xf32>
  }
  llvm.store %r#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// A launch executes one of two versions of a loop. Each version loads the block
// again, and no load is left before them.
// CHECK-LABEL: @versions
// MANY:          ttig.block_load
// FEW-NOT:       ttig.block_load
// CHECK:         scf.if
// CHECK:           scf.for
// FEW:               ttig.block_load
// FEW-NEXT:          ttig.dpas
// CHECK:         else
// CHECK:           scf.for
// FEW:               ttig.block_load
// FEW-NEXT:          ttig.dpas
// MANY-NOT:      ttig.block_load
// CHECK:         llvm.return
llvm.func @versions(%p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %fast: i1, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s0 = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s0[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %o:3 = scf.if %fast -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) {
    %r:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
      %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
      %next = llvm.fadd %r0, %t : vector<64xf32>
      %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
      scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
    }
    scf.yield %r#0, %r#1, %r#2 : vector<64xf32>, vector<64xf32>, vector<8xf32>
  } else {
    %s:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
      %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
      %next = llvm.fadd %r0, %t : vector<64xf32>
      %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
      scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
    }
    scf.yield %s#0, %s#1, %s#2 : vector<64xf32>, vector<64xf32>, vector<8xf32>
  }
  llvm.store %o#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %o#1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %o#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// The next iteration of a loop around both may execute the other version, so that
// the block stays in registers through either.
// CHECK-LABEL: @versions_in_loop
// CHECK:         ttig.block_load
// CHECK:         scf.for
// CHECK:         scf.if
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @versions_in_loop(%p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %fast: i1, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s0 = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s0[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %pj = llvm.inttoptr %n : i32 to !llvm.ptr<3>
  scf.for %j = %zero to %n step %one : i32 {
    %o:3 = scf.if %fast -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) {
      %r:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
        %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
        %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
        %next = llvm.fadd %r0, %t : vector<64xf32>
        %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
        scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
      }
      scf.yield %r#0, %r#1, %r#2 : vector<64xf32>, vector<64xf32>, vector<8xf32>
    } else {
      %s:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
        %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
        %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
        %next = llvm.fadd %r0, %t : vector<64xf32>
        %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
        scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
      }
      scf.yield %s#0, %s#1, %s#2 : vector<64xf32>, vector<64xf32>, vector<8xf32>
    }
  llvm.store %o#0, %pj : vector<64xf32>, !llvm.ptr<3>
    llvm.store %o#1, %pj : vector<64xf32>, !llvm.ptr<3>
    llvm.store %o#2, %pj : vector<8xf32>, !llvm.ptr<3>
  }
  llvm.return
}

// The loop may store to the block that was loaded.
// CHECK-LABEL: @stored_in_loop
// CHECK:         ttig.block_load
// CHECK:         scf.for
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @stored_in_loop(%p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %t : vector<64xf32>
    llvm.store %i, %p : i32, !llvm.ptr<1>
    %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
  }
  llvm.store %r#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// A store before the loop may change the block, too.
// CHECK-LABEL: @stored_before
// CHECK:         ttig.block_load
// CHECK:         llvm.store
// CHECK:         scf.for
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @stored_before(%p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  llvm.store %n, %p : i32, !llvm.ptr<1>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %t : vector<64xf32>
    %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
  }
  llvm.store %r#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// An outer loop may store to the block before the inner loop is executed again.
// CHECK-LABEL: @stored_around
// CHECK:         ttig.block_load
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @stored_around(%p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %o:3 = scf.for %j = %zero to %n step %one iter_args(%o0 = %a0, %o1 = %a1, %osum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
    %r:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %o0, %r1 = %o1, %sum = %osum) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
      %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
      %next = llvm.fadd %r0, %t : vector<64xf32>
      %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
      scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
    }
    llvm.store %j, %p : i32, !llvm.ptr<1>
    scf.yield %r#0, %r#1, %r#2 : vector<64xf32>, vector<64xf32>, vector<8xf32>
  }
  llvm.store %o#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %o#1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %o#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// A block that is used after the loop stays in registers, since a store before the use may change memory.
// CHECK-LABEL: @used_behind
// CHECK:         ttig.block_load
// CHECK:         scf.for
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @used_behind(%p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %t : vector<64xf32>
    %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
  }
  llvm.store %r#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %q, %p : vector<8xi16>, !llvm.ptr<1>
  llvm.return
}

// The next loop uses the block, too, and memory is the same: it is loaded before that loop, and in each iteration of the
// first one.
// CHECK-LABEL: @used_by_next_loop
// MANY:          ttig.block_load
// FEW-NOT:       ttig.block_load
// CHECK:         scf.for
// FEW:             ttig.block_load
// FEW-NEXT:        ttig.dpas
// FEW:           %[[NEXT:.+]] = ttig.block_load
// CHECK:         scf.for
// FEW:             ttig.dpas %[[NEXT]],
// MANY-NOT:      ttig.block_load
// CHECK:         llvm.return
llvm.func @used_by_next_loop(%p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %t : vector<64xf32>
    %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
  }
  %o = scf.for %i = %zero to %n step %one iter_args(%sum = %r#2) -> (vector<8xf32>) : i32 {
    %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %d : vector<8xf32>
  }
  llvm.store %r#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %o, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// The next loop carries the same number of bytes, and has no room for the block, either: each of its iterations loads it again. Each of
// the two loops needs half of the rows, and messages bring no others.
// CHECK-LABEL: @used_by_equal_loop
// MANY:          ttig.block_load {{.*}} rows = 16 : i32}
// FEW-NOT:       ttig.block_load
// CHECK:         scf.for
// FEW:             ttig.block_load %{{.+}}[%arg3, %arg4] {{.*}} rows = 8 : i32}
// FEW-NEXT:        ttig.dpas
// FEW-NOT:         ttig.block_load
// FEW:             scf.yield
// FEW-NOT:       ttig.block_load
// CHECK:         scf.for
// FEW:             ttig.block_load %{{.+}}[%arg3, %{{[0-9]+}}] {{.*}} rows = 8 : i32}
// FEW-NEXT:        ttig.dpas
// CHECK:           scf.yield
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @used_by_equal_loop(%p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %poison = llvm.mlir.poison : vector<16xi16>
  %s = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32} : vector<16xi16>
  %low = llvm.shufflevector %q, %poison [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xi16>
  %high = llvm.shufflevector %q, %poison [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi16>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %t : vector<64xf32>
    %d = ttig.dpas %low, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
  }
  %o:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %r#0, %r1 = %r#1, %sum = %r#2) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %t : vector<64xf32>
    %d = ttig.dpas %high, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
  }
  llvm.store %o#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %o#1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %o#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// The next loop is in a branch, which stores after it: memory is the same in both loops, so that both load the block again. The
// second one has registers for it, and gets it before the branch.
// CHECK-LABEL: @used_in_branch
// MANY:          ttig.block_load
// FEW-NOT:       ttig.block_load
// CHECK:         scf.for
// FEW:             ttig.block_load
// FEW-NEXT:        ttig.dpas
// FEW:           %[[NEXT:.+]] = ttig.block_load
// FEW:           scf.if
// CHECK:         scf.for
// FEW:             ttig.dpas %[[NEXT]],
// MANY-NOT:      ttig.block_load
// CHECK:         llvm.return
llvm.func @used_in_branch(%k: i1, %p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %t : vector<64xf32>
    %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
  }
  scf.if %k {
    %o = scf.for %i = %zero to %n step %one iter_args(%sum = %r#2) -> (vector<8xf32>) : i32 {
      %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
      scf.yield %d : vector<8xf32>
    }
    llvm.store %o, %p : vector<8xf32>, !llvm.ptr<1>
  }
  llvm.store %r#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.return
}

// The kernel may end between the load and the loop. It is not known what is
// executed in between, so that the load stays where it is.
// CHECK-LABEL: @early_end
// CHECK:         ttig.block_load
// CHECK:         llvm.cond_br
// CHECK:         scf.for
// CHECK-NOT:     ttig.block_load
// CHECK:         llvm.return
llvm.func @early_end(%p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %k: i1, %b: vector<8xi32>, %a0: vector<64xf32>, %a1: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  llvm.cond_br %k, ^bb1, ^bb2
^bb1:
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<64xf32>, vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %t : vector<64xf32>
    %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %r1, %next, %d : vector<64xf32>, vector<64xf32>, vector<8xf32>
  }
  llvm.store %r#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
^bb2:
  llvm.return
}


// In all of this loop 5 KB are live, which is no reason. But more than 8 KB are live at its sum, where the block is not used,
// and 64 sub-groups have no more than 128 registers.
// CHECK-LABEL: @full
// MANY:          ttig.block_load
// FEW-NOT:       ttig.block_load
// CHECK:         scf.for
// FEW:             ttig.block_load
// CHECK:         llvm.return
llvm.func @full(%p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<64xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %sum = %c) -> (vector<64xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<64xf32>
    %next = llvm.fadd %r0, %t : vector<64xf32>
    %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %next, %d : vector<64xf32>, vector<8xf32>
  }
  llvm.store %r#0, %p : vector<64xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// Less than 8 KB are live at the sum of this loop, which leaves 10 of the 16 registers that the device compiler needs.
// CHECK-LABEL: @nearly_full
// MANY:          ttig.block_load
// FEW-NOT:       ttig.block_load
// CHECK:         scf.for
// FEW:             ttig.block_load
// CHECK:         llvm.return
llvm.func @nearly_full(%p: !llvm.ptr<1>, %w: i32, %n: i32, %x: i32, %y: i32, %b: vector<8xi32>, %a0: vector<32xf32>, %a1: vector<32xf32>, %c: vector<8xf32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %q = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%r0 = %a0, %r1 = %a1, %sum = %c) -> (vector<32xf32>, vector<32xf32>, vector<8xf32>) : i32 {
    %pi = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %t = llvm.load %pi : !llvm.ptr<1> -> vector<32xf32>
    %next = llvm.fadd %r0, %t : vector<32xf32>
    %d = ttig.dpas %q, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %r1, %next, %d : vector<32xf32>, vector<32xf32>, vector<8xf32>
  }
  llvm.store %r#0, %p : vector<32xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<32xf32>, !llvm.ptr<1>
  llvm.store %r#2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}
}
