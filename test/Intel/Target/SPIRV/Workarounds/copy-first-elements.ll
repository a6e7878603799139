; RUN: triton-xe-translate --llvmir-prepare %s | FileCheck %s
; RUN: triton-xe-translate --llvmir-prepare --library=emulation %s | FileCheck %s --check-prefix=CPU

declare spir_func float @_Z19sub_group_broadcastfj(float, i32)
declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func <2 x i16> @_Z27__spirv_ConvertFToBF16INTELDv2_f(<2 x float>)
declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func <8 x float> @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16>, <8 x i32>, <8 x float>)

; Both operands consist of the same scalars, in two orders: the device compiler would take one vector for both.
; CHECK-LABEL: @swapped
; CHECK: %[[BITS:.*]] = bitcast float %{{.*}} to i32
; CHECK: %[[COPY:.*]] = call i32 asm "\0A", "=rw,0"(i32 %[[BITS]])
; CHECK: %[[FIRST:.*]] = bitcast i32 %[[COPY]] to float
; CHECK: %[[PAIR:.*]] = insertelement <2 x float> %{{.*}}, float %[[FIRST]], i64 0
; CHECK: store <2 x float> %[[PAIR]]
; The CPU device's compiler joins nothing.
; CPU-NOT: asm
define spir_kernel void @swapped(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %x = load <2 x float>, ptr addrspace(1) %p
  %e = fadd <2 x float> %x, <float 1.0, float 2.0>
  %f = shufflevector <2 x float> %e, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  %d = fsub <2 x float> %e, %f
  store <2 x float> %d, ptr addrspace(1) %p
  ret void
}

; One scalar for all elements is a part of the other operand.
; CHECK-LABEL: @splat
; CHECK: asm "\0A"
define spir_kernel void @splat(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %x = load <4 x float>, ptr addrspace(1) %p
  %e = fmul <4 x float> %x, %x
  %f = shufflevector <4 x float> %e, <4 x float> poison, <4 x i32> zeroinitializer
  %d = fsub <4 x float> %e, %f
  store <4 x float> %d, ptr addrspace(1) %p
  ret void
}

; Operands in the same order share nothing wrongly.
; CHECK-LABEL: @ordered
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @ordered(ptr addrspace(1) %p, ptr addrspace(1) %q) !intel_reqd_sub_group_size !0 {
  %x = load <4 x float>, ptr addrspace(1) %p
  %y = load <4 x float>, ptr addrspace(1) %q
  %e = fmul <4 x float> %x, %y
  %d = fsub <4 x float> %e, %x
  store <4 x float> %d, ptr addrspace(1) %p
  %s = fmul <4 x float> %e, %y
  store <4 x float> %s, ptr addrspace(1) %q
  ret void
}

; Values of consecutive lanes, and nothing that differs between lanes.
; CHECK-LABEL: @shared
; CHECK: asm "\0A"
define spir_kernel void @shared(ptr addrspace(1) %p, float %x) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %at = getelementptr float, ptr addrspace(1) %p, i32 %lane
  %own = load float, ptr addrspace(1) %at
  %e = call spir_func float @_Z19sub_group_broadcastfj(float %own, i32 2)
  %f = call spir_func float @_Z19sub_group_broadcastfj(float %own, i32 3)
  %c = fadd float %e, %x
  %d = fadd float %f, %x
  %left = insertelement <2 x float> poison, float %c, i32 0
  %both = insertelement <2 x float> %left, float %d, i32 1
  store <2 x float> %both, ptr addrspace(1) %p
  ret void
}

; The other operand differs between lanes, so that there is a register for each element.
; CHECK-LABEL: @varying
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @varying(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %at = getelementptr float, ptr addrspace(1) %p, i32 %lane
  %own = load float, ptr addrspace(1) %at
  %e = call spir_func float @_Z19sub_group_broadcastfj(float %own, i32 2)
  %f = call spir_func float @_Z19sub_group_broadcastfj(float %own, i32 3)
  %c = fadd float %e, %own
  %d = fadd float %f, %own
  %left = insertelement <2 x float> poison, float %c, i32 0
  %both = insertelement <2 x float> %left, float %d, i32 1
  store <2 x float> %both, ptr addrspace(1) %p
  ret void
}

