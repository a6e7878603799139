//===- ProtonGPUDialect.td - The proton_gpu dialect --------*- tablegen -*-===//
// SPDX-License-Identifier: MIT
//
// How scopes are measured: clocks, buffers, and the writers of each place.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_PROTONGPU_IR_PROTONGPUDIALECT_TD
#define TRITON_DIALECT_PROTONGPU_IR_PROTONGPUDIALECT_TD

include "mlir/IR/DialectBase.td"

def ProtonGPU_Dialect : Dialect {
  let name = "proton_gpu";
  let cppNamespace = "::mlir::triton::proton_gpu";

  let summary = "Clocks and buffers that measure the scopes of a kernel";
  let description = [{
    The warps of a program are divided into *units* of equal size. The first warp of
    each unit makes records. Units and programs can be selected; the others make no
    records. A unit has a *segment*, a piece of shared or global memory for its
    records. A *strategy* decides what happens when the segment is full; each
    strategy is a store operation.

    A record is two words of 32 bits:

    | word | bits  | content                                   |
    |------|-------|-------------------------------------------|
    | 0    | 31    | 1: end                                    |
    | 0    | 30:23 | scope                                     |
    | 0    | 22    | 1: of an event                            |
    | 0    | 10:0  | bits 42:32 of the counter; 0 if it has 32 |
    | 1    | 31:0  | bits 31:0 of the counter                  |

    The launch provides profile memory for each program:

    | word       | content                                                    |
    |------------|------------------------------------------------------------|
    | 0          | 0xDEADBEEF; any other value: there are no records          |
    | 1          | number of the program, x fastest                           |
    | 2, 15:0    | cycles that reading the clock takes                        |
    | 2, 31:16   | number of the processor, from 1 on; 0: unknown             |
    | 3          | bytes of all segments                                      |
    | 4, 5       | clock at the beginning of the program, all 64 bits         |
    | 6, 7       | clock at the end of the program                            |
    | 8, 9       | clock after the records have been copied                   |
    | 10 ...     | for each warp: words that it wrote, whether kept or not    |
    | then       | segments of the units that make records, in order          |

    This is the format of Triton's Proton, except that Proton has nanoseconds in
    words 4 to 9, and only the processor in word 2. If programs are selected, the
    launch provides memory for these only, in order.
  }];

  let useDefaultTypePrinterParser = 1;

  let extraClassDeclaration = [{
    static constexpr int64_t kRecordBytes = 8;
    static constexpr int64_t kWordBytes = 4;
    /// Words of profile memory before those that there is one of per warp.
    static constexpr int64_t kPreambleWords = 10;
    static constexpr uint32_t kPreamble = 0xDEADBEEF;

    void registerTypes();
  }];
}

#endif // TRITON_DIALECT_PROTONGPU_IR_PROTONGPUDIALECT_TD
