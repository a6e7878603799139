// RUN: triton-xe-opt %s --split-input-file --tritonintelgpu-defer-reductions --canonicalize | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // Each lane sums up its own elements of a tile, of which there are some beside
  // each other and some far apart; the loop carries one number per lane. After
  // it these are summed up, and added to the initial value of the sum. The
  // result of an empty loop changes no number, not even -0.
  // CHECK-LABEL: @sum
  // CHECK: %[[NEUTRAL:.*]] = arith.constant dense<-0.000000e+00> : tensor<64xf32, #[[SLICE:.*]]>
  // CHECK: %[[PARTS:.*]] = scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %[[NEUTRAL]]) -> (tensor<64xf32, #[[SLICE]]>)
  // CHECK: %[[CUT:.*]] = tt.reshape %{{.*}} : tensor<2048xf32, #blocked> -> tensor<8x64x4xf32,
  // CHECK: %[[TRANSPOSED:.*]] = tt.trans %[[CUT]] {order = array<i32: 1, 0, 2>}
  // CHECK: %[[OWN:.*]] = tt.reshape %[[TRANSPOSED]] : {{.*}} -> tensor<64x32xf32,
  // CHECK: %[[PART:.*]] = "tt.reduce"(%[[OWN]]) <{axis = 1 : i32}>
  // CHECK: arith.addf %[[CARRIED]], %[[PART]] : tensor<64xf32, #[[SLICE]]>
  // CHECK: scf.yield
  // CHECK: %[[SUM:.*]] = "tt.reduce"(%[[PARTS]])
  // CHECK: %[[ALL:.*]] = arith.addf %{{.*}}, %[[SUM]] : f32
  // Elements may have cancelled in each tile: an infinity or NaN is computed again in the order of the program.
  // CHECK: %[[MAGNITUDE:.*]] = math.absf %[[ALL]]
  // CHECK: %[[FINITE:.*]] = arith.cmpf olt, %[[MAGNITUDE]], %{{.*}} : f32
  // CHECK: scf.if %[[FINITE]] -> (f32)
  // CHECK-NEXT: scf.yield %[[ALL]]
  // CHECK: else
  // CHECK: %[[AGAIN:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %{{.*}}) -> (f32)
  // CHECK: %[[TILE:.*]] = "tt.reduce"(%{{.*}}) <{axis = 0 : i32}>
  // CHECK: arith.addf %[[TILE]], %[[S]] : f32
  // CHECK: scf.yield %[[AGAIN]]
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

  // No part of a sum of squares is larger than the sum, and f32 holds all sums of what was f16: both are computed once.
  // CHECK-LABEL: @bounded
  // CHECK: scf.for {{.*}} -> (tensor<64xf32, {{.*}}>, tensor<64xf32, {{.*}}>)
  // CHECK: scf.yield
  // CHECK-COUNT-2: "tt.reduce"
  // CHECK-NOT: scf.if
  // CHECK: tt.return
  tt.func @bounded(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %q: tensor<1024x!tt.ptr<f16>, #blocked>, %n: i32) -> (f32, f32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %start = arith.constant 0.0 : f32
    %sum:2 = scf.for %i = %zero to %n step %one iter_args(%s = %start, %t = %start) -> (f32, f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %square = arith.mulf %x, %x : tensor<1024xf32, #blocked>
      %r = "tt.reduce"(%square) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %u = arith.addf %r, %s : f32
      %half = tt.load %q : tensor<1024x!tt.ptr<f16>, #blocked>
      %wide = arith.extf %half : tensor<1024xf16, #blocked> to tensor<1024xf32, #blocked>
      %r2 = "tt.reduce"(%wide) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %v = arith.addf %r2, %t : f32
      scf.yield %u, %v : f32, f32
    }
    tt.return %sum#0, %sum#1 : f32, f32
  }

  // Declined: a product of one lane's elements may be zero where that of a tile is not, and a loop that writes memory cannot run
  // again.
  // CHECK-LABEL: @unrepeatable
  // CHECK: scf.for {{.*}} -> (f32, f32)
  // CHECK-COUNT-2: "tt.reduce"
  // CHECK: tt.store
  // CHECK: scf.yield
  // CHECK-NOT: "tt.reduce"
  // CHECK: tt.return
  tt.func @unrepeatable(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %n: i32, %start: f32) -> (f32, f32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum:2 = scf.for %i = %zero to %n step %one iter_args(%s = %start, %t = %start) -> (f32, f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %u = arith.addf %r, %s : f32
      %r2 = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.mulf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %v = arith.mulf %r2, %t : f32
      tt.store %p, %x : tensor<1024x!tt.ptr<f32>, #blocked>
      scf.yield %u, %v : f32, f32
    }
    tt.return %sum#0, %sum#1 : f32, f32
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

  // An online softmax scales its denominator whenever it has met a new maximum.
  // Each lane scales its part of the sum; zero, from which it starts, needs no
  // scaling. The maximum is used in each iteration and stays.
  // CHECK-LABEL: @online
  // CHECK: %[[NEUTRAL:.*]] = arith.constant dense<-0.000000e+00> : tensor<64xf32,
  // CHECK: scf.for {{.*}} -> (f32, tensor<64xf32, #{{.*}}>)
  // CHECK: "tt.reduce"
  // CHECK: tt.reduce.return
  // CHECK: %[[NEW:.*]] = arith.maxnumf
  // CHECK: %[[CHANGE:.*]] = arith.subf %{{.*}}, %[[NEW]] : f32
  // CHECK: %[[POWER:.*]] = arith.mulf %[[CHANGE]]
  // CHECK: %[[FACTOR:.*]] = math.exp2 %[[POWER]] : f32
  // CHECK: %[[OWN:.*]] = "tt.reduce"(%{{.*}}) <{axis = 1 : i32}>
  // CHECK: %[[SPREAD:.*]] = tt.splat %[[FACTOR]] : f32 -> tensor<64xf32,
  // CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %[[SPREAD]]
  // CHECK: %[[NEXT:.*]] = arith.addf %[[SCALED]], %[[OWN]]
  // CHECK-NOT: "tt.reduce"
  // CHECK: scf.yield {{.*}}, %[[NEXT]]
  // CHECK: "tt.reduce"
  tt.func @online(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %n: i32) -> f32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %nothing = arith.constant 0.0 : f32
    %least = arith.constant 0xFF800000 : f32
    %log2e = arith.constant 1.44269502 : f32
    %result:2 = scf.for %i = %zero to %n step %one iter_args(%m = %least, %s = %nothing) -> (f32, f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.maxnumf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %new = arith.maxnumf %m, %r : f32
      %change = arith.subf %m, %new : f32
      %power = arith.mulf %change, %log2e : f32
      %factor = math.exp2 %power : f32
      %rest = arith.mulf %s, %factor : f32
      %sum = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %next = arith.addf %rest, %sum : f32
      scf.yield %new, %next : f32, f32
    }
    tt.return %result#1 : f32
  }

  // The second loop goes on with the parts of the sum: it begins with them, and one reduction is left.
  // CHECK-LABEL: @continued
  // CHECK: %[[PARTS:.*]] = scf.for
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 1 : i32}>
  // CHECK: scf.yield
  // CHECK-NOT: "tt.reduce"
  // CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[PARTS]]) -> (tensor<64xf32,
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 1 : i32}>
  // CHECK: scf.yield
  // CHECK: "tt.reduce"(%[[ALL]]) <{axis = 0 : i32}>
  // CHECK-NOT: "tt.reduce"
  // CHECK: tt.return
  tt.func @continued(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %q: !tt.ptr<f32>, %n: i32) -> f32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %nothing = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %first = scf.for %i = %zero to %n step %one iter_args(%s = %nothing) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %y = arith.mulf %x, %x : tensor<1024xf32, #blocked>
      %rest = arith.mulf %s, %half : f32
      %sum = "tt.reduce"(%y) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %next = arith.addf %rest, %sum : f32
      scf.yield %next : f32
    }
    %second = scf.for %i = %zero to %n step %one iter_args(%s = %first) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %y = arith.mulf %x, %x : tensor<1024xf32, #blocked>
      %rest = arith.mulf %s, %half : f32
      %sum = "tt.reduce"(%y) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %next = arith.addf %rest, %sum : f32
      scf.yield %next : f32
    }
    tt.return %second : f32
  }

  // The first sum is stored, too: it is reduced between the loops.
  // CHECK-LABEL: @needed_between
  // CHECK: scf.for
  // CHECK: scf.yield
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 0 : i32}>
  // CHECK: tt.store
  // CHECK: scf.for
  // CHECK: scf.yield
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 0 : i32}>
  // CHECK: tt.return
  tt.func @needed_between(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %q: !tt.ptr<f32>, %n: i32) -> f32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %nothing = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %first = scf.for %i = %zero to %n step %one iter_args(%s = %nothing) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %y = arith.mulf %x, %x : tensor<1024xf32, #blocked>
      %rest = arith.mulf %s, %half : f32
      %sum = "tt.reduce"(%y) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %next = arith.addf %rest, %sum : f32
      scf.yield %next : f32
    }
    tt.store %q, %first : !tt.ptr<f32>
    %second = scf.for %i = %zero to %n step %one iter_args(%s = %first) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %y = arith.mulf %x, %x : tensor<1024xf32, #blocked>
      %rest = arith.mulf %s, %half : f32
      %sum = "tt.reduce"(%y) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %next = arith.addf %rest, %sum : f32
      scf.yield %next : f32
    }
    tt.return %second : f32
  }

  // Parts of both loops may overflow together where the sums cancel.
  // CHECK-LABEL: @any_signs
  // CHECK: scf.for
  // CHECK: scf.yield
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 0 : i32}>
  // CHECK: scf.for
  // CHECK: scf.yield
  // CHECK: "tt.reduce"(%{{.*}}) <{axis = 0 : i32}>
  // CHECK: tt.return
  tt.func @any_signs(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %q: !tt.ptr<f32>, %n: i32) -> f32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %nothing = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %first = scf.for %i = %zero to %n step %one iter_args(%s = %nothing) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %y = arith.addf %x, %x : tensor<1024xf32, #blocked>
      %rest = arith.mulf %s, %half : f32
      %sum = "tt.reduce"(%y) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %next = arith.addf %rest, %sum : f32
      scf.yield %next : f32
    }
    %second = scf.for %i = %zero to %n step %one iter_args(%s = %first) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %y = arith.addf %x, %x : tensor<1024xf32, #blocked>
      %rest = arith.mulf %s, %half : f32
      %sum = "tt.reduce"(%y) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %next = arith.addf %rest, %sum : f32
      scf.yield %next : f32
    }
    tt.return %second : f32
  }

  // A constant factor is finite, and factors of integers are. The initial value
  // of such a sum is scaled by the loop, as it was.
  // CHECK-LABEL: @decaying
  // CHECK: scf.for {{.*}} iter_args(%[[START:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (f32, tensor<64xf32, #{{.*}}>)
  // CHECK: %[[SCALED:.*]] = arith.mulf %[[START]], %{{.*}} : f32
  // CHECK: scf.yield %[[SCALED]], %{{.*}} : f32, tensor<64xf32,
  // CHECK: "tt.reduce"
  // CHECK: arith.addf
  // CHECK-LABEL: @hashed
  // CHECK: scf.for {{.*}} -> (i32, tensor<64xi32, #{{.*}}>)
  // CHECK: arith.muli {{.*}} : tensor<64xi32,
  tt.func @decaying(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %n: i32, %start: f32) -> f32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %half = arith.constant 0.5 : f32
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %h = arith.mulf %half, %s : f32
      %t = arith.addf %r, %h : f32
      scf.yield %t : f32
    }
    tt.return %sum : f32
  }
  tt.func @hashed(%p: tensor<1024x!tt.ptr<i32>, #blocked>, %n: i32, %start: i32, %factor: i32) -> i32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (i32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<i32>, #blocked>
      %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: i32, %b: i32):
        %c = arith.addi %a, %b : i32
        tt.reduce.return %c : i32
      }) : (tensor<1024xi32, #blocked>) -> i32
      %h = arith.muli %s, %factor : i32
      %t = arith.addi %h, %r : i32
      scf.yield %t : i32
    }
    tt.return %sum : i32
  }

  // Declined: a factor may be infinite, since nothing is known of it (@scaled),
  // or the maximum is that of other numbers (@other_maximum).
  // CHECK-LABEL: @other_maximum
  // CHECK: scf.for {{.*}} -> (f32)
  tt.func @other_maximum(%p: tensor<1024x!tt.ptr<f32>, #blocked>, %n: i32, %start: f32, %before: f32, %other: f32) -> f32 {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> (f32) : i32 {
      %x = tt.load %p : tensor<1024x!tt.ptr<f32>, #blocked>
      %r = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%a: f32, %b: f32):
        %c = arith.addf %a, %b : f32
        tt.reduce.return %c : f32
      }) : (tensor<1024xf32, #blocked>) -> f32
      %new = arith.maxnumf %r, %other : f32
      %change = arith.subf %before, %new : f32
      %factor = math.exp %change : f32
      %h = arith.mulf %s, %factor : f32
      %t = arith.addf %h, %r : f32
      scf.yield %t : f32
    }
    tt.return %sum : f32
  }

  // Declined: an iteration uses the intermediate result (@watched), or another
  // operation combines it (@mixed).
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
  // Sums of rows; from a loop in a loop everything moves after the outer one.
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
