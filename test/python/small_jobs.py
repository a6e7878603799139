# SPDX-License-Identifier: MIT
"""Jobs for separate processes, which import this module and little else."""

import os
import time


def square(number: int) -> int:
    return number * number


def process(_number: int) -> int:
    time.sleep(0.2)
    return os.getpid()


def variable(name: str) -> str | None:
    return os.environ.get(name)


def fail(number: int) -> int:
    if number == 2:
        raise ValueError("two")
    return number


def crash(number: int) -> int:
    if number == 2:
        os.abort()
    return number
