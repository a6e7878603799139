// RUN: triton-xe-opt %s --split-input-file --tritonintelgpu-defer-reductions --canonicalize | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // Each lane sums up its own elements of a tile, of which there are some beside
  // each other and some far apart; the loop carries one number per lane. Behind
  // it these are summed up, and added to where the sum started. What an empty
  // loop leaves changes no number, not even -0.
  // CHECK-LABEL: @sum
  // CHECK: %[[NEUTRAL:.*]] = arith.constant dense<-0.000000e+00> : tensor<64xf32, #[[SLICE:.*]]>
  // CHECK: %[[PARTS:.*]] = scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[NEUTRAL]]) -> (tensor<64xf32, #[[SLICE]]>)
  // CHECK: %[[CUT:.*]] = tt.reshape %{{.*}} : tensor<2048xf32, #blocked> -> tensor<8x64x4xf32,
  // CHECK: %[[TURNED:.*]] = tt.trans %[[CUT]] {order = array<i32: 1, 0, 2>}
  // CHECK: %[[OWN:.*]] = tt.reshape %[[TURNED]] : {{.*}} -> tensor<64x32xf32,
  // CHECK: %[[PART:.*]] = "tt.reduce"(%[[OWN]]) <{axis = 1 : i32}>
  // CHECK: arith.addf %[[CARRIED]], %[[PART]] : tensor<64xf32, #[[SLICE]]>
  // CHECK: scf.yield
  // CHECK: %[[SUM:.*]] = "tt.reduce"(%[[PARTS]])
  // CHECK: arith.addf %{{.*}}, %[[SUM]] : f32
  tt.func @sum(%p: tensor<2048x!tt.ptr<f32>, #blocked>, %n: i32, %start: f32) -> f32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (f32) : i32 {
      %x = tt.load %p : tensor<2048x!tt.ptr<f32>, #blocked>
      %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<2048xf32, #blocked>) -> f32
      %t = arith.addf %r, %s : f32
      scf.yield %t : f32
    }
    tt.return %sum : f32
  }

  // A maximum that NaN is not part of starts with NaN.
  // CHECK-LABEL: @maximum
  // CHECK: arith.constant dense<0xFFC00000> : tensor<64xf32,
  // CHECK: scf.for
  // CHECK: arith.maxnumf {{.*}} : tensor<64xf32,
  tt.func @maximum(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %n: i32, %start: f32) -> f32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %max = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %t = arith.maxnumf %s, %r : f32
      scf.yield %t : f32
    }
    tt.return %max : f32
  }

  // Declined: an iteration asks for what there is so far (@watched), it is
  // scaled (@scaled), or another operation combines it (@mixed).
  // CHECK-LABEL: @watched
  // CHECK: scf.for {{.*}} -> (f32)
  // CHECK-LABEL: @scaled
  // CHECK: scf.for {{.*}} -> (f32)
  // CHECK-LABEL: @mixed
  // CHECK: scf.for {{.*}} -> (f32)
  tt.func @watched(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %q: !tt.ptr<f32>, %n: i32, %start: f32) -> f32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %t = arith.addf %s, %r : f32
      tt.store %q, %t : !tt.ptr<f32>
      scf.yield %t : f32
    }
    tt.return %sum : f32
  }
  tt.func @scaled(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %n: i32, %start: f32) -> f32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %h = arith.mulf %s, %start : f32
      %t = arith.addf %h, %r : f32
      scf.yield %t : f32
    }
    tt.return %sum : f32
  }
  tt.func @mixed(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %n: i32, %start: f32) -> f32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %t = arith.addf %s, %r : f32
      scf.yield %t : f32
    }
    tt.return %sum : f32
  }
}

// -----

#rows = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#lane = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [16, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // Sums of rows; from a loop in a loop all goes behind the outer one.
  // CHECK-LABEL: @nested
  // CHECK: scf.for {{.*}} -> (tensor<4x16xi32, #{{.*}}>)
  // CHECK: scf.for {{.*}} -> (tensor<4x16xi32, #{{.*}}>)
  // CHECK: "tt.reduce"{{.*}}axis = 2
  // CHECK-NOT: "tt.reduce"
  // CHECK: scf.yield
  // CHECK-NOT: "tt.reduce"
  // CHECK: scf.yield
  // CHECK: "tt.reduce"
  // CHECK: arith.addi {{.*}} : tensor<4xi32,
  tt.func @nested(%p: tensor<4x128x!tt.ptr<i32>, #rows>, %n: i32, %start: tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>>) -> tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %outer = scf.for %j = %zero to %n step %one iter_args(%o = %start) -> (tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>>) : i32 {
      %sum = scf.for %i = %zero to %n step %one iter_args(%s = %o) -> (tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>>) : i32 {
        %x = tt.load %p : tensor<4x128x!tt.ptr<i32>, #rows>
        %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
        ^bb0(%a: i32, %b: i32):
          %c = arith.addi %a, %b : i32
          tt.reduce.return %c : i32
        }) : (tensor<4x128xi32, #rows>) -> tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>>
        %t = arith.addi %s, %r : tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>>
        scf.yield %t : tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>>
      }
      scf.yield %sum : tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>>
    }
    tt.return %outer : tensor<4xi32, #ttg.slice<{dim = 1, parent = #rows}>>
  }

  // Declined: rows that one lane has exchange nothing.
  // CHECK-LABEL: @own_rows
  // CHECK: scf.for {{.*}} -> (tensor<64xi32,
  // CHECK: tt.reduce
  // CHECK: scf.yield
  tt.func @own_rows(%p: tensor<64x64x!tt.ptr<i32>, #lane>, %n: i32, %start: tensor<64xi32, #ttg.slice<{dim = 1, parent = #lane}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #lane}>> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (tensor<64xi32, #ttg.slice<{dim = 1, parent = #lane}>>) : i32 {
      %x = tt.load %p : tensor<64x64x!tt.ptr<i32>, #lane>
      %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
      ^bb0(%a: i32, %b: i32):
        %c = arith.addi %a, %b : i32
        tt.reduce.return %c : i32
      }) : (tensor<64x64xi32, #lane>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #lane}>>
      %t = arith.addi %s, %r : tensor<64xi32, #ttg.slice<{dim = 1, parent = #lane}>>
      scf.yield %t : tensor<64xi32, #ttg.slice<{dim = 1, parent = #lane}>>
    }
    tt.return %sum : tensor<64xi32, #ttg.slice<{dim = 1, parent = #lane}>>
  }
}
