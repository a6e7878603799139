// RUN: triton-xe-opt %s -tritonintelgpu-remove-layout-conversions -o /dev/null \
// RUN:   -remarks-filter-analyse=tritonintelgpu-remove-layout-conversions -remark-format=emitRemark 2>&1 | FileCheck %s

// The work grows as the function does: from four links of a chain to six it
// grows by no more than from two to four.

#rows = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [16, 1], warpsPerCTA = [1, 4], order = [0, 1]}>
#tall = #ttg.blocked<{sizePerThread = [64, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [0, 1]}>
#flat = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#long = #ttg.linear<{register = [[64], [128], [4], [8], [16], [32]], lane = [[256], [512], [1024], [2048]], warp = [[1], [2]], block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // Every link has a conversion that stays, wherever it is.
  // CHECK: [Analysis] layout-choice | {{.*}} Proposals=[[#FIXED_2:]]
  // CHECK: [Analysis] layout-choice | {{.*}} Proposals=[[#FIXED_4:FIXED_2 + 39]]
  // CHECK: [Analysis] layout-choice | {{.*}} Proposals=[[#FIXED_4 + 32]]
  tt.func @fixed_2(%p: tensor<64x64x!tt.ptr<f32>, #rows>, %q: tensor<64x64x!tt.ptr<f32>, #columns>) {
    %x0 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %a0 = math.exp %x0 : tensor<64x64xf32, #rows>
    %b0 = ttg.convert_layout %a0 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %l0 = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #columns>
    %y0 = arith.addf %b0, %l0 : tensor<64x64xf32, #columns>
    %c0 = ttg.convert_layout %y0 : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
    %m0 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %x1 = arith.mulf %c0, %m0 : tensor<64x64xf32, #rows>
    %a1 = math.exp %x1 : tensor<64x64xf32, #rows>
    %b1 = ttg.convert_layout %a1 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %l1 = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #columns>
    %y1 = arith.addf %b1, %l1 : tensor<64x64xf32, #columns>
    %c1 = ttg.convert_layout %y1 : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
    %m1 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %x2 = arith.mulf %c1, %m1 : tensor<64x64xf32, #rows>
    tt.store %p, %x2 : tensor<64x64x!tt.ptr<f32>, #rows>
    tt.return
  }
  tt.func @fixed_4(%p: tensor<64x64x!tt.ptr<f32>, #rows>, %q: tensor<64x64x!tt.ptr<f32>, #columns>) {
    %x0 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %a0 = math.exp %x0 : tensor<64x64xf32, #rows>
    %b0 = ttg.convert_layout %a0 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %l0 = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #columns>
    %y0 = arith.addf %b0, %l0 : tensor<64x64xf32, #columns>
    %c0 = ttg.convert_layout %y0 : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
    %m0 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %x1 = arith.mulf %c0, %m0 : tensor<64x64xf32, #rows>
    %a1 = math.exp %x1 : tensor<64x64xf32, #rows>
    %b1 = ttg.convert_layout %a1 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %l1 = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #columns>
    %y1 = arith.addf %b1, %l1 : tensor<64x64xf32, #columns>
    %c1 = ttg.convert_layout %y1 : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
    %m1 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %x2 = arith.mulf %c1, %m1 : tensor<64x64xf32, #rows>
    %a2 = math.exp %x2 : tensor<64x64xf32, #rows>
    %b2 = ttg.convert_layout %a2 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %l2 = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #columns>
    %y2 = arith.addf %b2, %l2 : tensor<64x64xf32, #columns>
    %c2 = ttg.convert_layout %y2 : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
    %m2 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %x3 = arith.mulf %c2, %m2 : tensor<64x64xf32, #rows>
    %a3 = math.exp %x3 : tensor<64x64xf32, #rows>
    %b3 = ttg.convert_layout %a3 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %l3 = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #columns>
    %y3 = arith.addf %b3, %l3 : tensor<64x64xf32, #columns>
    %c3 = ttg.convert_layout %y3 : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
    %m3 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %x4 = arith.mulf %c3, %m3 : tensor<64x64xf32, #rows>
    tt.store %p, %x4 : tensor<64x64x!tt.ptr<f32>, #rows>
    tt.return
  }
  tt.func @fixed_6(%p: tensor<64x64x!tt.ptr<f32>, #rows>, %q: tensor<64x64x!tt.ptr<f32>, #columns>) {
    %x0 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %a0 = math.exp %x0 : tensor<64x64xf32, #rows>
    %b0 = ttg.convert_layout %a0 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %l0 = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #columns>
    %y0 = arith.addf %b0, %l0 : tensor<64x64xf32, #columns>
    %c0 = ttg.convert_layout %y0 : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
    %m0 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %x1 = arith.mulf %c0, %m0 : tensor<64x64xf32, #rows>
    %a1 = math.exp %x1 : tensor<64x64xf32, #rows>
    %b1 = ttg.convert_layout %a1 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %l1 = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #columns>
    %y1 = arith.addf %b1, %l1 : tensor<64x64xf32, #columns>
    %c1 = ttg.convert_layout %y1 : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
    %m1 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %x2 = arith.mulf %c1, %m1 : tensor<64x64xf32, #rows>
    %a2 = math.exp %x2 : tensor<64x64xf32, #rows>
    %b2 = ttg.convert_layout %a2 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %l2 = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #columns>
    %y2 = arith.addf %b2, %l2 : tensor<64x64xf32, #columns>
    %c2 = ttg.convert_layout %y2 : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
    %m2 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %x3 = arith.mulf %c2, %m2 : tensor<64x64xf32, #rows>
    %a3 = math.exp %x3 : tensor<64x64xf32, #rows>
    %b3 = ttg.convert_layout %a3 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %l3 = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #columns>
    %y3 = arith.addf %b3, %l3 : tensor<64x64xf32, #columns>
    %c3 = ttg.convert_layout %y3 : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
    %m3 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %x4 = arith.mulf %c3, %m3 : tensor<64x64xf32, #rows>
    %a4 = math.exp %x4 : tensor<64x64xf32, #rows>
    %b4 = ttg.convert_layout %a4 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %l4 = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #columns>
    %y4 = arith.addf %b4, %l4 : tensor<64x64xf32, #columns>
    %c4 = ttg.convert_layout %y4 : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
    %m4 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %x5 = arith.mulf %c4, %m4 : tensor<64x64xf32, #rows>
    %a5 = math.exp %x5 : tensor<64x64xf32, #rows>
    %b5 = ttg.convert_layout %a5 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %l5 = tt.load %q {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #columns>
    %y5 = arith.addf %b5, %l5 : tensor<64x64xf32, #columns>
    %c5 = ttg.convert_layout %y5 : tensor<64x64xf32, #columns> -> tensor<64x64xf32, #rows>
    %m5 = tt.load %p {isVolatile = true} : tensor<64x64x!tt.ptr<f32>, #rows>
    %x6 = arith.mulf %c5, %m5 : tensor<64x64xf32, #rows>
    tt.store %p, %x6 : tensor<64x64x!tt.ptr<f32>, #rows>
    tt.return
  }

  // Every link queries a dialect, once per layout and direction.
  // CHECK: Inferences=[[#ASKED_2:]], {{.*}} Proposals=[[#SHAPES_2:]]
  // CHECK: Inferences=[[#ASKED_4:]], {{.*}} Proposals=[[#SHAPES_4:]]
  // CHECK: Inferences=[[#ASKED_4 + ASKED_4 - ASKED_2]], {{.*}} Proposals=[[#SHAPES_4 + SHAPES_4 - SHAPES_2]]
  tt.func @shapes_2(%p: tensor<64x64x!tt.ptr<f32>, #rows>, %q: tensor<4096x!tt.ptr<f32>, #flat>) {
    %x0 = tt.load %p : tensor<64x64x!tt.ptr<f32>, #rows>
    %a0 = ttg.convert_layout %x0 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %r0 = tt.reshape %a0 : tensor<64x64xf32, #columns> -> tensor<4096xf32, #long>
    %f0 = ttg.convert_layout %r0 : tensor<4096xf32, #long> -> tensor<4096xf32, #flat>
    %l0 = tt.load %q : tensor<4096x!tt.ptr<f32>, #flat>
    %y0 = arith.mulf %f0, %l0 : tensor<4096xf32, #flat>
    %t0 = tt.reshape %y0 : tensor<4096xf32, #flat> -> tensor<64x64xf32, #tall>
    %x1 = ttg.convert_layout %t0 : tensor<64x64xf32, #tall> -> tensor<64x64xf32, #rows>
    %a1 = ttg.convert_layout %x1 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %r1 = tt.reshape %a1 : tensor<64x64xf32, #columns> -> tensor<4096xf32, #long>
    %f1 = ttg.convert_layout %r1 : tensor<4096xf32, #long> -> tensor<4096xf32, #flat>
    %l1 = tt.load %q : tensor<4096x!tt.ptr<f32>, #flat>
    %y1 = arith.mulf %f1, %l1 : tensor<4096xf32, #flat>
    %t1 = tt.reshape %y1 : tensor<4096xf32, #flat> -> tensor<64x64xf32, #tall>
    %x2 = ttg.convert_layout %t1 : tensor<64x64xf32, #tall> -> tensor<64x64xf32, #rows>
    tt.store %p, %x2 : tensor<64x64x!tt.ptr<f32>, #rows>
    tt.return
  }
  tt.func @shapes_4(%p: tensor<64x64x!tt.ptr<f32>, #rows>, %q: tensor<4096x!tt.ptr<f32>, #flat>) {
    %x0 = tt.load %p : tensor<64x64x!tt.ptr<f32>, #rows>
    %a0 = ttg.convert_layout %x0 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %r0 = tt.reshape %a0 : tensor<64x64xf32, #columns> -> tensor<4096xf32, #long>
    %f0 = ttg.convert_layout %r0 : tensor<4096xf32, #long> -> tensor<4096xf32, #flat>
    %l0 = tt.load %q : tensor<4096x!tt.ptr<f32>, #flat>
    %y0 = arith.mulf %f0, %l0 : tensor<4096xf32, #flat>
    %t0 = tt.reshape %y0 : tensor<4096xf32, #flat> -> tensor<64x64xf32, #tall>
    %x1 = ttg.convert_layout %t0 : tensor<64x64xf32, #tall> -> tensor<64x64xf32, #rows>
    %a1 = ttg.convert_layout %x1 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %r1 = tt.reshape %a1 : tensor<64x64xf32, #columns> -> tensor<4096xf32, #long>
    %f1 = ttg.convert_layout %r1 : tensor<4096xf32, #long> -> tensor<4096xf32, #flat>
    %l1 = tt.load %q : tensor<4096x!tt.ptr<f32>, #flat>
    %y1 = arith.mulf %f1, %l1 : tensor<4096xf32, #flat>
    %t1 = tt.reshape %y1 : tensor<4096xf32, #flat> -> tensor<64x64xf32, #tall>
    %x2 = ttg.convert_layout %t1 : tensor<64x64xf32, #tall> -> tensor<64x64xf32, #rows>
    %a2 = ttg.convert_layout %x2 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %r2 = tt.reshape %a2 : tensor<64x64xf32, #columns> -> tensor<4096xf32, #long>
    %f2 = ttg.convert_layout %r2 : tensor<4096xf32, #long> -> tensor<4096xf32, #flat>
    %l2 = tt.load %q : tensor<4096x!tt.ptr<f32>, #flat>
    %y2 = arith.mulf %f2, %l2 : tensor<4096xf32, #flat>
    %t2 = tt.reshape %y2 : tensor<4096xf32, #flat> -> tensor<64x64xf32, #tall>
    %x3 = ttg.convert_layout %t2 : tensor<64x64xf32, #tall> -> tensor<64x64xf32, #rows>
    %a3 = ttg.convert_layout %x3 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %r3 = tt.reshape %a3 : tensor<64x64xf32, #columns> -> tensor<4096xf32, #long>
    %f3 = ttg.convert_layout %r3 : tensor<4096xf32, #long> -> tensor<4096xf32, #flat>
    %l3 = tt.load %q : tensor<4096x!tt.ptr<f32>, #flat>
    %y3 = arith.mulf %f3, %l3 : tensor<4096xf32, #flat>
    %t3 = tt.reshape %y3 : tensor<4096xf32, #flat> -> tensor<64x64xf32, #tall>
    %x4 = ttg.convert_layout %t3 : tensor<64x64xf32, #tall> -> tensor<64x64xf32, #rows>
    tt.store %p, %x4 : tensor<64x64x!tt.ptr<f32>, #rows>
    tt.return
  }
  tt.func @shapes_6(%p: tensor<64x64x!tt.ptr<f32>, #rows>, %q: tensor<4096x!tt.ptr<f32>, #flat>) {
    %x0 = tt.load %p : tensor<64x64x!tt.ptr<f32>, #rows>
    %a0 = ttg.convert_layout %x0 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %r0 = tt.reshape %a0 : tensor<64x64xf32, #columns> -> tensor<4096xf32, #long>
    %f0 = ttg.convert_layout %r0 : tensor<4096xf32, #long> -> tensor<4096xf32, #flat>
    %l0 = tt.load %q : tensor<4096x!tt.ptr<f32>, #flat>
    %y0 = arith.mulf %f0, %l0 : tensor<4096xf32, #flat>
    %t0 = tt.reshape %y0 : tensor<4096xf32, #flat> -> tensor<64x64xf32, #tall>
    %x1 = ttg.convert_layout %t0 : tensor<64x64xf32, #tall> -> tensor<64x64xf32, #rows>
    %a1 = ttg.convert_layout %x1 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %r1 = tt.reshape %a1 : tensor<64x64xf32, #columns> -> tensor<4096xf32, #long>
    %f1 = ttg.convert_layout %r1 : tensor<4096xf32, #long> -> tensor<4096xf32, #flat>
    %l1 = tt.load %q : tensor<4096x!tt.ptr<f32>, #flat>
    %y1 = arith.mulf %f1, %l1 : tensor<4096xf32, #flat>
    %t1 = tt.reshape %y1 : tensor<4096xf32, #flat> -> tensor<64x64xf32, #tall>
    %x2 = ttg.convert_layout %t1 : tensor<64x64xf32, #tall> -> tensor<64x64xf32, #rows>
    %a2 = ttg.convert_layout %x2 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %r2 = tt.reshape %a2 : tensor<64x64xf32, #columns> -> tensor<4096xf32, #long>
    %f2 = ttg.convert_layout %r2 : tensor<4096xf32, #long> -> tensor<4096xf32, #flat>
    %l2 = tt.load %q : tensor<4096x!tt.ptr<f32>, #flat>
    %y2 = arith.mulf %f2, %l2 : tensor<4096xf32, #flat>
    %t2 = tt.reshape %y2 : tensor<4096xf32, #flat> -> tensor<64x64xf32, #tall>
    %x3 = ttg.convert_layout %t2 : tensor<64x64xf32, #tall> -> tensor<64x64xf32, #rows>
    %a3 = ttg.convert_layout %x3 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %r3 = tt.reshape %a3 : tensor<64x64xf32, #columns> -> tensor<4096xf32, #long>
    %f3 = ttg.convert_layout %r3 : tensor<4096xf32, #long> -> tensor<4096xf32, #flat>
    %l3 = tt.load %q : tensor<4096x!tt.ptr<f32>, #flat>
    %y3 = arith.mulf %f3, %l3 : tensor<4096xf32, #flat>
    %t3 = tt.reshape %y3 : tensor<4096xf32, #flat> -> tensor<64x64xf32, #tall>
    %x4 = ttg.convert_layout %t3 : tensor<64x64xf32, #tall> -> tensor<64x64xf32, #rows>
    %a4 = ttg.convert_layout %x4 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %r4 = tt.reshape %a4 : tensor<64x64xf32, #columns> -> tensor<4096xf32, #long>
    %f4 = ttg.convert_layout %r4 : tensor<4096xf32, #long> -> tensor<4096xf32, #flat>
    %l4 = tt.load %q : tensor<4096x!tt.ptr<f32>, #flat>
    %y4 = arith.mulf %f4, %l4 : tensor<4096xf32, #flat>
    %t4 = tt.reshape %y4 : tensor<4096xf32, #flat> -> tensor<64x64xf32, #tall>
    %x5 = ttg.convert_layout %t4 : tensor<64x64xf32, #tall> -> tensor<64x64xf32, #rows>
    %a5 = ttg.convert_layout %x5 : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %r5 = tt.reshape %a5 : tensor<64x64xf32, #columns> -> tensor<4096xf32, #long>
    %f5 = ttg.convert_layout %r5 : tensor<4096xf32, #long> -> tensor<4096xf32, #flat>
    %l5 = tt.load %q : tensor<4096x!tt.ptr<f32>, #flat>
    %y5 = arith.mulf %f5, %l5 : tensor<4096xf32, #flat>
    %t5 = tt.reshape %y5 : tensor<4096xf32, #flat> -> tensor<64x64xf32, #tall>
    %x6 = ttg.convert_layout %t5 : tensor<64x64xf32, #tall> -> tensor<64x64xf32, #rows>
    tt.store %p, %x6 : tensor<64x64x!tt.ptr<f32>, #rows>
    tt.return
  }
}
