; REQUIRES: spirv-val
; RUN: triton-xe-translate --llvmir-to-spirv --library=emulation %s -o %t && spirv-val %t && spirv-dis %t | FileCheck %s --check-prefix=EMULATION
; RUN: triton-xe-translate --llvmir-to-spirv --library=emulation --arch= %s | spirv-dis | FileCheck %s --check-prefix=PLAIN
; RUN: triton-xe-translate --llvmir-to-spirv --library=none %s -o %t.driver
; RUN: grep -a -q "triton-xe assertion: kernel.py:3: positive" %t.driver && not grep -a "triton-xe block message" %t.driver

; The data that the runtime needs for checked messages is in records: bytes of
; an element, alignments of base, width, pitch and column, least width and
; pitch, most of all three, and the place. Messages of one line share a record;
; records of assertions stay.
; EMULATION:     OpModuleProcessed "triton-xe block message: 2 64 4 16 4 64 64 16777216 /home/kernel.py:12"
; EMULATION-NEXT: OpModuleProcessed "triton-xe block message: 4 64 4 16 4 64 64 16777216 /home/kernel.py:12"
; EMULATION-NEXT: OpModuleProcessed "triton-xe assertion: kernel.py:3: positive"
; EMULATION-NOT: triton-xe block message
; EMULATION: OpAtomicCompareExchange

; GPUs, and targets without rules: no checks.
; PLAIN-NOT: triton-xe block message
; PLAIN: OpModuleProcessed "triton-xe assertion: kernel.py:3: positive"
; PLAIN-NOT: triton-xe block message
; PLAIN-NOT: OpAtomicCompareExchange

declare spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>)

define spir_kernel void @kernel(ptr addrspace(1) %a, ptr addrspace(1) %b, i32 %width, ptr addrspace(1) %report) "triton-xe-assertions"="kernel.py:3: positive" !intel_reqd_sub_group_size !0 !dbg !5 {
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %a, i32 %width, i32 64, i32 4096, <2 x i32> zeroinitializer), !dbg !6
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 16, i32 8, i32 1, ptr addrspace(1) %b, i32 %width, i32 64, i32 4096, <2 x i32> zeroinitializer), !dbg !6
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 4, i32 8, i32 8, i32 1, ptr addrspace(1) %b, i32 %width, i32 8, i32 4096, <2 x i32> zeroinitializer), !dbg !6
  ret void, !dbg !6
}

!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!0 = !{i32 16}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "kernel.py", directory: "/home")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "kernel", scope: !2, file: !2, line: 10, type: !4, spFlags: DISPFlagDefinition, unit: !1)
!6 = !DILocation(line: 12, column: 5, scope: !5)
