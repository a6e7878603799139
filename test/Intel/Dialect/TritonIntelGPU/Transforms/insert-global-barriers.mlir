// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-insert-global-barriers | FileCheck %s --check-prefixes=CHECK,ALWAYS
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-insert-global-barriers=assume-launch | FileCheck %s --check-prefixes=CHECK,ASSUME
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-insert-global-barriers -o /dev/null \
// RUN:   --remarks-filter-analyse=tritonintelgpu-insert-global-barriers --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-insert-global-barriers=assume-launch -o /dev/null \
// RUN:   --remarks-filter-passed=tritonintelgpu-insert-global-barriers --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=ASSUMED

// Sub-groups have columns of a row, or all of them have the first ones.
#columns = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#pairs = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#copies = #ttg.slice<{dim = 0, parent = #wide}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// ASSUME-NOT: ttig.launch_condition

// Every sub-group loads what it stores: nothing waits.
// CHECK-LABEL: tt.func public @own
// CHECK-NOT: ttg.barrier
// CHECK: tt.return
tt.func public @own(%p: !tt.ptr<f32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %b = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %x = tt.load %a : tensor<64x!tt.ptr<f32>, #columns>
  tt.store %b, %x : tensor<64x!tt.ptr<f32>, #columns>
  tt.return
}

// All sub-groups load all, one of them stores each element.
// CHECK-LABEL: tt.func public @copies
// CHECK: tt.load
// CHECK: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.store
// REMARK: remark: [Analysis] ordered | Category:tritonintelgpu-insert-global-barriers | {{.*}}Reason="sub-groups wait for each other: what one of them stores here, another one may have yet to load"
tt.func public @copies(%p: !tt.ptr<f32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #copies>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #copies>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #copies>, tensor<64xi32, #copies>
  %x = tt.load %a {isVolatile = true} : tensor<64x!tt.ptr<f32>, #copies>
  tt.store %a, %x : tensor<64x!tt.ptr<f32>, #copies>
  tt.return
}

// Other elements: the next one, and other sub-groups' in another layout.
// CHECK-LABEL: tt.func public @shifted
// CHECK: tt.load
// CHECK-NEXT: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.store
tt.func public @shifted(%p: !tt.ptr<f32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %one = arith.constant dense<1> : tensor<64xi32, #columns>
  %j = arith.addi %i, %one : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %j : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %b = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %x = tt.load %a : tensor<64x!tt.ptr<f32>, #columns>
  tt.store %b, %x : tensor<64x!tt.ptr<f32>, #columns>
  tt.return
}

// CHECK-LABEL: tt.func public @other_layout
// CHECK: ttg.convert_layout
// CHECK-NEXT: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.store
tt.func public @other_layout(%p: !tt.ptr<f32>) {
  %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #columns>
  %j = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #pairs>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #columns>
  %t = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #pairs>
  %a = tt.addptr %s, %i : tensor<128x!tt.ptr<f32>, #columns>, tensor<128xi32, #columns>
  %b = tt.addptr %t, %j : tensor<128x!tt.ptr<f32>, #pairs>, tensor<128xi32, #pairs>
  %x = tt.load %a : tensor<128x!tt.ptr<f32>, #columns>
  %y = ttg.convert_layout %x : tensor<128xf32, #columns> -> tensor<128xf32, #pairs>
  tt.store %b, %y : tensor<128x!tt.ptr<f32>, #pairs>
  tt.return
}

// Places that are loaded may be the same for two sub-groups.
// CHECK-LABEL: tt.func public @places
// CHECK-COUNT-2: tt.load
// CHECK-NEXT: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.store
tt.func public @places(%p: !tt.ptr<f32>, %q: tensor<64x!tt.ptr<i32>, #columns>) {
  %i = tt.load %q : tensor<64x!tt.ptr<i32>, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %x = tt.load %a : tensor<64x!tt.ptr<f32>, #columns>
  tt.store %a, %x : tensor<64x!tt.ptr<f32>, #columns>
  tt.return
}

// A scalar is loaded by all. One barrier is enough for both stores; that of the source, too.
// CHECK-LABEL: tt.func public @scalar
// CHECK: tt.load
// CHECK: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.store
// CHECK-NOT: ttg.barrier
// CHECK: tt.return
tt.func public @scalar(%p: !tt.ptr<i32>) {
  %one = arith.constant 1 : i32
  %x = tt.load %p {isVolatile = true} : !tt.ptr<i32>
  %y = arith.addi %x, %one : i32
  tt.store %p, %y : !tt.ptr<i32>
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}
// CHECK-LABEL: tt.func public @waits_already
// CHECK-COUNT-1: ttg.barrier
// CHECK-NOT: ttg.barrier
// CHECK: tt.return
tt.func public @waits_already(%p: !tt.ptr<i32>) {
  %x = tt.load %p : !tt.ptr<i32>
  ttg.barrier all
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}

