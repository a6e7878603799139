// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics --tritonintelgpu-raise-xe-calls

// A name that is not known.

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @unknown(%x: i32) {
    // expected-error@+1 {{there is no function `xe.dance.0` of Xe with these operands}}
    tt.call @xe.dance.0(%x) : (i32) -> ()
    tt.return
  }
  tt.func private @xe.dance.0(i32)
}

// -----

// A product with too few operands.

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @operands(%x: i32) {
    // expected-error@+1 {{there is no function `xe.dot.0` of Xe with these operands}}
    %y = tt.call @xe.dot.0(%x) : (i32) -> i32
    tt.return
  }
  tt.func private @xe.dot.0(i32) -> i32
}

// -----

// A product of scalars.

module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @scalars(%x: i32) {
    // expected-error@+1 {{expected a tensor as operand 0}}
    %y = tt.call @xe.dot.0(%x, %x, %x) : (i32, i32, i32) -> i32
    tt.return
  }
  tt.func private @xe.dot.0(i32, i32, i32) -> i32
}

// -----

// The left operand has the layout of another distribution of warps.

#a = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[8, 0], [0, 0]], block = []}>
#b = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [0, 0]], block = []}>
#c = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [8, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @other_warps(%x: tensor<16x16xf16, #a>, %y: tensor<16x32xf16, #b>, %acc: tensor<16x32xf32, #c>) {
    // expected-error@+1 {{the layouts of the operands and of the accumulator are not those of one DPAS layout of the target}}
    %d = tt.call @xe.dot.0(%x, %y, %acc) : (tensor<16x16xf16, #a>, tensor<16x32xf16, #b>, tensor<16x32xf32, #c>) -> tensor<16x32xf32, #c>
    tt.return
  }
  tt.func private @xe.dot.0(tensor<16x16xf16, #a>, tensor<16x32xf16, #b>, tensor<16x32xf32, #c>) -> tensor<16x32xf32, #c>
}

// -----

// No DPAS adds to f64.

#a = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 0], [8, 0]], block = []}>
#b = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0], [8, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [0, 0]], block = []}>
#c = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [8, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @types(%x: tensor<16x16xf16, #a>, %y: tensor<16x32xf16, #b>, %acc: tensor<16x32xf64, #c>) {
    // expected-error@+1 {{DPAS of the target cannot multiply 'f16' by 'f16' and add 'f64' exactly}}
    %d = tt.call @xe.dot.0(%x, %y, %acc) : (tensor<16x16xf16, #a>, tensor<16x32xf16, #b>, tensor<16x32xf64, #c>) -> tensor<16x32xf64, #c>
    tt.return
  }
  tt.func private @xe.dot.0(tensor<16x16xf16, #a>, tensor<16x32xf16, #b>, tensor<16x32xf64, #c>) -> tensor<16x32xf64, #c>
}

// -----

// Each lane has neighbours of a row: no result or operand of DPAS is like that.

#other = #ttg.linear<{register = [[0, 1], [2, 0], [4, 0]], lane = [[0, 2], [0, 4], [0, 8], [1, 0]], warp = [[0, 16], [8, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @layout(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
    %c1 = arith.constant 1 : i64
    // expected-error@+1 {{neither that of a result of DPAS nor that of one of its operands}}
    %x = tt.call @xe.load.0(%p, %n, %n, %n, %c1, %i, %i) : (!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #other>
    tt.return
  }
  tt.func private @xe.load.0(!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #other>
}

// -----

// The block has elements of another type than memory.

#c = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [8, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @elements(%p: !tt.ptr<f16>, %n: i64, %i: i32) {
    %c1 = arith.constant 1 : i64
    // expected-error@+1 {{expected a block of the tensor's elements}}
    %x = tt.call @xe.load.0(%p, %n, %n, %n, %c1, %i, %i) : (!tt.ptr<f16>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c>
    tt.return
  }
  tt.func private @xe.load.0(!tt.ptr<f16>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c>
}

// -----

// No pointer.

#c = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [8, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @base(%n: i64, %i: i32) {
    // expected-error@+1 {{expected a pointer as first operand}}
    %x = tt.call @xe.load.0(%i, %n, %n, %n, %n, %i, %i) : (i32, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c>
    tt.return
  }
  tt.func private @xe.load.0(i32, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c>
}

// -----

// Memory that is contiguous along no dimension is accessed by no message, whatever
// the launch is. Sizes are no error: launches know them.

