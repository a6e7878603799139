; RUN: split-file %s %t
; RUN: triton-xe-translate --llvmir-check-block-messages %t/plain.ll | FileCheck %s
; RUN: triton-xe-translate --llvmir-check-block-messages %t/assertions.ll | FileCheck %s --check-prefix=ASSERT
; RUN: not triton-xe-translate --llvmir-check-block-messages --arch=none %t/plain.ll 2>&1 | FileCheck %s --check-prefix=ARCH

; The checks that SPIR-V with the emulation has: a message that no hardware takes is reported, and moves nothing.

; ARCH: error: unknown architecture `none`

;--- plain.ll

declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32, i32, i32, i32, ptr, ptr addrspace(1), i32, i32, i32, <2 x i32>)
declare spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>)

; Base in multiples of 64 bytes, width of 4, pitch of 16, column of 4; width and pitch from 64 to 2^24 bytes, height from
; 1 to 2^24 rows; no pitch below the width. The kernel gets the report as its last parameter. The first work-item to
; exchange the number fills in program, sub-group and operands.
; CHECK-LABEL: define spir_kernel void @every_rule(
; CHECK-SAME: i32 %x, ptr addrspace(1) %report) {{.*}}!intel_reqd_sub_group_size
; CHECK:      %[[ADDRESS:.*]] = ptrtoint ptr addrspace(1) %base to i64
; CHECK-NEXT: %[[BASE:.*]] = trunc i64 %[[ADDRESS]] to i32
; CHECK-NEXT: %[[COLUMN:.*]] = mul i32 %x, 2
; CHECK-DAG:  and i32 %[[BASE]], 63
; CHECK-DAG:  and i32 %width, 3
; CHECK-DAG:  and i32 %pitch, 15
; CHECK-DAG:  and i32 %[[COLUMN]], 3
; CHECK-DAG:  %[[ABOVE:.*]] = sub i32 %width, 64
; CHECK-DAG:  icmp ugt i32 %[[ABOVE]], 16777152
; CHECK-DAG:  %[[ABOVE_ONE:.*]] = sub i32 %height, 1
; CHECK-DAG:  icmp ugt i32 %[[ABOVE_ONE]], 16777215
; CHECK-DAG:  sub i32 %pitch, 64
; CHECK-DAG:  icmp slt i32 %pitch, %width
; CHECK:      br i1 %broken, label %[[REPORT:broken.rule]], label %[[GO:[^,]*]], !prof
; CHECK:      [[REPORT]]:
; CHECK-NEXT: %[[EXCHANGE:.*]] = cmpxchg ptr addrspace(1) %report, i32 0, i32 1 syncscope("device") monotonic monotonic
; CHECK-NEXT: %[[FIRST:.*]] = extractvalue { i32, i1 } %[[EXCHANGE]], 1
; CHECK-NEXT: br i1 %[[FIRST]], label %[[FILL:[^,]*]], label
; CHECK:      [[FILL]]:
; CHECK:      call spir_func i64 @_Z12get_group_idj(i32 0)
; CHECK:      getelementptr inbounds i8, ptr addrspace(1) %report, i64 4
; CHECK:      call spir_func i64 @_Z12get_group_idj(i32 2)
; CHECK:      call spir_func i32 @_Z16get_sub_group_idv()
; CHECK:      %[[AT:.*]] = getelementptr inbounds i8, ptr addrspace(1) %report, i64 24
; CHECK-NEXT: store i64 %{{.*}}, ptr addrspace(1) %[[AT]], align 8
; CHECK:      store i32 %width,
; CHECK:      store i32 %height,
; CHECK:      store i32 %pitch,
; CHECK:      extractelement <2 x i32> %at, i64 0
; CHECK:      extractelement <2 x i32> %at, i64 1
; CHECK:      [[GO]]:
; CHECK-NEXT: %[[ROWS:rows.*]] = select i1 %broken, i32 0, i32 %height
; CHECK-NEXT: call spir_func void @_Z32{{.*}}(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %width, i32 %[[ROWS]], i32 %pitch, <2 x i32> %at, ptr %tile)
define spir_kernel void @every_rule(ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, i32 %x) !intel_reqd_sub_group_size !0 {
  %at = insertelement <2 x i32> zeroinitializer, i32 %x, i64 0
  %tile = alloca [8 x i16]
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, <2 x i32> %at, ptr %tile)
  ret void
}