// A barrier of shared memory alone is none of global memory.
// CHECK-LABEL: tt.func public @waits_for_other
// CHECK: ttg.barrier local
// CHECK: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.store
tt.func public @waits_for_other(%p: !tt.ptr<i32>) {
  %x = tt.load %p {isVolatile = true} : !tt.ptr<i32>
  ttg.barrier local
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}

// Strides may be so large that nothing is known of places.
// CHECK-LABEL: tt.func public @huge_stride
// CHECK: tt.load
// CHECK: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.store
tt.func public @huge_stride(%p: !tt.ptr<f32>, %stride: i64, %start: i64) {
  %huge = arith.constant dense<9223372036854775807> : tensor<1x16xi64, #wide>
  %r = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #wide}>>
  %re = tt.expand_dims %r {axis = 1 : i32} : tensor<4xi32, #ttg.slice<{dim = 1, parent = #wide}>> -> tensor<4x1xi32, #wide>
  %rl = arith.extsi %re : tensor<4x1xi32, #wide> to tensor<4x1xi64, #wide>
  %rs = tt.splat %stride : i64 -> tensor<4x1xi64, #wide>
  %rows = arith.muli %rl, %rs : tensor<4x1xi64, #wide>
  %c = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #wide}>>
  %ce = tt.expand_dims %c {axis = 0 : i32} : tensor<16xi32, #ttg.slice<{dim = 0, parent = #wide}>> -> tensor<1x16xi32, #wide>
  %cl = arith.extsi %ce : tensor<1x16xi32, #wide> to tensor<1x16xi64, #wide>
  %columns = arith.muli %cl, %huge : tensor<1x16xi64, #wide>
  %rb = tt.broadcast %rows : tensor<4x1xi64, #wide> -> tensor<4x16xi64, #wide>
  %cb = tt.broadcast %columns : tensor<1x16xi64, #wide> -> tensor<4x16xi64, #wide>
  %offsets = arith.addi %rb, %cb : tensor<4x16xi64, #wide>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<4x16x!tt.ptr<f32>, #wide>
  %a = tt.addptr %ps, %offsets : tensor<4x16x!tt.ptr<f32>, #wide>, tensor<4x16xi64, #wide>
  %x = tt.load %a : tensor<4x16x!tt.ptr<f32>, #wide>
  %q = tt.addptr %p, %start : !tt.ptr<f32>, i64
  %qs = tt.splat %q : !tt.ptr<f32> -> tensor<4x16x!tt.ptr<f32>, #wide>
  %b = tt.addptr %qs, %offsets : tensor<4x16x!tt.ptr<f32>, #wide>, tensor<4x16xi64, #wide>
  tt.store %b, %x : tensor<4x16x!tt.ptr<f32>, #wide>
  tt.return
}

// The load of the next iteration comes after the store, and before the store of
// that iteration.
// CHECK-LABEL: tt.func public @loops
// CHECK: scf.for
// CHECK-NEXT: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.store
// CHECK-NEXT: tt.load
tt.func public @loops(%p: !tt.ptr<i32>, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %zero) -> i32 : i32 {
    tt.store %p, %x : !tt.ptr<i32>
    %y = tt.load %p : !tt.ptr<i32>
    scf.yield %y : i32
  }
  tt.return %r : i32
}

// Two passes over a row, of which the second one writes it: the elements of an
// iteration are those of the same iteration before, and each sub-group's own.
// CHECK-LABEL: tt.func public @two_passes
// CHECK-NOT: ttg.barrier
// CHECK: tt.return
tt.func public @two_passes(%p: !tt.ptr<f32>, %n: i32) -> tensor<64xf32, #columns> {
  %zero = arith.constant 0 : i32
  %step = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<64xf32, #columns>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %r = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> tensor<64xf32, #columns> : i32 {
    %ks = tt.splat %k : i32 -> tensor<64xi32, #columns>
    %j = arith.addi %ks, %i : tensor<64xi32, #columns>
    %a = tt.addptr %s, %j : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
    %x = tt.load %a : tensor<64x!tt.ptr<f32>, #columns>
    %y = arith.addf %sum, %x : tensor<64xf32, #columns>
    scf.yield %y : tensor<64xf32, #columns>
  }
  scf.for %k = %zero to %n step %step : i32 {
    %ks = tt.splat %k : i32 -> tensor<64xi32, #columns>
    %j = arith.addi %ks, %i : tensor<64xi32, #columns>
    %a = tt.addptr %s, %j : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
    %x = tt.load %a : tensor<64x!tt.ptr<f32>, #columns>
    %y = arith.mulf %r, %x : tensor<64xf32, #columns>
    tt.store %a, %y : tensor<64x!tt.ptr<f32>, #columns>
  }
  tt.return %r : tensor<64xf32, #columns>
}

