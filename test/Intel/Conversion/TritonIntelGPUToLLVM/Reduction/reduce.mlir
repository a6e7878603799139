// RUN: triton-xe-opt %s --triton-xe-allocation-pipeline --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#two = #ttg.blocked<{sizePerThread = [2, 8], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#lanes = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#warps = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#half = #ttg.linear<{register = [], lane = [[1], [2], [4], [8]], warp = [[16], [0]], block = []}>
#pair = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [1, 0]}>
#split = #ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [2, 8], warpsPerCTA = [1, 4], order = [1, 0]}>
#copies = #ttg.linear<{register = [], lane = [[1], [2], [0], [0]], warp = [[0], [0]], block = []}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Within a work-item: whole vectors, then halves of one; no call.
// CHECK-LABEL: llvm.func spir_kernelcc @registers
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         arith.addf {{.*}} : vector<8xf32>
// CHECK:         arith.addf {{.*}} : vector<4xf32>
// CHECK:         arith.addf {{.*}} : vector<2xf32>
// CHECK:         arith.addf {{.*}} : f32
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @registers(%x: tensor<64x16xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64x16xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  tt.return %r : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
}

// Products are added one after the other, in the number of sums that multiply-adds
// take in turn: all but the first ones are one multiply-add each.
// CHECK-LABEL: llvm.func spir_kernelcc @products
// CHECK:         arith.addf {{.*}} : vector<4xf32>
// CHECK:         arith.addf {{.*}} : vector<4xf32>
// CHECK:         arith.addf {{.*}} : vector<4xf32>
// CHECK:         arith.addf {{.*}} : vector<2xf32>
// CHECK:         arith.addf {{.*}} : f32
// CHECK-NOT:     arith.addf
// CHECK:         llvm.return
tt.func @products(%x: tensor<64x16xf32, #blocked>, %y: tensor<64x16xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> {
  %p = arith.mulf %x, %y : tensor<64x16xf32, #blocked>
  %r = "tt.reduce"(%p) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64x16xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  tt.return %r : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
}

// A lane's two rows are two of the sums.
// CHECK-LABEL: llvm.func spir_kernelcc @products_of_rows
// CHECK-COUNT-3: arith.addf {{.*}} : vector<4xf32>
// CHECK:         arith.addf {{.*}} : vector<2xf32>
// CHECK-NOT:     arith.addf
// CHECK:         llvm.return
tt.func @products_of_rows(%x: tensor<128x8xf32, #two>, %y: tensor<128x8xf32, #two>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #two}>> {
  %p = arith.mulf %x, %y : tensor<128x8xf32, #two>
  %r = "tt.reduce"(%p) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<128x8xf32, #two>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #two}>>
  tt.return %r : tensor<128xf32, #ttg.slice<{dim = 1, parent = #two}>>
}

// Two sums of products take turns with each other: each one has half of the sums.
// CHECK-LABEL: llvm.func spir_kernelcc @two_sums
// CHECK-COUNT-7: arith.addf {{.*}} : vector<2xf32>
// CHECK:         arith.addf {{.*}} : f32
// CHECK-COUNT-7: arith.addf {{.*}} : vector<2xf32>
// CHECK:         arith.addf {{.*}} : f32
// CHECK-NOT:     arith.addf
// CHECK:         llvm.return
tt.func @two_sums(%x: tensor<64x16xf32, #blocked>, %y: tensor<64x16xf32, #blocked>) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>) {
  %p = arith.mulf %x, %y : tensor<64x16xf32, #blocked>
  %r = "tt.reduce"(%p) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64x16xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  %q = arith.mulf %x, %x : tensor<64x16xf32, #blocked>
  %s = "tt.reduce"(%q) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64x16xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  tt.return %r, %s : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
}

// Declined: products with another use are made in any case, ...
// CHECK-LABEL: llvm.func spir_kernelcc @used_products
// CHECK:         arith.addf {{.*}} : vector<8xf32>
// CHECK:         arith.addf {{.*}} : vector<4xf32>
// CHECK:         llvm.return
tt.func @used_products(%x: tensor<64x16xf32, #blocked>, %y: tensor<64x16xf32, #blocked>) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64x16xf32, #blocked>) {
  %p = arith.mulf %x, %y : tensor<64x16xf32, #blocked>
  %r = "tt.reduce"(%p) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64x16xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  tt.return %r, %p : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64x16xf32, #blocked>
}

