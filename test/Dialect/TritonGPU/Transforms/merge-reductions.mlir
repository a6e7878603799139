// RUN: triton-xe-opt %s --tritongpu-merge-reductions | FileCheck %s

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#other = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#tile = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#square = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 4], warpsPerCTA = [2, 2], order = [1, 0]}>
!line = tensor<256xf32, #line>
!tile = tensor<16x16xf32, #tile>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Each operand is combined by its own operation.
// CHECK-LABEL: tt.func @two(
// CHECK-SAME:    %[[X:.*]]: tensor<256xf32, {{.*}}>, %[[Y:.*]]: tensor
// CHECK-NEXT:    %[[R:.*]]:2 = "tt.reduce"(%[[X]], %[[Y]]) <{axis = 0 : i32}> ({
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[C:.*]]: f32, %[[D:.*]]: f32):
// CHECK-NEXT:      %[[E:.*]] = arith.addf %[[A]], %[[C]] : f32
// CHECK-NEXT:      %[[F:.*]] = arith.maxnumf %[[B]], %[[D]] : f32
// CHECK-NEXT:      tt.reduce.return %[[E]], %[[F]] : f32, f32
// CHECK-NEXT:    }) : (tensor<256xf32, {{.*}}>, tensor<256xf32, {{.*}}>) -> (f32, f32)
// CHECK-NEXT:    tt.return %[[R]]#0, %[[R]]#1
tt.func @two(%x: !line, %y: !line) -> (f32, f32) {
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  %b = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.maxnumf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  tt.return %a, %b : f32, f32
}

// Three of them, and the operations in between and those that the later ones
// need: the latter move, users of the first one do not.
// CHECK-LABEL: tt.func @three(
// CHECK-NEXT:    %[[M:.*]] = arith.mulf
// CHECK-NEXT:    %[[R:.*]]:3 = "tt.reduce"(%{{.*}}, %[[M]], %{{.*}})
// CHECK-NOT:     tt.reduce"
// CHECK:         %[[USER:.*]] = arith.negf %[[R]]#0
// CHECK-NEXT:    tt.return %[[USER]], %[[R]]#1, %[[R]]#2
tt.func @three(%x: !line, %y: !line) -> (f32, f32, f32) {
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  %user = arith.negf %a : f32
  %m = arith.mulf %y, %y : !line
  %b = "tt.reduce"(%m) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  %c = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  tt.return %user, %b, %c : f32, f32, f32
}

// A reduction that uses the result of the first one stays after it.
// CHECK-LABEL: tt.func @dependent(
// CHECK-COUNT-2: "tt.reduce"(%{{[^,]*}}) <
// CHECK:         tt.return
tt.func @dependent(%x: !line) -> (f32, f32) {
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  %v = tt.splat %a : f32 -> !line
  %m = arith.mulf %x, %v : !line
  %b = "tt.reduce"(%m) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  tt.return %a, %b : f32, f32
}

// A load moves.
// CHECK-LABEL: tt.func @loaded(
// CHECK:         tt.load
// CHECK:         "tt.reduce"(%{{.*}}, %{{.*}}) <
// CHECK-NOT:     tt.reduce"
// CHECK:         tt.return
tt.func @loaded(%x: !line, %to: tensor<256x!tt.ptr<f32>, #line>) -> (f32, f32) {
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  %m = tt.load %to : tensor<256x!tt.ptr<f32>, #line>
  %b = "tt.reduce"(%m) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  tt.return %a, %b : f32, f32
}

// A load may not move before a store.
// CHECK-LABEL: tt.func @stored(
// CHECK-COUNT-2: "tt.reduce"(%{{[^,]*}}) <
// CHECK:         tt.return
tt.func @stored(%x: !line, %to: tensor<256x!tt.ptr<f32>, #line>) -> (f32, f32) {
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  tt.store %to, %x : tensor<256x!tt.ptr<f32>, #line>
  %m = tt.load %to : tensor<256x!tt.ptr<f32>, #line>
  %b = "tt.reduce"(%m) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  tt.return %a, %b : f32, f32
}

