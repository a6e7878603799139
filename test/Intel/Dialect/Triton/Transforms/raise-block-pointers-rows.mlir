// RUN: triton-xe-opt %s -split-input-file -triton-intel-raise-block-pointers -loop-invariant-code-motion -canonicalize -cse 2>/dev/null | FileCheck %s
// RUN: triton-xe-opt %s -split-input-file -triton-intel-raise-block-pointers=print-forms -remarks-filter-missed=triton-intel-raise-block-pointers -remark-format=emitRemark 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Tokens of an expert: the rows of A are numbers that were loaded, divided by a
// uniform value; those after the last token do not exist. The mask of rows
// states this; the bound of K is the extent. The result goes to rows again.
//
// CHECK-LABEL: tt.func public @tokens
// CHECK-SAME: (%[[A:[^:]*]]: !tt.ptr<f16> {{[^,]*}}, %[[C:[^:]*]]: !tt.ptr<f32> {{[^,]*}}, %{{[^:]*}}: tensor<32x!tt.ptr<i64>>, %[[K:[^:]*]]: i32
// CHECK-DAG: %[[TOKENS:.*]] = tt.load %{{.*}} : tensor<32x!tt.ptr<i64>>
// CHECK-DAG: %[[COLUMN:.*]] = tt.expand_dims %[[TOKENS]] {axis = 1 : i32}
// CHECK-DAG: %[[ROWS:.*]] = arith.divsi %[[COLUMN]]
// CHECK-DAG: %[[MASK:.*]] = tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<32xi1>
// CHECK-DAG: %[[K64:.*]] = arith.extsi %[[K]]
// CHECK-DAG: %[[P:.*]] = ttig.surface %[[A]], [%c1_i64, %[[K64]]], [%{{.*}}, %c1_i64]
// CHECK: scf.for %[[IV:[^ ]*]] = {{.*}} -> (tensor<32x16xf32>)
// CHECK: ttig.load_block %[[P]][%c0_i32, %[[IV]]] rows %[[ROWS]] mask %[[MASK]] {boundaryCheck = array<i32: 1>, cache = 3 : i32, padding = 1 : i32}{{.*}} -> tensor<32x16xf16>
// CHECK: %[[Q:.*]] = ttig.surface %[[C]], [%c1_i64, %c16_i64]
// CHECK: ttig.store_block %{{.*}}, %[[Q]]{{.*}} rows %[[COLUMN]] mask %[[MASK]]
// CHECK-NOT: tensor<32x16x!tt.ptr
// REMARK: a block of %arg0, [0 + rows %{{.*}} under 1 masks by %arg4], [%{{.*}} of %arg3 by 1]
// REMARK: a block of %arg1, [0 + rows %{{.*}} under 1 masks by 64], [0 of at least 16 by 1]
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @tokens(%a: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %t: tensor<32x!tt.ptr<i64>>, %k: i32 {tt.divisibility = 16 : i32}, %ld: i32 {tt.divisibility = 16 : i32}, %top: i32, %valid: i64, %w: tensor<16x16xf16>) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant dense<64> : tensor<32x1xi64>
  %zero = arith.constant dense<0.0> : tensor<32x16xf16>
  %init = arith.constant dense<0.0> : tensor<32x16xf32>
  %tokens = tt.load %t : tensor<32x!tt.ptr<i64>>
  %limit = tt.splat %valid : i64 -> tensor<32xi64>
  %is_valid = arith.cmpi slt, %tokens, %limit : tensor<32xi64>
  %mask = tt.expand_dims %is_valid {axis = 1 : i32} : tensor<32xi1> -> tensor<32x1xi1>
  %mask2 = tt.broadcast %mask : tensor<32x1xi1> -> tensor<32x16xi1>
  %column = tt.expand_dims %tokens {axis = 1 : i32} : tensor<32xi64> -> tensor<32x1xi64>
  %top64 = arith.extsi %top : i32 to i64
  %tops = tt.splat %top64 : i64 -> tensor<32x1xi64>
  %rows = arith.divsi %column, %tops : tensor<32x1xi64>
  %ld64 = arith.extsi %ld : i32 to i64
  %pitch = tt.splat %ld64 : i64 -> tensor<32x1xi64>
  %line = arith.muli %rows, %pitch : tensor<32x1xi64>
  %line2 = tt.broadcast %line : tensor<32x1xi64> -> tensor<32x16xi64>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %ks = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %ks64 = arith.extsi %ks : tensor<1x16xi32> to tensor<1x16xi64>
  %ks2 = tt.broadcast %ks64 : tensor<1x16xi64> -> tensor<32x16xi64>
  %offsets = arith.addi %line2, %ks2 : tensor<32x16xi64>
  %base = tt.splat %a : !tt.ptr<f16> -> tensor<32x16x!tt.ptr<f16>>
  %p = tt.addptr %base, %offsets : tensor<32x16x!tt.ptr<f16>>, tensor<32x16xi64>
  %step = arith.constant dense<16> : tensor<32x16xi32>
  %acc:2 = scf.for %iv = %c0 to %k step %c16 iter_args(%sum = %init, %q = %p) -> (tensor<32x16xf32>, tensor<32x16x!tt.ptr<f16>>) : i32 {
    %left = arith.subi %k, %iv : i32
    %left2 = tt.splat %left : i32 -> tensor<1x16xi32>
    %in_k = arith.cmpi slt, %ks, %left2 : tensor<1x16xi32>
    %in_k2 = tt.broadcast %in_k : tensor<1x16xi1> -> tensor<32x16xi1>
    %both = arith.andi %mask2, %in_k2 : tensor<32x16xi1>
    %x = tt.load %q, %both, %zero cacheModifier = cg : tensor<32x16x!tt.ptr<f16>>
    %d = tt.dot %x, %w, %sum : tensor<32x16xf16> * tensor<16x16xf16> -> tensor<32x16xf32>
    %next = tt.addptr %q, %step : tensor<32x16x!tt.ptr<f16>>, tensor<32x16xi32>
    scf.yield %d, %next : tensor<32x16xf32>, tensor<32x16x!tt.ptr<f16>>
  }
  %cline = arith.muli %column, %c64 : tensor<32x1xi64>
  %cline2 = tt.broadcast %cline : tensor<32x1xi64> -> tensor<32x16xi64>
  %co = arith.addi %cline2, %ks2 : tensor<32x16xi64>
  %cbase = tt.splat %c : !tt.ptr<f32> -> tensor<32x16x!tt.ptr<f32>>
  %cp = tt.addptr %cbase, %co : tensor<32x16x!tt.ptr<f32>>, tensor<32x16xi64>
  tt.store %cp, %acc#0, %mask2 : tensor<32x16x!tt.ptr<f32>>
  tt.return
}
}

