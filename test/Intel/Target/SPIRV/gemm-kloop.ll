; The K loop of a GEMM with a tile of 256 x 256 x 32 and 32 sub-groups, as the
; compiler is to write it: per step three wide loads, a prefetch, and 32 DPAS on
; accumulators that are phis. test/python/numeric/test_device_library.py runs it
; and counts its native code.

; RUN: triton-xe-translate --llvmir-optimize %s -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll
; RUN: triton-xe-translate --llvmir-to-spirv --library=emulation %t.ll -o %t.emulation.spv

; Accumulators are still 16 vectors of 8, and loads still three.
; CHECK-LABEL: loop:
; CHECK-COUNT-16: phi <8 x float> [ zeroinitializer, %entry ]
; CHECK-COUNT-3: call spir_func void @_Z{{.*}}2DBlockLoad
; CHECK-NOT: phi
; CHECK-COUNT-32: call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16
; CHECK: br i1 %{{.*}}, label %loop, label %exit
; CHECK-NOT: <64 x i16>
; CHECK-NOT: <32 x i32>

target triple = "spirv64-unknown-unknown"

declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func i32 @_Z16get_sub_group_idv()
declare spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiiiPU3AS1KviiiDv2_iPv(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>, ptr)
declare spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32, i32, i32, i32, ptr addrspace(1), i32, i32, i32, <2 x i32>)
declare spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32, i32, i32, i32, ptr, ptr addrspace(1), i32, i32, i32, <2 x i32>)
declare spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16>, <8 x i32>, <8 x float>)

