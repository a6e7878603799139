# add_triton_xe_library(<name> SOURCES a.cpp ... [TABLEGEN target ...] [LINK lib ...])
#
# A static library of the compiler. TABLEGEN names the mlir-tblgen targets whose
# headers the sources include; LINK the libraries of the layers below. Headers
# of MLIR come precompiled (cmake/Precompiled.h) to keep a rebuild short.

if(TRITON_XE_PCH)
  file(WRITE "${PROJECT_BINARY_DIR}/pch.cpp.in" "// Carries the precompiled header.\n")
  configure_file("${PROJECT_BINARY_DIR}/pch.cpp.in" "${PROJECT_BINARY_DIR}/pch.cpp" COPYONLY)
  add_library(triton-xe-pch STATIC "${PROJECT_BINARY_DIR}/pch.cpp")
  target_include_directories(triton-xe-pch SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_precompile_headers(triton-xe-pch PRIVATE "${PROJECT_SOURCE_DIR}/cmake/Precompiled.h")
  target_compile_options(triton-xe-pch PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> -Xclang -fno-pch-timestamp)
endif()

function(add_triton_xe_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;TABLEGEN;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
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
  if(TRITON_XE_PCH)
    target_precompile_headers(${name} REUSE_FROM triton-xe-pch)
    target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  endif()
endfunction()
