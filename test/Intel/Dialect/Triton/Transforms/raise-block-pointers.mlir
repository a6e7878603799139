// RUN: triton-xe-opt %s -split-input-file -triton-intel-raise-block-pointers -loop-invariant-code-motion -canonicalize -cse 2>/dev/null | FileCheck %s
// RUN: triton-xe-opt %s -split-input-file -triton-intel-raise-block-pointers -remarks-filter-missed=triton-intel-raise-block-pointers -remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK --allow-empty

// A GEMM with exact masks; addresses and masks are computed in each iteration.
// The bounds of the masks are the extents, offsets are what is left of the
// coordinates, and of the pointers nothing stays.
//
// CHECK-LABEL: tt.func public @exact_masks
// CHECK-SAME: (%[[A:[^:]*]]: !tt.ptr<f16> {{[^,]*}}, %[[B:[^:]*]]: !tt.ptr<f16> {{[^,]*}}, %[[C:[^:]*]]: !tt.ptr<f16> {{[^,]*}}, %[[M:[^:]*]]: i32 {{[^,]*}}, %[[N:[^:]*]]: i32 {{[^,]*}}, %[[K:[^:]*]]: i32
// CHECK-DAG: %[[M64:.*]] = arith.extsi %[[M]]
// CHECK-DAG: %[[K64:.*]] = arith.extsi %[[K]]
// CHECK-DAG: %[[N64:.*]] = arith.extsi %[[N]]
// CHECK-DAG: %[[SA:.*]] = ttig.surface %[[A]], [%[[M64]], %[[K64]]], [%{{.*}}, %c1_i64]
// CHECK-DAG: %[[SB:.*]] = ttig.surface %[[B]], [%[[K64]], %[[N64]]], [%{{.*}}, %c1_i64]
// CHECK: scf.for %[[IV:.*]] = {{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}) -> (tensor<64x64xf32>)
// CHECK: ttig.load_block %[[SA]]{{.*}} {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
// CHECK: ttig.load_block %[[SB]]{{.*}} {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
// CHECK: ttig.surface %[[C]], [%[[M64]], %[[N64]]]
// CHECK: ttig.store_block {{.*}} {boundaryCheck = array<i32: 0, 1>}
// CHECK-NOT: tensor<{{.*}}!tt.ptr
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @exact_masks(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %c: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32 {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %zero_a = arith.constant dense<0.0> : tensor<64x32xf16>
  %zero_b = arith.constant dense<0.0> : tensor<32x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %pm = tt.get_program_id x : i32
  %y = arith.muli %pm, %c64 : i32
  %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %y1 = tt.splat %y : i32 -> tensor<64xi32>
  %rows = arith.addi %y1, %r64 : tensor<64xi32>
  %rows2 = tt.expand_dims %rows {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %cols2 = tt.expand_dims %r64 {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %m2 = tt.splat %m : i32 -> tensor<64x1xi32>
  %n2 = tt.splat %n : i32 -> tensor<1x64xi32>
  %in_m = arith.cmpi slt, %rows2, %m2 : tensor<64x1xi32>
  %in_n = arith.cmpi slt, %cols2, %n2 : tensor<1x64xi32>
  %k2 = tt.splat %k : i32 -> tensor<64x1xi32>
  %row_offset = arith.muli %rows2, %k2 : tensor<64x1xi32>
  %a2 = tt.splat %a : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %row_ptr = tt.addptr %a2, %row_offset : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
  %acc = scf.for %iv = %c0 to %k step %c32 iter_args(%sum = %zero) -> (tensor<64x64xf32>) : i32 {
    %x1 = tt.splat %iv : i32 -> tensor<32xi32>
    %ks = arith.addi %x1, %r32 : tensor<32xi32>
    %ks_row = tt.expand_dims %ks {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
    %k_row = tt.splat %k : i32 -> tensor<1x32xi32>
    %in_k = arith.cmpi slt, %ks_row, %k_row : tensor<1x32xi32>
    %ap = tt.broadcast %row_ptr : tensor<64x1x!tt.ptr<f16>> -> tensor<64x32x!tt.ptr<f16>>
    %ko = tt.broadcast %ks_row : tensor<1x32xi32> -> tensor<64x32xi32>
    %ap2 = tt.addptr %ap, %ko : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %mm = tt.broadcast %in_m : tensor<64x1xi1> -> tensor<64x32xi1>
    %mk = tt.broadcast %in_k : tensor<1x32xi1> -> tensor<64x32xi1>
    %mask_a = arith.andi %mm, %mk : tensor<64x32xi1>
    %x = tt.load %ap2, %mask_a, %zero_a : tensor<64x32x!tt.ptr<f16>>
    %ks_col = tt.expand_dims %ks {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
    %k_col = tt.splat %k : i32 -> tensor<32x1xi32>
    // The other way around: K > k.
    %in_k2 = arith.cmpi sgt, %k_col, %ks_col : tensor<32x1xi32>
    %nn = tt.splat %n : i32 -> tensor<32x1xi32>
    %ko2 = arith.muli %ks_col, %nn : tensor<32x1xi32>
    %b2 = tt.splat %b : !tt.ptr<f16> -> tensor<32x1x!tt.ptr<f16>>
    %bp = tt.addptr %b2, %ko2 : tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>
    %bp2 = tt.broadcast %bp : tensor<32x1x!tt.ptr<f16>> -> tensor<32x64x!tt.ptr<f16>>
    %no = tt.broadcast %cols2 : tensor<1x64xi32> -> tensor<32x64xi32>
    %bp3 = tt.addptr %bp2, %no : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %mk2 = tt.broadcast %in_k2 : tensor<32x1xi1> -> tensor<32x64xi1>
    %mn = tt.broadcast %in_n : tensor<1x64xi1> -> tensor<32x64xi1>
    %mask_b = arith.andi %mk2, %mn : tensor<32x64xi1>
    %w = tt.load %bp3, %mask_b, %zero_b : tensor<32x64x!tt.ptr<f16>>
    %d = tt.dot %x, %w, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %n_col = tt.splat %n : i32 -> tensor<64x1xi32>
  %co = arith.muli %rows2, %n_col : tensor<64x1xi32>
  %c2 = tt.splat %c : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
  %cp = tt.addptr %c2, %co : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
  %cp2 = tt.broadcast %cp : tensor<64x1x!tt.ptr<f16>> -> tensor<64x64x!tt.ptr<f16>>
  %no2 = tt.broadcast %cols2 : tensor<1x64xi32> -> tensor<64x64xi32>
  %cp3 = tt.addptr %cp2, %no2 : tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>
  %mm2 = tt.broadcast %in_m : tensor<64x1xi1> -> tensor<64x64xi1>
  %mn2 = tt.broadcast %in_n : tensor<1x64xi1> -> tensor<64x64xi1>
  %mask_c = arith.andi %mm2, %mn2 : tensor<64x64xi1>
  %out = arith.truncf %acc : tensor<64x64xf32> to tensor<64x64xf16>
  tt.store %cp3, %out, %mask_c : tensor<64x64x!tt.ptr<f16>>
  tt.return
}
}

// -----

// Pointers that a loop carries on, against a bound that shrinks at the same
// pace: `range < K - 32 * iv` after 32 * iv elements is an extent of K. The
// loop no longer carries the pointers. The value of a masked element other than
// 0 is selected.
//
// CHECK-LABEL: tt.func public @carried_pointers
// CHECK-SAME: (%[[A:[^:]*]]: !tt.ptr<f16> {{[^,]*}}, %[[K:[^:]*]]: i32
// CHECK: %[[K64:.*]] = arith.extsi %[[K]]
// CHECK: ttig.surface %[[A]], [%c64_i64, %[[K64]]], [%[[K64]], %c1_i64]
// CHECK: scf.for %[[IV:.*]] = {{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}) -> (tensor<64x64xf32>)
// CHECK: %[[X:.*]] = ttig.load_block %{{[^[]*}}[%c0_i32, %{{.*}}] {boundaryCheck = array<i32: 1>, padding = 1 : i32}
// CHECK: arith.select %{{.*}}, %[[X]], %cst
// CHECK-NOT: tt.addptr
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @carried_pointers(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}, %w: tensor<32x64xf16>, %steps: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %one = arith.constant dense<1.0> : tensor<64x32xf16>
  %step = arith.constant dense<32> : tensor<64x32xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %r64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %ks = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %k2 = tt.splat %k : i32 -> tensor<64x1xi32>
  %ro = arith.muli %rows, %k2 : tensor<64x1xi32>
  %ro2 = tt.broadcast %ro : tensor<64x1xi32> -> tensor<64x32xi32>
  %ko = tt.broadcast %ks : tensor<1x32xi32> -> tensor<64x32xi32>
  %offsets = arith.addi %ro2, %ko : tensor<64x32xi32>
  %a2 = tt.splat %a : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
  %ap = tt.addptr %a2, %offsets : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
  %acc:2 = scf.for %iv = %c0 to %steps step %c1 iter_args(%sum = %zero, %p = %ap) -> (tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>) : i32 {
    %done = arith.muli %iv, %c32 : i32
    %left = arith.subi %k, %done : i32
    %left2 = tt.splat %left : i32 -> tensor<1x32xi32>
    %in = arith.cmpi slt, %ks, %left2 : tensor<1x32xi32>
    %mask = tt.broadcast %in : tensor<1x32xi1> -> tensor<64x32xi1>
    %x = tt.load %p, %mask, %one : tensor<64x32x!tt.ptr<f16>>
    %d = tt.dot %x, %w, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %next = tt.addptr %p, %step : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    scf.yield %d, %next : tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>
  }
  tt.return %acc#0 : tensor<64x64xf32>
}
}

// -----

// A scalar pointer that moves to the rows of the program and on by 32 columns,
// against what is left of both: the tensor is the same for all programs and
// iterations. A batch is part of the base: it makes no bound simpler.
//
// CHECK-LABEL: tt.func public @moving_base
// CHECK-SAME: (%[[A:[^:]*]]: !tt.ptr<f16> {{[^,]*}}, %[[M:[^:]*]]: i32, %[[K:[^:]*]]: i32
// CHECK: %[[BATCH:.*]] = tt.addptr %[[A]], %{{.*}} : !tt.ptr<f16>, i64
// CHECK: ttig.surface %[[BATCH]], [%[[M64:.*]], %[[K64:.*]]], [%[[K64]], %c1_i64]
// CHECK: scf.for %[[IV:.*]] = {{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}) -> (tensor<64x64xf32>)
// CHECK: ttig.load_block %{{[^[]*}}[%{{.*}}, %[[IV]]] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @moving_base(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %k: i32 {tt.divisibility = 16 : i32}, %w: tensor<32x64xf16>, %stride: i64 {tt.divisibility = 16 : i32}) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<64x32xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %pid = tt.get_program_id x : i32
  %batch = tt.get_program_id y : i32
  %batch64 = arith.extsi %batch : i32 to i64
  %skipped = arith.muli %batch64, %stride : i64
  %ab = tt.addptr %a, %skipped : !tt.ptr<f16>, i64
  %y = arith.muli %pid, %c64 : i32
  %rows_before = arith.muli %y, %k : i32
  %first = tt.addptr %ab, %rows_before : !tt.ptr<f16>, i32
  %left_rows = arith.subi %m, %y : i32
  %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %r64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %ks = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %m2 = tt.splat %left_rows : i32 -> tensor<64x1xi32>
  %in_m = arith.cmpi slt, %rows, %m2 : tensor<64x1xi32>
  %k2 = tt.splat %k : i32 -> tensor<64x1xi32>
  %ro = arith.muli %rows, %k2 : tensor<64x1xi32>
  %acc:2 = scf.for %iv = %c0 to %k step %c32 iter_args(%sum = %zero, %p = %first) -> (tensor<64x64xf32>, !tt.ptr<f16>) : i32 {
    %left = arith.subi %k, %iv : i32
    %left2 = tt.splat %left : i32 -> tensor<1x32xi32>
    %in_k = arith.cmpi slt, %ks, %left2 : tensor<1x32xi32>
    %mm = tt.broadcast %in_m : tensor<64x1xi1> -> tensor<64x32xi1>
    %mk = tt.broadcast %in_k : tensor<1x32xi1> -> tensor<64x32xi1>
    %mask = arith.andi %mm, %mk : tensor<64x32xi1>
    %p1 = tt.splat %p : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>>
    %p2 = tt.addptr %p1, %ro : tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>
    %p3 = tt.broadcast %p2 : tensor<64x1x!tt.ptr<f16>> -> tensor<64x32x!tt.ptr<f16>>
    %ko = tt.broadcast %ks : tensor<1x32xi32> -> tensor<64x32xi32>
    %p4 = tt.addptr %p3, %ko : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    %x = tt.load %p4, %mask, %none : tensor<64x32x!tt.ptr<f16>>
    %d = tt.dot %x, %w, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %next = tt.addptr %p, %c32 : !tt.ptr<f16>, i32
    scf.yield %d, %next : tensor<64x64xf32>, !tt.ptr<f16>
  }
  tt.return %acc#0 : tensor<64x64xf32>
}
}

// -----

// No mask: rows begin at the block, and columns end where the last iteration
// does, at ((K - 1) / 32 + 1) * 32.
//
// CHECK-LABEL: tt.func public @whole_blocks
// CHECK-SAME: (%[[A:[^:]*]]: !tt.ptr<f16> {{[^,]*}}, %[[K:[^:]*]]: i32
// CHECK: %[[WIDE:.*]] = arith.extsi %[[K]] : i32 to i64
// CHECK: %[[BEFORE:.*]] = arith.addi %[[WIDE]], %c-1_i64
// CHECK: %[[BEFORE32:.*]] = arith.trunci %[[BEFORE]] overflow<nsw> : i64 to i32
// CHECK: %[[TRIPS:.*]] = arith.divsi %[[BEFORE32]], %c32_i32
// CHECK: %[[TRIPS64:.*]] = arith.extsi %[[TRIPS]]
// CHECK: %[[LAST:.*]] = arith.muli %[[TRIPS64]], %c32_i64
// CHECK: %[[END:.*]] = arith.addi {{.*}}%[[LAST]]
// CHECK: ttig.surface %[[A]], [%c64_i64, %[[END]]]
// CHECK: scf.for %[[IV:.*]] = {{.*}} iter_args(%{{[^,]*}} = %{{[^,]*}}) -> (tensor<64x64xf32>)
// CHECK: ttig.load_block %{{[^[]*}}[%c0_i32, %[[IV]]] : {{.*}} -> tensor<64x32xf16>
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @whole_blocks(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}, %w: tensor<32x64xf16>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c32 = arith.constant 32 : i32
  %step = arith.constant dense<32> : tensor<64x32xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %rows = tt.expand_dims %r64 {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %ks = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %k2 = tt.splat %k : i32 -> tensor<64x1xi32>
  %ro = arith.muli %rows, %k2 : tensor<64x1xi32>
  %ro2 = tt.broadcast %ro : tensor<64x1xi32> -> tensor<64x32xi32>
  %ko = tt.broadcast %ks : tensor<1x32xi32> -> tensor<64x32xi32>
  %offsets = arith.addi %ro2, %ko : tensor<64x32xi32>
  %a2 = tt.splat %a : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
  %ap = tt.addptr %a2, %offsets : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
  %acc:2 = scf.for %iv = %c0 to %k step %c32 iter_args(%sum = %zero, %p = %ap) -> (tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>) : i32 {
    %x = tt.load %p : tensor<64x32x!tt.ptr<f16>>
    %d = tt.dot %x, %w, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %next = tt.addptr %p, %step : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    scf.yield %d, %next : tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>
  }
  tt.return %acc#0 : tensor<64x64xf32>
}
}

