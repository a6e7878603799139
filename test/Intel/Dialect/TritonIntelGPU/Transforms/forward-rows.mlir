// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-forward-rows | FileCheck %s
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-forward-rows=skip=0- | FileCheck %s --check-prefix=LEFT
// RUN: triton-xe-opt %s -split-input-file -tritonintelgpu-forward-rows -o /dev/null --remarks-filter-passed=tritonintelgpu-forward-rows \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Rewrites can be left out.
// LEFT-NOT: tt.reduce

// REMARK: remark: [Passed] forwarded
// REMARK-SAME: row 3 of the block that was loaded before

#l = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 0, parent = #l}>
#lanes = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
#many = affine_set<()[s0] : (s0 - 16 >= 0)>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Row 3 of a block that the launch proves to be inside, in another layout with the same registers. The result has the
// bits of the row: zeros in the place of the others, joined.
// CHECK-LABEL: tt.func public @row
// CHECK:         %[[TILE:.+]] = ttig.load_block
// CHECK:         %[[ROWS:.+]] = tt.make_range {{.+}} : tensor<16xi32, #ttg.slice<{dim = 1,
// CHECK:         %[[OWN:.+]] = arith.constant dense<3>
// CHECK:         %[[IS:.+]] = arith.cmpi eq, %[[ROWS]], %[[OWN]]
// CHECK:         %[[COLUMN:.+]] = tt.expand_dims %[[IS]]
// CHECK:         %[[MASK:.+]] = tt.broadcast %[[COLUMN]]
// CHECK:         %[[BITS:.+]] = tt.bitcast %[[TILE]] : tensor<16x16xf32, #{{.+}}> -> tensor<16x16xi32
// CHECK:         %[[PART:.+]] = arith.select %[[MASK]], %[[BITS]], %{{.+}}
// CHECK:         %[[JOINED:.+]] = "tt.reduce"(%[[PART]]) <{axis = 0 : i32}>
// CHECK:           arith.ori
// CHECK:         %[[FLOATS:.+]] = tt.bitcast %[[JOINED]]
// CHECK:         %[[R:.+]] = ttg.convert_layout %[[FLOATS]]
// CHECK-NOT:     tt.load
// CHECK:         tt.return %{{.+}}, %[[R]]
tt.func public @row(%base: !tt.ptr<f32>, %length: i32, %stride: i32) -> (tensor<16x16xf32, #l>, tensor<16xf32, #lanes>) {
  ttig.launch_condition #many[%length] : i32
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %width = arith.constant 16 : i64
  %one = arith.constant 1 : i64
  %m = arith.extsi %length : i32 to i64
  %ld = arith.extsi %stride : i32 to i64
  %s = ttig.surface %base, [%m, %width], [%ld, %one] : !tt.ptr<f32>
  %x = ttig.load_block %s[%c0, %c0] {boundaryCheck = array<i32: 0, 1>} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<16x16xf32, #l>
  %distance = arith.muli %stride, %c3 : i32
  %p = tt.addptr %base, %distance : !tt.ptr<f32>, i32
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #lanes>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #lanes>
  %q = tt.addptr %ps, %lane : tensor<16x!tt.ptr<f32>, #lanes>, tensor<16xi32, #lanes>
  %y = tt.load %q : tensor<16x!tt.ptr<f32>, #lanes>
  tt.return %x, %y : tensor<16x16xf32, #l>, tensor<16xf32, #lanes>
}

