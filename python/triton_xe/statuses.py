# SPDX-License-Identifier: MIT
"""The statuses with which commands end. docs/reference/options.md has the same table."""

from __future__ import annotations

import enum


class Status(enum.IntEnum):
    """The reasons why a command ends. Commands that run a program end with the program's own status otherwise."""

    DONE = 0
    #: The command met an error, or found what it looks for.
    FAILED = 1
    #: The command was called wrongly, or a file cannot be read or written.
    MISUSED = 2
    #: The program that a command runs exists, but cannot be executed.
    NOT_EXECUTABLE = 126
    NOT_FOUND = 127
    #: The number of a signal is added, as shells do.
    SIGNALLED = 128
    #: The user has interrupted the command: signal 2.
    INTERRUPTED = 130
