; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s

; A function that is called where some lanes do not take part gets their mask;
; what differs between lanes arrives in rows, what does not in scalars.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

define spir_kernel void @kernel(ptr addrspace(1) %out, i32 %n) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @kernel
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %inside = icmp slt i32 %lane, %n
  br i1 %inside, label %then, label %exit

; CHECK: call fastcc { <16 x i32> } @helper(ptr {{.*}}, i16 %{{.*}}, <16 x i32> {{.*}}, i32 %{{.*}})
then:
  %wide = zext i32 %lane to i64
  %target = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %result = call spir_func i32 @helper(i32 %lane, i32 %n)
  store i32 %result, ptr addrspace(1) %target, align 4
  br label %exit

exit:
  ret void
}

; CHECK: define internal fastcc { <16 x i32> } @helper(ptr {{.*}}, i16 {{.*}}, <16 x i32> {{.*}}, i32 {{.*}})
define internal spir_func i32 @helper(i32 %x, i32 %n) noinline {
  ; CHECK: mul <16 x i32>
  %product = mul i32 %x, %n
  ret i32 %product
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
