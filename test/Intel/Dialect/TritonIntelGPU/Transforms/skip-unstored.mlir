// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-skip-unstored -canonicalize -cse | FileCheck %s
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-skip-unstored=skip=0- | FileCheck %s --check-prefix=LEFT
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-skip-unstored -o /dev/null --remarks-filter-passed=tritonintelgpu-skip-unstored \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Rewrites can be left out.
// LEFT-NOT: ttg.warp_id

// REMARK: remark: [Passed] skipped

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
#row = #ttg.slice<{dim = 1, parent = #mma}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, ttig.registers = 256 : i32, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// The extents of the surface exclude rows and columns. A sub-group begins with row 0 or 32, and with column 0 or 32: without both
// of them inside, it skips the load, the loop and the store.
// CHECK-LABEL: tt.func public @rows_and_columns
// CHECK-SAME:    %{{.+}}: !tt.ptr<f32>, %[[SIZES:.+]]: !tt.ptr<i64>, %[[WIDTHS:.+]]: !tt.ptr<i64>,
// CHECK-DAG:     %[[C32:.+]] = arith.constant 32 : i64
// CHECK-DAG:     %[[C1:.+]] = arith.constant 1 : i64
// CHECK-DAG:     %[[ROWS:.+]] = tt.load %[[SIZES]]
// CHECK-DAG:     %[[COLUMNS:.+]] = tt.load %[[WIDTHS]]
// CHECK:         %[[WARP:.+]] = ttg.warp_id
// CHECK:         %[[WIDE:.+]] = arith.extsi %[[WARP]]
// CHECK-DAG:     %[[HIGH:.+]] = arith.shrui %[[WIDE]], %[[C1]]
// CHECK-DAG:     %[[ROW:.+]] = arith.muli %[[HIGH]], %[[C32]]
// CHECK-DAG:     %[[IN_ROWS:.+]] = arith.cmpi slt, %[[ROW]], %[[ROWS]]
// CHECK-DAG:     %[[LOW:.+]] = arith.andi %[[WIDE]], %[[C1]]
// CHECK-DAG:     %[[COLUMN:.+]] = arith.muli %[[LOW]], %[[C32]]
// CHECK-DAG:     %[[IN_COLUMNS:.+]] = arith.cmpi slt, %[[COLUMN]], %[[COLUMNS]]
// CHECK:         %[[INSIDE:.+]] = arith.andi %{{.*}}%[[IN_COLUMNS]]
// CHECK:         scf.if %[[INSIDE]]
// CHECK:           ttig.load_block
// CHECK:           scf.for
// CHECK:           ttig.store_block
// CHECK:         {{^ +}$}}
// CHECK-NEXT:    tt.return
tt.func public @rows_and_columns(%p: !tt.ptr<f32>, %sizes: !tt.ptr<i64>, %widths: !tt.ptr<i64>, %n: i32) {
  %columns = tt.load %widths : !tt.ptr<i64>
  %rows = tt.load %sizes : !tt.ptr<i64>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %pitch = arith.constant 64 : i64
  %unit = arith.constant 1 : i64
  %w = ttig.surface %p, [%rows, %columns], [%pitch, %unit] {number = 0 : i32} : <f32>
  %x = ttig.load_block %w[%zero, %zero] {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 32, height = 32, width = 16, blocks = 1>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<64x64xf32, #mma>
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %x) -> (tensor<64x64xf32, #mma>) : i32 {
    %z = arith.addf %y, %y : tensor<64x64xf32, #mma>
    scf.yield %z : tensor<64x64xf32, #mma>
  }
  ttig.store_block %r, %w[%zero, %zero] {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 32, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #mma>) -> ()
  tt.return
}

// The block begins at a row whose number has been narrowed without a change: the condition is the same in 64 bits, before
// the number of the store is computed.
// CHECK-LABEL: tt.func public @narrowed_offset
// CHECK:         %[[ROWS:.+]] = tt.load
// CHECK:         ttg.warp_id
// CHECK:         %[[INSIDE:.+]] = arith.cmpi slt
// CHECK:         scf.if %[[INSIDE]]
// CHECK:           scf.for
// CHECK:           ttig.store_block
tt.func public @narrowed_offset(%p: !tt.ptr<f32>, %sizes: !tt.ptr<i32>, %n: i32, %x: tensor<64x64xf32, #mma>) {
  %rows = tt.load %sizes : !tt.ptr<i32>
  %block = tt.get_program_id x : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i64
  %unit = arith.constant 1 : i64
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %x) -> (tensor<64x64xf32, #mma>) : i32 {
    %z = arith.addf %y, %y : tensor<64x64xf32, #mma>
    scf.yield %z : tensor<64x64xf32, #mma>
  }
  %extent = arith.extsi %rows : i32 to i64
  %wide = arith.extsi %block : i32 to i64
  %first = arith.muli %wide, %size : i64
  %offset = arith.trunci %first overflow<nsw> : i64 to i32
  %w = ttig.surface %p, [%extent, %size], [%size, %unit] {number = 0 : i32} : <f32>
  ttig.store_block %r, %w[%offset, %zero] {boundaryCheck = array<i32: 0>, boundedRows, messages = #ttig.messages<mode = plain, bits = 32, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #mma>) -> ()
  tt.return
}

// One store has separate rows below `%rows`, the other one below `%others`: a
// sub-group that has an element of either one executes the code, which begins
// after the load of `%others`.
// CHECK-LABEL: tt.func public @two_stores
// CHECK-SAME:    %[[OTHERS_POINTER:[^:]+]]: !tt.ptr<i32>
// CHECK:         %[[OTHERS:.+]] = tt.load %[[OTHERS_POINTER]]
// CHECK:         %[[WIDE:.+]] = arith.extsi %[[OTHERS]]
// CHECK:         %[[OTHER:.+]] = arith.cmpi slt, %{{.+}}, %[[WIDE]] :
// CHECK:         %[[EITHER:.+]] = arith.ori %[[OTHER]],
// CHECK-NEXT:    scf.if %[[EITHER]]
// CHECK:           scf.for
tt.func public @two_stores(%o: !tt.ptr<i32>, %p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %sizes: !tt.ptr<i32>, %n: i32) {
  %rows = tt.load %sizes : !tt.ptr<i32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : tensor<64xf32, #row>
  %others = tt.load %o : !tt.ptr<i32>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %none) -> (tensor<64xf32, #row>) : i32 {
    %z = arith.addf %y, %y : tensor<64xf32, #row>
    scf.yield %z : tensor<64xf32, #row>
  }
  %all = tt.splat %rows : i32 -> tensor<64xi32, #row>
  %mask = arith.cmpi slt, %range, %all : tensor<64xi32, #row>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
  %place = tt.addptr %base, %range : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  tt.store %place, %r, %mask : tensor<64x!tt.ptr<f32>, #row>
  %rest = tt.splat %others : i32 -> tensor<64xi32, #row>
  %inside = arith.cmpi sgt, %rest, %range : tensor<64xi32, #row>
  %from = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
  %to = tt.addptr %from, %range : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  tt.store %to, %r, %inside : tensor<64x!tt.ptr<f32>, #row>
  tt.return
}

