# SPDX-License-Identifier: MIT
"""The command `triton-xe bundle`: fill, show, check and send bundles of compiled kernels."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from triton import knobs as triton_knobs

from triton_xe import errors
from triton_xe import options as xe_options
from triton_xe.tools import tables
from triton_xe.tools.bundle import writing
from triton_xe.tools.bundle.manifest import KERNELS, Build, Entry, is_key
from triton_xe.tools.bundle.reading import Bundle

_DESCRIPTION = """\
A bundle is a folder of compiled kernels. Programs that find it in TRITON_XE_BUNDLE, or in an installed package, launch
these kernels without compiling (docs/fleet.md)."""

#: Options that the chip implies already.
_OF_THE_CHIP = ("arch", "backend_name")
_DEFAULTS = {field.name: field.default for field in dataclasses.fields(xe_options.XeOptions)}


def describe_options(entry: Entry) -> str:
    """Return the number of warps and all options that are not the default."""
    if not entry.is_kernel:
        return "(result of the autotuner)"
    shown = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in entry.options.items()
        if name not in _OF_THE_CHIP
    }
    return " ".join(
        f"{name}={value}" for name, value in shown.items() if name == "num_warps" or value != _DEFAULTS.get(name)
    )


def describe_size(size: int) -> str:
    """Return a number of bytes in words."""
    return f"{size / 1024:.1f} KiB" if size < 1024**2 else f"{size / 1024**2:.1f} MiB"


def render(entries: Iterable[Entry]) -> str:
    """Return a table of kernels."""
    rows = []
    for entry in sorted(entries, key=lambda entry: (entry.name, entry.key)):
        chip = f"{entry.target.get('arch')} ({entry.target.get('backend')})" if entry.is_kernel else "-"
        rows.append((entry.name, chip, describe_size(entry.size), describe_options(entry)))
    return "\n".join(tables.lay_out(("kernel", "chip", "size", "options"), rows, numbers=("size",)))


def show_command(arguments: argparse.Namespace) -> int:
    """Print what is in a bundle."""
    bundle = Bundle.open(arguments.bundle)
    entries = list(bundle.entries())
    print(render(entries))
    print(f"entries: {len(entries)}, size: {describe_size(sum(entry.size for entry in entries))}")
    for build in bundle.manifest.builds:
        print(f"written with Triton {build.triton} and triton-xe {build.triton_xe} ({build.toolchain_key[:12]})")
    return 0


def find_problems(bundle: Bundle) -> list[str]:
    """Return what is not sound in a bundle, or not listed."""
    problems = [problem for key in bundle.manifest.kernels if (problem := _find_problem(bundle, key))]
    folder = bundle.path / KERNELS
    present = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    problems += [
        f"`{folder / name}`: the manifest does not list it"
        for name in sorted(present)
        if is_key(name) and name not in bundle.manifest.kernels
    ]
    return problems


def _find_problem(bundle: Bundle, key: str) -> str:
    try:
        entry = bundle.manifest.entry(key)
        if entry:
            bundle.check(entry)
    except errors.BundleError as error:
        return f"{key[:80]}: {error}"
    return ""


def is_usable(entry: Entry, build: Build) -> bool:
    """Return whether an entry is a kernel of this installation."""
    toolchain = f"-{build.toolchain_key}"
    return entry.is_kernel and entry.triton_key == build.triton_key and entry.backend_hash.endswith(toolchain)


def check_command(arguments: argparse.Namespace) -> int:
    """Check all files of a bundle, and whether this installation can use it; the status is 1 if not."""
    bundle = Bundle.open(arguments.bundle)
    problems = find_problems(bundle)
    for problem in problems:
        print(problem)
    kernels = [entry for entry in bundle.entries() if entry.is_kernel]
    build = writing.this_build()
    usable = sum(is_usable(entry, build) for entry in kernels)
    print(f"entries: {len(bundle.manifest.kernels)}, problems: {len(problems)}")
    print(f"{usable} of {len(kernels)} kernels are of this Triton ({build.triton}) and triton-xe ({build.triton_xe})")
    return 0 if usable and not problems else 1


def collect_command(arguments: argparse.Namespace) -> int:
    """Copy the kernels of a cache into a bundle."""
    cache = arguments.cache or Path(triton_knobs.cache.dir)
    summary = writing.collect(arguments.bundle, cache, with_ir=arguments.with_ir)
    for reason in summary.skipped.values():
        print(f"left out: {reason}", file=sys.stderr)
    size = describe_size(sum(entry.size for entry in summary.added))
    print(f"{len(summary.added)} added ({size}), {len(summary.kept)} there already, {len(summary.skipped)} left out")
    return 0 if summary.added or summary.kept else 1


def push_command(arguments: argparse.Namespace) -> int:
    """Put the kernels of a bundle into Triton's remote cache."""
    from triton_xe.tools.bundle import remote

    bundle = Bundle.open(arguments.bundle)
    pushed = remote.push(bundle)
    print(f"{len(pushed)} of {len(bundle.manifest.kernels)} entries put into the remote cache")
    return 0 if len(pushed) == len(bundle.manifest.kernels) else 1


def add_parser(commands: Any) -> None:
    """Add the command to those of `triton-xe`."""
    parser = commands.add_parser(
        "bundle", help="fill, show, check and send folders of compiled kernels", description=_DESCRIPTION
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    for name, run, text in (
        ("show", show_command, "print a table of the kernels"),
        ("check", check_command, "check all files, and whether this installation uses them; the status is 1 if not"),
        ("collect", collect_command, "copy kernels that this installation has compiled out of Triton's cache"),
        ("push", push_command, "put the kernels into Triton's remote cache (TRITON_REMOTE_CACHE_BACKEND)"),
    ):
        action = actions.add_parser(name, help=text)
        action.add_argument("bundle", type=Path, metavar="DIR", help="the folder of the bundle")
        action.set_defaults(run=run)
        if name == "collect":
            action.add_argument("--cache", type=Path, metavar="DIR", help="a cache of Triton's, instead of the user's")
            action.add_argument("--with-ir", action="store_true", help="also the stages that no launch needs")