; A result that is computed from the register itself may be written to it before its lanes are read.
; CHECK-LABEL: @overwritten
; CHECK: asm "\0A"
define spir_kernel void @overwritten(ptr addrspace(1) %p, float %y) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %at = getelementptr float, ptr addrspace(1) %p, i32 %lane
  %own = load float, ptr addrspace(1) %at
  %e = call spir_func float @_Z19sub_group_broadcastfj(float %own, i32 2)
  %f = call spir_func float @_Z19sub_group_broadcastfj(float %own, i32 3)
  %next = fmul float %own, %y
  %c = fadd float %e, %next
  %d = fadd float %f, %next
  %left = insertelement <2 x float> poison, float %c, i32 0
  %both = insertelement <2 x float> %left, float %d, i32 1
  store <2 x float> %both, ptr addrspace(1) %p
  ret void
}

; A value that is needed in another block stays in its register.
; CHECK-LABEL: @needed
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @needed(ptr addrspace(1) %p, float %y, i1 %again) !intel_reqd_sub_group_size !0 {
  %lane = call spir_func i32 @_Z22get_sub_group_local_idv()
  %at = getelementptr float, ptr addrspace(1) %p, i32 %lane
  %own = load float, ptr addrspace(1) %at
  %e = call spir_func float @_Z19sub_group_broadcastfj(float %own, i32 2)
  %f = call spir_func float @_Z19sub_group_broadcastfj(float %own, i32 3)
  %next = fmul float %own, %y
  %c = fadd float %e, %next
  %d = fadd float %f, %next
  %left = insertelement <2 x float> poison, float %c, i32 0
  %both = insertelement <2 x float> %left, float %d, i32 1
  store <2 x float> %both, ptr addrspace(1) %p
  br i1 %again, label %then, label %end
then:
  store float %own, ptr addrspace(1) %at
  br label %end
end:
  ret void
}

; Sums that a loop scales by fused products are scalars: the device compiler would put them together after the loop.
; CHECK-LABEL: @scaled_sums
; CHECK: end:
; CHECK: asm "\0A"
; CHECK: ret void
define spir_kernel void @scaled_sums(ptr addrspace(1) %p, i32 %n, float %y) !intel_reqd_sub_group_size !0 {
  %x = load <2 x float>, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %sums = phi <2 x float> [ zeroinitializer, %0 ], [ %next, %loop ]
  %next = call <2 x float> @llvm.fma.v2f32(<2 x float> %sums, <2 x float> %x, <2 x float> %x)
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %end
end:
  %d = fadd <2 x float> %sums, %x
  store <2 x float> %d, ptr addrspace(1) %p
  ret void
}

; Sums that products of matrices add to are vectors.
; CHECK-LABEL: @sums_of_products
; CHECK: end:
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @sums_of_products(ptr addrspace(1) %p, i32 %n, <8 x i16> %a, <8 x i32> %b) !intel_reqd_sub_group_size !0 {
  %x = load <8 x float>, ptr addrspace(1) %p
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %sums = phi <8 x float> [ zeroinitializer, %0 ], [ %next, %loop ]
  %next = call spir_func <8 x float> @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %b, <8 x float> %sums)
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  br i1 %c, label %loop, label %end
end:
  %d = fadd <8 x float> %sums, %x
  store <8 x float> %d, ptr addrspace(1) %p
  ret void
}

; Lanes that do not follow each other end what the device compiler joins: nothing nearer to the vector is joined.
; CHECK-LABEL: @lanes
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @lanes(ptr addrspace(1) %p, ptr addrspace(1) %q, float %x) !intel_reqd_sub_group_size !0 {
  %e = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 0)
  %f = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 4)
  %left = insertelement <2 x float> poison, float %e, i32 0
  %both = insertelement <2 x float> %left, float %f, i32 1
  %c = fadd <2 x float> %both, <float 1.0, float 2.0>
  store <2 x float> %c, ptr addrspace(1) %p
  %g = shufflevector <2 x float> %c, <2 x float> poison, <2 x i32> <i32 1, i32 0>
  store <2 x float> %g, ptr addrspace(1) %q
  ret void
}

