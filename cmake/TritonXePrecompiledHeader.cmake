# SPDX-License-Identifier: MIT
# triton_xe_add_precompiled_header(<name> <header> [AFTER name] [TABLEGEN target ...] [INCLUDES directory ...]
#                                  [SYSTEM directory ...])
# triton_xe_use_precompiled_header(<target> [name])
#
# The first precompiles a header, after another one if AFTER names it: clang then writes only what is added, and a source
# file that includes the second has both. TABLEGEN names the mlir-tblgen targets whose headers it includes. The second
# function compiles the sources of a target after such a header, by default the one that the variable
# TRITON_XE_PRECOMPILED_HEADER of the directory names.
#
# CMake's own target_precompile_headers names the header by its absolute path on every command line, which no compiler
# cache matches in another clone; here it is an object like any other, named by a path that ccache makes relative. The
# hash of the header's text is in a file beside it, for which ccache looks when CCACHE_PCH_EXTSUM is set: the precompiled
# file holds absolute paths.

function(triton_xe_add_precompiled_header name)
endfunction()
function(triton_xe_use_precompiled_header target)
endfunction()
if(NOT TRITON_XE_PCH OR NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  return()
endif()

# The file of a precompiled header.
function(triton_xe_get_precompiled_file name variable)
  get_target_property(header triton-xe-pch-${name} SOURCES)
  get_target_property(source triton-xe-pch-${name} SOURCE_DIR)
  get_target_property(binary triton-xe-pch-${name} BINARY_DIR)
  file(RELATIVE_PATH header "${source}" "${header}")
  set(${variable} "${binary}/CMakeFiles/triton-xe-pch-${name}.dir/${header}${CMAKE_CXX_OUTPUT_EXTENSION}" PARENT_SCOPE)
endfunction()

function(triton_xe_add_precompiled_header name header)
  cmake_parse_arguments(ARG "" "AFTER" "TABLEGEN;INCLUDES;SYSTEM" ${ARGN})
  set(target triton-xe-pch-${name})
  set(header "${CMAKE_CURRENT_SOURCE_DIR}/${header}")
  add_library(${target} OBJECT "${header}")
  set_source_files_properties("${header}" PROPERTIES LANGUAGE CXX)
  target_include_directories(${target} PRIVATE ${ARG_INCLUDES})
  list(APPEND ARG_SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_include_directories(${target} SYSTEM PRIVATE ${ARG_SYSTEM})
  target_compile_options(${target} PRIVATE ${TRITON_XE_STATISTICS_FLAGS}
    "SHELL:-x c++-header" -fpch-instantiate-templates "SHELL:-Xclang -emit-pch" "SHELL:-Xclang -fno-pch-timestamp")
  # Never from a cache: it would name the files of the clone that made it.
  set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "")
  if(ARG_TABLEGEN)
    add_dependencies(${target} ${ARG_TABLEGEN})
  endif()
  if(ARG_AFTER)
    triton_xe_get_precompiled_file(${ARG_AFTER} base)
    target_compile_options(${target} PRIVATE "SHELL:-include-pch \"${base}\"")
    add_dependencies(${target} triton-xe-pch-${ARG_AFTER})
    set_property(SOURCE "${header}" APPEND PROPERTY OBJECT_DEPENDS "${base}")
  endif()

  triton_xe_get_precompiled_file(${name} file)
  set(includes)
  foreach(directory ${ARG_INCLUDES})
    list(APPEND includes -I "${directory}")
  endforeach()
  foreach(directory ${ARG_SYSTEM})
    list(APPEND includes -isystem "${directory}")
  endforeach()
  string(JOIN " " preprocess "${CMAKE_CXX_COMPILER}" -std=c++${CMAKE_CXX_STANDARD} ${includes} -E -dD -P -x c++-header
         "${header}")
  add_custom_command(OUTPUT "${file}.sum"
    COMMAND sh -c "${preprocess} | sha256sum > '${file}.sum'"
    DEPENDS ${target} $<TARGET_OBJECTS:${target}>
    COMMENT "Hashing the precompiled header ${name}"
    VERBATIM)
  add_custom_target(${target}-sum DEPENDS "${file}.sum")
endfunction()

function(triton_xe_use_precompiled_header target)
  set(name "${TRITON_XE_PRECOMPILED_HEADER}")
  if(ARGC GREATER 1)
    set(name "${ARGV1}")
  endif()
  triton_xe_get_precompiled_file(${name} file)
  target_compile_options(${target} PRIVATE
    -Winvalid-pch "SHELL:-include-pch \"${file}\"" "SHELL:-Xclang -fno-pch-timestamp")
  # One kind of position-independent code: programs are linked as well with that of libraries.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  add_dependencies(${target} triton-xe-pch-${name}-sum)
  # The order of targets alone would not compile the sources again after the header has changed.
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "^\\$<")
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS "${file}.sum")
endfunction()