// -----

// A block may begin before the tensor (the neighbours of a convolution) if the
// mask states that the coordinate is not negative. Otherwise, the part of the
// offset that may be negative is added to the base.
//
// CHECK-LABEL: tt.func public @negative_coordinates
// CHECK-SAME: (%[[A:[^:]*]]: !tt.ptr<f32> {{[^,]*}}, %[[N:[^:]*]]: i32 {{[^,]*}}, %[[DY:[^:]*]]: i32
// CHECK: ttig.surface %[[A]], [%[[N64:.*]], %[[N64]]], [%[[N64]], %c1_i64]
// CHECK: ttig.load_block %{{[^[]*}}[%[[DY]], %c0_i32] {boundaryCheck = array<i32: 0, 1>, padding = 1 : i32}
// CHECK: %[[BASE:.*]] = tt.addptr %[[A]]
// CHECK: ttig.surface %[[BASE]]
// CHECK: ttig.load_block %{{[^[]*}}[%c0_i32, %c0_i32] {boundaryCheck = array<i32: 0>, padding = 1 : i32}
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @negative_coordinates(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %dy: i32, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %none = arith.constant dense<0> : tensor<16x1xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %col = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %row = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %dy2 = tt.splat %dy : i32 -> tensor<16x1xi32>
  %ys = arith.addi %col, %dy2 : tensor<16x1xi32>
  %n2 = tt.splat %n : i32 -> tensor<16x1xi32>
  %offset = arith.muli %ys, %n2 : tensor<16x1xi32>
  %offset2 = tt.broadcast %offset : tensor<16x1xi32> -> tensor<16x16xi32>
  %xs = tt.broadcast %row : tensor<1x16xi32> -> tensor<16x16xi32>
  %offsets = arith.addi %offset2, %xs : tensor<16x16xi32>
  %a2 = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %p = tt.addptr %a2, %offsets : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %below = arith.cmpi slt, %ys, %n2 : tensor<16x1xi32>
  %above = arith.cmpi sge, %ys, %none : tensor<16x1xi32>
  %both = arith.andi %below, %above : tensor<16x1xi1>
  %n3 = tt.splat %n : i32 -> tensor<1x16xi32>
  %inside = arith.cmpi slt, %row, %n3 : tensor<1x16xi32>
  %my = tt.broadcast %both : tensor<16x1xi1> -> tensor<16x16xi1>
  %mx = tt.broadcast %inside : tensor<1x16xi1> -> tensor<16x16xi1>
  %mask = arith.andi %my, %mx : tensor<16x16xi1>
  %x = tt.load %p, %mask, %zero : tensor<16x16x!tt.ptr<f32>>
  %half = tt.broadcast %below : tensor<16x1xi1> -> tensor<16x16xi1>
  %v = tt.load %p, %half, %zero : tensor<16x16x!tt.ptr<f32>>
  %d = tt.dot %x, %w, %acc : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %e = tt.dot %v, %w, %d : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %e : tensor<16x16xf32>
}
}

