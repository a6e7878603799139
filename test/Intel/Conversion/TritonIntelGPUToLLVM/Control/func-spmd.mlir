// RUN: triton-xe-opt %s --split-input-file --convert-triton-intel-gpu-to-llvm | FileCheck %s

// A public function is a kernel with the geometry of its launch; a private one
// an internal function, whose results come back as a structure.

// Grids have less than 2^31 groups along each axis.
// CHECK: llvm.func spir_funccc @_Z14get_num_groupsj(i32) -> (i64 {llvm.range = #llvm.constant_range<i64, 0, 2147483648>})
// CHECK: llvm.func spir_funccc @_Z12get_group_idj(i32) -> (i64 {llvm.range = #llvm.constant_range<i64, 0, 2147483648>})
// CHECK: llvm.func spir_kernelcc @kernel(%{{.*}}: !llvm.ptr<1>, %{{.*}}: i32, %{{.*}}: i16)
// CHECK-SAME: intel_reqd_sub_group_size = 16 : i32
// CHECK-SAME: reqd_work_group_size = array<i32: 64, 1, 1>
// CHECK: llvm.call spir_funccc @_Z12get_group_idj(%c1_i32{{.*}})
// CHECK: llvm.call spir_funccc @_Z14get_num_groupsj(%c2_i32{{.*}})
// CHECK: llvm.call spir_funccc @_Z7barrierj(%c1_i32{{.*}})
// CHECK: llvm.call spir_funccc @_Z7barrierj(%c3_i32{{.*}})
// The halves of a split barrier: scopes of the work-group, no memory semantics.
// CHECK: llvm.call spir_funccc @_Z33__spirv_ControlBarrierArriveINTELiii(%c2_i32{{.*}}, %c2_i32{{.*}}, %c0_i32{{.*}})
// CHECK: llvm.call spir_funccc @_Z31__spirv_ControlBarrierWaitINTELiii(%c2_i32{{.*}}, %c2_i32{{.*}}, %c0_i32{{.*}})
// CHECK: llvm.call spir_funccc @helper({{.*}}) {{.*}}-> !llvm.struct<(i32, i32)>
// CHECK: llvm.extractvalue {{.*}}[1]
// CHECK: llvm.func internal spir_funccc @helper{{.*}}-> !llvm.struct<(i32, i32)>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @kernel(%p: !tt.ptr<i32>, %n: i32, %b: bf16) {
    %x = tt.get_program_id y : i32
    %y = tt.get_num_programs z : i32
    ttg.barrier local
    ttg.barrier local|global_read|global_write
    ttig.arrive_barrier
    ttig.wait_barrier
    %r:2 = tt.call @helper(%x, %y) : (i32, i32) -> (i32, i32)
    tt.store %p, %r#1 : !tt.ptr<i32>
    tt.return
  }
  tt.func private @helper(%a: i32, %b: i32) -> (i32, i32) attributes {noinline = true} {
    tt.return %b, %a : i32, i32
  }
}

// -----

// Launch conditions become no code. A pointer gets the largest alignment that
// they require. A multiple of a number other than a power of two gives no
// alignment, and neither does a condition on a sum, or a remainder that may be
// larger than 0. Integers have no alignment.
// CHECK: llvm.func spir_kernelcc @aligned(%{{[a-z0-9]*}}: !llvm.ptr<1> {llvm.align = 64 : i64}, %{{[a-z0-9]*}}: !llvm.ptr<1> {llvm.align = 16 : i64}, %{{[a-z0-9]*}}: !llvm.ptr<1>, %{{[a-z0-9]*}}: i32)
// CHECK-NOT: launch_condition
#twice = affine_set<()[s0] : (s0 mod 4 == 0, -(s0 mod 64) >= 0, s0 mod 16 == 0)>
#second = affine_set<()[s0, s1] : (s0 - 1 >= 0, s1 mod 16 == 0)>
#none = affine_set<()[s0, s1] : (s0 mod 48 == 0, (s0 + 8) mod 16 == 0, s0 mod 64 >= 0, s1 mod 8 == 0)>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @aligned(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %r: !tt.ptr<i32>, %n: i32) {
    ttig.launch_condition #twice[%p] : !tt.ptr<i32>
    ttig.launch_condition #second[%n, %q] surface 1 : i32, !tt.ptr<i32>
    ttig.launch_condition #none[%r, %n] : !tt.ptr<i32>, i32
    tt.return
  }
}