; One check serves all messages of a surface that it dominates: of other rows, of columns that are apart by a multiple of
; 4 bytes, and those of the loop. Messages of elements of 4 bytes are legal at every column.
; CHECK-LABEL: define spir_kernel void @one_surface(
; CHECK:     cmpxchg
; CHECK-NOT: cmpxchg
; CHECK:     %[[ROWS0:.*]] = select i1 %broken{{.*}}, i32 0, i32 %height
; CHECK-NEXT: call spir_func void @_Z32{{.*}}i32 %[[ROWS0]],
; CHECK-NOT: cmpxchg
; CHECK:     call spir_func void @_Z36{{.*}}i32 %rows
; CHECK-NOT: cmpxchg
; CHECK:     loop:
; CHECK-NOT: cmpxchg
; CHECK:     call spir_func void @_Z33{{.*}}i32 %rows
; CHECK-NOT: cmpxchg
; CHECK:     ret void
define spir_kernel void @one_surface(ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, i32 %x, i32 %y) {
entry:
  %at = insertelement <2 x i32> zeroinitializer, i32 %x, i64 0
  %tile = alloca [8 x i16]
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, <2 x i32> %at, ptr %tile)
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 4, i32 8, i32 8, i32 1, ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, <2 x i32> <i32 7, i32 3>)
  br label %loop
loop:
  %column = phi i32 [ %x, %entry ], [ %next, %loop ]
  %right = add i32 %column, 16
  %right.at = insertelement <2 x i32> poison, i32 %right, i64 0
  %right.low = insertelement <2 x i32> %right.at, i32 %y, i64 1
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr %tile, ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, <2 x i32> %right.low)
  %next = add i32 %column, 32
  %ends = icmp sge i32 %next, %width
  br i1 %ends, label %exit, label %loop
exit:
  ret void
}

; Other surfaces, other columns, and what only some programs have checked, are checked again.
; CHECK-LABEL: define spir_kernel void @others(
; CHECK-COUNT-4: cmpxchg
; CHECK-NOT: cmpxchg
; CHECK:     ret void
define spir_kernel void @others(ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, i32 %x, i1 %some) {
entry:
  %at = insertelement <2 x i32> zeroinitializer, i32 %x, i64 0
  %tile = alloca [8 x i16]
  br i1 %some, label %then, label %exit
then:
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, <2 x i32> zeroinitializer, ptr %tile)
  br label %exit
exit:
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, <2 x i32> zeroinitializer, ptr %tile)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %width, i32 %height, i32 %pitch, <2 x i32> %at, ptr %tile)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %width, i32 64, i32 %pitch, <2 x i32> %at, ptr %tile)
  ret void
}

; Functions with messages take the report from their callers, whatever they return.
; CHECK-LABEL: define internal spir_func i16 @send(ptr addrspace(1) %base, i32 %width, ptr addrspace(1) %report)
; CHECK-SAME: [[NOINLINE:#[0-9]+]]
; CHECK: cmpxchg ptr addrspace(1) %report, i32 0
define internal spir_func i16 @send(ptr addrspace(1) %base, i32 %width) noinline {
  %tile = alloca [8 x i16]
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %width, i32 64, i32 4096, <2 x i32> zeroinitializer, ptr %tile)
  %value = load i16, ptr %tile
  ret i16 %value
}

; CHECK-LABEL: define internal spir_func i16 @pass_on(ptr addrspace(1) %base, ptr addrspace(1) %report)
; CHECK: %value = tail call spir_func i16 @send(ptr addrspace(1) %base, i32 64, ptr addrspace(1) %report) [[CONVERGENT:#[0-9]+]]
define internal spir_func i16 @pass_on(ptr addrspace(1) %base) {
  %value = tail call spir_func i16 @send(ptr addrspace(1) %base, i32 64) convergent
  ret i16 %value
}

; Kernels without messages stay as they are.
; CHECK-LABEL: define spir_kernel void @without_messages(ptr addrspace(1) %base, i32 %width) {
; CHECK-NEXT: store i32 %width, ptr addrspace(1) %base
; CHECK-NEXT: ret void
define spir_kernel void @without_messages(ptr addrspace(1) %base, i32 %width) {
  store i32 %width, ptr addrspace(1) %base
  ret void
}

; CHECK-DAG: attributes [[NOINLINE]] = { noinline{{.*}} }
; CHECK-DAG: attributes [[CONVERGENT]] = { convergent{{.*}} }
!0 = !{i32 16}

;--- assertions.ll
declare spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>)
; A kernel with assertions has the report already, and writes to it whatever was inferred before; its messages have the
; numbers after those of the assertions.
; ASSERT-LABEL: define spir_kernel void @with_assertions(ptr addrspace(1) %base, i32 %width, ptr addrspace(1) %report)
; ASSERT: cmpxchg ptr addrspace(1) %report, i32 0, i32 3 syncscope
; ASSERT: cmpxchg ptr addrspace(1) %report, i32 0, i32 4 syncscope
define spir_kernel void @with_assertions(ptr addrspace(1) %base, i32 %width, ptr addrspace(1) readnone %0) "triton-xe-assertions"="first\0Asecond" {
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 4, i32 8, i32 8, i32 1, ptr addrspace(1) %base, i32 %width, i32 64, i32 4096, <2 x i32> zeroinitializer)
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %base, i32 %width, i32 8, i32 4096, <2 x i32> zeroinitializer)
  ret void
}
