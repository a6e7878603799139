; RUN: triton-xe-translate --llvmir-vectorize-lanes %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-vectorize-lanes --instruction-set=avx512 %s | FileCheck %s --check-prefix=WIDE

; Builtins: shuffles with known partners are shuffles, functions are SLEEF's for
; the instruction set, atomic operations go lane by lane.

declare spir_func i32 @_Z22get_sub_group_local_idv() memory(none) willreturn nounwind
declare spir_func float @_Z21sub_group_shuffle_xorfj(float, i32) convergent
declare spir_func float @_Z17sub_group_shufflefj(float, i32) convergent
declare spir_func i32 @_Z20sub_group_reduce_addi(i32) convergent
declare spir_func float @_Z3erff(float) memory(none) willreturn nounwind
declare float @llvm.exp2.f32(float)
declare spir_func void @_Z7barrierj(i32) convergent

@slm = internal addrspace(3) global [256 x i8] undef, align 64

; Shared memory and barriers are reported to the runtime.
; CHECK: @triton_xe_kernel_info = constant {{.*}} { i32 2, i32 2, i32 256, i32 16, i32 4, i32 1,
define spir_kernel void @kernel(ptr addrspace(1) %out, i32 %n) !reqd_work_group_size !0 !intel_reqd_sub_group_size !1 {
; CHECK-LABEL: define void @kernel
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %wide = zext i32 %lane to i64
  %place = getelementptr float, ptr addrspace(1) %out, i64 %wide
  %value = load float, ptr addrspace(1) %place, align 4
  ; CHECK: shufflevector <16 x float> %{{.*}}, <16 x float> poison, <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 0, i32 1, i32 2, i32 3, i32 12,
  %other = call spir_func float @_Z21sub_group_shuffle_xorfj(float %value, i32 4)
  ; One lane's value is a scalar.
  ; CHECK: extractelement <16 x float> %{{.*}}, i32 %
  %first = call spir_func float @_Z17sub_group_shufflefj(float %value, i32 %n)
  %sum = fadd float %other, %first
  ; CHECK: call <8 x float> @Sleef_erff8_u10avx2(<8 x float>
  ; CHECK: call <8 x float> @Sleef_erff8_u10avx2(<8 x float>
  ; WIDE: call <16 x float> @Sleef_erff16_u10avx512f(<16 x float>
  %erf = call spir_func float @_Z3erff(float %sum)
  ; CHECK: call <8 x float> @Sleef_exp2f8_u10avx2(<8 x float>
  ; WIDE: call <16 x float> @Sleef_exp2f16_u10avx512f(<16 x float>
  %exp = call float @llvm.exp2.f32(float %erf)
  ; CHECK: store <16 x float>
  %shared = getelementptr float, ptr addrspace(3) @slm, i64 %wide
  store float %exp, ptr addrspace(3) %shared, align 4
  ; CHECK: call void @triton_xe_cpu_barrier(ptr
  call spir_func void @_Z7barrierj(i32 1)
  ; CHECK: call void @triton_xe_cpu_atomic_fadd(ptr {{.*}}, ptr {{.*}}, ptr {{.*}}, i64 65535, i32 16, i32 4)
  %old = atomicrmw fadd ptr addrspace(1) %out, float %exp monotonic
  %bits = fptosi float %old to i32
  %total = call spir_func i32 @_Z20sub_group_reduce_addi(i32 %bits)
  %result = sitofp i32 %total to float
  store float %result, ptr addrspace(1) %place, align 4
  ret void
}

!0 = !{i32 64, i32 1, i32 1}
!1 = !{i32 16}