// -----

// The rows of the tutorial's GEMM wrap around at M. Where those of a program do
// not, the loop runs with block pointers; the other version has its pointers.
//
// CHECK-LABEL: tt.func public @wraps_around
// CHECK-SAME: (%[[A:[^:]*]]: !tt.ptr<f16> {{[^,]*}}, %[[M:[^:]*]]: i32, %[[K:[^:]*]]: i32
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %{{.*}} : i64
// CHECK: scf.if %[[FITS]] -> (tensor<64x64xf32>) {
// CHECK:   ttig.surface
// CHECK:   scf.for {{.*}} -> (tensor<64x64xf32>)
// CHECK-NOT: tt.load {{.*}}tensor<64x32x!tt.ptr
// CHECK: } else {
// CHECK:   scf.for {{.*}}tensor<64x32x!tt.ptr<f16>>)
// CHECK:     tt.load {{.*}}tensor<64x32x!tt.ptr
// CHECK-NOT: ttig.surface
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @wraps_around(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %m: i32, %k: i32 {tt.divisibility = 16 : i32}, %w: tensor<32x64xf16>, %steps: i32) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %none = arith.constant dense<0.0> : tensor<64x32xf16>
  %step = arith.constant dense<32> : tensor<64x32xi32>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %pid = tt.get_program_id x : i32
  %y = arith.muli %pid, %c64 : i32
  %y1 = tt.splat %y : i32 -> tensor<64xi32>
  %m1 = tt.splat %m : i32 -> tensor<64xi32>
  %r64 = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %r32 = tt.make_range {end = 32 : i32, start = 0 : i32} : tensor<32xi32>
  %all = arith.addi %y1, %r64 : tensor<64xi32>
  %ys = arith.remsi %all, %m1 : tensor<64xi32>
  %rows = tt.expand_dims %ys {axis = 1 : i32} : tensor<64xi32> -> tensor<64x1xi32>
  %ks = tt.expand_dims %r32 {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %k2 = tt.splat %k : i32 -> tensor<64x1xi32>
  %ro = arith.muli %rows, %k2 : tensor<64x1xi32>
  %ro2 = tt.broadcast %ro : tensor<64x1xi32> -> tensor<64x32xi32>
  %ko = tt.broadcast %ks : tensor<1x32xi32> -> tensor<64x32xi32>
  %offsets = arith.addi %ro2, %ko : tensor<64x32xi32>
  %a2 = tt.splat %a : !tt.ptr<f16> -> tensor<64x32x!tt.ptr<f16>>
  %ap = tt.addptr %a2, %offsets : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
  %acc:2 = scf.for %iv = %c0 to %steps step %c1 iter_args(%sum = %zero, %p = %ap) -> (tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>) : i32 {
    %done = arith.muli %iv, %c32 : i32
    %left = arith.subi %k, %done : i32
    %left2 = tt.splat %left : i32 -> tensor<1x32xi32>
    %in = arith.cmpi slt, %ks, %left2 : tensor<1x32xi32>
    %mask = tt.broadcast %in : tensor<1x32xi1> -> tensor<64x32xi1>
    %x = tt.load %p, %mask, %none : tensor<64x32x!tt.ptr<f16>>
    %d = tt.dot %x, %w, %sum : tensor<64x32xf16> * tensor<32x64xf16> -> tensor<64x64xf32>
    %next = tt.addptr %p, %step : tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>
    scf.yield %d, %next : tensor<64x64xf32>, tensor<64x32x!tt.ptr<f16>>
  }
  tt.return %acc#0 : tensor<64x64xf32>
}
}

