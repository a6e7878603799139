// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics --convert-triton-to-tritongpu='num-warps=3 threads-per-warp=16'

// Layouts are linear over bits, so counts must be powers of two.
// expected-error @+1 {{`num-warps` must be a power of two, found 3}}
module {
  tt.func public @f() {
    tt.return
  }
}