// The second store writes all elements.
// CHECK-LABEL: tt.func public @unmasked
// CHECK-NOT:     scf.if
tt.func public @unmasked(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %sizes: !tt.ptr<i32>, %n: i32) {
  %rows = tt.load %sizes : !tt.ptr<i32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : tensor<64xf32, #row>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %none) -> (tensor<64xf32, #row>) : i32 {
    %z = arith.addf %y, %y : tensor<64xf32, #row>
    scf.yield %z : tensor<64xf32, #row>
  }
  %all = tt.splat %rows : i32 -> tensor<64xi32, #row>
  %mask = arith.cmpi slt, %range, %all : tensor<64xi32, #row>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
  %place = tt.addptr %base, %range : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  tt.store %place, %r, %mask : tensor<64x!tt.ptr<f32>, #row>
  %from = tt.splat %q : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
  %to = tt.addptr %from, %range : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  tt.store %to, %r : tensor<64x!tt.ptr<f32>, #row>
  tt.return
}

// The number of rows is an argument: few blocks of a launch have fewer rows than a tile.
// CHECK-LABEL: tt.func public @argument
// CHECK-NOT:     scf.if
tt.func public @argument(%p: !tt.ptr<f32>, %rows: i32, %n: i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : tensor<64xf32, #row>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %none) -> (tensor<64xf32, #row>) : i32 {
    %z = arith.addf %y, %y : tensor<64xf32, #row>
    scf.yield %z : tensor<64xf32, #row>
  }
  %all = tt.splat %rows : i32 -> tensor<64xi32, #row>
  %mask = arith.cmpi slt, %range, %all : tensor<64xi32, #row>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
  %place = tt.addptr %base, %range : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  tt.store %place, %r, %mask : tensor<64x!tt.ptr<f32>, #row>
  tt.return
}