// A condition around the load proves that the row is inside, and integers need no other type.
// CHECK-LABEL: tt.func public @condition
// CHECK:         scf.if
// CHECK-NOT:     tt.bitcast
// CHECK:         "tt.reduce"
// CHECK-NOT:     tt.load
// CHECK:         scf.yield
tt.func public @condition(%base: !tt.ptr<i16>, %length: i32, %start: i32, %init: tensor<16xi16, #row>) -> tensor<16xi16, #row> {
  %c0 = arith.constant 0 : i32
  %c5 = arith.constant 5 : i32
  %c64 = arith.constant 64 : i32
  %width = arith.constant 16 : i64
  %one = arith.constant 1 : i64
  %ld = arith.constant 64 : i64
  %m = arith.extsi %length : i32 to i64
  %s = ttig.surface %base, [%m, %width], [%ld, %one] : !tt.ptr<i16>
  %x = ttig.load_block %s[%start, %c0] {boundaryCheck = array<i32: 0>} : (!ttig.memory<i16, 2>, i32, i32) -> tensor<16x16xi16, #l>
  %at = arith.addi %start, %c5 : i32
  %low = arith.cmpi sge, %start, %c0 : i32
  %high = arith.cmpi slt, %at, %length : i32
  %inside = arith.andi %low, %high : i1
  %r = scf.if %inside -> tensor<16xi16, #row> {
    %distance = arith.muli %at, %c64 : i32
    %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
    %begin = tt.splat %distance : i32 -> tensor<16xi32, #row>
    %offsets = arith.addi %begin, %lane : tensor<16xi32, #row>
    %ps = tt.splat %base : !tt.ptr<i16> -> tensor<16x!tt.ptr<i16>, #row>
    %q = tt.addptr %ps, %offsets : tensor<16x!tt.ptr<i16>, #row>, tensor<16xi32, #row>
    %y = tt.load %q : tensor<16x!tt.ptr<i16>, #row>
    scf.yield %y : tensor<16xi16, #row>
  } else {
    scf.yield %init : tensor<16xi16, #row>
  }
  tt.return %r : tensor<16xi16, #row>
}
}

// -----

// Loads that stay. Each function has one difference from the first one above.
#l = #ttg.blocked<{sizePerThread = [16, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [1, 0]}>
#spread = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 2], warpsPerCTA = [1, 1], order = [1, 0]}>
#row = #ttg.slice<{dim = 0, parent = #l}>
#spread_row = #ttg.slice<{dim = 0, parent = #spread}>
#many = affine_set<()[s0] : (s0 - 16 >= 0)>
#few = affine_set<()[s0] : (s0 - 3 >= 0)>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32} {

// A store may change the row.
// CHECK-LABEL: tt.func public @stored
// CHECK:         tt.load
tt.func public @stored(%base: !tt.ptr<f32>, %length: i32, %other: !tt.ptr<f32>) -> (tensor<16x16xf32, #l>, tensor<16xf32, #row>) {
  ttig.launch_condition #many[%length] : i32
  %c0 = arith.constant 0 : i32
  %c192 = arith.constant 192 : i32
  %zero = arith.constant 0.0 : f32
  %width = arith.constant 16 : i64
  %one = arith.constant 1 : i64
  %ld = arith.constant 64 : i64
  %m = arith.extsi %length : i32 to i64
  %s = ttig.surface %base, [%m, %width], [%ld, %one] : !tt.ptr<f32>
  %x = ttig.load_block %s[%c0, %c0] {boundaryCheck = array<i32: 0, 1>} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<16x16xf32, #l>
  tt.store %other, %zero : !tt.ptr<f32>
  %p = tt.addptr %base, %c192 : !tt.ptr<f32>, i32
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #row>
  %q = tt.addptr %ps, %lane : tensor<16x!tt.ptr<f32>, #row>, tensor<16xi32, #row>
  %y = tt.load %q : tensor<16x!tt.ptr<f32>, #row>
  tt.return %x, %y : tensor<16x16xf32, #l>, tensor<16xf32, #row>
}

// The tensor may have three rows: the block has zeros where the load reads memory.
// CHECK-LABEL: tt.func public @outside
// CHECK:         tt.load
tt.func public @outside(%base: !tt.ptr<f32>, %length: i32) -> (tensor<16x16xf32, #l>, tensor<16xf32, #row>) {
  ttig.launch_condition #few[%length] : i32
  %c0 = arith.constant 0 : i32
  %c192 = arith.constant 192 : i32
  %width = arith.constant 16 : i64
  %one = arith.constant 1 : i64
  %ld = arith.constant 64 : i64
  %m = arith.extsi %length : i32 to i64
  %s = ttig.surface %base, [%m, %width], [%ld, %one] : !tt.ptr<f32>
  %x = ttig.load_block %s[%c0, %c0] {boundaryCheck = array<i32: 0, 1>} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<16x16xf32, #l>
  %p = tt.addptr %base, %c192 : !tt.ptr<f32>, i32
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #row>
  %q = tt.addptr %ps, %lane : tensor<16x!tt.ptr<f32>, #row>, tensor<16xi32, #row>
  %y = tt.load %q : tensor<16x!tt.ptr<f32>, #row>
  tt.return %x, %y : tensor<16x16xf32, #l>, tensor<16xf32, #row>
}

