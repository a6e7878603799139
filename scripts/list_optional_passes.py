# SPDX-License-Identifier: MIT
"""Write the names of the passes that a compilation may leave out, as a list in JSON, from their definitions.

    python scripts/list_optional_passes.py --tblgen llvm-tblgen -I include Passes.td ... > optional_passes.json

These are the passes of the class `OptionalPass` or `OptionalTTGIRPass` (OptionalPass.td). The build runs the script,
and the options of a compilation read the list.
"""

from __future__ import annotations

import argparse
import json
import subprocess

CLASSES = ("OptionalPass", "OptionalTTGIRPass")


def main() -> None:
    """Print the list."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tblgen", required=True, help="path of `llvm-tblgen`")
    parser.add_argument("-I", dest="includes", action="append", default=[], help="a folder of included definitions")
    parser.add_argument("definitions", nargs="+", help="files with passes")
    arguments = parser.parse_args()
    includes = [flag for folder in arguments.includes for flag in ("-I", folder)]
    names: set[str] = set()
    for file in arguments.definitions:
        command = [arguments.tblgen, "--dump-json", *includes, file]
        records = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        members = records["!instanceof"]
        names |= {records[member]["argument"] for name in CLASSES for member in members.get(name, ())}
    print(json.dumps(sorted(names), indent=2))


if __name__ == "__main__":
    main()
