; RUN: split-file %s %t
; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %t/uniform.ll | FileCheck %t/uniform.ll
; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %t/varying.ll | FileCheck %t/varying.ll
; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %t/masked.ll | FileCheck %t/masked.ll
; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %t/filled.ll | FileCheck %t/filled.ll

; Private memory into which all lanes together store the same has the same
; contents in all of them: branches on what they load are uniform, and barriers
; may be after these. Elsewhere rows are loaded as rows.

;--- uniform.ll
declare spir_func void @_Z7barrierj(i32) convergent
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)

; CHECK-LABEL: define void @kernel
define spir_kernel void @kernel(i32 %n, i64 %index) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %values = alloca [4 x i32]
  call void @llvm.lifetime.start.p0(ptr %values)
  store i32 %n, ptr %values, align 4
  %second = getelementptr i32, ptr %values, i64 1
  %twice = add i32 %n, %n
  store i32 %twice, ptr %second, align 4
  %place = getelementptr i32, ptr %values, i64 %index
  ; CHECK: %[[ROW:.*]] = load <16 x i32>
  ; CHECK-NEXT: %[[ONE:.*]] = extractelement <16 x i32> %[[ROW]], i64 0
  ; CHECK: %[[SOME:.*]] = icmp slt i32 %[[ONE]], 5
  ; CHECK-NEXT: br i1 %[[SOME]]
  ; CHECK: call {{.*}}barrier
  %loaded = load i32, ptr %place, align 4
  call void @llvm.lifetime.end.p0(ptr %values)
  %some = icmp slt i32 %loaded, 5
  br i1 %some, label %then, label %exit
then:
  call spir_func void @_Z7barrierj(i32 1)
  br label %exit
exit:
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}

;--- varying.ll
; One of the stores has a value per lane. It comes after the load, in a loop
; that leads back to that.
declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

; CHECK-LABEL: define void @kernel
define spir_kernel void @kernel(ptr addrspace(1) %out, i32 %n) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
entry:
  %values = alloca [4 x i32]
  store i32 %n, ptr %values, align 4
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  ; CHECK: %[[ROW:.*]] = phi <16 x i32> {{.*}} <i32 0, i32 1,
  ; CHECK: store <16 x i32> %[[ROW]]
  %loaded = load i32, ptr %values, align 4
  %wide = zext i32 %lane to i64
  %target = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 %loaded, ptr addrspace(1) %target, align 4
  store i32 %lane, ptr %values, align 4
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}

;--- masked.ll
; The others do not have the values that some lanes store, even if the value is
; the same.
declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

; CHECK-LABEL: define void @kernel
define spir_kernel void @kernel(ptr addrspace(1) %out, i32 %n) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %values = alloca i32
  store i32 0, ptr %values, align 4
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %some = icmp slt i32 %lane, %n
  br i1 %some, label %then, label %exit
then:
  store i32 %n, ptr %values, align 4
  br label %exit
exit:
  ; CHECK: %[[ROW:.*]] = select <16 x i1> %{{.*}}, <16 x i32> %{{.*}}, <16 x i32> zeroinitializer
  ; CHECK: store <16 x i32> %[[ROW]]
  %loaded = load i32, ptr %values, align 4
  %wide = zext i32 %lane to i64
  %target = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 %loaded, ptr addrspace(1) %target, align 4
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}

;--- filled.ll
; A function fills the memory with elements of a matrix.
declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind
declare spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)

; CHECK-LABEL: define void @kernel
define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  ; CHECK: %[[ROW:.*]] = load <16 x i32>, ptr %private
  ; CHECK: store <16 x i32> %[[ROW]]
  %tile = alloca [8 x i32]
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32 4, i32 8, i32 16, i32 1, ptr addrspace(1) %in, i32 64, i32 16, i32 64, <2 x i32> zeroinitializer, ptr %tile)
  %loaded = load i32, ptr %tile, align 4
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %wide = zext i32 %lane to i64
  %target = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 %loaded, ptr addrspace(1) %target, align 4
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
