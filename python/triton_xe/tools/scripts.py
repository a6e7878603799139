# SPDX-License-Identifier: MIT
"""Run the scripts of commands as Python runs them, and show their errors from the script's first line on."""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from triton_xe.statuses import Status

#: The files whose code starts a script.
STARTERS = (__file__, runpy.__file__, "<frozen runpy>")
#: Before the first frame of the user's code there are only frames of such files.
_NOT_THE_USERS = (*STARTERS, str(Path(__file__).parent), "<frozen importlib")


@dataclass(frozen=True)
class Script:
    """A script, a module or pytest, with separate arguments."""

    name: str
    arguments: Sequence[str] = ()
    is_module: bool = False

    @property
    def path(self) -> Path:
        return Path(self.name)

    @property
    def title(self) -> str:
        """Return the name of a file that is about the script, without a suffix."""
        return self.name if self.is_module else self.path.stem

    @property
    def _is_pytest(self) -> bool:
        return not self.is_module and self.path.name == "pytest"

    def check(self) -> None:
        """Raise OptionError if there is no such file."""
        from triton_xe import errors

        if not (self.is_module or self._is_pytest or self.path.exists()):
            raise errors.OptionError(f"there is no file `{self.name}`")

    def _execute(self) -> None:
        """Do what `python script.py arguments` does. Raises whatever the script raises."""
        saved = sys.argv, sys.path[:]
        sys.argv = [self.name, *self.arguments]
        try:
            if self._is_pytest:
                import pytest

                sys.exit(int(pytest.main(list(self.arguments))))
            sys.path[0] = os.getcwd() if self.is_module else str(self.path.resolve().parent)
            if self.is_module:
                runpy.run_module(self.name, run_name="__main__", alter_sys=True)
            else:
                runpy.run_path(self.name, run_name="__main__")
        finally:
            sys.argv, sys.path[:] = saved

    def run(self) -> None:
        """Run it. Raises OptionError if there is no such script, and ScriptError, with a traceback, if it fails."""
        from triton_xe import errors

        self.check()
        try:
            self._execute()
        except SystemExit as exit_:
            if exit_.code not in (None, 0):
                raise errors.ScriptError(f"`{self.name}` ended with {exit_.code!r}") from exit_
        except Exception as error:
            raise errors.ScriptError(f"`{self.name}` failed:\n{explain(error)}") from error

    def run_for_status(self) -> int:
        """Run it, print its error, and return the status that Python would return."""
        try:
            self._execute()
        except SystemExit as exit_:
            if exit_.code is None or isinstance(exit_.code, int):
                return exit_.code or 0
            print(exit_.code, file=sys.stderr)
            return Status.FAILED
        except BaseException as error:
            print(explain(error), file=sys.stderr)
            return Status.INTERRUPTED if isinstance(error, KeyboardInterrupt) else Status.FAILED
        return 0


def explain(error: BaseException) -> str:
    """Return the traceback of an error, from the first line of the user's code on."""
    frames: TracebackType | None = error.__traceback__
    while frames and frames.tb_frame.f_code.co_filename.startswith(_NOT_THE_USERS):
        frames = frames.tb_next
    return "".join(traceback.format_exception(type(error), error, frames)).rstrip()


def check_output(path: Path) -> None:
    """Raise OptionError if a file cannot be written, which is better known before the work that it is for."""
    from triton_xe import errors

    if not path.parent.is_dir():
        raise errors.OptionError(f"there is no folder `{path.parent}`")
    is_new = not path.exists()
    try:
        path.open("ab").close()
    except OSError as error:
        raise errors.OptionError(f"cannot write `{path}`: {error.strerror}") from error
    if is_new:
        path.unlink()
