; RUN: triton-xe-translate --llvmir-optimize --keep-loads %s | FileCheck %s

; The elimination of dead code leaves blocks without predecessors, and splitting
; vectors removes them, although there is no vector to split. The next elimination
; then needs a new tree of post-dominators: it crashed with the old one.
; CHECK-LABEL: define spir_kernel void @kernel
; CHECK-NOT: No predecessors
; CHECK: ret void
declare spir_func <8 x i16> @_Z27__spirv_ConvertFToBF16INTELDv8_f(<8 x float>)

define spir_kernel void @kernel(i1 %c) {
entry:
  br i1 %c, label %one, label %join
one:
  br label %join
join:
  %x = phi i16 [ 1, %one ], [ 0, %entry ]
  br i1 %c, label %end, label %more
more:
  %v = insertelement <8 x i16> zeroinitializer, i16 %x, i32 0
  %never = extractelement <8 x i1> zeroinitializer, i32 0
  br i1 %never, label %convert, label %end
convert:
  %wide = zext <8 x i16> %v to <8 x i32>
  %bits = bitcast <8 x i32> %wide to <8 x float>
  %unused = call spir_func <8 x i16> @_Z27__spirv_ConvertFToBF16INTELDv8_f(<8 x float> %bits)
  br label %end
end:
  ret void
}
