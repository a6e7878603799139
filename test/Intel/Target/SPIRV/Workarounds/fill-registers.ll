; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)

; Half a register: two blocks are loaded, and the first one goes where it was to go, two bytes in each lane.
; CHECK-LABEL: @halves
; CHECK: alloca [2 x i16]
; CHECK: call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 1, i32 2, {{.*}} %[[A:[^ ]*]])
; CHECK-NEXT: %[[FIRST:.*]] = load i16, ptr %[[A]]
; CHECK-NEXT: store i16 %[[FIRST]], ptr %x
; CHECK-NOT: i32 1, i32 1, ptr addrspace
; The CPU device has functions for the halves.
; CPU-LABEL: @halves
; CPU-NOT: alloca [2 x i16]
define spir_kernel void @halves(ptr addrspace(1) %p, ptr addrspace(1) %out, <2 x i32> %xy) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %x = alloca i16
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 1, i32 1, ptr addrspace(1) %p, i32 64, i32 8, i32 64, <2 x i32> %xy, ptr %x)
  %v = load i16, ptr %x
  store i16 %v, ptr addrspace(1) %out
  ret void
}

; Whole registers.
; CHECK-LABEL: @wholes
; CHECK-NOT: alloca [2 x i16]
; CHECK: BlockLoadINTEL{{.*}}(i32 2, i32 16, i32 2, i32 1, ptr
; CHECK: BlockLoadINTEL{{.*}}(i32 4, i32 16, i32 1, i32 1, ptr
define spir_kernel void @wholes(ptr addrspace(1) %p, ptr addrspace(1) %out, <2 x i32> %xy) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
  %x = alloca i32
  %y = alloca i32
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 2, i32 1, ptr addrspace(1) %p, i32 64, i32 8, i32 64, <2 x i32> %xy, ptr %x)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 4, i32 16, i32 1, i32 1, ptr addrspace(1) %p, i32 64, i32 8, i32 64, <2 x i32> %xy, ptr %y)
  %v = load i32, ptr %x
  %w = load i32, ptr %y
  %s = add i32 %v, %w
  store i32 %s, ptr addrspace(1) %out
  ret void
}

!0 = !{i32 16}
!1 = !{i32 16, i32 1, i32 1}