// ... and a maximum of products is no multiply-add.
// CHECK-LABEL: llvm.func spir_kernelcc @largest_product
// CHECK:         arith.maxnumf {{.*}} : vector<8xf32>
// CHECK:         llvm.return
tt.func @largest_product(%x: tensor<64x16xf32, #blocked>, %y: tensor<64x16xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>> {
  %p = arith.mulf %x, %y : tensor<64x16xf32, #blocked>
  %r = "tt.reduce"(%p) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64x16xf32, #blocked>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
  tt.return %r : tensor<64xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
}

// Within a sub-group: the region's own operation, since OpenCL's function for
// all lanes leaves NaN open. Two butterflies, and every lane combines the
// values of four.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes
// CHECK-NOT:     ttig.lane_reduce
// CHECK-COUNT-2: ttig.shuffle xor %{{.*}}, %{{.*}} : f32
// CHECK:         arith.maxnumf
// CHECK-COUNT-4: ttig.shuffle broadcast %{{.*}}, %{{.*}} : f32
// CHECK-COUNT-3: arith.maxnumf {{.*}} : f32
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @lanes(%x: tensor<4x16xf32, #lanes>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<4x16xf32, #lanes>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// Integers leave nothing open: one operation for all lanes. Unsigned ones have
// a separate operation; the operands may be swapped.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes_unsigned
// CHECK:         ttig.lane_reduce minu
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
tt.func @lanes_unsigned(%x: tensor<4x16xi32, #lanes>) -> tensor<4xi32, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.minui %b, %a : i32
    tt.reduce.return %c : i32
  }) : (tensor<4x16xi32, #lanes>) -> tensor<4xi32, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<4xi32, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// A region of several operations that do not commute: the same number of lanes
// is read.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes_large_region
// CHECK-COUNT-2: ttig.shuffle xor %{{.*}}, %{{.*}} : f32
// CHECK-COUNT-4: ttig.shuffle broadcast %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @lanes_large_region(%x: tensor<4x16xf32, #lanes>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    %d = arith.select %c, %a, %b : f32
    tt.reduce.return %d : f32
  }) : (tensor<4x16xf32, #lanes>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<4xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// Rows on other lanes: butterflies alone. The region gives two lanes that take
// the same values in different order different results (of a NaN), so that all
// take over those of one.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes_with_rows
// CHECK-COUNT-2: ttig.shuffle xor %{{.*}}, %{{.*}} : f32
// CHECK:         %[[LANE:.*]] = llvm.call spir_funccc @_Z22get_sub_group_local_idv
// CHECK:         %[[FIRST:.*]] = arith.andi %[[LANE]]
// CHECK:         ttig.shuffle lane %{{.*}}, %[[FIRST]] : f32
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @lanes_with_rows(%x: tensor<16x4xf32, #rows>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    %d = arith.select %c, %a, %b : f32
    tt.reduce.return %d : f32
  }) : (tensor<16x4xf32, #rows>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>>
  tt.return %r : tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>>
}

// A sum has one result in both lanes of a butterfly.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes_with_rows_sum
// CHECK-COUNT-2: ttig.shuffle xor %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @lanes_with_rows_sum(%x: tensor<16x4xf32, #rows>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<16x4xf32, #rows>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>>
  tt.return %r : tensor<16xf32, #ttg.slice<{dim = 1, parent = #rows}>>
}