// Loaded in one branch only.
// CHECK-LABEL: tt.func public @branches
// CHECK: scf.if
// CHECK: tt.load
// CHECK: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.store
tt.func public @branches(%p: !tt.ptr<i32>, %c: i1) {
  %zero = arith.constant 0 : i32
  %x = scf.if %c -> i32 {
    %y = tt.load %p : !tt.ptr<i32>
    scf.yield %y : i32
  } else {
    scf.yield %zero : i32
  }
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}

// A pointer that is one of two: of the same memory, for one of them; and
// further on in it.
// CHECK-LABEL: tt.func public @chosen
// CHECK: tt.load
// CHECK-NEXT: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.store
tt.func public @chosen(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %c: i1) {
  %four = arith.constant 4 : i32
  %r = scf.if %c -> !tt.ptr<f32> {
    %n = tt.addptr %p, %four : !tt.ptr<f32>, i32
    scf.yield %n : !tt.ptr<f32>
  } else {
    scf.yield %q : !tt.ptr<f32>
  }
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %t = tt.splat %r : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %b = tt.addptr %t, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %x = tt.load %a : tensor<64x!tt.ptr<f32>, #columns>
  tt.store %b, %x : tensor<64x!tt.ptr<f32>, #columns>
  tt.return
}

// A function that loads, one that stores, and one that does neither.
// CHECK-LABEL: tt.func public @calls
// CHECK: tt.call @loads
// CHECK-NEXT: tt.call @adds
// CHECK-NEXT: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.store
// CHECK-NEXT: tt.load
// CHECK-NEXT: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.call @stores
tt.func public @calls(%p: !tt.ptr<i32>, %q: !tt.ptr<f32>) {
  %x = tt.call @loads(%p) : (!tt.ptr<i32>) -> i32
  %y = tt.call @adds(%x) : (i32) -> i32
  tt.store %p, %y : !tt.ptr<i32>
  %z = tt.load %p : !tt.ptr<i32>
  tt.call @stores(%p, %z) : (!tt.ptr<i32>, i32) -> ()
  tt.return
}
tt.func private @loads(%p: !tt.ptr<i32>) -> i32 attributes {noinline = true} {
  %x = tt.load %p : !tt.ptr<i32>
  tt.return %x : i32
}
tt.func private @adds(%x: i32) -> i32 attributes {noinline = true} {
  %y = arith.addi %x, %x : i32
  tt.return %y : i32
}
tt.func private @stores(%p: !tt.ptr<i32>, %x: i32) attributes {noinline = true} {
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}
}

// -----

// Two arguments: with the option their tensors do not overlap in launches of
// this kernel. The condition that there is already stays.
// ASSUME-DAG: #[[POSITIVE:.*]] = affine_set<()[s0] : (s0 - 1 >= 0)>
#legal = affine_set<()[s0] : (s0 - 1 >= 0)>
#columns = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#copies = #ttg.slice<{dim = 0, parent = #wide}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// CHECK-LABEL: tt.func public @two_arguments
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f32>, %[[Q:.*]]: !tt.ptr<f32>, %{{.*}}: !tt.ptr<f16>, %[[N:.*]]: i32)
// ASSUME-NEXT: ttig.launch_condition #[[POSITIVE]][%[[N]]] : i32
// ASSUME-NEXT: ttig.launch_condition disjoint (%[[P]], %[[Q]] : !tt.ptr<f32>, !tt.ptr<f32>){{$}}
// ASSUMED: remark: [Passed] launch-assumption | Category:tritonintelgpu-insert-global-barriers | {{.*}}Reason="no barrier orders loads and stores of different arguments in launches where #0 and #1 do not overlap"
// ALWAYS: ttg.barrier global_read|global_write
// ASSUME-NOT: ttg.barrier
// CHECK: tt.store
tt.func public @two_arguments(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %c: !tt.ptr<f16>, %n: i32) {
  ttig.launch_condition #legal[%n] : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #copies>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #copies>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #copies>, tensor<64xi32, #copies>
  %t = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #copies>
  %b = tt.addptr %t, %i : tensor<64x!tt.ptr<f32>, #copies>, tensor<64xi32, #copies>
  %x = tt.load %a {isVolatile = true} : tensor<64x!tt.ptr<f32>, #copies>
  tt.store %b, %x : tensor<64x!tt.ptr<f32>, #copies>
  %u = tt.splat %c : !tt.ptr<f16> -> tensor<64x!tt.ptr<f16>, #copies>
  %d = tt.addptr %u, %i : tensor<64x!tt.ptr<f16>, #copies>, tensor<64xi32, #copies>
  // The other way round is the same condition.
  %back = tt.load %b : tensor<64x!tt.ptr<f32>, #copies>
  tt.store %a, %back : tensor<64x!tt.ptr<f32>, #copies>
  // Of another type: another tensor.
  %y = arith.truncf %x : tensor<64xf32, #copies> to tensor<64xf16, #copies>
  tt.store %d, %y : tensor<64x!tt.ptr<f16>, #copies>
  tt.return
}
}