// -----

// Rows that wrap around at M, which are unobserved: they go through a product
// that a loop adds up, arithmetic, a reduction of the columns and a
// transposition to stores whose masks and bounds end at M. M is the extent of
// the tensor, and there is no second version.

// CHECK-LABEL: tt.func public @surplus_is_unobserved
// CHECK-SAME: (%[[A:[^:]*]]: !tt.ptr<f32> {{[^,]*}}, %[[M:[^:]*]]: i32
// CHECK: %[[M64:.*]] = arith.extsi %[[M]]
// CHECK-NOT: scf.if
// CHECK: ttig.surface %[[A]], [%[[M64]], %c16_i64], [%{{.*}}, %c1_i64]
// CHECK: scf.for
// CHECK: ttig.load_block %{{[^[]*}}[%{{.*}}, %c0_i32] {boundaryCheck = array<i32: 0>, padding = 1 : i32}
// CHECK-NOT: tensor<16x16x!tt.ptr
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @surplus_is_unobserved(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %m: i32, %c: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %ld: i32 {tt.divisibility = 16 : i32}, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>, %steps: i32, %r: !tt.ptr<f32>, %m64: i64, %ld64: i64 {tt.divisibility = 16 : i32}) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c16_i32 = arith.constant 16 : i32
  %c1_i64 = arith.constant 1 : i64
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %pid = tt.get_program_id x : i32
  %first = arith.muli %pid, %c16_i32 : i32
  %splat = tt.splat %first : i32 -> tensor<16xi32>
  %rows = arith.addi %splat, %range : tensor<16xi32>
  %limit = tt.splat %m : i32 -> tensor<16xi32>
  %wrapped = arith.remsi %rows, %limit : tensor<16xi32>
  %row = tt.expand_dims %wrapped {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %line = arith.muli %row, %pitch : tensor<16x1xi32>
  %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %column2 = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %line2, %column2 : tensor<16x16xi32>
  %base = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %p = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %sum = scf.for %i = %c0_i32 to %steps step %c1_i32 iter_args(%s = %acc) -> (tensor<16x16xf32>) : i32 {
    %x = tt.load %p : tensor<16x16x!tt.ptr<f32>>
    %d = tt.dot %x, %w, %s, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %twice = arith.addf %sum, %sum : tensor<16x16xf32>
  %total = "tt.reduce"(%twice) <{axis = 1 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tt.reduce.return %z : f32
  }) : (tensor<16x16xf32>) -> tensor<16xf32>
  %inside = arith.cmpi slt, %rows, %limit : tensor<16xi32>
  %rbase = tt.splat %r : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
  %rp = tt.addptr %rbase, %rows : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
  tt.store %rp, %total, %inside : tensor<16x!tt.ptr<f32>>
  %transposed = tt.trans %twice {order = array<i32: 1, 0>} : tensor<16x16xf32> -> tensor<16x16xf32>
  %extent = arith.extsi %m : i32 to i64
  %cp = ttig.surface %c, [%m64, %extent], [%ld64, %c1_i64] : !tt.ptr<f32>
  ttig.store_block %transposed, %cp[%c0_i32, %first] {boundaryCheck = array<i32: 1>} : (!ttig.memory<f32, 2>, i32, i32, tensor<16x16xf32>) -> ()
  tt.return
}
}

