// RUN: triton-xe-opt %s -split-input-file -convert-to-llvm | FileCheck %s

// Messages are calls of functions that are SPIR-V's instructions: bytes of an
// element, columns, rows and blocks come first. Loaded values come by way of
// private memory. Cache controls are metadata of the call, with the number of
// the operand that is the base.
// CHECK-LABEL: llvm.func @messages
// CHECK-SAME: (%[[BASE:.*]]: !llvm.ptr<1>, %[[WIDTH:.*]]: i32, %[[HEIGHT:.*]]: i32, %[[PITCH:.*]]: i32, %[[X:.*]]: i32, %[[Y:.*]]: i32)
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-warps" = 4 : i32} {
llvm.func @messages(%base: !llvm.ptr<1>, %width: i32, %height: i32, %pitch: i32, %x: i32, %y: i32) {
  %s = ttig.make_surface %base, %width, %height, %pitch
  // CHECK: llvm.call spir_funccc @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[BASE]], %[[WIDTH]], %[[HEIGHT]], %[[PITCH]], %{{.*}}) {{.*}}DecorationCacheControl
  ttig.block_prefetch %s[%x, %y] {bits = 16 : i32, blocks = 2 : i32, columns = 16 : i32, rows = 8 : i32}
  // CHECK: llvm.call spir_funccc @_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiiiPU3AS1KviiiDv2_iPv(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[BASE]], %[[WIDTH]], %[[HEIGHT]], %[[PITCH]], %{{.*}}, %[[MEMORY:.*]]) {
  // CHECK: llvm.load %[[MEMORY]] : !llvm.ptr -> vector<8xi32>
  %a = ttig.block_load %s[%x, %y] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 16 : i32, vnni} : vector<8xi32>
  // CHECK: llvm.call spir_funccc @_Z41__spirv_Subgroup2DBlockLoadTransposeINTEL{{.*}}xevm.DecorationCacheControl = {{\[\[}}6442 : i32, 0 : i32, 0 : i32, 4 : i32], [6442 : i32, 1 : i32, 1 : i32, 4 : i32]]
  %b = ttig.block_load %s[%x, %y] {bits = 32 : i32, blocks = 1 : i32, cache = 3 : i32, columns = 8 : i32, rows = 16 : i32, transpose} : vector<8xi32>
  // CHECK: llvm.call spir_funccc @_Z33__spirv_Subgroup2DBlockStoreINTEL{{.*}}xevm.DecorationCacheControl = {{\[\[}}6443 : i32, 0 : i32, 1 : i32, 5 : i32], [6443 : i32, 1 : i32, 2 : i32, 5 : i32]]
  ttig.block_store %s[%x, %y], %a {bits = 32 : i32, cache = 6 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
  // CHECK-NOT: ttig.block
  ttig.block_store %s[%x, %y], %b {bits = 32 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi32>
  llvm.return
}
}

// -----

// A surface that branches pass on is its four parts.
// CHECK-LABEL: llvm.func @chosen
// CHECK: ^{{.*}}(%[[BASE:.*]]: !llvm.ptr<1>, %[[WIDTH:.*]]: i32, %[[HEIGHT:.*]]: i32, %[[PITCH:.*]]: i32):
// CHECK: llvm.call spir_funccc @{{.*}}2DBlockLoadINTEL{{[^(]*}}({{.*}}, %[[BASE]], %[[WIDTH]], %[[HEIGHT]], %[[PITCH]],
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @chosen(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %w: i32, %x: i32, %which: i1) -> vector<8xi16> {
  %s = ttig.make_surface %p, %w, %w, %w
  %t = ttig.make_surface %q, %w, %w, %w
  cf.cond_br %which, ^next(%s : !ttig.surface), ^next(%t : !ttig.surface)
^next(%u: !ttig.surface):
  %a = ttig.block_load %u[%x, %x] {bits = 16 : i32, blocks = 1 : i32, columns = 16 : i32, rows = 8 : i32} : vector<8xi16>
  llvm.return %a : vector<8xi16>
}
}

