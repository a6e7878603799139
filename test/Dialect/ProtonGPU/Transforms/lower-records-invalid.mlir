// RUN: triton-xe-opt %s --split-input-file --proton-gpu-lower-records="strategy=flush max-shared-memory=8" --verify-diagnostics

// The flush strategy empties segments of shared memory, but there is no room for them.
module attributes {"ttg.num-warps" = 4 : i32} {
  tt.func public @global() {
    // expected-error @+1 {{expected a segment in shared memory}}
    proton.record start "a"
    proton.record end "a"
    tt.return
  }
}

// -----

// Only functions of Triton are kernels, which have segments.
module attributes {"ttg.num-warps" = 4 : i32} {
  func.func @no_kernel() {
    // expected-error @+1 {{expected the record to be in a tt.func}}
    proton.record start "a"
    return
  }
}