// -----

// The surplus is observed by a reduction of the rows, a store without a mask,
// one with another bound, the rows of the second operand of a product, an
// assertion. All need a version, which a single access is not worth.

// CHECK-LABEL: tt.func public @surplus_is_seen
// CHECK-NOT: ttig.surface
// CHECK-COUNT-5: tt.load {{.*}} : tensor<16x16x!tt.ptr<f32>>
// CHECK-NOT: ttig.surface
// CHECK: tt.return
// REMARK-COUNT-5: plain pointers stay: a coordinate may wrap around
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @surplus_is_seen(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %m: i32, %c: !tt.ptr<f32>, %ld: i32 {tt.divisibility = 16 : i32}, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>, %n: i32) {
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %limit = tt.splat %m : i32 -> tensor<16xi32>
  %wrapped = arith.remsi %range, %limit : tensor<16xi32>
  %row = tt.expand_dims %wrapped {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %line = arith.muli %row, %pitch : tensor<16x1xi32>
  %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %column2 = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %line2, %column2 : tensor<16x16xi32>
  %base = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %p = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %inside = arith.cmpi slt, %range, %limit : tensor<16xi32>
  %inside2 = tt.expand_dims %inside {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
  %mask = tt.broadcast %inside2 : tensor<16x1xi1> -> tensor<16x16xi1>
  %others = tt.splat %n : i32 -> tensor<16xi32>
  %other = arith.cmpi slt, %range, %others : tensor<16xi32>
  %other2 = tt.expand_dims %other {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
  %othermask = tt.broadcast %other2 : tensor<16x1xi1> -> tensor<16x16xi1>
  %cbase = tt.splat %c : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %cp = tt.addptr %cbase, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %cline = tt.splat %c : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>

  %x0 = tt.load %p : tensor<16x16x!tt.ptr<f32>>
  %columns = "tt.reduce"(%x0) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    tt.reduce.return %z : f32
  }) : (tensor<16x16xf32>) -> tensor<16xf32>
  tt.store %cline, %columns, %inside : tensor<16x!tt.ptr<f32>>
  %x1 = tt.load %p : tensor<16x16x!tt.ptr<f32>>
  tt.store %cp, %x1 : tensor<16x16x!tt.ptr<f32>>
  %x2 = tt.load %p : tensor<16x16x!tt.ptr<f32>>
  tt.store %cp, %x2, %othermask : tensor<16x16x!tt.ptr<f32>>
  %x3 = tt.load %p : tensor<16x16x!tt.ptr<f32>>
  %d = tt.dot %w, %x3, %acc, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.store %cp, %d, %mask : tensor<16x16x!tt.ptr<f32>>
  %x4 = tt.load %p : tensor<16x16x!tt.ptr<f32>>
  %right = arith.cmpf ord, %x4, %x4 : tensor<16x16xf32>
  tt.assert %right, "a number" : tensor<16x16xi1>
  tt.return
}
}