define spir_kernel void @gemm(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i32 %m, i32 %n, i32 %k) !intel_reqd_sub_group_size !0 !reqd_work_group_size !1 {
entry:
  %a.tile = alloca [64 x i16], align 64
  %b0.tile = alloca [32 x i32], align 64
  %b1.tile = alloca [32 x i32], align 64
  %c.tile = alloca [8 x float], align 64
  %gx64 = call spir_func i64 @_Z12get_group_idj(i32 0)
  %gy64 = call spir_func i64 @_Z12get_group_idj(i32 1)
  %gx = trunc i64 %gx64 to i32
  %gy = trunc i64 %gy64 to i32
  %warp = call spir_func i32 @_Z16get_sub_group_idv()
  %warp.m = lshr i32 %warp, 2
  %warp.n = and i32 %warp, 3
  %gm = shl i32 %gy, 8
  %gn = shl i32 %gx, 8
  %wm = shl i32 %warp.m, 5
  %wn = shl i32 %warp.n, 5
  %row = add i32 %gm, %wm
  %col0 = add i32 %gn, %wn
  %col1 = add i32 %col0, 128
  %a.width = shl i32 %k, 1
  %b.width = shl i32 %n, 1
  %c.width = shl i32 %n, 2
  %pa.row0 = shl i32 %warp, 3
  %pa.row = add i32 %gm, %pa.row0
  %pb.row = shl i32 %warp.m, 2
  br label %loop

loop:
  %ki = phi i32 [ 0, %entry ], [ %ki.next, %loop ]
  %acc.0.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.0.0.k1, %loop ]
  %acc.0.1 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.0.1.k1, %loop ]
  %acc.0.2 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.0.2.k1, %loop ]
  %acc.0.3 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.0.3.k1, %loop ]
  %acc.1.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.1.0.k1, %loop ]
  %acc.1.1 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.1.1.k1, %loop ]
  %acc.1.2 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.1.2.k1, %loop ]
  %acc.1.3 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.1.3.k1, %loop ]
  %acc.2.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.2.0.k1, %loop ]
  %acc.2.1 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.2.1.k1, %loop ]
  %acc.2.2 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.2.2.k1, %loop ]
  %acc.2.3 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.2.3.k1, %loop ]
  %acc.3.0 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.3.0.k1, %loop ]
  %acc.3.1 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.3.1.k1, %loop ]
  %acc.3.2 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.3.2.k1, %loop ]
  %acc.3.3 = phi <8 x float> [ zeroinitializer, %entry ], [ %acc.3.3.k1, %loop ]
  %a.xy.x = insertelement <2 x i32> poison, i32 %ki, i32 0
  %a.xy = insertelement <2 x i32> %a.xy.x, i32 %row, i32 1
  %b0.xy.x = insertelement <2 x i32> poison, i32 %col0, i32 0
  %b0.xy = insertelement <2 x i32> %b0.xy.x, i32 %ki, i32 1
  %b1.xy.x = insertelement <2 x i32> poison, i32 %col1, i32 0
  %b1.xy = insertelement <2 x i32> %b1.xy.x, i32 %ki, i32 1
  %k.ahead = add i32 %ki, 64
  %pa.xy.x = insertelement <2 x i32> poison, i32 %k.ahead, i32 0
  %pa.xy = insertelement <2 x i32> %pa.xy.x, i32 %pa.row, i32 1
  call spir_func void @_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i(i32 2, i32 32, i32 8, i32 1, ptr addrspace(1) %a, i32 %a.width, i32 %m, i32 %a.width, <2 x i32> %pa.xy)
  call spir_func void @_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 32, i32 2, ptr addrspace(1) %a, i32 %a.width, i32 %m, i32 %a.width, <2 x i32> %a.xy, ptr %a.tile)
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 32, i32 2, ptr addrspace(1) %b, i32 %b.width, i32 %k, i32 %b.width, <2 x i32> %b0.xy, ptr %b0.tile)
  call spir_func void @_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiiiPU3AS1KviiiDv2_iPv(i32 2, i32 16, i32 32, i32 2, ptr addrspace(1) %b, i32 %b.width, i32 %k, i32 %b.width, <2 x i32> %b1.xy, ptr %b1.tile)
  %a.all = load <64 x i16>, ptr %a.tile, align 64
  %b0.all = load <32 x i32>, ptr %b0.tile, align 64
  %b1.all = load <32 x i32>, ptr %b1.tile, align 64
  %a.0.0 = shufflevector <64 x i16> %a.all, <64 x i16> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %a.1.0 = shufflevector <64 x i16> %a.all, <64 x i16> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %a.2.0 = shufflevector <64 x i16> %a.all, <64 x i16> poison, <8 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %a.3.0 = shufflevector <64 x i16> %a.all, <64 x i16> poison, <8 x i32> <i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %a.0.1 = shufflevector <64 x i16> %a.all, <64 x i16> poison, <8 x i32> <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39>
  %a.1.1 = shufflevector <64 x i16> %a.all, <64 x i16> poison, <8 x i32> <i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47>
  %a.2.1 = shufflevector <64 x i16> %a.all, <64 x i16> poison, <8 x i32> <i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55>
  %a.3.1 = shufflevector <64 x i16> %a.all, <64 x i16> poison, <8 x i32> <i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  %b.0.0 = shufflevector <32 x i32> %b0.all, <32 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %b.1.0 = shufflevector <32 x i32> %b0.all, <32 x i32> poison, <8 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %b.2.0 = shufflevector <32 x i32> %b1.all, <32 x i32> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %b.3.0 = shufflevector <32 x i32> %b1.all, <32 x i32> poison, <8 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23>
  %b.0.1 = shufflevector <32 x i32> %b0.all, <32 x i32> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %b.1.1 = shufflevector <32 x i32> %b0.all, <32 x i32> poison, <8 x i32> <i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %b.2.1 = shufflevector <32 x i32> %b1.all, <32 x i32> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %b.3.1 = shufflevector <32 x i32> %b1.all, <32 x i32> poison, <8 x i32> <i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %acc.0.0.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.0.0, <8 x i32> %b.0.0, <8 x float> %acc.0.0)
  %acc.0.1.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.0.0, <8 x i32> %b.1.0, <8 x float> %acc.0.1)
  %acc.0.2.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.0.0, <8 x i32> %b.2.0, <8 x float> %acc.0.2)
  %acc.0.3.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.0.0, <8 x i32> %b.3.0, <8 x float> %acc.0.3)
  %acc.1.0.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.1.0, <8 x i32> %b.0.0, <8 x float> %acc.1.0)
  %acc.1.1.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.1.0, <8 x i32> %b.1.0, <8 x float> %acc.1.1)
  %acc.1.2.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.1.0, <8 x i32> %b.2.0, <8 x float> %acc.1.2)
  %acc.1.3.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.1.0, <8 x i32> %b.3.0, <8 x float> %acc.1.3)
  %acc.2.0.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.2.0, <8 x i32> %b.0.0, <8 x float> %acc.2.0)
  %acc.2.1.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.2.0, <8 x i32> %b.1.0, <8 x float> %acc.2.1)
  %acc.2.2.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.2.0, <8 x i32> %b.2.0, <8 x float> %acc.2.2)
  %acc.2.3.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.2.0, <8 x i32> %b.3.0, <8 x float> %acc.2.3)
  %acc.3.0.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.3.0, <8 x i32> %b.0.0, <8 x float> %acc.3.0)
  %acc.3.1.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.3.0, <8 x i32> %b.1.0, <8 x float> %acc.3.1)
  %acc.3.2.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.3.0, <8 x i32> %b.2.0, <8 x float> %acc.3.2)
  %acc.3.3.k0 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.3.0, <8 x i32> %b.3.0, <8 x float> %acc.3.3)
  %acc.0.0.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.0.1, <8 x i32> %b.0.1, <8 x float> %acc.0.0.k0)
  %acc.0.1.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.0.1, <8 x i32> %b.1.1, <8 x float> %acc.0.1.k0)
  %acc.0.2.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.0.1, <8 x i32> %b.2.1, <8 x float> %acc.0.2.k0)
  %acc.0.3.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.0.1, <8 x i32> %b.3.1, <8 x float> %acc.0.3.k0)
  %acc.1.0.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.1.1, <8 x i32> %b.0.1, <8 x float> %acc.1.0.k0)
  %acc.1.1.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.1.1, <8 x i32> %b.1.1, <8 x float> %acc.1.1.k0)
  %acc.1.2.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.1.1, <8 x i32> %b.2.1, <8 x float> %acc.1.2.k0)
  %acc.1.3.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.1.1, <8 x i32> %b.3.1, <8 x float> %acc.1.3.k0)
  %acc.2.0.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.2.1, <8 x i32> %b.0.1, <8 x float> %acc.2.0.k0)
  %acc.2.1.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.2.1, <8 x i32> %b.1.1, <8 x float> %acc.2.1.k0)
  %acc.2.2.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.2.1, <8 x i32> %b.2.1, <8 x float> %acc.2.2.k0)
  %acc.2.3.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.2.1, <8 x i32> %b.3.1, <8 x float> %acc.2.3.k0)
  %acc.3.0.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.3.1, <8 x i32> %b.0.1, <8 x float> %acc.3.0.k0)
  %acc.3.1.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.3.1, <8 x i32> %b.1.1, <8 x float> %acc.3.1.k0)
  %acc.3.2.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.3.1, <8 x i32> %b.2.1, <8 x float> %acc.3.2.k0)
  %acc.3.3.k1 = call spir_func <8 x float> @_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv8_sDv8_iDv8_f(<8 x i16> %a.3.1, <8 x i32> %b.3.1, <8 x float> %acc.3.3.k0)
  %ki.next = add nuw nsw i32 %ki, 32
  %more = icmp slt i32 %ki.next, %k
  br i1 %more, label %loop, label %exit

