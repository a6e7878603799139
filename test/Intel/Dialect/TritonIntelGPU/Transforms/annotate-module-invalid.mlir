// RUN: not triton-xe-opt %s --tritonintelgpu-annotate-module='arch=xyz' 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: not triton-xe-opt %s --tritonintelgpu-annotate-module='arch=pvc threads-per-warp=8' 2>&1 | FileCheck %s --check-prefix=LANES

// ARCH: error: {{.*}}xyz
// LANES: error: `threads-per-warp` must be a sub-group size of pvc, found 8
module {
}