// Columns of the load are outside of a tensor with 15.
// CHECK-LABEL: tt.func public @columns
// CHECK:         tt.load
tt.func public @columns(%base: !tt.ptr<f32>, %length: i32) -> (tensor<16x16xf32, #l>, tensor<16xf32, #row>) {
  ttig.launch_condition #many[%length] : i32
  %c0 = arith.constant 0 : i32
  %c192 = arith.constant 192 : i32
  %width = arith.constant 15 : i64
  %one = arith.constant 1 : i64
  %ld = arith.constant 64 : i64
  %m = arith.extsi %length : i32 to i64
  %s = ttig.surface %base, [%m, %width], [%ld, %one] : !tt.ptr<f32>
  %x = ttig.load_block %s[%c0, %c0] {boundaryCheck = array<i32: 0, 1>} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<16x16xf32, #l>
  %p = tt.addptr %base, %c192 : !tt.ptr<f32>, i32
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #row>
  %q = tt.addptr %ps, %lane : tensor<16x!tt.ptr<f32>, #row>, tensor<16xi32, #row>
  %y = tt.load %q : tensor<16x!tt.ptr<f32>, #row>
  tt.return %x, %y : tensor<16x16xf32, #l>, tensor<16xf32, #row>
}

// Row 16 is the first one after the block, and an element after the start of row 3 is no row.
// CHECK-LABEL: tt.func public @elsewhere
// CHECK:         tt.load
// CHECK:         tt.load
tt.func public @elsewhere(%base: !tt.ptr<f32>, %length: i32) -> (tensor<16x16xf32, #l>, tensor<16xf32, #row>, tensor<16xf32, #row>) {
  ttig.launch_condition #many[%length] : i32
  %c0 = arith.constant 0 : i32
  %c1024 = arith.constant 1024 : i32
  %c193 = arith.constant 193 : i32
  %width = arith.constant 64 : i64
  %one = arith.constant 1 : i64
  %ld = arith.constant 64 : i64
  %m = arith.extsi %length : i32 to i64
  %s = ttig.surface %base, [%m, %width], [%ld, %one] : !tt.ptr<f32>
  %x = ttig.load_block %s[%c0, %c0] {boundaryCheck = array<i32: 0, 1>} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<16x16xf32, #l>
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
  %p = tt.addptr %base, %c1024 : !tt.ptr<f32>, i32
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #row>
  %q = tt.addptr %ps, %lane : tensor<16x!tt.ptr<f32>, #row>, tensor<16xi32, #row>
  %y = tt.load %q : tensor<16x!tt.ptr<f32>, #row>
  %p2 = tt.addptr %base, %c193 : !tt.ptr<f32>, i32
  %ps2 = tt.splat %p2 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #row>
  %q2 = tt.addptr %ps2, %lane : tensor<16x!tt.ptr<f32>, #row>, tensor<16xi32, #row>
  %z = tt.load %q2 : tensor<16x!tt.ptr<f32>, #row>
  tt.return %x, %y, %z : tensor<16x16xf32, #l>, tensor<16xf32, #row>, tensor<16xf32, #row>
}

