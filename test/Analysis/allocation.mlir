// RUN: triton-xe-opt %s --split-input-file --test-print-allocation --verify-diagnostics

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [1, 4], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#padded = #ttg.padded_shared<[64:+8] {order = [1, 0], shape = [32, 32]}>
#smem = #ttg.shared_memory

// expected-remark@below {{7168 bytes in all}}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// Buffers that are in use together lie side by side; one that comes after the
// last use of another takes its place.
tt.func @reuse(%x: tensor<32x32xf16, #blocked>) {
  // expected-remark@below {{bytes 0 to 2048, used by 1 to 3}}
  %a = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  // expected-remark@below {{bytes 2048 to 4096, used by 2 to 5}}
  %b = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  %y = ttg.local_load %a : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #blocked>
  // expected-remark@below {{bytes 0 to 2048, used by 4 to 4}}
  %c = ttg.local_alloc %y : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  %z = ttg.local_load %b : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #blocked>
  tt.return
}

// Storage follows the type: several buffers, and gaps after every 64 elements
// but the last.
tt.func @sizes() {
  // expected-remark@below {{bytes 0 to 6144}}
  %a = ttg.local_alloc : () -> !ttg.memdesc<3x32x32xf16, #shared, #smem, mutable>
  // expected-remark@below {{bytes 0 to 2288}}
  %b = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #padded, #smem, mutable>
  tt.return
}

// Views keep the memory alive, and so does the end of its life.
tt.func @views(%x: tensor<32x32xf16, #blocked>, %i: i32) {
  // expected-remark@below {{bytes 0 to 4096, used by 1 to 5}}
  %m = ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
  %v = ttg.memdesc_index %m[%i] : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
  // expected-remark@below {{bytes 4096 to 6144, used by 3 to 6}}
  %n = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
  ttg.local_store %x, %v : tensor<32x32xf16, #blocked> -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
  %y = ttg.local_load %v : !ttg.memdesc<32x32xf16, #shared, #smem, mutable> -> tensor<32x32xf16, #blocked>
  ttg.local_dealloc %n : !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
  // expected-remark@below {{bytes 0 to 2048, used by 7 to 7}}
  %o = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
  tt.return
}

// A buffer that a loop reads is in use to the end of its last iteration.
tt.func @loop(%x: tensor<32x32xf16, #blocked>, %lb: index, %ub: index, %step: index) {
  // expected-remark@below {{bytes 0 to 2048, used by 1 to 5}}
  %a = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  scf.for %i = %lb to %ub step %step {
    %y = ttg.local_load %a : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #blocked>
    // expected-remark@below {{bytes 2048 to 4096, used by 4 to 4}}
    %b = ttg.local_alloc %y : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  }
  // expected-remark@below {{bytes 0 to 2048, used by 6 to 6}}
  %c = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
  tt.return
}

// A buffer that goes round the loop, and the one that it is exchanged for, are
// in use throughout.
tt.func @carried(%x: tensor<32x32xf16, #blocked>, %lb: index, %ub: index, %step: index) {
  // expected-remark@below {{bytes 0 to 2048, used by 1 to 6}}
  %a = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  %r = scf.for %i = %lb to %ub step %step iter_args(%m = %a) -> !ttg.memdesc<32x32xf16, #shared, #smem> {
    %y = ttg.local_load %m : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #blocked>
    // expected-remark@below {{bytes 2048 to 4096, used by 2 to 6}}
    %b = ttg.local_alloc %y : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
    scf.yield %b : !ttg.memdesc<32x32xf16, #shared, #smem>
  }
  %z = ttg.local_load %r : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #blocked>
  tt.return
}

// Both sides of a branch may use the same memory.
tt.func @branch(%x: tensor<32x32xf16, #blocked>, %c: i1) {
  scf.if %c {
    // expected-remark@below {{bytes 0 to 2048}}
    %a = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  } else {
    // expected-remark@below {{bytes 0 to 2048}}
    %b = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  }
  tt.return
}

// Blocks have no simple order: memory used by several of them is in use in all.
tt.func @blocks(%x: tensor<32x32xf16, #blocked>, %c: i1) {
  // expected-remark@below {{bytes 0 to 2048, used by 0 to 6}}
  %a = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  cf.cond_br %c, ^bb2, ^bb1
^bb1:
  %y = ttg.local_load %a : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #blocked>
  tt.return
^bb2:
  // expected-remark@below {{bytes 2048 to 4096, used by 5 to 5}}
  %b = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  cf.br ^bb1
}

