// RUN: triton-xe-opt %s --tritongpu-allocate-memory | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 8], warpsPerCTA = [1, 4], order = [1, 0]}>
#line = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
!tile = tensor<32x32xf16, #blocked>
!buffer = !ttg.memdesc<32x32xf16, #shared, #smem>
!mutable = !ttg.memdesc<32x32xf16, #shared, #smem, mutable>
!pair = !ttg.memdesc<2x32x32xf16, #shared, #smem, mutable>

module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// A read after a write; a second read needs nothing.
// CHECK-LABEL: tt.func @read_after_write
// CHECK:       ttg.local_alloc
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  ttg.local_load
// CHECK-NEXT:  ttg.local_load
// CHECK-NEXT:  tt.return
tt.func @read_after_write(%x: !tile) {
  %a = ttg.local_alloc %x : (!tile) -> !buffer
  %y = ttg.local_load %a : !buffer -> !tile
  %z = ttg.local_load %a : !buffer -> !tile
  tt.return
}

// A write after a read, and after a write.
// CHECK-LABEL: tt.func @write_after
// CHECK:       ttg.local_alloc
// CHECK-NEXT:  ttg.local_load
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  ttg.local_store
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  ttg.local_store
// CHECK-NEXT:  tt.return
tt.func @write_after(%x: !tile) {
  %a = ttg.local_alloc : () -> !mutable
  %y = ttg.local_load %a : !mutable -> !tile
  ttg.local_store %x, %a : !tile -> !mutable
  ttg.local_store %y, %a : !tile -> !mutable
  tt.return
}

// Accesses to different buffers have nothing to do with each other; neither
// have those to different parts of one.
// CHECK-LABEL: tt.func @different
// CHECK-NOT:   ttg.barrier
// CHECK:       tt.return
tt.func @different(%x: !tile) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = ttg.local_alloc : () -> !mutable
  %b = ttg.local_alloc : () -> !pair
  %b0 = ttg.memdesc_index %b[%c0] : !pair -> !mutable
  %b1 = ttg.memdesc_index %b[%c1] : !pair -> !mutable
  ttg.local_store %x, %a : !tile -> !mutable
  ttg.local_store %x, %b0 : !tile -> !mutable
  %y = ttg.local_load %b1 : !mutable -> !tile
  ttg.local_dealloc %a : !mutable
  tt.return
}

// With an index that is not known the parts may be the same.
// CHECK-LABEL: tt.func @unknown_part
// CHECK:       ttg.local_store
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  ttg.local_load
tt.func @unknown_part(%x: !tile, %i: i32) {
  %c1 = arith.constant 1 : i32
  %b = ttg.local_alloc : () -> !pair
  %b0 = ttg.memdesc_index %b[%i] : !pair -> !mutable
  %b1 = ttg.memdesc_index %b[%c1] : !pair -> !mutable
  ttg.local_store %x, %b0 : !tile -> !mutable
  %y = ttg.local_load %b1 : !mutable -> !tile
  tt.return
}

// Different buffers at one place conflict.
// CHECK-LABEL: tt.func @reused
// CHECK:       ttg.local_alloc
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  ttg.local_load
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  ttg.local_alloc
// CHECK-NEXT:  tt.return
tt.func @reused(%x: !tile) {
  %a = ttg.local_alloc %x : (!tile) -> !buffer
  %y = ttg.local_load %a : !buffer -> !tile
  %b = ttg.local_alloc %y : (!tile) -> !buffer
  tt.return
}

// A conversion with scratch memory has a barrier within, which counts for
// everything before. The next one has other memory than the buffer and than the
// conversion, so that no reads have to be over.
// CHECK-LABEL: tt.func @scratch
// CHECK:       ttg.local_alloc {{.*}}{allocation.offset = 0 : i32}
// CHECK-NEXT:  ttg.convert_layout {{.*}}{allocation.offset = 2048 : i32}
// CHECK-NEXT:  ttg.local_load
// CHECK-NEXT:  ttg.convert_layout {{.*}}{allocation.offset = 4096 : i32}
// CHECK-NEXT:  tt.return
tt.func @scratch(%x: !tile) {
  %a = ttg.local_alloc %x : (!tile) -> !buffer
  %y = ttg.convert_layout %x : !tile -> tensor<32x32xf16, #rows>
  %z = ttg.local_load %a : !buffer -> !tile
  %w = ttg.convert_layout %z : !tile -> tensor<32x32xf16, #rows>
  tt.return
}