// -----

// Every argument that is loaded has to be apart from the one that is stored.
// Names in remarks are those of the source.
#columns = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// CHECK-LABEL: tt.func public @three_arguments
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f32>, %[[Q:.*]]: !tt.ptr<f32>, %[[R:.*]]: !tt.ptr<f32>)
// ASSUME-NEXT: ttig.launch_condition disjoint (%[[P]], %[[R]] : !tt.ptr<f32>, !tt.ptr<f32>), (%[[Q]], %[[R]] : !tt.ptr<f32>, !tt.ptr<f32>){{$}}
// ASSUMED: launches where x and out do not overlap, y and out do not overlap"
// ALWAYS: ttg.barrier global_read|global_write
// ASSUME-NOT: ttg.barrier
// CHECK: tt.store
tt.func public @three_arguments(%p: !tt.ptr<f32> loc("x"), %q: !tt.ptr<f32> loc("y"), %r: !tt.ptr<f32> loc("out")) {
  %x = tt.load %p : !tt.ptr<f32>
  %y = tt.load %q : !tt.ptr<f32>
  %z = arith.addf %x, %y : f32
  tt.store %r, %z : !tt.ptr<f32>
  tt.return
}
}

// -----

// Two arguments that may be one tensor: each sub-group has its own elements then.
#columns = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// CHECK-LABEL: tt.func public @same_or_apart
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f32>, %[[Q:.*]]: !tt.ptr<f32>)
// ASSUME-NEXT: ttig.launch_condition disjoint (%[[P]], %[[Q]] : !tt.ptr<f32>, !tt.ptr<f32>) {mayBeSame}
// ASSUMED: launches where x and out are the same or do not overlap"
// ALWAYS: ttg.barrier
// ASSUME-NOT: ttg.barrier
// CHECK: tt.store
tt.func public @same_or_apart(%p: !tt.ptr<f32> loc("x"), %q: !tt.ptr<f32> loc("out")) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %t = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %b = tt.addptr %t, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %x = tt.load %a : tensor<64x!tt.ptr<f32>, #columns>
  tt.store %b, %x : tensor<64x!tt.ptr<f32>, #columns>
  tt.return
}
}

// -----

// Two arguments with separate strides: even of one tensor, rows may be others.
#columns = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// CHECK-LABEL: tt.func public @rows
// ASSUME: ttig.launch_condition
// ASSUME-NOT: ttg.barrier
// ALWAYS: ttg.barrier
// CHECK: tt.return
tt.func public @rows(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %m: i32, %n: i32) {
  %row = tt.get_program_id x : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %from = arith.muli %row, %m : i32
  %to = arith.muli %row, %n : i32
  %fp = tt.addptr %p, %from : !tt.ptr<f32>, i32
  %tp = tt.addptr %q, %to : !tt.ptr<f32>, i32
  %s = tt.splat %fp : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %t = tt.splat %tp : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %b = tt.addptr %t, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %x = tt.load %a : tensor<64x!tt.ptr<f32>, #columns>
  tt.store %b, %x : tensor<64x!tt.ptr<f32>, #columns>
  tt.return
}
}

// -----