// Scratch: conversions and reductions that cross warps need it while they run,
// others never do.
tt.func @scratch(%x: tensor<32x32xf16, #blocked>) {
  // expected-remark@below {{bytes 0 to 2048, used by 1 to 4}}
  %a = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  // expected-remark@below {{bytes 2048 to 4096, used by 2 to 2}}
  %y = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #rows>
  %z = ttg.convert_layout %x : tensor<32x32xf16, #blocked> -> tensor<32x32xf16, #blocked>
  %w = ttg.local_load %a : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #blocked>
  // Within the warps: no shared memory.
  %r = "tt.reduce"(%x) <{axis = 1 : i32}> ({
  ^bb0(%p: f16, %q: f16):
    %s = arith.addf %p, %q : f16
    tt.reduce.return %s : f16
  }) : (tensor<32x32xf16, #blocked>) -> tensor<32xf16, #ttg.slice<{dim = 1, parent = #blocked}>>
  // Four partial results for each of 32 columns, 2 bytes each, which share no
  // memory with the next exchange.
  // expected-remark@below {{bytes 1024 to 1280, used by 8 to 10}}
  %c = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f16, %q: f16):
    %s = arith.addf %p, %q : f16
    tt.reduce.return %s : f16
  }) : (tensor<32x32xf16, #blocked>) -> tensor<32xf16, #ttg.slice<{dim = 0, parent = #blocked}>>
  // A warp has runs of two rows, so 16 totals for each of 32 columns.
  // expected-remark@below {{bytes 0 to 1024, used by 11 to 13}}
  %d = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%p: f16, %q: f16):
    %s = arith.addf %p, %q : f16
    tt.scan.return %s : f16
  }) : (tensor<32x32xf16, #blocked>) -> tensor<32x32xf16, #blocked>
  tt.return
}

// The memory of a function lies after all memory that is in use at any of its
// calls.
tt.func private @callee(%x: tensor<32x32xf16, #blocked>) attributes {noinline = true} {
  // expected-remark@below {{bytes 4096 to 6144}}
  %a = ttg.local_alloc %x : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
  tt.call @leaf() : () -> ()
  %y = ttg.local_load %a : !ttg.memdesc<32x32xf16, #shared, #smem> -> tensor<32x32xf16, #blocked>
  tt.return
}
tt.func private @leaf() attributes {noinline = true} {
  // expected-remark@below {{bytes 6144 to 7168}}
  %a = ttg.local_alloc : () -> !ttg.memdesc<16x32xf16, #shared, #smem, mutable>
  tt.return
}
tt.func @caller(%x: tensor<32x32xf16, #blocked>) {
  // expected-remark@below {{bytes 0 to 4096}}
  %a = ttg.local_alloc : () -> !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
  tt.call @callee(%x) : (tensor<32x32xf16, #blocked>) -> ()
  ttg.local_dealloc %a : !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>
  tt.call @callee(%x) : (tensor<32x32xf16, #blocked>) -> ()
  tt.return
}

}

// -----

#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>

// expected-remark@below {{48 bytes in all}}
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// The next exchange has another place, the one after it the first one again.
tt.func @successive(%x: tensor<64xf32, #line>) {
  // expected-remark@below {{bytes 0 to 16,}}
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<64xf32, #line>) -> f32
  // expected-remark@below {{bytes 16 to 32,}}
  %b = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<64xf32, #line>) -> f32
  // expected-remark@below {{bytes 0 to 16,}}
  %c = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<64xf32, #line>) -> f32
  tt.return
}

// In a loop the last exchange comes before the first one.
tt.func @around_loop(%x: tensor<64xf32, #line>, %lb: index, %ub: index, %step: index) {
  scf.for %i = %lb to %ub step %step {
    // expected-remark@below {{bytes 0 to 16,}}
    %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32, #line>) -> f32
    // expected-remark@below {{bytes 16 to 32,}}
    %b = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32, #line>) -> f32
    // expected-remark@below {{bytes 32 to 48,}}
    %c = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32, #line>) -> f32
  }
  tt.return
}
}

// -----

#line = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory

// A second place would make the work-group require one more unit of memory.
// expected-remark@below {{1024 bytes in all}}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
tt.func @full(%x: tensor<4x16xf32, #line>) {
  // expected-remark@below {{bytes 0 to 512,}}
  %m = ttg.local_alloc : () -> !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
  // expected-remark@below {{bytes 512 to 768,}}
  %n = ttg.local_alloc : () -> !ttg.memdesc<8x16xf16, #shared, #smem, mutable>
  // expected-remark@below {{bytes 768 to 1024,}}
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<4x16xf32, #line>) -> tensor<16xf32, #ttg.slice<{dim = 0, parent = #line}>>
  // expected-remark@below {{bytes 768 to 1024,}}
  %b = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<4x16xf32, #line>) -> tensor<16xf32, #ttg.slice<{dim = 0, parent = #line}>>
  ttg.local_dealloc %m : !ttg.memdesc<16x16xf16, #shared, #smem, mutable>
  ttg.local_dealloc %n : !ttg.memdesc<8x16xf16, #shared, #smem, mutable>
  tt.return
}
}

// -----

#line = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 16], warpsPerCTA = [4, 1], order = [1, 0]}>

// Large exchanges share their memory.
// expected-remark@below {{512 bytes in all}}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
tt.func @large(%x: tensor<4x32xf32, #line>) {
  // expected-remark@below {{bytes 0 to 512,}}
  %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<4x32xf32, #line>) -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #line}>>
  // expected-remark@below {{bytes 0 to 512,}}
  %b = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<4x32xf32, #line>) -> tensor<32xf32, #ttg.slice<{dim = 0, parent = #line}>>
  tt.return
}
}

// -----

// Nothing to allocate.
// expected-remark@below {{0 bytes in all}}
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {
tt.func @empty() {
  tt.return
}
}

// -----

// Recursion has no fixed need.
module {
// expected-error@below {{calls itself, but recursive functions have no place for their shared memory}}
tt.func private @recursive() attributes {noinline = true} {
  tt.call @recursive() : () -> ()
  tt.return
}
}
