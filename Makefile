# Every target sets up what it needs, once. A fresh clone starts with `make gemm` or
# `make test`; later calls only rebuild what has changed.

PYTHON ?= python3
JOBS ?= $(shell nproc)

# The Triton of $(VENV), which the build and all targets use; `make test TRITON=3.9.0` tests with another one.
DEFAULT_TRITON := 3.7.1
TRITON ?= $(DEFAULT_TRITON)
# The others that `make test` tries a small part of the tests with.
OTHER_TRITONS := 3.8.0 3.9.0
# The newest torch, which `make test` tries some models with, and the Triton that it requires.
TORCH ?= 2.15.0
TRITON_OF_TORCH ?= 3.9.0

# `make test SANITIZE=address,undefined` builds with sanitizers and assertions, in a separate folder and a separate
# environment. CONTRIBUTING.md explains the options.
SANITIZE ?=
SUFFIX := $(if $(SANITIZE),-sanitize)
ifneq ($(SANITIZE),)
BUILD_FLAGS := -C build-dir=build$(SUFFIX) -C cmake.define.TRITON_XE_SANITIZE=$(SANITIZE)
ENVIRONMENT_FLAGS := --sanitize
FAULTS := handle_segv=0:handle_sigbus=0:handle_sigfpe=0:use_sigaltstack=0
export ASAN_OPTIONS := $(FAULTS):detect_leaks=0:detect_container_overflow=0:alloc_dealloc_mismatch=0:$\
allow_user_poisoning=0:verify_asan_link_order=0
export UBSAN_OPTIONS := print_stacktrace=1
export ASAN_SYMBOLIZER_PATH := $(shell command -v llvm-symbolizer-22)
endif

VENV := .venv$(SUFFIX)
BUILD := build$(SUFFIX)
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps

# The sources that extension modules and tools are built from.
SOURCES := $(shell find CMakeLists.txt bin cmake include lib python/src python/CMakeLists.txt \
             test/CMakeLists.txt third_party -type f)
# New files, which git does not track yet, are among them.
CXX_FILES = $(shell git ls-files --cached --others --exclude-standard '*.cpp' '*.h')
PYTHON_FILES := python test benchmarks scripts examples

.PHONY: help setup build gemm test test-full test-style test-includes test-lit test-unit test-python test-conformance \
        test-torch test-torch-features test-compiler fuzz wheel wheels sdist test-wheel test-built-wheel docs format \
        format-check clean

help:
	@echo "make gemm          set up, then run the GEMM benchmarks and their report"
	@echo "make test          set up, then run every test"
	@echo "                   (TRITON=3.9.0: with another Triton, in a separate environment)"
	@echo "                   (SANITIZE=address,undefined: with sanitizers and assertions; make fuzz, too)"
	@echo "make test-full     the same with the long numeric tests"
	@echo "make fuzz          random programs and damaged IR, caches and binaries (MINUTES=60 SEED=1 JOBS=2)"
	@echo "make setup         install packages, the Python environment and the compiler"
	@echo "make wheel         a wheel that holds LLVM, in dist/ (WHEEL_PYTHON=python3.12: for another Python);"
	@echo "                   make wheels: for 3.10 to 3.13; make test-wheel tests it where no LLVM is; make sdist"
	@echo "make docs          write docs/ from the TableGen definitions, and build the site"
	@echo "make format        format C++ and Python; make format-check only looks"

#===-----------------------------------------------------------------------===#
# Set-up
#===-----------------------------------------------------------------------===#

ifeq ($(SANITIZE),)
# These are the packages that the build needs. Wheels are built with them alone.
$(STAMPS)/build-packages: scripts/install_packages.sh
	@sh scripts/install_packages.sh build
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/packages: $(STAMPS)/build-packages
	@sh scripts/install_packages.sh test
	@touch $@

# The packages that `pip install --no-build-isolation` expects to find, and the SYCL headers. A CMake or Ninja that the
# system lacks, or has too old, comes from PyPI.
$(STAMPS)/requirements: pyproject.toml $(STAMPS)/build-packages
	$(BIN)/python scripts/list_build_requirements.py > $(STAMPS)/build-requirements.txt
	$(BIN)/pip install --quiet -r $(STAMPS)/build-requirements.txt
	@touch $@

# Requirements of kernels and benchmarks.
$(STAMPS)/runtime: $(STAMPS)/requirements
	$(BIN)/python scripts/list_build_requirements.py --extra opencl bench > $(STAMPS)/runtime-requirements.txt
	$(BIN)/pip install --quiet -r $(STAMPS)/runtime-requirements.txt triton==$(DEFAULT_TRITON)
	@touch $@

# Further requirements of tests and development. A build that exists finds them, too.
$(STAMPS)/dependencies: $(STAMPS)/runtime $(STAMPS)/packages
	$(BIN)/python scripts/list_build_requirements.py --extra test > $(STAMPS)/test-requirements.txt
	$(BIN)/pip install --quiet -r $(STAMPS)/test-requirements.txt triton==$(DEFAULT_TRITON)
	@test ! -e $(BUILD)/CMakeCache.txt || cmake $(BUILD) > /dev/null
	@touch $@
