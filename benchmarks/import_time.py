# SPDX-License-Identifier: MIT
"""Measure how long it takes to load the compiler, compared with `import triton`, each in separate processes.

    .venv/bin/python benchmarks/import_time.py

Of several runs the shortest counts: the others waited for the disk or for other processes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

#: Prints two times in seconds: that of `import triton`, which imports the backends, and what the compiler adds.
PROGRAM = """
import time
begin = time.perf_counter()
import triton
imported = time.perf_counter()
from triton_xe import compiler
compiler.native_compiler().llvm_version()
loaded = time.perf_counter()
compiler.toolchain_key()
hashed = time.perf_counter()
print(imported - begin, loaded - imported, hashed - loaded)
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    times = []
    for _ in range(parser.parse_args().runs):
        output = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout
        times.append(tuple(map(float, output.split())))
    imported, loaded, hashed = (min(column) for column in zip(*times, strict=True))
    print(f"import triton         {imported:6.3f} s")
    print(f"load the compiler     {loaded:6.3f} s   {loaded / imported:5.2f} of it")
    print(f"hash it for the cache {hashed:6.3f} s   {hashed / imported:5.2f} of it")


if __name__ == "__main__":
    main()
