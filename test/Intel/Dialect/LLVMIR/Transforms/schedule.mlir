// RUN: triton-xe-opt %s -tritonintelgpu-schedule | FileCheck %s

#nowhere = #llvm.di_file<"" in "">

module attributes {ttig.registers = 256 : i32, ttig.target = #ttig.target<arch = "pvc">} {

// Loaded values are added to the accumulators before more is loaded. A chain
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

// The second block is loaded after the product of the first, which it is no
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

// An assumption does not change the loaded values.
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

// Marks of variables are not in the way.
// CHECK-LABEL: @marked
// CHECK:         llvm.intr.dbg.value
// CHECK:         %[[A:.+]] = ttig.block_load
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

// A load does not cross a store or a call that may write to its memory.
// CHECK-LABEL: @effects
// CHECK:         %[[A:.+]] = ttig.block_load %{{.+}}[%arg4, %arg5]
// CHECK:         llvm.store
// CHECK-NEXT:    %[[B:.+]] = ttig.block_load
// CHECK-NEXT:    llvm.bitcast %[[B]]
// CHECK-NEXT:    llvm.call @impure
// CHECK-NEXT:    llvm.store %[[A]]
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

// A block that only the next iteration uses is loaded early. A block that a nested
// region uses is loaded before the region.
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

// A value that is computed from a block alone, here in a wider type, is
// computed where it is needed, too; the sum has another operand and stays.
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

// Loads of shared memory move to their products, too, but not past a store to
// it.
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

// A product that starts from zero, of a left operand that another product made: the two accumulators of four columns are
// finished before the next begin. Each sum is computed then, and its accumulator is free.
// CHECK-LABEL: @finished
// CHECK:         %[[P:.+]] = ttig.dpas
// CHECK:         %[[A:.+]] = llvm.bitcast
// CHECK:         %[[A0:.+]] = ttig.dpas %[[A]], %arg3, %[[ZERO:[^ ]+]]
// CHECK-NEXT:    %[[B0:.+]] = ttig.dpas %[[A]], %arg4, %[[ZERO]]
// CHECK-NEXT:    %[[C0:.+]] = ttig.dpas %[[A]], %arg5, %[[ZERO]]
// CHECK-NEXT:    %[[D0:.+]] = ttig.dpas %[[A]], %arg6, %[[ZERO]]
// CHECK-NEXT:    ttig.dpas %[[A]], %arg7, %[[A0]]
// CHECK:         ttig.dpas %[[A]], %arg7, %[[B0]]
// CHECK:         ttig.dpas %[[A]], %arg7, %[[C0]]
// CHECK:         ttig.dpas %[[A]], %arg7, %[[D0]]
// CHECK:         %[[E0:.+]] = ttig.dpas %[[A]], %arg7, %[[ZERO]]
// CHECK:         ttig.dpas %[[A]], %arg8, %[[E0]]
// CHECK:         llvm.store
llvm.func @finished(%q: vector<8xi16>, %k: vector<8xi32>, %c: vector<8xf32>, %v0: vector<8xi32>, %v1: vector<8xi32>, %v2: vector<8xi32>, %v3: vector<8xi32>, %v4: vector<8xi32>, %v5: vector<8xi32>, %p: !llvm.ptr<1>) {
  %zero = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  %s = ttig.dpas %q, %k, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %t = arith.truncf %s : vector<8xf32> to vector<8xbf16>
  %a = llvm.bitcast %t : vector<8xbf16> to vector<8xi16>
  %a0 = ttig.dpas %a, %v0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %b0 = ttig.dpas %a, %v1, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %c0 = ttig.dpas %a, %v2, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d0 = ttig.dpas %a, %v3, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e0 = ttig.dpas %a, %v4, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %a1 = ttig.dpas %a, %v4, %a0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %b1 = ttig.dpas %a, %v4, %b0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %c1 = ttig.dpas %a, %v4, %c0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %a, %v4, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e1 = ttig.dpas %a, %v5, %e0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %a1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %b1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %c1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %d1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %e1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// Two products have the same right operand, and the first one is added to its accumulator before the second. Neither
// needs the other, so that both use each block when it is loaded.
// CHECK-LABEL: @both
// CHECK:         %[[V:.+]] = ttig.block_load
// CHECK-NEXT:    ttig.dpas %[[A:[^,]+]], %[[V]]
// CHECK-NEXT:    math.fma
// CHECK-NEXT:    ttig.dpas %[[B:[^,]+]], %[[V]]
// CHECK-NEXT:    math.fma
// CHECK-NEXT:    %[[W:.+]] = ttig.block_load
// CHECK-NEXT:    ttig.dpas %[[A]], %[[W]]
// CHECK-NEXT:    math.fma
// CHECK-NEXT:    ttig.dpas %[[B]], %[[W]]
llvm.func @both(%p: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32, %q: vector<8xi16>, %k: vector<8xi32>, %c: vector<8xf32>, %scale: vector<8xf32>, %r0: vector<8xf32>, %r1: vector<8xf32>, %r2: vector<8xf32>, %r3: vector<8xf32>) {
  %zero = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %d = ttig.dpas %q, %k, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %t = arith.truncf %d : vector<8xf32> to vector<8xbf16>
  %a = llvm.bitcast %t : vector<8xbf16> to vector<8xi16>
  %e = ttig.dpas %q, %k, %d : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %u = arith.truncf %e : vector<8xf32> to vector<8xbf16>
  %b = llvm.bitcast %u : vector<8xbf16> to vector<8xi16>
  %v0 = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  %v1 = ttig.block_load %s[%y, %x] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  %a0 = ttig.dpas %a, %v0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %a1 = ttig.dpas %a, %v1, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %s0 = math.fma %r0, %scale, %a0 : vector<8xf32>
  %s1 = math.fma %r1, %scale, %a1 : vector<8xf32>
  %b0 = ttig.dpas %b, %v0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %b1 = ttig.dpas %b, %v1, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %s2 = math.fma %r2, %scale, %b0 : vector<8xf32>
  %s3 = math.fma %r3, %scale, %b1 : vector<8xf32>
  llvm.store %s0, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %s1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %s2, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %s3, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// A product from zero, of a left operand that is loaded part by part, keeps its order: each part is used by all columns.
// CHECK-LABEL: @in_parts
// CHECK:         %[[A:.+]] = ttig.block_load
// CHECK-COUNT-5: ttig.dpas %[[A]], %{{.+}}, %[[ZERO:.+]] :
// CHECK-COUNT-5: ttig.dpas
llvm.func @in_parts(%p: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32, %v0: vector<8xi32>, %v1: vector<8xi32>, %v2: vector<8xi32>, %v3: vector<8xi32>, %v4: vector<8xi32>, %v5: vector<8xi32>) {
  %zero = llvm.mlir.constant(dense<0.0> : vector<8xf32>) : vector<8xf32>
  %s = ttig.make_surface %p, %w, %w, %w
  %a = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %b = ttig.block_load %s[%x, %x] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  %a0 = ttig.dpas %a, %v0, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %b0 = ttig.dpas %a, %v1, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %c0 = ttig.dpas %a, %v2, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d0 = ttig.dpas %a, %v3, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e0 = ttig.dpas %a, %v4, %zero : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %a1 = ttig.dpas %b, %v5, %a0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %b1 = ttig.dpas %b, %v5, %b0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %c1 = ttig.dpas %b, %v5, %c0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %d1 = ttig.dpas %b, %v5, %d0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  %e1 = ttig.dpas %b, %v5, %e0 : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.store %a1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %b1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %c1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %d1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %e1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// A load crosses what concerns the other memory only: a store to shared memory, a barrier that orders shared memory, and an
// exchange between lanes. It does not cross a barrier that orders global memory.
// CHECK-LABEL: @other_memory
// CHECK:         llvm.store {{.*}} !llvm.ptr<3>
// CHECK-NEXT:    llvm.call spir_funccc @exchange
// CHECK-NEXT:    llvm.call spir_funccc @_Z7barrierj(%{{.*}})
// CHECK-NEXT:    llvm.store {{.*}} !llvm.ptr<3>
// CHECK-NEXT:    ttig.block_load
// CHECK-NEXT:    llvm.call spir_funccc @_Z7barrierj(%{{.*}})
// CHECK-NEXT:    llvm.store {{.*}} !llvm.ptr<1>
llvm.func spir_funccc @_Z7barrierj(i32)
llvm.func spir_funccc @exchange(f32) -> f32 attributes {convergent, memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>}
llvm.func @other_memory(%p: !llvm.ptr<1>, %shared: !llvm.ptr<3>, %w: i32, %x: i32, %f: f32) {
  %local = llvm.mlir.constant(1 : i32) : i32
  %both = llvm.mlir.constant(3 : i32) : i32
  %s = ttig.make_surface %p, %w, %w, %w
  %a = ttig.block_load %s[%x, %x] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  llvm.store %f, %shared : f32, !llvm.ptr<3>
  llvm.call spir_funccc @_Z7barrierj(%local) : (i32) -> ()
  %g = llvm.call spir_funccc @exchange(%f) {convergent, memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} : (f32) -> f32
  llvm.store %g, %shared : f32, !llvm.ptr<3>
  llvm.call spir_funccc @_Z7barrierj(%both) : (i32) -> ()
  llvm.store %a, %p : vector<8xi16>, !llvm.ptr<1>
  llvm.return
}

// Prefetches come after the loads that an iteration waits for itself, and after
// their uses: before the first product, in their order. In a block without
// products they stay.
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

// A prefetch before a loop stays there, although a product follows the loop.
// CHECK-LABEL: @in_front_of_loop
// CHECK:         ttig.block_prefetch
// CHECK:         scf.for
// CHECK:         ttig.dpas
llvm.func @in_front_of_loop(%p: !llvm.ptr<1>, %w: i32, %y: i32, %a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>) -> vector<8xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %surface = ttig.make_surface %p, %w, %w, %w
  ttig.block_prefetch %surface[%y, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32}
  %sum = scf.for %i = %zero to %w step %one iter_args(%x = %c) -> (vector<8xf32>) : i32 {
    %next = llvm.fadd %x, %x : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  %d = ttig.dpas %a, %b, %sum : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  llvm.return %d : vector<8xf32>
}

// An epilogue in a branch: the accumulators are used for the last time there, so that each block is added as soon as it has
// been loaded.
// CHECK-LABEL: @last_use_in_branch
// CHECK:         scf.if
// CHECK:           %[[A:.+]] = ttig.block_load
// CHECK:           arith.addf %arg4
// CHECK:           ttig.block_load
// CHECK:           arith.addf %arg5
// CHECK:           scf.yield
llvm.func @last_use_in_branch(%p: !llvm.ptr<1>, %w: i32, %y: i32, %condition: i1, %x0: vector<8xf32>, %x1: vector<8xf32>) {
  %surface = ttig.make_surface %p, %w, %w, %w
  %r:2 = scf.if %condition -> (vector<8xf32>, vector<8xf32>) {
    %a = ttig.block_load %surface[%y, %y] {bits = 32 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
    %b = ttig.block_load %surface[%y, %w] {bits = 32 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
    %af = llvm.bitcast %a : vector<8xi32> to vector<8xf32>
    %bf = llvm.bitcast %b : vector<8xi32> to vector<8xf32>
    %s0 = arith.addf %x0, %af : vector<8xf32>
    %s1 = arith.addf %x1, %bf : vector<8xf32>
    scf.yield %s0, %s1 : vector<8xf32>, vector<8xf32>
  } else {
    scf.yield %x0, %x1 : vector<8xf32>, vector<8xf32>
  }
  llvm.store %r#0, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %r#1, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
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

// Each part of a result is stored before the next one is computed.
// CHECK-LABEL: @stores(
// CHECK:         %[[A:.+]] = arith.mulf
// CHECK-NEXT:    %[[AI:.+]] = llvm.bitcast %[[A]]
// CHECK-NEXT:    ttig.block_store %{{.*}}, %[[AI]]
// CHECK:         %[[ROW:.+]] = arith.addi
// CHECK-NEXT:    %[[B:.+]] = arith.mulf
// CHECK-NEXT:    %[[BI:.+]] = llvm.bitcast %[[B]]
// CHECK-NEXT:    ttig.block_store %{{.*}}[%{{.*}}, %[[ROW]]], %[[BI]]
llvm.func @stores(%p: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32, %x0: vector<8xf32>, %y0: vector<8xf32>, %x1: vector<8xf32>, %y1: vector<8xf32>) {
  %c8 = arith.constant 8 : i32
  %surface = ttig.make_surface %p, %w, %w, %w
  %a = arith.mulf %x0, %y0 : vector<8xf32>
  %b = arith.mulf %x1, %y1 : vector<8xf32>
  %ai = llvm.bitcast %a : vector<8xf32> to vector<8xi32>
  ttig.block_store %surface[%x, %y], %ai {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
  %bi = llvm.bitcast %b : vector<8xf32> to vector<8xi32>
  %row = arith.addi %y, %c8 : i32
  ttig.block_store %surface[%x, %row], %bi {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
  llvm.return
}

// A store crosses no other store, and no load that the program has before
// it.
// CHECK-LABEL: @storesInOrder(
// CHECK:         %[[A:.+]] = arith.mulf
// CHECK-NEXT:    %[[AI:.+]] = llvm.bitcast %[[A]]
// CHECK-NEXT:    %[[B:.+]] = arith.mulf
// CHECK-NEXT:    %[[BI:.+]] = llvm.bitcast %[[B]]
// CHECK-NEXT:    %[[BEFORE:.+]] = ttig.block_load
// CHECK-NEXT:    ttig.block_store %{{.*}}, %[[BI]]
// CHECK-NEXT:    ttig.block_store %{{.*}}, %[[AI]]
// CHECK-NEXT:    llvm.store %[[BEFORE]]
llvm.func @storesInOrder(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %x: i32, %y: i32, %x0: vector<8xf32>, %y0: vector<8xf32>, %x1: vector<8xf32>, %y1: vector<8xf32>) {
  %surface = ttig.make_surface %p, %w, %w, %w
  %a = arith.mulf %x0, %y0 : vector<8xf32>
  %b = arith.mulf %x1, %y1 : vector<8xf32>
  %ai = llvm.bitcast %a : vector<8xf32> to vector<8xi32>
  %bi = llvm.bitcast %b : vector<8xf32> to vector<8xi32>
  %before = ttig.block_load %surface[%x, %x] {bits = 32 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
  ttig.block_store %surface[%y, %x], %bi {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
  ttig.block_store %surface[%x, %y], %ai {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
  llvm.store %before, %q : vector<8xi32>, !llvm.ptr<1>
  llvm.return
}

}
