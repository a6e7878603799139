# SPDX-License-Identifier: MIT
"""Options of the tests.

pytest reads this file wherever it is started in the repository. It reads `python/conftest.py` early only if it finds a
folder of tests among its arguments, for which it takes the value of an option that it does not know yet.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="also run the tests marked `full`, which take long")
    parser.addoption(
        "--one-in",
        type=int,
        default=1,
        metavar="N",
        help="of each selected test, run one in N of its sets of parameters",
    )
