//===- CompilerProfile.cpp - What a compiler of GPU drivers does ----------===//

#include "intel/Target/CompilerProfile.h"

using namespace mlir::triton::gpu::intel;

const CompilerProfile mlir::triton::gpu::intel::kIGC240 = {
    /*name=*/"IGC 2.40",
    /*usablePercent=*/90,
    /*messagesInFlight=*/3,
    /*accumulatorsInFlight=*/4,
    /*sharedBitsInFlight=*/1024,
    /*messageInstructions=*/7,
    /*elements=*/{/*fromE4M3=*/7, /*fromE5M2=*/1, /*fromBytes=*/4},
    /*broadcastBits=*/3,
    /*broadcastBitsOfLargeRegions=*/2,
};
