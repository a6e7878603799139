; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s

; An accumulator stays in one place of memory around a loop, and the operands
; that a message has delivered are used where they are: nothing is copied.

declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32, i32, i32, i32, ptr, ptr addrspace(1), i32, i32, i32, <2 x i32>)
declare spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16>, <8 x i32>, <8 x float>)

define spir_kernel void @gemm(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %k, i32 %n) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @gemm
; CHECK: %[[SLOT:accumulator.*]] = alloca [512 x i8], align 64
; Zeros, once.
; CHECK-COUNT-8: store <16 x float> zeroinitializer
; CHECK: br label
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %next, %body ]
  %sum = phi <8 x float> [ zeroinitializer, %0 ], [ %new, %body ]
  %more = icmp slt i32 %i, %k
  br i1 %more, label %body, label %end

; CHECK: call void @_Z41intel_sub_group_2d_block_read_16b_8r16x1cPU3AS1viiiDv2_iPt(ptr {{.*}}, i32 {{.*}}, i32 {{.*}}, i32 {{.*}}, i32 {{.*}}, i32 0, ptr nonnull %[[A:.*]])
; CHECK: call void @_Z52intel_sub_group_2d_block_read_transform_16b_16r16x1cPU3AS1viiiDv2_iPj({{.*}}, ptr nonnull %[[B:.*]])
; CHECK-NEXT: call void @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(ptr nonnull %[[SLOT]], ptr nonnull %[[A]], ptr nonnull %[[B]], ptr nonnull %[[SLOT]])
; CHECK-NOT: <16 x float>
; CHECK: br label
body:
  %at = insertelement <2 x i32> zeroinitializer, i32 %i, i64 0
  %tileA = alloca [8 x i16]
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %a, i32 %n, i32 %n, i32 %n, <2 x i32> %at, ptr %tileA)
  %x = load <8 x i16>, ptr %tileA, align 16
  %tileB = alloca [8 x i32]
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 16, i32 1, ptr addrspace(1) %b, i32 %n, i32 %n, i32 %n, <2 x i32> %at, ptr %tileB)
  %y = load <8 x i32>, ptr %tileB, align 32
  %new = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %x, <8 x i32> %y, <8 x float> %sum)
  %next = add i32 %i, 16
  br label %loop

end:
  %tileC = alloca [8 x i32]
  store <8 x float> %sum, ptr %tileC, align 32
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %tileC, ptr addrspace(1) %c, i32 %n, i32 %n, i32 %n, <2 x i32> zeroinitializer)
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{i32 16}
