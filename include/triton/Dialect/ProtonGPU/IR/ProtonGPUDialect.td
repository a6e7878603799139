//===- ProtonGPUDialect.td - The proton_gpu dialect --------*- tablegen -*-===//
// SPDX-License-Identifier: MIT
//
// How scopes are measured: clocks, buffers, and who writes what where.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_DIALECT_PROTONGPU_IR_PROTONGPUDIALECT_TD
#define TRITON_DIALECT_PROTONGPU_IR_PROTONGPUDIALECT_TD

include "mlir/IR/DialectBase.td"

def ProtonGPU_Dialect : Dialect {
  let name = "proton_gpu";
  let cppNamespace = "::mlir::triton::proton_gpu";

  let summary = "Clocks and buffers that scopes of a kernel are measured with";
  let description = [{
    The warps of a program are divided into *units* of equally many; the first
    warp of each unit makes records, or of selected units only, and in all
    programs of a launch, or in selected ones only. A unit has a
    *segment*, a piece of shared or global memory for its records, which may be
    less than there will be: a *strategy*, one store operation each, says what
    happens then.

    A record is two words of 32 bits,

    | word | bits  | content                                   |
    |------|-------|-------------------------------------------|
    | 0    | 31    | 1: end                                    |
    | 0    | 30:23 | scope                                     |
    | 0    | 22    | 1: of an event                            |
    | 0    | 10:0  | bits 42:32 of the counter; 0 if it has 32 |
    | 1    | 31:0  | bits 31:0 of the counter                  |

    and the profile memory of a program, which the launch provides, is

    | word       | content                                                    |
    |------------|------------------------------------------------------------|
    | 0          | 0xDEADBEEF; anything else: there are no records            |
    | 1          | the program's number, x fastest                            |
    | 2, 15:0    | cycles that a reading of the clock takes                   |
    | 2, 31:16   | number of the processor, from 1 on; 0: it is not known     |
    | 3          | bytes of all segments                                      |
    | 4, 5       | the clock at its begin, all 64 bits                        |
    | 6, 7       | the clock at its end                                       |
    | 8, 9       | the clock when its records had been copied                 |
    | 10 ...     | one per warp: words that it wrote, whether kept or not     |
    | behind     | segments of the units that make records, in their order    |

    as Triton's Proton has it, which has nanoseconds in words 4 to 9, and in word 2
    the processor alone. Of selected programs the launch provides memory for these
    alone, in their order.
  }];

  let useDefaultTypePrinterParser = 1;

  let extraClassDeclaration = [{
    static constexpr int64_t kRecordBytes = 8;
    static constexpr int64_t kWordBytes = 4;
    /// Words of profile memory in front of those that there is one of per warp.
    static constexpr int64_t kPreambleWords = 10;
    static constexpr uint32_t kPreamble = 0xDEADBEEF;

    void registerTypes();
  }];
}

#endif // TRITON_DIALECT_PROTONGPU_IR_PROTONGPUDIALECT_TD