// -----

// The start of a table and a first row are part of the numbers; another value
// than zero for what is masked is chosen after the access; a mask of rows and
// one of all elements that is a bound of columns go apart.
//
// CHECK-LABEL: tt.func public @start
// CHECK: %[[ROWS:.*]] = tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<16xi32>
// CHECK: %[[WIDE:.*]] = arith.extsi %[[ROWS]] : tensor<16x1xi32> to tensor<16x1xi64>
// CHECK: %[[ALL:.*]] = arith.addi %[[WIDE]], %{{.*}} : tensor<16x1xi64>
// CHECK: %[[X:.*]] = ttig.load_block %{{.*}}{{.*}} rows %[[ALL]] mask %{{.*}} {boundaryCheck = array<i32: 1>, padding = 1 : i32}
// CHECK: arith.select %{{.*}}, %[[X]]
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @start(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %t: tensor<16xi32>, %y: i32, %n: i32 {tt.divisibility = 16 : i32}, %m: tensor<16x1xi1>, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %one = arith.constant dense<1.0> : tensor<16x16xf32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cols = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %cols2 = tt.broadcast %cols : tensor<1x16xi32> -> tensor<16x16xi32>
  %first = tt.splat %y : i32 -> tensor<16xi32>
  %rows = arith.addi %t, %first : tensor<16xi32>
  %column = tt.expand_dims %rows {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %pitch = tt.splat %n : i32 -> tensor<16x1xi32>
  %line = arith.muli %column, %pitch : tensor<16x1xi32>
  %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %offsets = arith.addi %line2, %cols2 : tensor<16x16xi32>
  %base = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %p = tt.addptr %base, %offsets : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %limit = tt.splat %n : i32 -> tensor<1x16xi32>
  %in_n = arith.cmpi slt, %cols, %limit : tensor<1x16xi32>
  %in_n2 = tt.broadcast %in_n : tensor<1x16xi1> -> tensor<16x16xi1>
  %m2 = tt.broadcast %m : tensor<16x1xi1> -> tensor<16x16xi1>
  %mask = arith.andi %in_n2, %m2 : tensor<16x16xi1>
  %x = tt.load %p, %mask, %one : tensor<16x16x!tt.ptr<f32>>
  %d = tt.dot %x, %w, %acc : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
}

// -----

// These accesses stay as they are: gathered columns; a volatile load; a mask that
// differs between the elements of a row by something other than a bound; elements of
// 64 bits; rows of a right operand, of which registers hold several; and rows that no
// dot uses. Row numbers may come out of two branches.
//
// CHECK-LABEL: tt.func public @declined
// CHECK-COUNT-1: ttig.load_block {{.*}} rows
// CHECK-NOT: ttig.load_block {{.*}} rows
// REMARK-DAG: plain pointers stay: it gathers more, or other, than rows by their numbers
// REMARK-DAG: plain pointers stay: it is volatile
// REMARK-DAG: plain pointers stay: its mask has no bounds to read: a mask from elsewhere
// REMARK-DAG: plain pointers stay: elements of 64 bits do not fit the registers of a 2D block message
// REMARK-DAG: plain pointers stay: the rows that it gathers are neither those of a left operand nor of the result of a dot
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @declined(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %e: !tt.ptr<f64> {tt.divisibility = 64 : i32}, %t: tensor<16xi32>, %u: tensor<16xi32>, %c: i1, %n: i32 {tt.divisibility = 16 : i32}, %m: tensor<16x16xi1>, %w: tensor<16x16xf32>, %acc: tensor<16x16xf32>, %acc64: tensor<16x16xf64>, %w64: tensor<16x16xf64>, %out: tensor<16x16x!tt.ptr<f32>>) -> (tensor<16x16xf32>, tensor<16x16xf64>) {
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %pitch = tt.splat %n : i32 -> tensor<16x1xi32>
  %base = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %cols = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %cols2 = tt.broadcast %cols : tensor<1x16xi32> -> tensor<16x16xi32>

  %lines = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %o0 = arith.muli %lines, %pitch : tensor<16x1xi32>
  %o1 = tt.broadcast %o0 : tensor<16x1xi32> -> tensor<16x16xi32>
  %gathered = tt.expand_dims %t {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %gathered2 = tt.broadcast %gathered : tensor<1x16xi32> -> tensor<16x16xi32>
  %o2 = arith.addi %o1, %gathered2 : tensor<16x16xi32>
  %p0 = tt.addptr %base, %o2 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %x0 = tt.load %p0 : tensor<16x16x!tt.ptr<f32>>

  %rows = tt.expand_dims %t {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %o3 = arith.muli %rows, %pitch : tensor<16x1xi32>
  %o4 = tt.broadcast %o3 : tensor<16x1xi32> -> tensor<16x16xi32>
  %o5 = arith.addi %o4, %cols2 : tensor<16x16xi32>
  %p1 = tt.addptr %base, %o5 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %x1 = tt.load %p1 {isVolatile = true} : tensor<16x16x!tt.ptr<f32>>
  %x2 = tt.load %p1, %m : tensor<16x16x!tt.ptr<f32>>

  %ebase = tt.splat %e : !tt.ptr<f64> -> tensor<16x16x!tt.ptr<f64>>
  %ep = tt.addptr %ebase, %o5 : tensor<16x16x!tt.ptr<f64>>, tensor<16x16xi32>
  %x3 = tt.load %ep : tensor<16x16x!tt.ptr<f64>>

  %chosen = scf.if %c -> (tensor<16xi32>) {
    scf.yield %t : tensor<16xi32>
  } else {
    scf.yield %u : tensor<16xi32>
  }
  %rows6 = tt.expand_dims %chosen {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %o6 = arith.muli %rows6, %pitch : tensor<16x1xi32>
  %o7 = tt.broadcast %o6 : tensor<16x1xi32> -> tensor<16x16xi32>
  %o8 = arith.addi %o7, %cols2 : tensor<16x16xi32>
  %p4 = tt.addptr %base, %o8 : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %x4 = tt.load %p4 : tensor<16x16x!tt.ptr<f32>>

  %x5 = tt.load %p4 : tensor<16x16x!tt.ptr<f32>>
  tt.store %out, %x5 : tensor<16x16x!tt.ptr<f32>>
  %x6 = tt.load %p4 : tensor<16x16x!tt.ptr<f32>>

  %s0 = arith.addf %x0, %x1 : tensor<16x16xf32>
  %s1 = arith.addf %x2, %x4 : tensor<16x16xf32>
  %s2 = arith.addf %s0, %s1 : tensor<16x16xf32>
  %d = tt.dot %s2, %x6, %acc : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %d64 = tt.dot %x3, %w64, %acc64 : tensor<16x16xf64> * tensor<16x16xf64> -> tensor<16x16xf64>
  tt.return %d, %d64 : tensor<16x16xf32>, tensor<16x16xf64>
}
}

// -----

// Elements of 8 bits come two to a lane: integers that a dot takes as they are,
// integers that the kernel widens, and floats, which the dot widens.
//
// CHECK-LABEL: tt.func public @bytes
// CHECK: %[[ROWS:.*]] = ttig.load_block {{.*}}{{.*}} -> tensor<16x64xi8>
// CHECK: tt.dot %[[ROWS]]
// CHECK: arith.sitofp %[[ROWS]]
// CHECK: ttig.load_block {{.*}}{{.*}} -> tensor<16x64xf8E5M2>
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @bytes(%a: !tt.ptr<i8> {tt.divisibility = 64 : i32}, %f: !tt.ptr<f8E5M2> {tt.divisibility = 64 : i32}, %t: tensor<16xi32>, %w: tensor<64x16xi8>, %w8: tensor<64x16xf8E5M2>, %w16: tensor<64x16xf16>, %acc: tensor<16x16xi32>, %facc: tensor<16x16xf32>) -> (tensor<16x16xi32>, tensor<16x16xf32>, tensor<16x16xf32>) {
  %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %cols = tt.expand_dims %range {axis = 0 : i32} : tensor<64xi32> -> tensor<1x64xi32>
  %cols2 = tt.broadcast %cols : tensor<1x64xi32> -> tensor<16x64xi32>
  %pitch = arith.constant dense<64> : tensor<16x1xi32>
  %rows = tt.expand_dims %t {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %line = arith.muli %rows, %pitch : tensor<16x1xi32>
  %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x64xi32>
  %offsets = arith.addi %line2, %cols2 : tensor<16x64xi32>
  %abase = tt.splat %a : !tt.ptr<i8> -> tensor<16x64x!tt.ptr<i8>>
  %ap = tt.addptr %abase, %offsets : tensor<16x64x!tt.ptr<i8>>, tensor<16x64xi32>
  %x = tt.load %ap : tensor<16x64x!tt.ptr<i8>>
  %d = tt.dot %x, %w, %acc : tensor<16x64xi8> * tensor<64x16xi8> -> tensor<16x16xi32>
  %y = tt.load %ap : tensor<16x64x!tt.ptr<i8>>
  %wide = arith.sitofp %y : tensor<16x64xi8> to tensor<16x64xf16>
  %e = tt.dot %wide, %w16, %facc : tensor<16x64xf16> * tensor<64x16xf16> -> tensor<16x16xf32>
  %fbase = tt.splat %f : !tt.ptr<f8E5M2> -> tensor<16x64x!tt.ptr<f8E5M2>>
  %fp = tt.addptr %fbase, %offsets : tensor<16x64x!tt.ptr<f8E5M2>>, tensor<16x64xi32>
  %z = tt.load %fp : tensor<16x64x!tt.ptr<f8E5M2>>
  %g = tt.dot %z, %w8, %facc : tensor<16x64xf8E5M2> * tensor<64x16xf8E5M2> -> tensor<16x16xf32>
  tt.return %d, %e, %g : tensor<16x16xi32>, tensor<16x16xf32>, tensor<16x16xf32>
}
}

// -----

// Rows of 16 bytes are less than a message has.
//
// CHECK-LABEL: tt.func public @short_bytes
// CHECK-NOT: ttig.load_block {{.*}} rows
// CHECK: tt.return
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @short_bytes(%f: !tt.ptr<f8E5M2> {tt.divisibility = 64 : i32}, %t: tensor<16xi32>, %w: tensor<16x16xf8E5M2>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cols = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %cols2 = tt.broadcast %cols : tensor<1x16xi32> -> tensor<16x16xi32>
  %pitch = arith.constant dense<64> : tensor<16x1xi32>
  %rows = tt.expand_dims %t {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %line = arith.muli %rows, %pitch : tensor<16x1xi32>
  %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %offsets = arith.addi %line2, %cols2 : tensor<16x16xi32>
  %fbase = tt.splat %f : !tt.ptr<f8E5M2> -> tensor<16x16x!tt.ptr<f8E5M2>>
  %fp = tt.addptr %fbase, %offsets : tensor<16x16x!tt.ptr<f8E5M2>>, tensor<16x16xi32>
  %z = tt.load %fp : tensor<16x16x!tt.ptr<f8E5M2>>
  %g = tt.dot %z, %w, %acc : tensor<16x16xf8E5M2> * tensor<16x16xf8E5M2> -> tensor<16x16xf32>
  tt.return %g : tensor<16x16xf32>
}
}

// -----

// A tensor that is added to the result of a dot, after other arithmetic, has its rows.
//
// CHECK-LABEL: tt.func public @added
// CHECK: tt.dot
// CHECK: ttig.load_block {{.*}} rows
// CHECK: ttig.store_block {{.*}} rows
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @added(%a: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %t: tensor<16xi32>, %x: tensor<16x16xf16>, %w: tensor<16x16xf16>, %acc: tensor<16x16xf32>) {
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %cols = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %cols2 = tt.broadcast %cols : tensor<1x16xi32> -> tensor<16x16xi32>
  %pitch = arith.constant dense<64> : tensor<16x1xi32>
  %rows = tt.expand_dims %t {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %line = arith.muli %rows, %pitch : tensor<16x1xi32>
  %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %offsets = arith.addi %line2, %cols2 : tensor<16x16xi32>
  %abase = tt.splat %a : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %cbase = tt.splat %c : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %ap = tt.addptr %abase, %offsets : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %cp = tt.addptr %cbase, %offsets : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %d = tt.dot %x, %w, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %short = tt.load %ap : tensor<16x16x!tt.ptr<f32>>
  %wide = arith.mulf %short, %short : tensor<16x16xf32>
  %sum = arith.addf %d, %wide : tensor<16x16xf32>
  tt.store %cp, %sum : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
}

// -----

// Columns of the right operand wrap around. The columns after the last one are
// those that the mask of the store leaves out, which is a conjunction with a
// mask of rows of which nothing is known: there is one version of the loop.
//
// CHECK-LABEL: tt.func public @unobserved_columns
// CHECK-NOT: scf.if
// CHECK: ttig.surface %arg1, [%{{.*}}, %[[N:.*]]], [%{{.*}}, %c1_i64]
// CHECK: scf.for
// CHECK: ttig.load_block {{.*}} {boundaryCheck = array<i32: 1>, padding = 1 : i32}
// CHECK-NOT: scf.if
// CHECK: ttig.store_block {{.*}} {boundaryCheck = array<i32: 1>}
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
tt.func public @unobserved_columns(%a: tensor<16x16xf16>, %b: !tt.ptr<f16> {tt.divisibility = 64 : i32}, %c: !tt.ptr<f32> {tt.divisibility = 64 : i32}, %t: tensor<16xi32>, %m: tensor<16x1xi1>, %n: i32 {tt.divisibility = 16 : i32}, %k: i32 {tt.divisibility = 16 : i32}) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %init = arith.constant dense<0.0> : tensor<16x16xf32>
  %pid = tt.get_program_id x : i32
  %x = arith.muli %pid, %c16 : i32
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %xs = tt.splat %x : i32 -> tensor<16xi32>
  %columns = arith.addi %xs, %range : tensor<16xi32>
  %limit = tt.splat %n : i32 -> tensor<16xi32>
  %wrapped = arith.remsi %columns, %limit : tensor<16xi32>
  %w2 = tt.expand_dims %wrapped {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %w3 = tt.broadcast %w2 : tensor<1x16xi32> -> tensor<16x16xi32>
  %ks = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %pitch = tt.splat %n : i32 -> tensor<16x1xi32>
  %bbase = tt.splat %b : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  %acc = scf.for %iv = %c0 to %k step %c16 iter_args(%sum = %init) -> (tensor<16x16xf32>) : i32 {
    %iv2 = tt.splat %iv : i32 -> tensor<16x1xi32>
    %row = arith.addi %iv2, %ks : tensor<16x1xi32>
    %line = arith.muli %row, %pitch : tensor<16x1xi32>
    %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
    %o = arith.addi %line2, %w3 : tensor<16x16xi32>
    %p = tt.addptr %bbase, %o : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
    %y = tt.load %p : tensor<16x16x!tt.ptr<f16>>
    %d = tt.dot %a, %y, %sum : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    scf.yield %d : tensor<16x16xf32>
  }
  %tokens = tt.expand_dims %t {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %cline = arith.muli %tokens, %pitch : tensor<16x1xi32>
  %cline2 = tt.broadcast %cline : tensor<16x1xi32> -> tensor<16x16xi32>
  %c2 = tt.expand_dims %columns {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %c3 = tt.broadcast %c2 : tensor<1x16xi32> -> tensor<16x16xi32>
  %co = arith.addi %cline2, %c3 : tensor<16x16xi32>
  %cbase = tt.splat %c : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %cp = tt.addptr %cbase, %co : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %inside = arith.cmpi slt, %columns, %limit : tensor<16xi32>
  %i2 = tt.expand_dims %inside {axis = 0 : i32} : tensor<16xi1> -> tensor<1x16xi1>
  %i3 = tt.broadcast %i2 : tensor<1x16xi1> -> tensor<16x16xi1>
  %m2 = tt.broadcast %m : tensor<16x1xi1> -> tensor<16x16xi1>
  %mask = arith.andi %m2, %i3 : tensor<16x16xi1>
  tt.store %cp, %acc, %mask : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
}
