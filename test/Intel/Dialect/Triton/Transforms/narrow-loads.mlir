// RUN: triton-xe-opt %s --triton-intel-narrow-loads --cse | FileCheck %s
// RUN: triton-xe-opt %s --triton-intel-narrow-loads -o /dev/null --remarks-filter-passed=triton-intel-narrow-loads --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

module {

// Rows 0 to 7, and 8 to 15, are the same in memory: one row of each is loaded, and masked.
// REMARK: Reason="8 neighbours along dimension 0 are the same, and loaded once"
// CHECK-LABEL: tt.func @words
// CHECK: %[[TWO:.*]] = tt.make_range {end = 2 : i32, start = 0 : i32} : tensor<2xi32>
// CHECK: %[[EIGHTH:.*]] = arith.muli %[[TWO]], %{{.*}} : tensor<2xi32>
// CHECK: arith.divsi %[[EIGHTH]], %{{.*}} : tensor<2xi32>
// CHECK: %[[N:.*]] = tt.load %{{.*}}, %{{.*}}, %{{.*}} : tensor<2x16x!tt.ptr<i32>>
// CHECK: %[[E:.*]] = tt.expand_dims %[[N]] {axis = 1 : i32} : tensor<2x16xi32> -> tensor<2x1x16xi32>
// CHECK: %[[B:.*]] = tt.broadcast %[[E]] : tensor<2x1x16xi32> -> tensor<2x8x16xi32>
// CHECK: %[[W:.*]] = tt.reshape %[[B]] : tensor<2x8x16xi32> -> tensor<16x16xi32>
// CHECK: %[[SHIFTED:.*]] = arith.shrsi %[[W]]
// CHECK: tt.dot
tt.func @words(%p: !tt.ptr<i32>, %n: i32, %x: tensor<16x16xf16>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c8 = arith.constant dense<8> : tensor<16xi32>
  %other = arith.constant dense<0> : tensor<16x16xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %row = arith.divsi %range, %c8 : tensor<16xi32>
  %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %pitch = tt.splat %n : i32 -> tensor<16x1xi32>
  %line = arith.muli %row1, %pitch : tensor<16x1xi32>
  %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %column2 = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %line2, %column2 : tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<i32> -> tensor<16x16x!tt.ptr<i32>>
  %at = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<i32>>, tensor<16x16xi32>
  %limit = tt.splat %n : i32 -> tensor<1x16xi32>
  %inside = arith.cmpi slt, %column, %limit : tensor<1x16xi32>
  %mask = tt.broadcast %inside : tensor<1x16xi1> -> tensor<16x16xi1>
  %word = tt.load %at, %mask, %other : tensor<16x16x!tt.ptr<i32>>
  %places = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %places2 = tt.broadcast %places : tensor<16x1xi32> -> tensor<16x16xi32>
  %weight = arith.shrsi %word, %places2 : tensor<16x16xi32>
  %y = arith.sitofp %weight : tensor<16x16xi32> to tensor<16x16xf16>
  %d = tt.dot %x, %y, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// A scale for all rows, and what is computed of it and of another row, is computed for one row. The loop's step is the same for
// all elements.
// REMARK: Reason="16 neighbours along dimension 0 are the same, and loaded once"
// CHECK-LABEL: tt.func @scales
// CHECK: %[[FIRST:.*]] = tt.addptr %{{.*}} : tensor<1x16x!tt.ptr<f16>>
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[COUNT:.*]] = arith.divsi %[[I]]
// CHECK: arith.muli
// CHECK: %[[AT:.*]] = tt.addptr %[[FIRST]], %{{.*}} : tensor<1x16x!tt.ptr<f16>>
// CHECK: %[[S:.*]] = tt.load %[[AT]] : tensor<1x16x!tt.ptr<f16>>
// CHECK: %[[F:.*]] = arith.mulf %[[S]], %{{.*}} : tensor<1x16xf16>
// CHECK: %[[ALL:.*]] = tt.broadcast %[[F]] : tensor<1x16xf16> -> tensor<16x16xf16>
// CHECK: tt.dot %{{.*}}, %[[ALL]]
tt.func @scales(%p: !tt.ptr<f16>, %n: i32, %f: f16, %x: tensor<16x16xf16>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %column2 = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  %first = tt.addptr %base, %column2 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
  %step = tt.splat %n : i32 -> tensor<16x16xi32>
  %factor = tt.splat %f : f16 -> tensor<16x16xf16>
  %r:2 = scf.for %i = %c0 to %n step %c2 iter_args(%at = %first, %sum = %acc) -> (tensor<16x16x!tt.ptr<f16>>, tensor<16x16xf32>) : i32 {
    %s = tt.load %at : tensor<16x16x!tt.ptr<f16>>
    %y = arith.mulf %s, %factor : tensor<16x16xf16>
    %d = tt.dot %x, %y, %sum : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %next = tt.addptr %at, %step : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
    scf.yield %next, %d : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xf32>
  }
  tt.return %r#1 : tensor<16x16xf32>
}

// Left alone: a mask that is another one in each row, volatile loads, values that are stored, too, and pointers that a loop
// makes in another way.
// REMARK-NOT: neighbours
// CHECK-LABEL: tt.func @others
// CHECK-COUNT-4: tt.load %{{.*}} : tensor<16x16x!tt.ptr<f16>>
// CHECK-NOT: tt.load
// CHECK: tt.return
tt.func @others(%p: !tt.ptr<f16>, %n: i32, %x: tensor<16x16xf16>, %acc: tensor<16x16xf32>, %steps: tensor<16x16xi32>, %out: tensor<16x16x!tt.ptr<f16>>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %column2 = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  %first = tt.addptr %base, %column2 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
  %row = tt.expand_dims %range {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %limit = tt.splat %n : i32 -> tensor<16x1xi32>
  %inside = arith.cmpi slt, %row, %limit : tensor<16x1xi32>
  %mask = tt.broadcast %inside : tensor<16x1xi1> -> tensor<16x16xi1>
  %y0 = tt.load %first, %mask : tensor<16x16x!tt.ptr<f16>>
  %y1 = tt.load %first {isVolatile = true} : tensor<16x16x!tt.ptr<f16>>
  %y2 = tt.load %first : tensor<16x16x!tt.ptr<f16>>
  tt.store %out, %y2 : tensor<16x16x!tt.ptr<f16>>
  %d0 = tt.dot %x, %y0, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %d1 = tt.dot %x, %y1, %d0 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %d2 = tt.dot %x, %y2, %d1 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %r:2 = scf.for %i = %c0 to %n step %c2 iter_args(%at = %first, %sum = %d2) -> (tensor<16x16x!tt.ptr<f16>>, tensor<16x16xf32>) : i32 {
    %s = tt.load %at : tensor<16x16x!tt.ptr<f16>>
    %d = tt.dot %x, %s, %sum : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
    %next = tt.addptr %at, %steps : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
    scf.yield %next, %d : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xf32>
  }
  tt.return %r#1 : tensor<16x16xf32>
}

// Values that are computed from a narrow load in two ways that meet again are
// computed narrow. One of the two is found after their sum.
// REMARK: Reason="8 neighbours along dimension 0 are the same, and loaded once"
// CHECK-LABEL: tt.func @diamond
// CHECK: %[[W:.*]] = tt.load %{{.*}} : tensor<2x16x!tt.ptr<i32>>
// CHECK-DAG: %[[LOW:.*]] = arith.andi %[[W]], %{{.*}} : tensor<2x16xi32>
// CHECK-DAG: %[[HIGH:.*]] = arith.shrsi %[[W]], %{{.*}} : tensor<2x16xi32>
// CHECK: %[[SUM:.*]] = arith.addi %[[LOW]], %[[HIGH]] : tensor<2x16xi32>
// CHECK: arith.sitofp %[[SUM]] : tensor<2x16xi32> to tensor<2x16xf16>
// CHECK-NOT: tensor<16x16xi32>
// CHECK: tt.dot
tt.func @diamond(%p: !tt.ptr<i32>, %n: i32, %x: tensor<16x16xf16>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %c8 = arith.constant dense<8> : tensor<16xi32>
  %c4 = arith.constant dense<4> : tensor<16x16xi32>
  %c15 = arith.constant dense<15> : tensor<16x16xi32>
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %row = arith.divsi %range, %c8 : tensor<16xi32>
  %row1 = tt.expand_dims %row {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %pitch = tt.splat %n : i32 -> tensor<16x1xi32>
  %line = arith.muli %row1, %pitch : tensor<16x1xi32>
  %line2 = tt.broadcast %line : tensor<16x1xi32> -> tensor<16x16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %column2 = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %offset = arith.addi %line2, %column2 : tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<i32> -> tensor<16x16x!tt.ptr<i32>>
  %at = tt.addptr %base, %offset : tensor<16x16x!tt.ptr<i32>>, tensor<16x16xi32>
  %word = tt.load %at : tensor<16x16x!tt.ptr<i32>>
  %low = arith.andi %word, %c15 : tensor<16x16xi32>
  %high = arith.shrsi %word, %c4 : tensor<16x16xi32>
  %sum = arith.addi %low, %high : tensor<16x16xi32>
  %y = arith.sitofp %sum : tensor<16x16xi32> to tensor<16x16xf16>
  %d = tt.dot %x, %y, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// Two loads of the same stretches: what is computed of both is computed narrow.
// CHECK-LABEL: tt.func @both
// CHECK: arith.mulf %{{.*}}, %{{.*}} : tensor<1x16xf16>
// CHECK-NOT: arith.mulf
// CHECK: tt.dot
tt.func @both(%p: !tt.ptr<f16>, %q: !tt.ptr<f16>, %x: tensor<16x16xf16>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %column2 = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  %at = tt.addptr %base, %column2 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
  %base2 = tt.splat %q : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  %at2 = tt.addptr %base2, %column2 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
  %s = tt.load %at : tensor<16x16x!tt.ptr<f16>>
  %t = tt.load %at2 : tensor<16x16x!tt.ptr<f16>>
  %y = arith.mulf %s, %t : tensor<16x16xf16>
  %d = tt.dot %x, %y, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}

// A value that has no slice has none for its second user either: both are computed from all elements.
// CHECK-LABEL: tt.func @refused
// CHECK: tt.load %{{.*}} : tensor<1x16x!tt.ptr<f16>>
// CHECK: arith.mulf %{{.*}}, %{{.*}} : tensor<16x16xf16>
// CHECK: arith.addf %{{.*}}, %{{.*}} : tensor<16x16xf16>
// CHECK: tt.dot
tt.func @refused(%p: !tt.ptr<f16>, %other: tensor<256xf16>, %x: tensor<16x16xf16>, %acc: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %range = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  %column = tt.expand_dims %range {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %column2 = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %base = tt.splat %p : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  %at = tt.addptr %base, %column2 : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
  %s = tt.load %at : tensor<16x16x!tt.ptr<f16>>
  %t = tt.reshape %other : tensor<256xf16> -> tensor<16x16xf16>
  %product = arith.mulf %s, %t : tensor<16x16xf16>
  %sum = arith.addf %s, %t : tensor<16x16xf16>
  %y = arith.addf %product, %sum : tensor<16x16xf16>
  %d = tt.dot %x, %y, %acc : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  tt.return %d : tensor<16x16xf32>
}
}
