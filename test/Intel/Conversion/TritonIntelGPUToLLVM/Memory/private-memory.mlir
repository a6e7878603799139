// RUN: triton-xe-opt %s --split-input-file --convert-triton-intel-gpu-to-llvm --canonicalize | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.shared = 0 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // The highest of five register bits is the slice's number: a slice is two
  // vectors that follow each other. The memory is in the function's frame, once
  // for all iterations of loops.
  // CHECK-LABEL: @vectors
  // CHECK: %[[M:.*]] = llvm.alloca %{{.*}} x !llvm.array<32 x f32> {alignment = 32 : i64} : (i32) -> !llvm.ptr
  // CHECK: scf.for
  // CHECK: llvm.intr.lifetime.start %[[M]]
  // CHECK: llvm.getelementptr %[[M]][%[[OFFSET:.*]]] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  // CHECK: llvm.getelementptr %{{.*}}[8]
  // CHECK: llvm.store %{{.*}}, %{{.*}} : vector<8xf32>, !llvm.ptr
  // CHECK: llvm.store %{{.*}}, %{{.*}} : vector<8xf32>, !llvm.ptr
  // CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<8xf32>
  // CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<8xf32>
  // CHECK: llvm.intr.lifetime.end %[[M]]
  tt.func public @vectors(%p: !tt.ptr<f32>, %n: i32) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    scf.for %i = %zero to %n step %one : i32 {
      %m = ttig.alloc_private : !ttig.private<tensor<512xf32, #blocked>>
      %f = arith.sitofp %i : i32 to f32
      %x = tt.splat %f : f32 -> tensor<256xf32, #blocked>
      ttig.store_slice %x, %m[%i] dims = [0] counts = [2] : tensor<256xf32, #blocked> -> !ttig.private<tensor<512xf32, #blocked>>
      %y = ttig.load_slice %m[%one] dims = [0] counts = [2] : !ttig.private<tensor<512xf32, #blocked>> -> tensor<256xf32, #blocked>
      %ps = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      tt.store %ps, %y : tensor<256x!tt.ptr<f32>, #blocked>
      ttig.dealloc_private %m : !ttig.private<tensor<512xf32, #blocked>>
    }
    tt.return
  }
}

// -----

#pair = #ttg.blocked<{sizePerThread = [2, 4], threadsPerWarp = [1, 16], warpsPerCTA = [1, 1], order = [0, 1]}>
#half = #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 32]], warp = [], block = []}>
module attributes {"ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 16 : i32, ttg.shared = 0 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  // The lowest register bit is the number: every second register is in a slice.
  // Flags take a byte.
  // CHECK-LABEL: @strided
  // CHECK: %[[M:.*]] = llvm.alloca %{{.*}} x !llvm.array<8 x i8> {alignment = 8 : i64}
  // CHECK: %[[BIT:.*]] = arith.andi %{{.*}}, %c1
  // CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[M]][%[[BIT]]]
  // CHECK: llvm.getelementptr %[[FIRST]][2]
  // CHECK: llvm.getelementptr %[[FIRST]][4]
  // CHECK: llvm.getelementptr %[[FIRST]][6]
  // CHECK: llvm.load %[[FIRST]] : !llvm.ptr -> i8
  // CHECK: arith.trunci %{{.*}} : i8 to i1
  tt.func public @strided(%p: !tt.ptr<i32>, %flag: i1, %i: i32) {
    %m = ttig.alloc_private : !ttig.private<tensor<2x64xi1, #pair>>
    %f = tt.splat %flag : i1 -> tensor<2x64xi1, #pair>
    ttig.store_slice %f, %m[] dims = [] counts = [] : tensor<2x64xi1, #pair> -> !ttig.private<tensor<2x64xi1, #pair>>
    %x = ttig.load_slice %m[%i] dims = [0] counts = [2] : !ttig.private<tensor<2x64xi1, #pair>> -> tensor<1x64xi1, #half>
    %y = arith.extui %x : tensor<1x64xi1, #half> to tensor<1x64xi32, #half>
    %ps = tt.splat %p : !tt.ptr<i32> -> tensor<1x64x!tt.ptr<i32>, #half>
    tt.store %ps, %y : tensor<1x64x!tt.ptr<i32>, #half>
    tt.return
  }
}
