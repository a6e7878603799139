// RUN: triton-xe-opt %s --split-input-file --verify-diagnostics

// Offsets in a segment wrap around by a mask, and it holds whole records.

// expected-error @+1 {{expected 'bytes' to be a power of two of at least 8, found 96}}
tt.func private @f(!proton_gpu.segment<bytes = 96, space = shared>)

// -----

// expected-error @+1 {{expected 'bytes' to be a power of two of at least 8, found 4}}
tt.func private @f(!proton_gpu.segment<bytes = 4, space = shared>)

// -----

// Programs have powers of two of warps.
// expected-error @+1 {{expected 'warpsPerUnit' to be a power of two, found 3}}
tt.func private @f(!proton_gpu.segment<bytes = 8, space = shared per 3 warps>)

// -----

// Each unit has one segment.
// expected-error @+1 {{expected 'units' to ascend from 0 on, found 1}}
tt.func private @f(!proton_gpu.segment<bytes = 8, space = shared units [1, 1]>)

// -----

// expected-error @+1 {{expected 'units' to ascend from 0 on, found -1}}
tt.func private @f(!proton_gpu.segment<bytes = 8, space = shared units [-1]>)

// -----

// expected-error @+1 {{expected 'programs' to ascend from 0 on, found 3}}
tt.func private @f(!proton_gpu.segment<bytes = 8, space = shared programs [4, 3]>)

// -----

tt.func @f(%s: !proton_gpu.segment<bytes = 8, space = shared>, %c: i64, %e: i32) {
  // expected-error @+1 {{expected either a scope or an event}}
  proton_gpu.circular_store start %s, %c, event %e scope 1 : !proton_gpu.segment<bytes = 8, space = shared>, i64
  tt.return
}

// -----

tt.func @f(%s: !proton_gpu.segment<bytes = 8, space = shared>, %c: i64) {
  // expected-error @+1 {{expected either a scope or an event}}
  proton_gpu.flush_store start %s, %c : !proton_gpu.segment<bytes = 8, space = shared>, i64
  tt.return
}

// -----

// A record has 8 bits for it.
tt.func @f(%s: !proton_gpu.segment<bytes = 8, space = shared>, %c: i64) {
  // expected-error @+1 {{expected a scope below 256, found 256}}
  proton_gpu.circular_store start %s, %c scope 256 : !proton_gpu.segment<bytes = 8, space = shared>, i64
  tt.return
}

// -----

tt.func @f(%s: !proton_gpu.segment<bytes = 8, space = global>, %c: i64) {
  // expected-error @+1 {{expected a segment in shared memory}}
  proton_gpu.flush_store start %s, %c scope 1 : !proton_gpu.segment<bytes = 8, space = global>, i64
  tt.return
}
