// The text of Triton 3.8 and 3.9 that differs from that of 3.7.1, which is
// printed.
//
// RUN: triton-xe-opt %s | FileCheck %s
// RUN: triton-xe-opt %s | triton-xe-opt | FileCheck %s

// The block of a descriptor without `tensor<>`, in types and their short form.
//
// CHECK-LABEL: tt.func @descriptors
// CHECK-SAME: !tt.tensordesc<tensor<16x32xf16>>, %{{.*}}: !tt.tensordesc<tensor<1x32xsi32>>, %{{.*}}: !tt.tensordesc<tensor<8xf32>>
// CHECK: tt.make_tensor_descriptor {{.*}} : <f16>, <tensor<16x32xf16>>
tt.func @descriptors(%0: !tt.tensordesc<16x32xf16>, %1: !tt.tensordesc<1x32xsi32>, %2: !tt.tensordesc<tensor<8xf32>>, %p: !tt.ptr<f16>, %n: i32, %s: i64) {
  %one = arith.constant 1 : i64
  %d = tt.make_tensor_descriptor %p, [%n, %n], [%s, %one] : <f16>, <16x32xf16>
  tt.return
}

// Memory that is only read.
//
// CHECK-LABEL: tt.func @constant_memory
// CHECK-SAME: (%{{.*}}: !tt.ptr<f32>, %{{.*}}: tensor<64x!tt.ptr<f32>>, %{{.*}}: !tt.ptr<f32, 3>)
tt.func @constant_memory(%p: !tt.ptr<f32, "constant">, %q: tensor<64x!tt.ptr<f32, "constant">>, %r: !tt.ptr<f32, 3>) {
  tt.return
}

// Cache words among the other attributes; those without effect are not printed.
//
// CHECK-LABEL: tt.func @cache_words
tt.func @cache_words(%p: !tt.ptr<f32>, %d: !tt.tensordesc<16x32xf16>, %i: i32) {
  // CHECK: tt.load %{{[^ ]*}} cacheModifier = cg evictionPolicy = evict_first {isVolatile = true} :
  %a = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>, isVolatile = true} : !tt.ptr<f32>
  // CHECK: tt.load %{{[^ ]*}} : !tt.ptr<f32>
  %b = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_normal>} : !tt.ptr<f32>
  // CHECK: tt.load %{{[^ ]*}} cacheModifier = ca :
  %c = tt.load %p cacheModifier = ca : !tt.ptr<f32>
  // CHECK: tt.store %{{[^ ]*}}, %{{[^ ]*}} cacheModifier = wt {tt.other = 1 : i32} :
  tt.store %p, %a {cachePolicy = #tt.cache_policy<cache_modifier = wt, eviction_policy = evict_normal>, tt.other = 1 : i32} : !tt.ptr<f32>
  // CHECK: tt.descriptor_load %{{.*}} evictionPolicy = evict_last :
  %x = tt.descriptor_load %d[%i, %i] {cachePolicy = #tt.cache_policy<cache_modifier = none, eviction_policy = evict_last>} : !tt.tensordesc<16x32xf16> -> tensor<16x32xf16>
  tt.return
}

// Operations of 3.9 alone. A mask, and a timeout, may be absent.
//
// CHECK-LABEL: tt.func @atomic_accesses
tt.func @atomic_accesses(%p: !tt.ptr<f32>, %q: tensor<64x!tt.ptr<i32>>, %m: tensor<64xi1>, %x: tensor<64xi32>, %ns: i64) {
  // CHECK: tt.atomic_load acquire, gpu, %{{[^ ]*}}, %{{[^ ]*}} : (tensor<64x!tt.ptr<i32>>, tensor<64xi1>) -> tensor<64xi32>
  %a = tt.atomic_load acquire, gpu, %q, %m : (tensor<64x!tt.ptr<i32>>, tensor<64xi1>) -> tensor<64xi32>
  // CHECK: tt.atomic_load relaxed, sys, %{{[^ ]*}} : (!tt.ptr<f32>) -> f32
  %b = tt.atomic_load relaxed, sys, %p : (!tt.ptr<f32>) -> f32
  // CHECK: tt.atomic_store release, gpu, %{{[^ ]*}}, %{{[^ ]*}}, %{{[^ ]*}} : tensor<64x!tt.ptr<i32>>
  tt.atomic_store release, gpu, %q, %x, %m : tensor<64x!tt.ptr<i32>>
  // CHECK: tt.atomic_store relaxed, cta, %{{[^ ]*}}, %{{[^ ]*}} : !tt.ptr<f32>
  tt.atomic_store relaxed, cta, %p, %b : !tt.ptr<f32>
  // CHECK: tt.atomic_poll acquire, gpu, %{{[^ ]*}}, %{{[^ ]*}} timeout %{{[^ ]*}} : tensor<64x!tt.ptr<i32>>, tensor<64xi32> -> tensor<64xi1>
  %c = tt.atomic_poll acquire, gpu, %q, %x timeout %ns : tensor<64x!tt.ptr<i32>>, tensor<64xi32> -> tensor<64xi1>
  // CHECK: tt.atomic_poll relaxed, sys, %{{[^ ]*}}, %{{[^ ]*}} : tensor<64x!tt.ptr<i32>>, tensor<64xi32> -> tensor<64xi1>
  %d = tt.atomic_poll relaxed, sys, %q, %x : tensor<64x!tt.ptr<i32>>, tensor<64xi32> -> tensor<64xi1>
  tt.return
}

// Two quotients, and row numbers of 16 bits.
//
// CHECK-LABEL: tt.func @quotients_and_rows
tt.func @quotients_and_rows(%x: tensor<8xf32>, %d: !tt.tensordesc<1x32xf32>, %rows: tensor<32xi16>, %i: i32) {
  // CHECK: tt.precise_divf %{{.*}} : tensor<8xf32>
  %0 = tt.precise_divf %x, %x : tensor<8xf32>
  // CHECK: tt.approx_divf %{{.*}} : tensor<8xf32>
  %1 = tt.approx_divf %x, %x : tensor<8xf32>
  // CHECK: tt.descriptor_gather {{.*}}, tensor<32xi16>, i32) -> tensor<32x32xf32>
  %2 = tt.descriptor_gather %d[%rows, %i] : (!tt.tensordesc<1x32xf32>, tensor<32xi16>, i32) -> tensor<32x32xf32>
  // CHECK: tt.descriptor_scatter {{.*}}, tensor<32xi16>, i32, tensor<32x32xf32>
  tt.descriptor_scatter %d[%rows, %i], %2 : !tt.tensordesc<1x32xf32>, tensor<32xi16>, i32, tensor<32x32xf32>
  tt.return
}
