; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-to-spirv --library=none %s | od -A n -v -t x4 -w4 | FileCheck %s --check-prefix=SPIRV

declare spir_func void @_Z50intel_sub_group_2d_block_read_transpose_32b_8r8x1cPU3AS1viiiDv2_iPj(ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func void @_Z51intel_sub_group_2d_block_read_transpose_32b_16r8x1cPU3AS1viiiDv2_iPj(ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)

; Element bytes, columns, rows, blocks. The pointer keeps its cache controls. A
; shape that OpenCL C has a function for stays what older drivers have, too.
; CHECK-LABEL: @messages
; CHECK: %[[P:.*]] = getelementptr i8, ptr addrspace(1) %p, i64 0, !spirv.Decorations
; CHECK: call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv(i32 4, i32 8, i32 8, i32 1, ptr addrspace(1) %[[P]], i32 64, i32 %h, i32 128, <2 x i32> %xy, ptr %{{.*}})
; CHECK: call spir_func void @_Z51intel_sub_group_2d_block_read_transpose_32b_16r8x1c
; CHECK-NOT: 8r8x1c

; 11 words, and the number of OpSubgroup2DBlockLoadTransposeINTEL, 6233, which spirv-dis may not know; once.
; SPIRV: 000b1859
; SPIRV-NOT: 000b1859
define spir_kernel void @messages(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %h, <2 x i32> %xy) !reqd_work_group_size !0 {
  %to = alloca [4 x i32]
  %more = alloca [8 x i32]
  call spir_func void @_Z50intel_sub_group_2d_block_read_transpose_32b_8r8x1cPU3AS1viiiDv2_iPj(ptr addrspace(1) %p, i32 64, i32 %h, i32 128, <2 x i32> %xy, ptr %to), !spirv.DecorationCacheControlINTEL !1
  call spir_func void @_Z51intel_sub_group_2d_block_read_transpose_32b_16r8x1cPU3AS1viiiDv2_iPj(ptr addrspace(1) %p, i32 64, i32 %h, i32 128, <2 x i32> %xy, ptr %more)
  %x = load i32, ptr %to, align 4
  %y = load i32, ptr %more, align 4
  %s = add i32 %x, %y
  store i32 %s, ptr addrspace(1) %q, align 4
  ret void
}

@slm = internal addrspace(3) global [4096 x i8] undef, align 128

declare spir_func <8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS3t(ptr addrspace(3))

; A pointer to elements, not to the array that the variable is. A pointer that is computed is one already.
; CHECK-LABEL: @shared
; CHECK: %[[Q:.*]] = getelementptr i16, ptr addrspace(3) @slm, i32 0
; CHECK: call spir_func <8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS3t(ptr addrspace(3) %[[Q]])
; CHECK: call spir_func <8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS3t(ptr addrspace(3) %p)
define spir_kernel void @shared(ptr addrspace(1) %q, ptr addrspace(3) %p) !reqd_work_group_size !0 {
  %x = call spir_func <8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS3t(ptr addrspace(3) @slm)
  %y = call spir_func <8 x i16> @_Z30intel_sub_group_block_read_us8PU3AS3t(ptr addrspace(3) %p)
  %s = add <8 x i16> %x, %y
  store <8 x i16> %s, ptr addrspace(1) %q, align 16
  ret void
}

!0 = !{i32 16, i32 1, i32 1}
!1 = !{!2}
!2 = !{i32 6442, i32 0, i32 3, i32 0}
