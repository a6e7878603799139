//===- compiler_module.cpp - Python bindings of the compiler --------------===//
// SPDX-License-Identifier: MIT
//
// `triton_xe._compiler`: modules, pipelines, diagnostics. Every call that
// compiles releases the interpreter's lock.
//
//===----------------------------------------------------------------------===//

#include "Compile.h"

#include "intel/ABI/SPIRVBinary.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#ifdef TRITON_XE_HAS_TOOLS
#include "Tools.h"
#endif

namespace py = pybind11;
using namespace triton::intel;

#ifdef TRITON_XE_HAS_TEST_PASSES
namespace mlir::triton::test {
void registerTestChangePasses();
void registerTestCrashPass();
} // namespace mlir::triton::test
#endif

namespace {
using ReleaseGIL = py::call_guard<py::gil_scoped_release>;

/// Errors of C++ as those of `triton_xe.errors`, which has their formatting.
/// Other exceptions go on to pybind11.
void translateError(std::exception_ptr exception) {
  try {
    if (exception)
      std::rethrow_exception(exception);
  } catch (const CompilerCrash &error) {
    // Keeps what shows it again in a file.
    py::object make =
        py::module_::import("triton_xe.crashes").attr("compiler_crash");
    py::object instance = make(error.what(), py::cast(error.diagnostics),
                               error.input, error.command);
    PyErr_SetObject(py::type::of(instance).ptr(), instance.ptr());
  } catch (const CompileError &error) {
    py::object type =
        py::module_::import("triton_xe.errors").attr("CompileError");
    // With the diagnostics as objects, of which Python makes a caret below the
    // kernel's line.
    py::object instance = type(error.what(), py::cast(error.diagnostics));
    PyErr_SetObject(type.ptr(), instance.ptr());
  } catch (const triton::intel::abi::BinaryError &error) {
    py::object type =
        py::module_::import("triton_xe.errors").attr("BinaryError");
    PyErr_SetString(type.ptr(), error.what());
  }
}

/// Binds MLIR's diagnostics, as plain objects without a context after them.
void bindDiagnostics(py::module_ &module) {
  py::enum_<Severity>(module, "Severity")
      .value("NOTE", Severity::Note)
      .value("REMARK", Severity::Remark)
      .value("WARNING", Severity::Warning)
      .value("ERROR", Severity::Error);

  py::class_<SourceLocation>(module, "SourceLocation")
      .def_readonly("file", &SourceLocation::file)
      .def_readonly("line", &SourceLocation::line)
      .def_readonly("column", &SourceLocation::column)
      .def("__repr__", [](const SourceLocation &location) {
        return location.file + ":" + std::to_string(location.line) + ":" +
               std::to_string(location.column);
      });

  py::class_<Diagnostic>(module, "Diagnostic")
      .def_readonly("severity", &Diagnostic::severity)
      .def_readonly("message", &Diagnostic::message)
      .def_readonly("name", &Diagnostic::name)
      .def_readonly("locations", &Diagnostic::locations)
      .def_readonly("notes", &Diagnostic::notes);
}

/// For the tools that draw layouts.
void bindLayouts(py::module_ &module) {
  py::class_<LayoutDescription>(module, "LayoutDescription")
      .def_readonly("is_shared", &LayoutDescription::isShared)
      .def_readonly("bases", &LayoutDescription::bases)
      .def_readonly("paddings", &LayoutDescription::paddings);
  module.def("describe_layout", &describeLayout, py::arg("text"),
             py::arg("shape"), ReleaseGIL(),
             "Where the encoding in `text` puts the elements of a tensor.");
}

/// Libraries come as bytes, and are copied while the interpreter's lock is
/// held: afterwards Python may free them.
OptimizerOptions makeOptions(int level, const std::vector<py::bytes> &libraries,
                             bool keepLoads) {
  return {level, {libraries.begin(), libraries.end()}, keepLoads};
}

/// Where code comes from.
void bindSourceLines(py::module_ &module) {
  module.def(
      "translate_to_spirv_with_lines",
      [](const std::string &llvmIR, const std::string &library,
         const py::bytes &bitcode, bool allowFPContraction,
         const std::string &arch) {
        // A copy, as above.
        std::string content = bitcode;
        SPIRVWithLines result;
        {
          py::gil_scoped_release release;
          result = translateToSPIRVWithLines(llvmIR, library, content,
                                             allowFPContraction, arch);
        }
        return std::pair(py::bytes(result.binary), result.places);
      },
      py::arg("llvm_ir"), py::arg("library") = "none",
      py::arg("bitcode") = py::bytes(""),
      py::arg("allow_fp_contraction") = true, py::arg("arch") = "",
      "Translate textual LLVM IR to SPIR-V whose lines are the numbers, from "
      "1, of the places that are returned beside it: the place itself, and "
      "outwards the calls that it was inlined through.");
  module.def(
      "read_line_table",
      [](const py::bytes &section) { return readLineTable(section); },
      py::arg("section"),
      "Pairs of address and line, 0 for none, of a .debug_line section.");
}

/// Modules and queries on them. A module must not be used by two threads at
/// once; different ones may.
void bindModule(py::module_ &module) {
  py::class_<KernelSignature>(module, "KernelSignature")
      .def_readonly("name", &KernelSignature::name)
      .def_readonly("types", &KernelSignature::types);

  py::class_<OperationReference>(module, "OperationReference")
      .def_readonly("name", &OperationReference::name)
      .def_readonly("locations", &OperationReference::locations);

  py::class_<SharedMemoryRequest>(module, "SharedMemoryRequest")
      .def_readonly("operation", &SharedMemoryRequest::operation)
      .def_readonly("bytes", &SharedMemoryRequest::bytes)
      .def_readonly("causes", &SharedMemoryRequest::causes);

  py::class_<FunctionReference>(module, "FunctionReference",
                                "A function, and its place in Python.")
      .def_readonly("name", &FunctionReference::name)
      .def_readonly("file", &FunctionReference::file)
      .def_readonly("line", &FunctionReference::line)
      .def_readonly("column", &FunctionReference::column)
      .def_readonly("scalars", &FunctionReference::scalars);
  py::class_<Module>(module, "Module", "An MLIR module in a separate context.")
      .def_static("parse", &Module::parse, py::arg("text"), py::arg("name"),
                  ReleaseGIL(), "Parse and verify textual IR.")
      .def(
          "run_pipeline",
          [](Module &self, const std::string &pipeline, bool remarks,
             bool printAfterAll, const std::string &irTreeDirectory,
             const std::string &reproducerPath,
             const std::string &stageReproducerPath) {
            return self.runPipeline(pipeline,
                                    {remarks, printAfterAll, irTreeDirectory,
                                     reproducerPath, stageReproducerPath});
          },
          py::arg("pipeline"), py::kw_only(), py::arg("remarks") = false,
          py::arg("print_after_all") = false, py::arg("ir_tree_directory") = "",
          py::arg("reproducer_path") = "",
          py::arg("stage_reproducer_path") = "", ReleaseGIL(),
          "Run a pass pipeline; return its diagnostics.")
      .def("to_text", &Module::toText, py::arg("debug_info") = true,
           ReleaseGIL())
      .def("int_attribute", &Module::getIntegerAttribute, py::arg("name"),
           "An integer attribute of the module, or None.")
      .def("shared_memory_requests", &Module::getSharedMemoryRequests,
           "The requests for shared local memory in an allocated module.")
      .def("launch_conditions", &Module::getLaunchConditions,
           "Tensors, and what a launch has to satisfy to address them by 2D "
           "block messages.")
      .def("profile_scopes", &Module::getProfileScopes,
           "Name, parent and line of the scopes that are measured, by number.")
      .def("kernels", &Module::getKernels,
           "Signatures of the public functions with a body.")
      .def("has_descriptors", &Module::hasDescriptors,
           "Whether any value is a tensor descriptor.")
      .def("has_block_pointers", &Module::hasBlockPointers,
           "Whether the module makes a block pointer.")
      .def("functions", &Module::getFunctions,
           "The functions with a body whose place in Python is known.")
      .def("set_attribute", &Module::setAttribute, py::arg("name"),
           py::arg("text"), "Set an attribute of the module.")
      .def(
          "optimize_llvm_ir",
          [](const Module &self, int level,
             const std::vector<py::bytes> &libraries, bool keepLoads) {
            // Options are built from Python objects first, then the lock is
            // released.
            OptimizerOptions options = makeOptions(level, libraries, keepLoads);
            py::gil_scoped_release release;
            return self.optimizeLLVMIR(options);
          },
          py::arg("level") = 3, py::arg("libraries") = std::vector<py::bytes>(),
          py::arg("keep_loads") = false,
          "Optimized LLVM IR, in text, of a module of the LLVM dialect; see "
          "the function of that name.");
}

#ifdef TRITON_XE_HAS_TOOLS
/// Returns the arguments as `main` gets them.
std::vector<char *> makePointers(std::vector<std::string> &arguments) {
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  return pointers;
}
#endif

/// Binds functions that only some builds have: passes for tests, or the tools
/// of a wheel.
void bindExtras([[maybe_unused]] py::module_ &module) {
#ifdef TRITON_XE_HAS_TEST_PASSES
  module.def(
      "register_test_passes",
      [] {
        mlir::triton::test::registerTestChangePasses();
        mlir::triton::test::registerTestCrashPass();
      },
      "Let pipelines have `test-change`, `test-crash` and "
      "`test-kept-analysis`, for tests.");
#endif
#ifdef TRITON_XE_HAS_TOOLS
  module.def(
      "run_opt",
      [](std::vector<std::string> arguments) {
        std::vector<char *> pointers = makePointers(arguments);
        return runOpt(arguments.size(), pointers.data());
      },
      py::arg("arguments"), ReleaseGIL(),
      "The program triton-xe-opt, once per process.");
  module.def(
      "run_translate",
      [](std::vector<std::string> arguments, const std::string &libraryDir) {
        std::vector<char *> pointers = makePointers(arguments);
        return runTranslate(arguments.size(), pointers.data(),
                            libraryDir.c_str());
      },
      py::arg("arguments"), py::arg("library_dir"), ReleaseGIL(),
      "The program triton-xe-translate, once per process.");
#endif
}
} // namespace

