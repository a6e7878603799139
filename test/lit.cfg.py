# SPDX-License-Identifier: MIT
"""Configuration of the lit tests.

`lit <build>/test` runs them all; `lit test` in the source tree does the same with
the build folder `build`, or with the one of `--param build=<folder>`. The names
of tools can be written with or without a leading `%`.
"""

import os
import shutil
import sys

import lit.formats

# Set by lit, and by the site configuration that the build writes.
config = globals()["config"]
lit_config = globals()["lit_config"]

if not hasattr(config, "triton_xe_build"):
    source = os.path.dirname(os.path.abspath(__file__))
    build = lit_config.params.get("build", os.path.join(os.path.dirname(source), "build"))
    site = os.path.join(build, "test", "lit.site.cfg.py")
    if not os.path.exists(site):
        lit_config.fatal(f"no configured build in {build}; name one by --param build=<folder>")
    lit_config.load_config(config, site)
    raise SystemExit

config.name = "triton-xe"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".ll", ".test"]
# Inputs of tests, and what other runners test.
config.excludes = ["Inputs", "lib", "python", "unit"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(config.triton_xe_build, "test")

tools = os.path.join(config.triton_xe_build, "bin")
config.environment["PATH"] = os.pathsep.join([tools, config.llvm_tools_dir, config.environment["PATH"]])
# Python files of tests must not write into the source tree.
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"

config.substitutions.append(("%python", f'"{sys.executable}"'))
config.substitutions.append(("%inputs", os.path.join(config.test_source_root, "Inputs")))
for tool in ("triton-xe-opt", "triton-xe-translate"):
    config.substitutions.append((f"%{tool}", os.path.join(tools, tool)))

# A tool that tests may need beyond LLVM's, as a feature: `REQUIRES: spirv-val`.
if shutil.which("spirv-val", path=config.environment["PATH"]):
    config.available_features.add("spirv-val")