// -----

// Products of 16 bits and of tf32 have the names that XeVM gives them, exact ones
// and those of 8 bits separate names. A type that occurred before is abbreviated.
// CHECK-LABEL: llvm.func @products
module attributes {ttig.target = #ttig.target<arch = "pvc">} {
llvm.func @products(%deep: vector<16xf32>, %a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>, %ta: vector<4xf32>, %tb: vector<8xf32>, %i: vector<8xi32>, %h: vector<8xf16>) {
  // CHECK: llvm.call spir_funccc @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(
  %0 = ttig.dpas %a, %b, %c : bf16 * bf16 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  // CHECK: llvm.call spir_funccc @{{.*}}intel_sub_group_f16_f16_matrix_mad_k16
  %1 = ttig.dpas %a, %b, %h : f16 * f16 -> f16 of vector<8xi16>, vector<8xi32>, vector<8xf16>
  // CHECK: llvm.call spir_funccc @{{.*}}intel_sub_group_tf32_tf32_matrix_mad_k8
  %2 = ttig.dpas %ta, %tb, %c : tf32 * tf32 -> f32 of vector<4xf32>, vector<8xf32>, vector<8xf32>
  // CHECK: llvm.call spir_funccc @_Z37intel_sub_group_f32_f32_matrix_mad_k8Dv4_fDv8_fS0_({{.*}}) {convergent{{.*}} : (vector<4xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
  %exact = ttig.dpas %ta, %tb, %c : f32 * f32 -> f32 of vector<4xf32>, vector<8xf32>, vector<8xf32>
  // CHECK: llvm.call spir_funccc @_Z38intel_sub_group_f32_f32_matrix_mad_k16Dv8_fDv16_fS_({{.*}}) {convergent{{.*}} : (vector<8xf32>, vector<16xf32>, vector<8xf32>) -> vector<8xf32>
  %exactDeep = ttig.dpas %c, %deep, %c : f32 * f32 -> f32 of vector<8xf32>, vector<16xf32>, vector<8xf32>
  // CHECK: llvm.call spir_funccc @_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_sDv8_iS0_({{.*}}) {convergent{{.*}} : (vector<8xi16>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
  %3 = ttig.dpas %a, %b, %i : i8 * i8 -> i32 of vector<8xi16>, vector<8xi32>, vector<8xi32>
  // CHECK: llvm.call spir_funccc @_Z36intel_sub_group_u8_i8_matrix_mad_k32Dv8_sDv8_iS0_(
  %4 = ttig.dpas %a, %b, %i : ui8 * i8 -> i32 of vector<8xi16>, vector<8xi32>, vector<8xi32>
  llvm.return
}
}

// -----

// Chips with 8 lanes have separate names for all types.
// CHECK-LABEL: llvm.func @eight_lanes
module attributes {ttig.target = #ttig.target<arch = "dg2">} {
llvm.func @eight_lanes(%a: vector<4xi32>, %b: vector<8xi32>, %c: vector<4xf32>, %d: vector<8xi32>, %e: vector<8xf32>) {
  // CHECK: llvm.call spir_funccc @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv4_iDv8_iDv4_f(
  %0 = ttig.dpas %a, %b, %c : f16 * f16 -> f32 of vector<4xi32>, vector<8xi32>, vector<4xf32>
  // CHECK: llvm.call spir_funccc @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_iS_Dv8_f(
  %1 = ttig.dpas %d, %b, %e : bf16 * bf16 -> f32 of vector<8xi32>, vector<8xi32>, vector<8xf32>
  // CHECK: llvm.call spir_funccc @_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_iS_S_(
  %2 = ttig.dpas %d, %b, %d : i8 * i8 -> i32 of vector<8xi32>, vector<8xi32>, vector<8xi32>
  llvm.return
}
}

// -----

