// RUN: triton-xe-opt %s -tritonintelgpu-shorten-live-ranges | FileCheck %s

#nowhere = #llvm.di_file<"" in "">

module attributes {ttig.target = #ttig.target<arch = "pvc">} {

// What was loaded is added to the accumulators before more is loaded. A chain
// moves as a whole, and stores stay where they are.
// CHECK-LABEL: @epilogue
// CHECK:         %[[A:.+]] = llvm.load
// CHECK-NEXT:    %[[C:.+]] = arith.addf %{{.*}}, %[[A]]
// CHECK-NEXT:    %[[D:.+]] = arith.truncf %[[C]]
// CHECK-NEXT:    %[[B:.+]] = llvm.load
// CHECK-NEXT:    arith.addf %{{.*}}, %[[B]]
// CHECK:         llvm.store %[[D]]
llvm.func @epilogue(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %x: vector<8xf32>, %y: vector<8xf32>) {
  %a = llvm.load %p : !llvm.ptr<1> -> vector<8xf32>
  %b = llvm.load %q : !llvm.ptr<1> -> vector<8xf32>
  %c = arith.addf %x, %a : vector<8xf32>
  %d = arith.truncf %c : vector<8xf32> to vector<8xf16>
  %e = arith.addf %y, %b : vector<8xf32>
  llvm.store %d, %p : vector<8xf16>, !llvm.ptr<1>
  llvm.store %e, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// A conversion to more bits moves down to where it is needed; not moved is an
// operation on values that are needed later.
// CHECK-LABEL: @stay
// CHECK:         %[[A:.+]] = llvm.load
// CHECK-NEXT:    %[[B:.+]] = llvm.load
// CHECK-NEXT:    arith.addf %[[B]]
// CHECK-NEXT:    arith.extf %[[A]]
// CHECK-NEXT:    llvm.store
llvm.func @stay(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %x: vector<8xf32>) {
  %a = llvm.load %p : !llvm.ptr<1> -> vector<8xf16>
  %b = llvm.load %q : !llvm.ptr<1> -> vector<8xf32>
  %c = arith.extf %a : vector<8xf16> to vector<8xf32>
  %d = arith.addf %b, %x : vector<8xf32>
  llvm.store %c, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %d, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.store %b, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %x, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// The second block is loaded behind the product of the first, which it is no
// part of, and its two halves are cut out of it there.
// CHECK-LABEL: @product
// CHECK:         %[[A:.+]] = ttig.block_load
// CHECK-NEXT:    ttig.dpas %{{.*}}, %[[A]], %{{.*}}
// CHECK-NEXT:    %[[B:.+]] = ttig.block_load
// CHECK-NEXT:    %[[LOW:.+]] = llvm.shufflevector %[[B]]
// CHECK-NEXT:    %[[HIGH:.+]] = llvm.shufflevector %[[B]]
// CHECK-NEXT:    %[[SUM:.+]] = ttig.dpas %{{.*}}, %[[LOW]], %{{.*}}
// CHECK-NEXT:    ttig.dpas %{{.*}}, %[[HIGH]], %[[SUM]]
llvm.func @product(%p: !llvm.ptr<1>, %w: i32, %h: i32, %pitch: i32, %x: i32, %y: i32,
                   %a: vector<8xi16>, %c: vector<8xf32>) {
  %poison = llvm.mlir.poison : vector<16xi32>
  %b0_surface = ttig.make_surface %p, %w, %h, %pitch
  %b0 = ttig.block_load %b0_surface[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  %b1_surface = ttig.make_surface %p, %w, %h, %pitch
  %b1 = ttig.block_load %b1_surface[%x, %x] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 32 : i32, vnni} : vector<16xi32>
  %low = llvm.shufflevector %b1, %poison [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xi32>
  %high = llvm.shufflevector %b1, %poison [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi32>
  %d = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e = ttig.dpas %a, %low, %d : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %f = ttig.dpas %a, %high, %e : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %f, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// What an assumption says does not change what is loaded.
// CHECK-LABEL: @assumed
// CHECK:         llvm.intr.assume
// CHECK-NEXT:    %[[A:.+]] = ttig.block_load
// CHECK-NEXT:    llvm.store %[[A]]
llvm.func @assumed(%p: !llvm.ptr<1>, %w: i32, %h: i32, %pitch: i32, %x: i32, %y: i32, %holds: i1) {
  %a_surface = ttig.make_surface %p, %w, %h, %pitch
  %a = ttig.block_load %a_surface[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  llvm.intr.assume %holds : i1
  llvm.store %a, %p : vector<8xi16>, !llvm.ptr<1>
  llvm.return
}

// Bytes that become 16 bits each take twice the registers of the load: each half is computed where an instruction needs it, of
// two values that an operation alone could not move down.
// CHECK-LABEL: @widened
// CHECK:         %[[A:.+]] = ttig.block_load
// CHECK:         %[[LOW:.+]] = llvm.or
// CHECK-NEXT:    %[[D:.+]] = ttig.dpas %[[LOW]], %{{.*}}, %{{.*}}
// CHECK:         %[[HIGH:.+]] = llvm.or
// CHECK-NEXT:    ttig.dpas %[[HIGH]], %{{.*}}, %[[D]]
llvm.func @widened(%p: !llvm.ptr<1>, %w: i32, %h: i32, %pitch: i32, %x: i32, %y: i32, %b: vector<8xi32>, %c: vector<8xf32>) {
  %sign = llvm.mlir.constant(dense<-32768> : vector<8xi16>) : vector<8xi16>
  %rest = llvm.mlir.constant(dense<16256> : vector<8xi16>) : vector<8xi16>
  %one = llvm.mlir.constant(dense<1> : vector<8xi16>) : vector<8xi16>
  %eight = llvm.mlir.constant(dense<8> : vector<8xi16>) : vector<8xi16>
  %a_surface = ttig.make_surface %p, %w, %h, %pitch
  %a = ttig.block_load %a_surface[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %low = llvm.shl %a, %eight : vector<8xi16>
  %low_sign = llvm.and %low, %sign : vector<8xi16>
  %low_shifted = llvm.lshr %low, %one : vector<8xi16>
  %low_rest = llvm.and %low_shifted, %rest : vector<8xi16>
  %low_half = llvm.or %low_sign, %low_rest : vector<8xi16>
  %high_sign = llvm.and %a, %sign : vector<8xi16>
  %high_shifted = llvm.lshr %a, %one : vector<8xi16>
  %high_rest = llvm.and %high_shifted, %rest : vector<8xi16>
  %high_half = llvm.or %high_sign, %high_rest : vector<8xi16>
  %d = ttig.dpas %low_half, %b, %c : f16 * f16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e = ttig.dpas %high_half, %b, %d : f16 * f16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %e, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// Marks of variables are not in the way.
// CHECK-LABEL: @marked
// CHECK:         llvm.intr.dbg.value
// CHECK-NEXT:    %[[A:.+]] = ttig.block_load
// CHECK-NEXT:    ttig.dpas %{{.*}}, %[[A]], %{{.*}}
// CHECK-NEXT:    %[[B:.+]] = ttig.block_load
// CHECK-NEXT:    %[[LOW:.+]] = llvm.shufflevector %[[B]]
// CHECK-NEXT:    %[[HIGH:.+]] = llvm.shufflevector %[[B]]
// CHECK-NEXT:    %[[SUM:.+]] = ttig.dpas %{{.*}}, %[[LOW]], %{{.*}}
// CHECK-NEXT:    ttig.dpas %{{.*}}, %[[HIGH]], %[[SUM]]
llvm.func @marked(%p: !llvm.ptr<1>, %w: i32, %h: i32, %pitch: i32, %x: i32, %y: i32,
                   %a: vector<8xi16>, %c: vector<8xf32>) {
  %poison = llvm.mlir.poison : vector<16xi32>
  %b0_surface = ttig.make_surface %p, %w, %h, %pitch
  %b0 = ttig.block_load %b0_surface[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  %b1_surface = ttig.make_surface %p, %w, %h, %pitch
  %b1 = ttig.block_load %b1_surface[%x, %x] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 32 : i32, vnni} : vector<16xi32>
  %low = llvm.shufflevector %b1, %poison [0, 1, 2, 3, 4, 5, 6, 7] : vector<16xi32>
  %high = llvm.shufflevector %b1, %poison [8, 9, 10, 11, 12, 13, 14, 15] : vector<16xi32>
  llvm.intr.dbg.value #llvm.di_local_variable<scope = #llvm.di_file<"" in "">> = %x : i32
  %d = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e = ttig.dpas %a, %low, %d : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %f = ttig.dpas %a, %high, %e : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %f, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// A load crosses pure calls, but no store, no barrier and no other call.
// CHECK-LABEL: @effects
// CHECK:         llvm.call @pure
// CHECK-NEXT:    ttig.block_load
// CHECK-NEXT:    llvm.store
// CHECK-NEXT:    ttig.block_load
// CHECK-NEXT:    llvm.bitcast
// CHECK-NEXT:    llvm.call @impure
llvm.func @pure(f32) -> f32 attributes {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>}
llvm.func @impure()
llvm.func @effects(%p: !llvm.ptr<1>, %w: i32, %h: i32, %pitch: i32, %x: i32, %y: i32, %s: f32) {
  %surface = ttig.make_surface %p, %w, %h, %pitch
  %a = ttig.block_load %surface[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  %t = llvm.call @pure(%s) {memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} : (f32) -> f32
  llvm.store %t, %p : f32, !llvm.ptr<1>
  %b = ttig.block_load %surface[%y, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  llvm.call @impure() : () -> ()
  %c = llvm.bitcast %b : vector<8xi32> to vector<16xi16>
  llvm.store %a, %p : vector<8xi32>, !llvm.ptr<1>
  llvm.store %c, %p : vector<16xi16>, !llvm.ptr<1>
  llvm.return
}

// What only the next iteration uses stays early; what a nested region uses is
// loaded in front of it.
// CHECK-LABEL: @regions
// CHECK:         scf.for
// CHECK-NEXT:      %[[NEXT:.+]] = ttig.block_load
// CHECK-NEXT:      ttig.dpas
// CHECK-NEXT:      scf.yield %[[NEXT]]
// CHECK:         ttig.block_prefetch
// CHECK-NEXT:    ttig.block_load
// CHECK-NEXT:    scf.if
llvm.func @regions(%p: !llvm.ptr<1>, %w: i32, %h: i32, %pitch: i32, %x: i32, %y: i32,
                   %a: vector<8xi16>, %c: vector<8xf32>, %first: vector<8xi32>, %condition: i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %surface = ttig.make_surface %p, %w, %h, %pitch
  %r:2 = scf.for %i = %zero to %h step %one iter_args(%b = %first, %sum = %c) -> (vector<8xi32>, vector<8xf32>) : i32 {
    %next = ttig.block_load %surface[%x, %i] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
    %d = ttig.dpas %a, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
    scf.yield %next, %d : vector<8xi32>, vector<8xf32>
  }
  %last = ttig.block_load %surface[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  ttig.block_prefetch %surface[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32}
  scf.if %condition {
    llvm.store %last, %p : vector<8xi32>, !llvm.ptr<1>
  }
  llvm.store %r#1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// What is computed of a block alone, here in a wider type, is computed where it
// is needed, too; the sum has another operand and stays.
// CHECK-LABEL: @converted
// CHECK:         %[[A:.+]] = ttig.block_load
// CHECK-NEXT:    ttig.dpas %{{.*}}, %[[A]], %{{.*}}
// CHECK-NEXT:    %[[B:.+]] = ttig.block_load
// CHECK-NEXT:    %[[LOW:.+]] = llvm.shufflevector %[[B]]
// CHECK-NEXT:    %[[EVEN:.+]] = arith.shli %[[LOW]]
// CHECK-NEXT:    ttig.dpas %{{.*}}, %[[EVEN]], %{{.*}}
llvm.func @converted(%base: !llvm.ptr<1>, %bytes: i32, %rows: i32, %pitch: i32, %x: i32, %y: i32, %a: vector<8xi16>, %c: vector<8xf32>, %out: !llvm.ptr<1>) {
  %eight = arith.constant dense<8> : vector<8xi32>
  %first_surface = ttig.make_surface %base, %bytes, %rows, %pitch
  %first = ttig.block_load %first_surface[%x, %y] {bits = 32 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
  %second_surface = ttig.make_surface %base, %bytes, %rows, %pitch
  %second = ttig.block_load %second_surface[%x, %x] {bits = 32 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
  %low = llvm.shufflevector %second, %second [0, 0, 1, 1, 2, 2, 3, 3] : vector<8xi32>
  %even = arith.shli %low, %eight : vector<8xi32>
  %0 = ttig.dpas %a, %first, %c : f16 * f16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %1 = ttig.dpas %a, %even, %0 : f16 * f16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %1, %out : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// An activation: each piece is computed as a whole, though the code has one step
// after the other. The comparison has more operands than it makes, and stays.
// CHECK-LABEL: @activation
// CHECK:         arith.cmpf
// CHECK-NEXT:    %[[A:.+]] = arith.mulf %arg0
// CHECK-NEXT:    %[[B:.+]] = math.erf %[[A]]
// CHECK-NEXT:    arith.mulf %arg0, %[[B]]
// CHECK-NEXT:    %[[C:.+]] = arith.mulf %arg1
// CHECK-NEXT:    %[[D:.+]] = math.erf %[[C]]
// CHECK-NEXT:    arith.mulf %arg1, %[[D]]
llvm.func @activation(%x: vector<8xf32>, %y: vector<8xf32>, %p: !llvm.ptr<1>) {
  %half = arith.constant dense<0.5> : vector<8xf32>
  %order = arith.cmpf olt, %x, %y : vector<8xf32>
  %a = arith.mulf %x, %half : vector<8xf32>
  %c = arith.mulf %y, %half : vector<8xf32>
  %b = math.erf %a : vector<8xf32>
  %d = math.erf %c : vector<8xf32>
  %e = arith.mulf %x, %b : vector<8xf32>
  %f = arith.mulf %y, %d : vector<8xf32>
  llvm.store %e, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %f, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %order, %p : vector<8xi1>, !llvm.ptr<1>
  llvm.store %x, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %y, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// Marks of variables go with what they are of, and keep nothing from moving.
// CHECK-LABEL: @marked_vectors
// CHECK:         %[[C:.+]] = arith.mulf %arg1
// CHECK-NEXT:    llvm.store %[[C]]
// CHECK-NEXT:    %[[A:.+]] = arith.mulf %arg0
// CHECK-NEXT:    llvm.intr.dbg.value {{.*}} = %[[A]]
// CHECK-NEXT:    llvm.store %[[A]]
llvm.func @marked_vectors(%x: vector<8xf32>, %y: vector<8xf32>, %p: !llvm.ptr<1>) {
  %half = arith.constant dense<0.5> : vector<8xf32>
  %a = arith.mulf %x, %half : vector<8xf32>
  llvm.intr.dbg.value #llvm.di_local_variable<scope = #nowhere, file = #nowhere, line = 1> = %a : vector<8xf32>
  %c = arith.mulf %y, %half : vector<8xf32>
  llvm.store %c, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %a, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %x, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %y, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// Loads of shared memory move to their products, too, where more than four
// messages would be under way; not past a barrier or a store.
// CHECK-LABEL: @many_shared
// CHECK:         llvm.load %{{.*}} : !llvm.ptr<3>
// CHECK-NEXT:    ttig.dpas
// CHECK-NEXT:    llvm.load {{.*}} : !llvm.ptr<3>
// CHECK-NEXT:    ttig.dpas
// CHECK-NEXT:    llvm.load {{.*}} : !llvm.ptr<3>
// CHECK-NEXT:    ttig.dpas
// CHECK-NEXT:    llvm.load {{.*}} : !llvm.ptr<3>
// CHECK-NEXT:    ttig.dpas
// CHECK-NEXT:    llvm.load {{.*}} : !llvm.ptr<3>
// CHECK-NEXT:    ttig.dpas
// CHECK-NEXT:    %[[LAST:.+]] = llvm.load {{.*}} : !llvm.ptr<3>
// CHECK-NEXT:    llvm.store {{.*}} : vector<8xf32>, !llvm.ptr<3>
// CHECK-NEXT:    ttig.dpas %{{.*}}, %[[LAST]]
llvm.func @many_shared(%p0: !llvm.ptr<3>, %p1: !llvm.ptr<3>, %p2: !llvm.ptr<3>, %p3: !llvm.ptr<3>, %p4: !llvm.ptr<3>, %p5: !llvm.ptr<3>, %a: vector<8xi16>, %c: vector<8xf32>) {
  %b0 = llvm.load %p0 : !llvm.ptr<3> -> vector<8xi32>
  %b1 = llvm.load %p1 : !llvm.ptr<3> -> vector<8xi32>
  %b2 = llvm.load %p2 : !llvm.ptr<3> -> vector<8xi32>
  %b3 = llvm.load %p3 : !llvm.ptr<3> -> vector<8xi32>
  %b4 = llvm.load %p4 : !llvm.ptr<3> -> vector<8xi32>
  %b5 = llvm.load %p5 : !llvm.ptr<3> -> vector<8xi32>
  %d0 = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %b1, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d2 = ttig.dpas %a, %b2, %d1 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d3 = ttig.dpas %a, %b3, %d2 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d4 = ttig.dpas %a, %b4, %d3 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d4, %p0 : vector<8xf32>, !llvm.ptr<3>
  %d5 = ttig.dpas %a, %b5, %d4 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d5, %p1 : vector<8xf32>, !llvm.ptr<3>
  llvm.return
}

// Behind a loop, a short product is computed where its sum is added to what the
// loop made, so that not all of its sums are alive at the same time; one that is
// longer, or has a sum to begin with, stays, and so do those in front of loops.
// CHECK-LABEL: @short_products
// CHECK:         ttig.dpas %{{.*}}, %arg1
// CHECK-NEXT:    scf.for
// CHECK:         ttig.dpas %{{.*}}, %{{.*}}, %arg4
// CHECK-NEXT:    ttig.dpas %{{.*}}, %{{.*}}, %{{.*}}
// CHECK:         %[[D:.+]] = ttig.dpas
// CHECK-NEXT:    %[[E:.+]] = llvm.fadd %arg5, %[[D]]
// CHECK-NEXT:    llvm.store %[[E]]
// CHECK-NEXT:    %[[F:.+]] = ttig.dpas %{{.*}}, %arg2
// CHECK-NEXT:    %[[G:.+]] = ttig.dpas %{{.*}}, %arg3, %[[F]]
// CHECK-NEXT:    %[[H:.+]] = llvm.fadd %arg6, %[[G]]
// CHECK-NEXT:    llvm.store %[[H]]
llvm.func @short_products(%a: vector<8xi16>, %b0: vector<8xi32>, %b1: vector<8xi32>, %b2: vector<8xi32>, %c: vector<8xf32>, %x: vector<8xf32>, %y: vector<8xf32>, %z: vector<8xf32>, %p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %r: !llvm.ptr<1>, %n: i32) {
  %zero = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %front = ttig.dpas %a, %b0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  scf.for %i = %c0 to %n step %c1 : i32 {
    llvm.store volatile %x, %p : vector<8xf32>, !llvm.ptr<1>
  }
  %d = ttig.dpas %a, %b0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %f = ttig.dpas %a, %b1, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %g = ttig.dpas %a, %b2, %f : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %with_sum = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %longer = ttig.dpas %a, %b1, %with_sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e = llvm.fadd %x, %d : vector<8xf32>
  llvm.store %e, %p : vector<8xf32>, !llvm.ptr<1>
  %h = llvm.fadd %y, %g : vector<8xf32>
  llvm.store %h, %q : vector<8xf32>, !llvm.ptr<1>
  %k = llvm.fadd %front, %longer : vector<8xf32>
  llvm.store %k, %r : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// A few stay early, where their latency is hidden; so do those of memory.
// CHECK-LABEL: @few_shared
// CHECK:         llvm.load %arg0 : !llvm.ptr<3>
// CHECK-NEXT:    llvm.load %arg1 : !llvm.ptr<3>
// CHECK-NEXT:    ttig.dpas
llvm.func @few_shared(%p0: !llvm.ptr<3>, %p1: !llvm.ptr<3>, %a: vector<8xi16>, %c: vector<8xf32>) {
  %b0 = llvm.load %p0 : !llvm.ptr<3> -> vector<8xi32>
  %b1 = llvm.load %p1 : !llvm.ptr<3> -> vector<8xi32>
  %d0 = ttig.dpas %a, %b0, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %b1, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %d1, %p0 : vector<8xf32>, !llvm.ptr<3>
  llvm.return
}

// Prefetches come behind what an iteration waits for itself, and behind what is
// computed of that: in front of the first product, in their order. In a block without products they stay.
// CHECK-LABEL: @prefetches
// CHECK:         %[[FIRST:.+]] = ttig.make_surface %arg0
// CHECK:         %[[SECOND:.+]] = ttig.make_surface %arg1
// CHECK:         llvm.load
// CHECK:         math.exp2
// CHECK:         arith.truncf
// CHECK:         ttig.block_load
// CHECK-NEXT:    ttig.block_prefetch %[[FIRST]]
// CHECK-NEXT:    ttig.block_prefetch %[[SECOND]]
// CHECK-NEXT:    ttig.dpas
// CHECK-LABEL: @no_products
// CHECK:         ttig.block_prefetch
// CHECK-NEXT:    llvm.load
llvm.func @prefetches(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %x: vector<8xf32>, %w: i32, %y: i32, %c: vector<8xf32>) -> vector<8xf32> {
  %to_fetch1 = ttig.make_surface %p, %w, %w, %w
  ttig.block_prefetch %to_fetch1[%y, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32}
  %to_fetch2 = ttig.make_surface %q, %w, %w, %w
  ttig.block_prefetch %to_fetch2[%y, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32}
  %v = llvm.load %p : !llvm.ptr<1> -> vector<8xf32>
  %e = math.exp2 %v : vector<8xf32>
  %t = arith.truncf %e : vector<8xf32> to vector<8xbf16>
  %a = llvm.bitcast %t : vector<8xbf16> to vector<8xi16>
  %b_surface = ttig.make_surface %q, %w, %w, %w
  %b = ttig.block_load %b_surface[%y, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  %d = ttig.dpas %a, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.return %d : vector<8xf32>
}

llvm.func @no_products(%p: !llvm.ptr<1>, %w: i32, %y: i32) -> vector<8xf32> {
  %to_fetch3 = ttig.make_surface %p, %w, %w, %w
  ttig.block_prefetch %to_fetch3[%y, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32}
  %v = llvm.load %p : !llvm.ptr<1> -> vector<8xf32>
  llvm.return %v : vector<8xf32>
}

// They do not cross what a load must not cross either.
// CHECK-LABEL: @fence
// CHECK:         ttig.block_prefetch
// CHECK:         llvm.store
// CHECK:         ttig.dpas
llvm.func @fence(%p: !llvm.ptr<1>, %w: i32, %y: i32, %a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) -> vector<8xf32> {
  %to_fetch4 = ttig.make_surface %p, %w, %w, %w
  ttig.block_prefetch %to_fetch4[%y, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32}
  llvm.store %w, %p : i32, !llvm.ptr<1>
  %d = ttig.dpas %a, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.return %d : vector<8xf32>
}

}
