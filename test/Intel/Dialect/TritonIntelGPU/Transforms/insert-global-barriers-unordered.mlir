// RUN: triton-xe-opt %s -split-input-file --allow-unregistered-dialect -tritonintelgpu-insert-global-barriers=assume-launch -o /dev/null \
// RUN:   --remarks-filter-missed=tritonintelgpu-insert-global-barriers --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not=remark:

#columns = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// The next iteration loads what other sub-groups have stored. The barrier before the store precedes that load, and that of a
// reduction orders shared memory alone.
// CHECK: loop.py:3:5: remark: {{.*}} unordered {{.*}}Reason="another sub-group may have stored what is loaded here, by the store in loop.py:4, and no barrier orders the two: unless they access different elements, `tl.debug_barrier()` is missing"
tt.func public @loop(%a: tensor<64x!tt.ptr<f32>, #columns>, %p: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %one = arith.constant dense<1> : tensor<64xi32, #columns>
  %j = arith.addi %i, %one : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %from = tt.addptr %s, %j : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %to = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tt.load %from : tensor<64x!tt.ptr<f32>, #columns> loc("loop.py":3:5)
    tt.store %to, %x : tensor<64x!tt.ptr<f32>, #columns> loc("loop.py":4:5)
    ttg.barrier local
  }
  tt.return
}
}

// -----

#columns = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// A barrier of the author's, an atomic operation that acquires or releases, and one of the compiler's before another store order
// the two. Each sub-group has what it stored itself, and two arguments seldom overlap.
tt.func public @ordered(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %lock: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %true = arith.constant true
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %one = arith.constant dense<1> : tensor<64xi32, #columns>
  %j = arith.addi %i, %one : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %from = tt.addptr %s, %j : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %to = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %t = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %other = tt.addptr %t, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tt.load %from : tensor<64x!tt.ptr<f32>, #columns> loc("ordered.py":1:1)
    tt.store %to, %x : tensor<64x!tt.ptr<f32>, #columns> loc("ordered.py":2:1)
    ttg.barrier all
  }
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tt.load %from : tensor<64x!tt.ptr<f32>, #columns> loc("ordered.py":3:1)
    tt.store %to, %x : tensor<64x!tt.ptr<f32>, #columns> loc("ordered.py":4:1)
    %old = tt.atomic_rmw add, release, gpu, %lock, %c1, %true : (!tt.ptr<i32>, i32, i1) -> i32
  }
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tt.load %to : tensor<64x!tt.ptr<f32>, #columns> loc("ordered.py":5:1)
    %y = tt.load %other : tensor<64x!tt.ptr<f32>, #columns> loc("ordered.py":6:1)
    tt.store %to, %x : tensor<64x!tt.ptr<f32>, #columns> loc("ordered.py":7:1)
  }
  tt.return
}

// A scalar that only the sub-group loads that stores it.
tt.func public @scalar(%p: !tt.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %k = %c0 to %n step %c1 : i32 {
    %x = tt.load %p : !tt.ptr<f32>
    %y = arith.addf %x, %x : f32
    tt.store %p, %y : !tt.ptr<f32>
  }
  tt.return
}

// The barrier that the pass inserts before the second store completes the first one.
tt.func public @between(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %one = arith.constant dense<1> : tensor<64xi32, #columns>
  %j = arith.addi %i, %one : tensor<64xi32, #columns>
  %zero = arith.constant dense<0.0> : tensor<64xf32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %from = tt.addptr %s, %j : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %to = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %t = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %next = tt.addptr %t, %j : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %other = tt.addptr %t, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  tt.store %other, %zero : tensor<64x!tt.ptr<f32>, #columns>
  %x = tt.load %from : tensor<64x!tt.ptr<f32>, #columns>
  tt.store %to, %x : tensor<64x!tt.ptr<f32>, #columns>
  %y = tt.load %next : tensor<64x!tt.ptr<f32>, #columns>
  "test.use"(%y) : (tensor<64xf32, #columns>) -> ()
  tt.return
}
}

// -----

#columns = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// A branch may leave out the barrier, and a loop may have no iterations. A store of the outer loop reaches the inner one.
// CHECK: paths.py:2:1: remark: {{.*}} unordered {{.*}}paths.py:1,
// CHECK: paths.py:4:1: remark: {{.*}} unordered {{.*}}paths.py:3,
// CHECK: paths.py:5:1: remark: {{.*}} unordered {{.*}}paths.py:6,
tt.func public @paths(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %r: !tt.ptr<f32>, %n: i32, %c: i1) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  tt.store %p, %zero : !tt.ptr<f32> loc("paths.py":1:1)
  scf.if %c {
    ttg.barrier all
  }
  %x = tt.load %p : !tt.ptr<f32> loc("paths.py":2:1)
  "test.use"(%x) : (f32) -> ()
  ttg.barrier all
  tt.store %q, %zero : !tt.ptr<f32> loc("paths.py":3:1)
  scf.for %k = %c0 to %n step %c1 : i32 {
    ttg.barrier all
  }
  %y = tt.load %q : !tt.ptr<f32> loc("paths.py":4:1)
  "test.use"(%y) : (f32) -> ()
  ttg.barrier all
  scf.for %k = %c0 to %n step %c1 : i32 {
    scf.for %l = %c0 to %n step %c1 : i32 {
      %z = tt.load %r : !tt.ptr<f32> loc("paths.py":5:1)
      "test.use"(%z) : (f32) -> ()
      ttg.barrier all
    }
    tt.store %r, %zero : !tt.ptr<f32> loc("paths.py":6:1)
  }
  tt.return
}

// Both branches have one, and so has the way back to the head of a loop of blocks.
tt.func public @all_paths(%p: !tt.ptr<f32>, %c: i1) {
  %zero = arith.constant 0.0 : f32
  tt.store %p, %zero : !tt.ptr<f32>
  scf.if %c {
    ttg.barrier all
  } else {
    ttg.barrier all
  }
  %x = tt.load %p : !tt.ptr<f32>
  "test.use"(%x) : (f32) -> ()
  cf.br ^head
^head:
  %y = tt.load %p : !tt.ptr<f32>
  "test.use"(%y) : (f32) -> ()
  tt.store %p, %zero : !tt.ptr<f32>
  ttg.barrier all
  cf.cond_br %c, ^head, ^end
^end:
  tt.return
}

// Here the way back has none.
// CHECK: blocks.py:1:1: remark: {{.*}} unordered {{.*}}blocks.py:2,
tt.func public @blocks(%p: !tt.ptr<f32>, %c: i1) {
  %zero = arith.constant 0.0 : f32
  cf.br ^head
^head:
  %y = tt.load %p : !tt.ptr<f32> loc("blocks.py":1:1)
  "test.use"(%y) : (f32) -> ()
  tt.store %p, %zero : !tt.ptr<f32> loc("blocks.py":2:1)
  cf.cond_br %c, ^head, ^end
^end:
  tt.return
}
}
