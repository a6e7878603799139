# SPDX-License-Identifier: MIT
# add_triton_xe_library(<name> SOURCES a.cpp ... [TABLEGEN target ...] [LINK lib ...])
#
# A static library of the compiler. TABLEGEN names the mlir-tblgen targets whose
# headers the sources include; LINK the libraries of the layers below. Headers
# come precompiled (cmake/Precompiled*.h): those that the variable
# TRITON_XE_PRECOMPILED_HEADER of the directory names.

include(TritonXePrecompiledHeader)

# Each one has the one before it. Code of a layer has those of its layer and below.
triton_xe_add_precompiled_header(mlir cmake/PrecompiledMLIR.h)
triton_xe_add_precompiled_header(dialects cmake/PrecompiledDialects.h
  AFTER mlir
  TABLEGEN TritonIRTableGen TritonGPUIRTableGen
  INCLUDES "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
triton_xe_add_precompiled_header(intel cmake/PrecompiledIntelDialect.h
  AFTER dialects
  TABLEGEN TritonIRTableGen TritonGPUIRTableGen TritonIntelGPUIRTableGen
  INCLUDES
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include"
    "${PROJECT_SOURCE_DIR}/third_party/intel/include" "${PROJECT_BINARY_DIR}/third_party/intel/include")
set(TRITON_XE_PRECOMPILED_HEADER mlir)

function(add_triton_xe_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;TABLEGEN;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> ${TRITON_XE_MLIR_SANITIZE_FLAGS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK} triton-xe-llvm)
  # The tools and the Python module link everything there is.
  set_property(GLOBAL APPEND PROPERTY TRITON_XE_LIBRARIES ${name})
  if(ARG_TABLEGEN)
    add_dependencies(${name} ${ARG_TABLEGEN})
    set_target_properties(${name} PROPERTIES TRITON_XE_TABLEGEN "${ARG_TABLEGEN}")
  endif()
  # A header of a lower layer may include that layer's generated files.
  foreach(lib ${ARG_LINK})
    if(TARGET ${lib})
      add_dependencies(${name} ${lib})
    endif()
  endforeach()
  triton_xe_use_precompiled_header(${name})
endfunction()