#c = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [8, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @strides(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %x = tt.call @xe.load.0(%p, %n, %n, %n, %c1, %i, %i) : (!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c>
    // expected-error@+1 {{no 2D block message accesses this block: }}
    %y = tt.call @xe.load.0(%p, %n, %n, %n, %c2, %i, %i) : (!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c>
    tt.return
  }
  tt.func private @xe.load.0(!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c>
}

// -----

// No message has 16 rows of the eight that a sub-group has side by side; those of
// fewer rows are listed. Whether a launch's matrix suits messages does not matter.

#c = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [8, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @message(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
    %c1 = arith.constant 1 : i64
    // expected-error@+1 {{no 2D block message accesses this block: no message of the target has the stated shape (16, 16, 1) here; rows, columns and blocks of those that are possible: (8, 16, 1), (4, 16, 1), (2, 16, 1), (1, 16, 1)}}
    %x = tt.call @xe.load.0(%p, %n, %n, %n, %c1, %i, %i) : (!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c>
    tt.return
  }
  tt.func private @xe.load.0(!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> tensor<16x32xf32, #c> attributes {message_rows = 16 : i32, message_columns = 16 : i32, message_blocks = 1 : i32}
}

// -----

// A prefetch has no more rows than its block.

#c = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8]], warp = [[0, 16], [8, 0]], block = []}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @prefetch(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
    %c1 = arith.constant 1 : i64
    // expected-error@+1 {{no message of the target has the stated shape (4, 16, 1) here; rows, columns and blocks of those that are possible: (1, 8, 1), (1, 8, 2), (1, 16, 1), (2, 8, 1), (2, 8, 2), (2, 16, 1)}}
    tt.call @xe.prefetch.0(%p, %n, %n, %n, %c1, %i, %i) : (!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) -> ()
    tt.return
  }
  tt.func private @xe.prefetch.0(!tt.ptr<f32>, i64, i64, i64, i64, i32, i32) attributes {rows = 2 : i32, columns = 16 : i32, message_rows = 4 : i32, message_columns = 16 : i32, message_blocks = 1 : i32}
}

// -----

// No lane has this number.

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @lane(%x: tensor<128xf16, #blocked>) {
    %c16 = arith.constant 16 : i32
    // expected-error@+1 {{a sub-group has the lanes 0 to 15, and `xe.shuffle` reaches none by 16}}
    %a = tt.call @xe.shuffle.0(%x, %c16) : (tensor<128xf16, #blocked>, i32) -> tensor<128xf16, #blocked>
    tt.return
  }
  tt.func private @xe.shuffle.0(tensor<128xf16, #blocked>, i32) -> tensor<128xf16, #blocked>
}

// -----

// No lane is below another one by a negative number.

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @delta(%x: tensor<128xf16, #blocked>) {
    %c = arith.constant -1 : i32
    // expected-error@+1 {{a sub-group has the lanes 0 to 15, and `xe.shuffle_up` reaches none by -1}}
    %a = tt.call @xe.shuffle_up.0(%x, %c) : (tensor<128xf16, #blocked>, i32) -> tensor<128xf16, #blocked>
    tt.return
  }
  tt.func private @xe.shuffle_up.0(tensor<128xf16, #blocked>, i32) -> tensor<128xf16, #blocked>
}

// -----

// Pointers are not exchanged.

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @pointers(%x: tensor<128x!tt.ptr<f16>, #blocked>, %i: i32) {
    // expected-error@+1 {{expected a tensor of numbers to shuffle}}
    %a = tt.call @xe.shuffle_xor.0(%x, %i) : (tensor<128x!tt.ptr<f16>, #blocked>, i32) -> tensor<128x!tt.ptr<f16>, #blocked>
    tt.return
  }
  tt.func private @xe.shuffle_xor.0(tensor<128x!tt.ptr<f16>, #blocked>, i32) -> tensor<128x!tt.ptr<f16>, #blocked>
}

// -----

// The number is an i32.

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
  tt.func public @number(%x: tensor<128xf16, #blocked>, %i: i64) {
    // expected-error@+1 {{expected one i32 for all elements, or one for each in the layout of the value, found 'i64'}}
    %a = tt.call @xe.shuffle_xor.0(%x, %i) : (tensor<128xf16, #blocked>, i64) -> tensor<128xf16, #blocked>
    tt.return
  }
  tt.func private @xe.shuffle_xor.0(tensor<128xf16, #blocked>, i64) -> tensor<128xf16, #blocked>
}