// -----

// The load of one iteration of a loop is stored by the next one, under the mask
// of that one's rows, which may leave out less: the surplus is seen, and needs
// a version.

// CHECK-LABEL: tt.func public @surplus_is_seen_later
// CHECK: scf.for
// CHECK-NOT: ttig.surface
// CHECK: tt.load {{.*}} : tensor<16x16x!tt.ptr<f32>>
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @surplus_is_seen_later(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %m: i32, %c: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %ld: i32 {tt.divisibility = 16 : i32}, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>, %tiles: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %c16_i32 = arith.constant 16 : i32
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %limit = tt.splat %m : i32 -> tensor<16xi32>
  %pitch = tt.splat %ld : i32 -> tensor<16x1xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %column2 = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %base = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %cbase = tt.splat %c : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %last = scf.for %tile = %c0_i32 to %tiles step %c1_i32 iter_args(%before = %acc) -> (tensor<16x16xf32>) : i32 {
    %first = arith.muli %tile, %c16_i32 : i32
    %splat = tt.splat %first : i32 -> tensor<16xi32>
    %rows = arith.addi %splat, %range : tensor<16xi32>
    %wrapped = arith.remsi %rows, %limit : tensor<16xi32>
    %row = tt.expand_dims %wrapped {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %line = arith.muli %row, %pitch : tensor<16x1xi32>
    %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
    %offset = arith.addi %line2, %column2 : tensor<16x16xi32>
    %p = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    %x = tt.load %p : tensor<16x16x!tt.ptr<f32>>
    %d = tt.dot %x, %w, %acc, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    %inside = arith.cmpi slt, %rows, %limit : tensor<16xi32>
    %inside2 = tt.expand_dims %inside {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
    %mask = tt.broadcast %inside2 : tensor<16x1xi1> -> tensor<16x16xi1>
    %own = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
    %own_line = arith.muli %own, %pitch : tensor<16x1xi32>
    %own_line2 = tt.broadcast %own_line : tensor<16x1xi32> -> tensor<16x16xi32>
    %own_offset = arith.addi %own_line2, %column2 : tensor<16x16xi32>
    %cp = tt.addptr %cbase, %own_offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
    tt.store %cp, %before, %mask : tensor<16x16x!tt.ptr<f32>>
    scf.yield %d : tensor<16x16xf32>
  }
  tt.return
}
}

// -----

// Unobserved rows of a program that may begin before the tensor: only that is
// checked before the loop.

// CHECK-LABEL: tt.func public @start_is_checked
// CHECK-SAME: %[[FIRST:[^:]*]]: i64
// CHECK: %[[OK:.*]] = arith.cmpi sge, %[[FIRST]], %c0_i64 : i64
// CHECK-NOT: arith.andi
// CHECK: scf.if %[[OK]]
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @start_is_checked(%first: i64, %a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %m: i64, %c: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %ld: i64 {tt.divisibility = 16 : i32}, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>, %steps: i32) {
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %range32 = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %range = arith.extsi %range32 : tensor<16xi32> to tensor<16xi64>
  %splat = tt.splat %first : i64 -> tensor<16xi64>
  %rows = arith.addi %splat, %range : tensor<16xi64>
  %limit = tt.splat %m : i64 -> tensor<16xi64>
  %wrapped = arith.remsi %rows, %limit : tensor<16xi64>
  %row = tt.expand_dims %wrapped {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
  %pitch = tt.splat %ld : i64 -> tensor<16x1xi64>
  %line = arith.muli %row, %pitch : tensor<16x1xi64>
  %line2 = tt.broadcast %line : tensor<16x1xi64> -> tensor<16x16xi64>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi64> -> tensor<1x16xi64>
  %column2 = tt.broadcast %column : tensor<1x16xi64> -> tensor<16x16xi64>
  %offset = arith.addi %line2, %column2 : tensor<16x16xi64>
  %base = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %p = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi64>
  %sum = scf.for %i = %c0_i32 to %steps step %c1_i32 iter_args(%s = %acc) -> (tensor<16x16xf32>) : i32 {
    %x = tt.load %p : tensor<16x16x!tt.ptr<f32>>
    %d = tt.dot %x, %w, %s, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %inside = arith.cmpi slt, %rows, %limit : tensor<16xi64>
  %inside2 = tt.expand_dims %inside {axis = 1 : i32} : tensor<16xi1> -> tensor<16x1xi1>
  %mask = tt.broadcast %inside2 : tensor<16x1xi1> -> tensor<16x16xi1>
  %cbase = tt.splat %c : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %own = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi64> -> tensor<16x1xi64>
  %own_line = arith.muli %own, %pitch : tensor<16x1xi64>
  %own_line2 = tt.broadcast %own_line : tensor<16x1xi64> -> tensor<16x16xi64>
  %own_offset = arith.addi %own_line2, %column2 : tensor<16x16xi64>
  %cp = tt.addptr %cbase, %own_offset : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi64>
  tt.store %cp, %sum, %mask : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
}

// -----

// Branches that compute the same coordinate, and a choice by its bound: both are
// the coordinate where it does not pass the bound.
//
// CHECK-LABEL: tt.func public @chosen_coordinates
// CHECK-DAG: arith.cmpi sle, %{{.*}} : i64
// CHECK-DAG: arith.cmpi sle, %{{.*}} : i64
// CHECK: scf.if %{{.*}} -> (tensor<16x16xf32>) {
// CHECK:   ttig.surface %
// CHECK: } else {
// CHECK-NOT: ttig.surface
// CHECK:   tt.load {{.*}}tensor<16x16x!tt.ptr<f32>>
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @chosen_coordinates(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %m: i32, %n: i32, %hint: i1, %ld: i32 {tt.divisibility = 16 : i32}, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>, %steps: i32) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %none = arith.constant dense<0> : tensor<16xi32>
  %pid = tt.get_program_id x : i32
  %y = arith.muli %pid, %c16 : i32
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %y1 = tt.splat %y : i32 -> tensor<16xi32>
  %all = arith.addi %y1, %range : tensor<16xi32>
  %m1 = tt.splat %m : i32 -> tensor<16xi32>
  %n1 = tt.splat %n : i32 -> tensor<16xi32>
  %rows = scf.if %hint -> (tensor<16xi32>) {
    %r = arith.remsi %all, %m1 {tt.contiguity = dense<16> : tensor<1xi32>} : tensor<16xi32>
    scf.yield %r : tensor<16xi32>
  } else {
    %r = arith.remsi %all, %m1 : tensor<16xi32>
    scf.yield %r : tensor<16xi32>
  }
  %in = arith.cmpi slt, %all, %n1 : tensor<16xi32>
  %columns = arith.select %in, %all, %none : tensor<16xi1>, tensor<16xi32>
  %col = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %row = tt.expand_dims %columns {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %ld1 = tt.splat %ld : i32 -> tensor<16x1xi32>
  %o = arith.muli %col, %ld1 : tensor<16x1xi32>
  %o2 = tt.broadcast %o : tensor<16x1xi32> -> tensor<16x16xi32>
  %xs = tt.broadcast %row : tensor<1x16xi32> -> tensor<16x16xi32>
  %offsets = arith.addi %o2, %xs : tensor<16x16xi32>
  %a2 = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %p = tt.addptr %a2, %offsets : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %sum = scf.for %i = %c0 to %steps step %c1 iter_args(%s = %acc) -> (tensor<16x16xf32>) : i32 {
    %x = tt.load %p : tensor<16x16x!tt.ptr<f32>>
    %d = tt.dot %x, %w, %s : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  tt.return %sum : tensor<16x16xf32>
}
}

// -----

// Accesses that stay, and why: each remark names the obstacle.
//
// CHECK-LABEL: tt.func public @declined
// CHECK-NOT: ttig.surface
// REMARK-DAG: plain pointers stay: the numbers of its rows are no multiples of a stride
// REMARK-DAG: plain pointers stay: a coordinate may wrap around
// REMARK-DAG: plain pointers stay: memory is contiguous in none of its dimensions
// REMARK-DAG: plain pointers stay: its mask has no bounds to read: a mask by `arith.ori`
// REMARK-DAG: plain pointers stay: its elements are the same along dimension 0
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @declined(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 16 : i32}, %rows: tensor<16x1x!tt.ptr<i32>>, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %col = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %row = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %n2 = tt.splat %n : i32 -> tensor<16x1xi32>
  %n3 = tt.splat %n : i32 -> tensor<1x16xi32>
  %xs = tt.broadcast %row : tensor<1x16xi32> -> tensor<16x16xi32>
  %a1 = tt.splat %a : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>

  // A table of places.
  %index = tt.load %rows : tensor<16x1x!tt.ptr<i32>>
  %p0 = tt.addptr %a1, %index : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %q0 = tt.broadcast %p0 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
  %r0 = tt.addptr %q0, %xs : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %x0 = tt.load %r0 : tensor<16x16x!tt.ptr<f32>>

  %ys = arith.remsi %col, %n2 : tensor<16x1xi32>
  %o1 = arith.muli %ys, %n2 : tensor<16x1xi32>
  %p1 = tt.addptr %a1, %o1 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %q1 = tt.broadcast %p1 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
  %r1 = tt.addptr %q1, %xs : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %x1 = tt.load %r1 : tensor<16x16x!tt.ptr<f32>>

  %o2 = arith.muli %row, %n3 : tensor<1x16xi32>
  %s2 = tt.broadcast %o2 : tensor<1x16xi32> -> tensor<16x16xi32>
  %r2 = tt.addptr %q1, %s2 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %p3 = arith.muli %col, %n2 : tensor<16x1xi32>
  %p4 = tt.addptr %a1, %p3 : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %q4 = tt.broadcast %p4 : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
  %r4 = tt.addptr %q4, %s2 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %x2 = tt.load %r4 : tensor<16x16x!tt.ptr<f32>>

  %r5 = tt.addptr %q4, %xs : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %in_y = arith.cmpi slt, %col, %n2 : tensor<16x1xi32>
  %in_x = arith.cmpi slt, %row, %n3 : tensor<1x16xi32>
  %my = tt.broadcast %in_y : tensor<16x1xi1> -> tensor<16x16xi1>
  %mx = tt.broadcast %in_x : tensor<1x16xi1> -> tensor<16x16xi1>
  %either = arith.ori %my, %mx : tensor<16x16xi1>
  %x3 = tt.load %r5, %either, %zero : tensor<16x16x!tt.ptr<f32>>

  // A row for all rows.
  %a2 = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %r6 = tt.addptr %a2, %xs : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %x4 = tt.load %r6 : tensor<16x16x!tt.ptr<f32>>

  %s0 = arith.addf %x0, %x1 : tensor<16x16xf32>
  %s1 = arith.addf %x2, %x3 : tensor<16x16xf32>
  %s3 = arith.addf %s0, %s1 : tensor<16x16xf32>
  %s4 = arith.addf %s3, %x4 : tensor<16x16xf32>
  %d = tt.dot %s4, %w, %acc : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
}

// -----

// No dot, no gain.
//
// CHECK-LABEL: tt.func public @no_dot
// CHECK-NOT: ttig.surface
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @no_dot(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}) -> tensor<16x16xf32> {
  %stride = arith.constant dense<16> : tensor<16x1xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %col = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %row = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %o = arith.muli %col, %stride : tensor<16x1xi32>
  %a1 = tt.splat %a : !tt.ptr<f32> -> tensor<16x1x!tt.ptr<f32>>
  %p = tt.addptr %a1, %o : tensor<16x1x!tt.ptr<f32>>, tensor<16x1xi32>
  %q = tt.broadcast %p : tensor<16x1x!tt.ptr<f32>> -> tensor<16x16x!tt.ptr<f32>>
  %xs = tt.broadcast %row : tensor<1x16xi32> -> tensor<16x16xi32>
  %r = tt.addptr %q, %xs : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %x = tt.load %r : tensor<16x16x!tt.ptr<f32>>
  tt.return %x : tensor<16x16xf32>
}
}

