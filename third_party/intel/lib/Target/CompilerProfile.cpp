//===- CompilerProfile.cpp - Profile of drivers' compilers ----------------===//
// SPDX-License-Identifier: MIT
//
// The numbers were measured with ocloc 26.27: in native code of the 200
// launches of the tests' suite, with their own numbers of warps, for `pvc`
// unless a chip is named, and in the loops of benchmarks/static_cost.py. Each
// number was changed alone.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/CompilerProfile.h"

using namespace mlir::triton::gpu::intel;

const CompilerProfile mlir::triton::gpu::intel::kIGC240 = {
    // In a product of 128x256x128 in 16 sub-groups whose left operand the loop
    // carries, a square distribution takes 103 % of the registers: its loop has
    // 287 messages to scratch memory, and 130 in rows. If the operand is
    // gathered before the loop, it has 40, and none in rows.
    /*usablePercent=*/90,
    // In the loop of attention with a latent cache 13,452 bytes are live. It
    // has 84 messages to scratch memory with 85, 58 with 80, and none with 73,
    // where its loop has 945 instructions; with 60 it has 999. The largest
    // share that needs nothing else is 58, of attention with a head of 128.
    /*residentPercent=*/70,
    // With 13, 2 launches that do not spill with 128 registers have messages to
    // scratch memory: the gradients of queries with a head of 128, 3 and 4.
    /*spareRegisters=*/16,
    // With 2, the loop of attention with a head of 128 has 764 instructions for
    // 721. With 8, it has 269 messages to scratch memory, and attention with a
    // latent cache has 52.
    /*accumulatorsInFlight=*/4,
    // RMS norm takes 2,776 cycles in the timing model, 2,917 with 2, and 2,840
    // with 8; inverses of triangles execute 2.55 instructions per element, 2.51
    // with 2, and 2.60 with 8.
    /*sumsInFlight=*/4,
    // The loop of a GEMM has 108 moves for the addresses of 18 messages.
    /*messageInstructions=*/7,
    // Products of 256x256x32 in 32 sub-groups, with both operands by rows, have
    // 463 instructions with e4m3, 236 with e5m2 and 67 with bf16, for 192
    // elements a lane. If bytes counted as 1, products with weights of 8 bits
    // would have 1.37 to 1.45 times the instructions.
    /*elements=*/{/*fromE4M3=*/2, /*fromE5M2=*/1, /*fromBytes=*/4},
    // All launches together have 111,801 instructions with 2, and 111,836 with
    // 3 for regions of one operation per operand. Reductions with larger
    // regions, which find an index or a variance, have 1.06 to 1.12 times the
    // instructions with 3, and 1.05 to 1.07 times with 0.
    /*broadcastBits=*/2,
    // Inverses of triangles (benchmarks/native_run.py) execute 71,422
    // instructions with 8, and 47,176 with 4 or 2, in four sub-groups.
    /*exactRows=*/4,
    // With 32, inverses take 4,781 cycles in the timing model instead of 4,451.
    // With 256, decode of grouped heads takes 7,458 instead of 7,455.
    /*heldBytes=*/64,
    // With 8, inverses execute 74,578 instructions and take 18,475 cycles in
    // the timing model instead of 10,339.
    /*aloneElements=*/16,
    // With fewer iterations, inverses execute 54,056 instructions and take
    // 12,190 cycles.
    /*straightIterations=*/16,
    /*straightOperations=*/1024,
};
