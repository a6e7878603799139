// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -tritonintelgpu-remove-layout-conversions | FileCheck %s
// RUN: triton-xe-opt %s -split-input-file -triton-intel-normalize-block-pointers -tritonintelgpu-remove-layout-conversions -tritongpu-allocate-memory -o /dev/null \
// RUN:   -remarks-filter-missed=tritongpu-allocate-memory -remark-format=emitRemark -verify-diagnostics

// Epilogues of matrix products: the accumulator's layout
// reaches the loads and stores, and nothing is converted.

#blocked = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [2, 2], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [4, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2]}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #dpas, kWidth = 1}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #dpas, kWidth = 2}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // A whole GEMM that adds a matrix: operands are loaded as operands, the
  // accumulator stays what it is through loop, addition and store.
  // CHECK-LABEL: tt.func @gemm_addmatrix
  // CHECK-NOT: ttg.convert_layout
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #[[DPAS:.*]]>
  // CHECK: scf.for {{.*}} iter_args({{.*}} = %[[ZERO]], {{.*}})
  // CHECK: ttig.load_block {{.*}} -> tensor<64x32xbf16, #ttg.dot_op<{opIdx = 0, parent = #[[DPAS]], kWidth = 1}>>
  // CHECK: ttig.load_block {{.*}} -> tensor<32x64xbf16, #ttg.dot_op<{opIdx = 1, parent = #[[DPAS]], kWidth = 2}>>
  // CHECK: tt.dot
  // CHECK: ttig.load_block {{.*}} -> tensor<64x64xf32, #[[DPAS]]>
  // CHECK: arith.addf {{.*}} : tensor<64x64xf32, #[[DPAS]]>
  // CHECK: ttig.store_block {{.*}}tensor<64x64xf32, #[[DPAS]]>) -> ()
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @gemm_addmatrix(%a: !tt.ptr<bf16>, %b: !tt.ptr<bf16>, %x: !tt.ptr<f32>, %c: !tt.ptr<f32>, %m: i64, %n: i64, %k: i64, %row: i32, %col: i32, %ub: i32) {
    %c0 = arith.constant 0 : i32
    %c32 = arith.constant 32 : i32
    %one = arith.constant 1 : i64
    %zero = arith.constant dense<0.0> : tensor<64x64xf32, #blocked1>
    %ap = ttig.surface %a, [%m, %k], [%k, %one] : !tt.ptr<bf16>
    %bp = ttig.surface %b, [%k, %n], [%n, %one] : !tt.ptr<bf16>
    %r:3 = scf.for %i = %c0 to %ub step %c32 iter_args(%acc = %zero, %pa = %c0, %pb = %c0) -> (tensor<64x64xf32, #blocked1>, i32, i32) : i32 {
      %la = ttig.load_block %ap[%row, %pa] {boundaryCheck = array<i32: 0, 1>, order = #ttig.order<row_major>} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<64x32xbf16, #blocked>
      %lb = ttig.load_block %bp[%pb, %col] {boundaryCheck = array<i32: 0, 1>, order = #ttig.order<row_major>} : (!ttig.memory<bf16, 2>, i32, i32) -> tensor<32x64xbf16, #blocked>
      %ca = ttg.convert_layout %la : tensor<64x32xbf16, #blocked> -> tensor<64x32xbf16, #dot0>
      %cb = ttg.convert_layout %lb : tensor<32x64xbf16, #blocked> -> tensor<32x64xbf16, #dot1>
      %cc = ttg.convert_layout %acc : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #dpas>
      %d = tt.dot %ca, %cb, %cc : tensor<64x32xbf16, #dot0> * tensor<32x64xbf16, #dot1> -> tensor<64x64xf32, #dpas>
      %dd = ttg.convert_layout %d : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #blocked1>
      %na = arith.addi %pa, %c32 : i32
      %nb = arith.addi %pb, %c32 : i32
      scf.yield %dd, %na, %nb : tensor<64x64xf32, #blocked1>, i32, i32
    }
    %acc2 = ttg.convert_layout %r#0 : tensor<64x64xf32, #blocked1> -> tensor<64x64xf32, #blocked>
    %xp = ttig.surface %x, [%m, %n], [%n, %one] : !tt.ptr<f32>
    %xl = ttig.load_block %xp[%row, %col] {boundaryCheck = array<i32: 0, 1>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32) -> tensor<64x64xf32, #blocked>
    %sum = arith.addf %acc2, %xl : tensor<64x64xf32, #blocked>
    %cp = ttig.surface %c, [%m, %n], [%n, %one] : !tt.ptr<f32>
    ttig.store_block %sum, %cp[%row, %col] {boundaryCheck = array<i32: 0, 1>, order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #blocked>) -> ()
    tt.return
  }

  // A bias vector is loaded as a slice of the accumulator's layout.
  // CHECK-LABEL: tt.func @bias
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.make_range {{.*}} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #[[DPAS]]}>>
  // CHECK: tt.load {{.*}} : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #[[DPAS]]}>>
  // CHECK: tt.expand_dims {{.*}} -> tensor<1x64xf32, #[[DPAS]]>
  // CHECK: ttig.store_block {{.*}}tensor<64x64xf32, #[[DPAS]]>) -> ()
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @bias(%acc: tensor<64x64xf32, #dpas>, %bias: !tt.ptr<f32>, %c: !tt.ptr<f32>, %n: i64) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %e = ttg.convert_layout %acc : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #blocked>
    %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %base = tt.splat %bias : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>
    %ptrs = tt.addptr %base, %range : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %v = tt.load %ptrs : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #blocked}>>
    %v1 = tt.expand_dims %v {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #blocked}>> -> tensor<1x64xf32, #blocked>
    %v2 = tt.broadcast %v1 : tensor<1x64xf32, #blocked> -> tensor<64x64xf32, #blocked>
    %sum = arith.addf %e, %v2 : tensor<64x64xf32, #blocked>
    %cp = ttig.surface %c, [%n, %n], [%n, %one] : !tt.ptr<f32>
    ttig.store_block %sum, %cp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #blocked>) -> ()
    tt.return
  }

  // A chain of elementary functions, a narrowing and a store: computed where
  // the accumulator is.
  // CHECK-LABEL: tt.func @gelu_downcast
  // CHECK-NOT: ttg.convert_layout
  // CHECK: math.erf {{.*}} : tensor<64x64xf32, #[[DPAS]]>
  // CHECK: arith.truncf {{.*}} : tensor<64x64xf32, #[[DPAS]]> to tensor<64x64xbf16, #[[DPAS]]>
  // CHECK: ttig.store_block {{.*}}tensor<64x64xbf16, #[[DPAS]]>) -> ()
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @gelu_downcast(%acc: tensor<64x64xf32, #dpas>, %c: !tt.ptr<bf16>, %n: i64) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %half = arith.constant dense<0.5> : tensor<64x64xf32, #blocked>
    %root = arith.constant dense<0.707106769> : tensor<64x64xf32, #blocked>
    %x = ttg.convert_layout %acc : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #blocked>
    %s = arith.mulf %x, %root : tensor<64x64xf32, #blocked>
    %e = math.erf %s : tensor<64x64xf32, #blocked>
    %h = arith.mulf %x, %half : tensor<64x64xf32, #blocked>
    %p = arith.mulf %h, %e : tensor<64x64xf32, #blocked>
    %y = arith.addf %h, %p : tensor<64x64xf32, #blocked>
    %t = arith.truncf %y : tensor<64x64xf32, #blocked> to tensor<64x64xbf16, #blocked>
    %cp = ttig.surface %c, [%n, %n], [%n, %one] : !tt.ptr<bf16>
    ttig.store_block %t, %cp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<bf16, 2>, i32, i32, tensor<64x64xbf16, #blocked>) -> ()
    tt.return
  }

  // Two matrices are added in turn, each narrower than the accumulator.
  // CHECK-LABEL: tt.func @two_matrices
  // CHECK-NOT: ttg.convert_layout
  // CHECK-COUNT-2: ttig.load_block {{.*}} -> tensor<64x64xf16, #[[DPAS]]>
  // CHECK: ttig.store_block {{.*}}tensor<64x64xf32, #[[DPAS]]>) -> ()
  // CHECK-NOT: ttg.convert_layout
  // CHECK: tt.return
  tt.func @two_matrices(%acc: tensor<64x64xf32, #dpas>, %x: !tt.ptr<f16>, %y: !tt.ptr<f16>, %c: !tt.ptr<f32>, %n: i64) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %e = ttg.convert_layout %acc : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #blocked>
    %xp = ttig.surface %x, [%n, %n], [%n, %one] : !tt.ptr<f16>
    %xl = ttig.load_block %xp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x64xf16, #blocked>
    %xw = arith.extf %xl : tensor<64x64xf16, #blocked> to tensor<64x64xf32, #blocked>
    %s = arith.addf %e, %xw : tensor<64x64xf32, #blocked>
    %yp = ttig.surface %y, [%n, %n], [%n, %one] : !tt.ptr<f16>
    %yl = ttig.load_block %yp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x64xf16, #blocked1>
    %yc = ttg.convert_layout %yl : tensor<64x64xf16, #blocked1> -> tensor<64x64xf16, #blocked>
    %yw = arith.extf %yc : tensor<64x64xf16, #blocked> to tensor<64x64xf32, #blocked>
    %t = arith.addf %s, %yw : tensor<64x64xf32, #blocked>
    %cp = ttig.surface %c, [%n, %n], [%n, %one] : !tt.ptr<f32>
    ttig.store_block %t, %cp[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #blocked>) -> ()
    tt.return
  }

  // A store without messages will become one through a tensor of pointers:
  // rows of an accumulator are still worth storing directly.
  // CHECK-LABEL: tt.func @store_without_messages
  // CHECK-NOT: ttg.convert_layout
  // CHECK: ttig.store_block {{.*}}tensor<64x64xf32, #[[DPAS]]>) -> ()
  tt.func @store_without_messages(%acc: tensor<64x64xf32, #dpas>, %c: !tt.ptr<f32>, %n: i64) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %e = ttg.convert_layout %acc : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #blocked>
    %cp = ttig.surface %c, [%n, %n], [%n, %one] : !tt.ptr<f32>
    ttig.store_block %e, %cp[%zero, %zero] {boundaryCheck = array<i32: 0, 1>} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #blocked>) -> ()
    tt.return
  }

  // A kernel without a conversion stays as it is.
  // CHECK-LABEL: tt.func @no_dot
  // CHECK: tt.load {{.*}} : tensor<256x!tt.ptr<f32>, #[[B1D:.*]]>
  // CHECK: arith.addf {{.*}} : tensor<256xf32, #[[B1D]]>
  // CHECK: tt.store {{.*}} : tensor<256x!tt.ptr<f32>, #[[B1D]]>
  tt.func @no_dot(%p: !tt.ptr<f32>) {
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %base = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %ptrs = tt.addptr %base, %range : tensor<256x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>, tensor<256xi32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %x = tt.load %ptrs : tensor<256x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    %y = arith.addf %x, %x : tensor<256xf32, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    tt.store %ptrs, %y : tensor<256x!tt.ptr<f32>, #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>>
    tt.return
  }
}