// Successive ones have different memory: the barrier within the second one
// separates its writes from the reads of the first one.
// CHECK-LABEL: tt.func @small_scratch
// CHECK-NEXT:  ttg.convert_layout
// CHECK-NEXT:  ttg.convert_layout
// CHECK-NEXT:  tt.return
tt.func @small_scratch(%x: !tile) {
  %y = ttg.convert_layout %x : !tile -> tensor<32x32xf16, #rows>
  %z = ttg.convert_layout %x : !tile -> tensor<32x32xf16, #rows>
  tt.return
}

// A buffer and a conversion of 16 KB each are more than the share of 4 warps.
// CHECK-LABEL: tt.func @large_buffer
// CHECK:       ttg.local_alloc
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  ttg.local_load
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  ttg.convert_layout {{.*}}{allocation.offset = 0 : i32}
// CHECK-NEXT:  tt.return
tt.func @large_buffer(%x: tensor<64x128xf16, #blocked>) {
  %a = ttg.local_alloc %x : (tensor<64x128xf16, #blocked>) -> !ttg.memdesc<64x128xf16, #shared, #smem>
  %z = ttg.local_load %a : !ttg.memdesc<64x128xf16, #shared, #smem> -> tensor<64x128xf16, #blocked>
  %w = ttg.convert_layout %z : tensor<64x128xf16, #blocked> -> tensor<64x128xf16, #rows>
  tt.return
}

// Two of 16 KB are more than the share of 4 warps, an eighth of a core's memory:
// the reads of the first one must be over before the second one writes.
// CHECK-LABEL: tt.func @large_scratch
// CHECK-NEXT:  ttg.convert_layout
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  ttg.convert_layout
// CHECK-NEXT:  tt.return
tt.func @large_scratch(%x: tensor<64x64xf32, #blocked>) {
  %y = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #rows>
  %z = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #rows>
  tt.return
}

// Existing barriers count; those for other memory do not.
// CHECK-LABEL: tt.func @given
// CHECK:       ttg.local_alloc
// CHECK-NEXT:  ttg.barrier all
// CHECK-NEXT:  ttg.local_load
// CHECK-NEXT:  ttg.barrier global_read
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  ttg.local_store
tt.func @given(%x: !tile) {
  %a = ttg.local_alloc %x : (!tile) -> !mutable
  ttg.barrier all
  %y = ttg.local_load %a : !mutable -> !tile
  ttg.barrier global_read
  ttg.local_store %x, %a : !tile -> !mutable
  tt.return
}

// The next iteration writes what this one has read.
// CHECK-LABEL: tt.func @carried
// CHECK:       scf.for
// CHECK-NEXT:    ttg.barrier local
// CHECK-NEXT:    ttg.local_store
// CHECK-NEXT:    ttg.barrier local
// CHECK-NEXT:    ttg.local_load
// CHECK-NEXT:  }
tt.func @carried(%x: !tile, %lb: index, %ub: index, %step: index) {
  %a = ttg.local_alloc : () -> !mutable
  scf.for %i = %lb to %ub step %step {
    ttg.local_store %x, %a : !tile -> !mutable
    %y = ttg.local_load %a : !mutable -> !tile
  }
  tt.return
}

// The barrier that one hazard between iterations needs resolves the other too.
// CHECK-LABEL: tt.func @carried_once
// CHECK:       scf.for
// CHECK-NEXT:    ttg.barrier local
// CHECK-NEXT:    ttg.convert_layout
// CHECK-NEXT:    ttg.local_store
// CHECK-NEXT:  }
tt.func @carried_once(%x: !tile, %lb: index, %ub: index, %step: index) {
  %a = ttg.local_alloc : () -> !mutable
  scf.for %i = %lb to %ub step %step {
    %y = ttg.convert_layout %x : !tile -> tensor<32x32xf16, #rows>
    ttg.local_store %x, %a : !tile -> !mutable
  }
  tt.return
}

// Reads in a loop without conflicts need one barrier, before the loop.
// CHECK-LABEL: tt.func @reads
// CHECK:       ttg.local_alloc
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  scf.for
// CHECK-NEXT:    ttg.local_load
// CHECK-NEXT:  }
// CHECK-NEXT:  ttg.local_load
// CHECK-NEXT:  tt.return
tt.func @reads(%x: !tile, %lb: index, %ub: index, %step: index) {
  %a = ttg.local_alloc %x : (!tile) -> !buffer
  scf.for %i = %lb to %ub step %step {
    %y = ttg.local_load %a : !buffer -> !tile
  }
  %z = ttg.local_load %a : !buffer -> !tile
  tt.return
}

// The buffer that goes round the loop is read and then written again.
// CHECK-LABEL: tt.func @exchanged
// CHECK:       ttg.local_alloc
// CHECK-NEXT:  scf.for
// CHECK-NEXT:    ttg.barrier local
// CHECK-NEXT:    ttg.local_load
// CHECK-NEXT:    ttg.barrier local
// CHECK-NEXT:    ttg.local_alloc
// CHECK-NEXT:    scf.yield
tt.func @exchanged(%x: !tile, %lb: index, %ub: index, %step: index) {
  %a = ttg.local_alloc %x : (!tile) -> !buffer
  %r = scf.for %i = %lb to %ub step %step iter_args(%m = %a) -> !buffer {
    %y = ttg.local_load %m : !buffer -> !tile
    %b = ttg.local_alloc %y : (!tile) -> !buffer
    scf.yield %b : !buffer
  }
  tt.return
}

// A hazard on one way is a hazard; none where the ways exclude each other.
// CHECK-LABEL: tt.func @branches
// CHECK:       scf.if
// CHECK-NEXT:    ttg.local_store
// CHECK-NEXT:  } else {
// CHECK-NEXT:    ttg.local_load
// CHECK-NEXT:  }
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  ttg.local_load
tt.func @branches(%x: !tile, %c: i1) {
  %a = ttg.local_alloc : () -> !mutable
  scf.if %c {
    ttg.local_store %x, %a : !tile -> !mutable
  } else {
    %y = ttg.local_load %a : !mutable -> !tile
  }
  %z = ttg.local_load %a : !mutable -> !tile
  tt.return
}

// The same between blocks, round a loop of them.
// CHECK-LABEL: tt.func @blocks
// CHECK:       ^bb1:
// CHECK-NEXT:    ttg.barrier local
// CHECK-NEXT:    ttg.local_store
// CHECK-NEXT:    cf.cond_br
// CHECK:       ^bb2:
// CHECK-NEXT:    ttg.barrier local
// CHECK-NEXT:    ttg.local_load
// CHECK-NEXT:    cf.br ^bb1
tt.func @blocks(%x: !tile, %c: i1) {
  %a = ttg.local_alloc : () -> !mutable
  cf.br ^bb1
^bb1:
  ttg.local_store %x, %a : !tile -> !mutable
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  %y = ttg.local_load %a : !mutable -> !tile
  cf.br ^bb1
^bb3:
  tt.return
}

// A call counts as all accesses of the function. Memory that a function is
// given may be any.
// CHECK-LABEL: tt.func private @store
// CHECK-NOT:   ttg.barrier
// CHECK-LABEL: tt.func @call
// CHECK:       ttg.local_alloc
// CHECK-NEXT:  tt.call @scratch_only
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  tt.call @store
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  ttg.local_load
tt.func private @store(%x: !tile, %m: !mutable) attributes {noinline = true} {
  ttg.local_store %x, %m : !tile -> !mutable
  tt.return
}
tt.func private @scratch_only(%x: !tile) attributes {noinline = true} {
  %w = ttg.convert_layout %x : !tile -> tensor<32x32xf16, #rows>
  tt.return
}
tt.func @call(%x: !tile) {
  %a = ttg.local_alloc %x : (!tile) -> !mutable
  tt.call @scratch_only(%x) : (!tile) -> ()
  tt.call @store(%x, %a) : (!tile, !mutable) -> ()
  %y = ttg.local_load %a : !mutable -> !tile
  tt.return
}

// Partial results of the next reduction have a separate place, and its barrier
// comes before the first place is written again.
// CHECK-LABEL: tt.func @successive
// CHECK-NOT:   ttg.barrier
// CHECK:       tt.return
tt.func @successive(%x: tensor<64xf32, #line>, %lb: index, %ub: index, %step: index) {
  scf.for %i = %lb to %ub step %step {
    %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32, #line>) -> f32
    %b = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32, #line>) -> f32
  }
  tt.return
}

// A single one has two places, which iterations take by turns. An exchange
// after the loop could meet either of them.
// CHECK-LABEL: tt.func @alone
// CHECK-NOT:   ttg.barrier
// CHECK:       allocation.offset = 0 : i32, allocation.places = 2 : i32
// CHECK-NOT:   ttg.barrier
// CHECK:       allocation.offset = 32 : i32
// CHECK-NOT:   allocation.places
// CHECK-NOT:   ttg.barrier
// CHECK:       tt.return
tt.func @alone(%x: tensor<64xf32, #line>, %lb: i32, %ub: i32) {
  %step = arith.constant 4 : i32
  scf.for %i = %lb to %ub step %step : i32 {
    %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32, #line>) -> f32
  }
  %b = "tt.reduce"(%x) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q : f32
    tt.reduce.return %s : f32
  }) : (tensor<64xf32, #line>) -> f32
  tt.return
}

