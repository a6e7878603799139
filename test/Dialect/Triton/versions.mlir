// What Triton 3.8 and 3.9 write in another way than 3.7.1, which is what is
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

// Cache words among the other attributes; those that say nothing are not
// printed.
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