; Products come first: the store is what does not get vectors.
; CHECK-LABEL: @products
; CHECK: call i32 asm "\0A"
; CHECK-NEXT: bitcast
; CHECK-NEXT: insertelement
; CHECK-NEXT: store <4 x float>
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @products(ptr addrspace(1) %p, <8 x i16> %a, <8 x i32> %b, <8 x float> %c) !intel_reqd_sub_group_size !0 {
  %acc = fmul <8 x float> %c, splat (float 3.0)
  %half = shufflevector <8 x float> %acc, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  store <4 x float> %half, ptr addrspace(1) %p
  %d = call spir_func <8 x float> @_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a, <8 x i32> %b, <8 x float> %acc)
  store <8 x float> %d, ptr addrspace(1) %p
  ret void
}

; The scalars of `%mixed` are not joined, but put together; among them is the first one of `%e`, whose vector would replace
; them.
; CHECK-LABEL: @replaced
; CHECK: asm "\0A"
define spir_kernel void @replaced(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %x = load <2 x float>, ptr addrspace(1) %p
  %e = fadd <2 x float> %x, splat (float 1.0)
  %second = extractelement <2 x float> %e, i64 1
  %g = fmul float %second, 3.0
  %mixed = insertelement <2 x float> %e, float %g, i64 1
  %h = fsub <2 x float> splat (float 5.0), %mixed
  %d = fmul <2 x float> %e, %h
  store <2 x float> %d, ptr addrspace(1) %p
  ret void
}

; Without the first one of `%e`, nothing takes their place.
; CHECK-LABEL: @kept
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @kept(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %x = load <2 x float>, ptr addrspace(1) %p
  %e = fadd <2 x float> %x, splat (float 1.0)
  %one = extractelement <2 x float> %x, i64 0
  %g = fmul float %one, 3.0
  %mixed = insertelement <2 x float> %e, float %g, i64 0
  %h = fsub <2 x float> splat (float 5.0), %mixed
  %d = fmul <2 x float> %e, %h
  store <2 x float> %d, ptr addrspace(1) %p
  ret void
}

; The device compiler takes the coordinates of a message apart before.
; CHECK-LABEL: @coordinates
; CHECK-NOT: asm
; CHECK: ret void
define spir_kernel void @coordinates(ptr addrspace(1) %p, <2 x i32> %x) !intel_reqd_sub_group_size !0 {
  %memory = alloca [8 x i16]
  %e = add <2 x i32> %x, splat (i32 1)
  %second = extractelement <2 x i32> %e, i64 1
  %g = mul i32 %second, 3
  %mixed = insertelement <2 x i32> %e, i32 %g, i64 1
  %h = sub <2 x i32> splat (i32 5), %mixed
  %d = mul <2 x i32> %e, %h
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %p, i32 64, i32 16, i32 64, <2 x i32> %d, ptr %memory)
  %read = load <8 x i16>, ptr %memory
  store <8 x i16> %read, ptr addrspace(1) %p
  ret void
}

; The exclusive ors leave the elements in the other order, which the device compiler sees.
; CHECK-LABEL: @cancelled
; CHECK: asm "\0A"
define spir_kernel void @cancelled(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %x = load <2 x i32>, ptr addrspace(1) %p
  %e = add <2 x i32> %x, splat (i32 1)
  %first = extractelement <2 x i32> %e, i64 0
  %second = extractelement <2 x i32> %e, i64 1
  %both = xor i32 %first, %second
  %one = insertelement <2 x i32> poison, i32 %both, i64 0
  %two = shufflevector <2 x i32> %one, <2 x i32> poison, <2 x i32> zeroinitializer
  %f = xor <2 x i32> %e, %two
  %d = sub <2 x i32> %e, %f
  store <2 x i32> %d, ptr addrspace(1) %p
  ret void
}