// Floats of 8 bits, and scaled products: one scale of each operand per 32 values,
// two of pairs.
// CHECK-LABEL: llvm.func @narrow
module attributes {ttig.target = #ttig.target<arch = "cri">} {
llvm.func @narrow(%a: vector<8xi16>, %b: vector<8xi32>, %c: vector<8xf32>, %h: vector<8xi16>, %s: i8, %t: vector<2xi8>) {
  // CHECK: llvm.call spir_funccc @_Z40intel_sub_group_e5m2_e4m3_matrix_mad_k32Dv8_sDv8_iDv8_f({{.*}}) {convergent, {{.*}} : (vector<8xi16>, vector<8xi32>, vector<8xf32>) -> vector<8xf32>
  %0 = ttig.dpas %a, %b, %c : f8E5M2 * f8E4M3FN -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>
  // CHECK: llvm.call spir_funccc @_Z40intel_sub_group_e5m2_e4m3_matrix_mad_k32Dv8_sDv8_iS_(
  %1 = ttig.dpas %a, %b, %h : f8E5M2 * f8E4M3FN -> bf16 of vector<8xi16>, vector<8xi32>, vector<8xi16>
  // CHECK: llvm.call spir_funccc @_Z45intel_sub_group_hf8_bf8_scaled_matrix_mad_k32Dv8_sDv8_iDv8_fhh({{.*}}) {convergent, {{.*}} : (vector<8xi16>, vector<8xi32>, vector<8xf32>, i8, i8) -> vector<8xf32>
  %2 = ttig.dpas %a, %b, %c scales %s, %s : f8E4M3FN * f8E5M2 -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>, i8, i8
  // CHECK: llvm.call spir_funccc @_Z47intel_sub_group_e2m1_e2m1_scaled_matrix_mad_k64Dv8_sDv8_iDv8_fDv2_hS2_(
  %3 = ttig.dpas %a, %b, %c scales %t, %t : f4E2M1FN * f4E2M1FN -> f32 of vector<8xi16>, vector<8xi32>, vector<8xf32>, vector<2xi8>, vector<2xi8>
  llvm.return
}
}

// -----

// A function of OpenCL for each way to combine; signed and unsigned integers have their own extrema.
// CHECK-LABEL: llvm.func @reductions
// CHECK: llvm.call spir_funccc @_Z20sub_group_reduce_addi(%arg0) {convergent, memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none
// CHECK: llvm.call spir_funccc @_Z20sub_group_reduce_maxi
// CHECK: llvm.call spir_funccc @_Z20sub_group_reduce_mini
// CHECK: llvm.call spir_funccc @_Z20sub_group_reduce_maxj
// CHECK: llvm.call spir_funccc @_Z20sub_group_reduce_minj
llvm.func @reductions(%x: i32) -> i32 {
  %a = ttig.lane_reduce add %x
  %b = ttig.lane_reduce maxs %a
  %c = ttig.lane_reduce mins %b
  %d = ttig.lane_reduce maxu %c
  %e = ttig.lane_reduce minu %d
  llvm.return %e : i32
}

// Each 32 or 64 bits are moved by a separate call, which is convergent and does
// not access memory.
// CHECK-LABEL: llvm.func @shuffles
module attributes {"ttg.threads-per-warp" = 16 : i32} {
llvm.func @shuffles(%f: vector<2xf32>, %d: f64, %l: i64, %i: i32, %by: i32) -> vector<2xf32> {
  // CHECK: %[[X:.*]] = llvm.extractelement %arg0
  // CHECK: %[[Y:.*]] = llvm.extractelement %arg0
  // CHECK: %[[A:.*]] = llvm.call spir_funccc @_Z17sub_group_shufflefj(%[[X]], %arg4) {convergent, memory_effects = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none
  // CHECK: %[[B:.*]] = llvm.call spir_funccc @_Z17sub_group_shufflefj(%[[Y]], %arg4) {convergent
  // CHECK: %[[LOW:.*]] = llvm.insertelement %[[A]], %{{.*}}
  // CHECK: %[[BOTH:.*]] = llvm.insertelement %[[B]], %[[LOW]]
  %a = ttig.shuffle lane %f, %by : vector<2xf32>
  // CHECK: llvm.call spir_funccc @_Z21sub_group_shuffle_xordj(%arg1, %arg4)
  %b = ttig.shuffle xor %d, %by : f64
  // CHECK: llvm.call spir_funccc @_Z19sub_group_broadcastlj(%arg2, %arg4)
  %c = ttig.shuffle broadcast %l, %by : i64
  // CHECK: llvm.call spir_funccc @_Z19sub_group_broadcastij(%arg3, %arg4)
  %e = ttig.shuffle broadcast %i, %by : i32
  // CHECK: llvm.return %[[BOTH]]
  llvm.return %a : vector<2xf32>
}
}