// No function either for a region that does not take both of its arguments
// once, nor for an integer of 16 bits.
// CHECK-LABEL: llvm.func spir_kernelcc @lanes_same_argument
// CHECK-NOT:     ttig.lane_reduce
// CHECK:         llvm.return
tt.func @lanes_same_argument(%x: tensor<4x16xi32, #lanes>) -> tensor<4xi32, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %b, %b : i32
    tt.reduce.return %c : i32
  }) : (tensor<4x16xi32, #lanes>) -> tensor<4xi32, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<4xi32, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// CHECK-LABEL: llvm.func spir_kernelcc @lanes_short
// CHECK-NOT:     ttig.lane_reduce
// CHECK:         llvm.return
tt.func @lanes_short(%x: tensor<4x16xi16, #lanes>) -> tensor<4xi16, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: i16, %b: i16):
    %c = arith.addi %a, %b : i16
    tt.reduce.return %c : i16
  }) : (tensor<4x16xi16, #lanes>) -> tensor<4xi16, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<4xi16, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// Across warps: one partial result each, which all lanes store without a
// branch, a barrier, and all of them back in one vector.
// CHECK-LABEL: llvm.func spir_kernelcc @warps(
// CHECK-NOT:     ttig.lane_reduce
// CHECK-NOT:     scf.if
// CHECK:         llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK:         llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-3: arith.addf {{.*}} : f32
// CHECK-NOT:     llvm.load
// CHECK-NOT:     barrier
// CHECK:         llvm.return
tt.func @warps(%x: tensor<64xf32, #warps>) -> f32 {
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32, #warps>) -> f32
  tt.return %r : f32
}

// Two of them in the same exchange, each by its own operation: the same number
// of lanes is read as for one.
// CHECK-LABEL: llvm.func spir_kernelcc @two_operands
// CHECK-COUNT-4:  ttig.shuffle xor %{{.*}}, %{{.*}} : f32
// CHECK-NOT:      {{ttig.shuffle (lane|xor)}}
// CHECK-COUNT-8:  ttig.shuffle broadcast %{{.*}}, %{{.*}} : f32
// CHECK-NOT:      ttig.shuffle broadcast
// CHECK-COUNT-2:  llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK:          llvm.call spir_funccc @_Z7barrierj
// CHECK-COUNT-2:  llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT:      barrierj
// CHECK:          llvm.return
tt.func @two_operands(%x: tensor<64xf32, #warps>, %y: tensor<64xf32, #warps>) -> (f32, f32) {
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32, #warps>) -> f32
  %s = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32, #warps>) -> f32
  tt.return %r, %s : f32, f32
}

// Integers of both have their operations.
// CHECK-LABEL: llvm.func spir_kernelcc @two_integers
// CHECK:         ttig.lane_reduce add
// CHECK:         ttig.lane_reduce maxs
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK-NOT:     barrierj
// CHECK:         llvm.return
tt.func @two_integers(%x: tensor<64xi32, #warps>, %y: tensor<64xi32, #warps>) -> (i32, i32) {
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tt.reduce.return %c : i32
  }) : (tensor<64xi32, #warps>) -> i32
  %s = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.maxsi %a, %b : i32
    tt.reduce.return %c : i32
  }) : (tensor<64xi32, #warps>) -> i32
  tt.return %r, %s : i32, i32
}

// Warps that hold the same row: only one of them stores.
// CHECK-LABEL: llvm.func spir_kernelcc @warps_with_copies
// CHECK:         scf.if
// CHECK:           llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK:         llvm.load {{.*}} : !llvm.ptr<3> -> vector<2xf32>
// CHECK-NOT:     llvm.load
// CHECK:         llvm.return
tt.func @warps_with_copies(%x: tensor<32xf32, #half>) -> f32 {
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<32xf32, #half>) -> f32
  tt.return %r : f32
}

