# SPDX-License-Identifier: MIT
# gtest programs for C++ that is simpler to test without IR.

find_package(GTest QUIET)
if(GTest_FOUND)
  add_custom_target(triton-xe-unit-tests)
else()
  # Users of the compiler do not need it.
  add_custom_target(triton-xe-unit-tests
    COMMAND "${CMAKE_COMMAND}" -E echo "GoogleTest is missing: install libgtest-dev, then run cmake again"
    COMMAND "${CMAKE_COMMAND}" -E false)
endif()

# add_triton_xe_unittest(<name> [MLIR] SOURCES a.cpp ... LINK lib ...)
#
# A test program with gtest's main(), part of triton-xe-unit-tests and a ctest. MLIR
# states that it includes headers of MLIR, which then come precompiled.
function(add_triton_xe_unittest name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  if(ARG_MLIR)
    triton_xe_use_precompiled_header(${name})
  endif()
  add_dependencies(triton-xe-unit-tests ${name})
  add_test(NAME ${name} COMMAND ${name})
endfunction()
