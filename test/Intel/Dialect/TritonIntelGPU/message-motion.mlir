// RUN: triton-xe-opt %s -canonicalize -cse -loop-invariant-code-motion | FileCheck %s

module attributes {"ttg.threads-per-warp" = 16 : i32} {

// A shuffle may move to where more lanes are active: one in a branch becomes an
// equal one before it, and one of the same value in each iteration leaves the
// loop. One without a use is erased.
// CHECK-LABEL: llvm.func @to_more_lanes
// CHECK-NEXT:    %[[A:.*]] = ttig.shuffle lane %arg0, %arg1 : vector<8xf32>
// CHECK-NEXT:    scf.if %arg2 {
// CHECK-NEXT:      llvm.store %[[A]], %arg3
// CHECK-NEXT:    }
// CHECK:         %[[B:.*]] = ttig.shuffle xor %arg0, %arg1 : vector<8xf32>
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      llvm.store volatile %[[B]], %arg3
// CHECK-NOT:     ttig.shuffle
llvm.func @to_more_lanes(%v: vector<8xf32>, %by: i32, %isActive: i1, %p: !llvm.ptr<1>, %n: i32) {
  %a = ttig.shuffle lane %v, %by : vector<8xf32>
  scf.if %isActive {
    %again = ttig.shuffle lane %v, %by : vector<8xf32>
    llvm.store %again, %p : vector<8xf32>, !llvm.ptr<1>
  }
  llvm.store %a, %p : vector<8xf32>, !llvm.ptr<1>
  %unused = ttig.shuffle broadcast %v, %by : vector<8xf32>
  scf.for %i = %by to %n step %by : i32 {
    %b = ttig.shuffle xor %v, %by : vector<8xf32>
    llvm.store volatile %b, %p : vector<8xf32>, !llvm.ptr<1>
  }
  llvm.return
}

// It does not move to where fewer are: one that only a branch uses stays before
// the branch.
// CHECK-LABEL: llvm.func @not_to_fewer_lanes
// CHECK-NEXT:    %[[A:.*]] = ttig.shuffle lane %arg0, %arg1 : vector<8xf32>
// CHECK-NEXT:    scf.if %arg2 {
// CHECK-NEXT:      llvm.store %[[A]], %arg3
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %[[B:.*]] = ttig.shuffle xor %arg0, %arg1 : vector<8xf32>
// CHECK-NEXT:      llvm.store %[[B]], %arg3
llvm.func @not_to_fewer_lanes(%v: vector<8xf32>, %by: i32, %isActive: i1, %p: !llvm.ptr<1>) {
  %a = ttig.shuffle lane %v, %by : vector<8xf32>
  scf.if %isActive {
    llvm.store %a, %p : vector<8xf32>, !llvm.ptr<1>
  } else {
    %b = ttig.shuffle xor %v, %by : vector<8xf32>
    llvm.store %b, %p : vector<8xf32>, !llvm.ptr<1>
  }
  llvm.return
}
}