; A conversion to bf16 takes its vector whole: one element is what both of the second vector use.
; CHECK-LABEL: @converted
; CHECK: asm "\0A"
define spir_kernel void @converted(ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %x = load <2 x float>, ptr addrspace(1) %p
  %e = fadd <2 x float> %x, <float 1.0, float 2.0>
  %a = call spir_func <2 x i16> @_Z27__spirv_ConvertFToBF16INTELDv2_f(<2 x float> %e)
  store <2 x i16> %a, ptr addrspace(1) %p
  %s = shufflevector <2 x float> %e, <2 x float> poison, <2 x i32> <i32 1, i32 1>
  %f = fadd <2 x float> %x, %s
  %b = call spir_func <2 x i16> @_Z27__spirv_ConvertFToBF16INTELDv2_f(<2 x float> %f)
  %q = getelementptr i8, ptr addrspace(1) %p, i64 64
  store <2 x i16> %b, ptr addrspace(1) %q
  ret void
}

; All elements use what the iteration before computed: once the loop is unrolled, that may be an element of a vector.
; CHECK-LABEL: @carried
; CHECK: asm "\0A"
define spir_kernel void @carried(ptr addrspace(1) %p, i32 %n) !intel_reqd_sub_group_size !0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %carry = phi i32 [ 1, %entry ], [ %last, %loop ]
  %q = getelementptr <2 x i32>, ptr addrspace(1) %p, i32 %i
  %x = load <2 x i32>, ptr addrspace(1) %q
  %one = insertelement <2 x i32> poison, i32 %carry, i64 0
  %two = shufflevector <2 x i32> %one, <2 x i32> poison, <2 x i32> zeroinitializer
  %y = mul <2 x i32> %x, %two
  store <2 x i32> %y, ptr addrspace(1) %q
  %second = extractelement <2 x i32> %x, i64 1
  %last = mul i32 %carry, %second
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A counter is no element of a vector.
; CHECK-LABEL: @counted
; CHECK-NOT: asm "\0A"
; CHECK: ret void
define spir_kernel void @counted(ptr addrspace(1) %p, i32 %n) !intel_reqd_sub_group_size !0 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr <2 x i32>, ptr addrspace(1) %p, i32 %i
  %x = load <2 x i32>, ptr addrspace(1) %q
  %one = insertelement <2 x i32> poison, i32 %i, i64 0
  %two = shufflevector <2 x i32> %one, <2 x i32> poison, <2 x i32> zeroinitializer
  %y = mul <2 x i32> %x, %two
  store <2 x i32> %y, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Values of lanes that are stored as they are, with another store after it, which may become one with it.
; CHECK-LABEL: @stored_together
; CHECK: asm "\0A"
; CHECK: asm "\0A"
; CHECK: ret void
define spir_kernel void @stored_together(float %x, float %y, ptr addrspace(1) %p) !intel_reqd_sub_group_size !0 {
  %a = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 0)
  %b = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 1)
  %c = call spir_func float @_Z19sub_group_broadcastfj(float %y, i32 0)
  %d = call spir_func float @_Z19sub_group_broadcastfj(float %y, i32 1)
  %v = insertelement <2 x float> poison, float %a, i64 0
  %w = insertelement <2 x float> %v, float %b, i64 1
  %s = insertelement <2 x float> poison, float %c, i64 0
  %t = insertelement <2 x float> %s, float %d, i64 1
  %q = getelementptr i8, ptr addrspace(1) %p, i64 8
  store <2 x float> %w, ptr addrspace(1) %p
  store <2 x float> %t, ptr addrspace(1) %q
  ret void
}

; One store stays one, and so does one of memory of another kind.
; CHECK-LABEL: @stored_alone
; CHECK-NOT: asm "\0A"
; CHECK: ret void
define spir_kernel void @stored_alone(float %x, ptr addrspace(1) %p, ptr addrspace(3) %q) !intel_reqd_sub_group_size !0 {
  %a = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 0)
  %b = call spir_func float @_Z19sub_group_broadcastfj(float %x, i32 1)
  %v = insertelement <2 x float> poison, float %a, i64 0
  %w = insertelement <2 x float> %v, float %b, i64 1
  store <2 x float> %w, ptr addrspace(1) %p
  store float %x, ptr addrspace(3) %q
  ret void
}
!0 = !{i32 16}