// The first elements of all sub-groups are inside: none would skip anything.
// CHECK-LABEL: tt.func public @always
// CHECK-NOT:     scf.if
tt.func public @always(%p: !tt.ptr<f32>, %sizes: !tt.ptr<i32>, %n: i32) {
  %size = tt.load %sizes : !tt.ptr<i32>
  %least = arith.constant 33 : i32
  %rows = arith.maxsi %size, %least : i32
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : tensor<64xf32, #row>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %none) -> (tensor<64xf32, #row>) : i32 {
    %z = arith.addf %y, %y : tensor<64xf32, #row>
    scf.yield %z : tensor<64xf32, #row>
  }
  %all = tt.splat %rows : i32 -> tensor<64xi32, #row>
  %mask = arith.cmpi slt, %range, %all : tensor<64xi32, #row>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
  %place = tt.addptr %base, %range : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  tt.store %place, %r, %mask : tensor<64x!tt.ptr<f32>, #row>
  tt.return
}

// A comparison of numbers that may overflow proves nothing: they are no part of the address.
// CHECK-LABEL: tt.func public @overflow
// CHECK-NOT:     scf.if
tt.func public @overflow(%p: !tt.ptr<f32>, %sizes: !tt.ptr<i32>, %start: i32, %n: i32) {
  %rows = tt.load %sizes : !tt.ptr<i32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : tensor<64xf32, #row>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %first = tt.splat %start : i32 -> tensor<64xi32, #row>
  %moved = arith.addi %first, %range : tensor<64xi32, #row>
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %none) -> (tensor<64xf32, #row>) : i32 {
    %z = arith.addf %y, %y : tensor<64xf32, #row>
    scf.yield %z : tensor<64xf32, #row>
  }
  %all = tt.splat %rows : i32 -> tensor<64xi32, #row>
  %mask = arith.cmpi slt, %moved, %all : tensor<64xi32, #row>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
  %place = tt.addptr %base, %range : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  tt.store %place, %r, %mask : tensor<64x!tt.ptr<f32>, #row>
  tt.return
}

// All sub-groups have to reach the barrier in the loop, and what is after it contains no loop.
// CHECK-LABEL: tt.func public @barrier
// CHECK-NOT:     scf.if
// CHECK:         ttg.barrier
// CHECK-NOT:     scf.if
tt.func public @barrier(%p: !tt.ptr<f32>, %sizes: !tt.ptr<i32>, %n: i32) {
  %rows = tt.load %sizes : !tt.ptr<i32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : tensor<64xf32, #row>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %none) -> (tensor<64xf32, #row>) : i32 {
    %z = arith.addf %y, %y : tensor<64xf32, #row>
    ttg.barrier global_read|global_write
    scf.yield %z : tensor<64xf32, #row>
  }
  %all = tt.splat %rows : i32 -> tensor<64xi32, #row>
  %mask = arith.cmpi slt, %range, %all : tensor<64xi32, #row>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
  %place = tt.addptr %base, %range : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  tt.store %place, %r, %mask : tensor<64x!tt.ptr<f32>, #row>
  tt.return
}