// Pointers that a join takes from two arguments: both have to be apart from the one that is stored.
#columns = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#joined = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// CHECK-LABEL: tt.func public @joined
// CHECK-SAME: (%[[P:.*]]: !tt.ptr<f32>, %[[Q:.*]]: !tt.ptr<f32>, %[[R:.*]]: !tt.ptr<f32>)
// ASSUME: ttig.launch_condition disjoint (%[[P]], %[[R]] : !tt.ptr<f32>, !tt.ptr<f32>), (%[[Q]], %[[R]] : !tt.ptr<f32>, !tt.ptr<f32>){{$}}
// ALWAYS: ttg.barrier global_read|global_write
// ASSUME-NOT: ttg.barrier
// CHECK: tt.store
tt.func public @joined(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %r: !tt.ptr<f32>) {
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %t = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %from = tt.join %s, %t : tensor<64x!tt.ptr<f32>, #columns> -> tensor<64x2x!tt.ptr<f32>, #joined>
  %to = tt.splat %r : !tt.ptr<f32> -> tensor<64x2x!tt.ptr<f32>, #joined>
  %x = tt.load %from {isVolatile = true} : tensor<64x2x!tt.ptr<f32>, #joined>
  tt.store %to, %x : tensor<64x2x!tt.ptr<f32>, #joined>
  tt.return
}
}

// -----

// Pointers from memory, which no launcher knows.
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// CHECK-LABEL: tt.func public @from_memory
// CHECK: ttg.barrier global_read|global_write
// CHECK-NEXT: tt.store
tt.func public @from_memory(%table: !tt.ptr<i64>) {
  %one = arith.constant 1 : i32
  %second = tt.addptr %table, %one : !tt.ptr<i64>, i32
  %first = tt.load %table : !tt.ptr<i64>
  %last = tt.load %second : !tt.ptr<i64>
  %p = tt.int_to_ptr %first : i64 -> !tt.ptr<f32>
  %q = tt.int_to_ptr %last : i64 -> !tt.ptr<f32>
  %x = tt.load %p : !tt.ptr<f32>
  tt.store %q, %x : !tt.ptr<f32>
  tt.return
}
}

// -----

// One sub-group needs no other one.
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {
// CHECK-LABEL: tt.func public @alone
// CHECK-NOT: ttg.barrier
// CHECK: tt.return
tt.func public @alone(%p: !tt.ptr<i32>) {
  %x = tt.load %p : !tt.ptr<i32>
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}
}

// -----

// It is unknown which one of two kernels is launched.
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// CHECK-LABEL: tt.func public @first
// ASSUME-NOT: ttig.launch_condition
// CHECK: ttg.barrier global_read|global_write
// CHECK-LABEL: tt.func public @second
// CHECK: ttg.barrier global_read|global_write
tt.func public @first(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %x = tt.load %p : !tt.ptr<i32>
  tt.store %q, %x : !tt.ptr<i32>
  tt.return
}
tt.func public @second(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>) {
  %x = tt.load %q : !tt.ptr<i32>
  tt.store %p, %x : !tt.ptr<i32>
  tt.return
}
}

// -----

// The forms of addresses in two dimensions, and in loops.
#wide = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 0, parent = #wide}>
#column = #ttg.slice<{dim = 1, parent = #wide}>
#columns = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// Rows that are as long as the stride.
// CHECK-LABEL: tt.func public @constant_stride
// CHECK-NOT: ttg.barrier
// CHECK: tt.return
tt.func public @constant_stride(%p: !tt.ptr<f32>) {
  %c16 = arith.constant dense<16> : tensor<8x1xi32, #wide>
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #column>
  %c = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
  %r2 = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32, #column> -> tensor<8x1xi32, #wide>
  %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<16xi32, #row> -> tensor<1x16xi32, #wide>
  %rs = arith.muli %r2, %c16 : tensor<8x1xi32, #wide>
  %rb = tt.broadcast %rs : tensor<8x1xi32, #wide> -> tensor<8x16xi32, #wide>
  %cb = tt.broadcast %c2 : tensor<1x16xi32, #wide> -> tensor<8x16xi32, #wide>
  %o = arith.addi %rb, %cb : tensor<8x16xi32, #wide>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>, #wide>
  %a = tt.addptr %s, %o : tensor<8x16x!tt.ptr<f32>, #wide>, tensor<8x16xi32, #wide>
  %x = tt.load %a : tensor<8x16x!tt.ptr<f32>, #wide>
  tt.store %a, %x : tensor<8x16x!tt.ptr<f32>, #wide>
  tt.return
}

