//===- TestZebin.h - A zebin with everything --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_TEST_INTEL_UNIT_SIMULATOR_TESTZEBIN_H
#define TRITON_TEST_INTEL_UNIT_SIMULATOR_TESTZEBIN_H

#include "ZebinBuilder.h"

#include "intel/Runtime/Error.h"

#include "gtest/gtest.h"

namespace triton::intel::simulator::test {

/// The GMD id of graphics `major`.`minor`.
inline std::uint32_t makeProduct(std::uint32_t major, std::uint32_t minor) {
  return major << 22 | minor << 14 | 7;
}

inline const char *const description = R"(---
version:         '1.73'
kernels:
  - name:            add
    user_attributes:
      intel_reqd_sub_group_size: 16
    execution_env:
      grf_count:       256
      required_work_group_size: [ 64, 2, 1 ]
      simd_size:       16
      slm_size:        1024
      barrier_count:   1
      eu_thread_count: 4
      inline_data_payload_size: 32
      offset_to_skip_per_thread_data_load: 32
      spill_size:      128
      private_size:    256
      has_stack_calls: true
      work_group_walk_order_dimensions: [ 1, 0, 2 ]
    payload_arguments:
      - arg_type:        arg_bypointer
        offset:          0
        size:            8
        arg_index:       0
        addrmode:        stateless
        addrspace:       global
        access_type:     readwrite
      - arg_type:        arg_byvalue
        offset:          8
        size:            4
        arg_index:       2
        source_offset:   4
      - arg_type:        arg_bypointer
        offset:          12
        size:            4
        arg_index:       3
        addrmode:        slm
        slm_alignment:   16
      - arg_type:        global_base
        offset:          16
        size:            8
    per_thread_payload_arguments:
      - arg_type:        local_id
        offset:          0
        size:            192
    per_thread_memory_buffers:
      - type:            scratch
        usage:           single_space
        size:            512
      - type:            global
        usage:           private_space
        size:            64
        is_simt_thread:  true
  - name:            Intel_Symbol_Table_Void_Program
    execution_env:
      simd_size:       32
kernels_misc_info:
  - name:            add
    args_info:
      - index:           0
        type_name:       'int*;8'
...
)";

/// A file with all possible parts, for Xe-HPC. The code is 64 zeros.
inline ZebinBuilder makeBuilder(const std::string &text = description) {
  ZebinBuilder builder;
  builder.add({".text.add", std::string(64, '\0')});
  builder.add({".text.Intel_Symbol_Table_Void_Program", std::string(16, '\0')});
  builder.add({".bss.global", "", ZebinBuilder::nobits, 0, 0, 0, 24});
  builder.add({".data.global", std::string(16, 'g')});
  builder.add({".data.const", std::string(8, 'c')});
  builder.add({".ze_info", text, ZebinBuilder::zeInfo});
  builder.add({".note.intelgt.compat",
               ZebinBuilder::makeNote(4, 0x4f7) +
                   ZebinBuilder::makeNote(6, makeProduct(12, 60)),
               ZebinBuilder::note});
  return builder;
}

/// Numbers of sections.
inline constexpr std::uint32_t textIndex = 1, bssIndex = 3, dataIndex = 4,
                               constantIndex = 5;

/// Adds relocations for the kernel's code.
inline void addRelocations(ZebinBuilder &builder, const std::string &entries) {
  auto symbols = static_cast<std::uint32_t>(builder.sections.size() + 2);
  builder.add(
      {".rel.text.add", entries, ZebinBuilder::rel, symbols, textIndex, 16, 0});
}

/// The description with `to` in the place of `from`.
inline std::string describeWith(const std::string &from,
                                const std::string &to) {
  std::string text = description;
  std::size_t position = text.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  text.replace(position, from.size(), to);
  return text;
}

/// Returns what `action` throws, of kind `Binary`; empty if it does not.
template <typename Action> std::string getBinaryProblem(Action action) {
  try {
    action();
    return "";
  } catch (const runtime::Error &error) {
    EXPECT_EQ(error.getKind(), runtime::ErrorKind::Binary) << error.what();
    EXPECT_STRNE(error.what(), "");
    return error.what();
  }
}

/// The code of the kernel in the disassembler's words: two moves of immediates,
/// of 64 and of 32 bits, one of r0, and the end of the thread.
inline const char *const machineCode = R"({
  "version":"2.0", "platform":"xehpc",
  "elems":[
    {"kind":"I", "id":1, "pc":0, "wren":true, "op":"mov", "es":1,
      "dst":{"kind":"RD", "reg":{"rn":"r","r":10}, "rgn":{"h":1}, "type":"uq"},
      "srcs":[{"kind":"IM", "value":"0x1122334455667788", "type":"uq"}]},
    {"kind":"I", "id":2, "pc":16, "wren":true, "op":"mov", "es":1,
      "dst":{"kind":"RD", "reg":{"rn":"r","r":11}, "rgn":{"h":1}, "type":"ud"},
      "srcs":[{"kind":"IM", "value":"0x12345678", "type":"ud"}]},
    {"kind":"I", "id":3, "pc":32, "wren":true, "op":"mov", "es":16,
      "dst":{"kind":"RD", "reg":{"rn":"r","r":112}, "rgn":{"h":1}, "type":"ud"},
      "srcs":[{"kind":"RD", "reg":{"rn":"r"}, "rgn":{"v":1,"w":1,"h":0},
               "type":"ud"}]},
    {"kind":"I", "id":4, "pc":48, "wren":true, "op":"send", "subop":"gtwy",
      "es":1, "dst":{"kind":"DA", "reg":{"rn":"null"}, "len":0},
      "srcs":[
        {"kind":"AD", "areg":{"rn":"r","r":112}, "alen":1, "stype":"invalid"},
        {"kind":"DA", "reg":{"rn":"null"}, "len":0},
        {"kind":"IM", "value":"0x0"}, {"kind":"IM", "value":"0x2000010"}],
      "opts":["EOT"]}
  ]
})";

} // namespace triton::intel::simulator::test

#endif // TRITON_TEST_INTEL_UNIT_SIMULATOR_TESTZEBIN_H
