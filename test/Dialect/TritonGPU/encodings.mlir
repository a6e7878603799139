// RUN: triton-xe-opt %s --verify-roundtrip | FileCheck %s

// Every encoding and type of ttg prints as Triton prints it, whatever the order
// of its keys was, and reads its own text.

// Ranks 1 to 3. An order of keys, and an empty list of bases over CTAs, do not
// matter.
// CHECK-DAG: #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
// CHECK-DAG: #ttg.blocked<{sizePerThread = [1, 1, 2], threadsPerWarp = [1, 4, 4], warpsPerCTA = [4, 1, 1], order = [2, 0, 1]}>
#line = #ttg.blocked<{order = [0], warpsPerCTA = [4], threadsPerWarp = [16], sizePerThread = [4]}>
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = []}>
#cube = #ttg.blocked<{sizePerThread = [1, 1, 2], threadsPerWarp = [1, 4, 4], warpsPerCTA = [4, 1, 1], order = [2, 0, 1]}>

// A list of bases that is not wanted is empty, and zeros are copies.
// CHECK-DAG: #ttg.linear<{register = {{\[\[}}1, 0], [0, 2]], lane = {{\[\[}}0, 1], [2, 0], [4, 0], [8, 0]], warp = {{\[\[}}0, 0], [16, 0]], block = []}>
// CHECK-DAG: #ttg.linear<{register = [], lane = {{\[\[}}1], [2], [0], [4]], warp = {{\[\[}}0], [0]], block = []}>
#linear = #ttg.linear<{block = [], lane = [[0, 1], [2, 0], [4, 0], [8, 0]], register = [[1, 0], [0, 2]], warp = [[0, 0], [16, 0]]}>
#linear1 = #ttg.linear<{register = [], lane = [[1], [2], [0], [4]], warp = [[0], [0]], block = []}>

// Storage in an order is spelled by it, anything else by bases; several paddings
// keep their order.
// CHECK-DAG: #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
// CHECK-DAG: #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
// CHECK-DAG: #ttg.padded_shared<[64:+8, 256:+16] {order = [1, 0], shape = [32, 32]}>
// CHECK-DAG: #ttg.padded_shared<[4:+2] {order = [0, 1], shape = [2, 4]}>
// CHECK-DAG: #ttg.padded_shared<[4:+2] {offset = {{\[\[}}1, 0], [0, 1], [2, 0]], block = []}>
// CHECK-DAG: #ttg.shared_linear<{offset = {{\[\[}}0, 1], [1, 1]]}, alignment = 32>
#swizzled = #ttg.swizzled_shared<{maxPhase = 4, order = [1, 0], vec = 8, perPhase = 2}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = []}>
#padded = #ttg.padded_shared<[64:+8, 256:+16] {order = [1, 0], shape = [32, 32]}>
#padded1 = #ttg.padded_shared<[4:+2] {offset = [[1, 0], [0, 1], [0, 2]]}>
#padded2 = #ttg.padded_shared<[4:+2] {block = [], offset = [[1, 0], [0, 1], [2, 0]]}>
#shared_linear = #ttg.shared_linear<{offset = [[0, 1], [1, 1]], block = []}, alignment = 32>
// CHECK-DAG: #smem = #ttg.shared_memory
#smem = #ttg.shared_memory

// Slices and operands have no separate alias; they nest in any way.
// CHECK: tt.func private @distributed(
// CHECK-SAME: tensor<64xf32, #blocked{{[0-9]*}}>, tensor<32x4xf16, #linear{{[0-9]*}}>, tensor<8xi1, #linear{{[0-9]*}}>
tt.func private @distributed(tensor<64xf32, #line>, tensor<32x4xf16, #linear>, tensor<8xi1, #linear1>)
// CHECK: tt.func private @slices(
// CHECK-SAME: tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked{{[0-9]*}}}>>
// CHECK-SAME: tensor<4xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 1, parent = #blocked{{[0-9]*}}}>}>>
// CHECK-SAME: tensor<16xi32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 1, parent = #blocked{{[0-9]*}}}>}>>
tt.func private @slices(
  tensor<32xi32, #ttg.slice<{parent = #blocked, dim = 0}>>,
  tensor<4xi32, #ttg.slice<{dim = 1, parent = #ttg.slice<{dim = 1, parent = #cube}>}>>,
  tensor<16xi32, #ttg.slice<{dim = 0, parent = #ttg.dot_op<{opIdx = 1, parent = #blocked}>}>>)
// CHECK: tt.func private @operands(
// CHECK-SAME: tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked{{[0-9]*}}}>>
// CHECK-SAME: tensor<32x16xf16, #ttg.dot_op<{opIdx = 1, parent = #blocked{{[0-9]*}}}>>
// CHECK-SAME: tensor<2x16x8xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked{{[0-9]*}}}>>
tt.func private @operands(
  tensor<16x32xf16, #ttg.dot_op<{opIdx = 0, parent = #blocked, kWidth = 0}>>,
  tensor<32x16xf16, #ttg.dot_op<{parent = #blocked, opIdx = 1}>>,
  tensor<2x16x8xf16, #ttg.dot_op<{opIdx = 0, parent = #cube}>>)

// The allocation's shape is printed where it differs, also without `mutable`;
// buffers need no power of two.
// CHECK: tt.func private @memory(
// CHECK-SAME: !ttg.memdesc<32x32xf16, #shared{{[0-9]*}}, #smem>
// CHECK-SAME: !ttg.memdesc<3x32x32xf16, #shared{{[0-9]*}}, #smem, mutable>
// CHECK-SAME: !ttg.memdesc<16x32xf16, #shared{{[0-9]*}}, #smem, mutable, 32x32>
// CHECK-SAME: !ttg.memdesc<16x32xf16, #shared{{[0-9]*}}, #smem, 3x32x32>
// CHECK-SAME: !ttg.memdesc<64x!tt.ptr<f32>, #shared{{[0-9]*}}, #smem>
tt.func private @memory(
  !ttg.memdesc<32x32xf16, #swizzled, #smem>,
  !ttg.memdesc<3x32x32xf16, #padded, #smem, mutable>,
  !ttg.memdesc<16x32xf16, #swizzled, #smem, mutable, 32x32>,
  !ttg.memdesc<16x32xf16, #swizzled, #smem, 3x32x32>,
  !ttg.memdesc<64x!tt.ptr<f32>, #plain, #smem, 64>)
// CHECK: tt.func private @more_memory(
// CHECK-SAME: !ttg.memdesc<4x4xi8, #shared{{[0-9]*}}, #smem>, !ttg.memdesc<4x2xi8, #shared{{[0-9]*}}, #smem>, !ttg.memdesc<2x2xi8, #shared{{[0-9]*}}, #smem>, !ttg.async.token
tt.func private @more_memory(!ttg.memdesc<4x4xi8, #padded1, #smem>, !ttg.memdesc<4x2xi8, #padded2, #smem>, !ttg.memdesc<2x2xi8, #shared_linear, #smem>, !ttg.async.token)
