// RUN: triton-xe-opt %s -split-input-file -test-print-axis-info=accesses -verify-diagnostics=only-expected -o /dev/null

#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32} {
  // A thread has four neighbours, the address is a multiple of 16 bytes, the
  // mask of 16 elements; of f64 two elements fit into 16 bytes.
  tt.func public @vectors(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f64> {tt.divisibility = 16 : i32}, %u: !tt.ptr<f32>, %n: i32 {tt.divisibility = 16 : i32}) {
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #four>
    %size = tt.splat %n : i32 -> tensor<256xi32, #four>
    %mask = arith.cmpi slt, %r, %size : tensor<256xi32, #four>
    %f32 = tt.splat %p : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #four>
    %f32s = tt.addptr %f32, %r : tensor<256x!tt.ptr<f32>, #four>, tensor<256xi32, #four>
    // expected-remark @below {{contiguity 4, alignment 4, mask alignment 16}}
    %x = tt.load %f32s, %mask : tensor<256x!tt.ptr<f32>, #four>
    %f64 = tt.splat %q : !tt.ptr<f64> -> tensor<256x!tt.ptr<f64>, #four>
    %f64s = tt.addptr %f64, %r : tensor<256x!tt.ptr<f64>, #four>, tensor<256xi32, #four>
    // expected-remark @below {{contiguity 2, alignment 2}}
    %y = tt.load %f64s : tensor<256x!tt.ptr<f64>, #four>
    // Nothing is known of the address.
    %unaligned = tt.splat %u : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #four>
    %ptrs = tt.addptr %unaligned, %r : tensor<256x!tt.ptr<f32>, #four>, tensor<256xi32, #four>
    // expected-remark @below {{contiguity 1, alignment 1, mask alignment 16}}
    tt.store %ptrs, %x, %mask : tensor<256x!tt.ptr<f32>, #four>
    tt.return
  }
}

// -----

#columns = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [0, 1]}>
#scalar = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "xpu", "ttg.threads-per-warp" = 16 : i32} {
  // Rows of 64 f16 values with an aligned pitch. A thread with neighbours along
  // the rows' dimension has no use for that; one without neighbours could have.
  tt.func public @order(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %o: tensor<64x64xi32, #columns> {tt.contiguity = dense<[1, 64]> : tensor<2xi32>, tt.divisibility = dense<[1, 16]> : tensor<2xi32>}) {
    %base = tt.splat %p : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #columns>
    %ptrs = tt.addptr %base, %o : tensor<64x64x!tt.ptr<f16>, #columns>, tensor<64x64xi32, #columns>
    // expected-remark @below {{contiguity 1, alignment 1}}
    %x = tt.load %ptrs : tensor<64x64x!tt.ptr<f16>, #columns>
    %same = ttg.convert_layout %ptrs : tensor<64x64x!tt.ptr<f16>, #columns> -> tensor<64x64x!tt.ptr<f16>, #scalar>
    // expected-remark @below {{contiguity 1, alignment 8}}
    %y = tt.load %same : tensor<64x64x!tt.ptr<f16>, #scalar>
    // expected-remark @below {{contiguity 1, alignment 1}}
    %z = tt.load %p : !tt.ptr<f16>
    tt.return
  }
}