// So has a conversion.
// CHECK-LABEL: tt.func @alone_conversion
// CHECK-NOT:   ttg.barrier
// CHECK:       ttg.convert_layout {{.*}}allocation.places = 2 : i32
// CHECK-NOT:   ttg.barrier
// CHECK:       tt.return
tt.func @alone_conversion(%x: !tile, %lb: i32, %ub: i32) {
  %step = arith.constant 32 : i32
  scf.for %i = %lb to %ub step %step : i32 {
    %y = ttg.convert_layout %x : !tile -> tensor<32x32xf16, #rows>
  }
  tt.return
}

// Two places of 16 KB are more than the share of 4 warps.
// CHECK-LABEL: tt.func @alone_large
// CHECK:         ttg.barrier local
// CHECK-NEXT:    ttg.convert_layout
// CHECK-NOT:   allocation.places
// CHECK:       tt.return
tt.func @alone_large(%x: tensor<64x64xf32, #blocked>, %lb: i32, %ub: i32) {
  %step = arith.constant 32 : i32
  scf.for %i = %lb to %ub step %step : i32 {
    %y = ttg.convert_layout %x : tensor<64x64xf32, #blocked> -> tensor<64x64xf32, #rows>
  }
  tt.return
}

// Not if the number of an iteration takes a division.
// CHECK-LABEL: tt.func @unknown_step
// CHECK:       scf.for
// CHECK-NEXT:    ttg.barrier local
// CHECK-NEXT:    "tt.reduce"
// CHECK-NOT:   allocation.places
// CHECK-NOT:   ttg.barrier
// CHECK:       tt.return
tt.func @unknown_step(%x: tensor<64xf32, #line>, %lb: i32, %ub: i32, %step: i32) {
  scf.for %i = %lb to %ub step %step : i32 {
    %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32, #line>) -> f32
  }
  tt.return
}