// -----

// Narrow elements of a vector share calls, as words.
// CHECK-LABEL: llvm.func @packed
module attributes {"ttg.threads-per-warp" = 16 : i32} {
llvm.func @packed(%h: vector<8xf16>, %by: i32) -> vector<8xf16> {
  // CHECK: llvm.bitcast %arg0 : vector<8xf16> to vector<4xi32>
  // CHECK-COUNT-4: llvm.call spir_funccc @_Z21sub_group_shuffle_xorij
  // CHECK-NOT: llvm.call
  // CHECK: llvm.bitcast %{{.*}} : vector<4xi32> to vector<8xf16>
  %a = ttig.shuffle xor %h, %by : vector<8xf16>
  llvm.return %a : vector<8xf16>
}
}

// -----

// Less than a word is filled up with zeros, and so is the last word of a vector of
// another length. Booleans are bytes, since they have no bits to reinterpret.
// CHECK-LABEL: llvm.func @parts_of_words
module attributes {"ttg.threads-per-warp" = 16 : i32} {
llvm.func @parts_of_words(%h: f16, %t: vector<3xi16>, %b: vector<2xi1>, %c: i1, %by: i32) -> i1 {
  // CHECK: %[[H:.*]] = llvm.bitcast %arg0 : f16 to i16
  // CHECK: %[[W:.*]] = llvm.zext %[[H]] : i16 to i32
  // CHECK: %[[M:.*]] = llvm.call spir_funccc @_Z17sub_group_shuffleij(%[[W]], %arg4)
  // CHECK: %[[N:.*]] = llvm.trunc %[[M]] : i32 to i16
  // CHECK: llvm.bitcast %[[N]] : i16 to f16
  %0 = ttig.shuffle lane %h, %by : f16
  // CHECK: %[[T:.*]] = llvm.bitcast %arg1 : vector<3xi16> to i48
  // CHECK: %[[U:.*]] = llvm.zext %[[T]] : i48 to i64
  // CHECK: llvm.bitcast %[[U]] : i64 to vector<2xi32>
  // CHECK-COUNT-2: llvm.call spir_funccc @_Z17sub_group_shuffleij
  // CHECK: %[[V:.*]] = llvm.trunc %{{.*}} : i64 to i48
  // CHECK: llvm.bitcast %[[V]] : i48 to vector<3xi16>
  %1 = ttig.shuffle lane %t, %by : vector<3xi16>
  // CHECK: %[[BYTES:.*]] = llvm.zext %arg2 : vector<2xi1> to vector<2xi8>
  // CHECK: llvm.bitcast %[[BYTES]] : vector<2xi8> to i16
  // CHECK: llvm.call spir_funccc @_Z17sub_group_shuffleij
  // CHECK: llvm.trunc %{{.*}} : vector<2xi8> to vector<2xi1>
  %2 = ttig.shuffle lane %b, %by : vector<2xi1>
  // CHECK: %[[WORD:.*]] = llvm.zext %arg3 : i1 to i32
  // CHECK: %[[MOVED:.*]] = llvm.call spir_funccc @_Z17sub_group_shuffleij(%[[WORD]], %arg4)
  // CHECK: %[[RESULT:.*]] = llvm.trunc %[[MOVED]] : i32 to i1
  // CHECK: llvm.return %[[RESULT]]
  %3 = ttig.shuffle lane %c, %by : i1
  llvm.return %3 : i1
}
}