// Two sub-groups share the columns of a row, and exchange their sums in the loop.
// CHECK-LABEL: tt.func public @exchange
// CHECK-NOT:     scf.if
tt.func public @exchange(%p: !tt.ptr<f32>, %sizes: !tt.ptr<i32>, %n: i32, %start: tensor<64x64xf32, #mma>) {
  %rows = tt.load %sizes : !tt.ptr<i32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant dense<0.000000e+00> : tensor<64xf32, #row>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %none) -> (tensor<64xf32, #row>) : i32 {
    %s = "tt.reduce"(%start) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #row>
    %z = arith.addf %y, %s : tensor<64xf32, #row>
    scf.yield %z : tensor<64xf32, #row>
  }
  %all = tt.splat %rows : i32 -> tensor<64xi32, #row>
  %mask = arith.cmpi slt, %range, %all : tensor<64xi32, #row>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
  %place = tt.addptr %base, %range : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
  tt.store %place, %r, %mask : tensor<64x!tt.ptr<f32>, #row>
  tt.return
}

// A loop over tiles carries the number of the next tile. Each iteration is skipped by itself, after the computation of this
// number.
// CHECK-LABEL: tt.func public @tiles
// CHECK-NOT:     scf.if
// CHECK:         scf.for
// CHECK:           %[[NEXT:.+]] = arith.addi
// CHECK:           scf.if
// CHECK:             scf.for
// CHECK:             tt.store
// CHECK:           {{^ +}$}}
// CHECK-NEXT:      scf.yield %[[NEXT]]
tt.func public @tiles(%p: !tt.ptr<f32>, %sizes: !tt.ptr<i32>, %n: i32) {
  %rows = tt.load %sizes : !tt.ptr<i32>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %size = arith.constant 64 : i32
  %none = arith.constant dense<0.000000e+00> : tensor<64xf32, #row>
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #row>
  %end = scf.for %t = %zero to %n step %one iter_args(%start = %zero) -> (i32) : i32 {
    %next = arith.addi %start, %size : i32
    %r = scf.for %i = %zero to %n step %one iter_args(%y = %none) -> (tensor<64xf32, #row>) : i32 {
      %z = arith.addf %y, %y : tensor<64xf32, #row>
      scf.yield %z : tensor<64xf32, #row>
    }
    %first = tt.splat %start : i32 -> tensor<64xi32, #row>
    %moved = arith.addi %first, %range : tensor<64xi32, #row>
    %all = tt.splat %rows : i32 -> tensor<64xi32, #row>
    %mask = arith.cmpi slt, %moved, %all : tensor<64xi32, #row>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #row>
    %place = tt.addptr %base, %moved : tensor<64x!tt.ptr<f32>, #row>, tensor<64xi32, #row>
    tt.store %place, %r, %mask : tensor<64x!tt.ptr<f32>, #row>
    scf.yield %next : i32
  }
  %to = tt.addptr %p, %end : !tt.ptr<f32>, i32
  %last = arith.constant 1.000000e+00 : f32
  tt.store %to, %last : !tt.ptr<f32>
  tt.return
}
}

// -----

#mma = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [1, 4], repCluster = [4, 2], A = [32, 16], B = [16, 32], C = [32, 32]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, ttig.registers = 256 : i32, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// All sub-groups have all rows, and no columns are excluded.
// CHECK-LABEL: tt.func public @shared_rows
// CHECK-NOT:     scf.if
tt.func public @shared_rows(%p: !tt.ptr<f32>, %sizes: !tt.ptr<i64>, %n: i32, %x: tensor<64x128xf32, #mma>) {
  %rows = tt.load %sizes : !tt.ptr<i64>
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %pitch = arith.constant 128 : i64
  %unit = arith.constant 1 : i64
  %w = ttig.surface %p, [%rows, %pitch], [%pitch, %unit] {number = 0 : i32} : <f32>
  %r = scf.for %i = %zero to %n step %one iter_args(%y = %x) -> (tensor<64x128xf32, #mma>) : i32 {
    %z = arith.addf %y, %y : tensor<64x128xf32, #mma>
    scf.yield %z : tensor<64x128xf32, #mma>
  }
  ttig.store_block %r, %w[%zero, %zero] {boundaryCheck = array<i32: 0, 1>, boundedRows, messages = #ttig.messages<mode = plain, bits = 32, height = 8, width = 16, blocks = 1>, order = #ttig.order<row_major>, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x128xf32, #mma>) -> ()
  tt.return
}
}