else
# Only own code is built once more.
$(STAMPS)/requirements: scripts/make_environment.py
	@sh scripts/install_packages.sh build libclang-rt-22-dev
	$(MAKE) SANITIZE= build .venv/stamps/dependencies
	.venv/bin/python scripts/make_environment.py $(DEFAULT_TRITON) $(VENV) $(ENVIRONMENT_FLAGS)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/runtime $(STAMPS)/dependencies: $(STAMPS)/requirements
	@touch $@
endif

# An incremental build in $(BUILD), installed into the environment.
$(STAMPS)/build: $(SOURCES) $(STAMPS)/requirements
	$(BIN)/pip install --quiet --no-deps --no-build-isolation $(BUILD_FLAGS) -e .
	@touch $@

# The compiler of GPU drivers, into a folder of the environment unless there is one already. The command runs from its
# sources, so that it does not wait for the build.
$(STAMPS)/device-compiler: $(STAMPS)/runtime
	@PYTHONPATH=python $(BIN)/python -m triton_xe.tools.command_line install-compiler --if-missing
	@touch $@

# The driver for the virtual GPU, likewise.
$(STAMPS)/driver: $(STAMPS)/build
	@$(BIN)/triton-xe install-driver --if-missing
	@touch $@

# Packages are fetched and unpacked while the compiler is built.
PARTS := $(STAMPS)/build $(STAMPS)/runtime $(STAMPS)/device-compiler

build: $(STAMPS)/requirements
	@$(MAKE) --no-print-directory --question $(PARTS) || $(MAKE) --no-print-directory --jobs 3 $(PARTS)

# For development.
setup: build $(STAMPS)/dependencies
	@$(BIN)/triton-xe info

#===-----------------------------------------------------------------------===#
# The main job and the tests
#===-----------------------------------------------------------------------===#

gemm: build
	$(BIN)/python benchmarks/gemm.py
	$(BIN)/python benchmarks/gemm_postop_addmatrix.py

# Quick tests come first.
test-style: format-check
	$(BIN)/python scripts/check_sources.py

test-lit: build $(STAMPS)/dependencies
	cmake --build $(BUILD) --target check-triton-xe-lit

# Long runs have more random programs, as tests whose names begin with DISABLED.
test-unit: export GTEST_ALSO_RUN_DISABLED_TESTS := $(if $(findstring --full,$(PYTEST_FLAGS)),1,0)
test-unit: build $(STAMPS)/dependencies
	cmake --build $(BUILD) --target triton-xe-unit-tests
	ctest --test-dir $(BUILD) --parallel $(JOBS) --output-on-failure --no-tests=error

# An environment with another Triton, which has all else from $(VENV). Its stamp stays, though only rules for patterns
# name it.
.PRECIOUS: $(STAMPS)/triton-% $(STAMPS)/torch-%
$(STAMPS)/triton-%: scripts/make_environment.py $(STAMPS)/dependencies
	$(BIN)/python scripts/make_environment.py $* $(VENV)-$* $(ENVIRONMENT_FLAGS)
	@touch $@

TEST_PYTHON := $(if $(filter $(DEFAULT_TRITON),$(TRITON)),$(BIN),$(VENV)-$(TRITON)/bin)/python

# Each of the many processes would compile the tests and the package again where the environment forbids to keep that.
test-python test-conformance-% test-torch test-torch-features: export PYTHONDONTWRITEBYTECODE :=
test-python: build $(STAMPS)/dependencies $(STAMPS)/driver $(if $(filter $(DEFAULT_TRITON),$(TRITON)),,$(STAMPS)/triton-$(TRITON))
	$(TEST_PYTHON) -m pytest -n $(JOBS) --dist worksteal --durations 15 --junitxml $(BUILD)/test-python.xml $(PYTEST_FLAGS)

# Kernels of all families with each of the other Tritons. `make test` tests two of them at a time, each with half of the
# processors: each process imports torch, Triton and the tests first.
CONFORMANCE_JOBS = $(JOBS)

test-conformance: $(OTHER_TRITONS:%=test-conformance-%)

test-conformance-%: build $(STAMPS)/triton-%
	$(VENV)-$*/bin/python -m pytest -n $(CONFORMANCE_JOBS) --dist worksteal -m conformance

# Models with the newest torch, in a separate environment as those of Tritons; all of them with `--full`. Its build is
# one for CUDA, which no device is shown to.
$(STAMPS)/torch-%: scripts/make_environment.py scripts/stub_cuda.py $(STAMPS)/dependencies
	$(BIN)/python scripts/make_environment.py $(TRITON_OF_TORCH) $(VENV)-torch-$* --torch $* $(ENVIRONMENT_FLAGS)
	@touch $@

TEST_TORCH_JOBS = $(JOBS)
TEST_TORCH = CUDA_VISIBLE_DEVICES= $(VENV)-torch-$(TORCH)/bin/python -m pytest -n $(TEST_TORCH_JOBS) --dist worksteal