// Several rows in registers: the halves of two rows are combined in one
// register, so that two steps leave a quarter of the lanes to each row, and two
// more combine these. All lanes get all rows back from one lane each, in the
// order of the rows.
// CHECK-LABEL: llvm.func spir_kernelcc @registers_and_lanes(
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         %[[LANE:.*]] = llvm.call spir_funccc @_Z22get_sub_group_local_idv
// CHECK:         %[[BIT:.*]] = arith.andi %[[LANE]], %{{c8_.*}}
// CHECK:         %[[LOW:.*]] = arith.cmpi eq, %[[BIT]]
// CHECK:         %[[FIRST:.*]] = arith.andi %{{.*}}, %{{c7_.*}}
// CHECK-COUNT-2: ttig.shuffle lane %{{.*}}, %[[FIRST]] : vector<2xf32>
// CHECK-COUNT-2: arith.select %[[LOW]], %{{.*}}, %{{.*}} : f32
// CHECK:         %[[SECOND:.*]] = arith.xori %{{.*}}, %{{c8_.*}}
// CHECK-COUNT-2: ttig.shuffle lane %{{.*}}, %[[SECOND]] : vector<2xf32>
// CHECK-COUNT-2: arith.select %[[LOW]], %{{.*}}, %{{.*}} : f32
// CHECK:         arith.addf {{.*}} : vector<2xf32>
// CHECK-COUNT-2: ttig.shuffle lane %{{.*}}, %{{.*}} : f32
// CHECK:         arith.select
// CHECK-COUNT-2: ttig.shuffle lane %{{.*}}, %{{.*}} : f32
// CHECK:         arith.select
// CHECK:         arith.addf {{.*}} : f32
// CHECK-COUNT-2: ttig.shuffle xor %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     {{ttig.shuffle (lane|xor)}}
// CHECK:         ttig.shuffle broadcast %{{.*}}, %{{c0_.*}} : f32
// CHECK:         ttig.shuffle broadcast %{{.*}}, %{{c4_.*}} : f32
// CHECK:         ttig.shuffle broadcast %{{.*}}, %{{c8_.*}} : f32
// CHECK:         ttig.shuffle broadcast %{{.*}}, %{{c12_.*}} : f32
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @registers_and_lanes(%x: tensor<16x16xf32, #lanes>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<16x16xf32, #lanes>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<16xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// Values that do not fill registers: half of the lanes keeps each of two rows,
// and gets the other half of it from its partner.
// CHECK-LABEL: llvm.func spir_kernelcc @registers_and_lanes_narrow(
// CHECK:         arith.andi %{{.*}}, %{{c1_.*}}
// CHECK:         %[[LOW:.*]] = arith.cmpi eq
// CHECK:         arith.select %[[LOW]]
// CHECK:         ttig.shuffle xor %{{.*}}, %{{.*}} : vector<2xf16>
// CHECK:         arith.addf {{.*}} : vector<2xf16>
// CHECK:         arith.cmpi eq
// CHECK-COUNT-3: ttig.shuffle xor %{{.*}}, %{{.*}} : f16
// CHECK-NOT:     {{ttig.shuffle (lane|xor)}}
// CHECK-COUNT-4: ttig.shuffle broadcast %{{.*}}, %{{.*}} : f16
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @registers_and_lanes_narrow(%x: tensor<16x16xf16, #lanes>) -> tensor<16xf16, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f16, %b: f16):
    %c = arith.addf %a, %b : f16
    tt.reduce.return %c : f16
  }) : (tensor<16x16xf16, #lanes>) -> tensor<16xf16, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<16xf16, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// More rows than lanes: 16 of 32 are reduced without the others, as all bits
// of the lane number count rows then.
// CHECK-LABEL: llvm.func spir_kernelcc @more_rows_than_lanes
// CHECK-COUNT-4:  ttig.shuffle lane %{{.*}}, %{{.*}} : vector<8xi32>
// CHECK-COUNT-4:  ttig.shuffle lane %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK-COUNT-4:  ttig.shuffle lane %{{.*}}, %{{.*}} : vector<2xi32>
// CHECK-COUNT-4:  ttig.shuffle lane %{{.*}}, %{{.*}} : i32
// CHECK-NOT:      {{ttig.shuffle (lane|xor)|ttig.lane_reduce}}
// CHECK-COUNT-16: ttig.shuffle broadcast %{{.*}}, %{{.*}} : i32
// CHECK-COUNT-4:  ttig.shuffle lane %{{.*}}, %{{.*}} : vector<8xi32>
// CHECK-COUNT-4:  ttig.shuffle lane %{{.*}}, %{{.*}} : vector<4xi32>
// CHECK-COUNT-4:  ttig.shuffle lane %{{.*}}, %{{.*}} : vector<2xi32>
// CHECK-COUNT-4:  ttig.shuffle lane %{{.*}}, %{{.*}} : i32
// CHECK-NOT:      {{ttig.shuffle (lane|xor)|ttig.lane_reduce}}
// CHECK-COUNT-16: ttig.shuffle broadcast %{{.*}}, %{{.*}} : i32
// CHECK-NOT:      {{llvm.call|ttig.shuffle}}
// CHECK:          llvm.return
tt.func @more_rows_than_lanes(%x: tensor<128x16xi32, #lanes>) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: i32, %b: i32):
    %c = arith.addi %a, %b : i32
    tt.reduce.return %c : i32
  }) : (tensor<128x16xi32, #lanes>) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<128xi32, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// The region gives lanes that take the same values in different order different
// results, but each row comes from one lane: nothing to agree on.
// CHECK-LABEL: llvm.func spir_kernelcc @registers_and_lanes_large_region
// CHECK-COUNT-4: ttig.shuffle xor %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     {{ttig.shuffle (lane|xor)}}
// CHECK-COUNT-2: ttig.shuffle broadcast %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @registers_and_lanes_large_region(%x: tensor<8x16xf32, #lanes>) -> tensor<8xf32, #ttg.slice<{dim = 1, parent = #lanes}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    %d = arith.select %c, %a, %b : f32
    tt.reduce.return %d : f32
  }) : (tensor<8x16xf32, #lanes>) -> tensor<8xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
  tt.return %r : tensor<8xf32, #ttg.slice<{dim = 1, parent = #lanes}>>
}