// -----

// Two pointers have separate memory in all launches if the condition is on the
// whole kernel, and they must not be the same.
// CHECK:      llvm.func spir_kernelcc @separate(%[[P:[a-z0-9]+]]: !llvm.ptr<1>, %[[Q:[a-z0-9]+]]: !llvm.ptr<1>, %[[R:[a-z0-9]+]]: !llvm.ptr<1>)
// CHECK:      %[[YES:.+]] = llvm.mlir.constant(true) : i1
// CHECK-NEXT: llvm.intr.assume %[[YES]] ["separate_storage"(%[[P]], %[[Q]] : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
// CHECK-NEXT: llvm.intr.assume %[[YES]] ["separate_storage"(%[[R]], %[[P]] : !llvm.ptr<1>, !llvm.ptr<1>)] : i1
// CHECK-NEXT: llvm.return
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @separate(%p: !tt.ptr<i32>, %q: !tt.ptr<i32>, %r: !tt.ptr<i32>) {
    ttig.launch_condition disjoint (%p, %q : !tt.ptr<i32>, !tt.ptr<i32>), (%r, %p : !tt.ptr<i32>, !tt.ptr<i32>)
    ttig.launch_condition disjoint (%q, %r : !tt.ptr<i32>, !tt.ptr<i32>) {mayBeSame}
    ttig.launch_condition disjoint (%q, %r : !tt.ptr<i32>, !tt.ptr<i32>) surface 1
    tt.return
  }
}

// -----

// Integers have the numbers that the conditions on one of them leave, if these hold in all launches. A condition on a tensor
// gives no range, and neither do a remainder, a sum of two arguments, the extent of the grid, or a pointer. Conditions that
// no number satisfies are left alone.
// CHECK: llvm.func spir_kernelcc @limited(
// CHECK-SAME: %{{[a-z0-9]+}}: i32 {llvm.range = #llvm.constant_range<i32, 1, 2147483585>}
// CHECK-SAME: %{{[a-z0-9]+}}: i64 {llvm.range = #llvm.constant_range<i64, -9223372036854775808, 34>}
// CHECK-SAME: %{{[a-z0-9]+}}: i32 {llvm.range = #llvm.constant_range<i32, -3, -2147483648>}
// CHECK-SAME: %{{[a-z0-9]+}}: i32, %{{[a-z0-9]+}}: !llvm.ptr<1>, %{{[a-z0-9]+}}: i32)
#set = affine_set<(d0, d1, d2)[s0, s1, s2] : (-s0 + 2147483584 >= 0, s0 - 1 >= 0, s1 * -3 + 100 >= 0, s0 + s1 - 5 >= 0, s2 * 2 + 7 >= 0, s2 mod 4 - 1 >= 0, -d0 + 8 >= 0)>
#tensor = affine_set<()[s0, s1] : (s0 - 64 >= 0, s1 - 1 >= 0)>
#pointer = affine_set<()[s0] : (s0 - 1 >= 0)>
#none = affine_set<()[s0] : (-s0 - 4000000000 >= 0)>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32, ttig.target = #ttig.target<arch = "pvc">} {
  tt.func public @limited(%m: i32, %n: i64, %k: i32, %pitch: i32, %p: !tt.ptr<i32>, %q: i32) {
    ttig.launch_condition #set[%m, %n, %k] : i32, i64, i32
    ttig.launch_condition #tensor[%pitch, %k] surface 0 : i32, i32
    ttig.launch_condition #pointer[%p] : !tt.ptr<i32>
    ttig.launch_condition #none[%q] : i32
    tt.return
  }
}
