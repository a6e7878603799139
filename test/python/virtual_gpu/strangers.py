# SPDX-License-Identifier: MIT
"""Run the tests of programs that know nothing of this project on the virtual GPU, and print how many pass.

`strangers.py FOLDER [SUITE ...]` makes an environment in FOLDER, with pinned packages, and runs the suites. Packages
without their tests need `--sources`: a folder with checkouts of `inducer/pyopencl` (v2026.1.2) and `tinygrad/tinygrad`
(a9069c177a).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import sysconfig
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from triton_xe.tools.virtual_gpu import driver

PACKAGES = (
    "dpctl==0.22.1", "dpnp==0.20.0", "numpy==2.4.6", "pyopencl==2026.1.4", "tinygrad==0.14.0", "pytest==9.2.0",
    "pytest-timeout==2.4.0", "hypothesis==6.170.17", "mako==1.4.3",
)  # fmt: skip
#: A test that takes longer has failed.
SECONDS = 120
#: Tests that may end the process of a suite, each of which starts another one.
MAX_CRASHES = 40


@dataclass(frozen=True)
class Suite:
    """Tests of a package: arguments of pytest, how many of them are run, and variables of the environment."""

    arguments: tuple[str, ...]
    sample: int
    environment: tuple[tuple[str, str], ...] = ()
    #: The checkout that has the tests; none if the package has them.
    checkout: str = ""


SUITES = {
    "dpctl": Suite(("--pyargs", "dpctl.tests"), 1_000_000),
    "dpnp": Suite(("--pyargs", "dpnp.tests"), 300),
    "pyopencl": Suite(("test",), 100, checkout="pyopencl"),
    "tinygrad": Suite(
        ("test/backend/test_ops.py",), 1_000_000, (("DEV", "CL"), ("PARALLEL", "0"), ("CC", "clang-22")), "tinygrad"
    ),
}


def make_environment(folder: Path) -> Path:
    """Return the Python of an environment with the packages."""
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=True)
        # tinygrad's tests compare with torch, which this project's environment has; what both have is the new one's.
        query = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
        found = Path(subprocess.run(query, check=True, capture_output=True, text=True).stdout.strip())
        (found / "torch-of-the-project.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def run_suite(python: Path, folder: Path, name: str, chip: str, sources: Path) -> dict[str, tuple[str, str]]:
    """Return how each test of a suite went, and why."""
    suite, notes = SUITES[name], folder / f"{name}-{chip}.notes"
    notes.unlink(missing_ok=True)
    environment = os.environ | dict(suite.environment)
    environment |= {
        "STRANGERS_NOTES": str(notes),
        "STRANGERS_SAMPLE": str(suite.sample),
        "PYTHONPATH": str(Path(__file__).resolve().parent),
        "OPENCL_PATH": str(driver.find().libraries / "libOpenCL.so.1"),
    }
    options = ("-q", "-p", "strangers_plugin", "-p", "no:cacheprovider", "--capture=no", f"--timeout={SECONDS}")
    command = [sys.executable, "-m", "triton_xe", "gpu", "run", "--chip", chip, "--"]
    command += [str(python), "-m", "pytest", *options, *suite.arguments]
    place = sources / suite.checkout if suite.checkout else folder
    with (folder / f"{name}-{chip}.log").open("w") as log:
        for _ in range(MAX_CRASHES):
            begin = notes.stat().st_size if notes.exists() else 0
            status = subprocess.run(command, env=environment, cwd=place, stdout=log, stderr=log, check=False).returncode
            # All have run, some failed, or none is left.
            if status in (0, 1, 5) or not notes.exists() or notes.stat().st_size == begin:
                break
    if not notes.exists():
        sys.exit(f"no test has run: {log.name}")
    return {test: (outcome, why) for test, outcome, why in map(json.loads, notes.read_text().splitlines())}


def main() -> int:
    """Run suites, and print rates and failures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("suites", nargs="*", default=list(SUITES), choices=[[], *SUITES])
    parser.add_argument("--chip", default="pvc")
    parser.add_argument("--sources", type=Path, default=Path())
    arguments = parser.parse_args()
    python = make_environment(arguments.folder.resolve())
    for name in arguments.suites:
        found = run_suite(python, arguments.folder.resolve(), name, arguments.chip, arguments.sources.resolve())
        counts = Counter(outcome for outcome, _ in found.values())
        run = sum(counts.values()) - counts["skipped"]
        print(
            f"{name} on {arguments.chip}: {counts['passed']} of {run} passed, {counts['skipped']} skipped", flush=True
        )
        for test, (outcome, why) in found.items():
            if outcome not in ("passed", "skipped"):
                print(f"  {outcome}: {test}: {why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
