; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %s | FileCheck %s

; Divergent branches become masks; uniform ones stay branches.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

define spir_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @kernel
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %wide = zext i32 %lane to i64
  %source = getelementptr i32, ptr addrspace(1) %in, i64 %wide
  %target = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %inside = icmp slt i32 %lane, %n
  br i1 %inside, label %then, label %join

; The lanes that do not load get the phi's zero from the masked load itself.
; CHECK: %[[INSIDE:.*]] = icmp {{.*}} <16 x i32>
; CHECK: %[[VALUE:.*]] = call <16 x i32> @llvm.masked.load.v16i32.p0(ptr {{.*}}, <16 x i1> %[[INSIDE]], <16 x i32> zeroinitializer)
; CHECK-NOT: select
then:
  %loaded = load i32, ptr addrspace(1) %source, align 4
  br label %join

join:
  %value = phi i32 [ %loaded, %then ], [ 0, %0 ]
  br label %loop

; Lanes leave the loop one by one; what they take along is kept. It runs as long
; as a lane is left.
; CHECK: loop:
; CHECK: %[[ACTIVE:.*]] = phi <16 x i1>
; CHECK: %[[KEPT:.*]] = phi <16 x i32>
; CHECK: %[[STAYS:.*]] = icmp
; CHECK: select <16 x i1>
; CHECK: %[[ANY:.*]] = icmp {{ne|eq}} i16
; CHECK: br i1 %[[ANY]]
loop:
  %count = phi i32 [ 0, %join ], [ %next, %again ]
  %rest = phi i32 [ %value, %join ], [ %half, %again ]
  %done = icmp ult i32 %rest, 2
  br i1 %done, label %end, label %again

again:
  %half = lshr i32 %rest, 1
  %next = add i32 %count, 1
  br label %loop

; All lanes store.
; CHECK: store <16 x i32>
end:
  %result = phi i32 [ %count, %loop ]
  store i32 %result, ptr addrspace(1) %target, align 4
  %isLarge = icmp sgt i32 %n, 100
; CHECK: br i1
  br i1 %isLarge, label %more, label %exit

; CHECK: store i32 7, ptr
more:
  store i32 7, ptr addrspace(1) %out, align 4
  br label %exit

exit:
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