// -----

// A negative bound of an unsigned comparison is a large one. The launch knows
// that an argument is none.
//
// CHECK: #[[$NOT_NEGATIVE:.*]] = affine_set<()[s0] : (s0 >= 0)>
// CHECK-LABEL: tt.func public @unsigned_argument
// CHECK-SAME: %[[N:[^:]*]]: i32, %{{[^:]*}}: !tt.ptr<i32>
// CHECK: ttig.launch_condition #[[$NOT_NEGATIVE]][%[[N]]]
// CHECK: ttig.surface
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @unsigned_argument(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %p: !tt.ptr<i32>, %ld: i32 {tt.divisibility = 16 : i32}, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %col = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %row = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %ld1 = tt.splat %ld : i32 -> tensor<16x1xi32>
  %o = arith.muli %col, %ld1 : tensor<16x1xi32>
  %o2 = tt.broadcast %o : tensor<16x1xi32> -> tensor<16x16xi32>
  %xs = tt.broadcast %row : tensor<1x16xi32> -> tensor<16x16xi32>
  %offsets = arith.addi %o2, %xs : tensor<16x16xi32>
  %a2 = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ps = tt.addptr %a2, %offsets : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %c0 = arith.constant 0 : i32
  %bound = arith.addi %n, %c0 : i32
  %bounds = tt.splat %bound : i32 -> tensor<16x1xi32>
  %in = arith.cmpi ult, %col, %bounds : tensor<16x1xi32>
  %mask = tt.broadcast %in : tensor<16x1xi1> -> tensor<16x16xi1>
  %x = tt.load %ps, %mask : tensor<16x16x!tt.ptr<f32>>
  %d = tt.dot %x, %w, %acc : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
}

