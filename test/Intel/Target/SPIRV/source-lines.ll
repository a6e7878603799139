; REQUIRES: spirv-val
; RUN: triton-xe-translate --llvmir-to-spirv --places %s -o %t.spv 2>%t.places
; RUN: FileCheck --check-prefix=PLACES %s <%t.places
; RUN: spirv-val %t.spv
; RUN: spirv-dis %t.spv | FileCheck %s
; RUN: triton-xe-translate --llvmir-to-spirv %s | spirv-dis | FileCheck --check-prefix=PLAIN %s

; An instruction that was inlined has two places, the inner one first; one
; without a location has none. Equal places have one number.

; PLACES:      1: /kernels/add.py:4:8
; PLACES-NEXT: 2: /lib/helpers.py:20:3 /kernels/add.py:5:9
; PLACES-NEXT: 3:{{$}}
; PLACES-NOT:  4:

; The line is the number of a place, in the scope of the kernel, which begins
; again in each block. Nothing is left of the marks.

; CHECK:     OpExtInstImport "OpenCL.DebugInfo.100"
; CHECK:     [[FILE:%.*]] = OpString "places"
; CHECK-NOT: __triton_xe_place
; CHECK:     [[SOURCE:%.*]] = OpExtInst %void {{%.*}} DebugSource [[FILE]]
; CHECK:     [[SCOPE:%.*]] = OpExtInst %void {{%.*}} DebugFunction
; CHECK:     %kernel = OpFunction
; CHECK:     DebugScope [[SCOPE]]
; CHECK:     OpLine [[FILE]] 1 0
; CHECK:     OpLoad
; CHECK:     OpLine [[FILE]] 2 0
; CHECK:     OpFMul
; CHECK:     OpLine [[FILE]] 1 0
; CHECK:     OpFOrdGreaterThan
; CHECK:     OpLabel
; CHECK:     DebugScope [[SCOPE]]
; CHECK:     OpLine [[FILE]] 1 0
; CHECK:     OpStore
; CHECK:     OpLine [[FILE]] 3 0
; CHECK-NOT: __triton_xe_place
; CHECK-NOT: OpFunctionCall

; Without the option there is no trace of any of this.

; PLAIN-NOT: OpLine
; PLAIN-NOT: DebugInfo

@table = addrspace(1) global [4 x float] zeroinitializer

define spir_kernel void @kernel(ptr addrspace(1) %p, i64 %i) !dbg !4 {
  %q = getelementptr float, ptr addrspace(1) @table, i64 %i, !dbg !7
  %t = load float, ptr addrspace(1) %q, align 4, !dbg !7
  store float %t, ptr addrspace(1) %p, align 4, !dbg !7
  %x = load float, ptr addrspace(1) %p, align 4, !dbg !7
  %y = fmul float %x, 2.0, !dbg !8
  %c = fcmp ogt float %y, 1.0, !dbg !7
  br i1 %c, label %then, label %end, !dbg !7

then:
  store float %y, ptr addrspace(1) %p, align 4, !dbg !7
  br label %end

end:
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "add.py", directory: "/kernels")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 3, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DIFile(filename: "helpers.py", directory: "/lib")
!6 = distinct !DISubprogram(name: "helper", scope: !5, file: !5, line: 19, type: !3, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DILocation(line: 4, column: 8, scope: !4)
!8 = !DILocation(line: 20, column: 3, scope: !6, inlinedAt: !9)
!9 = distinct !DILocation(line: 5, column: 9, scope: !4)