test-torch: build $(STAMPS)/torch-$(TORCH)
	$(TEST_TORCH) --full $(if $(findstring --full,$(PYTEST_FLAGS)),,-m newest_torch) \
	  test/python/e2e/inductor_features/networks.py test/python/e2e/inductor_features/table.py

# Everything in the table of docs/Inductor.md.
test-torch-features: build $(STAMPS)/torch-$(TORCH)
	$(TEST_TORCH) --full test/python/e2e/test_inductor.py -k features

# Steps that leave a processor idle run side by side, the longest first, after what several of them need is set up. Python
# last: its closing line sums up.
SIDE_BY_SIDE = $(MAKE) --jobs 2 --output-sync=target

test:
	@$(MAKE) --no-print-directory --question $(STAMPS)/dependencies || $(MAKE) build $(STAMPS)/dependencies
	$(SIDE_BY_SIDE) test-style test-lit
	$(SIDE_BY_SIDE) test-conformance test-torch test-unit CONFORMANCE_JOBS=$(shell expr \( $(JOBS) + 1 \) / 2) \
	  $(if $(findstring --full,$(PYTEST_FLAGS)),,TEST_TORCH_JOBS=1)
	$(MAKE) test-python

# Sources include what they use, although headers are precompiled.
test-includes: build
	$(BIN)/python scripts/check_includes.py --build $(BUILD) --jobs $(JOBS)

test-full:
	$(MAKE) test PYTEST_FLAGS=--full
	$(MAKE) test-includes
	$(MAKE) test-compiler SANITIZE=address,undefined

# Many compilations in one process: the kernels of the suite, then programs of the fuzzer.
test-compiler: build $(STAMPS)/dependencies
	PYTHONPATH=test/python $(BIN)/python -W ignore -m compile_suite
	$(MAKE) fuzz SANITIZE=$(SANITIZE) KINDS=programs FUZZ_FLAGS="--count 1000"

# Random programs, and damaged IR, files of the cache and binaries (docs/Fuzz.md). The seed is printed.
MINUTES ?= 10
SEED ?=
KINDS ?= programs,ir,cache,binaries

fuzz: build $(STAMPS)/dependencies
	PYTHONPATH=test:test/python $(BIN)/python -m fuzz --minutes $(MINUTES) --jobs $(JOBS) --kinds $(KINDS) \
	  $(if $(SEED),--seed $(SEED)) --findings $(BUILD)/fuzz $(FUZZ_FLAGS)

#===-----------------------------------------------------------------------===#
# Packages
#===-----------------------------------------------------------------------===#

DIST := dist
WHEEL_PYTHON ?= $(BIN)/python
# Programs, or versions that are found on the PATH or fetched by `uv`.
WHEEL_PYTHONS ?= 3.10 3.11 3.12 3.13
# Wheels are tested with these. Triton 3.9 has no wheel for Python 3.10.
WHEEL_TRITONS ?= $(DEFAULT_TRITON) $(OTHER_TRITONS)

$(STAMPS)/wheel-tools: pyproject.toml $(STAMPS)/requirements
	$(BIN)/python scripts/list_build_requirements.py --extra wheel > $(STAMPS)/wheel-requirements.txt
	$(BIN)/pip install --quiet -r $(STAMPS)/wheel-requirements.txt
	@touch $@

wheel: $(STAMPS)/wheel-tools
	$(BIN)/python scripts/build_wheel.py $(DIST) --python $(WHEEL_PYTHON)

# All are built in one folder, so that code which does not depend on Python is compiled once.
wheels: $(STAMPS)/wheel-tools
	$(BIN)/python scripts/build_wheel.py $(DIST) --python $(WHEEL_PYTHONS)

sdist: $(STAMPS)/wheel-tools
	$(BIN)/python -c "from scikit_build_core import build; build.build_sdist('$(DIST)')"

test-wheel: wheel test-built-wheel

test-built-wheel:
	$(WHEEL_PYTHON) scripts/test_wheel.py $(DIST) --triton $(WHEEL_TRITONS)

#===-----------------------------------------------------------------------===#
# Manual
#===-----------------------------------------------------------------------===#

# The pages of passes and dialects, the pictures, and the site in $(BUILD)/site are made in the environment of the build,
# which knows where MLIR's tools are.
docs: build $(STAMPS)/dependencies
	cmake --build $(BUILD) --target triton-xe-docs
	$(BIN)/python scripts/draw_pictures.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo "the site is $(BUILD)/site/index.html"

#===-----------------------------------------------------------------------===#
# Format
#===-----------------------------------------------------------------------===#

format: $(STAMPS)/dependencies
	clang-format-22 -i $(CXX_FILES)
	$(BIN)/ruff format $(PYTHON_FILES)
	$(BIN)/ruff check --fix $(PYTHON_FILES)

format-check: $(STAMPS)/dependencies
	@echo $(CXX_FILES) | xargs -n 64 -P $(JOBS) clang-format-22 --dry-run --Werror
	$(BIN)/ruff format --check $(PYTHON_FILES)
	$(BIN)/ruff check $(PYTHON_FILES)

clean:
	rm -rf $(BUILD) build-wheel $(DIST) $(STAMPS)/build