PYBIND11_MODULE(_compiler, module) {
  module.doc() = "MLIR passes of triton-xe";
  py::register_local_exception_translator(translateError);
  bindDiagnostics(module);
  bindLayouts(module);
  bindModule(module);
  bindSourceLines(module);
  bindExtras(module);
  module.def(
      "optimize_llvm_ir",
      [](const std::string &llvmIR, int level,
         const std::vector<py::bytes> &libraries, bool keepLoads) {
        OptimizerOptions options = makeOptions(level, libraries, keepLoads);
        py::gil_scoped_release release;
        return optimizeLLVMIR(llvmIR, options);
      },
      py::arg("llvm_ir"), py::arg("level") = 3,
      py::arg("libraries") = std::vector<py::bytes>(),
      py::arg("keep_loads") = false,
      "Optimize textual LLVM IR, with functions of libraries, and make it "
      "legal for SPIR-V. With `keep_loads`, loads of global memory stay as "
      "they are, and code in the order of its lines.");
  module.def(
      "library_functions",
      [](const py::bytes &bitcode) { return getLibraryFunctions(bitcode); },
      py::arg("bitcode"), "Names of the functions that bitcode defines.");
  module.def(
      "translate_to_spirv",
      [](const std::string &llvmIR, const std::string &library,
         const py::bytes &bitcode, bool allowFPContraction,
         const std::string &arch) {
        // A copy, as above.
        std::string content = bitcode;
        std::string binary;
        {
          py::gil_scoped_release release;
          binary = translateToSPIRV(llvmIR, library, content,
                                    allowFPContraction, arch);
        }
        // Bytes are made with the lock held.
        return py::bytes(binary);
      },
      py::arg("llvm_ir"), py::arg("library") = "none",
      py::arg("bitcode") = py::bytes(""),
      py::arg("allow_fp_contraction") = true, py::arg("arch") = "",
      "Translate textual LLVM IR to SPIR-V. With the emulation, 2D block "
      "messages are checked against the rules of `arch`, if there is one.");
  module.def(
      "translate_to_object",
      [](const std::string &llvmIR, const std::string &instructionSet,
         bool allowFPContraction, bool hasChecks, const std::string &arch) {
        // Declared outside, as it is used after the lock is taken again.
        KernelObject object;
        {
          py::gil_scoped_release release;
          object = translateToObject(llvmIR, instructionSet, allowFPContraction,
                                     hasChecks, arch);
        }
        return std::pair(object.name, py::bytes(object.code));
      },
      py::arg("llvm_ir"), py::arg("instruction_set"),
      py::arg("allow_fp_contraction") = true, py::arg("checks") = false,
      py::arg("arch") = "",
      "Translate LLVM IR to object code for the CPU device: the kernel's name, "
      "and the code. With checks, it checks itself, and its 2D block messages "
      "against the limits of `arch`.");
  module.def(
      "spirv_entry_points",
      [](const py::bytes &binary) {
        return triton::intel::abi::readSPIRVEntryPoints(
            std::string_view(binary));
      },
      py::arg("binary"), "Names of the kernels of a SPIR-V module.");
  module.def(
      "add_build_options",
      [](const py::bytes &binary, const std::string &options) {
        return py::bytes(triton::intel::abi::addBuildOptions(
            std::string_view(binary), options));
      },
      py::arg("binary"), py::arg("options"),
      "The SPIR-V module with a record of options for the device compiler.");
  module.def(
      "add_spill_build_options",
      [](const py::bytes &binary, const std::string &options) {
        return py::bytes(triton::intel::abi::addSpillBuildOptions(
            std::string_view(binary), options));
      },
      py::arg("binary"), py::arg("options"),
      "The SPIR-V module with a record of the options to build it with where "
      "registers are spilled with the others.");
  module.def("llvm_version", &getLLVMVersion);
}
