// RUN: triton-xe-opt %s -tritonintelgpu-shorten-live-ranges | FileCheck %s

// What was loaded is added to the accumulators before more is loaded. A chain
// moves as a whole, and stores stay where they are.
// CHECK-LABEL: @epilogue
// CHECK:         %[[A:.+]] = llvm.load
// CHECK-NEXT:    %[[C:.+]] = arith.addf %{{.*}}, %[[A]]
// CHECK-NEXT:    %[[D:.+]] = arith.truncf %[[C]]
// CHECK-NEXT:    %[[B:.+]] = llvm.load
// CHECK-NEXT:    arith.addf %{{.*}}, %[[B]]
// CHECK:         llvm.store %[[D]]
llvm.func @epilogue(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %x: vector<8xf32>, %y: vector<8xf32>) {
  %a = llvm.load %p : !llvm.ptr<1> -> vector<8xf32>
  %b = llvm.load %q : !llvm.ptr<1> -> vector<8xf32>
  %c = arith.addf %x, %a : vector<8xf32>
  %d = arith.truncf %c : vector<8xf32> to vector<8xf16>
  %e = arith.addf %y, %b : vector<8xf32>
  llvm.store %d, %p : vector<8xf16>, !llvm.ptr<1>
  llvm.store %e, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}

// Not moved: a conversion to more bits, and an operation on values that are
// needed later.
// CHECK-LABEL: @stay
// CHECK:         %[[A:.+]] = llvm.load
// CHECK-NEXT:    %[[B:.+]] = llvm.load
// CHECK-NEXT:    arith.extf %[[A]]
// CHECK-NEXT:    arith.addf %[[B]]
llvm.func @stay(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %x: vector<8xf32>) {
  %a = llvm.load %p : !llvm.ptr<1> -> vector<8xf16>
  %b = llvm.load %q : !llvm.ptr<1> -> vector<8xf32>
  %c = arith.extf %a : vector<8xf16> to vector<8xf32>
  %d = arith.addf %b, %x : vector<8xf32>
  llvm.store %c, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %d, %q : vector<8xf32>, !llvm.ptr<1>
  llvm.store %b, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.store %x, %p : vector<8xf32>, !llvm.ptr<1>
  llvm.return
}