exit:
  %row.0.0 = add i32 %row, 0
  %col.0.0 = add i32 %col0, 0
  %c.0.0.x = insertelement <2 x i32> poison, i32 %col.0.0, i32 0
  %c.0.0 = insertelement <2 x i32> %c.0.0.x, i32 %row.0.0, i32 1
  store <8 x float> %acc.0.0.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.0.0)
  %row.0.1 = add i32 %row, 0
  %col.0.1 = add i32 %col0, 16
  %c.0.1.x = insertelement <2 x i32> poison, i32 %col.0.1, i32 0
  %c.0.1 = insertelement <2 x i32> %c.0.1.x, i32 %row.0.1, i32 1
  store <8 x float> %acc.0.1.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.0.1)
  %row.0.2 = add i32 %row, 0
  %col.0.2 = add i32 %col1, 0
  %c.0.2.x = insertelement <2 x i32> poison, i32 %col.0.2, i32 0
  %c.0.2 = insertelement <2 x i32> %c.0.2.x, i32 %row.0.2, i32 1
  store <8 x float> %acc.0.2.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.0.2)
  %row.0.3 = add i32 %row, 0
  %col.0.3 = add i32 %col1, 16
  %c.0.3.x = insertelement <2 x i32> poison, i32 %col.0.3, i32 0
  %c.0.3 = insertelement <2 x i32> %c.0.3.x, i32 %row.0.3, i32 1
  store <8 x float> %acc.0.3.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.0.3)
  %row.1.0 = add i32 %row, 8
  %col.1.0 = add i32 %col0, 0
  %c.1.0.x = insertelement <2 x i32> poison, i32 %col.1.0, i32 0
  %c.1.0 = insertelement <2 x i32> %c.1.0.x, i32 %row.1.0, i32 1
  store <8 x float> %acc.1.0.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.1.0)
  %row.1.1 = add i32 %row, 8
  %col.1.1 = add i32 %col0, 16
  %c.1.1.x = insertelement <2 x i32> poison, i32 %col.1.1, i32 0
  %c.1.1 = insertelement <2 x i32> %c.1.1.x, i32 %row.1.1, i32 1
  store <8 x float> %acc.1.1.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.1.1)
  %row.1.2 = add i32 %row, 8
  %col.1.2 = add i32 %col1, 0
  %c.1.2.x = insertelement <2 x i32> poison, i32 %col.1.2, i32 0
  %c.1.2 = insertelement <2 x i32> %c.1.2.x, i32 %row.1.2, i32 1
  store <8 x float> %acc.1.2.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.1.2)
  %row.1.3 = add i32 %row, 8
  %col.1.3 = add i32 %col1, 16
  %c.1.3.x = insertelement <2 x i32> poison, i32 %col.1.3, i32 0
  %c.1.3 = insertelement <2 x i32> %c.1.3.x, i32 %row.1.3, i32 1
  store <8 x float> %acc.1.3.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.1.3)
  %row.2.0 = add i32 %row, 16
  %col.2.0 = add i32 %col0, 0
  %c.2.0.x = insertelement <2 x i32> poison, i32 %col.2.0, i32 0
  %c.2.0 = insertelement <2 x i32> %c.2.0.x, i32 %row.2.0, i32 1
  store <8 x float> %acc.2.0.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.2.0)
  %row.2.1 = add i32 %row, 16
  %col.2.1 = add i32 %col0, 16
  %c.2.1.x = insertelement <2 x i32> poison, i32 %col.2.1, i32 0
  %c.2.1 = insertelement <2 x i32> %c.2.1.x, i32 %row.2.1, i32 1
  store <8 x float> %acc.2.1.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.2.1)
  %row.2.2 = add i32 %row, 16
  %col.2.2 = add i32 %col1, 0
  %c.2.2.x = insertelement <2 x i32> poison, i32 %col.2.2, i32 0
  %c.2.2 = insertelement <2 x i32> %c.2.2.x, i32 %row.2.2, i32 1
  store <8 x float> %acc.2.2.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.2.2)
  %row.2.3 = add i32 %row, 16
  %col.2.3 = add i32 %col1, 16
  %c.2.3.x = insertelement <2 x i32> poison, i32 %col.2.3, i32 0
  %c.2.3 = insertelement <2 x i32> %c.2.3.x, i32 %row.2.3, i32 1
  store <8 x float> %acc.2.3.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.2.3)
  %row.3.0 = add i32 %row, 24
  %col.3.0 = add i32 %col0, 0
  %c.3.0.x = insertelement <2 x i32> poison, i32 %col.3.0, i32 0
  %c.3.0 = insertelement <2 x i32> %c.3.0.x, i32 %row.3.0, i32 1
  store <8 x float> %acc.3.0.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.3.0)
  %row.3.1 = add i32 %row, 24
  %col.3.1 = add i32 %col0, 16
  %c.3.1.x = insertelement <2 x i32> poison, i32 %col.3.1, i32 0
  %c.3.1 = insertelement <2 x i32> %c.3.1.x, i32 %row.3.1, i32 1
  store <8 x float> %acc.3.1.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.3.1)
  %row.3.2 = add i32 %row, 24
  %col.3.2 = add i32 %col1, 0
  %c.3.2.x = insertelement <2 x i32> poison, i32 %col.3.2, i32 0
  %c.3.2 = insertelement <2 x i32> %c.3.2.x, i32 %row.3.2, i32 1
  store <8 x float> %acc.3.2.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.3.2)
  %row.3.3 = add i32 %row, 24
  %col.3.3 = add i32 %col1, 16
  %c.3.3.x = insertelement <2 x i32> poison, i32 %col.3.3, i32 0
  %c.3.3 = insertelement <2 x i32> %c.3.3.x, i32 %row.3.3, i32 1
  store <8 x float> %acc.3.3.k1, ptr %c.tile, align 64
  call spir_func void @_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i(i32 4, i32 16, i32 8, i32 1, ptr %c.tile, ptr addrspace(1) %c, i32 %c.width, i32 %m, i32 %c.width, <2 x i32> %c.3.3)
  ret void
}

!0 = !{i32 16}
!1 = !{i32 512, i32 1, i32 1}