// Rows that overlap: each but the first 15 columns belongs to several rows.
// CHECK-LABEL: tt.func public @overlapping_rows
// CHECK: ttg.barrier
// CHECK-NEXT: tt.store
tt.func public @overlapping_rows(%p: !tt.ptr<f32>) {
  %c15 = arith.constant dense<15> : tensor<8x1xi32, #wide>
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #column>
  %c = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
  %r2 = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32, #column> -> tensor<8x1xi32, #wide>
  %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<16xi32, #row> -> tensor<1x16xi32, #wide>
  %rs = arith.muli %r2, %c15 : tensor<8x1xi32, #wide>
  %rb = tt.broadcast %rs : tensor<8x1xi32, #wide> -> tensor<8x16xi32, #wide>
  %cb = tt.broadcast %c2 : tensor<1x16xi32, #wide> -> tensor<8x16xi32, #wide>
  %o = arith.addi %rb, %cb : tensor<8x16xi32, #wide>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>, #wide>
  %a = tt.addptr %s, %o : tensor<8x16x!tt.ptr<f32>, #wide>, tensor<8x16xi32, #wide>
  %x = tt.load %a : tensor<8x16x!tt.ptr<f32>, #wide>
  tt.store %a, %x : tensor<8x16x!tt.ptr<f32>, #wide>
  tt.return
}

// A row that is repeated.
// CHECK-LABEL: tt.func public @repeated_row
// CHECK: ttg.barrier
// CHECK-NEXT: tt.store
tt.func public @repeated_row(%p: !tt.ptr<f32>) {
  %c = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
  %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<16xi32, #row> -> tensor<1x16xi32, #wide>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<1x16x!tt.ptr<f32>, #wide>
  %a = tt.addptr %s, %c2 : tensor<1x16x!tt.ptr<f32>, #wide>, tensor<1x16xi32, #wide>
  %b = tt.broadcast %a : tensor<1x16x!tt.ptr<f32>, #wide> -> tensor<8x16x!tt.ptr<f32>, #wide>
  %x = tt.load %b : tensor<8x16x!tt.ptr<f32>, #wide>
  tt.store %b, %x : tensor<8x16x!tt.ptr<f32>, #wide>
  tt.return
}

// Loops that begin elsewhere, so that counters are no names of elements.
// CHECK-LABEL: tt.func public @other_start
// CHECK: ttg.barrier
// CHECK-NEXT: tt.store
tt.func public @other_start(%p: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %eight = arith.constant 8 : i32
  %step = arith.constant 64 : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %none = arith.constant dense<0.0> : tensor<64xf32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %r = scf.for %k = %zero to %n step %step iter_args(%sum = %none) -> tensor<64xf32, #columns> : i32 {
    %ks = tt.splat %k : i32 -> tensor<64xi32, #columns>
    %j = arith.addi %ks, %i : tensor<64xi32, #columns>
    %a = tt.addptr %s, %j : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
    %x = tt.load %a : tensor<64x!tt.ptr<f32>, #columns>
    %y = arith.addf %sum, %x : tensor<64xf32, #columns>
    scf.yield %y : tensor<64xf32, #columns>
  }
  scf.for %k = %eight to %n step %step : i32 {
    %ks = tt.splat %k : i32 -> tensor<64xi32, #columns>
    %j = arith.addi %ks, %i : tensor<64xi32, #columns>
    %a = tt.addptr %s, %j : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
    tt.store %a, %r : tensor<64x!tt.ptr<f32>, #columns>
  }
  tt.return
}

// Offsets of 8 bits, which 512 elements do not have: pairs of elements have one
// address, and belong to two sub-groups.
// CHECK-LABEL: tt.func public @narrow_offsets
// CHECK: ttg.barrier
// CHECK-NEXT: tt.store
tt.func public @narrow_offsets(%p: !tt.ptr<f32>) {
  %i = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32, #columns>
  %n = arith.trunci %i : tensor<512xi32, #columns> to tensor<512xi8, #columns>
  %o = arith.extsi %n : tensor<512xi8, #columns> to tensor<512xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %o : tensor<512x!tt.ptr<f32>, #columns>, tensor<512xi32, #columns>
  %x = tt.load %a : tensor<512x!tt.ptr<f32>, #columns>
  tt.store %a, %x : tensor<512x!tt.ptr<f32>, #columns>
  tt.return
}
// CHECK-LABEL: tt.func public @narrow_products
// CHECK: ttg.barrier
// CHECK-NEXT: tt.store
tt.func public @narrow_products(%p: !tt.ptr<f32>) {
  %two = arith.constant dense<2> : tensor<64xi8, #columns>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %n = arith.trunci %i : tensor<64xi32, #columns> to tensor<64xi8, #columns>
  %m = arith.muli %n, %two : tensor<64xi8, #columns>
  %l = arith.muli %m, %two : tensor<64xi8, #columns>
  %o = arith.extsi %l : tensor<64xi8, #columns> to tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %o : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %x = tt.load %a : tensor<64x!tt.ptr<f32>, #columns>
  tt.store %a, %x : tensor<64x!tt.ptr<f32>, #columns>
  tt.return
}
// Narrow numbers that fit are offsets like others.
// CHECK-LABEL: tt.func public @narrow_and_fitting
// CHECK-NOT: ttg.barrier
// CHECK: tt.return
tt.func public @narrow_and_fitting(%p: !tt.ptr<f32>) {
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %n = arith.trunci %i : tensor<64xi32, #columns> to tensor<64xi8, #columns>
  %o = arith.extsi %n : tensor<64xi8, #columns> to tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %o : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %x = tt.load %a : tensor<64x!tt.ptr<f32>, #columns>
  tt.store %a, %x : tensor<64x!tt.ptr<f32>, #columns>
  tt.return
}

