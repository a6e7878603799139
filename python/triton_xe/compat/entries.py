# SPDX-License-Identifier: MIT
"""The entries of the table of replacements, and what they expect of the symbols that they name."""

from __future__ import annotations

import enum
import importlib
import importlib.metadata
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from triton_xe.compat import functions, originals

#: Looks at what is to be replaced, and returns what is wrong with it: an empty text if it has the expected form.
Form = Callable[[Any], str]

_TITLES = {"triton": "Triton"}


class State(enum.Enum):
    """The states that a probe finds a replacement in."""

    NEEDED = "the replacement is needed, and can be made"
    UNNEEDED = "the installed version does without the replacement"
    IMPOSSIBLE = "the replacement cannot be made"


@dataclass(frozen=True)
class Finding:
    """The result of a probe, with the reason unless the replacement is needed."""

    state: State
    reason: str = ""


@dataclass(frozen=True)
class Entry:
    """A symbol of Triton or torch that is replaced."""

    #: The module, and the qualified name in it.
    module: str
    name: str
    #: The reason for the replacement: a sentence for users.
    reason: str
    #: The change in Triton or torch that would make this unnecessary.
    until: str
    #: The series of Triton or torch that have been seen to need the replacement.
    versions: tuple[str, ...]
    #: The function that makes the replacement, with its module.
    installer: str
    #: The form that the symbol has to have.
    expected: Form
    #: Returns why the installed version does without the replacement: an empty text if it does not.
    unneeded: Callable[[], str] = str
    #: This is true if the symbol is added where it does not exist.
    is_added: bool = False

    @property
    def symbol(self) -> str:
        """Return the module and the qualified name."""
        return f"{self.module}.{self.name}"

    @property
    def package(self) -> str:
        """Return the package that the symbol belongs to."""
        return self.module.partition(".")[0]

    def installed_version(self) -> str:
        """Return the installed version of the package; an empty text if there is none."""
        try:
            return importlib.metadata.version(self.package)
        except importlib.metadata.PackageNotFoundError:
            return ""

    def owner(self) -> Any:
        """Return the module or class that has the symbol. Raises ImportError or AttributeError if there is none."""
        owner = importlib.import_module(self.module)
        for name in self.name.split(".")[:-1]:
            owner = getattr(owner, name)
        return owner

    def problem(self, owner: Any) -> str:
        """Return why the symbol cannot be replaced in its owner: an empty text if it can."""
        name = self.name.rpartition(".")[2]
        if not originals.exists(owner, name):
            return "" if self.is_added else "it does not exist"
        return self.expected(originals.original(owner, name))

    def describe(self, problem: str) -> str:
        """Return a message about a symbol that cannot be replaced."""
        title, version = _TITLES.get(self.package, self.package), self.installed_version()
        installed = f"{title} {version} is installed" if version else f"{title} is not installed"
        return (
            f"`{self.symbol}` cannot be replaced: {problem}. {installed}; it is known from {title} "
            f"{', '.join(self.versions)}"
        )

    def describe_probe(self) -> str:
        """Return what the probe finds, in words."""
        version = self.installed_version()
        if not version:
            return f"{self.package} is not installed"
        finding = self.probe()
        if finding.state is State.NEEDED:
            return "needed"
        if ".".join(version.split(".")[:2]) not in self.versions:
            return f"not needed (known from {', '.join(self.versions)})"
        return finding.reason

    def probe(self) -> Finding:
        """Return whether the replacement is needed and possible with what is installed. Imports the module."""
        try:
            owner = self.owner()
        except (ImportError, AttributeError) as error:
            return Finding(State.IMPOSSIBLE, self.describe(str(error)))
        if inspect.ismodule(owner) and owner.__name__ != self.module:
            return Finding(State.UNNEEDED, f"the module has moved to `{owner.__name__}`")
        if problem := self.problem(owner):
            return Finding(State.IMPOSSIBLE, self.describe(problem))
        if reason := self.unneeded():
            return Finding(State.UNNEEDED, reason)
        return Finding(State.NEEDED)


def anything(_value: Any) -> str:
    """Expect no more than that the symbol exists."""
    return ""


def callable_object(value: Any) -> str:
    """Expect a function or a class."""
    return "" if callable(value) else f"expected a function, found {type(value).__name__}"


def taking(*names: str) -> Form:
    """Expect a function whose first parameters have these names."""

    def check(value: Any) -> str:
        if problem := callable_object(value):
            return problem
        try:
            found = tuple(inspect.signature(value).parameters)
        except ValueError:
            return "its parameters are unknown"
        return "" if found[: len(names)] == names else f"expected parameters {list(names)}, found {list(found)}"

    return check


def having(*names: str) -> Form:
    """Expect an object with these attributes."""

    def check(value: Any) -> str:
        missing = [name for name in names if not hasattr(value, name)]
        return f"it has no {', '.join(missing)}" if missing else ""

    return check


def containing(text: str) -> Form:
    """Expect a function whose source has this text."""

    def check(value: Any) -> str:
        return "" if text in inspect.getsource(value) else f"its source does not contain `{text}`"

    return check


def using(*constants: Any) -> Form:
    """Expect a function whose code has these constants."""

    def check(value: Any) -> str:
        function = inspect.unwrap(value)
        missing = [constant for constant in constants if not functions.has_constant(function, constant)]
        return f"it has no constant {', '.join(map(repr, missing))}" if missing else ""

    return check
