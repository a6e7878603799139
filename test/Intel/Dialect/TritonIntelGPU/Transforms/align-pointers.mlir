// RUN: triton-xe-opt %s -tritonintelgpu-align-pointers | FileCheck %s
// RUN: triton-xe-opt %s -tritonintelgpu-align-pointers=skip=0- | FileCheck %s --check-prefix=LEFT
// RUN: triton-xe-opt %s -tritonintelgpu-align-pointers -o /dev/null --remarks-filter-passed=tritonintelgpu-align-pointers \
// RUN:   --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK

// Rewrites can be left out.
// LEFT-NOT: ttig.launch_condition

// REMARK: remark: [Passed] launch-assumption | Category:tritonintelgpu-align-pointers | {{.*}}Reason="masked loads are 32 bytes wide in launches where the address of #0 is divisible by 32"

// CHECK: #[[ALIGNED:.+]] = affine_set<()[s0] : (s0 mod 32 == 0)>
#eight = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
#sixteen = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>
module attributes {ttig.target = #ttig.target<arch = "pvc">, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// A lane has 16 elements of two bytes, and the mask ends anywhere: the launch aligns the pointer of the masked load, and no other.
// Vectors with whole masks need not be aligned to their size.
// CHECK-LABEL: tt.func public @kernel
// CHECK-SAME:    %[[X:.+]]: !tt.ptr<bf16> {tt.divisibility = 32 : i32}, %{{.+}}: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %{{.+}}: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %{{.+}}: !tt.ptr<bf16> {tt.divisibility = 8 : i32}
// CHECK-NEXT:    ttig.launch_condition #[[ALIGNED]][%[[X]]] : !tt.ptr<bf16>
// CHECK-NOT:     ttig.launch_condition
tt.func public @kernel(%x: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %whole: !tt.ptr<bf16> {tt.divisibility = 16 : i32},
                       %narrow: !tt.ptr<bf16> {tt.divisibility = 16 : i32}, %free: !tt.ptr<bf16> {tt.divisibility = 8 : i32},
                       %n: i32) {
  %i = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #sixteen>
  %ns = tt.splat %n : i32 -> tensor<1024xi32, #sixteen>
  %inside = arith.cmpi slt, %i, %ns : tensor<1024xi32, #sixteen>
  %xs = tt.splat %x : !tt.ptr<bf16> -> tensor<1024x!tt.ptr<bf16>, #sixteen>
  %xp = tt.addptr %xs, %i : tensor<1024x!tt.ptr<bf16>, #sixteen>, tensor<1024xi32, #sixteen>
  %v = tt.load %xp, %inside : tensor<1024x!tt.ptr<bf16>, #sixteen>
  %ws = tt.splat %whole : !tt.ptr<bf16> -> tensor<1024x!tt.ptr<bf16>, #sixteen>
  %wp = tt.addptr %ws, %i : tensor<1024x!tt.ptr<bf16>, #sixteen>, tensor<1024xi32, #sixteen>
  %w = tt.load %wp : tensor<1024x!tt.ptr<bf16>, #sixteen>
  // Triton does not know that the pointer is a multiple of 16 bytes.
  %fs = tt.splat %free : !tt.ptr<bf16> -> tensor<1024x!tt.ptr<bf16>, #sixteen>
  %fp = tt.addptr %fs, %i : tensor<1024x!tt.ptr<bf16>, #sixteen>, tensor<1024xi32, #sixteen>
  %f = tt.load %fp, %inside : tensor<1024x!tt.ptr<bf16>, #sixteen>
  // A lane has no more than 16 bytes.
  %j = tt.make_range {end = 1024 : i32, start = 0 : i32} : tensor<1024xi32, #eight>
  %ms = tt.splat %n : i32 -> tensor<1024xi32, #eight>
  %below = arith.cmpi slt, %j, %ms : tensor<1024xi32, #eight>
  %es = tt.splat %narrow : !tt.ptr<bf16> -> tensor<1024x!tt.ptr<bf16>, #eight>
  %ep = tt.addptr %es, %j : tensor<1024x!tt.ptr<bf16>, #eight>, tensor<1024xi32, #eight>
  %e = tt.load %ep, %below : tensor<1024x!tt.ptr<bf16>, #eight>
  tt.return
}
}
