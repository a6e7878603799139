; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s

; Integers of 64 bits are divided lane by lane. The code for that is in a
; function, one for each kind of division: a tile has many of them.

define spir_kernel void @kernel(ptr addrspace(1) %x, ptr addrspace(1) %y) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %id = zext i32 %lane to i64
  %px = getelementptr i64, ptr addrspace(1) %x, i64 %id
  %py = getelementptr i64, ptr addrspace(1) %y, i64 %id
  %a = load i64, ptr addrspace(1) %px
  %b = load i64, ptr addrspace(1) %py
; CHECK-LABEL: define void @kernel
; Quotient and remainder, each twice: two functions.
; CHECK:         %[[Q:.*]] = call fastcc <16 x i64> @lanes_sdiv_i64(<16 x i64> %[[A:.*]], <16 x i64> %[[B:.*]])
; CHECK:         call fastcc <16 x i64> @lanes_sdiv_i64(<16 x i64> %[[Q]], <16 x i64> %[[B]])
  %q = sdiv i64 %a, %b
  %qq = sdiv i64 %q, %b
; CHECK:         call fastcc <16 x i64> @lanes_urem_i64(<16 x i64> %{{.*}}, <16 x i64> %[[B]])
  %r = urem i64 %qq, %b
; A divisor that is a constant is a part of the function.
; CHECK:         %[[C:.*]] = call fastcc <16 x i64> @lanes_udiv_i64_by_7(<16 x i64> %{{.*}})
  %c = udiv i64 %r, 7
; There are instructions for powers of two, and for 32 bits.
; CHECK-NOT:     call fastcc
; CHECK:         store
  %s = udiv i64 %c, 8
  %t = trunc i64 %s to i32
  %u = trunc i64 %b to i32
  %v = udiv i32 %t, %u
  %w = zext i32 %v to i64
  %sum = add i64 %s, %w
  store i64 %sum, ptr addrspace(1) %px
  ret void
}

; Numbers of 31 bits have exact quotients in f64.
; CHECK-LABEL: define internal fastcc <16 x i64> @lanes_sdiv_i64(
; CHECK-SAME:    <16 x i64> %[[L:.*]], <16 x i64> %[[R:.*]])
; CHECK:         %[[OR:.*]] = or <16 x i64> %[[L]], %[[R]]
; CHECK:         %[[HIGH:.*]] = lshr <16 x i64> %[[OR]], splat (i64 31)
; CHECK:         %[[ANY:.*]] = call i64 @llvm.vector.reduce.or.v16i64(<16 x i64> %[[HIGH]])
; CHECK:         %[[SMALL:.*]] = icmp eq i64 %[[ANY]], 0
; CHECK-NEXT:    br i1 %[[SMALL]], label %small, label %large
; CHECK:       small:
; CHECK:         fdiv <16 x double>
; CHECK:         fptosi <16 x double> %{{.*}} to <16 x i32>
; CHECK:       large:
; CHECK-NEXT:    %[[D:.*]] = sdiv <16 x i64> %[[L]], %[[R]]
; CHECK-NEXT:    br label
; CHECK:       define internal fastcc <16 x i64> @lanes_urem_i64(
; CHECK:         fdiv <16 x double>
; CHECK:         mul <16 x i32>
; CHECK:         sub <16 x i32>
; CHECK:       large:
; CHECK:         urem <16 x i64>
; CHECK:       define internal fastcc <16 x i64> @lanes_udiv_i64_by_7(
; CHECK:       large:
; CHECK-NEXT:    udiv <16 x i64> %{{.*}}, splat (i64 7)

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