// A store is no obstacle, a barrier is.
// CHECK-LABEL: tt.func @store_between(
// CHECK:         "tt.reduce"(%{{.*}}, %{{.*}}) <
// CHECK-NOT:     tt.reduce"
// CHECK:         tt.return
tt.func @store_between(%x: !line, %y: !line, %to: tensor<256x!tt.ptr<f32>, #line>) -> (f32, f32) {
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  tt.store %to, %x : tensor<256x!tt.ptr<f32>, #line>
  %b = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  tt.return %a, %b : f32, f32
}

// CHECK-LABEL: tt.func @barrier_between(
// CHECK-COUNT-2: "tt.reduce"(%{{[^,]*}}) <
// CHECK:         tt.return
tt.func @barrier_between(%x: !line, %y: !line) -> (f32, f32) {
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  ttg.barrier local
  %b = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  tt.return %a, %b : f32, f32
}

// Other layouts meet in another way.
// CHECK-LABEL: tt.func @layouts(
// CHECK-COUNT-2: "tt.reduce"(%{{[^,]*}}) <
// CHECK:         tt.return
tt.func @layouts(%x: !line, %y: tensor<256xf32, #other>) -> (f32, f32) {
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  %b = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<256xf32, #other>) -> f32
  tt.return %a, %b : f32, f32
}

// Nothing is exchanged within warps.
// CHECK-LABEL: tt.func @within_warps(
// CHECK-COUNT-2: "tt.reduce"(%{{[^,]*}}) <
// CHECK:         tt.return
tt.func @within_warps(%x: !tile, %y: !tile) -> (tensor<16xf32, #ttg.slice<{dim = 1, parent = #tile}>>, tensor<16xf32, #ttg.slice<{dim = 1, parent = #tile}>>) {
  %a = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!tile) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #tile}>>
  %b = "tt.reduce"(%y) <{axis = 1 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!tile) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #tile}>>
  tt.return %a, %b : tensor<16xf32, #ttg.slice<{dim = 1, parent = #tile}>>, tensor<16xf32, #ttg.slice<{dim = 1, parent = #tile}>>
}

// Axes differ.
// CHECK-LABEL: tt.func @axes(
// CHECK-COUNT-2: "tt.reduce"(%{{[^,]*}}) <
// CHECK:         tt.return
tt.func @axes(%t: tensor<16x16xf32, #square>) -> (tensor<16xf32, #ttg.slice<{dim = 1, parent = #square}>>, tensor<16xf32, #ttg.slice<{dim = 0, parent = #square}>>) {
  %a = "tt.reduce"(%t) <{axis = 1 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<16x16xf32, #square>) -> tensor<16xf32, #ttg.slice<{dim = 1, parent = #square}>>
  %b = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<16x16xf32, #square>) -> tensor<16xf32, #ttg.slice<{dim = 0, parent = #square}>>
  tt.return %a, %b : tensor<16xf32, #ttg.slice<{dim = 1, parent = #square}>>, tensor<16xf32, #ttg.slice<{dim = 0, parent = #square}>>
}

// A region of more than one operation stays alone.
// CHECK-LABEL: tt.func @large_region(
// CHECK-COUNT-2: "tt.reduce"(%{{[^,]*}}) <
// CHECK:         tt.return
tt.func @large_region(%x: !line, %y: !line) -> (f32, f32) {
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %c = arith.cmpf ogt, %p, %q : f32
    %s = arith.select %c, %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  %b = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  tt.return %a, %b : f32, f32
}

// The sum comes from the scan.
// CHECK-LABEL: tt.func @scanned(
// CHECK-COUNT-2: "tt.reduce"(%{{[^,]*}}) <
// CHECK:         tt.return
tt.func @scanned(%x: !line, %y: !line) -> (!line, f32, f32) {
  %r = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.scan.return %s : f32
  }) : (!line) -> !line
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  %b = "tt.reduce"(%y) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (!line) -> f32
  tt.return %r, %a, %b : !line, f32, f32
}
}