// Nor if the loop starts again, which may be with the place that was the last.
// CHECK-LABEL: tt.func @nested
// CHECK:       ttg.barrier local
// CHECK-NEXT:  "tt.reduce"
// CHECK-NOT:   allocation.places
// CHECK:       tt.return
tt.func @nested(%x: tensor<64xf32, #line>, %lb: i32, %ub: i32) {
  %step = arith.constant 1 : i32
  scf.for %i = %lb to %ub step %step : i32 {
    scf.for %j = %lb to %ub step %step : i32 {
      %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%p: f32, %q: f32):
        %s = arith.addf %p, %q : f32
        tt.reduce.return %s : f32
      }) : (tensor<64xf32, #line>) -> f32
    }
  }
  tt.return
}

// CHECK-LABEL: tt.func @jump_back
// CHECK:       ttg.barrier local
// CHECK-NEXT:  "tt.reduce"
// CHECK-NOT:   allocation.places
// CHECK:       tt.return
tt.func @jump_back(%x: tensor<64xf32, #line>, %lb: i32, %ub: i32, %again: i1) {
  %step = arith.constant 1 : i32
  cf.br ^loop
^loop:
  scf.for %j = %lb to %ub step %step : i32 {
    %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32, #line>) -> f32
  }
  cf.cond_br %again, ^loop, ^end
^end:
  tt.return
}

// Nor if there are iterations that leave it out.
// CHECK-LABEL: tt.func @in_branch
// CHECK:       ttg.barrier local
// CHECK-NEXT:  "tt.reduce"
// CHECK-NOT:   allocation.places
// CHECK:       tt.return
tt.func @in_branch(%x: tensor<64xf32, #line>, %lb: i32, %ub: i32, %c: i1) {
  %step = arith.constant 1 : i32
  scf.for %j = %lb to %ub step %step : i32 {
    scf.if %c {
      %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
      ^bb0(%p: f32, %q: f32):
        %s = arith.addf %p, %q : f32
        tt.reduce.return %s : f32
      }) : (tensor<64xf32, #line>) -> f32
    }
  }
  tt.return
}

// Calls begin the loops of a function again.
// CHECK-LABEL: tt.func private @called
// CHECK:       allocation.places = 2
// CHECK-LABEL: tt.func @calls
// CHECK:       tt.call
// CHECK-NEXT:  ttg.barrier local
// CHECK-NEXT:  tt.call
tt.func private @called(%x: tensor<64xf32, #line>, %lb: i32, %ub: i32) attributes {noinline = true} {
  %step = arith.constant 1 : i32
  scf.for %j = %lb to %ub step %step : i32 {
    %a = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      tt.reduce.return %s : f32
    }) : (tensor<64xf32, #line>) -> f32
  }
  tt.return
}
tt.func @calls(%x: tensor<64xf32, #line>, %lb: i32, %ub: i32) {
  tt.call @called(%x, %lb, %ub) : (tensor<64xf32, #line>, i32, i32) -> ()
  tt.call @called(%x, %lb, %ub) : (tensor<64xf32, #line>, i32, i32) -> ()
  tt.return
}
}