// Jumps that go back are a loop: its counter is another number each time.
// CHECK-LABEL: tt.func public @jumps
// CHECK: tt.load
// CHECK: ttg.barrier
// CHECK-NEXT: tt.store
tt.func public @jumps(%p: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  cf.br ^loop(%zero : i32)
^loop(%k: i32):
  %ks = tt.splat %k : i32 -> tensor<64xi32, #columns>
  %j = arith.addi %ks, %i : tensor<64xi32, #columns>
  %a = tt.addptr %s, %j : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %x = tt.load %a : tensor<64x!tt.ptr<f32>, #columns>
  tt.store %a, %x : tensor<64x!tt.ptr<f32>, #columns>
  %next = arith.addi %k, %one : i32
  %again = arith.cmpi slt, %next, %n : i32
  cf.cond_br %again, ^loop(%next : i32), ^end
^end:
  tt.return
}

// Pointers that a loop carries: by a tile each time, and by half of one.
// CHECK-LABEL: tt.func public @carried
// CHECK-NOT: ttg.barrier
// CHECK: tt.return
tt.func public @carried(%p: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant dense<64> : tensor<64xi32, #columns>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  scf.for %k = %zero to %n step %one iter_args(%b = %a) -> tensor<64x!tt.ptr<f32>, #columns> : i32 {
    %x = tt.load %b : tensor<64x!tt.ptr<f32>, #columns>
    tt.store %b, %x : tensor<64x!tt.ptr<f32>, #columns>
    %c = tt.addptr %b, %step : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
    scf.yield %c : tensor<64x!tt.ptr<f32>, #columns>
  }
  tt.return
}
// CHECK-LABEL: tt.func public @sliding
// CHECK: ttg.barrier
// CHECK-NEXT: tt.store
tt.func public @sliding(%p: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %step = arith.constant dense<32> : tensor<64xi32, #columns>
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  scf.for %k = %zero to %n step %one iter_args(%b = %a) -> tensor<64x!tt.ptr<f32>, #columns> : i32 {
    %x = tt.load %b : tensor<64x!tt.ptr<f32>, #columns>
    tt.store %b, %x : tensor<64x!tt.ptr<f32>, #columns>
    %c = tt.addptr %b, %step : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
    scf.yield %c : tensor<64x!tt.ptr<f32>, #columns>
  }
  tt.return
}
// A number that the loop carries is not its counter, which has steps of a tile in both.
// CHECK-LABEL: tt.func public @carried_offset
// CHECK-NOT: ttg.barrier
// CHECK: tt.store
tt.func public @carried_offset(%p: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %tile = arith.constant 64 : i32
  %step = arith.constant 64 : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  scf.for %k = %zero to %n step %tile iter_args(%offset = %zero) -> i32 : i32 {
    %t = tt.splat %offset : i32 -> tensor<64xi32, #columns>
    %b = tt.addptr %a, %t : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
    %x = tt.load %b : tensor<64x!tt.ptr<f32>, #columns>
    tt.store %b, %x : tensor<64x!tt.ptr<f32>, #columns>
    %next = arith.addi %offset, %step : i32
    scf.yield %next : i32
  }
  tt.return
}
// CHECK-LABEL: tt.func public @sliding_offset
// CHECK: ttg.barrier
// CHECK-NEXT: tt.store
tt.func public @sliding_offset(%p: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %tile = arith.constant 64 : i32
  %step = arith.constant 32 : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  scf.for %k = %zero to %n step %tile iter_args(%offset = %zero) -> i32 : i32 {
    %t = tt.splat %offset : i32 -> tensor<64xi32, #columns>
    %b = tt.addptr %a, %t : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
    %x = tt.load %b : tensor<64x!tt.ptr<f32>, #columns>
    tt.store %b, %x : tensor<64x!tt.ptr<f32>, #columns>
    %next = arith.addi %offset, %step : i32
    scf.yield %next : i32
  }
  tt.return
}
// The loop loads what lies before its bound, and stores from the tile on
// that the bound lies in: no element is met again. The bound of the loop decides
// that; another number does not.
//
// CHECK-LABEL: tt.func public @second_half
// CHECK-NOT: ttg.barrier
// CHECK: tt.store
tt.func public @second_half(%p: !tt.ptr<f32>, %n: i32) {
  %zero = arith.constant 0 : i32
  %tile = arith.constant 64 : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  %more = arith.constant 63 : i32
  %past = arith.addi %n, %more : i32
  scf.for %k = %zero to %n step %tile : i32 {
    %t = tt.splat %k : i32 -> tensor<64xi32, #columns>
    %b = tt.addptr %a, %t : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
    %x = tt.load %b : tensor<64x!tt.ptr<f32>, #columns>
    %next = arith.addi %k, %past : i32
    %u = tt.splat %next : i32 -> tensor<64xi32, #columns>
    %c = tt.addptr %a, %u : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
    tt.store %c, %x : tensor<64x!tt.ptr<f32>, #columns>
  }
  tt.return
}
// CHECK-LABEL: tt.func public @other_part
// CHECK: ttg.barrier
// CHECK-NEXT: tt.store
tt.func public @other_part(%p: !tt.ptr<f32>, %n: i32, %m: i32) {
  %zero = arith.constant 0 : i32
  %tile = arith.constant 64 : i32
  %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #columns>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #columns>
  %a = tt.addptr %s, %i : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
  scf.for %k = %zero to %n step %tile : i32 {
    %t = tt.splat %k : i32 -> tensor<64xi32, #columns>
    %b = tt.addptr %a, %t : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
    %x = tt.load %b : tensor<64x!tt.ptr<f32>, #columns>
    %next = arith.addi %k, %m : i32
    %u = tt.splat %next : i32 -> tensor<64xi32, #columns>
    %c = tt.addptr %a, %u : tensor<64x!tt.ptr<f32>, #columns>, tensor<64xi32, #columns>
    tt.store %c, %x : tensor<64x!tt.ptr<f32>, #columns>
  }
  tt.return
}
}

