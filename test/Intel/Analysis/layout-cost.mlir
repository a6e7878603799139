// RUN: triton-xe-opt %s -test-print-layout-cost -verify-diagnostics -o /dev/null

// The numbers for the choice of layouts, in 64ths of a cycle: what changes here
// changes code.

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [64, 1], threadsPerWarp = [1, 16], warpsPerCTA = [1, 4], order = [0, 1]}>
#dpas = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [2, 2], repCluster = [4, 2]}>
#chain = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 1], repCluster = [2, 2]}>
#dot1 = #ttg.dot_op<{opIdx = 1, parent = #chain, kWidth = 2}>
#dot0 = #ttg.dot_op<{opIdx = 0, parent = #chain, kWidth = 1}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  // A 64x64 f32 tile: 16 KiB of data. Coalesced, that is 64 messages of 256
  // bytes; in an accumulator's layout 256 messages of 64 bytes, dearer by a
  // fraction of a conversion. As 2D block messages it costs little more than
  // its bytes.
  tt.func @tile(%b: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %v: tensor<64x64xf32, #rows>, %w: tensor<64x64xf32, #dpas>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %p = ttig.surface %b, [%n, %n], [%n, %one] : !tt.ptr<f32>
    %q = ttig.surface %b, [%n, %n], [%n, %one] : !tt.ptr<f32>
    ttig.store_block %v, %p[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #rows>) -> () // expected-remark {{costs 53760}}
    ttig.store_block %w, %q[%zero, %zero] : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #dpas>) -> () // expected-remark {{costs 107520}}
    ttig.store_block %w, %q[%zero, %zero] {order = #ttig.order<row_major>, boundedRows, startsInRow} : (!ttig.memory<f32, 2>, i32, i32, tensor<64x64xf32, #dpas>) -> () // expected-remark {{costs 30720}}
    %c = ttg.convert_layout %w : tensor<64x64xf32, #dpas> -> tensor<64x64xf32, #rows> // expected-remark {{conversion costs 188673}}
    tt.return
  }

  // Messages are those of the plan that the lowering makes. A transposing one
  // moves pairs of f16, and loads only: the store costs the same as the tensor
  // of pointers that it will become.
  tt.func @transposed(%b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i64 {tt.divisibility = 16 : i32}, %v: tensor<64x64xf16, #dpas>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i64
    %p = ttig.surface %b, [%n, %n], [%one, %n] : !tt.ptr<f16>
    %x = ttig.load_block %p[%zero, %zero] {order = #ttig.order<column_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32) -> tensor<64x64xf16, #dpas> // expected-remark {{costs 15360}}
    ttig.store_block %v, %p[%zero, %zero] {order = #ttig.order<column_major>, boundedRows, startsInRow} : (!ttig.memory<f16, 2>, i32, i32, tensor<64x64xf16, #dpas>) -> () // expected-remark {{costs 58880}}
    tt.return
  }

  // An accumulator becomes operand A within registers; every
  // copy of an element is computed, and elementary functions are dearer than
  // arithmetic.
  tt.func @registers(%x: tensor<64x64xf16, #chain>, %v: tensor<64xf32, #ttg.slice<{dim = 1, parent = #chain}>>) {
    %a = ttg.convert_layout %x : tensor<64x64xf16, #chain> -> tensor<64x64xf16, #dot0> // expected-remark {{conversion costs 129}}
    %e = math.exp2 %v : tensor<64xf32, #ttg.slice<{dim = 1, parent = #chain}>> // expected-remark {{costs 16384}}
    %s = arith.addf %v, %v : tensor<64xf32, #ttg.slice<{dim = 1, parent = #chain}>> // expected-remark {{costs 4096}}
    tt.return
  }

  // A lane that has all rows has constants for what depends on their numbers
  // alone. Others compute it, and all compute what depends on more.
  tt.func @indices(%x: tensor<64xi32, #ttg.slice<{dim = 1, parent = #columns}>>) {
    %two = arith.constant dense<2> : tensor<64xi32, #ttg.slice<{dim = 1, parent = #columns}>> // expected-remark {{costs 0}}
    %r = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #columns}>> // expected-remark {{costs 0}}
    %m = arith.remsi %r, %two : tensor<64xi32, #ttg.slice<{dim = 1, parent = #columns}>> // expected-remark {{costs 0}}
    %n = arith.remsi %x, %two : tensor<64xi32, #ttg.slice<{dim = 1, parent = #columns}>> // expected-remark {{costs 65536}}
    %three = arith.constant dense<3> : tensor<64xi32, #ttg.slice<{dim = 1, parent = #rows}>> // expected-remark {{costs 4096}}
    %s = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #rows}>> // expected-remark {{costs 4096}}
    %o = arith.remsi %s, %three : tensor<64xi32, #ttg.slice<{dim = 1, parent = #rows}>> // expected-remark {{costs 16384}}
    tt.return
  }

  // Packed keys as the operand of a product: a lane has 8 numbers of a key next to
  // each other, and its key is 16 bytes after that of the lane before it, so that
  // 32 messages move 4 lines each. If nothing is known of where keys are, each of
  // them moves 16.
  tt.func @packed(%b: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %pitch: i32 {tt.divisibility = 16 : i32}) {
    %k = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #dot1}>> // expected-remark {{costs}}
    %n = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #dot1}>> // expected-remark {{costs}}
    %eight = arith.constant dense<8> : tensor<64xi32, #ttg.slice<{dim = 1, parent = #dot1}>> // expected-remark {{costs}}
    %eights = arith.constant dense<8> : tensor<64xi32, #ttg.slice<{dim = 0, parent = #dot1}>> // expected-remark {{costs}}
    %part = arith.constant dense<512> : tensor<64xi32, #ttg.slice<{dim = 1, parent = #dot1}>> // expected-remark {{costs}}
    %high = arith.divsi %k, %eight : tensor<64xi32, #ttg.slice<{dim = 1, parent = #dot1}>> // expected-remark {{costs}}
    %low = arith.remsi %k, %eight : tensor<64xi32, #ttg.slice<{dim = 1, parent = #dot1}>> // expected-remark {{costs}}
    %far = arith.muli %high, %part : tensor<64xi32, #ttg.slice<{dim = 1, parent = #dot1}>> // expected-remark {{costs}}
    %in_key = arith.addi %far, %low : tensor<64xi32, #ttg.slice<{dim = 1, parent = #dot1}>> // expected-remark {{costs}}
    %near = arith.muli %n, %eights : tensor<64xi32, #ttg.slice<{dim = 0, parent = #dot1}>> // expected-remark {{costs}}
    %pitches = tt.splat %pitch : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #dot1}>> // expected-remark {{costs}}
    %rows = arith.muli %n, %pitches : tensor<64xi32, #ttg.slice<{dim = 0, parent = #dot1}>> // expected-remark {{costs}}
    %base = tt.splat %b : !tt.ptr<f16> -> tensor<64x1x!tt.ptr<f16>, #dot1> // expected-remark {{costs 0}}
    %column = tt.expand_dims %in_key {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #dot1}>> -> tensor<64x1xi32, #dot1> // expected-remark {{costs 0}}
    %keys = tt.addptr %base, %column : tensor<64x1x!tt.ptr<f16>, #dot1>, tensor<64x1xi32, #dot1> // expected-remark {{costs 0}}
    %all = tt.broadcast %keys : tensor<64x1x!tt.ptr<f16>, #dot1> -> tensor<64x64x!tt.ptr<f16>, #dot1> // expected-remark {{costs 0}}
    %r0 = tt.expand_dims %near {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #dot1}>> -> tensor<1x64xi32, #dot1> // expected-remark {{costs 0}}
    %o0 = tt.broadcast %r0 : tensor<1x64xi32, #dot1> -> tensor<64x64xi32, #dot1> // expected-remark {{costs 0}}
    %p0 = tt.addptr %all, %o0 : tensor<64x64x!tt.ptr<f16>, #dot1>, tensor<64x64xi32, #dot1> // expected-remark {{costs 0}}
    %x0 = tt.load %p0 : tensor<64x64x!tt.ptr<f16>, #dot1> // expected-remark {{costs 114688}}
    %r1 = tt.expand_dims %rows {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #dot1}>> -> tensor<1x64xi32, #dot1> // expected-remark {{costs 0}}
    %o1 = tt.broadcast %r1 : tensor<1x64xi32, #dot1> -> tensor<64x64xi32, #dot1> // expected-remark {{costs 0}}
    %p1 = tt.addptr %all, %o1 : tensor<64x64x!tt.ptr<f16>, #dot1>, tensor<64x64xi32, #dot1> // expected-remark {{costs 0}}
    %x1 = tt.load %p1 : tensor<64x64x!tt.ptr<f16>, #dot1> // expected-remark {{costs 212992}}
    tt.return
  }
}
