// RUN: triton-xe-opt %s --tritonintelgpu-lower-control-flow -verify-diagnostics

// Iterations side by side are not made by any stage.
llvm.func @parallel() {
  %one = arith.constant 1 : index
  // expected-error@+1 {{'scf.parallel' op cannot be lowered to branches}}
  scf.parallel (%i) = (%one) to (%one) step (%one) {
    scf.reduce
  }
  llvm.return
}
