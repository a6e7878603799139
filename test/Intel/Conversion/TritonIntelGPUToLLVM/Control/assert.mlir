// RUN: triton-xe-opt %s --convert-triton-intel-gpu-to-llvm | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [16], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 16 : i32} {

// The kernel has the report as a hidden parameter and records the meaning of
// the numbers: one line per text. A failure is reported by the first work-item,
// and stops the program if it is one of any work-item.
// CHECK-LABEL: llvm.func spir_kernelcc @kernel
// CHECK-SAME:    (%{{.*}}: vector<2xi1>, %{{.*}}: i32, %[[REPORT:.*]]: !llvm.ptr<1>)
// CHECK-SAME:    passthrough = {{\[}}["triton-xe-assertions", "kernel.py:7: in range\0Anot zero\0Alibrary.py:3: positive, called from helper.py:5, called from kernel.py:9"]]
// CHECK:         %[[FAILED:.*]] = arith.ori %{{.*}}, %{{.*}} : i1
// CHECK:         scf.if %[[FAILED]] {
// CHECK:           %[[ONE:.*]] = arith.constant 1 : i32
// CHECK:           llvm.cmpxchg %[[REPORT]], %{{.*}}, %[[ONE]]
// CHECK:           scf.if
// CHECK-COUNT-7:     llvm.store %{{.*}} : i32, !llvm.ptr<1>
// CHECK:         %[[ANY:.*]] = llvm.call spir_funccc @_Z14work_group_anyi
// CHECK:         %[[STOPS:.*]] = arith.cmpi ne, %[[ANY]]
// CHECK:         llvm.call spir_funccc @triton_xe_exit_if(%[[STOPS]])
// The other assertion has the other number.
// CHECK:         scf.if
// CHECK:           arith.constant 2 : i32
// CHECK:           llvm.cmpxchg %[[REPORT]]
tt.func @kernel(%c: tensor<128xi1, #blocked>, %d: i32) {
  tt.assert %c, "in range" : tensor<128xi1, #blocked> loc("kernel.py":7:3)
  tt.assert %d, "not zero" : i32 loc(unknown)
  tt.return
}

// The text of an inlined assertion, above, names the calls around it, from the inside out.
// CHECK-LABEL: llvm.func spir_kernelcc @inlined
// CHECK:         arith.constant 3 : i32
// CHECK:         llvm.cmpxchg
tt.func @inlined(%c: i32) {
  tt.assert %c, "positive" : i32 loc(callsite(callsite("library.py":3:1 at "helper.py":5:2) at fused["name"("kernel.py":9:4), "other.py":1:1]))
  tt.return
}

// Functions get the report from their callers, who look whether it has been filled meanwhile.
// CHECK-LABEL: llvm.func spir_kernelcc @caller
// CHECK-SAME:    (%[[X:.*]]: i32, %[[REPORT:.*]]: !llvm.ptr<1>)
// CHECK:         llvm.call spir_funccc @callee(%[[X]], %[[REPORT]])
// CHECK:         llvm.load volatile %[[REPORT]]
// CHECK:         llvm.call spir_funccc @triton_xe_exit_if
tt.func @caller(%x: i32) {
  %r = tt.call @callee(%x) : (i32) -> i32
  tt.return
}

// CHECK-LABEL: llvm.func internal spir_funccc @callee
// CHECK-SAME:    (%{{.*}}: i32, %[[REPORT:.*]]: !llvm.ptr<1>) -> i32
// CHECK:         llvm.cmpxchg %[[REPORT]]
tt.func private @callee(%x: i32) -> i32 attributes {noinline = true} {
  tt.assert %x, "not zero" : i32 loc(unknown)
  tt.return %x : i32
}

// In a scan, an assertion of a tensor from outside of the region holds where the combination does not count, like one
// of a number.
// CHECK-LABEL: llvm.func spir_kernelcc @in_a_scan
// CHECK-SAME:    (%[[FLAG:[a-z0-9]+]]: vector<2xi1>
// CHECK:         %[[HOLDS:.*]] = arith.constant dense<true> : vector<2xi1>
// CHECK:         arith.select %{{.*}}, %[[FLAG]], %[[HOLDS]] : vector<2xi1>
// CHECK:         llvm.cmpxchg
tt.func @in_a_scan(%flag: tensor<32xi1, #blocked>, %x: tensor<32xi32, #blocked>) {
  %y = "tt.scan"(%x) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%l: i32, %r: i32):
    tt.assert %flag, "not zero" : tensor<32xi1, #blocked> loc(unknown)
    %s = arith.addi %l, %r : i32
    tt.scan.return %s : i32
  }) : (tensor<32xi32, #blocked>) -> tensor<32xi32, #blocked>
  tt.return
}
}
