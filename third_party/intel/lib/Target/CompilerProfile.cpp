//===- CompilerProfile.cpp - What a compiler of GPU drivers does ----------===//
//
// Measured with ocloc 26.27: native code of the 200 launches of the tests'
// suite, with their own numbers of warps, for `pvc` unless a chip is named, and
// the loops of benchmarks/static_cost.py. Each number was changed alone.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/CompilerProfile.h"

using namespace mlir::triton::gpu::intel;

const CompilerProfile mlir::triton::gpu::intel::kIGC240 = {
    /*name=*/"IGC 2.40",
    // 80: loops of ten launches are longer, 1.01 to 1.28 times, by loads in
    // pieces. 95: of a head of 128 attention's has 720 instructions for 828,
    // which messagesInFlight = 2 brings as well.
    /*usablePercent=*/90,
    // The least number with which nothing spills: with 1, attention with a head
    // of 256 has 72 messages to scratch memory, and with a latent cache 74.
    // Loops of attention with a head of 128 have 720 instructions, of a serving
    // engine's 1088; with 3 it is 828 and 1231. With 4 loops of nine launches
    // are longer, up to 1.28 times.
    /*messagesInFlight=*/2,
    // A head of 256: 1319 instructions, with 2 it is 1430, with 8 it is 1384,
    // and 59 messages to scratch memory with a latent cache.
    /*accumulatorsInFlight=*/4,
    // Chips with 2D block messages do not notice. On `dg2`, where factors come
    // through shared memory, attention of `make test` has no message to scratch
    // memory with it, and about 240 without a limit. With 0 loops of gradients
    // have 157 instructions for 163, and 294 for 291.
    /*sharedBitsInFlight=*/1024,
    // A GEMM: 108 moves for addresses of 18 messages.
    /*messageInstructions=*/7,
    // With bytes as 1, products with weights of 8 bits are 1.37 to 1.45 times
    // as long. Products of 256x256x32 in 32 sub-groups with both factors by
    // rows: 463 instructions with e4m3, 236 with e5m2, 67 with bf16, for 192
    // elements a lane.
    /*elements=*/{/*fromE4M3=*/2, /*fromE5M2=*/1, /*fromBytes=*/4},
    // Instructions of all launches: 111,801 with 2, 111,836 with 3 for regions
    // of one operation per operand; for others, which find an index or a
    // variance, 3 are 1.06 to 1.12 times as many instructions, and 0 are 1.05
    // to 1.07 times.
    /*broadcastBits=*/2,
};
