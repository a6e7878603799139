# SPDX-License-Identifier: MIT
# triton_xe_use_precompiled_header(<target>)
#
# Compiles the sources of a target after MLIR's headers (cmake/Precompiled.h),
# precompiled once. CMake's own target_precompile_headers names the header by
# its absolute path on every command line, which no compiler cache matches in
# another clone; here it is an object like any other, named by a path that
# ccache makes relative. The hash of the header's text is in a file beside it,
# for which ccache looks when CCACHE_PCH_EXTSUM is set: the precompiled file
# holds absolute paths.

function(triton_xe_use_precompiled_header target)
endfunction()
if(NOT TRITON_XE_PCH OR NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  return()
endif()

set(header "${PROJECT_SOURCE_DIR}/cmake/Precompiled.h")
add_library(triton-xe-pch OBJECT "${header}")
set_source_files_properties("${header}" PROPERTIES LANGUAGE CXX)
target_include_directories(triton-xe-pch SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_options(triton-xe-pch PRIVATE ${TRITON_XE_STATISTICS_FLAGS}
  "SHELL:-x c++-header" -fpch-instantiate-templates "SHELL:-Xclang -emit-pch" "SHELL:-Xclang -fno-pch-timestamp")
# Never from a cache: it would name the files of the clone that made it.
set_target_properties(triton-xe-pch PROPERTIES CXX_COMPILER_LAUNCHER "")

set(TRITON_XE_PCH_FILE "${PROJECT_BINARY_DIR}/CMakeFiles/triton-xe-pch.dir/cmake/Precompiled.h${CMAKE_CXX_OUTPUT_EXTENSION}")
set(TRITON_XE_PCH_SUM "${TRITON_XE_PCH_FILE}.sum")
set(system_includes)
foreach(directory ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  list(APPEND system_includes -isystem "${directory}")
endforeach()
string(JOIN " " preprocess "${CMAKE_CXX_COMPILER}" -std=c++${CMAKE_CXX_STANDARD} ${system_includes} -E -dD -P -x c++-header
       "${header}")
add_custom_command(OUTPUT "${TRITON_XE_PCH_SUM}"
  COMMAND sh -c "${preprocess} | sha256sum > '${TRITON_XE_PCH_SUM}'"
  DEPENDS triton-xe-pch $<TARGET_OBJECTS:triton-xe-pch>
  COMMENT "Hashing the precompiled header"
  VERBATIM)
add_custom_target(triton-xe-pch-sum DEPENDS "${TRITON_XE_PCH_SUM}")

function(triton_xe_use_precompiled_header target)
  target_compile_options(${target} PRIVATE
    -Winvalid-pch "SHELL:-include-pch \"${TRITON_XE_PCH_FILE}\"" "SHELL:-Xclang -fno-pch-timestamp")
  # One kind of position-independent code: programs are linked as well with that of libraries.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  add_dependencies(${target} triton-xe-pch-sum)
  # The order of targets alone would not compile the sources again after the header has changed.
  get_target_property(sources ${target} SOURCES)
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${TRITON_XE_PCH_SUM}")
endfunction()