// -----

// A stride of the launch: rows are apart if it is at least their length.
// ASSUME-DAG: #[[LONG:.*]] = affine_set<()[s0] : (s0 - 16 >= 0)>
#wide = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 0, parent = #wide}>
#column = #ttg.slice<{dim = 1, parent = #wide}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
// CHECK-LABEL: tt.func public @stride
// CHECK-SAME: (%{{.*}}: !tt.ptr<f32>, %[[STRIDE:.*]]: i32)
// ASSUME: ttig.launch_condition #[[LONG]][%[[STRIDE]]] : i32
// ASSUME-NOT: ttg.barrier
// ALWAYS: ttg.barrier
// CHECK: tt.store
tt.func public @stride(%p: !tt.ptr<f32>, %stride: i32) {
  %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<8xi32, #column>
  %c = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
  %r2 = tt.expand_dims %r {axis = 1 : i32} : tensor<8xi32, #column> -> tensor<8x1xi32, #wide>
  %c2 = tt.expand_dims %c {axis = 0 : i32} : tensor<16xi32, #row> -> tensor<1x16xi32, #wide>
  %ss = tt.splat %stride : i32 -> tensor<8x1xi32, #wide>
  %rs = arith.muli %r2, %ss : tensor<8x1xi32, #wide>
  %rb = tt.broadcast %rs : tensor<8x1xi32, #wide> -> tensor<8x16xi32, #wide>
  %cb = tt.broadcast %c2 : tensor<1x16xi32, #wide> -> tensor<8x16xi32, #wide>
  %o = arith.addi %rb, %cb : tensor<8x16xi32, #wide>
  %s = tt.splat %p : !tt.ptr<f32> -> tensor<8x16x!tt.ptr<f32>, #wide>
  %a = tt.addptr %s, %o : tensor<8x16x!tt.ptr<f32>, #wide>, tensor<8x16xi32, #wide>
  %x = tt.load %a : tensor<8x16x!tt.ptr<f32>, #wide>
  tt.store %a, %x : tensor<8x16x!tt.ptr<f32>, #wide>
  tt.return
}
}