// Loads with a mask, volatile loads, and loads of other memory.
// CHECK-LABEL: tt.func public @kinds
// CHECK:         tt.load %{{.+}}, %{{.+}} :
// CHECK:         tt.load {{.*}}isVolatile = true
// CHECK:         tt.load
tt.func public @kinds(%base: !tt.ptr<f32>, %length: i32, %other: !tt.ptr<f32>, %mask: tensor<16xi1, #row>) -> (tensor<16x16xf32, #l>, tensor<16xf32, #row>, tensor<16xf32, #row>, tensor<16xf32, #row>) {
  ttig.launch_condition #many[%length] : i32
  %c0 = arith.constant 0 : i32
  %c192 = arith.constant 192 : i32
  %width = arith.constant 16 : i64
  %one = arith.constant 1 : i64
  %ld = arith.constant 64 : i64
  %m = arith.extsi %length : i32 to i64
  %s = ttig.surface %base, [%m, %width], [%ld, %one] : !tt.ptr<f32>
  %x = ttig.load_block %s[%c0, %c0] {boundaryCheck = array<i32: 0, 1>} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<16x16xf32, #l>
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
  %p = tt.addptr %base, %c192 : !tt.ptr<f32>, i32
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #row>
  %q = tt.addptr %ps, %lane : tensor<16x!tt.ptr<f32>, #row>, tensor<16xi32, #row>
  %y = tt.load %q, %mask : tensor<16x!tt.ptr<f32>, #row>
  %z = tt.load %q {isVolatile = true} : tensor<16x!tt.ptr<f32>, #row>
  %p2 = tt.addptr %other, %c192 : !tt.ptr<f32>, i32
  %ps2 = tt.splat %p2 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #row>
  %q2 = tt.addptr %ps2, %lane : tensor<16x!tt.ptr<f32>, #row>, tensor<16xi32, #row>
  %w = tt.load %q2 : tensor<16x!tt.ptr<f32>, #row>
  tt.return %x, %y, %z, %w : tensor<16x16xf32, #l>, tensor<16xf32, #row>, tensor<16xf32, #row>, tensor<16xf32, #row>
}

// Blocks that a mask keeps from elements, and volatile blocks.
// CHECK-LABEL: tt.func public @blocks
// CHECK:         tt.load
tt.func public @blocks(%base: !tt.ptr<f32>, %length: i32, %mask: tensor<16x16xi1, #l>) -> (tensor<16x16xf32, #l>, tensor<16x16xf32, #l>, tensor<16xf32, #row>) {
  ttig.launch_condition #many[%length] : i32
  %c0 = arith.constant 0 : i32
  %c192 = arith.constant 192 : i32
  %width = arith.constant 16 : i64
  %one = arith.constant 1 : i64
  %ld = arith.constant 64 : i64
  %m = arith.extsi %length : i32 to i64
  %s = ttig.surface %base, [%m, %width], [%ld, %one] : !tt.ptr<f32>
  %x = ttig.load_block %s[%c0, %c0] mask %mask {boundaryCheck = array<i32: 0, 1>} : (!ttig.memory<f32, 2>, i32, i32, tensor<16x16xi1, #l>) -> tensor<16x16xf32, #l>
  %v = ttig.load_block %s[%c0, %c0] {boundaryCheck = array<i32: 0, 1>, isVolatile} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<16x16xf32, #l>
  %p = tt.addptr %base, %c192 : !tt.ptr<f32>, i32
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #row>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #row>
  %q = tt.addptr %ps, %lane : tensor<16x!tt.ptr<f32>, #row>, tensor<16xi32, #row>
  %y = tt.load %q : tensor<16x!tt.ptr<f32>, #row>
  tt.return %x, %v, %y : tensor<16x16xf32, #l>, tensor<16x16xf32, #l>, tensor<16xf32, #row>
}

// Rows in different lanes would cross them.
// CHECK-LABEL: tt.func public @lanes
// CHECK:         tt.load
tt.func public @lanes(%base: !tt.ptr<f32>, %length: i32) -> (tensor<16x16xf32, #spread>, tensor<16xf32, #spread_row>) {
  ttig.launch_condition #many[%length] : i32
  %c0 = arith.constant 0 : i32
  %c192 = arith.constant 192 : i32
  %width = arith.constant 16 : i64
  %one = arith.constant 1 : i64
  %ld = arith.constant 64 : i64
  %m = arith.extsi %length : i32 to i64
  %s = ttig.surface %base, [%m, %width], [%ld, %one] : !tt.ptr<f32>
  %x = ttig.load_block %s[%c0, %c0] {boundaryCheck = array<i32: 0, 1>} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<16x16xf32, #spread>
  %p = tt.addptr %base, %c192 : !tt.ptr<f32>, i32
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32, #spread_row>
  %ps = tt.splat %p : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>, #spread_row>
  %q = tt.addptr %ps, %lane : tensor<16x!tt.ptr<f32>, #spread_row>, tensor<16xi32, #spread_row>
  %y = tt.load %q : tensor<16x!tt.ptr<f32>, #spread_row>
  tt.return %x, %y : tensor<16x16xf32, #spread>, tensor<16xf32, #spread_row>
}
}