// -----

// Nothing is known of a bound that is loaded.
//
// CHECK-LABEL: tt.func public @unsigned_number
// CHECK-NOT: ttig.surface
// REMARK-DAG: plain pointers stay: its mask has no bounds to read: an unsigned comparison with what may be negative
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @unsigned_number(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32, %p: !tt.ptr<i32>, %ld: i32 {tt.divisibility = 16 : i32}, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %col = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %row = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %ld1 = tt.splat %ld : i32 -> tensor<16x1xi32>
  %o = arith.muli %col, %ld1 : tensor<16x1xi32>
  %o2 = tt.broadcast %o : tensor<16x1xi32> -> tensor<16x16xi32>
  %xs = tt.broadcast %row : tensor<1x16xi32> -> tensor<16x16xi32>
  %offsets = arith.addi %o2, %xs : tensor<16x16xi32>
  %a2 = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ps = tt.addptr %a2, %offsets : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %bound = tt.load %p : !tt.ptr<i32>
  %bounds = tt.splat %bound : i32 -> tensor<16x1xi32>
  %in = arith.cmpi ult, %col, %bounds : tensor<16x1xi32>
  %mask = tt.broadcast %in : tensor<16x1xi1> -> tensor<16x16xi1>
  %x = tt.load %ps, %mask : tensor<16x16x!tt.ptr<f32>>
  %d = tt.dot %x, %w, %acc : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
}
