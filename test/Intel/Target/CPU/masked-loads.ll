; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx2 %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %s | FileCheck %s --check-prefix=AVX512
; RUN: triton-xe-translate --llvmir-to-object --instruction-set=avx2 %s -o %t.o
; RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s --check-prefix=CODE

; Only lane 0 loads, so that half of the mask is known to be zero. LLVM makes an
; ordinary load of that half of a masked load; its memory need not exist.

; CHECK-LABEL: define void @first_lane
; CHECK-NOT: llvm.masked.load
; CHECK: call <8 x i32> @llvm.x86.avx2.maskload.d.256(
; CHECK: call <8 x i32> @llvm.x86.avx2.maskload.d.256(
; AVX512-LABEL: define void @first_lane
; AVX512: call <16 x float> @llvm.masked.load.v16f32
; CODE-LABEL: <first_lane>:
; CODE: vpmaskmovd (%[[BASE:r[a-z0-9]+]])
; CODE: vpmaskmovd 0x20(%[[BASE]])
define spir_kernel void @first_lane(ptr addrspace(1) %table, ptr addrspace(1) %out, i32 %x) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %isFirst = icmp slt i32 %lane, 1
  %isWanted = icmp ne i32 %x, 0
  %mask = and i1 %isWanted, %isFirst
  %wide = zext i32 %lane to i64
  br i1 %mask, label %then, label %join

then:
  %address = load i64, ptr addrspace(1) %table, align 8
  %offset = shl i64 %wide, 2
  %sum = add i64 %address, %offset
  %source = inttoptr i64 %sum to ptr addrspace(1)
  %loaded = load float, ptr addrspace(1) %source, align 4
  br label %join

join:
  %value = phi float [ %loaded, %then ], [ 0.0, %0 ]
  %target = getelementptr float, ptr addrspace(1) %out, i64 %wide
  store float %value, ptr addrspace(1) %target, align 4
  ret void
}

declare spir_func i32 @_Z22get_sub_group_local_idv()

!0 = !{i32 16}