// Across warps, too: each lane stores the row that it has, and reads all
// partial results of this one alone.
// CHECK-LABEL: llvm.func spir_kernelcc @warps_with_rows(
// CHECK-NOT:     scf.if
// CHECK-COUNT-4: ttig.shuffle xor %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     ttig.shuffle broadcast
// CHECK:         llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK-NOT:     llvm.store
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK:         llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT:     llvm.load
// CHECK-COUNT-2: ttig.shuffle broadcast %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @warps_with_rows(%x: tensor<2x64xf32, #pair>) -> tensor<2xf32, #ttg.slice<{dim = 1, parent = #pair}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<2x64xf32, #pair>) -> tensor<2xf32, #ttg.slice<{dim = 1, parent = #pair}>>
  tt.return %r : tensor<2xf32, #ttg.slice<{dim = 1, parent = #pair}>>
}

// Rows in lanes already: they stay there. One message stores the two rows of a
// work-item, and all partial results of these lie side by side.
// CHECK-LABEL: llvm.func spir_kernelcc @warps_with_rows_in_lanes
// CHECK-NOT:     arith.select
// CHECK-COUNT-3: ttig.shuffle xor %{{.*}}, %{{.*}} : vector<2xf32>
// CHECK:         llvm.store {{.*}} : vector<2xf32>, !llvm.ptr<3>
// CHECK-NOT:     llvm.store
// CHECK:         llvm.call spir_funccc @_Z7barrierj
// CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-NOT:     llvm.load
// CHECK-NOT:     ttig.shuffle broadcast
// CHECK:         llvm.return
tt.func @warps_with_rows_in_lanes(%x: tensor<4x32xf32, #split>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #split}>> {
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<4x32xf32, #split>) -> tensor<4xf32, #ttg.slice<{dim = 1, parent = #split}>>
  tt.return %r : tensor<4xf32, #ttg.slice<{dim = 1, parent = #split}>>
}

// Lanes and warps with copies of an element add nothing, so that some of the
// lanes are read only.
// CHECK-LABEL: llvm.func spir_kernelcc @copies
// CHECK-NOT:     {{ttig.shuffle (lane|xor)}}
// CHECK-COUNT-4: ttig.shuffle broadcast %{{.*}}, %{{.*}} : f32
// CHECK-NOT:     {{llvm.call|ttig.shuffle}}
// CHECK:         llvm.return
tt.func @copies(%x: tensor<4xf32, #copies>) -> f32 {
  %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<4xf32, #copies>) -> f32
  tt.return %r : f32
}
}
