; RUN: split-file %s %t
; RUN: triton-xe-translate --llvmir-estimate-registers %t/uniform.ll | FileCheck %s --check-prefix=UNIFORM
; RUN: triton-xe-translate --llvmir-estimate-registers %t/wide.ll | FileCheck %s --check-prefix=WIDE
; RUN: triton-xe-translate --llvmir-estimate-registers %t/loop.ll | FileCheck %s --check-prefix=LOOP
; RUN: triton-xe-translate --llvmir-estimate-registers %t/call.ll | FileCheck %s --check-prefix=CALL
; RUN: not triton-xe-translate --llvmir-estimate-registers %t/no-size.ll 2>&1 | FileCheck %s --check-prefix=NO-SIZE

; Which values all lanes share comes from the analysis of the code: arguments,
; numbers of groups, and what is computed of these; a lane's number is its own.

;--- uniform.ll
declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind
declare spir_func i64 @_Z12get_group_idj(i32) memory(none) willreturn nounwind

; Addresses and values of lanes are 8 * 16 and 4 * 16 bytes; what is loaded
; through the base is 4 for all of them.
; UNIFORM: 196 bytes behind {{.*}} = load float
define spir_kernel void @uniform(ptr addrspace(1) %in, i64 %stride) !intel_reqd_sub_group_size !0 {
  %group = call spir_func i64 @_Z12get_group_idj(i32 0)
  %offset = mul i64 %group, %stride
  %base = getelementptr float, ptr addrspace(1) %in, i64 %offset
  %shared = load float, ptr addrspace(1) %base
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %place = getelementptr float, ptr addrspace(1) %base, i32 %lane
  %x = load float, ptr addrspace(1) %place
  %sum = fadd float %x, %shared
  store float %sum, ptr addrspace(1) %place
  ret void
}
!0 = !{i32 16}

;--- wide.ll
declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind

; Twice as many lanes: the address is 8 * 32 bytes, the value 4 * 32.
; WIDE: 384 bytes behind {{.*}} = load float
define spir_kernel void @wide(ptr addrspace(1) %in) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %place = getelementptr float, ptr addrspace(1) %in, i32 %lane
  %x = load float, ptr addrspace(1) %place
  store float %x, ptr addrspace(1) %place
  ret void
}
!0 = !{i32 32}

;--- loop.ll
declare spir_func <8 x float> @_Z45intel_sub_group_bf16_bf16_matrix_mad_k16(<8 x i16>, <8 x i32>, <8 x float>) memory(none) willreturn nounwind

; An accumulator of 8 registers that the loop carries, and two operands of 4 and
; 8 registers; two pointers and two numbers.
; LOOP: 1304 bytes behind {{.*}} = load <8 x i32>
define spir_kernel void @loop(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %n) !intel_reqd_sub_group_size !0 {
entry:
  %private = alloca [32 x i32]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <8 x float> [ zeroinitializer, %entry ], [ %total, %loop ]
  %left = load <8 x i16>, ptr %private
  %right = load <8 x i32>, ptr %private
  %total = call spir_func <8 x float> @_Z45intel_sub_group_bf16_bf16_matrix_mad_k16(<8 x i16> %left, <8 x i32> %right, <8 x float> %sum)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  store <8 x float> %total, ptr addrspace(1) %a
  store i32 0, ptr addrspace(1) %b
  ret void
}
!0 = !{i32 16}

;--- call.ll
; A function that stays one: its 16 registers and its pointer come on top of what
; its caller keeps, the same pointer.
; CALL: 1040 bytes behind call
define internal spir_func void @inner(ptr addrspace(1) %p) noinline {
  %private = alloca [32 x i32]
  %x = load <16 x i32>, ptr %private
  store <16 x i32> %x, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @call(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  call spir_func void @inner(ptr addrspace(1) %p)
  store i32 0, ptr addrspace(1) %p
  ret void
}
!0 = !{i32 16}

;--- no-size.ll
; NO-SIZE: error: kernel 'f': expected sub-groups of 8, 16 or 32, found 0
define spir_kernel void @f() {
  ret void
}
